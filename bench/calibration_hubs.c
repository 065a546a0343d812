/* How often p and p_less of a census are small where colours are dealt out at random:
 *
 *   calibration_hubs K LABELLINGS THREADS GRAPH COUNTS
 *
 * COUNTS: such as 300,20,5: so many vertices of the colours b, c and d; all others have the colour
 * a.  They are dealt out LABELLINGS times, and each labelling is tested.  A line for each motif:
 *
 *   MOTIF  p_by  expected  sd  p<=0.05  0.01  0.001  0.0001  p_less<=0.05  0.01  0.001  0.0001
 *
 * The numbers are shares of the labellings, which are fewer where there are many sets, and none
 * where fewer than 2,000 would be left.  Ends with 1 if a share is above its level by more than
 * five standard deviations. */
#include "census/graph.h"
#include "significance/permute.h"
#include "significance/tails.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLORS = 8, LEVELS = 4, LEAST_LABELLINGS = 2000 };
#define MOST_SETS 4e9 /* of all labellings */

static const double level[LEVELS] = {0.05, 0.01, 0.001, 0.0001};
static ms_error err;

static void check(ms_status status)
{
  if (status == MS_OK)
    return;
  fprintf(stderr, "calibration_hubs: %s\n", err.message);
  exit(1);
}

typedef struct study {
  ms_graph *graph;
  ms_coloring *coloring;
  ms_census_options census;
  ms_moment_maker maker;
  ms_overlaps overlaps;
  uint64_t holders[COLORS];
  ms_census_result *observed;
  ms_significance *significance;
  ms_permutation_result *permuted;
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
      s->holders[colors]++;
    }
    at = *end ? end + 1 : end;
  }
  for (; v < n; v++) {
    pairs[v][0] = v;
    pairs[v][1] = 0;
    s->holders[0]++;
  }
  check(ms_coloring_from_pairs(s->graph, n, (const uint32_t(*)[2])pairs, colors, names,
                               &s->coloring, &err));
  free(pairs);
}

/* Returns false if there are too many sets. */
static bool count(study *s, uint64_t labellings)
{
  ms_census_graph *g;
  ms_significance_options o = MS_SIGNIFICANCE_OPTIONS_DEFAULT;
  ms_permutation_options p = MS_PERMUTATION_OPTIONS_DEFAULT;
  ms_overlaps_options overlaps = {.k = s->census.k, .threads = s->census.threads};
  o.min_expected = 0.1;
  check(ms_census(s->graph, s->coloring, &s->census, &s->observed, &err));
  if ((double)s->observed->sets * (double)labellings > MOST_SETS)
    labellings = (uint64_t)(MOST_SETS / (double)s->observed->sets);
  if (labellings < LEAST_LABELLINGS)
    return false;
  ms_census_result_free(s->observed);
  p.permutations = p.keep_counts = labellings;
  check(ms_census_significance(s->graph, s->coloring, &s->census, &o, &s->observed,
                               &s->significance, &err));
  check(ms_census_permute(s->graph, s->coloring, &s->census, &p, s->observed, &s->permuted, &err));
  check(ms_census_graph_new(s->graph, s->coloring, &s->census, &g, &err));
  check(ms_overlaps_count(g, &overlaps, &s->overlaps, &err));
  ms_census_graph_free(g);
  ms_moment_maker_open(&s->maker, &s->overlaps);
  return true;
}

/* Prints the line of a motif; returns how many standard deviations its worst share is too large. */
static double test_motif(const study *s, uint64_t row)
{
  const ms_permutation_result *p = s->permuted;
  const uint32_t *slot = s->observed->color + row * s->census.k;
  ms_color_class class_[MS_MAX_CENSUS];
  uint64_t small[2][LEVELS] = {{0}}, last = UINT64_MAX;
  uint32_t classes = 0;
  double worst = 0, all = (double)p->kept;
  ms_moments moments;
  ms_tails tails = {0};
  for (uint32_t i = 0; i < s->census.k; i++) {
    printf("%c", 'a' + (int)slot[i]);
    if (i > 0 && slot[i] == slot[i - 1])
      class_[classes - 1].slots++;
    else
      class_[classes++] = (ms_color_class){1, s->holders[slot[i]]};
  }
  ms_moments_of(&s->maker, class_, classes, &moments);
  for (uint64_t i = 0; i < p->kept; i++) {
    uint64_t number = p->counts[i * p->count + row];
    if (number != last)
      ms_tails_of(&moments, number, &tails);
    last = number;
    for (int l = 0; l < LEVELS; l++) {
      small[0][l] += tails.p <= level[l];
      small[1][l] += tails.p_less <= level[l];
    }
  }
  printf("\t%s\t%.6g\t%.6g", s->significance->p_by[row] == MS_P_BY_BOUND ? "bound" : "fit",
         moments.mean, sqrt(moments.variance));
  for (int less = 0; less < 2; less++)
    for (int l = 0; l < LEVELS; l++) {
      double share = (double)small[less][l] / all;
      double excess = (share - level[l]) / sqrt(level[l] / all);
      worst = excess > worst ? excess : worst;
      printf("\t%.5f", share);
    }
  printf("%s\n", worst > 5 ? "\ttoo small" : "");
  return worst;
}

int main(int argc, char **argv)
{
  if (argc != 6) {
    fprintf(stderr, "usage: calibration_hubs K LABELLINGS THREADS GRAPH COUNTS\n");
    return 2;
  }
  study s = {.census = MS_CENSUS_OPTIONS_DEFAULT};
  double worst = 0;
  s.census.k = (uint32_t)strtoul(argv[1], NULL, 10);
  s.census.threads = atoi(argv[3]);
  check(ms_graph_read(argv[4], NULL, &s.graph, &err));
  color(&s, argv[5]);
  if (!count(&s, strtoull(argv[2], NULL, 10))) {
    printf("# %" PRIu64 " sets are too many\n", s.observed->sets);
    return 0;
  }
  printf("# %" PRIu32 " vertices, k = %" PRIu32 ", %" PRIu64 " sets, %" PRIu64
         " at most at one vertex, b.. %s, %" PRIu64 " labellings\n",
         ms_graph_vertex_count(s.graph), s.census.k, s.observed->sets, s.overlaps.most, argv[5],
         s.permuted->kept);
  for (uint64_t row = 0; row < s.observed->count; row++) {
    double excess = test_motif(&s, row);
    worst = excess > worst ? excess : worst;
  }
  ms_permutation_result_free(s.permuted);
  ms_census_result_free(s.observed);
  ms_significance_free(s.significance);
  ms_coloring_free(s.coloring);
  ms_graph_free(s.graph);
  return worst > 5;
}
