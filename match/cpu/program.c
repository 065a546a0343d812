#include "match/cpu/program.h"

#include "base/alloc.h"
#include "base/status.h"
#include "match/cpu/tail.h"

#include <string.h>

#define BIT(i) (UINT64_C(1) << (i))
#define FIRST_SETS 32u /* initial room; few patterns without non-edges have more sets */

typedef struct compiler {
  ms_program *program;
  const ms_plan *plan;
  const ms_domain *domain; /* [shape.n] */
  const ms_program_options *options;
} compiler;

/* ---- chains of sets ------------------------------------------------------ */

/* A vertex has fewer tests: from and to each other vertex, with an arc and without. */
#define MOST_TESTS (4 * MS_MAX_PATTERN)

/* Adds a test of one kind of row for each level in the mask. */
static void add_tests(ms_row_test *tests, uint32_t *count, uint64_t levels, uint16_t kind,
                      bool absent)
{
  for (; levels; levels &= levels - 1)
    tests[(*count)++] = (ms_row_test){(uint8_t)__builtin_ctzll(levels), absent, kind};
}

/* Lists the tests of a level with relations: each earlier neighbour's row of the relation. */
static uint32_t list_relations(const compiler *c, const ms_plan_level *level,
                               ms_row_test tests[MOST_TESTS])
{
  uint32_t count = 0;
  for (uint64_t left = level->back_out; left; left &= left - 1) {
    uint32_t j = (uint32_t)__builtin_ctzll(left);
    add_tests(tests, &count, left & -left,
              c->plan->shape.label[c->plan->level[j].vertex][level->vertex], false);
  }
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
    add_tests(tests, &count, level->back_out | level->back_in, MS_ROWS_ANY, false);
    add_tests(tests, &count, level->not_out | level->not_in, MS_ROWS_ANY, true);
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
  for (uint32_t i = 0; i < p->n_sets; i++) {
    const ms_set *s = &p->set[i];
    if (s->parent == parent && s->level == l.level && s->kind == l.kind &&
        s->subtract == l.absent && s->bits == bits && same_hull(s, domain))
      return (int)i;
  }
  if (p->n_sets == p->sets_room && !grow_sets(p))
    return -2;
  p->set[p->n_sets] = (ms_set){.parent = parent,
                               .level = l.level,
                               .kind = l.kind,
                               .subtract = l.absent,
                               .at = at,
                               .above = ~UINT64_C(0),
                               .below = ~UINT64_C(0),
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

static uint64_t all_backs(const ms_plan_level *level)
{
  return level->back_out | level->back_in;
}

/* Returns the earlier levels that no other constraint keeps from having the
 * same match. */
static uint64_t distinct_from(const compiler *c, uint32_t i, const ms_domain *domain,
                              uint32_t levels)
{
  const ms_plan_level *level = &c->plan->level[i];
  uint64_t distinct = 0;
  for (uint32_t j = 0; j < i && j < levels; j++)
    if (!((all_backs(level) | level->above | level->below) >> j & 1) &&
        hulls_meet(domain, &c->domain[c->plan->level[j].vertex]))
      distinct |= BIT(j);
  return distinct;
}

/* Adds the bounds that follow from other constraints. A set that several levels
 * share is cut by the bounds that these levels have in common, so each level
 * needs all of its bounds. */
static void close_bounds(const ms_program *p, const ms_plan_level *level, uint32_t i,
                         uint64_t *above, uint64_t *below)
{
  for (uint32_t j = 0; j < i; j++) {
    if (level->above >> j & 1)
      *above |= BIT(j) | p->step[j].above;
    if (level->below >> j & 1)
      *below |= BIT(j) | p->step[j].below;
  }
}

static ms_status compile_step(compiler *c, uint32_t i, ms_error *err)
{
  const ms_plan_level *level = &c->plan->level[i];
  ms_step *step = &c->program->step[i];
  step->vertex = level->vertex;
  step->domain = c->domain[level->vertex];
  close_bounds(c->program, level, i, &step->above, &step->below);
  step->distinct = distinct_from(c, i, &step->domain, i) & ~(step->above | step->below);
  ms_row_test tests[MOST_TESTS];
  uint32_t count = list_tests(c, level, tests);
  MS_TRY(make_chain(c, tests, count, &step->domain, &step->set, err));
  if (step->set < 0)
    MS_TRY(keep_tests(c, tests, count, &step->tests, err));
  step->source = step->set >= 0 ? MS_FROM_SET : MS_FROM_DOMAIN;
  step->test_bits = step->domain.bits && (step->set < 0 || c->program->set[step->set].parent < 0);
  return MS_OK;
}

/* ---- tail -------------------------------------------------------------------- */

static bool same_candidates(const ms_tail_group *g, int set, const ms_domain *domain)
{
  return g->set == set && ms_domain_equal(&g->domain, domain);
}

/* Returns the levels that are adjacent, in the shape, to every vertex that the
 * tail vertex is adjacent to. Their matches are among its candidates unless its
 * domain excludes them. */
static uint64_t inside_levels(const compiler *c, const ms_plan_level *tail, uint64_t distinct)
{
  const ms_shape *s = &c->plan->shape;
  ms_arc_labels label = s->label;
  uint64_t inside = 0;
  for (uint64_t left = distinct; left; left &= left - 1) {
    uint32_t j = (uint32_t)__builtin_ctzll(left), u = c->plan->level[j].vertex;
    bool all = tail->not_out == 0 && tail->not_in == 0;
    for (uint32_t b = 0; all && b < c->program->prefix; b++) {
      uint32_t w = c->plan->level[b].vertex;
      if (tail->back_out >> b & 1)
        all = b != j && (s->out[w] >> u & 1) && (!label || label[w][u] == label[w][tail->vertex]);
      if (all && (tail->back_in >> b & 1))
        all = b != j && (s->in[w] >> u & 1);
    }
    if (all)
      inside |= BIT(j);
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
  group->distinct = distinct_from(c, i, &domain, p->prefix) & ~(group->above | group->below);
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
  uint64_t above = ~UINT64_C(0), below = ~UINT64_C(0);
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
    above &= p->step[group->with].above;
    below &= p->step[group->with].below;
    if (p->step[group->with].source == MS_FROM_DOMAIN && group->with > 0) {
      p->step[group->with].source = MS_FROM_TOUCHED;
      p->step[group->with].test_bits = p->step[group->with].domain.bits != NULL;
    }
  }
  p->table_above = p->table && above & 1;
  p->table_below = p->table && below & 1;
}

/* Moves the order between the tail and the root into the table. Returns false
 * if there is no table, or if the tail has further order constraints. */
static bool use_priority(compiler *c)
{
  ms_program *p = c->program;
  ms_tail_group *g = &p->group[0];
  if (p->n_groups != 1 || !g->table || g->above || g->below != 1)
    return false;
  p->middle_below = true;
  g->below = 0;
  return true;
}

/* ---- bounds of the sets ------------------------------------------------------------ */

static void narrow_set(ms_set *set, uint64_t above, uint64_t below)
{
  uint64_t known = set->at == 63 ? ~UINT64_C(0) : BIT(set->at + 1) - 1;
  set->above &= above & known;
  set->below &= below & known;
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
    uint64_t later = s->at == 63 ? 0 : ~(BIT(s->at + 1) - 1);
    bool filtered = s->bits && s->parent >= 0 && p->set[s->parent].parent < 0;
    s->count_only = s->parent >= 0 && !s->subtract && s->uses == 1 && !filtered &&
                    !((group->above | group->below) & later);
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
  uint16_t place = 0;
  p->by_level = ms_alloc(p->n_sets + 1, sizeof *p->by_level);
  if (!p->by_level)
    return ms_fail_memory(err, "a plan");
  for (uint32_t level = 0; level < p->prefix; level++) {
    p->level_sets[level] = place;
    for (uint32_t i = 0; i < p->n_sets; i++)
      if (p->set[i].at == level)
        p->by_level[place++] = (uint16_t)i;
  }
  p->level_sets[p->prefix] = place;
  return MS_OK;
}

/* ---- the last level of the prefix ---------------------------------------------------- */

/* True if the root's row of all neighbours is the only row that the group needs and that is not
 * known, from the shape alone, to have the match of `level`. */
static bool needs_root_row(const ms_program *p, const ms_tail_group *g, const uint8_t *vertex,
                           uint32_t level)
{
  uint64_t near = ms_shape_near(&p->shape, vertex[level]), unknown = 0;
  for (uint32_t i = g->tests.first; i < g->tests.first + g->tests.count; i++) {
    const ms_row_test *test = &p->test[i];
    if (test->absent || test->kind != MS_ROWS_ANY)
      return false;
    if (!(near >> vertex[test->level] & 1))
      unknown |= BIT(test->level);
  }
  return unknown == 1;
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
    p->quick = group->size_only && !(group->above | group->below);
    if (!p->quick || !(group->distinct >> level & 1) || (group->inside >> level & 1))
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

/* ---- entry points --------------------------------------------------------------------- */

static ms_status compile(compiler *c, ms_error *err)
{
  ms_program *p = c->program;
  ms_status status = MS_OK;
  uint32_t levels = c->options->levels ? c->options->levels : p->shape.n;
  p->prefix = levels - (uint32_t)__builtin_popcountll(c->options->tail);
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
  bound_sets(p);
  MS_TRY(sort_sets(p, err));
  find_quick(c);
  return list_domains(p, err);
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
  compiler c = {program, plan, domain, options};
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
  ms_free(program->set);
  ms_free(program->test);
  ms_free(program->by_level);
  ms_free(program);
}
