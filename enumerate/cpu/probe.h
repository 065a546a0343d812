/* How long a program will take, by random walks through it.
 *
 * Knuth's estimator of the size of a search tree (Mathematics of Computation
 * 29, 1975): go down to a random child each time; what is met at a level stands
 * for as many as the product of the numbers of children above it.  The first
 * vertex is an end of a random edge, so that those of high degree, under which
 * the tree is large, come often; they stand for fewer. */
#ifndef MS_ENUMERATE_PROBE_H
#define MS_ENUMERATE_PROBE_H

#include "enumerate/cpu/program.h"

/* Estimated steps, of a nanosecond or so; the same at every call. */
ms_status ms_program_probe(const ms_program *program, uint32_t walks, double *steps, ms_error *err);

#endif
