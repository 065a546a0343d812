#include "tests/support/graphs/hinge_case.h"

#include "base/hooks.h"
#include "tests/support/random.h"
#include "tests/support/test_main.h"

#include <math.h>
#include <string.h>

static const char *const color_name[HINGE_COLORS] = {"a", "b", "c"};

void hinge_case_join(hinge_case *c, uint32_t u, uint32_t v)
{
  if (u == v || c->arc[u][v] || c->edges == HINGE_MOST_M)
    return;
  c->arc[u][v] = true;
  c->arc[v][u] = c->arc[v][u] || !c->directed;
  c->edge[c->edges][0] = u;
  c->edge[c->edges++][1] = v;
}

void hinge_case_want(hinge_case *c, uint64_t *state, uint32_t u, uint32_t v)
{
  if (c->wanted[u][v] || c->wanted[v][u])
    return;
  bool turn = random_below(state, 2);
  uint32_t from = turn ? v : u, to = turn ? u : v;
  c->wanted[from][to] = true;
  c->wanted[to][from] = !c->directed;
  c->want[c->wants][0] = from;
  c->want[c->wants++][1] = to;
}

/* Joins place[0] and the places first .. last - 1 by a random tree and further edges. */
static void draw_side(hinge_case *c, uint64_t *state, const uint32_t *place, uint32_t first,
                      uint32_t last)
{
  uint32_t at[HINGE_MOST_P], count = 0, percent = random_below(state, 4) * 30;
  at[count++] = place[0];
  for (uint32_t i = first; i < last; i++) {
    hinge_case_want(c, state, place[i], at[random_below(state, count)]);
    for (uint32_t j = 0; j < count; j++)
      if (random_below(state, 100) < percent)
        hinge_case_want(c, state, place[i], at[j]);
    at[count++] = place[i];
  }
}

/* Draws a pattern of 4 to 7 vertices whose vertex place[0] is a hinge. */
static void draw_pattern(hinge_case *c, uint64_t *state)
{
  uint32_t place[HINGE_MOST_P];
  c->p = 4 + random_below(state, HINGE_MOST_P - 3);
  for (uint32_t i = 0; i < c->p; i++) {
    uint32_t j = random_below(state, i + 1);
    place[i] = place[j];
    place[j] = i;
  }
  uint32_t first = 1 + random_below(state, c->p - 2);
  draw_side(c, state, place, 1, 1 + first);
  draw_side(c, state, place, 1 + first, c->p);
  /* two colours of three, or all of them, so that any two vertices may be the same one; or one
   * colour here and there, so that the domains divide the pattern */
  bool divides = random_below(state, 2);
  for (uint32_t i = 0; i < c->p; i++) {
    uint32_t bit = 1u << random_below(state, 3), kind = random_below(state, 3);
    c->accepts[i] = !c->colored || kind == 0 ? 7 : divides && kind == 1 ? bit : 7u & ~bit;
  }
}

void hinge_case_draw(hinge_case *c, uint64_t seed)
{
  uint64_t state = seed;
  memset(c, 0, sizeof *c);
  c->directed = seed % 4 == 0;
  c->colored = seed % 3 == 0;
  c->n = 7 + random_below(&state, HINGE_MOST_N - 6);
  draw_pattern(c, &state);
  uint32_t m = c->n + random_below(&state, HINGE_MOST_M - c->n), hubs = random_below(&state, 3);
  for (uint32_t i = 0; i < m; i++)
    hinge_case_join(c, random_below(&state, hubs > 0 && i % 2 ? hubs : c->n),
                    random_below(&state, c->n));
  for (uint32_t v = 0; v < c->n; v++)
    c->color[v] = random_below(&state, HINGE_COLORS);
}

/* True if the vertex that order[level] is matched with fits, with those of the levels before. */
static bool fits(const hinge_case *c, const uint32_t *order, uint32_t level, const uint32_t *match)
{
  uint32_t p = order[level], v = match[p];
  bool so = (c->accepts[p] >> c->color[v] & 1) && !c->excluded[p][v];
  for (uint32_t i = 0; i < level && so; i++) {
    uint32_t q = order[i], u = match[q];
    so = u != v && (!c->wanted[q][p] || c->arc[u][v]) && (!c->wanted[p][q] || c->arc[v][u]);
  }
  return so;
}

/* Returns the number of maps that match order[level] .. order[count - 1] */
static uint64_t maps_from(const hinge_case *c, const uint32_t *order, uint32_t count,
                          uint32_t level, uint32_t *match)
{
  uint64_t maps = 0;
  if (level == count)
    return 1;
  for (uint32_t v = 0; v < c->n; v++) {
    match[order[level]] = v;
    if (fits(c, order, level, match))
      maps += maps_from(c, order, count, level + 1, match);
  }
  return maps;
}

/* Orders the vertices of a part in a walk that begins at `root`; returns their number. */
static uint32_t walk(const hinge_case *c, uint32_t part, uint32_t root, uint32_t *order)
{
  uint32_t count = 0, seen = 1u << root;
  order[count++] = root;
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t v = 0; v < c->p; v++)
      if ((part >> v & 1) && !(seen >> v & 1) &&
          (c->wanted[order[i]][v] || c->wanted[v][order[i]])) {
        seen |= 1u << v;
        order[count++] = v;
      }
  return count;
}

uint64_t hinge_case_maps(const hinge_case *c)
{
  uint32_t order[HINGE_MOST_P], match[HINGE_MOST_P];
  ck_assert_uint_eq(walk(c, (1u << c->p) - 1, 0, order), c->p);
  return maps_from(c, order, c->p, 0, match);
}

uint64_t hinge_case_rooted(const hinge_case *c, uint32_t part, uint32_t root, uint32_t v)
{
  uint32_t order[HINGE_MOST_P], match[HINGE_MOST_P];
  uint32_t count = walk(c, part, root, order);
  match[root] = v;
  return fits(c, order, 0, match) ? maps_from(c, order, count, 1, match) : 0;
}

static ms_graph *graph_of(const hinge_case *c)
{
  ms_graph *graph;
  ck_assert_int_eq((c->directed ? ms_graph_from_arcs : ms_graph_from_edges)(
                       c->n, c->edges, (const uint32_t(*)[2])c->edge, NULL, &graph, NULL),
                   MS_OK);
  return graph;
}

void hinge_trial_make(hinge_trial *h, const hinge_case *c, int threads)
{
  count_trial *t = &h->t;
  uint32_t pair[HINGE_MOST_N][2];
  *h = (hinge_trial){.t.graph = graph_of(c)};
  ck_assert_int_eq(ms_pattern_from_edges(c->p, c->wants, (const uint32_t(*)[2])c->want, c->directed,
                                         NULL, &t->pattern, NULL),
                   MS_OK);
  for (uint32_t v = 0; v < c->n; v++) {
    pair[v][0] = v;
    pair[v][1] = c->color[v];
  }
  if (c->colored)
    ck_assert_int_eq(ms_coloring_from_pairs(t->graph, c->n, (const uint32_t(*)[2])pair,
                                            HINGE_COLORS, color_name, &h->coloring, NULL),
                     MS_OK);
  for (uint32_t i = 0; i < c->p; i++)
    for (uint32_t color = 0; c->accepts[i] != 7 && color < HINGE_COLORS; color++)
      if (c->accepts[i] >> color & 1)
        ck_assert_int_eq(ms_pattern_accept(t->pattern, i, color_name[color], NULL), MS_OK);
  ms_shape_of(t->pattern, false, &t->shape);
  ck_assert_int_eq(ms_pattern_index_new(t->graph, h->coloring, 1, &t->index, NULL), MS_OK);
  ck_assert_int_eq(ms_domains_on(NULL, t->index, t->pattern, &t->shape, NULL, 1, &t->domains, NULL),
                   MS_OK);
  t->query = (ms_count_query){.index = t->index,
                              .domains = &t->domains,
                              .engine = &ms_pattern_engine_cpu,
                              .threads = threads};
}

void hinge_trial_free(hinge_trial *h)
{
  ms_domains_free(&h->t.domains);
  ms_pattern_index_free(h->t.index);
  ms_coloring_free(h->coloring);
  ms_pattern_free(h->t.pattern);
  ms_graph_free(h->t.graph);
}

void hinge_choose_weight(double weight)
{
  ms_hooks.probe_steps = -1;
  ms_hooks.count_hinge_weight = weight;
  ms_hooks.count_elimination_weight = INFINITY;
}

void hinge_choose_as_usual(void)
{
  ms_hooks = ms_hooks_default;
}
