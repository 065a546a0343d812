/* ms_verify_file on results of pattern matches: right files are accepted, and each way of ours to
 * make one wrong is refused for its reason. */
#include "query/pattern.h"
#include "tests/support/files.h"
#include "tests/support/search/matches_cases.h"
#include "tests/support/test_main.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Results of seven inputs are accepted in each encoding: subgraphs and embeddings, induced or not,
 * one of four screened. */
START_TEST(right_files_are_accepted)
{
  uint64_t all = 0;
  for (int number = 0; number < CASES; number++) {
    matches_inputs in = inputs_of(number);
    for (unsigned variant = 0; variant < 4 * MATCHES_FORMS; variant++) {
      matches_layout layout = {.form = variant / 4,
                               .embeddings = variant & 1,
                               .induced = variant & 2,
                               .screened = (variant & 3) == 1,
                               .drop = -1};
      matches_file file = matches_compose(&in, &layout);
      accept(&in, file);
      all += file.rows;
      free(file.bytes);
    }
    matches_free(&in);
  }
  ck_assert_uint_gt(all, 500);
}
END_TEST

/* The results of the seven inputs have the numbers of rows that were counted by hand. */
START_TEST(counts_are_known)
{
  static const uint64_t rows[CASES] = {5, 7, 16, 18, 3, 0, 7};
  for (int number = 0; number < CASES; number++) {
    matches_inputs in = inputs_of(number);
    matches_file file = matches_compose(&in, &(matches_layout){.drop = -1});
    ck_assert_msg(file.rows == rows[number], "case %d: %" PRIu64, number, file.rows);
    free(file.bytes);
    matches_free(&in);
  }
}
END_TEST

/* A result with gzip around it is accepted in each encoding. */
START_TEST(packed_files_are_accepted)
{
  matches_inputs in = inputs_of(1);
  for (int form = 0; form < MATCHES_FORMS; form++) {
    matches_file file = matches_compose(&in, &(matches_layout){.form = form, .drop = -1});
    ms_verify_report report;
    ms_error err = {0};
    const char *path = files_write_gzip("result.gz", file.bytes, file.size, 1);
    ms_verify_options options = {.size = sizeof(ms_verify_options),
                                 .graph.size = sizeof(ms_graph_options),
                                 .colors.size = sizeof(ms_color_options),
                                 .typed.size = sizeof(ms_typed_options),
                                 .pattern = in.pattern_path};
    ck_assert_int_eq(ms_verify_file(path, in.graph_path, in.colors_path, &options, &report, &err),
                     MS_OK);
    ck_assert_msg(report.accepted && report.rows == file.rows, "%s", report.problem);
    free(file.bytes);
  }
  matches_free(&in);
}
END_TEST

/* ---- forgeries -------------------------------------------------------------------- */

static void refuse_forgeries(const matches_inputs *in, const matches_layout *layout,
                             const matches_forgery *forgeries, size_t count)
{
  matches_file file = matches_compose(in, layout);
  for (size_t i = 0; i < count; i++) {
    matches_file forged = matches_forge(file, layout->form, forgeries[i].from, forgeries[i].to);
    refuse(in, forged, forgeries[i].problem);
    free(forged.bytes);
  }
  free(file.bytes);
}

/* Each of 20 forged rows of TSV with a right checksum is refused for its reason. */
START_TEST(wrong_rows_are_refused)
{
  static const matches_forgery forgeries[] = {
      {"\n1\ta\tb\tc\n", "\n1\ta\tb\te\n", "line 8: match 1 lacks an edge"},
      {"\n1\ta\tb\tc\n", "\n1\ta\tb\tb\n", "line 8: match 1 repeats a vertex"},
      {"\n1\ta\tb\tc\n", "\n1\tb\ta\tc\n", "line 8: match 1 is not the smallest"},
      {"\n1\ta\tb\tc\n", "\n1\ta\tb\tnobody\n", "line 8: 'nobody' is not a vertex"},
      {"\n1\ta\tb\tc\n", "\n1\ta\tb\t\n", "line 8: '' is not a vertex"},
      {"\n1\ta\tb\tc\n", "\n1\ta\tb\n", "line 8: the row does not have 4 columns"},
      {"\n1\ta\tb\tc\n", "\n1\ta\tb\tc\td\n", "line 8: the row does not have 4 columns"},
      {"\n1\ta\tb\tc\n", "\n2\ta\tb\tc\n", "line 8: match 1 is numbered 2"},
      {"\n1\ta\tb\tc\n", "\n01\ta\tb\tc\n", "line 8: match must be a whole number"},
      {"\n1\ta\tb\tc\n", "\n\n1\ta\tb\tc\n", "line 8: the row does not have"},
      {"\n1\ta\tb\tc\n", "\n# note\n1\ta\tb\tc\n", "line 8: the row does not have"},
      {"\n2\ta\tb\td\n", "\n2\ta\tb\tc\n", "line 9: match 2 repeats an earlier"},
      {"\n5\td\te\tf\n", "\n5\ta\tb\tc\n", "line 12: match 5 repeats an earlier"},
      {"\n5\td\te\tf\n", "\n5\td\te\tf\n6\ta\tb\td\n", "line 13: match 6 repeats an earlier"},
      {"\n5\td\te\tf\n", "\n", "the end says 5 rows, but there are 4"},
      {"# matches: 5", "# matches: 6", "line 14: the end says 6 matches"},
      {"# matches: 5", "# matches: five", "line 14: the line '# matches: ' cannot"},
      {"# matches: 5\n", "", "line 14: the line '# matches: ' is missing"},
      {"# status: complete", "# status: done", "line 13: the line '# status: ' cannot"},
      {"rows=5", "rows=4", "the end says 4 rows, but there are 5"},
  };
  matches_inputs in = inputs_of(0);
  refuse_forgeries(&in, &(matches_layout){.drop = -1}, forgeries, COUNT(forgeries));
  matches_free(&in);
}
END_TEST

/* Each of 20 forged headers with a right checksum is refused for its reason. */
START_TEST(wrong_headers_are_refused)
{
  static const matches_forgery forgeries[] = {
      {"0.1.0 match", "0.1.0 march", "line 1: "},
      {"0.1.0 match", "0.1.0 screen", "line 4: the header line '# induced: ' is missing here"},
      {"0.1.0 match", "0.1.0 list", "line 1: a result of list has no pattern"},
      {"edges=10", "edges=11", "line 2: "},
      {"vertices=7", "vertices=8", "line 2: "},
      {"header=0\n", "header=0\n# directed: 0\n", "line 3: "},
      {"triangle vertices=3", "triangle vertices=4", "line 7: "},
      {"triangle vertices=3 edges=3\n# s", "triangle vertices=3 edges=2\n# s", "line 3: "},
      {"triangle vertices=3 edges=3\n# s", "triangle edges=3\n# s", "line 3: "},
      {"triangle vertices=3 edges=3\n# s", "triangle vertices=0 edges=3\n# s", "line 3: "},
      {"triangle vertices=3 edges=3\n# s", "triangle vertices=257 edges=3\n# s", "line 3: "},
      {"triangle vertices=3 edges=3\n# s", "triangle vertices=3 edges=3 format=tve\n# s",
       "line 3: "},
      {"pattern: triangle", "pattern: clique:3", "line 3: the pattern is the built-in 'clique:3'"},
      {"subgraphs", "subgraphs inducted", "line 4: "},
      {"subgraphs", "orbits", "line 4: "},
      {"automorphisms: 6", "automorphisms: 3", "line 5: the pattern has 6"},
      {"automorphisms: 6", "automorphisms: 06", "line 5: the pattern has 6"},
      {"mode: exact", "mode: guessed", "line 6: "},
      {"match\t0\t1\t2", "match\t0\t1", "line 7: "},
      {"match\t0\t1\t2", "match\t0\t1\t2\t3", "line 7: "},
      {"match\t0\t1\t2", "match\t0\t2\t1", "line 7: pattern vertex 1 is called '1', not '2'"},
  };
  matches_inputs in = inputs_of(0);
  matches_layout layout = {.drop = -1};
  refuse_forgeries(&in, &layout, forgeries, COUNT(forgeries));
  matches_free(&in);
}
END_TEST

/* Each of 23 forged JSON results with a right checksum is refused for its reason. */
START_TEST(wrong_json_is_refused)
{
  static const matches_forgery forgeries[] = {
      {"[\"a\",\"b\",\"c\"]", "[\"a\",\"b\",\"e\"]", "line 2: match 1 lacks an edge"},
      {"[\"a\",\"b\",\"c\"]", "[\"a\",\"b\"]", "line 2: match 1 has 2 vertices"},
      {"[\"a\",\"b\",\"c\"]", "[\"a\",\"b\",3]", "line 2: vertices must be names"},
      {"[\"a\",\"b\",\"c\"]", "\"a\"", "line 2: the row lacks"},
      {"[\"a\",\"b\",\"d\"]", "[\"a\",\"b\",\"c\"]", "line 3: match 2 repeats"},
      {"\"match\":2", "\"match\":3", "line 3: match 2 is numbered 3"},
      {"\"match\":2", "\"note\":2", "line 3: the row lacks its match"},
      {"{\"type\":\"match\",\"match\":2", "{\"type\":\"vertex\",\"match\":2",
       "line 3: the line is"},
      {"\"matches\":\"5\"", "\"matches\":\"4\"", "line 7: the end says 4 matches"},
      {"\"matches\":\"5\"", "\"matches\":5", "line 7: the last line"},
      {"\"rows\":5", "\"rows\":6", "the end says 6 rows"},
      {"\"status\":\"complete\"", "\"status\":\"done\"", "line 7: the last line"},
      {"\"name\":\"triangle\"", "\"name\":\"house\"",
       "line 1: the pattern is the built-in 'house'"},
      {"\"names\":[\"0\"", "\"names\":[\"1\"", "line 1: pattern vertex 0"},
      {"\"names\":[\"0\",", "\"names\":[", "line 1: the header's \"pattern\""},
      {"\"semantics\":\"subgraphs\"", "\"semantics\":\"orbits\"", "line 1: the header's \"sem"},
      {"\"semantics\":\"subgraphs\"", "\"semantics\":\"embeddings\"", "25 matches are missing"},
      {"\"induced\":false", "\"induced\":0", "line 1: the header's \"induced\""},
      {"\"automorphisms\":\"6\"", "\"automorphisms\":6", "line 1: the header's \"automorphisms\""},
      {"\"automorphisms\":\"6\"", "\"automorphisms\":\"7\"", "line 1: the pattern has 6"},
      {"\"mode\":\"exact\"", "\"mode\":\"exact\",\"seed\":1", "unexpected key 'seed'"},
      {"\"header\":false", "\"header\":false,\"directed\":false", "line 1: the header's \"graph\""},
      {"\"schema\":1", "\"schema\":2", "line 1: the header's \"schema\""},
  };
  matches_inputs in = inputs_of(0);
  refuse_forgeries(&in, &(matches_layout){.form = MATCHES_JSON, .drop = -1}, forgeries,
                   COUNT(forgeries));
  matches_free(&in);
}
END_TEST

/* Change the number `at` bytes behind the first row, or in front of the end. */
static matches_file patch(matches_file file, size_t place, uint32_t value)
{
  matches_file out = {malloc(file.size), file.size, file.rows};
  memcpy(out.bytes, file.bytes, file.size);
  for (size_t i = 0; i < 4; i++)
    out.bytes[place + i] = (char)(value >> 8 * i & 255);
  return matches_seal(out, MATCHES_BINARY);
}

/* Each of 13 numbers changed in a binary result with a right checksum is refused for its reason. */
START_TEST(wrong_binary_is_refused)
{
  matches_inputs in = inputs_of(0);
  matches_file file = matches_compose(&in, &(matches_layout){.form = MATCHES_BINARY, .drop = -1});
  size_t first = file.size - 24 - 5 * 12, tail = file.size - 24;
  const struct {
    size_t place;
    uint32_t value;
    const char *problem;
  } patches[] = {
      {first, 4, "match 1 lacks an edge"},
      {first, 1, "match 1 repeats a vertex"},
      {first, 7, "match 1 holds a vertex that is not in the graph"},
      {first, UINT32_MAX, "match 1 holds a vertex that is not in the graph"},
      {first + 8, 3, "match 2 repeats an earlier one"},
      {first + 20, 2, "match 2 repeats an earlier one"},
      {tail, 7, "cut off"},
      {tail + 8, 4, "the end says 4 rows, but there are 5"},
      {tail + 12, 1, "rows, but there are 5"},
      {tail + 16, 6, "the status at the end is 6"},
      {8, 12, "the header does not end with a line"},
      {8, UINT32_MAX, "cut off"},
      {8, 0, "the header does not end with a line"},
  };
  for (size_t i = 0; i < COUNT(patches); i++) {
    matches_file wrong = patch(file, patches[i].place, patches[i].value);
    refuse(&in, wrong, patches[i].problem);
    free(wrong.bytes);
  }
  free(file.bytes);
  matches_free(&in);
}
END_TEST

/* Padding that is not zero is refused in each binary result that has some. */
START_TEST(padding_is_checked)
{
  int padded = 0;
  for (int number = 0; number < CASES; number++) {
    matches_inputs in = inputs_of(number);
    matches_file file = matches_compose(&in, &(matches_layout){.form = MATCHES_BINARY, .drop = -1});
    size_t head = (unsigned char)file.bytes[8] + 256u * (unsigned char)file.bytes[9];
    ck_assert_uint_eq((file.size - file.rows * in.pattern->n * 4 - 24) % 4, 0);
    if (head % 4 != 0) {
      file.bytes[12 + head] = '\n';
      refuse(&in, matches_seal(file, MATCHES_BINARY), "are not zero");
      padded++;
    }
    free(file.bytes);
    matches_free(&in);
  }
  ck_assert_int_gt(padded, 0);
}
END_TEST

/* A result without one of its rows is refused with that row, unless the recount is left out or the
 * result says that it ended early: each encoding, subgraphs and embeddings. */
START_TEST(missing_rows_are_refused)
{
  matches_inputs in = inputs_of(0);
  for (unsigned variant = 0; variant < 2 * MATCHES_FORMS; variant++) {
    matches_layout layout = {
        .form = variant / 2, .embeddings = variant & 1, .screened = variant & 1, .drop = 3};
    matches_file file = matches_compose(&in, &layout);
    refuse(&in, file,
           layout.embeddings ? "1 match is missing, for example a,c,d"
                             : "1 match is missing, for example b,c,d");
    ck_assert_uint_eq(check(&in, file, NULL).missing, 1);
    ms_verify_report report = check(&in, file,
                                    &(ms_verify_options){.size = sizeof(ms_verify_options),
                                                         .graph.size = sizeof(ms_graph_options),
                                                         .colors.size = sizeof(ms_color_options),
                                                         .typed.size = sizeof(ms_typed_options),
                                                         .no_recount = true});
    ck_assert(report.accepted && !report.recounted);
    free(file.bytes);
    for (layout.status = 1; layout.status <= 3; layout.status++) {
      file = matches_compose(&in, &layout);
      report = check(&in, file, NULL);
      ck_assert_msg(report.accepted && !report.recounted, "%s", report.problem);
      free(file.bytes);
    }
  }
  matches_free(&in);
}
END_TEST

/* A result for other settings than it states is refused: not induced, embeddings, and a colour that
 * is not accepted. */
START_TEST(other_semantics_are_refused)
{
  static const matches_forgery induced[] = {
      {"subgraphs", "subgraphs induced", "match 1 has an edge where"}};
  static const matches_forgery subgraphs[] = {{"embeddings", "subgraphs", "is not the smallest"}};
  static const matches_forgery red[] = {
      {"\n1\ta\tb\t", "\n1\tb\ta\t", "match 1 holds a vertex whose colour"}};
  matches_inputs cycle = {.graph_path = paths[GRAPH], .pattern_path = "cycle:4", .builtin = true};
  matches_read(&cycle);
  refuse_forgeries(&cycle, &(matches_layout){.drop = -1}, induced, 1);
  refuse_forgeries(&cycle, &(matches_layout){.embeddings = true, .drop = -1}, subgraphs, 1);
  matches_free(&cycle);
  matches_inputs labelled = inputs_of(1);
  refuse_forgeries(&labelled, &(matches_layout){.drop = -1}, red, 1);
  matches_free(&labelled);
}
END_TEST

/* Each of four forged miss bounds is refused for its reason. */
START_TEST(wrong_bounds_are_refused)
{
  static const matches_forgery forgeries[] = {
      {"# miss_bound: 0 = 0: every vertex that pruning left is flagged",
       "# miss_bound: 0 = 0: pruning left no vertex", "there are rows"},
      {"# miss_bound: 0 = 0: every", "# miss_bound: 0 = 0: nearly every", "no known reason"},
      {"# miss_bound: 0 = ", "# miss_bound: 0.5 = ", "the formula of the miss bound"},
      {"# miss_bound_union: 0", "# miss_bound_union: 0.5", "the union bound is not"},
  };
  matches_inputs in = inputs_of(0);
  refuse_forgeries(&in, &(matches_layout){.screened = true, .drop = -1}, forgeries,
                   COUNT(forgeries));
  matches_free(&in);
}
END_TEST

/* ---- what is given ------------------------------------------------------------------ */

static ms_status verify_given(const char *colors, const char *pattern, const char *pattern_colors,
                              ms_verify_report *report, ms_error *err)
{
  ms_verify_options options = {.size = sizeof(ms_verify_options),
                               .graph.size = sizeof(ms_graph_options),
                               .colors.size = sizeof(ms_color_options),
                               .typed.size = sizeof(ms_typed_options),
                               .pattern = pattern,
                               .pattern_colors = pattern_colors};
  return ms_verify_file(paths[RESULT], paths[GRAPH], colors, &options, report, err);
}

/* The judge says what is missing, pattern, its colours or the colours of the graph, and refuses
 * other files than those of the result: each encoding. */
START_TEST(what_must_be_given)
{
  ms_verify_report report;
  ms_error err;
  for (int form = 0; form < MATCHES_FORMS; form++) {
    matches_inputs in = inputs_of(2);
    matches_file file = matches_compose(&in, &(matches_layout){.form = form, .drop = -1});
    files_write("result", file.bytes, file.size);
    ck_assert_int_eq(verify_given(paths[COLORS], paths[PLAIN], paths[ACCEPTS], &report, &err),
                     MS_OK);
    ck_assert_msg(report.accepted, "%s", report.problem);
    ck_assert_int_eq(verify_given(paths[COLORS], NULL, NULL, &report, &err), MS_ERR_USAGE);
    ck_assert_ptr_nonnull(strstr(err.message, "give it with `pattern`"));
    ck_assert_int_eq(verify_given(paths[COLORS], paths[PLAIN], NULL, &report, &err), MS_ERR_USAGE);
    ck_assert_ptr_nonnull(strstr(err.message, "`pattern_colors`"));
    ck_assert_int_eq(verify_given(NULL, paths[PLAIN], paths[ACCEPTS], &report, &err), MS_ERR_USAGE);
    ck_assert_ptr_nonnull(strstr(err.message, "`colors_path`"));
    /* other files */
    ck_assert_int_eq(verify_given(paths[COLORS], paths[LABELLED], paths[ACCEPTS], &report, &err),
                     MS_ERR_INPUT);
    files_write("other.tsv", "p\tq\nq\tr\ns\tr\n", 12);
    ck_assert_int_eq(
        verify_given(paths[COLORS], files_path("other.tsv"), paths[ACCEPTS], &report, &err), MS_OK);
    ck_assert_ptr_nonnull(strstr(report.problem, "is not the pattern file"));
    files_write("other.tsv", "p\tred\n", 6);
    ck_assert_int_eq(
        verify_given(paths[COLORS], paths[PLAIN], files_path("other.tsv"), &report, &err), MS_OK);
    ck_assert_ptr_nonnull(strstr(report.problem, "is not the pattern's colour file"));
    ck_assert_int_eq(verify_given(paths[COLORS], "house", paths[ACCEPTS], &report, &err), MS_OK);
    ck_assert_ptr_nonnull(strstr(report.problem, "not the built-in 'house'"));
    ck_assert_int_eq(verify_given(paths[COLORS], "/no/such/file", paths[ACCEPTS], &report, &err),
                     MS_ERR_INPUT);
    free(file.bytes);
    matches_free(&in);
  }
}
END_TEST

/* Colours that the result was made without are refused, and so is a file in place of a built-in
 * pattern. */
START_TEST(colors_may_not_be_given_without_need)
{
  matches_inputs in = inputs_of(0);
  ms_verify_report report;
  ms_error err;
  matches_file file = matches_compose(&in, &(matches_layout){.drop = -1});
  files_write("result", file.bytes, file.size);
  ck_assert_int_eq(verify_given(paths[COLORS], "triangle", NULL, &report, &err), MS_ERR_USAGE);
  ck_assert_ptr_nonnull(strstr(err.message, "without `colors_path`"));
  ck_assert_int_eq(verify_given(NULL, "triangle", paths[ACCEPTS], &report, &err), MS_ERR_USAGE);
  ck_assert_ptr_nonnull(strstr(err.message, "without `pattern_colors`"));
  ck_assert_int_eq(verify_given(NULL, paths[PLAIN], NULL, &report, &err), MS_OK);
  ck_assert_ptr_nonnull(strstr(report.problem, "the pattern is the built-in 'triangle'"));
  free(file.bytes);
  matches_free(&in);
}
END_TEST

TEST_MAIN("pattern: result files", BEFORE_ALL(set_up), TEST(right_files_are_accepted),
          TEST(counts_are_known), TEST(packed_files_are_accepted), TEST(wrong_rows_are_refused),
          TEST(wrong_headers_are_refused), TEST(wrong_json_is_refused),
          TEST(wrong_binary_is_refused), TEST(padding_is_checked), TEST(missing_rows_are_refused),
          TEST(other_semantics_are_refused), TEST(wrong_bounds_are_refused),
          TEST(what_must_be_given), TEST(colors_may_not_be_given_without_need))
