/* The stand-in for sessions on GPUs in a build without CUDA. */
#include "base/status.h"
#include "gpu/motif/session.h"

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
  return ms_fail(err, MS_ERR_USAGE, "this build has no accelerator support; use the CPU");
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
