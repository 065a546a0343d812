#include "census/search.h"

#include "base/alloc.h"
#include "base/hooks.h"
#include "base/status.h"

#include <string.h>

uint64_t ms_census_search_bytes(const ms_census_graph *g)
{
  return (uint64_t)g->n * (2 * sizeof(ms_kind_id) + sizeof(uint32_t)) +
         (uint64_t)g->kinds * (2 * sizeof(uint32_t) + sizeof(ms_kind_id));
}

ms_status ms_census_search_open(ms_census_search *s, const ms_census_graph *g, uint32_t k,
                                ms_watch *watch, ms_budget *budget, ms_error *err)
{
  *s = (ms_census_search){.graph = g, .k = k, .watch = watch, .room = ms_hooks.census_dense_sets};
  if (!ms_budget_reserve(budget, ms_census_search_bytes(g)))
    return ms_budget_refuse(budget, ms_census_search_bytes(g), "the threads of a census",
                            ", or lower `threads`", err);
  s->tag = ms_alloc(g->n, sizeof *s->tag);
  s->x = ms_alloc(g->n, sizeof *s->x);
  s->x_kind = ms_alloc(g->n, sizeof *s->x_kind);
  s->first = ms_calloc(g->kinds, sizeof *s->first);
  s->later = ms_calloc(g->kinds, sizeof *s->later);
  s->present = ms_alloc(g->kinds, sizeof *s->present);
  if (!s->tag || !s->x || !s->x_kind || !s->first || !s->later || !s->present) {
    ms_census_search_close(s, budget);
    return ms_fail_memory(err, "the threads of a census");
  }
  memcpy(s->tag, g->kind, g->n * sizeof *s->tag);
  return MS_OK;
}

ms_status ms_census_search_use_bits(ms_census_search *s, const ms_census_bits *bits,
                                    ms_budget *budget, ms_error *err)
{
  const ms_census_graph *g = s->graph;
  if (!ms_budget_reserve(budget, ms_census_bits_of_thread(g, bits)))
    return MS_OK; /* it looks at all neighbours */
  s->bits = bits;
  s->free = ms_calloc(bits->words, sizeof *s->free);
  s->sum = ms_calloc(bits->words, sizeof *s->sum);
  s->next_hub = ms_alloc(g->n, sizeof *s->next_hub);
  s->first_hub = ms_calloc(g->kinds, sizeof *s->first_hub);
  if (!s->free || !s->sum || !s->next_hub || !s->first_hub)
    return ms_fail_memory(err, "the threads of a census");
  s->free_floor = g->n;
  return MS_OK;
}

void ms_census_search_close(ms_census_search *s, ms_budget *budget)
{
  if (!s->graph)
    return;
  ms_budget_release(budget, ms_census_search_bytes(s->graph));
  if (s->bits)
    ms_budget_release(budget, ms_census_bits_of_thread(s->graph, s->bits));
  ms_free(s->free);
  ms_free(s->sum);
  ms_free(s->next_hub);
  ms_free(s->first_hub);
  ms_free(s->tag);
  ms_free(s->x);
  ms_free(s->x_kind);
  ms_free(s->first);
  ms_free(s->later);
  ms_free(s->present);
  ms_tally_close(&s->local);
  *s = (ms_census_search){0};
}
