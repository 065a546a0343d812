/* Known protein complexes are found again: each CYC2008 complex of 3 to 12 proteins that induces a
 * connected subgraph of the BioGRID yeast network becomes a motif in which every vertex has its own
 * name for a colour, so that the complex itself is the only match. */
#include "base/alloc.h"
#include "graph/io/text.h"
#include "motifsieve.h"
#include "tests/support/files.h"
#include "tests/support/test_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LEAST 3u
#define MOST 12u
#define SMALL 4u
/* complexes of at most MOST and SMALL proteins that qualify in the two files
 * below, counted once by a script that shares no code with this one */
#define EXPECTED 199u
#define EXPECTED_SMALL 126u

static char network_path[1024], complexes_path[1024];

static bool have_data(void)
{
  const char *network = files_data("yeast/s_cerevisiae.network-109-4.4.222.txt.gz");
  const char *complexes = files_data("yeast/CYC2008_complex.tab.txt.gz");
  if (!network || !complexes) {
    printf("SKIPPED: CYC2008 complexes: no data; set MOTIFSIEVE_DATA\n");
    return false;
  }
  strcpy(network_path, network);
  strcpy(complexes_path, complexes);
  return true;
}

typedef struct complex {
  char name[160];
  uint32_t members[256]; /* vertex ids, UINT32_MAX for one that is not in the network */
  uint32_t count;
} complex;

typedef struct fixture {
  ms_graph *graph;
  ms_coloring *coloring; /* colour v on vertex v */
  complex *complexes;
  uint32_t n_complexes;
} fixture;

static void must(ms_status status, const ms_error *err)
{
  if (status != MS_OK)
    ck_abort_msg("%s", err->message);
}

static void read_network(fixture *f)
{
  ms_error err;
  must(ms_graph_read(network_path, NULL, &f->graph, &err), &err);
  uint32_t n = ms_graph_vertex_count(f->graph);
  uint32_t(*pairs)[2] = ms_alloc(n, sizeof *pairs);
  const char **names = ms_alloc(n, sizeof *names);
  ck_assert(pairs && names);
  for (uint32_t v = 0; v < n; v++) {
    pairs[v][0] = pairs[v][1] = v;
    names[v] = ms_graph_name(f->graph, v);
  }
  must(ms_coloring_from_pairs(f->graph, n, (const uint32_t(*)[2])pairs, n, names, &f->coloring,
                              &err),
       &err);
  ms_free(pairs);
  ms_free(names);
}

static complex *complex_of(fixture *f, ms_field name)
{
  char text[sizeof f->complexes->name];
  snprintf(text, sizeof text, "%.*s", (int)name.length, name.text);
  for (uint32_t c = 0; c < f->n_complexes; c++)
    if (strcmp(f->complexes[c].name, text) == 0)
      return &f->complexes[c];
  f->complexes = ms_resize(f->complexes, f->n_complexes, f->n_complexes + 1, sizeof *f->complexes);
  ck_assert_ptr_nonnull(f->complexes);
  complex *fresh = &f->complexes[f->n_complexes++];
  memset(fresh, 0, sizeof *fresh);
  memcpy(fresh->name, text, sizeof text);
  return fresh;
}

/* Columns ORF, name, complex, ...; the first line is a header. */
static void read_complexes(fixture *f)
{
  ms_error err;
  ms_text *text;
  must(ms_text_open(complexes_path, &text, &err), &err);
  must(ms_text_next(text, &err), &err);
  for (must(ms_text_next(text, &err), &err); text->line; must(ms_text_next(text, &err), &err)) {
    ms_field field[3];
    char orf[64];
    uint32_t count;
    must(ms_text_split(text, MS_TAB, 3, field, &count, &err), &err);
    ck_assert_uint_ge(count, 3);
    complex *c = complex_of(f, field[2]);
    snprintf(orf, sizeof orf, "%.*s", (int)field[0].length, field[0].text);
    ck_assert_uint_lt(c->count, sizeof c->members / sizeof *c->members);
    c->members[c->count++] = ms_graph_find(f->graph, orf);
  }
  ms_text_close(text);
}

static void close_fixture(fixture *f)
{
  ms_free(f->complexes);
  ms_coloring_free(f->coloring);
  ms_graph_free(f->graph);
}

static int by_id(const void *a, const void *b)
{
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

static bool adjacent(const ms_graph *graph, uint32_t u, uint32_t v)
{
  uint32_t degree;
  const uint32_t *row = ms_graph_neighbors(graph, u, &degree);
  return bsearch(&v, row, degree, sizeof *row, by_id) != NULL;
}

/* All members in the network, 3 to 12 of them, connected among themselves. */
static bool qualifies(const ms_graph *graph, complex *c)
{
  if (c->count < LEAST || c->count > MOST)
    return false;
  qsort(c->members, c->count, sizeof *c->members, by_id);
  if (c->members[c->count - 1] == UINT32_MAX)
    return false;
  uint32_t reached = 1, all = (1u << c->count) - 1, before;
  do {
    before = reached;
    for (uint32_t i = 0; i < c->count; i++)
      for (uint32_t j = 0; j < c->count && (reached >> i & 1); j++)
        if (adjacent(graph, c->members[i], c->members[j]))
          reached |= 1u << j;
  } while (reached != before);
  return reached == all;
}

static void search(const fixture *f, const complex *c, const ms_list_options *options)
{
  char text[MOST * 32] = "";
  ms_error err;
  ms_motif *motif;
  ms_query *query;
  ms_list_result *result;
  for (uint32_t i = 0; i < c->count; i++) {
    size_t used = strlen(text);
    snprintf(text + used, sizeof text - used, "%s%s", i ? "," : "",
             ms_graph_name(f->graph, c->members[i]));
  }
  must(ms_motif_parse(text, f->coloring, &motif, &err), &err);
  must(ms_query_new(f->graph, f->coloring, motif, 0, NULL, &query, &err), &err);
  must(ms_list(query, options, &result, &err), &err);
  ck_assert_msg(result->matches == 1, "%s: %llu matches", c->name,
                (unsigned long long)result->matches);
  ck_assert_str_eq(result->count_text, "1");
  ck_assert_msg(memcmp(result->vertices, c->members, c->count * sizeof *c->members) == 0,
                "%s: found at other vertices", c->name);
  if (result->screen) {
    ck_assert_uint_eq(result->screen->flagged, c->count);
    for (uint32_t i = 0; i < c->count; i++)
      ck_assert_msg(result->screen->hits[c->members[i]] > 0, "%s: not flagged", c->name);
  }
  ms_list_result_free(result);
  ms_query_free(query);
  ms_motif_free(motif);
}

static void search_all(uint32_t most, const ms_list_options *options, uint32_t expected)
{
  fixture f = {0};
  uint32_t searched = 0;
  if (!have_data())
    return;
  read_network(&f);
  read_complexes(&f);
  for (uint32_t i = 0; i < f.n_complexes; i++)
    if (qualifies(f.graph, &f.complexes[i]) && f.complexes[i].count <= most) {
      search(&f, &f.complexes[i], options);
      searched++;
    }
  ck_assert_uint_eq(searched, expected);
  close_fixture(&f);
}

/* The sieve flags and the engine lists each of the 199 complexes, and nothing else, on the pruned
 * network. */
START_TEST(complexes_by_sieve)
{
  ms_list_options options = {.size = sizeof(ms_list_options),
                             .screen = {.size = sizeof(ms_screen_options), .run.seed = 1}};
  search_all(MOST, &options, EXPECTED);
}
END_TEST

/* The exact listing finds each of the 199 complexes, and nothing else. */
START_TEST(complexes_exactly)
{
  ms_list_options options = {
      .size = sizeof(ms_list_options), .screen.size = sizeof(ms_screen_options), .exact = true};
  search_all(MOST, &options, EXPECTED);
}
END_TEST

/* On the whole network, which nothing has pruned, the sieve flags exactly the members of each of
 * the 126 complexes of 3 or 4 proteins. */
START_TEST(complexes_without_pruning)
{
  ms_list_options options = {
      .size = sizeof(ms_list_options),
      .screen = {
          .size = sizeof(ms_screen_options), .run.seed = 1, .no_prune = true, .error = 1e-3}};
  search_all(SMALL, &options, EXPECTED_SMALL);
}
END_TEST

TEST_MAIN("complexes", TEST(complexes_by_sieve), TEST(complexes_exactly),
          TEST(complexes_without_pruning))
