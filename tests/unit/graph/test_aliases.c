/* Alias files (graph/io/aliases.c): other names of vertices, and the files that may use them. */
#include "graph/graph.h"
#include "query/query.h"
#include "tests/support/allocations.h"
#include "tests/support/files.h"
#include "tests/support/results/malform.h"
#include "tests/support/test_main.h"

#include <stdio.h>
#include <string.h>

static ms_error err;

static ms_graph *read_graph(const char *text, const ms_graph_options *options)
{
  ms_graph *graph = NULL;
  ck_ok(ms_graph_read(files_write_text("net.txt", text), options, &graph, &err));
  return graph;
}

static ms_alias_info read_aliases(ms_graph *graph, const char *text)
{
  ms_alias_info info;
  ck_ok(ms_graph_read_aliases(graph, files_write_text("aliases.txt", text), &info, &err));
  return info;
}

/* The vertex that the name finds, or "". */
static const char *found(const ms_graph *graph, const char *name)
{
  uint32_t v = ms_graph_find(graph, name);
  return v == MS_NO_ID ? "" : ms_graph_name(graph, v);
}

/* An alias may stand in either column: 12 lines give three aliases, one ambiguous and two unknown,
 * and ten look-ups find what the lines say. */
START_TEST(either_column)
{
  ms_graph *graph = read_graph("A B\nB C\n", NULL);
  ms_alias_info info = read_aliases(graph, "# a comment\n"
                                           "A\tone and a half\tmore\n"
                                           "two\tB\n"
                                           "A\tuno\n"
                                           "A\tuno\n"
                                           "A\tB\n"     /* both are vertices */
                                           "C\tC\n"     /* so are these */
                                           "x\ty\n"     /* none is */
                                           "one\tuno\n" /* an alias has no aliases */
                                           "C\tshared\n"
                                           "shared\tB\n"
                                           "C\tshared\n");
  ck_assert_uint_eq(info.aliases, 3);
  ck_assert_uint_eq(info.ambiguous, 1);
  ck_assert_uint_eq(info.unknown, 2);
  ck_assert_uint_eq(info.lines, 12);
  ck_assert_uint_eq(info.crc32c, ms_graph_describe(graph).alias_crc32c);
  ck_assert_ptr_nonnull(strstr(ms_graph_describe(graph).alias_path, "aliases.txt"));
  static const char *const finds[][2] = {
      {"one and a half", "A"}, {"two", "B"}, {"uno", "A"}, {"A", "A"},   {"B", "B"},
      {"shared", ""},          {"x", ""},    {"one", ""},  {"more", ""}, {"", ""}};
  for (size_t i = 0; i < sizeof finds / sizeof *finds; i++)
    ck_assert_msg(strcmp(found(graph, finds[i][0]), finds[i][1]) == 0, "%s finds '%s'", finds[i][0],
                  found(graph, finds[i][0]));
  ms_graph_free(graph);
}
END_TEST

/* Tabs, commas with quotes and blanks separate the names: four files give the same alias. */
START_TEST(delimiters)
{
  static const char *const files[] = {"A\tx y\n", "A,\"x y\",z\n", "x,A\n\"x y\",A\n", "A   x\n"};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    ms_graph *graph = read_graph("A B\n", NULL);
    read_aliases(graph, files[i]);
    ck_assert_str_eq(found(graph, i < 3 ? "x y" : "x"), "A");
    ms_graph_free(graph);
  }
}
END_TEST

static const char links[] = "protein1 protein2 score\n9.A 9.B 5\n9.B 9.C 5\n";

/* A graph whose reader took a taxon prefix off finds aliases with and without that prefix, and a
 * graph that kept the prefix finds only exact names: two readings of one file. */
START_TEST(taxon_of_the_graph)
{
  ms_graph *graph = read_graph(links, NULL);
  ck_assert_str_eq(graph->taxon_prefix, "9.");
  ms_alias_info info = read_aliases(graph, "9.A\talpha\n"
                                           "beta\t9.B\n"
                                           "8.C\tgamma\n" /* of another taxon */
                                           "9.C\t9.C\n"
                                           "C\tgimel\n");
  ck_assert_uint_eq(info.aliases, 3);
  ck_assert_uint_eq(info.unknown, 1);
  ck_assert_str_eq(found(graph, "alpha"), "A");
  ck_assert_str_eq(found(graph, "beta"), "B");
  ck_assert_str_eq(found(graph, "gimel"), "C");
  ms_graph_free(graph);
  graph =
      read_graph(links, &(ms_graph_options){.size = sizeof(ms_graph_options), .keep_taxon = true});
  ck_assert_ptr_null(graph->taxon_prefix);
  read_aliases(graph, "9.A\talpha\nB\tbeta\n");
  ck_assert_str_eq(found(graph, "alpha"), "9.A");
  ck_assert_str_eq(found(graph, "beta"), "");
  ms_graph_free(graph);
}
END_TEST

/* The taxon prefix of another graph's names is taken off only in a file with STRING's header: the
 * same two rows are read with the header and refused without. */
START_TEST(taxon_of_the_file)
{
  static const char rows[] = "9.A\talpha\tx\n8.B\tbeta\tx\n";
  char text[200];
  ms_graph *graph = read_graph("A B\n", NULL);
  snprintf(text, sizeof text, "#string_protein_id\talias\tsource\n%s", rows);
  ms_alias_info info = read_aliases(graph, text);
  ck_assert(info.aliases == 1 && info.unknown == 1);
  ck_assert_str_eq(found(graph, "alpha"), "A");
  ms_graph_free(graph);
  graph = read_graph("A B\n", NULL);
  ck_assert_int_eq(
      ms_graph_read_aliases(graph, files_write("aliases.txt", rows, sizeof rows - 1), NULL, &err),
      MS_ERR_INPUT);
  ck_assert_ptr_null(graph->aliases);
  ms_graph_free(graph);
}
END_TEST

/* Colour files of four formats and required vertices find vertices by their aliases, and an
 * ambiguous alias is refused as a required vertex. */
START_TEST(other_files_use_them)
{
  static const char *const required[] = {"beta"}, *const both[] = {"shared"};
  static const char gaf[] = "!gaf-version: 2.2\nD\tx\talpha\t\tT:1\tR\tE\t\tP\t\ty\tp\tt\td\tD\n"
                            "D\tx\ty\t\tT:2\tR\tE\t\tP\t\tz|beta\tp\tt\td\tD\n";
  static const char slim[] = "alpha\tx\tS000000001\tP\tT:1\tG:1\tORF\n"
                             "x\tbeta\tS000000001\tP\tT:2\tG:2\tORF\n";
  static const char *const colors[] = {"alpha\tT:1\nbeta\tT:2\nshared\tT:2\n", gaf, slim,
                                       "n\tc\nalpha\tT:1\nbeta\tT:2\n"};
  ms_graph *graph = read_graph("A B\nB C\n", NULL);
  read_aliases(graph, "A\talpha\nB\tbeta\nA\tshared\nB\tshared\n");
  for (size_t i = 0; i < sizeof colors / sizeof *colors; i++) {
    ms_coloring *c = NULL;
    ms_motif *motif = NULL;
    ms_query *query = NULL;
    uint32_t count;
    ms_color_options options = {.size = sizeof(ms_color_options),
                                .color_column = i == 3 ? "c" : NULL};
    ck_ok(ms_coloring_read(files_write_text("colors.txt", colors[i]), graph, &options, &c, &err));
    const uint32_t *of = ms_coloring_of(c, 0, &count);
    ck_assert(count == 1 && strcmp(ms_coloring_name(c, of[0]), "T:1") == 0);
    of = ms_coloring_of(c, 1, &count);
    ck_assert(count == 1 && strcmp(ms_coloring_name(c, of[0]), "T:2") == 0);
    ck_ok(ms_motif_parse("T:1,T:2", c, &motif, &err));
    ck_ok(ms_query_new(graph, c, motif, 1, required, &query, &err));
    ck_assert(query->n_required == 1 && query->required[0] == 1);
    ms_query_free(query);
    ck_assert_int_eq(ms_query_new(graph, c, motif, 1, both, &query, &err), MS_ERR_USAGE);
    ms_motif_free(motif);
    ms_coloring_free(c);
  }
  ms_graph_free(graph);
}
END_TEST

/* A graph takes one alias file: the second is refused, and the first stays in use. */
START_TEST(once_a_graph)
{
  ms_graph *graph = read_graph("A B\n", NULL);
  const char *path = files_write("aliases.txt", "A\tx\n", 4);
  ck_ok(ms_graph_read_aliases(graph, path, NULL, &err));
  ck_assert_int_eq(ms_graph_read_aliases(graph, path, NULL, &err), MS_ERR_USAGE);
  ck_assert_msg(strstr(err.message, "already has the aliases"), "%s", err.message);
  ck_assert_str_eq(found(graph, "x"), "A");
  ms_graph_free(graph);
}
END_TEST

/* ---- what is refused --------------------------------------------------------- */

static ms_status read_for_small(const char *path, void *user, ms_error *error)
{
  static const uint32_t edges[][2] = {{0, 1}};
  static const char *const names[] = {"A", "B"};
  ms_graph *graph = NULL;
  ms_alias_info info;
  (void)user;
  ck_ok(ms_graph_from_edges(2, 1, edges, names, &graph, &err));
  ms_status status = ms_graph_read_aliases(graph, path, &info, error);
  ck_assert_msg((status == MS_OK) == (graph->aliases != NULL), "half an alias table");
  ck_assert_uint_eq(ms_graph_find(graph, "B"), 1);
  ms_graph_free(graph);
  return status;
}

/* Each of 21 malformed files is refused with its line and its reason, and leaves the graph without
 * aliases. */
START_TEST(aliases_are_refused)
{
  static const malform_case cases[] = {
      MALFORM("", 0, "holds no aliases"),
      MALFORM("\n \n", 0, "holds no aliases"),
      MALFORM("#string_protein_id\talias\tsource\n", 0, "holds no aliases"),
      MALFORM("A\n", 1, "found one"),
      MALFORM("A\tx\nB\n", 2, "separated by a tab, found one"),
      MALFORM("A\tx\nB y\n", 2, "separated by a tab, found one"),
      MALFORM("A,x\nB y\n", 2, "separated by a comma, found one"),
      MALFORM("A x\nB\n", 2, "separated by blanks, found one"),
      MALFORM("A\t\n", 1, "second name is empty"),
      MALFORM("\tx\n", 1, "first name is empty"),
      MALFORM("A\tx\nB\t \ty\n", 2, "second name is empty"),
      MALFORM("A\tx\xE9\n", 1, "second name is not valid UTF-8"),
      MALFORM("A\tx\n\xFF\xFE\ty\n", 2, "first name is not valid UTF-8"),
      MALFORM("A\tx\x05\n", 1, "control character"),
      MALFORM("A\tx\0y\n", 1, "NUL byte"),
      MALFORM("A,\"x\n", 1, "a double quote is not closed"),
      MALFORM("A,\"x\"y\n", 1, "text follows a closing double quote"),
      MALFORM("C\tx\nD\ty\n", 0, "none of its names is a vertex"),
      MALFORM("-1\t99999999999999999999\n", 0, "names like 'A'"),
      MALFORM("a\tx\n", 0, "none of its names is a vertex"),
      MALFORM("\x1F\x8B\x08", 0, "cut off"),
  };
  malform_refuses("aliases.txt", cases, sizeof cases / sizeof *cases, read_for_small, NULL);
}
END_TEST

/* Any mechanical damage (malform.h) of a file with tabs and of one with commas is refused or read,
 * and never leaves half an alias table. */
START_TEST(aliases_survive_damage)
{
  static const char tab[] =
      "#string_protein_id\talias\tsource\n9.A\tx y\ts\n9.A\tz\ts\n9.B\tz\ts\n";
  static const char csv[] = "A,\"x, \"\"y\"\"\"\nz,B\n";
  malform_damage("aliases.txt", tab, sizeof tab - 1, read_for_small, NULL);
  malform_damage("aliases.csv", csv, sizeof csv - 1, read_for_small, NULL);
}
END_TEST

/* Whichever allocation fails while 100 aliases are read, the reader reports it, leaks no block, and
 * leaves the graph without aliases. */
START_TEST(every_allocation_may_fail)
{
  meter m = {.fail_at = 1};
  char text[4000] = "";
  for (int i = 0; i < 100; i++) /* the tables grow */
    sprintf(text + strlen(text), "9.A\talias number %d\n", i);
  ms_status status = MS_ERR_MEMORY;
  char path[1024];
  strcpy(path, files_write_text("aliases.txt", text));
  for (; status != MS_OK; m.fail_at++) {
    ms_graph *graph = read_graph(links, NULL);
    meter_start(&m);
    status = ms_graph_read_aliases(graph, path, NULL, &err);
    meter_stop();
    ck_assert_msg(status == MS_OK || (status == MS_ERR_MEMORY && m.live == 0),
                  "allocation %ld: %ld blocks left: %s", m.fail_at, (long)m.live, err.message);
    ck_assert_str_eq(found(graph, "alias number 7"), status == MS_OK ? "A" : "");
    ms_graph_free(graph);
  }
  ck_assert_int_gt(m.fail_at, 10);
}
END_TEST

/* ---- real data ----------------------------------------------------------------- */

/* Counts of lines, aliases, ambiguous and unknown names in STRING's yeast file, and look-ups of
 * four names in two networks, agree with a short independent script. */
START_TEST(real_string_aliases)
{
  const char *aliases = files_data("yeast/4932.protein.aliases.v12.0.txt.gz");
  const char *string = files_data("yeast/4932.protein.physical.links.v12.0.txt.gz");
  const char *biogrid = files_data("yeast/s_cerevisiae.network-109-4.4.222.txt.gz");
  ms_graph *graph;
  ms_alias_info info;
  if (!aliases || !string || !biogrid) {
    printf("SKIPPED: real_string_aliases, no data; set MOTIFSIEVE_DATA\n");
    return;
  }
  ck_ok(ms_graph_read(string, NULL, &graph, &err));
  ck_ok(ms_graph_read_aliases(graph, aliases, &info, &err));
  ck_assert_uint_eq(info.aliases, 129069);
  ck_assert_uint_eq(info.ambiguous, 4368);
  ck_assert_uint_eq(info.unknown, 13357);
  ck_assert_uint_eq(info.lines, 287379);
  ck_assert_str_eq(found(graph, "ACT1"), "YFL039C");
  ck_assert_str_eq(found(graph, "P60010"), "YFL039C");
  ck_assert_str_eq(found(graph, "TFC3"), "YAL001C");
  ms_graph_free(graph);
  ck_ok(ms_graph_read(biogrid, NULL, &graph, &err));
  ck_ok(ms_graph_read_aliases(graph, aliases, &info, &err));
  ck_assert_str_eq(found(graph, "ACT1"), "YFL039C");
  ck_assert_uint_eq(info.lines, 287379);
  ms_graph_free(graph);
}
END_TEST

TEST_MAIN("aliases", TEST(either_column), TEST(delimiters), TEST(taxon_of_the_graph),
          TEST(taxon_of_the_file), TEST(other_files_use_them), TEST(once_a_graph),
          TEST(aliases_are_refused), TEST(aliases_survive_damage), TEST(every_allocation_may_fail),
          TEST(real_string_aliases))
