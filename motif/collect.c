#include "motif/collect.h"

#include "base/alloc.h"
#include "base/budget.h"
#include "base/compiler.h"
#include "base/status.h"
#include "motif/sort_rows.h"

#include <stdatomic.h>
#include <string.h>

/* Bytes of matches in a block: large enough that the shared count of bytes is seldom
 * touched, small enough that many threads waste little. */
#define BLOCK_BYTES ((size_t)1 << 16)

typedef struct block {
  struct block *next;
  size_t rows;
  uint32_t row[]; /* [rows per block][k] */
} block;

/* Up to this many ids, which take less than half a second, are sorted even after a stop. */
#define SORTED_IDS ((uint64_t)1 << 25)

/* The part of one thread, on a separate cache line. */
typedef struct share {
  _Alignas(64) block *blocks; /* a list, newest first */
  uint64_t matches;
} share;

struct ms_collector {
  uint32_t k;
  int threads;
  bool count_only;
  uint64_t limit; /* 0: no limit */
  ms_budget *budget;
  size_t rows_per_block;  /* >= 1 */
  const uint32_t *vertex; /* [instance n] graph vertex of each instance vertex */
  share *shares;          /* [threads] */
  _Atomic uint64_t taken; /* number of matches; counted only if there is a limit */
  _Atomic uint64_t bytes; /* bytes reserved for all blocks */
  atomic_int failed;      /* MS_OK or MS_ERR_MEMORY */
  atomic_bool over_bound; /* the failure is the memory bound, not the system's */
};

ms_status ms_collector_new(uint32_t k, int threads, bool count_only, uint64_t limit,
                           ms_budget *budget, ms_collector **out, ms_error *err)
{
  *out = NULL;
  ms_collector *collector = ms_calloc(1, sizeof *collector);
  if (!collector)
    return ms_fail_memory(err, "the collected matches");
  collector->k = k;
  collector->threads = threads > 0 ? threads : 1;
  collector->count_only = count_only;
  collector->limit = limit;
  collector->budget = budget;
  collector->rows_per_block = BLOCK_BYTES / (k * sizeof(uint32_t));
  atomic_init(&collector->taken, 0);
  atomic_init(&collector->bytes, 0);
  atomic_init(&collector->failed, MS_OK);
  atomic_init(&collector->over_bound, false);
  collector->shares = ms_alloc_lines((size_t)collector->threads, sizeof *collector->shares);
  if (!collector->shares) {
    ms_free(collector);
    return ms_fail_memory(err, "the collected matches");
  }
  memset(collector->shares, 0, (size_t)collector->threads * sizeof *collector->shares);
  *out = collector;
  return MS_OK;
}

void ms_collector_free(ms_collector *collector)
{
  if (!collector)
    return;
  for (int t = 0; t < collector->threads; t++) {
    for (block *b = collector->shares[t].blocks, *next; b; b = next) {
      next = b->next;
      ms_free(b);
    }
  }
  ms_budget_release(collector->budget, collector->bytes);
  ms_free(collector->shares);
  ms_free(collector);
}

void ms_collector_map(ms_collector *collector, const uint32_t *vertex)
{
  collector->vertex = vertex;
}

/* Adds a block for one thread.  It reserves twice the bytes of the block, because the
 * final array holds a copy of the rows. */
static bool add_block(ms_collector *collector, share *mine)
{
  size_t row_bytes = collector->rows_per_block * collector->k * sizeof(uint32_t);
  uint64_t bytes = 2 * (sizeof(block) + row_bytes);
  if (!ms_budget_reserve(collector->budget, bytes)) {
    atomic_store(&collector->over_bound, true);
    atomic_store(&collector->failed, MS_ERR_MEMORY);
    return false;
  }
  atomic_fetch_add(&collector->bytes, bytes);
  block *fresh = ms_alloc(1, sizeof *fresh + row_bytes);
  if (!fresh) {
    atomic_store(&collector->failed, MS_ERR_MEMORY);
    return false;
  }
  fresh->next = mine->blocks;
  fresh->rows = 0;
  mine->blocks = fresh;
  return true;
}

/* Appends the set as ascending graph vertices. */
static void store(const ms_collector *collector, block *to, const uint32_t *set)
{
  uint32_t *row = to->row + to->rows++ * collector->k;
  for (uint32_t i = 0; i < collector->k; i++) {
    uint32_t v = collector->vertex[set[i]], at = i;
    for (; at > 0 && row[at - 1] > v; at--)
      row[at] = row[at - 1];
    row[at] = v;
  }
}

bool ms_collector_match(void *user, int thread, const uint32_t *set)
{
  ms_collector *collector = user;
  share *mine = &collector->shares[thread];
  bool stores = !collector->count_only;
  uint64_t before = collector->limit ? atomic_fetch_add(&collector->taken, 1) : 0;
  if (collector->limit && before >= collector->limit)
    return false;
  if (stores && (!mine->blocks || mine->blocks->rows == collector->rows_per_block) &&
      !add_block(collector, mine))
    return false;
  mine->matches++;
  if (stores)
    store(collector, mine->blocks, set);
  return !collector->limit || before + 1 < collector->limit;
}

size_t ms_collector_room(ms_collector *collector, int thread, size_t wanted, uint32_t **rows)
{
  share *mine = &collector->shares[thread];
  if ((!mine->blocks || mine->blocks->rows == collector->rows_per_block) &&
      !add_block(collector, mine))
    return 0;
  size_t room = collector->rows_per_block - mine->blocks->rows;
  *rows = mine->blocks->row + mine->blocks->rows * collector->k;
  return room < wanted ? room : wanted;
}

void ms_collector_filled(ms_collector *collector, int thread, size_t rows)
{
  share *mine = &collector->shares[thread];
  mine->blocks->rows += rows;
  mine->matches += rows;
}

ms_status ms_collector_status(const ms_collector *collector, ms_error *err)
{
  if (atomic_load(&collector->failed) != MS_OK) {
    if (!atomic_load(&collector->over_bound)) {
      return ms_fail_memory(err,
                            "the collected matches; count them with `count_only`, or stop early "
                            "with `limit`");
    }
    return ms_fail(
        err, MS_ERR_MEMORY,
        "the matches do not fit into %llu KiB; count them with `count_only`, stop early with "
        "`limit`, or allow more with `memory`",
        (unsigned long long)(collector->budget->bound >> 10));
  }
  if (collector->limit && atomic_load(&collector->taken) >= collector->limit) {
    return ms_fail(err, MS_ERR_LIMIT, "stopped at the limit of %llu matches; there may be more",
                   (unsigned long long)collector->limit);
  }
  return MS_OK;
}

bool ms_collector_is_full(const ms_collector *collector)
{
  return atomic_load(&collector->failed) != MS_OK;
}

/* Copies all blocks into to[..][k], and frees each block. */
static void gather(ms_collector *collector, uint32_t *to)
{
  for (int t = 0; t < collector->threads; t++) {
    share *mine = &collector->shares[t];
    while (mine->blocks) {
      block *b = mine->blocks;
      memcpy(to, b->row, b->rows * collector->k * sizeof *to);
      to += b->rows * collector->k;
      mine->blocks = b->next;
      ms_free(b);
    }
    mine->matches = 0;
  }
}

static uint32_t greatest_first(const ms_collector *collector)
{
  uint32_t greatest = 0, k = collector->k;
  for (int t = 0; t < collector->threads; t++)
    for (const block *b = collector->shares[t].blocks; b; b = b->next)
      for (const uint32_t *row = b->row, *end = row + b->rows * k; row < end; row += k)
        greatest = *row > greatest ? *row : greatest;
  return greatest;
}

/* Adds the rows of each first id. */
static void count_first(const ms_collector *collector, uint64_t *count)
{
  uint32_t k = collector->k;
  for (int t = 0; t < collector->threads; t++)
    for (const block *b = collector->shares[t].blocks; b; b = b->next)
      for (const uint32_t *row = b->row, *end = row + b->rows * k; row < end; row += k)
        count[*row]++;
}

/* Copies the rows of a block to their places.  place[first id] is the next place. */
MS_ALWAYS_INLINE void place_rows(const block *b, uint32_t k, uint64_t *place, uint32_t *to)
{
  const uint32_t *row = b->row;
  for (size_t i = 0; i < b->rows; i++, row += k)
    memcpy(to + place[*row]++ * k, row, k * sizeof *row);
}

static void place_block(const block *b, uint32_t k, uint64_t *place, uint32_t *to)
{
  switch (k) { /* copies of constant length need no call */
  case 2:
    place_rows(b, 2, place, to);
    break;
  case 3:
    place_rows(b, 3, place, to);
    break;
  case 4:
    place_rows(b, 4, place, to);
    break;
  case 5:
    place_rows(b, 5, place, to);
    break;
  case 6:
    place_rows(b, 6, place, to);
    break;
  default:
    place_rows(b, k, place, to);
  }
}

/* As gather, and the rows are in the order of their first ids, whose number is *ids.  Returns
 * end[*ids], the number of rows up to each of these, or NULL, with nothing done, if there are too
 * few rows for so many ids, or no memory. */
static uint64_t *gather_by_first(ms_collector *collector, uint64_t total, uint32_t *to,
                                 uint64_t *ids)
{
  uint64_t sum = 0;
  *ids = total > 0 ? (uint64_t)greatest_first(collector) + 1 : 0;
  uint64_t *place = *ids < total ? ms_calloc(*ids, sizeof *place) : NULL;
  if (!place)
    return NULL;
  count_first(collector, place);
  for (uint64_t i = 0; i < *ids; i++) {
    uint64_t count = place[i];
    place[i] = sum;
    sum += count;
  }
  for (int t = 0; t < collector->threads; t++) {
    share *mine = &collector->shares[t];
    while (mine->blocks) {
      block *b = mine->blocks;
      place_block(b, collector->k, place, to);
      mine->blocks = b->next;
      ms_free(b);
    }
    mine->matches = 0;
  }
  return place;
}

ms_status ms_collector_finish(ms_collector *collector, uint64_t *rows, uint32_t **vertices,
                              mpz_t count, ms_status *stopped, ms_error *err)
{
  uint64_t total = 0;
  ms_watch watch;
  *vertices = NULL;
  *stopped = MS_OK;
  mpz_set_ui(count, 0);
  for (int t = 0; t < collector->threads; t++) {
    mpz_t part;
    mpz_init(part);
    mpz_import(part, 1, 1, sizeof(uint64_t), 0, 0, &collector->shares[t].matches);
    mpz_add(count, count, part);
    mpz_clear(part);
    total += collector->shares[t].matches;
  }
  *rows = total;
  if (collector->count_only)
    return MS_OK;
  size_t ids;
  uint32_t *all =
      ms_mul_size((size_t)total, collector->k, &ids) ? ms_alloc(ids, sizeof *all) : NULL;
  if (!all) {
    *rows = 0;
    return ms_fail_memory(err, "the sorted matches");
  }
  ms_watch_begin(&watch);
  ms_watch *watched = ids > SORTED_IDS ? &watch : NULL;
  uint64_t parts, *end = NULL;
  if (!watched || !ms_watch_check(watched))
    end = gather_by_first(collector, total, all, &parts);
  if (!end)
    gather(collector, all);
  if (!end || !ms_sort_parts(all, end, parts, collector->k, collector->threads, watched))
    ms_sort_rows(all, (size_t)total, collector->k, watched);
  ms_free(end);
  *stopped = ms_watch_report(&watch, "matches are sorted", NULL);
  *vertices = all;
  return MS_OK;
}
