/* ms_verify_file on results of typed matches: right files are accepted, and each way of ours to
 * make one wrong is refused for its reason. */
#include "base/threads/stop.h"
#include "tests/support/allocations.h"
#include "tests/support/files.h"
#include "tests/support/results/compose_typed.h"
#include "tests/support/test_main.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* ---- inputs ------------------------------------------------------------------------- */

static const char table_text[] = "source\ttype\ttarget\n"
                                 "d1\tbinds\tg1\nd1\tbinds\tg1\nd1\tbinds\tg2\nd2\tbinds\tg1\n"
                                 "d2\tbinds\tg2\ng1\tacts\tg2\ng2\tacts\tg1\ng2\tacts\tg3\n"
                                 "g3\tnear\tg1\nd2\tbinds\tg3\ng3\tacts\tg3\nx y\tnear\tg3\n";
static const char nodes_text[] = "id\tname\tkind\nd1\tone\tDrug\nd2\ttwo\tDrug\ng1\tp\tGene\n"
                                 "g2\tq\tGene\ng3\tr\tGene\nx y\ts\tGene\n";
static const char relations_text[] = "acts\tacted\nnear\tnear\nbinds\tbound\n";
static const char pattern_text[] = "# two drugs\n(a:Drug)-[binds]->(g:Gene)<-[binds]-(b:Drug)\n";
static const char columns_text[] = "from\trel\tto\tkind1\tkind2\nu\tr\tv\tA\tB\nw\tr\tv\tA\tB\n"
                                   "v\tr\tu\tB\tA\n";
static const char hetionet_text[] = "source\tmetaedge\ttarget\nGene::1\tGr>G\tGene::2\n"
                                    "Gene::2\tGr>G\tGene::3\nCompound::1\tCbG\tGene::2\n";
static const char plain_text[] = "a\tb\nb\tc\nc\td\nd\ta\na\tc\n";
static const char colors_text[] = "a\tred\nb\tblue\nc\tred\nd\tblue\nd\tgreen\n";

enum { TABLE, NODES, RELATIONS, PATTERN, COLUMNS, HETIONET, PLAIN, COLORS, PATHS };
static char paths[PATHS][4096];

static void set_up(void)
{
  static const char *const names[PATHS] = {"table.tsv",   "nodes.tsv",   "relations.tsv",
                                           "pattern.txt", "columns.tsv", "hetionet.sif",
                                           "plain.tsv",   "colors.tsv"};
  static const char *const texts[PATHS] = {table_text,   nodes_text,   relations_text,
                                           pattern_text, columns_text, hetionet_text,
                                           plain_text,   colors_text};
  for (int i = 0; i < PATHS; i++)
    snprintf(paths[i], sizeof paths[i], "%s", files_write_text(names[i], texts[i]));
}

enum { CASES = 8 };

/* To be freed with typed_inputs_free. */
static typed_inputs inputs_of(int number)
{
  static const char *const texts[CASES] = {"(a:Drug)-[binds]->(g:Gene)<-[binds]-(b:Drug)",
                                           NULL,
                                           "(x:Gene)-->(y:Gene)-->(x)",
                                           "(a:A)-[r]->(b:B), (b)-[r]->(a)",
                                           "(c:Compound)-[CbG]-(g:Gene)<-[Gr>G]-(h:Gene)",
                                           "(r:red)--(s:blue)--(t:red)",
                                           "(x)-->(y)-->(z)",
                                           "(only:Nothing)"};
  typed_inputs in = {.graph_path = paths[TABLE], .pattern = texts[number], .text = true};
  if (number < 3 || number == 7)
    in.reading = (ms_typed_options){
        .size = sizeof(ms_typed_options), .nodes = paths[NODES], .relations = paths[RELATIONS]};
  if (number == 1) {
    in.pattern = paths[PATTERN];
    in.text = false;
  } else if (number == 3) {
    in.graph_path = paths[COLUMNS];
    in.reading = (ms_typed_options){.size = sizeof(ms_typed_options),
                                    .format = MS_TYPED_TABLE,
                                    .directed = true,
                                    .source_column = "from",
                                    .target_column = "to",
                                    .type_column = "2",
                                    .source_type_column = "kind1",
                                    .target_type_column = "kind2"};
  } else if (number == 4) {
    in.graph_path = paths[HETIONET];
  } else if (number == 5 || number == 6) {
    in.graph_path = paths[PLAIN];
    in.plain = true;
    in.directed = number == 6;
    in.colors_path = number == 5 ? paths[COLORS] : NULL;
  }
  typed_inputs_read(&in);
  return in;
}

/* ---- verdicts ------------------------------------------------------------------------ */

static ms_status verify_bytes(const typed_inputs *in, matches_file file,
                              const ms_verify_options *given, ms_verify_report *report,
                              ms_error *err)
{
  ms_verify_options options = given ? *given
                                    : (ms_verify_options){.size = sizeof(ms_verify_options),
                                                          .graph.size = sizeof(ms_graph_options),
                                                          .colors.size = sizeof(ms_color_options),
                                                          .typed.size = sizeof(ms_typed_options)};
  options.pattern = options.pattern ? options.pattern : in->pattern;
  options.typed.nodes = in->reading.nodes;
  options.typed.relations = in->reading.relations;
  const char *path = files_write("result", file.bytes, file.size);
  return ms_verify_file(path, in->graph_path, in->colors_path, &options, report, err);
}

static ms_verify_report check(const typed_inputs *in, matches_file file,
                              const ms_verify_options *options)
{
  ms_verify_report report;
  ms_error err = {0};
  ms_status status = verify_bytes(in, file, options, &report, &err);
  ck_assert_msg(status == MS_OK, "%s", err.message);
  return report;
}

static void refuse(const typed_inputs *in, matches_file file, const char *problem)
{
  ms_verify_report report = check(in, file, NULL);
  ck_assert_msg(!report.accepted, "accepted, should be refused for '%s':\n%.*s", problem,
                (int)file.size, file.bytes);
  ck_assert_msg(strstr(report.problem, problem) != NULL, "refused for '%s', not '%s'",
                report.problem, problem);
}

/* The file may be no result at all, or one of another sort. */
static void refuse_or_fail(const typed_inputs *in, matches_file file, const char *what)
{
  ms_verify_report report;
  ms_error err = {0};
  ms_status status = verify_bytes(in, file, NULL, &report, &err);
  ck_assert_msg(status != MS_OK || !report.accepted, "accepted: %s", what);
  ck_assert_int_ne(status, MS_ERR_INTERNAL);
}

/* Results of eight inputs are accepted with the rows counted by hand: TSV and JSON, subgraphs and
 * embeddings. */
START_TEST(right_files_are_accepted)
{
  static const uint64_t subgraphs[CASES] = {2, 2, 1, 1, 1, 2, 6, 0};
  static const uint64_t embeddings[CASES] = {4, 4, 2, 1, 1, 4, 6, 0};
  for (int number = 0; number < CASES; number++) {
    typed_inputs in = inputs_of(number);
    for (unsigned variant = 0; variant < 4; variant++) {
      matches_layout layout = {
          .form = variant / 2 ? MATCHES_JSON : MATCHES_TSV, .embeddings = variant & 1, .drop = -1};
      matches_file file = typed_compose(&in, &layout);
      ms_verify_report report = check(&in, file, NULL);
      ck_assert_msg(report.accepted, "case %d: %s\n%.*s", number, report.problem, (int)file.size,
                    file.bytes);
      ck_assert(report.recounted && report.is_pattern && report.is_typed && !report.is_screen);
      ck_assert(!report.probabilistic && report.missing == 0);
      ck_assert_uint_eq(report.rows, file.rows);
      ck_assert_msg(file.rows == (layout.embeddings ? embeddings : subgraphs)[number],
                    "case %d: %" PRIu64 " rows", number, file.rows);
      free(file.bytes);
    }
    typed_inputs_free(&in);
  }
}
END_TEST

/* A result with gzip around it is accepted. */
START_TEST(packed_files_are_accepted)
{
  typed_inputs in = inputs_of(4);
  matches_file file = typed_compose(&in, &(matches_layout){.drop = -1});
  ms_verify_report report;
  const char *path = files_write_gzip("result.gz", file.bytes, file.size, 1);
  ms_verify_options options = {.size = sizeof(ms_verify_options),
                               .graph.size = sizeof(ms_graph_options),
                               .colors.size = sizeof(ms_color_options),
                               .typed.size = sizeof(ms_typed_options),
                               .pattern = in.pattern};
  ck_assert_int_eq(ms_verify_file(path, in.graph_path, NULL, &options, &report, NULL), MS_OK);
  ck_assert_msg(report.accepted && report.rows == file.rows, "%s", report.problem);
  free(file.bytes);
  typed_inputs_free(&in);
}
END_TEST

/* ---- forgeries ------------------------------------------------------------------------ */

static void refuse_forgeries(int number, matches_form form, const matches_forgery *forgeries,
                             size_t count)
{
  typed_inputs in = inputs_of(number);
  matches_file file = typed_compose(&in, &(matches_layout){.form = form, .drop = -1});
  for (size_t i = 0; i < count; i++) {
    matches_file forged = matches_forge(file, form, forgeries[i].from, forgeries[i].to);
    refuse(&in, forged, forgeries[i].problem);
    free(forged.bytes);
  }
  free(file.bytes);
  typed_inputs_free(&in);
}

/* Each of 14 forged rows of TSV with a right checksum is refused for its reason. */
START_TEST(wrong_rows_are_refused)
{
  static const matches_forgery forgeries[] = {
      {"\n1\td1\tg1\td2\n", "\n1\td1\tg3\td2\n", "line 11: match 1 lacks an edge"},
      {"\n1\td1\tg1\td2\n", "\n1\td1\tg1\td1\n", "line 11: match 1 repeats a vertex"},
      {"\n1\td1\tg1\td2\n", "\n1\td1\tg1\tg2\n", "line 11: match 1 holds a vertex whose type"},
      {"\n1\td1\tg1\td2\n", "\n1\td2\tg1\td1\n", "line 11: match 1 is not the smallest"},
      {"\n1\td1\tg1\td2\n", "\n1\td1\tg1\tnobody\n", "line 11: 'nobody' is not a vertex"},
      {"\n1\td1\tg1\td2\n", "\n1\td1\tg1\n", "line 11: the row does not have 4 columns"},
      {"\n1\td1\tg1\td2\n", "\n1\td1\tg1\td2\tg2\n", "line 11: the row does not have 4 columns"},
      {"\n1\td1\tg1\td2\n", "\n3\td1\tg1\td2\n", "line 11: match 1 is numbered 3"},
      {"\n2\td1\tg2\td2\n", "\n2\td1\tg1\td2\n", "line 12: match 2 repeats an earlier"},
      {"\n2\td1\tg2\td2\n", "\n2\td1\tg2\td2\n3\td1\tg1\td2\n", "line 13: match 3 repeats"},
      {"\n2\td1\tg2\td2\n", "\n", "the end says 2 rows, but there are 1"},
      {"# matches: 2", "# matches: 3", "line 14: the end says 3 matches"},
      {"# status: complete", "# status: done", "line 13: the line '# status: ' cannot"},
      {"rows=2", "rows=3", "the end says 3 rows, but there are 2"},
  };
  refuse_forgeries(0, MATCHES_TSV, forgeries, COUNT(forgeries));
}
END_TEST

/* Each of 22 forged headers with a right checksum is refused for its reason. */
START_TEST(wrong_headers_are_refused)
{
  static const matches_forgery forgeries[] = {
      {"0.1.0 match", "0.1.0 watch", "line 1: the header's command"},
      {"0.1.0 match", "0.1.0 list", "line 1: a result of list has no pattern"},
      {"# kind: typed\n", "", "line 2: the header line '# graph: ' cannot"},
      {"# kind: typed\n", "# kind: plain\n", "line 5: the header line '# kind: ' cannot"},
      {"vertices=6 edges=12", "vertices=6 edges=11", "line 2: "},
      {"vertices=6 edges=12", "vertices=7 edges=12", "line 2: "},
      {"format=table", "format=hetionet", "line 2: "},
      {"format=table", "format=none", "line 2: the header line '# graph: ' cannot"},
      {"format=table", "format=table min_score=0 keep_taxon=0 header=0", "line 3: "},
      {"format=table\n", "format=table\n# directed: 0\n", "line 3: "},
      {"format=table\n", "format=table\n# taxon: 1\n", "line 3: "},
      {"# kind: ", "# type_column: \n# kind: ", "line 5: "},
      {"# kind: ", "# type_column: target\n# kind: ", "lacks an edge"},
      {" vertices=3 edges=2\n", " vertices=4 edges=2\n", "line 10: "},
      {" vertices=3 edges=2\n", " vertices=3 edges=3\n", "line 6: "},
      {" vertices=3 edges=2\n", " vertices=0 edges=2\n", "line 6: "},
      {" vertices=3 edges=2\n", " vertices=257 edges=2\n", "line 6: "},
      {" vertices=3 edges=2\n", " vertices=3 edges=2 format=tve\n", "line 6: "},
      {"semantics: subgraphs", "semantics: subgraphs induce", "line 7: "},
      {"semantics: subgraphs", "semantics: embeddings", "2 matches are missing"},
      {"automorphisms: 2", "automorphisms: 1", "line 8: the pattern has 2"},
      {"mode: exact", "mode: screened", "the header line '# recurrence: ' is missing"},
      {"mode: exact", "mode: sieved", "line 9: "},
      {"match\ta\tg\tb", "match\ta\tg", "line 10: "},
      {"match\ta\tg\tb", "match\ta\tb\tg", "line 10: pattern vertex 1 is called 'g', not 'b'"},
  };
  refuse_forgeries(0, MATCHES_TSV, forgeries, COUNT(forgeries));
}
END_TEST

/* Each of 22 forged JSON results with a right checksum is refused for its reason. */
START_TEST(wrong_json_is_refused)
{
  static const matches_forgery forgeries[] = {
      {"[\"d1\",\"g1\",\"d2\"]", "[\"d1\",\"g3\",\"d2\"]", "line 2: match 1 lacks an edge"},
      {"[\"d1\",\"g1\",\"d2\"]", "[\"d1\",\"g1\"]", "line 2: match 1 has 2 vertices"},
      {"[\"d1\",\"g1\",\"d2\"]", "[\"d1\",\"g1\",3]", "line 2: vertices must be names"},
      {"[\"d1\",\"g2\",\"d2\"]", "[\"d1\",\"g1\",\"d2\"]", "line 3: match 2 repeats"},
      {"\"match\":2", "\"match\":3", "line 3: match 2 is numbered 3"},
      {"\"match\":2", "\"match\":2,\"score\":1", "line 3: the row has a key too many"},
      {"\"matches\":\"2\"", "\"matches\":\"1\"", "line 4: the end says 1 matches"},
      {"\"rows\":2", "\"rows\":1", "the end says 1 rows"},
      {"\"text\":\"(a", "\"name\":\"(a", "line 1: the header's \"pattern\""},
      {"\"names\":[\"a\"", "\"names\":[\"c\"", "line 1: pattern vertex 0"},
      {"\"names\":[\"a\",", "\"names\":[", "line 1: the header's \"pattern\""},
      {"\"format\":\"table\"", "\"format\":\"none\"", "line 1: the header's \"graph\""},
      {"\"format\":\"table\"", "\"format\":\"table\",\"directed\":false", "header's \"graph\""},
      {"\"format\":\"table\"", "\"format\":\"table\",\"taxon\":\"1\"", "header's \"graph\""},
      {"\"nodes\":{\"path\"", "\"nodes\":{\"name\"", "line 1: the header's \"graph\""},
      {"\"semantics\":\"subgraphs\"", "\"semantics\":\"orbits\"", "the header's \"semantics\""},
      {"\"semantics\":\"subgraphs\"", "\"semantics\":\"embeddings\"", "2 matches are missing"},
      {"\"automorphisms\":\"2\"", "\"automorphisms\":\"4\"", "line 1: the pattern has 2"},
      {"\"induced\":false,", "", "line 1: the header's \"induced\""},
      {"\"mode\":\"exact\"", "\"mode\":\"exact\",\"engine\":\"x\"", "\"ordered\""},
      {"\"mode\":\"exact\"", "\"mode\":\"guessed\"", "line 1: the header's \"mode\""},
      {"\"schema\":1", "\"schema\":2", "line 1: the header's \"schema\""},
      {"\"command\":\"match\"", "\"command\":\"list\"", "line 1: a result of list has no pattern"},
      {"\"kind\":\"typed\",", "", "line 1: the header's \"graph\""},
  };
  refuse_forgeries(0, MATCHES_JSON, forgeries, COUNT(forgeries));
}
END_TEST

/* A result that claims to be induced is refused at the first match with a further edge, in TSV and
 * JSON. */
START_TEST(induced_is_checked)
{
  static const matches_forgery tsv[] = {{"semantics: subgraphs", "semantics: subgraphs induced",
                                         "has an edge where the pattern has none"}};
  static const matches_forgery json[] = {
      {"\"induced\":false", "\"induced\":true", "has an edge where the pattern has none"}};
  refuse_forgeries(6, MATCHES_TSV, tsv, COUNT(tsv));
  refuse_forgeries(6, MATCHES_JSON, json, COUNT(json));
}
END_TEST

/* A match of two parallel edges is accepted, and refused at a pair of vertices that one edge
 * joins. */
START_TEST(parallel_edges_are_counted)
{
  static const matches_forgery forgeries[] = {
      {"\n1\td1\tg1\n", "\n1\td2\tg1\n", "line 11: match 1 lacks an edge"}};
  typed_inputs in = inputs_of(0);
  typed_inputs_free(&in);
  in = (typed_inputs){.graph_path = paths[TABLE],
                      .reading = in.reading,
                      .pattern = "(a)-[binds]->(g), (a)-[binds]->(g)",
                      .text = true};
  typed_inputs_read(&in);
  matches_file file = typed_compose(&in, &(matches_layout){.drop = -1});
  ck_assert_uint_eq(file.rows, 1);
  ck_assert(check(&in, file, NULL).accepted);
  matches_file forged = matches_forge(file, MATCHES_TSV, forgeries[0].from, forgeries[0].to);
  refuse(&in, forged, forgeries[0].problem);
  free(forged.bytes);
  free(file.bytes);
  typed_inputs_free(&in);
}
END_TEST

/* A result without one of its rows is refused with that row, unless the recount is left out or the
 * result says that it ended early: TSV and JSON, subgraphs and embeddings. */
START_TEST(missing_rows_are_refused)
{
  typed_inputs in = inputs_of(0);
  for (unsigned variant = 0; variant < 4; variant++) {
    matches_layout layout = {
        .form = variant / 2 ? MATCHES_JSON : MATCHES_TSV, .embeddings = variant & 1, .drop = 1};
    matches_file file = typed_compose(&in, &layout);
    refuse(&in, file, "1 match is missing, for example d1,g2,d2");
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
      file = typed_compose(&in, &layout);
      report = check(&in, file, NULL);
      ck_assert_msg(report.accepted && !report.recounted, "%s", report.problem);
      free(file.bytes);
    }
  }
  typed_inputs_free(&in);
}
END_TEST

/* A result with any line left out or doubled and a right checksum is refused. */
START_TEST(lines_left_out_are_refused)
{
  typed_inputs in = inputs_of(0);
  matches_file file = typed_compose(&in, &(matches_layout){.drop = -1});
  for (char *line = file.bytes, *next; line < file.bytes + file.size; line = next) {
    next = strchr(line, '\n') + 1;
    char *bytes = malloc(file.size + (size_t)(next - line));
    size_t before = (size_t)(line - file.bytes), length = (size_t)(next - line);
    matches_file less = {bytes, file.size - length, 0};
    memcpy(bytes, file.bytes, before);
    memcpy(bytes + before, next, file.size - before - length);
    bool sealed = next < file.bytes + file.size;
    refuse_or_fail(&in, sealed ? matches_seal(less, MATCHES_TSV) : less, "a line less");
    matches_file more = {bytes, file.size + length, 0};
    memcpy(bytes, file.bytes, before + length);
    memcpy(bytes + before + length, line, file.size - before);
    refuse_or_fail(&in, matches_seal(more, MATCHES_TSV), "a line twice");
    free(bytes);
  }
  free(file.bytes);
  typed_inputs_free(&in);
}
END_TEST

/* ---- what is given -------------------------------------------------------------------------- */

static ms_status verify_given(const char *graph, const char *colors, const char *pattern,
                              const char *nodes, const char *relations, ms_verify_report *report,
                              ms_error *err)
{
  ms_verify_options options = {
      .size = sizeof(ms_verify_options),
      .graph.size = sizeof(ms_graph_options),
      .colors.size = sizeof(ms_color_options),
      .pattern = pattern,
      .typed = {.size = sizeof(ms_typed_options), .nodes = nodes, .relations = relations}};
  memset(err, 0, sizeof *err);
  return ms_verify_file(files_path("result"), graph, colors, &options, report, err);
}

static void must_fail(ms_status status, const ms_error *err, const char *part)
{
  ck_assert_int_eq(status, MS_ERR_USAGE);
  ck_assert_msg(strstr(err->message, part) != NULL, "'%s' lacks '%s'", err->message, part);
}

/* The judge says which of pattern, nodes and relations is missing or not wanted, and refuses other
 * files than those of the result: TSV and JSON. */
START_TEST(what_must_be_given)
{
  const char *table = paths[TABLE], *nodes = paths[NODES], *relations = paths[RELATIONS];
  ms_verify_report report;
  ms_error err;
  for (int form = MATCHES_TSV; form <= MATCHES_JSON; form++) {
    typed_inputs in = inputs_of(1);
    const char *p = in.pattern;
    matches_file file = typed_compose(&in, &(matches_layout){.form = form, .drop = -1});
    files_write("result", file.bytes, file.size);
    ck_assert_int_eq(verify_given(table, NULL, p, nodes, relations, &report, &err), MS_OK);
    ck_assert_msg(report.accepted, "%s", report.problem);
    must_fail(verify_given(table, NULL, NULL, nodes, relations, &report, &err), &err,
              "give it with `pattern`");
    must_fail(verify_given(table, NULL, p, NULL, relations, &report, &err), &err,
              "with `typed.nodes`");
    must_fail(verify_given(table, NULL, p, nodes, NULL, &report, &err), &err,
              "with `typed.relations`");
    must_fail(verify_given(table, paths[COLORS], p, nodes, relations, &report, &err), &err,
              "without `colors_path`");
    must_fail(verify_given(table, NULL, "(a)-(b)", nodes, relations, &report, &err), &err,
              "the pattern");
    const struct {
      const char *graph, *pattern, *nodes, *relations, *problem;
    } others[] = {{paths[COLUMNS], p, nodes, relations, "is not the graph file"},
                  {table, "(a:Drug)-[binds]->(g:Gene)", nodes, relations, "is not the pattern"},
                  {table, paths[HETIONET], nodes, relations, "is not the pattern"},
                  {table, p, paths[NODES], nodes, "is not the relation file"},
                  {table, p, paths[COLORS], relations, "is not the node file"}};
    for (size_t i = 0; i < COUNT(others); i++) {
      ms_status status = verify_given(others[i].graph, NULL, others[i].pattern, others[i].nodes,
                                      others[i].relations, &report, &err);
      ck_assert_msg(status != MS_OK || !report.accepted, "accepted: %s", others[i].problem);
      ck_assert_msg(strstr(status == MS_OK ? report.problem : err.message, others[i].problem) ||
                        status == MS_ERR_INPUT,
                    "'%s%s' lacks '%s'", err.message, report.problem, others[i].problem);
    }
    free(file.bytes);
    typed_inputs_free(&in);
  }
}
END_TEST

/* A result on a plain graph needs its colours, and takes no table of nodes. */
START_TEST(plain_graphs_have_colors)
{
  ms_verify_report report;
  ms_error err;
  typed_inputs in = inputs_of(5);
  matches_file file = typed_compose(&in, &(matches_layout){.drop = -1});
  files_write("result", file.bytes, file.size);
  must_fail(verify_given(paths[PLAIN], NULL, in.pattern, NULL, NULL, &report, &err), &err,
            "with `colors_path`");
  must_fail(
      verify_given(paths[PLAIN], paths[COLORS], in.pattern, paths[NODES], NULL, &report, &err),
      &err, "without `typed.nodes`");
  free(file.bytes);
  typed_inputs_free(&in);
}
END_TEST

/* ---- inexact results, stopping, memory ---------------------------------------------------------
 */

/* A result of --inexact is refused as such, and as damaged where it is damaged: TSV and JSON. */
START_TEST(inexact_results_are_not_verified)
{
  static const char *const from[] = {"# semantics: subgraphs\n# automorphisms: 2\n# mode: exact\n",
                                     "\"mode\":\"exact\""};
  static const char *const to[] = {"# mode: inexact\n# walk: euler\n# walk_length: 9\n"
                                   "# best_score: 4\n",
                                   "\"mode\":\"inexact\",\"best_score\":4"};
  typed_inputs in = inputs_of(0);
  for (int form = MATCHES_TSV; form <= MATCHES_JSON; form++) {
    ms_verify_report report;
    ms_error err = {0};
    matches_file file = typed_compose(&in, &(matches_layout){.form = form, .drop = -1});
    matches_file inexact = matches_forge(file, form, from[form], to[form]);
    must_fail(verify_bytes(&in, inexact, NULL, &report, &err), &err, "inexact search");
    char *name = memmem(inexact.bytes, inexact.size, "g2", 2); /* of a row, or of the path above */
    name[1] = '3';
    refuse(&in, inexact, "changed or damaged");
    free(inexact.bytes);
    free(file.bytes);
  }
  typed_inputs_free(&in);
}
END_TEST

/* A recount that meets its deadline leaves the result accepted and not recounted; a check that does
 * is unfinished. */
START_TEST(recount_stops)
{
  typed_inputs in = inputs_of(0);
  matches_file file = typed_compose(&in, &(matches_layout){.drop = -1});
  ms_verify_options options = {.size = sizeof(ms_verify_options),
                               .graph.size = sizeof(ms_graph_options),
                               .colors.size = sizeof(ms_color_options),
                               .typed.size = sizeof(ms_typed_options)};
  options.recount_seconds = 1e-9;
  ms_verify_report report = check(&in, file, &options);
  ck_assert(report.accepted && !report.recounted && report.run.stopped == MS_ERR_LIMIT);
  ck_assert_int_eq(report.completeness, MS_COMPLETENESS_BELIEVED);
  ck_assert_int_eq(ms_stop_new(&options.run.stop, NULL), MS_OK);
  ms_stop_after(options.run.stop, 1e-9);
  report = check(&in, file, &options);
  ck_assert(report.outcome == MS_VERIFY_UNFINISHED && report.run.stopped == MS_ERR_LIMIT);
  ms_stop_free(options.run.stop);
  free(file.bytes);
  typed_inputs_free(&in);
}
END_TEST

static ms_status verify_once(void *user, ms_error *err)
{
  const typed_inputs *in = user;
  ms_verify_options options = {.size = sizeof(ms_verify_options),
                               .graph.size = sizeof(ms_graph_options),
                               .colors.size = sizeof(ms_color_options),
                               .pattern = in->pattern,
                               .typed = in->reading};
  ms_verify_report report;
  options.typed.size = sizeof options.typed;
  options.typed.run.threads = 1;
  ms_status status =
      ms_verify_file(files_path("result"), in->graph_path, in->colors_path, &options, &report, err);
  ck_assert_msg(status != MS_OK || report.accepted, "%s", report.problem);
  return status;
}

/* Whichever allocation fails in the judge, it reports that and leaks no block: a typed and a plain
 * graph. */
START_TEST(survives_failing_memory)
{
  for (int number = 1; number <= 5; number += 4) {
    typed_inputs in = inputs_of(number);
    matches_file file = typed_compose(&in, &(matches_layout){.drop = -1});
    files_write("result", file.bytes, file.size);
    ck_assert_int_gt(failing_runs_survived(verify_once, &in), 20);
    free(file.bytes);
    typed_inputs_free(&in);
  }
}
END_TEST

TEST_MAIN("typed: result files", BEFORE_ALL(set_up), TEST(right_files_are_accepted),
          TEST(packed_files_are_accepted), TEST(wrong_rows_are_refused),
          TEST(wrong_headers_are_refused), TEST(wrong_json_is_refused), TEST(induced_is_checked),
          TEST(parallel_edges_are_counted), TEST(missing_rows_are_refused),
          TEST(lines_left_out_are_refused), TEST(what_must_be_given),
          TEST(plain_graphs_have_colors), TEST(inexact_results_are_not_verified),
          TEST(recount_stops), TEST(survives_failing_memory))
