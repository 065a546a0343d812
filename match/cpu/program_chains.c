/* The tests of a level, and the chains of sets that share their links. */
#include "match/cpu/compiler.h"

#include "base/alloc.h"
#include "base/status.h"

/* ---- tests ---------------------------------------------------------------- */

/* Adds a test of one kind of row for each of the levels. */
static void add_tests(ms_row_test *tests, uint32_t *count, ms_bitset levels, uint16_t kind,
                      bool absent)
{
  MS_EACH_MEMBER (level, levels)
    tests[(*count)++] = (ms_row_test){(uint8_t)level, absent, kind};
}

/* Lists the tests of a level with relations: each earlier neighbour's row of the relation. */
static uint32_t list_relations(const ms_compiler *c, const ms_plan_level *level,
                               ms_row_test tests[MS_MOST_TESTS])
{
  uint32_t count = 0;
  MS_EACH_MEMBER (j, level->back_out)
    tests[count++] = (ms_row_test){(uint8_t)j, false,
                                   c->plan->shape.label[c->plan->level[j].vertex][level->vertex]};
  add_tests(tests, &count, level->not_out, MS_ROWS_ANY, true);
  return count;
}

/* An arc from level j to this vertex puts its match into j's row OUT. */
uint32_t ms_compile_tests(const ms_compiler *c, const ms_plan_level *level,
                          ms_row_test tests[MS_MOST_TESTS])
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

ms_status ms_compile_keep(ms_compiler *c, const ms_row_test *tests, uint32_t count,
                          ms_row_tests *out, ms_error *err)
{
  ms_program *p = c->program;
  if (!MS_GROW(p->test, p->tests_room, p->n_tests, count))
    return ms_fail_memory(err, "a plan");
  *out = (ms_row_tests){p->n_tests, count};
  for (uint32_t i = 0; i < count; i++)
    p->test[p->n_tests++] = tests[i];
  return MS_OK;
}

/* ---- sets ------------------------------------------------------------------ */

/* Finds or adds a set and returns its number, or -2 if there is no memory. A
 * row is shared whatever the bits of the domain are. */
static int find_or_add_set(ms_compiler *c, int parent, ms_row_test l, const ms_domain *domain)
{
  ms_program *p = c->program;
  const uint64_t *bits = parent < 0 ? NULL : domain->bits;
  uint8_t at = parent >= 0 && p->set[parent].at > l.level ? p->set[parent].at : l.level;
  int last = parent < 0 ? c->last_row : p->set[parent].last_child;
  for (int i = last; i >= 0; i = p->set[i].sibling) {
    const ms_set *s = &p->set[i];
    if (s->level == l.level && s->kind == l.kind && s->subtract == l.absent && s->bits == bits &&
        s->lo == domain->lo && s->hi == domain->hi)
      return i;
  }
  if (!MS_GROW(p->set, p->sets_room, p->n_sets, 1))
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

ms_status ms_compile_chain(ms_compiler *c, ms_row_test *tests, uint32_t count,
                           const ms_domain *domain, int *set, ms_error *err)
{
  *set = -1;
  if (!sort_tests(tests, count))
    return MS_OK;
  for (uint32_t i = 0; i < count && *set != -2; i++)
    *set = find_or_add_set(c, *set, tests[i], domain);
  return *set != -2 ? MS_OK : ms_fail_memory(err, "a plan");
}
