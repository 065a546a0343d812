/* Pattern matches in TSV: what is known at the end stands at the end. */
#include "verify/pattern_file.h"

#include "base/alloc.h"
#include "base/status.h"
#include "verify/result_tsv.h"

#include <string.h>

/* ---- header, also of the binary form ------------------------------------------ */

/* "PATH crc32c=.. vertices=.. edges=.. format=.." or "NAME vertices=.. edges=.." */
static bool read_pattern(ms_result_pattern *pattern, char *line)
{
  char word[32];
  const char *text;
  uint64_t vertices;
  bool is_file = ms_tsv_take_file(line, &pattern->file, &text);
  if (!is_file) {
    char *end = strchr(line, ' ');
    if (!end || end == line || pattern->file.path) {
      return false;
    }
    text = end;
    pattern->name = line;
  }
  bool ok = ms_take_word(&text, " vertices=") && ms_take_count(&text, MS_MAX_PATTERN, &vertices) &&
            vertices > 0 && ms_take_word(&text, " edges=") &&
            ms_take_count(&text, UINT64_MAX, &pattern->edges);
  if (ok && is_file) {
    ok = ms_tsv_take_setting(&text, " format=", word, sizeof word) &&
         ms_graph_format_find(word, &pattern->format);
  }
  ok = ok && !*text;
  if (ok && !is_file) {
    *strchr(line, ' ') = '\0';
  }
  pattern->vertices = ok ? (uint32_t)vertices : 0;
  return ok;
}

static bool read_semantics(ms_result_pattern *pattern, const char *text)
{
  pattern->embeddings = ms_take_word(&text, "embeddings");
  bool ok = pattern->embeddings || ms_take_word(&text, "subgraphs");
  pattern->induced = ok && ms_take_word(&text, " induced");
  return ok && !*text;
}

/* There only where rows come in any order: "NAME unordered". */
static ms_status read_engine(ms_result *result)
{
  if (!ms_tsv_comes(result, "# engine: ")) {
    return MS_OK;
  }
  const char *text = ms_tsv_expect(result, "# engine: ");
  size_t length = text ? strspn(text, "abcdefghijklmnopqrstuvwxyz") : 0;
  return length > 0 && strcmp(text + length, " unordered") == 0 ? MS_OK
                                                                : ms_tsv_wrong(result, "engine");
}

/* Cut the text at its tabs into exactly `count` fields. */
static bool split(char *text, const char **field, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++) {
    if (!text) {
      return false;
    }
    field[i] = text;
    text = strchr(text, '\t');
    if (text) {
      *text++ = '\0';
    }
  }
  return text == NULL;
}

static ms_status read_match_settings(ms_result *result)
{
  ms_result_pattern *pattern = &result->header.pattern;
  char *text = ms_tsv_expect(result, "# pattern: ");
  if (!text || !read_pattern(pattern, text)) {
    return text ? ms_tsv_wrong(result, "pattern") : MS_ERR_INPUT;
  }
  result->header.line[MS_PART_PATTERN] = result->line;
  result->header.k = pattern->vertices;
  ms_status status =
      ms_tsv_read_file(result, "# pattern_colors: ", MS_PART_PATTERN_COLORS, &pattern->colors);
  if (status != MS_OK) {
    return status;
  }
  text = ms_tsv_expect(result, "# semantics: ");
  if (!text || !read_semantics(pattern, text)) {
    return text ? ms_tsv_wrong(result, "semantics") : MS_ERR_INPUT;
  }
  pattern->automorphisms = ms_tsv_expect(result, "# automorphisms: ");
  result->header.line[MS_PART_AUTOMORPHISMS] = result->line;
  return pattern->automorphisms ? read_engine(result) : MS_ERR_INPUT;
}

/* All between the command and the names of the columns. */
static ms_status read_settings(ms_result *result)
{
  ms_status status = ms_tsv_read_inputs(result);
  if (status == MS_OK) {
    status = read_match_settings(result);
  }
  return status == MS_OK ? ms_tsv_read_sieve(result) : status;
}

static ms_status read_columns(ms_result *result)
{
  ms_result_header *h = &result->header;
  char *names = ms_tsv_expect(result, "match\t");
  if (!names || !split(names, h->pattern.names, h->pattern.vertices)) {
    return names ? ms_tsv_wrong(result, "line of column names") : MS_ERR_INPUT;
  }
  h->line[MS_PART_COLUMNS] = result->line;
  return result->at == result->end
             ? MS_OK
             : ms_result_refuse(result, result->line + 1, "the header should end here");
}

static ms_status read_head(ms_result *result)
{
  ms_result_header *h = &result->header;
  h->is_pattern = true;
  ms_status status = ms_tsv_read_command(result);
  if (status == MS_OK && h->is_screen) {
    status = ms_result_refuse(result, 1, "a screen has no pattern");
  }
  if (status == MS_OK) {
    status = h->is_typed ? ms_tsv_read_typed(result) : read_settings(result);
  }
  return status == MS_OK && !h->typed.inexact ? read_columns(result) : status;
}

ms_status ms_pattern_tsv_head(ms_pattern_file *file, const char *head, size_t size, ms_error *err)
{
  ms_result *result = file->result;
  result->bytes = ms_alloc(size + 1, 1);
  if (!result->bytes) {
    return ms_fail_memory(err, "the header of the result file");
  }
  memcpy(result->bytes, head, size);
  result->bytes[size] = '\0';
  result->at = result->bytes;
  result->end = result->bytes + size;
  if (memchr(head, '\0', size)) {
    return ms_result_refuse(result, 0, "the header holds a NUL byte, which no result file does");
  }
  if (size == 0 || head[size - 1] != '\n') {
    return ms_result_refuse(result, 0, "the header does not end with a line");
  }
  ms_status status = read_head(result);
  file->p = result->header.pattern.vertices;
  return status;
}

/* ---- the file --------------------------------------------------------------------- */

static ms_status tsv_header(ms_pattern_file *file, ms_error *err)
{
  size_t at = 0, length;
  uint64_t lines = 0;
  char *bytes;
  ms_status status;
  do {
    status = ms_pattern_look_line(file->tape, at, &bytes, &length, err);
    if (status != MS_OK) {
      return status;
    }
    at += length;
    lines++;
  } while (length > 0 && bytes[at - length] == '#');
  if (length == 0) {
    return ms_pattern_refuse_cut(file);
  }
  status = ms_pattern_tsv_head(file, bytes, at, err);
  ms_tape_take(file->tape, at);
  file->tape->line += lines;
  return status;
}

static bool read_end(const char *line, uint64_t *rows, uint32_t *crc32c)
{
  return ms_take_word(&line, "# end: rows=") && ms_take_count(&line, UINT64_MAX, rows) &&
         ms_take_word(&line, " crc32c=") && ms_take_crc32c(&line, crc32c) && !*line;
}

/* The next line, which must be there and begin with `label`; its rest. */
static ms_status expect(ms_pattern_file *file, const char *label, const char **rest, ms_error *err)
{
  char *line;
  size_t length;
  uint64_t rows;
  ms_status status = ms_tape_next_line(file->tape, &line, &length, err);
  if (status != MS_OK) {
    return status;
  }
  if (!line || file->tape->cut) {
    return ms_pattern_refuse_cut(file);
  }
  if (strlen(line) != length || strncmp(line, label, strlen(label)) != 0) {
    file->at_end = read_end(line, &rows, &file->end_crc32c);
    return ms_result_refuse(file->result, file->tape->line, "the line '%s' is missing here", label);
  }
  *rest = line + strlen(label);
  return MS_OK;
}

/* What follows the line of the status. */
static ms_status read_tail(ms_pattern_file *file, const char *word, ms_error *err)
{
  ms_tape *tape = file->tape;
  const char *text;
  char *bytes;
  uint32_t stated;
  size_t left;
  if (!ms_read_status(word, &file->complete)) {
    return ms_result_refuse(file->result, tape->line, "the status cannot be read");
  }
  ms_status status = expect(file, "# matches: ", &text, err);
  if (status != MS_OK) {
    return status;
  }
  file->result->header.line[MS_PART_FOUND] = tape->line;
  if (!ms_tsv_count(text, &file->stated_matches)) {
    return ms_result_refuse(file->result, tape->line, "the number of matches cannot be read");
  }
  status = expect(file, "", &text, err);
  if (status == MS_OK && !read_end(text, &file->stated_rows, &stated)) {
    return ms_result_refuse(file->result, tape->line, "the last line cannot be read");
  }
  if (status == MS_OK) {
    status = ms_tape_look(tape, 1, &bytes, &left, err);
  }
  if (status != MS_OK) {
    return status;
  }
  return left > 0 ? ms_result_refuse(file->result, tape->line + 1, "lines follow the last one")
                  : ms_pattern_check_crc32c(file, tape->before_line, stated);
}

static ms_status tsv_row(ms_pattern_file *file, bool *more, ms_error *err)
{
  char *line;
  size_t length;
  *more = false;
  ms_status status = ms_tape_next_line(file->tape, &line, &length, err);
  if (status != MS_OK) {
    return status;
  }
  if (!line || file->tape->cut) {
    return ms_pattern_refuse_cut(file);
  }
  file->line = file->tape->line;
  if (strlen(line) != length) {
    return ms_result_refuse(file->result, file->line,
                            "the line holds a NUL byte, which no result file does");
  }
  const char *text = line;
  if (ms_take_word(&text, "# status: ")) {
    return read_tail(file, text, err);
  }
  *more = true;
  char *tab = strchr(line, '\t');
  if (!tab || !ms_take_count(&text, UINT64_MAX, &file->number) || text != tab) {
    return ms_result_refuse(file->result, file->line, "'%.40s' does not begin as a match", line);
  }
  return split(tab + 1, file->names, file->p)
             ? MS_OK
             : ms_result_refuse(file->result, file->line, "the row does not have %u columns",
                                file->p + 1);
}

static ms_status tsv_drain(ms_pattern_file *file, ms_error *err)
{
  uint64_t rows;
  uint32_t stated = file->end_crc32c;
  bool ended = file->at_end;
  char *line;
  size_t length;
  ms_status status = ms_tape_next_line(file->tape, &line, &length, err);
  while (status == MS_OK && line) {
    ended = line[0] == '#' && read_end(line, &rows, &stated) && !file->tape->cut;
    status = ms_tape_next_line(file->tape, &line, &length, err);
  }
  if (status != MS_OK) {
    return status;
  }
  return ended ? ms_pattern_check_crc32c(file, file->tape->before_line, stated)
               : ms_pattern_refuse_cut(file);
}

static void tsv_release(ms_pattern_file *file)
{
  (void)file;
}

const ms_pattern_format ms_pattern_file_tsv = {false, tsv_header, tsv_row, tsv_drain, tsv_release};
