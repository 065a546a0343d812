/* Reads the rows of a census that is checked: the colours that count, and the motifs with their
 * numbers, in their order.  census_recount.c checks the numbers. */
#include "verify/census.h"

#include "base/alloc.h"
#include "base/status.h"
#include "query/query.h"
#include "verify/statistics/permuted.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef ms_census_number number;

void ms_verify_census_free(ms_verify_census *w)
{
  if (w) {
    ms_coloring_free(w->coloring);
    ms_verify_orbits_free(w->orbits);
    ms_free(w->stated);
    ms_free(w->line);
    ms_free(w->share);
    ms_free(w->statistic);
    ms_free(w->counted);
    ms_free(w->fits);
    ms_free(w->taking);
    ms_free(w->absent);
    ms_free(w->set);
    ms_free(w);
  }
}

/* ---- the colours ---------------------------------------------------------------------- */

/* Fills counts[colours] with 1 for the colours that the header's list names, or for all. */
static ms_status mark_colors(ms_certificate *c, uint8_t *counts, uint32_t colors)
{
  const ms_result_header *h = &c->result.header;
  memset(counts, h->census.n_only == 0, colors);
  for (uint32_t i = 0; i < h->census.n_only; i++) {
    uint32_t color = ms_coloring_find(c->coloring, h->census.only[i]);
    if (color == MS_NO_ID || strcmp(ms_coloring_name(c->coloring, color), h->census.only[i]) != 0)
      return ms_result_refuse(&c->result, h->line[MS_PART_ONLY], "'%.100s' is not a colour",
                              h->census.only[i]);
    counts[color] = 1;
  }
  return MS_OK;
}

/* Makes a colouring in which all vertices are alike, for shapes without colours. */
static ms_status color_alike(ms_certificate *c, ms_error *err)
{
  static const char *const any[] = {"any"};
  uint32_t n = c->result.header.vertices;
  uint32_t(*pair)[2] = ms_calloc(n, sizeof *pair);
  if (!pair)
    return ms_fail_memory(err, "the colours of a census");
  for (uint32_t v = 0; v < n; v++)
    pair[v][0] = v;
  ms_status status = ms_coloring_from_pairs(c->graph, n, (const uint32_t(*)[2])pair, 1, any,
                                            &c->census->coloring, err);
  ms_free(pair);
  return status;
}

/* Makes the colouring with only the colours that count. */
static ms_status restrict_colors(ms_certificate *c, const uint8_t *counts, uint32_t colors,
                                 ms_error *err)
{
  uint32_t n = c->result.header.vertices;
  uint32_t(*pair)[2] = ms_alloc(c->result.header.assignments, sizeof *pair);
  const char **name = ms_alloc(colors, sizeof *name);
  uint64_t pairs = 0;
  ms_status status = pair && name ? MS_OK : ms_fail_memory(err, "the colours of a census");
  for (uint32_t i = 0; name && i < colors; i++)
    name[i] = ms_coloring_name(c->coloring, i);
  for (uint32_t v = 0; status == MS_OK && v < n; v++) {
    uint32_t own;
    const uint32_t *color = ms_coloring_of(c->coloring, v, &own);
    for (uint32_t i = 0, taken = 0; i < own; i++)
      if (counts[color[i]] && !(c->result.header.census.primary && taken++)) {
        pair[pairs][0] = v;
        pair[pairs++][1] = color[i];
      }
  }
  if (status == MS_OK)
    status = ms_coloring_from_pairs(c->graph, pairs, (const uint32_t(*)[2])pair, colors, name,
                                    &c->census->coloring, err);
  ms_free(pair);
  ms_free(name);
  return status;
}

ms_status ms_open_census(ms_certificate *c, ms_error *err)
{
  const ms_result_header *h = &c->result.header;
  c->census = ms_calloc(1, sizeof *c->census);
  uint8_t *counts = ms_alloc(h->colors, sizeof *counts);
  ms_status status = c->census && counts ? MS_OK : ms_fail_memory(err, "a census");
  if (status == MS_OK) {
    c->census->c = c;
    c->census->k = h->k;
    c->census->of_vertices = h->kind == MS_KIND_VERTEX_CENSUS;
    c->census->of_shapes = h->has & MS_HAS_SHAPES;
    if (c->coloring)
      status = mark_colors(c, counts, h->colors);
    else if (h->census.n_only > 0 || h->census.primary)
      status = ms_result_refuse(&c->result, h->line[MS_PART_ONLY],
                                "the header chooses colours, and there are none");
  }
  if (status == MS_OK && !c->result.refused)
    status = c->coloring ? restrict_colors(c, counts, h->colors, err) : color_alike(c, err);
  if (status == MS_OK && !c->result.refused && c->census->of_shapes && c->census->of_vertices)
    status = ms_verify_orbits_open(c, &c->census->orbits, err);
  if (status == MS_OK && !c->result.refused && h->has & MS_HAS_PERMUTATIONS)
    status = ms_check_permuted_head(&c->result, c->census->coloring);
  ms_free(counts);
  return status;
}

/* ---- rows ----------------------------------------------------------------------------- */

int ms_verify_census_order(const void *a, const void *b)
{
  const number *x = a, *y = b;
  if (x->vertex != y->vertex)
    return x->vertex < y->vertex ? -1 : 1;
  if (x->sets != y->sets)
    return x->sets < y->sets ? 1 : -1;
  for (uint32_t i = 0; i < MS_MAX_CENSUS; i++)
    if (x->color[i] != y->color[i])
      return x->color[i] < y->color[i] ? -1 : 1;
  return 0;
}

static bool has_statistics(const ms_result_header *h)
{
  return h->has & (MS_HAS_SIGNIFICANCE | MS_HAS_PERMUTATIONS);
}

/* Returns the statistic by which the file is sorted, so that the least one comes first; the columns
 * z, p and q have the same places in both kinds of statistics. */
static double order_value(const ms_verify_census *w, uint64_t row)
{
  static const uint32_t column[] = {[MS_CENSUS_BY_Z] = MS_STAT_Z,
                                    [MS_CENSUS_BY_P] = MS_STAT_P,
                                    [MS_CENSUS_BY_Q] = MS_STAT_Q,
                                    [MS_CENSUS_BY_P_LESS] = MS_STAT_P_LESS,
                                    [MS_CENSUS_BY_Q_LESS] = MS_STAT_Q_LESS};
  const ms_result_header *h = &w->c->result.header;
  bool formula = h->has & MS_HAS_SIGNIFICANCE;
  uint32_t sort = h->census.sort;
  double value = w->statistic[row][(formula ? 0 : MS_STAT_PERMUTED) + column[sort]];
  if (isnan(value))
    return (double)INFINITY;
  return sort == MS_CENSUS_BY_Z ? -value : value;
}

/* True if the next row, which is behind all others in the table, comes behind the last one. */
static bool is_in_order(const ms_verify_census *w)
{
  const number *next = &w->stated[w->rows];
  if (w->rows == 0)
    return true;
  if (w->c->result.header.census.sort != MS_CENSUS_BY_SETS) {
    double last = order_value(w, w->rows - 1), value = order_value(w, w->rows);
    if (last != value)
      return last < value;
  }
  return ms_verify_census_order(next - 1, next) < 0;
}

static bool make_row_room(ms_verify_census *w)
{
  uint64_t room = 2 * w->room + 256;
  if (w->rows < w->room)
    return true;
  bool ok = ms_enlarge(&w->stated, w->room, room, sizeof *w->stated) &&
            ms_enlarge(&w->line, w->room, room, sizeof *w->line) &&
            ms_enlarge(&w->share, w->room, room, sizeof *w->share) &&
            (!has_statistics(&w->c->result.header) ||
             ms_enlarge(&w->statistic, w->room, room, sizeof *w->statistic));
  w->room = ok ? room : w->room;
  return ok;
}

static ms_status take_row(ms_certificate *c, ms_error *err)
{
  ms_verify_census *w = c->census;
  const ms_result_row *row = &c->result.row;
  if (!make_row_room(w))
    return ms_fail_memory(err, "the rows of the result file");
  number *next = &w->stated[w->rows];
  *next = (number){.sets = row->census.sets};
  if (w->of_vertices)
    MS_TRY(ms_find_named(c, row->line, row->census.vertex, &next->vertex));
  if (w->of_shapes)
    MS_TRY(ms_verify_shape_row(c, next->color, err));
  else
    MS_TRY(ms_verify_motif(c, row->census.motif, w->coloring, w->k, c->result.header.colors,
                           next->color, err));
  if (c->result.refused)
    return MS_OK;
  bool may_be_absent = ms_verify_census_has_absent(&c->result.header);
  bool is_part = c->result.header.has & MS_HAS_PART;
  uint32_t ids = c->coloring ? w->k : 0;
  if (is_part && (row->census.n_ids != ids ||
                  memcmp(row->census.color_id, next->color, ids * sizeof *next->color) != 0))
    return ms_result_refuse(&c->result, row->line, "color_ids are not those of the motif");
  if (w->statistic)
    memcpy(w->statistic[w->rows], row->census.statistic, sizeof *w->statistic);
  if ((row->census.sets == 0 && !may_be_absent) ||
      (!is_part && row->census.sets < c->result.header.census.min_count))
    return ms_result_refuse(&c->result, row->line, "the motif has fewer sets than a row needs");
  if (!is_in_order(w))
    return ms_result_refuse(&c->result, row->line, "the row is out of order");
  if (c->result.header.has & MS_HAS_PERMUTATIONS)
    MS_TRY(ms_check_permuted_row(&c->result, row->census.statistic, row->census.sets));
  w->line[w->rows] = row->line;
  w->share[w->rows++] = row->census.share;
  c->report->rows = ++c->rows;
  return MS_OK;
}

/* Checks that the end of the file fits its rows, and that a census which was stopped has none. */
static ms_status check_totals(ms_certificate *c)
{
  const ms_result_header *h = &c->result.header;
  bool stopped = h->status != MS_RESULT_COMPLETE;
  if (h->has & MS_HAS_PERMUTATIONS && stopped != (h->permutations.done < h->permutations.asked))
    return ms_result_refuse(&c->result, 0, "the status does not fit the number of permutations");
  if (stopped && h->kind == MS_KIND_CENSUS && !(h->has & MS_HAS_PERMUTATIONS) &&
      (c->rows > 0 || h->census.sets > 0 || h->motifs_found > 0))
    return ms_result_refuse(&c->result, 0,
                            "a census that was stopped has no numbers, but this file has some");
  return MS_OK;
}

ms_status ms_check_census(ms_certificate *c, ms_error *err)
{
  const ms_result_header *h = &c->result.header;
  bool more;
  if (c->census->orbits)
    return ms_verify_orbits_check(c->census->orbits, err);
  if (h->census.sort != MS_CENSUS_BY_SETS && !has_statistics(h))
    return ms_result_refuse(&c->result, 0, "the header has 'sort', and no statistics");
  MS_TRY(ms_result_next_row(&c->result, &more, err));
  while (more && !ms_is_stopped(c)) {
    MS_TRY(take_row(c, err));
    MS_TRY(ms_result_next_row(&c->result, &more, err));
  }
  if (!more && !c->result.refused && c->census->of_shapes)
    MS_TRY(ms_verify_profile(c));
  return more || c->result.refused ? MS_OK : check_totals(c);
}

/* ---- motifs without a row -------------------------------------------------------------------- */

ms_status ms_census_left_out(const ms_verify_census *w, uint64_t most, ms_census_number **out,
                             uint64_t *count, ms_error *err)
{
  ms_census_number *sorted = ms_alloc(w->rows, sizeof *sorted);
  *out = NULL;
  *count = 0;
  for (uint64_t i = 0; i < w->places; i++)
    *count += w->counted[i].sets > 0;
  uint64_t room = *count < most ? *count : most;
  *out = ms_alloc(room, sizeof **out);
  if (!sorted || !*out) {
    ms_free(sorted);
    ms_free(*out);
    *out = NULL;
    return ms_fail_memory(err, "the motifs of a census");
  }
  memcpy(sorted, w->stated, w->rows * sizeof *sorted);
  qsort(sorted, w->rows, sizeof *sorted, ms_census_number_compare);
  *count = 0;
  for (uint64_t i = 0; i < w->places; i++) {
    const ms_census_number *n = &w->counted[i];
    if (n->sets == 0 || bsearch(n, sorted, w->rows, sizeof *sorted, ms_census_number_compare))
      continue;
    if (*count < room)
      (*out)[*count] = *n;
    ++*count;
  }
  ms_free(sorted);
  return MS_OK;
}
