#include "base/alloc.h"
#include "base/status.h"
#include "base/threads/threads.h"
#include "census/census.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_BITS 10u

/* ---- rows --------------------------------------------------------------------------- */

ms_status ms_census_rows_add(ms_census_rows *rows, const ms_multiset *motif, uint64_t sets,
                             ms_error *err)
{
  if (!MS_GROW(rows->row, rows->room, rows->count, 1))
    return ms_fail_memory(err, "the motifs of a census");
  rows->row[rows->count++] = (ms_tally_entry){*motif, sets};
  return MS_OK;
}

/* Compares by falling numbers of sets, then by the motifs. */
static int by_sets(const void *a, const void *b)
{
  const ms_tally_entry *x = a, *y = b;
  if (x->sets != y->sets)
    return x->sets < y->sets ? 1 : -1;
  return ms_multiset_compare(&x->key, &y->key);
}

/* ---- sorting ------------------------------------------------------------------------- */

#define LEAST_PIECE 65536u /* rows that a thread sorts */

/* Rows in pieces of `length`, the last one shorter, that are in order; two become one. */
typedef struct row_pieces {
  const ms_tally_entry *from;
  ms_tally_entry *to;
  uint64_t count, length;
} row_pieces;

static void sort_pieces(void *user, ms_range range)
{
  const row_pieces *p = user;
  for (uint64_t i = range.begin; i < range.end; i++) {
    uint64_t begin = i * p->length, rest = p->count - begin;
    qsort(p->to + begin, rest < p->length ? rest : p->length, sizeof *p->to, by_sets);
  }
}

static void merge_pieces(void *user, ms_range range)
{
  const row_pieces *p = user;
  for (uint64_t i = range.begin; i < range.end; i++) {
    uint64_t a = 2 * i * p->length, next = a;
    uint64_t middle = a + p->length < p->count ? a + p->length : p->count;
    uint64_t end = middle + p->length < p->count ? middle + p->length : p->count, b = middle;
    while (next < end) {
      bool is_first = b == end || (a < middle && by_sets(&p->from[a], &p->from[b]) < 0);
      p->to[next++] = p->from[is_first ? a++ : b++];
    }
  }
}

/* Sorts on several threads; false: there is no memory, and nothing is sorted. */
static bool sort_rows(ms_census_rows *rows, int threads)
{
  row_pieces p = {.to = rows->row, .count = rows->count};
  ms_tally_entry *other = ms_alloc(rows->count, sizeof *other);
  if (!other)
    return false;
  p.length = rows->count / (uint64_t)threads + 1;
  ms_parallel(threads, (p.count + p.length - 1) / p.length, 1, sort_pieces, &p);
  for (; p.length < p.count; p.length *= 2) {
    p.from = rows->row;
    p.to = other;
    ms_parallel(threads, (p.count + 2 * p.length - 1) / (2 * p.length), 1, merge_pieces, &p);
    other = rows->row;
    rows->row = p.to;
    rows->room = rows->count;
  }
  ms_free(other);
  return true;
}

void ms_census_rows_sort(ms_census_rows *rows, const ms_census_options *options)
{
  int threads = ms_threads(options->run.threads);
  uint64_t kept = 0;
  for (uint64_t i = 0; i < rows->count; i++)
    if (rows->row[i].sets >= options->min_count)
      rows->row[kept++] = rows->row[i];
  rows->count = kept;
  if (kept > 0 && (threads < 2 || kept < 2 * LEAST_PIECE || !sort_rows(rows, threads)))
    qsort(rows->row, kept, sizeof *rows->row, by_sets);
  rows->count = options->top > 0 && kept > options->top ? options->top : kept;
}

static int by_motif(const void *a, const void *b)
{
  const ms_tally_entry *x = a, *y = b;
  return ms_multiset_compare(&x->key, &y->key);
}

void ms_census_rows_order(ms_census_rows *rows)
{
  if (rows->count > 0)
    qsort(rows->row, rows->count, sizeof *rows->row, by_motif);
}

/* ---- motifs that fit ------------------------------------------------------------------ */

ms_status ms_expander_open(ms_expander *e, const ms_census_graph *graph, uint32_t k,
                           ms_watch *watch, ms_budget *budget, ms_error *err)
{
  *e = (ms_expander){.graph = graph, .k = k, .watch = watch};
  if (!graph->single && !ms_tally_open(&e->motifs, FIRST_BITS, budget))
    return ms_census_fail_memory(graph, err);
  return MS_OK;
}

void ms_expander_close(ms_expander *e)
{
  ms_tally_close(&e->motifs);
  ms_free(e->fits[0]);
  ms_free(e->fits[1]);
  ms_free(e->met);
}

static ms_status make_room(ms_expander *e, uint64_t room, ms_error *err)
{
  for (int i = 0; i < 2 && room > e->room; i++)
    if (!ms_enlarge(&e->fits[i], e->room, room, sizeof *e->fits[i]))
      return ms_fail_memory(err, "the motifs that a set fits");
  e->room = room > e->room ? room : e->room;
  return MS_OK;
}

/* A motif, and the last round in which it was met. */
typedef struct ms_met {
  ms_multiset motif;
  uint64_t round;
} met;

/* Begins a round that meets at most so many motifs. */
static ms_status begin_round(ms_expander *e, uint64_t most, ms_error *err)
{
  e->round++;
  if (2 * most <= e->places)
    return MS_OK;
  uint64_t places = 64;
  while (places < 2 * most)
    places *= 2;
  ms_free(e->met);
  e->met = ms_calloc(places, sizeof *e->met);
  e->places = e->met ? places : 0;
  return e->met ? MS_OK : ms_fail_memory(err, "the motifs that a set fits");
}

/* True if the motif is met for the first time in this round. */
static bool is_new(ms_expander *e, const ms_multiset *motif)
{
  uint64_t at = ms_multiset_hash(motif) & (e->places - 1);
  for (; e->met[at].round == e->round; at = (at + 1) & (e->places - 1))
    if (ms_multiset_compare(&e->met[at].motif, motif) == 0)
      return false;
  e->met[at] = (met){*motif, e->round};
  return true;
}

ms_status ms_expander_add(ms_expander *e, const ms_multiset *kinds, uint64_t sets,
                          ms_census_rows *rows, ms_error *err)
{
  const ms_census_graph *g = e->graph;
  if (g->single)
    return ms_census_rows_add(rows, kinds, sets, err);
  MS_TRY(make_room(e, 64, err));
  uint64_t count = 1;
  memset(&e->fits[0][0], 0xff, sizeof e->fits[0][0]);
  for (uint32_t i = 0; i < e->k; i++) {
    uint64_t begin = g->list_offset[kinds->kind[i]], end = g->list_offset[kinds->kind[i] + 1];
    uint64_t larger = 0;
    MS_TRY(make_room(e, count * (end - begin), err));
    MS_TRY(begin_round(e, count * (end - begin), err));
    for (uint64_t f = 0; f < count; f++) {
      e->ended = e->ended || (e->watch && ms_watch_ended(e->watch, e->steps++));
      if (e->ended)
        return MS_OK;
      for (uint64_t c = begin; c < end; c++) {
        ms_multiset *motif = &e->fits[(i + 1) % 2][larger];
        ms_multiset_insert(&e->fits[i % 2][f], i, g->list[c], motif);
        larger += end - begin == 1 || is_new(e, motif);
      }
    }
    count = larger;
  }
  for (uint64_t f = 0; f < count; f++) {
    const ms_multiset *motif = &e->fits[e->k % 2][f];
    if (!ms_tally_add(&e->motifs, motif, ms_multiset_hash(motif), sets))
      return ms_census_fail_memory(g, err);
  }
  return MS_OK;
}

ms_status ms_expander_finish(ms_expander *e, ms_census_rows *rows, ms_error *err)
{
  if (e->graph->single)
    return MS_OK;
  for (uint64_t i = 0; i < (uint64_t)1 << e->motifs.bits; i++)
    if (e->motifs.entry[i].sets > 0)
      MS_TRY(ms_census_rows_add(rows, &e->motifs.entry[i].key, e->motifs.entry[i].sets, err));
  if (e->motifs.overflow)
    return ms_census_fail_overflow(err);
  ms_tally_clear(&e->motifs);
  return MS_OK;
}
