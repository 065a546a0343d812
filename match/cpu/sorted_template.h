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
#include "match/cpu/inner_lanes_template.h"
#include "match/cpu/inner_words_template.h"
#include "match/cpu/sorted.h"

#include <string.h>

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
