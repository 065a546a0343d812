/* Counts in shares (match/count/leaves.h): shares that an engine counts, and some that the CPU's
 * counts, add up to what the CPU's engine counts at once, whether they are planned for the engine
 * or for processors.  Over random graphs and patterns. */
#include "match/count/leaves.h"

#include "base/hooks.h"
#include "gpu/match/program.h"
#include "match/count/count_choice.h"
#include "match/count/count_domains.h"
#include "match/units.h"
#include "tests/gpu/emulated/engines.h"
#include "tests/gpu/random_case.h"
#include "tests/support/random.h"
#include "tests/support/search/shares.h"

#include "base/threads/stop.h"

enum { TIMES = 20, CASES = 120, SIZE = 24, LOOKS = 40, PARTS = 4 };

static void count_shares(const subject *s, uint64_t seed, ms_integrity *integrity, mpz_t maps)
{
  ms_share share[MOST_SHARES];
  const ms_pattern_engine *planner = seed % 3 ? engine : NULL;
  ms_count_leaves sum = {.planner = planner};
  ms_count_choices choices = {.count = 0}; /* some shares find those of earlier ones */
  ms_count_query query = {
      .index = s->index, .domains = &s->domains, .order = s->order, .threads = 1, .devices = gpus};
  ms_error err;
  uint32_t shares = random_shares(&seed, MS_EVEN_UNITS, share);
  mpz_t ignored;
  mpz_init(ignored);
  if (shares > PARTS)
    share[PARTS - 1] = ms_share_of_range(0, 0);
  for (uint32_t p = 1; p <= PARTS && shares > PARTS; p++)
    share[p - 1] = ms_share_of_part(p, PARTS);
  shares = shares > PARTS ? PARTS : shares;
  for (uint32_t i = 0; i < shares; i++) {
    ms_count_leaves part = {.share = &share[i],
                            .planner = planner,
                            .engine = i % 4 == 3 ? NULL : engine,
                            .choices = i % 4 == 2 ? NULL : &choices,
                            .integrity = integrity};
    query.leaves = &part;
    ck_ok(ms_count_maps(&query, &s->shape, ignored, &err));
    ck_ok(ms_count_leaves_add(&sum, &part, &err));
    ms_count_leaves_free(&part);
  }
  ms_count_leaves_rewind(&sum);
  query.leaves = &sum;
  ck_ok(ms_count_maps(&query, &s->shape, maps, &err));
  ms_count_leaves_free(&sum);
  ms_count_choices_free(&choices);
  mpz_clear(ignored);
}

static uint64_t flips, flipped_bit;

/* Flips a bit in a device's numbers that the host has copied, in every other copy. */
static uint64_t flip(ms_fault_place place, uint64_t bytes)
{
  return place == MS_FAULT_TRANSFER && ++flips % 2 == 0 ? flipped_bit++ % (8 * bytes) : UINT64_MAX;
}

/* flipping: bits flip, and the run checks copies. */
static void check_case(uint64_t seed, bool flipping)
{
  ms_integrity integrity = {.checks = true, .fault = flip};
  static random_case c;
  random_plain plain;
  subject s = {.seed = seed};
  ms_stop *stop;
  mpz_t whole, sum;
  random_case_draw(&c, seed, SIZE);
  if (c.typed)
    return;
  random_case_plain(&c, &plain);
  subject_make(&s, plain.graph, plain.coloring, plain.pattern, c.induced);
  ck_assert(ms_stop_new(&stop, NULL) == MS_OK);
  ms_stop_after_looks(stop, LOOKS);
  s.stop = stop;
  mpz_init(whole);
  mpz_init(sum);
  if (count_within(&s, &ms_pattern_engine_cpu, 0, whole, NULL) == MS_OK && !s.domains.empty) {
    s.stop = NULL;
    vary(seed);
    ms_hooks.count_cut_degree = seed / 3 % 2 ? 2 : 64;
    ms_hooks.count_cut_roots = seed / 6 % 2 ? 4 : 256;
    flips = 0;
    count_shares(&s, seed, flipping ? &integrity : NULL, sum);
    if (flipping)
      must(&s, integrity.damaged == flips / 2);
    if (mpz_cmp(whole, sum) != 0)
      random_case_print(&c, stderr);
    must(&s, mpz_cmp(whole, sum) == 0);
  }
  ms_stop_free(stop);
  mpz_clear(whole);
  mpz_clear(sum);
  subject_free(&s);
  random_plain_free(&plain);
}

/* 120 random cases for each engine, but those that take long. */
START_TEST(shares_add_up)
{
  uint64_t first = enter(_i), cases = scaled(CASES) / TIMES + 1;
  for (uint64_t i = 0; i < cases; i++)
    check_case(first + TIMES * i, false);
}
END_TEST

/* Bits that flip in the copies of numbers are found, and the sums are right: 40 random cases for
 * each engine. */
START_TEST(flipped_bits_are_found)
{
  uint64_t first = enter(_i), cases = scaled(CASES / 3) / TIMES + 1;
  for (uint64_t i = 0; i < cases; i++)
    check_case(first + TIMES * i, true);
}
END_TEST

/* Houses are counted edge by edge, in shares on GPUs, too: over graphs with hubs, for each engine.
 */
START_TEST(shares_of_houses_add_up)
{
  uint64_t seed = enter(_i), state = seed + 1;
  ms_graph *graph = random_graph(&state, 24, 60, 3);
  ms_pattern *pattern;
  subject s = {.seed = seed};
  mpz_t whole, sum;
  mpz_init(whole);
  mpz_init(sum);
  ck_assert(ms_pattern_named("house", &pattern, NULL) == MS_OK);
  subject_make(&s, graph, NULL, pattern, false);
  s.order = MS_ORDER_AUTO;
  ck_assert(count_within(&s, &ms_pattern_engine_cpu, 0, whole, NULL) == MS_OK);
  vary(seed);
  ms_hooks.count_edge_weight = 0;
  ms_hooks.probe_steps = -1;
  count_shares(&s, 3 * seed + 1, NULL, sum); /* planned for the engine */
  ms_hooks = ms_hooks_default;
  must(&s, mpz_cmp(whole, sum) == 0 && mpz_sgn(whole) > 0);
  mpz_clear(whole);
  mpz_clear(sum);
  subject_free(&s);
  ms_pattern_free(pattern);
  ms_graph_free(graph);
}
END_TEST

/* Kernels for cliques count the shares of a count that is planned for GPUs, too: its roots are
 * whole, but for the few with the most neighbours.  (If 256 roots are cut, two ranks take 15
 * times as long as one process with two GPUs.) */
START_TEST(shares_of_cliques_are_chains)
{
  static const char *const names[] = {"clique:5", "clique:6", "clique:7"};
  uint64_t state = enter(_i) + 1, cut = 0;
  ms_graph *graph = random_graph(&state, 200, 600, 30);
  ms_share half = ms_share_of_range(0, MS_EVEN_UNITS / 2);
  ms_count_leaves leaves = {.planner = engine, .engine = engine, .share = &half};
  for (int i = 0; i < 3; i++) {
    ms_pattern *pattern;
    ms_packed_program packed;
    ms_restricted restricted;
    ms_count_plan plan;
    ck_assert(ms_pattern_named(names[i], &pattern, NULL) == MS_OK);
    subject s = {.seed = 1};
    subject_make(&s, graph, NULL, pattern, false);
    ms_count_query query = {
        .index = s.index, .domains = &s.domains, .engine = engine, .threads = 1, .leaves = &leaves};
    ms_shape_name_kinds(&s.shape, s.domains.of);
    ck_assert(ms_count_plan_new(&query, &s.shape, s.domains.of, &plan, NULL) == MS_OK);
    ck_assert(ms_count_plan_compile(&query, s.domains.of, &plan, NULL) == MS_OK);
    ck_assert(ms_restricted_make(plan.program, &half, &restricted, NULL) == MS_OK);
    ck_assert(ms_packed_program_new(&restricted.program[0], &packed, NULL) == MS_OK);
    must(&s, packed.program.chain && ms_restricted_roots(&restricted, 0) > 40);
    cut += ms_restricted_roots(&restricted, 1);
    ms_packed_program_free(&packed);
    ms_restricted_free(&restricted);
    ms_count_plan_free(&plan);
    subject_free(&s);
    ms_pattern_free(pattern);
  }
  ck_assert_msg(cut <= 12, "%llu roots are cut", (unsigned long long)cut);
  ms_graph_free(graph);
}
END_TEST

void add_share_tests(int number)
{
  if (tested_engine(number) == &ms_pattern_engine_gpu)
    add_test(number, shares_of_cliques_are_chains, 1);
  add_test(number, shares_of_houses_add_up, 4);
  add_test(number, flipped_bits_are_found, TIMES);
  add_test(number, shares_add_up, TIMES);
}
