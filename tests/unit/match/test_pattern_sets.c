/* Sets of patterns: their texts, their counts, and the permutations of them, against brute force on
 * small graphs. */
#include "query/pattern.h"
#include "tests/support/files.h"
#include "tests/support/random.h"
#include "tests/support/test_main.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 8, PATTERN = 5, SET = 6, COLORS = 3 };

static ms_error err;
static const char *const colors[COLORS] = {"red", "a `b`|c", "(x:y)-->"};

/* ---- small graphs -------------------------------------------------------------------- */

/* A graph or a pattern as a matrix; a pattern vertex accepts the colours of its bits, 0: any. */
typedef struct small {
  uint32_t n;
  bool directed;
  bool arc[MOST][MOST];
  uint32_t color[MOST]; /* bits */
} small;

static void draw_small(small *s, uint64_t *random, uint32_t n, bool directed, uint32_t percent,
                       bool colored)
{
  *s = (small){.n = n, .directed = directed};
  for (uint32_t u = 0; u < n; u++) {
    for (uint32_t v = 0; v < n; v++)
      if (u != v && (directed || u < v) && random_below(random, 100) < percent)
        s->arc[u][v] = s->arc[v][u] = true;
    s->color[u] = colored ? random_below(random, 1u << COLORS) : 0;
  }
  for (uint32_t u = 0; u < n && directed; u++)
    for (uint32_t v = 0; v < n; v++)
      s->arc[u][v] = u != v && random_below(random, 100) < percent;
}

static uint32_t list_arcs(const small *s, uint32_t (*arc)[2])
{
  uint32_t count = 0;
  for (uint32_t u = 0; u < s->n; u++)
    for (uint32_t v = 0; v < s->n; v++)
      if (s->arc[u][v] && (s->directed || u < v)) {
        arc[count][0] = u;
        arc[count++][1] = v;
      }
  return count;
}

static ms_graph *graph_of(const small *s)
{
  uint32_t arc[MOST * MOST][2], count = list_arcs(s, arc);
  ms_graph *graph;
  ck_ok((s->directed ? ms_graph_from_arcs : ms_graph_from_edges)(
      s->n, count, (const uint32_t(*)[2])arc, NULL, &graph, &err));
  return graph;
}

static ms_coloring *coloring_of(const small *s, const ms_graph *graph)
{
  uint32_t pair[MOST * COLORS][2], count = 0;
  ms_coloring *coloring;
  for (uint32_t v = 0; v < s->n; v++)
    for (uint32_t c = 0; c < COLORS; c++)
      if (s->color[v] >> c & 1) {
        pair[count][0] = v;
        pair[count++][1] = c;
      }
  ck_ok(ms_coloring_from_pairs(graph, count, (const uint32_t(*)[2])pair, COLORS, colors, &coloring,
                               &err));
  return coloring;
}

static ms_pattern *pattern_of(const small *s)
{
  uint32_t arc[MOST * MOST][2], count = list_arcs(s, arc);
  ms_pattern *pattern;
  ck_ok(ms_pattern_from_edges(s->n, count, (const uint32_t(*)[2])arc, s->directed && count > 0,
                              NULL, &pattern, &err));
  for (uint32_t v = 0; v < s->n; v++)
    for (uint32_t c = 0; c < COLORS; c++)
      if (s->color[v] >> c & 1)
        ck_ok(ms_pattern_accept(pattern, v, colors[c], &err));
  return pattern;
}

/* ---- brute force --------------------------------------------------------------------- */

typedef struct search {
  const small *graph, *pattern;
  bool induced, automorphisms;
  uint32_t map[MOST];
} search;

/* Is there an arc from u to v, as the pattern sees it? */
static bool sees(const search *s, uint32_t u, uint32_t v)
{
  bool blind = !s->pattern->directed && s->graph->directed;
  return s->graph->arc[u][v] || (blind && s->graph->arc[v][u]);
}

static bool fits(const search *s, uint32_t i, uint32_t v)
{
  const small *p = s->pattern;
  bool exact = s->automorphisms;
  if (exact ? p->color[i] != s->graph->color[v]
            : p->color[i] != 0 && !(p->color[i] & s->graph->color[v]))
    return false;
  for (uint32_t j = 0; j < i; j++) {
    uint32_t w = s->map[j];
    if (w == v || (p->arc[i][j] && !sees(s, v, w)) || (p->arc[j][i] && !sees(s, w, v)))
      return false;
    if ((s->induced || exact) &&
        ((!p->arc[i][j] && sees(s, v, w)) || (!p->arc[j][i] && sees(s, w, v))))
      return false;
  }
  return true;
}

static uint64_t count_maps(search *s, uint32_t i)
{
  uint64_t count = 0;
  if (i == s->pattern->n)
    return 1;
  for (uint32_t v = 0; v < s->graph->n; v++)
    if (fits(s, i, v)) {
      s->map[i] = v;
      count += count_maps(s, i + 1);
    }
  return count;
}

static uint64_t automorphisms_of(const small *p)
{
  return count_maps(&(search){.graph = p, .pattern = p, .automorphisms = true}, 0);
}

static uint64_t maps_of(const small *g, const small *p, bool induced)
{
  return count_maps(&(search){.graph = g, .pattern = p, .induced = induced}, 0);
}

/* ---- sets ------------------------------------------------------------------------------ */

/* Patterns of 1 to PATTERN vertices, of which some are others with their vertices turned round, as
 * a set of texts. */
static ms_pattern_set *draw_set(small *pattern, uint64_t *random, bool directed, bool colored)
{
  char name[SET][16], *text[SET];
  const char *names[SET], *texts[SET];
  ms_pattern_set *set;
  for (uint32_t i = 0; i < SET; i++) {
    small *p = &pattern[i];
    bool twin = i > 0 && random_below(random, 4) == 0;
    draw_small(p, random, 1 + random_below(random, PATTERN), directed && random_below(random, 3),
               60, colored && random_below(random, 2));
    if (twin) {
      const small *from = &pattern[i - 1];
      *p = (small){.n = from->n, .directed = from->directed};
      for (uint32_t u = 0; u < p->n; u++) {
        p->color[p->n - 1 - u] = from->color[u];
        for (uint32_t v = 0; v < p->n; v++)
          p->arc[p->n - 1 - u][p->n - 1 - v] = from->arc[u][v];
      }
    }
    ms_pattern *made = pattern_of(p);
    p->directed = made->directed;
    ck_ok(ms_pattern_text(made, &text[i], &err));
    ms_pattern_free(made);
    snprintf(name[i], sizeof name[i], "p %u", i);
    names[i] = name[i];
    texts[i] = text[i];
  }
  ck_ok(ms_pattern_set_new(SET, names, texts, directed, &set, &err));
  for (uint32_t i = 0; i < SET; i++)
    ms_text_free(text[i]);
  return set;
}

/* A number as text; returns text. */
static const char *digits(uint64_t number, char text[24])
{
  snprintf(text, 24, "%llu", (unsigned long long)number);
  return text;
}

/* The counts and automorphisms of all patterns of 3,000 random sets are those of a brute force:
 * directed or not, with colours, induced, embeddings and subgraphs. */
START_TEST(counts_are_those_of_brute_force)
{
  uint64_t random = 11;
  for (uint64_t trial = 0; trial < scaled(3000); trial++) {
    small g, pattern[SET];
    char text[24];
    bool directed = random_below(&random, 2), colored = random_below(&random, 2);
    ms_pattern_options o = MS_PATTERN_OPTIONS_DEFAULT;
    ms_pattern_counts *counts;
    ms_pattern_index *index;
    draw_small(&g, &random, 3 + random_below(&random, 5), directed, 20 + random_below(&random, 70),
               colored);
    ms_pattern_set *set = draw_set(pattern, &random, directed, colored);
    ms_graph *graph = graph_of(&g);
    ms_coloring *coloring = colored ? coloring_of(&g, graph) : NULL;
    o.induced = random_below(&random, 2);
    o.embeddings = random_below(&random, 2);
    o.screen.run.threads = 1 + (int)random_below(&random, 2);
    ck_ok(ms_pattern_index_new(graph, coloring, 1, &index, &err));
    ck_ok(ms_pattern_counts_new(index, set, &o, &counts, &err));
    ck_assert_uint_eq(counts->count, SET);
    for (uint32_t i = 0; i < SET; i++) {
      uint64_t own = automorphisms_of(&pattern[i]), maps = maps_of(&g, &pattern[i], o.induced);
      const char *pattern_text = ms_pattern_set_text(set, i);
      ck_assert_msg(strcmp(counts->automorphisms_text[i], digits(own, text)) == 0,
                    "trial %llu, %s: %s automorphisms, not %s", (unsigned long long)trial,
                    pattern_text, counts->automorphisms_text[i], text);
      ck_assert_msg(strcmp(counts->count_text[i], digits(o.embeddings ? maps : maps / own, text)) ==
                        0,
                    "trial %llu, %s: %s matches, not %s", (unsigned long long)trial, pattern_text,
                    counts->count_text[i], text);
      ck_assert_int_eq(counts->stopped[i], MS_OK);
    }
    ms_pattern_counts_free(counts);
    ms_pattern_index_free(index);
    ms_coloring_free(coloring);
    ms_graph_free(graph);
    ms_pattern_set_free(set);
  }
}
END_TEST

/* Patterns that share numbers have the counts that each has alone: all connected shapes of 2 to 5
 * vertices and some that are not connected, in both orders, in 12 graphs of 40 to 90 vertices. */
START_TEST(shared_numbers_are_those_of_each_alone)
{
  static const char *const texts[] = {"path:2",
                                      "path:3",
                                      "triangle",
                                      "path:4",
                                      "star:3",
                                      "square",
                                      "paw",
                                      "diamond",
                                      "clique:4",
                                      "path:5",
                                      "star:4",
                                      "cycle:5",
                                      "house",
                                      "bowtie",
                                      "wheel:4",
                                      "clique:5",
                                      "octahedron",
                                      "(a)--(b), (c)--(d)",
                                      "(a)--(b)--(c), (d)",
                                      "(a)--(b)--(c)--(a), (d)--(e)",
                                      "(a)--(b)--(c)--(d)--(a), (a)--(e)",
                                      "(a)--(b)--(c)--(a), (a)--(d), (b)--(e)",
                                      "(a)--(b)--(c)--(d), (b)--(e)",
                                      "(a)--(b), (a)--(c), (d)--(b), (d)--(c), (e)--(b), (e)--(c)"};
  enum { COUNT = sizeof texts / sizeof *texts };
  uint64_t random = 5;
  for (uint64_t trial = 0; trial < scaled(12); trial++) {
    uint32_t n = 40 + random_below(&random, 50), m = n * (2 + random_below(&random, 5)), made = 0;
    uint32_t(*edge)[2] = malloc(m * sizeof *edge);
    const char *order[COUNT];
    ms_graph *graph;
    ms_pattern_index *index;
    ms_pattern_set *set;
    ms_pattern_counts *counts;
    for (uint32_t e = 0; e < m; e++) {
      edge[made][0] = random_below(&random, n);
      edge[made][1] = random_below(&random, 1 + edge[made][0]); /* some vertices have many */
      made += edge[made][0] != edge[made][1];
    }
    for (uint32_t i = 0; i < COUNT; i++)
      order[i] = texts[trial % 2 ? COUNT - 1 - i : i];
    ck_ok(ms_graph_from_edges(n, made, (const uint32_t(*)[2])edge, NULL, &graph, &err));
    ck_ok(ms_pattern_index_new(graph, NULL, 1, &index, &err));
    ck_ok(ms_pattern_set_new(COUNT, order, order, false, &set, &err));
    for (int induced = 0; induced < 2; induced++) {
      ms_pattern_options o = MS_PATTERN_OPTIONS_DEFAULT;
      o.induced = induced;
      o.screen.run.threads = 2;
      ck_ok(ms_pattern_counts_new(index, set, &o, &counts, &err));
      for (uint32_t i = 0; i < COUNT; i++) {
        ms_pattern_result *alone;
        o.count_only = true;
        ck_ok(ms_pattern_list(index, ms_pattern_set_pattern(set, i), &o, &alone, &err));
        ck_assert_msg(strcmp(alone->count_text, counts->count_text[i]) == 0, "%s: %s alone, not %s",
                      order[i], alone->count_text, counts->count_text[i]);
        ck_assert_str_eq(alone->automorphisms_text, counts->automorphisms_text[i]);
        ms_pattern_result_free(alone);
      }
      ms_pattern_counts_free(counts);
    }
    ms_pattern_set_free(set);
    ms_pattern_index_free(index);
    ms_graph_free(graph);
    free(edge);
  }
}
END_TEST

/* ---- texts ----------------------------------------------------------------------------- */

/* The text of a pattern is read as the same pattern: 2,000 random ones, with names and colours that
 * need quotes, directed and not, some of their vertices alone. */
START_TEST(texts_are_read_as_the_same_pattern)
{
  uint64_t random = 3;
  for (uint64_t trial = 0; trial < scaled(2000); trial++) {
    small p;
    char *text, *again;
    ms_pattern *read;
    draw_small(&p, &random, 1 + random_below(&random, MOST), random_below(&random, 2), 30, true);
    ms_pattern *made = pattern_of(&p);
    ck_ok(ms_pattern_text(made, &text, &err));
    ck_ok(ms_pattern_parse(text, p.directed, &read, &err));
    ck_ok(ms_pattern_text(read, &again, &err));
    ck_assert_uint_eq(read->n, made->n);
    ck_assert(read->directed == made->directed);
    ck_assert_uint_eq(ms_pattern_edge_count(read), ms_pattern_edge_count(made));
    for (uint32_t v = 0; v < p.n; v++) {
      const char *name = ms_pattern_vertex_name(made, v);
      uint32_t to = ms_names_find(read->names, name, strlen(name));
      ck_assert_uint_ne(to, MS_NO_ID);
      ck_assert_uint_eq(read->colors[to], made->colors[v]);
      for (uint32_t c = 0; c < made->colors[v]; c++) {
        const char *color = ms_names_get(made->color_names, made->color[v][c]);
        bool has = false;
        for (uint32_t d = 0; d < read->colors[to]; d++)
          has |= strcmp(color, ms_names_get(read->color_names, read->color[to][d])) == 0;
        ck_assert(has);
      }
      for (uint32_t u = 0; u < p.n; u++) {
        const char *other = ms_pattern_vertex_name(made, u);
        uint32_t from = ms_names_find(read->names, other, strlen(other));
        ck_assert(ms_bitset_has(&read->out[from], to) == ms_bitset_has(&made->out[u], v));
      }
    }
    ms_text_free(text);
    ms_text_free(again);
    ms_pattern_free(read);
    ms_pattern_free(made);
  }
}
END_TEST

/* ---- files ----------------------------------------------------------------------------- */

static void refuses(const char *content, const char *words)
{
  ms_pattern_set *set;
  files_write_text("p.tsv", content);
  err = (ms_error){0};
  ck_assert_int_ne(ms_pattern_set_read(files_path("p.tsv"), false, &set, &err), MS_OK);
  ck_assert_ptr_null(set);
  ck_assert_msg(strstr(err.message, words), "'%s': %s", content, err.message);
}

/* A file is refused with its line: 9 files. */
START_TEST(wrong_lines_are_named)
{
  refuses("", "p.tsv: no pattern");
  refuses("# triangle\n\n", "p.tsv: no pattern");
  refuses("triangle\n\nx\ttriangel\n", "p.tsv:3: no built-in pattern is called 'triangel'");
  refuses("a\ttriangle\nb\tpath:3\na\tpath:4\n", "p.tsv:3: pattern 1 has the name 'a', too");
  refuses("triangle\ntriangle\n", "p.tsv:2: pattern 1 has the name 'triangle', too");
  refuses("a\ttriangle\tmore\n", "p.tsv:1: there is a tab after the pattern");
  refuses("path:3\na\t(a)-->(b)\n", "p.tsv:2: ");
  refuses("path:3\na\t(a)-[:binds]-(b)\n", "p.tsv:2: ");
  refuses("\ttriangle\n", "p.tsv:1: the name of a pattern");
}
END_TEST

/* Lines with and without names, comments, blank lines, line ends of other systems. */
START_TEST(files_and_folders_are_read)
{
  ms_pattern_set *set;
  files_write_text("p.tsv", "# shapes\r\ntriangle\r\n\r\n loop \t (a)--(b)--(c)--(a) \r\n");
  ck_ok(ms_pattern_set_read(files_path("p.tsv"), false, &set, &err));
  ck_assert_uint_eq(ms_pattern_set_size(set), 2);
  ck_assert_str_eq(ms_pattern_set_name(set, 0), "triangle");
  ck_assert_str_eq(ms_pattern_set_name(set, 1), "loop");
  ck_assert_str_eq(ms_pattern_set_text(set, 1), "(a)--(b)--(c)--(a)");
  ck_assert_ptr_null(ms_pattern_set_name(set, 2));
  ck_assert_ptr_null(ms_pattern_set_pattern(set, 2));
  ms_pattern_set_free(set);
}
END_TEST

/* ---- permutations -------------------------------------------------------------------------- */

enum { NULL_N = 6, DRAWN = 600, NULL_PATTERNS = 4 };

typedef struct moments {
  double first[NULL_PATTERNS], second[NULL_PATTERNS];
  uint64_t all;
} moments;

static void note_graph(moments *m, const small *g, const small *pattern, bool induced)
{
  for (uint32_t i = 0; i < NULL_PATTERNS; i++) {
    double count = (double)maps_of(g, &pattern[i], induced) / (double)automorphisms_of(&pattern[i]);
    m->first[i] += count;
    m->second[i] += count * count;
  }
  m->all++;
}

/* The number of edges between each two lists of colours. */
static void fill_table(const small *g, uint32_t table[8][8])
{
  memset(table, 0, 64 * sizeof **table);
  for (uint32_t u = 0; u < g->n; u++)
    for (uint32_t v = 0; v < g->n; v++)
      table[g->color[u]][g->color[v]] += g->arc[u][v] || g->arc[v][u];
}

/* All labellings, or those that hold the table. */
static void note_labels(moments *m, small *g, uint32_t done, bool holds, const uint32_t table[8][8],
                        const small *pattern, bool induced)
{
  uint32_t own[8][8];
  if (done == g->n) {
    fill_table(g, own);
    if (!holds || memcmp(own, table, sizeof own) == 0)
      note_graph(m, g, pattern, induced);
    return;
  }
  for (uint32_t i = done; i < g->n; i++) {
    uint32_t a = g->color[done], b = g->color[i];
    g->color[done] = b;
    g->color[i] = a;
    note_labels(m, g, done + 1, holds, table, pattern, induced);
    g->color[done] = a;
    g->color[i] = b;
  }
}

/* The arcs out, the arcs in and the mutual arcs of each vertex, or its edges, as a number. */
static void fill_degrees(const small *g, uint32_t degree[MOST])
{
  for (uint32_t u = 0; u < g->n; u++) {
    uint32_t out = 0, in = 0, mutual = 0;
    for (uint32_t v = 0; v < g->n; v++) {
      out += g->arc[u][v] && !g->arc[v][u];
      in += g->arc[v][u] && !g->arc[u][v];
      mutual += g->arc[u][v] && g->arc[v][u];
    }
    degree[u] = out | in << 8 | mutual << 16;
  }
}

/* All graphs with these degrees and, unless it is NULL, this table of coloured edges, pair by pair.
 */
static void note_wirings(moments *m, small *g, uint32_t pair, const uint32_t degree[MOST],
                         const uint32_t (*table)[8], const small *pattern, bool induced)
{
  uint32_t u = 0, left = pair, own[MOST], own_table[8][8];
  while (u + 1 < g->n && left >= g->n - 1 - u)
    left -= g->n - 1 - u++;
  if (u + 1 >= g->n) {
    fill_degrees(g, own);
    fill_table(g, own_table);
    if (memcmp(own, degree, g->n * sizeof *own) == 0 &&
        (!table || memcmp(own_table, table, sizeof own_table) == 0))
      note_graph(m, g, pattern, induced);
    return;
  }
  uint32_t v = u + 1 + left;
  for (uint32_t way = 0; way < (g->directed ? 4 : 2); way++) {
    g->arc[u][v] = way & 1;
    g->arc[v][u] = g->directed ? way >> 1 & 1 : way & 1;
    note_wirings(m, g, pair + 1, degree, table, pattern, induced);
  }
  g->arc[u][v] = g->arc[v][u] = false;
}

/* Fills in the moments over all permutations of a null. */
static void note_all(moments *m, const small *g, ms_null_kind null, const small *pattern,
                     bool induced)
{
  uint32_t table[8][8], degree[MOST];
  small own = *g;
  *m = (moments){.all = 0};
  fill_table(g, table);
  fill_degrees(g, degree);
  if (null >= MS_NULL_REWIRE)
    note_wirings(m, &own, 0, degree, null == MS_NULL_REWIRE ? NULL : (const uint32_t(*)[8])table,
                 pattern, induced);
  else
    note_labels(m, &own, 0, null == MS_NULL_EDGES, (const uint32_t(*)[8])table, pattern, induced);
}

/* The mean and the standard deviation of DRAWN permutations are near those of all labellings, of
 * all labellings that hold the table of coloured edges, and of all graphs in which each vertex
 * keeps its edges or its arcs out, arcs in and mutual arcs: 4 patterns in 25 random graphs of 6
 * vertices (directed: 5). */
START_TEST(permutations_are_those_of_the_null)
{
  uint64_t random = 21;
  for (uint64_t trial = 0; trial < scaled(25); trial++) {
    const ms_null_kind null = (ms_null_kind)(trial % 5);
    small g, pattern[SET];
    bool directed = null == MS_NULL_REWIRE && trial % 10 >= 5;
    moments m;
    ms_pattern_options o = MS_PATTERN_OPTIONS_DEFAULT;
    ms_permutation_options q = MS_PERMUTATION_OPTIONS_DEFAULT;
    ms_pattern_counts *counts;
    ms_permutation_result *r;
    ms_pattern_index *index;
    draw_small(&g, &random, directed ? NULL_N - 1 : NULL_N, directed, directed ? 25 : 50, true);
    for (uint32_t v = 0; v < g.n; v++) /* a vertex without a colour would keep its place */
      g.color[v] = 1u << random_below(&random, COLORS);
    ms_pattern_set *set = draw_set(pattern, &random, directed, true);
    ms_graph *graph = graph_of(&g);
    ms_coloring *coloring = coloring_of(&g, graph);
    o.induced = random_below(&random, 2);
    q.null_kind = null;
    q.permutations = DRAWN;
    q.seed = trial;
    ck_ok(ms_pattern_index_new(graph, coloring, 1, &index, &err));
    ck_ok(ms_pattern_counts_new(index, set, &o, &counts, &err));
    ck_ok(ms_pattern_counts_permute(index, set, &o, &q, counts, &r, &err));
    note_all(&m, &g, null, pattern, o.induced);
    ck_assert_uint_gt(m.all, 0);
    ck_assert_uint_eq(r->done, DRAWN);
    for (uint32_t i = 0; i < NULL_PATTERNS; i++) {
      double mean = m.first[i] / (double)m.all;
      double sd = sqrt(fmax(0, m.second[i] / (double)m.all - mean * mean));
      ck_assert_msg(fabs(r->expected[i] - mean) <= 5.5 * sd / sqrt(DRAWN) + 1e-9,
                    "trial %llu, null %d, %s: mean %g, not %g", (unsigned long long)trial, null,
                    ms_pattern_set_text(set, i), r->expected[i], mean);
      ck_assert_msg(fabs(r->sd[i] - sd) <= 0.35 * sd + 1e-9,
                    "trial %llu, null %d, %s: sd %g, not %g", (unsigned long long)trial, null,
                    ms_pattern_set_text(set, i), r->sd[i], sd);
    }
    ms_permutation_result_free(r);
    ms_pattern_counts_free(counts);
    ms_pattern_index_free(index);
    ms_coloring_free(coloring);
    ms_graph_free(graph);
    ms_pattern_set_free(set);
  }
}
END_TEST

/* The statistics are those of the numbers in the permutations, which `keep_counts` keeps, and do
 * not depend on the threads: mean, deviation, p, p_less and the share of permutations whose
 * greatest z is as great; 40 sets. */
START_TEST(statistics_are_those_of_the_numbers)
{
  uint64_t random = 8;
  for (uint64_t trial = 0; trial < scaled(40); trial++) {
    small g, pattern[SET];
    ms_pattern_options o = MS_PATTERN_OPTIONS_DEFAULT;
    ms_permutation_options q = MS_PERMUTATION_OPTIONS_DEFAULT;
    ms_pattern_counts *counts;
    ms_permutation_result *r, *other;
    ms_pattern_index *index;
    double greatest[50];
    draw_small(&g, &random, 7, false, 45, true);
    ms_pattern_set *set = draw_set(pattern, &random, false, true);
    ms_graph *graph = graph_of(&g);
    ms_coloring *coloring = coloring_of(&g, graph);
    q.null_kind = (ms_null_kind)(trial % 5);
    q.permutations = q.keep_counts = 50;
    q.max_t = true;
    ck_ok(ms_pattern_index_new(graph, coloring, 1, &index, &err));
    ck_ok(ms_pattern_counts_new(index, set, &o, &counts, &err));
    o.screen.run.threads = 1;
    ck_ok(ms_pattern_counts_permute(index, set, &o, &q, counts, &r, &err));
    o.screen.run.threads = 3;
    ck_ok(ms_pattern_counts_permute(index, set, &o, &q, counts, &other, &err));
    ck_assert_mem_eq(r->counts, other->counts, 50 * SET * sizeof *r->counts);
    ck_assert_mem_eq(r->p_max, other->p_max, SET * sizeof *r->p_max);
    for (uint32_t k = 0; k < 50; k++)
      greatest[k] = -INFINITY;
    for (uint32_t i = 0; i < SET; i++) {
      double observed = strtod(counts->count_text[i], NULL), sum = 0, squares = 0, ge = 0, le = 0;
      for (uint32_t k = 0; k < 50; k++)
        sum += (double)r->counts[k * SET + i];
      for (uint32_t k = 0; k < 50; k++) {
        double count = (double)r->counts[k * SET + i];
        squares += (count - sum / 50) * (count - sum / 50);
        ge += count >= observed;
        le += count <= observed;
      }
      double sd = sqrt(squares / 49);
      ck_assert_double_eq_tol(r->expected[i], sum / 50, 1e-9);
      ck_assert_double_eq_tol(r->sd[i], sd, 1e-7);
      ck_assert_double_eq_tol(r->p[i], (1 + ge) / 51, 1e-12);
      ck_assert_double_eq_tol(r->p_less[i], (1 + le) / 51, 1e-12);
      ck_assert(r->q[i] >= r->p[i] - 1e-12 && r->q[i] <= 1);
      for (uint32_t k = 0; k < 50 && sd > 0; k++)
        greatest[k] = fmax(greatest[k], ((double)r->counts[k * SET + i] - sum / 50) / sd);
    }
    for (uint32_t i = 0; i < SET; i++) {
      double share = 0;
      for (uint32_t k = 0; k < 50; k++)
        share += isnan(r->z[i]) || greatest[k] >= r->z[i] - 1e-6;
      ck_assert_double_eq_tol(r->p_max[i], (1 + share) / 51, 1e-9);
    }
    ms_permutation_result_free(r);
    ms_permutation_result_free(other);
    ms_pattern_counts_free(counts);
    ms_pattern_index_free(index);
    ms_coloring_free(coloring);
    ms_graph_free(graph);
    ms_pattern_set_free(set);
  }
}
END_TEST

/* A stopped count says so of each pattern, and no permutation follows it. */
START_TEST(a_stop_leaves_lower_bounds)
{
  static const char *const names[] = {"a", "b"}, *const texts[] = {"triangle", "path:3"};
  static const uint32_t edges[][2] = {{0, 1}, {1, 2}, {2, 0}, {2, 3}};
  ms_pattern_options o = MS_PATTERN_OPTIONS_DEFAULT;
  ms_permutation_options q = MS_PERMUTATION_OPTIONS_DEFAULT;
  ms_graph *graph;
  ms_pattern_index *index;
  ms_pattern_set *set;
  ms_pattern_counts *counts;
  ms_permutation_result *r;
  ms_stop *stop;
  ck_ok(ms_graph_from_edges(4, 4, edges, NULL, &graph, &err));
  ck_ok(ms_pattern_index_new(graph, NULL, 1, &index, &err));
  ck_ok(ms_pattern_set_new(2, names, texts, false, &set, &err));
  ck_ok(ms_stop_new(&stop, &err));
  ms_stop_request(stop);
  o.screen.run.stop = stop;
  q.null_kind = MS_NULL_REWIRE;
  q.max_t = true;
  ck_ok(ms_pattern_counts_new(index, set, &o, &counts, &err));
  ck_assert_int_eq(counts->run.stopped, MS_ERR_INTERRUPTED);
  for (uint32_t i = 0; i < 2; i++) {
    ck_assert_int_eq(counts->stopped[i], MS_ERR_INTERRUPTED);
    ck_assert_str_eq(counts->count_text[i], "0");
  }
  ck_ok(ms_pattern_counts_permute(index, set, &o, &q, counts, &r, &err));
  ck_assert_int_eq(r->run.stopped, MS_ERR_INTERRUPTED);
  ck_assert_uint_eq(r->done, 0);
  ck_assert_double_eq(r->p[0], 1);
  ms_permutation_result_free(r);
  ms_pattern_counts_free(counts);
  ms_stop_free(stop);
  ms_pattern_set_free(set);
  ms_pattern_index_free(index);
  ms_graph_free(graph);
}
END_TEST

TEST_MAIN("pattern_sets", TEST(counts_are_those_of_brute_force),
          TEST(shared_numbers_are_those_of_each_alone), TEST(texts_are_read_as_the_same_pattern),
          TEST(wrong_lines_are_named), TEST(files_and_folders_are_read),
          TEST(permutations_are_those_of_the_null), TEST(statistics_are_those_of_the_numbers),
          TEST(a_stop_leaves_lower_bounds))
