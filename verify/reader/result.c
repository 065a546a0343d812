/* Reads a result file in any of the formats. */
#include "verify/reader/result.h"

#include "base/alloc.h"
#include "base/status.h"

#include <string.h>

/* ---- binary files ---------------------------------------------------------------------------- */

/* Reads pattern matches as numbers: "MSMATCH1", the length of the header, the header in TSV, rows
 * of ids, and a tail of 24 bytes.  All numbers have their low byte first. */

#define HEAD_BYTES 12u /* bytes before the binary_header: 8 of magic, 4 of its length */
#define TAIL_BYTES 24u /* 8 of magic, 8 of rows, 4 of status, 4 of CRC-32C */
#define SUM_BYTES 4u   /* the CRC-32C of all bytes before it */

static const char tail_magic[] = "MSEND001";

static uint32_t get32(const char *bytes)
{
  uint32_t value = 0;
  for (int i = 3; i >= 0; i--)
    value = value << 8 | (unsigned char)bytes[i];
  return value;
}

static ms_status binary_header(ms_result *r, ms_error *err)
{
  char *bytes;
  size_t length, size = 0;
  MS_TRY(ms_tape_peek(r->tape, HEAD_BYTES, &bytes, &length, err));
  if (length >= HEAD_BYTES) {
    size = HEAD_BYTES + (size_t)get32(bytes + HEAD_BYTES - 4);
    MS_TRY(ms_tape_peek(r->tape, size, &bytes, &length, err));
  }
  if (size == 0 || length < size)
    return ms_result_refuse_cut(r);
  MS_TRY(ms_result_parse_head(r, bytes + HEAD_BYTES, size - HEAD_BYTES, err));
  if (!(r->header.kind & (MS_KIND_PATTERN | MS_KIND_TYPED)) || r->header.has & MS_HAS_INEXACT)
    return ms_result_refuse(r, 1, "only matches of a pattern have a binary form");
  if (r->header.labels.path || r->header.row_form)
    return ms_result_refuse(r, 1, "the binary form has neither labels nor long rows");
  ms_tape_take(r->tape, size);
  size_t padding = (4 - size % 4) % 4;
  MS_TRY(ms_tape_peek(r->tape, padding, &bytes, &length, err));
  if (length < padding)
    return ms_result_refuse_cut(r);
  if (memcmp(bytes, "\0\0\0", padding) != 0)
    return ms_result_refuse(r, 0, "the bytes between binary_header and rows are not zero");
  ms_tape_take(r->tape, padding);
  return MS_OK;
}

static ms_status check_sum(ms_result *r, const char *tail)
{
  uint32_t stated = get32(tail + TAIL_BYTES - SUM_BYTES);
  ms_tape_take(r->tape, TAIL_BYTES - SUM_BYTES);
  return ms_result_check_crc32c(r, r->tape->crc32c, stated);
}

static ms_status take_tail(ms_result *r, const char *tail)
{
  if (memcmp(tail, tail_magic, 8) != 0)
    return ms_result_refuse_cut(r);
  uint32_t word = get32(tail + 16);
  r->stated_rows = get32(tail + 8) | (uint64_t)get32(tail + 12) << 32;
  r->header.found = r->stated_rows;
  r->header.status = word;
  MS_TRY(check_sum(r, tail));
  if (word > MS_RESULT_SPACE)
    return ms_result_refuse(r, 0, "the status at the end is %u; it goes from 0 to 5", word);
  return MS_OK;
}

static ms_status binary_row(ms_result *r, bool *more, ms_error *err)
{
  char *bytes;
  uint32_t p = r->header.k;
  size_t length, size = 4 * (size_t)p;
  MS_TRY(ms_tape_peek(r->tape, size + TAIL_BYTES, &bytes, &length, err));
  if (length < size + TAIL_BYTES)
    return length == TAIL_BYTES ? take_tail(r, bytes) : ms_result_refuse_cut(r);
  *more = true;
  for (uint32_t i = 0; i < p; i++)
    r->ids[i] = get32(bytes + 4 * i);
  ms_tape_take(r->tape, size);
  r->row.line = 0;
  r->row.match = (ms_match_row){.number = r->rows + 1, .ids = r->ids, .count = p};
  return MS_OK;
}

static ms_status binary_drain(ms_result *r, ms_error *err)
{
  char *bytes;
  size_t length;
  for (;;) {
    MS_TRY(ms_tape_peek(r->tape, TAIL_BYTES + 1, &bytes, &length, err));
    if (length <= TAIL_BYTES)
      break;
    ms_tape_take(r->tape, length - TAIL_BYTES);
  }
  if (length < TAIL_BYTES || memcmp(bytes, tail_magic, 8) != 0)
    return ms_result_refuse_cut(r);
  return check_sum(r, bytes);
}

const ms_result_format ms_result_binary = {"MSMATCH1", binary_header, binary_row, binary_drain};

/* ---- all files ------------------------------------------------------------------------------- */

void ms_result_init(ms_result *r, const char *path)
{
  memset(r, 0, sizeof *r);
  r->path = path;
  mpq_init(r->bound[0]);
  mpq_init(r->bound[1]);
}

void ms_result_close(ms_result *r)
{
  json_decref(r->held[0]);
  json_decref(r->held[1]);
  json_decref(r->inputs[0]);
  json_decref(r->inputs[1]);
  mpq_clear(r->bound[0]);
  mpq_clear(r->bound[1]);
  ms_free(r->samples);
  ms_free(r->names);
  ms_free(r->numbers);
  ms_free(r->head);
  ms_free(r->match);
}

/* ---- opening ------------------------------------------------------------------------ */

/* Fails because the file begins as no result file does.  The tool's other outputs are recognised,
 * so that the message can say what to use instead. */
static ms_status fail_unknown(const ms_result *r, const char *bytes, ms_error *err)
{
  static const char cx2[] = "[{\"CXVersion\"", dot[] = "// motifsieve ", svg[] = "<svg ";
  const char *drawing = strncmp(bytes, cx2, sizeof cx2 - 1) == 0   ? "a CX2 network"
                        : strncmp(bytes, dot, sizeof dot - 1) == 0 ? "a DOT drawing"
                        : strncmp(bytes, svg, sizeof svg - 1) == 0 ? "an SVG picture"
                                                                   : NULL;
  if (drawing)
    return ms_fail(err, MS_ERR_INPUT,
                   "%s: not a result file to verify: it is %s, which does not hold the rows to "
                   "check; write the result as TSV or as JSON lines",
                   r->path, drawing);
  return ms_fail(err, MS_ERR_INPUT,
                 "%s: not a result file: it begins neither with '# motifsieve' nor with a JSON "
                 "header",
                 r->path);
}

/* Checks the number of the section behind section `before` of `all`. */
static ms_status check_number(ms_result *r, uint32_t before, uint32_t all)
{
  const ms_result_header *h = &r->header;
  uint64_t line = h->line[MS_PART_SECTION];
  if (!(h->has & MS_HAS_SECTIONS))
    return ms_result_refuse(r, r->first_line, "the header of section %u of %u is missing here",
                            before + 1, all);
  if (h->section != before + 1 || h->sections != all || h->section > all)
    return ms_result_refuse(r, line, "section %u of %u should come here, not %u of %u", before + 1,
                            all, h->section, h->sections);
  return MS_OK;
}

ms_status ms_result_open(ms_result *r, ms_tape *tape, ms_error *err)
{
  static const ms_result_format *const formats[] = {&ms_result_tsv, &ms_result_json,
                                                    &ms_result_binary};
  char *bytes;
  size_t length;
  r->tape = tape;
  r->samples = r->header.samples.each = ms_calloc(1, sizeof *r->samples);
  if (!r->samples)
    return ms_fail_memory(err, "the samples of a header");
  MS_TRY(ms_tape_peek(tape, strlen(ms_result_json.magic), &bytes, &length, err));
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
    if (strncmp(bytes, formats[i]->magic, strlen(formats[i]->magic)) == 0)
      r->format = formats[i];
  if (!r->format)
    return fail_unknown(r, bytes, err);
  r->first_line = 1;
  MS_TRY(r->format->header(r, err));
  r->columns = ms_row_columns_of(&r->header);
  if (r->header.has & MS_HAS_SECTIONS)
    MS_TRY(check_number(r, 0, r->header.sections));
  r->first_row = tape->line + 1;
  return MS_OK;
}

/* ---- sections ----------------------------------------------------------------------- */

static void forget_section(ms_result *r)
{
  json_decref(r->held[0]);
  json_decref(r->held[1]);
  r->held[0] = r->held[1] = NULL;
  ms_free(r->head);
  r->head = r->at = r->end = NULL;
  memset(&r->header, 0, sizeof r->header);
  r->header.samples.each = r->samples;
  mpq_set_ui(r->bound[0], 0, 1);
  mpq_set_ui(r->bound[1], 0, 1);
  r->rows = r->stated_rows = 0;
  r->settled = r->at_end = false;
}

ms_status ms_result_open_next(ms_result *r, ms_error *err)
{
  uint32_t before = r->header.section, all = r->header.sections;
  ms_result_kind kind = r->header.kind;
  forget_section(r);
  r->is_later = true;
  r->first_line = r->tape->line + 1;
  MS_TRY(r->format->header(r, err));
  r->columns = ms_row_columns_of(&r->header);
  MS_TRY(check_number(r, before, all));
  if (r->header.kind != kind || r->other_inputs)
    return ms_result_refuse(r, r->first_line,
                            "the inputs of section %u are not those of the sections before it",
                            r->header.section);
  r->first_row = r->tape->line + 1;
  return MS_OK;
}

bool ms_result_is_last(const ms_result *r)
{
  return !(r->header.has & MS_HAS_SECTIONS) || r->header.section >= r->header.sections ||
         r->ended_early;
}

ms_status ms_result_next_row(ms_result *r, bool *more, ms_error *err)
{
  *more = false;
  MS_TRY(r->format->row(r, more, err));
  if (*more)
    r->rows += r->header.kind == MS_KIND_PATH       ? r->row.path.lines
               : ms_result_counts_lines(&r->header) ? r->row.match.lines
                                                    : 1;
  else if (r->rows != r->stated_rows)
    return ms_result_refuse(r, 0, "the end says %llu rows, but there are %llu",
                            (unsigned long long)r->stated_rows, (unsigned long long)r->rows);
  return MS_OK;
}

/* ---- damage ------------------------------------------------------------------------- */

ms_status ms_result_find_damage(ms_result *r, ms_status status, ms_error *err)
{
  bool refused = r->refused;
  char problem[sizeof r->problem];
  ms_error reason;
  if (!r->format || r->settled || (status != MS_ERR_INPUT && status != MS_ERR_USAGE))
    return status;
  memcpy(problem, r->problem, sizeof problem);
  r->refused = false;
  ms_status drained = r->format->drain(r, &reason);
  if (r->refused)
    return MS_ERR_INPUT;
  memcpy(r->problem, problem, sizeof problem);
  r->refused = refused && drained == MS_OK;
  return drained == MS_OK ? status : ms_fail(err, drained, "%s", reason.message);
}
