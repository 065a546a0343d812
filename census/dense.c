/* The search with tables that have a place for each multiset of kinds.
 *
 * A thread counts in rows of 32 bits: a row for each multiset of k - 1 kinds, with a place for each
 * kind and one more, to which a vertex that is no completion may add in vain.  So the completions
 * of a set lie beside each other, and a completion takes one addition without a branch.  In the
 * totals, each multiset of k kinds has one place, to which all rows without one of its kinds add.
 */
#include "census/search.h"

#include "base/alloc.h"
#include "base/compiler.h"
#include "base/hooks.h"
#include "base/status.h"

#include <string.h>

#define GATHERED_ROWS 1024u /* by a thread at a time */

#define STATE uint32_t
#define ROW uint32_t *
#define ROOT ms_census_root_dense

MS_ALWAYS_INLINE uint32_t begin_state(const ms_census_search *s, ms_kind_id kind)
{
  (void)s;
  return kind;
}

MS_ALWAYS_INLINE uint32_t next_state(const ms_census_search *s, const uint32_t *state,
                                     uint32_t size, ms_kind_id kind)
{
  return s->dense->step[size][(size_t)*state * s->graph->kinds + kind];
}

MS_ALWAYS_INLINE uint32_t *row_of(const ms_census_search *s, const uint32_t *state)
{
  return s->row + (size_t)*state * s->dense->stride;
}

MS_ALWAYS_INLINE void add_one(ms_census_search *s, uint32_t *row, ms_kind_id kind)
{
  (void)s;
  row[kind]++;
}

MS_ALWAYS_INLINE void reserve(ms_census_search *s, uint64_t sets)
{
  if (sets > s->room)
    ms_dense_take(s);
  s->room -= (uint32_t)sets; /* the degree and the candidates are below 2^32 together */
}

static void add_many(ms_census_search *s, uint32_t *row, ms_kind_id kind, uint64_t sets)
{
  if (sets > s->room && sets < ms_hooks.census_dense_sets / 16)
    ms_dense_take(s);
  if (sets > s->room) {
    ms_dense_add(s, (uint64_t)(row - s->row) / s->dense->stride, kind, sets);
    return;
  }
  s->room -= (uint32_t)sets;
  row[kind] += (uint32_t)sets;
}

#include "census/search_template.h"

/* ---- tables --------------------------------------------------------------------------- */

uint64_t ms_dense_bytes(uint32_t kinds, uint32_t k, uint64_t *of_thread)
{
  __extension__ typedef unsigned __int128 wide;
  uint64_t all = ms_multisets_count(kinds, k), rows = ms_multisets_count(kinds, k - 1);
  wide bytes = (wide)all * sizeof(uint64_t), thread = (wide)rows * (kinds + 1) * sizeof(uint32_t);
  for (uint32_t size = 1; size + 1 < k; size++)
    bytes += (wide)ms_multisets_count(kinds, size) * kinds * sizeof(uint32_t);
  bool fits = all < UINT64_MAX && rows < UINT32_MAX && bytes < UINT64_MAX && thread < UINT64_MAX;
  *of_thread = fits ? (uint64_t)thread : UINT64_MAX;
  return fits ? (uint64_t)bytes : UINT64_MAX;
}

/* Fills the steps from multisets of `size` kinds. */
static void fill_steps(ms_dense *d, uint32_t kinds, uint32_t size)
{
  ms_kind_id kind[MS_MAX_CENSUS] = {0};
  uint32_t *to = d->step[size];
  do {
    ms_multisets_add(&d->numbers, kind, size, d->number);
    for (uint32_t c = 0; c < kinds; c++)
      *to++ = (uint32_t)d->number[c];
  } while (ms_multisets_next(&d->numbers, kind, size));
}

ms_status ms_dense_open_steps(ms_dense *d, uint32_t kinds, uint32_t k, ms_error *err)
{
  memset(d, 0, sizeof *d);
  d->stride = kinds + 1;
  d->rows = ms_multisets_count(kinds, k - 1);
  ms_status status = ms_multisets_open(&d->numbers, kinds, k, err);
  d->number = ms_alloc(kinds, sizeof *d->number);
  bool ok = status == MS_OK && d->number;
  for (uint32_t size = 1; size + 1 < k && ok; size++) {
    d->step[size] = ms_alloc(ms_multisets_count(kinds, size) * kinds, sizeof(uint32_t));
    ok = d->step[size] != NULL;
    if (ok && kinds > 0)
      fill_steps(d, kinds, size);
  }
  if (!ok)
    ms_dense_close(d);
  return status != MS_OK || ok ? status : ms_fail_memory(err, "the tables of a census");
}

ms_status ms_dense_open(ms_dense *d, uint32_t kinds, uint32_t k, ms_error *err)
{
  MS_TRY(ms_dense_open_steps(d, kinds, k, err));
  d->total = ms_calloc(ms_multisets_count(kinds, k), sizeof *d->total);
  if (d->total)
    return MS_OK;
  ms_dense_close(d);
  return ms_fail_memory(err, "the tables of a census");
}

void ms_dense_close(ms_dense *d)
{
  ms_multisets_close(&d->numbers);
  for (uint32_t size = 0; size < MS_MAX_CENSUS; size++)
    ms_free(d->step[size]);
  ms_free(d->number);
  ms_free(d->total);
}

void ms_dense_clear(ms_dense *d, uint32_t k)
{
  memset(d->total, 0, ms_multisets_count(d->numbers.kinds, k) * sizeof *d->total);
  atomic_store(&d->overflow, false);
}

/* Several threads may add at the same time. */
static void add_total(ms_dense *d, uint64_t number, uint64_t sets)
{
  uint64_t before = atomic_fetch_add_explicit(&d->total[number], sets, memory_order_relaxed);
  if (before + sets < before)
    atomic_store_explicit(&d->overflow, true, memory_order_relaxed);
}

/* Adds sum[kinds], the sets of a multiset of `size` kinds and one more kind. */
static void add_sums(ms_dense *d, const ms_kind_id *kind, uint32_t size, const uint64_t *sum,
                     uint64_t *number)
{
  ms_multisets_add(&d->numbers, kind, size, number);
  for (uint32_t c = 0; c < d->numbers.kinds; c++)
    if (sum[c] > 0)
      add_total(d, number[c], sum[c]);
}

/* Moves the numbers of rows begin .. end - 1 of `searches` searches into the totals.  The scratch
 * is that of search[scratch]. */
static void take_rows(ms_census_search *search, int searches, int scratch, uint64_t begin,
                      uint64_t end)
{
  ms_dense *d = search->dense;
  uint32_t size = search->k - 1, kinds = search->graph->kinds;
  uint64_t *sum = search[scratch].number, *number = sum + kinds;
  ms_kind_id kind[MS_MAX_CENSUS] = {0};
  ms_multisets_find(&d->numbers, begin, size, kind);
  for (uint64_t r = begin; r < end; r++) {
    uint64_t any = 0;
    memset(sum, 0, kinds * sizeof *sum);
    for (int t = 0; t < searches; t++) {
      uint32_t *row = search[t].row + r * d->stride;
      for (uint32_t c = 0; c < kinds; c++)
        sum[c] += row[c];
    }
    for (uint32_t c = 0; c < kinds; c++)
      any |= sum[c];
    if (any > 0) {
      add_sums(d, kind, size, sum, number);
      for (int t = 0; t < searches; t++)
        memset(search[t].row + r * d->stride, 0, d->stride * sizeof(uint32_t));
    }
    (void)ms_multisets_next(&d->numbers, kind, size);
  }
}

void ms_dense_take(ms_census_search *s)
{
  take_rows(s, 1, 0, 0, s->dense->rows);
  s->room = ms_hooks.census_dense_sets;
}

typedef struct gathering {
  ms_census_search *search;
  int searches;
} gathering;

static void gather_rows(void *user, ms_range r)
{
  const gathering *g = user;
  take_rows(g->search, g->searches, r.thread, r.begin, r.end);
}

void ms_dense_gather(ms_census_search *search, int searches)
{
  gathering g = {search, searches};
  ms_parallel(searches, search->dense->rows, GATHERED_ROWS, gather_rows, &g);
  for (int t = 0; t < searches; t++)
    search[t].room = ms_hooks.census_dense_sets;
}

void ms_dense_add_cells(ms_dense *d, uint32_t kinds, uint32_t k, const uint64_t *cell)
{
  ms_kind_id kind[MS_MAX_CENSUS] = {0};
  for (uint64_t r = 0; r < d->rows; r++, cell += kinds) {
    uint64_t any = 0;
    for (uint32_t c = 0; c < kinds; c++)
      any |= cell[c];
    if (any)
      add_sums(d, kind, k - 1, cell, d->number);
    (void)ms_multisets_next(&d->numbers, kind, k - 1);
  }
}

void ms_dense_add(ms_census_search *s, uint64_t row, ms_kind_id kind, uint64_t sets)
{
  ms_kind_id member[MS_MAX_CENSUS];
  ms_multisets_find(&s->dense->numbers, row, s->k - 1, member);
  ms_multisets_add(&s->dense->numbers, member, s->k - 1, s->number);
  add_total(s->dense, s->number[kind], sets);
}
