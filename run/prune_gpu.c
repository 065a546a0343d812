#include "run/prune_gpu.h"

#include "base/alloc.h"
#include "base/status.h"

#include <stdlib.h>
#include <string.h>

/* Below, pruning takes 32 processor cores 1.2 to 1.4 ms (bench/results/gpu-h200.txt, n = 2^16 and
 * 2^17), where the GPU takes 0.85 ms for
 * n = 2^17 (bench/results/sieve-prune-gpu.txt). */
#define LEAST_ARCS ((uint64_t)1 << 21)
/* More than a machine has. */
enum { MOST_DEVICES = 64 };

/* Only where the sieve on GPUs is sure to follow: auto chooses after pruning, and a run in parts or
 * one that checks itself may use processors. */
static bool is_suitable(const ms_instance *whole, const ms_screen_options *o)
{
  const char *wanted = getenv("MOTIFSIEVE_PRUNE");
  bool never = wanted && strcmp(wanted, "cpu") == 0, always = wanted && strcmp(wanted, "gpu") == 0;
  return !never && (always || whole->arcs >= LEAST_ARCS) && o->backend == MS_BACKEND_CUDA &&
         o->method == MS_METHOD_SIEVE && !o->division && !whole->impossible &&
         whole->n_loose == 0 && whole->size == whole->k;
}

/* Fills device[] with the GPUs of the options, or all.  Returns their number; 0 if one of those
 * that are named does not exist, which the sieve reports. */
static uint32_t list_devices(const ms_screen_options *o, int device[MOST_DEVICES])
{
  int present = ms_gpu_device_count();
  uint32_t count = o->n_devices ? o->n_devices : present > 0 ? (uint32_t)present : 0;
  if (count > MOST_DEVICES)
    return 0;
  for (uint32_t i = 0; i < count; i++) {
    device[i] = o->n_devices ? o->devices[i] : (int)i;
    if (device[i] < 0 || device[i] >= present)
      return 0;
  }
  return count;
}

/* Gives the instance its last form. */
static void complete(ms_instance *in)
{
  ms_free(in->neighbor);
  in->neighbor = NULL;
  in->pruned = true;
  if (in->n == 0)
    ms_instance_make_impossible(in);
}

ms_status ms_screen_prune_gpu(ms_instance *whole, const ms_screen_options *options,
                              ms_instance **out, ms_gpu_rows **rows, ms_prune_stats *stats,
                              ms_error *err)
{
  int device[MOST_DEVICES];
  ms_gpu_prune_options o = {.devices = device,
                            .threads = options->threads,
                            .memory = options->memory,
                            .stop = options->stop};
  *out = NULL;
  *rows = NULL;
  if (!is_suitable(whole, options) || (o.n_devices = list_devices(options, device)) == 0)
    return MS_OK;
  MS_TRY(ms_instance_alloc(whole->n, 0, whole->k, out, err));
  ms_status status = ms_gpu_prune(whole, &o, *out, &stats->components, rows, err);
  if (status == MS_OK && *rows) {
    complete(*out);
    return MS_OK;
  }
  ms_instance_free(*out);
  *out = NULL;
  return status == MS_ERR_MEMORY || status == MS_ERR_DEVICE_LOST ? MS_OK : status;
}
