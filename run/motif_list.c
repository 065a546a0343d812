/* Which engine lists the matches of a motif.
 *
 * A GPU takes over the search, and the host still judges, stores and writes each row.  So `auto`
 * looks how long the CPU would search.  It lists some roots without keeping their matches, for a
 * short time, and takes the GPU only where the search is long and is much of the whole. */
#include "base/hooks.h"
#include "motif/count/count.h"
#include "run/motif_engine.h"

#include "base/alloc.h"
#include "base/status.h"

#include <stdio.h>
#include <string.h>

/* Regions with fewer arcs are not probed: their matches are listed in less time than a GPU starts,
 * or have far more rows than the search takes. */
#define LEAST_ARCS 10000u
/* With fewer roots, the ranges would be much of the work. */
#define LEAST_ROOTS 1024u
/* Ranges of roots that are probed, and the seconds that they have together. */
#define RANGES 32u
#define PROBE_SECONDS 0.05
/* Seconds for a row on one thread: to read it from a GPU's records, and to judge, sort and write
 * it, measured with one thread of a Xeon and an H100 (bench/motif/listing.c,
 * bench/motif/motif_count.c). */
#define EXPAND_SECONDS 4e-9
#define KEEP_SECONDS 40e-9
/* Least part of the time of the CPU that a GPU has to save. */
#define LEAST_PART 0.25
/* Most expected matches for a receiver.  More than 2^20 are not sorted, and their order should not
 * depend on how long the CPU took.  They also take longer to write than 16 threads take to find
 * them. */
#define MOST_ORDERED (1 << 19)

/* What a thread of the probe has received, in a cache line of its own. */
typedef struct probed {
  _Alignas(64) uint64_t matches;
} probed;

static bool probe_match(void *user, int thread, const uint32_t *set)
{
  (void)set;
  ((probed *)user)[thread].matches++;
  return true;
}

static bool probe_matches(void *user, int thread, const uint32_t *set, const uint32_t *last,
                          uint32_t count)
{
  (void)set;
  (void)last;
  ((probed *)user)[thread].matches += count;
  return true;
}

/* Estimates the seconds in which all threads would search all roots, and the number of matches. */
static ms_status probe(void *context, int threads, const ms_stop *stop, double *seconds,
                       double *matches, ms_error *err)
{
  const ms_engine *cpu = &ms_engine_connected_sets;
  uint64_t roots = cpu->units(context), length = roots / (RANGES * RANGES) + 1, done = 0;
  probed *of = ms_alloc_lines((size_t)threads, sizeof *of);
  ms_stop *child = NULL;
  if (!of)
    return ms_fail_memory(err, "a probe of a listing");
  memset(of, 0, (size_t)threads * sizeof *of);
  const ms_match_sink sink = {.match = probe_match, .matches = probe_matches, .user = of};
  ms_status status = ms_stop_child(stop, PROBE_SECONDS, &child, err);
  double begin = ms_seconds();
  for (uint32_t i = 0; status == MS_OK && i < RANGES; i++) {
    uint64_t first = roots * i / RANGES, last = first + length;
    status = cpu->run(context, first, last < roots ? last : roots, &sink, child, err);
    done += (last < roots ? last : roots) - first;
  }
  double part = roots > 0 ? (double)done / (double)roots : 1;
  *seconds = (ms_seconds() - begin) / (part < 1 ? part : 1);
  *matches = 0;
  for (int t = 0; t < threads; t++)
    *matches += (double)of[t].matches / (part < 1 ? part : 1);
  ms_stop_free(child);
  ms_free(of);
  bool ended = status == MS_ERR_LIMIT || status == MS_ERR_INTERRUPTED;
  return ended ? ms_stop_check(stop) : status;
}

/* True if a GPU is expected to save enough of a search by the CPU. */
static bool gpu_pays(const ms_match_sink *sink, int threads, double seconds, double matches)
{
  double expand = matches * EXPAND_SECONDS / threads, keep = matches * KEEP_SECONDS / threads;
  double gain = seconds - expand;
  if (sink->parts && matches > MOST_ORDERED)
    return false;
  return ms_hooks.motif_gpu_gain < 0 ||
         (gain >= ms_hooks.motif_gpu_gain && gain >= LEAST_PART * (seconds + keep));
}

static void note(ms_motif_counted *out, const char *engine, const char *reason)
{
  out->engine = engine;
  snprintf(out->reason, sizeof out->reason, "%s", reason);
}

static ms_status list_by(const ms_engine *engine, const ms_instance *region, int threads,
                         const ms_match_sink *sink, const ms_stop *stop, ms_error *err)
{
  void *context = NULL;
  ms_status status = engine->open(region, threads, &context, err);
  if (status == MS_OK)
    status = engine->run(context, 0, engine->units(context), sink, stop, err);
  engine->close(context);
  return status;
}

/* Lists on the GPU if that pays.  *done: what the status says is the result; otherwise no match was
 * delivered. */
static ms_status try_gpu(const ms_instance *region, int threads, const ms_match_sink *sink,
                         const ms_stop *stop, ms_motif_counted *out, bool *done, ms_error *err)
{
  const ms_engine *gpu = &ms_engine_gpu_sets;
  ms_match_sink own = *sink;
  ms_error why = {0};
  bool begun = false;
  *done = false;
  if (gpu->devices() == 0) {
    note(out, "cpu", "there is no usable GPU");
    return MS_OK;
  }
  own.begun = &begun;
  ms_status status = list_by(gpu, region, threads, &own, stop, &why);
  *done = status == MS_OK || begun || status == MS_ERR_LIMIT || status == MS_ERR_INTERRUPTED;
  if (*done) {
    note(out, "gpu", "the CPU would search for longer than a GPU takes");
    if (err)
      *err = why;
    return status;
  }
  out->engine = "cpu";
  snprintf(out->reason, sizeof out->reason, "the GPU did not list: %.400s", why.message);
  return MS_OK;
}

static ms_status list_auto(const ms_instance *region, int threads, const ms_match_sink *sink,
                           const ms_stop *stop, ms_motif_counted *out, ms_error *err)
{
  const ms_engine *cpu = &ms_engine_connected_sets, *gpu = &ms_engine_gpu_sets;
  void *context = NULL;
  bool done = false;
  double seconds = 0, matches = 0;
  ms_status status = cpu->open(region, threads, &context, err);
  if (!gpu->may_have_devices || !gpu->may_have_devices())
    note(out, "cpu", "there is no GPU");
  else if (status == MS_OK && (region->size < 3 || region->offset[region->n] < LEAST_ARCS ||
                               cpu->units(context) < LEAST_ROOTS))
    note(out, "cpu", "the region has few edges or few roots");
  else if (status == MS_OK) {
    note(out, "cpu", "the search is short, or its rows take longer");
    status = probe(context, threads, stop, &seconds, &matches, err);
    if (status == MS_OK && gpu_pays(sink, threads, seconds, matches))
      status = try_gpu(region, threads, sink, stop, out, &done, err);
  }
  if (status == MS_OK && !done)
    status = cpu->run(context, 0, cpu->units(context), sink, stop, err);
  cpu->close(context);
  return status;
}

ms_status ms_motif_list_region(const ms_instance *region, ms_motif_engine engine, int threads,
                               const ms_match_sink *sink, const ms_stop *stop,
                               ms_motif_counted *out, ms_error *err)
{
  if (engine == MS_MOTIF_AUTO)
    return list_auto(region, threads, sink, stop, out, err);
  note(out, ms_motif_engine_name(engine), "as asked for");
  return list_by(engine == MS_MOTIF_GPU ? &ms_engine_gpu_sets : &ms_engine_connected_sets, region,
                 threads, sink, stop, err);
}
