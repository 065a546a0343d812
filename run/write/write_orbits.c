/* Writes the orbits of each vertex. */
#include "base/alloc.h"
#include "base/file/outfile.h"
#include "base/options.h"
#include "base/status.h"
#include "base/threads/stop.h"
#include "graph/graph.h"
#include "run/write/write.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* What the rows of an orbit share. */
typedef struct orbit {
  char *shape;
  char name[16], position[2];
} orbit;

static ms_status describe(const ms_orbits_result *r, orbit *all, ms_error *err)
{
  for (uint32_t i = 0; i < r->orbits; i++) {
    ms_orbit_info info;
    MS_TRY(ms_orbit_describe(r->k, r->directed, i, &info, err));
    MS_TRY(ms_shape_pattern(info.k, r->directed, info.shape, NULL, &all[i].shape, err));
    snprintf(all[i].name, sizeof all[i].name, "%s", info.name[0] ? info.name : MS_NO_VALUE);
    all[i].position[0] = (char)('a' + info.position);
  }
  return MS_OK;
}

static ms_status put_rows(ms_writing *w, const ms_graph *graph, const ms_orbits_result *r,
                          const orbit *all, ms_error *err)
{
  for (uint32_t v = 0; v < r->vertices && r->count; v++)
    for (uint32_t i = 0; i < r->orbits; i++) {
      const ms_census_row row = {.vertex = ms_graph_name(graph, v),
                                 .orbit = i,
                                 .motif = all[i].shape,
                                 .name = all[i].name,
                                 .position = all[i].position,
                                 .sets = r->count[(size_t)v * r->orbits + i]};
      if (row.sets > 0)
        MS_TRY(ms_writer_row(&w->writer, &row, err));
    }
  return MS_OK;
}

static ms_status write_long(ms_writing *w, const ms_graph *graph, const ms_orbits_result *r,
                            ms_error *err)
{
  ms_result_header *h = &w->writer.header;
  orbit *all = ms_calloc(r->orbits, sizeof *all);
  ms_status status = all ? describe(r, all, err) : ms_fail_memory(err, "the orbits of a graph");
  if (status == MS_OK)
    status = ms_writer_begin(&w->writer, w->names, err);
  if (status == MS_OK)
    status = put_rows(w, graph, r, all, err);
  h->status = ms_status_of(r->run.stopped, false);
  h->motifs_found = r->count ? r->vertices : 0;
  if (status == MS_OK)
    status = ms_writer_end(&w->writer, err);
  for (uint32_t i = 0; all && i < r->orbits; i++)
    ms_text_free(all[i].shape);
  ms_free(all);
  return status;
}

/* A line with the numbers of the orbits, then a line for each vertex. */
static ms_status write_wide(ms_outfile *out, const ms_graph *graph, const ms_orbits_result *r,
                            ms_error *err)
{
  ms_outfile_puts(out, "vertex");
  for (uint32_t i = 0; i < r->orbits; i++)
    ms_outfile_printf(out, "\t%" PRIu32, i);
  ms_outfile_puts(out, "\n");
  for (uint32_t v = 0; v < r->vertices && !ms_outfile_failed(out); v++) {
    if (v % 4096 == 0)
      MS_TRY(ms_stop_poll("orbits are written", err));
    ms_outfile_puts(out, ms_graph_name(graph, v));
    for (uint32_t i = 0; i < r->orbits; i++)
      ms_outfile_printf(out, "\t%" PRIu64, r->count[(size_t)v * r->orbits + i]);
    ms_outfile_puts(out, "\n");
  }
  return MS_OK;
}

static ms_status write_wide_file(const ms_graph *graph, const ms_orbits_result *r,
                                 const ms_write_options *options, const char *path, ms_error *err)
{
  ms_write_options o;
  ms_outfile *out;
  MS_TRY(ms_options_take(&ms_write_options_kind, options, &o, err));
  if (o.form != MS_FORM_TSV)
    return ms_fail(err, MS_ERR_USAGE, "a wide table is TSV; leave out `wide`, or write TSV");
  if (!r->count)
    return ms_fail(err, r->run.stopped,
                   "the orbits were stopped, and a wide table has no place to "
                   "say so; nothing is written");
  MS_TRY(ms_outfile_open(path, &out, err));
  ms_status status = write_wide(out, graph, r, err);
  if (status == MS_OK)
    return ms_outfile_commit(out, err);
  ms_outfile_abort(out);
  return status;
}

ms_status ms_orbits_write(const ms_graph *graph, const ms_orbits_result *result, bool wide,
                          const ms_write_options *options, const char *path, ms_error *err)
{
  ms_writing w;
  MS_REQUIRE(graph, err);
  MS_REQUIRE(result, err);
  MS_REQUIRE(path, err);
  MS_TRY(ms_writing_check_result("vertices", result->vertices, graph->n, err));
  if (wide)
    return write_wide_file(graph, result, options, path, err);
  MS_TRY(ms_writing_open(&w, MS_KIND_VERTEX_CENSUS, graph->n, options, path, err));
  ms_result_header *h = &w.writer.header;
  h->has |= MS_HAS_SHAPES;
  ms_describe_graph(h, graph, &w.graph);
  h->k = result->k;
  h->census.per_vertex = true;
  w.names = graph->names;
  return ms_writing_close(&w, write_long(&w, graph, result, err), err);
}
