/* The judge's verdicts and recounts against brute force. */
#include "base/status.h"
#include "tests/support/search/oracle.h"
#include "tests/support/search/recounts.h"
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

/* Is there a match that holds v and, besides, only vertices that are allowed?  A search with few
 * steps may not know, but is never wrong; neither is growing, which succeeds in most cases. */
static void check_find(const oracle_case *c, uint64_t seed, uint16_t allowed_mask,
                       const uint16_t *expected, uint32_t matches, uint32_t *grown, uint32_t *all)
{
  ms_backtracker *backtracker;
  ms_error err;
  uint8_t allowed[ORACLE_MAX_N];
  uint16_t in_match = 0;
  for (uint32_t i = 0; i < matches; i++)
    in_match |= (expected[i] & ~allowed_mask) == 0 ? expected[i] : 0;
  for (uint32_t v = 0; v < c->n; v++)
    allowed[v] = allowed_mask >> v & 1;
  ck_ok(ms_backtracker_new(c->query, seed % 2, NULL, &backtracker, &err));
  ck_ok(ms_backtracker_restrict(backtracker, allowed, &err));
  for (uint32_t v = 0; v < c->n; v++) {
    uint32_t set[MS_MAX_K];
    bool is_in = in_match >> v & 1;
    for (uint64_t effort = 1; effort; effort = effort < 64    ? 4 * effort
                                               : effort == 64 ? UINT64_MAX
                                                              : 0) {
      ms_finding finding;
      ck_ok(ms_backtracker_find(backtracker, v, effort, &finding, set, &err));
      ck_assert_msg(finding == (is_in ? MS_FOUND_MATCH : MS_FOUND_NONE) ||
                        (finding == MS_FOUND_NOTHING_YET && effort != UINT64_MAX),
                    "seed %llu: vertex %u", (unsigned long long)seed, v);
      ck_assert(finding != MS_FOUND_MATCH || ms_verify_match(c->query, set) == MS_MATCH_OK);
    }
    if (ms_backtracker_grow(backtracker, v, 1, set)) {
      ck_assert_msg(is_in, "seed %llu: vertex %u grew", (unsigned long long)seed, v);
      ck_assert_int_eq(ms_verify_match(c->query, set), MS_MATCH_OK);
      ++*grown;
    }
    *all += is_in;
  }
  ms_backtracker_free(backtracker);
}

/* The recount, whole and over its own choice of vertices. */
static void check_recount(const oracle_case *c, uint64_t seed, const uint16_t *expected,
                          uint32_t matches)
{
  static mask_list list;
  ms_backtracker *backtracker;
  ms_error err;
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
  mpz_clear(count);
}

/* The recount, whole and from chosen vertices, has exactly the matches of brute force, and the
 * searches for one match are right with any number of steps, among all vertices and among some:
 * 5,000 random cases of up to 12 vertices.  Growing finds a match of most vertices at once. */
START_TEST(test_recount_against_oracle)
{
  static uint16_t expected[1 << ORACLE_MAX_N];
  uint32_t grown = 0, all = 0;
  for (uint64_t seed = 0; seed < 5000; seed++) {
    oracle_case c;
    oracle_make(&oracle_all_shapes, seed, &c);
    uint32_t matches = oracle_matches(&c, expected);
    check_recount(&c, seed, expected, matches);
    check_find(&c, seed, UINT16_MAX, expected, matches, &grown, &all);
    check_find(&c, seed, (uint16_t)(0x9e3779b1u * seed >> 13), expected, matches, &grown, &all);
    oracle_free(&c);
  }
  ck_assert_uint_gt(grown, all / 10 * 9);
  ck_assert_uint_gt(all, 5000);
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
  ms_finding finding;
  ms_backtracker *backtracker;
  uint32_t set[MS_MAX_K];
  static const uint8_t allowed[ORACLE_MAX_N];
  mpz_init(count);
  ck_assert_int_eq(ms_stop_new(&stop, &err), MS_OK);
  ms_stop_request(stop);
  oracle_make(&oracle_all_shapes, 1, &c);
  ck_assert_int_eq(recount_motif(c.query, count, NULL, NULL, stop, &err), MS_ERR_INTERRUPTED);
  ck_ok(ms_backtracker_new(c.query, false, stop, &backtracker, &err));
  ck_assert_int_eq(ms_backtracker_restrict(backtracker, allowed, &err), MS_ERR_INTERRUPTED);
  ck_assert_int_eq(ms_backtracker_find(backtracker, 0, 10, &finding, set, &err),
                   MS_ERR_INTERRUPTED);
  ms_backtracker_free(backtracker);
  oracle_free(&c);
  ms_stop_free(stop);
  mpz_clear(count);
}
END_TEST

TEST_MAIN("verify", TEST(test_recount_against_oracle), TEST(test_verdicts_against_oracle),
          TEST(test_recount_stops))
