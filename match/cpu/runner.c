#include "match/cpu/runner.h"

#include "base/alloc.h"
#include "base/status.h"
#include "match/cpu/runner_inline.h"
#include "match/cpu/tail_value.h"

#include <string.h>

#define STEPS_BETWEEN_CHECKS 8192u /* of the stop token */
#define SET_STEP 16u               /* elements that a set operation reads in the time of a step */

/* ---- sets -------------------------------------------------------------------- */

static size_t smaller(size_t a, size_t b)
{
  return a < b ? a : b;
}

/* Returns the bits of a level's row of all neighbours, or NULL if the row is
 * not a hub's. */
static const uint64_t *hub_bits_of(const ms_runner *r, const ms_set *row)
{
  return row->kind == MS_ROWS_ANY ? ms_hub_bits(r->program->index, r->match[row->level]) : NULL;
}

/* Finds a hub's row for which there are bits, and sets *list to the other list.
 * Then one bit is tested for each id of that list, and the rest of the hub's
 * row is not read. Returns false if both lists have to be read. */
static bool find_bits(const ms_runner *r, const ms_set *s, ms_span from, ms_span row, ms_span *list,
                      const uint64_t **bits)
{
  const ms_set *parent = &r->program->set[s->parent];
  *list = from;
  *bits = from.length < row.length || s->subtract ? hub_bits_of(r, s) : NULL;
  if (*bits || s->subtract || row.length > from.length || parent->parent >= 0)
    return *bits != NULL;
  *list = row;
  *bits = hub_bits_of(r, parent);
  return *bits != NULL;
}

static size_t write_set(const ms_runner *r, const ms_set *s, ms_span from, ms_span row,
                        uint32_t *ids)
{
  const ms_sorted *sorted = r->sorted;
  ms_span list;
  const uint64_t *bits;
  size_t length;
  if (find_bits(r, s, from, row, &list, &bits))
    length = sorted->filter(list.ids, list.length, bits, !s->subtract, ids);
  else if (s->subtract)
    length = sorted->subtract(from.ids, from.length, row.ids, row.length, ids);
  else if (from.length <= row.length)
    length = sorted->intersect(from.ids, from.length, row.ids, row.length, ids);
  else
    length = sorted->intersect(row.ids, row.length, from.ids, from.length, ids);
  if (s->bits && r->program->set[s->parent].parent < 0)
    length = sorted->filter(ids, length, s->bits, true, ids);
  return length;
}

static size_t count_set(const ms_runner *r, const ms_set *s, ms_span from, ms_span row)
{
  ms_span list;
  const uint64_t *bits;
  if (find_bits(r, s, from, row, &list, &bits))
    return r->sorted->filter_count(list.ids, list.length, bits, true);
  return r->sorted->count(from.ids, from.length, row.ids, row.length);
}

/* Computes a set. Returns false if it is too small for the vertices that have
 * to be found in it, or if there is no memory. */
static bool compute_set(ms_runner *r, uint32_t i)
{
  const ms_set *s = &r->program->set[i];
  bounds b = narrow(r, (bounds){s->lo, s->hi}, &s->bounds);
  ms_span row = cut(row_of(r, s->level, s->kind), b);
  if (s->parent < 0) {
    r->set[i] = row;
    return row.length >= s->need;
  }
  ms_span from = cut(r->set[s->parent], b);
  r->intersections++;
  r->steps += (from.length + row.length) / SET_STEP;
  if (s->count_only) {
    r->set[i] = (ms_span){.length = count_set(r, s, from, row)};
    return r->set[i].length >= s->need;
  }
  if (!ms_space_for(&r->own[i], s->subtract ? from.length : smaller(from.length, row.length))) {
    r->status = MS_ERR_MEMORY;
    return false;
  }
  size_t length = write_set(r, s, from, row, r->own[i].ids);
  r->set[i] = (ms_span){.ids = r->own[i].ids, .length = length};
  return length >= s->need;
}

/* Checks the stop token every STEPS_BETWEEN_CHECKS steps. False if the run has
 * to stop. */
static bool check_stop(ms_runner *r)
{
  if (r->steps >= STEPS_BETWEEN_CHECKS) {
    r->checked += r->steps;
    r->steps = 0;
    r->status = ms_stop_check(r->stop);
  }
  return r->status == MS_OK;
}

bool ms_runner_goes_on(ms_runner *r)
{
  return check_stop(r) && !atomic_load_explicit(r->halt, memory_order_relaxed);
}

bool ms_runner_compute(ms_runner *r, uint32_t level)
{
  const ms_program *p = r->program;
  if (!check_stop(r))
    return false;
  for (uint32_t i = p->level_sets[level]; i < p->level_sets[level + 1]; i++)
    if (!compute_set(r, p->by_level[i]))
      return false;
  return true;
}

/* ---- table ------------------------------------------------------------------- */

/* The table counts paths: table[x] is the number of vertices of the middle
 * domain that are adjacent to the root and to x. */
ms_span ms_runner_middles(const ms_runner *r)
{
  const ms_program *p = r->program;
  uint32_t root = r->match[0];
  bounds b = {p->table_middle.lo, p->table_middle.hi};
  if (p->middle_below && root < b.hi)
    b.hi = root;
  return cut(row_of(r, 0, p->table_first), b);
}

static void fill_table(ms_runner *r)
{
  bool fetches = r->program->index->arcs >= MS_FETCH_ARCS;
  const ms_program *p = r->program;
  uint32_t root = r->match[0], n_touched = 0;
  bounds b = {p->table_above ? root + 1 : 0, p->table_below ? root : p->index->n};
  ms_span middle = ms_runner_middles(r);
  const ms_neighbor_rows *rows = &p->index->rows[p->table_second];
  if (fetches)
    fetch_first(rows, middle);
  for (size_t i = 0; i < middle.length; i++) {
    if (fetches)
      fetch_next(rows, middle, i);
    if (!ms_domain_has(&p->table_middle, middle.ids[i]))
      continue;
    uint32_t length;
    const uint32_t *ids = ms_row(rows, middle.ids[i], &length);
    ms_span row = cut((ms_span){.ids = ids, .length = length}, b);
    for (size_t j = 0; j < row.length; j++) {
      r->touched[n_touched] = row.ids[j];
      n_touched += r->table[row.ids[j]]++ == 0;
    }
  }
  if (p->table_marks) {
    ms_span near = row_of(r, 0, MS_ROWS_ANY);
    for (size_t j = 0; j < near.length; j++) {
      r->touched[n_touched] = near.ids[j];
      n_touched += r->table[near.ids[j]] == 0;
      r->table[near.ids[j]] |= MS_TABLE_MARK;
    }
  }
  r->n_touched = n_touched;
}

/* ---- levels -------------------------------------------------------------------- */

ms_span ms_runner_candidates(const ms_runner *r, uint32_t level)
{
  const ms_program *p = r->program;
  const ms_step *step = &p->step[level];
  bounds b = narrow(r, (bounds){step->domain.lo, step->domain.hi}, &step->bounds);
  if (step->source == MS_FROM_TOUCHED)
    return (ms_span){.ids = r->touched, .length = r->n_touched};
  if (step->source == MS_FROM_SET)
    return cut(r->set[step->set], b);
  if (p->list[level])
    return cut((ms_span){.ids = p->list[level], .length = step->domain.count}, b);
  return (ms_span){.lo = b.lo, .length = b.hi > b.lo ? b.hi - b.lo : 0};
}

static bool visit_level(ms_runner *r, uint32_t level);

/* Takes a match of all levels that are visited. */
static bool complete(ms_runner *r)
{
  if (r->program->n_groups > 0 && !r->program->inner)
    return ms_tail_add(r);
  if (r->found)
    return r->found(r->user, r->match);
  r->total++;
  return true;
}

/* Continues with the next level, or completes the match, once `level` is
 * matched. */
static bool descend(ms_runner *r, uint32_t level)
{
  if (!ms_runner_compute(r, level))
    return r->status == MS_OK;
  return level + 1 < r->program->prefix ? visit_level(r, level + 1) : complete(r);
}

/* Returns the rows that the matches of a level are looked up in and that should be asked for
 * before, or NULL. */
static const ms_neighbor_rows *rows_to_fetch(const ms_runner *r, uint32_t level, ms_span span)
{
  const ms_program *p = r->program;
  uint32_t first = p->level_sets[level];
  if (p->index->arcs < MS_FETCH_ARCS || !span.ids || first == p->level_sets[level + 1])
    return NULL;
  return &p->index->rows[p->set[p->by_level[first]].kind];
}

static bool visit_range(ms_runner *r, uint32_t level, ms_span span, size_t first, size_t last)
{
  const ms_step *step = &r->program->step[level];
  if (r->program->quick && level + 1 == r->program->prefix)
    return ms_tail_add_all(r, span, first, last);
  if (last + step->later > span.length)
    last = span.length > step->later ? span.length - step->later : 0;
  const ms_neighbor_rows *rows = rows_to_fetch(r, level, span);
  ms_span ahead = {.ids = span.ids, .length = last};
  if (rows && first < last)
    fetch_first(rows, (ms_span){.ids = span.ids + first, .length = last - first});
  for (size_t i = first; i < last; i++) {
    uint32_t v = span.ids ? span.ids[i] : span.lo + (uint32_t)i;
    if (rows)
      fetch_next(rows, ahead, i);
    if (!fits(r, step, v))
      continue;
    r->match[level] = v;
    if (!descend(r, level))
      return false;
  }
  return true;
}

static bool visit_level(ms_runner *r, uint32_t level)
{
  ms_span span = ms_runner_candidates(r, level);
  r->steps += span.length + 1;
  r->visits += span.length;
  return ms_runner_goes_on(r) && visit_range(r, level, span, 0, span.length);
}

/* ---- roots ----------------------------------------------------------------------- */

uint64_t ms_program_roots(const ms_program *p)
{
  const ms_domain *domain = &p->step[0].domain;
  return p->list[0] ? domain->count : domain->hi - domain->lo;
}

uint32_t ms_program_root(const ms_program *p, uint64_t i)
{
  return p->list[0] ? p->list[0][i] : p->step[0].domain.lo + (uint32_t)i;
}

/* Allocates the table at the first root, so that a walk that visits no root
 * needs none. */
static bool make_table(ms_runner *r)
{
  if (!r->table)
    r->table = ms_calloc(r->program->index->n, sizeof *r->table);
  if (!r->touched)
    r->touched = ms_alloc((size_t)r->program->index->n + 1, sizeof *r->touched);
  if (!r->table || !r->touched)
    r->status = MS_ERR_MEMORY;
  return r->status == MS_OK;
}

bool ms_runner_root(ms_runner *r, uint64_t i)
{
  const ms_program *p = r->program;
  r->match[0] = ms_program_root(p, i);
  if (!ms_runner_compute(r, 0))
    return false;
  if (p->table) {
    if (!make_table(r))
      return false;
    fill_table(r);
  }
  return true;
}

void ms_runner_leave(ms_runner *r)
{
  for (uint32_t i = 0; i < r->n_touched; i++)
    r->table[r->touched[i]] = 0;
  r->n_touched = 0;
}

uint64_t ms_runner_children(ms_runner *r)
{
  return r->program->prefix > 1 ? ms_runner_candidates(r, 1).length : 1;
}

bool ms_runner_visit(ms_runner *r, uint64_t first, uint64_t last)
{
  if (r->program->prefix > 1) {
    r->visits += last - first;
    return visit_range(r, 1, ms_runner_candidates(r, 1), first, last);
  }
  return complete(r);
}

/* ---- entry points ------------------------------------------------------------------- */

ms_status ms_runner_init(ms_runner *r, const ms_program *program, ms_error *err)
{
  memset(r, 0, sizeof *r);
  r->program = program;
  r->sorted = ms_sorted_best();
  mpz_init(r->large);
  r->set = ms_calloc(program->n_sets + 1, sizeof *r->set);
  r->own = ms_calloc(program->n_sets + 1, sizeof *r->own);
  if (!r->set || !r->own)
    return ms_fail_memory(err, "candidate sets");
  return MS_OK;
}

void ms_runner_free(ms_runner *r)
{
  for (uint32_t i = 0; r->own && i < r->program->n_sets; i++)
    ms_free(r->own[i].ids);
  ms_free(r->own);
  ms_free(r->set);
  for (uint32_t g = 0; g < MS_MAX_TAIL; g++)
    ms_free(r->free_of[g].ids);
  ms_free(r->meet.ids);
  ms_free(r->table);
  ms_free(r->touched);
  mpz_clear(r->large);
}

void ms_runner_add_work(const ms_runner *r, ms_work *work)
{
  if (!work)
    return;
  work->visits += r->visits;
  work->intersections += r->intersections;
}

void ms_runner_total(ms_runner *r, mpz_t sum)
{
  ms_tail_flush(r);
  mpz_add(sum, sum, r->large);
  mpz_set_ui(r->large, 0);
}
