/* The chain of the null `edges`: labellings that hold the table of coloured edges. */
#include "verify/statistics/permuted_chains.h"

#include "base/alloc.h"
#include "base/ascending.h"
#include "base/status.h"
#include "base/threads/stop.h"
#include "verify/statistics/permuted_groups.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define REDRAWS 64u  /* of two vertices with the same list of colours */
#define LOOK 4096u   /* steps between two looks at the token */
#define CIRCLE 1024u /* vertices that are asked for a way back, at most */

struct ms_label_chain {
  const ms_graph *graph;
  const uint32_t *member, *first;
  uint32_t *end; /* [members] the place behind the last one of the stratum of each */
  uint32_t members, n, classes;
  uint32_t *original, *now; /* [n] the class of the list of colours; MS_NO_CLASS: none */
  uint32_t *hub;            /* [n] whose list of colours each vertex has at the hub */
  int32_t *surplus;     /* [classes][classes] edges between two classes, less those of the graph,
                           in both orders of the classes */
  uint64_t edges;       /* between vertices with colours */
  int64_t apart;        /* the sum of |surplus| over all pairs of classes */
  int32_t *hub_surplus; /* these two at the hub */
  int64_t hub_apart;
  uint32_t *holder;       /* [n] the vertex that has the list of colours of each */
  uint32_t *circle;       /* [members] vertices in the order of their classes, then of `member` */
  uint32_t *circle_of;    /* [n] the place of each vertex there */
  uint32_t *circle_begin; /* [classes + 1] the first place of each class there */
  uint32_t *changed;      /* [2 n] scratch: neighbours of one of two vertices */
  ms_groups *groups;
  /* of the permutation that is made */
  uint64_t seed, number, at; /* at: number of the next draw */
  uint32_t purpose;
  double weight;
  uint32_t *from;
};

static bool same_list(const ms_coloring *coloring, uint32_t u, uint32_t v)
{
  uint32_t a, b;
  const uint32_t *x = ms_coloring_of(coloring, u, &a), *y = ms_coloring_of(coloring, v, &b);
  return a == b && (a == 0 || memcmp(x, y, a * sizeof *x) == 0);
}

static uint64_t hash_list(const ms_coloring *coloring, uint32_t v)
{
  uint32_t count;
  const uint32_t *color = ms_coloring_of(coloring, v, &count);
  uint64_t hash = 0xcbf29ce484222325;
  for (uint32_t i = 0; i < count; i++)
    hash = (hash ^ color[i]) * 0x100000001b3;
  return hash ^ hash >> 29;
}

/* Gives vertices with the same list the same class. */
static ms_status find_classes(ms_label_chain *c, const ms_coloring *coloring, ms_error *err)
{
  uint64_t places = 16;
  while (places < 2 * (uint64_t)c->members)
    places *= 2;
  uint32_t *met = ms_calloc(places, sizeof *met); /* 1 + a vertex of each class */
  if (!met)
    return ms_fail_memory(err, "permutations");
  memset(c->original, 0xff, c->n * sizeof *c->original);
  for (uint32_t i = 0; i < c->members; i++) {
    uint32_t v = c->member[i];
    uint64_t at = hash_list(coloring, v) & (places - 1);
    while (met[at] && !same_list(coloring, met[at] - 1, v))
      at = (at + 1) & (places - 1);
    c->original[v] = met[at] ? c->original[met[at] - 1] : c->classes++;
    met[at] = met[at] ? met[at] : v + 1;
  }
  ms_free(met);
  return MS_OK;
}

static void count_edges(ms_label_chain *c)
{
  for (uint32_t v = 0; v < c->n; v++) {
    uint32_t count;
    const uint32_t *near = ms_graph_neighbors(c->graph, v, &count);
    for (uint32_t i = 0; i < count; i++)
      c->edges +=
          near[i] < v && c->original[v] != MS_NO_CLASS && c->original[near[i]] != MS_NO_CLASS;
  }
}

/* Adds to the surplus of two classes. */
static void add_surplus(ms_label_chain *c, uint32_t a, uint32_t b, int32_t more)
{
  int32_t *one = &c->surplus[(size_t)a * c->classes + b];
  int32_t *other = &c->surplus[(size_t)b * c->classes + a];
  int32_t before = *one;
  *one = *other = before + more;
  c->apart += labs((long)before + more) - labs((long)before);
}

/* Adds `more` to the surplus for each edge at v, as its class says now, but not for that to
 * `except`. */
static void add_edges(ms_label_chain *c, uint32_t v, uint32_t except, int32_t more)
{
  uint32_t count;
  const uint32_t *near = ms_graph_neighbors(c->graph, v, &count);
  for (uint32_t i = 0; i < count; i++)
    if (near[i] != except && c->now[near[i]] != MS_NO_CLASS)
      add_surplus(c, c->now[v], c->now[near[i]], more);
}

static uint64_t draw(ms_label_chain *c)
{
  return ms_permuted_draw(c->seed, c->number, c->purpose, c->at++);
}

static uint32_t draw_below(ms_label_chain *c, uint64_t bound)
{
  return (uint32_t)ms_permuted_scale(draw(c), bound);
}

static uint32_t degree(const ms_label_chain *c, uint32_t v)
{
  uint32_t count;
  (void)ms_graph_neighbors(c->graph, v, &count);
  return count;
}

static bool touch(const ms_label_chain *c, uint32_t u, uint32_t v)
{
  uint32_t count;
  const uint32_t *near = ms_graph_neighbors(c->graph, u, &count);
  return ms_ascending_has(near, count, v);
}

/* Exchanges the lists of u and v in the surplus.  An edge between them keeps its two classes. */
static void exchange_edges(ms_label_chain *c, uint32_t u, uint32_t v)
{
  add_edges(c, u, v, -1);
  add_edges(c, v, u, -1);
  uint32_t class = c->now[u];
  c->now[u] = c->now[v];
  c->now[v] = class;
  add_edges(c, u, v, 1);
  add_edges(c, v, u, 1);
}

/* Finds the vertices with a class that are near u and not near v. */
static uint32_t near_one(const ms_label_chain *c, uint32_t u, uint32_t v, uint32_t *found)
{
  uint32_t count, many = 0;
  const uint32_t *near = ms_graph_neighbors(c->graph, u, &count);
  for (uint32_t i = 0; i < count; i++)
    if (c->now[near[i]] != MS_NO_CLASS && !touch(c, v, near[i]))
      found[many++] = near[i];
  return many;
}

/* Exchanges the lists of u and v everywhere but in the surplus. */
static ms_status exchange_lists(ms_label_chain *c, uint32_t u, uint32_t v, ms_error *err)
{
  uint32_t x = c->from[u], y = c->from[v], a = c->original[x], b = c->original[y];
  uint32_t many = near_one(c, u, v, c->changed);
  many += near_one(c, v, u, c->changed + many);
  if (many > 1)
    qsort(c->changed, many, sizeof *c->changed, ms_compare_ids);
  for (uint32_t i = 0; i < many; i++) {
    bool of_u = touch(c, u, c->changed[i]);
    MS_TRY(ms_groups_move(c->groups, c->changed[i], of_u ? a : b, of_u ? b : a, err));
  }
  c->from[u] = y;
  c->from[v] = x;
  c->holder[x] = v;
  c->holder[y] = u;
  c->now[u] = b;
  c->now[v] = a;
  return MS_OK;
}

/* Returns the weight: ln(pairs of classes), and at least 1. */
static double weight_of(const ms_label_chain *c)
{
  double weight = log((double)c->classes * (c->classes + 1.0) / 2);
  return c->classes > 0 && weight > 1 ? weight : 1;
}

/* True if a swap that moves the table away by `more` is taken: the probability is exp(-w more), cut
 * to 32 bits. */
static bool is_taken(double weight, int64_t more, uint64_t bits)
{
  if (more <= 0)
    return true;
  double chance = exp(-weight * (double)(more < 64 ? more : 64));
  return bits <= (uint64_t)(chance * 4294967296.0) << 32;
}

/* ---- the kinds of steps -- */

/* Any two vertices of a stratum. */
static ms_status step_any(ms_label_chain *c, uint32_t place, bool *taken, ms_error *err)
{
  uint32_t u, v, draws = 0;
  for (;;) {
    uint32_t first = c->first[place];
    u = c->member[place];
    v = c->member[first + draw_below(c, c->end[place] - first)];
    if (c->now[u] != c->now[v])
      break;
    place = draw_below(c, c->members);
    if (++draws == REDRAWS)
      return MS_OK;
  }
  int64_t before = c->apart;
  exchange_edges(c, u, v);
  *taken = is_taken(c->weight, c->apart - before, draw(c));
  if (!*taken) {
    exchange_edges(c, u, v);
    return MS_OK;
  }
  return exchange_lists(c, u, v, err);
}

/* Two neighbours. */
static ms_status step_neighbors(ms_label_chain *c, uint32_t u, bool *taken, ms_error *err)
{
  uint32_t count;
  const uint32_t *near = ms_graph_neighbors(c->graph, u, &count);
  if (count == 0)
    return MS_OK;
  uint32_t v = near[draw_below(c, count)];
  if (c->now[v] == MS_NO_CLASS || c->now[v] == c->now[u])
    return MS_OK;
  ms_multiset_sum x = ms_sum_replace(ms_groups_sum(c->groups, u), c->now[v], MS_NO_CLASS);
  ms_multiset_sum y = ms_sum_replace(ms_groups_sum(c->groups, v), c->now[u], MS_NO_CLASS);
  *taken = ms_sum_equal(x, y);
  return *taken ? exchange_lists(c, u, v, err) : MS_OK;
}

/* Two vertices that are alike. */
static ms_status step_alike(ms_label_chain *c, uint32_t u, bool *taken, ms_error *err)
{
  ms_multiset_sum own = ms_groups_sum(c->groups, u);
  const ms_group *group = ms_groups_find(c->groups, own);
  uint32_t before = ms_group_size(group), after = before;
  uint32_t v = ms_group_member(group, draw_below(c, before));
  if (c->now[u] == c->now[v] || touch(c, u, v))
    return MS_OK;
  for (int side = 0; side < 2; side++) {
    uint32_t one = side ? v : u, other = side ? u : v;
    uint32_t many = near_one(c, one, other, c->changed);
    for (uint32_t i = 0; i < many; i++) {
      ms_multiset_sum sum = ms_groups_sum(c->groups, c->changed[i]);
      after -= ms_sum_equal(sum, own);
      after += ms_sum_equal(ms_sum_replace(sum, c->now[one], c->now[other]), own);
    }
  }
  *taken = after <= before || ms_permuted_scale(draw(c), after) < before;
  return *taken ? exchange_lists(c, u, v, err) : MS_OK;
}

/* One of the two swaps of a step of two. */
typedef struct swap {
  uint32_t u, v;
  uint32_t choices; /* among which v is drawn, with the other swap not made */
} swap;

/* Draws v for a swap of u, of which one neighbour counts as if it had another class. */
static bool draw_partner(ms_label_chain *c, swap *s, uint32_t lose, uint32_t gain)
{
  ms_multiset_sum sum = ms_sum_replace(ms_groups_sum(c->groups, s->u), lose, gain);
  const ms_group *group = ms_groups_find(c->groups, sum);
  if (!group)
    return false;
  s->choices = ms_group_size(group);
  s->v = ms_group_member(group, draw_below(c, s->choices));
  return true;
}

static uint32_t count_near(const ms_label_chain *c, uint32_t v, uint32_t class)
{
  uint32_t count, many = 0;
  const uint32_t *near = ms_graph_neighbors(c->graph, v, &count);
  for (uint32_t i = 0; i < count; i++)
    many += c->now[near[i]] == class;
  return many;
}

/* After the first swap, finds one that makes up for it. */
static bool find_back(ms_label_chain *c, const swap *first, uint32_t lose, uint32_t gain,
                      swap *back)
{
  uint32_t class = c->now[first->u], wanted = c->now[first->v];
  uint32_t begin = c->circle_begin[class], length = c->circle_begin[class + 1] - begin;
  uint32_t at = c->circle_of[c->from[first->u]] - begin;
  uint32_t step = draw(c) & 1 ? 1 : length - 1; /* modulo the length */
  for (uint32_t i = 1; i < length && i <= CIRCLE; i++) {
    at = (uint32_t)(((uint64_t)at + step) % length);
    back->u = c->holder[c->circle[begin + at]];
    if (count_near(c, back->u, lose) > 0 && draw_partner(c, back, lose, gain) &&
        c->now[back->v] == wanted && !touch(c, back->u, back->v))
      return true;
  }
  return false;
}

/* Two swaps of which the second one makes up for the first. */
static ms_status step_two(ms_label_chain *c, uint32_t u, bool *taken, ms_error *err)
{
  uint32_t count;
  const uint32_t *near = ms_graph_neighbors(c->graph, u, &count);
  if (count == 0)
    return MS_OK;
  swap one = {.u = u}, two = {0};
  uint32_t lose = c->now[near[draw_below(c, count)]];
  uint64_t bits = draw(c);
  uint32_t gain = bits & 1 ? MS_NO_CLASS : c->now[c->member[ms_permuted_scale(bits, c->members)]];
  if (lose == MS_NO_CLASS || lose == gain || !draw_partner(c, &one, lose, gain) ||
      c->now[u] == c->now[one.v] || touch(c, u, one.v))
    return MS_OK;
  MS_TRY(exchange_lists(c, u, one.v, err));
  if (!find_back(c, &one, lose, gain, &two))
    return exchange_lists(c, u, one.v, err);
  double there = count_near(c, u, lose) * (double)degree(c, two.u);
  double back = count_near(c, two.u, lose) * (double)degree(c, u);
  uint32_t undone = ms_group_size(ms_groups_find(c->groups, ms_groups_sum(c->groups, one.v)));
  MS_TRY(exchange_lists(c, two.u, two.v, err));
  there *= ms_group_size(ms_groups_find(c->groups, ms_groups_sum(c->groups, two.v)));
  there *= undone;
  back *= one.choices;
  back *= two.choices;
  *taken = (double)(draw(c) >> 11) * there < ldexp(back, 53);
  if (*taken)
    return MS_OK;
  MS_TRY(exchange_lists(c, two.u, two.v, err));
  return exchange_lists(c, u, one.v, err);
}

static ms_status do_step(ms_label_chain *c, bool *taken, ms_error *err)
{
  uint64_t bits = draw(c), kind = bits & 15;
  uint32_t place = (uint32_t)ms_permuted_scale(bits ^ kind, c->members), u = c->member[place];
  *taken = false;
  if (kind < 4)
    return step_alike(c, u, taken, err);
  if (kind < 6)
    return step_neighbors(c, u, taken, err);
  return kind < 12 ? step_two(c, u, taken, err) : step_any(c, place, taken, err);
}

/* ---- a chain -- */

/* Walks from where the chain stands, from[], until enough steps have ended on the table. */
static ms_status walk_labels(ms_label_chain *c, const ms_stop *stop, ms_chain_trace *trace,
                             ms_error *err)
{
  uint64_t steps = (uint64_t)c->members * MS_SWAPS_OF_VERTEX, ended = 0;
  bool taken;
  c->weight = weight_of(c);
  c->at = 0;
  for (uint32_t v = 0; v < c->n; v++)
    c->holder[c->from[v]] = v;
  MS_TRY(ms_groups_new(c->graph, c->now, c->member, c->first, c->members, &c->groups, err));
  for (uint64_t s = 0; ended < steps && s < MS_MOST_TRIES * steps; s++) {
    if (s % LOOK == 0 && ms_stop_check(stop) != MS_OK)
      return ms_fail(err, ms_stop_check(stop), "stopped while permutations were made");
    MS_TRY(do_step(c, &taken, err));
    trace->tried++;
    trace->accepted += taken;
    ended += c->apart == 0;
  }
  double deviation = c->edges ? (double)c->apart / 2 / (double)c->edges : 0;
  trace->deviation = deviation > trace->deviation ? deviation : trace->deviation;
  return MS_OK;
}

static ms_status run_walk(ms_label_chain *c, const ms_stop *stop, ms_chain_trace *trace,
                          ms_error *err)
{
  ms_status status = walk_labels(c, stop, trace, err);
  ms_groups_free(c->groups);
  c->groups = NULL;
  return status;
}

/* Puts the vertices of each class in a circle. */
static void fill_circles(ms_label_chain *c)
{
  uint32_t at = 0;
  for (uint32_t class = 0; class <= c->classes; class ++)
    c->circle_begin[class] = 0;
  for (uint32_t i = 0; i < c->members; i++)
    c->circle_begin[c->original[c->member[i]]]++;
  for (uint32_t class = 0; class <= c->classes; class ++) {
    uint32_t count = c->circle_begin[class];
    c->circle_begin[class] = at;
    at += count;
  }
  for (uint32_t i = 0; i < c->members; i++) {
    uint32_t v = c->member[i], class = c->original[v];
    c->circle_of[v] = c->circle_begin[class];
    c->circle[c->circle_begin[class]++] = v;
  }
  for (uint32_t class = c->classes; class > 0; class --)
    c->circle_begin[class] = c->circle_begin[class - 1];
  c->circle_begin[0] = 0;
}

static ms_status find_label_hub(ms_label_chain *c, uint64_t seed, const ms_stop *stop,
                                ms_error *err)
{
  size_t bytes = (size_t)c->classes * c->classes * sizeof *c->surplus;
  ms_chain_trace trace = {0};
  memcpy(c->now, c->original, c->n * sizeof *c->now);
  memset(c->surplus, 0, bytes);
  for (uint32_t v = 0; v < c->n; v++)
    c->hub[v] = v;
  c->seed = seed;
  c->number = 0;
  c->purpose = 2;
  c->from = c->hub;
  MS_TRY(run_walk(c, stop, &trace, err));
  memcpy(c->hub_surplus, c->surplus, bytes);
  c->hub_apart = c->apart;
  return MS_OK;
}

ms_status ms_label_chain_new(const ms_graph *graph, const ms_coloring *coloring,
                             const uint32_t *member, const uint32_t *first, uint32_t members,
                             uint64_t seed, const ms_stop *stop, ms_label_chain **out,
                             ms_error *err)
{
  uint32_t n = ms_graph_vertex_count(graph);
  ms_label_chain *c = ms_calloc(1, sizeof *c);
  *out = NULL;
  if (!c)
    return ms_fail_memory(err, "permutations");
  *c = (ms_label_chain){
      .graph = graph, .member = member, .first = first, .members = members, .n = n};
  c->original = ms_alloc(n, sizeof *c->original);
  c->now = ms_alloc(n, sizeof *c->now);
  c->hub = ms_alloc(n, sizeof *c->hub);
  c->end = ms_alloc(members, sizeof *c->end);
  c->holder = ms_alloc(n, sizeof *c->holder);
  c->circle = ms_alloc(members, sizeof *c->circle);
  c->circle_of = ms_alloc(n, sizeof *c->circle_of);
  c->changed = ms_alloc(2 * (size_t)n, sizeof *c->changed);
  bool ok = c->original && c->now && c->hub && c->end && c->holder && c->circle && c->circle_of &&
            c->changed;
  ms_status status = ok ? find_classes(c, coloring, err) : ms_fail_memory(err, "permutations");
  if (status == MS_OK) {
    c->surplus = ms_alloc((size_t)c->classes * c->classes, sizeof *c->surplus);
    c->hub_surplus = ms_alloc((size_t)c->classes * c->classes, sizeof *c->surplus);
    c->circle_begin = ms_alloc((size_t)c->classes + 1, sizeof *c->circle_begin);
    status = c->surplus && c->hub_surplus && c->circle_begin ? MS_OK
                                                             : ms_fail_memory(err, "permutations");
  }
  if (status == MS_OK) {
    for (uint32_t i = c->members; i-- > 0;)
      c->end[i] = i + 1 < c->members && c->first[i + 1] == c->first[i] ? c->end[i + 1] : i + 1;
    fill_circles(c);
    count_edges(c);
    status = find_label_hub(c, seed, stop, err);
  }
  if (status == MS_OK)
    *out = c;
  else
    ms_label_chain_free(c);
  return status;
}

void ms_label_chain_free(ms_label_chain *c)
{
  if (c) {
    ms_free(c->original);
    ms_free(c->now);
    ms_free(c->hub);
    ms_free(c->end);
    ms_free(c->surplus);
    ms_free(c->hub_surplus);
    ms_free(c->holder);
    ms_free(c->circle);
    ms_free(c->circle_of);
    ms_free(c->circle_begin);
    ms_free(c->changed);
    ms_free(c);
  }
}

ms_status ms_label_chain_run(ms_label_chain *c, uint64_t seed, uint64_t i, const ms_stop *stop,
                             uint32_t *from, ms_chain_trace *trace, ms_error *err)
{
  memcpy(from, c->hub, c->n * sizeof *from);
  for (uint32_t v = 0; v < c->n; v++)
    c->now[v] = c->original[from[v]];
  memcpy(c->surplus, c->hub_surplus, (size_t)c->classes * c->classes * sizeof *c->surplus);
  c->apart = c->hub_apart;
  c->seed = seed;
  c->number = i;
  c->purpose = 1;
  c->from = from;
  return run_walk(c, stop, trace, err);
}
