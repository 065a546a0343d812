/* Comparisons of samples against brute force: 200 random divisions of a small graph, whose sets are
 * counted from all vertex sets, whose expected numbers are means over all arrangements of colours,
 * and whose p values come from all arrangements of groups; p values under the null hypothesis of
 * both tests, which are uniform; planted differences; several threads; stops; wrong tables. */
#include "base/threads/stop.h"
#include "tests/support/files.h"
#include "tests/support/random.h"
#include "tests/support/test_main.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  MOST_SAMPLES = 12,
  MOST_PART = 300,
  COLORS = 3,
  MOST_N = MOST_SAMPLES * MOST_PART,
  SMALL = 64 /* vertices of a graph whose sets are counted by brute force */
};

static ms_error err;
static const char *const color_names[] = {"a", "b", "c"};

/* A graph of samples of `part` vertices each, some of which are joined across samples. */
typedef struct design {
  uint32_t samples, part, n;
  uint32_t group[MOST_SAMPLES], block[MOST_SAMPLES];
  bool blocks;
  uint32_t color[MOST_N]; /* COLORS: none */
  uint64_t m;
  uint32_t edge[4 * MOST_N][2];
  bool near[SMALL][SMALL]; /* of a small graph */
  ms_graph *graph;
  ms_coloring *coloring;
  ms_samples *divided;
  ms_comparison *result;
} design;

static design d;

static void join(uint32_t u, uint32_t v)
{
  if (u < SMALL && v < SMALL)
    d.near[u][v] = d.near[v][u] = true;
  d.edge[d.m][0] = u;
  d.edge[d.m++][1] = v;
}

/* Makes graph, colours and samples of the design. */
static void make(void)
{
  static uint32_t pair[MOST_N][2];
  static char name[MOST_N][16], table[MOST_N * 48];
  const char *names[MOST_N];
  uint64_t pairs = 0;
  size_t used = (size_t)sprintf(table, "who\tslide\tdisease\tday\n");
  d.n = d.samples * d.part;
  for (uint32_t v = 0; v < d.n; v++) {
    uint32_t s = v / d.part;
    sprintf(name[v], "v%u", v);
    names[v] = name[v];
    if (d.color[v] < COLORS) {
      pair[pairs][0] = v;
      pair[pairs++][1] = d.color[v];
    }
    used += (size_t)sprintf(table + used, "v%u\ts%u\tg%u\td%u\n", v, s, d.group[s], d.block[s]);
  }
  ck_ok(ms_graph_from_edges(d.n, d.m, (const uint32_t(*)[2])d.edge, names, &d.graph, &err));
  ck_ok(ms_coloring_from_pairs(d.graph, pairs, (const uint32_t(*)[2])pair, COLORS, color_names,
                               &d.coloring, &err));
  ms_sample_options o = MS_SAMPLE_OPTIONS_DEFAULT;
  o.sample_column = "slide";
  o.group_column = "disease";
  o.block_column = d.blocks ? "day" : NULL;
  ck_ok(ms_samples_split(d.graph, d.coloring, files_write_text("table.tsv", table), &o, &d.divided,
                         &err));
  ck_assert_uint_eq(ms_samples_describe(d.divided).samples, d.samples);
}

/* Checks that a comparison of the same samples, given in memory, has the same rows. */
static void check_given(ms_samples *samples, const ms_compare_options *o)
{
  ms_comparison *again;
  ck_ok(ms_compare(samples, o, &again, &err));
  ck_assert_uint_eq(again->motifs, d.result->motifs);
  ck_assert_uint_eq(again->count, d.result->count);
  for (uint64_t r = 0; r < again->count; r++) {
    ck_assert_uint_eq(again->row[r].motif, d.result->row[r].motif);
    ck_assert(again->row[r].p == d.result->row[r].p || isnan(d.result->row[r].p));
  }
  ms_comparison_free(again);
  ms_samples_free(samples);
}

static void compare(const ms_compare_options *o)
{
  ms_sample_info info[MS_MAX_SAMPLES];
  uint32_t *of = malloc(d.n * sizeof *of);
  ms_samples *samples;
  ck_ok(ms_compare(d.divided, o, &d.result, &err));
  for (uint32_t i = 0; i < d.samples; i++)
    info[i] = ms_samples_get(d.divided, i);
  for (uint32_t v = 0; v < d.n; v++)
    of[v] = v / d.part;
  ck_ok(ms_samples_from_vertices(d.graph, d.coloring, d.samples, info, of, &samples, &err));
  check_given(samples, o);
  ck_ok(ms_samples_from_graphs(d.samples, info, &samples, &err));
  check_given(samples, o);
  of[0] = d.samples;
  ck_assert_int_eq(
      ms_samples_from_vertices(d.graph, d.coloring, d.samples, info, of, &samples, &err),
      MS_ERR_USAGE);
  free(of);
}

static void clear(void)
{
  ms_comparison_free(d.result);
  ms_samples_free(d.divided);
  ms_coloring_free(d.coloring);
  ms_graph_free(d.graph);
  memset(&d, 0, sizeof d);
}

/* ---- brute force ---------------------------------------------------------------------- */

/* Counts the connected triples of a sample with these colours, given colours for its vertices. */
static uint64_t count_triples(uint32_t sample, const uint32_t *color, const uint32_t *wanted)
{
  uint64_t count = 0;
  uint32_t begin = sample * d.part, end = begin + d.part;
  for (uint32_t u = begin; u < end; u++)
    for (uint32_t v = u + 1; v < end; v++)
      for (uint32_t w = v + 1; w < end; w++) {
        uint32_t have[COLORS + 1] = {0}, need[COLORS + 1] = {0};
        if (d.near[u][v] + d.near[v][w] + d.near[u][w] < 2)
          continue;
        have[color[u]]++, have[color[v]]++, have[color[w]]++;
        for (uint32_t i = 0; i < 3; i++)
          need[wanted ? wanted[i] : COLORS]++;
        count += wanted ? memcmp(have, need, sizeof have) == 0 : have[COLORS] == 0;
      }
  return count;
}

/* Adds the number of triples over all arrangements of the colours of vertices from v on. */
static void add_arrangements(uint32_t sample, uint32_t v, uint32_t *color, const uint32_t *wanted,
                             double *sum, double *all)
{
  uint32_t end = (sample + 1) * d.part;
  while (v < end && color[v] == COLORS)
    v++;
  if (v == end) {
    *sum += (double)count_triples(sample, color, wanted);
    ++*all;
    return;
  }
  for (uint32_t u = v; u < end; u++) {
    if (color[u] == COLORS)
      continue;
    uint32_t a = color[v], b = color[u];
    color[v] = b, color[u] = a;
    add_arrangements(sample, v + 1, color, wanted, sum, all);
    color[v] = a, color[u] = b;
  }
}

/* The mean difference of the scores y, block by block, for the side of each sample. */
static double statistic(const uint8_t *side, const double *y)
{
  double sum = 0, weights = 0;
  for (uint32_t b = 0; b < d.samples; b++) {
    double mean[2] = {0}, count[2] = {0};
    for (uint32_t s = 0; s < d.samples; s++)
      if ((d.blocks ? d.block[s] : 0) == b) {
        mean[side[s]] += y[s];
        count[side[s]]++;
      }
    if (count[0] == 0 || count[1] == 0)
      continue;
    double weight = count[0] * count[1] / (count[0] + count[1]);
    sum += weight * (mean[1] / count[1] - mean[0] / count[0]);
    weights += weight;
  }
  return sum / weights;
}

/* The p value over all sides with as many samples of each side in each block. */
static double exact_p(const double *y, double *difference)
{
  uint8_t side[MOST_SAMPLES] = {0};
  uint64_t all = 0, reached = 0;
  for (uint32_t s = 0; s < d.samples; s++)
    side[s] = d.group[s] != d.group[0];
  *difference = statistic(side, y);
  for (uint32_t bits = 0; bits < 1u << d.samples; bits++) {
    int balance[MOST_SAMPLES] = {0};
    bool same = true;
    for (uint32_t s = 0; s < d.samples; s++) {
      side[s] = bits >> s & 1;
      balance[d.blocks ? d.block[s] : 0] += side[s] - (d.group[s] != d.group[0]);
    }
    for (uint32_t b = 0; b < d.samples; b++)
      same = same && balance[b] == 0;
    if (!same)
      continue;
    /* blocks with one side only do not move, and all others were counted once for each */
    all++;
    reached += fabs(statistic(side, y)) >= fabs(*difference) - 1e-7;
  }
  return (double)reached / (double)all;
}

static void check_row(const ms_compare_row *r, const double *pseudo)
{
  const uint32_t *wanted = d.result->color + r->motif * 3;
  double y[MOST_SAMPLES], z[MOST_SAMPLES], rate[2] = {0}, count[2] = {0}, difference;
  double more = 0, pairs = 0;
  uint64_t sets[MOST_SAMPLES];
  for (uint32_t s = 0; s < d.samples; s++) {
    uint64_t cell = r->motif * d.samples + s, total = count_triples(s, d.color, NULL);
    uint32_t color[SMALL];
    double sum = 0, all = 0;
    memcpy(color, d.color, sizeof color);
    sets[s] = count_triples(s, d.color, wanted);
    add_arrangements(s, s * d.part, color, wanted, &sum, &all);
    ck_assert_uint_eq(d.result->n_sets[cell], sets[s]);
    ck_assert_double_eq_tol(d.result->expected[cell], sum / all, 1e-9);
    y[s] = log2((double)sets[s] / (double)total + *pseudo);
    z[s] = y[s] - log2(sum / all / (double)total + *pseudo);
    rate[d.group[s] != d.group[0]] += (double)sets[s] / (double)total;
    count[d.group[s] != d.group[0]]++;
    for (uint32_t t = 0; t < s; t++)
      if (d.group[t] != d.group[s] && (!d.blocks || d.block[s] == d.block[t])) {
        double a = (double)sets[s] * (double)d.result->sets[t],
               b = (double)sets[t] * (double)d.result->sets[s];
        more += (a > b ? 1 : a < b ? -1 : 0) * (d.group[s] != d.group[0] ? 1 : -1);
        pairs++;
      }
  }
  ck_assert_double_eq_tol(r->p, exact_p(y, &difference), 1e-12);
  ck_assert_double_eq_tol(r->log2_ratio, difference, 1e-7);
  ck_assert_double_eq_tol(r->p_excess, exact_p(z, &difference), 1e-12);
  ck_assert_double_eq_tol(r->log2_excess_ratio, difference, 1e-7);
  ck_assert_double_eq_tol(r->rate, rate[1] / count[1], 1e-12);
  ck_assert_double_eq_tol(r->reference_rate, rate[0] / count[0], 1e-12);
  ck_assert_double_eq_tol(r->delta, more / pairs, 1e-12);
}

/* q is the least p n / rank of this row and the rows with larger p. */
static void check_q(void)
{
  for (uint64_t i = 0; i < d.result->count; i++) {
    double least = 1;
    for (uint64_t j = 0; j < d.result->count; j++) {
      uint64_t rank = 0;
      for (uint64_t x = 0; x < d.result->count; x++)
        rank += d.result->row[x].p <= d.result->row[j].p;
      double q = d.result->row[j].p * (double)d.result->count / (double)rank;
      if (d.result->row[j].p >= d.result->row[i].p && q < least)
        least = q;
    }
    ck_assert_double_eq_tol(d.result->row[i].q, least, 1e-12);
    if (i > 0)
      ck_assert(d.result->row[i].p >= d.result->row[i - 1].p);
  }
}

/* 200 random designs of 4 to 7 samples of 6 vertices, in two groups and perhaps in blocks: every
 * number of every row against brute force. */
START_TEST(brute_force)
{
  uint64_t state = 17, cases = scaled(200), tried = 0;
  for (uint64_t i = 0; i < cases; i++) {
    d.samples = 4 + random_below(&state, 4);
    d.part = 6;
    d.blocks = random_below(&state, 2);
    for (uint32_t s = 0; s < d.samples; s++) {
      d.group[s] = s < 2 ? s : random_below(&state, 2);
      d.block[s] = s < 2 ? 0 : random_below(&state, 2);
    }
    d.group[2] = 0; /* a group of two samples */
    for (uint32_t v = 0; v < d.samples * d.part; v++) {
      d.color[v] = random_below(&state, 8) == 0 ? COLORS : random_below(&state, COLORS);
      for (uint32_t u = 0; u < v; u++)
        if (random_below(&state, u / d.part == v / d.part ? 2 : 10) == 0)
          join(u, v);
    }
    make();
    double pseudo = 0;
    bool empty = false;
    for (uint32_t s = 0; s < d.samples; s++) {
      uint64_t sets = count_triples(s, d.color, NULL);
      pseudo += (double)sets / d.samples;
      empty |= sets == 0;
    }
    pseudo = 0.5 / pseudo;
    if (empty) {
      ck_assert_int_eq(ms_compare(d.divided, NULL, &d.result, &err), MS_ERR_INPUT);
      ck_assert_ptr_nonnull(strstr(err.message, "has no connected set of 3 vertices"));
    } else {
      compare(NULL);
      ck_assert_int_eq(d.result->test, MS_TEST_SAMPLES);
      ck_assert(d.result->contrast[0].exact);
      ck_assert_uint_eq(d.result->count, d.result->motifs);
      for (uint64_t r = 0; r < d.result->count; r++)
        check_row(&d.result->row[r], &pseudo);
      check_q();
      tried++;
    }
    clear();
  }
  ck_assert_uint_gt(tried, cases / 2);
}
END_TEST

/* ---- p values ------------------------------------------------------------------------- */

static const ms_compare_row *find_row(uint32_t a, uint32_t b, uint32_t c)
{
  for (uint64_t r = 0; r < d.result->count; r++) {
    const uint32_t *color = d.result->color + 3 * d.result->row[r].motif;
    if (color[0] == a && color[1] == b && color[2] == c)
      return &d.result->row[r];
  }
  return NULL;
}

/* A design of rings with random colours, of which `often` of 100 vertices have the first. */
static void make_rings(uint64_t *state, uint32_t samples, uint32_t part, uint32_t groups,
                       const uint32_t *often)
{
  d.samples = samples;
  d.part = part;
  for (uint32_t s = 0; s < samples; s++) {
    d.group[s] = s % groups;
    for (uint32_t i = 0; i < part; i++) {
      uint32_t v = s * part + i;
      join(v, s * part + (i + 1) % part);
      d.color[v] = random_below(state, 100) < often[s % groups] ? 0 : 1 + random_below(state, 2);
    }
  }
}

/* Greatest distance of the distribution of p[count] from the uniform one, above it: p values may be
 * too large, because they are discrete, but not too small; *below: the other side. */
static double distance(double *p, uint32_t count, double *below)
{
  double above = 0;
  *below = 0;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t up_to = 0;
    for (uint32_t j = 0; j < count; j++)
      up_to += p[j] <= p[i];
    above = fmax(above, (double)up_to / count - p[i]);
    *below = fmax(*below, p[i] - (double)up_to / count);
  }
  return above;
}

/* Without a difference, the p values of a motif in 250 simulations are uniform, for both tests: the
 * Kolmogorov-Smirnov distance is below its 99.9 % quantile, and the step of the p values. */
START_TEST(uniform)
{
  static const uint32_t equal[] = {40, 40};
  uint64_t state = 5;
  uint32_t runs = (uint32_t)scaled(250);
  double *p = calloc(runs, sizeof *p), below;
  for (int labels = 0; labels < 2; labels++) {
    for (uint32_t i = 0; i < runs; i++) {
      ms_compare_options o = MS_COMPARE_OPTIONS_DEFAULT;
      o.run.seed = i;
      o.permutations = labels ? 59 : 461; /* fewer than the 924 arrangements: random ones */
      o.run.threads = 1;
      make_rings(&state, labels ? 2 : 12, labels ? 120 : 40, 2, equal);
      make();
      compare(&o);
      ck_assert_int_eq(d.result->test, labels ? MS_TEST_LABELS : MS_TEST_SAMPLES);
      const ms_compare_row *row = find_row(0, 0, 1);
      p[i] = row ? labels ? row->p_excess : row->p : 1;
      clear();
    }
    double above = distance(p, runs, &below), most = 1.95 / sqrt(runs);
    ck_assert_msg(above < most, "p values are too small: distance %g", above);
    ck_assert_msg(below < most + (labels ? 0.1 : 0.01), "p values are too large: %g", below);
  }
  free(p);
}
END_TEST

/* Sorts the colours of a part of each sample of group 1, so that equal ones stand together. */
static void sort_parts(void)
{
  for (uint32_t s = 0; s < d.samples; s++)
    for (uint32_t i = 0; d.group[s] == 1 && i < d.part; i++)
      for (uint32_t j = i + 1; j < d.part; j++) {
        uint32_t *x = &d.color[s * d.part + i], *y = &d.color[s * d.part + j], taken = *x;
        if (*y < *x) {
          *x = *y;
          *y = taken;
        }
      }
}

/* Where one group has its colours sorted along the ring, motifs of one colour are found in the
 * shares and in the excess; where it only has more of a colour, they are found in the shares, and
 * the excess does not differ.  With one sample a group, the sorted one is found, too. */
START_TEST(planted)
{
  static const uint32_t equal[] = {40, 40}, more[] = {25, 60};
  uint64_t state = 77;
  ms_compare_options o = MS_COMPARE_OPTIONS_DEFAULT;
  make_rings(&state, 12, 40, 2, equal);
  sort_parts();
  make();
  compare(&o);
  ck_assert_double_eq_tol(find_row(0, 0, 0)->p, 2.0 / 924, 1e-12);
  ck_assert_double_eq_tol(find_row(0, 0, 0)->p_excess, 2.0 / 924, 1e-12);
  ck_assert_double_eq(find_row(0, 0, 0)->delta, 1);
  ck_assert_double_gt(find_row(0, 0, 0)->log2_excess_ratio, 1);
  ck_assert_double_lt(find_row(0, 0, 0)->q, 0.01);
  clear();
  make_rings(&state, 12, 300, 2, more);
  make();
  compare(&o);
  ck_assert_double_lt(find_row(0, 0, 0)->p, 0.01);
  ck_assert_double_gt(find_row(0, 0, 0)->log2_ratio, 2);
  ck_assert_double_gt(find_row(0, 0, 0)->p_excess, 0.05);
  ck_assert_double_lt(fabs(find_row(0, 0, 0)->log2_excess_ratio),
                      find_row(0, 0, 0)->log2_ratio / 3);
  clear();
  make_rings(&state, 2, 300, 2, equal);
  sort_parts();
  make();
  o.permutations = 199;
  compare(&o);
  ck_assert_int_eq(d.result->test, MS_TEST_LABELS);
  ck_assert(isnan(find_row(0, 0, 0)->p) && isnan(find_row(0, 0, 0)->q));
  ck_assert_double_le(find_row(0, 0, 0)->p_excess, 0.01);
  clear();
}
END_TEST

/* ---- runs ----------------------------------------------------------------------------- */

static bool same_rows(const ms_comparison *a, const ms_comparison *b)
{
  bool same = a->count == b->count && a->motifs == b->motifs;
  for (uint64_t i = 0; same && i < a->count; i++)
    same = memcmp(&a->row[i].rate, &b->row[i].rate, 11 * sizeof(double)) == 0 &&
           a->row[i].motif == b->row[i].motif;
  return same;
}

/* One thread and four have the same rows, bit by bit, in both tests and with random arrangements; a
 * larger number of permutations begins with the same ones. */
START_TEST(threads)
{
  static const uint32_t often[] = {40, 50};
  uint64_t state = 3;
  for (int labels = 0; labels < 2; labels++) {
    ms_comparison *first;
    ms_compare_options o = MS_COMPARE_OPTIONS_DEFAULT;
    o.permutations = 300;
    o.run.threads = 1;
    make_rings(&state, labels ? 2 : 12, 30, 2, often);
    make();
    compare(&o);
    first = d.result;
    o.run.threads = 4;
    compare(&o);
    ck_assert(same_rows(first, d.result));
    ms_comparison_free(d.result);
    o.run.seed = 1;
    compare(&o);
    ck_assert(!same_rows(first, d.result));
    ms_comparison_free(first);
    clear();
  }
}
END_TEST

/* A stop at any look leaves a result without motifs, or with fewer permutations; with random
 * arrangements, those that are done give p values. */
START_TEST(stops)
{
  static const uint32_t often[] = {40, 50};
  uint64_t state = 9, kept = 0;
  for (int labels = 0; labels < 2; labels++) {
    make_rings(&state, labels ? 2 : 12, 30, 2, often);
    make();
    for (uint64_t looks = 0, all = 1; looks < all; looks += 1 + all / 40) {
      ms_compare_options o = MS_COMPARE_OPTIONS_DEFAULT;
      ck_ok(ms_stop_new(&o.run.stop, &err));
      ms_stop_after_looks(o.run.stop, looks > 0 ? looks : UINT64_MAX);
      o.permutations = labels ? 60 : 900;
      o.run.threads = 1;
      ms_status status = ms_compare(d.divided, &o, &d.result, &err);
      if (status != MS_OK) { /* colours were still being prepared */
        ck_assert_int_eq(status, MS_ERR_LIMIT);
        ck_assert_ptr_null(d.result);
        ms_stop_free(o.run.stop);
        continue;
      }
      all = looks == 0 ? ms_stop_looks(o.run.stop) : all; /* the last look sees the last of these */
      const ms_contrast *contrast = d.result->contrast;
      ck_assert_int_eq(d.result->run.stopped, looks == 0 ? MS_OK : MS_ERR_LIMIT);
      ck_assert(looks == 0 || contrast->permutations < o.permutations);
      for (uint64_t r = 0; r < d.result->count; r++) {
        double p = labels ? d.result->row[r].p_excess : d.result->row[r].p;
        ck_assert(contrast->permutations > 0 ? p > 0 && p <= 1 : isnan(p));
        kept += looks > 0 && p <= 1;
      }
      ms_stop_free(o.run.stop);
      ms_comparison_free(d.result);
      d.result = NULL;
    }
    clear();
  }
  ck_assert_uint_gt(kept, 0);
}
END_TEST

/* ---- options -------------------------------------------------------------------------- */

/* Three groups: pairs, one reference, and each group against the rest; top and min_count. */
START_TEST(contrasts)
{
  static const uint32_t often[] = {30, 40, 60};
  uint64_t state = 21;
  ms_compare_options o = MS_COMPARE_OPTIONS_DEFAULT;
  make_rings(&state, 9, 30, 3, often);
  make();
  compare(&o);
  ck_assert_uint_eq(d.result->contrasts, 3);
  for (uint32_t t = 0; t < 3; t++) {
    ck_assert_uint_lt(d.result->contrast[t].reference, d.result->contrast[t].group);
    ck_assert_uint_eq(d.result->contrast[t].arrangements, 20);
  }
  ms_comparison_free(d.result);
  o.reference = "g1";
  o.top = 2;
  compare(&o);
  ck_assert_uint_eq(d.result->contrasts, 2);
  ck_assert_uint_eq(d.result->count, 4);
  ck_assert_uint_eq(d.result->contrast[1].reference, 1);
  ms_comparison_free(d.result);
  o.reference = NULL;
  o.rest = true;
  o.top = 0;
  o.min_count = 100;
  compare(&o);
  ck_assert_uint_eq(d.result->contrasts, 3);
  ck_assert_uint_eq(d.result->contrast[2].arrangements, 84);
  for (uint64_t r = 0; r < d.result->count; r++) {
    uint64_t total = 0;
    for (uint32_t s = 0; s < 9; s++)
      total += d.result->n_sets[d.result->row[r].motif * 9 + s];
    ck_assert_uint_ge(total, 100);
  }
  ck_assert_uint_lt(d.result->contrast[0].tested, d.result->motifs);
  ms_comparison_free(d.result);
  d.result = NULL;
  o.reference = "g1";
  ck_assert_int_eq(ms_compare(d.divided, &o, &d.result, &err), MS_ERR_USAGE);
  o.rest = false;
  o.reference = "nowhere";
  ck_assert_int_eq(ms_compare(d.divided, &o, &d.result, &err), MS_ERR_USAGE);
  o.reference = NULL;
  o.permutations = MS_MAX_PERMUTATIONS + 1;
  ck_assert_int_eq(ms_compare(d.divided, &o, &d.result, &err), MS_ERR_USAGE);
  o.permutations = 0;
  o.k = 9;
  ck_assert_int_eq(ms_compare(d.divided, &o, &d.result, &err), MS_ERR_USAGE);
  clear();
}
END_TEST

TEST_MAIN("compare", TEST(brute_force), TEST(uniform), TEST(planted), TEST(threads), TEST(stops),
          TEST(contrasts))
