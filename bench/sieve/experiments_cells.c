/* What each experiment measures: a list of cells.  They repeat the experiments of Kaski, Lauri and
 * Thejaswi, "Engineering Motif Search for Large Motifs", SEA 2018; docs/EXPERIMENTS.md compares. */
#include "base/threads/threads.h"
#include "bench/sieve/experiments.h"
#include "gf2/gf2.h"
#include "gpu/gpu.h"
#include "sieve/kernels/kernel.h"

#include <math.h>
#include <string.h>

const char *bench_experiment_word(bench_experiment experiment)
{
  static const char *const words[] = {
      [BENCH_SLOTS] = "k",           [BENCH_VERTICES] = "n",
      [BENCH_EDGES] = "m",           [BENCH_TOPOLOGY] = "topology",
      [BENCH_LINES] = "lines",       [BENCH_THREADS] = "threads",
      [BENCH_GPUS] = "gpus",         [BENCH_BANDWIDTH] = "bandwidth",
      [BENCH_DECISION] = "decision", [BENCH_TRANSFERS] = "transfers"};
  return words[experiment];
}

/* Sets *to to the i-th of the values; false after the last. */
static bool take(const uint32_t *values, uint32_t count, uint32_t i, uint32_t *to)
{
  if (i < count)
    *to = values[i];
  return i < count;
}

/* Returns the size n of the clique whose number of edges is nearest to m: n (n - 1) / 2 = m. */
static uint32_t clique_of(uint64_t m)
{
  return (uint32_t)lround((1 + sqrt(1 + 8 * (double)m)) / 2);
}

/* The families of the paper; and, because repeated edges are left out of the graph with large hubs,
 * a random graph with as many edges as that has. */
static bool topology_at(const bench_plan *plan, uint32_t i, uint64_t edges, bench_instance *out)
{
  static const struct {
    ms_family family;
    double exponent;
  } rows[] = {{MS_FAMILY_REGULAR, 0},
              {MS_FAMILY_CLIQUE, 0},
              {MS_FAMILY_HUBS, -0.5},
              {MS_FAMILY_HUBS, -1},
              {MS_FAMILY_ER, 0}};
  if (i >= sizeof rows / sizeof *rows)
    return false;
  out->family = rows[i].family;
  out->exponent = rows[i].exponent;
  out->edges = out->family == MS_FAMILY_ER ? edges : (uint64_t)plan->base.n * plan->base.d / 2;
  if (out->family == MS_FAMILY_CLIQUE)
    out->n = clique_of(out->edges);
  return true;
}

/* Takes the i-th line type that has a kernel of the sieve and that this processor can run. */
static bool line_at(uint32_t i, ms_screen_options *screen)
{
  for (uint32_t k = 0; k < ms_sieve_kernel_count(); k++)
    for (uint32_t p = 0; p < ms_gf2_path_count(); p++) {
      const ms_gf2_path *path = ms_gf2_path_at(p);
      if (strcmp(path->name, ms_sieve_kernel_at(k)->path) != 0 || !path->available() || i-- > 0)
        continue;
      screen->kernel = path->name;
      return true;
    }
  return false;
}

/* Takes the i-th kernel of the sieve on GPUs, the slowest first.  The classic recurrence has one
 * bit-sliced kernel. */
static bool gpu_line_at(uint32_t i, ms_screen_options *screen)
{
  static const ms_gpu_sieve_kernel sibling[] = {MS_GPU_SIEVE_GLOBAL, MS_GPU_SIEVE_SHARED};
  bool is_classic = screen->recurrence == MS_CLASSIC;
  if (i >= (is_classic ? 1 : sizeof sibling / sizeof *sibling))
    return false;
  screen->kernel = ms_gpu_sieve_kernel_name(is_classic ? MS_GPU_SIEVE_AUTO : sibling[i]);
  return true;
}

/* Takes the i-th of 1, 2, 4, .., most. */
static bool power_at(uint32_t i, uint32_t most, uint32_t *to)
{
  uint32_t value = 1;
  while (i > 0 && value < most) {
    value = value * 2 < most ? value * 2 : most;
    i--;
  }
  *to = value;
  return i == 0;
}

static bool threads_at(const bench_plan *plan, uint32_t i, ms_screen_options *screen)
{
  uint32_t threads;
  bool found = power_at(i, (uint32_t)ms_threads(plan->screen.run.threads), &threads);
  screen->run.threads = (int)threads;
  return found;
}

/* Without a GPU one is asked for all the same, so that the screen says what is wrong. */
static bool gpus_at(const bench_plan *plan, uint32_t i, bench_cell *out)
{
  uint32_t count, most = plan->screen.run.n_devices;
  int found = most ? 0 : ms_gpu_device_count();
  if (!most)
    most = found < 1 ? 1 : found < (int)BENCH_MOST ? (uint32_t)found : BENCH_MOST;
  for (uint32_t d = 0; d < most; d++)
    out->devices[d] = plan->screen.run.n_devices ? plan->devices[d] : (int)d;
  bool more = power_at(i, most, &count);
  out->screen.backend = MS_BACKEND_CUDA;
  out->screen.run.devices = out->devices;
  out->screen.run.n_devices = count;
  return more;
}

bool bench_cell_at(const bench_plan *plan, uint32_t i, uint64_t edges, bench_cell *out)
{
  *out = (bench_cell){.instance = plan->base, .screen = plan->screen};
  switch (plan->experiment) {
  case BENCH_ONE:
    return i == 0;
  case BENCH_SLOTS:
    return take(plan->slots, plan->n_slots, i, &out->instance.k);
  case BENCH_VERTICES:
    return take(plan->vertices, plan->n_vertices, i, &out->instance.n);
  case BENCH_EDGES:
    return take(plan->degrees, plan->n_degrees, i, &out->instance.d);
  case BENCH_TOPOLOGY:
    return topology_at(plan, i, edges, &out->instance);
  case BENCH_LINES:
    return (plan->screen.backend == MS_BACKEND_CUDA ? gpu_line_at : line_at)(i, &out->screen);
  case BENCH_THREADS:
    return threads_at(plan, i, &out->screen);
  case BENCH_GPUS:
    return gpus_at(plan, i, out);
  case BENCH_BANDWIDTH:
  case BENCH_DECISION:
  case BENCH_TRANSFERS:
    break;
  }
  return false;
}
