/* Checks the rows of a screen, or of the matches of each vertex: whether each fits the inputs, and
 * their numbers. */
#include "verify/certificate.h"

#include "base/alloc.h"
#include "base/status.h"
#include "graph/typed.h"
#include "query/pattern.h"
#include "query/query.h"

#include <string.h>

/* True if some vertex of the pattern accepts the colour. */
static bool is_accepted(const ms_pattern *pattern, const char *name)
{
  bool accepted = false;
  for (uint32_t i = 0; i < pattern->n; i++)
    for (uint32_t a = 0; !accepted && a < pattern->colors[i]; a++)
      accepted = strcmp(ms_names_get(pattern->color_names, pattern->color[i][a]), name) == 0;
  return accepted;
}

/* True if the slots of a motif's class are for the colour, or their condition names it. */
static bool is_named(const ms_motif_class *class_, uint32_t color)
{
  bool named = class_->color == color;
  for (uint32_t i = 0; class_->condition && i < class_->condition->count; i++)
    named |= class_->condition->literal[i].color == color;
  return named;
}

/* True if the row should show this colour of a vertex: all are shown, or those of the motif or the
 * pattern. */
static bool is_shown(const ms_certificate *c, uint32_t color)
{
  bool shown = !c->result.header.shown_colors;
  if (!shown && c->pattern)
    return is_accepted(c->pattern, ms_coloring_name(c->coloring, color));
  for (uint32_t i = 0; !shown && i < c->motif->n_classes; i++)
    shown = is_named(&c->motif->class_[i], color);
  return shown;
}

static ms_status check_vertex_colors(ms_certificate *c, uint32_t v)
{
  const ms_result_row *row = &c->result.row;
  uint32_t count = 0, shown = 0;
  const uint32_t *colors = c->coloring ? ms_coloring_of(c->coloring, v, &count) : NULL;
  bool same = true;
  for (uint32_t i = 0; same && i < count; i++) {
    if (!is_shown(c, colors[i]))
      continue;
    same = shown < row->vertex.n_colors &&
           strcmp(ms_coloring_name(c->coloring, colors[i]), row->vertex.colors[shown]) == 0;
    shown++;
  }
  return same && shown == row->vertex.n_colors
             ? MS_OK
             : ms_result_refuse(&c->result, row->line,
                                "the colours of '%.100s' are not those of the colour file%s",
                                row->vertex.vertex,
                                c->result.header.shown_colors ? " that the motif names" : "");
}

/* Checks the type of a vertex, which stands in place of colours. */
static ms_status check_vertex_type(ms_certificate *c, uint32_t v)
{
  const ms_result_row *row = &c->result.row;
  const char *type = ms_names_get(c->typed->vertex_types, c->typed->rows.vertex_type[v]);
  return row->vertex.n_colors == 1 && strcmp(row->vertex.colors[0], type) == 0
             ? MS_OK
             : ms_result_refuse(&c->result, row->line, "the type of '%.100s' is '%.100s'",
                                row->vertex.vertex, type);
}

/* True if the number of repetitions fits the flag.  The sieve decides the flags of a motif.  It
 * goes before the search for a pattern, which does not flag all that the sieve leaves. */
static bool repetitions_fit(const ms_result_header *h, const ms_result_row *row)
{
  bool sieved = row->vertex.repetitions > 0;
  if (h->kind == MS_KIND_SCREEN && h->mode != MS_MODE_EXACT)
    return row->vertex.flagged == sieved;
  return h->mode == MS_MODE_EXACT ? !sieved : sieved || !row->vertex.flagged;
}

static ms_status check_flag(ms_certificate *c)
{
  const ms_result_row *row = &c->result.row;
  if (!repetitions_fit(&c->result.header, row)) {
    return ms_result_refuse(&c->result, row->line, "'%.100s' is %sflagged by %llu repetitions",
                            row->vertex.vertex, row->vertex.flagged ? "" : "not ",
                            (unsigned long long)row->vertex.repetitions);
  }
  if (row->vertex.repetitions > c->result.header.repetitions) {
    return ms_result_refuse(&c->result, row->line,
                            "'%.100s' is flagged by more repetitions than were run",
                            row->vertex.vertex);
  }
  if (!row->vertex.flagged && !c->result.header.all_rows) {
    return ms_result_refuse(&c->result, row->line,
                            "'%.100s' is not flagged and has a row, but 'rows' is not 'all'",
                            row->vertex.vertex);
  }
  return MS_OK;
}

/* True if each vertex has to have a row: in a part of the matches of each vertex, too. */
static bool has_all_rows(const ms_certificate *c)
{
  const ms_result_header *h = &c->result.header;
  return h->all_rows || (c->matches_of && h->has & MS_HAS_PART);
}

/* Checks that a vertex without a match has a row only if all vertices have one. */
static ms_status check_number(ms_certificate *c)
{
  const ms_result_row *row = &c->result.row;
  if (row->vertex.matches > 0 || has_all_rows(c))
    return MS_OK;
  return ms_result_refuse(&c->result, row->line,
                          "'%.100s' is in no match and has a row, but 'rows' is not 'all'",
                          row->vertex.vertex);
}

/* Checks that a match is not farther than the header allows. */
static ms_status check_level(ms_certificate *c)
{
  const ms_result_header *h = &c->result.header;
  const ms_result_row *row = &c->result.row;
  if (row->vertex.missing <= h->max_missing && row->vertex.extra <= h->max_extra)
    return MS_OK;
  return ms_result_refuse(
      &c->result, row->line,
      "'%.100s' has more empty slots or further vertices than the header allows",
      row->vertex.vertex);
}

static ms_status check_vertex(ms_certificate *c, uint32_t *last, ms_error *err)
{
  const ms_result_row *row = &c->result.row;
  uint32_t v;
  MS_TRY(ms_find_named(c, row->line, row->vertex.vertex, &v));
  if (c->rows && (c->positions ? v < *last : v <= *last)) {
    return ms_result_refuse(&c->result, row->line, "'%.100s' %s", row->vertex.vertex,
                            v == *last ? "repeats the row before it" : "is not in graph order");
  }
  if (row->vertex.label)
    MS_TRY(ms_check_label(c, row->line, v, row->vertex.label));
  MS_TRY(c->typed ? check_vertex_type(c, v) : check_vertex_colors(c, v));
  MS_TRY(c->positions    ? ms_take_position(c, v, has_all_rows(c))
         : c->matches_of ? check_number(c)
         : c->missing    ? check_level(c)
                         : check_flag(c));
  *last = v;
  c->flagged[v] = row->vertex.flagged;
  if (c->score)
    c->score[v] = (float)row->vertex.score;
  if (c->best_sum)
    c->best_sum[v] = (uint32_t)row->vertex.best_sum;
  if (c->n_sums && row->vertex.flagged)
    MS_TRY(ms_keep_sums(c, v, err));
  if (c->matches_of)
    c->matches_of[v] = row->vertex.matches;
  if (c->missing) {
    c->missing[v] = (uint8_t)row->vertex.missing;
    c->extra[v] = (uint8_t)row->vertex.extra;
    bool has_cost = c->result.header.substitutes.path;
    c->cost[v] = (uint32_t)(has_cost ? row->vertex.cost : row->vertex.missing + row->vertex.extra);
  }
  if (row->vertex.flagged &&
      (c->least_repetitions == 0 || row->vertex.repetitions < c->least_repetitions))
    c->least_repetitions = row->vertex.repetitions;
  c->row_of[v] = (uint32_t)++c->rows;
  c->report->rows = c->rows;
  return MS_OK;
}

/* Checks the numbers of rows that the header and the last line state. */
static ms_status check_totals(ms_certificate *c)
{
  const ms_result_header *h = &c->result.header;
  uint64_t found = c->rows, each = c->positions ? ms_positions_count(c->positions) : 1;
  if (has_all_rows(c) && c->rows != h->vertices * each)
    return ms_result_refuse(&c->result, 0,
                            each > 1 ? "all %u vertices should have a row for each position, but "
                                       "there are %llu rows"
                                     : "all %u vertices should have a row, but %llu have one",
                            h->vertices, (unsigned long long)c->rows);
  if (c->positions)
    return ms_check_positions(c);
  for (uint32_t v = 0; h->all_rows && v < h->vertices; v++)
    found -= !c->flagged[v];
  if (!c->matches_of && found != h->found)
    return ms_result_refuse(&c->result, h->line[MS_PART_FOUND],
                            "the header says %llu flagged vertices, but there are %llu",
                            (unsigned long long)h->found, (unsigned long long)found);
  return MS_OK;
}

ms_status ms_check_vertices(ms_certificate *c, ms_error *err)
{
  uint32_t n = c->result.header.vertices, last = 0;
  bool more;
  c->row_of = ms_calloc(n, sizeof *c->row_of);
  c->flagged = ms_calloc(n, sizeof *c->flagged);
  bool taking = c->result.header.kind == MS_KIND_PARTICIPATION;
  if (c->result.header.kind & MS_KINDS_OF_POSITIONS)
    MS_TRY(ms_open_positions(c, err));
  c->matches_of = taking ? ms_calloc(n, sizeof *c->matches_of) : NULL;
  bool nearest = c->result.header.kind == MS_KIND_NEAREST, profile = c->result.header.profile;
  c->missing = nearest ? ms_calloc(n, 1) : NULL;
  c->extra = nearest ? ms_calloc(n, 1) : NULL;
  c->cost = nearest ? ms_calloc(n, sizeof *c->cost) : NULL;
  c->score = profile ? ms_calloc(n, sizeof *c->score) : NULL;
  bool sums = c->result.header.vertex_scores.path;
  c->best_sum = sums ? ms_calloc(n, sizeof *c->best_sum) : NULL;
  bool all_sums = sums && c->result.header.all_sums;
  c->sums_from = all_sums ? ms_calloc(n, sizeof *c->sums_from) : NULL;
  c->n_sums = all_sums ? ms_calloc(n, sizeof *c->n_sums) : NULL;
  if ((all_sums && (!c->sums_from || !c->n_sums)) || !c->row_of || !c->flagged ||
      (taking && !c->matches_of) || (profile && !c->score) || (sums && !c->best_sum) ||
      (nearest && (!c->missing || !c->extra || !c->cost)))
    return ms_fail_memory(err, "the rows of the result file");
  MS_TRY(ms_result_next_row(&c->result, &more, err));
  while (more && !ms_is_stopped(c)) {
    MS_TRY(check_vertex(c, &last, err));
    MS_TRY(ms_result_next_row(&c->result, &more, err));
  }
  return more ? MS_OK : check_totals(c);
}
