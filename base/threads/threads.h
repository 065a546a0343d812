/* Facts about the machine: threads, memory, caches. */
#ifndef MS_BASE_THREADS_H
#define MS_BASE_THREADS_H

#include <stdint.h>

/* Returns `requested` if it is positive; otherwise OMP_NUM_THREADS or the number of processors that
 * this process may use, by its affinity and by the quotas of its control groups. */
int ms_threads(int requested);
/* Makes this number, if it is positive, what ms_threads returns where nothing is requested.  A
 * program calls it before it has several threads. */
void ms_threads_set_default(int threads);
/* Returns the same if there is enough work for several threads, otherwise 1.  `work` is in
 * steps of a few nanoseconds. */
int ms_threads_for(int requested, uint64_t work);
/* Returns the bytes of physical memory, or the lowest limit of the control groups
 * (base/job_limits.h) or of addresses if that is lower. */
uint64_t ms_physical_memory(void);
/* Returns the bytes of addresses that this process may have (ulimit -v); UINT64_MAX: no limit. */
uint64_t ms_address_limit(void);
/* Returns the greatest number of bytes of physical memory that this process has used so far. */
uint64_t ms_peak_memory(void);
/* Writes the name of the processor, or of the machine's architecture, at most this long. */
#define MS_PROCESSOR_NAME 256
void ms_processor_name(char name[MS_PROCESSOR_NAME]);
/* Returns the bytes of one core's L2 cache, or 1 MiB if it is unknown. */
uint64_t ms_l2_bytes(void);
/* Returns the bytes of the L3 cache that a core has a part in, or 32 MiB if it is unknown. */
uint64_t ms_l3_bytes(void);

#endif
