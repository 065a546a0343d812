/* Measures copies between the memory of this machine and that of a GPU, by size, from pinned memory
 * and from memory that is not.
 *
 * They are calls of the NVIDIA driver, which is loaded when it is needed: this program is built
 * without the CUDA toolkit, and the functions of the driver keep their names and arguments. */
#include "base/alloc.h"
#include "base/status.h"
#include "base/threads/stop.h"
#include "bench/harness.h"
#include "bench/sieve/experiments.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Copies of one size that are measured: MOST, or as many as the time allows, but LEAST. */
enum { LEAST_COPIES = 5, MOST_COPIES = 2000, FIRST_SHIFT = 12, LAST_SHIFT = 30 };

typedef uint64_t device_memory;
typedef struct driver_context driver_context;

/* The functions of the driver, which return 0 if they succeed. */
typedef struct driver {
  int (*init)(unsigned flags);
  int (*count)(int *devices);
  int (*device)(int *device, int number);
  int (*retain)(driver_context **context, int device);
  int (*release)(int device);
  int (*enter)(driver_context *context);
  int (*synchronize)(void);
  int (*allocate)(device_memory *memory, size_t bytes);
  int (*free)(device_memory memory);
  int (*allocate_pinned)(void **memory, size_t bytes);
  int (*free_pinned)(void *memory);
  int (*to_device)(device_memory to, const void *from, size_t bytes);
  int (*to_host)(void *to, device_memory from, size_t bytes);
  int (*message)(int code, const char **text);
} driver;

static const struct {
  const char *name;
  size_t place;
} functions[] = {{"cuInit", offsetof(driver, init)},
                 {"cuDeviceGetCount", offsetof(driver, count)},
                 {"cuDeviceGet", offsetof(driver, device)},
                 {"cuDevicePrimaryCtxRetain", offsetof(driver, retain)},
                 {"cuDevicePrimaryCtxRelease_v2", offsetof(driver, release)},
                 {"cuCtxSetCurrent", offsetof(driver, enter)},
                 {"cuCtxSynchronize", offsetof(driver, synchronize)},
                 {"cuMemAlloc_v2", offsetof(driver, allocate)},
                 {"cuMemFree_v2", offsetof(driver, free)},
                 {"cuMemAllocHost_v2", offsetof(driver, allocate_pinned)},
                 {"cuMemFreeHost", offsetof(driver, free_pinned)},
                 {"cuMemcpyHtoD_v2", offsetof(driver, to_device)},
                 {"cuMemcpyDtoH_v2", offsetof(driver, to_host)},
                 {"cuGetErrorString", offsetof(driver, message)}};

/* Loads the driver, which stays loaded. */
static ms_status load(driver *d, ms_error *err)
{
  void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return ms_fail(err, MS_ERR_USAGE,
                   "there is no NVIDIA driver (libcuda.so.1); run --experiment transfers on a "
                   "machine with a GPU");
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    void *found = dlsym(library, functions[i].name);
    if (!found)
      return ms_fail(err, MS_ERR_USAGE, "the NVIDIA driver has no function %s; update the driver",
                     functions[i].name);
    memcpy((char *)d + functions[i].place, &found, sizeof found);
  }
  return MS_OK;
}

static ms_status check(const driver *d, int code, const char *what, ms_error *err)
{
  const char *text = NULL;
  if (code == 0)
    return MS_OK;
  if (d->message(code, &text) != 0 || !text)
    text = "unknown error";
  return ms_fail(err, MS_ERR_INTERNAL, "%s: the NVIDIA driver says: %s (%d)", what, text, code);
}

/* ---- one size ------------------------------------------------------------------------ */

/* Both ends of the copies. */
typedef struct ends {
  device_memory device;
  void *pinned, *pageable;
} ends;

/* Copies once; *seconds: until the copy is complete. */
static ms_status copy(const driver *d, const ends *at, bool pinned, bool to_device, size_t bytes,
                      double *seconds, ms_error *err)
{
  void *host = pinned ? at->pinned : at->pageable;
  double start = ms_seconds();
  int code =
      to_device ? d->to_device(at->device, host, bytes) : d->to_host(host, at->device, bytes);
  if (code == 0) /* a copy of few bytes to a GPU may return earlier */
    code = d->synchronize();
  *seconds = ms_seconds() - start;
  return check(d, code, to_device ? "a copy to the GPU" : "a copy from the GPU", err);
}

/* Finds the median time of a copy. */
static ms_status measure(const driver *d, const ends *at, bool pinned, bool to_device, size_t bytes,
                         double seconds, double *median, ms_error *err)
{
  double times[MOST_COPIES], ignored, end = ms_seconds() + seconds;
  size_t count = 0;
  MS_TRY(copy(d, at, pinned, to_device, bytes, &ignored, err)); /* touches pages and mappings */
  while (count < MOST_COPIES && (count < LEAST_COPIES || ms_seconds() < end))
    MS_TRY(copy(d, at, pinned, to_device, bytes, &times[count++], err));
  *median = bench_median(times, count);
  return MS_OK;
}

/* Checks that what comes back is what was sent, in the first and the last bytes. */
static ms_status check_bytes(const driver *d, const ends *at, size_t bytes, ms_error *err)
{
  uint8_t *from = at->pinned, *to = at->pageable;
  memset(from, 0x5a, bytes);
  from[bytes - 1] = 0xa5;
  memset(to, 0, bytes);
  MS_TRY(check(d, d->to_device(at->device, from, bytes), "a copy to the GPU", err));
  MS_TRY(check(d, d->to_host(to, at->device, bytes), "a copy from the GPU", err));
  return memcmp(from, to, bytes) == 0
             ? MS_OK
             : ms_fail(err, MS_ERR_INTERNAL, "a copy from the GPU is not what was sent there");
}

static void put_row(const bench_plan *plan, int gpu, bool pinned, bool to_device, size_t bytes,
                    double seconds, ms_outfile *table)
{
  char line[128];
  snprintf(line, sizeof line, "%d\t%s\t%s\t%zu\t%.6g\t%.6g\n", gpu,
           to_device ? "to the GPU" : "from the GPU", pinned ? "pinned" : "pageable", bytes,
           seconds, (double)bytes / seconds);
  if (table)
    ms_outfile_puts(table, line);
  for (char *at = line; plan->csv && (at = strchr(at, '\t'));)
    *at = ',';
  fputs(line, stdout);
  fflush(stdout);
}

/* ---- all sizes ------------------------------------------------------------------------- */

static void free_ends(const driver *d, const ends *at)
{
  if (at->device)
    (void)d->free(at->device);
  if (at->pinned)
    (void)d->free_pinned(at->pinned);
  ms_free(at->pageable);
}

static ms_status allocate_ends(const driver *d, size_t bytes, ends *at, ms_error *err)
{
  MS_TRY(check(d, d->allocate(&at->device, bytes), "memory of the GPU", err));
  MS_TRY(check(d, d->allocate_pinned(&at->pinned, bytes), "pinned memory", err));
  at->pageable = ms_alloc(bytes, 1);
  return at->pageable ? MS_OK : ms_fail_memory(err, "the memory of copies");
}

static ms_status measure_sizes(const bench_plan *plan, const driver *d, int gpu, const ends *at,
                               size_t most, ms_outfile *table, ms_error *err)
{
  for (size_t bytes = (size_t)1 << FIRST_SHIFT; bytes <= most; bytes *= 4)
    for (int way = 0; way < 4; way++) {
      bool pinned = way & 1, to_device = way < 2;
      double seconds;
      MS_TRY(measure(d, at, pinned, to_device, bytes, plan->seconds, &seconds, err));
      put_row(plan, gpu, pinned, to_device, bytes, seconds, table);
    }
  return MS_OK;
}

static ms_status measure_gpu(const bench_plan *plan, const driver *d, int gpu, ms_outfile *table,
                             ms_error *err)
{
  driver_context *context;
  ends at = {0};
  int device;
  size_t most = (size_t)1 << LAST_SHIFT;
  while (plan->screen.run.memory && most > plan->screen.run.memory / 2 && most > 1 << FIRST_SHIFT)
    most /= 4;
  MS_TRY(check(d, d->device(&device, gpu), "a GPU", err));
  MS_TRY(check(d, d->retain(&context, device), "a GPU", err));
  ms_status status = check(d, d->enter(context), "a GPU", err);
  if (status == MS_OK)
    status = allocate_ends(d, most, &at, err);
  if (status == MS_OK)
    status = check_bytes(d, &at, most, err);
  if (status == MS_OK)
    status = measure_sizes(plan, d, gpu, &at, most, table, err);
  free_ends(d, &at);
  (void)d->release(device);
  return status;
}

ms_status bench_transfers(const bench_plan *plan, ms_outfile *table, ms_error *err)
{
  static const char head[] = "gpu\tway\tmemory\tbytes\tseconds\trate\n";
  const ms_screen_options *s = &plan->screen;
  driver d;
  int gpus = 0;
  MS_TRY(load(&d, err));
  MS_TRY(check(&d, d.init(0), "the start of the driver", err));
  MS_TRY(check(&d, d.count(&gpus), "the number of GPUs", err));
  if (table)
    ms_outfile_puts(table, head);
  for (const char *at = head; *at; at++)
    putchar(plan->csv && *at == '\t' ? ',' : *at);
  for (uint32_t i = 0; i < (s->run.n_devices ? s->run.n_devices : (uint32_t)gpus); i++)
    MS_TRY(measure_gpu(plan, &d, s->run.n_devices ? s->run.devices[i] : (int)i, table, err));
  return MS_OK;
}
