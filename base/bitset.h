/* Sets of numbers below 256: the vertices of a pattern, or the levels of its matching order.
 *
 * A set is a value of four words.  Functions take and return sets by value; all are inlined.  Inner
 * loops that go through the same set again and again should read a list made from it
 * (ms_bitset_list): a list costs patterns of a few vertices nothing for the size of the set. */
#ifndef MS_BASE_BITSET_H
#define MS_BASE_BITSET_H

#include <stdbool.h>
#include <stdint.h>

#define MS_BITSET_SIZE 256u /* members are below it */

typedef struct ms_bitset {
  uint64_t word[4]; /* bit i % 64 of word[i / 64] stands for i */
} ms_bitset;

/* ---- making sets ----------------------------------------------------------- */

static inline void ms_bitset_add(ms_bitset *set, uint32_t i)
{
  set->word[i / 64] |= UINT64_C(1) << i % 64;
}

static inline void ms_bitset_remove(ms_bitset *set, uint32_t i)
{
  set->word[i / 64] &= ~(UINT64_C(1) << i % 64);
}

/* Returns the set that holds i alone. */
static inline ms_bitset ms_bitset_of(uint32_t i)
{
  ms_bitset set = {{0}};
  ms_bitset_add(&set, i);
  return set;
}

/* Returns the set of all numbers below `end`, which is at most MS_BITSET_SIZE. */
static inline ms_bitset ms_bitset_below(uint32_t end)
{
  ms_bitset set;
  for (uint32_t w = 0; w < 4; w++)
    set.word[w] = end >= 64 * (w + 1) ? ~UINT64_C(0)
                  : end > 64 * w      ? (UINT64_C(1) << (end - 64 * w)) - 1
                                      : 0;
  return set;
}

static inline ms_bitset ms_bitset_all(void)
{
  return (ms_bitset){{~UINT64_C(0), ~UINT64_C(0), ~UINT64_C(0), ~UINT64_C(0)}};
}

static inline ms_bitset ms_bitset_or(ms_bitset a, ms_bitset b)
{
  return (ms_bitset){
      {a.word[0] | b.word[0], a.word[1] | b.word[1], a.word[2] | b.word[2], a.word[3] | b.word[3]}};
}

static inline ms_bitset ms_bitset_and(ms_bitset a, ms_bitset b)
{
  return (ms_bitset){
      {a.word[0] & b.word[0], a.word[1] & b.word[1], a.word[2] & b.word[2], a.word[3] & b.word[3]}};
}

/* Returns the members of a that are not in b. */
static inline ms_bitset ms_bitset_minus(ms_bitset a, ms_bitset b)
{
  return (ms_bitset){{a.word[0] & ~b.word[0], a.word[1] & ~b.word[1], a.word[2] & ~b.word[2],
                      a.word[3] & ~b.word[3]}};
}

/* Returns the set without i. */
static inline ms_bitset ms_bitset_without(ms_bitset set, uint32_t i)
{
  ms_bitset_remove(&set, i);
  return set;
}

/* ---- questions ------------------------------------------------------------- */

static inline bool ms_bitset_has(const ms_bitset *set, uint32_t i)
{
  return set->word[i / 64] >> i % 64 & 1;
}

static inline bool ms_bitset_is_empty(ms_bitset set)
{
  return !(set.word[0] | set.word[1] | set.word[2] | set.word[3]);
}

static inline bool ms_bitset_equal(ms_bitset a, ms_bitset b)
{
  return !((a.word[0] ^ b.word[0]) | (a.word[1] ^ b.word[1]) | (a.word[2] ^ b.word[2]) |
           (a.word[3] ^ b.word[3]));
}

/* True if the sets have a member in common. */
static inline bool ms_bitset_meets(ms_bitset a, ms_bitset b)
{
  return !ms_bitset_is_empty(ms_bitset_and(a, b));
}

/* True if every member of a is in b. */
static inline bool ms_bitset_within(ms_bitset a, ms_bitset b)
{
  return ms_bitset_is_empty(ms_bitset_minus(a, b));
}

static inline uint32_t ms_bitset_count(ms_bitset set)
{
  uint32_t count = (uint32_t)__builtin_popcountll(set.word[0]);
  for (uint32_t w = 1; w < 4; w++) /* mostly empty, and a count may be a call */
    count += set.word[w] ? (uint32_t)__builtin_popcountll(set.word[w]) : 0;
  return count;
}

/* Returns the smallest member from i on; MS_BITSET_SIZE: there is none. */
static inline uint32_t ms_bitset_next(const ms_bitset *set, uint32_t i)
{
  if (i >= MS_BITSET_SIZE)
    return MS_BITSET_SIZE;
  uint32_t w = i / 64;
  uint64_t rest = set->word[w] & ~UINT64_C(0) << i % 64;
  while (!rest && ++w < 4)
    rest = set->word[w];
  return rest ? 64 * w + (uint32_t)__builtin_ctzll(rest) : MS_BITSET_SIZE;
}

/* Returns the smallest member; MS_BITSET_SIZE: the set is empty. */
static inline uint32_t ms_bitset_first(ms_bitset set)
{
  return ms_bitset_next(&set, 0);
}

/* Runs through the members in ascending order.  `set` is a variable; the body may change members
 * that it has not reached yet. */
#define MS_EACH_MEMBER(i, set)                                                                     \
  for (uint32_t i = ms_bitset_next(&(set), 0); i < MS_BITSET_SIZE;                                 \
       i = ms_bitset_next(&(set), i + 1))

/* ---- other forms ------------------------------------------------------------ */

/* Returns the set as one word, in which bit i stands for i.  It loses members from 64 on: the
 * size of the pattern says that there are none. */
static inline uint64_t ms_bitset_word(ms_bitset set)
{
  return set.word[0];
}

static inline ms_bitset ms_bitset_of_word(uint64_t word)
{
  return (ms_bitset){{word, 0, 0, 0}};
}

/* Writes the members to list[] in ascending order, and returns their number. */
static inline uint32_t ms_bitset_list(ms_bitset set, uint8_t *list)
{
  uint32_t count = 0;
  MS_EACH_MEMBER (i, set)
    list[count++] = (uint8_t)i;
  return count;
}

#endif
