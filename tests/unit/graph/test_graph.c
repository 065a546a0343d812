/* Reading graphs and colours: names, text, edge lists, STRING, colour tables, on files written here
 * and on real data. */
#include "base/alloc.h"
#include "base/crc32c.h"
#include "graph/colors.h"
#include "graph/graph.h"
#include "graph/io/text.h"
#include "tests/support/files.h"
#include "tests/support/graphs/validate.h"
#include "tests/support/random.h"
#include "tests/support/test_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

static ms_error err;

static ms_graph *read_graph(const char *text, const ms_graph_options *options)
{
  ms_graph *graph = NULL;
  ck_ok(ms_graph_read(files_write_text("net.tsv", text), options, &graph, &err));
  return graph;
}

static bool has_edge(const ms_graph *graph, const char *a, const char *b)
{
  uint32_t degree, u = ms_graph_find(graph, a), v = ms_graph_find(graph, b);
  ck_assert_msg(u != MS_NO_ID && v != MS_NO_ID, "%s or %s is no vertex", a, b);
  const uint32_t *neighbor = ms_graph_neighbors(graph, u, &degree);
  for (uint32_t i = 0; i < degree; i++)
    if (neighbor[i] == v)
      return true;
  return false;
}

/* ---- names ---------------------------------------------------------------- */

/* 400,000 names get their ids, are found again and come back whole, though some pairs share a hash
 * of 32 bits. */
START_TEST(names_intern)
{
  enum { MANY = 400000 };
  ms_names *names;
  char text[32];
  uint32_t id;
  ck_ok(ms_names_new(&names, &err));
  ck_assert_uint_eq(ms_names_find(names, "", 0), MS_NO_ID);
  for (uint32_t round = 0; round < 2; round++)
    for (uint32_t i = 0; i < MANY; i++) {
      int length = snprintf(text, sizeof text, "%.*s%u", (int)(i % 20), "aaaaaaaaaaaaaaaaaaaa", i);
      /* one test: every ck_assert writes to a file */
      if (ms_names_add(names, text, (size_t)length, &id, &err) != MS_OK || id != i ||
          ms_names_find(names, text, (size_t)length) != i ||
          strcmp(ms_names_get(names, i), text) != 0)
        ck_abort_msg("name %u is lost or another one", i);
    }
  ck_assert_uint_eq(ms_names_count(names), MANY);
  ck_assert_uint_eq(ms_names_find(names, "a1x", 2), 1); /* "a1" by length, not by NUL */
  ck_assert_uint_eq(ms_names_find(names, "a", 1), MS_NO_ID);
  ms_names_free(names);
}
END_TEST

/* Names that are empty, hold control characters or are no valid UTF-8 are refused for their reason,
 * and a long one is cut between characters: twelve names. */
START_TEST(names_are_checked)
{
  static const struct {
    const char *text, *part;
  } cases[] = {
      {"YAL001C", NULL},
      {"na\xC3\xAFve \xE2\x82\xAC \xF0\x9F\x90\x9F", NULL},
      {"", "empty"},
      {"a\x01", "control"},
      {"a\x7F", "control"},
      {"a\xC2\x85", "control"},
      {"\xE9t\xE9", "iconv"},
      {"a\xC3", "iconv"}, /* cut */
      {"\xC0\xAF", "iconv"},
      {"\xE0\x80\xAF", "iconv"}, /* overlong */
      {"\xED\xA0\x80", "iconv"},
      {"\xF4\x90\x80\x80", "iconv"} /* surrogate, too large */
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const char *problem = ms_name_problem(cases[i].text, strlen(cases[i].text));
    ck_assert_msg((problem == NULL) == (cases[i].part == NULL), "case %zu", i);
    ck_assert_msg(!problem || strstr(problem, cases[i].part), "case %zu: %s", i, problem);
  }
  char text[63];
  memset(text, 'x', sizeof text);
  text[59] = '\xC3';
  text[60] = '\xAF';
  ck_assert_int_eq(ms_name_clip(text, sizeof text), 59);
  ck_assert_int_eq(ms_name_clip(text, 5), 5);
}
END_TEST

/* ---- graphs from memory ---------------------------------------------------- */

/* A graph of an array of edges has its edges, self-loops and duplicates counted, and one without
 * vertices exists. */
START_TEST(graph_from_edges)
{
  static const uint32_t edges[][2] = {{0, 1}, {1, 0}, {2, 2}, {3, 1}, {1, 3}, {0, 1}};
  ms_graph *graph;
  ck_ok(ms_graph_from_edges(5, 6, edges, NULL, &graph, &err));
  ms_graph_info info = ms_graph_describe(graph);
  ck_assert_uint_eq(info.vertices, 5);
  ck_assert_uint_eq(info.edges, 2);
  ck_assert_uint_eq(info.self_loops, 1);
  ck_assert_uint_eq(info.duplicates, 3);
  ck_assert_uint_eq(info.max_degree, 2);
  ck_assert_str_eq(ms_graph_name(graph, 4), "4");
  ck_assert(has_edge(graph, "1", "3") && has_edge(graph, "0", "1") && !has_edge(graph, "0", "3"));
  ms_graph_free(graph);
  ck_ok(ms_graph_from_edges(0, 0, NULL, NULL, &graph, &err));
  ms_graph_free(graph);
}
END_TEST

/* Offsets take the rows of neighbours, scores and colours apart as the calls for one vertex do, in
 * 40 random graphs of up to 50 vertices. */
START_TEST(rows_have_offsets)
{
  static const char *const names[] = {"a", "b", "c"};
  for (uint64_t seed = 1; seed <= 40; seed++) {
    uint64_t state = seed;
    uint32_t n = 1 + random_below(&state, 50), edges[100][2], pairs[60][2], size;
    float score[100];
    ms_graph *graph;
    ms_coloring *coloring;
    for (int i = 0; i < 100; i++) {
      edges[i][0] = random_below(&state, n);
      edges[i][1] = random_below(&state, n);
      score[i] = (float)i;
    }
    for (int i = 0; i < 60; i++) {
      pairs[i][0] = random_below(&state, n);
      pairs[i][1] = random_below(&state, 3);
    }
    ck_ok(ms_graph_from_edges(n, 100, (const uint32_t(*)[2])edges, NULL, &graph, &err));
    ck_ok(ms_graph_set_scores(graph, 100, (const uint32_t(*)[2])edges, score, &err));
    ck_ok(
        ms_coloring_from_pairs(graph, 60, (const uint32_t(*)[2])pairs, 3, names, &coloring, &err));
    const uint64_t *row = ms_graph_offsets(graph), *list = ms_coloring_offsets(coloring);
    const uint32_t *first = ms_graph_neighbors(graph, 0, &size);
    const uint32_t *first_color = ms_coloring_of(coloring, 0, &size);
    ck_assert(row[0] == 0 && row[n] == 2 * ms_graph_edge_count(graph) && list[0] == 0);
    for (uint32_t v = 0; v < n; v++) {
      ck_assert_ptr_eq(ms_graph_neighbors(graph, v, &size), first + row[v]);
      ck_assert_uint_eq(size, row[v + 1] - row[v]);
      ck_assert_ptr_eq(ms_graph_scores(graph, v), ms_graph_scores(graph, 0) + row[v]);
      ck_assert_ptr_eq(ms_coloring_of(coloring, v, &size), first_color + list[v]);
      ck_assert_uint_eq(size, list[v + 1] - list[v]);
    }
    ms_coloring_free(coloring);
    ms_graph_free(graph);
  }
}
END_TEST

/* An edge to no vertex, a repeated and an empty name, and too many vertices are refused. */
START_TEST(graph_from_edges_refuses)
{
  static const uint32_t edges[][2] = {{0, 3}};
  static const char *const twice[] = {"a", "b", "a"}, *const empty[] = {"a", "", "c"};
  ms_graph *graph;
  ck_assert_int_eq(ms_graph_from_edges(3, 1, edges, NULL, &graph, &err), MS_ERR_USAGE);
  ck_assert_ptr_null(graph);
  ck_assert_int_eq(ms_graph_from_edges(3, 0, NULL, twice, &graph, &err), MS_ERR_USAGE);
  ck_assert_ptr_nonnull(strstr(err.message, "vertices 0 and 2"));
  ck_assert_int_eq(ms_graph_from_edges(3, 0, NULL, empty, &graph, NULL), MS_ERR_USAGE);
  ck_assert_int_eq(ms_graph_from_edges(UINT32_MAX, 0, NULL, NULL, &graph, &err), MS_ERR_USAGE);
}
END_TEST

/* The validator notices each broken invariant by its name: four wrong neighbours and a wrong
 * offset. */
START_TEST(validator_sees_breakage)
{
  static const uint32_t edges[][2] = {{0, 1}, {1, 2}, {0, 2}, {2, 3}};
  static const struct {
    uint64_t arc;
    uint32_t value;
    const char *part;
  } cases[] = {{0, 9, "range"}, {0, 0, "self-loop"}, {0, 3, "ascending"}, {1, 3, "reverse"}};
  ms_graph *graph;
  ck_ok(ms_graph_from_edges(4, 4, edges, NULL, &graph, &err));
  ck_ok(validate_graph(graph, &err));
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    uint32_t good = graph->neighbor[cases[i].arc];
    graph->neighbor[cases[i].arc] = cases[i].value;
    ck_assert_int_eq(validate_graph(graph, &err), MS_ERR_INTERNAL);
    ck_assert_msg(strstr(err.message, cases[i].part), "%s", err.message);
    graph->neighbor[cases[i].arc] = good;
  }
  graph->offset[2] = graph->offset[1] - 1;
  ck_assert_int_eq(validate_graph(graph, &err), MS_ERR_INTERNAL);
  ck_assert_ptr_nonnull(strstr(err.message, "offsets"));
  ms_graph_free(graph);
}
END_TEST

/* ---- edge lists ------------------------------------------------------------ */

/* Each of five spellings of one edge list gives the same graph and the checksum of its bytes. */
START_TEST(edge_list_forms)
{
  static const char *const texts[] = {
      "a\tb\nb\tc c\t0.5\tx\nd\td\n",
      "# comment\n! other\n% third\n\n   \n a \t b \nb\tc c\n\nd\td",
      "\xEF\xBB\xBF\x61\tb\r\nb\tc c\r\nd\td\r\n", /* \x61: a, spelt so as not to join \xBF */
      "a,b\nb, c c ,7\nd,d\n",
      "\"a\",b\n\"b\" ,\"c c\",\"x\"\nd , d\n",
  };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    ms_graph *graph = read_graph(texts[i], NULL);
    ms_graph_info info = ms_graph_describe(graph);
    ck_assert_msg(info.vertices == 4 && info.edges == 2 && info.self_loops == 1, "text %zu", i);
    ck_assert_msg(has_edge(graph, "a", "b") && has_edge(graph, "c c", "b"), "text %zu", i);
    ck_assert_str_eq(ms_graph_name(graph, 0), "a");
    ck_assert_str_eq(ms_graph_name(graph, 3), "d");
    ck_assert_int_eq(info.format, MS_FORMAT_EDGE_LIST);
    ck_assert_uint_eq(info.crc32c, ms_crc32c(0, texts[i], strlen(texts[i])));
    ms_graph_free(graph);
  }
}
END_TEST

/* Blanks, quotes, UTF-8, a header that is to be skipped, and a header that is data are read as
 * documented. */
START_TEST(edge_list_details)
{
  ms_graph *graph = read_graph("  a   b 1\nb \t c,x\n\xC3\xA9 a\n", NULL); /* blanks */
  ck_assert(has_edge(graph, "b", "c,x") && has_edge(graph, "\xC3\xA9", "a"));
  ck_assert_uint_eq(ms_graph_describe(graph).lines, 3);
  ck_assert_ptr_nonnull(strstr(ms_graph_describe(graph).path, "net.tsv"));
  ms_graph_free(graph);
  graph = read_graph("from,to\n\"say \"\"hi\"\", ok\",b\n",
                     &(ms_graph_options){.size = sizeof(ms_graph_options), .header = true});
  ck_assert_uint_eq(ms_graph_vertex_count(graph), 2);
  ck_assert(has_edge(graph, "say \"hi\", ok", "b"));
  ms_graph_free(graph);
  graph = read_graph("protein1 protein2\n", &(ms_graph_options){.size = sizeof(ms_graph_options),
                                                                .format = MS_FORMAT_EDGE_LIST});
  ck_assert_uint_eq(ms_graph_edge_count(graph), 1);
  ms_graph_free(graph);
}
END_TEST

/* 60,000 random lines, with tabs, commas or blanks, give the matrix that they were drawn into. */
START_TEST(edge_list_random)
{
  enum { N = 150, LINES = 60000 };
  static bool edge[N][N];
  uint64_t state = (uint64_t)_i + 1, loops = 0, edges = 0;
  char *text = malloc(LINES * 40), *to = text;
  static const char *const ends[] = {"\n", "\r\n"}, *const marks[] = {"\t", ",", "  "};
  const char *mark = marks[_i % 3];
  memset(edge, 0, sizeof edge);
  for (uint32_t i = 0; i < LINES; i++) {
    uint64_t r = random_next(&state);
    uint32_t u = (uint32_t)(r % N), v = (uint32_t)((r >> 20) % N);
    if (r >> 60 == 0)
      to = stpcpy(to, "# comment\tof no\tuse\n");
    to += sprintf(to, "v%u%sv%u%s", u, mark, v, i + 1 == LINES ? "" : ends[(r >> 50) & 1]);
    loops += u == v;
    edges += u != v && !edge[u][v];
    edge[u][v] = edge[v][u] = true;
  }
  ms_graph *graph = read_graph(text, NULL);
  ck_assert_uint_eq(ms_graph_vertex_count(graph), N);
  ck_assert_uint_eq(ms_graph_edge_count(graph), edges);
  ck_assert_uint_eq(ms_graph_describe(graph).self_loops, loops);
  ck_assert_uint_eq(ms_graph_describe(graph).duplicates, LINES - loops - edges);
  for (uint32_t u = 0; u < N; u++)
    for (uint32_t v = 0; v < N; v++) {
      char a[8], b[8];
      snprintf(a, sizeof a, "v%u", u);
      snprintf(b, sizeof b, "v%u", v);
      ck_assert_msg(has_edge(graph, a, b) == (u != v && edge[u][v]), "seed %d: %s %s", _i, a, b);
    }
  ms_graph_free(graph);
  free(text);
}
END_TEST

/* ---- where bytes come from -------------------------------------------------- */

/* A gzip file is read with the checksum of its content, and members that follow each other join
 * within a line. */
START_TEST(gzip_is_read)
{
  static const char text[] = "a\tb\nb\tc\n";
  ms_graph *graph;
  const char *path = files_write_gzip("net.gz", text, sizeof text - 1, 1);
  ck_ok(ms_graph_read(path, NULL, &graph, &err));
  ck_assert_uint_eq(ms_graph_edge_count(graph), 2);
  ck_assert_uint_eq(ms_graph_describe(graph).crc32c, ms_crc32c(0, text, sizeof text - 1));
  ms_graph_free(graph);
  path = files_write_gzip("twice.gz", "a\tb\nb\tc", 7, 2); /* "c" and "a" meet between members */
  ck_ok(ms_graph_read(path, NULL, &graph, &err));
  ck_assert_uint_ne(ms_graph_find(graph, "ca"), MS_NO_ID);
  ms_graph_free(graph);
}
END_TEST

/* A gzip file that is cut, damaged or followed by junk is refused, and zero padding is accepted. */
START_TEST(gzip_damage_is_seen)
{
  enum { SIZE = 50000 };
  char text[SIZE + 1], packed[SIZE];
  uint64_t state = 7;
  ms_graph *graph;
  for (size_t i = 0; i + 5 <= SIZE; i += 5)
    snprintf(text + i, 6, "%c\t%c \n", 'a' + (int)(random_next(&state) % 26),
             'a' + (int)(random_next(&state) % 26));
  const char *path = files_write_gzip("net.gz", text, SIZE, 1);
  FILE *in = fopen(path, "rb");
  size_t size = fread(packed, 1, sizeof packed, in);
  fclose(in);
  ck_assert_uint_gt(size, 1000);
  static const struct {
    int cut, flip; /* from the end */
    const char *part;
  } cases[] = {{1, 0, "cut off"}, {900, 0, "cut off"}, {0, 6, "damaged"}, {0, 0, NULL}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char copy[SIZE + 8] = {0};
    memcpy(copy, packed, size);
    copy[size - (size_t)cases[i].flip] ^= cases[i].flip ? 1 : 0;
    size_t left = size - (size_t)cases[i].cut + (cases[i].part ? 0 : 7); /* zero padding is fine */
    ms_status status = ms_graph_read(files_write("bad.gz", copy, left), NULL, &graph, &err);
    ck_assert_int_eq(status, cases[i].part ? MS_ERR_INPUT : MS_OK);
    ck_assert_msg(!cases[i].part || strstr(err.message, cases[i].part), "%s", err.message);
    ms_graph_free(graph);
    copy[size] = 'x';
    if (!cases[i].part) {
      ck_assert_int_eq(ms_graph_read(files_write("bad.gz", copy, left), NULL, &graph, &err),
                       MS_ERR_INPUT);
      ck_assert_ptr_nonnull(strstr(err.message, "other data"));
    }
  }
}
END_TEST

/* A graph from standard input reports its errors with that name and the line. */
START_TEST(standard_input)
{
  int ends[2], saved = dup(STDIN_FILENO);
  ms_graph *graph;
  ck_assert_int_eq(pipe(ends), 0);
  ck_assert_int_eq(write(ends[1], "a b\nb c\nx\n", 10), 10);
  close(ends[1]);
  dup2(ends[0], STDIN_FILENO);
  close(ends[0]);
  ck_assert_int_eq(ms_graph_read("-", NULL, &graph, &err), MS_ERR_INPUT);
  ck_assert_msg(strncmp(err.message, "standard input:3: ", 18) == 0, "%s", err.message);
  dup2(saved, STDIN_FILENO);
  close(saved);
}
END_TEST

/* A name of 300,000 bytes is read, and a line longer than 64 MiB is refused with its number. */
START_TEST(long_lines)
{
  size_t size = 300000, huge = MS_MAX_LINE + 10;
  char *text = malloc(huge);
  ms_graph *graph;
  memset(text, 'x', huge);
  memcpy(text, "a b\n", 4);
  memcpy(text + 4 + size, " b\nc a", 6);
  ck_ok(ms_graph_read(files_write("net.txt", text, size + 10), NULL, &graph, &err));
  ck_assert_uint_eq(strlen(ms_graph_name(graph, 2)), size);
  ck_assert_str_eq(ms_graph_name(graph, 3), "c");
  ck_assert_uint_eq(ms_graph_edge_count(graph), 3);
  ms_graph_free(graph);
  memset(text, 'x', size + 10);
  memcpy(text, "a b\n", 4);
  const char *path = files_write_gzip("long.gz", text, huge, 1);
  ck_assert_int_eq(ms_graph_read(path, NULL, &graph, &err), MS_ERR_INPUT);
  ck_assert_msg(strstr(err.message, "long.gz:2: the line is longer than 64 MiB"), "%s",
                err.message);
  free(text);
}
END_TEST

/* ---- STRING ---------------------------------------------------------------- */

static const char string_text[] = "protein1 protein2 neighborhood combined_score\n"
                                  "9.A 9.B 1 900\n9.B 9.A 1 900\n"
                                  "9.A 9.C 1 100\n9.C 9.A 1 100\n"
                                  "9.D 9.C 1 99.5\n9.C 9.D 1 99.5\n";

/* STRING files lose their taxon prefix unless it is to be kept, and edges below a score are counted
 * and left out. */
START_TEST(string_links)
{
  ms_graph *graph = read_graph(string_text, NULL);
  ms_graph_info info = ms_graph_describe(graph);
  ck_assert_int_eq(info.format, MS_FORMAT_STRING);
  ck_assert_uint_eq(info.edges, 3);
  ck_assert_uint_eq(info.duplicates, 3);
  ck_assert(has_edge(graph, "A", "B") && has_edge(graph, "D", "C"));
  ms_graph_free(graph);
  graph = read_graph(
      string_text,
      &(ms_graph_options){.size = sizeof(ms_graph_options), .min_score = 100, .keep_taxon = true});
  info = ms_graph_describe(graph);
  ck_assert_uint_eq(info.vertices, 3);
  ck_assert_uint_eq(info.edges, 2);
  ck_assert_uint_eq(info.below_score, 1);
  ck_assert(has_edge(graph, "9.A", "9.C"));
  ms_graph_free(graph);
}
END_TEST

/* The score is the column named so, wherever it stands. */
START_TEST(string_score_is_found_by_name)
{
  ms_graph *graph =
      read_graph("protein1 protein2 combined_score textmining\nA B 900 1\nA C 1 900\n",
                 &(ms_graph_options){.size = sizeof(ms_graph_options), .min_score = 500});
  ck_assert_uint_eq(ms_graph_edge_count(graph), 1);
  ck_assert(has_edge(graph, "A", "B"));
  ms_graph_free(graph);
}
END_TEST

/* The taxon prefix stays where not all names share one: four files. */
START_TEST(string_taxon_prefixes_differ)
{
  static const char *const kept[] = {"9.A 10.B 5", "9.A B 5", "9.A 9. 5", "x9.A x9.B 5"};
  for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
    char text[100];
    snprintf(text, sizeof text, "protein1 protein2 score\n%s\n", kept[i]);
    ms_graph *graph = read_graph(text, NULL);
    ck_assert_msg(strncmp(ms_graph_name(graph, 0), kept[i], 3) == 0, "%s", ms_graph_name(graph, 0));
    ms_graph_free(graph);
  }
}
END_TEST

/* ---- colours ----------------------------------------------------------------- */

static ms_coloring *read_colors(const ms_graph *graph, const char *text,
                                const ms_color_options *options)
{
  ms_coloring *coloring = NULL;
  ck_ok(ms_coloring_read(files_write_text("colors.tsv", text), graph, options, &coloring, &err));
  return coloring;
}

static bool has_color(const ms_graph *graph, const ms_coloring *coloring, const char *vertex,
                      const char *color)
{
  uint32_t count, wanted = ms_coloring_find(coloring, color);
  const uint32_t *list = ms_coloring_of(coloring, ms_graph_find(graph, vertex), &count);
  for (uint32_t i = 0; i < count; i++)
    if (list[i] == wanted)
      return true;
  return false;
}

/* Each of three spellings of one colour table gives the same colours, counts and checksum. */
START_TEST(color_table_forms)
{
  static const char *const texts[] = {
      "# c\na\tred, or so\nb\tblue\textra\na\tblue\nz\tgreen\na\tblue\n",
      "! c\r\na red, or so\r\nb   blue\r\na blue \r\nz green\r\na blue",
      "% c\na,\"red, or so\"\nb,blue,extra\na , blue\nz,green\na,blue\n",
  };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    ms_graph *graph = read_graph("a b\nb c\n", NULL);
    ms_coloring *coloring = read_colors(graph, texts[i], NULL);
    ms_coloring_info info = ms_coloring_describe(coloring);
    ck_assert_msg(info.colors == 3 && info.assignments == 3 && info.duplicates == 1 &&
                      info.unknown_vertices == 1 && info.lines == 6,
                  "text %zu: %u colours", i, info.colors);
    ck_assert(has_color(graph, coloring, "a", "red, or so") &&
              has_color(graph, coloring, "a", "blue") && has_color(graph, coloring, "b", "blue") &&
              !has_color(graph, coloring, "b", "red, or so") &&
              !has_color(graph, coloring, "c", "green"));
    ck_assert_uint_eq(info.crc32c, ms_crc32c(0, texts[i], strlen(texts[i])));
    ms_coloring_free(coloring);
    ms_graph_free(graph);
  }
}
END_TEST

/* Colours from an array of pairs are sorted sets, and a pair of no colour and a repeated name are
 * refused. */
START_TEST(color_pairs)
{
  static const uint32_t pairs[][2] = {{1, 2}, {1, 0}, {0, 1}, {1, 2}, {2, 0}}, bad[][2] = {{0, 3}};
  static const char *const names[] = {"x", "y", "z"}, *const twice[] = {"x", "x", "z"};
  ms_graph *graph = read_graph("a b\nb c\n", NULL);
  ms_coloring *coloring;
  uint32_t count;
  ck_ok(ms_coloring_from_pairs(graph, 5, pairs, 3, names, &coloring, &err));
  const uint32_t *colors = ms_coloring_of(coloring, 1, &count);
  ck_assert(count == 2 && colors[0] == 0 && colors[1] == 2);
  ck_assert_uint_eq(ms_coloring_describe(coloring).duplicates, 1);
  ck_assert_str_eq(ms_coloring_name(coloring, 2), "z");
  ck_assert_uint_eq(ms_coloring_find(coloring, "w"), MS_NO_ID);
  ms_coloring_free(coloring);
  ck_assert_int_eq(ms_coloring_from_pairs(graph, 1, bad, 3, names, &coloring, &err), MS_ERR_USAGE);
  ck_assert_int_eq(ms_coloring_from_pairs(graph, 5, pairs, 3, twice, &coloring, &err),
                   MS_ERR_USAGE);
  ck_assert_ptr_null(coloring);
  ms_graph_free(graph);
}
END_TEST

static const char go_slim[] = "ORF1\ta\tS000000001\tP\tfolding\tGO:0000001\tORF\n"
                              "b\tB\tS000000002\tF\tbinding\tGO:0000002\tORF\n"
                              "b\tB\tS000000002\tP\tother\t\tORF\n"
                              "b\tB\tS000000002\tF\tother\t\tORF\n"
                              "b\tB\tS000000002\tF\tfolding\tGO:0000003\tORF\n"
                              "ORF1\ta\tS000000001\tC\tfolding\tGO:0000001\tORF\n"
                              "gone\tgone\tS000000003\tC\tmembrane\tGO:0000004\tORF\n";

/* GO slim terms are found by name and by id, terms that share a name stay apart, and aspects can be
 * chosen. */
START_TEST(go_slim_terms)
{
  ms_graph *graph = read_graph("a b\nb c\n", NULL);
  ms_coloring *coloring = read_colors(graph, go_slim, NULL);
  ms_coloring_info info = ms_coloring_describe(coloring);
  ck_assert_uint_eq(info.colors, 6);
  ck_assert_uint_eq(info.unknown_vertices, 1);
  ck_assert_uint_eq(info.assignments, 5);
  ck_assert_uint_eq(info.duplicates, 1);
  ck_assert(has_color(graph, coloring, "a", "folding") &&
            has_color(graph, coloring, "a", "GO:0000001"));
  ck_assert(has_color(graph, coloring, "b", "folding (GO:0000003)"));
  ck_assert(has_color(graph, coloring, "b", "other (P)") &&
            has_color(graph, coloring, "b", "other (F)"));
  ck_assert(!has_color(graph, coloring, "b", "folding") &&
            ms_coloring_find(coloring, "other") == MS_NO_ID);
  ms_coloring_free(coloring);
  coloring = read_colors(graph, go_slim,
                         &(ms_color_options){.size = sizeof(ms_color_options), .aspects = "CP"});
  ck_assert_uint_eq(ms_coloring_describe(coloring).colors, 3);
  ck_assert_uint_eq(ms_coloring_find(coloring, "binding"), MS_NO_ID);
  ms_coloring_free(coloring);
  coloring =
      read_colors(graph, "a\tb\tS000000001\tP\tx\tGO:1\tORF\n",
                  &(ms_color_options){.size = sizeof(ms_color_options), .format = MS_COLORS_TSV});
  ck_assert_uint_ne(ms_coloring_find(coloring, "b"), MS_NO_ID);
  ms_coloring_free(coloring);
  ms_graph_free(graph);
}
END_TEST

/* ---- malformed inputs ---------------------------------------------------------- */

#define TEXT(s) s, sizeof s - 1
#define STRING_HEAD "protein1 protein2 combined_score\n"
#define GO_LINE "a\tA\tS000000001\tP\tfolding\tGO:0000001\tORF\n"

typedef struct bad_input {
  const char *text;
  size_t size;
  ms_status status;
  const char *part, *other_part;
  int format;
  double min_score;    /* graphs */
  const char *aspects; /* colours */
} bad_input;

static const bad_input bad_graphs[] = {
    {TEXT(""), MS_ERR_INPUT, "bad.tsv: holds no edges", "two vertex names", 0, 0, NULL},
    {TEXT("# only\n\n \t\n"), MS_ERR_INPUT, "holds no edges", "", 0, 0, NULL},
    {TEXT("a\tb\n\n# c\na\n"), MS_ERR_INPUT, "bad.tsv:4: ", "a tab as in line 1, found one ('a')",
     0, 0, NULL},
    {TEXT("YAL001C\n"), MS_ERR_INPUT,
     "bad.tsv:1: expected two vertex names separated by a tab, comma, semicolon or blank, found one "
     "('YAL001C')",
     "add the second name or remove the line", 0, 0, NULL},
    {TEXT("a\tb\nc d\n"), MS_ERR_INPUT, "bad.tsv:2: ", "found one ('c d')", 0, 0, NULL},
    {TEXT("a,b\nc\td\n"), MS_ERR_INPUT, "bad.tsv:2: ", "a comma as in line 1", 0, 0, NULL},
    {TEXT("a b\nc\n"), MS_ERR_INPUT, "bad.tsv:2: ", "blanks as in line 1", 0, 0, NULL},
    {TEXT("a\t\tb\n"), MS_ERR_INPUT, "bad.tsv:1: the second vertex name is empty", "", 0, 0, NULL},
    {TEXT("\ta\n"), MS_ERR_INPUT, "bad.tsv:1: the first vertex name is empty", "", 0, 0, NULL},
    {TEXT("a,b\na,\n"), MS_ERR_INPUT, "bad.tsv:2: the second vertex name is empty", "", 0, 0, NULL},
    {TEXT("a,\"b\nc,d\n"), MS_ERR_INPUT, "bad.tsv:1: a double quote is not closed", "", 0, 0, NULL},
    {TEXT("a,\"b\"c\n"), MS_ERR_INPUT, "bad.tsv:1: text follows a closing double quote", "", 0, 0,
     NULL},
    {TEXT("a b\nc \0d\n"), MS_ERR_INPUT, "bad.tsv:2: holds a NUL byte", "", 0, 0, NULL},
    {TEXT("a b\nr\xE9 d\n"), MS_ERR_INPUT, "bad.tsv:2: the first vertex name is not valid UTF-8",
     "iconv", 0, 0, NULL},
    {TEXT("a b\nc d\x01\n"), MS_ERR_INPUT, "bad.tsv:2: the second vertex name holds a control", "",
     0, 0, NULL},
    {TEXT("a b\rc d\r"), MS_ERR_INPUT, "bad.tsv: its lines end as on old Macintosh computers",
     "CSV UTF-8", 0, 0, NULL},
    {TEXT("\xE9\n"), MS_ERR_INPUT, "bad.tsv:1: expected two", "found one;", 0, 0, NULL},
    {TEXT("a b\n"), MS_ERR_USAGE, "bad.tsv: a minimum score is given", "protein1 protein2", 0, 5,
     NULL},
    {TEXT("a b 900\n"), MS_ERR_USAGE, "number of at least 0", "", 0, -1, NULL},
    {TEXT("a b 900\n"), MS_ERR_USAGE, "is no value of ms_graph_format", "", 77, 0, NULL},
    {TEXT("a b 900\n"), MS_ERR_INPUT, "bad.tsv:1: expected the STRING header", "", MS_FORMAT_STRING,
     0, NULL},
    {TEXT("protein1 protein2\nA B\n"), MS_ERR_INPUT, "bad.tsv:1: expected the STRING header", "", 0,
     0, NULL},
    {TEXT(STRING_HEAD "A B 9\nA C x9\n"), MS_ERR_INPUT, "bad.tsv:3: the score 'x9' is not a number",
     "", 0, 0, NULL},
    {TEXT(STRING_HEAD "A B nan\n"), MS_ERR_INPUT, "bad.tsv:2: the score 'nan' is not", "", 0, 0,
     NULL},
    {TEXT(STRING_HEAD "A B 1e999\n"), MS_ERR_INPUT, "bad.tsv:2: the score '1e999' is not", "", 0, 0,
     NULL},
    {TEXT(STRING_HEAD "A B\n"), MS_ERR_INPUT, "bad.tsv:2: expected 3 columns", "found 2", 0, 0,
     NULL},
    {TEXT(STRING_HEAD), MS_ERR_INPUT, "bad.tsv: holds no edges", "", 0, 0, NULL},
    {TEXT(STRING_HEAD "A B 9\n"), MS_ERR_INPUT,
     "bad.tsv: holds no edges with a score of at least 10", "lower", 0, 10, NULL},
};

static const bad_input bad_colors[] = {
    {TEXT(""), MS_ERR_INPUT, "bad.tsv: holds no colours", "", 0, 0, NULL},
    {TEXT("a\tred\nb red\n"), MS_ERR_INPUT,
     "bad.tsv:2: expected a vertex and a colour separated by a tab", "'b red'", 0, 0, NULL},
    {TEXT("a\t\nb\t\n"), MS_ERR_INPUT, "gives no vertex a colour", "", 0, 0, NULL},
    {TEXT("a red\nb,x\n"), MS_ERR_INPUT, "bad.tsv:2: ", "blanks", 0, 0, NULL},
    {TEXT("a\tred\n\tred\n"), MS_ERR_INPUT, "bad.tsv:2: the vertex name is empty", "", 0, 0, NULL},
    {TEXT("a\tr\xE9\n"), MS_ERR_INPUT, "bad.tsv:1: the colour is not valid UTF-8", "iconv", 0, 0,
     NULL},
    {TEXT("a\tr\x02\n"), MS_ERR_INPUT, "bad.tsv:1: the colour holds a control", "", 0, 0, NULL},
    {TEXT("a,\"red\n"), MS_ERR_INPUT, "bad.tsv:1: a double quote is not closed", "", 0, 0, NULL},
    {TEXT("A1\tred\nA2\tblue\n"), MS_ERR_INPUT, "bad.tsv: none of its lines names a vertex of ",
     "such as 'A1' (line 1) and 'A2' (line 2); the graph has names like 'a'", 0, 0, NULL},
    {TEXT("a\tred\n"), MS_ERR_USAGE, "this is not a GO slim file", "", 0, 0, "P"},
    {TEXT("a\tred\n"), MS_ERR_USAGE, "'PX' is not a list of GO aspects", "", 0, 0, "PX"},
    {TEXT("a\tred\n"), MS_ERR_USAGE, "is no value of ms_color_format", "", 9, 0, NULL},
    {TEXT("a\tred\n"), MS_ERR_INPUT, "bad.tsv:1: expected the columns ORF", "found 2",
     MS_COLORS_GO_SLIM, 0, NULL},
    {TEXT(GO_LINE "a\tA\tS000000001\tQ\tx\tGO:0000001\tORF\n"), MS_ERR_INPUT,
     "bad.tsv:2: the fourth column", "P, F or C", 0, 0, NULL},
    {TEXT(GO_LINE "a\tA\tS000000001\tP\t\tGO:0000001\tORF\n"), MS_ERR_INPUT,
     "bad.tsv:2: the term is empty", "", 0, 0, NULL},
    {TEXT(GO_LINE "a\tA\n"), MS_ERR_INPUT, "bad.tsv:2: expected the columns", "found 2", 0, 0,
     NULL},
    {TEXT("ORF9\tGENE9\tS000000001\tP\tfolding\tGO:0000001\tORF\n"), MS_ERR_INPUT,
     "none of its lines names a vertex of ", "such as 'ORF9' (line 1)", 0, 0, NULL},
    {TEXT(GO_LINE), MS_ERR_INPUT, "gives no vertex a colour", "", 0, 0, "F"},
};

static void check_refusal(const bad_input *bad, size_t i, ms_status status, const void *object)
{
  ck_assert_msg(status == bad->status, "case %zu: status %d, %s", i, (int)status, err.message);
  ck_assert_msg(strstr(err.message, bad->part) && strstr(err.message, bad->other_part),
                "case %zu: '%s' lacks '%s' or '%s'", i, err.message, bad->part, bad->other_part);
  ck_assert_ptr_null(object);
}

/* Each of 28 malformed graph files is refused with status, place and reason, with and without an
 * error to fill in. */
START_TEST(bad_graphs_are_refused)
{
  for (size_t i = 0; i < sizeof bad_graphs / sizeof *bad_graphs; i++) {
    const bad_input *bad = &bad_graphs[i];
    ms_graph_options options = {.size = sizeof(ms_graph_options),
                                .format = (ms_graph_format)bad->format,
                                .min_score = bad->min_score};
    ms_graph *graph;
    const char *path = files_write("bad.tsv", bad->text, bad->size);
    ms_status status = ms_graph_read(path, &options, &graph, &err);
    check_refusal(bad, i, status, graph);
    ck_assert_int_eq(ms_graph_read(path, &options, &graph, NULL), bad->status);
  }
}
END_TEST

/* Each of 18 malformed colour files is refused with status, place and reason. */
START_TEST(bad_colors_are_refused)
{
  ms_graph *graph = read_graph("a b\nb c\n", NULL);
  for (size_t i = 0; i < sizeof bad_colors / sizeof *bad_colors; i++) {
    const bad_input *bad = &bad_colors[i];
    ms_color_options options = {.size = sizeof(ms_color_options),
                                .format = (ms_color_format)bad->format,
                                .aspects = bad->aspects};
    ms_coloring *coloring;
    const char *path = files_write("bad.tsv", bad->text, bad->size);
    ms_status status = ms_coloring_read(path, graph, &options, &coloring, &err);
    check_refusal(bad, i, status, coloring);
  }
  ms_graph_free(graph);
}
END_TEST

/* A missing file, a folder and an empty name are refused with the reason. */
START_TEST(missing_files)
{
  ms_graph *graph;
  ck_assert_int_eq(ms_graph_read(files_path("none.tsv"), NULL, &graph, &err), MS_ERR_INPUT);
  ck_assert_msg(strstr(err.message, "none.tsv: cannot open: No such file"), "%s", err.message);
  ck_assert_int_eq(ms_graph_read(files_path("."), NULL, &graph, &err), MS_ERR_INPUT);
  ck_assert_msg(strstr(err.message, "is a folder"), "%s", err.message);
  ck_assert_int_eq(ms_graph_read("", NULL, &graph, &err), MS_ERR_INPUT);
}
END_TEST

/* ---- real data ------------------------------------------------------------------ */

/* Three yeast files have the vertices, edges, colours and assignments that were counted once
 * without this library. */
START_TEST(real_yeast)
{
  const char *biogrid = files_data("yeast/s_cerevisiae.network-109-4.4.222.txt.gz");
  ms_graph *graph;
  ms_coloring *coloring;
  if (!biogrid) {
    printf("SKIPPED: real_yeast, no data; set MOTIFSIEVE_DATA\n");
    return;
  }
  ck_ok(ms_graph_read(biogrid, NULL, &graph, &err));
  ck_assert_uint_eq(ms_graph_vertex_count(graph), 5639);
  ck_assert_uint_eq(ms_graph_edge_count(graph), 127540);
  /* 41,830 lines, of which 5,069 are of genes that the network lacks; 168 terms with a GO id,
   * "other" in three aspects and "not_yet_annotated" in two */
  ck_ok(ms_coloring_read(files_data("yeast/go_slim_mapping.tab.gz"), graph, NULL, &coloring, &err));
  ck_assert_uint_eq(ms_coloring_describe(coloring).colors, 173);
  ck_assert_uint_eq(ms_coloring_describe(coloring).assignments, 36761);
  ck_assert_uint_eq(ms_coloring_describe(coloring).unknown_vertices, 5069);
  ck_assert_uint_eq(ms_coloring_find(coloring, "GO:0006364"),
                    ms_coloring_find(coloring, "rRNA processing"));
  ms_coloring_free(coloring);
  ms_graph_free(graph);
  ck_ok(ms_graph_read(files_data("yeast/4932.protein.physical.links.v12.0.txt.gz"), NULL, &graph,
                      &err));
  ck_assert_uint_eq(ms_graph_vertex_count(graph), 5925);
  ck_assert_uint_eq(ms_graph_edge_count(graph), 176303);
  ck_assert_uint_ne(ms_graph_find(graph, "YGR222W"), MS_NO_ID);
  ms_graph_free(graph);
}
END_TEST

TEST_MAIN("graph: reading", TEST(names_intern), TEST(names_are_checked), TEST(graph_from_edges),
          TEST(rows_have_offsets), TEST(graph_from_edges_refuses), TEST(validator_sees_breakage),
          TEST(edge_list_forms), TEST(edge_list_details), TEST_TIMES(edge_list_random, 3),
          TEST(gzip_is_read), TEST(gzip_damage_is_seen), TEST(standard_input), TEST(long_lines),
          TEST(string_links), TEST(string_score_is_found_by_name),
          TEST(string_taxon_prefixes_differ), TEST(color_table_forms), TEST(color_pairs),
          TEST(go_slim_terms), TEST(bad_graphs_are_refused), TEST(bad_colors_are_refused),
          TEST(missing_files), TEST(real_yeast))
