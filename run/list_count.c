#include "run/listing.h"

#include "base/alloc.h"
#include "base/status.h"

#include <string.h>

void ms_list_note_engine(ms_listing *l, const ms_motif_counted *counted)
{
  if (counted->engine && (!l->counted.engine || strcmp(counted->engine, "gpu") == 0))
    l->counted = *counted;
}

/* Receives the number of matches so far. */
static void on_count(void *user, uint64_t matches)
{
  ms_listing *l = user;
  ms_run_progress(&l->run, matches);
}

/* Counts the matches of all regions, without visiting each. */
static ms_status count_regions(ms_listing *l, const ms_share *share, mpz_t matches, ms_error *err)
{
  const ms_screen_options *o = &l->options->screen;
  ms_count_sink sink = {.budget = l->run.budget,
                        .share = share,
                        .progress = on_count,
                        .user = l,
                        .device = o->run.devices,
                        .devices = l->options->screen.run.engine ? o->run.n_devices : 0,
                        .gpu_memory = o->run.memory,
                        .taking = l->options->participation ? l->result->matches_of : NULL,
                        .integrity = l->checks};
  const ms_motif_counting work = {
      .region = l->regions ? (const ms_instance *const *)l->regions->region : NULL,
      .count = l->regions ? l->regions->count : 0,
      .n = l->query->graph->n,
      .engine = l->engine,
      .threads = l->threads,
      .stop = l->run.limits.stop};
  ms_motif_counted counted = {0};
  ms_status status = ms_motif_count(&work, &sink, &counted, err);
  ms_list_note_engine(l, &counted);
  const uint64_t number[2] = {sink.high, sink.low};
  mpz_import(matches, 2, 1, sizeof *number, 0, 0, number);
  if (!share)
    l->run.matches = sink.high ? UINT64_MAX : sink.low;
  atomic_fetch_add(&l->visits, sink.visits);
  return status;
}

ms_status ms_list_count_share(ms_listing *l, const ms_share *share, mpz_t number, ms_error *err)
{
  return count_regions(l, share, number, err);
}
