/* motifsieve-mpi --ranks N: starts the ranks by mpirun, and starts them again if MPI lost them. */
#ifndef MS_MPI_LAUNCH_H
#define MS_MPI_LAUNCH_H

#include "motifsieve.h"

#define MS_VERDICT "motifsieve-mpi: exit status of rank 0: "
#define MS_BEGUN "none yet"

typedef struct ms_launch_options {
  uint32_t ranks;     /* to start; 0: this process is a rank */
  uint32_t restarts;  /* at most */
  double timeout;     /* seconds of silence after which a rank is lost */
  uint64_t memory;    /* bytes of rows that wait in rank 0 */
  uint32_t parts;     /* each rank writes files of parts, of so many; 0: no */
  bool merge_later;   /* it does, and if parts is 0, one for each rank */
  bool places;        /* say what each rank may use, and end */
  bool verdict;       /* rank 0 prints MS_VERDICT and its exit code on standard error */
  const char *mpirun; /* the command, with options between blanks */
  const char *tool;   /* argv[0] */
} ms_launch_options;

/* Takes the options before the command out of argv. */
ms_status ms_launch_parse(int *argc, char **argv, ms_launch_options *out, ms_error *err);
/* Returns the exit code. */
int ms_launch(const ms_launch_options *options, int argc, char **argv);

#endif
