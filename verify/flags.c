/* Checks the flags of a screen of a pattern: whether each has a match, and whether each vertex in a
 * match has a flag. */
#include "verify/certificate.h"

#include "base/alloc.h"
#include "base/status.h"

/* Searches for a match that holds v, and marks its vertices in in_match. */
static ms_status search_match(ms_certificate *c, uint32_t v, uint8_t *in_match, ms_error *err)
{
  uint32_t row[MS_MAX_PATTERN];
  bool yes;
  ms_status status = ms_judge_find(c->judge, v, &yes, row, c->options->stop, err);
  if (status != MS_OK)
    return ms_note_stop(c, status);
  for (uint32_t i = 0; yes && i < c->result.header.k; i++)
    in_match[row[i]] = 1;
  return MS_OK;
}

static void report_progress(const ms_certificate *c, uint32_t v)
{
  const ms_verify_options *o = c->options;
  if (o->progress)
    o->progress(o->progress_user, "vertices checked", v, c->result.header.vertices);
}

/* Refuses a flag that no match supports. */
static ms_status check_flagged(ms_certificate *c, uint8_t *in_match, ms_error *err)
{
  for (uint32_t v = 0; v < c->result.header.vertices && c->report->stopped == MS_OK; v++) {
    if (!c->flagged[v] || in_match[v])
      continue;
    report_progress(c, v);
    MS_TRY(search_match(c, v, in_match, err));
    if (c->report->stopped == MS_OK && !in_match[v])
      return ms_result_refuse(&c->result, c->result.first_row + c->row_of[v] - 1,
                              "'%.100s' is flagged and in no match", ms_name_of(c, v));
  }
  return MS_OK;
}

/* Refuses a vertex in a match that has no flag. */
static ms_status check_unflagged(ms_certificate *c, uint8_t *in_match, ms_error *err)
{
  uint32_t n = c->result.header.vertices, example = n;
  for (uint32_t v = 0; v < n && c->report->stopped == MS_OK; v++)
    if (!c->flagged[v] && !in_match[v]) {
      report_progress(c, v);
      MS_TRY(search_match(c, v, in_match, err));
    }
  for (uint32_t v = 0; v < n; v++)
    if (in_match[v] && !c->flagged[v] && c->report->missing++ == 0)
      example = v;
  c->report->recounted = c->report->stopped == MS_OK;
  if (c->report->missing == 0)
    return MS_OK;
  return ms_result_refuse(
      &c->result, 0, "%llu vert%s in a match but not flagged, for example '%.100s'; %s",
      (unsigned long long)c->report->missing, c->report->missing == 1 ? "ex is" : "ices are",
      ms_name_of(c, example), ms_missing_explanation(c));
}

ms_status ms_recount_flags(ms_certificate *c, ms_error *err)
{
  bool for_missing = c->result.header.status == MS_RESULT_COMPLETE && !c->options->no_recount;
  uint8_t *in_match = ms_calloc(c->result.header.vertices, sizeof *in_match);
  ms_status status =
      in_match ? check_flagged(c, in_match, err) : ms_fail_memory(err, "the recount");
  if (status == MS_OK && c->report->stopped == MS_OK && for_missing)
    status = check_unflagged(c, in_match, err);
  ms_free(in_match);
  return status;
}
