#include "match/cpu/cliques/cliques.h"

#include "base/alloc.h"
#include "base/budget.h"
#include "base/integrity.h"
#include "base/status.h"
#include "base/threads/parallel.h"
#include "base/threads/threads.h"
#include "base/wide.h"
#include "match/cpu/cliques/order.h"
#include "match/cpu/cliques/pivots.h"

#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Work of pivots.h that is done in a step. */
#define WORK_A_STEP 3.5
/* Work to find an entry of a row among the candidates. */
#define ROW_WORK 4u
/* Work between two looks at the stop token: a tenth of a millisecond. */
#define WORK_A_LOOK (INT64_C(1) << 17)
/* Roots that a thread takes at a time, of those that are not cut. */
#define ROOTS_AT_ONCE 16u
/* A root of so many candidates is cut into so many parts. */
#define CUT_CANDIDATES 48u
#define PARTS 64u
#define GOLDEN 0.6180339887498949

/* What a thread keeps from root to root. */
typedef struct clique_worker {
  ms_pivots tree; /* the first member, so that `look` finds the worker */
  ms_cliques *all;
  uint64_t root;   /* whose rows the tree has, or UINT64_MAX */
  uint32_t *place; /* [vertices] among the candidates of the root, and 1 */
} clique_worker;

struct ms_cliques {
  ms_cliques_task task;
  ms_clique_order order;
  uint64_t step;     /* root number i has the place i * step mod vertices */
  double weight;     /* of all roots */
  uint64_t reserved; /* bytes of the budget */
  /* ---- the run */
  ms_cliques_run run;
  const ms_pivots_path *path;
  int threads;
  clique_worker *worker;    /* [threads] */
  uint64_t reserved_to_run; /* bytes of the budget */
  pthread_mutex_t lock;     /* of the next four */
  uint64_t next;            /* number of the next root */
  uint32_t part;            /* and its next part */
  double taken;             /* weight of what was taken */
  uint64_t reported;
  _Atomic uint64_t spent; /* work */
  uint64_t round, most;   /* work after which no further root is begun, and a tree is given up */
  atomic_int status;
  atomic_bool lost;
};

/* ---- paths ---------------------------------------------------------------------------------- */

static const ms_pivots_path *path_at(unsigned i)
{
  const ms_pivots_path *here[2] = {&ms_pivots_portable};
  unsigned count = 1;
#ifdef MS_X86_64
  bool popcnt = __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("bmi") &&
                __builtin_cpu_supports("bmi2");
  if (popcnt && __builtin_cpu_supports("avx2"))
    here[count++] = &ms_pivots_avx2;
#endif
  return i < count ? here[i] : NULL;
}

/* Returns the path that MOTIFSIEVE_SETS selects, as in match/cpu/sorted.h, or the best one. */
static const ms_pivots_path *choose_path(void)
{
  const char *name = getenv("MOTIFSIEVE_SETS");
  unsigned count = 0, usual = UINT_MAX;
  for (const ms_pivots_path *path; (path = path_at(count)); count++)
    if (usual == UINT_MAX && name && strcmp(name, path->name) == 0)
      usual = count;
  return path_at(ms_other_kernel_place(usual < count ? usual : count - 1, count));
}

/* ---- opening -------------------------------------------------------------------------------- */

/* Returns a number near the golden section of n that has no divisor in common with it. */
static uint64_t golden_step(uint64_t n)
{
  uint64_t step = (uint64_t)(GOLDEN * (double)n);
  for (step += step == 0;; step++) {
    uint64_t a = n, b = step;
    while (b > 0) {
      uint64_t rest = a % b;
      a = b;
      b = rest;
    }
    if (a <= 1)
      return step;
  }
}

static ms_status reserve(struct ms_budget *budget, uint64_t bytes, ms_error *err)
{
  if (ms_budget_reserve(budget, bytes))
    return MS_OK;
  return ms_fail(err, MS_ERR_MEMORY,
                 "a count of cliques needs %llu bytes of memory, and may use %llu; raise `memory`",
                 (unsigned long long)bytes, (unsigned long long)ms_budget_left(budget));
}

ms_status ms_cliques_new(const ms_cliques_task *task, ms_cliques **out, ms_error *err)
{
  *out = NULL;
  ms_cliques *c = ms_calloc(1, sizeof *c);
  if (!c || pthread_mutex_init(&c->lock, NULL) != 0) {
    ms_free(c);
    return ms_fail_memory(err, "a count of cliques");
  }
  c->task = *task;
  uint64_t bytes = ms_clique_order_bytes(task->index);
  ms_status status = reserve(task->budget, bytes, err);
  if (status == MS_OK) {
    c->reserved = bytes;
    status = ms_clique_order_make(&c->task, &c->order, err);
    c->step = golden_step(c->order.vertices);
  }
  if (status == MS_OK)
    *out = c;
  else
    ms_cliques_free(c);
  return status;
}

/* ---- roots ----------------------------------------------------------------------------------- */

/* Roots, or parts of one, that a thread takes. */
typedef struct taken_roots {
  uint64_t first, last; /* numbers of roots */
  uint32_t first_part, last_part;
} taken_roots;

static uint64_t place_of(const ms_cliques *c, uint64_t number)
{
  return (uint64_t)((ms_wide_size)number * c->step % c->order.vertices);
}

static uint32_t candidates_of(const ms_cliques *c, uint64_t place)
{
  return (uint32_t)(c->order.offset[place + 1] - c->order.offset[place]);
}

/* Returns the parts of a root; 0: it is not cut. */
static uint32_t parts_of(const ms_cliques *c, uint64_t place)
{
  return candidates_of(c, place) >= CUT_CANDIDATES && c->task.most > 3 ? PARTS : 0;
}

/* Trees grow at least with the triangles below the root. */
static double weight_of(const ms_cliques *c, uint64_t place)
{
  double candidates = candidates_of(c, place);
  return 1 + candidates * candidates * candidates;
}

/* Takes the next roots.  False: there are none, or the round ends. */
static bool take(ms_cliques *c, taken_roots *t)
{
  pthread_mutex_lock(&c->lock);
  bool some = c->next < c->order.vertices && atomic_load(&c->spent) < c->round;
  *t = (taken_roots){.first = c->next, .last = c->next};
  for (uint32_t i = 0; some && i < ROOTS_AT_ONCE && c->next < c->order.vertices; i++) {
    uint64_t place = place_of(c, c->next);
    uint32_t parts = parts_of(c, place);
    if (parts > 0 && i > 0)
      break;
    t->last = c->next + 1;
    if (parts == 0) {
      c->taken += weight_of(c, place);
      c->next++;
      continue;
    }
    uint32_t taken = (parts - c->part) / (uint32_t)c->threads;
    taken += taken == 0;
    t->first_part = c->part;
    t->last_part = c->part += taken;
    c->taken += weight_of(c, place) * taken / parts;
    c->next += c->part == parts;
    c->part %= parts;
    break;
  }
  pthread_mutex_unlock(&c->lock);
  return some;
}

/* Sets the candidates of the root, and which of them are neighbours. */
static void enter_root(clique_worker *k, uint64_t place)
{
  const ms_cliques *c = k->all;
  ms_pivots *t = &k->tree;
  const uint32_t *root = c->order.neighbor + c->order.offset[place];
  if (k->root == place)
    return;
  k->root = place;
  t->n = candidates_of(c, place);
  t->words = (t->n + 63) / 64;
  t->words += t->words == 0;
  memset(t->row, 0, t->n * t->words * sizeof *t->row);
  for (uint32_t i = 0; i < t->n; i++)
    k->place[root[i]] = i + 1;
  for (uint32_t i = 0; i < t->n; i++) {
    t->spent += ROW_WORK * (c->order.offset[root[i] + 1] - c->order.offset[root[i]]) + t->words;
    for (uint64_t a = c->order.offset[root[i]]; a < c->order.offset[root[i] + 1]; a++) {
      uint32_t j = k->place[c->order.neighbor[a]];
      if (j-- == 0)
        continue;
      t->row[i * t->words + j / 64] |= UINT64_C(1) << j % 64;
      t->row[j * t->words + i / 64] |= UINT64_C(1) << i % 64;
    }
  }
  for (uint32_t i = 0; i < t->n; i++)
    k->place[root[i]] = 0;
}

/* Counts a root, or some of its parts. */
static bool count_root(clique_worker *k, uint64_t number, const taken_roots *t)
{
  const ms_cliques *c = k->all;
  const ms_share *share = c->run.share;
  uint64_t place = place_of(c, number);
  uint32_t parts = parts_of(c, place);
  bool has_first = ms_share_has(share, ms_even_unit(number));
  if ((parts == 0 && !has_first) || candidates_of(c, place) + 1 < c->task.least)
    return true;
  enter_root(k, place);
  k->tree.parts = parts;
  k->tree.first_part = t->first_part;
  k->tree.last_part = t->last_part;
  k->tree.unit_of_root = number;
  k->tree.share = share;
  k->tree.has_rest = has_first && t->first_part == 0;
  return c->path->visit(&k->tree);
}

/* Notes the work that was done since the last time.  False: a stop or a failure ends the count. */
static bool account(clique_worker *k)
{
  ms_cliques *c = k->all;
  ms_status status = ms_stop_check(c->task.stop);
  atomic_fetch_add(&c->spent, k->tree.spent);
  k->tree.spent = 0;
  k->tree.allowance = WORK_A_LOOK;
  if (status != MS_OK)
    atomic_store(&c->status, (int)status);
  return atomic_load(&c->status) == MS_OK;
}

/* Looks whether a tree has to end. */
static bool look(ms_pivots *tree)
{
  clique_worker *k = (clique_worker *)tree;
  bool goes_on = account(k);
  if (atomic_load(&k->all->spent) > k->all->most)
    atomic_store(&k->all->lost, true);
  return goes_on && !atomic_load(&k->all->lost);
}

static void report_roots(ms_cliques *c, int thread, uint64_t number)
{
  /* as in match/cpu/engine.c: never the last one */
  if (thread == 0 && c->run.progress && number > c->reported && number < c->order.vertices) {
    c->reported = number;
    c->run.progress(c->run.progress_user, "roots searched", number, c->order.vertices);
  }
}

/* ---- threads --------------------------------------------------------------------------------- */

static uint64_t levels_of(const ms_cliques *c)
{
  return c->task.most < c->order.longest + 2u ? c->task.most : c->order.longest + 2u;
}

static uint64_t worker_bytes(const ms_cliques *c)
{
  uint64_t words = ((uint64_t)c->order.longest + 64) / 64;
  return sizeof(clique_worker) + 4 * ((uint64_t)c->order.vertices + 1) +
         8 * words * (c->order.longest + 1u) + 8 * (words + 1) * MS_PIVOT_SETS * levels_of(c) +
         (c->task.most + 3u) * sizeof(ms_wide_size);
}

/* Makes the memory of a thread, when it first has work. */
static bool open_worker(ms_cliques *c, clique_worker *k)
{
  size_t words = ((size_t)c->order.longest + 64) / 64;
  ms_pivots *t = &k->tree;
  if (k->all)
    return true;
  *t = (ms_pivots){.least = c->task.least, .most = c->task.most, .look = look};
  k->root = UINT64_MAX;
  k->place = ms_calloc((size_t)c->order.vertices + 1, sizeof *k->place);
  t->row = ms_alloc_lines(((size_t)c->order.longest + 1) * words, sizeof *t->row);
  t->set = ms_alloc(MS_PIVOT_SETS * levels_of(c) * words, sizeof *t->set);
  t->narrow_set = ms_alloc(MS_PIVOT_SETS * levels_of(c), sizeof *t->narrow_set);
  /* two more: what two further vertices would be is written where they are not wanted, too */
  t->exact = ms_calloc((size_t)c->task.most + 3, sizeof *t->exact);
  k->all = c;
  return k->place && t->row && t->set && t->narrow_set && t->exact;
}

static void run_worker(void *user, int thread)
{
  ms_cliques *c = user;
  clique_worker *k = &c->worker[thread];
  taken_roots t;
  bool ok = true;
  if (!open_worker(c, k))
    atomic_store(&c->status, MS_ERR_MEMORY);
  k->tree.allowance = WORK_A_LOOK;
  while (ok && atomic_load(&c->status) == MS_OK && take(c, &t)) {
    for (uint64_t i = t.first; ok && i < t.last; i++)
      ok = count_root(k, i, &t);
    if (k->tree.no_memory)
      atomic_store(&c->status, MS_ERR_MEMORY);
    ok = account(k) && ok;
    report_roots(c, thread, t.first);
  }
}

static void close_run(ms_cliques *c)
{
  for (int i = 0; c->worker && i < c->threads; i++) {
    ms_free(c->worker[i].place);
    ms_free(c->worker[i].tree.row);
    ms_free(c->worker[i].tree.set);
    ms_free(c->worker[i].tree.narrow_set);
    ms_free(c->worker[i].tree.leaf);
    ms_free(c->worker[i].tree.exact);
  }
  ms_free(c->worker);
  c->worker = NULL;
  ms_budget_release(c->task.budget, c->reserved_to_run);
  c->reserved_to_run = 0;
}

void ms_cliques_free(ms_cliques *c)
{
  if (!c)
    return;
  close_run(c);
  pthread_mutex_destroy(&c->lock);
  ms_clique_order_free(&c->order);
  ms_budget_release(c->task.budget, c->reserved);
  ms_free(c);
}

ms_status ms_cliques_begin(ms_cliques *c, const ms_cliques_run *run, ms_error *err)
{
  uint64_t bytes = worker_bytes(c);
  close_run(c);
  c->run = *run;
  c->path = choose_path();
  c->threads = ms_threads(run->threads);
  while (c->threads > 1 && !ms_budget_reserve(c->task.budget, bytes * (uint64_t)c->threads))
    c->threads--;
  if (c->threads == 1)
    MS_TRY(reserve(c->task.budget, bytes, err));
  c->reserved_to_run = bytes * (uint64_t)c->threads;
  c->worker = ms_calloc((size_t)c->threads, sizeof *c->worker);
  if (!c->worker)
    return ms_fail_memory(err, "a count of cliques");
  c->next = c->part = 0;
  c->reported = 0;
  c->taken = c->weight = 0;
  for (uint64_t i = 0; i < c->order.vertices; i++)
    c->weight += weight_of(c, i);
  atomic_store(&c->spent, 0);
  return MS_OK;
}

static uint64_t work_after(const ms_cliques *c, double steps)
{
  double work = (double)atomic_load(&c->spent) + WORK_A_STEP * steps;
  return work < 0x1p63 ? (uint64_t)work : UINT64_C(1) << 63;
}

ms_status ms_cliques_go_on(ms_cliques *c, double round, double most, bool *done, bool *lost,
                           ms_error *err)
{
  c->round = work_after(c, round) + 1; /* some root is begun */
  c->most = work_after(c, most);
  atomic_store(&c->status, MS_OK);
  atomic_store(&c->lost, false);
  double work = WORK_A_STEP * fmin(round, 0x1p40);
  int threads = ms_threads_for(c->threads, (uint64_t)work);
  ms_parallel_team(threads < c->threads ? threads : c->threads, run_worker, c);
  *done = c->next >= c->order.vertices;
  *lost = atomic_load(&c->lost);
  ms_status status = (ms_status)atomic_load(&c->status);
  return status == MS_ERR_MEMORY ? ms_fail_memory(err, "a count of cliques") : status;
}

double ms_cliques_spent(const ms_cliques *c)
{
  return (double)atomic_load(&c->spent) / WORK_A_STEP;
}

double ms_cliques_left(const ms_cliques *c)
{
  double share = c->taken / c->weight;
  return c->taken > 0 ? ms_cliques_spent(c) * (1 - share) / share : INFINITY;
}

void ms_cliques_add_work(const ms_cliques *c, ms_work *work)
{
  for (int i = 0; work && c->worker && i < c->threads; i++) {
    work->visits += c->worker[i].tree.held;
    work->intersections += c->worker[i].tree.held;
  }
}

/* ---- sums ------------------------------------------------------------------------------------ */

/* Puts the leaves of all threads into one table. */
static bool gather(const ms_cliques *c, ms_pivots *all)
{
  for (int i = 0; i < c->threads; i++) {
    const ms_pivots *t = &c->worker[i].tree;
    for (uint32_t j = 0; j < t->room; j++)
      if (t->leaf[j].count > 0 && !ms_pivots_add_leaf(all, t->leaf[j].held, t->leaf[j].spare,
                                                      t->leaf[j].pairs, t->leaf[j].count))
        return false;
  }
  uint32_t count = 0;
  for (uint32_t j = 0; j < all->room; j++)
    if (all->leaf[j].count > 0)
      all->leaf[count++] = all->leaf[j];
  return true;
}

ms_status ms_cliques_add(const ms_cliques *c, mpz_t *sum, ms_error *err)
{
  uint32_t most = c->task.most;
  ms_pivots all = {.room = 0};
  mpz_t(*poly)[MS_MAX_PATTERN + 1] = ms_alloc(2, sizeof *poly);
  if (!poly || !gather(c, &all)) {
    ms_free(poly);
    ms_free(all.leaf);
    return ms_fail_memory(err, "the numbers of cliques");
  }
  for (uint32_t k = 0; k <= most; k++) {
    mpz_init(poly[0][k]);
    mpz_init(poly[1][k]);
  }
  ms_pivots_expand(all.leaf, all.leaves, most, poly[0], poly[1]);
  for (uint32_t k = c->task.least; k <= most; k++) {
    mpz_add(sum[k], sum[k], poly[0][k]);
    for (int i = 0; i < c->threads; i++)
      if (c->worker[i].all)
        ms_wide_add(sum[k], c->worker[i].tree.exact[k]);
  }
  for (uint32_t k = 0; k <= most; k++) {
    mpz_clear(poly[0][k]);
    mpz_clear(poly[1][k]);
  }
  ms_free(poly);
  ms_free(all.leaf);
  return MS_OK;
}
