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
  uint32_t count, room;
  uint64_t coloring_serial; /* of the colours that it was made for */
  uint32_t skipped;         /* entries with a colour that the colouring lacks */
  char *path;               /* of the file; NULL: it was made from arrays */
  uint32_t crc32c;          /* of the file */
};

/* Returns the cost of a substitution, or MS_NO_SUBSTITUTE. */
uint32_t ms_substitutes_cost(const ms_substitutes *substitutes, uint32_t wanted, uint32_t instead);
/* Appends an entry; its place does not matter until ms_substitutes_sort.  MS_NO_ID stands for a
 * colour that the colouring lacks: the entry is skipped.  A colour in place of itself is ignored.
 */
ms_status ms_substitutes_add(ms_substitutes *substitutes, ms_substitute entry, ms_error *err);
/* Brings the entries into their order.  Of a pair that occurs more than once, the least cost
 * stays. */
void ms_substitutes_sort(ms_substitutes *substitutes);
/* Refuses substitutions of other colours than those of the query, and costs above MS_MAX_COST.
 * `substitutes` may be NULL. */
ms_status ms_substitutes_check(const ms_substitutes *substitutes, uint32_t max_cost,
                               const ms_coloring *coloring, ms_error *err);

#endif
