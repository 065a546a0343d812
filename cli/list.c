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

static ms_status write_motifs(const ms_job *job, const ms_list_result *list, ms_error *err)
{
  const ms_cli_options *o = job->options;
  return o->list.count_only
             ? write_motif_count(job, list, err)
             : ms_report_save(job, list->screen, list, ms_job_at_limit(job, list->matches), err);
}

static void print_motif_summary(const ms_job *job, const ms_list_result *list, double written)
{
  const ms_screen_result *screen = list->screen;
  if (screen)
    ms_job_print_screen(job, screen);
  ms_cli_note("%" PRIu32 " candidate regions with %" PRIu32 " vertices; %s matches, each verified",
              list->regions, list->region_vertices, list->count_text);
  ms_cli_note("seconds: read %.3f, prune %.3f, sieve %.3f, list %.3f, verify %.3f, write %.3f",
              job->time_read, screen ? screen->time_prune : 0.0, screen ? screen->time_sieve : 0.0,
              list->time_list, list->time_verify, written);
}

int ms_run_list(const ms_cli_options *o)
{
  ms_job job;
  ms_error err;
  ms_list_result *list = NULL;
  double written = 0;
  ms_status status = ms_job_open(o, &job, &err);
  if (status == MS_OK) {
    ms_list_options options = o->list;
    ms_job_attach(&job, &options.screen);
    status = ms_list(job.query, &options, &list, &err);
    ms_progress_end(&job.progress);
  }
  if (status == MS_OK)
    ms_job_warn_of_devices(&job, list->screen);
  if (status == MS_OK) {
    double begin = ms_seconds();
    status = write_motifs(&job, list, &err);
    written = ms_seconds() - begin;
  }
  if (status == MS_OK)
    ms_job_compare_list(&job, list);
  if (status == MS_OK && o->verbose)
    print_motif_summary(&job, list, written);
  int code = status == MS_OK
                 ? ms_job_outcome(&job, list->stopped, list->matches, list->count_text, "")
                 : ms_cli_error(&err);
  ms_list_result_free(list);
  ms_job_close(&job);
  return code;
}
