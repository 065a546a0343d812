/* Engines that miscount, under the names `one-more` and `unsteady`, for pattern_sweep: the test of
 * its comparison links them in with `--wrap=bench_engine_named`. */
#include "bench/match/pattern_runs.h"

#include <string.h>

const ms_pattern_engine *__real_bench_engine_named(const char *name);
const ms_pattern_engine *__wrap_bench_engine_named(const char *name);

static ms_status count_one_more(const ms_pattern_task *task, mpz_t sum, ms_error *err)
{
  ms_status status = ms_pattern_engine_cpu.count(task, sum, err);
  mpz_add_ui(sum, sum, 1);
  return status;
}

/* Every second call is right. */
static ms_status count_unsteadily(const ms_pattern_task *task, mpz_t sum, ms_error *err)
{
  static int calls;
  return calls++ % 2 ? ms_pattern_engine_cpu.count(task, sum, err) : count_one_more(task, sum, err);
}

static const ms_pattern_engine engines[] = {{.name = "one-more", .count = count_one_more},
                                            {.name = "unsteady", .count = count_unsteadily}};

const ms_pattern_engine *__wrap_bench_engine_named(const char *name)
{
  for (size_t i = 0; i < sizeof engines / sizeof *engines; i++)
    if (strcmp(name, engines[i].name) == 0)
      return &engines[i];
  return __real_bench_engine_named(name);
}
