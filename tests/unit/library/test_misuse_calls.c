/* Every function of the header is called with good arguments but one, which is wrong: a value that
 * its enum lacks, an extreme number, NaN, a text that is empty, long, no UTF-8 or no name of
 * anything, a handle of another graph (also one of the same size), or such a member of its options.
 * None crashes; a failure has its status and a message, and leaves out-parameters NULL; values that
 * an enum lacks and impossible numbers of threads are wrong usage, and the message names the
 * parameter.
 *
 * The calls are generated from the header (misuse_calls.awk): a new function, or a new member of
 * options, is tried, and one that needs an argument of a new kind does not compile until this file
 * says what is good. */
#include "motifsieve.h"
#include "tests/support/files.h"
#include "tests/support/test_main.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- the good arguments ---------------------------------------------------------- */

/* A graph, its colours, and all that is made from it. */
typedef struct handles {
  ms_graph *graph;
  ms_coloring *coloring;
  ms_labels *labels;
  ms_vertex_scores *vertex_scores;
  ms_motif *motif;
  ms_query *query;
  ms_motif_set *motif_set;
  ms_pattern_set *pattern_set;
  ms_pattern_counts *pattern_counts;
  ms_session *session;
  ms_screen_result *screen_result;
  ms_list_result *list_result;
  ms_substitutes *substitutes;
  ms_nearest_result *nearest_result;
  ms_census_result *census_result;
  ms_orbits_result *orbits_result;
  ms_samples *samples;
  ms_comparison *comparison;
  ms_pattern *pattern;
  ms_pattern_index *pattern_index;
  ms_pattern_result *pattern_result;
  ms_flags_result *flags_result, *typed_flags_result;
  ms_typed *typed;
  ms_typed_pattern *typed_pattern;
  ms_typed_query *typed_query;
  ms_typed_result *typed_result;
  ms_typed_paths *typed_paths;
  ms_points *points;
  ms_stop *stop;
} handles;

/* The good one, one of the same sizes with other edges and colours, one with more vertices, and one
 * whose motif and pattern are larger, too. */
enum { WORLDS = 4 };
static handles world[WORLDS];

enum { VERTICES = 9 };
static const uint32_t edges[][2] = {{0, 1}, {1, 2}, {2, 0}, {3, 4}};
static const uint32_t ring[][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5},
                                   {5, 6}, {6, 7}, {7, 8}, {8, 0}};
static const float ring_scores[VERTICES] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
static const uint32_t pairs[][2] = {{0, 0}, {1, 1}, {2, 0}};
static const uint32_t starts[] = {0, 5, 3}, edge_type[] = {0, 0, 0, 0};
static const uint32_t order[VERTICES] = {8, 7, 6, 5, 4, 3, 2, 1, 0};
static uint32_t path_pair[][2] = {{0, 2}};
static const uint64_t no_offset[] = {0, 0, 0};
static uint32_t component[4 * VERTICES]; /* of the largest graph */
static const char *const names[] = {"v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8"};
static const char *const colors[] = {"red", "blue"}, *const relation[] = {"r"};
static const char *const motif_names[] = {"a", "b"}, *const motif_texts[] = {"red", "*:2"};
static const char *const wanted_color[] = {"red"}, *const other_color[] = {"blue"};
static const uint32_t unit_cost[] = {1};
static const char *const part_files[] = {"part.tsv"};
static uint32_t cut_vertices[] = {0, 1, 1, 2}, cut_edges[][2] = {{0, 1}, {0, 1}};
static uint64_t cut_offset[] = {0, 1, 2};
static const ms_cuts cuts = {
    .patterns = 2, .k = 2, .vertices = cut_vertices, .offset = cut_offset, .edges = cut_edges};
static double estimated, degree_share;
static ms_sample_info sample_of_twin = {.name = "s", .group = "x"}; /* of world[1] */
static const ms_list_significance chance = {.observed = 1, .asked = 2, .done = 2, .n_ge = 2};
static char *clique_text[] = {"3"};
static const char *const pattern_names[] = {"p", "q"}, *const pattern_texts[] = {"triangle",
                                                                                 "path:2"};
static const ms_clique_counts clique_counts = {.least = 2, .most = 2, .count_text = clique_text};
static const double places[3 * VERTICES] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 3, 1, 9, 2};
static const ms_motif_target target = {.kind = 0};
static const ms_visitor visitor = {.rule = MS_VISIT_AND};
static const ms_path_pairs path_pairs = {.count = 1, .pairs = path_pair};
static const ms_typed_source source = {.n = 9,
                                       .m = 4,
                                       .edges = edges,
                                       .edge_type = edge_type,
                                       .n_relations = 1,
                                       .relation = relation,
                                       .inverse = relation};

static bool take_path(void *user, uint64_t pair, const ms_typed_path *path)
{
  (void)user, (void)pair, (void)path;
  return true;
}

static bool take_screen(void *user, uint32_t i, const ms_query *query,
                        const ms_screen_result *result, double seconds)
{
  (void)user, (void)i, (void)query, (void)result, (void)seconds;
  return true;
}

static bool take_mined(void *user, const ms_motif *motif, uint32_t count, const uint32_t *vertex)
{
  (void)user, (void)motif, (void)count, (void)vertex;
  return true;
}

static bool take_vertex(void *user, const ms_census_vertex *vertex)
{
  (void)user, (void)vertex;
  return true;
}

static bool take_list(void *user, uint32_t i, const ms_query *query, const ms_list_result *result,
                      double seconds)
{
  (void)user, (void)i, (void)query, (void)result, (void)seconds;
  return true;
}

/* The number of items of an array is that of the array: no library can know it. */
#define FIXED_ms_graph_from_edges_n VERTICES
#define FIXED_ms_graph_from_edges_m 4
#define FIXED_ms_graph_from_edges_edges edges
#define FIXED_ms_graph_from_edges_names names
#define FIXED_ms_graph_from_arcs_n VERTICES
#define FIXED_ms_graph_from_arcs_m 4
#define FIXED_ms_graph_from_arcs_arcs edges
#define FIXED_ms_graph_from_arcs_names names
#define FIXED_ms_graph_set_scores_m VERTICES
#define FIXED_ms_graph_set_scores_edges ring
#define FIXED_ms_graph_set_scores_score ring_scores
#define FIXED_ms_vertex_scores_new_score component
#define FIXED_ms_samples_from_graphs_count 1
#define FIXED_ms_samples_from_graphs_sample &sample_of_twin
#define FIXED_ms_samples_from_vertices_count 1
#define FIXED_ms_samples_from_vertices_sample &sample_of_twin
#define FIXED_ms_samples_from_vertices_sample_of component
#define FIXED_ms_coloring_from_pairs_count 3
#define FIXED_ms_coloring_from_pairs_pairs pairs
#define FIXED_ms_coloring_from_pairs_n_colors 2
#define FIXED_ms_coloring_from_pairs_names colors
#define FIXED_ms_coloring_move_from order
#define FIXED_ms_typed_move_from order
#define FIXED_ms_typed_from_cut_cuts &cuts
#define FIXED_ms_pattern_from_edges_n 5
#define FIXED_ms_pattern_from_edges_m 4
#define FIXED_ms_pattern_from_edges_edges edges
#define FIXED_ms_pattern_from_edges_color NULL
#define FIXED_ms_substitutes_new_count 1
#define FIXED_ms_substitutes_new_wanted wanted_color
#define FIXED_ms_substitutes_new_instead other_color
#define FIXED_ms_substitutes_new_cost unit_cost
#define FIXED_ms_shape_describe_k 3
#define FIXED_ms_orbit_describe_k 3
#define FIXED_ms_shape_pattern_k 3
#define FIXED_ms_shape_describe_color NULL
#define FIXED_ms_shape_parse_directed (&(bool){false})
#define FIXED_ms_shape_pattern_names NULL
#define FIXED_ms_query_new_n_required 1
#define FIXED_ms_query_new_required names
#define FIXED_ms_session_query_n_required 1
#define FIXED_ms_session_query_required names
#define FIXED_ms_motif_set_new_count 2
#define FIXED_ms_motif_set_new_name motif_names
#define FIXED_ms_motif_set_new_text motif_texts
#define FIXED_ms_pattern_set_new_count 2
#define FIXED_ms_pattern_set_new_name pattern_names
#define FIXED_ms_pattern_set_new_text pattern_texts
#define FIXED_ms_pattern_counts_write_statistics NULL
#define FIXED_ms_pattern_counts_write_counts world[0].pattern_counts
#define FIXED_ms_pattern_counts_permute_counts world[0].pattern_counts
#define FIXED_ms_session_screen_receive take_screen
#define FIXED_ms_session_list_receive take_list
#define FIXED_ms_session_mine_receive take_mined
#define FIXED_ms_census_vertices_receive take_vertex
#define FIXED_ms_merge_parts part_files
#define FIXED_ms_merge_count 1
#define FIXED_ms_census_write_statistics_statistics NULL
#define FIXED_ms_list_chance_write_result &chance
#define FIXED_ms_compare_write_comparison world[0].comparison
#define FIXED_ms_sample_counts_write_comparison world[0].comparison
#define FIXED_ms_query_slots_set starts
#define FIXED_ms_nearest_slots_set starts
#define FIXED_ms_target_fits_list_target &target
#define FIXED_ms_target_fits_screen_target &target
#define FIXED_ms_typed_path_pairs_count 1
#define FIXED_ms_typed_path_pairs_pairs (const uint32_t(*)[2]) path_pair
#define FIXED_ms_typed_path_pairs_deliver take_path
#define FIXED_ms_typed_from_edges_source &source
#define FIXED_ms_verify_components_component component
#define FIXED_ms_verify_paths_count 1
#define FIXED_ms_verify_paths_pairs (const uint32_t(*)[2]) path_pair
#define FIXED_ms_verify_paths_length starts
#define FIXED_ms_verify_paths_offset no_offset
#define FIXED_ms_verify_paths_vertices starts
#define FIXED_ms_verify_mined_count 2
#define FIXED_ms_verify_mined_motif motif_texts
#define FIXED_ms_verify_mined_offset no_offset
#define FIXED_ms_verify_mined_vertex starts
#define FIXED_ms_graph_visit_count 2
#define FIXED_ms_graph_visit_starts starts
#define FIXED_ms_graph_visit_visitor &visitor
#define FIXED_ms_components_write_component component
#define FIXED_ms_typed_paths_to_file_pairs &path_pairs
#define FIXED_ms_list_estimate_matches &estimated
#define FIXED_ms_degrees_by_color_out &degree_share
#define FIXED_ms_clique_counts_write_counts &clique_counts
#define FIXED_ms_points_new_n VERTICES
#define FIXED_ms_points_new_dimensions 2
#define FIXED_ms_points_new_coordinates places
#define FIXED_ms_points_new_slides NULL
#define FIXED_ms_points_new_names names

/* They change what all calls do; test_base, test_reading and test_memory test them. */
#define SKIP_ms_set_allocator
#define SKIP_ms_set_block_size
#define SKIP_ms_limit_memory
#define SKIP_ms_stop_attach

/* It reads the file of the colours again, and these have none; tests/cli/census tests it. */
#define SKIP_ms_read_strata

#define GOOD_ms_graph_write_format MS_FORMAT_BINARY
#define HANDLE_ms_typed_flags_write_result typed_flags_result

#define CLEAR_ms_color_stats ms_color_stats_clear
#define CLEAR_ms_type_stats ms_type_stats_clear
#define CLEAR_ms_planted ms_planted_clear
#define CLEAR_ms_cuts ms_cuts_clear

/* Options without which a call has nothing to do. */
#define GIVEN_ms_generate(options)                                                                 \
  (options).given = MS_GEN_VERTICES | MS_GEN_DEGREE, (options).vertices = 10,                      \
  (options).degree = 3, (options).run.memory = 64 << 20
#define GIVEN_ms_generate_planted(options) (options).slots = 2
#define GIVEN_ms_cut_patterns(options) (options).vertices = 3
#define GIVEN_ms_samples_split(options)                                                            \
  (options).sample_column = "slide", (options).group_column = "part"

#define TEXT_ms_clique_counts_write_path "out"
#define TEXT_ms_color_format_find_name "tsv"
#define TEXT_ms_coloring_find_name "red"
#define TEXT_ms_columns_kind "census"
#define TEXT_ms_coloring_read_path "c.tsv"
#define TEXT_ms_components_write_path "out"
#define TEXT_ms_graph_find_name "v1"
#define TEXT_ms_graph_format_find_name "sif"
#define TEXT_ms_graph_read_aliases_path "labels.tsv"
#define TEXT_ms_graph_read_path "g.tsv"
#define TEXT_ms_graph_write_path "out"
#define TEXT_ms_labels_read_path "labels.tsv"
#define TEXT_ms_labels_read_typed_path "labels.tsv"
#define TEXT_ms_vertex_scores_read_path "scores.tsv"
#define TEXT_ms_points_read_path "points.tsv"
#define TEXT_ms_list_to_file_path "out"
#define TEXT_ms_list_write_path "out"
#define TEXT_ms_list_chance_write_strata NULL
#define TEXT_ms_list_chance_write_path "out"
#define TEXT_ms_motif_parse_text "red,blue"
#define TEXT_ms_nearest_write_path "out"
#define TEXT_ms_substitutes_read_path "subs.tsv"
#define TEXT_ms_motif_read_path "m.txt"
#define TEXT_ms_motif_read_vertices_path "vertices.txt"
#define TEXT_ms_motif_set_read_path "motifs.txt"
#define TEXT_ms_pattern_set_read_path "patterns.txt"
#define TEXT_ms_pattern_counts_write_path "out"
#define TEXT_ms_session_screen_to_files_table_path "out"
#define TEXT_ms_session_screen_to_files_rows_path "rows"
#define TEXT_ms_session_mine_to_file_path "out"
#define TEXT_ms_census_write_path "out"
#define TEXT_ms_orbits_write_path "out"
#define TEXT_ms_merge_path "out"
#define TEXT_ms_samples_read_path "sheet.tsv"
#define TEXT_ms_samples_split_path "split.tsv"
#define TEXT_ms_compare_write_path "out"
#define TEXT_ms_sample_counts_write_path "out"
#define TEXT_ms_census_vertices_to_file_path "out"
#define TEXT_ms_census_write_statistics_path "out"
#define TEXT_ms_shape_parse_graph6 "Bw"
#define TEXT_ms_session_list_to_files_table_path "out"
#define TEXT_ms_session_list_to_files_rows_path "rows"
#define TEXT_ms_path_pairs_read_path "pairs.tsv"
#define TEXT_ms_pattern_accept_color "red"
#define TEXT_ms_pattern_flags_write_path "out"
#define TEXT_ms_pattern_list_to_file_path "out"
#define TEXT_ms_pattern_named_name "triangle"
#define TEXT_ms_pattern_parse_text "(a)--(b)"
#define TEXT_ms_pattern_read_colors_path "pc.tsv"
#define TEXT_ms_pattern_read_path "p.tsv"
#define TEXT_ms_pattern_read_colors_path "pc.tsv"
#define TEXT_ms_pattern_write_path "out"
#define TEXT_ms_report_write_colors_path "c.tsv"
#define TEXT_ms_report_write_graph_path "g.tsv"
#define TEXT_ms_report_write_path "out"
#define TEXT_ms_report_write_result_path "list.tsv"
#define TEXT_ms_screen_write_path "out"
#define TEXT_ms_typed_find_arc_type_name "edge"
#define TEXT_ms_typed_find_name "v1"
#define TEXT_ms_typed_flags_write_path "out"
#define TEXT_ms_typed_match_to_file_path "out"
#define TEXT_ms_typed_paths_to_file_path "out"
#define TEXT_ms_typed_pattern_parse_text "(a)--(b)"
#define TEXT_ms_typed_pattern_read_path "typed.txt"
#define TEXT_ms_typed_read_path "t.tsv"
#define TEXT_ms_typed_result_write_path "out"
#define TEXT_ms_typed_write_path "out"
#define TEXT_ms_typed_write_binary_path "out"
#define TEXT_ms_verify_file_colors_path "c.tsv"
#define TEXT_ms_verify_file_graph_path "g.tsv"
#define TEXT_ms_verify_file_result_path "list.tsv"
#define TEXT_ms_pattern_read_colors_path "pc.tsv"

/* ---- one call ---------------------------------------------------------- */

/* A call in which argument number `wanted`, counted over all wrong values of all arguments, is
 * wrong.  -1: all are good. */
typedef struct attempt {
  const char *function;
  int wanted, next;
  const char *name; /* of the wrong argument */
  bool is_usage;    /* it is always wrong usage */
  bool failed;
  ms_status status; /* of the call, if it has one */
  ms_error err;
} attempt;

/* True if the wrong value `i` of `count` of this argument is wanted. */
static int choose(attempt *t, const char *name, int count)
{
  int i = t->wanted - t->next;
  t->next += count;
  if (i < 0 || i >= count)
    return -1;
  t->name = name;
  return i;
}

static int pick_enum(attempt *t, const char *name, int good, int last)
{
  const int values[] = {last + 1, 9999, -1, INT_MIN};
  int i = choose(t, name, 4);
  t->is_usage |= i >= 0;
  return i < 0 ? good : values[i];
}

/* The good value of an int is 1: of a number of threads, say. */
static int pick_int(attempt *t, const char *name)
{
  static const int values[] = {-1, INT_MIN, INT_MAX, 65537, 0};
  int i = choose(t, name, 5);
  t->is_usage |= i >= 0 && i < 4 && strcmp(name, "threads") == 0;
  return i < 0 ? 1 : values[i];
}

static uint32_t pick_u32(attempt *t, const char *name)
{
  static const uint32_t values[] = {0, VERTICES, 1000003, UINT32_C(1) << 31, UINT32_MAX};
  int i = choose(t, name, 5);
  return i < 0 ? 1 : values[i];
}

static uint64_t pick_u64(attempt *t, const char *name)
{
  static const uint64_t values[] = {0, VERTICES, UINT64_C(1) << 32, UINT64_C(1) << 63, UINT64_MAX};
  int i = choose(t, name, 5);
  return i < 0 ? 1 : values[i];
}

static double pick_real(attempt *t, const char *name)
{
  const double values[] = {NAN, INFINITY, -INFINITY, -1, 0, DBL_MAX, DBL_TRUE_MIN};
  int i = choose(t, name, 7);
  return i < 0 ? 1 : values[i];
}

static bool pick_bool(attempt *t, const char *name)
{
  return choose(t, name, 1) >= 0;
}

static const char *wrong_text(int i)
{
  static char longer[100001];
  static const char *const values[] = {"", "\xff\xc3(", "%s%n\n\t\"", "none/of/this"};
  memset(longer, 'x', sizeof longer - 1);
  return i < 4 ? values[i] : longer;
}

static const char *pick_text(attempt *t, const char *name, const char *good)
{
  int i = choose(t, name, 5);
  return i < 0 ? good : wrong_text(i);
}

static void *pick_handle(attempt *t, const char *name, const void *good, const void *twin,
                         const void *large, const void *larger)
{
  int i = choose(t, name, 3);
  return (void *)(i < 0 ? good : i == 0 ? twin : i == 1 ? large : larger);
}

/* ---- members of options ---------------------------------------------------------- */

typedef enum rule {
  RULE_SIZE,
  RULE_ENUM,
  RULE_INT,
  RULE_U32,
  RULE_U64,
  RULE_REAL,
  RULE_BOOL,
  RULE_TEXT,
  RULE_HANDLE,
  RULE_PART
} rule;

typedef struct member {
  const char *name;
  size_t at;
  rule rule;
  int last; /* value of an enum; of a handle: its place in a world */
  const struct member *part;
} member;

/* Stores a value in options if the attempt has chosen it. */
#define STORE(type, value)                                                                         \
  do {                                                                                             \
    type chosen = (value);                                                                         \
    if (t->wanted >= before && t->wanted < t->next)                                                \
      memcpy(options + m->at, &chosen, sizeof chosen);                                             \
  } while (0)

static void pick_one(attempt *t, char *options, const member *m);

static void pick_member(attempt *t, void *options, const member *members)
{
  for (const member *m = members; m->name; m++)
    pick_one(t, options, m);
}

static void pick_one(attempt *t, char *options, const member *m)
{
  static const size_t sizes[] = {0, 1, sizeof(size_t) - 1, 1 << 20, SIZE_MAX};
  int before = t->next, i;
  switch (m->rule) {
  case RULE_SIZE:
    i = choose(t, "size", 5);
    t->is_usage |= i >= 0;
    STORE(size_t, sizes[i < 0 ? 0 : i]);
    break;
  case RULE_ENUM:
    STORE(int, pick_enum(t, m->name, 0, m->last));
    break;
  case RULE_INT:
    STORE(int, pick_int(t, m->name));
    break;
  case RULE_U32:
    STORE(uint32_t, pick_u32(t, m->name));
    break;
  case RULE_U64:
    STORE(uint64_t, pick_u64(t, m->name));
    break;
  case RULE_REAL:
    STORE(double, pick_real(t, m->name));
    break;
  case RULE_BOOL:
    STORE(bool, pick_bool(t, m->name));
    break;
  case RULE_TEXT:
    STORE(const char *, pick_text(t, m->name, NULL));
    break;
  case RULE_HANDLE:
    i = choose(t, m->name, WORLDS);
    STORE(const void *, *(void **)((char *)&world[i < 0 ? 0 : i] + m->last));
    break;
  case RULE_PART:
    pick_member(t, options + m->at, m->part);
    break;
  }
}

/* ---- what must hold ---------------------------------------------------------- */

#define HOLDS(condition, text)                                                                     \
  ck_assert_msg(condition, "%s: argument `%s`, attempt %d: %s (status %d: %s)", t->function,       \
                t->name ? t->name : "none", t->wanted, text, (int)t->status, t->err.message)

/* Calls that have nothing to do here, so that good arguments are refused, too: there may be no GPU,
 * and the graph has neither aliases nor a motif. */
static bool may_fail(const char *function)
{
  static const char *const all[] = {"ms_device_describe", "ms_coloring_from_graph",
                                    "ms_labels_from_aliases", "ms_motif_from_graph"};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (strcmp(function, all[i]) == 0)
      return true;
  return false;
}

static void check_status(attempt *t, ms_status status)
{
  t->status = status;
  t->failed = status != MS_OK;
  HOLDS(!t->is_usage || status == MS_ERR_USAGE, "it must be wrong usage");
  HOLDS(!t->is_usage || strstr(t->err.message, t->name), "the message does not name it");
  HOLDS(!t->failed || (t->err.status == status && t->err.message[0]), "there is no message");
  HOLDS(status != MS_ERR_INTERNAL, "it is called a bug of the library");
  HOLDS(t->wanted >= 0 || !t->failed || may_fail(t->function), "good arguments must do");
}

static void check_out(attempt *t, const void *out)
{
  HOLDS(!t->failed || !out, "a failed call leaves an object");
}

#include "misuse_calls.h"

enum { FUNCTIONS = sizeof functions / sizeof *functions };

/* ---- the inputs ---------------------------------------------------------- */

static ms_error err;

static void make_files(void)
{
  ck_assert_int_eq(chdir(files_path(".")), 0);
  files_write_text("g.tsv", "v0\tv1\nv1\tv2\nv2\tv0\nv3\tv4\n");
  files_write_text("c.tsv", "v0\tred\nv1\tblue\nv2\tred\n");
  files_write_text("sheet.tsv", "sample\tgraph\tcolors\tgroup\ns\tg.tsv\tc.tsv\tx\n"
                                "t\tg.tsv\tc.tsv\ty\nu\tg.tsv\tc.tsv\ty\n");
  files_write_text("split.tsv", "who\tslide\tpart\nv0\ts\tx\nv1\ts\tx\nv2\ts\tx\nv3\tt\ty\n"
                                "v4\tt\ty\nv5\tt\ty\nv6\tu\ty\nv7\tu\ty\nv8\tu\ty\n");
  files_write_text("m.txt", "red\nblue\n");
  files_write_text("vertices.txt", "v1\nv2\n");
  files_write_text("motifs.txt", "a\tred\nb\t*:2\n");
  files_write_text("patterns.txt", "a\ttriangle\npath:2\n");
  files_write_text("p.tsv", "a\tb\n");
  files_write_text("pc.tsv", "a\tred\n");
  files_write_text("labels.tsv", "v0\tzero\nv1\tone\n");
  files_write_text("scores.tsv", "v0\t3\nv1\t5\n");
  files_write_text("points.tsv", "x\ty\ttype\n1\t2\tred\n3\t1\tblue\n");
  files_write_text("t.tsv", "source\ttype\ttarget\nv0\tr\tv1\nv1\tr\tv2\n");
  files_write_text("typed.txt", "(x)-[r]->(y)\n");
  files_write_text("pairs.tsv", "v0\tv2\n");
  files_write_text("subs.tsv", "red\tblue\t1\n");
  handles w;
  ck_ok(ms_graph_read("g.tsv", NULL, &w.graph, &err));
  ck_ok(ms_coloring_read("c.tsv", w.graph, NULL, &w.coloring, &err));
  ck_ok(ms_motif_parse("red,blue", w.coloring, &w.motif, &err));
  ck_ok(ms_query_new(w.graph, w.coloring, w.motif, 0, NULL, &w.query, &err));
  ck_ok(ms_list_to_file(w.query, NULL, NULL, "list.tsv", &w.list_result, &err));
  ms_list_result_free(w.list_result);
  const ms_division only = {.size = sizeof only, .part = 1, .parts = 1};
  ms_census_options census = MS_CENSUS_OPTIONS_DEFAULT;
  census.run.division = &only;
  ck_ok(ms_census(w.graph, w.coloring, &census, &w.census_result, &err));
  ck_ok(ms_census_write(w.graph, w.coloring, &census, w.census_result, NULL, "part.tsv", &err));
  ms_census_result_free(w.census_result);
  ms_query_free(w.query);
  ms_motif_free(w.motif);
  ms_coloring_free(w.coloring);
  ms_graph_free(w.graph);
}

/* Makes handles of `n` vertices that are joined in a ring with steps of `step`, and coloured in
 * turn. */
static void make_handles(handles *w, uint32_t n, uint32_t step, const char *motif)
{
  static const char *const more[] = {"red", "blue", "green"};
  enum { MOST = 40 };
  uint32_t step_of[MOST][2], color[MOST][2], colors_used = n > 3 * VERTICES ? 3 : 2;
  char text[MOST][16];
  const char *name[MOST];
  for (uint32_t v = 0; v < n; v++) {
    step_of[v][0] = v;
    step_of[v][1] = (v + step) % n;
    color[v][0] = v;
    color[v][1] = (v + step) % colors_used;
    snprintf(text[v], sizeof text[v], "v%u", v);
    name[v] = text[v];
  }
  ck_ok(ms_graph_from_edges(n, n, (const uint32_t(*)[2])step_of, name, &w->graph, &err));
  ck_ok(ms_coloring_from_pairs(w->graph, n, (const uint32_t(*)[2])color, colors_used, more,
                               &w->coloring, &err));
  ck_ok(ms_labels_read("labels.tsv", w->graph, &w->labels, &err));
  ck_ok(ms_vertex_scores_read("scores.tsv", w->graph, &w->vertex_scores, &err));
  ck_ok(ms_points_new(n < VERTICES ? n : VERTICES, 2, places, NULL, NULL, &w->points, &err));
  ck_ok(ms_motif_parse(motif, w->coloring, &w->motif, &err));
  ck_ok(ms_query_new(w->graph, w->coloring, w->motif, 0, NULL, &w->query, &err));
  ck_ok(ms_motif_set_new(w->coloring, 2, motif_names, motif_texts, &w->motif_set, &err));
  ck_ok(ms_session_new(w->graph, w->coloring, &w->session, &err));
  ck_ok(ms_screen(w->query, NULL, &w->screen_result, &err));
  ck_ok(ms_list(w->query, NULL, &w->list_result, &err));
  ck_ok(ms_substitutes_new(w->coloring, 1, wanted_color, other_color, unit_cost, &w->substitutes,
                           &err));
  ck_ok(ms_list_nearest(w->query, NULL, &w->nearest_result, &err));
  ck_ok(ms_census(w->graph, w->coloring, NULL, &w->census_result, &err));
  ck_ok(ms_orbits(w->graph, w->coloring, NULL, &w->orbits_result, &err));
  ms_sample_options parts = MS_SAMPLE_OPTIONS_DEFAULT;
  parts.sample_column = "slide";
  parts.group_column = "part";
  ck_ok(ms_samples_split(w->graph, w->coloring, "split.tsv", &parts, &w->samples, &err));
  ms_compare_options pairs_of = MS_COMPARE_OPTIONS_DEFAULT;
  pairs_of.k = 2;
  ck_ok(ms_compare(w->samples, &pairs_of, &w->comparison, &err));
  ck_ok(
      ms_pattern_parse(n > 3 * VERTICES ? "(a)--(b)--(c)" : "(a)--(b)", false, &w->pattern, &err));
  ck_ok(ms_pattern_index_new(w->graph, w->coloring, 1, &w->pattern_index, &err));
  ck_ok(ms_pattern_list(w->pattern_index, w->pattern, NULL, &w->pattern_result, &err));
  ck_ok(ms_pattern_set_new(w == &world[WORLDS - 1] ? 1 : 2, pattern_names, pattern_texts, false,
                           &w->pattern_set, &err));
  ck_ok(ms_pattern_counts_new(w->pattern_index, w->pattern_set, NULL, &w->pattern_counts, &err));
  ck_ok(ms_pattern_flags(w->pattern_index, w->pattern, NULL, &w->flags_result, &err));
  ck_ok(ms_typed_from_graph(w->graph, w->coloring, 1, &w->typed, &err));
  ck_ok(ms_typed_pattern_parse(n > 3 * VERTICES ? "(a)--(b)--(c)" : "(a)--(b)", &w->typed_pattern,
                               &err));
  ck_ok(ms_typed_query_new(w->typed, w->typed_pattern, &w->typed_query, &err));
  ck_ok(ms_typed_match(w->typed_query, NULL, &w->typed_result, &err));
  ck_ok(ms_typed_flags(w->typed_query, NULL, &w->typed_flags_result, &err));
  ck_ok(ms_typed_paths_new(w->typed, NULL, &w->typed_paths, &err));
  ck_ok(ms_stop_new(&w->stop, &err));
}

static void free_handles(handles *w)
{
  ms_stop_free(w->stop);
  ms_typed_paths_free(w->typed_paths);
  ms_flags_result_free(w->typed_flags_result);
  ms_typed_result_free(w->typed_result);
  ms_typed_query_free(w->typed_query);
  ms_typed_pattern_free(w->typed_pattern);
  ms_typed_free(w->typed);
  ms_flags_result_free(w->flags_result);
  ms_pattern_result_free(w->pattern_result);
  ms_pattern_counts_free(w->pattern_counts);
  ms_pattern_set_free(w->pattern_set);
  ms_pattern_index_free(w->pattern_index);
  ms_pattern_free(w->pattern);
  ms_nearest_result_free(w->nearest_result);
  ms_census_result_free(w->census_result);
  ms_orbits_result_free(w->orbits_result);
  ms_comparison_free(w->comparison);
  ms_samples_free(w->samples);
  ms_substitutes_free(w->substitutes);
  ms_list_result_free(w->list_result);
  ms_screen_result_free(w->screen_result);
  ms_query_free(w->query);
  ms_session_free(w->session);
  ms_motif_set_free(w->motif_set);
  ms_motif_free(w->motif);
  ms_vertex_scores_free(w->vertex_scores);
  ms_points_free(w->points);
  ms_labels_free(w->labels);
  ms_coloring_free(w->coloring);
  ms_graph_free(w->graph);
}

static void make_world(void)
{
  make_files();
  make_handles(&world[0], VERTICES, 1, "red,blue");
  make_handles(&world[1], VERTICES, 2, "red,blue");
  sample_of_twin.graph = world[1].graph;
  sample_of_twin.coloring = world[1].coloring;
  make_handles(&world[2], 3 * VERTICES, 1, "red,blue");
  make_handles(&world[3], 4 * VERTICES, 1, "red,blue,green");
}

static void free_world(void)
{
  for (int i = 0; i < WORLDS; i++)
    free_handles(&world[i]);
}

/* ---- memory ---------------------------------------------------------- */

/* No call gets a block of more than 64 MiB, so that none with extreme numbers takes the machine. */
static void *alloc_block(void *user, size_t bytes, size_t align)
{
  (void)user;
  size_t rounded = (bytes + align - 1) / align * align;
  return bytes > (64u << 20) ? NULL : aligned_alloc(align < 16 ? 16 : align, rounded);
}

static void *resize_block(void *user, void *block, size_t old_bytes, size_t bytes)
{
  (void)user, (void)old_bytes;
  return bytes > (64u << 20) ? NULL : realloc(block, bytes);
}

static void release_block(void *user, void *block)
{
  (void)user;
  free(block);
}

/* ---- the test ---------------------------------------------------------- */

START_TEST(every_argument)
{
  static const ms_allocator allocator = {alloc_block, resize_block, release_block, NULL};
  ck_assert_int_gt(FUNCTIONS, 100); /* the generator finds them all */
  ms_set_allocator(&allocator);
  make_world();
  for (int wanted = -1;; wanted++) {
    attempt t = {.function = functions[_i].name, .wanted = wanted};
    functions[_i].attempt(&t);
    if (wanted >= t.next)
      break;
  }
  free_world();
}
END_TEST

TEST_MAIN("misuse of every function", TEST_TIMES(every_argument, FUNCTIONS))
