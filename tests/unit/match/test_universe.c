/* Counts by local programs, whose sets are bits (match/cpu/universe.h): numbers of maps against
 * brute force and against counts with lists, on every path of instructions and several numbers of
 * threads; which programs are local; universes that are too large; counts that a token stops. */
#include "base/hooks.h"
#include "base/threads/stop.h"
#include "match/count/count.h"
#include "match/cpu/universe.h"
#include "tests/support/graphs/network.h"
#include "tests/support/graphs/shapes.h"
#include "tests/support/random.h"
#include "tests/support/test_main.h"

#include <gmp.h>
#include <stdlib.h>
#include <string.h>

/* ---- patterns -------------------------------------------------------------------------- */

/* The clique of n vertices without the pairs of these bits. */
static ms_shape clique_without(uint32_t n, uint32_t absent, bool induced)
{
  ms_shape s = shapes_empty(n);
  uint32_t bit = 0;
  s.induced = induced;
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t j = i + 1; j < n; j++)
      if (!(absent >> bit++ & 1))
        shapes_join(&s, i, j);
  return s;
}

/* ---- counts ---------------------------------------------------------------------------- */

static void make_query(const network *w, const ms_shape *s, int threads, ms_order order,
                       ms_domains *domains, ms_count_query *query)
{
  network_domains(w, s, domains);
  *query = (ms_count_query){.index = w->index,
                            .domains = domains,
                            .engine = &ms_pattern_engine_cpu,
                            .order = order,
                            .threads = threads};
}

static ms_status count_maps(const network *w, const ms_shape *s, int threads, ms_order order,
                            const ms_stop *stop, mpz_t maps)
{
  static ms_domains domains;
  ms_count_query query;
  make_query(w, s, threads, order, &domains, &query);
  query.stop = stop;
  mpz_set_ui(maps, 0);
  return ms_count_maps(&query, s, maps, NULL);
}

/* True if the maps of the shape are counted by a local program. */
static bool is_local(const network *w, const ms_shape *s, ms_order order)
{
  static ms_domains domains;
  ms_count_query query;
  ms_count_plan plan;
  make_query(w, s, 1, order, &domains, &query);
  ck_assert_int_eq(ms_count_plan_new(&query, s, domains.of, &plan, NULL), MS_OK);
  ck_assert_int_eq(ms_count_plan_compile(&query, domains.of, &plan, NULL), MS_OK);
  bool local = ms_universe_suits(plan.program);
  ms_count_plan_free(&plan);
  return local;
}

static void use_defaults(void)
{
  ms_hooks = ms_hooks_default;
  unsetenv("MOTIFSIEVE_SETS");
}

/* ---- tests ----------------------------------------------------------------------------- */

/* Cliques of 4 to 6 vertices and cliques without up to four pairs have as many maps as brute force
 * finds, in each order, induced or not: random graphs of 8 to 12 vertices, with rows of hubs as
 * bits and without. */
START_TEST(small_graphs)
{
  static const ms_order orders[] = {MS_ORDER_AUTO, MS_ORDER_RI, MS_ORDER_DEGREE, MS_ORDER_REUSE};
  uint64_t state = 11 + (uint64_t)_i;
  uint32_t local = 0;
  mpz_t maps;
  mpz_init(maps);
  for (uint32_t round = 0; round < 300 * test_scale(); round++) {
    uint32_t n = 4 + random_below(&state, 3), absent = 0;
    for (uint32_t k = random_below(&state, 5); k > 0; k--)
      absent |= 1u << random_below(&state, n * (n - 1) / 2);
    ms_shape s = clique_without(n, absent, random_below(&state, 3) == 0);
    ms_order order = orders[random_below(&state, 4)];
    if (!ms_shape_is_connected(&s))
      continue;
    ms_hooks.hub_degree = random_below(&state, 2) ? 1 : 64;
    network *w = network_new(8 + random_below(&state, 5), 40 + random_below(&state, 60), 0,
                             random_next(&state));
    uint64_t brute = network_maps(w, &s);
    local += is_local(w, &s, order);
    ck_assert_int_eq(count_maps(w, &s, 1 + (int)random_below(&state, 3), order, NULL, maps), MS_OK);
    ck_assert_msg(mpz_cmp_ui(maps, brute) == 0, "K%u without %x: not %llu maps", n, absent,
                  (unsigned long long)brute);
    network_free(w);
  }
  use_defaults();
  if (test_scale() == 1)
    ck_assert_uint_gt(local, 30);
  mpz_clear(maps);
}
END_TEST

/* Universes of one word and of several: the same numbers with bits as with lists, on each path,
 * with 1, 2 and 7 threads, and where only the smaller universes have bits. */
START_TEST(large_graphs)
{
  static const struct {
    uint32_t n, percent, hubs, hub_degree;
  } graphs[] = {
      {60, 50, 3, 64}, {140, 30, 4, 2}, {300, 9, 6, 1000}, {300, 9, 6, 16}, {200, 20, 0, 16}};
  static const struct {
    uint32_t n, absent;
    bool induced;
  } patterns[] = {{4, 0, false},    {5, 0, false},    {6, 0, false},   {5, 1, false},
                  {6, 1, false},    {5, 0x41, false}, {5, 0x3, false}, {6, 0x4001, false},
                  {6, 0x23, false}, {5, 1, true},     {5, 0x11, true}};
  uint32_t local = 0;
  mpz_t lists, maps;
  mpz_init(lists);
  mpz_init(maps);
  ms_hooks.hub_degree = graphs[_i].hub_degree;
  network *w = network_new(graphs[_i].n, graphs[_i].percent, graphs[_i].hubs, 3);
  for (uint32_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
    ms_shape s = clique_without(patterns[i].n, patterns[i].absent, patterns[i].induced);
    ms_order order = i % 2 ? MS_ORDER_REUSE : MS_ORDER_AUTO;
    ms_hooks.universe_room = 0;
    ck_assert(!is_local(w, &s, order));
    ck_assert_int_eq(count_maps(w, &s, 2, order, NULL, lists), MS_OK);
    for (uint32_t most = 24; most <= 8192; most = most == 24 ? 8192 : most + 1) {
      ms_hooks.universe_room = most;
      local += is_local(w, &s, order);
      for (unsigned path = 0; ms_universe_path_at(path); path++) {
        setenv("MOTIFSIEVE_SETS", ms_universe_path_at(path)->name, 1);
        ck_assert_int_eq(count_maps(w, &s, path == 0 ? 7 : (int)path, order, NULL, maps), MS_OK);
        ck_assert_msg(mpz_cmp(maps, lists) == 0, "K%u without %x on %s, at most %u: another number",
                      patterns[i].n, patterns[i].absent, ms_universe_path_at(path)->name, most);
      }
      unsetenv("MOTIFSIEVE_SETS");
    }
  }
  ck_assert_uint_ge(local, 10);
  use_defaults();
  network_free(w);
  mpz_clear(lists);
  mpz_clear(maps);
}
END_TEST

/* Cliques are local; patterns with a vertex that is next to no common one are not. */
START_TEST(local_programs)
{
  network *w = network_new(100, 30, 0, 5);
  ms_shape clique = clique_without(5, 0, false), path = clique_without(4, 0x0e, false);
  ck_assert(is_local(w, &clique, MS_ORDER_AUTO));
  ck_assert(!is_local(w, &path, MS_ORDER_REUSE));
  ms_hooks.universe_room = 0;
  ck_assert(!is_local(w, &clique, MS_ORDER_AUTO));
  use_defaults();
  network_free(w);
}
END_TEST

/* A token that stops the count leaves a lower bound, and in the end all maps. */
START_TEST(stopped)
{
  network *w = network_new(150, 40, 0, 9);
  ms_shape s = clique_without(6, 0, false);
  uint32_t stops = 0;
  ms_status status = MS_ERR_LIMIT;
  mpz_t all, maps;
  mpz_init(all);
  mpz_init(maps);
  ck_assert(is_local(w, &s, MS_ORDER_AUTO));
  ck_assert_int_eq(count_maps(w, &s, 2, MS_ORDER_AUTO, NULL, all), MS_OK);
  for (uint64_t looks = 1; status != MS_OK; looks *= 2) {
    ms_stop *stop = NULL;
    ck_assert_int_eq(ms_stop_new(&stop, NULL), MS_OK);
    ms_stop_after_looks(stop, looks);
    status = count_maps(w, &s, 1, MS_ORDER_AUTO, stop, maps);
    ms_stop_free(stop);
    ck_assert(status == MS_OK || status == MS_ERR_LIMIT);
    ck_assert_int_le(mpz_cmp(maps, all), 0);
    stops += status != MS_OK;
  }
  ck_assert_int_eq(mpz_cmp(maps, all), 0);
  ck_assert_uint_ge(stops, 3);
  network_free(w);
  mpz_clear(all);
  mpz_clear(maps);
}
END_TEST

TEST_MAIN("universe", TEST_TIMES(small_graphs, 4), TEST_TIMES(large_graphs, 5),
          TEST(local_programs), TEST(stopped))
