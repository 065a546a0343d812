/* Lines that start with '#', a header line, tab-separated rows. */
#include "query/query.h"
#include "result/writer.h"

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

static void put_names(ms_outfile *out, const ms_graph *graph, uint32_t count, const uint32_t *set)
{
  for (uint32_t i = 0; i < count; i++) {
    if (i)
      ms_outfile_puts(out, ",");
    put_listed(out, ms_graph_name(graph, set[i]));
  }
}

/* A way of reading that has a line of its own, where it was used.  The value
 * has no control characters and stands there as it is. */
static void put_setting(ms_outfile *out, const char *label, const char *value)
{
  if (value)
    ms_outfile_printf(out, "# %s: %s\n", label, value);
}

void ms_put_file_line(ms_outfile *out, const char *label, const char *path, uint32_t crc32c)
{
  if (!path)
    return;
  ms_outfile_printf(out, "# %s: ", label);
  ms_put_path(out, path);
  ms_outfile_printf(out, " crc32c=%08" PRIx32 "\n", crc32c);
}

void ms_put_graph_lines(ms_outfile *out, const ms_job *job)
{
  const ms_graph_options *o = &job->options->graph;
  ms_graph_info g = ms_graph_describe(job->graph);
  ms_outfile_puts(out, "# graph: ");
  ms_put_path(out, g.path);
  ms_outfile_printf(out,
                    " crc32c=%08" PRIx32 " vertices=%" PRIu32 " edges=%" PRIu64
                    " format=%s min_score=%.15g keep_taxon=%d header=%d\n",
                    g.crc32c, g.vertices, g.edges, ms_graph_format_describe(g.format).name,
                    o->min_score, o->keep_taxon, o->header);
  put_setting(out, "taxon", o->taxon);
  put_setting(out, "system", o->system);
  put_setting(out, "names", o->names);
  ms_put_file_line(out, "alias", g.alias_path, g.alias_crc32c);
  /* a motif's matches are the same either way */
  put_setting(out, "directed", g.directed && !job->motif ? "1" : NULL);
}

void ms_put_color_lines(ms_outfile *out, const ms_job *job)
{
  const ms_color_options *o = &job->options->coloring;
  ms_coloring_info c = ms_coloring_describe(job->coloring);
  ms_outfile_puts(out, "# colors: ");
  ms_put_path(out, c.path);
  ms_outfile_printf(out,
                    " crc32c=%08" PRIx32 " colors=%" PRIu32 " assignments=%" PRIu64
                    " format=%s aspects=%s header=%d\n",
                    c.crc32c, c.colors, c.assignments, ms_color_format_name(c.format),
                    o->aspects ? o->aspects : "PFC", o->header);
  put_setting(out, "name_column", o->name_column);
  put_setting(out, "color_column", o->color_column);
  ms_put_file_line(out, "obo", o->obo, c.obo_crc32c);
  put_setting(out, "slim", c.slim_is_file ? NULL : o->slim);
  ms_put_file_line(out, "slim_file", c.slim_is_file ? o->slim : NULL, c.slim_crc32c);
}

static void put_motif(ms_outfile *out, const ms_job *job)
{
  ms_outfile_printf(out, "# motif: %s\n# k: %" PRIu32 "\n", ms_motif_text(job->motif),
                    ms_motif_size(job->motif));
  if (job->query->n_required == 0)
    return;
  ms_outfile_puts(out, "# required: ");
  put_names(out, job->graph, job->query->n_required, job->query->required);
  ms_outfile_puts(out, "\n");
}

void ms_put_sieve_lines(ms_outfile *out, const ms_job *job, const ms_screen_result *screen)
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
  ms_put_graph_lines(out, job);
  ms_put_color_lines(out, job);
  put_motif(out, job);
  ms_put_sieve_lines(out, job, report->screen);
  ms_outfile_printf(out, "# status: %s\n", ms_report_status(report));
  if (report->list)
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
