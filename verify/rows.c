/* The rows of a result file, each against the query. */
#include "base/alloc.h"
#include "base/status.h"
#include "verify/certificate.h"

#include <string.h>

/* The vertex of that very name: other names of vertices (ms_graph_read_aliases)
 * do not stand in a result. */
static ms_status find_vertex(ms_certificate *c, const char *name, uint32_t *v)
{
  *v = ms_graph_find(c->graph, name);
  if (*v != MS_NO_ID && strcmp(ms_graph_name(c->graph, *v), name) == 0) {
    return MS_OK;
  }
  return ms_result_refuse(&c->result, c->result.row.line, "'%.100s' is no vertex of the graph",
                          name);
}

/* ---- list ------------------------------------------------------------------ */

/* Room for one more row of k ids. */
static ms_status reserve_match(ms_certificate *c, ms_error *err)
{
  if (c->rows < c->capacity) {
    return MS_OK;
  }
  size_t k = c->result.header.k, wanted, old_ids = (size_t)c->capacity * k;
  size_t rows = 2 * (size_t)c->capacity + 1024;
  uint32_t *grown =
      ms_mul_size(rows, k, &wanted) ? ms_resize(c->matches, old_ids, wanted, sizeof *grown) : NULL;
  if (!grown) {
    return ms_fail_memory(err, "the matches of the result file");
  }
  c->matches = grown;
  c->capacity = rows;
  return MS_OK;
}

/* Names to ids, which must ascend. */
static ms_status read_match(ms_certificate *c, uint32_t *match)
{
  const ms_result_row *row = &c->result.row;
  uint32_t k = c->result.header.k;
  if (row->count != k) {
    return ms_result_refuse(&c->result, row->line, "match %llu has %u vertices, not k = %u",
                            (unsigned long long)row->number, row->count, k);
  }
  for (uint32_t i = 0; i < k; i++) {
    ms_status status = find_vertex(c, row->names[i], &match[i]);
    if (status != MS_OK) {
      return status;
    }
    if (i > 0 && match[i - 1] >= match[i]) {
      return ms_result_refuse(&c->result, row->line, "match %llu %s",
                              (unsigned long long)row->number,
                              match[i - 1] == match[i] ? ms_verdict_text(MS_MATCH_REPEATS_VERTEX)
                                                       : "is not in graph order");
    }
  }
  return MS_OK;
}

/* The order of two rows: < 0, 0, > 0. */
static int compare_matches(const uint32_t *a, const uint32_t *b, uint32_t k)
{
  for (uint32_t i = 0; i < k; i++) {
    if (a[i] != b[i]) {
      return a[i] < b[i] ? -1 : 1;
    }
  }
  return 0;
}

static ms_status check_match(ms_certificate *c, ms_error *err)
{
  const ms_result_row *row = &c->result.row;
  uint32_t k = c->result.header.k;
  if (row->number != c->rows + 1) {
    return ms_result_refuse(&c->result, row->line, "match %llu is numbered %llu",
                            (unsigned long long)c->rows + 1, (unsigned long long)row->number);
  }
  ms_status status = reserve_match(c, err);
  if (status != MS_OK) {
    return status;
  }
  uint32_t *match = c->matches + c->rows * k;
  status = read_match(c, match);
  if (status != MS_OK) {
    return status;
  }
  ms_verdict verdict = ms_verify_match(c->query, match);
  if (verdict != MS_MATCH_OK) {
    return ms_result_refuse(&c->result, row->line, "match %llu %s", (unsigned long long)row->number,
                            ms_verdict_text(verdict));
  }
  int order = c->rows ? compare_matches(match - k, match, k) : -1;
  if (order >= 0) {
    return ms_result_refuse(&c->result, row->line, "match %llu %s the one before it",
                            (unsigned long long)row->number,
                            order == 0 ? "repeats" : "does not come behind");
  }
  c->rows++;
  return MS_OK;
}

/* ---- screen ------------------------------------------------------------------ */

static ms_status check_vertex_colors(ms_certificate *c, uint32_t v)
{
  const ms_result_row *row = &c->result.row;
  uint32_t count;
  const uint32_t *colors = ms_coloring_of(c->coloring, v, &count);
  bool same = count == row->count;
  for (uint32_t i = 0; same && i < count; i++) {
    same = strcmp(ms_coloring_name(c->coloring, colors[i]), row->names[i]) == 0;
  }
  return same ? MS_OK
              : ms_result_refuse(&c->result, row->line,
                                 "the colours of '%.100s' are not those of the colour file",
                                 row->vertex);
}

static ms_status check_flag(ms_certificate *c)
{
  const ms_result_row *row = &c->result.row;
  if (row->flagged != (row->repetitions > 0)) {
    return ms_result_refuse(&c->result, row->line, "'%.100s' is %sflagged by %llu repetitions",
                            row->vertex, row->flagged ? "" : "not ",
                            (unsigned long long)row->repetitions);
  }
  if (row->repetitions > c->result.header.repetitions) {
    return ms_result_refuse(&c->result, row->line,
                            "'%.100s' is flagged by more repetitions than were run", row->vertex);
  }
  if (!row->flagged && !c->result.header.all_rows) {
    return ms_result_refuse(&c->result, row->line,
                            "'%.100s' is not flagged and has a row, but 'rows' is not 'all'",
                            row->vertex);
  }
  return MS_OK;
}

static ms_status check_vertex(ms_certificate *c, uint32_t *last)
{
  const ms_result_row *row = &c->result.row;
  uint32_t v;
  ms_status status = find_vertex(c, row->vertex, &v);
  if (status != MS_OK) {
    return status;
  }
  if (c->rows && v <= *last) {
    return ms_result_refuse(&c->result, row->line, "'%.100s' %s", row->vertex,
                            v == *last ? "repeats the row before it" : "is not in graph order");
  }
  status = check_vertex_colors(c, v);
  if (status == MS_OK) {
    status = check_flag(c);
  }
  *last = v;
  c->flagged[v] = row->flagged;
  c->row_of[v] = (uint32_t)++c->rows;
  return status;
}

/* ---- both --------------------------------------------------------------------- */

/* What header and last line say of the number of rows. */
static ms_status check_totals(ms_certificate *c)
{
  const ms_result_header *h = &c->result.header;
  uint64_t found = c->rows;
  if (c->result.rows != c->rows) {
    return ms_result_refuse(&c->result, 0, "the last line says %llu rows, there are %llu",
                            (unsigned long long)c->result.rows, (unsigned long long)c->rows);
  }
  if (h->all_rows && c->rows != h->vertices) {
    return ms_result_refuse(&c->result, 0, "all %u vertices should have a row, %llu have",
                            h->vertices, (unsigned long long)c->rows);
  }
  for (uint32_t v = 0; h->all_rows && v < h->vertices; v++) {
    found -= !c->flagged[v];
  }
  if (found != h->found) {
    return ms_result_refuse(&c->result, h->line[MS_PART_FOUND],
                            "the header says %llu %s, the rows %llu", (unsigned long long)h->found,
                            h->is_screen ? "flagged vertices" : "matches",
                            (unsigned long long)found);
  }
  return MS_OK;
}

ms_status ms_check_rows(ms_certificate *c, ms_error *err)
{
  uint32_t n = ms_graph_vertex_count(c->graph), last = 0;
  bool is_screen = c->result.header.is_screen, more;
  if (is_screen) {
    c->row_of = ms_calloc(n, sizeof *c->row_of);
    c->flagged = ms_calloc(n, sizeof *c->flagged);
    if (!c->row_of || !c->flagged) {
      return ms_fail_memory(err, "the rows of the result file");
    }
  }
  if (is_screen && c->result.header.exact) {
    return ms_result_refuse(&c->result, 0, "a screen cannot be of mode exact");
  }
  c->first_row = c->result.line + 1;
  ms_status status = ms_result_next_row(&c->result, &more, err);
  while (status == MS_OK && more) {
    status = is_screen ? check_vertex(c, &last) : check_match(c, err);
    if (status == MS_OK) {
      c->report->rows = c->rows;
      status = ms_result_next_row(&c->result, &more, err);
    }
  }
  return status == MS_OK ? check_totals(c) : status;
}
