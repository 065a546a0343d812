/* The floor of a sieve run: counts by formulas, and rates that were measured. */
#include "base/file/read_rate.h"
#include "run/floor.h"
#include "tests/support/test_main.h"

#include "graph/generate/generate.h"

enum { VERTICES = 60, DEGREE = 4, SLOTS = 5, LINE = 64 };

typedef struct measured {
  ms_graph *graph;
  ms_coloring *colors;
  ms_motif *motif;
  ms_query *query;
  ms_screen_result *result;
  ms_sieve_floor floor;
} measured;

/* Sieves a regular graph for SLOTS vertices of any colour, so that every vertex is live at every
 * point but the empty one, and takes the floor. */
static void measure(const ms_screen_options *options, measured *m)
{
  ms_error err = {0};
  ck_assert_msg(ms_generate_regular(VERTICES, DEGREE, 3, &m->graph, &err) == MS_OK, "%s",
                err.message);
  ck_assert_int_eq(ms_generate_colors(m->graph, 2, 1, &m->colors, &err), MS_OK);
  ck_assert_int_eq(ms_motif_parse("*:5", m->colors, &m->motif, &err), MS_OK);
  ck_assert_int_eq(ms_query_new(m->graph, m->colors, m->motif, 0, NULL, &m->query, &err), MS_OK);
  ck_assert_msg(ms_screen(m->query, options, &m->result, &err) == MS_OK, "%s", err.message);
  ck_assert_ptr_nonnull(m->result->kernel);
  ck_assert_int_eq(m->result->vertices_kept, VERTICES);
  ck_assert_msg(ms_sieve_floor_of(m->query, options, m->result, 0.001, &m->floor, &err) == MS_OK,
                "%s", err.message);
}

static void clear(measured *m)
{
  ms_screen_result_free(m->result);
  ms_query_free(m->query);
  ms_motif_free(m->motif);
  ms_coloring_free(m->colors);
  ms_graph_free(m->graph);
}

/* Where all vertices are live, the counts of the classic recurrence are those of docs/SIEVE.md: for
 * each arc and point k (k - 1) / 2 products and rows, and k - 1 products by weights.  One to three
 * repetitions. */
START_TEST(counts_are_those_of_the_recurrence)
{
  const double arcs = VERTICES * DEGREE, pairs = SLOTS * (SLOTS - 1) / 2.0;
  for (uint32_t repetitions = 1; repetitions <= 3; repetitions++) {
    measured m = {0};
    ms_screen_options options = MS_SCREEN_OPTIONS_DEFAULT;
    options.recurrence = MS_CLASSIC;
    options.backend = MS_BACKEND_CPU;
    options.kernel = "table";
    options.repetitions = repetitions;
    options.no_early_stop = true;
    options.run.threads = 1;
    measure(&options, &m);
    double points = (double)LINE * repetitions;
    ck_assert_double_eq(m.floor.products, points * (VERTICES + arcs * (pairs + SLOTS - 1)));
    ck_assert_double_eq(m.floor.row_bytes, points * arcs * pairs);
    ck_assert_double_eq(m.floor.state_bytes, points * VERTICES * SLOTS);
    ck_assert_double_eq(ms_sieve_floor_bytes(&m.floor), m.floor.row_bytes + m.floor.state_bytes);
    clear(&m);
  }
}
END_TEST

/* The sibling-indexed recurrence has fewer products; both times are above 0, and the larger one is
 * the floor. */
START_TEST(times_are_measured)
{
  double products[2];
  for (int recurrence = 0; recurrence < 2; recurrence++) {
    measured m = {0};
    ms_screen_options options = MS_SCREEN_OPTIONS_DEFAULT;
    options.recurrence = (ms_recurrence)recurrence;
    options.backend = MS_BACKEND_CPU;
    options.repetitions = 1;
    measure(&options, &m);
    const ms_sieve_floor *f = &m.floor;
    products[recurrence] = f->products;
    ck_assert_double_gt(f->products_seconds, 0);
    ck_assert_double_gt(f->bytes_seconds, 0);
    ck_assert_double_eq(ms_sieve_floor_seconds(f), f->products_seconds > f->bytes_seconds
                                                       ? f->products_seconds
                                                       : f->bytes_seconds);
    clear(&m);
  }
  ck_assert_double_lt(products[MS_SIBLING], products[MS_CLASSIC]);
}
END_TEST

/* Buffers of 0 bytes to 1 MiB are read in both orders by one and by three threads. */
START_TEST(memory_has_a_rate)
{
  ms_error err = {0};
  static const uint64_t sizes[] = {0, 4096, 1 << 20};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    for (int random = 0; random < 2; random++)
      for (int threads = 1; threads <= 3; threads += 2) {
        double rate = 0;
        ck_assert_int_eq(ms_read_rate(sizes[i], random, threads, 0.001, &rate, &err), MS_OK);
        ck_assert_double_gt(rate, 1e6);
      }
}
END_TEST

TEST_MAIN("floor", TEST(counts_are_those_of_the_recurrence), TEST(times_are_measured),
          TEST(memory_has_a_rate))
