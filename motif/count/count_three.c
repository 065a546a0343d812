#include "motif/count/count_three_region.h"

#include "base/alloc.h"
#include "base/ascending.h"
#include "base/compiler.h"
#include "base/status.h"
#include "base/threads/parallel.h"
#include "base/threads/stop.h"
#include "motif/count/count.h"
#include "motif/states.h"
#include "motif/units.h"

#include <stdatomic.h>
#include <string.h>

#define FEW 6u                         /* vertices whose pairs are looked up one by one */
#define POLL_STEPS ((uint64_t)1 << 16) /* some tens of microseconds */

/* A vertex as one thread sees it. */
typedef struct near_vertex {
  uint64_t begin;   /* its first neighbour above the root */
  uint64_t outside; /* e: lanes of the neighbours above the root and outside of N */
  uint64_t inside;  /* d: lanes of the candidates that are its neighbours; 0 between two sets */
  uint32_t count;   /* neighbours above the root */
  uint8_t kind;
  uint8_t near;  /* 1: it is in N */
  uint16_t mark; /* 1: it is next to the candidate whose triangles are counted */
} near_vertex;

typedef ms_three_fold fold;

typedef struct three_counter {
  const ms_three *all;
  near_vertex *at;      /* [n] */
  uint32_t *candidates; /* [size][candidates] of the sets of each size */
  uint32_t *entered;    /* [size][candidates] the vertices of N that the last member brought */
  uint32_t *out;        /* [degree + 1] neighbours of a candidate outside of N */
  uint32_t *touched;    /* [n + 1] ranks with `inside` */
  uint64_t touches;
  uint64_t peeled;        /* the ranks below are taken out of the graph */
  ms_second_share second; /* as in ms_set_counter */
  uint64_t low, high;     /* matches: high * 2^64 + low */
  uint64_t steps;         /* sets */
  uint64_t unchecked;     /* rows' entries that were read since the last poll */
  bool ended;
  bool (*poll)(void *user);
  void *user;
} three_counter;

uint64_t ms_three_thread_bytes(const ms_three *three)
{
  return three->ranked->n * (sizeof(near_vertex) + sizeof(uint32_t)) +
         three->degree * sizeof(uint32_t) +
         2 * three->ranked->size * three->candidates * sizeof(uint32_t);
}

/* ---- a thread ----------------------------------------------------------------------------------
 */

static void add(three_counter *c, uint64_t matches)
{
  c->low += matches;
  c->high += c->low < matches;
}

MS_ALWAYS_INLINE void note(three_counter *c, uint64_t steps)
{
  c->unchecked += steps;
  if (c->unchecked >= POLL_STEPS) {
    c->unchecked = 0;
    c->ended = c->ended || !c->poll(c->user);
  }
}

/* Makes the graph of all ranks. */
static ms_status open_counter(three_counter *c, const ms_three *three, ms_error *err)
{
  const ms_ranked *ranked = three->ranked;
  *c = (three_counter){.all = three};
  c->at = ms_alloc_lines(ranked->n, sizeof *c->at);
  c->candidates = ms_alloc((size_t)ranked->size * three->candidates, sizeof *c->candidates);
  c->entered = ms_alloc((size_t)ranked->size * three->candidates, sizeof *c->entered);
  c->out = ms_alloc(three->degree + 1, sizeof *c->out);
  c->touched = ms_alloc((size_t)ranked->n + 1, sizeof *c->touched);
  if (!c->at || !c->candidates || !c->entered || !c->out || !c->touched)
    return ms_fail_memory(err, "the vertices of a counting");
  for (uint32_t r = 0; r < ranked->n; r++) {
    uint64_t begin = ranked->offset[r], end = ranked->offset[r + 1], outside = 0;
    for (uint64_t a = begin; a < end; a++)
      outside += ms_three_unit(three->kind_of[ranked->neighbor[a]], three->bits);
    c->at[r] = (near_vertex){.begin = begin,
                             .outside = outside,
                             .count = (uint32_t)(end - begin),
                             .kind = three->kind_of[r]};
  }
  return MS_OK;
}

static void close_counter(three_counter *c)
{
  ms_free(c->at);
  ms_free(c->candidates);
  ms_free(c->entered);
  ms_free(c->out);
  ms_free(c->touched);
}

/* Takes a rank out of the graph, which is the lowest one in it. */
static void peel(three_counter *c, uint32_t rank, uint32_t bits)
{
  const near_vertex *r = &c->at[rank];
  const uint32_t *row = c->all->ranked->neighbor + r->begin;
  uint64_t one = ms_three_unit(r->kind, bits);
  for (uint32_t i = 0; i < r->count; i++) {
    near_vertex *v = &c->at[row[i]];
    v->begin++;
    v->count--;
    v->outside -= one;
  }
}

/* Counts a vertex as one of N (or no more, with `leaves`) at its neighbours. */
MS_ALWAYS_INLINE void enter(three_counter *c, const near_vertex *v, bool leaves, uint32_t bits)
{
  const uint32_t *row = c->all->ranked->neighbor + v->begin;
  uint64_t one = ms_three_unit(v->kind, bits), change = leaves ? one : 0 - one;
  for (uint32_t i = 0; i < v->count; i++)
    c->at[row[i]].outside += change;
}

/* True if rank w is a neighbour of v. */
MS_ALWAYS_INLINE bool is_neighbor(const three_counter *c, const near_vertex *v, uint32_t w)
{
  const uint32_t *row = c->all->ranked->neighbor + v->begin;
  uint32_t found = 0;
  for (uint32_t i = 0; i < v->count; i++)
    found |= row[i] == w;
  return found;
}

/* Returns the number of pairs of c->out[count] that are adjacent and complete a set, with marks at
 * the ranks. */
MS_SELDOM uint64_t count_marked(three_counter *c, uint32_t count, const uint64_t *third,
                                uint32_t bits)
{
  uint64_t both = 0, read = 0;
  for (uint32_t i = 0; i < count; i++) {
    near_vertex *v = &c->at[c->out[i]];
    /* the ranks before v are marked, so that each pair is met once */
    const uint32_t *row = c->all->ranked->neighbor + v->begin;
    uint64_t right = third[v->kind];
    for (uint32_t j = 0; j < v->count; j++) {
      const near_vertex *w = &c->at[row[j]];
      both += w->mark & (bits == 64 ? 1 : right >> w->kind * bits & 1);
    }
    v->mark = 1;
    read += v->count;
  }
  for (uint32_t i = 0; i < count; i++)
    c->at[c->out[i]].mark = 0;
  c->unchecked += read;
  return both;
}

/* Returns the number of pairs of c->out[count] that are adjacent and complete a set. */
MS_ALWAYS_INLINE uint64_t count_adjacent(three_counter *c, uint32_t count, const uint64_t *third,
                                         uint32_t bits)
{
  if (count > FEW)
    return count_marked(c, count, third, bits);
  uint64_t both = 0;
  for (uint32_t i = 1; i < count; i++) {
    const near_vertex *v = &c->at[c->out[i]];
    uint64_t right = third[v->kind];
    for (uint32_t j = 0; j < i; j++)
      if (bits == 64 || right >> c->at[c->out[j]].kind * bits & 1)
        both += is_neighbor(c, v, c->out[j]);
  }
  return both;
}

/* Returns the ways to take three of the candidates, of which there are x[kind]. */
MS_ALWAYS_INLINE uint64_t count_triples(const fold *f, const uint64_t *x)
{
  uint64_t sum = 0;
  for (uint32_t i = 0; i < f->triples; i++) {
    const uint8_t *k = f->triple[i].kind;
    uint64_t a = x[k[0]], b = x[k[1]], d = x[k[2]];
    if (k[0] == k[2])
      sum += a > 2 ? a * (a - 1) * (a - 2) / 6 : 0;
    else if (k[0] == k[1])
      sum += a > 1 ? a * (a - 1) / 2 * d : 0;
    else if (k[1] == k[2])
      sum += b > 1 ? b * (b - 1) / 2 * a : 0;
    else
      sum += a * b * d;
  }
  return sum;
}

/* Returns the ways to take two of the candidates and a vertex next to one of them, which counts a
 * vertex that is next to both twice.  outside[a][c]: the edges between candidates of kind a and
 * vertices of kind c outside of N. */
MS_ALWAYS_INLINE uint64_t count_pairs(const fold *f, const uint64_t *x,
                                      uint64_t outside[][MS_THREE_KINDS])
{
  uint64_t sum = 0;
  for (uint32_t i = 0; i < f->pairs; i++) {
    ms_three_pair p = f->pair[i];
    if (p.a != p.b)
      sum += x[p.b] * outside[p.a][p.c] + x[p.a] * outside[p.b][p.c];
    else if (x[p.a] > 0)
      sum += (x[p.a] - 1) * outside[p.a][p.c];
  }
  return sum;
}

/* Goes through the neighbours of a candidate outside of N that complete a set, and puts them into
 * c->out[*outs].  Returns C of the candidate, but for edges between two of them, less what
 * count_pairs counts twice. */
MS_ALWAYS_INLINE uint64_t count_around(three_counter *c, const near_vertex *u,
                                       const uint64_t *third, uint32_t *outs, uint32_t bits)
{
  const uint32_t *row = c->all->ranked->neighbor + u->begin;
  uint32_t *out = c->out, found = 0;
  uint64_t sum = 0, before = 0, touched = c->touches; /* before: lanes of the neighbours so far */
  for (uint32_t i = 0; i < u->count; i++) {
    near_vertex *v = &c->at[row[i]];
    uint64_t right = third[v->kind];
    if (bits < 64 && (v->near || right == 0))
      continue;
    /* with lanes of 64 bits without a branch, which would often be mispredicted */
    uint64_t is_out = bits < 64 ? 1 : v->near ^ 1u;
    out[found] = row[i];
    found += (uint32_t)is_out;
    c->touched[touched] = row[i];
    touched += is_out & (v->inside == 0);
    if (bits == 64) {
      sum += (v->outside + before - v->inside) & (0 - is_out);
      v->inside += is_out;
      before += is_out;
      continue;
    }
    sum += ms_three_sum_lanes((v->outside + before) & right, bits);
    if (v->inside)
      sum -= ms_three_sum_lanes(v->inside & right, bits);
    before += ms_three_unit(v->kind, bits);
    v->inside += ms_three_unit(u->kind, bits);
  }
  c->touches = touched;
  *outs = found;
  return sum;
}

/* Counts the matches that hold a set of size - 3 vertices with these candidates. */
MS_ALWAYS_INLINE void count_fold(three_counter *c, const fold *f, const uint32_t *candidate,
                                 uint64_t count, uint32_t bits)
{
  const uint8_t *in_triangle = c->all->in_triangle;
  uint64_t x[MS_THREE_KINDS] = {0}, outside[MS_THREE_KINDS][MS_THREE_KINDS], sum = 0, read = 0;
  memset(outside, 0, c->all->kinds.count * sizeof outside[0]);
  c->touches = 0;
  for (uint64_t i = 0; i < count; i++) {
    const near_vertex *u = &c->at[candidate[i]];
    uint64_t left = u->outside & f->outer[u->kind];
    uint32_t outs;
    x[u->kind]++;
    if (left == 0)
      continue;
    if (bits == 64)
      outside[0][0] += left;
    for (; bits < 64 && left;) {
      uint32_t kind = (uint32_t)__builtin_ctzll(left) / bits;
      outside[u->kind][kind] += left >> kind * bits & ms_three_lane(bits);
      left &= ~(ms_three_lane(bits) << kind * bits);
    }
    sum += count_around(c, u, f->third[u->kind], &outs, bits);
    if (outs > 1 && in_triangle[candidate[i]])
      sum -= 2 * count_adjacent(c, outs, f->third[u->kind], bits);
    read += u->count;
  }
  for (uint64_t i = 0; i < c->touches; i++)
    c->at[c->touched[i]].inside = 0;
  add(c, sum + count_triples(f, x) + count_pairs(f, x, outside));
  note(c, read + c->touches + count);
}

static void grow_set(three_counter *c, uint32_t state, uint32_t size, uint64_t count, uint32_t part,
                     uint32_t parts, uint32_t bits);

/* Grows a set with `rank`.  Its further candidates are rest[count]; `state` and `size` are those of
 * the new set. */
MS_ALWAYS_INLINE void add_vertex(three_counter *c, uint32_t rank, const uint32_t *rest,
                                 uint64_t count, uint32_t state, uint32_t size, uint32_t part,
                                 uint32_t parts, uint32_t bits)
{
  const ms_three *all = c->all;
  const uint32_t *next = all->states->next + (size_t)state * all->states->kinds;
  const near_vertex *u = &c->at[rank];
  const uint32_t *row = all->ranked->neighbor + u->begin;
  uint32_t *x = c->candidates + size * all->candidates,
           *entered = c->entered + size * all->candidates;
  uint64_t used = 0, old, brought = 0, read = u->count + count;
  for (uint64_t i = 0; i < count; i++) {
    x[used] = rest[i];
    used += next[c->at[rest[i]].kind] != MS_NO_STATE;
  }
  old = used;
  for (uint32_t i = 0; i < u->count; i++) {
    near_vertex *v = &c->at[row[i]];
    if (v->near)
      continue;
    v->near = 1;
    entered[brought++] = row[i];
    if (next[v->kind] == MS_NO_STATE)
      continue; /* it is in no match of this set: nobody asks for it in the lanes */
    x[used++] = row[i];
    enter(c, v, false, bits);
    read += 2 * v->count;
  }
  c->steps++;
  note(c, read);
  grow_set(c, state, size, used, part, parts, bits);
  for (; used > old; used--)
    enter(c, &c->at[x[used - 1]], true, bits);
  for (; brought > 0; brought--)
    c->at[entered[brought - 1]].near = 0;
}

/* Counts the matches that hold a set, whose candidates are in c->candidates. */
MS_ALWAYS_INLINE void grow_with(three_counter *c, uint32_t state, uint32_t size, uint64_t count,
                                uint32_t part, uint32_t parts, uint32_t bits)
{
  const ms_three *all = c->all;
  const uint32_t *next = all->states->next + (size_t)state * all->states->kinds,
                 *x = c->candidates + size * all->candidates;
  if (size + 3 == all->ranked->size) {
    count_fold(c, &all->folds[all->fold_of[state]], x, count, bits);
    return;
  }
  for (uint64_t i = 0; i < count && !c->ended; i++)
    if (i % parts == part && (size > 1 || !c->second.of || ms_second_share_has(&c->second, x[i])))
      add_vertex(c, x[i], x + i + 1, count - i - 1, next[c->at[x[i]].kind], size + 1, 0, 1, bits);
}

static void grow_8(three_counter *c, uint32_t state, uint32_t size, uint64_t count, uint32_t part,
                   uint32_t parts)
{
  grow_with(c, state, size, count, part, parts, 8);
}

static void grow_16(three_counter *c, uint32_t state, uint32_t size, uint64_t count, uint32_t part,
                    uint32_t parts)
{
  grow_with(c, state, size, count, part, parts, 16);
}

static void grow_64(three_counter *c, uint32_t state, uint32_t size, uint64_t count, uint32_t part,
                    uint32_t parts)
{
  grow_with(c, state, size, count, part, parts, 64);
}

/* The lanes' length is a constant in each of them. */
static void grow_set(three_counter *c, uint32_t state, uint32_t size, uint64_t count, uint32_t part,
                     uint32_t parts, uint32_t bits)
{
  if (bits == 8)
    grow_8(c, state, size, count, part, parts);
  else if (bits == 16)
    grow_16(c, state, size, count, part, parts);
  else
    grow_64(c, state, size, count, part, parts);
}

/* Counts the matches of a root, or a part of them. */
static void count_root(three_counter *c, uint32_t root, uint32_t part, uint32_t parts)
{
  const ms_three *all = c->all;
  uint32_t state = all->states->next[c->at[root].kind];
  for (; c->peeled <= root; c->peeled++)
    peel(c, (uint32_t)c->peeled, all->bits);
  if (state != MS_NO_STATE)
    add_vertex(c, root, NULL, 0, state, 1, part, parts, all->bits);
}

/* ---- all threads --------------------------------------------------------------------------------
 */

typedef struct counting {
  const ms_three *three;
  ms_count_sink *sink;
  const ms_stop *stop;
  ms_root_share share;
  three_counter *counter; /* [threads] */
  uint64_t first, roots;
  uint64_t *tasks; /* [roots + 1] number of the first task of each root */
  atomic_uint_fast64_t next, found;
  atomic_int stopped; /* MS_OK, or why the counting ends */
} counting;

static void work(void *user, int thread)
{
  counting *all = user;
  three_counter *c = &all->counter[thread];
  ms_count_thread mine = {.sink = thread == 0 ? all->sink : NULL,
                          .stop = all->stop,
                          .found = &all->found,
                          .stopped = &all->stopped,
                          .low = &c->low};
  uint64_t task, tasks = all->tasks[all->roots];
  c->poll = ms_count_poll;
  c->user = &mine;
  c->ended = !ms_count_poll(&mine);
  while (!c->ended && (task = atomic_fetch_add(&all->next, 1)) < tasks) {
    uint64_t i = ms_last_at_most(all->tasks, all->roots, task);
    const ms_ranked *ranked = all->three->ranked;
    if (!ms_root_share_has(&all->share, ranked, (uint32_t)(all->first + i)))
      continue;
    c->second = ms_second_share_of(&all->share, ranked, (uint32_t)(all->first + i));
    count_root(c, (uint32_t)(all->first + i), (uint32_t)(task - all->tasks[i]),
               (uint32_t)(all->tasks[i + 1] - all->tasks[i]));
  }
}

/* Counts with as many threads as there is memory for. */
static ms_status count_with_threads(counting *all, int threads, ms_error *err)
{
  const ms_three *three = all->three;
  uint64_t bytes = ms_three_thread_bytes(three);
  int open = 0;
  all->counter = ms_calloc((size_t)threads, sizeof *all->counter);
  ms_status status = all->counter ? MS_OK : ms_fail_memory(err, "the threads of a counting");
  while (status == MS_OK && open < threads && ms_budget_reserve(three->budget, bytes)) {
    status = open_counter(&all->counter[open], three, err);
    if (status == MS_OK) {
      open++;
      continue;
    }
    close_counter(&all->counter[open]);
    ms_budget_release(three->budget, bytes);
  }
  if (open > 0) {
    status = MS_OK;
    ms_parallel_team(open, work, all);
  } else if (status == MS_OK) {
    status = ms_fail_memory(err, "the threads of a counting");
  }
  for (int t = 0; t < open; t++) {
    three_counter *c = &all->counter[t];
    ms_count_add(all->sink, c->low);
    all->sink->high += c->high;
    all->sink->visits += c->steps;
    close_counter(c);
    ms_budget_release(three->budget, bytes);
  }
  ms_free(all->counter);
  return status;
}

ms_status ms_three_count(const ms_three *three, int threads, uint64_t first, uint64_t last,
                         ms_count_sink *sink, const ms_stop *stop, ms_error *err)
{
  counting all = {
      .three = three, .sink = sink, .stop = stop, .first = first, .roots = last - first};
  all.share = ms_root_share_of(three->ranked, sink->share, sink->only_cut);
  atomic_init(&all.next, 0);
  atomic_init(&all.found, 0);
  atomic_init(&all.stopped, MS_OK);
  /* a set of one vertex that is folded is not divided */
  MS_TRY(ms_count_divide(three->ranked, first, all.roots, threads > 1 && three->ranked->size > 4,
                         &all.tasks, err));
  ms_status status = count_with_threads(&all, threads, err);
  ms_free(all.tasks);
  ms_status stopped = (ms_status)atomic_load(&all.stopped);
  if (status == MS_OK && stopped != MS_OK)
    return ms_fail(err, stopped, "the counting was stopped: %s; it has found a part of the matches",
                   ms_status_text(stopped));
  return status;
}
