/* Makes result files and looks at the graph: what `motifsieve screen`, `list`, `stats` and `verify`
 * do, in one program.
 *
 *   write GRAPH COLORS MOTIF FOLDER
 *   write ../yeast/s_cerevisiae.network-109-4.4.222.txt.gz ../yeast/go_slim_mapping.tab.gz \
 *       '"protein glycosylation":3,"lipid metabolic process"' /tmp
 *
 * It writes screen.tsv, list.tsv, list.cx2 and triangles.tsv into FOLDER, and verifies the three
 * tables.  It is C99, and C++20, and uses nothing but the installed library. */
#include <motifsieve.h>

#include <stdio.h>

/* Everything that the program frees at its end; each field may be NULL. */
typedef struct work {
  ms_graph *graph;
  ms_coloring *colors;
  ms_motif *motif;
  ms_query *query;
  ms_screen_result *screen;
  ms_list_result *list;
  ms_pattern *pattern;
  ms_pattern_index *index;
  ms_pattern_result *triangles;
} work;

static void work_free(work *w)
{
  ms_pattern_result_free(w->triangles);
  ms_pattern_index_free(w->index);
  ms_pattern_free(w->pattern);
  ms_list_result_free(w->list);
  ms_screen_result_free(w->screen);
  ms_query_free(w->query);
  ms_motif_free(w->motif);
  ms_coloring_free(w->colors);
  ms_graph_free(w->graph);
}

static ms_status read_inputs(work *w, char **argv, ms_error *err)
{
  ms_status status = ms_graph_read(argv[1], NULL, &w->graph, err);
  if (status == MS_OK)
    status = ms_coloring_read(argv[2], w->graph, NULL, &w->colors, err);
  if (status == MS_OK)
    status = ms_motif_parse(argv[3], w->colors, &w->motif, err);
  if (status == MS_OK)
    status = ms_query_new(w->graph, w->colors, w->motif, 0, NULL, &w->query, err);
  return status;
}

static ms_status print_statistics(const work *w, ms_error *err)
{
  ms_graph_stats stats;
  ms_status status = ms_graph_measure(w->graph, &stats, err);
  if (status == MS_OK)
    printf("%u vertices, %llu edges, mean degree %.1f, %u components\n", (unsigned)stats.vertices,
           (unsigned long long)stats.edges, stats.mean_degree, (unsigned)stats.components);
  return status;
}

/* Visitors are called by several threads at once: here each vertex has its own byte. */
static void note(void *state, uint32_t v)
{
  ((unsigned char *)state)[v] = 1;
}

/* Counts the vertices that are connected with vertex 0. */
static ms_status print_reached(const work *w, ms_error *err)
{
  static unsigned char reached[1 << 20];
  const ms_visitor visitor = {MS_VISIT_AND, note, NULL, NULL, NULL};
  const uint32_t start = 0;
  uint32_t n = ms_graph_vertex_count(w->graph), count = 0;
  if (n == 0 || n > sizeof reached)
    return MS_OK;
  ms_status status = ms_graph_visit(w->graph, 1, &start, &visitor, reached, 0, err);
  for (uint32_t v = 0; v < n; v++)
    count += reached[v];
  if (status == MS_OK)
    printf("%u vertices are connected with %s\n", (unsigned)count, ms_graph_name(w->graph, 0));
  return status;
}

static ms_status verify(const char *path, char **argv, const char *pattern, ms_error *err)
{
  ms_verify_options options = MS_VERIFY_OPTIONS_DEFAULT;
  ms_verify_report report;
  options.pattern = pattern;
  ms_status status = ms_verify_file(path, argv[1], argv[2], &options, &report, err);
  if (status == MS_OK)
    printf("%s, %llu rows: %s%s\n",
           pattern            ? "pattern"
           : report.is_screen ? "screen"
                              : "list",
           (unsigned long long)report.rows,
           report.accepted ? "accepted" : "refused: ", report.problem);
  return status;
}

static ms_status write_motif(work *w, char **argv, ms_error *err)
{
  char path[1000];
  ms_write_options drawing = MS_WRITE_OPTIONS_DEFAULT;
  drawing.form = MS_FORM_CX2;
  snprintf(path, sizeof path, "%s/screen.tsv", argv[4]);
  ms_status status = ms_screen(w->query, NULL, &w->screen, err);
  if (status == MS_OK)
    status = ms_screen_write(w->query, NULL, w->screen, NULL, path, err);
  if (status == MS_OK)
    status = verify(path, argv, NULL, err);
  snprintf(path, sizeof path, "%s/list.tsv", argv[4]);
  if (status == MS_OK)
    status = ms_list(w->query, NULL, &w->list, err);
  if (status == MS_OK)
    status = ms_list_write(w->query, NULL, w->list, NULL, path, err);
  if (status == MS_OK)
    status = verify(path, argv, NULL, err);
  snprintf(path, sizeof path, "%s/list.cx2", argv[4]);
  if (status == MS_OK)
    status = ms_list_write(w->query, NULL, w->list, &drawing, path, err);
  return status;
}

/* The rows go into the file while they are found. */
static ms_status write_triangles(work *w, char **argv, ms_error *err)
{
  char path[1000];
  snprintf(path, sizeof path, "%s/triangles.tsv", argv[4]);
  ms_status status = ms_pattern_named("triangle", &w->pattern, err);
  if (status == MS_OK)
    status = ms_pattern_index_new(w->graph, w->colors, 0, &w->index, err);
  if (status == MS_OK)
    status = ms_pattern_list_to_file(w->index, w->pattern, NULL, NULL, path, &w->triangles, err);
  if (status == MS_OK)
    status = verify(path, argv, "triangle", err);
  return status;
}

int main(int argc, char **argv)
{
  work w = {NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL};
  ms_error err;
  if (argc != 5) {
    fprintf(stderr, "usage: write GRAPH COLORS MOTIF FOLDER\n");
    return 2;
  }
  ms_status status = read_inputs(&w, argv, &err);
  if (status == MS_OK)
    status = print_statistics(&w, &err);
  if (status == MS_OK)
    status = print_reached(&w, &err);
  if (status == MS_OK)
    status = write_motif(&w, argv, &err);
  if (status == MS_OK)
    status = write_triangles(&w, argv, &err);
  if (status != MS_OK)
    fprintf(stderr, "write: %s: %s\n", ms_status_text(status), err.message);
  work_free(&w);
  return status == MS_OK ? 0 : 1;
}
