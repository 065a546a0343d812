#include "run/diverse.h"

#include "base/alloc.h"
#include "base/status.h"
#include "motif/sort_rows.h"
#include "motif/take_part.h"

typedef struct choosing {
  ms_run *run;
  const ms_instance *region;
} choosing;

/* Keeps a match.  Returns false if it is the last one that is wanted, or none. */
static bool keep(void *user, const uint32_t *set)
{
  choosing *c = user;
  ms_run *run = c->run;
  uint32_t *row = run->vertices + run->matches * run->width;
  for (uint32_t i = 0; i < run->width; i++) {
    uint32_t v = c->region->vertex[set[i]], at = i;
    for (; at > 0 && row[at - 1] > v; at--)
      row[at] = row[at - 1];
    row[at] = v;
  }
  if (!ms_run_judge(run, row))
    return false;
  ms_run_progress(run, ++run->matches);
  if (run->matches == run->limit)
    run->stopped = MS_ERR_LIMIT;
  return run->stopped == MS_OK;
}

static ms_status choose_all(ms_run *run, const ms_regions *regions, uint64_t *visits, ms_error *err)
{
  choosing c = {.run = run};
  for (uint32_t r = 0; r < regions->count && run->stopped == MS_OK; r++) {
    ms_part_takers out = {.match = keep, .user = &c};
    c.region = regions->region[r];
    ms_status status = ms_find_disjoint(c.region, run->budget, run->stop, &out, err);
    *visits += out.visits;
    MS_TRY(ms_run_refusal(run, err));
    MS_TRY(status);
  }
  return MS_OK;
}

ms_status ms_diverse_regions(ms_run *run, const ms_regions *regions, uint64_t *visits,
                             ms_error *err)
{
  size_t row_bytes = run->width * sizeof *run->vertices;
  uint64_t most = regions->vertices / run->width; /* no two rows share a vertex */
  if (most == 0)
    return MS_OK;
  if (!ms_budget_reserve(run->budget, most * row_bytes))
    return ms_fail_memory(err, "matches that share no vertex");
  run->room = most;
  run->vertices = ms_alloc(most, row_bytes);
  if (!run->vertices)
    return ms_fail_memory(err, "matches that share no vertex");
  ms_status status = choose_all(run, regions, visits, err);
  ms_sort_rows(run->vertices, run->matches, run->width, NULL);
  mpz_set_ui(run->count, run->matches);
  return status;
}
