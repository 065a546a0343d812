/* ms_list from end to end on small random cases, against brute force: sets, counts, limits,
 * threads, stopping, and each allocation failing once. */
#include "base/alloc.h"
#include "base/threads/stop.h"
#include "motif/regions.h"
#include "tests/support/allocations.h"
#include "tests/support/random.h"
#include "tests/support/search/oracle.h"
#include "tests/support/test_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const oracle_shape shapes[] = {
    {.min_n = 1, .max_n = 10, .min_k = 1, .max_k = 6},
    {.min_n = 3, .max_n = 11, .min_k = 2, .max_k = 7, .color_lists = true, .wildcards = true},
    {.min_n = 3,
     .max_n = 12,
     .min_k = 2,
     .max_k = 7,
     .color_lists = true,
     .wildcards = true,
     .required = true},
};

#define N_SHAPES (sizeof shapes / sizeof *shapes)

static int by_value(const void *a, const void *b)
{
  uint16_t x = *(const uint16_t *)a, y = *(const uint16_t *)b;
  return (x > y) - (x < y);
}

/* The rows as bitmasks, ascending; checks that rows and their members ascend. */
static uint32_t rows_to_masks(const ms_list_result *r, uint16_t *masks, uint64_t seed)
{
  for (uint64_t i = 0; i < r->matches; i++) {
    const uint32_t *row = r->vertices + i * r->k;
    masks[i] = 0;
    for (uint32_t j = 0; j < r->k; j++) {
      ck_assert_msg(j == 0 || row[j - 1] < row[j], "seed %llu: row not ascending",
                    (unsigned long long)seed);
      masks[i] = (uint16_t)(masks[i] | 1u << row[j]);
    }
    bool later = i == 0;
    for (uint32_t j = 0; !later && j < r->k && row[j] >= row[(size_t)j - r->k]; j++)
      later = row[j] > row[(size_t)j - r->k];
    ck_assert_msg(later, "seed %llu: rows not sorted", (unsigned long long)seed);
  }
  qsort(masks, r->matches, sizeof *masks, by_value);
  return (uint32_t)r->matches;
}

static void compare(const oracle_case *c, const ms_list_options *options, uint64_t seed)
{
  static uint16_t want[1 << ORACLE_MAX_N], got[1 << ORACLE_MAX_N];
  ms_list_result *result;
  ms_error err;
  char text[24];
  uint32_t wanted = oracle_matches(c, want);
  if (ms_list(c->query, options, &result, &err) != MS_OK)
    ck_abort_msg("seed %llu: %s", (unsigned long long)seed, err.message);
  snprintf(text, sizeof text, "%u", wanted);
  ck_assert_msg(strcmp(text, result->count_text) == 0, "seed %llu: %s matches, wanted %s",
                (unsigned long long)seed, result->count_text, text);
  ck_assert_int_eq(result->run.stopped, MS_OK);
  ck_assert((result->screen == NULL) == options->exact);
  if (options->count_only) {
    ck_assert_ptr_null(result->vertices);
  } else {
    rows_to_masks(result, got, seed);
    ck_assert_msg(memcmp(want, got, wanted * sizeof *want) == 0, "seed %llu: other matches",
                  (unsigned long long)seed);
  }
  ms_list_result_free(result);
}

/* A listing has exactly the matches of brute force, screened or exact, pruned or not, listed or
 * counted: 900 random cases by 1 to 3 threads. */
START_TEST(agrees_with_oracle)
{
  uint64_t cases = scaled(900);
  for (uint64_t i = 0; i < cases; i++) {
    uint64_t seed = 1000 + i;
    oracle_case c;
    oracle_make(&shapes[i % N_SHAPES], seed, &c);
    ms_list_options options = {.size = sizeof(ms_list_options),
                               .screen = {.size = sizeof(ms_screen_options),
                                          .run.seed = seed,
                                          .run.threads = 1 + (int)(i % 3)},
                               .exact = i / 3 % 2 == 0,
                               .count_only = i / 6 % 5 == 4};
    if (!options.exact) {
      options.screen.error = 1e-12; /* a miss is a bug */
      options.screen.no_prune = i / 7 % 2 == 0;
    }
    compare(&c, &options, seed);
    oracle_free(&c);
  }
}
END_TEST

/* A limit of 1 to 4 gives that many matches of brute force, or all, and says which: 500 random
 * cases. */
START_TEST(limit_cuts)
{
  static uint16_t want[1 << ORACLE_MAX_N], got[1 << ORACLE_MAX_N];
  uint64_t cases = scaled(500);
  for (uint64_t i = 0; i < cases; i++) {
    uint64_t seed = 50000 + i;
    oracle_case c;
    ms_error err;
    ms_list_result *result;
    oracle_make(&shapes[i % N_SHAPES], seed, &c);
    uint32_t wanted = oracle_matches(&c, want);
    ms_list_options options = {
        .size = sizeof(ms_list_options),
        .exact = true,
        .limit = 1 + i % 4,
        .screen = {.size = sizeof(ms_screen_options), .run.threads = 1 + (int)(i % 2)}};
    ck_assert_int_eq(ms_list(c.query, &options, &result, &err), MS_OK);
    ck_assert_uint_eq(result->matches, wanted < options.limit ? wanted : options.limit);
    ck_assert_int_eq(result->run.stopped, wanted < options.limit ? MS_OK : MS_ERR_LIMIT);
    uint32_t rows = rows_to_masks(result, got, seed);
    for (uint32_t r = 0; r < rows; r++)
      ck_assert_ptr_nonnull(bsearch(&got[r], want, wanted, sizeof *want, by_value));
    ms_list_result_free(result);
    oracle_free(&c);
  }
}
END_TEST

/* A listing that is stopped before it starts says so, and what it has found is right: 39 cases,
 * screened and exact. */
START_TEST(stopped_before_it_starts)
{
  oracle_case c;
  ms_error err;
  ms_stop *stop;
  ck_assert_int_eq(ms_stop_new(&stop, &err), MS_OK);
  ms_stop_request(stop);
  for (uint64_t seed = 1; seed < 40; seed++) {
    oracle_make(&shapes[1], seed, &c);
    for (int exact = 0; exact < 2; exact++) {
      ms_list_result *result;
      ms_list_options options = {.size = sizeof(ms_list_options),
                                 .exact = exact,
                                 .screen = {.size = sizeof(ms_screen_options), .run.stop = stop}};
      ck_assert_int_eq(ms_list(c.query, &options, &result, &err), MS_OK);
      /* whatever it did by then is right, and it says that it was stopped unless nothing was left
       * to do */
      ck_assert(result->run.stopped == MS_ERR_INTERRUPTED || result->regions == 0 ||
                result->matches > 0);
      ck_assert_ptr_nonnull(result->count_text);
      ck_assert_ptr_nonnull(result->vertices);
      ms_list_result_free(result);
    }
    oracle_free(&c);
  }
  ms_stop_free(stop);
}
END_TEST

/* ---- regions ------------------------------------------------------------- */

/* Regions are connected, and each match that lies in the kept vertices lies in exactly one region:
 * 1,000 random cases. */
START_TEST(regions_partition_the_matches)
{
  static uint16_t want[1 << ORACLE_MAX_N];
  uint64_t cases = scaled(1000);
  for (uint64_t i = 0; i < cases; i++) {
    uint64_t seed = 90000 + i, state = seed;
    oracle_case c;
    ms_error err;
    ms_instance *instance;
    ms_regions *regions;
    uint8_t keep[ORACLE_MAX_N];
    uint16_t kept = 0;
    oracle_make(&shapes[i % N_SHAPES], seed, &c);
    ck_assert_int_eq(ms_instance_new(c.query, 0, &instance, &err), MS_OK);
    for (uint32_t v = 0; v < c.n; v++) {
      keep[v] = random_next(&state) % 5 != 0;
      kept = (uint16_t)(kept | (unsigned)keep[v] << v);
    }
    ck_assert_int_eq(ms_regions_find(instance, i % 2 ? keep : NULL, 0, &regions, &err), MS_OK);
    uint32_t wanted = oracle_matches(&c, want);
    for (uint32_t w = 0; w < wanted; w++) {
      if (i % 2 && (want[w] & ~kept))
        continue;
      uint32_t homes = 0;
      for (uint32_t r = 0; r < regions->count; r++) {
        uint16_t here = 0;
        for (uint32_t v = 0; v < regions->region[r]->n; v++)
          here = (uint16_t)(here | 1u << regions->region[r]->vertex[v]);
        homes += (want[w] & ~here) == 0;
      }
      ck_assert_msg(homes == 1, "seed %llu: a match lies in %u regions", (unsigned long long)seed,
                    homes);
    }
    uint64_t vertices = 0;
    for (uint32_t r = 0; r < regions->count; r++) {
      const ms_instance *region = regions->region[r];
      uint32_t component[ORACLE_MAX_N], components;
      ck_assert_uint_ge(region->n, region->k);
      ck_assert_uint_eq(region->offset[region->n], region->arcs);
      ck_assert_int_eq(ms_instance_components(region, 0, component, &components, &err), MS_OK);
      ck_assert_uint_eq(components, 1);
      vertices += region->n;
    }
    ck_assert_uint_eq(vertices, regions->vertices);
    ms_regions_free(regions);
    ms_instance_free(instance);
    oracle_free(&c);
  }
}
END_TEST

/* ---- memory -------------------------------------------------------------- */

/* Whichever allocation fails, a listing reports it or does without, and leaks no block: six cases,
 * screened and exact. */
START_TEST(every_allocation_may_fail)
{
  /* a case with matches and a loose required vertex or two */
  for (uint64_t seed = 3; seed < 9; seed++) {
    oracle_case c;
    oracle_make(&shapes[2], seed, &c);
    for (int exact = 0; exact < 2; exact++) {
      ms_status status = MS_ERR_MEMORY;
      for (long at = 1; status != MS_OK; at++) {
        meter m = {.fail_at = at};
        ms_list_options options = {
            .size = sizeof(ms_list_options),
            .exact = exact,
            .screen = {.size = sizeof(ms_screen_options), .run.seed = 1, .run.threads = 1}};
        ms_list_result *result = NULL;
        ms_error err;
        meter_start(&m);
        status = ms_list(c.query, &options, &result, &err);
        ck_assert_msg(status == MS_OK || status == MS_ERR_MEMORY, "seed %llu, allocation %ld: %s",
                      (unsigned long long)seed, at, err.message);
        ck_assert((status == MS_OK) == (result != NULL));
        ms_list_result_free(result);
        ck_assert_msg(m.live == 0, "seed %llu, allocation %ld: %ld blocks leak",
                      (unsigned long long)seed, at, (long)m.live);
        meter_stop();
        ck_assert_int_lt(at, 10000);
        /* an allocation that the library can do without may fail unnoticed */
        if (status == MS_OK && meter_has_failed(&m))
          status = MS_ERR_MEMORY;
      }
    }
    oracle_free(&c);
  }
}
END_TEST

/* A listing beyond its memory bound is refused with a remedy, and the count of C(60, 5) matches is
 * not. */
START_TEST(memory_bound_is_kept)
{
  /* a star of 60 leaves of one colour around a hub: C(60, 5) matches */
  enum { LEAVES = 60 };
  uint32_t edges[LEAVES][2], pairs[LEAVES + 1][2];
  const char *colors[] = {"hub", "leaf"};
  ms_graph *graph;
  ms_coloring *coloring;
  ms_motif *motif;
  ms_query *query;
  ms_list_result *result = NULL;
  ms_error err;
  for (uint32_t i = 0; i < LEAVES; i++) {
    edges[i][0] = 0;
    edges[i][1] = pairs[i][0] = i + 1;
    pairs[i][1] = 1;
  }
  pairs[LEAVES][0] = pairs[LEAVES][1] = 0;
  ck_assert_int_eq(
      ms_graph_from_edges(LEAVES + 1, LEAVES, (const uint32_t(*)[2])edges, NULL, &graph, &err),
      MS_OK);
  ck_assert_int_eq(ms_coloring_from_pairs(graph, LEAVES + 1, (const uint32_t(*)[2])pairs, 2, colors,
                                          &coloring, &err),
                   MS_OK);
  ck_assert_int_eq(ms_motif_parse("hub,leaf:5", coloring, &motif, &err), MS_OK);
  ck_assert_int_eq(ms_query_new(graph, coloring, motif, 0, NULL, &query, &err), MS_OK);
  ms_list_options options = {
      .size = sizeof(ms_list_options),
      .exact = true,
      .screen = {.size = sizeof(ms_screen_options), .run.memory = (uint64_t)64 << 20}};
  ck_assert_int_eq(ms_list(query, &options, &result, &err), MS_OK);
  ck_assert_int_eq(result->run.stopped, MS_ERR_MEMORY);
  ck_assert_uint_gt(result->matches, 100000);
  ck_assert_uint_lt(result->matches, 5461512);
  uint64_t wrong = 0; /* one assertion for all rows: millions of them take half a minute */
  for (uint64_t i = 0; i < result->matches; i++) {
    const uint32_t *row = result->vertices + i * 6;
    wrong += row[0] != 0;
    for (int j = 1; j < 6; j++)
      wrong += row[j] <= row[j - 1] || row[j] > LEAVES;
    wrong += i > 0 && memcmp(row - 6, row, 6 * sizeof *row) == 0;
  }
  ck_assert_uint_eq(wrong, 0);
  ms_list_result_free(result);
  options.screen.run.memory = 1024; /* not even one match */
  ck_assert_int_eq(ms_list(query, &options, &result, &err), MS_ERR_MEMORY);
  ck_assert_ptr_null(result);
  ck_assert_ptr_nonnull(strstr(err.message, "`memory`"));
  options.count_only = true;
  ck_assert_int_eq(ms_list(query, &options, &result, &err), MS_OK);
  ck_assert_str_eq(result->count_text, "5461512"); /* C(60, 5) */
  ms_list_result_free(result);
  ms_query_free(query);
  ms_motif_free(motif);
  ms_coloring_free(coloring);
  ms_graph_free(graph);
}
END_TEST

/* A receiver of rows of k vertices, which stops the search once it has `most` rows. */
typedef struct received {
  uint32_t k, begun; /* begun: calls of on_begin */
  bool streamed;     /* as on_begin was told */
  uint64_t rows, most;
  uint32_t row[1 << ORACLE_MAX_N][ORACLE_MAX_N];
} received;

static bool on_begin(void *user, const ms_list_result *result)
{
  received *r = user;
  r->begun++;
  r->streamed = result->streamed;
  return true;
}

static bool on_rows(void *user, const uint32_t *rows, uint64_t count)
{
  received *r = user;
  ck_assert_uint_eq(r->begun, 1);
  for (uint64_t i = 0; i < count && r->rows < r->most; i++)
    memcpy(r->row[r->rows++], rows + i * r->k, r->k * sizeof *rows);
  return r->rows < r->most;
}

/* Lists the case into *to.  memory 1: no row can be held back. */
static ms_status list_into(const oracle_case *c, ms_list_options options, uint64_t memory,
                           int threads, received *to, uint64_t most)
{
  ms_list_result *result;
  ms_error err;
  to->begun = 0;
  to->rows = 0;
  to->most = most;
  options.screen.run.memory = memory;
  options.screen.run.threads = threads;
  options.begin = on_begin;
  options.rows = on_rows;
  options.rows_user = to;
  ck_assert_msg(ms_list(c->query, &options, &result, &err) == MS_OK, "%s", err.message);
  ck_assert_ptr_null(result->vertices);
  to->k = result->k;
  ck_assert(result->streamed == (to->rows > 0 && to->streamed));
  ms_status stopped = result->run.stopped;
  ms_list_result_free(result);
  return stopped;
}

/* A receiver gets the rows that are stored without one: in the same order where there is memory to
 * sort them, else as a permutation of them that is the same for 1 to 8 threads, and of which a
 * limit and a receiver that stops get a prefix.  400 random cases against the stored rows. */
START_TEST(receiver_gets_the_rows)
{
  static received got, again;
  uint64_t cases = scaled(400), streamed = 0, disordered = 0;
  for (uint64_t i = 0; i < cases; i++) {
    oracle_case c;
    ms_error err;
    ms_list_result *stored;
    oracle_make(&shapes[i % N_SHAPES], 90000 + i, &c);
    ms_list_options options = {.size = sizeof(ms_list_options),
                               .screen = {.size = sizeof(ms_screen_options)},
                               .exact = true};
    ck_assert_int_eq(ms_list(c.query, &options, &stored, &err), MS_OK);
    uint64_t rows = stored->matches;
    uint32_t k = got.k = again.k = stored->k;
    ck_assert_int_eq(list_into(&c, options, 0, 1 + (int)(i % 3), &got, UINT64_MAX), MS_OK);
    ck_assert(!got.streamed && got.rows == rows && got.begun == 1);
    for (uint64_t r = 0; r < rows; r++)
      ck_assert_mem_eq(got.row[r], stored->vertices + r * k, k * sizeof(uint32_t));

    ck_assert_int_eq(list_into(&c, options, 1, 1, &got, UINT64_MAX), MS_OK);
    ck_assert_uint_eq(got.rows, rows);
    ck_assert_uint_eq(got.begun, 1);
    streamed += got.streamed;
    for (int threads = 2; threads <= 8; threads += 3) {
      ck_assert_int_eq(list_into(&c, options, 1, threads, &again, UINT64_MAX), MS_OK);
      ck_assert_uint_eq(again.rows, rows);
      ck_assert_mem_eq(got.row, again.row, rows * sizeof got.row[0]);
    }
    if (rows > 1) {
      uint64_t most = 1 + i % (rows - 1);
      ck_assert_int_eq(list_into(&c, options, 1, 2, &again, most), MS_ERR_LIMIT);
      ck_assert_uint_eq(again.rows, most);
      ck_assert_mem_eq(got.row, again.row, most * sizeof got.row[0]);
      options.limit = most;
      ck_assert_int_eq(list_into(&c, options, 1, 3, &again, UINT64_MAX), MS_ERR_LIMIT);
      ck_assert_uint_eq(again.rows, most);
      ck_assert_mem_eq(got.row, again.row, most * sizeof got.row[0]);
    }
    /* sorted, the rows are those that were stored */
    uint64_t missing = 0;
    for (uint64_t r = 0; r < rows; r++) {
      const uint32_t *row = stored->vertices + r * k;
      uint64_t at = 0;
      while (at < rows && memcmp(got.row[at], row, k * sizeof *row) != 0)
        at++;
      missing += at == rows;
      disordered += at != r;
    }
    ck_assert_uint_eq(missing, 0);
    ms_list_result_free(stored);
    oracle_free(&c);
  }
  ck_assert_uint_gt(streamed, cases / 4);
  ck_assert_uint_gt(disordered, 0); /* else the test would prove nothing about the order */
}
END_TEST

/* Options of the sieve that a list cannot honour are refused by name: a smaller match_size in any
 * list, and nine options of the sieve in an exact one. */
START_TEST(what_it_cannot_honour_is_refused)
{
  static const ms_screen_options of_sieve[] = {
      {.kernel = "table"},  {.block_points = 64},       {.repetitions = 2},
      {.error = 1e-3},      {.recurrence = MS_CLASSIC}, {.backend = MS_BACKEND_CPU},
      {.run.n_devices = 1}, {.no_early_stop = true},    {.no_prune = true}};
  static const char *const names[] = {"kernel",  "block_points",  "repetitions",
                                      "error",   "recurrence",    "backend",
                                      "devices", "no_early_stop", "no_prune"};
  oracle_case c;
  ms_error err;
  ms_list_result *result;
  oracle_make(&shapes[1], 5, &c);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    ms_list_options o = MS_LIST_OPTIONS_DEFAULT;
    o.screen = of_sieve[i];
    o.screen.size = sizeof o.screen;
    o.exact = true;
    ck_assert_int_eq(ms_list(c.query, &o, &result, &err), MS_ERR_USAGE);
    ck_assert_ptr_null(result);
    ck_assert_msg(strstr(err.message, names[i]) != NULL, "%s", err.message);
  }
  ms_list_options smaller = MS_LIST_OPTIONS_DEFAULT;
  smaller.screen.match_size = 1;
  ck_assert_int_eq(ms_list(c.query, &smaller, &result, &err), MS_ERR_USAGE);
  ck_assert_ptr_nonnull(strstr(err.message, "match_size"));
  oracle_free(&c);
}
END_TEST

TEST_MAIN("list", TEST(agrees_with_oracle), TEST(limit_cuts), TEST(stopped_before_it_starts),
          TEST(regions_partition_the_matches), TEST(every_allocation_may_fail),
          TEST(memory_bound_is_kept), TEST(receiver_gets_the_rows),
          TEST(what_it_cannot_honour_is_refused))
