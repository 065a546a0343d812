/* Shares of units of work (base/units.h). */
#include "base/units.h"
#include "tests/support/test_main.h"

#define UNITS 40u

/* The definition, without the arithmetic of units.h. */
static bool belongs(const ms_share *share, uint64_t unit)
{
  uint64_t step = share->step == 0 ? 1 : share->step;
  for (uint64_t u = share->phase % step; u < UNITS + 5; u += step)
    if (u == unit)
      return u >= share->first && u < share->last;
  return false;
}

static void check_share(const ms_share *share)
{
  uint64_t count = 0, found = ms_share_next(share, 0);
  for (uint64_t u = 0; u < UNITS; u++) {
    bool has = belongs(share, u);
    ck_assert_int_eq(ms_share_has(share, u), has);
    count += has;
    if (!has)
      continue;
    ck_assert_uint_eq(found, u);
    found = ms_share_next(share, u + 1);
  }
  ck_assert_uint_ge(found, UNITS);
  ck_assert_uint_eq(ms_share_count(share, UNITS), count);
}

/* Has, next and count agree with the definition, for all shares with bounds and steps up to 12. */
START_TEST(definition)
{
  for (uint64_t first = 0; first < 12; first++)
    for (uint64_t last = 0; last < 12; last++)
      for (uint64_t step = 0; step < 12; step++)
        for (uint64_t phase = 0; phase < 12; phase++) {
          ms_share share = {first, last, phase, step}, open = {first, UINT64_MAX, phase, step};
          check_share(&share);
          check_share(&open);
        }
}
END_TEST

/* Each of 40 units is in one part of N, for N = 1 .. 50, also after the parts are cut into ranges;
 * NULL holds all units. */
START_TEST(parts)
{
  for (uint32_t many = 1; many <= 50; many++)
    for (uint64_t cut = 0; cut <= UNITS; cut += 13)
      for (uint64_t u = 0; u < UNITS; u++) {
        int times = 0;
        for (uint32_t part = 1; part <= many; part++) {
          ms_share whole = ms_share_of_part(part, many);
          ms_share low = ms_share_within(&whole, 0, cut), high = ms_share_within(&whole, cut, 99);
          ck_assert_int_eq(ms_share_has(&low, u) + ms_share_has(&high, u), ms_share_has(&whole, u));
          times += ms_share_has(&whole, u);
        }
        ck_assert_int_eq(times, 1);
        ck_assert(ms_share_has(NULL, u));
        ck_assert_uint_eq(ms_share_next(NULL, u), u);
        ms_share range = ms_share_of_range(3, 7), same = ms_share_within(NULL, 3, 7);
        ck_assert_int_eq(ms_share_has(&range, u), u >= 3 && u < 7);
        ck_assert_int_eq(ms_share_has(&same, u), u >= 3 && u < 7);
      }
  ck_assert_uint_eq(ms_share_count(NULL, UNITS), UNITS);
}
END_TEST

/* Numbers near 2^64 do not wrap around. */
START_TEST(large)
{
  ms_share share = {UINT64_MAX - 3, UINT64_MAX, 1, 1000}, odd = {0, UINT64_MAX, 1, 2};
  ck_assert_uint_eq(ms_share_next(&share, 0), UINT64_MAX);
  ck_assert_uint_eq(ms_share_count(&share, UINT64_MAX), 0);
  ck_assert_uint_eq(ms_share_next(&odd, UINT64_MAX - 2), UINT64_MAX - 2);
  ck_assert_uint_eq(ms_share_next(&odd, UINT64_MAX - 1), UINT64_MAX);
  ck_assert_uint_eq(ms_share_count(&odd, UINT64_MAX), UINT64_MAX / 2);
  ck_assert_uint_eq(ms_share_count(NULL, UINT64_MAX), UINT64_MAX);
}
END_TEST

TEST_MAIN("units", TEST(definition), TEST(parts), TEST(large))
