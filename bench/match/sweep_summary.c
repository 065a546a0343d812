/* What a sweep says at its end of all its rows. */
#include "bench/harness.h"
#include "bench/match/sweep_outcome.h"

#include <math.h>

static void print_floors(const sweep_totals *t)
{
  uint32_t rows = 0;
  for (uint32_t i = 0; i < SWEEP_BOUNDS; i++)
    rows += t->bound[i];
  if (rows == 0)
    return;
  printf(
      "# floors: the fastest engine takes %.3g times the floor in the geometric mean of %u rows; "
      "most of the floor is",
      exp(t->log_over / rows), rows);
  for (uint32_t i = 0; i < SWEEP_BOUNDS; i++)
    printf("%s %s on %u", i ? "," : "", sweep_bounds[i], t->bound[i]);
  printf("\n");
}

void sweep_print_summary(const sweep_settings *s, const sweep_totals *t)
{
  printf(
      "# %u rows, %u with counts that differ; %u searches reached the limit of %g s, %u failed\n",
      t->rows, t->wrong, t->limits, s->row_seconds, t->failures);
  for (uint32_t e = 0; e < s->engines; e++) {
    uint32_t all = t->compared[e] + t->open[e];
    if (all == 0)
      continue;
    printf("# %s:", s->engine[e].name);
    if (t->compared[e])
      printf(" %.3g times the best engine's time in the geometric mean of %u rows;",
             exp(t->log_ratio[e] / t->compared[e]), t->compared[e]);
    printf(" within %g times on %u of %u rows (%.1f %%); worst %.3g times (%s); beyond %g "
           "times on %u; %u rows it did not end\n",
           SWEEP_NEAR, t->near[e], all, 100.0 * t->near[e] / all, t->worst[e], t->worst_row[e],
           SWEEP_FAR, t->far[e], t->open[e]);
  }
  for (uint32_t e = 0; e < s->engines; e++)
    if (t->long_rows[e])
      printf(
          "# %s: domains and plan, which the host makes, take more than %g %% of %u of the %u rows "
          "of %g ms and more; at most %.1f %% (%s)\n",
          s->engine[e].name, 100 * SWEEP_HOST, t->host_rows[e], t->long_rows[e], SWEEP_LONG,
          100 * t->host_share[e], t->host_row[e]);
  print_floors(t);
}

void sweep_print_estimate(const sweep_settings *s, const sweep_totals *t, uint32_t all,
                          uint32_t missing)
{
  double low, high;
  for (uint32_t e = 0; e < s->engines; e++) {
    uint32_t rows = t->compared[e] + t->open[e];
    if (rows == 0)
      continue;
    bench_interval(t->near[e], rows, 0.025, &low, &high);
    printf("# %s: estimate for all %u rows, without those that no engine ends within %g s: within "
           "%g times on %.1f %% to %.1f %% (95 %% interval of Clopper and Pearson, %u of %u rows)",
           s->engine[e].name, all, s->row_seconds, SWEEP_NEAR, 100 * low, 100 * high, t->near[e],
           rows);
    if (missing > 0) {
      double ignored;
      bench_interval(t->near[e], rows + missing, 0.025, &low, &ignored);
      bench_interval(t->near[e] + missing, rows + missing, 0.025, &ignored, &high);
      printf(
          "; %.1f %% to %.1f %% if nothing is assumed of the %u drawn rows that were not measured",
          100 * low, 100 * high, missing);
    }
    printf("\n");
  }
}
