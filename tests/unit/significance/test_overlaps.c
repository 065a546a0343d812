/* Overlaps of connected sets and the moments that follow from them: overlaps against all pairs of
 * sets, the formulas for means and variances against all permutations of the colours, as fractions,
 * the numbers of the library against these fractions, k = 2 against the formulas of join counts,
 * the numbers of sets and the draws of samples against independent code; larger graphs, threads,
 * stops, limits of memory and failures of memory. */
#include "base/alloc.h"
#include "base/hooks.h"
#include "base/threads/stop.h"
#include "motif/best/draw.h"
#include "significance/cells.h"
#include "significance/moments.h"
#include "significance/set_counts.h"
#include "significance/set_picks.h"
#include "significance/supersets.h"
#include "tests/support/allocations.h"
#include "tests/support/random.h"
#include "tests/support/test_main.h"
#include "verify/statistics/redraw.h"

#include <gmp.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_N = 12, MOST_SETS = 924 /* C(12, 6) */, MOST_COLORS = 4 };

static ms_error err;
static const char *const color_names[] = {"c0", "c1", "c2", "c3"};

/* A random graph and its connected sets. */
typedef struct trial {
  uint32_t n, k, colors;
  uint32_t near[MOST_N]; /* bit u: an edge to u */
  uint32_t color[MOST_N];
  uint32_t set[MOST_SETS]; /* [sets] bits of vertices */
  uint32_t sets;
  uint64_t pairs[MS_MAX_CENSUS + 1]; /* ordered pairs by their common vertices */
  ms_graph *graph;
  ms_coloring *coloring;
  ms_census_graph *census;
} trial;

static trial t;

static bool is_connected(uint32_t set)
{
  uint32_t reached = set & -set, before = 0;
  while (reached != before) {
    before = reached;
    for (uint32_t v = 0; v < t.n; v++)
      if (before >> v & 1)
        reached |= t.near[v] & set;
  }
  return reached == set;
}

static void find_sets(void)
{
  memset(t.pairs, 0, sizeof t.pairs);
  t.sets = 0;
  for (uint32_t set = 1; set < 1u << t.n; set++)
    if ((uint32_t)__builtin_popcount(set) == t.k && is_connected(set))
      t.set[t.sets++] = set;
  for (uint32_t i = 0; i < t.sets; i++)
    for (uint32_t j = 0; j < t.sets; j++)
      t.pairs[__builtin_popcount(t.set[i] & t.set[j])]++;
}

/* Makes a graph of at most `most` vertices with sets of at most most_k. */
static void make_trial(uint64_t seed, uint32_t most, uint32_t most_k)
{
  uint32_t edges[MOST_N * MOST_N][2], given[MOST_N][2];
  uint64_t m = 0;
  ms_census_options o = MS_CENSUS_OPTIONS_DEFAULT;
  t.n = 1 + random_below(&seed, most);
  t.k = 2 + random_below(&seed, most_k - 1);
  t.colors = 1 + random_below(&seed, MOST_COLORS);
  uint32_t density = 1 + random_below(&seed, 8);
  memset(t.near, 0, sizeof t.near);
  for (uint32_t v = 0; v < t.n; v++) {
    for (uint32_t u = 0; u < v; u++)
      if (random_below(&seed, 8) < density) {
        t.near[v] |= 1u << u;
        t.near[u] |= 1u << v;
        edges[m][0] = v;
        edges[m++][1] = u;
      }
    t.color[v] = random_below(&seed, t.colors);
    given[v][0] = v;
    given[v][1] = t.color[v];
  }
  ck_ok(ms_graph_from_edges(t.n, m, (const uint32_t(*)[2])edges, NULL, &t.graph, &err));
  ck_ok(ms_coloring_from_pairs(t.graph, t.n, (const uint32_t(*)[2])given, MOST_COLORS, color_names,
                               &t.coloring, &err));
  ck_ok(ms_census_graph_new(t.graph, t.coloring, &o, &t.census, &err));
  find_sets();
}

static void free_trial(void)
{
  ms_census_graph_free(t.census);
  ms_coloring_free(t.coloring);
  ms_graph_free(t.graph);
}

static void check_overlaps(const ms_overlaps *o, uint64_t seed)
{
  ms_signed128 pairs[MS_MAX_CENSUS + 1];
  ms_overlaps_pairs(o, pairs);
  ck_assert_msg(o->sets == t.sets, "%llu sets, not %u, in case %llu", (unsigned long long)o->sets,
                t.sets, (unsigned long long)seed);
  for (uint32_t i = 0; i <= t.k; i++)
    ck_assert_msg(pairs[i] == (ms_signed128)t.pairs[i],
                  "%lld pairs with %u common vertices, not %llu, in case %llu", (long long)pairs[i],
                  i, (unsigned long long)t.pairs[i], (unsigned long long)seed);
}

/* 1,500 random graphs of up to 12 vertices, k from 2 to 8, places for all subsets or hash tables,
 * one thread or three, against all pairs of sets. */
START_TEST(exact_overlaps)
{
  uint64_t cases = scaled(1500);
  for (uint64_t i = 0; i < cases; i++) {
    make_trial(i, MOST_N, MS_MAX_CENSUS);
    ms_hooks.dense_cells = i % 3 == 0 ? 0 : i % 3 == 1 ? 40 : ms_hooks_default.dense_cells;
    ms_hooks.flat_cells = i % 5 == 0 ? 0 : i % 5 == 1 ? 30 : ms_hooks_default.flat_cells;
    ms_overlaps_options o = {.k = t.k, .which = MS_MOMENTS_EXACT, .run.threads = i % 2 ? 1 : 3};
    ms_overlaps overlaps;
    ck_ok(ms_overlaps_count(t.census, &o, &overlaps, &err));
    ck_assert(overlaps.exact);
    check_overlaps(&overlaps, i);
    free_trial();
  }
  ms_hooks = ms_hooks_default;
}
END_TEST

/* The number of connected sets that contain a set: 400 graphs, all sets of one size below k,
 * against the list of all connected sets. */
START_TEST(supersets)
{
  uint64_t cases = scaled(400);
  for (uint64_t i = 0; i < cases; i++) {
    make_trial(i, 10, MS_MAX_CENSUS);
    ms_supersets search;
    ms_watch watch;
    ms_watch_begin(&watch);
    ck_ok(ms_supersets_open(&search, t.census, t.k, &watch, &err));
    for (uint32_t set = 1; set < 1u << t.n; set++) { /* of ranks */
      uint32_t size = (uint32_t)__builtin_popcount(set), list[MOST_N], count = 0, bits = 0;
      if (size >= t.k || (size + set + i) % 3 > 0)
        continue;
      for (uint32_t r = 0; r < t.n; r++)
        if (set >> r & 1) {
          list[count++] = r;
          bits |= 1u << t.census->vertex[r];
        }
      uint64_t right = 0;
      for (uint32_t j = 0; j < t.sets; j++)
        right += (t.set[j] & bits) == bits;
      uint64_t found = ms_supersets_count(&search, list, size);
      ck_assert_msg(found == right, "%llu sets, not %llu, contain %x in case %llu",
                    (unsigned long long)found, (unsigned long long)right, bits,
                    (unsigned long long)i);
    }
    ms_supersets_close(&search);
    free_trial();
  }
}
END_TEST

/* Compares the sets of all numbers with those that verify draws, and with the list of all sets. */
static void check_picks(const ms_set_counts *counts, ms_ranks *ranks, uint64_t seed)
{
  uint64_t number[MOST_SETS] = {0};
  uint32_t set[MOST_SETS * MS_MAX_CENSUS], other[MOST_SETS * MS_MAX_CENSUS], met = 0;
  for (uint64_t i = 0; i < t.sets; i++)
    number[i] = i;
  ck_ok(
      ms_pick_sets(t.census, t.k, counts->of_root, number, t.sets, 1 + seed % 3, NULL, set, &err));
  ck_ok(ms_redraw_sets(ranks, t.sets, seed, 2, other, &err));
  ck_assert_msg(memcmp(set, other, t.sets * t.k * sizeof *set) == 0, "the sets of case %llu",
                (unsigned long long)seed);
  for (uint32_t i = 0; i < t.sets; i++)
    for (uint32_t j = 0; j < t.sets; j++) {
      uint32_t bits = 0;
      for (uint32_t a = 0; a < t.k; a++)
        bits |= 1u << t.census->vertex[set[i * t.k + a]];
      met += bits == t.set[j];
    }
  ck_assert_uint_eq(met, t.sets);
  /* some of the numbers */
  uint64_t draws = t.sets / 3, stride = UINT64_C(0x9E3779B97F4A7C15);
  ck_ok(ms_draw_numbers(t.sets, draws, seed + 2 * stride, number, &err));
  ck_ok(ms_pick_sets(t.census, t.k, counts->of_root, number, draws, 2, NULL, set, &err));
  ck_ok(ms_redraw_sets(ranks, draws, seed, 3, other, &err));
  ck_assert_msg(memcmp(set, other, draws * t.k * sizeof *set) == 0, "the draws of case %llu",
                (unsigned long long)seed);
}

/* 600 graphs: the sets under their numbers, each once, and the draws of samples, by the code that
 * counts and by that of verify; the sets of each root counted in lists, rows and balls. */
START_TEST(picks)
{
  uint64_t cases = scaled(600);
  for (uint64_t i = 0; i < cases; i++) {
    make_trial(9000 + i, MOST_N, MS_MAX_CENSUS);
    ms_set_counts counts;
    ms_ranks ranks;
    ms_hooks.count_way = (int)(i % 4); /* any way, or one of three */
    ck_ok(ms_set_counts_open(t.census, t.k, 2, NULL, &counts, &err));
    ck_ok(ms_ranks_open(t.graph, t.coloring, t.k, NULL, &ranks, &err));
    ck_assert_uint_eq(ranks.n, t.n);
    for (uint32_t r = 0; r < t.n; r++)
      ck_assert_msg(counts.of_root[r] == ranks.first[r + 1] - ranks.first[r],
                    "root %u in case %llu", r, (unsigned long long)i);
    check_picks(&counts, &ranks, i);
    ms_ranks_close(&ranks);
    ms_set_counts_close(&counts);
    free_trial();
  }
  ms_hooks = ms_hooks_default;
}
END_TEST

/* The sampled B_j of 300 graphs, and their standard errors, against draws that verify makes. */
START_TEST(redrawn)
{
  uint64_t cases = scaled(300);
  for (uint64_t i = 0; i < cases; i++) {
    make_trial(12000 + i, MOST_N, MS_MAX_CENSUS);
    ms_overlaps_options o = {
        .k = t.k, .which = MS_MOMENTS_SAMPLED, .samples = 1 + i % 60, .seed = i, .run.threads = 2};
    ms_overlaps overlaps;
    ms_ranks ranks;
    ms_redrawn r;
    ck_ok(ms_overlaps_count(t.census, &o, &overlaps, &err));
    ck_ok(ms_ranks_open(t.graph, t.coloring, t.k, NULL, &ranks, &err));
    mpz_inits(r.sum, r.squares, NULL);
    for (uint32_t j = 2; j < t.k && overlaps.samples > 0; j++) {
      double factor = t.sets, draws = (double)overlaps.samples;
      for (uint32_t c = 0; c < j; c++)
        factor *= (double)(t.k - c) / (c + 1);
      ck_ok(ms_redraw(&ranks, overlaps.samples, i, j, &r, &err));
      double sum = mpz_get_d(r.sum), squares = mpz_get_d(r.squares);
      double variance = (squares - sum * sum / draws) / (draws > 1 ? draws - 1 : 1);
      ck_assert_msg(fabs((double)overlaps.shared[j] - factor * sum / draws) <= 0.5 + 1e-6,
                    "B_%u in case %llu", j, (unsigned long long)i);
      ck_assert_msg(fabs(overlaps.error[j] - factor * sqrt(fabs(variance) / draws)) <=
                        1e-6 * (1 + factor * sum / draws),
                    "the error of B_%u in case %llu", j, (unsigned long long)i);
    }
    mpz_clears(r.sum, r.squares, NULL);
    ms_ranks_close(&ranks);
    free_trial();
  }
}
END_TEST

/* ---- moments -------------------------------------------------------------------------- */

/* Numbers of a motif over all permutations. */
typedef struct tally {
  uint32_t slots[MOST_COLORS];
  mpz_t sum, squares;
} tally;

/* Moves color[n] to the next permutation of a multiset; false after the last one. */
static bool next_permutation(uint32_t *color, uint32_t n)
{
  uint32_t i = n - 1, j = n - 1;
  while (i > 0 && color[i - 1] >= color[i])
    i--;
  if (i == 0)
    return false;
  while (color[j] <= color[i - 1])
    j--;
  uint32_t first = color[i - 1];
  color[i - 1] = color[j];
  color[j] = first;
  for (uint32_t a = i, b = n - 1; a < b; a++, b--) {
    uint32_t swap = color[a];
    color[a] = color[b];
    color[b] = swap;
  }
  return true;
}

/* Sets the fraction of the mean and of the variance of a motif, by the formulas of moments.h with
 * the overlaps of the trial. */
static void apply_formulas(const uint32_t *slots, const uint32_t *holders, mpq_t mean,
                           mpq_t variance)
{
  mpq_t term, part;
  mpz_t number;
  mpq_inits(term, part, NULL);
  mpz_init(number);
  mpq_set_ui(mean, t.sets, 1);
  for (uint32_t c = 0; c < MOST_COLORS; c++) {
    mpz_bin_uiui(number, holders[c], slots[c]);
    mpq_set_z(part, number);
    mpq_mul(mean, mean, part);
  }
  mpz_bin_uiui(number, t.n, t.k);
  mpq_set_z(part, number);
  if (t.sets > 0)
    mpq_div(mean, mean, part);
  mpq_set_ui(variance, 0, 1);
  for (uint32_t code = 0; code < 10000; code++) { /* J, one decimal digit for each colour */
    uint32_t common[MOST_COLORS], i = 0, rest = code;
    bool fits = true;
    for (uint32_t c = 0; c < MOST_COLORS; c++, rest /= 10) {
      common[c] = rest % 10;
      fits &= common[c] <= slots[c];
      i += common[c];
    }
    if (!fits || t.pairs[i] == 0)
      continue;
    mpq_set_ui(term, t.pairs[i], 1);
    mpz_fac_ui(number, i);
    mpq_set_z(part, number);
    mpq_mul(term, term, part);
    mpz_fac_ui(number, t.k - i);
    mpz_mul(number, number, number);
    mpq_set_z(part, number);
    mpq_mul(term, term, part);
    for (uint32_t c = 0; c < MOST_COLORS; c++) {
      mpz_fac_ui(number, common[c]);
      mpq_set_z(part, number);
      mpq_div(term, term, part);
      mpz_fac_ui(number, slots[c] - common[c]);
      mpz_mul(number, number, number);
      mpq_set_z(part, number);
      mpq_div(term, term, part);
      for (uint32_t j = 0; j < 2 * slots[c] - common[c]; j++) {
        mpq_set_ui(part, holders[c] > j ? holders[c] - j : 0, 1);
        mpq_mul(term, term, part);
      }
    }
    for (uint32_t j = 0; j < 2 * t.k - i; j++) {
      mpq_set_ui(part, 1, t.n - j);
      mpq_mul(term, term, part);
    }
    mpq_add(variance, variance, term);
  }
  mpq_mul(part, mean, mean);
  mpq_sub(variance, variance, part);
  mpq_clears(term, part, NULL);
  mpz_clear(number);
}

/* Compares with a fraction. */
static bool is_near(double value, const mpq_t right, double error)
{
  double wanted = mpq_get_d(right);
  return fabs(value - wanted) <= error * fabs(wanted);
}

static void check_moments(const uint32_t *slots, const uint32_t *holders, const ms_overlaps *o,
                          const mpq_t mean, const mpq_t variance, uint64_t seed)
{
  ms_moment_maker maker;
  ms_moments moments;
  ms_color_class class_[MOST_COLORS];
  uint32_t classes = 0;
  for (uint32_t c = 0; c < MOST_COLORS; c++)
    if (slots[c] > 0)
      class_[classes++] = (ms_color_class){slots[c], holders[c]};
  ms_moment_maker_open(&maker, o);
  ms_moments_of(&maker, class_, classes, &moments);
  ck_assert_msg(is_near(moments.mean, mean, 1e-14), "mean %.17g, not %.17g, in case %llu",
                moments.mean, mpq_get_d(mean), (unsigned long long)seed);
  ck_assert_msg(is_near(moments.variance, variance, 1e-9),
                "variance %.17g, not %.17g, in case %llu", moments.variance, mpq_get_d(variance),
                (unsigned long long)seed);
  ck_assert(moments.variance_error == 0);
}

/* Fills the numbers of sets of a motif over all permutations of the colours. */
static uint64_t permute(tally *motif, uint32_t motifs)
{
  uint32_t color[MOST_N], count = 0;
  uint64_t permutations = 0;
  for (uint32_t c = 0; c < MOST_COLORS; c++)
    for (uint32_t v = 0; v < t.n; v++)
      if (t.color[v] == c)
        color[count++] = c;
  do {
    static uint32_t of_code[10000];
    memset(of_code, 0, sizeof of_code);
    for (uint32_t s = 0; s < t.sets; s++) {
      uint32_t code = 0;
      static const uint32_t digit[MOST_COLORS] = {1, 10, 100, 1000};
      for (uint32_t v = 0; v < t.n; v++)
        code += t.set[s] >> v & 1 ? digit[color[v]] : 0;
      of_code[code]++;
    }
    for (uint32_t m = 0; m < motifs; m++) {
      const uint32_t *slots = motif[m].slots;
      uint32_t number = of_code[slots[0] + 10 * slots[1] + 100 * slots[2] + 1000 * slots[3]];
      mpz_add_ui(motif[m].sum, motif[m].sum, number);
      mpz_add_ui(motif[m].squares, motif[m].squares, (unsigned long)number * number);
    }
    permutations++;
  } while (next_permutation(color, t.n));
  return permutations;
}

static uint32_t list_motifs(tally *motif)
{
  uint32_t count = 0;
  for (uint32_t a = 0; a <= t.k; a++)
    for (uint32_t b = 0; a + b <= t.k; b++)
      for (uint32_t c = 0; a + b + c <= t.k; c++) {
        tally next = {.slots = {a, b, c, t.k - a - b - c}};
        mpz_inits(next.sum, next.squares, NULL);
        motif[count++] = next;
      }
  return count;
}

/* 250 random graphs of up to 8 vertices with up to 4 colours, k to 5, all motifs: the mean and the
 * variance over all permutations are those of the formulas, as fractions, and the numbers of the
 * library are these fractions, rounded. */
START_TEST(all_permutations)
{
  uint64_t cases = scaled(250), compared = 0;
  mpq_t mean, variance, right, part;
  mpq_inits(mean, variance, right, part, NULL);
  for (uint64_t i = 0; i < cases; i++) {
    static tally motif[64];
    uint32_t holders[MOST_COLORS] = {0};
    make_trial(1000 + i, 8, 5);
    for (uint32_t v = 0; v < t.n; v++)
      holders[t.color[v]]++;
    ms_overlaps_options o = {.k = t.k, .which = MS_MOMENTS_EXACT, .run.threads = 1};
    ms_overlaps overlaps;
    ck_ok(ms_overlaps_count(t.census, &o, &overlaps, &err));
    uint32_t motifs = list_motifs(motif);
    uint64_t permutations = permute(motif, motifs);
    for (uint32_t m = 0; m < motifs; m++) {
      apply_formulas(motif[m].slots, holders, mean, variance);
      mpq_set_z(right, motif[m].sum);
      mpq_set_ui(part, permutations, 1);
      mpq_div(right, right, part);
      ck_assert_msg(mpq_equal(mean, right), "mean in case %llu", (unsigned long long)i);
      mpq_mul(right, right, right);
      mpq_t squares;
      mpq_init(squares);
      mpq_set_z(squares, motif[m].squares);
      mpq_div(squares, squares, part);
      mpq_sub(right, squares, right);
      mpq_clear(squares);
      ck_assert_msg(mpq_equal(variance, right), "variance in case %llu", (unsigned long long)i);
      check_moments(motif[m].slots, holders, &overlaps, mean, variance, i);
      compared += mpq_sgn(variance) > 0;
      mpz_clears(motif[m].sum, motif[m].squares, NULL);
    }
    free_trial();
  }
  ck_assert(compared >= cases);
  mpq_clears(mean, variance, right, part, NULL);
}
END_TEST

/* The formulas of A. D. Cliff and J. K. Ord (Spatial processes, 1981) for join counts without
 * replacement, with binary symmetric weights, as spdep::joincount.multi has them:  S0 is the sum of
 * all weights, S1 half the sum of (w_ij + w_ji)^2, and S2 the sum of the squares of row sums and
 * column sums together. */
static void join_counts(double n, double edges, double degree_squares, double a, double b,
                        bool alike, double *mean, double *variance)
{
  double s0 = 2 * edges, s1 = 4 * edges, s2 = 4 * degree_squares;
  double n2 = n * (n - 1), n3 = n2 * (n - 2), n4 = n3 * (n - 3);
  if (alike) {
    double p2 = a * (a - 1) / n2, p3 = p2 * (a - 2) / (n - 2), p4 = p3 * (a - 3) / (n - 3);
    *mean = s0 * p2 / 2;
    *variance = (s1 * p2 + (s2 - 2 * s1) * p3 + (s0 * s0 + s1 - s2) * p4) / 4 - *mean * *mean;
  } else {
    *mean = s0 * a * b / n2;
    double first = 2 * s1 * a * b / n2;
    double second = (s2 - 2 * s1) * a * b * (a + b - 2) / n3;
    double third = 4 * (s0 * s0 + s1 - s2) * a * (a - 1) * b * (b - 1) / n4;
    *variance = (first + second + third) / 4 - *mean * *mean;
  }
}

/* k = 2 against join counts: 2,000 random graphs of 4 to 12 vertices, all pairs of colours. */
START_TEST(joins)
{
  uint64_t cases = scaled(2000), compared = 0;
  for (uint64_t i = 0; i < cases; i++) {
    uint32_t holders[MOST_COLORS] = {0};
    double squares = 0;
    make_trial(5000 + i, MOST_N, 2);
    ms_overlaps_options o = {.k = 2, .run.threads = 1};
    ms_overlaps overlaps;
    ms_moment_maker maker;
    ck_ok(ms_overlaps_count(t.census, &o, &overlaps, &err));
    ms_moment_maker_open(&maker, &overlaps);
    for (uint32_t v = 0; v < t.n; v++) {
      double degree = __builtin_popcount(t.near[v]);
      squares += degree * degree;
      holders[t.color[v]]++;
    }
    for (uint32_t a = 0; a < MOST_COLORS && t.n > 3; a++)
      for (uint32_t b = a; b < MOST_COLORS; b++) {
        ms_color_class two[2] = {{1, holders[a]}, {1, holders[b]}}, one = {2, holders[a]};
        double mean, variance;
        ms_moments m;
        ms_moments_of(&maker, a == b ? &one : two, a == b ? 1 : 2, &m);
        join_counts(t.n, t.sets, squares, holders[a], holders[b], a == b, &mean, &variance);
        ck_assert_msg(fabs(m.mean - mean) < 1e-12 * (1 + mean), "mean in case %llu",
                      (unsigned long long)i);
        ck_assert_msg(fabs(m.variance - variance) < 1e-9 * (1 + variance),
                      "variance %.12g, not %.12g, in case %llu", m.variance, variance,
                      (unsigned long long)i);
        compared += variance > 1e-6;
      }
    free_trial();
  }
  ck_assert(compared > cases / 2);
}
END_TEST

TEST_MAIN("overlaps of connected sets", TEST(exact_overlaps), TEST(supersets), TEST(picks),
          TEST(redrawn), TEST(all_permutations), TEST(joins))
