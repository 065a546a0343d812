#include "census/shapes/tables.h"

#include "base/alloc.h"
#include "base/status.h"

#include <string.h>

static size_t codes_of(const ms_census_job *c)
{
  return (size_t)1 << ms_graphlet_bits(c->graphlet, c->graphlet.k);
}

ms_status ms_graphlet_fail_memory(ms_error *err)
{
  return ms_fail(err, MS_ERR_MEMORY,
                 "the numbers of all shapes need more memory; raise `memory`, lower `k`, or choose "
                 "fewer colours by `only`");
}

ms_status ms_graphlet_tables_open(ms_census_job *c, ms_error *err)
{
  uint64_t of_thread = ms_graphlet_search_bytes(c->graph, c->graphlet, c->is_dense) + 1;
  uint64_t most = ms_budget_left(&c->budget) / of_thread;
  if (most > 0 && most < (uint64_t)c->threads)
    c->threads = (int)most;
  c->shape = ms_calloc((size_t)c->threads, sizeof *c->shape);
  if (!c->shape)
    return ms_fail_memory(err, "the threads of a census");
  if (c->is_dense) {
    c->shape_total = ms_calloc(codes_of(c), sizeof *c->shape_total);
    if (!c->shape_total)
      return ms_fail_memory(err, "the tables of a census");
  } else {
    c->shared_open = ms_shared_tally_open(&c->shared, &c->budget);
    if (!c->shared_open)
      return ms_graphlet_fail_memory(err);
  }
  for (int t = 0; t < c->threads; t++)
    MS_TRY(ms_graphlet_search_open(&c->shape[t], c->graph, c->graphlet,
                                   c->is_dense ? NULL : &c->shared, &c->watch, &c->budget, err));
  return MS_OK;
}

void ms_graphlet_tables_close(ms_census_job *c)
{
  for (int t = 0; c->shape && t < c->threads; t++)
    ms_graphlet_search_close(&c->shape[t], &c->budget);
  ms_free(c->shape);
  ms_free(c->shape_total);
}

void ms_graphlet_tables_clear(ms_census_job *c)
{
  c->shape_sets = 0;
  if (c->shape_total)
    memset(c->shape_total, 0, codes_of(c) * sizeof *c->shape_total);
}

/* The whole census of triads without colours is one of triangles.  In shares, a number of one share
 * could be less than what has to be taken from it. */
static bool counts_triads(const ms_census_job *c)
{
  return c->graphlet.k == 3 && !c->has_units && c->is_dense;
}

bool ms_graphlet_tables_search(ms_census_job *c, int thread, const ms_census_item *item)
{
  ms_graphlet_search *s = &c->shape[thread];
  if (counts_triads(c) && item->begin == 0) /* a root that was cut is not cut here */
    ms_graphlet_count_triads(s, item->root, item->root + item->roots);
  for (uint32_t i = 0; i < item->roots && !s->ended && !counts_triads(c); i++)
    ms_graphlet_search_root(s, item->root + i, item->begin, item->end);
  if (s->full)
    atomic_store(&c->full, true);
  return !s->ended;
}

ms_status ms_graphlet_tables_gather(ms_census_job *c, bool *overflow, ms_error *err)
{
  for (int t = 0; t < c->threads; t++) {
    ms_graphlet_search *s = &c->shape[t];
    c->shape_sets += s->sets;
    s->sets = 0;
    if (s->table)
      ms_graphlet_search_gather(s, c->shape_total);
    else if (!s->full && !ms_graphlet_search_take(s))
      atomic_store(&c->full, true);
  }
  return ms_graphlet_tables_check(c, overflow, err);
}

ms_status ms_graphlet_tables_check(const ms_census_job *c, bool *overflow, ms_error *err)
{
  *overflow = c->shape_sets > MS_GRAPHLET_MOST_SETS;
  for (int i = 0; c->shared_open && i < MS_TALLY_SHARDS; i++)
    *overflow |= c->shared.shard[i].tally.overflow;
  return atomic_load(&c->full) ? ms_graphlet_fail_memory(err) : MS_OK;
}

uint64_t ms_graphlet_tables_visits(const ms_census_job *c)
{
  uint64_t visits = 0;
  for (int t = 0; c->shape && t < c->threads; t++)
    visits += c->shape[t].visits;
  return visits;
}
