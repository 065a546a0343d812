/* Colours around planted matches. */
#include "base/alloc.h"
#include "base/status.h"
#include "base/threads/watch.h"
#include "graph/colors.h"
#include "graph/generate/generate.h"
#include "graph/generate/grow.h"
#include "graph/generate/random_colors.h"

#include <string.h>

#define PHASE "colours are drawn"

/* Attempts to start a plant before the graph is taken for full. */
#define MAX_STARTS 10000u

/* Grows a set from a random vertex; false, with no vertex used, where it cannot grow to k. */
static bool grow(ms_garden *g, uint32_t *set, uint32_t k)
{
  uint32_t count = 0, v = (uint32_t)ms_random_next_below(&g->random, g->graph->n);
  if (g->used[v])
    return false;
  while (v != MS_NO_ID) {
    g->used[v] = 1;
    set[count++] = v;
    if (count == k)
      return true;
    v = ms_garden_next(g, set, count);
  }
  while (count > 0)
    g->used[set[--count]] = 0;
  return false;
}

/* Gives the colours of the slots in random order to set[k]; a slot of any colour leaves the
 * colour of its vertex. */
static void color_plant(ms_garden *g, const uint32_t *set, const uint32_t *slots, uint32_t k,
                        uint32_t (*pair)[2])
{
  uint32_t slot[MS_MAX_K];
  memcpy(slot, slots, k * sizeof *slot);
  for (uint32_t i = 0; i < k; i++) {
    uint32_t j = i + (uint32_t)ms_random_next_below(&g->random, k - i), color = slot[j];
    slot[j] = slot[i];
    if (color != MS_NO_ID)
      pair[set[i]][1] = color;
  }
}

static void sort_set(uint32_t *set, uint32_t k)
{
  for (uint32_t i = 1; i < k; i++) {
    uint32_t v = set[i], at = i;
    for (; at > 0 && set[at - 1] > v; at--)
      set[at] = set[at - 1];
    set[at] = v;
  }
}

static ms_status plant_all(ms_garden *g, const uint32_t *slots, uint32_t (*pair)[2],
                           ms_planted *planted, ms_error *err)
{
  for (uint32_t p = 0; p < planted->plants; p++) {
    uint32_t *set = planted->vertices + (uint64_t)p * planted->k, starts = 0;
    MS_TRY(ms_stop_poll(PHASE, err));
    while (!grow(g, set, planted->k)) {
      MS_TRY(ms_stop_poll(PHASE, err));
      if (++starts == MAX_STARTS)
        return ms_fail(err, MS_ERR_USAGE,
                       "no connected set of %u free vertices was found for plant %u of %u; give a "
                       "smaller motif, fewer plants, or a graph with larger components",
                       planted->k, p + 1, planted->plants);
    }
    color_plant(g, set, slots, planted->k, pair);
    sort_set(set, planted->k);
  }
  return MS_OK;
}

/* Adds the colours of the background; the other vertices take *count colours from *first on. */
static ms_status name_background(const ms_planting *o, ms_names *names, uint32_t *first,
                                 uint32_t *count, ms_error *err)
{
  uint32_t colors = ms_names_count(names);
  *first = o->background ? colors : 0;
  *count = o->background ? o->background : colors;
  if (*count == 0)
    return ms_fail(err, MS_ERR_USAGE,
                   "the planted motif names no colour for the other vertices; give background "
                   "colours");
  MS_TRY(ms_add_numbered(names, "background-", o->background, err));
  if (ms_names_count(names) < colors + o->background)
    return ms_fail(err, MS_ERR_USAGE,
                   "the planted motif has a colour of the background ('background-0', ..); rename "
                   "it");
  return MS_OK;
}

/* Gives every vertex its colour before the plants: one of the background or, where the graph keeps
 * its colours, MS_NO_ID. */
static ms_status color_others(const ms_planting *o, uint32_t n, ms_names *names,
                              uint32_t (*pair)[2], ms_error *err)
{
  uint32_t first, count;
  if (!o->keep) {
    MS_TRY(name_background(o, names, &first, &count, err));
    return ms_color_uniformly(n, first, count, o->seed, pair, err);
  }
  for (uint32_t v = 0; v < n; v++) {
    pair[v][0] = v;
    pair[v][1] = MS_NO_ID;
  }
  return MS_OK;
}

/* Replaces the colours MS_NO_ID in *pairs, of n vertices, by the lists that these vertices keep.
 * *count receives the number of pairs. */
static ms_status keep_colors(const ms_coloring *keep, ms_names *names, uint32_t (**pairs)[2],
                             uint64_t *count, ms_error *err)
{
  uint32_t *id = ms_alloc(ms_names_count(keep->names), sizeof *id);
  uint32_t(*all)[2] = ms_alloc(keep->offset[keep->n] + keep->n, sizeof *all);
  ms_status status = id && all ? ms_names_add_all(names, keep->names, id, err)
                               : ms_fail_memory(err, "planted colours");
  *count = 0;
  for (uint32_t v = 0; v < keep->n && status == MS_OK; v++) {
    bool kept = (*pairs)[v][1] == MS_NO_ID;
    uint64_t begin = keep->offset[v], end = kept ? keep->offset[v + 1] : begin + 1;
    for (uint64_t a = begin; a < end; a++) {
      all[*count][0] = v;
      all[(*count)++][1] = kept ? id[keep->color[a]] : (*pairs)[v][1];
    }
  }
  ms_free(id);
  ms_free(status == MS_OK ? *pairs : all);
  if (status == MS_OK)
    *pairs = all;
  return status;
}

static ms_status check_planting(const ms_graph *graph, const ms_planting *o,
                                const ms_planted *planted, ms_error *err)
{
  if (o->slots < 1 || o->slots > MS_MAX_K)
    return ms_fail(err, MS_ERR_USAGE, "a motif of %u slots is out of range; give from 1 to %u",
                   o->slots, MS_MAX_K);
  if ((uint64_t)planted->plants * planted->k > graph->n)
    return ms_fail(
        err, MS_ERR_USAGE,
        "%u plants with %u slots each need more vertices than the graph has (%u); give fewer",
        planted->plants, planted->k, graph->n);
  return o->keep ? ms_coloring_check(o->keep, graph, err) : MS_OK;
}

/* Fills in *pairs, *count pairs (vertex, colour), and planted->vertices. */
static ms_status draw_colors(ms_garden *g, const ms_planting *o, ms_names *names,
                             uint32_t (**pairs)[2], uint64_t *count, ms_planted *planted,
                             ms_error *err)
{
  uint32_t slots[MS_MAX_K], n = g->graph->n;
  for (uint32_t i = 0; i < o->slots; i++)
    slots[i] = o->colors ? o->slot[i] : i;
  *count = n;
  MS_TRY(o->colors ? ms_names_add_all(names, o->colors, NULL, err)
                   : ms_add_numbered(names, "c", o->slots, err));
  MS_TRY(color_others(o, n, names, *pairs, err));
  MS_TRY(plant_all(g, slots, *pairs, planted, err));
  return o->keep ? keep_colors(o->keep, names, pairs, count, err) : MS_OK;
}

ms_status ms_plant_colors(const ms_graph *graph, const ms_planting *options, ms_coloring **out,
                          ms_planted *planted, ms_error *err)
{
  ms_names *names = NULL;
  uint64_t count = 0;
  ms_garden g = {.graph = graph, .random = {.seed = options->seed, .stream = MS_STREAM_PLANT}};
  *out = NULL;
  *planted = (ms_planted){.plants = options->plants ? options->plants : 1, .k = options->slots};
  MS_TRY(check_planting(graph, options, planted, err));
  MS_TRY(ms_names_new(&names, err));
  uint32_t(*pair)[2] = ms_alloc(graph->n, sizeof *pair);
  g.used = ms_calloc(graph->n, sizeof *g.used);
  planted->vertices = ms_alloc((size_t)planted->plants * planted->k, sizeof *planted->vertices);
  ms_status status = pair && g.used && planted->vertices
                         ? draw_colors(&g, options, names, &pair, &count, planted, err)
                         : ms_fail_memory(err, "planted colours");
  if (status == MS_OK) {
    status =
        ms_coloring_build(graph->n, count, (const uint32_t(*)[2])pair, names, NULL, NULL, out, err);
    if (status == MS_OK)
      (*out)->graph_serial = graph->serial;
    names = NULL; /* ms_coloring_build owns them */
  }
  if (status != MS_OK) {
    ms_free(planted->vertices);
    planted->vertices = NULL;
  }
  ms_names_free(names);
  ms_free(g.used);
  ms_free(pair);
  return status;
}
