/* Reads result files in TSV: header lines that begin with '#', column names, rows, an end.  What a
 * row holds is read in result_rows.c. */
#include "base/alloc.h"
#include "base/crc32c.h"
#include "base/status.h"
#include "verify/reader/result.h"

#include <stdio.h>
#include <string.h>

/* ---- paths ----------------------------------------------------------------------------------- */

/* Reads the rows of shortest paths in TSV: a line for each vertex of the path of a pair, or a line
 * for a pair of which only the length was written. */

enum { PAIR, SOURCE, TARGET, LENGTH, STEP, TYPE, VERTEX, COLUMNS };

static ms_status refuse_columns(ms_result *r, uint32_t count)
{
  return ms_result_refuse(r, r->row.line, "the row does not have %u columns", count);
}

/* Reads the length of the path, or "-". */
static ms_status take_length(ms_result *r, const char *text)
{
  uint64_t length = 0;
  const char *rest = text;
  r->row.path.found = strcmp(text, "-") != 0;
  if (r->row.path.found && (!ms_take_count(&rest, UINT32_MAX - 1, &length) || *rest))
    return ms_result_refuse(r, r->row.line, "'%.40s' is no length of a path", text);
  r->row.path.length = (uint32_t)length;
  return MS_OK;
}

/* Checks what each line of a pair repeats; first[]: the offsets of the fields of its first line in
 * r->match. */
static ms_status check_line(ms_result *r, const char *const *field, const size_t *first,
                            uint32_t step)
{
  uint64_t number = 0;
  const char *text = field[STEP];
  for (uint32_t i = PAIR; i <= LENGTH; i++)
    if (strcmp(field[i], r->match + first[i]) != 0)
      return ms_result_refuse(r, r->row.line, "pair %s has %u rows, and its length asks for %llu",
                              r->match + first[PAIR], step,
                              (unsigned long long)r->row.path.length + 1);
  if (!ms_take_count(&text, UINT32_MAX, &number) || *text || number != step)
    return ms_result_refuse(r, r->row.line, "step %u of the path should come here, not '%.40s'",
                            step, field[STEP]);
  if (step == 0 && strcmp(field[TYPE], "-") != 0)
    return ms_result_refuse(r, r->row.line,
                            "no edge leads to the first vertex of a path, so that "
                            "its type is -");
  return MS_OK;
}

/* Adds every second text of r->match[from..used), from the first or second one on. */
static ms_status add_names(ms_result *r, size_t from, size_t used, bool second, ms_error *err)
{
  for (bool adds = !second; from < used; adds = !adds) {
    if (adds)
      MS_TRY(ms_result_add_name(r, r->match + from, err));
    from += strlen(r->match + from) + 1;
  }
  return MS_OK;
}

/* Reads the lines of a path, of which field[COLUMNS] is the first.  They are copied, because
 * reading a line may move the one before it. */
static ms_status take_all(ms_result *r, const char **field, ms_error *err)
{
  ms_result_path *path = &r->row.path;
  size_t first[STEP], used = 0, begin = 0, rest = 0;
  uint64_t line = r->row.line;
  for (uint32_t i = PAIR; i <= LENGTH; i++) {
    first[i] = used;
    MS_TRY(ms_result_keep_text(r, field[i], &used, err));
  }
  begin = used;
  for (uint32_t step = 0; step <= path->length; step++) {
    char *text;
    if (step > 0) {
      MS_TRY(ms_result_take_line(r, &text, err));
      if (!ms_result_split(text, field, COLUMNS))
        return refuse_columns(r, COLUMNS);
    }
    MS_TRY(check_line(r, field, first, step));
    if (step > 0)
      MS_TRY(ms_result_keep_text(r, field[TYPE], &used, err));
    MS_TRY(ms_result_keep_text(r, field[VERTEX], &used, err));
    rest = step == 0 ? used : rest;
  }
  r->row.line = line;
  path->source = r->match + first[SOURCE];
  path->target = r->match + first[TARGET];
  path->lines = (uint64_t)path->length + 1;
  MS_TRY(ms_result_add_name(r, r->match + begin, err));
  MS_TRY(add_names(r, rest, used, true, err));
  MS_TRY(add_names(r, rest, used, false, err));
  return ms_result_split_path(r, path->length + 1);
}

/* Parses the lines of a pair in TSV, the first of which has been read. */
static ms_status result_take_steps(ms_result *r, char *line, ms_error *err)
{
  ms_result_path *path = &r->row.path;
  const char *field[COLUMNS];
  r->n_names = 0;
  *path = (ms_result_path){.has_steps = !(r->header.layout & MS_WITH_LENGTHS), .lines = 1};
  uint32_t before = path->has_steps ? SOURCE : 0; /* columns before `source` */
  uint32_t columns = path->has_steps ? COLUMNS : 3;
  if (!ms_result_split(line, field, columns))
    return refuse_columns(r, columns);
  path->source = field[before];
  path->target = field[before + 1];
  MS_TRY(take_length(r, field[before + 2]));
  if (!path->has_steps)
    return MS_OK;
  const char *number = field[PAIR];
  if (!ms_take_count(&number, INT64_MAX, &path->pair) || *number || path->pair == 0)
    return ms_result_refuse(r, r->row.line, "'%.40s' is no number of a pair", field[PAIR]);
  if (path->found)
    return take_all(r, field, err);
  path->has_steps = false; /* there are none */
  for (uint32_t i = STEP; i < COLUMNS; i++)
    if (strcmp(field[i], "-") != 0)
      return ms_result_refuse(r, r->row.line, "a pair without a path has - in its last columns");
  return MS_OK;
}

/* ---- other rows ------------------------------------------------------------------------------ */

/* Moves *i to the first field from *i on that this place has in TSV, and returns that field; NULL:
 * there is none. */
static const ms_result_field *find_field(const ms_result *r, ms_result_place place, size_t *i)
{
  for (; *i < ms_result_field_count; ++*i)
    if (ms_result_fields[*i].lead && ms_result_has_field(&r->header, &ms_result_fields[*i], place))
      return &ms_result_fields[*i];
  return NULL;
}

/* Returns where the value of a field ends and the lead of the next one begins.  A path may hold
 * anything, so it ends at the last such lead. */
static char *find_lead(char *text, const char *lead, bool last)
{
  char *found = strstr(text, lead);
  for (char *p = found; last && p; p = strstr(p + 1, lead))
    found = p;
  return found;
}

/* True if the value of a bound is "0: WHY", which is also the formula that follows it. */
static bool is_zero_bound(const ms_result_field *field, const ms_result_field *next,
                          const char *value)
{
  return field->type == MS_FIELD_BOUND && next && next->type == MS_FIELD_FORMULA &&
         strncmp(value, "0: ", 3) == 0;
}

/* Parses the fields of a line, which begins with the lead of field *i; *i moves past the last of
 * them. */
static ms_status parse_line(ms_result *r, ms_result_place place, size_t *i, char *line,
                            uint64_t number)
{
  const ms_result_field *first = &ms_result_fields[*i], *field = first;
  char *value = line + strlen(first->lead);
  bool ok = true;
  while (ok && field) {
    size_t behind = ++*i;
    const ms_result_field *next = find_field(r, place, &behind);
    if (next && next->lead[0] == '#')
      next = NULL;
    if (is_zero_bound(field, next, value)) {
      char zero[] = "0";
      ok = ms_result_parse(r, field, zero) && ms_result_parse(r, next, value);
      r->header.line[field->part] = number;
      *i = behind + 1;
      break;
    }
    char *end = next ? find_lead(value, next->lead, field->type == MS_FIELD_PATH) : NULL;
    if (end)
      *end = '\0';
    ok = ms_result_parse(r, field, value) && (end || !next || next->type == MS_FIELD_MARK);
    if (field->part)
      r->header.line[field->part] = number;
    if (next)
      *i = end ? behind : behind + 1; /* skips a mark that is not set */
    value = end ? end + strlen(next->lead) : NULL;
    field = end ? next : NULL;
  }
  return ok ? MS_OK
            : ms_result_refuse(r, number, "the %sline '%s' cannot be read",
                               place == MS_IN_HEAD ? "header " : "", first->lead);
}

/* ---- the header, also of the binary form ------------------------------------------- */

/* Returns the next line of the header, cut off at its end; NULL after the last. */
static char *next_line(ms_result *r, uint64_t *number)
{
  char *line = r->at;
  ++*number;
  if (line == r->end)
    return NULL;
  char *newline = strchr(line, '\n'); /* there is a newline before r->end */
  *newline = '\0';
  r->at = newline + 1;
  return line;
}

static bool begins(const char *text, const char *lead)
{
  return strncmp(text, lead, strlen(lead)) == 0;
}

/* Returns the header's line "# KEY: ", not yet cut off at its end, or NULL. */
static const char *find_line(const ms_result *r, const char *key)
{
  const char *line = r->at;
  size_t length = strlen(key);
  while (line < r->end && (!begins(line, "# ") || strncmp(line + 2, key, length) != 0 ||
                           !begins(line + 2 + length, ": ")))
    line = strchr(line, '\n') + 1;
  return line < r->end ? line : NULL;
}

static bool has_key(const ms_result *r, const char *section, const char *key)
{
  const char *line = find_line(r, section ? section : key), *at;
  if (!section || !line)
    return line != NULL;
  size_t length = strlen(key);
  const char *end = strchr(line, '\n'), *first = line;
  /* a path or a text, which comes first, may hold anything */
  for (at = line; strcmp(key, "crc32c") != 0 && at < end; at++)
    if (begins(at, " crc32c="))
      first = at;
  for (at = first; at < end; at++)
    if (*at == ' ' && strncmp(at + 1, key, length) == 0 && at[1 + length] == '=')
      return true;
  return false;
}

/* True if the text is the name with MS_LABEL_COLUMN behind it. */
static bool is_label_column(const char *text, const char *name)
{
  size_t length = strlen(name);
  return strncmp(text, name, length) == 0 && strcmp(text + length, MS_LABEL_COLUMN) == 0;
}

/* Parses the columns of a pattern's vertices, with those of their labels. */
static bool parse_pattern_columns(ms_result_header *h, char *text)
{
  const char *field[2 * MS_MAX_PATTERN];
  uint32_t width = h->labels.path ? 2 : 1, count = ms_result_pattern_columns(h);
  if (*text != '\t' || count > MS_MAX_PATTERN || !ms_result_split(text + 1, field, width * count))
    return false;
  for (uint32_t i = 0; i < count; i++) {
    h->pattern.names[i] = field[width * i];
    if (width == 2 && !is_label_column(field[2 * i + 1], field[2 * i]))
      return false;
  }
  return true;
}

/* Finds what the line of column names alone says. */
static void find_layout(ms_result_header *h, const char *line)
{
  static const unsigned layouts[] = {MS_WITH_SECONDS, MS_WITH_SIZES, MS_WITH_LENGTHS};
  char title[MS_TITLE_BYTES];
  for (size_t i = 0; line && h->kind & MS_KINDS_WITH_LAYOUTS && i < 3; i++) {
    h->layout = layouts[i];
    if (strcmp(line, ms_row_columns_title(h, title)) == 0)
      return;
  }
  h->layout = 0;
}

/* Parses the line of column names. */
static ms_status parse_columns(ms_result *r, uint64_t *number)
{
  ms_result_header *h = &r->header;
  char wanted[MS_TITLE_BYTES];
  if (r->is_later)
    return r->at == r->end ? MS_OK : ms_result_refuse(r, *number + 1, "the header should end here");
  char *line = next_line(r, number);
  find_layout(h, line);
  ms_row_columns_title(h, wanted);
  if (line && h->has & MS_HAS_SECTIONS && begins(line, MS_MOTIF_COLUMN "\t"))
    line += strlen(MS_MOTIF_COLUMN "\t");
  else if (h->has & MS_HAS_SECTIONS)
    line = NULL;
  if (!line || !begins(line, wanted))
    return ms_result_refuse(r, *number, "the header line '%s' is missing here", wanted);
  char *rest = line + strlen(wanted);
  h->line[MS_PART_COLUMNS] = *number;
  if (ms_result_has_pattern_columns(h) ? !parse_pattern_columns(h, rest) : *rest)
    return ms_result_refuse(r, *number, "the header's line of column names cannot be read");
  return r->at == r->end ? MS_OK : ms_result_refuse(r, *number + 1, "the header should end here");
}

static ms_status parse_all(ms_result *r)
{
  uint64_t number = r->tape->line;
  char *line = next_line(r, &number);
  const ms_result_field *field;
  if (!line || !begins(line, ms_result_tsv.magic))
    return ms_result_refuse(r, number, "the header line '%s' is missing here", ms_result_tsv.magic);
  line += strlen(ms_result_tsv.magic);
  size_t version = strspn(line, "0123456789.");
  if (version == 0)
    return ms_result_refuse(r, number, "the version after '%s' is missing or cannot be read",
                            ms_result_tsv.magic);
  snprintf(r->version, sizeof r->version, "%.*s", version < sizeof r->version ? (int)version : 0,
           line);
  line += version;
  MS_TRY(ms_result_find_kind(r, *line == ' ' ? line + 1 : "", has_key));
  const char *mode = find_line(r, "mode");
  if (r->header.kind == MS_KIND_TYPED && mode && begins(mode, "# mode: inexact\n")) {
    r->header.has |= MS_HAS_INEXACT | (find_line(r, "seed") ? MS_HAS_RANDOM_WALK : 0);
    if (!r->reads_all) /* nothing in an inexact result can be checked */
      return MS_OK;
  }
  for (size_t i = 0; (field = find_field(r, MS_IN_HEAD, &i));) {
    if (begins(r->at, field->lead)) {
      line = next_line(r, &number);
      MS_TRY(parse_line(r, MS_IN_HEAD, &i, line, number));
    } else if (field->optional) {
      i++;
    } else {
      return ms_result_refuse(r, number + 1, "the header line '%s' is missing here", field->lead);
    }
  }
  r->header.k += r->header.pattern.vertices; /* the k of a pattern is its number of vertices */
  return parse_columns(r, &number);
}

ms_status ms_result_parse_head(ms_result *r, const char *head, size_t size, ms_error *err)
{
  r->head = ms_alloc(size + 1, 1);
  if (!r->head)
    return ms_fail_memory(err, "the header of the result file");
  memcpy(r->head, head, size);
  r->head[size] = '\0';
  r->at = r->head;
  r->end = r->head + size;
  if (memchr(head, '\0', size))
    return ms_result_refuse(r, 0, "the header holds a NUL byte, which no result file does");
  if (size == 0 || head[size - 1] != '\n')
    return ms_result_refuse(r, 0, "the header does not end with a line");
  return parse_all(r);
}

static bool parse_end(const char *line, uint64_t *rows, uint32_t *crc32c)
{
  return ms_take_word(&line, "# end: rows=") && ms_take_count(&line, UINT64_MAX, rows) &&
         ms_take_word(&line, " crc32c=") && ms_take_crc32c(&line, crc32c) && !*line;
}

/* Notes the text that describes the inputs: what stands before the number of a section. */
static void note_inputs(ms_result *r, const char *head, size_t size)
{
  static const char section[] = "\n# section: ";
  const char *end = memmem(head, size, section, sizeof section - 1);
  uint32_t crc32c = end ? ms_crc32c(0, head, (size_t)(end - head)) : 0;
  if (!r->is_later)
    r->inputs_crc32c = crc32c;
  r->other_inputs |= crc32c != r->inputs_crc32c;
}

/* Reads the header: the lines that begin with '#', except for the end, and the line after them,
 * which names the columns unless a section before has done so. */
static ms_status header(ms_result *r, ms_error *err)
{
  size_t size = 0, length;
  uint64_t lines = 0;
  char *bytes;
  do {
    MS_TRY(ms_tape_peek_line(r->tape, size, &bytes, &length, err));
    size += length;
    lines += length > 0;
  } while (length > 0 && bytes[size - length] == '#' && !begins(bytes + size, "# end: "));
  if (length == 0)
    return ms_result_refuse_cut(r);
  if (r->is_later && bytes[size - length] != '#') {
    size -= length;
    lines--;
  }
  note_inputs(r, bytes, size);
  ms_status status = ms_result_parse_head(r, bytes, size, err);
  ms_tape_take(r->tape, size);
  r->tape->line += lines;
  return status;
}

/* ---- the end ------------------------------------------------------------------------- */

/* Parses the end; `line` is the first line after the rows. */
static ms_status parse_tail(ms_result *r, char *line, ms_error *err)
{
  const ms_result_field *field;
  uint64_t rows;
  uint32_t stated;
  for (size_t i = 0; (field = find_field(r, MS_IN_END, &i));) {
    if (!begins(line, field->lead)) {
      r->at_end = parse_end(line, &rows, &r->end_crc32c);
      return ms_result_refuse(r, r->tape->line, "the line '%s' is missing here", field->lead);
    }
    MS_TRY(parse_line(r, MS_IN_END, &i, line, r->tape->line));
    MS_TRY(ms_result_take_line(r, &line, err));
  }
  bool divides = r->header.row_form == MS_ROWS_LONG && !ms_result_counts_lines(&r->header);
  uint32_t rows_a_match = divides ? r->header.k : 1;
  if (!parse_end(line, &r->stated_rows, &stated) || r->stated_rows % rows_a_match != 0)
    return ms_result_refuse(r, r->tape->line, "the last line cannot be read");
  r->stated_rows /= rows_a_match;
  return ms_result_check_end(r, stated, err);
}

static ms_status row(ms_result *r, bool *more, ms_error *err)
{
  size_t first = 0;
  char *line;
  uint64_t rows;
  uint32_t crc;
  MS_TRY(ms_result_take_line(r, &line, err));
  if (line[0] == '#') { /* a name may begin like this, too */
    const ms_result_field *field = find_field(r, MS_IN_END, &first);
    if (field ? begins(line, field->lead) : parse_end(line, &rows, &crc))
      return parse_tail(r, line, err);
  }
  *more = true;
  return r->header.kind == MS_KIND_PATH ? result_take_steps(r, line, err)
                                        : ms_result_parse_row(r, line, err);
}

static bool is_end(const char *line, uint32_t *crc32c)
{
  uint64_t rows;
  return line[0] == '#' && parse_end(line, &rows, crc32c);
}

static ms_status drain(ms_result *r, ms_error *err)
{
  return ms_result_drain_lines(r, is_end, err);
}

const ms_result_format ms_result_tsv = {"# motifsieve ", header, row, drain};
