/* The significance of a census: rows, tests and motifs without a set against the overlaps, moments
 * and tails that it is made of, in random graphs; sampled moments against exact ones, and what
 * verify says of files with them; threads, stops, limits of memory, failures and wrong options. */
#include "base/threads/stop.h"
#include "base/threads/threads.h"
#include "significance/absent.h"
#include "significance/moments.h"
#include "significance/tails.h"
#include "tests/support/allocations.h"
#include "tests/support/files.h"
#include "tests/support/random.h"
#include "tests/support/test_main.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_N = 60, HUBS_N = 120, COLORS = 5, MOST_MOTIFS = 126 /* of up to five slots */ };

static ms_error err;
static const char *const color_names[] = {"a", "b", "c", "d", "e"};

typedef struct trial {
  uint32_t n, k, color[HUBS_N]; /* COLORS: none */
  ms_graph *graph;
  ms_coloring *coloring;
  ms_census_options census;
  ms_significance_options options;
} trial;

/* A random graph of mean degree 3 with one colour a vertex, some of them rare; some vertices have
 * none. */
static void make_trial(trial *t, uint64_t seed)
{
  uint32_t edges[4 * MOST_N][2], pairs[MOST_N][2];
  uint64_t m = 0, colored = 0;
  *t = (trial){.census = MS_CENSUS_OPTIONS_DEFAULT, .options = MS_SIGNIFICANCE_OPTIONS_DEFAULT};
  t->n = 10 + random_below(&seed, MOST_N - 9);
  t->k = t->census.k = 2 + random_below(&seed, 4);
  for (; m < t->n * 3 / 2; m++) {
    edges[m][0] = random_below(&seed, t->n);
    edges[m][1] = (edges[m][0] + 1 + random_below(&seed, m % 5 ? 6 : t->n - 1)) % t->n;
  }
  for (uint32_t v = 0; v < t->n; v++) {
    uint32_t c = random_below(&seed, 12);
    t->color[v] = c < 5 ? 0 : c < 8 ? 1 : c < 10 ? 2 : c < 11 ? 3 : random_below(&seed, 2) ? 4 : 5;
    if (t->color[v] < COLORS) {
      pairs[colored][0] = v;
      pairs[colored++][1] = t->color[v];
    }
  }
  ck_ok(ms_graph_from_edges(t->n, m, (const uint32_t(*)[2])edges, NULL, &t->graph, &err));
  ck_ok(ms_coloring_from_pairs(t->graph, colored, (const uint32_t(*)[2])pairs, COLORS, color_names,
                               &t->coloring, &err));
}

static void free_trial(trial *t)
{
  ms_coloring_free(t->coloring);
  ms_graph_free(t->graph);
}

static void free_results(ms_census_result *census, ms_significance *s)
{
  ms_census_result_free(census);
  ms_significance_free(s);
}

/* What the parts say of one graph. */
typedef struct parts {
  ms_overlaps overlaps;
  ms_moment_maker maker;
  uint64_t holders[COLORS];
} parts;

static void fill_parts(const trial *t, parts *p)
{
  ms_census_graph *g;
  ms_overlaps_options o = {.k = t->k, .which = MS_MOMENTS_EXACT, .run.threads = 1};
  ck_ok(ms_census_graph_new(t->graph, t->coloring, &t->census, &g, &err));
  ck_ok(ms_overlaps_count(g, &o, &p->overlaps, &err));
  ms_census_graph_free(g);
  ms_moment_maker_open(&p->maker, &p->overlaps);
  memset(p->holders, 0, sizeof p->holders);
  for (uint32_t v = 0; v < t->n; v++)
    if (t->color[v] < COLORS)
      p->holders[t->color[v]]++;
}

static ms_moments moments_of(const parts *p, const uint32_t *color, uint32_t k)
{
  ms_color_class class_[MS_MAX_CENSUS];
  ms_moments moments;
  uint32_t slots[COLORS] = {0}, classes = 0;
  for (uint32_t i = 0; i < k; i++)
    slots[color[i]]++;
  for (uint32_t c = 0; c < COLORS; c++)
    if (slots[c] > 0)
      class_[classes++] = (ms_color_class){slots[c], p->holders[c]};
  ms_moments_of(&p->maker, class_, classes, &moments);
  return moments;
}

/* Finds the row of a motif; UINT64_MAX: there is none. */
static uint64_t find_row(const ms_census_result *r, const uint32_t *color)
{
  for (uint64_t i = 0; i < r->count; i++)
    if (memcmp(r->color + i * r->k, color, r->k * sizeof *color) == 0)
      return i;
  return UINT64_MAX;
}

/* Checks q_less against its definition: less[possible] are p_less of all motifs, or 1. */
static void check_less(const ms_significance *s, const double *less, uint64_t possible)
{
  for (uint64_t row = 0; row < s->count; row++) {
    double q = 1;
    for (uint64_t i = 0; i < possible; i++) {
      uint64_t below = 0;
      for (uint64_t j = 0; j < possible; j++)
        below += less[j] <= less[i];
      double rate = less[i] * (double)possible / (double)below;
      q = less[i] >= s->p_less[row] && rate < q ? rate : q;
    }
    ck_assert(fabs(s->q_less[row] - q) <= 1e-12 * q);
  }
}

/* Checks that all multisets have rows as they should, and counts the possible ones. */
static void check_motifs(const trial *t, const parts *p, const ms_census_result *r,
                         const ms_significance *s, uint64_t seed)
{
  uint32_t color[MS_MAX_CENSUS] = {0}, at;
  uint64_t possible = 0, rows = 0, absent = 0;
  double less[MOST_MOTIFS];
  do {
    uint32_t slots[COLORS] = {0};
    bool fits = true;
    for (uint32_t i = 0; i < t->k; i++)
      fits &= ++slots[color[i]] <= p->holders[color[i]];
    uint64_t row = find_row(r, color);
    ms_moments m = moments_of(p, color, t->k);
    if (fits) {
      ms_tails tails;
      uint64_t sets = row == UINT64_MAX ? 0 : r->n_sets[row];
      ms_tails_of(&m, sets, &tails);
      less[possible++] = sets == 0 && m.mean < 0.1 ? 1 : tails.p_less;
    }
    if (row == UINT64_MAX) {
      ck_assert_msg(m.mean < s->min_expected, "a motif is missing in case %llu",
                    (unsigned long long)seed);
    } else {
      ms_tails tails;
      ms_tails_of(&m, r->n_sets[row], &tails);
      rows++;
      absent += r->n_sets[row] == 0;
      ck_assert(r->n_sets[row] > 0 || m.mean >= s->min_expected);
      ck_assert(s->expected[row] == m.mean && s->sd[row] == sqrt(m.variance));
      ck_assert(s->p[row] == tails.p && s->p_less[row] == tails.p_less);
      ck_assert(s->q[row] >= s->p[row] && s->q[row] <= 1);
    }
    for (at = t->k; at > 0 && color[at - 1] == COLORS - 1; at--)
      ;
    for (uint32_t next = at > 0 ? color[at - 1] + 1 : 0, i = at - 1; at > 0 && i < t->k; i++)
      color[i] = next;
  } while (at > 0);
  check_less(s, less, possible);
  ck_assert_uint_eq(rows, r->count);
  ck_assert_uint_eq(rows, s->count);
  ck_assert_uint_eq(absent, s->absent);
  ck_assert_msg(possible == s->tests, "%llu tests, not %llu, in case %llu",
                (unsigned long long)s->tests, (unsigned long long)possible,
                (unsigned long long)seed);
}

/* Checks that the motifs that occur have the same numbers with another min_expected. */
static void check_min_expected(trial *t, const ms_census_result *r, const ms_significance *s)
{
  ms_census_result *other;
  ms_significance *of_other;
  t->options.min_expected = 2 * s->min_expected;
  ck_ok(ms_census_significance(t->graph, t->coloring, &t->census, &t->options, &other, &of_other,
                               &err));
  ck_assert(of_other->count <= s->count);
  for (uint64_t i = 0; i < of_other->count; i++) {
    uint64_t row = find_row(r, other->color + i * other->k);
    ck_assert(s->q[row] == of_other->q[i] && s->q_less[row] == of_other->q_less[i]);
  }
  t->options.min_expected = s->min_expected;
  free_results(other, of_other);
}

/* 400 random graphs against their parts; min_count, top and min_expected choose rows, and change no
 * number; one thread and three give the same. */
START_TEST(rows)
{
  uint64_t cases = scaled(400), absent = 0;
  for (uint64_t seed = 1; seed <= cases; seed++) {
    trial t;
    parts p;
    ms_census_result *r, *some;
    ms_significance *s, *of_some;
    make_trial(&t, seed);
    t.options.min_expected = seed % 3 == 0 ? 0 : seed % 3 == 1 ? 0.3 : 1.5;
    t.census.run.threads = 1;
    ck_ok(ms_census_significance(t.graph, t.coloring, &t.census, &t.options, &r, &s, &err));
    fill_parts(&t, &p);
    check_motifs(&t, &p, r, s, seed);
    check_min_expected(&t, r, s);
    absent += s->absent;
    t.census.run.threads = 3;
    t.census.min_count = seed % 4;
    t.census.top = seed % 5 == 0 ? 6 : 0;
    ck_ok(
        ms_census_significance(t.graph, t.coloring, &t.census, &t.options, &some, &of_some, &err));
    ck_assert(some->count == of_some->count && some->count <= r->count);
    ck_assert(memcmp(of_some->q, s->q, some->count * sizeof *s->q) == 0);
    ck_assert(memcmp(of_some->q_less, s->q_less, some->count * sizeof *s->q_less) == 0);
    ck_assert(memcmp(some->color, r->color, some->count * r->k * sizeof *r->color) == 0);
    for (uint64_t i = 0; i < some->count; i++)
      ck_assert(some->n_sets[i] >= t.census.min_count);
    free_results(some, of_some);
    free_results(r, s);
    free_trial(&t);
  }
  ck_assert(absent > cases);
}
END_TEST

/* Sampled moments of 60 graphs: B_j are within 5 standard errors of the exact ones, and errors are
 * neither all too small nor too large: about two thirds are within one.  The same seed gives the
 * same numbers on one thread and three. */
START_TEST(samples)
{
  uint64_t cases = scaled(60), compared = 0, near = 0;
  for (uint64_t seed = 1; seed <= cases; seed++) {
    trial t;
    ms_census_graph *g;
    ms_overlaps exact, sampled, again;
    make_trial(&t, 1000 + seed);
    ck_ok(ms_census_graph_new(t.graph, t.coloring, &t.census, &g, &err));
    ms_overlaps_options o = {.k = t.k, .which = MS_MOMENTS_EXACT, .run.threads = 2};
    ck_ok(ms_overlaps_count(g, &o, &exact, &err));
    o.which = MS_MOMENTS_SAMPLED;
    o.samples = 100;
    o.seed = seed;
    o.run.threads = 1;
    ck_ok(ms_overlaps_count(g, &o, &sampled, &err));
    o.run.threads = 3;
    ck_ok(ms_overlaps_count(g, &o, &again, &err));
    ck_assert(memcmp(sampled.shared, again.shared, sizeof again.shared) == 0);
    ck_assert(sampled.sets == exact.sets && sampled.shared[0] == exact.shared[0] &&
              sampled.shared[1] == exact.shared[1] && sampled.shared[t.k] == exact.shared[t.k]);
    for (uint32_t j = 2; j < t.k && exact.sets > 200; j++) {
      double off = (double)sampled.shared[j] - (double)exact.shared[j];
      ck_assert_msg(fabs(off) <= 5 * sampled.error[j] + 1, "B_%u in case %llu", j,
                    (unsigned long long)seed);
      compared++;
      near += fabs(off) < sampled.error[j];
    }
    ms_census_graph_free(g);
    free_trial(&t);
  }
  ck_assert_msg(compared < 40 || (near > compared / 2 && near < compared * 9 / 10), "%llu of %llu",
                (unsigned long long)near, (unsigned long long)compared);
}
END_TEST

/* The choice between exact and sampled, and the error that rows are given. */
START_TEST(choices)
{
  trial t;
  ms_census_result *r;
  ms_significance *s;
  make_trial(&t, 7);
  t.census.k = t.k = 4;
  ck_ok(ms_census_significance(t.graph, t.coloring, &t.census, &t.options, &r, &s, &err));
  ck_assert(s->exact && s->error == 0 && s->samples == 0);
  ck_assert(strcmp(s->overlap[4], s->overlap[0]) != 0 &&
            strtoull(s->overlap[4], NULL, 10) == r->sets);
  free_results(r, s);
  t.options.moments = MS_MOMENTS_SAMPLED;
  t.options.samples = 30;
  ck_ok(ms_census_significance(t.graph, t.coloring, &t.census, &t.options, &r, &s, &err));
  ck_assert(!s->exact && s->error > 0 && s->samples == 30 && s->seed == MS_DEFAULT_SEED);
  free_results(r, s);
  free_trial(&t);
}
END_TEST

/* ---- calibration ----------------------------------------------------------------------- */

/* A graph by preferential attachment: each vertex joins `joins` ends of the edges before it.  The
 * first of the vertices have the colour b, the next ones the colour c, and all others a. */
static void make_colored(trial *t, uint32_t count, const uint32_t (*edge)[2], uint32_t b,
                         uint32_t c)
{
  uint32_t pairs[HUBS_N][2];
  for (uint32_t v = 0; v < t->n; v++) {
    t->color[v] = v < b ? 1 : v < b + c ? 2 : 0;
    pairs[v][0] = v;
    pairs[v][1] = t->color[v];
  }
  ck_ok(ms_graph_from_edges(t->n, count, edge, NULL, &t->graph, &err));
  ck_ok(ms_coloring_from_pairs(t->graph, t->n, (const uint32_t(*)[2])pairs, COLORS, color_names,
                               &t->coloring, &err));
}

static void make_hubs(trial *t, uint32_t joins, uint32_t b, uint32_t c, uint64_t *state)
{
  uint32_t edge[2 * HUBS_N][2], count = 0;
  for (uint32_t v = 1; v < t->n; v++)
    for (uint32_t i = 0; i < joins; i++) {
      uint32_t end = count ? edge[random_below(state, count)][random_below(state, 2)] : 0;
      edge[count][0] = end == v ? v - 1 : end;
      edge[count++][1] = v;
    }
  make_colored(t, count, (const uint32_t(*)[2])edge, b, c);
}

typedef struct tail_share {
  uint64_t below[2][3]; /* p and p_less, up to each level */
} tail_share;

static const double level[3] = {0.05, 0.01, 0.001};

/* Counts how often p and p_less of a motif are up to each level, over the labellings. */
static tail_share count_small(const ms_moments *m, const ms_permutation_result *p, uint64_t motif)
{
  tail_share share = {0};
  uint64_t last = UINT64_MAX;
  ms_tails tails = {0};
  for (uint64_t i = 0; i < p->kept; i++) {
    uint64_t number = p->counts[i * p->count + motif];
    if (number != last)
      ms_tails_of(m, number, &tails);
    last = number;
    for (int l = 0; l < 3; l++) {
      share.below[0][l] += tails.p <= level[l];
      share.below[1][l] += tails.p_less <= level[l];
    }
  }
  return share;
}

/* Checks all motifs of a graph whose colours are dealt out at random. */
static void check_calibration(trial *t, uint64_t labellings, uint64_t *fits, uint64_t *motifs)
{
  ms_census_result *r;
  ms_significance *s;
  ms_permutation_result *p;
  ms_permutation_options o = MS_PERMUTATION_OPTIONS_DEFAULT;
  parts of;
  o.permutations = o.keep_counts = labellings;
  o.seed = t->k;
  t->options.min_expected = 0.1;
  t->census.k = t->k;
  ck_ok(ms_census_significance(t->graph, t->coloring, &t->census, &t->options, &r, &s, &err));
  ck_ok(ms_census_permute(t->graph, t->coloring, &t->census, &o, r, &p, &err));
  fill_parts(t, &of);
  for (uint64_t row = 0; row < r->count; row++) {
    ms_moments m = moments_of(&of, r->color + row * r->k, r->k);
    tail_share share = count_small(&m, p, row);
    *fits += s->p_by[row] == MS_P_BY_FIT;
    ++*motifs;
    for (int l = 0; l < 3; l++)
      for (int less = 0; less < 2; less++) {
        double most = (double)p->kept * level[l];
        ck_assert_msg((double)share.below[less][l] <= most + 5 * sqrt(most),
                      "%s is up to %g in %llu of %llu labellings: k %u, motif %llu, n %u, expected "
                      "%g, sd %g",
                      less ? "p_less" : "p", level[l], (unsigned long long)share.below[less][l],
                      (unsigned long long)p->kept, t->k, (unsigned long long)row, t->n,
                      s->expected[row], s->sd[row]);
      }
  }
  ms_permutation_result_free(p);
  free_results(r, s);
}

/* p and p_less of all motifs of 2, 3 and 4 in graphs with hubs, with common and rare colours, are
 * small no more often than they may be: in 4,000 labellings, up to 0.05, 0.01 and 0.001, within
 * five standard deviations.  (A Polya-Aeppli variable alone has p_less up to 0.001 in 1.6 % of the
 * labellings.)  Some of them are bounds. */
START_TEST(hubs)
{
  static const uint32_t held[3][2] = {{5, 0}, {5, 60}, {12, 30}};
  uint64_t fits = 0, motifs = 0, state = 5;
  for (uint32_t c = 0; c < 3; c++)
    for (uint32_t k = 2; k <= 4; k++) {
      trial t = {.n = HUBS_N, .k = k, .census = MS_CENSUS_OPTIONS_DEFAULT};
      t.options = (ms_significance_options)MS_SIGNIFICANCE_OPTIONS_DEFAULT;
      t.census.run.threads = 1;
      make_hubs(&t, k == 4 ? 1 : 2, held[c][0], held[c][1], &state);
      check_calibration(&t, 4000, &fits, &motifs);
      free_trial(&t);
    }
  ck_assert(fits < motifs);
}
END_TEST

enum { CLIQUES, LARGE_CLIQUES, CIRCLE, BLOCK, STARS, SHAPES };

/* Cliques of six or of twelve, a circle in which each vertex has the next two as neighbours, one
 * clique beside pairs, or two stars. */
static void make_shape(trial *t, int shape, uint32_t b, uint32_t c)
{
  uint32_t edge[6 * HUBS_N][2], count = 0;
  uint32_t block = shape == CLIQUES ? 6 : shape == LARGE_CLIQUES ? 12 : 18;
  for (uint32_t v = 0; v < t->n; v++)
    for (uint32_t w = v + 1; w < v + block; w++) {
      bool joined = shape == CIRCLE  ? w <= v + 2
                    : shape == STARS ? w == v + 1
                                     : w / block == v / block || w == (v ^ 1u);
      if (shape == BLOCK && w >= block)
        joined = w == (v ^ 1u) && v >= block;
      if (!joined || (shape != CIRCLE && w >= t->n))
        continue;
      edge[count][0] = shape == STARS ? v % 2 : v;
      edge[count++][1] = shape == STARS ? w : w % t->n;
    }
  make_colored(t, count, (const uint32_t(*)[2])edge, b, c);
}

/* The same where all vertices are in equally many sets, where blocks are dense, and where two
 * vertices make the distribution.  In cliques of twelve, 40,000 labellings show that a fit has p up
 * to 0.001 too often. */
START_TEST(blocks)
{
  static const uint32_t held[4][2] = {{2, 0}, {12, 0}, {40, 10}, {40, 40}};
  uint64_t fits = 0, motifs = 0;
  for (int shape = 0; shape < SHAPES; shape++)
    for (uint32_t c = 0; c < 4; c++)
      for (uint32_t k = 2; k <= 3; k++) {
        trial t = {.n = HUBS_N, .k = k, .census = MS_CENSUS_OPTIONS_DEFAULT};
        t.options = (ms_significance_options)MS_SIGNIFICANCE_OPTIONS_DEFAULT;
        t.census.run.threads = 1;
        make_shape(&t, shape, held[c][0], held[c][1]);
        check_calibration(&t, shape == LARGE_CLIQUES ? 40000 : 4000, &fits, &motifs);
        free_trial(&t);
      }
  ck_assert(fits > motifs / 10 && fits < motifs);
}
END_TEST

/* A graph and colours that were read from files, with a census whose moments are sampled. */
typedef struct written {
  trial t;
  ms_census_result *r;
  ms_significance *s;
} written;

static void make_written(written *w, uint64_t seed)
{
  char edges[8192] = "", colors[2048] = "";
  trial random;
  make_trial(&random, seed);
  w->t = random;
  for (uint32_t v = 0; v < random.n; v++) {
    uint32_t degree;
    const uint32_t *row = ms_graph_neighbors(random.graph, v, &degree);
    for (uint32_t i = 0; i < degree; i++)
      if (row[i] > v)
        sprintf(edges + strlen(edges), "v%u v%u\n", v, row[i]);
    if (random.color[v] < COLORS && degree > 0)
      sprintf(colors + strlen(colors), "v%u\t%s\n", v, color_names[random.color[v]]);
  }
  free_trial(&random);
  ck_ok(ms_graph_read(files_write_text("g.tsv", edges), NULL, &w->t.graph, &err));
  ck_ok(
      ms_coloring_read(files_write_text("c.tsv", colors), w->t.graph, NULL, &w->t.coloring, &err));
  w->t.census.k = 3 + seed % 3;
  w->t.options.moments = MS_MOMENTS_SAMPLED;
  w->t.options.samples = 40;
  w->t.options.seed = seed;
  ck_ok(ms_census_significance(w->t.graph, w->t.coloring, &w->t.census, &w->t.options, &w->r, &w->s,
                               &err));
}

static void write_census(const written *w)
{
  ms_census_statistics statistics = MS_CENSUS_STATISTICS_DEFAULT;
  ms_write_options o = MS_WRITE_OPTIONS_DEFAULT;
  statistics.significance = w->s;
  o.form = w->s->seed % 2 ? MS_FORM_TSV : MS_FORM_JSON;
  ck_ok(ms_census_write_statistics(w->t.graph, w->t.coloring, &w->t.census, w->r, &statistics, &o,
                                   files_path("census"), &err));
}

static ms_verify_report verify_census(ms_stop *stop)
{
  ms_verify_options o = MS_VERIFY_OPTIONS_DEFAULT;
  ms_verify_report report;
  o.run.stop = stop;
  ck_ok(ms_verify_file(files_path("census"), files_path("g.tsv"), files_path("c.tsv"), &o, &report,
                       &err));
  return report;
}

static void free_written(written *w)
{
  free_results(w->r, w->s);
  free_trial(&w->t);
}

static void refuse_number(const written *w, const char *what, double *number, double factor)
{
  double right = *number;
  *number *= factor;
  write_census(w);
  *number = right;
  ck_assert_msg(verify_census(NULL).outcome == MS_VERIFY_REFUSED, "%s is not refused", what);
}

/* verify draws all samples of 40 files again and accepts them.  It refuses each number of a row or
 * of the head that is changed by a thousandth, and a file whose numbers all belong to another
 * seed. */
START_TEST(verified_samples)
{
  uint64_t cases = scaled(40);
  for (uint64_t seed = 100; seed < 100 + cases; seed++) {
    written w;
    make_written(&w, seed);
    write_census(&w);
    ms_verify_report report = verify_census(NULL);
    ck_assert_msg(report.outcome == MS_VERIFY_ACCEPTED, "case %llu: %s", (unsigned long long)seed,
                  report.problem);
    ck_assert(report.is_sampled && report.samples == w.s->samples * (w.t.census.k - 2));
    uint64_t row = seed % w.r->count;
    while (row + 1 < w.r->count && (w.s->sd[row] == 0 || w.s->p[row] > 0.9))
      row++;
    if (w.s->sd[row] > 0 && w.s->p[row] < 0.9 && w.s->p_less[row] < 0.9 && w.s->q[row] < 0.9) {
      refuse_number(&w, "expected", &w.s->expected[row], 1.001);
      refuse_number(&w, "sd", &w.s->sd[row], 0.999);
      refuse_number(&w, "z", &w.s->z[row], 1.001);
      refuse_number(&w, "p", &w.s->p[row], 0.999);
      refuse_number(&w, "p_less", &w.s->p_less[row], 1.001);
      refuse_number(&w, "q", &w.s->q[row], 0.999);
      refuse_number(&w, "q_less", &w.s->q_less[row], 0.999);
    }
    if (w.s->error > 0) {
      refuse_number(&w, "sd_error", &w.s->error, 0.999);
      refuse_number(&w, "sd_error", &w.s->error, 1.001);
    }
    free_written(&w);
  }
}
END_TEST

/* 40 files whose samples are drawn with another seed than the head says: all are refused but those
 * in which both seeds give the same sums. */
START_TEST(other_seeds)
{
  uint64_t cases = scaled(40), same = 0;
  for (uint64_t seed = 100; seed < 100 + cases; seed++) {
    written w, other;
    make_written(&w, seed);
    w.t.options.seed += 2;
    ck_ok(ms_census_significance(w.t.graph, w.t.coloring, &w.t.census, &w.t.options, &other.r,
                                 &other.s, &err));
    bool equal = memcmp(w.s->overlap, other.s->overlap, sizeof w.s->overlap) == 0;
    w.s->seed += 2;
    write_census(&w);
    ms_verify_report report = verify_census(NULL);
    ck_assert_msg(equal || (report.outcome == MS_VERIFY_REFUSED &&
                            strstr(report.problem, "drawn with this seed")),
                  "case %llu: %s", (unsigned long long)seed, report.problem);
    same += equal;
    free_results(other.r, other.s);
    free_written(&w);
  }
  ck_assert(same < cases / 4 + 2);
}
END_TEST

/* A stop at each look of verify: a right file is never refused. */
START_TEST(verify_stops)
{
  written w;
  uint64_t looks = 0, partly = 0;
  make_written(&w, 104);
  write_census(&w);
  for (bool ended = false; !ended; looks++) {
    ms_stop *stop;
    ck_ok(ms_stop_new(&stop, &err));
    ms_stop_after_looks(stop, looks);
    ms_verify_options o = MS_VERIFY_OPTIONS_DEFAULT;
    ms_verify_report report;
    o.run.stop = stop;
    ms_status status = ms_verify_file(files_path("census"), files_path("g.tsv"),
                                      files_path("c.tsv"), &o, &report, &err);
    ck_assert(status == MS_OK || status == MS_ERR_LIMIT); /* while the inputs were read */
    ck_assert_msg(status != MS_OK || report.outcome != MS_VERIFY_REFUSED, "%s", report.problem);
    uint64_t all = w.s->samples * (w.t.census.k - 2);
    ended = status == MS_OK && report.outcome == MS_VERIFY_ACCEPTED && report.samples == all;
    partly += status == MS_OK && report.samples > 0 && report.samples < all;
    ms_stop_free(stop);
    ck_assert(looks < 10000);
  }
  ck_assert_msg(partly > 0, "no stop came between the samples");
  free_written(&w);
}
END_TEST

/* A token that is stopped from its n-th look on, for each n: no numbers, and the reason. */
START_TEST(stops)
{
  for (int sampled = 0; sampled < 2; sampled++) {
    uint64_t looks = 0, most = 400, stopped = 0;
    for (; looks < most; looks += 1 + looks / 8) {
      trial t;
      ms_census_result *r;
      ms_significance *s;
      ms_stop *stop;
      make_trial(&t, 11);
      t.census.k = t.k = 5;
      t.census.run.threads = 1;
      t.options.moments = sampled ? MS_MOMENTS_SAMPLED : MS_MOMENTS_EXACT;
      t.options.samples = sampled ? 50 : 0;
      ck_ok(ms_stop_new(&stop, &err));
      ms_stop_after_looks(stop, looks);
      t.census.run.stop = stop;
      ck_ok(ms_census_significance(t.graph, t.coloring, &t.census, &t.options, &r, &s, &err));
      if (r->run.stopped != MS_OK) {
        stopped++;
        ck_assert(s->run.stopped == r->run.stopped && r->count == 0 && s->count == 0 &&
                  r->sets == 0);
      } else {
        most = looks;
        ck_assert(s->count == r->count && r->count > 0);
      }
      free_results(r, s);
      ms_stop_free(stop);
      free_trial(&t);
    }
    ck_assert_msg(stopped > 3 && most < 400, "%llu stops", (unsigned long long)stopped);
  }
}
END_TEST

static ms_status run_small(void *user, ms_error *e)
{
  trial *t = user;
  ms_census_result *r;
  ms_significance *s;
  ms_status status =
      ms_census_significance(t->graph, t->coloring, &t->census, &t->options, &r, &s, e);
  if (status == MS_OK) {
    ck_assert(r->count > 5 && s->count == r->count && s->tests >= r->motifs);
    free_results(r, s);
  }
  return status;
}

/* Each allocation fails once, in an exact and in a sampled run; sorting does without its own. */
START_TEST(no_memory)
{
  for (int sampled = 0; sampled < 2; sampled++) {
    trial t;
    make_trial(&t, 5);
    t.census.k = t.k = 4;
    t.census.run.threads = 1;
    t.options.min_expected = 0.5;
    t.options.moments = sampled ? MS_MOMENTS_SAMPLED : MS_MOMENTS_EXACT;
    t.options.samples = sampled ? 20 : 0;
    ck_assert(failing_runs_survived(run_small, &t) > 40);
    free_trial(&t);
  }
}
END_TEST

/* Limits that are too low, and options that make no sense. */
START_TEST(refusals)
{
  static const uint32_t ends[2][2] = {{0, 1}, {1, 2}}, two[2][2] = {{0, 0}, {0, 1}};
  trial t;
  ms_census_result *r;
  ms_significance *s;
  make_trial(&t, 3);
  t.census.k = 5;
  t.options.min_expected = 0.01;
  ck_assert_int_eq(ms_census_significance(t.graph, t.coloring, &t.census, &t.options, &r, &s, &err),
                   MS_ERR_USAGE);
  ck_assert(strstr(err.message, "`min_expected` must be at least 0.1") && !r && !s);
  t.options.min_expected = 0;
  t.options.moments = (ms_moments_choice)3;
  ck_assert_int_eq(ms_census_significance(t.graph, t.coloring, &t.census, &t.options, &r, &s, &err),
                   MS_ERR_USAGE);
  free_trial(&t);
  ms_graph *graph;
  ms_coloring *coloring;
  ck_ok(ms_graph_from_edges(3, 2, ends, NULL, &graph, &err));
  ck_ok(ms_coloring_from_pairs(graph, 2, two, 2, color_names, &coloring, &err));
  ck_assert_int_eq(ms_census_significance(graph, coloring, NULL, NULL, &r, &s, &err), MS_ERR_USAGE);
  ck_assert(strstr(err.message, "several colours") && strstr(err.message, "`primary`"));
  ms_census_options primary = {.size = sizeof primary, .k = 2, .primary = true};
  ck_ok(ms_census_significance(graph, coloring, &primary, NULL, &r, &s, &err));
  ck_assert(r->count == 0 && s->tests == 0); /* one vertex has a colour */
  free_results(r, s);
  ms_coloring_free(coloring);
  ms_graph_free(graph);
}
END_TEST

TEST_MAIN("the significance of a census", TEST(rows), TEST(samples), TEST(hubs), TEST(blocks),
          TEST(verified_samples), TEST(other_seeds), TEST(verify_stops), TEST(choices), TEST(stops),
          TEST(no_memory), TEST(refusals))
