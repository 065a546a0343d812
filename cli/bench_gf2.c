/* motifsieve bench gf2: multiplications a second of every line type. */
#include "base/status.h"
#include "base/threads.h"
#include "cli/bench.h"
#include "cli/cli.h"
#include "cli/numbers.h"
#include "cli/option_reader.h"

#include <stdio.h>

enum { MOST_COUNTS = 16 };

typedef struct gf2_plan {
  uint32_t threads[MOST_COUNTS], counts;
  double seconds;
  bool csv, help;
} gf2_plan;

static ms_status take_option(gf2_plan *plan, ms_option_key key, const char *value, ms_error *err)
{
  switch (key) {
  case KEY_THREADS:
    if (ms_bench_list(value, plan->threads, MOST_COUNTS, &plan->counts))
      return MS_OK;
    return ms_fail(err, MS_ERR_USAGE,
                   "option --threads wants at most 16 numbers from 1 to 1024, such as 1,2,4, "
                   "not '%s'",
                   value);
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
  return status == MS_OK && !plan->help ? ms_bench_no_operand(argc, argv, err) : status;
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
      printf(csv ? "%s,%u,%u,%.4g,\"%s\"\n" : "%-12s  %5u  %7u  %12.2f G  %s\n", path->name, path->lanes,
             plan->threads[t], csv ? rate : rate * 1e-9, path->layout);
    }
    if (!path->available() && !csv)
      printf("%-12s  %5u        -               -  %s: not on this processor\n", path->name, path->lanes,
             path->layout);
    fflush(stdout);
  }
}

int ms_bench_gf2(int argc, char **argv)
{
  ms_error err;
  gf2_plan plan = {.threads = {1, (uint32_t)ms_threads(0)}, .seconds = 0.5};
  plan.counts = plan.threads[1] > 1 ? 2 : 1;
  if (read_options(argc, argv, &plan, &err) != MS_OK)
    return ms_cli_error(&err);
  if (plan.help)
    return ms_help_show(MS_COMMAND_BENCH_GF2);
  print_rates(&plan);
  return ms_cli_close_stdout();
}
