/* Times of estimates, as messages write them. */
#include "run/engine.h"
#include "run/match/match.h"
#include "tests/support/test_main.h"

#include <math.h>

/* Each time has a unit in which people read it, and no text has an exponent: 18 times from a
 * microsecond to more than a computer can hold, which lie at both sides of each limit. */
START_TEST(times_have_units_for_people)
{
  static const struct {
    double seconds;
    const char *text;
  } times[] = {{1e-6, "less than 0.001 s"},    {0.0012, "about 0.0012 s"},
               {0.31, "about 0.31 s"},         {99.4, "about 99 s"},
               {99.6, "about 2 minutes"},      {600, "about 10 minutes"},
               {7199, "about 120 minutes"},    {7200, "about 2 hours"},
               {86400, "about 24 hours"},      {172799, "about 48 hours"},
               {172801, "about 2 days"},       {3e7, "about 347 days"},
               {6.4e7, "about 2 years"},       {1e9, "about 32 years"},
               {3.1e10, "about 982 years"},    {3.2e10, "more than 1000 years"},
               {1e80, "more than 1000 years"}, {INFINITY, "more than 1000 years"}};
  for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
    char text[48];
    ck_assert_str_eq(ms_match_seconds_text(times[i].seconds, text), times[i].text);
  }
}
END_TEST

TEST_MAIN("texts of times", TEST(times_have_units_for_people))
