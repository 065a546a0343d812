/* Sieves a part of the points of a large motif on all GPUs, to estimate the time of the whole:
 *   gpu_part SLOTS SHIFT [GPUS]
 * sieves 2^-SHIFT of the 2^SLOTS points of a random graph with 1024 vertices of
 * degree 20, each of one of SLOTS colours, an equal share on each GPU, after a
 * first run that creates the contexts.  It prints one line: what was measured, and
 * the time of the whole, which is marked as extrapolated. */
#include "base/threads/parallel.h"
#include "base/threads/stop.h"
#include "bench/harness.h"
#include "bench/sieve/instance.h"
#include "gpu/gpu.h"
#include "motif/instance.h"
#include "sieve/backend.h"

#include <stdio.h>
#include <stdlib.h>

#define MOST_GPUS 64

enum { VERTICES = 1024, DEGREE = 20 };

/* Runs the share of device `device` of `gpus` in the first `units` units. */
static ms_status run_share(const ms_sieve_problem *problem, int device, int gpus, uint64_t units,
                           ms_error *err)
{
  ms_sieve_config config = {0};
  ms_sieve_plan plan;
  void *context = NULL;
  uint8_t q[VERTICES] = {0};
  uint64_t first = units / (uint64_t)gpus * (uint64_t)device;
  uint64_t last = device + 1 == gpus ? units : units / (uint64_t)gpus * (uint64_t)(device + 1);
  ms_status status = ms_sieve_backend_cuda.open(problem, &config, device, &context, &plan, err);
  if (status == MS_OK)
    status = ms_sieve_backend_cuda.run(context, first, last, q, err);
  ms_sieve_backend_cuda.close(context);
  return status;
}

typedef struct run_args {
  const ms_sieve_problem *problem;
  int gpus;
  uint64_t units;
  ms_status *status; /* [gpus] */
  ms_error *error;   /* [gpus] */
} run_args;

static void run_devices(void *user, ms_range r)
{
  const run_args *a = user;
  for (uint64_t i = r.begin; i < r.end; i++)
    a->status[i] = run_share(a->problem, (int)i, a->gpus, a->units, &a->error[i]);
}

static ms_status run_all(const ms_sieve_problem *problem, int gpus, uint64_t units, double *seconds,
                         ms_error *err)
{
  ms_status worst = MS_OK, status[MOST_GPUS];
  ms_error error[MOST_GPUS];
  run_args args = {problem, gpus, units, status, error};
  double start = ms_seconds();
  ms_parallel(gpus, (uint64_t)gpus, 1, run_devices, &args);
  *seconds = ms_seconds() - start;
  for (int device = 0; device < gpus; device++)
    if (status[device] != MS_OK) {
      worst = status[device];
      *err = error[device];
    }
  return worst;
}

int main(int argc, char **argv)
{
  int slots = argc > 1 ? atoi(argv[1]) : 0, shift = argc > 2 ? atoi(argv[2]) : -1;
  int gpus = argc > 3 ? atoi(argv[3]) : ms_gpu_device_count();
  bench_case c = {0};
  ms_instance *instance = NULL;
  ms_sieve_problem problem = {0};
  ms_error err;
  double seconds = 0;
  if (slots < 10 || slots > (int)MS_MAX_K || shift < 0 || shift > slots - 10) {
    fputs("usage: gpu_part SLOTS SHIFT [GPUS], 10 to 32 slots, at least 2^10 points\n", stderr);
    return 2;
  }
  if (gpus < 1 || gpus > MOST_GPUS || gpus > ms_gpu_device_count()) {
    fprintf(stderr, "gpu_part: there are %d GPUs\n", ms_gpu_device_count());
    return 1;
  }
  uint64_t units = UINT64_C(1) << (slots - 5 - shift);
  const bench_instance random = {
      .family = MS_FAMILY_REGULAR, .n = VERTICES, .d = DEGREE, .k = (uint32_t)slots};
  ms_status status = bench_case_make(&random, 1, &c, &err);
  if (status == MS_OK)
    status = ms_instance_new(c.query, 0, &instance, &err);
  if (status == MS_OK)
    status = ms_sieve_problem_init(&problem, instance, (uint32_t)slots, MS_SIBLING, 1, 0, &err);
  if (status == MS_OK)
    status = run_all(&problem, gpus, (uint64_t)gpus, &seconds, &err);
  if (status == MS_OK)
    status = run_all(&problem, gpus, units, &seconds, &err);
  ms_sieve_problem_clear(&problem);
  ms_instance_free(instance);
  bench_case_free(&c);
  if (status != MS_OK)
    return bench_fail("gpu_part", &err);
  printf(
      "n = %d, d = %d, k = %d, %d GPU(s): 2^-%d of the points in %.3f s; scaled, not run: all in %.1f s\n",
      VERTICES, DEGREE, slots, gpus, shift, seconds, seconds * (double)(UINT64_C(1) << shift));
  return 0;
}
