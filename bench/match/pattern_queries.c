/* Times many pattern graphs on one graph in one process: reading separately, and each search by
 * itself.
 *
 *   pattern_queries [-t THREADS] [-s SECONDS] [-i] GRAPH PATTERN...
 *
 * The labels in the files are colours.  All embeddings are counted.  There is one line for each
 * pattern: NAME, VERTICES, EMBEDDINGS, MILLISECONDS, the milliseconds of domains and plan, STATUS;
 * then the median, the 90th percentile, the mean and the number of searches that were stopped. */
#include "base/threads/stop.h"
#include "bench/harness.h"
#include "motifsieve.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct settings {
  int threads;
  double seconds;
  bool induced;
} settings;

/* Runs one search; returns its milliseconds, or a negative number after an error. */
static double run(const ms_pattern_index *index, const char *path, const settings *s, bool *stopped)
{
  ms_error err;
  ms_stop *stop = NULL;
  ms_pattern *pattern = NULL;
  ms_pattern_result *result = NULL;
  ms_pattern_options options = {.size = sizeof(ms_pattern_options),
                                .screen.size = sizeof(ms_screen_options),
                                .embeddings = true,
                                .count_only = true,
                                .induced = s->induced,
                                .screen_mode = MS_SCREEN_NEVER};
  double took = -1;
  ms_status status = ms_pattern_read(path, NULL, NULL, &pattern, &err);
  if (status == MS_OK)
    status = ms_stop_new(&stop, &err);
  if (status == MS_OK) {
    ms_stop_after(stop, s->seconds);
    options.screen.run.threads = s->threads;
    options.screen.run.stop = stop;
    double begin = ms_seconds();
    status = ms_pattern_list(index, pattern, &options, &result, &err);
    took = 1e3 * (ms_seconds() - begin);
  }
  if (status != MS_OK) {
    bench_fail("pattern_queries", &err);
    took = -1;
  } else {
    const char *name = strrchr(path, '/');
    *stopped = result->run.stopped != MS_OK;
    printf("%s\t%u\t%s\t%.4f\t%.4f\t%s\n", name ? name + 1 : path, ms_pattern_size(pattern),
           result->embeddings_text, took, 1e3 * result->time_plan,
           *stopped ? "stopped" : "complete");
  }
  ms_pattern_result_free(result);
  ms_pattern_free(pattern);
  ms_stop_free(stop);
  return took;
}

static int run_all(const ms_pattern_index *index, char **path, int count, const settings *s)
{
  double *took = malloc((size_t)count * sizeof *took), sum = 0;
  int stopped = 0, code = took ? 0 : 1;
  for (int i = 0; code == 0 && i < count; i++) {
    bool late = false;
    took[i] = run(index, path[i], s, &late);
    stopped += late;
    sum += took[i];
    code = took[i] < 0;
  }
  if (code == 0) {
    bench_sort(took, (size_t)count);
    printf("# %d patterns: median %.4f ms, 90 %% %.4f ms, mean %.4f ms, %d stopped\n", count,
           took[count / 2], took[(size_t)count * 9 / 10], sum / count, stopped);
  }
  free(took);
  return code;
}

int main(int argc, char **argv)
{
  settings s = {.threads = 1, .seconds = 30};
  ms_graph *graph = NULL;
  ms_coloring *coloring = NULL;
  ms_pattern_index *index = NULL;
  ms_error err;
  for (int option; (option = getopt(argc, argv, "t:s:i")) != -1;) {
    if (option == 't')
      s.threads = atoi(optarg);
    else if (option == 's')
      s.seconds = atof(optarg);
    else if (option == 'i')
      s.induced = true;
    else
      return 2;
  }
  if (argc - optind < 2) {
    fprintf(stderr, "usage: pattern_queries [-t THREADS] [-s SECONDS] [-i] GRAPH PATTERN...\n");
    return 2;
  }
  double begin = ms_seconds();
  ms_status status = ms_graph_read(argv[optind], NULL, &graph, &err);
  if (status == MS_OK && ms_graph_describe(graph).colored)
    status = ms_coloring_from_graph(graph, &coloring, &err);
  double read = ms_seconds();
  if (status == MS_OK)
    status = ms_pattern_index_new(graph, coloring, s.threads, &index, &err);
  if (status == MS_OK)
    printf("# read %.2f ms, index %.2f ms\n", 1e3 * (read - begin), 1e3 * (ms_seconds() - read));
  int code = status == MS_OK ? run_all(index, argv + optind + 1, argc - optind - 1, &s)
                             : bench_fail("pattern_queries", &err);
  ms_pattern_index_free(index);
  ms_coloring_free(coloring);
  ms_graph_free(graph);
  return code;
}
