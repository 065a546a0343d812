/* Slot masks in a byte each.
 *
 * A motif of k slots has up to 2^k masks, but a graph mostly has few different
 * ones: one for each colour, or each combination of colours that occurs. */
#ifndef MS_MOTIF_CODES_H
#define MS_MOTIF_CODES_H

#include "motifsieve.h"

typedef struct ms_codes {
  uint8_t *code;      /* [n]; NULL: there are more than 256 different masks */
  uint32_t mask[256]; /* of a code */
} ms_codes;

/* Which mask has which code may differ from call to call.  By `threads`
 * threads, exactly. */
ms_status ms_codes_make(uint32_t n, const uint32_t *mask, int threads, ms_codes *out,
                        ms_error *err);
void ms_codes_clear(ms_codes *codes);

#endif
