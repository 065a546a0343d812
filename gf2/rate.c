#include "gf2/rate.h"

#include "base/threads/parallel.h"
#include "base/threads/stop.h"

/* Number of slices; the best one is the speed while nothing disturbs the machine. */
enum { SLICES = 5 };

typedef struct slice {
  const ms_gf2_path *path;
  uint64_t rounds, products;
  uint8_t sink;
} slice;

static void spin(void *user, ms_range r)
{
  slice *s = user;
  for (uint64_t i = r.begin; i < r.end; i++) {
    uint8_t mine = 0;
    uint64_t products = s->path->spin(s->rounds, &mine);
    __atomic_fetch_add(&s->products, products, __ATOMIC_RELAXED);
    __atomic_fetch_xor(&s->sink, mine, __ATOMIC_RELAXED);
  }
}

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
  for (int i = 0; i < SLICES; i++) {
    slice s = {.path = path, .rounds = rounds};
    double start = ms_seconds();
    ms_parallel(threads, (uint64_t)(threads > 0 ? threads : 1), 1, spin, &s);
    double rate = (double)s.products / (ms_seconds() - start);
    sink ^= s.sink;
    if (rate > best)
      best = rate;
  }
  return sink == 0 && best < 0 ? 0 : best; /* sink is used */
}
