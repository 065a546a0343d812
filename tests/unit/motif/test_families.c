/* Families of matches that overlap: the index against a comparison with every representative, and
 * lists against families that are made from the whole list. */
#include "base/hooks.h"
#include "base/threads/stop.h"
#include "motif/best/families.h"
#include "tests/support/allocations.h"
#include "tests/support/graphs/larger_case.h"
#include "tests/support/random.h"
#include "tests/support/search/oracle.h"
#include "tests/support/test_main.h"

#include <stdlib.h>
#include <string.h>

static uint32_t common(const uint32_t *a, const uint32_t *b, uint32_t k)
{
  uint32_t both = 0;
  for (uint32_t i = 0; i < k; i++)
    for (uint32_t j = 0; j < k; j++)
      both += a[i] == b[j];
  return both;
}

/* Makes a row of k vertices below n, ascending, most of them near `center`. */
static void make_row(uint64_t *seed, uint32_t n, uint32_t k, uint32_t center, uint32_t *row)
{
  for (uint32_t i = 0; i < k;) {
    uint32_t v =
        random_below(seed, 3) ? (center + random_below(seed, 2 * k)) % n : random_below(seed, n);
    uint32_t at = i;
    while (at > 0 && row[at - 1] > v)
      at--;
    if (at > 0 && row[at - 1] == v)
      continue;
    memmove(row + at + 1, row + at, (i - at) * sizeof *row);
    row[at] = v;
    i++;
  }
}

/* Groups rows with a comparison of each row with every representative. */
typedef struct naive {
  uint32_t *row; /* [count][k] */
  uint64_t *size, count;
} naive;

static uint64_t naive_find(const naive *f, const uint32_t *row, uint32_t k, uint32_t least)
{
  uint64_t i = 0;
  while (i < f->count && common(f->row + i * k, row, k) < least)
    i++;
  return i;
}

static void naive_take(naive *f, const uint32_t *row, uint32_t k, uint32_t least)
{
  uint64_t i = naive_find(f, row, k, least);
  if (i == f->count) {
    memcpy(f->row + f->count * k, row, k * sizeof *row);
    f->size[f->count++] = 0;
  }
  f->size[i]++;
}

/* The index finds the first representative, by subsets and by lists, in 4,000 random cases with up
 * to 300 rows. */
START_TEST(index_finds_the_first)
{
  enum { ROWS = 300 };
  uint64_t seed = 5, joined = 0, alone = 0;
  ms_error err;
  static uint32_t rows[ROWS * MS_MAX_K];
  static uint64_t size[ROWS];
  for (uint64_t c = 0; c < scaled(4000); c++) {
    uint32_t k = 1 + random_below(&seed, c % 9 ? 8 : MS_MAX_K), n = k + random_below(&seed, 60);
    uint32_t least = 1 + random_below(&seed, k), count = 1 + random_below(&seed, ROWS);
    ms_budget budget;
    ms_families *f;
    naive expected = {.row = rows, .size = size};
    ms_budget_open(&budget, 0);
    ms_hooks.family_subsets = c % 2 ? 0 : 210;
    ck_ok(ms_families_new(n, k, least, &budget, &f, &err));
    for (uint32_t i = 0; i < count; i++) {
      uint32_t row[MS_MAX_K];
      make_row(&seed, n, k, random_below(&seed, n), row);
      uint64_t want = naive_find(&expected, row, k, least);
      uint32_t got = ms_families_find(f, rows, row);
      ck_assert_uint_eq(got, want == expected.count ? MS_NO_ID : want);
      naive_take(&expected, row, k, least);
      joined += got != MS_NO_ID;
      alone += got == MS_NO_ID;
      if (got == MS_NO_ID)
        ck_assert(ms_families_add(f, rows));
    }
    ms_families_free(f);
    ck_assert_uint_eq(budget.reserved, 0);
  }
  ms_hooks = ms_hooks_default;
  ck_assert_uint_gt(joined, scaled(50000));
  ck_assert_uint_gt(alone, scaled(50000));
}
END_TEST

/* The least number of shared vertices is the share rounded up, for each k and many shares that are
 * whole numbers of vertices. */
START_TEST(least_of_a_share)
{
  for (uint32_t k = 1; k <= MS_MAX_K; k++) {
    for (uint32_t t = 1; t <= k; t++) {
      ck_assert_uint_eq(ms_families_least((double)t / k, k), t);
      ck_assert_uint_eq(ms_families_least((t - 0.5) / k, k), t);
    }
    ck_assert_uint_eq(ms_families_least(1e-12, k), 1);
    ck_assert_uint_eq(ms_families_least(0.5, k), (k + 1) / 2);
  }
}
END_TEST

static ms_list_options options_of(double share, uint64_t limit, int threads)
{
  return (ms_list_options){.size = sizeof(ms_list_options),
                           .exact = true,
                           .families = share,
                           .limit = limit,
                           .screen = {.size = sizeof(ms_screen_options), .run.threads = threads}};
}

/* Keeps what a receiver is given. */
typedef struct received {
  uint32_t *rows;
  uint64_t count, families;
  uint32_t k;
} received;

static bool begin(void *user, const ms_list_result *result)
{
  received *r = user;
  r->families = result->matches;
  ck_assert_ptr_nonnull(result->family_size);
  return true;
}

static bool receive(void *user, const uint32_t *rows, uint64_t count)
{
  received *r = user;
  memcpy(r->rows + r->count * r->k, rows, count * r->k * sizeof *rows);
  r->count += count;
  return true;
}

/* Compares a list of families with those of all rows in the same order. */
static void compare(const ms_query *query, ms_list_options o, const ms_list_result *all)
{
  ms_list_result *r;
  ms_error err;
  uint32_t k = all->k, least = ms_families_least(o.families, k);
  naive want = {.row = malloc(all->matches * k * sizeof *want.row + 1),
                .size = malloc(all->matches * sizeof *want.size + 1)};
  for (uint64_t i = 0; i < all->matches; i++)
    naive_take(&want, all->vertices + i * k, k, least);
  uint64_t rows = o.limit && o.limit < want.count ? o.limit : want.count, sum = 0;
  received got = {.rows = malloc(rows * k * sizeof *got.rows + 1), .k = k};
  for (int stored = 0; stored < 2; stored++) {
    o.begin = stored ? NULL : begin;
    o.rows = stored ? NULL : receive;
    o.rows_user = &got;
    ck_ok(ms_list(query, &o, &r, &err));
    ck_assert_int_eq(r->run.stopped, rows < want.count ? MS_ERR_LIMIT : MS_OK);
    ck_assert_uint_eq(r->matches, rows);
    ck_assert_uint_eq(strtoull(r->count_text, NULL, 10), rows);
    const uint32_t *vertices = stored ? r->vertices : got.rows;
    sum = 0;
    for (uint64_t i = 0; i < rows; i++) {
      ck_assert_int_eq(memcmp(vertices + i * k, want.row + i * k, k * sizeof *vertices), 0);
      ck_assert_uint_eq(r->family_size[i], want.size[i]);
      sum += want.size[i];
    }
    ck_assert_uint_eq(r->family_matches, sum);
    ms_list_result_free(r);
  }
  ck_assert_uint_eq(got.count, rows);
  ck_assert_uint_eq(got.families, rows);
  free(got.rows);
  free(want.row);
  free(want.size);
}

/* Lists of families are those of the whole list, with limits, thresholds and sorted by density:
 * 3,000 random cases. */
START_TEST(agrees_with_whole_lists)
{
  static const double shares[] = {0.5, 0.01, 0.34, 0.75, 1, 0.5};
  uint64_t seed = 9, large = 0;
  for (uint64_t i = 0; i < scaled(3000); i++) {
    oracle_case c;
    ms_error err;
    ms_list_result *all;
    oracle_make(&oracle_short_motifs[i % ORACLE_SHAPES], 9000 + i, &c);
    ms_list_options o = options_of(0, 0, 1 + (int)(i % 3));
    o.sort = i % 4 ? MS_MEASURE_NONE : MS_MEASURE_DENSITY;
    o.min_density = i % 5 ? 0 : 0.5;
    ck_ok(ms_list(c.query, &o, &all, &err));
    large += all->matches > 30;
    o.families = shares[random_below(&seed, 6)];
    o.limit = random_below(&seed, 3) ? 0 : 1 + random_below(&seed, 5);
    ms_hooks.family_subsets = i % 2 ? 0 : 210;
    compare(c.query, o, all);
    ms_list_result_free(all);
    oracle_free(&c);
  }
  ms_hooks = ms_hooks_default;
  ck_assert_uint_gt(large, scaled(100));
}
END_TEST

/* The rows of a search that is stopped after any number of looks at the clock are no members of
 * each other's families, and their sizes have the stated sum. */
START_TEST(a_stopped_search_has_families)
{
  larger_case c;
  ms_error err;
  uint64_t stopped = 0, partial = 0;
  larger_make(8, &c);
  for (uint64_t looks = 0; looks < 400; looks += 1 + looks / 20) {
    ms_list_options o = options_of(0.5, looks % 2 ? 3 : 0, 1);
    ms_list_result *r;
    uint64_t sum = 0;
    ck_ok(ms_stop_new(&o.screen.run.stop, &err));
    ms_stop_after_looks(o.screen.run.stop, looks);
    ck_ok(ms_list(c.query, &o, &r, &err));
    for (uint64_t i = 0; i < r->matches; i++) {
      sum += r->family_size[i];
      for (uint64_t j = 0; j < i && j < 100; j++)
        ck_assert_uint_lt(common(r->vertices + i * r->k, r->vertices + j * r->k, r->k),
                          ms_families_least(0.5, r->k));
    }
    ck_assert_uint_eq(sum, r->family_matches);
    bool timed = r->run.stopped == MS_ERR_LIMIT && !(o.limit > 0 && r->matches == o.limit);
    stopped += timed;
    partial += timed && r->matches > 0;
    ms_list_result_free(r);
    ms_stop_free(o.screen.run.stop);
  }
  ck_assert_uint_gt(stopped, 6);
  ck_assert_uint_gt(partial, 3);
  larger_free(&c);
}
END_TEST

static ms_status list_once(void *user, ms_error *err)
{
  ms_list_options options = options_of(0.5, 0, 1);
  ms_list_result *result;
  ms_status status = ms_list(user, &options, &result, err);
  if (status == MS_OK) {
    ck_assert_uint_gt(result->matches, 0);
    ms_list_result_free(result);
  }
  return status;
}

/* Whichever allocation fails, the search reports it or does without, with both indexes. */
START_TEST(every_allocation_may_fail)
{
  larger_case c;
  larger_make(3, &c);
  for (int way = 0; way < 2; way++) {
    ms_hooks.family_subsets = way ? 0 : 210;
    ck_assert_int_gt(failing_runs_survived(list_once, c.query), 10);
  }
  ms_hooks = ms_hooks_default;
  larger_free(&c);
}
END_TEST

/* Options that it cannot honour are refused. */
START_TEST(refusals)
{
  oracle_case c;
  ms_list_result *result;
  ms_error err;
  oracle_make(&oracle_short_motifs[0], 1, &c);
  for (int i = 0; i < 7; i++) {
    ms_list_options o = options_of(i == 0 ? 1.5 : i == 1 ? -0.5 : 0.5, 0, 1);
    o.count_only = i == 2;
    o.sample = i == 3;
    o.diverse = i == 4;
    o.exact = i != 5;
    o.sort = i == 6 ? MS_MEASURE_EDGES : MS_MEASURE_NONE;
    o.top = i == 6;
    ck_assert_int_eq(ms_list(c.query, &o, &result, &err), MS_ERR_USAGE);
    ck_assert_ptr_null(result);
    ck_assert_ptr_nonnull(strstr(err.message, "`families`"));
  }
  oracle_free(&c);
}
END_TEST

/* In a star, where the number of matches is known, families whose matches do not fit into the
 * memory are refused before anything is listed, with that number, and others are not.  Matches that
 * thresholds leave out need no memory. */
START_TEST(needs_memory_for_all_matches)
{
  enum { LEAVES = 700 };
  static uint32_t edges[LEAVES][2];
  ms_graph *graph;
  ms_coloring *coloring;
  ms_motif *motif;
  ms_query *query;
  ms_list_result *result;
  ms_error err;
  for (uint32_t e = 0; e < LEAVES; e++)
    edges[e][1] = e + 1;
  ck_ok(ms_graph_from_edges(LEAVES + 1, LEAVES, (const uint32_t(*)[2])edges, NULL, &graph, &err));
  ck_ok(ms_coloring_from_pairs(graph, 0, NULL, 0, NULL, &coloring, &err));
  ck_ok(ms_motif_parse("*:3", coloring, &motif, &err));
  ck_ok(ms_query_new(graph, coloring, motif, 0, NULL, &query, &err));
  ms_list_options o = options_of(0.5, 0, 2);
  o.screen.run.memory = UINT64_C(5) << 20; /* 244,650 rows of 12 bytes, twice, are 5.6 MiB */
  ck_assert_int_eq(ms_list(query, &o, &result, &err), MS_ERR_MEMORY);
  ck_assert_ptr_null(result);
  ck_assert_ptr_nonnull(strstr(err.message, ": 244650 matches need 6 MiB"));
  o.min_density = 0.9; /* which no match has */
  ck_ok(ms_list(query, &o, &result, &err));
  ck_assert_uint_eq(result->family_matches, 0);
  ms_list_result_free(result);
  o.min_density = 0;
  o.screen.run.memory = UINT64_C(16) << 20;
  ck_ok(ms_list(query, &o, &result, &err));
  ck_assert_uint_eq(result->family_matches, 244650);
  ms_list_result_free(result);
  ms_query_free(query);
  ms_motif_free(motif);
  ms_coloring_free(coloring);
  ms_graph_free(graph);
}
END_TEST

TEST_MAIN("families", TEST(index_finds_the_first), TEST(least_of_a_share),
          TEST(agrees_with_whole_lists), TEST(a_stopped_search_has_families),
          TEST(every_allocation_may_fail), TEST(refusals), TEST(needs_memory_for_all_matches))
