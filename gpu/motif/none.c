/* The stand-in for the engine and the sessions for colour motifs on GPUs in a build without CUDA.
 */
#include "base/status.h"
#include "gpu/gpu.h"
#include "gpu/motif/engine.h"
#include "gpu/motif/session.h"

uint32_t ms_gpu_motif_part, ms_gpu_motif_hash[2], ms_gpu_motif_short;
double ms_gpu_motif_seconds;
bool ms_gpu_motif_unread;
uint64_t ms_gpu_motif_bytes;

static ms_status no_device(ms_error *err)
{
  return ms_fail(err, MS_ERR_USAGE, "this build has no accelerator support; use the CPU");
}

static ms_status open_none(const ms_instance *instance, int threads, void **context, ms_error *err)
{
  (void)instance;
  (void)threads;
  *context = NULL;
  return no_device(err);
}

static uint64_t no_units(const void *context)
{
  (void)context;
  return 0;
}

static ms_status no_count(void *context, uint64_t first, uint64_t last, ms_count_sink *sink,
                          const ms_stop *stop, ms_error *err)
{
  (void)context;
  (void)first;
  (void)last;
  (void)sink;
  (void)stop;
  return no_device(err);
}

static ms_status no_run(void *context, uint64_t first, uint64_t last, const ms_match_sink *sink,
                        const ms_stop *stop, ms_error *err)
{
  (void)context;
  (void)first;
  (void)last;
  (void)sink;
  (void)stop;
  return no_device(err);
}

static void close_none(void *context)
{
  (void)context;
}

const ms_engine ms_engine_gpu_sets = {.name = "gpu",
                                      .devices = ms_gpu_device_count,
                                      .open = open_none,
                                      .units = no_units,
                                      .run = no_run,
                                      .count = no_count,
                                      .close = close_none};

ms_status ms_gpu_motif_link(int device, double *bytes_a_second, ms_error *err)
{
  (void)device;
  *bytes_a_second = 0;
  return no_device(err);
}

uint32_t ms_gpu_session_most_steps[2];
uint32_t ms_gpu_session_batch_size;

bool ms_gpu_session_takes(const ms_motif *motif)
{
  (void)motif;
  return false;
}

ms_status ms_gpu_session_open(const ms_graph *graph, const ms_coloring *coloring, int device,
                              int threads, uint64_t memory, ms_gpu_session **out, ms_error *err)
{
  (void)graph;
  (void)coloring;
  (void)device;
  (void)threads;
  (void)memory;
  *out = NULL;
  return no_device(err);
}

void ms_gpu_session_close(ms_gpu_session *session)
{
  (void)session;
}

uint32_t ms_gpu_session_batch(const ms_gpu_session *session)
{
  (void)session;
  return 0;
}

static ms_status no_session(ms_error *err)
{
  return ms_fail(err, MS_ERR_INTERNAL, "a device that does not exist was asked to work");
}

ms_status ms_gpu_session_begin(ms_gpu_session *session, const ms_motif *const *motif,
                               uint32_t count, ms_error *err)
{
  (void)session;
  (void)motif;
  (void)count;
  return no_session(err);
}

ms_status ms_gpu_session_end(ms_gpu_session *session, ms_gpu_answer *answer, ms_error *err)
{
  (void)session;
  (void)answer;
  return no_session(err);
}
