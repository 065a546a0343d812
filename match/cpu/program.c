#include "match/cpu/program.h"

#include "base/alloc.h"
#include "base/status.h"
#include "match/cpu/tail.h"

#include <string.h>

#define FIRST_SETS 32u /* initial room; few patterns without non-edges have more sets */

typedef struct compiler {
  ms_program *program;
  const ms_plan *plan;
  const ms_domain *domain; /* [shape.n] */
  const ms_program_options *options;
  int last_row; /* the row that was added last; -1: none */
} compiler;

/* ---- chains of sets ------------------------------------------------------ */

/* A vertex has fewer tests: from and to each other vertex, with an arc and without. */
#define MOST_TESTS (4 * MS_MAX_PATTERN)

/* Adds a test of one kind of row for each of the levels. */
static void add_tests(ms_row_test *tests, uint32_t *count, ms_bitset levels, uint16_t kind,
                      bool absent)
{
  MS_EACH_MEMBER (level, levels)
    tests[(*count)++] = (ms_row_test){(uint8_t)level, absent, kind};
}

/* Lists the tests of a level with relations: each earlier neighbour's row of the relation. */
static uint32_t list_relations(const compiler *c, const ms_plan_level *level,
                               ms_row_test tests[MOST_TESTS])
{
  uint32_t count = 0;
  MS_EACH_MEMBER (j, level->back_out)
    tests[count++] = (ms_row_test){(uint8_t)j, false,
                                   c->plan->shape.label[c->plan->level[j].vertex][level->vertex]};
  add_tests(tests, &count, level->not_out, MS_ROWS_ANY, true);
  return count;
}

/* Lists the rows that must contain the match of this level, by kind, and then those that must
 * not. Returns the number of tests. An arc from level j to this vertex puts its match into
 * j's row OUT. */
static uint32_t list_tests(const compiler *c, const ms_plan_level *level,
                           ms_row_test tests[MOST_TESTS])
{
  uint32_t count = 0;
  if (c->plan->shape.label)
    return list_relations(c, level, tests);
  if (c->program->index->directed && c->plan->shape.directed) {
    add_tests(tests, &count, level->back_out, MS_ROWS_OUT, false);
    add_tests(tests, &count, level->back_in, MS_ROWS_IN, false);
    add_tests(tests, &count, level->not_out, MS_ROWS_OUT, true);
    add_tests(tests, &count, level->not_in, MS_ROWS_IN, true);
  } else {
    add_tests(tests, &count, ms_bitset_or(level->back_out, level->back_in), MS_ROWS_ANY, false);
    add_tests(tests, &count, ms_bitset_or(level->not_out, level->not_in), MS_ROWS_ANY, true);
  }
  return count;
}

/* Sorts tests into the order of computation: first the lowest row that has to contain the
 * vertex, then the others by level, intersections before differences. Returns false if no row
 * has to contain it. */
static bool sort_tests(ms_row_test *tests, uint32_t count)
{
  if (count == 0 || tests[0].absent)
    return false;
  for (uint32_t i = 1; i < count && !tests[i].absent; i++)
    if (tests[i].level < tests[0].level) {
      ms_row_test lowest = tests[i];
      tests[i] = tests[0];
      tests[0] = lowest;
    }
  for (uint32_t i = 2; i < count; i++) {
    ms_row_test test = tests[i];
    uint32_t j = i;
    for (; j > 1 && tests[j - 1].level > test.level; j--)
      tests[j] = tests[j - 1];
    tests[j] = test;
  }
  return true;
}

/* Keeps tests in the program, for a step or a group. */
static ms_status keep_tests(compiler *c, const ms_row_test *tests, uint32_t count,
                            ms_row_tests *out, ms_error *err)
{
  ms_program *p = c->program;
  if (p->n_tests + count > p->tests_room) {
    uint32_t room = 2 * (p->n_tests + count);
    ms_row_test *test = ms_resize(p->test, p->tests_room, room, sizeof *test);
    if (!test)
      return ms_fail_memory(err, "a plan");
    p->test = test;
    p->tests_room = room;
  }
  *out = (ms_row_tests){p->n_tests, count};
  for (uint32_t i = 0; i < count; i++)
    p->test[p->n_tests++] = tests[i];
  return MS_OK;
}

/* ---- sets ------------------------------------------------------------------ */

static bool same_hull(const ms_set *s, const ms_domain *domain)
{
  return s->lo == domain->lo && s->hi == domain->hi;
}

static bool grow_sets(ms_program *p)
{
  uint32_t room = p->sets_room ? 2 * p->sets_room : FIRST_SETS;
  ms_set *set = ms_resize(p->set, p->sets_room, room, sizeof *set);
  if (!set)
    return false;
  p->set = set;
  p->sets_room = room;
  return true;
}

/* Finds or adds a set and returns its number, or -2 if there is no memory. A
 * row is shared whatever the bits of the domain are. */
static int find_or_add_set(compiler *c, int parent, ms_row_test l, const ms_domain *domain)
{
  ms_program *p = c->program;
  const uint64_t *bits = parent < 0 ? NULL : domain->bits;
  uint8_t at = parent >= 0 && p->set[parent].at > l.level ? p->set[parent].at : l.level;
  int last = parent < 0 ? c->last_row : p->set[parent].last_child;
  for (int i = last; i >= 0; i = p->set[i].sibling) {
    const ms_set *s = &p->set[i];
    if (s->level == l.level && s->kind == l.kind && s->subtract == l.absent && s->bits == bits &&
        same_hull(s, domain))
      return i;
  }
  if (p->n_sets == p->sets_room && !grow_sets(p))
    return -2;
  *(parent < 0 ? &c->last_row : &p->set[parent].last_child) = (int)p->n_sets;
  p->set[p->n_sets] = (ms_set){.parent = parent,
                               .level = l.level,
                               .kind = l.kind,
                               .subtract = l.absent,
                               .at = at,
                               .above = ms_bitset_all(),
                               .below = ms_bitset_all(),
                               .last_child = -1,
                               .sibling = last,
                               .lo = domain->lo,
                               .hi = domain->hi,
                               .bits = bits};
  return (int)p->n_sets++;
}

/* Makes the chain of sets; *set is its last set, or -1 if no row has to contain the vertex
 * and the candidates are the whole domain. */
static ms_status make_chain(compiler *c, ms_row_test *tests, uint32_t count,
                            const ms_domain *domain, int *set, ms_error *err)
{
  *set = -1;
  if (!sort_tests(tests, count))
    return MS_OK;
  for (uint32_t i = 0; i < count && *set != -2; i++)
    *set = find_or_add_set(c, *set, tests[i], domain);
  return *set != -2 ? MS_OK : ms_fail_memory(err, "a plan");
}

/* ---- levels ---------------------------------------------------------------- */

static bool hulls_meet(const ms_domain *a, const ms_domain *b)
{
  return a->lo < b->hi && b->lo < a->hi;
}

static ms_bitset all_backs(const ms_plan_level *level)
{
  return ms_bitset_or(level->back_out, level->back_in);
}

/* Returns the earlier levels that no other constraint keeps from having the
 * same match. */
static ms_bitset distinct_from(const compiler *c, uint32_t i, const ms_domain *domain,
                               uint32_t levels)
{
  const ms_plan_level *level = &c->plan->level[i];
  ms_bitset distinct = {{0}};
  ms_bitset apart = ms_bitset_or(all_backs(level), ms_bitset_or(level->above, level->below));
  for (uint32_t j = 0; j < i && j < levels; j++)
    if (!ms_bitset_has(&apart, j) && hulls_meet(domain, &c->domain[c->plan->level[j].vertex]))
      ms_bitset_add(&distinct, j);
  return distinct;
}

/* Adds the bounds that follow from other constraints. A set that several levels
 * share is cut by the bounds that these levels have in common, so each level
 * needs all of its bounds. */
static void close_bounds(const ms_program *p, const ms_plan_level *level, uint32_t i,
                         ms_bitset *above, ms_bitset *below)
{
  for (uint32_t j = 0; j < i; j++) {
    if (ms_bitset_has(&level->above, j)) {
      *above = ms_bitset_or(*above, p->step[j].above);
      ms_bitset_add(above, j);
    }
    if (ms_bitset_has(&level->below, j)) {
      *below = ms_bitset_or(*below, p->step[j].below);
      ms_bitset_add(below, j);
    }
  }
}

static ms_status compile_step(compiler *c, uint32_t i, ms_error *err)
{
  const ms_plan_level *level = &c->plan->level[i];
  ms_step *step = &c->program->step[i];
  step->vertex = level->vertex;
  step->domain = c->domain[level->vertex];
  close_bounds(c->program, level, i, &step->above, &step->below);
  step->distinct = ms_bitset_minus(distinct_from(c, i, &step->domain, i),
                                   ms_bitset_or(step->above, step->below));
  ms_row_test tests[MOST_TESTS];
  uint32_t count = list_tests(c, level, tests), in_set = count;
  bool apart = c->plan->shape.n > MS_MOST_SUBTRACTED;
  while (in_set > 0 && tests[in_set - 1].absent && (apart || tests[0].absent))
    in_set--;
  MS_TRY(keep_tests(c, tests + in_set, count - in_set, &step->tests, err));
  MS_TRY(make_chain(c, tests, in_set, &step->domain, &step->set, err));
  step->source = step->set >= 0 ? MS_FROM_SET : MS_FROM_DOMAIN;
  step->test_bits = step->domain.bits && (step->set < 0 || c->program->set[step->set].parent < 0);
  return MS_OK;
}

/* Counts, for each step, the steps after it that take larger elements of the same set.  An element
 * with too few larger ones in the set need not be tried. */
static void count_later(ms_program *p)
{
  for (uint32_t i = 0; i < p->prefix; i++)
    for (uint32_t j = i + 1; j < p->prefix; j++)
      p->step[i].later += p->step[i].set >= 0 && p->step[j].set == p->step[i].set &&
                          ms_bitset_has(&p->step[j].above, i) &&
                          ms_bitset_within(p->step[i].below, p->step[j].below);
}

/* ---- tail -------------------------------------------------------------------- */

static bool same_candidates(const ms_tail_group *g, int set, const ms_domain *domain)
{
  return g->set == set && ms_domain_equal(&g->domain, domain);
}

/* Returns the levels that are adjacent, in the shape, to every vertex that the
 * tail vertex is adjacent to. Their matches are among its candidates unless its
 * domain excludes them. */
static ms_bitset inside_levels(const compiler *c, const ms_plan_level *tail, ms_bitset distinct)
{
  const ms_shape *s = &c->plan->shape;
  ms_arc_labels label = s->label;
  ms_bitset inside = {{0}};
  MS_EACH_MEMBER (j, distinct) {
    uint32_t u = c->plan->level[j].vertex;
    bool all = ms_bitset_is_empty(tail->not_out) && ms_bitset_is_empty(tail->not_in);
    for (uint32_t b = 0; all && b < c->program->prefix; b++) {
      uint32_t w = c->plan->level[b].vertex;
      if (ms_bitset_has(&tail->back_out, b))
        all = b != j && ms_bitset_has(&s->out[w], u) &&
              (!label || label[w][u] == label[w][tail->vertex]);
      if (all && ms_bitset_has(&tail->back_in, b))
        all = b != j && ms_bitset_has(&s->in[w], u);
    }
    if (all)
      ms_bitset_add(&inside, j);
  }
  return inside;
}

static ms_status compile_tail_vertex(compiler *c, uint32_t i, ms_error *err)
{
  ms_program *p = c->program;
  const ms_plan_level *level = &c->plan->level[i];
  ms_domain domain = c->domain[level->vertex];
  ms_row_test tests[MOST_TESTS];
  uint32_t count = list_tests(c, level, tests);
  int set;
  MS_TRY(make_chain(c, tests, count, &domain, &set, err));
  for (uint32_t g = 0; g < p->n_groups; g++)
    if (same_candidates(&p->group[g], set, &domain)) {
      p->group[g].size++;
      return MS_OK;
    }
  ms_tail_group *group = &p->group[p->n_groups++];
  *group = (ms_tail_group){.size = 1, .set = set, .domain = domain};
  MS_TRY(keep_tests(c, tests, count, &group->tests, err));
  if (c->options->bounded || c->options->priority)
    close_bounds(p, level, i, &group->above, &group->below);
  group->distinct = ms_bitset_minus(distinct_from(c, i, &domain, p->prefix),
                                    ms_bitset_or(group->above, group->below));
  group->inside = inside_levels(c, level, group->distinct);
  group->test_bits = domain.bits && (set < 0 || p->set[set].parent < 0);
  return MS_OK;
}

/* ---- table --------------------------------------------------------------------- */

/* True if the set is the common neighbours of the root and of one other
 * level. */
static bool is_common_neighbor_set(const ms_program *p, const ms_tail_group *g, ms_set *first,
                                   ms_set *second)
{
  if (g->set < 0 || p->set[g->set].parent < 0 || p->set[g->set].subtract)
    return false;
  *second = p->set[g->set];
  *first = p->set[second->parent];
  return first->parent < 0 && first->level == 0 && second->level > 0;
}

/* Uses the table for all groups that can be looked up in it. A level without an
 * edge to the earlier ones takes its candidates from the vertices that the
 * table touched. */
static void use_table(compiler *c)
{
  ms_program *p = c->program;
  ms_set first, second;
  bool above = true, below = true; /* of the root */
  for (uint32_t g = 0; g < p->n_groups; g++) {
    ms_tail_group *group = &p->group[g];
    if (!group->size_only || c->options->bounded ||
        !is_common_neighbor_set(p, group, &first, &second))
      continue;
    uint16_t onward = ms_reverse_rows(second.kind);
    if (p->table && (p->table_first != first.kind || p->table_second != onward ||
                     !ms_domain_equal(&p->table_middle, &group->domain)))
      continue;
    p->table = group->table = true;
    p->table_first = first.kind;
    p->table_second = onward;
    p->table_middle = group->domain;
    group->with = second.level;
    above = above && ms_bitset_has(&p->step[group->with].above, 0);
    below = below && ms_bitset_has(&p->step[group->with].below, 0);
    if (p->step[group->with].source == MS_FROM_DOMAIN && group->with > 0) {
      p->step[group->with].source = MS_FROM_TOUCHED;
      p->step[group->with].test_bits = p->step[group->with].domain.bits != NULL;
    }
  }
  p->table_above = p->table && above;
  p->table_below = p->table && below;
}

/* Moves the order between the tail and the root into the table. Returns false
 * if there is no table, or if the tail has further order constraints. */
static bool use_priority(compiler *c)
{
  ms_program *p = c->program;
  ms_tail_group *g = &p->group[0];
  if (p->n_groups != 1 || !g->table || !ms_bitset_is_empty(g->above) ||
      !ms_bitset_equal(g->below, ms_bitset_of(0)))
    return false;
  p->middle_below = true;
  ms_bitset_remove(&g->below, 0);
  return true;
}

/* ---- bounds of the sets ------------------------------------------------------------ */

static void narrow_set(ms_set *set, ms_bitset above, ms_bitset below)
{
  ms_bitset known = ms_bitset_below(set->at + 1u);
  set->above = ms_bitset_and(set->above, ms_bitset_and(above, known));
  set->below = ms_bitset_and(set->below, ms_bitset_and(below, known));
}

/* Marks the sets of which only the size matters and whose elements need no
 * filter: the elements of the last link are not written. */
static void mark_count_only(ms_program *p)
{
  for (uint32_t g = 0; g < p->n_groups; g++) {
    const ms_tail_group *group = &p->group[g];
    if (group->set < 0 || group->table || !group->size_only)
      continue;
    ms_set *s = &p->set[group->set];
    bool filtered = s->bits && s->parent >= 0 && p->set[s->parent].parent < 0;
    s->count_only =
        s->parent >= 0 && !s->subtract && s->uses == 1 && !filtered &&
        ms_bitset_within(ms_bitset_or(group->above, group->below), ms_bitset_below(s->at + 1u));
  }
}

/* Cuts each set by the bounds that all of its users share, and counts its
 * users. */
static void bound_sets(ms_program *p)
{
  for (uint32_t i = 0; i < p->prefix; i++)
    if (p->step[i].source == MS_FROM_SET) {
      narrow_set(&p->set[p->step[i].set], p->step[i].above, p->step[i].below);
      p->set[p->step[i].set].uses++;
      p->set[p->step[i].set].need++;
    }
  for (uint32_t g = 0; g < p->n_groups; g++)
    if (p->group[g].set >= 0 && !p->group[g].table) {
      narrow_set(&p->set[p->group[g].set], p->group[g].above, p->group[g].below);
      p->set[p->group[g].set].uses++;
      /* vertices of a product may be equal */
      p->set[p->group[g].set].need += p->product ? 0 : p->group[g].size;
    }
  for (uint32_t i = p->n_sets; i-- > 0;) {
    ms_set *s = &p->set[i];
    if (s->uses == 0) { /* only a group of the table uses it: it is never computed */
      s->at = UINT8_MAX;
      continue;
    }
    if (s->parent >= 0) {
      narrow_set(&p->set[s->parent], s->above, s->below);
      p->set[s->parent].uses++;
      p->set[s->parent].need += s->need;
    }
    s->need = s->need > 0 ? s->need : 1;
  }
  mark_count_only(p);
}

/* Lists the sets by the level at which they are computed. A parent comes first
 * because its number is smaller than those of the sets made from it. */
static ms_status sort_sets(ms_program *p, ms_error *err)
{
  uint32_t place[MS_MAX_PATTERN]; /* [prefix] of the level's next set */
  p->by_level = ms_alloc(p->n_sets + 1, sizeof *p->by_level);
  if (!p->by_level)
    return ms_fail_memory(err, "a plan");
  for (uint32_t i = 0; i < p->n_sets; i++)
    if (p->set[i].at < p->prefix)
      p->level_sets[p->set[i].at + 1]++;
  for (uint32_t level = 0; level < p->prefix; level++) {
    place[level] = p->level_sets[level];
    p->level_sets[level + 1] += p->level_sets[level];
  }
  for (uint32_t i = 0; i < p->n_sets; i++)
    if (p->set[i].at < p->prefix)
      p->by_level[place[p->set[i].at]++] = i;
  return MS_OK;
}

/* ---- the last level of the prefix ---------------------------------------------------- */

/* True if the root's row of all neighbours is the only row that the group needs and that is not
 * known, from the shape alone, to have the match of `level`. */
static bool needs_root_row(const ms_program *p, const ms_tail_group *g, const uint8_t *vertex,
                           uint32_t level)
{
  ms_bitset near = ms_shape_near(&p->shape, vertex[level]), unknown = {{0}};
  for (uint32_t i = g->tests.first; i < g->tests.first + g->tests.count; i++) {
    const ms_row_test *test = &p->test[i];
    if (test->absent || test->kind != MS_ROWS_ANY)
      return false;
    if (!ms_bitset_has(&near, vertex[test->level]))
      ms_bitset_add(&unknown, test->level);
  }
  return ms_bitset_equal(unknown, ms_bitset_of(0));
}

/* Decides whether the tail can be counted in one loop over the last level's
 * candidates. The tail's sets must be known before the loop or be looked up in
 * the table, and whether they contain the match of the last level must be known
 * or marked in the table. */
static void find_quick(compiler *c)
{
  ms_program *p = c->program;
  uint32_t level = p->prefix - 1;
  uint8_t vertex[MS_MAX_PATTERN];
  for (uint32_t i = 0; i < p->prefix; i++)
    vertex[i] = p->step[i].vertex;
  p->quick = p->n_groups > 0 && p->prefix > 1 && p->level_sets[level] == p->level_sets[level + 1];
  for (uint32_t g = 0; p->quick && g < p->n_groups; g++) {
    const ms_tail_group *group = &p->group[g];
    p->quick =
        group->size_only && ms_bitset_is_empty(group->above) && ms_bitset_is_empty(group->below);
    if (!p->quick || !ms_bitset_has(&group->distinct, level) ||
        ms_bitset_has(&group->inside, level))
      continue;
    p->quick = p->table && needs_root_row(p, group, vertex, level);
    p->table_marks = p->table_marks || p->quick;
  }
  p->table_marks = p->table_marks && p->quick;
  p->pairs = p->index->n < UINT32_C(1) << 29 && p->n_terms <= 2 && !p->falling;
  for (uint32_t i = 0; i < p->n_terms; i++)
    p->pairs =
        p->pairs && p->term[i].count <= 2 && p->term[i].factor >= -1 && p->term[i].factor <= 1;
}

/* ---- lists --------------------------------------------------------------------------- */

/* Lists the vertices of the domains that are iterated and are not ranges. */
static ms_status list_domains(ms_program *p, ms_error *err)
{
  for (uint32_t i = 0; i < p->prefix; i++) {
    const ms_domain *domain = &p->step[i].domain;
    if (p->step[i].source != MS_FROM_DOMAIN || !domain->bits || domain->count == 0)
      continue;
    uint32_t *list = p->list[i] = ms_alloc(domain->count, sizeof *list);
    if (!list)
      return ms_fail_memory(err, "the vertices of a domain");
    for (size_t w = domain->lo / 64; w <= (domain->hi - 1) / 64; w++)
      for (uint64_t left = domain->bits[w]; left; left &= left - 1)
        *list++ = (uint32_t)(w * 64) + (uint32_t)__builtin_ctzll(left);
    p->step[i].test_bits = false;
  }
  return MS_OK;
}

/* Lists a set of levels in the memory, from *used on; without memory it only counts them. */
static void list_levels(ms_bitset levels, uint8_t *memory, size_t *used, ms_level_list *list)
{
  list->count = ms_bitset_count(levels);
  if (memory) {
    list->level = memory + *used;
    ms_bitset_list(levels, memory + *used);
  }
  *used += list->count;
}

/* Makes all lists of levels at `memory`, and returns their size; without it only counts. */
static size_t list_all_levels(ms_program *p, uint8_t *memory)
{
  size_t used = 0;
  for (uint32_t i = 0; i < p->prefix; i++) {
    ms_step *s = &p->step[i];
    list_levels(s->above, memory, &used, &s->bounds.above);
    list_levels(s->below, memory, &used, &s->bounds.below);
    list_levels(s->distinct, memory, &used, &s->distinct_list);
  }
  for (uint32_t i = 0; i < p->n_sets; i++) {
    ms_set *s = &p->set[i];
    list_levels(s->above, memory, &used, &s->bounds.above);
    list_levels(s->below, memory, &used, &s->bounds.below);
  }
  for (uint32_t g = 0; g < p->n_groups; g++) {
    ms_tail_group *group = &p->group[g];
    list_levels(group->above, memory, &used, &group->bounds.above);
    list_levels(group->below, memory, &used, &group->bounds.below);
    list_levels(group->inside, memory, &used, &group->inside_list);
    list_levels(ms_bitset_minus(group->distinct, group->inside), memory, &used, &group->other_list);
  }
  return used;
}

ms_status ms_program_list_levels(ms_program *p, ms_error *err)
{
  uint8_t *memory = ms_alloc(list_all_levels(p, NULL) + 1, 1);
  if (!memory)
    return ms_fail_memory(err, "a plan");
  ms_free(p->levels);
  p->levels = memory;
  list_all_levels(p, memory);
  return MS_OK;
}

/* ---- entry points --------------------------------------------------------------------- */

static ms_status compile(compiler *c, ms_error *err)
{
  ms_program *p = c->program;
  ms_status status = MS_OK;
  uint32_t levels = c->options->levels ? c->options->levels : p->shape.n;
  p->prefix = levels - ms_bitset_count(c->options->tail);
  p->step = ms_calloc(p->prefix, sizeof *p->step);
  if (!p->step)
    return ms_fail_memory(err, "a plan");
  for (uint32_t i = 0; status == MS_OK && i < p->prefix; i++)
    status = compile_step(c, i, err);
  for (uint32_t i = p->prefix; status == MS_OK && i < levels; i++)
    status = compile_tail_vertex(c, i, err);
  if (status == MS_OK && p->n_groups > 0)
    status = ms_tail_compile(p, c->options->product, err);
  if (status != MS_OK)
    return status;
  if (c->options->table)
    use_table(c);
  if (c->options->priority && !use_priority(c))
    return MS_ERR_LIMIT;
  count_later(p);
  bound_sets(p);
  MS_TRY(sort_sets(p, err));
  find_quick(c);
  MS_TRY(list_domains(p, err));
  return ms_program_list_levels(p, err);
}

ms_status ms_program_new(const ms_pattern_index *index, const ms_plan *plan,
                         const ms_domain *domain, const ms_program_options *options,
                         ms_program **out, ms_error *err)
{
  *out = NULL;
  ms_program *program = ms_calloc(1, sizeof *program);
  if (!program)
    return ms_fail_memory(err, "a plan");
  program->index = index;
  program->shape = plan->shape;
  compiler c = {program, plan, domain, options, -1};
  ms_status status = compile(&c, err);
  if (status == MS_OK)
    *out = program;
  else
    ms_program_free(program);
  return status;
}

void ms_program_free(ms_program *program)
{
  if (!program)
    return;
  for (uint32_t i = 0; i < program->prefix; i++)
    ms_free(program->list[i]);
  ms_free(program->step);
  ms_free(program->levels);
  ms_free(program->set);
  ms_free(program->test);
  ms_free(program->by_level);
  ms_free(program);
}
