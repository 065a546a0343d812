/* Each allocation of a small run of each command fails once: the command says so and exits with
 * status 4 (or did not need that block), frees all blocks, and leaves the file that stood at its
 * output untouched. The commands run inside this process, so that the library's allocator can be
 * replaced. */
#include "cli/cli.h"
#include "cli/commands.h"
#include "motifsieve.h"
#include "tests/support/allocations.h"
#include "tests/support/files.h"
#include "tests/support/test_main.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- running a command ------------------------------------------------------ */

/* With standard error in a file; the exit status. */
static int run_quietly(char *words, const char *errors)
{
  char *argv[40];
  int argc = 0, saved = dup(STDERR_FILENO);
  int file = open(errors, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  for (char *word = strtok(words, " "); word && argc < 39; word = strtok(NULL, " "))
    argv[argc++] = word;
  argv[argc] = NULL;
  ck_assert(saved >= 0 && file >= 0);
  dup2(file, STDERR_FILENO);
  int code = ms_command_run(argc, argv);
  fflush(stderr);
  dup2(saved, STDERR_FILENO);
  close(saved);
  close(file);
  return code;
}

static const char *content(const char *path)
{
  static char bytes[1 << 16];
  FILE *file = fopen(path, "rb");
  size_t size = file ? fread(bytes, 1, sizeof bytes - 1, file) : 0;
  if (file)
    fclose(file);
  bytes[size] = '\0';
  return bytes;
}

/* Returns the number of rows of a list, in TSV or JSON. */
static uint32_t count_rows(const char *text)
{
  uint32_t rows = 0;
  for (; text; text = strchr(text, '\n')) {
    text += *text == '\n';
    rows += (*text >= '0' && *text <= '9') || strncmp(text, "{\"type\":\"match\"", 15) == 0;
  }
  return rows;
}

/* True if the output says that its rows are in the order of the search, and has as many of them. */
static bool is_in_search_order(const char *output, const char *whole)
{
  return (strstr(output, "# order: search") || strstr(output, "\"order\":\"search\"")) &&
         count_rows(output) == count_rows(whole) && count_rows(whole) > 0;
}

/* Fail allocation 1, 2, ... of the command until it ends without having met
 * the one to fail.  `line` is given with the output's path for its last %s. */
static void sweep(const char *line)
{
  static const char before[] = "what was there\n";
  char words[2000], errors[300], output[300];
  snprintf(errors, sizeof errors, "%s", files_path("errors"));
  bool met = true;
  long served = 0, refused = 0;
  char whole[1 << 16] = ""; /* the output of a run that has all the memory it wants */
  for (long fail_at = 0; met; fail_at++) {
    meter m = {.fail_at = fail_at};
    snprintf(output, sizeof output, "%s", files_write("output", before, sizeof before - 1));
    snprintf(words, sizeof words, "%s -o %s", line, output);
    meter_start(&m);
    int code = run_quietly(words, errors);
    meter_stop();
    met = fail_at == 0 || meter_has_failed(&m);
    if (fail_at == 0)
      snprintf(whole, sizeof whole, "%s", content(output));
    ck_assert_msg(m.live == 0, "%s: allocation %ld: %ld blocks leak", line, fail_at, (long)m.live);
    ck_assert_msg(code == MS_EXIT_OK || (met && code == MS_EXIT_LIMIT),
                  "%s: allocation %ld: exit %d: %s", line, fail_at, code, content(errors));
    if (code == MS_EXIT_OK) {
      served++;
      ck_assert_msg(strcmp(content(output), before) != 0, "%s: no output", line);
      /* a list that has no room for its rows writes them as they are found */
      ck_assert_msg(strcmp(content(output), whole) == 0 ||
                        is_in_search_order(content(output), whole),
                    "%s: allocation %ld: another output:\n%s", line, fail_at, content(output));
      continue;
    }
    refused++;
    ck_assert_msg(strstr(content(errors), "memory"), "%s: allocation %ld: says '%s'", line, fail_at,
                  content(errors));
    ck_assert_msg(strcmp(content(output), before) == 0 ||
                      strstr(content(output), "incomplete: memory"),
                  "%s: allocation %ld: the output has changed", line, fail_at);
  }
  ck_assert_msg(refused > 10 && served >= 1, "%s: %ld failures only", line, refused);
}

/* ---- inputs ------------------------------------------------------------------ */

static const char edges[] = "a\tb\nb\tc\nc\td\nd\te\ne\ta\na\tc\nc\tc\na\tb\n";
static const char colors[] = "a\tred\nb\tblue\nc\tred\nd\tblue\ne\tgreen\na\tgreen\n";

static char graph_path[300], colors_path[300];

static void write_inputs(void)
{
  snprintf(graph_path, sizeof graph_path, "%s", files_write("g.tsv", edges, sizeof edges - 1));
  snprintf(colors_path, sizeof colors_path, "%s", files_write("c.tsv", colors, sizeof colors - 1));
}

static const char *formatted(const char *format, ...) MS_PRINTF(1, 2);

static const char *formatted(const char *format, ...)
{
  static char line[2000];
  va_list args;
  va_start(args, format);
  vsnprintf(line, sizeof line, format, args);
  va_end(args);
  return line;
}

/* Four runs of screen with different outputs and options survive the failure of any allocation. */
START_TEST(screen)
{
  const char *line = "screen %s -c %s -m red:2,blue --threads 1 %s";
  sweep(formatted(line, graph_path, colors_path, ""));
  sweep(formatted(line, graph_path, colors_path, "--json --all -r a --verbose"));
  sweep(formatted(line, graph_path, colors_path, "--cx2 --whole-graph"));
  sweep(formatted(line, graph_path, colors_path, "--dot"));
}
END_TEST

/* Five runs of list with different outputs and options survive it. */
START_TEST(list)
{
  const char *line = "list %s -c %s -m red:2,blue --threads 1 %s";
  sweep(formatted(line, graph_path, colors_path, ""));
  sweep(formatted(line, graph_path, colors_path, "--json"));
  sweep(formatted(line, graph_path, colors_path, "--exact --count"));
  sweep(formatted(line, graph_path, colors_path, "--cx2 -r a --match 1"));
  sweep(formatted(line, graph_path, colors_path, "--dot"));
}
END_TEST

/* Six runs of list and plan with patterns, coloured or built in, in all outputs, survive it; so
 * do a screened directed one, counts of cliques of one size and of several, and sets of patterns
 * with and without permutations. */
START_TEST(list_pattern)
{
  static const char pattern[] = "x\ty\ny\tz\n", accepted[] = "x\tred\ny\tblue\n";
  const char *line = "match %s %s -c %s --pattern-colors %s --threads 1 %s";
  char paths[2][300];
  snprintf(paths[0], 300, "%s", files_write("p.tsv", pattern, sizeof pattern - 1));
  snprintf(paths[1], 300, "%s", files_write("pc.tsv", accepted, sizeof accepted - 1));
  sweep(formatted(line, graph_path, paths[0], colors_path, paths[1], "--verbose"));
  sweep(formatted(line, graph_path, paths[0], colors_path, paths[1], "--json"));
  sweep(formatted(line, graph_path, paths[0], colors_path, paths[1], "--count --json"));
  sweep(formatted("match %s triangle --binary --threads 1", graph_path));
  sweep(formatted(line, graph_path, paths[0], colors_path, paths[1],
                  "--screen always --directed --embeddings"));
  sweep(formatted("match %s clique:7 --count --threads 1", graph_path));
  sweep(formatted("match %s clique:1-4 --count --json --threads 1", graph_path));
  files_write_text("set.tsv", "a\ttriangle\n(x:red)--(y)--(z)\nhouse\n");
  snprintf(paths[0], 300, "%s", files_path("set.tsv"));
  sweep(formatted("match %s --patterns %s --colors %s --count --threads 1", graph_path, paths[0],
                  colors_path));
  sweep(formatted("match %s --patterns %s --colors %s --permutations 3 --max-t --threads 1",
                  graph_path, paths[0], colors_path));
  sweep(formatted("match %s house --permutations 3 --directed --json --threads 1", graph_path));
  sweep(formatted("plan %s house --threads 1", graph_path));
  sweep(formatted("plan %s house --threads 1 --json --induced", graph_path));
}
END_TEST

/* Runs of convert from an edge list to each writable format, and back from it, survive it. */
START_TEST(convert)
{
  for (int f = MS_FORMAT_AUTO + 1; f < MS_GRAPH_FORMATS; f++) {
    ms_graph_format_info info = ms_graph_format_describe((ms_graph_format)f);
    ms_graph *graph = NULL;
    ms_error err;
    char path[300];
    if (!info.writable)
      continue;
    sweep(formatted("convert %s --threads 1 --to %s", graph_path, info.name));
    ck_assert_int_eq(ms_graph_read(graph_path, NULL, &graph, &err), MS_OK);
    snprintf(path, sizeof path, "%s", files_path(info.name));
    ck_assert_msg(ms_graph_write(graph, NULL, (ms_graph_format)f, path, &err) == MS_OK, "%s",
                  err.message);
    ms_graph_free(graph);
    sweep(formatted("convert %s --format %s --threads 1 --to edge-list", path, info.name));
  }
}
END_TEST

/* Runs of stats, of components with three algorithms, and of gen for seven families and with
 * plants, survive it. */
START_TEST(stats_components_and_gen)
{
  static const char *const families[] = {"regular -n 12 -d 3",
                                         "clique -n 6",
                                         "er -n 12 --edges 20",
                                         "rmat --scale 4 --edges 20",
                                         "grid --rows 3 --cols 4",
                                         "power-law -n 40 --edges 60 --exponent -1.5",
                                         "hubs -n 40 -d 4 --exponent -1 --classes 5"};
  const char *line = "stats %s -c %s -m red:2,blue %s";
  sweep(formatted(line, graph_path, colors_path, ""));
  sweep(formatted(line, graph_path, colors_path, "--json --all"));
  for (int a = 0; a < 3; a++) {
    static const char *const algorithms[] = {"afforest", "kahan", "bully"};
    sweep(formatted("components %s --algorithm %s", graph_path, algorithms[a]));
  }
  sweep(formatted("components %s --json --min-size 2", graph_path));
  for (size_t f = 0; f < sizeof families / sizeof *families; f++)
    sweep(formatted("gen %s --threads 1 --to edge-list", families[f]));
  sweep(formatted("gen er -n 12 --edges 20 --planted a:2,b --threads 1 --to graphml"));
}
END_TEST

/* A run with a node table and aliases, and one with GO annotations, an ontology and a slim, survive
 * it. */
START_TEST(other_inputs)
{
  static const char nodes[] = "name\tkind\na\tred\nb\tblue\nc\tred\n";
  static const char gaf[] =
      "!gaf-version: 2.2\n"
      "X\ta\ta\t\tGO:0000001\tR\tIEA\t\tP\t\t\tprotein\ttaxon:1\t20200101\tX\n"
      "X\tb\tb\t\tGO:0000002\tR\tIEA\t\tP\t\t\tprotein\ttaxon:1\t20200101\tX\n";
  static const char obo[] =
      "format-version: 1.2\nsubsetdef: small \"s\"\n\n[Term]\nid: GO:0000001\n"
      "name: one\nnamespace: biological_process\nsubset: small\n\n[Term]\n"
      "id: GO:0000002\nname: two\nnamespace: biological_process\n"
      "is_a: GO:0000001\n";
  static const char aliases[] = "a\tALPHA\nb\tBETA\n";
  char paths[4][300];
  snprintf(paths[0], 300, "%s", files_write("nodes.tsv", nodes, sizeof nodes - 1));
  snprintf(paths[1], 300, "%s", files_write("a.gaf", gaf, sizeof gaf - 1));
  snprintf(paths[2], 300, "%s", files_write("a.obo", obo, sizeof obo - 1));
  snprintf(paths[3], 300, "%s", files_write("alias.tsv", aliases, sizeof aliases - 1));
  sweep(formatted("screen %s -c %s --name-column name --color-column kind -m red,blue --threads 1 "
                  "--alias %s -r ALPHA",
                  graph_path, paths[0], paths[3]));
  sweep(formatted("list %s -c %s --obo %s --slim small -m one:2 --threads 1 --json", graph_path,
                  paths[1], paths[2]));
}
END_TEST

/* Seven runs of match and plan, exact and inexact, on a typed table and on a coloured graph,
 * survive it. */
START_TEST(typed_match)
{
  static const char table[] = "source\ttype\ttarget\na\tr\tb\nb\tr\tc\n\"\ts\tb\n";
  const char *line = "match %s (x)-[r]->(y) --threads 1 %s";
  char path[300];
  snprintf(path, sizeof path, "%s", files_write("typed.tsv", table, sizeof table - 1));
  sweep(formatted(line, path, "--directed --source-column 1"));
  sweep(formatted(line, path, "--json"));
  sweep(formatted(line, path, "--json --inexact --walk random"));
  sweep(formatted("match %s -c %s (x)--(y) --threads 1 --json", graph_path, colors_path));
  sweep(formatted("match %s -c %s (x:red)--(y),(y)--(x) --threads 1", graph_path, colors_path));
  sweep(formatted("plan %s (x)-[r]->(y)-[r]->(z) --threads 1 --count", path));
  sweep(formatted("plan %s (x)-[r]->(y)-[r]->(z) --threads 1 --json", path));
}
END_TEST

/* Files with labels of edges, as graph and as pattern, typed and plain, and a file that holds its
 * motif, survive it. */
START_TEST(labels_and_motif)
{
  static const char labelled[] = "#g\n3\nC\nC\nO\n2\n0 1 s\n1 2 d\n";
  static const char edge[] = "t # 0\nv 0 C\nv 1 *\ne 0 1 s\n";
  static const char same[] = "t # 0\nv 0 *\nv 1 *\nv 2 *\ne 0 1 s\ne 1 2 s\n";
  static const char given[] =
      "p motif 3 2\ne 1 2\ne 2 3\nn 1 1\nn 2 2\nn 3 1\nk 2 1 2\nt count 2\n";
  char paths[4][300];
  snprintf(paths[0], 300, "%s", files_write("g.geu", labelled, sizeof labelled - 1));
  snprintf(paths[1], 300, "%s", files_write("edge.tve", edge, sizeof edge - 1));
  snprintf(paths[2], 300, "%s", files_write("same.tve", same, sizeof same - 1));
  snprintf(paths[3], 300, "%s", files_write("given.txt", given, sizeof given - 1));
  sweep(formatted("match %s %s --threads 1 --json", paths[0], paths[1]));
  sweep(formatted("match %s %s --ignore-unknown --threads 1 --json", paths[2], paths[1]));
  sweep(formatted("screen %s --threads 1 --json", paths[3]));
}
END_TEST

/* Three runs of path, for one pair, for a file of pairs, and on a coloured graph, survive it. */
START_TEST(path)
{
  static const char net[] = "G::1\tGr>G\tG::2\nD::1\tDaG\tG::1\nG::2\tGiG\tG::3\n";
  static const char pairs[] = "G::1\tG::3\nG::3\tG::1\nD::1\tD::1\n";
  char paths[2][300];
  snprintf(paths[0], 300, "%s", files_write("net.sif", net, sizeof net - 1));
  snprintf(paths[1], 300, "%s", files_write("pairs.tsv", pairs, sizeof pairs - 1));
  sweep(formatted("path %s D::1 G::3 --threads 1 --types DaG,Gr>G,GiG", paths[0]));
  sweep(formatted("path %s --pairs %s --threads 1 --json", paths[0], paths[1]));
  sweep(formatted("path %s -c %s a d --threads 1 --lengths", graph_path, colors_path));
}
END_TEST

TEST_MAIN("memory", BEFORE_ALL(write_inputs), TEST(screen), TEST(list), TEST(list_pattern),
          TEST(convert), TEST(stats_components_and_gen), TEST(other_inputs), TEST(typed_match),
          TEST(labels_and_motif), TEST(path))
