/* The sieve against its definition, against brute force, and against itself over every kernel,
 * thread count and block size; its bound; stopping and limits. */
#include "base/hooks.h"
#include "base/threads/stop.h"
#include "gf2/gf2.h"
#include "graph/generate/generate.h"
#include "sieve/backend.h"
#include "sieve/bound.h"
#include "sieve/kernels/kernel.h"
#include "sieve/schedule/schedule.h"
#include "sieve/weights.h"
#include "tests/support/random.h"
#include "tests/support/search/naive_sieve.h"
#include "tests/support/search/oracle.h"
#include "tests/support/search/recounts.h"
#include "tests/support/test_main.h"
#include "verify/verify.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static ms_screen_result *screen(const ms_query *query, const ms_screen_options *options)
{
  ms_screen_result *r = NULL;
  ms_error err;
  ck_assert_msg(ms_screen(query, options, &r, &err) == MS_OK, "%s", err.message);
  return r;
}

/* ---- weights and bound ------------------------------------------------------- */

/* 510,000 weights are uniform over the 255 elements other than 0 by chi-square, the same when drawn
 * again, and others for another repetition, seed or kind. */
START_TEST(weights_are_uniform_and_pure)
{
  uint64_t count[256] = {0};
  uint8_t w[100], again[100];
  for (uint32_t v = 0; v < 5100; v++) {
    ms_weights(42, 3, MS_WEIGHT_MU, v, 0, 100, w);
    for (int i = 0; i < 100; i++)
      count[w[i]]++;
  }
  ck_assert_uint_eq(count[0], 0);
  /* chi-square with 254 degrees of freedom; 360 has probability 1e-5 */
  double chi = 0, expected = 510000.0 / 255;
  for (int b = 1; b < 256; b++)
    chi += ((double)count[b] - expected) * ((double)count[b] - expected) / expected;
  ck_assert_msg(chi < 360, "chi-square %g", chi);
  ms_weights(42, 3, MS_WEIGHT_MU, 5099, 0, 100, again);
  ck_assert_int_eq(memcmp(w, again, 100), 0);
  ms_weights(42, 4, MS_WEIGHT_MU, 5099, 0, 100, again);
  ck_assert_int_ne(memcmp(w, again, 100), 0);
  ms_weights(43, 3, MS_WEIGHT_MU, 5099, 0, 100, again);
  ck_assert_int_ne(memcmp(w, again, 100), 0);
  ms_weights(42, 3, MS_WEIGHT_GAMMA, 5099, 0, 100, again);
  ck_assert_int_ne(memcmp(w, again, 100), 0);
}
END_TEST

/* The miss bound is the exact rational of its formula, its double is rounded up and no further, and
 * the repetitions for an error are the fewest: degrees up to 95. */
START_TEST(bound_is_exact)
{
  mpq_t bound, by_hand, p, one, target;
  mpq_inits(bound, by_hand, p, one, target, NULL);
  for (uint32_t degree = 1; degree <= 95; degree += 7)
    for (uint32_t repetitions = 1; repetitions < 12; repetitions++) {
      /* factor by factor */
      mpq_set_ui(one, 1, 1);
      mpq_set_ui(p, MS_WEIGHT_PEAK, 1);
      mpq_div_2exp(p, p, 32);
      mpq_sub(p, one, p);
      mpq_set_ui(by_hand, 1, 1);
      for (uint32_t i = 0; i < degree; i++)
        mpq_mul(by_hand, by_hand, p);
      mpq_sub(p, one, by_hand);
      mpq_set_ui(by_hand, 1, 1);
      for (uint32_t i = 0; i < repetitions; i++)
        mpq_mul(by_hand, by_hand, p);
      ms_miss_bound(bound, degree, repetitions);
      ck_assert(mpq_equal(bound, by_hand));
      double up = ms_round_up(bound);
      mpq_set_d(target, up);
      ck_assert_int_ge(mpq_cmp(target, bound), 0);
      mpq_set_d(target, nextafter(up, 0));
      ck_assert_int_lt(mpq_cmp(target, bound), 0);
    }
  /* the fewest repetitions, and not one less */
  static const double errors[] = {0.5, 0.0718, 1e-3, 1e-6, 1e-9, 1e-30, 1e-300};
  for (uint32_t degree = 1; degree <= 95; degree += 2)
    for (unsigned i = 0; i < sizeof errors / sizeof *errors; i++) {
      uint32_t r = ms_repetitions_for(degree, errors[i]);
      mpq_set_d(target, errors[i]);
      ms_miss_bound(bound, degree, r);
      ck_assert_int_le(mpq_cmp(bound, target), 0);
      if (r > 1) {
        ms_miss_bound(bound, degree, r - 1);
        ck_assert_int_gt(mpq_cmp(bound, target), 0);
      }
    }
  ck_assert_uint_eq(ms_repetitions_for(19, 1e-6), 6); /* k = 10 */
  char text[128];
  ms_miss_bound_text(19, 6, text, sizeof text);
  ck_assert_str_eq(text, "(1 - (4278124286/4294967296)^19)^6");
  mpq_clears(bound, by_hand, p, one, target, NULL);
}
END_TEST

/* ---- the definition ------------------------------------------------------------ */

/* Q is that of the naive recurrences, byte by byte: 1,200 random cases of up to 9 vertices and 7
 * slots, both recurrences. */
START_TEST(q_is_as_defined)
{
  static const oracle_shape shape = {.min_n = 1,
                                     .max_n = 9,
                                     .min_k = 1,
                                     .max_k = 7,
                                     .color_lists = true,
                                     .wildcards = true,
                                     .required = true};
  uint64_t cases = (uint64_t)(1200 * test_scale()) + 1;
  ms_hooks.keep_q = true;
  for (uint64_t seed = 0; seed < cases; seed++) {
    oracle_case c;
    ms_instance *in = NULL;
    uint8_t expected[ORACLE_MAX_N];
    oracle_make(&shape, seed, &c);
    ck_assert_int_eq(ms_instance_new(c.query, 0, &in, NULL), MS_OK);
    for (int recurrence = MS_SIBLING; recurrence <= MS_CLASSIC; recurrence++) {
      ms_screen_options o = {.size = sizeof(ms_screen_options),
                             .recurrence = (ms_recurrence)recurrence,
                             .run.seed = seed * 77 + 1,
                             .repetitions = 2,
                             .no_early_stop = true,
                             .no_prune = true,
                             .run.threads = 1};
      if (in->impossible)
        break;
      ms_screen_result *r = screen(c.query, &o);
      for (uint32_t i = 0; i < 2; i++) {
        naive_sieve(in, c.k, o.recurrence, o.run.seed, i, expected);
        ck_assert_msg(memcmp(expected, r->q + (size_t)i * c.n, c.n) == 0, "seed %llu recurrence %d",
                      (unsigned long long)seed, recurrence);
      }
      ms_screen_result_free(r);
    }
    ms_instance_free(in);
    oracle_free(&c);
  }
}
END_TEST

/* ---- brute force ----------------------------------------------------------------- */

/* Never a false flag; and, one vertex of a match a case so that trials are
 * independent, no more misses than the bound allows at 99.9 %. */
static void against_oracle(const oracle_shape *shape, ms_recurrence recurrence, uint64_t first,
                           uint64_t cases)
{
  double expected = 0, variance = 0;
  uint64_t trials = 0, missed = 0, tested = 0;
  static uint16_t masks[1 << ORACLE_MAX_N];
  for (uint64_t seed = first; seed < first + cases; seed++) {
    oracle_case c;
    oracle_make(shape, seed, &c);
    uint32_t matches = oracle_matches(&c, masks);
    uint16_t in_match = 0;
    for (uint32_t i = 0; i < matches; i++)
      in_match |= masks[i];
    ms_screen_options o = {.size = sizeof(ms_screen_options),
                           .recurrence = recurrence,
                           .run.seed = seed + 1000,
                           .repetitions = 1,
                           .run.threads = 1,
                           .no_prune = seed % 2 == 0};
    ms_screen_result *r = screen(c.query, &o);
    for (uint32_t v = 0; v < c.n; v++) {
      ck_assert_msg(!r->hits[v] || in_match >> v & 1,
                    "false flag: seed %llu recurrence %d vertex %u", (unsigned long long)seed,
                    (int)recurrence, v);
      ck_assert_msg(r->kept[v] || !(in_match >> v & 1), "pruned a match: seed %llu",
                    (unsigned long long)seed);
      tested++;
    }
    if (in_match) {
      uint64_t state = seed;
      uint32_t v;
      do
        v = (uint32_t)(random_next(&state) % c.n);
      while (!(in_match >> v & 1));
      double bound = 1 - pow(1 - (double)MS_WEIGHT_PEAK / 4294967296.0, 2.0 * c.k - 1);
      expected += bound;
      variance += bound * (1 - bound);
      missed += !r->hits[v];
      trials++;
    }
    ms_screen_result_free(r);
    oracle_free(&c);
  }
  double limit = expected + 3.09 * sqrt(variance) + 1;
  printf(
      "recurrence %d: %llu cases, %llu vertices, %llu in matches tried, missed %llu, bound %.1f\n",
      (int)recurrence, (unsigned long long)cases, (unsigned long long)tested,
      (unsigned long long)trials, (unsigned long long)missed, expected);
  ck_assert_uint_gt(trials, cases / 10);
  ck_assert_uint_lt(trials, cases - cases / 10);
  ck_assert_msg((double)missed <= limit, "missed %llu, allowed %.1f", (unsigned long long)missed,
                limit);
}

/* No vertex outside of every match is flagged, and misses are no more than the bound allows at 99.9
 * %: 12,050 random cases for each recurrence. */
START_TEST(against_brute_force)
{
  static const oracle_shape shape = {.min_n = 1,
                                     .max_n = 10,
                                     .min_k = 1,
                                     .max_k = 8,
                                     .color_lists = true,
                                     .wildcards = true,
                                     .required = true};
  against_oracle(&shape, (ms_recurrence)(_i % 2), (uint64_t)_i * 1000000,
                 (uint64_t)(12000 * test_scale()) + 50);
}
END_TEST

/* A vertex set of a larger graph that is found by enumeration. */
static bool note_match(void *user, const uint32_t *set)
{
  uint8_t *in_match = user;
  for (int i = 0; i < 5; i++)
    in_match[set[i]] = 1;
  return true;
}

/* The flagged vertices are exactly those of the judge's recount: 12 random graphs of 70 vertices,
 * both recurrences. */
START_TEST(against_recount_on_larger_graphs)
{
  for (uint64_t seed = 0; seed < 12; seed++) {
    ms_graph *g = NULL;
    ms_coloring *colors = NULL;
    ms_motif *motif = NULL;
    ms_query *query = NULL;
    uint8_t in_match[70] = {0};
    ck_assert_int_eq(ms_generate_regular(70, 3, seed, &g, NULL), MS_OK);
    ck_assert_int_eq(ms_generate_colors(g, 9, seed, &colors, NULL), MS_OK);
    ck_assert_int_eq(ms_motif_parse("c0:2,c1,c2,*", colors, &motif, NULL), MS_OK);
    ck_assert_int_eq(ms_query_new(g, colors, motif, 0, NULL, &query, NULL), MS_OK);
    mpz_t count;
    mpz_init(count);
    ck_assert_int_eq(recount_motif(query, count, note_match, in_match, NULL, NULL), MS_OK);
    for (int recurrence = 0; recurrence < 2; recurrence++) {
      ms_screen_options o = {.size = sizeof(ms_screen_options),
                             .recurrence = (ms_recurrence)recurrence,
                             .run.seed = seed,
                             .error = 1e-12};
      ms_screen_result *r = screen(query, &o);
      for (uint32_t v = 0; v < 70; v++)
        ck_assert_msg((r->hits[v] > 0) == in_match[v], "seed %llu vertex %u",
                      (unsigned long long)seed, v);
      ms_screen_result_free(r);
    }
    mpz_clear(count);
    ms_query_free(query);
    ms_motif_free(motif);
    ms_coloring_free(colors);
    ms_graph_free(g);
  }
}
END_TEST

/* ---- more shades than vertices (nu) ---------------------------------------------- */

/* Can the vertices of `set` take distinct slots? */
static bool fits(const ms_instance *in, uint32_t set, uint32_t used)
{
  if (!set)
    return true;
  uint32_t v = (uint32_t)__builtin_ctz(set);
  for (uint32_t free_slots = in->mask[v] & ~used; free_slots; free_slots &= free_slots - 1)
    if (fits(in, set & (set - 1), used | (free_slots & -free_slots)))
      return true;
  return false;
}

static bool connected(const ms_instance *in, uint32_t set)
{
  uint32_t reached = set & -set;
  for (uint32_t before = 0; before != reached;) {
    before = reached;
    for (uint32_t v = 0; v < in->n; v++)
      if (reached >> v & 1)
        for (uint64_t e = in->offset[v]; e < in->offset[v + 1]; e++)
          reached |= (1u << in->neighbor[e]) & set;
  }
  return reached == set;
}

/* For matches of fewer vertices than slots Q is that of the naive recurrences, flags are those of
 * brute force, and misses follow the bound: 1,520 random cases, both recurrences. */
START_TEST(fewer_vertices_than_slots)
{
  static const oracle_shape shape = {
      .min_n = 3, .max_n = 9, .min_k = 3, .max_k = 7, .color_lists = true, .wildcards = true};
  uint64_t cases = (uint64_t)(1500 * test_scale()) + 20, trials = 0, missed = 0;
  double expected = 0;
  ms_hooks.keep_q = true;
  for (uint64_t seed = 0; seed < cases; seed++) {
    oracle_case c;
    ms_instance *in = NULL;
    uint8_t q[ORACLE_MAX_N];
    oracle_make(&shape, seed, &c);
    uint32_t size = 1 + (uint32_t)seed % (c.k - 1), in_match = 0;
    ck_assert_int_eq(ms_instance_new(c.query, 0, &in, NULL), MS_OK);
    for (uint32_t set = 1; set < 1u << c.n; set++)
      if ((uint32_t)__builtin_popcount(set) == size && connected(in, set) && fits(in, set, 0))
        in_match |= set;
    for (int recurrence = 0; recurrence < 2; recurrence++) {
      ms_screen_options o = {.size = sizeof(ms_screen_options),
                             .recurrence = (ms_recurrence)recurrence,
                             .match_size = size,
                             .run.seed = seed,
                             .repetitions = 1,
                             .no_early_stop = true,
                             .no_prune = true,
                             .run.threads = 1};
      ms_screen_result *r = screen(c.query, &o);
      naive_sieve(in, size, o.recurrence, seed, 0, q);
      ck_assert_int_eq(memcmp(q, r->q, c.n), 0);
      for (uint32_t v = 0; v < c.n; v++)
        ck_assert(!r->hits[v] || in_match >> v & 1);
      if (in_match) {
        trials++;
        missed += !r->hits[__builtin_ctz(in_match)];
        expected += 1 - pow(1 - (double)MS_WEIGHT_PEAK / 4294967296.0, 3.0 * size - 1);
      }
      ms_screen_result_free(r);
      o.no_prune = false;
      o.repetitions = 6;
      r = screen(c.query, &o);
      for (uint32_t v = 0; v < c.n; v++)
        ck_assert_msg((r->hits[v] > 0) == (in_match >> v & 1), "seed %llu",
                      (unsigned long long)seed);
      ms_screen_result_free(r);
    }
    ms_instance_free(in);
    oracle_free(&c);
  }
  ck_assert_uint_gt(trials, cases / 4);
  ck_assert_double_le((double)missed, expected + 3.09 * sqrt(expected) + 1);
}
END_TEST

/* ---- the same Q everywhere ---------------------------------------------------------- */

typedef struct fixture {
  ms_graph *graph;
  ms_coloring *colors;
  ms_motif *motif;
  ms_query *query;
} fixture;

static fixture random_query(uint32_t n, uint32_t d, uint32_t colors, const char *motif,
                            uint64_t seed)
{
  fixture f = {0};
  ms_error err;
  ck_assert_msg(ms_generate_regular(n, d, seed, &f.graph, &err) == MS_OK, "%s", err.message);
  ck_assert_int_eq(ms_generate_colors(f.graph, colors, seed, &f.colors, &err), MS_OK);
  ck_assert_msg(ms_motif_parse(motif, f.colors, &f.motif, &err) == MS_OK, "%s", err.message);
  ck_assert_int_eq(ms_query_new(f.graph, f.colors, f.motif, 0, NULL, &f.query, &err), MS_OK);
  return f;
}

static void fixture_free(fixture *f)
{
  ms_query_free(f->query);
  ms_motif_free(f->motif);
  ms_coloring_free(f->colors);
  ms_graph_free(f->graph);
}

/* k slots over `colors` colours in turn, every third slot a wildcard if asked for */
static const char *slots(uint32_t k, uint32_t colors, bool wildcards)
{
  static char text[256];
  size_t used = 0;
  for (uint32_t i = 0; i < k; i++)
    used += (size_t)snprintf(text + used, sizeof text - used,
                             i % 3 == 2 && wildcards ? "%s*" : "%sc%u", i ? "," : "", i % colors);
  return text;
}

static const char *rainbow(uint32_t k, bool wildcards)
{
  return slots(k, k, wildcards);
}

/* Every kernel, block size and thread count gives the same Q, with and without pruning: 14 sizes up
 * to 17 slots, with and without wildcards, both recurrences. */
START_TEST(every_kernel_gives_the_same_q)
{
  uint32_t compared = 0;
  /* around the lanes of a line (6, 8) and the width of a row of forms (16) */
  static const uint32_t sizes[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 16, 17};
  /* the longest tables say nothing more under sanitizers */
  uint32_t largest = test_scale() < 0.5 ? 11 : 17;
  ms_hooks.keep_q = true;
  for (unsigned i_size = 0; i_size < sizeof sizes / sizeof *sizes && sizes[i_size] <= largest;
       i_size++) {
    uint32_t k = sizes[i_size], n = k > 12 ? 32 : k > 10 ? 24 : 60 + 2 * (k % 2);
    for (int wild = 0; wild < 2; wild++) {
      uint32_t colors = k > 12 ? 2 : k > 8 ? 3 : k; /* so that pruning leaves something */
      fixture f =
          random_query(n, k > 10 ? 4 : 6, colors, slots(k, colors, wild && k >= 3), 100 + k);
      for (int recurrence = 0; recurrence < 2; recurrence++) {
        ms_screen_options o = {.size = sizeof(ms_screen_options),
                               .recurrence = (ms_recurrence)recurrence,
                               .run.seed = k,
                               .repetitions = k > 10 ? 1 : 3,
                               .no_early_stop = true,
                               .kernel = "table",
                               .run.threads = 1};
        ms_screen_result *first = NULL;
        for (uint32_t i = 0; i < ms_sieve_kernel_count(); i++) {
          const ms_sieve_kernel *kernel = ms_sieve_kernel_at(i);
          if (!kernel->available() || (k > 12 && strcmp(kernel->path, "table") == 0))
            continue;
          static const int threads[] = {1, 2, 7};
          for (int t = 0; t < 3; t++) {
            o.kernel = kernel->path;
            o.block_points = 1u << kernel->line_bits;
            o.run.threads = threads[t];
            o.no_prune = t == 1; /* pruning must not change Q either */
            if (t == 2 && k > 12)
              continue;
            ms_screen_result *r = screen(f.query, &o);
            ck_assert_msg(r->q != NULL, "k %u: pruning left nothing to compare", k);
            if (!first) {
              first = r;
              continue;
            }
            ck_assert_msg(memcmp(first->q, r->q, (size_t)o.repetitions * n) == 0,
                          "k %u kernel %s with %u points, %d threads, recurrence %d", k, o.kernel,
                          o.block_points, o.run.threads, recurrence);
            compared++;
            ms_screen_result_free(r);
          }
        }
        ms_screen_result_free(first);
      }
      fixture_free(&f);
    }
  }
  ck_assert_uint_gt(compared, 150);
}
END_TEST

/* A range of units that is cut anywhere, run backwards and put together gives the Q of the whole,
 * for both recurrences. */
START_TEST(units_add_up)
{
  fixture f = random_query(40, 4, 10, rainbow(10, true), 5);
  ms_instance *in = NULL;
  ms_sieve_problem problem;
  ms_sieve_plan plan;
  ms_error err;
  void *context = NULL;
  ck_assert_int_eq(ms_instance_new(f.query, 0, &in, NULL), MS_OK);
  for (int recurrence = 0; recurrence < 2; recurrence++) {
    ms_sieve_config config = {.threads = 2};
    ck_assert_int_eq(ms_sieve_problem_init(&problem, in, 10, (ms_recurrence)recurrence, 9, 0, &err),
                     MS_OK);
    ck_assert_int_eq(ms_sieve_backend_cpu.open(&problem, &config, 0, &context, &plan, &err), MS_OK);
    uint64_t units = 3 * plan.blocks;
    uint8_t whole[3][40] = {{0}}, parts[3][40] = {{0}};
    ck_assert_int_eq(ms_sieve_backend_cpu.run(context, 0, units, whole[0], &err), MS_OK);
    for (uint64_t step = units, at = units; at > 0; step = step / 2 + 1) {
      uint64_t from = at > step ? at - step : 0;
      uint8_t part[3][40] = {{0}};
      ck_assert_int_eq(ms_sieve_backend_cpu.run(context, from, at, part[0], &err), MS_OK);
      for (uint64_t i = from / plan.blocks; i <= (at - 1) / plan.blocks; i++)
        for (int v = 0; v < 40; v++)
          parts[i][v] ^= part[i - from / plan.blocks][v];
      at = from;
    }
    ck_assert_int_eq(memcmp(whole, parts, sizeof whole), 0);
    uint8_t zero[3][40] = {{0}};
    ck_assert_int_ne(memcmp(whole, zero, sizeof whole), 0);
    ms_sieve_backend_cpu.close(context);
    ms_sieve_problem_clear(&problem);
  }
  ms_instance_free(in);
  fixture_free(&f);
}
END_TEST

/* ---- repetitions, stopping, limits --------------------------------------------------- */

/* The planned repetitions are those of the error bound, fewer only when every kept vertex is
 * flagged, and then the bound is 0. */
START_TEST(repetitions_and_early_stop)
{
  fixture f = random_query(60, 6, 6, rainbow(6, false), 3);
  ms_screen_options o = {.size = sizeof(ms_screen_options), .run.seed = 1, .error = 1e-6};
  ms_screen_result *r = screen(f.query, &o);
  ck_assert_uint_eq(r->repetitions_planned, ms_repetitions_for(11, 1e-6));
  ck_assert(r->early_stop); /* dense: every vertex is in a match */
  ck_assert_uint_lt(r->repetitions, r->repetitions_planned);
  ck_assert_double_eq(r->miss_bound, 0.0);
  ck_assert_uint_eq(r->flagged, 60);
  ms_screen_result_free(r);
  o.no_early_stop = true;
  r = screen(f.query, &o);
  ck_assert_uint_eq(r->repetitions, r->repetitions_planned);
  ck_assert(!r->early_stop);
  ms_screen_result_free(r);
  o.repetitions = 2;
  r = screen(f.query, &o);
  ck_assert_uint_eq(r->repetitions, 2);
  ck_assert_uint_eq(r->points, 2 << 6);
  ms_screen_result_free(r);
  fixture_free(&f);
  /* a graph where some kept vertices are in no match runs all repetitions */
  o = (ms_screen_options){
      .size = sizeof(ms_screen_options), .run.seed = 1, .error = 1e-6, .no_prune = true};
  f = random_query(70, 3, 9, "c0:2,c1,c2", 1);
  r = screen(f.query, &o);
  ck_assert_uint_lt(r->flagged, r->vertices_kept);
  ck_assert_uint_eq(r->repetitions, r->repetitions_planned);
  ck_assert_double_gt(r->miss_bound, 0.0);
  ck_assert_double_le(r->miss_bound, 1e-6);
  ck_assert_double_ge(r->miss_bound_union, r->miss_bound);
  ms_screen_result_free(r);
  fixture_free(&f);
}
END_TEST

static void ask_to_stop(void *user, const char *what, uint64_t done, uint64_t total)
{
  (void)what;
  (void)done;
  (void)total;
  ms_stop_request(user);
}

/* A deadline and a request end a screen of 1,000 repetitions soon, with the reason. */
START_TEST(stopping)
{
  fixture f = random_query(400, 10, 18, rainbow(18, false), 3);
  ms_stop *stop = NULL;
  ck_assert_int_eq(ms_stop_new(&stop, NULL), MS_OK);
  ms_screen_options o = {.size = sizeof(ms_screen_options),
                         .run.seed = 1,
                         .repetitions = 1000,
                         .no_early_stop = true,
                         .run.stop = stop};
  ms_stop_after(stop, 0.2);
  double start = ms_seconds();
  ms_screen_result *r = screen(f.query, &o);
  ck_assert_int_eq(r->run.stopped, MS_ERR_LIMIT);
  ck_assert_uint_lt(r->repetitions, 1000);
  ck_assert_double_lt(ms_seconds() - start, 10);
  if (r->repetitions == 0)
    ck_assert_double_eq(r->miss_bound, 1.0);
  ms_screen_result_free(r);
  ms_stop_after(stop, 0);
  o.run.progress = ask_to_stop;
  o.run.progress_user = stop;
  r = screen(f.query, &o);
  ck_assert_int_eq(r->run.stopped, MS_ERR_INTERRUPTED);
  ms_screen_result_free(r);
  ms_stop_free(stop);
  fixture_free(&f);
}
END_TEST

/* Too little memory, impossible errors, an unknown kernel, odd block sizes and match sizes are
 * refused: six requests. */
START_TEST(bad_requests)
{
  fixture f = random_query(60, 6, 6, rainbow(6, false), 3);
  ms_screen_result *r = NULL;
  ms_error err;
  ms_screen_options o = {.size = sizeof(ms_screen_options), .run.seed = 1, .run.memory = 1000};
  ck_assert_int_eq(ms_screen(f.query, &o, &r, &err), MS_ERR_MEMORY);
  ck_assert_ptr_nonnull(strstr(err.message, "`memory`"));
  ck_assert_ptr_null(r);
  o = (ms_screen_options){.size = sizeof(ms_screen_options), .error = 1.0};
  ck_assert_int_eq(ms_screen(f.query, &o, &r, &err), MS_ERR_USAGE);
  o = (ms_screen_options){.size = sizeof(ms_screen_options), .error = -0.5};
  ck_assert_int_eq(ms_screen(f.query, &o, &r, &err), MS_ERR_USAGE);
  o = (ms_screen_options){.size = sizeof(ms_screen_options), .kernel = "abacus"};
  ck_assert_int_eq(ms_screen(f.query, &o, &r, &err), MS_ERR_USAGE);
  ck_assert_ptr_nonnull(strstr(err.message, "abacus"));
  o = (ms_screen_options){.size = sizeof(ms_screen_options), .block_points = 77};
  ck_assert_int_eq(ms_screen(f.query, &o, &r, &err), MS_ERR_USAGE);
  o = (ms_screen_options){.size = sizeof(ms_screen_options), .match_size = 7};
  ck_assert_int_eq(ms_screen(f.query, &o, &r, &err), MS_ERR_USAGE);
  fixture_free(&f);
}
END_TEST

/* Screens with 16 threads and these caches, with all memory and with half of what that took.
 * Returns how many threads the second one has; Q is the same. */
static int threads_of_half(const ms_query *query, const char *kernel, uint64_t cache)
{
  ms_screen_options o = {.size = sizeof(ms_screen_options),
                         .run.seed = 1,
                         .repetitions = 1,
                         .run.threads = 16,
                         .kernel = kernel,
                         .no_early_stop = true};
  ms_hooks.keep_q = true;
  ms_hooks.sieve_cache = cache;
  ms_hooks.sieve_shared_cache = UINT64_MAX; /* threads share a block for lack of memory alone */
  ms_screen_result *many = screen(query, &o);
  o.run.memory = many->memory_estimate / 2;
  ms_screen_result *few = screen(query, &o);
  ms_hooks = ms_hooks_default;
  ck_assert_int_eq(many->threads, 16);
  ck_assert_uint_le(few->memory_estimate, o.run.memory);
  ck_assert_int_eq(memcmp(many->q, few->q, 500), 0);
  int threads = few->threads;
  ms_screen_result_free(many);
  ms_screen_result_free(few);
  return threads;
}

/* Half of the memory of 16 threads leaves the same Q, and fewer threads where each has a block of
 * its own, as it has where lines fit the cache; where they do not, and two vertices may share a
 * line, all 16 threads work on one block: every kernel, near and far lines. */
START_TEST(half_of_the_memory)
{
  fixture f = random_query(500, 6, 12, rainbow(12, false), 3);
  for (uint32_t i = 0; i < ms_sieve_kernel_count(); i++) {
    const ms_sieve_kernel *kernel = ms_sieve_kernel_at(i);
    if (!kernel->available())
      continue;
    bool halves = kernel->halves && kernel->halves->available();
    int near = threads_of_half(f.query, kernel->path, UINT64_MAX),
        far = threads_of_half(f.query, kernel->path, 1);
    ck_assert_msg(near < 16, "%s: %d threads", kernel->path, near);
    ck_assert_msg(halves ? far == 16 : far < 16, "%s, far lines: %d threads", kernel->path, far);
  }
  fixture_free(&f);
}
END_TEST

/* A back end that runs out of memory on large ranges is asked for halves, and
 * the parts of failed runs are not counted. */
static uint64_t largest;
static const ms_sieve_backend *real_backend = &ms_sieve_backend_cpu;

static ms_status fussy_run(void *context, uint64_t first, uint64_t last, uint8_t *q, ms_error *err)
{
  ms_status status = real_backend->run(context, first, last, q, err);
  if (last - first > 3)
    return MS_ERR_MEMORY; /* after having written to q */
  if (last - first > largest)
    largest = last - first;
  return status;
}

/* A back end that runs out of memory on large ranges gets halves, and the Q and hits are those of
 * one that does not. */
START_TEST(memory_failures_are_retried_in_halves)
{
  fixture f = random_query(40, 4, 10, rainbow(10, false), 5);
  ms_instance *in = NULL;
  ms_sieve_problem problem;
  ms_error err;
  ck_assert_int_eq(ms_instance_new(f.query, 0, &in, NULL), MS_OK);
  ck_assert_int_eq(ms_sieve_problem_init(&problem, in, 10, MS_SIBLING, 9, 0, &err), MS_OK);
  ms_sieve_backend fussy = *real_backend;
  fussy.run = fussy_run;
  ms_sieve_config config = {.threads = 1};
  uint8_t q[2][2][40];
  uint32_t hits[2][40] = {{0}};
  for (int i = 0; i < 2; i++) {
    ms_sieve_job job = {.problem = &problem, .repetitions = 2, .hits = hits[i], .q = q[i][0]};
    ms_sieve_worker worker = {.backend = i ? &fussy : real_backend, .config = config};
    ck_assert_int_eq(ms_sieve_schedule(&job, &worker, 1, &err), MS_OK);
    ck_assert_uint_eq(job.finished, 2);
  }
  ck_assert_int_eq(memcmp(q[0], q[1], sizeof q[0]), 0);
  ck_assert_int_eq(memcmp(hits[0], hits[1], sizeof hits[0]), 0);
  ck_assert_uint_ge(largest, 1);
  ms_sieve_problem_clear(&problem);
  ms_instance_free(in);
  fixture_free(&f);
}
END_TEST

TEST_MAIN("sieve", TEST(weights_are_uniform_and_pure), TEST(bound_is_exact), TEST(q_is_as_defined),
          TEST_TIMES(against_brute_force, 2), TEST(against_recount_on_larger_graphs),
          TEST(fewer_vertices_than_slots), TEST(every_kernel_gives_the_same_q), TEST(units_add_up),
          TEST(repetitions_and_early_stop), TEST(stopping), TEST(bad_requests),
          TEST(half_of_the_memory), TEST(memory_failures_are_retried_in_halves))
