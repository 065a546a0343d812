#include "report/places.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/utf8.h"
#include "graph/colors.h"
#include "graph/points/points.h"
#include "graph/typed.h"
#include "report/network.h"

#include <string.h>

/* ---- finding --------------------------------------------------------------------------- */

/* Adds the names of colours, or of types of vertices, to the strings of the table. */
static ms_status add_names(ms_table *table, const ms_names *names, uint32_t *id, ms_error *err)
{
  for (uint32_t i = 0; i < ms_names_count(names); i++) {
    const char *name = ms_names_get(names, i);
    MS_TRY(ms_names_add(table->strings, name, strlen(name), &id[i], err));
  }
  return MS_OK;
}

/* Finds the first colour of each vertex, or its type. */
static ms_status find_colors(ms_places *p, ms_table *table, const ms_certificate *c, ms_error *err)
{
  const ms_names *names = c->typed      ? c->typed->vertex_types
                          : c->coloring ? c->coloring->names
                                        : NULL;
  if (!names)
    return MS_OK;
  uint32_t *id = ms_alloc(ms_names_count(names), sizeof *id);
  p->color = ms_calloc(p->n, sizeof *p->color);
  ms_status status = id && p->color ? add_names(table, names, id, err)
                                    : ms_fail_memory(err, "the positions of a report");
  for (uint32_t v = 0; status == MS_OK && v < p->n; v++) {
    if (c->typed)
      p->color[v] = 1 + id[c->typed->rows.vertex_type[v]];
    else if (c->coloring->offset[v] < c->coloring->offset[v + 1])
      p->color[v] = 1 + id[c->coloring->color[c->coloring->offset[v]]];
  }
  ms_free(id);
  return status;
}

ms_status ms_places_find(ms_places *p, ms_table *table, const ms_certificate *c,
                         const ms_points *points, uint64_t most, ms_error *err)
{
  ms_drawing drawing = ms_drawing_of(c);
  p->points = points;
  p->n = drawing.n;
  drawing.positions = points;
  drawing.watch = &drawing.own_watch;
  ms_watch_begin(drawing.watch);
  p->found = ms_calloc(p->n, sizeof *p->found);
  p->name_of = ms_alloc(p->n, sizeof *p->name_of);
  if (!p->found || !p->name_of)
    return ms_fail_memory(err, "the positions of a report");
  MS_TRY(ms_svg_places_find(&drawing, &p->map, err));
  ms_mark_vertices(table, c, table->shown, p->found, p->name_of);
  uint64_t others = 0;
  for (uint32_t v = 0; v < p->n; v++)
    others += !p->found[v] && p->map.at[v][0] != MS_SVG_NONE;
  p->every = (uint32_t)(others > most ? (others + most - 1) / most : 1);
  return find_colors(p, table, c, err);
}

void ms_places_free(ms_places *p)
{
  ms_svg_places_free(&p->map);
  ms_free(p->found);
  ms_free(p->name_of);
  ms_free(p->color);
}

/* ---- writing ---------------------------------------------------------------------------- */

enum { X, Y, NAME, COLOR };

/* Appends the numbers of one kind: of the vertices found, or of those that are in no row. */
static ms_status collect(const ms_places *p, bool found, int what, ms_values *out, ms_error *err)
{
  uint32_t others = 0;
  out->count = 0;
  for (uint32_t v = 0; v < p->n; v++) {
    const int32_t *at = p->map.at[v];
    if (p->found[v] != found || at[0] == MS_SVG_NONE || (!found && others++ % p->every != 0))
      continue;
    uint64_t value = what == X      ? (uint64_t)at[0]
                     : what == Y    ? (uint64_t)at[1]
                     : what == NAME ? p->name_of[v]
                                    : p->color[v];
    MS_TRY(ms_values_add(out, value, err));
  }
  return MS_OK;
}

static ms_status put_arrays(ms_outfile *out, const ms_places *p, ms_values *values, ms_error *err)
{
  static const struct {
    const char *key;
    bool found;
    int what;
  } arrays[] = {{"vertex", true, NAME}, {"x", true, X},        {"y", true, Y},
                {"other_x", false, X},  {"other_y", false, Y}, {"other_color", false, COLOR}};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
    if (arrays[i].what == COLOR && !p->color)
      continue;
    MS_TRY(collect(p, arrays[i].found, arrays[i].what, values, err));
    ms_outfile_printf(out, ",\n\"%s\":", arrays[i].key);
    ms_put_numbers(out, values->at, values->count);
  }
  return MS_OK;
}

static void put_slides(ms_outfile *out, const ms_places *p)
{
  const ms_svg_places *map = &p->map;
  ms_outfile_puts(out, ",\"slides\":[");
  for (uint32_t i = 0; p->points->slides && map->slides > 1 && i < map->slides; i++) {
    const char *name = ms_names_get(p->points->slides, map->slide[i]);
    ms_outfile_puts(out, i ? ",{\"name\":" : "{\"name\":");
    ms_put_string(out, name ? name : "");
    ms_outfile_printf(out, ",\"x\":%d,\"y\":%d}", map->corner[i][0], map->corner[i][1]);
  }
  ms_outfile_puts(out, "]");
}

ms_status ms_put_places(ms_outfile *out, const ms_places *p, ms_error *err)
{
  const ms_svg_places *map = &p->map;
  ms_values values = {0};
  ms_outfile_puts(out, "{\"path\":");
  char shown[4096]; /* a path need not be UTF-8 */
  ms_escape(p->points->info.path ? p->points->info.path : "", shown, sizeof shown);
  ms_put_string(out, shown);
  ms_outfile_printf(out, ",\"width\":%d,\"height\":%d,\"dot\":%d,\"scale\":%.9g", map->width,
                    map->height, map->dot, map->scale);
  ms_outfile_printf(out, ",\"placed\":%u,\"unplaced\":%u,\"every\":%u,\"space\":%s", map->placed,
                    p->n - map->placed, p->every, p->points->dimensions > 2 ? "true" : "false");
  put_slides(out, p);
  ms_status status = put_arrays(out, p, &values, err);
  ms_outfile_puts(out, "}");
  ms_free(values.at);
  return status;
}
