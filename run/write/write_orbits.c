/* Writes the orbits of each vertex.  What was counted is written whole, after a stop, too. */
#include "base/alloc.h"
#include "base/file/outfile.h"
#include "base/options.h"
#include "base/status.h"
#include "census/accelerator.h"
#include "graph/colors.h"
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

static ms_status describe_colored(const ms_orbits_result *r, const ms_colored_orbit *c,
                                  const ms_coloring *coloring, orbit *out, ms_error *err)
{
  const char *name[MS_MAX_ORBITS];
  ms_shape_info info;
  for (uint32_t i = 0; i < c->k; i++)
    name[i] = ms_coloring_name(coloring, c->color[i]);
  MS_TRY(ms_shape_describe(c->k, r->directed, c->shape, c->color, &info, err));
  MS_TRY(ms_shape_pattern(c->k, r->directed, c->shape, name, &out->shape, err));
  snprintf(out->name, sizeof out->name, "%s", info.name[0] ? info.name : MS_NO_VALUE);
  out->position[0] = (char)('a' + c->position);
  return MS_OK;
}

static ms_status describe(const ms_orbits_result *r, const ms_coloring *coloring, orbit *all,
                          ms_error *err)
{
  for (uint32_t i = 0; i < r->orbits && r->count; i++) {
    ms_orbit_info info;
    if (r->colored) {
      MS_TRY(describe_colored(r, &r->described[i], coloring, &all[i], err));
      continue;
    }
    MS_TRY(ms_orbit_describe(r->k, r->directed, i, &info, err));
    MS_TRY(ms_shape_pattern(info.k, r->directed, info.shape, NULL, &all[i].shape, err));
    snprintf(all[i].name, sizeof all[i].name, "%s", info.name[0] ? info.name : MS_NO_VALUE);
    all[i].position[0] = (char)('a' + info.position);
  }
  return MS_OK;
}

static void free_orbits(const ms_orbits_result *r, orbit *all)
{
  for (uint32_t i = 0; all && i < r->orbits; i++)
    ms_text_free(all[i].shape);
  ms_free(all);
}

/* The numbers of a vertex: those of first .. end - 1 in result->count. */
static void find_numbers(const ms_orbits_result *r, uint32_t v, uint64_t *first, uint64_t *end)
{
  *first = r->colored ? r->offset[v] : (uint64_t)v * r->orbits;
  *end = r->colored ? r->offset[v + 1] : *first + r->orbits;
}

static ms_status put_rows(ms_writing *w, const ms_graph *graph, const ms_orbits_result *r,
                          const orbit *all, ms_error *err)
{
  for (uint32_t v = 0; v < r->vertices && r->count; v++) {
    uint64_t first, end;
    find_numbers(r, v, &first, &end);
    for (uint64_t i = first; i < end; i++) {
      uint32_t number = r->colored ? r->orbit[i] : (uint32_t)(i - first);
      const ms_census_row row = {.vertex = ms_graph_name(graph, v),
                                 .orbit = number,
                                 .motif = all[number].shape,
                                 .name = all[number].name,
                                 .position = all[number].position,
                                 .sets = r->count[i]};
      if (row.sets > 0)
        MS_TRY(ms_writer_row(&w->writer, &row, err));
    }
  }
  return MS_OK;
}

static ms_status write_long(ms_writing *w, const ms_graph *graph, const ms_orbits_result *r,
                            const orbit *all, ms_error *err)
{
  ms_result_header *h = &w->writer.header;
  MS_TRY(ms_writer_begin(&w->writer, w->names, err));
  MS_TRY(put_rows(w, graph, r, all, err));
  h->status = ms_status_of(r->run.stopped, false);
  h->motifs_found = r->found;
  return ms_writer_end(&w->writer, err);
}

/* A line with the orbits, then a line for each vertex. */
static void write_wide(ms_outfile *out, const ms_graph *graph, const ms_orbits_result *r,
                       const orbit *all)
{
  ms_outfile_puts(out, "vertex");
  for (uint32_t i = 0; i < r->orbits; i++)
    if (r->colored)
      ms_outfile_printf(out, "\t%s in %s", all[i].position, all[i].shape);
    else
      ms_outfile_printf(out, "\t%" PRIu32, i);
  ms_outfile_puts(out, "\n");
  for (uint32_t v = 0; v < r->vertices && !ms_outfile_failed(out); v++) {
    uint64_t next, end;
    find_numbers(r, v, &next, &end);
    ms_outfile_puts(out, ms_graph_name(graph, v));
    for (uint32_t i = 0; i < r->orbits; i++) {
      bool has_row = next < end && (!r->colored || r->orbit[next] == i);
      ms_outfile_printf(out, "\t%" PRIu64, has_row ? r->count[next] : 0);
      next += has_row;
    }
    ms_outfile_puts(out, "\n");
  }
}

static ms_status write_wide_file(const ms_graph *graph, const ms_orbits_result *r, const orbit *all,
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
  write_wide(out, graph, r, all);
  return ms_outfile_commit(out, err);
}

/* Refuses a result with colours, or without, that has others than were given. */
static ms_status check_colors(const ms_orbits_result *r, const ms_coloring *coloring, ms_error *err)
{
  if (r->colored != (coloring != NULL))
    return ms_fail(err, MS_ERR_USAGE, "the orbits have %s; pass what they were counted with",
                   r->colored ? "colours, and there is no colouring"
                              : "no colours, and there is a colouring");
  for (uint32_t i = 0; i < r->orbits && r->described; i++)
    for (uint32_t j = 0; j < r->described[i].k; j++)
      if (r->described[i].color[j] >= ms_names_count(coloring->names))
        return ms_fail(err, MS_ERR_USAGE,
                       "the orbits have colour %u, and there are %u; give the colours that they "
                       "were counted with",
                       r->described[i].color[j], ms_names_count(coloring->names));
  return MS_OK;
}

static ms_status write_long_file(const ms_graph *graph, const ms_coloring *coloring,
                                 const ms_census_options *run, const ms_orbits_result *result,
                                 const orbit *all, const ms_write_options *options,
                                 const char *path, ms_error *err)
{
  ms_writing w;
  MS_TRY(ms_writing_open(&w, MS_KIND_VERTEX_CENSUS, graph->n, options, path, err));
  ms_census_options o = *run;
  o.shapes = true;
  o.k = result->k;
  o.non_induced = false;
  o.min_count = o.top = 0;
  ms_writing_census_head(&w, graph, coloring, &o);
  w.writer.header.census.per_vertex = true;
  return ms_writing_close(&w, write_long(&w, graph, result, all, err), err);
}

ms_status ms_orbits_write(const ms_graph *graph, const ms_coloring *coloring,
                          const ms_census_options *run, const ms_orbits_result *result, bool wide,
                          const ms_write_options *options, const char *path, ms_error *err)
{
  ms_census_options o;
  MS_REQUIRE(graph, err);
  MS_REQUIRE(result, err);
  MS_REQUIRE(path, err);
  MS_TRY(ms_options_take(&ms_census_options_kind, run, &o, err));
  MS_TRY(ms_writing_check_result("vertices", result->vertices, graph->n, err));
  MS_TRY(check_colors(result, coloring, err));
  if (coloring) {
    MS_TRY(ms_coloring_check(coloring, graph, err));
    MS_TRY(ms_writing_check_only(&o, coloring, err));
  } else {
    o.n_only = 0;
    o.primary = false;
  }
  orbit *all = ms_calloc(result->orbits, sizeof *all);
  ms_status status =
      all ? describe(result, coloring, all, err) : ms_fail_memory(err, "the orbits of a graph");
  if (status == MS_OK)
    status = wide ? write_wide_file(graph, result, all, options, path, err)
                  : write_long_file(graph, coloring, &o, result, all, options, path, err);
  free_orbits(result, all);
  return status;
}
