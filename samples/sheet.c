/* Reads a sample sheet with the graphs and colours that it names. */
#include "samples/samples.h"

#include "base/alloc.h"
#include "base/file/named.h"
#include "base/options.h"
#include "base/status.h"

#include <string.h>

typedef struct sheet {
  ms_sample_table table;
  ms_samples *samples;
  ms_graph_options graph; /* with the formats of the first sample, once it has been read */
  ms_color_options colors;
  const char *aliases;
  ms_naming naming;
} sheet;

/* Passes on the failure of a reader, with the line of the sheet. */
static ms_status pass(const sheet *s, uint32_t sample, ms_status status, const ms_error *reason,
                      ms_error *err)
{
  return ms_fail(err, status, "%s:%llu: sample '%s': %s", s->table.text->label,
                 (unsigned long long)s->table.text->number, ms_names_get(s->samples->names, sample),
                 reason->message);
}

static ms_status read_graph(sheet *s, uint32_t sample, ms_error *err)
{
  ms_sample_entry *e = &s->samples->entry[sample];
  ms_field cell = ms_sample_table_cell(&s->table, MS_PART_OF_GRAPH);
  ms_error reason;
  if (cell.length == 0)
    return ms_text_fail(s->table.text, err, "the sample has no graph; write its path");
  char *path;
  ms_status status = ms_named_path(&s->naming, cell.text, cell.length, &path, &reason);
  if (status != MS_OK)
    return pass(s, sample, status, &reason, err);
  status = ms_graph_read(path, &s->graph, &e->owned, &reason);
  if (status != MS_OK)
    ms_named_hide(path, &reason);
  ms_free(path);
  if (status == MS_OK && s->aliases)
    status = ms_graph_read_aliases(e->owned, s->aliases, &(ms_alias_info){0}, &reason);
  if (status != MS_OK)
    return pass(s, sample, status, &reason, err);
  ms_graph_info info = ms_graph_describe(e->owned);
  s->graph.format = info.format;
  s->samples->info.vertices += info.vertices;
  s->samples->info.edges += info.edges;
  e->graph = e->owned;
  return MS_OK;
}

static ms_status read_colors(sheet *s, uint32_t sample, ms_error *err)
{
  ms_sample_entry *e = &s->samples->entry[sample];
  ms_field cell = ms_sample_table_cell(&s->table, MS_PART_OF_COLORS);
  ms_error reason;
  ms_status status;
  if (s->table.column[MS_PART_OF_COLORS] == MS_NO_COLUMN) {
    status = ms_coloring_from_graph(e->graph, &e->owned_coloring, &reason);
    e->coloring = e->owned_coloring;
    return status == MS_OK ? MS_OK : pass(s, sample, status, &reason, err);
  }
  if (cell.length == 0)
    return ms_text_fail(s->table.text, err, "the sample has no file of colours; write its path");
  char *path;
  status = ms_named_path(&s->naming, cell.text, cell.length, &path, &reason);
  if (status != MS_OK)
    return pass(s, sample, status, &reason, err);
  status = ms_coloring_read(path, e->graph, &s->colors, &e->owned_coloring, &reason);
  e->coloring = e->owned_coloring;
  if (status != MS_OK)
    ms_named_hide(path, &reason);
  ms_free(path);
  if (status != MS_OK)
    return pass(s, sample, status, &reason, err);
  s->colors.format = ms_coloring_describe(e->coloring).format;
  return MS_OK;
}

static ms_status read_line(sheet *s, ms_error *err)
{
  uint32_t sample;
  bool is_new;
  MS_TRY(ms_samples_add(s->samples, &s->table, &sample, &is_new, err));
  if (!is_new)
    return ms_text_fail(s->table.text, err,
                        "sample '%s' already has line %llu; give each sample a name of its own",
                        ms_names_get(s->samples->names, sample),
                        (unsigned long long)s->samples->entry[sample].line);
  MS_TRY(read_graph(s, sample, err));
  return read_colors(s, sample, err);
}

static ms_status read_all(sheet *s, const char *path, const ms_sample_options *o, ms_error *err)
{
  bool more;
  MS_TRY(ms_sample_table_open(&s->table, path, o, true, err));
  MS_TRY(ms_samples_new(path, s->table.column[MS_PART_OF_BLOCK] != MS_NO_COLUMN, &s->samples, err));
  MS_TRY(ms_sample_table_next(&s->table, &more, err));
  while (more) {
    MS_TRY(read_line(s, err));
    MS_TRY(ms_sample_table_next(&s->table, &more, err));
  }
  if (s->samples->info.samples == 0)
    return ms_text_fail(s->table.text, err, "the sheet has no samples; write a line for each");
  s->samples->info.crc32c = s->table.text->crc32c;
  return MS_OK;
}

ms_status ms_samples_read(const char *path, const ms_graph_options *graph,
                          const ms_color_options *colors, const ms_sample_options *options,
                          ms_samples **out, ms_error *err)
{
  sheet s = {.samples = NULL};
  ms_sample_options o;
  MS_REQUIRE(out, err);
  *out = NULL;
  MS_REQUIRE(path, err);
  MS_TRY(ms_options_take(&ms_graph_options_kind, graph, &s.graph, err));
  MS_TRY(ms_options_take(&ms_color_options_kind, colors, &s.colors, err));
  MS_TRY(ms_options_take(&ms_sample_options_kind, options, &o, err));
  if (o.aliases && strcmp(o.aliases, "-") == 0)
    return ms_fail(
        err, MS_ERR_USAGE,
        "`aliases` is read for each graph of a sheet, and standard input can be read only "
        "once; give a file");
  s.aliases = o.aliases;
  s.naming = (ms_naming){.file = path, .below = o.below, .beside = true};
  ms_status status = read_all(&s, path, &o, err);
  if (s.table.text)
    ms_text_close(s.table.text);
  if (status == MS_OK)
    *out = s.samples;
  else
    ms_samples_free(s.samples);
  return status;
}
