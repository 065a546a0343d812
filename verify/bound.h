/* Inside verify/: the miss bound that a result file states, recomputed. */
#ifndef MS_VERIFY_BOUND_H
#define MS_VERIFY_BOUND_H

#include "verify/result.h"

/* Refuses a header whose bound, formula or union bound does not follow from k and the repetitions.
 * Sets *certain if the file states, rightly as far as its header goes, that nothing can be
 * missed. */
ms_status ms_check_bound(ms_result *result, bool *certain);

#endif
