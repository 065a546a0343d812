/* The sieve in front of a pattern listing.
 *
 * The vertices of a match of a connected pattern are a match of its multiset
 * of colours: a connected set with one vertex for each of them.  So where the
 * sieve does not flag a vertex, no match has it, but for the miss bound.  A
 * pattern vertex that takes any colour, or one of several, is a wildcard. */
#include "base/alloc.h"
#include "base/status.h"
#include "cli/pipeline_pattern.h"
#include "enumerate/domains.h"
#include "enumerate/plan/plan.h"
#include "graph/query.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The sieve's nanoseconds per arc and point of one repetition (docs/SIEVE.md, a
 * processor of 2024), and the visits of a search that take as long as one:
 * estimates of searches are rough, so the sieve has to be far cheaper. */
#define SIEVE_COST 0.3
#define SEARCH_COST 3.0
#define MARGIN 10.0
#define MAX_AUTO_VERTICES 20u

static bool is_connected(const ms_shape *s)
{
  uint64_t all = 1, before = 0, whole = s->n == 64 ? ~UINT64_C(0) : (UINT64_C(1) << s->n) - 1;
  while (all != before) {
    before = all;
    for (uint64_t left = before; left; left &= left - 1)
      all |= ms_shape_near(s, (uint32_t)__builtin_ctzll(left));
  }
  return all == whole;
}

/* Why the sieve cannot go first, or NULL. */
static const char *obstacle(const ms_pattern_index *index, const ms_pattern *pattern,
                            const ms_shape *shape)
{
  bool colored = false;
  for (uint32_t i = 0; i < pattern->n; i++)
    colored = colored || pattern->colors[i] > 0;
  if (!index->coloring || !colored)
    return "the pattern has no colours";
  if (shape->n > MS_MAX_K)
    return "the pattern has more vertices than the sieve takes (32)";
  if (!is_connected(shape))
    return "the pattern is not connected";
  return NULL;
}

/* ---- the motif ------------------------------------------------------------------ */

/* The name in double quotes, as ms_motif_parse reads it back. */
static size_t quote(const char *name, char *text)
{
  size_t length = 0;
  text[length++] = '"';
  for (; *name; name++) {
    if (*name == '"')
      text[length++] = '"';
    text[length++] = *name;
  }
  text[length++] = '"';
  return length;
}

static const char *only_color(const ms_pattern *pattern, uint32_t i)
{
  return pattern->colors[i] == 1 ? ms_names_get(pattern->color_names, pattern->color[i][0]) : NULL;
}

/* *motif stays NULL where a colour of the pattern is unknown to the graph: the
 * domains will be empty. */
static ms_status make_motif(const ms_pattern_index *index, const ms_pattern *pattern,
                            ms_motif **motif, ms_error *err)
{
  size_t room = 2, used = 0;
  for (uint32_t i = 0; i < pattern->n; i++) {
    const char *name = only_color(pattern, i);
    if (name && ms_coloring_find(index->coloring, name) == UINT32_MAX)
      return MS_OK;
    room += name ? 2 * strlen(name) + 3 : 2;
  }
  char *text = ms_alloc(room, 1);
  if (!text)
    return ms_fail_memory(err, "the pattern's colours");
  for (uint32_t i = 0; i < pattern->n; i++) {
    const char *name = only_color(pattern, i);
    if (i > 0)
      text[used++] = ',';
    if (name)
      used += quote(name, text + used);
    else
      text[used++] = '*';
  }
  text[used] = 0;
  ms_status status = ms_motif_parse(text, index->coloring, motif, err);
  ms_free(text);
  return status;
}

/* ---- whether it pays --------------------------------------------------------------- */

typedef struct estimate {
  double search, sieve; /* seconds */
  double fitting;       /* share of the vertices that some pattern vertex may be, by colour alone */
} estimate;

static ms_status estimate_both(const ms_pattern_index *index, const ms_pattern *pattern,
                               const ms_shape *shape, const ms_pattern_options *o, estimate *out,
                               ms_error *err)
{
  ms_domains domains;
  ms_plan *plan = NULL;
  ms_plan_input input = {.vertices = index->n, .arcs = (double)index->arcs,
                         .square_degrees = index->square_degrees, .order = o->order,
                         .constrain = !o->embeddings};
  ms_status status = ms_domains_new(index, pattern, shape, NULL, &domains, err);
  if (status != MS_OK)
    return status;
  double fitting = 0;
  for (uint32_t i = 0; i < shape->n; i++) {
    input.domain[i] = domains.of[i].count;
    fitting += domains.of[i].count; /* of equal colours counted once each: an upper bound */
  }
  out->fitting = index->n > 0 ? fmin(1.0, fitting / index->n) : 0;
  double arcs = (double)index->arcs * out->fitting * out->fitting;
  uint32_t repetitions = o->screen.repetitions ? o->screen.repetitions : 6;
  out->sieve = 1e-9 * SIEVE_COST * arcs * ldexp(1, (int)shape->n) * repetitions;
  status = domains.empty ? MS_OK : ms_plan_new(shape, &input, &plan, err);
  out->search = plan ? 1e-9 * SEARCH_COST * plan->cost : 0;
  ms_plan_free(plan);
  ms_domains_free(&domains);
  return status;
}

static ms_status decide(const ms_pattern_index *index, const ms_pattern *pattern,
                        const ms_shape *shape, const ms_pattern_options *o, bool *first,
                        char *reason, size_t room, ms_error *err)
{
  const char *why_not = obstacle(index, pattern, shape);
  estimate e = {0};
  *first = false;
  if (why_not && o->screen_mode == MS_SCREEN_ALWAYS)
    return ms_fail(err, MS_ERR_USAGE, "the sieve cannot go first: %s; leave out --screen always",
                   why_not);
  if (o->screen_mode == MS_SCREEN_NEVER || why_not) {
    snprintf(reason, room, "no sieve: %s", why_not ? why_not : "not wanted");
    return MS_OK;
  }
  ms_status status = estimate_both(index, pattern, shape, o, &e, err);
  *first = o->screen_mode == MS_SCREEN_ALWAYS ||
           (shape->n <= MAX_AUTO_VERTICES && e.search > MARGIN * e.sieve && e.fitting < 0.5);
  snprintf(reason, room,
           "%s: search by itself about %.2g s, sieve about %.2g s, %.0f %% of the vertices fit by "
           "colour",
           o->screen_mode == MS_SCREEN_ALWAYS ? "sieve, as asked for"
           : *first                           ? "sieve"
                                              : "no sieve",
           e.search, e.sieve, 100 * e.fitting);
  return status;
}

/* ---- all of it ------------------------------------------------------------------------ */

static ms_status run_sieve(const ms_pattern_index *index, const ms_motif *motif,
                           const ms_pattern_options *o, uint64_t **allowed,
                           ms_pattern_result *result, ms_error *err)
{
  ms_query *query = NULL;
  ms_status status = ms_query_new(index->graph, index->coloring, motif, 0, NULL, &query, err);
  if (status == MS_OK)
    status = ms_screen(query, &o->screen, &result->screen, err);
  ms_query_free(query);
  if (status != MS_OK)
    return status;
  result->stopped = result->screen->stopped;
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

ms_status ms_pattern_screen(const ms_pattern_index *index, const ms_pattern *pattern,
                            const ms_shape *shape, const ms_pattern_options *options,
                            uint64_t **allowed, ms_pattern_result *result, ms_error *err)
{
  char reason[256];
  bool first;
  ms_motif *motif = NULL;
  *allowed = NULL;
  result->region_vertices = index->n;
  ms_status status = decide(index, pattern, shape, options, &first, reason, sizeof reason, err);
  if (status == MS_OK && first)
    status = make_motif(index, pattern, &motif, err);
  if (status == MS_OK && motif)
    status = run_sieve(index, motif, options, allowed, result, err);
  ms_motif_free(motif);
  if (status == MS_OK && !(result->screen_reason = ms_strdup(reason)))
    status = ms_fail_memory(err, "a reason");
  return status;
}
