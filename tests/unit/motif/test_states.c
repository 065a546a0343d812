/* The tables of all states against the states that searches make one by one. */
#include "motif/states.h"
#include "tests/support/random.h"
#include "tests/support/search/oracle.h"
#include "tests/support/test_main.h"

#include "base/status.h"

#include <stdlib.h>
#include <string.h>

static const oracle_shape shapes[] = {
    {.min_n = 1, .max_n = 12, .min_k = 1, .max_k = 8, .color_lists = true, .wildcards = true},
    {.min_n = 2,
     .max_n = 12,
     .min_k = 2,
     .max_k = 8,
     .color_lists = true,
     .wildcards = true,
     .required = true},
    {.min_n = 2, .max_n = 12, .min_k = 2, .max_k = 7, .color_lists = true, .conditions = true},
};

static bool joins(const ms_states *s, uint32_t set, uint32_t kind)
{
  return s->set[set * s->kind_words + kind / 32] >> kind % 32 & 1;
}

/* Compares one state with the same set's in the tables, and their groups. */
static void compare_state(const ms_kinds *kinds, const ms_states *s, uint32_t state,
                          const ms_fit *fit, uint64_t seed)
{
  for (uint32_t c = 0; c < kinds->count; c++)
    ck_assert_msg(joins(s, s->joins[state], c) == ms_fit_takes(fit, kinds->kind[c]),
                  "seed %llu, kind %u", (unsigned long long)seed, c);
  uint32_t first = s->group_begin[state], end = s->group_begin[state + 1];
  ck_assert(fit->size + 2 == kinds->ranked->size || first == end);
  for (uint32_t c = 0; fit->size + 2 == kinds->ranked->size && c < kinds->count; c++) {
    uint32_t next = s->next[state * s->kinds + c], found = 0;
    for (uint32_t g = first; g < end; g++)
      if (joins(s, s->group[g].members, c)) {
        ck_assert_uint_eq(s->group[g].joins, s->joins[next]);
        found++;
      }
    ck_assert_uint_eq(found, next != MS_NO_STATE);
  }
}

/* Follows random sets of kinds; returns how many vertices were added. */
static uint32_t follow_random(const ms_kinds *kinds, const ms_states *s, ms_fits *fits,
                              uint64_t seed)
{
  uint64_t random = seed;
  uint32_t added = 0;
  for (uint32_t walk = 0; walk < 20; walk++) {
    const ms_fit *fit = ms_fits_begin(fits);
    uint32_t state = 0;
    while (fit->size + 1 < kinds->ranked->size) {
      compare_state(kinds, s, state, fit, seed);
      uint32_t kind = (uint32_t)random_below(&random, kinds->count);
      if (!ms_fit_takes(fit, kinds->kind[kind]) ||
          (kinds->kind[kind].mandatory && fit->missing == 0)) {
        ck_assert(!ms_fit_takes(fit, kinds->kind[kind]) || fit->missing == 0);
        break;
      }
      uint32_t next = s->next[state * s->kinds + kind];
      fit = ms_fits_next(fits, fit, kind);
      ck_assert_msg((fit != NULL) == (next != MS_NO_STATE), "seed %llu", (unsigned long long)seed);
      if (!fit)
        break;
      state = next;
      added++;
    }
    if (fit && fit->size + 1 == kinds->ranked->size)
      compare_state(kinds, s, state, fit, seed);
  }
  return added;
}

/* Random walks through the states of random motifs: 2,000 motifs, 20 walks each. */
START_TEST(agree_with_searches)
{
  uint64_t cases = scaled(2000), added = 0;
  for (uint64_t i = 0; i < cases; i++) {
    oracle_case c;
    ms_instance *instance;
    ms_ranked *ranked;
    ms_kinds kinds;
    ms_states *states;
    ms_fits *fits;
    ms_error err;
    oracle_make(&shapes[i % 3], 300 + i, &c);
    ck_ok(ms_instance_new(c.query, 1, &instance, &err));
    ck_ok(ms_ranked_new(instance, &ranked, &err));
    if (ranked->n > 0) {
      ck_ok(ms_kinds_of(ranked, &kinds, &err));
      ck_ok(ms_states_new(&kinds, &states, &err));
      ck_ok(ms_fits_new(&kinds, 0, false, 1 << 20, NULL, &fits, &err));
      added += follow_random(&kinds, states, fits, 300 + i);
      ms_fits_free(fits);
      ms_states_free(states);
      ms_kinds_free(&kinds);
    }
    ms_ranked_free(ranked);
    ms_instance_free(instance);
    oracle_free(&c);
  }
  ck_assert_uint_gt(added, cases);
}
END_TEST

/* 14 slots of different colours and 1,024 kinds of vertices have too many states, which is an error
 * that says what to do. */
START_TEST(too_many_are_refused)
{
  enum { KINDS = 1024 };
  static ms_kind kind[KINDS];
  uint64_t random = 5;
  ms_error err;
  ms_states *states;
  ms_ranked ranked = {.k = 14, .size = 14};
  ms_kinds kinds = {.ranked = &ranked, .count = KINDS, .kind = kind};
  for (uint32_t c = 0; c < KINDS; c++)
    kind[c].mask = 1 + (uint32_t)random_below(&random, (1u << 14) - 1);
  ck_assert_int_eq(ms_states_new(&kinds, &states, &err), MS_ERR_USAGE);
  ck_assert_ptr_nonnull(strstr(err.message, "use the CPU"));
  ck_assert_ptr_null(states);
}
END_TEST

TEST_MAIN("states", TEST(agree_with_searches), TEST(too_many_are_refused))
