#include "match/typed/inexact.h"

#include "base/alloc.h"
#include "base/budget.h"
#include "base/status.h"
#include "base/stop.h"
#include "base/threads.h"

#include <stdatomic.h>
#include <string.h>

#define ROOTS 64u /* of a chunk */
#define STEPS 4096u

/* ---- sets of rows -------------------------------------------------------------- */

/* Rows without repeats, in the order they came, and a table to find them by. */
typedef struct row_list {
  ms_budget *budget;
  uint32_t width;
  uint64_t count, room;
  uint32_t *row;  /* [room][width] */
  uint64_t slots; /* a power of two, at least twice the rows; 0: no row yet */
  uint32_t *slot; /* [slots] number of a row and 1; 0: empty */
} row_list;

/* The slot of the row, or the empty one where it would be. */
static uint64_t slot_of(const row_list *list, const uint32_t *row)
{
  uint64_t hash = 0;
  for (uint32_t i = 0; i < list->width; i++) {
    hash = (hash ^ row[i]) * UINT64_C(0x9E3779B97F4A7C15); /* 2^64 / golden ratio, odd */
    hash ^= hash >> 29;
  }
  uint64_t at = hash & (list->slots - 1);
  while (list->slot[at] && memcmp(list->row + (uint64_t)(list->slot[at] - 1) * list->width, row,
                                  list->width * sizeof *row) != 0)
    at = (at + 1) & (list->slots - 1);
  return at;
}

static bool holds(const row_list *list, const uint32_t *row)
{
  return list->slots && list->slot[slot_of(list, row)];
}

/* A row, and two slots for it. */
static uint64_t bytes_of(const row_list *list, uint64_t rows)
{
  return rows * (list->width + 2) * sizeof(uint32_t);
}

/* Room for twice as many rows. */
static bool grow(row_list *list)
{
  uint64_t room = list->room ? 2 * list->room : 16;
  uint64_t more = bytes_of(list, room - list->room);
  if (!ms_budget_reserve(list->budget, more))
    return false;
  uint32_t *row =
      list->room ? ms_resize(list->row, list->room * list->width, room * list->width, sizeof *row)
                 : ms_alloc(room * list->width, sizeof *row);
  if (!row) {
    ms_budget_release(list->budget, more);
    return false;
  }
  list->row = row;
  uint32_t *slot = ms_calloc(2 * room, sizeof *slot);
  if (!slot) { /* the rows have more room than they need, which does no harm */
    ms_budget_release(list->budget, more);
    return false;
  }
  ms_free(list->slot);
  list->slot = slot;
  list->slots = 2 * room;
  list->room = room;
  for (uint64_t i = 0; i < list->count; i++)
    slot[slot_of(list, row + i * list->width)] = (uint32_t)i + 1;
  return true;
}

/* One that is not there yet. */
static bool append(row_list *list, const uint32_t *row)
{
  if (list->count == list->room && !grow(list))
    return false;
  list->slot[slot_of(list, row)] = (uint32_t)list->count + 1;
  memcpy(list->row + list->count++ * list->width, row, list->width * sizeof *row);
  return true;
}

static void clear(row_list *list)
{
  list->count = 0;
  if (list->slot)
    memset(list->slot, 0, list->slots * sizeof *list->slot);
}

static void release(row_list *list)
{
  ms_budget_release(list->budget, bytes_of(list, list->room));
  ms_free(list->row);
  ms_free(list->slot);
}

/* ---- the search ------------------------------------------------------------------ */

/* What is the same for all threads and losses. */
typedef struct shared {
  const ms_inexact *in;
  uint32_t n;
  bool *is_first;                         /* [length + 1] does the walk come to a new vertex? */
  ms_pair_wants (*wants)[MS_MAX_PATTERN]; /* [n][n] edges between two pattern vertices, or at one */
  uint64_t joined[MS_MAX_PATTERN];   /* [n] bit j: there are such edges, and j comes no later */
  uint32_t parent[MS_MAX_PATTERN];   /* [n] where the walk first comes from; not of its start */
  uint64_t children[MS_MAX_PATTERN]; /* [n] whose parent it is */
  uint64_t *support[MS_MAX_PATTERN]; /* [n] set of vertices of the part: images of the parent that
                                        the subtree of i can hang on without a lost edge */
  uint32_t *root;                    /* [roots] the first layer */
  uint32_t roots;
  const row_list *known; /* rows that earlier chunks have found */
  atomic_int failed;
} shared;

typedef struct worker {
  shared *s;
  row_list *list; /* of the chunk in hand */
  uint64_t most;  /* rows that the chunk may hold */
  uint64_t steps;
  uint64_t placed;                /* pattern vertices that have an image */
  uint32_t pending;               /* losses that are certain to come, see hopeless_children */
  uint32_t image[MS_MAX_PATTERN]; /* [n] */
} worker;

static bool fail(worker *w, ms_status status)
{
  int none = MS_OK;
  atomic_compare_exchange_strong(&w->s->failed, &none, (int)status);
  return false;
}

static bool may_go_on(worker *w, uint64_t steps)
{
  w->steps += steps + 1;
  if (w->steps < STEPS)
    return true;
  w->steps = 0;
  if (atomic_load_explicit(&w->s->failed, memory_order_relaxed) != MS_OK)
    return false;
  ms_status status = ms_stop_check(w->s->in->stop);
  return status == MS_OK ? true : fail(w, status);
}

/* A whole walk: its map, unless that is known; false: the chunk is full, or stop. */
static bool record(worker *w)
{
  uint32_t row[MS_MAX_PATTERN];
  memcpy(row, w->image, w->s->n * sizeof *row);
  if (w->s->in->group)
    ms_group_smallest_of_any(w->s->in->group, row);
  if (holds(w->s->known, row) || holds(w->list, row))
    return true;
  if (!append(w->list, row))
    return fail(w, MS_ERR_MEMORY);
  return w->list->count < w->most;
}

/* Edges between the images of i, which would be v, and of pattern vertices that
 * have one, that find none. */
static uint32_t lost_edges(const worker *w, uint32_t i, uint32_t v)
{
  const ms_typed_rows *rows = w->s->in->rows;
  uint32_t lost = 0;
  for (uint64_t rest = w->s->joined[i]; rest; rest &= rest - 1) {
    uint32_t j = (uint32_t)__builtin_ctzll(rest), to = j == i ? v : w->image[j];
    const ms_pair_wants *wants = &w->s->wants[i][j];
    uint64_t first, count = j != i && to == v ? 0 : ms_typed_arcs_between(rows, v, to, &first);
    lost += wants->edges;
    if (count > 0)
      lost -= ms_pair_wants_most(wants, rows->type + first, count);
  }
  return lost;
}

static bool is_image(const worker *w, uint32_t v)
{
  for (uint64_t rest = w->placed; rest; rest &= rest - 1)
    if (w->image[__builtin_ctzll(rest)] == v)
      return true;
  return false;
}

/* What a step accepts: arcs from its begin, and self-loops as seen from their end,
 * for these stand in their row once. */
typedef struct step_types {
  const uint64_t *accepted, *inverse;
} step_types;

static bool fits(const ms_typed_rows *rows, const step_types *s, uint32_t v, uint64_t a)
{
  return ms_type_in(s->accepted, rows->type[a]) ||
         (rows->neighbor[a] == v && ms_type_in(s->inverse, rows->type[a]));
}

/* Is there such an arc from v to `to`? */
static bool leads(const ms_typed_rows *rows, const step_types *s, uint32_t v, uint32_t to)
{
  uint64_t first, count = ms_typed_arcs_between(rows, v, to, &first);
  for (uint64_t a = first; a < first + count; a++)
    if (fits(rows, s, v, a))
      return true;
  return false;
}

static bool go_on(worker *w, uint32_t stage, uint32_t v, uint32_t left);

static bool supports(const shared *s, uint32_t child, uint32_t v)
{
  return s->support[child][v >> 6] >> (v & 63) & 1;
}

/* Children of i that v does not support.  Each of them will cost an adjacency:
 * the edge from i to it, or one further down its subtree.  These are other edges
 * for each child, so the losses add up. */
static uint32_t hopeless_children(const shared *s, uint32_t i, uint32_t v)
{
  uint32_t count = 0;
  for (uint64_t rest = s->children[i]; rest; rest &= rest - 1)
    count += !supports(s, (uint32_t)__builtin_ctzll(rest), v);
  return count;
}

/* The walk stands at v, and comes to pattern vertex i for the first time. */
static bool place(worker *w, uint32_t stage, uint32_t i, uint32_t v, uint32_t left)
{
  const shared *s = w->s;
  uint32_t loss = stage > 0 && is_image(w, v), before = w->pending;
  uint32_t pending = before + hopeless_children(s, i, v);
  if (stage > 0) /* what was certain of i itself shows now */
    pending -= !supports(s, i, w->image[s->parent[i]]);
  if (loss + pending <= left)
    loss += lost_edges(w, i, v);
  if (loss + pending > left)
    return true;
  w->image[i] = v;
  w->placed |= UINT64_C(1) << i;
  w->pending = pending;
  bool more = go_on(w, stage, v, left - loss);
  w->pending = before;
  w->placed &= ~(UINT64_C(1) << i);
  return more;
}

static uint32_t fewer_arcs(const ms_typed_rows *rows, uint32_t v, uint32_t w)
{
  return rows->offset[w + 1] - rows->offset[w] < rows->offset[v + 1] - rows->offset[v] ? w : v;
}

/* Where the walk, now at v, may go next has to be next to v, and where little is left
 * to lose next to further vertices: the one of these that has the shortest row.
 *
 * To a new pattern vertex i.  Let j be another one that has an image, not the one
 * that the walk comes from, and be joined with i by one edge.  If that finds no arc,
 * it is lost; and the walk, which takes it once both have images, loses an
 * identification, too: either it stands on the image where it sets out, and does
 * not reach that of the other end, or the step that led there had lost one.  So with
 * less than 2 to lose i is next to j's image.
 *
 * To another vertex than the image, with nothing to lose after that: the next step
 * leads to an image, or to a new vertex. */
static uint32_t narrowest(const worker *w, uint32_t stage, uint32_t v, uint32_t left)
{
  const shared *s = w->s;
  const ms_pattern_walk *walk = s->in->walk;
  uint32_t i = walk->step[stage].to, best = v;
  if (s->is_first[stage + 1]) {
    uint32_t own = !supports(s, i, w->image[s->parent[i]]); /* of what is certain */
    uint64_t rest = s->joined[i] & ~(UINT64_C(1) << i | UINT64_C(1) << s->parent[i]);
    for (; left + own < w->pending + 2 && rest; rest &= rest - 1) {
      uint32_t j = (uint32_t)__builtin_ctzll(rest);
      if (s->wants[i][j].edges == 1)
        best = fewer_arcs(s->in->rows, best, w->image[j]);
    }
  } else if (left == w->pending + 1 && stage + 1 < walk->length && !s->is_first[stage + 2]) {
    best = fewer_arcs(s->in->rows, v, w->image[walk->step[stage + 1].to]);
  }
  return best;
}

/* From v to all of the row of `base` that the next layer has, but for `image`. */
static bool try_row(worker *w, uint32_t stage, uint32_t v, uint32_t base, const step_types *s,
                    uint32_t image, uint32_t left)
{
  const ms_typed_rows *rows = w->s->in->rows;
  const ms_active *layer = &w->s->in->layers->set[stage + 1];
  uint32_t i = w->s->in->walk->step[stage].to, last = UINT32_MAX;
  bool first = w->s->is_first[stage + 1];
  if (!may_go_on(w, rows->offset[base + 1] - rows->offset[base]))
    return false;
  for (uint64_t a = rows->offset[base]; a < rows->offset[base + 1]; a++) {
    uint32_t to = rows->neighbor[a];
    if (to == last || to == image || !ms_active_has(layer, to) ||
        !(base == v ? fits(rows, s, v, a) : leads(rows, s, v, to)))
      continue;
    last = to; /* parallel arcs are one way on */
    if (!(first ? place(w, stage + 1, i, to, left) : go_on(w, stage + 1, to, left - 1)))
      return false;
  }
  return true;
}

/* From v at this stage to all that the next layer has, at most `left` to lose. */
static bool go_on(worker *w, uint32_t stage, uint32_t v, uint32_t left)
{
  const ms_inexact *in = w->s->in;
  if (stage == in->walk->length)
    return left > 0 || record(w); /* with some left it was found before */
  const step_types s = {ms_step_accepts(in->query, &in->walk->step[stage]),
                        ms_step_inverse(in->query, &in->walk->step[stage])};
  bool first = w->s->is_first[stage + 1];
  uint32_t image = first ? UINT32_MAX : w->image[in->walk->step[stage].to];
  if (!first && ms_active_has(&in->layers->set[stage + 1], image) &&
      leads(in->rows, &s, v, image) && !go_on(w, stage + 1, image, left))
    return false;
  if (!first && left <= w->pending)
    return may_go_on(w, 0);
  return try_row(w, stage, v, narrowest(w, stage, v, left), &s, image, left);
}

/* ---- chunks ------------------------------------------------------------------------ */

static void search_chunk(shared *s, uint32_t chunk, uint32_t loss, uint64_t most, row_list *list)
{
  worker w = {.s = s, .list = list, .most = most};
  uint32_t end = (chunk + 1) * ROOTS < s->roots ? (chunk + 1) * ROOTS : s->roots;
  for (uint32_t r = chunk * ROOTS; r < end; r++)
    if (!place(&w, 0, s->in->walk->start, s->root[r], loss))
      return;
}

/* New rows of a chunk behind those of earlier ones. */
static bool take_over(const row_list *from, row_list *to, uint64_t most)
{
  for (uint64_t i = 0; i < from->count && to->count < most; i++)
    if (!holds(to, from->row + i * from->width) && !append(to, from->row + i * from->width))
      return false;
  return true;
}

/* All of this loss, up to `best` maps in all.  Chunks in waves: a wave's are
 * searched at the same time, then taken in their order, so that what is
 * found first does not depend on the threads. */
static ms_status search_loss(shared *s, uint32_t loss, row_list *all, row_list *wave, int threads)
{
  uint32_t chunks = s->roots / ROOTS + (s->roots % ROOTS != 0), size = 4 * (uint32_t)threads;
  const uint64_t before = all->count, most = s->in->best;
  for (uint32_t begin = 0; begin < chunks && all->count < most; begin += size) {
    uint32_t end = chunks - begin < size ? chunks : begin + size;
    s->known = all;
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
    for (uint32_t c = begin; c < end; c++) {
      clear(&wave[c - begin]);
      search_chunk(s, c, loss, most - before, &wave[c - begin]);
    }
    for (uint32_t c = begin; c < end && s->failed != MS_ERR_MEMORY; c++)
      if (!take_over(&wave[c - begin], all, most))
        return MS_ERR_MEMORY;
    if (s->failed != MS_OK)
      break;
    if (s->in->progress)
      s->in->progress(s->in->progress_user, "roots", end * (uint64_t)ROOTS, s->roots);
  }
  return (ms_status)s->failed;
}

/* ---- all of it ---------------------------------------------------------------------- */

/* The sets of images that subtrees can hang on, from the leaves up: of the
 * vertices that were first visited last. */
static ms_status find_support(shared *s, ms_error *err)
{
  const ms_inexact *in = s->in;
  size_t words = ms_active_words(in->rows);
  int threads = ms_threads_for(in->threads, in->rows->n + in->rows->arcs);
  ms_status status = MS_OK;
  ms_active star = {.bits = ms_alloc_lines(words, sizeof *star.bits)}, set;
  uint64_t *spare = ms_alloc_lines(words, sizeof *spare);
  if (!star.bits || !spare)
    status = ms_fail_memory(err, "an inexact search");
  for (uint32_t stage = in->walk->length; stage > 0 && status == MS_OK; stage--) {
    const ms_walk_step *step = &in->walk->step[stage - 1];
    if (!s->is_first[stage])
      continue;
    memcpy(star.bits, in->layers->set[stage].bits, words * sizeof *star.bits);
    for (uint64_t rest = s->children[step->to]; rest; rest &= rest - 1)
      for (size_t w = 0; w < words; w++)
        star.bits[w] &= s->support[__builtin_ctzll(rest)][w];
    set.bits = s->support[step->to] = ms_alloc_lines(words, sizeof *set.bits);
    if (!set.bits) {
      status = ms_fail_memory(err, "an inexact search");
      break;
    }
    ms_active_init(in->rows, in->query, s->parent[step->to], false, threads, &set);
    ms_active_count(in->rows, threads, &star);
    ms_active_step(in->rows, &star, ms_step_inverse(in->query, step),
                   ms_step_accepts(in->query, step), threads, &set, spare);
  }
  ms_free(star.bits);
  ms_free(spare);
  return status;
}

/* Which stages come to a new vertex, and what edges there are between those that came before. */
static ms_status prepare(shared *s, ms_error *err)
{
  const ms_inexact *in = s->in;
  uint64_t seen = UINT64_C(1) << in->walk->start;
  s->is_first = ms_calloc((size_t)in->walk->length + 1, sizeof *s->is_first);
  s->wants = ms_calloc(s->n, sizeof *s->wants);
  s->root = ms_alloc(in->layers->set[0].size, sizeof *s->root);
  if (!s->is_first || !s->wants || !s->root)
    return ms_fail_memory(err, "an inexact search");
  s->is_first[0] = true;
  for (uint32_t stage = 0; stage <= in->walk->length; stage++) {
    uint32_t i = ms_walk_vertex(in->walk, stage);
    s->is_first[stage] = stage == 0 || !(seen >> i & 1);
    seen |= UINT64_C(1) << i;
    if (s->is_first[stage] && stage > 0) {
      s->parent[i] = ms_walk_vertex(in->walk, stage - 1);
      s->children[s->parent[i]] |= UINT64_C(1) << i;
    }
    for (uint64_t rest = s->is_first[stage] ? seen : 0; rest; rest &= rest - 1) {
      uint32_t j = (uint32_t)__builtin_ctzll(rest);
      ms_pair_wants_of(in->query, i, j, &s->wants[i][j]);
      s->joined[i] |= (uint64_t)(s->wants[i][j].edges > 0) << j;
    }
  }
  for (uint32_t v = 0; v < in->rows->n; v++)
    if (ms_active_has(&in->layers->set[0], v))
      s->root[s->roots++] = v;
  return find_support(s, err);
}

static ms_status run(shared *s, row_list *all, ms_inexact_found *found, ms_error *err)
{
  const ms_inexact *in = s->in;
  int threads = ms_threads(in->threads);
  uint32_t worst = in->walk->length + in->query->edges;
  ms_status status = MS_OK;
  row_list *wave = ms_calloc(4 * (size_t)threads, sizeof *wave);
  if (!wave)
    return ms_fail_memory(err, "an inexact search");
  for (int c = 0; c < 4 * threads; c++)
    wave[c] = (row_list){.budget = in->budget, .width = s->n};
  for (uint64_t i = 0; i < in->n_exact && i < in->best && status == MS_OK; i++)
    status = append(all, in->exact + i * s->n) ? MS_OK : MS_ERR_MEMORY;
  found->count = all->count;
  for (uint32_t loss = 1; loss <= worst && all->count < in->best && status == MS_OK; loss++) {
    /* where the exact search was stopped, its matches would come back as worse walks */
    status = ms_stop_check(in->stop);
    if (status == MS_OK)
      status = search_loss(s, loss, all, wave, threads);
    while (found->count < all->count)
      found->loss[found->count++] = loss;
  }
  for (int c = 0; c < 4 * threads; c++)
    release(&wave[c]);
  ms_free(wave);
  return status == MS_OK ? MS_OK
         : status == MS_ERR_MEMORY
             ? ms_fail(
                   err, MS_ERR_MEMORY,
                   "there is no memory for %u maps; ask for fewer with --best, or raise --memory",
                   in->best)
             : ms_fail(err, status, "the search was stopped");
}

ms_status ms_inexact_run(const ms_inexact *search, ms_inexact_found *found, ms_error *err)
{
  shared s = {.in = search, .n = search->query->n};
  row_list all = {.budget = search->budget, .width = s.n};
  *found = (ms_inexact_found){.loss = ms_calloc(search->best, sizeof *found->loss)};
  ms_status status = found->loss ? prepare(&s, err) : ms_fail_memory(err, "an inexact search");
  if (status == MS_OK)
    status = run(&s, &all, found, err);
  for (uint32_t i = 0; i < s.n; i++)
    ms_free(s.support[i]);
  ms_free(s.is_first);
  ms_free(s.wants);
  ms_free(s.root);
  found->row = all.row;
  all.row = NULL;
  release(&all);
  if (status == MS_ERR_MEMORY)
    ms_inexact_found_free(found);
  return status;
}

void ms_inexact_found_free(ms_inexact_found *found)
{
  ms_free(found->row);
  ms_free(found->loss);
  *found = (ms_inexact_found){0};
}
