/* Times shortest paths between random pairs of a power-law graph whose edges
 * have 100 random types, beside igraph's igraph_get_shortest_path.
 *
 *   typed_paths [VERTICES EDGES PAIRS]      (default 524288 3700000 200)
 *
 * Each way prints a line: who, threads, types; for single pairs the median, the
 * 90th percentile and the mean in milliseconds, or for 50 times these pairs at
 * once the mean of a pair; then the sum of the lengths, which must be the same
 * for all.  With half of the types igraph gets a graph of only those edges, made
 * beforehand. */
#include "base/alloc.h"
#include "base/philox.h"
#include "base/threads/stop.h"
#include "bench/harness.h"
#include "graph/generate/generate.h"
#include "motifsieve.h"

#ifdef BENCH_IGRAPH
#include <igraph/igraph.h>
#endif
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TYPES = 100, ROUNDS = 50 /* rounds over all pairs in one run */ };

typedef struct work {
  uint32_t n, count;
  uint64_t m;
  uint32_t (*edges)[2]; /* [m] */
  uint32_t *type;       /* [m] */
  uint32_t (*pairs)[2]; /* [ROUNDS * count] the same pairs again and again */
  double *took;         /* [count] milliseconds */
  ms_typed *graph;
} work;

static uint32_t draw(uint32_t stream, uint32_t number, uint32_t below)
{
  uint32_t out[4];
  const uint32_t counter[4] = {number, stream, 0, 0}, key[2] = {1, 0};
  ms_philox4x32(counter, key, out);
  return (uint32_t)((uint64_t)out[0] * below >> 32);
}

/* ---- the graph ------------------------------------------------------------- */

static void copy_edges(work *w, const ms_graph *plain)
{
  for (uint32_t v = 0; v < w->n; v++) {
    uint32_t degree;
    const uint32_t *neighbor = ms_graph_neighbors(plain, v, &degree);
    for (uint32_t i = 0; i < degree; i++)
      if (neighbor[i] > v) {
        w->edges[w->m][0] = v;
        w->edges[w->m][1] = neighbor[i];
        w->type[w->m] = draw(1, (uint32_t)w->m, TYPES);
        w->m++;
      }
  }
  for (uint32_t i = 0; i < ROUNDS * w->count; i++) {
    w->pairs[i][0] = draw(2, i % w->count, w->n);
    w->pairs[i][1] = draw(3, i % w->count, w->n);
  }
}

static ms_status build(work *w, ms_error *err)
{
  static char name[TYPES][16];
  static const char *relation[TYPES], *inverse[TYPES]; /* NULL: symmetric */
  for (int t = 0; t < TYPES; t++) {
    snprintf(name[t], sizeof name[t], "r%d", t);
    relation[t] = name[t];
  }
  const ms_typed_source source = {.n = w->n,
                                  .m = w->m,
                                  .edges = (const uint32_t(*)[2])w->edges,
                                  .edge_type = w->type,
                                  .n_relations = TYPES,
                                  .relation = relation,
                                  .inverse = inverse};
  return ms_typed_from_edges(&source, 0, &w->graph, err);
}

static ms_status make(work *w, uint64_t n, uint64_t m, ms_error *err)
{
  const ms_generate_options o = {.family = MS_FAMILY_POWER_LAW,
                                 .given = MS_GEN_VERTICES | MS_GEN_EXPONENT | MS_GEN_EDGES |
                                          MS_GEN_MIN_DEGREE,
                                 .vertices = n,
                                 .edges = m,
                                 .exponent = -2,
                                 .min_degree = 2,
                                 .run.seed = MS_DEFAULT_SEED};
  ms_graph *plain = NULL;
  ms_status status = ms_generate_graph(&o, &plain, err);
  if (status != MS_OK)
    return status;
  w->n = ms_graph_vertex_count(plain);
  w->edges = ms_alloc(ms_graph_edge_count(plain), sizeof *w->edges);
  w->type = ms_alloc(ms_graph_edge_count(plain), sizeof *w->type);
  w->pairs = ms_alloc((size_t)ROUNDS * w->count, sizeof *w->pairs);
  w->took = ms_alloc(w->count, sizeof *w->took);
  bool ok = w->edges && w->type && w->pairs && w->took;
  if (ok)
    copy_edges(w, plain);
  ms_graph_free(plain);
  return ok ? build(w, err) : MS_ERR_MEMORY;
}

/* ---- times ----------------------------------------------------------------- */

static void put(const work *w, const char *who, int threads, const char *types, uint64_t lengths)
{
  double sum = 0;
  bench_sort(w->took, w->count);
  for (uint32_t i = 0; i < w->count; i++)
    sum += w->took[i];
  printf("%-22s %d  %-4s  median %10.4f  p90 %10.4f  mean %10.4f  lengths %" PRIu64 "\n", who,
         threads, types, w->took[w->count / 2], w->took[w->count * 9 / 10], sum / w->count,
         lengths);
  fflush(stdout);
}

static ms_status time_single(work *w, const ms_path_options *o, const char *types, ms_error *err)
{
  ms_typed_paths *paths;
  uint64_t lengths = 0;
  ms_status status = ms_typed_paths_new(w->graph, o, &paths, err);
  for (uint32_t i = 0; i < w->count && status == MS_OK; i++) {
    ms_typed_path path;
    double begin = ms_seconds();
    status = ms_typed_paths_find(paths, w->pairs[i][0], w->pairs[i][1], &path, err);
    w->took[i] = 1e3 * (ms_seconds() - begin);
    lengths += path.length == MS_NO_PATH ? 0 : path.length;
  }
  ms_typed_paths_free(paths);
  if (status == MS_OK)
    put(w, "motifsieve, one by one", o->run.threads, types, lengths);
  return status;
}

static bool add_length(void *user, uint64_t pair, const ms_typed_path *path)
{
  (void)pair;
  *(uint64_t *)user += path->length == MS_NO_PATH ? 0 : path->length;
  return true;
}

/* Prints the mean time of a pair in the median of several runs. */
static ms_status time_many(work *w, const ms_path_options *o, const char *types, ms_error *err)
{
  enum { RUNS = 5 };
  double took[RUNS];
  uint64_t lengths = 0, count = (uint64_t)ROUNDS * w->count;
  ms_status status = MS_OK;
  for (int run = 0; run < RUNS && status == MS_OK; run++) {
    double begin = ms_seconds();
    lengths = 0;
    status = ms_typed_path_pairs(w->graph, o, count, (const uint32_t(*)[2])w->pairs, add_length,
                                 &lengths, NULL, err);
    took[run] = 1e3 * (ms_seconds() - begin) / (double)count;
  }
  if (status == MS_OK) {
    printf("%-22s %d  %-4s  a pair %10.4f  (of %" PRIu64 " pairs at once, median of %d runs)  "
           "lengths %" PRIu64 "\n",
           "motifsieve, all", o->run.threads, types, bench_median(took, RUNS), count, RUNS,
           lengths / ROUNDS);
    fflush(stdout);
  }
  return status;
}

/* ---- igraph: the Makefile says whether it is there --------------------------- */

#ifdef BENCH_IGRAPH
static bool time_igraph(work *w, bool half, const char *types)
{
  igraph_t graph;
  igraph_vector_int_t ends, path;
  uint64_t lengths = 0;
  igraph_set_error_handler(igraph_error_handler_ignore);
  igraph_set_warning_handler(
      igraph_warning_handler_ignore); /* warnings about ends that no path joins */
  if (igraph_vector_int_init(&ends, 0) || igraph_vector_int_init(&path, 0))
    return false;
  for (uint64_t e = 0; e < w->m; e++)
    if (!half || w->type[e] % 2 == 0)
      if (igraph_vector_int_push_back(&ends, w->edges[e][0]) ||
          igraph_vector_int_push_back(&ends, w->edges[e][1]))
        return false;
  if (igraph_create(&graph, &ends, w->n, IGRAPH_UNDIRECTED))
    return false;
  for (uint32_t i = 0; i < w->count; i++) {
    double begin = ms_seconds();
    if (igraph_get_shortest_path(&graph, &path, NULL, w->pairs[i][0], w->pairs[i][1], IGRAPH_ALL))
      return false;
    w->took[i] = 1e3 * (ms_seconds() - begin);
    igraph_integer_t size = igraph_vector_int_size(&path);
    lengths += size > 0 ? (uint64_t)size - 1 : 0;
  }
  put(w, "igraph " IGRAPH_VERSION, 1, types, lengths);
  igraph_destroy(&graph);
  igraph_vector_int_destroy(&ends);
  igraph_vector_int_destroy(&path);
  return true;
}
#else
static bool time_igraph(const work *w, bool half, const char *types)
{
  (void)w;
  (void)half;
  (void)types;
  return true;
}
#endif

int main(int argc, char **argv)
{
  ms_error err = {.message = "out of memory"};
  work w = {.count = argc > 3 ? (uint32_t)atol(argv[3]) : 200};
  uint32_t half[TYPES / 2];
  ms_status status = make(&w, argc > 1 ? (uint64_t)atoll(argv[1]) : 524288,
                          argc > 2 ? (uint64_t)atoll(argv[2]) : 3700000, &err);
  for (uint32_t t = 0; t < TYPES / 2; t++)
    half[t] = 2 * t;
  for (int masked = 0; masked < 2 && status == MS_OK; masked++) {
    const char *types = masked ? "half" : "all";
    for (int threads = 1; threads <= 2 && status == MS_OK; threads++) {
      ms_path_options o = {.size = sizeof(ms_path_options),
                           .run.threads = threads,
                           .types = masked ? half : NULL,
                           .n_types = masked ? TYPES / 2 : 0};
      status = time_single(&w, &o, types, &err);
      if (status == MS_OK)
        status = time_many(&w, &o, types, &err);
    }
    if (status == MS_OK && !time_igraph(&w, masked, types)) {
      snprintf(err.message, sizeof err.message, "igraph failed");
      status = MS_ERR_INTERNAL;
    }
  }
  if (status != MS_OK)
    bench_fail("typed_paths", &err);
  ms_typed_free(w.graph);
  ms_free(w.edges);
  ms_free(w.type);
  ms_free(w.pairs);
  ms_free(w.took);
  return status == MS_OK ? 0 : 1;
}
