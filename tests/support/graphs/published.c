#include "tests/support/graphs/published.h"

#include "tests/support/test_main.h"

static double patience = 1;

double published_seconds(double usual)
{
  return (test_is_long() ? 20 : 1) * patience * usual;
}

bool published_again(bool enough)
{
  if (enough || patience > 10)
    return false;
  patience *= 4;
  return true;
}

ms_stop *published_stop(double seconds)
{
  ms_error err;
  ms_stop *stop;
  ck_ok(ms_stop_new(&stop, &err));
  ms_stop_after(stop, seconds);
  return stop;
}
