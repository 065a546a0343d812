/* Writes lines that begin with '#', a line of column names, tab-separated rows, and again lines
 * that begin with '#'. */
#include "base/text/float_text.h"
#include "base/text/utf8.h"
#include "graph/colors.h"
#include "graph/inside.h"
#include "result/writer.h"

#include <inttypes.h>
#include <stdio.h>

/* ---- fields -------------------------------------------------------------- */

void ms_put_path(ms_outfile *out, const char *path)
{
  size_t left = strlen(path), taken;
  for (; left > 0; path += taken, left -= taken) {
    char shown[MS_ESCAPE_BYTES];
    ms_outfile_write(out, shown, ms_escape_character(MS_ESCAPE_SHOWN, path, left, shown, &taken));
  }
}

static void put_to_file(void *to, const char *text, size_t length)
{
  ms_outfile_write(to, text, length);
}

static void put_value(ms_outfile *out, const ms_result_header *h, const ms_result_field *field)
{
  const void *at = (const char *)h + field->at;
  const ms_result_file *file = at;
  char bound[MS_BOUND_BYTES];
  switch (field->type) {
  case MS_FIELD_PATH:
    ms_put_path(out, *(const char *const *)at);
    break;
  case MS_FIELD_CRC32C:
    ms_outfile_printf(out, "%08" PRIx32, *(const uint32_t *)at);
    break;
  case MS_FIELD_FILE:
    ms_put_path(out, file->path);
    ms_outfile_printf(out, " crc32c=%08" PRIx32, file->crc32c);
    break;
  case MS_FIELD_TEXT:
  case MS_FIELD_FORMULA:
  case MS_FIELD_ASPECTS:
    ms_outfile_puts(out, *(const char *const *)at);
    break;
  case MS_FIELD_U32:
    ms_outfile_printf(out, "%" PRIu32, *(const uint32_t *)at);
    break;
  case MS_FIELD_U64:
  case MS_FIELD_DECIMAL:
    ms_outfile_printf(out, "%" PRIu64, *(const uint64_t *)at);
    break;
  case MS_FIELD_REAL:
    ms_outfile_printf(out, "%.15g", *(const double *)at);
    break;
  case MS_FIELD_BOUND:
    ms_outfile_puts(out, ms_bound_text(*(const double *)at, bound));
    break;
  case MS_FIELD_TRUTH:
    ms_outfile_puts(out, *(const bool *)at ? "1" : "0");
    break;
  case MS_FIELD_WORD:
    ms_outfile_puts(out, ms_result_word(field->words, *(const uint32_t *)at));
    break;
  case MS_FIELD_NAMES:
    for (uint32_t i = 0; i < ms_header_names(h, field); i++)
      ms_put_listed(put_to_file, out, i == 0, ms_header_texts(h, field)[i]);
    break;
  case MS_FIELD_MARK:
  case MS_FIELD_FALSE:
    break;
  }
}

static bool is_unset_mark(const ms_result_header *h, const ms_result_field *field)
{
  return field->type == MS_FIELD_MARK && !*(const bool *)((const char *)h + field->at);
}

/* True for the formula "0: WHY", whose zero has been written as the bound. */
static bool is_reason(const ms_result_header *h, const ms_result_field *field)
{
  return field->type == MS_FIELD_FORMULA &&
         strncmp(*(const char *const *)(const void *)((const char *)h + field->at), "0: ", 3) == 0;
}

static void put_fields(ms_outfile *out, const ms_result_header *h, ms_result_place place)
{
  bool in_line = false;
  for (size_t i = 0; i < ms_result_field_count; i++) {
    const ms_result_field *field = &ms_result_fields[i];
    if (!field->lead || !ms_header_shows(h, field, place) || is_unset_mark(h, field))
      continue;
    if (is_reason(h, field)) {
      ms_outfile_puts(out, *(const char *const *)(const void *)((const char *)h + field->at) + 1);
      continue;
    }
    if (field->lead[0] == '#' && in_line)
      ms_outfile_puts(out, "\n");
    ms_outfile_puts(out, field->lead);
    put_value(out, h, field);
    in_line = true;
  }
  if (in_line)
    ms_outfile_puts(out, "\n");
}

void ms_put_tsv_head(ms_outfile *out, const ms_result_header *h)
{
  ms_outfile_printf(out, "# motifsieve %s %s\n", ms_version(), ms_result_command(h->kind));
  put_fields(out, h, MS_IN_HEAD);
  if (h->has & MS_HAS_SECTIONS && h->section > 1)
    return; /* the columns are those of the first section */
  char title[MS_TITLE_BYTES];
  if (h->has & MS_HAS_SECTIONS)
    ms_outfile_puts(out, MS_MOTIF_COLUMN "\t");
  ms_outfile_puts(out, ms_row_columns_title(h, title));
  for (uint32_t i = 0; ms_result_has_pattern_columns(h) && i < ms_result_pattern_columns(h); i++) {
    ms_outfile_printf(out, "\t%s", h->pattern.names[i]);
    if (h->labels.path)
      ms_outfile_printf(out, "\t%s" MS_LABEL_COLUMN, h->pattern.names[i]);
  }
  ms_outfile_puts(out, "\n");
}

static ms_status begin(ms_writer *w, ms_error *err)
{
  (void)err;
  const ms_name_blocks *names = &w->names;
  for (const char *special = ",\" "; names->pool_bytes > 0 && *special && !w->escapes; special++)
    w->escapes = memchr(names->pool, *special, names->pool_bytes) != NULL;
  ms_put_tsv_head(w->out, &w->header);
  return MS_OK;
}

/* ---- rows ---------------------------------------------------------------- */

static const char *name_of(const ms_writer *w, uint32_t v)
{
  return w->names.pool + w->names.start[v];
}

static const char *label_of(const ms_writer *w, uint32_t v)
{
  return ms_label_or_name(w->labels, v, name_of(w, v));
}

/* Bytes of a name that are copied at once. */
#define NAME_PIECE 16u

/* Begins a row with the name of the motif, if the file has sections. */
static void begin_row(const ms_writer *w)
{
  if (!(w->header.has & MS_HAS_SECTIONS))
    return;
  ms_row_put(w->buffer, w->header.name, strlen(w->header.name));
  ms_row_put_char(w->buffer, '\t');
}

/* Returns the most bytes that a name takes, with the comma before it. */
static size_t longest_name(const ms_name_blocks *names)
{
  size_t longest = 0;
  for (uint32_t v = 0; v < names->count; v++) {
    size_t length = ms_name_length(names, v);
    longest = length > longest ? length : longest;
  }
  return longest + 1;
}

/* Copies the name of v to where NAME_PIECE bytes more than it have room.  Most names are copied in
 * one piece of a fixed length, without a branch that depends on theirs; the next text replaces the
 * bytes behind the name. */
static inline char *copy_name(char *to, const ms_name_blocks *names, uint32_t v)
{
  const char *name = names->pool + names->start[v];
  size_t length = ms_name_length(names, v);
  if (length > NAME_PIECE || names->start[v] + NAME_PIECE > names->pool_bytes)
    return ms_copy_text(to, name, length);
  memcpy(to, name, NAME_PIECE);
  return to + length;
}

/* Writes a row that may not fit into the buffer. */
static void put_long_row(ms_writer *w, const uint32_t *row, char between)
{
  const ms_name_blocks *names = &w->names;
  ms_row_put_counter(w->buffer, &w->number);
  for (uint32_t i = 0; i < w->header.k; i++) {
    ms_row_put_char(w->buffer, i > 0 ? between : '\t');
    ms_row_put(w->buffer, names->pool + names->start[row[i]], ms_name_length(names, row[i]));
  }
  ms_row_put_char(w->buffer, '\n');
}

/* Writes matches with their names alone, none of which needs quotes, and this character between
 * them.  A row that fits into the buffer whatever its names are is written there without further
 * checks. */
static void put_bare(ms_writer *w, const uint32_t *row, uint64_t count, char between)
{
  ms_row_buffer *buffer = w->buffer;
  const ms_name_blocks names = w->names;
  const uint32_t k = w->header.k;
  if (w->longest == 0)
    w->longest = longest_name(&names);
  size_t most = sizeof w->number.digits + k * w->longest + 1 + NAME_PIECE;
  for (uint64_t r = 0; r < count; r++, row += k) {
    ms_counter_next(&w->number);
    begin_row(w);
    if (most > MS_ROW_BUFFER_BYTES - buffer->used && most <= MS_ROW_BUFFER_BYTES)
      ms_row_buffer_flush(buffer);
    if (most > MS_ROW_BUFFER_BYTES) {
      put_long_row(w, row, between);
      continue;
    }
    char *at = buffer->bytes + buffer->used;
    at = ms_copy_text(at, ms_counter_text(&w->number), w->number.length);
    *at++ = '\t';
    for (uint32_t i = 0; i < k; i++) {
      at = copy_name(at, &names, row[i]);
      *at++ = between;
    }
    at[-1] = '\n';
    buffer->used = (size_t)(at - buffer->bytes);
  }
}

static void put_number(ms_row_buffer *buffer, float value)
{
  char text[MS_FLOAT_BYTES];
  ms_float_brief(value, text);
  ms_row_put_char(buffer, '\t');
  ms_row_put(buffer, text, strlen(text));
}

/* Writes the columns of measures that the header has. */
static void put_inside(const ms_writer *w, const ms_inside *inside)
{
  if (w->header.measures == MS_MEASURES_NONE)
    return;
  put_number(w->buffer, (float)inside->edges);
  put_number(w->buffer, inside->density);
  if (w->header.measures == MS_MEASURES_SCORES) {
    put_number(w->buffer, inside->mean_score);
    put_number(w->buffer, inside->least_score);
  }
}

static void measure(const ms_writer *w, const uint32_t *row, ms_inside *inside)
{
  if (w->header.measures != MS_MEASURES_NONE)
    ms_graph_inside_any(w->graph, row, w->header.k, inside);
}

static void put_measures(const ms_writer *w, const uint32_t *row)
{
  ms_inside inside;
  measure(w, row, &inside);
  put_inside(w, &inside);
}

static void put_integer(ms_row_buffer *buffer, uint64_t value)
{
  char text[24];
  ms_row_put(buffer, text, (size_t)snprintf(text, sizeof text, "\t%" PRIu64, value));
}

/* Writes the sum of vertex scores and the size of the family of a match, the i-th of those that are
 * being written, where the header has them. */
static void put_sums(const ms_writer *w, const uint32_t *row, uint64_t i)
{
  if (w->header.vertex_scores.path)
    put_integer(w->buffer, ms_vertex_scores_sum(w->vertex_scores, row, w->header.k));
  if (w->family_size)
    put_integer(w->buffer, w->family_size[w->rows + i]);
}

/* Writes matches of a motif, with the names in one column, and so the labels and the roles. */
static void put_sets(ms_writer *w, const uint32_t *row, uint64_t count)
{
  uint32_t k = w->header.k, slot[MS_MAX_K];
  ms_row_buffer *buffer = w->buffer;
  for (uint64_t r = 0; r < count; r++, row += k) {
    ms_counter_next(&w->number);
    begin_row(w);
    ms_row_put_counter(buffer, &w->number);
    ms_row_put_char(buffer, '\t');
    for (uint32_t i = 0; i < k; i++)
      ms_row_put_listed(buffer, i == 0, name_of(w, row[i]));
    if (w->header.labels.path)
      ms_row_put_char(buffer, '\t');
    for (uint32_t i = 0; w->header.labels.path && i < k; i++)
      ms_row_put_listed(buffer, i == 0, label_of(w, row[i]));
    if (w->header.roles) {
      ms_row_put_char(buffer, '\t');
      ms_query_slots(w->query, row, slot);
    }
    for (uint32_t i = 0; w->header.roles && i < k; i++)
      ms_row_put_listed(buffer, i == 0, ms_query_slot_name(w->query, slot[i]));
    put_measures(w, row);
    put_sums(w, row, r);
    ms_row_put_char(buffer, '\n');
  }
}

static void put_column(ms_row_buffer *buffer, const char *text)
{
  ms_row_put_char(buffer, '\t');
  ms_row_put(buffer, text, strlen(text));
}

/* Writes a row for each vertex of a match, all of which repeat the measures. */
static void put_long(ms_writer *w, const uint32_t *row, const uint32_t *score, uint64_t count)
{
  uint32_t k = w->header.k, slot[MS_MAX_K];
  ms_row_buffer *buffer = w->buffer;
  char text[16];
  ms_inside inside;
  for (uint64_t r = 0; r < count; r++, row += k) {
    ms_counter_next(&w->number);
    measure(w, row, &inside);
    if (w->query)
      ms_query_slots(w->query, row, slot);
    for (uint32_t i = 0; i < k; i++) {
      begin_row(w);
      ms_row_put_counter(buffer, &w->number);
      if (score)
        ms_row_put(buffer, text, (size_t)snprintf(text, sizeof text, "\t%" PRIu32, score[r]));
      put_inside(w, &inside);
      put_sums(w, row, r);
      put_column(buffer, name_of(w, row[i]));
      put_column(buffer, label_of(w, row[i]));
      put_column(buffer,
                 w->query ? ms_query_slot_name(w->query, slot[i]) : w->header.pattern.names[i]);
      ms_row_put_char(buffer, '\n');
    }
  }
}

/* Writes matches.  Names are copied from the graph's blocks, which know their lengths. */
static void matches(ms_writer *w, const uint32_t *row, const uint32_t *score, uint64_t count)
{
  uint32_t p = w->header.k;
  ms_row_buffer *buffer = w->buffer;
  const ms_name_blocks names = w->names;
  bool labels = w->header.labels.path;
  uint32_t slot[MS_MAX_K], order[MS_MAX_PATTERN];
  char text[16];
  bool wide = w->header.row_form == MS_ROWS_WIDE;
  if (w->header.row_form == MS_ROWS_LONG) {
    put_long(w, row, score, count);
    return;
  }
  if (w->header.kind == MS_KIND_LIST && !wide) {
    if (w->escapes || labels || w->header.roles || w->header.measures ||
        w->header.vertex_scores.path || w->family_size)
      put_sets(w, row, count);
    else
      put_bare(w, row, count, ',');
    return;
  }
  if (!wide && !score && !labels && !w->header.measures && !w->header.vertex_scores.path) {
    put_bare(w, row, count, '\t');
    return;
  }
  for (uint64_t r = 0; r < count; r++, row += p) {
    ms_counter_next(&w->number);
    ms_row_put_counter(buffer, &w->number);
    if (score)
      ms_row_put(buffer, text, (size_t)snprintf(text, sizeof text, "\t%" PRIu32, score[r]));
    put_measures(w, row);
    put_sums(w, row, r);
    if (wide)
      ms_query_slots(w->query, row, slot);
    for (uint32_t i = 0; i < p; i++)
      order[wide ? slot[i] : i] = row[i];
    for (uint32_t i = 0; i < p; i++) {
      ms_row_put_char(buffer, '\t');
      ms_row_put(buffer, names.pool + names.start[order[i]], ms_name_length(&names, order[i]));
      if (labels) {
        const char *label = label_of(w, order[i]);
        ms_row_put_char(buffer, '\t');
        ms_row_put(buffer, label, strlen(label));
      }
    }
    ms_row_put_char(buffer, '\n');
  }
}

/* ---- end ----------------------------------------------------------------- */

static ms_status end(ms_writer *w, ms_error *err)
{
  (void)err;
  put_fields(w->out, &w->header, MS_IN_END);
  uint32_t crc = ms_outfile_crc32c(w->out);
  uint64_t rows =
      w->header.row_form == MS_ROWS_LONG ? w->rows * w->header.k + w->extra_lines : w->rows;
  ms_outfile_printf(w->out, "# end: rows=%" PRIu64 " crc32c=%08" PRIx32 "\n", rows, crc);
  return MS_OK;
}

const ms_encoding ms_encoding_tsv = {false, begin, matches, end};
