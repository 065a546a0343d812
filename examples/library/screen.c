/* Which vertices of a network take part in a match of a motif, and which
 * matches are there: `motifsieve screen` and `motifsieve list` in one program.
 *
 *   screen GRAPH COLORS MOTIF [VERTEX]...
 *   screen ../yeast/s_cerevisiae.network-109-4.4.222.txt.gz ../yeast/go_slim_mapping.tab.gz \
 *       '"protein glycosylation":3,"lipid metabolic process"' YGL226C-A
 *
 * Matches hold every VERTEX.  It is C99, and C++, and uses nothing but the
 * installed library. */
#include <motifsieve.h>

#include <stdio.h>

/* All that the search is made from; each field is NULL or to be freed. */
typedef struct job {
  ms_graph *graph;
  ms_coloring *colors;
  ms_motif *motif;
  ms_query *query;
} job;

static void job_free(job *j)
{
  ms_query_free(j->query); /* it looks at the other three: first */
  ms_motif_free(j->motif);
  ms_coloring_free(j->colors);
  ms_graph_free(j->graph);
}

static ms_status job_read(job *j, char **argv, int n_required, ms_error *err)
{
  /* NULL options: every format is told by content */
  ms_status status = ms_graph_read(argv[1], NULL, &j->graph, err);
  if (status == MS_OK)
    status = ms_coloring_read(argv[2], j->graph, NULL, &j->colors, err);
  if (status == MS_OK)
    status = ms_motif_parse(argv[3], j->colors, &j->motif, err);
  if (status == MS_OK)
    status = ms_query_new(j->graph, j->colors, j->motif, (uint32_t)n_required,
                          (const char *const *)(argv + 4), &j->query, err);
  return status;
}

/* A vertex that was flagged takes part for certain.  One that was not may have
 * been missed, with a chance of at most miss_bound. */
static ms_status screen(const job *j, ms_error *err)
{
  ms_screen_result *result = NULL;
  ms_status status = ms_screen(j->query, NULL, &result, err);
  if (status != MS_OK)
    return status;
  printf("# motif %s\n", ms_motif_text(j->motif));
  printf("# %u of %u vertices take part\n", (unsigned)result->flagged, (unsigned)result->n);
  for (uint32_t v = 0; v < result->n; v++)
    if (result->hits[v] > 0)
      printf("%s\n", ms_graph_name(j->graph, v));
  printf("# one that takes part was missed with a chance of at most %.4g = %s\n",
         result->miss_bound, result->miss_bound_text);
  ms_screen_result_free(result);
  return MS_OK;
}

/* Rows of k vertices, ascending. */
static ms_status list(const job *j, ms_error *err)
{
  ms_list_result *result = NULL;
  ms_status status = ms_list(j->query, NULL, &result, err);
  if (status != MS_OK)
    return status;
  printf("# %s matches\n", result->count_text);
  for (uint64_t m = 0; m < result->matches; m++)
    for (uint32_t i = 0; i < result->k; i++)
      printf("%s%c", ms_graph_name(j->graph, result->vertices[m * result->k + i]),
             i + 1 < result->k ? '\t' : '\n');
  ms_list_result_free(result);
  return MS_OK;
}

int main(int argc, char **argv)
{
  job j = {NULL, NULL, NULL, NULL};
  ms_error err;
  if (argc < 4) {
    fprintf(stderr, "usage: screen GRAPH COLORS MOTIF [VERTEX]...\n");
    return 2;
  }
  ms_status status = job_read(&j, argv, argc - 4, &err);
  if (status == MS_OK)
    status = screen(&j, &err);
  if (status == MS_OK)
    status = list(&j, &err);
  if (status != MS_OK)
    fprintf(stderr, "screen: %s: %s\n", ms_status_text(status), err.message);
  job_free(&j);
  return status == MS_OK ? 0 : 1;
}
