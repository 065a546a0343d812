/* The greatest sums of vertex scores, computed again from every match that the plain backtracker
 * finds. */
#include "verify/certificate.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/threads/stop.h"
#include "verify/recount.h"

#include <string.h>

#define REPORT_MATCHES 65536u /* between two reports of progress */

typedef struct summing {
  ms_certificate *c;
  uint64_t *best;   /* [n] of the matches so far that hold the vertex */
  uint8_t *occurs;  /* with all sums: of each that the file states, 1 if a match has it */
  uint64_t lacking; /* the same: how often a match has a sum that the file does not state */
  uint32_t example; /* the vertex of the first */
  uint64_t lacks;   /* its sum */
} summing;

ms_status ms_keep_sums(ms_certificate *c, uint32_t v, ms_error *err)
{
  const ms_result_row *row = &c->result.row;
  if (row->vertex.n_sums == 0 || row->vertex.sums[row->vertex.n_sums - 1] != row->vertex.best_sum)
    return row->vertex.n_sums == 0 && c->result.header.status != MS_RESULT_COMPLETE
               ? MS_OK
               : ms_result_refuse(&c->result, row->line,
                                  "the last of the sums of '%.100s' is not the greatest sum",
                                  ms_name_of(c, v));
  if (!MS_GROW(c->sums, c->sums_room, c->sums_count, row->vertex.n_sums))
    return ms_fail_memory(err, "the sums of the result file");
  memcpy(c->sums + c->sums_count, row->vertex.sums, row->vertex.n_sums * sizeof *row->vertex.sums);
  c->sums_from[v] = c->sums_count;
  c->n_sums[v] = row->vertex.n_sums;
  c->sums_count += row->vertex.n_sums;
  return MS_OK;
}

/* Looks for the sum of a match among those of a vertex. */
static void find_sum(summing *s, uint32_t v, uint64_t sum)
{
  const ms_certificate *c = s->c;
  uint64_t low = c->sums_from[v], high = low + c->n_sums[v], end = high;
  while (low < high) {
    uint64_t middle = low + (high - low) / 2;
    if (c->sums[middle] < sum)
      low = middle + 1;
    else
      high = middle;
  }
  if (low < end && c->sums[low] == sum) {
    s->occurs[low] = 1;
  } else if (c->flagged[v] && s->lacking++ == 0) {
    s->example = v;
    s->lacks = sum;
  }
}

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
  for (uint32_t i = 0; s->occurs && i < k; i++)
    find_sum(s, row[i], sum);
  if (++c->found % REPORT_MATCHES == 0)
    ms_limits_report(&c->options->run, "matches recounted", c->found, 0);
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
                              "%llu as the file says%s%s",
                              ms_name_of(c, v), (unsigned long long)best[v],
                              (unsigned long long)stated, stated < best[v] ? "; " : "",
                              stated < best[v] ? ms_missing_explanation(c) : "");
  }
  return MS_OK;
}

/* Each sum that the file states is that of a match, and a complete file states them all. */
static ms_status compare_all(const summing *s)
{
  ms_certificate *c = s->c;
  for (uint32_t v = 0; v < c->result.header.vertices; v++)
    for (uint64_t i = c->sums_from[v]; i < c->sums_from[v] + c->n_sums[v]; i++)
      if (!s->occurs[i])
        return ms_result_refuse(&c->result, 0, "no match that holds '%.100s' has the sum %u",
                                ms_name_of(c, v), c->sums[i]);
  if (s->lacking > 0 && c->result.header.status == MS_RESULT_COMPLETE)
    return ms_result_refuse(&c->result, 0,
                            "a match that holds '%.100s' has the sum %llu, which the file does not "
                            "state; %s",
                            ms_name_of(c, s->example), (unsigned long long)s->lacks,
                            ms_missing_explanation(c));
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
  s.occurs = c->n_sums ? ms_calloc(c->sums_count, 1) : NULL;
  if (!s.best || (c->n_sums && !s.occurs)) {
    ms_free(s.best);
    ms_free(s.occurs);
    return ms_fail_memory(err, "the recount");
  }
  mpz_init(count);
  bool recounted = c->report->recounted;
  c->rows_checked = c->report->recounted = false;
  c->found = 0;
  ms_stop_after(c->recount_stop, c->options->recount_seconds);
  ms_status status = c->report->run.stopped == MS_OK ? search(&s, count, err) : MS_OK;
  if (status == MS_OK && c->report->run.stopped == MS_OK) {
    c->rows_checked = true;
    c->report->recounted = recounted;
    status = compare(c, s.best);
    if (status == MS_OK && s.occurs)
      status = compare_all(&s);
  }
  mpz_clear(count);
  ms_free(s.best);
  ms_free(s.occurs);
  return status;
}
