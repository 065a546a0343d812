/* Exact overlaps: for each vertex, the sets around it (overlaps.h). */
#include "base/alloc.h"
#include "base/compiler.h"
#include "base/hooks.h"
#include "base/status.h"
#include "base/threads/threads.h"
#include "base/threads/watch.h"
#include "significance/cells.h"
#include "significance/overlaps.h"

#include <stdatomic.h>
#include <string.h>

#define UNSEEN UINT32_MAX
#define LOWER (UINT32_MAX - 1) /* a rank below the vertex: it is in sets, but in no subset */
/* With fewer sets at a vertex, the squares of the numbers of subsets of one size sum up to less
 * than 2^28 times the sum of these numbers, which is at most C(6, 3) for each set. */
#define WIDE (UINT64_C(1) << 28)
#define PIECE 64u /* vertices that a thread takes at a time */

enum {
  MOST_UPPER = MS_MAX_CENSUS - 3, /* of a set of k - 2 vertices, without the vertex itself */
  MASKS = 1 << MOST_UPPER
};

/* The memory of one thread, and the vertex that it counts at. */
typedef struct counter {
  const ms_census_graph *graph;
  uint32_t k;
  uint8_t *tag;     /* [n] 1: in the set, or next to it */
  uint32_t *id;     /* [n] the number of a rank above the vertex that lies around it */
  uint32_t *near;   /* [n] ranks around the vertex */
  uint32_t *x;      /* [n] candidates, of all levels */
  uint32_t *last;   /* [n] numbers of the vertices that complete a set, those above the vertex */
  uint64_t *choose; /* [room][MS_MAX_CENSUS] C(i, r) at place r < k of row i */
  uint64_t room;
  ms_cells cells[MS_MAX_CENSUS];      /* [k - 1] by the number of vertices beside the vertex */
  ms_count128 sum[MS_MAX_CENSUS + 1]; /* [k + 1] what is added to B_j */
  uint64_t total;                     /* sets that hold the vertex */
  uint64_t most;                      /* of all of its vertices */
  ms_count128 totals;
  uint64_t visits;
  ms_budget *budget;
  ms_watch *watch;
  bool ended, full, too_many;
  bool is_flat; /* all cells are */
} counter;

/* The upper vertices of a set. */
typedef struct upper_set {
  uint32_t id[MOST_UPPER]; /* [count] numbers, ascending */
  uint32_t count;
} upper_set;

/* The subsets of the upper vertices of a set of k - 2 vertices, with places for two more vertices,
 * and the numbers of sets of k vertices that hold them. */
typedef struct tally {
  counter *c;
  upper_set upper;
  uint64_t made; /* bit q1 * (upper.count + 1) + q2: that base is filled */
  uint64_t base[(MOST_UPPER + 1) * (MOST_UPPER + 1)][MASKS];
  uint32_t *number[MS_MAX_CENSUS]; /* [k - 1] of flat cells */
  uint64_t squares[MS_MAX_CENSUS]; /* [k - 1] the same: what is added to their squares */
} tally;

/* The number of elements of a subset. */
#define BITS_2(n) n, (n) + 1, (n) + 1, (n) + 2
#define BITS_4(n) BITS_2(n), BITS_2((n) + 1), BITS_2((n) + 1), BITS_2((n) + 2)
static const uint8_t bits_of[MASKS] = {BITS_4(0), BITS_4(1)};

/* ---- what lies around a vertex -------------------------------------------------------- */

/* Fills choose[][] for numbers below `count`. */
static bool make_choose(counter *c, uint64_t count)
{
  if (count <= c->room)
    return true;
  uint64_t room = 2 * count, row_bytes = MS_MAX_CENSUS * sizeof *c->choose;
  if (!ms_budget_reserve(c->budget, room * row_bytes))
    return false;
  uint64_t *choose = ms_calloc(room, row_bytes);
  if (!choose) {
    ms_budget_release(c->budget, room * row_bytes);
    return false;
  }
  for (uint64_t i = 0; i < room; i++) {
    uint64_t *row = choose + i * MS_MAX_CENSUS;
    const uint64_t *before = row - (i > 0 ? MS_MAX_CENSUS : 0);
    row[0] = 1;
    for (uint32_t r = 1; r < c->k && i > 0;
         r++) /* too large numbers are not used: see begin_cells */
      row[r] = before[r] + before[r - 1];
  }
  ms_free(c->choose);
  ms_budget_release(c->budget, c->room * row_bytes);
  c->choose = choose;
  c->room = room;
  return true;
}

/* Returns C(id, 0), C(id, 1), .. */
static inline const uint64_t *choose_of(const counter *c, uint32_t id)
{
  return c->choose + (size_t)id * MS_MAX_CENSUS;
}

/* Returns C(count, size), or UINT64_MAX if it has more than 62 bits. */
static uint64_t count_subsets(uint64_t count, uint32_t size)
{
  ms_count128 result = 1;
  for (uint32_t i = 0; i < size; i++) {
    if (count <= i)
      return 0;
    result = result * (count - i) / (i + 1);
    if (result >> 62)
      return UINT64_MAX;
  }
  return (uint64_t)result;
}

/* Numbers the ranks above v at a distance below k, breadth first.  Returns how many ranks c->near
 * has. */
static uint32_t number_near(counter *c, uint32_t v, uint32_t *uppers)
{
  const ms_census_graph *g = c->graph;
  uint32_t count = 1, begin = 0;
  c->near[0] = v;
  c->id[v] = LOWER;
  *uppers = 0;
  for (uint32_t depth = 1; depth < c->k && begin < count; depth++) {
    uint32_t end = count;
    for (; begin < end; begin++) {
      uint32_t u = c->near[begin];
      for (uint64_t a = g->offset[u]; a < g->offset[u + 1]; a++) {
        uint32_t w = g->neighbor[a];
        if (c->id[w] == UNSEEN) {
          c->id[w] = w > v ? (*uppers)++ : LOWER;
          c->near[count++] = w;
        }
      }
    }
  }
  return count;
}

/* Makes the tables ready for subsets of `uppers` vertices. */
static bool begin_cells(counter *c, uint32_t uppers)
{
  if (!make_choose(c, (uint64_t)uppers + 1))
    return false;
  c->is_flat = true;
  for (uint32_t a = 1; a + 2 <= c->k; a++) {
    uint64_t room = count_subsets(uppers, a);
    c->is_flat &= room <= ms_hooks.flat_cells && room <= ms_hooks.dense_cells;
  }
  for (uint32_t a = 1; a + 2 <= c->k; a++) {
    uint64_t room = count_subsets(uppers, a);
    if (room == UINT64_MAX || !ms_cells_begin(&c->cells[a], room, c->is_flat))
      return false;
  }
  return true;
}

/* ---- the sets that hold a vertex ------------------------------------------------------ */

/* The next functions are inlined with a constant m, which is t->upper.count, where it is small:
 * loops over subsets then disappear, and sums stay in registers.  `flat`: all cells are. */

/* Adds to the number of a subset of `size` vertices. */
MS_ALWAYS_INLINE void add_to(tally *t, bool flat, uint32_t size, uint64_t subset, uint32_t sets)
{
  if (flat)
    ms_cells_add_flat(t->number[size], subset, sets, &t->squares[size]);
  else
    ms_cells_add(&t->c->cells[size], subset, sets);
}

/* Returns, for each subset, the terms of its number when vertices come in at places q1 and q2 of
 * the upper vertices, q1 <= q2: those behind q1 move one place up, and those behind q2 another one.
 * With q = m, no vertex moves. */
MS_ALWAYS_INLINE const uint64_t *base_of(tally *t, uint32_t m, uint32_t q1, uint32_t q2)
{
  uint32_t at = q1 * (m + 1) + q2;
  uint64_t *base = t->base[at];
  if (t->made >> at & 1)
    return base;
  base[0] = 0;
  for (uint32_t i = 0; i < m; i++)
    for (uint32_t mask = 0; mask < 1u << i; mask++) {
      uint32_t row = bits_of[mask] + 1u + (i >= q1) + (i >= q2);
      base[mask | 1u << i] =
          base[mask] + (row < t->c->k ? choose_of(t->c, t->upper.id[i])[row] : 0);
    }
  t->made |= UINT64_C(1) << at;
  return base;
}

/* Returns the place of a number among the upper vertices. */
MS_ALWAYS_INLINE uint32_t place_of(const tally *t, uint32_t m, uint32_t id)
{
  uint32_t place = 0;
  for (uint32_t i = 0; i < m; i++)
    place += t->upper.id[i] < id;
  return place;
}

/* Adds to the numbers of all subsets with one more vertex. */
MS_ALWAYS_INLINE void add_with_one(tally *t, uint32_t m, bool flat, uint32_t id, uint32_t sets)
{
  uint32_t q = place_of(t, m, id), below = (1u << q) - 1;
  const uint64_t *base = base_of(t, m, q, m), *choose = choose_of(t->c, id) + 1;
  for (uint32_t mask = 0; mask < 1u << m; mask++)
    add_to(t, flat, bits_of[mask] + 1u, base[mask] + choose[bits_of[mask & below]], sets);
}

/* Adds 1 to the numbers of all subsets with two more vertices, but not to that of a whole set of k.
 */
MS_ALWAYS_INLINE void add_with_two(tally *t, uint32_t m, bool flat, uint32_t id, uint32_t other)
{
  uint32_t low = id < other ? id : other, high = id < other ? other : id;
  uint32_t q1 = place_of(t, m, low), q2 = place_of(t, m, high);
  uint32_t below1 = (1u << q1) - 1, below2 = (1u << q2) - 1, all = 1u << m;
  const uint64_t *base = base_of(t, m, q1, q2);
  const uint64_t *choose1 = choose_of(t->c, low) + 1, *choose2 = choose_of(t->c, high) + 2;
  for (uint32_t mask = 0; mask + 1 < all; mask++)
    add_to(t, flat, bits_of[mask] + 2u,
           base[mask] + choose1[bits_of[mask & below1]] + choose2[bits_of[mask & below2]], 1);
  if (m + 3 < t->c->k)
    add_to(t, flat, m + 2, base[all - 1] + choose1[q1] + choose2[q2], 1);
}

/* Puts the number of u among the upper vertices, if it is one. */
static void insert_upper(const counter *c, upper_set *s, uint32_t u)
{
  uint32_t id = c->id[u], at;
  if (id == LOWER)
    return;
  for (at = s->count++; at > 0 && s->id[at - 1] > id; at--)
    s->id[at] = s->id[at - 1];
  s->id[at] = id;
}

/* Puts the numbers of the neighbours of u that are neither in the set nor next to it behind
 * c->last[lasts], those that are above the vertex; returns their end there, and adds the number of
 * all of them to *total. */
MS_ALWAYS_INLINE uint32_t find_new(const counter *c, uint32_t u, uint32_t lasts, uint32_t *total)
{
  const ms_census_graph *g = c->graph;
  /* without a branch, which would often be mispredicted */
  for (uint64_t a = g->offset[u]; a < g->offset[u + 1]; a++) {
    uint32_t w = g->neighbor[a], id = c->id[w], is_new = c->tag[w] ^ 1u;
    *total += is_new;
    c->last[lasts] = id;
    lasts += is_new & (id != LOWER);
  }
  return lasts;
}

/* Counts the sets of k vertices that the set of k - 2 leads to by candidates begin .. end - 1 and
 * one more vertex: a candidate behind the first one, or one of its new neighbours.  A subset with
 * one candidate u and no other vertex beyond the set of k - 2 is in the sets in which u comes
 * first, and in those in which a candidate before it does; so it takes one addition for all of
 * them, as do the subsets without either.  The candidates are taken from the last one on, so that
 * c->last begins with those behind each, and its new neighbours come after them. */
MS_ALWAYS_INLINE void complete_of(tally *t, uint32_t m, bool flat, uint32_t begin, uint32_t end)
{
  counter *c = t->c;
  uint32_t behind = 0; /* so many of c->last */
  uint64_t all = 0;
  for (uint32_t i = end; i-- > begin;) {
    uint32_t id = c->id[c->x[i]], total = end - i - 1;
    if (end - begin > 64 && ms_watch_ended(c->watch, i % 64 ? 1 : 0)) {
      c->ended = true;
      return;
    }
    uint32_t lasts = find_new(c, c->x[i], behind, &total);
    all += total;
    for (uint32_t j = behind; j < lasts; j++)
      add_with_one(t, m, flat, c->last[j], 1);
    if (id == LOWER)
      continue;
    if (total + (i - begin) > 0)
      add_with_one(t, m, flat, id, total + (i - begin));
    for (uint32_t j = 0; j < lasts; j++)
      add_with_two(t, m, flat, id, c->last[j]);
    c->last[behind++] = id;
  }
  c->total += all;
  const uint64_t *base = base_of(t, m, m, m);
  for (uint32_t mask = 1; mask < 1u << m && all > 0; mask++)
    add_to(t, flat, bits_of[mask], base[mask],
           (uint32_t)all); /* count_at refuses more than 32 bits */
  for (uint32_t size = 1; flat && size <= m + 2 && size + 2 <= c->k; size++)
    c->cells[size].squares += t->squares[size];
}

static void complete(counter *c, const upper_set *before, uint32_t begin, uint32_t end)
{
  tally t; /* base is not filled */
  t.c = c;
  t.upper = *before;
  t.made = 0;
  for (uint32_t size = 1; size + 2 <= c->k; size++) {
    t.number[size] = c->cells[size].number;
    t.squares[size] = 0;
  }
  if (!c->is_flat)
    complete_of(&t, before->count, false, begin, end);
  else if (before->count == 0)
    complete_of(&t, 0, true, begin, end);
  else if (before->count == 1)
    complete_of(&t, 1, true, begin, end);
  else if (before->count == 2)
    complete_of(&t, 2, true, begin, end);
  else if (before->count == 3)
    complete_of(&t, 3, true, begin, end);
  else /* a bound that the compiler knows */
    complete_of(&t, before->count < MOST_UPPER ? before->count : MOST_UPPER, true, begin, end);
}

static uint32_t append_neighbors(counter *c, uint32_t u, uint32_t end)
{
  const ms_census_graph *g = c->graph;
  for (uint64_t a = g->offset[u]; a < g->offset[u + 1]; a++) {
    uint32_t w = g->neighbor[a];
    if (!c->tag[w]) {
      c->tag[w] = 1;
      c->x[end++] = w;
    }
  }
  return end;
}

static void extend(counter *c, const upper_set *before, uint32_t size, uint32_t begin, uint32_t end)
{
  if (ms_watch_ended(c->watch, c->visits++))
    c->ended = true;
  if (size + 2 == c->k) {
    complete(c, before, begin, end);
    return;
  }
  for (uint32_t i = begin; i < end && !c->ended; i++) {
    upper_set s = *before;
    insert_upper(c, &s, c->x[i]);
    uint32_t more = append_neighbors(c, c->x[i], end);
    extend(c, &s, size + 1, i + 1, more);
    while (more > end)
      c->tag[c->x[--more]] = 0;
  }
}

/* Adds the squares of the vertex to the sums.  Returns false if the counting has to end. */
static bool count_at(counter *c, uint32_t v)
{
  upper_set none = {.count = 0};
  uint32_t uppers, near = number_near(c, v, &uppers);
  if (!begin_cells(c, uppers))
    c->full = true;
  c->total = 0;
  if (!c->full) {
    c->tag[v] = 1;
    uint32_t end = append_neighbors(c, v, 0);
    extend(c, &none, 1, 0, end);
    while (end > 0)
      c->tag[c->x[--end]] = 0;
    c->tag[v] = 0;
  }
  for (uint32_t i = 0; i < near; i++)
    c->id[c->near[i]] = UNSEEN;
  for (uint32_t a = 1; a + 2 <= c->k && !c->full; a++) {
    c->cells[a].is_wide = c->total >= WIDE;
    c->sum[a + 1] += ms_cells_end(&c->cells[a]);
    c->full |= c->cells[a].full;
  }
  c->sum[1] += (ms_count128)c->total * c->total;
  c->totals += c->total;
  c->most = c->total > c->most ? c->total : c->most;
  c->too_many |= c->total > UINT32_MAX; /* numbers of subsets have 32 bits */
  return !c->full && !c->too_many && !c->ended;
}

/* ---- all vertices --------------------------------------------------------------------- */

typedef struct counting {
  const ms_census_graph *graph;
  const ms_overlaps_options *options;
  int threads;
  counter *counter; /* [threads] */
  ms_watch watch;
  atomic_uint_fast64_t done;
  atomic_bool failed;
} counting;

static void count_range(void *user, ms_range r)
{
  counting *w = user;
  counter *c = &w->counter[r.thread];
  for (uint64_t v = r.begin; v < r.end && !atomic_load(&w->failed) && !c->ended; v++)
    if (!count_at(c, (uint32_t)v) && !c->ended)
      atomic_store(&w->failed, true);
  uint64_t done = atomic_fetch_add(&w->done, r.end - r.begin) + (r.end - r.begin);
  if (r.thread == 0)
    ms_limits_report(&w->options->run, "overlaps of sets", done, w->graph->n);
}

static uint64_t thread_bytes(const ms_census_graph *g)
{
  return (uint64_t)g->n * (sizeof(uint8_t) + 4 * sizeof(uint32_t));
}

static ms_status fail_memory(ms_error *err)
{
  return ms_fail(err, MS_ERR_MEMORY,
                 "counting the overlaps of sets needs more memory; raise `memory`, lower `threads` "
                 "or `k`, or choose sampled `moments`");
}

static ms_status open_counter(counting *w, counter *c, ms_error *err)
{
  const ms_census_graph *g = w->graph;
  *c = (counter){.graph = g, .k = w->options->k, .watch = &w->watch, .budget = w->options->budget};
  if (!ms_budget_reserve(w->options->budget, thread_bytes(g)))
    return fail_memory(err);
  for (uint32_t a = 0; a < MS_MAX_CENSUS; a++)
    ms_cells_open(&c->cells[a], w->options->budget);
  c->tag = ms_calloc(g->n, sizeof *c->tag);
  c->id = ms_alloc(g->n, sizeof *c->id);
  c->near = ms_alloc(g->n, sizeof *c->near);
  c->x = ms_alloc(g->n, sizeof *c->x);
  c->last = ms_alloc((size_t)g->n + 1, sizeof *c->last);
  if (!c->tag || !c->id || !c->near || !c->x || !c->last)
    return ms_fail_memory(err, "the overlaps of sets");
  memset(c->id, 0xff, g->n * sizeof *c->id);
  return MS_OK;
}

static void close_counter(const counting *w, counter *c)
{
  if (!c->graph)
    return;
  for (uint32_t a = 0; a < MS_MAX_CENSUS; a++)
    ms_cells_close(&c->cells[a]);
  ms_free(c->tag);
  ms_free(c->id);
  ms_free(c->near);
  ms_free(c->x);
  ms_free(c->last);
  ms_free(c->choose);
  ms_budget_release(w->options->budget,
                    thread_bytes(w->graph) + c->room * MS_MAX_CENSUS * sizeof *c->choose);
}

/* Adds up what the threads have counted. */
static ms_status gather(const counting *w, ms_overlaps *out, ms_error *err)
{
  ms_count128 totals = 0;
  bool full = false, too_many = false;
  for (int t = 0; t < w->threads; t++) {
    const counter *c = &w->counter[t];
    full |= c->full;
    too_many |= c->too_many;
    totals += c->totals;
    out->most = c->most > out->most ? c->most : out->most;
    out->visits += c->visits;
    for (uint32_t j = 1; j < out->k; j++)
      out->shared[j] += c->sum[j];
  }
  if (full)
    return fail_memory(err);
  if (too_many || totals / out->k > INT64_MAX)
    return ms_fail(err, MS_ERR_USAGE,
                   "a vertex is in 2^32 connected sets or more, which is too many to count their "
                   "overlaps; lower `k`, or choose sampled `moments`");
  out->sets = (uint64_t)(totals / out->k);
  out->shared[0] = (ms_count128)out->sets * out->sets;
  out->shared[out->k] = out->sets;
  out->exact = true;
  return MS_OK;
}

/* Two common vertices of sets of two are a common edge. */
static ms_status count_edges(const ms_census_graph *g, ms_overlaps *out)
{
  for (uint32_t v = 0; v < g->n; v++) {
    uint64_t degree = g->offset[v + 1] - g->offset[v];
    out->shared[1] += (ms_count128)degree * degree;
    out->most = degree > out->most ? degree : out->most;
  }
  out->sets = g->offset[g->n] / 2;
  out->shared[0] = (ms_count128)out->sets * out->sets;
  out->shared[2] = out->sets;
  out->exact = true;
  return MS_OK;
}

ms_status ms_overlaps_exact(const ms_census_graph *graph, const ms_overlaps_options *options,
                            ms_overlaps *out, ms_error *err)
{
  if (out->k == 2)
    return count_edges(graph, out);
  counting w = {.graph = graph, .options = options, .threads = ms_threads(options->run.threads)};
  uint64_t most = ms_budget_left(options->budget) / (thread_bytes(graph) + 1);
  if ((uint64_t)w.threads > most)
    w.threads = most > 1 ? (int)most : 1;
  w.counter = ms_calloc((size_t)w.threads, sizeof *w.counter);
  ms_status status = w.counter ? MS_OK : ms_fail_memory(err, "the overlaps of sets");
  for (int t = 0; t < w.threads && status == MS_OK; t++)
    status = open_counter(&w, &w.counter[t], err);
  if (status == MS_OK) {
    ms_watch_begin(&w.watch);
    ms_watch_loop(&w.watch, w.threads, graph->n, PIECE, count_range, &w);
    status = ms_watch_report(&w.watch, "the overlaps of sets are counted", err);
  }
  if (status == MS_OK)
    status = gather(&w, out, err);
  for (int t = 0; w.counter && t < w.threads; t++)
    close_counter(&w, &w.counter[t]);
  ms_free(w.counter);
  return status;
}
