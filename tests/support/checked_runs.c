#include "tests/support/checked_runs.h"

#include "base/crc32c.h"
#include "base/status.h"
#include "graph/generate/generate.h"

#include <string.h>

ms_status checked_inputs_open(checked_inputs *in, ms_error *err)
{
  *in = (checked_inputs){0};
  MS_TRY(ms_generate_regular(60, 6, 5, &in->graph, err));
  MS_TRY(ms_generate_colors(in->graph, 3, 5, &in->coloring, err));
  MS_TRY(ms_pattern_index_new(in->graph, NULL, 1, &in->index, err));
  MS_TRY(ms_pattern_named("cycle:5", &in->pattern, err));
  MS_TRY(ms_motif_parse("c0:4,c1:3,c2:2", in->coloring, &in->motif, err));
  MS_TRY(ms_query_new(in->graph, in->coloring, in->motif, 0, NULL, &in->query, err));
  MS_TRY(ms_generate_regular(60, 2, 5, &in->rings, err));
  MS_TRY(ms_generate_colors(in->rings, 3, 5, &in->ring_coloring, err));
  MS_TRY(ms_motif_parse("c0:4,c1:3,c2:2", in->ring_coloring, &in->ring_motif, err));
  return ms_query_new(in->rings, in->ring_coloring, in->ring_motif, 0, NULL, &in->ring_query, err);
}

void checked_inputs_close(checked_inputs *in)
{
  ms_query_free(in->query);
  ms_motif_free(in->motif);
  ms_pattern_free(in->pattern);
  ms_pattern_index_free(in->index);
  ms_coloring_free(in->coloring);
  ms_graph_free(in->graph);
  ms_query_free(in->ring_query);
  ms_motif_free(in->ring_motif);
  ms_coloring_free(in->ring_coloring);
  ms_graph_free(in->rings);
}

static ms_status run_screen(const checked_inputs *in, const ms_division *division, uint32_t *sum,
                            ms_paranoid_report *report, ms_error *err)
{
  ms_screen_options o = MS_SCREEN_OPTIONS_DEFAULT;
  ms_screen_result *r;
  o.backend = MS_BACKEND_CPU;
  o.run.threads = 1;
  o.repetitions = 3;
  o.no_early_stop = o.no_prune = true;
  o.run.division = division;
  MS_TRY(ms_screen(in->ring_query, &o, &r, err));
  *sum = ms_crc32c(0, r->hits, r->n * sizeof *r->hits);
  *report = r->run.paranoid;
  ms_screen_result_free(r);
  return MS_OK;
}

static ms_status run_census(const checked_inputs *in, const ms_division *division, uint32_t *sum,
                            ms_paranoid_report *report, ms_error *err)
{
  ms_census_options o = MS_CENSUS_OPTIONS_DEFAULT;
  ms_census_result *r;
  o.k = 4;
  o.run.threads = 1;
  o.run.engine = "cpu";
  o.run.division = division;
  MS_TRY(ms_census(in->graph, in->coloring, &o, &r, err));
  *sum = ms_crc32c(0, &r->sets, sizeof r->sets);
  *sum = ms_crc32c(*sum, r->color, r->count * r->k * sizeof *r->color);
  *sum = ms_crc32c(*sum, r->n_sets, r->count * sizeof *r->n_sets);
  *report = r->run.paranoid;
  ms_census_result_free(r);
  return MS_OK;
}

static ms_status run_match(const checked_inputs *in, const ms_division *division, uint32_t *sum,
                           ms_paranoid_report *report, ms_error *err)
{
  ms_pattern_options o = MS_PATTERN_OPTIONS_DEFAULT;
  ms_pattern_result *r;
  o.count_only = true;
  o.screen.run.threads = 1;
  o.screen_mode = MS_SCREEN_NEVER;
  o.screen.run.engine = "cpu";
  o.screen.run.division = division;
  MS_TRY(ms_pattern_list(in->index, in->pattern, &o, &r, err));
  *sum = ms_crc32c(0, r->embeddings_text, strlen(r->embeddings_text));
  *report = r->run.paranoid;
  ms_pattern_result_free(r);
  return MS_OK;
}

static ms_status run_list(const checked_inputs *in, const ms_division *division, uint32_t *sum,
                          ms_paranoid_report *report, ms_error *err)
{
  ms_list_options o = MS_LIST_OPTIONS_DEFAULT;
  ms_list_result *r;
  o.count_only = o.exact = true;
  o.screen.run.threads = 1;
  o.screen.run.engine = "cpu";
  o.screen.run.division = division;
  MS_TRY(ms_list(in->query, &o, &r, err));
  *sum = ms_crc32c(0, r->count_text, strlen(r->count_text));
  *report = r->run.paranoid;
  ms_list_result_free(r);
  return MS_OK;
}

const checked_run checked_runs[CHECKED_RUNS] = {
    {"screen", run_screen}, {"census", run_census}, {"match", run_match}, {"list", run_list}};
