/* One pass tests every arc and lists the arcs that stay.  The part is made from
 * these lists, in time proportional to the arcs that stay plus a 64th of the
 * number of vertices. */
#include "base/alloc.h"
#include "base/ascending.h"
#include "base/status.h"
#include "base/threads/parallel.h"
#include "base/threads/threads.h"
#include "base/threads/watch.h"
#include "query/typed_filter.h"

#include <stdatomic.h>
#include <string.h>

#define PHASE "the graph is filtered"
#define CHUNK ((uint64_t)1 << 15) /* arcs */
#define AHEAD 256                 /* types are prefetched this many arcs ahead */
#define WORDS 64 /* words of the set of vertices that stay, for a thread at a time */

typedef struct kept_arc {
  uint32_t row, at; /* at: distance from the beginning of its chunk */
} kept_arc;

/* The arcs of a chunk that stay. */
typedef struct kept_piece {
  kept_arc *list;        /* [count] */
  uint64_t count, place; /* place: number of arcs that stay in earlier chunks */
} kept_piece;

typedef struct pass {
  const ms_typed_rows *rows;
  const ms_type_filter *filter;
  int threads;
  uint64_t pieces;
  kept_piece *piece; /* [pieces] */
  uint64_t *stays;   /* bits [n / 64 + 1] */
  uint32_t *before;  /* [n / 64 + 1] number of vertices that stay in earlier words */
  uint32_t *number;  /* [n] new number of a vertex that stays */
  ms_typed_part *part;
  _Atomic uint64_t tested; /* pieces that threads have taken */
  atomic_bool failed;      /* for want of memory */
  ms_watch watch;
} pass;

/* ---- the test of every arc ---------------------------------------------------- */

/* Lists the arcs that fit by their type and by the type of their row's vertex.
 * Few arcs fit and a branch would be mispredicted, so there is none.  Rows of
 * other types are skipped, which the processor cannot predict either; hence the
 * prefetches.  list[CHUNK + 1]. */
static uint32_t list_candidates(const pass *p, uint64_t first, uint64_t last, kept_arc *list)
{
  const ms_typed_rows *rows = p->rows;
  const ms_type *type = rows->type;
  uint64_t base = first;
  uint32_t count = 0;
  for (uint32_t v = (uint32_t)ms_last_at_most(rows->offset, rows->n, first); first < last; v++) {
    uint64_t end = rows->offset[v + 1] < last ? rows->offset[v + 1] : last;
    uint32_t class = p->filter->vertex_class[rows->vertex_type[v]];
    const uint8_t *some = p->filter->some + (size_t) class * p->filter->arc_types;
    __builtin_prefetch(type + (end + AHEAD < rows->arcs ? end + AHEAD : rows->arcs));
    for (uint64_t a = first; class != 0 && a < end; a++) {
      list[count] = (kept_arc){.row = v, .at = (uint32_t)(a - base)};
      count += some[type[a]];
    }
    first = end > first ? end : first;
  }
  return count;
}

/* Keeps the candidates whose other end fits, too.  The types of these ends are
 * spread over memory, but the reads do not depend on each other and overlap. */
static uint32_t keep_fitting(const pass *p, uint64_t base, uint32_t candidates, kept_arc *list)
{
  const ms_typed_rows *rows = p->rows;
  uint32_t count = 0;
  for (uint32_t i = 0; i < candidates; i++) {
    kept_arc arc = list[i];
    uint64_t a = base + arc.at;
    list[count] = arc;
    count += ms_type_filter_keeps(p->filter, rows->vertex_type[arc.row], rows->type[a],
                                  rows->vertex_type[rows->neighbor[a]]);
  }
  return count;
}

/* Marks the rows of a piece.  The operation is atomic because rows of neighbouring chunks may share
 * a word. */
static void mark_rows(const pass *p, const kept_piece *piece)
{
  uint32_t last = UINT32_MAX;
  for (uint64_t i = 0; i < piece->count; i++) {
    uint32_t v = piece->list[i].row;
    if (v != last)
      __atomic_fetch_or(p->stays + (v >> 6), UINT64_C(1) << (v & 63), __ATOMIC_RELAXED);
    last = v;
  }
}

static bool test_chunk(const pass *p, uint64_t chunk, kept_arc *list)
{
  uint64_t first = chunk * CHUNK, last = first + CHUNK;
  last = last < p->rows->arcs ? last : p->rows->arcs;
  kept_piece *piece = &p->piece[chunk];
  uint32_t count = keep_fitting(p, first, list_candidates(p, first, last, list), list);
  if (count == 0)
    return true;
  piece->list = ms_alloc(count, sizeof *list);
  if (!piece->list)
    return false;
  memcpy(piece->list, list, count * sizeof *list);
  piece->count = count;
  mark_rows(p, piece);
  return true;
}

static void test_chunks(void *user, int thread)
{
  pass *p = user;
  uint64_t c;
  kept_arc *list = ms_alloc_lines(CHUNK + 1, sizeof *list);
  (void)thread;
  while (!ms_watch_check(&p->watch) &&
         (c = atomic_fetch_add_explicit(&p->tested, 1, memory_order_relaxed)) < p->pieces)
    if (!list || !test_chunk(p, c, list)) {
      atomic_store(&p->failed, true);
      atomic_store(&p->tested, p->pieces);
    }
  ms_free(list);
}

static ms_status test_all(pass *p, ms_error *err)
{
  atomic_init(&p->tested, 0);
  atomic_init(&p->failed, false);
  ms_parallel_team(p->threads, test_chunks, p);
  return atomic_load(&p->failed) ? ms_fail_memory(err, "a type filter")
                                 : ms_watch_report(&p->watch, PHASE, err);
}

/* ---- the part ------------------------------------------------------------------ */

static void mark_alone(void *user, ms_range r)
{
  const pass *p = user;
  const ms_typed_rows *rows = p->rows;
  for (uint32_t w = (uint32_t)r.begin; w < r.end; w++)
    for (uint32_t b = 0, v = w << 6; b < 64 && v < rows->n; b++, v++)
      if (ms_type_in(p->filter->alone, rows->vertex_type[v]))
        p->stays[w] |= UINT64_C(1) << b;
}

/* Fills `before` and `place`, and counts the arcs that stay.  Returns the number of vertices that
 * stay. */
static uint32_t sum_up(const pass *p, uint64_t *arcs)
{
  uint32_t left = 0;
  *arcs = 0;
  for (uint64_t c = 0; c < p->pieces; c++) {
    p->piece[c].place = *arcs;
    *arcs += p->piece[c].count;
  }
  for (uint32_t w = 0; w <= p->rows->n / 64; w++) {
    p->before[w] = left;
    left += p->stays[w] ? (uint32_t)__builtin_popcountll(p->stays[w]) : 0;
  }
  return left;
}

static void fill_vertices(void *user, ms_range r)
{
  const pass *p = user;
  for (uint32_t w = (uint32_t)r.begin; w < r.end; w++) {
    uint32_t number = p->before[w];
    for (uint64_t bits = p->stays[w]; bits; bits &= bits - 1, number++) {
      uint32_t v = w << 6 | (uint32_t)__builtin_ctzll(bits);
      p->number[v] = number;
      p->part->vertex[number] = v;
      p->part->rows.vertex_type[number] = p->rows->vertex_type[v];
      p->part->rows.offset[number] = UINT64_MAX; /* no arcs so far */
    }
  }
}

/* Returns the row of the last arc before piece c. */
static uint32_t row_before(const pass *p, uint64_t c)
{
  while (c-- > 0)
    if (p->piece[c].count > 0)
      return p->piece[c].list[p->piece[c].count - 1].row;
  return UINT32_MAX;
}

static void fill_arcs(void *user, ms_range r)
{
  const pass *p = user;
  const ms_typed_rows *from = p->rows;
  ms_typed_rows *to = &p->part->rows;
  for (uint64_t c = r.begin; c < r.end; c++) {
    const kept_piece *piece = &p->piece[c];
    uint32_t last = piece->count > 0 ? row_before(p, c) : UINT32_MAX;
    for (uint64_t i = 0; i < piece->count; i++) {
      uint64_t a = c * CHUNK + piece->list[i].at, place = piece->place + i;
      if (piece->list[i].row != last) {
        last = piece->list[i].row;
        to->offset[p->number[last]] = place;
      }
      to->neighbor[place] = p->number[from->neighbor[a]];
      to->type[place] = from->type[a];
    }
  }
}

/* Lets the rows of vertices without arcs begin where the next row begins. */
static void end_rows(ms_typed_rows *rows)
{
  rows->offset[rows->n] = rows->arcs;
  for (uint32_t v = rows->n; v-- > 0;)
    if (rows->offset[v] == UINT64_MAX)
      rows->offset[v] = rows->offset[v + 1];
}

static ms_status make_part(pass *p, ms_error *err)
{
  uint64_t arcs;
  if (p->filter->any_alone)
    ms_parallel(p->threads, p->rows->n / 64 + 1, WORDS, mark_alone, p);
  uint32_t left = sum_up(p, &arcs);
  p->part = ms_calloc(1, sizeof *p->part);
  if (!p->part)
    return ms_fail_memory(err, "a part of a typed graph");
  ms_status status = ms_typed_rows_alloc(left, arcs, &p->part->rows, err);
  p->part->vertex = ms_alloc(left, sizeof *p->part->vertex);
  if (status == MS_OK && !p->part->vertex)
    status = ms_fail_memory(err, "a part of a typed graph");
  if (status != MS_OK)
    return status;
  ms_parallel(p->threads, p->rows->n / 64 + 1, WORDS, fill_vertices, p);
  ms_watch_loop(&p->watch, p->threads, p->pieces, 1, fill_arcs, p);
  end_rows(&p->part->rows);
  return ms_watch_report(&p->watch, PHASE, err);
}

ms_status ms_typed_filter_part(const ms_typed_rows *rows, const ms_type_filter *filter, int threads,
                               ms_typed_part **out, ms_error *err)
{
  pass p = {.rows = rows, .filter = filter, .threads = ms_threads_for(threads, rows->arcs)};
  ms_status status = MS_OK;
  *out = NULL;
  ms_watch_begin(&p.watch);
  p.pieces = rows->arcs / CHUNK + (rows->arcs % CHUNK != 0);
  p.piece = ms_calloc(p.pieces, sizeof *p.piece);
  p.stays = ms_calloc(rows->n / 64 + 1, sizeof *p.stays);
  p.before = ms_alloc(rows->n / 64 + 1, sizeof *p.before);
  p.number = ms_alloc_lines(rows->n, sizeof *p.number);
  if (!p.piece || !p.stays || !p.before || !p.number)
    status = ms_fail_memory(err, "a type filter");
  if (status == MS_OK)
    status = test_all(&p, err);
  if (status == MS_OK)
    status = make_part(&p, err);
  if (status == MS_OK)
    *out = p.part;
  else
    ms_typed_part_free(p.part);
  for (uint64_t c = 0; p.piece && c < p.pieces; c++)
    ms_free(p.piece[c].list);
  ms_free(p.piece);
  ms_free(p.stays);
  ms_free(p.before);
  ms_free(p.number);
  return status;
}
