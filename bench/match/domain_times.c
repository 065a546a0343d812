/* Times of the index of a graph and of the domains of patterns (match/domains.h), on the host by
 * one thread and by several, and on a GPU.
 *
 *   domain_times [OPTION...]
 *
 * --graphs LIST     as for pattern_sweep
 * --patterns LIST   the same, each with colours that the seed determines
 * --labels LIST     numbers of labels (default 8,16,64)
 * --threads T       of the second column (default: all)
 * --runs N          the least time of so many runs after the first one (default 15)
 * --seed S          default 7
 *
 * A row has the vertices of the first domains, by colour and degree; the vertices that are left;
 * the milliseconds of the host's threads and of the GPU; and what the estimate chooses: host or
 * gpu. Exit code 1: the domains differ, or a call failed; 2: a wrong call. */
#include "base/hooks.h"
#include "base/threads/stop.h"
#include "bench/harness.h"
#include "bench/match/sweep.h"
#include "cli/numbers.h"
#include "match/domain_task.h"
#include "run/engine.h"

#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_LABELS = 16, MOST_RUNS = 1000 };

static struct {
  const char *graphs, *patterns;
  uint32_t labels[MOST_LABELS], n_labels;
  int threads, runs;
  uint64_t seed;
} o = {.graphs = "rmat:17:16",
       .patterns =
           "K3 K4 K5 C4 C5 diamond house W4 octahedron path star random:5 random:6 random:7",
       .labels = {8, 16, 64},
       .n_labels = 3,
       .runs = 15,
       .seed = 7};

static uint64_t tested;            /* vertices of the first domains of the last task */
static bool may_be_on_gpu, on_gpu; /* the GPU may do a task, and did the last one */

static ms_status filter(const ms_domain_task *task, ms_error *err)
{
  tested = 0;
  for (uint32_t u = 0; u < task->n; u++)
    tested += task->vertex[u].start.count;
  ms_status status = may_be_on_gpu && ms_pattern_engine_gpu.filter_domains
                         ? ms_pattern_engine_gpu.filter_domains(task, err)
                         : MS_ERR_USAGE;
  on_gpu = status == MS_OK;
  return status;
}

/* Finds the domains some times; *took receives the least time. */
static ms_status find(const ms_pattern_index *index, const ms_pattern *pattern, bool gpu,
                      int threads, ms_domains *out, double *took, ms_error *err)
{
  ms_shape shape;
  ms_shape_of(pattern, false, &shape);
  *took = INFINITY;
  may_be_on_gpu = gpu;
  for (int run = 0; run <= o.runs; run++) {
    double begin = ms_seconds();
    ms_status status = ms_domains_on(filter, index, pattern, &shape, NULL, threads, out, err);
    if (status != MS_OK)
      return status;
    if (run > 0)
      *took = fmin(*took, 1e3 * (ms_seconds() - begin));
    if (run < o.runs)
      ms_domains_free(out);
  }
  return MS_OK;
}

static bool same(const ms_domains *a, const ms_domains *b)
{
  for (uint32_t u = 0; u < a->n; u++)
    if (!ms_domain_equal(&a->of[u], &b->of[u]))
      return false;
  return true;
}

static ms_status time_pattern(const ms_pattern_index *index, const char *name, uint32_t labels,
                              bool gpus, bool *differ, ms_error *err)
{
  char edges[4096];
  ms_pattern *pattern;
  ms_domains by_one, by_all, by_gpu;
  double one, all, gpu = NAN, chosen;
  uint64_t left = 0;
  uint64_t seed = o.seed + labels;
  ms_status status = sweep_pattern_edges(name, seed, edges, sizeof edges, err);
  if (status == MS_OK)
    status = sweep_pattern_make(edges, labels, seed, &pattern, err);
  if (status == MS_OK)
    status = find(index, pattern, false, 1, &by_one, &one, err);
  if (status == MS_OK)
    status = find(index, pattern, false, o.threads, &by_all, &all, err);
  on_gpu = false;
  ms_hooks.domain_gpu_weight = 0;
  if (status == MS_OK)
    status = find(index, pattern, gpus, o.threads, &by_gpu, &gpu, err);
  bool done = on_gpu;
  ms_hooks.domain_gpu_weight = 1;
  if (status != MS_OK)
    return status;
  bool wrong = !same(&by_one, &by_all) || !same(&by_one, &by_gpu);
  ms_domains_free(&by_gpu);
  on_gpu = false;
  status = find(index, pattern, gpus, o.threads, &by_gpu, &chosen, err);
  for (uint32_t u = 0; u < by_one.n; u++)
    left += by_one.of[u].count;
  printf("  %-12s %9llu tested %9llu left  host %9.4f %9.4f  gpu %9.4f  %s%s\n", name,
         (unsigned long long)tested, (unsigned long long)left, one, all, done ? gpu : NAN,
         on_gpu ? "gpu" : "host", wrong ? "  THEY DIFFER" : "");
  *differ = *differ || wrong;
  ms_domains_free(&by_one);
  ms_domains_free(&by_all);
  ms_domains_free(&by_gpu);
  ms_pattern_free(pattern);
  return status;
}

/* Counts triangles on a GPU, which keeps the index. */
static ms_status leave_index(const ms_pattern_index *index, double *took, ms_error *err)
{
  ms_pattern *triangle;
  ms_count_query query = {.index = index, .engine = &ms_pattern_engine_gpu, .threads = o.threads};
  mpz_t maps;
  ms_status status = ms_pattern_named("triangle", &triangle, err);
  if (status != MS_OK)
    return status;
  mpz_init(maps);
  status = bench_search(&query, triangle, false, NULL, NULL, maps, took, err);
  mpz_clear(maps);
  ms_pattern_free(triangle);
  return status;
}

static ms_status time_index(const ms_graph *graph, const ms_coloring *coloring, int threads,
                            ms_pattern_index **index, double *took, ms_error *err)
{
  *took = INFINITY;
  for (int run = 0; run < 3; run++) {
    double begin = ms_seconds();
    if (run > 0)
      ms_pattern_index_free(*index);
    ms_status status = ms_pattern_index_new(graph, coloring, threads, index, err);
    if (status != MS_OK)
      return status;
    *took = fmin(*took, 1e3 * (ms_seconds() - begin));
  }
  return MS_OK;
}

static ms_status time_labels(const ms_graph *graph, const char *name, uint32_t labels, bool *differ,
                             ms_error *err)
{
  ms_coloring *coloring = NULL;
  ms_pattern_index *index = NULL;
  sweep_word pattern;
  double one = 0, all = 0, upload = NAN;
  bool gpus = ms_pattern_engine_gpu.devices() > 0;
  ms_status status = MS_OK;
  if (labels > 0)
    status = ms_generate_colors(graph, labels, sweep_seed_of(o.seed, name), &coloring, err);
  if (status == MS_OK)
    status = time_index(graph, coloring, 1, &index, &one, err);
  ms_pattern_index_free(index);
  if (status == MS_OK)
    status = time_index(graph, coloring, o.threads, &index, &all, err);
  if (status == MS_OK && gpus)
    status = leave_index(index, &upload, err);
  if (status == MS_OK)
    printf("%s, %u labels: index %.2f ms by one thread, %.2f by all; first search on a GPU %.2f\n",
           name, labels, one, all, upload);
  for (const char *at = o.patterns;
       status == MS_OK && labels > 0 && (at = bench_next_word(at, pattern, sizeof pattern));)
    status = time_pattern(index, pattern, labels, gpus, differ, err);
  ms_pattern_index_free(index);
  ms_coloring_free(coloring);
  return status;
}

static bool read_options(int argc, char **argv)
{
  static const struct option options[] = {{"graphs", required_argument, NULL, 'g'},
                                          {"patterns", required_argument, NULL, 'p'},
                                          {"labels", required_argument, NULL, 'l'},
                                          {"threads", required_argument, NULL, 't'},
                                          {"runs", required_argument, NULL, 'r'},
                                          {"seed", required_argument, NULL, 's'},
                                          {0}};
  for (int got; (got = getopt_long(argc, argv, "", options, NULL)) != -1;) {
    uint64_t number = 0;
    bool good = got != '?';
    if (got == 'g')
      o.graphs = optarg;
    else if (got == 'p')
      o.patterns = optarg;
    else if (got == 'l')
      good = bench_list(optarg, 0, 64, o.labels, MOST_LABELS, &o.n_labels);
    else if (got == 't' && (good = ms_parse_count(optarg, 1, 1024, &number)))
      o.threads = (int)number;
    else if (got == 'r' && (good = ms_parse_count(optarg, 1, MOST_RUNS, &number)))
      o.runs = (int)number;
    else if (got == 's')
      good = ms_parse_count(optarg, 0, UINT64_MAX, &o.seed);
    if (!good)
      return false;
  }
  return optind == argc;
}

int main(int argc, char **argv)
{
  sweep_word text;
  ms_status status = MS_OK;
  bool differ = false;
  ms_error err;
  if (!read_options(argc, argv)) {
    fprintf(stderr,
            "domain_times: a wrong call; bench/match/domain_times.c explains the options\n");
    return 2;
  }
  for (const char *at = o.graphs;
       status == MS_OK && (at = bench_next_word(at, text, sizeof text));) {
    const char *slash = strrchr(text, '/');
    ms_graph *graph = NULL;
    status = sweep_graph_make(text, o.seed, 0, o.threads, &graph, &err);
    for (uint32_t i = 0; status == MS_OK && i < o.n_labels; i++)
      status = time_labels(graph, slash ? slash + 1 : text, o.labels[i], &differ, &err);
    ms_graph_free(graph);
  }
  if (status != MS_OK)
    return bench_fail("domain_times", &err);
  return differ;
}
