#include "match/typed/inexact.h"

#include "base/alloc.h"
#include "base/budget.h"
#include "base/hash.h"
#include "base/status.h"
#include "base/threads/parallel.h"
#include "base/threads/stop.h"
#include "base/threads/threads.h"

#include <stdatomic.h>
#include <string.h>

#define ROOTS 64u /* number of roots in a chunk */
#define STEPS 4096u

/* ---- sets of rows -------------------------------------------------------------- */

/* A list of different rows in the order of insertion, with a hash table to find
 * them. */
typedef struct row_list {
  ms_budget *budget;
  uint32_t width;
  uint64_t count, room;
  uint32_t *row;  /* [room][width] */
  uint64_t slots; /* a power of two, at least twice the number of rows; 0: no row yet */
  uint32_t *slot; /* [slots] number of a row plus 1; 0: empty */
} row_list;

/* Returns the slot of the row, or the empty slot where it would be inserted. */
static uint64_t slot_of(const row_list *list, const uint32_t *row)
{
  uint64_t hash = ms_hash_bytes(ms_hash_key_get(), row, list->width * sizeof *row);
  uint64_t at = hash & (list->slots - 1);
  while (list->slot[at] && memcmp(list->row + (uint64_t)(list->slot[at] - 1) * list->width, row,
                                  list->width * sizeof *row) != 0)
    at = (at + 1) & (list->slots - 1);
  return at;
}

static bool contains_row(const row_list *list, const uint32_t *row)
{
  return list->slots && list->slot[slot_of(list, row)];
}

/* Returns the bytes of this number of rows, each with two slots. */
static uint64_t bytes_of(const row_list *list, uint64_t rows)
{
  return rows * (list->width + 2) * sizeof(uint32_t);
}

/* Makes room for twice as many rows. */
static bool grow(row_list *list)
{
  uint64_t room = list->room ? 2 * list->room : 16;
  uint64_t more = bytes_of(list, room - list->room);
  if (!ms_budget_reserve(list->budget, more))
    return false;
  bool grown = ms_enlarge(&list->row, list->room, room, list->width * sizeof *list->row);
  uint32_t *slot = grown ? ms_calloc(2 * room, sizeof *slot) : NULL;
  if (!slot) { /* the rows now have more room than they need, which is harmless */
    ms_budget_release(list->budget, more);
    return false;
  }
  ms_free(list->slot);
  list->slot = slot;
  list->slots = 2 * room;
  list->room = room;
  for (uint64_t i = 0; i < list->count; i++)
    slot[slot_of(list, list->row + i * list->width)] = (uint32_t)i + 1;
  return true;
}

/* Appends a row that is not in the list yet. */
static bool append(row_list *list, const uint32_t *row)
{
  if (list->count == list->room && !grow(list))
    return false;
  list->slot[slot_of(list, row)] = (uint32_t)list->count + 1;
  memcpy(list->row + list->count++ * list->width, row, list->width * sizeof *row);
  return true;
}

static void release(row_list *list)
{
  ms_budget_release(list->budget, bytes_of(list, list->room));
  ms_free(list->row);
  ms_free(list->slot);
}

/* ---- the search ------------------------------------------------------------------ */

/* Data that all threads and all losses share. */
typedef struct shared {
  const ms_inexact *in;
  uint32_t n;
  /* [length + 1] true if this stage of the walk is the first visit to its
   * pattern vertex */
  bool *is_first;
  /* [n][n] the edges between two pattern vertices, or the self-loops of one */
  ms_pair_edges (*between)[MS_MAX_PATTERN];
  const uint64_t **accepted; /* [edges] the memory of `between` */
  /* [n] j: the vertices are joined, and the walk does not first reach j
   * later */
  ms_bitset joined[MS_MAX_PATTERN];
  /* [n] the vertex from which the walk first reaches this one; unset for the
   * start */
  uint32_t parent[MS_MAX_PATTERN];
  ms_bitset children[MS_MAX_PATTERN]; /* [n] the vertices whose parent it is */
  /* [n] set of vertices of the part: the images of i's parent from which the
   * subtree of i can be mapped without a lost edge */
  uint64_t *support[MS_MAX_PATTERN];
  uint32_t *root; /* [roots] the vertices of the first layer */
  uint32_t roots;
  const row_list *known; /* the rows that earlier chunks have found */
  atomic_int failed;
  atomic_uint_fast64_t visits;
} shared;

typedef struct worker {
  shared *s;
  row_list *list; /* rows of the current chunk */
  uint64_t most;  /* greatest number of rows that the chunk may hold */
  uint64_t steps, visits;
  ms_bitset placed; /* the pattern vertices that have an image */
  uint32_t pending; /* number of losses that are certain to come, see count_unsupported */
  uint32_t image[MS_MAX_PATTERN]; /* [n] */
} worker;

static bool set_failed(worker *w, ms_status status)
{
  int none = MS_OK;
  atomic_compare_exchange_strong(&w->s->failed, &none, (int)status);
  return false;
}

static bool check_stop(worker *w, uint64_t steps)
{
  w->steps += steps + 1;
  w->visits += steps + 1;
  if (w->steps < STEPS)
    return true;
  w->steps = 0;
  if (atomic_load_explicit(&w->s->failed, memory_order_relaxed) != MS_OK)
    return false;
  ms_status status = ms_stop_check(w->s->in->stop);
  return status == MS_OK ? true : set_failed(w, status);
}

/* Records the map of a complete walk unless it is known. Returns false if the
 * chunk is full or the search has to stop. */
static bool record_map(worker *w)
{
  uint32_t row[MS_MAX_PATTERN];
  memcpy(row, w->image, w->s->n * sizeof *row);
  if (w->s->in->group && !ms_group_smallest_of_any(w->s->in->group, row))
    return set_failed(w, MS_ERR_MEMORY);
  if (contains_row(w->s->known, row) || contains_row(w->list, row))
    return true;
  if (!append(w->list, row))
    return set_failed(w, MS_ERR_MEMORY);
  return w->list->count < w->most;
}

/* Returns the number of edges that find no arc among those between i, if its
 * image were v, and the pattern vertices that have an image. */
static uint32_t lost_edges(const worker *w, uint32_t i, uint32_t v)
{
  const ms_typed_rows *rows = w->s->in->rows;
  uint32_t lost = 0;
  MS_EACH_MEMBER (j, w->s->joined[i]) {
    uint32_t to = j == i ? v : w->image[j];
    const ms_pair_edges *between = &w->s->between[i][j];
    uint64_t first, count = j != i && to == v ? 0 : ms_typed_arcs_between(rows, v, to, &first);
    lost += between->count;
    if (count > 0)
      lost -= ms_pair_edges_assignable(between, rows->type + first, count);
  }
  return lost;
}

static bool is_image(const worker *w, uint32_t v)
{
  MS_EACH_MEMBER (j, w->placed)
    if (w->image[j] == v)
      return true;
  return false;
}

/* The types that a step accepts: of arcs seen from their begin, and of
 * self-loops seen from their end, because a self-loop stands in its row only
 * once. */
typedef struct step_types {
  const uint64_t *accepted, *inverse;
} step_types;

static bool accepts_arc(const ms_typed_rows *rows, const step_types *s, uint32_t v, uint64_t a)
{
  return ms_type_in(s->accepted, rows->type[a]) ||
         (rows->neighbor[a] == v && ms_type_in(s->inverse, rows->type[a]));
}

/* True if such an arc leads from v to `to`. */
static bool has_arc(const ms_typed_rows *rows, const step_types *s, uint32_t v, uint32_t to)
{
  uint64_t first, count = ms_typed_arcs_between(rows, v, to, &first);
  for (uint64_t a = first; a < first + count; a++)
    if (accepts_arc(rows, s, v, a))
      return true;
  return false;
}

static bool continue_walk(worker *w, uint32_t stage, uint32_t v, uint32_t left);

static bool supports(const shared *s, uint32_t child, uint32_t v)
{
  return s->support[child][v >> 6] >> (v & 63) & 1;
}

/* Returns the number of children of i that v does not support. Each of them
 * will cost an adjacency: the edge from i to the child, or one further down in
 * its subtree. These edges differ for different children, so the losses add
 * up. */
static uint32_t count_unsupported(const shared *s, uint32_t i, uint32_t v)
{
  uint32_t count = 0;
  MS_EACH_MEMBER (child, s->children[i])
    count += !supports(s, child, v);
  return count;
}

/* Maps pattern vertex i, which the walk reaches for the first time, to v, where
 * the walk stands. */
static bool place_vertex(worker *w, uint32_t stage, uint32_t i, uint32_t v, uint32_t left)
{
  const shared *s = w->s;
  uint32_t loss = stage > 0 && is_image(w, v), before = w->pending;
  uint32_t pending = before + count_unsupported(s, i, v);
  if (stage > 0) /* the certain loss of i itself now shows in the lost edges */
    pending -= !supports(s, i, w->image[s->parent[i]]);
  if (loss + pending <= left)
    loss += lost_edges(w, i, v);
  if (loss + pending > left)
    return true;
  w->image[i] = v;
  ms_bitset_add(&w->placed, i);
  w->pending = pending;
  bool more = continue_walk(w, stage, v, left - loss);
  w->pending = before;
  ms_bitset_remove(&w->placed, i);
  return more;
}

static uint32_t fewer_arcs(const ms_typed_rows *rows, uint32_t v, uint32_t w)
{
  return rows->offset[w + 1] - rows->offset[w] < rows->offset[v + 1] - rows->offset[v] ? w : v;
}

/* Returns the vertex with the shortest row among the vertices that the next
 * vertex of the walk must be adjacent to. One of them is v, where the walk
 * stands. If little may still be lost, there are others:
 * The next step leads to a new pattern vertex i.  Let j be another pattern
 * vertex that has an image, is not the one that the walk comes from, and is
 * joined with i by one edge. If this edge finds no arc, it is lost. The walk
 * takes the edge once both ends have images, and then it also loses an
 * identification: either it stands on the image at one end and does not reach
 * the image at the other end, or the step that led there had lost an
 * identification.  So if less than 2 may be lost, the image of i is adjacent to
 * the image of j.
 * The next step leads to a vertex other than the image, and nothing may be lost
 * after that: then the step after it leads to an image or to a new vertex. */
static uint32_t best_base(const worker *w, uint32_t stage, uint32_t v, uint32_t left)
{
  const shared *s = w->s;
  const ms_pattern_walk *walk = s->in->walk;
  uint32_t i = walk->step[stage].to, best = v;
  if (s->is_first[stage + 1]) {
    /* the part of the certain loss that is due to i itself */
    uint32_t own = !supports(s, i, w->image[s->parent[i]]);
    if (left + own < w->pending + 2)
      MS_EACH_MEMBER (j, s->joined[i])
        if (j != i && j != s->parent[i] && s->between[i][j].count == 1)
          best = fewer_arcs(s->in->rows, best, w->image[j]);
  } else if (left == w->pending + 1 && stage + 1 < walk->length && !s->is_first[stage + 2]) {
    best = fewer_arcs(s->in->rows, v, w->image[walk->step[stage + 1].to]);
  }
  return best;
}

/* Continues from v with all vertices of the row of `base` that are in the next
 * layer, except `image`. */
static bool try_row(worker *w, uint32_t stage, uint32_t v, uint32_t base, const step_types *s,
                    uint32_t image, uint32_t left)
{
  const ms_typed_rows *rows = w->s->in->rows;
  const ms_active *layer = &w->s->in->layers->set[stage + 1];
  uint32_t i = w->s->in->walk->step[stage].to, last = UINT32_MAX;
  bool first = w->s->is_first[stage + 1];
  if (!check_stop(w, rows->offset[base + 1] - rows->offset[base]))
    return false;
  for (uint64_t a = rows->offset[base]; a < rows->offset[base + 1]; a++) {
    uint32_t to = rows->neighbor[a];
    if (to == last || to == image || !ms_active_has(layer, to) ||
        !(base == v ? accepts_arc(rows, s, v, a) : has_arc(rows, s, v, to)))
      continue;
    last = to; /* parallel arcs lead to the same vertex */
    if (!(first ? place_vertex(w, stage + 1, i, to, left)
                : continue_walk(w, stage + 1, to, left - 1)))
      return false;
  }
  return true;
}

/* Continues the walk from v at this stage to all vertices of the next layer,
 * with at most `left` to lose. */
static bool continue_walk(worker *w, uint32_t stage, uint32_t v, uint32_t left)
{
  const ms_inexact *in = w->s->in;
  if (stage == in->walk->length)
    /* a map with loss to spare was found before, at a smaller loss */
    return left > 0 || record_map(w);
  const step_types s = {ms_step_accepts(in->query, &in->walk->step[stage]),
                        ms_step_inverse(in->query, &in->walk->step[stage])};
  bool first = w->s->is_first[stage + 1];
  uint32_t image = first ? UINT32_MAX : w->image[in->walk->step[stage].to];
  if (!first && ms_active_has(&in->layers->set[stage + 1], image) &&
      has_arc(in->rows, &s, v, image) && !continue_walk(w, stage + 1, image, left))
    return false;
  if (!first && left <= w->pending)
    return check_stop(w, 0);
  return try_row(w, stage, v, best_base(w, stage, v, left), &s, image, left);
}

/* ---- chunks ------------------------------------------------------------------------ */

static void search_chunk(shared *s, uint32_t chunk, uint32_t loss, uint64_t most, row_list *list)
{
  worker w = {.s = s, .list = list, .most = most};
  uint32_t end = (chunk + 1) * ROOTS < s->roots ? (chunk + 1) * ROOTS : s->roots;
  for (uint32_t r = chunk * ROOTS; r < end; r++)
    if (!place_vertex(&w, 0, s->in->walk->start, s->root[r], loss))
      break;
  atomic_fetch_add(&s->visits, w.visits);
}

/* Appends the rows of a chunk that earlier chunks do not have. */
static bool append_new_rows(const row_list *from, row_list *to, uint64_t most)
{
  for (uint64_t i = 0; i < from->count && to->count < most; i++)
    if (!contains_row(to, from->row + i * from->width) && !append(to, from->row + i * from->width))
      return false;
  return true;
}

typedef struct wave_search {
  shared *s;
  uint32_t first, loss; /* first: the first chunk of the wave */
  uint64_t most;
  row_list *wave; /* [chunks of the wave] */
} wave_search;

static void search_chunks(void *user, ms_range r)
{
  const wave_search *w = user;
  for (uint64_t i = r.begin; i < r.end; i++) {
    w->wave[i].count = 0;
    if (w->wave[i].slot)
      memset(w->wave[i].slot, 0, w->wave[i].slots * sizeof *w->wave[i].slot);
    search_chunk(w->s, w->first + (uint32_t)i, w->loss, w->most, &w->wave[i]);
  }
}

/* Finds all maps of this loss, up to `best` maps in all. Chunks are searched in
 * waves: the chunks of a wave are searched at the same time and then collected
 * in their order, so that the rows found first do not depend on the threads. */
static ms_status search_loss(shared *s, uint32_t loss, row_list *all, row_list *wave, int threads)
{
  uint32_t chunks = s->roots / ROOTS + (s->roots % ROOTS != 0), size = 4 * (uint32_t)threads;
  const uint64_t before = all->count, most = s->in->best;
  for (uint32_t begin = 0; begin < chunks && all->count < most; begin += size) {
    uint32_t end = chunks - begin < size ? chunks : begin + size;
    s->known = all;
    ms_parallel(threads, end - begin, 1, search_chunks,
                &(wave_search){s, begin, loss, most - before, wave});
    for (uint32_t c = begin; c < end && s->failed != MS_ERR_MEMORY; c++)
      if (!append_new_rows(&wave[c - begin], all, most))
        return MS_ERR_MEMORY;
    if (s->failed != MS_OK)
      break;
    if (s->in->progress) /* never the last root, because the next loss may follow */
      s->in->progress(s->in->progress_user, "roots",
                      end < chunks ? end * (uint64_t)ROOTS : s->roots - 1, s->roots);
  }
  return (ms_status)s->failed;
}

/* ---- entry points ------------------------------------------------------------------- */

/* Finds the sets of images that support each subtree, from the leaves upwards,
 * that is, beginning with the vertices that the walk reaches last. */
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
    MS_EACH_MEMBER (child, s->children[step->to])
      for (size_t w = 0; w < words; w++)
        star.bits[w] &= s->support[child][w];
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

/* Finds the stages that reach a new vertex, and the edges between this vertex
 * and those reached before. */
static ms_status prepare(shared *s, ms_error *err)
{
  const ms_inexact *in = s->in;
  ms_bitset seen = ms_bitset_of(in->walk->start);
  s->is_first = ms_calloc((size_t)in->walk->length + 1, sizeof *s->is_first);
  s->between = ms_calloc(s->n, sizeof *s->between);
  s->accepted = ms_alloc((size_t)in->query->edges + 1, sizeof *s->accepted);
  uint32_t listed = 0;
  s->root = ms_alloc(in->layers->set[0].size, sizeof *s->root);
  if (!s->is_first || !s->between || !s->accepted || !s->root)
    return ms_fail_memory(err, "an inexact search");
  s->is_first[0] = true;
  for (uint32_t stage = 0; stage <= in->walk->length; stage++) {
    uint32_t i = ms_walk_vertex(in->walk, stage);
    s->is_first[stage] = stage == 0 || !ms_bitset_has(&seen, i);
    ms_bitset_add(&seen, i);
    if (s->is_first[stage] && stage > 0) {
      s->parent[i] = ms_walk_vertex(in->walk, stage - 1);
      ms_bitset_add(&s->children[s->parent[i]], i);
    }
    if (!s->is_first[stage])
      continue;
    MS_EACH_MEMBER (j, seen) {
      ms_pair_edges_of(in->query, i, j, s->accepted + listed, &s->between[i][j]);
      listed += s->between[i][j].count;
      if (s->between[i][j].count > 0)
        ms_bitset_add(&s->joined[i], j);
    }
  }
  for (uint32_t v = 0; v < in->rows->n; v++)
    if (ms_active_has(&in->layers->set[0], v))
      s->root[s->roots++] = v;
  return find_support(s, err);
}

static ms_status search_by_loss(shared *s, row_list *all, ms_inexact_found *found, ms_error *err)
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
    /* if the exact search was stopped, its matches would come back as worse
     * walks */
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
                   "there is no memory for %u maps; ask for fewer with `best`, or raise `memory`",
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
    status = search_by_loss(&s, &all, found, err);
  for (uint32_t i = 0; i < s.n; i++)
    ms_free(s.support[i]);
  ms_free(s.is_first);
  ms_free(s.between);
  ms_free(s.accepted);
  ms_free(s.root);
  found->visits = atomic_load(&s.visits);
  found->row = all.row;
  all.row = NULL;
  release(&all);
  if (status == MS_ERR_MEMORY && found->count == 0)
    ms_inexact_found_free(found);
  return status;
}

void ms_inexact_found_free(ms_inexact_found *found)
{
  ms_free(found->row);
  ms_free(found->loss);
  *found = (ms_inexact_found){0};
}
