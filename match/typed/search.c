#include "match/typed/search.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/threads.h"
#include "match/cpu/sorted.h"

#include <stdatomic.h>
#include <string.h>

#define STEPS 4096u      /* candidates between two checks of the stop token */
#define MOST_PIECE 4096u /* greatest number of entries of the second level's rows in a piece */
#define PIECES 256u      /* number of pieces for each thread if there is enough work */

/* Data that all threads share. */
typedef struct shared {
  const ms_typed_search *search;
  const ms_sorted *sorted;
  /* [largest domain] 0, 1, ...: the ranks of all candidates of a vertex */
  const uint32_t *identity;
  /* rows that lead to the second level; NULL: pieces consist of roots */
  const ms_typed_pair *first;
  /* number of entries of these rows, or of roots: in all, and in one piece */
  uint64_t work, piece;
  _Atomic uint64_t next;  /* begin of the first piece that nobody has taken */
  _Atomic uint64_t steps; /* steps of all threads, counted if there is a budget */
  atomic_int failed;      /* an ms_status: the first failure */
} shared;

/* Data of one thread. */
typedef struct worker {
  shared *s;
  ms_segment *segment;
  uint64_t steps;
  uint64_t found, wraps; /* wraps: number of times that `found` passed 2^64 */
  /* the current piece, in entries of the second level's rows */
  uint64_t first_entry, last_entry;
  uint32_t rank[MS_MAX_PATTERN]; /* [level] */
  uint32_t part[MS_MAX_PATTERN]; /* [level] vertex of the part */
  uint32_t row[MS_MAX_PATTERN];  /* [pattern vertex] vertex of the graph */
  uint32_t *set[MS_MAX_PATTERN]; /* [level] room for an intersection; NULL: none is needed */
} worker;

/* Candidates as ascending ranks. */
typedef struct ranks {
  const uint32_t *at;
  size_t count;
} ranks;

/* ---- candidates ---------------------------------------------------------------- */

static ranks row_of(const worker *w, const ms_typed_level *level, uint32_t b)
{
  const ms_typed_pair *pair = level->pair[b];
  uint64_t begin = pair->offset[w->rank[level->back[b]]];
  uint64_t end = pair->offset[w->rank[level->back[b]] + 1];
  /* if several pieces share a row, use only the entries of this piece */
  if (pair == w->s->first) {
    begin = begin < w->first_entry ? w->first_entry : begin;
    end = end > w->last_entry ? w->last_entry : end;
    end = end < begin ? begin : end;
  }
  return (ranks){pair->target + begin, (size_t)(end - begin)};
}

static uint32_t shortest_row(const worker *w, const ms_typed_level *level)
{
  uint32_t best = 0;
  for (uint32_t b = 1; b < level->backs; b++)
    if (row_of(w, level, b).count < row_of(w, level, best).count)
      best = b;
  return best;
}

/* Returns the cost of an intersection in steps: both lists are read, or the
 * elements of the shorter one are searched for in the longer one. */
static uint64_t intersection_steps(size_t shorter, size_t longer)
{
  return (shorter + (longer < 32 * shorter ? longer : 32 * shorter)) / 16;
}

static ranks intersect_rows(worker *w, uint32_t l)
{
  const ms_typed_level *level = &w->s->search->plan->level[l];
  uint32_t best = shortest_row(w, level);
  ranks set = row_of(w, level, best);
  for (uint32_t b = 0; b < level->backs && set.count > 0; b++) {
    if (b == best)
      continue;
    ranks row = row_of(w, level, b);
    w->steps += intersection_steps(set.count, row.count);
    set.count = w->s->sorted->intersect(set.at, set.count, row.at, row.count, w->set[l]);
    set.at = w->set[l];
  }
  return set;
}

/* Keeps the candidates whose vertex is within the bounds that the matches of
 * earlier levels set. */
static ranks keep_order(const worker *w, const ms_typed_level *level, ranks set)
{
  const ms_typed_index *index = w->s->search->index;
  const uint32_t *list = index->list[level->vertex];
  uint32_t size = index->size[level->vertex], least = 0, most = UINT32_MAX;
  for (uint64_t rest = level->above; rest; rest &= rest - 1) {
    uint32_t v = w->part[__builtin_ctzll(rest)];
    least = v + 1 > least ? v + 1 : least;
  }
  for (uint64_t rest = level->below; rest; rest &= rest - 1) {
    uint32_t v = w->part[__builtin_ctzll(rest)];
    most = v < most ? v : most;
  }
  uint32_t first = (uint32_t)ms_lower_bound(list, size, least);
  uint32_t last = (uint32_t)ms_lower_bound(list, size, most);
  size_t begin = ms_lower_bound(set.at, set.count, first);
  size_t end = ms_lower_bound(set.at, set.count, last);
  return begin < end ? (ranks){set.at + begin, end - begin} : (ranks){set.at, 0};
}

static ranks candidates(worker *w, uint32_t l)
{
  const ms_typed_level *level = &w->s->search->plan->level[l];
  ranks set = level->backs ? intersect_rows(w, l)
                           : (ranks){w->s->identity, w->s->search->index->size[level->vertex]};
  return level->above | level->below ? keep_order(w, level, set) : set;
}

/* ---- the search ------------------------------------------------------------------ */

static bool set_failed(worker *w, ms_status status)
{
  int none = MS_OK;
  atomic_compare_exchange_strong(&w->s->failed, &none, (int)status);
  if (w->s->search->stream)
    ms_stream_halt(w->s->search->stream);
  return false;
}

/* Adds this thread's steps since the last call. True if the budget is spent. */
static bool is_spent(worker *w)
{
  const ms_typed_search *search = w->s->search;
  if (search->budget == 0 ||
      atomic_fetch_add_explicit(&w->s->steps, w->steps, memory_order_relaxed) < search->budget)
    return false;
  __atomic_store_n(search->spent, true, __ATOMIC_RELAXED);
  return true;
}

static bool check_stop(worker *w, uint64_t steps)
{
  w->steps += steps + 1;
  if (w->steps < STEPS)
    return true;
  bool spent = is_spent(w);
  w->steps = 0;
  if (atomic_load_explicit(&w->s->failed, memory_order_relaxed) != MS_OK)
    return false;
  ms_status status = spent ? MS_ERR_LIMIT : ms_stop_check(w->s->search->stop);
  return status == MS_OK ? true : set_failed(w, status);
}

static bool is_used(const worker *w, uint32_t l, uint32_t v)
{
  for (uint32_t i = 0; i < l; i++)
    if (w->part[i] == v)
      return true;
  return false;
}

static void add_found(worker *w, uint64_t more)
{
  w->found += more;
  w->wraps += w->found < more;
}

/* Counts the last level: all candidates except those that are matched
 * already. */
static void count_last(worker *w, uint32_t l, ranks set)
{
  const ms_typed_index *index = w->s->search->index;
  uint32_t vertex = w->s->search->plan->level[l].vertex, size = index->size[vertex];
  size_t used = 0;
  for (uint32_t i = 0; i < l && set.count > 0; i++) {
    size_t rank = ms_lower_bound(index->list[vertex], size, w->part[i]);
    if (rank == size || index->list[vertex][rank] != w->part[i])
      continue;
    size_t at = ms_lower_bound(set.at, set.count, (uint32_t)rank);
    used += at < set.count && set.at[at] == rank;
  }
  add_found(w, set.count - used);
}

static void place_vertex(worker *w, uint32_t l, uint32_t rank, uint32_t v)
{
  w->rank[l] = rank;
  w->part[l] = v;
  w->row[w->s->search->plan->level[l].vertex] = w->s->search->vertex[v];
}

static bool emit_row(worker *w)
{
  const ms_typed_search *search = w->s->search;
  return (search->check(search->user, w->row) &&
          ms_stream_add(search->stream, w->segment, w->row)) ||
         set_failed(w, MS_ERR_LIMIT);
}

/* Visits all ways to match level l and the levels after it. Returns false to
 * stop. */
static bool extend(worker *w, uint32_t l)
{
  const ms_typed_search *search = w->s->search;
  const uint32_t *list = search->index->list[search->plan->level[l].vertex];
  bool last = l + 1 == search->plan->n;
  ranks set = candidates(w, l);
  if (!check_stop(w, last ? set.count / 16 : set.count))
    return false;
  if (last && !search->stream) {
    count_last(w, l, set);
    return true;
  }
  for (size_t i = 0; i < set.count; i++) {
    uint32_t v = list[set.at[i]];
    if (is_used(w, l, v))
      continue;
    place_vertex(w, l, set.at[i], v);
    if (!last) {
      if (!extend(w, l + 1))
        return false;
    } else if (!emit_row(w)) {
      return false;
    }
  }
  return true;
}

/* ---- pieces ---------------------------------------------------------------------- */

/* Returns the root whose row holds this entry, or the root of this number if
 * there are no rows. */
static uint32_t root_of(const shared *s, uint64_t entry)
{
  if (!s->first)
    return (uint32_t)entry;
  uint32_t low = 0, high = s->search->index->size[s->search->plan->level[0].vertex];
  while (high - low > 1) {
    uint32_t middle = low + (high - low) / 2;
    if (s->first->offset[middle] <= entry)
      low = middle;
    else
      high = middle;
  }
  return low;
}

static bool search_root(worker *w, uint32_t rank)
{
  const ms_typed_search *search = w->s->search;
  uint32_t vertex = search->plan->level[0].vertex;
  place_vertex(w, 0, rank, search->index->list[vertex][rank]);
  if (search->plan->n > 1)
    return extend(w, 1);
  if (!search->stream)
    add_found(w, 1);
  else if (!emit_row(w))
    return false;
  return check_stop(w, 1);
}

static bool search_piece(worker *w, uint64_t begin)
{
  const shared *s = w->s;
  uint64_t end = s->work - begin < s->piece ? s->work : begin + s->piece;
  bool more = true;
  w->first_entry = begin;
  w->last_entry = end;
  for (uint64_t at = begin; at < end && more;) {
    uint32_t root = root_of(s, at);
    more = search_root(w, root);
    at = s->first ? s->first->offset[root + 1] : at + 1;
  }
  return more;
}

/* Takes the next piece and opens a segment of the output after all earlier
 * ones. Both happen at once, so the segments are in the order of the pieces. */
static bool take_piece(worker *w, uint64_t *begin)
{
  shared *s = w->s;
  bool taken = false;
#pragma omp critical(ms_typed_search)
  {
    *begin = s->next;
    w->segment = NULL;
    if (*begin < s->work && s->failed == MS_OK) {
      taken = true;
      s->next = *begin + s->piece;
      if (s->search->stream)
        w->segment = ms_stream_open(s->search->stream, NULL);
    }
  }
  if (taken && s->search->stream && !w->segment)
    return set_failed(w, MS_ERR_MEMORY);
  return taken;
}

static bool alloc_sets(worker *w)
{
  const ms_typed_plan *plan = w->s->search->plan;
  for (uint32_t l = 0; l < plan->n; l++) {
    if (plan->level[l].backs < 2)
      continue;
    size_t room = w->s->search->index->size[plan->level[l].vertex];
    w->set[l] = ms_alloc(room + MS_SORTED_SLACK, sizeof **w->set);
    if (!w->set[l])
      return false;
  }
  return true;
}

static void add_to_count(mpz_t count, const worker *w)
{
  mpz_t high;
  mpz_init_set_ui(high, (unsigned long)w->wraps);
  mpz_mul_2exp(high, high, 64);
  mpz_add_ui(high, high, (unsigned long)w->found);
  mpz_add(count, count, high);
  mpz_clear(high);
}

static void run_worker(shared *s, mpz_t count)
{
  worker *w = ms_calloc(1, sizeof *w);
  uint64_t begin;
  if (!w) {
    int none = MS_OK;
    atomic_compare_exchange_strong(&s->failed, &none, MS_ERR_MEMORY);
    return;
  }
  w->s = s;
  if (!alloc_sets(w))
    set_failed(w, MS_ERR_MEMORY);
  while (take_piece(w, &begin)) {
    bool more = search_piece(w, begin);
    if (w->segment)
      ms_stream_close(s->search->stream, w->segment);
    if (!more)
      break;
  }
#pragma omp critical(ms_typed_search_count)
  add_to_count(count, w);
  for (uint32_t l = 0; l < s->search->plan->n; l++)
    ms_free(w->set[l]);
  ms_free(w);
}

/* ---- entry points ----------------------------------------------------------------- */

static void cut_into_pieces(shared *s, int threads)
{
  const ms_typed_plan *plan = s->search->plan;
  const ms_typed_index *index = s->search->index;
  uint32_t roots = index->size[plan->level[0].vertex];
  /* order constraints between the two levels cut rows at other places than
   * pieces do, which is harmless */
  if (plan->n > 1 && plan->level[1].backs > 0)
    s->first = plan->level[1].pair[0];
  s->work = s->first ? s->first->offset[roots] : roots;
  s->piece = s->work / (PIECES * (uint64_t)threads) + 1;
  s->piece = s->piece < MOST_PIECE ? s->piece : MOST_PIECE;
}

static ms_status make_identity(const ms_typed_search *search, uint32_t **out, ms_error *err)
{
  uint32_t most = 0;
  for (uint32_t l = 1; l < search->plan->n; l++) {
    uint32_t size = search->index->size[search->plan->level[l].vertex];
    most = search->plan->level[l].backs == 0 && size > most ? size : most;
  }
  *out = ms_alloc(most, sizeof **out);
  if (!*out)
    return ms_fail_memory(err, "candidates of a typed pattern");
  for (uint32_t i = 0; i < most; i++)
    (*out)[i] = i;
  return MS_OK;
}

ms_status ms_typed_search_run(const ms_typed_search *search, mpz_t count, ms_error *err)
{
  shared s = {.search = search, .sorted = ms_sorted_best()};
  uint32_t *identity;
  int threads = ms_threads(search->threads);
  MS_TRY(make_identity(search, &identity, err));
  s.identity = identity;
  cut_into_pieces(&s, threads);
  threads = ms_threads_for(threads,
                           search->plan->cost < 1e18 ? (uint64_t)search->plan->cost : UINT64_MAX);
#pragma omp parallel num_threads(threads)
  run_worker(&s, count);
  ms_free(identity);
  ms_status status = (ms_status)s.failed;
  if (search->stream && ms_stream_status(search->stream) != MS_OK)
    status = ms_stream_status(search->stream); /* the receiver's status takes precedence */
  return status == MS_OK           ? MS_OK
         : status == MS_ERR_MEMORY ? ms_fail_memory(err, "matches of a typed pattern")
                                   : ms_fail(err, status, "the search was stopped");
}
