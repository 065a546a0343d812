/* Built-in patterns, patterns from memory and from files (query/pattern*.c). */
#include "base/crc32c.h"
#include "query/pattern.h"
#include "tests/support/allocations.h"
#include "tests/support/files.h"
#include "tests/support/results/malform.h"
#include "tests/support/test_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ms_error err;

static void check_fails(ms_status status, ms_status wanted, ms_pattern *const *out,
                        const char *part)
{
  ck_assert_msg(status == wanted, "status %d: %s", (int)status, err.message);
  if (out)
    ck_assert_ptr_null(*out);
  ck_assert_msg(strstr(err.message, part), "no '%s': %s", part, err.message);
  ck_assert_msg(strchr(err.message, ';'), "no advice: %s", err.message);
}

static uint32_t degree(const ms_pattern *pattern, uint32_t v)
{
  return ms_bitset_count(pattern->out[v]);
}

static uint32_t edges(const ms_pattern *pattern)
{
  uint32_t sum = 0;
  for (uint32_t v = 0; v < pattern->n; v++)
    sum += degree(pattern, v);
  ck_assert_uint_eq(sum % 2, 0);
  return sum / 2;
}

static uint32_t triangles(const ms_pattern *pattern)
{
  uint32_t count = 0;
  for (uint32_t u = 0; u < pattern->n; u++)
    for (uint32_t v = u + 1; v < pattern->n; v++)
      if (ms_bitset_has(&pattern->out[u], v))
        count += ms_bitset_count(ms_bitset_and(pattern->out[u], pattern->out[v]));
  return count / 3;
}

static bool is_connected(const ms_pattern *pattern)
{
  ms_bitset seen = ms_bitset_of(0), before = {{0}};
  while (!ms_bitset_equal(seen, before)) {
    before = seen;
    MS_EACH_MEMBER (v, before)
      seen = ms_bitset_or(seen, pattern->out[v]);
  }
  return ms_bitset_count(seen) == pattern->n;
}

/* What holds of all: ids in range, no self-loops, both masks agree. */
static void check_masks(const ms_pattern *pattern)
{
  ms_bitset all = ms_bitset_below(pattern->n);
  for (uint32_t u = pattern->n; u < MS_MAX_PATTERN; u++)
    ck_assert(ms_bitset_is_empty(pattern->out[u]) && ms_bitset_is_empty(pattern->in[u]));
  for (uint32_t u = 0; u < pattern->n; u++) {
    ck_assert(ms_bitset_within(ms_bitset_or(pattern->out[u], pattern->in[u]), all));
    for (uint32_t v = 0; v < pattern->n; v++) {
      bool arc = ms_bitset_has(&pattern->out[u], v);
      ck_assert_int_eq(arc, (int)(ms_bitset_has(&pattern->in[v], u)));
      if (arc)
        ck_assert_uint_ne(u, v);
      if (!pattern->directed)
        ck_assert_int_eq(arc, (int)(ms_bitset_has(&pattern->out[v], u)));
    }
  }
}

/* ---- Cypher's notation ----------------------------------------------------- */

static void check_parsed(const char *text, bool directed, bool is_directed, uint32_t m,
                         const char *colors_of_first)
{
  ms_pattern *p = NULL;
  ck_ok(ms_pattern_parse(text, directed, &p, &err));
  check_masks(p);
  ck_assert_int_eq(p->directed, is_directed);
  ck_assert_uint_eq(ms_pattern_edge_count(p), m);
  ck_assert_str_eq(p->path, text);
  ck_assert_int_eq(p->source, MS_PATTERN_TEXT);
  char colors[64] = "";
  for (uint32_t i = 0; i < p->colors[0]; i++) {
    strcat(colors, i ? "|" : "");
    strcat(colors, ms_names_get(p->color_names, p->color[0][i]));
  }
  ck_assert_str_eq(colors, colors_of_first);
  ms_pattern_free(p);
}

/* Seven texts become plain patterns with the right edges, directions and colours, and seven that
 * say what a plain pattern cannot are refused for their reason. */
START_TEST(notation)
{
  static const struct {
    const char *text, *problem;
    bool directed;
  } wrong[] = {{"(a)-->(b)", "the pattern has arrows, and the edges of the graph have no", false},
               {"(a)-[r]-(b)", "asks for types of edges", false},
               {"(a)--(a)", "joins a vertex to itself", false},
               {"(a)--(b), (b)--(a)", "joins two vertices twice", true},
               {"(a)-->(b), (a)-->(b)", "joins two vertices twice", true},
               {"(a)-->(b), (b)--(a)", "joins two vertices twice", true},
               {"(a)-->(b)--(c)", "edges with an arrow and edges without", true}};
  check_parsed("(a)", false, false, 0, "");
  check_parsed("(a:red|blue)--(b:red)", false, false, 1, "red|blue");
  check_parsed("(a)--(b)", true, false, 1, "");
  check_parsed("(a)-[:edge]-(b)--(c)--(a)", false, false, 3, "");
  check_parsed("(a:red)-->(b)", true, true, 1, "red");
  check_parsed("(a)-->(b)-->(a)", true, true, 2, "");
  check_parsed("MATCH (a)<--(b)<--(c) RETURN a", true, true, 2, "");
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    ms_pattern *p;
    ck_assert_int_eq(ms_pattern_parse(wrong[i].text, wrong[i].directed, &p, &err), MS_ERR_USAGE);
    ck_assert_ptr_null(p);
    ck_assert_msg(strstr(err.message, wrong[i].problem), "%s: %s", wrong[i].text, err.message);
  }
}
END_TEST

/* ---- built-ins ----------------------------------------------------------- */

/* Together the figures leave no other shape. */
static void check_named(const char *name, uint32_t n, uint32_t m, uint32_t least, uint32_t most,
                        uint32_t n_most, uint32_t n_triangles)
{
  ms_pattern *p = NULL;
  uint32_t low = UINT32_MAX, high = 0, n_high = 0;
  ck_ok(ms_pattern_named(name, &p, &err));
  check_masks(p);
  for (uint32_t v = 0; v < p->n; v++) {
    uint32_t d = degree(p, v);
    low = d < low ? d : low;
    n_high = d > high ? 1 : n_high + (d == high);
    high = d > high ? d : high;
    char number[16];
    snprintf(number, sizeof number, "%u", v);
    ck_assert_str_eq(ms_pattern_vertex_name(p, v), number);
    ck_assert_uint_eq(p->colors[v], 0);
  }
  ck_assert_uint_eq(ms_pattern_size(p), n);
  ck_assert_uint_eq(edges(p), m);
  ck_assert_uint_eq(low, least);
  ck_assert_uint_eq(high, most);
  ck_assert_uint_eq(n_high, n_most);
  ck_assert_uint_eq(triangles(p), n_triangles);
  ck_assert(is_connected(p) && !p->directed && !p->color_names && !p->colors_path);
  ck_assert_str_eq(p->path, name);
  ck_assert_int_eq(p->format, MS_FORMAT_AUTO);
  ck_assert_uint_eq(p->crc32c, 0);
  ck_assert(ms_pattern_is_name(name));
  ms_pattern_free(p);
}

/* Each built-in pattern of each size up to 64 vertices has the vertices, edges, degrees and
 * triangles that leave no other shape. */
START_TEST(built_ins)
{
  char name[32];
  check_named("triangle", 3, 3, 2, 2, 3, 1);
  check_named("paw", 4, 4, 1, 3, 1, 1);
  check_named("tailed-triangle", 4, 4, 1, 3, 1, 1);
  check_named("square", 4, 4, 2, 2, 4, 0);
  check_named("k4", 4, 6, 3, 3, 4, 4);
  check_named("bowtie", 5, 6, 2, 4, 1, 2);
  check_named("diamond", 4, 5, 2, 3, 2, 2);
  check_named("house", 5, 6, 2, 3, 2, 1);
  check_named("octahedron", 6, 12, 4, 4, 6, 8);
  check_named("claw", 4, 3, 1, 3, 1, 0);
  check_named("fork", 5, 4, 1, 3, 1, 0);
  check_named("banner", 5, 5, 1, 3, 1, 0);
  check_named("bull", 5, 5, 1, 3, 2, 1);
  check_named("cricket", 5, 5, 1, 4, 1, 1);
  check_named("butterfly", 5, 6, 2, 4, 1, 2);
  check_named("dart", 5, 6, 1, 4, 1, 2);
  check_named("kite", 5, 6, 1, 3, 3, 2);
  check_named("gem", 5, 7, 2, 4, 1, 3);
  check_named("k5", 5, 10, 4, 4, 5, 10);
  check_named("net", 6, 6, 1, 3, 3, 1);
  check_named("domino", 6, 7, 2, 3, 2, 0);
  check_named("prism", 6, 9, 3, 3, 6, 2);
  check_named("path:2", 2, 1, 1, 1, 2, 0);
  check_named("cycle:3", 3, 3, 2, 2, 3, 1);
  check_named("clique:1", 1, 0, 0, 0, 1, 0);
  check_named("star:1", 2, 1, 1, 1, 2, 0);
  check_named("wheel:3", 4, 6, 3, 3, 4, 4);
  for (uint32_t n = 3; n <= 64; n++) {
    snprintf(name, sizeof name, "path:%u", n);
    check_named(name, n, n - 1, 1, 2, n - 2, 0);
    snprintf(name, sizeof name, "clique:%u", n);
    check_named(name, n, n * (n - 1) / 2, n - 1, n - 1, n, n * (n - 1) * (n - 2) / 6);
    snprintf(name, sizeof name, "star:%u", n - 1);
    check_named(name, n, n - 1, 1, n - 1, 1, 0);
  }
  for (uint32_t n = 4; n <= 63; n++) {
    snprintf(name, sizeof name, "cycle:%u", n);
    check_named(name, n, n, 2, 2, n, 0);
    snprintf(name, sizeof name, "wheel:%u", n);
    check_named(name, n + 1, 2 * n, 3, n, 1, n);
  }
  check_named("cycle:64", 64, 64, 2, 2, 64, 0);
}
END_TEST

/* Each of 27 wrong names of patterns is refused for its reason, with a suggestion where there is
 * one. */
START_TEST(bad_names)
{
  static const char all[] =
      "use triangle, paw, square, diamond, fork, banner, bull, cricket, bowtie, house, dart, kite, gem, net, domino, "
      "prism, octahedron, path:N, cycle:N, clique:N, star:N, wheel:N, tailed-triangle, claw, butterfly, k4 or k5";
  static const struct {
    const char *name, *part;
  } cases[] = {
      {"", all},
      {"hexagon", all},
      {"hexagon", "called 'hexagon'; use"},
      {"trianglee", "(did you mean 'triangle'?)"},
      {"Clique:4", "(did you mean 'clique:N'?)"},
      {"clque:4", "(did you mean 'clique:N'?)"},
      {"cycle4", "(did you mean 'cycle:N'?)"},
      {"a\tb", all},
      {"triangle:3", "'triangle' has no size"},
      {"house:", "'house' has no size"},
      {"clique", "'clique:N' needs a whole number N from 1 to 256"},
      {"clique:", "from 1 to 256"},
      {"clique:0", "from 1 to 256"},
      {"clique:257", "from 1 to 256 (a pattern has at most 256 vertices)"},
      {"clique:x", "from 1 to 256"},
      {"clique:4 ", "from 1 to 256"},
      {"clique:-4", "from 1 to 256"},
      {"clique:4.0", "from 1 to 256"},
      {"clique:99999999999999999999999", "from 1 to 256"},
      {"path:1", "'path:N' needs a whole number N from 2 to 256"},
      {"path:257", "from 2 to 256"},
      {"cycle:2", "'cycle:N' needs a whole number N from 3 to 256"},
      {"cycle:257", "from 3 to 256"},
      {"star:0", "'star:N' needs a whole number N from 1 to 255"},
      {"star:256", "from 1 to 255"},
      {"wheel:2", "'wheel:N' needs a whole number N from 3 to 255"},
      {"wheel:256", "from 3 to 255"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    ms_pattern *p = (ms_pattern *)1;
    ms_status status = ms_pattern_named(cases[i].name, &p, &err);
    check_fails(status, MS_ERR_USAGE, &p, cases[i].part);
  }
}
END_TEST

/* Eight texts are taken for names of patterns and six for paths. */
START_TEST(names_and_paths)
{
  static const char *const names[] = {"triangle",  "clique:5", "clique:x", "clique",
                                      "trianglee", "hexagon",  "star:",    "star:a/b.c"};
  static const char *const paths[] = {"",     "-", "triangle.lad", "./triangle", "dir/clique:5",
                                      "p.tve"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    ck_assert_msg(ms_pattern_is_name(names[i]), "%s", names[i]);
  for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
    ck_assert_msg(!ms_pattern_is_name(paths[i]), "%s", paths[i]);
}
END_TEST

/* ---- from memory --------------------------------------------------------- */

/* The colours that vertex v accepts: "a b", or "any". */
static const char *accepts(const ms_pattern *p, uint32_t v)
{
  static char line[4096];
  line[0] = '\0';
  for (uint32_t i = 0; i < p->colors[v]; i++) {
    if (i > 0) {
      ck_assert_uint_lt(p->color[v][i - 1], p->color[v][i]);
      strcat(line, " ");
    }
    strcat(line, ms_names_get(p->color_names, p->color[v][i]));
  }
  return p->colors[v] ? line : "any";
}

/* A pattern of an array of edges has these edges and colours, directed or not, and accepts another
 * colour once. */
START_TEST(from_edges)
{
  static const uint32_t pairs[][2] = {{0, 1}, {2, 1}, {1, 2}, {0, 1}};
  static const char *const colors[] = {"red", NULL, "blue", "red"};
  for (int directed = 0; directed < 2; directed++) {
    ms_pattern *p = NULL;
    ck_ok(ms_pattern_from_edges(4, 4, pairs, directed, directed ? colors : NULL, &p, &err));
    check_masks(p);
    ck_assert_uint_eq(ms_pattern_size(p), 4);
    ck_assert_int_eq(p->directed, directed);
    ck_assert_uint_eq(ms_bitset_word(p->out[0]), 2);
    ck_assert_uint_eq(ms_bitset_word(p->out[1]), directed ? 4 : 5);
    ck_assert_uint_eq(ms_bitset_word(p->in[1]), 5);
    ck_assert_uint_eq(ms_bitset_word(p->out[2]), 2);
    ck_assert_uint_eq(ms_bitset_word(p->out[3]), 0);
    ck_assert_str_eq(accepts(p, 0), directed ? "red" : "any");
    ck_assert_str_eq(accepts(p, 1), "any");
    ck_assert_str_eq(accepts(p, 2), directed ? "blue" : "any");
    ck_assert_str_eq(accepts(p, 3), directed ? "red" : "any");
    ck_assert_str_eq(p->path, "(in memory)");
    ck_ok(ms_pattern_accept(p, 2, "red", &err));
    ck_ok(ms_pattern_accept(p, 2, "red", &err));
    ck_assert_str_eq(accepts(p, 2), directed ? "red blue" : "red");
    ms_pattern_free(p);
  }
}
END_TEST

/* 300 colours added in two orders, twice each, are a sorted set. */
START_TEST(accepts_many)
{
  enum { COLORS = 300 };
  ms_pattern *p = NULL;
  ck_ok(ms_pattern_from_edges(2, 0, NULL, false, NULL, &p, &err));
  for (int round = 0; round < 2; round++)
    for (uint32_t i = 0; i < COLORS; i++) {
      char name[16];
      snprintf(name, sizeof name, "c%u", i);
      ck_ok(ms_pattern_accept(p, 0, name, &err));
      snprintf(name, sizeof name, "c%u", i * 7 % COLORS);
      ck_ok(ms_pattern_accept(p, 1, name, &err));
    }
  for (uint32_t v = 0; v < 2; v++) {
    ck_assert_uint_eq(p->colors[v], COLORS);
    for (uint32_t i = 0; i < COLORS; i++)
      ck_assert_uint_eq(p->color[v][i], i);
  }
  ms_pattern_free(p);
}
END_TEST

/* Too few and too many vertices, loops, edges to no vertex and bad colours are refused with the
 * place: eight calls. */
START_TEST(from_edges_refuses)
{
  static const uint32_t loop[][2] = {{0, 1}, {1, 1}}, far[][2] = {{0, 1}, {1, 2}};
  static const char *const tab[] = {"a", "b\tc"};
  ms_pattern *p = (ms_pattern *)1;
  check_fails(ms_pattern_from_edges(0, 0, NULL, false, NULL, &p, &err), MS_ERR_USAGE, &p,
              "a pattern cannot have 0 vertices; give it 1 to 256");
  check_fails(ms_pattern_from_edges(257, 0, NULL, false, NULL, &p, &err), MS_ERR_USAGE, &p,
              "a pattern cannot have 257 vertices; give it 1 to 256");
  check_fails(ms_pattern_from_edges(2, 2, loop, false, NULL, &p, &err), MS_ERR_USAGE, &p,
              "edge 1 joins vertex 1 to itself");
  check_fails(ms_pattern_from_edges(2, 2, far, true, NULL, &p, &err), MS_ERR_USAGE, &p,
              "edge 1 joins vertices 1 and 2, but the pattern has 2 vertices");
  check_fails(ms_pattern_from_edges(2, 1, loop, true, tab, &p, &err), MS_ERR_USAGE, &p,
              "a colour of pattern vertex 1 holds");
  ck_ok(ms_pattern_named("clique:256", &p, &err));
  check_fails(ms_pattern_accept(p, 256, "a", &err), MS_ERR_USAGE, NULL, "no vertex 256");
  check_fails(ms_pattern_accept(p, 255, NULL, &err), MS_ERR_USAGE, NULL, "is NULL");
  check_fails(ms_pattern_accept(p, 255, "", &err), MS_ERR_USAGE, NULL, "vertex 255 is empty");
  ck_assert_uint_eq(p->colors[255], 0);
  ms_pattern_free(p);
}
END_TEST

/* ---- files --------------------------------------------------------------- */

static ms_pattern *read_pattern(const char *name, const char *text, const char *colors)
{
  ms_pattern *p = NULL;
  const char *path = files_write_text(name, text);
  const char *table = colors ? files_write_text("colors.tsv", colors) : NULL;
  ck_ok(ms_pattern_read(path, NULL, table, &p, &err));
  check_masks(p);
  ck_assert_str_eq(p->path, path);
  ck_assert_uint_eq(p->crc32c, ms_crc32c(0, text, strlen(text)));
  ck_assert_uint_eq(p->colors_crc32c, colors ? ms_crc32c(0, colors, strlen(colors)) : 0);
  if (colors)
    ck_assert_str_eq(p->colors_path, table);
  else
    ck_assert_ptr_null(p->colors_path);
  return p;
}

/* Ids with gaps name the vertices; "*" takes any colour. */
static const char labelled[] = "t 4 4\n"
                               "v 7 red 2\nv 3 * 3\nv 9 blue 2\nv 0 red 1\n"
                               "e 7 3\ne 3 9\ne 9 7\ne 0 3\n";

/* A labelled pattern has its names, colours and edges; "*" takes any colour. */
START_TEST(reads_labels)
{
  static const char *const names[] = {"7", "3", "9", "0"};
  static const char *const colors[] = {"red", "any", "blue", "red"};
  static const uint64_t rows[] = {6, 13, 3, 2};
  ms_pattern *p = read_pattern("p.tve", labelled, NULL);
  ck_assert_int_eq(p->format, MS_FORMAT_TVE);
  ck_assert_uint_eq(p->n, 4);
  for (uint32_t v = 0; v < 4; v++) {
    ck_assert_str_eq(ms_pattern_vertex_name(p, v), names[v]);
    ck_assert_str_eq(accepts(p, v), colors[v]);
    ck_assert_uint_eq(ms_bitset_word(p->out[v]), rows[v]);
  }
  ck_assert_uint_eq(ms_names_count(p->color_names), 2);
  ms_pattern_free(p);
}
END_TEST

/* GraphML gives a vertex a list of colours, and a "*" in it takes any. */
START_TEST(reads_lists_of_labels)
{
  ms_pattern *p = read_pattern("p.graphml",
                               "<graphml><key id='c' for='node' attr.name='color'/><graph>"
                               "<node id='a'><data key='c'>x\ny\n</data></node>"
                               "<node id='b'><data key='c'>x\n*\n</data></node>"
                               "<node id='d'/><edge source='a' target='b'/></graph></graphml>",
                               NULL);
  ck_assert_uint_eq(p->n, 3);
  ck_assert_str_eq(accepts(p, 0), "x y");
  ck_assert_str_eq(accepts(p, 1), "any");
  ck_assert_str_eq(accepts(p, 2), "any");
  ms_pattern_free(p);
}
END_TEST

/* Patterns in LAD and in a gzip edge list are read with their edges, names and checksum. */
START_TEST(reads_other_formats)
{
  ms_pattern *p = read_pattern("p.lad", "4\n1 1\n2 0 2\n1 1\n0\n", NULL);
  ck_assert_int_eq(p->format, MS_FORMAT_LAD);
  ck_assert_uint_eq(p->n, 4);
  ck_assert_uint_eq(edges(p), 2);
  ck_assert_uint_eq(ms_bitset_word(p->out[1]), 5);
  ck_assert_ptr_null(p->color_names);
  ms_pattern_free(p);
  static const char list[] = "hub a\nhub b\nhub a\n";
  ck_ok(ms_pattern_read(files_write_gzip("p.txt.gz", list, sizeof list - 1, 1), NULL, NULL, &p,
                        &err));
  ck_assert_int_eq(p->format, MS_FORMAT_EDGE_LIST);
  ck_assert_uint_eq(p->crc32c, ms_crc32c(0, list, sizeof list - 1));
  ck_assert_uint_eq(edges(p), 2);
  ck_assert_str_eq(ms_pattern_vertex_name(p, 2), "b");
  ms_pattern_free(p);
}
END_TEST

/* A table of colours replaces the labels, and vertices without a line take any colour: three
 * tables. */
START_TEST(reads_colors)
{
  static const char list[] = "a b\nb c\nc d\nd a\n";
  ms_pattern *p = read_pattern("p.txt", list,
                               "# what goes where\n\n"
                               "b\tmotor protein\nb\tkinase\nb\tkinase\n"
                               "c\tkinase\nc\t*\nc\tghost\nd\tkinase\tnot read\n");
  ck_assert_str_eq(accepts(p, 0), "any");
  ck_assert_str_eq(accepts(p, 1), "motor protein kinase");
  ck_assert_str_eq(accepts(p, 2), "any");
  ck_assert_str_eq(accepts(p, 3), "kinase");
  ck_assert_uint_eq(ms_names_count(p->color_names), 2);
  ms_pattern_free(p);
  p = read_pattern("p.tve", labelled, "9 green and blue\r\n7 *\r\n");
  ck_assert_str_eq(accepts(p, 0), "any");
  ck_assert_str_eq(accepts(p, 1), "any");
  ck_assert_str_eq(accepts(p, 2), "green and blue");
  ck_assert_str_eq(accepts(p, 3), "any");
  ms_pattern_free(p);
  p = read_pattern("p.tve", labelled, "9\t*\n");
  ck_assert_ptr_null(p->color_names);
  ms_pattern_free(p);
}
END_TEST

static ms_status read_colors_of(const char *path, void *user, ms_error *e)
{
  ms_pattern *p = NULL;
  ms_status status = ms_pattern_read(user, NULL, path, &p, e);
  ck_assert_int_eq(status == MS_OK, p != NULL);
  ms_pattern_free(p);
  return status;
}

static ms_status read_shape_of(const char *path, void *user, ms_error *e)
{
  ms_pattern *p = NULL;
  ms_status status = ms_pattern_read(path, user, NULL, &p, e);
  ck_assert_int_eq(status == MS_OK, p != NULL);
  if (p)
    check_masks(p);
  ms_pattern_free(p);
  return status;
}

static char *copy_path(const char *path)
{
  char *copy = malloc(strlen(path) + 1);
  ck_assert_ptr_nonnull(copy);
  return strcpy(copy, path);
}

/* Each of 8 malformed colour tables is refused with its line and reason, and any mechanical damage
 * (malform.h) of a good one is refused or read. */
START_TEST(refuses_colors)
{
  static const malform_case cases[] = {
      MALFORM("", 0, "holds no colours"),
      MALFORM("# none\n\n", 0, "holds no colours"),
      MALFORM("a\tx\n# c\ne\ty\n", 3, "has no vertex 'e'; use one of 'a', 'b', 'c', 'd'"),
      MALFORM("a\tx\nb\n", 2, "expected a vertex and a colour separated by a tab"),
      MALFORM("a\tx\nb\t\n", 2, "the colour is empty; give it a name"),
      MALFORM("a\tx\n\ty\n", 2, "the vertex name is empty"),
      MALFORM("a\tx\nb\t\xE9\n", 2, "the colour "),
      MALFORM("a\tx\nb\t\0\n", 2, "holds a NUL byte"),
  };
  static const char good[] = "a\tx\nb\ty\nb\t*\nd\tx\n";
  char *shape = copy_path(files_write("p.txt", "a b\nb c\nc d\n", 12));
  malform_refuses("colors.tsv", cases, sizeof cases / sizeof *cases, read_colors_of, shape);
  malform_damage("colors.tsv", good, sizeof good - 1, read_colors_of, shape);
  free(shape);
}
END_TEST

/* A pattern of 256 vertices is read; one of 257, a loop and a missing file are refused with the
 * reason, and damaged ones refused or read. */
START_TEST(refuses_shapes)
{
  char long_path[4096] = "", path[4096] = "";
  for (int i = 0; i < 256; i++)
    snprintf(long_path + strlen(long_path), 32, "v%d v%d\n", i, i + 1);
  memcpy(path, long_path, strlen(long_path) - strlen("v255 v256\n"));
  ms_pattern *p = read_pattern("p.txt", path, NULL);
  ck_assert_uint_eq(p->n, 256);
  ck_assert_uint_eq(edges(p), 255);
  ms_pattern_free(p);
  const malform_case cases[] = {
      {long_path, strlen(long_path), 0, "holds 257 vertices, but a pattern has at most 256; "},
      MALFORM("a b\nb b\n", 0, "joins a vertex to itself"),
      MALFORM("", 0, "holds no pattern"),
      MALFORM("a b\nc\n", 2, "expected two vertex names"),
  };
  malform_refuses("p.txt", cases, sizeof cases / sizeof *cases, read_shape_of, NULL);
  ms_graph_options options = {.size = sizeof(ms_graph_options), .format = MS_FORMAT_TVE};
  malform_damage("p.tve", labelled, sizeof labelled - 1, read_shape_of, &options);
  check_fails(ms_pattern_read(files_path("none"), NULL, NULL, &p, &err), MS_ERR_INPUT, &p, "none");
  check_fails(ms_pattern_read(files_write("p.txt", "a b\n", 4), NULL, files_path("none"), &p, &err),
              MS_ERR_INPUT, &p, "none");
}
END_TEST

/* ---- memory runs out ----------------------------------------------------- */

typedef struct work {
  char *shape, *colors;
} work;

static ms_status make_named(void *user, ms_error *e)
{
  ms_pattern *p = NULL;
  ms_status status = ms_pattern_named(user, &p, e);
  ck_assert_int_eq(status == MS_OK, p != NULL);
  ms_pattern_free(p);
  return status;
}

static ms_status make_colored(void *user, ms_error *e)
{
  static const uint32_t pairs[][2] = {{0, 1}, {2, 1}};
  static const char *const colors[] = {"a", "b", "c"}, *const more[] = {"d", "e", "f", "g"};
  ms_pattern *p = NULL;
  (void)user;
  ms_status status = ms_pattern_from_edges(3, 2, pairs, true, colors, &p, e);
  ck_assert_int_eq(status == MS_OK, p != NULL);
  for (int i = 0; i < 4 && status == MS_OK; i++)
    status = ms_pattern_accept(p, 1, more[i], e);
  ms_pattern_free(p);
  return status;
}

static ms_status read_files(void *user, ms_error *e)
{
  const work *w = user;
  ms_pattern *p = NULL;
  ms_status status = ms_pattern_read(w->shape, NULL, w->colors, &p, e);
  ck_assert_int_eq(status == MS_OK, p != NULL);
  ms_pattern_free(p);
  return status;
}

/* Whichever allocation fails while a pattern is named, coloured or read, the call reports it and
 * leaks no block. */
START_TEST(survives_lack_of_memory)
{
  static const char table[] = "3\tx\n9\ty\n9\tx\n0\t*\n";
  work w = {.shape = copy_path(files_write("p.tve", labelled, sizeof labelled - 1))};
  ck_assert_int_gt(failing_runs(make_named, "wheel:5"), 3);
  ck_assert_int_gt(failing_runs(make_colored, NULL), 8);
  long labels = failing_runs(read_files, &w);
  ck_assert_int_gt(labels, 20);
  w.colors = copy_path(files_write("colors.tsv", table, sizeof table - 1));
  ck_assert_int_gt(failing_runs(read_files, &w), labels);
  free(w.shape);
  free(w.colors);
}
END_TEST

TEST_MAIN("pattern graphs", TEST(notation), TEST(built_ins), TEST(bad_names), TEST(names_and_paths),
          TEST(from_edges), TEST(accepts_many), TEST(from_edges_refuses), TEST(reads_labels),
          TEST(reads_lists_of_labels), TEST(reads_other_formats), TEST(reads_colors),
          TEST(refuses_colors), TEST(refuses_shapes), TEST(survives_lack_of_memory))
