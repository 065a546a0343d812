/* Accelerators.  The functions of the library pass calls on to the plug-in (gpu/loader), without
 * which there are zero devices; nothing outside gpu/ needs to know it. */
#ifndef MS_GPU_GPU_H
#define MS_GPU_GPU_H

#include "base/threads/parallel.h"
#include "sieve/backend.h"

/* Devices that this build can use on this machine. */
int ms_gpu_device_count(void);
/* Returns a phrase for `motifsieve info`: the reason why there are none, or a description. */
const char *ms_gpu_describe(void);

/* Returns MS_ERR_USAGE unless all of these GPUs exist, are usable and are named once.  Where some
 * are named, the driver is started. */
ms_status ms_gpu_check_named(const int *named, uint32_t count, ms_error *err);

/* Starts the first GPU that can be used, if there is one: the driver takes a quarter of a second,
 * and a context a tenth. */
void ms_gpu_start_first(void);
/* Begins to do so in the background, unless it was begun before, and returns true once that has
 * ended, with or without success.  It takes a few microseconds; callers ask again. */
bool ms_gpu_start(void);

/* True if a GPU may have been started: the driver then takes time to end the process, or is even in
 * its start.  A process that has written all its results may end by _exit. */
bool ms_gpu_start_has_begun(void);

typedef struct ms_gpu_device {
  char name[64];
  int major, minor; /* compute capability */
  int multiprocessors;
  uint64_t memory, memory_free, l2, shared; /* bytes; shared: per multiprocessor */
  double clock;                             /* Hz */
} ms_gpu_device;

ms_status ms_gpu_device_at(int device, ms_gpu_device *out, ms_error *err);
/* Finds the same facts without memory_free, which becomes 0: they do not change, and the driver
 * is asked once. */
ms_status ms_gpu_device_facts(int device, ms_gpu_device *out, ms_error *err);
/* Finds the bytes that the driver would give to anybody now. */
ms_status ms_gpu_memory_free(int device, uint64_t *bytes, ms_error *err);

/* ---- the sieve ---------------------------------------------------------------- */

/* Kernels of the sieve, which `kernel` of a configuration names.  AUTO leaves the choice to the
 * plan: SHARED or GLOBAL, or the kernel of the classic recurrence, which has this name. */
typedef enum ms_gpu_sieve_kernel {
  MS_GPU_SIEVE_AUTO,
  MS_GPU_SIEVE_SHARED,
  MS_GPU_SIEVE_GLOBAL,
  MS_GPU_SIEVE_KERNELS
} ms_gpu_sieve_kernel;

static inline const char *ms_gpu_sieve_kernel_name(ms_gpu_sieve_kernel kernel)
{
  static const char *const names[MS_GPU_SIEVE_KERNELS] = {
      [MS_GPU_SIEVE_AUTO] = "bitslice32",
      [MS_GPU_SIEVE_SHARED] = "bitslice32-shared",
      [MS_GPU_SIEVE_GLOBAL] = "bitslice32-global"};
  return names[kernel];
}

/* ---- pruning ------------------------------------------------------------------ */

/* The rows of a pruned instance on a GPU. */
typedef struct ms_gpu_rows ms_gpu_rows;

typedef struct ms_gpu_prune_options {
  ms_run_limits run; /* at least one device: the first prunes, and meanwhile the others start */
  /* NULL, or fills vertex[] and mask[] of a range of `whole`, where they have no values yet.  It is
   * called as by ms_parallel, while the rows are copied: for all vertices, or for none if the GPU
   * does not take the instance or fails before. */
  ms_range_fn *fill;
  void *fill_user;
  /* NULL, or what the calling thread does once, after `fill`, while the GPU works.  It may read
   * `whole`. */
  void (*meanwhile)(void *user);
  void *meanwhile_user;
} ms_gpu_prune_options;

/* Prunes an instance by the rules of ms_instance_prune, to the same vertices and arcs, on a GPU,
 * where the rows of the result stay for the sieve (ms_sieve_problem.rows).  No slot of a match is
 * empty, and no required vertex is loose.  `to`: from ms_instance_alloc for as many vertices and no
 * arc; it receives n, arcs, vertex and mask, but not the neighbours, and offset only where the
 * sieve needs it on the host.  If no vertex is dropped, it takes the arrays vertex and mask of
 * `whole`, which is left with arrays of undefined values, and a sieve on GPUs needs no
 * ms_sieve_problem.active if the vertices of `whole` are 0, 1, 2 and so on.  *components: the
 * number of components that are left.  *rows is NULL, with MS_OK, if the GPU does not take the
 * instance, because its memory is small or too many rounds would be needed; `to` is then
 * undefined, and `whole` is as before, but for what `fill` did.  The same holds after an error.
 * MS_ERR_MEMORY and MS_ERR_DEVICE_LOST: the host can prune in its place.  Otherwise the caller
 * frees the rows, once no sieve uses them.
 */
ms_status ms_gpu_prune(ms_instance *whole, const ms_gpu_prune_options *options, ms_instance *to,
                       uint32_t *components, ms_gpu_rows **rows, ms_error *err);
void ms_gpu_rows_free(ms_gpu_rows *rows);

/* ---- measuring ---------------------------------------------------------------- */

/* Line types of the field arithmetic on a device, for `bench gf2`. */
typedef struct ms_gpu_line {
  const char *name, *layout;
  uint32_t lanes;
} ms_gpu_line;

uint32_t ms_gpu_line_count(void);
const ms_gpu_line *ms_gpu_line_at(uint32_t index);
/* Measures the products a second of a line type on all of the device, in about `seconds`. */
ms_status ms_gpu_products(int device, uint32_t line, double seconds, double *rate, ms_error *err);

/* The best rates of the device, as measured: the floor of `bench/experiments`. */
typedef struct ms_gpu_ceilings {
  double logic;       /* 32-bit three-input logic operations a second */
  double shared_read; /* bytes a second, 16-byte reads of shared memory */
  double row_read;    /* bytes a second, rows of 512 bytes at random out of `bytes` */
  double stream;      /* bytes a second, read plus written, in order */
} ms_gpu_ceilings;

ms_status ms_gpu_measure(int device, uint64_t bytes, double seconds, ms_gpu_ceilings *out,
                         ms_error *err);

#endif
