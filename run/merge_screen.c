/* Merges parts of a sieve.  The values of a vertex in a repetition are the XOR of those of the
 * parts, and it is flagged where they are not zero; the sieve ends early where the undivided one
 * does.  The parts have the same rows but for the values, and the rows of part 1 are copied. */
#include "run/merge.h"

#include "base/alloc.h"
#include "base/budget.h"
#include "base/crc32c.h"
#include "base/status.h"
#include "base/stop.h"
#include "run/screen_units.h"

#include <inttypes.h>
#include <string.h>

typedef struct screen_merge {
  uint64_t rows;        /* of each part */
  uint8_t *values;      /* [room][repetitions] XOR of the parts so far */
  uint8_t *kept;        /* [room] the vertex of the row has values */
  uint64_t room, count; /* count: rows with values */
  uint32_t repetitions; /* that each part has */
  uint32_t names;       /* checksum of the vertices of part 1 */
  ms_budget budget;
} screen_merge;

/* ---- reading ----------------------------------------------------------------------------- */

static ms_status make_room(screen_merge *s, ms_error *err)
{
  uint64_t room = 2 * s->room + 1024;
  size_t each = s->repetitions ? s->repetitions : 1;
  if (s->rows < s->room)
    return MS_OK;
  if (!ms_budget_reserve(&s->budget, (room - s->room) * (each + 1)))
    return ms_fail(err, MS_ERR_MEMORY, "the values of the sieve need more memory; raise `memory`");
  uint8_t *values = ms_resize(s->values, s->room * each, room * each, 1);
  if (values)
    s->values = values;
  uint8_t *kept = values ? ms_resize(s->kept, s->room, room, 1) : NULL;
  if (!kept)
    return ms_fail_memory(err, "the values of the sieve");
  memset(values + s->room * each, 0, (room - s->room) * each);
  s->kept = kept;
  s->room = room;
  return MS_OK;
}

static uint8_t digit(char c)
{
  return (uint8_t)(c <= '9' ? c - '0' : c - 'a' + 10);
}

/* XORs the values of a row; false: the part has other rows than part 1. */
static bool add_values(screen_merge *s, uint64_t row, bool is_first, const char *text)
{
  uint8_t *to = s->values + row * s->repetitions;
  bool has = *text != '\0' || s->repetitions == 0;
  if (is_first)
    s->kept[row] = has;
  else if (s->kept[row] != has)
    return false;
  for (uint32_t i = 0; *text; i++, text += 2)
    to[i] ^= (uint8_t)(digit(text[0]) << 4 | digit(text[1]));
  s->count += is_first && has;
  return true;
}

static ms_status fail_rows(const ms_merging *m, uint32_t i, ms_error *err)
{
  return ms_fail(err, MS_ERR_INPUT, "%s: refused: its rows are not those of %.300s", m->path[i],
                 m->path[m->by_number[0]]);
}

static ms_status read_part(ms_merging *m, uint32_t i, bool is_first, screen_merge *s, ms_error *err)
{
  const ms_result *r = &m->part[i].result;
  uint64_t row = 0;
  uint32_t names = 0;
  bool more;
  MS_TRY(ms_merging_open_rows(m, i, err));
  /* one that was stopped has fewer, and its end says why */
  if (r->header.repetitions > s->repetitions ||
      (r->header.repetitions < s->repetitions && r->header.status == MS_RESULT_COMPLETE))
    return ms_fail(err, MS_ERR_INPUT,
                   "%s: refused: it has %" PRIu32 " repetitions in place of %" PRIu32, m->path[i],
                   r->header.repetitions, s->repetitions);
  MS_TRY(ms_merging_next_row(m, i, &more, err));
  for (; more; row++) {
    if (row % 4096 == 0)
      MS_TRY(ms_stop_poll("parts are merged", err));
    if (is_first) {
      MS_TRY(make_room(s, err));
      s->rows++;
    }
    if (row == s->rows || !add_values(s, row, is_first, r->row.vertex.values))
      return fail_rows(m, i, err);
    names = ms_crc32c(names, r->row.vertex.vertex, strlen(r->row.vertex.vertex) + 1);
    MS_TRY(ms_merging_next_row(m, i, &more, err));
  }
  if (is_first)
    s->names = names;
  if (row != s->rows || names != s->names)
    return fail_rows(m, i, err);
  ms_merging_close_rows(m, i);
  return MS_OK;
}

/* ---- flags ------------------------------------------------------------------------------- */

/* Returns the number of repetitions that flag the vertex of a row, of the first `repetitions`. */
static uint32_t count_hits(const screen_merge *s, uint64_t row, uint32_t repetitions)
{
  const uint8_t *values = s->values + row * s->repetitions;
  uint32_t hits = 0;
  for (uint32_t i = 0; i < repetitions; i++)
    hits += values[i] != 0;
  return hits;
}

/* Returns the number of repetitions after which each vertex that pruning left is flagged; one more
 * than there are: never. */
static uint32_t find_end(const screen_merge *s)
{
  uint32_t end = 1;
  for (uint64_t row = 0; row < s->rows; row++) {
    const uint8_t *values = s->values + row * s->repetitions;
    uint32_t first = 0;
    while (s->kept[row] && first < s->repetitions && values[first] == 0)
      first++;
    end = s->kept[row] && first + 1 > end ? first + 1 : end;
  }
  return end;
}

/* Fills what the header says of the sieve. */
static ms_status describe(const screen_merge *s, ms_result_header *h, ms_screen_bound *bound,
                          ms_error *err)
{
  h->status = MS_RESULT_COMPLETE;
  h->found = 0;
  if (s->repetitions == 0) /* pruning left no vertex, as the header says */
    return MS_OK;
  uint32_t end = find_end(s);
  bool all_flagged = end <= s->repetitions;
  h->repetitions = all_flagged ? end : s->repetitions;
  for (uint64_t row = 0; row < s->rows; row++)
    h->found += s->kept[row] && count_hits(s, row, h->repetitions) > 0;
  MS_TRY(ms_screen_bound_find(2 * h->k - 1, (uint32_t)s->count, h->repetitions, all_flagged, bound,
                              err));
  h->miss_bound = bound->bound;
  h->miss_bound_union = bound->of_all;
  h->formula = bound->text;
  return MS_OK;
}

/* ---- rows -------------------------------------------------------------------------------- */

/* Writes a line of part 1 with the flag of its vertex in place of its values. */
static ms_status put_line(ms_merging *m, uint32_t i, char *line, uint32_t hits, ms_error *err)
{
  static const char key[] = ",\"values\":\"";
  ms_outfile *out = m->writer.out;
  bool is_json = m->writer.encoding == &ms_encoding_json;
  char *end = strrchr(line, '\t');
  if (is_json) /* a quotation mark in a name or a colour has a backslash before it */
    for (char *next = end = strstr(line, key); next; next = strstr(next + 1, key))
      end = next;
  if (!end)
    return fail_rows(m, i, err);
  ms_outfile_write(out, line, (size_t)(end - line));
  if (is_json)
    ms_outfile_printf(out, ",\"flagged\":%s,\"repetitions\":%" PRIu32 "}\n",
                      hits > 0 ? "true" : "false", hits);
  else
    ms_outfile_printf(out, "\t%d\t%" PRIu32 "\n", hits > 0, hits);
  m->writer.rows++;
  return MS_OK;
}

static ms_status write_rows(ms_merging *m, const screen_merge *s, ms_error *err)
{
  uint32_t first = m->by_number[0];
  ms_result *r = &m->part[first].result;
  const ms_result_header *h = &m->writer.header;
  bool more;
  MS_TRY(ms_merging_open_rows(m, first, err));
  for (uint64_t row = 0; row < s->rows && !ms_outfile_failed(m->writer.out); row++) {
    char *line;
    uint32_t hits = s->kept[row] ? count_hits(s, row, h->repetitions) : 0;
    if (row % 4096 == 0) {
      ms_merging_report(m, "rows written", row, s->rows);
      MS_TRY(ms_stop_poll("parts are merged", err));
    }
    MS_TRY(ms_merging_refuse(m, first, ms_result_take_line(r, &line, err), err));
    r->rows++;
    if (hits > 0 || h->all_rows)
      MS_TRY(put_line(m, first, line, hits, err));
  }
  m->rows = m->writer.rows;
  if (ms_outfile_failed(m->writer.out))
    return MS_OK;
  MS_TRY(ms_merging_next_row(m, first, &more, err)); /* the end, with the checksum */
  ms_merging_close_rows(m, first);
  return more ? fail_rows(m, first, err) : MS_OK;
}

static ms_status merge_screen(ms_merging *m, screen_merge *s, ms_error *err)
{
  ms_screen_bound bound;
  ms_names *none;
  for (uint32_t number = 0; number < m->count; number++) {
    MS_TRY(read_part(m, m->by_number[number], number == 0, s, err));
    ms_merging_report(m, "parts merged", number + 1, m->count);
  }
  MS_TRY(describe(s, &m->writer.header, &bound, err));
  MS_TRY(ms_names_new(&none, err));
  ms_status status = ms_writer_begin(&m->writer, none, err);
  if (status == MS_OK)
    status = write_rows(m, s, err);
  if (status == MS_OK)
    status = ms_writer_end(&m->writer, err);
  ms_names_free(none);
  return status;
}

ms_status ms_merge_screen(ms_merging *m, ms_error *err)
{
  screen_merge s = {.repetitions = m->writer.header.repetitions};
  ms_budget_open(&s.budget, m->options->memory);
  ms_status status = merge_screen(m, &s, err);
  ms_free(s.values);
  ms_free(s.kept);
  return status;
}
