/* The ranks of an MPI program as a crew (parts/crew.h).
 *
 * Rank 0 leads: it has the state of the run, hands out ranges of units, and adds what comes back.
 * Each rank has a thread that exchanges messages, and a main thread that computes, also rank 0.
 * Ranks need not be there at the same time: one that comes late gets what is left, and one that is
 * lost costs the range that it had.  Other ranks tell rank 0 four times in each time-out that they
 * are alive; one that is silent for longer is lost, and so is one on the same host whose process
 * has ended. */
#ifndef MS_MPI_CREW_H
#define MS_MPI_CREW_H

#include "parts/crew.h"

typedef struct ms_mpi ms_mpi;

/* Begins MPI and the thread for messages. `timeout`: seconds of silence after which a rank is lost.
 * `warn` is called from that thread, in rank 0. */
ms_status ms_mpi_open(double timeout, void (*warn)(const char *message), ms_mpi **out,
                      ms_error *err);
int ms_mpi_rank(const ms_mpi *ranks);
int ms_mpi_size(const ms_mpi *ranks);
ms_crew *ms_mpi_crew(ms_mpi *ranks);
/* Leaves, with the exit code of the tool and, unless it is NULL, what it printed.  In rank 0 it
 * returns once the others have left or are lost, or ends the process where one of them hangs and
 * MPI would wait for it. */
void ms_mpi_close(ms_mpi *ranks, int code, const char *text);

#endif
