/* The scores of edges: what readers keep, against a matrix of the greatest scores; what the binary
 * format and edge lists hold; damaged files. */
#include "base/crc32c.h"
#include "base/text/float_text.h"
#include "graph/edge_scores.h"
#include "graph/formats/binary.h"
#include "graph/io/fields.h"
#include "tests/support/files.h"
#include "tests/support/graphs/validate.h"
#include "tests/support/random.h"
#include "tests/support/results/malform.h"
#include "tests/support/test_main.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_N = 30, LINES = 200, LINE_BYTES = 120 };

static ms_error err;

/* The lines of a file, and the greatest score of each edge; -1: there is no such edge. */
typedef struct table {
  char text[LINES * LINE_BYTES];
  double greatest[MOST_N][MOST_N];
} table;

static void add_line(table *t, const char *format, uint32_t u, uint32_t v, const char *score)
{
  size_t used = strlen(t->text);
  double value = strtod(score, NULL);
  snprintf(t->text + used, sizeof t->text - used, format, u, v, score);
  if (u != v && value > t->greatest[u][v])
    t->greatest[u][v] = t->greatest[v][u] = value;
}

/* Makes random lines of edges, with repeats in both directions and with loops. */
static void fill(table *t, const char *head, const char *format, bool whole, uint64_t *seed)
{
  uint32_t n = 2 + random_below(seed, MOST_N - 2), lines = 1 + random_below(seed, LINES / 2);
  char score[32];
  strcpy(t->text, head);
  for (uint32_t u = 0; u < MOST_N; u++)
    for (uint32_t v = 0; v < MOST_N; v++)
      t->greatest[u][v] = -1;
  for (uint32_t i = 0; i < lines; i++) {
    snprintf(score, sizeof score, whole ? "%u" : "%u.%03u", random_below(seed, 1000),
             random_below(seed, 1000));
    add_line(t, format, random_below(seed, n), random_below(seed, n), score);
  }
}

static uint32_t number_of(const ms_graph *graph, uint32_t v)
{
  return (uint32_t)strtoul(ms_graph_name(graph, v) + 1, NULL, 10);
}

/* Checks that the graph has the edges of the matrix that score at least `least`, with these scores.
 */
static void compare(const ms_graph *graph, const table *t, double least)
{
  uint64_t edges = 0, arcs = 0;
  ck_ok(validate_graph(graph, &err));
  ck_assert(ms_graph_scored(graph) && ms_graph_describe(graph).scored);
  for (uint32_t u = 0; u < MOST_N; u++)
    for (uint32_t v = 0; v < u; v++)
      edges += t->greatest[u][v] >= 0 && t->greatest[u][v] >= least;
  for (uint32_t v = 0; v < ms_graph_vertex_count(graph); v++) {
    uint32_t degree;
    const uint32_t *row = ms_graph_neighbors(graph, v, &degree);
    const float *score = ms_graph_scores(graph, v);
    for (uint32_t i = 0; i < degree; i++)
      ck_assert(score[i] == (float)t->greatest[number_of(graph, v)][number_of(graph, row[i])]);
    arcs += degree;
  }
  ck_assert_uint_eq(arcs, 2 * edges);
}

static ms_graph *read_graph(const char *path, ms_graph_options options)
{
  ms_graph *graph = NULL;
  ck_ok(ms_graph_read(path, &options, &graph, &err));
  return graph;
}

#define BIOGRID_HEAD                                                                               \
  "#BioGRID Interaction ID\tBioGRID ID Interactor A\tBioGRID ID Interactor B\t"                    \
  "Systematic Name Interactor A\tSystematic Name Interactor B\tOfficial Symbol Interactor A\t"     \
  "Official Symbol Interactor B\tScore\tTags\n"

#define MITAB_CELLS "\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t"

/* Readers keep the greatest score of the lines of an edge, with one thread and with two, and drop
 * edges below the least score as before: 300 random files of each kind against a matrix.  Without
 * keep_scores the graph has no scores. */
START_TEST(readers_keep_the_greatest_score)
{
  static const struct {
    const char *name, *head, *format;
    bool whole;
  } kinds[] = {{"list.tsv", "", "v%u\tv%u\t%s\n", false},
               {"list.csv", "source,target,weight\n", "v%u,v%u,%s\n", false},
               {"links.txt", "protein1 protein2 combined_score\n", "v%u v%u %s\n", true},
               {"scored.tab3.txt", BIOGRID_HEAD, "1\t2\t3\t-\t-\tv%u\tv%u\t%s\t-\n", false},
               {"scored.mitab", "", "x:v%u\tx:v%u" MITAB_CELLS "a:-1|intact-miscore:%s\n", false},
               {"types.tsv", "source\ttype\ttarget\tscore\n", "v%u\tt\tv%u\t%s\n", false}};
  table *t = malloc(sizeof *t);
  uint64_t seed = 1, scored = 0;
  ck_assert_ptr_nonnull(t);
  for (uint64_t i = 0; i < scaled(1800); i++) {
    bool filters = random_below(&seed, 2);
    ms_graph_options options = {.size = sizeof options,
                                .keep_scores = true,
                                .min_score = filters ? 300 : 0,
                                .run.threads = 1 + (int)random_below(&seed, 2)};
    fill(t, kinds[i % 6].head, kinds[i % 6].format, kinds[i % 6].whole, &seed);
    const char *path = files_write_text(kinds[i % 6].name, t->text);
    ms_graph *graph = NULL;
    ms_status status = ms_graph_read(path, &options, &graph, &err);
    if (status != MS_OK) { /* nothing is left, or the lines look like a header */
      ck_assert_int_eq(status, MS_ERR_INPUT);
      continue;
    }
    scored++;
    compare(graph, t, options.min_score);
    ms_graph_free(graph);
    options.keep_scores = false;
    graph = read_graph(path, options);
    ck_assert(!ms_graph_scored(graph));
    ck_assert_ptr_null(ms_graph_scores(graph, 0));
    ms_graph_free(graph);
  }
  ck_assert_uint_gt(scored, scaled(1800) / 2);
  free(t);
}
END_TEST

/* Appends to the text of a table. */
MS_PRINTF(2, 3)
static void append(table *t, const char *format, ...)
{
  size_t used = strlen(t->text);
  va_list list;
  va_start(list, format);
  vsnprintf(t->text + used, sizeof t->text - used, format, list);
  va_end(list);
}

static double draw_score(table *t, uint32_t u, uint32_t v, uint64_t *seed)
{
  double score = random_below(seed, 1000) / 8.0;
  if (u != v && score > t->greatest[u][v])
    t->greatest[u][v] = t->greatest[v][u] = score;
  return score;
}

/* Makes a random file of numbered vertices: Matrix Market (general or symmetric), DIMACS, or METIS,
 * whose edges may have other weights at either end, and may be listed twice. */
static const char *fill_numbered(table *t, unsigned kind, uint64_t *seed)
{
  uint32_t n = 2 + random_below(seed, MOST_N - 2), m = 1 + random_below(seed, LINES / 2), edges = 0;
  uint32_t times[MOST_N][MOST_N] = {{0}}; /* METIS: how often an edge is listed at each end */
  t->text[0] = '\0';
  for (uint32_t u = 0; u < MOST_N; u++)
    for (uint32_t v = 0; v < MOST_N; v++)
      t->greatest[u][v] = -1;
  if (kind < 2)
    append(t, "%%%%MatrixMarket matrix coordinate real %s\n%u %u %u\n",
           kind ? "symmetric" : "general", n, n, m);
  if (kind == 2)
    append(t, "p edge %u %u\n", n, m);
  for (uint32_t i = 0; i < m; i++) {
    uint32_t u = random_below(seed, n), v = random_below(seed, n);
    if (kind < 3)
      append(t, "%s%u %u %.3f\n", kind == 2 ? "e " : "", u + 1, v + 1, draw_score(t, u, v, seed));
    if (kind == 3 && u != v && times[u][v] < 2) {
      times[u][v]++;
      times[v][u]++;
      edges++;
    }
  }
  if (kind < 3)
    return kind < 2 ? "scored.mtx" : "scored.dimacs";
  append(t, "%u %u 1\n", n, edges);
  for (uint32_t u = 0; u < n; u++) {
    for (uint32_t i = 0; i < n; i++) /* neighbours in any order */
      for (uint32_t v = (i + u) % n, left = times[u][v]; left > 0; left--)
        append(t, " %u %.3f", v + 1, draw_score(t, u, v, seed));
    append(t, "\n");
  }
  return "scored.graph";
}

/* Readers of numbered vertices keep the greatest score that a file gives an edge, at either end and
 * in either direction: 300 random files of each of Matrix Market, general and symmetric, DIMACS and
 * METIS, every third one directed where that is possible, against a matrix. */
START_TEST(numbered_files_keep_the_greatest_score)
{
  static const ms_graph_format format[] = {MS_FORMAT_MATRIX_MARKET, MS_FORMAT_MATRIX_MARKET,
                                           MS_FORMAT_DIMACS, MS_FORMAT_METIS};
  table *t = malloc(sizeof *t);
  uint64_t seed = 3, different = 0;
  ck_assert_ptr_nonnull(t);
  for (uint64_t i = 0; i < scaled(1200); i++) {
    ms_graph_options options = {.size = sizeof options,
                                .format = format[i % 4],
                                .keep_scores = true,
                                .directed = i % 4 < 2 && i % 3 == 0,
                                .run.threads = 1 + (int)random_below(&seed, 2)};
    const char *path = files_write_text(fill_numbered(t, i % 4, &seed), t->text);
    ms_graph *graph = read_graph(path, options);
    uint64_t edges = 0, arcs = 0;
    ck_ok(validate_graph(graph, &err));
    for (uint32_t u = 0; u < MOST_N; u++)
      for (uint32_t v = 0; v < u; v++)
        edges += t->greatest[u][v] >= 0;
    ck_assert_int_eq(ms_graph_scored(graph), edges > 0 || i % 4 < 3);
    for (uint32_t v = 0; edges > 0 && v < ms_graph_vertex_count(graph); v++) {
      uint32_t degree;
      const uint32_t *row = ms_graph_neighbors(graph, v, &degree);
      for (uint32_t j = 0; j < degree; j++)
        ck_assert_msg(ms_graph_scores(graph, v)[j] == (float)t->greatest[v][row[j]], "%s", t->text);
      arcs += degree;
      different += degree > 1;
    }
    ck_assert_uint_eq(arcs, 2 * edges);
    ms_graph_free(graph);
    options.keep_scores = false;
    graph = read_graph(path, options);
    ck_assert(!ms_graph_scored(graph));
    ms_graph_free(graph);
  }
  ck_assert_uint_gt(different, scaled(1200));
  free(t);
}
END_TEST

/* The scores of MITAB are the confidences of one name: the one that is chosen, else
 * intact-miscore if the first line with a number has it, else the first number of that line.  Lines
 * without a score are dropped where a minimum is given. */
START_TEST(confidences_are_scores)
{
#define LINE(a, b, confidence) "x:" a "\tx:" b MITAB_CELLS confidence "\n"
  static const struct {
    const char *text, *score_column;
    double min_score, score;
    uint64_t edges, below;
  } cases[] = {{LINE("a", "b", "k:high|k:2|intact-miscore:0.5"), NULL, 0, 0.5, 1, 0},
               {LINE("a", "b", "k:high|k:2|m:3"), NULL, 0, 2, 1, 0},
               {LINE("a", "b", "k:2|m:3"), "m", 0, 3, 1, 0},
               {LINE("a", "b", "0.25"), NULL, 0, 0.25, 1, 0},
               {LINE("a", "b", "k:2(text)") LINE("b", "a", "m:9|k:4"), NULL, 0, 4, 1, 0},
               {LINE("a", "b", "k:2") LINE("b", "c", "m:9") LINE("c", "d", "-"), NULL, 1, 2, 1, 2},
               {LINE("a", "b", "k:2") LINE("b", "c", "k:0.5"), NULL, 1, 2, 1, 1},
               {LINE("a", "b", "k:2") "x:b\t-" MITAB_CELLS "-\n", NULL, 0, 2, 1, 0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    ms_graph_options options = {.size = sizeof options,
                                .keep_scores = true,
                                .score_column = cases[i].score_column,
                                .min_score = cases[i].min_score};
    ms_graph *graph = read_graph(files_write_text("a.mitab", cases[i].text), options);
    ms_graph_info info = ms_graph_describe(graph);
    ck_assert_uint_eq(info.edges, cases[i].edges);
    ck_assert_uint_eq(info.below_score, cases[i].below);
    ck_assert_uint_eq(info.layout.score_column, 15);
    ck_assert(ms_graph_scores(graph, 0)[0] == (float)cases[i].score);
    ms_graph_free(graph);
  }
}
END_TEST

/* A graph with scores is the same after it was written in the binary format, plain or compressed,
 * or as an edge list: 300 random graphs. */
START_TEST(files_hold_scores)
{
  table *t = malloc(sizeof *t);
  uint64_t seed = 7;
  ck_assert_ptr_nonnull(t);
  for (uint64_t i = 0; i < scaled(300); i++) {
    ms_graph_options options = {.size = sizeof options, .keep_scores = true};
    ms_graph *graph;
    fill(t, "source\ttarget\tscore\n", "v%u\tv%u\t%s\n", false, &seed);
    graph = read_graph(files_write_text("scores.tsv", t->text), options);
    const char *binary = files_path(i % 2 ? "scores.msb.gz" : "scores.msb");
    ck_ok(ms_graph_write(graph, NULL, MS_FORMAT_BINARY, binary, &err));
    const char *list = files_path("again.tsv");
    ck_ok(ms_graph_write(graph, NULL, MS_FORMAT_EDGE_LIST, list, &err));
    uint32_t n = ms_graph_vertex_count(graph);
    ms_graph_free(graph);
    options.run.threads = 1 + (int)(i % 2);
    options.keep_scores = i % 3; /* the file says it, too */
    graph = read_graph(binary, options);
    compare(graph, t, 0);
    ms_graph_free(graph);
    options.keep_scores = true;
    graph = read_graph(list, options);
    ck_assert_uint_eq(ms_graph_vertex_count(graph), n);
    compare(graph, t, 0);
    ms_graph_free(graph);
  }
  free(t);
}
END_TEST

enum { ATTRIBUTED_BYTES = 1 << 17 };

/* Writes the edges of the matrix as GraphML, each with its score unless this is `unstated`, the
 * default; some edges have a second, lower score, too. */
static void write_graphml(const table *t, double unstated, uint64_t *seed, char *text)
{
  char *at = text;
  at += sprintf(
      at,
      "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">"
      "<key id=\"o\" for=\"edge\" attr.name=\"other\"/>"
      "<key id=\"w\" for=\"edge\" attr.name=\"weight\"><default>%g</default></key>\n<graph>",
      unstated);
  for (uint32_t v = 0; v < MOST_N; v++)
    at += sprintf(at, "<node id=\"v%u\"/>\n", v);
  for (uint32_t u = 0; u < MOST_N; u++)
    for (uint32_t v = 0; v < u; v++) {
      double score = t->greatest[u][v];
      if (score < 0)
        continue;
      at += sprintf(at, "<edge source=\"v%u\" target=\"v%u\"><data key=\"o\">9</data>", u, v);
      at += score == unstated ? sprintf(at, "</edge>\n")
                              : sprintf(at, "<data key=\"w\"> %.3f</data></edge>\n", score);
      if (random_below(seed, 4) == 0)
        at +=
            sprintf(at, "<edge source=\"v%u\" target=\"v%u\"><data key=\"w\">%.3f</data></edge>\n",
                    v, u, score - 1);
    }
  strcpy(at, "</graph></graphml>\n");
}

/* Does the same as CX2. */
static void write_cx2(const table *t, double unstated, uint64_t *seed, char *text)
{
  char *at = text;
  uint32_t id = MOST_N;
  at += sprintf(
      at,
      "[{\"CXVersion\":\"2.0\"},{\"attributeDeclarations\":[{\"nodes\":{\"name\":{}},\"edges\":{"
      "\"other\":{},\"weight\":{\"a\":\"w\",\"v\":%g}}}]},{\"nodes\":[",
      unstated);
  for (uint32_t v = 0; v < MOST_N; v++)
    at += sprintf(at, "%s{\"id\":%u,\"v\":{\"name\":\"v%u\"}}\n", v ? "," : "", v, v);
  at += sprintf(at, "]},{\"edges\":[");
  for (uint32_t u = 0; u < MOST_N; u++)
    for (uint32_t v = 0; v < u; v++) {
      double score = t->greatest[u][v];
      if (score < 0)
        continue;
      at += sprintf(at, "%s{\"id\":%u,\"s\":%u,\"t\":%u,\"v\":{\"other\":9", id > MOST_N ? "," : "",
                    id, u, v);
      at += score == unstated ? sprintf(at, "}}\n") : sprintf(at, ",\"w\":%.3f}}\n", score);
      id++;
      if (random_below(seed, 4) == 0)
        at += sprintf(at, ",{\"id\":%u,\"s\":%u,\"t\":%u,\"v\":{\"w\":%.3f}}\n", id++, v, u,
                      score - 1);
    }
  strcpy(at, "]},{\"status\":[{\"success\":true}]}]\n");
}

/* The scores of GraphML and CX2 are those of the edges' attribute or its default value: 200 random
 * files of each, against the matrix. */
START_TEST(attributes_are_scores)
{
  table *t = malloc(sizeof *t);
  char *text = malloc(ATTRIBUTED_BYTES);
  uint64_t seed = 13;
  ck_assert(t && text);
  for (uint64_t i = 0; i < scaled(400); i++) {
    ms_graph_options options = {.size = sizeof options, .keep_scores = true};
    fill(t, "", "v%u\tv%u\t%s\n", true, &seed);
    double unstated = -1;
    for (uint32_t v = 1; v < MOST_N && unstated < 0; v++)
      unstated = t->greatest[v][v / 2];
    unstated = unstated < 0 ? 3 : unstated;
    (i % 2 ? write_graphml : write_cx2)(t, unstated, &seed, text);
    ck_assert_uint_lt(strlen(text), ATTRIBUTED_BYTES);
    const char *path = files_write_text(i % 2 ? "scores.graphml" : "scores.cx2", text);
    ms_graph *graph = read_graph(path, options);
    compare(graph, t, 0);
    ms_graph_free(graph);
    options.keep_scores = false;
    graph = read_graph(path, options);
    ck_assert(!ms_graph_scored(graph));
    ms_graph_free(graph);
  }
  free(text);
  free(t);
}
END_TEST

/* ---- files that lie -------------------------------------------------------------- */

static unsigned char *read_all(const char *path, size_t *size)
{
  FILE *in = fopen(path, "rb");
  ck_assert_ptr_nonnull(in);
  fseek(in, 0, SEEK_END);
  *size = (size_t)ftell(in);
  unsigned char *bytes = malloc(*size);
  rewind(in);
  ck_assert_uint_eq(fread(bytes, 1, *size, in), *size);
  fclose(in);
  return bytes;
}

/* Makes a path of three vertices and returns its binary file, with its layout. */
static unsigned char *small_file(size_t *size, ms_binary_layout *layout)
{
  static const uint32_t edges[][2] = {{0, 1}, {1, 2}};
  ms_graph *graph;
  ck_ok(ms_graph_from_edges(3, 2, edges, NULL, &graph, &err));
  ck_ok(ms_graph_set_scores(graph, 2, edges, (const float[]){0.5F, -2}, &err));
  const char *path = files_path("small.msb");
  ck_ok(ms_graph_write(graph, NULL, MS_FORMAT_BINARY, path, &err));
  ms_graph_free(graph);
  unsigned char *bytes = read_all(path, size);
  ck_assert(ms_binary_lay_out((const ms_binary_header *)(const void *)bytes, layout));
  ck_assert_uint_eq(layout->bytes[MS_BINARY_SCORES], 4 * sizeof(float));
  return bytes;
}

static void seal(unsigned char *bytes, const ms_binary_layout *layout)
{
  uint32_t sum = ms_crc32c(0, bytes, layout->body), last = ms_crc32c(0, &sum, sizeof sum);
  ck_assert_uint_eq(layout->chunks, 1);
  memcpy(bytes + layout->body, &sum, sizeof sum);
  memcpy(bytes + layout->body + 4, &last, sizeof last);
}

/* A binary file whose checksums are right, with a score that is no number or differs between the
 * two arcs of an edge, is refused; so is each change of a byte of the scores without new checksums.
 */
START_TEST(binary_files_that_lie)
{
  static const struct {
    int arc;
    float score;
    const char *part;
  } lies[] = {{0, NAN, "a score that is no finite number at vertex 0"},
              {3, -INFINITY, "a score that is no finite number at vertex 2"},
              {2, 0.25F, "an edge with two scores at vertex 1"}};
  size_t size;
  ms_binary_layout layout;
  unsigned char *bytes = small_file(&size, &layout), *at = bytes + layout.at[MS_BINARY_SCORES];
  ms_graph *graph = NULL;
  for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
    float before;
    memcpy(&before, at + 4 * lies[i].arc, 4);
    memcpy(at + 4 * lies[i].arc, &lies[i].score, 4);
    seal(bytes, &layout);
    const char *path = files_write("lie.msb", (const char *)bytes, size);
    ck_assert_int_eq(ms_graph_read(path, NULL, &graph, &err), MS_ERR_INPUT);
    ck_assert_msg(strstr(err.message, lies[i].part) != NULL, "%s", err.message);
    memcpy(at + 4 * lies[i].arc, &before, 4);
  }
  seal(bytes, &layout);
  for (size_t i = 0; i < 4 * sizeof(float); i++) {
    at[i] ^= 1;
    const char *path = files_write("damaged.msb", (const char *)bytes, size);
    ck_assert_int_eq(ms_graph_read(path, NULL, &graph, &err), MS_ERR_INPUT);
    ck_assert(strstr(err.message, "is damaged somewhere in bytes") != NULL);
    at[i] ^= 1;
  }
  graph = read_graph(files_write("good.msb", (const char *)bytes, size),
                     (ms_graph_options)MS_GRAPH_OPTIONS_DEFAULT);
  ck_assert(ms_graph_scores(graph, 1)[0] == 0.5F && ms_graph_scores(graph, 1)[1] == -2);
  ms_graph_free(graph);
  free(bytes);
}
END_TEST

/* ---- refusals --------------------------------------------------------------------- */

static void refused(ms_status status, ms_status expected, const char *part)
{
  ck_assert_int_eq(status, expected);
  ck_assert_msg(strstr(err.message, part) != NULL, "%s", err.message);
}

/* Formats without scores, files without them, and scores that are no numbers are refused. */
#define MITAB(confidence) "x:a\tx:b" MITAB_CELLS confidence "\n"
START_TEST(refusals)
{
  ms_graph_options options = {.size = sizeof options, .keep_scores = true};
  ms_graph *graph = NULL;
  refused(ms_graph_read(files_write_text("plain.tsv", "a\tb\nb\tc\n"), &options, &graph, &err),
          MS_ERR_USAGE, "scores are wanted, but the file has 2 columns, and no scores");
  refused(ms_graph_read(files_write_text("wide.tsv", "a\tb\t1\t2\nb\tc\t1\t3\n"), &options, &graph,
                        &err),
          MS_ERR_INPUT, "scores are wanted, but none of the 4 columns is called");
  refused(
      ms_graph_read(files_write_text("large.tsv", "a\tb\t1\nb\tc\t1e39\n"), &options, &graph, &err),
      MS_ERR_INPUT, "large.tsv:2: the score '1e39' is too large to be kept");
  refused(
      ms_graph_read(files_write_text("words.tsv", "a\tb\t1\nb\tc\tx\n"), &options, &graph, &err),
      MS_ERR_INPUT, "words.tsv:2: the score 'x' is not a number");
  refused(ms_graph_read(files_write_text("graph.tve", "t 2 1\nv 0 0 1\nv 1 0 1\ne 0 1\n"), &options,
                        &graph, &err),
          MS_ERR_USAGE, "`keep_scores` is given, but this is not a STRING, BioGRID, MITAB");
  static const struct {
    const char *name, *text, *message;
    ms_graph_format format;
    const char *score_column;
    double min_score;
  } numbers[] = {
      {"a.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n",
       "a.mtx:1: scores are wanted, but a pattern has no values", 0, NULL, 0},
      {"a.mtx", "%%MatrixMarket matrix coordinate complex general\n2 2 1\n1 2 1 2\n",
       "complex numbers are no scores", 0, NULL, 0},
      {"a.mtx", "%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 1\n",
       "an edge of a skew-symmetric matrix has two values", 0, NULL, 0},
      {"a.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 1e39\n",
       "a.mtx:3: the score 1e+39 is too large to be kept", 0, NULL, 0},
      {"a.graph", "2 1\n2\n1\n", "by the header there are no edge weights", MS_FORMAT_METIS, NULL,
       0},
      {"a.dimacs", "p edge 2 2\ne 1 2 5\ne 2 1\n", "a.dimacs:3: scores are wanted, but an edge", 0,
       NULL, 0},
      {"a.tsv", "source\ttype\ttarget\nx\tt\ty\n", "scores are wanted, but no column is called", 0,
       NULL, 0},
      {"a.tab3.txt", BIOGRID_HEAD "1\t2\t3\t-\t-\ta\tb\t-\t-\n",
       "a.tab3.txt:2: the interaction has no score; leave out lines", 0, NULL, 0},
      {"a.tab3.txt", BIOGRID_HEAD "1\t2\t3\t-\t-\ta\tb\t1\t-\n", "column 2 holds no scores", 0, "2",
       0},
      {"a.tab3.txt", BIOGRID_HEAD "1\t2\t3\t-\t-\ta\tb\t-\t-\n",
       "a minimum score is given, but no edge has a score", 0, NULL, 1},
      {"a.mitab", MITAB("-"), "a.mitab:1: the interaction has no confidence that is a number", 0,
       NULL, 0},
      {"a.mitab", MITAB("k:1") MITAB("m:1"), "a.mitab:2: the interaction has no confidence 'k'", 0,
       NULL, 0},
      {"a.mitab", MITAB("k:1|m:x"), "a.mitab:1: the score 'x' is not a number", 0, "m", 0}};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    options.format = numbers[i].format;
    options.score_column = numbers[i].score_column;
    options.min_score = numbers[i].min_score;
    refused(
        ms_graph_read(files_write_text(numbers[i].name, numbers[i].text), &options, &graph, &err),
        MS_ERR_INPUT, numbers[i].message);
  }
  options = (ms_graph_options){.size = sizeof options, .keep_scores = true};
#define XML "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">"
#define KEY "<key id=\"w\" for=\"edge\" attr.name=\"score\"/>"
#define EDGE(data)                                                                                 \
  "<graph><node id=\"a\"/><node id=\"b\"/>\n<edge source=\"a\" target=\"b\">" data                 \
  "</edge></graph></graphml>"
  refused(ms_graph_read(files_write_text("a.graphml", XML EDGE("")), &options, &graph, &err),
          MS_ERR_INPUT, "no attribute of edges is called 'score' or 'weight'");
  refused(ms_graph_read(files_write_text("a.graphml", XML KEY EDGE("")), &options, &graph, &err),
          MS_ERR_INPUT, "a.graphml:2: scores are wanted, but an edge has none");
  refused(ms_graph_read(files_write_text("a.graphml", XML KEY EDGE("<data key=\"w\">x</data>")),
                        &options, &graph, &err),
          MS_ERR_INPUT, "an edge has none, or one that is no number");
  refused(ms_graph_read(files_write_text("a.graphml", XML KEY EDGE("<data key=\"w\">1e40</data>")),
                        &options, &graph, &err),
          MS_ERR_INPUT, "the score 1e+40 is too large to be kept");
  options.keep_scores = false;
  graph = read_graph(files_write_text("plain.tsv", "a\tb\nb\tc\n"), options);
  const char *binary = files_path("plain.msb");
  ck_ok(ms_graph_write(graph, NULL, MS_FORMAT_BINARY, binary, &err));
  ms_graph_free(graph);
  options.keep_scores = true;
  refused(ms_graph_read(binary, &options, &graph, &err), MS_ERR_INPUT,
          "scores are wanted, but the file has none");
}
END_TEST

/* ms_graph_set_scores refuses pairs that are no edges, edges without a score and scores that are
 * not finite, and the graph stays as it was. */
START_TEST(scores_of_a_program)
{
  static const uint32_t edges[][2] = {{0, 1}, {1, 2}, {2, 2}, {1, 0}},
                        other[][2] = {{0, 1}, {0, 2}}, outside[][2] = {{0, 3}};
  ms_graph *graph;
  ck_ok(ms_graph_from_edges(3, 4, edges, NULL, &graph, &err));
  ck_assert(!ms_graph_scored(graph));
  ck_ok(ms_graph_set_scores(graph, 4, edges, (const float[]){1, 2, 9, 3}, &err));
  ck_assert(ms_graph_scores(graph, 0)[0] == 3 && ms_graph_scores(graph, 2)[0] == 2);
  refused(ms_graph_set_scores(graph, 1, edges, (const float[]){1}, &err), MS_ERR_USAGE,
          "an edge has no score");
  refused(ms_graph_set_scores(graph, 2, other, (const float[]){1, 2}, &err), MS_ERR_USAGE,
          "two vertices that are not joined");
  refused(ms_graph_set_scores(graph, 1, outside, (const float[]){1}, &err), MS_ERR_USAGE,
          "pair 0 joins vertices 0 and 3");
  refused(ms_graph_set_scores(graph, 2, edges, (const float[]){1, NAN}, &err), MS_ERR_USAGE,
          "a score is no finite number");
  ck_assert(ms_graph_scores(graph, 0)[0] == 3 && ms_graph_scores(graph, 1)[1] == 2);
  ck_assert_ptr_null(ms_graph_scores(graph, 3));
  ms_graph_free(graph);
}
END_TEST

/* The text of a float is read as the same float, and is short where a short one is: 100,000 random
 * floats of all sizes. */
START_TEST(texts_of_floats)
{
  uint64_t seed = 3;
  char text[MS_FLOAT_BYTES];
  for (uint64_t i = 0; i < scaled(100000); i++) {
    uint32_t bits = (uint32_t)random_next(&seed);
    float value;
    memcpy(&value, &bits, sizeof value);
    if (isfinite(value))
      ck_assert((float)strtod(ms_float_text(value, text), NULL) == value);
  }
  ck_assert_str_eq(ms_float_text(0.7F, text), "0.7");
  ck_assert_str_eq(ms_float_text(2.0F / 3, text), "0.6666667");
  ck_assert_str_eq(ms_float_text(-1e-5F, text), "-1e-05");
}
END_TEST

/* Short decimal numbers are what strtod makes of them: 100,000 texts of up to 18 digits, with a
 * point or two among them, or other signs. */
START_TEST(short_decimals)
{
  uint64_t seed = 4;
  char text[24];
  for (uint64_t i = 0; i < scaled(100000); i++) {
    uint32_t length = 1 + random_below(&seed, 18);
    for (uint32_t c = 0; c < length; c++)
      text[c] = random_below(&seed, 8) ? (char)('0' + random_below(&seed, 10)) : '.';
    text[length] = '\0';
    if (random_below(&seed, 10) == 0)
      text[0] = "-+e"[random_below(&seed, 3)];
    char *end;
    double value = 0, wanted = strtod(text, &end);
    bool whole = *end == '\0' && end > text;
    ck_assert_msg(ms_field_real((ms_field){text, length}, &value) == whole, "'%s'", text);
    ck_assert_msg(!whole || value == wanted, "'%s': %.17g, not %.17g", text, value, wanted);
  }
}
END_TEST

/* Lines of one pair with different scores are noticed wherever they are: 300 lists of up to 3,000
 * lines, of which some have another score for one pair, against all pairs of lines. */
START_TEST(different_scores_of_a_pair)
{
  uint64_t seed = 5;
  for (uint64_t i = 0; i < scaled(300); i++) {
    uint32_t lines = 1 + random_below(&seed, 3000), n = 2 + random_below(&seed, 2000);
    bool directed = random_below(&seed, 2), differ = false, changes = random_below(&seed, 2);
    static uint32_t edge[3000][3];
    char *all = malloc(32 * (size_t)lines + 1);
    size_t used = 0;
    for (uint32_t l = 0; l < lines; l++) {
      uint32_t *e = edge[l];
      for (int end = 0; end < 2; end++)
        e[end] = random_below(&seed, n);
      e[2] = changes && random_below(&seed, lines) == 0 ? 7 : 3 + (e[0] + e[1]) % 3;
      used += (size_t)sprintf(all + used, "v%u\tv%u\t%u\n", e[0], e[1], e[2]);
      for (uint32_t k = 0; k < l && !differ; k++) {
        bool same = edge[k][0] == e[0] && edge[k][1] == e[1];
        bool turned = !directed && edge[k][0] == e[1] && edge[k][1] == e[0];
        differ = (same || turned) && edge[k][2] != e[2];
      }
    }
    files_write("many.tsv", all, used);
    free(all);
    ms_graph_options options = MS_GRAPH_OPTIONS_DEFAULT;
    options.min_score = 1;
    options.directed = directed;
    options.no_header = true;
    ms_graph *graph;
    ck_ok(ms_graph_read(files_path("many.tsv"), &options, &graph, &err));
    ck_assert_msg(ms_graph_describe(graph).layout.scores_differ == differ, "list %llu",
                  (unsigned long long)i);
    ms_graph_free(graph);
  }
}
END_TEST

/* Any mechanical damage of a file whose scores are kept is refused or gives a valid graph. */
START_TEST(survives_damage)
{
  static const char list[] = "source\ttarget\tscore\tx\na\tb\t0.5\ty\nb\tc\t1\ty\nc\ta\t-2e3\tz\n",
                    links[] = "protein1 protein2 combined_score\nx y 5\ny z 7\nz y 9\n";
  ms_graph_options options = {.size = sizeof options, .keep_scores = true};
  options.score_column = "score";
  malform_damage("list.tsv", list, sizeof list - 1, malform_read_graph, &options);
  options.score_column = NULL;
  options.format = MS_FORMAT_STRING;
  static const char xml[] = XML KEY "\n" EDGE("<data key=\"w\">0.5</data>") "\n";
  malform_damage("links.txt", links, sizeof links - 1, malform_read_graph, &options);
  options.format = MS_FORMAT_GRAPHML;
  malform_damage("a.graphml", xml, sizeof xml - 1, malform_read_graph, &options);
  static const char biogrid[] = BIOGRID_HEAD "1\t2\t3\t-\t-\ta\tb\t0.5\t-\n",
                    mitab[] = MITAB("k:x|intact-miscore:0.5"),
                    matrix[] = "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 1.5\n",
                    metis[] = "3 2 1\n2 5\n1 6 3 7\n2 8\n",
                    types[] = "source\ttype\ttarget\tscore\na\tt\tb\t0.5\n";
  options.format = MS_FORMAT_BIOGRID;
  malform_damage("a.tab3.txt", biogrid, sizeof biogrid - 1, malform_read_graph, &options);
  options.format = MS_FORMAT_MITAB;
  malform_damage("a.mitab", mitab, sizeof mitab - 1, malform_read_graph, &options);
  options.format = MS_FORMAT_MATRIX_MARKET;
  malform_damage("a.mtx", matrix, sizeof matrix - 1, malform_read_graph, &options);
  options.format = MS_FORMAT_METIS;
  malform_damage("a.graph", metis, sizeof metis - 1, malform_read_graph, &options);
  options.format = MS_FORMAT_TABLE;
  malform_damage("a.tsv", types, sizeof types - 1, malform_read_graph, &options);
}
END_TEST

TEST_MAIN("scores of edges", TEST(readers_keep_the_greatest_score),
          TEST(numbered_files_keep_the_greatest_score), TEST(confidences_are_scores),
          TEST(files_hold_scores), TEST(attributes_are_scores), TEST(binary_files_that_lie),
          TEST(refusals), TEST(scores_of_a_program), TEST(texts_of_floats), TEST(short_decimals),
          TEST(different_scores_of_a_pair), TEST(survives_damage))
