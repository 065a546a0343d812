/* Measures what this machine can do at best: reading memory, and a GPU's logic and memories. */
#include "base/file/read_rate.h"
#include "base/status.h"
#include "base/threads/threads.h"
#include "bench/sieve/experiments.h"
#include "cli/numbers.h"
#include "gpu/gpu.h"

#include <inttypes.h>
#include <stdio.h>

/* A measured rate. */
typedef struct rate {
  const char *what;
  uint64_t bytes; /* of the memory that is read; 0: none */
  int gpu;        /* -1: the processor */
  int threads;    /* of the processor */
  double a_second;
  const char *unit;
} rate;

/* Receives rates, one after another. */
typedef struct receiver {
  void (*put)(const struct receiver *to, const rate *r);
  bool csv;
  ms_outfile *table; /* may be NULL */
} receiver;

/* ---- GPUs ------------------------------------------------------------------------ */

/* Measures a GPU.  Random rows slow down at the size where they exceed the second-level cache, and
 * again where they exceed what the address translation covers. */
static ms_status measure_gpu(int device, double seconds, const receiver *to, ms_error *err)
{
  static const unsigned shifts[] = {22, 24, 25, 26, 28, 30, 32};
  ms_gpu_device d;
  ms_gpu_ceilings c;
  MS_TRY(ms_gpu_device_at(device, &d, err));
  for (size_t i = 0; i < sizeof shifts / sizeof *shifts; i++) {
    uint64_t bytes = UINT64_C(1) << shifts[i];
    if (bytes > d.memory_free / 2)
      break;
    MS_TRY(ms_gpu_measure(device, bytes, seconds, &c, err));
    if (i == 0) {
      to->put(to, &(rate){"three-input logic", 0, device, 0, c.logic, "32-bit operations/s"});
      to->put(to, &(rate){"shared memory", 0, device, 0, c.shared_read, "bytes/s"});
    }
    to->put(to, &(rate){"rows of 512 at random", bytes, device, 0, c.row_read, "bytes/s"});
    to->put(to, &(rate){"read and written", bytes, device, 0, c.stream, "bytes/s"});
  }
  return MS_OK;
}

static void put_ceiling(const receiver *to, const rate *r)
{
  char size[32] = "";
  if (r->bytes && to->csv)
    snprintf(size, sizeof size, "%" PRIu64, r->bytes);
  else if (r->bytes)
    ms_format_size(size, sizeof size, r->bytes);
  printf(to->csv ? "%s,%s,%.4g,%s\n" : "%-22s  %8s  %10.4g  %s\n", r->what, size, r->a_second,
         r->unit);
  fflush(stdout);
}

ms_status bench_print_ceilings(int device, double seconds, bool csv, ms_error *err)
{
  ms_gpu_device d;
  MS_TRY(ms_gpu_device_at(device, &d, err));
  printf("%sGPU %d: %s, compute capability %d.%d, %d multiprocessors, %.0f MHz\n", csv ? "# " : "",
         device, d.name, d.major, d.minor, d.multiprocessors, d.clock * 1e-6);
  printf(csv ? "what,bytes,rate,unit\n" : "what                        bytes        rate\n");
  return measure_gpu(device, seconds, &(receiver){put_ceiling, csv, NULL}, err);
}

/* ---- all of the machine ------------------------------------------------------------ */

static void put_rate(const receiver *to, const rate *r)
{
  char where[16] = "processor", line[160];
  if (r->gpu >= 0)
    snprintf(where, sizeof where, "gpu %d", r->gpu);
  printf(to->csv ? "%s,%s,%d,%" PRIu64 ",%.6g,%s\n"
                 : "%-10s  %-22s  %7d  %12" PRIu64 "  %10.4g  %s\n",
         where, r->what, r->threads, r->bytes, r->a_second, r->unit);
  fflush(stdout);
  if (!to->table)
    return;
  snprintf(line, sizeof line, "%s\t%s\t%d\t%" PRIu64 "\t%.6g\t%s\n", where, r->what, r->threads,
           r->bytes, r->a_second, r->unit);
  ms_outfile_puts(to->table, line);
}

/* Measures buffers of 16 KiB to 256 MiB, which are in each cache and beyond, or up to a quarter of
 * --memory. */
static ms_status measure_processor(const bench_plan *plan, int threads, const receiver *to,
                                   ms_error *err)
{
  for (unsigned shift = 14; shift <= 28; shift += 2) {
    uint64_t bytes = UINT64_C(1) << shift;
    if (plan->screen.run.memory && bytes > plan->screen.run.memory / 4)
      break;
    for (int random = 0; random < 2; random++) {
      rate r = {random ? "lines at random" : "lines in order", bytes, -1, threads, 0, "bytes/s"};
      MS_TRY(ms_read_rate(bytes, random, threads, plan->seconds, &r.a_second, err));
      to->put(to, &r);
    }
  }
  return MS_OK;
}

ms_status bench_bandwidth(const bench_plan *plan, ms_outfile *table, ms_error *err)
{
  const ms_screen_options *s = &plan->screen;
  const receiver to = {put_rate, plan->csv, table};
  int all = ms_threads(s->run.threads),
      gpus = s->backend == MS_BACKEND_CPU ? 0 : ms_gpu_device_count();
  printf(plan->csv ? "where,what,threads,bytes,rate,unit\n"
                   : "where       what                    threads         bytes        rate\n");
  if (table)
    ms_outfile_puts(table, "where\twhat\tthreads\tbytes\trate\tunit\n");
  MS_TRY(measure_processor(plan, 1, &to, err));
  if (all > 1)
    MS_TRY(measure_processor(plan, all, &to, err));
  for (uint32_t i = 0; i < (s->run.n_devices ? s->run.n_devices : (uint32_t)gpus); i++)
    MS_TRY(measure_gpu(s->run.n_devices ? s->run.devices[i] : (int)i, plan->seconds, &to, err));
  return MS_OK;
}
