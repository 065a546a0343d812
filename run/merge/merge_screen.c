/* Merges parts that have a row for each vertex: of a sieve, or of the matches of each vertex.  The
 * values of a vertex in a repetition are the XOR of those of the parts, and it is flagged where
 * they are not zero; the sieve ends early where the undivided one does.  Numbers of matches are
 * added. The parts have the same rows but for these values, and the rows of part 1 are copied. */
#include "run/merge/merge.h"

#include "base/alloc.h"
#include "base/budget.h"
#include "base/crc32c.h"
#include "base/numbers.h"
#include "base/status.h"
#include "base/threads/stop.h"
#include "run/units/screen_units.h"

#include <inttypes.h>
#include <string.h>

typedef struct screen_merge {
  uint64_t rows;        /* of each part */
  bool adds;            /* numbers of matches; else values of the sieve */
  uint64_t *matches;    /* [room] sum of the parts so far */
  mpz_t sum;            /* of the numbers of matches that the parts state */
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
  size_t bytes = s->adds ? sizeof *s->matches : each + 1;
  if (!ms_budget_reserve(&s->budget, (room - s->room) * bytes))
    return ms_fail(err, MS_ERR_MEMORY,
                   "the vertices of the parts need more memory; raise `memory`");
  if (s->adds) {
    uint64_t *matches = ms_resize(s->matches, s->room, room, sizeof *matches);
    if (!matches)
      return ms_fail_memory(err, "the matches of each vertex");
    memset(matches + s->room, 0, (room - s->room) * sizeof *matches);
    s->matches = matches;
    s->room = room;
    return MS_OK;
  }
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

/* Adds a row; false: the part has other rows than part 1. */
static bool add_row(screen_merge *s, uint64_t row, bool is_first, const ms_vertex_row *from)
{
  if (s->adds) {
    /* a sum that is too large stays so */
    if (__builtin_add_overflow(s->matches[row], from->matches, &s->matches[row]))
      s->matches[row] = UINT64_MAX;
    return true;
  }
  const char *text = from->values;
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

/* Adds the number of matches that a part states. */
static ms_status add_stated(const ms_merging *m, uint32_t i, screen_merge *s, ms_error *err)
{
  mpz_t number;
  const char *text = m->part[i].result.header.count;
  mpz_init(number);
  bool is_number = text && mpz_set_str(number, text, 10) == 0 && mpz_sgn(number) >= 0;
  if (is_number)
    mpz_add(s->sum, s->sum, number);
  mpz_clear(number);
  return is_number ? MS_OK
                   : ms_fail(err, MS_ERR_INPUT, "%s: refused: its number of matches is wrong",
                             m->path[i]);
}

static ms_status read_part(ms_merging *m, uint32_t i, bool is_first, screen_merge *s, ms_error *err)
{
  const ms_result *r = &m->part[i].result;
  uint64_t row = 0;
  uint32_t names = 0;
  bool more;
  MS_TRY(ms_merging_open_rows(m, i, err));
  if (s->adds)
    MS_TRY(add_stated(m, i, s, err));
  /* one that was stopped has fewer, and its end says why */
  if (!s->adds &&
      (r->header.repetitions > s->repetitions ||
       (r->header.repetitions < s->repetitions && r->header.status == MS_RESULT_COMPLETE)))
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
    if (row == s->rows || !add_row(s, row, is_first, &r->row.vertex))
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

/* Writes a line of part 1 with the merged value of its vertex in place of its own. */
static ms_status put_line(ms_merging *m, uint32_t i, const screen_merge *s, char *line,
                          uint64_t value, ms_error *err)
{
  const char *key = s->adds ? ",\"matches\":" : ",\"values\":\"";
  ms_outfile *out = m->writer.out;
  bool is_json = m->writer.encoding == &ms_encoding_json;
  char *end = strrchr(line, '\t');
  if (is_json) /* a quotation mark in a name or a colour has a backslash before it */
    for (char *next = end = strstr(line, key); next; next = strstr(next + 1, key))
      end = next;
  if (!end)
    return fail_rows(m, i, err);
  ms_outfile_write(out, line, (size_t)(end - line));
  if (s->adds)
    ms_outfile_printf(out, is_json ? ",\"matches\":%" PRIu64 "}\n" : "\t%" PRIu64 "\n", value);
  else if (is_json)
    ms_outfile_printf(out, ",\"flagged\":%s,\"repetitions\":%" PRIu64 "}\n",
                      value > 0 ? "true" : "false", value);
  else
    ms_outfile_printf(out, "\t%d\t%" PRIu64 "\n", value > 0, value);
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
    uint64_t value = s->adds        ? s->matches[row]
                     : s->kept[row] ? count_hits(s, row, h->repetitions)
                                    : 0;
    if (row % 4096 == 0) {
      ms_merging_report(m, "rows written", row, s->rows);
      MS_TRY(ms_stop_poll("parts are merged", err));
    }
    if (s->adds && value > INT64_MAX)
      return ms_fail(err, MS_ERR_USAGE,
                     "a vertex is in 2^63 or more matches, which are not counted");
    MS_TRY(ms_merging_refuse(m, first, ms_result_take_line(r, &line, err), err));
    r->rows++;
    if (value > 0 || h->all_rows)
      MS_TRY(put_line(m, first, s, line, value, err));
  }
  m->rows = m->writer.rows;
  if (ms_outfile_failed(m->writer.out))
    return MS_OK;
  MS_TRY(ms_merging_next_row(m, first, &more, err)); /* the end, with the checksum */
  ms_merging_close_rows(m, first);
  return more ? fail_rows(m, first, err) : MS_OK;
}

static ms_status merge(ms_merging *m, screen_merge *s, ms_error *err)
{
  ms_result_header *h = &m->writer.header;
  ms_screen_bound bound;
  ms_names *none;
  char *number = NULL;
  for (uint32_t part = 0; part < m->count; part++) {
    MS_TRY(read_part(m, m->by_number[part], part == 0, s, err));
    ms_merging_report(m, "parts merged", part + 1, m->count);
  }
  MS_TRY(s->adds ? ms_number_text(s->sum, &number, err) : describe(s, h, &bound, err));
  if (s->adds) {
    h->status = MS_RESULT_COMPLETE;
    h->count = number;
    h->found = mpz_fits_ulong_p(s->sum) ? mpz_get_ui(s->sum) : UINT64_MAX;
  }
  ms_status status = ms_names_new(&none, err);
  if (status == MS_OK) {
    status = ms_writer_begin(&m->writer, none, err);
    if (status == MS_OK)
      status = write_rows(m, s, err);
    if (status == MS_OK)
      status = ms_writer_end(&m->writer, err);
    ms_names_free(none);
  }
  h->count = NULL;
  ms_free(number);
  return status;
}

ms_status ms_merge_screen(ms_merging *m, ms_error *err)
{
  screen_merge s = {.adds = m->writer.header.kind == MS_KIND_PARTICIPATION};
  s.repetitions = s.adds ? 0 : m->writer.header.repetitions;
  ms_budget_open(&s.budget, m->options->run.memory);
  mpz_init(s.sum);
  ms_status status = merge(m, &s, err);
  mpz_clear(s.sum);
  ms_free(s.matches);
  ms_free(s.values);
  ms_free(s.kept);
  return status;
}
