/* Counts of the matches of motifs in shares: shares of random partitions add up to the whole, in
 * each way to count, with the numbers of each vertex and without; those that are visited are met
 * once; dealt parts of skewed graphs are even. */
#include "base/hooks.h"
#include "graph/graph.h"
#include "motif/count/count.h"
#include "motif/units.h"
#include "tests/support/graphs/larger_case.h"
#include "tests/support/random.h"
#include "tests/support/search/motif_shares.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { CASES = 120, TIMES = 6 };

static ms_error err;
static const ms_engine *const cpu[] = {&ms_engine_connected_sets};

static void vary(uint64_t seed)
{
  ms_hooks.count_way = (int)(seed % (MS_COUNT_THREE + 1));
  ms_hooks.motif_cut_degree = seed / 5 % 2 ? 2 : 64;
  ms_hooks.motif_cut_roots = seed / 10 % 2 ? 5 : 256;
}

/* 120 random cases of up to 729 vertices. */
START_TEST(shares_add_up)
{
  uint64_t cases = scaled(CASES / TIMES);
  for (uint64_t i = 0; i < cases; i++) {
    uint64_t seed = (uint64_t)_i + TIMES * i;
    larger_case c;
    ms_instance *instance;
    larger_make(seed, &c);
    vary(seed);
    ck_ok(ms_instance_new(c.query, 1, &instance, &err));
    check_motif_shares(instance, cpu, 1, seed % 3 == 0, seed);
    ms_instance_free(instance);
    larger_free(&c);
  }
}
END_TEST

/* ---- visits ---------------------------------------------------------------------------- */

typedef struct met {
  uint32_t k;
  atomic_uint_fast64_t count, hash; /* of all matches, in any order */
} met;

static bool meet(void *user, int thread, const uint32_t *set)
{
  met *m = user;
  uint64_t key = 0, other = 1;
  (void)thread;
  for (uint32_t i = 0; i < m->k; i++) {
    uint64_t state = set[i] + 1;
    key += random_next(&state);
    other ^= random_next(&state);
  }
  atomic_fetch_add(&m->count, 1);
  atomic_fetch_add(&m->hash, key * (other | 1));
  return true;
}

/* The matches that shares visit are those of the whole, each once. */
START_TEST(each_match_is_met_once)
{
  for (uint64_t seed = 0; seed < scaled(60); seed++) {
    larger_case c;
    ms_instance *instance;
    void *context;
    ms_share share[MOST_SHARES];
    uint64_t state = seed;
    uint32_t shares = random_shares(&state, MS_EVEN_UNITS, share);
    larger_make(seed, &c);
    vary(seed);
    ck_ok(ms_instance_new(c.query, 1, &instance, &err));
    ck_ok(cpu[0]->open(instance, 1 + (int)(seed % 3), &context, &err));
    uint64_t roots = cpu[0]->units(context);
    met whole = {.k = instance->size}, sum = {.k = instance->size};
    ms_match_sink sink = {.match = meet, .user = &whole};
    ck_ok(cpu[0]->run(context, 0, roots, &sink, NULL, &err));
    sink.user = &sum;
    for (uint32_t i = 0; i < shares; i++) {
      sink.share = &share[i];
      ck_ok(cpu[0]->run(context, 0, roots, &sink, NULL, &err));
    }
    ck_assert_msg(whole.count == sum.count && whole.hash == sum.hash,
                  "seed %llu: %llu matches, not %llu", (unsigned long long)seed,
                  (unsigned long long)sum.count, (unsigned long long)whole.count);
    cpu[0]->close(context);
    ms_instance_free(instance);
    larger_free(&c);
  }
}
END_TEST

/* ---- lists ------------------------------------------------------------------------------- */

typedef struct rows {
  uint32_t k, *row;
  uint64_t count, room;
} rows;

static bool keep(void *user, int thread, const uint32_t *set)
{
  rows *r = user;
  (void)thread;
  if (r->count == r->room) {
    r->room = 2 * r->room + 64;
    r->row = realloc(r->row, r->room * r->k * sizeof *r->row);
  }
  memcpy(r->row + r->count++ * r->k, set, r->k * sizeof *set);
  return true;
}

/* The matches of all units of a list, in their order, are those of the whole list: 60 random cases.
 */
START_TEST(units_of_lists_are_in_order)
{
  uint64_t cut = 0;
  for (uint64_t seed = 0; seed < 2 || seed < scaled(60); seed++) {
    larger_case c;
    ms_instance *instance;
    ms_range_units units = {0};
    void *context;
    larger_make(seed, &c);
    ms_hooks.row_unit_work = seed % 2 ? 1 : 300;
    ck_ok(ms_instance_new(c.query, 1, &instance, &err));
    ck_ok(cpu[0]->open(instance, 1, &context, &err));
    ck_ok(ms_connected_sets_row_units(context, &units, &err));
    rows whole = {.k = instance->size}, sum = {.k = instance->size};
    ms_match_sink sink = {.match = keep, .user = &whole};
    ck_ok(cpu[0]->run(context, 0, cpu[0]->units(context), &sink, NULL, &err));
    sink.user = &sum;
    for (uint64_t u = 0; u < units.count; u++) {
      cut += units.unit[u].high < UINT32_MAX;
      ck_ok(ms_connected_sets_run_unit(context, &units.unit[u], &sink, NULL, &err));
    }
    ck_assert_msg(whole.count == sum.count, "seed %llu: %llu matches, not %llu",
                  (unsigned long long)seed, (unsigned long long)sum.count,
                  (unsigned long long)whole.count);
    ck_assert_mem_eq(whole.row, sum.row, sum.count * sum.k * sizeof *sum.row);
    free(whole.row);
    free(sum.row);
    ms_range_units_free(&units);
    cpu[0]->close(context);
    ms_instance_free(instance);
    larger_free(&c);
  }
  ck_assert(cut > 0);
}
END_TEST

/* ---- evenness ---------------------------------------------------------------------------- */

static void check_even(const ms_graph *graph, const char *text, const char *name)
{
  static const uint32_t parts[] = {2, 4, 7, 16};
  ms_coloring *coloring;
  ms_motif *motif;
  ms_query *query;
  ms_instance *instance;
  void *context;
  ck_ok(ms_generate_colors(graph, 3, 1, &coloring, &err));
  ck_ok(ms_motif_parse(text, coloring, &motif, &err));
  ck_ok(ms_query_new(graph, coloring, motif, 0, NULL, &query, &err));
  ck_ok(ms_instance_new(query, 1, &instance, &err));
  ck_ok(cpu[0]->open(instance, 1, &context, &err));
  for (int i = 0; i < 4; i++) {
    double most = 0, all = 0;
    for (uint32_t p = 1; p <= parts[i]; p++) {
      ms_share share = ms_share_of_part(p, parts[i]);
      ms_count_sink sink = {.share = &share};
      ck_ok(cpu[0]->count(context, 0, cpu[0]->units(context), &sink, NULL, &err));
      double visits = (double)sink.visits;
      most = visits > most ? visits : most;
      all += visits;
    }
    ck_assert_msg(most * parts[i] <= 1.2 * all, "%s in %s: a part of %u has %.2f times the mean",
                  text, name, parts[i], most * parts[i] / all);
  }
  cpu[0]->close(context);
  ms_instance_free(instance);
  ms_query_free(query);
  ms_motif_free(motif);
  ms_coloring_free(coloring);
}

/* No dealt part of 2, 4, 7 or 16 visits more than 1.2 times as many sets as the mean. */
START_TEST(parts_are_even)
{
  static uint32_t edges[6000][2];
  ms_generate_options o = MS_GENERATE_OPTIONS_DEFAULT;
  ms_graph *graph;
  ms_hooks = ms_hooks_default;
  o.family = MS_FAMILY_RMAT;
  o.given = MS_GEN_SCALE | MS_GEN_EDGES;
  o.scale = 11;
  o.edges = 5000;
  ck_ok(ms_generate(&o, &graph, &err));
  check_even(graph, "c0,c0,c1,c2,c2", "R-MAT");
  ms_graph_free(graph);
  o.family = MS_FAMILY_POWER_LAW;
  o.given = MS_GEN_VERTICES | MS_GEN_EXPONENT | MS_GEN_MIN_DEGREE | MS_GEN_MAX_DEGREE;
  o.vertices = 3000;
  o.exponent = -2.3;
  o.min_degree = 1;
  o.max_degree = 80;
  ck_ok(ms_generate(&o, &graph, &err));
  check_even(graph, "c0,c0,c1,c2,*", "a power law");
  ms_graph_free(graph);
  for (uint32_t v = 1; v < 1000; v++) {
    edges[2 * v][0] = 0;
    edges[2 * v][1] = v;
    edges[2 * v + 1][0] = v;
    edges[2 * v + 1][1] = 1 + v % 999;
  }
  edges[0][0] = edges[1][0] = 0;
  edges[0][1] = edges[1][1] = 1;
  ck_ok(ms_graph_from_edges(1000, 2000, (const uint32_t(*)[2])edges, NULL, &graph, &err));
  check_even(graph, "c0,c0,c1,c2,c2", "a hub");
  ms_graph_free(graph);
}
END_TEST

TEST_MAIN("motif_shares", TEST_TIMES(shares_add_up, TIMES), TEST(each_match_is_met_once),
          TEST(units_of_lists_are_in_order), TEST(parts_are_even))
