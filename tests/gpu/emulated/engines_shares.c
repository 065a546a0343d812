/* Counts in shares (match/leaves.h): shares that an engine counts, and some that the CPU's counts,
 * add up to what the CPU's engine counts at once.  Over random graphs and patterns. */
#include "match/leaves.h"
#include "match/units.h"
#include "tests/gpu/emulated/engines.h"
#include "tests/gpu/random_case.h"
#include "tests/support/random.h"
#include "tests/support/shares.h"

#include "base/stop.h"

enum { TIMES = 20, CASES = 120, SIZE = 24, LOOKS = 40, PARTS = 4 };

static void count_shares(const subject *s, uint64_t seed, ms_integrity *integrity, mpz_t maps)
{
  ms_share share[MOST_SHARES];
  ms_count_leaves sum = {.count = 0};
  ms_count_query query = {
      .index = s->index, .domains = &s->domains, .order = s->order, .threads = 1, .devices = gpus};
  ms_error err;
  uint32_t shares = random_shares(&seed, MS_EVEN_UNITS, share);
  mpz_t ignored;
  mpz_init(ignored);
  if (shares > PARTS)
    share[PARTS - 1] = ms_share_of_range(0, 0);
  for (uint32_t p = 1; p <= PARTS && shares > PARTS; p++)
    share[p - 1] = ms_share_of_part(p, PARTS);
  shares = shares > PARTS ? PARTS : shares;
  for (uint32_t i = 0; i < shares; i++) {
    ms_count_leaves part = {
        .share = &share[i], .engine = i % 4 == 3 ? NULL : engine, .integrity = integrity};
    query.leaves = &part;
    ck_ok(ms_count_maps(&query, &s->shape, ignored, &err));
    ck_ok(ms_count_leaves_add(&sum, &part, &err));
    ms_count_leaves_free(&part);
  }
  ms_count_leaves_rewind(&sum);
  query.leaves = &sum;
  ck_ok(ms_count_maps(&query, &s->shape, maps, &err));
  ms_count_leaves_free(&sum);
  mpz_clear(ignored);
}

static uint64_t flips, flipped_bit;

/* Flips a bit in a device's numbers that the host has copied, in every other copy. */
static uint64_t flip(ms_fault_place place, uint64_t bytes)
{
  return place == MS_FAULT_TRANSFER && ++flips % 2 == 0 ? flipped_bit++ % (8 * bytes) : UINT64_MAX;
}

/* flipping: bits flip, and the run checks copies. */
static void check_case(uint64_t seed, bool flipping)
{
  ms_integrity integrity = {.checks = true, .fault = flip};
  static random_case c;
  random_plain plain;
  subject s = {.seed = seed};
  ms_stop *stop;
  mpz_t whole, sum;
  random_case_draw(&c, seed, SIZE);
  if (c.typed)
    return;
  random_case_plain(&c, &plain);
  subject_make(&s, plain.graph, plain.coloring, plain.pattern, c.induced);
  ck_assert(ms_stop_new(&stop, NULL) == MS_OK);
  ms_stop_after_looks(stop, LOOKS);
  s.stop = stop;
  mpz_init(whole);
  mpz_init(sum);
  if (count_within(&s, &ms_pattern_engine_cpu, 0, whole, NULL) == MS_OK && !s.domains.empty) {
    s.stop = NULL;
    vary(seed);
    ms_count_cut_from = seed / 3 % 2 ? 2 : 64;
    ms_count_cut_roots = seed / 6 % 2 ? 4 : 256;
    flips = 0;
    count_shares(&s, seed, flipping ? &integrity : NULL, sum);
    if (flipping)
      must(&s, integrity.damaged == flips / 2);
    if (mpz_cmp(whole, sum) != 0)
      random_case_print(&c, stderr);
    must(&s, mpz_cmp(whole, sum) == 0);
  }
  ms_stop_free(stop);
  mpz_clear(whole);
  mpz_clear(sum);
  subject_free(&s);
  random_plain_free(&plain);
}

/* 120 random cases for each engine, but those that take long. */
START_TEST(shares_add_up)
{
  uint64_t first = enter(_i), cases = scaled(CASES) / TIMES + 1;
  for (uint64_t i = 0; i < cases; i++)
    check_case(first + TIMES * i, false);
}
END_TEST

/* Bits that flip in the copies of numbers are found, and the sums are right: 40 random cases for
 * each engine. */
START_TEST(flipped_bits_are_found)
{
  uint64_t first = enter(_i), cases = scaled(CASES / 3) / TIMES + 1;
  for (uint64_t i = 0; i < cases; i++)
    check_case(first + TIMES * i, true);
}
END_TEST

void add_share_tests(int number)
{
  add_test(number, flipped_bits_are_found, TIMES);
  add_test(number, shares_add_up, TIMES);
}
