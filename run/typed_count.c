/* Counts typed matches with the engines for plain patterns if a count takes
 * long. */
#include "run/typed.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/threads.h"
#include "base/work.h"
#include "graph/colors.h"
#include "graph/graph.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

/* Bytes of an entry: as an edge, in two rows of the graph, and in two rows of
 * its index. */
#define ENTRY_BYTES 24u

/* The data of a count. */
typedef struct plain {
  const ms_typed_shape *shape;
  const ms_typed_relations *relations;
  uint32_t color[MS_MAX_PATTERN]; /* [pattern vertices] */
  uint32_t colors;                /* number of colours; 0: the pattern needs no colours */
  ms_graph *graph;                /* the entries of all relations as edges */
  ms_coloring *coloring;
  ms_pattern *pattern;
  ms_pattern_index *pattern_index;
  ms_pattern_result *result;
} plain;

/* ---- the graph ------------------------------------------------------------------ */

static void list_edges(const plain *p, uint32_t (*edge)[2])
{
  for (uint32_t r = 0; r < p->shape->relations; r++) {
    const ms_neighbor_rows *rows = &p->relations->index.rows[1 + 2 * r];
    for (uint32_t i = 0; i < p->relations->index.n; i++)
      for (uint64_t e = rows->offset[i]; e < rows->offset[i + 1]; e++, edge++) {
        (*edge)[0] = i;
        (*edge)[1] = rows->neighbor[e];
      }
  }
}

static ms_status make_graph(plain *p, int threads, ms_error *err)
{
  uint64_t entries = ms_typed_relations_entries(p->relations);
  uint32_t n = p->relations->index.n;
  uint32_t(*edge)[2] = ms_alloc(entries, sizeof *edge);
  ms_names *names = NULL;
  ms_status status = edge ? ms_names_new(&names, err) : ms_fail_memory(err, "edges");
  if (status == MS_OK)
    status = ms_graph_make_names(n, NULL, names, err);
  if (status == MS_OK) {
    list_edges(p, edge);
    status = ms_graph_build(n, entries, (const uint32_t(*)[2])edge, names, threads, &p->graph, err);
    names = NULL;
  }
  ms_names_free(names);
  ms_free(edge);
  return status;
}

/* True if the graph joins the candidate of i with no vertex of j's domain
 * except those of the relation's row. It always has that row's entries. */
static bool equals_row(const plain *p, const ms_neighbor_rows *rows, const ms_domain *domain,
                       uint32_t id)
{
  uint32_t degree, length;
  const uint32_t *row = ms_graph_neighbors(p->graph, id, &degree);
  const uint32_t *own = ms_row(rows, id, &length);
  int64_t more = 0;
  for (uint32_t i = 0; i < degree; i++)
    more += ms_domain_has(domain, row[i]);
  for (uint32_t i = 0; i < length; i++)
    more -= ms_domain_has(domain, own[i]);
  return more == 0;
}

static bool equals_all_rows(const plain *p, int threads)
{
  const ms_domain *domain = p->relations->domains.of;
  atomic_bool differs = false;
  for (uint32_t i = 0; i < p->shape->shape.n && !differs; i++)
    for (uint32_t j = 0; j < i && !differs; j++) {
      uint32_t label = p->shape->label[i][j];
      if (!label)
        continue;
#pragma omp parallel for num_threads(threads) schedule(dynamic, 256)
      for (uint32_t id = domain[i].lo; id < domain[i].hi; id++)
        if (!atomic_load_explicit(&differs, memory_order_relaxed) &&
            ms_domain_has(&domain[i], id) &&
            !equals_row(p, &p->relations->index.rows[label], &domain[j], id))
          differs = true;
    }
  return !differs;
}

/* ---- the pattern ------------------------------------------------------------------ */

/* Gives pattern vertices with the same domain the same colour. */
static void number_colors(plain *p)
{
  const ms_domain *domain = p->relations->domains.of;
  uint32_t n = p->shape->shape.n;
  bool joined = true;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t like = 0;
    while (!ms_domain_equal(&domain[like], &domain[i]))
      like++;
    p->color[i] = like < i ? p->color[like] : p->colors++;
    joined = joined && !ms_bitset_is_empty(ms_shape_near(&p->shape->shape, i));
  }
  /* no colours are needed: every edge of the graph joins two candidates */
  if (p->colors == 1 && joined)
    p->colors = 0;
}

/* Returns the first pattern vertex of a colour. */
static uint32_t first_of_color(const plain *p, uint32_t color)
{
  uint32_t i = 0;
  while (p->color[i] != color)
    i++;
  return i;
}

static ms_status make_colors(plain *p, ms_error *err)
{
  const ms_domain *domain = p->relations->domains.of;
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

static ms_status make_pattern(plain *p, ms_error *err)
{
  uint32_t edge[MS_MAX_TYPED_EDGES][2], edges = 0, n = p->shape->shape.n;
  char text[MS_MAX_PATTERN][4];
  const char *color[MS_MAX_PATTERN];
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t j = 0; j < i; j++)
      if (p->shape->label[i][j]) {
        edge[edges][0] = i;
        edge[edges++][1] = j;
      }
  for (uint32_t i = 0; i < n; i++) {
    snprintf(text[i], sizeof text[i], "%u", p->color[i] % MS_MAX_PATTERN);
    color[i] = text[i];
  }
  return ms_pattern_from_edges(n, edges, (const uint32_t(*)[2])edge, false,
                               p->colors ? color : NULL, &p->pattern, err);
}

/* ---- the count --------------------------------------------------------------------- */

static ms_status count(plain *p, ms_match_run *m, ms_error *err)
{
  ms_pattern_options options = {.size = sizeof(ms_pattern_options),
                                .embeddings = true,
                                .count_only = true,
                                .engine = m->options->engine,
                                .screen_mode = MS_SCREEN_NEVER,
                                .screen = m->options->screen};
  number_colors(p);
  if (p->colors)
    MS_TRY(make_colors(p, err));
  MS_TRY(make_pattern(p, err));
  MS_TRY(
      ms_pattern_index_new(p->graph, p->coloring, options.screen.threads, &p->pattern_index, err));
  MS_TRY(ms_pattern_list_within(p->pattern_index, p->pattern, &options, m->run.budget, m->run.count,
                                &p->result, err));
  m->run.stopped = p->result->stopped;
  ms_work_add(&m->result->work, &p->result->work);
  ms_free(m->result->engine_reason);
  m->result->engine = p->result->engine;
  m->result->engine_reason = p->result->engine_reason;
  p->result->engine_reason = NULL;
  return MS_OK;
}

static void release(plain *p)
{
  ms_pattern_result_free(p->result);
  ms_pattern_index_free(p->pattern_index);
  ms_pattern_free(p->pattern);
  ms_coloring_free(p->coloring);
  ms_graph_free(p->graph);
}

ms_status ms_typed_count_plain(const ms_typed_shape *shape, const ms_typed_relations *relations,
                               ms_match_run *m, bool *done, ms_error *err)
{
  plain p = {.shape = shape, .relations = relations};
  uint64_t bytes = ENTRY_BYTES * ms_typed_relations_entries(relations);
  int threads = m->options->screen.threads;
  *done = false;
  if (!ms_budget_reserve(m->run.budget, bytes))
    return MS_OK;
  ms_status status = make_graph(&p, threads, err);
  *done = status == MS_OK && equals_all_rows(&p, ms_threads_for(threads, p.graph->arcs));
  if (*done)
    status = count(&p, m, err);
  release(&p);
  ms_budget_release(m->run.budget, bytes);
  return status;
}
