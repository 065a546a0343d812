/* Plans as text and as JSON, and without memory. */
#include "base/alloc.h"
#include "tests/support/allocations.h"
#include "tests/support/random.h"
#include "tests/support/search/plans.h"
#include "tests/support/test_main.h"

#include <jansson.h>
#include <stdio.h>

static ms_error err;

/* The plan of a diamond is printed as exactly the expected table, with a name beyond ASCII. */
START_TEST(text_is_a_table)
{
  ms_shape shape = shapes_cycle(4);
  shapes_join(&shape, 0, 2);
  ms_plan_input input = plans_input(4, MS_ORDER_RI, true);
  const char *const name[] = {"a", "b\303\251b", "c", "d"};
  static const char expected[] =
      "order: ri; automorphisms: 4, one match of each class; estimated cost: 2482001\n"
      "level  vertex  candidates  matches  adjacent to  larger than  candidates within those of  "
      "rows of\n"
      "    0  a             1000     1000  -            -            -                           "
      "-\n"
      "    1  b\303\251b             20    20000  a            -            -                   "
      "        a\n"
      "    2  c                4    40000  a b\303\251b        a            -                   "
      "        a b\303\251b\n"
      "    3  d                4    80000  a c          b\303\251b          c (c as b\303\251b)"
      "                -\n";
  char *text = NULL;
  ms_plan *plan = plans_new(&shape, &input);
  ck_assert_int_eq(ms_plan_text(plan, name, &text, &err), MS_OK);
  ck_assert_str_eq(text, expected);
  ms_free(text);
  ms_plan_free(plan);
}
END_TEST

static void check_names(const json_t *object, const char *key, const ms_plan *plan,
                        const char *const *name, ms_bitset levels)
{
  const json_t *array = json_object_get(object, key);
  size_t at = 0;
  ck_assert_msg(json_is_array(array), "%s", key);
  for (uint32_t b = 0; b < MS_MAX_PATTERN; b++)
    if (ms_bitset_has(&levels, b))
      ck_assert_str_eq(json_string_value(json_array_get(array, at++)), name[plan->level[b].vertex]);
  ck_assert_uint_eq(json_array_size(array), at);
}

static void check_json_reuse(const json_t *object, const ms_plan *plan, const char *const *name,
                             const ms_plan_reuse *r)
{
  const json_t *with = json_object_get(object, "with");
  size_t at = 0;
  ck_assert_str_eq(json_string_value(json_object_get(object, "of")),
                   name[plan->level[r->level].vertex]);
  ck_assert_int_eq(json_is_true(json_object_get(object, "same_path")), r->same_path);
  check_names(object, "covers_from", plan, name, r->covers_out);
  check_names(object, "covers_to", plan, name, r->covers_in);
  for (uint32_t b = 0; b < r->level; b++) {
    if (!ms_bitset_has(&r->needed, b))
      continue;
    const json_t *pair = json_array_get(with, at++);
    ck_assert_str_eq(json_string_value(json_array_get(pair, 0)),
                     name[plan->level[r->from[b]].vertex]);
    ck_assert_str_eq(json_string_value(json_array_get(pair, 1)), name[plan->level[b].vertex]);
  }
  ck_assert_uint_eq(json_array_size(with), at);
  ck_assert_uint_eq(json_object_size(object), 5);
}

static void check_json_level(const json_t *object, const ms_plan *plan, const char *const *name,
                             uint32_t i)
{
  const ms_plan_level *level = &plan->level[i];
  const json_t *reuse = json_object_get(object, "reuse");
  ck_assert_str_eq(json_string_value(json_object_get(object, "vertex")), name[level->vertex]);
  ck_assert_double_eq_tol(json_number_value(json_object_get(object, "matches")), level->matches,
                          1e-4 * level->matches);
  ck_assert_double_eq_tol(json_number_value(json_object_get(object, "candidates")),
                          level->candidates, 1e-4 * level->candidates);
  check_names(object, "arcs_from", plan, name, level->back_out);
  check_names(object, "arcs_to", plan, name, level->back_in);
  check_names(object, "no_arc_from", plan, name, level->not_out);
  check_names(object, "no_arc_to", plan, name, level->not_in);
  check_names(object, "larger_than", plan, name, level->above);
  check_names(object, "smaller_than", plan, name, level->below);
  check_names(object, "rows_from", plan, name, level->rows_out);
  check_names(object, "rows_to", plan, name, level->rows_in);
  ck_assert_uint_eq(json_array_size(reuse), level->n_reuse);
  for (uint32_t k = 0; k < level->n_reuse; k++)
    check_json_reuse(json_array_get(reuse, k), plan, name, &level->reuse[k]);
  ck_assert_uint_eq(json_object_size(object), 12);
}

/* The JSON of a plan, read by jansson, holds all that the plan does: 300 random shapes of up to 8
 * vertices, with names that need escapes. */
START_TEST(json_says_it_all)
{
  const char *const name[] = {"a", "\"b\"", "c\\", "d\t\x01", "\xC3\xA9", "", "7", "h"};
  uint64_t state = 10;
  for (int i = 0; i < 300; i++) {
    uint32_t n = 1 + random_below(&state, 8);
    ms_shape shape = shapes_random(&state, n, i % 2, random_below(&state, 257), 1 + i % 3);
    ms_plan_input input = plans_random_input(&state, n);
    shape.induced = i % 3 == 0;
    ms_plan *plan = plans_new(&shape, &input);
    char *text = NULL, order[32];
    ck_assert_int_eq(ms_plan_json(plan, name, &text, &err), MS_OK);
    json_t *object = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    ck_assert_msg(object, "%s", text);
    const json_t *levels = json_object_get(object, "levels");
    snprintf(order, sizeof order, "%llu", (unsigned long long)plans_group_order(plan));
    ck_assert_str_eq(json_string_value(json_object_get(object, "automorphisms")), order);
    ck_assert_str_eq(json_string_value(json_object_get(object, "order")),
                     ms_order_word(plan->order));
    ck_assert_int_eq(json_is_true(json_object_get(object, "constrained")), plan->constrained);
    ck_assert_int_eq(json_is_true(json_object_get(object, "directed")), shape.directed);
    ck_assert_int_eq(json_is_true(json_object_get(object, "induced")), shape.induced);
    ck_assert_double_eq_tol(json_number_value(json_object_get(object, "cost")), plan->cost,
                            1e-4 * plan->cost);
    ck_assert_uint_eq(json_object_size(object), 7);
    ck_assert_uint_eq(json_array_size(levels), n);
    for (uint32_t l = 0; l < n; l++)
      check_json_level(json_array_get(levels, l), plan, name, l);
    json_decref(object);
    ms_free(text);
    ms_plan_free(plan);
  }
}
END_TEST

static ms_status make_and_write(void *user, ms_error *error)
{
  static const char *const letter[] = {"a", "b", "c", "d", "e", "f"};
  const ms_shape *shape = user;
  ms_plan_input input = plans_input(shape->n, MS_ORDER_AUTO, true);
  ms_plan *plan = NULL;
  char *text = NULL, *json = NULL;
  ms_status status = ms_plan_new(shape, &input, &plan, error);
  if (status == MS_OK)
    status = ms_plan_text(plan, letter, &text, error);
  if (status == MS_OK)
    status = ms_plan_json(plan, letter, &json, error);
  ms_free(text);
  ms_free(json);
  ms_plan_free(plan);
  return status;
}

/* Whichever allocation fails while a plan is made and written, the call reports it and leaks no
 * block. */
START_TEST(survives_lack_of_memory)
{
  ms_shape clique = shapes_clique(6);
  ck_assert_int_gt(failing_runs(make_and_write, &clique), 10);
}
END_TEST

TEST_MAIN("plans: text", TEST(text_is_a_table), TEST(json_says_it_all),
          TEST(survives_lack_of_memory))
