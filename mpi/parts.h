/* motifsieve-mpi --merge-later: each rank writes files of parts. */
#ifndef MS_MPI_PARTS_H
#define MS_MPI_PARTS_H

#include "parts/crew.h"

/* Runs the command line once for each of `parts` parts, which the crew shares, and returns an exit
 * code.  The file of a part lies beside the output, as part-I-of-N.OUTPUT; a part of a rank that is
 * lost is done again by another one.  `messages`: the descriptor of a file that has what this
 * process prints on standard error; -1: there is none. */
int ms_mpi_run_parts(ms_crew *crew, uint32_t parts, int argc, char **argv, int messages);

#endif
