/* PSI-MI TAB files (graph/formats/mitab.c): what is read, refused and written. */
#include "tests/support/files.h"
#include "tests/support/graphs/graph_text.h"
#include "tests/support/results/malform.h"
#include "tests/support/test_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD                                                                                       \
  "#ID(s) interactor A\tID(s) interactor B\tAlt. ID(s) interactor A\tAlt. ID(s) interactor B\t"    \
  "Alias(es) interactor A\tAlias(es) interactor B\tInteraction detection method(s)\t"              \
  "Publication 1st author(s)\tPublication Identifier(s)\tTaxid interactor A\t"                     \
  "Taxid interactor B\tInteraction type(s)\tSource database(s)\tInteraction identifier(s)\t"       \
  "Confidence value(s)"
#define TWO_HYBRID "psi-mi:\"MI:0018\"(two hybrid)"
#define HUMAN "taxid:9606(human)|taxid:9606(Homo sapiens)"
#define YEAST "taxid:559292(yeast)|taxid:559292(\"Saccharomyces cerevisiae (S288c)\")"

/* identifiers, alternative ones and aliases of A and B; method; taxa */
#define COLUMNS15(a, b, aa, ab, na, nb, method, ta, tb)                                            \
  a "\t" b "\t" aa "\t" ab "\t" na "\t" nb "\t" method "\tDoe (2001)\tpubmed:1\t" ta "\t" tb       \
    "\tpsi-mi:\"MI:0915\"(physical association)\tpsi-mi:\"MI:0469\"(IntAct)\tintact:EBI-1\t-"
#define ROW25(a, b, aa, ab, na, nb, method, ta, tb)                                                \
  COLUMNS15(a, b, aa, ab, na, nb, method, ta, tb) "\n"
#define TO_CHECKSUMS "\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-"
#define ROW26(a, b, negative)                                                                      \
  COLUMNS15(a, b, "-", "-", "-", "-", TWO_HYBRID, HUMAN, HUMAN) TO_CHECKSUMS "\t" negative "\n"
#define ROW27(a, b, negative)                                                                      \
  COLUMNS15(a, b, "-", "-", "-", "-", TWO_HYBRID, HUMAN, HUMAN)                                    \
  TO_CHECKSUMS "\t" negative "\t-\t-\t-\t-\t-\t-\n"
#define PAIR(a, b) ROW25(a, b, "-", "-", "-", "-", TWO_HYBRID, HUMAN, HUMAN)
#define NAMED(aa, na) ROW25("x:A", "x:B", aa, "-", na, "-", "-", "-", "-")

static const char sample[] =
    HEAD "\n" ROW25("uniprotkb:P49418", "uniprotkb:O43426", "intact:EBI-71|uniprotkb:Q75MK5",
                    "intact:EBI-28",
                    "psi-mi:amph_human(display_long)|uniprotkb:AMPH1(gene name synonym)|"
                    "psi-mi:AMPH_S(display_short)|uniprotkb:AMPH(gene name)",
                    "psi-mi:SYNJ1(display_short)|uniprotkb:Synaptic inositol 1,4,5-trisphosphate "
                    "5-phosphatase 1(gene name synonym)",
                    "psi-mi:\"MI:0084\"(phage display)", HUMAN, HUMAN)
        ROW25("uniprotkb:P49418", "intact:EBI-7121639", "-", "-", "uniprotkb:AMPH(gene name)",
              "psi-mi:vrparrvlw(display_long)", TWO_HYBRID, HUMAN,
              "taxid:-2(chemical synthesis)|taxid:-2(\"Chemical synthesis (Chemical "
              "synthesis)\")")
            ROW25("entrez gene/locuslink:851", "entrez gene/locuslink:852|biogrid:3",
                  "biogrid:2|entrez gene/locuslink:851|entrez gene/locuslink:SEC23",
                  "biogrid:3|entrez gene/locuslink:SFB3",
                  "entrez gene/locuslink:X(gene name "
                  "synonym)",
                  "-", "psi-mi:\"MI:0004\"(affinity chromatography)|" TWO_HYBRID, YEAST, YEAST)
                ROW25("chebi:\"CHEBI:15422\"(ATP)", "-", "-", "-", "-", "-",
                      "psi-mi:\"MI:0114\"(x-ray crystallography)", "taxid:9606", "-");

/* Any mechanical damage (malform.h) of a file of 15 columns is refused or gives a valid graph. */
START_TEST(survives_damage)
{
  static const char good[] =
      HEAD "\n" ROW25("uniprotkb:P1|intact:EBI-1", "chebi:\"CHEBI:1\"(\"A\\\"TP\")", "-", "-", "-",
                      "-", TWO_HYBRID, "taxid:9606", HUMAN) PAIR("x:A", "-");
  ms_graph_options options = {.size = sizeof(ms_graph_options), .format = MS_FORMAT_MITAB};
  malform_damage("net.mitab", good, sizeof good - 1, malform_read_graph, &options);
}
END_TEST

/* The same with a taxon, a detection method and symbols asked for, which look at more columns. */
START_TEST(survives_damage_with_options)
{
  static const char good[] =
      ROW25("x:A", "x:\"B:1\"", "entrez gene/locuslink:SYM", "x:l(2)gl(gene name)", "y:\"a|b\"(z)",
            "x:b(display_short)|y", TWO_HYBRID "|psi-mi:\"MI:0006\"(pull (down))", HUMAN,
            YEAST "|" HUMAN) ROW25("x:A", "x:C", "-", "-", "-", "-", TWO_HYBRID, HUMAN, HUMAN);
  ms_graph_options options = {.size = sizeof(ms_graph_options),
                              .format = MS_FORMAT_MITAB,
                              .taxon = "9606",
                              .system = "MI:0018",
                              .names = "symbol"};
  malform_damage("net.mitab", good, sizeof good - 1, malform_read_graph, &options);
}
END_TEST

/* The same for a file of 42 columns with full identifiers asked for. */
START_TEST(survives_damage_of_42_columns)
{
  static const char good[] = ROW27("x:A", "x:B", "false") ROW27("x:A", "x:C", "true");
  ms_graph_options options = {
      .size = sizeof(ms_graph_options), .format = MS_FORMAT_MITAB, .names = "full"};
  malform_damage("net.mitab", good, sizeof good - 1, malform_read_graph, &options);
}
END_TEST

/* Each of 32 malformed files is refused with its line and reason. */
START_TEST(refuses)
{
  static const malform_case cases[] = {
      MALFORM("", 0, "holds no edges"),
      MALFORM("\n", 0, "holds no edges"),
      MALFORM(HEAD "\n", 0, "holds no edges"),
      MALFORM("x:A\tx:B\n", 1, "expected at least 15 columns between tabs, found 2"),
      MALFORM(HEAD "\nx:A x:B\n", 2, "expected at least 15 columns between tabs, found 1"),
      MALFORM(ROW26("x:A", "x:B", "-") PAIR("x:A", "x:B"), 2,
              "expected 36 columns as in line 1, found 15"),
      MALFORM(HEAD "\n" ROW27("x:A", "x:B", "-") ROW26("x:A", "x:C", "-"), 3,
              "expected 42 columns as in line 2, found 36"),
      MALFORM(PAIR("-", "-"), 1, "both interactors are -"),
      MALFORM(PAIR("", "x:B"), 1, "the identifier of interactor A is empty"),
      MALFORM(PAIR("x:A", "x:B") PAIR("x:A", " "), 2, "the identifier of interactor B is empty"),
      MALFORM(PAIR("x:", "x:B"), 1, "first vertex name is empty"),
      MALFORM(PAIR("x:A", "x:\"\""), 1, "second vertex name is empty"),
      MALFORM(PAIR("x:(text)", "x:B"), 1, "first vertex name is empty"),
      MALFORM(PAIR("x:\"A", "x:B"), 1, "a double quote is not closed in its column"),
      MALFORM(PAIR("x:\"A\\\"", "x:B"), 1, "a double quote is not closed"),
      MALFORM(PAIR("\"x:A", "x:B"), 1, "a double quote is not closed"),
      MALFORM(PAIR("x:A", "x:B(\"text"), 1, "a double quote is not closed"),
      MALFORM(PAIR("x:A", "x:B(text"), 1, "a parenthesis is not closed"),
      MALFORM(PAIR("x:A", "x:B(te(xt)"), 1, "a parenthesis is not closed"),
      MALFORM(PAIR("x:A", "x:\"B\"(text"), 1, "has no closing parenthesis; add it"),
      MALFORM(PAIR("x:A", "x:B(\"text\""), 1, "has no closing parenthesis"),
      MALFORM(PAIR("x:A", "x:\"B\"C"), 1, "something follows the end of a reference"),
      MALFORM(PAIR("x:A", "x:\"B\"(t)C"), 1, "something follows the end of a reference"),
      MALFORM(PAIR("x:A", "x:B(\"t\")C"), 1, "something follows the end of a reference"),
      MALFORM(ROW26("x:A", "x:B", "no"), 1, "write true, false or -"),
      MALFORM(ROW27("x:A", "x:B", "false") ROW27("x:A", "x:B", "1"), 2, "write true, false or -"),
      MALFORM(ROW26("x:A", "x:B", "true"), 0, "holds only negative interactions"),
      MALFORM(PAIR("x:A", "x:\xE9"), 1, "second vertex name is not valid UTF-8"),
      MALFORM(PAIR("x:A", "-") PAIR("x:\xC3", "-"), 2, "the vertex name is not valid UTF-8"),
      MALFORM(PAIR("x:A\x01", "x:B"), 1, "first vertex name holds a control character"),
      MALFORM(PAIR("x:A\0", "x:B"), 1, "holds a NUL byte"),
      MALFORM("\x1F\x8B", 0, "cut off"),
  };
  ms_graph_options options = {.size = sizeof(ms_graph_options), .format = MS_FORMAT_MITAB};
  malform_refuses("net.mitab", cases, sizeof cases / sizeof *cases, malform_read_graph, &options);
}
END_TEST

/* Cells that only an option makes the reader look at are refused where they are malformed: 8 files
 * with a method, a taxon or symbols asked for. */
START_TEST(refuses_with_options)
{
  static const malform_case system[] = {
      MALFORM(ROW25("x:A", "x:B", "-", "-", "-", "-", "psi-mi:\"MI", "-", "-"), 1, "not closed"),
      MALFORM(PAIR("x:A", "x:B"), 0, "holds no edges of that taxon and system"),
  };
  static const malform_case taxon[] = {
      MALFORM(ROW25("x:A", "x:B", "-", "-", "-", "-", "-", "taxid:1(", "-"), 1, "not closed"),
      MALFORM(ROW25("x:A", "x:B", "-", "-", "-", "-", "-", "taxid:1(a)", "taxid:1(b"), 1,
              "not closed"),
      MALFORM(ROW26("x:A", "x:B", "true"), 0, "holds no edges of that taxon and system"),
  };
  static const malform_case symbol[] = {
      MALFORM(ROW25("x:A", "x:B", "-", "-", "x:\"a", "-", "-", "-", "-"), 1, "not closed"),
      MALFORM(ROW25("x:A", "x:B", "-", "x:a(", "-", "-", "-", "-", "-"), 1, "not closed"),
      MALFORM(NAMED("-", "x:\xFF(gene name)"), 1, "first vertex name is not valid UTF-8"),
  };
  ms_graph_options options[] = {{.format = MS_FORMAT_MITAB, .system = "pull down"},
                                {.format = MS_FORMAT_MITAB, .taxon = "1"},
                                {.format = MS_FORMAT_MITAB, .names = "gene"}};
  malform_refuses("net.mitab", system, 2, malform_read_graph, &options[0]);
  malform_refuses("net.mitab", taxon, 3, malform_read_graph, &options[1]);
  malform_refuses("net.mitab", symbol, 3, malform_read_graph, &options[2]);
}
END_TEST

/* An unknown kind of names is refused with the list of those known. */
START_TEST(names_its_kinds)
{
  graph_text_refuses_names("net.mitab", sample, "Symbol", "id, full, symbol, gene");
}
END_TEST

/* Each of the four kinds of names, and none, gives its vertices: one sample of four
 * interactions. */
START_TEST(reads_kinds_of_names)
{
  static const char ids[] = "P49418-O43426, P49418-EBI-7121639, 851-852, CHEBI:15422";
  static const char symbols[] = "AMPH-SYNJ1, AMPH-EBI-7121639, SEC23-SFB3, CHEBI:15422";
  static const struct {
    const char *kind, *graph;
  } cases[] = {{NULL, ids},
               {"id", ids},
               {"full", "uniprotkb:P49418-uniprotkb:O43426, uniprotkb:P49418-intact:EBI-7121639, "
                        "entrez gene/locuslink:851-entrez gene/locuslink:852, chebi:CHEBI:15422"},
               {"symbol", symbols},
               {"gene", symbols}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    ms_graph_options options = {.size = sizeof(ms_graph_options), .names = cases[i].kind};
    ck_assert_str_eq(graph_text("net.mitab", sample, &options, NULL), cases[i].graph);
  }
}
END_TEST

/* The symbol of an interactor is chosen in the documented order among names and aliases: nine
 * interactors. */
START_TEST(chooses_symbols)
{
  static const struct {
    const char *text, *graph;
  } cases[] = {
      {NAMED("-", "y:S(display_short)|y:G(gene name)|y:H(gene name)"), "G-B"},
      {NAMED("-", "y:G(Gene Name)|y:S(display_short)"), "G-B"},
      {NAMED("y:T(gene name)", "y:S(display_short)"), "T-B"},
      {NAMED("y:T(display_short)", "y:S(gene name synonym)"), "A-B"},
      {NAMED("entrez gene/locuslink:12|entrez gene/locuslink:E1", "-"), "E1-B"},
      {NAMED("entrez gene/locuslink:E1", "y:S(display_short)"), "S-B"},
      {NAMED("-", "y:\"3'(2'),5'-bis\"(gene name)"), "3'(2'),5'-bis-B"},
      {NAMED("-", "y:l(2)gl(gene name)"), "l(2)gl-B"},
      {NAMED("-", "y:\"a|b\"(\"gene name\")|y:c"), "a|b-B"},
  };
  ms_graph_options options = {.size = sizeof(ms_graph_options), .names = "symbol"};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    ck_assert_str_eq(graph_text("net.mitab", cases[i].text, &options, NULL), cases[i].graph);
}
END_TEST

/* References with databases, quotes, escapes and texts give the expected identifier and full name:
 * 21 spellings. */
START_TEST(reads_references)
{
  static const struct {
    const char *reference, *id, *full;
  } cases[] = {
      {"uniprotkb:P1", "P1", "uniprotkb:P1"},
      {"uniprotkb:P1(text)", "P1", "uniprotkb:P1"},
      {"uniprotkb:P1(text (in text) here)", "P1", "uniprotkb:P1"},
      {"uniprotkb:P1|intact:E", "P1", "uniprotkb:P1"},
      {"uniprotkb:P1(\"a | b ) c\")|intact:E", "P1", "uniprotkb:P1"},
      {"P1", "P1", "P1"},
      {"P1(a:b)", "P1", "P1"},
      {"\"P 1\"", "P 1", "P 1"},
      {"\"P:1\"(text)", "P:1", "P:1"},
      {"chebi:CHEBI:15", "CHEBI:15", "chebi:CHEBI:15"},
      {"chebi:\"CHEBI:15\"", "CHEBI:15", "chebi:CHEBI:15"},
      {"\"my:db\":\"i(d)\"(\"t\")", "i(d)", "my:db:i(d)"},
      {"\"my\\\"db\":\"a\\\"b\\\\c\\d\"", "a\"b\\c\\d", "my\"db:a\"b\\c\\d"},
      {"x:a\\\"b", "a\\\"b", "x:a\\\"b"},
      {"x:5\"nt", "5\"nt", "x:5\"nt"},
      {"x:l(2)gl", "l(2)gl", "x:l(2)gl"},
      {"x:l(2)gl(text)", "l(2)gl", "x:l(2)gl"},
      {"unknown:a", "a", "a"},
      {" x : a ", "a", "x:a"},
      {":a", "a", "a"},
      {"x:a|", "a", "x:a"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[512], wanted[128];
    ms_graph_options full = {
        .size = sizeof(ms_graph_options), .format = MS_FORMAT_MITAB, .names = "full"};
    ms_graph_options id = {.size = sizeof(ms_graph_options), .format = MS_FORMAT_MITAB};
    snprintf(text, sizeof text, "%s\tQ\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\n",
             cases[i].reference);
    snprintf(wanted, sizeof wanted, "%s-Q", cases[i].id);
    ck_assert_str_eq(graph_text("net.mitab", text, &id, NULL), wanted);
    snprintf(wanted, sizeof wanted, "%s-Q", cases[i].full);
    ck_assert_str_eq(graph_text("net.mitab", text, &full, NULL), wanted);
  }
}
END_TEST

/* Taxon and detection method, by name or identifier in any case and in the old form, keep the right
 * interactions and count the others: nine combinations. */
START_TEST(filters)
{
  static const struct {
    const char *taxon, *system, *graph;
    uint64_t filtered;
  } cases[] = {
      {"9606", NULL, "P49418-O43426, CHEBI:15422", 2},
      {"559292", NULL, "851-852", 3},
      {NULL, "two hybrid", "P49418-EBI-7121639, 851-852", 2},
      {NULL, "Two Hybrid", "P49418-EBI-7121639, 851-852", 2},
      {NULL, "MI:0018", "P49418-EBI-7121639, 851-852", 2},
      {NULL, "mi:0084", "P49418-O43426", 3},
      {"9606", "MI:0084", "P49418-O43426", 3},
      {"9606", "MI:0114", "CHEBI:15422", 3},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    ms_graph_info info;
    ms_graph_options options = {
        .size = sizeof(ms_graph_options), .taxon = cases[i].taxon, .system = cases[i].system};
    ck_assert_str_eq(graph_text("net.mitab", sample, &options, &info), cases[i].graph);
    ck_assert_uint_eq(info.filtered, cases[i].filtered);
  }
  /* a method in the old form */
  ms_graph_options old = {.size = sizeof(ms_graph_options), .system = "MI:0018"};
  ck_assert_str_eq(
      graph_text("net.mitab",
                 ROW25("x:A", "x:B", "-", "-", "-", "-", "MI:0018(two hybrid)", "-", "-")
                     ROW25("x:A", "x:C", "-", "-", "-", "-", "MI:0019(coip)", "-", "-")
                         ROW25("x:A", "x:D", "-", "-", "-", "-", "XY:0018(z)", "-", "-"),
                 &old, NULL),
      "A-B");
}
END_TEST

/* Interactions marked as negative are left out and counted, in files of 36 and of 42 columns. */
START_TEST(leaves_out_negative_interactions)
{
  ms_graph_info info;
  ck_assert_str_eq(graph_text("net.mitab",
                              ROW26("x:A", "x:B", "-") ROW26("x:A", "x:C", "true")
                                  ROW26("x:B", "x:C", "FALSE") ROW26("x:E", "x:F", "True"),
                              NULL, &info),
                   "A-B, B-C");
  ck_assert_uint_eq(info.filtered, 2);
  ck_assert_str_eq(graph_text("net.mitab", ROW27("x:A", "x:B", "false") ROW27("x:A", "x:C", "true"),
                              NULL, &info),
                   "A-B");
  ck_assert_uint_eq(info.filtered, 1);
}
END_TEST

/* An interaction with one partner makes a vertex, and one of a partner with itself counts as a
 * self-loop. */
START_TEST(reads_single_partners)
{
  ms_graph_info info;
  ck_assert_str_eq(graph_text("net.mitab",
                              PAIR("x:A", "-") PAIR("-", "x:B") PAIR("x:C", "x:C")
                                  PAIR("x:D", "x:A"),
                              NULL, &info),
                   "A-D, B, C");
  ck_assert_uint_eq(info.self_loops, 1);
}
END_TEST

/* The format is detected by header, content or ending, and edge lists are not taken for it: 15
 * files, and one with gzip. */
START_TEST(is_told)
{
  static const struct {
    const char *name, *text, *format;
  } cases[] = {
      {"net", sample, "mitab"},
      {"net", PAIR("x:A", "x:B"), "mitab"},
      {"net", ROW27("x:A", "-", "-"), "mitab"},
      {"net", "# x\n" PAIR("-", "x:B"), "mitab"},
      {"net.mitab", "A\tB\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\n", "mitab"},
      {"net.mitab.txt", "A\tB\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\n", "mitab"},
      {"net", "A\tB\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\n", "edge-list"},
      {"net", "x:A\tx:B\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\n", "edge-list"},
      {"net", "x:A\tx:B\ttaxid:9606\n", "edge-list"},
      /* headers of BioGRID, of older IntAct, of iRefIndex */
      {"net", "#ID Interactor A\tID Interactor B\n" PAIR("x:A", "x:B"), "mitab"},
      {"net", "ID interactor A\tID interactor B\n" PAIR("x:A", "x:B"), "mitab"},
      {"net", "#uidA\tuidB\taltA\n" PAIR("x:A", "x:B"), "mitab"},
      {"net", "uidA\tuidR\nuidA\tlacZ\n", "edge-list"}, /* genes of E. coli */
      {"net", "uidA\tuidB\nuidB\tuidC\n", "edge-list"},
      {"net", "## a fly\n#ID(s) Interactor A\tID(s) Interactor B\n" PAIR("x:A", "x:B"), "mitab"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    ck_assert_msg(strcmp(graph_text_format(cases[i].name, cases[i].text), cases[i].format) == 0,
                  "case %zu: is %s", i, graph_text_format(cases[i].name, cases[i].text));
  /* no vertex of a header without # */
  ck_assert_str_eq(graph_text("net", cases[10].text, NULL, NULL), "A-B");
  ck_assert_str_eq(
      graph_text_of(files_write_gzip("x.mitab.gz", sample, sizeof sample - 1, 1), NULL, NULL),
      "P49418-O43426, P49418-EBI-7121639, 851-852, CHEBI:15422");
}
END_TEST

static ms_graph *tricky_graph(void)
{
  static const uint32_t edges[][2] = {{0, 1}, {1, 2}, {4, 2}, {5, 0}, {6, 7}};
  static const char *const names[] = {"a b",      "c|d(e)",  "\xC3\xA9",  "Gene::9", "\"q\"",
                                      "back\\sl", "x\\\":y", "unknown:z", "-",       "#\\"};
  ms_error err;
  ms_graph *graph = NULL;
  ck_assert_int_eq(ms_graph_from_edges(10, 5, edges, names, &graph, &err), MS_OK);
  return graph;
}

/* A graph of ten vertices with tricky names is written and read back as it was. */
START_TEST(round_trips)
{
  ms_graph *graph = tricky_graph();
  malform_round_trip("net.mitab", graph, NULL, MS_FORMAT_MITAB);
  ms_graph_free(graph);
}
END_TEST

/* The graph as written, and read back with these names. */
static void check_written(uint32_t n, uint64_t m, const uint32_t (*edges)[2],
                          const char *const *names, const char *wanted, const char *kind,
                          const char *read_back)
{
  char text[2048] = "";
  ms_error err;
  ms_graph *graph = NULL;
  ms_graph_options options = {.size = sizeof(ms_graph_options), .names = kind};
  const char *path = files_path("out.mitab");
  ck_assert_int_eq(ms_graph_from_edges(n, m, edges, names, &graph, &err), MS_OK);
  ck_assert_msg(ms_graph_write(graph, NULL, MS_FORMAT_MITAB, path, &err) == MS_OK, "%s",
                err.message);
  ms_graph_free(graph);
  FILE *file = fopen(path, "rb");
  ck_assert_ptr_nonnull(file);
  (void)!fread(text, 1, sizeof text - 1, file);
  fclose(file);
  ck_assert_str_eq(text, wanted);
  ck_assert_str_eq(graph_text_of(files_path("out.mitab"), &options, NULL), read_back);
}

#define REST "\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\n"

/* Names with a known database in front are written as references to it, and read back in full. */
START_TEST(writes_databases)
{
  static const uint32_t edges[][2] = {{0, 1}, {1, 2}, {3, 4}};
  static const char *const known[] = {"uniprotkb:P1", "refseq:NP_1", "chebi:CHEBI:1"};
  static const char wanted[] =
      HEAD "\nuniprotkb:P1\trefseq:NP_1" REST "refseq:NP_1\tchebi:\"CHEBI:1\"" REST;
  check_written(3, 2, edges, known, wanted, "full",
                "uniprotkb:P1-refseq:NP_1, refseq:NP_1-chebi:CHEBI:1");
}
END_TEST

/* Where names would be one vertex without their databases, or only some have one, all are written
 * as of an unknown database: two graphs. */
START_TEST(keeps_vertices_apart)
{
  static const uint32_t edges[][2] = {{0, 1}, {1, 2}, {3, 4}};
  static const char *const mixed[] = {"uniprotkb:P1", "P1", "chebi:CHEBI:1", "GO:1", "uniprotkb:"};
  static const char *const twice[] = {"uniprotkb:P1", "refseq:P1"};
  static const char wanted_mixed[] = HEAD "\nunknown:\"uniprotkb:P1\"\tunknown:P1" REST
                                          "unknown:P1\tunknown:\"chebi:CHEBI:1\"" REST
                                          "unknown:\"GO:1\"\tunknown:\"uniprotkb:\"" REST;
  static const char wanted_twice[] = HEAD "\nunknown:\"uniprotkb:P1\"\tunknown:\"refseq:P1\"" REST;
  check_written(5, 3, edges, mixed, wanted_mixed, NULL,
                "uniprotkb:P1-P1, P1-chebi:CHEBI:1, GO:1-uniprotkb:");
  check_written(2, 1, edges, twice, wanted_twice, NULL, "uniprotkb:P1-refseq:P1");
}
END_TEST

TEST_MAIN("format: MITAB", TEST(survives_damage), TEST(survives_damage_with_options),
          TEST(survives_damage_of_42_columns), TEST(refuses), TEST(refuses_with_options),
          TEST(names_its_kinds), TEST(reads_kinds_of_names), TEST(chooses_symbols),
          TEST(reads_references), TEST(filters), TEST(leaves_out_negative_interactions),
          TEST(reads_single_partners), TEST(is_told), TEST(round_trips), TEST(writes_databases),
          TEST(keeps_vertices_apart))
