#include "enumerate/probe.h"

#include "base/philox.h"
#include "base/status.h"
#include "enumerate/cpu/runner_inline.h"

typedef struct dice {
  uint32_t counter[4], key[2], word[4];
  uint32_t left; /* words not used yet */
} dice;

/* Below n, or nearly evenly: n is far below 2^32 where it matters. */
static uint64_t throw_dice(dice *d, uint64_t n)
{
  if (d->left == 0) {
    ms_philox4x32(d->counter, d->key, d->word);
    d->counter[0]++;
    d->left = 4;
  }
  return d->word[--d->left] * n >> 32;
}

static void walk(ms_runner *r, dice *d, ms_probe *sum)
{
  const ms_program *p = r->program;
  double paths = (double)ms_program_roots(p);
  sum->visits += paths;
  r->match[0] = ms_program_root(p, throw_dice(d, ms_program_roots(p)));
  for (uint32_t level = 1; level < p->prefix; level++) {
    if (!ms_runner_compute(r, level - 1))
      return;
    ms_span span = ms_runner_candidates(r, level);
    if (span.length == 0)
      return;
    uint64_t i = throw_dice(d, span.length);
    uint32_t v = span.ids ? span.ids[i] : span.lo + (uint32_t)i;
    paths *= (double)span.length;
    *(level + 1 < p->prefix ? &sum->visits : &sum->last) += paths;
    if (!fits(r, &p->step[level], v))
      return;
    r->match[level] = v;
  }
  sum->matches += paths;
}

ms_status ms_probe_search(const ms_program *program, uint32_t walks, uint64_t seed, ms_probe *out,
                          ms_error *err)
{
  ms_runner runner;
  ms_probe sum = {0};
  dice d = {.key = {(uint32_t)seed, (uint32_t)(seed >> 32)}};
  *out = sum;
  ms_status status = ms_runner_init(&runner, program, err);
  for (uint32_t i = 0; status == MS_OK && i < walks && ms_program_roots(program) > 0; i++) {
    walk(&runner, &d, &sum);
    status = runner.status == MS_ERR_MEMORY ? ms_fail_memory(err, "candidate sets") : runner.status;
  }
  ms_runner_free(&runner);
  if (status == MS_OK && walks > 0)
    *out = (ms_probe){sum.visits / walks, sum.last / walks, sum.matches / walks};
  return status;
}
