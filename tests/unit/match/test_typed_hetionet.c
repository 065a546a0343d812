/* Patterns in a real sample of Hetionet, each counted in ways that share no code: the typed search;
 * the judge's recount; what the compound type filter leaves as a plain graph with colours, by the
 * engine for patterns; and sums over rows that this test reads from the file itself. */
#include "base/hooks.h"
#include "tests/support/files.h"
#include "tests/support/graphs/typed_files.h"
#include "tests/support/search/recounts.h"
#include "tests/support/test_main.h"
#include "verify/verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static ms_error err;

/* ---- the file, read plainly --------------------------------------------------- */

enum { MOST_EDGES = 200000 };

typedef struct edge {
  uint32_t from, to;
  char type[8];
} edge;

static edge *all;
static size_t edges, n;
static char **name; /* [n] sorted */

static int by_text(const void *a, const void *b)
{
  return strcmp(*(char *const *)a, *(char *const *)b);
}

static uint32_t number_of(const char *text)
{
  char **found = bsearch(&text, name, n, sizeof *name, by_text);
  ck_assert_ptr_nonnull(found);
  return (uint32_t)(found - name);
}

static void read_file(const char *path)
{
  char line[1024], (*ends)[2][100] = malloc(MOST_EDGES * sizeof *ends);
  gzFile file = gzopen(path, "rb");
  all = malloc(MOST_EDGES * sizeof *all);
  name = malloc(2 * MOST_EDGES * sizeof *name);
  ck_assert(file && ends && all && name && gzgets(file, line, sizeof line));
  for (edges = n = 0; gzgets(file, line, sizeof line); edges++) {
    ck_assert_uint_lt(edges, MOST_EDGES);
    ck_assert_int_eq(sscanf(line, "%99[^\t]\t%7[^\t]\t%99[^\t\r\n]", ends[edges][0],
                            all[edges].type, ends[edges][1]),
                     3);
    name[n++] = ends[edges][0];
    name[n++] = ends[edges][1];
  }
  gzclose(file);
  size_t kept = 0;
  qsort(name, n, sizeof *name, by_text);
  for (size_t i = 0; i < n; i++)
    if (kept == 0 || strcmp(name[kept - 1], name[i]) != 0)
      name[kept++] = name[i];
  n = kept;
  for (size_t i = 0; i < edges; i++) {
    all[i].from = number_of(ends[i][0]);
    all[i].to = number_of(ends[i][1]);
  }
  free(name); /* the numbers are all that is needed */
  free(ends);
}

/* ---- rows of the test's own ----------------------------------------------------- */

typedef enum way { ON = 1, BACK = 2, EITHER = 3 } way;

typedef struct rows {
  uint32_t *at, *to; /* [n + 1]; ascending, each once */
} rows;

static int by_number(const void *a, const void *b)
{
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

static bool is_among(const char *type, const char *types)
{
  const char *found = strstr(types, type);
  size_t length = strlen(type);
  return found && (found[length] == ' ' || !found[length]) && (found == types || found[-1] == ' ');
}

/* Of the edges of these types, "CbG CuG", without self-loops. */
static rows rows_of(const char *types, way which)
{
  rows r = {calloc(n + 2, sizeof *r.at), malloc(2 * edges * sizeof *r.to)};
  ck_assert(r.at && r.to);
  for (int pass = 0; pass < 2; pass++) {
    for (size_t e = 0; e < edges; e++) {
      const edge *x = &all[e];
      if (x->from == x->to || !is_among(x->type, types))
        continue;
      for (int turned = 0; turned < 2; turned++) {
        uint32_t v = turned ? x->to : x->from, w = turned ? x->from : x->to;
        if (!(which & (turned ? BACK : ON)))
          continue;
        if (pass == 0)
          r.at[v + 2]++;
        else
          r.to[r.at[v + 1]++] = w;
      }
    }
    for (size_t v = 0; v < n && pass == 0; v++)
      r.at[v + 2] += r.at[v + 1];
  }
  uint32_t kept = 0, begin = 0;
  for (size_t v = 0; v < n; v++) {
    uint32_t first = kept, end = r.at[v + 1];
    qsort(r.to + begin, end - begin, sizeof *r.to, by_number);
    r.at[v] = first;
    for (uint32_t i = begin; i < end; i++)
      if (kept == first || r.to[kept - 1] != r.to[i])
        r.to[kept++] = r.to[i];
    begin = end;
  }
  r.at[n] = kept;
  return r;
}

static void free_rows(rows *r, int count)
{
  for (int i = 0; i < count; i++) {
    free(r[i].at);
    free(r[i].to);
  }
}

static uint64_t degree(const rows *r, uint32_t v)
{
  return r->at[v + 1] - r->at[v];
}

static bool joins(const rows *r, uint32_t v, uint32_t w)
{
  return bsearch(&w, r->to + r->at[v], degree(r, v), sizeof w, by_number);
}

/* Neighbours that v has in a, and w in b. */
static uint64_t common(const rows *a, uint32_t v, const rows *b, uint32_t w)
{
  uint64_t count = 0;
  for (uint32_t i = a->at[v]; i < a->at[v + 1]; i++)
    count += joins(b, w, a->to[i]);
  return count;
}

#define EACH(w, r, v)                                                                              \
  uint32_t i_##w = (r).at[v], w;                                                                   \
  i_##w < (r).at[(v) + 1] && (w = (r).to[i_##w], true);                                            \
  i_##w++

/* ---- sums ------------------------------------------------------------------------- */

/* A compound that treats a disease, and binds a gene of one that resembles it. */
static uint64_t count_repurposing(void)
{
  rows r[] = {rows_of("DrD", EITHER), rows_of("CtD", BACK), rows_of("CbG", ON), rows_of("DaG", ON)};
  uint64_t count = 0;
  for (uint32_t d = 0; d < n; d++)
    for (EACH(e, r[0], d))
      for (EACH(c, r[1], e))
        count += common(&r[2], c, &r[3], d);
  free_rows(r, 4);
  return count;
}

/* Two genes, two pathways that both take part in. */
static uint64_t count_squares(void)
{
  rows r = rows_of("GpPW", ON);
  uint64_t count = 0;
  for (uint32_t a = 0; a < n; a++)
    for (uint32_t b = a + 1; b < n && degree(&r, a) > 1; b++) {
      uint64_t both = degree(&r, b) > 1 ? common(&r, a, &r, b) : 0;
      count += both * (both - (both > 0)) / 2;
    }
  free_rows(&r, 1);
  return count;
}

static uint64_t count_triangles_of(const char *types)
{
  rows r = rows_of(types, EITHER);
  uint64_t count = 0;
  for (uint32_t a = 0; a < n; a++)
    for (EACH(b, r, a))
      if (a < b)
        count += common(&r, a, &r, b);
  free_rows(&r, 1);
  ck_assert_uint_eq(count % 3, 0);
  return count / 3;
}

static uint64_t count_triangles(void)
{
  return count_triangles_of("GiG");
}

static uint64_t count_any_triangles(void)
{
  return count_triangles_of("GiG GcG Gr>G");
}

/* a -> b -> c: not back to a. */
static uint64_t count_chains(void)
{
  rows r[] = {rows_of("Gr>G", ON), rows_of("Gr>G", BACK)};
  uint64_t count = 0;
  for (uint32_t b = 0; b < n; b++)
    count += degree(&r[0], b) * degree(&r[1], b) - common(&r[0], b, &r[1], b);
  free_rows(r, 2);
  return count;
}

static uint64_t count_joint_targets(void)
{
  rows r = rows_of("Gr>G", BACK);
  uint64_t count = 0;
  for (uint32_t b = 0; b < n; b++)
    count += degree(&r, b) * (degree(&r, b) - (degree(&r, b) > 0)) / 2;
  free_rows(&r, 1);
  return count;
}

/* Any type of several, at most once for each pair of ends. */
static uint64_t count_alternatives(void)
{
  rows r[] = {rows_of("CbG CuG CdG", BACK), rows_of("DaG DuG DdG", BACK)};
  uint64_t count = 0;
  for (uint32_t g = 0; g < n; g++)
    count += degree(&r[0], g) * degree(&r[1], g);
  free_rows(r, 2);
  return count;
}

/* Two compounds that resemble each other bind a gene. */
static uint64_t count_alike(void)
{
  rows r[] = {rows_of("CrC", EITHER), rows_of("CbG", ON)};
  uint64_t count = 0;
  for (uint32_t a = 0; a < n; a++)
    for (EACH(b, r[0], a))
      count += a < b ? common(&r[1], a, &r[1], b) : 0;
  free_rows(r, 2);
  return count;
}

/* Pairs of types of edges at once: a gene that a compound binds and raises. */
static uint64_t count_parallel(void)
{
  rows r[] = {rows_of("CbG", ON), rows_of("CuG", ON)};
  uint64_t count = 0;
  for (uint32_t c = 0; c < n; c++)
    count += common(&r[0], c, &r[1], c);
  free_rows(r, 2);
  return count;
}

/* ---- patterns ------------------------------------------------------------------------ */

typedef struct tried {
  const char *text;
  uint64_t known; /* of the sample; 0: only compared */
  uint64_t (*count)(void);
  uint32_t symmetries;
  /* The same without types of edges, where that says the same once the others are filtered out. */
  uint32_t p, m, edge[4][2];
  const char *color[4];
} tried;

static const tried patterns[] = {
    {"(c:Compound)-[CbG]-(g:Gene)-[DaG]-(d:Disease)-[DrD]-(e:Disease)-[CtD]-(c)",
     628,
     count_repurposing,
     1,
     4,
     4,
     {{0, 1}, {1, 2}, {2, 3}, {3, 0}},
     {"Compound", "Gene", "Disease", "Disease"}},
    {"(a:Gene)-[GpPW]-(p:Pathway)-[GpPW]-(b:Gene)-[GpPW]-(q:Pathway)-[GpPW]-(a)",
     323,
     count_squares,
     4,
     4,
     4,
     {{0, 1}, {1, 2}, {2, 3}, {3, 0}},
     {"Gene", "Pathway", "Gene", "Pathway"}},
    {"(a:Gene)-[GiG]-(b:Gene)-[GiG]-(c:Gene)-[GiG]-(a)",
     0,
     count_triangles,
     6,
     3,
     3,
     {{0, 1}, {1, 2}, {2, 0}},
     {"Gene", "Gene", "Gene"}},
    {"(a:Gene)--(b:Gene)--(c:Gene)--(a)",
     0,
     count_any_triangles,
     6,
     3,
     3,
     {{0, 1}, {1, 2}, {2, 0}},
     {"Gene", "Gene", "Gene"}},
    {"(a:Compound)-[CrC]-(b:Compound)-[CbG]-(g:Gene)-[CbG]-(a)",
     0,
     count_alike,
     2,
     3,
     3,
     {{0, 1}, {1, 2}, {2, 0}},
     {"Compound", "Compound", "Gene"}},
    {"(c:Compound)-[CbG|CuG|CdG]-(g:Gene)-[DaG|DuG|DdG]-(d:Disease)",
     0,
     count_alternatives,
     1,
     3,
     2,
     {{0, 1}, {1, 2}},
     {"Compound", "Gene", "Disease"}},
    {"(a:Gene)-[Gr>G]->(b:Gene)-[Gr>G]->(c:Gene)", 0, count_chains, 1, 0, 0, {{0}}, {0}},
    {"(a:Gene)-[Gr>G]->(b:Gene)<-[Gr>G]-(c:Gene)", 0, count_joint_targets, 2, 0, 0, {{0}}, {0}},
    {"(c:Compound)-[CbG]-(g:Gene), (c)-[CuG]-(g)", 0, count_parallel, 1, 0, 0, {{0}}, {0}},
};

/* Rows are matches by verify, none is there twice. */
static void check_rows(const ms_typed_query *query, const ms_typed_result *r)
{
  ms_judge *judge;
  ck_ok(ms_judge_typed(query, false, true, &judge, &err));
  for (uint64_t i = 0; i < r->matches; i++)
    ck_assert_int_eq(ms_judge_row(judge, r->vertices + i * r->p), MS_MATCH_OK);
  ms_judge_free(judge);
  char **key = malloc((r->matches + 1) * sizeof *key);
  ck_assert_ptr_nonnull(key);
  for (uint64_t i = 0; i < r->matches; i++) {
    char text[100];
    int length = 0;
    for (uint32_t j = 0; j < r->p; j++)
      length +=
          snprintf(text + length, sizeof text - (size_t)length, "%u ", r->vertices[i * r->p + j]);
    key[i] = strdup(text);
  }
  qsort(key, r->matches, sizeof *key, by_text);
  for (uint64_t i = 0; i < r->matches; i++)
    ck_assert(i == 0 || strcmp(key[i - 1], key[i]) != 0);
  for (uint64_t i = 0; i < r->matches; i++)
    free(key[i]);
  free(key);
}

static uint64_t listed(const ms_typed_query *query, const tried *p)
{
  ms_typed_result *r;
  char text[32];
  ms_typed_match_options options = {.size = sizeof(ms_typed_match_options), .run.threads = 2};
  ck_ok(ms_typed_match(query, &options, &r, &err));
  ck_assert_int_eq(r->run.stopped, MS_OK);
  snprintf(text, sizeof text, "%u", p->symmetries);
  ck_assert_str_eq(r->automorphisms_text, text);
  check_rows(query, r);
  uint64_t matches = r->matches;
  ms_typed_result_free(r);
  options = (ms_typed_match_options){
      .size = sizeof(ms_typed_match_options), .count_only = true, .embeddings = true};
  ms_hooks.typed_no_walk = true;
  ck_ok(ms_typed_match(query, &options, &r, &err));
  ms_hooks = ms_hooks_default;
  ck_assert_uint_eq(r->matches, matches * p->symmetries);
  ms_typed_result_free(r);
  return matches;
}

static uint64_t recounted(const ms_typed_query *query)
{
  mpz_t maps, symmetries;
  mpz_init(maps);
  mpz_init(symmetries);
  ck_ok(recount_typed(query, maps, NULL, NULL, NULL, &err));
  ck_ok(count_typed_automorphisms(query, symmetries, NULL, &err));
  ck_assert(mpz_divisible_p(maps, symmetries));
  mpz_divexact(maps, maps, symmetries);
  uint64_t count = mpz_get_ui(maps);
  mpz_clear(maps);
  mpz_clear(symmetries);
  return count;
}

/* By the filter and the engine for patterns, without types of edges. */
static uint64_t counted_plainly(const ms_typed_query *query, const tried *p)
{
  ms_typed *left;
  ms_graph *graph;
  ms_coloring *coloring;
  ms_pattern *plain;
  ms_pattern_index *index;
  ms_pattern_result *r;
  ms_pattern_options options = {.size = sizeof(ms_pattern_options),
                                .screen.size = sizeof(ms_screen_options),
                                .count_only = true,
                                .screen.run.engine = "cpu",
                                .screen_mode = MS_SCREEN_NEVER};
  ck_ok(ms_typed_filter(query, 2, &left, &err));
  ck_ok(ms_typed_plain(left, 2, &graph, &coloring, &err));
  ck_ok(ms_pattern_from_edges(p->p, p->m, p->edge, false, p->color, &plain, &err));
  ck_ok(ms_pattern_index_new(graph, coloring, 2, &index, &err));
  ck_ok(ms_pattern_list(index, plain, &options, &r, &err));
  ck_assert_int_eq(r->run.stopped, MS_OK);
  uint64_t count = strtoull(r->subgraphs_text, NULL, 10);
  ms_pattern_result_free(r);
  ms_pattern_index_free(index);
  ms_pattern_free(plain);
  ms_coloring_free(coloring);
  ms_graph_free(graph);
  ms_typed_free(left);
  return count;
}

static void check_pattern(const ms_typed *graph, const tried *p, bool known)
{
  ms_typed_pattern *pattern;
  ms_typed_query *query;
  ck_ok(ms_typed_pattern_parse(p->text, &pattern, &err));
  ck_ok(ms_typed_query_new(graph, pattern, &query, &err));
  ck_assert_ptr_null(ms_typed_query_unknown(query, 0));
  uint64_t matches = listed(query, p), counts[] = {recounted(query), p->count()};
  for (int i = 0; i < 2; i++)
    ck_assert_msg(counts[i] == matches, "%s: %lu matches listed, %lu by %s", p->text,
                  (unsigned long)matches, (unsigned long)counts[i], i ? "sums" : "the recount");
  if (p->p)
    ck_assert_msg(counted_plainly(query, p) == matches, "%s: not as in a plain graph", p->text);
  ck_assert_msg(!known || !p->known || matches == p->known, "%s: %lu", p->text,
                (unsigned long)matches);
  ck_assert_uint_gt(matches, 0);
  ms_typed_query_free(query);
  ms_typed_pattern_free(pattern);
}

/* The counts of a pattern by those ways agree, and with the known number where there is one: all
 * patterns of the table, in two samples of Hetionet. */
START_TEST(patterns_in_hetionet)
{
  static const char *const files[] = {"hetionet_edges-5k.sif.gz", "hetionet_edges-5k.v02.sif.gz"};
  const char *found = files_data("typed/hetionet-v1.0-nodes.tsv.gz");
  char nodes[300];
  if (!found) {
    printf("SKIPPED: test_typed_hetionet: no typed/hetionet-v1.0-nodes.tsv.gz in the data\n");
    return;
  }
  snprintf(nodes, sizeof nodes, "%s", found);
  for (int f = 0; f < 2; f++) {
    char path[100];
    snprintf(path, sizeof path, "typed/%s", files[f]);
    found = files_data(path);
    ck_assert_ptr_nonnull(found);
    read_file(found);
    /* types of vertices by the table, and by their names */
    ms_typed_options options = {.size = sizeof(ms_typed_options), .nodes = f == 0 ? nodes : NULL};
    ms_typed *graph = typed_files_read(found, &options);
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++)
      check_pattern(graph, &patterns[i], f == 0);
    ms_typed_free(graph);
    free(all);
  }
}
END_TEST

TEST_MAIN("patterns in Hetionet", TEST(patterns_in_hetionet))
