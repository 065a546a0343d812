/* Measures how fast the sieve's kernels are on this processor, to fit the rates of its predictions
 * (sieve/cpu_time.h):
 *
 *   sieve_rates SECONDS ARITHMETIC..
 *
 * Each of these line types runs one repetition, on one thread, of random regular graphs of several
 * sizes and motifs of several sizes; predicted times above SECONDS are left out.  A line for each
 * of them:
 *
 *   arithmetic  n  d  k  halved  products  near  far  weights  predicted  making  blocks
 *
 * halved: 1 if two vertices share a line.  products, near, far: the counts of a repetition that
 * have rates: products of field elements, and bytes of lines in the L2 cache and beyond it.
 * weights, predicted: predicted seconds of the weights, and of the whole repetition.  making,
 * blocks: measured seconds of processor time, to make the weights and for all blocks; the least of
 * three runs.  sieve_rates.py reads these lines. */
#include "base/status.h"
#include "bench/harness.h"
#include "bench/sieve/instance.h"
#include "gf2/gf2.h"
#include "motif/instance.h"
#include "sieve/backend.h"
#include "sieve/cpu_time.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { RUNS = 3, SEED = 1 };

static const uint32_t sizes[] = {1024, 4096, 16384, 32768, 65536, 131072},
                      slots[] = {6, 8, 10, 12, 14, 16}, degrees[] = {8, 20};

static double processor_seconds(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Measures the seconds of one repetition: `making` its weights, from the difference of a first and
 * a second run of the same block, and all its blocks. */
static ms_status run(const ms_sieve_problem *problem, const ms_sieve_config *config, uint8_t *q,
                     double *making, double *blocks, ms_error *err)
{
  ms_sieve_plan plan;
  void *context;
  MS_TRY(ms_sieve_backend_cpu.open(problem, config, 0, &context, &plan, err));
  double t[4];
  t[0] = processor_seconds();
  ms_status status = ms_sieve_backend_cpu.run(context, 0, 1, q, err);
  t[1] = processor_seconds();
  if (status == MS_OK)
    status = ms_sieve_backend_cpu.run(context, 0, 1, q, err);
  t[2] = processor_seconds();
  if (status == MS_OK)
    status = ms_sieve_backend_cpu.run(context, 0, plan.blocks, q, err);
  t[3] = processor_seconds();
  ms_sieve_backend_cpu.close(context);
  *making = t[1] - t[0] - (t[2] - t[1]);
  *blocks = t[3] - t[2];
  return status;
}

static ms_status measure(const bench_instance *i, const ms_sieve_problem *problem,
                         const ms_sieve_kernel *kernel, double most, ms_error *err)
{
  ms_sieve_config config = {.threads = 1, .kernel = kernel->path};
  double predicted = ms_sieve_backend_cpu.estimate(problem, &config, 0, 1), making = 0, blocks = 0;
  if (predicted > most)
    return MS_OK;
  ms_sieve_shape shape = ms_sieve_cpu_shape(problem, kernel, 0);
  ms_sieve_parts parts = ms_sieve_cpu_parts(&shape, kernel);
  uint8_t *q = calloc(problem->instance->n, 1);
  if (!q)
    return ms_fail_memory(err, "the flags of all vertices");
  ms_status status = MS_OK;
  for (int r = 0; r < RUNS && status == MS_OK; r++) {
    double now[2] = {0, 0};
    status = run(problem, &config, q, &now[0], &now[1], err);
    making = r == 0 || now[0] < making ? now[0] : making;
    blocks = r == 0 || now[1] < blocks ? now[1] : blocks;
  }
  free(q);
  if (status == MS_OK)
    printf("%s\t%u\t%u\t%u\t%d\t%.4g\t%.4g\t%.4g\t%.4g\t%.4g\t%.4g\t%.4g\n", kernel->path, i->n,
           i->d, i->k, shape.is_halved, parts.products, parts.near_bytes, parts.far_bytes,
           parts.weights, predicted, making, blocks);
  fflush(stdout);
  return status;
}

static ms_status measure_instance(const bench_instance *i, const ms_sieve_kernel **kernels,
                                  int count, double most, ms_error *err)
{
  bench_case c;
  ms_instance *all = NULL, *instance = NULL;
  ms_sieve_problem problem;
  ms_status status = bench_case_make(i, SEED, &c, err);
  if (status == MS_OK)
    status = ms_instance_new(c.query, 1, &all, err);
  if (status == MS_OK)
    status = ms_instance_prune(all, 1, &instance, NULL, err);
  if (status == MS_OK && !instance->impossible) {
    status = ms_sieve_problem_init(&problem, instance, i->k, MS_SIBLING, SEED, 1, err);
    for (int x = 0; x < count && status == MS_OK; x++)
      status = measure(i, &problem, kernels[x], most, err);
    ms_sieve_problem_clear(&problem);
  }
  ms_instance_free(instance);
  ms_instance_free(all);
  bench_case_free(&c);
  return status;
}

static const ms_sieve_kernel *kernel_of(const char *path)
{
  for (uint32_t i = 0; i < ms_sieve_kernel_count(); i++)
    if (strcmp(ms_sieve_kernel_at(i)->path, path) == 0 && ms_sieve_kernel_at(i)->available())
      return ms_sieve_kernel_at(i);
  return NULL;
}

int main(int argc, char **argv)
{
  const ms_sieve_kernel *kernels[16];
  ms_error err;
  double most = argc > 2 ? strtod(argv[1], NULL) : 0;
  if (argc < 3 || argc > 18 || !(most > 0)) {
    fprintf(stderr, "usage: sieve_rates SECONDS ARITHMETIC..\n");
    return 2;
  }
  for (int x = 2; x < argc; x++)
    if (!(kernels[x - 2] = kernel_of(argv[x]))) {
      fprintf(stderr, "sieve_rates: this processor has no kernel '%s'\n", argv[x]);
      return 2;
    }
  printf("arithmetic\tn\td\tk\thalved\tproducts\tnear\tfar\tweights\tpredicted\tmaking\tblocks\n");
  for (size_t a = 0; a < sizeof sizes / sizeof *sizes; a++)
    for (size_t b = 0; b < sizeof slots / sizeof *slots; b++)
      for (size_t d = 0; d < sizeof degrees / sizeof *degrees; d++) {
        bench_instance i = {
            .family = MS_FAMILY_REGULAR, .n = sizes[a], .d = degrees[d], .k = slots[b]};
        if (measure_instance(&i, kernels, argc - 2, most, &err) != MS_OK)
          return bench_fail("sieve_rates", &err);
      }
  return 0;
}
