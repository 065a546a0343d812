/* ms_pattern_explain: describes how, and with which engine, a pattern would be
 * searched or counted. */
#include "run/match.h"

#include "base/alloc.h"
#include "base/options.h"
#include "base/status.h"
#include "plan/plan_writer.h"
#include "query/labels.h"

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

static ms_status explain_search(ms_match_run *m, const char *const *name, bool json, ms_growing *g,
                                ms_error *err)
{
  char *text = NULL;
  MS_TRY(ms_match_plan(m, &m->domains, &m->plan, &m->program, err));
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
  int threads = m->options->screen.threads;
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

static ms_status explain_count(ms_match_run *m, const ms_count_query *query,
                               const char *const *name, bool json, ms_growing *g, ms_error *err)
{
  char *text = NULL;
  ms_status status = ms_count_explain(query, &m->shape, name, json, &text, err);
  ms_growing_put(g, "%s", json ? ",\"count\":" : "");
  append_text(g, text, false);
  return status;
}

ms_status ms_match_explain(ms_match_run *m, const char *const *name, bool json, ms_growing *g,
                           ms_error *err)
{
  ms_count_query query;
  ms_engine_choice choice;
  ms_match_work work = {0};
  ms_probe_effort effort = {EXPLAIN_STEPS, MS_PROBE_STEPS, m->options->screen.stop};
  double by_factors = 0;
  ms_match_count_query(m, &query);
  MS_TRY(explain_search(m, name, json, g, err));
  if (m->options->count_only)
    MS_TRY(explain_count(m, &query, name, json, g, err));
  MS_TRY(counts_all(m) ? ms_match_counting_work(m, effort, &work, &by_factors, err)
                       : ms_match_listing_work(m, m->program, effort, &work, err));
  choose_engine(m, &work, by_factors, &choice);
  if (m->asked && m->program && m->asked->supports)
    MS_TRY(m->asked->supports(m->program, err));
  double seconds = ms_match_seconds(&work, m->options->screen.threads);
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
  MS_TRY(ms_pattern_engine_find(m->options->engine, &m->asked, err));
  ms_shape_of(m->pattern, m->options->induced, &m->shape);
  MS_TRY(ms_domains_new(m->index, m->pattern, &m->shape, NULL, &m->domains, err));
  for (uint32_t i = 0; i < m->shape.n; i++)
    name[i] = ms_pattern_vertex_name(m->pattern, i);
  return ms_match_explain(m, name, json, g, err);
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
  ms_match_run m = {.index = index, .pattern = pattern, .options = &options};
  ms_growing g = {0};
  *text = NULL;
  MS_TRY(ms_pattern_check_labels(pattern, index->graph, err));
  ms_status status = explain(&m, json, &g, err);
  ms_match_release(&m);
  return ms_match_explained(&g, status, text, err);
}

ms_status ms_match_explained(ms_growing *g, ms_status status, char **text, ms_error *err)
{
  ms_status end = ms_growing_end(g, text, status == MS_OK ? err : NULL);
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
