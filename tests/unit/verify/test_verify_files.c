/* ms_verify_file: right result files are accepted, and each way of ours to make one wrong is
 * refused for its reason. */
#include "base/alloc.h"
#include "tests/support/allocations.h"
#include "tests/support/files.h"
#include "tests/support/results/compose.h"
#include "tests/support/search/oracle.h"
#include "tests/support/test_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const file_layout screened = {.repetitions = 3, .drop_match = -1};

static char graph_path[1024], colors_path[1024], other_path[1024], result_path[1024];

static void write_file(const char *path, const char *text)
{
  FILE *file = fopen(path, "w");
  ck_assert_ptr_nonnull(file);
  ck_assert_int_ge(fputs(text, file), 0);
  ck_assert_int_eq(fclose(file), 0);
}

static const char graph_text[] = "a\tb\nb\tc\nc\td\nd\te\ne\tf\nf\ta\nb\te\nx,1\ta\nx,1\tc\n"
                                 "p\"q\td\nsolo\tlone\n";
static const char colors_text[] = "a\tred\nb\tblue\nc\tred\nd\tgreen\ne\tblue\nf\tgreen\nf\tred\n"
                                  "x,1\tgreen\np\"q\tyellow\nsolo\tyellow\n";

static void read_inputs(compose_inputs *in, const char *motif, const char *required)
{
  compose_read(in, graph_path, colors_path, motif, required);
}

static ms_verify_report verify_text(const char *text, const ms_verify_options *options)
{
  ms_verify_report report;
  ms_error err = {0};
  ms_verify_options defaults = MS_VERIFY_OPTIONS_DEFAULT;
  defaults.colors.ignore_unknown = true; /* random graphs may lack most vertices */
  write_file(result_path, text);
  ms_status status = ms_verify_file(result_path, graph_path, colors_path,
                                    options ? options : &defaults, &report, &err);
  ck_assert_msg(status == MS_OK, "%s", err.message);
  return report;
}

static void accept(const char *text)
{
  ms_verify_report report = verify_text(text, NULL);
  ck_assert_msg(report.accepted, "%s\n%s", report.problem, text);
  ck_assert(report.recounted);
  ck_assert_uint_eq(report.missing, 0);
}

/* Refused, with `problem` somewhere in the reason. */
static void refuse(const char *text, const char *problem)
{
  ms_verify_report report = verify_text(text, NULL);
  ck_assert_msg(!report.accepted, "accepted, should be refused for '%s':\n%s", problem, text);
  ck_assert_msg(strstr(report.problem, problem) != NULL, "refused for '%s', not '%s'",
                report.problem, problem);
}

/* A copy of text with the first `from` replaced by `to`. */
static char *edit(const char *text, const char *from, const char *to)
{
  char *out = NULL;
  const char *at = strstr(text, from);
  ck_assert_msg(at != NULL, "'%s' is not in\n%s", from, text);
  int length = asprintf(&out, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
  ck_assert_int_ge(length, 0);
  return out;
}

/* The text with its last line renewed for `rows` rows. */
static char *reseal(const char *text, uint64_t rows)
{
  char *body = strdup(text);
  body[strlen(body) - 1] = '\0';
  strrchr(body, '\n')[1] = '\0';
  char *sealed = compose_seal(body, rows, body[0] == '{');
  free(body);
  return sealed;
}

typedef struct forgery {
  const char *from, *to, *problem;
  int rows; /* change of the number of rows */
} forgery;

/* Each edit, with a fresh CRC, is refused for its reason; and without one for
 * the CRC. */
static void refuse_edits(const char *text, uint64_t rows, const forgery *edits, size_t count)
{
  for (size_t i = 0; i < count; i++) {
    char *edited = edit(text, edits[i].from, edits[i].to);
    char *sealed = reseal(edited, (uint64_t)((int64_t)rows + edits[i].rows));
    refuse(edited, "CRC-32C");
    refuse(sealed, edits[i].problem);
    free(sealed);
    free(edited);
  }
}

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void set_up(void)
{
  strcpy(graph_path, files_path("graph.tsv"));
  strcpy(colors_path, files_path("colors.tsv"));
  strcpy(other_path, files_path("other.tsv"));
  strcpy(result_path, files_path("result"));
  write_file(graph_path, graph_text);
  write_file(colors_path, colors_text);
}

/* Lists and screens in TSV and JSON are accepted, exact and screened, with all rows and only
 * flagged ones: three queries. */
START_TEST(test_right_files_are_accepted)
{
  static const char *const required[] = {NULL, "x,1", "p\"q"};
  for (size_t r = 0; r < COUNT(required); r++) {
    compose_inputs in;
    read_inputs(&in, r == 2 ? "yellow,green,*:2" : "blue,green,red", required[r]);
    for (file_kind kind = 0; kind < KINDS; kind++) {
      for (int variant = 0; variant < 2; variant++) {
        uint64_t found;
        file_layout layout = screened;
        layout.kind = kind;
        layout.exact = variant && kind < SCREEN_TSV;
        layout.all_rows = variant && kind >= SCREEN_TSV;
        char *text = compose_file(&in, &layout, &found);
        ck_assert_uint_gt(found, 0);
        accept(text);
        ms_verify_report report = verify_text(text, NULL);
        ck_assert_int_eq(report.is_screen, kind >= SCREEN_TSV);
        ck_assert_int_eq(report.probabilistic, !layout.exact);
        ck_assert_uint_eq(report.rows, layout.all_rows ? ms_graph_vertex_count(in.graph) : found);
        free(text);
      }
    }
    compose_free(&in);
  }
}
END_TEST

/* Results without a match are accepted in each of the four encodings. */
START_TEST(test_empty_results_are_accepted)
{
  compose_inputs in;
  read_inputs(&in, "blue:2,yellow:2", NULL);
  for (file_kind kind = 0; kind < KINDS; kind++) {
    uint64_t found;
    file_layout layout = screened;
    layout.kind = kind;
    char *text = compose_file(&in, &layout, &found);
    ck_assert_uint_eq(found, 0);
    accept(text);
    free(text);
  }
  compose_free(&in);
}
END_TEST

static const forgery header_edits[] = {
    {"# motifsieve 0.1.0 list", "# motifsieve 0.1.0 lift", "line 1: ", 0},
    {"vertices=10", "vertices=11", "line 2: ", 0},
    {"edges=11", "edges=12", "line 2: ", 0},
    {"format=edge-list", "format=edge_list", "line 2: ", 0},
    {"min_score=0", "min_score=", "line 2: ", 0},
    {"keep_taxon=0", "keep_taxon=2", "line 2: ", 0},
    {"colors=4", "colors=5", "line 3: ", 0},
    {"assignments=10", "assignments=9", "line 3: ", 0},
    {"aspects=PFC", "aspects=PX", "line 3: ", 0},
    {"motif: blue,green,red", "motif: blue,green,rot", "line 4: unknown colour", 0},
    {"motif: blue,green,red", "motif: green,blue,red", "line 4: the motif is not written", 0},
    {"motif: blue,green,red", "motif: blue,green", "line 5: the motif has 2", 0},
    {"# k: 3", "# k: 4", "line 5: the motif has 3", 0},
    {"# k: 3", "# k: 03", "line 5: ", 0},
    {"# k: 3\n", "", "line 5: the header line '# k: '", 0},
    {"# k: 3\n", "# k: 3\n# required: nobody\n", "line 6: required vertex 'nobody'", 0},
    {"# k: 3\n", "# k: 3\n# required: d\n", "lacks a required vertex", 0},
    {"# mode: screened", "# mode: guessed", "line 6: ", 0},
    {"sibling", "cousin", "line 7: ", 0},
    {"# seed: 77", "# seed: -1", "line 8: ", 0},
    {"# repetitions: 3 of 3", "# repetitions: 7 of 6", "line 9: ", 0},
    {"# repetitions: 3 of 3", "# repetitions: 2 of 2", "line 10: the formula", 0},
    {"# repetitions: 3 of 3", "# repetitions: 3 of 4", "line 9: the result is said to be complete",
     0},
    {"# repetitions: 3 of 3", "# repetitions: 20000 of 20000", "line 9: more than", 0},
    {"^5)^3", "^5)^4", "line 10: the formula", 0},
    {"(1 - (4278124286", "(1 - (4278190080", "line 10: the formula", 0},
    {"# status: complete", "# status: done", "line 12: ", 0},
    {"# matches: ", "# matches: 1", "line 13: the header says", 0},
    {"match\tvertices", "match\tvertex", "line 14: ", 0},
};

/* Each of 28 forged headers and ten wrong bounds is refused for its reason, and without a new
 * checksum for the checksum. */
START_TEST(test_header_edits_are_refused)
{
  compose_inputs in;
  uint64_t found;
  read_inputs(&in, "blue,green,red", NULL);
  char *text = compose_file(&in, &screened, &found);
  refuse_edits(text, found, header_edits, COUNT(header_edits));
  /* bounds */
  char bound[96], wrong[96];
  static const struct {
    const char *label;
    double factor;
    const char *problem;
  } bounds[] = {{"miss_bound", 1 - 1e-5, "line 10: the miss bound is stated too low"},
                {"miss_bound", 1 + 1e-5, "line 10: the miss bound is stated too high"},
                {"miss_bound", 1.005, "line 10: the miss bound is stated too high"},
                {"miss_bound_union", 1 + 2e-5, "line 11: the union bound"},
                {"miss_bound", 0.99, "line 10: the miss bound is stated too low"},
                {"miss_bound", 1.02, "line 10: the miss bound is stated too high"},
                {"miss_bound", 1e-9, "line 10: the miss bound is stated too low"},
                {"miss_bound_union", 0.09, "line 11: the union bound"},
                {"miss_bound_union", 1.02, "line 11: the union bound"}};
  for (size_t i = 0; i < COUNT(bounds); i++) {
    snprintf(bound, sizeof bound, "# %s: ", bounds[i].label);
    double value = strtod(strstr(text, bound) + strlen(bound), NULL);
    snprintf(bound, sizeof bound, "# %s: %.5e", bounds[i].label, value);
    snprintf(wrong, sizeof wrong, "# %s: %.5e", bounds[i].label, value * bounds[i].factor);
    refuse_edits(text, found, &(forgery){bound, wrong, bounds[i].problem, 0}, 1);
  }
  /* above the bound, but with a seventh digit */
  char *digits = strstr(text, "# miss_bound: ");
  snprintf(bound, sizeof bound, "%.21s", digits);
  snprintf(wrong, sizeof wrong, "%.21s1", digits);
  refuse_edits(text, found,
               &(forgery){bound, wrong, "line 10: the miss bound is stated too high", 0}, 1);
  free(text);
  compose_free(&in);
}
END_TEST

/* Each of 15 forged rows of a list is refused for its reason, and without a new checksum for the
 * checksum. */
START_TEST(test_row_edits_of_lists_are_refused)
{
  static const forgery edits[] = {
      {"\n1\ta,b,f\n", "\n1\ta,b,c\n", "line 15: match 1 does not fit", 0},
      {"\n1\ta,b,f\n", "\n1\ta,d,e\n", "line 15: match 1 is not connected", 0},
      {"\n1\ta,b,f\n", "\n1\tb,a,f\n", "line 15: match 1 is not in graph order", 0},
      {"\n1\ta,b,f\n", "\n1\ta,a,f\n", "line 15: match 1 repeats a vertex", 0},
      {"\n1\ta,b,f\n", "\n1\ta,b,nobody\n", "line 15: 'nobody' is not a vertex", 0},
      {"\n1\ta,b,f\n", "\n1\ta,b\n", "line 15: match 1 has 2 vertices", 0},
      {"\n1\ta,b,f\n", "\n1\ta,b,f,c\n", "line 15: match 1 has 4 vertices", 0},
      {"\n1\ta,b,f\n", "\n2\ta,b,f\n", "line 15: match 1 is numbered 2", 0},
      {"\n1\ta,b,f\n", "\n1\ta,b,f\tx\n", "line 15: the row does not have 2 columns", 0},
      {"\n1\ta,b,f\n", "\n1\ta,b,\"f\n", "line 15: a quoted name", 0},
      {"\n1\ta,b,f\n", "\n1\ta,b,\"x,1\"\n", "match 2 repeats an earlier one", 0},
      {"\n2\ta,b,\"x,1\"\n", "\n2\ta,b,f\n", "line 16: match 2 repeats", 0},
      {"\n1\ta,b,f\n2\ta,b,\"x,1\"\n", "\n1\ta,b,\"x,1\"\n2\ta,b,f\n",
       "line 16: match 2 does not follow", 0},
      {"\n1\ta,b,f\n", "\n1\ta,b,f\n2\ta,b,f\n", "line 16: match 2 repeats", 1},
      {"\n1\ta,b,f\n", "\n", "line 15: match 1 is numbered 2", -1},
  };
  compose_inputs in;
  uint64_t found;
  read_inputs(&in, "blue,green,red", NULL);
  char *text = compose_file(&in, &screened, &found);
  refuse_edits(text, found, edits, COUNT(edits));
  free(text);
  compose_free(&in);
}
END_TEST

/* A list without one of its matches is refused with that match, unless the recount is left out or
 * the list says that it is incomplete: TSV and JSON, exact and screened. */
START_TEST(test_missing_match_is_refused)
{
  compose_inputs in;
  read_inputs(&in, "blue,green,red", NULL);
  for (int exact = 0; exact < 2; exact++) {
    for (file_kind kind = LIST_TSV; kind <= LIST_JSON; kind++) {
      uint64_t found;
      file_layout layout = screened;
      layout.kind = kind;
      layout.exact = exact;
      layout.drop_match = 1;
      char *text = compose_file(&in, &layout, &found);
      refuse(text, exact ? "the file states that none" : "a miss is possible within");
      ms_verify_report report = verify_text(text, NULL);
      ck_assert_uint_eq(report.missing, 1);
      ck_assert(report.recounted);
      ck_assert_ptr_nonnull(strstr(report.problem, "1 match is missing, for example a,b,x,1"));
      report = verify_text(text, &(ms_verify_options){.size = sizeof(ms_verify_options),
                                                      .graph.size = sizeof(ms_graph_options),
                                                      .colors.size = sizeof(ms_color_options),
                                                      .typed.size = sizeof(ms_typed_options),
                                                      .no_recount = true});
      ck_assert(report.accepted && !report.recounted);
      char *incomplete = edit(text, "complete", "incomplete: limit");
      char *sealed = reseal(incomplete, found);
      report = verify_text(sealed, NULL);
      ck_assert_msg(report.accepted && !report.recounted, "%s", report.problem);
      free(sealed);
      free(incomplete);
      free(text);
    }
  }
  compose_free(&in);
}
END_TEST

/* A number of rows that disagrees with the rows is refused in the last line and in the header. */
START_TEST(test_wrong_counts_are_refused)
{
  compose_inputs in;
  uint64_t found;
  read_inputs(&in, "blue,green,red", NULL);
  char *text = compose_file(&in, &screened, &found), last[96];
  char *sealed = reseal(text, found + 1);
  refuse(sealed, "the end says");
  free(sealed);
  /* the last row: its number is the number of rows */
  snprintf(last, sizeof last, "\n%llu\t", (unsigned long long)found);
  char *body = strdup(text);
  strstr(body, last)[1] = '\0';
  sealed = compose_seal(body, found - 1, false);
  refuse(sealed, "line 13: the header says");
  free(sealed);
  free(body);
  free(text);
  compose_free(&in);
}
END_TEST

/* Each of 13 forged rows of a screen is refused for its reason, and so are a flag without a match
 * and a match without a flag. */
START_TEST(test_screen_edits_are_refused)
{
  static const forgery edits[] = {
      {"a\tred\t1\t3\n", "a\tred\t1\t0\n", "line 15: 'a' is flagged by 0", 0},
      {"a\tred\t1\t3\n", "a\tred\t1\t4\n", "line 15: 'a' is flagged by more", 0},
      {"a\tred\t1\t3\n", "a\tred\t0\t3\n", "line 15: 'a' is not flagged by 3", 0},
      {"a\tred\t1\t3\n", "a\tred\t0\t0\n", "line 15: 'a' is not flagged and has a row", 0},
      {"a\tred\t1\t3\n", "a\tred\t2\t3\n", "line 15: flagged must be", 0},
      {"a\tred\t1\t3\n", "a\tblue\t1\t3\n", "line 15: the colours of 'a'", 0},
      {"a\tred\t1\t3\n", "a\t\t1\t3\n", "line 15: the colours of 'a'", 0},
      {"a\tred\t1\t3\n", "a\tred\t1\n", "line 15: the row does not have 4", 0},
      {"a\tred\t1\t3\n", "nobody\tred\t1\t3\n", "line 15: 'nobody' is not a vertex", 0},
      {"a\tred\t1\t3\n", "a\tred\t1\t3\na\tred\t1\t3\n", "line 16: 'a' repeats", 1},
      {"a\tred\t1\t3\nb\tblue\t1\t3\n", "b\tblue\t1\t3\na\tred\t1\t3\n", "line 16: 'a' is not in",
       0},
      {"a\tred\t1\t3\n", "", "line 13: the header says", -1},
      {"x,1\tgreen\t1\t3\n", "x,1\tgreen\t1\t3\np\"q\tyellow\t1\t3\n", "line 13: the header says",
       1},
  };
  compose_inputs in;
  uint64_t found;
  file_layout layout = screened;
  layout.kind = SCREEN_TSV;
  read_inputs(&in, "blue,green,red", NULL);
  char *text = compose_file(&in, &layout, &found);
  refuse_edits(text, found, edits, COUNT(edits));
  /* with the count put right: a flag without a match, a match without a flag */
  static const forgery deeper[] = {
      {"x,1\tgreen\t1\t3\n", "x,1\tgreen\t1\t3\np\"q\tyellow\t1\t3\n",
       "'p\"q' is flagged and in no match", 1},
      {"a\tred\t1\t3\n", "", "1 vertex is in a match but not flagged, for example 'a'; a miss", -1},
  };
  for (size_t i = 0; i < COUNT(deeper); i++) {
    char from[32], to[32];
    snprintf(from, sizeof from, "# flagged: %llu\n", (unsigned long long)found);
    snprintf(to, sizeof to, "# flagged: %llu\n",
             (unsigned long long)found + (uint64_t)deeper[i].rows);
    char *counted = edit(text, from, to);
    refuse_edits(counted, found, &deeper[i], 1);
    free(counted);
  }
  free(text);
  compose_free(&in);
}
END_TEST

/* Each of six forged screens with all rows is refused, and so is a screen that claims to be
 * exact. */
START_TEST(test_screen_with_all_rows)
{
  compose_inputs in;
  uint64_t found;
  file_layout layout = screened;
  layout.kind = SCREEN_TSV;
  layout.all_rows = true;
  read_inputs(&in, "blue,green,red", NULL);
  char *text = compose_file(&in, &layout, &found);
  uint64_t rows = ms_graph_vertex_count(in.graph);
  static const forgery edits[] = {
      {"lone\t\t0\t0\n", "", "all 10 vertices should have a row, but 9 have", -1},
      {"lone\t\t0\t0\n", "lone\t\t1\t1\n", "line 14: the header says", 0},
      {"# rows: all\n", "# rows: some\n", "line 13: ", 0},
      {"# motifsieve 0.1.0 ", "# motifsieve  ", "line 1: the version after", 0},
      {"# rows: all\n", "# paranoid: x\n# rows: all\n", "line 13: ", 0},
      {"# rows: all\n", "", "is not flagged and has a row", 0},
  };
  refuse_edits(text, rows, edits, COUNT(edits));
  free(text);
  /* in an exact screen, no repetition flags a vertex */
  layout.all_rows = false;
  layout.exact = true;
  text = compose_file(&in, &layout, &found);
  refuse(text, "is flagged by 3 repetitions");
  free(text);
  compose_free(&in);
}
END_TEST

/* Each of 25 forged JSON lists is refused for its reason. */
START_TEST(test_json_edits_are_refused)
{
  static const forgery edits[] = {
      {"\"k\":3", "\"k\":4", "line 1: the motif has 3", 0},
      {"\"k\":3", "\"k\":\"3\"", "line 1: the header's \"k\"", 0},
      {"\"schema\":1", "\"schema\":2", "line 1: the header's \"schema\"", 0},
      {"\"version\":\"", "\"version\":\"x", "line 1: the header's \"version\"", 0},
      {"\"version\":\"0.1.0\"", "\"version\":\"\"", "line 1: the header's \"version\"", 0},
      {"\"k\":3", "\"k\":3,\"paranoid\":\"x\"", "line 1: the header's \"paranoid\"", 0},
      {"\"k\":3",
       "\"k\":3,\"paranoid\":\"5 % of the work: 9 of 8 blocks of units computed twice, 0 differed, 0 "
       "damaged\"",
       "line 1: the header's \"paranoid\"", 0},
      {"\"k\":3", "\"k\":3,\"fool\":1", "line 1: the header has an unexpected key \'fool\'", 0},
      {"\"vertices\":10", "\"vertices\":9", "line 1: ", 0},
      {"\"keep_taxon\":false", "\"keep_taxon\":0", "line 1: the header's \"graph\"", 0},
      {"\"aspects\":\"PFC\"", "\"aspects\":\"\"", "line 1: the header's \"colors\"", 0},
      {"\"seed\":77", "\"seed\":-77", "line 1: the header's \"seed\"", 0},
      {"\"repetitions\":3", "\"repetitions\":2", "line 1: the formula", 0},
      {"\"miss_bound\":", "\"miss_bound\":1", "line 1: the miss bound is stated too high", 0},
      {"\"miss_bound_union\":7", "\"miss_bound_union\":8", "line 1: the union bound", 0},
      {"\"status\":\"complete\"", "\"status\":\"ready\"", "line 1: the header's \"status\"", 0},
      {"\"matches\":", "\"matches\":1", "line 1: the header says", 0},
      {"\"matches\":", "\"flagged\":1,\"matches\":",
       "line 1: the header has an unexpected key 'flagged'", 0},
      {"\"mode\":\"screened\"", "\"mode\":\"exact\"", "line 1: the header has an unexpected key",
       0},
      {"[\"a\",\"b\",\"f\"]", "[\"a\",\"b\",\"c\"]", "line 2: match 1 does not fit", 0},
      {"[\"a\",\"b\",\"f\"]", "[\"a\",\"d\",\"e\"]", "line 2: match 1 is not connected", 0},
      {"[\"a\",\"b\",\"f\"]", "[\"a\",\"b\",6]", "line 2: vertices must be names", 0},
      {"[\"a\",\"b\",\"f\"]", "[\"a\",\"b\",\"f\"", "line 2: the line is not a JSON object", 0},
      {"\"match\":1,", "\"match\":1,\"why\":2,", "line 2: the row has a key too many", 0},
      {"{\"type\":\"match\"", "{\"type\":\"vertex\"", "line 2: the line is of type 'vertex'", 0},
  };
  compose_inputs in;
  uint64_t found;
  file_layout layout = screened;
  layout.kind = LIST_JSON;
  read_inputs(&in, "blue,green,red", NULL);
  char *text = compose_file(&in, &layout, &found);
  refuse_edits(text, found, edits, COUNT(edits));
  free(text);
  compose_free(&in);
}
END_TEST

/* ---- how the inputs were read ----------------------------------------------------- */

/* Settings of reading that the result states are used, and each of 13 impossible ones in TSV and
 * eight in JSON is refused. */
START_TEST(test_stated_settings)
{
  compose_inputs in;
  uint64_t found;
  file_layout layout = screened;
  read_inputs(&in, "blue,green,red", NULL);
  char *text = compose_file(&in, &layout, &found);
  char *columns = edit(text, "# motif: ", "# name_column: 1\n# color_column: 2\n# motif: ");
  char *sealed = reseal(columns, found);
  accept(sealed);
  free(sealed);
  free(columns);
  static const forgery edits[] = {
      {"# colors: ", "# taxon: 559292\n# colors: ", "line 2: ", 0},
      {"# colors: ", "# system: two  words\n# colors: ", "an experimental system is given", 0},
      {"# colors: ", "# names: any\n# colors: ", "a kind of names is given", 0},
      {"# colors: ", "# taxon: \n# colors: ", "line 3: the header line '# taxon: '", 0},
      {"# colors: ", "# names: any\n# taxon: 1\n# colors: ", "line 4: the header line '# colors",
       0},
      {"# colors: ", "# taxon: 1\n# taxon: 1\n# colors: ", "line 4: the header line '# colors", 0},
      {"# colors: ", "# alias: x\n# colors: ", "line 3: the header line '# alias: '", 0},
      {"# colors: ", "# alias: x crc32c=1234567\n# colors: ", "line 3: the header line '# al", 0},
      {"# colors: ", "# alias: x crc32c=01234567 \n# colors: ", "line 3: the header line '# al", 0},
      {"# motif: ", "# color_column: \n# motif: ", "line 4: the header line '# color_column", 0},
      {"# motif: ", "# slim: a\n# slim_file: b crc32c=01234567\n# motif: ",
       "line 5: the header line '# slim_file", 0},
      {"# motif: ", "# obo: x crc32c=0123456g\n# motif: ", "line 4: the header line '# obo", 0},
      {"min_score=0", "min_score=400", "line 2: ", 0},
  };
  refuse_edits(text, found, edits, COUNT(edits));
  free(text);
  layout.kind = LIST_JSON;
  text = compose_file(&in, &layout, &found);
  static const forgery json_edits[] = {
      {"\"path\":\"g\"", "\"taxon\":\"1\",\"path\":\"g\"", "line 1: ", 0},
      {"\"path\":\"g\"", "\"taxon\":1,\"path\":\"g\"", "the header's \"graph\"", 0},
      {"\"path\":\"g\"", "\"system\":\"\",\"path\":\"g\"", "the header's \"graph\"", 0},
      {"\"path\":\"g\"", "\"alias\":\"x\",\"path\":\"g\"", "the header's \"graph\"", 0},
      {"\"path\":\"g\"", "\"path crc32c\":1,\"path\":\"g\"", "the header's \"graph\"", 0},
      {"\"path\":\"c\"", "\"obo\":{\"path\":\"o\"},\"path\":\"c\"", "the header's \"colors\"", 0},
      {"\"path\":\"c\"", "\"slim\":[],\"path\":\"c\"", "the header's \"colors\"", 0},
      {"\"path\":\"c\"", "\"fool\":1,\"path\":\"c\"", "the header's \"colors\"", 0},
  };
  refuse_edits(text, found, json_edits, COUNT(json_edits));
  free(text);
  compose_free(&in);
}
END_TEST

/* MS_ERR_USAGE, with `message` in the message. */
static void wants(const char *text, const char *colors, const ms_verify_options *options,
                  const char *message)
{
  ms_verify_report report;
  ms_error err;
  write_file(result_path, text);
  ck_assert_int_eq(ms_verify_file(result_path, graph_path, colors, options, &report, &err),
                   MS_ERR_USAGE);
  ck_assert(!report.accepted);
  ck_assert_msg(strstr(err.message, message) != NULL, "'%s' is not in '%s'", message, err.message);
}

/* A file has to be given exactly if the result was made with one: six results that name one, and
 * five calls with one too many or too few. */
START_TEST(test_files_must_be_given)
{
  static const struct {
    const char *from, *to, *message;
  } stated[] = {
      {"# colors: ", "# alias: my al.tsv crc32c=00000000\n# colors: ",
       "`aliases` my al.tsv; give it"},
      {"# motif: ", "# obo: go.obo crc32c=00000000\n# motif: ", "`colors.obo` go.obo; give it"},
      {"# motif: ", "# slim_file: s.txt crc32c=00000000\n# motif: ",
       "`colors.slim` s.txt; give it"},
      {"\"path\":\"g\"", "\"alias\":{\"path\":\"al.tsv\",\"crc32c\":\"00000000\"},\"path\":\"g\"",
       "`aliases` al.tsv; give it"},
      {"\"path\":\"c\"", "\"obo\":{\"path\":\"go.obo\",\"crc32c\":\"00000000\"},\"path\":\"c\"",
       "`colors.obo` go.obo; give it"},
      {"\"path\":\"c\"", "\"slim\":{\"path\":\"s.txt\",\"crc32c\":\"00000000\"},\"path\":\"c\"",
       "`colors.slim` s.txt; give it"},
  };
  compose_inputs in;
  uint64_t found;
  file_layout layout = screened;
  read_inputs(&in, "blue,green,red", NULL);
  for (size_t i = 0; i < COUNT(stated); i++) {
    layout.kind = stated[i].from[0] == '#' ? LIST_TSV : LIST_JSON;
    char *text = compose_file(&in, &layout, &found);
    char *edited = edit(text, stated[i].from, stated[i].to);
    char *sealed = reseal(edited, found);
    wants(sealed, colors_path, NULL, stated[i].message);
    free(sealed);
    free(edited);
    free(text);
  }
  layout.kind = LIST_TSV;
  char *text = compose_file(&in, &layout, &found);
  wants(text, NULL, NULL, "`colors_path` c.tsv; give it");
  wants(text, colors_path,
        &(ms_verify_options){.size = sizeof(ms_verify_options),
                             .graph.size = sizeof(ms_graph_options),
                             .colors.size = sizeof(ms_color_options),
                             .typed.size = sizeof(ms_typed_options),
                             .aliases = "a"},
        "without `aliases`; leave it out");
  wants(text, colors_path,
        &(ms_verify_options){.size = sizeof(ms_verify_options),
                             .graph.size = sizeof(ms_graph_options),
                             .colors.size = sizeof(ms_color_options),
                             .typed.size = sizeof(ms_typed_options),
                             .colors.obo = "o"},
        "without `colors.obo`; leave it out");
  wants(text, colors_path,
        &(ms_verify_options){.size = sizeof(ms_verify_options),
                             .graph.size = sizeof(ms_graph_options),
                             .colors.size = sizeof(ms_color_options),
                             .typed.size = sizeof(ms_typed_options),
                             .colors.slim = "s"},
        "without `colors.slim`; leave");
  char *edited = edit(text, "format=auto", "format=graph");
  char *sealed = reseal(edited, found);
  wants(sealed, colors_path, NULL, "took its colours from the graph file; leave out `colors_path`");
  free(sealed);
  free(edited);
  free(text);
  compose_free(&in);
}
END_TEST

/* Drawings in CX2 and DOT are refused as such. */
START_TEST(test_drawings_are_no_results)
{
  static const char *const drawings[][2] = {
      {"[{\"CXVersion\":\"2.0\",\"hasFragments\":false},\n", "is a CX2 network"},
      {"// motifsieve 0.1.0 list --dot\ngraph motifsieve {\n}\n", "is a DOT drawing"},
      {"<svg xmlns=\"http://www.w3.org/2000/svg\">\n</svg>\n", "is an SVG picture"},
  };
  for (size_t i = 0; i < COUNT(drawings); i++) {
    ms_verify_report report;
    ms_error err;
    write_file(result_path, drawings[i][0]);
    ck_assert_int_eq(ms_verify_file(result_path, graph_path, colors_path, NULL, &report, &err),
                     MS_ERR_INPUT);
    ck_assert_msg(strstr(err.message, drawings[i][1]) != NULL, "%s", err.message);
  }
}
END_TEST

/* Another graph or colour file, a file that is no result, a missing and an empty one are refused as
 * such. */
START_TEST(test_other_inputs_are_refused)
{
  compose_inputs in;
  uint64_t found;
  ms_verify_report report;
  ms_error err;
  read_inputs(&in, "blue,green,red", NULL);
  char *text = compose_file(&in, &screened, &found);
  write_file(result_path, text);
  char *other = edit(graph_text, "a\tb\n", "b\ta\n");
  write_file(other_path, other);
  ck_assert_int_eq(ms_verify_file(result_path, other_path, colors_path, NULL, &report, &err),
                   MS_OK);
  ck_assert(!report.accepted);
  ck_assert_ptr_nonnull(strstr(report.problem, "is not the graph file"));
  free(other);
  other = edit(colors_text, "a\tred\n", "a\tblue\n");
  write_file(other_path, other);
  ck_assert_int_eq(ms_verify_file(result_path, graph_path, other_path, NULL, &report, &err), MS_OK);
  ck_assert(!report.accepted);
  ck_assert_ptr_nonnull(strstr(report.problem, "is not the colour file"));
  free(other);
  /* no result files, and no files */
  ck_assert_int_eq(ms_verify_file(graph_path, graph_path, colors_path, NULL, &report, &err),
                   MS_ERR_INPUT);
  ck_assert_ptr_nonnull(strstr(err.message, "not a result file"));
  ck_assert_int_eq(ms_verify_file("/nowhere", graph_path, colors_path, NULL, &report, &err),
                   MS_ERR_INPUT);
  ck_assert_int_eq(ms_verify_file(result_path, "/nowhere", colors_path, NULL, &report, &err),
                   MS_ERR_INPUT);
  write_file(other_path, "");
  ck_assert_int_eq(ms_verify_file(other_path, graph_path, colors_path, NULL, &report, &err),
                   MS_ERR_INPUT);
  free(text);
  compose_free(&in);
}
END_TEST

/* A miss bound of 0 is accepted with one of its two reasons where the recount agrees, and refused
 * otherwise. */
START_TEST(test_zero_bounds)
{
  compose_inputs in;
  uint64_t found;
  file_layout layout = screened;
  layout.zero_reason = "0: every vertex that pruning left is flagged";
  read_inputs(&in, "blue,green,red", NULL);
  char *text = compose_file(&in, &layout, &found);
  accept(text);
  ck_assert(!verify_text(text, NULL).probabilistic);
  free(text);
  layout.drop_match = 1;
  text = compose_file(&in, &layout, &found);
  refuse(text, "the file states that none can be missing");
  free(text);
  layout.drop_match = -1;
  layout.zero_reason = "0: pruning left no vertex";
  text = compose_file(&in, &layout, &found);
  refuse(text, "there are rows");
  free(text);
  layout.zero_reason = "0: trust me";
  text = compose_file(&in, &layout, &found);
  refuse(text, "no known reason");
  free(text);
  compose_free(&in);
}
END_TEST

/* A stop request leaves a result neither accepted nor refused; a limit of the recount alone leaves
 * it accepted and not recounted, and its claims believed or bounded.  Each in the four encodings.
 */
START_TEST(test_stop_bounds_the_recount)
{
  compose_inputs in;
  uint64_t found;
  ms_stop *stop;
  ms_error err;
  ck_assert_int_eq(ms_stop_new(&stop, &err), MS_OK);
  ms_stop_request(stop);
  read_inputs(&in, "blue,green,red", NULL);
  for (file_kind kind = 0; kind < KINDS; kind++) {
    file_layout layout = screened;
    layout.kind = kind;
    char *text = compose_file(&in, &layout, &found);
    ms_verify_report report =
        verify_text(text, &(ms_verify_options){.size = sizeof(ms_verify_options),
                                               .graph.size = sizeof(ms_graph_options),
                                               .colors.size = sizeof(ms_color_options),
                                               .typed.size = sizeof(ms_typed_options),
                                               .run.stop = stop});
    ck_assert(!report.accepted && !report.recounted);
    ck_assert_int_eq(report.outcome, MS_VERIFY_UNFINISHED);
    ck_assert_int_eq(report.run.stopped, MS_ERR_INTERRUPTED);
    ck_assert_ptr_nonnull(strstr(report.problem, "rows were checked before it was interrupted"));
    report = verify_text(text, &(ms_verify_options){.size = sizeof(ms_verify_options),
                                                    .graph.size = sizeof(ms_graph_options),
                                                    .colors.size = sizeof(ms_color_options),
                                                    .typed.size = sizeof(ms_typed_options),
                                                    .recount_seconds = 1e-9});
    ck_assert(report.accepted && !report.recounted);
    ck_assert_int_eq(report.outcome, MS_VERIFY_ACCEPTED);
    ck_assert_int_eq(report.run.stopped, MS_ERR_LIMIT);
    ck_assert_int_eq(report.completeness, MS_COMPLETENESS_BOUNDED);
    ck_assert_uint_eq(report.rows, found);
    ck_assert_uint_eq(report.flags, report.is_screen ? found : 0);
    ck_assert_uint_eq(report.supported, report.flags);
    free(text);
  }
  ms_stop_free(stop);
  compose_free(&in);
}
END_TEST

/* ---- random files --------------------------------------------------------------- */

/* The case's inputs as files; false if it has no edge.  The first vertex gets
 * every colour, so that the motif's are all known. */
static bool save_case(const oracle_case *c)
{
  FILE *graph = fopen(graph_path, "w"), *colors = fopen(colors_path, "w");
  bool any = false;
  ck_assert(graph && colors);
  for (uint32_t v = 0; v < c->n; v++) {
    uint32_t degree, count;
    const uint32_t *row = ms_graph_neighbors(c->graph, v, &degree);
    for (uint32_t i = 0; i < degree && row[i] < v; i++) {
      for (uint32_t color = 0; !any && color < 5; color++) {
        fprintf(colors, "v%u\tc%u\n", row[i], color);
      }
      fprintf(graph, "v%u\tv%u\n", row[i], v);
      any = true;
    }
    const uint32_t *color = ms_coloring_of(c->coloring, v, &count);
    for (uint32_t i = 0; i < count; i++) {
      fprintf(colors, "v%u\t%s\n", v, ms_coloring_name(c->coloring, color[i]));
    }
  }
  fclose(graph);
  fclose(colors);
  return any;
}

/* Right files of random cases are accepted, and refused without one match, which is the one that is
 * missed: 600 cases. */
START_TEST(test_random_files)
{
  uint32_t files = 0, with_matches = 0;
  for (uint64_t seed = 0; seed < 600; seed++) {
    oracle_case c;
    compose_inputs in;
    uint64_t found;
    oracle_make(&oracle_all_shapes, seed, &c);
    if (!save_case(&c)) {
      oracle_free(&c);
      continue;
    }
    read_inputs(&in, ms_motif_text(c.motif), NULL);
    file_layout layout = screened;
    layout.kind = (file_kind)(seed % KINDS);
    layout.exact = layout.kind < SCREEN_TSV && seed % 3 == 0;
    layout.all_rows = layout.kind >= SCREEN_TSV && seed % 3 == 0;
    char *text = compose_file(&in, &layout, &found);
    ms_verify_report report = verify_text(text, NULL);
    ck_assert_msg(report.accepted && report.recounted, "seed %llu: %s", (unsigned long long)seed,
                  report.problem);
    free(text);
    files++;
    if (found > 0 && layout.kind < SCREEN_TSV) {
      layout.drop_match = (long)(seed / 4 % found);
      text = compose_file(&in, &layout, &found);
      report = verify_text(text, NULL);
      ck_assert_msg(!report.accepted && report.missing == 1, "seed %llu", (unsigned long long)seed);
      free(text);
      with_matches++;
    }
    compose_free(&in);
    oracle_free(&c);
  }
  ck_assert_uint_gt(files, 400);
  ck_assert_uint_gt(with_matches, 50);
}
END_TEST

/* ---- failing memory ------------------------------------------------------------- */

/* Whichever allocation fails and all after it, the judge reports it or accepts, and leaks no block,
 * in each of the four encodings. */
START_TEST(test_failing_memory)
{
  compose_inputs in;
  read_inputs(&in, "blue,green,red", NULL);
  for (file_kind kind = 0; kind < KINDS; kind++) {
    uint64_t found;
    long n = 0;
    ms_status status = MS_ERR_MEMORY;
    file_layout layout = screened;
    layout.kind = kind;
    char *text = compose_file(&in, &layout, &found);
    write_file(result_path, text);
    for (; n < 2000 && status != MS_OK; n++) {
      ms_verify_report report;
      ms_error err;
      meter m = {.fail_at = n + 1, .fails_on = true};
      meter_start(&m);
      status = ms_verify_file(result_path, graph_path, colors_path, NULL, &report, &err);
      meter_stop();
      ck_assert_int_eq(m.live, 0);
      ck_assert_msg(status == MS_ERR_MEMORY || (status == MS_OK && report.accepted), "n = %ld: %s",
                    n, status == MS_OK ? report.problem : err.message);
    }
    ck_assert_int_eq(status, MS_OK);
    ck_assert_int_gt(n, 20);
    free(text);
  }
  compose_free(&in);
}
END_TEST

TEST_MAIN("verify_files", AROUND_EACH(set_up, files_clear), TEST(test_right_files_are_accepted),
          TEST(test_empty_results_are_accepted), TEST(test_header_edits_are_refused),
          TEST(test_row_edits_of_lists_are_refused), TEST(test_missing_match_is_refused),
          TEST(test_wrong_counts_are_refused), TEST(test_screen_edits_are_refused),
          TEST(test_screen_with_all_rows), TEST(test_json_edits_are_refused),
          TEST(test_stated_settings), TEST(test_files_must_be_given),
          TEST(test_drawings_are_no_results), TEST(test_other_inputs_are_refused),
          TEST(test_zero_bounds), TEST(test_stop_bounds_the_recount), TEST(test_random_files),
          TEST(test_failing_memory))
