/* The rows of a census: motifs and their sets, in order. */
#include "base/alloc.h"
#include "base/status.h"
#include "base/threads/threads.h"
#include "census/census.h"

#include <stdlib.h>
#include <string.h>

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
