/* Matches of a typed pattern: inputs -> ms_typed_match -> rows as they are found, or their number;
 * or ms_typed_match_inexact -> the best maps. */
#include "base/alloc.h"
#include "base/status.h"
#include "base/stop.h"
#include "cli/cli.h"
#include "cli/match.h"
#include "cli/report.h"
#include "graph/typed.h"

#include <inttypes.h>
#include <string.h>

typedef struct work {
  ms_output output; /* must be first: the library passes it to ms_output_rows */
  ms_job *job;
  ms_typed_match_options options;
  ms_typed_result *result;
} work;

/* ---- writing ------------------------------------------------------------- */

/* Fills the header.  `known`: what is known about the result before the first row. */
static void describe(work *w, const ms_typed_result *known)
{
  const ms_cli_options *o = w->job->options;
  ms_result_header *h = &w->output.writer.header;
  h->kind = MS_KIND_TYPED;
  if (w->job->graph)
    ms_report_describe(h, w->job);
  else
    ms_describe_typed_graph(h, w->job->typed, &o->typed);
  ms_describe_typed_pattern(h, w->job->typed_pattern, o->pattern.path, w->job->pattern_is_text);
  h->pattern.embeddings = o->pattern.embeddings;
  h->pattern.automorphisms = known->automorphisms_text;
  if (!o->typed_match.inexact) {
    h->pattern.induced = o->pattern.induced;
    h->pattern.engine = known->engine;
    h->has |= known->ordered ? 0 : MS_HAS_NO_ORDER;
    return;
  }
  h->has |= MS_HAS_INEXACT | (w->options.walk == MS_WALK_RANDOM ? MS_HAS_RANDOM_WALK : 0);
  h->mode = MS_MODE_INEXACT;
  h->typed.walk = w->options.walk;
  h->typed.seed = w->options.seed;
  h->typed.walk_length = known->walk_length;
  h->typed.best_score = known->best_score;
}

static bool begin(void *user, const ms_typed_result *known)
{
  work *w = user;
  describe(w, known);
  ms_report_attach(&w->output.writer, w->job);
  return ms_output_begin(&w->output);
}

/* Writes what is left once the search is over. */
static ms_status end_output(work *w, ms_error *err)
{
  if (!w->output.begun)
    begin(w, w->result); /* no row has begun the output */
  return ms_output_end(&w->output, w->result->matches, w->result->stopped,
                       ms_job_at_limit(w->job, w->result->matches), err);
}

/* ---- searching ----------------------------------------------------------- */

static ms_status count(work *w, ms_error *err)
{
  ms_writer *writer = &w->output.writer;
  ms_status status = ms_typed_match(w->job->typed_query, &w->options, &w->result, err);
  ms_progress_end(&w->job->progress);
  if (status != MS_OK)
    return status;
  status = ms_writer_open(writer, w->job->options->output, NULL, err);
  if (status == MS_OK && w->job->options->json) {
    describe(w, w->result);
    writer->header.count = w->result->count_text;
    writer->header.status =
        ms_status_of(w->result->stopped, ms_job_at_limit(w->job, w->result->matches));
    status = ms_writer_count(writer, err);
  } else if (status == MS_OK) {
    ms_outfile_printf(writer->out, "%s\n", w->result->count_text);
  }
  return ms_writer_close(writer, status, err);
}

static ms_status open_output(work *w, ms_error *err)
{
  w->output.names = w->job->typed->names;
  return ms_report_open(&w->output.writer, w->job->options, err);
}

static ms_status list(work *w, ms_error *err)
{
  w->options.begin = begin;
  w->options.rows = ms_output_rows;
  w->options.rows_user = w;
  ms_status status = open_output(w, err);
  if (status == MS_OK) {
    status = ms_typed_match(w->job->typed_query, &w->options, &w->result, err);
    ms_progress_end(&w->job->progress);
  }
  if (status == MS_OK)
    status = end_output(w, err);
  return ms_writer_close(&w->output.writer, status, err);
}

static ms_status list_best(work *w, ms_error *err)
{
  ms_status status = open_output(w, err);
  if (status == MS_OK) {
    status = ms_typed_match_inexact(w->job->typed_query, &w->options, &w->result, err);
    ms_progress_end(&w->job->progress);
  }
  if (status == MS_OK && begin(w, w->result)) {
    const ms_typed_result *r = w->result;
    ms_writer_matches(&w->output.writer, r->vertices, r->score, r->matches);
  }
  if (status == MS_OK)
    status = end_output(w, err);
  return ms_writer_close(&w->output.writer, status, err);
}

/* Draws the matches, which the result has stored. */
static ms_status draw(work *w, ms_error *err)
{
  const ms_typed_result *r = w->result;
  ms_writer *writer = &w->output.writer;
  ms_status status = ms_report_open(writer, w->job->options, err);
  if (status == MS_OK) {
    describe(w, r);
    ms_report_attach(writer, w->job);
    writer->header.status = ms_status_of(r->stopped, ms_job_at_limit(w->job, r->matches));
    writer->header.found = r->matches;
    status = ms_report_draw(writer, w->job, NULL, r->vertices, err);
  }
  return ms_writer_close(writer, status, err);
}

static ms_status find_and_draw(work *w, ms_error *err)
{
  MS_TRY(w->job->options->typed_match.inexact
             ? ms_typed_match_inexact(w->job->typed_query, &w->options, &w->result, err)
             : ms_typed_match(w->job->typed_query, &w->options, &w->result, err));
  ms_progress_end(&w->job->progress);
  return draw(w, err);
}

/* ---- summary ------------------------------------------------------------- */

static void print_summary(const work *w)
{
  const ms_typed_result *r = w->result;
  ms_typed_info info = ms_typed_describe(w->job->typed);
  ms_cli_note("the compound type filter left %" PRIu64 " of %" PRIu64 " edges, between %" PRIu32
              " of %" PRIu32 " vertices",
              r->edges_kept, info.edges, r->vertices_kept, info.vertices);
  ms_cli_note("a walk of %" PRIu32 " steps left %" PRIu32 " active vertices", r->walk_length,
              r->vertices_active);
  for (uint32_t i = 0; r->domain && i < r->p; i++)
    ms_cli_note("  %s: %" PRIu32, ms_typed_pattern_vertex_name(w->job->typed_pattern, i),
                r->domain[i]);
  ms_cli_note("%s %s (the pattern has %s automorphisms)%s", r->count_text,
              r->score                ? "maps"
              : w->options.embeddings ? "embeddings"
                                      : "subgraphs",
              r->automorphisms_text,
              w->options.count_only || r->score ? "" : ", each listed match verified");
  if (!r->score)
    ms_cli_note("engine: %s: %s", r->engine, r->engine_reason);
  if (r->plain) /* without this, the count would have taken long */
    ms_cli_note("counted as a plain pattern, whose colours are the candidates of each vertex");
  ms_cli_note("seconds: read %.3f, filter %.3f, walk %.3f, search and write %.3f",
              w->job->time_read, r->time_filter, r->time_walk, r->time_search);
}

static int outcome(const work *w)
{
  const ms_cli_options *o = w->job->options;
  if (o->typed_match.inexact && !o->quiet && w->result->matches == 0 && w->result->stopped == MS_OK)
    ms_cli_warn(
        "no walk through the graph has the types that the pattern's walk asks for, so there "
        "is nothing to score; allow further types with '|', or leave out edges that may be "
        "missing");
  return ms_job_outcome(w->job, w->result->stopped, w->result->matches, w->result->count_text,
                        ms_job_order_remark(w->job, o->typed_match.inexact || w->result->ordered));
}

static ms_status write_statistics(const work *w, ms_error *err)
{
  const ms_typed_result *r = w->result;
  ms_result_status status = ms_status_of(r->stopped, ms_job_at_limit(w->job, r->matches));
  ms_statistics s = {.plan = r->time_filter + r->time_walk,
                     .search = r->time_search,
                     .status = ms_result_word(MS_WORDS_STATUS, status),
                     .found = r->count_text};
  return ms_report_statistics(w->job, s, err);
}

int ms_match_typed(ms_job *job, ms_error *err)
{
  const ms_cli_options *o = job->options;
  work *w = ms_calloc(1, sizeof *w);
  if (!w) {
    ms_fail_memory(err, "a search");
    return ms_cli_error(err);
  }
  w->job = job;
  ms_typed_options_of(job, &w->options);
  ms_status status = o->cx2 || o->dot         ? find_and_draw(w, err)
                     : o->typed_match.inexact ? list_best(w, err)
                     : o->list.count_only     ? count(w, err)
                                              : list(w, err);
  if (status == MS_OK)
    status = write_statistics(w, err);
  if (status == MS_OK && o->verbose)
    print_summary(w);
  int code = status == MS_OK ? outcome(w) : ms_cli_error(err);
  ms_typed_result_free(w->result);
  ms_free(w);
  return code;
}
