/* Inside match/small/: rows of bits, by the instructions of this machine. */
#ifndef MS_MATCH_SMALL_ROWS_H
#define MS_MATCH_SMALL_ROWS_H

#include <stdint.h>

typedef struct ms_small_rows {
  const char *name;
  /* Returns the number of bits that are set in both a[words] and b[words]. */
  uint64_t (*count)(const uint64_t *a, const uint64_t *b, uint32_t words);
  /* Sets out[words] to these bits, too. */
  uint64_t (*meet)(const uint64_t *a, const uint64_t *b, uint32_t words, uint64_t *out);
} ms_small_rows;

extern const ms_small_rows ms_small_rows_portable, ms_small_rows_popcnt256;

/* Returns kernel i that this machine has, a faster one for a larger i; NULL: there are no more. */
const ms_small_rows *ms_small_rows_at(unsigned i);

#endif
