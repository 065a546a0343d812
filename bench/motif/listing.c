/* Times the listing of a motif's matches within the library, without a file.
 *
 *   listing THREADS GRAPH COLORS MOTIF...
 *
 * COLORS: a file of colours.  Three lines a motif: MOTIF<TAB>HOW<TAB>ROWS<TAB>SECONDS<TAB>MILLIONS
 * A SECOND, where HOW is `count`, `receive` (a receiver looks at the first number of each batch) or
 * `store` (the sorted rows are in memory).  SECONDS is the processor time of all threads, which
 * includes the system's. */
#include <motifsieve.h>

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

static double processor_seconds(void)
{
  struct rusage r;
  getrusage(RUSAGE_SELF, &r);
  return (double)(r.ru_utime.tv_sec + r.ru_stime.tv_sec) +
         1e-6 * (double)(r.ru_utime.tv_usec + r.ru_stime.tv_usec);
}

static bool receive(void *user, const uint32_t *rows, uint64_t count)
{
  *(volatile uint64_t *)user += count > 0 ? rows[0] : 0;
  return true;
}

static ms_status measure(const ms_query *query, const char *motif, const char *how, int threads,
                         ms_error *err)
{
  ms_list_options o = MS_LIST_OPTIONS_DEFAULT;
  ms_list_result *result;
  uint64_t sum = 0;
  o.exact = true;
  o.screen.run.threads = threads;
  o.count_only = how[0] == 'c';
  if (how[0] == 'r') {
    o.rows = receive;
    o.rows_user = &sum;
  }
  double begin = processor_seconds();
  ms_status status = ms_list(query, &o, &result, err);
  double seconds = processor_seconds() - begin;
  if (status != MS_OK)
    return status;
  printf("%s\t%s\t%s\t%.3f\t%.1f\n", motif, how, result->count_text, seconds,
         strtod(result->count_text, NULL) / seconds / 1e6);
  fflush(stdout);
  ms_list_result_free(result);
  return MS_OK;
}

static ms_status measure_motif(const ms_graph *graph, const ms_coloring *coloring, const char *text,
                               int threads, ms_error *err)
{
  static const char *const ways[] = {"count", "receive", "store"};
  ms_motif *motif = NULL;
  ms_query *query = NULL;
  ms_status status = ms_motif_parse(text, coloring, &motif, err);
  if (status == MS_OK)
    status = ms_query_new(graph, coloring, motif, 0, NULL, &query, err);
  for (int i = 0; status == MS_OK && i < 3; i++)
    status = measure(query, text, ways[i], threads, err);
  ms_query_free(query);
  ms_motif_free(motif);
  return status;
}

int main(int argc, char **argv)
{
  ms_graph *graph = NULL;
  ms_coloring *coloring = NULL;
  ms_error err;
  if (argc < 5) {
    fprintf(stderr, "usage: listing THREADS GRAPH COLORS MOTIF...\n");
    return 2;
  }
  ms_status status = ms_graph_read(argv[2], NULL, &graph, &err);
  if (status == MS_OK)
    status = ms_coloring_read(argv[3], graph, NULL, &coloring, &err);
  for (int i = 4; status == MS_OK && i < argc; i++)
    status = measure_motif(graph, coloring, argv[i], atoi(argv[1]), &err);
  if (status != MS_OK)
    fprintf(stderr, "listing: error: %s\n", err.message);
  ms_coloring_free(coloring);
  ms_graph_free(graph);
  return status == MS_OK ? 0 : 1;
}
