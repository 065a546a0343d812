/* Screens of patterns against brute force: the flags of plain and typed patterns, with and without
 * required vertices, on one thread and two; limits; work; options that have no meaning.  A failure
 * names its seed. */
#include "base/hooks.h"
#include "match/index.h"
#include "tests/support/random.h"
#include "tests/support/search/pattern_oracle.h"
#include "tests/support/search/typed_cases.h"
#include "tests/support/test_main.h"
#include "verify/recount.h"

#include <stdlib.h>
#include <string.h>

enum { CASES = 6000, MOST_N = 24 };

static ms_error err;
static uint32_t every[PATTERN_CASE_ROWS];

/* Adds the vertices of row[p] to in_match if it contains `required` (MS_NO_ID: any row). */
static void add_row(const uint32_t *row, uint32_t p, uint32_t required, uint8_t *in_match)
{
  bool wanted = required == MS_NO_ID;
  for (uint32_t i = 0; i < p; i++)
    wanted = wanted || row[i] == required;
  for (uint32_t i = 0; wanted && i < p; i++)
    in_match[row[i]] = 1;
}

static void check_flags(const ms_flags_result *r, const uint8_t *in_match, uint32_t n,
                        uint64_t seed)
{
  uint32_t count = 0;
  ck_assert_uint_eq(r->n, n);
  ck_assert_int_eq(r->run.stopped, MS_OK);
  for (uint32_t v = 0; v < n; v++) {
    ck_assert_msg(r->flagged[v] == in_match[v], "seed %lu: vertex %u: flag %d, not %d",
                  (unsigned long)seed, v, r->flagged[v], in_match[v]);
    count += in_match[v];
  }
  ck_assert_uint_eq(r->count, count);
  ck_assert_uint_le(r->searches, 6u * n);
  ck_assert_uint_ge(r->run.work.visits, r->searches);
  ck_assert(r->searches > 0 || r->run.work.visits == 0);
  ck_assert_uint_eq(r->run.work.points, r->screen ? r->screen->run.work.points : 0);
  ck_assert_str_eq(r->run.engine, "cpu");
  ck_assert_str_eq(r->run.engine_reason,
                   r->searches > 0 ? "screens of patterns run on processors" : "nothing to search");
}

/* The judge's own search finds a match for exactly the vertices in one. */
static void check_judge(ms_judge *judge, const uint8_t *in_match, uint32_t n, uint64_t seed)
{
  uint32_t row[MS_MAX_PATTERN];
  ms_mapper *mapper;
  ck_ok(ms_mapper_new(judge, NULL, &mapper, &err));
  ck_ok(ms_mapper_restrict(mapper, NULL, &err));
  for (uint32_t v = 0; v < n; v++) {
    ms_finding finding;
    ck_ok(ms_mapper_find(mapper, v, UINT64_MAX, &finding, row, &err));
    ck_assert_msg(finding == (in_match[v] ? MS_FOUND_MATCH : MS_FOUND_NONE), "seed %lu: vertex %u",
                  (unsigned long)seed, v);
    if (finding == MS_FOUND_MATCH)
      ck_assert_int_eq(ms_judge_row(judge, row), MS_MATCH_OK);
  }
  ms_mapper_free(mapper);
  ms_judge_free(judge);
}

static void check_plain(uint64_t seed, uint64_t *with)
{
  pattern_case c;
  ms_pattern_index *index;
  ms_flags_result *r;
  uint64_t state = seed;
  uint8_t in_match[PATTERN_CASE_MAX_N] = {0};
  pattern_case_make(seed, &c);
  uint32_t embeddings = pattern_case_embeddings(&c, every), flags = 0;
  uint32_t required = seed % 3 ? MS_NO_ID : random_below(&state, c.n);
  for (uint32_t i = 0; i < embeddings; i++) {
    uint32_t row[PATTERN_CASE_MAX_P];
    for (uint32_t j = 0; j < c.p; j++)
      row[j] = every[i] >> 4 * (c.p - 1 - j) & 15;
    add_row(row, c.p, required, in_match);
  }
  for (uint32_t v = 0; v < c.n; v++)
    flags += in_match[v];
  *with += flags > 0 && flags < c.n;
  const char *name = required == MS_NO_ID ? NULL : ms_graph_name(c.graph, required);
  ms_hooks.hub_degree = seed % 3 ? 64 : 1 + seed / 3 % 3;
  ck_ok(ms_pattern_index_new(c.graph, c.coloring, 1, &index, &err));
  ms_pattern_options options = MS_PATTERN_OPTIONS_DEFAULT;
  options.induced = c.induced;
  options.required = &name;
  options.n_required = required != MS_NO_ID;
  options.screen_mode = seed % 5 ? MS_SCREEN_NEVER : MS_SCREEN_AUTO;
  options.screen.error = 1e-12;
  options.screen.run.threads = seed % 16 ? 1 : 2;
  ck_ok(ms_pattern_flags(index, c.pattern, &options, &r, &err));
  check_flags(r, in_match, c.n, seed);
  ms_flags_result_free(r);
  if (flags > 1) {
    options.limit = 1;
    ck_ok(ms_pattern_flags(index, c.pattern, &options, &r, &err));
    ck_assert(r->count >= 1 && r->count <= flags && r->run.stopped == MS_ERR_LIMIT);
    for (uint32_t v = 0; v < c.n; v++)
      ck_assert(!r->flagged[v] || in_match[v]);
    ms_flags_result_free(r);
  }
  ms_judge *judge;
  ck_ok(ms_judge_pattern(c.graph, c.coloring, c.pattern, c.induced, false, &judge, &err));
  ms_judge_require(judge, options.n_required, &required);
  check_judge(judge, in_match, c.n, seed);
  ms_pattern_index_free(index);
  pattern_case_free(&c);
}

/* The flags of CASES random patterns, with or without directions, colours, --induced and a required
 * vertex, are exactly the vertices of the brute force's maps; with a limit of one, they are some of
 * them.  The judge's own search agrees. */
START_TEST(flags_matches_of_plain_patterns)
{
  uint64_t with = 0;
  for (uint64_t seed = 1; seed <= scaled(CASES); seed++)
    check_plain(seed, &with);
  ck_assert_uint_gt(with, scaled(CASES) / 8);
}
END_TEST

/* The same for CASES random typed patterns in multigraphs. */
START_TEST(flags_matches_of_typed_patterns)
{
  uint64_t with = 0;
  for (uint64_t seed = 1; seed <= scaled(CASES); seed++) {
    typed_case c;
    ms_flags_result *r;
    ms_judge *judge;
    uint64_t state = seed;
    uint8_t in_match[MOST_N] = {0};
    typed_case_make(&c, seed, 12, 5);
    c.induced = seed % 3 == 0;
    typed_case_solve(&c);
    uint32_t required = seed % 4 ? MS_NO_ID : random_below(&state, c.n);
    for (uint64_t i = 0; i < c.classes; i++)
      add_row(c.row + i * c.p, c.p, required, in_match);
    const char *name = required == MS_NO_ID ? NULL : ms_typed_name(c.graph, required);
    ms_typed_match_options o = MS_TYPED_MATCH_OPTIONS_DEFAULT;
    o.induced = c.induced;
    o.run.threads = seed % 16 ? 1 : 2;
    o.required = &name;
    o.n_required = required != MS_NO_ID;
    ck_ok(ms_typed_flags(c.query, &o, &r, &err));
    check_flags(r, in_match, c.n, seed);
    with += r->count > 0 && r->count < c.n;
    ms_flags_result_free(r);
    ck_ok(ms_judge_typed(c.query, c.induced, false, &judge, &err));
    ms_judge_require(judge, o.n_required, &required);
    check_judge(judge, in_match, c.n, seed);
    typed_case_free(&c);
  }
  ck_assert_uint_gt(with, scaled(CASES) / 20);
}
END_TEST

/* Returns the work of a screen of the graph for the pattern, which has `count` vertices in matches.
 */
static ms_work work_of(const ms_pattern_index *index, const char *name, int threads, uint32_t count)
{
  ms_pattern *pattern;
  ms_flags_result *r;
  ms_pattern_options options = MS_PATTERN_OPTIONS_DEFAULT;
  options.screen.run.threads = threads;
  options.screen.run.engine = "cpu";
  ck_ok(ms_pattern_named(name, &pattern, &err));
  ck_ok(ms_pattern_flags(index, pattern, &options, &r, &err));
  ck_assert_uint_eq(r->count, count);
  ck_assert_str_eq(r->run.engine_reason, "as asked for");
  ms_work work = r->run.work;
  ms_flags_result_free(r);
  ms_pattern_free(pattern);
  return work;
}

/* In a complete bipartite graph of 2 x 16 vertices, which has no odd cycle, every vertex is
 * searched from: the work is the same by one thread and by two.  The searches for an
 * edge begin at all vertices but the first of one side, which the first of them flags, and each
 * visits its root and the list of the root's neighbours. */
START_TEST(counts_its_work)
{
  enum { SIDE = 16 };
  static uint32_t edge[SIDE * SIDE][2];
  ms_graph *graph;
  ms_pattern_index *index;
  for (uint32_t i = 0; i < SIDE * SIDE; i++)
    memcpy(edge[i], (uint32_t[]){i / SIDE, SIDE + i % SIDE}, sizeof *edge);
  ck_ok(ms_graph_from_edges(2 * SIDE, SIDE * SIDE, (const uint32_t(*)[2])edge, NULL, &graph, &err));
  ck_ok(ms_pattern_index_new(graph, NULL, 1, &index, &err));
  ms_work one = work_of(index, "cycle:5", 1, 0), two = work_of(index, "cycle:5", 2, 0);
  ck_assert_uint_gt(one.visits, 2 * SIDE * SIDE);
  ck_assert_uint_gt(one.intersections, 2 * SIDE);
  ck_assert_mem_eq(&one, &two, sizeof one);
  ck_assert_uint_eq(work_of(index, "path:2", 1, 2 * SIDE).visits, (2 * SIDE - 1) * (SIDE + 1));
  ms_pattern_index_free(index);
  ms_graph_free(graph);
}
END_TEST

/* A search that is stopped at once flags nothing and says so; an engine on GPUs is refused. */
START_TEST(stops_and_refuses)
{
  enum { SIDE = 40 };
  static uint32_t edge[SIDE * SIDE][2];
  uint32_t m = 0;
  ms_graph *graph;
  ms_pattern *pattern;
  ms_pattern_index *index;
  ms_flags_result *r;
  ms_stop *stop;
  for (uint32_t i = 0; i < SIDE; i++)
    for (uint32_t j = 0; j < i; j++)
      memcpy(edge[m++], (uint32_t[]){i, j}, sizeof *edge);
  ck_ok(ms_graph_from_edges(SIDE, m, (const uint32_t(*)[2])edge, NULL, &graph, &err));
  ck_ok(ms_pattern_named("clique:5", &pattern, &err));
  ck_ok(ms_pattern_index_new(graph, NULL, 1, &index, &err));
  ck_ok(ms_stop_new(&stop, &err));
  ms_pattern_options options = MS_PATTERN_OPTIONS_DEFAULT;
  ck_ok(ms_pattern_flags(index, pattern, &options, &r, &err));
  ck_assert_uint_eq(r->count, SIDE);
  ck_assert_uint_le(r->searches, SIDE); /* flagged vertices are not searched again */
  ck_assert(!r->screen && r->screen_reason);
  ms_flags_result_free(r);
  ms_stop_request(stop);
  options.screen.run.stop = stop;
  ck_ok(ms_pattern_flags(index, pattern, &options, &r, &err));
  ck_assert_int_eq(r->run.stopped, MS_ERR_INTERRUPTED);
  ms_flags_result_free(r);
  options.screen.run.engine = "no such engine";
  ck_assert_int_eq(ms_pattern_flags(index, pattern, &options, &r, &err), MS_ERR_USAGE);
  ck_assert(!r);
  ms_stop_free(stop);
  ms_pattern_index_free(index);
  ms_pattern_free(pattern);
  ms_graph_free(graph);
}
END_TEST

TEST_MAIN("screens of patterns", TEST(flags_matches_of_plain_patterns),
          TEST(flags_matches_of_typed_patterns), TEST(counts_its_work), TEST(stops_and_refuses))
