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

typedef struct ms_mpi_options {
  double timeout;  /* seconds of silence after which a rank is lost */
  uint64_t memory; /* bytes of contributions that wait in the memory of rank 0 for those of earlier
                      units */
  bool keeps_gpus; /* the user has chosen them: do not share them out among the ranks of a host */
  bool places;     /* fill ms_mpi_places */
  void (*warn)(const char *message); /* is called from the thread for messages, in rank 0 */
} ms_mpi_options;

/* Begins MPI and the thread for messages, and sets the threads and GPUs that are this process' by
 * default (place.h).  Call it before anything else. */
ms_status ms_mpi_open(const ms_mpi_options *options, ms_mpi **out, ms_error *err);
/* In rank 0: a line about each rank, for people; NULL: they were not asked for. */
const char *ms_mpi_places(const ms_mpi *ranks);
int ms_mpi_rank(const ms_mpi *ranks);
int ms_mpi_size(const ms_mpi *ranks);
ms_crew *ms_mpi_crew(ms_mpi *ranks);
/* Leaves, with the exit code of the tool and, unless it is NULL, what it printed.  In rank 0 it
 * returns once the others have left or are lost, or ends the process where one of them hangs and
 * MPI would wait for it. */
void ms_mpi_close(ms_mpi *ranks, int code, const char *text);

#endif
