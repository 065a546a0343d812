/* The motif that a graph's file states, and whether a result agrees with its target. */
#include "base/status.h"
#include "graph/given_motif.h"
#include "query/query.h"

#include <stdio.h>
#include <string.h>

ms_motif_target ms_graph_motif_target(const ms_graph *graph)
{
  const ms_given_motif *given = graph ? graph->motif : NULL;
  ms_motif_target target = {MS_TARGET_NONE, 0, NULL, 0};
  if (given && given->target != MS_TARGET_NONE)
    target = (ms_motif_target){given->target, given->target == MS_TARGET_UNIQUE ? given->k : 0,
                               given->target == MS_TARGET_UNIQUE ? given->vertex : NULL,
                               given->target == MS_TARGET_UNIQUE ? 1 : given->count};
  return target;
}

ms_status ms_motif_from_graph(const ms_graph *graph, const ms_coloring *coloring, ms_motif **out,
                              ms_error *err)
{
  uint32_t color[MS_MAX_K];
  MS_REQUIRE(out, err);
  *out = NULL;
  MS_REQUIRE(graph, err);
  MS_REQUIRE(coloring, err);
  MS_TRY(ms_coloring_check(coloring, graph, err));
  const ms_given_motif *given = graph->motif;
  if (!given)
    return ms_fail(err, MS_ERR_USAGE, "%s: the file states no motif; give one", graph->path);
  for (uint32_t i = 0; i < given->k; i++) {
    const char *name = ms_names_get(graph->color_names, given->color[i]);
    color[i] = ms_coloring_find(coloring, name);
    if (color[i] == UINT32_MAX)
      return ms_fail(err, MS_ERR_INPUT,
                     "%s: its motif asks for the colour '%s', which the colours lack; use the "
                     "colours of that file, or give a motif",
                     graph->path, name);
  }
  return ms_motif_from_slots(color, given->k, coloring, out, err);
}

bool ms_target_fits_list(const ms_motif_target *target, const ms_list_result *list)
{
  char count[24];
  if (!target || !list)
    return false;
  snprintf(count, sizeof count, "%llu", (unsigned long long)target->count);
  if (target->kind == MS_TARGET_NONE)
    return true;
  uint64_t all = list->family_size ? list->family_matches : list->sampled_from;
  if (all > 0 ? all != target->count : strcmp(list->count_text, count) != 0)
    return false;
  return target->kind != MS_TARGET_UNIQUE || !list->vertices || list->k != target->size ||
         memcmp(list->vertices, target->vertex, target->size * sizeof *target->vertex) == 0;
}

/* Is v among the vertices of the only match? */
static bool is_target(const ms_motif_target *target, uint32_t v)
{
  for (uint32_t i = 0; i < target->size; i++)
    if (target->vertex[i] == v)
      return true;
  return false;
}

bool ms_target_fits_screen(const ms_motif_target *target, const ms_screen_result *screen)
{
  if (!target || !screen)
    return false;
  if (target->kind == MS_TARGET_NONE)
    return true;
  if (target->kind == MS_TARGET_COUNT)
    return (screen->flagged > 0) == (target->count > 0);
  for (uint32_t v = 0; v < screen->n; v++)
    if ((screen->hits[v] > 0) != is_target(target, v))
      return false;
  return true;
}
