/* Reads a table of points: one point a line, below a line of titles. */
#include "graph/points/points.h"

#include "base/alloc.h"
#include "base/options.h"
#include "base/status.h"
#include "graph/io/columns.h"
#include "graph/points/overlap.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef enum point_part {
  PART_X,
  PART_Y,
  PART_Z,
  PART_NAME,
  PART_COLOR,
  PART_SLIDE,
  PARTS
} point_part;

static const char *const usual_x[] = {"x",     "x_centroid", "centroid_x", "x_coord", "x_position",
                                      "pos_x", "X_X",        "imagecol",   NULL};
static const char *const usual_y[] = {"y",     "y_centroid", "centroid_y", "y_coord", "y_position",
                                      "pos_y", "Y_Y",        "imagerow",   NULL};
static const char *const usual_z[] = {"z",          "z_centroid", "centroid_z", "z_coord",
                                      "z_position", "pos_z",      NULL};
static const char *const usual_names[] = {"cell_id", "cell",    "cellid", "name",
                                          "id",      "barcode", NULL};
static const char *const usual_colors[] = {"cell_type", "celltype", "type",       "color", "colour",
                                           "cluster",   "label",    "annotation", NULL};
static const char *const usual_slides[] = {"slide",   "slide_id", "sample",   "sample_id",
                                           "section", "image",    "image_id", NULL};

/* The choice of no column of slides. */
#define MS_NO_SLIDE_COLUMN "none"

typedef struct point_rows {
  ms_text *text;
  ms_delimiter delimiter;
  ms_table_columns columns; /* of the current line */
  uint32_t wanted;          /* columns of a row */
  bool row_names;           /* each row begins with a name beyond the titles, as R writes it */
  bool untitled;            /* the first title is empty, as pandas and write.csv of R write it */
  uint32_t column[PARTS];   /* MS_NO_COLUMN: there is none */
  ms_slide_candidate candidate[MS_SLIDE_CANDIDATES]; /* unless a column of slides is chosen */
  uint32_t candidates;
  ms_points *points;
  uint32_t room;
  uint32_t *name; /* [n] of the points, in name_texts; NULL: points are numbered */
  ms_names *name_texts;
  uint64_t *line; /* [n] for messages; with names */
} point_rows;

static ms_status split(point_rows *rows, ms_error *err)
{
  return ms_text_split(rows->text, rows->delimiter, MS_MAX_COLUMNS, rows->columns.field,
                       &rows->columns.count, err);
}

static ms_status copy_title(const point_rows *rows, point_part part, const char **title,
                            ms_error *err)
{
  if (rows->column[part] == MS_NO_COLUMN)
    return MS_OK;
  ms_field field = rows->columns.field[rows->column[part]];
  char *text = ms_alloc(field.length + 1, 1);
  if (!text)
    return ms_fail_memory(err, "the titles of columns");
  memcpy(text, field.text, field.length);
  text[field.length] = '\0';
  *title = text;
  return MS_OK;
}

/* Notes the columns that may be slides. */
static ms_status find_candidates(point_rows *rows, const ms_points_options *o, ms_error *err)
{
  for (uint32_t c = 0; c < rows->columns.count && !o->slide_column; c++) {
    ms_field title = rows->columns.field[c];
    bool whole;
    ms_slide_title kind = ms_slide_title_of(title, &whole);
    bool used = rows->candidates == MS_SLIDE_CANDIDATES || kind == MS_NO_SLIDES;
    for (uint32_t p = 0; p < PARTS; p++)
      used |= rows->column[p] == c;
    if (used)
      continue;
    ms_slide_candidate *candidate = &rows->candidate[rows->candidates++];
    candidate->column = c;
    candidate->kind = kind;
    candidate->whole = whole;
    candidate->title = ms_alloc(title.length + 1, 1);
    if (!candidate->title)
      return ms_fail_memory(err, "the titles of columns");
    memcpy(candidate->title, title.text, title.length);
    candidate->title[title.length] = '\0';
    MS_TRY(ms_names_new(&candidate->values, err));
  }
  return MS_OK;
}

/* Finds the columns in the titles, which are the current line. */
static ms_status find_columns(point_rows *rows, const ms_points_options *o, ms_error *err)
{
  const ms_column_choice choice[PARTS] = {
      {o->x_column, usual_x, "column of x", "column of x"},
      {o->y_column, usual_y, "column of y", "column of y"},
      {o->z_column, usual_z, "column of z", "column of z"},
      {o->name_column, usual_names, "column of names", "column of names"},
      {o->color_column, usual_colors, "column of colours", "column of colours"},
      {o->slide_column, usual_slides, "column of slides", "column of slides"}};
  static const char *const option[] = {"x_column", "y_column"};
  rows->delimiter = ms_text_delimiter(rows->text);
  ms_text_set_delimiter(rows->text, rows->delimiter);
  rows->text->quoted =
      rows->text->line[0] == '"' && (rows->delimiter == MS_TAB || rows->delimiter == MS_BLANKS);
  MS_TRY(split(rows, err));
  if (rows->columns.count == MS_MAX_COLUMNS)
    return ms_text_fail(rows->text, err,
                        "the table has %u columns or more; leave out those that are not needed",
                        MS_MAX_COLUMNS);
  bool none = o->slide_column && strcmp(o->slide_column, MS_NO_SLIDE_COLUMN) == 0 &&
              ms_column_usual(rows->columns.field, rows->columns.count,
                              (const char *const[]){MS_NO_SLIDE_COLUMN, NULL}) == MS_NO_COLUMN;
  rows->column[PART_SLIDE] = MS_NO_COLUMN;
  for (uint32_t p = 0; p < PARTS; p++)
    if (p != PART_SLIDE || !none)
      MS_TRY(ms_column_find(rows->text, &rows->columns, &choice[p], &rows->column[p], err));
  for (uint32_t p = PART_X; p <= PART_Y; p++)
    if (rows->column[p] == MS_NO_COLUMN)
      return ms_text_fail(rows->text, err,
                          "no column has the title '%s' or a similar one; the first line must hold "
                          "the titles of the columns, and `points.%s` chooses one",
                          p == PART_X ? "x" : "y", option[p]);
  for (uint32_t p = 0; p < PARTS; p++)
    for (uint32_t q = 0; q < p; q++)
      if (rows->column[p] != MS_NO_COLUMN && rows->column[p] == rows->column[q])
        return ms_text_fail(rows->text, err, "column %u is chosen as the %s and as the %s",
                            rows->column[p] + 1, choice[q].what, choice[p].what);
  ms_points_info *info = &rows->points->info;
  MS_TRY(copy_title(rows, PART_NAME, &info->name_title, err));
  MS_TRY(copy_title(rows, PART_COLOR, &info->color_title, err));
  MS_TRY(copy_title(rows, PART_SLIDE, &info->slide_title, err));
  rows->untitled = rows->columns.field[0].length == 0 && rows->column[PART_NAME] == MS_NO_COLUMN;
  for (uint32_t p = 0; p < PARTS; p++)
    rows->untitled = rows->untitled && rows->column[p] != 0;
  rows->wanted = rows->columns.count;
  rows->points->dimensions = rows->column[PART_Z] == MS_NO_COLUMN ? 2 : 3;
  return find_candidates(rows, o, err);
}

static ms_status make_tables(point_rows *rows, ms_error *err)
{
  ms_points *points = rows->points;
  if (rows->column[PART_NAME] != MS_NO_COLUMN || rows->row_names)
    MS_TRY(ms_names_new(&rows->name_texts, err));
  if (rows->column[PART_COLOR] != MS_NO_COLUMN)
    MS_TRY(ms_names_new(&points->color_names, err));
  return rows->column[PART_SLIDE] == MS_NO_COLUMN ? MS_OK : ms_names_new(&points->slides, err);
}

static ms_status grow(point_rows *rows, ms_error *err)
{
  ms_points *points = rows->points;
  uint32_t old = rows->room;
  if (points->n < old)
    return MS_OK;
  if (old > MS_MAX_NAMES / 2)
    return ms_text_fail(rows->text, err, "there are too many points; divide the table by slides");
  uint32_t room = 2 * old + 1024;
  bool ok = true;
#define GROW(array, wanted)                                                                        \
  do {                                                                                             \
    void *larger = (wanted) ? ms_resize(array, old, room, sizeof *(array)) : NULL;                 \
    ok = ok && (larger || !(wanted));                                                              \
    (array) = larger ? larger : (array);                                                           \
  } while (0)
  GROW(points->point, true);
  GROW(points->slide, points->slides);
  GROW(points->color, points->color_names);
  GROW(rows->name, rows->name_texts);
  GROW(rows->line, rows->name_texts);
  for (uint32_t c = 0; c < rows->candidates; c++)
    GROW(rows->candidate[c].value, true);
#undef GROW
  if (!ok)
    return ms_fail_memory(err, "points");
  rows->room = room;
  return MS_OK;
}

static ms_status add_name(const point_rows *rows, ms_names *names, ms_field field, const char *what,
                          uint32_t *id, ms_error *err)
{
  MS_TRY(ms_text_check_name(rows->text, field, what, err));
  return ms_names_add(names, field.text, field.length, id, err);
}

static ms_status add_coordinate(const point_rows *rows, point_part part, uint32_t shift, double *x,
                                ms_error *err)
{
  ms_field field = rows->columns.field[rows->column[part] + shift];
  if (ms_field_decimal(field, rows->delimiter, x) && fabs(*x) <= MS_MOST_COORDINATE)
    return MS_OK;
  return ms_text_fail(
      rows->text, err,
      "'%.*s' in column %u is no coordinate; write a number from -1e150 to 1e150, or "
      "remove the line",
      ms_name_clip(field.text, field.length), field.text, rows->column[part] + shift + 1);
}

static ms_status fail_no_slide(const point_rows *rows, uint64_t line, const char *title,
                               ms_error *err)
{
  return ms_fail(
      err, MS_ERR_INPUT,
      "%s:%llu: the point has no slide in column '%s': the cell is empty, or a sign for a "
      "missing value; name its slide, remove the line, or choose another column "
      "(`points.slide_column`)",
      rows->text->label, (unsigned long long)line, title);
}

static ms_status add_point(point_rows *rows, ms_error *err)
{
  ms_points *points = rows->points;
  uint32_t shift = rows->row_names, i = points->n;
  const ms_field *field = rows->columns.field;
  if (rows->columns.count != rows->wanted + shift)
    return ms_text_fail(rows->text, err,
                        "expected %u columns between %s, found %u; complete the line",
                        rows->wanted + shift,
                        rows->delimiter == MS_BLANKS  ? "blanks"
                        : rows->delimiter == MS_TAB   ? "tabs"
                        : rows->delimiter == MS_COMMA ? "commas"
                                                      : "semicolons",
                        rows->columns.count);
  MS_TRY(grow(rows, err));
  points->point[i] = (ms_point){.id = i};
  for (uint32_t d = 0; d < points->dimensions; d++)
    MS_TRY(add_coordinate(rows, PART_X + d, shift, &points->point[i].at[d], err));
  if (points->slides) {
    ms_field slide = field[rows->column[PART_SLIDE] + shift];
    MS_TRY(add_name(rows, points->slides, slide, "slide", &points->slide[i], err));
    if (ms_field_missing(slide))
      return fail_no_slide(rows, rows->text->number, points->info.slide_title, err);
  }
  if (points->color_names) {
    ms_field color = field[rows->column[PART_COLOR] + shift];
    points->color[i] = MS_NO_ID;
    points->info.uncolored += ms_field_missing(color);
    if (!ms_field_missing(color))
      MS_TRY(add_name(rows, points->color_names, color, "colour", &points->color[i], err));
  }
  if (rows->name_texts) {
    uint32_t at = rows->column[PART_NAME];
    MS_TRY(add_name(rows, rows->name_texts, field[at == MS_NO_COLUMN ? 0 : at + shift], "point",
                    &rows->name[i], err));
    rows->line[i] = rows->text->number;
  }
  for (uint32_t c = 0; c < rows->candidates; c++) {
    ms_slide_candidate *k = &rows->candidate[c];
    ms_field value = field[k->column + shift];
    if (k->missing == 0 && ms_field_missing(value))
      k->missing = rows->text->number;
    MS_TRY(ms_name_problem(value.text, value.length)
               ? ms_names_add(k->values, "-", 1, &k->value[i], err)
               : ms_names_add(k->values, value.text, value.length, &k->value[i], err));
  }
  points->n++;
  return MS_OK;
}

/* ---- slides ------------------------------------------------------------------- */

/* Decides on columns with doubtful titles.  Where there are slides, those whose points share the
 * room of a slide are parts of it; else the user has to say what they are. */
static ms_status judge_doubtful(point_rows *rows, const ms_slide_candidate *sure, ms_error *err)
{
  ms_points *points = rows->points;
  const uint32_t *slide = points->slide ? points->slide : sure ? sure->value : NULL;
  ms_find_mixed(points->point, points->n, slide, rows->candidate, rows->candidates,
                MS_DOUBTFUL_SLIDES);
  for (uint32_t c = 0; c < rows->candidates; c++) {
    ms_slide_candidate *k = &rows->candidate[c];
    if (k->kind != MS_DOUBTFUL_SLIDES || !k->mixed)
      continue;
    k->mixed = ms_is_overlaid(points->point, points->n, slide, k);
    if (!k->mixed && !slide)
      return ms_fail(err, MS_ERR_INPUT,
                     "%s: column '%s' may tell slides apart, or parts of one slide: points of its "
                     "values lie among each other; choose the column of slides "
                     "(`points.slide_column` '%s'), or none (`points.slide_column` none)",
                     rows->text->label, k->title, k->title);
  }
  return MS_OK;
}

/* Takes a column for that of slides if it separates points that overlap.  Where there are slides,
 * it would divide them again, and the user has to say what is meant. */
static ms_status find_slides(point_rows *rows, ms_error *err)
{
  ms_points *points = rows->points;
  bool several;
  ms_find_mixed(points->point, points->n, points->slide, rows->candidate, rows->candidates,
                MS_SURE_SLIDES);
  const ms_slide_candidate *found =
      ms_finest_slides(rows->candidate, rows->candidates, points->n, &several);
  if (!found && !points->slides) {
    ms_trust_titles(rows->candidate, rows->candidates, points->n);
    found = ms_finest_slides(rows->candidate, rows->candidates, points->n, &several);
  }
  MS_TRY(judge_doubtful(rows, found, err));
  found = ms_finest_slides(rows->candidate, rows->candidates, points->n, &several);
  if (found && (points->slides || several))
    return ms_fail(
        err, MS_ERR_INPUT,
        "%s: column '%s' separates points%s%s%s%s; make one column that tells "
        "all slides apart and choose it, or choose a column that does (`points.slide_column`)",
        rows->text->label, found->title, points->slides ? " that overlap" : "",
        points->slides ? " on a slide of column '" : "",
        points->slides ? points->info.slide_title : ", and another column does, too",
        points->slides ? "'" : "");
  if (found && found->missing > 0)
    return fail_no_slide(rows, found->missing, found->title, err);
  for (uint32_t c = 0; found && c < rows->candidates; c++)
    if (&rows->candidate[c] == found) {
      points->slides = rows->candidate[c].values;
      points->slide = rows->candidate[c].value;
      points->info.slide_title = rows->candidate[c].title;
      rows->candidate[c] = (ms_slide_candidate){.title = NULL};
    }
  return ms_count_coincident(points->point, points->n, points->slide, &points->info.coincident,
                             err);
}

/* ---- names -------------------------------------------------------------------- */

/* Numbers the points from 1. */
static ms_status number_points(ms_points *points, ms_error *err)
{
  for (uint32_t i = 0; i < points->n; i++) {
    char text[16];
    uint32_t id;
    int length = snprintf(text, sizeof text, "%u", i + 1);
    MS_TRY(ms_names_add(points->names, text, (size_t)length, &id, err));
  }
  return MS_OK;
}

/* Fails because point i has the name of an earlier one of its slide. */
static ms_status fail_twice(const point_rows *rows, uint32_t i, const char *name, ms_error *err)
{
  return ms_fail(err, MS_ERR_INPUT,
                 "%s:%llu: the name '%.*s' occurs twice%s; give each point a name of its own, or "
                 "choose another column of names",
                 rows->text->label, (unsigned long long)rows->line[i],
                 ms_name_clip(name, strlen(name)), name,
                 rows->points->slides ? " on one slide" : "");
}

/* Names each point SLIDE:NAME. */
static ms_status name_with_slides(const point_rows *rows, ms_error *err)
{
  ms_points *points = rows->points;
  char *text = NULL;
  size_t room = 0;
  ms_status status = MS_OK;
  points->info.names_with_slides = true;
  for (uint32_t i = 0; status == MS_OK && i < points->n; i++) {
    const char *slide = ms_names_get(points->slides, points->slide[i]),
               *name = ms_names_get(rows->name_texts, rows->name[i]);
    size_t a = strlen(slide), b = strlen(name), wanted = a + b + 2;
    uint32_t id;
    if (!MS_GROW(text, room, 0, wanted)) {
      status = ms_fail_memory(err, "the names of points");
      break;
    }
    memcpy(text, slide, a);
    text[a] = ':';
    memcpy(text + a + 1, name, b + 1);
    status = ms_names_add(points->names, text, a + b + 1, &id, err);
    if (status == MS_OK && id != i)
      status = fail_twice(rows, i, name, err);
  }
  ms_free(text);
  return status;
}

static ms_status name_points(point_rows *rows, ms_error *err)
{
  ms_points *points = rows->points;
  if (rows->name_texts && ms_names_count(rows->name_texts) == points->n) {
    points->names = rows->name_texts; /* all are different */
    rows->name_texts = NULL;
    return MS_OK;
  }
  MS_TRY(ms_names_new(&points->names, err));
  if (!rows->name_texts)
    return number_points(points, err);
  if (points->slides)
    return name_with_slides(rows, err);
  uint32_t i = 0;
  while (rows->name[i] == i)
    i++;
  return fail_twice(rows, i, ms_names_get(rows->name_texts, rows->name[i]), err);
}

/* ---- the table -------------------------------------------------------------------- */

static ms_status read_rows(point_rows *rows, const ms_points_options *o, ms_error *err)
{
  ms_points *points = rows->points;
  MS_TRY(ms_text_next_data(rows->text, err));
  if (!rows->text->line)
    return ms_fail(err, MS_ERR_INPUT, "%s: the file holds no table of points", rows->text->label);
  MS_TRY(find_columns(rows, o, err));
  MS_TRY(ms_text_next_data(rows->text, err));
  bool first = true;
  while (rows->text->line) {
    MS_TRY(split(rows, err));
    if (first) {
      rows->row_names = rows->columns.count == rows->wanted + 1;
      if (rows->untitled && !rows->row_names && rows->columns.field[0].length > 0)
        rows->column[PART_NAME] = 0;
      MS_TRY(make_tables(rows, err));
      first = false;
    }
    MS_TRY(add_point(rows, err));
    MS_TRY(ms_text_next_data(rows->text, err));
  }
  if (points->n == 0)
    return ms_fail(err, MS_ERR_INPUT, "%s: the table has titles, but no points", rows->text->label);
  MS_TRY(find_slides(rows, err));
  MS_TRY(name_points(rows, err));
  points->info.points = points->n;
  points->info.dimensions = points->dimensions;
  points->info.slides = points->slides ? ms_names_count(points->slides) : 1;
  points->info.colors = points->color_names ? ms_names_count(points->color_names) : 0;
  points->info.crc32c = rows->text->crc32c;
  if (!points->color_names)
    points->info.uncolored = points->n;
  return MS_OK;
}

static ms_status read_text(point_rows *rows, const char *path, const ms_points_options *o,
                           ms_error *err)
{
  rows->points = ms_calloc(1, sizeof *rows->points);
  if (!rows->points)
    return ms_fail_memory(err, "points");
  rows->points->info.path = ms_strdup(path);
  if (!rows->points->info.path)
    return ms_fail_memory(err, "points");
  MS_TRY(ms_text_open(path, &rows->text, err));
  return read_rows(rows, o, err);
}

ms_status ms_points_read(const char *path, const ms_points_options *options, ms_points **out,
                         ms_error *err)
{
  MS_REQUIRE(out, err);
  *out = NULL;
  MS_REQUIRE(path, err);
  ms_points_options o;
  MS_TRY(ms_options_take(&ms_points_options_kind, options, &o, err));
  ms_meter meter;
  point_rows rows = {.text = NULL};
  ms_meter_open(&meter, o.run.memory, NULL, NULL);
  ms_status status = read_text(&rows, path, &o, err);
  ms_free(rows.name);
  ms_free(rows.line);
  ms_names_free(rows.name_texts);
  for (uint32_t c = 0; c < rows.candidates; c++) {
    ms_free(rows.candidate[c].title);
    ms_free(rows.candidate[c].value);
    ms_names_free(rows.candidate[c].values);
  }
  ms_text_close(rows.text);
  ms_meter_close(&meter);
  if (status == MS_OK)
    *out = rows.points;
  else
    ms_points_free(rows.points);
  return status;
}
