/* Checks a screen for the nearest matches with substitutions: it grows every connected set, and so
 * finds the least cost of each vertex. */
#include "verify/certificate.h"

#include "base/alloc.h"
#include "base/status.h"
#include "verify/near_grow.h"

typedef struct least {
  ms_certificate *c;
  ms_edits *best;     /* [n] of the vertices in a match */
  uint8_t *found;     /* [n] 1: the vertex is in a match */
  uint8_t *supported; /* [n] 1: the vertex is in a match that costs what its row says */
} least;

/* An ms_near_fn. */
static bool note_set(void *user, const uint32_t *set, uint32_t size, const ms_edits *edits)
{
  least *l = user;
  const ms_certificate *c = l->c;
  for (uint32_t i = 0; i < size; i++) {
    uint32_t v = set[i];
    ms_edits *best = &l->best[v];
    l->supported[v] |= c->flagged[v] && c->cost[v] == edits->cost &&
                       c->missing[v] == edits->missing && c->extra[v] == edits->extra;
    if (!l->found[v] || edits->cost < best->cost ||
        (edits->cost == best->cost &&
         (edits->missing < best->missing ||
          (edits->missing == best->missing && edits->extra < best->extra))))
      *best = *edits;
    l->found[v] = 1;
  }
  return true;
}

static uint64_t line_of(const ms_certificate *c, uint32_t v)
{
  return c->flagged[v] ? c->result.first_row + c->row_of[v] - 1 : 0;
}

static ms_status check_support(const least *l)
{
  ms_certificate *c = l->c;
  for (uint32_t v = 0; v < c->result.header.vertices; v++) {
    c->report->supported += l->supported[v];
    if (c->flagged[v] && !l->supported[v])
      return ms_result_refuse(&c->result, line_of(c, v),
                              "'%.100s' is in no match with missing=%u, extra=%u and cost=%u",
                              ms_name_of(c, v), c->missing[v], c->extra[v], c->cost[v]);
  }
  return MS_OK;
}

/* The greatest cost of a row that the header allows. */
static uint32_t greatest_cost(const ms_certificate *c)
{
  uint32_t cost = UINT32_MAX;
  for (uint32_t v = 0; c->result.header.nearest_only && v < c->result.header.vertices; v++)
    if (c->flagged[v])
      cost = c->cost[v]; /* all rows have this cost */
  return cost;
}

static ms_status check_least(const least *l)
{
  ms_certificate *c = l->c;
  uint32_t most = greatest_cost(c);
  for (uint32_t v = 0; v < c->result.header.vertices; v++) {
    const ms_edits *best = &l->best[v];
    bool is_least = c->flagged[v] && c->cost[v] == best->cost && c->missing[v] == best->missing &&
                    c->extra[v] == best->extra;
    if (!l->found[v] || is_least || (!c->flagged[v] && best->cost > most))
      continue;
    c->report->missing++;
    return ms_result_refuse(&c->result, line_of(c, v),
                            "'%.100s' is in a match with missing=%u, extra=%u and cost=%u, and %s; "
                            "%s",
                            ms_name_of(c, v), best->missing, best->extra, best->cost,
                            c->flagged[v] ? "its row says that none is so near" : "has no row",
                            ms_missing_explanation(c));
  }
  return MS_OK;
}

ms_status ms_recount_nearest_all(ms_certificate *c, ms_error *err)
{
  const ms_verify_options *o = c->options;
  uint32_t n = c->result.header.vertices;
  least l = {.c = c,
             .best = ms_calloc(n, sizeof *l.best),
             .found = ms_calloc(n, 1),
             .supported = ms_calloc(n, 1)};
  ms_near_search search = {.query = c->query,
                           .limits = ms_near_limits(c),
                           .progress = o->progress,
                           .progress_user = o->progress_user,
                           .found = note_set,
                           .user = &l};
  ms_status status = l.best && l.found && l.supported ? MS_OK : ms_fail_memory(err, "the recount");
  if (status == MS_OK)
    status = ms_stop_child(o->stop, o->flag_seconds, &c->recount_stop, err);
  search.stop = c->recount_stop;
  if (status == MS_OK)
    status = ms_note_stop(c, ms_near_grow(&search, err));
  bool ended = status == MS_OK && c->report->stopped == MS_OK;
  bool complete = c->result.header.status == MS_RESULT_COMPLETE && !o->no_recount;
  if (ended)
    status = check_support(&l);
  if (ended && status == MS_OK && complete)
    status = check_least(&l);
  c->rows_checked = ended && !c->result.refused;
  c->report->recounted = c->rows_checked && complete;
  ms_free(l.best);
  ms_free(l.found);
  ms_free(l.supported);
  return status;
}
