#include "run/motif_engine.h"

#include "base/alloc.h"
#include "base/hooks.h"
#include "base/status.h"
#include "base/threads/race.h"
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

static bool is_stop(ms_status status)
{
  return status == MS_ERR_LIMIT || status == MS_ERR_INTERRUPTED;
}

static void note(ms_motif_counted *out, const char *engine, const char *reason)
{
  out->engine = engine;
  snprintf(out->reason, sizeof out->reason, "%s", reason);
}

/* ---- one engine ---------------------------------------------------------------------- */

static ms_status count_region(const ms_motif_counting *w, const ms_instance *region,
                              const ms_engine *engine, ms_count_sink *sink, const ms_stop *stop,
                              ms_error *err)
{
  void *context = NULL;
  ms_count_sink own = *sink;
  own.taking = sink->taking ? ms_calloc(region->n, sizeof *own.taking) : NULL;
  if (sink->taking && !own.taking)
    return ms_fail_memory(err, "the matches of each vertex");
  ms_status status = engine->open(region, w->threads, &context, err);
  if (status == MS_OK)
    status = engine->count(context, 0, engine->units(context), &own, stop, err);
  engine->close(context);
  for (uint32_t v = 0; own.taking && v < region->n; v++)
    sink->taking[region->vertex[v]] += own.taking[v];
  sink->low = own.low;
  sink->high = own.high;
  sink->visits = own.visits;
  ms_free(own.taking);
  return status;
}

static ms_status count_by(const ms_motif_counting *w, const ms_engine *engine, ms_count_sink *sink,
                          const ms_stop *stop, ms_error *err)
{
  ms_status status = MS_OK;
  for (uint32_t r = 0; status == MS_OK && r < w->count; r++)
    status = count_region(w, w->region[r], engine, sink, stop, err);
  return status;
}

/* ---- a race -------------------------------------------------------------------------- */

/* The CPU counts, and so does a GPU once the CPU has taken as long as a GPU takes to start. */
typedef struct both {
  const ms_motif_counting *work;
  ms_count_sink sink[2]; /* of the CPU and of the GPU */
} both;

enum { CPU, GPU };

static ms_status count_on_cpu(void *user, ms_race *race, const ms_stop *stop, ms_error *err)
{
  both *b = user;
  (void)race;
  return count_by(b->work, &ms_engine_connected_sets, &b->sink[CPU], stop, err);
}

static ms_status count_on_gpu(void *user, ms_race *race, const ms_stop *stop, ms_error *err)
{
  both *b = user;
  const ms_engine *gpu = &ms_engine_gpu_sets;
  if (!ms_race_wait(race, ms_hooks.race_start_patience) || !ms_race_wait_for(race, gpu->start))
    return MS_ERR_LIMIT;
  return gpu->devices() > 0 ? count_by(b->work, gpu, &b->sink[GPU], stop, err)
                            : ms_fail(err, MS_ERR_USAGE, "there is no usable GPU");
}

static void note_winner(const ms_race_end *end, ms_motif_counted *out)
{
  if (end->second)
    note(out, "gpu", "it was done before the CPU");
  else if (end->why.status == MS_OK)
    note(out, "cpu", "the count ended before a GPU would have started");
  else if (is_stop(end->why.status))
    note(out, "cpu", "it was done before a GPU");
  else {
    out->engine = "cpu";
    snprintf(out->reason, sizeof out->reason, "the GPU did not count: %.400s", end->why.message);
  }
}

static ms_status open_sinks(both *b, const ms_count_sink *sink, ms_error *err)
{
  for (int i = 0; i < 2; i++) {
    b->sink[i] = *sink;
    b->sink[i].low = b->sink[i].high = b->sink[i].visits = 0;
    b->sink[i].taking = sink->taking ? ms_calloc(b->work->n, sizeof *sink->taking) : NULL;
    if (sink->taking && !b->sink[i].taking)
      return ms_fail_memory(err, "the matches of each vertex");
  }
  b->sink[GPU].progress = NULL; /* which one thread calls */
  return MS_OK;
}

static ms_status count_auto(const ms_motif_counting *w, ms_count_sink *sink, ms_motif_counted *out,
                            ms_error *err)
{
  const ms_engine *gpu = &ms_engine_gpu_sets;
  if (!gpu->may_have_devices || !gpu->may_have_devices()) {
    note(out, "cpu", "there is no GPU");
    return count_by(w, &ms_engine_connected_sets, sink, w->stop, err);
  }
  ms_race_end end;
  both b = {.work = w};
  ms_status status = open_sinks(&b, sink, err);
  if (status == MS_OK) {
    status = ms_race_run(w->stop, count_on_cpu, count_on_gpu, &b, &end, err);
    note_winner(&end, out);
    ms_count_merge(sink, &b.sink[end.second ? GPU : CPU], w->n);
  }
  for (int i = 0; i < 2; i++)
    ms_free(b.sink[i].taking);
  return status;
}

ms_status ms_motif_count(const ms_motif_counting *work, ms_count_sink *sink, ms_motif_counted *out,
                         ms_error *err)
{
  if (work->engine == MS_MOTIF_AUTO)
    return count_auto(work, sink, out, err);
  note(out, names[work->engine], "as asked for");
  return count_by(work,
                  work->engine == MS_MOTIF_GPU ? &ms_engine_gpu_sets : &ms_engine_connected_sets,
                  sink, work->stop, err);
}
