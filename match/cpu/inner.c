#include "match/cpu/inner.h"

#include "base/alloc.h"
#include "base/status.h"
#include "match/cpu/runner_inline.h"

#include <string.h>

#define SET_STEP 16u /* as in runner.c */
#define MAPS_OF_A_SQUARE 8u
#define FAR_LONGER 8u /* lists whose shorter one is searched for in the longer one (sorted.h) */

/* ---- state ------------------------------------------------------------------------------ */

static ms_status init_part(ms_inner *in, uint32_t i, ms_error *err)
{
  ms_inner_part *part = &in->part[i];
  const ms_program *program = in->plan->term[i].program;
  part->program = *program;
  part->program.index = &in->index;
  part->has_words = ms_word_program_of(program, &part->words);
  MS_TRY(ms_runner_init(&part->runner, &part->program, err));
  part->runner.halt = in->outer->halt;
  part->runner.stop = in->outer->stop;
  return MS_OK;
}

ms_status ms_inner_init(ms_inner *in, ms_runner *outer, ms_error *err)
{
  const ms_pattern_index *index = outer->program->index;
  size_t most = (size_t)index->longest + 1;
  memset(in, 0, sizeof *in);
  in->outer = outer;
  in->plan = outer->program->inner;
  in->part = ms_calloc(in->plan->count, sizeof *in->part);
  in->offset = ms_alloc(most + 1, sizeof *in->offset);
  in->lower_end = ms_alloc(most, sizeof *in->lower_end);
  in->degree = ms_alloc(most + 1, sizeof *in->degree);
  in->rank = ms_alloc(most, sizeof *in->rank);
  in->order = ms_alloc(most, sizeof *in->order);
  in->place = ms_calloc((size_t)index->n + 1, sizeof *in->place);
  if (!in->part || !in->offset || !in->lower_end || !in->degree || !in->rank || !in->order ||
      !in->place)
    return ms_fail_memory(err, "an inner graph");
  MS_TRY(ms_root_graph_init(&in->graph, outer->program, err));
  if (in->plan->squares)
    MS_TRY(ms_inner_squares_init(&in->squares, most, err));
  in->index = (ms_pattern_index){.kinds = 1, .rows = &in->rows};
  in->rows.offset = in->offset;
  for (uint32_t i = 0; i < in->plan->count; i++)
    MS_TRY(init_part(in, i, err));
  return MS_OK;
}

void ms_inner_free(ms_inner *in)
{
  for (uint32_t i = 0; in->part && i < in->plan->count; i++)
    if (in->part[i].runner.program)
      ms_runner_free(&in->part[i].runner);
  ms_free(in->part);
  ms_free(in->offset);
  ms_free(in->lower_end);
  ms_free(in->lower);
  ms_free(in->degree);
  ms_free(in->rank);
  ms_free(in->order);
  ms_free(in->place);
  ms_free(in->near.ids);
  ms_inner_squares_free(&in->squares);
  ms_root_graph_free(&in->graph);
  ms_free(in->rows.neighbor);
}

static bool no_memory(ms_inner *in)
{
  in->outer->status = MS_ERR_MEMORY;
  return false;
}

/* ---- inner graphs ----------------------------------------------------------------------- */

/* Lists the places of the i-th vertex's neighbours that come after it in the set, in in->near.
 * Returns their number.  Ids ascend by degree, so that few neighbours of any vertex are larger. */
static size_t larger_places(ms_inner *in, const uint32_t *ids, uint32_t i)
{
  const ms_pattern_index *index = in->outer->program->index;
  uint32_t *near = in->near.ids, length;
  size_t count = 0, others = in->n - i - 1;
  const uint32_t *row = ms_row(&index->rows[MS_ROWS_ANY], ids[i], &length);
  ms_span larger = cut((ms_span){.ids = row, .length = length}, (bounds){ids[i] + 1, index->n});
  in->outer->steps += larger.length / SET_STEP;
  if (others == 0 || larger.length > FAR_LONGER * others) {
    count = others == 0 ? 0
                        : in->outer->sorted->intersect(ids + i + 1, others, larger.ids,
                                                       larger.length, near);
    for (size_t k = 0; k < count; k++)
      near[k] = in->place[near[k]] - 1;
    return count;
  }
  for (size_t k = 0; k < larger.length; k++) {
    near[count] = in->place[larger.ids[k]] - 1;
    count += near[count] != UINT32_MAX;
  }
  return count;
}

/* Lists the places of the i-th vertex's neighbours on one side of it, so that each edge is listed
 * at one of its ends, in in->near.  Returns their number. */
static size_t places_of_one_side(ms_inner *in, const uint32_t *ids, uint32_t i)
{
  if (in->graph.root != UINT32_MAX)
    return ms_root_graph_lower(&in->graph, ids[i], in->near.ids);
  return larger_places(in, ids, i);
}

static void fill_words(ms_inner *in, const uint32_t *ids)
{
  memset(in->word, 0, sizeof in->word);
  for (uint32_t i = 0; i < in->n; i++) {
    size_t count = places_of_one_side(in, ids, i);
    uint64_t row = 0;
    for (size_t k = 0; k < count; k++) {
      row |= UINT64_C(1) << in->near.ids[k];
      in->word[in->near.ids[k]] |= UINT64_C(1) << i;
    }
    in->word[i] |= row;
  }
}

/* Stores every edge at one of its ends, and counts degrees. */
static bool collect_edges(ms_inner *in, const uint32_t *ids)
{
  ms_runner *r = in->outer;
  size_t edges = 0;
  memset(in->degree, 0, (in->n + 1) * sizeof *in->degree);
  for (uint32_t i = 0; i < in->n; i++) {
    size_t count = places_of_one_side(in, ids, i);
    if (!MS_GROW(in->lower, in->lower_room, edges, count))
      return no_memory(in);
    for (size_t k = 0; k < count; k++) {
      in->lower[edges++] = in->near.ids[k];
      in->degree[in->near.ids[k]]++;
    }
    in->degree[i] += (uint32_t)count;
    in->lower_end[i] = edges;
    r->steps += i / SET_STEP + 1;
    if (!ms_runner_goes_on(r))
      return false;
  }
  return true;
}

/* Ranks the vertices by degree, in the order of their ids where it is equal. */
static void rank_vertices(ms_inner *in)
{
  uint32_t *count = in->order, before = 0; /* of each degree, which is less than n */
  memset(count, 0, in->n * sizeof *count);
  for (uint32_t i = 0; i < in->n; i++)
    count[in->degree[i]]++;
  for (uint32_t d = 0; d < in->n; d++) {
    uint32_t here = count[d];
    count[d] = before;
    before += here;
  }
  for (uint32_t i = 0; i < in->n; i++)
    in->rank[i] = count[in->degree[i]]++;
  for (uint32_t i = 0; i < in->n; i++)
    in->order[in->rank[i]] = i;
}

/* Makes room for rows of this many edges, of places and of ranks. */
static bool make_room_for_rows(ms_inner *in, uint64_t edges)
{
  if (in->rows.neighbor && 4 * edges <= in->neighbor_room)
    return true;
  ms_free(in->rows.neighbor);
  in->neighbor_room = 6 * edges + 1;
  in->rows.neighbor = ms_alloc(in->neighbor_room, sizeof *in->rows.neighbor);
  return in->rows.neighbor || no_memory(in);
}

/* Makes rows from the stored edges: each row receives its neighbours first as places in the set,
 * and then, in ascending order, as ranks. */
static bool fill_rows(ms_inner *in)
{
  uint64_t edges = in->lower_end[in->n - 1], before = 0;
  if (!make_room_for_rows(in, edges))
    return false;
  uint32_t *by_rank = in->rows.neighbor, *by_place = by_rank + 2 * edges;
  /* the rows of places, each of which ends at offset[i] after it is filled */
  for (uint32_t i = 0; i < in->n; i++) {
    in->offset[i] = before;
    before += in->degree[i];
  }
  for (uint32_t i = 0; i < in->n; i++)
    for (uint64_t k = i ? in->lower_end[i - 1] : 0; k < in->lower_end[i]; k++) {
      uint32_t j = in->lower[k];
      by_place[in->offset[i]++] = j;
      by_place[in->offset[j]++] = i;
    }
  memmove(in->lower_end, in->offset, in->n * sizeof *in->offset);
  before = 0;
  for (uint32_t a = 0; a < in->n; a++) {
    in->offset[a] = before;
    before += in->degree[in->order[a]];
  }
  for (uint32_t a = 0; a < in->n; a++) {
    uint32_t i = in->order[a];
    for (uint64_t k = in->lower_end[i] - in->degree[i]; k < in->lower_end[i]; k++)
      by_rank[in->offset[in->rank[by_place[k]]]++] = a;
  }
  memmove(in->offset + 1, in->offset, in->n * sizeof *in->offset);
  in->offset[0] = 0;
  in->index.arcs = 2 * edges;
  return true;
}

/* Runners keep their tables between two graphs, so a table has room for the largest one. */
static bool make_tables(ms_inner *in)
{
  size_t most = (size_t)in->outer->program->index->longest + 1;
  for (uint32_t i = 0; i < in->plan->count; i++) {
    ms_runner *r = &in->part[i].runner;
    if (!in->part[i].program.table || r->table)
      continue;
    r->table = ms_calloc(most, sizeof *r->table);
    r->touched = ms_alloc(most + 1, sizeof *r->touched);
    if (!r->table || !r->touched)
      return no_memory(in);
  }
  return true;
}

static bool make_graph(ms_inner *in, const uint32_t *ids)
{
  if (in->in_words) {
    fill_words(in, ids);
    return true;
  }
  if (!collect_edges(in, ids))
    return false;
  rank_vertices(in);
  in->index.n = in->n;
  if (!fill_rows(in))
    return false;
  if (!in->plan->squares)
    return make_tables(in);
  ms_inner_squares_begin(&in->squares, &in->rows, in->n);
  return true;
}

/* Takes the matches of these levels out of the set, which becomes a copy before the first one. */
static bool remove_matches(ms_runner *r, const ms_level_list *levels, ms_span *set)
{
  ms_space *copy = &r->free_of[0];
  for (uint32_t i = 0; i < levels->count; i++) {
    uint32_t v = r->match[levels->level[i]];
    size_t at = ms_lower_bound(set->ids, set->length, v);
    if (at == set->length || set->ids[at] != v)
      continue;
    if (set->ids != copy->ids) {
      if (!ms_space_for(copy, set->length)) {
        r->status = MS_ERR_MEMORY;
        return false;
      }
      memcpy(copy->ids, set->ids, set->length * sizeof *copy->ids);
      set->ids = copy->ids;
    }
    memmove(copy->ids + at, copy->ids + at + 1, (set->length - at - 1) * sizeof *copy->ids);
    set->length--;
  }
  return true;
}

bool ms_inner_vertices(ms_runner *r, ms_span *out)
{
  const ms_tail_group *g = &r->program->group[0];
  *out = cut(r->set[g->set], narrow(r, (bounds){g->domain.lo, g->domain.hi}, &g->bounds));
  return remove_matches(r, &g->inside_list, out) && remove_matches(r, &g->other_list, out);
}

static void begin_places(ms_inner *in, ms_span set)
{
  if (in->graph.root != UINT32_MAX)
    ms_root_graph_choose(&in->graph, set);
  for (uint32_t i = 0; in->graph.root == UINT32_MAX && i < in->n; i++)
    in->place[set.ids[i]] = i + 1;
}

static void end_places(ms_inner *in, ms_span set)
{
  if (in->graph.root != UINT32_MAX)
    ms_root_graph_release(&in->graph, set);
  for (uint32_t i = 0; in->graph.root == UINT32_MAX && i < in->n; i++)
    in->place[set.ids[i]] = 0;
}

bool ms_inner_enter(ms_inner *in)
{
  ms_span set;
  bool ok, words = true;
  in->n = 0;
  if (!ms_inner_vertices(in->outer, &set))
    return false;
  in->n = (uint32_t)set.length;
  if (in->n < in->plan->vertices) {
    in->n = 0;
    return true;
  }
  for (uint32_t i = 0; i < in->plan->count; i++)
    words = words && in->part[i].has_words;
  in->in_words = words && in->n <= MS_WORD;
  if (in->graph.set >= 0 && !ms_root_graph_make(&in->graph, in->outer, &in->near))
    return no_memory(in);
  if (!ms_space_for(&in->near, in->n))
    return no_memory(in);
  begin_places(in, set);
  ok = make_graph(in, set.ids);
  end_places(in, set);
  return ok;
}

/* ---- counting --------------------------------------------------------------------------- */

static bool visit_words(ms_inner *in, uint32_t first, uint32_t last)
{
  for (uint32_t i = 0; i < in->plan->count; i++) {
    ms_inner_part *part = &in->part[i];
    part->runner.total +=
        in->outer->sorted->count_words(&part->words, in->word, in->n, first, last);
    part->runner.visits += last - first;
  }
  in->outer->steps += last - first;
  return ms_runner_goes_on(in->outer);
}

static bool visit_part(ms_inner *in, ms_inner_part *part, uint64_t first, uint64_t last)
{
  ms_runner *r = &part->runner;
  bool ok = true;
  for (uint64_t i = first; ok && i < last; i++) {
    r->visits++;
    if (ms_runner_root(r, i))
      ok = ms_runner_visit(r, 0, ms_runner_children(r));
    in->outer->steps += r->n_touched / SET_STEP + 1;
    ms_runner_leave(r);
    ok = ok && r->status == MS_OK && ms_runner_goes_on(in->outer);
  }
  if (r->status != MS_OK)
    in->outer->status = r->status;
  return ok;
}

bool ms_inner_visit(ms_inner *in, uint64_t first, uint64_t last)
{
  bool ok = true;
  if (in->in_words)
    return visit_words(in, (uint32_t)first, (uint32_t)last);
  if (in->plan->squares) {
    in->part[0].runner.visits += last - first;
    return ms_inner_squares_visit(&in->squares, in->outer, (uint32_t)first, (uint32_t)last);
  }
  for (uint32_t i = 0; ok && i < in->plan->count; i++)
    ok = visit_part(in, &in->part[i], first, last);
  return ok;
}

void ms_inner_leave(ms_inner *in)
{
  if (in->n > 0 && in->plan->squares && !in->in_words)
    ms_inner_squares_end(&in->squares);
}

bool ms_inner_count(void *user, const uint32_t *ids)
{
  ms_inner *in = user;
  (void)ids;
  if (!ms_inner_enter(in) || (in->n > 0 && !ms_inner_visit(in, 0, in->n)))
    return false;
  ms_inner_leave(in);
  return true;
}

void ms_inner_add_work(const ms_inner *in, ms_work *work)
{
  for (uint32_t i = 0; in->part && i < in->plan->count; i++)
    if (in->part[i].runner.program)
      ms_runner_add_work(&in->part[i].runner, work);
}

void ms_inner_total(ms_inner *in, mpz_t sum)
{
  mpz_t total;
  mpz_init(total);
  for (uint32_t i = 0; in->part && i < in->plan->count; i++) {
    if (!in->part[i].runner.program)
      continue;
    mpz_set_ui(total, 0);
    ms_runner_total(&in->part[i].runner, total);
    mpz_mul_si(total, total, in->plan->term[i].factor);
    mpz_add(sum, sum, total);
  }
  ms_wide_size squares = in->squares.total;
  mpz_set_ui(total, (uint64_t)(squares >> 64));
  mpz_mul_2exp(total, total, 64);
  mpz_add_ui(total, total, (uint64_t)squares);
  mpz_addmul_ui(sum, total, MAPS_OF_A_SQUARE);
  in->squares.total = 0;
  mpz_clear(total);
}
