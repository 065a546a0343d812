/* A share of a program as programs whose first two levels have fewer candidates: what engines that
 * know no shares run (units.h).  One has the roots of the share that are not cut, and the other one
 * all cut roots with the children of the share. */
#ifndef MS_MATCH_RESTRICTED_H
#define MS_MATCH_RESTRICTED_H

#include "match/units.h"

typedef struct ms_restricted {
  ms_program program[2]; /* they share the memory of the program that they were made from, but .. */
  ms_step *step[2];      /* .. for these */
  uint32_t *root[2];
  uint64_t *bits; /* of children */
} ms_restricted;

/* Makes both programs, of which either may have no root.  The program is one without an inner
 * pattern, and must outlive them. */
ms_status ms_restricted_make(const ms_program *program, const ms_share *share, ms_restricted *out,
                             ms_error *err);
void ms_restricted_free(ms_restricted *restricted);
/* Returns the number of roots of the program number i. */
uint32_t ms_restricted_roots(const ms_restricted *restricted, int i);

#endif
