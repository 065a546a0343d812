#include "motif/take_part.h"

#include "base/alloc.h"
#include "base/hooks.h"
#include "base/status.h"
#include "base/threads/parallel.h"
#include "motif/count/count.h"
#include "motif/count/count_sets.h"
#include "motif/search.h"

#include <string.h>

/* Vertices that are searched for between two times at which dead ranks are taken out. */
#define FIRST_BATCH 32u
#define LARGEST_BATCH 4096u
#define WORDS_PER_STEP 64u /* what a step of a search in lists counts as */
#define POLL_ROOTS 64u /* between two looks at the token, which long searches do by themselves */

/* What a search says of its root. */
enum { OPEN, FOUND, DEAD };

/* What one thread works with.  A search that does not fit into bits is made in lists. */
typedef struct seeker {
  struct seeking *all;
  ms_set_counter counter;
  ms_lone_search lone;
  uint32_t match[MS_MAX_K]; /* ranks */
  bool found, gave_up;
  uint64_t work, visits;
  ms_status status;
  ms_error error;
} seeker;

typedef struct seeking {
  const ms_ranked *ranked;
  const ms_kinds *kinds;
  const ms_set_counting *method;
  ms_count_way way;
  ms_bit_rows rows; /* with MS_COUNT_ROWS */
  ms_budget *budget;
  const ms_stop *stop;
  int threads;
  seeker *seeker;      /* [threads] */
  uint32_t *rank_of;   /* [n] of the region's vertices */
  uint8_t *state;      /* [n] OPEN, FOUND or DEAD; threads write it with atomic stores */
  uint64_t most, used; /* work that may be done, 0 for any, and that was done before this batch */
  uint8_t *dead;       /* [n] 1: dead before this batch */
  uint64_t *dead_bits; /* [words of a row] the same */
  uint32_t *batch;     /* [LARGEST_BATCH] ranks */
  uint32_t size;       /* of the batch */
  atomic_uint_fast64_t next;
  atomic_uint_fast64_t spent; /* work that was done for this batch */
  atomic_bool ended;
} seeking;

/* ---- one search ------------------------------------------------------------------ */

static bool poll(void *user)
{
  seeker *s = user;
  s->status = ms_stop_check(s->all->stop);
  return s->status == MS_OK && !atomic_load(&s->all->ended);
}

/* Receives the first match of a search in lists; an ms_match_fn. */
static bool on_match(void *user, int thread, const uint32_t *set)
{
  seeker *s = user;
  (void)thread;
  for (uint32_t i = 0; i < s->all->ranked->size; i++)
    s->match[i] = s->all->rank_of[set[i]];
  s->found = true;
  return false;
}

static void search_lists(seeker *s, uint32_t root, uint64_t most)
{
  ms_search *search = &s->lone.search;
  s->found = false;
  search->steps = search->work = 0;
  search->most = most > 0 ? 1 + most / WORDS_PER_STEP : 0;
  atomic_store(&s->lone.pool.halt, false);
  s->status = ms_search_around(search, root, &s->error);
  s->work += search->work * WORDS_PER_STEP;
  s->visits += search->steps;
  s->gave_up |= !s->found && s->status == MS_OK && search->most > 0 && search->work >= search->most;
}

/* Searches for a match that holds the root. */
static void search_for(seeker *s, uint32_t root)
{
  seeking *all = s->all;
  ms_set_counter *c = &s->counter;
  uint64_t most = all->most ? all->most - all->used : 0;
  c->ended = false;
  c->most = most;
  c->words = c->unchecked = 0;
  if (all->way == MS_COUNT_ROWS)
    all->method->find(c, root);
  bool done = all->way == MS_COUNT_ROWS ||
              (all->way == MS_COUNT_BALLS && all->method->find_in_ball(c, root));
  s->work += c->words + c->unchecked;
  if (!done) {
    search_lists(s, root, most);
    return;
  }
  s->found = c->found;
  if (c->found)
    memcpy(s->match, c->member, all->ranked->size * sizeof *s->match);
  else
    s->gave_up |= most > 0 && c->words >= most;
}

static void set_state(seeking *all, uint32_t rank, uint8_t state)
{
  __atomic_store_n(&all->state[rank], state, __ATOMIC_RELAXED);
}

/* Searches from every root of the batch, also from one that a match of the same batch holds, so
 * that the work of a batch does not depend on the threads. */
static void work(void *user, int thread)
{
  seeking *all = user;
  seeker *s = &all->seeker[thread];
  uint64_t i;
  while (!atomic_load(&all->ended) && (i = atomic_fetch_add(&all->next, 1)) < all->size) {
    uint32_t root = all->batch[i];
    if (i % POLL_ROOTS == 0)
      s->status = ms_stop_check(all->stop);
    uint64_t before = s->work;
    if (s->status == MS_OK)
      search_for(s, root);
    uint64_t spent = s->work - before + atomic_fetch_add(&all->spent, s->work - before);
    s->gave_up |= all->most > 0 && all->used + spent >= all->most;
    if (s->status != MS_OK || s->gave_up || (!s->found && s->counter.ended))
      atomic_store(&all->ended, true);
    if (atomic_load(&all->ended) && !s->found)
      return; /* the search may not have come to its end */
    if (!s->found)
      set_state(all, root, DEAD);
    for (uint32_t j = 0; s->found && j < all->ranked->size; j++)
      set_state(all, s->match[j], FOUND);
  }
}

/* ---- batches ---------------------------------------------------------------------- */

/* Collects the next open ranks from *at on. */
static void fill_batch(seeking *all, uint32_t *at, uint32_t most)
{
  all->size = 0;
  for (; *at < all->ranked->n && all->size < most; (*at)++)
    if (all->state[*at] == OPEN)
      all->batch[all->size++] = *at;
}

/* Takes a rank out of the graph. */
static void take_out(seeking *all, uint32_t r)
{
  all->dead[r] = 1;
  all->dead_bits[r / 64] |= UINT64_C(1) << r % 64;
  for (int t = 0; t < all->threads; t++)
    all->seeker[t].lone.search.visited[r] = 1;
}

/* Returns why the searches ended, and passes on the failure of a thread. */
static ms_status report(const seeking *all, ms_error *err)
{
  for (int t = 0; t < all->threads; t++)
    if (all->seeker[t].status != MS_OK) {
      if (err && all->seeker[t].error.message[0])
        *err = all->seeker[t].error;
      return all->seeker[t].status;
    }
  return ms_stop_check(all->stop);
}

static uint64_t work_of(const seeking *all)
{
  uint64_t sum = 0;
  for (int t = 0; t < all->threads; t++)
    sum += all->seeker[t].work;
  return sum;
}

static bool any_gave_up(const seeking *all)
{
  for (int t = 0; t < all->threads; t++)
    if (all->seeker[t].gave_up)
      return true;
  return false;
}

static ms_status seek(seeking *all, const ms_part_takers *out, ms_error *err)
{
  uint32_t at = 0, most = FIRST_BATCH;
  ms_status status = MS_OK;
  while (status == MS_OK && at < all->ranked->n) {
    fill_batch(all, &at, most);
    atomic_store(&all->next, 0);
    atomic_store(&all->spent, 0);
    ms_parallel_team(all->threads, work, all);
    for (uint32_t i = 0; i < all->size; i++) /* dead ranks leave the graph */
      if (all->state[all->batch[i]] == DEAD)
        take_out(all, all->batch[i]);
    all->used = work_of(all);
    if (any_gave_up(all))
      return MS_OK;
    if (out->report)
      out->report(out->user, at);
    most = 2 * most < LARGEST_BATCH ? 2 * most : LARGEST_BATCH;
    if (atomic_load(&all->ended))
      status = report(all, err);
  }
  return status;
}

/* ---- matches that share no vertex ---------------------------------------------------- */

/* Searches from one root, on this thread. */
static ms_status search_root(seeking *all, uint32_t root, ms_error *err)
{
  all->batch[0] = root;
  all->size = 1;
  atomic_store(&all->next, 0);
  work(all, 0);
  return atomic_load(&all->ended) ? report(all, err) : MS_OK;
}

/* Passes on the match that was found.  Returns false to end the search. */
static bool pass_on(const seeking *all, const ms_part_takers *out)
{
  uint32_t set[MS_MAX_K];
  for (uint32_t i = 0; i < all->ranked->size; i++)
    set[i] = all->ranked->vertex[all->seeker[0].match[i]];
  return out->match(out->user, set);
}

/* Takes a rank out of the graph, and off the number of ranks that fit each slot. */
static void use_up(seeking *all, uint32_t rank, uint32_t *left)
{
  take_out(all, rank);
  for (uint32_t mask = all->ranked->mask[rank]; mask; mask &= mask - 1)
    left[__builtin_ctz(mask)]--;
}

/* True if some slot has no rank left. */
static bool lacks_slot(const seeking *all, const uint32_t *left)
{
  for (uint32_t d = 0; d < all->ranked->k; d++)
    if (left[d] == 0)
      return true;
  return false;
}

/* Each match holds one of the roots.  So once each root is in a match, or in none that is left,
 * there is no further match. */
static ms_status seek_disjoint(seeking *all, const ms_part_takers *out, ms_error *err)
{
  const ms_ranked *ranked = all->ranked;
  const seeker *s = &all->seeker[0];
  uint32_t left[MS_MAX_K] = {0};
  for (uint32_t r = 0; r < ranked->n; r++)
    for (uint32_t mask = ranked->mask[r]; mask; mask &= mask - 1)
      left[__builtin_ctz(mask)]++;
  for (uint32_t root = 0; root < ranked->roots && !lacks_slot(all, left); root++) {
    if (all->state[root] != OPEN)
      continue;
    MS_TRY(search_root(all, root, err));
    if (s->found && (!pass_on(all, out) || ranked->n_mandatory > 0))
      return MS_OK; /* every match holds the mandatory vertices */
    for (uint32_t j = 0; s->found && j < ranked->size; j++)
      use_up(all, s->match[j], left);
    if (!s->found)
      use_up(all, root, left);
  }
  return MS_OK;
}

/* ---- opening and closing -------------------------------------------------------------- */

static void close_seeker(seeker *s)
{
  ms_lone_search_close(&s->lone);
  ms_set_counter_close(&s->counter);
}

static ms_status open_seeker(seeking *all, seeker *s, ms_error *err)
{
  ms_set_counter *c = &s->counter;
  s->all = all;
  MS_TRY(ms_lone_search_open(&s->lone, all->ranked, on_match, s, &all->ended, all->stop, err));
  if (all->way == MS_COUNT_LISTS)
    return MS_OK;
  MS_TRY(ms_set_counter_open(all->kinds, all->way == MS_COUNT_ROWS ? &all->rows : NULL, false,
                             ms_hooks.state_bytes, all->budget, c, err));
  c->finds = true;
  c->dead = all->dead;
  c->dead_bits = all->dead_bits;
  c->poll = poll;
  c->user = s;
  return MS_OK;
}

static ms_status allocate(seeking *all, const uint8_t *known, ms_error *err)
{
  uint32_t n = all->ranked->n;
  size_t words = ((size_t)n + 511) / 512 * 8;
  all->rank_of = ms_alloc(n, sizeof *all->rank_of);
  all->state = ms_calloc(n, 1);
  all->dead = ms_calloc(n, 1);
  all->dead_bits = ms_alloc_lines(words, sizeof *all->dead_bits);
  all->batch = ms_alloc(LARGEST_BATCH, sizeof *all->batch);
  all->seeker = ms_calloc((size_t)all->threads, sizeof *all->seeker);
  if (!all->rank_of || !all->state || !all->dead || !all->dead_bits || !all->batch || !all->seeker)
    return ms_fail_memory(err, "the search for vertices in matches");
  memset(all->dead_bits, 0, words * sizeof *all->dead_bits);
  for (uint32_t r = 0; r < n; r++)
    all->rank_of[all->ranked->vertex[r]] = r;
  for (uint32_t r = 0; known && r < n; r++)
    all->state[r] = known[all->ranked->vertex[r]] ? FOUND : OPEN;
  if (all->way == MS_COUNT_ROWS)
    MS_TRY(ms_bit_rows_new(all->kinds, &all->rows, err));
  ms_status status = MS_OK;
  for (int t = 0; t < all->threads && status == MS_OK; t++) {
    status = open_seeker(all, &all->seeker[t], err);
    if (status == MS_OK || t == 0)
      continue;
    close_seeker(&all->seeker[t]); /* fewer threads do all of the work */
    all->threads = t;
    status = MS_OK;
  }
  return status;
}

static void release(seeking *all)
{
  for (int t = 0; all->seeker && t < all->threads; t++)
    close_seeker(&all->seeker[t]);
  ms_free(all->seeker);
  ms_bit_rows_free(&all->rows);
  ms_free(all->rank_of);
  ms_free(all->state);
  ms_free(all->dead);
  ms_free(all->dead_bits);
  ms_free(all->batch);
}

static void note_results(const seeking *all, ms_part_takers *out)
{
  for (uint32_t r = 0; r < all->ranked->n; r++) {
    if (out->flag)
      out->flag[all->ranked->vertex[r]] = all->state[r] == FOUND;
    out->settled += all->state[r] != OPEN;
  }
  for (int t = 0; t < all->threads; t++)
    out->visits += all->seeker[t].counter.steps + all->seeker[t].visits;
  out->work += work_of(all);
  out->gave_up |= any_gave_up(all);
}

static ms_status take_part(const ms_ranked *ranked, int threads, ms_budget *budget,
                           const ms_stop *stop, ms_part_takers *out, ms_error *err)
{
  ms_kinds kinds;
  ms_count_way way;
  /* which match of a root comes first depends on the way, which must not depend on the memory */
  MS_TRY(ms_count_choose(ranked, out->match ? NULL : budget, &way, err));
  MS_TRY(ms_kinds_of(ranked, &kinds, err));
  seeking all = {.ranked = ranked,
                 .kinds = &kinds,
                 .method = ms_set_counting_best(),
                 .way = way,
                 .budget = budget,
                 .stop = stop,
                 .threads = threads,
                 .most = out->most};
  uint64_t bytes = way == MS_COUNT_ROWS ? ms_bit_rows_bytes(ranked->n) : 0;
  atomic_init(&all.next, 0);
  atomic_init(&all.spent, 0);
  atomic_init(&all.ended, false);
  bool reserved = ms_budget_reserve(budget, bytes);
  if (!reserved) {
    bytes = 0;
    all.way = MS_COUNT_LISTS;
  }
  ms_status status = reserved || !out->match ? allocate(&all, out->known, err)
                                             : ms_fail_memory(err, "the rows of bits");
  if (status == MS_OK) {
    status = out->match ? seek_disjoint(&all, out, err) : seek(&all, out, err);
    note_results(&all, out);
  }
  release(&all);
  ms_budget_release(budget, bytes);
  ms_kinds_free(&kinds);
  return status;
}

ms_status ms_take_part(const ms_instance *region, int threads, ms_budget *budget,
                       const ms_stop *stop, ms_part_takers *out, ms_error *err)
{
  ms_ranked *ranked;
  MS_TRY(ms_ranked_new(region, &ranked, err));
  ms_status status = ranked->n > 0 ? take_part(ranked, threads, budget, stop, out, err) : MS_OK;
  ms_ranked_free(ranked);
  return status;
}

ms_status ms_find_disjoint(const ms_instance *region, ms_budget *budget, const ms_stop *stop,
                           ms_part_takers *out, ms_error *err)
{
  return ms_take_part(region, 1, budget, stop, out, err);
}
