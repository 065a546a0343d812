/* What tests of formats that number their vertices share: DIMACS, METIS, Matrix Market. */
#ifndef MS_TESTS_SUPPORT_NUMBERED_FORMAT_H
#define MS_TESTS_SUPPORT_NUMBERED_FORMAT_H

#include "motifsieve.h"

/* Checks that a triangle with a fourth vertex alone is written as these bytes. */
void numbered_format_writes(const char *name, ms_graph_format format, const char *expected);
/* Checks that a graph is written and read back as it was (malform_round_trip): one vertex for
 * number 0, else a random graph of up to ADJACENCY_MAX vertices. */
void numbered_format_round_trips(const char *name, ms_graph_format format, int number,
                                 uint64_t seed);

#endif
