/* Defines the table of one path of sorted.h.
 *
 * Define before including:
 *   SORTED_NAME    its name
 *   LEAF, leaf(p, x)
 *                  how many of the LEAF elements from p on are smaller than x
 * and these static functions, as in ms_sorted:
 *   merge_intersect, merge_count, merge_subtract
 *                  lists of similar length, none of them empty
 *   sorted_filter, sorted_filter_count, sorted_and_bits, sorted_and_count
 *
 * Where one list is FAR_LONGER than the other, the elements of the short one
 * are looked up in the long one: four binary searches side by side, down to
 * LEAF elements, without a branch that depends on the data.  They take the same
 * steps, and while one waits for memory the others proceed.  A search among
 * 1000 elements takes as long as merging about 8 (AVX-512) or 4 (portable)
 * elements. */
#include "base/compiler.h"
#include "match/cpu/inner_lanes.h"
#include "match/cpu/inner_words.h"
#include "match/cpu/sorted.h"

#include <string.h>

/* ---- inner words template -------------------------------------------------------------------- */

/* Defines count_words, which ms_sorted describes, for the path that includes this file. */

typedef struct word_walk {
  const ms_word_program *program;
  const uint64_t *row; /* [n] the neighbours of each vertex */
  uint64_t all;        /* the vertices */
  uint32_t match[MS_WORD_LEVELS];
} word_walk;

static inline uint64_t word_above(uint32_t v)
{
  return ~UINT64_C(1) << v;
}

static inline uint64_t word_below(uint32_t v)
{
  return (UINT64_C(1) << v) - 1;
}

/* Returns what the matches of the levels below `levels` leave of the candidates. */
static inline uint64_t word_candidates(const word_walk *w, const ms_word_step *at, uint32_t levels)
{
  uint64_t set = w->all;
  for (uint32_t i = 0; i < at->near.count && at->near.level[i] < levels; i++)
    set &= w->row[w->match[at->near.level[i]]];
  for (uint32_t i = 0; i < at->above.count && at->above.level[i] < levels; i++)
    set &= word_above(w->match[at->above.level[i]]);
  for (uint32_t i = 0; i < at->below.count && at->below.level[i] < levels; i++)
    set &= word_below(w->match[at->below.level[i]]);
  return set;
}

static inline bool word_ends_with(const ms_word_list *list, uint32_t level)
{
  return list->count > 0 && list->level[list->count - 1] == level;
}

/* Returns the sum of the terms, which are products of sizes of intersections of the groups. */
static int64_t word_terms(const ms_word_program *p, const uint64_t *set)
{
  int64_t sum = 0;
  for (uint32_t i = 0; i < p->n_terms; i++) {
    const ms_tail_term *t = &p->term[i];
    int64_t product = t->factor;
    for (uint32_t b = 0; b < t->count; b++) {
      uint64_t meet = ~UINT64_C(0);
      for (uint32_t mask = t->mask[b]; mask; mask &= mask - 1)
        meet &= set[__builtin_ctz(mask)];
      product *= __builtin_popcountll(meet);
    }
    sum += product;
  }
  return sum;
}

/* Counts a tail of one group for all candidates of the last level. */
static int64_t word_single(const word_walk *w, uint64_t candidates, uint64_t used)
{
  const ms_word_program *p = w->program;
  const ms_word_step *g = &p->group[0];
  uint32_t last = p->prefix - 1;
  uint64_t base = word_candidates(w, g, last) & ~used;
  bool near = word_ends_with(&g->near, last), above = word_ends_with(&g->above, last),
       below = word_ends_with(&g->below, last);
  int64_t sum = 0;
  for (; candidates; candidates &= candidates - 1) {
    uint32_t v = (uint32_t)__builtin_ctzll(candidates);
    uint64_t set = base & (near ? w->row[v] : ~(candidates & -candidates));
    set &= above ? word_above(v) : ~UINT64_C(0);
    set &= below ? word_below(v) : ~UINT64_C(0);
    sum += p->ways[__builtin_popcountll(set)];
  }
  return sum;
}

/* Counts a tail of several groups for all candidates of the last level. */
static int64_t word_several(word_walk *w, uint64_t candidates, uint64_t used)
{
  const ms_word_program *p = w->program;
  uint32_t last = p->prefix - 1;
  int64_t sum = 0;
  for (; candidates; candidates &= candidates - 1) {
    uint64_t set[MS_MAX_TAIL];
    w->match[last] = (uint32_t)__builtin_ctzll(candidates);
    uint64_t free_ones = ~(used | (candidates & -candidates));
    for (uint32_t g = 0; g < p->n_groups; g++)
      set[g] = word_candidates(w, &p->group[g], last + 1) & free_ones;
    sum += word_terms(p, set);
  }
  return sum;
}

static int64_t word_level(word_walk *w, uint32_t level, uint64_t candidates, uint64_t used)
{
  const ms_word_program *p = w->program;
  int64_t sum = 0;
  if (level + 1 == p->prefix)
    return p->n_groups == 1 ? word_single(w, candidates, used) : word_several(w, candidates, used);
  for (; candidates; candidates &= candidates - 1) {
    uint64_t next = used | (candidates & -candidates);
    w->match[level] = (uint32_t)__builtin_ctzll(candidates);
    sum +=
        word_level(w, level + 1, word_candidates(w, &p->step[level + 1], level + 1) & ~next, next);
  }
  return sum;
}

static int64_t count_words(const ms_word_program *program, const uint64_t *row, uint32_t n,
                           uint32_t first, uint32_t last)
{
  word_walk w = {.program = program, .row = row};
  w.all = n == MS_WORD ? ~UINT64_C(0) : word_below(n);
  uint64_t roots = (last == MS_WORD ? ~UINT64_C(0) : word_below(last)) & ~word_below(first);
  return first < last ? word_level(&w, 0, roots, 0) : 0;
}

/* ---- inner lanes template -------------------------------------------------------------------- */

/* Defines count_lanes, which ms_sorted describes, for the path that includes this file.  The path
 * has defined LANES; lanes_t, a number of 8 bits for each lane; lanes_sum, which adds up at most
 * 255 masks; lanes_value, the sum of c (c-1) over the numbers c of the active lanes; and
 * lanes_store. */

enum { MOST_MASKS = 255 /* that 8 bits count */ };

/* As lanes_value(lanes_sum(..)), for rows of any length. */
static uint64_t value_of_long_row(const uint32_t *ids, uint32_t n, const uint64_t *mask,
                                  uint64_t active)
{
  uint64_t count[LANES] = {0}, sum = 0;
  for (uint32_t i = 0; i < n; i += MOST_MASKS) {
    uint8_t part[LANES];
    lanes_store(lanes_sum(ids + i, n - i < MOST_MASKS ? n - i : MOST_MASKS, mask), part);
    for (uint32_t lane = 0; lane < LANES; lane++)
      count[lane] += part[lane];
  }
  for (uint32_t lane = 0; lane < LANES; lane++)
    sum += active >> lane & 1 ? count[lane] * (count[lane] - 1) : 0;
  return sum;
}

static ms_wide_size count_lanes(const ms_lane_rows *rows, uint32_t first, uint32_t last,
                                uint64_t active)
{
  ms_wide_size sum = 0;
  for (uint32_t w = first; w < last; w++) {
    const uint32_t *ids = rows->neighbor + rows->offset[w];
    uint32_t n = rows->length[w];
    if (n > MOST_MASKS)
      sum += value_of_long_row(ids, n, rows->mask, active);
    else if (n > 1)
      sum += lanes_value(lanes_sum(ids, n, rows->mask), active);
  }
  return sum / 2;
}

/* ---- sorted template ------------------------------------------------------------------------- */

enum { FAR_LONGER = 8, SEARCHES = 4 };

static inline bool far_longer(size_t n, size_t few)
{
  return n / FAR_LONGER >= few && n >= LEAF;
}

/* Finds where each of few[t .. t + SEARCHES) is in list[n]: the first index
 * with an element that is not smaller, at most n - 1.  Beyond the end of `few`
 * its last element is searched for.
 * The lists may be overwritten in front of the positions found before (out ==
 * a).  The elements written there are smaller than all elements still to be
 * searched for, and no more than that is needed for the search. */
static inline void find_four(const uint32_t *few, size_t nf, size_t t, const uint32_t *list,
                             size_t n, uint32_t x[SEARCHES], size_t at[SEARCHES])
{
  const uint32_t *p[SEARCHES];
  MS_UNROLL(4)
  for (size_t l = 0; l < SEARCHES; l++) {
    x[l] = few[t + l < nf ? t + l : nf - 1];
    p[l] = list;
  }
  for (size_t half, rest = n; rest > LEAF; rest -= half) {
    half = rest / 2;
    MS_UNROLL(4)
    for (size_t l = 0; l < SEARCHES; l++)
      p[l] += p[l][half - 1] < x[l] ? half : 0;
  }
  MS_UNROLL(4)
  for (size_t l = 0; l < SEARCHES; l++) {
    const uint32_t *last = list + n - LEAF, *from = p[l] < last ? p[l] : last;
    size_t index = (size_t)(from - list) + leaf(from, x[l]);
    at[l] = index < n ? index : n - 1;
  }
}

/* Writes the elements of the short list that are in the long one (`both`), or
 * that are not. Each element is written, and stays only if it qualifies. This
 * is safe in place: in the short list k <= t + l, which has been read; in the
 * long one all elements in front of at[l] may change as said above, and at[l]
 * itself is not touched. */
static size_t gallop_pick(const uint32_t *few, size_t nf, const uint32_t *list, size_t n, bool both,
                          uint32_t *out)
{
  size_t k = 0;
  for (size_t t = 0; t < nf; t += SEARCHES) {
    uint32_t x[SEARCHES];
    size_t at[SEARCHES];
    find_four(few, nf, t, list, n, x, at);
    for (size_t l = 0; l < SEARCHES && t + l < nf; l++) {
      uint32_t found = list[at[l]];
      out[k] = both && k == at[l] ? found : x[l];
      k += (found == x[l]) == both;
    }
  }
  return k;
}

static size_t gallop_count(const uint32_t *few, size_t nf, const uint32_t *list, size_t n)
{
  size_t k = 0;
  for (size_t t = 0; t < nf; t += SEARCHES) {
    uint32_t x[SEARCHES];
    size_t at[SEARCHES];
    find_four(few, nf, t, list, n, x, at);
    for (size_t l = 0; l < SEARCHES && t + l < nf; l++)
      k += list[at[l]] == x[l];
  }
  return k;
}

/* Removes a few elements from a long list: the runs between them move up. */
static size_t gallop_drop(const uint32_t *list, size_t n, const uint32_t *few, size_t nf,
                          uint32_t *out)
{
  size_t k = 0, from = 0;
  for (size_t t = 0; t < nf; t += SEARCHES) {
    uint32_t x[SEARCHES];
    size_t at[SEARCHES];
    find_four(few, nf, t, list, n, x, at);
    for (size_t l = 0; l < SEARCHES && t + l < nf; l++)
      if (list[at[l]] == x[l]) {
        memmove(out + k, list + from, (at[l] - from) * sizeof *out);
        k += at[l] - from;
        from = at[l] + 1;
      }
  }
  memmove(out + k, list + from, (n - from) * sizeof *out);
  return k + n - from;
}

static size_t sorted_intersect(const uint32_t *a, size_t na, const uint32_t *b, size_t nb,
                               uint32_t *out)
{
  if (na == 0 || nb == 0)
    return 0;
  if (far_longer(nb, na))
    return gallop_pick(a, na, b, nb, true, out);
  if (far_longer(na, nb))
    return gallop_pick(b, nb, a, na, true, out);
  return merge_intersect(a, na, b, nb, out);
}

static size_t sorted_count(const uint32_t *a, size_t na, const uint32_t *b, size_t nb)
{
  if (na == 0 || nb == 0)
    return 0;
  if (far_longer(nb, na))
    return gallop_count(a, na, b, nb);
  if (far_longer(na, nb))
    return gallop_count(b, nb, a, na);
  return merge_count(a, na, b, nb);
}

static size_t sorted_subtract(const uint32_t *a, size_t na, const uint32_t *b, size_t nb,
                              uint32_t *out)
{
  if (na == 0)
    return 0;
  if (nb == 0) {
    memmove(out, a, na * sizeof *out);
    return na;
  }
  if (far_longer(nb, na))
    return gallop_pick(a, na, b, nb, false, out);
  if (far_longer(na, nb))
    return gallop_drop(a, na, b, nb, out);
  return merge_subtract(a, na, b, nb, out);
}

#define SORTED_PASTE(name) ms_sorted_##name
#define SORTED_TABLE(name) SORTED_PASTE(name)
#define SORTED_QUOTE(name) #name
#define SORTED_TEXT(name) SORTED_QUOTE(name)

extern const ms_sorted SORTED_TABLE(SORTED_NAME);
const ms_sorted SORTED_TABLE(SORTED_NAME) = {
    .name = SORTED_TEXT(SORTED_NAME),
    .intersect = sorted_intersect,
    .count = sorted_count,
    .subtract = sorted_subtract,
    .filter = sorted_filter,
    .filter_count = sorted_filter_count,
    .and_bits = sorted_and_bits,
    .and_count = sorted_and_count,
    .count_words = count_words,
    .lanes = LANES,
    .lane_cost = LANE_COST,
    .count_lanes = count_lanes,
};
