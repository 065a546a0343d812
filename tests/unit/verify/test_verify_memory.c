/* The judges of results in memory: components, paths and mined motifs of 150 random graphs each are
 * accepted, and every result with one change is refused: each number in turn is made larger by one,
 * and each row is left out.  The judges and the searches share no code. */
#include "base/alloc.h"
#include "base/threads/stop.h"
#include "tests/support/allocations.h"
#include "tests/support/random.h"
#include "tests/support/test_main.h"

#include <string.h>

enum { MOST_N = 12, MOST_COLORS = 3, MOST_EDGES = 20, MOST_ROWS = 400, GRAPHS = 150, PAIRS = 12 };

static ms_error err;
static const char *const color_names[MOST_COLORS] = {"c0", "c1", "c2"};

typedef struct trial {
  uint64_t random;
  uint32_t n;
  ms_graph *graph;
  ms_coloring *coloring;
} trial;

static void make_graph(trial *t, uint64_t seed, bool directed)
{
  uint32_t edges[MOST_EDGES][2], pairs[2 * MOST_N][2];
  t->random = seed;
  t->n = 1 + random_below(&t->random, MOST_N);
  uint32_t m = random_below(&t->random, MOST_EDGES + 1), colored = 0;
  for (uint32_t i = 0; i < m; i++)
    for (int end = 0; end < 2; end++)
      edges[i][end] = random_below(&t->random, t->n);
  for (uint32_t v = 0; v < t->n; v++) /* one colour, two, or none */
    for (uint32_t i = random_below(&t->random, 3); i > 0; i--) {
      pairs[colored][0] = v;
      pairs[colored++][1] = random_below(&t->random, MOST_COLORS);
    }
  ck_ok((directed ? ms_graph_from_arcs : ms_graph_from_edges)(t->n, m, (const uint32_t(*)[2])edges,
                                                              NULL, &t->graph, &err));
  ck_ok(ms_coloring_from_pairs(t->graph, colored, (const uint32_t(*)[2])pairs, MOST_COLORS,
                               color_names, &t->coloring, &err));
}

static void free_graph(trial *t)
{
  ms_coloring_free(t->coloring);
  ms_graph_free(t->graph);
}

static void expect(const ms_verify_report *report, bool accepted, uint64_t seed)
{
  ck_assert_msg(report->accepted == accepted, "graph %llu: %s", (unsigned long long)seed,
                report->problem);
  ck_assert_int_eq(report->outcome, accepted ? MS_VERIFY_ACCEPTED : MS_VERIFY_REFUSED);
  ck_assert(accepted == (report->problem[0] == '\0'));
}

/* ---- components ---------------------------------------------------------------------- */

START_TEST(components)
{
  for (uint64_t seed = 0; seed < GRAPHS; seed++) {
    trial t;
    uint32_t component[MOST_N], count;
    ms_verify_report report;
    make_graph(&t, seed, seed % 2);
    ck_ok(ms_graph_components(t.graph, MS_COMPONENTS_AFFOREST, 1, component, &count, &err));
    ck_ok(ms_verify_components(t.graph, component, count, NULL, &report, &err));
    expect(&report, true, seed);
    ck_assert_int_eq(report.completeness, MS_COMPLETENESS_PROVED);
    ck_assert_uint_eq(report.rows, t.n);
    ck_ok(ms_verify_components(t.graph, component, count + 1, NULL, &report, &err));
    expect(&report, false, seed);
    for (uint32_t v = 0; v < t.n; v++) {
      component[v]++;
      ck_ok(ms_verify_components(t.graph, component, count, NULL, &report, &err));
      expect(&report, false, seed);
      component[v]--;
    }
    free_graph(&t);
  }
}
END_TEST

/* ---- paths --------------------------------------------------------------------------- */

typedef struct path_rows {
  uint32_t pairs[PAIRS][2], length[PAIRS], vertices[PAIRS * MOST_N];
  uint64_t offset[PAIRS + 1];
} path_rows;

static bool keep_path(void *user, uint64_t pair, const ms_typed_path *path)
{
  path_rows *r = user;
  uint64_t used = r->offset[pair], size = path->vertices ? (uint64_t)path->length + 1 : 0;
  for (uint64_t i = 0; i < size; i++)
    r->vertices[used + i] = path->vertices[i];
  r->length[pair] = path->length;
  r->offset[pair + 1] = used + size;
  return true;
}

static void judge_paths(const ms_typed *typed, const ms_path_options *o, const path_rows *r,
                        bool accepted, uint64_t seed)
{
  ms_verify_report report;
  ck_ok(ms_verify_paths(typed, o, PAIRS, (const uint32_t(*)[2])r->pairs, r->length, r->offset,
                        r->vertices, &report, &err));
  expect(&report, accepted, seed);
  ck_assert_uint_eq(accepted ? report.rows : PAIRS, PAIRS);
}

static void change_paths(const ms_typed *typed, const ms_path_options *o, path_rows *r, uint32_t n,
                         uint64_t seed)
{
  for (uint32_t i = 0; i < PAIRS; i++) {
    r->length[i]++; /* MS_NO_PATH becomes 0 */
    judge_paths(typed, o, r, false, seed);
    r->length[i]--;
  }
  for (uint64_t i = 0; i < r->offset[PAIRS]; i++) {
    uint32_t kept = r->vertices[i];
    r->vertices[i] = n; /* no vertex at all */
    judge_paths(typed, o, r, false, seed);
    r->vertices[i] = kept;
  }
}

START_TEST(paths)
{
  for (uint64_t seed = 0; seed < GRAPHS; seed++) {
    trial t;
    ms_typed *typed;
    path_rows r = {.offset = {0}};
    ms_path_options o = MS_PATH_OPTIONS_DEFAULT;
    make_graph(&t, seed, seed % 2);
    ck_ok(ms_typed_from_graph(t.graph, t.coloring, 1, &typed, &err));
    o.both_ways = seed % 4 == 1;
    o.max_length = seed % 3 == 0 ? 2 : 0;
    for (uint32_t i = 0; i < PAIRS; i++)
      for (int end = 0; end < 2; end++)
        r.pairs[i][end] = random_below(&t.random, t.n);
    ck_ok(ms_typed_path_pairs(typed, &o, PAIRS, (const uint32_t(*)[2])r.pairs, keep_path, &r, NULL,
                              &err));
    judge_paths(typed, &o, &r, true, seed);
    change_paths(typed, &o, &r, t.n, seed);
    ms_typed_free(typed);
    free_graph(&t);
  }
}
END_TEST

START_TEST(type_out_of_range)
{
  trial t;
  ms_typed *typed;
  ms_verify_report report;
  static const uint32_t wrong[] = {99};
  ms_path_options o = MS_PATH_OPTIONS_DEFAULT;
  make_graph(&t, 1, false);
  ck_ok(ms_typed_from_graph(t.graph, NULL, 1, &typed, &err));
  o.types = wrong;
  o.n_types = 1;
  ck_assert_int_eq(ms_verify_paths(typed, &o, 0, NULL, NULL, NULL, NULL, &report, &err),
                   MS_ERR_USAGE);
  ms_typed_free(typed);
  free_graph(&t);
}
END_TEST

/* ---- mined motifs -------------------------------------------------------------------- */

typedef struct mined_rows {
  uint64_t count, offset[MOST_ROWS + 1];
  char text[MOST_ROWS][64];
  const char *motif[MOST_ROWS];
  uint32_t vertex[MOST_ROWS * MOST_N];
} mined_rows;

static bool keep_mined(void *user, const ms_motif *motif, uint32_t count, const uint32_t *vertex)
{
  mined_rows *r = user;
  ck_assert(r->count < MOST_ROWS && strlen(ms_motif_text(motif)) < sizeof r->text[0]);
  strcpy(r->text[r->count], ms_motif_text(motif));
  r->motif[r->count] = r->text[r->count];
  uint64_t used = r->offset[r->count++];
  for (uint32_t i = 0; i < count; i++)
    r->vertex[used + i] = vertex[i];
  r->offset[r->count] = used + count;
  return true;
}

static void judge_mined(const trial *t, const ms_mine_options *o, bool complete,
                        const mined_rows *r, bool accepted, uint64_t seed)
{
  ms_verify_report report;
  ck_ok(ms_verify_mined(t->graph, t->coloring, o, complete, r->count, r->motif, r->offset,
                        r->vertex, &report, &err));
  expect(&report, accepted, seed);
  ck_assert_int_eq(report.completeness,
                   accepted && complete ? MS_COMPLETENESS_PROVED : MS_COMPLETENESS_NOT_STATED);
}

static void change_mined(const trial *t, const ms_mine_options *o, mined_rows *r, uint64_t seed)
{
  static const char *const wrong[] = {"c9", "c0:9", "*,c0", "c0|c1,c2", ",", "c0"};
  for (uint64_t i = 0; i < r->offset[r->count]; i++) {
    r->vertex[i]++;
    judge_mined(t, o, true, r, false, seed);
    r->vertex[i]--;
  }
  for (uint64_t i = 0; i < sizeof wrong / sizeof *wrong && r->count > 0; i++) {
    if (strcmp(wrong[i], r->text[0]) == 0)
      continue;
    r->motif[0] = wrong[i];
    judge_mined(t, o, true, r, false, seed);
    r->motif[0] = r->text[0];
  }
  if (r->count == 0)
    return;
  if (r->count > 1) { /* a row twice, in place of the next one */
    const char *kept = r->motif[1];
    r->motif[1] = r->motif[0];
    judge_mined(t, o, false, r, false, seed);
    r->motif[1] = kept;
  }
  r->count--; /* the last one is missing */
  judge_mined(t, o, true, r, false, seed);
  judge_mined(t, o, false, r, true, seed); /* and is not claimed */
  r->count++;
}

START_TEST(mined)
{
  for (uint64_t seed = 0; seed < GRAPHS; seed++) {
    trial t;
    ms_session *session;
    mined_rows r = {.count = 0};
    ms_mine_options o = MS_MINE_OPTIONS_DEFAULT;
    make_graph(&t, seed, false);
    ck_ok(ms_session_new(t.graph, t.coloring, &session, &err));
    o.slots = 1 + (uint32_t)(seed % 4);
    o.least = o.slots > 1 ? 2 : 1;
    o.support = 1 + (uint32_t)(seed % 3);
    o.run.threads = 1;
    ck_ok(ms_session_mine(session, &o, keep_mined, &r, NULL, &err));
    judge_mined(&t, &o, true, &r, true, seed);
    change_mined(&t, &o, &r, seed);
    ms_session_free(session);
    free_graph(&t);
  }
}
END_TEST

/* ---- stops --------------------------------------------------------------------------- */

START_TEST(stopped)
{
  trial t;
  ms_typed *typed;
  ms_stop *stop;
  ms_verify_report report[3];
  uint32_t component[MOST_N], count;
  static const uint32_t pair[1][2] = {{0, 0}}, length[1] = {0}, vertices[1] = {0};
  static const uint64_t offset[2] = {0, 1};
  ms_path_options path_run = MS_PATH_OPTIONS_DEFAULT;
  ms_mine_options mine_run = MS_MINE_OPTIONS_DEFAULT;
  make_graph(&t, 3, false);
  ck_ok(ms_typed_from_graph(t.graph, t.coloring, 1, &typed, &err));
  ck_ok(ms_graph_components(t.graph, MS_COMPONENTS_AFFOREST, 1, component, &count, &err));
  ck_ok(ms_stop_new(&stop, &err));
  ms_stop_request(stop);
  path_run.run.stop = mine_run.run.stop = stop;
  ck_ok(ms_verify_components(t.graph, component, count, stop, &report[0], &err));
  ck_ok(ms_verify_paths(typed, &path_run, 1, pair, length, offset, vertices, &report[1], &err));
  ck_ok(
      ms_verify_mined(t.graph, t.coloring, &mine_run, true, 0, NULL, NULL, NULL, &report[2], &err));
  for (int i = 0; i < 3; i++) {
    ck_assert_int_eq(report[i].outcome, MS_VERIFY_UNFINISHED);
    ck_assert_int_eq(report[i].run.stopped, MS_ERR_INTERRUPTED);
    ck_assert(!report[i].accepted && strstr(report[i].problem, "nothing was refuted"));
  }
  ms_stop_free(stop);
  ms_typed_free(typed);
  free_graph(&t);
}
END_TEST

static ms_status judge_all(void *user, ms_error *reason)
{
  trial *t = user;
  ms_typed *typed = NULL;
  ms_verify_report report;
  uint32_t component[MOST_N], count;
  static const uint32_t pair[1][2] = {{0, 0}}, length[1] = {0}, vertices[1] = {0};
  static const uint64_t offset[2] = {0, 1};
  ms_status status =
      ms_graph_components(t->graph, MS_COMPONENTS_AFFOREST, 1, component, &count, reason);
  if (status == MS_OK)
    status = ms_verify_components(t->graph, component, count, NULL, &report, reason);
  if (status == MS_OK)
    status = ms_typed_from_graph(t->graph, t->coloring, 1, &typed, reason);
  if (status == MS_OK)
    status = ms_verify_paths(typed, NULL, 1, pair, length, offset, vertices, &report, reason);
  if (status == MS_OK)
    status =
        ms_verify_mined(t->graph, t->coloring, NULL, false, 0, NULL, NULL, NULL, &report, reason);
  ms_typed_free(typed);
  return status;
}

START_TEST(every_allocation_may_fail)
{
  trial t;
  make_graph(&t, 5, false);
  ck_assert_int_gt(failing_runs_survived(judge_all, &t), 10);
  free_graph(&t);
}
END_TEST

TEST_MAIN("verify_memory", TEST(components), TEST(paths), TEST(type_out_of_range), TEST(mined),
          TEST(stopped), TEST(every_allocation_may_fail))
