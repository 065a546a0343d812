/* ms_pattern_explain: describes how, and with which engine, a pattern would be
 * searched or counted. */
#include "run/match/match.h"

#include "base/alloc.h"
#include "base/numbers.h"
#include "base/options.h"
#include "base/status.h"
#include "plan/plan_writer.h"
#include "query/labels.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Steps (probe.h) that an explanation may take for an estimate in any case. */
#define EXPLAIN_STEPS 1e7

static void append_text(ms_growing *g, char *text, bool json)
{
  /* a JSON text is added without its closing brace, and without its opening one behind others */
  size_t opening = json && g->used > 0;
  if (text)
    ms_growing_put(g, "%.*s", (int)(strlen(text) - opening - json), text + opening);
  ms_free(text);
}

/* Explains a plan that was made. */
static ms_status explain_search(const ms_match_run *m, const char *const *name, bool json,
                                ms_growing *g, ms_error *err)
{
  char *text = NULL;
  ms_status status =
      json ? ms_plan_json(m->plan, name, &text, err) : ms_plan_text(m->plan, name, &text, err);
  append_text(g, text, json);
  return status;
}

/* True if all matches are counted: without a limit. */
static bool counts_all(const ms_match_run *m)
{
  return m->options->count_only && m->options->limit == 0;
}

/* Names the engine that was asked for, or the one that "auto" would choose by this estimate. */
static void choose_engine(const ms_match_run *m, const ms_match_work *work, double by_factors,
                          ms_engine_choice *choice)
{
  int threads = m->options->screen.run.threads;
  if (m->asked) {
    *choice = (ms_engine_choice){m->asked, "as asked for"};
  } else if (work->search + work->rows == 0) {
    *choice = (ms_engine_choice){&ms_pattern_engine_cpu, "nothing to search"};
  } else if (by_factors >= work->search && by_factors > 0) {
    char seconds[48];
    ms_match_seconds_text(ms_match_seconds(work, threads), seconds);
    choice->engine = &ms_pattern_engine_cpu;
    snprintf(choice->reason, sizeof choice->reason,
             "the CPU needs %s, by factors and domains, which only the CPU does", seconds);
  } else {
    ms_pattern_engine_decide(work, threads, counts_all(m) ? NULL : m->program, choice);
  }
}

static ms_status explain_count(const ms_count_query *query, const ms_shape *shape,
                               const char *const *name, bool json, ms_growing *g, ms_error *err)
{
  char *text = NULL;
  ms_status status = ms_count_explain(query, shape, name, json, &text, err);
  ms_growing_put(g, "%s", json ? ",\"count\":" : "");
  append_text(g, text, false);
  return status;
}

/* ---- required vertices --------------------------------------------------------- */

/* What the choices of places for required vertices add up to. */
typedef struct places {
  ms_match_run *m;
  const char *const *name;
  bool json;
  ms_growing *g;
  uint32_t choices;
  double search; /* steps of all searches */
} places;

/* Explains the search with the first choice of places, and adds up the work of all; an
 * ms_placed_fn. */
static ms_status explain_placed(void *user, const ms_placed *placed, ms_error *err)
{
  places *p = user;
  ms_match_run *m = p->m;
  ms_count_query query;
  ms_match_work work = {0};
  ms_probe_effort effort = {0, MS_PROBE_STEPS, m->options->screen.run.stop};
  ms_status status = ms_match_plan_places(m, placed, err);
  if (status == MS_OK && p->choices == 0)
    status = explain_search(m, p->name, p->json, p->g, err);
  if (status == MS_OK && p->choices == 0 && m->options->count_only) {
    ms_match_count_query(m, &query);
    query.domains = placed->domains;
    status = explain_count(&query, placed->shape, p->name, p->json, p->g, err);
  }
  if (status == MS_OK)
    status = ms_match_listing_work(m, m->program, effort, &work, err);
  ms_match_forget_plan(m);
  p->search += work.search + work.rows;
  p->choices++;
  return status;
}

static void put_required(places *p)
{
  const ms_match_run *m = p->m;
  ms_growing *g = p->g;
  ms_growing_put(g, p->json ? ",\"required\":[" : "required: ");
  for (uint32_t i = 0; i < m->required.n; i++) {
    ms_growing_put(g, "%s", i == 0 ? "" : p->json ? "," : ", ");
    if (p->json)
      ms_growing_put_json(g, m->required_name[i]);
    else
      ms_growing_put(g, "%s", m->required_name[i]);
  }
  if (p->json)
    ms_growing_put(g, "],\"places\":%" PRIu32, p->choices);
  else if (p->choices == 0)
    ms_growing_put(g, ": no vertices of the pattern can be there\n");
  else
    ms_growing_put(g, ": %" PRIu32 " search%s from %s, one for each choice of %s place%s\n",
                   p->choices, p->choices == 1 ? "" : "es", m->required.n == 1 ? "it" : "them",
                   m->required.n == 1 ? "its" : "their", m->required.n == 1 ? "" : "s");
}

/* Explains the searches that begin at the required vertices. */
static ms_status explain_required(ms_match_run *m, const char *const *name, bool json,
                                  ms_growing *g, ms_match_work *work, ms_engine_choice *choice,
                                  ms_error *err)
{
  places p = {.m = m, .name = name, .json = json, .g = g};
  if (!m->domains.empty)
    MS_TRY(ms_required_place(&m->required, &m->shape, &m->domains, m->options->embeddings,
                             m->options->screen.run.stop, explain_placed, &p, err));
  if (p.choices == 0) { /* the plan of nothing */
    m->domains.empty = true;
    MS_TRY(ms_match_plan(m, &m->domains, &m->plan, &m->program, err));
    MS_TRY(explain_search(m, name, json, g, err));
  }
  put_required(&p);
  *work = (ms_match_work){.search = p.search};
  *choice = (ms_engine_choice){m->asked ? m->asked : &ms_pattern_engine_cpu, ""};
  snprintf(choice->reason, sizeof choice->reason, "%s",
           m->asked         ? "as asked for"
           : p.choices == 0 ? "nothing to search"
                            : "the search begins at the required vertices");
  return MS_OK;
}

/* ---- all of it ------------------------------------------------------------------ */

static ms_status explain_whole(ms_match_run *m, const char *const *name, bool json, ms_growing *g,
                               ms_match_work *work, ms_engine_choice *choice, ms_error *err)
{
  ms_count_query query;
  ms_probe_effort effort = {EXPLAIN_STEPS, MS_PROBE_STEPS, m->options->screen.run.stop};
  double by_factors = 0;
  ms_match_count_query(m, &query);
  if (!m->plan)
    MS_TRY(ms_match_plan(m, &m->domains, &m->plan, &m->program, err));
  MS_TRY(explain_search(m, name, json, g, err));
  if (m->options->count_only)
    MS_TRY(explain_count(&query, &m->shape, name, json, g, err));
  MS_TRY(counts_all(m) ? ms_match_counting_work(m, effort, work, &by_factors, err)
                       : ms_match_listing_work(m, m->program, effort, work, err));
  choose_engine(m, work, by_factors, choice);
  return m->asked && m->program && m->asked->supports ? m->asked->supports(m->program, err) : MS_OK;
}

static void put_decision(const ms_screen_decision *d, bool json, ms_growing *g)
{
  if (!json) {
    ms_growing_put(g, "screen: %s\n", d->reason);
    return;
  }
  ms_growing_put(g, ",\"sieve_first\":%s,\"sieve_reason\":\"%s\"", d->first ? "true" : "false",
                 d->reason);
  if (d->compared)
    ms_growing_put(g, ",\"sieve_seconds\":%.3g,\"wasted_seconds\":%.3g", d->sieve, d->wasted);
}

ms_status ms_match_explain(ms_match_run *m, const char *const *name,
                           const ms_screen_decision *decision, bool json, ms_growing *g,
                           ms_error *err)
{
  ms_engine_choice choice;
  ms_match_work work = {0};
  MS_TRY(m->required.n > 0 ? explain_required(m, name, json, g, &work, &choice, err)
                           : explain_whole(m, name, json, g, &work, &choice, err));
  put_decision(decision, json, g);
  double seconds = ms_match_seconds(&work, m->options->screen.run.threads);
  if (json)
    ms_growing_put(g, ",\"engine\":\"%s\",\"engine_reason\":\"%s\",\"cpu_seconds\":%.3g}",
                   choice.engine->name, choice.reason, seconds);
  else
    ms_growing_put(g, "engine: %s (%s)\n", choice.engine->name, choice.reason);
  return MS_OK;
}

/* Writes all texts one after the other, or as keys of one object. */
static ms_status explain(ms_match_run *m, bool json, ms_growing *g, ms_error *err)
{
  const char *name[MS_MAX_PATTERN];
  ms_screen_decision decision;
  MS_TRY(ms_pattern_engine_find(m->options->screen.run.engine, &m->asked, err));
  ms_shape_of(m->pattern, m->options->induced, &m->shape);
  MS_TRY(ms_required_find(m->index->graph, m->options->required, m->options->n_required,
                          m->pattern->n, &m->required, err));
  MS_TRY(ms_pattern_screen_decide(m, &decision, err));
  for (uint32_t i = 0; i < m->shape.n; i++)
    name[i] = ms_pattern_vertex_name(m->pattern, i);
  for (uint32_t i = 0; i < m->required.n; i++)
    m->required_name[i] = ms_graph_name(m->index->graph, m->required.vertex[i]);
  return ms_match_explain(m, name, &decision, json, g, err);
}

ms_status ms_pattern_explain(const ms_pattern_index *index, const ms_pattern *pattern,
                             const ms_pattern_options *given, bool json, char **text, ms_error *err)
{
  MS_REQUIRE(text, err);
  *text = NULL;
  MS_REQUIRE(index, err);
  MS_REQUIRE(pattern, err);
  ms_pattern_options options;
  MS_TRY(ms_options_take(&ms_pattern_options_kind, given, &options, err));
  MS_TRY(ms_required_check(options.required, options.n_required, err));
  ms_growing g = {0};
  MS_TRY(ms_pattern_check_labels(pattern, index->graph, err));
  ms_match_run *m = ms_alloc(1, sizeof *m); /* it is large for a stack */
  if (!m)
    return ms_fail_memory(err, "a plan");
  *m = (ms_match_run){.run = {.count_only = options.count_only, .limit = options.limit},
                      .index = index,
                      .pattern = pattern,
                      .options = &options};
  ms_numbers_begin();
  ms_status status = explain(m, json, &g, err);
  ms_numbers_end();
  ms_match_release(m);
  ms_free(m);
  return ms_match_explained(&g, status, text, err);
}

ms_status ms_match_explained(ms_growing *g, ms_status status, char **text, ms_error *err)
{
  ms_status end = ms_growing_end(g, "the plan's text", text, status == MS_OK ? err : NULL);
  if (status != MS_OK) {
    ms_free(*text);
    *text = NULL;
  }
  return status == MS_OK ? end : status;
}

void ms_text_free(char *text)
{
  ms_free(text);
}
