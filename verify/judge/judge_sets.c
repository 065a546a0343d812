/* The judge of many sets of a motif that differ in one vertex.
 *
 * It follows the first k - 1 vertices from set to set.  For these it keeps a matching to slots,
 * made by augmenting paths, the slots that are *open*, and which vertices are next to them.  A slot
 * is open if it is free, or if its owner fits an open slot: then one more vertex can be matched if
 * and only if it fits an open slot (Berge).  So one more vertex is judged by two look-ups.
 *
 * It accepts only what ms_verify_match accepts: the vertices differ, each of them is adjacent to
 * one before it, they can be paired off with the slots, and no required vertex is missing. */
#include "verify/judge/judge.h"

#include "base/alloc.h"
#include "base/status.h"

#include <stdatomic.h>
#include <string.h>

/* A mark is read once for each neighbour that is marked, and again when the mark is taken off; a
 * search in a row costs as much as this many neighbours. */
#define SEARCH_NEIGHBORS 16u

/* Judging a set by itself takes as long as making the tables of this many vertices. */
#define VERTICES_PER_SET 64u

/* The mark of a vertex.  MEMBER: it is one of the first k - 1.  Below that, NEAREST - i: it is a
 * neighbour of vertex i, and of no vertex before i whose neighbours have marks; 0: of none. */
#define MEMBER 0x80u
#define NEAREST 0x7fu

typedef struct level {
  uint32_t owner[MS_MAX_K]; /* [slot] the vertex, 0..level, that has a slot that is taken */
  uint32_t taken;           /* slots */
  bool marked;              /* the neighbours have marks */
  uint64_t searches;        /* in the row of this vertex */
} level;

/* What one thread knows of the sets that it judged last. */
typedef struct follower {
  _Alignas(64) uint8_t *mark; /* [n] NULL: not made yet */
  uint64_t asked;             /* how often it was asked before that */
  uint32_t depth;             /* vertices that are followed */
  uint32_t unmarked;          /* of them */
  uint32_t set[MS_MAX_K];     /* [depth] */
  uint32_t slots[MS_MAX_K];   /* [depth] that each may take */
  level level[MS_MAX_K];      /* [depth] */
  uint32_t open;              /* slots for one more vertex, if depth is k - 1 */
  uint32_t missing, wanted; /* then: required vertices that are not among them, and one of these */
} follower;

struct ms_set_judge {
  const ms_query *query;
  uint32_t n, k;
  int threads;
  /* [n] that a vertex may take; 0: none, or not looked up yet.  NULL: not made yet */
  _Atomic uint32_t *_Atomic slots;
  follower *follower; /* [threads] */
};

void ms_set_judge_free(ms_set_judge *judge)
{
  if (!judge)
    return;
  for (int t = 0; judge->follower && t < judge->threads; t++)
    ms_free(judge->follower[t].mark);
  ms_free(judge->follower);
  ms_free((void *)atomic_load(&judge->slots));
  ms_free(judge);
}

ms_status ms_set_judge_new(const ms_query *query, int threads, ms_set_judge **out, ms_error *err)
{
  ms_set_judge *judge = *out = ms_calloc(1, sizeof *judge);
  if (!judge)
    return ms_fail_memory(err, "the judge of matches");
  judge->query = query;
  judge->n = ms_graph_vertex_count(query->graph);
  judge->k = query->motif->k;
  judge->threads = threads;
  judge->follower = ms_alloc_lines((size_t)threads, sizeof *judge->follower);
  if (!judge->follower) {
    ms_set_judge_free(judge);
    *out = NULL;
    return ms_fail_memory(err, "the judge of matches");
  }
  memset(judge->follower, 0, (size_t)threads * sizeof *judge->follower);
  return MS_OK;
}

/* Makes the tables of all vertices, which few sets do not pay for.  Returns false if there are few,
 * or no memory. */
static bool make_tables(ms_set_judge *judge, follower *f)
{
  if (f->asked++ < judge->n / VERTICES_PER_SET)
    return false;
  if (!atomic_load(&judge->slots)) {
    _Atomic uint32_t *slots = ms_calloc(judge->n, sizeof *slots), *before = NULL;
    if (!atomic_compare_exchange_strong(&judge->slots, &before, slots))
      ms_free((void *)slots); /* another thread was faster */
  }
  if (atomic_load(&judge->slots))
    f->mark = ms_calloc(judge->n, 1);
  return f->mark != NULL;
}

static uint32_t slots_of(ms_set_judge *judge, uint32_t v)
{
  _Atomic uint32_t *at = atomic_load_explicit(&judge->slots, memory_order_relaxed) + v;
  uint32_t slots = atomic_load_explicit(at, memory_order_relaxed);
  if (slots == 0) {
    slots = ms_verify_slots(judge->query, v);
    atomic_store_explicit(at, slots, memory_order_relaxed);
  }
  return slots;
}

/* ---- neighbours -------------------------------------------------------------------- */

static void mark_neighbors(const ms_set_judge *judge, follower *f, uint32_t i)
{
  uint32_t degree;
  const uint32_t *row = ms_graph_neighbors(judge->query->graph, f->set[i], &degree);
  uint8_t own = (uint8_t)(NEAREST - i), *mark = f->mark;
  for (uint32_t a = 0; a < degree; a++) {
    uint8_t old = mark[row[a]], nearest = old & NEAREST;
    mark[row[a]] = (uint8_t)((old & MEMBER) | (nearest > own ? nearest : own));
  }
  f->level[i].marked = true;
  f->unmarked--;
}

static void unmark_neighbors(const ms_set_judge *judge, follower *f, uint32_t i)
{
  uint32_t degree;
  const uint32_t *row = ms_graph_neighbors(judge->query->graph, f->set[i], &degree);
  uint8_t own = (uint8_t)(NEAREST - i), *mark = f->mark;
  for (uint32_t a = 0; a < degree; a++) {
    uint8_t old = mark[row[a]];
    mark[row[a]] = (old & NEAREST) == own ? old & MEMBER : old;
  }
}

/* Marks the neighbours of vertex i if `searches` more searches in its row would take longer. */
static void mark_if_cheaper(const ms_set_judge *judge, follower *f, uint32_t i, uint64_t searches)
{
  uint32_t degree;
  (void)ms_graph_neighbors(judge->query->graph, f->set[i], &degree);
  f->level[i].searches += searches;
  if (f->level[i].searches * SEARCH_NEIGHBORS >= degree)
    mark_neighbors(judge, f, i);
}

/* True if v is another vertex than those of the set, and adjacent to one of them. */
static bool extends(const ms_set_judge *judge, const follower *f, uint32_t v)
{
  uint8_t mark = f->mark[v];
  if (mark >= MEMBER)
    return false;
  bool adjacent = mark > 0;
  for (uint32_t i = f->unmarked > 0 ? f->depth : 0; !adjacent && i-- > 0;)
    adjacent = !f->level[i].marked && ms_verify_adjacent(judge->query->graph, f->set[i], v);
  return adjacent;
}

/* ---- following ----------------------------------------------------------------------- */

static void pop(const ms_set_judge *judge, follower *f)
{
  uint32_t i = --f->depth;
  if (f->level[i].marked)
    unmark_neighbors(judge, f, i);
  else
    f->unmarked--;
  f->mark[f->set[i]] &= NEAREST;
}

/* Gives a slot to vertex i, perhaps along an augmenting path; bit d of *tried: slot d was tried. */
static bool match_vertex(const follower *f, level *l, uint32_t i, uint32_t *tried)
{
  uint32_t left = f->slots[i] & ~l->taken;
  if (left) {
    l->owner[__builtin_ctz(left)] = i;
    l->taken |= left & -left;
    return true;
  }
  while ((left = f->slots[i] & ~*tried)) {
    uint32_t d = (uint32_t)__builtin_ctz(left);
    *tried |= 1u << d;
    if (match_vertex(f, l, l->owner[d], tried)) {
      l->owner[d] = i;
      return true;
    }
  }
  return false;
}

/* Follows one more vertex.  Returns false, and follows as many as before, if the set cannot be
 * accepted. */
static bool push(ms_set_judge *judge, follower *f, uint32_t v)
{
  uint32_t i = f->depth, tried = 0;
  level *l = &f->level[i];
  if (v >= judge->n || (i > 0 && !extends(judge, f, v)))
    return false;
  l->taken = i > 0 ? l[-1].taken : 0;
  if (i > 0)
    memcpy(l->owner, l[-1].owner, judge->k * sizeof *l->owner);
  f->set[i] = v;
  f->slots[i] = slots_of(judge, v);
  if (!match_vertex(f, l, i, &tried))
    return false;
  l->marked = false;
  l->searches = 0;
  f->mark[v] |= MEMBER;
  f->depth++;
  f->unmarked++;
  return true;
}

static bool holds(const follower *f, uint32_t v)
{
  for (uint32_t i = 0; i < f->depth; i++)
    if (f->set[i] == v)
      return true;
  return false;
}

/* Finds what one more vertex must be. */
static void prepare_last(const ms_set_judge *judge, follower *f)
{
  const level *l = &f->level[f->depth - 1];
  uint32_t all = UINT32_MAX >> (32 - judge->k), before = 0;
  f->open = all & ~l->taken;
  while (f->open != before) {
    before = f->open;
    for (uint32_t left = all & ~f->open; left; left &= left - 1) {
      uint32_t d = (uint32_t)__builtin_ctz(left);
      if (f->slots[l->owner[d]] & f->open)
        f->open |= 1u << d;
    }
  }
  f->missing = 0;
  for (uint32_t i = 0; i < judge->query->n_required; i++)
    if (!holds(f, judge->query->required[i])) {
      f->wanted = judge->query->required[i];
      f->missing++;
    }
}

/* Follows set[k-1].  Returns false if it cannot be accepted in this order. */
static bool follow(ms_set_judge *judge, follower *f, const uint32_t *set)
{
  uint32_t same = 0;
  while (same < f->depth && f->set[same] == set[same])
    same++;
  if (same == judge->k - 1)
    return true;
  while (f->depth > same)
    pop(judge, f);
  for (; same < judge->k - 1; same++)
    if (!push(judge, f, set[same]))
      return false;
  prepare_last(judge, f);
  return true;
}

uint64_t ms_set_judge_count(ms_set_judge *judge, int thread, const uint32_t *set,
                            const uint32_t *last, uint64_t count)
{
  follower *f = &judge->follower[thread];
  if ((!f->mark && !make_tables(judge, f)) || !follow(judge, f, set) || f->missing > 1)
    return 0;
  for (uint32_t i = 0; i < f->depth && f->unmarked > 0; i++)
    if (!f->level[i].marked)
      mark_if_cheaper(judge, f, i, count);
  for (uint64_t i = 0; i < count; i++) {
    uint32_t v = last[i];
    if (v >= judge->n || !(slots_of(judge, v) & f->open) || !extends(judge, f, v) ||
        (f->missing > 0 && v != f->wanted))
      return i;
  }
  return count;
}
