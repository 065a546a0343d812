/* Graphs with a motif and a target (graph/formats/motif_graph.c, query/motif_given.c): what is
 * read, refused and compared.  The texts follow the published definition: a generator of such files
 * writes p, all lines e, all lines n, k and t, and its reader takes these in any order after p. */
#include "graph/graph.h"
#include "tests/support/files.h"
#include "tests/support/graphs/graph_text.h"
#include "tests/support/random.h"
#include "tests/support/results/malform.h"
#include "tests/support/test_main.h"

#include <stdio.h>
#include <string.h>

static ms_error err;

static const char good[] =
    "# a comment\np motif 5 5\ne 1 2\ne 2 3\ne 3 4\ne 4 5\ne 1 5\nn 1 1\nn 2 2\n"
    "n 3 1\nn 4 3\nn 5 3\nk 3 1 2 3\nt count 1\n";

static ms_motif *motif_of(const ms_graph *graph, ms_coloring **coloring)
{
  ms_motif *motif = NULL;
  ck_ok(ms_coloring_from_graph(graph, coloring, &err));
  ck_ok(ms_motif_from_graph(graph, *coloring, &motif, &err));
  return motif;
}

/* Three spellings, with lines in another order, comments and blanks, give one graph with its
 * colours, motif and target. */
START_TEST(forms)
{
  static const char *const texts[] = {
      good,
      "p motif 5 5\nk 3 3 1 2\nt count 1\nn 5 3\nn 4 3\nn 3 1\nn 2 2\nn 1 1\ne 5 1\ne 5 4\ne 4 3\n"
      "e 3 2\ne 2 1",
      "\n  # x\r\n p\tmotif 5 5 # five\r\ne 1 2\r\ne 2 3\r\ne 3 4\r\ne 4 5\r\ne 1 5\r\n\r\nn 1 1\r\n"
      "n 2 2\r\nn 3 1\r\nn 4 3\r\nn 5 3\r\nk 3 2 3 1\r\nt count 1# one\r\n",
  };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    ms_coloring *coloring = NULL;
    ms_graph *graph = graph_text_read("any.txt", texts[i], MS_FORMAT_AUTO);
    ms_motif *motif = motif_of(graph, &coloring);
    ms_motif_target target = ms_graph_motif_target(graph);
    ck_assert_str_eq(graph_text_format_of(graph), "motif");
    ck_assert_uint_eq(ms_graph_vertex_count(graph), 5);
    ck_assert_uint_eq(ms_graph_edge_count(graph), 5);
    ck_assert_str_eq(ms_graph_name(graph, 4), "5");
    ck_assert_uint_eq(ms_graph_describe(graph).motif_size, 3);
    ck_assert_uint_eq(ms_motif_size(motif), 3);
    ck_assert_int_eq(target.kind, MS_TARGET_COUNT);
    ck_assert_uint_eq(target.count, 1);
    ms_motif_free(motif);
    ms_coloring_free(coloring);
    ms_graph_free(graph);
  }
}
END_TEST

/* A motif may repeat colours and ask for one that no vertex has; the target may be missing or name
 * the vertices. */
START_TEST(motifs_and_targets)
{
  ms_coloring *coloring = NULL;
  ms_graph *graph = graph_text_read(
      "x", "p motif 3 2\ne 1 2\ne 2 3\nn 1 7\nn 2 7\nn 3 8\nk 3 7 9 7\nt unique 3 1 2\n",
      MS_FORMAT_AUTO);
  ms_motif *motif = motif_of(graph, &coloring);
  ms_motif_target target = ms_graph_motif_target(graph);
  ck_assert_str_eq(ms_motif_text(motif), "7:2,9");
  ck_assert_int_eq(target.kind, MS_TARGET_UNIQUE);
  ck_assert_uint_eq(target.size, 3);
  for (uint32_t i = 0; i < 3; i++)
    ck_assert_uint_eq(target.vertex[i], i);
  ms_motif_free(motif);
  ms_coloring_free(coloring);
  ms_graph_free(graph);
  graph = graph_text_read("x", "p motif 1 0\nn 1 1\nk 1 1\n", MS_FORMAT_AUTO);
  ck_assert_int_eq(ms_graph_motif_target(graph).kind, MS_TARGET_NONE);
  ms_graph_free(graph);
  graph = graph_text_read("x", "a b\n", MS_FORMAT_AUTO);
  ck_assert_int_eq(ms_graph_motif_target(graph).kind, MS_TARGET_NONE);
  ck_ok(ms_coloring_from_pairs(graph, 0, NULL, 0, NULL, &coloring, &err));
  ck_assert_int_eq(ms_motif_from_graph(graph, coloring, &motif, &err), MS_ERR_USAGE);
  ms_coloring_free(coloring);
  ms_graph_free(graph);
}
END_TEST

#define P "p motif 2 1\n"
#define WHOLE P "e 1 2\nn 1 1\nn 2 2\n"

/* Damaged files are refused with their line and a remedy, and so are files of temporal graphs. */
START_TEST(refused)
{
  static const malform_case cases[] = {
      MALFORM("", 0, "holds no line 'p motif VERTICES EDGES'"),
      MALFORM("e 1 2\n", 1, "must come first"),
      MALFORM("p motif 2\n", 1, "expected 'p motif VERTICES EDGES'"),
      MALFORM("p edge 2 1\n", 1, "expected 'p motif VERTICES EDGES'"),
      MALFORM("p motif 2 1 10 0\n", 1, "temporal graphs"),
      MALFORM("p motif 0 0\n", 1, "the graph has no vertices"),
      MALFORM("p motif x 1\n", 1, "the number of vertices 'x' is not"),
      MALFORM("p motif 4000000000 1\n", 1, "vertices need more memory"),
      MALFORM(P P, 2, "a second line 'p'"),
      MALFORM(P "e 1 2 3\n", 2, "times of edges are not read"),
      MALFORM(P "e 1 3\n", 2, "is not a number from 1 to 2"),
      MALFORM(P "e 0 1\n", 2, "is not a number from 1 to 2"),
      MALFORM(P "n 1 0\n", 2, "a colour is not a number from 1"),
      MALFORM(P "n 1 01\n", 2, "without leading zeros"),
      MALFORM(P "n 1 -1\n", 2, "a colour is not a number from 1"),
      MALFORM(P "n 1\n", 2, "expected 'n VERTEX COLOUR'"),
      MALFORM(P "n 1 1\nn 1 2\n", 3, "a second colour of vertex 1"),
      MALFORM(P "k 0\n", 2, "give 1 to 32 colours"),
      MALFORM(P "k 3 1 1 1\n", 2, "a motif of 3 colours in a graph of 2 vertices"),
      MALFORM(P "k 2 1\n", 2, "has 2 colours, but 1 follow"),
      MALFORM(P "k 1 1 2\n", 2, "has 1 colours, but 2 follow"),
      MALFORM(P "k 1 x\n", 2, "a colour is not a number"),
      MALFORM(P "k\n", 2, "expected 'k SIZE COLOUR...'"),
      MALFORM(P "k 1 1\nk 1 1\n", 3, "a second motif"),
      MALFORM(P "t count 1\n", 2, "must come before its target"),
      MALFORM(P "k 1 1\nt count\n", 3, "expected 't unique VERTEX...'"),
      MALFORM(P "k 1 1\nt count -1\n", 3, "the number of matches '-1' is not"),
      MALFORM(P "k 1 1\nt first 1\n", 3, "expected 't unique VERTEX...'"),
      MALFORM(P "k 2 1 2\nt unique 1\n", 3, "expected the 2 vertices of the only match, found 1"),
      MALFORM(P "k 2 1 2\nt unique 1 1\n", 3, "vertex 1 occurs twice"),
      MALFORM(P "k 2 1 2\nt unique 1 3\n", 3, "is not a number from 1 to 2"),
      MALFORM(P "k 1 1\nt count 1\nt count 1\n", 4, "a second target"),
      MALFORM(P "c a comment\n", 2, "begins with p, e, n, k or t"),
      MALFORM(P "n 1 1\nn 2 1\nk 1 1\n", 1, "states 1 edges, but there are 0 lines 'e'"),
      MALFORM(P "e 1 2\nn 1 1\nk 1 1\n", 0, "vertex 2 has no colour"),
      MALFORM(WHOLE, 0, "holds no motif"),
  };
  ms_graph_options options = {
      .size = sizeof options, .format = MS_FORMAT_MOTIF, .run.memory = (uint64_t)64 << 20};
  malform_refuses("net.motif", cases, sizeof cases / sizeof *cases, malform_read_graph, &options);
  malform_damage("net.motif", good, sizeof good - 1, malform_read_graph, &options);
}
END_TEST

/* ---- targets --------------------------------------------------------------- */

enum { N = 10, MOST_K = 4 };

typedef struct instance {
  uint32_t n, k, m;
  bool edge[N][N];
  uint32_t color[N], motif[MOST_K];
  uint32_t matches, last; /* sets of vertices as bits; the last that matches */
} instance;

static bool connected(const instance *x, uint32_t set)
{
  uint32_t reached = set & -set;
  for (uint32_t round = 0; round < x->k; round++)
    for (uint32_t v = 0; v < x->n; v++)
      for (uint32_t w = 0; w < x->n; w++)
        if (reached >> v & 1 && set >> w & 1 && x->edge[v][w])
          reached |= 1u << w;
  return reached == set;
}

static bool has_colors(const instance *x, uint32_t set)
{
  int count[8] = {0};
  uint32_t size = 0;
  for (uint32_t i = 0; i < x->k; i++)
    count[x->motif[i]]++;
  for (uint32_t v = 0; v < x->n; v++)
    if (set >> v & 1) {
      count[x->color[v]]--;
      size++;
    }
  for (int c = 0; c < 8; c++)
    if (count[c] != 0)
      return false;
  return size == x->k;
}

static void make(instance *x, uint64_t *state)
{
  *x = (instance){.n = 4 + random_below(state, N - 3), .k = 2 + random_below(state, MOST_K - 1)};
  for (uint32_t v = 0; v < x->n; v++) {
    x->color[v] = 1 + random_below(state, 3);
    for (uint32_t w = 0; w < v; w++)
      if (random_below(state, 10) < 3) {
        x->edge[v][w] = x->edge[w][v] = true;
        x->m++;
      }
  }
  for (uint32_t i = 0; i < x->k; i++)
    x->motif[i] = 1 + random_below(state, 3);
  for (uint32_t set = 1; set < 1u << x->n; set++)
    if (has_colors(x, set) && connected(x, set)) {
      x->matches++;
      x->last = set;
    }
}

/* Writes the instance with a target: the only match, or a number that is `wrong` too large. */
static void write_instance(const instance *x, bool unique, uint32_t wrong)
{
  char text[2000], *to = text;
  to += sprintf(to, "p motif %u %u\n", x->n, x->m);
  for (uint32_t v = 0; v < x->n; v++)
    for (uint32_t w = 0; w < v; w++)
      if (x->edge[v][w])
        to += sprintf(to, "e %u %u\n", w + 1, v + 1);
  for (uint32_t v = 0; v < x->n; v++)
    to += sprintf(to, "n %u %u\n", v + 1, x->color[v]);
  to += sprintf(to, "k %u", x->k);
  for (uint32_t i = 0; i < x->k; i++)
    to += sprintf(to, " %u", x->motif[i]);
  to += sprintf(to, unique ? "\nt unique" : "\nt count %u", x->matches + wrong);
  for (uint32_t v = 0; unique && v < x->n; v++)
    if (x->last >> v & 1)
      to += sprintf(to, " %u", v + 1);
  sprintf(to, "\n");
  files_write_text("x.motif", text);
}

/* Reads the file and searches for its motif; *list, *screen: does the result fit the target? */
static void search(bool *list, bool *screen)
{
  ms_graph *graph = NULL;
  ms_coloring *coloring = NULL;
  ms_query *query = NULL;
  ms_list_result *listed = NULL;
  ms_screen_result *screened = NULL;
  ms_list_options options = MS_LIST_OPTIONS_DEFAULT;
  options.exact = true;
  ck_ok(ms_graph_read(files_path("x.motif"), NULL, &graph, &err));
  ms_motif *motif = motif_of(graph, &coloring);
  ms_motif_target target = ms_graph_motif_target(graph);
  ck_ok(ms_query_new(graph, coloring, motif, 0, NULL, &query, &err));
  ck_ok(ms_list(query, &options, &listed, &err));
  ck_ok(ms_screen(query, NULL, &screened, &err));
  *list = ms_target_fits_list(&target, listed);
  *screen = ms_target_fits_screen(&target, screened);
  ms_list_result_free(listed);
  ms_screen_result_free(screened);
  ms_query_free(query);
  ms_motif_free(motif);
  ms_coloring_free(coloring);
  ms_graph_free(graph);
}

/* Random graphs of up to ten vertices: lists and screens agree with a target that plain trial over
 * all sets of vertices found, and lists disagree with a wrong one; 200 cases. */
START_TEST(targets)
{
  uint64_t state = (uint64_t)_i * 131 + 7;
  instance x;
  bool list, screen;
  make(&x, &state);
  write_instance(&x, false, 0);
  search(&list, &screen);
  ck_assert(list && screen);
  write_instance(&x, false, 1);
  search(&list, &screen);
  ck_assert(!list);
  ck_assert(screen == (x.matches > 0));
  if (x.matches == 0)
    return;
  write_instance(&x, true, 0);
  search(&list, &screen);
  ck_assert(list == (x.matches == 1));
  ck_assert(!list || screen);
}
END_TEST

TEST_MAIN("format: motif", TEST(forms), TEST(motifs_and_targets), TEST(refused),
          TEST_TIMES(targets, scaled(200)))
