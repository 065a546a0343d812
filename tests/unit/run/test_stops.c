/* Every phase looks at the stop token: calls under a token that is stopped from its n-th look on.
 */
#include "base/threads/stop.h"
#include "base/threads/watch.h"
#include "graph/generate/generate.h"
#include "graph/graph.h"
#include "graph/typed.h"
#include "motif/sort_rows.h"
#include "verify/judge/judge.h"
#include "verify/recount.h"
#include "verify/row_set.h"

#include "tests/support/files.h"
#include "tests/support/random.h"
#include "tests/support/test_main.h"
#include "tests/support/tool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ms_error err;

/* ---- a call and its looks ------------------------------------------------------- */

typedef ms_status call_fn(void);
static ms_stop *token; /* of the call */

/* Calls fn under a token that allows this many looks. */
static ms_status call_with(call_fn *fn, uint64_t allowed, uint64_t *looks)
{
  ck_ok(ms_stop_new(&token, &err));
  ms_stop_after_looks(token, allowed);
  ms_stop_attach(token);
  err.message[0] = '\0';
  ms_status status = fn();
  ms_stop_attach(NULL);
  *looks = ms_stop_looks(token);
  ms_stop_free(token);
  return status;
}

/* Stops of a call: it runs once for each. */
#define POINTS 40u
/* The same of a call that takes long and is in one phase nearly all the time. */
static uint64_t few_points(void)
{
  return test_scale() < 0.1 ? 14 : POINTS;
}

/* Checks that the call looks at the token at least `least` times, that it fails with the token's
 * status whenever the token is stopped, without many further looks, and that at some of these
 * points it names the phase. */
static void check_points(const char *name, call_fn *fn, uint64_t least, const char *phase,
                         uint64_t points)
{
  enum { LATE_LOOKS = 8 };
  uint64_t all, looks;
  unsigned named = 0;
  ck_assert_msg(call_with(fn, UINT64_MAX, &all) == MS_OK, "%s: %s", name, err.message);
  ck_assert_msg(all >= least, "%s: %llu looks, not %llu", name, (unsigned long long)all,
                (unsigned long long)least);
  for (uint64_t i = 0; i < points; i++) {
    uint64_t allowed = all * i / points;
    ms_status status = call_with(fn, allowed, &looks);
    ck_assert_msg(status == MS_ERR_LIMIT, "%s: status %d after %llu looks", name, (int)status,
                  (unsigned long long)allowed);
    ck_assert_msg(strncmp(err.message, "out of time while ", 18) == 0, "%s: %s", name, err.message);
    ck_assert_msg(looks <= allowed + LATE_LOOKS, "%s: %llu looks after the stop", name,
                  (unsigned long long)(looks - allowed));
    named += strstr(err.message, phase) != NULL;
  }
  ck_assert_msg(named > 0, "%s: never stopped while %s", name, phase);
}

static void check_call(const char *name, call_fn *fn, uint64_t least, const char *phase)
{
  check_points(name, fn, least, phase, POINTS);
}

/* ---- generators ----------------------------------------------------------------- */

static ms_generate_options generator;

static ms_status generate(void)
{
  ms_graph *graph;
  ms_status status = ms_generate(&generator, &graph, &err);
  ms_graph_free(graph);
  return status;
}

static ms_generate_options generator_of(ms_family family, unsigned given)
{
  ms_generate_options o = MS_GENERATE_OPTIONS_DEFAULT;
  o.family = family;
  o.given = given;
  o.run.threads = 1;
  return o;
}

/* A generator of each family ends while it makes 200,000 edges, before they become rows. */
START_TEST(generators)
{
  static const char phase[] = "the graph is made";
  generator = generator_of(MS_FAMILY_ER, MS_GEN_VERTICES | MS_GEN_EDGES);
  generator.vertices = 20000;
  generator.edges = 200000;
  check_points("er", generate, 60, phase, few_points());
  generator.vertices = 700; /* 244,650 pairs: the complement of the others */
  check_points("er, dense", generate, 60, phase, few_points());
  generator = generator_of(MS_FAMILY_ER, MS_GEN_VERTICES | MS_GEN_PROBABILITY);
  generator.vertices = 20000;
  generator.probability = 0.001;
  check_points("er, probability", generate, 60, phase, few_points());
  generator = generator_of(MS_FAMILY_REGULAR, MS_GEN_VERTICES | MS_GEN_DEGREE);
  generator.vertices = 20000;
  generator.degree = 20;
  check_points("regular", generate, 150, phase, few_points());
  generator.vertices = 700;
  generator.degree = 600;
  check_points("regular, dense", generate, 100, phase, few_points());
  generator = generator_of(MS_FAMILY_POWER_LAW, MS_GEN_VERTICES | MS_GEN_EDGES | MS_GEN_EXPONENT);
  generator.vertices = 20000;
  generator.edges = 200000;
  generator.exponent = -1;
  check_points("power-law", generate, 150, phase, few_points());
  generator = generator_of(MS_FAMILY_CLIQUE, MS_GEN_VERTICES);
  generator.vertices = 700;
  check_points("clique", generate, 60, phase, few_points());
  generator = generator_of(MS_FAMILY_RMAT, MS_GEN_SCALE | MS_GEN_EDGES);
  generator.scale = 14;
  generator.edges = 100000;
  generator.quadrants[0] = 0.57;
  check_points("rmat", generate, 60, phase, few_points());
  generator = generator_of(MS_FAMILY_GRID, MS_GEN_ROWS | MS_GEN_COLS);
  generator.rows = 1; /* one long row has its own looks */
  generator.cols = 200000;
  check_points("grid", generate, 700, phase, few_points());
  generator = generator_of(MS_FAMILY_HUBS, MS_GEN_VERTICES | MS_GEN_DEGREE | MS_GEN_EXPONENT);
  generator.vertices = 20000;
  generator.degree = 20;
  generator.exponent = -1;
  check_points("hubs", generate, 150, phase, few_points());
}
END_TEST

/* ---- colours and types ------------------------------------------------------------ */

static ms_graph *graph;
static ms_coloring *coloring;

static void open_graph(void)
{
  generator = generator_of(MS_FAMILY_ER, MS_GEN_VERTICES | MS_GEN_EDGES);
  generator.vertices = 20000;
  generator.edges = 100000;
  ck_ok(ms_generate(&generator, &graph, &err));
  ck_ok(ms_generate_colors(graph, 6, 1, &coloring, &err));
}

static void close_graph(void)
{
  ms_coloring_free(coloring);
  ms_graph_free(graph);
}

static ms_status color(void)
{
  ms_coloring *colors;
  ms_status status = ms_generate_colors(graph, 5, 1, &colors, &err);
  ms_coloring_free(colors);
  return status;
}

static ms_status plant(void)
{
  ms_coloring *colors;
  ms_planted planted;
  ms_plant_options o = MS_PLANT_OPTIONS_DEFAULT;
  o.slots = 5;
  o.plants = 100;
  o.background = 3;
  ms_status status = ms_generate_planted(graph, &o, &colors, &planted, &err);
  ms_coloring_free(colors);
  ms_planted_clear(&planted);
  return status;
}

static ms_status shuffle(void)
{
  ms_graph *copy;
  ms_shuffle_options o = MS_SHUFFLE_OPTIONS_DEFAULT;
  o.run.threads = 1;
  ms_status status = ms_graph_shuffle(graph, &o, &copy, NULL, &err);
  ms_graph_free(copy);
  return status;
}

static ms_status permute(void)
{
  ms_coloring *colors;
  ms_status status = ms_coloring_permute(graph, coloring, 1, 1, &colors, &err);
  ms_coloring_free(colors);
  return status;
}

static ms_status cut(void)
{
  ms_cuts cuts;
  ms_cut_options o = MS_CUT_OPTIONS_DEFAULT;
  o.patterns = 300;
  o.coloring = coloring;
  ms_status status = ms_cut_patterns(graph, &o, &cuts, &err);
  ms_cuts_clear(&cuts);
  return status;
}

static ms_status add_types(void)
{
  ms_typed *typed;
  ms_status status = ms_generate_types(graph, coloring, 4, 2, 1, 1, &typed, &err);
  ms_typed_free(typed);
  return status;
}

static ms_status to_typed(void)
{
  ms_typed *typed;
  ms_status status = ms_typed_from_graph(graph, coloring, 1, &typed, &err);
  ms_typed_free(typed);
  return status;
}

/* Drawing colours and types, sorting and moving them, shuffling and cutting end at 20,000 vertices
 * and 100,000 edges. */
START_TEST(colors_and_types)
{
  check_call("colours", color, 100, "colours are drawn");
  check_call("colours, sorted", color, 100, "colours are sorted");
  check_call("plants", plant, 200, "colours are drawn");
  check_call("shuffled graph", shuffle, 200, "the graph is shuffled");
  check_call("permuted colours", permute, 80, "colours are moved");
  check_call("patterns", cut, 300, "patterns are cut");
  check_call("types", add_types, 80, "types of edges are drawn");
  check_call("typed graph", to_typed, 80, "types are given to the graph");
}
END_TEST

/* ---- rows -------------------------------------------------------------------------- */

enum { ROWS = 900000, WIDTH = 3 };

static int compare_rows(const uint32_t *a, const uint32_t *b)
{
  int i = 0;
  while (i < WIDTH - 1 && a[i] == b[i])
    i++;
  return (a[i] > b[i]) - (a[i] < b[i]);
}

/* Sorting that is stopped after any number of looks has the same rows, and looks no more; sorting
 * that is not stopped looks at least once per pass over 65,536 rows: rows of three columns take a
 * partition and four passes by digits. */
START_TEST(sorting_rows)
{
  uint32_t *rows = malloc((size_t)ROWS * WIDTH * sizeof *rows);
  ms_stop *stop;
  ck_ok(ms_stop_new(&stop, &err));
  uint64_t all = 0;
  for (uint64_t allowed = UINT64_MAX, n = 0; n < 12; allowed = all * n / 12, n++) {
    uint64_t state = 1, before = 0, after = 0;
    for (size_t i = 0; i < (size_t)ROWS * WIDTH; i++)
      rows[i] = (uint32_t)(random_next(&state) % 5000);
    for (size_t r = 0; r < ROWS; r++)
      before += (rows[3 * r] * UINT64_C(25000000) + rows[3 * r + 1] * 5000 + rows[3 * r + 2]) *
                    UINT64_C(0x9E3779B97F4A7C15) >>
                20;
    ms_stop_after_looks(stop, allowed);
    ms_watch watch = {.stop = stop};
    ms_sort_rows(rows, ROWS, WIDTH, &watch);
    for (size_t r = 0; r < ROWS; r++)
      after += (rows[3 * r] * UINT64_C(25000000) + rows[3 * r + 1] * 5000 + rows[3 * r + 2]) *
                   UINT64_C(0x9E3779B97F4A7C15) >>
               20;
    ck_assert_uint_eq(after, before);
    if (n == 0) {
      all = ms_stop_looks(stop);
      ck_assert_uint_ge(all, 30);
      ck_assert_int_eq(watch.seen, MS_OK);
      for (size_t r = 1; r < ROWS; r++)
        ck_assert_int_ge(compare_rows(rows + 3 * r, rows + 3 * (r - 1)), 0);
    } else {
      ck_assert_uint_eq(ms_stop_looks(stop), allowed + 1);
      ck_assert_int_eq(watch.seen, MS_ERR_LIMIT);
    }
  }
  ms_stop_free(stop);
  free(rows);
}
END_TEST

/* ---- the sieve ---------------------------------------------------------------------- */

/* A screen without pruning, stopped after each of 40 numbers of looks, is marked stopped; the
 * weights of 20,000 vertices and each step of the sieve have looks of their own. */
START_TEST(sieve)
{
  ms_motif *motif;
  ms_query *query;
  ck_ok(ms_motif_parse("c0:2,c1,c2,c3", coloring, &motif, &err));
  ck_ok(ms_query_new(graph, coloring, motif, 0, NULL, &query, &err));
  uint64_t all = 0;
  for (uint64_t allowed = UINT64_MAX, n = 0; n <= 40; allowed = all * n / 41, n++) {
    ms_stop *stop;
    ms_screen_result *result;
    ms_screen_options o = MS_SCREEN_OPTIONS_DEFAULT;
    ck_ok(ms_stop_new(&stop, &err));
    ms_stop_after_looks(stop, allowed);
    o.run.stop = stop;
    o.no_prune = true;
    o.no_early_stop = true;
    o.repetitions = 1;
    o.backend = MS_BACKEND_CPU;
    o.run.threads = 1;
    ms_status status = ms_screen(query, &o, &result, &err);
    if (n == 0) {
      ck_assert_int_eq(status, MS_OK);
      ck_assert_int_eq(result->run.stopped, MS_OK);
      all = ms_stop_looks(stop);
      ck_assert_uint_ge(all, 2 * 20000 / 256);
    } else {
      ck_assert_int_eq(status == MS_OK ? result->run.stopped : status, MS_ERR_LIMIT);
      ck_assert_uint_le(ms_stop_looks(stop), allowed + 16);
    }
    if (status == MS_OK)
      ms_screen_result_free(result);
    ms_stop_free(stop);
  }
  ms_query_free(query);
  ms_motif_free(motif);
}
END_TEST

/* ---- reading and listing ------------------------------------------------------------- */

static ms_status read_numbers(void)
{
  ms_graph *read = NULL;
  ms_status status = ms_graph_read(files_path("many.mtx"), NULL, &read, &err);
  ms_graph_free(read);
  return status;
}

/* A head that says that there are 200,000 vertices: making their names ends, too. */
START_TEST(numbered_vertices)
{
  files_write_text("many.mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n"
                               "200000 200000 1\n2 1\n");
  check_points("numbers", read_numbers, 100, "the vertices are numbered", few_points());
}
END_TEST

enum { LEAVES = 20000 };

/* A star whose hub has one colour, and all leaves another. */
static void open_star(ms_graph **star, ms_coloring **colors)
{
  static const char *const names[] = {"hub", "leaf"};
  static uint32_t edge[LEAVES][2], pair[LEAVES + 1][2];
  for (uint32_t v = 0; v <= LEAVES; v++) {
    pair[v][0] = v;
    pair[v][1] = v > 0;
    if (v < LEAVES)
      edge[v][1] = v + 1;
  }
  ck_ok(ms_graph_from_edges(LEAVES + 1, LEAVES, (const uint32_t(*)[2])edge, NULL, star, &err));
  ck_ok(ms_coloring_from_pairs(*star, LEAVES + 1, (const uint32_t(*)[2])pair, 2, names, colors,
                               &err));
}

/* A listing looks at the token once in about 1,024 matches also where a choice leads to 20,000 of
 * them, at the hub of a star. */
START_TEST(listing_at_a_hub)
{
  enum { LOOKS = 6000, PER_LOOK = 1024 };
  ms_graph *star;
  ms_coloring *colors;
  ms_motif *motif;
  ms_query *query;
  ms_list_result *result;
  ms_list_options run = MS_LIST_OPTIONS_DEFAULT;
  open_star(&star, &colors);
  ck_ok(ms_motif_parse("hub,leaf:2", colors, &motif, &err));
  ck_ok(ms_query_new(star, colors, motif, 0, NULL, &query, &err));
  run.exact = true;
  run.count_only = true;
  run.limit = UINT64_MAX; /* each match is visited */
  run.screen.run.threads = 1;
  ck_ok(ms_stop_new(&token, &err));
  ms_stop_after_looks(token, LOOKS);
  run.screen.run.stop = token;
  ck_ok(ms_list(query, &run, &result, &err));
  ck_assert_int_eq(result->run.stopped, MS_ERR_LIMIT);
  ck_assert_uint_gt(result->matches, 0);
  ck_assert_uint_le(result->matches, (LOOKS + 1) * PER_LOOK);
  ms_list_result_free(result);
  ms_stop_free(token);
  ms_query_free(query);
  ms_motif_free(motif);
  ms_coloring_free(colors);
  ms_graph_free(star);
}
END_TEST

/* ---- drawings ----------------------------------------------------------------------- */

static ms_query *list_query;
static ms_list_result *list;
static ms_form form;

static ms_status draw(void)
{
  ms_write_options o = MS_WRITE_OPTIONS_DEFAULT;
  ms_list_options run = MS_LIST_OPTIONS_DEFAULT;
  run.exact = true;
  o.form = form;
  o.whole_graph = true;
  return ms_list_write(list_query, &run, list, &o, files_path("drawing"), &err);
}

/* A drawing of 20,000 vertices ends while it is made, in both forms.  The first look of all, which
 * finds a stopped token, gives the drawing a short time of its own. */
START_TEST(drawings)
{
  ms_motif *motif;
  ms_list_options run = MS_LIST_OPTIONS_DEFAULT;
  run.exact = true;
  ck_ok(ms_motif_parse("c0,c1", coloring, &motif, &err));
  ck_ok(ms_query_new(graph, coloring, motif, 0, NULL, &list_query, &err));
  ck_ok(ms_list(list_query, &run, &list, &err));
  for (form = MS_FORM_CX2; form <= MS_FORM_DOT; form++) {
    uint64_t all, looks;
    ck_ok(call_with(draw, UINT64_MAX, &all));
    ck_assert_uint_ge(all, 150);
    for (uint64_t i = 1; i < 20; i++) {
      ck_assert_int_eq(call_with(draw, 1 + all * i / 21, &looks), MS_ERR_LIMIT);
      ck_assert_msg(strstr(err.message, "out of time while the drawing is made"), "%s",
                    err.message);
      ck_assert_uint_le(looks, 1 + all * i / 21 + 8);
    }
  }
  ms_list_result_free(list);
  ms_query_free(list_query);
  ms_motif_free(motif);
}
END_TEST

/* ---- patterns ------------------------------------------------------------------------- */

static ms_typed_query *typed_query;
static ms_pattern_index *pattern_index;
static ms_pattern *pattern;
static bool inexact;
static bool is_whole; /* an inexact search has the best maps, and needed no more time */

/* Returns the status of a run or, if it has a result, why that is incomplete. */
static ms_status match_typed(void)
{
  ms_typed_match_options o = MS_TYPED_MATCH_OPTIONS_DEFAULT;
  ms_write_options form_options = MS_WRITE_OPTIONS_DEFAULT;
  ms_typed_result *result;
  o.run.threads = 1;
  o.run.stop = token;
  o.induced = !inexact;
  o.best = inexact ? 5 : 0;
  ms_status status = inexact ? ms_typed_match_inexact(typed_query, &o, &result, &err)
                             : ms_typed_match_to_file(typed_query, &o, &form_options,
                                                      files_path("matches"), &result, &err);
  if (status == MS_OK) {
    status = result->run.stopped;
    is_whole = inexact && result->matches == o.best;
    ms_typed_result_free(result);
  }
  return status;
}

static ms_status match_plain(void)
{
  ms_pattern_options o = MS_PATTERN_OPTIONS_DEFAULT;
  ms_write_options form_options = MS_WRITE_OPTIONS_DEFAULT;
  ms_pattern_result *result;
  o.screen.run.threads = 1;
  o.screen.run.stop = token;
  ms_status status = ms_pattern_list_to_file(pattern_index, pattern, &o, &form_options,
                                             files_path("matches"), &result, &err);
  if (status == MS_OK) {
    status = result->run.stopped;
    ms_pattern_result_free(result);
  }
  return status;
}

static ms_status filter(void)
{
  ms_typed *filtered;
  ms_status status = ms_typed_filter(typed_query, 1, &filtered, &err);
  ms_typed_free(filtered);
  return status;
}

/* Checks that a search ends whenever the token is stopped: with the token's status, or with a
 * result that says so; and soon. */
static void check_search(const char *name, call_fn *fn, uint64_t least)
{
  enum { LATE_LOOKS = 24 };
  const uint64_t points = test_scale() < 0.1 ? 14 : 60; /* the search runs once for each */
  uint64_t all, looks;
  ck_assert_msg(call_with(fn, UINT64_MAX, &all) == MS_OK, "%s: %s", name, err.message);
  ck_assert_msg(all >= least, "%s: %llu looks", name, (unsigned long long)all);
  for (uint64_t i = 0; i < points; i++) {
    uint64_t allowed = i < points / 2 ? i : all * i / (points + 1);
    is_whole = false;
    remove(files_path("matches"));
    ms_status status = call_with(fn, allowed, &looks);
    ck_assert_msg(status == MS_ERR_LIMIT || looks <= allowed || is_whole,
                  "%s: status %d after %llu looks: %s", name, (int)status,
                  (unsigned long long)allowed, err.message);
    ck_assert_msg(looks <= allowed + LATE_LOOKS, "%s: %llu looks after the stop", name,
                  (unsigned long long)(looks - allowed));
  }
}

/* Searches of plain and typed patterns hear a stop in each of their steps: filter, domains,
 * relations with rows of all neighbours, judge, plan, rows. */
START_TEST(searches)
{
  ms_typed *typed;
  ms_typed_pattern *typed_pattern;
  ck_ok(ms_generate_types(graph, coloring, 4, 2, 1, 1, &typed, &err));
  ck_ok(ms_typed_pattern_parse("(a:c0)--(b:c1)-[t0|t1|t2|t3]-(c:c2)", &typed_pattern, &err));
  ck_ok(ms_typed_query_new(typed, typed_pattern, &typed_query, &err));
  check_call("filter", filter, 20, "the graph is filtered");
  check_search("typed match", match_typed, 150);
  inexact = true;
  check_search("inexact match", match_typed, 20);
  inexact = false;
  ms_typed_query_free(typed_query);
  ms_typed_pattern_free(typed_pattern);
  ms_typed_free(typed);
  ck_ok(ms_pattern_index_new(graph, coloring, 1, &pattern_index, &err));
  ck_ok(ms_pattern_named("cycle:4", &pattern, &err));
  check_search("plain match", match_plain, 20);
  ms_pattern_free(pattern);
  ms_pattern_index_free(pattern_index);
}
END_TEST

/* ---- statistics ------------------------------------------------------------------------- */

static ms_status measure_graph(void)
{
  ms_graph_stats stats;
  return ms_graph_measure(graph, &stats, &err);
}

static ms_status measure_colors(void)
{
  ms_color_stats stats;
  ms_status status = ms_coloring_measure(coloring, &stats, &err);
  ms_color_stats_clear(&stats);
  return status;
}

static ms_status measure_query(void)
{
  ms_motif_stats stats;
  return ms_query_measure(list_query, &stats, &err);
}

/* Statistics of a graph, its colours and a motif end in their loops. */
START_TEST(statistics)
{
  ms_motif *motif;
  check_call("graph", measure_graph, 60, "the graph is measured");
  check_call("colours", measure_colors, 30, "the graph is measured");
  ck_ok(ms_motif_parse("c0,c1,c2,c3", coloring, &motif, &err));
  ck_ok(ms_query_new(graph, coloring, motif, 0, NULL, &list_query, &err));
  check_call("motif", measure_query, 150, "the graph is measured");
  ms_query_free(list_query);
  ms_motif_free(motif);
}
END_TEST

/* ---- writers ---------------------------------------------------------------------------- */

/* Coloured orbits, as long and as wide tables, and cliques of each vertex are written whole under a
 * token that has stopped. */
START_TEST(written_whole)
{
  ms_census_options census = MS_CENSUS_OPTIONS_DEFAULT;
  ms_clique_options sizes = MS_CLIQUE_OPTIONS_DEFAULT;
  ms_orbits_result *orbits;
  ms_pattern_index *index;
  ms_clique_counts *cliques;
  size_t whole[3] = {0}, bytes;
  census.k = 3;
  sizes.least = 2;
  sizes.most = 3;
  sizes.per_vertex = true;
  ck_ok(ms_orbits(graph, coloring, &census, &orbits, &err));
  ck_ok(ms_pattern_index_new(graph, NULL, 1, &index, &err));
  ck_ok(ms_clique_counts_new(index, &sizes, &cliques, &err));
  ck_ok(ms_stop_new(&token, &err));
  ms_stop_after_looks(token, 0);
  for (int stopped = 0; stopped < 2; stopped++) {
    ms_stop_attach(stopped ? token : NULL);
    for (int i = 0; i < 3; i++) {
      const char *path = files_path("whole.tsv");
      if (i < 2)
        ck_ok(ms_orbits_write(graph, coloring, &census, orbits, i == 1, NULL, path, &err));
      else
        ck_ok(ms_clique_counts_write(index, cliques, NULL, path, &err));
      free(tool_slurp("whole.tsv", &bytes));
      ck_assert_uint_gt(bytes, 100000);
      ck_assert(!stopped || bytes == whole[i]);
      whole[i] = bytes;
    }
  }
  ms_stop_attach(NULL);
  ms_stop_free(token);
  ms_clique_counts_free(cliques);
  ms_pattern_index_free(index);
  ms_orbits_result_free(orbits);
}
END_TEST

/* ---- verify ----------------------------------------------------------------------------- */

/* The first row out of order moves all rows to a hash table, which a stop ends; the set keeps what
 * it has. */
START_TEST(row_sets)
{
  enum { COUNT = 20000 };
  ms_row_set *set;
  ms_stop *stop;
  bool fresh;
  ck_ok(ms_row_set_new(2, 1000000, &set, &err));
  for (uint32_t i = 0; i < COUNT; i++)
    ck_ok(ms_row_set_add(set, (const uint32_t[2]){i + 5, 1}, &fresh, &err));
  ck_ok(ms_stop_new(&stop, &err));
  ms_stop_attach(stop);
  const uint32_t late[2] = {1, 1}, first[2] = {5, 1};
  for (uint64_t allowed = 0; allowed < 30; allowed += 10) {
    ms_stop_after_looks(stop, allowed);
    ck_assert_int_eq(ms_row_set_add(set, late, &fresh, &err), MS_ERR_LIMIT);
    ck_assert(ms_row_set_has(set, first) && !ms_row_set_has(set, late));
  }
  ms_stop_after_looks(stop, UINT64_MAX);
  ck_ok(ms_row_set_add(set, late, &fresh, &err));
  ck_assert(fresh && ms_row_set_has(set, first) && ms_row_set_has(set, late));
  ck_assert_uint_ge(ms_stop_looks(stop), COUNT / 512);
  ms_stop_attach(NULL);
  ms_stop_free(stop);
  ms_row_set_free(set);
}
END_TEST

/* A chain of 40,000 vertices that loses two in seven a round, of which nothing is left: the recount
 * looks at a vertex a few times only, and not once a round.  A stop ends it. */
START_TEST(recount_of_a_chain)
{
  enum { N = 40000, PERIOD = 7 };
  static const char *const names[] = {"a", "b", "c", "d", "e"};
  static const uint32_t colors[PERIOD] = {1, 0, 4, 2, 0, 3, 0};
  static uint32_t edge[N][2], pair[N][2], slots[N];
  ms_graph *chain;
  ms_coloring *chain_colors;
  ms_motif *motif;
  ms_query *query;
  ms_stop *stop;
  uint32_t left = 0;
  for (uint32_t v = 0; v < N; v++) {
    edge[v][0] = v;
    edge[v][1] = v + 1;
    pair[v][0] = v;
    pair[v][1] = colors[v % PERIOD];
  }
  ck_ok(ms_graph_from_edges(N, N - 1, (const uint32_t(*)[2])edge, NULL, &chain, &err));
  ck_ok(
      ms_coloring_from_pairs(chain, N, (const uint32_t(*)[2])pair, 5, names, &chain_colors, &err));
  ck_ok(ms_motif_parse("a,b,c,d,e", chain_colors, &motif, &err));
  ck_ok(ms_query_new(chain, chain_colors, motif, 0, NULL, &query, &err));
  ck_ok(ms_stop_new(&stop, &err));
  uint64_t all = 20000;
  for (int share = 4; share >= 0; share--) {
    for (uint32_t v = 0; v < N; v++)
      slots[v] = ms_verify_slots(query, v);
    uint64_t allowed = all * (uint64_t)share / 4;
    ms_stop_after_looks(stop, allowed);
    ck_ok(ms_recount_narrow(query, slots, stop, &err));
    left = 0;
    for (uint32_t v = 0; v < N; v++)
      left += slots[v] != 0;
    if (share == 4) {
      all = ms_stop_looks(stop);
      ck_assert_uint_eq(left, 0);
      ck_assert_msg(all > 1000 && all < 20000, "%llu looks", (unsigned long long)all);
    } else {
      ck_assert_uint_gt(left, 0);
      ck_assert_uint_eq(ms_stop_looks(stop), allowed + 1);
    }
  }
  ms_stop_free(stop);
  ms_query_free(query);
  ms_motif_free(motif);
  ms_coloring_free(chain_colors);
  ms_graph_free(chain);
}
END_TEST

TEST_MAIN("stops", AROUND_EACH(open_graph, close_graph), TEST(generators), TEST(colors_and_types),
          TEST(sorting_rows), TEST(sieve), TEST(numbered_vertices), TEST(listing_at_a_hub),
          TEST(drawings), TEST(searches), TEST(statistics), TEST(written_whole), TEST(row_sets),
          TEST(recount_of_a_chain))
