/* Files that a program writes with the library: for every kind of result and every form they are
 * the bytes that the tool writes for the same query, and ms_verify_file accepts the tables. */
#include "motifsieve.h"
#include "tests/support/files.h"
#include "tests/support/random.h"
#include "tests/support/test_main.h"
#include "tests/support/tool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VERTICES = 40, EDGES = 120, COLORS = 4 };

static ms_error err;
static char graph_path[4096], color_path[4096], label_path[4096], typed_path[4096], pair_path[4096];

/* ---- inputs ------------------------------------------------------------------------ */

static struct {
  ms_graph *graph;
  ms_coloring *coloring;
  ms_labels *labels, *typed_labels;
  ms_motif *motif;
  ms_query *query;
  ms_pattern *pattern;
  ms_pattern_index *index;
  ms_typed *typed, *was_plain;
  ms_typed_pattern *typed_pattern, *untyped_pattern;
  ms_typed_query *typed_query, *plain_query;
} in;

#define MOTIF "c0,c1,*"
#define TYPED "(a:k0)-[r0]->(b)-[r1]-(c)"
/* types of vertices make this pattern a typed one in a plain graph */
#define UNTYPED "(a:c0)--(b:untyped)"

static FILE *create(char *path, const char *name)
{
  strcpy(path, files_path(name));
  FILE *file = fopen(path, "w");
  ck_assert_ptr_nonnull(file);
  return file;
}

static void write_inputs(void)
{
  uint64_t state = 7;
  FILE *graph = create(graph_path, "g.tsv"), *colors = create(color_path, "c.tsv");
  FILE *labels = create(label_path, "l.tsv"), *typed = create(typed_path, "t.tsv");
  FILE *pairs = create(pair_path, "p.tsv");
  fputs("source\ttype\ttarget\tsource_type\ttarget_type\n", typed);
  for (int e = 0; e < EDGES; e++) {
    unsigned u = (unsigned)(random_next(&state) % VERTICES);
    unsigned v = (unsigned)(random_next(&state) % VERTICES);
    fprintf(graph, "v%u\tv%u\n", u, v);
    fprintf(typed, "v%u\tr%u\tv%u\tk%u\tk%u\n", u, (unsigned)(random_next(&state) % 2), v, u % 2,
            v % 2);
    fprintf(pairs, "v%u\tv%u\n", u, (unsigned)(random_next(&state) % VERTICES));
  }
  fputs("w1\tw2\n", graph); /* a second component */
  for (unsigned v = 0; v < VERTICES; v++) {
    if (random_next(&state) % 4)
      fprintf(colors, "v%u\tc%u\n", v, (unsigned)(random_next(&state) % COLORS));
    fprintf(labels, "v%u\tL%u, \"%u\"\n", v, v, v);
  }
  fprintf(colors, "w1\tc0\n");
  ck_assert(!fclose(graph) && !fclose(colors) && !fclose(labels) && !fclose(typed) &&
            !fclose(pairs));
}

static void open_inputs(void)
{
  write_inputs();
  ck_ok(ms_graph_read(graph_path, NULL, &in.graph, &err));
  ck_ok(ms_coloring_read(color_path, in.graph, NULL, &in.coloring, &err));
  ck_ok(ms_labels_read(label_path, in.graph, &in.labels, &err));
  ck_ok(ms_motif_parse(MOTIF, in.coloring, &in.motif, &err));
  ck_ok(ms_query_new(in.graph, in.coloring, in.motif, 0, NULL, &in.query, &err));
  ck_ok(ms_pattern_named("path:3", &in.pattern, &err));
  ck_ok(ms_pattern_index_new(in.graph, in.coloring, 1, &in.index, &err));
  ck_ok(ms_typed_read(typed_path, NULL, &in.typed, &err));
  ck_ok(ms_labels_read_typed(label_path, in.typed, &in.typed_labels, &err));
  ck_ok(ms_typed_pattern_parse(TYPED, &in.typed_pattern, &err));
  ck_ok(ms_typed_query_new(in.typed, in.typed_pattern, &in.typed_query, &err));
  ck_ok(ms_typed_from_graph(in.graph, in.coloring, 1, &in.was_plain, &err));
  ck_ok(ms_typed_pattern_parse(UNTYPED, &in.untyped_pattern, &err));
  ck_ok(ms_typed_query_new(in.was_plain, in.untyped_pattern, &in.plain_query, &err));
}

static void close_inputs(void)
{
  ms_typed_query_free(in.plain_query);
  ms_typed_pattern_free(in.untyped_pattern);
  ms_typed_free(in.was_plain);
  ms_typed_query_free(in.typed_query);
  ms_typed_pattern_free(in.typed_pattern);
  ms_labels_free(in.typed_labels);
  ms_typed_free(in.typed);
  ms_pattern_index_free(in.index);
  ms_pattern_free(in.pattern);
  ms_query_free(in.query);
  ms_motif_free(in.motif);
  ms_labels_free(in.labels);
  ms_coloring_free(in.coloring);
  ms_graph_free(in.graph);
}

/* ---- comparing --------------------------------------------------------------------- */

static const struct {
  ms_form form;
  const char *option;
} forms[] = {{MS_FORM_TSV, ""},
             {MS_FORM_JSON, "--json"},
             {MS_FORM_BINARY, "--binary"},
             {MS_FORM_CX2, "--cx2"},
             {MS_FORM_DOT, "--dot"}};

/* Runs the tool on GRAPH with these arguments, and compares its file with "own". */
static void same_as_tool(const char *command, const char *graph, const char *arguments,
                         const char *form)
{
  char all[6000];
  size_t size, wanted_size;
  snprintf(all, sizeof all, "%s '%s' %s %s -q -o '%s'", command, graph, arguments, form,
           files_path("tool"));
  int code = tool_run(all);
  char *said = tool_slurp("err", NULL);
  ck_assert_msg(code == 0, "exit status %d of %s: %s", code, all, said);
  char *got = tool_slurp("own", &size), *wanted = tool_slurp("tool", &wanted_size);
  ck_assert_msg(size == wanted_size && memcmp(got, wanted, size) == 0,
                "%s\n---- the library wrote:\n%.2000s\n---- the tool wrote:\n%.2000s", all, got,
                wanted);
  free(said);
  free(got);
  free(wanted);
}

/* The file "own" is accepted; `graph` and `pattern` as for ms_verify_file. */
static void is_accepted(const char *graph, const char *colors, const char *pattern,
                        const char *labels)
{
  ms_verify_options options = MS_VERIFY_OPTIONS_DEFAULT;
  ms_verify_report report;
  options.pattern = pattern;
  options.labels = labels;
  ck_ok(ms_verify_file(files_path("own"), graph, colors, &options, &report, &err));
  ck_assert_msg(report.accepted, "%s", report.problem);
  ck_assert(report.rows > 0 && report.missing == 0);
}

static bool is_table(ms_form form)
{
  return form != MS_FORM_CX2 && form != MS_FORM_DOT;
}

/* ---- motifs ------------------------------------------------------------------------ */

/* A screen in four forms, with all rows, all colours and labels: 8 files.  The binary form is
 * refused. */
START_TEST(screens)
{
  ms_screen_result *screen;
  char arguments[5000];
  ck_ok(ms_screen(in.query, NULL, &screen, &err));
  for (size_t f = 0; f < sizeof forms / sizeof *forms; f++)
    for (int more = 0; more < 2; more++) {
      ms_write_options o = MS_WRITE_OPTIONS_DEFAULT;
      o.form = forms[f].form;
      o.all = o.all_colors = more && is_table(o.form);
      o.labels = more ? in.labels : NULL;
      ms_status status = ms_screen_write(in.query, NULL, screen, &o, files_path("own"), &err);
      if (o.form == MS_FORM_BINARY) {
        ck_assert_int_eq(status, MS_ERR_USAGE);
        continue;
      }
      ck_ok(status);
      snprintf(arguments, sizeof arguments, "-c '%s' -m '" MOTIF "' %s", color_path,
               o.all ? "--all --all-colors" : "");
      if (more)
        snprintf(arguments + strlen(arguments), 4200, " --labels '%s'", label_path);
      same_as_tool("screen --screen always", graph_path, arguments, forms[f].option);
      if (is_table(o.form))
        is_accepted(graph_path, color_path, NULL, more ? label_path : NULL);
    }
  ms_screen_result_free(screen);
}
END_TEST

/* Pictures need positions, and other forms refuse them; the positions of no vertex are refused. */
START_TEST(positions)
{
  const double at[2][2] = {{0, 0}, {1, 2}};
  const char *names[] = {ms_graph_name(in.graph, 0), "no vertex"};
  ms_screen_result *screen;
  ms_points *points, *others;
  ck_ok(ms_screen(in.query, NULL, &screen, &err));
  ck_ok(ms_points_new(2, 2, at[0], NULL, names, &points, &err));
  ck_ok(ms_points_new(1, 2, at[0], NULL, names + 1, &others, &err));
  ms_write_options o = MS_WRITE_OPTIONS_DEFAULT;
  o.form = MS_FORM_SVG;
  ck_assert_int_eq(ms_screen_write(in.query, NULL, screen, &o, files_path("own"), &err),
                   MS_ERR_USAGE);
  ck_assert_ptr_nonnull(strstr(err.message, "`positions`"));
  o.positions = others;
  ck_assert_int_eq(ms_screen_write(in.query, NULL, screen, &o, files_path("own"), &err),
                   MS_ERR_INPUT);
  o.positions = points;
  ck_ok(ms_screen_write(in.query, NULL, screen, &o, files_path("own"), &err));
  o.form = MS_FORM_DOT;
  ck_assert_int_eq(ms_screen_write(in.query, NULL, screen, &o, files_path("own"), &err),
                   MS_ERR_USAGE);
  ms_points_free(points);
  ms_points_free(others);
  ms_screen_result_free(screen);
}
END_TEST

/* How a list is made: the tool's options and the library's. */
static const struct list_case {
  const char *arguments;
  bool exact, count, roles, long_rows, labels;
  uint64_t limit, memory;
} list_cases[] = {{.arguments = ""},
                  {.arguments = "--exact", .exact = true},
                  {.arguments = "--exact --roles", .exact = true, .roles = true, .labels = true},
                  {.arguments = "--long", .long_rows = true, .labels = true},
                  {.arguments = "--exact --count", .exact = true, .count = true},
                  {.arguments = "--exact --memory 1", .exact = true, .memory = 1},
                  {.arguments = "-t 1 --limit 3", .limit = 3}};

static void list_both_ways(const struct list_case *c, ms_form form, const char *option)
{
  char arguments[9000];
  ms_list_result *list;
  ms_list_options run = MS_LIST_OPTIONS_DEFAULT;
  ms_write_options o = MS_WRITE_OPTIONS_DEFAULT;
  o.form = form;
  o.roles = c->roles && is_table(form);
  o.long_rows = c->long_rows;
  o.labels = c->labels ? in.labels : NULL;
  run.exact = c->exact;
  run.count_only = c->count;
  run.limit = c->limit;
  run.screen.run.memory = c->memory;
  run.screen.run.threads = c->limit ? 1 : 0;
  snprintf(arguments, sizeof arguments, "-c '%s' -m '" MOTIF "' %s", color_path, c->arguments);
  if (c->labels)
    snprintf(arguments + strlen(arguments), 4200, " --labels '%s'", label_path);
  ms_status status = ms_list_to_file(in.query, &run, &o, files_path("own"), &list, &err);
  if (form == MS_FORM_BINARY || (c->long_rows && form != MS_FORM_TSV) ||
      (c->count && !is_table(form))) {
    ck_assert_int_eq(status, MS_ERR_USAGE);
    ck_assert_ptr_null(list);
    return;
  }
  ck_ok(status);
  ck_assert_uint_gt(list->matches, 0);
  same_as_tool(c->exact ? "list" : "list --screen always", graph_path, arguments, option);
  if (is_table(form) && !c->count)
    is_accepted(graph_path, color_path, NULL, c->labels ? label_path : NULL);
  bool streamed = list->streamed;
  ms_list_result_free(list);
  if (streamed) /* in the order of the search: a stored list has another order */
    return;
  ck_ok(ms_list(in.query, &run, &list, &err));
  ck_ok(ms_list_write(in.query, &run, list, &o, files_path("own"), &err));
  same_as_tool(c->exact ? "list" : "list --screen always", graph_path, arguments, option);
  ms_list_result_free(list);
}

/* Lists of a motif, streamed to a file and stored, in seven ways and five forms. */
START_TEST(lists)
{
  for (size_t c = 0; c < sizeof list_cases / sizeof *list_cases; c++)
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++)
      if (!(list_cases[c].memory && !is_table(forms[f].form)) &&
          !(list_cases[c].roles && !is_table(forms[f].form)))
        list_both_ways(&list_cases[c], forms[f].form, forms[f].option);
}
END_TEST

/* ---- patterns ---------------------------------------------------------------------- */

static const struct pattern_case {
  const char *arguments;
  bool induced, embeddings, count, inexact;
} pattern_cases[] = {{.arguments = ""},
                     {.arguments = "--induced", .induced = true},
                     {.arguments = "--embeddings", .embeddings = true},
                     {.arguments = "--count", .count = true},
                     {.arguments = "--inexact", .inexact = true}};
#define PATTERN_CASES (sizeof pattern_cases / sizeof *pattern_cases)

static void match_both_ways(const struct pattern_case *c, ms_form form, const char *option)
{
  char arguments[5000];
  ms_pattern_result *result;
  ms_pattern_options run = MS_PATTERN_OPTIONS_DEFAULT;
  ms_write_options o = MS_WRITE_OPTIONS_DEFAULT;
  o.form = form;
  run.induced = c->induced;
  run.embeddings = c->embeddings;
  run.count_only = c->count;
  snprintf(arguments, sizeof arguments, "path:3 -c '%s' %s", color_path, c->arguments);
  ms_status status =
      ms_pattern_list_to_file(in.index, in.pattern, &run, &o, files_path("own"), &result, &err);
  if (c->count && form != MS_FORM_TSV && form != MS_FORM_JSON) {
    ck_assert_int_eq(status, MS_ERR_USAGE);
    return;
  }
  ck_ok(status);
  ms_pattern_result_free(result);
  same_as_tool("match", graph_path, arguments, option);
  if (is_table(form) && !c->count)
    is_accepted(graph_path, color_path, "path:3", NULL);
  ck_ok(ms_pattern_list(in.index, in.pattern, &run, &result, &err));
  ck_ok(ms_pattern_write(in.index, in.pattern, &run, result, &o, files_path("own"), &err));
  same_as_tool("match", graph_path, arguments, option);
  ms_pattern_result_free(result);
}

/* Matches of a plain pattern, streamed to a file and stored, in four ways and five forms. */
START_TEST(plain_matches)
{
  for (size_t c = 0; c < PATTERN_CASES; c++)
    for (size_t f = 0; f < sizeof forms / sizeof *forms && !pattern_cases[c].inexact; f++)
      match_both_ways(&pattern_cases[c], forms[f].form, forms[f].option);
}
END_TEST

static void match_typed(const ms_typed_query *query, const struct pattern_case *c,
                        const ms_write_options *o, const char *option, const char *graph,
                        const char *pattern, const char *colors)
{
  char arguments[5000];
  ms_typed_result *result;
  ms_typed_match_options run = MS_TYPED_MATCH_OPTIONS_DEFAULT;
  run.induced = c->induced;
  run.embeddings = c->embeddings;
  run.count_only = c->count;
  snprintf(arguments, sizeof arguments, "'%s' %s", pattern, c->arguments);
  if (colors)
    snprintf(arguments + strlen(arguments), 4200, " -c '%s'", colors);
  ck_ok(c->inexact ? ms_typed_match_inexact(query, &run, &result, &err)
                   : ms_typed_match(query, &run, &result, &err));
  ck_assert_uint_gt(result->matches, 0);
  ms_status status = ms_typed_result_write(query, &run, result, o, files_path("own"), &err);
  ms_typed_result_free(result);
  if ((c->count && o->form != MS_FORM_TSV && o->form != MS_FORM_JSON) ||
      (c->inexact && o->form == MS_FORM_BINARY)) {
    ck_assert_int_eq(status, MS_ERR_USAGE);
    return;
  }
  ck_ok(status);
  same_as_tool("match", graph, arguments, option);
  if (c->inexact)
    return;
  ck_ok(ms_typed_match_to_file(query, &run, o, files_path("own"), &result, &err));
  ms_typed_result_free(result);
  same_as_tool("match", graph, arguments, option);
  if (is_table(o->form) && !c->count)
    is_accepted(graph, colors, pattern, NULL);
}

/* Matches of a typed pattern, exact, counted and inexact, stored and streamed, in five ways and
 * five forms; and the same in a typed graph that was made from a plain one. */
START_TEST(typed_matches)
{
  for (size_t c = 0; c < PATTERN_CASES; c++)
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
      ms_write_options o = MS_WRITE_OPTIONS_DEFAULT;
      o.form = forms[f].form;
      match_typed(in.typed_query, &pattern_cases[c], &o, forms[f].option, typed_path, TYPED, NULL);
      o.plain = in.graph;
      o.coloring = in.coloring;
      match_typed(in.plain_query, &pattern_cases[c], &o, forms[f].option, graph_path, UNTYPED,
                  color_path);
    }
}
END_TEST

/* A typed graph that was made from a plain one cannot be described without that one, and one of
 * another size is not that one: 4 calls. */
START_TEST(the_plain_graph_is_needed)
{
  ms_typed_result *result;
  ms_graph *other;
  ms_write_options o = MS_WRITE_OPTIONS_DEFAULT;
  const char *path = files_path("never");
  ck_ok(ms_typed_match(in.plain_query, NULL, &result, &err));
  ck_assert_int_eq(ms_typed_result_write(in.plain_query, NULL, result, NULL, path, &err),
                   MS_ERR_USAGE);
  ck_assert_ptr_nonnull(strstr(err.message, "made from a plain one"));
  ck_ok(ms_graph_from_edges(2, 0, NULL, NULL, &other, &err));
  o.plain = other;
  ck_assert_int_eq(ms_typed_result_write(in.plain_query, NULL, result, &o, path, &err),
                   MS_ERR_USAGE);
  ms_typed_result_free(result);
  ck_assert_int_eq(ms_typed_match_to_file(in.plain_query, NULL, NULL, path, &result, &err),
                   MS_ERR_USAGE);
  ck_assert_ptr_null(result);
  ck_assert_int_eq(ms_typed_match_to_file(in.plain_query, NULL, &o, path, &result, &err),
                   MS_ERR_USAGE);
  ms_graph_free(other);
  FILE *file = fopen(path, "r");
  ck_assert_ptr_null(file);
}
END_TEST

/* ---- components and paths ---------------------------------------------------------- */

/* Components in two forms: all, the largest, those of a size, their sizes, their number.  Numbers
 * that ms_graph_components would not give are refused. */
START_TEST(components)
{
  static const struct {
    const char *arguments;
    ms_component_options which;
  } cases[] = {{"", {.min_size = 0}},
               {"--largest", {.largest = true}},
               {"--min-size 3", {.min_size = 3}},
               {"--sizes", {.sizes = true}},
               {"--count", {.count_only = true}}};
  uint32_t n = ms_graph_vertex_count(in.graph), count, *component = malloc(n * sizeof *component);
  ck_assert_ptr_nonnull(component);
  ck_ok(ms_graph_components(in.graph, MS_COMPONENTS_AFFOREST, 1, component, &count, &err));
  ck_assert_uint_gt(count, 1);
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
      ms_component_options which = cases[c].which;
      ms_write_options o = MS_WRITE_OPTIONS_DEFAULT;
      which.size = sizeof which;
      o.form = forms[f].form;
      ms_status status =
          ms_components_write(in.graph, component, count, &which, &o, files_path("own"), &err);
      if (f > MS_FORM_JSON) {
        ck_assert_int_eq(status, MS_ERR_USAGE);
        continue;
      }
      ck_ok(status);
      same_as_tool("components", graph_path, cases[c].arguments, forms[f].option);
    }
  for (uint32_t v = 0; v < n; v += 7) {
    uint32_t kept = component[v];
    component[v] = count;
    ck_assert_int_eq(
        ms_components_write(in.graph, component, count, NULL, NULL, files_path("own"), &err),
        MS_ERR_USAGE);
    component[v] = kept;
  }
  free(component);
}
END_TEST

/* Paths between 120 pairs in two forms: all, lengths alone, along one type, both ways. */
START_TEST(paths)
{
  uint32_t type = ms_typed_find_arc_type(in.typed, "r0");
  const struct {
    const char *arguments;
    bool lengths, both_ways;
    uint32_t n_types;
  } cases[] = {{"", false, false, 0},
               {"--lengths", true, false, 0},
               {"--types r0", false, false, 1},
               {"--types r0 --both-ways", false, true, 1}};
  char arguments[5000];
  ms_path_pairs *pairs;
  ck_ok(ms_path_pairs_read(pair_path, in.typed, &pairs, &err));
  ck_assert_uint_eq(pairs->count, EDGES);
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
    for (size_t f = 0; f <= MS_FORM_JSON; f++) {
      ms_path_options run = MS_PATH_OPTIONS_DEFAULT;
      ms_write_options o = MS_WRITE_OPTIONS_DEFAULT;
      ms_path_summary summary;
      o.form = forms[f].form;
      o.lengths = cases[c].lengths;
      run.types = cases[c].n_types ? &type : NULL;
      run.n_types = cases[c].n_types;
      run.both_ways = cases[c].both_ways;
      ck_ok(ms_typed_paths_to_file(in.typed, &run, pairs, &o, files_path("own"), &summary, &err));
      ck_assert_uint_eq(summary.pairs, EDGES);
      snprintf(arguments, sizeof arguments, "--pairs '%s' %s", pair_path, cases[c].arguments);
      same_as_tool("path", typed_path, arguments, forms[f].option);
    }
  ms_path_pairs_free(pairs);
}
END_TEST

/* ---- options and work -------------------------------------------------------------- */

static bool take_rows(void *user, const uint32_t *rows, uint64_t count)
{
  (void)user, (void)rows, (void)count;
  return true;
}

/* Functions that write while they search refuse a receiver of rows, and options that a result does
 * not have are refused: 8 calls, each of which leaves no file. */
START_TEST(what_cannot_be_honoured_is_refused)
{
  const char *path = files_path("never");
  ms_list_options list = MS_LIST_OPTIONS_DEFAULT;
  ms_pattern_options match = MS_PATTERN_OPTIONS_DEFAULT;
  ms_typed_match_options typed = MS_TYPED_MATCH_OPTIONS_DEFAULT;
  ms_list_result *l;
  ms_pattern_result *p;
  ms_typed_result *t;
  list.rows = match.rows = typed.rows = take_rows;
  ck_assert_int_eq(ms_list_to_file(in.query, &list, NULL, path, &l, &err), MS_ERR_USAGE);
  ck_assert_int_eq(ms_pattern_list_to_file(in.index, in.pattern, &match, NULL, path, &p, &err),
                   MS_ERR_USAGE);
  ck_assert_int_eq(ms_typed_match_to_file(in.typed_query, &typed, NULL, path, &t, &err),
                   MS_ERR_USAGE);
  ms_write_options o = MS_WRITE_OPTIONS_DEFAULT;
  o.roles = true;
  ck_assert_int_eq(ms_pattern_list_to_file(in.index, in.pattern, NULL, &o, path, &p, &err),
                   MS_ERR_USAGE);
  ck_assert_int_eq(ms_typed_match_to_file(in.typed_query, NULL, &o, path, &t, &err), MS_ERR_USAGE);
  o = (ms_write_options)MS_WRITE_OPTIONS_DEFAULT;
  o.lengths = true;
  ck_assert_int_eq(ms_list_to_file(in.query, NULL, &o, path, &l, &err), MS_ERR_USAGE);
  o = (ms_write_options)MS_WRITE_OPTIONS_DEFAULT;
  o.labels = in.typed_labels;
  o.form = MS_FORM_BINARY;
  ck_assert_int_eq(ms_typed_match_to_file(in.typed_query, NULL, &o, path, &t, &err), MS_ERR_USAGE);
  o.form = (ms_form)9;
  ck_assert_int_eq(ms_list_to_file(in.query, NULL, &o, path, &l, &err), MS_ERR_USAGE);
  FILE *file = fopen(path, "r");
  ck_assert_ptr_null(file);
}
END_TEST

/* The work of a listing of path:3 is the same with 1, 2 and 7 threads, and what a naive search of
 * three levels visits at most: n vertices, their arcs, and the arcs of both. */
START_TEST(work_does_not_depend_on_threads)
{
  ms_work first = {0};
  uint64_t arcs = 0, pairs = 0;
  uint32_t n = ms_graph_vertex_count(in.graph);
  for (uint32_t v = 0; v < n; v++) {
    uint32_t degree;
    ms_graph_neighbors(in.graph, v, &degree);
    arcs += degree;
    pairs += (uint64_t)degree * degree;
  }
  for (int threads = 1; threads <= 7; threads += 1 + 4 * (threads > 1)) {
    ms_pattern_options run = MS_PATTERN_OPTIONS_DEFAULT;
    ms_pattern_result *result;
    run.screen.run.threads = threads;
    run.screen_mode = MS_SCREEN_NEVER;
    ck_ok(ms_pattern_list(in.index, in.pattern, &run, &result, &err));
    ck_assert_uint_ge(result->run.work.visits, result->matches);
    ck_assert_uint_le(result->run.work.visits, n + arcs + pairs);
    if (threads == 1)
      first = result->run.work;
    ck_assert_mem_eq(&first, &result->run.work, sizeof first);
    ms_pattern_result_free(result);
  }
}
END_TEST

TEST_MAIN("writers", TIME_LIMIT(200), AROUND_EACH(open_inputs, close_inputs), TEST(screens),
          TEST(positions), TEST(lists), TEST(plain_matches), TEST(typed_matches),
          TEST(the_plain_graph_is_needed), TEST(components), TEST(paths),
          TEST(what_cannot_be_honoured_is_refused), TEST(work_does_not_depend_on_threads))
