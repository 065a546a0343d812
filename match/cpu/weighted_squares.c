#include "match/cpu/weighted_squares.h"

#include "base/alloc.h"
#include "base/budget.h"
#include "base/status.h"
#include "base/threads/parallel.h"
#include "base/threads/threads.h"
#include "match/cpu/runner.h"
#include "match/cpu/sorted.h"
#include "match/units.h"

#include <stdatomic.h>

enum { ROOTS = 16 /* that a thread takes at a time */ };

/* What a thread keeps from range to range. */
typedef struct square_thread {
  uint32_t *paths;   /* [n] from the root; 0 between roots */
  uint32_t *touched; /* [n] the x to which paths lead */
  ms_wide_size sum;
} square_thread;

typedef struct square_count {
  const ms_pattern_task *task;
  const ms_neighbor_rows *rows;
  uint32_t n, common;
  uint64_t *weight; /* [arcs] */
  square_thread *thread;
  atomic_int status;
  atomic_uint_fast64_t done; /* roots, counted for progress */
} square_count;

bool ms_square_weights_fit(const ms_pattern_index *index, uint32_t common)
{
  double most = 2;
  for (uint32_t i = 0; i < common; i++)
    most *= index->longest;
  return most < (double)(UINT64_C(1) << MS_SQUARE_WEIGHT_BITS);
}

/* True if the count goes on. */
static bool may_continue(square_count *q)
{
  if (atomic_load_explicit(&q->status, memory_order_relaxed) != MS_OK)
    return false;
  ms_status status = ms_stop_check(q->task->stop);
  if (status != MS_OK)
    atomic_store(&q->status, (int)status);
  return status == MS_OK;
}

/* ---- weights ------------------------------------------------------------------------- */

static uint64_t weight_of(uint64_t codegree, uint32_t common)
{
  uint64_t weight = 2;
  for (uint32_t i = 0; i < common; i++)
    weight *= codegree > i ? codegree - i : 0;
  return weight;
}

/* Weighs the edges from v to smaller vertices, whose rows are the shorter ones, for both of their
 * directions. */
static void weigh_edges(square_count *q, const square_thread *t, uint32_t v)
{
  uint32_t degree, smaller, length;
  const uint32_t *row = ms_row(q->rows, v, &degree);
  smaller = (uint32_t)ms_lower_bound(row, degree, v);
  for (uint32_t i = 0; smaller > 0 && i < degree; i++)
    t->paths[row[i]] = 1;
  for (uint32_t i = 0; i < smaller; i++) {
    const uint32_t *other = ms_row(q->rows, row[i], &length);
    uint32_t codegree = 0;
    for (uint32_t j = 0; j < length; j++)
      codegree += t->paths[other[j]];
    uint64_t weight = weight_of(codegree, q->common);
    q->weight[q->rows->offset[v] + i] = weight;
    q->weight[q->rows->offset[row[i]] + ms_lower_bound(other, length, v)] = weight;
  }
  for (uint32_t i = 0; smaller > 0 && i < degree; i++)
    t->paths[row[i]] = 0;
}

/* Ranges begin with the largest vertices, which are the most work. */
static void weigh_range(void *user, ms_range r)
{
  square_count *q = user;
  for (uint64_t i = r.begin; i < r.end && may_continue(q); i++)
    weigh_edges(q, &q->thread[r.thread], (uint32_t)(q->n - 1 - i));
}

/* ---- squares ------------------------------------------------------------------------- */

/* Counts the paths from v, all of whose other vertices are smaller, and returns the number of
 * vertices to which they lead. */
static uint32_t count_paths(const square_count *q, square_thread *t, uint32_t v)
{
  uint32_t degree, length, touched = 0;
  const uint32_t *row = ms_row(q->rows, v, &degree);
  for (uint32_t i = 0; i < degree && row[i] < v; i++) {
    const uint32_t *other = ms_row(q->rows, row[i], &length);
    for (uint32_t j = 0; j < length && other[j] < v; j++) {
      t->touched[touched] = other[j];
      touched += t->paths[other[j]]++ == 0;
    }
  }
  return touched;
}

/* Adds the weights of all squares whose largest vertex is v.  No graph in memory has so many arcs
 * that the sum of one root passes 2^120. */
static void add_weights(const square_count *q, square_thread *t, uint32_t v)
{
  uint32_t degree, length;
  const uint32_t *row = ms_row(q->rows, v, &degree);
  for (uint32_t i = 0; i < degree && row[i] < v; i++) {
    const uint32_t *other = ms_row(q->rows, row[i], &length);
    const uint64_t *weight = q->weight + q->rows->offset[row[i]];
    uint64_t squares = 0; /* of the edge v - u */
    for (uint32_t j = 0; j < length && other[j] < v; j++) {
      uint64_t more = t->paths[other[j]] - 1;
      squares += more;
      t->sum += (ms_wide_size)more * weight[j];
    }
    t->sum += (ms_wide_size)squares * q->weight[q->rows->offset[v] + i];
  }
}

static void report_root(square_count *q, int thread)
{
  if (!q->task->progress)
    return;
  uint64_t before = atomic_fetch_add_explicit(&q->done, 1, memory_order_relaxed);
  if (thread == 0 && before + 1 < q->n) /* as in match/cpu/engine.c: never the last one */
    q->task->progress(q->task->progress_user, "roots searched", before + 1, q->n);
}

static void square_range(void *user, ms_range r)
{
  square_count *q = user;
  square_thread *t = &q->thread[r.thread];
  for (uint64_t i = r.begin; i < r.end && may_continue(q); i++) {
    uint32_t v = (uint32_t)(q->n - 1 - i);
    if (!ms_share_has(q->task->share, ms_even_unit(v)))
      continue;
    uint32_t touched = count_paths(q, t, v);
    add_weights(q, t, v);
    while (touched > 0)
      t->paths[t->touched[--touched]] = 0;
    report_root(q, r.thread);
  }
}

/* ---- the sum --------------------------------------------------------------------------- */

static ms_status make_room(square_count *q, int threads, ms_error *err)
{
  q->weight = ms_alloc_lines(q->rows->offset[q->n], sizeof *q->weight);
  q->thread = ms_calloc((size_t)threads, sizeof *q->thread);
  bool ok = q->weight && q->thread;
  for (int i = 0; ok && i < threads; i++) {
    q->thread[i].paths = ms_calloc(q->n, sizeof *q->thread[i].paths);
    /* one more, since an x that has been met is written behind the others, too */
    q->thread[i].touched = ms_alloc((size_t)q->n + 1, sizeof *q->thread[i].touched);
    ok = q->thread[i].paths && q->thread[i].touched;
  }
  return ok ? MS_OK : ms_fail_memory(err, "counts of 4-cycles");
}

static void free_room(square_count *q, int threads)
{
  for (int i = 0; q->thread && i < threads; i++) {
    ms_free(q->thread[i].paths);
    ms_free(q->thread[i].touched);
  }
  ms_free(q->thread);
  ms_free(q->weight);
}

ms_status ms_weighted_squares(const ms_pattern_task *task, struct ms_budget *budget, mpz_t sum,
                              ms_error *err)
{
  const ms_pattern_index *index = task->program->index;
  square_count q = {.task = task,
                    .rows = &index->rows[MS_ROWS_ANY],
                    .n = index->n,
                    .common = task->square_common};
  int threads = ms_threads_for(task->threads, index->arcs);
  uint64_t bytes = index->arcs * sizeof(uint64_t) +
                   (uint64_t)threads * (2 * (uint64_t)index->n + 1) * sizeof(uint32_t);
  if (!ms_budget_reserve(budget, bytes))
    return ms_fail_memory(err, "counts of 4-cycles");
  atomic_store(&q.status, MS_OK);
  ms_status status = make_room(&q, threads, err);
  if (status == MS_OK) {
    ms_parallel(threads, q.n, ROOTS, weigh_range, &q);
    ms_parallel(threads, q.n, ROOTS, square_range, &q);
    for (int i = 0; i < threads; i++)
      ms_wide_add(sum, q.thread[i].sum);
    status = (ms_status)atomic_load(&q.status);
  }
  free_room(&q, threads);
  ms_budget_release(budget, bytes);
  return status;
}
