/* Opens the parts of a run, checks that they are those of one run, and reads their rows. */
#include "run/merge/merge.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/text/format.h"
#include "base/threads/stop.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* seconds between two reports of progress */
#define PROGRESS_SECONDS 0.1

/* ---- what a part is a part of ------------------------------------------------------------ */

static bool is_listed(const ms_result_field *f, const size_t *offset, size_t count)
{
  for (size_t i = 0; i < count; i++)
    if (f->at == offset[i])
      return true;
  return false;
}

/* True if the field says what a run found, which differs from part to part, or which part it is.
 * The number of units follows from all others, and is compared last. */
static bool is_outcome(const ms_result_field *f)
{
  static const size_t outcomes[] = {offsetof(ms_result_header, division.part),
                                    offsetof(ms_result_header, division.units),
                                    offsetof(ms_result_header, division.counted),
                                    offsetof(ms_result_header, division.engine),
                                    offsetof(ms_result_header, census.sets),
                                    offsetof(ms_result_header, motifs_found),
                                    offsetof(ms_result_header, found),
                                    offsetof(ms_result_header, count),
                                    offsetof(ms_result_header, status),
                                    offsetof(ms_result_header, repetitions),
                                    offsetof(ms_result_header, miss_bound),
                                    offsetof(ms_result_header, formula),
                                    offsetof(ms_result_header, miss_bound_union),
                                    offsetof(ms_result_header, permutations.done),
                                    offsetof(ms_result_header, permutations.tried),
                                    offsetof(ms_result_header, permutations.accepted),
                                    offsetof(ms_result_header, permutations.deviation),
                                    offsetof(ms_result_header, chance.sum[0]),
                                    offsetof(ms_result_header, chance.sum[1]),
                                    offsetof(ms_result_header, chance.sum[2]),
                                    offsetof(ms_result_header, chance.sum[3]),
                                    offsetof(ms_result_header, paranoid)};
  return is_listed(f, outcomes, sizeof outcomes / sizeof *outcomes);
}

/* True if the field follows from inputs and options.  Where one of these differs, it is the reason
 * that a message should name. */
static bool is_derived(const ms_result_field *f)
{
  static const size_t derived[] = {offsetof(ms_result_header, vertices),
                                   offsetof(ms_result_header, edges),
                                   offsetof(ms_result_header, colors),
                                   offsetof(ms_result_header, assignments),
                                   offsetof(ms_result_header, pattern.vertices),
                                   offsetof(ms_result_header, pattern.edges),
                                   offsetof(ms_result_header, pattern.names),
                                   offsetof(ms_result_header, pattern.automorphisms),
                                   offsetof(ms_result_header, repetitions_planned),
                                   offsetof(ms_result_header, significance.moments),
                                   offsetof(ms_result_header, significance.error),
                                   offsetof(ms_result_header, significance.tests),
                                   offsetof(ms_result_header, significance.overlap),
                                   offsetof(ms_result_header, permutations.tests),
                                   offsetof(ms_result_header, chance.observed)};
  return is_listed(f, derived, sizeof derived / sizeof *derived);
}

static ms_status add_names(ms_identity *id, const char *name, const ms_result_header *h,
                           const ms_result_field *f, ms_error *err)
{
  uint32_t count;
  memcpy(&count, (const char *)h + f->count, sizeof count);
  MS_TRY(ms_identity_number(id, name, count, err));
  for (uint32_t i = 0; i < count; i++)
    MS_TRY(ms_identity_text(id, name, ms_header_texts(h, f)[i], err));
  return MS_OK;
}

/* Appends the value of a field, unless it is a path: a path may differ, and its file has a checksum
 * of its own. */
static ms_status add_field(ms_identity *id, const ms_result_header *h, const ms_result_field *f,
                           ms_error *err)
{
  const void *at = (const char *)h + f->at;
  const char *name = f->key;
  char text[64], lead[64], qualified[96];
  const char *value;
  uint64_t number = 0;
  uint32_t small = 0;
  bool truth = false;
  if (!name) { /* the lead is '# NAME: ' */
    size_t before = strspn(f->lead, "# ");
    snprintf(lead, sizeof lead, "%.*s", (int)strcspn(f->lead + before, ":"), f->lead + before);
    name = lead;
  }
  if (f->section) {
    snprintf(qualified, sizeof qualified, "%s of the %s", name, f->section);
    name = qualified;
  }
  switch (f->type) {
  case MS_FIELD_PATH:
    return MS_OK;
  case MS_FIELD_CRC32C:
    memcpy(&small, at, sizeof small);
    return ms_identity_crc32c(id, name, small, err);
  case MS_FIELD_FILE:
    if (!((const ms_result_file *)at)->path)
      return MS_OK;
    return ms_identity_crc32c(id, name, ((const ms_result_file *)at)->crc32c, err);
  case MS_FIELD_TEXT:
  case MS_FIELD_ASPECTS:
  case MS_FIELD_FORMULA:
    memcpy(&value, at, sizeof value);
    return value ? ms_identity_text(id, name, value, err) : MS_OK;
  case MS_FIELD_U32:
    memcpy(&small, at, sizeof small);
    return ms_identity_number(id, name, small, err);
  case MS_FIELD_WORD:
    memcpy(&small, at, sizeof small);
    return ms_identity_text(id, name, ms_result_word(f->words, small), err);
  case MS_FIELD_U64:
  case MS_FIELD_DECIMAL:
    memcpy(&number, at, sizeof number);
    return ms_identity_number(id, name, number, err);
  case MS_FIELD_REAL:
  case MS_FIELD_BOUND:
    ms_format(text, sizeof text, "%.15g", *(const double *)at); /* as in the file */
    return ms_identity_text(id, name, text, err);
  case MS_FIELD_TRUTH:
  case MS_FIELD_MARK:
    memcpy(&truth, at, sizeof truth);
    return ms_identity_text(id, name, truth ? "yes" : "no", err);
  case MS_FIELD_FALSE:
    return MS_OK;
  case MS_FIELD_NAMES:
    return add_names(id, name, h, f, err);
  }
  return MS_OK;
}

/* Lists the fields of the header that are derived, or those that are not. */
static ms_status add_fields(ms_identity *id, const ms_result *r, bool derived, ms_error *err)
{
  const ms_result_header *h = &r->header;
  for (size_t i = 0; i < ms_result_field_count; i++) {
    const ms_result_field *f = &ms_result_fields[i];
    /* the forms have the same fields, but for some that one of them writes in another way */
    bool is_written = r->format == &ms_result_json ? f->key != NULL : f->lead != NULL;
    if (is_written && ms_result_has_field(h, f, MS_IN_HEAD) && !is_outcome(f) &&
        is_derived(f) == derived)
      MS_TRY(add_field(id, h, f, err));
  }
  return MS_OK;
}

/* Lists what the header says of the run: all that the undivided result would say before its rows,
 * but for what was found. */
static ms_status identify(ms_merged_part *p, ms_error *err)
{
  const ms_result *r = &p->result;
  const ms_result_header *h = &r->header;
  ms_identity *id = &p->asked;
  MS_TRY(ms_identity_text(id, "version of motifsieve", r->version, err));
  MS_TRY(ms_identity_text(id, "command", ms_result_command(h->kind), err));
  MS_TRY(ms_identity_text(id, "form", r->format == &ms_result_tsv ? "TSV" : "JSON", err));
  MS_TRY(ms_identity_text(id, "count", h->has & MS_HAS_COUNTED ? "yes" : "no", err));
  MS_TRY(ms_identity_text(id, "significance of one motif", h->kind == MS_KIND_CHANCE ? "yes" : "no",
                          err));
  MS_TRY(add_fields(id, r, false, err));
  MS_TRY(add_fields(&p->derived, r, true, err));
  return ms_identity_number(&p->derived, "units", h->division.units, err);
}

/* ---- opening ----------------------------------------------------------------------------- */

ms_status ms_merging_refuse(ms_merging *m, uint32_t i, ms_status status, ms_error *err)
{
  ms_result *r = &m->part[i].result;
  if (status != MS_OK)
    status = ms_result_find_damage(r, status, err);
  if (r->refused)
    return ms_fail(err, MS_ERR_INPUT, "%s: refused: %.450s", m->path[i], r->problem);
  return status;
}

static ms_status open_part(ms_merging *m, uint32_t i, ms_error *err)
{
  ms_merged_part *p = &m->part[i];
  p->open = true;
  MS_TRY(ms_tape_open(&p->tape, m->path[i], err));
  MS_TRY(ms_merging_refuse(m, i, ms_result_open(&p->result, &p->tape, err), err));
  const ms_result_header *h = &p->result.header;
  if (!(h->has & MS_HAS_PART))
    return ms_fail(err, MS_ERR_INPUT,
                   "%s: is the result of a whole run, and no part; give files that were made with "
                   "`part`",
                   m->path[i]);
  if (strcmp(p->result.version, ms_version()) != 0)
    return ms_fail(err, MS_ERR_INPUT,
                   "%s: was made by version %.31s of motifsieve, and this is version %s; merge the "
                   "parts with the version that made them",
                   m->path[i], p->result.version, ms_version());
  if (h->division.part > h->division.parts)
    return ms_fail(err, MS_ERR_INPUT, "%s: there is no part %" PRIu32 " of %" PRIu32, m->path[i],
                   h->division.part, h->division.parts);
  return identify(p, err);
}

void ms_merged_part_close(ms_merged_part *p)
{
  if (!p->open)
    return;
  p->open = false;
  ms_tape_close(&p->tape);
}

/* Reads a part to its end, and refuses it if it is incomplete. */
static ms_status read_to_end(ms_merging *m, uint32_t i, ms_error *err)
{
  bool more = true;
  ms_merged_part_close(&m->part[i]);
  MS_TRY(ms_merging_open_rows(m, i, err));
  for (uint64_t row = 0; more; row++) {
    if (row % 4096 == 0) {
      ms_merging_report(m, "rows checked", row, 0);
      MS_TRY(ms_stop_poll("parts are merged", err));
    }
    MS_TRY(ms_merging_next_row(m, i, &more, err));
  }
  ms_merging_close_rows(m, i);
  return MS_OK;
}

static ms_status fail_foreign(const ms_merging *m, uint32_t i, const char *reason, ms_error *err)
{
  return ms_fail(err, MS_ERR_INPUT,
                 "%s: is a part of another run than %.200s: %s; give the parts of one run. If both "
                 "are of one run, one of them is damaged: make it again",
                 m->path[i], m->path[0], reason);
}

/* MS_ERR_INPUT: part i is one of another run than the first file.  Inputs and options that both
 * state and that differ say so at once.  A part that was stopped early may lack some of them, and
 * has not found its units, or what follows from the inputs; then that it is incomplete, which its
 * end says, is the reason to name. */
static ms_status check_same(ms_merging *m, uint32_t i, ms_error *err)
{
  static const char here[] = "this part", there[] = "the first file";
  const ms_merged_part *p = &m->part[i], *first = &m->part[0];
  char reason[512];
  if (ms_identity_conflicts(&p->asked, here, &first->asked, there, reason, sizeof reason))
    return fail_foreign(m, i, reason, err);
  if (ms_identity_equal(&p->asked, here, &first->asked, there, reason, sizeof reason) &&
      ms_identity_equal(&p->derived, here, &first->derived, there, reason, sizeof reason))
    return MS_OK;
  MS_TRY(read_to_end(m, 0, err));
  MS_TRY(read_to_end(m, i, err));
  return fail_foreign(m, i, reason, err);
}

/* Finds the place of each part, and refuses one that is missing or there twice. */
static ms_status order_parts(ms_merging *m, ms_error *err)
{
  uint32_t parts = m->part[0].result.header.division.parts;
  uint32_t *place = ms_calloc(parts, sizeof *place); /* place plus 1; 0: missing */
  if (!place)
    return ms_fail_memory(err, "the order of parts");
  m->by_number = place;
  for (uint32_t i = 0; i < m->count; i++) {
    uint32_t number = m->part[i].result.header.division.part;
    if (place[number - 1])
      return ms_fail(err, MS_ERR_INPUT,
                     "%s: is part %" PRIu32 " of %" PRIu32 ", and so is %.300s; give one of them",
                     m->path[i], number, parts, m->path[place[number - 1] - 1]);
    place[number - 1] = i + 1;
  }
  for (uint32_t number = 0; number < parts; number++)
    if (place[number]-- == 0)
      return ms_fail(err, MS_ERR_INPUT, "part %" PRIu32 " of %" PRIu32 " is missing; give its file",
                     number + 1, parts);
  return MS_OK;
}

ms_status ms_merging_open(ms_merging *m, ms_error *err)
{
  for (uint32_t i = 0; i < m->count; i++) {
    MS_TRY(open_part(m, i, err));
    if (i > 0)
      MS_TRY(check_same(m, i, err));
    ms_merged_part_close(&m->part[i]);
  }
  return order_parts(m, err);
}

/* ---- rows --------------------------------------------------------------------------------- */

ms_status ms_merging_open_rows(ms_merging *m, uint32_t i, ms_error *err)
{
  ms_merged_part *p = &m->part[i];
  ms_identity asked = p->asked, derived = p->derived;
  ms_result_close(&p->result);
  ms_result_init(&p->result, m->path[i]);
  p->asked = p->derived = (ms_identity){0};
  ms_status status = open_part(m, i, err);
  char reason[512];
  if (status == MS_OK &&
      !(ms_identity_equal(&asked, "before", &p->asked, "now", reason, sizeof reason) &&
        ms_identity_equal(&derived, "before", &p->derived, "now", reason, sizeof reason)))
    status = ms_fail(err, MS_ERR_INPUT, "%s: the file changed while it was read", m->path[i]);
  ms_identity_free(&asked);
  ms_identity_free(&derived);
  return status;
}

void ms_merging_report(ms_merging *m, const char *what, uint64_t done, uint64_t total)
{
  double now = ms_seconds();
  if (!m->options->run.progress ||
      (done > 0 && done != total && now - m->reported < PROGRESS_SECONDS))
    return;
  m->reported = now;
  ms_limits_report(&m->options->run, what, done, total);
}

void ms_merging_close_rows(ms_merging *m, uint32_t i)
{
  ms_merged_part_close(&m->part[i]);
}

static const char *why_incomplete(ms_result_status status)
{
  static const char *const reasons[] = {[MS_RESULT_COMPLETE] = "",
                                        [MS_RESULT_LIMIT] = "it reached its limit",
                                        [MS_RESULT_TIME] = "its time was over",
                                        [MS_RESULT_INTERRUPTED] = "it was interrupted",
                                        [MS_RESULT_MEMORY] = "its memory was full",
                                        [MS_RESULT_SPACE] = "its disk was full"};
  return reasons[status];
}

ms_status ms_merging_next_row(ms_merging *m, uint32_t i, bool *more, ms_error *err)
{
  ms_merged_part *p = &m->part[i];
  MS_TRY(ms_merging_refuse(m, i, ms_result_next_row(&p->result, more, err), err));
  if (*more)
    return MS_OK;
  if (p->result.header.status != MS_RESULT_COMPLETE)
    return ms_fail(err, MS_ERR_INPUT,
                   "%s: part %" PRIu32 " of %" PRIu32
                   " is incomplete, because %s; run it again, and "
                   "let it end, or go on by `resume` if it has a `checkpoint`",
                   m->path[i], p->result.header.division.part, p->result.header.division.parts,
                   why_incomplete(p->result.header.status));
  return MS_OK;
}

/* The checksum is that of the rows that were written. */
ms_status ms_merging_end_rows(ms_merging *m, uint32_t i, ms_error *err)
{
  bool more;
  MS_TRY(ms_merging_next_row(m, i, &more, err));
  ms_merging_close_rows(m, i);
  return more ? ms_fail(err, MS_ERR_INPUT, "%s: refused: it has more rows than its units",
                        m->path[i])
              : MS_OK;
}

/* ---- lines -------------------------------------------------------------------------------- */

static const char json_begin[] = "{\"type\":\"match\",\"match\":";

static bool is_json(const ms_merging *m)
{
  return m->writer.encoding == &ms_encoding_json;
}

ms_status ms_merging_rest_of_line(ms_merging *m, uint32_t i, const char *line, const char **rest,
                                  ms_error *err)
{
  uint64_t own;
  *rest = line;
  if ((!is_json(m) || ms_take_word(rest, json_begin)) && ms_take_count(rest, UINT64_MAX, &own))
    return MS_OK;
  return ms_fail(err, MS_ERR_INPUT, "%s: refused: a row does not begin as a match", m->path[i]);
}

void ms_merging_put_line(ms_merging *m, const char *rest, uint64_t number)
{
  ms_outfile *out = m->writer.out;
  ms_outfile_printf(out, "%s%" PRIu64, is_json(m) ? json_begin : "", number);
  ms_outfile_puts(out, rest);
  ms_outfile_puts(out, "\n");
}
