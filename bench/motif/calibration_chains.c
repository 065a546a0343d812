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
#include "base/hooks.h"
#include "base/threads/parallel.h"
#include "bench/motif/chains.h"
#include "significance/permute/permute.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOTIFS = 6, START_SEED = 4711 };

static void check(ms_status status)
{
  chains_check("calibration_chains", status);
}

typedef struct study {
  chains_input in;
  ms_null_kind kind;
  ms_null *null; /* whose chains draw the graphs that are tested */
  uint64_t graphs, permutations;
  uint32_t length, usual;
  uint64_t *at_most[2]; /* [MOTIFS][permutations + 2] graphs with p, and p_less, i / (1 + N) */
} study;

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
  check(ms_census(graph, coloring, &s->in.census, &observed, &err));
  check(ms_census_permute(graph, coloring, &s->in.census, &o, observed, &r, &err));
  for (uint64_t m = 0; m < MOTIFS && m < s->in.observed->count; m++) {
    uint64_t at = find_motif(observed, s->in.observed->color + m * s->in.observed->k);
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
  ms_coloring coloring = *s->in.coloring;
  coloring.graph_serial = 0;
  chains_set_length(s->kind, s->length);
  if (s->kind == MS_NULL_REWIRE) {
    ms_graph *graph;
    check(ms_null_graph(s->null, i, &graph, NULL, &err));
    chains_set_length(s->kind, s->usual);
    test_graph(s, graph, &coloring, i);
    ms_graph_free(graph);
    return;
  }
  uint32_t *from = malloc((s->in.graph->n + 1) * sizeof *from);
  ms_null_trace trace;
  check(ms_null_from(s->null, i, from, &trace, &err));
  if (trace.deviation != 0)
    exit(fprintf(stderr, "calibration_chains: a chain left the table; give more steps\n"));
  chains_set_length(s->kind, s->usual);
  check(ms_permute_colors(s->in.coloring, from, &coloring, &err));
  test_graph(s, s->in.graph, &coloring, i);
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
  for (uint32_t i = 0; i < s->in.observed->k; i++)
    printf("%s%s", i ? "," : "",
           ms_coloring_name(s->in.coloring, s->in.observed->color[m * s->in.observed->k + i]));
  printf("\t%" PRIu64 "\t%.4f\t%.4f\t%.4f\t%.4f\t%.4f\n", s->in.observed->n_sets[m],
         share_up_to(s, 0, m, places / 20), share_up_to(s, 0, m, places / 100),
         distance_below(s, 0, m), share_up_to(s, 1, m, places / 20), distance_below(s, 1, m));
}

int main(int argc, char **argv)
{
  if (argc != 9 || !chains_are_named(argv[1])) {
    fprintf(stderr, "usage: calibration_chains edges|rewire K GRAPHS PERMUTATIONS THREADS LENGTH "
                    "GRAPH COLORS\n");
    return 2;
  }
  study s = {.kind = chains_of(argv[1]),
             .graphs = strtoull(argv[3], NULL, 10),
             .permutations = strtoull(argv[4], NULL, 10),
             .length = (uint32_t)strtoul(argv[6], NULL, 10)};
  s.usual = s.kind == MS_NULL_EDGES ? ms_hooks.null_vertex_swaps : ms_hooks.null_edge_swaps;
  chains_read(&s.in, "calibration_chains", argv[2], argv[5], argv[7], argv[8]);
  for (int side = 0; side < 2; side++)
    s.at_most[side] = calloc(MOTIFS * (s.permutations + 2), sizeof **s.at_most);
  uint16_t *label = chains_make_labels(&s.in);
  chains_set_length(s.kind, s.length);
  check(ms_null_open(s.in.graph, label, s.kind, NULL, START_SEED, &s.null, &err));
  for (uint64_t i = 0; i < s.graphs; i++)
    draw_graph(&s, i);
  printf("# %s, k = %" PRIu32 ", %" PRIu64 " graphs, %" PRIu64
         " permutations of each; critical value of the distance: %.4f\n"
         "# motif\tsets\tp<=0.05\tp<=0.01\tbelow\tless<=0.05\tbelow\n",
         argv[1], s.in.census.k, s.graphs, s.permutations, sqrt(log(100) / 2 / (double)s.graphs));
  for (uint64_t m = 0; m < MOTIFS && m < s.in.observed->count; m++)
    print_motif(&s, m);
  ms_null_free(s.null);
  free(label);
  for (int side = 0; side < 2; side++)
    free(s.at_most[side]);
  chains_free(&s.in);
  return 0;
}
