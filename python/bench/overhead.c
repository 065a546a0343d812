/* Times screens of a motif and counts of a pattern in a graph of five vertices, for overhead.py:
 * what remains is the cost of a call.  Usage: overhead CALLS; prints seconds of processor time a
 * call. */
#include "motifsieve.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double cpu_seconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void require(ms_status status, const ms_error *err)
{
  if (status == MS_OK)
    return;
  fprintf(stderr, "overhead: %s\n", err->message);
  exit(1);
}

int main(int argc, char **argv)
{
  static const uint32_t edges[][2] = {{0, 1}, {1, 2}, {3, 4}};
  static const uint32_t pairs[][2] = {{0, 0}, {1, 1}, {2, 0}, {3, 0}, {4, 1}};
  static const char *const names[] = {"a", "b"};
  long calls = argc > 1 ? atol(argv[1]) : 10000;
  ms_graph *graph;
  ms_coloring *coloring;
  ms_session *session;
  ms_motif *motif;
  ms_query *query;
  ms_pattern *pattern;
  ms_pattern_index *index;
  ms_error err;
  require(ms_graph_from_edges(5, 3, edges, NULL, &graph, &err), &err);
  require(ms_coloring_from_pairs(graph, 5, pairs, 2, names, &coloring, &err), &err);
  require(ms_session_new(graph, coloring, &session, &err), &err);
  require(ms_motif_parse("a:2,b", coloring, &motif, &err), &err);
  require(ms_session_query(session, motif, 0, NULL, &query, &err), &err);
  require(ms_pattern_named("path:3", &pattern, &err), &err);
  require(ms_pattern_index_new(graph, coloring, 1, &index, &err), &err);
  ms_screen_options screen = MS_SCREEN_OPTIONS_DEFAULT;
  ms_list_options list = MS_LIST_OPTIONS_DEFAULT;
  ms_pattern_options match = MS_PATTERN_OPTIONS_DEFAULT;
  screen.method = MS_METHOD_AUTO;
  list.exact = true;
  screen.run.threads = list.screen.run.threads = match.screen.run.threads = 1;
  double begin = cpu_seconds();
  for (long i = 0; i < calls; i++) {
    ms_screen_result *result;
    require(ms_screen(query, &screen, &result, &err), &err);
    ms_screen_result_free(result);
  }
  double screened = cpu_seconds();
  for (long i = 0; i < calls; i++) {
    ms_list_result *result;
    require(ms_list(query, &list, &result, &err), &err);
    ms_list_result_free(result);
  }
  double listed = cpu_seconds();
  for (long i = 0; i < calls; i++) {
    ms_pattern_result *result;
    require(ms_pattern_list(index, pattern, &match, &result, &err), &err);
    ms_pattern_result_free(result);
  }
  double matched = cpu_seconds();
  printf("%.9f %.9f %.9f\n", (screened - begin) / (double)calls,
         (listed - screened) / (double)calls, (matched - listed) / (double)calls);
  ms_pattern_index_free(index);
  ms_pattern_free(pattern);
  ms_query_free(query);
  ms_motif_free(motif);
  ms_session_free(session);
  ms_coloring_free(coloring);
  ms_graph_free(graph);
  return 0;
}
