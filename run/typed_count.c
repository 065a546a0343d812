/* Counts typed matches with the engines for plain patterns if a count takes
 * long. */
#include "run/typed.h"

#include "base/alloc.h"
#include "base/parallel.h"
#include "base/status.h"
#include "base/threads.h"
#include "base/work.h"
#include "graph/graph.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

/* The data of a count. */
typedef struct plain {
  const ms_typed_shape *shape;
  const ms_typed_relations *relations;
  const ms_domain *domain; /* [pattern vertices] */
  ms_merged merged;
  bool colored; /* the pattern needs colours */
  ms_pattern *pattern;
  ms_pattern_index *pattern_index;
  ms_pattern_result *result;
} plain;

/* ---- whether the graph is exact ------------------------------------------------------- */

/* True if the graph joins the candidate of i with no vertex of j's domain
 * except those of the relation's row. It always has that row's entries. */
static bool equals_row(const plain *p, const ms_neighbor_rows *rows, const ms_domain *domain,
                       uint32_t id)
{
  uint32_t degree, length;
  const uint32_t *row = ms_graph_neighbors(p->merged.graph, id, &degree);
  const uint32_t *own = ms_row(rows, id, &length);
  int64_t more = 0;
  for (uint32_t i = 0; i < degree; i++)
    more += ms_domain_has(domain, row[i]);
  for (uint32_t i = 0; i < length; i++)
    more -= ms_domain_has(domain, own[i]);
  return more == 0;
}

typedef struct comparison {
  const plain *p;
  const ms_domain *domain; /* [pattern vertices] */
  uint32_t i, j;           /* pattern vertices that are joined */
  atomic_bool differs;
} comparison;

static void compare_rows(void *user, ms_range r)
{
  comparison *c = user;
  const ms_domain *from = &c->domain[c->i], *to = &c->domain[c->j];
  const ms_neighbor_rows *rows = &c->p->relations->index.rows[c->p->shape->label[c->i][c->j]];
  for (uint64_t at = r.begin; at < r.end; at++) {
    uint32_t id = from->lo + (uint32_t)at;
    if (!atomic_load_explicit(&c->differs, memory_order_relaxed) && ms_domain_has(from, id) &&
        !equals_row(c->p, rows, to, id))
      atomic_store(&c->differs, true);
  }
}

static bool equals_all_rows(const plain *p, int threads)
{
  comparison c = {.p = p, .domain = p->domain};
  atomic_init(&c.differs, false);
  for (c.i = 0; c.i < p->shape->shape.n; c.i++)
    for (c.j = 0; c.j < c.i && !atomic_load(&c.differs); c.j++) {
      const ms_domain *from = &c.domain[c.i];
      if (p->shape->label[c.i][c.j] && from->hi > from->lo)
        ms_parallel(threads, from->hi - from->lo, 256, compare_rows, &c);
    }
  return !atomic_load(&c.differs);
}

/* ---- the pattern ------------------------------------------------------------------ */

/* False if every vertex of the graph is a candidate of every pattern vertex, each of which has an
 * edge: every edge of the graph joins two candidates. */
static bool needs_colors(const plain *p)
{
  bool joined = true;
  for (uint32_t i = 0; i < p->shape->shape.n; i++)
    joined = joined && !ms_bitset_is_empty(ms_shape_near(&p->shape->shape, i));
  return p->merged.colors > 1 || !joined || p->domain[0].count < p->relations->index.n;
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
    snprintf(text[i], sizeof text[i], "%u", p->merged.color[i] % MS_MAX_PATTERN);
    color[i] = text[i];
  }
  return ms_pattern_from_edges(n, edges, (const uint32_t(*)[2])edge, false,
                               p->colored ? color : NULL, &p->pattern, err);
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
  ms_merged_number(&p->merged, m);
  p->colored = needs_colors(p);
  if (p->colored)
    MS_TRY(ms_merged_color(&p->merged, m, err));
  MS_TRY(make_pattern(p, err));
  MS_TRY(ms_pattern_index_new(p->merged.graph, p->merged.coloring, options.screen.threads,
                              &p->pattern_index, err));
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
  ms_merged_free(&p->merged);
}

ms_status ms_typed_count_plain(const ms_typed_shape *shape, const ms_typed_relations *relations,
                               ms_match_run *m, bool *done, ms_error *err)
{
  plain p = {.shape = shape, .relations = relations, .domain = m->domains.of};
  int threads = m->options->screen.threads;
  ms_status status = ms_merged_new(relations, threads, m->run.budget, &p.merged, err);
  *done = status == MS_OK && p.merged.graph &&
          equals_all_rows(&p, ms_threads_for(threads, p.merged.graph->arcs));
  if (*done)
    status = count(&p, m, err);
  release(&p);
  return status;
}
