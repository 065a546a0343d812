/* The layouts of colour tables; see layout.h. */
#include "graph/formats/colors/layout.h"

#include "base/status.h"
#include "graph/io/columns.h"
#include "graph/io/titles.h"

#include <stdio.h>
#include <string.h>

/* ---- cells ----------------------------------------------------------------- */

bool ms_color_mark(ms_field cell, bool *set)
{
  static const char *const yes[] = {"1", "x", "true", "yes", "+", "t", "y", "1.0", NULL};
  static const char *const no[] = {"0", "false", "no", "f", "n", "0.0", NULL};
  *set = false;
  for (const char *const *word = yes; *word; word++)
    *set |= ms_field_alike(cell, *word);
  for (const char *const *word = no; *word && !*set; word++)
    if (ms_field_alike(cell, *word))
      return true;
  return *set || ms_field_missing(cell);
}

/* Finds the end of the part at the front of the text; *mark: the bytes of the separator there. */
static size_t find_end(ms_field text, const char *separator, size_t *mark)
{
  size_t at = 0;
  *mark = separator ? strlen(separator) : 1;
  if (separator) {
    const char *found = memmem(text.text, text.length, separator, *mark);
    return found ? (size_t)(found - text.text) : text.length;
  }
  while (at < text.length && !memchr(",;|", text.text[at], 3))
    at++;
  return at;
}

bool ms_cell_next(ms_field *rest, const char *separator, ms_field *part)
{
  size_t mark;
  if (!rest->text)
    return false;
  size_t end = find_end(*rest, separator, &mark);
  *part = ms_field_trim((ms_field){rest->text, end});
  *rest = end < rest->length ? (ms_field){rest->text + end + mark, rest->length - end - mark}
                             : (ms_field){NULL, 0};
  return true;
}

ms_field ms_without_brackets(ms_field name)
{
  while (name.length > 1 && name.text[0] == '(' &&
         (!memchr(name.text, ')', name.length) || name.text[name.length - 1] == ')'))
    name = (ms_field){name.text + 1, name.length - 1};
  while (name.length > 1 && name.text[name.length - 1] == ')' &&
         !memchr(name.text, '(', name.length))
    name.length--;
  return name;
}

typedef struct table {
  ms_text at; /* label and line number, for messages */
  const ms_sample *sample;
  const ms_graph *graph;
  const ms_color_options *options;
  uint32_t name, color; /* columns of a long table, from 0 */
  bool chosen;          /* one of them is chosen */
} table;

/* Returns a cell; in a table between blanks the second one reaches to the end of the line. */
static ms_field cell(const table *t, uint32_t line, uint32_t column)
{
  const ms_sample_line *l = &t->sample->line[line];
  ms_field first = ms_sample_cell(t->sample, line, column);
  if (t->sample->delimiter != MS_BLANKS || column != 1 || l->count < 2)
    return first;
  ms_field last = t->sample->cell[l->first + l->count - 1];
  return (ms_field){first.text, (size_t)(last.text + last.length - first.text)};
}

static bool is_vertex(const table *t, ms_field name)
{
  return name.length > 0 && ms_graph_find_text(t->graph, name.text, name.length) != MS_NO_ID;
}

/* Does the cell list several names, at least half of which are vertices? */
static bool lists_vertices(const table *t, ms_field list)
{
  ms_field part, word;
  uint32_t parts = 0, known = 0;
  if (list.length == 0 || is_vertex(t, list))
    return false;
  while (ms_cell_next(&list, NULL, &part))
    while (ms_field_word(&part, &word)) {
      parts++;
      known += is_vertex(t, word) || is_vertex(t, ms_without_brackets(word));
    }
  return parts > 1 && 2 * known >= parts;
}

/* ---- wide tables ----------------------------------------------------------- */

/* How the lines of a table look that may be wide. */
typedef struct marks {
  uint32_t columns; /* of lines below the header */
  uint32_t shift;   /* 1: the header lacks a title for the vertices */
  bool empty;       /* a cell is empty */
} marks;

/* Colours may be called T and Y. */
static bool is_wide_header(const table *t, const marks *m)
{
  bool set;
  const ms_sample_line *header = &t->sample->line[0];
  for (uint32_t c = 0; c < header->count; c++) {
    ms_field title = t->sample->cell[header->first + c];
    if ((m->shift || c != t->name) && ms_color_mark(title, &set) &&
        !(title.length == 1 && strchr("TFYNtfyn", *title.text)))
      return false;
  }
  return m->shift || !is_vertex(t, ms_sample_cell(t->sample, 0, t->name));
}

/* Do all cells below the first line hold marks, in as many columns as it has titles? */
static bool find_marks(const table *t, marks *m)
{
  const ms_sample *s = t->sample;
  bool set;
  if (s->lines < 2 || s->delimiter == MS_BLANKS || t->options->color_column ||
      t->options->separator)
    return false;
  *m = (marks){.columns = s->line[1].count};
  m->shift = m->columns == s->line[0].count + 1;
  if (m->columns < 2 || s->line[0].count + m->shift != m->columns || (m->shift && t->name != 0))
    return false;
  for (uint32_t i = 1; i < s->lines; i++) {
    if (s->line[i].count != m->columns)
      return false;
    for (uint32_t c = 0; c < m->columns; c++) {
      ms_field mark = ms_sample_cell(s, i, c);
      if (c != t->name && !ms_color_mark(mark, &set))
        return false;
      m->empty |= c != t->name && mark.length == 0;
    }
  }
  return is_wide_header(t, m);
}

/* With one column of marks, "1" may as well be the name of a colour. */
static ms_status ask_for_wide(table *t, ms_error *err)
{
  ms_field title = ms_sample_cell(t->sample, 0, 1 - t->name);
  return ms_text_fail(
      &t->at, err,
      "the column '%.*s' may mark the vertices that have this colour, or it may hold "
      "colours with names such as '0' and '1'; say which by `colors.format` wide or "
      "tsv",
      ms_name_clip(title.text, title.length), title.text);
}

/* ---- lists ----------------------------------------------------------------- */

/* Sets the columns of a table of lists: those that are chosen, else colour first. */
static void count_lists(const table *t, uint32_t column, uint32_t *whole, uint32_t *lists)
{
  *whole = *lists = 0;
  for (uint32_t i = 0; i < t->sample->lines; i++) {
    ms_field name = cell(t, i, column);
    *whole += is_vertex(t, name);
    *lists += lists_vertices(t, name);
  }
}

static ms_status find_lists(table *t, ms_color_layout *layout, ms_error *err)
{
  uint32_t whole, lists, other, lines = t->sample->lines;
  count_lists(t, t->name, &whole, &lists);
  if (t->chosen) {
    layout->format = lists > whole ? MS_COLORS_LISTS : MS_COLORS_TSV;
    return MS_OK;
  }
  count_lists(t, 1, &other, &lists);
  bool listed = lists > 0 && 2 * (lists + other) > lines - (lines > 2);
  if (listed && whole == 0)
    layout->format = MS_COLORS_LISTS;
  else if (listed && 2 * whole > lines)
    return ms_text_fail(
        &t->at, err,
        "both columns name vertices of %s; say whether the second column is a colour "
        "(`colors.format` tsv) or lists the vertices of a colour (`colors.format` "
        "lists)",
        t->graph->path);
  return MS_OK;
}

/* Does the cell list several words, whether or not they are vertices? */
static bool lists_words(ms_field list)
{
  ms_field part, word;
  uint32_t parts = 0;
  while (ms_cell_next(&list, NULL, &part)) {
    if (!ms_field_word(&part, &word) || ms_field_word(&part, &word))
      return false;
    parts++;
  }
  return parts > 1;
}

/* Refuses a titled table whose first column is a serial number that happens to name vertices, if a
 * later column holds lists of names.  These need not be names of the graph. */
static ms_status refuse_serials(table *t, ms_error *err)
{
  uint32_t lines = t->sample->lines, columns = t->sample->line[0].count;
  uint64_t number;
  if (t->chosen || lines < 2 || columns < 3 || is_vertex(t, ms_sample_cell(t->sample, 0, 0)))
    return MS_OK;
  for (uint32_t i = 1; i < lines; i++)
    if (!ms_field_count(ms_sample_cell(t->sample, i, 0), UINT64_MAX, &number))
      return MS_OK;
  for (uint32_t c = 1; c < columns && c < MS_MAX_COLUMNS; c++) {
    uint32_t lists = 0, whole = 0;
    for (uint32_t i = 1; i < lines; i++) {
      ms_field names = cell(t, i, c), word;
      bool several = lists_words(names);
      lists += several;
      whole += !several && ms_field_word(&names, &word) && names.length == 0;
    }
    ms_field title = ms_sample_cell(t->sample, 0, c);
    if (lists > 0 && 2 * (lists + whole) > lines - 1)
      return ms_text_fail(
          &t->at, err,
          "column 1 holds numbers, which may be serial numbers and no vertices, and column %u "
          "('%.*s') lists names; choose the columns of vertices and of colours "
          "(`colors.name_column` %u with `colors.color_column`, or `colors.name_column` 1)",
          c + 1, ms_name_clip(title.text, title.length), title.text, c + 1);
  }
  return MS_OK;
}

static bool is_vertex_title(ms_field title)
{
  return ms_title_is_vertex(title) || ms_field_alike(title, "cell");
}

/* ---- tables of nodes ---------------------------------------------------------- */

/* "2 'name', 3 'selected'": all columns except those of vertices and colours. */
static void list_columns(const table *t, char *text, size_t room)
{
  size_t used = 0;
  text[0] = '\0';
  for (uint32_t c = 0; c < t->sample->line[0].count && used < room; c++) {
    ms_field title = ms_sample_cell(t->sample, 0, c);
    if (c != t->name && c != t->color)
      used += (size_t)snprintf(text + used, room - used, "%s%u '%.*s'", used > 0 ? ", " : "", c + 1,
                               ms_name_clip(title.text, title.length), title.text);
  }
}

/* Refuses tables of nodes whose first two columns are no vertices and colours: Gephi's, whose
 * labels repeat the ids, and Cytoscape's, which begins with serial numbers. */
static ms_status refuse_nodes(table *t, ms_error *err)
{
  char others[200];
  uint32_t lines = t->sample->lines, copies = 0, different = 0;
  if (lines > 1 && !t->options->name_column && ms_field_is(ms_sample_cell(t->sample, 0, 0), "SUID"))
    return ms_text_fail(
        &t->at, err,
        "this is Cytoscape's table of nodes, whose column 'SUID' holds serial numbers; choose the "
        "columns of vertices and of colours (`colors.name_column` name with "
        "`colors.color_column`)");
  if (t->options->color_column || t->sample->line[0].count < 3)
    return MS_OK;
  for (uint32_t i = 0; i < lines; i++) {
    ms_field name = cell(t, i, t->name), color = cell(t, i, t->color);
    bool same = name.length == color.length && memcmp(name.text, color.text, name.length) == 0;
    copies += same && name.length > 0;
    different += !same && color.length > 0;
  }
  if (copies < 2 || 9 * (different - (different > 0)) > copies) /* one line may hold titles */
    return MS_OK;
  list_columns(t, others, sizeof others);
  return ms_text_fail(&t->at, err,
                      "column %u repeats the names of vertices, so that each would have a colour "
                      "of its own; choose the column of colours (`colors.color_column`): %s",
                      t->color + 1, others);
}

/* Refuses a table whose title calls a later column that of vertices, and whose cells are some. */
static ms_status refuse_later_names(table *t, ms_error *err)
{
  uint32_t lines = t->sample->lines, columns = t->sample->line[0].count;
  ms_field first = cell(t, 0, 0);
  if (t->chosen || lines < 2 || first.length == 0 || is_vertex(t, first) || is_vertex_title(first))
    return MS_OK;
  for (uint32_t c = 1; c < columns && c < MS_MAX_COLUMNS; c++) {
    ms_field title = cell(t, 0, c);
    uint32_t whole = 0;
    for (uint32_t i = 1; i < lines; i++)
      whole += is_vertex(t, cell(t, i, c));
    if (is_vertex_title(title) && !is_vertex(t, title) && 2 * whole >= lines - 1)
      return ms_text_fail(
          &t->at, err,
          "the title '%.*s' says that column %u names the vertices, and not the first one; choose "
          "the columns of vertices and of colours (`colors.name_column` %u with "
          "`colors.color_column`, or `colors.name_column` 1)",
          ms_name_clip(title.text, title.length), title.text, c + 1, c + 1);
  }
  return MS_OK;
}

/* ---- several colours in a cell ------------------------------------------------ */

/* Do colours of the list occur alone, too: one of them or, with `all`, each? */
static bool has_known_parts(const ms_names *alone, ms_field list, const char *separator, bool all)
{
  ms_field part;
  bool known = all;
  while (known == all && ms_cell_next(&list, separator, &part))
    known = ms_names_find(alone, part.text, part.length) != MS_NO_ID;
  return known;
}

/* Names of terms hold commas and slashes: "protein binding, bridging" is no list. */
static ms_status ask_for_separator(table *t, const ms_names *alone, ms_error *err)
{
  static const char *const separators[] = {"|", ";", ",", "//", " / ", "/"};
  for (uint32_t i = 0; i < t->sample->lines; i++)
    for (size_t s = 0; s < sizeof separators / sizeof *separators; s++) {
      const char *separator = separators[s];
      ms_field list = cell(t, i, t->color);
      if (!memmem(list.text, list.length, separator, strlen(separator)) ||
          !has_known_parts(alone, list, separator, s > 1))
        continue;
      t->at.number = t->sample->line[i].number;
      return ms_text_fail(&t->at, err,
                          "'%.*s' seems to list several colours, %s in "
                          "another line; give the separator (`colors.separator` '%s'), or say that "
                          "each cell is one colour (`colors.separator` none)",
                          ms_name_clip(list.text, list.length), list.text,
                          s > 1 ? "each of which occurs alone" : "one of which occurs alone",
                          separator);
    }
  return MS_OK;
}

static ms_status check_separators(table *t, ms_error *err)
{
  ms_names *alone = NULL;
  uint32_t id;
  if (t->options->separator)
    return MS_OK;
  ms_status status = ms_names_new(&alone, err);
  for (uint32_t i = 0; i < t->sample->lines && status == MS_OK; i++) {
    ms_field color = cell(t, i, t->color);
    if (color.length > 0 && !ms_name_problem(color.text, color.length))
      status = ms_names_add(alone, color.text, color.length, &id, err);
  }
  if (status == MS_OK)
    status = ask_for_separator(t, alone, err);
  ms_names_free(alone);
  return status;
}

/* ---- all of it ------------------------------------------------------------- */

/* Finds a column that is chosen by number or by a title; otherwise leaves it, and the reader
 * reports it. */
static void find_column(const table *t, const char *chosen, uint32_t *column)
{
  uint64_t number;
  const ms_sample_line *header = &t->sample->line[0];
  if (!chosen)
    return;
  if (ms_field_count((ms_field){chosen, strlen(chosen)}, MS_MAX_LINE, &number) && number > 0)
    *column = (uint32_t)number - 1;
  else
    for (uint32_t c = 0; c < header->count; c++)
      if (ms_field_is(t->sample->cell[header->first + c], chosen))
        *column = c;
}

/* Finds another column than the one of names, in which most cells name vertices. */
static uint32_t find_hint(const table *t)
{
  uint32_t best = 0, most = t->sample->lines / 2, whole, lists;
  for (uint32_t c = 0; c < t->sample->line[0].count && c < MS_MAX_COLUMNS; c++) {
    if (c == t->name)
      continue;
    count_lists(t, c, &whole, &lists);
    if (whole + lists > most) {
      most = whole + lists;
      best = c + 1;
    }
  }
  return best;
}

/* Does the first column hold 0, 1, 2, .. or 1, 2, .. below the header? */
static bool is_index(const ms_sample *sample)
{
  uint64_t number, first = 0;
  for (uint32_t i = 1; i < sample->lines; i++) {
    if (!ms_field_count(ms_sample_cell(sample, i, 0), UINT64_MAX, &number))
      return false;
    first = i == 1 ? number : first;
    if (number != first + i - 1 || first > 1)
      return false;
  }
  return true;
}

/* Does each line have one cell more than the header, as R writes names of rows, and its second cell
 * name a vertex in most lines? */
static bool has_row_names(const table *t)
{
  const ms_sample *s = t->sample;
  uint32_t known = 0;
  if (t->chosen || s->lines < 2 || s->line[0].count < 2 || is_vertex(t, ms_sample_cell(s, 0, 0)))
    return false;
  for (uint32_t i = 1; i < s->lines; i++) {
    if (s->line[i].count != s->line[0].count + 1)
      return false;
    known += is_vertex(t, ms_sample_cell(s, i, 1));
  }
  return 2 * known > s->lines - 1;
}

/* Keeps the title of the vertices, the column that negates lines, and whether colours are signs. */
static void note_cells(const table *t, ms_field title, ms_color_layout *layout)
{
  static const char *const words[] = {"negated", "is_negated", "negation", "isnegated", NULL};
  if (!is_vertex(t, title) && is_vertex_title(title) && title.length < sizeof layout->title)
    memcpy(layout->title, title.text, title.length);
  for (uint32_t c = 0; c < t->sample->line[0].count; c++)
    for (const char *const *w = words; *w && c != t->name && c != t->color; w++)
      if (ms_field_alike(ms_sample_cell(t->sample, 0, c), *w))
        layout->negated = c + 1;
  for (uint32_t i = 0; i < t->sample->lines; i++)
    layout->signs |= ms_field_is(cell(t, i, t->color), "+");
}

ms_status ms_color_layout_find(const ms_text *text, const ms_sample *sample, const ms_graph *graph,
                               const ms_color_options *options, ms_color_layout *layout,
                               ms_error *err)
{
  table t = {.at = {.label = text->label, .number = text->number},
             .sample = sample,
             .graph = graph,
             .options = options,
             .color = 1,
             .chosen = options->name_column || options->color_column};
  marks m = {.columns = 0};
  *layout = (ms_color_layout){.format = options->format ? options->format : MS_COLORS_TSV};
  if (sample->lines == 0)
    return MS_OK;
  find_column(&t, options->name_column, &t.name);
  find_column(&t, options->color_column, &t.color);
  if (options->format == MS_COLORS_WIDE && sample->lines > 1 && !options->name_column)
    layout->shift = sample->line[1].count == sample->line[0].count + 1;
  if (options->format == MS_COLORS_AUTO && find_marks(&t, &m)) {
    layout->format = MS_COLORS_WIDE;
    layout->shift = m.shift;
    return m.columns > 2 || m.empty ? MS_OK : ask_for_wide(&t, err);
  }
  if (options->format == MS_COLORS_AUTO && has_row_names(&t)) {
    layout->indexed = layout->header = true;
    return MS_OK;
  }
  if (options->format == MS_COLORS_AUTO)
    MS_TRY(find_lists(&t, layout, err));
  if (options->format == MS_COLORS_AUTO && layout->format == MS_COLORS_TSV)
    MS_TRY(refuse_serials(&t, err));
  if (options->format == MS_COLORS_AUTO && layout->format == MS_COLORS_TSV)
    MS_TRY(refuse_nodes(&t, err));
  if (options->format == MS_COLORS_AUTO && layout->format == MS_COLORS_TSV)
    MS_TRY(refuse_later_names(&t, err));
  ms_field title = cell(&t, 0, t.name);
  note_cells(&t, title, layout);
  bool untitled = !t.chosen && title.length == 0 && sample->lines > 1 && sample->line[0].count > 1;
  if (untitled && layout->format == MS_COLORS_TSV && sample->line[0].count > 2 &&
      is_index(sample)) {
    layout->indexed = layout->header = true;
    return MS_OK;
  }
  layout->header = layout->format == MS_COLORS_TSV && !options->header && sample->lines > 1 &&
                   !is_vertex(&t, title) && (untitled || ms_title_is_vertex(title));
  layout->hint = find_hint(&t);
  return layout->format == MS_COLORS_TSV ? check_separators(&t, err) : MS_OK;
}
