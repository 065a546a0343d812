/* Two ways to one result. */
#include "base/hooks.h"
#include "base/status.h"
#include "base/threads/race.h"
#include "base/threads/stop.h"

#include "tests/support/test_main.h"

#include <stdatomic.h>

/* What a way does. */
typedef enum deed { ENDS, FAILS, RUNS /* until it is stopped */ } deed;

typedef struct ways {
  deed first, second;
  double patience;
  atomic_int begun; /* by the second way */
  const ms_stop *current[2];
} ways;

static ms_status do_deed(deed of, const ms_stop *stop, const char *name, ms_error *err)
{
  ms_status status = MS_OK;
  if (of == FAILS)
    return ms_fail(err, MS_ERR_INPUT, "the %s way fails", name);
  while (of == RUNS && (status = ms_stop_check(stop)) == MS_OK)
    ;
  return status;
}

static ms_status first(void *user, ms_race *race, const ms_stop *stop, ms_error *err)
{
  ways *w = user;
  (void)race;
  w->current[0] = ms_stop_current() == stop ? stop : NULL;
  return do_deed(w->first, stop, "first", err);
}

static ms_status second(void *user, ms_race *race, const ms_stop *stop, ms_error *err)
{
  ways *w = user;
  if (!ms_race_wait(race, w->patience))
    return MS_ERR_LIMIT;
  w->begun++;
  w->current[1] = ms_stop_current() == stop ? stop : NULL;
  return do_deed(w->second, stop, "second", err);
}

static const struct {
  ways ways;
  bool second_first;
  ms_status status;
  bool by_second, begun;
  const char *message, *why; /* NULL: none */
} cases[] = {
    {{.first = ENDS, .second = ENDS, .patience = 100}, false, MS_OK, false, false, NULL, NULL},
    {{.first = RUNS, .second = ENDS, .patience = 0}, false, MS_OK, true, true, NULL, NULL},
    {{.first = ENDS, .second = ENDS, .patience = 0}, true, MS_OK, false, true, NULL, NULL},
    {{.first = ENDS, .second = FAILS, .patience = 0},
     true,
     MS_OK,
     false,
     true,
     NULL,
     "the second way fails"},
    {{.first = FAILS, .second = ENDS, .patience = 0},
     true,
     MS_OK,
     true,
     true,
     "the first way fails",
     NULL},
    {{.first = FAILS, .second = FAILS, .patience = 0},
     true,
     MS_ERR_INPUT,
     false,
     true,
     "the first way fails",
     "the second way fails"},
    {{.first = FAILS, .second = ENDS, .patience = 100},
     false,
     MS_ERR_INPUT,
     false,
     false,
     "the first way fails",
     NULL},
};

START_TEST(ends)
{
  ways w = cases[_i].ways;
  ms_race_end end;
  ms_error err = {0};
  ms_stop *stop = NULL;
  ck_assert_int_eq(ms_stop_new(&stop, &err), MS_OK);
  ms_stop *before = ms_stop_attach(stop);
  ms_hooks.race_second_first = cases[_i].second_first;
  ck_assert_int_eq(ms_race_run(stop, first, second, &w, &end, &err), cases[_i].status);
  ms_hooks = ms_hooks_default;
  ck_assert_ptr_eq(ms_stop_attach(before), stop); /* it is as it was */
  ck_assert_int_eq(end.second, cases[_i].by_second);
  ck_assert_int_eq(w.begun, cases[_i].begun);
  ck_assert_str_eq(err.message, cases[_i].message ? cases[_i].message : "");
  ck_assert_str_eq(end.why.message, cases[_i].why ? cases[_i].why : "");
  ck_assert(w.current[0] && (w.current[1] != NULL) == cases[_i].begun);
  ms_stop_free(stop);
}
END_TEST

/* The token of the whole ends both ways. */
START_TEST(both_are_stopped)
{
  ways w = {.first = RUNS, .second = RUNS};
  ms_race_end end;
  ms_error err = {0};
  ms_stop *stop = NULL;
  ck_assert_int_eq(ms_stop_child(NULL, 0.05, &stop, NULL), MS_OK);
  ck_assert_int_eq(ms_race_run(stop, first, second, &w, &end, &err), MS_ERR_LIMIT);
  ck_assert(!end.second && w.begun == 1);
  ms_stop_free(stop);
}
END_TEST

TEST_MAIN("race", TEST_TIMES(ends, sizeof cases / sizeof *cases), TEST(both_are_stopped))
