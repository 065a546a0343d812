#include "base/threads/threads.h"

#include "base/file/descriptor.h"
#include "base/hooks.h"
#include "base/job_limits.h"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

enum { MOST_THREADS = 1 << 16 };

static int default_threads;

/* Returns the number of processors on which this process may run. */
static int usable_processors(void)
{
  long online = sysconf(_SC_NPROCESSORS_ONLN);
#ifdef CPU_COUNT
  cpu_set_t set; /* a very large machine has more processors than the set holds: the call fails */
  if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0)
    return CPU_COUNT(&set);
#endif
  return online > 0 && online < MOST_THREADS ? (int)online : 1;
}

/* OMP_NUM_THREADS may be a list, one number for each level of nested loops. */
static void find_default_threads(void)
{
  const char *text = getenv("OMP_NUM_THREADS");
  long wanted = text ? strtol(text, NULL, 10) : 0;
  int usable = usable_processors();
  uint64_t quota = ms_job_limits_own()->processors;
  default_threads = wanted > 0 && wanted <= MOST_THREADS ? (int)wanted
                    : quota < (uint64_t)usable           ? (int)quota
                                                         : usable;
}

int ms_threads(int requested)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  if (requested > 0)
    return requested;
  pthread_once(&once, find_default_threads);
  return default_threads;
}

void ms_threads_set_default(int threads)
{
  (void)ms_threads(0); /* the usual number is not found afterwards */
  if (threads > 0)
    default_threads = threads;
}

int ms_threads_for(int requested, uint64_t work)
{
  return work < ms_hooks.work_for_threads ? 1 : ms_threads(requested);
}

uint64_t ms_address_limit(void)
{
  struct rlimit limit;
  return getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur > 0
             ? (uint64_t)limit.rlim_cur
             : UINT64_MAX;
}

uint64_t ms_physical_memory(void)
{
  long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  uint64_t bytes = pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : (uint64_t)1 << 30;
  uint64_t group = ms_job_limits_own()->memory, addresses = ms_address_limit();
  bytes = group < bytes ? group : bytes;
  return addresses < bytes ? addresses : bytes;
}

#ifdef _SC_LEVEL2_CACHE_SIZE
#define L2_SIZE _SC_LEVEL2_CACHE_SIZE
#define L3_SIZE _SC_LEVEL3_CACHE_SIZE
#else /* names that sysconf does not know */
#define L2_SIZE (-1)
#define L3_SIZE (-1)
#endif

static uint64_t cache_bytes(int name, uint64_t unknown)
{
  long bytes = sysconf(name);
  return bytes > 0 ? (uint64_t)bytes : unknown;
}

uint64_t ms_l2_bytes(void)
{
  return cache_bytes(L2_SIZE, (uint64_t)1 << 20);
}

uint64_t ms_l3_bytes(void)
{
  return cache_bytes(L3_SIZE, (uint64_t)32 << 20);
}

uint64_t ms_peak_memory(void)
{
  struct rusage usage;
  return getrusage(RUSAGE_SELF, &usage) == 0 ? (uint64_t)usage.ru_maxrss * 1024 : 0;
}

void ms_processor_name(char name[MS_PROCESSOR_NAME])
{
  char facts[2048];
  struct utsname machine;
  ms_read_fact("/proc/cpuinfo", facts, sizeof facts); /* the first processor's are enough */
  char *line = strstr(facts, "model name"), *colon = line ? strchr(line, ':') : NULL;
  const char *found = colon && colon[1]      ? colon + 2
                      : uname(&machine) == 0 ? machine.machine
                                             : "unknown";
  snprintf(name, MS_PROCESSOR_NAME, "%s", found);
  name[strcspn(name, "\n")] = '\0';
}
