/* The sieve in front of a pattern listing.
 *
 * The vertices of a match of a connected pattern are a match of its multiset of
 * colours: a connected set with one vertex for each of them.  So a vertex that
 * the sieve does not flag is in no match, except with a probability within the
 * miss bound.  A pattern vertex that accepts any colour, or one of several, is
 * a wildcard.
 *
 * docs/MATCHING.md, "When the sieve can help a search", says when the sieve pays. */
#include "run/match/match_screen.h"
#include "base/alloc.h"
#include "base/status.h"
#include "base/text/format.h"
#include "graph/graph.h"
#include "match/domains.h"
#include "match/probe.h"
#include "plan/plan.h"
#include "query/query.h"
#include "run/units/screen_units.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Nanoseconds of the sieve per arc and point of one repetition (docs/SIEVE.md,
 * "Measured times", a processor of 2024). */
#define SIEVE_COST 0.3
/* Steps that a match justifies for each of its vertices. */
#define STEPS_A_VERTEX 4.0
/* A probe may take this share of the sieve's time, and in any case this number of steps. */
#define PROBE_SHARE 0.1
#define PROBE_STEPS 1e5
/* With the sieve it is no longer certain that nothing is missed, so it has to
 * be much cheaper. */
#define MARGIN 5.0
#define USUAL_REPETITIONS 6u
#define MAX_AUTO_VERTICES 20u
/* Flags are useful if they shrink the product of the domains' sizes by this
 * factor. */
#define USEFUL_FACTOR 2.0

/* A decision while it is made. */
typedef struct front {
  ms_match_run *m;
  const ms_screen_kind *kind;
  ms_screen_decision d;
  bool brief;    /* the whole search takes less time than the sieve; d.wasted bounds it */
  bool apart;    /* the domains of no two vertices of one colour each intersect */
  double volume; /* logarithm of the product of the domains' sizes */
} front;

/* Returns the reason why the sieve cannot run first, or NULL. */
static const char *why_impossible(const front *f)
{
  const ms_match_run *m = f->m;
  if (!f->kind->has_colors(m))
    return "the pattern has no colours";
  if (m->shape.n > MS_MAX_K)
    return "the pattern has more vertices than the sieve supports (32)";
  if (!ms_shape_is_connected(&m->shape))
    return "the pattern is not connected";
  return NULL;
}

/* ---- plain patterns --------------------------------------------------------------- */

static bool has_colors(const ms_match_run *m)
{
  bool colored = false;
  for (uint32_t i = 0; i < m->pattern->n; i++)
    colored = colored || m->pattern->colors[i] > 0;
  return m->index->coloring && colored;
}

/* Returns the one colour that pattern vertex i accepts, or MS_NO_ID if the
 * graph has no such colour. */
static uint32_t only_color(const ms_match_run *m, uint32_t i)
{
  const ms_pattern *pattern = m->pattern;
  return ms_coloring_find(m->index->coloring,
                          ms_names_get(pattern->color_names, pattern->color[i][0]));
}

/* Makes the motif. *motif stays NULL if a colour of the pattern is unknown to
 * the graph: then a domain will be empty. */
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

double ms_match_sieve_seconds(const ms_match_run *m, double arcs)
{
  uint32_t repetitions = m->options->screen.repetitions;
  return 1e-9 * SIEVE_COST * arcs * ldexp(1, (int)m->shape.n) *
         (repetitions ? repetitions : USUAL_REPETITIONS);
}

/* Returns the number of arcs that the sieve reads: the arcs of vertices that
 * have a colour of the pattern, or all arcs if the pattern has wildcards. */
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

static bool has_slot(const ms_match_run *m, uint32_t i)
{
  return m->pattern->colors[i] == 1;
}

static double sieve_seconds(const ms_match_run *m)
{
  return ms_match_sieve_seconds(m, arcs_by_color(m));
}

static ms_status find_domains(ms_match_run *m, const uint64_t *allowed, ms_domains *out,
                              ms_error *err)
{
  return ms_domains_on(ms_pattern_engine_filter(m->options->screen.run.engine), m->index,
                       m->pattern, &m->shape, allowed, m->options->screen.run.threads, out, err);
}

static ms_status sieve(ms_match_run *m, ms_error *err)
{
  const ms_pattern_index *index = m->index;
  const char *required[MS_MAX_K];
  ms_motif *motif = NULL;
  for (uint32_t i = 0; i < m->required.n; i++)
    required[i] = ms_graph_name(index->graph, m->required.vertex[i]);
  ms_status status = make_motif(m, &motif, err);
  if (status == MS_OK && motif)
    status = ms_match_sieve(m, index->graph, index->coloring, motif, required, err);
  ms_motif_free(motif);
  return status;
}

/* ---- whether it pays --------------------------------------------------------------- */

static double volume_of(const ms_domains *domains)
{
  double volume = 0;
  for (uint32_t i = 0; i < domains->n; i++)
    volume += log(domains->of[i].count);
  return volume;
}

/* True if no graph vertex is in the domains of two vertices that the sieve
 * distinguishes. Then the sieve removes no vertex that arc consistent domains
 * keep, unless its component is too small. */
static bool are_apart(const front *f)
{
  const ms_domains *domains = &f->m->domains;
  for (uint32_t i = 0; i < domains->n; i++)
    for (uint32_t j = 0; j < i; j++)
      if (f->kind->has_slot(f->m, i) && f->kind->has_slot(f->m, j) &&
          ms_domain_meets(&domains->of[i], &domains->of[j]))
        return false;
  return true;
}

static ms_status estimate_listing(const ms_match_run *m, ms_probe_effort effort,
                                  ms_match_work *work, ms_error *err)
{
  ms_plan *plan = NULL;
  ms_program *program = NULL;
  if (m->program)
    return ms_match_listing_work(m, m->program, effort, work, err);
  ms_status status = ms_match_plan(m, &m->domains, &plan, &program, err);
  if (status == MS_OK)
    status = ms_match_listing_work(m, program, effort, work, err);
  ms_program_free(program);
  ms_plan_free(plan);
  return status;
}

/* Estimates the steps that lead to no match. If a count takes long beside the sieve, the matches
 * are estimated, too; each of them justifies some steps. */
static ms_status estimate_waste(const front *f, ms_probe_effort effort, double *wasted,
                                ms_error *err)
{
  const ms_match_run *m = f->m;
  ms_match_work work, listing;
  double by_factors;
  if (!ms_match_is_count(m)) {
    MS_TRY(estimate_listing(m, effort, &work, err));
    *wasted = work.wasted;
    return MS_OK;
  }
  MS_TRY(ms_match_counting_work(m, effort, &work, &by_factors, err));
  *wasted = work.search;
  if (MS_STEP_SECONDS * work.search <= MARGIN * f->d.sieve)
    return MS_OK;
  MS_TRY(estimate_listing(m, effort, &listing, err));
  *wasted = fmax(0, work.search - STEPS_A_VERTEX * m->shape.n * listing.matches);
  return MS_OK;
}

/* True if the search that is planned already takes little time beside the sieve, whatever it
 * meets. This costs next to nothing, and spares most short searches a probe. */
static bool is_brief(front *f)
{
  if (!f->m->program)
    return false;
  f->d.wasted = MS_STEP_SECONDS * ms_probe_bound(f->m->program);
  f->brief = f->d.wasted <= MARGIN * f->d.sieve;
  return f->brief;
}

static ms_status make_estimate(front *f, ms_error *err)
{
  ms_match_run *m = f->m;
  double wasted = 0;
  if (!m->domains.index)
    MS_TRY(f->kind->find_domains(m, NULL, &m->domains, err));
  f->volume = volume_of(&m->domains);
  if (m->domains.empty)
    return MS_OK;
  f->d.sieve = f->kind->seconds(m);
  if (is_brief(f) || (f->apart = are_apart(f)))
    return MS_OK;
  ms_probe_effort effort = {PROBE_STEPS,
                            fmax(PROBE_STEPS, PROBE_SHARE * f->d.sieve / MS_STEP_SECONDS),
                            m->options->screen.run.stop};
  MS_TRY(estimate_waste(f, effort, &wasted, err));
  f->d.wasted = MS_STEP_SECONDS * wasted;
  return MS_OK;
}

/* Decides for MS_SCREEN_AUTO if nothing prevents the sieve. */
static ms_status decide_by_estimate(front *f, ms_error *err)
{
  if (f->m->shape.n > MAX_AUTO_VERTICES) {
    snprintf(f->d.reason, sizeof f->d.reason,
             "no sieve: it takes very long for %" PRIu32 " vertices", f->m->shape.n);
    return MS_OK;
  }
  MS_TRY(make_estimate(f, err));
  char wasted[48], sieve[48];
  f->d.first = f->d.wasted > MARGIN * f->d.sieve;
  if (f->brief)
    snprintf(f->d.reason, sizeof f->d.reason,
             "no sieve: an upper bound of the search's time is %s, and the sieve would take %s",
             ms_match_seconds_text(f->d.wasted, wasted), ms_match_seconds_text(f->d.sieve, sieve));
  else if (f->apart || isinf(f->volume))
    snprintf(f->d.reason, sizeof f->d.reason, "no sieve: %s",
             isinf(f->volume)
                 ? "some vertex of the pattern has no candidates"
                 : "its colours keep the pattern's vertices apart, so flags would add nothing");
  else
    snprintf(f->d.reason, sizeof f->d.reason,
             "%s: steps that lead to no match would take %s, the sieve %s",
             f->d.first ? "sieve" : "no sieve", ms_match_seconds_text(f->d.wasted, wasted),
             ms_match_seconds_text(f->d.sieve, sieve));
  f->d.compared = f->d.sieve > 0 && !f->apart && !isinf(f->volume);
  return MS_OK;
}

static ms_status decide(front *f, ms_error *err)
{
  const char *why_not = why_impossible(f);
  ms_screen_mode mode = f->m->options->screen_mode;
  if (mode == MS_SCREEN_ALWAYS && why_not)
    return ms_fail(err, MS_ERR_USAGE,
                   "the sieve cannot run first: %s; leave out `MS_SCREEN_ALWAYS`", why_not);
  if (mode == MS_SCREEN_AUTO && !why_not)
    return decide_by_estimate(f, err);
  f->d.first = mode == MS_SCREEN_ALWAYS;
  snprintf(f->d.reason, sizeof f->d.reason, "%s%s",
           f->d.first ? "sieve, as asked for" : "no sieve: ",
           f->d.first ? ""
           : why_not  ? why_not
                      : "not wanted");
  return MS_OK;
}

/* ---- the run ------------------------------------------------------------------------- */

ms_status ms_match_sieve(ms_match_run *m, const ms_graph *graph, const ms_coloring *coloring,
                         const ms_motif *motif, const char *const *required, ms_error *err)
{
  ms_query *query = NULL;
  ms_status status = ms_query_new(graph, coloring, motif, m->required.n, required, &query, err);
  if (status == MS_OK)
    status = ms_screen_within(query, &m->options->screen, m->run.budget, &m->result->screen, err);
  ms_query_free(query);
  if (status == MS_OK)
    m->run.stopped = m->result->screen->run.stopped;
  return status;
}

/* Collects the ids of the flagged vertices. */
static ms_status collect_flags(ms_match_run *m, uint64_t **allowed, ms_error *err)
{
  const ms_pattern_index *index = m->index;
  ms_pattern_result *result = m->result;
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

/* Computes the domains with the flags. In the mode "auto", flags that add little are dropped: they
 * do not justify a miss bound, because without them the search is exact. */
static ms_status use_flags(front *f, const uint64_t *allowed, ms_error *err)
{
  ms_match_run *m = f->m;
  ms_domains domains;
  MS_TRY(f->kind->find_domains(m, allowed, &domains, err));
  double less = exp(f->volume - volume_of(&domains));
  if (m->options->screen_mode != MS_SCREEN_AUTO || m->run.stopped != MS_OK ||
      less >= USEFUL_FACTOR) {
    ms_match_forget_plan(m);
    ms_domains_free(&m->domains);
    m->domains = domains;
    return MS_OK;
  }
  ms_domains_free(&domains);
  ms_format(f->d.reason, sizeof f->d.reason,
            "no sieve: it ran, but its flags shrank the domains only by a factor of %.2g", less);
  ms_screen_result_free(m->result->screen);
  m->result->screen = NULL;
  m->result->region_vertices = m->index->n;
  return MS_OK;
}

/* ---- entry points --------------------------------------------------------------------- */

ms_status ms_match_screen_decide(ms_match_run *m, const ms_screen_kind *kind,
                                 ms_screen_decision *decision, ms_error *err)
{
  front f = {.m = m, .kind = kind};
  MS_TRY(decide(&f, err));
  *decision = f.d;
  return m->domains.index ? MS_OK : kind->find_domains(m, NULL, &m->domains, err);
}

ms_status ms_match_screen(ms_match_run *m, const ms_screen_kind *kind, ms_error *err)
{
  front f = {.m = m, .kind = kind};
  uint64_t *allowed = NULL;
  m->result->region_vertices = m->index->n;
  ms_status status = decide(&f, err);
  if (status == MS_OK && f.d.first)
    status = kind->sieve(m, err);
  if (status == MS_OK && m->result->screen)
    status = collect_flags(m, &allowed, err);
  if (status == MS_OK && allowed)
    status = use_flags(&f, allowed, err);
  else if (status == MS_OK && !m->domains.index)
    status = kind->find_domains(m, NULL, &m->domains, err);
  ms_free(allowed);
  if (status == MS_OK && !(m->result->screen_reason = ms_strdup(f.d.reason)))
    status = ms_fail_memory(err, "a reason");
  return status;
}

static const ms_screen_kind plain_kind = {has_colors, has_slot, sieve_seconds, find_domains, sieve};

ms_status ms_pattern_screen_decide(ms_match_run *m, ms_screen_decision *decision, ms_error *err)
{
  return ms_match_screen_decide(m, &plain_kind, decision, err);
}

ms_status ms_pattern_screen(ms_match_run *m, ms_error *err)
{
  return ms_match_screen(m, &plain_kind, err);
}
