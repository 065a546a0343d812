/* Slot masks in one byte each.
 * A motif of k slots has up to 2^k masks, but a graph usually has few different
 * ones: one for each colour, or for each combination of colours that occurs. */
#ifndef MS_MOTIF_CODES_H
#define MS_MOTIF_CODES_H

#include "motifsieve.h"

typedef struct ms_codes {
  /* [n] code of each vertex's mask; NULL: there are more than 256 different
   * masks */
  uint8_t *code;
  uint32_t mask[256]; /* mask of each code */
} ms_codes;

/* Makes the codes with exactly `threads` threads. Which mask has which code may
 * differ from call to call. */
ms_status ms_codes_make(uint32_t n, const uint32_t *mask, int threads, ms_codes *out,
                        ms_error *err);
void ms_codes_clear(ms_codes *codes);

#endif
