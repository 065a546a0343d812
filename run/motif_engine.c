#include "run/motif_engine.h"

#include "base/alloc.h"
#include "base/hooks.h"
#include "base/status.h"
#include "motif/count/count.h"

#include <stdio.h>
#include <string.h>

static const char *const names[] = {"auto", "cpu", "gpu"};

enum { NAMES = sizeof names / sizeof *names };

const char *ms_motif_engine_name(uint32_t i)
{
  return i < NAMES ? names[i] : NULL;
}

ms_status ms_motif_engine_find(const char *name, ms_motif_engine *out, ms_error *err)
{
  *out = MS_MOTIF_AUTO;
  for (int i = 0; name && i < NAMES; i++)
    if (strcmp(name, names[i]) == 0) {
      *out = (ms_motif_engine)i;
      return MS_OK;
    }
  return name ? ms_fail(err, MS_ERR_USAGE,
                        "there is no engine '%s' for motifs; use auto, cpu or gpu", name)
              : MS_OK;
}

static ms_status count_by(const ms_engine *engine, const ms_instance *region, int threads,
                          ms_count_sink *sink, const ms_stop *stop, ms_error *err)
{
  void *context = NULL;
  ms_status status = engine->open(region, threads, &context, err);
  if (status == MS_OK)
    status = engine->count(context, 0, engine->units(context), sink, stop, err);
  engine->close(context);
  return status;
}

static bool is_stop(ms_status status)
{
  return status == MS_ERR_LIMIT || status == MS_ERR_INTERRUPTED;
}

static void note(ms_motif_counted *out, const char *engine, const char *reason)
{
  out->engine = engine;
  snprintf(out->reason, sizeof out->reason, "%s", reason);
}

/* Counts on the CPU for some time.  *done: what the sink and the status say is the result;
 * otherwise the sink is as before. */
static ms_status try_cpu(const ms_instance *region, int threads, ms_count_sink *sink,
                         const ms_stop *stop, bool *done, ms_error *err)
{
  ms_stop *child;
  ms_count_sink own = *sink;
  *done = false;
  own.low = own.high = own.visits = 0;
  own.taking = sink->taking ? ms_calloc(region->n, sizeof *own.taking) : NULL;
  if (sink->taking && !own.taking)
    return ms_fail_memory(err, "the matches of each vertex");
  ms_status status = ms_stop_child(stop, ms_hooks.motif_gpu_patience, &child, err);
  if (status == MS_OK) {
    status = count_by(&ms_engine_connected_sets, region, threads, &own, child, err);
    ms_stop_free(child);
    *done = !is_stop(status) || ms_stop_check(stop) != MS_OK;
  }
  if (*done)
    ms_count_merge(sink, &own, region->n);
  ms_free(own.taking);
  return status;
}

static ms_status count_auto(const ms_instance *region, int threads, ms_count_sink *sink,
                            const ms_stop *stop, ms_motif_counted *out, ms_error *err)
{
  const ms_engine *cpu = &ms_engine_connected_sets, *gpu = &ms_engine_gpu_sets;
  ms_error why = {0};
  if (!gpu->may_have_devices || !gpu->may_have_devices()) {
    note(out, "cpu", "there is no GPU");
    return count_by(cpu, region, threads, sink, stop, err);
  }
  bool done;
  ms_status status = try_cpu(region, threads, sink, stop, &done, err);
  if (done || !is_stop(status)) {
    note(out, "cpu", "the count ended before a GPU would have started");
    return status;
  }
  if (gpu->devices() == 0) {
    note(out, "cpu", "there is no usable GPU");
    return count_by(cpu, region, threads, sink, stop, err);
  }
  status = count_by(gpu, region, threads, sink, stop, &why);
  if (status == MS_OK || is_stop(status)) {
    note(out, "gpu", "the CPU takes longer than a GPU takes to start");
    return status;
  }
  out->engine = "cpu";
  snprintf(out->reason, sizeof out->reason, "the GPU did not count: %.400s", why.message);
  return count_by(cpu, region, threads, sink, stop, err);
}

ms_status ms_motif_count(const ms_instance *region, ms_motif_engine engine, int threads,
                         ms_count_sink *sink, const ms_stop *stop, ms_motif_counted *out,
                         ms_error *err)
{
  if (engine == MS_MOTIF_AUTO)
    return count_auto(region, threads, sink, stop, out, err);
  note(out, names[engine], "as asked for");
  return count_by(engine == MS_MOTIF_GPU ? &ms_engine_gpu_sets : &ms_engine_connected_sets, region,
                  threads, sink, stop, err);
}
