/* ms_coloring_read: opens the file, detects its format, reads it and builds the colouring. */
#include "graph/formats/colors/read.h"

#include "base/alloc.h"
#include "base/options.h"
#include "base/status.h"
#include "graph/io/head.h"

#define GAF_HEAD_BYTES ((size_t)4096) /* the version of GAF is in one of the first lines */

#include <stdio.h>
#include <string.h>

/* ---- formats -------------------------------------------------------------- */

/* Options that only some formats have. */
enum {
  HAS_COLUMNS = 1, /* name_column, color_column, separator */
  HAS_ASPECTS = 2,
  HAS_TERMS = 4 /* obo, slim */
};

static const struct color_format {
  const char *name;
  unsigned options;
  ms_status (*read)(ms_text *text, const ms_color_options *options, ms_color_rows *rows,
                    ms_error *err); /* NULL: not the format of a colour file */
} formats[MS_COLOR_FORMATS] = {
    [MS_COLORS_AUTO] = {.name = "auto"},
    [MS_COLORS_TSV] = {"tsv", HAS_COLUMNS, ms_read_color_table},
    [MS_COLORS_GO_SLIM] = {"go-slim", HAS_ASPECTS, ms_read_go_slim},
    [MS_COLORS_GAF] = {"gaf", HAS_ASPECTS | HAS_TERMS, ms_read_gaf},
    [MS_COLORS_GRAPH] = {.name = "graph"},
    [MS_COLORS_WIDE] = {"wide", HAS_COLUMNS, ms_read_wide_colors},
    [MS_COLORS_LISTS] = {"lists", HAS_COLUMNS, ms_read_color_table},
    [MS_COLORS_GMT] = {"gmt", 0, ms_read_gmt},
};

const char *ms_color_format_name(ms_color_format format)
{
  return (unsigned)format < MS_COLOR_FORMATS ? formats[format].name : NULL;
}

bool ms_color_format_find(const char *name, ms_color_format *format)
{
  if (!name || !format)
    return false;
  for (int f = 0; f < MS_COLOR_FORMATS; f++)
    if (strcmp(name, formats[f].name) == 0) {
      *format = (ms_color_format)f;
      return true;
    }
  *format = MS_COLORS_AUTO;
  return false;
}

static ms_status check_options(const char *path, const ms_color_options *options, ms_error *err)
{
  if ((unsigned)options->format >= MS_COLOR_FORMATS || options->format == MS_COLORS_GRAPH)
    return ms_fail(err, MS_ERR_USAGE, "%s: unknown colour format %d; use one of ms_color_format",
                   path, (int)options->format);
  const char *aspects = options->aspects;
  if (aspects && (*aspects == '\0' || aspects[strspn(aspects, "PFC")] != '\0'))
    return ms_fail(err, MS_ERR_USAGE,
                   "%s: '%s' is not a list of GO aspects; use the letters P, F and C", path,
                   aspects);
  if (options->slim && !options->obo)
    return ms_fail(err, MS_ERR_USAGE,
                   "%s: a slim is given without an ontology, which says which terms are below it; "
                   "give the ontology, too",
                   path);
  if (options->separator && *options->separator == '\0')
    return ms_fail(
        err, MS_ERR_USAGE,
        "%s: the separator of colours is empty; give one, such as '|', or '" MS_NO_SEPARATOR
        "' for cells of one colour",
        path);
  return MS_OK;
}

static bool all_aspects(const char *aspects)
{
  return !aspects || (strchr(aspects, 'P') && strchr(aspects, 'F') && strchr(aspects, 'C'));
}

/* Refuses an option that the format does not have, rather than ignore it. */
static ms_status check_option(const ms_text *text, ms_color_format format, unsigned option,
                              bool given, const char *what, const char *which, ms_error *err)
{
  if (!given || (formats[format].options & option))
    return MS_OK;
  return ms_fail(err, MS_ERR_USAGE,
                 "%s: %s given, but this is not %s (it is read as %s); leave them out, or give "
                 "such a file",
                 text->label, what, which, formats[format].name);
}

/* ---- detection ------------------------------------------------------------ */

/* Does the file begin with the version of GAF or GPAD, perhaps behind other comments, or with a
 * line of annotations?  *literal: it begins with the mark of own tables.  In front of the first
 * line only. */
static ms_status read_marks(ms_text *text, bool *gaf, bool *literal, ms_error *err)
{
  static const char *const marks[] = {"!gaf-version:", "!gpa-version:", "!gpad-version:"};
  ms_head head = {.path = text->label};
  ms_field line;
  *gaf = false;
  MS_TRY(ms_text_head(text, GAF_HEAD_BYTES, &head.bytes, &head.length, err));
  head.length = head.length < GAF_HEAD_BYTES ? head.length : GAF_HEAD_BYTES;
  head.whole = true; /* the beginning of the last line suffices */
  for (size_t at = 0; !*gaf && ms_head_next_line(&head, &at, &line);) {
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
      *gaf |= ms_field_begins(line, marks[i]);
    *literal |= ms_field_is(line, MS_LITERAL_MARK);
    if (!ms_line_holds_data(line.text, line.length) || ms_field_begins(line, MS_HPOA_TITLE))
      continue;
    *gaf |= ms_is_annotation(line);
    break;
  }
  return MS_OK;
}

static bool is_sgdid(ms_field field)
{
  if (field.length != 10 || field.text[0] != 'S')
    return false;
  for (size_t i = 1; i < field.length; i++)
    if (field.text[i] < '0' || field.text[i] > '9')
      return false;
  return true;
}

/* Is the current line one of SGD's GO slim: seven columns, the third an SGDID, the fourth an
 * aspect? */
static bool is_go_slim(ms_text *text)
{
  enum { SGDID = 2, ASPECT = 3, COLUMNS = 7 };
  ms_field fields[COLUMNS + 1];
  uint32_t count;
  return ms_text_split(text, MS_TAB, COLUMNS + 1, fields, &count, NULL) == MS_OK &&
         count == COLUMNS && is_sgdid(fields[SGDID]) && ms_is_aspect(fields[ASPECT]);
}

/* Is this a file of gene sets: the ending, or lines whose cells from the third on are vertices and
 * whose first two are none?  Refuses a table that may be one, since sets have names of vertices, or
 * all have as many genes. */
static ms_status is_gmt(const ms_text *text, const ms_sample *sample, const ms_graph *graph,
                        bool *gmt, ms_error *err)
{
  const ms_head head = {.path = text->label};
  uint32_t known = 0, genes = 0, sets = 0, numbers = 0;
  uint64_t number;
  bool ragged = false;
  *gmt = false;
  if (sample->lines == 0 || sample->delimiter != MS_TAB)
    return MS_OK;
  if (ms_head_has_suffix(&head, ".gmt")) {
    *gmt = true;
    return MS_OK;
  }
  for (uint32_t i = 0; i < sample->lines; i++) {
    const ms_sample_line *line = &sample->line[i];
    ms_field set = ms_sample_cell(sample, i, 0);
    ragged |= line->count != sample->line[0].count;
    if (line->count < 3)
      return MS_OK;
    for (uint32_t c = 0; c < line->count; c++) {
      ms_field cell = ms_sample_cell(sample, i, c);
      bool vertex =
          cell.length > 0 && ms_graph_find_text(graph, cell.text, cell.length) != MS_NO_ID;
      bool repeats = cell.length == set.length && memcmp(cell.text, set.text, set.length) == 0;
      if (c == 1 && vertex && !repeats) /* no description */
        return MS_OK;
      sets += c == 0 && vertex;
      known += c > 1 && vertex;
      numbers += c > 1 && vertex && ms_field_count(cell, UINT64_MAX, &number);
      genes += c > 1 && cell.length > 0;
    }
  }
  *gmt = ragged && known > 0 && sets == 0;
  bool wide = sample->line[0].count > 3 && 2 * known > genes && (sets == 0 || numbers == 0);
  if (*gmt || known == 0 || !(ragged || wide))
    return MS_OK;
  return ms_text_fail(text, err,
                      "the file may hold gene sets (GMT): a set, a description, and vertices of %s "
                      "in each line; say so by `colors.format` gmt, or by `colors.format` tsv that "
                      "the second column holds colours",
                      graph->path);
}

/* In a table between blanks without chosen columns, the colour is the rest of the line. */
static ms_delimiter_rule *delimiter_rule(const ms_color_options *options)
{
  bool columns = options->name_column || options->color_column;
  return columns || options->format == MS_COLORS_WIDE ? ms_text_delimiter : ms_color_delimiter;
}

/* Reads the sample from which the layout of a table is found; *gaf: the file is no table. */
static ms_status look(ms_text *text, const ms_color_options *options, bool *gaf, bool *literal,
                      ms_sample **sample, ms_error *err)
{
  MS_TRY(read_marks(text, gaf, literal, err));
  return ms_sample_read(text, delimiter_rule(options), sample, err);
}

static bool has_table_options(const ms_color_options *options)
{
  return options->name_column || options->color_column || options->separator || options->header;
}

static bool is_table(ms_color_format format)
{
  return formats[format].options & HAS_COLUMNS;
}

static ms_status check_format(const ms_text *text, const ms_color_options *options,
                              ms_color_format format, ms_error *err)
{
  MS_TRY(check_option(text, format, HAS_ASPECTS, !all_aspects(options->aspects), "GO aspects are",
                      "a GO slim file or a GAF file", err));
  MS_TRY(check_option(text, format, HAS_TERMS, options->obo, "settings for ontology terms are",
                      "a GAF, GPAD or gene2go file", err));
  MS_TRY(check_option(text, format, HAS_COLUMNS, options->name_column || options->color_column,
                      "columns are", "a plain table", err));
  return check_option(text, format, HAS_COLUMNS, options->separator, "settings for separators are",
                      "a plain table", err);
}

/* Detects the format and moves to the first data line. */
static ms_status find_format(ms_text *text, const ms_color_options *options, ms_color_rows *rows,
                             ms_error *err)
{
  bool gaf = false;
  ms_sample *sample = NULL;
  ms_color_format *format = &rows->info.format;
  ms_status status = look(text, options, &gaf, &rows->literal, &sample, err);
  bool sampled = status == MS_OK && sample->lines > 0;
  if (sampled && !gaf) {
    ms_text_set_delimiter(text, sample->delimiter);
    text->quoted = sample->quoted && !rows->literal;
  }
  if (status == MS_OK)
    status = ms_text_next_data(text, err);
  if (status == MS_OK && text->line)
    rows->delimiter = sampled ? sample->delimiter : delimiter_rule(options)(text);
  if (status == MS_OK && !text->line)
    status = ms_fail(err, MS_ERR_INPUT, "%s: holds no colours; give a file of vertex and colour",
                     text->label);
  *format = options->format;
  if (status == MS_OK && *format == MS_COLORS_AUTO) {
    bool gmt = false, table = rows->literal || has_table_options(options);
    *format = rows->literal      ? MS_COLORS_TSV
              : gaf              ? MS_COLORS_GAF
              : is_go_slim(text) ? MS_COLORS_GO_SLIM
                                 : MS_COLORS_TSV;
    if (*format == MS_COLORS_TSV && !table)
      status = is_gmt(text, sample, rows->graph, &gmt, err);
    *format = gmt ? MS_COLORS_GMT : *format;
  }
  if (status == MS_OK)
    status = check_format(text, options, *format, err);
  rows->layout.format = *format;
  bool settled = rows->literal && *format == MS_COLORS_TSV && !has_table_options(options);
  if (status == MS_OK && is_table(*format) && !settled) {
    status = ms_color_layout_find(text, sample, rows->graph, options, &rows->layout, err);
    *format = rows->layout.format;
  }
  ms_sample_free(sample);
  return status;
}

/* ---- vertices that the graph lacks ------------------------------------------ */

/* "'A' (line 2), 'B' (line 3) and 'C' (line 4)" */
static void list_unknown(const ms_color_rows *rows, char *text, size_t room)
{
  size_t used = 0;
  for (int i = 0; i < MS_UNKNOWN_EXAMPLES && rows->unknown[i].name && used < room; i++) {
    const char *name = rows->unknown[i].name;
    bool last = i + 1 == MS_UNKNOWN_EXAMPLES || !rows->unknown[i + 1].name;
    int written =
        snprintf(text + used, room - used, "%s'%.*s' (line %llu)",
                 i == 0 ? ""
                 : last ? " and "
                        : ", ",
                 ms_name_clip(name, strlen(name)), name, (unsigned long long)rows->unknown[i].line);
    used += (size_t)written;
  }
}

static ms_status refuse_names(const ms_text *text, const ms_color_rows *rows, ms_error *err)
{
  char names[400] = "", column[100] = "choose another column (`colors.name_column`)";
  bool lists = rows->info.format == MS_COLORS_LISTS, some = rows->pairs.count > 0;
  const char *ours = ms_names_get(rows->graph->names, 0);
  list_unknown(rows, names, sizeof names);
  if (rows->layout.hint > 0)
    snprintf(column, sizeof column, "choose column %u, which names vertices (`colors.name_column`)",
             rows->layout.hint);
  if (!is_table(rows->info.format))
    snprintf(column, sizeof column, "use the same kind of names in both");
  char count[100];
  snprintf(count, sizeof count, "%llu of %llu %s name",
           (unsigned long long)rows->info.unknown_vertices, (unsigned long long)rows->info.mentions,
           lists ? "names in lists" : "lines");
  return ms_fail(
      err, MS_ERR_INPUT,
      "%s: %s %s vertex of %s, such as %s; the graph has names like '%.*s'; give other names "
      "of the vertices (`aliases`), %s%s%s",
      text->label, some ? count : "none of its lines names", some ? "no" : "a", rows->graph->path,
      names, ms_name_clip(ours, strlen(ours)), ours, some ? "" : "or ", column,
      some ? ", or skip these lines (`colors.ignore_unknown`)" : "");
}

/* Refuses a table of which most lines name no vertex: its names are probably of another kind. */
static ms_status check_rows(const ms_text *text, const ms_color_options *options,
                            const ms_color_rows *rows, ms_error *err)
{
  bool most = is_table(rows->info.format) &&
              rows->info.unknown_vertices * 2 > rows->info.mentions && !options->ignore_unknown;
  if (rows->unknown[0].name && rows->graph->n > 0 && (most || rows->pairs.count == 0))
    return refuse_names(text, rows, err);
  if (rows->pairs.count == 0 && rows->info.outside_slim > 0)
    return ms_fail(err, MS_ERR_INPUT,
                   "%s: no term of a vertex is at or below a term of the slim %s (%llu lines have "
                   "terms outside it); give a broader slim, or the ontology that belongs to it",
                   text->label, options->slim, (unsigned long long)rows->info.outside_slim);
  return rows->pairs.count > 0
             ? MS_OK
             : ms_fail(err, MS_ERR_INPUT,
                       "%s: gives no vertex a colour; give a file of vertex and colour",
                       text->label);
}

static ms_status read_rows(ms_text *text, const ms_color_options *options, ms_color_rows *rows,
                           ms_error *err)
{
  rows->text = text;
  ms_status status = find_format(text, options, rows, err);
  if (status == MS_OK)
    status = formats[rows->info.format].read(text, options, rows, err);
  return status == MS_OK ? check_rows(text, options, rows, err) : status;
}

static ms_status build(const char *path, const ms_text *text, ms_color_rows *rows,
                       ms_coloring **out, ms_error *err)
{
  uint32_t *alias_of;
  ms_status status = ms_pairs_seconds(&rows->alias_of, &alias_of, err);
  if (status != MS_OK)
    return status;
  status =
      ms_coloring_build(rows->graph->n, rows->pairs.count, (const uint32_t(*)[2])rows->pairs.pair,
                        rows->names, rows->aliases, alias_of, out, err);
  rows->names = rows->aliases = NULL; /* ms_coloring_build owns them */
  if (status != MS_OK)
    return status;
  (*out)->graph_serial = rows->graph->serial;
  rows->info.lines = text->number;
  rows->info.crc32c = text->crc32c;
  return ms_coloring_set_source(*out, path, &rows->info, err);
}

ms_status ms_coloring_read(const char *path, const ms_graph *graph, const ms_color_options *options,
                           ms_coloring **out, ms_error *err)
{
  MS_REQUIRE(out, err);
  *out = NULL;
  MS_REQUIRE(path, err);
  MS_REQUIRE(graph, err);
  ms_color_options o;
  ms_color_rows rows = {.graph = graph};
  ms_text *text = NULL;
  MS_TRY(ms_options_take(&ms_color_options_kind, options, &o, err));
  MS_TRY(check_options(path, &o, err));
  ms_status status = ms_text_open(path, &text, err);
  ms_graph_is_input(graph);
  if (status == MS_OK)
    status = ms_names_new(&rows.names, err);
  if (status == MS_OK)
    status = ms_names_new(&rows.aliases, err);
  if (status == MS_OK)
    status = read_rows(text, &o, &rows, err);
  if (status == MS_OK)
    status = build(path, text, &rows, out, err);
  if (status != MS_OK) {
    ms_coloring_free(*out);
    *out = NULL;
  }
  ms_text_close(text);
  ms_names_free(rows.names);
  ms_names_free(rows.aliases);
  ms_free(rows.pairs.pair);
  ms_free(rows.alias_of.pair);
  ms_spellings_free(rows.spellings);
  for (int i = 0; i < MS_UNKNOWN_EXAMPLES; i++)
    ms_free(rows.unknown[i].name);
  return status;
}
