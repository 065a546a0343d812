/* Finds one level of a search for paths.  One thread uses the queue, several use bits; both find
 * the same level in ascending order. */
#include "base/alloc.h"
#include "base/compiler.h"
#include "base/parallel.h"
#include "base/status.h"
#include "base/stop.h"
#include "base/threads.h"
#include "graph/sort_ids.h"
#include "graph/walk/paths.h"

#include <string.h>

enum {
  CHUNK_WORDS = 64, /* words of `next` that a thread processes at a time */
  FRONTIER_CHUNK = 64,
  POLL = 1024,     /* vertices between polls of the stop token */
  AHEAD = 8,       /* vertices whose rows are fetched early */
  SHORT_LEVEL = 32 /* up to here insertion sorts fastest */
};

static uint32_t last_level(const ms_path_side *side)
{
  return side->start[side->levels - 1];
}

/* ---- a level's order ------------------------------------------------------- */

/* Writes the vertices of words first..end of `next` to `to`, marks them, and clears the
 * words. */
static uint32_t *take_words(ms_typed_paths *paths, unsigned mark, uint32_t first, uint32_t end,
                            uint32_t *to)
{
  for (uint32_t w = first; w < end; w++) {
    uint64_t rest = paths->next[w];
    if (!rest)
      continue;
    paths->next[w] = 0;
    for (; rest; rest &= rest - 1) {
      uint32_t v = w * 64 + (uint32_t)__builtin_ctzll(rest);
      *to++ = v;
      ms_path_set_state(paths->state, v, mark);
    }
  }
  return to;
}

static uint32_t words_of(const ms_typed_paths *paths)
{
  return paths->graph->rows.n / 64 + 1;
}

/* A level that several threads find, or take from `next`. */
typedef struct level {
  ms_typed_paths *paths;
  ms_path_side *side;
  uint64_t *crossing;
  int status; /* the stop token's */
} level;

static uint32_t chunk_end(uint32_t chunk, uint32_t words)
{
  return (chunk + 1) * CHUNK_WORDS < words ? (chunk + 1) * CHUNK_WORDS : words;
}

static void count_chunks(void *user, ms_range r)
{
  ms_typed_paths *paths = ((level *)user)->paths;
  for (uint32_t c = (uint32_t)r.begin; c < r.end; c++) {
    uint32_t end = chunk_end(c, words_of(paths)), count = 0;
    for (uint32_t w = c * CHUNK_WORDS; w < end; w++)
      count += (uint32_t)__builtin_popcountll(paths->next[w]);
    paths->chunk[c] = count;
  }
}

/* paths->chunk[c]: where the vertices of chunk c begin in the queue. */
static void take_chunks(void *user, ms_range r)
{
  const level *l = user;
  ms_typed_paths *paths = l->paths;
  for (uint32_t c = (uint32_t)r.begin; c < r.end; c++)
    take_words(paths, l->side->mark, c * CHUNK_WORDS, chunk_end(c, words_of(paths)),
               l->side->queue + paths->chunk[c]);
}

/* Appends all of `next` to the queue from `begin` on; returns the new end of the queue. */
static uint32_t take_next(ms_typed_paths *paths, ms_path_side *side, uint32_t begin, int threads)
{
  uint32_t words = words_of(paths), chunks = (words + CHUNK_WORDS - 1) / CHUNK_WORDS;
  uint32_t total = begin;
  if (threads == 1)
    return (uint32_t)(take_words(paths, side->mark, 0, words, side->queue + begin) - side->queue);
  level l = {.paths = paths, .side = side};
  ms_parallel(threads, chunks, 0, count_chunks, &l);
  for (uint32_t c = 0; c < chunks; c++) {
    uint32_t count = paths->chunk[c];
    paths->chunk[c] = total;
    total += count;
  }
  ms_parallel(threads, chunks, 0, take_chunks, &l);
  return total;
}

/* Sorts queue[begin..visited). */
static void sort_level(ms_typed_paths *paths, ms_path_side *side, uint32_t begin)
{
  uint32_t count = side->visited - begin, *vertex = side->queue + begin;
  uint32_t spare = paths->graph->rows.n + 1 - side->visited;
  if (count <= SHORT_LEVEL) {
    ms_sort_ids_short(vertex, count);
  } else if (count <= spare && count < words_of(paths) / 8) {
    ms_sort_ids_long(vertex, count, side->queue + side->visited);
  } else { /* as bits: no slower than going through all words */
    for (uint32_t i = 0; i < count; i++)
      paths->next[vertex[i] >> 6] |= UINT64_C(1) << (vertex[i] & 63);
    take_next(paths, side, begin, 1);
  }
}

/* ---- finding a level ------------------------------------------------------- */

static void fetch_row(const ms_typed_rows *rows, const uint32_t *queue, uint32_t i, uint32_t end)
{
  if (i + 2 * AHEAD < end)
    __builtin_prefetch(rows->offset + queue[i + 2 * AHEAD]);
  if (i + AHEAD < end) {
    __builtin_prefetch(rows->neighbor + rows->offset[queue[i + AHEAD]]);
    __builtin_prefetch(rows->type + rows->offset[queue[i + AHEAD]]);
  }
}

/* Finds the level by one thread, which appends new vertices to the queue. */
MS_ALWAYS_INLINE ms_status push_level(ms_typed_paths *paths, ms_path_side *side, bool every_type,
                                      uint64_t *crossing)
{
  const ms_typed_rows *rows = &paths->graph->rows;
  const uint64_t *out = side->out;
  const unsigned mine = side->mark, theirs = 3 - mine;
  uint64_t *state = paths->state;
  uint32_t *tail = side->queue + side->visited, end = side->visited, begin = last_level(side);
  ms_status status = MS_OK;
  for (uint32_t i = begin; i < end; i++) {
    uint32_t v = side->queue[i];
    if ((i - begin) % POLL == 0 && (status = ms_stop_check(paths->stop)) != MS_OK)
      break;
    fetch_row(rows, side->queue, i, end);
    for (uint64_t a = rows->offset[v]; a < rows->offset[v + 1]; a++) {
      uint32_t w = rows->neighbor[a];
      unsigned seen = ms_path_state(state, w);
      if (seen == mine || (!every_type && !ms_type_in(out, rows->type[a])))
        continue;
      if (seen == theirs) {
        *crossing = ms_path_crossing(v, w);
        goto done;
      }
      ms_path_set_state(state, w, mine);
      *tail++ = w;
    }
  }
done:
  side->visited = (uint32_t)(tail - side->queue);
  return status;
}

static ms_status level_by_one(ms_typed_paths *paths, ms_path_side *side, uint64_t *crossing)
{
  uint32_t begin = side->visited;
  ms_status status = paths->every_type ? push_level(paths, side, true, crossing)
                                       : push_level(paths, side, false, crossing);
  if (status == MS_OK && *crossing == MS_NO_CROSSING)
    sort_level(paths, side, begin);
  return status;
}

static uint64_t best_crossing(const uint64_t *best)
{
  return __atomic_load_n(best, __ATOMIC_RELAXED);
}

static void note_crossing(uint64_t *best, uint64_t crossing)
{
  uint64_t before = best_crossing(best);
  while (crossing < before && !__atomic_compare_exchange_n(best, &before, crossing, true,
                                                           __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    ;
}

/* Scans a row of the last level, in one of several threads: no thread writes to `state`, and new
 * vertices are bits of `next`. */
MS_ALWAYS_INLINE void push_row(ms_typed_paths *paths, const ms_path_side *side, uint32_t v,
                               bool every_type, uint64_t *best)
{
  const ms_typed_rows *rows = &paths->graph->rows;
  for (uint64_t a = rows->offset[v]; a < rows->offset[v + 1]; a++) {
    uint32_t w = rows->neighbor[a];
    unsigned seen = ms_path_state(paths->state, w);
    if (seen == side->mark || (!every_type && !ms_type_in(side->out, rows->type[a])))
      continue;
    if (seen) {
      note_crossing(best, ms_path_crossing(v, w));
      return;
    }
    uint64_t *word = paths->next + (w >> 6), bit = UINT64_C(1) << (w & 63);
    if (!(__atomic_load_n(word, __ATOMIC_RELAXED) & bit))
      __atomic_fetch_or(word, bit, __ATOMIC_RELAXED);
  }
}

static void push_chunk(ms_typed_paths *paths, const ms_path_side *side, uint32_t first,
                       uint32_t end, uint64_t *best)
{
  for (uint32_t i = first; i < end; i++) {
    uint32_t v = side->queue[i];
    if (ms_path_crossing(v, 0) > best_crossing(best))
      return; /* a smaller vertex has found one */
    fetch_row(&paths->graph->rows, side->queue, i, end);
    if (paths->every_type)
      push_row(paths, side, v, true, best);
    else
      push_row(paths, side, v, false, best);
  }
}

static void push_chunks(void *user, ms_range r)
{
  level *l = user;
  uint64_t begin = last_level(l->side), end = l->side->visited;
  for (uint64_t c = r.begin; c < r.end; c++) {
    uint64_t first = begin + c * FRONTIER_CHUNK,
             last = end - first < FRONTIER_CHUNK ? end : first + FRONTIER_CHUNK;
    ms_status stopped = ms_stop_check(l->paths->stop);
    if (stopped != MS_OK)
      __atomic_store_n(&l->status, (int)stopped, __ATOMIC_RELAXED);
    else
      push_chunk(l->paths, l->side, (uint32_t)first, (uint32_t)last, l->crossing);
  }
}

static ms_status level_by_several(ms_typed_paths *paths, ms_path_side *side, int threads,
                                  uint64_t *crossing)
{
  uint32_t begin = last_level(side), end = side->visited;
  uint32_t chunks = (end - begin + FRONTIER_CHUNK - 1) / FRONTIER_CHUNK;
  level l = {.paths = paths, .side = side, .crossing = crossing, .status = MS_OK};
  ms_parallel(threads, chunks, 1, push_chunks, &l);
  paths->wide_levels++;
  if (l.status == MS_OK && *crossing == MS_NO_CROSSING)
    side->visited = take_next(paths, side, end, threads);
  else
    memset(paths->next, 0, words_of(paths) * sizeof *paths->next);
  return (ms_status)l.status;
}

/* ---- all of it ------------------------------------------------------------- */

static uint64_t count_arcs(const uint64_t *offset, const uint32_t *vertex, uint32_t count)
{
  uint64_t arcs = 0;
  for (uint32_t i = 0; i < count; i++)
    arcs += offset[vertex[i] + 1] - offset[vertex[i]];
  return arcs;
}

typedef struct arc_count {
  const uint64_t *offset;
  const uint32_t *vertex;
  uint64_t arcs;
} arc_count;

static void count_arcs_of(void *user, ms_range r)
{
  arc_count *c = user;
  uint64_t arcs = count_arcs(c->offset, c->vertex + r.begin, (uint32_t)(r.end - r.begin));
  __atomic_fetch_add(&c->arcs, arcs, __ATOMIC_RELAXED);
}

static uint64_t count_arcs_by_several(const uint64_t *offset, const uint32_t *vertex,
                                      uint32_t count, int threads)
{
  arc_count c = {.offset = offset, .vertex = vertex};
  ms_parallel(threads, count, 0, count_arcs_of, &c);
  return c.arcs;
}

/* Makes the new vertices of the queue the last level. */
static void note_level(ms_typed_paths *paths, ms_path_side *side)
{
  const uint64_t *offset = paths->graph->rows.offset;
  uint32_t begin = side->start[side->levels], count = side->visited - begin;
  int threads = ms_threads_for(paths->threads, count);
  side->start[++side->levels] = side->visited;
  side->arcs = threads == 1 ? count_arcs(offset, side->queue + begin, count)
                            : count_arcs_by_several(offset, side->queue + begin, count, threads);
}

void ms_path_begin(ms_typed_paths *paths, ms_path_side *side, uint32_t v)
{
  side->queue[0] = v;
  side->visited = 1;
  side->start[0] = 0;
  side->levels = 0;
  ms_path_set_state(paths->state, v, side->mark);
  note_level(paths, side);
}

ms_status ms_path_grow(ms_typed_paths *paths, ms_path_side *side, uint64_t *crossing, ms_error *err)
{
  int threads = ms_threads_for(paths->threads, side->arcs);
  *crossing = MS_NO_CROSSING;
  if (!MS_GROW(side->start, side->room, side->levels, 2))
    return ms_fail_memory(err, "levels of a search for paths");
  /* several threads go through all words of `next`, too much for a few arcs of a huge graph */
  ms_status status = threads > 1 && side->arcs >= words_of(paths)
                         ? level_by_several(paths, side, threads, crossing)
                         : level_by_one(paths, side, crossing);
  if (status == MS_OK && *crossing == MS_NO_CROSSING)
    note_level(paths, side);
  return status;
}
