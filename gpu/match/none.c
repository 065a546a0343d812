/* The stand-in for the pattern engines on GPUs in a build without CUDA. */
#include "base/status.h"
#include "gpu/gpu.h"
#include "gpu/match/engines.h"

static ms_status no_device(ms_error *err)
{
  return ms_fail(err, MS_ERR_USAGE, "this build has no accelerator support; use the CPU");
}

static ms_status supports_nothing(const ms_program *program, ms_error *err)
{
  (void)program;
  return no_device(err);
}

static ms_status no_count(const ms_pattern_task *task, mpz_t sum, ms_error *err)
{
  (void)task;
  (void)sum;
  return no_device(err);
}

static ms_status no_list(const ms_pattern_task *task, ms_row_fn make, void *user, ms_stream *stream,
                         ms_error *err)
{
  (void)task;
  (void)make;
  (void)user;
  (void)stream;
  return no_device(err);
}

#define NO_ENGINE(word)                                                                            \
  const ms_pattern_engine ms_pattern_engine_##word = {.name = #word,                               \
                                                      .devices = ms_gpu_device_count,              \
                                                      .supports = supports_nothing,                \
                                                      .count = no_count,                           \
                                                      .list = no_list}

NO_ENGINE(gpu);
NO_ENGINE(dfs);
NO_ENGINE(trie);
NO_ENGINE(reuse);
NO_ENGINE(flood);
