/* ms_coloring_read, and the plain colour table:
 *
 *   YAL001C<TAB>kinase
 *
 * a vertex with several lines has a list.  The first data line decides how
 * lines are split: at tabs if it has one; else as CSV if a comma comes before
 * any blank or the line begins with a quote; else at the first run of blanks,
 * and all the rest is the colour.  Of several columns the first two count. */
#include "graph/read_colors.h"

#include "base/alloc.h"
#include "base/status.h"

#include <string.h>

ms_status ms_color_rows_add(ms_color_rows *rows, uint32_t v, ms_field name, uint32_t color,
                            ms_error *err)
{
  if (v != MS_NO_ID)
    return ms_pairs_add(&rows->pairs, v, color, err);
  rows->unknown++;
  if (rows->unknown_example)
    return MS_OK;
  rows->unknown_example = ms_alloc(name.length + 1, 1);
  if (!rows->unknown_example)
    return ms_fail_memory(err, "a vertex name");
  memcpy(rows->unknown_example, name.text, name.length);
  rows->unknown_example[name.length] = '\0';
  return MS_OK;
}

static ms_delimiter table_delimiter(const ms_text *text)
{
  size_t first = strcspn(text->line, " ,");
  if (memchr(text->line, '\t', text->length))
    return MS_TAB;
  return text->line[0] == '"' || text->line[first] == ',' ? MS_COMMA : MS_BLANKS;
}

/* fields[0], [1] = vertex and colour; the colour is empty where there is none.
 * *extra: there is a third column. */
static ms_status split_row(ms_text *text, ms_delimiter delimiter, ms_field *fields, bool *extra,
                           ms_error *err)
{
  uint32_t count, most = delimiter == MS_BLANKS ? 2 : 3;
  fields[0] = fields[1] = (ms_field){text->line, 0};
  ms_status status = ms_text_split(text, delimiter, most, fields, &count, err);
  *extra = status == MS_OK && count > 2;
  if (status == MS_OK && count < 2)
    fields[1].length = 0;
  else if (status == MS_OK && delimiter == MS_BLANKS)
    fields[1] = ms_field_trim(
        (ms_field){fields[1].text, text->length - (size_t)(fields[1].text - text->line)});
  return status;
}

static ms_status add_row(ms_text *text, ms_delimiter delimiter, ms_color_rows *rows, ms_error *err)
{
  ms_field fields[3];
  uint32_t color;
  bool extra;
  ms_status status = split_row(text, delimiter, fields, &extra, err);
  if (status == MS_OK)
    status = ms_text_check_name(text, fields[0], "vertex name", err);
  if (status != MS_OK)
    return status;
  if (fields[1].length == 0)
    return ms_text_fail(
        text, err,
        "expected a vertex and a colour separated by %s, found only '%.*s'; add the colour "
        "or remove the line",
        ms_delimiter_name(delimiter), ms_name_clip(fields[0].text, fields[0].length),
        fields[0].text);
  status = ms_text_check_name(text, fields[1], "colour", err);
  if (status == MS_OK)
    status = ms_names_add(rows->names, fields[1].text, fields[1].length, &color, err);
  if (status != MS_OK)
    return status;
  rows->extra += extra;
  uint32_t v = ms_names_find(rows->graph->names, fields[0].text, fields[0].length);
  return ms_color_rows_add(rows, v, fields[0], color, err);
}

ms_status ms_read_color_tsv(ms_text *text, const ms_color_options *options, ms_color_rows *rows,
                            ms_error *err)
{
  ms_delimiter delimiter = table_delimiter(text);
  ms_status status = options->header ? ms_text_next_data(text, err) : MS_OK;
  while (status == MS_OK && text->line) {
    status = add_row(text, delimiter, rows, err);
    if (status == MS_OK)
      status = ms_text_next_data(text, err);
  }
  return status;
}

/* ---- ms_coloring_read --------------------------------------------------- */

static ms_status check_options(const char *path, const ms_color_options *options, ms_error *err)
{
  if ((unsigned)options->format >= MS_COLOR_FORMATS || options->format == MS_COLORS_GRAPH)
    return ms_fail(err, MS_ERR_USAGE, "%s: unknown colour format %d; use one of ms_color_format",
                   path, (int)options->format);
  const char *aspects = options->aspects;
  if (aspects && (*aspects == '\0' || aspects[strspn(aspects, "PFC")] != '\0'))
    return ms_fail(err, MS_ERR_USAGE, "%s: '%s' are no GO aspects; use letters of P, F and C", path,
                   aspects);
  return MS_OK;
}

static const char *const format_names[MS_COLOR_FORMATS] = {"auto", "tsv", "go-slim", "gaf", "graph"};

const char *ms_color_format_name(ms_color_format format)
{
  return format_names[format];
}

bool ms_color_format_find(const char *name, ms_color_format *format)
{
  for (int f = 0; f < MS_COLOR_FORMATS; f++)
    if (strcmp(name, format_names[f]) == 0) {
      *format = (ms_color_format)f;
      return true;
    }
  *format = MS_COLORS_AUTO;
  return false;
}

static bool all_aspects(const char *aspects)
{
  return !aspects || (strchr(aspects, 'P') && strchr(aspects, 'F') && strchr(aspects, 'C'));
}

static ms_status check_rows(const ms_text *text, const ms_color_rows *rows, ms_error *err)
{
  if (rows->pairs.count > 0)
    return MS_OK;
  if (!rows->unknown_example || rows->graph->n == 0)
    return ms_fail(err, MS_ERR_INPUT,
                   "%s: gives no vertex a colour; give a file of vertex and colour", text->label);
  const char *theirs = rows->unknown_example, *ours = ms_names_get(rows->graph->names, 0);
  return ms_fail(
      err, MS_ERR_INPUT,
      "%s: none of its vertices is in %s: it has names like '%.*s', the graph has names like "
      "'%.*s'; use the same kind of names in both",
      text->label, rows->graph->path, ms_name_clip(theirs, strlen(theirs)), theirs,
      ms_name_clip(ours, strlen(ours)), ours);
}

static ms_status read_rows(ms_text *text, const ms_color_options *options, ms_color_rows *rows,
                           ms_error *err)
{
  ms_status status = ms_text_next_data(text, err);
  if (status != MS_OK)
    return status;
  if (!text->line)
    return ms_fail(err, MS_ERR_INPUT, "%s: holds no colours; give a file of vertex and colour",
                   text->label);
  bool go_slim = options->format == MS_COLORS_GO_SLIM ||
                 (options->format == MS_COLORS_AUTO && ms_is_go_slim(text));
  if (!go_slim && !all_aspects(options->aspects))
    return ms_fail(err, MS_ERR_USAGE,
                   "%s: GO aspects are given, but this is not a GO slim file; leave them out",
                   text->label);
  rows->format = go_slim ? MS_COLORS_GO_SLIM : MS_COLORS_TSV;
  status = go_slim ? ms_read_go_slim(text, options, rows, err)
                   : ms_read_color_tsv(text, options, rows, err);
  return status == MS_OK ? check_rows(text, rows, err) : status;
}

/* alias_of as the colouring wants it; NULL aliases where there are none. */
static ms_status take_aliases(ms_color_rows *rows, uint32_t **alias_of, ms_error *err)
{
  *alias_of = NULL;
  if (rows->alias_of.count == 0)
    return MS_OK;
  *alias_of = ms_alloc(rows->alias_of.count, sizeof **alias_of);
  if (!*alias_of)
    return ms_fail_memory(err, "colour aliases");
  for (uint64_t i = 0; i < rows->alias_of.count; i++)
    (*alias_of)[i] = rows->alias_of.pair[i][1];
  return MS_OK;
}

static ms_status build(const char *path, const ms_text *text, ms_color_rows *rows,
                       ms_coloring **out, ms_error *err)
{
  ms_coloring *coloring;
  uint32_t *alias_of;
  ms_status status = take_aliases(rows, &alias_of, err);
  if (status != MS_OK)
    return status;
  char *copy = ms_strdup(path);
  if (!copy) {
    ms_free(alias_of);
    return ms_fail_memory(err, "a path");
  }
  ms_names *names = rows->names, *aliases = alias_of ? rows->aliases : NULL;
  rows->names = NULL; /* ms_coloring_build owns them from here on */
  if (aliases)
    rows->aliases = NULL;
  status =
      ms_coloring_build(rows->graph->n, rows->pairs.count, (const uint32_t(*)[2])rows->pairs.pair,
                        names, aliases, alias_of, &coloring, err);
  if (status != MS_OK) {
    ms_free(copy);
    return status;
  }
  ms_free(coloring->path);
  coloring->path = copy;
  coloring->info.path = copy;
  coloring->info.lines = text->number;
  coloring->info.crc32c = text->crc32c;
  coloring->info.unknown_vertices = rows->unknown;
  coloring->info.format = rows->format;
  coloring->info.extra_columns = rows->extra;
  *out = coloring;
  return MS_OK;
}

ms_status ms_coloring_read(const char *path, const ms_graph *graph, const ms_color_options *options,
                           ms_coloring **out, ms_error *err)
{
  static const ms_color_options defaults = {0};
  ms_color_rows rows = {.graph = graph};
  ms_text *text = NULL;
  *out = NULL;
  options = options ? options : &defaults;
  ms_status status = check_options(path, options, err);
  if (status != MS_OK)
    return status;
  status = ms_text_open(path, &text, err);
  if (status == MS_OK)
    status = ms_names_new(&rows.names, err);
  if (status == MS_OK)
    status = ms_names_new(&rows.aliases, err);
  if (status == MS_OK)
    status = read_rows(text, options, &rows, err);
  if (status == MS_OK)
    status = build(path, text, &rows, out, err);
  ms_text_close(text);
  ms_names_free(rows.names);
  ms_names_free(rows.aliases);
  ms_free(rows.pairs.pair);
  ms_free(rows.alias_of.pair);
  ms_free(rows.unknown_example);
  return status;
}
