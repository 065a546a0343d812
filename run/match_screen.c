/* The sieve in front of a pattern listing.
 *
 * The vertices of a match of a connected pattern are a match of its multiset
 * of colours: a connected set with one vertex for each of them.  So where the
 * sieve does not flag a vertex, no match has it, but for the miss bound.  A
 * pattern vertex that takes any colour, or one of several, is a wildcard.
 *
 * When it pays: docs/PATTERNS.md. */
#include "base/alloc.h"
#include "base/status.h"
#include "match/domains.h"
#include "match/probe.h"
#include "plan/plan.h"
#include "query/query.h"
#include "run/match.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Nanoseconds: the sieve's per arc and point of one repetition (docs/SIEVE.md, a
 * processor of 2024); a search's per candidate that is visited, and per
 * candidate of the last level, for which no set is made. */
#define SIEVE_COST 0.3
#define VISIT_COST 20.0
#define LAST_COST 2.0
/* The sieve costs the certainty that nothing is missed: it has to be far cheaper. */
#define MARGIN 5.0
#define USUAL_REPETITIONS 6u
#define MAX_AUTO_VERTICES 20u
/* Walks of a probe; the first few tell whether the others are worth their time. */
#define FIRST_WALKS 64u
#define WALKS 4096u
#define HOPELESS 0.01 /* of the sieve's cost: what the first walks find is below */
/* Flags are of use if the domains' sizes, multiplied, shrink by this factor. */
#define USEFUL_FACTOR 2.0

/* The decision, and what it is made from. */
typedef struct front {
  ms_match_run *m;
  bool first;           /* the sieve goes first */
  bool apart;           /* the domains of no two coloured vertices meet */
  double volume;        /* logarithm of the product of the domains' sizes */
  double wasted, sieve; /* seconds: of visits that lead to no match; of the sieve */
  char reason[256];     /* for people */
} front;

/* Why the sieve cannot go first, or NULL. */
static const char *obstacle(const ms_match_run *m)
{
  bool colored = false;
  for (uint32_t i = 0; i < m->pattern->n; i++)
    colored = colored || m->pattern->colors[i] > 0;
  if (!m->index->coloring || !colored)
    return "the pattern has no colours";
  if (m->shape.n > MS_MAX_K)
    return "the pattern has more vertices than the sieve takes (32)";
  if (!ms_shape_is_connected(&m->shape))
    return "the pattern is not connected";
  return NULL;
}

/* ---- the motif ------------------------------------------------------------------ */

/* The one colour that pattern vertex i accepts; MS_NO_ID: the graph has no such colour. */
static uint32_t only_color(const ms_match_run *m, uint32_t i)
{
  const ms_pattern *pattern = m->pattern;
  return ms_coloring_find(m->index->coloring,
                          ms_names_get(pattern->color_names, pattern->color[i][0]));
}

/* *motif stays NULL where a colour of the pattern is unknown to the graph: the
 * domains will be empty. */
static ms_status make_motif(const ms_match_run *m, ms_motif **motif, ms_error *err)
{
  uint32_t color[MS_MAX_K];
  for (uint32_t i = 0; i < m->pattern->n; i++) {
    color[i] = MS_WILDCARD;
    if (m->pattern->colors[i] != 1)
      continue;
    color[i] = only_color(m, i);
    if (color[i] == MS_NO_ID)
      return MS_OK;
  }
  return ms_motif_from_slots(color, m->pattern->n, m->index->coloring, motif, err);
}

/* ---- whether it pays --------------------------------------------------------------- */

static double volume_of(const ms_domains *domains)
{
  double volume = 0;
  for (uint32_t i = 0; i < domains->n; i++)
    volume += log(domains->of[i].count);
  return volume;
}

/* Can one graph vertex stand for two vertices that the sieve tells apart?  If
 * not, domains that are arc consistent leave no vertex out that the sieve
 * would, as long as its component is not too small. */
static bool are_apart(const ms_pattern *pattern, const ms_domains *domains)
{
  for (uint32_t i = 0; i < domains->n; i++)
    for (uint32_t j = 0; j < i; j++)
      if (pattern->colors[i] == 1 && pattern->colors[j] == 1 &&
          ms_domain_meets(&domains->of[i], &domains->of[j]))
        return false;
  return true;
}

/* Arcs of the vertices that have a colour of the pattern, which the sieve sees:
 * all where it has wildcards. */
static double arcs_by_color(const ms_match_run *m)
{
  const ms_pattern_index *index = m->index;
  double arcs = 0;
  for (uint32_t i = 0; i < m->pattern->n; i++) {
    if (m->pattern->colors[i] != 1)
      return (double)index->arcs;
    uint32_t c = only_color(m, i);
    for (uint64_t j = c == MS_NO_ID ? 0 : index->color_offset[c];
         c != MS_NO_ID && j < index->color_offset[c + 1]; j++)
      arcs += ms_row_length(&index->rows[MS_ROWS_ANY], index->color_id[j]);
  }
  return fmin(arcs, (double)index->arcs);
}

/* A match needs as many visits as it has vertices; the others lead nowhere. */
static double wasted(const ms_probe *probe, const ms_match_run *m)
{
  const ms_pattern_options *o = m->options;
  double share = o->limit > 0 ? fmin(1, (double)o->limit / fmax(1, probe->matches)) : 1;
  double last = o->count_only ? 0 : fmax(0, probe->last - probe->matches);
  double visits = fmax(0, probe->visits - m->shape.n * probe->matches);
  return 1e-9 * share * (VISIT_COST * visits + LAST_COST * last);
}

static ms_status probe_search(front *f, const ms_domains *domains, ms_error *err)
{
  const ms_match_run *m = f->m;
  ms_plan *plan = NULL;
  ms_program *program = NULL;
  ms_probe probe = {0};
  ms_status status = ms_match_plan(m, domains, &plan, &program, err);
  if (status == MS_OK)
    status = ms_probe_search(program, FIRST_WALKS, 1, &probe, err);
  f->wasted = wasted(&probe, m);
  if (status == MS_OK && f->wasted > HOPELESS * f->sieve) {
    status = ms_probe_search(program, WALKS, 1, &probe, err);
    f->wasted = wasted(&probe, m);
  }
  ms_program_free(program);
  ms_plan_free(plan);
  return status;
}

static ms_status make_estimate(front *f, ms_error *err)
{
  const ms_match_run *m = f->m;
  const ms_screen_options *o = &m->options->screen;
  ms_domains domains;
  MS_TRY(ms_domains_new(m->index, m->pattern, &m->shape, NULL, &domains, err));
  ms_status status = MS_OK;
  f->apart = are_apart(m->pattern, &domains);
  f->volume = volume_of(&domains);
  if (!f->apart && !domains.empty) {
    f->sieve = 1e-9 * SIEVE_COST * arcs_by_color(m) * ldexp(1, (int)m->shape.n) *
               (o->repetitions ? o->repetitions : USUAL_REPETITIONS);
    status = probe_search(f, &domains, err);
  }
  ms_domains_free(&domains);
  return status;
}

/* MS_SCREEN_AUTO, nothing in its way. */
static ms_status decide_by_estimate(front *f, ms_error *err)
{
  if (f->m->shape.n > MAX_AUTO_VERTICES) {
    snprintf(f->reason, sizeof f->reason, "no sieve: it takes very long for %" PRIu32 " vertices",
             f->m->shape.n);
    return MS_OK;
  }
  MS_TRY(make_estimate(f, err));
  f->first = f->wasted > MARGIN * f->sieve;
  if (f->apart || isinf(f->volume))
    snprintf(f->reason, sizeof f->reason, "no sieve: %s",
             isinf(f->volume)
                 ? "some vertex of the pattern is left without candidates as it is"
                 : "its colours keep the pattern's vertices apart, it would tell nothing new");
  else
    snprintf(f->reason, sizeof f->reason,
             "%s: searching in vain would take about %.2g s by itself, the sieve about %.2g s",
             f->first ? "sieve" : "no sieve", f->wasted, f->sieve);
  return MS_OK;
}

static ms_status decide(front *f, ms_error *err)
{
  const char *why_not = obstacle(f->m);
  ms_screen_mode mode = f->m->options->screen_mode;
  if (mode == MS_SCREEN_ALWAYS && why_not)
    return ms_fail(err, MS_ERR_USAGE, "the sieve cannot go first: %s; leave out --screen always",
                   why_not);
  if (mode == MS_SCREEN_AUTO && !why_not)
    return decide_by_estimate(f, err);
  f->first = mode == MS_SCREEN_ALWAYS;
  snprintf(f->reason, sizeof f->reason, "%s%s", f->first ? "sieve, as asked for" : "no sieve: ",
           f->first  ? ""
           : why_not ? why_not
                     : "not wanted");
  return MS_OK;
}

/* ---- all of it ------------------------------------------------------------------------ */

static ms_status run_sieve(ms_match_run *m, const ms_motif *motif, uint64_t **allowed,
                           ms_error *err)
{
  const ms_pattern_index *index = m->index;
  ms_pattern_result *result = m->result;
  ms_query *query = NULL;
  ms_status status = ms_query_new(index->graph, index->coloring, motif, 0, NULL, &query, err);
  if (status == MS_OK)
    status = ms_screen_within(query, &m->options->screen, m->run.budget, &result->screen, err);
  ms_query_free(query);
  if (status != MS_OK)
    return status;
  m->run.stopped = result->screen->stopped;
  *allowed = ms_calloc(((size_t)index->n + 63) / 64, sizeof **allowed);
  if (!*allowed)
    return ms_fail_memory(err, "the flags");
  result->region_vertices = 0;
  for (uint32_t i = 0; i < index->n; i++)
    if (result->screen->hits[index->vertex[i]] > 0) {
      (*allowed)[i / 64] |= UINT64_C(1) << i % 64;
      result->region_vertices++;
    }
  return MS_OK;
}

/* Flags that tell little beside the domains are not worth a miss bound: without
 * them the search is exact. */
static ms_status drop_useless(front *f, uint64_t **allowed, ms_error *err)
{
  ms_match_run *m = f->m;
  ms_domains domains;
  MS_TRY(ms_domains_new(m->index, m->pattern, &m->shape, *allowed, &domains, err));
  double less = exp(f->volume - volume_of(&domains));
  ms_domains_free(&domains);
  if (less >= USEFUL_FACTOR)
    return MS_OK;
  snprintf(f->reason, sizeof f->reason,
           "no sieve: it was tried, and told next to nothing beyond colours and degrees (a "
           "factor of %.2g)",
           less);
  ms_screen_result_free(m->result->screen);
  m->result->screen = NULL;
  m->result->region_vertices = m->index->n;
  ms_free(*allowed);
  *allowed = NULL;
  return MS_OK;
}

ms_status ms_pattern_screen(ms_match_run *m, uint64_t **allowed, ms_error *err)
{
  front f = {.m = m};
  ms_motif *motif = NULL;
  *allowed = NULL;
  m->result->region_vertices = m->index->n;
  ms_status status = decide(&f, err);
  if (status == MS_OK && f.first)
    status = make_motif(m, &motif, err);
  if (status == MS_OK && motif)
    status = run_sieve(m, motif, allowed, err);
  if (status == MS_OK && *allowed && m->options->screen_mode == MS_SCREEN_AUTO &&
      m->run.stopped == MS_OK)
    status = drop_useless(&f, allowed, err);
  ms_motif_free(motif);
  if (status == MS_OK && !(m->result->screen_reason = ms_strdup(f.reason)))
    status = ms_fail_memory(err, "a reason");
  return status;
}
