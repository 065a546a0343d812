/* The judge's verdicts and recounts against brute force. */
#include "base/status.h"
#include "tests/support/oracle.h"
#include "tests/support/recounts.h"
#include "tests/support/test_main.h"
#include "verify/recount.h"
#include "verify/verify.h"

#include <stdlib.h>
#include <string.h>

typedef struct mask_list {
  uint16_t mask[1 << ORACLE_MAX_N];
  uint32_t count, k;
} mask_list;

static bool append_mask(void *user, const uint32_t *set)
{
  mask_list *list = user;
  uint16_t mask = 0;
  for (uint32_t i = 0; i < list->k; i++) {
    ck_assert(i == 0 || set[i - 1] < set[i]);
    mask |= (uint16_t)(1u << set[i]);
  }
  list->mask[list->count++] = mask;
  return true;
}

static int compare_masks(const void *a, const void *b)
{
  return (int)*(const uint16_t *)a - (int)*(const uint16_t *)b;
}

static uint32_t members(uint16_t mask, uint32_t *set)
{
  uint32_t count = 0;
  for (uint32_t v = 0; v < ORACLE_MAX_N; v++) {
    if (mask >> v & 1) {
      set[count++] = v;
    }
  }
  return count;
}

/* Is there a match that holds v? */
static ms_status has_match(const ms_query *query, uint32_t v, bool *yes, const ms_stop *stop,
                           ms_error *err)
{
  ms_backtracker *backtracker;
  MS_TRY(ms_backtracker_new(query, false, stop, &backtracker, err));
  ms_status status = ms_backtracker_find(backtracker, v, NULL, yes, NULL, err);
  ms_backtracker_free(backtracker);
  return status;
}

/* The recount, whole and over its own choice of vertices, and has_match. */
static void check_recount(const oracle_case *c, uint64_t seed, const uint16_t *expected,
                          uint32_t matches)
{
  static mask_list list;
  ms_backtracker *backtracker;
  ms_error err;
  uint16_t in_match = 0;
  mpz_t count;
  mpz_init(count);
  for (int narrowed = 0; narrowed < 2; narrowed++) {
    list.count = 0;
    list.k = c->k;
    ck_assert_int_eq(ms_backtracker_new(c->query, narrowed != 0, NULL, &backtracker, &err), MS_OK);
    ck_assert_int_eq(ms_backtracker_list(backtracker, count, append_mask, &list, &err), MS_OK);
    ms_backtracker_free(backtracker);
    qsort(list.mask, list.count, sizeof *list.mask, compare_masks);
    ck_assert_msg(list.count == matches && mpz_cmp_ui(count, matches) == 0,
                  "seed %llu: %u matches, expected %u", (unsigned long long)seed, list.count,
                  matches);
    ck_assert_msg(memcmp(list.mask, expected, matches * sizeof *expected) == 0,
                  "seed %llu: other sets", (unsigned long long)seed);
  }
  for (uint32_t i = 0; i < matches; i++) {
    in_match |= expected[i];
  }
  for (uint32_t v = 0; v < c->n; v++) {
    bool yes;
    ck_assert_int_eq(has_match(c->query, v, &yes, NULL, &err), MS_OK);
    ck_assert_msg(yes == (in_match >> v & 1), "seed %llu: vertex %u", (unsigned long long)seed, v);
  }
  mpz_clear(count);
}

/* The recount, whole and from chosen vertices, has exactly the matches of brute force: 5,000 random
 * cases of up to 12 vertices. */
START_TEST(test_recount_against_oracle)
{
  static uint16_t expected[1 << ORACLE_MAX_N];
  for (uint64_t seed = 0; seed < 5000; seed++) {
    oracle_case c;
    oracle_make(&oracle_all_shapes, seed, &c);
    uint32_t matches = oracle_matches(&c, expected);
    check_recount(&c, seed, expected, matches);
    oracle_free(&c);
  }
}
END_TEST

/* A set of k vertices is accepted exactly where brute force has it: all sets of 3,000 random cases,
 * with more than 1,000 verdicts of each kind. */
START_TEST(test_verdicts_against_oracle)
{
  static uint16_t expected[1 << ORACLE_MAX_N];
  uint64_t verdicts[MS_MATCH_LACKS_REQUIRED + 1] = {0};
  for (uint64_t seed = 0; seed < 3000; seed++) {
    oracle_case c;
    oracle_make(&oracle_all_shapes, seed, &c);
    uint32_t matches = oracle_matches(&c, expected), next = 0, set[ORACLE_MAX_N];
    for (uint32_t mask = 0; mask < 1u << c.n; mask++) {
      if (members((uint16_t)mask, set) != c.k) {
        continue;
      }
      ms_verdict verdict = ms_verify_match(c.query, set);
      bool is_match = next < matches && expected[next] == mask;
      ck_assert_msg((verdict == MS_MATCH_OK) == is_match, "seed %llu: set %x: %s",
                    (unsigned long long)seed, mask, ms_verdict_text(verdict));
      next += is_match;
      verdicts[verdict]++;
    }
    set[0] = c.n;
    ck_assert_int_eq(ms_verify_match(c.query, set), MS_MATCH_OUT_OF_RANGE);
    set[0] = set[c.k - 1] = 0;
    ck_assert(c.k == 1 || ms_verify_match(c.query, set) == MS_MATCH_REPEATS_VERTEX);
    oracle_free(&c);
  }
  ck_assert_uint_gt(verdicts[MS_MATCH_NOT_CONNECTED], 1000);
  ck_assert_uint_gt(verdicts[MS_MATCH_COLORS_DO_NOT_FIT], 1000);
  ck_assert_uint_gt(verdicts[MS_MATCH_LACKS_REQUIRED], 1000);
}
END_TEST

/* A recount and a search for one match end when a stop is requested. */
START_TEST(test_recount_stops)
{
  ms_error err;
  ms_stop *stop;
  oracle_case c;
  mpz_t count;
  bool yes;
  mpz_init(count);
  ck_assert_int_eq(ms_stop_new(&stop, &err), MS_OK);
  ms_stop_request(stop);
  oracle_make(&oracle_all_shapes, 1, &c);
  ck_assert_int_eq(recount_motif(c.query, count, NULL, NULL, stop, &err), MS_ERR_INTERRUPTED);
  ck_assert_int_eq(has_match(c.query, 0, &yes, stop, &err), MS_ERR_INTERRUPTED);
  oracle_free(&c);
  ms_stop_free(stop);
  mpz_clear(count);
}
END_TEST

TEST_MAIN("verify", TEST(test_recount_against_oracle), TEST(test_verdicts_against_oracle),
          TEST(test_recount_stops))
