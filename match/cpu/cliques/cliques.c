#include "match/cpu/cliques/cliques.h"

#include "base/alloc.h"
#include "base/budget.h"
#include "base/integrity.h"
#include "base/status.h"
#include "base/threads/parallel.h"
#include "base/threads/threads.h"
#include "match/cpu/cliques/pivots.h"

#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Steps to put a vertex or an arc in its place. */
#define ORDER_STEPS 6.0
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
  /* ---- the order: vertices that may be in a clique of the least size have places 0, 1, .. */
  uint32_t vertices;
  uint64_t *offset;   /* [vertices + 1] */
  uint32_t *neighbor; /* the places of neighbours behind each vertex */
  uint32_t longest;   /* the most candidates of a root */
  uint64_t step;      /* root number i has the place i * step mod vertices */
  double weight;      /* of all roots */
  uint64_t reserved;  /* bytes of the budget */
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

/* ---- the order ------------------------------------------------------------------------------- */

/* Vertices in buckets by the neighbours that they have left (Batagelj and Zaversnik, 2003). */
typedef struct peeling {
  const ms_cliques_task *task;
  uint32_t n;
  uint32_t *degree; /* [n] neighbours that are left; of a vertex that is taken, when it was */
  uint32_t *vertex; /* [n] by degree; those that are taken come first */
  uint32_t *place;  /* [n] in `vertex`; MS_NO_ID: the vertex may be in no clique */
  uint32_t *begin;  /* [degrees + 1] where the vertices of each degree begin */
} peeling;

double ms_cliques_order_steps(const ms_pattern_index *index)
{
  return ORDER_STEPS * ((double)index->n + (double)index->arcs);
}

static bool may_be_in(const peeling *p, uint32_t v)
{
  return !p->task->domain || ms_domain_has(p->task->domain, v);
}

static uint32_t degree_in(const peeling *p, uint32_t v)
{
  uint32_t length, degree = 0;
  const uint32_t *row = ms_row(&p->task->index->rows[MS_ROWS_ANY], v, &length);
  for (uint32_t i = 0; i < length; i++)
    degree += may_be_in(p, row[i]);
  return degree;
}

#define VERTICES_A_LOOK 1024u

/* Sorts the vertices by degree, and sets *count to their number. */
static ms_status sort_by_degree(peeling *p, uint32_t *count)
{
  uint32_t most = p->task->index->longest;
  for (uint32_t v = 0; v < p->n; v++) {
    if (v % VERTICES_A_LOOK == 0)
      MS_TRY(ms_stop_check(p->task->stop));
    p->place[v] = MS_NO_ID;
    if (!may_be_in(p, v))
      continue;
    p->degree[v] = degree_in(p, v);
    p->begin[p->degree[v] + 1]++;
  }
  for (uint32_t d = 0; d <= most; d++)
    p->begin[d + 1] += p->begin[d];
  for (uint32_t v = 0; v < p->n; v++)
    if (may_be_in(p, v)) {
      p->place[v] = p->begin[p->degree[v]]++;
      p->vertex[p->place[v]] = v;
      ++*count;
    }
  for (uint32_t d = most + 1; d > 0; d--)
    p->begin[d] = p->begin[d - 1];
  p->begin[0] = 0;
  return MS_OK;
}

/* Takes one neighbour from w, which becomes the first vertex of its degree and then the last one of
 * the degree below. */
static void lower(peeling *p, uint32_t w)
{
  uint32_t d = p->degree[w]--, first = p->begin[d]++, other = p->vertex[first];
  p->vertex[p->place[w]] = other;
  p->place[other] = p->place[w];
  p->vertex[first] = w;
  p->place[w] = first;
}

/* Takes the vertices one by one, and returns the place of the first one that may be in a clique of
 * the least size. */
static ms_status peel(peeling *p, uint32_t count, uint32_t *first)
{
  *first = count;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t length, v = p->vertex[i];
    const uint32_t *row = ms_row(&p->task->index->rows[MS_ROWS_ANY], v, &length);
    if (*first == count && p->degree[v] + 1 >= p->task->least)
      *first = i;
    for (uint32_t j = 0; j < length; j++)
      if (p->place[row[j]] != MS_NO_ID && p->degree[row[j]] > p->degree[v])
        lower(p, row[j]);
    if (i % VERTICES_A_LOOK == 0)
      MS_TRY(ms_stop_check(p->task->stop));
  }
  return MS_OK;
}

/* Stores the neighbours behind each vertex. */
static ms_status store_rows(ms_cliques *c, const peeling *p, uint32_t first, uint32_t count,
                            ms_error *err)
{
  const ms_neighbor_rows *rows = &c->task.index->rows[MS_ROWS_ANY];
  uint64_t arcs = 0;
  c->vertices = count - first;
  c->offset = ms_alloc((size_t)c->vertices + 1, sizeof *c->offset);
  c->neighbor = ms_alloc(c->task.index->arcs / 2 + 1, sizeof *c->neighbor);
  if (!c->offset || !c->neighbor)
    return ms_fail_memory(err, "the order of a count of cliques");
  for (uint32_t i = first; i < count; i++) {
    uint32_t length;
    const uint32_t *row = ms_row(rows, p->vertex[i], &length);
    c->offset[i - first] = arcs;
    if (i % VERTICES_A_LOOK == 0)
      MS_TRY(ms_stop_check(c->task.stop));
    for (uint32_t j = 0; j < length; j++)
      if (p->place[row[j]] != MS_NO_ID && p->place[row[j]] > i)
        c->neighbor[arcs++] = p->place[row[j]] - first;
    uint32_t candidates = (uint32_t)(arcs - c->offset[i - first]);
    c->longest = candidates > c->longest ? candidates : c->longest;
  }
  c->offset[c->vertices] = arcs;
  return MS_OK;
}

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

static ms_status put_in_order(ms_cliques *c, ms_error *err)
{
  uint32_t n = c->task.index->n, most = c->task.index->longest, count = 0, first = 0;
  uint32_t *memory = ms_calloc(3 * (size_t)n + most + 2, sizeof *memory);
  if (!memory)
    return ms_fail_memory(err, "the order of a count of cliques");
  peeling p = {.task = &c->task,
               .n = n,
               .degree = memory,
               .vertex = memory + n,
               .place = memory + 2 * (size_t)n,
               .begin = memory + 3 * (size_t)n};
  ms_status status = sort_by_degree(&p, &count);
  if (status == MS_OK)
    status = peel(&p, count, &first);
  if (status == MS_OK)
    status = store_rows(c, &p, first, count, err);
  ms_free(memory);
  c->step = golden_step(c->vertices);
  return status;
}

ms_status ms_cliques_new(const ms_cliques_task *task, ms_cliques **out, ms_error *err)
{
  const ms_pattern_index *index = task->index;
  *out = NULL;
  ms_cliques *c = ms_calloc(1, sizeof *c);
  if (!c || pthread_mutex_init(&c->lock, NULL) != 0) {
    ms_free(c);
    return ms_fail_memory(err, "a count of cliques");
  }
  c->task = *task;
  uint64_t bytes = 24 * (uint64_t)index->n + 2 * index->arcs + 4 * (uint64_t)index->longest;
  ms_status status = ms_budget_reserve(task->budget, bytes)
                         ? MS_OK
                         : ms_fail_memory(err, "the order of a count of cliques");
  if (status == MS_OK) {
    c->reserved = bytes;
    status = put_in_order(c, err);
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
  return (uint64_t)((ms_wide_size)number * c->step % c->vertices);
}

static uint32_t candidates_of(const ms_cliques *c, uint64_t place)
{
  return (uint32_t)(c->offset[place + 1] - c->offset[place]);
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
  bool some = c->next < c->vertices && atomic_load(&c->spent) < c->round;
  *t = (taken_roots){.first = c->next, .last = c->next};
  for (uint32_t i = 0; some && i < ROOTS_AT_ONCE && c->next < c->vertices; i++) {
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
  const uint32_t *root = c->neighbor + c->offset[place];
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
    t->spent += ROW_WORK * (c->offset[root[i] + 1] - c->offset[root[i]]) + t->words;
    for (uint64_t a = c->offset[root[i]]; a < c->offset[root[i] + 1]; a++) {
      uint32_t j = k->place[c->neighbor[a]];
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
  if (thread == 0 && c->run.progress && number > c->reported && number < c->vertices) {
    c->reported = number;
    c->run.progress(c->run.progress_user, "roots searched", number, c->vertices);
  }
}

/* ---- threads --------------------------------------------------------------------------------- */

static uint64_t levels_of(const ms_cliques *c)
{
  return c->task.most < c->longest + 2u ? c->task.most : c->longest + 2u;
}

static uint64_t worker_bytes(const ms_cliques *c)
{
  uint64_t words = ((uint64_t)c->longest + 64) / 64;
  return sizeof(clique_worker) + 4 * ((uint64_t)c->vertices + 1) + 8 * words * (c->longest + 1u) +
         8 * (words + 1) * MS_PIVOT_SETS * levels_of(c) +
         (c->task.most + 3u) * sizeof(ms_wide_size);
}

/* Makes the memory of a thread, when it first has work. */
static bool open_worker(ms_cliques *c, clique_worker *k)
{
  size_t words = ((size_t)c->longest + 64) / 64;
  ms_pivots *t = &k->tree;
  if (k->all)
    return true;
  *t = (ms_pivots){.least = c->task.least, .most = c->task.most, .look = look};
  k->root = UINT64_MAX;
  k->place = ms_calloc((size_t)c->vertices + 1, sizeof *k->place);
  t->row = ms_alloc_lines(((size_t)c->longest + 1) * words, sizeof *t->row);
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
  ms_free(c->offset);
  ms_free(c->neighbor);
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
  if (c->threads == 1 && !ms_budget_reserve(c->task.budget, bytes))
    return ms_fail_memory(err, "a count of cliques");
  c->reserved_to_run = bytes * (uint64_t)c->threads;
  c->worker = ms_calloc((size_t)c->threads, sizeof *c->worker);
  if (!c->worker)
    return ms_fail_memory(err, "a count of cliques");
  c->next = c->part = 0;
  c->reported = 0;
  c->taken = c->weight = 0;
  for (uint64_t i = 0; i < c->vertices; i++)
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
  *done = c->next >= c->vertices;
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

/* Leaves with many pairs first, and among them those with many free vertices. */
static int compare_leaves(const void *a, const void *b)
{
  const ms_pivot_leaves *x = a, *y = b;
  if (x->pairs != y->pairs)
    return x->pairs > y->pairs ? -1 : 1;
  return x->spare > y->spare ? -1 : x->spare < y->spare;
}

/* Multiplies a polynomial by (1 + factor x)^power. */
static void multiply(mpz_t *of, uint32_t most, uint32_t factor, uint32_t power)
{
  for (; power > 0; power--)
    for (uint32_t i = most; i > 0; i--)
      mpz_addmul_ui(of[i], of[i - 1], factor);
}

/* Adds the leaves, sorted, by Horner's scheme in 1 + x and 1 + 2x. */
static void add_leaves(const ms_pivot_leaves *leaf, uint32_t count, uint32_t most, mpz_t *sum,
                       mpz_t *same)
{
  for (uint32_t i = 0; i < count;) {
    uint32_t pairs = leaf[i].pairs, spare = leaf[i].spare;
    for (; i < count && leaf[i].pairs == pairs; i++) {
      multiply(same, most, 1, spare - leaf[i].spare);
      spare = leaf[i].spare;
      if (leaf[i].held <= most)
        mpz_add_ui(same[leaf[i].held], same[leaf[i].held], leaf[i].count);
    }
    multiply(same, most, 1, spare);
    for (uint32_t k = 0; k <= most; k++) {
      mpz_add(sum[k], sum[k], same[k]);
      mpz_set_ui(same[k], 0);
    }
    multiply(sum, most, 2, pairs - (i < count ? leaf[i].pairs : 0));
  }
}

static void add_wide(mpz_t sum, ms_wide_size x)
{
  uint64_t words[2] = {(uint64_t)x, (uint64_t)(x >> 64)};
  mpz_t part;
  mpz_init(part);
  mpz_import(part, 2, -1, sizeof *words, 0, 0, words);
  mpz_add(sum, sum, part);
  mpz_clear(part);
}

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
  if (all.leaves > 0)
    qsort(all.leaf, all.leaves, sizeof *all.leaf, compare_leaves);
  add_leaves(all.leaf, all.leaves, most, poly[0], poly[1]);
  for (uint32_t k = c->task.least; k <= most; k++) {
    mpz_add(sum[k], sum[k], poly[0][k]);
    for (int i = 0; i < c->threads; i++)
      if (c->worker[i].all)
        add_wide(sum[k], c->worker[i].tree.exact[k]);
  }
  for (uint32_t k = 0; k <= most; k++) {
    mpz_clear(poly[0][k]);
    mpz_clear(poly[1][k]);
  }
  ms_free(poly);
  ms_free(all.leaf);
  return MS_OK;
}
