/* Counts typed matches with the engines for plain patterns if a count takes
 * long. */
#include "run/typed.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/threads.h"
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
  const ms_typed_index *index;
  const ms_typed_domains *domains;
  uint32_t color[MS_MAX_PATTERN]; /* [pattern vertices] */
  uint32_t colors;                /* number of colours; 0: the pattern needs no colours */
  ms_graph *graph;                /* the entries of all pairs as edges */
  ms_coloring *coloring;
  ms_pattern *pattern;
  ms_pattern_index *pattern_index;
  ms_pattern_result *result;
} plain;

uint64_t ms_typed_entries(const ms_typed_index *index)
{
  uint64_t entries = 0;
  for (uint32_t i = 0; i < index->pairs; i++)
    entries += index->pair[i].offset[index->size[index->pair[i].a]];
  return entries;
}

/* ---- the graph ------------------------------------------------------------------ */

static void list_edges(const ms_typed_index *index, uint32_t (*edge)[2])
{
  for (uint32_t i = 0; i < index->pairs; i++) {
    const ms_typed_pair *pair = &index->pair[i];
    for (uint32_t r = 0; r < index->size[pair->a]; r++)
      for (uint64_t e = pair->offset[r]; e < pair->offset[r + 1]; e++, edge++) {
        (*edge)[0] = index->list[pair->a][r];
        (*edge)[1] = index->list[pair->b][pair->target[e]];
      }
  }
}

static ms_status make_graph(plain *p, uint32_t n, int threads, ms_error *err)
{
  uint64_t entries = ms_typed_entries(p->index);
  uint32_t(*edge)[2] = ms_alloc(entries, sizeof *edge);
  ms_names *names = NULL;
  ms_status status = edge ? ms_names_new(&names, err) : ms_fail_memory(err, "edges");
  if (status == MS_OK)
    status = ms_graph_make_names(n, NULL, names, err);
  if (status == MS_OK) {
    list_edges(p->index, edge);
    status = ms_graph_build(n, entries, (const uint32_t(*)[2])edge, names, threads, &p->graph, err);
    names = NULL;
  }
  ms_names_free(names);
  ms_free(edge);
  return status;
}

/* True if the graph joins the candidate of a with no vertex of b's domain
 * except those of the pair. It always has the pair's own entries. */
static bool equals_pair(const plain *p, const ms_typed_pair *pair, uint32_t rank)
{
  uint32_t degree, v = p->index->list[pair->a][rank];
  const uint32_t *row = ms_graph_neighbors(p->graph, v, &degree);
  uint64_t count = 0, wanted = pair->offset[rank + 1] - pair->offset[rank];
  for (uint32_t i = 0; i < degree && count <= wanted; i++)
    count += ms_active_has(&p->domains->set[pair->b], row[i]);
  return count == wanted;
}

static bool equals_all_pairs(const plain *p, int threads)
{
  atomic_bool differs = false;
  for (uint32_t i = 0; i < p->index->pairs && !differs; i++) {
    const ms_typed_pair *pair = &p->index->pair[i];
#pragma omp parallel for num_threads(threads) schedule(dynamic, 256)
    for (uint32_t r = 0; r < p->index->size[pair->a]; r++)
      if (!atomic_load_explicit(&differs, memory_order_relaxed) && !equals_pair(p, pair, r))
        differs = true;
  }
  return !differs;
}

/* ---- the pattern ------------------------------------------------------------------ */

/* Gives pattern vertices with the same domain the same colour. */
static void number_colors(plain *p, uint32_t n)
{
  const ms_active *set = p->domains->set;
  uint64_t joined = 0;
  for (uint32_t i = 0; i < p->index->pairs; i++)
    joined |= UINT64_C(1) << p->index->pair[i].a | UINT64_C(1) << p->index->pair[i].b;
  for (uint32_t i = 0; i < p->index->n; i++) {
    uint32_t like = 0;
    while (memcmp(set[like].bits, set[i].bits, (n / 64 + 1) * sizeof *set[i].bits) != 0)
      like++;
    p->color[i] = like < i ? p->color[like] : p->colors++;
  }
  /* no colours are needed: every edge of the graph joins two candidates */
  if (p->colors == 1 && (uint32_t)__builtin_popcountll(joined) == p->index->n)
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
  uint64_t count = 0, at = 0;
  for (uint32_t c = 0; c < p->colors; c++)
    count += p->index->size[first_of_color(p, c)];
  uint32_t(*pair)[2] = ms_alloc(count, sizeof *pair);
  ms_names *names = NULL;
  ms_status status = pair ? ms_names_new(&names, err) : ms_fail_memory(err, "colours");
  if (status == MS_OK)
    status = ms_graph_make_names(p->colors, NULL, names, err);
  for (uint32_t c = 0; c < p->colors && status == MS_OK; c++) {
    uint32_t i = first_of_color(p, c);
    for (uint32_t r = 0; r < p->index->size[i]; r++, at++) {
      pair[at][0] = p->index->list[i][r];
      pair[at][1] = c;
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
  uint32_t edge[MS_MAX_TYPED_EDGES][2];
  char text[MS_MAX_PATTERN][4];
  const char *color[MS_MAX_PATTERN];
  for (uint32_t i = 0; i < p->index->pairs; i++) {
    edge[i][0] = p->index->pair[i].a;
    edge[i][1] = p->index->pair[i].b;
  }
  for (uint32_t i = 0; i < p->index->n; i++) {
    snprintf(text[i], sizeof text[i], "%u", p->color[i] % MS_MAX_PATTERN);
    color[i] = text[i];
  }
  return ms_pattern_from_edges(p->index->n, p->index->pairs, (const uint32_t(*)[2])edge, false,
                               p->colors ? color : NULL, &p->pattern, err);
}

/* ---- the count --------------------------------------------------------------------- */

static ms_status count(plain *p, const ms_typed_match_options *o, ms_run *run, ms_error *err)
{
  ms_pattern_options options = {.embeddings = true,
                                .count_only = true,
                                .screen_mode = MS_SCREEN_NEVER,
                                .screen = {.threads = o->threads, .stop = o->stop}};
  number_colors(p, p->graph->n);
  if (p->colors)
    MS_TRY(make_colors(p, err));
  MS_TRY(make_pattern(p, err));
  MS_TRY(ms_pattern_index_new(p->graph, p->coloring, o->threads, &p->pattern_index, err));
  MS_TRY(ms_pattern_list_within(p->pattern_index, p->pattern, &options, run->budget, run->count,
                                &p->result, err));
  run->stopped = p->result->stopped;
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

ms_status ms_typed_count_plain(const ms_typed_index *index, const ms_typed_domains *domains,
                               uint32_t n, const ms_typed_match_options *options, ms_run *run,
                               bool *done, ms_error *err)
{
  plain p = {.index = index, .domains = domains};
  uint64_t bytes = ENTRY_BYTES * ms_typed_entries(index);
  *done = false;
  if (!ms_budget_reserve(run->budget, bytes))
    return MS_OK;
  ms_status status = make_graph(&p, n, options->threads, err);
  *done = status == MS_OK && equals_all_pairs(&p, ms_threads_for(options->threads, p.graph->arcs));
  if (*done)
    status = count(&p, options, run, err);
  release(&p);
  ms_budget_release(run->budget, bytes);
  return status;
}
