/* The sieve in front of a search for a typed pattern.
 *
 * Filter and walk have left a domain for each pattern vertex, and the relations join vertices of
 * the domains.  The vertices of a match of a connected pattern are connected by these edges, and
 * each is in the domain of its pattern vertex.  So they are a match of a motif in the plain graph
 * of all relations: the domains are its colours, and it has a slot for each pattern vertex. */
#include "run/match/typed.h"

#include "base/alloc.h"
#include "base/status.h"
#include "graph/colors.h"
#include "graph/graph.h"
#include "match/cpu/sorted.h"
#include "query/query.h"
#include "run/match/match_screen.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Seconds in which an entry of a relation becomes an edge of the plain graph. */
#define ENTRY_SECONDS 1e-7
/* Seconds in which the graph, its colours and the sieve are set up, whatever their size. */
#define START_SECONDS 1e-3

/* A search with what its sieve needs besides. */
typedef struct typed_screening {
  const ms_typed_relations *relations;
  uint32_t graph_vertices;
} typed_screening;

static bool has_colors(const ms_match_run *m)
{
  (void)m;
  return true;
}

static bool has_slot(const ms_match_run *m, uint32_t i)
{
  (void)m, (void)i;
  return true;
}

static double sieve_seconds(const ms_match_run *m)
{
  const typed_screening *t = m->screening;
  double entries = (double)ms_typed_relations_entries(t->relations);
  return START_SECONDS + ENTRY_SECONDS * entries + ms_match_sieve_seconds(m, 2 * entries);
}

/* Narrows the domains to the allowed ids. */
static ms_status find_domains(ms_match_run *m, const uint64_t *allowed, ms_domains *out,
                              ms_error *err)
{
  size_t words = m->index->words;
  *out = m->domains;
  out->implied = false;
  out->store = ms_alloc(words * out->n, sizeof *out->store);
  if (!out->store)
    return ms_fail_memory(err, "candidates of a typed pattern");
  for (uint32_t i = 0; i < out->n; i++) {
    ms_domain_meet(&out->of[i], allowed, out->store + i * words, words);
    out->empty = out->empty || out->of[i].count == 0;
  }
  return MS_OK;
}

/* ---- the run ------------------------------------------------------------------------- */

/* Turns the numbers of repetitions by id into those by vertex of the whole graph. */
static ms_status spread_result(const ms_match_run *m, ms_error *err)
{
  const typed_screening *t = m->screening;
  ms_screen_result *r = m->result->screen;
  uint32_t *hits = ms_calloc(t->graph_vertices, sizeof *hits);
  uint8_t *kept = ms_calloc(t->graph_vertices, sizeof *kept);
  if (!hits || !kept) {
    ms_free(hits);
    ms_free(kept);
    return ms_fail_memory(err, "the flags");
  }
  for (uint32_t i = 0; i < r->n; i++) {
    hits[m->index->vertex[i]] = r->hits[i];
    kept[m->index->vertex[i]] = r->kept[i];
  }
  ms_free(r->hits);
  ms_free(r->kept);
  r->hits = hits;
  r->kept = kept;
  r->n = t->graph_vertices;
  return MS_OK;
}

/* Names the required vertices as the plain graph does; false if one of them is in no domain. */
static bool name_required(const ms_match_run *m, const ms_graph *graph, const char **required)
{
  const ms_pattern_index *index = m->index;
  for (uint32_t i = 0; i < m->required.n; i++) {
    size_t id = ms_lower_bound(index->vertex, index->n, m->required.vertex[i]);
    if (id == index->n || index->vertex[id] != m->required.vertex[i])
      return false;
    required[i] = ms_graph_name(graph, (uint32_t)id);
  }
  return true;
}

static ms_status sieve_merged(ms_match_run *m, ms_merged *merged, ms_error *err)
{
  const char *required[MS_MAX_K];
  ms_motif *motif = NULL;
  if (!name_required(m, merged->graph, required))
    return MS_OK;
  ms_merged_number(merged, m);
  MS_TRY(ms_merged_color(merged, m, err));
  MS_TRY(ms_motif_from_slots(merged->color, m->shape.n, merged->coloring, &motif, err));
  ms_status status = ms_match_sieve(m, merged->graph, merged->coloring, motif, required, err);
  ms_motif_free(motif);
  return status == MS_OK ? spread_result(m, err) : status;
}

static ms_status sieve(ms_match_run *m, ms_error *err)
{
  const typed_screening *t = m->screening;
  ms_merged merged;
  ms_status status =
      ms_merged_new(t->relations, m->options->screen.run.threads, m->run.budget, &merged, err);
  if (status == MS_OK && merged.graph)
    status = sieve_merged(m, &merged, err);
  else if (status == MS_OK && m->options->screen_mode == MS_SCREEN_ALWAYS)
    status = ms_fail(err, MS_ERR_MEMORY,
                     "the sieve needs a graph of %" PRIu64 " edges, for which `memory` has no room "
                     "left; raise `memory`, or leave out `MS_SCREEN_ALWAYS`",
                     ms_typed_relations_entries(t->relations));
  ms_merged_free(&merged);
  return status;
}

/* ---- entry points --------------------------------------------------------------------- */

/* Multiplies the mean lengths of rows by what the flags left of the domains that they lead to. */
static void adapt_rows(ms_typed_relations *r, const ms_domains *now, const uint32_t *before)
{
  for (uint32_t i = 0; i < now->n; i++)
    for (uint32_t j = 0; j < now->n; j++)
      r->row[i][j] *= (double)now->of[j].count / before[j];
}

static const ms_screen_kind typed_kind = {has_colors, has_slot, sieve_seconds, find_domains, sieve};

/* Returns why no sieve runs, where that is known without an estimate; else NULL. */
static const char *why_omitted(const ms_match_run *m)
{
  if (m->domains.empty)
    return "no sieve: some vertex of the pattern has no candidates";
  if (m->required.n > 0 && m->options->screen_mode == MS_SCREEN_AUTO)
    return "no sieve: the search begins at the required vertices";
  return NULL;
}

ms_status ms_typed_screen_decide(const ms_typed_candidates *candidates, ms_match_run *m,
                                 ms_screen_decision *decision, ms_error *err)
{
  typed_screening t = {candidates->relations, 0};
  const char *why = why_omitted(m);
  *decision = (ms_screen_decision){.first = false};
  snprintf(decision->reason, sizeof decision->reason, "%s", why ? why : "");
  if (why)
    return MS_OK;
  m->screening = &t;
  ms_status status = ms_match_screen_decide(m, &typed_kind, decision, err);
  m->screening = NULL;
  return status;
}

ms_status ms_typed_screen(ms_typed_candidates *candidates, uint32_t graph_vertices, ms_match_run *m,
                          ms_error *err)
{
  typed_screening t = {candidates->relations, graph_vertices};
  uint32_t before[MS_MAX_PATTERN];
  const char *why = why_omitted(m);
  if (why) {
    m->result->screen_reason = ms_strdup(why);
    return m->result->screen_reason ? MS_OK : ms_fail_memory(err, "a reason");
  }
  for (uint32_t i = 0; i < m->shape.n; i++)
    before[i] = m->domains.of[i].count;
  m->screening = &t;
  ms_status status = ms_match_screen(m, &typed_kind, err);
  m->screening = NULL;
  if (status == MS_OK && m->result->screen)
    adapt_rows(candidates->relations, &m->domains, before);
  return status;
}
