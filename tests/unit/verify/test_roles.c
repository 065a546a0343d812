/* Which slot each vertex of a match fills (query/roles.c), against all permutations and against the
 * judge's own way to find it; labels of vertices (graph/io/labels.c). */
#include "graph/io/labels.h"
#include "query/query.h"
#include "tests/support/allocations.h"
#include "tests/support/files.h"
#include "tests/support/random.h"
#include "tests/support/test_main.h"
#include "verify/judge/judge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ms_error err;

/* ---- roles ------------------------------------------------------------------ */

enum { COLORS = 4, MOST = 6 };

static const char *const color_names[COLORS] = {"c2", "c0", "c3", "c1"};

typedef struct case_ {
  ms_graph *graph;
  ms_coloring *coloring;
  ms_motif *motif;
  ms_query *query;
  uint32_t k, set[MOST];
} case_;

/* Makes a motif of k slots, and k vertices that have each of its colours with a chance of half. */
static void make_case(case_ *c, uint64_t *state)
{
  uint32_t pairs[MOST * COLORS][2], count = 0, slot[MOST];
  memset(c, 0, sizeof *c);
  c->k = 1 + random_below(state, MOST);
  ck_ok(ms_graph_from_edges(c->k, 0, NULL, NULL, &c->graph, &err));
  for (uint32_t i = 0; i < c->k; i++) {
    c->set[i] = i;
    uint32_t drawn = random_below(state, COLORS + 1);
    slot[i] = drawn == COLORS ? MS_WILDCARD : drawn;
    for (uint32_t color = 0; color < COLORS; color++)
      if (random_below(state, 2)) {
        pairs[count][0] = i;
        pairs[count++][1] = color;
      }
  }
  ck_ok(ms_coloring_from_pairs(c->graph, count, (const uint32_t(*)[2])pairs, COLORS, color_names,
                               &c->coloring, &err));
  ck_ok(ms_motif_from_slots(slot, c->k, c->coloring, &c->motif, &err));
  ck_ok(ms_query_new(c->graph, c->coloring, c->motif, 0, NULL, &c->query, &err));
}

static void free_case(case_ *c)
{
  ms_query_free(c->query);
  ms_motif_free(c->motif);
  ms_coloring_free(c->coloring);
  ms_graph_free(c->graph);
}

/* Tries all assignments in lexicographic order, from vertex i on. */
static bool try_all(const uint32_t *fits, uint32_t k, uint32_t i, uint32_t used, uint32_t *slot)
{
  if (i == k)
    return true;
  for (slot[i] = 0; slot[i] < k; slot[i]++)
    if ((fits[i] >> slot[i] & 1) && !(used >> slot[i] & 1) &&
        try_all(fits, k, i + 1, used | 1u << slot[i], slot))
      return true;
  return false;
}

/* Returns the slots that a vertex fits, by the colours that the motif's text names in turn. */
static uint32_t fits_of(const case_ *c, uint32_t v)
{
  uint32_t slots = 0, d = 0, count;
  const uint32_t *colors = ms_coloring_of(c->coloring, v, &count);
  char text[256];
  strcpy(text, ms_motif_text(c->motif));
  for (char *item = strtok(text, ","); item; item = strtok(NULL, ",")) {
    char *colon = strchr(item, ':');
    int times = colon ? atoi(colon + 1) : 1;
    if (colon)
      *colon = '\0';
    bool fits = strcmp(item, "*") == 0;
    for (uint32_t i = 0; i < count; i++)
      fits |= strcmp(ms_coloring_name(c->coloring, colors[i]), item) == 0;
    for (int i = 0; i < times; i++, d++)
      slots |= (uint32_t)fits << d;
  }
  return slots;
}

/* 20000 random motifs of up to 6 slots and as many vertices: the pairing is the first of all
 * permutations, there is none if and only if no permutation fits, and the judge finds the same
 * colours by its own way.  Both outcomes occur. */
START_TEST(first_of_all_pairings)
{
  uint64_t state = 17;
  uint32_t with = 0, without = 0;
  for (uint32_t round = 0; round < 20000; round++) {
    case_ c;
    uint32_t fits[MOST], slot[MOST], wanted[MOST];
    const char *role[MOST];
    make_case(&c, &state);
    for (uint32_t i = 0; i < c.k; i++)
      fits[i] = fits_of(&c, i);
    bool possible = try_all(fits, c.k, 0, 0, wanted);
    ck_assert_int_eq(ms_query_slots(c.query, c.set, slot), possible);
    with += possible;
    without += !possible;
    if (possible) {
      ck_assert_mem_eq(slot, wanted, c.k * sizeof *slot);
      ms_verify_roles(c.query, c.set, role);
      for (uint32_t i = 0; i < c.k; i++)
        ck_assert_str_eq(ms_query_slot_name(c.query, slot[i]), role[i]);
    }
    free_case(&c);
  }
  ck_assert_uint_gt(with, 2000);
  ck_assert_uint_gt(without, 2000);
}
END_TEST

/* ---- labels ----------------------------------------------------------------- */

static ms_graph *abc(void)
{
  ms_graph *graph;
  ck_ok(ms_graph_from_edges(3, 2, (const uint32_t[][2]){{0, 1}, {1, 2}},
                            (const char *const[]){"a", "b", "c"}, &graph, &err));
  return graph;
}

/* The first line of a vertex counts, other columns and lines do not, and a vertex without a line
 * has no label; the same for a typed graph. */
START_TEST(labels_of_a_file)
{
  const char *path = files_write_text("l.csv", "id,symbol\na,\"A, B\",x\nc,\na,C\nzz,Z\n");
  ms_graph *graph = abc();
  ms_typed *typed;
  ms_labels *labels;
  ck_ok(ms_typed_from_graph(graph, NULL, 1, &typed, &err));
  for (int kind = 0; kind < 2; kind++) {
    ck_ok(kind ? ms_labels_read_typed(path, typed, &labels, &err)
               : ms_labels_read(path, graph, &labels, &err));
    ms_labels_info info = ms_labels_describe(labels);
    ck_assert_str_eq(ms_labels_of(labels, 0), "A, B");
    ck_assert_ptr_null(ms_labels_of(labels, 1));
    ck_assert_ptr_null(ms_labels_of(labels, 2));
    ck_assert_str_eq(ms_label_or_name(labels, 1, "b"), "b");
    ck_assert_uint_eq(info.labelled, 1);
    ck_assert_uint_eq(info.lines, 5);
    ck_assert_uint_eq(info.unknown, 2);
    ck_assert_str_eq(info.path, path);
    ck_assert(!info.of_aliases);
    ms_labels_free(labels);
  }
  ms_typed_free(typed);
  ms_graph_free(graph);
}
END_TEST

/* Labels from aliases need aliases, and take a name from either column. */
START_TEST(labels_of_aliases)
{
  ms_graph *graph = abc();
  ms_labels *labels;
  ck_assert_int_eq(ms_labels_from_aliases(graph, &labels, &err), MS_ERR_USAGE);
  ck_assert_ptr_null(labels);
  ck_ok(ms_graph_read_aliases(graph, files_write_text("a.tsv", "b\tBert\nAnna\ta\n"), NULL, &err));
  ck_ok(ms_labels_from_aliases(graph, &labels, &err));
  ck_assert_str_eq(ms_labels_of(labels, 0), "Anna");
  ck_assert_str_eq(ms_labels_of(labels, 1), "Bert");
  ck_assert(ms_labels_describe(labels).of_aliases);
  ms_labels_free(labels);
  ms_graph_free(graph);
}
END_TEST

typedef struct reading {
  const ms_graph *graph;
  char path[1024];
} reading;

static ms_status read_and_free(void *user, ms_error *error)
{
  const reading *r = user;
  ms_labels *labels;
  ms_status status = ms_labels_read(r->path, r->graph, &labels, error);
  ms_labels_free(labels);
  return status;
}

/* Whichever allocation fails, the reader reports it and leaks no block. */
START_TEST(no_memory)
{
  ms_graph *graph = abc();
  reading r = {.graph = graph};
  strcpy(r.path, files_write_text("l.tsv", "a\tA\nb\tB\nc\tC\n"));
  ck_assert_int_gt(failing_runs(read_and_free, &r), 4);
  ms_graph_free(graph);
}
END_TEST

/* Wrong content is refused by file and line. */
START_TEST(wrong_labels)
{
  static const struct {
    const char *text, *message;
  } cases[] = {{"", "no line gives a label"},
               {"x\ty\n", "which has names like 'a'"},
               {"a\tA\nb\n", "l.tsv:2: expected the name of a vertex and its label"},
               {"a\tA\nb\tB\x01\n", "l.tsv:2: "},
               {"a\tA\nb\t\xff\n", "l.tsv:2: "}};
  ms_graph *graph = abc();
  ms_labels *labels;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const char *path = files_write_text("l.tsv", cases[i].text);
    ck_assert_int_eq(ms_labels_read(path, graph, &labels, &err), MS_ERR_INPUT);
    ck_assert_msg(strstr(err.message, cases[i].message), "%s", err.message);
    ck_assert_ptr_null(labels);
  }
  ms_graph_free(graph);
}
END_TEST

/* Real data: the gene names of yeast, from STRING's list of aliases. */
START_TEST(labels_of_string)
{
  const char *links = files_data("yeast/4932.protein.physical.links.v12.0.txt.gz"),
             *aliases = files_data("yeast/4932.protein.aliases.v12.0.txt.gz");
  ms_graph *graph;
  ms_labels *labels;
  if (!links || !aliases) {
    printf("SKIPPED: labels_of_string, no data; set MOTIFSIEVE_DATA\n");
    return;
  }
  ck_ok(ms_graph_read(links, NULL, &graph, &err));
  ck_ok(ms_labels_read(aliases, graph, &labels, &err));
  ck_assert_str_eq(ms_labels_of(labels, ms_graph_find(graph, "YAL001C")), "TFC3");
  ck_assert_str_eq(ms_labels_of(labels, ms_graph_find(graph, "YFL039C")), "ACT1");
  ck_assert_uint_gt(ms_labels_describe(labels).labelled, 5000);
  ms_labels_free(labels);
  ms_graph_free(graph);
}
END_TEST

TEST_MAIN("roles", TEST(first_of_all_pairings), TEST(labels_of_a_file), TEST(labels_of_aliases),
          TEST(no_memory), TEST(wrong_labels), TEST(labels_of_string))
