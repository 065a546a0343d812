/* The table of arcs between pairs of vertices that a judge remembers for all threads. */
#include "tests/support/random.h"
#include "tests/support/test_main.h"
#include "verify/known_arcs.h"

#include <stdlib.h>

/* Returns the pair of a bucket and a tag. */
static uint64_t pair_of(ms_arcs_shape shape, uint64_t bucket, uint32_t tag)
{
  uint64_t inverse = MS_ARC_MULTIPLIER; /* right in its last three bits; each step doubles them */
  for (int i = 0; i < 6; i++)
    inverse *= 2 - MS_ARC_MULTIPLIER * inverse;
  uint64_t mixed = bucket << (64 - shape.bucket_bits) | (uint64_t)(tag >> MS_ARC_BITS)
                                                            << (64 - 2 * shape.half);
  return mixed * inverse >> (64 - 2 * shape.half);
}

/* A place and its tag are one pair: for graphs of 20 to 2^27 vertices with rows of several lengths,
 * the pair of each of 2,000 random pairs follows from them. */
START_TEST(places_name_one_pair)
{
  uint64_t state = 1, checked = 0;
  for (uint32_t n = 20; n <= 1u << 27; n = 3 * n - 7)
    for (uint64_t arcs = 100; arcs <= (uint64_t)1 << 27; arcs *= 13) {
      ms_known_arcs known;
      ms_known_arcs_init(&known, n, arcs);
      ms_arcs_shape shape = known.shape;
      for (uint32_t i = 0; known.entries > 0 && i < 2000; i++) {
        uint32_t low = random_below(&state, n - 1),
                 high = low + 1 + random_below(&state, n - 1 - low);
        uint64_t mixed = ms_arcs_mix(shape, low, high);
        uint64_t bucket = mixed >> (64 - shape.bucket_bits);
        ck_assert_uint_lt(bucket * 2 * MS_BUCKET_WORDS, known.entries);
        ck_assert_uint_eq(pair_of(shape, bucket, ms_arcs_tag(shape, mixed)),
                          (uint64_t)low << shape.half | high);
        checked++;
      }
    }
  ck_assert_uint_gt(checked, 20000);
}
END_TEST

/* What is found in a table that is too small is what was put there last: 300 vertices, each pair in
 * turn with arcs that the pair determines, and all pairs before it are looked up at the end. */
START_TEST(finds_what_was_put)
{
  enum { N = 300 };
  ms_known_arcs known;
  uint64_t found = 0, lost = 0;
  ms_known_arcs_init(&known, N, 1000);
  known.arcs = 0; /* is not filled from a graph */
  ms_arc_places *place = ms_known_arcs_for(&known, known.entries);
  ck_assert_ptr_nonnull(place);
  for (uint32_t turn = 0; turn < 2; turn++)
    for (uint32_t v = 0; v < N; v++)
      for (uint32_t w = v + 1; w < N; w++) {
        unsigned arcs = (v * 7 + w * 5) % 4;
        uint64_t mixed = ms_arcs_mix(known.shape, v, w);
        ms_arc_places *bucket = ms_arcs_bucket(known.shape, place, mixed);
        uint32_t tag = ms_arcs_tag(known.shape, mixed), got = ms_arcs_find(bucket, tag);
        ck_assert(got > 3 || got == arcs);
        found += got <= 3;
        lost += got > 3;
        if (turn == 0)
          ms_known_arcs_put(known.shape, bucket, mixed, arcs);
        if (turn == 0)
          ck_assert_uint_eq(ms_arcs_find(bucket, tag), arcs);
      }
  ck_assert_uint_gt(found, 500);
  ck_assert_uint_gt(lost, 20000);
  ms_known_arcs_free(&known);
}
END_TEST

/* There is no table before the rows pay for it, where a tag would be too long, and beyond a share
 * of the budget; what it takes is given back. */
START_TEST(takes_memory_of_its_budget)
{
  ms_known_arcs known;
  ms_budget budget;
  ms_known_arcs_init(&known, 1u << 31, 1000);
  ck_assert_uint_eq(known.entries, 0);
  ck_assert_ptr_null(ms_known_arcs_for(&known, UINT32_MAX));
  for (uint32_t i = 0; i < 2; i++) {
    ms_budget_open(&budget, i == 0 ? 16384 : 1 << 20);
    ms_known_arcs_init(&known, 5000, 4000);
    known.budget = &budget;
    ck_assert_uint_eq(known.entries, 4096);
    ck_assert_ptr_null(ms_known_arcs_for(&known, 100));
    ck_assert((ms_known_arcs_for(&known, 1000) != NULL) == (i > 0));
    ck_assert_uint_eq(budget.reserved, i > 0 ? 16384 : 0);
    ms_known_arcs_free(&known);
    ck_assert_uint_eq(budget.reserved, 0);
  }
}
END_TEST

/* The slices of a table that is filled from the graph's rows are all of them, once. */
START_TEST(fills_each_entry_once)
{
  ms_known_arcs known;
  uint64_t arcs = 100000, end, next = 0;
  ms_known_arcs_init(&known, 5000, arcs);
  for (uint64_t begin; (begin = ms_known_arcs_slice(&known, &end)) < end; next = end)
    ck_assert_uint_eq(begin, next);
  ck_assert_uint_eq(next, arcs);
}
END_TEST

TEST_MAIN("judge: known arcs", TEST(places_name_one_pair), TEST(finds_what_was_put),
          TEST(takes_memory_of_its_budget), TEST(fills_each_entry_once))
