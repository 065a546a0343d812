/* Checks the rows of a list of matches, of a motif or a pattern: whether each row fits the query,
 * and whether each match has a row. */
#include "verify/certificate.h"

#include "base/alloc.h"
#include "base/status.h"
#include "verify/judge/judge.h"
#include "verify/recount.h"

#include <stdio.h>
#include <string.h>

/* Number of rows between two reports of progress. */
#define REPORT_ROWS 4096u
/* Number of rows between two checks of the stop token; a row can take milliseconds. */
#define POLL_ROWS 64u

/* True if the rows are a part of the matches, drawn at random. */
static bool is_part(const ms_result_header *h)
{
  return (h->has & MS_HAS_SAMPLE) && h->found < h->sample.from;
}

/* That all rows were found does not mean that the recount has ended. */
static void report_recount(const ms_certificate *c)
{
  const ms_result_header *h = &c->result.header;
  uint64_t rows = h->family.share > 0 ? h->family.matches : c->rows;
  uint64_t total = is_part(h) ? h->sample.from : c->query && !h->diverse ? rows : 0;
  bool is_last = total > 0 && c->found >= total;
  if (c->found % REPORT_ROWS == 0)
    ms_limits_report(&c->options->run, "matches recounted", is_last ? total - 1 : c->found, total);
}

/* ---- rows ------------------------------------------------------------------------ */

/* Returns what is wrong with the order of a motif's rows, or NULL.  The vertices of a row ascend,
 * and so do the rows, unless they are in the order of the search. */
static const char *find_disorder(const ms_certificate *c, const uint32_t *before,
                                 const uint32_t *ids)
{
  uint32_t k = c->result.header.k;
  if (c->result.header.has & MS_HAS_SEARCH_ORDER || c->result.header.sort)
    before = NULL;
  for (uint32_t i = 1; i < k; i++)
    if (ids[i - 1] > ids[i])
      return "is not in graph order";
  for (uint32_t i = 0; before && i < k; i++)
    if (before[i] != ids[i])
      return before[i] < ids[i] ? NULL : "does not follow the row before it";
  return NULL;
}

/* Notes the vertices of a match that shares none with the matches before it.  Returns what is
 * wrong, or NULL. */
static const char *note_vertices(ms_certificate *c, const uint32_t *ids)
{
  uint32_t k = c->result.header.k;
  for (uint32_t i = 0; i < k; i++)
    if (c->flagged[ids[i]])
      return "shares a vertex with an earlier one";
  for (uint32_t i = 0; i < k; i++)
    c->flagged[ids[i]] = 1;
  return NULL;
}

/* Sets *fault to what is wrong with a row of existing vertices, or to NULL, and adds the row to the
 * set. */
static ms_status judge_row(ms_certificate *c, const uint32_t *before, const uint32_t *ids,
                           const char **fault, ms_error *err)
{
  bool fresh;
  ms_verdict verdict = ms_judge_row(c->judge, ids);
  *fault = verdict != MS_MATCH_OK ? ms_verdict_text(verdict) : NULL;
  if (*fault)
    return MS_OK;
  MS_TRY(ms_row_set_add(c->set, ids, &fresh, err));
  *fault = !fresh ? "repeats an earlier one" : c->query ? find_disorder(c, before, ids) : NULL;
  if (!*fault && c->result.header.diverse)
    *fault = note_vertices(c, ids);
  return MS_OK;
}

/* Sorts a match in the order of slots into that of the graph. */
static void sort_ids(uint32_t *ids, uint32_t k)
{
  for (uint32_t i = 1; i < k; i++)
    for (uint32_t j = i; j > 0 && ids[j - 1] > ids[j]; j--) {
      uint32_t id = ids[j];
      ids[j] = ids[j - 1];
      ids[j - 1] = id;
    }
}

/* Checks that each vertex of a match, ids[k], is in the column of its slot, as `wide` says; of
 * slots with the same name the vertices ascend. */
static ms_status check_slots(ms_certificate *c, const uint32_t *ids, const uint32_t *wide)
{
  const char *roles[MS_MAX_K];
  uint32_t k = c->result.header.k;
  ms_verify_roles(c->query, ids, roles);
  for (uint32_t d = 0; d < k; d++) {
    const char *name = ms_query_slot_name(c->query, d);
    uint32_t i = 0;
    while (ids[i] != wide[d])
      i++;
    bool ascends =
        d == 0 || strcmp(name, ms_query_slot_name(c->query, d - 1)) != 0 || wide[d - 1] < wide[d];
    if (strcmp(roles[i], name) != 0 || !ascends)
      return ms_result_refuse(&c->result, c->result.row.line, "'%.100s' is not in its column",
                              ms_name_of(c, wide[d]));
  }
  return MS_OK;
}

/* Checks labels and roles of a match whose vertices are right. */
static ms_status check_meaning(ms_certificate *c, const uint32_t *ids, const uint32_t *in_row)
{
  const ms_result_row *row = &c->result.row;
  uint32_t k = c->result.header.k;
  const char *roles[MS_MAX_PATTERN];
  for (uint32_t i = 0; row->match.labels && i < k; i++)
    MS_TRY(ms_check_label(c, row->line, in_row[i], row->match.labels[i]));
  if (c->result.header.row_form == MS_ROWS_WIDE && c->query)
    return check_slots(c, ids, in_row);
  if (!row->match.roles)
    return MS_OK;
  if (c->query)
    ms_verify_roles(c->query, ids, roles);
  for (uint32_t i = 0; i < k; i++) {
    const char *role = c->query ? roles[i] : c->result.header.pattern.names[i];
    if (strcmp(role, row->match.roles[i]) != 0)
      return ms_result_refuse(&c->result, row->line,
                              "the role of '%.100s' is '%.100s', not '%.100s'",
                              ms_name_of(c, ids[i]), role, row->match.roles[i]);
  }
  return MS_OK;
}

static ms_status check_row(ms_certificate *c, const uint32_t *before, uint32_t *ids, ms_error *err)
{
  const ms_result_row *row = &c->result.row;
  uint32_t k = c->result.header.k;
  unsigned long long number = c->rows + 1;
  const char *fault;
  uint32_t in_row[MS_MAX_PATTERN];
  if (row->match.number != number)
    return ms_result_refuse(&c->result, row->line, "match %llu is numbered %llu", number,
                            (unsigned long long)row->match.number);
  if (row->match.count != k)
    return ms_result_refuse(&c->result, row->line, "match %llu has %u vertices, not k = %u", number,
                            row->match.count, k);
  for (uint32_t i = 0; !row->match.ids && i < k; i++)
    MS_TRY(ms_find_named(c, row->line, row->match.vertices[i], &ids[i]));
  if (row->match.ids)
    memcpy(ids, row->match.ids, k * sizeof *ids);
  memcpy(in_row, ids, k * sizeof *ids);
  if (c->result.header.row_form == MS_ROWS_WIDE && c->query)
    sort_ids(ids, k);
  MS_TRY(judge_row(c, before, ids, &fault, err));
  if (fault)
    return ms_result_refuse(&c->result, row->line, "match %llu %s", number, fault);
  MS_TRY(check_meaning(c, ids, in_row));
  if (c->query || c->result.header.kind == MS_KIND_PATTERN)
    MS_TRY(ms_check_measures(c, ids));
  if (c->families)
    MS_TRY(ms_take_representative(c, ids, err));
  c->report->rows = ++c->rows;
  return MS_OK;
}

/* Checks that as many matches were drawn as the header says. */
static ms_status check_sample(ms_certificate *c)
{
  const ms_result_header *h = &c->result.header;
  bool complete = h->status == MS_RESULT_COMPLETE;
  c->report->is_sample = true;
  if (h->sample.rows > h->sample.from)
    return ms_result_refuse(&c->result, h->line[MS_PART_SAMPLE],
                            "no %llu matches can be drawn from %llu",
                            (unsigned long long)h->sample.rows, (unsigned long long)h->sample.from);
  if (h->found > 0 && (h->status == MS_RESULT_TIME || h->status == MS_RESULT_INTERRUPTED))
    return ms_result_refuse(&c->result, h->line[MS_PART_SAMPLE],
                            "a sample that was stopped has no matches, but there are %llu rows",
                            (unsigned long long)h->found);
  if (h->found > h->sample.rows || (complete && h->found < h->sample.rows))
    return ms_result_refuse(&c->result, h->line[MS_PART_SAMPLE],
                            "the header says that %llu matches were drawn, but there are %llu rows",
                            (unsigned long long)h->sample.rows, (unsigned long long)h->found);
  return MS_OK;
}

/* Checks that the rows of the units of a part are as many as it has. */
static ms_status check_units(ms_certificate *c)
{
  const ms_result_header *h = &c->result.header;
  const char *at = strcmp(h->division.unit_rows, "none") == 0 ? "" : h->division.unit_rows;
  uint64_t left = c->rows, unit = 0, rows;
  for (uint64_t least = 0; *at; least = unit + 1) {
    if (!ms_take_unit_rows(&at, h, least, &unit, &rows) || rows > left)
      return ms_result_refuse(&c->result, h->line[MS_PART_FOUND],
                              "'unit_rows' is not a list of units of this part with its rows");
    left -= rows;
  }
  return left == 0 ? MS_OK
                   : ms_result_refuse(&c->result, h->line[MS_PART_FOUND],
                                      "'unit_rows' lacks %llu of %llu rows",
                                      (unsigned long long)left, (unsigned long long)c->rows);
}

static ms_status check_totals(ms_certificate *c)
{
  const ms_result_header *h = &c->result.header;
  if (h->found != c->rows)
    return ms_result_refuse(&c->result, h->line[MS_PART_FOUND],
                            "the %s says %llu matches, but there are %llu",
                            c->query && !(h->has & MS_HAS_SEARCH_ORDER) ? "header" : "end",
                            (unsigned long long)h->found, (unsigned long long)c->rows);
  if (c->families)
    MS_TRY(ms_check_families(c));
  if (h->division.unit_rows)
    MS_TRY(check_units(c));
  return h->has & MS_HAS_SAMPLE ? check_sample(c) : MS_OK;
}

ms_status ms_check_matches(ms_certificate *c, ms_error *err)
{
  uint32_t ids[2][MS_MAX_PATTERN];
  bool more;
  if (c->query || c->result.header.kind == MS_KIND_PATTERN)
    MS_TRY(ms_check_measured(c));
  if (c->query) {
    MS_TRY(ms_open_families(c, err));
    MS_TRY(ms_check_slot_titles(c, err));
  }
  MS_TRY(ms_row_set_new(c->result.header.k, c->result.header.vertices, &c->set, err));
  if (c->result.header.diverse) {
    c->flagged = ms_calloc(c->result.header.vertices, sizeof *c->flagged);
    if (!c->flagged)
      return ms_fail_memory(err, "the vertices of matches");
  }
  MS_TRY(ms_result_next_row(&c->result, &more, err));
  while (more && !ms_is_stopped(c)) {
    const uint32_t *before = c->rows ? ids[(c->rows - 1) % 2] : NULL;
    MS_TRY(check_row(c, before, ids[c->rows % 2], err));
    if (c->rows % REPORT_ROWS == 0)
      ms_limits_report(&c->options->run, "rows checked", c->rows, c->result.header.found);
    MS_TRY(ms_result_next_row(&c->result, &more, err));
  }
  c->rows_checked = !more;
  return more ? MS_OK : check_totals(c);
}

/* ---- what is missing ---------------------------------------------------------------- */

bool ms_is_stopped(ms_certificate *c)
{
  if (c->report->run.stopped == MS_OK && c->rows % POLL_ROWS == 0)
    c->report->run.stopped = ms_stop_check(c->options->run.stop);
  return c->report->run.stopped != MS_OK;
}

ms_status ms_note_stop(ms_certificate *c, ms_status status)
{
  if (status != MS_ERR_LIMIT && status != MS_ERR_INTERRUPTED)
    return status;
  c->report->run.stopped = status;
  return MS_OK;
}

const char *ms_missing_explanation(const ms_certificate *c)
{
  return c->certain ? "the file states that none can be missing"
                    : "a miss is possible within the stated bound: run it again with another seed "
                      "or more repetitions";
}

typedef struct row_search {
  ms_certificate *c;
  uint64_t missing;
  uint32_t example[MS_MAX_PATTERN]; /* the first missing match */
} row_search;

/* Counts a match that has no row; an ms_found_fn.  For a pattern, one map of each class should have
 * a row.  Their number is known, so the first missing one, an example, ends the search. */
static bool look_up(void *user, const uint32_t *row)
{
  row_search *search = user;
  ms_certificate *c = search->c;
  c->found++;
  report_recount(c);
  if ((!c->query && ms_judge_row(c->judge, row) != MS_MATCH_OK) || ms_row_set_has(c->set, row) ||
      ms_may_lack(c, row))
    return true;
  if (search->missing++ == 0)
    memcpy(search->example, row, c->result.header.k * sizeof *row);
  return c->query != NULL;
}

/* Counts a match; an ms_found_fn. */
static bool count_match(void *user, const uint32_t *row)
{
  ms_certificate *c = ((row_search *)user)->c;
  (void)row;
  c->found++;
  report_recount(c);
  return true;
}

/* Ends the recount at a match that shares no vertex with a row; an ms_found_fn. */
static bool find_addition(void *user, const uint32_t *row)
{
  row_search *search = user;
  ms_certificate *c = search->c;
  c->found++;
  report_recount(c);
  for (uint32_t i = 0; i < c->result.header.k; i++)
    if (c->flagged[row[i]])
      return true;
  search->missing = 1;
  memcpy(search->example, row, c->result.header.k * sizeof *row);
  return false;
}

/* Counts a match in its family, and ends the recount at one that should have a row; an
 * ms_found_fn. */
static bool count_in_family(void *user, const uint32_t *row)
{
  row_search *search = user;
  ms_certificate *c = search->c;
  c->found++;
  report_recount(c);
  if (ms_note_member(c, row, search->example))
    return true;
  search->missing = 1;
  return false;
}

/* Compares the recount with the number of matches from which a sample was drawn. */
static ms_status check_population(ms_certificate *c, const mpz_t count)
{
  const ms_result_header *h = &c->result.header;
  unsigned long long counted = mpz_fits_ulong_p(count) ? mpz_get_ui(count) : UINT64_MAX;
  bool stopped = c->report->run.stopped != MS_OK;
  if (stopped ? counted <= h->sample.from : counted == h->sample.from)
    return MS_OK;
  return ms_result_refuse(&c->result, h->line[MS_PART_SAMPLE],
                          "the header says that there are %llu matches, but the recount finds "
                          "%s%llu",
                          (unsigned long long)h->sample.from, stopped ? "at least " : "", counted);
}

static ms_status refuse_missing(ms_certificate *c, const row_search *search)
{
  unsigned long long missing = c->report->missing;
  char example[200] = "";
  size_t used = 0, room = sizeof example;
  for (uint32_t i = 0; search->missing && i < c->result.header.k && used < room - 1; i++) {
    int length = snprintf(example + used, room - used, "%s%s", i ? "," : ", for example ",
                          ms_name_of(c, search->example[i]));
    used += length > 0 ? (size_t)length : 0;
  }
  return ms_result_refuse(&c->result, 0, "%s%llu match%s missing%s; %s",
                          c->report->run.stopped == MS_OK ? "" : "at least ", missing,
                          missing == 1 ? " is" : "es are", example, ms_missing_explanation(c));
}

/* Recounts the sets of a motif and looks each of them up.  Those of a sample are only counted,
 * those of families in their families; if the matches share no vertex, one that could be added is
 * searched for. */
static ms_status recount_sets(ms_certificate *c, mpz_t count, row_search *search, ms_error *err)
{
  ms_backtracker *backtracker;
  MS_TRY(ms_backtracker_new(c->query, true, c->recount_stop, &backtracker, err));
  bool part = is_part(&c->result.header);
  ms_found_fn found = part                       ? count_match
                      : c->families              ? count_in_family
                      : c->result.header.diverse ? find_addition
                                                 : look_up;
  ms_status status = ms_note_stop(c, ms_backtracker_list(backtracker, count, found, search, err));
  ms_backtracker_free(backtracker);
  c->report->missing = search->missing;
  if (status == MS_OK && c->families && search->missing == 0)
    return ms_compare_families(c);
  return status == MS_OK && part ? check_population(c, count) : status;
}

/* Looks for a match that should be among the first rows in the order of the file. */
static ms_status recount_first(ms_certificate *c, mpz_t count, row_search *search, ms_error *err)
{
  const ms_stop *stop = c->recount_stop;
  MS_TRY(ms_note_stop(c, ms_judge_recount(c->judge, count, look_up, search, stop, err)));
  c->report->missing = search->missing;
  return MS_OK;
}

/* Recounts the maps of a pattern.  If their number is not that of the rows, searches for one that
 * is missing.  A recount that was stopped has found distinct maps, which may already be more than
 * the rows stand for. */
static ms_status recount_maps(ms_certificate *c, mpz_t count, row_search *search, ms_error *err)
{
  const ms_stop *stop = c->recount_stop;
  if (c->result.header.top > 0)
    return recount_first(c, count, search, err);
  MS_TRY(ms_note_stop(c, ms_judge_recount(c->judge, count, NULL, NULL, stop, err)));
  bool stopped = c->report->run.stopped != MS_OK;
  if (!c->result.header.pattern.embeddings)
    mpz_cdiv_q(count, count, c->automorphisms);
  if (is_part(&c->result.header))
    return check_population(c, count);
  mpz_sub_ui(count, count, (unsigned long)c->rows);
  if (stopped && mpz_sgn(count) <= 0)
    return MS_OK;
  if (mpz_sgn(count) < 0)
    return ms_result_refuse(&c->result, 0, "there are more rows than the recount finds matches");
  c->report->missing = mpz_fits_ulong_p(count) ? mpz_get_ui(count) : UINT64_MAX;
  if (c->report->missing > 0 && !stopped)
    ms_judge_recount(c->judge, count, look_up, search, stop, NULL);
  return MS_OK;
}

ms_status ms_recount_matches(ms_certificate *c, ms_error *err)
{
  ms_result_status stated = c->result.header.status;
  /* a limit of families leaves out further families, and no match of those that have a row */
  bool complete = stated == MS_RESULT_COMPLETE || (c->families && stated == MS_RESULT_LIMIT);
  row_search search = {.c = c};
  mpz_t count;
  if (!complete || c->options->no_recount || c->result.header.has & MS_HAS_PART)
    return MS_OK;
  MS_TRY(ms_stop_child(c->options->run.stop, c->options->recount_seconds, &c->recount_stop, err));
  mpz_init(count);
  ms_status status =
      c->query ? recount_sets(c, count, &search, err) : recount_maps(c, count, &search, err);
  mpz_clear(count);
  c->report->recounted = c->report->run.stopped == MS_OK && (status == MS_OK || c->result.refused);
  return status == MS_OK && c->report->missing > 0 ? refuse_missing(c, &search) : status;
}
