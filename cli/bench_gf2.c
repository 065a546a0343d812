/* motifsieve bench gf2: multiplications a second of every line type, on the
 * processor or on a GPU, and what a GPU can do at best. */
#include "base/status.h"
#include "base/threads.h"
#include "cli/bench.h"
#include "cli/cli.h"
#include "cli/numbers.h"
#include "cli/option_reader.h"
#include "gpu/gpu.h"

#include <stdio.h>

enum { MOST_COUNTS = 16 };

typedef struct gf2_plan {
  uint32_t threads[MOST_COUNTS], counts;
  ms_backend backend;
  int device;
  double seconds;
  bool threads_given, device_given, ceilings, csv, help;
} gf2_plan;

static ms_status take_backend(gf2_plan *plan, const char *value, ms_error *err)
{
  uint32_t choice = MS_BACKEND_AUTO;
  if (ms_option_choice(KEY_BACKEND, value, &choice))
    plan->backend = (ms_backend)choice;
  if (choice == MS_BACKEND_CPU || choice == MS_BACKEND_CUDA)
    return MS_OK;
  return ms_fail(err, MS_ERR_USAGE, "option --backend of bench gf2 wants cpu or cuda, not '%s'",
                 value);
}

static ms_status take_option(gf2_plan *plan, ms_option_key key, const char *value, ms_error *err)
{
  uint64_t number = 0;
  switch (key) {
  case KEY_THREADS:
    plan->threads_given = true;
    if (ms_bench_list(value, 1, 1024, plan->threads, MOST_COUNTS, &plan->counts))
      return MS_OK;
    return ms_fail(err, MS_ERR_USAGE,
                   "option --threads wants at most 16 numbers from 1 to 1024, such as 1,2,4, "
                   "not '%s'",
                   value);
  case KEY_BACKEND:
    return take_backend(plan, value, err);
  case KEY_BENCH_DEVICE:
    if (!ms_parse_count(value, 0, 1023, &number))
      return ms_fail(err, MS_ERR_USAGE, "option --device wants a number from 0 to 1023, not '%s'",
                     value);
    plan->device = (int)number;
    plan->device_given = true;
    return MS_OK;
  case KEY_BENCH_CEILINGS:
    plan->ceilings = true;
    return MS_OK;
  case KEY_BENCH_SECONDS:
    if (ms_parse_duration(value, &plan->seconds))
      return MS_OK;
    return ms_fail(err, MS_ERR_USAGE, "option --seconds wants a time above 0, not '%s'", value);
  case KEY_BENCH_CSV:
    plan->csv = true;
    return MS_OK;
  default:
    plan->help = true;
    return MS_OK;
  }
}

static ms_status check_plan(const gf2_plan *plan, ms_error *err)
{
  if (plan->backend == MS_BACKEND_CUDA && plan->threads_given)
    return ms_fail(err, MS_ERR_USAGE,
                   "option --threads is for --backend cpu; a GPU is measured as a whole");
  if (plan->backend == MS_BACKEND_CUDA)
    return ms_bench_check_devices(&plan->device, 1, err);
  if (plan->device_given || plan->ceilings)
    return ms_fail(err, MS_ERR_USAGE, "option --%s is for --backend cuda; add it or leave this out",
                   plan->ceilings ? "ceilings" : "device");
  return MS_OK;
}

static ms_status read_options(int argc, char **argv, gf2_plan *plan, ms_error *err)
{
  ms_option_reader reader;
  const ms_option_row *row;
  const char *value;
  ms_status status;
  ms_option_reader_init(&reader, MS_COMMAND_BENCH_GF2, argc, argv);
  do {
    status = ms_option_next(&reader, &row, &value, err);
    if (status == MS_OK && row)
      status = take_option(plan, row->key, value, err);
  } while (status == MS_OK && row && !plan->help);
  if (status == MS_OK && !plan->help)
    status = ms_bench_no_operand(argc, argv, err);
  return status == MS_OK && !plan->help ? check_plan(plan, err) : status;
}

static void print_rates(const gf2_plan *plan)
{
  bool csv = plan->csv;
  printf(csv ? "line_type,lanes,threads,products_per_second,description\n"
             : "line type     lanes  threads      products/s  what it is\n");
  for (uint32_t i = 0; i < ms_gf2_path_count(); i++) {
    const ms_gf2_path *path = ms_gf2_path_at(i);
    for (uint32_t t = 0; t < plan->counts && path->available(); t++) {
      double rate = ms_bench_products(path, (int)plan->threads[t], plan->seconds);
      printf(csv ? "%s,%u,%u,%.4g,\"%s\"\n" : "%-12s  %5u  %7u  %12.2f G  %s\n", path->name,
             path->lanes, plan->threads[t], csv ? rate : rate * 1e-9, path->layout);
    }
    if (!path->available() && !csv)
      printf("%-12s  %5u        -               -  %s: not on this processor\n", path->name,
             path->lanes, path->layout);
    fflush(stdout);
  }
}

/* ---- GPUs ------------------------------------------------------------------------ */

/* What it is that was measured; a comment line of the CSV. */
static ms_status print_device(const gf2_plan *plan, ms_error *err)
{
  ms_gpu_device d;
  ms_status status = ms_gpu_device_at(plan->device, &d, err);
  if (status == MS_OK)
    printf("%sGPU %d: %s, compute capability %d.%d, %d multiprocessors, %.0f MHz\n",
           plan->csv ? "# " : "", plan->device, d.name, d.major, d.minor, d.multiprocessors,
           d.clock * 1e-6);
  return status;
}

static ms_status print_gpu_rates(const gf2_plan *plan, ms_error *err)
{
  double rate;
  ms_status status = print_device(plan, err);
  if (status == MS_OK)
    printf(plan->csv ? "line_type,lanes,device,products_per_second,description\n"
                     : "line type        lanes  device      products/s  what it is\n");
  for (uint32_t i = 0; i < ms_gpu_line_count() && status == MS_OK; i++) {
    const ms_gpu_line *line = ms_gpu_line_at(i);
    status = ms_gpu_products(plan->device, i, plan->seconds, &rate, err);
    if (status == MS_OK)
      printf(plan->csv ? "%s,%u,%d,%.4g,\"%s\"\n" : "%-15s  %5u  %6d  %12.2f G  %s\n", line->name,
             line->lanes, plan->device, plan->csv ? rate : rate * 1e-9, line->layout);
    fflush(stdout);
  }
  return status;
}

/* Rows at random slow down where they leave the second-level cache and again
 * where they leave what the address translation covers. */
static ms_status print_ceilings(const gf2_plan *plan, ms_error *err)
{
  static const unsigned shifts[] = {22, 24, 25, 26, 28, 30, 32};
  const char *form = plan->csv ? "%s,%s,%.4g,%s\n" : "%-22s  %8s  %10.4g  %s\n";
  ms_gpu_device d;
  ms_gpu_ceilings c;
  char size[32];
  ms_status status = print_device(plan, err);
  if (status == MS_OK)
    status = ms_gpu_device_at(plan->device, &d, err);
  if (status == MS_OK)
    printf(plan->csv ? "what,bytes,rate,unit\n"
                     : "what                        bytes        rate\n");
  for (size_t i = 0; i < sizeof shifts / sizeof *shifts && status == MS_OK; i++) {
    uint64_t bytes = UINT64_C(1) << shifts[i];
    if (bytes > d.memory_free / 2)
      break;
    status = ms_gpu_measure(plan->device, bytes, plan->seconds, &c, err);
    if (status == MS_OK && i == 0) {
      printf(form, "three-input logic", "", c.logic, "32-bit operations/s");
      printf(form, "shared memory", "", c.shared_read, "bytes/s");
    }
    if (plan->csv)
      snprintf(size, sizeof size, "%llu", (unsigned long long)bytes);
    else
      ms_format_size(size, sizeof size, bytes);
    if (status == MS_OK) {
      printf(form, "rows of 512 at random", size, c.row_read, "bytes/s");
      printf(form, "read and written", size, c.stream, "bytes/s");
    }
    fflush(stdout);
  }
  return status;
}

int ms_bench_gf2(int argc, char **argv)
{
  ms_error err;
  ms_status status = MS_OK;
  gf2_plan plan = {
      .threads = {1, (uint32_t)ms_threads(0)}, .backend = MS_BACKEND_CPU, .seconds = 0.5};
  plan.counts = plan.threads[1] > 1 ? 2 : 1;
  if (read_options(argc, argv, &plan, &err) != MS_OK)
    return ms_cli_error(&err);
  if (plan.help)
    return ms_help_show(MS_COMMAND_BENCH_GF2);
  if (plan.backend == MS_BACKEND_CPU)
    print_rates(&plan);
  else
    status = plan.ceilings ? print_ceilings(&plan, &err) : print_gpu_rates(&plan, &err);
  return status == MS_OK ? ms_cli_close_stdout() : ms_cli_error(&err);
}
