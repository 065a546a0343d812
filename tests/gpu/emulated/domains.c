/* Domains by a GPU (gpu/match/domains.cuh) against those of the host, and by their definition; on
 * emulated GPUs, and on those of this machine (device_domains). */
#include "gpu/match/domains.h"
#include "base/hooks.h"
#include "gpu/match/upload.h"
#include "match/count/count.h"
#include "match/engine.h"
#include "tests/gpu/emulated/fake_cuda.h"
#include "tests/support/search/domain_cases.h"
#include "tests/support/test_main.h"

#include <string.h>

enum { CASES = 150, DEVICE_CASES = 3000, CHUNKS = 5 };

static ms_error err;
static uint64_t done; /* tasks that the GPU did */

static ms_status filter(const ms_domain_task *task, ms_error *error)
{
  ms_status status = ms_gpu_filter_domains(task, error);
  done += status == MS_OK;
  return status;
}

/* Counts edges on a GPU, which keeps the index.  Returns false if there is none to start from. */
static bool leave_index(const domain_case *c)
{
  static const uint32_t edge[1][2] = {{0, 1}};
  ms_pattern *pattern;
  ms_shape shape;
  ms_domains domains;
  ms_plan *plan;
  ms_program *program;
  ms_program_options options = {0};
  ms_plan_input input = {.vertices = c->index->n,
                         .arcs = (double)c->index->arcs,
                         .square_degrees = c->index->square_degrees};
  mpz_t sum;
  ck_ok(ms_pattern_from_edges(2, 1, edge, false, NULL, &pattern, &err));
  ms_shape_of(pattern, false, &shape);
  ck_ok(ms_domains_on(NULL, c->index, pattern, &shape, NULL, 1, &domains, &err));
  for (uint32_t i = 0; i < 2; i++)
    input.domain[i] = domains.of[i].count;
  ck_ok(ms_plan_new(&shape, &input, &plan, &err));
  ck_ok(ms_program_new(c->index, plan, domains.of, &options, &program, &err));
  ms_pattern_task task = {.program = program, .threads = 1, .devices = 1};
  mpz_init(sum);
  ck_ok(ms_pattern_engine_dfs.count(&task, sum, &err));
  mpz_clear(sum);
  ms_program_free(program);
  ms_plan_free(plan);
  ms_domains_free(&domains);
  ms_pattern_free(pattern);
  return ms_gpu_match_device_of(c->index) >= 0;
}

static bool same(const domain_case *c, const ms_domains *a, const ms_domains *b)
{
  for (uint32_t u = 0; u < c->shape.n; u++) {
    const ms_domain *x = &a->of[u], *y = &b->of[u];
    if (x->lo != y->lo || x->hi != y->hi || x->count != y->count || !x->bits != !y->bits)
      return false;
    if (x->bits && memcmp(x->bits, y->bits, c->index->words * sizeof *x->bits) != 0)
      return false;
  }
  return a->empty == b->empty;
}

/* The sets of every vertex are those of the host and of the definition.  Nearly all tasks are done
 * by the GPU: others have an empty domain by colour and degree. */
START_TEST(device_is_the_host)
{
  uint64_t cases = scaled(fake_cuda ? CASES : DEVICE_CASES), kept = 0;
  ms_hooks.domain_gpu_weight = 0;
  for (uint64_t seed = (uint64_t)_i; seed <= cases; seed += CHUNKS) {
    uint64_t bits[DOMAIN_CASE_MAX_P][DOMAIN_CASE_WORDS];
    ms_domains by_host, by_gpu;
    domain_case c;
    domain_case_make(seed, &c);
    domain_case_expect(&c, bits);
    emulated_seed = seed;
    kept += leave_index(&c);
    ck_ok(ms_domains_on(NULL, c.index, c.pattern, &c.shape, c.allowed, 1, &by_host, &err));
    ck_ok(ms_domains_on(filter, c.index, c.pattern, &c.shape, c.allowed, 1, &by_gpu, &err));
    ck_assert_msg(same(&c, &by_host, &by_gpu), "seed %lu", (unsigned long)seed);
    ck_assert_msg(domain_case_is(&c, &by_gpu, (const uint64_t(*)[DOMAIN_CASE_WORDS])bits),
                  "seed %lu", (unsigned long)seed);
    ms_domains_free(&by_host);
    ms_domains_free(&by_gpu);
    domain_case_free(&c);
  }
  ck_assert_uint_gt(kept, 0);
  if (cases >= 50)
    ck_assert_uint_gt(done, cases / CHUNKS / 4);
}
END_TEST

/* Without an index on a GPU, or where its memory is too small, the host does it. */
START_TEST(host_is_the_fallback)
{
  domain_case c;
  ms_domains domains;
  uint64_t memory = fake_memory, seed = 2;
  ms_hooks.domain_gpu_weight = 0;
  domain_case_make(seed, &c);
  done = 0;
  ck_ok(ms_domains_on(filter, c.index, c.pattern, &c.shape, NULL, 1, &domains, &err));
  ck_assert_uint_eq(done, 0);
  ms_domains_free(&domains);
  ck_assert(leave_index(&c));
  fake_memory = fake_taken;
  ck_ok(ms_domains_on(filter, c.index, c.pattern, &c.shape, NULL, 1, &domains, &err));
  ck_assert(done == 0 || !fake_cuda);
  ms_domains_free(&domains);
  fake_memory = memory;
  ms_hooks.domain_gpu_weight = 1e9;
  done = 0;
  ck_ok(ms_domains_on(filter, c.index, c.pattern, &c.shape, NULL, 1, &domains, &err));
  ck_assert_uint_eq(done, 0);
  ms_domains_free(&domains);
  domain_case_free(&c);
}
END_TEST

TEST_MAIN("gpu domains", TEST_TIMES(device_is_the_host, CHUNKS), TEST(host_is_the_fallback))
