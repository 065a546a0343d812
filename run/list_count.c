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

/* Adds the matches of each vertex of a region to those of the graph's vertices. */
static void add_taking(ms_listing *l, const ms_instance *region, const uint64_t *taking)
{
  for (uint32_t v = 0; v < region->n; v++)
    l->result->matches_of[region->vertex[v]] += taking[v];
}

static ms_status count_region(ms_listing *l, const ms_instance *region, ms_count_sink *sink,
                              ms_error *err)
{
  if (l->options->participation) {
    sink->taking = ms_calloc(region->n, sizeof *sink->taking);
    if (!sink->taking)
      return ms_fail_memory(err, "the matches of each vertex");
  }
  ms_motif_counted counted = {0};
  ms_status status =
      ms_motif_count(region, l->engine, l->threads, sink, l->run.limits.stop, &counted, err);
  ms_list_note_engine(l, &counted);
  if (sink->taking)
    add_taking(l, region, sink->taking);
  ms_free(sink->taking);
  sink->taking = NULL;
  return status;
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
                        .devices = l->options->engine ? o->run.n_devices : 0,
                        .gpu_memory = o->run.memory,
                        .integrity = l->checks};
  ms_status status = MS_OK;
  for (uint32_t r = 0; status == MS_OK && l->regions && r < l->regions->count; r++)
    status = count_region(l, l->regions->region[r], &sink, err);
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
