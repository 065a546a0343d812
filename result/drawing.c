#include "result/drawing.h"

#include "base/alloc.h"
#include "base/status.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool is_found(const ms_drawing *drawing, uint32_t v)
{
  return drawing->matches ? drawing->matches[v] > 0 : drawing->screen->hits[v] > 0;
}

static void count_matches(ms_drawing *drawing)
{
  const ms_list_result *list = drawing->list;
  for (uint64_t i = 0; i < list->matches * list->k; i++)
    drawing->matches[list->vertices[i]]++;
}

static ms_status choose_vertices(ms_drawing *drawing, ms_error *err)
{
  const ms_list_result *list = drawing->list;
  uint32_t n = ms_graph_vertex_count(drawing->query->graph);
  if (drawing->match > 0 && drawing->match > drawing->header->found)
    return ms_fail(err, MS_ERR_USAGE,
                   "there is no match %" PRIu64 ": %" PRIu64
                   " were found; give `match` one of their numbers",
                   drawing->match, drawing->header->found);
  if (drawing->match > 0) {
    const uint32_t *set = list->vertices + (drawing->match - 1) * list->k;
    for (uint32_t i = 0; i < list->k; i++)
      drawing->drawn[set[i]] = 1;
  } else {
    for (uint32_t v = 0; v < n; v++)
      drawing->drawn[v] = drawing->whole_graph || is_found(drawing, v);
  }
  return MS_OK;
}

static void count_drawn(ms_drawing *drawing)
{
  const ms_graph *graph = drawing->query->graph;
  for (uint32_t v = 0; v < ms_graph_vertex_count(graph); v++) {
    uint32_t degree;
    const uint32_t *row = ms_graph_neighbors(graph, v, &degree);
    drawing->vertices += drawing->drawn[v];
    for (uint32_t i = 0; drawing->drawn[v] && i < degree && row[i] < v; i++)
      drawing->edges += drawing->drawn[row[i]];
  }
}

ms_status ms_drawing_open(ms_drawing *drawing, ms_error *err)
{
  uint32_t n = ms_graph_vertex_count(drawing->query->graph);
  drawing->drawn = ms_calloc(n, sizeof *drawing->drawn);
  if (drawing->list)
    drawing->matches = ms_calloc(n, sizeof *drawing->matches);
  if (!drawing->drawn || (drawing->list && !drawing->matches))
    return ms_fail_memory(err, "a drawing");
  if (drawing->list)
    count_matches(drawing);
  ms_status status = choose_vertices(drawing, err);
  if (status == MS_OK)
    count_drawn(drawing);
  return status;
}

void ms_drawing_close(ms_drawing *drawing)
{
  ms_free(drawing->drawn);
  ms_free(drawing->matches);
}

/* ---- classes ------------------------------------------------------------- */

uint32_t ms_drawing_class(const ms_drawing *drawing, uint32_t v)
{
  const ms_query *query = drawing->query;
  uint32_t count;
  const uint32_t *colors = ms_coloring_of(query->coloring, v, &count);
  if (!is_found(drawing, v))
    return UINT32_MAX;
  for (uint32_t c = 0; c < query->motif->n_classes; c++) {
    if (query->motif->class_[c].color == MS_WILDCARD)
      return c;
    for (uint32_t i = 0; i < count; i++)
      if (colors[i] == query->motif->class_[c].color)
        return c;
  }
  return UINT32_MAX;
}

const char *ms_class_name(const ms_drawing *drawing, uint32_t c)
{
  const ms_query *query = drawing->query;
  uint32_t color = query->motif->class_[c].color;
  return color == MS_WILDCARD ? "*" : ms_coloring_name(query->coloring, color);
}

void ms_class_fill(uint32_t c, char fill[8])
{
  /* Hues are a golden angle (137.5 degrees) apart: however many there are, no two come close.  The
   * brightest channel is 240, the darkest 150: pastel. */
  enum { DARK = 150, BRIGHT = 240 };
  uint32_t hue = (30 + c * 1375 / 10) % 360, within = hue % 60;
  uint32_t rising = DARK + (BRIGHT - DARK) * within / 60, falling = DARK + BRIGHT - rising;
  const uint32_t channels[6][3] = {{BRIGHT, rising, DARK}, {falling, BRIGHT, DARK},
                                   {DARK, BRIGHT, rising}, {DARK, falling, BRIGHT},
                                   {rising, DARK, BRIGHT}, {BRIGHT, DARK, falling}};
  const uint32_t *rgb = channels[hue / 60];
  snprintf(fill, 8, "#%02x%02x%02x", rgb[0] & 255, rgb[1] & 255, rgb[2] & 255);
}
