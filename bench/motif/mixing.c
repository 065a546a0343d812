/* How many swaps the chains of the null hypotheses `edges` and `rewire` need until they have
 * forgotten the graph that they begin with:
 *
 *   mixing NULL K CHAINS THREADS REFERENCE GRAPH COLORS LENGTH..
 *
 * NULL: edges or rewire.  COLORS: a colour file, or - where the graph has colours.  LENGTH: steps
 * for each vertex (edges) or edge (rewire).  For each LENGTH, CHAINS permutations are
 * counted, and compared with as many chains of REFERENCE swaps and another seed.  A line for each
 * LENGTH:
 *
 *   LENGTH  tried  accepted  deviation  overlap  memory  rms  seconds
 *
 * tried: swaps for each step.  accepted: share of the swaps.  deviation: greatest share of edges
 * that lie between other colours than in the graph.  overlap: of the vertices with a colour, the
 * share that has the one it had, less the share that would by chance, over 1 less this share; of
 * rewired graphs, the share of edges that are edges of the graph.  It is the mean of up to eight
 * chains.  memory: with the mean numbers of sets m of this length, m0 and sd of the reference, and
 * x of the graph, over all motifs with m0 of at least 5, the sum of (m - m0)(x - m0) / sd^2 over
 * that of (x - m0)^2 / sd^2: 1 where the chains have the numbers of the graph, 0 where they have
 * forgotten them; with the standard error that the two finite samples would give it if motifs were
 * independent (they are not, so it is rather too small). rms: root of the mean square of (m - m0) /
 * sd; sqrt(2 / CHAINS) where nothing differs. */
#include "base/threads/parallel.h"
#include "base/threads/stop.h"
#include "bench/motif/chains.h"
#include "significance/permute/permute.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OVERLAPS = 8 };

static void check(ms_status status)
{
  chains_check("mixing", status);
}

typedef struct study {
  chains_input in;
  ms_null_kind null;
  uint64_t chains;
} study;

static ms_permutation_result *run_chains(const study *s, uint64_t seed)
{
  ms_permutation_options o = MS_PERMUTATION_OPTIONS_DEFAULT;
  ms_permutation_result *r;
  o.null_kind = s->null;
  o.permutations = s->chains;
  o.seed = seed;
  check(
      ms_census_permute(s->in.graph, s->in.coloring, &s->in.census, &o, s->in.observed, &r, &err));
  return r;
}

static double overlap_of_labels(const ms_null *null, uint64_t number)
{
  uint32_t n = null->graph->n;
  uint32_t *from = malloc((n + 1) * sizeof *from), *many = calloc(null->labels + 1u, sizeof *many);
  double same = 0, chance = 0, moved = null->moved;
  check(ms_null_from(null, number, from, NULL, &err));
  for (uint32_t v = 0; v < n; v++)
    if (null->label[v] != MS_NO_LABEL) {
      same += null->label[from[v]] == null->label[v];
      many[null->label[v]]++;
    }
  for (uint32_t l = 0; l < null->labels; l++)
    chance += many[l] / moved * (many[l] / moved);
  free(from);
  free(many);
  return (same / moved - chance) / (1 - chance);
}

static bool are_neighbors(const ms_graph *g, uint32_t u, uint32_t v)
{
  for (uint64_t a = g->offset[u]; a < g->offset[u + 1]; a++)
    if (g->neighbor[a] == v)
      return true;
  return false;
}

static double overlap_of_edges(const ms_null *null, const ms_graph *graph, uint64_t number)
{
  ms_graph *g;
  double same = 0;
  check(ms_null_graph(null, number, &g, NULL, &err));
  for (uint32_t u = 0; u < g->n; u++)
    for (uint64_t a = g->offset[u]; a < g->offset[u + 1]; a++)
      same += are_neighbors(graph, u, g->neighbor[a]);
  double share = same / (double)g->arcs;
  ms_graph_free(g);
  return share;
}

typedef struct overlaps {
  const study *s;
  const ms_null *null;
  double share[OVERLAPS];
} overlaps;

static void run_overlaps(void *user, ms_range r)
{
  overlaps *o = user;
  for (uint64_t i = r.begin; i < r.end; i++)
    o->share[i] = o->s->null == MS_NULL_EDGES ? overlap_of_labels(o->null, i)
                                              : overlap_of_edges(o->null, o->s->in.graph, i);
}

static double find_overlap(const study *s, double *steps)
{
  static overlaps o;
  uint16_t *label = chains_make_labels(&s->in);
  ms_null *null;
  double sum = 0;
  check(ms_null_open(s->in.graph, label, s->null, NULL, 3, &null, &err));
  o = (overlaps){.s = s, .null = null};
  ms_parallel(s->in.census.run.threads, OVERLAPS, 1, run_overlaps, &o);
  for (int i = 0; i < OVERLAPS; i++)
    sum += o.share[i];
  *steps = s->null == MS_NULL_EDGES ? null->moved : (double)null->edges;
  ms_null_free(null);
  free(label);
  return sum / OVERLAPS;
}

static void print_length(const study *s, uint32_t length, const ms_permutation_result *reference)
{
  double begin = ms_seconds(), above = 0, below = 0, squares = 0, motifs = 0, steps;
  chains_set_length(s->null, length);
  ms_permutation_result *r = run_chains(s, 2);
  double seconds = ms_seconds() - begin, overlap = find_overlap(s, &steps);
  for (uint64_t i = 0; i < r->count; i++) {
    double m0 = reference->expected[i], sd = reference->sd[i];
    if (!(m0 >= 5 && sd > 0))
      continue;
    double change = (r->expected[i] - m0) / sd, far = ((double)s->in.observed->n_sets[i] - m0) / sd;
    above += change * far;
    below += far * far;
    squares += change * change;
    motifs++;
  }
  printf("%" PRIu32 "\t%.2f\t%.4f\t%.4f\t%.4f\t%.4f (%.4f)\t%.3f\t%.1f\n", length,
         (double)r->tried / (double)s->chains / length / steps,
         r->tried ? (double)r->accepted / (double)r->tried : 0, r->deviation, overlap,
         above / below, sqrt(2.0 / (double)s->chains / below), sqrt(squares / motifs), seconds);
  fflush(stdout);
  ms_permutation_result_free(r);
}

int main(int argc, char **argv)
{
  if (argc < 9 || !chains_are_named(argv[1])) {
    fprintf(stderr,
            "usage: mixing edges|rewire K CHAINS THREADS REFERENCE GRAPH COLORS LENGTH..\n");
    return 2;
  }
  study s = {.null = chains_of(argv[1]), .chains = strtoull(argv[3], NULL, 10)};
  chains_read(&s.in, "mixing", argv[2], argv[4], argv[6], argv[7]);
  chains_set_length(s.null, (uint32_t)strtoul(argv[5], NULL, 10));
  ms_permutation_result *reference = run_chains(&s, 1);
  printf("# %s, k = %" PRIu32 ", %" PRIu64 " chains, reference %s: %" PRIu64
         " motifs, %.3f of %" PRIu64 " swaps accepted, deviation %.4f\n",
         argv[1], s.in.census.k, s.chains, argv[5], s.in.observed->count,
         (double)reference->accepted / (double)reference->tried, reference->tried,
         reference->deviation);
  printf("# length\ttried\taccepted\tdeviation\toverlap\tmemory\trms\tseconds\n");
  for (int i = 8; i < argc; i++)
    print_length(&s, (uint32_t)strtoul(argv[i], NULL, 10), reference);
  ms_permutation_result_free(reference);
  chains_free(&s.in);
  return 0;
}
