/* The stand-in for accelerators in a build without any. */
#include "gpu/gpu.h"
#include "gpu/match/engines.h"

#include "base/status.h"

#include <math.h>

int ms_gpu_device_count(void)
{
  return 0;
}

const char *ms_gpu_describe(void)
{
  return "none: built without accelerator support";
}

static ms_status no_device(ms_error *err)
{
  return ms_fail(err, MS_ERR_USAGE, "this build has no accelerator support; use the CPU");
}

ms_status ms_gpu_device_at(int device, ms_gpu_device *out, ms_error *err)
{
  (void)device;
  *out = (ms_gpu_device){0};
  return no_device(err);
}

ms_status ms_gpu_device_facts(int device, ms_gpu_device *out, ms_error *err)
{
  return ms_gpu_device_at(device, out, err);
}

uint32_t ms_gpu_line_count(void)
{
  return 0;
}

const ms_gpu_line *ms_gpu_line_at(uint32_t index)
{
  (void)index;
  return NULL;
}

ms_status ms_gpu_products(int device, uint32_t line, double seconds, double *rate, ms_error *err)
{
  (void)device;
  (void)line;
  (void)seconds;
  *rate = 0;
  return no_device(err);
}

ms_status ms_gpu_measure(int device, uint64_t bytes, double seconds, ms_gpu_ceilings *out,
                         ms_error *err)
{
  (void)device;
  (void)bytes;
  (void)seconds;
  *out = (ms_gpu_ceilings){0};
  return no_device(err);
}

static double no_estimate(const ms_sieve_problem *problem, const ms_sieve_config *config,
                          int device, uint32_t repetitions)
{
  (void)problem;
  (void)config;
  (void)device;
  (void)repetitions;
  return HUGE_VAL;
}

static ms_status no_open(const ms_sieve_problem *problem, const ms_sieve_config *config, int device,
                         void **context, ms_sieve_plan *plan, ms_error *err)
{
  (void)problem;
  (void)config;
  (void)device;
  (void)plan;
  *context = NULL;
  return no_device(err);
}

static ms_status no_run(void *context, uint64_t first, uint64_t last, uint8_t *q, ms_error *err)
{
  (void)context;
  (void)first;
  (void)last;
  (void)q;
  return ms_fail(err, MS_ERR_INTERNAL, "a device that does not exist was asked to work");
}

static void no_close(void *context)
{
  (void)context;
}

const ms_sieve_backend ms_sieve_backend_cuda = {
    .name = "cuda",
    .devices = ms_gpu_device_count,
    .estimate = no_estimate,
    .open = no_open,
    .run = no_run,
    .close = no_close,
};

/* ---- patterns ---------------------------------------------------------------- */

static ms_status takes_nothing(const ms_program *program, ms_error *err)
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
                                                      .takes = takes_nothing,                      \
                                                      .count = no_count,                           \
                                                      .list = no_list}

NO_ENGINE(gpu);
NO_ENGINE(dfs);
NO_ENGINE(trie);
NO_ENGINE(reuse);
NO_ENGINE(flood);
