#include "tests/support/published.h"

#include "tests/support/test_main.h"

double published_seconds(double usual)
{
  return test_is_long() ? 20 * usual : usual;
}

ms_stop *published_stop(double seconds)
{
  ms_error err;
  ms_stop *stop;
  ck_ok(ms_stop_new(&stop, &err));
  ms_stop_after(stop, seconds);
  return stop;
}
