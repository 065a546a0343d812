#include "base/threads.h"

#include <omp.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

int ms_threads(int requested)
{
  if (requested > 0)
    return requested;
  int threads = omp_get_max_threads();
  return threads > 0 ? threads : 1;
}

uint64_t ms_work_for_threads = 1 << 17;

/* Chooses all threads or one, because libgomp ends threads when a team is smaller than
 * the one before, and starts them again for the next. */
int ms_threads_for(int requested, uint64_t work)
{
  return work < ms_work_for_threads ? 1 : ms_threads(requested);
}

/* Returns the memory limit of the control group (v2, otherwise v1), or 0 if there is
 * none. */
static uint64_t cgroup_limit(void)
{
  static const char *const files[] = {"/sys/fs/cgroup/memory.max",
                                      "/sys/fs/cgroup/memory/memory.limit_in_bytes"};
  for (unsigned i = 0; i < sizeof files / sizeof *files; i++) {
    FILE *in = fopen(files[i], "r");
    if (!in)
      continue;
    unsigned long long bytes = 0;
    int got = fscanf(in, "%llu", &bytes);
    fclose(in);
    if (got == 1)
      return bytes;
  }
  return 0;
}

uint64_t ms_physical_memory(void)
{
  long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  uint64_t bytes = pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : (uint64_t)1 << 30;
  uint64_t limit = cgroup_limit();
  return limit > 0 && limit < bytes ? limit : bytes;
}

uint64_t ms_l2_bytes(void)
{
#ifdef _SC_LEVEL2_CACHE_SIZE
  long bytes = sysconf(_SC_LEVEL2_CACHE_SIZE);
  if (bytes > 0)
    return (uint64_t)bytes;
#endif
  return (uint64_t)1 << 20;
}

uint64_t ms_peak_memory(void)
{
  struct rusage usage;
  return getrusage(RUSAGE_SELF, &usage) == 0 ? (uint64_t)usage.ru_maxrss * 1024 : 0;
}

void ms_processor_name(char name[MS_PROCESSOR_NAME])
{
  char line[MS_PROCESSOR_NAME] = "";
  struct utsname machine;
  FILE *in = fopen("/proc/cpuinfo", "r");
  while (in && fgets(line, sizeof line, in) && strncmp(line, "model name", 10) != 0)
    line[0] = '\0';
  if (in)
    fclose(in);
  char *colon = strchr(line, ':');
  const char *found = colon && colon[1]      ? colon + 2
                      : uname(&machine) == 0 ? machine.machine
                                             : "unknown";
  snprintf(name, MS_PROCESSOR_NAME, "%s", found);
  name[strcspn(name, "\n")] = '\0';
}
