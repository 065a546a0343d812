/* Typed patterns on every CUDA engine. */
#include "gpu/match/upload.h"
#include "tests/gpu/emulated/engines.h"
#include "tests/support/search/typed_cases.h"
#include "tests/support/test_main.h"

#include <stdlib.h>
#include <string.h>

enum { TYPED_CASES = 300 };

static uint32_t width; /* of the rows that are compared */

static int by_row(const void *a, const void *b)
{
  const uint32_t *x = a, *y = b;
  for (uint32_t i = 0; i < width; i++)
    if (x[i] != y[i])
      return x[i] < y[i] ? -1 : 1;
  return 0;
}

static void check_rows(const typed_case *c, ms_typed_match_options *o, uint64_t seed)
{
  ms_typed_result *r;
  ms_error err = {0};
  if (ms_typed_match(c->query, o, &r, &err) != MS_OK)
    ck_abort_msg("%s, seed %lu: %s", engine->name, (unsigned long)seed, err.message);
  width = c->p;
  if (r->matches != c->classes)
    ck_abort_msg("%s, seed %lu: %lu matches, not %lu", engine->name, (unsigned long)seed,
                 (unsigned long)r->matches, (unsigned long)c->classes);
  if (r->matches > 0) {
    qsort(r->vertices, r->matches, c->p * sizeof *r->vertices, by_row);
    ck_assert_int_eq(memcmp(r->vertices, c->row, c->classes * c->p * sizeof *c->row), 0);
  }
  ms_typed_result_free(r);
}

static void check_count(const typed_case *c, ms_typed_match_options *o, uint64_t seed)
{
  ms_typed_result *r;
  ms_error err = {0};
  o->count_only = o->embeddings = true;
  if (ms_typed_match(c->query, o, &r, &err) != MS_OK)
    ck_abort_msg("%s, seed %lu: %s", engine->name, (unsigned long)seed, err.message);
  if (r->matches != c->maps)
    ck_abort_msg("%s, seed %lu: %lu maps, not %lu", engine->name, (unsigned long)seed,
                 (unsigned long)r->matches, (unsigned long)c->maps);
  ms_typed_result_free(r);
}

/* The engine lists the rows and counts the maps of plain trial: 300 random typed cases of up to 9
 * graph and 5 pattern vertices in three parts, every third one induced. */
START_TEST(test_typed_cases)
{
  uint64_t with = 0;
  for (uint64_t seed = enter(_i); seed < scaled(TYPED_CASES); seed += 3) {
    typed_case c;
    ms_typed_match_options o = MS_TYPED_MATCH_OPTIONS_DEFAULT;
    typed_case_make(&c, 1000 + seed, 9, 5);
    o.induced = c.induced = seed / 3 % 3 == 0;
    o.run.engine = engine->name;
    o.run.threads = 1;
    typed_case_solve(&c);
    vary(seed);
    check_rows(&c, &o, seed);
    check_count(&c, &o, seed);
    with += c.maps > 0;
    typed_case_free(&c);
  }
  ms_gpu_match_free_kept();
  ck_assert_uint_ge(with, scaled(TYPED_CASES) / 20);
}
END_TEST

void add_typed_tests(int number)
{
  add_test(number, test_typed_cases, 3);
}
