/* NULL handles: every exported function refuses them, and none crashes.  tests/library.sh checks
 * that every function of the header is named here. */
#include "motifsieve.h"
#include "tests/support/files.h"
#include "tests/support/test_main.h"

#include <string.h>

static ms_error err;

/* Checks that a call fails as wrong usage, with a message that names the argument. */
#define REFUSED(call, argument)                                                                    \
  do {                                                                                             \
    err = (ms_error){0};                                                                           \
    ck_assert_int_eq(call, MS_ERR_USAGE);                                                          \
    ck_assert_msg(strstr(err.message, "'" argument "' is NULL"), "%s", err.message);               \
  } while (0)

/* A small graph with colours, and everything that is made from it. */
static struct {
  ms_graph *graph;
  ms_coloring *coloring;
  ms_motif *motif;
  ms_query *query;
  ms_screen_result *screen;
  ms_list_result *list;
  ms_nearest_result *nearest;
  ms_pattern *pattern;
  ms_pattern_index *index;
  ms_pattern_result *matches;
  ms_typed *typed;
  ms_typed_pattern *typed_pattern;
  ms_typed_query *typed_query;
  ms_typed_result *typed_result;
  ms_typed_paths *paths;
} all;

static void make_all(void)
{
  static const uint32_t edges[][2] = {{0, 1}, {1, 2}, {0, 2}};
  static const uint32_t pairs[][2] = {{0, 0}, {1, 0}, {2, 0}};
  static const char *const names[] = {"red"};
  ck_ok(ms_graph_from_edges(3, 3, edges, NULL, &all.graph, &err));
  ck_ok(ms_coloring_from_pairs(all.graph, 3, pairs, 1, names, &all.coloring, &err));
  ck_ok(ms_motif_parse("red:2", all.coloring, &all.motif, &err));
  ck_ok(ms_query_new(all.graph, all.coloring, all.motif, 0, NULL, &all.query, &err));
  ck_ok(ms_screen(all.query, NULL, &all.screen, &err));
  ck_ok(ms_list(all.query, NULL, &all.list, &err));
  ck_ok(ms_list_nearest(all.query, NULL, &all.nearest, &err));
  ck_ok(ms_pattern_named("triangle", &all.pattern, &err));
  ck_ok(ms_pattern_index_new(all.graph, all.coloring, 1, &all.index, &err));
  ck_ok(ms_pattern_list(all.index, all.pattern, NULL, &all.matches, &err));
  ck_ok(ms_typed_from_graph(all.graph, all.coloring, 1, &all.typed, &err));
  ck_ok(ms_typed_pattern_parse("(a)--(b)", &all.typed_pattern, &err));
  ck_ok(ms_typed_query_new(all.typed, all.typed_pattern, &all.typed_query, &err));
  ck_ok(ms_typed_match(all.typed_query, NULL, &all.typed_result, &err));
  ck_ok(ms_typed_paths_new(all.typed, NULL, &all.paths, &err));
}

static void free_all(void)
{
  ms_typed_paths_free(all.paths);
  ms_typed_result_free(all.typed_result);
  ms_typed_query_free(all.typed_query);
  ms_typed_pattern_free(all.typed_pattern);
  ms_typed_free(all.typed);
  ms_pattern_result_free(all.matches);
  ms_pattern_index_free(all.index);
  ms_pattern_free(all.pattern);
  ms_list_result_free(all.list);
  ms_nearest_result_free(all.nearest);
  ms_screen_result_free(all.screen);
  ms_query_free(all.query);
  ms_motif_free(all.motif);
  ms_coloring_free(all.coloring);
  ms_graph_free(all.graph);
}

/* Graphs, colours and what reads and writes them: 45 calls. */
START_TEST(graphs_and_colours)
{
  ms_graph *graph;
  ms_coloring *coloring;
  uint32_t component[3] = {0}, count;
  REFUSED(ms_graph_read("x", NULL, NULL, &err), "out");
  REFUSED(ms_graph_read(NULL, NULL, &graph, &err), "path");
  ck_assert_ptr_null(graph);
  REFUSED(ms_graph_write(NULL, NULL, MS_FORMAT_TVE, "x", &err), "graph");
  REFUSED(ms_graph_write(all.graph, NULL, MS_FORMAT_TVE, NULL, &err), "path");
  REFUSED(ms_graph_from_edges(0, 0, NULL, NULL, NULL, &err), "out");
  REFUSED(ms_graph_from_edges(2, 1, NULL, NULL, &graph, &err), "edges");
  REFUSED(ms_graph_from_arcs(0, 0, NULL, NULL, NULL, &err), "out");
  REFUSED(ms_graph_from_arcs(2, 1, NULL, NULL, &graph, &err), "arcs");
  REFUSED(ms_graph_set_scores(NULL, 0, NULL, NULL, &err), "graph");
  REFUSED(ms_graph_set_scores(all.graph, 1, NULL, NULL, &err), "edges");
  REFUSED(ms_graph_set_scores(all.graph, 1, (const uint32_t(*)[2])component, NULL, &err), "score");
  REFUSED(ms_graph_read_aliases(NULL, "x", NULL, &err), "graph");
  REFUSED(ms_graph_read_aliases(all.graph, NULL, NULL, &err), "path");
  REFUSED(ms_graph_components(NULL, MS_COMPONENTS_KAHAN, 1, component, &count, &err), "graph");
  REFUSED(ms_graph_components(all.graph, MS_COMPONENTS_KAHAN, 1, NULL, &count, &err), "component");
  REFUSED(ms_graph_components(all.graph, MS_COMPONENTS_KAHAN, 1, component, NULL, &err), "count");
  REFUSED(ms_components_write(NULL, component, 1, NULL, NULL, "x", &err), "graph");
  REFUSED(ms_components_write(all.graph, NULL, 1, NULL, NULL, "x", &err), "component");
  REFUSED(ms_components_write(all.graph, component, 1, NULL, NULL, NULL, &err), "path");
  REFUSED(ms_coloring_read("x", all.graph, NULL, NULL, &err), "out");
  REFUSED(ms_coloring_read(NULL, all.graph, NULL, &coloring, &err), "path");
  REFUSED(ms_coloring_read("x", NULL, NULL, &coloring, &err), "graph");
  REFUSED(ms_coloring_from_pairs(NULL, 0, NULL, 0, NULL, &coloring, &err), "graph");
  REFUSED(ms_coloring_from_pairs(all.graph, 0, NULL, 0, NULL, NULL, &err), "out");
  REFUSED(ms_coloring_from_pairs(all.graph, 1, NULL, 0, NULL, &coloring, &err), "pairs");
  REFUSED(ms_coloring_from_pairs(all.graph, 0, NULL, 1, NULL, &coloring, &err), "names");
  REFUSED(ms_coloring_from_graph(NULL, &coloring, &err), "graph");
  REFUSED(ms_coloring_from_graph(all.graph, NULL, &err), "out");
  ck_assert_uint_eq(ms_graph_describe(NULL).vertices, 0);
  ck_assert(!ms_graph_directed(NULL));
  ck_assert_ptr_null(ms_graph_arcs(NULL, 0));
  ck_assert(!ms_graph_scored(NULL));
  ck_assert_ptr_null(ms_graph_scores(NULL, 0));
  ck_assert_uint_eq(ms_graph_vertex_count(NULL), 0);
  ck_assert_uint_eq(ms_graph_edge_count(NULL), 0);
  ck_assert_ptr_null(ms_graph_name(NULL, 0));
  ck_assert_uint_eq(ms_graph_find(NULL, "a"), UINT32_MAX);
  ck_assert_uint_eq(ms_graph_find(all.graph, NULL), UINT32_MAX);
  ck_assert_ptr_null(ms_graph_neighbors(NULL, 0, &count));
  ck_assert_ptr_null(ms_graph_offsets(NULL));
  ck_assert_uint_eq(count, 0);
  ck_assert_uint_eq(ms_coloring_describe(NULL).colors, 0);
  ck_assert_ptr_null(ms_coloring_name(NULL, 0));
  ck_assert_uint_eq(ms_coloring_find(NULL, "red"), UINT32_MAX);
  ck_assert_uint_eq(ms_coloring_find(all.coloring, NULL), UINT32_MAX);
  ck_assert_ptr_null(ms_coloring_of(NULL, 0, &count));
  ck_assert_ptr_null(ms_coloring_offsets(NULL));
  ck_assert(!ms_graph_format_find(NULL, NULL));
  ck_assert(!ms_color_format_find(NULL, NULL));
  ck_assert_ptr_nonnull(ms_graph_format_describe(MS_FORMAT_TVE).name);
  ck_assert_ptr_nonnull(ms_color_format_name(MS_COLORS_TSV));
  ck_assert_uint_eq(ms_columns(NULL, 0, NULL), 0);
  ck_assert_ptr_null(ms_columns_kind(UINT32_MAX));
}
END_TEST

/* Labels, scores, slots and the motif of a file: 27 calls. */
START_TEST(labels_and_slots)
{
  ms_labels *labels;
  ms_vertex_scores *scores;
  uint32_t set[2] = {0, 1}, slot[2];
  REFUSED(ms_labels_read(NULL, all.graph, &labels, &err), "path");
  REFUSED(ms_labels_read("x", NULL, &labels, &err), "graph");
  REFUSED(ms_labels_read("x", all.graph, NULL, &err), "out");
  REFUSED(ms_labels_read_typed(NULL, all.typed, &labels, &err), "path");
  REFUSED(ms_labels_read_typed("x", NULL, &labels, &err), "graph");
  REFUSED(ms_labels_read_typed("x", all.typed, NULL, &err), "out");
  REFUSED(ms_labels_from_aliases(NULL, &labels, &err), "graph");
  REFUSED(ms_labels_from_aliases(all.graph, NULL, &err), "out");
  ck_assert_uint_eq(ms_labels_describe(NULL).labelled, 0);
  ck_assert_ptr_null(ms_labels_of(NULL, 0));
  ms_labels_free(NULL);
  REFUSED(ms_vertex_scores_read(NULL, all.graph, &scores, &err), "path");
  REFUSED(ms_vertex_scores_read("x", NULL, &scores, &err), "graph");
  REFUSED(ms_vertex_scores_read("x", all.graph, NULL, &err), "out");
  REFUSED(ms_vertex_scores_new(NULL, NULL, &scores, &err), "graph");
  REFUSED(ms_vertex_scores_new(all.graph, NULL, &scores, &err), "score");
  REFUSED(ms_vertex_scores_new(all.graph, NULL, NULL, &err), "out");
  double degrees;
  REFUSED(ms_degrees_by_color(NULL, all.coloring, NULL, &degrees, &err), "graph");
  REFUSED(ms_degrees_by_color(all.graph, NULL, NULL, &degrees, &err), "coloring");
  REFUSED(ms_degrees_by_color(all.graph, all.coloring, NULL, NULL, &err), "out");
  ck_ok(ms_environment_check(NULL));
  ck_assert_uint_eq(ms_vertex_scores_describe(NULL).scored, 0);
  ck_assert_uint_eq(ms_vertex_scores_of(NULL, 0), 0);
  ms_vertex_scores_free(NULL);
  ck_assert(!ms_query_slots(NULL, set, slot));
  ck_assert(!ms_query_slots(all.query, NULL, slot));
  ck_assert(!ms_query_slots(all.query, set, NULL));
  ck_assert_ptr_null(ms_query_slot_name(NULL, 0));
  ck_assert_str_eq(ms_query_slot_color(NULL, 0), ms_query_slot_color(NULL, MS_PALETTE));
  ck_assert(!ms_nearest_slots(NULL, NULL, set, 1, slot));
  ck_assert(!ms_nearest_slots(all.query, NULL, NULL, 1, slot));
  ck_assert(!ms_nearest_slots(all.query, NULL, set, 1, NULL));
  ms_motif *motif;
  ms_motif_target target = ms_graph_motif_target(NULL);
  ck_assert_int_eq(target.kind, MS_TARGET_NONE);
  REFUSED(ms_motif_from_graph(NULL, all.coloring, &motif, &err), "graph");
  REFUSED(ms_motif_from_graph(all.graph, NULL, &motif, &err), "coloring");
  REFUSED(ms_motif_from_graph(all.graph, all.coloring, NULL, &err), "out");
  ck_assert(!ms_target_fits_list(NULL, all.list) && !ms_target_fits_list(&target, NULL));
  ck_assert(!ms_target_fits_screen(NULL, all.screen) && !ms_target_fits_screen(&target, NULL));
}
END_TEST

/* Substitutions and lists of the nearest matches: 11 calls. */
START_TEST(nearest)
{
  ms_substitutes *substitutes;
  ms_nearest_result *list;
  static const uint32_t cost[] = {1};
  static const char *const names[] = {"red"}, *const none[] = {NULL};
  REFUSED(ms_substitutes_new(NULL, 0, NULL, NULL, NULL, &substitutes, &err), "coloring");
  REFUSED(ms_substitutes_new(all.coloring, 0, NULL, NULL, NULL, NULL, &err), "out");
  ck_assert_int_eq(ms_substitutes_new(all.coloring, 1, names, none, cost, &substitutes, &err),
                   MS_ERR_USAGE);
  ck_assert_int_eq(ms_substitutes_new(all.coloring, 1, names, NULL, cost, &substitutes, &err),
                   MS_ERR_USAGE);
  REFUSED(ms_substitutes_read(NULL, all.coloring, all.motif, 1, &substitutes, &err), "path");
  REFUSED(ms_substitutes_read("x", NULL, all.motif, 1, &substitutes, &err), "coloring");
  REFUSED(ms_substitutes_read("x", all.coloring, NULL, 1, &substitutes, &err), "motif");
  REFUSED(ms_substitutes_read("x", all.coloring, all.motif, 1, NULL, &err), "out");
  ck_assert_uint_eq(ms_substitutes_count(NULL, NULL), 0);
  ms_substitutes_free(NULL);
  ms_nearest_result_free(NULL);
  REFUSED(ms_list_nearest(NULL, NULL, &list, &err), "query");
  REFUSED(ms_list_nearest(all.query, NULL, NULL, &err), "out");
  REFUSED(ms_nearest_write(NULL, NULL, all.nearest, NULL, "x", &err), "query");
  REFUSED(ms_nearest_write(all.query, NULL, NULL, NULL, "x", &err), "result");
  REFUSED(ms_nearest_write(all.query, NULL, all.nearest, NULL, NULL, &err), "path");
}
END_TEST

/* Motifs, screens, lists, their files and statistics: 42 calls. */
START_TEST(motifs)
{
  ms_motif *motif;
  ms_query *query;
  ms_screen_result *screen;
  ms_list_result *list;
  ms_graph_stats graph_stats;
  ms_color_stats color_stats;
  ms_type_stats type_stats;
  ms_motif_stats motif_stats;
  const char *const none[] = {NULL};
  REFUSED(ms_motif_parse(NULL, all.coloring, &motif, &err), "text");
  REFUSED(ms_motif_parse("red", NULL, &motif, &err), "coloring");
  REFUSED(ms_motif_parse("red", all.coloring, NULL, &err), "out");
  REFUSED(ms_motif_read(NULL, all.coloring, &motif, &err), "path");
  REFUSED(ms_motif_read("x", NULL, &motif, &err), "coloring");
  REFUSED(ms_motif_read("x", all.coloring, NULL, &err), "out");
  REFUSED(ms_motif_read_vertices(NULL, all.graph, all.coloring, NULL, &motif, &err), "path");
  REFUSED(ms_motif_read_vertices("x", NULL, all.coloring, NULL, &motif, &err), "graph");
  REFUSED(ms_motif_read_vertices("x", all.graph, NULL, NULL, &motif, &err), "coloring");
  REFUSED(ms_motif_read_vertices("x", all.graph, all.coloring, NULL, NULL, &err), "out");
  ck_assert_uint_eq(ms_motif_size(NULL), 0);
  ck_assert_ptr_null(ms_motif_text(NULL));
  REFUSED(ms_query_new(NULL, all.coloring, all.motif, 0, NULL, &query, &err), "graph");
  REFUSED(ms_query_new(all.graph, NULL, all.motif, 0, NULL, &query, &err), "coloring");
  REFUSED(ms_query_new(all.graph, all.coloring, NULL, 0, NULL, &query, &err), "motif");
  REFUSED(ms_query_new(all.graph, all.coloring, all.motif, 0, NULL, NULL, &err), "out");
  REFUSED(ms_query_new(all.graph, all.coloring, all.motif, 1, NULL, &query, &err), "required");
  REFUSED(ms_query_new(all.graph, all.coloring, all.motif, 1, none, &query, &err), "required[i]");
  REFUSED(ms_screen(NULL, NULL, &screen, &err), "query");
  REFUSED(ms_screen(all.query, NULL, NULL, &err), "out");
  REFUSED(ms_list(NULL, NULL, &list, &err), "query");
  REFUSED(ms_list(all.query, NULL, NULL, &err), "out");
  double estimate;
  REFUSED(ms_list_estimate(NULL, NULL, &estimate, &err), "query");
  REFUSED(ms_list_estimate(all.query, NULL, NULL, &err), "matches");
  ms_list_significance chance;
  REFUSED(ms_list_chance(NULL, NULL, true, NULL, &chance, &err), "query");
  REFUSED(ms_list_chance(all.query, NULL, true, NULL, NULL, &err), "out");
  chance = (ms_list_significance){0};
  REFUSED(ms_list_chance_write(NULL, NULL, NULL, NULL, &chance, NULL, "x", &err), "query");
  REFUSED(ms_list_chance_write(all.query, NULL, NULL, NULL, NULL, NULL, "x", &err), "result");
  REFUSED(ms_list_chance_write(all.query, NULL, NULL, NULL, &chance, NULL, NULL, &err), "path");
  REFUSED(ms_screen_write(NULL, NULL, all.screen, NULL, "x", &err), "query");
  REFUSED(ms_screen_write(all.query, NULL, NULL, NULL, "x", &err), "result");
  REFUSED(ms_screen_write(all.query, NULL, all.screen, NULL, NULL, &err), "path");
  REFUSED(ms_list_write(NULL, NULL, all.list, NULL, "x", &err), "query");
  REFUSED(ms_list_write(all.query, NULL, NULL, NULL, "x", &err), "result");
  REFUSED(ms_list_write(all.query, NULL, all.list, NULL, NULL, &err), "path");
  REFUSED(ms_list_to_file(NULL, NULL, NULL, "x", &list, &err), "query");
  REFUSED(ms_list_to_file(all.query, NULL, NULL, NULL, &list, &err), "path");
  REFUSED(ms_list_to_file(all.query, NULL, NULL, "x", NULL, &err), "result");
  REFUSED(ms_graph_measure(NULL, &graph_stats, &err), "graph");
  REFUSED(ms_graph_measure(all.graph, NULL, &err), "stats");
  REFUSED(ms_coloring_measure(NULL, &color_stats, &err), "coloring");
  ms_color_stats_clear(&color_stats);
  REFUSED(ms_coloring_measure(all.coloring, NULL, &err), "stats");
  REFUSED(ms_typed_measure(NULL, &type_stats, &err), "graph");
  ms_type_stats_clear(&type_stats);
  REFUSED(ms_typed_measure(all.typed, NULL, &err), "stats");
  REFUSED(ms_query_measure(NULL, &motif_stats, &err), "query");
  REFUSED(ms_query_measure(all.query, NULL, &err), "stats");
}
END_TEST

static bool take_screen(void *user, uint32_t i, const ms_query *query,
                        const ms_screen_result *result, double seconds)
{
  (void)user, (void)i, (void)query, (void)result, (void)seconds;
  return true;
}

static bool take_list(void *user, uint32_t i, const ms_query *query, const ms_list_result *result,
                      double seconds)
{
  (void)user, (void)i, (void)query, (void)result, (void)seconds;
  return true;
}

static bool take_mined(void *user, const ms_motif *motif, uint32_t count, const uint32_t *vertex)
{
  (void)user, (void)motif, (void)count, (void)vertex;
  return true;
}

/* Sets of motifs and sessions: 40 calls. */
START_TEST(sessions)
{
  static const char *const name[] = {"a"}, *const text[] = {"red"}, *const none[] = {NULL};
  ms_motif_set *set = NULL, *given;
  ms_session *session = NULL, *s;
  ms_query *query = NULL;
  ms_motif_set_free(NULL);
  ms_session_free(NULL);
  ck_assert_uint_eq(ms_motif_set_size(NULL), 0);
  ck_assert_ptr_null(ms_motif_set_name(NULL, 0));
  ck_assert_ptr_null(ms_motif_set_motif(NULL, 0));
  REFUSED(ms_motif_set_read(NULL, all.coloring, &set, &err), "path");
  REFUSED(ms_motif_set_read("x", NULL, &set, &err), "coloring");
  REFUSED(ms_motif_set_read("x", all.coloring, NULL, &err), "out");
  REFUSED(ms_motif_set_new(NULL, 1, name, text, &set, &err), "coloring");
  REFUSED(ms_motif_set_new(all.coloring, 1, NULL, text, &set, &err), "name");
  REFUSED(ms_motif_set_new(all.coloring, 1, name, NULL, &set, &err), "text");
  REFUSED(ms_motif_set_new(all.coloring, 1, name, text, NULL, &err), "out");
  ck_assert_int_eq(ms_motif_set_new(all.coloring, 1, none, text, &set, &err), MS_ERR_USAGE);
  ck_assert_int_eq(ms_motif_set_new(all.coloring, 1, name, none, &set, &err), MS_ERR_USAGE);
  REFUSED(ms_session_new(NULL, all.coloring, &session, &err), "graph");
  REFUSED(ms_session_new(all.graph, NULL, &session, &err), "coloring");
  REFUSED(ms_session_new(all.graph, all.coloring, NULL, &err), "out");
  ck_ok(ms_motif_set_new(all.coloring, 1, name, text, &given, &err));
  ck_ok(ms_session_new(all.graph, all.coloring, &s, &err));
  REFUSED(ms_session_query(NULL, all.motif, 0, NULL, &query, &err), "session");
  REFUSED(ms_session_query(s, NULL, 0, NULL, &query, &err), "motif");
  REFUSED(ms_session_query(s, all.motif, 0, NULL, NULL, &err), "out");
  REFUSED(ms_session_screen(NULL, given, NULL, 0, take_screen, NULL, &err), "session");
  REFUSED(ms_session_screen(s, NULL, NULL, 0, take_screen, NULL, &err), "motifs");
  REFUSED(ms_session_screen(s, given, NULL, 0, NULL, NULL, &err), "receive");
  REFUSED(ms_session_list(NULL, given, NULL, 0, take_list, NULL, &err), "session");
  REFUSED(ms_session_list(s, NULL, NULL, 0, take_list, NULL, &err), "motifs");
  REFUSED(ms_session_list(s, given, NULL, 0, NULL, NULL, &err), "receive");
  REFUSED(ms_session_screen_to_files(NULL, given, NULL, 0, NULL, "x", NULL, NULL, &err), "session");
  REFUSED(ms_session_screen_to_files(s, NULL, NULL, 0, NULL, "x", NULL, NULL, &err), "motifs");
  REFUSED(ms_session_screen_to_files(s, given, NULL, 0, NULL, NULL, NULL, NULL, &err),
          "table_path");
  REFUSED(ms_session_list_to_files(NULL, given, NULL, 0, NULL, "x", NULL, NULL, &err), "session");
  REFUSED(ms_session_list_to_files(s, NULL, NULL, 0, NULL, "x", NULL, NULL, &err), "motifs");
  REFUSED(ms_session_list_to_files(s, given, NULL, 0, NULL, NULL, NULL, NULL, &err), "table_path");
  REFUSED(ms_session_mine(NULL, NULL, take_mined, NULL, NULL, &err), "session");
  REFUSED(ms_session_mine(s, NULL, NULL, NULL, NULL, &err), "receive");
  REFUSED(ms_session_mine_to_file(NULL, NULL, NULL, "x", NULL, &err), "session");
  REFUSED(ms_session_mine_to_file(s, NULL, NULL, NULL, NULL, &err), "path");
  ms_session_free(s);
  ms_motif_set_free(given);
}
END_TEST

/* Samples and comparisons: 25 calls. */
START_TEST(comparisons)
{
  static const char table[] = "who\tpart\n0\tx\n1\tx\n2\ty\n";
  ms_samples *samples = NULL, *given = NULL;
  ms_comparison *result = NULL, none = {.samples = 0};
  ms_sample_options o = MS_SAMPLE_OPTIONS_DEFAULT;
  const ms_sample_info one = {.name = "s", .group = "x"};
  static const uint32_t of[16];
  const ms_graph *g = all.graph;
  const char *path = files_write_text("parts.tsv", table);
  o.group_column = "part";
  ms_samples_free(NULL);
  ms_comparison_free(NULL);
  ck_assert_uint_eq(ms_samples_describe(NULL).samples, 0);
  ck_assert_ptr_null(ms_samples_get(NULL, 0).name);
  REFUSED(ms_samples_read(NULL, NULL, NULL, NULL, &samples, &err), "path");
  REFUSED(ms_samples_read("x", NULL, NULL, NULL, NULL, &err), "out");
  REFUSED(ms_samples_split(NULL, all.coloring, path, &o, &samples, &err), "graph");
  REFUSED(ms_samples_split(g, NULL, path, &o, &samples, &err), "coloring");
  REFUSED(ms_samples_split(g, all.coloring, NULL, &o, &samples, &err), "path");
  REFUSED(ms_samples_split(g, all.coloring, path, &o, NULL, &err), "out");
  ck_assert_int_eq(ms_samples_split(g, all.coloring, path, NULL, &samples, &err), MS_ERR_USAGE);
  ck_ok(ms_samples_split(g, all.coloring, path, &o, &given, &err));
  REFUSED(ms_samples_from_graphs(1, NULL, &samples, &err), "sample");
  REFUSED(ms_samples_from_graphs(1, &one, NULL, &err), "out");
  ck_assert_int_eq(ms_samples_from_graphs(1, &one, &samples, &err), MS_ERR_USAGE);
  REFUSED(ms_samples_from_vertices(NULL, all.coloring, 1, &one, of, &samples, &err), "graph");
  REFUSED(ms_samples_from_vertices(g, NULL, 1, &one, of, &samples, &err), "coloring");
  REFUSED(ms_samples_from_vertices(g, all.coloring, 1, NULL, of, &samples, &err), "sample");
  REFUSED(ms_samples_from_vertices(g, all.coloring, 1, &one, NULL, &samples, &err), "sample_of");
  REFUSED(ms_samples_from_vertices(g, all.coloring, 1, &one, of, NULL, &err), "out");
  REFUSED(ms_compare(NULL, NULL, &result, &err), "samples");
  REFUSED(ms_compare(given, NULL, NULL, &err), "out");
  REFUSED(ms_compare_write(NULL, NULL, NULL, &none, NULL, "x", &err), "samples");
  REFUSED(ms_compare_write(given, NULL, NULL, NULL, NULL, "x", &err), "comparison");
  REFUSED(ms_compare_write(given, NULL, NULL, &none, NULL, NULL, &err), "path");
  REFUSED(ms_sample_counts_write(NULL, NULL, NULL, &none, NULL, "x", &err), "samples");
  REFUSED(ms_sample_counts_write(given, NULL, NULL, NULL, NULL, "x", &err), "comparison");
  REFUSED(ms_sample_counts_write(given, NULL, NULL, &none, NULL, NULL, &err), "path");
  ck_assert_int_eq(ms_compare_write(given, NULL, NULL, &none, NULL, "x", &err), MS_ERR_USAGE);
  ms_samples_free(given);
}
END_TEST

static bool take_vertex(void *user, const ms_census_vertex *vertex)
{
  (void)user, (void)vertex;
  return true;
}

/* Censuses: 40 calls. */
START_TEST(censuses)
{
  ms_census_result *result = NULL, *given;
  ms_census_options o = MS_CENSUS_OPTIONS_DEFAULT;
  const ms_graph *g = all.graph;
  ms_census_result_free(NULL);
  REFUSED(ms_census(NULL, all.coloring, NULL, &result, &err), "graph");
  REFUSED(ms_census(g, NULL, NULL, &result, &err), "coloring");
  REFUSED(ms_census(g, all.coloring, NULL, NULL, &err), "out");
  uint32_t k, code;
  bool directed;
  ms_shape_info info;
  char *text;
  REFUSED(ms_shape_describe(3, false, 7, NULL, NULL, &err), "out");
  REFUSED(ms_shape_parse(NULL, &k, &directed, &code, &err), "graph6");
  REFUSED(ms_shape_parse("Bw", NULL, &directed, &code, &err), "k");
  REFUSED(ms_shape_parse("Bw", &k, NULL, &code, &err), "directed");
  REFUSED(ms_shape_parse("Bw", &k, &directed, NULL, &err), "code");
  REFUSED(ms_shape_pattern(3, false, 7, NULL, NULL, &err), "text");
  ms_orbits_result *orbits;
  ms_orbits_result_free(NULL);
  REFUSED(ms_orbits(NULL, NULL, NULL, &orbits, &err), "graph");
  REFUSED(ms_orbits(g, NULL, NULL, NULL, &err), "out");
  REFUSED(ms_orbit_describe(3, false, 0, NULL, &err), "out");
  ck_ok(ms_orbits(g, NULL, NULL, &orbits, &err));
  REFUSED(ms_orbits_write(NULL, NULL, NULL, orbits, false, NULL, "x", &err), "graph");
  REFUSED(ms_orbits_write(g, NULL, NULL, NULL, false, NULL, "x", &err), "result");
  REFUSED(ms_orbits_write(g, NULL, NULL, orbits, false, NULL, NULL, &err), "path");
  ms_orbits_result_free(orbits);
  ck_ok(ms_shape_describe(3, false, 7, NULL, &info, &err));
  ck_ok(ms_shape_pattern(3, false, 7, NULL, &text, &err));
  ms_text_free(text);
  o.n_only = 1;
  ck_assert_int_eq(ms_census(g, all.coloring, &o, &result, &err), MS_ERR_USAGE);
  REFUSED(ms_census_vertices(NULL, all.coloring, NULL, take_vertex, NULL, NULL, &err), "graph");
  REFUSED(ms_census_vertices(g, NULL, NULL, take_vertex, NULL, NULL, &err), "coloring");
  REFUSED(ms_census_vertices(g, all.coloring, NULL, NULL, NULL, NULL, &err), "receive");
  ck_ok(ms_census(g, all.coloring, NULL, &given, &err));
  REFUSED(ms_census_write(NULL, all.coloring, NULL, given, NULL, "x", &err), "graph");
  REFUSED(ms_census_write(g, NULL, NULL, given, NULL, "x", &err), "coloring");
  REFUSED(ms_census_write(g, all.coloring, NULL, NULL, NULL, "x", &err), "result");
  REFUSED(ms_census_write(g, all.coloring, NULL, given, NULL, NULL, &err), "path");
  REFUSED(ms_census_vertices_to_file(g, NULL, NULL, NULL, "x", NULL, &err), "coloring");
  REFUSED(ms_census_vertices_to_file(g, all.coloring, NULL, NULL, NULL, NULL, &err), "path");
  ms_census_result *tested;
  ms_significance *s;
  ms_significance_free(NULL);
  REFUSED(ms_census_significance(NULL, all.coloring, NULL, NULL, &tested, &s, &err), "graph");
  REFUSED(ms_census_significance(g, NULL, NULL, NULL, &tested, &s, &err), "coloring");
  REFUSED(ms_census_significance(g, all.coloring, NULL, NULL, NULL, &s, &err), "census");
  REFUSED(ms_census_significance(g, all.coloring, NULL, NULL, &tested, NULL, &err), "out");
  ms_permutation_result *permuted;
  uint32_t stratum[8];
  ms_permutation_result_free(NULL);
  REFUSED(ms_census_permute(NULL, all.coloring, NULL, NULL, given, &permuted, &err), "graph");
  REFUSED(ms_census_permute(g, NULL, NULL, NULL, given, &permuted, &err), "coloring");
  REFUSED(ms_census_permute(g, all.coloring, NULL, NULL, NULL, &permuted, &err), "observed");
  REFUSED(ms_census_permute(g, all.coloring, NULL, NULL, given, NULL, &err), "out");
  REFUSED(ms_read_strata(NULL, all.coloring, NULL, NULL, "2", stratum, &err), "graph");
  REFUSED(ms_read_strata(g, NULL, NULL, NULL, "2", stratum, &err), "coloring");
  REFUSED(ms_read_strata(g, all.coloring, NULL, NULL, NULL, stratum, &err), "column");
  REFUSED(ms_read_strata(g, all.coloring, NULL, NULL, "2", NULL, &err), "stratum");
  REFUSED(ms_census_write_statistics(g, NULL, NULL, given, NULL, NULL, "x", &err), "coloring");
  REFUSED(ms_census_write_statistics(g, all.coloring, NULL, NULL, NULL, NULL, "x", &err), "result");
  ms_census_result_free(given);
  const char *const parts[] = {"x", NULL};
  REFUSED(ms_merge(NULL, 1, NULL, "x", NULL, &err), "parts");
  REFUSED(ms_merge(parts, 2, NULL, "y", NULL, &err), "parts[i]");
  REFUSED(ms_merge(parts, 1, NULL, NULL, NULL, &err), "path");
}
END_TEST

/* Sets of patterns: 23 calls. */
START_TEST(pattern_sets)
{
  static const char *const name[] = {"a"}, *const text[] = {"triangle"};
  ms_pattern_set *set, *given;
  ms_pattern_counts *counts, *made;
  ms_permutation_result *r;
  char *written;
  const ms_permutation_options null = {.size = sizeof null, .null_kind = MS_NULL_REWIRE};
  ms_pattern_set_free(NULL);
  ms_pattern_counts_free(NULL);
  ck_assert_uint_eq(ms_pattern_set_size(NULL), 0);
  ck_assert_ptr_null(ms_pattern_set_name(NULL, 0));
  ck_assert_ptr_null(ms_pattern_set_text(NULL, 0));
  ck_assert_ptr_null(ms_pattern_set_pattern(NULL, 0));
  ck_assert_uint_eq(ms_pattern_edge_count(NULL), 0);
  REFUSED(ms_pattern_set_new(1, NULL, text, false, &set, &err), "name");
  REFUSED(ms_pattern_set_new(1, name, NULL, false, &set, &err), "text");
  REFUSED(ms_pattern_set_new(1, name, text, false, NULL, &err), "out");
  REFUSED(ms_pattern_set_read(NULL, false, &set, &err), "path");
  REFUSED(ms_pattern_set_read("x", false, NULL, &err), "out");
  REFUSED(ms_pattern_text(NULL, &written, &err), "pattern");
  REFUSED(ms_pattern_text(all.pattern, NULL, &err), "text");
  ck_ok(ms_pattern_set_new(1, name, text, false, &given, &err));
  REFUSED(ms_pattern_counts_new(NULL, given, NULL, &counts, &err), "index");
  REFUSED(ms_pattern_counts_new(all.index, NULL, NULL, &counts, &err), "set");
  REFUSED(ms_pattern_counts_new(all.index, given, NULL, NULL, &err), "out");
  ck_ok(ms_pattern_counts_new(all.index, given, NULL, &made, &err));
  REFUSED(ms_pattern_counts_permute(NULL, given, NULL, &null, made, &r, &err), "index");
  REFUSED(ms_pattern_counts_permute(all.index, NULL, NULL, &null, made, &r, &err), "set");
  REFUSED(ms_pattern_counts_permute(all.index, given, NULL, &null, NULL, &r, &err), "counts");
  REFUSED(ms_pattern_counts_permute(all.index, given, NULL, &null, made, NULL, &err), "out");
  REFUSED(ms_pattern_counts_write(NULL, given, NULL, made, NULL, NULL, "x", &err), "index");
  REFUSED(ms_pattern_counts_write(all.index, NULL, NULL, made, NULL, NULL, "x", &err), "set");
  REFUSED(ms_pattern_counts_write(all.index, given, NULL, NULL, NULL, NULL, "x", &err), "counts");
  REFUSED(ms_pattern_counts_write(all.index, given, NULL, made, NULL, NULL, NULL, &err), "path");
  ms_pattern_counts_free(made);
  ms_pattern_set_free(given);
}
END_TEST

/* Patterns: 43 calls. */
START_TEST(patterns)
{
  static const uint32_t edges[][2] = {{0, 1}};
  ms_pattern *pattern;
  ms_pattern_index *index;
  ms_pattern_result *r;
  char *text;
  REFUSED(ms_pattern_named(NULL, &pattern, &err), "name");
  REFUSED(ms_pattern_named("triangle", NULL, &err), "out");
  REFUSED(ms_pattern_parse(NULL, false, &pattern, &err), "text");
  REFUSED(ms_pattern_parse("(a)--(b)", false, NULL, &err), "out");
  REFUSED(ms_pattern_from_edges(2, 1, edges, false, NULL, NULL, &err), "out");
  REFUSED(ms_pattern_from_edges(2, 1, NULL, false, NULL, &pattern, &err), "edges");
  REFUSED(ms_pattern_read(NULL, NULL, NULL, &pattern, &err), "path");
  REFUSED(ms_pattern_read("x", NULL, NULL, NULL, &err), "out");
  REFUSED(ms_pattern_read_colors(NULL, "x", &err), "pattern");
  REFUSED(ms_pattern_read_colors(all.pattern, NULL, &err), "path");
  REFUSED(ms_pattern_accept(NULL, 0, "red", &err), "pattern");
  REFUSED(ms_pattern_accept(all.pattern, 0, NULL, &err), "color");
  ck_assert_uint_eq(ms_pattern_size(NULL), 0);
  ck_assert_ptr_null(ms_pattern_vertex_name(NULL, 0));
  REFUSED(ms_pattern_index_new(NULL, NULL, 1, &index, &err), "graph");
  REFUSED(ms_pattern_index_new(all.graph, NULL, 1, NULL, &err), "out");
  REFUSED(ms_pattern_list(NULL, all.pattern, NULL, &r, &err), "index");
  REFUSED(ms_pattern_list(all.index, NULL, NULL, &r, &err), "pattern");
  REFUSED(ms_pattern_list(all.index, all.pattern, NULL, NULL, &err), "out");
  REFUSED(ms_pattern_explain(NULL, all.pattern, NULL, false, &text, &err), "index");
  REFUSED(ms_pattern_explain(all.index, NULL, NULL, false, &text, &err), "pattern");
  REFUSED(ms_pattern_explain(all.index, all.pattern, NULL, false, NULL, &err), "text");
  REFUSED(ms_pattern_write(NULL, all.pattern, NULL, all.matches, NULL, "x", &err), "index");
  REFUSED(ms_pattern_write(all.index, NULL, NULL, all.matches, NULL, "x", &err), "pattern");
  REFUSED(ms_pattern_write(all.index, all.pattern, NULL, NULL, NULL, "x", &err), "result");
  REFUSED(ms_pattern_write(all.index, all.pattern, NULL, all.matches, NULL, NULL, &err), "path");
  ms_flags_result *flags;
  const ms_flags_result no_flags = {0};
  REFUSED(ms_pattern_flags(NULL, all.pattern, NULL, &flags, &err), "index");
  REFUSED(ms_pattern_flags(all.index, NULL, NULL, &flags, &err), "pattern");
  REFUSED(ms_pattern_flags(all.index, all.pattern, NULL, NULL, &err), "out");
  REFUSED(ms_pattern_flags_write(NULL, all.pattern, NULL, &no_flags, NULL, "x", &err), "index");
  REFUSED(ms_pattern_flags_write(all.index, NULL, NULL, &no_flags, NULL, "x", &err), "pattern");
  REFUSED(ms_pattern_flags_write(all.index, all.pattern, NULL, NULL, NULL, "x", &err), "result");
  REFUSED(ms_pattern_flags_write(all.index, all.pattern, NULL, &no_flags, NULL, NULL, &err),
          "path");
  ms_flags_result_free(NULL);
  ms_clique_counts *counts;
  const ms_clique_counts no_counts = {0};
  REFUSED(ms_clique_counts_new(NULL, NULL, &counts, &err), "index");
  REFUSED(ms_clique_counts_new(all.index, NULL, NULL, &err), "out");
  REFUSED(ms_clique_counts_write(NULL, &no_counts, NULL, "x", &err), "index");
  REFUSED(ms_clique_counts_write(all.index, NULL, NULL, "x", &err), "counts");
  REFUSED(ms_clique_counts_write(all.index, &no_counts, NULL, NULL, &err), "path");
  ms_clique_counts_free(NULL);
  REFUSED(ms_pattern_list_to_file(NULL, all.pattern, NULL, NULL, "x", &r, &err), "index");
  REFUSED(ms_pattern_list_to_file(all.index, NULL, NULL, NULL, "x", &r, &err), "pattern");
  REFUSED(ms_pattern_list_to_file(all.index, all.pattern, NULL, NULL, NULL, &r, &err), "path");
  REFUSED(ms_pattern_list_to_file(all.index, all.pattern, NULL, NULL, "x", NULL, &err), "result");
}
END_TEST

static bool take_path(void *user, uint64_t pair, const ms_typed_path *path)
{
  (void)user, (void)pair, (void)path;
  return true;
}

/* Typed graphs, patterns and paths: 63 calls. */
START_TEST(typed_graphs)
{
  ms_typed *typed;
  ms_graph *plain;
  ms_typed_pattern *pattern;
  ms_typed_query *query;
  ms_typed_result *r;
  ms_typed_paths *paths;
  ms_typed_path path;
  REFUSED(ms_typed_read(NULL, NULL, &typed, &err), "path");
  REFUSED(ms_typed_read("x", NULL, NULL, &err), "out");
  REFUSED(ms_typed_from_edges(NULL, 1, &typed, &err), "source");
  REFUSED(ms_typed_from_edges(&(ms_typed_source){0}, 1, NULL, &err), "out");
  REFUSED(ms_typed_from_graph(NULL, NULL, 1, &typed, &err), "graph");
  REFUSED(ms_typed_from_graph(all.graph, NULL, 1, NULL, &err), "out");
  REFUSED(ms_typed_plain(NULL, 1, &plain, NULL, &err), "graph");
  REFUSED(ms_typed_plain(all.typed, 1, NULL, NULL, &err), "plain");
  REFUSED(ms_typed_write(NULL, "x", &err), "graph");
  REFUSED(ms_typed_write(all.typed, NULL, &err), "path");
  REFUSED(ms_typed_write_binary(NULL, "x", &err), "graph");
  REFUSED(ms_typed_write_binary(all.typed, NULL, &err), "path");
  ck_assert_uint_eq(ms_typed_describe(NULL).vertices, 0);
  ck_assert_ptr_null(ms_typed_name(NULL, 0));
  ck_assert_uint_eq(ms_typed_find(NULL, "a"), UINT32_MAX);
  ck_assert_uint_eq(ms_typed_find(all.typed, NULL), UINT32_MAX);
  ck_assert_uint_eq(ms_typed_vertex_type(NULL, 0), UINT32_MAX);
  ck_assert_ptr_null(ms_typed_vertex_type_name(NULL, 0));
  ck_assert_ptr_null(ms_typed_arc_type_name(NULL, 0));
  ck_assert_uint_eq(ms_typed_find_arc_type(NULL, "r"), UINT32_MAX);
  ck_assert_uint_eq(ms_typed_find_arc_type(all.typed, NULL), UINT32_MAX);
  ck_assert_uint_eq(ms_typed_inverse(NULL, 0), UINT32_MAX);
  REFUSED(ms_typed_pattern_parse(NULL, &pattern, &err), "text");
  REFUSED(ms_typed_pattern_parse("(a)", NULL, &err), "out");
  REFUSED(ms_typed_pattern_read(NULL, NULL, &pattern, &err), "path");
  REFUSED(ms_typed_pattern_read("x", NULL, NULL, &err), "out");
  ck_assert_uint_eq(ms_typed_pattern_size(NULL), 0);
  ck_assert_ptr_null(ms_typed_pattern_vertex_name(NULL, 0));
  REFUSED(ms_typed_query_new(NULL, all.typed_pattern, &query, &err), "graph");
  REFUSED(ms_typed_query_new(all.typed, NULL, &query, &err), "pattern");
  REFUSED(ms_typed_query_new(all.typed, all.typed_pattern, NULL, &err), "out");
  ck_assert_ptr_null(ms_typed_query_unknown(NULL, 0));
  REFUSED(ms_typed_filter(NULL, 1, &typed, &err), "query");
  REFUSED(ms_typed_filter(all.typed_query, 1, NULL, &err), "out");
  REFUSED(ms_typed_match(NULL, NULL, &r, &err), "query");
  REFUSED(ms_typed_match(all.typed_query, NULL, NULL, &err), "out");
  REFUSED(ms_typed_match_inexact(NULL, NULL, &r, &err), "query");
  REFUSED(ms_typed_match_inexact(all.typed_query, NULL, NULL, &err), "out");
  ms_flags_result *flags;
  const ms_flags_result no_flags = {0};
  REFUSED(ms_typed_flags(NULL, NULL, &flags, &err), "query");
  REFUSED(ms_typed_flags(all.typed_query, NULL, NULL, &err), "out");
  REFUSED(ms_typed_flags_write(NULL, NULL, &no_flags, NULL, "x", &err), "query");
  REFUSED(ms_typed_flags_write(all.typed_query, NULL, NULL, NULL, "x", &err), "result");
  REFUSED(ms_typed_flags_write(all.typed_query, NULL, &no_flags, NULL, NULL, &err), "path");
  REFUSED(ms_typed_result_write(NULL, NULL, all.typed_result, NULL, "x", &err), "query");
  REFUSED(ms_typed_result_write(all.typed_query, NULL, NULL, NULL, "x", &err), "result");
  REFUSED(ms_typed_result_write(all.typed_query, NULL, all.typed_result, NULL, NULL, &err), "path");
  REFUSED(ms_typed_match_to_file(NULL, NULL, NULL, "x", &r, &err), "query");
  REFUSED(ms_typed_match_to_file(all.typed_query, NULL, NULL, NULL, &r, &err), "path");
  REFUSED(ms_typed_match_to_file(all.typed_query, NULL, NULL, "x", NULL, &err), "result");
  char *text;
  REFUSED(ms_typed_explain(NULL, NULL, false, &text, &err), "query");
  REFUSED(ms_typed_explain(all.typed_query, NULL, false, NULL, &err), "text");
  REFUSED(ms_typed_paths_new(NULL, NULL, &paths, &err), "graph");
  REFUSED(ms_typed_paths_new(all.typed, NULL, NULL, &err), "out");
  REFUSED(ms_typed_paths_find(NULL, 0, 0, &path, &err), "paths");
  REFUSED(ms_typed_paths_find(all.paths, 0, 0, NULL, &err), "out");
  ms_path_pairs *pairs;
  const ms_path_pairs none = {0};
  REFUSED(ms_path_pairs_read(NULL, all.typed, &pairs, &err), "path");
  REFUSED(ms_path_pairs_read("x", NULL, &pairs, &err), "graph");
  REFUSED(ms_path_pairs_read("x", all.typed, NULL, &err), "out");
  ms_path_pairs_free(NULL);
  REFUSED(ms_typed_paths_to_file(NULL, NULL, &none, NULL, "x", NULL, &err), "graph");
  REFUSED(ms_typed_paths_to_file(all.typed, NULL, NULL, NULL, "x", NULL, &err), "pairs");
  REFUSED(ms_typed_paths_to_file(all.typed, NULL, &none, NULL, NULL, NULL, &err), "path");
  REFUSED(ms_typed_path_pairs(NULL, NULL, 0, NULL, take_path, NULL, NULL, &err), "graph");
  REFUSED(ms_typed_path_pairs(all.typed, NULL, 0, NULL, NULL, NULL, NULL, &err), "deliver");
  REFUSED(ms_typed_path_pairs(all.typed, NULL, 1, NULL, take_path, NULL, NULL, &err), "pairs");
}
END_TEST

/* Generators, traversal, devices, verification, stopping, reports, and all functions that free: 81
 * calls. */
START_TEST(the_rest)
{
  const ms_visitor visitor = {.rule = MS_VISIT_AND};
  ms_verify_report report;
  ms_graph *graph;
  ms_coloring *coloring;
  ms_typed *typed;
  ms_cuts cuts;
  REFUSED(ms_generate(NULL, NULL, &err), "out");
  ck_assert_int_eq(ms_generate(NULL, &graph, &err), MS_ERR_USAGE); /* it needs parameters */
  REFUSED(ms_generate_colors(NULL, 1, 1, &coloring, &err), "graph");
  REFUSED(ms_generate_colors(all.graph, 1, 1, NULL, &err), "out");
  REFUSED(ms_generate_planted(NULL, NULL, &coloring, NULL, &err), "graph");
  REFUSED(ms_generate_planted(all.graph, NULL, NULL, NULL, &err), "out");
  REFUSED(ms_generate_types(NULL, NULL, 1, 0, 1, 1, &typed, &err), "graph");
  REFUSED(ms_generate_types(all.graph, NULL, 1, 0, 1, 1, NULL, &err), "out");
  REFUSED(ms_graph_shuffle(NULL, NULL, &graph, NULL, &err), "graph");
  REFUSED(ms_graph_shuffle(all.graph, NULL, NULL, NULL, &err), "out");
  REFUSED(ms_coloring_move(NULL, all.graph, NULL, &coloring, &err), "coloring");
  REFUSED(ms_coloring_move(all.coloring, NULL, NULL, &coloring, &err), "graph");
  REFUSED(ms_coloring_move(all.coloring, all.graph, NULL, &coloring, &err), "from");
  REFUSED(ms_coloring_move(all.coloring, all.graph, NULL, NULL, &err), "out");
  REFUSED(ms_coloring_permute(NULL, all.coloring, 1, 1, &coloring, &err), "graph");
  REFUSED(ms_coloring_permute(all.graph, NULL, 1, 1, &coloring, &err), "coloring");
  REFUSED(ms_coloring_permute(all.graph, all.coloring, 1, 1, NULL, &err), "out");
  REFUSED(ms_cut_patterns(NULL, NULL, &cuts, &err), "graph");
  REFUSED(ms_cut_patterns(all.graph, NULL, NULL, &err), "out");
  REFUSED(ms_typed_move(NULL, all.graph, NULL, NULL, 1, &typed, &err), "typed");
  REFUSED(ms_typed_move(all.typed, NULL, NULL, NULL, 1, &typed, &err), "graph");
  REFUSED(ms_typed_move(all.typed, all.graph, NULL, NULL, 1, NULL, &err), "out");
  REFUSED(ms_typed_from_cut(NULL, &cuts, 0, &typed, &err), "graph");
  REFUSED(ms_typed_from_cut(all.typed, NULL, 0, &typed, &err), "cuts");
  REFUSED(ms_typed_from_cut(all.typed, &cuts, 0, NULL, &err), "out");
  ms_points *points;
  const double at[2] = {0, 0};
  REFUSED(ms_points_read("p.tsv", NULL, NULL, &err), "out");
  REFUSED(ms_points_read(NULL, NULL, &points, &err), "path");
  REFUSED(ms_points_new(1, 2, at, NULL, NULL, NULL, &err), "out");
  REFUSED(ms_points_new(1, 2, NULL, NULL, NULL, &points, &err), "coordinates");
  REFUSED(ms_neighbors(NULL, NULL, &graph, &err), "points");
  REFUSED(ms_points_coloring(NULL, all.graph, &coloring, &err), "points");
  ck_assert_uint_eq(ms_points_describe(NULL).points, 0);
  ms_points_free(NULL);
  ck_assert_int_eq(ms_points_new(1, 2, at, NULL, NULL, &points, &err), MS_OK);
  REFUSED(ms_neighbors(points, NULL, NULL, &err), "out");
  REFUSED(ms_points_coloring(points, NULL, &coloring, &err), "graph");
  REFUSED(ms_points_coloring(points, all.graph, NULL, &err), "out");
  ms_points_free(points);
  ck_assert_ptr_null(ms_family_describe((ms_family)MS_FAMILIES).name);
  ck_assert_ptr_null(ms_generate_field_name(0));
  REFUSED(ms_graph_visit(NULL, 0, NULL, &visitor, NULL, 1, &err), "graph");
  REFUSED(ms_graph_visit(all.graph, 0, NULL, NULL, NULL, 1, &err), "visitor");
  REFUSED(ms_graph_visit(all.graph, 1, NULL, &visitor, NULL, 1, &err), "starts");
  REFUSED(ms_device_describe(0, NULL, &err), "info");
  ck_assert_int_ge(ms_device_count(), 0);
  ck_assert_ptr_nonnull(ms_device_reason());
  REFUSED(ms_verify_file(NULL, "g", NULL, NULL, &report, &err), "result_path");
  REFUSED(ms_verify_file("r", NULL, NULL, NULL, &report, &err), "graph_path");
  REFUSED(ms_verify_file("r", "g", NULL, NULL, NULL, &err), "report");
  const uint32_t number[2] = {0, 0}, (*pair)[2] = &number;
  const uint64_t at_end[2] = {0, 1};
  const char *const text = "red";
  REFUSED(ms_verify_components(NULL, number, 1, NULL, &report, &err), "graph");
  REFUSED(ms_verify_components(all.graph, NULL, 1, NULL, &report, &err), "component");
  REFUSED(ms_verify_components(all.graph, number, 1, NULL, NULL, &err), "report");
  REFUSED(ms_verify_paths(NULL, NULL, 1, pair, number, at_end, number, &report, &err), "graph");
  REFUSED(ms_verify_paths(all.typed, NULL, 1, NULL, number, at_end, number, &report, &err),
          "pairs");
  REFUSED(ms_verify_paths(all.typed, NULL, 1, pair, NULL, at_end, number, &report, &err), "length");
  REFUSED(ms_verify_paths(all.typed, NULL, 1, pair, number, NULL, number, &report, &err), "offset");
  REFUSED(ms_verify_paths(all.typed, NULL, 1, pair, number, at_end, NULL, &report, &err),
          "vertices");
  REFUSED(ms_verify_paths(all.typed, NULL, 1, pair, number, at_end, number, NULL, &err), "report");
  REFUSED(ms_verify_mined(NULL, all.coloring, NULL, true, 1, &text, at_end, number, &report, &err),
          "graph");
  REFUSED(ms_verify_mined(all.graph, NULL, NULL, true, 1, &text, at_end, number, &report, &err),
          "coloring");
  REFUSED(
      ms_verify_mined(all.graph, all.coloring, NULL, true, 1, NULL, at_end, number, &report, &err),
      "motif");
  REFUSED(
      ms_verify_mined(all.graph, all.coloring, NULL, true, 1, &text, NULL, number, &report, &err),
      "offset");
  REFUSED(
      ms_verify_mined(all.graph, all.coloring, NULL, true, 1, &text, at_end, NULL, &report, &err),
      "vertex");
  REFUSED(
      ms_verify_mined(all.graph, all.coloring, NULL, true, 1, &text, at_end, number, NULL, &err),
      "report");
  (void)ms_report_can_draw(); /* it takes no handle */
  REFUSED(ms_report_write(NULL, "g", NULL, NULL, "out", NULL, &err), "result_path");
  REFUSED(ms_stop_new(NULL, &err), "out");
  ms_stop_request(NULL);
  ms_stop_after(NULL, 1);
  ck_assert_ptr_null(ms_stop_attach(NULL));
  ms_set_block_size(NULL);
  ms_limit_memory(0); /* the default */
  ck_assert_ptr_nonnull(ms_status_text((ms_status)99));
  ck_assert_ptr_nonnull(ms_version());
  ms_set_allocator(NULL);
  ms_stop_free(NULL);
  ms_graph_free(NULL);
  ms_coloring_free(NULL);
  ms_motif_free(NULL);
  ms_query_free(NULL);
  ms_screen_result_free(NULL);
  ms_list_result_free(NULL);
  ms_pattern_free(NULL);
  ms_pattern_index_free(NULL);
  ms_pattern_result_free(NULL);
  ms_text_free(NULL);
  ms_typed_free(NULL);
  ms_typed_pattern_free(NULL);
  ms_typed_query_free(NULL);
  ms_typed_result_free(NULL);
  ms_typed_paths_free(NULL);
  ms_planted_clear(NULL);
  ms_cuts_clear(NULL);
  ms_color_stats_clear(NULL);
  ms_type_stats_clear(NULL);
}
END_TEST

/* A NULL error is accepted with a NULL handle: 3 calls. */
START_TEST(the_error_may_be_null)
{
  ms_graph *graph;
  ms_screen_result *screen;
  ck_assert_int_eq(ms_graph_read(NULL, NULL, &graph, NULL), MS_ERR_USAGE);
  ck_assert_int_eq(ms_screen(NULL, NULL, &screen, NULL), MS_ERR_USAGE);
  ck_assert_int_eq(ms_stop_new(NULL, NULL), MS_ERR_USAGE);
}
END_TEST

TEST_MAIN("NULL handles", AROUND_EACH(make_all, free_all), TEST(graphs_and_colours),
          TEST(labels_and_slots), TEST(motifs), TEST(nearest), TEST(sessions), TEST(censuses),
          TEST(comparisons), TEST(patterns), TEST(pattern_sets), TEST(typed_graphs), TEST(the_rest),
          TEST(the_error_may_be_null))
