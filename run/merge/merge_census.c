/* Merges parts of a census: adds the numbers of sets of each motif. */
#include "run/merge/merge.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "base/status.h"
#include "base/threads/stop.h"
#include "census/shapes/code.h"
#include "run/write/write.h"

#include <stdlib.h>
#include <string.h>

/* A motif; its colours, ascending, and zeros behind them.  In the last place is the code of a
 * shape. */
typedef struct sum {
  uint32_t color[MS_MAX_CENSUS];
  uint64_t sets; /* 0: the place is free */
  char *text;
} sum;

typedef struct sums {
  sum *sum; /* [places] */
  uint64_t places, used;
  uint64_t all; /* sets of all parts */
} sums;

static sum *find(sum *table, uint64_t places, const uint32_t *color)
{
  uint64_t at = ms_hash_bytes(ms_hash_key_get(), color, sizeof table->color) & (places - 1);
  while (table[at].sets > 0 && memcmp(table[at].color, color, sizeof table->color) != 0)
    at = (at + 1) & (places - 1);
  return &table[at];
}

static ms_status grow(sums *s, ms_error *err)
{
  uint64_t places = s->places ? 2 * s->places : 1024;
  sum *larger = ms_calloc(places, sizeof *larger);
  if (!larger)
    return ms_fail_memory(err, "the motifs of all parts");
  for (uint64_t i = 0; i < s->places; i++)
    if (s->sum[i].sets > 0)
      *find(larger, places, s->sum[i].color) = s->sum[i];
  ms_free(s->sum);
  s->sum = larger;
  s->places = places;
  return MS_OK;
}

static ms_status fail_overflow(ms_error *err)
{
  return ms_fail(err, MS_ERR_USAGE,
                 "a number of sets is 2^63 or more, which a census does not count; lower `k`");
}

static ms_status refuse_shape(const ms_merging *m, uint32_t i, ms_error *err)
{
  const ms_result *r = &m->part[i].result;
  return ms_fail(err, MS_ERR_INPUT,
                 "%s:%llu: refused: the columns of the shape '%.100s' do not fit each other",
                 m->path[i], (unsigned long long)r->row.line, r->row.census.motif);
}

ms_status ms_merging_check_shape(const ms_merging *m, uint32_t i, const uint32_t *color,
                                 uint32_t *code, ms_error *err)
{
  const ms_result *r = &m->part[i].result;
  const ms_census_row *row = &r->row.census;
  uint32_t k = r->header.k, read, first[MS_MAX_CENSUS] = {0};
  bool directed;
  ms_error why;
  ms_shape_info info;
  ms_multiset key;
  char *text = NULL;
  if (ms_shape_parse(row->graph6, &read, &directed, code, &why) != MS_OK || read != k ||
      directed != r->header.graph.directed)
    return refuse_shape(m, i, err);
  memset(&key, 0xff, sizeof key);
  for (uint32_t v = 0; v < k; v++) { /* kinds that ascend with the colours */
    first[v] = v > 0 ? first[v - 1] + (color && color[v] != color[v - 1]) : 0;
    key.kind[v] = (ms_kind_id)first[v];
  }
  ms_graphlet_set_code(&key, *code);
  MS_TRY(ms_shape_describe(k, directed, *code, color, &info, err));
  bool has_colors = r->header.has & MS_HAS_COLORS, knows_colors = color || !has_colors;
  bool right = !knows_colors || ms_graphlet_key_is_right(ms_graphlet_form_of(k, directed), k, &key);
  right = right && strcmp(row->name, info.name[0] ? info.name : MS_NO_VALUE) == 0 &&
          row->edges == info.edges && (!knows_colors || row->automorphisms == info.automorphisms);
  if (right && !has_colors) {
    MS_TRY(ms_shape_pattern(k, directed, *code, NULL, &text, err));
    right = strcmp(text, row->motif) == 0;
    ms_free(text);
  }
  return right ? MS_OK : refuse_shape(m, i, err);
}

static ms_status add_row(ms_merging *m, uint32_t i, sums *s, ms_error *err)
{
  const ms_result *r = &m->part[i].result;
  uint32_t color[MS_MAX_CENSUS] = {0};
  memcpy(color, r->row.census.color_id, r->row.census.n_ids * sizeof *color);
  if (r->header.has & MS_HAS_SHAPES)
    MS_TRY(ms_merging_check_shape(m, i, r->header.has & MS_HAS_COLORS ? color : NULL,
                                  &color[MS_MAX_CENSUS - 1], err));
  if (2 * s->used >= s->places)
    MS_TRY(grow(s, err));
  sum *place = find(s->sum, s->places, color);
  if (r->row.census.sets == 0)
    return ms_fail(err, MS_ERR_INPUT, "%s:%llu: refused: the motif has no sets", m->path[i],
                   (unsigned long long)r->row.line);
  if (place->sets > 0 && strcmp(place->text, r->row.census.motif) != 0)
    return ms_fail(err, MS_ERR_INPUT,
                   "%s:%llu: refused: the motif '%.100s' has the colours of '%.100s' in another "
                   "part",
                   m->path[i], (unsigned long long)r->row.line, r->row.census.motif, place->text);
  if (place->sets == 0) {
    place->text = ms_strdup(r->row.census.motif);
    if (!place->text)
      return ms_fail_memory(err, "the motifs of all parts");
    memcpy(place->color, color, sizeof color);
    s->used++;
  }
  if (__builtin_add_overflow(place->sets, r->row.census.sets, &place->sets) ||
      place->sets > INT64_MAX) {
    place->sets = INT64_MAX;
    return fail_overflow(err);
  }
  return MS_OK;
}

static ms_status read_part(ms_merging *m, uint32_t i, sums *s, ms_error *err)
{
  bool more;
  MS_TRY(ms_merging_open_rows(m, i, err));
  uint64_t sets = m->part[i].result.header.census.sets;
  if (__builtin_add_overflow(s->all, sets, &s->all) || s->all > INT64_MAX)
    return fail_overflow(err);
  MS_TRY(ms_merging_next_row(m, i, &more, err));
  for (uint64_t row = 0; more; row++) {
    if (row % 4096 == 0)
      MS_TRY(ms_stop_poll("parts are merged", err));
    MS_TRY(add_row(m, i, s, err));
    MS_TRY(ms_merging_next_row(m, i, &more, err));
  }
  ms_merging_close_rows(m, i);
  return MS_OK;
}

/* Compares by falling numbers of sets, then by colours: the order of a census. */
static int by_order(const void *a, const void *b)
{
  const sum *x = a, *y = b;
  if (x->sets != y->sets)
    return x->sets < y->sets ? 1 : -1;
  for (uint32_t i = 0; i < MS_MAX_CENSUS; i++)
    if (x->color[i] != y->color[i])
      return x->color[i] < y->color[i] ? -1 : 1;
  return 0;
}

static ms_status write_rows(ms_merging *m, sums *s, ms_error *err)
{
  ms_writer *w = &m->writer;
  ms_result_header *h = &w->header;
  ms_names *none;
  h->status = MS_RESULT_COMPLETE;
  h->census.sets = s->all;
  h->motifs_found = s->used;
  MS_TRY(ms_names_new(&none, err));
  ms_status status = ms_writer_begin(w, none, err);
  for (uint64_t i = 0; i < s->used && status == MS_OK; i++) {
    const sum *row = &s->sum[i];
    if (row->sets < h->census.min_count || (h->top > 0 && i == h->top))
      break;
    if (i % 4096 == 0) {
      ms_merging_report(m, "rows written", i, s->used);
      status = ms_stop_poll("parts are merged", err);
    }
    ms_census_row next = ms_writing_census_row(h, row->text, row->sets);
    ms_shape_info info;
    if (status == MS_OK && h->has & MS_HAS_SHAPES)
      status = ms_shape_describe(h->k, h->graph.directed, row->color[MS_MAX_CENSUS - 1],
                                 h->has & MS_HAS_COLORS ? row->color : NULL, &info, err);
    if (status == MS_OK && h->has & MS_HAS_SHAPES)
      ms_writing_shape(&info, &next);
    if (status == MS_OK)
      status = ms_writer_row(w, &next, err);
  }
  if (status == MS_OK)
    status = ms_writer_end(w, err);
  ms_names_free(none);
  m->rows = w->rows;
  return status;
}

ms_status ms_merge_census(ms_merging *m, ms_error *err)
{
  sums s = {0};
  ms_status status = MS_OK;
  for (uint32_t i = 0; i < m->count && status == MS_OK; i++) {
    status = read_part(m, i, &s, err);
    ms_merging_report(m, "parts merged", i + 1, m->count);
  }
  if (status == MS_OK) {
    uint64_t count = 0;
    for (uint64_t i = 0; i < s.places; i++)
      if (s.sum[i].sets > 0) {
        sum moved = s.sum[i];
        s.sum[i] = (sum){.sets = 0};
        s.sum[count++] = moved;
      }
    if (count > 0)
      qsort(s.sum, count, sizeof *s.sum, by_order);
    status = write_rows(m, &s, err);
  }
  for (uint64_t i = 0; i < s.places; i++)
    ms_free(s.sum[i].text);
  ms_free(s.sum);
  return status;
}
