/* Compares the counts and the times that several ways to count have in one row. */
#include "bench/match/sweep_outcome.h"

#include <math.h>
#include <string.h>

const char *sweep_compare(const sweep_outcome *o, uint32_t n, bool *wrong)
{
  const char *maps = NULL;
  *wrong = false;
  for (uint32_t e = 0; e < n; e++) {
    *wrong = *wrong || o[e].differs;
    if (o[e].maps && maps)
      *wrong = *wrong || strcmp(o[e].maps, maps) != 0;
    else if (o[e].maps)
      maps = o[e].maps;
  }
  return maps;
}

uint32_t sweep_fastest(const sweep_outcome *o, uint32_t n)
{
  uint32_t best = n;
  for (uint32_t e = 0; e < n; e++)
    if (o[e].status == MS_OK && (best == n || o[e].median < o[best].median))
      best = e;
  return best;
}

static void add_ratio(sweep_totals *t, uint32_t e, double ratio, bool limit)
{
  t->far[e] += ratio > SWEEP_FAR;
  if (limit) {
    t->open[e]++;
    return;
  }
  t->compared[e]++;
  t->log_ratio[e] += log(ratio);
  t->near[e] += ratio <= SWEEP_NEAR;
}

void sweep_add_ratios(const sweep_settings *s, const sweep_case *c, const char *pattern,
                      const sweep_outcome *o, sweep_totals *t)
{
  uint32_t best = sweep_fastest(o, s->engines);
  for (uint32_t e = 0; e < s->engines && best < s->engines; e++) {
    bool limit = o[e].status == MS_ERR_LIMIT;
    if (o[e].status != MS_OK && !limit)
      continue;
    double ratio =
        fmax(limit ? o[e].spent : o[e].median, SWEEP_FLOOR) / fmax(o[best].median, SWEEP_FLOOR);
    add_ratio(t, e, ratio, limit);
    if (ratio <= t->worst[e])
      continue;
    t->worst[e] = ratio;
    snprintf(t->worst_row[e], sizeof t->worst_row[e], "%s, %u labels, %s", c->graph, c->labels,
             pattern);
  }
}

/* ---- floors ------------------------------------------------------------------------- */

const char *const sweep_bounds[SWEEP_BOUNDS] = {"host", "sets", "table", "bytes"};

void sweep_add_floor(const sweep_outcome *o, sweep_totals *t)
{
  for (uint32_t i = 0; i < SWEEP_BOUNDS && o->floor.ms > 0; i++)
    if (strcmp(o->floor.bound, sweep_bounds[i]) == 0) {
      t->bound[i]++;
      t->log_over += log(o->median / o->floor.ms);
    }
}
