/* The relations of a typed pattern as one plain graph, and its domains as colours. */
#include "run/match/typed.h"

#include "base/alloc.h"
#include "base/status.h"
#include "graph/colors.h"
#include "graph/graph.h"

/* Bytes of an entry: as an edge, in two rows of the graph, and in two rows of
 * its index. */
#define ENTRY_BYTES 24u

/* ---- the graph ------------------------------------------------------------------ */

static void list_edges(const ms_typed_relations *relations, uint32_t (*edge)[2])
{
  const ms_pattern_index *index = &relations->index;
  for (uint32_t kind = 1; kind < index->kinds; kind += 2) {
    const ms_neighbor_rows *rows = &index->rows[kind];
    for (uint32_t i = 0; i < index->n; i++)
      for (uint64_t e = rows->offset[i]; e < rows->offset[i + 1]; e++, edge++) {
        (*edge)[0] = i;
        (*edge)[1] = rows->neighbor[e];
      }
  }
}

static ms_status make_graph(const ms_typed_relations *relations, int threads, ms_merged *p,
                            ms_error *err)
{
  uint64_t entries = ms_typed_relations_entries(relations);
  uint32_t n = relations->index.n;
  uint32_t(*edge)[2] = ms_alloc(entries, sizeof *edge);
  ms_names *names = NULL;
  ms_status status = edge ? ms_names_new(&names, err) : ms_fail_memory(err, "edges");
  if (status == MS_OK)
    status = ms_graph_make_names(n, NULL, names, err);
  if (status == MS_OK) {
    list_edges(relations, edge);
    status = ms_graph_build(n, entries, (const uint32_t(*)[2])edge, names, threads, &p->graph, err);
    names = NULL;
  }
  ms_names_free(names);
  ms_free(edge);
  return status;
}

ms_status ms_merged_new(const ms_typed_relations *relations, int threads, ms_budget *budget,
                        ms_merged *out, ms_error *err)
{
  uint64_t bytes = ENTRY_BYTES * ms_typed_relations_entries(relations);
  *out = (ms_merged){.budget = budget};
  if (!ms_budget_reserve(budget, bytes))
    return MS_OK;
  out->reserved = bytes;
  return make_graph(relations, threads, out, err);
}

void ms_merged_free(ms_merged *p)
{
  ms_coloring_free(p->coloring);
  ms_graph_free(p->graph);
  ms_budget_release(p->budget, p->reserved);
}

/* ---- colours ---------------------------------------------------------------------- */

void ms_merged_number(ms_merged *p, const ms_match_run *m)
{
  const ms_domain *domain = m->domains.of;
  p->colors = 0;
  for (uint32_t i = 0; i < m->shape.n; i++) {
    uint32_t like = 0;
    while (!ms_domain_equal(&domain[like], &domain[i]))
      like++;
    p->color[i] = like < i ? p->color[like] : p->colors++;
  }
}

/* Returns the first pattern vertex of a colour. */
static uint32_t first_of_color(const ms_merged *p, uint32_t color)
{
  uint32_t i = 0;
  while (p->color[i] != color)
    i++;
  return i;
}

ms_status ms_merged_color(ms_merged *p, const ms_match_run *m, ms_error *err)
{
  const ms_domain *domain = m->domains.of;
  uint64_t count = 0, at = 0;
  for (uint32_t c = 0; c < p->colors; c++)
    count += domain[first_of_color(p, c)].count;
  uint32_t(*pair)[2] = ms_alloc(count, sizeof *pair);
  ms_names *names = NULL;
  ms_status status = pair ? ms_names_new(&names, err) : ms_fail_memory(err, "colours");
  if (status == MS_OK)
    status = ms_graph_make_names(p->colors, NULL, names, err);
  for (uint32_t c = 0; c < p->colors && status == MS_OK; c++) {
    const ms_domain *d = &domain[first_of_color(p, c)];
    for (uint32_t id = d->lo; id < d->hi; id++)
      if (ms_domain_has(d, id)) {
        pair[at][0] = id;
        pair[at++][1] = c;
      }
  }
  if (status == MS_OK) {
    status = ms_coloring_build(p->graph->n, count, (const uint32_t(*)[2])pair, names, NULL, NULL,
                               &p->coloring, err);
    names = NULL;
  }
  ms_names_free(names);
  ms_free(pair);
  return status;
}
