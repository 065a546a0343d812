/* Merges parts of a census of each vertex: the rows of all units, unit by unit.  The units of a
 * vertex that is cut follow each other, and have all motifs of its sets: their numbers are added
 * before options leave rows out.  Each part is read twice: once to its end, which has its checksum,
 * and once for its rows. */
#include "run/merge/merge.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/threads/stop.h"
#include "result/json.h"
#include "run/write/write.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A motif of the vertex that is cut. */
typedef struct cut_row {
  uint32_t color[MS_MAX_CENSUS]; /* [k], then zeros */
  uint64_t sets;
  char *text;
} cut_row;

typedef struct vertex_merge {
  uint64_t *unit; /* [parts] of the next row; UINT64_MAX: there is none */
  char *vertex;   /* that is cut, and whose rows follow; NULL: none */
  cut_row *row;   /* [count] of it, in the order in which they were read */
  uint64_t count, room;
} vertex_merge;

/* ---- reading ----------------------------------------------------------------------------- */

static ms_status fail_units(const ms_merging *m, uint32_t i, ms_error *err)
{
  return ms_fail(err, MS_ERR_INPUT, "%s:%" PRIu64 ": refused: the unit of the row is wrong",
                 m->path[i], m->part[i].result.row.line);
}

/* Reads the next row of a part, whose units ascend and are its own. */
static ms_status next_row(ms_merging *m, uint32_t i, vertex_merge *v, ms_error *err)
{
  const ms_result *r = &m->part[i].result;
  const ms_result_header *h = &r->header;
  uint64_t before = v->unit[i];
  bool more;
  MS_TRY(ms_merging_next_row(m, i, &more, err));
  uint64_t unit = v->unit[i] = more ? r->row.census.unit : UINT64_MAX;
  if (more && ((before != UINT64_MAX && unit < before) || unit >= h->division.units ||
               unit % h->division.parts != h->division.part - 1))
    return fail_units(m, i, err);
  return MS_OK;
}

/* Reads a part to its end. */
static ms_status look_at(ms_merging *m, uint32_t i, vertex_merge *v, ms_error *err)
{
  MS_TRY(ms_merging_open_rows(m, i, err));
  v->unit[i] = UINT64_MAX;
  for (uint64_t row = 0; row == 0 || v->unit[i] != UINT64_MAX; row++) {
    if (row % 4096 == 0)
      MS_TRY(ms_stop_poll("parts are merged", err));
    MS_TRY(next_row(m, i, v, err));
  }
  m->writer.header.motifs_found += m->part[i].result.header.motifs_found;
  ms_merging_close_rows(m, i);
  return MS_OK;
}

/* ---- writing ----------------------------------------------------------------------------- */

static int by_colors(const void *a, const void *b)
{
  const cut_row *x = a, *y = b;
  for (uint32_t i = 0; i < MS_MAX_CENSUS; i++)
    if (x->color[i] != y->color[i])
      return x->color[i] < y->color[i] ? -1 : 1;
  return 0;
}

/* Compares by falling numbers of sets, then by colours: the order of a census. */
static int by_order(const void *a, const void *b)
{
  const cut_row *x = a, *y = b;
  if (x->sets != y->sets)
    return x->sets < y->sets ? 1 : -1;
  return by_colors(a, b);
}

/* Writes the rows of the vertex that is cut, once all are read. */
static ms_status flush(ms_merging *m, vertex_merge *v, ms_error *err)
{
  const ms_result_header *h = &m->writer.header;
  ms_status status = MS_OK;
  uint64_t motifs = 0;
  if (v->count > 0)
    qsort(v->row, v->count, sizeof *v->row, by_colors);
  for (uint64_t i = 0; i < v->count; i++) {
    if (motifs > 0 && by_colors(&v->row[motifs - 1], &v->row[i]) == 0) {
      uint64_t *sum = &v->row[motifs - 1].sets;
      if (__builtin_add_overflow(*sum, v->row[i].sets, sum) || *sum > INT64_MAX)
        status = ms_fail(err, MS_ERR_USAGE,
                         "a number of sets is 2^63 or more, which a census does not count; lower "
                         "`k`");
      ms_free(v->row[i].text);
    } else {
      v->row[motifs++] = v->row[i];
    }
  }
  if (motifs > 0)
    qsort(v->row, motifs, sizeof *v->row, by_order);
  for (uint64_t i = 0; i < motifs; i++) {
    bool wanted = v->row[i].sets >= h->census.min_count && (h->top == 0 || i < h->top);
    if (status == MS_OK && wanted)
      status = ms_writer_row(
          &m->writer,
          &(ms_census_row){.vertex = v->vertex, .motif = v->row[i].text, .sets = v->row[i].sets},
          err);
    ms_free(v->row[i].text);
  }
  ms_free(v->vertex);
  v->vertex = NULL;
  v->count = 0;
  return status;
}

static ms_status keep_row(vertex_merge *v, const ms_census_row *row, uint32_t k, ms_error *err)
{
  if (v->count == v->room) {
    uint64_t room = 2 * v->room + 1024;
    cut_row *larger = ms_resize(v->row, v->room, room, sizeof *larger);
    if (!larger)
      return ms_fail_memory(err, "the motifs of a vertex");
    v->row = larger;
    v->room = room;
  }
  cut_row next = {.sets = row->sets, .text = ms_strdup(row->motif)};
  if (!v->vertex)
    v->vertex = ms_strdup(row->vertex);
  if (!next.text || !v->vertex) {
    ms_free(next.text);
    return ms_fail_memory(err, "the motifs of a vertex");
  }
  memcpy(next.color, row->color_id, k * sizeof *next.color);
  v->row[v->count++] = next;
  return MS_OK;
}

/* Writes or keeps the row that was read last from a part. */
static ms_status put_row(ms_merging *m, uint32_t i, vertex_merge *v, ms_error *err)
{
  const ms_census_row *row = &m->part[i].result.row.census;
  if (v->vertex && (row->n_ids == 0 || strcmp(v->vertex, row->vertex) != 0))
    MS_TRY(flush(m, v, err));
  if (row->n_ids > 0)
    return keep_row(v, row, m->writer.header.k, err);
  return ms_writer_row(&m->writer, row, err);
}

/* Writes the rows of the least unit that is left; sets *more to false if there is none. */
static ms_status put_unit(ms_merging *m, vertex_merge *v, bool *more, ms_error *err)
{
  uint32_t least = 0;
  for (uint32_t i = 1; i < m->count; i++)
    least = v->unit[i] < v->unit[least] ? i : least;
  uint64_t unit = v->unit[least];
  *more = unit != UINT64_MAX;
  while (*more && v->unit[least] == unit) {
    MS_TRY(put_row(m, least, v, err));
    MS_TRY(next_row(m, least, v, err));
  }
  return ms_stop_poll("parts are merged", err);
}

static ms_status write_all(ms_merging *m, vertex_merge *v, ms_error *err)
{
  bool more = true;
  for (uint32_t i = 0; i < m->count; i++) {
    MS_TRY(ms_merging_open_rows(m, i, err));
    v->unit[i] = UINT64_MAX;
    MS_TRY(next_row(m, i, v, err));
  }
  while (more && !ms_outfile_failed(m->writer.out)) {
    ms_merging_report(m, "rows written", m->writer.rows, 0);
    MS_TRY(put_unit(m, v, &more, err));
  }
  if (v->vertex)
    MS_TRY(flush(m, v, err));
  m->rows = m->writer.rows;
  m->writer.header.status = MS_RESULT_COMPLETE;
  return ms_writer_end(&m->writer, err);
}

static ms_status merge_vertices(ms_merging *m, vertex_merge *v, ms_error *err)
{
  ms_names *none;
  v->unit = ms_alloc(m->count, sizeof *v->unit);
  if (!v->unit)
    return ms_fail_memory(err, "the units of all parts");
  m->writer.header.motifs_found = 0;
  for (uint32_t i = 0; i < m->count; i++) {
    MS_TRY(look_at(m, i, v, err));
    ms_merging_report(m, "parts read", i + 1, m->count);
  }
  MS_TRY(ms_names_new(&none, err));
  ms_status status = ms_writer_begin(&m->writer, none, err);
  if (status == MS_OK)
    status = write_all(m, v, err);
  ms_names_free(none);
  return status;
}

ms_status ms_merge_vertices(ms_merging *m, ms_error *err)
{
  vertex_merge v = {0};
  ms_status status = merge_vertices(m, &v, err);
  for (uint64_t i = 0; i < v.count; i++)
    ms_free(v.row[i].text);
  ms_free(v.row);
  ms_free(v.vertex);
  ms_free(v.unit);
  return status;
}
