/* Arguments that are out of range, and objects that do not belong together: each call fails as
 * wrong usage with a message that names the parameter, and none crashes.  Every test runs in a
 * process. */
#include "motifsieve.h"
#include "tests/support/files.h"
#include "tests/support/test_main.h"

#include <limits.h>
#include <math.h>
#include <string.h>

static ms_error err;

#define REFUSED(call, word)                                                                        \
  do {                                                                                             \
    err = (ms_error){0};                                                                           \
    ck_assert_int_eq(call, MS_ERR_USAGE);                                                          \
    ck_assert_msg(strstr(err.message, word), "%s", err.message);                                   \
  } while (0)

/* A graph, its colours, and all that is made from it. */
typedef struct world {
  uint32_t n;
  ms_graph *graph;
  ms_coloring *coloring;
  ms_motif *motif;
  ms_query *query;
  ms_screen_result *screen;
  ms_list_result *list;
  ms_pattern *pattern;
  ms_pattern_index *index;
  ms_pattern_result *matches;
  ms_flags_result *flags;
  ms_typed *typed;
  ms_typed_pattern *typed_pattern;
  ms_typed_query *typed_query;
  ms_typed_result *typed_result;
  ms_typed_paths *paths;
} world;

/* Two worlds of different sizes, and a twin of the first with the same sizes. */
static world small, large, twin;

static void make_world(world *w, uint32_t n, uint32_t colors, const char *motif)
{
  static const char *const names[] = {"c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7"};
  uint32_t edges[64][2], pairs[64][2];
  for (uint32_t v = 0; v < n; v++) {
    edges[v][0] = v;
    edges[v][1] = (v + 1) % n;
    pairs[v][0] = v;
    pairs[v][1] = v % colors;
  }
  w->n = n;
  ck_ok(ms_graph_from_edges(n, n, (const uint32_t(*)[2])edges, NULL, &w->graph, &err));
  ck_ok(ms_coloring_from_pairs(w->graph, n, (const uint32_t(*)[2])pairs, colors, names,
                               &w->coloring, &err));
  ck_ok(ms_motif_parse(motif, w->coloring, &w->motif, &err));
  ck_ok(ms_query_new(w->graph, w->coloring, w->motif, 0, NULL, &w->query, &err));
  ck_ok(ms_screen(w->query, NULL, &w->screen, &err));
  ck_ok(ms_list(w->query, NULL, &w->list, &err));
  ck_ok(ms_pattern_parse(n > 10 ? "(a)--(b)--(c)" : "(a)--(b)", false, &w->pattern, &err));
  ck_ok(ms_pattern_index_new(w->graph, w->coloring, 1, &w->index, &err));
  ck_ok(ms_pattern_list(w->index, w->pattern, NULL, &w->matches, &err));
  ck_ok(ms_pattern_flags(w->index, w->pattern, NULL, &w->flags, &err));
  ck_ok(ms_typed_from_graph(w->graph, w->coloring, 1, &w->typed, &err));
  ck_ok(ms_typed_pattern_parse(n > 10 ? "(a)--(b)--(c)" : "(a)--(b)", &w->typed_pattern, &err));
  ck_ok(ms_typed_query_new(w->typed, w->typed_pattern, &w->typed_query, &err));
  ck_ok(ms_typed_match(w->typed_query, NULL, &w->typed_result, &err));
  ck_ok(ms_typed_paths_new(w->typed, NULL, &w->paths, &err));
}

static void free_world(world *w)
{
  ms_typed_paths_free(w->paths);
  ms_typed_result_free(w->typed_result);
  ms_typed_query_free(w->typed_query);
  ms_typed_pattern_free(w->typed_pattern);
  ms_typed_free(w->typed);
  ms_flags_result_free(w->flags);
  ms_pattern_result_free(w->matches);
  ms_pattern_index_free(w->index);
  ms_pattern_free(w->pattern);
  ms_list_result_free(w->list);
  ms_screen_result_free(w->screen);
  ms_query_free(w->query);
  ms_motif_free(w->motif);
  ms_coloring_free(w->coloring);
  ms_graph_free(w->graph);
}

static void make_all(void)
{
  make_world(&small, 8, 2, "c0,c1");
  make_world(&twin, 8, 2, "c0,c1");
  make_world(&large, 40, 8, "c0,c6,c7");
}

static void free_all(void)
{
  free_world(&small);
  free_world(&twin);
  free_world(&large);
}

/* ---- objects that do not belong together --------------------------------------- */

/* Colours of another graph, larger, smaller or of the same size, in all calls that take both: 21
 * calls. */
START_TEST(colours_of_another_graph)
{
  const world *const other[][2] = {{&small, &large}, {&large, &small}, {&small, &twin}};
  for (int i = 0; i < 3; i++) {
    const world *a = other[i][0], *b = other[i][1];
    ms_query *query;
    ms_pattern_index *index;
    ms_typed *typed;
    ms_motif *motif;
    REFUSED(ms_query_new(a->graph, b->coloring, b->motif, 0, NULL, &query, &err), "colours");
    REFUSED(ms_query_new(a->graph, b->coloring, a->motif, 0, NULL, &query, &err), "colours");
    REFUSED(ms_query_new(a->graph, a->coloring, b->motif, 0, NULL, &query, &err), "motif");
    REFUSED(ms_pattern_index_new(a->graph, b->coloring, 1, &index, &err), "colours");
    REFUSED(ms_typed_from_graph(a->graph, b->coloring, 1, &typed, &err), "colours");
    REFUSED(ms_generate_types(a->graph, b->coloring, 1, 0, 1, 1, &typed, &err), "colours");
    REFUSED(ms_graph_write(a->graph, b->coloring, MS_FORMAT_BINARY, files_path("x.msg"), &err),
            "colours");
    ck_assert_int_ne(ms_motif_from_graph(a->graph, b->coloring, &motif, &err), MS_OK);
  }
}
END_TEST

/* Results, labels and components of another query are not written: 10 calls. */
START_TEST(results_of_another_query)
{
  const char *path = files_path("x.tsv");
  ms_labels *labels;
  uint32_t component[40] = {0};
  files_write_text("labels.tsv", "0\tzero\n1\tone\n");
  ck_ok(ms_labels_read(files_path("labels.tsv"), small.graph, &labels, &err));
  ms_write_options with_labels = MS_WRITE_OPTIONS_DEFAULT;
  with_labels.labels = labels;
  REFUSED(ms_screen_write(small.query, NULL, large.screen, NULL, path, &err), "the result has");
  REFUSED(ms_screen_write(large.query, NULL, small.screen, NULL, path, &err), "the result has");
  REFUSED(ms_list_write(small.query, NULL, large.list, NULL, path, &err), "the result has");
  REFUSED(ms_list_write(large.query, NULL, small.list, NULL, path, &err), "the result has");
  REFUSED(ms_pattern_write(small.index, small.pattern, NULL, large.matches, NULL, path, &err),
          "the result has");
  REFUSED(ms_pattern_write(large.index, large.pattern, NULL, small.matches, NULL, path, &err),
          "the result has");
  REFUSED(ms_typed_result_write(small.typed_query, NULL, large.typed_result, NULL, path, &err),
          "the result has");
  REFUSED(ms_screen_write(large.query, NULL, large.screen, &with_labels, path, &err), "`labels`");
  component[3] = 70;
  REFUSED(ms_components_write(large.graph, component, 71, NULL, NULL, path, &err), "components");
  component[3] = UINT32_MAX;
  REFUSED(ms_components_write(large.graph, component, 2, NULL, NULL, path, &err), "components");
  ms_labels_free(labels);
}
END_TEST

/* ---- numbers that name nothing --------------------------------------------------- */

/* Vertices, colours, types, slots and formats that do not exist have no name: 3 numbers in 17
 * calls. */
START_TEST(numbers_of_nothing)
{
  const uint32_t numbers[] = {8, 1000000, UINT32_MAX};
  for (int i = 0; i < 3; i++) {
    uint32_t v = numbers[i], count = 7, set[2] = {0, v}, slot[2];
    ck_assert_ptr_null(ms_graph_name(small.graph, v));
    ck_assert_ptr_null(ms_graph_arcs(small.graph, v));
    ck_assert_ptr_null(ms_graph_neighbors(small.graph, v, &count));
    ck_assert_uint_eq(count, 0);
    ck_assert_ptr_null(ms_coloring_name(small.coloring, v));
    ck_assert_ptr_null(ms_coloring_of(small.coloring, v, &count));
    ck_assert_uint_eq(count, 0);
    ck_assert_ptr_null(ms_query_slot_name(small.query, v));
    ck_assert(!ms_query_slots(small.query, set, slot));
    ck_assert_ptr_null(ms_pattern_vertex_name(small.pattern, v));
    ck_assert_ptr_null(ms_typed_pattern_vertex_name(small.typed_pattern, v));
    ck_assert_ptr_null(ms_typed_query_unknown(small.typed_query, v));
    ck_assert_ptr_null(ms_typed_name(small.typed, v));
    ck_assert_uint_eq(ms_typed_vertex_type(small.typed, v), UINT32_MAX);
    ck_assert_ptr_null(ms_typed_vertex_type_name(small.typed, v));
    ck_assert_ptr_null(ms_typed_arc_type_name(small.typed, v));
    ck_assert_uint_eq(ms_typed_inverse(small.typed, v), UINT32_MAX);
    ck_assert_ptr_null(ms_color_format_name((ms_color_format)v));
    ck_assert_ptr_null(ms_graph_format_describe((ms_graph_format)(v + 92)).name);
    ck_assert_ptr_null(ms_family_describe((ms_family)v).name);
    ck_assert_ptr_nonnull(ms_status_text((ms_status)v));
  }
  ck_assert_ptr_null(ms_graph_neighbors(small.graph, 0, NULL));
  ck_assert_ptr_null(ms_coloring_of(small.coloring, 0, NULL));
}
END_TEST

/* ---- members of options ------------------------------------------------------------ */

/* Runs a call with each wrong value of an enum. */
#define WRONG_ENUM(options, member, most, call)                                                    \
  for (int i = 0; i < 4; i++) {                                                                    \
    const int values[] = {(int)(most) + 1, 9999, -1, INT_MIN};                                     \
    memcpy(&(options).member, &values[i], sizeof values[i]);                                       \
    REFUSED(call, "`" #member "`");                                                                \
    (options).member = 0;                                                                          \
  }
#define WRONG_THREADS(options, call)                                                               \
  for (int i = 0; i < 4; i++) {                                                                    \
    const int values[] = {-1, INT_MIN, INT_MAX, 65537};                                            \
    (options).run.threads = values[i];                                                             \
    REFUSED(call, "`threads`");                                                                    \
    (options).run.threads = 0;                                                                     \
  }
#define WRONG_NUMBER(options, member, call)                                                        \
  do {                                                                                             \
    double before = (options).member;                                                              \
    (options).member = NAN;                                                                        \
    REFUSED(call, "`" #member "`");                                                                \
    (options).member = before;                                                                     \
  } while (0)

/* Every enum, number of threads, floating-point number and array of the options of reading: 52
 * values. */
START_TEST(options_of_reading)
{
  ms_graph *graph;
  ms_coloring *coloring;
  ms_typed *typed;
  ms_pattern *pattern;
  ms_typed_pattern *typed_pattern;
  ms_verify_report report;
  ms_graph_options g = MS_GRAPH_OPTIONS_DEFAULT;
  WRONG_ENUM(g, format, MS_FORMAT_TYPED_BINARY, ms_graph_read("x", &g, &graph, &err))
  WRONG_ENUM(g, format, MS_FORMAT_TYPED_BINARY, ms_pattern_read("x", &g, NULL, &pattern, &err))
  WRONG_THREADS(g, ms_graph_read("x", &g, &graph, &err))
  WRONG_NUMBER(g, min_score, ms_graph_read("x", &g, &graph, &err));
  ms_color_options c = MS_COLOR_OPTIONS_DEFAULT;
  WRONG_ENUM(c, format, MS_COLORS_GMT, ms_coloring_read("x", small.graph, &c, &coloring, &err))
  ms_typed_options t = MS_TYPED_OPTIONS_DEFAULT;
  WRONG_ENUM(t, format, MS_TYPED_BINARY, ms_typed_read("x", &t, &typed, &err))
  WRONG_ENUM(t, format, MS_TYPED_BINARY, ms_typed_pattern_read("x", &t, &typed_pattern, &err))
  WRONG_THREADS(t, ms_typed_read("x", &t, &typed, &err))
  WRONG_NUMBER(t, min_score, ms_typed_read("x", &t, &typed, &err));
  ms_verify_options v = MS_VERIFY_OPTIONS_DEFAULT;
  WRONG_ENUM(v.graph, format, MS_FORMAT_TYPED_BINARY,
             ms_verify_file("r", "g", NULL, &v, &report, &err))
  WRONG_ENUM(v.colors, format, MS_COLORS_GMT, ms_verify_file("r", "g", NULL, &v, &report, &err))
  WRONG_ENUM(v.typed, format, MS_TYPED_BINARY, ms_verify_file("r", "g", NULL, &v, &report, &err))
  WRONG_THREADS(v.graph, ms_verify_file("r", "g", NULL, &v, &report, &err))
}
END_TEST

static bool ignore_screen(void *user, uint32_t i, const ms_query *query,
                          const ms_screen_result *result, double seconds)
{
  (void)user, (void)i, (void)query, (void)result, (void)seconds;
  return true;
}

/* The same for the options of motifs: 40 values. */
START_TEST(options_of_motifs)
{
  ms_screen_result *screen;
  ms_list_result *list;
  ms_screen_options s = MS_SCREEN_OPTIONS_DEFAULT;
  WRONG_ENUM(s, recurrence, MS_CLASSIC, ms_screen(small.query, &s, &screen, &err))
  WRONG_ENUM(s, backend, MS_BACKEND_BOTH, ms_screen(small.query, &s, &screen, &err))
  WRONG_THREADS(s, ms_screen(small.query, &s, &screen, &err))
  WRONG_NUMBER(s, error, ms_screen(small.query, &s, &screen, &err));
  s.error = 0;
  s.run.n_devices = 3;
  REFUSED(ms_screen(small.query, &s, &screen, &err), "`devices`");
  s.run.n_devices = 0;
  s.match_size = UINT32_MAX;
  ck_assert_int_eq(ms_screen(small.query, &s, &screen, &err), MS_ERR_USAGE);
  s.match_size = 0;
  s.block_points = 77;
  ck_assert_int_eq(ms_screen(small.query, &s, &screen, &err), MS_ERR_USAGE);
  s.block_points = 0;
  const ms_division saved = {.size = sizeof saved, .checkpoint = files_path("saved")};
  const ms_division part = {.size = sizeof part, .part = 1, .parts = 2};
  s.run.division = &saved;
  s.max_missing = 1;
  REFUSED(ms_screen(small.query, &s, &screen, &err), "nearest matches cannot be saved");
  s.max_missing = 0;
  s.run.division = &part;
  const char *const name = "m", *const text = "c0,c1";
  ms_session *session;
  ms_motif_set *set;
  ck_ok(ms_session_new(small.graph, small.coloring, &session, &err));
  ck_ok(ms_motif_set_new(small.coloring, 1, &name, &text, &set, &err));
  REFUSED(ms_session_screen(session, set, &s, 0, ignore_screen, NULL, &err),
          "many motifs cannot be divided");
  ms_motif_set_free(set);
  ms_session_free(session);
  ms_list_options l = MS_LIST_OPTIONS_DEFAULT;
  WRONG_ENUM(l.screen, recurrence, MS_CLASSIC, ms_list(small.query, &l, &list, &err))
  WRONG_ENUM(l.screen, backend, MS_BACKEND_BOTH, ms_list(small.query, &l, &list, &err))
  WRONG_THREADS(l.screen, ms_list(small.query, &l, &list, &err))
  WRONG_THREADS(l.screen, ms_list_to_file(small.query, &l, NULL, files_path("l"), &list, &err))
  WRONG_NUMBER(l.screen, error, ms_list(small.query, &l, &list, &err));
  ms_list_significance chance;
  l = (ms_list_options)MS_LIST_OPTIONS_DEFAULT;
  l.screen.run.engine = "gpu";
  REFUSED(ms_list_chance(small.query, &l, true, NULL, &chance, &err), "`engine` has no effect");
}
END_TEST

/* The same for patterns and typed patterns, plain and listed: 82 values. */
START_TEST(options_of_patterns)
{
  const char *const none[] = {NULL};
  ms_pattern_result *r;
  ms_flags_result *f;
  ms_typed_result *tr;
  char *text;
  ms_pattern_options p = MS_PATTERN_OPTIONS_DEFAULT;
  WRONG_ENUM(p, order, MS_ORDER_REUSE, ms_pattern_list(small.index, small.pattern, &p, &r, &err))
  WRONG_ENUM(p, order, MS_ORDER_REUSE,
             ms_pattern_explain(small.index, small.pattern, &p, false, &text, &err))
  WRONG_ENUM(p, screen_mode, MS_SCREEN_NEVER,
             ms_pattern_list(small.index, small.pattern, &p, &r, &err))
  WRONG_ENUM(p.screen, recurrence, MS_CLASSIC,
             ms_pattern_list(small.index, small.pattern, &p, &r, &err))
  WRONG_ENUM(p.screen, recurrence, MS_CLASSIC,
             ms_pattern_flags(small.index, small.pattern, &p, &f, &err))
  WRONG_THREADS(p.screen, ms_pattern_list(small.index, small.pattern, &p, &r, &err))
  p.n_required = 1;
  REFUSED(ms_pattern_list(small.index, small.pattern, &p, &r, &err), "`required`");
  p.required = none;
  REFUSED(ms_pattern_list(small.index, small.pattern, &p, &r, &err), "`required`");
  ms_typed_match_options t = MS_TYPED_MATCH_OPTIONS_DEFAULT;
  WRONG_ENUM(t, walk, MS_WALK_RANDOM, ms_typed_match(small.typed_query, &t, &tr, &err))
  WRONG_ENUM(t, walk, MS_WALK_RANDOM, ms_typed_match_inexact(small.typed_query, &t, &tr, &err))
  WRONG_ENUM(t, screen_mode, MS_SCREEN_NEVER, ms_typed_match(small.typed_query, &t, &tr, &err))
  WRONG_ENUM(t, recurrence, MS_CLASSIC, ms_typed_match(small.typed_query, &t, &tr, &err))
  WRONG_ENUM(t, backend, MS_BACKEND_BOTH, ms_typed_flags(small.typed_query, &t, &f, &err))
  WRONG_ENUM(t, backend, MS_BACKEND_BOTH,
             ms_typed_explain(small.typed_query, &t, false, &text, &err))
  WRONG_THREADS(t, ms_typed_match(small.typed_query, &t, &tr, &err))
  WRONG_NUMBER(t, error, ms_typed_match(small.typed_query, &t, &tr, &err));
  t.run.n_devices = 1;
  REFUSED(ms_typed_match(small.typed_query, &t, &tr, &err), "`devices`");
  t.run.n_devices = 0;
  t.n_required = 1;
  REFUSED(ms_typed_match(small.typed_query, &t, &tr, &err), "`required`");
}
END_TEST

static bool take_path(void *user, uint64_t pair, const ms_typed_path *path)
{
  (void)user, (void)pair, (void)path;
  return true;
}

/* The same for generators, paths, components, traversals and writers, and numbers of threads that
 * are arguments: 70 values. */
START_TEST(options_of_the_rest)
{
  static const uint32_t far[][2] = {{0, 8}}, type[] = {5};
  const int threads[] = {-1, INT_MIN, INT_MAX};
  const ms_visitor visitor = {.rule = (ms_visit_rule)17};
  const ms_visitor good = {.rule = MS_VISIT_AND};
  ms_graph *graph;
  ms_coloring *coloring;
  ms_typed *typed;
  ms_pattern *pattern;
  ms_pattern_index *index;
  ms_typed_paths *paths;
  ms_typed_path path;
  ms_device_info device;
  uint32_t component[8], count;
  ms_generate_options g = MS_GENERATE_OPTIONS_DEFAULT;
  WRONG_ENUM(g, family, MS_FAMILIES - 1, ms_generate(&g, &graph, &err))
  WRONG_THREADS(g, ms_generate(&g, &graph, &err))
  WRONG_NUMBER(g, degree, ms_generate(&g, &graph, &err));
  WRONG_NUMBER(g, probability, ms_generate(&g, &graph, &err));
  WRONG_NUMBER(g, exponent, ms_generate(&g, &graph, &err));
  WRONG_NUMBER(g, quadrants[2], ms_generate(&g, &graph, &err));
  WRONG_NUMBER(g, removed, ms_generate(&g, &graph, &err));
  WRONG_NUMBER(g, diagonals, ms_generate(&g, &graph, &err));
  ms_plant_options plant = MS_PLANT_OPTIONS_DEFAULT;
  plant.slots = UINT32_MAX;
  ck_assert_int_eq(ms_generate_planted(small.graph, &plant, &coloring, NULL, &err), MS_ERR_USAGE);
  ck_assert_int_ne(ms_generate_colors(small.graph, 0, 1, &coloring, &err), MS_OK);
  ms_write_options w = MS_WRITE_OPTIONS_DEFAULT;
  WRONG_ENUM(w, form, MS_FORM_SVG,
             ms_list_write(small.query, NULL, small.list, &w, files_path("w"), &err))
  ms_path_options p = MS_PATH_OPTIONS_DEFAULT;
  WRONG_THREADS(p, ms_typed_paths_new(small.typed, &p, &paths, &err))
  p.types = type;
  p.n_types = 1;
  ck_assert_int_eq(ms_typed_paths_new(small.typed, &p, &paths, &err), MS_ERR_USAGE);
  ck_assert_int_eq(ms_typed_paths_find(small.paths, 0, 8, &path, &err), MS_ERR_USAGE);
  ck_assert_int_eq(ms_typed_path_pairs(small.typed, NULL, 1, far, take_path, NULL, NULL, &err),
                   MS_ERR_USAGE);
  const ms_path_pairs pairs = {.count = 3};
  ck_assert_int_eq(
      ms_typed_paths_to_file(small.typed, NULL, &pairs, NULL, files_path("p"), NULL, &err),
      MS_ERR_USAGE);
  for (int i = 0; i < 4; i++) {
    const int values[] = {3, 9999, -1, INT_MIN};
    REFUSED(ms_graph_components(small.graph, (ms_components_algorithm)values[i], 1, component,
                                &count, &err),
            "`algorithm`");
  }
  for (int i = 0; i < 3; i++) {
    const ms_typed_source source = {.n = 2};
    ms_coloring *colors;
    REFUSED(
        ms_graph_components(small.graph, MS_COMPONENTS_KAHAN, threads[i], component, &count, &err),
        "`threads`");
    REFUSED(ms_pattern_index_new(small.graph, NULL, threads[i], &index, &err), "`threads`");
    REFUSED(ms_typed_from_edges(&source, threads[i], &typed, &err), "`threads`");
    REFUSED(ms_typed_from_graph(small.graph, NULL, threads[i], &typed, &err), "`threads`");
    REFUSED(ms_typed_plain(small.typed, threads[i], &graph, &colors, &err), "`threads`");
    REFUSED(ms_typed_filter(small.typed_query, threads[i], &typed, &err), "`threads`");
    REFUSED(ms_generate_types(small.graph, NULL, 1, 0, 1, threads[i], &typed, &err), "`threads`");
    REFUSED(ms_graph_visit(small.graph, 0, NULL, &good, NULL, threads[i], &err), "`threads`");
  }
  ck_assert_int_eq(ms_graph_visit(small.graph, 0, NULL, &visitor, NULL, 1, &err), MS_ERR_USAGE);
  ck_assert_int_eq(ms_device_describe(-1, &device, &err), MS_ERR_USAGE);
  ck_assert_int_eq(ms_device_describe(INT_MAX, &device, &err), MS_ERR_USAGE);
  ck_assert_int_eq(ms_graph_from_edges(8, 1, far, NULL, &graph, &err), MS_ERR_USAGE);
  ck_assert_int_eq(ms_pattern_from_edges(8, 1, far, false, NULL, &pattern, &err), MS_ERR_USAGE);
  ck_assert_int_ne(ms_pattern_from_edges(UINT32_MAX, 0, NULL, false, NULL, &pattern, &err), MS_OK);
  ck_assert_int_eq(ms_pattern_accept(small.pattern, 9, "red", &err), MS_ERR_USAGE);
}
END_TEST

/* Arrays with entries that are NULL, or without any: 7 calls. */
START_TEST(arrays_with_holes)
{
  static const uint32_t edges[][2] = {{0, 1}}, pairs[][2] = {{0, 0}}, edge_type[] = {0};
  const char *const holes[] = {"a", NULL}, *const relation[] = {"r"};
  ms_graph *graph;
  ms_coloring *coloring;
  ms_typed *typed;
  REFUSED(ms_graph_from_edges(2, 1, edges, holes, &graph, &err), "names");
  REFUSED(ms_coloring_from_pairs(small.graph, 1, pairs, 2, holes, &coloring, &err), "NULL");
  ms_typed_source s = {.n = 2, .m = 1, .edges = edges, .n_relations = 1};
  REFUSED(ms_typed_from_edges(&s, 1, &typed, &err), "`relation`");
  s.relation = s.inverse = relation;
  REFUSED(ms_typed_from_edges(&s, 1, &typed, &err), "`edge_type`");
  s.edge_type = edge_type;
  s.edges = NULL;
  REFUSED(ms_typed_from_edges(&s, 1, &typed, &err), "`edges`");
  s.edges = edges;
  s.names = holes;
  REFUSED(ms_typed_from_edges(&s, 1, &typed, &err), "`names`");
  s.names = NULL;
  s.vertex_type = holes;
  REFUSED(ms_typed_from_edges(&s, 1, &typed, &err), "`vertex_type`");
}
END_TEST

/* Sets of patterns: holes, no pattern, options and enums that do not fit, counts of another set,
 * colours and directions that the graph lacks: 33 calls. */
START_TEST(sets_of_patterns)
{
  static const char *const names[] = {"a", "b"}, *const texts[] = {"triangle", "path:3"};
  static const char *const colored[] = {"(x:c0)--(y)"}, *const arrows[] = {"(x)-->(y)"};
  const char *const holes[] = {"a", NULL};
  static const uint32_t stratum[8] = {0};
  ms_pattern_set *set, *other, *red, *directed, *none;
  ms_pattern_index *bare;
  ms_pattern_counts *counts, *again;
  ms_permutation_result *r;
  ms_pattern_options o = MS_PATTERN_OPTIONS_DEFAULT;
  ms_permutation_options q = MS_PERMUTATION_OPTIONS_DEFAULT;
  ms_census_statistics s = MS_CENSUS_STATISTICS_DEFAULT;
  ms_division division = MS_DIVISION_DEFAULT;
  char *text;
  REFUSED(ms_pattern_set_new(0, NULL, NULL, false, &set, &err), "no pattern");
  REFUSED(ms_pattern_set_new(1, NULL, texts, false, &set, &err), "'name'");
  REFUSED(ms_pattern_set_new(1, names, NULL, false, &set, &err), "'text'");
  REFUSED(ms_pattern_set_new(2, holes, texts, false, &set, &err), "pattern 1 lacks");
  REFUSED(ms_pattern_set_new(2, texts, holes, false, &set, &err), "pattern 0");
  REFUSED(ms_pattern_set_new(1, names, arrows, false, &set, &err), "arrows");
  REFUSED(ms_pattern_set_new(1, names, texts, false, NULL, &err), "'out'");
  REFUSED(ms_pattern_set_read(NULL, false, &set, &err), "'path'");
  REFUSED(ms_pattern_text(NULL, &text, &err), "'pattern'");
  ck_ok(ms_pattern_set_new(2, names, texts, false, &set, &err));
  ck_ok(ms_pattern_set_new(1, names, texts, false, &other, &err));
  ck_ok(ms_pattern_set_new(1, names, colored, false, &red, &err));
  ck_ok(ms_pattern_set_new(1, names, arrows, true, &directed, &err));
  ck_ok(ms_pattern_index_new(small.graph, NULL, 1, &bare, &err));
  REFUSED(ms_pattern_counts_new(NULL, set, NULL, &counts, &err), "'index'");
  REFUSED(ms_pattern_counts_new(bare, NULL, NULL, &counts, &err), "'set'");
  REFUSED(ms_pattern_counts_new(bare, red, NULL, &counts, &err), "asks for colours");
  REFUSED(ms_pattern_counts_new(bare, directed, NULL, &counts, &err), "has arrows");
  o.limit = 3;
  REFUSED(ms_pattern_counts_new(bare, set, &o, &counts, &err), "`limit`");
  o.limit = 0;
  o.screen_mode = MS_SCREEN_ALWAYS;
  REFUSED(ms_pattern_counts_new(bare, set, &o, &counts, &err), "`screen_mode`");
  o.screen_mode = (ms_screen_mode)7;
  REFUSED(ms_pattern_counts_new(bare, set, &o, &counts, &err), "`screen_mode`");
  o.screen_mode = MS_SCREEN_AUTO;
  o.size = 3;
  REFUSED(ms_pattern_counts_new(bare, set, &o, &counts, &err), "ms_pattern_options.size");
  o.size = sizeof o + 8;
  REFUSED(ms_pattern_counts_new(bare, set, &o, &counts, &err), "ms_pattern_options.size");
  o.size = sizeof o;
  division.part = 1;
  division.parts = 2;
  o.screen.run.division = &division;
  REFUSED(ms_pattern_counts_new(bare, set, &o, &counts, &err), "cannot be divided");
  o.screen.run.division = NULL;
  ck_ok(ms_pattern_counts_new(bare, set, &o, &counts, &err));
  ck_ok(ms_pattern_counts_new(small.index, other, &o, &again, &err));
  REFUSED(ms_pattern_counts_permute(bare, set, &o, &q, counts, &r, &err), "`null_kind`");
  q.null_kind = (ms_null_kind)9;
  REFUSED(ms_pattern_counts_permute(bare, set, &o, &q, counts, &r, &err), "`null_kind`");
  q.null_kind = MS_NULL_REWIRE;
  q.size = 1;
  REFUSED(ms_pattern_counts_permute(bare, set, &o, &q, counts, &r, &err), "options.size");
  q.size = sizeof q;
  REFUSED(ms_pattern_counts_permute(bare, set, &o, &q, NULL, &r, &err), "'counts'");
  REFUSED(ms_pattern_counts_permute(bare, set, &o, &q, again, &r, &err), "the set has 2");
  o.embeddings = true;
  REFUSED(ms_pattern_counts_permute(bare, set, &o, &q, counts, &r, &err), "embeddings");
  o.embeddings = false;
  o.screen.run.engine = "dfs";
  REFUSED(ms_pattern_counts_permute(bare, set, &o, &q, counts, &r, &err), "`engine`");
  o.screen.run.engine = NULL;
  q.stratum = stratum;
  q.n_strata = 8;
  REFUSED(ms_pattern_counts_permute(bare, set, &o, &q, counts, &r, &err), "`stratum`");
  q.n_strata = 0;
  q.max_t = true;
  o.screen.run.division = &division;
  REFUSED(ms_pattern_counts_permute(bare, set, &o, &q, counts, &r, &err), "`max_t`");
  q.max_t = false;
  q.permutations = MS_MOST_PERMUTATIONS + UINT64_C(1);
  o.screen.run.division = NULL;
  REFUSED(ms_pattern_counts_permute(bare, set, &o, &q, counts, &r, &err), "`permutations`");
  q.permutations = 2;
  ck_ok(ms_pattern_counts_permute(bare, set, &o, &q, counts, &r, &err));
  s.permutations = r;
  REFUSED(ms_pattern_counts_write(bare, set, &o, counts, &s, NULL, "out", &err), "options");
  s.permutation_options = &q;
  REFUSED(ms_pattern_counts_write(bare, other, &o, again, &s, NULL, "out", &err), "2 patterns");
  s.sort = MS_CENSUS_BY_Z;
  REFUSED(ms_pattern_counts_write(bare, set, &o, counts, &s, NULL, "out", &err), "`sort`");
  s.sort = (ms_census_order)9;
  REFUSED(ms_pattern_counts_write(bare, set, &o, counts, &s, NULL, "out", &err), "`sort`");
  ck_assert_uint_eq(ms_pattern_set_size(NULL), 0);
  ck_assert_ptr_null(ms_pattern_set_name(NULL, 0));
  ck_assert_ptr_null(ms_pattern_set_text(set, 2));
  ck_assert_uint_eq(ms_pattern_edge_count(NULL), 0);
  none = NULL;
  ms_pattern_set_free(none);
  ms_pattern_counts_free(NULL);
  ms_permutation_result_free(r);
  ms_pattern_counts_free(counts);
  ms_pattern_counts_free(again);
  ms_pattern_index_free(bare);
  ms_pattern_set_free(set);
  ms_pattern_set_free(other);
  ms_pattern_set_free(red);
  ms_pattern_set_free(directed);
}
END_TEST

TEST_MAIN("misuse", AROUND_EACH(make_all, free_all), TEST(colours_of_another_graph),
          TEST(results_of_another_query), TEST(numbers_of_nothing), TEST(options_of_reading),
          TEST(options_of_motifs), TEST(options_of_patterns), TEST(options_of_the_rest),
          TEST(arrays_with_holes), TEST(sets_of_patterns))
