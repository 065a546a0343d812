#include "verify/pattern_rows.h"

#include "base/status.h"

#include <stdio.h>
#include <string.h>

/* Rows between two looks at the stop token. */
#define POLL_ROWS 4096u

/* ---- rows --------------------------------------------------------------------------- */

static ms_status find_vertices(ms_pattern_rows *m)
{
  ms_pattern_file *file = m->file;
  for (uint32_t i = 0; i < file->p; i++) {
    uint32_t v = m->judge->find(m->judge->inputs, file->names[i]);
    if (v == MS_NO_ID) {
      return ms_result_refuse(file->result, file->line, "'%.100s' is no vertex of the graph",
                              file->names[i]);
    }
    file->ids[i] = v;
  }
  return MS_OK;
}

static ms_status check_row(ms_pattern_rows *m, ms_error *err)
{
  ms_pattern_file *file = m->file;
  unsigned long long number = file->rows + 1;
  bool fresh;
  if (file->number != number) {
    return ms_result_refuse(file->result, file->line, "match %llu is numbered %llu", number,
                            (unsigned long long)file->number);
  }
  ms_status status = file->format->has_ids ? MS_OK : find_vertices(m);
  if (status != MS_OK) {
    return status;
  }
  const char *fault = m->judge->fault(m->judge->inputs, file->ids);
  if (fault) {
    return ms_result_refuse(file->result, file->line, "match %llu %s", number, fault);
  }
  status = ms_row_set_add(m->set, file->ids, &fresh, err);
  if (status == MS_OK && !fresh) {
    return ms_result_refuse(file->result, file->line, "match %llu repeats an earlier one", number);
  }
  m->certificate->report->rows = ++file->rows;
  return status;
}

/* An interrupt ends the checking; a time limit is the recount's. */
static ms_status look_up_stop(const ms_pattern_rows *m, ms_error *err)
{
  if (m->file->rows % POLL_ROWS == 0 &&
      ms_stop_check(m->certificate->options->stop) == MS_ERR_INTERRUPTED) {
    return ms_fail(err, MS_ERR_INTERRUPTED, "%s: interrupted after %llu rows, all of them right",
                   m->certificate->result.path, (unsigned long long)m->file->rows);
  }
  return MS_OK;
}

static ms_status check_totals(ms_pattern_rows *m)
{
  ms_pattern_file *file = m->file;
  if (file->stated_rows != file->rows) {
    return ms_result_refuse(file->result, 0, "the end says %llu rows, there are %llu",
                            (unsigned long long)file->stated_rows, (unsigned long long)file->rows);
  }
  if (file->stated_matches != file->rows) {
    return ms_result_refuse(file->result, file->result->header.line[MS_PART_FOUND],
                            "the end says %llu matches, there are %llu",
                            (unsigned long long)file->stated_matches,
                            (unsigned long long)file->rows);
  }
  file->result->header.found = file->rows;
  return MS_OK;
}

ms_status ms_pattern_rows_check(ms_pattern_rows *m, ms_error *err)
{
  bool more;
  ms_status status = ms_row_set_new(m->file->p, m->judge->vertices, &m->set, err);
  if (status == MS_OK) {
    status = m->file->format->row(m->file, &more, err);
  }
  while (status == MS_OK && more) {
    status = check_row(m, err);
    if (status == MS_OK) {
      status = look_up_stop(m, err);
    }
    if (status == MS_OK) {
      status = m->file->format->row(m->file, &more, err);
    }
  }
  return status == MS_OK ? check_totals(m) : status;
}

/* ---- the recount --------------------------------------------------------------------- */

typedef struct row_search {
  const ms_pattern_rows *m;
  bool found;
  uint32_t row[MS_MAX_PATTERN];
} row_search;

/* An ms_found_fn: stop at a match that should have a row and has none. */
static bool look_up(void *user, const uint32_t *row)
{
  row_search *search = user;
  const ms_pattern_rows *m = search->m;
  if (m->judge->fault(m->judge->inputs, row) || ms_row_set_has(m->set, row)) {
    return true;
  }
  search->found = true;
  memcpy(search->row, row, m->file->p * sizeof *row);
  return false;
}

/* ", for example a,b,c", or nothing where the time is over. */
static void give_example(const ms_pattern_rows *m, char *text, size_t room)
{
  row_search search = {.m = m};
  mpz_t count;
  size_t used = 0;
  *text = '\0';
  mpz_init(count);
  m->judge->recount(m->judge->inputs, count, look_up, &search, m->certificate->options->stop, NULL);
  mpz_clear(count);
  for (uint32_t i = 0; search.found && i < m->file->p && used < room - 1; i++) {
    int length = snprintf(text + used, room - used, "%s%s", i ? "," : ", for example ",
                          m->judge->name(m->judge->inputs, search.row[i]));
    used += length > 0 ? (size_t)length : 0;
  }
}

/* Is the number of rows that of all matches? */
static ms_status compare_count(ms_pattern_rows *m, mpz_t count, const mpz_t automorphisms)
{
  ms_certificate *c = m->certificate;
  char example[200], text[32];
  if (!c->result.header.pattern.embeddings) {
    mpz_divexact(count, count, automorphisms);
  }
  mpz_sub_ui(count, count, (unsigned long)m->file->rows);
  if (mpz_sgn(count) < 0) {
    return ms_result_refuse(&c->result, 0, "there are more rows than the recount finds matches");
  }
  c->report->missing = mpz_fits_ulong_p(count) ? mpz_get_ui(count) : UINT64_MAX;
  if (c->report->missing == 0) {
    return MS_OK;
  }
  give_example(m, example, sizeof example);
  snprintf(text, sizeof text, "%llu", (unsigned long long)c->report->missing);
  return ms_result_refuse(&c->result, 0, "%s match%s missing%s; %s", text,
                          c->report->missing == 1 ? " is" : "es are", example,
                          ms_missing_explanation(c));
}

ms_status ms_pattern_rows_recount(ms_pattern_rows *m, const mpz_t automorphisms, ms_error *err)
{
  ms_certificate *c = m->certificate;
  mpz_t count;
  if (!m->file->complete || c->options->no_recount) {
    return MS_OK;
  }
  mpz_init(count);
  ms_status status = m->judge->recount(m->judge->inputs, count, NULL, NULL, c->options->stop, err);
  c->report->recounted = status == MS_OK;
  if (status == MS_ERR_LIMIT || status == MS_ERR_INTERRUPTED) {
    c->report->stopped = status; /* no failure: what was checked stands */
    status = MS_OK;
  }
  if (status == MS_OK && c->report->recounted) {
    status = compare_count(m, count, automorphisms);
  }
  mpz_clear(count);
  return status;
}
