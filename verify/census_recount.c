/* Recounts a census that is checked.  A number of sets shows nothing by itself, so that the sets
 * are listed one by one and counted again: by the search that recounts the matches of a motif, here
 * for a motif of wildcards.  The rows must then be those that the counts give.  If there is no time
 * for that, some motifs of the file are recounted by themselves, and the check is unfinished. */
#include "verify/census.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "base/status.h"
#include "base/threads/stop.h"
#include "query/query.h"
#include "verify/recount.h"
#include "verify/statistics/permuted.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SAMPLE 64u          /* motifs that are recounted by themselves */
#define REPORT_SETS 65536u  /* sets between two reports of progress */
#define SHARE_ERROR 0.00001 /* of a share with six digits, relative */

typedef ms_census_number number;

/* ---- the recount ---------------------------------------------------------------------- */

/* Returns the entry of the vertex and motif, or the free one where it belongs. */
static number *find_place(number *table, uint64_t places, const number *key)
{
  uint64_t at = ms_hash_bytes(ms_hash_key_get(), key, offsetof(number, color) + sizeof key->color) &
                (places - 1);
  while (table[at].sets > 0 && (table[at].vertex != key->vertex ||
                                memcmp(table[at].color, key->color, sizeof key->color) != 0))
    at = (at + 1) & (places - 1);
  return &table[at];
}

static bool grow_table(ms_verify_census *w)
{
  uint64_t places = w->places ? 2 * w->places : 1024;
  number *table = ms_calloc(places, sizeof *table);
  if (!table)
    return false;
  for (uint64_t i = 0; i < w->places; i++)
    if (w->counted[i].sets > 0)
      *find_place(table, places, &w->counted[i]) = w->counted[i];
  ms_free(w->counted);
  w->counted = table;
  w->places = places;
  return true;
}

static bool add_sets(ms_verify_census *w, const number *key, uint64_t sets)
{
  if (2 * w->used >= w->places && !grow_table(w))
    return false;
  number *place = find_place(w->counted, w->places, key);
  if (place->sets == 0) {
    place->vertex = key->vertex;
    memcpy(place->color, key->color, sizeof place->color);
    w->used++;
  }
  place->sets += sets;
  return true;
}

static int by_colors(const void *a, const void *b)
{
  const number *x = a, *y = b;
  for (uint32_t i = 0; i < MS_MAX_CENSUS; i++)
    if (x->color[i] != y->color[i])
      return x->color[i] < y->color[i] ? -1 : 1;
  return 0;
}

/* Lists in w->fits the motifs that the set fits, perhaps some of them several times, and returns
 * their number: one colour after the other goes into its place.  UINT64_MAX: no memory. */
static uint64_t list_fits(ms_verify_census *w, const uint32_t *set)
{
  uint32_t own[MS_MAX_CENSUS], digit[MS_MAX_CENSUS] = {0}, i;
  const uint32_t *color[MS_MAX_CENSUS];
  uint64_t count = 0;
  for (i = 0; i < w->k; i++) {
    color[i] = ms_coloring_of(w->coloring, set[i], &own[i]);
    if (own[i] == 0)
      return 0;
  }
  do {
    if (!MS_GROW(w->fits, w->fit_room, count, 1))
      return UINT64_MAX;
    number *next = &w->fits[count++];
    *next = (number){0};
    for (i = 0; i < w->k; i++) {
      uint32_t at = i, c = color[i][digit[i]];
      for (; at > 0 && next->color[at - 1] > c; at--)
        next->color[at] = next->color[at - 1];
      next->color[at] = c;
    }
    for (i = 0; i < w->k && ++digit[i] == own[i]; i++) /* as a number is counted up */
      digit[i] = 0;
  } while (i < w->k);
  return count;
}

/* Counts a set for each motif that it fits; an ms_found_fn. */
static bool note_set(void *user, const uint32_t *set)
{
  ms_verify_census *w = user;
  const ms_verify_options *o = w->c->options;
  uint64_t count = list_fits(w, set);
  if (w->taking && count > 0 && count < UINT64_MAX) {
    for (uint32_t i = 0; i < w->k; i++)
      w->taking[set[i]]++;
    if (w->sets < MS_STORED_SETS)
      memcpy(w->set[w->sets], set, w->k * sizeof *set);
  }
  w->full = count == UINT64_MAX;
  if (w->full || count == 0)
    return !w->full;
  if (count > 1)
    qsort(w->fits, count, sizeof *w->fits, by_colors);
  for (uint64_t f = 0; f < count && !w->full; f++) {
    number key = w->fits[f];
    if (w->of_shapes)
      ms_verify_shape_of_set(w, set, &key);
    if (f > 0 && by_colors(&w->fits[f - 1], &key) == 0)
      continue;
    for (uint32_t i = 0; i < (w->of_vertices ? w->k : 1) && !w->full; i++) {
      key.vertex = w->of_vertices ? set[i] : 0;
      w->full = !add_sets(w, &key, 1);
    }
  }
  if (++w->sets % REPORT_SETS == 0)
    ms_limits_report(&o->run, "sets recounted", w->sets, 0);
  return !w->full;
}

/* Lists all connected sets of k vertices. */
static ms_status list_sets(ms_certificate *c, ms_error *err)
{
  char text[8];
  ms_backtracker *backtracker = NULL;
  mpz_t count;
  snprintf(text, sizeof text, "*:%u", c->census->k);
  mpz_init(count);
  ms_status status = ms_motif_parse(text, c->census->coloring, &c->motif, err);
  if (status == MS_OK)
    status = ms_query_new(c->graph, c->census->coloring, c->motif, 0, NULL, &c->query, err);
  if (status == MS_OK)
    status = ms_backtracker_new(c->query, false, c->recount_stop, &backtracker, err);
  if (status == MS_OK)
    status = ms_note_stop(c, ms_backtracker_list(backtracker, count, note_set, c->census, err));
  ms_backtracker_free(backtracker);
  mpz_clear(count);
  return c->census->full ? ms_fail_memory(err, "the recount") : status;
}

/* ---- comparison ----------------------------------------------------------------------- */

/* Returns the number of the vertex behind the last one that a census of vertices has counted: of
 * those with colours, it counts as many as the end says.  Refuses a wrong number. */
static ms_status find_end(ms_certificate *c, uint32_t *end)
{
  const ms_result_header *h = &c->result.header;
  uint64_t colored = 0;
  uint32_t own;
  for (*end = 0;
       *end < h->vertices && (colored < h->motifs_found || h->status == MS_RESULT_COMPLETE);
       ++*end) {
    (void)ms_coloring_of(c->census->coloring, *end, &own);
    colored += own > 0;
  }
  if (colored == h->motifs_found)
    return MS_OK;
  return ms_result_refuse(&c->result, 0, "%llu vertices have colours, but the end says %llu",
                          (unsigned long long)colored, (unsigned long long)h->motifs_found);
}

/* Moves what should have rows, of vertices before `end`, to the front of the table, in the order of
 * rows, and returns their number. */
static uint64_t sort_counted(ms_verify_census *w, uint32_t end)
{
  const ms_result_header *h = &w->c->result.header;
  uint64_t count = 0, kept = 0;
  for (uint64_t i = 0; i < w->places; i++)
    if (w->counted[i].sets > 0 && w->counted[i].sets >= h->census.min_count &&
        (!w->of_vertices || w->counted[i].vertex < end)) {
      const number kept_back = w->counted[count]; /* the table still has all motifs */
      w->counted[count++] = w->counted[i];
      w->counted[i] = kept_back;
    }
  if (count > 0)
    qsort(w->counted, count, sizeof *w->counted, ms_verify_census_order);
  for (uint64_t i = 0, of_vertex = 0; i < count; i++) {
    of_vertex = i > 0 && w->counted[i].vertex == w->counted[i - 1].vertex ? of_vertex + 1 : 1;
    /* which rows are first in another order is not known here */
    if (h->top == 0 || of_vertex <= h->top || h->census.sort != MS_CENSUS_BY_SETS)
      w->counted[kept++] = w->counted[i];
  }
  return kept;
}

static ms_status refuse_row(ms_certificate *c, uint64_t i, const number *right)
{
  ms_verify_census *w = c->census;
  const number *wrong = i < w->rows ? &w->stated[i] : NULL;
  bool same = wrong && right && wrong->vertex == right->vertex &&
              memcmp(wrong->color, right->color, sizeof right->color) == 0;
  if (same)
    return ms_result_refuse(&c->result, w->line[i], "%llu sets fit the motif, not %llu",
                            (unsigned long long)right->sets, (unsigned long long)wrong->sets);
  if (wrong)
    return ms_result_refuse(&c->result, w->line[i],
                            "the recount has another motif, or no further one, in this row");
  return ms_result_refuse(&c->result, 0, "a motif with %llu sets has no row",
                          (unsigned long long)right->sets);
}

/* Compares the shares of all rows with their numbers and that of all sets in the header. */
static ms_status check_shares(ms_certificate *c)
{
  const ms_verify_census *w = c->census;
  double all = (double)c->result.header.census.sets;
  if (c->result.header.census.subgraphs) { /* of which sets have several */
    for (uint64_t i = 0; i < w->rows; i++)
      if (!isnan(w->share[i]))
        return ms_result_refuse(&c->result, w->line[i], "subgraphs have no share of the sets");
    return MS_OK;
  }
  for (uint64_t i = 0; i < w->rows && !w->of_vertices; i++) {
    if (w->stated[i].sets > c->result.header.census.sets)
      return ms_result_refuse(&c->result, c->result.header.line[MS_PART_SETS],
                              "the header has fewer sets than fit the motif of line %llu",
                              (unsigned long long)w->line[i]);
    double share = w->stated[i].sets > 0 ? (double)w->stated[i].sets / all : 0;
    if (!(fabs(w->share[i] - share) <= SHARE_ERROR * share))
      return ms_result_refuse(&c->result, w->line[i], "the share is %g", share);
  }
  return MS_OK;
}

/* Finds the row that has the motif with another number, and refuses it; else the row itself. */
static ms_status refuse_unknown(ms_certificate *c, uint64_t row, uint64_t count)
{
  const ms_verify_census *w = c->census;
  for (uint64_t i = 0; i < count; i++)
    if (memcmp(w->counted[i].color, w->stated[row].color, sizeof w->counted[i].color) == 0)
      return refuse_row(c, row, &w->counted[i]);
  return refuse_row(c, row, NULL);
}

/* Compares rows in the order of a statistic with the numbers of the recount.  Where `top` leaves
 * out rows, which ones they should be is not checked. */
static ms_status compare_sorted(ms_certificate *c, uint64_t count, ms_error *err)
{
  const ms_result_header *h = &c->result.header;
  ms_verify_census *w = c->census;
  ms_status status = MS_OK;
  if (h->top > 0 && w->rows > h->top)
    return ms_result_refuse(&c->result, w->line[h->top], "there are more rows than 'top' says");
  bool *met = ms_calloc(count, sizeof *met);
  if (!met)
    return ms_fail_memory(err, "the recount");
  for (uint64_t i = 0; i < w->rows && status == MS_OK && !c->result.refused; i++) {
    if (w->stated[i].sets == 0 && ms_verify_census_has_absent(h))
      continue; /* ms_check_significance checks that it has no other row */
    const number *right =
        count > 0 ? bsearch(&w->stated[i], w->counted, count, sizeof *right, ms_verify_census_order)
                  : NULL;
    if (!right)
      status = refuse_unknown(c, i, count);
    else if (met[right - w->counted])
      status = ms_result_refuse(&c->result, w->line[i], "a motif has two rows");
    if (right)
      met[right - w->counted] = true;
  }
  for (uint64_t i = 0; i < count && status == MS_OK && !c->result.refused; i++)
    if (!met[i] && (h->top == 0 || w->rows < h->top))
      status = refuse_row(c, w->rows, &w->counted[i]);
  ms_free(met);
  return status;
}

/* Compares a part, whose numbers are at most those of the whole. */
static ms_status compare_part(ms_certificate *c)
{
  const ms_result_header *h = &c->result.header;
  ms_verify_census *w = c->census;
  if (h->census.sets > w->sets)
    return ms_result_refuse(&c->result, h->line[MS_PART_SETS],
                            "there are %llu connected sets, and not %llu in a part",
                            (unsigned long long)w->sets, (unsigned long long)h->census.sets);
  if (h->motifs_found != w->rows)
    return ms_result_refuse(&c->result, h->line[MS_PART_FOUND], "%llu motifs have rows, not %llu",
                            (unsigned long long)w->rows, (unsigned long long)h->motifs_found);
  for (uint64_t i = 0; i < w->rows; i++) {
    number key = w->stated[i];
    number *whole = w->places > 0 ? find_place(w->counted, w->places, &key) : NULL;
    if (!whole || whole->sets < key.sets)
      return ms_result_refuse(&c->result, w->line[i], "at most %llu sets fit the motif, not %llu",
                              (unsigned long long)(whole ? whole->sets : 0),
                              (unsigned long long)key.sets);
  }
  return MS_OK;
}

static ms_status compare(ms_certificate *c, ms_error *err)
{
  const ms_result_header *h = &c->result.header;
  ms_verify_census *w = c->census;
  uint32_t end = 0;
  if (h->has & MS_HAS_PART)
    return compare_part(c);
  if (w->of_vertices)
    MS_TRY(find_end(c, &end));
  uint64_t found = w->used, count = sort_counted(w, end);
  if (!w->of_vertices && h->census.sets != w->sets)
    return ms_result_refuse(&c->result, h->line[MS_PART_SETS],
                            "there are %llu connected sets, not %llu", (unsigned long long)w->sets,
                            (unsigned long long)h->census.sets);
  if (!w->of_vertices && h->motifs_found != found)
    return ms_result_refuse(&c->result, h->line[MS_PART_FOUND], "%llu motifs occur, not %llu",
                            (unsigned long long)found, (unsigned long long)h->motifs_found);
  if (h->census.sort != MS_CENSUS_BY_SETS)
    return compare_sorted(c, count, err);
  for (uint64_t i = 0; i < count || i < w->rows; i++) {
    const number *right = i < count ? &w->counted[i] : NULL;
    if (!right && i < w->rows && w->stated[i].sets == 0 && ms_verify_census_has_absent(h))
      continue; /* ms_check_significance checks that it has no other row */
    if (!right || i >= w->rows || ms_verify_census_order(right, &w->stated[i]) != 0)
      return refuse_row(c, i, right);
  }
  return MS_OK;
}

/* ---- a sample ------------------------------------------------------------------------- */

/* Counts the sets of one row by itself. */
static ms_status recount_row(ms_certificate *c, uint64_t i, const ms_stop *stop, ms_error *err)
{
  ms_verify_census *w = c->census;
  const number *row = &w->stated[i];
  const char *name = w->of_vertices ? ms_name_of(c, row->vertex) : NULL;
  ms_motif *motif = NULL;
  ms_query *query = NULL;
  ms_backtracker *backtracker = NULL;
  mpz_t count;
  mpz_init(count);
  ms_status status = w->of_shapes ? ms_verify_recount_shape(c, i, stop, count, err)
                                  : ms_motif_from_slots(row->color, w->k, w->coloring, &motif, err);
  if (motif)
    status = ms_query_new(c->graph, w->coloring, motif, w->of_vertices, &name, &query, err);
  if (motif && status == MS_OK)
    status = ms_backtracker_new(query, true, stop, &backtracker, err);
  if (motif && status == MS_OK)
    status = ms_backtracker_list(backtracker, count, NULL, NULL, err);
  int compared = mpz_cmp_ui(count, row->sets);
  if (status == MS_OK && (compared < 0 || (compared > 0 && !(c->result.header.has & MS_HAS_PART))))
    status = ms_result_refuse(&c->result, w->line[i], "%llu sets fit the motif, not %llu",
                              (unsigned long long)mpz_get_ui(count), (unsigned long long)row->sets);
  ms_backtracker_free(backtracker);
  ms_query_free(query);
  ms_motif_free(motif);
  mpz_clear(count);
  return status;
}

/* Recounts rows from all over the file, until the time of another recount is over. */
static ms_status recount_sample(ms_certificate *c, ms_error *err)
{
  ms_verify_census *w = c->census;
  uint64_t sample = w->rows < SAMPLE ? w->rows : SAMPLE;
  ms_stop *stop;
  MS_TRY(ms_stop_child(c->options->run.stop, c->options->recount_seconds, &stop, err));
  ms_status status = MS_OK;
  c->report->rows = 0;
  for (uint64_t s = sample; s-- > 0 && status == MS_OK;) { /* the rarest motifs first */
    status = recount_row(c, s * w->rows / sample, stop, err);
    c->report->rows += status == MS_OK;
  }
  ms_stop_free(stop);
  return ms_note_stop(c, status);
}

static ms_status open_significance(ms_verify_census *w, ms_error *err)
{
  w->taking = ms_calloc(w->c->result.header.vertices, sizeof *w->taking);
  w->set = ms_alloc(MS_STORED_SETS, sizeof *w->set);
  return w->taking && w->set ? MS_OK : ms_fail_memory(err, "the recount");
}

/* Makes the permutations again for the rows and, where the options left out rows, for the other
 * motifs that were counted, since q and p_max depend on them. */
static ms_status recount_permuted(ms_certificate *c, ms_error *err)
{
  const ms_result_header *h = &c->result.header;
  const ms_verify_census *w = c->census;
  ms_census_number *motif = NULL, *left_out = NULL;
  uint64_t more = 0;
  if (w->rows == 0)
    return MS_OK;
  /* the columns of permutations are behind those of significance */
  ms_permuted_rows rows = {.coloring = w->coloring,
                           .row = w->stated,
                           .statistic = (const double(*)[MS_STATISTICS])w->statistic,
                           .line = w->line,
                           .rows = w->rows,
                           .motifs = w->rows,
                           .sets = w->sets};
  if (h->permutations.tests > w->rows) {
    MS_TRY(ms_census_left_out(w, h->permutations.tests, &left_out, &more, err));
    uint64_t all = w->rows + more + w->n_absent;
    motif = all == h->permutations.tests ? ms_alloc(all, sizeof *motif) : NULL;
  }
  if (motif) { /* otherwise it is not known which motifs without a set are tested, too */
    memcpy(motif, w->stated, w->rows * sizeof *motif);
    memcpy(motif + w->rows, left_out, more * sizeof *motif);
    if (w->n_absent > 0)
      memcpy(motif + w->rows + more, w->absent, w->n_absent * sizeof *motif);
    rows.row = motif;
    rows.motifs = h->permutations.tests;
  }
  ms_status status = ms_recount_permuted(c, &rows, err);
  ms_free(motif);
  ms_free(left_out);
  return status;
}

ms_status ms_recount_census(ms_certificate *c, ms_error *err)
{
  const ms_result_header *h = &c->result.header;
  bool is_empty = (!c->census->of_vertices || c->census->orbits) &&
                  h->status != MS_RESULT_COMPLETE && !(h->has & MS_HAS_PERMUTATIONS);
  if (c->options->no_recount)
    return ms_fail(err, MS_ERR_USAGE,
                   "%s: numbers of sets can only be checked by a recount; leave out `no_recount`",
                   c->result.path);
  c->rows_checked = is_empty;
  if (is_empty)
    return MS_OK;
  MS_TRY(ms_stop_child(c->options->run.stop, c->options->recount_seconds, &c->recount_stop, err));
  if (c->census->orbits)
    return ms_verify_orbits_recount(c->census->orbits, c->census->coloring, err);
  bool is_tested = c->result.header.has & MS_HAS_SIGNIFICANCE;
  if (is_tested)
    MS_TRY(open_significance(c->census, err));
  MS_TRY(list_sets(c, err));
  if (c->report->run.stopped == MS_OK && h->census.subgraphs)
    MS_TRY(ms_note_stop(c, ms_verify_all_subgraphs(c->census, add_sets, err)));
  if (c->report->run.stopped != MS_OK) {
    MS_TRY(recount_sample(c, err));
    MS_TRY(check_shares(c));
    return is_tested ? ms_check_significance(c, false, err) : MS_OK;
  }
  MS_TRY(compare(c, err));
  MS_TRY(check_shares(c));
  if (is_tested)
    MS_TRY(ms_check_significance(c, true, err));
  if (ms_result_has_mean(h) && !c->result.refused)
    MS_TRY(ms_verify_means(c, err));
  c->report->recounted = c->rows_checked = true;
  return h->has & MS_HAS_PERMUTATIONS ? recount_permuted(c, err) : MS_OK;
}
