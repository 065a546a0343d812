#include "base/alloc.h"
#include "base/status.h"
#include "base/threads.h"
#include "enumerate/typed/walk.h"

#include <string.h>

#define WORDS 64 /* of a set, a thread at a time: 4096 vertices */

static uint32_t words_of(const ms_typed_rows *rows)
{
  return rows->n / 64 + 1;
}

/* The self-loops that pattern vertex i has. */
static bool loops_fit(const ms_typed_rows *rows, const ms_pair_wants *loops, uint32_t v)
{
  uint64_t first, count;
  if (loops->edges == 0)
    return true;
  count = ms_typed_arcs_between(rows, v, v, &first);
  return ms_pair_wants_fit(loops, rows->type + first, count);
}

static uint64_t degree(const ms_typed_rows *rows, uint32_t v)
{
  return rows->offset[v + 1] - rows->offset[v];
}

/* ---- sets ---------------------------------------------------------------------- */

static void recount(const ms_typed_rows *rows, int threads, ms_active *set)
{
  uint64_t size = 0, arcs = 0;
#pragma omp parallel for num_threads(threads) schedule(static) reduction(+ : size, arcs)
  for (uint32_t w = 0; w < words_of(rows); w++)
    for (uint64_t bits = set->bits[w]; bits; bits &= bits - 1) {
      size++;
      arcs += degree(rows, w << 6 | (uint32_t)__builtin_ctzll(bits));
    }
  set->size = size;
  set->arcs = arcs;
}

void ms_active_init(const ms_typed_rows *rows, const ms_typed_query *query, uint32_t i, int threads,
                    ms_active *set)
{
  ms_pair_wants loops;
  ms_pair_wants_of(query, i, i, &loops);
#pragma omp parallel for num_threads(threads) schedule(dynamic, WORDS)
  for (uint32_t w = 0; w < words_of(rows); w++) {
    uint64_t bits = 0;
    for (uint32_t b = 0, v = w << 6; b < 64 && v < rows->n; b++, v++)
      if (ms_type_in(query->vertex_types[i], rows->vertex_type[v]) &&
          loops_fit(rows, &loops, v))
        bits |= UINT64_C(1) << b;
    set->bits[w] = bits;
  }
  recount(rows, threads, set);
}

/* Does an arc of a type in `back` lead from w to a vertex of the set? */
static bool is_reached(const ms_typed_rows *rows, const ms_active *set, const uint64_t *back,
                       uint32_t w)
{
  for (uint64_t a = rows->offset[w]; a < rows->offset[w + 1]; a++)
    if (ms_type_in(back, rows->type[a]) && ms_active_has(set, rows->neighbor[a]))
      return true;
  return false;
}

static void pull(const ms_typed_rows *rows, const ms_active *set, const uint64_t *back, int threads,
                 ms_active *next)
{
#pragma omp parallel for num_threads(threads) schedule(dynamic, WORDS)
  for (uint32_t w = 0; w < words_of(rows); w++) {
    uint64_t left = 0;
    for (uint64_t bits = next->bits[w]; bits; bits &= bits - 1) {
      uint32_t b = (uint32_t)__builtin_ctzll(bits);
      if (is_reached(rows, set, back, w << 6 | b))
        left |= UINT64_C(1) << b;
    }
    next->bits[w] = left;
  }
}

/* Threads may set bits of the same word. */
static void push(const ms_typed_rows *rows, const ms_active *set, const uint64_t *accepted,
                 int threads, ms_active *next, uint64_t *reached)
{
  memset(reached, 0, words_of(rows) * sizeof *reached);
#pragma omp parallel for num_threads(threads) schedule(dynamic, WORDS)
  for (uint32_t word = 0; word < words_of(rows); word++)
    for (uint64_t bits = set->bits[word]; bits; bits &= bits - 1) {
      uint32_t v = word << 6 | (uint32_t)__builtin_ctzll(bits);
      for (uint64_t a = rows->offset[v]; a < rows->offset[v + 1]; a++) {
        uint32_t w = rows->neighbor[a];
        if (ms_type_in(accepted, rows->type[a]) && ms_active_has(next, w))
          __atomic_fetch_or(reached + (w >> 6), UINT64_C(1) << (w & 63), __ATOMIC_RELAXED);
      }
    }
  memcpy(next->bits, reached, words_of(rows) * sizeof *reached);
}

bool ms_active_step(const ms_typed_rows *rows, const ms_active *set, const uint64_t *accepted,
                    const uint64_t *back, int threads, ms_active *next, uint64_t *spare)
{
  uint64_t before = next->size;
  /* pulling stops at the first arc that is found, and needs no atomics */
  if (next->arcs <= 2 * set->arcs)
    pull(rows, set, back, threads, next);
  else
    push(rows, set, accepted, threads, next, spare);
  recount(rows, threads, next);
  return next->size != before;
}

/* ---- domains --------------------------------------------------------------------- */

typedef struct revision {
  const ms_typed_rows *rows;
  const ms_typed_query *query;
  const ms_stop *stop;
  ms_typed_domains *domains;
  uint64_t *spare; /* a set */
  int threads;
} revision;

/* One step of the walk; whether the set of its end changed. */
static bool revise(const revision *r, uint32_t from, const ms_walk_step *step)
{
  const ms_typed_query_edge *edge = &r->query->edge[step->edge];
  ms_typed_domains *d = r->domains;
  if (from == step->to)
    return false; /* a self-loop: seen to from the start */
  return ms_active_step(r->rows, &d->set[from], step->on ? edge->on : edge->back,
                        step->on ? edge->back : edge->on, r->threads, &d->set[step->to], r->spare);
}

/* Along the walk and back from its end; whether anything changed. */
static bool walk_once(const revision *r, const ms_pattern_walk *walk)
{
  bool changed = false;
  uint32_t at = walk->start;
  for (uint32_t i = 0; i < walk->length && !r->domains->empty; i++) {
    changed |= revise(r, at, &walk->step[i]);
    at = walk->step[i].to;
    r->domains->empty |= r->domains->set[at].size == 0;
  }
  for (uint32_t i = walk->length; i-- > 0 && !r->domains->empty;) {
    ms_walk_step back = walk->step[i];
    uint32_t from = back.to;
    back.to = i ? walk->step[i - 1].to : walk->start;
    back.on = !back.on;
    changed |= revise(r, from, &back);
    r->domains->empty |= r->domains->set[back.to].size == 0;
  }
  return changed;
}

/* The vertex of the component with the fewest candidates: what it rules out
 * makes every later stage smaller. */
static uint32_t best_start(const ms_typed_domains *d, uint64_t among)
{
  uint32_t best = (uint32_t)__builtin_ctzll(among);
  for (uint64_t rest = among; rest; rest &= rest - 1) {
    uint32_t i = (uint32_t)__builtin_ctzll(rest);
    best = d->set[i].size < d->set[best].size ? i : best;
  }
  return best;
}

/* The walk from `start`, until it changes nothing more; *left loses the
 * component's vertices. */
static ms_status walk_component(const revision *r, const ms_typed_match_options *options,
                                uint32_t start, uint64_t *left, ms_error *err)
{
  ms_pattern_walk walk;
  uint32_t rounds = 0;
  ms_status status = ms_walk_new(r->query, start, options->walk, options->walk_length,
                                 options->seed, &walk, err);
  if (status != MS_OK)
    return status;
  *left &= ~(UINT64_C(1) << start);
  for (uint32_t i = 0; i < walk.length; i++)
    *left &= ~(UINT64_C(1) << walk.step[i].to);
  r->domains->walk_length += walk.length;
  while (rounds < MS_WALK_ROUNDS && ms_stop_check(r->stop) == MS_OK && !r->domains->empty) {
    rounds++;
    if (!walk_once(r, &walk))
      break;
  }
  if (rounds > r->domains->rounds)
    r->domains->rounds = rounds;
  ms_walk_free(&walk);
  return MS_OK;
}

static ms_status make_sets(const ms_typed_rows *rows, const ms_typed_query *query,
                           ms_typed_domains **out, ms_error *err)
{
  ms_typed_domains *d = *out = ms_calloc(1, sizeof *d);
  if (!d)
    return ms_fail_memory(err, "domains of a typed pattern");
  d->n = query->n;
  for (uint32_t i = 0; i < d->n; i++) {
    d->set[i].bits = ms_alloc_lines(words_of(rows), sizeof *d->set[i].bits);
    if (!d->set[i].bits)
      return ms_fail_memory(err, "domains of a typed pattern");
  }
  return MS_OK;
}

ms_status ms_typed_domains_new(const ms_typed_rows *rows, const ms_typed_query *query,
                               const ms_typed_match_options *options, ms_typed_domains **out,
                               ms_error *err)
{
  revision r = {.rows = rows,
                .query = query,
                .stop = options->stop,
                .threads = ms_threads_for(options->threads, rows->n + rows->arcs)};
  ms_status status = make_sets(rows, query, &r.domains, err);
  *out = NULL;
  r.spare = ms_alloc_lines(words_of(rows), sizeof *r.spare);
  if (status == MS_OK && !r.spare)
    status = ms_fail_memory(err, "domains of a typed pattern");
  for (uint32_t i = 0; i < query->n && status == MS_OK; i++) {
    ms_active_init(rows, query, i, r.threads, &r.domains->set[i]);
    r.domains->empty |= r.domains->set[i].size == 0;
  }
  uint64_t left = query->n == 64 ? UINT64_MAX : (UINT64_C(1) << query->n) - 1;
  while (left && status == MS_OK && !options->no_walk && !r.domains->empty)
    status = walk_component(&r, options, best_start(r.domains, left), &left, err);
  ms_free(r.spare);
  if (status == MS_OK)
    *out = r.domains;
  else
    ms_typed_domains_free(r.domains);
  return status;
}

void ms_typed_domains_free(ms_typed_domains *domains)
{
  if (!domains)
    return;
  for (uint32_t i = 0; i < domains->n; i++)
    ms_free(domains->set[i].bits);
  ms_free(domains);
}
