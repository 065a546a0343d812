/* BioGRID's tables (graph/formats/biogrid.c): what is read, refused and written. */
#include "tests/support/files.h"
#include "tests/support/graphs/graph_text.h"
#include "tests/support/results/malform.h"
#include "tests/support/test_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAMES_TO_TYPE                                                                              \
  "#BioGRID Interaction ID\tEntrez Gene Interactor A\tEntrez Gene Interactor B\t"                  \
  "BioGRID ID Interactor A\tBioGRID ID Interactor B\tSystematic Name Interactor A\t"               \
  "Systematic Name Interactor B\tOfficial Symbol Interactor A\tOfficial Symbol Interactor B\t"     \
  "Synonyms Interactor A\tSynonyms Interactor B\tExperimental System\t"                            \
  "Experimental System Type\tAuthor\t"
#define HEAD3                                                                                      \
  NAMES_TO_TYPE                                                                                    \
  "Publication Source\tOrganism ID Interactor A\tOrganism ID Interactor B\tThroughput\tScore\t"    \
  "Modification\tQualifications\tTags\tSource Database\tSWISS-PROT Accessions Interactor A\t"      \
  "TREMBL Accessions Interactor A\tREFSEQ Accessions Interactor A\t"                               \
  "SWISS-PROT Accessions Interactor B\tTREMBL Accessions Interactor B\t"                           \
  "REFSEQ Accessions Interactor B\tOntology Term IDs\tOntology Term Names\t"                       \
  "Ontology Term Categories\tOntology Term Qualifier IDs\tOntology Term Qualifier Names\t"         \
  "Ontology Term Types\tOrganism Name Interactor A\tOrganism Name Interactor B\n"
#define HEAD2                                                                                      \
  NAMES_TO_TYPE                                                                                    \
  "Pubmed ID\tOrganism Interactor A\tOrganism Interactor B\tThroughput\tScore\tModification\t"     \
  "Phenotypes\tQualifications\tTags\tSource Database\n"

/* entrez, BioGRID id, systematic, symbol of A and B; system, type; organisms; Swiss-Prot */
#define TO_ORGANISM(ea, eb, ia, ib, na, nb, a, b, system, type, oa, ob)                            \
  "103\t" ea "\t" eb "\t" ia "\t" ib "\t" na "\t" nb "\t" a "\t" b "\tX|Y\t-\t" system "\t" type   \
  "\tMarti A (1997)\tPUBMED:9006895\t" oa "\t" ob
#define ROW3(ea, eb, ia, ib, na, nb, a, b, system, type, oa, ob, sa, sb)                           \
  TO_ORGANISM(ea, eb, ia, ib, na, nb, a, b, system, type, oa, ob)                                  \
  "\tLow Throughput\t-\t-\t-\t-\tBIOGRID\t" sa "\t-\t-\t" sb                                       \
  "\t-\t-\t-\t-\t-\t-\t-\t-\tHomo sapiens\tHomo sapiens\n"
#define ROW2(ea, eb, ia, ib, na, nb, a, b, system, type, oa, ob)                                   \
  TO_ORGANISM(ea, eb, ia, ib, na, nb, a, b, system, type, oa, ob)                                  \
  "\tLow Throughput\t-\t-\t-\t-\t-\tBIOGRID\n"
#define HEAD_SYMBOLS                                                                               \
  "#BioGRID Interaction ID\tOfficial Symbol Interactor A\tOfficial Symbol Interactor B"
/* only names */
#define PAIR(a, b)                                                                                 \
  ROW3("1", "2", "11", "12", "-", "-", a, b, "Two-hybrid", "physical", "9606", "9606", "-", "-")

static const char sample[] =
    HEAD3 ROW3("6416", "2318", "112315", "108607", "-", "-", "MAP2K4", "FLNC", "Two-hybrid",
               "physical", "9606", "9606", "P45985", "Q14315")
        ROW3("855836", "-", "36200", "31676", "YPR181C", "YHR098C", "SEC23", "-", "Dosage Rescue",
             "genetic", "559292", "559292", "P15303", "-")
            ROW3("6416", "26397", "112315", "204958", "-", "-", "MAP2K4", "Map2k4",
                 "Affinity Capture-MS", "physical", "9606", "10090", "P45985", "P47809|Q5F2Z4")
                ROW3("2318", "2318", "108607", "108607", "-", "-", "FLNC", "FLNC",
                     "Co-crystal Structure", "physical", "9606", "9606", "Q14315", "Q14315");

/* Any mechanical damage (malform.h) of a table of two interactions is refused or gives a valid
 * graph. */
START_TEST(survives_damage)
{
  static const char good[] = HEAD3 PAIR("A", "B")
      ROW3("1", "-", "11", "13", "-", "-", "A", "-", "FRET", "physical", "9606", "9606", "-", "-");
  ms_graph_options options = {.size = sizeof(ms_graph_options), .format = MS_FORMAT_BIOGRID};
  malform_damage("net.tab3.txt", good, sizeof good - 1, malform_read_graph, &options);
}
END_TEST

/* The same with a taxon, an experimental system and Swiss-Prot names asked for, which look at more
 * columns. */
START_TEST(survives_damage_with_options)
{
  static const char good[] =
      "#BioGRID Interaction ID\tBioGRID ID Interactor A\tBioGRID ID Interactor B\tExperimental "
      "System\tExperimental System Type\tOrganism ID Interactor A\tOrganism ID Interactor B\t"
      "SWISS-PROT Accessions Interactor A\tSWISS-PROT Accessions Interactor B\n"
      "1\t11\t12\tFRET\tphysical\t9606\t9606\tP1|P2\t-\n"
      "2\t12\t13\tPCA\tphysical\t9606\t1\tP3\tP4\n";
  ms_graph_options options = {.size = sizeof(ms_graph_options),
                              .format = MS_FORMAT_BIOGRID,
                              .taxon = "9606",
                              .system = "physical",
                              .names = "swissprot"};
  malform_damage("net.tab3.txt", good, sizeof good - 1, malform_read_graph, &options);
}
END_TEST

/* The same for a table without a header. */
START_TEST(survives_damage_without_header)
{
  static const char good[] = PAIR("A", "B") PAIR("A", "A");
  ms_graph_options options = {.size = sizeof(ms_graph_options), .format = MS_FORMAT_BIOGRID};
  malform_damage("net.tab3.txt", good, sizeof good - 1, malform_read_graph, &options);
}
END_TEST

/* Each of 24 malformed tables is refused with its line and reason. */
START_TEST(refuses)
{
  static const malform_case cases[] = {
      MALFORM("", 0, "holds no edges"),
      MALFORM("\n\n", 0, "holds no edges"),
      MALFORM(HEAD3, 0, "holds no edges"),
      MALFORM(HEAD3 "103\t1\t2\n", 2, "expected 37 columns as in line 1, found 3"),
      MALFORM(HEAD3 PAIR("A", "B") "A B\n", 3, "expected 37 columns as in line 1, found 1"),
      MALFORM(HEAD3 ROW2("1", "2", "11", "12", "-", "-", "A", "B", "FRET", "physical", "1", "1"), 2,
              "expected 37 columns as in line 1, found 24"),
      MALFORM("103\t1\t2\n", 1, "expected at least 24 columns between tabs, found 3"),
      MALFORM("A B\n", 1, "expected at least 24 columns between tabs, found 1"),
      MALFORM(PAIR("A", "B") "\n" PAIR("A", "B") "103\t1", 4, "expected 37 columns as in line 1"),
      MALFORM("#BioGRID Interaction ID\tA\tB\n1\tA\tB\n", 1,
              "no column 'Official Symbol Interactor A', which this kind of names needs"),
      MALFORM("#BioGRID Interaction ID\tOfficial Symbol Interactor A\n1\tA\n", 1,
              "no column 'Official Symbol Interactor B'"),
      MALFORM("# x\n\n#BioGRID Interaction ID\n", 3, "no column 'Official Symbol Interactor A'"),
      MALFORM(HEAD3 PAIR("A", "\xE9"), 2, "second vertex name is not valid UTF-8"),
      MALFORM(HEAD3 PAIR("\xC3", "B"), 2, "first vertex name is not valid UTF-8"),
      MALFORM(HEAD3 PAIR("A\x01", "B"), 2, "first vertex name holds a control character"),
      MALFORM(HEAD3 PAIR("A", "B\x7F"), 2, "second vertex name holds a control character"),
      MALFORM(HEAD3 PAIR("A", "B") PAIR("A", "\xED\xA0\x80"), 3, "not valid UTF-8"),
      MALFORM(HEAD3 "103\0" PAIR("A", "B"), 2, "holds a NUL byte"),
      MALFORM(HEAD3 ROW3("1", "2", "-", "12", "-", "-", "-", "B", "FRET", "physical", "1", "1", "-",
                         "-"),
              2, "interactor A has neither a name of this kind ('symbol') nor a BioGRID ID"),
      MALFORM(
          HEAD3 ROW3("1", "2", "11", "", "-", "-", "A", "", "FRET", "physical", "1", "1", "-", "-"),
          2, "interactor B has neither a name of this kind"),
      MALFORM(HEAD3 ROW3("1", "2", "11", "x", "-", "-", "A", "-", "FRET", "physical", "1", "1", "-",
                         "-"),
              2, "interactor B has neither a name of this kind"),
      MALFORM(HEAD3 ROW3("1", "2", "11", "-12", "-", "-", "A", "-", "FRET", "physical", "1", "1",
                         "-", "-"),
              2, "interactor B has neither a name of this kind"),
      MALFORM(HEAD3 ROW3("1", "2", "11", "99999999999999999999", "-", "-", "A", "-", "FRET",
                         "physical", "1", "1", "-", "-"),
              2, "interactor B has neither a name of this kind"),
      MALFORM("\x1F\x8B", 0, "cut off"),
  };
  ms_graph_options options = {.size = sizeof(ms_graph_options), .format = MS_FORMAT_BIOGRID};
  malform_refuses("net.tab3.txt", cases, sizeof cases / sizeof *cases, malform_read_graph,
                  &options);
}
END_TEST

/* A filter or a kind of names whose columns are missing, or that leaves no edge, is refused with
 * the reason: 7 files. */
START_TEST(refuses_what_options_need)
{
  static const malform_case no_type[] = {
      MALFORM(HEAD_SYMBOLS "\t"
                           "Experimental System\n1\tA\tB\tFRET\n",
              1, "no column 'Experimental System Type', which an experimental system needs"),
      MALFORM(HEAD_SYMBOLS "\n"
                           "1\tA\tB\n",
              1, "no column 'Experimental System', which an experimental system needs"),
      MALFORM(HEAD3 PAIR("A", "B"), 0, "holds no edges of that taxon and system"),
  };
  static const malform_case no_organism[] = {
      MALFORM(HEAD_SYMBOLS "\t"
                           "Organism ID Interactor A\n1\tA\tB\t9606\n",
              1, "no column 'Organism ID Interactor B', which a taxon needs"),
      MALFORM(HEAD3 PAIR("A", "B"), 0, "holds no edges of that taxon and system"),
  };
  static const malform_case no_accession[] = {
      MALFORM(HEAD2 ROW2("1", "2", "11", "12", "-", "-", "A", "B", "FRET", "physical", "1", "1"), 1,
              "no column 'SWISS-PROT Accessions Interactor A', which this kind of names needs"),
      MALFORM(ROW2("1", "2", "11", "12", "-", "-", "A", "B", "FRET", "physical", "1", "1"), 1,
              "no column 'SWISS-PROT Accessions Interactor A'"),
  };
  ms_graph_options system = {
      .size = sizeof(ms_graph_options), .format = MS_FORMAT_BIOGRID, .system = "genetic"};
  ms_graph_options taxon = {
      .size = sizeof(ms_graph_options), .format = MS_FORMAT_BIOGRID, .taxon = "960"};
  ms_graph_options names = {
      .size = sizeof(ms_graph_options), .format = MS_FORMAT_BIOGRID, .names = "swissprot"};
  malform_refuses("net.tab3.txt", no_type, 3, malform_read_graph, &system);
  malform_refuses("net.tab3.txt", no_organism, 2, malform_read_graph, &taxon);
  malform_refuses("net.tab3.txt", no_accession, 2, malform_read_graph, &names);
}
END_TEST

/* An unknown kind of names is refused with the list of those known. */
START_TEST(names_its_kinds)
{
  graph_text_refuses_names("net.tab3.txt", sample, "uniprot",
                           "symbol, systematic, id, entrez, swissprot");
}
END_TEST

/* Each of the five kinds of names, and none, gives its vertices: one sample of four
 * interactions. */
START_TEST(reads_kinds_of_names)
{
  static const struct {
    const char *kind, *graph;
  } cases[] = {
      {NULL, "MAP2K4-FLNC, MAP2K4-Map2k4, SEC23-YHR098C"},
      {"symbol", "MAP2K4-FLNC, MAP2K4-Map2k4, SEC23-YHR098C"},
      {"systematic", "MAP2K4-FLNC, MAP2K4-Map2k4, YPR181C-YHR098C"},
      {"id", "112315-108607, 112315-204958, 36200-31676"},
      {"entrez", "6416-2318, 6416-26397, 855836-biogrid:31676"},
      {"swissprot", "P45985-Q14315, P45985-P47809, P15303-biogrid:31676"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    ms_graph_options options = {.size = sizeof(ms_graph_options), .names = cases[i].kind};
    ck_assert_str_eq(graph_text("net.tab3.txt", sample, &options, NULL), cases[i].graph);
  }
}
END_TEST

/* Taxon and experimental system, by name or type in any case, keep the right interactions and count
 * the others: eight combinations on one sample. */
START_TEST(filters)
{
  static const struct {
    const char *taxon, *system, *graph;
    uint64_t filtered;
  } cases[] = {
      {NULL, NULL, "MAP2K4-FLNC, MAP2K4-Map2k4, SEC23-YHR098C", 0},
      {"9606", NULL, "MAP2K4-FLNC", 2}, /* human and mouse: not within a taxon */
      {"559292", NULL, "SEC23-YHR098C", 3},
      {NULL, "physical", "MAP2K4-FLNC, MAP2K4-Map2k4", 1},
      {NULL, "GENETIC", "SEC23-YHR098C", 3},
      {NULL, "affinity capture-ms", "MAP2K4-Map2k4", 3},
      {NULL, "Co-crystal Structure", "FLNC", 3}, /* with itself */
      {"9606", "Two-hybrid", "MAP2K4-FLNC", 3},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    ms_graph_info info;
    ms_graph_options options = {
        .size = sizeof(ms_graph_options), .taxon = cases[i].taxon, .system = cases[i].system};
    ck_assert_str_eq(graph_text("net.tab3.txt", sample, &options, &info), cases[i].graph);
    ck_assert_uint_eq(info.filtered, cases[i].filtered);
  }
}
END_TEST

/* A line that a filter leaves out may hold bad names. */
START_TEST(ignores_names_of_filtered_lines)
{
  static const char text[] = HEAD3 PAIR("A", "B")
      ROW3("1", "2", "-", "-", "-", "-", "-", "\xFF", "FRET", "physical", "1", "1", "-", "-");
  ms_graph_options options = {.size = sizeof(ms_graph_options), .taxon = "9606"};
  ck_assert_str_eq(graph_text("net.tab3.txt", text, &options, NULL), "A-B");
}
END_TEST

/* Columns are found in TAB 2.0 and TAB 3.0, with and without a header, in another order and case,
 * and in two files that follow each other: seven files. */
START_TEST(finds_columns)
{
  ms_graph_options taxon = {
      .size = sizeof(ms_graph_options), .taxon = "9606", .system = "physical"};
  ms_graph_options swissprot = {.size = sizeof(ms_graph_options), .names = "swissprot"};
  /* TAB 2.0, with and without its header */
  ck_assert_str_eq(graph_text("net",
                              HEAD2 ROW2("1", "2", "11", "12", "-", "-", "A", "B", "FRET",
                                         "physical", "9606", "9606"),
                              &taxon, NULL),
                   "A-B");
  ck_assert_str_eq(
      graph_text("net",
                 ROW2("1", "2", "11", "12", "-", "-", "A", "B", "FRET", "physical", "9606", "9606"),
                 &taxon, NULL),
      "A-B");
  /* TAB 3.0 without a header */
  ck_assert_str_eq(graph_text("net",
                              ROW3("1", "2", "11", "12", "-", "-", "A", "B", "FRET", "physical",
                                   "9606", "9606", "P1", "P2"),
                              &swissprot, NULL),
                   "P1-P2");
  /* columns in another order, the header without its # and in capitals */
  ck_assert_str_eq(graph_text("net",
                              "BIOGRID INTERACTION ID\tOrganism ID Interactor B\tOFFICIAL SYMBOL "
                              "INTERACTOR B\tExperimental System Type\tOfficial Symbol Interactor "
                              "A\tOrganism ID Interactor A\tExperimental System\n"
                              "1\t9606\tB\tphysical\tA\t9606\tFRET\n1\t9606\tD\tx\tC\t9606\ty\n",
                              &taxon, NULL),
                   "A-B");
  /* two files, one behind the other */
  ck_assert_str_eq(graph_text("net",
                              HEAD3 PAIR("A", "B")
                                  HEAD2 ROW2("1", "2", "11", "12", "-", "-", "B", "C", "FRET",
                                             "physical", "9606", "9606"),
                              &taxon, NULL),
                   "A-B, B-C");
  ck_assert_str_eq(graph_text("net", HEAD3 PAIR("A", "B") HEAD3 PAIR("B", "C"), NULL, NULL),
                   "A-B, B-C");
  /* comments, blank lines, CRLF, further columns */
  ck_assert_str_eq(graph_text("net.tab3.txt",
                              "# from BioGRID\n\n" HEAD_SYMBOLS
                              "\r\n\n1\tA\tB\tx\r\n# x\n1\tB\tC\r\n",
                              NULL, NULL),
                   "A-B, B-C");
}
END_TEST

/* The format is detected by header, content or ending, and plain edge lists are not taken for it:
 * eight files, and one with gzip. */
START_TEST(is_told)
{
  static const struct {
    const char *name, *text, *format;
  } cases[] = {
      {"net", sample, "biogrid"},
      {"net", HEAD2 ROW2("1", "2", "3", "4", "-", "-", "A", "B", "x", "y", "1", "1"), "biogrid"},
      {"net", "# x\n" PAIR("A", "B"), "biogrid"},
      {"net.tab2.txt", ROW2("1", "2", "3", "4", "-", "-", "A", "B", "x", "y", "1", "1"), "biogrid"},
      {"net", ROW2("1", "2", "3", "4", "-", "-", "A", "B", "x", "y", "1", "1"), "edge-list"},
      {"net", ROW2("1", "2", "3", "4", "-", "-", "A", "B", "x", "Genetic", "1", "1"), "biogrid"},
      {"net.txt", "A\tB\tphysical\n", "edge-list"},
      {"net", "! BioGRID\nA\tB\n", "edge-list"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    ck_assert_msg(strcmp(graph_text_format(cases[i].name, cases[i].text), cases[i].format) == 0,
                  "case %zu: is %s", i, graph_text_format(cases[i].name, cases[i].text));
  ck_assert_str_eq(
      graph_text_of(files_write_gzip("x.tab3.txt.gz", sample, sizeof sample - 1, 1), NULL, NULL),
      "MAP2K4-FLNC, MAP2K4-Map2k4, SEC23-YHR098C");
}
END_TEST

/* A graph of six vertices with odd names is written and read back as it was. */
START_TEST(round_trips)
{
  static const uint32_t edges[][2] = {{0, 1}, {1, 2}, {4, 2}, {5, 0}};
  static const char *const names[] = {"a b", "c|d", "\xC3\xA9", "alone", "#\"q\"", "--"};
  ms_error err;
  ms_graph *graph = NULL;
  ck_assert_int_eq(ms_graph_from_edges(6, 4, edges, names, &graph, &err), MS_OK);
  malform_round_trip("net.tab3.txt", graph, NULL, MS_FORMAT_BIOGRID);
  ms_graph_free(graph);
}
END_TEST

/* A written table has the header of TAB 3.0 and its columns, with a self-interaction for a vertex
 * that stands alone. */
START_TEST(writes_the_columns)
{
  static const uint32_t edges[][2] = {{0, 1}};
  static const char *const names[] = {"A", "B", "C"};
  static const char row[] = "-\t-\t-\t-\t-\t-\t-\tA\tB\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-"
                            "\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\n";
  static const char alone[] = "-\t-\t-\t-\t-\t-\t-\tC\tC\t-";
  char text[4096] = "";
  ms_error err;
  ms_graph *graph = NULL;
  const char *path = files_path("out.tab3.txt");
  ck_assert_int_eq(ms_graph_from_edges(3, 1, edges, names, &graph, &err), MS_OK);
  ck_assert_msg(ms_graph_write(graph, NULL, MS_FORMAT_BIOGRID, path, &err) == MS_OK, "%s",
                err.message);
  FILE *file = fopen(path, "rb");
  ck_assert_ptr_nonnull(file);
  ck_assert_uint_gt(fread(text, 1, sizeof text - 1, file), 0);
  fclose(file);
  ck_assert_uint_eq(strncmp(text, HEAD3, sizeof HEAD3 - 1), 0);
  ck_assert_uint_eq(strncmp(text + sizeof HEAD3 - 1, row, sizeof row - 1), 0);
  ck_assert_uint_eq(strncmp(text + sizeof HEAD3 + sizeof row - 2, alone, sizeof alone - 1), 0);
  ms_graph_free(graph);
}
END_TEST

/* Two names that the table cannot hold are refused with the reason. */
START_TEST(cannot_write)
{
  static const uint32_t edges[][2] = {{0, 1}};
  static const struct {
    const char *name, *part;
  } cases[] = {{"-", "means in a BioGRID table that there is no name"},
               {" b", "a BioGRID table cannot express"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    ms_error err;
    ms_graph *graph = NULL;
    const char *const names[] = {"a", cases[i].name};
    ck_assert_int_eq(ms_graph_from_edges(2, 1, edges, names, &graph, &err), MS_OK);
    ck_assert_int_eq(ms_graph_write(graph, NULL, MS_FORMAT_BIOGRID, files_path("no"), &err),
                     MS_ERR_USAGE);
    ck_assert_msg(strstr(err.message, cases[i].part), "%s", err.message);
    ms_graph_free(graph);
  }
}
END_TEST

TEST_MAIN("format: BioGRID", TEST(survives_damage), TEST(survives_damage_with_options),
          TEST(survives_damage_without_header), TEST(refuses), TEST(refuses_what_options_need),
          TEST(names_its_kinds), TEST(reads_kinds_of_names), TEST(filters),
          TEST(ignores_names_of_filtered_lines), TEST(finds_columns), TEST(is_told),
          TEST(round_trips), TEST(writes_the_columns), TEST(cannot_write))
