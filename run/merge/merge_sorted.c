/* Merges parts of a list of few matches of a motif, which are sorted by their vertices.  Rows name
 * vertices, and their order is that of the graph, which is read from the path that part 1 states.
 */
#include "run/merge/merge.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/threads/stop.h"
#include "graph/graph.h"
#include "motif/sort_rows.h"
#include "verify/certificate.h"

#include <inttypes.h>
#include <string.h>

typedef struct sorter {
  ms_merging *m;
  const ms_graph *graph;
  uint32_t k, lines; /* slots, and lines of a row */
  uint64_t rows;     /* of all parts */
  uint32_t *key;     /* [rows][k + 1] the ascending vertices of a row, and its number */
  uint64_t *begin;   /* [rows] where its lines begin */
  uint64_t keyed, kept;
  char *text; /* what follows the numbers, each line with its NUL */
  size_t length, room;
} sorter;

/* ---- the rows of a part ------------------------------------------------------------------- */

/* Notes the vertices of the row that was read last. */
static ms_status add_key(sorter *s, uint32_t i, ms_error *err)
{
  const ms_result_row *row = &s->m->part[i].result.row;
  uint32_t *key = s->key + s->keyed * (s->k + 1);
  if (row->match.count != s->k || s->keyed == s->rows)
    return ms_fail(err, MS_ERR_INPUT, "%s: refused: line %" PRIu64 ": a match has %u vertices",
                   s->m->path[i], row->line, s->k);
  for (uint32_t j = 0; j < s->k; j++) {
    uint32_t v = ms_graph_find(s->graph, row->match.vertices[j]), at = j;
    if (v == MS_NO_ID)
      return ms_fail(err, MS_ERR_INPUT,
                     "%s: refused: line %" PRIu64 ": '%.100s' is not a vertex of the graph",
                     s->m->path[i], row->line, row->match.vertices[j]);
    for (; at > 0 && key[at - 1] > v; at--)
      key[at] = key[at - 1];
    key[at] = v;
  }
  key[s->k] = (uint32_t)s->keyed++;
  return MS_OK;
}

static ms_status read_keys(sorter *s, uint32_t i, ms_error *err)
{
  bool more = true;
  MS_TRY(ms_merging_open_rows(s->m, i, err));
  for (uint64_t row = 0; more; row++) {
    MS_TRY(ms_merging_next_row(s->m, i, &more, err));
    if (more)
      MS_TRY(add_key(s, i, err));
    if (row % 4096 == 0) {
      ms_merging_report(s->m, "rows read", s->keyed + s->kept, 2 * s->rows);
      MS_TRY(ms_stop_poll("parts are merged", err));
    }
  }
  ms_merging_close_rows(s->m, i);
  return MS_OK;
}

static ms_status keep_line(sorter *s, const char *rest, ms_error *err)
{
  size_t bytes = strlen(rest) + 1;
  if (s->room - s->length < bytes) {
    size_t room = 2 * s->room + bytes + 4096;
    char *larger = ms_resize(s->text, s->room, room, 1);
    if (!larger)
      return ms_fail_memory(err, "the rows of all parts");
    s->text = larger;
    s->room = room;
  }
  memcpy(s->text + s->length, rest, bytes);
  s->length += bytes;
  return MS_OK;
}

/* Keeps the lines of a part, which has this many rows. */
static ms_status read_lines(sorter *s, uint32_t i, uint64_t rows, ms_error *err)
{
  ms_result *r = &s->m->part[i].result;
  MS_TRY(ms_merging_open_rows(s->m, i, err));
  for (uint64_t row = 0; row < rows; row++) {
    s->begin[s->kept++] = s->length;
    if (row % 4096 == 0)
      ms_merging_report(s->m, "rows read", s->keyed + s->kept, 2 * s->rows);
    for (uint32_t l = 0; l < s->lines; l++) {
      char *line;
      const char *rest;
      MS_TRY(ms_merging_refuse(s->m, i, ms_result_take_line(r, &line, err), err));
      MS_TRY(ms_merging_rest_of_line(s->m, i, line, &rest, err));
      MS_TRY(keep_line(s, rest, err));
    }
  }
  r->rows += rows;
  return ms_merging_end_rows(s->m, i, err);
}

/* ---- all rows ------------------------------------------------------------------------------- */

static ms_status read_parts(sorter *s, ms_error *err)
{
  for (uint32_t i = 0; i < s->m->count; i++) {
    uint64_t before = s->keyed;
    MS_TRY(read_keys(s, i, err));
    MS_TRY(read_lines(s, i, s->keyed - before, err));
  }
  return MS_OK;
}

/* Refuses matches that two parts, or two units of one, have. */
static ms_status check_twice(const sorter *s, ms_error *err)
{
  const uint32_t *key = s->key;
  for (uint64_t row = 1; row < s->rows; row++, key += s->k + 1)
    if (memcmp(key, key + s->k + 1, s->k * sizeof *key) == 0)
      return ms_fail(err, MS_ERR_INPUT,
                     "the parts have a match twice, which begins with vertex '%.100s': they are "
                     "not those of one run; make them again",
                     ms_graph_name(s->graph, key[0]));
  return MS_OK;
}

static ms_status write_rows(sorter *s, ms_error *err)
{
  ms_merging *m = s->m;
  ms_result_header *h = &m->writer.header;
  h->has &= ~(unsigned)MS_HAS_SEARCH_ORDER;
  h->order = 0;
  h->found = s->rows;
  h->status = MS_RESULT_COMPLETE;
  MS_TRY(ms_writer_begin(&m->writer, s->graph->names, err));
  for (uint64_t row = 0; row < s->rows && !ms_outfile_failed(m->writer.out); row++) {
    const char *line = s->text + s->begin[s->key[row * (s->k + 1) + s->k]];
    if (row % 4096 == 0)
      ms_merging_report(m, "rows written", row, s->rows);
    m->writer.rows++;
    for (uint32_t l = 0; l < s->lines; l++, line += strlen(line) + 1)
      ms_merging_put_line(m, line, m->writer.rows);
  }
  m->rows = m->writer.rows;
  return ms_writer_end(&m->writer, err);
}

static ms_status sort(sorter *s, ms_error *err)
{
  s->key = ms_alloc(s->rows, (s->k + 1) * sizeof *s->key);
  s->begin = ms_alloc(s->rows, sizeof *s->begin);
  if (!s->key || !s->begin)
    return ms_fail_memory(err, "the rows of all parts");
  MS_TRY(read_parts(s, err));
  ms_merging_report(s->m, "the rows are sorted", 0, 0);
  ms_sort_rows(s->key, s->rows, s->k + 1, NULL);
  MS_TRY(check_twice(s, err));
  return write_rows(s, err);
}

/* Reads the graph that part 1 states. */
static ms_status read_graph(ms_certificate *c, const char *path, ms_merged_inputs *inputs,
                            ms_error *err)
{
  MS_TRY(ms_tape_open(c->tape, path, err));
  MS_TRY(ms_certificate_open(c, err));
  c->graph_path = c->result.header.graph_path;
  MS_TRY(ms_merged_input(inputs, &c->graph_path, err));
  return ms_merged_inputs_pass(inputs, &c->result, ms_open_graph(c, err), err);
}

ms_status ms_merge_sorted(ms_merging *m, uint64_t rows, ms_error *err)
{
  ms_verify_options o = MS_VERIFY_OPTIONS_DEFAULT;
  ms_verify_report report;
  ms_tape tape;
  const char *path = m->path[m->by_number[0]];
  ms_certificate c = {.options = &o, .report = &report, .tape = &tape};
  sorter s = {.m = m, .k = m->writer.header.k, .rows = rows};
  o.run.stop = m->options->run.stop;
  s.lines = m->writer.header.row_form == MS_ROWS_LONG ? s.k : 1;
  ms_certificate_init(&c, path);
  ms_merged_inputs inputs = {.m = m};
  ms_status status = read_graph(&c, path, &inputs, err);
  if (c.result.refused && inputs.count == 0)
    status = ms_fail(err, MS_ERR_INPUT, "%s: refused: %.450s", path, c.result.problem);
  s.graph = c.graph;
  if (status == MS_OK)
    status = sort(&s, err);
  ms_certificate_close(&c);
  ms_tape_close(&tape);
  ms_merged_inputs_free(&inputs);
  ms_free(s.key);
  ms_free(s.begin);
  ms_free(s.text);
  return status;
}
