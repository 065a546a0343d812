#include "result/svg_places.h"

#include "base/alloc.h"
#include "base/status.h"
#include "graph/points/points.h"

#include <math.h>
#include <string.h>

/* The smallest rectangle around the vertices of a slide. */
typedef struct box {
  double low[2], high[2];
  uint64_t count;
} box;

typedef struct finder {
  const ms_drawing *drawing;
  const ms_points *points;
  ms_svg_places *out;
  uint32_t *point;  /* [n] the point of each vertex, or MS_NO_ID */
  box *boxes;       /* [slides of the points] */
  uint32_t *rank;   /* [slides of the points] its place among the slides that are drawn */
  double extent[2]; /* of the widest slide, and of the highest */
} finder;

int32_t ms_svg_text_width(const char *text)
{
  int32_t letters = 0;
  for (; text && *text && letters < MS_SVG_LETTERS; text++)
    letters += ((unsigned char)*text & 0xc0) != 0x80; /* bytes of UTF-8 that continue no letter */
  return letters * MS_SVG_LETTER;
}

static uint32_t slide_of(const ms_points *points, uint32_t p)
{
  return points->slide ? points->slide[p] : 0;
}

/* Finds the point of each vertex by its name, and the box of each slide. */
static ms_status find_points(finder *f, ms_error *err)
{
  const ms_drawing *d = f->drawing;
  for (uint32_t v = 0; v < d->n && !ms_watch_ended(d->watch, v); v++) {
    const char *name = ms_drawing_name(d, v);
    uint32_t p = f->point[v] = ms_names_find(f->points->names, name, strlen(name));
    if (p == MS_NO_ID)
      continue;
    box *b = &f->boxes[slide_of(f->points, p)];
    for (int i = 0; i < 2; i++) {
      double at = f->points->point[p].at[i];
      b->low[i] = b->count == 0 || at < b->low[i] ? at : b->low[i];
      b->high[i] = b->count == 0 || at > b->high[i] ? at : b->high[i];
    }
    b->count++;
    f->out->placed++;
  }
  MS_TRY(ms_watch_report(d->watch, MS_DRAWING_PHASE, err));
  if (f->out->placed == 0)
    return ms_fail(err, MS_ERR_INPUT,
                   "%s: no point has the name of a vertex of the graph, such as '%s'; give the "
                   "table from which the graph was made",
                   f->points->info.path ? f->points->info.path : "`positions`",
                   d->n > 0 ? ms_drawing_name(d, 0) : "");
  return MS_OK;
}

/* Puts the slides beside each other, in rows of about as many as there are rows; every slide has
 * the room of the widest and of the highest. */
static ms_status put_slides(finder *f, uint32_t slides, ms_error *err)
{
  ms_svg_places *out = f->out;
  out->slide = ms_alloc(slides, sizeof *out->slide);
  out->corner = ms_alloc(slides, sizeof *out->corner);
  if (!out->slide || !out->corner)
    return ms_fail_memory(err, "a drawing");
  for (uint32_t s = 0; s < slides; s++) {
    const box *b = &f->boxes[s];
    if (b->count == 0)
      continue;
    for (int i = 0; i < 2; i++)
      f->extent[i] = fmax(f->extent[i], b->high[i] - b->low[i]);
    f->rank[s] = out->slides;
    out->slide[out->slides++] = s;
  }
  uint32_t columns = (uint32_t)ceil(sqrt(out->slides));
  uint32_t rows = (out->slides + columns - 1) / columns;
  double room[2] = {(double)MS_SVG_SIDE / columns, (double)MS_SVG_SIDE / rows};
  /* points on a line, or one point, have no extent in a direction */
  double scale[2] = {f->extent[0] > 0 ? room[0] / f->extent[0] : INFINITY,
                     f->extent[1] > 0 ? room[1] / f->extent[1] : INFINITY};
  double longest = columns * f->extent[0] >= rows * f->extent[1] ? scale[0] : scale[1];
  out->scale = isfinite(longest) ? longest : 0;
  int32_t title = out->slides > 1 ? MS_SVG_TITLE : 0;
  int32_t step[2] = {(int32_t)(f->extent[0] * out->scale) + MS_SVG_MARGIN,
                     (int32_t)(f->extent[1] * out->scale) + MS_SVG_MARGIN + title};
  for (uint32_t i = 0; title > 0 && f->points->slides && i < out->slides; i++) {
    int32_t name = ms_svg_text_width(ms_names_get(f->points->slides, out->slide[i]));
    step[0] = step[0] > name + MS_SVG_MARGIN ? step[0] : name + MS_SVG_MARGIN;
  }
  for (uint32_t i = 0; i < out->slides; i++) {
    out->corner[i][0] = MS_SVG_MARGIN + (int32_t)(i % columns) * step[0];
    out->corner[i][1] = MS_SVG_MARGIN + (int32_t)(i / columns) * step[1] + title;
  }
  out->width = MS_SVG_MARGIN + (int32_t)columns * step[0];
  out->height = MS_SVG_MARGIN + (int32_t)rows * step[1];
  return MS_OK;
}

static void put_vertices(finder *f)
{
  ms_svg_places *out = f->out;
  for (uint32_t v = 0; v < f->drawing->n; v++) {
    uint32_t p = f->point[v];
    if (p == MS_NO_ID) {
      out->at[v][0] = out->at[v][1] = MS_SVG_NONE;
      continue;
    }
    uint32_t slide = slide_of(f->points, p);
    for (int i = 0; i < 2; i++)
      out->at[v][i] =
          out->corner[f->rank[slide]][i] +
          (int32_t)lround((f->points->point[p].at[i] - f->boxes[slide].low[i]) * out->scale);
  }
  /* dots of neighbours in a square grid of as many vertices nearly touch */
  double area = out->slides * f->extent[0] * f->extent[1] * out->scale * out->scale;
  double line = out->slides * fmax(f->extent[0], f->extent[1]) * out->scale;
  double dot = fmax(0.7 * sqrt(area / out->placed), 0.7 * line / out->placed);
  out->dot = (int32_t)fmin(fmax(dot, MS_SVG_LEAST_DOT), MS_SVG_MOST_DOT);
}

ms_status ms_svg_places_find(const ms_drawing *d, ms_svg_places *out, ms_error *err)
{
  uint32_t slides = d->positions->slide ? d->positions->info.slides : 1;
  finder f = {.drawing = d, .points = d->positions, .out = out};
  *out = (ms_svg_places){0};
  out->at = ms_alloc(d->n, sizeof *out->at);
  f.point = ms_alloc(d->n, sizeof *f.point);
  f.boxes = ms_calloc(slides, sizeof *f.boxes);
  f.rank = ms_calloc(slides, sizeof *f.rank);
  ms_status status = out->at && f.point && f.boxes && f.rank ? find_points(&f, err)
                                                             : ms_fail_memory(err, "a drawing");
  if (status == MS_OK)
    status = put_slides(&f, slides, err);
  if (status == MS_OK)
    put_vertices(&f);
  ms_free(f.point);
  ms_free(f.boxes);
  ms_free(f.rank);
  return status;
}

void ms_svg_places_free(ms_svg_places *places)
{
  ms_free(places->at);
  ms_free(places->slide);
  ms_free(places->corner);
}
