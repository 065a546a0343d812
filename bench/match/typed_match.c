/* Times filter, walk and search for targets cut out of a typed graph:
 *
 *   typed_match [-r RUNS] [-t THREADS,..] [-e EDGES] [-n TARGETS] [-d] GRAPH
 *
 * A target is a connected piece of the graph with EDGES edges (20), as a pattern
 * that names every type of it; grown edge by edge from a vertex drawn at random.
 * Each of the TARGETS (9) is searched for RUNS (5) times.  One line for each
 * number of threads: the medians over targets of the milliseconds (each
 * target's median) of the filter, the walk, the search and their sum, and of what
 * the filter keeps, and the slowest target; at most 100,000 matches of each are
 * listed, as a target with a hub can have too many to list; then the same for the inexact
 * matcher (best 1).  With -d targets are damaged: the vertex that came last has a twin, which the
 * graph need not have. */
#include "base/philox.h"
#include "base/threads/stop.h"
#include "bench/harness.h"
#include "query/typed_query.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_RUNS = 101, MAX_THREADS = 16, MAX_TARGETS = 1001, LIMIT = 100000 };

typedef struct work {
  ms_typed *graph;
  uint32_t edges, targets, runs;
  bool damage;
  ms_typed_pattern *pattern[MAX_TARGETS];
  ms_typed_query *query[MAX_TARGETS];
} work;

static uint32_t draw(uint32_t target, uint32_t number, uint64_t below)
{
  uint32_t out[4];
  ms_philox4x32((const uint32_t[4]){number, target, 0, 0}, (const uint32_t[2]){11, 0}, out);
  return (uint32_t)(((uint64_t)out[0] << 32 | out[1]) % below);
}

/* ---- targets ------------------------------------------------------------------ */

static ms_status add_vertex(const work *w, ms_typed_pattern *pattern, uint32_t v, uint32_t *i,
                            ms_error *err)
{
  const char *name = ms_typed_name(w->graph, v);
  uint32_t before = pattern->n;
  ms_status status = ms_typed_pattern_vertex(pattern, name, strlen(name), i, err);
  const char *type = ms_typed_vertex_type_name(w->graph, ms_typed_vertex_type(w->graph, v));
  if (status == MS_OK && pattern->n > before)
    status = ms_typed_pattern_accept(pattern, *i, type, strlen(type), err);
  return status;
}

static bool has_edge(const ms_typed_pattern *pattern, uint32_t a, uint32_t b)
{
  for (uint32_t e = 0; e < pattern->edges; e++)
    if ((pattern->edge[e].from == a && pattern->edge[e].to == b) ||
        (pattern->edge[e].from == b && pattern->edge[e].to == a))
      return true;
  return false;
}

/* Grows the target from one of its vertices along an arc drawn at random. */
static ms_status grow(const work *w, ms_typed_pattern *pattern, uint32_t target, uint32_t number,
                      uint32_t *vertex, ms_error *err)
{
  const ms_typed_rows *rows = &w->graph->rows;
  uint32_t a = draw(target, 2 * number, pattern->n), v = vertex[a], b;
  uint64_t arc =
      rows->offset[v] + draw(target, 2 * number + 1, rows->offset[v + 1] - rows->offset[v]);
  const char *type = ms_typed_arc_type_name(w->graph, rows->type[arc]);
  if (rows->neighbor[arc] == v)
    return MS_OK;
  ms_status status = add_vertex(w, pattern, rows->neighbor[arc], &b, err);
  vertex[b] = rows->neighbor[arc];
  if (status != MS_OK || has_edge(pattern, a, b))
    return status;
  status = ms_typed_pattern_join(pattern, a, b, MS_WAY_ON, err);
  return status == MS_OK ? ms_typed_pattern_accept_edge(pattern, type, strlen(type), err) : status;
}

/* Adds a twin of the last vertex, joined as that vertex was first. */
static ms_status add_twin(ms_typed_pattern *pattern, ms_error *err)
{
  uint32_t last = pattern->n - 1, e = 0, twin;
  while (pattern->edge[e].from != last && pattern->edge[e].to != last)
    e++;
  uint32_t other = pattern->edge[e].from ^ pattern->edge[e].to ^ last;
  const char *kind = ms_names_get(pattern->type_names, pattern->type[last][0]);
  const char *type = ms_names_get(pattern->type_names, pattern->edge[e].type[0]);
  bool on = pattern->edge[e].to == last;
  ms_status status = ms_typed_pattern_vertex(pattern, "twin", 4, &twin, err);
  if (status == MS_OK)
    status = ms_typed_pattern_accept(pattern, twin, kind, strlen(kind), err);
  if (status == MS_OK)
    status = ms_typed_pattern_join(pattern, on ? other : twin, on ? twin : other, MS_WAY_ON, err);
  return status == MS_OK ? ms_typed_pattern_accept_edge(pattern, type, strlen(type), err) : status;
}

static ms_status make_target(work *w, uint32_t target, ms_error *err)
{
  uint32_t vertex[MS_MAX_PATTERN + 1], number = 1, i;
  ms_status status = ms_typed_pattern_new("a target", &w->pattern[target], err);
  do
    vertex[0] = draw(target, number++, w->graph->rows.n);
  while (w->graph->rows.offset[vertex[0]] == w->graph->rows.offset[vertex[0] + 1]);
  if (status == MS_OK)
    status = add_vertex(w, w->pattern[target], vertex[0], &i, err);
  for (; w->pattern[target]->edges < w->edges && status == MS_OK && number < 100000; number++)
    status = grow(w, w->pattern[target], target, number, vertex, err);
  if (w->damage && status == MS_OK)
    status = add_twin(w->pattern[target], err);
  return status == MS_OK ? ms_typed_query_new(w->graph, w->pattern[target], &w->query[target], err)
                         : status;
}

/* ---- timing -------------------------------------------------------------------- */

typedef ms_status match_fn(const ms_typed_query *query, const ms_typed_match_options *options,
                           ms_typed_result **out, ms_error *err);

/* The medians of one target. */
typedef struct times {
  double filter, walk, search, all, kept, active, matches;
} times;

static ms_status time_target(const work *w, uint32_t target, match_fn *match,
                             const ms_typed_match_options *o, times *t, ms_error *err)
{
  double filter[MAX_RUNS], walk[MAX_RUNS], search[MAX_RUNS], all[MAX_RUNS];
  for (uint32_t r = 0; r < w->runs; r++) {
    ms_typed_result *result;
    double begin = ms_seconds();
    ms_status status = match(w->query[target], o, &result, err);
    if (status != MS_OK)
      return status;
    all[r] = 1e3 * (ms_seconds() - begin);
    filter[r] = 1e3 * result->time_filter;
    walk[r] = 1e3 * result->time_walk;
    search[r] = 1e3 * result->time_search;
    t->kept = (double)result->edges_kept;
    t->active = result->vertices_active;
    t->matches = (double)result->matches;
    ms_typed_result_free(result);
  }
  t->filter = bench_median(filter, w->runs);
  t->walk = bench_median(walk, w->runs);
  t->search = bench_median(search, w->runs);
  t->all = bench_median(all, w->runs);
  return MS_OK;
}

static ms_status time_all(const work *w, const char *name, match_fn *match, int threads,
                          ms_error *err)
{
  double column[7][MAX_TARGETS] = {{0}};
  const ms_typed_match_options o = {
      .size = sizeof(ms_typed_match_options), .run.threads = threads, .best = 1, .limit = LIMIT};
  for (uint32_t i = 0; i < w->targets; i++) {
    times t = {0};
    ms_status status = time_target(w, i, match, &o, &t, err);
    if (status != MS_OK)
      return status;
    const double value[7] = {t.filter, t.walk, t.search, t.all, t.kept, t.active, t.matches};
    for (int c = 0; c < 7; c++)
      column[c][i] = value[c];
  }
  double slowest = 0, least = column[6][0];
  for (uint32_t i = 0; i < w->targets; i++) {
    slowest = column[3][i] > slowest ? column[3][i] : slowest;
    least = column[6][i] < least ? column[6][i] : least;
  }
  printf("%s\t%d", name, threads);
  for (int c = 0; c < 4; c++)
    printf("\t%.2f", bench_median(column[c], w->targets));
  printf("\t%.2f\t%.0f\t%.0f\t%.0f\t%.0f\n", slowest, bench_median(column[4], w->targets),
         bench_median(column[5], w->targets), bench_median(column[6], w->targets), least);
  fflush(stdout);
  return MS_OK;
}

/* Prints the time to read once what the filter has to read: rows and their types, and the types of
 * arcs. */
static void print_floor(const work *w, int threads)
{
  const ms_typed_rows *rows = &w->graph->rows;
  const void *const array[] = {rows->offset, rows->vertex_type, rows->type};
  const size_t bytes[] = {rows->n * sizeof *rows->offset, rows->n * sizeof *rows->vertex_type,
                          rows->arcs * sizeof *rows->type};
  printf("# reading %.1f MB of rows and types once by %d threads: %.2f ms\n",
         (double)(bytes[0] + bytes[1] + bytes[2]) / 1e6, threads,
         bench_read_once(array, bytes, 3, threads, 25));
}

static ms_status run(work *w, const char *path, const uint32_t *threads, uint32_t n_threads,
                     ms_error *err)
{
  double begin = ms_seconds();
  ms_status status = ms_typed_read(path, NULL, &w->graph, err);
  if (status != MS_OK)
    return status;
  printf("# graph: %s vertices=%u edges=%" PRIu64
         " vertex types %u, arc types %u; read in %.2f s\n",
         path, w->graph->info.vertices, w->graph->info.edges, w->graph->info.vertex_types,
         w->graph->info.arc_types, ms_seconds() - begin);
  printf("# targets: %u of %u edges%s\n", w->targets, w->edges,
         w->damage ? ", and a twin of one vertex" : "");
  for (uint32_t i = 0; i < w->targets && status == MS_OK; i++)
    status = make_target(w, i, err);
  for (uint32_t t = 0; t < n_threads; t++)
    print_floor(w, (int)threads[t]);
  printf("search\tthreads\tfilter_ms\twalk_ms\tsearch_ms\tall_ms\tslowest_ms\tedges_kept\tactive\t"
         "matches\tleast_matches\n");
  for (uint32_t t = 0; t < n_threads && status == MS_OK; t++) {
    status = time_all(w, "exact", ms_typed_match, (int)threads[t], err);
    if (status == MS_OK)
      status = time_all(w, "inexact", ms_typed_match_inexact, (int)threads[t], err);
  }
  return status;
}

int main(int argc, char **argv)
{
  static work w = {.edges = 20, .targets = 9, .runs = 5};
  uint32_t threads[MAX_THREADS] = {1, 2}, n_threads = 2;
  bool fine = true;
  ms_error err;
  for (int option; (option = getopt(argc, argv, "r:t:e:n:d")) != -1;)
    switch (option) {
    case 'r':
      w.runs = (uint32_t)atol(optarg);
      break;
    case 't':
      fine = bench_list(optarg, 1, 1024, threads, MAX_THREADS, &n_threads);
      break;
    case 'e':
      w.edges = (uint32_t)atol(optarg);
      break;
    case 'n':
      w.targets = (uint32_t)atol(optarg);
      break;
    case 'd':
      w.damage = true;
      break;
    default:
      return 2;
    }
  if (!fine || argc - optind != 1 || w.runs - 1 >= MAX_RUNS || w.targets - 1 >= MAX_TARGETS ||
      w.edges == 0 || w.edges > MS_MAX_PATTERN - 1) {
    fprintf(stderr,
            "usage: typed_match [-r RUNS] [-t THREADS,..] [-e EDGES] [-n TARGETS] [-d] GRAPH\n");
    return 2;
  }
  ms_status status = run(&w, argv[optind], threads, n_threads, &err);
  if (status != MS_OK)
    bench_fail("typed_match", &err);
  for (uint32_t i = 0; i < w.targets; i++) {
    ms_typed_query_free(w.query[i]);
    ms_typed_pattern_free(w.pattern[i]);
  }
  ms_typed_free(w.graph);
  return status == MS_OK ? 0 : 1;
}
