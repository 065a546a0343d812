#include "run/row_parts.h"

#include "base/alloc.h"
#include "base/status.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define ENTRY_BYTES 48u

ms_status ms_match_row_list_open(ms_match_run *m, ms_row_list *list, ms_error *err)
{
  const ms_division *d = m->options->division;
  memset(list, 0, sizeof *list);
  if (!d || d->parts == 0)
    return MS_OK;
  m->row_list = list;
  list->part = ms_share_of_part(d->part, d->parts);
  if (m->program)
    MS_TRY(ms_row_units_make(m->program, &list->units, err));
  m->result->units = list->units.count;
  return MS_OK;
}

void ms_match_row_list_close(ms_match_run *m)
{
  if (!m->row_list)
    return;
  ms_row_units_free(&m->row_list->units);
  ms_free(m->row_list->text);
  m->row_list = NULL;
}

/* Notes the rows of a unit; an ms_unit_rows_fn. */
static bool note_rows(void *user, uint64_t unit, uint64_t rows)
{
  ms_row_list *l = user;
  if (rows == 0 || l->full)
    return !l->full;
  if (l->room - l->length < ENTRY_BYTES) {
    size_t room = 2 * l->room + 4096;
    char *larger = ms_resize(l->text, l->room, room, 1);
    l->full = !larger;
    if (l->full)
      return false;
    l->text = larger;
    l->room = room;
  }
  l->length += (size_t)snprintf(l->text + l->length, ENTRY_BYTES, "%s%" PRIu64 ":%" PRIu64,
                                l->length ? " " : "", unit, rows);
  return true;
}

ms_status ms_match_row_list_run(ms_match_run *m, const ms_pattern_task *task, ms_row_fn make,
                                ms_stream *stream, ms_error *err)
{
  ms_row_list *l = m->row_list;
  MS_TRY(ms_row_units_list(task, &l->units, &l->part, make, m, stream, note_rows, l, err));
  return l->full ? ms_fail_memory(err, "the rows of a part") : MS_OK;
}

ms_status ms_match_row_list_finish(ms_match_run *m, ms_error *err)
{
  if (!m->row_list)
    return MS_OK;
  m->result->part_text = ms_strdup(m->row_list->text ? m->row_list->text : "none");
  return m->result->part_text ? MS_OK : ms_fail_memory(err, "the rows of a part");
}
