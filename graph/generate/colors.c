/* Random colours: uniform, and around planted matches. */
#include "graph/colors.h"
#include "base/alloc.h"
#include "base/status.h"
#include "base/watch.h"
#include "graph/generate/generate.h"
#include "graph/generate/random.h"
#include "graph/graph.h"

#include <stdio.h>
#include <string.h>

#define PHASE "colours are drawn"

/* Attempts to start a plant before the graph is taken for full. */
#define MAX_STARTS 10000u

static ms_status add_numbered(ms_names *names, const char *prefix, uint32_t count, ms_error *err)
{
  ms_status status = MS_OK;
  ms_watch watch;
  ms_watch_begin(&watch);
  for (uint32_t c = 0; c < count && status == MS_OK && !ms_watch_ended(&watch, c); c++) {
    char text[32];
    uint32_t id;
    int length = snprintf(text, sizeof text, "%s%u", prefix, c);
    status = ms_names_add(names, text, (size_t)length, &id, err);
  }
  return status == MS_OK ? ms_watch_report(&watch, PHASE, err) : status;
}

/* Sets pair[v] to (v, one of the colours first..first+count-1). */
static ms_status color_uniformly(uint32_t n, uint32_t first, uint32_t count, uint64_t seed,
                                 uint32_t (*pair)[2], ms_error *err)
{
  ms_watch watch;
  ms_watch_begin(&watch);
  for (uint32_t v = 0; v < n && !ms_watch_ended(&watch, v); v++) {
    ms_random_block random = ms_random_at(seed, MS_STREAM_COLORS, 0, v);
    pair[v][0] = v;
    pair[v][1] = first + (uint32_t)ms_random_below(ms_random_low(random), count);
  }
  return ms_watch_report(&watch, PHASE, err);
}

ms_status ms_generate_colors(const ms_graph *graph, uint32_t colors, uint64_t seed,
                             ms_coloring **out, ms_error *err)
{
  MS_REQUIRE(out, err);
  *out = NULL;
  MS_REQUIRE(graph, err);
  ms_names *names;
  *out = NULL;
  if (colors == 0)
    return ms_fail(err, MS_ERR_USAGE, "0 colours are too few; give at least 1");
  MS_TRY(ms_names_new(&names, err));
  uint32_t(*pair)[2] = ms_alloc(graph->n, sizeof *pair);
  ms_status status =
      pair ? add_numbered(names, "c", colors, err) : ms_fail_memory(err, "random colours");
  if (status == MS_OK)
    status = color_uniformly(graph->n, 0, colors, seed, pair, err);
  if (status == MS_OK) {
    status = ms_coloring_build(graph->n, graph->n, (const uint32_t(*)[2])pair, names, NULL, NULL,
                               out, err);
    if (status == MS_OK)
      (*out)->graph_serial = graph->serial;
  } else {
    ms_names_free(names);
  }
  ms_free(pair);
  return status;
}

/* ---- plants -------------------------------------------------------------- */

typedef struct garden {
  const ms_graph *graph;
  uint8_t *used; /* [n] in a plant */
  ms_random_sequence random;
} garden;

/* Returns the end of free arc number `pick`, or MS_NO_ID.  An arc is free if it leads from
 * set[count] to an unused vertex.  *seen: the number of free arcs before it. */
static uint32_t free_neighbor(const garden *g, const uint32_t *set, uint32_t count, uint64_t pick,
                              uint64_t *seen)
{
  *seen = 0;
  for (uint32_t i = 0; i < count; i++)
    for (uint64_t a = g->graph->offset[set[i]]; a < g->graph->offset[set[i] + 1]; a++) {
      uint32_t v = g->graph->neighbor[a];
      if (!g->used[v] && (*seen)++ == pick)
        return v;
    }
  return MS_NO_ID;
}

/* Draws a vertex by which set[count] grows, or returns MS_NO_ID. */
static uint32_t next_vertex(garden *g, const uint32_t *set, uint32_t count)
{
  uint64_t free_arcs, seen;
  free_neighbor(g, set, count, UINT64_MAX, &free_arcs);
  if (free_arcs == 0)
    return MS_NO_ID;
  return free_neighbor(g, set, count, ms_random_next_below(&g->random, free_arcs), &seen);
}

/* Grows a set from a random vertex; false, with no vertex used, where it cannot grow to k. */
static bool grow(garden *g, uint32_t *set, uint32_t k)
{
  uint32_t count = 0, v = (uint32_t)ms_random_next_below(&g->random, g->graph->n);
  if (g->used[v])
    return false;
  while (v != MS_NO_ID) {
    g->used[v] = 1;
    set[count++] = v;
    if (count == k)
      return true;
    v = next_vertex(g, set, count);
  }
  while (count > 0)
    g->used[set[--count]] = 0;
  return false;
}

/* Gives the colours of the slots in random order to set[k]; a slot of any colour leaves the
 * colour of its vertex. */
static void color_plant(garden *g, const uint32_t *set, const uint32_t *slots, uint32_t k,
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

static ms_status plant_all(garden *g, const uint32_t *slots, uint32_t (*pair)[2],
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

/* Adds the motif's colours, from id 0 on. */
static ms_status name_colors(const ms_planting *o, ms_names *names, ms_error *err)
{
  if (!o->colors)
    return add_numbered(names, "c", o->slots, err);
  for (uint32_t c = 0; c < ms_names_count(o->colors); c++) {
    uint32_t id;
    const char *name = ms_names_get(o->colors, c);
    MS_TRY(ms_names_add(names, name, strlen(name), &id, err));
  }
  return MS_OK;
}

/* Names of the motif's colours and of the background; the other vertices take
 * *count colours from *first on. */
static ms_status make_names(const ms_planting *o, ms_names **out, uint32_t *first, uint32_t *count,
                            ms_error *err)
{
  ms_status status = ms_names_new(out, err);
  if (status == MS_OK)
    status = name_colors(o, *out, err);
  if (status != MS_OK)
    return status;
  uint32_t colors = ms_names_count(*out);
  *first = o->background ? colors : 0;
  *count = o->background ? o->background : colors;
  if (*count == 0)
    return ms_fail(err, MS_ERR_USAGE,
                   "the planted motif names no colour for the other vertices; give background "
                   "colours");
  status = add_numbered(*out, "background-", o->background, err);
  if (status == MS_OK && ms_names_count(*out) < colors + o->background)
    return ms_fail(err, MS_ERR_USAGE,
                   "the planted motif has a colour of the background ('background-0', ..); rename "
                   "it");
  return status;
}

ms_status ms_plant_colors(const ms_graph *graph, const ms_planting *options, ms_coloring **out,
                          ms_planted *planted, ms_error *err)
{
  uint32_t slots[MS_MAX_K], first, count;
  ms_names *names = NULL;
  garden g = {.graph = graph, .random = {.seed = options->seed, .stream = MS_STREAM_PLANT}};
  uint32_t(*pair)[2] = ms_alloc(graph->n, sizeof *pair);
  g.used = ms_calloc(graph->n, sizeof *g.used);
  *out = NULL;
  *planted = (ms_planted){.plants = options->plants ? options->plants : 1, .k = options->slots};
  ms_status status = MS_OK;
  if (options->slots < 1 || options->slots > MS_MAX_K)
    status = ms_fail(err, MS_ERR_USAGE, "a motif of %u slots is out of range; give from 1 to %u",
                     options->slots, MS_MAX_K);
  for (uint32_t i = 0; i < options->slots && status == MS_OK; i++)
    slots[i] = options->colors ? options->slot[i] : i;
  if (status == MS_OK && (uint64_t)planted->plants * planted->k > graph->n)
    status = ms_fail(err, MS_ERR_USAGE,
                     "%u plants of %u vertices do not fit into %u vertices; give fewer",
                     planted->plants, planted->k, graph->n);
  if (status == MS_OK)
    status = make_names(options, &names, &first, &count, err);
  if (status != MS_OK)
    goto done;
  planted->vertices = ms_alloc((size_t)planted->plants * planted->k, sizeof *planted->vertices);
  if (!pair || !g.used || !planted->vertices) {
    status = ms_fail_memory(err, "planted colours");
    goto done;
  }
  status = color_uniformly(graph->n, first, count, options->seed, pair, err);
  if (status == MS_OK)
    status = plant_all(&g, slots, pair, planted, err);
  if (status == MS_OK) {
    status = ms_coloring_build(graph->n, graph->n, (const uint32_t(*)[2])pair, names, NULL, NULL,
                               out, err);
    if (status == MS_OK)
      (*out)->graph_serial = graph->serial;
    names = NULL; /* ms_coloring_build owns them */
  }
done:
  if (status != MS_OK) {
    ms_free(planted->vertices);
    planted->vertices = NULL;
  }
  ms_names_free(names);
  ms_free(g.used);
  ms_free(pair);
  return status;
}
