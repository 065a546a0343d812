/* Sums of the shares of a count of a motif's matches. */
#ifndef TESTS_SUPPORT_MOTIF_SHARES_H
#define TESTS_SUPPORT_MOTIF_SHARES_H

#include "motif/engine.h"
#include "motif/units.h"
#include "tests/support/search/shares.h"
#include "tests/support/test_main.h"

#include <stdlib.h>

/* Counts the shares of a random partition with the engines, one after the other, and compares with
 * the CPU's count of all. */
static inline void check_motif_shares(const ms_instance *instance, const ms_engine *const *engine,
                                      uint32_t engines, bool takes, uint64_t seed)
{
  ms_share share[MOST_SHARES];
  uint64_t *of[2] = {calloc(instance->n + 1, sizeof(uint64_t)),
                     calloc(instance->n + 1, sizeof(uint64_t))};
  ms_count_sink whole = {.taking = takes ? of[0] : NULL}, sum = {.taking = takes ? of[1] : NULL};
  void *context[4];
  ms_error err;
  uint32_t shares = random_shares(&seed, MS_EVEN_UNITS, share);
  for (uint32_t e = 0; e < engines; e++)
    ck_ok(engine[e]->open(instance, 1 + (int)(seed % 3), &context[e], &err));
  uint64_t roots = engine[0]->units(context[0]);
  ck_ok(engine[0]->count(context[0], 0, roots, &whole, NULL, &err));
  for (uint32_t i = 0; i < shares; i++) {
    uint32_t e = i % engines;
    sum.share = &share[i];
    ck_ok(engine[e]->count(context[e], 0, roots, &sum, NULL, &err));
  }
  ck_assert_msg(whole.low == sum.low && whole.high == sum.high,
                "seed %llu: the shares add up to %llu, not %llu", (unsigned long long)seed,
                (unsigned long long)sum.low, (unsigned long long)whole.low);
  for (uint32_t v = 0; v < instance->n; v++)
    ck_assert_msg(of[0][v] == of[1][v], "seed %llu: vertex %u in %llu matches, not %llu",
                  (unsigned long long)seed, v, (unsigned long long)of[1][v],
                  (unsigned long long)of[0][v]);
  for (uint32_t e = 0; e < engines; e++)
    engine[e]->close(context[e]);
  free(of[0]);
  free(of[1]);
}

#endif
