/* Why a path found is a shortest one.  Let S_i be the vertices at distance i
 * from s, T_j those from which t is at distance j.  Between two calls of
 * path_grow the levels S_0..S_a and T_0..T_b are complete, and no vertex is in both
 * searches.  Then the distance d of s and t is above a + b: else the vertex number
 * i = min(a, d) of a shortest path would be in S_i and in T_(d - i), with
 * d - i <= b.  Now S_a grows (or T_b: the same, turned around).  An allowed arc
 * from v in S_a to a vertex w of T_j makes a path of length a + 1 + j; that is
 * at most a + 1 + b and above a + b, so j = b and the path is a shortest one: the
 * search may stop at the first such arc, in the middle of the level.  Where there
 * is none, what is newly seen is S_(a + 1), complete, and none of it in T.
 *
 * Which path.  The sides grow by turns that depend on numbers of arcs alone
 * (from s where they are equal); levels are sets, whichever way and by however
 * many threads they are found.  The arc between the searches is the one with the
 * smallest end in the level that was to grow, of these the one with the smallest
 * other end.  From there to s and to t the smallest vertex of each level is
 * taken that has an allowed arc to, or from, the one before; and of parallel
 * arcs the smallest type. */
#include "graph/walk/paths.h"

#include "base/alloc.h"
#include "base/ascending.h"
#include "base/compiler.h"
#include "base/options.h"
#include "base/status.h"
#include "base/threads/parallel.h"
#include "base/threads/stop.h"
#include "base/threads/threads.h"
#include "graph/sort_ids.h"

#include <string.h>

/* ---- levels ---------------------------------------------------------------------------------- */

/* Finds one level of a search for paths.  One thread uses the queue, several use bits; both find
 * the same level in ascending order. */

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
typedef struct level_search {
  ms_typed_paths *paths;
  ms_path_side *side;
  uint64_t *crossing;
  int status; /* the stop token's */
} level_search;

static uint32_t chunk_end(uint32_t chunk, uint32_t words)
{
  return (chunk + 1) * CHUNK_WORDS < words ? (chunk + 1) * CHUNK_WORDS : words;
}

static void count_chunks(void *user, ms_range r)
{
  ms_typed_paths *paths = ((level_search *)user)->paths;
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
  const level_search *l = user;
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
  level_search l = {.paths = paths, .side = side};
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
  level_search *l = user;
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
  level_search l = {.paths = paths, .side = side, .crossing = crossing, .status = MS_OK};
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

/* Makes the first level: v alone. */
static void path_begin(ms_typed_paths *paths, ms_path_side *side, uint32_t v)
{
  side->queue[0] = v;
  side->visited = 1;
  side->start[0] = 0;
  side->levels = 0;
  ms_path_set_state(paths->state, v, side->mark);
  note_level(paths, side);
}

/* Finds the side's next level: either *crossing is set, the level is unfinished and the search
 * has ended, or there is a new last level, perhaps an empty one.  MS_ERR_INTERRUPTED and
 * MS_ERR_LIMIT of the stop token are returned without a message. */
static ms_status path_grow(ms_typed_paths *paths, ms_path_side *side, uint64_t *crossing,
                           ms_error *err)
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

/* ---- paths ----------------------------------------------------------------------------------- */

enum { FIRST_ROOM = 64 };

static void add_type(uint64_t *bits, ms_type type)
{
  bits[type >> 6] |= UINT64_C(1) << (type & 63);
}

/* ---- types ----------------------------------------------------------------- */

/* Sets the bits [arc types] of out[] and in[], zero before.  False: one of options->types is out
 * of range. */
static bool fill_mask(const ms_typed *graph, const ms_path_options *options, uint64_t *out,
                      uint64_t *in)
{
  uint32_t types = ms_names_count(graph->arc_types);
  for (uint32_t i = 0; options->types && i < options->n_types; i++) {
    if (options->types[i] >= types)
      return false;
    add_type(out, (ms_type)options->types[i]);
  }
  for (uint32_t t = 0; !options->types && t < types; t++)
    if (!ms_typed_is_second(graph, (ms_type)t))
      add_type(out, (ms_type)t);
  for (uint32_t t = 0; t < types; t++)
    if (ms_type_in(out, (ms_type)t))
      add_type(in, graph->inverse[t]);
  for (uint32_t word = 0; options->both_ways && word < types / 64 + 1; word++)
    in[word] = out[word] |= in[word];
  return true;
}

static ms_status set_mask(ms_typed_paths *paths, const ms_path_options *options, ms_error *err)
{
  uint32_t types = ms_names_count(paths->graph->arc_types), words = types / 64 + 1;
  uint64_t *out = paths->bits, *in = paths->bits + words;
  if (!fill_mask(paths->graph, options, out, in))
    return ms_fail(err, MS_ERR_USAGE,
                   "a type of arcs that paths may follow is out of range: the graph has %u types",
                   types);
  paths->every_type = true;
  for (uint32_t t = 0; t < types; t++)
    paths->every_type = paths->every_type && ms_type_in(out, (ms_type)t);
  paths->side[0].out = paths->side[1].in = out;
  paths->side[0].in = paths->side[1].out = in;
  return MS_OK;
}

/* ---- memory ---------------------------------------------------------------- */

void ms_typed_paths_free(ms_typed_paths *paths)
{
  if (!paths)
    return;
  for (int i = 0; i < 2; i++) {
    ms_free(paths->side[i].queue);
    ms_free(paths->side[i].start);
  }
  ms_free(paths->bits);
  ms_free(paths->state);
  ms_free(paths->next);
  ms_free(paths->chunk);
  ms_free(paths->path);
  ms_free(paths);
}

/* Allocates the queues without clearing them: pages that no search touches take no memory. */
static bool allocate(ms_typed_paths *paths)
{
  size_t n = paths->graph->rows.n;
  bool ok = true;
  for (unsigned i = 0; i < 2; i++) {
    ms_path_side *side = &paths->side[i];
    side->mark = i + 1;
    side->queue = ms_alloc(n + 1, sizeof *side->queue);
    side->start = ms_alloc(FIRST_ROOM, sizeof *side->start);
    side->room = FIRST_ROOM;
    ok = ok && side->queue && side->start;
  }
  paths->bits = ms_calloc(2 * ((size_t)ms_names_count(paths->graph->arc_types) / 64 + 1),
                          sizeof *paths->bits);
  paths->state = ms_calloc(n / 32 + 1, sizeof *paths->state);
  paths->next = ms_calloc(n / 64 + 1, sizeof *paths->next);
  paths->chunk = ms_alloc(n / 64 + 1, sizeof *paths->chunk); /* at most one a word */
  paths->path = ms_alloc(FIRST_ROOM, sizeof *paths->path);
  paths->path_room = FIRST_ROOM;
  return ok && paths->bits && paths->state && paths->next && paths->chunk && paths->path;
}

ms_status ms_typed_paths_new(const ms_typed *graph, const ms_path_options *options,
                             ms_typed_paths **out, ms_error *err)
{
  MS_REQUIRE(out, err);
  *out = NULL;
  MS_REQUIRE(graph, err);
  ms_path_options own;
  const ms_path_options *o = &own;
  MS_TRY(ms_options_take(&ms_path_options_kind, options, &own, err));
  ms_typed_paths *paths = ms_calloc(1, sizeof *paths);
  if (!paths)
    return ms_fail_memory(err, "a search for paths");
  paths->graph = graph;
  paths->max_length = o->max_length;
  paths->threads = o->run.threads;
  paths->stop = o->run.stop;
  ms_status status =
      allocate(paths) ? set_mask(paths, o, err) : ms_fail_memory(err, "a search for paths");
  if (status == MS_OK)
    *out = paths;
  else
    ms_typed_paths_free(paths);
  return status;
}

/* Forgets the previous search, in time proportional to the vertices that it has seen. */
static void reset(ms_typed_paths *paths)
{
  uint32_t words = paths->graph->rows.n / 32 + 1;
  bool all = paths->side[0].visited + (uint64_t)paths->side[1].visited >= words;
  if (all)
    memset(paths->state, 0, words * sizeof *paths->state);
  for (int i = 0; i < 2; i++) {
    ms_path_side *side = &paths->side[i];
    for (uint32_t j = 0; j < side->visited && !all; j++)
      paths->state[side->queue[j] >> 5] = 0;
    side->visited = 0;
  }
}

/* ---- reading off a path ---------------------------------------------------- */

/* Does the row of v have an arc of an allowed type to w?  *type: the smallest such type. */
static bool arc_between(const ms_typed_rows *rows, const uint64_t *types, uint32_t v, uint32_t w,
                        ms_type *type)
{
  uint64_t first, count = ms_typed_arcs_between(rows, v, w, &first);
  for (uint64_t a = first; a < first + count; a++)
    if (ms_type_in(types, rows->type[a])) {
      *type = rows->type[a];
      return true;
    }
  return false;
}

/* Returns the smallest vertex of the level with an allowed arc to v, seen from the side's end;
 * there is one.  Level and row ascend: this goes through the shorter one and searches the other. */
static uint32_t nearer(const ms_typed_paths *paths, const ms_path_side *side, uint32_t level,
                       uint32_t v)
{
  const ms_typed_rows *rows = &paths->graph->rows;
  const uint32_t *vertex = side->queue + side->start[level];
  uint32_t count = side->start[level + 1] - side->start[level];
  uint64_t a = rows->offset[v];
  ms_type type;
  if (count < rows->offset[v + 1] - a) {
    while (!arc_between(rows, side->in, v, *vertex, &type))
      vertex++;
    return *vertex;
  }
  while (ms_path_state(paths->state, rows->neighbor[a]) != side->mark ||
         !ms_type_in(side->in, rows->type[a]) ||
         !ms_ascending_has(vertex, count, rows->neighbor[a]))
    a++;
  return rows->neighbor[a];
}

/* Builds the path through the arc of `crossing`, which leads away from `grown`. */
static ms_status read_path(ms_typed_paths *paths, const ms_path_side *grown, uint64_t crossing,
                           ms_typed_path *out, ms_error *err)
{
  const ms_path_side *from = &paths->side[0], *to = &paths->side[1];
  uint32_t a = from->levels - 1, b = to->levels - 1, length = a + 1 + b;
  uint32_t near = (uint32_t)(crossing >> 32), far = (uint32_t)crossing;
  if (!MS_GROW(paths->path, paths->path_room, 0, 2 * (size_t)length + 1))
    return ms_fail_memory(err, "a path");
  uint32_t *vertex = paths->path, *types = vertex + length + 1;
  vertex[a] = grown == from ? near : far;
  vertex[a + 1] = grown == from ? far : near;
  for (uint32_t i = a; i > 0; i--)
    vertex[i - 1] = nearer(paths, from, i - 1, vertex[i]);
  for (uint32_t i = a + 1; i < length; i++)
    vertex[i + 1] = nearer(paths, to, length - i - 1, vertex[i]);
  for (uint32_t i = 0; i < length; i++) {
    ms_type type = 0;
    arc_between(&paths->graph->rows, from->out, vertex[i], vertex[i + 1], &type);
    types[i] = type;
  }
  *out = (ms_typed_path){.length = length, .vertices = vertex, .types = types};
  return MS_OK;
}

/* ---- searching ------------------------------------------------------------- */

static ms_status search(ms_typed_paths *paths, ms_typed_path *out, ms_error *err)
{
  ms_path_side *from = &paths->side[0], *to = &paths->side[1];
  for (;;) {
    ms_path_side *side = from->arcs <= to->arcs ? from : to;
    uint64_t crossing;
    if (side->start[side->levels] == side->start[side->levels - 1] ||
        (paths->max_length && from->levels + to->levels - 2 >= paths->max_length))
      return MS_OK;
    MS_TRY(path_grow(paths, side, &crossing, err));
    if (crossing != MS_NO_CROSSING)
      return read_path(paths, side, crossing, out, err);
  }
}

ms_status ms_typed_paths_find(ms_typed_paths *paths, uint32_t s, uint32_t t, ms_typed_path *out,
                              ms_error *err)
{
  MS_REQUIRE(paths, err);
  MS_REQUIRE(out, err);
  uint32_t n = paths->graph->rows.n;
  *out = (ms_typed_path){.length = MS_NO_PATH};
  if (s >= n || t >= n)
    return ms_fail(err, MS_ERR_USAGE,
                   "a path from vertex %u to vertex %u: the graph has %u vertices, numbered from 0",
                   s, t, n);
  reset(paths);
  if (s == t) {
    paths->path[0] = s;
    *out = (ms_typed_path){.vertices = paths->path, .types = paths->path + 1};
    return MS_OK;
  }
  path_begin(paths, &paths->side[0], s);
  path_begin(paths, &paths->side[1], t);
  ms_status status = search(paths, out, err);
  /* Of a level that was not completed, the number of threads decides how much is found. */
  for (int i = 0; i < 2; i++)
    paths->visits += paths->side[i].start[paths->side[i].levels];
  if (status == MS_ERR_INTERRUPTED || status == MS_ERR_LIMIT) {
    out->stopped = status;
    status = MS_OK;
  }
  return status;
}
