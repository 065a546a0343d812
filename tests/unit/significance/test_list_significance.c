/* Significance of one motif: against all permutations of the colours of small graphs, and against
 * itself on several threads. */
#include "tests/support/random.h"
#include "tests/support/test_main.h"

#include "motifsieve.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MOST 6u
#define DRAWN 700

static ms_error err;

/* A random graph whose vertices have one of three colours each. */
typedef struct small_case {
  ms_graph *graph;
  uint32_t n, color[MOST];
  ms_coloring *coloring;
  ms_motif *motif;
  ms_query *query;
} small_case;

static const char *const colors[] = {"a", "b", "c"};
static const char *const motifs[] = {"a,b", "a:2", "a:2,b", "a,b,c", "a:2,b,c", "b:3,a"};

static ms_coloring *colors_of(const ms_graph *graph, uint32_t n, const uint32_t *color)
{
  uint32_t pairs[MOST][2];
  ms_coloring *coloring;
  for (uint32_t v = 0; v < n; v++) {
    pairs[v][0] = v;
    pairs[v][1] = color[v];
  }
  ck_ok(ms_coloring_from_pairs(graph, n, (const uint32_t(*)[2])pairs, 3, colors, &coloring, &err));
  return coloring;
}

static void open_case(small_case *c, uint64_t *random, const char *text)
{
  uint32_t edges[MOST * MOST][2], count = 0;
  c->n = MOST;
  for (uint32_t v = 0; v < c->n; v++)
    for (uint32_t u = 0; u < v; u++)
      if (random_below(random, 100) < 45) {
        edges[count][0] = u;
        edges[count++][1] = v;
      }
  ck_ok(ms_graph_from_edges(c->n, count, (const uint32_t(*)[2])edges, NULL, &c->graph, &err));
  for (uint32_t v = 0; v < c->n; v++)
    c->color[v] = v < 3 ? v : random_below(random, 3);
  c->coloring = colors_of(c->graph, c->n, c->color);
  ck_ok(ms_motif_parse(text, c->coloring, &c->motif, &err));
  ck_ok(ms_query_new(c->graph, c->coloring, c->motif, 0, NULL, &c->query, &err));
}

static void close_case(small_case *c)
{
  ms_query_free(c->query);
  ms_motif_free(c->motif);
  ms_coloring_free(c->coloring);
  ms_graph_free(c->graph);
}

/* Counts the matches, or the vertices in matches, with other colours. */
static uint64_t count_with(const small_case *c, const uint32_t *color, bool vertices)
{
  ms_coloring *coloring = colors_of(c->graph, c->n, color);
  ms_motif *motif;
  ms_query *query;
  ms_list_result *list;
  ms_list_options o = MS_LIST_OPTIONS_DEFAULT;
  uint64_t count = 0;
  o.exact = true;
  o.screen.run.threads = 1;
  ck_ok(ms_motif_parse(ms_motif_text(c->motif), coloring, &motif, &err));
  ck_ok(ms_query_new(c->graph, coloring, motif, 0, NULL, &query, &err));
  ck_ok(ms_list(query, &o, &list, &err));
  bool taken[MOST] = {false};
  for (uint64_t i = 0; i < list->matches * list->k; i++)
    taken[list->vertices[i]] = true;
  for (uint32_t v = 0; v < c->n; v++)
    count += taken[v];
  count = vertices ? count : list->matches;
  ms_list_result_free(list);
  ms_query_free(query);
  ms_motif_free(motif);
  ms_coloring_free(coloring);
  return count;
}

typedef struct moments {
  double first, second;
  uint64_t all;
} moments;

/* Counts with all permutations of the colours. */
static void count_all(const small_case *c, uint32_t *color, uint32_t done, bool vertices,
                      moments *m)
{
  if (done == c->n) {
    double count = (double)count_with(c, color, vertices);
    m->first += count;
    m->second += count * count;
    m->all++;
    return;
  }
  for (uint32_t i = done; i < c->n; i++) {
    uint32_t a = color[done], b = color[i];
    color[done] = b;
    color[i] = a;
    count_all(c, color, done + 1, vertices, m);
    color[done] = a;
    color[i] = b;
  }
}

/* The mean and the standard deviation by formula are those of all permutations, and the mean of
 * DRAWN random ones is near it: matches and vertices of 6 motifs in graphs of 6 vertices. */
START_TEST(agrees_with_all_permutations)
{
  uint64_t random = 5;
  for (uint64_t i = 0; i < scaled(6); i++)
    for (int vertices = 0; vertices < 2; vertices++) {
      small_case c;
      moments m = {0};
      uint32_t color[MOST];
      ms_list_significance s;
      ms_list_options list = MS_LIST_OPTIONS_DEFAULT;
      ms_permutation_options null = MS_PERMUTATION_OPTIONS_DEFAULT;
      open_case(&c, &random, motifs[i]);
      memcpy(color, c.color, sizeof color);
      count_all(&c, color, 0, vertices, &m);
      double mean = m.first / (double)m.all;
      double sd = sqrt(fmax(0, m.second / (double)m.all - mean * mean));
      list.count_only = list.participation = vertices;
      null.permutations = DRAWN;
      ck_ok(ms_list_chance(c.query, &list, true, &null, &s, &err));
      ck_assert_uint_eq(s.observed, count_with(&c, c.color, vertices));
      ck_assert_int_eq(s.has_moments, !vertices);
      if (!vertices) {
        ck_assert_msg(fabs(s.expected - mean) < 1e-9, "%s: %g, not %g", motifs[i], s.expected,
                      mean);
        ck_assert_msg(fabs(s.sd - sd) < 1e-6, "%s: sd %g, not %g", motifs[i], s.sd, sd);
        ck_assert(s.exact);
      }
      ck_assert_uint_eq(s.done, DRAWN);
      ck_assert_msg(fabs(s.permuted_expected - mean) <= 5 * sd / sqrt(DRAWN) + 1e-9,
                    "%s: %g in permutations, not %g", motifs[i], s.permuted_expected, mean);
      ck_assert_msg(fabs(s.permuted_sd - sd) <= 0.2 * sd + 1e-9, "%s: sd %g, not %g", motifs[i],
                    s.permuted_sd, sd);
      ck_assert_uint_ge(s.n_ge + s.n_le, s.done);
      ck_assert_double_eq(s.permuted_p, (1.0 + (double)s.n_ge) / (DRAWN + 1));
      close_case(&c);
    }
}
END_TEST

static void make_graph(uint32_t n, uint64_t edges, ms_graph **graph)
{
  ms_generate_options o = MS_GENERATE_OPTIONS_DEFAULT;
  o.family = MS_FAMILY_ER;
  o.given = MS_GEN_VERTICES | MS_GEN_EDGES;
  o.vertices = n;
  o.edges = edges;
  ck_ok(ms_generate(&o, graph, &err));
}

/* Every null gives the same numbers on one thread and on four, and each holds what it says: with
 * strata of one vertex nothing moves. */
START_TEST(threads_and_strata)
{
  ms_graph *graph;
  ms_coloring *coloring;
  ms_motif *motif;
  ms_query *query;
  static uint32_t alone[200];
  make_graph(200, 600, &graph);
  ck_ok(ms_generate_colors(graph, 3, 4, &coloring, &err));
  ck_ok(ms_motif_parse("c0:2,c1", coloring, &motif, &err));
  ck_ok(ms_query_new(graph, coloring, motif, 0, NULL, &query, &err));
  for (int kind = MS_NULL_LABELS; kind <= MS_NULL_REWIRE_COLORS; kind++) {
    ms_list_significance s[2];
    for (int i = 0; i < 2; i++) {
      ms_list_options list = MS_LIST_OPTIONS_DEFAULT;
      ms_permutation_options null = MS_PERMUTATION_OPTIONS_DEFAULT;
      list.screen.run.threads = i ? 4 : 1;
      null.null_kind = (ms_null_kind)kind;
      null.permutations = 70;
      ck_ok(ms_list_chance(query, &list, true, &null, &s[i], &err));
    }
    ck_assert_uint_eq(s[0].n_ge, s[1].n_ge);
    ck_assert_double_eq(s[0].permuted_expected, s[1].permuted_expected);
    ck_assert_double_eq(s[0].permuted_sd, s[1].permuted_sd);
    ck_assert(s[0].permuted_sd > 0);
  }
  for (uint32_t v = 0; v < 200; v++)
    alone[v] = v;
  ms_list_significance s;
  ms_permutation_options null = MS_PERMUTATION_OPTIONS_DEFAULT;
  null.permutations = 3;
  null.stratum = alone;
  null.n_strata = 200;
  ck_ok(ms_list_chance(query, NULL, true, &null, &s, &err));
  ck_assert(s.permuted_expected == (double)s.observed && s.permuted_sd == 0 && s.n_ge == 3);
  ck_assert(isnan(s.permuted_z) && s.has_moments);
  ck_ok(ms_list_chance(query, NULL, false, &null, &s, &err));
  ck_assert(!s.has_moments && s.n_ge == 3);
  ck_assert_ptr_nonnull(strstr(s.moments_reason, "not asked for"));
  null.n_strata = 199;
  ck_assert_int_eq(ms_list_chance(query, NULL, true, &null, &s, &err), MS_ERR_USAGE);
  ms_query_free(query);
  const char *name = ms_graph_name(graph, 0);
  ck_ok(ms_query_new(graph, coloring, motif, 1, &name, &query, &err));
  ck_assert_int_eq(ms_list_chance(query, NULL, true, NULL, &s, &err), MS_ERR_USAGE);
  ms_query_free(query);
  ms_motif_free(motif);
  ms_coloring_free(coloring);
  ms_graph_free(graph);
}
END_TEST

/* A stop before the first permutation fails; after some, it leaves those that are done. */
START_TEST(stops)
{
  ms_graph *graph;
  ms_coloring *coloring;
  ms_motif *motif;
  ms_query *query;
  ms_list_significance s;
  ms_list_options list = MS_LIST_OPTIONS_DEFAULT;
  ms_permutation_options null = MS_PERMUTATION_OPTIONS_DEFAULT;
  make_graph(2000, 8000, &graph);
  ck_ok(ms_generate_colors(graph, 3, 4, &coloring, &err));
  ck_ok(ms_motif_parse("c0:2,c1,*", coloring, &motif, &err));
  ck_ok(ms_query_new(graph, coloring, motif, 0, NULL, &query, &err));
  null.permutations = MS_MOST_PERMUTATIONS;
  ck_ok(ms_stop_new(&list.screen.run.stop, &err));
  ms_stop_request(list.screen.run.stop);
  ck_assert_int_eq(ms_list_chance(query, &list, true, &null, &s, &err), MS_ERR_INTERRUPTED);
  ms_stop_free(list.screen.run.stop);
  ck_ok(ms_stop_new(&list.screen.run.stop, &err));
  /* a busy machine may take longer than a second to the first one */
  ms_status status = MS_ERR_LIMIT;
  for (double given = 1; given < 50 && status == MS_ERR_LIMIT; given *= 6) {
    ms_stop_after(list.screen.run.stop, given);
    status = ms_list_chance(query, &list, true, &null, &s, &err);
  }
  ck_ok(status);
  ck_assert_int_eq(s.run.stopped, MS_ERR_LIMIT);
  ck_assert(s.done > 0 && s.done < s.asked && !s.has_moments);
  ck_assert_ptr_nonnull(strstr(s.moments_reason, "wildcards"));
  ms_stop_free(list.screen.run.stop);
  ms_query_free(query);
  ms_motif_free(motif);
  ms_coloring_free(coloring);
  ms_graph_free(graph);
}
END_TEST

/* Parts and checkpoints without permutations, and results of other options, are wrong usage. */
START_TEST(wrong_usage)
{
  uint64_t random = 9;
  small_case c;
  open_case(&c, &random, "a,b");
  ms_division division = MS_DIVISION_DEFAULT;
  ms_list_options list = MS_LIST_OPTIONS_DEFAULT;
  ms_permutation_options null = MS_PERMUTATION_OPTIONS_DEFAULT;
  ms_list_significance s;
  list.screen.run.division = &division;
  division.part = division.parts = 2;
  ck_assert_int_eq(ms_list_chance(c.query, &list, true, NULL, &s, &err), MS_ERR_USAGE);
  null.permutations = 3;
  ck_ok(ms_list_chance(c.query, &list, true, &null, &s, &err));
  ck_assert_uint_eq(s.done, 2);
  ck_assert_uint_eq(s.asked, 3);
  ck_assert_int_eq(ms_list_chance_write(c.query, NULL, &null, NULL, &s, NULL, "x", &err),
                   MS_ERR_USAGE);
  ck_assert_int_eq(ms_list_chance_write(c.query, &list, NULL, NULL, &s, NULL, "x", &err),
                   MS_ERR_USAGE);
  division = (ms_division){.size = sizeof division, .checkpoint = "x"};
  ck_assert_int_eq(ms_list_chance(c.query, &list, true, NULL, &s, &err), MS_ERR_USAGE);
  close_case(&c);
}
END_TEST

TEST_MAIN("list_significance", TEST(agrees_with_all_permutations), TEST(threads_and_strata),
          TEST(stops), TEST(wrong_usage))
