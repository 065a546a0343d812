#include "run/prune_gpu.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/threads.h"
#include "run/screening.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Below, pruning takes 32 processor cores 1.2 to 1.4 ms (bench/results/gpu-h200.txt, n = 2^16 and
 * 2^17), where an H200 takes 0.85 ms for n = 2^17 (bench/prune_gpu.sh). */
#define LEAST_ARCS ((uint64_t)1 << 21)
/* More than a machine has. */
enum { MOST_DEVICES = 64 };

/* Only where the sieve on GPUs is sure to follow: auto chooses after pruning, and a run in parts or
 * one that checks itself may use processors. */
bool ms_screen_prunes_on_gpu(const ms_query *query, const ms_screen_options *o)
{
  const char *wanted = getenv("MOTIFSIEVE_PRUNE");
  bool never = wanted && strcmp(wanted, "cpu") == 0, always = wanted && strcmp(wanted, "gpu") == 0;
  return !never && (always || query->graph->arcs >= LEAST_ARCS) && o->backend == MS_BACKEND_CUDA &&
         o->method == MS_METHOD_SIEVE && !o->division && !o->no_prune &&
         (o->match_size == 0 || o->match_size == query->motif->k);
}

static bool is_suitable(const ms_instance *whole, const ms_screening *s)
{
  return ms_screen_prunes_on_gpu(s->query, s->options) && !whole->impossible && whole->n_loose == 0;
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

/* ---- beside the GPU ------------------------------------------------------------------------- */

typedef struct beside {
  ms_screening *s;
  const ms_instance *whole;
  ms_masking *masking; /* NULL: the masks are there */
  atomic_bool masks;   /* .. or are being made */
} beside;

static void fill_masks(void *user, ms_range r)
{
  beside *b = user;
  atomic_store_explicit(&b->masks, true, memory_order_relaxed);
  ms_masking_range(b->masking, r);
}

/* Begins the sieve's problem with all vertices, which are usually those that are left, and clears
 * the result. */
static void prepare_sieve(void *user)
{
  const beside *b = user;
  ms_screening *s = b->s;
  const ms_screen_options *o = s->options;
  if (ms_sieve_problem_begin(&s->problem, b->whole, s->size, o->recurrence, o->seed, o->threads,
                             NULL) != MS_OK)
    s->problem.instance = NULL;
  ms_screening_clear_hits(s);
}

/* Prunes if the GPUs of the options exist; s->rows is NULL if the processors have to. */
static ms_status try_gpu(beside *b, ms_instance *whole, ms_prune_stats *stats, ms_error *err)
{
  int device[MOST_DEVICES];
  ms_screening *s = b->s;
  const ms_screen_options *options = s->options;
  ms_gpu_prune_options o = {.devices = device,
                            .n_devices = list_devices(options, device),
                            .threads = options->threads,
                            .memory = options->memory,
                            .stop = options->stop,
                            .fill = b->masking ? fill_masks : NULL,
                            .fill_user = b,
                            .meanwhile = prepare_sieve,
                            .meanwhile_user = b};
  if (o.n_devices == 0)
    return MS_OK;
  MS_TRY(ms_instance_alloc(whole->n, 0, whole->k, &s->instance, err));
  ms_status status = ms_gpu_prune(whole, &o, s->instance, &stats->components, &s->rows, err);
  if (status == MS_OK && s->rows) {
    complete(s->instance);
    return MS_OK;
  }
  ms_instance_free(s->instance);
  s->instance = NULL;
  return status == MS_ERR_MEMORY || status == MS_ERR_DEVICE_LOST ? MS_OK : status;
}

ms_status ms_screen_prune_gpu(ms_screening *s, ms_instance *whole, ms_masking *masking,
                              ms_prune_stats *stats, ms_error *err)
{
  beside b = {.s = s, .whole = whole, .masking = masking};
  ms_status status = is_suitable(whole, s) ? try_gpu(&b, whole, stats, err) : MS_OK;
  if (masking && !atomic_load(&b.masks))
    ms_parallel(ms_threads_for(s->options->threads, whole->n), whole->n, 0, ms_masking_range,
                masking);
  if (!s->instance || s->instance->n < whole->n) /* of other vertices than the problem's */
    s->problem.instance = NULL;
  return status;
}
