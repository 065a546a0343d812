#include "match/cpu/program.h"

#include "base/alloc.h"
#include "base/status.h"
#include "match/cpu/compiler.h"

#include <stdlib.h>
#include <string.h>

/* ---- the program of a tail ------------------------------------------------------------------- */

/* The tail of a program: the vertices that are counted without being
 * visited. */

typedef struct partition {
  ms_program *program;
  uint8_t group_of[MS_MAX_TAIL]; /* [r] group of each tail vertex */
  uint32_t r;
  uint8_t block[MS_MAX_TAIL];     /* mask of the groups in the block */
  uint32_t in_block[MS_MAX_TAIL]; /* number of vertices in the block */
  bool full;
} partition;

/* True if the candidates of these groups can have a vertex in common. */
static bool can_meet(const ms_program *p, uint8_t mask)
{
  for (uint32_t g = 0; g < p->n_groups; g++)
    for (uint32_t h = g + 1; h < p->n_groups; h++)
      if ((mask >> g & 1) && (mask >> h & 1) &&
          !ms_domain_meets(&p->group[g].domain, &p->group[h].domain))
        return false;
  return true;
}

static bool has_test(const ms_program *p, ms_row_tests tests, const ms_row_test *test)
{
  for (uint32_t i = tests.first; i < tests.first + tests.count; i++)
    if (p->test[i].level == test->level && p->test[i].kind == test->kind &&
        p->test[i].absent == test->absent)
      return true;
  return false;
}

/* True if every candidate of group g is one of group h, whatever is matched. */
static bool is_within(const ms_program *p, const ms_tail_group *g, const ms_tail_group *h)
{
  bool within = g->domain.lo >= h->domain.lo && g->domain.hi <= h->domain.hi &&
                (!h->domain.bits || h->domain.bits == g->domain.bits) &&
                ms_bitset_equal(g->above, h->above) && ms_bitset_equal(g->below, h->below);
  for (uint32_t i = h->tests.first; within && i < h->tests.first + h->tests.count; i++)
    within = has_test(p, g->tests, &p->test[i]);
  return within;
}

/* Leaves out the groups that contain another one of the mask, which change no intersection. */
static uint8_t smallest_groups(const ms_program *p, uint8_t mask)
{
  for (uint32_t h = 0; h < p->n_groups; h++)
    for (uint32_t g = 0; g < p->n_groups && (mask >> h & 1); g++)
      if (g != h && (mask >> g & 1) && is_within(p, &p->group[g], &p->group[h]))
        mask &= (uint8_t) ~(1u << h);
  return mask;
}

static int compare_masks(const void *a, const void *b)
{
  return *(const uint8_t *)a - *(const uint8_t *)b;
}

/* Adds the term of a complete partition; terms with the same blocks are
 * merged. */
static void add_term(partition *t, uint32_t blocks)
{
  ms_program *p = t->program;
  ms_tail_term term = {.factor = 1, .count = (uint8_t)blocks};
  for (uint32_t b = 0; b < blocks; b++) {
    if (!can_meet(p, t->block[b]))
      return;
    for (uint32_t i = 1; i < t->in_block[b]; i++)
      term.factor *= -(int64_t)i;
    term.mask[b] = smallest_groups(p, t->block[b]);
  }
  qsort(term.mask, blocks, sizeof *term.mask, compare_masks);
  for (uint32_t i = 0; i < p->n_terms; i++)
    if (p->term[i].count == term.count &&
        memcmp(p->term[i].mask, term.mask, sizeof term.mask) == 0) {
      p->term[i].factor += term.factor;
      return;
    }
  t->full = t->full || p->n_terms == MS_MAX_TAIL_TERMS;
  if (!t->full)
    p->term[p->n_terms++] = term;
}

/* Adds every partition of the vertices i, i + 1, ... into the existing blocks
 * and new ones. */
static void add_partitions(partition *t, uint32_t i, uint32_t blocks)
{
  if (i == t->r) {
    add_term(t, blocks);
    return;
  }
  uint8_t bit = (uint8_t)(1u << t->group_of[i]);
  for (uint32_t b = 0; b < blocks; b++) {
    uint8_t before = t->block[b];
    t->block[b] |= bit;
    t->in_block[b]++;
    add_partitions(t, i + 1, blocks);
    t->in_block[b]--;
    t->block[b] = before;
  }
  t->block[blocks] = bit;
  t->in_block[blocks] = 1;
  add_partitions(t, i + 1, blocks + 1);
}

/* Drops terms that others have cancelled. */
static void drop_zeros(ms_program *p)
{
  uint32_t kept = 0;
  for (uint32_t i = 0; i < p->n_terms; i++)
    if (p->term[i].factor != 0)
      p->term[kept++] = p->term[i];
  p->n_terms = kept;
}

/* Marks the groups of which only the size is needed, because no term intersects
 * their sets with others. */
static void mark_size_only(ms_program *p)
{
  for (uint32_t g = 0; g < p->n_groups; g++) {
    p->group[g].size_only = true;
    for (uint32_t i = 0; i < p->n_terms; i++)
      for (uint32_t b = 0; b < p->term[i].count; b++) {
        uint8_t mask = p->term[i].mask[b];
        if ((mask >> g & 1) && (mask & (mask - 1)))
          p->group[g].size_only = false;
      }
  }
}

/* Fills term[] or `falling` from group[]. With `product` the sets are counted
 * as if they could share vertices. One group may have any number of vertices;
 * several groups or a product have at most MS_MAX_TAIL. Returns MS_ERR_LIMIT if
 * there are more terms than there is room for. */
static ms_status tail_compile(ms_program *p, bool product, ms_error *err)
{
  partition t = {.program = p};
  p->n_terms = 0;
  p->product = product;
  p->falling = p->n_groups == 1 && p->group[0].size > MS_MAX_TAIL && !product;
  if (p->falling) {
    p->group[0].size_only = true;
    return MS_OK;
  }
  for (uint32_t g = 0; g < p->n_groups; g++)
    for (uint32_t i = 0; i < p->group[g].size; i++)
      t.group_of[t.r++] = (uint8_t)g;
  if (product) {
    ms_tail_term *term = &p->term[p->n_terms++];
    *term = (ms_tail_term){.factor = 1, .count = (uint8_t)t.r};
    for (uint32_t i = 0; i < t.r; i++)
      term->mask[i] = (uint8_t)(1u << t.group_of[i]);
  } else {
    add_partitions(&t, 0, 0);
    drop_zeros(p);
  }
  mark_size_only(p);
  return t.full ? ms_fail(err, MS_ERR_LIMIT, "too many terms of a tail") : MS_OK;
}

/* ---- levels ---------------------------------------------------------------- */

static bool hulls_meet(const ms_domain *a, const ms_domain *b)
{
  return a->lo < b->hi && b->lo < a->hi;
}

/* Returns the earlier levels that no other constraint keeps from having the
 * same match. */
static ms_bitset distinct_from(const ms_compiler *c, uint32_t i, const ms_domain *domain,
                               uint32_t levels)
{
  const ms_plan_level *level = &c->plan->level[i];
  ms_bitset distinct = {{0}};
  ms_bitset apart = ms_bitset_or(ms_bitset_or(level->back_out, level->back_in),
                                 ms_bitset_or(level->above, level->below));
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

static ms_status compile_step(ms_compiler *c, uint32_t i, ms_error *err)
{
  const ms_plan_level *level = &c->plan->level[i];
  ms_step *step = &c->program->step[i];
  step->vertex = level->vertex;
  step->domain = c->domain[level->vertex];
  close_bounds(c->program, level, i, &step->above, &step->below);
  step->distinct = ms_bitset_minus(distinct_from(c, i, &step->domain, i),
                                   ms_bitset_or(step->above, step->below));
  ms_row_test tests[MS_MOST_TESTS];
  uint32_t count = ms_compile_tests(c, level, tests), in_set = count;
  bool apart = c->plan->shape.n > MS_MOST_SUBTRACTED;
  while (in_set > 0 && tests[in_set - 1].absent && (apart || tests[0].absent))
    in_set--;
  MS_TRY(ms_compile_keep(c, tests + in_set, count - in_set, &step->tests, err));
  MS_TRY(ms_compile_chain(c, tests, in_set, &step->domain, &step->set, err));
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

/* Returns the levels that are adjacent, in the shape, to every vertex that the
 * tail vertex is adjacent to. Their matches are among its candidates unless its
 * domain excludes them. */
static ms_bitset inside_levels(const ms_compiler *c, const ms_plan_level *tail, ms_bitset distinct)
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

static ms_status compile_tail_vertex(ms_compiler *c, uint32_t i, ms_error *err)
{
  ms_program *p = c->program;
  const ms_plan_level *level = &c->plan->level[i];
  ms_domain domain = c->domain[level->vertex];
  ms_row_test tests[MS_MOST_TESTS];
  uint32_t count = ms_compile_tests(c, level, tests);
  int set;
  MS_TRY(ms_compile_chain(c, tests, count, &domain, &set, err));
  for (uint32_t g = 0; g < p->n_groups; g++)
    if (p->group[g].set == set && ms_domain_equal(&p->group[g].domain, &domain)) {
      p->group[g].size++;
      return MS_OK;
    }
  ms_tail_group *group = &p->group[p->n_groups++];
  *group = (ms_tail_group){.size = 1, .set = set, .domain = domain};
  MS_TRY(ms_compile_keep(c, tests, count, &group->tests, err));
  if (c->options->bounded || c->options->priority)
    close_bounds(p, level, i, &group->above, &group->below);
  group->distinct = ms_bitset_minus(distinct_from(c, i, &domain, p->prefix),
                                    ms_bitset_or(group->above, group->below));
  group->inside = inside_levels(c, level, group->distinct);
  group->test_bits = domain.bits && (set < 0 || p->set[set].parent < 0);
  return MS_OK;
}

/* Sets `bounds` to those of all vertices of the tail. Returns false if these differ. */
static bool bounds_of_tail(const ms_compiler *c, ms_tail_group *group)
{
  ms_bitset above = {{0}}, below = {{0}};
  for (uint32_t i = c->program->prefix; i < c->program->shape.n; i++) {
    ms_bitset a = {{0}}, b = {{0}};
    close_bounds(c->program, &c->plan->level[i], i, &a, &b);
    if (i > c->program->prefix && (!ms_bitset_equal(a, above) || !ms_bitset_equal(b, below)))
      return false;
    above = a;
    below = b;
  }
  group->above = above;
  group->below = below;
  return true;
}

/* Compiles a tail with an inner pattern, which is one group whatever edges it has inside. */
static ms_status compile_module(ms_compiler *c, ms_error *err)
{
  ms_program *p = c->program;
  ms_plan_level level = c->plan->level[p->prefix];
  ms_row_test tests[MS_MOST_TESTS];
  ms_tail_group *group = &p->group[p->n_groups++];
  *group = (ms_tail_group){.size = p->shape.n - p->prefix, .domain = c->domain[level.vertex]};
  p->inner = c->options->inner;
  for (uint32_t i = p->prefix; i < p->shape.n; i++) {
    const ms_domain *domain = &c->domain[c->plan->level[i].vertex];
    if (domain->lo < group->domain.lo)
      group->domain = *domain;
  }
  uint32_t count = ms_compile_tests(c, &level, tests);
  MS_TRY(ms_compile_chain(c, tests, count, &group->domain, &group->set, err));
  MS_TRY(ms_compile_keep(c, tests, count, &group->tests, err));
  if (c->options->priority && !bounds_of_tail(c, group))
    return MS_ERR_LIMIT;
  group->distinct = ms_bitset_minus(distinct_from(c, p->prefix, &group->domain, p->prefix),
                                    ms_bitset_or(group->above, group->below));
  group->inside = inside_levels(c, &level, group->distinct);
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

/* Lets the table lead to a level whose only path to the root is through the inner vertices. */
static void find_by_table(ms_compiler *c)
{
  ms_program *p = c->program;
  ms_set first, second;
  ms_tail_group *group = &p->group[0];
  ms_step *step = &p->step[p->prefix - 1];
  if (!is_common_neighbor_set(p, group, &first, &second) || second.level + 1u != p->prefix ||
      step->source != MS_FROM_DOMAIN || step->domain.bits)
    return;
  p->table = true;
  p->table_first = first.kind;
  p->table_second = ms_reverse_rows(second.kind);
  p->table_middle = group->domain;
  p->table_above = ms_bitset_has(&step->above, 0);
  p->table_below = ms_bitset_has(&step->below, 0);
  step->source = MS_FROM_TOUCHED;
  step->paths = group->size;
}

/* True if a constraint of the group, or the engine, needs the elements of its set. */
static bool needs_elements(const ms_compiler *c, const ms_tail_group *g)
{
  bool free_of_bounds = ms_bitset_is_empty(g->above) && ms_bitset_is_empty(g->below);
  return !g->size_only || (c->options->bounded && !(c->options->single && free_of_bounds));
}

/* Uses the table for all groups that can be looked up in it. A level without an
 * edge to the earlier ones takes its candidates from the vertices that the
 * table touched. */
static void use_table(ms_compiler *c)
{
  ms_program *p = c->program;
  ms_set first, second;
  bool above = true, below = true; /* of the root */
  for (uint32_t g = 0; g < p->n_groups; g++) {
    ms_tail_group *group = &p->group[g];
    if (needs_elements(c, group) || !is_common_neighbor_set(p, group, &first, &second))
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

/* True if the root is above all other levels, and all sizes of the tail can be looked up among
 * paths below it. A product of two vertices is one, whose only partition is counted with the same
 * order (match/count/count.c). */
static bool allows_priority(const ms_program *p)
{
  uint32_t tail = p->shape.n - p->prefix;
  bool all = p->n_groups > 0 && (p->n_groups == 1 || (p->product && tail == 2));
  for (uint32_t i = 1; i < p->prefix; i++)
    all = all && ms_bitset_has(&p->step[i].below, 0);
  for (uint32_t g = 0; g < p->n_groups; g++)
    all = all && (p->inner ? p->table : p->group[g].table) &&
          ms_bitset_is_empty(p->group[g].above) &&
          ms_bitset_equal(p->group[g].below, ms_bitset_of(0));
  return all;
}

/* Moves the order between the tail and the root into the table. Returns false
 * if there is no table, or if the tail has further order constraints. */
static bool use_priority(ms_compiler *c)
{
  ms_program *p = c->program;
  if (!allows_priority(p))
    return false;
  p->middle_below = true;
  for (uint32_t g = 0; !p->inner && g < p->n_groups; g++)
    ms_bitset_remove(&p->group[g].below, 0);
  return true;
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

/* Finds out whether marks tell which matches of levels below `level` are the group's candidates, so
 * that the loop over the candidates of `level` does not have to search their rows. */
static bool finds_others_marked(const ms_program *p, const ms_tail_group *g, const uint8_t *vertex,
                                uint32_t level)
{
  ms_bitset others = ms_bitset_minus(ms_bitset_and(g->distinct, ms_bitset_below(level)), g->inside);
  bool marked = g->table && g->with == level && !ms_bitset_is_empty(others);
  MS_EACH_MEMBER (i, others)
    marked = marked && needs_root_row(p, g, vertex, i);
  return marked;
}

/* Decides whether the tail can be counted in one loop over the last level's
 * candidates. The tail's sets must be known before the loop or be looked up in
 * the table, and whether they contain the match of the last level must be known
 * or marked in the table. */
static void find_quick(ms_compiler *c)
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
  for (uint32_t g = 0; p->quick && p->table && g < p->n_groups; g++) {
    p->group[g].marked = finds_others_marked(p, &p->group[g], vertex, level);
    p->table_marks = p->table_marks || p->group[g].marked;
  }
  p->table_marks = p->table_marks && p->quick;
  p->pairs = p->index->n < UINT32_C(1) << 29 && p->n_terms <= 2 && !p->falling;
  for (uint32_t i = 0; i < p->n_terms; i++)
    p->pairs =
        p->pairs && p->term[i].count <= 2 && p->term[i].factor >= -1 && p->term[i].factor <= 1;
}

/* ---- entry points --------------------------------------------------------------------- */

static ms_status compile(ms_compiler *c, ms_error *err)
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
  if (status == MS_OK && c->options->inner)
    status = compile_module(c, err);
  for (uint32_t i = p->prefix; status == MS_OK && !p->inner && i < levels; i++)
    status = compile_tail_vertex(c, i, err);
  if (status == MS_OK && p->n_groups > 0 && !p->inner)
    status = tail_compile(p, c->options->product, err);
  if (status != MS_OK)
    return status;
  if (p->inner)
    find_by_table(c);
  else if (c->options->table)
    use_table(c);
  if (c->options->priority && !use_priority(c))
    return MS_ERR_LIMIT;
  count_later(p);
  ms_compile_bounds(p);
  MS_TRY(ms_compile_order(p, err));
  find_quick(c);
  MS_TRY(ms_compile_domains(p, err));
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
  ms_compiler c = {program, plan, domain, options, -1};
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
