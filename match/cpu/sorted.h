/* Intersection and difference of sorted sets of 32-bit ids with the widest
 * instructions of the processor.  There is one table of functions for each path
 * (portable, avx2, avx512), and the path is chosen at run time.
 * MOTIFSIEVE_SETS=NAME selects one for tests; an unknown name is ignored.  The
 * results do not depend on the path.
 * Inputs ascend without repeats, and so do outputs.  `out` has room for na
 * elements and 16 more, because whole vectors are written; it may be `a`
 * itself, but not b.  Nothing is read outside of the inputs.  If the lengths
 * differ by a factor of 8 or more, the elements of the short list are searched
 * for in the long one. */
#ifndef MS_MATCH_CPU_SORTED_H
#define MS_MATCH_CPU_SORTED_H

#include "base/wide.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MS_SORTED_SLACK 16u

typedef struct ms_word_program ms_word_program;
typedef struct ms_lane_rows ms_lane_rows; /* inner_lanes.h */

typedef struct ms_sorted {
  const char *name;
  /* out = the elements in both a and b; returns their number */
  size_t (*intersect)(const uint32_t *a, size_t na, const uint32_t *b, size_t nb, uint32_t *out);
  size_t (*count)(const uint32_t *a, size_t na, const uint32_t *b, size_t nb);
  /* out = the elements of a that are not in b; returns their number */
  size_t (*subtract)(const uint32_t *a, size_t na, const uint32_t *b, size_t nb, uint32_t *out);
  /* out = the elements of a whose bit in bits[] (64 a word) is `want`; returns
   * their number */
  size_t (*filter)(const uint32_t *a, size_t na, const uint64_t *bits, bool want, uint32_t *out);
  size_t (*filter_count)(const uint32_t *a, size_t na, const uint64_t *bits, bool want);
  /* words[n] = a and b; returns the number of set bits. `words` may be a or
   * b */
  size_t (*and_bits)(const uint64_t *a, const uint64_t *b, size_t n, uint64_t *words);
  size_t (*and_count)(const uint64_t *a, const uint64_t *b, size_t n);
  /* Returns the total of a program (inner_words.h) in a graph of n <= 64 vertices with these rows,
   * for the roots from `first` up to, not including, `last`. */
  int64_t (*count_words)(const ms_word_program *program, const uint64_t *row, uint32_t n,
                         uint32_t first, uint32_t last);
  uint32_t lanes;   /* of count_lanes: at most 64 */
  double lane_cost; /* time of count_lanes for an element of a row, in that of a path that is
                       entered in a table */
  /* Returns the sum of c (c-1) / 2 over the active lanes and the vertices from `first` up to, not
   * including, `last`, where c is the number of the vertex's neighbours whose mask has the lane's
   * bit. */
  ms_wide_size (*count_lanes)(const ms_lane_rows *rows, uint32_t first, uint32_t last,
                              uint64_t active);
} ms_sorted;

extern const ms_sorted ms_sorted_portable;
#ifdef MS_X86_64
extern const ms_sorted ms_sorted_avx2, ms_sorted_avx512;
#endif

/* Returns the fastest table that this processor supports, or the one that
 * MOTIFSIEVE_SETS names if it exists. Never returns NULL. */
const ms_sorted *ms_sorted_best(void);
/* Returns the i-th table that this processor supports, beginning with the
 * portable one, or NULL after the last. */
const ms_sorted *ms_sorted_at(unsigned i);

/* Returns the first index i < n with a[i] >= x, else n. */
size_t ms_lower_bound(const uint32_t *a, size_t n, uint32_t x);

/* Memory for the output of a set operation. */
typedef struct ms_space {
  uint32_t *ids;
  size_t room;
} ms_space;

/* Makes room for `length` ids and MS_SORTED_SLACK more. The previous content is
 * lost. Returns false if there is no memory. */
bool ms_space_for(ms_space *space, size_t length);

#endif
