#include "base/alloc.h"
#include "base/status.h"
#include "base/threads/threads.h"
#include "base/threads/watch.h"
#include "match/typed/walk.h"

#include <string.h>

#define WORDS 64 /* words of a set that a thread takes at a time: 4096 vertices */

/* True if v has the self-loops that the pattern vertex needs. */
static bool loops_fit(const ms_typed_rows *rows, const ms_pair_edges *loops, uint32_t v)
{
  uint64_t first, count;
  if (loops->count == 0)
    return true;
  count = ms_typed_arcs_between(rows, v, v, &first);
  return ms_pair_edges_fit(loops, rows->type + first, count);
}

static uint64_t degree(const ms_typed_rows *rows, uint32_t v)
{
  return rows->offset[v + 1] - rows->offset[v];
}

/* ---- sets ---------------------------------------------------------------------- */

typedef struct counting {
  const ms_typed_rows *rows;
  ms_active *set;
} counting;

static void count_words(void *user, ms_range r)
{
  const counting *c = user;
  uint64_t size = 0, arcs = 0;
  for (uint64_t w = r.begin; w < r.end; w++)
    for (uint64_t bits = c->set->bits[w]; bits; bits &= bits - 1) {
      size++;
      arcs += degree(c->rows, (uint32_t)(w << 6) | (uint32_t)__builtin_ctzll(bits));
    }
  __atomic_fetch_add(&c->set->size, size, __ATOMIC_RELAXED);
  __atomic_fetch_add(&c->set->arcs, arcs, __ATOMIC_RELAXED);
}

void ms_active_count(const ms_typed_rows *rows, int threads, ms_active *set)
{
  set->size = set->arcs = 0;
  ms_parallel(threads, ms_active_words(rows), 0, count_words, &(counting){rows, set});
}

typedef struct initing {
  const ms_typed_rows *rows;
  const uint64_t *types;      /* those that fit */
  const ms_pair_edges *loops; /* that a vertex needs */
  ms_active *set;
} initing;

static void init_words(void *user, ms_range r)
{
  const initing *in = user;
  const ms_typed_rows *rows = in->rows;
  for (uint32_t w = (uint32_t)r.begin; w < r.end; w++) {
    uint64_t bits = 0;
    for (uint32_t b = 0, v = w << 6; b < 64 && v < rows->n; b++, v++)
      if (ms_type_in(in->types, rows->vertex_type[v]) && loops_fit(rows, in->loops, v))
        bits |= UINT64_C(1) << b;
    in->set->bits[w] = bits;
  }
}

void ms_active_init(const ms_typed_rows *rows, const ms_typed_query *query, uint32_t i, bool loops,
                    int threads, ms_active *set)
{
  const uint64_t *accepted[MS_MAX_TYPED_EDGES];
  ms_pair_edges between = {0};
  if (loops)
    ms_pair_edges_of(query, i, i, accepted, &between);
  ms_parallel(threads, ms_active_words(rows), WORDS, init_words,
              &(initing){rows, query->vertex_types[i], &between, set});
  ms_active_count(rows, threads, set);
}

/* True if arc a of v is a self-loop that may be walked against its type. A
 * self-loop stands in its row once, by one of its two types, and may be walked
 * either way. */
static bool is_loop(const ms_typed_rows *rows, uint32_t v, uint64_t a, const uint64_t *inverse)
{
  return rows->neighbor[a] == v && ms_type_in(inverse, rows->type[a]);
}

/* True if an arc of a type in `back` leads from w to a vertex of the set. */
static bool is_reached(const ms_typed_rows *rows, const ms_active *set, const uint64_t *accepted,
                       const uint64_t *back, uint32_t w)
{
  for (uint64_t a = rows->offset[w]; a < rows->offset[w + 1]; a++)
    if ((ms_type_in(back, rows->type[a]) || is_loop(rows, w, a, accepted)) &&
        ms_active_has(set, rows->neighbor[a]))
      return true;
  return false;
}

typedef struct step {
  const ms_typed_rows *rows;
  const ms_active *set;
  const uint64_t *accepted, *back;
  ms_active *next;
  uint64_t *reached; /* by push: [words] */
} step;

static void pull(void *user, ms_range r)
{
  const step s = *(const step *)user;
  for (uint64_t w = r.begin; w < r.end; w++) {
    uint64_t left = 0;
    for (uint64_t bits = s.next->bits[w]; bits; bits &= bits - 1) {
      uint32_t b = (uint32_t)__builtin_ctzll(bits);
      if (is_reached(s.rows, s.set, s.accepted, s.back, (uint32_t)(w << 6) | b))
        left |= UINT64_C(1) << b;
    }
    s.next->bits[w] = left;
  }
}

/* Marks the vertices of `next` that the set reaches. Several threads may set
 * bits of the same word, hence the atomics. */
static void push(void *user, ms_range r)
{
  const step s = *(const step *)user;
  const ms_typed_rows *rows = s.rows;
  for (uint64_t word = r.begin; word < r.end; word++)
    for (uint64_t bits = s.set->bits[word]; bits; bits &= bits - 1) {
      uint32_t v = (uint32_t)(word << 6) | (uint32_t)__builtin_ctzll(bits);
      for (uint64_t a = rows->offset[v]; a < rows->offset[v + 1]; a++) {
        uint32_t w = rows->neighbor[a];
        if ((ms_type_in(s.accepted, rows->type[a]) || is_loop(rows, v, a, s.back)) &&
            ms_active_has(s.next, w))
          __atomic_fetch_or(s.reached + (w >> 6), UINT64_C(1) << (w & 63), __ATOMIC_RELAXED);
      }
    }
}

bool ms_active_step(const ms_typed_rows *rows, const ms_active *set, const uint64_t *accepted,
                    const uint64_t *back, int threads, ms_active *next, uint64_t *spare)
{
  uint64_t before = next->size;
  uint64_t words = ms_active_words(rows);
  ms_watch watch;
  ms_watch_begin(&watch);
  step s = {rows, set, accepted, back, next, spare};
  /* pulling stops at the first arc that it finds, and needs no atomics */
  if (next->arcs <= 2 * set->arcs) {
    ms_watch_loop(&watch, threads, words, WORDS, pull, &s);
  } else {
    memset(spare, 0, words * sizeof *spare);
    ms_watch_loop(&watch, threads, words, WORDS, push, &s);
    if (!ms_watch_check(&watch))
      memcpy(next->bits, spare, words * sizeof *spare);
  }
  ms_active_count(rows, threads, next);
  return next->size != before;
}

/* ---- layers -------------------------------------------------------------------- */

static ms_status make_layers(const ms_typed_rows *rows, ms_typed_layers *layers, ms_error *err)
{
  layers->set = ms_calloc((size_t)layers->length + 1, sizeof *layers->set);
  if (!layers->set)
    return ms_fail_memory(err, "layers of a walk");
  for (uint32_t i = 0; i <= layers->length; i++) {
    layers->set[i].bits = ms_alloc_lines(ms_active_words(rows), sizeof *layers->set[i].bits);
    if (!layers->set[i].bits)
      return ms_fail_memory(err, "layers of a walk");
  }
  return MS_OK;
}

ms_status ms_typed_layers_new(const ms_typed_rows *rows, const ms_typed_query *query,
                              const ms_pattern_walk *walk, int threads, ms_typed_layers *layers,
                              ms_error *err)
{
  *layers = (ms_typed_layers){.length = walk->length};
  ms_status status = make_layers(rows, layers, err);
  uint64_t *spare = ms_alloc_lines(ms_active_words(rows), sizeof *spare);
  threads = ms_threads_for(threads, rows->n + rows->arcs);
  if (status == MS_OK && !spare)
    status = ms_fail_memory(err, "layers of a walk");
  for (uint32_t i = 0; i <= walk->length && status == MS_OK; i++) {
    ms_active_init(rows, query, ms_walk_vertex(walk, i), false, threads, &layers->set[i]);
    if (i > 0)
      ms_active_step(rows, &layers->set[i - 1], ms_step_accepts(query, &walk->step[i - 1]),
                     ms_step_inverse(query, &walk->step[i - 1]), threads, &layers->set[i], spare);
  }
  for (uint32_t i = walk->length; i > 0 && status == MS_OK; i--)
    ms_active_step(rows, &layers->set[i], ms_step_inverse(query, &walk->step[i - 1]),
                   ms_step_accepts(query, &walk->step[i - 1]), threads, &layers->set[i - 1], spare);
  ms_free(spare);
  if (status != MS_OK)
    ms_typed_layers_free(layers);
  return status;
}

void ms_typed_layers_free(ms_typed_layers *layers)
{
  for (uint32_t i = 0; layers->set && i <= layers->length; i++)
    ms_free(layers->set[i].bits);
  ms_free(layers->set);
  *layers = (ms_typed_layers){0};
}
