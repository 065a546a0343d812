/* What tests of published queries share, of which some would run for hours. */
#ifndef MS_TESTS_SUPPORT_PUBLISHED_H
#define MS_TESTS_SUPPORT_PUBLISHED_H

#include "motifsieve.h"

#include <stdbool.h>

/* Returns the time limit of a query: 20 times as much where all published data are tested
 * (test_is_long). */
double published_seconds(double usual);
/* True if too few queries of a test were answered in time, as on a busy machine, and they should be
 * asked again: their time limits are then four times as long.  That happens twice at most. */
bool published_again(bool enough);
/* Returns a stop that ends a query after that time; to be freed with ms_stop_free. */
ms_stop *published_stop(double seconds);

#endif
