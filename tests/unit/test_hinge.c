/* Counts of patterns that fall apart at a vertex (match/hinge.h) against searches and brute force:
 * random graphs with hubs, directed or not, with colours or not; numbers of more than 128 bits,
 * known by formula; which patterns are counted so, and what is said of it; stops. */
#include "base/alloc.h"
#include "base/threads.h"
#include "match/count.h"
#include "match/hinge.h"
#include "tests/support/count_trial.h"
#include "tests/support/random.h"
#include "tests/support/test_main.h"

#include <math.h>
#include <string.h>

enum { CASES = 160, MOST_N = 14, MOST_M = 40, MOST_P = 7, COLORS = 3 };
static const char *const color_name[COLORS] = {"a", "b", "c"};

/* Every way to count is compared, however short the search, and the weight is that of hinges. */
static void choose_weight(double weight)
{
  ms_count_probe_from = -1;
  ms_count_hinge_weight = weight;
}

static void choose_as_usual(void)
{
  ms_count_probe_from = 1e6;
  ms_count_hinge_weight = 2;
}

/* ---- random cases ------------------------------------------------------------------------ */

/* A graph and a pattern as their edges: [u][v] an arc u -> v. */
typedef struct hinge_case {
  uint32_t n, p;
  bool directed, colored;
  bool arc[MOST_N][MOST_N], wanted[MOST_P][MOST_P];
  uint32_t color[MOST_N];   /* of the graph's vertices */
  uint32_t accepts[MOST_P]; /* bits of colours */
  uint32_t edges, edge[MOST_M][2];
  uint32_t wants, want[MOST_P * MOST_P][2];
} hinge_case;

static void join(hinge_case *c, uint32_t u, uint32_t v)
{
  if (u == v || c->arc[u][v] || c->edges == MOST_M)
    return;
  c->arc[u][v] = true;
  c->arc[v][u] = c->arc[v][u] || !c->directed;
  c->edge[c->edges][0] = u;
  c->edge[c->edges++][1] = v;
}

static void want(hinge_case *c, uint64_t *state, uint32_t u, uint32_t v)
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
  uint32_t at[MOST_P], count = 0, percent = random_below(state, 4) * 30;
  at[count++] = place[0];
  for (uint32_t i = first; i < last; i++) {
    want(c, state, place[i], at[random_below(state, count)]);
    for (uint32_t j = 0; j < count; j++)
      if (random_below(state, 100) < percent)
        want(c, state, place[i], at[j]);
    at[count++] = place[i];
  }
}

/* Draws a pattern of 4 to 7 vertices whose vertex place[0] is a hinge. */
static void draw_pattern(hinge_case *c, uint64_t *state)
{
  uint32_t place[MOST_P];
  c->p = 4 + random_below(state, MOST_P - 3);
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

static void draw_case(hinge_case *c, uint64_t seed)
{
  uint64_t state = seed;
  memset(c, 0, sizeof *c);
  c->directed = seed % 4 == 0;
  c->colored = seed % 3 == 0;
  c->n = 7 + random_below(&state, MOST_N - 6);
  draw_pattern(c, &state);
  uint32_t m = c->n + random_below(&state, MOST_M - c->n), hubs = random_below(&state, 3);
  for (uint32_t i = 0; i < m; i++)
    join(c, random_below(&state, hubs > 0 && i % 2 ? hubs : c->n), random_below(&state, c->n));
  for (uint32_t v = 0; v < c->n; v++)
    c->color[v] = random_below(&state, COLORS);
}

/* Returns the number of maps that match pattern vertices from `level` on, in the order of a walk
 * through the pattern. */
static uint64_t count_maps_from(const hinge_case *c, const uint32_t *order, uint32_t level,
                                uint32_t *match)
{
  uint64_t maps = 0;
  if (level == c->p)
    return 1;
  uint32_t p = order[level];
  for (uint32_t v = 0; v < c->n; v++) {
    bool fits = c->accepts[p] >> c->color[v] & 1;
    for (uint32_t i = 0; i < level && fits; i++) {
      uint32_t q = order[i], u = match[q];
      fits = u != v && (!c->wanted[q][p] || c->arc[u][v]) && (!c->wanted[p][q] || c->arc[v][u]);
    }
    if (!fits)
      continue;
    match[p] = v;
    maps += count_maps_from(c, order, level + 1, match);
  }
  return maps;
}

static uint64_t count_maps(const hinge_case *c)
{
  uint32_t order[MOST_P] = {0}, match[MOST_P], count = 1;
  bool seen[MOST_P] = {true};
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t v = 0; v < c->p; v++)
      if (!seen[v] && (c->wanted[order[i]][v] || c->wanted[v][order[i]])) {
        seen[v] = true;
        order[count++] = v;
      }
  ck_assert_uint_eq(count, c->p);
  return count_maps_from(c, order, 0, match);
}

/* ---- the library's objects --------------------------------------------------------------- */

typedef struct hinge_trial {
  count_trial t;
  ms_coloring *coloring;
} hinge_trial;

static ms_graph *graph_of(const hinge_case *c)
{
  ms_graph *graph;
  ck_assert_int_eq((c->directed ? ms_graph_from_arcs : ms_graph_from_edges)(
                       c->n, c->edges, (const uint32_t(*)[2])c->edge, NULL, &graph, NULL),
                   MS_OK);
  return graph;
}

static void make_trial(hinge_trial *h, const hinge_case *c, int threads)
{
  count_trial *t = &h->t;
  uint32_t pair[MOST_N][2];
  *h = (hinge_trial){.t.graph = graph_of(c)};
  ck_assert_int_eq(ms_pattern_from_edges(c->p, c->wants, (const uint32_t(*)[2])c->want, c->directed,
                                         NULL, &t->pattern, NULL),
                   MS_OK);
  for (uint32_t v = 0; v < c->n; v++) {
    pair[v][0] = v;
    pair[v][1] = c->color[v];
  }
  if (c->colored)
    ck_assert_int_eq(ms_coloring_from_pairs(t->graph, c->n, (const uint32_t(*)[2])pair, COLORS,
                                            color_name, &h->coloring, NULL),
                     MS_OK);
  for (uint32_t i = 0; i < c->p; i++)
    for (uint32_t color = 0; c->accepts[i] != 7 && color < COLORS; color++)
      if (c->accepts[i] >> color & 1)
        ck_assert_int_eq(ms_pattern_accept(t->pattern, i, color_name[color], NULL), MS_OK);
  ms_shape_of(t->pattern, false, &t->shape);
  ck_assert_int_eq(ms_pattern_index_new(t->graph, h->coloring, 1, &t->index, NULL), MS_OK);
  ck_assert_int_eq(ms_domains_new(t->index, t->pattern, &t->shape, NULL, 1, &t->domains, NULL),
                   MS_OK);
  t->query = (ms_count_query){.index = t->index,
                              .domains = &t->domains,
                              .engine = &ms_pattern_engine_cpu,
                              .threads = threads};
}

static void free_trial(hinge_trial *h)
{
  ms_domains_free(&h->t.domains);
  ms_pattern_index_free(h->t.index);
  ms_coloring_free(h->coloring);
  ms_pattern_free(h->t.pattern);
  ms_graph_free(h->t.graph);
}

/* True if the count is at a hinge, and not by a plan, or by factors or a search for a pattern that
 * the domains divide; sets *divided to whether they do. */
static bool is_at_hinge(const count_trial *t, bool *divided)
{
  ms_shape shape = t->shape;
  ms_count_plan plan;
  ms_factor_choice choice;
  ms_hinge hinge;
  double steps;
  bool so;
  ms_count_way way = ms_count_way_of(&t->query, &shape, t->domains.of);
  *divided = way == MS_COUNT_FACTORS;
  if (*divided) {
    ck_assert_int_eq(ms_factor_choose(&t->query, &shape, t->domains.of, NULL, &choice, NULL),
                     MS_OK);
    so = ms_count_divided_by_hinge(&t->query, &shape, &choice, &hinge, &steps);
    ms_factor_choice_free(&choice);
    return so;
  }
  if (way != MS_COUNT_PLAN)
    return false;
  ck_assert_int_eq(ms_count_plan_new(&t->query, &shape, t->domains.of, &plan, NULL), MS_OK);
  so = ms_count_by_hinge(&t->query, &shape, &plan, &hinge, &steps);
  ms_count_plan_free(&plan);
  return so;
}

/* ---- counts ------------------------------------------------------------------------------ */

/* Patterns of 4 to 7 vertices with a hinge have as many maps when counted there as a search and
 * brute force find: 160 random cases, a quarter directed and a third with colours, on one to three
 * threads.  In most cases there are maps, and hinges were used. */
START_TEST(counts_are_right)
{
  uint32_t found = 0, at_hinge = 0, kinds[4] = {0}, divisions[2] = {0};
  uint32_t cases = (uint32_t)scaled(CASES);
  uint64_t work = ms_work_for_threads;
  ms_work_for_threads = 0;
  for (uint64_t seed = 1; seed <= cases; seed++) {
    hinge_case c;
    hinge_trial h;
    mpz_t maps, searched;
    mpz_inits(maps, searched, NULL);
    draw_case(&c, seed);
    make_trial(&h, &c, 1 + (int)(seed % 3));
    choose_weight(0);
    bool divided, so = is_at_hinge(&h.t, &divided);
    ck_assert_int_eq(ms_count_maps(&h.t.query, &h.t.shape, maps, NULL), MS_OK);
    choose_weight(INFINITY);
    ck_assert_int_eq(ms_count_maps(&h.t.query, &h.t.shape, searched, NULL), MS_OK);
    uint64_t expected = count_maps(&c);
    ck_assert_msg(mpz_cmp_ui(maps, expected) == 0 && mpz_cmp_ui(searched, expected) == 0,
                  "seed %llu: %llu maps", (unsigned long long)seed, (unsigned long long)expected);
    found += expected > 0;
    at_hinge += so;
    kinds[c.directed + 2 * c.colored] += so && expected > 0;
    divisions[c.directed] += so && divided && expected > 0;
    mpz_clears(maps, searched, NULL);
    free_trial(&h);
  }
  ms_work_for_threads = work;
  choose_as_usual();
  ck_assert_uint_ge(2 * found, cases);
  ck_assert_uint_ge(2 * at_hinge, cases);
  for (int i = 0; i < 4 && cases == CASES; i++)
    ck_assert_uint_gt(kinds[i], 0);
  for (int i = 0; i < 2 && cases == CASES; i++)
    ck_assert_uint_gt(divisions[i], 0);
}
END_TEST

/* A star of eight leaves is two stars of fewer with a common centre.  Where two hubs have each
 * other and 200,000 more neighbours, its maps are a number of 142 bits, and the product at each hub
 * has more than 128. */
START_TEST(large_numbers)
{
  enum { LEAVES = 200000, WANTED = 8 };
  static uint32_t edge[2 * LEAVES + 1][2];
  static const uint32_t star[WANTED][2] = {{0, 1}, {0, 2}, {0, 3}, {0, 4},
                                           {0, 5}, {0, 6}, {0, 7}, {0, 8}};
  count_trial t;
  ms_graph *graph;
  ms_pattern *pattern;
  mpz_t maps, expected;
  edge[2 * LEAVES][1] = 1;
  for (uint32_t i = 0; i < 2 * LEAVES; i++) {
    edge[i][0] = i % 2;
    edge[i][1] = 2 + i / 2;
  }
  ck_assert_int_eq(ms_graph_from_edges(LEAVES + 2, 2 * LEAVES + 1, (const uint32_t(*)[2])edge, NULL,
                                       &graph, NULL),
                   MS_OK);
  ck_assert_int_eq(ms_pattern_from_edges(WANTED + 1, WANTED, star, false, NULL, &pattern, NULL),
                   MS_OK);
  count_trial_make(&t, graph, pattern, &ms_pattern_engine_cpu, 2);
  mpz_init(maps);
  mpz_init_set_ui(expected, 2);
  for (uint32_t i = 0; i < WANTED; i++)
    mpz_mul_ui(expected, expected, LEAVES + 1 - i);
  choose_weight(0);
  bool divided;
  ck_assert(is_at_hinge(&t, &divided));
  ck_assert_int_eq(ms_count_maps(&t.query, &t.shape, maps, NULL), MS_OK);
  choose_as_usual();
  ck_assert_int_eq(mpz_cmp(maps, expected), 0);
  ck_assert_uint_gt(mpz_sizeinbase(maps, 2), 128);
  mpz_clears(maps, expected, NULL);
  count_trial_free(&t);
}
END_TEST

/* ---- which patterns ---------------------------------------------------------------------- */

static const uint32_t bowtie[][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {3, 4}, {4, 0}};
static const uint32_t square[][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}};
static const uint32_t house[][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {0, 4}, {1, 4}};

static ms_pattern *pattern_of(uint32_t n, uint32_t m, const uint32_t (*edge)[2])
{
  ms_pattern *pattern;
  ck_assert_int_eq(ms_pattern_from_edges(n, m, edge, false, NULL, &pattern, NULL), MS_OK);
  return pattern;
}

/* Returns whether a random graph with hubs would be searched for the pattern at a hinge, with the
 * weights that the library has. */
static bool is_chosen(uint32_t n, uint32_t m, const uint32_t (*edge)[2], bool induced,
                      ms_order order)
{
  count_trial t;
  uint64_t state = 2; /* a graph with three hubs */
  count_trial_make(&t, count_trial_graph(&state, 3000, 60000), pattern_of(n, m, edge),
                   &ms_pattern_engine_cpu, 1);
  t.shape.induced = induced;
  t.query.order = order;
  t.query.effort = (ms_probe_effort){0, MS_PROBE_STEPS, NULL};
  bool divided, so = is_at_hinge(&t, &divided);
  count_trial_free(&t);
  return so;
}

START_TEST(which_patterns)
{
  static const uint32_t tail[][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {3, 4}};
  static const uint32_t star[][2] = {{0, 1}, {0, 2}, {0, 3}, {0, 4}};
  ck_assert(is_chosen(5, 6, bowtie, false, MS_ORDER_AUTO));
  ck_assert(is_chosen(5, 5, tail, false, MS_ORDER_AUTO));
  ck_assert(!is_chosen(5, 6, bowtie, true, MS_ORDER_AUTO));
  ck_assert(!is_chosen(5, 6, bowtie, false, MS_ORDER_RI));
  ck_assert(!is_chosen(4, 4, square, false, MS_ORDER_AUTO));
  ck_assert(!is_chosen(5, 6, house, false, MS_ORDER_AUTO));
  ck_assert(!is_chosen(5, 4, star, false, MS_ORDER_AUTO)); /* it is short as it is */
}
END_TEST

/* The plan names the vertex and the sides. */
START_TEST(explained)
{
  static const char *const name[] = {"c", "w", "x", "y", "z"};
  static const char *const text = "counted: for each candidate of c, the maps that extend it to w, "
                                  "x times those that extend it to y, z, less the maps in which "
                                  "vertices of the two sides coincide; estimated steps: ",
                           *const json = "{\"maps\":\"hinge\",\"vertex\":\"c\",\"sides\":[[\"w\","
                                         "\"x\"],[\"y\",\"z\"]],\"cost\":";
  count_trial t;
  uint64_t state = 2;
  count_trial_make(&t, count_trial_graph(&state, 60, 500), pattern_of(5, 6, bowtie),
                   &ms_pattern_engine_cpu, 1);
  choose_weight(0);
  for (int is_json = 0; is_json < 2; is_json++) {
    char *said;
    const char *begin = is_json ? json : text;
    ck_assert_int_eq(ms_count_explain(&t.query, &t.shape, name, is_json, &said, NULL), MS_OK);
    ck_assert_msg(strncmp(said, begin, strlen(begin)) == 0, "%s", said);
    ms_free(said);
  }
  choose_as_usual();
  count_trial_free(&t);
}
END_TEST

/* An engine on GPUs has no such counts. */
START_TEST(other_engines)
{
  count_trial t;
  uint64_t state = 2;
  ms_pattern_engine other = ms_pattern_engine_cpu;
  count_trial_make(&t, count_trial_graph(&state, 60, 500), pattern_of(5, 6, bowtie), &other, 1);
  choose_weight(0);
  ck_assert(!ms_hinge_may(&t.query, &t.shape));
  t.query.engine = NULL;
  ck_assert(ms_hinge_may(&t.query, &t.shape));
  choose_as_usual();
  count_trial_free(&t);
}
END_TEST

/* ---- ends before the end ------------------------------------------------------------------- */

/* A count that is stopped after any number of looks at the token is at most the true one; some
 * such counts are not zero. */
START_TEST(stops)
{
  count_trial t;
  uint64_t state = 2, looks = 0;
  uint32_t some = 0;
  mpz_t all, maps;
  ms_stop *stop;
  mpz_inits(all, maps, NULL);
  count_trial_make(&t, count_trial_graph(&state, 60, 500), pattern_of(5, 6, bowtie),
                   &ms_pattern_engine_cpu, 1);
  choose_weight(0);
  ck_assert_int_eq(ms_count_maps(&t.query, &t.shape, all, NULL), MS_OK);
  ck_assert_int_eq(ms_stop_new(&stop, NULL), MS_OK);
  t.query.stop = stop;
  ms_status status = MS_ERR_LIMIT;
  for (; status != MS_OK; looks++) {
    ms_stop_after_looks(stop, looks);
    status = ms_count_maps(&t.query, &t.shape, maps, NULL);
    ck_assert(status == MS_OK || status == MS_ERR_LIMIT);
    ck_assert_int_le(mpz_cmp(maps, all), 0);
    some += status == MS_ERR_LIMIT && mpz_sgn(maps) > 0;
  }
  ck_assert_int_eq(mpz_cmp(maps, all), 0);
  ck_assert_uint_gt(some, 0);
  choose_as_usual();
  ms_stop_free(stop);
  mpz_clears(all, maps, NULL);
  count_trial_free(&t);
}
END_TEST

TEST_MAIN("hinge", TEST(counts_are_right), TEST(large_numbers), TEST(which_patterns),
          TEST(explained), TEST(other_engines), TEST(stops))
