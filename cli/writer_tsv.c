/* Lines that start with '#', a header line, tab-separated rows. */
#include "cli/writer.h"

#include <inttypes.h>
#include <string.h>

/* A name inside a comma-separated list: in double quotes where it holds what
 * would break the list, with "" for a quote. */
static void put_listed(ms_outfile *out, const char *name)
{
  size_t length = strlen(name);
  bool blank = length == 0 || name[0] == ' ' || name[length - 1] == ' ';
  if (!blank && !strpbrk(name, ",\"")) {
    ms_outfile_write(out, name, length);
    return;
  }
  ms_outfile_puts(out, "\"");
  for (const char *p = name; *p; p++)
    ms_outfile_write(out, *p == '"' ? "\"\"" : p, *p == '"' ? 2 : 1);
  ms_outfile_puts(out, "\"");
}

/* A path is shown for the reader only; a line break in it must not end the line. */
static void put_path(ms_outfile *out, const char *path)
{
  for (const char *p = path; *p; p++)
    ms_outfile_write(out, *p == '\n' || *p == '\r' ? "?" : p, 1);
}

static void put_names(ms_outfile *out, const ms_graph *graph, uint32_t count, const uint32_t *set)
{
  for (uint32_t i = 0; i < count; i++) {
    if (i)
      ms_outfile_puts(out, ",");
    put_listed(out, ms_graph_name(graph, set[i]));
  }
}

static void put_inputs(ms_outfile *out, const ms_job *job)
{
  const ms_cli_options *o = job->options;
  ms_graph_info g = ms_graph_describe(job->graph);
  ms_coloring_info c = ms_coloring_describe(job->coloring);
  ms_outfile_puts(out, "# graph: ");
  put_path(out, g.path);
  ms_outfile_printf(out,
                    " crc32c=%08" PRIx32 " vertices=%" PRIu32 " edges=%" PRIu64
                    " format=%s min_score=%.15g keep_taxon=%d header=%d\n# colors: ",
                    g.crc32c, g.vertices, g.edges, ms_graph_format_describe(g.format).name,
                    o->graph.min_score, o->graph.keep_taxon, o->graph.header);
  put_path(out, c.path);
  ms_outfile_printf(out,
                    " crc32c=%08" PRIx32 " colors=%" PRIu32 " assignments=%" PRIu64
                    " format=%s aspects=%s header=%d\n",
                    c.crc32c, c.colors, c.assignments, ms_color_format_name(c.format),
                    o->coloring.aspects ? o->coloring.aspects : "PFC", o->coloring.header);
  ms_outfile_printf(out, "# motif: %s\n# k: %" PRIu32 "\n", ms_motif_text(job->motif),
                    ms_motif_size(job->motif));
  for (uint32_t i = 0; i < o->n_required; i++) {
    ms_outfile_puts(out, i ? "," : "# required: ");
    put_listed(out, o->required[i]);
  }
  if (o->n_required)
    ms_outfile_puts(out, "\n");
}

static void put_sieve(ms_outfile *out, const ms_job *job, const ms_screen_result *screen)
{
  char bound[32];
  if (!screen) {
    ms_outfile_puts(out, "# mode: exact\n");
    return;
  }
  ms_outfile_printf(out,
                    "# mode: screened\n# recurrence: %s\n# seed: %" PRIu64
                    "\n# repetitions: %" PRIu32 " of %" PRIu32 "\n",
                    ms_recurrence_text(job->options->list.screen.recurrence),
                    job->options->list.screen.seed, screen->repetitions,
                    screen->repetitions_planned);
  ms_format_bound(bound, sizeof bound, screen->miss_bound);
  ms_outfile_printf(out, "# miss_bound: %s%s%s\n", bound, screen->miss_bound_text ? " = " : "",
                    screen->miss_bound_text ? screen->miss_bound_text : "");
  ms_format_bound(bound, sizeof bound, screen->miss_bound_union);
  ms_outfile_printf(out, "# miss_bound_union: %s\n", bound);
}

static ms_status begin(ms_outfile *out, const ms_report *report, ms_error *err)
{
  const ms_job *job = report->job;
  (void)err;
  ms_outfile_printf(out, "# motifsieve %s %s\n", ms_version(), ms_report_command(report));
  put_inputs(out, job);
  put_sieve(out, job, report->screen);
  ms_outfile_printf(out, "# status: %s\n", ms_report_status(report));
  if (job->options->command == MS_COMMAND_LIST)
    ms_outfile_printf(out, "# matches: %" PRIu64 "\nmatch\tvertices\n", report->found);
  else
    ms_outfile_printf(out, "%s# flagged: %" PRIu64 "\nvertex\tcolors\tflagged\trepetitions\n",
                      job->options->all ? "# rows: all\n" : "", report->found);
  return MS_OK;
}

static ms_status vertex(ms_outfile *out, const ms_report *report, uint32_t v, ms_error *err)
{
  const ms_coloring *coloring = report->job->coloring;
  uint32_t count;
  const uint32_t *colors = ms_coloring_of(coloring, v, &count);
  (void)err;
  ms_outfile_puts(out, ms_graph_name(report->job->graph, v));
  ms_outfile_puts(out, "\t");
  for (uint32_t i = 0; i < count; i++) {
    if (i)
      ms_outfile_puts(out, ",");
    put_listed(out, ms_coloring_name(coloring, colors[i]));
  }
  uint32_t hits = report->screen->hits[v];
  ms_outfile_printf(out, "\t%d\t%" PRIu32 "\n", hits > 0, hits);
  return MS_OK;
}

static ms_status match(ms_outfile *out, const ms_report *report, uint64_t number,
                       const uint32_t *set, ms_error *err)
{
  (void)err;
  ms_outfile_printf(out, "%" PRIu64 "\t", number);
  put_names(out, report->job->graph, ms_motif_size(report->job->motif), set);
  ms_outfile_puts(out, "\n");
  return MS_OK;
}

static ms_status end(ms_outfile *out, uint64_t rows, ms_error *err)
{
  (void)err;
  uint32_t crc = ms_outfile_crc32c(out);
  ms_outfile_printf(out, "# end: rows=%" PRIu64 " crc32c=%08" PRIx32 "\n", rows, crc);
  return MS_OK;
}

const ms_writer ms_writer_tsv = {begin, vertex, match, end};
