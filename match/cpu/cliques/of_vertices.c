/* Counts the cliques of each vertex.
 *
 * In the tree of cliques.h, let T(h, p, q) be the polynomial x^h (1 + x)^p (1 + 2x)^q of a leaf.  A
 * vertex that is held is in all cliques of the leaves below, so that it gets their sum once, when
 * the tree comes back to it.  A free vertex is in the cliques of T(h + 1, p - 1, q) of each leaf,
 * and a vertex of a pair in those of T(h + 1, p, q - 1).  So a leaf takes as many steps as it has
 * free vertices and vertices in pairs, times the sizes, and still no clique is visited.  Numbers
 * have 64 bits, and stay at the greatest one; then the root, which is in all of them, has too
 * many. */
#include "match/cpu/cliques/of_vertices.h"

#include "base/alloc.h"
#include "base/budget.h"
#include "base/status.h"
#include "base/threads/threads.h"
#include "base/threads/watch.h"
#include "match/cpu/cliques/order.h"
#include "match/cpu/sorted.h"

#include <string.h>

#define ROOTS_AT_ONCE 4u

/* What a thread keeps from root to root. */
typedef struct vertex_tree {
  uint32_t n; /* candidates of the root */
  size_t words;
  uint64_t *row;        /* [n][words] the neighbours of each candidate among them */
  uint64_t *set;        /* [levels][words] */
  uint32_t *near;       /* [n] candidates that each one is next to */
  uint32_t *spare;      /* [n] free candidates */
  uint64_t *sum;        /* [levels][sizes] cliques below the vertices that are held */
  uint64_t *own;        /* [n + 1][sizes] of each candidate, and of the root */
  uint64_t *polynomial; /* [most + 1] */
  uint32_t *place;      /* [vertices] among the candidates of the root, and 1 */
  uint64_t steps;
} vertex_tree;

typedef struct vertex_count {
  const ms_cliques_task *task;
  const ms_cliques_run *run;
  ms_clique_order order;
  uint32_t sizes;
  int threads;
  ms_watch watch;
  vertex_tree *tree; /* [threads] */
  uint64_t *count;
  atomic_bool overflow;
  atomic_uint_fast64_t done;
} vertex_count;

static void add(uint64_t *to, uint64_t more)
{
  if (__builtin_add_overflow(*to, more, to))
    *to = UINT64_MAX;
}

/* ---- leaves ---------------------------------------------------------------------------------- */

/* Sets to[0 .. degree] to the coefficients of (1 + x)^spare (1 + 2x)^pairs. */
static void expand(uint32_t spare, uint32_t pairs, uint32_t degree, uint64_t *to)
{
  ms_wide_size chosen = 1;
  for (uint32_t i = 0; i <= degree; i++) {
    if (i > 0 && i <= spare / 2 && chosen <= UINT64_MAX)
      chosen = chosen * (spare - i + 1) / i;
    to[i] = i > spare              ? 0
            : i > spare / 2        ? to[spare - i]
            : chosen <= UINT64_MAX ? (uint64_t)chosen
                                   : UINT64_MAX;
  }
  for (; pairs > 0; pairs--)
    for (uint32_t i = degree; i > 0; i--) {
      add(&to[i], to[i - 1]);
      add(&to[i], to[i - 1]);
    }
}

/* Adds the cliques of `held` more vertices than the polynomial says. */
static void add_polynomial(const vertex_count *c, const uint64_t *polynomial, uint32_t held,
                           uint64_t *to)
{
  uint32_t least = c->task->least, most = c->task->most;
  for (uint32_t k = held > least ? held : least; k <= most; k++)
    add(&to[k - least], polynomial[k - held]);
}

static uint64_t *own_of(const vertex_count *c, const vertex_tree *t, uint32_t v)
{
  return t->own + (size_t)v * c->sizes;
}

/* Counts the cliques of `held` vertices, any of the free ones, and one or none of each pair; all
 * vertices of the set are in pairs. */
static void end_with_leaf(const vertex_count *c, vertex_tree *t, const uint64_t *set, uint32_t held,
                          uint32_t spares, uint32_t pairs, uint64_t *sum)
{
  uint32_t degree = c->task->most - held;
  expand(spares, pairs, degree, t->polynomial);
  add_polynomial(c, t->polynomial, held, sum);
  if (degree == 0)
    return;
  if (spares > 0)
    expand(spares - 1, pairs, degree - 1, t->polynomial);
  for (uint32_t i = 0; i < spares; i++)
    add_polynomial(c, t->polynomial, held + 1, own_of(c, t, t->spare[i]));
  if (pairs > 0)
    expand(spares, pairs - 1, degree - 1, t->polynomial);
  for (size_t w = 0; w < t->words && pairs > 0; w++)
    for (uint64_t left = set[w]; left; left &= left - 1)
      add_polynomial(c, t->polynomial, held + 1,
                     own_of(c, t, (uint32_t)w * 64 + (uint32_t)__builtin_ctzll(left)));
}

/* Counts the cliques to which at most one more vertex is added, free or of the set. */
static void end_with_one(const vertex_count *c, const vertex_tree *t, const uint64_t *set,
                         uint32_t n, uint32_t held, uint32_t spares, uint64_t *sum)
{
  uint32_t last = c->sizes - 1;
  if (held >= c->task->least)
    add(&sum[held - c->task->least], 1);
  add(&sum[last], (uint64_t)spares + n);
  for (uint32_t i = 0; i < spares; i++)
    add(&own_of(c, t, t->spare[i])[last], 1);
  for (size_t w = 0; w < t->words; w++)
    for (uint64_t left = set[w]; left; left &= left - 1)
      add(&own_of(c, t, (uint32_t)w * 64 + (uint32_t)__builtin_ctzll(left))[last], 1);
}

/* ---- trees ----------------------------------------------------------------------------------- */

static uint32_t count_ones(const uint64_t *a, const uint64_t *b, size_t words)
{
  uint32_t count = 0;
  for (size_t w = 0; w < words; w++)
    count += (uint32_t)__builtin_popcountll(a[w] & b[w]);
  return count;
}

/* Sets near[v] to the candidates of the set that v is next to, for each of its n candidates. */
static void compare(vertex_tree *t, const uint64_t *set)
{
  for (size_t w = 0; w < t->words; w++)
    for (uint64_t left = set[w]; left; left &= left - 1) {
      size_t v = w * 64 + (size_t)__builtin_ctzll(left);
      t->near[v] = count_ones(t->row + v * t->words, set, t->words);
    }
}

/* The candidates of a set, after those that are next to fewer than `need` were taken out (then
 * `few` is true), or after those that are next to all others became free. */
typedef struct candidates {
  bool few;
  uint32_t least, best, pivot; /* numbers of others; the candidate of the most, not of all */
} candidates;

static candidates settle(vertex_tree *t, uint64_t *set, uint32_t n, uint32_t need, uint32_t *spares)
{
  candidates c = {.least = n};
  uint32_t before = *spares;
  for (size_t w = 0; w < t->words; w++)
    for (uint64_t left = set[w]; left; left &= left - 1) {
      uint32_t v = (uint32_t)w * 64 + (uint32_t)__builtin_ctzll(left), near = t->near[v];
      c.least = near < c.least ? near : c.least;
      if (near < need) {
        c.few = true;
        set[w] ^= left & -left;
      } else if (near + 1 == n) {
        t->spare[(*spares)++] = v;
      } else if (near >= c.best) {
        c.best = near;
        c.pivot = v;
      }
    }
  if (c.few) /* the numbers of the others have changed */
    *spares = before;
  for (uint32_t i = before; i < *spares; i++)
    set[t->spare[i] / 64] ^= UINT64_C(1) << t->spare[i] % 64;
  return c;
}

static bool walk(vertex_count *c, vertex_tree *t, uint64_t *set, uint32_t held, uint32_t spares);

/* Holds each candidate that is not next to the pivot, and leaves the pivot's neighbours. */
static bool hold_others(vertex_count *c, vertex_tree *t, uint64_t *set, uint32_t pivot,
                        uint32_t held, uint32_t spares)
{
  uint64_t *child = set + t->words;
  uint64_t *sum = t->sum + (size_t)(held - 1) * c->sizes, *below = sum + c->sizes;
  const uint64_t *near = t->row + pivot * t->words;
  for (size_t w = 0; w < t->words; w++) {
    uint64_t left = set[w] & ~near[w];
    left &= w == pivot / 64 ? ~(UINT64_C(1) << pivot % 64) : ~UINT64_C(0);
    for (; left; left &= left - 1) {
      uint32_t v = (uint32_t)w * 64 + (uint32_t)__builtin_ctzll(left);
      set[w] ^= left & -left;
      for (size_t i = 0; i < t->words; i++)
        child[i] = set[i] & t->row[v * t->words + i];
      if (!walk(c, t, child, held + 1, spares))
        return false;
      for (uint32_t i = 0; i < c->sizes; i++) {
        add(&sum[i], below[i]);
        add(&own_of(c, t, v)[i], below[i]);
      }
    }
  }
  for (size_t w = 0; w < t->words; w++)
    set[w] &= near[w];
  set[pivot / 64] &= ~(UINT64_C(1) << pivot % 64);
  return true;
}

/* Sets the sum of the level to the cliques of `held` vertices, any of t->spare[spares], and
 * candidates, which are the set; it changes the set.  False: it was stopped. */
static bool walk(vertex_count *c, vertex_tree *t, uint64_t *set, uint32_t held, uint32_t spares)
{
  uint32_t least = c->task->least, most = c->task->most;
  uint64_t *sum = t->sum + (size_t)(held - 1) * c->sizes;
  memset(sum, 0, c->sizes * sizeof *sum);
  for (;;) {
    uint32_t n = count_ones(set, set, t->words), before = spares;
    if (ms_watch_ended(&c->watch, t->steps++))
      return false;
    if (held + spares + n < least)
      return true;
    if (held == most) {
      add(&sum[most - least], 1);
      return true;
    }
    if (held + 1 == most) {
      end_with_one(c, t, set, n, held, spares, sum);
      return true;
    }
    compare(t, set);
    uint32_t need = held + spares + 1 < least ? least - held - spares - 1 : 0;
    candidates found = settle(t, set, n, need, &spares);
    if (found.few)
      continue;
    if (found.least + 2 >= n) {
      end_with_leaf(c, t, set, held, spares, (n - (spares - before)) / 2, sum);
      return true;
    }
    if (!hold_others(c, t, set, found.pivot, held, spares))
      return false;
    t->spare[spares++] = found.pivot;
  }
}

/* ---- roots ----------------------------------------------------------------------------------- */

/* Sets the candidates of the root, and which of them are neighbours. */
static void enter_root(const vertex_count *c, vertex_tree *t, uint64_t root)
{
  const ms_clique_order *o = &c->order;
  const uint32_t *candidate = o->neighbor + o->offset[root];
  t->n = (uint32_t)(o->offset[root + 1] - o->offset[root]);
  t->words = t->n > 0 ? (t->n + 63) / 64 : 1;
  memset(t->row, 0, t->n * t->words * sizeof *t->row);
  memset(t->own, 0, (size_t)t->n * c->sizes * sizeof *t->own);
  memset(t->set, 0, t->words * sizeof *t->set);
  for (uint32_t i = 0; i < t->n; i++) {
    t->place[candidate[i]] = i + 1;
    t->set[i / 64] |= UINT64_C(1) << i % 64;
  }
  for (uint32_t i = 0; i < t->n; i++)
    for (uint64_t a = o->offset[candidate[i]]; a < o->offset[candidate[i] + 1]; a++) {
      uint32_t j = t->place[o->neighbor[a]];
      if (j-- == 0)
        continue;
      t->row[i * t->words + j / 64] |= UINT64_C(1) << j % 64;
      t->row[j * t->words + i / 64] |= UINT64_C(1) << i % 64;
    }
  for (uint32_t i = 0; i < t->n; i++)
    t->place[candidate[i]] = 0;
}

/* Adds numbers to those of a vertex, with which several threads may be busy. */
static void add_to_vertex(vertex_count *c, uint32_t place, const uint64_t *numbers)
{
  uint32_t vertex = c->task->index->vertex[c->order.vertex[place]];
  uint64_t *to = c->count + (size_t)vertex * c->sizes;
  for (uint32_t i = 0; i < c->sizes; i++) {
    uint64_t before = numbers[i] > 0 ? __atomic_fetch_add(&to[i], numbers[i], __ATOMIC_RELAXED) : 0;
    if (numbers[i] > INT64_MAX || before > INT64_MAX - numbers[i])
      atomic_store(&c->overflow, true);
  }
}

static void count_roots(void *user, ms_range r)
{
  vertex_count *c = user;
  vertex_tree *t = &c->tree[r.thread];
  for (uint64_t root = r.begin; root < r.end; root++) {
    const uint32_t *candidate = c->order.neighbor + c->order.offset[root];
    if (c->order.offset[root + 1] - c->order.offset[root] + 1 >= c->task->least) {
      enter_root(c, t, root);
      if (!walk(c, t, t->set, 1, 0))
        return;
      add_to_vertex(c, (uint32_t)root, t->sum);
      for (uint32_t i = 0; i < t->n; i++)
        add_to_vertex(c, candidate[i], own_of(c, t, i));
    }
    uint64_t done = atomic_fetch_add(&c->done, 1) + 1;
    if (r.thread == 0 && c->run->progress)
      c->run->progress(c->run->progress_user, "roots searched", done, c->order.vertices);
  }
}

/* ---- memory ---------------------------------------------------------------------------------- */

static uint64_t levels_of(const vertex_count *c)
{
  uint64_t longest = (uint64_t)c->order.longest + 2;
  return c->task->most < longest ? c->task->most : longest;
}

static uint64_t tree_bytes(const vertex_count *c)
{
  uint64_t n = (uint64_t)c->order.longest + 1, words = (n + 63) / 64;
  return 8 * (n * words + levels_of(c) * words + levels_of(c) * c->sizes + n * c->sizes +
              c->task->most + 1) +
         8 * n + 4 * ((uint64_t)c->order.vertices + 1);
}

static bool open_tree(const vertex_count *c, vertex_tree *t)
{
  size_t n = (size_t)c->order.longest + 1, words = (n + 63) / 64;
  t->row = ms_alloc(n * words, sizeof *t->row);
  t->set = ms_alloc(levels_of(c) * words, sizeof *t->set);
  t->sum = ms_alloc(levels_of(c) * c->sizes, sizeof *t->sum);
  t->own = ms_alloc(n * c->sizes, sizeof *t->own);
  t->polynomial = ms_alloc((size_t)c->task->most + 1, sizeof *t->polynomial);
  t->near = ms_alloc(n, sizeof *t->near);
  t->spare = ms_alloc(n, sizeof *t->spare);
  t->place = ms_calloc((size_t)c->order.vertices + 1, sizeof *t->place);
  return t->row && t->set && t->sum && t->own && t->polynomial && t->near && t->spare && t->place;
}

static void close_tree(vertex_tree *t)
{
  ms_free(t->row);
  ms_free(t->set);
  ms_free(t->sum);
  ms_free(t->own);
  ms_free(t->polynomial);
  ms_free(t->near);
  ms_free(t->spare);
  ms_free(t->place);
}

static ms_status count_all(vertex_count *c, ms_error *err)
{
  bool ok = true;
  c->tree = ms_calloc((size_t)c->threads, sizeof *c->tree);
  for (int i = 0; c->tree && i < c->threads; i++)
    ok = open_tree(c, &c->tree[i]) && ok;
  if (!c->tree || !ok)
    return ms_fail_memory(err, "the cliques of each vertex");
  ms_watch_begin(&c->watch);
  ms_watch_loop(&c->watch, c->threads, c->order.vertices, ROOTS_AT_ONCE, count_roots, c);
  if (atomic_load(&c->overflow))
    return ms_fail(err, MS_ERR_USAGE,
                   "a vertex is in 2^63 or more cliques of a size, which have no number for each "
                   "vertex; choose sizes with fewer cliques");
  return ms_watch_report(&c->watch, "cliques are counted", err);
}

ms_status ms_cliques_of_vertices(const ms_cliques_task *task, const ms_cliques_run *run,
                                 uint64_t *count, ms_error *err)
{
  vertex_count c = {.task = task,
                    .run = run,
                    .sizes = task->most - task->least + 1,
                    .threads = ms_threads(run->threads),
                    .count = count};
  uint64_t order = ms_clique_order_bytes(task->index), trees = 0;
  ms_status status = MS_ERR_MEMORY;
  if (!ms_budget_reserve(task->budget, order))
    return ms_fail(err, MS_ERR_MEMORY,
                   "a count of cliques needs %llu bytes of memory, and may use %llu; raise "
                   "`memory`",
                   (unsigned long long)order, (unsigned long long)ms_budget_left(task->budget));
  status = ms_clique_order_make(task, &c.order, err);
  if (status == MS_OK) {
    trees = tree_bytes(&c);
    while (c.threads > 1 && !ms_budget_reserve(task->budget, trees * (uint64_t)c.threads))
      c.threads--;
    if (c.threads == 1 && !ms_budget_reserve(task->budget, trees))
      status = ms_fail(err, MS_ERR_MEMORY,
                       "a thread that counts the cliques of each vertex needs %llu bytes of "
                       "memory; raise `memory`, or choose fewer sizes",
                       (unsigned long long)trees);
    trees = status == MS_OK ? trees * (uint64_t)c.threads : 0;
  }
  if (status == MS_OK)
    status = count_all(&c, err);
  for (int i = 0; c.tree && i < c.threads; i++)
    close_tree(&c.tree[i]);
  ms_free(c.tree);
  ms_clique_order_free(&c.order);
  ms_budget_release(task->budget, order + trees);
  return status;
}
