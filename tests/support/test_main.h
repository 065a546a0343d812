/* The main function that all test programs share, and the variables of the
 * environment that say how much the tests do.  MOTIFSIEVE_TEST_ONLY is the name of the one test
 * that a program runs; a program without such a test fails. */
#ifndef MS_TESTS_SUPPORT_TEST_MAIN_H
#define MS_TESTS_SUPPORT_TEST_MAIN_H

#include <check.h>
#include <stdbool.h>
#include <stdint.h>

/* One entry of a list of tests: a test, or a setting that holds for all tests of the list. */
typedef struct test_entry {
  const TTest *test;
  int first, times;     /* the test runs with _i = first, first + 1, .., first + times - 1 */
  void (*once)(void);   /* runs before all tests; the test folder (files.h) is there */
  void (*before)(void); /* runs before each test, in its process */
  void (*after)(void);  /* runs after each test */
  double seconds;       /* time limit of one test */
  bool no_fork;         /* all tests run in one process */
} test_entry;

#define TEST(name) ((test_entry){.test = (name), .times = 1})
#define TEST_TIMES(name, count) ((test_entry){.test = (name), .times = (int)(count)})
#define TEST_IF(name, condition) ((test_entry){.test = (name), .times = (condition) ? 1 : 0})
#define BEFORE_ALL(function) ((test_entry){.once = (function)})
#define AROUND_EACH(setup, teardown) ((test_entry){.before = (setup), .after = (teardown)})
#define TIME_LIMIT(limit) ((test_entry){.seconds = (limit)})
#define NO_FORK ((test_entry){.no_fork = true})

/* Checks a call of the library that fills in the error `err`. */
#define ck_ok(call) ck_assert_msg((call) == MS_OK, "%s", err.message)

/* Runs a list of entries; the value is the exit status of the program. */
#define RUN_TESTS(title, ...) run_tests(title, (const test_entry[]){__VA_ARGS__, {.times = 0}})
#define TEST_MAIN(title, ...)                                                                      \
  int main(void)                                                                                   \
  {                                                                                                \
    return RUN_TESTS(title, __VA_ARGS__);                                                          \
  }

/* The list ends with an empty entry.  Every list has a test folder; a test may take 300 seconds
 * where neither the list nor CK_DEFAULT_TIMEOUT gives another limit. */
int run_tests(const char *title, const test_entry *entries);

/* MOTIFSIEVE_TEST_SCALE: the fraction of the random cases that tests run; 1 by default. */
double test_scale(void);
/* Returns that fraction of a number of cases, at least 1. */
uint64_t scaled(uint64_t cases);
/* MOTIFSIEVE_TEST_LONG=1: tests of published data run all of it, which takes hours. */
bool test_is_long(void);

#endif
