#include "match/typed/index.h"

#include "base/alloc.h"
#include "base/budget.h"
#include "base/status.h"
#include "base/threads.h"

#include <string.h>

#define ROWS 256 /* rows that a thread takes at a time */

typedef struct building {
  const ms_typed_rows *rows;
  const ms_typed_domains *domains;
  int threads;
  ms_typed_index *index;
  /* [n / 64 + 1] number of vertices of the domain of the pair's b in earlier
   * words */
  uint32_t *before;
} building;

static ms_status reserve(ms_typed_index *index, uint64_t bytes, ms_error *err)
{
  if (!ms_budget_reserve(index->budget, bytes))
    return ms_fail(err, MS_ERR_MEMORY,
                   "the candidates of the typed pattern need %.1f KiB more than the %.1f KiB that "
                   "--memory has left; raise --memory, or name rarer types in the pattern",
                   (double)bytes / 1024, (double)ms_budget_left(index->budget) / 1024);
  index->reserved += bytes;
  return MS_OK;
}

/* Returns the bytes of a pair with this number of rows and entries. */
static uint64_t pair_bytes(uint64_t rows, uint64_t entries)
{
  return (rows + 1) * sizeof(uint64_t) + entries * sizeof(uint32_t);
}

/* ---- lists ------------------------------------------------------------------- */

static ms_status list_domain(building *b, uint32_t i, ms_error *err)
{
  const ms_active *set = &b->domains->set[i];
  MS_TRY(reserve(b->index, set->size * sizeof(uint32_t), err));
  uint32_t count = 0, *list = ms_alloc_lines(set->size, sizeof *list);
  if (!list)
    return ms_fail_memory(err, "candidates of a typed pattern");
  b->index->list[i] = list;
  b->index->size[i] = (uint32_t)set->size;
  for (uint32_t w = 0; w <= b->rows->n / 64; w++)
    for (uint64_t bits = set->bits[w]; bits; bits &= bits - 1)
      list[count++] = w << 6 | (uint32_t)__builtin_ctzll(bits);
  return MS_OK;
}

static void count_earlier_words(building *b, uint32_t i)
{
  uint32_t count = 0;
  for (uint32_t w = 0; w <= b->rows->n / 64; w++) {
    b->before[w] = count;
    count += (uint32_t)__builtin_popcountll(b->domains->set[i].bits[w]);
  }
}

static uint32_t rank_of(const building *b, const ms_active *set, uint32_t v)
{
  uint64_t below = set->bits[v >> 6] & ((UINT64_C(1) << (v & 63)) - 1);
  return b->before[v >> 6] + (uint32_t)__builtin_popcountll(below);
}

/* ---- pairs -------------------------------------------------------------------- */

/* Returns the length of the row of v, a candidate of the pair's a, and writes
 * its ranks to `to` unless that is NULL. */
static uint64_t read_row(const building *b, const ms_typed_pair *pair, const ms_pair_edges *between,
                         uint32_t v, uint32_t *to)
{
  const ms_typed_rows *rows = b->rows;
  const ms_active *set = &b->domains->set[pair->b];
  uint64_t count = 0, end = rows->offset[v + 1];
  for (uint64_t first = rows->offset[v], next; first < end; first = next) {
    uint32_t w = rows->neighbor[first];
    for (next = first + 1; next < end && rows->neighbor[next] == w;)
      next++;
    if (w == v || !ms_active_has(set, w) ||
        !ms_pair_edges_fit(between, rows->type + first, next - first))
      continue;
    if (to)
      to[count] = rank_of(b, set, w);
    count++;
  }
  return count;
}

static ms_status fill_pair(building *b, ms_typed_pair *pair, const ms_pair_edges *between,
                           ms_error *err)
{
  uint32_t size = b->index->size[pair->a];
  const uint32_t *list = b->index->list[pair->a];
  uint64_t sum = 0;
  MS_TRY(reserve(b->index, pair_bytes(size, 0), err));
  pair->offset = ms_alloc_lines((size_t)size + 1, sizeof *pair->offset);
  if (!pair->offset)
    return ms_fail_memory(err, "candidates of a typed pattern");
#pragma omp parallel for num_threads(b->threads) schedule(dynamic, ROWS)
  for (uint32_t r = 0; r < size; r++)
    pair->offset[r] = read_row(b, pair, between, list[r], NULL);
  for (uint32_t r = 0; r < size; r++) {
    uint64_t count = pair->offset[r];
    pair->offset[r] = sum;
    sum += count;
  }
  pair->offset[size] = sum;
  MS_TRY(reserve(b->index, sum * sizeof *pair->target, err));
  pair->target = ms_alloc_lines(sum, sizeof *pair->target);
  if (!pair->target)
    return ms_fail_memory(err, "candidates of a typed pattern");
#pragma omp parallel for num_threads(b->threads) schedule(dynamic, ROWS)
  for (uint32_t r = 0; r < size; r++)
    read_row(b, pair, between, list[r], pair->target + pair->offset[r]);
  return MS_OK;
}

/* Builds the pair from the side whose rows are shorter to read. */
static ms_status build_pair(building *b, const ms_typed_query *query, uint32_t i, uint32_t j,
                            ms_error *err)
{
  ms_pair_edges between;
  bool swap = b->domains->set[j].arcs < b->domains->set[i].arcs;
  ms_typed_pair *pair = &b->index->pair[b->index->pairs];
  *pair = (ms_typed_pair){.a = swap ? j : i, .b = swap ? i : j};
  ms_pair_edges_of(query, pair->a, pair->b, &between);
  if (between.count == 0)
    return MS_OK;
  b->index->pairs++;
  count_earlier_words(b, pair->b);
  return fill_pair(b, pair, &between, err);
}

ms_status ms_typed_index_new(const ms_typed_rows *rows, const ms_typed_query *query,
                             const ms_typed_domains *domains, int threads, const ms_stop *stop,
                             struct ms_budget *budget, ms_typed_index **out, ms_error *err)
{
  building b = {.rows = rows, .domains = domains};
  ms_status status = MS_OK;
  *out = NULL;
  b.threads = ms_threads_for(threads, rows->n + rows->arcs);
  b.index = ms_calloc(1, sizeof *b.index);
  b.before = ms_alloc_lines(rows->n / 64 + 1, sizeof *b.before);
  if (b.index) {
    b.index->budget = budget;
    b.index->pair = ms_calloc((size_t)query->edges + 1, sizeof *b.index->pair);
  }
  if (!b.index || !b.before || !b.index->pair)
    status = ms_fail_memory(err, "candidates of a typed pattern");
  for (uint32_t i = 0; i < query->n && status == MS_OK; i++) {
    b.index->n = i + 1;
    status = list_domain(&b, i, err);
  }
  for (uint32_t i = 0; i < query->n && status == MS_OK; i++)
    for (uint32_t j = i + 1; j < query->n && status == MS_OK; j++) {
      status = build_pair(&b, query, i, j, err);
      if (status == MS_OK && ms_stop_check(stop) != MS_OK)
        status = ms_fail(err, ms_stop_check(stop), "stopped while candidates were listed");
    }
  ms_free(b.before);
  if (status == MS_OK)
    *out = b.index;
  else
    ms_typed_index_free(b.index);
  return status;
}

void ms_typed_index_free(ms_typed_index *index)
{
  if (!index)
    return;
  for (uint32_t i = 0; i < index->n; i++)
    ms_free(index->list[i]);
  for (uint32_t p = 0; index->pair && p < index->pairs; p++) {
    ms_free(index->pair[p].offset);
    ms_free(index->pair[p].target);
  }
  ms_free(index->pair);
  ms_budget_release(index->budget, index->reserved);
  ms_free(index);
}

ms_status ms_typed_pair_turn(ms_typed_index *index, ms_typed_pair *pair, ms_error *err)
{
  uint32_t from = index->size[pair->a], to = index->size[pair->b];
  uint64_t before = pair_bytes(from, pair->offset[from]);
  MS_TRY(reserve(index, pair_bytes(to, pair->offset[from]), err));
  uint64_t *offset = ms_calloc((size_t)to + 2, sizeof *offset);
  uint32_t *target = ms_alloc_lines(pair->offset[from], sizeof *target);
  if (!offset || !target) {
    ms_free(offset);
    ms_free(target);
    return ms_fail_memory(err, "candidates of a typed pattern");
  }
  /* counts are kept one place further up, so that filling leaves the begin of
   * each row where it belongs */
  for (uint64_t e = 0; e < pair->offset[from]; e++)
    offset[pair->target[e] + 2]++;
  for (uint32_t r = 1; r <= to; r++)
    offset[r + 1] += offset[r];
  for (uint32_t r = 0; r < from; r++)
    for (uint64_t e = pair->offset[r]; e < pair->offset[r + 1]; e++)
      target[offset[pair->target[e] + 1]++] = r;
  ms_free(pair->offset);
  ms_free(pair->target);
  ms_budget_release(index->budget, before);
  index->reserved -= before;
  *pair = (ms_typed_pair){.a = pair->b, .b = pair->a, .offset = offset, .target = target};
  return MS_OK;
}
