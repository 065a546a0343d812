/* The best rows; see best.h.  A row is stored behind a key that ascends as its value descends, so
 * that lexicographic order is the order of the result. */
#include "motif/best/best.h"

#include "base/alloc.h"
#include "base/status.h"
#include "motif/sort_rows.h"

#include <stdatomic.h>
#include <string.h>

#define FIRST_ROWS 64u

typedef struct heap {
  uint32_t
      *row; /* [room][width + 1] key and ids; a heap with the worst row first once it is full */
  uint64_t count, room;
} heap;

struct ms_best {
  uint32_t width, threads;
  uint64_t most; /* UINT64_MAX: all */
  ms_budget *budget;
  atomic_bool full;
  heap heap[]; /* [threads] */
};

ms_status ms_best_new(uint32_t width, uint64_t most, int threads, ms_budget *budget, ms_best **out,
                      ms_error *err)
{
  ms_best *best = ms_calloc(1, sizeof *best + (size_t)threads * sizeof *best->heap);
  *out = best;
  if (!best)
    return ms_fail_memory(err, "the best matches");
  best->width = width;
  best->threads = (uint32_t)threads;
  best->most = most ? most : UINT64_MAX;
  best->budget = budget;
  atomic_init(&best->full, false);
  return MS_OK;
}

static size_t row_bytes(const ms_best *best)
{
  return (best->width + 1) * sizeof(uint32_t);
}

void ms_best_free(ms_best *best)
{
  if (!best)
    return;
  for (uint32_t t = 0; t < best->threads; t++) {
    ms_budget_release(best->budget, best->heap[t].room * row_bytes(best));
    ms_free(best->heap[t].row);
  }
  ms_free(best);
}

/* Maps floats to numbers that ascend as they descend. */
static uint32_t key_of(float value)
{
  uint32_t bits;
  value += 0.0F; /* -0 becomes 0 */
  memcpy(&bits, &value, sizeof bits);
  return bits >> 31 ? bits : ~(bits | UINT32_C(1) << 31);
}

/* Is the first row worse than the second? */
static bool is_worse(const ms_best *best, const uint32_t *a, const uint32_t *b)
{
  for (uint32_t i = 0; i <= best->width; i++)
    if (a[i] != b[i])
      return a[i] > b[i];
  return false;
}

static bool grow(ms_best *best, heap *h)
{
  uint64_t room = h->room ? 2 * h->room : FIRST_ROWS;
  room = room < best->most ? room : best->most;
  uint64_t bytes = (room - h->room) * row_bytes(best);
  if (!ms_budget_reserve(best->budget, bytes))
    return false;
  if (!ms_enlarge(&h->row, h->room, room, row_bytes(best))) {
    ms_budget_release(best->budget, bytes);
    return false;
  }
  h->room = room;
  return true;
}

/* Moves the row at place i down to where no worse row is below it. */
static void sift_down(const ms_best *best, heap *h, uint64_t i)
{
  uint32_t width = best->width + 1, moved[MS_MOST_ROW];
  memcpy(moved, h->row + i * width, row_bytes(best));
  for (uint64_t child; (child = 2 * i + 1) < h->count; i = child) {
    if (child + 1 < h->count &&
        is_worse(best, h->row + (child + 1) * width, h->row + child * width))
      child++;
    if (!is_worse(best, h->row + child * width, moved))
      break;
    memcpy(h->row + i * width, h->row + child * width, row_bytes(best));
  }
  memcpy(h->row + i * width, moved, row_bytes(best));
}

/* Adds a row behind its key. */
static bool add(ms_best *best, int thread, uint32_t key, const uint32_t *row)
{
  heap *h = &best->heap[thread];
  uint32_t entry[MS_MOST_ROW];
  entry[0] = key;
  memcpy(entry + 1, row, best->width * sizeof *row);
  if (h->count == best->most) {
    if (is_worse(best, h->row, entry)) {
      memcpy(h->row, entry, row_bytes(best));
      sift_down(best, h, 0);
    }
    return true;
  }
  if (h->count == h->room && !grow(best, h)) {
    atomic_store(&best->full, true);
    return false;
  }
  memcpy(h->row + h->count * (best->width + 1), entry, row_bytes(best));
  h->count++;
  if (h->count == best->most) {
    for (uint64_t i = h->count / 2; i-- > 0;)
      sift_down(best, h, i);
  }
  return true;
}

bool ms_best_add(ms_best *best, int thread, float value, const uint32_t *row)
{
  return add(best, thread, key_of(value), row);
}

bool ms_best_add_sum(ms_best *best, int thread, uint32_t sum, const uint32_t *row)
{
  return add(best, thread, ~sum, row);
}

uint32_t ms_best_least_sum(const ms_best *best, int thread)
{
  const heap *h = &best->heap[thread];
  return h->count == best->most ? ~h->row[0] : 0;
}

bool ms_best_is_full(const ms_best *best)
{
  return atomic_load(&best->full);
}

ms_status ms_best_finish(ms_best *best, ms_watch *watch, uint32_t **rows, uint64_t *count,
                         ms_error *err)
{
  uint32_t width = best->width + 1;
  uint64_t all = 0;
  for (uint32_t t = 0; t < best->threads; t++)
    all += best->heap[t].count;
  *rows = ms_alloc(all, row_bytes(best));
  if (!*rows)
    return ms_fail_memory(err, "the best matches");
  uint32_t *to = *rows;
  for (uint32_t t = 0; t < best->threads; t++) {
    heap *h = &best->heap[t];
    if (h->count > 0)
      memcpy(to, h->row, h->count * row_bytes(best));
    to += h->count * width;
  }
  ms_sort_rows(*rows, all, width, watch);
  *count = all < best->most ? all : best->most;
  for (uint64_t i = 0; i < *count; i++)
    memmove(*rows + i * best->width, *rows + i * width + 1, best->width * sizeof **rows);
  return MS_OK;
}
