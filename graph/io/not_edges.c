/* Tables that are no lists of edges; see not_edges.h. */
#include "graph/io/not_edges.h"

#include "base/status.h"
#include "graph/io/directions.h"

#include <string.h>

static bool same(ms_field a, ms_field b)
{
  return a.length == b.length && memcmp(a.text, b.text, a.length) == 0;
}

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
  if (s->line[0].count + 1 - shift != columns || (s->lines != columns && s->lines < MANY))
    return false;
  for (uint32_t i = 1; i < s->lines; i++) {
    if (s->line[i].count != columns || i - 1 + shift >= s->line[0].count ||
        !same(ms_sample_cell(s, i, 0), ms_sample_cell(s, 0, i - 1 + shift)))
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
      symmetric &= same(cell, ms_sample_cell(s, c, i));
      bits &= value == 0 || value == 1;
    }
  }
  return symmetric || bits;
}

/* ---- relations between the ends ---------------------------------------------- */

/* Names that columns hold. */
typedef struct columns {
  ms_names *first, *second, *third;
  bool shared; /* a name is in the first and the third */
  bool mixed;  /* a name of the second is elsewhere, too, or is a number */
} columns;

static ms_status add_name(ms_names *names, ms_field name, ms_error *err)
{
  uint32_t id;
  if (ms_name_problem(name.text, name.length))
    return MS_OK;
  return ms_names_add(names, name.text, name.length, &id, err);
}

static bool has(const ms_names *names, ms_field name)
{
  return ms_names_find(names, name.text, name.length) != MS_NO_ID;
}

static ms_status collect(const ms_sample *s, columns *c, ms_error *err)
{
  for (uint32_t i = 0; i < s->lines; i++) {
    MS_TRY(add_name(c->first, ms_sample_cell(s, i, 0), err));
    MS_TRY(add_name(c->second, ms_sample_cell(s, i, 1), err));
    MS_TRY(add_name(c->third, ms_sample_cell(s, i, 2), err));
  }
  for (uint32_t i = 0; i < s->lines; i++) {
    ms_field second = ms_sample_cell(s, i, 1);
    c->shared |= has(c->third, ms_sample_cell(s, i, 0));
    c->mixed |= is_number(second) || has(c->first, second) || has(c->third, second);
  }
  return MS_OK;
}

/* True if columns 1 and 3 share names, and a few names of column 2, which recur, are in neither. */
static ms_status find_relations(const ms_sample *s, bool *found, ms_error *err)
{
  enum { LEAST = 3 }; /* lines */
  columns c = {.first = NULL};
  *found = false;
  if (s->lines < LEAST)
    return MS_OK;
  for (uint32_t i = 0; i < s->lines; i++)
    if (s->line[i].count < 3)
      return MS_OK;
  ms_status status = ms_names_new(&c.first, err);
  if (status == MS_OK)
    status = ms_names_new(&c.second, err);
  if (status == MS_OK)
    status = ms_names_new(&c.third, err);
  if (status == MS_OK)
    status = collect(s, &c, err);
  *found = status == MS_OK && c.shared && !c.mixed && ms_names_count(c.second) < s->lines;
  ms_names_free(c.first);
  ms_names_free(c.second);
  ms_names_free(c.third);
  return status;
}

/* ---- all of them --------------------------------------------------------------- */

/* Has the header a column that only Cytoscape's tables of edges have? */
static bool is_cytoscape_table(const ms_sample *s)
{
  for (uint32_t c = 0; c < s->line[0].count; c++)
    if (ms_field_alike(ms_sample_cell(s, 0, c), "shared interaction"))
      return true;
  return false;
}

/* Are the cells of column 2 arrows between columns 1 and 3? */
static bool has_arrows(const ms_sample *s)
{
  for (uint32_t i = 0; i < s->lines; i++)
    if (s->line[i].count < 3 || ms_arrow_direction(ms_sample_cell(s, i, 1)) == MS_DIRECTION_UNKNOWN)
      return false;
  return s->lines > 0;
}

ms_status ms_refuse_not_edges(const ms_text *at, const ms_sample *sample, bool relations,
                              ms_error *err)
{
  bool between = false;
  if (is_named_matrix(sample) || is_bare_matrix(sample))
    return ms_text_fail(at, err,
                        "this is an adjacency matrix, which is not read; write its nonzero "
                        "entries as lines of two names, or as a Matrix Market file "
                        "(scipy.io.mmwrite)");
  if (is_cytoscape_table(sample))
    return ms_text_fail(
        at, err,
        "this is Cytoscape's table of edges, which has no columns for the ends of edges; export the "
        "network itself, as SIF or GraphML (File, Export, Network to File)");
  between = has_arrows(sample);
  if (relations && !between)
    MS_TRY(find_relations(sample, &between, err));
  ms_field word = between ? ms_sample_cell(sample, 0, 1) : (ms_field){"", 0};
  if (between && !ms_name_problem(word.text, word.length))
    return ms_text_fail(at, err,
                        "'%.*s' in column 2 seems to say how columns 1 and 3 are joined; read the "
                        "file as SIF (`format`), or choose the ends of the edges by "
                        "`source_column` and `target_column`, such as 1 and 3",
                        ms_name_clip(word.text, word.length), word.text);
  return MS_OK;
}
