/* motifsieve bench: measures multiplications a second of every line type, on the processor or on a
 * GPU; calls of the sieve: bench_sieve.c. */
#include "base/status.h"
#include "cli/cli.h"
#include "cli/options/option_table.h"
#include "cli/print.h"
#include "gf2/rate.h"
#include "gpu/gpu.h"

int ms_run_bench(const ms_cli_options *o)
{
  ms_error err;
  (void)o;
  ms_fail(&err, MS_ERR_USAGE,
          "bench needs to know what to measure, gf2 or sieve; see 'motifsieve bench --help'");
  return ms_cli_error(&err);
}

static void print_rates(const ms_bench_choice *b)
{
  ms_print(b->csv ? "line_type,lanes,threads,products_per_second,description\n"
                  : "line type     lanes  threads      products/s  what it is\n");
  for (uint32_t i = 0; i < ms_gf2_path_count(); i++) {
    const ms_gf2_path *path = ms_gf2_path_at(i);
    for (uint32_t t = 0; t < b->n_threads && path->available(); t++) {
      double rate = ms_gf2_products(path, (int)b->threads[t], b->seconds);
      ms_print(b->csv ? "%s,%u,%u,%.4g,\"%s\"\n" : "%-12s  %5u  %7u  %12.2f G  %s\n", path->name,
               path->lanes, b->threads[t], b->csv ? rate : rate * 1e-9, path->layout);
    }
    if (!path->available() && !b->csv)
      ms_print("%-12s  %5u        -               -  %s: not on this processor\n", path->name,
               path->lanes, path->layout);
    ms_print_flush();
  }
}

static ms_status print_gpu_rates(const ms_bench_choice *b, ms_error *err)
{
  ms_gpu_device d;
  double rate;
  MS_TRY(ms_gpu_device_at((int)b->device, &d, err));
  ms_print("%sGPU %u: %s, compute capability %d.%d, %d multiprocessors, %.0f MHz\n",
           b->csv ? "# " : "", b->device, d.name, d.major, d.minor, d.multiprocessors,
           d.clock * 1e-6);
  ms_print(b->csv ? "line_type,lanes,device,products_per_second,description\n"
                  : "line type        lanes  device      products/s  what it is\n");
  for (uint32_t i = 0; i < ms_gpu_line_count(); i++) {
    const ms_gpu_line *line = ms_gpu_line_at(i);
    MS_TRY(ms_gpu_products((int)b->device, i, b->seconds, &rate, err));
    ms_print(b->csv ? "%s,%u,%u,%.4g,\"%s\"\n" : "%-15s  %5u  %6u  %12.2f G  %s\n", line->name,
             line->lanes, b->device, b->csv ? rate : rate * 1e-9, line->layout);
    ms_print_flush();
  }
  return MS_OK;
}

int ms_run_bench_gf2(const ms_cli_options *o)
{
  ms_error err;
  ms_status status = MS_OK;
  if (o->list.screen.backend == MS_BACKEND_CUDA)
    status = print_gpu_rates(&o->bench, &err);
  else
    print_rates(&o->bench);
  return status == MS_OK ? ms_print_end() : ms_cli_error(&err);
}
