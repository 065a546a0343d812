/* What a result file lacks, by the independent recount. */
#include "base/alloc.h"
#include "base/status.h"
#include "verify/certificate.h"
#include "verify/recount.h"

#include <stdio.h>
#include <string.h>

/* A search that the token ended is no failure: what was checked stands. */
static ms_status note_stop(ms_certificate *c, ms_status status)
{
  if (status == MS_ERR_LIMIT || status == MS_ERR_INTERRUPTED) {
    c->report->stopped = status;
    return MS_OK;
  }
  return status;
}

/* ---- list ------------------------------------------------------------------ */

typedef struct row_search {
  const uint32_t *rows; /* [count][k] sorted */
  uint64_t count;
  uint32_t k;
  uint64_t missing;
  uint32_t example[MS_MAX_K]; /* the first one missing */
} row_search;

static int compare_rows(const uint32_t *a, const uint32_t *b, uint32_t k)
{
  for (uint32_t i = 0; i < k; i++) {
    if (a[i] != b[i]) {
      return a[i] < b[i] ? -1 : 1;
    }
  }
  return 0;
}

/* An ms_found_fn: is the match among the rows? */
static bool look_up(void *user, const uint32_t *set)
{
  row_search *search = user;
  uint64_t low = 0, high = search->count;
  while (low < high) {
    uint64_t middle = low + (high - low) / 2;
    int order = compare_rows(search->rows + middle * search->k, set, search->k);
    if (order == 0) {
      return true;
    }
    if (order < 0) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (search->missing++ == 0) {
    memcpy(search->example, set, search->k * sizeof *set);
  }
  return true;
}

const char *ms_missing_explanation(const ms_certificate *c)
{
  return c->certain ? "the file states that none can be missing"
                    : "a miss is possible within the stated bound: run it again with another seed "
                      "or more repetitions";
}

static ms_status refuse_missing_matches(ms_certificate *c, const row_search *search)
{
  char names[200] = "";
  size_t used = 0;
  for (uint32_t i = 0; i < search->k && used < sizeof names - 1; i++) {
    int length = snprintf(names + used, sizeof names - used, "%s%s", i ? "," : "",
                          ms_graph_name(c->graph, search->example[i]));
    used += length > 0 ? (size_t)length : 0;
  }
  return ms_result_refuse(&c->result, 0, "%llu match%s missing, for example %s; %s",
                          (unsigned long long)search->missing,
                          search->missing == 1 ? " is" : "es are", names,
                          ms_missing_explanation(c));
}

static ms_status recount_list(ms_certificate *c, ms_backtracker *backtracker, ms_error *err)
{
  row_search search = {.rows = c->matches, .count = c->rows, .k = c->result.header.k};
  mpz_t count;
  mpz_init(count);
  ms_status status = note_stop(c, ms_backtracker_list(backtracker, count, look_up, &search, err));
  mpz_clear(count);
  c->report->missing = search.missing;
  c->report->recounted = status == MS_OK && c->report->stopped == MS_OK;
  if (status == MS_OK && search.missing > 0) {
    return refuse_missing_matches(c, &search);
  }
  return status;
}

/* ---- screen ------------------------------------------------------------------ */

/* Look for matches of v.  Every vertex of one that is found is known to be in
 * a match from then on; a vertex without is out of all later searches. */
static ms_status settle(ms_certificate *c, ms_backtracker *backtracker, uint32_t v,
                        uint8_t *in_match, ms_error *err)
{
  uint32_t set[MS_MAX_K];
  bool yes;
  ms_status status = ms_backtracker_find(backtracker, v, &yes, set, err);
  if (status != MS_OK) {
    return note_stop(c, status);
  }
  for (uint32_t i = 0; yes && i < c->result.header.k; i++) {
    in_match[set[i]] = 1;
  }
  if (!yes) {
    ms_backtracker_strike(backtracker, v);
  }
  return MS_OK;
}

/* Every flag needs a match. */
static ms_status support_flags(ms_certificate *c, ms_backtracker *backtracker, uint8_t *in_match,
                               ms_error *err)
{
  for (uint32_t v = 0; v < ms_graph_vertex_count(c->graph); v++) {
    if (!c->flagged[v] || in_match[v]) {
      continue;
    }
    ms_status status = settle(c, backtracker, v, in_match, err);
    if (status != MS_OK || c->report->stopped != MS_OK) {
      return status;
    }
    if (!in_match[v]) {
      return ms_result_refuse(&c->result, c->first_row + c->row_of[v] - 1,
                              "'%.100s' is flagged and in no match", ms_graph_name(c->graph, v));
    }
  }
  return MS_OK;
}

/* Every vertex that might be in a match and has no flag. */
static ms_status seek_missing(ms_certificate *c, ms_backtracker *backtracker, const uint8_t *usable,
                              uint8_t *in_match, ms_error *err)
{
  uint32_t n = ms_graph_vertex_count(c->graph), example = 0;
  ms_status status = MS_OK;
  for (uint32_t v = 0; v < n && status == MS_OK && c->report->stopped == MS_OK; v++) {
    if (usable[v] && !c->flagged[v] && !in_match[v]) {
      status = settle(c, backtracker, v, in_match, err);
    }
  }
  for (uint32_t v = n; v-- > 0;) {
    if (in_match[v] && !c->flagged[v]) {
      c->report->missing++;
      example = v;
    }
  }
  c->report->recounted = status == MS_OK && c->report->stopped == MS_OK;
  if (status == MS_OK && c->report->missing > 0) {
    return ms_result_refuse(&c->result, 0,
                            "%llu vert%s in a match but not flagged, for example "
                            "'%.100s'; %s",
                            (unsigned long long)c->report->missing,
                            c->report->missing == 1 ? "ex is" : "ices are",
                            ms_graph_name(c->graph, example), ms_missing_explanation(c));
  }
  return status;
}

static ms_status recount_screen(ms_certificate *c, ms_backtracker *backtracker,
                                const uint8_t *usable, bool for_missing, ms_error *err)
{
  uint8_t *in_match = ms_calloc(ms_graph_vertex_count(c->graph), sizeof *in_match);
  if (!in_match) {
    return ms_fail_memory(err, "the recount");
  }
  ms_status status = support_flags(c, backtracker, in_match, err);
  if (status == MS_OK && c->report->stopped == MS_OK && for_missing) {
    status = seek_missing(c, backtracker, usable, in_match, err);
  }
  ms_free(in_match);
  return status;
}

ms_status ms_check_by_recount(ms_certificate *c, ms_error *err)
{
  bool for_missing = c->result.header.complete && !c->options->no_recount;
  bool is_screen = c->result.header.is_screen;
  ms_backtracker *backtracker = NULL;
  if (!is_screen && !for_missing) {
    return MS_OK;
  }
  uint8_t *usable = ms_alloc(ms_graph_vertex_count(c->graph), sizeof *usable);
  if (!usable) {
    return ms_fail_memory(err, "the recount");
  }
  ms_status status = ms_recount_usable(c->query, usable, err);
  if (status == MS_OK) {
    status = ms_backtracker_new(c->query, usable, c->options->stop, &backtracker, err);
  }
  if (status == MS_OK) {
    status = is_screen ? recount_screen(c, backtracker, usable, for_missing, err)
                       : recount_list(c, backtracker, err);
  }
  ms_backtracker_free(backtracker);
  ms_free(usable);
  return status;
}
