/* Colours that may stand in for others, at a cost. */
#ifndef MS_QUERY_SUBSTITUTES_H
#define MS_QUERY_SUBSTITUTES_H

#include "graph/colors.h"

#define MS_NO_SUBSTITUTE UINT32_MAX

/* A vertex of colour `instead` may fill a slot of colour `wanted` at this cost, which is >= 1. */
typedef struct ms_substitute {
  uint32_t wanted, instead, cost;
} ms_substitute;

struct ms_substitutes {
  ms_substitute *entry; /* [count] ascending by `wanted`, then by `instead`; no pair twice */
  uint32_t count;
  uint64_t coloring_serial; /* of the colours that it was made for */
  char *path;               /* of the file; NULL: it was made from arrays */
  uint32_t crc32c;          /* of the file */
};

/* Returns the cost of a substitution, or MS_NO_SUBSTITUTE. */
uint32_t ms_substitutes_cost(const ms_substitutes *substitutes, uint32_t wanted, uint32_t instead);
/* Makes the table from entries in any order, and takes entry[count], also after a failure.  Of a
 * pair that occurs more than once, the least cost counts. */
ms_status ms_substitutes_from(ms_substitute *entry, uint32_t count, const ms_coloring *coloring,
                              ms_substitutes **out, ms_error *err);

#endif
