/* Lists in the order of the sums of vertex scores, cut off by branch and bound, and the greatest
 * sum of each vertex, against all subsets and against whole lists; the reader of scores. */
#include "base/alloc.h"
#include "base/threads/stop.h"
#include "graph/vertex_scores.h"
#include "tests/support/allocations.h"
#include "tests/support/files.h"
#include "tests/support/graphs/larger_case.h"
#include "tests/support/random.h"
#include "tests/support/search/oracle.h"
#include "tests/support/test_main.h"

#include <stdlib.h>
#include <string.h>

static ms_error err;

/* Draws scores below `values` for n vertices into of[n]. */
static ms_vertex_scores draw_scores(uint64_t *seed, uint32_t n, uint32_t values, uint32_t *of)
{
  for (uint32_t v = 0; v < n; v++)
    of[v] = random_below(seed, values);
  return (ms_vertex_scores){.of = of, .n = n};
}

static ms_list_options options_of(const ms_vertex_scores *scores, uint64_t top, int threads)
{
  return (ms_list_options){.size = sizeof(ms_list_options),
                           .exact = true,
                           .sort = MS_MEASURE_VERTEX_SCORE,
                           .top = top,
                           .vertex_scores = scores,
                           .screen = {.size = sizeof(ms_screen_options), .run.threads = threads}};
}

/* ---- against all subsets --------------------------------------------------------------- */

typedef struct scored {
  uint32_t sum;
  uint32_t set[ORACLE_MAX_N]; /* ascending; the first k */
} scored;

static uint32_t compared_k;

static int compare_scored(const void *x, const void *y)
{
  const scored *a = x, *b = y;
  if (a->sum != b->sum)
    return (a->sum < b->sum) - (a->sum > b->sum);
  for (uint32_t i = 0; i < compared_k; i++)
    if (a->set[i] != b->set[i])
      return (a->set[i] > b->set[i]) - (a->set[i] < b->set[i]);
  return 0;
}

/* The first rows are those of all subsets that match, sorted: 6,000 random cases, with scores of
 * few and of many values, any number of rows, and one to three threads. */
START_TEST(agrees_with_subsets)
{
  static uint16_t masks[1 << ORACLE_MAX_N];
  static scored all[1 << ORACLE_MAX_N];
  uint64_t seed = 3, cut = 0;
  for (uint64_t i = 0; i < scaled(6000); i++) {
    oracle_case c;
    uint32_t of[ORACLE_MAX_N];
    ms_list_result *r;
    oracle_make(&oracle_short_motifs[i % ORACLE_SHAPES], 20000 + i, &c);
    ms_vertex_scores scores = draw_scores(&seed, c.n, i % 2 ? 3 : MS_MAX_VERTEX_SCORE, of);
    uint32_t matches = oracle_matches(&c, masks), k = ms_motif_size(c.motif);
    for (uint32_t m = 0; m < matches; m++) {
      all[m].sum = 0;
      for (uint32_t v = 0, at = 0; v < c.n; v++)
        if (masks[m] >> v & 1) {
          all[m].sum += of[v];
          all[m].set[at++] = v;
        }
    }
    compared_k = k;
    qsort(all, matches, sizeof *all, compare_scored);
    uint64_t top = random_below(&seed, 3) ? 1 + random_below(&seed, 12) : 0;
    uint64_t rows = top > 0 && top < matches ? top : matches;
    ms_list_options o = options_of(&scores, top, 1 + (int)(i % 3));
    ck_ok(ms_list(c.query, &o, &r, &err));
    ck_assert_int_eq(r->run.stopped, MS_OK);
    ck_assert_uint_eq(r->matches, rows);
    for (uint64_t row = 0; row < rows; row++)
      ck_assert_int_eq(memcmp(r->vertices + row * k, all[row].set, k * sizeof *all[row].set), 0);
    cut += rows < matches;
    ms_list_result_free(r);
    oracle_free(&c);
  }
  ck_assert_uint_gt(cut, scaled(500));
}
END_TEST

/* ---- against whole lists ---------------------------------------------------------------- */

/* In larger graphs, with tables and without memory for them: the rows of 60 random cases are the
 * first of the whole sorted list, and fewer sets are visited. */
START_TEST(agrees_with_lists)
{
  uint64_t seed = 17, fewer = 0;
  for (uint64_t i = 0; i < scaled(60); i++) {
    larger_case c;
    ms_list_result *all, *best;
    larger_make(i, &c);
    ms_list_options count = options_of(NULL, 0, 2);
    count.sort = MS_MEASURE_NONE;
    count.count_only = true;
    ck_ok(ms_list(c.query, &count, &all, &err));
    uint64_t matches = all->matches;
    uint32_t n = all->n;
    ms_list_result_free(all);
    if (matches > 200000) {
      larger_free(&c);
      continue;
    }
    uint32_t *of = malloc(n * sizeof *of);
    ms_vertex_scores scores = draw_scores(&seed, n, i % 3 ? 1000 : 3, of);
    ms_list_options o = options_of(&scores, 0, 2);
    ck_ok(ms_list(c.query, &o, &all, &err));
    for (int without = 0; without < 2; without++) {
      o = options_of(&scores, 1 + random_below(&seed, 40), 1 + (int)(i % 3));
      o.screen.run.memory = without ? 16384 : 0;
      ck_ok(ms_list(c.query, &o, &best, &err));
      ck_assert_int_eq(best->run.stopped, MS_OK);
      ck_assert_uint_eq(best->matches, all->matches < o.top ? all->matches : o.top);
      if (best->matches > 0)
        ck_assert_int_eq(
            memcmp(best->vertices, all->vertices, best->matches * best->k * sizeof *best->vertices),
            0);
      fewer += !without && best->run.work.visits < all->run.work.visits;
      ms_list_result_free(best);
    }
    ms_list_result_free(all);
    free(of);
    larger_free(&c);
  }
  ck_assert_uint_gt(fewer, scaled(20));
}
END_TEST

/* The rows of a search that is stopped after any number of looks at the clock are sorted. */
START_TEST(a_stopped_search_is_sorted)
{
  larger_case c;
  uint64_t seed = 4, stopped = 0;
  static uint32_t of[4096];
  larger_make(8, &c);
  ms_vertex_scores scores = draw_scores(&seed, ms_graph_vertex_count(c.graph), 1000, of);
  for (uint64_t looks = 0; looks < 200; looks++) {
    ms_list_options o = options_of(&scores, 20, 1);
    ms_list_result *r;
    ck_ok(ms_stop_new(&o.screen.run.stop, &err));
    ms_stop_after_looks(o.screen.run.stop, looks);
    ck_ok(ms_list(c.query, &o, &r, &err));
    for (uint64_t i = 1; i < r->matches; i++)
      ck_assert_uint_le(ms_vertex_scores_sum(&scores, r->vertices + i * r->k, r->k),
                        ms_vertex_scores_sum(&scores, r->vertices + (i - 1) * r->k, r->k));
    stopped += r->run.stopped == MS_ERR_LIMIT;
    ms_list_result_free(r);
    ms_stop_free(o.screen.run.stop);
  }
  ck_assert_uint_gt(stopped, 5);
  larger_free(&c);
}
END_TEST

typedef struct call {
  const ms_query *query;
  const ms_vertex_scores *scores;
} call;

static ms_status list_once(void *user, ms_error *error)
{
  const call *c = user;
  ms_list_options o = options_of(c->scores, 10, 1);
  ms_list_result *r;
  ms_status status = ms_list(c->query, &o, &r, error);
  if (status == MS_OK) {
    ck_assert_uint_gt(r->matches, 0);
    ms_list_result_free(r);
  }
  return status;
}

/* Whichever allocation fails, the search reports it, or has the right rows without tables. */
START_TEST(every_allocation_may_fail)
{
  larger_case c;
  uint64_t seed = 4;
  static uint32_t of[4096];
  larger_make(3, &c);
  ms_vertex_scores scores = draw_scores(&seed, ms_graph_vertex_count(c.graph), 1000, of);
  call once = {c.query, &scores};
  ck_assert_int_gt(failing_runs_survived(list_once, &once), 10);
  larger_free(&c);
}
END_TEST

/* ---- screens ----------------------------------------------------------------------------- */

static ms_screen_options screen_options(const ms_vertex_scores *scores, int threads)
{
  return (ms_screen_options){.size = sizeof(ms_screen_options),
                             .method = MS_METHOD_EXACT,
                             .vertex_scores = scores,
                             .run.threads = threads};
}

/* The greatest sums are those of all subsets that match: 3,000 random cases, with scores of few and
 * of many values, and one to three threads. */
START_TEST(greatest_sums_of_subsets)
{
  static uint16_t masks[1 << ORACLE_MAX_N];
  uint64_t seed = 31, flagged = 0;
  for (uint64_t i = 0; i < scaled(3000); i++) {
    oracle_case c;
    uint32_t of[ORACLE_MAX_N], best[ORACLE_MAX_N] = {0};
    ms_screen_result *r;
    oracle_make(&oracle_short_motifs[i % ORACLE_SHAPES], 50000 + i, &c);
    ms_vertex_scores scores = draw_scores(&seed, c.n, i % 2 ? 3 : MS_MAX_VERTEX_SCORE, of);
    uint32_t matches = oracle_matches(&c, masks);
    for (uint32_t m = 0; m < matches; m++) {
      uint32_t sum = 0;
      for (uint32_t v = 0; v < c.n; v++)
        sum += masks[m] >> v & 1 ? of[v] : 0;
      for (uint32_t v = 0; v < c.n; v++)
        if (masks[m] >> v & 1 && sum > best[v])
          best[v] = sum;
    }
    ms_screen_options o = screen_options(&scores, 1 + (int)(i % 3));
    ck_ok(ms_screen(c.query, &o, &r, &err));
    ck_assert_int_eq(r->run.stopped, MS_OK);
    ck_assert_uint_eq(r->settled, r->vertices_kept);
    for (uint32_t v = 0; v < c.n; v++)
      ck_assert_uint_eq(r->best_sum[v], best[v]);
    flagged += r->flagged;
    ms_screen_result_free(r);
    oracle_free(&c);
  }
  ck_assert_uint_gt(flagged, scaled(3000));
}
END_TEST

/* In larger graphs, with tables and without memory for them, the greatest sums are those of the
 * whole list: 40 random cases. */
START_TEST(greatest_sums_of_lists)
{
  uint64_t seed = 77, compared = 0;
  for (uint64_t i = 0; i < scaled(40); i++) {
    larger_case c;
    ms_list_result *all;
    larger_make(100 + i, &c);
    uint32_t n = ms_graph_vertex_count(c.graph), *of = malloc(n * sizeof *of),
             *best = calloc(n, sizeof *best);
    ms_vertex_scores scores = draw_scores(&seed, n, i % 3 ? 1000 : 3, of);
    ms_list_options list = options_of(NULL, 0, 2);
    list.sort = MS_MEASURE_NONE;
    list.limit = 200000;
    ck_ok(ms_list(c.query, &list, &all, &err));
    for (uint64_t m = 0; m < all->matches; m++) {
      const uint32_t *row = all->vertices + m * all->k;
      uint64_t sum = ms_vertex_scores_sum(&scores, row, all->k);
      for (uint32_t j = 0; j < all->k; j++)
        best[row[j]] = best[row[j]] < sum ? sum : best[row[j]];
    }
    for (int without = 0; all->run.stopped == MS_OK && without < 2; without++) {
      ms_screen_options o = screen_options(&scores, 1 + (int)(i % 3));
      ms_screen_result *r;
      o.run.memory = without ? 65536 : 0;
      ck_ok(ms_screen(c.query, &o, &r, &err));
      for (uint32_t v = 0; v < n; v++)
        ck_assert_uint_eq(r->best_sum[v], best[v]);
      compared += r->flagged > 0;
      ms_screen_result_free(r);
    }
    ms_list_result_free(all);
    larger_free(&c);
    free(of);
    free(best);
  }
  ck_assert_uint_gt(compared, scaled(20));
}
END_TEST

/* The sums of a screen that is stopped after any number of looks at the clock are lower bounds. */
START_TEST(stopped_screens)
{
  larger_case c;
  uint64_t seed = 4, stopped = 0;
  static uint32_t of[4096];
  larger_make(8, &c);
  ms_vertex_scores scores = draw_scores(&seed, ms_graph_vertex_count(c.graph), 1000, of);
  ms_screen_options o = screen_options(&scores, 1);
  ms_screen_result *whole, *r;
  ck_ok(ms_screen(c.query, &o, &whole, &err));
  for (uint64_t looks = 0; looks < 300; looks++) {
    ck_ok(ms_stop_new(&o.run.stop, &err));
    ms_stop_after_looks(o.run.stop, looks);
    ck_ok(ms_screen(c.query, &o, &r, &err));
    for (uint32_t v = 0; v < r->n; v++)
      ck_assert(r->best_sum[v] <= whole->best_sum[v] &&
                r->best_sum[v] >= (r->hits[v] ? scores.of[v] : 0));
    ck_assert_uint_le(r->settled, r->vertices_kept);
    stopped += r->run.stopped == MS_ERR_LIMIT;
    ms_screen_result_free(r);
    ms_stop_free(o.run.stop);
  }
  ms_screen_result_free(whole);
  ck_assert_uint_gt(stopped, 5);
  larger_free(&c);
}
END_TEST

static ms_status screen_once(void *user, ms_error *error)
{
  const call *c = user;
  ms_screen_options o = screen_options(c->scores, 1);
  ms_screen_result *r;
  ms_status status = ms_screen(c->query, &o, &r, error);
  if (status == MS_OK)
    ms_screen_result_free(r);
  return status;
}

/* Whichever allocation of such a screen fails, it is reported, or the screen does without. */
START_TEST(screens_may_lack_memory)
{
  larger_case c;
  uint64_t seed = 4;
  static uint32_t of[4096];
  larger_make(3, &c);
  ms_vertex_scores scores = draw_scores(&seed, ms_graph_vertex_count(c.graph), 1000, of);
  call once = {c.query, &scores};
  ck_assert_int_gt(failing_runs_survived(screen_once, &once), 10);
  larger_free(&c);
}
END_TEST

/* ---- the reader ------------------------------------------------------------------------- */

static ms_graph *read_graph(void)
{
  ms_graph *graph;
  ck_ok(ms_graph_read(files_write_text("g.tsv", "a\tb\nb\tc\n"), NULL, &graph, &err));
  return graph;
}

/* Scores of an array are those of its items, and greater ones are refused. */
START_TEST(takes_arrays)
{
  ms_graph *graph = read_graph();
  ms_vertex_scores *scores;
  uint32_t given[3] = {0, MS_MAX_VERTEX_SCORE, 7};
  ck_ok(ms_vertex_scores_new(graph, given, &scores, &err));
  ms_vertex_scores_info info = ms_vertex_scores_describe(scores);
  ck_assert_uint_eq(info.scored, 2);
  ck_assert_uint_eq(info.greatest, MS_MAX_VERTEX_SCORE);
  ck_assert_str_eq(info.path, "(in memory)");
  for (uint32_t v = 0; v < 3; v++)
    ck_assert_uint_eq(ms_vertex_scores_of(scores, v), given[v]);
  ms_vertex_scores_free(scores);
  given[1]++;
  ck_assert_int_eq(ms_vertex_scores_new(graph, given, &scores, &err), MS_ERR_USAGE);
  ck_assert_ptr_null(scores);
  ck_assert_ptr_nonnull(strstr(err.message, "vertex 1"));
  ms_graph_free(graph);
}
END_TEST

/* Scores are read with their columns, comments, aliases and unknown names. */
START_TEST(reads_scores)
{
  ms_graph *graph = read_graph();
  ms_vertex_scores *scores;
  ck_ok(ms_graph_read_aliases(graph, files_write_text("alias.tsv", "c\tthird\n"), NULL, &err));
  const char *path =
      files_write_text("s.tsv", "# gene\tscore\na\t7\tx\nthird\t100000000\nzz\t3\na\t7\n");
  ck_ok(ms_vertex_scores_read(path, graph, &scores, &err));
  ms_vertex_scores_info info = ms_vertex_scores_describe(scores);
  ck_assert_uint_eq(info.scored, 2);
  ck_assert_uint_eq(info.unknown, 1);
  ck_assert_uint_eq(info.lines, 4);
  ck_assert_uint_eq(info.greatest, MS_MAX_VERTEX_SCORE);
  ck_assert_uint_eq(ms_vertex_scores_of(scores, ms_graph_find(graph, "a")), 7);
  ck_assert_uint_eq(ms_vertex_scores_of(scores, ms_graph_find(graph, "b")), 0);
  ck_assert_uint_eq(ms_vertex_scores_of(scores, ms_graph_find(graph, "c")), MS_MAX_VERTEX_SCORE);
  ck_assert_uint_eq(ms_vertex_scores_of(scores, 99), 0);
  ms_vertex_scores_free(scores);
  ms_graph_free(graph);
}
END_TEST

/* Wrong files are refused, with the line and with what to do. */
START_TEST(refuses_files)
{
  static const struct {
    const char *text, *message;
  } wrong[] = {{"a\t7\nb\t-1\n", "2: '-1' is no score; a score is an integer from 0 to 100000000"},
               {"a\t1.5\n", "1: '1.5' is no score"},
               {"a\t100000001\n", "1: '100000001' is no score"},
               {"a\t99999999999999999999999999\n", "is no score"},
               {"name\tscore\na\t7\n", "write # in front of a line of column names"},
               {"a\t\n", "is no score"},
               {"a\n", "found one word"},
               {"a\t7\na\t8\n", "2: the vertex 'a' has the score 8 here, and 7 in a line before"},
               {"zz\t7\n", "no line gives a score to a vertex of the graph"},
               {"", "no line gives a score"}};
  ms_graph *graph = read_graph();
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    ms_vertex_scores *scores;
    const char *path = files_write_text("s.tsv", wrong[i].text);
    ck_assert_int_eq(ms_vertex_scores_read(path, graph, &scores, &err), MS_ERR_INPUT);
    ck_assert_ptr_null(scores);
    ck_assert_msg(strstr(err.message, wrong[i].message), "%s", err.message);
  }
  ms_graph_free(graph);
}
END_TEST

static ms_status read_once(void *user, ms_error *error)
{
  ms_vertex_scores *scores;
  ms_status status = ms_vertex_scores_read(files_path("s.tsv"), user, &scores, error);
  if (status == MS_OK)
    ms_vertex_scores_free(scores);
  return status;
}

/* Whichever allocation of the reader fails, it is reported. */
START_TEST(reading_may_lack_memory)
{
  ms_graph *graph = read_graph();
  files_write_text("s.tsv", "a\t7\n");
  ck_assert_int_gt(failing_runs_survived(read_once, graph), 4);
  ms_graph_free(graph);
}
END_TEST

/* Options that a list cannot honour are refused. */
START_TEST(refuses_options)
{
  oracle_case c;
  uint32_t of[ORACLE_MAX_N + 1];
  uint64_t seed = 1;
  ms_list_result *r;
  oracle_make(&oracle_short_motifs[0], 1, &c);
  ms_vertex_scores scores = draw_scores(&seed, c.n + 1, 5, of);
  ms_list_options o = options_of(&scores, 1, 1);
  ck_assert_int_eq(ms_list(c.query, &o, &r, &err), MS_ERR_USAGE);
  ck_assert_ptr_nonnull(strstr(err.message, "`vertex_scores` are for"));
  o.vertex_scores = NULL;
  ck_assert_int_eq(ms_list(c.query, &o, &r, &err), MS_ERR_USAGE);
  ck_assert_ptr_nonnull(strstr(err.message, "`vertex_scores`"));
  for (int i = 0; i < 2; i++) {
    ms_vertex_scores right = {.of = of, .n = c.n};
    ms_screen_options screen = screen_options(i ? &scores : &right, 1);
    ms_screen_result *flags;
    screen.method = MS_METHOD_EXACT;
    screen.max_extra = i == 0;
    ck_assert_int_eq(ms_screen(c.query, &screen, &flags, &err), MS_ERR_USAGE);
    ck_assert_ptr_nonnull(strstr(err.message, "vertex_scores"));
  }
  oracle_free(&c);
}
END_TEST

TEST_MAIN("vertex_scores", TEST(agrees_with_subsets), TEST(agrees_with_lists),
          TEST(a_stopped_search_is_sorted), TEST(every_allocation_may_fail),
          TEST(greatest_sums_of_subsets), TEST(greatest_sums_of_lists), TEST(stopped_screens),
          TEST(screens_may_lack_memory), TEST(takes_arrays), TEST(reads_scores),
          TEST(refuses_files), TEST(reading_may_lack_memory), TEST(refuses_options))
