/* Thread and machine facts. */
#ifndef MS_BASE_THREADS_H
#define MS_BASE_THREADS_H

#include <stdint.h>

/* `requested` if > 0, else OMP_NUM_THREADS or the processors this process
 * may run on. */
int ms_threads(int requested);
/* The same, but no more threads than `work` steps of some nanoseconds keep
 * busy for longer than it takes to start them. */
int ms_threads_for(int requested, uint64_t work);
/* Bytes of physical memory, or of the control group's limit where lower. */
uint64_t ms_physical_memory(void);
/* `requested` if > 0, else three quarters of physical memory. */
uint64_t ms_memory_bound(uint64_t requested);
/* Bytes of one core's L2 cache, 1 MiB where unknown. */
uint64_t ms_l2_bytes(void);

#endif
