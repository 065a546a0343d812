#include "match/cpu/universe.h"

#include "base/alloc.h"
#include "base/hooks.h"
#include "base/integrity.h"
#include "base/status.h"
#include "match/cpu/runner_inline.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define FETCHED 64u /* vertices of a universe whose rows are asked for */

/* ---- paths ------------------------------------------------------------------------------ */

const ms_universe_path *ms_universe_path_at(unsigned i)
{
  const ms_universe_path *here[3] = {&ms_universe_portable};
  unsigned count = 1;
#ifdef MS_X86_64
  bool popcnt = __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("bmi") &&
                __builtin_cpu_supports("bmi2");
  if (popcnt && __builtin_cpu_supports("avx2"))
    here[count++] = &ms_universe_avx2;
  if (popcnt && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vpopcntdq"))
    here[count++] = &ms_universe_avx512;
#endif
  return i < count ? here[i] : NULL;
}

static const ms_universe_path *best_path(void)
{
  const char *name = getenv("MOTIFSIEVE_SETS");
  const ms_universe_path *path;
  unsigned count = 0, usual = UINT_MAX;
  for (; (path = ms_universe_path_at(count)); count++)
    if (usual == UINT_MAX && name && strcmp(name, path->name) == 0)
      usual = count;
  return ms_universe_path_at(ms_other_kernel_place(usual < count ? usual : count - 1, count));
}

/* ---- programs --------------------------------------------------------------------------- */

static bool is_local_set(const ms_set *s)
{
  return s->kind == MS_ROWS_ANY && !s->bits && s->at != UINT8_MAX &&
         (s->parent < 0) == (s->level == 0);
}

bool ms_universe_suits(const ms_program *p)
{
  /* a quick program is one loop below each match of few levels */
  bool local = ms_hooks.universe_room > 0 && !p->quick && !p->inner && !p->table &&
               p->n_groups > 0 && p->prefix >= 3 && p->prefix <= MS_UNIVERSE_LEVELS &&
               p->n_sets <= MS_UNIVERSE_SETS;
  for (uint32_t i = 0; local && i < p->n_sets; i++)
    local = is_local_set(&p->set[i]);
  for (uint32_t i = 1; local && i < p->prefix; i++)
    local =
        p->step[i].source == MS_FROM_SET && p->step[i].tests.count == 0 && !p->step[i].domain.bits;
  for (uint32_t g = 0; local && g < p->n_groups; g++)
    local = p->group[g].set >= 0 && !p->group[g].domain.bits;
  return local;
}

bool ms_universe_is_simple(const ms_program *p)
{
  uint32_t last = p->prefix - 1;
  int set = p->group[0].set;
  return p->n_groups == 1 && !p->product && p->group[0].size <= MS_UNIVERSE_SHORT_TAIL &&
         p->level_sets[last + 1] == p->level_sets[last] + 1 &&
         p->by_level[p->level_sets[last]] == (uint32_t)set && !p->set[set].subtract;
}

/* Lists the levels that bound a set, and none of those that have cut `from`. */
static void list_bounds(ms_bitset above, ms_bitset below, ms_bitset above_from,
                        ms_bitset below_from, ms_universe_bounds *out)
{
  above = ms_bitset_without(ms_bitset_minus(above, above_from), 0);
  below = ms_bitset_without(ms_bitset_minus(below, below_from), 0);
  out->n_above = (uint8_t)ms_bitset_list(above, out->above);
  out->n_below = (uint8_t)ms_bitset_list(below, out->below);
}

bool ms_universe_is_upper(const ms_program *p)
{
  bool upper = true;
  for (uint32_t i = 0; upper && i < p->n_sets; i++)
    upper = p->set[i].parent < 0 ||
            (ms_bitset_has(&p->set[i].above, p->set[i].level) && !p->set[i].subtract);
  return upper;
}

static void list_bounds_of_sets(ms_universe *u)
{
  const ms_program *p = u->runner->program;
  u->upper = ms_universe_is_upper(p);
  for (uint32_t i = 0; i < p->n_sets; i++) {
    const ms_set *s = &p->set[i];
    if (s->parent < 0)
      continue;
    ms_bitset above = s->above;
    if (u->upper)
      ms_bitset_remove(&above, s->level);
    list_bounds(above, s->below, p->set[s->parent].above, p->set[s->parent].below,
                &u->set[i].bounds);
  }
  for (uint32_t i = 1; i < p->prefix; i++) {
    const ms_set *s = &p->set[p->step[i].set];
    list_bounds(p->step[i].above, p->step[i].below, s->above, s->below, &u->step[i]);
  }
  for (uint32_t g = 0; g < p->n_groups; g++) {
    const ms_set *s = &p->set[p->group[g].set];
    list_bounds(p->group[g].above, p->group[g].below, s->above, s->below, &u->group[g]);
  }
}

static void prepare_tail(ms_universe *u)
{
  const ms_program *p = u->runner->program;
  const ms_tail_group *g = &p->group[0];
  const ms_set *s = &p->set[g->set], *from = &p->set[s->parent];
  uint32_t last = p->prefix - 1;
  ms_bitset above = ms_bitset_or(s->above, g->above), below = ms_bitset_or(s->below, g->below);
  /* no vertex is in its own row */
  ms_bitset distinct = ms_bitset_without(ms_bitset_without(g->distinct, 0), last);
  u->tail = (ms_universe_last){.from = s->parent,
                               .above = ms_bitset_has(&above, last),
                               .below = ms_bitset_has(&below, last),
                               .size = g->size,
                               .n_distinct = ms_bitset_count(distinct)};
  ms_bitset_list(distinct, u->tail.distinct);
  list_bounds(ms_bitset_without(above, last), ms_bitset_without(below, last), from->above,
              from->below, &u->tail.bounds);
}

ms_status ms_universe_init(ms_universe *u, ms_runner *runner, ms_error *err)
{
  const ms_program *p = runner->program;
  *u = (ms_universe){.runner = runner};
  if (!ms_universe_suits(p))
    return MS_OK;
  uint32_t most =
      p->index->longest < ms_hooks.universe_room ? p->index->longest : ms_hooks.universe_room;
  u->set = ms_calloc((size_t)p->n_sets + p->n_groups, sizeof *u->set);
  u->place = ms_calloc((size_t)p->index->n + 1, sizeof *u->place);
  u->made = ms_calloc((size_t)most + 1, sizeof *u->made);
  u->set_bits = ms_alloc(((size_t)p->n_sets + p->n_groups) * (most / 64 + 1), sizeof *u->set_bits);
  if (!u->set || !u->place || !u->made || !u->set_bits)
    return ms_fail_memory(err, "the vertices next to a root");
  list_bounds_of_sets(u);
  u->is_simple = ms_universe_is_simple(p);
  if (u->is_simple)
    prepare_tail(u);
  u->path = best_path();
  return MS_OK;
}

void ms_universe_free(ms_universe *u)
{
  ms_free(u->row);
  ms_free(u->made);
  ms_free(u->set_bits);
  ms_free(u->set);
  ms_free(u->place);
  ms_free(u->near.ids);
}

/* ---- one root --------------------------------------------------------------------------- */

/* Sets the universe to the part of the root's row that contains all sets of level 0. */
static void find_vertices(ms_universe *u)
{
  const ms_runner *r = u->runner;
  const ms_program *p = r->program;
  const uint32_t *begin = NULL, *end = NULL;
  for (uint32_t i = p->level_sets[0]; i < p->level_sets[1]; i++) {
    ms_span row = r->set[p->by_level[i]];
    if (row.length == 0)
      continue;
    begin = !begin || row.ids < begin ? row.ids : begin;
    end = !end || row.ids + row.length > end ? row.ids + row.length : end;
  }
  u->ids = begin;
  u->n = (uint32_t)(end - begin);
}

/* Returns the place of the first vertex that is not smaller. */
static uint32_t place_from(const ms_universe *u, uint32_t id)
{
  if (id <= u->ids[0] || id > u->ids[u->n - 1])
    return id <= u->ids[0] ? 0 : u->n;
  return (uint32_t)ms_lower_bound(u->ids, u->n, id);
}

/* Sets the range to the places of the ids in [lo, hi) that the root leaves where it bounds others.
 * `from`: what has cut the set that this one is made from; NULL: nothing has. */
static void find_range(const ms_universe *u, uint32_t lo, uint32_t hi, const ms_bounds *by,
                       const ms_universe_bounds *from, ms_universe_bounds *out)
{
  uint32_t root = u->runner->match[0];
  if (by->above.count > 0 && by->above.level[0] == 0 && root >= lo)
    lo = root + 1;
  if (by->below.count > 0 && by->below.level[0] == 0 && root < hi)
    hi = root;
  out->range = (ms_places){place_from(u, lo), place_from(u, hi)};
  out->cuts = !from || out->range.lo > from->range.lo || out->range.hi < from->range.hi ||
              out->n_above > 0 || out->n_below > 0;
}

/* Sets the bits of the range. */
static void fill(ms_universe_set *s)
{
  ms_places p = s->bounds.range;
  s->first = p.lo / 64;
  s->last = p.hi > p.lo ? (p.hi + 63) / 64 : s->first;
  for (uint32_t w = s->first; w < s->last; w++)
    s->bits[w] = ~UINT64_C(0);
  if (s->first == s->last)
    return;
  s->bits[s->first] &= ~UINT64_C(0) << p.lo % 64;
  if (p.hi % 64)
    s->bits[s->last - 1] &= ~(~UINT64_C(0) << p.hi % 64);
}

/* Finds what the root leaves of the simple tail's set, whose bounds are the set's and the group's.
 */
static void begin_tail(ms_universe *u)
{
  const ms_tail_group *g = &u->runner->program->group[0];
  ms_universe_bounds *b = &u->tail.bounds;
  ms_places set = u->set[g->set].bounds.range, group = u->group[0].range;
  const ms_places *from = &u->set[u->tail.from].bounds.range;
  b->range =
      (ms_places){set.lo > group.lo ? set.lo : group.lo, set.hi < group.hi ? set.hi : group.hi};
  b->cuts = b->range.lo > from->lo || b->range.hi < from->hi || b->n_above > 0 || b->n_below > 0;
}

static void begin_sets(ms_universe *u)
{
  const ms_program *p = u->runner->program;
  for (uint32_t i = 0; i < p->n_sets + p->n_groups; i++)
    u->set[i].bits = u->set_bits + i * u->words;
  for (uint32_t i = 0; i < p->n_sets; i++) {
    const ms_set *s = &p->set[i];
    const ms_universe_set *from = s->parent < 0 ? NULL : &u->set[s->parent];
    find_range(u, s->lo, s->hi, &s->bounds, from ? &from->bounds : NULL, &u->set[i].bounds);
    if (!from)
      fill(&u->set[i]);
  }
  for (uint32_t i = 1; i < p->prefix; i++) {
    const ms_step *s = &p->step[i];
    find_range(u, s->domain.lo, s->domain.hi, &s->bounds, &u->set[s->set].bounds, &u->step[i]);
  }
  for (uint32_t i = 0; i < p->n_groups; i++) {
    const ms_tail_group *g = &p->group[i];
    find_range(u, g->domain.lo, g->domain.hi, &g->bounds, &u->set[g->set].bounds, &u->group[i]);
  }
  if (u->is_simple)
    begin_tail(u);
}

/* Asks for the rows of a small universe, which wait for memory one after the other otherwise. */
MS_ALWAYS_INLINE void fetch_rows(const ms_universe *u)
{
  const ms_pattern_index *index = u->runner->program->index;
  const ms_neighbor_rows *rows = &index->rows[MS_ROWS_ANY];
  if (index->arcs < MS_FETCH_ARCS || u->n > FETCHED)
    return;
  for (uint32_t i = 0; i < u->n; i++)
    fetch_offset(rows, u->ids[i]);
  for (uint32_t i = 0; i < u->n; i++)
    fetch_row(rows, u->ids[i]);
}

bool ms_universe_enter(ms_universe *u)
{
  u->entered = false;
  find_vertices(u);
  if (u->n == 0 || u->n > ms_hooks.universe_room)
    return true;
  u->words = (u->n + 63) / 64;
  if (u->n * u->words > u->row_room) {
    ms_free(u->row);
    size_t most = (size_t)ms_hooks.universe_room * ((ms_hooks.universe_room + 63) / 64);
    u->row_room = u->n * u->words * 3 / 2;
    u->row_room = u->row_room < most ? u->row_room : most;
    u->row = ms_alloc_lines(u->row_room, sizeof *u->row);
    if (!u->row)
      u->row_room = 0;
  }
  if (!u->row || !ms_space_for(&u->near, u->n)) {
    u->runner->status = MS_ERR_MEMORY;
    return false;
  }
  memset(u->made, 0, u->n * sizeof *u->made);
  fetch_rows(u);
  for (uint32_t i = 0; i < u->n; i++)
    u->place[u->ids[i]] = i + 1;
  begin_sets(u);
  u->entered = true;
  return true;
}

void ms_universe_leave(ms_universe *u)
{
  for (uint32_t i = 0; u->entered && i < u->n; i++)
    u->place[u->ids[i]] = 0;
  u->entered = false;
}

bool ms_universe_visit(ms_universe *u, uint64_t first, uint64_t last)
{
  u->runner->visits += last - first;
  return u->path->visit(u, first, last);
}
