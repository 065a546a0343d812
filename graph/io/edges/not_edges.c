/* Tables that are no lists of edges; see not_edges.h. */
#include "graph/io/edges/not_edges.h"

#include "base/status.h"
#include "graph/io/edges/directions.h"

#include <math.h>
#include <string.h>

static bool is_number(ms_field field)
{
  double value;
  return ms_field_real(field, &value);
}

/* ---- matrices -------------------------------------------------------------- */

/* Do the lines repeat the names of the first line, each in its first cell, with numbers behind? The
 * first line may lack a title of its first column. */
static bool is_named_matrix(const ms_sample *s)
{
  enum { LEAST = 3, MANY = 20 }; /* lines; the sample may lack some of a matrix of many */
  if (s->lines < LEAST || s->line[0].count < LEAST - 1)
    return false;
  uint32_t columns = s->line[1].count, shift = s->line[0].count == columns;
  if (s->line[0].count + 1 - shift != columns || (s->lines != columns && s->lines < MANY) ||
      (shift && is_number(ms_sample_cell(s, 0, 0)))) /* three edges with weights may look alike */
    return false;
  for (uint32_t i = 1; i < s->lines; i++) {
    if (s->line[i].count != columns || i - 1 + shift >= s->line[0].count ||
        !ms_field_equal(ms_sample_cell(s, i, 0), ms_sample_cell(s, 0, i - 1 + shift)))
      return false;
    for (uint32_t c = 1; c < columns; c++)
      if (!is_number(ms_sample_cell(s, i, c)))
        return false;
  }
  return true;
}

/* Is it a square of numbers that is symmetric, or holds only 0 and 1? */
static bool is_bare_matrix(const ms_sample *s)
{
  enum { LEAST = 4 }; /* lines: fewer may be edges with weights */
  bool symmetric = true, bits = true;
  if (s->lines < LEAST)
    return false;
  for (uint32_t i = 0; i < s->lines; i++) {
    if (s->line[i].count != s->lines)
      return false;
    for (uint32_t c = 0; c < s->lines; c++) {
      ms_field cell = ms_sample_cell(s, i, c);
      double value;
      if (!ms_field_real(cell, &value))
        return false;
      symmetric &= ms_field_equal(cell, ms_sample_cell(s, c, i));
      bits &= value == 0 || value == 1;
    }
  }
  return symmetric || bits;
}

/* Are there only numbers, four or more a line, of which the first two are equal in most lines?  Few
 * edges join a vertex to itself, and most numbers of a matrix are 0: so is the first in most lines,
 * then, and most of all in wide lines. */
static bool is_sparse_matrix(const ms_sample *s)
{
  enum { LEAST = 4, WIDE = 8 }; /* columns */
  uint32_t equal = 0, first = 0, zeros = 0;
  for (uint32_t i = 0; i < s->lines; i++) {
    for (uint32_t c = 0; c < s->line[i].count; c++) {
      bool zero = ms_field_is(ms_sample_cell(s, i, c), "0");
      if (!is_number(ms_sample_cell(s, i, c)))
        return false;
      zeros += zero;
      first += zero && c == 0;
    }
    if (s->line[i].count < LEAST)
      return false;
    equal += ms_field_equal(ms_sample_cell(s, i, 0), ms_sample_cell(s, i, 1));
  }
  bool wide = s->lines > 1 && s->line[0].count >= WIDE;
  return 2 * equal > s->lines || (wide && 2 * first > s->lines && 2 * zeros > s->cells);
}

/* ---- ends in other columns ----------------------------------------------------- */

/* The names of the first three columns. */
typedef struct columns {
  ms_names *names[3];
  bool numbers[3]; /* all cells are numbers */
  double greatest[3];
  bool ascending; /* the numbers of column 1 */
  bool mixed;     /* a name of column 2 is elsewhere, too, or is a number */
} columns;

static ms_status collect(const ms_sample *s, uint32_t from, columns *c, ms_error *err)
{
  uint32_t id;
  double value = 0, before = -INFINITY;
  c->ascending = true;
  for (int k = 0; k < 3; k++) {
    MS_TRY(ms_names_new(&c->names[k], err));
    c->numbers[k] = true;
    c->greatest[k] = -INFINITY;
    for (uint32_t i = from; i < s->lines; i++) {
      ms_field name = ms_sample_cell(s, i, (uint32_t)k);
      bool number = ms_field_decimal(name, s->delimiter, &value);
      c->numbers[k] &= number;
      c->mixed |= k == 1 && number;
      c->ascending &= k != 0 || (number && value >= before);
      before = value;
      c->greatest[k] = number && value > c->greatest[k] ? value : c->greatest[k];
      if (!ms_name_problem(name.text, name.length))
        MS_TRY(ms_names_add(c->names[k], name.text, name.length, &id, err));
    }
  }
  return MS_OK;
}

/* How many names do both hold? */
static uint32_t count_shared(const ms_names *a, const ms_names *b)
{
  uint32_t shared = 0;
  for (uint32_t i = 0; i < ms_names_count(a); i++) {
    const char *name = ms_names_get(a, i);
    shared += ms_names_find(b, name, strlen(name)) != MS_NO_ID;
  }
  return shared;
}

/* Do they share many names?  Weights are few of many numbers. */
static bool share_many(const ms_names *a, const ms_names *b)
{
  uint32_t shared = count_shared(a, b);
  return 8 * shared >= ms_names_count(a) + ms_names_count(b) - shared;
}

/* Columns 1 and 3 share names, and those of column 2 are in neither, and recur where there are
 * numbers. */
static bool has_relations(const columns *c, uint32_t lines)
{
  return !c->mixed && count_shared(c->names[1], c->names[0]) == 0 &&
         count_shared(c->names[1], c->names[2]) == 0 &&
         count_shared(c->names[0], c->names[2]) > 0 &&
         (ms_names_count(c->names[1]) < lines || (!c->numbers[0] && !c->numbers[2]));
}

/* Columns 1 and 3 share many names, and column 2 has very few, numbers or entities among them. */
static bool has_few_relations(const columns *c, uint32_t lines)
{
  enum { MANY = 20 }; /* lines for each */
  uint32_t few = ms_names_count(c->names[1]);
  return MANY * few <= lines && 4 * few <= ms_names_count(c->names[0]) &&
         4 * few <= ms_names_count(c->names[2]) && share_many(c->names[0], c->names[2]);
}

/* Columns 2 and 3 share many names, and column 1 has hardly one of them: times that ascend, or
 * other names.  In a few lines, weights may happen to be names: then the times must be greater. */
static bool has_times(const columns *c, uint32_t lines)
{
  enum { LEAST = 3, MANY = 20 }; /* lines */
  uint32_t shared = count_shared(c->names[0], c->names[1]);
  bool greater =
      !c->numbers[1] || lines >= MANY || c->greatest[0] > fmax(c->greatest[1], c->greatest[2]);
  bool apart = c->numbers[0] ? c->ascending && greater && 4 * shared < ms_names_count(c->names[0])
                             : shared == 0 && !c->numbers[2];
  return lines >= LEAST && apart && ms_names_count(c->names[0]) > 1 &&
         share_many(c->names[1], c->names[2]);
}

/* Where the ends of edges seem to be. */
typedef struct ends {
  bool relations; /* in columns 1 and 3, and column 2 says how they are joined */
  bool times;     /* in columns 2 and 3 */
} ends;

/* given: the format is, and numbers may be scores: then only words prove something. */
static ms_status find_ends(const ms_sample *s, uint32_t from, bool given, ends *found,
                           ms_error *err)
{
  enum { LEAST = 2 }; /* lines */
  columns c = {.mixed = false};
  if (s->lines < from + LEAST)
    return MS_OK;
  for (uint32_t i = from; i < s->lines; i++)
    if (s->line[i].count < 3)
      return MS_OK;
  ms_status status = collect(s, from, &c, err);
  if (status == MS_OK) {
    uint32_t lines = s->lines - from;
    found->relations = has_relations(&c, lines) || (!given && has_few_relations(&c, lines));
    found->times = !found->relations && !given && has_times(&c, lines);
  }
  for (int k = 0; k < 3; k++)
    ms_names_free(c.names[k]);
  return status;
}

/* ---- lists in a cell -------------------------------------------------------- */

/* Takes the next of the names that the cell lists, without brackets and quotes; false: there is
 * none. */
static bool take_part(ms_field *rest, ms_field *part)
{
  size_t length = 0;
  while (rest->length > 0 && strchr("[]{}'\",;| ", *rest->text))
    *rest = (ms_field){rest->text + 1, rest->length - 1};
  while (length < rest->length && !strchr("[]{}'\",;|", rest->text[length]))
    length++;
  *part = ms_field_trim((ms_field){rest->text, length});
  *rest = (ms_field){rest->text + length, rest->length - length};
  return part->length > 0;
}

/* Do cells of column 2 list names, at least half of which are in column 1?  *list: the first. */
static ms_status find_lists(const ms_sample *s, uint32_t from, ms_field *list, ms_error *err)
{
  ms_names *names = NULL;
  uint32_t parts = 0, known = 0, id;
  ms_field cell, part;
  ms_status status = ms_names_new(&names, err);
  *list = (ms_field){NULL, 0};
  for (uint32_t i = from; i < s->lines && status == MS_OK; i++) {
    cell = ms_sample_cell(s, i, 0);
    if (!ms_name_problem(cell.text, cell.length))
      status = ms_names_add(names, cell.text, cell.length, &id, err);
  }
  for (uint32_t i = from; i < s->lines && status == MS_OK; i++) {
    cell = ms_sample_cell(s, i, 1);
    ms_field rest = cell;
    uint32_t count = 0, found = 0;
    if (ms_names_find(names, cell.text, cell.length) != MS_NO_ID)
      continue;
    for (; take_part(&rest, &part); count++)
      found += ms_names_find(names, part.text, part.length) != MS_NO_ID;
    if (count < 2)
      continue;
    parts += count;
    known += found;
    if (!list->text)
      *list = cell;
  }
  if (known < 2 || 2 * known < parts)
    *list = (ms_field){NULL, 0};
  ms_names_free(names);
  return status;
}

/* ---- all of them --------------------------------------------------------------- */

/* Are the cells below the title "A (pp) B"? */
static bool names_edges(const ms_sample *s, uint32_t column)
{
  for (uint32_t i = 1; i < s->lines; i++) {
    ms_field cell = ms_sample_cell(s, i, column);
    if (!ms_field_holds(cell, " (") || !ms_field_holds(cell, ") "))
      return false;
  }
  return s->lines > 1;
}

/* Has the header a column that only Cytoscape's tables of edges have, or names of edges? */
static bool is_cytoscape_table(const ms_sample *s)
{
  for (uint32_t c = 0; c < s->line[0].count; c++) {
    ms_field title = ms_sample_cell(s, 0, c);
    if (ms_field_alike(title, "shared interaction") ||
        (ms_field_alike(title, "name") && names_edges(s, c)))
      return true;
  }
  return false;
}

/* Are columns 1 and 3 equal in all lines, as two columns of taxa, and 2 and 4 not?  No taxon has
 * the number 0 or 1, but the edges of a star may have such weights. */
static bool repeats_column(const ms_sample *s, uint32_t from)
{
  enum { LEAST = 2 }; /* lines */
  bool differ = false;
  uint64_t number;
  for (uint32_t i = from; i < s->lines; i++) {
    if (s->line[i].count < 4 || !ms_field_equal(ms_sample_cell(s, i, 0), ms_sample_cell(s, i, 2)) ||
        ms_field_count(ms_sample_cell(s, i, 0), 1, &number))
      return false;
    differ |= !ms_field_equal(ms_sample_cell(s, i, 1), ms_sample_cell(s, i, 3));
  }
  return differ && s->lines >= from + LEAST;
}

/* Does the column hold numbers with a point only?  *parts: how many are no whole numbers. */
static bool has_points(const ms_sample *s, uint32_t from, uint32_t column, uint32_t *parts)
{
  double value;
  for (uint32_t i = from; i < s->lines; i++) {
    ms_field cell = ms_sample_cell(s, i, column);
    if (!ms_field_real(cell, &value) || !memchr(cell.text, '.', cell.length))
      return false;
    *parts += value != floor(value);
  }
  return true;
}

ms_status ms_refuse_points(const ms_text *at, const ms_sample *s, bool header, uint32_t source,
                           uint32_t target, ms_error *err)
{
  enum { LEAST = 2 }; /* lines */
  uint32_t parts = 0, lines = s->lines - header;
  bool first = has_points(s, header, source, &parts),
       second = has_points(s, header, target, &parts);
  if (lines < LEAST || !(first || second) || (first && second && parts < lines))
    return MS_OK;
  ms_text line = {.label = at->label, .number = s->line[header].number};
  ms_field cell = ms_sample_cell(s, header, first ? source : target);
  return ms_text_fail(&line, err,
                      "column %u holds numbers with a decimal point, such as '%.*s', which may be "
                      "scores, or ids that a program wrote as fractions; choose the ends of the "
                      "edges by `source_column` and `target_column`, or write ids as whole numbers",
                      (first ? source : target) + 1, ms_name_clip(cell.text, cell.length),
                      cell.text);
}

/* Are the cells of column 2 arrows between columns 1 and 3? */
static bool has_arrows(const ms_sample *s)
{
  for (uint32_t i = 0; i < s->lines; i++)
    if (s->line[i].count < 3 || ms_arrow_direction(ms_sample_cell(s, i, 1)) == MS_DIRECTION_UNKNOWN)
      return false;
  return s->lines > 0;
}

ms_status ms_refuse_not_edges(const ms_text *at, const ms_sample *sample, bool header, bool types,
                              bool given, ms_error *err)
{
  ends found = {.relations = has_arrows(sample)};
  if (is_named_matrix(sample) || is_bare_matrix(sample) || is_sparse_matrix(sample))
    return ms_text_fail(at, err,
                        "this is an adjacency matrix, which is not read; write its nonzero "
                        "entries as lines of two names, or as a Matrix Market file "
                        "(scipy.io.mmwrite)");
  if (is_cytoscape_table(sample))
    return ms_text_fail(
        at, err,
        "this is Cytoscape's table of edges, which has no columns for the ends of edges; export the "
        "network itself, as SIF or GraphML (File, Export, Network to File)");
  if (repeats_column(sample, header))
    return ms_text_fail(at, err,
                        "columns 1 and 3 are equal in all lines, as where they are taxa; choose "
                        "the ends of the edges by `source_column` and `target_column`, such as 2 "
                        "and 4");
  ms_field list = {NULL, 0};
  if (!given)
    MS_TRY(find_lists(sample, header, &list, err));
  if (list.text)
    return ms_text_fail(
        at, err,
        "'%.*s' in column 2 lists several vertices; write one edge a line, or, if it is "
        "one name, name the format (`format` edge-list)",
        ms_name_problem(list.text, list.length) ? 0 : ms_name_clip(list.text, list.length),
        list.text);
  if (!types && !found.relations)
    MS_TRY(find_ends(sample, header, given, &found, err));
  if (found.times)
    return ms_text_fail(at, err,
                        "columns 2 and 3 share names, and column 1 has others, as where it is a "
                        "time: choose the ends of the edges by `source_column` and "
                        "`target_column`, such as 2 and 3, or 1 and 2, if those are the ends");
  ms_field word = found.relations ? ms_sample_cell(sample, header, 1) : (ms_field){"", 0};
  if (found.relations && !ms_name_problem(word.text, word.length))
    return ms_text_fail(
        at, err,
        "'%.*s' in column 2 seems to say how columns 1 and 3 are joined; read the "
        "file as SIF (`format`), or choose the ends of the edges by "
        "`source_column` and `target_column`, such as 1 and 3, or 1 and 2, if those are "
        "the ends",
        ms_name_clip(word.text, word.length), word.text);
  return MS_OK;
}
