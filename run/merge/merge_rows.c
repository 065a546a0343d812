/* Merges parts of a list of the matches of a pattern or of a motif: the rows of all units, unit by
 * unit, with new numbers.  Few matches of a motif are sorted instead (merge_sorted.c).  Each part
 * is read twice: once to its end, which has its checksum and says how many rows each unit has, and
 * once for its rows. */
#include "run/merge/merge.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/threads/stop.h"
#include "run/listing.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct unit_rows {
  uint64_t unit, rows;
  uint32_t part; /* place of its file */
} unit_rows;

typedef struct row_merge {
  unit_rows *entry; /* [room] */
  uint64_t count, room;
  uint64_t rows; /* of all parts */
} row_merge;

/* ---- which rows are where ---------------------------------------------------------------- */

static ms_status fail_units(const ms_merging *m, uint32_t i, ms_error *err)
{
  return ms_fail(err, MS_ERR_INPUT, "%s: refused: the numbers of rows of its units are wrong",
                 m->path[i]);
}

static ms_status add_entry(row_merge *r, unit_rows next, ms_error *err)
{
  if (r->count == r->room) {
    uint64_t room = 2 * r->room + 1024;
    unit_rows *larger = ms_resize(r->entry, r->room, room, sizeof *larger);
    if (!larger)
      return ms_fail_memory(err, "the units of all parts");
    r->entry = larger;
    r->room = room;
  }
  r->entry[r->count++] = next;
  return MS_OK;
}

/* Takes "UNIT:ROWS UNIT:ROWS ..", which has to give the rows of the part; so has the number of
 * matches, which no checksum covers in JSON. */
static ms_status take_units(const ms_merging *m, uint32_t i, row_merge *r, ms_error *err)
{
  const ms_result_header *h = &m->part[i].result.header;
  const char *at = h->division.unit_rows;
  uint64_t sum = 0, next = 0;
  if (strcmp(at, "none") == 0)
    at = "";
  while (*at) {
    unit_rows e = {.part = i};
    if (!ms_take_unit_rows(&at, h, next, &e.unit, &e.rows) ||
        __builtin_add_overflow(sum, e.rows, &sum))
      return fail_units(m, i, err);
    next = e.unit + 1;
    MS_TRY(add_entry(r, e, err));
  }
  return sum == m->part[i].result.rows && sum == h->found ? MS_OK : fail_units(m, i, err);
}

static ms_status look_at(ms_merging *m, uint32_t i, row_merge *r, ms_error *err)
{
  bool more;
  MS_TRY(ms_merging_open_rows(m, i, err));
  MS_TRY(ms_merging_next_row(m, i, &more, err));
  for (uint64_t row = 0; more; row++) {
    if (row % 4096 == 0) {
      ms_merging_report(m, "rows counted", r->rows + row, 0);
      MS_TRY(ms_stop_poll("parts are merged", err));
    }
    MS_TRY(ms_merging_next_row(m, i, &more, err));
  }
  MS_TRY(take_units(m, i, r, err));
  r->rows += m->part[i].result.rows;
  ms_merging_close_rows(m, i);
  return MS_OK;
}

static int by_unit(const void *a, const void *b)
{
  const unit_rows *x = a, *y = b;
  return x->unit < y->unit ? -1 : x->unit > y->unit;
}

/* ---- rows -------------------------------------------------------------------------------- */

static ms_status put_rows(ms_merging *m, const unit_rows *e, ms_error *err)
{
  ms_result *r = &m->part[e->part].result;
  uint32_t lines = m->writer.header.row_form == MS_ROWS_LONG ? m->writer.header.k : 1;
  for (uint64_t row = 0; row < e->rows; row++) {
    m->writer.rows++;
    for (uint32_t l = 0; l < lines; l++) {
      char *line;
      const char *rest;
      MS_TRY(ms_merging_refuse(m, e->part, ms_result_take_line(r, &line, err), err));
      MS_TRY(ms_merging_rest_of_line(m, e->part, line, &rest, err));
      ms_merging_put_line(m, rest, m->writer.rows);
    }
  }
  r->rows += e->rows;
  return ms_stop_poll("parts are merged", err);
}

static ms_status write_all(ms_merging *m, const row_merge *r, ms_error *err)
{
  for (uint32_t i = 0; i < m->count; i++)
    MS_TRY(ms_merging_open_rows(m, i, err));
  for (uint64_t e = 0; e < r->count && !ms_outfile_failed(m->writer.out); e++) {
    MS_TRY(put_rows(m, &r->entry[e], err));
    ms_merging_report(m, "units merged", e + 1, r->count);
  }
  for (uint32_t i = 0; i < m->count && !ms_outfile_failed(m->writer.out); i++)
    MS_TRY(ms_merging_end_rows(m, i, err));
  m->rows = m->writer.rows;
  m->writer.header.status = MS_RESULT_COMPLETE;
  return ms_writer_end(&m->writer, err);
}

static ms_status merge_rows(ms_merging *m, row_merge *r, ms_error *err)
{
  ms_names *none;
  for (uint32_t i = 0; i < m->count; i++)
    MS_TRY(look_at(m, i, r, err));
  ms_merging_report(m, "the units are sorted", 0, 0);
  if (m->first.header.kind == MS_KIND_LIST && r->rows <= MS_SORTED_ROWS)
    return ms_merge_sorted(m, r->rows, err);
  if (r->count > 0)
    qsort(r->entry, r->count, sizeof *r->entry, by_unit);
  MS_TRY(ms_names_new(&none, err));
  ms_status status = ms_writer_begin(&m->writer, none, err);
  if (status == MS_OK)
    status = write_all(m, r, err);
  ms_names_free(none);
  return status;
}

ms_status ms_merge_rows(ms_merging *m, ms_error *err)
{
  row_merge r = {0};
  ms_status status = merge_rows(m, &r, err);
  ms_free(r.entry);
  return status;
}
