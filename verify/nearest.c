/* Checks a screen for the nearest matches.
 *
 * A match of level (d, i) leaves d slots of the motif empty and holds i further vertices.  So it is
 * a match of one of the motifs that lack d of the slots and have i more slots for any vertex, and
 * all of these motifs are searched with the backtracker of other recounts.  The file is right if
 * each flagged vertex is in a match of its level, and no vertex is in a match of a level before its
 * own. The levels go by cost, and those of equal cost by the empty slots. */
#include "base/alloc.h"
#include "base/status.h"
#include "query/motif_variant.h"
#include "verify/certificate.h"
#include "verify/near_grow.h"
#include "verify/recount.h"

#include <string.h>

/* ---- where there are substitutions ----------------------------------------------------------- */

/* Checks a screen for the nearest matches with substitutions: it grows every connected set, and so
 * finds the least cost of each vertex. */

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

static ms_status all_check_support(const least *l)
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

/* Does what ms_recount_nearest does where there are substitutions, by growing every connected set.
 */
static ms_status recount_nearest_all(ms_certificate *c, ms_error *err)
{
  const ms_verify_options *o = c->options;
  uint32_t n = c->result.header.vertices;
  least l = {.c = c,
             .best = ms_calloc(n, sizeof *l.best),
             .found = ms_calloc(n, 1),
             .supported = ms_calloc(n, 1)};
  ms_near_search search = {
      .query = c->query, .limits = ms_near_limits(c), .run = o->run, .found = note_set, .user = &l};
  ms_status status = l.best && l.found && l.supported ? MS_OK : ms_fail_memory(err, "the recount");
  if (status == MS_OK)
    status = ms_stop_child(o->run.stop, o->flag_seconds, &c->recount_stop, err);
  search.run.stop = c->recount_stop;
  if (status == MS_OK)
    status = ms_note_stop(c, ms_near_grow(&search, err));
  bool ended = status == MS_OK && c->report->run.stopped == MS_OK;
  bool complete = c->result.header.status == MS_RESULT_COMPLETE && !o->no_recount;
  if (ended)
    status = all_check_support(&l);
  if (ended && status == MS_OK && complete)
    status = check_least(&l);
  c->rows_checked = ended && !c->result.refused;
  c->report->recounted = c->rows_checked && complete;
  ms_free(l.best);
  ms_free(l.found);
  ms_free(l.supported);
  return status;
}

/* ---- the recount ----------------------------------------------------------------------------- */

enum { FIRST_EFFORT = 4096 }; /* steps for a vertex, before any vertex has more */

typedef struct nearest {
  ms_certificate *c;
  uint32_t n, missing, extra; /* the level */
  uint64_t effort;
  bool supports; /* matches of the level's own vertices are searched; else those of later ones */
  uint8_t *in_match;        /* [n] 1: a match of the level that holds the vertex is known */
  uint8_t *all;             /* [n] 1 */
  uint32_t count[MS_MAX_K]; /* slots of each class in the motif that is searched */
} nearest;

/* Compares the level of a row with the one that is searched: < 0, 0 or > 0.  A vertex without a
 * flag comes after all levels. */
static int compare_level(const nearest *s, uint32_t v)
{
  const ms_certificate *c = s->c;
  uint32_t cost = s->missing + s->extra, own = c->missing[v] + c->extra[v];
  if (!c->flagged[v])
    return 1;
  if (own != cost)
    return own < cost ? -1 : 1;
  return (int)c->missing[v] - (int)s->missing;
}

static bool is_open(const nearest *s, uint32_t v)
{
  int order = compare_level(s, v);
  return !s->in_match[v] && (s->supports ? order == 0 : order > 0);
}

/* Searches for a match of this motif that holds v, and notes its vertices. */
static ms_status search_vertex(nearest *s, const ms_query *query, ms_backtracker *sets, uint32_t v,
                               ms_error *err)
{
  uint32_t match[MS_MAX_K];
  ms_finding finding = MS_FOUND_MATCH;
  ms_status status = MS_OK;
  if (!ms_backtracker_grow(sets, v, s->effort, match))
    status = ms_backtracker_find(sets, v, s->effort, &finding, match, err);
  if (status != MS_OK)
    return ms_note_stop(s->c, status);
  if (finding == MS_FOUND_NONE)
    ms_backtracker_strike(sets, v); /* no other match of this motif holds it */
  if (finding != MS_FOUND_MATCH)
    return MS_OK;
  if (ms_verify_match(query, match) != MS_MATCH_OK)
    return ms_fail(err, MS_ERR_INTERNAL, "the search for a match found a set that is none");
  for (uint32_t i = 0; i < query->motif->k; i++)
    s->in_match[match[i]] = 1;
  return MS_OK;
}

static ms_status search_motif(nearest *s, ms_error *err)
{
  ms_certificate *c = s->c;
  ms_motif *motif;
  ms_query query = *c->query;
  ms_backtracker *sets = NULL;
  MS_TRY(ms_motif_variant_new(c->motif, s->count, s->extra, &motif, err));
  query.motif = motif;
  ms_status status = ms_backtracker_new(&query, true, c->recount_stop, &sets, err);
  if (status == MS_OK)
    status = ms_note_stop(c, ms_backtracker_restrict(sets, s->all, err));
  for (uint32_t v = 0; v < s->n && status == MS_OK && c->report->run.stopped == MS_OK; v++) {
    ms_limits_report(&c->options->run, "vertices checked", v, s->n);
    if (is_open(s, v))
      status = search_vertex(s, &query, sets, v, err);
  }
  ms_backtracker_free(sets);
  ms_motif_variant_free(motif);
  return status;
}

static bool any_open(const nearest *s)
{
  for (uint32_t v = 0; v < s->n; v++)
    if (is_open(s, v))
      return true;
  return false;
}

/* Searches all motifs that lack `left` more slots of the classes from `class_` on.  The recursion
 * is at most one deeper than there are classes. */
static ms_status search_motifs(nearest *s, uint32_t class_, uint32_t left, ms_error *err)
{
  const ms_motif *motif = s->c->motif;
  if (s->c->report->run.stopped != MS_OK || !any_open(s))
    return MS_OK;
  if (class_ == motif->n_classes)
    return left == 0 ? search_motif(s, err) : MS_OK;
  for (uint32_t lacks = 0; lacks <= left && lacks <= motif->class_[class_].count; lacks++) {
    s->count[class_] = motif->class_[class_].count - lacks;
    MS_TRY(search_motifs(s, class_ + 1, left - lacks, err));
  }
  return MS_OK;
}

/* Refuses a row whose level has no match that holds its vertex. */
static ms_status check_support(nearest *s)
{
  ms_certificate *c = s->c;
  for (uint32_t v = 0; v < s->n; v++) {
    bool own = compare_level(s, v) == 0;
    c->report->supported += own && s->in_match[v];
    if (own && !s->in_match[v])
      return ms_result_refuse(&c->result, c->result.first_row + c->row_of[v] - 1,
                              "'%.100s' is in no match with missing=%u and extra=%u",
                              ms_name_of(c, v), s->missing, s->extra);
  }
  return MS_OK;
}

/* Refuses a vertex that is in a nearer match than the file says. */
static ms_status check_nearer(nearest *s)
{
  ms_certificate *c = s->c;
  for (uint32_t v = 0; v < s->n; v++) {
    if (compare_level(s, v) <= 0 || !s->in_match[v])
      continue;
    c->report->missing++;
    return ms_result_refuse(&c->result, c->flagged[v] ? c->result.first_row + c->row_of[v] - 1 : 0,
                            "'%.100s' is in a match with missing=%u and extra=%u, and %s; %s",
                            ms_name_of(c, v), s->missing, s->extra,
                            c->flagged[v] ? "its row says that none is so near" : "has no row",
                            ms_missing_explanation(c));
  }
  return MS_OK;
}

static ms_status search_level(nearest *s, ms_error *err)
{
  static const uint64_t efforts[] = {FIRST_EFFORT, UINT64_MAX / 2};
  const ms_certificate *c = s->c;
  memset(s->in_match, 0, s->n);
  for (size_t i = 0; i < sizeof efforts / sizeof *efforts; i++) {
    s->effort = efforts[i];
    MS_TRY(search_motifs(s, 0, s->missing, err));
  }
  if (c->report->run.stopped != MS_OK && s->supports)
    return MS_OK;
  return s->supports ? check_support(s) : check_nearer(s);
}

/* Searches one level after the other. */
static ms_status search_levels(nearest *s, ms_error *err)
{
  ms_certificate *c = s->c;
  const ms_result_header *h = &c->result.header;
  uint32_t last = h->max_missing + h->max_extra;
  for (uint32_t v = 0; h->nearest_only && v < s->n; v++)
    if (c->flagged[v])
      last = (uint32_t)c->missing[v] + c->extra[v]; /* check_costs: all have this cost */
  for (uint32_t cost = 0; cost <= last; cost++)
    for (s->missing = 0; s->missing <= cost; s->missing++) {
      s->extra = cost - s->missing;
      if (s->missing <= h->max_missing && s->extra <= h->max_extra &&
          c->report->run.stopped == MS_OK && !c->result.refused)
        MS_TRY(search_level(s, err));
    }
  return MS_OK;
}

/* Checks that matches can be as far as the header allows, and with nearest_only, that all rows have
 * one cost. */
static ms_status check_costs(const nearest *s)
{
  ms_certificate *c = s->c;
  const ms_result_header *h = &c->result.header;
  uint32_t first = s->n;
  if (h->max_missing >= h->k || h->max_extra > MS_MAX_K - h->k)
    return ms_result_refuse(&c->result, h->line[MS_PART_K],
                            "a motif of %u slots has no matches with missing=%u or extra=%u", h->k,
                            h->max_missing, h->max_extra);
  for (uint32_t v = 0; v < s->n && h->nearest_only; v++) {
    if (!c->flagged[v])
      continue;
    first = first == s->n ? v : first;
    if (c->cost[v] != c->cost[first])
      return ms_result_refuse(&c->result, c->result.first_row + c->row_of[v] - 1,
                              "the matches of '%.100s' and '%.100s' differ in their cost, and only "
                              "the nearest ones have rows",
                              ms_name_of(c, first), ms_name_of(c, v));
  }
  return MS_OK;
}

ms_status ms_recount_nearest(ms_certificate *c, ms_error *err)
{
  const ms_verify_options *o = c->options;
  nearest s = {.c = c, .n = c->result.header.vertices, .supports = true};
  MS_TRY(check_costs(&s));
  for (uint32_t v = 0; v < s.n; v++)
    c->report->flags += c->flagged[v];
  if (c->substitutes)
    return recount_nearest_all(c, err);
  MS_TRY(ms_stop_child(o->run.stop, o->flag_seconds, &c->recount_stop, err));
  s.in_match = ms_calloc(s.n, 1);
  s.all = ms_alloc(s.n, 1);
  ms_status status = s.in_match && s.all ? MS_OK : ms_fail_memory(err, "the recount");
  if (status == MS_OK) {
    memset(s.all, 1, s.n);
    status = search_levels(&s, err);
  }
  c->rows_checked = status == MS_OK && c->report->run.stopped == MS_OK && !c->result.refused;
  if (c->rows_checked && c->result.header.status == MS_RESULT_COMPLETE && !o->no_recount) {
    ms_stop_after(c->recount_stop, o->recount_seconds);
    s.supports = false;
    status = search_levels(&s, err);
    c->report->recounted = status == MS_OK && c->report->run.stopped == MS_OK && !c->result.refused;
  }
  ms_free(s.in_match);
  ms_free(s.all);
  return status;
}
