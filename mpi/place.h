/* Which processors and GPUs of its host a rank uses, so that the ranks of a host share them. */
#ifndef MS_MPI_PLACE_H
#define MS_MPI_PLACE_H

#include "mpi/wire.h"

enum { PLACE_BYTES = 512 };

/* Lets MPI describe this host without its GPUs, unless HWLOC_COMPONENTS is set.  hwloc's component
 * for OpenCL starts the driver of all GPUs in each process, which was seen to take from 0.6 to
 * 1.6 s, and no rank needs what it finds.  Call it before other threads start. */
void ms_place_spare_gpus(void);
/* Sets the defaults of this process: OMP_NUM_THREADS, unless it is set, to the processors of the
 * rank divided by the ranks that share them; and, if `gpus`, CUDA_VISIBLE_DEVICES to the GPUs of
 * the rank.  Of D GPUs that R ranks were given together, each gets D / R, or one if R is greater.
 * Where Slurm gives each task GPUs of its own, these are all for the rank.  Call it before other
 * threads of the library or the driver of GPUs are started. */
void ms_place_take(const ms_wire_place *place, bool gpus);
/* Writes a line about it, without a line end. */
void ms_place_describe(const char *host, char text[PLACE_BYTES]);
/* Returns true, and what is wrong, if the ranks of this host are bound to a few of its processors,
 * as mpirun does without being asked to. */
bool ms_place_is_narrow(const ms_wire_place *place, char text[PLACE_BYTES]);

#endif
