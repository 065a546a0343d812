#include "gf2/rate.h"

#include "base/stop.h"

/* Number of slices; the best one is the speed while nothing disturbs the machine. */
enum { SLICES = 5 };

double ms_gf2_products(const ms_gf2_path *path, int threads, double seconds)
{
  uint8_t sink = 0;
  uint64_t rounds = 1000;
  double best = 0, took;
  for (;;) { /* finds the number of rounds of a slice */
    double start = ms_seconds();
    path->spin(rounds, &sink);
    took = ms_seconds() - start;
    if (took > seconds / SLICES / 2)
      break;
    rounds *= 2;
  }
  for (int slice = 0; slice < SLICES; slice++) {
    uint64_t products = 0;
    double start = ms_seconds();
#pragma omp parallel num_threads(threads) reduction(+ : products)
    {
      uint8_t mine = 0;
      products += path->spin(rounds, &mine);
#pragma omp atomic
      sink ^= mine;
    }
    double rate = (double)products / (ms_seconds() - start);
    if (rate > best)
      best = rate;
  }
  return sink == 0 && best < 0 ? 0 : best; /* sink is used */
}
