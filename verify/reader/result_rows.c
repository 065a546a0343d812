/* Reads rows by the columns of result/columns.c, in TSV and in JSON lines. */
#include "verify/reader/result_json.h"

#include "base/alloc.h"
#include "base/status.h"

#include <math.h>
#include <string.h>

/* A row that is being read.  Its lists are in r->names and r->numbers, which may move until all are
 * there. */
typedef struct reading {
  ms_result *r;
  char *row; /* the struct of its kind */
  uint32_t lists;
  struct {
    const ms_result_column *column;
    uint32_t first;
  } list[MS_MOST_COLUMNS];
  ms_error *err;
} reading;

static void begin_row(reading *k, ms_result *r, ms_error *err)
{
  uint64_t line = r->row.line;
  memset(&r->row, 0, sizeof r->row);
  r->row.line = line;
  r->n_names = r->n_numbers = 0;
  k->r = r;
  k->row = (char *)&r->row.vertex;
  k->lists = 0;
  k->err = err;
}

static ms_status end_row(const reading *k)
{
  ms_result *r = k->r;
  for (uint32_t i = 0; i < k->lists; i++) {
    const ms_result_column *c = k->list[i].column;
    const void *from = c->type == MS_CELL_COUNTS ? (const void *)(r->numbers + k->list[i].first)
                                                 : (const void *)(r->names + k->list[i].first);
    memcpy(k->row + c->at, &from, sizeof from);
  }
  if (r->header.kind & (MS_KINDS_OF_PARTICIPATIONS | MS_KIND_NEAREST))
    r->row.vertex.flagged = true;
  return MS_OK;
}

static ms_status refuse_value(const reading *k, const ms_result_column *c, const char *text)
{
  return ms_result_refuse(k->r, k->r->row.line, "%s must be %s, not '%.40s'", c->name,
                          ms_cell_type_text(c->type), text);
}

/* ---- lists ---------------------------------------------------------------------------- */

ms_status ms_result_add_name(ms_result *r, const char *name, ms_error *err)
{
  if (!MS_GROW(r->names, r->names_room, r->n_names, 1))
    return ms_fail_memory(err, "the names of a row");
  r->names[r->n_names++] = name;
  return MS_OK;
}

/* Adds a number of a list that ascends. */
static ms_status add_number(const reading *k, const ms_result_column *c, uint64_t number)
{
  ms_result *r = k->r;
  if (number > UINT32_MAX || (r->n_numbers > 0 && number <= r->numbers[r->n_numbers - 1]))
    return ms_result_refuse(r, r->row.line, "the %s of a vertex do not ascend", c->name);
  if (!MS_GROW(r->numbers, r->numbers_room, r->n_numbers, 1))
    return ms_fail_memory(k->err, "the numbers of a row");
  r->numbers[r->n_numbers++] = (uint32_t)number;
  return MS_OK;
}

/* Notes a list that begins with element `first`.  Lists that share their number have the same. */
static ms_status note_list(reading *k, const ms_result_column *c, uint32_t first)
{
  ms_result *r = k->r;
  uint32_t count = (c->type == MS_CELL_COUNTS ? r->n_numbers : r->n_names) - first, *stated;
  stated = (uint32_t *)(void *)(k->row + c->count);
  for (uint32_t i = 0; i < k->lists; i++)
    if (k->list[i].column->count == c->count && *stated != count)
      return ms_result_refuse(r, r->row.line, "match %llu does not have as many %s as vertices",
                              (unsigned long long)r->row.match.number, c->name);
  *stated = count;
  k->list[k->lists].column = c;
  k->list[k->lists++].first = first;
  return MS_OK;
}

/* ---- values ----------------------------------------------------------------------------- */

static bool may_be_missing(const ms_result_column *c)
{
  return c->type == MS_CELL_REAL || c->type == MS_CELL_SINGLE_OR_NA || c->type == MS_CELL_WORD;
}

/* Sets a whole number, which must be one of the column. */
static bool set_count(const reading *k, const ms_result_column *c, uint64_t number)
{
  if (c->type == MS_CELL_K)
    return number == k->r->header.k;
  memcpy(k->row + c->at, &number, sizeof number);
  return number <= (c->most ? c->most : INT64_MAX);
}

/* Sets a number; false if it is negative, and that of the column is not. */
static bool set_real(const reading *k, const ms_result_column *c, double value)
{
  memcpy(k->row + c->at, &value, sizeof value);
  return !c->not_negative || !signbit(value);
}

static bool set_id(const reading *k, const ms_result_column *c, uint32_t i, uint64_t id)
{
  uint32_t *ids = (uint32_t *)(void *)(k->row + c->at);
  if (i >= k->r->header.k || id > UINT32_MAX || (i > 0 && id < ids[i - 1]))
    return false;
  ids[i] = (uint32_t)id;
  return true;
}

/* Sets how many numbers of colours there are: k, or none, which only rows of a vertex may have. */
static bool set_ids(const reading *k, const ms_result_column *c, uint32_t count)
{
  memcpy(k->row + c->count, &count, sizeof count);
  return count == k->r->header.k || (count == 0 && k->r->header.kind == MS_KIND_VERTEX_CENSUS);
}

static bool is_integer(const ms_result_column *c, const char *text)
{
  text += c->type == MS_CELL_INTEGER && *text == '-';
  return *text && !text[strspn(text, "0123456789")];
}

/* Sets a text, which must be one of the column. */
static bool set_text(const reading *k, const ms_result_column *c, const char *text)
{
  uint32_t word;
  size_t digits;
  switch (c->type) {
  case MS_CELL_WORD:
    if (!ms_result_find_word(c->words, text, &word))
      return false;
    set_real(k, c, word);
    return true;
  case MS_CELL_DIGITS:
  case MS_CELL_INTEGER:
    if (!is_integer(c, text))
      return false;
    break;
  case MS_CELL_VALUES:
    digits = strspn(text, "0123456789abcdef");
    if (text[digits] || (digits > 0 && digits != 2 * (size_t)k->r->header.repetitions))
      return false;
    break;
  default:
    break;
  }
  memcpy(k->row + c->at, &text, sizeof text);
  return true;
}

/* ---- TSV ---------------------------------------------------------------------------------- */

bool ms_result_split(char *text, const char **field, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++) {
    if (!text)
      return false;
    field[i] = text;
    text = strchr(text, '\t');
    if (text)
      *text++ = '\0';
  }
  return text == NULL;
}

/* Takes a number that may be negative. */
static bool take_signed(const char **text, double *value)
{
  bool negative = **text == '-';
  *text += negative;
  if (!ms_take_real(text, value))
    return false;
  *value = negative ? -*value : *value;
  return true;
}

static bool parse_ids(const reading *k, const ms_result_column *c, const char *text)
{
  uint32_t count = 0;
  uint64_t id;
  for (; *text; count++)
    if ((count > 0 && !ms_take_word(&text, ",")) || !ms_take_count(&text, UINT32_MAX, &id) ||
        !set_id(k, c, count, id))
      return false;
  return set_ids(k, c, count);
}

static ms_status parse_counts(reading *k, const ms_result_column *c, const char *text)
{
  uint32_t first = k->r->n_numbers;
  const char *all = text;
  while (*text) {
    uint64_t next;
    if (!ms_take_count(&text, UINT32_MAX, &next) || (*text && (*text != ',' || !text[1])))
      return refuse_value(k, c, all);
    text += *text == ',';
    MS_TRY(add_number(k, c, next));
  }
  return note_list(k, c, first);
}

static ms_status parse_names(reading *k, const ms_result_column *c, char *text)
{
  uint32_t first = k->r->n_names;
  char *rest = *text ? text : NULL; /* an empty field is an empty list */
  while (rest) {
    char *name = ms_result_take_listed(&rest);
    if (!name)
      return ms_result_refuse(k->r, k->r->row.line, "a quoted name is not closed before a comma");
    MS_TRY(ms_result_add_name(k->r, name, k->err));
  }
  return note_list(k, c, first);
}

/* Parses a cell of a line that is cut in place. */
static ms_status parse_cell(reading *k, const ms_result_column *c, char *text)
{
  const char *rest = text;
  uint64_t number = 0;
  double real = NAN;
  bool ok;
  if (c->of_flagged && !k->r->row.vertex.flagged)
    return *text ? ms_result_refuse(k->r, k->r->row.line, "a vertex that is not flagged has no %s",
                                    c->name)
                 : MS_OK;
  if (may_be_missing(c) && strcmp(text, MS_NO_VALUE) == 0) {
    set_real(k, c, NAN);
    return MS_OK;
  }
  switch (c->type) {
  case MS_CELL_NAMES:
  case MS_CELL_VERTICES:
    return parse_names(k, c, text);
  case MS_CELL_COUNTS:
    return parse_counts(k, c, text);
  case MS_CELL_IDS:
    ok = parse_ids(k, c, text);
    break;
  case MS_CELL_COUNT:
  case MS_CELL_K:
    ok = ms_take_count(&rest, INT64_MAX, &number) && !*rest && set_count(k, c, number);
    break;
  case MS_CELL_FLAG:
    ok = ms_take_count(&rest, 1, &number) && !*rest;
    k->row[c->at] = (char)number;
    break;
  case MS_CELL_REAL:
  case MS_CELL_SINGLE:
  case MS_CELL_SINGLE_OR_NA:
  case MS_CELL_FLOAT:
  case MS_CELL_BOUND:
  case MS_CELL_SECONDS:
    ok = take_signed(&rest, &real) && !*rest && set_real(k, c, real);
    break;
  default:
    ok = set_text(k, c, text);
  }
  return ok ? MS_OK : refuse_value(k, c, text);
}

/* ---- near matches whose slots have a column, or a line, each ------------------------------- */

/* The slots, in their order, and the extra vertices of a near match. */
typedef struct near_slots {
  uint32_t k, extra;
  const char *vertex[MS_MAX_K], *label[MS_MAX_K], *role[MS_MAX_K]; /* vertex "": unfilled */
  bool has_labels;
} near_slots;

/* Sets the lists of the row: the vertices that fill slots, and behind them the extra ones. */
static ms_status join_slots(reading *k, const near_slots *s)
{
  ms_result *r = k->r;
  ms_match_row *m = &r->row.match;
  uint32_t first = r->n_names, filled = 0;
  for (uint32_t list = 0; list < 3; list++)
    for (uint32_t i = 0; i < s->k + s->extra; i++)
      if (*s->vertex[i])
        MS_TRY(ms_result_add_name(r,
                                  (list == 0   ? s->vertex
                                   : list == 1 ? s->label
                                               : s->role)[i],
                                  k->err));
  for (uint32_t d = 0; d < s->k; d++)
    filled += *s->vertex[d] != '\0';
  for (uint32_t d = 0; d < s->k; d++)
    if (!*s->vertex[d])
      MS_TRY(ms_result_add_name(r, s->role[d], k->err));
  m->count = filled + s->extra;
  m->n_extra = s->extra;
  m->n_unfilled = s->k - filled;
  m->vertices = r->names + first;
  m->labels = s->has_labels ? m->vertices + m->count : NULL;
  m->roles = m->vertices + 2 * (size_t)m->count;
  m->unfilled = m->vertices + 3 * (size_t)m->count;
  m->extra_vertices = m->vertices + filled;
  m->extra_labels = m->labels ? m->labels + filled : NULL;
  if (m->n_unfilled == m->missing && m->n_extra == m->extra)
    return MS_OK;
  return ms_result_refuse(r, r->row.line,
                          "match %llu has missing=%llu and extra=%llu, but %u unfilled slots and "
                          "%u extra vertices",
                          (unsigned long long)m->number, (unsigned long long)m->missing,
                          (unsigned long long)m->extra, m->n_unfilled, m->n_extra);
}

/* Notes a cell of an extra vertex or of a slot, whose label must be empty where the vertex is. */
static bool note_slot(near_slots *s, uint32_t i, const char *vertex, const char *label,
                      const char *role)
{
  s->vertex[i] = vertex;
  s->label[i] = label ? label : "";
  s->role[i] = role;
  return *vertex ? true : i < s->k && !*s->label[i];
}

/* Puts a near match together whose slots have a column each; field: the first of these. */
static ms_status join_columns(reading *k, const char *const *field, uint32_t width)
{
  ms_result *r = k->r;
  ms_match_row *m = &r->row.match;
  near_slots s = {.k = r->header.k, .extra = m->n_extra, .has_labels = width == 2};
  bool ok = s.k + m->n_extra <= MS_MAX_K;
  end_row(k); /* the lists of extra vertices */
  for (uint32_t d = 0; ok && d < s.k; d++)
    ok = note_slot(&s, d, field[width * d], width == 2 ? field[width * d + 1] : NULL,
                   r->header.pattern.names[d]);
  for (uint32_t e = 0; ok && e < s.extra; e++)
    ok = note_slot(&s, s.k + e, m->extra_vertices[e], width == 2 ? m->extra_labels[e] : NULL,
                   MS_EXTRA_ROLE);
  if (!ok)
    return ms_result_refuse(r, r->row.line,
                            "match %llu has a label without a vertex, or too many vertices",
                            (unsigned long long)m->number);
  return join_slots(k, &s);
}

/* Adds the names, or the labels, of a match whose vertices have a column each. */
static ms_status take_spread(reading *k, const ms_result_column *c, const char *const *field,
                             uint32_t width)
{
  uint32_t first = k->r->n_names;
  for (uint32_t i = 0; i < k->r->header.k; i++)
    MS_TRY(ms_result_add_name(k->r, field[width * i], k->err));
  return note_list(k, c, first);
}

static ms_status parse_line(reading *k, char *line)
{
  ms_result *r = k->r;
  const char *field[MS_MOST_COLUMNS + 2 * MS_MAX_PATTERN];
  bool spread = ms_result_has_pattern_columns(&r->header);
  uint32_t width = r->header.labels.path ? 2 : 1, at = 0;
  uint32_t count = r->columns.count + (spread ? width * (r->header.k - 1) : 0);
  if (!ms_result_split(line, field, count))
    return ms_result_refuse(r, r->row.line, "the row does not have %u columns", count);
  for (uint32_t i = 0; i < r->columns.count; i++, at++) {
    const ms_result_column *c = r->columns.at[i];
    bool is_spread = ms_column_is_spread(&r->header, c);
    if (is_spread && r->header.kind == MS_KIND_NEAREST_LIST)
      return join_columns(k, field + at, width);
    if (is_spread)
      MS_TRY(take_spread(k, c, field + at, width));
    else
      MS_TRY(parse_cell(k, c, line + (field[at] - line)));
  }
  return end_row(k);
}

/* Takes the name of the motif, with which each row of a section begins, off a line. */
static ms_status take_name(ms_result *r, char **line)
{
  const char *name = r->header.name;
  if (!(r->header.has & MS_HAS_SECTIONS))
    return MS_OK;
  size_t length = strlen(name);
  if (strncmp(*line, name, length) != 0 || (*line)[length] != '\t')
    return ms_result_refuse(r, r->row.line, "the row does not begin with the motif '%.100s'", name);
  *line += length + 1;
  return MS_OK;
}

/* Returns the number of lines of a match whose first line this is; 0: it does not say so. */
static uint32_t lines_of_match(const ms_result *r, const char *line)
{
  uint64_t extra = 0;
  if (r->header.kind != MS_KIND_NEAREST_LIST)
    return r->header.k;
  if (r->header.k > MS_MAX_K)
    return 0;
  for (uint32_t c = 0; line && strcmp(r->columns.at[c]->name, "extra") != 0; c++) {
    line = strchr(line, '\t');
    line += line != NULL;
  }
  return line && ms_take_count(&line, MS_MAX_K - r->header.k, &extra) && *line == '\t'
             ? r->header.k + (uint32_t)extra
             : 0;
}

/* Copies the lines of a match, because reading one may move the one before it. */
static ms_status keep_lines(reading *k, char *line, uint32_t lines)
{
  ms_result *r = k->r;
  size_t used = 0;
  for (uint32_t i = 0; i < lines; i++) {
    if (i > 0) {
      MS_TRY(ms_result_take_line(r, &line, k->err));
      MS_TRY(take_name(r, &line));
    }
    MS_TRY(ms_result_keep_text(r, line, &used, k->err));
  }
  return MS_OK;
}

/* Reads the kept lines of a match: what is said of the whole match, which all must agree in, and
 * the three columns of text[3][lines]. */
static ms_status split_lines(reading *k, uint32_t lines, const char *(*text)[MS_MAX_PATTERN])
{
  ms_result *r = k->r;
  const char *field[MS_MOST_COLUMNS], *first[MS_MOST_COLUMNS];
  uint32_t lead = r->columns.count - 3;
  uint64_t number = r->row.line;
  char *line = r->match;
  for (uint32_t i = 0; i < lines; i++, r->row.line++) {
    char *next = line + strlen(line) + 1;
    if (!ms_result_split(line, field, r->columns.count))
      return ms_result_refuse(r, r->row.line, "the row does not have %u columns", r->columns.count);
    for (uint32_t c = 0; c < lead; c++) {
      MS_TRY(parse_cell(k, r->columns.at[c], line + (field[c] - line)));
      first[c] = i == 0 ? field[c] : first[c];
      if (strcmp(first[c], field[c]) == 0)
        continue;
      return c == 0 ? ms_result_refuse(r, r->row.line, "match %s has %u rows, not %u", first[0], i,
                                       lines)
                    : ms_result_refuse(r, r->row.line, "match %s has two values of '%s'", first[0],
                                       r->columns.at[c]->name);
    }
    for (uint32_t c = 0; c < 3; c++)
      text[c][i] = field[lead + c];
    line = next;
  }
  r->row.line = number;
  return MS_OK;
}

/* Puts a near match together whose slots have a line each, as its extra vertices do. */
static ms_status join_lines(reading *k, uint32_t lines, const char *(*text)[MS_MAX_PATTERN])
{
  near_slots s = {.k = k->r->header.k, .extra = lines - k->r->header.k, .has_labels = true};
  k->r->row.match.lines = lines;
  for (uint32_t i = 0; i < lines; i++)
    if (!note_slot(&s, i, text[0][i], text[1][i], text[2][i]))
      return ms_result_refuse(k->r, k->r->row.line + i,
                              "an extra vertex without a name, or a label without a vertex");
  return join_slots(k, &s);
}

/* Parses a match that has a line for each vertex, the first of which has been read. */
static ms_status parse_long(reading *k, char *line)
{
  ms_result *r = k->r;
  ms_match_row *match = &r->row.match;
  const char *text[3][MS_MAX_PATTERN];
  uint64_t first = r->row.line;
  uint32_t lines = lines_of_match(r, line);
  if (lines == 0)
    return ms_result_refuse(r, first, "the row does not say how many extra vertices there are");
  MS_TRY(keep_lines(k, line, lines));
  r->row.line = first;
  MS_TRY(split_lines(k, lines, text));
  if (r->header.kind == MS_KIND_NEAREST_LIST)
    return join_lines(k, lines, text);
  for (uint32_t i = 0; i < 3 * lines; i++)
    MS_TRY(ms_result_add_name(r, text[i / lines][i % lines], k->err));
  match->vertices = r->names;
  match->labels = r->names + lines;
  match->roles = r->names + 2 * (size_t)lines;
  match->count = lines;
  return MS_OK;
}

ms_status ms_result_parse_row(ms_result *r, char *line, ms_error *err)
{
  reading k;
  MS_TRY(take_name(r, &line));
  if (r->header.kind == MS_KIND_CHANCE)
    return ms_result_refuse(r, r->row.line, "permutations of one motif have no rows");
  begin_row(&k, r, err);
  return r->header.row_form == MS_ROWS_LONG ? parse_long(&k, line) : parse_line(&k, line);
}

/* ---- JSON lines ----------------------------------------------------------------------------- */

static ms_status take_list(reading *k, const ms_result_column *c, const json_t *array)
{
  ms_result *r = k->r;
  bool numbers = c->type == MS_CELL_COUNTS;
  uint32_t first = numbers ? r->n_numbers : r->n_names;
  uint64_t number;
  if (!json_is_array(array))
    return ms_result_refuse(r, r->row.line, "the row lacks its %s", c->name);
  for (size_t i = 0; i < json_array_size(array); i++) {
    const json_t *value = json_array_get(array, i);
    const char *name = json_string_value(value);
    if (numbers ? !ms_result_json_count(value, 0, UINT32_MAX, &number) : !name)
      return ms_result_refuse(r, r->row.line, "%s must be %s", c->name, ms_cell_type_text(c->type));
    MS_TRY(numbers ? add_number(k, c, number) : ms_result_add_name(r, name, k->err));
  }
  return note_list(k, c, first);
}

static bool take_ids(const reading *k, const ms_result_column *c, const json_t *array)
{
  uint64_t id;
  for (size_t i = 0; i < json_array_size(array); i++)
    if (!ms_result_json_count(json_array_get(array, i), 0, UINT32_MAX, &id) ||
        !set_id(k, c, (uint32_t)i, id))
      return false;
  return json_is_array(array) && set_ids(k, c, (uint32_t)json_array_size(array));
}

/* Sets a value that is no list; false: it has another type. */
static bool take_value(const reading *k, const ms_result_column *c, const json_t *value)
{
  uint64_t number;
  switch (c->type) {
  case MS_CELL_IDS:
    return take_ids(k, c, value);
  case MS_CELL_COUNT:
  case MS_CELL_K:
    return ms_result_json_count(value, 0, INT64_MAX, &number) && set_count(k, c, number);
  case MS_CELL_FLAG:
    k->row[c->at] = json_is_true(value);
    return json_is_boolean(value);
  case MS_CELL_REAL:
  case MS_CELL_SINGLE:
  case MS_CELL_SINGLE_OR_NA:
  case MS_CELL_FLOAT:
  case MS_CELL_BOUND:
  case MS_CELL_SECONDS:
    return json_is_number(value) && set_real(k, c, json_number_value(value));
  default:
    return json_is_string(value) && set_text(k, c, json_string_value(value));
  }
}

ms_status ms_result_take_object(ms_result *r, const json_t *object, ms_error *err)
{
  reading k;
  size_t keys = 1 + ((r->header.has & MS_HAS_SECTIONS) != 0); /* its type, and a name */
  begin_row(&k, r, err);
  for (uint32_t i = 0; i < r->columns.count; i++) {
    const ms_result_column *c = r->columns.at[i];
    const json_t *value = json_object_get(object, c->name);
    if (c->of_flagged && !r->row.vertex.flagged)
      continue;
    keys++;
    if (may_be_missing(c) && json_is_null(value))
      set_real(&k, c, NAN);
    else if (c->type >= MS_CELL_COUNTS)
      MS_TRY(take_list(&k, c, value));
    else if (!take_value(&k, c, value))
      return value ? ms_result_refuse(r, r->row.line, "%s must be %s", c->name,
                                      ms_cell_type_text(c->type))
                   : ms_result_refuse(r, r->row.line, "the row lacks its %s", c->name);
  }
  if (json_object_size(object) != keys)
    return ms_result_refuse(r, r->row.line, "the row has a key too many");
  return end_row(&k);
}
