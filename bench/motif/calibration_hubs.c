/* How often p and p_less of a census are small where colours are dealt out at random:
 *
 *   calibration_hubs K LABELLINGS THREADS GRAPH COLORS
 *
 * COLORS: such as 300,20,5: so many vertices of the colours b, c and d; all others have the colour
 * a.  "own": the colours in the graph's file, of which each vertex keeps its first one.  They are
 * dealt out LABELLINGS times, and each labelling is tested.  Three lines for the motifs with a fit,
 * three for those with a bound, and one for each motif with a share that is too large:
 *
 *   p_by    mean      motifs  p<=0.05  0.01  0.001  0.0001  p_less<=0.05  0.01  0.001  0.0001
 *   p_by    greatest  motifs  ...
 *   p_by    excess    motifs  ...
 *   MOTIF   expected  sd      ...
 *
 * The numbers are shares of the labellings: their mean and their greatest one over the motifs; of
 * `excess`, the numbers of motifs with a share that chance makes so large in fewer than one of 3.5
 * million tests, as five standard deviations are.  There are fewer labellings where there are many
 * sets, and none where fewer than 2,000 would be left.  Ends with 1 if there is an excess. */
#include "census/graph.h"
#include "significance/permute/permute.h"
#include "significance/tails.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLORS = 8, LEVELS = 4, SHARES = 2 * LEVELS, LEAST_LABELLINGS = 2000, TOGETHER = 8 };
#define MOST_SETS 2e9   /* of all labellings */
#define MOST_COUNTS 2e8 /* of all motifs and labellings, which are kept */
#define CHANCE 2.867e-7 /* of five standard deviations */

static const double level[LEVELS] = {0.05, 0.01, 0.001, 0.0001};
static const char *const by_name[] = {"fit", "bound"};
static ms_error err;

static void check(ms_status status)
{
  if (status == MS_OK)
    return;
  fprintf(stderr, "calibration_hubs: %s\n", err.message);
  exit(1);
}

typedef struct summary {
  uint64_t motifs, excess[SHARES];
  double sum[SHARES], greatest[SHARES];
} summary;

typedef struct motif {
  ms_moments moments;
  uint64_t number[SHARES]; /* p is up to the level from here on, and p_less below this one */
  uint64_t small[SHARES];  /* labellings with a p, or a p_less, up to the level */
} motif;

typedef struct study {
  ms_graph *graph;
  ms_coloring *coloring;
  ms_census_options census;
  ms_moment_maker maker;
  ms_overlaps overlaps;
  uint64_t *holders; /* of each colour */
  ms_census_result *observed;
  ms_significance *significance;
  ms_permutation_result *permuted;
  summary summary[2]; /* of fits, and of bounds */
} study;

/* Gives the first vertices the rare colours: permutations do the rest. */
static void color(study *s, const char *counts)
{
  static const char *const names[COLORS] = {"a", "b", "c", "d", "e", "f", "g", "h"};
  uint32_t n = ms_graph_vertex_count(s->graph), v = 0, colors = 1;
  uint32_t(*pairs)[2] = malloc(n * sizeof *pairs);
  for (const char *at = counts; *at && colors < COLORS; colors++) {
    char *end;
    for (uint64_t i = strtoull(at, &end, 10); i > 0 && v < n; i--, v++) {
      pairs[v][0] = v;
      pairs[v][1] = colors;
    }
    at = *end ? end + 1 : end;
  }
  for (; v < n; v++) {
    pairs[v][0] = v;
    pairs[v][1] = 0;
  }
  check(ms_coloring_from_pairs(s->graph, n, (const uint32_t(*)[2])pairs, colors, names,
                               &s->coloring, &err));
  free(pairs);
}

/* Counts the vertices of each colour. */
static void count_holders(study *s, const ms_census_graph *g)
{
  s->holders = calloc(ms_coloring_describe(s->coloring).colors, sizeof *s->holders);
  for (uint32_t v = 0; v < g->n; v++)
    s->holders[g->color[g->list[g->list_offset[g->kind[v]]]]]++;
}

/* Returns false if there are too many sets. */
static bool count(study *s, uint64_t labellings)
{
  ms_census_graph *g;
  ms_significance_options o = MS_SIGNIFICANCE_OPTIONS_DEFAULT;
  ms_permutation_options p = MS_PERMUTATION_OPTIONS_DEFAULT;
  ms_overlaps_options overlaps = {.k = s->census.k, .run.threads = s->census.run.threads};
  o.min_expected = 0.1;
  check(ms_census(s->graph, s->coloring, &s->census, &s->observed, &err));
  double most = fmin(MOST_SETS / (double)s->observed->sets, (double)labellings);
  if (most < LEAST_LABELLINGS)
    return false;
  ms_census_result_free(s->observed);
  check(ms_census_significance(s->graph, s->coloring, &s->census, &o, &s->observed,
                               &s->significance, &err));
  most = fmin(MOST_COUNTS / (double)s->observed->count, most);
  if (most < LEAST_LABELLINGS)
    return false;
  p.permutations = p.keep_counts = (uint64_t)most;
  check(ms_census_permute(s->graph, s->coloring, &s->census, &p, s->observed, &s->permuted, &err));
  check(ms_census_graph_new(s->graph, s->coloring, &s->census, &g, &err));
  check(ms_overlaps_count(g, &overlaps, &s->overlaps, &err));
  count_holders(s, g);
  ms_census_graph_free(g);
  ms_moment_maker_open(&s->maker, &s->overlaps);
  return true;
}

/* Returns how many numbers from 0 on have a p above this level (a p_less up to it): p falls, and
 * p_less rises, as numbers grow. */
static uint64_t find_number(const ms_moments *moments, bool less, double most)
{
  uint64_t low = 0, high = (uint64_t)moments->sets + 1;
  while (low < high) {
    uint64_t middle = low + (high - low) / 2;
    ms_tails tails;
    ms_tails_of(moments, middle, &tails);
    if (less ? tails.p_less <= most : tails.p > most)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static void print_shares(const double *share)
{
  for (int i = 0; i < SHARES; i++)
    printf("\t%.5f", share[i]);
  printf("\n");
}

/* Finds the moments of a motif, and the numbers where its p and p_less reach the levels. */
static void find_numbers(const study *s, uint64_t row, motif *m)
{
  const uint32_t *slot = s->observed->color + row * s->census.k;
  ms_color_class class_[MS_MAX_CENSUS];
  uint32_t classes = 0;
  for (uint32_t i = 0; i < s->census.k; i++)
    if (i > 0 && slot[i] == slot[i - 1])
      class_[classes - 1].slots++;
    else
      class_[classes++] = (ms_color_class){1, s->holders[slot[i]]};
  *m = (motif){0};
  ms_moments_of(&s->maker, class_, classes, &m->moments);
  for (int i = 0; i < SHARES; i++)
    m->number[i] = find_number(&m->moments, i >= LEVELS, level[i % LEVELS]);
}

static void add_motif(study *s, uint64_t row, const motif *m)
{
  const uint32_t *slot = s->observed->color + row * s->census.k;
  summary *sum = &s->summary[s->significance->p_by[row] == MS_P_BY_BOUND];
  double share[SHARES], all = (double)s->permuted->kept;
  bool exceeds = false;
  sum->motifs++;
  for (int i = 0; i < SHARES; i++) {
    double expected = all * level[i % LEVELS], chance, other;
    share[i] = (double)m->small[i] / all;
    sum->sum[i] += share[i];
    sum->greatest[i] = fmax(sum->greatest[i], share[i]);
    ms_polya_aeppli(expected, expected, (double)m->small[i], &chance, &other);
    sum->excess[i] += chance < CHANCE;
    exceeds |= chance < CHANCE;
  }
  if (!exceeds)
    return;
  for (uint32_t i = 0; i < s->census.k; i++)
    printf("%s%s", i > 0 ? "," : "", ms_coloring_name(s->coloring, slot[i]));
  printf("\t%.6g\t%.6g", m->moments.mean, sqrt(m->moments.variance));
  print_shares(share);
}

/* Tests some motifs together, whose numbers lie side by side. */
static void test_motifs(study *s, uint64_t first, uint64_t rows)
{
  const ms_permutation_result *p = s->permuted;
  motif m[TOGETHER];
  for (uint64_t r = 0; r < rows; r++)
    find_numbers(s, first + r, &m[r]);
  for (uint64_t i = 0; i < p->kept; i++)
    for (uint64_t r = 0; r < rows; r++) {
      uint64_t number = p->counts[i * p->count + first + r];
      for (int l = 0; l < SHARES; l++)
        m[r].small[l] += l < LEVELS ? number >= m[r].number[l] : number < m[r].number[l];
    }
  for (uint64_t r = 0; r < rows; r++)
    add_motif(s, first + r, &m[r]);
}

/* Prints the lines of fits or of bounds; returns true if there is an excess. */
static bool print_summary(const summary *s, const char *by)
{
  bool exceeds = false;
  double mean[SHARES];
  if (s->motifs == 0)
    return false;
  for (int i = 0; i < SHARES; i++)
    mean[i] = s->sum[i] / (double)s->motifs;
  printf("%s\tmean\t%" PRIu64, by, s->motifs);
  print_shares(mean);
  printf("%s\tgreatest\t%" PRIu64, by, s->motifs);
  print_shares(s->greatest);
  printf("%s\texcess\t%" PRIu64, by, s->motifs);
  for (int i = 0; i < SHARES; i++) {
    printf("\t%" PRIu64, s->excess[i]);
    exceeds |= s->excess[i] > 0;
  }
  printf("\n");
  return exceeds;
}

int main(int argc, char **argv)
{
  if (argc != 6) {
    fprintf(stderr, "usage: calibration_hubs K LABELLINGS THREADS GRAPH COLORS\n");
    return 2;
  }
  study s = {.census = MS_CENSUS_OPTIONS_DEFAULT};
  s.census.k = (uint32_t)strtoul(argv[1], NULL, 10);
  s.census.run.threads = atoi(argv[3]);
  s.census.primary = true;
  check(ms_graph_read(argv[4], NULL, &s.graph, &err));
  if (strcmp(argv[5], "own") == 0)
    check(ms_coloring_from_graph(s.graph, &s.coloring, &err));
  else
    color(&s, argv[5]);
  if (!count(&s, strtoull(argv[2], NULL, 10))) {
    printf("# %" PRIu64 " sets of %" PRIu64 " motifs are too many\n", s.observed->sets,
           s.observed->count);
    return 0;
  }
  printf("# %" PRIu64 " vertices, k = %" PRIu32 ", %" PRIu64 " sets, %" PRIu64
         " at most at one vertex, colours %s, %" PRIu64 " labellings\n",
         s.observed->vertices, s.census.k, s.observed->sets, s.overlaps.most, argv[5],
         s.permuted->kept);
  for (uint64_t row = 0; row < s.observed->count; row += TOGETHER) {
    uint64_t rows = s.observed->count - row;
    test_motifs(&s, row, rows < TOGETHER ? rows : TOGETHER);
  }
  bool exceeds = false;
  for (int by = 0; by < 2; by++)
    exceeds |= print_summary(&s.summary[by], by_name[by]);
  free(s.holders);
  ms_permutation_result_free(s.permuted);
  ms_census_result_free(s.observed);
  ms_significance_free(s.significance);
  ms_coloring_free(s.coloring);
  ms_graph_free(s.graph);
  return exceeds;
}
