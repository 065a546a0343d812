#include "base/status.h"
#include "result/writer.h"

#include "cli/cli.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* More vertices than Graphviz lays out in a minute or draws to any use. */
#define MANY_TO_DRAW 5000u

/* ---- words --------------------------------------------------------------- */

const char *ms_report_command(const ms_report *report)
{
  return report->list ? "list" : "screen";
}

const char *ms_status_words(ms_status stopped, bool at_limit)
{
  switch (stopped) {
  case MS_OK:
    return "complete";
  case MS_ERR_LIMIT:
    return at_limit ? "incomplete: limit" : "incomplete: time";
  default:
    return "incomplete: interrupted";
  }
}

const char *ms_report_status(const ms_report *report)
{
  return ms_status_words(report->stopped, report->at_limit);
}

const char *ms_recurrence_text(ms_recurrence recurrence)
{
  return recurrence == MS_CLASSIC ? "classic" : "sibling";
}

void ms_format_bound(char *text, size_t room, double bound)
{
  /* one unit in the fourth digit is at most 1e-3 of the value */
  snprintf(text, room, "%.3e", bound);
  if (strtod(text, NULL) < bound)
    snprintf(text, room, "%.3e", bound * (1 + 0.5e-3));
  if (strtod(text, NULL) < bound)
    snprintf(text, room, "%.3e", bound * (1 + 1e-3));
}

void ms_put_path(ms_outfile *out, const char *path)
{
  for (const char *p = path; *p; p++)
    ms_outfile_write(out, *p == '\n' || *p == '\r' ? "?" : p, 1);
}

/* ---- writing ------------------------------------------------------------- */

static ms_status write_matches(ms_outfile *out, const ms_writer *writer, const ms_report *report,
                               ms_error *err)
{
  const ms_list_result *list = report->list;
  ms_status status = writer->begin(out, report, err);
  for (uint64_t i = 0; i < list->matches && status == MS_OK; i++)
    status = writer->match(out, report, i + 1, list->vertices + i * list->k, err);
  return status == MS_OK ? writer->end(out, list->matches, err) : status;
}

static ms_status write_vertices(ms_outfile *out, const ms_writer *writer, const ms_report *report,
                                ms_error *err)
{
  const ms_screen_result *screen = report->screen;
  uint64_t rows = 0;
  ms_status status = writer->begin(out, report, err);
  for (uint32_t v = 0; v < screen->n && status == MS_OK; v++) {
    if (!screen->hits[v] && !report->job->options->all)
      continue;
    status = writer->vertex(out, report, v, err);
    rows++;
  }
  return status == MS_OK ? writer->end(out, rows, err) : status;
}

static ms_status write_drawing(ms_outfile *out, const ms_report *report, ms_error *err)
{
  const ms_cli_options *o = report->job->options;
  ms_drawing drawing;
  ms_status status = ms_drawing_open(report, &drawing, err);
  if (status == MS_OK && o->dot && drawing.vertices > MANY_TO_DRAW && !o->quiet)
    ms_cli_warn("%" PRIu32 " vertices are too many for Graphviz to lay out; %s", drawing.vertices,
                report->list ? "draw one match with --match N, or give --cx2 to Cytoscape"
                             : "give --cx2 to Cytoscape");
  if (status == MS_OK)
    status = o->dot ? ms_draw_dot(out, &drawing, err) : ms_draw_cx2(out, &drawing, err);
  ms_drawing_close(&drawing);
  return status;
}

static ms_status write_report(ms_outfile *out, const ms_report *report, ms_error *err)
{
  const ms_cli_options *o = report->job->options;
  const ms_writer *writer = o->json ? &ms_writer_json : &ms_writer_tsv;
  if (o->cx2 || o->dot)
    return write_drawing(out, report, err);
  return report->list ? write_matches(out, writer, report, err)
                      : write_vertices(out, writer, report, err);
}

void ms_warn_of_ending(const ms_cli_options *o)
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
      ms_cli_warn("%s: written as %s; the name does not choose the form, %s does", o->output, form,
                  forms[i].option);
  }
}

ms_status ms_report_save(const ms_report *report, ms_error *err)
{
  const ms_cli_options *o = report->job->options;
  ms_outfile *out;
  MS_TRY(ms_outfile_open(o->output, &out, err));
  if (!o->quiet)
    ms_warn_of_ending(o);
  ms_status status = write_report(out, report, err);
  if (status == MS_OK)
    return ms_outfile_commit(out, err);
  ms_outfile_abort(out);
  return status;
}
