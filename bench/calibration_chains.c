/* Whether p is uniform where the null hypotheses `edges` and `rewire` are true:
 *
 *   calibration_chains NULL K GRAPHS PERMUTATIONS THREADS LENGTH GRAPH COLORS
 *
 * NULL: edges or rewire.  COLORS: a colour file, or - where the graph has colours.  GRAPHS graphs
 * are drawn from the null hypothesis itself, by chains of LENGTH steps for each vertex or edge, and
 * each is tested by PERMUTATIONS permutations with chains of the usual length and a seed of its
 * own.  A line for each of the six most frequent motifs of the given graph:
 *
 *   MOTIF  sets  p<=0.05  p<=0.01  below  less<=0.05  below
 *
 * sets: in the given graph.  p<=0.05: share of the graphs whose p is at most 0.05; "less" stands
 * for p_less.  below: the greatest amount by which the share of values up to t exceeds t, over all
 * t of the form i / (1 + PERMUTATIONS): the one-sided distance of A. N. Kolmogorov and N. V.
 * Smirnov on the side that makes false findings.  The head has its critical value of 1 %. */
#include "base/parallel.h"
#include "bench/harness.h"
#include "graph/colors.h"
#include "graph/graph.h"
#include "significance/nulls.h"
#include "significance/permute.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOTIFS = 6, START_SEED = 4711 };

static ms_error err;

static void check(ms_status status)
{
  if (status != MS_OK)
    exit(bench_fail("calibration_chains", &err));
}

typedef struct study {
  ms_graph *graph;
  ms_coloring *coloring;
  ms_null_kind kind;
  ms_null *null; /* whose chains draw the graphs that are tested */
  ms_census_options census;
  ms_census_result *given;
  uint64_t graphs, permutations;
  uint32_t length, usual;
  uint64_t *at_most[2]; /* [MOTIFS][permutations + 2] graphs with p, and p_less, i / (1 + N) */
} study;

static void set_length(const study *s, uint32_t length)
{
  if (s->kind == MS_NULL_EDGES)
    ms_null_swaps_of_vertex = length;
  else
    ms_null_swaps_of_edge = length;
}

/* Fills label[n]: the first colour of each vertex. */
static uint16_t *make_labels(const study *s)
{
  uint32_t n = s->graph->n;
  uint16_t *label = malloc((n + 1) * sizeof *label);
  for (uint32_t v = 0; v < n; v++) {
    uint32_t count;
    const uint32_t *color = ms_coloring_of(s->coloring, v, &count);
    label[v] = count > 0 ? (uint16_t)color[0] : MS_NO_LABEL;
  }
  return label;
}

/* Returns the place of a motif in a census, or its number of motifs. */
static uint64_t find_motif(const ms_census_result *r, const uint32_t *color)
{
  uint64_t i = 0;
  while (i < r->count && memcmp(r->color + i * r->k, color, r->k * sizeof *color) != 0)
    i++;
  return i;
}

static void test_graph(study *s, const ms_graph *graph, const ms_coloring *coloring, uint64_t i)
{
  ms_census_result *observed;
  ms_permutation_options o = MS_PERMUTATION_OPTIONS_DEFAULT;
  ms_permutation_result *r;
  o.null_kind = s->kind;
  o.permutations = s->permutations;
  o.seed = i + 1;
  check(ms_census(graph, coloring, &s->census, &observed, &err));
  check(ms_census_permute(graph, coloring, &s->census, &o, observed, &r, &err));
  for (uint64_t m = 0; m < MOTIFS && m < s->given->count; m++) {
    uint64_t at = find_motif(observed, s->given->color + m * s->given->k);
    /* a motif that does not occur has p = 1, and is left out of p_less */
    uint64_t ge = at < observed->count ? r->n_ge[at] : s->permutations;
    uint64_t le = at < observed->count ? r->n_le[at] : s->permutations;
    s->at_most[0][m * (s->permutations + 2) + ge + 1]++;
    s->at_most[1][m * (s->permutations + 2) + le + 1]++;
  }
  ms_permutation_result_free(r);
  ms_census_result_free(observed);
}

/* Draws graph i, and tests it. */
static void draw_graph(study *s, uint64_t i)
{
  ms_coloring coloring = *s->coloring;
  coloring.graph_serial = 0;
  set_length(s, s->length);
  if (s->kind == MS_NULL_REWIRE) {
    ms_graph *graph;
    check(ms_null_graph(s->null, i, &graph, NULL, &err));
    set_length(s, s->usual);
    test_graph(s, graph, &coloring, i);
    ms_graph_free(graph);
    return;
  }
  uint32_t *from = malloc((s->graph->n + 1) * sizeof *from);
  ms_null_trace trace;
  check(ms_null_from(s->null, i, from, &trace, &err));
  if (trace.deviation != 0)
    exit(fprintf(stderr, "calibration_chains: a chain left the table; give more steps\n"));
  set_length(s, s->usual);
  check(ms_permute_colors(s->coloring, from, &coloring, &err));
  test_graph(s, s->graph, &coloring, i);
  ms_permuted_colors_free(&coloring);
  free(from);
}

/* Returns the share of values up to t / (1 + N). */
static double share_up_to(const study *s, int side, uint64_t m, uint64_t t)
{
  uint64_t count = 0;
  for (uint64_t i = 1; i <= t; i++)
    count += s->at_most[side][m * (s->permutations + 2) + i];
  return (double)count / (double)s->graphs;
}

static double distance_below(const study *s, int side, uint64_t m)
{
  double most = 0, all = (double)s->permutations + 1;
  for (uint64_t t = 1; t <= s->permutations + 1; t++)
    most = fmax(most, share_up_to(s, side, m, t) - (double)t / all);
  return most;
}

static void print_motif(const study *s, uint64_t m)
{
  uint64_t places = s->permutations + 1;
  for (uint32_t i = 0; i < s->given->k; i++)
    printf("%s%s", i ? "," : "",
           ms_coloring_name(s->coloring, s->given->color[m * s->given->k + i]));
  printf("\t%" PRIu64 "\t%.4f\t%.4f\t%.4f\t%.4f\t%.4f\n", s->given->n_sets[m],
         share_up_to(s, 0, m, places / 20), share_up_to(s, 0, m, places / 100),
         distance_below(s, 0, m), share_up_to(s, 1, m, places / 20), distance_below(s, 1, m));
}

int main(int argc, char **argv)
{
  if (argc != 9 || (strcmp(argv[1], "edges") != 0 && strcmp(argv[1], "rewire") != 0)) {
    fprintf(stderr, "usage: calibration_chains edges|rewire K GRAPHS PERMUTATIONS THREADS LENGTH "
                    "GRAPH COLORS\n");
    return 2;
  }
  study s = {.kind = strcmp(argv[1], "edges") == 0 ? MS_NULL_EDGES : MS_NULL_REWIRE,
             .census = MS_CENSUS_OPTIONS_DEFAULT,
             .graphs = strtoull(argv[3], NULL, 10),
             .permutations = strtoull(argv[4], NULL, 10),
             .length = (uint32_t)strtoul(argv[6], NULL, 10)};
  s.usual = s.kind == MS_NULL_EDGES ? ms_null_swaps_of_vertex : ms_null_swaps_of_edge;
  s.census.k = (uint32_t)strtoul(argv[2], NULL, 10);
  s.census.threads = (int)strtol(argv[5], NULL, 10);
  s.census.engine = "cpu";
  s.census.primary = true;
  check(ms_graph_read(argv[7], NULL, &s.graph, &err));
  check(strcmp(argv[8], "-") == 0 ? ms_coloring_from_graph(s.graph, &s.coloring, &err)
                                  : ms_coloring_read(argv[8], s.graph, NULL, &s.coloring, &err));
  check(ms_census(s.graph, s.coloring, &s.census, &s.given, &err));
  for (int side = 0; side < 2; side++)
    s.at_most[side] = calloc(MOTIFS * (s.permutations + 2), sizeof **s.at_most);
  uint16_t *label = make_labels(&s);
  set_length(&s, s.length);
  check(ms_null_open(s.graph, label, s.kind, NULL, START_SEED, &s.null, &err));
  for (uint64_t i = 0; i < s.graphs; i++)
    draw_graph(&s, i);
  printf("# %s, k = %" PRIu32 ", %" PRIu64 " graphs, %" PRIu64
         " permutations of each; critical value of the distance: %.4f\n"
         "# motif\tsets\tp<=0.05\tp<=0.01\tbelow\tless<=0.05\tbelow\n",
         argv[1], s.census.k, s.graphs, s.permutations, sqrt(log(100) / 2 / (double)s.graphs));
  for (uint64_t m = 0; m < MOTIFS && m < s.given->count; m++)
    print_motif(&s, m);
  ms_null_free(s.null);
  free(label);
  for (int side = 0; side < 2; side++)
    free(s.at_most[side]);
  ms_census_result_free(s.given);
  ms_coloring_free(s.coloring);
  ms_graph_free(s.graph);
  return 0;
}
