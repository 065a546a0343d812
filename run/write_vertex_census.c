/* Writes a census of each vertex. */
#include "base/alloc.h"
#include "base/hash.h"
#include "base/options.h"
#include "base/status.h"
#include "base/stop.h"
#include "census/accelerator.h"
#include "census/census.h"
#include "graph/colors.h"
#include "graph/graph.h"
#include "parts/log.h"
#include "query/query.h"
#include "result/json.h"
#include "run/vertex_rows.h"
#include "run/write_census.h"

#include <inttypes.h>
#include <string.h>

/* The text of a motif that was written. */
typedef struct known_text {
  uint32_t color[MS_MAX_CENSUS]; /* [k], then zeros */
  char *text;                    /* NULL: the place is free */
} known_text;

#define KNOWN_TEXTS 16384u

typedef ms_census_file census_file;

/* Returns the text of a motif; NULL, and f->status: there is none. */
static const char *find_text(census_file *f, const uint32_t *color)
{
  known_text key = {.text = NULL};
  ms_motif *motif;
  memcpy(key.color, color, f->k * sizeof *color);
  uint64_t hash = ms_hash_bytes(ms_hash_key_get(), key.color, sizeof key.color);
  known_text *place = &f->known[hash % KNOWN_TEXTS];
  if (place->text && memcmp(place->color, key.color, sizeof key.color) == 0)
    return place->text;
  f->status = ms_motif_from_slots(color, f->k, f->coloring, &motif, f->err);
  if (f->status != MS_OK)
    return NULL;
  ms_free(place->text);
  *place = key;
  place->text = ms_strdup(ms_motif_text(motif));
  ms_motif_free(motif);
  if (!place->text)
    f->status = ms_fail_memory(f->err, "the text of a motif");
  return place->text;
}

/* Writes the rows of a vertex, which is whole or, in a part, perhaps not; an ms_census_part_fn. */
static bool put_part(void *user, const ms_census_part *part)
{
  census_file *f = user;
  const ms_census_vertex *v = part->vertex;
  double begin = ms_seconds();
  f->vertices += part->is_first;
  for (uint64_t i = 0; i < v->count && f->status == MS_OK; i++) {
    const uint32_t *color = v->color + i * f->k;
    ms_census_row row = {.vertex = ms_graph_name(f->graph, v->vertex),
                         .motif = find_text(f, color),
                         .sets = v->n_sets[i],
                         .unit = part->unit,
                         .n_ids = part->is_cut ? f->k : 0};
    memcpy(row.color_id, color, f->k * sizeof *color);
    if (row.motif)
      f->status = ms_writer_row(&f->writing.writer, &row, f->err);
  }
  f->writing.row_seconds += ms_seconds() - begin;
  return f->status == MS_OK && !ms_outfile_failed(f->writing.writer.out);
}

/* The same of a whole vertex; an ms_census_fn. */
static bool put_vertex(void *user, const ms_census_vertex *v)
{
  const ms_census_part whole = {.is_first = true, .vertex = v};
  return put_part(user, &whole);
}

static ms_status write_vertices(census_file *f, const ms_census_options *o,
                                ms_census_summary *summary, ms_error *err)
{
  ms_result_header *h = &f->writing.writer.header;
  const ms_division *division = o->division;
  h->census.per_vertex = true;
  if (division && division->parts > 0)
    MS_TRY(ms_census_vertices_units(f->graph, f->coloring, o, &h->division.units, err));
  MS_TRY(ms_writer_begin(&f->writing.writer, f->writing.names, err));
  if (division)
    MS_TRY(ms_census_vertices_divided(&ms_census_gpus, f->graph, f->coloring, o, put_part, f,
                                      summary, err));
  else
    MS_TRY(ms_census_vertices(f->graph, f->coloring, o, put_vertex, f, summary, err));
  if (f->status != MS_OK)
    return f->status;
  h->status = ms_status_of(summary->stopped, false);
  h->motifs_found = f->vertices;
  summary->time_write = f->writing.row_seconds;
  return ms_writer_end(&f->writing.writer, err);
}

ms_status ms_census_vertices_to_file(const ms_graph *graph, const ms_coloring *coloring,
                                     const ms_census_options *run, const ms_write_options *options,
                                     const char *path, ms_census_summary *summary, ms_error *err)
{
  ms_census_options o;
  ms_census_summary own = {0};
  ms_division division;
  census_file f = {.graph = graph, .coloring = coloring, .err = err};
  MS_REQUIRE(graph, err);
  MS_REQUIRE(coloring, err);
  MS_REQUIRE(path, err);
  MS_TRY(ms_options_take(&ms_census_options_kind, run, &o, err));
  MS_TRY(ms_coloring_check(coloring, graph, err));
  MS_TRY(ms_census_file_check(&o, coloring, err));
  MS_TRY(ms_census_complete(&o, err));
  MS_TRY(ms_division_take(&o.division, &division, err));
  if (o.division && division.crew)
    return ms_division_refuse(o.division, "a census of each vertex", err);
  MS_TRY(ms_writing_open(&f.writing, MS_KIND_VERTEX_CENSUS, graph->n, options, path, err));
  f.k = o.k;
  ms_census_file_describe(&f, &o);
  ms_census_file_describe_part(&f, o.division, 0);
  f.known = ms_calloc(KNOWN_TEXTS, sizeof *f.known);
  ms_status status =
      f.known ? write_vertices(&f, &o, &own, err) : ms_fail_memory(err, "the texts of motifs");
  for (uint32_t i = 0; f.known && i < KNOWN_TEXTS; i++)
    ms_free(f.known[i].text);
  ms_free(f.known);
  status = ms_writing_close(&f.writing, status, err);
  if (status == MS_OK && summary)
    *summary = own;
  return status;
}
