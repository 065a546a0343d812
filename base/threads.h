/* Thread and machine facts. */
#ifndef MS_BASE_THREADS_H
#define MS_BASE_THREADS_H

#include <stdint.h>

/* `requested` if > 0, else OMP_NUM_THREADS or the processors this process
 * may run on. */
int ms_threads(int requested);
/* The same if there is enough work for several threads, else 1.  work: steps of a few
 * nanoseconds each. */
int ms_threads_for(int requested, uint64_t work);
/* The number of steps above which other threads are worth waking: a parallel loop costs
 * up to 0.05 ms, and one call has a dozen of them.  Only tests change it, so that small
 * cases use several threads. */
extern uint64_t ms_work_for_threads;
/* Bytes of physical memory, or of the control group's limit where lower. */
uint64_t ms_physical_memory(void);
/* Bytes of one core's L2 cache, 1 MiB where unknown. */
uint64_t ms_l2_bytes(void);

#endif
