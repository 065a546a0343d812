/* ms_degrees_by_color: whether degrees depend on colours, by the test of Kruskal and Wallis. */
#include "base/alloc.h"
#include "base/options.h"
#include "base/status.h"
#include "census/census.h"
#include "census/graph.h"
#include "graph/colors.h"

#include <math.h>

/* H has to be so many of its standard deviations above its mean, and to explain this share of the
 * variance of the ranks. */
#define MOST_DEVIATIONS 6.0
#define LEAST_SHARE 0.05

/* Sets rank[degree] to the mean rank of the vertices of each degree, from 1; returns the sum of
 * t^3 - t over all t vertices of one degree. */
static double rank_degrees(const ms_census_graph *g, double *rank)
{
  double before = 0, ties = 0;
  for (uint32_t v = 0; v < g->n; v++)
    rank[g->offset[v + 1] - g->offset[v]]++;
  for (uint32_t d = 0; d <= g->max_degree; d++) {
    double count = rank[d];
    rank[d] = before + (count + 1) / 2;
    before += count;
    ties += count * count * count - count;
  }
  return ties;
}

/* Returns the share of the variance of ranks; 0 if it may be chance. */
static double find_effect(const ms_census_graph *g, double *rank, double *sum, double *count)
{
  double n = g->n, squares = 0, groups = 0;
  double ties = rank_degrees(g, rank);
  for (uint32_t v = 0; v < g->n; v++) {
    sum[g->kind[v]] += rank[g->offset[v + 1] - g->offset[v]];
    count[g->kind[v]]++;
  }
  for (uint32_t kind = 0; kind < g->kinds; kind++)
    if (count[kind] > 0) {
      squares += sum[kind] * sum[kind] / count[kind];
      groups++;
    }
  double untied = 1 - ties / (n * n * n - n);
  if (groups < 2 || groups >= n || !(untied > 1e-12))
    return 0;
  double h = (12 / (n * (n + 1)) * squares - 3 * (n + 1)) / untied, freedom = groups - 1;
  double share = (h - freedom) / (n - groups);
  bool is_chance = h < freedom + MOST_DEVIATIONS * sqrt(2 * freedom);
  return is_chance || share < LEAST_SHARE ? 0 : fmin(share, 1);
}

ms_status ms_degrees_by_color(const ms_graph *graph, const ms_coloring *coloring,
                              const ms_census_options *options, double *out, ms_error *err)
{
  ms_census_options o;
  ms_census_graph *g;
  MS_REQUIRE(graph, err);
  MS_REQUIRE(coloring, err);
  MS_REQUIRE(out, err);
  *out = 0;
  MS_TRY(ms_options_take(&ms_census_options_kind, options, &o, err));
  MS_TRY(ms_coloring_check(coloring, graph, err));
  MS_TRY(ms_census_graph_new(graph, coloring, &o, &g, err));
  double *rank = ms_calloc((uint64_t)g->max_degree + 1, sizeof *rank);
  double *sum = ms_calloc((uint64_t)g->kinds + 1, sizeof *sum);
  double *count = ms_calloc((uint64_t)g->kinds + 1, sizeof *count);
  ms_status status = rank && sum && count ? MS_OK : ms_fail_memory(err, "the degrees of vertices");
  if (status == MS_OK && g->n > 1)
    *out = find_effect(g, rank, sum, count);
  ms_free(rank);
  ms_free(sum);
  ms_free(count);
  ms_census_graph_free(g);
  return status;
}
