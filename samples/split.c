/* Divides the vertices of one graph among samples, as a table says.  A sample is the graph with
 * colours on its own vertices alone: a vertex without a colour takes no part in a census, so that
 * no set reaches from one sample into another. */
#include "base/alloc.h"
#include "base/options.h"
#include "base/status.h"
#include "graph/colors.h"
#include "graph/graph.h"
#include "samples/samples.h"

#include <string.h>

typedef struct division {
  ms_sample_table table;
  ms_samples *samples;
  const ms_graph *graph;
  const ms_coloring *coloring;
  uint32_t *of;   /* [n] sample of each vertex; MS_NO_ID: none */
  uint64_t *line; /* [n] of the table; 0: the vertex has none */
  char *name;     /* [room] SAMPLE:NAME */
  size_t room;
} division;

/* Finds the vertex of a name, or of SAMPLE:NAME, which is how names are written that occur on
 * several slides. */
static ms_status find_vertex(division *d, uint32_t *v, ms_error *err)
{
  ms_field name = ms_sample_table_cell(&d->table, MS_PART_OF_VERTEX);
  ms_field sample = ms_sample_table_cell(
      &d->table,
      d->table.column[MS_PART_OF_SAMPLE] == MS_NO_COLUMN ? MS_PART_OF_GROUP : MS_PART_OF_SAMPLE);
  *v = ms_names_find(d->graph->names, name.text, name.length);
  if (*v != MS_NO_ID || sample.length == 0)
    return MS_OK;
  size_t length = sample.length + 1 + name.length;
  if (!MS_GROW(d->name, d->room, 0, length))
    return ms_fail_memory(err, "a name");
  memcpy(d->name, sample.text, sample.length);
  d->name[sample.length] = ':';
  memcpy(d->name + sample.length + 1, name.text, name.length);
  *v = ms_names_find(d->graph->names, d->name, length);
  return MS_OK;
}

static ms_status take_line(division *d, ms_error *err)
{
  const ms_sample_table *t = &d->table;
  bool has_sample = t->column[MS_PART_OF_SAMPLE] != MS_NO_COLUMN, is_new;
  uint32_t v, sample = MS_NO_ID;
  MS_TRY(find_vertex(d, &v, err));
  if (v == MS_NO_ID) {
    d->samples->info.unknown_vertices++;
    return MS_OK;
  }
  bool member = ms_sample_table_cell(t, MS_PART_OF_GROUP).length > 0 &&
                !(has_sample && ms_sample_table_cell(t, MS_PART_OF_SAMPLE).length == 0);
  if (member)
    MS_TRY(ms_samples_add(d->samples, t, &sample, &is_new, err));
  if (d->line[v] > 0 && d->of[v] != sample)
    return ms_text_fail(t->text, err,
                        "vertex '%s' is in another sample in line %llu; remove one of the lines",
                        ms_graph_name(d->graph, v), (unsigned long long)d->line[v]);
  d->of[v] = sample;
  d->line[v] = t->text->number;
  return MS_OK;
}

static ms_status read_table(division *d, const char *path, const ms_sample_options *o,
                            ms_error *err)
{
  bool more;
  uint32_t n = d->graph->n;
  MS_TRY(ms_sample_table_open(&d->table, path, o, false, err));
  MS_TRY(ms_samples_new(path, d->table.column[MS_PART_OF_BLOCK] != MS_NO_COLUMN, &d->samples, err));
  d->of = ms_alloc(n, sizeof *d->of);
  d->line = ms_calloc(n, sizeof *d->line);
  if (!d->of || !d->line)
    return ms_fail_memory(err, "the samples of vertices");
  for (uint32_t v = 0; v < n; v++)
    d->of[v] = MS_NO_ID;
  MS_TRY(ms_sample_table_next(&d->table, &more, err));
  while (more) {
    MS_TRY(take_line(d, err));
    MS_TRY(ms_sample_table_next(&d->table, &more, err));
  }
  d->samples->info.crc32c = d->table.text->crc32c;
  if (d->samples->info.samples == 0)
    return ms_text_fail(d->table.text, err,
                        "no line names a vertex of the graph and its group; %llu lines name other "
                        "vertices, and `vertex_column` chooses the column of their names; if these "
                        "are SLIDE:NAME in the graph, `sample_column` chooses that of the slides",
                        (unsigned long long)d->samples->info.unknown_vertices);
  return MS_OK;
}

ms_status ms_samples_divide(ms_samples *samples, const ms_graph *graph, const ms_coloring *c,
                            const uint32_t *of, ms_error *err)
{
  uint32_t n = graph->n, colors = ms_names_count(c->names);
  uint32_t(*pair)[2] = ms_alloc(c->offset[n], sizeof *pair);
  const char **name = ms_alloc(colors, sizeof *name);
  ms_status status = pair && name ? MS_OK : ms_fail_memory(err, "the colours of samples");
  for (uint32_t i = 0; name && i < colors; i++)
    name[i] = ms_coloring_name(c, i);
  samples->info.split = true;
  samples->whole = c;
  samples->info.vertices = n;
  samples->info.edges = ms_graph_edge_count(graph);
  for (uint32_t v = 0; v < n; v++)
    samples->info.left_out += of[v] == MS_NO_ID;
  for (uint32_t s = 0; s < samples->info.samples && status == MS_OK; s++) {
    ms_sample_entry *e = &samples->entry[s];
    uint64_t pairs = 0;
    for (uint32_t v = 0; v < n; v++)
      for (uint64_t i = c->offset[v]; of[v] == s && i < c->offset[v + 1]; i++) {
        pair[pairs][0] = v;
        pair[pairs++][1] = c->color[i];
      }
    e->graph = graph;
    status = ms_coloring_from_pairs(graph, pairs, (const uint32_t(*)[2])pair, colors, name,
                                    &e->owned_coloring, err);
    e->coloring = e->owned_coloring;
  }
  ms_free(pair);
  ms_free(name);
  return status;
}

ms_status ms_samples_split(const ms_graph *graph, const ms_coloring *coloring, const char *path,
                           const ms_sample_options *options, ms_samples **out, ms_error *err)
{
  division d = {.graph = graph, .coloring = coloring};
  ms_sample_options o;
  MS_REQUIRE(out, err);
  *out = NULL;
  MS_REQUIRE(graph, err);
  MS_REQUIRE(coloring, err);
  MS_REQUIRE(path, err);
  MS_TRY(ms_options_take(&ms_sample_options_kind, options, &o, err));
  MS_TRY(ms_coloring_check(coloring, graph, err));
  if (!o.group_column)
    return ms_fail(err, MS_ERR_USAGE, "choose the column of groups by `group_column`");
  ms_status status = read_table(&d, path, &o, err);
  if (status == MS_OK)
    status = ms_samples_divide(d.samples, graph, coloring, d.of, err);
  if (d.table.text)
    ms_text_close(d.table.text);
  ms_free(d.of);
  ms_free(d.line);
  ms_free(d.name);
  if (status == MS_OK)
    *out = d.samples;
  else
    ms_samples_free(d.samples);
  return status;
}
