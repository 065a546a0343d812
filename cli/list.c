/* motifsieve list: inputs -> ms_list -> rows of matches of a motif, or their number. */
#include "base/status.h"
#include "base/stop.h"
#include "cli/cli.h"
#include "cli/report.h"
#include "graph/graph.h"

#include <inttypes.h>

static ms_status write_motif_count(const ms_job *job, const ms_list_result *list, ms_error *err)
{
  ms_writer w;
  ms_status status = ms_writer_open(&w, job->options->output, NULL, err);
  if (status == MS_OK && job->options->json) {
    w.header.kind = MS_KIND_LIST;
    ms_report_describe(&w.header, job);
    ms_describe_screen(&w.header, list->screen, &job->options->list.screen);
    w.header.status = ms_status_of(list->stopped, ms_job_at_limit(job, list->matches));
    w.header.count = list->count_text;
    status = ms_writer_count(&w, err);
  } else if (status == MS_OK) {
    ms_outfile_printf(w.out, "%s\n", list->count_text);
  }
  return ms_writer_close(&w, status, err);
}

typedef struct motif_output {
  ms_output output; /* must be first: the library passes it to ms_output_rows */
  const ms_job *job;
} motif_output;

/* Fills the header with what is known before the first row. */
static bool begin_motif_output(void *user, const ms_list_result *known)
{
  motif_output *o = user;
  const ms_job *job = o->job;
  ms_result_header *h = &o->output.writer.header;
  h->kind = MS_KIND_LIST;
  h->has |= known->streamed ? MS_HAS_SEARCH_ORDER : 0;
  h->order = known->streamed;
  ms_report_describe(h, job);
  ms_report_attach(&o->output.writer, job);
  ms_describe_screen(h, known->screen, &job->options->list.screen);
  h->status = ms_status_of(known->stopped, ms_job_at_limit(job, known->matches));
  h->found = known->matches;
  return ms_output_begin(&o->output);
}

/* Lists the matches, and writes the rows as they come. */
static ms_status write_motif_rows(ms_job *job, ms_list_options *options, ms_list_result **list,
                                  ms_error *err)
{
  motif_output o = {.job = job, .output.names = job->graph->names};
  options->begin = begin_motif_output;
  options->rows = ms_output_rows;
  options->rows_user = &o;
  ms_status status = ms_report_open(&o.output.writer, job->options, err);
  if (status == MS_OK) {
    status = ms_list(job->query, options, list, err);
    ms_progress_end(&job->progress);
  }
  if (status == MS_OK)
    status = ms_output_end(&o.output, (*list)->matches, (*list)->stopped,
                           ms_job_at_limit(job, (*list)->matches), err);
  return ms_writer_close(&o.output.writer, status, err);
}

/* Counts the matches, or draws them once all are known. */
static ms_status write_motifs(ms_job *job, const ms_list_options *options, ms_list_result **list,
                              ms_error *err)
{
  ms_status status = ms_list(job->query, options, list, err);
  ms_progress_end(&job->progress);
  if (status != MS_OK)
    return status;
  const ms_list_result *l = *list;
  return options->count_only
             ? write_motif_count(job, l, err)
             : ms_report_save(job, l->screen, l, ms_job_at_limit(job, l->matches), err);
}

static void print_motif_summary(const ms_job *job, const ms_list_result *list)
{
  const ms_screen_result *screen = list->screen;
  if (screen)
    ms_job_print_screen(job, screen);
  ms_cli_note("%" PRIu32 " candidate regions with %" PRIu32 " vertices; %s matches, each verified",
              list->regions, list->region_vertices, list->count_text);
  ms_cli_note("seconds: read %.3f, prune %.3f, sieve %.3f, list %.3f, sort and verify %.3f",
              job->time_read, screen ? screen->time_prune : 0.0, screen ? screen->time_sieve : 0.0,
              list->time_list, list->time_verify);
}

static ms_status write_motif_statistics(const ms_job *job, const ms_list_result *list,
                                        ms_error *err)
{
  const ms_screen_result *screen = list->screen;
  ms_result_status status = ms_status_of(list->stopped, ms_job_at_limit(job, list->matches));
  ms_statistics s = {.prune = screen ? screen->time_prune : 0,
                     .sieve = screen ? screen->time_sieve : 0,
                     .search = list->time_list,
                     .check = list->time_verify,
                     .backend_reason = screen ? screen->backend_reason : NULL,
                     .status = ms_result_word(MS_WORDS_STATUS, status),
                     .found = list->count_text};
  return ms_report_statistics(job, s, err);
}

int ms_run_list(const ms_cli_options *o)
{
  ms_job job;
  ms_error err;
  ms_list_result *list = NULL;
  ms_status status = ms_job_open(o, &job, &err);
  if (status == MS_OK) {
    ms_list_options options = o->list;
    ms_job_attach(&job, &options.screen);
    /* a stated match is compared with the stored one */
    bool stores = options.count_only || o->cx2 || o->dot ||
                  ms_graph_motif_target(job.graph).kind == MS_TARGET_UNIQUE;
    status = stores ? write_motifs(&job, &options, &list, &err)
                    : write_motif_rows(&job, &options, &list, &err);
  }
  if (status == MS_OK)
    ms_job_warn_of_devices(&job, list->screen);
  if (status == MS_OK)
    ms_job_compare_list(&job, list);
  if (status == MS_OK)
    status = write_motif_statistics(&job, list, &err);
  if (status == MS_OK && o->verbose)
    print_motif_summary(&job, list);
  int code = status == MS_OK
                 ? ms_job_outcome(&job, list->stopped, list->matches, list->count_text, "")
                 : ms_cli_error(&err);
  ms_list_result_free(list);
  ms_job_close(&job);
  return code;
}
