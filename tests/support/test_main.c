#include "tests/support/test_main.h"

#include "tests/support/files.h"

#include <stdlib.h>
#include <string.h>

static bool is_empty(const test_entry *e)
{
  return !e->test && !e->once && !e->before && !e->after && e->seconds <= 0 && !e->no_fork;
}

/* True if MOTIFSIEVE_TEST_ONLY is not set, or is the name of the test. */
static bool is_wanted(const TTest *test)
{
  const char *only = getenv("MOTIFSIEVE_TEST_ONLY");
  return !only || strcmp(only, test->name) == 0;
}

int run_tests(const char *title, const test_entry *entries)
{
  Suite *suite = suite_create(title);
  TCase *cases = tcase_create(title);
  if (!getenv("CK_DEFAULT_TIMEOUT"))
    tcase_set_timeout(cases, 300);
  tcase_add_unchecked_fixture(cases, files_setup, files_teardown);
  suite_add_tcase(suite, cases);
  SRunner *runner = srunner_create(suite);
  for (const test_entry *e = entries; !is_empty(e); e++) {
    if (e->test && is_wanted(e->test))
      tcase_add_loop_test(cases, e->test, e->first, e->first + e->times);
    if (e->once)
      tcase_add_unchecked_fixture(cases, e->once, NULL);
    if (e->before || e->after)
      tcase_add_checked_fixture(cases, e->before, e->after);
    if (e->seconds > 0)
      tcase_set_timeout(cases, e->seconds);
    if (e->no_fork)
      srunner_set_fork_status(runner, CK_NOFORK);
  }
  srunner_run_all(runner, CK_ENV);
  bool passed = srunner_ntests_failed(runner) == 0 && srunner_ntests_run(runner) > 0;
  srunner_free(runner);
  return passed ? EXIT_SUCCESS : EXIT_FAILURE;
}

double test_scale(void)
{
  const char *text = getenv("MOTIFSIEVE_TEST_SCALE");
  double scale = text ? strtod(text, NULL) : 1;
  return scale > 0 ? scale : 1;
}

uint64_t scaled(uint64_t cases)
{
  double some = (double)cases * test_scale();
  return some > 1 ? (uint64_t)some : 1;
}

bool test_is_long(void)
{
  const char *value = getenv("MOTIFSIEVE_TEST_LONG");
  return value && strcmp(value, "1") == 0;
}
