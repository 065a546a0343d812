/* Checks the flags of a screen, of a motif or a pattern: whether each flagged vertex is in a match,
 * and whether each vertex of a match is flagged. */
#include "verify/certificate.h"

#include "base/alloc.h"
#include "base/status.h"
#include "verify/recount.h"

#include <string.h>

/* The search for one match that holds a given vertex. */
typedef struct flag_search {
  ms_certificate *c;
  ms_backtracker *sets; /* the matches of a motif; NULL: of a pattern */
  ms_mapper *maps;
  uint8_t *in_match; /* [n] 1: a match that holds the vertex is known */
  uint8_t *allowed;  /* [n] 0: the vertex is known to be in no match */
} flag_search;

static void close_search(flag_search *s)
{
  ms_backtracker_free(s->sets);
  ms_mapper_free(s->maps);
  ms_free(s->in_match);
  ms_free(s->allowed);
}

static ms_status open_search(flag_search *s, ms_error *err)
{
  const ms_certificate *c = s->c;
  ms_stop *stop = c->options->stop;
  uint32_t n = c->result.header.vertices;
  s->in_match = ms_calloc(n, sizeof *s->in_match);
  s->allowed = ms_alloc(n, sizeof *s->allowed);
  if (!s->in_match || !s->allowed)
    return ms_fail_memory(err, "the recount");
  memset(s->allowed, 1, n);
  return c->query ? ms_backtracker_new(c->query, true, stop, &s->sets, err)
                  : ms_mapper_new(c->judge, stop, &s->maps, err);
}

/* Searches for a match that holds v.  If it finds one, all vertices of that match are marked;
 * otherwise no later search considers v. */
static ms_status search_match(flag_search *s, uint32_t v, ms_error *err)
{
  ms_certificate *c = s->c;
  const ms_verify_options *o = c->options;
  uint32_t match[MS_MAX_PATTERN];
  bool yes;
  if (o->progress)
    o->progress(o->progress_user, "vertices checked", v, c->result.header.vertices);
  ms_status status = s->sets ? ms_backtracker_find(s->sets, v, s->allowed, &yes, match, err)
                             : ms_mapper_find(s->maps, v, s->allowed, &yes, match, err);
  if (status != MS_OK)
    return ms_note_stop(c, status);
  for (uint32_t i = 0; yes && i < c->result.header.k; i++)
    s->in_match[match[i]] = 1;
  s->allowed[v] = yes;
  return MS_OK;
}

/* Refuses a flag that no match supports. */
static ms_status check_flagged(flag_search *s, ms_error *err)
{
  ms_certificate *c = s->c;
  for (uint32_t v = 0; v < c->result.header.vertices && c->report->stopped == MS_OK; v++) {
    if (!c->flagged[v] || s->in_match[v])
      continue;
    MS_TRY(search_match(s, v, err));
    if (c->report->stopped == MS_OK && !s->in_match[v])
      return ms_result_refuse(&c->result, c->result.first_row + c->row_of[v] - 1,
                              "'%.100s' is flagged and in no match", ms_name_of(c, v));
  }
  return MS_OK;
}

/* Refuses a vertex in a match that has no flag. */
static ms_status check_unflagged(flag_search *s, ms_error *err)
{
  ms_certificate *c = s->c;
  uint32_t n = c->result.header.vertices, example = n;
  for (uint32_t v = 0; v < n && c->report->stopped == MS_OK; v++)
    if (!c->flagged[v] && !s->in_match[v])
      MS_TRY(search_match(s, v, err));
  for (uint32_t v = 0; v < n; v++)
    if (s->in_match[v] && !c->flagged[v] && c->report->missing++ == 0)
      example = v;
  c->report->recounted = c->report->stopped == MS_OK;
  if (c->report->missing == 0)
    return MS_OK;
  return ms_result_refuse(
      &c->result, 0, "%llu vert%s in a match but not flagged, for example '%.100s'; %s",
      (unsigned long long)c->report->missing, c->report->missing == 1 ? "ex is" : "ices are",
      ms_name_of(c, example), ms_missing_explanation(c));
}

ms_status ms_recount_vertices(ms_certificate *c, ms_error *err)
{
  bool for_missing = c->result.header.status == MS_RESULT_COMPLETE && !c->options->no_recount;
  flag_search s = {.c = c};
  ms_status status = open_search(&s, err);
  if (status == MS_OK)
    status = check_flagged(&s, err);
  if (status == MS_OK && c->report->stopped == MS_OK && for_missing)
    status = check_unflagged(&s, err);
  close_search(&s);
  return status;
}
