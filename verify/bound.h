/* Inside verify/: the miss bound that a result file states, recomputed. */
#ifndef MS_VERIFY_BOUND_H
#define MS_VERIFY_BOUND_H

#include "verify/reader/result.h"

/* Bytes that checking may need for each byte of a bound's denominator, GMP's own numbers included:
 * at most 5 are seen. */
#define MS_CHECKED_SHARE 12u

/* Refuses a header whose bound, formula or union bound does not follow from k and the repetitions.
 * Sets *certain if the file states, rightly as far as its header goes, that nothing can be
 * missed. */
ms_status ms_check_bound(ms_result *result, bool *certain, ms_error *err);

#endif
