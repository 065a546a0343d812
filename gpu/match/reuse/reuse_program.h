/* What the engine `reuse` adds to a program: the sets that are kept beside partial
 * matches, and the sets that they replace under other partial matches.
 *
 * The kept set c covers set i if there is a map f of the levels up to c's
 * into those up to i's, no two to the same one, such that each row that c needs
 * of level b is a row that i needs of level f(b), and whatever bounds or filters c
 * also bounds or filters i (constraint subsumption, RPS section 4; plan/plan.c
 * does it for vertices, this for the sets of a program, where the sets of one path
 * are shared already).  f keeps the pattern's edges, so that the other partial
 * match is there unless a constraint, a domain or the end of a batch excludes it.
 *
 * A set that covers all rows of i replaces an intersection; one that covers the
 * last of them replaces that row in it, which pays where the row is long. */
#ifndef MS_GPU_MATCH_REUSE_PROGRAM_H
#define MS_GPU_MATCH_REUSE_PROGRAM_H

#include "gpu/match/reuse/reuse_device.h"
#include "match/cpu/program.h"

/* `packed`: the same program as a GPU reads it (gpu/match/program.h). */
void ms_reuse_program_make(const ms_program *program, const ms_device_program *packed, bool listing,
                           ms_reuse_program *out);

#endif
