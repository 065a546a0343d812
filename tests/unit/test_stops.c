/* Every phase looks at the stop token: calls under a token that is stopped from its n-th look on.
 */
#include "base/stop.h"
#include "base/watch.h"
#include "graph/generate/generate.h"
#include "graph/graph.h"
#include "graph/typed.h"
#include "motif/sort_rows.h"

#include "tests/support/files.h"
#include "tests/support/random.h"
#include "tests/support/test_main.h"

#include <stdlib.h>
#include <string.h>

static ms_error err;

/* ---- a call and its looks ------------------------------------------------------- */

typedef ms_status call_fn(void);

/* Calls fn under a token that allows this many looks. */
static ms_status call_with(call_fn *fn, uint64_t allowed, uint64_t *looks)
{
  ms_stop *stop;
  ck_ok(ms_stop_new(&stop, &err));
  ms_stop_after_looks(stop, allowed);
  ms_stop_attach(stop);
  err.message[0] = '\0';
  ms_status status = fn();
  ms_stop_attach(NULL);
  *looks = ms_stop_looks(stop);
  ms_stop_free(stop);
  return status;
}

/* Checks that the call looks at the token at least `least` times, that it fails with the token's
 * status whenever the token is stopped, without many further looks, and that at some of these
 * points it names the phase. */
static void check_call(const char *name, call_fn *fn, uint64_t least, const char *phase)
{
  enum { POINTS = 40, LATE_LOOKS = 8 };
  uint64_t all, looks;
  unsigned named = 0;
  ck_assert_msg(call_with(fn, UINT64_MAX, &all) == MS_OK, "%s: %s", name, err.message);
  ck_assert_msg(all >= least, "%s: %llu looks, not %llu", name, (unsigned long long)all,
                (unsigned long long)least);
  for (uint64_t i = 0; i < POINTS; i++) {
    uint64_t allowed = all * i / POINTS;
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
  o.threads = 1;
  return o;
}

/* A generator of each family ends while it makes 200,000 edges, before they become rows. */
START_TEST(generators)
{
  static const char phase[] = "the graph is made";
  generator = generator_of(MS_FAMILY_ER, MS_GEN_VERTICES | MS_GEN_EDGES);
  generator.vertices = 20000;
  generator.edges = 200000;
  check_call("er", generate, 60, phase);
  generator.vertices = 700; /* 244,650 pairs: the complement of the others */
  check_call("er, dense", generate, 60, phase);
  generator = generator_of(MS_FAMILY_ER, MS_GEN_VERTICES | MS_GEN_PROBABILITY);
  generator.vertices = 20000;
  generator.probability = 0.001;
  check_call("er, probability", generate, 60, phase);
  generator = generator_of(MS_FAMILY_REGULAR, MS_GEN_VERTICES | MS_GEN_DEGREE);
  generator.vertices = 20000;
  generator.degree = 20;
  check_call("regular", generate, 150, phase);
  generator.vertices = 700;
  generator.degree = 600;
  check_call("regular, dense", generate, 100, phase);
  generator = generator_of(MS_FAMILY_POWER_LAW, MS_GEN_VERTICES | MS_GEN_EDGES | MS_GEN_EXPONENT);
  generator.vertices = 20000;
  generator.edges = 200000;
  generator.exponent = -1;
  check_call("power-law", generate, 150, phase);
  generator = generator_of(MS_FAMILY_CLIQUE, MS_GEN_VERTICES);
  generator.vertices = 700;
  check_call("clique", generate, 60, phase);
  generator = generator_of(MS_FAMILY_RMAT, MS_GEN_SCALE | MS_GEN_EDGES);
  generator.scale = 14;
  generator.edges = 100000;
  generator.quadrants[0] = 0.57;
  check_call("rmat", generate, 60, phase);
  generator = generator_of(MS_FAMILY_GRID, MS_GEN_ROWS | MS_GEN_COLS);
  generator.rows = 1; /* one long row has its own looks */
  generator.cols = 200000;
  check_call("grid", generate, 700, phase);
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

/* Drawing colours and types, and sorting them, end at 20,000 vertices and 100,000 edges. */
START_TEST(colors_and_types)
{
  check_call("colours", color, 100, "colours are drawn");
  check_call("colours, sorted", color, 100, "colours are sorted");
  check_call("plants", plant, 200, "colours are drawn");
  check_call("types", add_types, 80, "types of edges are drawn");
  check_call("typed graph", to_typed, 80, "types are given to the graph");
}
END_TEST

/* ---- rows -------------------------------------------------------------------------- */

enum { ROWS = 300000, WIDTH = 3 };

/* Sorting that is stopped after any number of looks has the same rows, and looks no more; sorting
 * that is not stopped looks at least once per pass over 65,536 rows. */
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
    o.stop = stop;
    o.no_prune = true;
    o.no_early_stop = true;
    o.repetitions = 1;
    o.backend = MS_BACKEND_CPU;
    o.threads = 1;
    ms_status status = ms_screen(query, &o, &result, &err);
    if (n == 0) {
      ck_assert_int_eq(status, MS_OK);
      ck_assert_int_eq(result->stopped, MS_OK);
      all = ms_stop_looks(stop);
      ck_assert_uint_ge(all, 2 * 20000 / 256);
    } else {
      ck_assert_int_eq(status == MS_OK ? result->stopped : status, MS_ERR_LIMIT);
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

TEST_MAIN("stops", AROUND_EACH(open_graph, close_graph), TEST(generators), TEST(colors_and_types),
          TEST(sorting_rows), TEST(sieve), TEST(drawings))
