#include "mpi/place.h"

#include "base/job_limits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_GPUS = 64, LIST_BYTES = 4096 };

/* Appends an entry to a list with commas between them. */
static void append(char list[LIST_BYTES], const char *entry, size_t length)
{
  size_t used = strlen(list);
  snprintf(list + used, LIST_BYTES - used, "%s%.*s", used ? "," : "", (int)length, entry);
}

/* The GPUs that this process may use, in the form of CUDA_VISIBLE_DEVICES; returns their number. */
static int list_gpus(char list[LIST_BYTES])
{
  const char *given = getenv("CUDA_VISIBLE_DEVICES");
  int count = 0;
  list[0] = '\0';
  if (given) {
    snprintf(list, LIST_BYTES, "%s", given);
    for (const char *at = list; *at; at++)
      count += at[0] != ',' && (at == list || at[-1] == ',');
    return count;
  }
  for (int i = 0; i < MOST_GPUS; i++) {
    char path[32], number[16];
    snprintf(path, sizeof path, "/dev/nvidia%d", i);
    if (access(path, F_OK) != 0)
      continue;
    snprintf(number, sizeof number, "%d", count++); /* the driver's number */
    append(list, number, strlen(number));
  }
  return count;
}

/* Copies the entries first .. last - 1. */
static void cut_list(const char *list, int first, int last, char out[LIST_BYTES])
{
  int i = 0;
  out[0] = '\0';
  for (const char *at = list; *at;) {
    size_t length = strcspn(at, ",");
    if (length > 0) {
      if (i >= first && i < last)
        append(out, at, length);
      i++;
    }
    at += length + (at[length] == ',');
  }
}

static void take_gpus(const ms_wire_place *p)
{
  char all[LIST_BYTES], own[LIST_BYTES];
  int count = list_gpus(all), first = p->gpu_rank % (count ? count : 1), last = first + 1;
  if (p->gpu_sharers < 2 || count < 2 || getenv("SLURM_GPUS_PER_TASK"))
    return;
  if (count >= p->gpu_sharers) {
    first = p->gpu_rank * count / p->gpu_sharers;
    last = (p->gpu_rank + 1) * count / p->gpu_sharers;
  }
  cut_list(all, first, last, own);
  setenv("CUDA_VISIBLE_DEVICES", own, 1);
}

void ms_place_take(const ms_wire_place *p, bool gpus)
{
  char number[16];
  uint64_t quota = ms_job_limits_own()->processors; /* of the ranks of a host together */
  int usable = quota < (uint64_t)p->processors ? (int)quota : p->processors;
  int threads = usable / (p->sharers ? p->sharers : 1);
  snprintf(number, sizeof number, "%d", threads ? threads : 1);
  setenv("OMP_NUM_THREADS", number, 0);
  if (gpus)
    take_gpus(p);
}

void ms_place_spare_gpus(void)
{
  setenv("HWLOC_COMPONENTS", "-opencl,-cuda,-nvml,-gl,-rsmi,-levelzero", 0);
}

void ms_place_describe(const char *host, char text[PLACE_BYTES])
{
  char gpus[LIST_BYTES];
  const char *threads = getenv("OMP_NUM_THREADS");
  int count = list_gpus(gpus);
  snprintf(text, PLACE_BYTES, "%.64s\t%ld\t%.16s\t%.300s", host, (long)getpid(),
           threads ? threads : "", count ? gpus : "none");
}

bool ms_place_is_narrow(const ms_wire_place *p, char text[PLACE_BYTES])
{
  long online = sysconf(_SC_NPROCESSORS_ONLN);
  int used = p->processors * p->ranks / (p->sharers ? p->sharers : 1);
  if (online < 4 || used * 2 > online)
    return false;
  snprintf(text, PLACE_BYTES,
           "the %d ranks of this host are bound to %d of its %ld processors; let each rank have a "
           "socket, or all processors (mpirun --bind-to none, srun --cpus-per-task)",
           p->ranks, used, online);
  return true;
}
