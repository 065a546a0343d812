#include "cli/report.h"

#include "base/status.h"
#include "base/stop.h"
#include "cli/cli.h"
#include "graph/graph.h"
#include "result/drawing.h"

#include <inttypes.h>
#include <string.h>

/* Graphviz needs more than a minute for more vertices, and nobody can read the drawing. */
#define MANY_TO_DRAW 5000u

static void warn_of_ending(const ms_cli_options *o)
{
  const struct {
    const char *ending, *option;
    bool given;
  } forms[] = {{".cx2", "--cx2", o->cx2},
               {".dot", "--dot", o->dot},
               {".gv", "--dot", o->dot},
               {".json", "--json", o->json},
               {".jsonl", "--json", o->json}};
  const char *form = o->json             ? "JSON lines"
                     : o->cx2            ? "CX2"
                     : o->dot            ? "DOT"
                     : o->pattern.binary ? "binary"
                                         : "TSV";
  size_t length = o->output ? strlen(o->output) : 0;
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
    size_t ending = strlen(forms[i].ending);
    if (!forms[i].given && length > ending &&
        strcmp(o->output + length - ending, forms[i].ending) == 0)
      ms_cli_warn("%s is written as %s; its name does not choose the form, but %s does", o->output,
                  form, forms[i].option);
  }
}

ms_status ms_report_open(ms_writer *writer, const ms_cli_options *o, ms_error *err)
{
  const ms_encoding *encoding = o->json             ? &ms_encoding_json
                                : o->pattern.binary ? &ms_encoding_binary
                                                    : &ms_encoding_tsv;
  ms_status status = ms_writer_open(writer, o->output, encoding, err);
  if (status == MS_OK && !o->quiet)
    warn_of_ending(o);
  return status;
}

void ms_report_describe(ms_result_header *h, const ms_job *job)
{
  const ms_cli_options *o = job->options;
  ms_describe_graph(h, job->graph, &o->graph);
  ms_describe_coloring(h, job->coloring, &o->coloring);
  if (job->query)
    ms_describe_query(h, job->query);
  if (job->pattern)
    ms_describe_pattern(h, job->pattern);
  h->pattern.embeddings = o->pattern.embeddings;
  h->pattern.induced = o->pattern.induced;
}

void ms_report_attach(ms_writer *w, const ms_job *job)
{
  const ms_cli_options *o = job->options;
  w->labels = job->labels;
  w->query = job->query;
  ms_describe_labels(&w->header, job->labels);
  w->header.long_rows = o->long_rows;
  w->header.roles = o->roles && !o->long_rows;
  w->header.shown_colors = w->header.kind == MS_KIND_SCREEN && !o->all_colors;
}

ms_status ms_report_statistics(const ms_job *job, ms_statistics s, ms_error *err)
{
  const ms_cli_options *o = job->options;
  if (!o->stats_file)
    return MS_OK;
  s.words = (const char *const *)o->argv;
  s.n_words = (uint32_t)o->argc;
  s.threads = o->list.screen.threads;
  s.read = job->time_read;
  s.total = ms_seconds() - job->begun;
  return ms_statistics_write(o->stats_file, &s, err);
}

/* ---- streams ------------------------------------------------------------- */

bool ms_output_begin(ms_output *s)
{
  s->begun = true;
  s->status = ms_writer_begin(&s->writer, s->names, &s->err);
  return s->status == MS_OK && !ms_outfile_failed(s->writer.out);
}

bool ms_output_rows(void *user, const uint32_t *rows, uint64_t count)
{
  ms_output *s = user;
  return ms_writer_matches(&s->writer, rows, NULL, count);
}

ms_status ms_output_end(ms_output *s, uint64_t found, ms_status stopped, bool at_limit,
                        ms_error *err)
{
  s->writer.header.status = ms_status_of(stopped, at_limit);
  if (s->status == MS_OK && found != s->writer.rows)
    s->status = ms_fail(&s->err, MS_ERR_INTERNAL,
                        "%" PRIu64 " matches were found, and %" PRIu64 " written; this is a bug in "
                        "motifsieve, please report it with the input files",
                        found, s->writer.rows);
  if (s->status == MS_OK)
    s->status = ms_writer_end(&s->writer, &s->err);
  if (s->status != MS_OK && err)
    *err = s->err;
  return s->status;
}

/* ---- whole results --------------------------------------------------------- */

ms_status ms_report_draw(ms_writer *w, const ms_job *job, const ms_screen_result *screen,
                         const uint32_t *rows, ms_error *err)
{
  const ms_cli_options *o = job->options;
  ms_drawing drawing = {.header = &w->header,
                        .graph = job->graph,
                        .typed = job->typed,
                        .coloring = job->coloring,
                        .labels = job->labels,
                        .query = job->query,
                        .screen = screen,
                        .rows = rows,
                        .count = w->header.found,
                        .match = o->match,
                        .whole_graph = o->whole_graph};
  ms_status status = ms_drawing_open(&drawing, err);
  if (status == MS_OK && o->dot && drawing.vertices > MANY_TO_DRAW && !o->quiet)
    ms_cli_warn("%" PRIu32 " vertices are too many for Graphviz to lay out; %s", drawing.vertices,
                !screen ? "draw one match with --match N, or give --cx2 to Cytoscape"
                        : "give --cx2 to Cytoscape");
  if (status == MS_OK)
    status = o->dot ? ms_draw_dot(w->out, &drawing, err) : ms_draw_cx2(w->out, &drawing, err);
  ms_drawing_close(&drawing);
  return status;
}

static ms_status write_table(ms_writer *w, const ms_job *job, const ms_screen_result *screen,
                             const ms_list_result *list, ms_error *err)
{
  MS_TRY(ms_writer_begin(w, job->graph->names, err));
  if (list)
    ms_writer_matches(w, list->vertices, NULL, list->matches);
  for (uint32_t v = 0; !list && v < screen->n; v++)
    if (screen->hits[v] || job->options->all)
      ms_writer_vertex(w, job->coloring, v, screen->hits[v]);
  return ms_writer_end(w, err);
}

ms_status ms_report_save(const ms_job *job, const ms_screen_result *screen,
                         const ms_list_result *list, bool at_limit, ms_error *err)
{
  const ms_cli_options *o = job->options;
  ms_writer w;
  ms_status status = ms_report_open(&w, o, err);
  if (status == MS_OK) {
    w.header.kind = list ? MS_KIND_LIST : MS_KIND_SCREEN;
    ms_report_describe(&w.header, job);
    ms_report_attach(&w, job);
    ms_describe_screen(&w.header, screen, &o->list.screen);
    w.header.status = ms_status_of(list ? list->stopped : screen->stopped, at_limit);
    w.header.all_rows = o->all;
    w.header.found = list ? list->matches : screen->flagged;
    status = o->cx2 || o->dot
                 ? ms_report_draw(&w, job, list ? NULL : screen, list ? list->vertices : NULL, err)
                 : write_table(&w, job, screen, list, err);
  }
  return ms_writer_close(&w, status, err);
}
