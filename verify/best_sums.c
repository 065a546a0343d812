/* The greatest sums of vertex scores, computed again from every match that the plain backtracker
 * finds. */
#include "verify/certificate.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/stop.h"
#include "verify/recount.h"

#define REPORT_MATCHES 65536u /* between two reports of progress */

typedef struct summing {
  ms_certificate *c;
  uint64_t *best; /* [n] of the matches so far that hold the vertex */
} summing;

/* Takes a match into account; an ms_found_fn. */
static bool note_match(void *user, const uint32_t *row)
{
  summing *s = user;
  ms_certificate *c = s->c;
  uint32_t k = c->result.header.k;
  uint64_t sum = 0;
  for (uint32_t i = 0; i < k; i++)
    sum += ms_vertex_scores_of(c->vertex_scores, row[i]);
  for (uint32_t i = 0; i < k; i++)
    s->best[row[i]] = s->best[row[i]] < sum ? sum : s->best[row[i]];
  if (++c->found % REPORT_MATCHES == 0 && c->options->progress)
    c->options->progress(c->options->progress_user, "matches recounted", c->found, 0);
  return true;
}

/* A complete result states the sum itself, another one a lower bound of it. */
static ms_status compare(ms_certificate *c, const uint64_t *best)
{
  bool complete = c->result.header.status == MS_RESULT_COMPLETE;
  for (uint32_t v = 0; v < c->result.header.vertices; v++) {
    uint64_t stated = c->best_sum[v];
    if (c->flagged[v] && (stated > best[v] || (complete && stated != best[v])))
      return ms_result_refuse(&c->result, 0,
                              "the greatest sum of a match that holds '%.100s' is %llu, and not "
                              "%llu as the file says",
                              ms_name_of(c, v), (unsigned long long)best[v],
                              (unsigned long long)stated);
  }
  return MS_OK;
}

static ms_status search(summing *s, mpz_t count, ms_error *err)
{
  ms_certificate *c = s->c;
  ms_backtracker *backtracker;
  MS_TRY(ms_backtracker_new(c->query, true, c->recount_stop, &backtracker, err));
  ms_status status = ms_note_stop(c, ms_backtracker_list(backtracker, count, note_match, s, err));
  ms_backtracker_free(backtracker);
  return status;
}

ms_status ms_recount_best_sums(ms_certificate *c, ms_error *err)
{
  mpz_t count;
  if (c->options->no_recount)
    return ms_fail(
        err, MS_ERR_USAGE,
        "%s: the greatest sum of each vertex can only be checked by a recount; leave out "
        "`no_recount`",
        c->result.path);
  summing s = {.c = c, .best = ms_calloc(c->result.header.vertices, sizeof *s.best)};
  if (!s.best)
    return ms_fail_memory(err, "the recount");
  mpz_init(count);
  bool recounted = c->report->recounted;
  c->rows_checked = c->report->recounted = false;
  c->found = 0;
  ms_stop_after(c->recount_stop, c->options->recount_seconds);
  ms_status status = c->report->stopped == MS_OK ? search(&s, count, err) : MS_OK;
  if (status == MS_OK && c->report->stopped == MS_OK) {
    c->rows_checked = true;
    c->report->recounted = recounted;
    status = compare(c, s.best);
  }
  mpz_clear(count);
  ms_free(s.best);
  return status;
}
