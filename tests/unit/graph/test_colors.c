/* Colour files: GO annotations (GAF) and node tables. Plain tables and the GO slim are tested in
 * test_graph.c. */
#include "graph/graph.h"
#include "tests/support/allocations.h"
#include "tests/support/files.h"
#include "tests/support/results/malform.h"
#include "tests/support/test_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ms_error err;

static ms_graph *small_graph(void)
{
  static const char text[] = "YA YB\nYB YC\nYC YD\nYD S4\n";
  ms_graph *graph = NULL;
  ck_ok(ms_graph_read(files_write("net.txt", text, sizeof text - 1), NULL, &graph, &err));
  return graph;
}

static ms_coloring *read_colors(const ms_graph *graph, const char *text,
                                const ms_color_options *options)
{
  ms_coloring *coloring = NULL;
  ms_color_options whole = MS_COLOR_OPTIONS_DEFAULT;
  if (options)
    whole = *options;
  whole.size = sizeof whole;
  ck_ok(ms_coloring_read(files_write_text("colors.txt", text), graph, &whole, &coloring, &err));
  return coloring;
}

static int by_text(const void *a, const void *b)
{
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The colours of a vertex by name: "a; b". */
static const char *colors_of(const ms_graph *graph, const ms_coloring *coloring, const char *vertex)
{
  static char text[500];
  const char *names[20];
  uint32_t count, v = ms_graph_find(graph, vertex);
  const uint32_t *colors = ms_coloring_of(coloring, v, &count);
  ck_assert(count <= 20);
  for (uint32_t i = 0; i < count; i++)
    names[i] = ms_coloring_name(coloring, colors[i]);
  qsort(names, count, sizeof *names, by_text);
  text[0] = '\0';
  for (uint32_t i = 0; i < count; i++)
    snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", i ? "; " : "", names[i]);
  return text;
}

/* The status, and on failure that nothing came out. */
static ms_status try_colors(const ms_graph *graph, const char *path,
                            const ms_color_options *options)
{
  ms_coloring *coloring = NULL;
  ms_color_options whole = *options;
  whole.size = sizeof whole;
  ms_status status = ms_coloring_read(path, graph, &whole, &coloring, &err);
  ck_assert((status == MS_OK) == (coloring != NULL));
  ms_coloring_free(coloring);
  return status;
}

/* ---- GAF ------------------------------------------------------------------- */

#define HEAD "!gaf-version: 2.2\n!generated-by: test\n"
#define LINE(object, symbol, qualifier, term, aspect, synonyms)                                    \
  "DB\t" object "\t" symbol "\t" qualifier "\t" term "\tPMID:1\tIEA\t\t" aspect "\tn\t" synonyms   \
  "\tprotein\ttaxon:1\t20200101\tDB\t\t\n"

/* A GAF line colours the vertex named by its object id, else by its symbol, else by its first
 * synonym that is a vertex: six lines, of which two name no vertex. */
START_TEST(gaf_vertices)
{
  static const char gaf[] = HEAD /* object id, symbol, synonyms, in this order */
      LINE("YA", "YB", "", "T:1", "P", "YC|YD") LINE("x", "YB", "", "T:2", "F", "YC|YD")
          LINE("x", "y", "", "T:3", "C", "|no | YC |YD") LINE("x", "y", "", "T:4", "P", "no|YD")
              LINE("x", "y", "", "T:5", "P", "") LINE("x", "y", "", "T:6", "P", "YA YB");
  ms_graph *graph = small_graph();
  ms_coloring *c = read_colors(graph, gaf, NULL);
  ms_coloring_info info = ms_coloring_describe(c);
  ck_assert_int_eq(info.format, MS_COLORS_GAF);
  ck_assert_str_eq(colors_of(graph, c, "YA"), "T:1");
  ck_assert_str_eq(colors_of(graph, c, "YB"), "T:2");
  ck_assert_str_eq(colors_of(graph, c, "YC"), "T:3");
  ck_assert_str_eq(colors_of(graph, c, "YD"), "T:4");
  ck_assert_uint_eq(info.colors, 6);
  ck_assert_uint_eq(info.assignments, 4);
  ck_assert_uint_eq(info.unknown_vertices, 2);
  ck_assert_uint_eq(info.lines, 8);
  ck_assert(info.negated == 0 && info.unmapped == 0 && info.outside_slim == 0);
  ck_assert(info.obo_crc32c == 0 && info.slim_crc32c == 0 && !info.slim_is_file);
  ms_coloring_free(c);
  ms_graph_free(graph);
}
END_TEST

/* Lines whose qualifier holds NOT as a word colour nothing, and an option limits the aspects: six
 * lines, read with all aspects and with two. */
START_TEST(gaf_qualifiers_and_aspects)
{
  static const char gaf[] = HEAD LINE("YA", "y", "NOT", "T:1", "P", "")
      LINE("YA", "y", "NOT|enables", "T:2", "F", "") LINE("YA", "y", "enables|NOT", "T:3", "F", "")
          LINE("YA", "y", "NOTE", "T:4", "F", "") LINE("YA", "y", "involved_in", "T:5", "P", "")
              LINE("YA", "y", "part_of", "T:6", "C", "");
  ms_graph *graph = small_graph();
  ms_coloring *c = read_colors(graph, gaf, NULL);
  ck_assert_str_eq(colors_of(graph, c, "YA"), "T:4; T:5; T:6");
  ck_assert_uint_eq(ms_coloring_describe(c).negated, 3);
  ms_coloring_free(c);
  c = read_colors(graph, gaf,
                  &(ms_color_options){.size = sizeof(ms_color_options), .aspects = "CP"});
  ck_assert_str_eq(colors_of(graph, c, "YA"), "T:5; T:6");
  ck_assert_uint_eq(ms_coloring_describe(c).negated, 1);
  ck_assert_uint_eq(ms_coloring_find(c, "T:4"), UINT32_MAX);
  ms_coloring_free(c);
  ms_graph_free(graph);
}
END_TEST

/* Only a file whose first line with content states a GAF version is taken for GAF, and the format
 * option overrides that: six heads. */
START_TEST(gaf_is_told_by_its_version)
{
  static const struct {
    const char *head;
    bool gaf;
  } cases[] = {
      {"!gaf-version: 2.0\n", true},           {"\xEF\xBB\xBF!gaf-version: 2.1\r\n", true},
      {"\n!\n# x\n!gaf-version: 2.2\n", true}, {"", false},
      {"! gaf-version: 2.2\n", false},         {"YA\tred\n!gaf-version: 2.2\n", false},
  };
  static const char line[] = LINE("YA", "y", "", "T:1", "P", "");
  ms_graph *graph = small_graph();
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[300];
    snprintf(text, sizeof text, "%s%s", cases[i].head, line);
    if (cases[i].gaf) {
      ms_coloring *c = read_colors(graph, text, NULL);
      ck_assert_int_eq(ms_coloring_describe(c).format, MS_COLORS_GAF);
      ms_coloring_free(c);
      continue;
    }
    ms_coloring *c;
    ms_status status =
        ms_coloring_read(files_write_text("colors.txt", text), graph, NULL, &c, &err);
    ck_assert(status == MS_ERR_INPUT || ms_coloring_describe(c).format == MS_COLORS_TSV);
    ms_coloring_free(c);
  }
  ms_coloring *c = read_colors(
      graph, line, &(ms_color_options){.size = sizeof(ms_color_options), .format = MS_COLORS_GAF});
  ck_assert_str_eq(colors_of(graph, c, "YA"), "T:1");
  ms_coloring_free(c);
  ms_graph_free(graph);
}
END_TEST

/* Columns behind the 15th may be missing or many: three lines. */
START_TEST(gaf_columns)
{
  static const char gaf[] = HEAD "DB\tYA\ty\t\tT:1\tR\tIEA\t\tP\t\t\tprotein\ttaxon:1\t2020\tDB\n"
                                 "DB\tYB\ty\t\tT:2\tR\tIEA\t\tP\t\t\tprotein\ttaxon:1\t2020\tDB\t\n"
                                 "DB\tYC\ty\t\tT:3\tR\tIEA\t\tP\t\t\tx\ty\tz\tDB\t1\t2\t3\t4\r\n";
  ms_graph *graph = small_graph();
  ms_coloring *c = read_colors(graph, gaf, NULL);
  ck_assert_uint_eq(ms_coloring_describe(c).assignments, 3);
  ms_coloring_free(c);
  ms_graph_free(graph);
}
END_TEST

static const char obo[] =
    "format-version: 1.2\nsubsetdef: broad \"b\"\nsubsetdef: fine \"f\"\n"
    "default-namespace: process\n"
    "[Term]\nid: T:1\nname: process\nsubset: broad\n"
    "[Term]\nid: T:2\nname: repair\nis_a: T:1\nalt_id: T:22\nsubset: broad\nsubset: fine\n"
    "[Term]\nid: T:3\nname: excision\nrelationship: part_of T:2\n"
    "[Term]\nid: T:4\nname: copying\nis_a: T:1\nsubset: fine\n"
    "[Term]\nid: T:5\nname: both\nis_a: T:3\nis_a: T:4\n"
    "[Term]\nid: T:6\nname: repair\nis_a: T:1\n"
    "[Term]\nid: T:7\nname: gone\nis_obsolete: true\nreplaced_by: T:3\n"
    "[Term]\nid: T:8\nname: lost\nis_obsolete: true\n"
    "[Term]\nid: F:1\nname: binding\nnamespace: function\nrelationship: part_of T:2\n";

static const char annotations[] =
    HEAD LINE("YA", "y", "", "T:3", "P", "") LINE("YA", "y", "", "T:22", "P", "")
        LINE("YB", "y", "", "T:5", "P", "") LINE("YB", "y", "", "T:6", "P", "")
            LINE("YB", "y", "NOT", "T:4", "P", "") LINE("YC", "y", "", "T:7", "P", "")
                LINE("YC", "y", "", "F:1", "F", "") LINE("YD", "y", "", "T:8", "P", "")
                    LINE("YD", "y", "", "T:99", "P", "") LINE("x", "y", "", "T:5", "P", "");

static ms_coloring *read_annotations(const ms_graph *graph, ms_color_options options)
{
  char path[1024];
  strcpy(path, files_write("terms.obo", obo, sizeof obo - 1));
  options.obo = path;
  return read_colors(graph, annotations, &options);
}

/* With an ontology, colours are called by names of terms, alternative and replaced ids lead to
 * their terms, and two terms of one name stay apart: the colours of five vertices and five
 * look-ups. */
START_TEST(gaf_names_of_terms)
{
  ms_graph *graph = small_graph();
  ms_coloring *c = read_annotations(graph, (ms_color_options){.size = sizeof(ms_color_options)});
  ms_coloring_info info = ms_coloring_describe(c);
  ck_assert_str_eq(colors_of(graph, c, "YA"), "excision; repair");
  ck_assert_str_eq(colors_of(graph, c, "YB"), "both; repair (T:6)");
  ck_assert_str_eq(colors_of(graph, c, "YC"), "binding; excision");
  ck_assert_str_eq(colors_of(graph, c, "YD"), "T:8; T:99");
  ck_assert_str_eq(colors_of(graph, c, "S4"), "");
  ck_assert(info.negated == 1 && info.unmapped == 2 && info.outside_slim == 0);
  ck_assert(info.unknown_vertices == 1 && info.obo_crc32c != 0);
  static const char *const same[][2] = {{"T:3", "excision"},
                                        {"T:2", "repair"},
                                        {"T:22", "repair"},
                                        {"T:7", "excision"},
                                        {"T:6", "repair (T:6)"}};
  for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
    ck_assert_uint_ne(ms_coloring_find(c, same[i][0]), UINT32_MAX);
    ck_assert_uint_eq(ms_coloring_find(c, same[i][0]), ms_coloring_find(c, same[i][1]));
  }
  ms_coloring_free(c);
  ms_graph_free(graph);
}
END_TEST

/* Terms are mapped to the nearest terms of a slim, which is a subset of the ontology or a list in a
 * file: two subsets and one list. */
START_TEST(gaf_slims)
{
  ms_graph *graph = small_graph();
  ms_coloring *c =
      read_annotations(graph, (ms_color_options){.size = sizeof(ms_color_options), .slim = "fine"});
  ms_coloring_info info = ms_coloring_describe(c);
  ck_assert_str_eq(colors_of(graph, c, "YA"), "repair"); /* T:3 and T:22, T:2 itself */
  ck_assert_str_eq(colors_of(graph, c, "YB"), "copying; repair");
  ck_assert_str_eq(colors_of(graph, c, "YC"), "repair"); /* not by its function */
  ck_assert_str_eq(colors_of(graph, c, "YD"), "");
  ck_assert_uint_eq(info.colors, 2);
  ck_assert_uint_eq(info.duplicates, 1);
  ck_assert_uint_eq(info.unmapped, 2);
  ck_assert_uint_eq(info.outside_slim, 2); /* T:6, F:1 */
  ck_assert_uint_eq(info.unknown_vertices, 1);
  ck_assert(!info.slim_is_file && info.slim_crc32c == 0);
  ck_assert_uint_eq(ms_coloring_find(c, "T:4"), ms_coloring_find(c, "copying"));
  ms_coloring_free(c);

  c = read_annotations(graph,
                       (ms_color_options){.size = sizeof(ms_color_options), .slim = "broad"});
  ck_assert_str_eq(colors_of(graph, c, "YA"), "repair");
  ck_assert_str_eq(colors_of(graph, c, "YB"), "process; repair"); /* T:6: process; T:5: repair */
  ms_coloring_free(c);

  char list[1024];
  strcpy(list, files_write("slim.txt", "copying\n", 8));
  c = read_annotations(graph, (ms_color_options){.size = sizeof(ms_color_options), .slim = list});
  info = ms_coloring_describe(c);
  ck_assert_str_eq(colors_of(graph, c, "YB"), "copying");
  ck_assert(info.slim_is_file && info.slim_crc32c != 0);
  ck_assert_uint_eq(info.assignments, 1);
  ms_coloring_free(c);
  ms_graph_free(graph);
}
END_TEST

static ms_status read_gaf(const char *path, void *user, ms_error *error)
{
  ms_coloring *coloring = NULL;
  ms_status status = ms_coloring_read(
      path, user, &(ms_color_options){.size = sizeof(ms_color_options), .format = MS_COLORS_GAF},
      &coloring, error);
  ck_assert((status == MS_OK) == (coloring != NULL));
  ms_coloring_free(coloring);
  return status;
}

#define GOOD LINE("YA", "y", "", "T:1", "P", "")
/* A line that ends behind the columns given. */
#define CUT_LINE(columns) HEAD GOOD columns "\n" GOOD

/* Each of 29 malformed GAF files is refused with its line and reason. */
START_TEST(gaf_is_refused)
{
  static const malform_case cases[] = {
      MALFORM("", 0, "holds no colours"),
      MALFORM(HEAD, 0, "holds no colours"),
      MALFORM("YA\tred\n", 1, "found 2"),
      MALFORM(HEAD "YA\n", 3, "found 1"),
      MALFORM(CUT_LINE("DB"), 4, "expected the 17 columns"),
      MALFORM(CUT_LINE("DB\tYA"), 4, "found 2"),
      MALFORM(CUT_LINE("DB\tYA\ty\t"), 4, "found 4"),
      MALFORM(CUT_LINE("DB\tYA\ty\t\tT:1"), 4, "found 5"),
      MALFORM(CUT_LINE("DB\tYA\ty\t\tT:1\tR\tIEA\t\tP"), 4, "found 9"),
      MALFORM(CUT_LINE("DB\tYA\ty\t\tT:1\tR\tIEA\t\tP\tn\ts\tprotein\tt\td"), 4, "found 14"),
      MALFORM(HEAD GOOD "DB YA y T:1 R IEA P n s protein t d DB\n", 4, "found 1"),
      MALFORM(HEAD LINE("", "y", "", "T:1", "P", ""), 3, "object id (column 2) is empty"),
      MALFORM(HEAD LINE("YA", "y", "", "", "P", ""), 3, "GO id (column 5) is empty"),
      MALFORM(HEAD LINE("YA", "y", "", " ", "P", ""), 3, "GO id (column 5) is empty"),
      MALFORM(HEAD LINE("YA", "y", "", "T:1", "", ""), 3, "not a GO aspect"),
      MALFORM(HEAD LINE("YA", "y", "", "T:1", "X", ""), 3, "not a GO aspect"),
      MALFORM(HEAD LINE("YA", "y", "", "T:1", "p", ""), 3, "not a GO aspect"),
      MALFORM(HEAD LINE("YA", "y", "", "T:1", "PF", ""), 3, "write P, F or C"),
      MALFORM(HEAD LINE("YA", "y", "", "T:1", "-1", ""), 3, "not a GO aspect"),
      MALFORM(HEAD GOOD LINE("Y\xC4", "y", "", "T:1", "P", ""), 4, "not valid UTF-8"),
      MALFORM(HEAD LINE("YA", "\xFF", "", "T:1", "P", ""), 3, "not valid UTF-8"),
      MALFORM(HEAD LINE("YA", "y", "", "T:1\xE9", "P", ""), 3, "not valid UTF-8"),
      MALFORM(HEAD LINE("YA", "y\x02", "", "T:1", "P", ""), 3, "control character"),
      MALFORM(HEAD LINE("YA", "y", "", "T:\0", "P", ""), 3, "NUL byte"),
      MALFORM("!gaf-version: 2.2\0\n" GOOD, 1, "NUL byte"),
      MALFORM(HEAD LINE("x", "y", "", "T:1", "P", "z"), 0,
              "such as 'y' (line 3); the graph has names like 'YA'"),
      MALFORM(HEAD LINE("YA", "y", "NOT", "T:1", "P", ""), 0, "gives no vertex a colour"),
      MALFORM("\x1F\x8B\x08", 0, "cut off"),
  };
  ms_graph *graph = small_graph();
  malform_refuses("colors.gaf", cases, sizeof cases / sizeof *cases, read_gaf, graph);
  ms_graph_free(graph);
}
END_TEST

/* Any mechanical damage (malform.h) of a GAF file is refused or read, and a failure leaves
 * nothing. */
START_TEST(gaf_survives_damage)
{
  static const char good[] =
      HEAD LINE("YA", "y", "", "T:1", "P", "a|b") "\n" LINE("YB", "y", "NOT|x", "T:2", "F", "");
  ms_graph *graph = small_graph();
  malform_damage("colors.gaf", good, sizeof good - 1, read_gaf, graph);
  ms_graph_free(graph);
}
END_TEST

/* An error in the ontology or the slim is reported with the name of that file: a damaged and a
 * missing ontology, an unknown slim, and a slim file with an unknown term. */
START_TEST(gaf_and_its_files)
{
  ms_graph *graph = small_graph();
  char gaf[1024], terms[1024];
  strcpy(gaf, files_write("colors.gaf", annotations, sizeof annotations - 1));
  strcpy(terms, files_write("bad.obo", "[Term]\nid: T:1\nname:\n", 21));
  ck_assert_int_eq(
      try_colors(graph, gaf, &(ms_color_options){.size = sizeof(ms_color_options), .obo = terms}),
      MS_ERR_INPUT);
  ck_assert_msg(strstr(err.message, "bad.obo:3: "), "%s", err.message);
  ck_assert_int_eq(try_colors(graph, gaf,
                              &(ms_color_options){.size = sizeof(ms_color_options),
                                                  .obo = files_path("none.obo")}),
                   MS_ERR_INPUT);
  ck_assert_msg(strstr(err.message, "none.obo: cannot open"), "%s", err.message);
  strcpy(terms, files_write("terms.obo", obo, sizeof obo - 1));
  ms_color_options options = {.size = sizeof(ms_color_options), .obo = terms, .slim = "borad"};
  ck_assert_int_eq(try_colors(graph, gaf, &options), MS_ERR_INPUT);
  ck_assert_msg(strstr(err.message, "'broad', 'fine'"), "%s", err.message);
  options.slim = files_write("slim.txt", "T:1\nT:77\n", 9);
  ck_assert_int_eq(try_colors(graph, gaf, &options), MS_ERR_INPUT);
  ck_assert_msg(strstr(err.message, "slim.txt:2: "), "%s", err.message);
  ms_graph_free(graph);
}
END_TEST

/* An option that does not go with the format of the file, or names an impossible column, is refused
 * for its reason: 13 combinations. */
START_TEST(options_of_other_formats)
{
  static const char table[] = "YA\tred\n", gaf[] = HEAD GOOD;
  static const char slim[] = "YA\ty\tS000000001\tP\tfolding\tGO:1\tORF\n";
  static const struct {
    const char *text;
    ms_color_options options;
    const char *part;
  } cases[] = {
      {table, {.obo = "x.obo"}, "this is not a GAF, GPAD or gene2go file"},
      {slim, {.obo = "x.obo"}, "it is read as go-slim"},
      {table, {.slim = "x"}, "without an ontology"},
      {gaf, {.slim = "x"}, "give the ontology, too"},
      {gaf, {.name_column = "1"}, "this is not a plain table"},
      {slim, {.color_column = "term"}, "it is read as go-slim"},
      {table, {.aspects = "P"}, "a GAF file"},
      {table, {.name_column = "0"}, "there is no column 0"},
      {table, {.color_column = "4294967297"}, "there is no column 4294967297"},
      {table, {.color_column = "99999999999999999999999"}, "columns are numbered from 1"},
      {table, {.color_column = "1"}, "both be column 1"},
      {table, {.name_column = "YA", .color_column = "1"}, "both be column 1"},
      {table, {.format = MS_COLORS_GRAPH}, "unknown colour format"},
  };
  ms_graph *graph = small_graph();
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const char *path = files_write("colors.txt", cases[i].text, strlen(cases[i].text));
    ck_assert_msg(try_colors(graph, path, &cases[i].options) == MS_ERR_USAGE, "case %zu", i);
    ck_assert_msg(strstr(err.message, cases[i].part), "case %zu: %s", i, err.message);
  }
  ms_graph_free(graph);
}
END_TEST

/* ---- layouts of tables -------------------------------------------------------- */

/* A table, the options, and the colours of YA, YB and YC. */
typedef struct layout_case {
  const char *text;
  ms_color_options options;
  ms_color_format format;
  const char *a, *b, *c;
} layout_case;

/* Each of 22 tables, wide, long and of lists, gives the same three vertices their colours. */
START_TEST(layouts)
{
  static const layout_case cases[] = {
      {"gene\tkin\tnuc\nYA\t1\t0\nYB\t0\t1\nYC\t1\t1\n",
       {0},
       MS_COLORS_WIDE,
       "kin",
       "nuc",
       "kin; nuc"},
      {"gene,kin,\"n, c\"\nYA,x,\nYB,,x\nYC,X,x\n",
       {0},
       MS_COLORS_WIDE,
       "kin",
       "n, c",
       "kin; n, c"},
      {"kin\tnuc\nYA\tTRUE\tFALSE\nYB\tFALSE\tTRUE\nYC\tTRUE\tTRUE\n",
       {0},
       MS_COLORS_WIDE,
       "kin",
       "nuc",
       "kin; nuc"},
      {",kin,nuc\nYA,1,0\nYB,0,1\nYC,1,1\n", {0}, MS_COLORS_WIDE, "kin", "nuc", "kin; nuc"},
      {"kin,orf,nuc\n1,YA,0\n0,YB,1\n1,YC,1\n",
       {.name_column = "orf"},
       MS_COLORS_WIDE,
       "kin",
       "nuc",
       "kin; nuc"},
      {"gene\tkin\nYA\tx\nYB\t\nYC\tx\n", {0}, MS_COLORS_WIDE, "kin", "", "kin"},
      {"gene\tkin\nYA\t1\nYB\t0\nYC\t1\n",
       {.format = MS_COLORS_WIDE},
       MS_COLORS_WIDE,
       "kin",
       "",
       "kin"},
      {"gene\tkin\nYA\t1\nYB\t0\nYC\t1\n", {.format = MS_COLORS_TSV}, MS_COLORS_TSV, "1", "0", "1"},
      {"YA\t1\nYB\t0\nYC\t1\n", {0}, MS_COLORS_TSV, "1", "0", "1"},
      {"gene\tcolour\nYA\tred\nYB\tblue\nYC\tred\n", {0}, MS_COLORS_TSV, "red", "blue", "red"},
      {"T:1\tYA, YB;YC\nT:2\tYB\n", {0}, MS_COLORS_LISTS, "T:1", "T:1; T:2", "T:1"},
      {"term\tgenes\nT:1\tYA|YC\nT:2\tYB | no\n", {0}, MS_COLORS_LISTS, "T:1", "T:2", "T:1"},
      {"T:1 YA,YB,YC\nT:2 YC,YA\n", {0}, MS_COLORS_LISTS, "T:1; T:2", "T:1", "T:1; T:2"},
      {"T:1\tYA YB YC\n", {0}, MS_COLORS_LISTS, "T:1", "T:1", "T:1"},
      {"T:1,\"YA,YB\"\nT:2,\"YC\"\n", {0}, MS_COLORS_LISTS, "T:1", "T:1", "T:2"},
      {"T:1\tYA\nT:2\tYB\nT:2\tYC\n",
       {.format = MS_COLORS_LISTS},
       MS_COLORS_LISTS,
       "T:1",
       "T:2",
       "T:2"},
      {"id\tname\tn\tgenes\n1\tone\t2\tYA|YB\n2\ttwo\t2\tYC|YB\n",
       {.name_column = "genes", .color_column = "name"},
       MS_COLORS_LISTS,
       "one",
       "one; two",
       "two"},
      {"YA\tred|blue\nYB\tblue\nYC\tred\n",
       {.separator = "|"},
       MS_COLORS_TSV,
       "blue; red",
       "blue",
       "red"},
      {"YA\tred|blue\nYB\tblue\nYC\tred\n",
       {.separator = "none"},
       MS_COLORS_TSV,
       "red|blue",
       "blue",
       "red"},
      {"YA\tred, dark; blue;\nYB\tblue\nYC\tred, dark\n",
       {.separator = ";"},
       MS_COLORS_TSV,
       "blue; red, dark",
       "blue",
       "red, dark"},
      {"YA\tx||y\nYB\tx|y\nYC\ty\n", {.separator = "||"}, MS_COLORS_TSV, "x; y", "x|y", "y"},
      {"n,kinds,orf\n1,a;b,YA\n2,b,YB\n3,,YC\n",
       {.name_column = "orf", .color_column = "kinds", .separator = ";"},
       MS_COLORS_TSV,
       "a; b",
       "b",
       ""},
  };
  ms_graph *graph = small_graph();
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const char *names[] = {"YA", "YB", "YC"}, *wanted[] = {cases[i].a, cases[i].b, cases[i].c};
    ms_coloring *c = read_colors(graph, cases[i].text, &cases[i].options);
    ck_assert_msg(ms_coloring_describe(c).format == cases[i].format, "case %zu", i);
    for (int v = 0; v < 3; v++) {
      const char *colors = colors_of(graph, c, names[v]);
      ck_assert_msg(strcmp(colors, wanted[v]) == 0, "case %zu: %s has '%s'", i, names[v], colors);
    }
    ms_coloring_free(c);
  }
  ms_graph_free(graph);
}
END_TEST

/* Each of 14 tables whose meaning is open, or whose names are of another kind, is refused by a
 * message that names the option to give. */
START_TEST(layouts_are_asked_about)
{
  static const struct {
    const char *text;
    ms_color_options options;
    const char *part;
  } cases[] = {
      {"gene\tkin\nYA\t1\nYB\t0\n", {0}, "colors.txt:1: the column 'kin' may mark the vertices"},
      {"YA\tYB,YC\nYB\tYC,YA\n", {0}, "`colors.format` lists"},
      {"YA\tr\nYB\tr|b\n", {0}, "colors.txt:2: 'r|b' seems to list several colours"},
      {"YA\tr;b\nYB\tb\n", {0}, "(`colors.separator` ';')"},
      {"q\tr\np\tr\nq\tb\no\tr\nn\tr\nYA\tr\n", {0}, "colors.txt: 5 of 6 lines name no vertex of "},
      {"q\tr\np\tr\nq\tb\no\tr\nn\tr\nYA\tr\n",
       {0},
       "such as 'q' (line 1), 'p' (line 2) and 'o' (line 4); the graph has names like 'YA'"},
      {"q\tr\np\tr\nYA\tr\n",
       {0},
       "(`aliases`), choose another column (`colors.name_column`), or skip"},
      {"r\tYA\nb\tYB\n", {0}, "choose column 2, which names vertices (`colors.name_column`)"},
      {"T\tno,nor,YA,not\n", {.format = MS_COLORS_LISTS}, "3 of 4 names in lists name no vertex"},
      {"gene\tkin\tnuc\nYA\t1\t2\n",
       {.format = MS_COLORS_WIDE},
       "colors.txt:2: column 3 of a wide table holds '2'"},
      {"gene\tkin\tnuc\nYA\t1\n", {.format = MS_COLORS_WIDE}, "colors.txt:2: expected 3 columns"},
      {"gene\tkin\tnuc\nYA\t1\t0\n",
       {.format = MS_COLORS_WIDE, .separator = "|"},
       "leave `colors.color_column` and"},
      {"gene\tkin\tnuc\nYA\t1\t0\n",
       {.format = MS_COLORS_WIDE, .name_column = "x"},
       "no column has the header 'x'"},
      {"YA\tr\n", {.separator = ""}, "the separator of colours is empty"},
  };
  ms_graph *graph = small_graph();
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    ms_color_options options = cases[i].options;
    options.size = sizeof options;
    const char *path = files_write_text("colors.txt", cases[i].text);
    ms_status status = try_colors(graph, path, &options);
    ck_assert_msg(status == MS_ERR_INPUT || status == MS_ERR_USAGE, "case %zu", i);
    ck_assert_msg(strstr(err.message, cases[i].part), "case %zu: %s", i, err.message);
  }
  /* the option keeps what is known */
  ms_coloring *c =
      read_colors(graph, "q\tr\np\tr\nYA\tr\n", &(ms_color_options){.ignore_unknown = true});
  ck_assert_str_eq(colors_of(graph, c, "YA"), "r");
  ck_assert_uint_eq(ms_coloring_describe(c).unknown_vertices, 2);
  ms_coloring_free(c);
  ms_graph_free(graph);
}
END_TEST

/* ---- node tables ----------------------------------------------------------- */

/* A node table gives the same colours with commas and with tabs, its columns chosen by name or by
 * number in five ways. */
START_TEST(node_tables)
{
  static const char csv[] = "\"SUID\",\"degree\",\"kind, of\",\"shared name\"\n"
                            "\"1\",\"3\",\"a, b\",\"YA\"\n"
                            "2,4,,YB\n"
                            "3,4,\"\",YC\n"
                            "4,4,c,YC,more\n"
                            "5,4,c,gone\n";
  static const char tab[] = "# a comment\nSUID\tdegree\tkind, of\tshared name\n"
                            "1\t3\ta, b\tYA\n2\t4\t\tYB\n3\t4\t \tYC\n4\t4\tc\tYC\tmore\n"
                            "5\t4\tc\tgone";
  static const ms_color_options options[] = {
      {.name_column = "shared name", .color_column = "kind, of"},
      {.name_column = "4", .color_column = "kind, of"},
      {.name_column = "shared name", .color_column = "3", .header = true},
      {.name_column = "4", .color_column = "3", .header = true},
      {.name_column = "4", .color_column = "3", .format = MS_COLORS_TSV},
  };
  ms_graph *graph = small_graph();
  for (size_t i = 0; i < sizeof options / sizeof *options; i++)
    for (int tabs = 0; tabs < 2; tabs++) {
      ms_coloring *c = read_colors(graph, tabs ? tab : csv, &options[i]);
      ms_coloring_info info = ms_coloring_describe(c);
      ck_assert_str_eq(colors_of(graph, c, "YA"), "a, b");
      ck_assert_str_eq(colors_of(graph, c, "YB"), "");
      ck_assert_str_eq(colors_of(graph, c, "YC"), "c");
      ck_assert_uint_eq(info.colors, 2); /* the last recognises the header by its title */
      ck_assert_uint_eq(info.unknown_vertices, 1);
      ck_assert_uint_eq(info.extra_columns, 0);
      ms_coloring_free(c);
    }
  ms_graph_free(graph);
}
END_TEST

/* Where one column is given, the other one is the first or the second: three tables. */
START_TEST(node_table_defaults)
{
  ms_graph *graph = small_graph();
  ms_coloring *c =
      read_colors(graph, "id\tx\tkind\nYA\t1\tred\n",
                  &(ms_color_options){.size = sizeof(ms_color_options), .color_column = "kind"});
  ck_assert_str_eq(colors_of(graph, c, "YA"), "red");
  ms_coloring_free(c);
  c = read_colors(graph, "x\tkind\tid\n1\tred\tYA\n",
                  &(ms_color_options){.size = sizeof(ms_color_options), .name_column = "id"});
  ck_assert_str_eq(colors_of(graph, c, "YA"), "red");
  ms_coloring_free(c);
  c = read_colors(graph, "red\tYA\n",
                  &(ms_color_options){
                      .size = sizeof(ms_color_options), .name_column = "2", .color_column = "1"});
  ck_assert_str_eq(colors_of(graph, c, "YA"), "red");
  ms_coloring_free(c);
  ms_graph_free(graph);
}
END_TEST

static const ms_color_options by_name = {
    .size = sizeof(ms_color_options), .name_column = "id", .color_column = "kind"};

typedef struct table_reader {
  const ms_graph *graph;
  const ms_color_options *options;
} table_reader;

static ms_status read_table(const char *path, void *user, ms_error *error)
{
  const table_reader *r = user;
  ms_coloring *coloring = NULL;
  ms_status status = ms_coloring_read(path, r->graph, r->options, &coloring, error);
  ck_assert((status == MS_OK) == (coloring != NULL));
  ms_coloring_free(coloring);
  return status;
}

/* Each of 23 malformed node tables with named columns, and of three with numbered ones, is refused
 * with its line and reason. */
START_TEST(node_tables_are_refused)
{
  static const malform_case named[] = {
      MALFORM("", 0, "holds no colours"),
      MALFORM("# id\tkind\n", 0, "holds no colours"),
      MALFORM("id\tkind\n", 0, "gives no vertex a colour"),
      MALFORM("id\tkind\nYA\t\n", 0, "gives no vertex a colour"),
      MALFORM("id\tKind\nYA\tred\n", 1, "has the header 'kind'; choose one of 'id', 'Kind'"),
      MALFORM("\"\",\"name\",\"kind\"\n1,YA,red\n", 1, "choose one of 'name', 'kind' and 1 more"),
      MALFORM("id\tkind\tkind\nYA\tred\tblue\n", 1, "2 columns have the header 'kind'"),
      MALFORM("id kind\nYA red\n", 1, "holds no tab, comma or semicolon"),
      MALFORM("id\n", 1, "holds no tab, comma or semicolon"),
      MALFORM("id\tkind\nYA\tred\nYB\n", 3, "the line has only 1, separated by tabs"),
      MALFORM("kind,x,id\nred,1,YA\nblue,2\n", 3,
              "3 and 1, but the line has only 2, separated by commas"),
      MALFORM("id\tkind\n\tred\n", 2, "vertex name is empty"),
      MALFORM("id\tkind\n\t\n", 0, "gives no vertex a colour"), /* a blank line */
      MALFORM("id,kind\n,\n", 2, "vertex name is empty"),
      MALFORM("id\tkind\nYA\tr\xE9\n", 2, "colour is not valid UTF-8"),
      MALFORM("id\tkind\n\xE9\tred\n", 2, "vertex name is not valid UTF-8"),
      MALFORM("id\tkind\nYA\tr\0d\n", 2, "NUL byte"),
      MALFORM("id\tkind\nYA\tr\x7F\n", 2, "control character"),
      MALFORM("\"id\",\"kind\n\"YA\",\"red\"\n", 1, "a double quote is not closed"),
      MALFORM("id,kind\n\"YA\"x,red\n", 2, "text follows a closing double quote"),
      MALFORM("id,kind\nYA,\"red\n", 2, "a double quote is not closed"),
      MALFORM("id,kind\ngone,red\n", 0, "such as 'gone' (line 2)"),
      MALFORM("\x1F\x8B\x08", 0, "cut off"),
  };
  static const malform_case numbered[] = {
      MALFORM("YA\t1\tred\nYB\t2\n", 2, "columns 1 and 3, but the line has only 2"),
      MALFORM("YA,red\n", 1, "the line has only 2, separated by commas"),
      MALFORM("YA\tred", 1, "the line has only 2, separated by tabs"),
  };
  ms_graph *graph = small_graph();
  table_reader reader = {graph, &by_name};
  malform_refuses("nodes.csv", named, sizeof named / sizeof *named, read_table, &reader);
  reader.options = &(ms_color_options){.size = sizeof(ms_color_options), .color_column = "3"};
  malform_refuses("nodes.csv", numbered, sizeof numbered / sizeof *numbered, read_table, &reader);
  ms_graph_free(graph);
}
END_TEST

/* Any mechanical damage (malform.h) of a table with commas and of one with tabs is refused or
 * read. */
START_TEST(node_tables_survive_damage)
{
  static const char csv[] = "x,\"id\",kind\n1,YA,\"r, \"\"d\"\"\"\n2,YB,\n";
  static const char tab[] = "kind\tx\tid\nred\t1\tYA\n\t2\tYB\n";
  ms_graph *graph = small_graph();
  table_reader reader = {graph, &by_name};
  malform_damage("nodes.csv", csv, sizeof csv - 1, read_table, &reader);
  malform_damage("nodes.tsv", tab, sizeof tab - 1, read_table, &reader);
  ms_graph_free(graph);
}
END_TEST

/* The same for a wide table, one of lists, and one of cells with several colours. */
START_TEST(layouts_survive_damage)
{
  static const char wide[] = "gene\tkin\tnuc\nYA\t1\t0\nYB\tx\t\nYC\tFALSE\tTRUE\n";
  static const char lists[] = "T:1\tYA, YB;no\nT:2\tYB|YC\n";
  static const char bars[] = "YA\tred|blue\nYB\tgreen\n";
  static const ms_color_options any = {.size = sizeof any, .ignore_unknown = true},
                                split = {.size = sizeof split, .separator = "|"};
  ms_graph *graph = small_graph();
  table_reader reader = {graph, &any}, splitter = {graph, &split};
  malform_damage("wide.tsv", wide, sizeof wide - 1, read_table, &reader);
  malform_damage("lists.tsv", lists, sizeof lists - 1, read_table, &reader);
  malform_damage("bars.tsv", bars, sizeof bars - 1, read_table, &splitter);
  ms_graph_free(graph);
}
END_TEST

/* ---- memory ---------------------------------------------------------------- */

typedef struct color_files {
  const ms_graph *graph;
  const char *path;
  ms_color_options options;
} color_files;

static ms_status read_and_count(void *user, ms_error *error)
{
  const color_files *files = user;
  ms_status status = try_colors(files->graph, files->path, &files->options);
  *error = err;
  return status;
}

/* Whichever allocation fails while colours are read, the reader reports it and leaks no block: GAF
 * with an ontology, with a subset, with a slim file, and a node table. */
START_TEST(every_allocation_may_fail)
{
  static const char nodes[] = "x\tid\tkind\n1\tYA\tred\n2\tgone\tred\n";
  static const char marks[] = "g\tk\tn\nYA\t1\t0\nYB\t0\t1\n", sets[] = "T:1\tYA, YB;gone\n";
  char gaf[1024], terms[1024], slim[1024], table[1024], wide[1024], lists[1024];
  strcpy(gaf, files_write("colors.gaf", annotations, sizeof annotations - 1));
  strcpy(terms, files_write("terms.obo", obo, sizeof obo - 1));
  strcpy(slim, files_write("slim.obo", obo, sizeof obo - 1));
  strcpy(table, files_write("nodes.tsv", nodes, sizeof nodes - 1));
  strcpy(wide, files_write("wide.tsv", marks, sizeof marks - 1));
  strcpy(lists, files_write("lists.tsv", sets, sizeof sets - 1));
  const struct {
    const char *path;
    ms_color_options options;
    long least;
  } runs[] = {{gaf, {.obo = terms}, 40},
              {gaf, {.obo = terms, .slim = "broad"}, 45},
              {gaf, {.obo = terms, .slim = slim}, 60},
              {table, {.name_column = "id", .color_column = "kind"}, 20},
              {wide, {.format = MS_COLORS_AUTO}, 20},
              {lists, {.format = MS_COLORS_AUTO}, 20}};
  ms_graph *graph = small_graph();
  for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
    color_files files = {graph, runs[i].path, runs[i].options};
    ck_assert_int_ge(failing_runs(read_and_count, &files), runs[i].least);
  }
  ms_graph_free(graph);
}
END_TEST

TEST_MAIN("colours", TEST(gaf_vertices), TEST(gaf_qualifiers_and_aspects),
          TEST(gaf_is_told_by_its_version), TEST(gaf_columns), TEST(gaf_names_of_terms),
          TEST(gaf_slims), TEST(gaf_is_refused), TEST(gaf_survives_damage), TEST(gaf_and_its_files),
          TEST(options_of_other_formats), TEST(layouts), TEST(layouts_are_asked_about),
          TEST(node_tables), TEST(node_table_defaults), TEST(node_tables_are_refused),
          TEST(node_tables_survive_damage), TEST(layouts_survive_damage),
          TEST(every_allocation_may_fail))
