/* Typed graphs: tables written and read, and Hetionet counted another way. */
#include "graph/typed.h"
#include "tests/support/files.h"
#include "tests/support/graphs/typed_files.h"
#include "tests/support/graphs/typed_random.h"
#include "tests/support/test_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static ms_error err;

/* ---- there and back ------------------------------------------------------------ */

static char *all_bytes(const char *path, size_t *size)
{
  enum { ROOM = 1 << 20 };
  char *bytes = malloc(ROOM);
  gzFile file = gzopen(path, "rb"); /* reads what is not compressed, too */
  ck_assert(bytes && file);
  int got = gzread(file, bytes, ROOM);
  ck_assert_int_ge(got, 0);
  *size = (size_t)got;
  gzclose(file);
  return bytes;
}

static void check_trip(const ms_typed *graph, const typed_random *random, const char *name)
{
  char paths[2][300];
  for (int i = 0; i < 2; i++) {
    char numbered[64];
    snprintf(numbered, sizeof numbered, "%d-%s", i, name);
    snprintf(paths[i], sizeof paths[i], "%s", files_path(numbered));
  }
  ck_ok(ms_typed_write(graph, paths[0], &err));
  ms_typed *again = typed_files_read(paths[0], NULL);
  ck_assert_int_eq(ms_typed_describe(again).format, MS_TYPED_TABLE);
  typed_random_check(random, again);
  for (uint32_t v = 0; v < graph->rows.n; v++)
    ck_assert_str_eq(ms_typed_name(again, v), ms_typed_name(graph, v));
  for (uint32_t t = 0; t < ms_typed_describe(graph).arc_types; t++) {
    ck_assert_str_eq(ms_typed_arc_type_name(again, t), ms_typed_arc_type_name(graph, t));
    ck_assert_uint_eq(again->inverse[t], graph->inverse[t]);
    ck_assert_uint_eq(again->is_inverse[t], graph->is_inverse[t]);
  }
  ck_assert_mem_eq(again->rows.neighbor, graph->rows.neighbor, graph->rows.arcs * sizeof(uint32_t));
  ck_assert_mem_eq(again->rows.type, graph->rows.type, graph->rows.arcs * sizeof(ms_type));
  ck_ok(ms_typed_write(again, paths[1], &err));
  size_t size[2];
  char *bytes[2] = {all_bytes(paths[0], &size[0]), all_bytes(paths[1], &size[1])};
  ck_assert_uint_eq(size[0], size[1]);
  ck_assert_mem_eq(bytes[0], bytes[1], size[0]);
  free(bytes[0]);
  free(bytes[1]);
  ms_typed_free(again);
}

/* A random multigraph written as a table, plain or gzip, or as SIF-named table is read back as it
 * was, and written again with the same bytes: 150 multigraphs. */
START_TEST(round_trips)
{
  static const char *const names[] = {"t.tsv", "t.tsv.gz", "t.sif"};
  for (uint64_t seed = 0; seed < scaled(150); seed++) {
    typed_random random;
    ms_typed *graph = NULL;
    typed_random_make(seed, &random);
    ck_ok(ms_typed_from_edges(&random.source, 1, &graph, &err));
    check_trip(graph, &random, names[seed % 3]);
    ms_typed_free(graph);
  }
}
END_TEST

/* ---- real data ------------------------------------------------------------------ */

enum { MOST_LINES = 200000, MOST_TYPES = 64 };

typedef struct plain_count {
  uint64_t lines; /* without the header */
  char **name;    /* [names] of sources and targets, sorted, each once */
  size_t names;
  char type[MOST_TYPES][16];
  uint64_t edges[MOST_TYPES];
  size_t types;
} plain_count;

static int compare(const void *a, const void *b)
{
  return strcmp(*(char *const *)a, *(char *const *)b);
}

static void count_type(plain_count *c, const char *type)
{
  size_t i = 0;
  while (i < c->types && strcmp(c->type[i], type) != 0)
    i++;
  if (i == c->types) {
    ck_assert_uint_lt(c->types, MOST_TYPES);
    ck_assert_uint_lt(strlen(type), sizeof c->type[i]);
    strcpy(c->type[c->types++], type);
  }
  c->edges[i]++;
}

static void sort_names(plain_count *c)
{
  size_t kept = 0;
  qsort(c->name, c->names, sizeof *c->name, compare);
  for (size_t i = 0; i < c->names; i++)
    if (kept > 0 && strcmp(c->name[kept - 1], c->name[i]) == 0)
      free(c->name[i]);
    else
      c->name[kept++] = c->name[i];
  c->names = kept;
}

/* Columns from 0; type < 0: none. */
static void count_plainly(const char *path, int source, int target, int type, plain_count *c)
{
  char line[8192];
  gzFile file = gzopen(path, "rb");
  memset(c, 0, sizeof *c);
  c->name = malloc(2 * MOST_LINES * sizeof *c->name);
  ck_assert(file && c->name);
  ck_assert_ptr_nonnull(gzgets(file, line, sizeof line));
  while (gzgets(file, line, sizeof line)) {
    char *rest = line, *field;
    line[strcspn(line, "\r\n")] = '\0';
    for (int i = 0; (field = strsep(&rest, "\t")); i++) {
      if (i == source || i == target)
        c->name[c->names++] = strdup(field);
      if (i == type)
        count_type(c, field);
    }
    ck_assert_uint_lt(++c->lines, MOST_LINES);
  }
  gzclose(file);
  sort_names(c);
}

/* Names of `a` that `b` lacks. */
static uint64_t names_only_in(const plain_count *a, const plain_count *b)
{
  uint64_t count = 0;
  for (size_t i = 0; i < a->names; i++)
    count += !bsearch(&a->name[i], b->name, b->names, sizeof *b->name, compare);
  return count;
}

static void free_count(plain_count *c)
{
  for (size_t i = 0; i < c->names; i++)
    free(c->name[i]);
  free(c->name);
}

static uint64_t count_arcs(const ms_typed *graph, uint32_t type)
{
  uint64_t count = 0;
  for (uint64_t a = 0; a < graph->rows.arcs; a++)
    count += graph->rows.type[a] == type;
  return count;
}

static void check_hetionet(const ms_typed *graph, const plain_count *c)
{
  ms_typed_info info = ms_typed_describe(graph);
  ck_assert_uint_eq(info.edges, c->lines);
  ck_assert_uint_eq(info.self_loops, 0);
  ck_assert_uint_eq(info.arc_types, c->types + 1); /* the inverse of Gr>G */
  for (size_t i = 0; i < c->types; i++) {
    uint32_t type = ms_typed_find_arc_type(graph, c->type[i]);
    bool directed = strchr(c->type[i], '>');
    ck_assert_uint_eq(count_arcs(graph, type), c->edges[i] * (directed ? 1 : 2));
    ck_assert_int_eq(ms_typed_inverse(graph, type) != type, directed);
  }
  for (size_t i = 0; i < c->names; i++) {
    uint32_t v = ms_typed_find(graph, c->name[i]);
    ck_assert_uint_ne(v, UINT32_MAX);
    const char *type = ms_typed_vertex_type_name(graph, ms_typed_vertex_type(graph, v));
    ck_assert_int_eq(strncmp(type, c->name[i], strlen(type)), 0);
    ck_assert_int_eq(strncmp(c->name[i] + strlen(type), "::", 2), 0);
  }
}

/* Three samples of Hetionet, with and without the table of nodes, have the vertices, edges of each
 * type and lines that plain loops over the files count. */
START_TEST(reads_hetionet_itself)
{
  static const char *const files[] = {"hetionet_edges-5k.sif.gz", "hetionet_edges-5k.v02.sif.gz",
                                      "hetionet_edges-5k.v03.sif.gz"};
  const char *found = files_data("typed/hetionet-v1.0-nodes.tsv.gz");
  char nodes[300];
  if (!found) {
    printf("SKIPPED: test_typed_read: no typed/hetionet-v1.0-nodes.tsv.gz in the data\n");
    return;
  }
  snprintf(nodes, sizeof nodes, "%s", found);
  for (int f = 0; f < 3; f++) {
    char name[100];
    plain_count count, node_count;
    snprintf(name, sizeof name, "typed/%s", files[f]);
    const char *path = files_data(name);
    ck_assert_ptr_nonnull(path);
    count_plainly(path, 0, 2, 1, &count);
    count_plainly(nodes, 0, 0, -1, &node_count);
    ms_typed *graph = typed_files_read(path, NULL);
    ms_typed_info info = ms_typed_describe(graph);
    check_hetionet(graph, &count);
    ck_assert_uint_eq(info.vertices, count.names);
    ck_assert_uint_eq(info.lines, count.lines + 1);
    ck_assert_uint_eq(info.untyped, 0);
    ms_typed_free(graph);
    ms_typed_options options = {.size = sizeof(ms_typed_options), .nodes = nodes};
    graph = typed_files_read(path, &options);
    info = ms_typed_describe(graph);
    check_hetionet(graph, &count);
    /* the other samples have vertices that the table lacks, and kinds */
    ck_assert_uint_eq(info.vertices, node_count.lines + names_only_in(&count, &node_count));
    ck_assert_uint_eq(info.lone_nodes, names_only_in(&node_count, &count));
    if (f == 0) {
      ck_assert_uint_eq(info.vertices, node_count.lines);
      ck_assert_uint_eq(info.vertex_types, 11);
    }
    ms_typed_free(graph);
    free_count(&count);
    free_count(&node_count);
  }
}
END_TEST

/* Two tables of Hetionet, with columns chosen by name or number, have the edges and vertices that a
 * plain loop counts. */
START_TEST(reads_tables_of_hetionet)
{
  static const struct {
    const char *name, *source, *target;
    int columns[2];
  } files[] = {{"typed/hetionet_DaG-association.tsv.gz", "doid_id", "entrez_gene_id", {0, 2}},
               {"typed/hetionet_CbG-binding.tsv.gz", "1", "2", {0, 1}}};
  for (int f = 0; f < 2; f++) {
    const char *path = files_data(files[f].name);
    plain_count count;
    if (!path) {
      printf("SKIPPED: test_typed_read: no %s in the data\n", files[f].name);
      return;
    }
    count_plainly(path, files[f].columns[0], files[f].columns[1], -1, &count);
    ms_typed_options options = {.size = sizeof(ms_typed_options),
                                .source_column = files[f].source,
                                .target_column = files[f].target,
                                .type_column = "none"};
    ms_typed *graph = typed_files_read(path, &options);
    ck_assert_uint_eq(ms_typed_describe(graph).edges, count.lines);
    ck_assert_uint_eq(ms_typed_describe(graph).vertices, count.names);
    ck_assert_uint_eq(ms_typed_describe(graph).untyped, count.names);
    ms_typed_free(graph);
    free_count(&count);
  }
}
END_TEST

TEST_MAIN("typed graphs there and back", TEST(round_trips), TEST(reads_hetionet_itself),
          TEST(reads_tables_of_hetionet))
