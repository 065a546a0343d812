/* Finds the connected k-sets whose vertices fit the slots, each once.
 *
 * Method: ESU (Wernicke, "Efficient detection of network motifs", IEEE/ACM
 * TCBB 3(4), 2006).  A set S grows from its lowest rank, the root.  Its
 * candidates are neighbours of S of higher rank; a vertex enters the list
 * when the first vertex adjacent to it joins S (its *exclusive* neighbour),
 * and a branch that takes a candidate leaves out those tried before it.  So
 * each connected set is met once.  The stack is explicit: a frame's untried
 * candidates can be donated to another worker at any time.
 *
 * Slot budget.  S must be matched to slots at every step (slot_state.h), and a
 * vertex fits S iff mask & usable.  A vertex that does not fit S fits no superset of S either:
 * subsets of matchable sets are matchable.  Hence such a vertex may be left out of the lists below
 * S altogether, and it need not even be marked as visited: if it is met again further down as the
 * neighbour of another vertex, it fails the same test again.  (The converse matters: a vertex that
 * did enter a list stays marked while that list lives, even if a copy further down has dropped it;
 * otherwise it would enter twice.)
 *
 * Distances.  With r vertices to go, every mandatory vertex (ranked.h) must be
 * in S or within r hops of it: what is added to S is connected to it through
 * vertices that are added.  With two required vertices this test saves 40 % of the
 * time over 30 motifs of k = 9 from Krogan's yeast network (GO slim process), most
 * of it in a few of them; without required vertices it costs nothing.
 *
 * There is no test whether the ball of k-1 hops of a root can fill the slots, and no distance
 * test for every slot: pruning (motif/prune.c) applies both to the whole instance. */
#include "motif/search.h"

#include "base/alloc.h"
#include "base/compiler.h"
#include "base/status.h"
#include "motif/best/sum_bound.h"

#include <string.h>

/* Steps between two checks of the stop token: a choice and a set that is delivered are a step each,
 * and so are this many candidates that are only read. */
#define POLL_STEPS 1024u
#define READ_STEP 64u
/* Number of choices that a worker tries between two donations.  A choice takes about
 * 0.1 us and a donation about 10 us (a lock, a wake-up, and choosing and marking the
 * prefix again).  Without this limit, small branches would only change hands. */
#define DONATION_STEPS 512u

ms_status ms_search_init(ms_search *search, const ms_ranked *ranked, int thread, ms_error *err)
{
  memset(search, 0, sizeof *search);
  search->ranked = ranked;
  search->thread = thread;
  search->wanted = MS_WANTED_NONE;
  search->visited = ms_calloc(ranked->n, 1);
  if (!search->visited) {
    ms_search_free(search);
    return ms_fail_memory(err, "the listing's working space");
  }
  return MS_OK;
}

void ms_search_free(ms_search *search)
{
  ms_free(search->visited);
  ms_free(search->arena);
  ms_free(search->branch.candidate);
  memset(search, 0, sizeof *search);
}

ms_status ms_lone_search_open(ms_lone_search *s, const ms_ranked *ranked, ms_match_fn match,
                              void *user, const atomic_bool *halt, const ms_stop *stop,
                              ms_error *err)
{
  s->sink = (ms_match_sink){.match = match, .user = user, .halt = halt};
  MS_TRY(ms_work_queue_init(&s->pool, 1, 0, 1, &s->sink, err));
  s->pool_open = true;
  MS_TRY(ms_search_init(&s->search, ranked, 0, err));
  s->search_open = true;
  s->search.pool = &s->pool;
  s->search.sink = &s->sink;
  s->search.stop = stop;
  return MS_OK;
}

void ms_lone_search_close(ms_lone_search *s)
{
  if (s->search_open)
    ms_search_free(&s->search);
  if (s->pool_open)
    ms_work_queue_destroy(&s->pool);
}

/* Updates the frame's distances with the vertex; false if a mandatory vertex is more
 * than `hops` away. */
static bool within_reach(const ms_ranked *ranked, uint32_t vertex, uint8_t *distance, uint32_t hops)
{
  const uint8_t *own = ranked->distance + (size_t)vertex * ranked->columns;
  uint8_t farthest = 0;
  for (uint32_t base = 0; base < ranked->columns; base += MS_COLUMN_PAD) {
    for (uint32_t i = base; i < base + MS_COLUMN_PAD; i++) {
      distance[i] = own[i] < distance[i] ? own[i] : distance[i];
      farthest = distance[i] > farthest ? distance[i] : farthest;
    }
  }
  return farthest <= hops;
}

/* Makes frame[depth] from its parent by choosing a vertex that fits.  Returns false,
 * with depth unchanged, if no match can contain the set. */
static bool choose(ms_search *search, uint32_t vertex)
{
  const ms_ranked *ranked = search->ranked;
  uint32_t k = ranked->k, depth = search->depth, left = ranked->size - depth - 1;
  ms_frame *frame = &search->frame[depth];
  if (depth) {
    const ms_frame *parent = frame - 1;
    memcpy(frame->distance, parent->distance, ranked->columns);
    frame->missing = parent->missing - ranked->mandatory[vertex];
  } else {
    memset(frame->distance, UINT8_MAX, ranked->columns);
    frame->missing = ranked->n_mandatory - ranked->mandatory[vertex];
  }
  if (frame->missing > left || !within_reach(ranked, vertex, frame->distance, left))
    return false;
  if (depth)
    ms_slot_state_copy(&frame->slots, &frame[-1].slots, k);
  else
    ms_slot_state_begin(&frame->slots, k);
  ms_slot_state_fill(&frame->slots, k, ranked->mask[vertex]);
  frame->vertex = vertex;
  if (search->bound &&
      !ms_sum_bound_allows(search->bound, atomic_load_explicit(search->least, memory_order_relaxed),
                           search->frame, depth + 1))
    return false;
  frame->cursor = frame->end = frame->fresh = frame->top = depth ? frame[-1].top : 0;
  search->set[depth] = ranked->vertex[vertex];
  search->depth++;
  return true;
}

static ms_status check_stop(const ms_search *search, ms_error *err)
{
  const atomic_bool *halt = search->sink->halt;
  if (halt && atomic_load_explicit(halt, memory_order_relaxed))
    ms_work_queue_halt(search->pool);
  ms_status status = ms_stop_check(search->stop);
  if (status != MS_OK) {
    return ms_fail(err, status, "the listing was stopped: %s; what it found so far is valid",
                   ms_status_text(status));
  }
  return MS_OK;
}

/* Notes this many steps of work, and checks the stop token now and then. */
static ms_status note_work(ms_search *search, uint64_t steps, ms_error *err)
{
  search->unchecked += steps;
  search->work += steps;
  if (search->most > 0 && search->work >= search->most)
    ms_work_queue_halt(search->pool);
  if (search->unchecked < POLL_STEPS)
    return MS_OK;
  search->unchecked = 0;
  ms_status status = check_stop(search, err);
  if (status != MS_OK) /* loops need no other test */
    ms_work_queue_halt(search->pool);
  return status;
}

/* Adds to the matches of each vertex that is chosen. */
static void take(ms_search *search, uint64_t matches)
{
  search->counted += matches;
  for (uint32_t d = 0; search->taking && d < search->depth; d++)
    search->taking[search->frame[d].vertex] += matches;
}

static void deliver(ms_search *search)
{
  if (!search->sink->match)
    take(search, 1);
  else if (!search->sink->match(search->sink->user, search->thread, search->set))
    ms_work_queue_halt(search->pool);
}

/* Counts the candidates with which the set is a match.  `notes`: adds 1 for each of them to its
 * matches, too.  The two cases are compiled apart, because a note in the loop, even one that is not
 * made, takes as long as the rest of it. */
MS_ALWAYS_INLINE ms_status count_last(ms_search *search, bool notes, ms_error *err)
{
  const ms_ranked *ranked = search->ranked;
  const ms_frame *frame = &search->frame[search->depth - 1];
  uint32_t usable = frame->slots.usable;
  bool all = frame->missing == 0;
  uint64_t sets = 0, inherited = search->depth > 1 ? frame[-1].end - frame[-1].cursor : 0;
  uint64_t *taking = search->taking;
  for (uint64_t i = 0; i < inherited; i++) {
    ms_candidate candidate = search->arena[frame[-1].cursor + i];
    bool fits = (candidate.mask & usable) != 0 && (all || ranked->mandatory[candidate.rank]);
    sets += fits;
    if (notes)
      taking[candidate.rank] += fits;
  }
  const uint32_t *row = ranked->neighbor + ranked->offset[frame->vertex];
  uint32_t degree = (uint32_t)(ranked->offset[frame->vertex + 1] - ranked->offset[frame->vertex]);
  uint64_t runs = ranked->run_offset[frame->vertex + 1];
  for (uint64_t r = ranked->run_offset[frame->vertex]; r < runs; r++) {
    uint32_t end = r + 1 < runs ? ranked->run[r + 1].begin : degree;
    for (uint32_t i = ranked->run[r].mask & usable ? ranked->run[r].begin : end; i < end; i++) {
      bool fits = row[i] >= search->lowest && !search->visited[row[i]] &&
                  (all || ranked->mandatory[row[i]]);
      sets += fits;
      if (notes)
        taking[row[i]] += fits;
    }
  }
  take(search, sets);
  return note_work(search, 1 + (inherited + degree) / READ_STEP, err);
}

/* Picks a wanted match, which consists of the set and, unless it is whole, one more vertex. */
static void pick(ms_search *search, uint32_t rank)
{
  ms_wanted *wanted = &search->wanted;
  memcpy(wanted->set, search->set, search->depth * sizeof *search->set);
  if (search->depth < search->ranked->size)
    wanted->set[search->depth] = search->ranked->vertex[rank];
  ms_wanted_advance(wanted);
  if (wanted->left == 0)
    ms_work_queue_halt(search->pool);
}

/* Picks the wanted ones of the matches that count_last counts, of which `before` are before
 * them. */
static void pick_last(ms_search *search, uint64_t before)
{
  const ms_ranked *ranked = search->ranked;
  const ms_frame *frame = &search->frame[search->depth - 1];
  uint32_t usable = frame->slots.usable;
  bool all = frame->missing == 0;
  for (size_t i = search->depth > 1 ? frame[-1].cursor : 0; search->depth > 1 && i < frame[-1].end;
       i++) {
    ms_candidate candidate = search->arena[i];
    bool fits = (candidate.mask & usable) != 0 && (all || ranked->mandatory[candidate.rank]);
    if (fits && before++ == search->wanted.next)
      pick(search, candidate.rank);
  }
  for (uint64_t a = ranked->offset[frame->vertex]; a < ranked->offset[frame->vertex + 1]; a++) {
    uint32_t u = ranked->neighbor[a];
    bool fits = (ranked->mask[u] & usable) != 0 && u >= search->lowest && !search->visited[u] &&
                (all || ranked->mandatory[u]);
    if (fits && before++ == search->wanted.next)
      pick(search, u);
  }
}

/* One vertex is missing: counts the candidates that fit. */
static ms_status count_sets(ms_search *search, ms_error *err)
{
  uint64_t before = search->counted;
  ms_status status =
      search->taking ? count_last(search, true, err) : count_last(search, false, err);
  if (search->counted > search->wanted.next)
    pick_last(search, before);
  return status;
}

/* Delivers the set with each vertex that was gathered, and notes as much work. */
static ms_status deliver_gathered(ms_search *search, ms_error *err)
{
  const ms_match_sink *sink = search->sink;
  uint32_t count = search->gathered;
  search->gathered = 0;
  if (!sink->matches) {
    for (uint32_t i = 0; i < count && !ms_work_queue_halted(search->pool); i++) {
      search->set[search->depth] = search->last[i];
      deliver(search);
    }
  } else if (count > 0 &&
             !sink->matches(sink->user, search->thread, search->set, search->last, count)) {
    ms_work_queue_halt(search->pool);
  }
  return note_work(search, count, err);
}

/* Returns how many more sets are gathered before they are delivered.  A sink that receives them one
 * by one may want no more than the first. */
static uint32_t room(const ms_search *search)
{
  return (search->sink->matches ? MS_SETS_TOGETHER : 1) - search->gathered;
}

/* Gathers a candidate if it fits. */
MS_ALWAYS_INLINE void gather(ms_search *search, uint32_t rank, bool fits)
{
  search->last[search->gathered] = search->ranked->vertex[rank];
  search->gathered += fits;
}

/* Gathers the candidates from the parent's list. */
static ms_status finish_inherited(ms_search *search, ms_error *err)
{
  const ms_ranked *ranked = search->ranked;
  const ms_frame *frame = &search->frame[search->depth - 1];
  uint32_t usable = frame->slots.usable;
  bool all = frame->missing == 0;
  ms_status status = MS_OK;
  for (size_t i = frame[-1].cursor;
       i < frame[-1].end && status == MS_OK && !ms_work_queue_halted(search->pool);) {
    size_t most = room(search), left = frame[-1].end - i;
    for (size_t end = i + (left < most ? left : most); i < end; i++) {
      ms_candidate candidate = search->arena[i];
      gather(search, candidate.rank,
             (candidate.mask & usable) && (all || ranked->mandatory[candidate.rank]));
    }
    if (room(search) == 0)
      status = deliver_gathered(search, err);
  }
  return status;
}

/* Gathers the neighbours of the newest vertex that are no candidates yet. */
static ms_status finish_new(ms_search *search, uint32_t degree, ms_error *err)
{
  const ms_ranked *ranked = search->ranked;
  const ms_frame *frame = &search->frame[search->depth - 1];
  const uint32_t *row = ranked->neighbor + ranked->offset[frame->vertex];
  uint64_t runs = ranked->run_offset[frame->vertex + 1];
  bool all = frame->missing == 0;
  ms_status status = MS_OK;
  for (uint64_t r = ranked->run_offset[frame->vertex]; r < runs; r++) {
    uint32_t last = r + 1 < runs ? ranked->run[r + 1].begin : degree;
    if (!(ranked->run[r].mask & frame->slots.usable))
      continue;
    for (uint32_t i = ranked->run[r].begin;
         i < last && status == MS_OK && !ms_work_queue_halted(search->pool);) {
      uint32_t most = room(search), left = last - i;
      for (uint32_t end = i + (left < most ? left : most); i < end; i++) {
        uint32_t u = row[i];
        gather(search, u,
               u >= search->lowest && !search->visited[u] && (all || ranked->mandatory[u]));
      }
      if (room(search) == 0)
        status = deliver_gathered(search, err);
    }
  }
  return status;
}

/* One vertex is missing: delivers the set with each candidate that fits. */
static ms_status finish_sets(ms_search *search, ms_error *err)
{
  const ms_ranked *ranked = search->ranked;
  const ms_frame *frame = &search->frame[search->depth - 1];
  uint32_t degree = (uint32_t)(ranked->offset[frame->vertex + 1] - ranked->offset[frame->vertex]);
  uint64_t inherited = search->depth > 1 ? frame[-1].end - frame[-1].cursor : 0;
  ms_status status = MS_OK;
  if (!search->sink->match)
    return count_sets(search, err);
  if (inherited > 0)
    status = finish_inherited(search, err);
  if (status == MS_OK)
    status = finish_new(search, degree, err);
  if (status == MS_OK && !ms_work_queue_halted(search->pool))
    status = deliver_gathered(search, err);
  search->gathered = 0;
  return status == MS_OK ? note_work(search, (inherited + degree) / READ_STEP, err) : status;
}

/* Collects the candidates of the newest frame: the parent's untried candidates that
 * still fit, then the exclusive neighbours of the new vertex that fit. */
static ms_status collect_candidates(ms_search *search, ms_error *err)
{
  const ms_ranked *ranked = search->ranked;
  ms_frame *frame = &search->frame[search->depth - 1];
  uint32_t usable = frame->slots.usable;
  size_t inherited = search->depth > 1 ? frame[-1].end - frame[-1].cursor : 0;
  const uint32_t *row = ranked->neighbor + ranked->offset[frame->vertex];
  uint32_t degree = (uint32_t)(ranked->offset[frame->vertex + 1] - ranked->offset[frame->vertex]);
  if (!MS_GROW(search->arena, search->capacity, frame->top, inherited + degree))
    return ms_fail_memory(err, "the listing's candidates");
  ms_candidate *arena = search->arena;
  size_t top = frame->top;
  for (size_t i = 0; i < inherited; i++) {
    ms_candidate candidate = arena[frame[-1].cursor + i];
    arena[top] = candidate;
    top += (candidate.mask & usable) != 0;
  }
  frame->fresh = top;
  uint64_t runs = ranked->run_offset[frame->vertex + 1];
  for (uint64_t r = ranked->run_offset[frame->vertex]; r < runs; r++) {
    uint32_t end = r + 1 < runs ? ranked->run[r + 1].begin : degree;
    uint32_t mask = ranked->run[r].mask;
    for (uint32_t i = mask & usable ? ranked->run[r].begin : end; i < end; i++) {
      uint32_t u = row[i];
      if (u >= search->lowest && !search->visited[u]) {
        search->visited[u] = 1;
        arena[top++] = (ms_candidate){u, mask};
      }
    }
  }
  frame->end = frame->top = top;
  return note_work(search, (inherited + degree) / READ_STEP, err);
}

/* Donates the rest of the shallowest unfinished frame, which is the largest part. */
static void donate(ms_search *search, uint32_t base)
{
  uint32_t prefix[MS_MAX_K], depth = base;
  while (search->frame[depth].cursor == search->frame[depth].end)
    if (++depth == search->depth)
      return;
  ms_frame *frame = &search->frame[depth];
  for (uint32_t i = 0; i <= depth; i++)
    prefix[i] = search->frame[i].vertex;
  const ms_branch branch = {.depth = depth + 1,
                            .candidate = search->arena + frame->cursor,
                            .count = frame->end - frame->cursor,
                            .part = search->part};
  if (ms_work_queue_donate(search->pool, &branch, prefix, &search->rest)) {
    frame->end = frame->cursor;
    search->donated_at = search->steps;
  }
}

static void retreat(ms_search *search)
{
  const ms_frame *frame = &search->frame[--search->depth];
  for (size_t i = frame->fresh; i < frame->top; i++)
    search->visited[search->arena[i].rank] = 0;
}

/* True if the share of the search lacks sets with this second vertex. */
static inline bool leaves_out_second(const ms_second_share *second, uint32_t rank)
{
  if (second->of)
    return !ms_second_share_has(second, rank);
  return second->high > 0 && (rank < second->low || rank >= second->high);
}

/* Tries every candidate of frame[base] and of the frames that grow from it; returns with
 * depth == base, even when stopped. */
static ms_status explore(ms_search *search, uint32_t base, ms_error *err)
{
  ms_status status = MS_OK;
  while (search->depth > base) {
    ms_frame *frame = &search->frame[search->depth - 1];
    if (status != MS_OK || ms_work_queue_halted(search->pool) || frame->cursor == frame->end) {
      retreat(search);
      continue;
    }
    search->steps++;
    status = note_work(search, 1, err);
    if (ms_work_queue_has_waiters(search->pool) &&
        search->steps - search->donated_at > DONATION_STEPS)
      donate(search, base);
    if (status != MS_OK || frame->cursor == frame->end)
      continue;
    uint32_t rank = search->arena[frame->cursor++].rank;
    if (search->depth == 1 && leaves_out_second(&search->second, rank))
      continue;
    if (!choose(search, rank))
      continue;
    if (search->depth + 1 == search->ranked->size) {
      status = finish_sets(search, err);
      search->depth--;
    } else {
      status = collect_candidates(search, err);
    }
  }
  return status;
}

static ms_status search_from(ms_search *search, uint32_t root, ms_error *err)
{
  const ms_ranked *ranked = search->ranked;
  ms_status status = check_stop(search, err);
  search->steps++;
  if (status != MS_OK || !ranked->mask[root] || !choose(search, root))
    return status;
  search->donated_at = search->steps;
  if (ranked->size == 1) {
    deliver(search);
    if (search->counted > search->wanted.next)
      pick(search, root);
  } else if (ranked->size == 2) {
    status = finish_sets(search, err);
  } else {
    status = collect_candidates(search, err);
    if (status == MS_OK)
      status = explore(search, 0, err);
  }
  search->depth = 0;
  return status;
}

ms_status ms_search_root(ms_search *search, uint32_t root, ms_error *err)
{
  search->lowest = root + 1;
  return search_from(search, root, err);
}

ms_status ms_search_around(ms_search *search, uint32_t root, ms_error *err)
{
  search->lowest = 0;
  search->visited[root] = 1;
  ms_status status = search_from(search, root, err);
  search->visited[root] = 0;
  return status;
}

/* Marks or unmarks the vertices that the frames of a prefix have visited.  All neighbours
 * are marked, even those that were left out because they did not fit: they do not fit
 * below either. */
static void mark_prefix(ms_search *search, uint8_t mark)
{
  const ms_ranked *ranked = search->ranked;
  const ms_branch *branch = &search->branch;
  for (uint32_t i = 0; i < branch->depth; i++) {
    uint32_t v = branch->prefix[i];
    for (uint64_t a = ranked->offset[v]; a < ranked->offset[v + 1]; a++)
      search->visited[ranked->neighbor[a]] = mark;
  }
}

ms_status ms_search_branch(ms_search *search, ms_error *err)
{
  const ms_branch *branch = &search->branch;
  if (!MS_GROW(search->arena, search->capacity, 0, branch->count))
    return ms_fail_memory(err, "the listing's candidates");
  for (uint32_t i = 0; i < branch->depth; i++) {
    /* the donor made the same choices, so one fails only if the least sum has been raised */
    if (!choose(search, branch->prefix[i])) {
      search->depth = 0;
      return MS_OK;
    }
  }
  search->lowest = branch->prefix[0] + 1;
  search->donated_at = search->steps;
  mark_prefix(search, 1);
  ms_frame *frame = &search->frame[branch->depth - 1];
  memcpy(search->arena, branch->candidate, branch->count * sizeof *branch->candidate);
  frame->cursor = 0;
  frame->end = frame->fresh = frame->top = branch->count;
  ms_status status = explore(search, branch->depth - 1, err);
  mark_prefix(search, 0);
  search->depth = 0;
  return status;
}
