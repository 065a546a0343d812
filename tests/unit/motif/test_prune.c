/* Pruning (motif/prune.c) against its rules taken literally: plain breadth-first searches and
 * augmenting paths, one vertex after the other, on small and middling cases and by several numbers
 * of threads. Vertices, edges and counts must be the same; so must the parts that pruning is made
 * of, and what else is shared among threads on the way to the sieve. */
#include "base/alloc.h"
#include "base/hooks.h"
#include "base/threads/threads.h"
#include "graph/generate/generate.h"
#include "graph/walk/components.h"
#include "motif/codes.h"
#include "motif/holders.h"
#include "motif/instance.h"
#include "sieve/problem.h"
#include "tests/support/random.h"
#include "tests/support/test_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))

enum { MAX_COLORS = 12, MOST_REQUIRED = 4 };

static const int thread_counts[] = {1, 2, 7};
static ms_error err;

/* ---- random queries ------------------------------------------------------ */

typedef struct shape {
  uint32_t min_n, max_n, max_k, min_colors, max_colors;
  uint32_t cases;
} shape;

static const shape small_shapes[] = {{1, 8, 4, 1, 8, 2500},
                                     {4, 20, 5, 1, 8, 2500},
                                     {10, 60, 7, 1, 8, 2500},
                                     {40, 300, 9, 1, 8, 1000}};
/* the last with more different masks than a byte has values */
static const shape middling_shapes[] = {{1500, 9000, 8, 1, 8, 100}, {1500, 9000, 32, 12, 12, 40}};

typedef struct random_case {
  uint64_t state;
  uint32_t n, k, colors, n_required;
  uint64_t m, pairs;
  uint32_t (*edge)[2], (*pair)[2];
  ms_graph *graph;
  ms_coloring *coloring;
  ms_motif *motif;
  ms_query *query;
} random_case;

static void *array(size_t count, size_t size)
{
  void *block = ms_alloc(count, size);
  ck_assert_ptr_nonnull(block);
  return block;
}

/* Paths, trees, rings of cliques and sparse random graphs, in pieces that know
 * nothing of each other: far vertices and poor components are what it is about.
 * Numbers are shuffled half of the time. */
static void draw_graph(random_case *c)
{
  uint32_t kind = random_below(&c->state, 4), pieces = 1 + random_below(&c->state, 4),
           piece = c->n / pieces + 1;
  uint32_t extra = random_below(&c->state, 3) ? 0 : random_below(&c->state, 3) * c->n;
  uint32_t *name = array(c->n, sizeof *name);
  c->edge = array(8 * (size_t)c->n + 1, sizeof *c->edge);
  for (uint32_t v = 0; v < c->n; v++)
    name[v] = v;
  if (random_below(&c->state, 2))
    for (uint32_t v = c->n; v > 1; v--) {
      uint32_t other = random_below(&c->state, v), swap = name[v - 1];
      name[v - 1] = name[other];
      name[other] = swap;
    }
  for (uint32_t v = 0; v < c->n; v++) {
    uint32_t begin = v / piece * piece, at = v - begin;
    if (at == 0 || (kind == 3 && random_below(&c->state, 3) == 0))
      continue;
    uint32_t to = kind == 0   ? v - 1
                  : kind == 1 ? begin + random_below(&c->state, at)
                              : v - 1 - at % 3 % at;
    c->edge[c->m][0] = name[v];
    c->edge[c->m++][1] = name[to];
  }
  for (uint32_t i = 0; i < extra; i++) {
    uint32_t u = random_below(&c->state, c->n), begin = u / piece * piece;
    uint32_t width = c->n - begin < piece ? c->n - begin : piece;
    c->edge[c->m][0] = name[u];
    c->edge[c->m++][1] = name[begin + random_below(&c->state, width)];
  }
  ms_free(name);
  ck_ok(ms_graph_from_edges(c->n, c->m, (const uint32_t(*)[2])c->edge, NULL, &c->graph, &err));
}

/* One colour a vertex, or lists of none to three or five; all colours but two
 * are rare most of the time. */
static void draw_colors(random_case *c)
{
  static const char *const names[MAX_COLORS] = {"a", "b", "c", "d", "e", "f",
                                                "g", "h", "i", "j", "k", "l"};
  uint32_t lists = c->colors > 8 || random_below(&c->state, 2),
           rare = random_below(&c->state, 3) * 4;
  c->pair = array(5 * (size_t)c->n, sizeof *c->pair);
  for (uint32_t v = 0; v < c->n; v++)
    for (uint32_t i = 0, count = lists ? random_below(&c->state, c->colors > 8 ? 6 : 4) : 1;
         i < count; i++) {
      uint32_t color = random_below(&c->state, c->colors);
      if (color > 1 && random_below(&c->state, rare + 1))
        color = random_below(&c->state, 2);
      c->pair[c->pairs][0] = v;
      c->pair[c->pairs++][1] = color < c->colors ? color : 0;
    }
  ck_ok(ms_coloring_from_pairs(c->graph, c->pairs, (const uint32_t(*)[2])c->pair, c->colors, names,
                               &c->coloring, &err));
}

/* Colours met on a random walk half of the time, so that there are matches; any
 * colours otherwise. */
static void draw_motif(random_case *c)
{
  char text[6 * MS_MAX_K] = "";
  bool wild = random_below(&c->state, 3) == 0, walk = random_below(&c->state, 2);
  bool either = random_below(&c->state, 3) == 0; /* some slots are for one of two colours */
  for (uint32_t i = 0, v = random_below(&c->state, c->n); i < c->k; i++) {
    uint32_t color = random_below(&c->state, c->colors), count, degree;
    const uint32_t *colors = ms_coloring_of(c->coloring, v, &count);
    if (walk && count > 0)
      color = colors[random_below(&c->state, count)];
    if (either && c->colors > 1 && random_below(&c->state, 2))
      snprintf(text + strlen(text), 5, "%s%c|%c", i ? "," : "", (char)('a' + color),
               (char)('a' + (color + 1) % c->colors));
    else
      snprintf(text + strlen(text), 4, "%s%c", i ? "," : "",
               wild && random_below(&c->state, 3) == 0 ? '*' : (char)('a' + color));
    degree = (uint32_t)(c->graph->offset[v + 1] - c->graph->offset[v]);
    v = degree ? c->graph->neighbor[c->graph->offset[v] + random_below(&c->state, degree)] : v;
  }
  ck_ok(ms_motif_parse(text, c->coloring, &c->motif, &err));
}

/* Required vertices near each other, or none would ever be kept. */
static void draw_query(random_case *c)
{
  char text[MOST_REQUIRED][16];
  const char *names[MOST_REQUIRED];
  uint32_t wanted = random_below(&c->state, 2) ? random_below(&c->state, MOST_REQUIRED) : 0;
  uint32_t v = random_below(&c->state, c->n), used[MOST_REQUIRED];
  for (uint32_t i = 0; i < wanted && i < c->k; i++) {
    bool fresh = true;
    for (uint32_t j = 0; j < c->n_required; j++)
      fresh = fresh && used[j] != v;
    if (fresh) {
      snprintf(text[c->n_required], sizeof text[0], "%u", v);
      names[c->n_required] = text[c->n_required];
      used[c->n_required++] = v;
    }
    uint64_t begin = c->graph->offset[v], end = c->graph->offset[v + 1];
    if (begin < end)
      v = c->graph->neighbor[begin + random_below(&c->state, (uint32_t)(end - begin))];
  }
  ck_ok(ms_query_new(c->graph, c->coloring, c->motif, c->n_required, names, &c->query, &err));
}

static void case_make(const shape *s, uint64_t seed, random_case *c)
{
  *c = (random_case){.state = seed * 1000003 + s->max_n};
  c->n = s->min_n + random_below(&c->state, s->max_n - s->min_n + 1);
  c->k = 1 + random_below(&c->state, s->max_k);
  c->colors = s->min_colors + random_below(&c->state, s->max_colors - s->min_colors + 1);
  draw_graph(c);
  draw_colors(c);
  draw_motif(c);
  draw_query(c);
}

static void case_free(random_case *c)
{
  ms_query_free(c->query);
  ms_motif_free(c->motif);
  ms_coloring_free(c->coloring);
  ms_graph_free(c->graph);
  ms_free(c->edge);
  ms_free(c->pair);
}

/* ---- the rules, literally -------------------------------------------------- */

typedef struct reference {
  const ms_instance *in;
  bool *alive;        /* [n] */
  uint32_t *hops;     /* [n] of the last search; UINT32_MAX: not met */
  uint32_t *queue;    /* [n] */
  uint32_t *owner_of; /* [k] vertex in a slot, or UINT32_MAX */
  bool *tried;        /* [n] */
  uint32_t *slot_of;  /* [n] */
  ms_prune_stats stats;
} reference;

static bool joined(const reference *r, uint32_t u, uint32_t v)
{
  return r->alive[u] && r->alive[v] && __builtin_popcount(r->in->mask[u] | r->in->mask[v]) > 1;
}

/* From the `count` vertices in queue; returns how many were met. */
static uint32_t search(reference *r, uint32_t count)
{
  const ms_instance *in = r->in;
  for (uint32_t v = 0; v < in->n; v++)
    r->hops[v] = UINT32_MAX;
  for (uint32_t i = 0; i < count; i++)
    r->hops[r->queue[i]] = 0;
  for (uint32_t head = 0; head < count; head++) {
    uint32_t u = r->queue[head];
    for (uint64_t a = in->offset[u]; a < in->offset[u + 1]; a++) {
      uint32_t v = in->neighbor[a];
      if (joined(r, u, v) && r->hops[v] == UINT32_MAX) {
        r->hops[v] = r->hops[u] + 1;
        r->queue[count++] = v;
      }
    }
  }
  return count;
}

/* Find slot a vertex among queue[0..count), moving others along. */
static bool augment(reference *r, uint32_t slot, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++) {
    uint32_t v = r->queue[i];
    if (!(r->in->mask[v] >> slot & 1) || r->tried[v])
      continue;
    r->tried[v] = true;
    if (r->slot_of[v] == UINT32_MAX || augment(r, r->slot_of[v], count)) {
      r->slot_of[v] = slot;
      return true;
    }
  }
  return false;
}

static bool fills(reference *r, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++)
    r->slot_of[r->queue[i]] = UINT32_MAX;
  for (uint32_t slot = 0; slot < r->in->k; slot++) {
    for (uint32_t i = 0; i < count; i++)
      r->tried[r->queue[i]] = false;
    if (!augment(r, slot, count))
      return false;
  }
  return true;
}

static bool holds_loose(const reference *r)
{
  for (uint32_t i = 0; i < r->in->n_loose; i++)
    if (r->hops[r->in->loose[i]] == UINT32_MAX)
      return false;
  return true;
}

static void drop_components(reference *r)
{
  bool *done = array(r->in->n, 1);
  memset(done, 0, r->in->n);
  r->stats.components = 0;
  for (uint32_t v = 0; v < r->in->n; v++) {
    if (!r->alive[v] || done[v])
      continue;
    r->queue[0] = v;
    uint32_t count = search(r, 1);
    bool good = holds_loose(r) && fills(r, count);
    for (uint32_t i = 0; i < count; i++) {
      done[r->queue[i]] = true;
      r->alive[r->queue[i]] = good;
    }
    r->stats.components += good;
    r->stats.poor_component += good ? 0 : count;
  }
  ms_free(done);
}

/* Mark as far what the last search met too late or not at all. */
static void mark_far(const reference *r, bool *far)
{
  for (uint32_t v = 0; v < r->in->n; v++)
    far[v] = far[v] || r->hops[v] == UINT32_MAX || r->hops[v] > r->in->k - 1;
}

static uint32_t drop_marked(reference *r, bool *far)
{
  uint32_t dropped = 0;
  for (uint32_t v = 0; v < r->in->n; v++) {
    dropped += r->alive[v] && far[v];
    r->alive[v] = r->alive[v] && !far[v];
    far[v] = false;
  }
  r->stats.too_far += dropped;
  return dropped;
}

static uint32_t drop_far(reference *r)
{
  bool *far = array(r->in->n, 1);
  memset(far, 0, r->in->n);
  for (uint32_t slot = 0; slot < r->in->k; slot++) {
    uint32_t count = 0;
    for (uint32_t v = 0; v < r->in->n; v++)
      if (r->alive[v] && (r->in->mask[v] >> slot & 1))
        r->queue[count++] = v;
    search(r, count);
    mark_far(r, far);
  }
  uint32_t dropped = drop_marked(r, far);
  for (uint32_t i = 0; i < r->in->n_loose; i++)
    if (r->alive[r->in->loose[i]]) {
      r->queue[0] = r->in->loose[i];
      search(r, 1);
      mark_far(r, far);
    }
  dropped += drop_marked(r, far);
  ms_free(far);
  return dropped;
}

static void reference_make(const ms_instance *in, reference *r)
{
  *r = (reference){.in = in,
                   .alive = array(in->n, 1),
                   .hops = array(in->n, 4),
                   .queue = array(in->n, 4),
                   .tried = array(in->n, 1),
                   .slot_of = array(in->n, 4)};
  for (uint32_t v = 0; v < in->n; v++) {
    r->alive[v] = in->mask[v] != 0;
    r->stats.no_slot += !r->alive[v];
  }
  for (uint32_t v = 0; v < in->n; v++)
    for (uint64_t a = in->offset[v]; a < in->offset[v + 1]; a++) {
      uint32_t u = in->neighbor[a];
      r->stats.edges_one_slot += u < v && r->alive[u] && r->alive[v] && !joined(r, u, v);
    }
  do {
    r->stats.rounds++;
    drop_components(r);
  } while (drop_far(r) > 0);
}

static void reference_free(reference *r)
{
  ms_free(r->alive);
  ms_free(r->hops);
  ms_free(r->queue);
  ms_free(r->tried);
  ms_free(r->slot_of);
}

/* ---- comparing ------------------------------------------------------------- */

static bool loose_left(const reference *r)
{
  for (uint32_t i = 0; i < r->in->n_loose; i++)
    if (!r->alive[r->in->loose[i]])
      return false;
  return true;
}

static void check_left(const reference *r, const ms_instance *got, uint64_t seed)
{
  const ms_instance *in = r->in;
  uint32_t *place = array(in->n, sizeof *place), left = 0;
  bool possible = loose_left(r);
  for (uint32_t v = 0; v < in->n; v++)
    place[v] = r->alive[v] && possible ? left++ : UINT32_MAX;
  ck_assert_msg(got->n == left, "seed %llu: %u vertices left instead of %u",
                (unsigned long long)seed, got->n, left);
  ck_assert(got->impossible == (left == 0) && got->k == in->k);
  ck_assert_uint_eq(got->n_loose, left ? in->n_loose : 0);
  for (uint32_t i = 0; i < got->n_loose; i++)
    ck_assert_uint_eq(got->loose[i], place[in->loose[i]]);
  uint64_t arc = 0;
  ck_assert_uint_eq(got->offset[0], 0);
  for (uint32_t v = 0; v < in->n; v++) {
    if (place[v] == UINT32_MAX)
      continue;
    ck_assert_uint_eq(got->vertex[place[v]], in->vertex[v]);
    ck_assert_uint_eq(got->mask[place[v]], in->mask[v]);
    for (uint64_t a = in->offset[v]; a < in->offset[v + 1]; a++)
      if (joined(r, v, in->neighbor[a])) {
        ck_assert_msg(arc < got->arcs && got->neighbor[arc] == place[in->neighbor[a]],
                      "seed %llu: edge %u-%u", (unsigned long long)seed, v, in->neighbor[a]);
        arc++;
      }
    ck_assert_uint_eq(got->offset[place[v] + 1], arc);
  }
  ck_assert_uint_eq(got->arcs, arc);
  ms_free(place);
}

static void check_stats(const ms_prune_stats *got, const ms_prune_stats *want, uint64_t seed)
{
  ck_assert_msg(
      got->rounds == want->rounds && got->no_slot == want->no_slot &&
          got->edges_one_slot == want->edges_one_slot &&
          got->poor_component == want->poor_component && got->too_far == want->too_far &&
          got->components == want->components,
      "seed %llu: rounds %u/%u, no slot %u/%u, one slot %llu/%llu, poor %u/%u, far %u/%u, "
      "components %u/%u",
      (unsigned long long)seed, got->rounds, want->rounds, got->no_slot, want->no_slot,
      (unsigned long long)got->edges_one_slot, (unsigned long long)want->edges_one_slot,
      got->poor_component, want->poor_component, got->too_far, want->too_far, got->components,
      want->components);
}

/* What the cases had, or they test nothing. */
typedef struct tally {
  uint32_t whole, thinned, shrunk, emptied, far, poor, later_rounds, loose, manifold, held,
      held_none;
} tally;

/* True if more than `least` cases were of a kind.  A part of the cases may hold fewer. */
static bool are_enough(uint32_t count, uint32_t least)
{
  return test_scale() < 1 || count > least;
}

static int by_value(const void *a, const void *b)
{
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

static uint32_t different_masks(const ms_instance *in)
{
  uint32_t *mask = array(in->n, sizeof *mask), different = in->n > 0;
  memcpy(mask, in->mask, in->n * sizeof *mask);
  qsort(mask, in->n, sizeof *mask, by_value);
  for (uint32_t v = 1; v < in->n; v++)
    different += mask[v] != mask[v - 1];
  ms_free(mask);
  return different;
}

static void count_case(const reference *r, const ms_instance *got, tally *t)
{
  const ms_instance *in = r->in;
  t->whole += in->n > 0 && got->n == in->n && got->arcs == in->arcs;
  t->thinned += in->n > 0 && got->n == in->n && got->arcs < in->arcs;
  t->shrunk += got->n > 0 && got->n < in->n;
  t->emptied += got->n == 0 && in->n > 0;
  t->far += r->stats.too_far > 0;
  t->poor += r->stats.poor_component > 0 && got->n > 0;
  t->later_rounds += r->stats.rounds > 2 && got->n > 0;
  t->loose += got->n_loose > 0;
  t->manifold += different_masks(in) > 256;
}

/* Compares statistics.  A worklist may count a vertex of a poor component as too far, and has
 * rounds of its own. */
static void check_worklist_stats(const ms_prune_stats *got, const ms_prune_stats *want,
                                 uint32_t most, uint64_t seed)
{
  ms_prune_stats sum = *want;
  if (want->rounds > most) {
    ck_assert_uint_le(got->rounds, most + 1);
    ck_assert_uint_eq(got->poor_component + got->too_far, want->poor_component + want->too_far);
    sum.rounds = got->rounds;
    sum.poor_component = got->poor_component;
    sum.too_far = got->too_far;
    if (got->components == 0) /* nothing was left to be counted in the last round */
      sum.components = 0;
  }
  check_stats(got, &sum, seed);
}

static bool same_instance(const ms_instance *a, const ms_instance *b)
{
  return a->n == b->n && a->arcs == b->arcs && a->k == b->k && a->n_loose == b->n_loose &&
         a->impossible == b->impossible &&
         memcmp(a->offset, b->offset, ((size_t)a->n + 1) * sizeof *a->offset) == 0 &&
         memcmp(a->neighbor, b->neighbor, a->arcs * sizeof *a->neighbor) == 0 &&
         memcmp(a->vertex, b->vertex, a->n * sizeof *a->vertex) == 0 &&
         memcmp(a->mask, b->mask, a->n * sizeof *a->mask) == 0 &&
         memcmp(a->loose, b->loose, a->n_loose * sizeof *a->loose) == 0;
}

/* Compares rounds alone with the worklist after no round and after one. */
static void compare_ways(const ms_instance *in, const reference *r, int threads, uint64_t seed)
{
  ms_instance *by_rounds, *by_list;
  ms_prune_stats stats;
  ms_hooks.prune_rounds = UINT32_MAX - 1;
  ck_ok(ms_instance_prune(in, threads, &by_rounds, &stats, &err));
  check_stats(&stats, &r->stats, seed);
  for (ms_hooks.prune_rounds = 0; ms_hooks.prune_rounds < 2; ms_hooks.prune_rounds++) {
    ck_ok(ms_instance_prune(in, threads, &by_list, &stats, &err));
    ck_assert_msg(same_instance(by_rounds, by_list), "seed %llu", (unsigned long long)seed);
    check_worklist_stats(&stats, &r->stats, ms_hooks.prune_rounds, seed);
    ms_instance_free(by_list);
  }
  ms_hooks.prune_rounds = ms_hooks_default.prune_rounds;
  ms_instance_free(by_rounds);
}

/* Compares what the holders of colours give with what the whole instance gave. */
static void compare_holders(const random_case *c, const reference *r, const ms_instance *whole,
                            tally *t, uint64_t seed)
{
  ms_holders *holders;
  ms_instance *pruned, *got;
  ms_prune_stats stats;
  if (!ms_holders_serve(c->query))
    return;
  ck_ok(ms_instance_prune(whole, 1, &pruned, NULL, &err));
  ck_ok(ms_holders_new(c->graph, c->coloring, &holders, &err));
  ck_ok(ms_holders_prune(holders, c->query, &got, &stats, &err));
  ms_holders_free(holders);
  ck_assert_msg(same_instance(pruned, got) && got->pruned, "seed %llu", (unsigned long long)seed);
  check_worklist_stats(&stats, &r->stats, whole->k, seed);
  t->held += got->n > 0;
  t->held_none += got->n == 0;
  ms_instance_free(pruned);
  ms_instance_free(got);
}

static void compare(const shape *s, uint64_t seed, tally *t)
{
  random_case c;
  reference r;
  ms_instance *in, *pruned, *again;
  ms_prune_stats stats;
  case_make(s, seed, &c);
  ck_ok(ms_instance_new(c.query, 0, &in, &err));
  reference_make(in, &r);
  for (size_t i = 0; i < COUNT(thread_counts); i++) {
    ck_ok(ms_instance_prune(in, thread_counts[i], &pruned, &stats, &err));
    check_left(&r, pruned, seed);
    check_worklist_stats(&stats, &r.stats, in->k, seed);
    ck_ok(ms_instance_prune(pruned, thread_counts[i], &again, NULL, &err));
    check_left(&r, again, seed);
    if (i == 0)
      count_case(&r, pruned, t);
    ms_instance_free(pruned); /* `again` must not need it */
    check_left(&r, again, seed);
    ms_instance_free(again);
  }
  compare_ways(in, &r, thread_counts[seed % COUNT(thread_counts)], seed);
  compare_holders(&c, &r, in, t, seed);
  reference_free(&r);
  ms_instance_free(in);
  case_free(&c);
}

/* Pruning keeps exactly the vertices and edges that the literal rules keep, with the same counts;
 * the worklist gives the bits of the rounds, and so do the holders of the motif's colours: 1,000 or
 * 2,500 random cases of each of four shapes of up to 300 vertices. */
START_TEST(small_cases)
{
  tally t = {0};
  for (uint32_t seed = 0; seed < scaled(small_shapes[_i].cases); seed++)
    compare(&small_shapes[_i], seed, &t);
  ck_assert_msg(are_enough(t.whole, 5) && are_enough(t.thinned, 5) && are_enough(t.shrunk, 100) &&
                    are_enough(t.emptied, 50) && are_enough(t.far, 5) && are_enough(t.poor, 50) &&
                    are_enough(t.loose, 20) && are_enough(t.held, 100) &&
                    are_enough(t.held_none, 50) && (_i < 2 || are_enough(t.later_rounds, 2)),
                "whole %u, thinned %u, shrunk %u, emptied %u, far %u, poor %u, later rounds %u, "
                "loose %u, by holders %u, %u of them empty",
                t.whole, t.thinned, t.shrunk, t.emptied, t.far, t.poor, t.later_rounds, t.loose,
                t.held + t.held_none, t.held_none);
}
END_TEST

/* The same for graphs of 1,500 to 9,000 vertices that several threads share: 100 and 40 random
 * cases. */
START_TEST(middling_cases)
{
  tally t = {0};
  for (uint32_t seed = 0; seed < scaled(middling_shapes[_i].cases); seed++)
    compare(&middling_shapes[_i], seed, &t);
  ck_assert_msg(_i == 1 ? are_enough(t.manifold, 2) && are_enough(t.shrunk, 2)
                        : are_enough(t.shrunk, 20) && are_enough(t.emptied, 5) &&
                              are_enough(t.far, 10) && are_enough(t.poor, 5) &&
                              are_enough(t.later_rounds, 0) && are_enough(t.loose, 2),
                "whole %u, thinned %u, shrunk %u, emptied %u, far %u, poor %u, later rounds %u, "
                "loose %u",
                t.whole, t.thinned, t.shrunk, t.emptied, t.far, t.poor, t.later_rounds, t.loose);
}
END_TEST

/* ---- one by one -------------------------------------------------------------- */

/* In a regular graph of 5,000 vertices that keeps all vertices, exactly the edges between vertices
 * of one slot go, by 1, 2 and 7 threads. */
START_TEST(nothing_but_edges_goes)
{
  enum { N = 5000, DEGREE = 12, K = 4 };
  ms_graph *graph;
  ms_coloring *coloring;
  ms_motif *motif;
  ms_query *query;
  ms_instance *in, *pruned;
  ms_prune_stats stats;
  reference r;
  ck_ok(ms_generate_regular(N, DEGREE, 3, &graph, &err));
  ck_ok(ms_generate_colors(graph, K, 3, &coloring, &err));
  ck_ok(ms_motif_parse(_i ? "c0,c1,c2,c3" : "c0:2,c1:2,c2:2,c3:2", coloring, &motif, &err));
  ck_ok(ms_query_new(graph, coloring, motif, 0, NULL, &query, &err));
  for (size_t i = 0; i < COUNT(thread_counts); i++) {
    ck_ok(ms_instance_new(query, thread_counts[i], &in, &err));
    ck_assert(in->borrows && in->neighbor == graph->neighbor);
    ck_ok(ms_instance_prune(in, thread_counts[i], &pruned, &stats, &err));
    reference_make(in, &r);
    check_left(&r, pruned, 0);
    check_stats(&stats, &r.stats, 0);
    ck_assert_uint_eq(pruned->n, N);
    ck_assert(pruned->borrows == !_i && (stats.edges_one_slot > 0) == _i);
    reference_free(&r);
    ms_instance_free(pruned);
    ms_instance_free(in);
  }
  ms_query_free(query);
  ms_motif_free(motif);
  ms_coloring_free(coloring);
  ms_graph_free(graph);
}
END_TEST

/* A vertex that is too far away takes with it what can be reached only through it: a path of 11
 * vertices, against the literal rules. */
START_TEST(dropped_vertices_lead_nowhere)
{
  enum { N = 11 };
  static const char colors[] = "caaaabaaaac";
  static const char *const names[] = {"a", "b", "c"};
  uint32_t edge[N - 1][2], pair[N][2];
  random_case c = {0};
  ms_instance *in, *pruned;
  ms_prune_stats stats;
  reference r;
  for (uint32_t v = 0; v < N; v++) {
    pair[v][0] = v;
    pair[v][1] = (uint32_t)(colors[v] - 'a');
    edge[v ? v - 1 : 0][0] = v ? v - 1 : 0;
    edge[v ? v - 1 : 0][1] = v ? v : 1;
  }
  ck_ok(ms_graph_from_edges(N, N - 1, (const uint32_t(*)[2])edge, NULL, &c.graph, &err));
  ck_ok(
      ms_coloring_from_pairs(c.graph, N, (const uint32_t(*)[2])pair, 3, names, &c.coloring, &err));
  ck_ok(ms_motif_parse("c,a,*:3", c.coloring, &c.motif, &err));
  ck_ok(ms_query_new(c.graph, c.coloring, c.motif, 1, (const char *const[]){"4"}, &c.query, &err));
  ck_ok(ms_instance_new(c.query, 1, &in, &err));
  ck_assert_uint_eq(in->n_loose, 1);
  ck_ok(ms_instance_prune(in, 1, &pruned, &stats, &err));
  ck_assert_uint_eq(pruned->n, 5);
  ck_assert(stats.too_far == 6 && stats.poor_component == 0);
  reference_make(in, &r);
  check_left(&r, pruned, 0);
  check_stats(&stats, &r.stats, 0);
  reference_free(&r);
  ms_instance_free(pruned);
  ms_instance_free(in);
  case_free(&c);
}
END_TEST

enum { PERIOD = 7 };

/* Makes the instance of a chain of n vertices that loses one or a few at each end in every round:
 * each vertex has all five colours within four hops, but only as long as its neighbours are
 * there. */
static void chain(uint32_t n, random_case *c)
{
  static const char *const names[] = {"a", "b", "c", "d", "e"};
  static const uint32_t colors[PERIOD] = {1, 0, 4, 2, 0, 3, 0};
  *c = (random_case){.n = n, .m = n - 1, .pairs = n};
  c->edge = array(n, sizeof *c->edge);
  c->pair = array(n, sizeof *c->pair);
  for (uint32_t v = 0; v < n; v++) {
    c->edge[v][0] = v;
    c->edge[v][1] = v + 1;
    c->pair[v][0] = v;
    c->pair[v][1] = colors[v % PERIOD];
  }
  ck_ok(ms_graph_from_edges(n, c->m, (const uint32_t(*)[2])c->edge, NULL, &c->graph, &err));
  ck_ok(ms_coloring_from_pairs(c->graph, n, (const uint32_t(*)[2])c->pair, 5, names, &c->coloring,
                               &err));
  ck_ok(ms_motif_parse("a,b,c,d,e", c->coloring, &c->motif, &err));
  ck_ok(ms_query_new(c->graph, c->coloring, c->motif, 0, NULL, &c->query, &err));
}

/* A chain that loses two vertices in seven a round is pruned in linear time: 2,000 rounds and more
 * for 8,000 vertices, and 80,000 vertices in less than 5 seconds of processor time, where rounds
 * alone take minutes. */
START_TEST(a_chain_takes_linear_time)
{
  random_case c;
  ms_instance *in, *left;
  ms_prune_stats stats;
  chain(8000, &c);
  ck_ok(ms_instance_new(c.query, 1, &in, &err));
  ms_hooks.prune_rounds = UINT32_MAX - 1;
  ck_ok(ms_instance_prune(in, 1, &left, &stats, &err));
  ms_hooks.prune_rounds = ms_hooks_default.prune_rounds;
  ck_assert_uint_gt(stats.rounds, 2000);
  ck_assert(left->n == 0 && left->impossible);
  ms_instance_free(left);
  ms_instance_free(in);
  case_free(&c);

  chain(80000, &c);
  ck_ok(ms_instance_new(c.query, 1, &in, &err));
  clock_t begin = clock();
  ck_ok(ms_instance_prune(in, 1, &left, &stats, &err));
  double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
  ck_assert_msg(seconds < 5, "%g s", seconds);
  ck_assert(left->n == 0 && left->impossible && stats.rounds <= in->k + 1);
  ck_assert_uint_eq(stats.too_far + stats.poor_component, in->n);
  ms_instance_free(left);
  ms_instance_free(in);
  case_free(&c);
}
END_TEST

/* Pruning of a token that is stopped fails with its status, by rounds and by the worklist, and
 * leaves nothing behind. */
START_TEST(pruning_hears_the_stop)
{
  random_case c;
  ms_instance *in, *left;
  ms_stop *stop;
  chain(20000, &c);
  ck_ok(ms_instance_new(c.query, 1, &in, &err));
  ck_ok(ms_stop_new(&stop, &err));
  ms_stop_request(stop);
  for (uint32_t rounds = 0; rounds < 2; rounds++) {
    ms_hooks.prune_rounds = rounds;
    ms_stop_attach(stop);
    ck_assert_int_eq(ms_instance_prune(in, 1, &left, NULL, &err), MS_ERR_INTERRUPTED);
    ck_assert_ptr_null(left);
    ck_assert_ptr_eq(ms_stop_attach(NULL), stop);
  }
  ms_hooks.prune_rounds = ms_hooks_default.prune_rounds;
  ms_stop_free(stop);
  ms_instance_free(in);
  case_free(&c);
}
END_TEST

/* The masks of an instance are those that its colours give slot by slot: 40 random graphs, by 1, 2
 * and 7 threads. */
START_TEST(masks_are_those_of_the_colors)
{
  for (uint32_t seed = 0; seed < scaled(40); seed++) {
    random_case c;
    case_make(&middling_shapes[seed % COUNT(middling_shapes)], 1000 + seed, &c);
    for (size_t i = 0; i < COUNT(thread_counts) && c.n_required == 0; i++) {
      ms_instance *in;
      ck_ok(ms_instance_new(c.query, thread_counts[i], &in, &err));
      for (uint32_t v = 0; v < c.n; v++) {
        uint32_t mask = 0, slot = 0, count;
        const uint32_t *colors = ms_coloring_of(c.coloring, v, &count);
        for (uint32_t class_ = 0; class_ < c.motif->n_classes; class_++)
          for (uint32_t copy = 0; copy < c.motif->class_[class_].count; copy++, slot++) {
            bool fits = c.motif->class_[class_].color == MS_WILDCARD;
            for (uint32_t j = 0; j < count; j++)
              fits = fits || ms_class_names(&c.motif->class_[class_], colors[j]);
            mask |= (uint32_t)fits << slot;
          }
        ck_assert_uint_eq(in->mask[v], mask);
        ck_assert_uint_eq(in->vertex[v], v);
      }
      ms_instance_free(in);
    }
    case_free(&c);
  }
}
END_TEST

static void check_components(const ms_graph *graph, uint64_t seed)
{
  uint32_t *want = array(graph->n, sizeof *want), *got = array(graph->n, sizeof *got);
  uint32_t *queue = array(graph->n, sizeof *queue), count = 0, counted;
  for (uint32_t v = 0; v < graph->n; v++)
    want[v] = UINT32_MAX;
  for (uint32_t v = 0; v < graph->n; v++) {
    if (want[v] != UINT32_MAX)
      continue;
    uint32_t head = 0, tail = 0;
    want[v] = count;
    for (queue[tail++] = v; head < tail; head++)
      for (uint64_t a = graph->offset[queue[head]]; a < graph->offset[queue[head] + 1]; a++)
        if (want[graph->neighbor[a]] == UINT32_MAX) {
          want[graph->neighbor[a]] = count;
          queue[tail++] = graph->neighbor[a];
        }
    count++;
  }
  for (size_t i = 0; i < COUNT(thread_counts); i++) {
    ck_ok(ms_components(graph->n, graph->offset, graph->neighbor, thread_counts[i], got, &counted,
                        &err));
    ck_assert_msg(counted == count && memcmp(got, want, graph->n * sizeof *got) == 0,
                  "seed %llu, %d threads: %u components instead of %u", (unsigned long long)seed,
                  thread_counts[i], counted, count);
  }
  ms_free(want);
  ms_free(got);
  ms_free(queue);
}

/* Components are numbered by their smallest vertex, as a plain search numbers them: 300 random
 * graphs. */
START_TEST(components_are_numbered_by_smallest_vertex)
{
  static const shape shapes[] = {
      {1, 30, 3, 1, 2, 0}, {1500, 9000, 3, 1, 2, 0}, {20000, 40000, 3, 1, 2, 0}};
  for (uint32_t seed = 0; seed < 300; seed++) {
    random_case c;
    case_make(&shapes[seed % COUNT(shapes)], seed, &c);
    check_components(c.graph, seed);
    case_free(&c);
  }
}
END_TEST

/* Masks get codes of one byte, and these lead back to them, up to 256 different masks and no
 * further: 250 to 263 masks, by 1, 2 and 7 threads. */
START_TEST(masks_have_codes_up_to_256)
{
  enum { N = 30000 };
  uint32_t *mask = array(N, sizeof *mask);
  uint64_t state = 17;
  for (uint32_t different = 250; different < 264; different++) {
    uint32_t factor = (uint32_t)random_next(&state) | 1;
    for (uint32_t v = 0; v < N; v++)
      mask[v] = factor * (v < different ? v : random_below(&state, different));
    for (size_t i = 0; i < COUNT(thread_counts); i++) {
      ms_codes codes;
      ck_ok(ms_codes_make(N, mask, thread_counts[i], &codes, &err));
      ck_assert((codes.code != NULL) == (different <= 256));
      for (uint32_t v = 0; codes.code && v < N; v++)
        ck_assert_uint_eq(codes.mask[codes.code[v]], mask[v]);
      ms_codes_clear(&codes);
    }
  }
  ms_free(mask);
}
END_TEST

/* Labels of a sieve's problem are the same by one and by seven threads, and are the masks in their
 * order: 20 random graphs. */
START_TEST(labels_do_not_depend_on_threads)
{
  for (uint32_t seed = 0; seed < 20; seed++) {
    random_case c;
    ms_instance *in;
    ms_sieve_problem one, other;
    case_make(&middling_shapes[seed % COUNT(middling_shapes)], 500 + seed, &c);
    ck_ok(ms_instance_new(c.query, 0, &in, &err));
    ck_ok(ms_sieve_problem_init(&one, in, in->k, MS_SIBLING, 1, 1, &err));
    ck_ok(ms_sieve_problem_init(&other, in, in->k, MS_SIBLING, 1, 7, &err));
    ck_assert_mem_eq(one.label_at, other.label_at, sizeof one.label_at);
    uint64_t labels = 0;
    for (uint32_t v = 0; v < in->n; v++) {
      uint32_t active = 0;
      for (uint32_t b = 0; b < in->k; b++)
        active |= (in->mask[v] >> one.label_at[b] & 1) << b;
      ck_assert(one.active[v] == active && other.active[v] == active);
      labels += (uint64_t)__builtin_popcount(active);
    }
    ck_assert(one.labels == labels && other.labels == labels);
    ms_sieve_problem_clear(&one);
    ms_sieve_problem_clear(&other);
    ms_instance_free(in);
    case_free(&c);
  }
}
END_TEST

int main(void)
{
  ms_hooks.work_for_threads = 4096; /* middling cases, too, go by several threads */
  return RUN_TESTS("graph: pruning", TEST_TIMES(small_cases, COUNT(small_shapes)),
                   TEST_TIMES(middling_cases, COUNT(middling_shapes)),
                   TEST_TIMES(nothing_but_edges_goes, 2), TEST(dropped_vertices_lead_nowhere),
                   TEST(a_chain_takes_linear_time), TEST(pruning_hears_the_stop),
                   TEST(masks_are_those_of_the_colors),
                   TEST(components_are_numbered_by_smallest_vertex),
                   TEST(masks_have_codes_up_to_256), TEST(labels_do_not_depend_on_threads));
}
