/* The binary format of typed graphs (graph/formats/typed/typed_binary.c): round trips, the graph
 * that a table holds, every kind of damage, and files with right checksums and wrong content. */
#include "base/crc32c.h"
#include "graph/formats/typed/typed_binary.h"
#include "graph/graph.h"
#include "graph/typed.h"
#include "tests/support/allocations.h"
#include "tests/support/files.h"
#include "tests/support/graphs/typed_random.h"
#include "tests/support/graphs/validate.h"
#include "tests/support/random.h"
#include "tests/support/test_main.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static ms_error err;

/* ---- files in memory ------------------------------------------------------- */

typedef struct file {
  unsigned char *bytes;
  size_t size;
  ms_typed_header *header; /* in bytes, as all that follows */
  ms_binary_layout layout;
  uint64_t *offset;
  uint32_t *neighbor;
  ms_type *type, *vertex_type, *inverse;
  uint8_t *is_inverse;
} file;

static void view_file(file *f)
{
  f->header = (ms_typed_header *)f->bytes;
  ck_assert(ms_typed_binary_lay_out(f->header, &f->layout));
  const uint64_t *at = f->layout.at;
  f->offset = (uint64_t *)(f->bytes + at[MS_TYPED_OFFSETS]);
  f->neighbor = (uint32_t *)(f->bytes + at[MS_TYPED_NEIGHBORS]);
  f->type = (ms_type *)(f->bytes + at[MS_TYPED_TYPES]);
  f->vertex_type = (ms_type *)(f->bytes + at[MS_TYPED_TYPES_OF_VERTEX]);
  f->inverse = (ms_type *)(f->bytes + at[MS_TYPED_INVERSES]);
  f->is_inverse = f->bytes + at[MS_TYPED_IS_INVERSE];
}

static file read_file(const char *path)
{
  file f = {0};
  FILE *in = fopen(path, "rb");
  ck_assert_ptr_nonnull(in);
  fseek(in, 0, SEEK_END);
  f.size = (size_t)ftell(in);
  f.bytes = malloc(f.size + 1);
  ck_assert_ptr_nonnull(f.bytes);
  rewind(in);
  ck_assert_uint_eq(fread(f.bytes, 1, f.size, in), f.size);
  fclose(in);
  view_file(&f);
  return f;
}

static file written(const ms_typed *graph)
{
  const char *path = files_path("written.mst");
  ck_ok(ms_typed_write_binary(graph, path, &err));
  return read_file(path);
}

static file copy_file(const file *from)
{
  file f = {.bytes = malloc(from->size + 1), .size = from->size};
  ck_assert_ptr_nonnull(f.bytes);
  memcpy(f.bytes, from->bytes, f.size);
  view_file(&f);
  return f;
}

/* Makes all checksums right again. */
static void seal(file *f)
{
  uint32_t *sums = (uint32_t *)(f->bytes + f->layout.body);
  f->header->crc32c = ms_crc32c(0, f->header, offsetof(ms_typed_header, crc32c));
  for (uint64_t c = 0; c < f->layout.chunks; c++) {
    uint64_t at = c * MS_BINARY_CHUNK, left = f->layout.body - at;
    sums[c] = ms_crc32c(0, f->bytes + at, left < MS_BINARY_CHUNK ? left : MS_BINARY_CHUNK);
  }
  sums[f->layout.chunks] = ms_crc32c(0, sums, 4 * f->layout.chunks);
}

static ms_status read_bytes(const unsigned char *bytes, size_t size, int threads, ms_typed **graph)
{
  ms_typed_options options = MS_TYPED_OPTIONS_DEFAULT;
  options.run.threads = threads;
  options.format = MS_TYPED_BINARY; /* also where the magic is damaged */
  err.message[0] = '\0';
  return ms_typed_read(files_write("bad.mst", (const char *)bytes, size), &options, graph, &err);
}

static ms_status read_status(const unsigned char *bytes, size_t size, int threads)
{
  ms_typed *graph = NULL;
  ms_status status = read_bytes(bytes, size, threads, &graph);
  ck_assert((status == MS_OK) == (graph != NULL));
  if (graph) {
    ms_error broken;
    ck_assert_msg(validate_typed(graph, &broken) == MS_OK, "%s", broken.message);
  }
  ms_typed_free(graph);
  return status;
}

static void ck_refused(ms_status status, size_t at)
{
  ck_assert_msg(status == MS_ERR_INPUT, "at %zu: status %d", at, (int)status);
  ck_assert_msg(strstr(err.message, "bad.mst") && strchr(err.message, ';'), "at %zu: %s", at,
                err.message);
}

/* ---- graphs ---------------------------------------------------------------- */

/* a -r> b twice, a -s- c, c -s- b, d -r> d, c -r> a; e alone.  Types in the order r, ^r, s. */
static ms_typed *small_graph(void)
{
  static const char *const names[] = {"a", "b b", "\xC3\xA9", "a name of more than eight bytes",
                                      "e"};
  static const char *const kinds[] = {"gene", "untyped", "gene", "a long name of a type", "gene"};
  static const uint32_t edges[][2] = {{0, 1}, {0, 1}, {0, 2}, {2, 1}, {3, 3}, {2, 0}};
  static const uint32_t types[] = {0, 0, 1, 1, 0, 0};
  static const char *const relation[] = {"r", "s"}, *const inverse[] = {"^r", NULL};
  const ms_typed_source source = {.n = 5,
                                  .names = names,
                                  .vertex_type = kinds,
                                  .m = 6,
                                  .edges = edges,
                                  .edge_type = types,
                                  .n_relations = 2,
                                  .relation = relation,
                                  .inverse = inverse};
  ms_typed *graph = NULL;
  ck_ok(ms_typed_from_edges(&source, 1, &graph, &err));
  return graph;
}

static file small_file(void)
{
  ms_typed *graph = small_graph();
  file f = written(graph);
  ms_typed_free(graph);
  return f;
}

static void same_names(const ms_names *a, const ms_names *b)
{
  ck_assert_uint_eq(ms_names_count(a), ms_names_count(b));
  for (uint32_t id = 0; id < ms_names_count(a); id++) {
    const char *name = ms_names_get(a, id);
    ck_assert_str_eq(name, ms_names_get(b, id));
    ck_assert_uint_eq(ms_names_find(b, name, strlen(name)), id);
  }
  ck_assert_uint_eq(ms_names_find(b, "no such name", 12), MS_NO_ID);
}

/* The same numbers in the same places. */
static void same_graph(const ms_typed *a, const ms_typed *b)
{
  const ms_typed_rows *x = &a->rows, *y = &b->rows;
  ms_typed_info had = a->info, has = b->info;
  ck_ok(validate_typed(b, &err));
  ck_assert_uint_eq(x->n, y->n);
  ck_assert_uint_eq(x->arcs, y->arcs);
  ck_assert(memcmp(x->offset, y->offset, (x->n + 1ull) * sizeof *x->offset) == 0);
  for (uint64_t arc = 0; arc < x->arcs; arc++)
    ck_assert(x->neighbor[arc] == y->neighbor[arc] && x->type[arc] == y->type[arc]);
  for (uint32_t v = 0; v < x->n; v++)
    ck_assert_uint_eq(x->vertex_type[v], y->vertex_type[v]);
  for (uint32_t t = 0; t < had.arc_types; t++)
    ck_assert(a->inverse[t] == b->inverse[t] && a->is_inverse[t] == b->is_inverse[t]);
  same_names(a->names, b->names);
  same_names(a->vertex_types, b->vertex_types);
  same_names(a->arc_types, b->arc_types);
  ck_assert(a->joins_colors == b->joins_colors);
  ck_assert_uint_eq(had.edges, has.edges);
  ck_assert_uint_eq(had.self_loops, has.self_loops);
  ck_assert_uint_eq(had.repeats, has.repeats);
  ck_assert_uint_eq(had.untyped, has.untyped);
  ck_assert_uint_eq(had.max_degree, has.max_degree);
  ck_assert_uint_eq(had.vertex_types, has.vertex_types);
}

static void round_trip(const ms_typed *graph)
{
  file f = written(graph);
  for (int threads = 1; threads < 6; threads += 2) {
    ms_typed_options options = MS_TYPED_OPTIONS_DEFAULT;
    options.run.threads = threads;
    ms_typed *read = NULL;
    ck_ok(ms_typed_read(files_write("round.mst", (const char *)f.bytes, f.size), &options, &read,
                        &err));
    same_graph(graph, read);
    ck_assert_int_eq(read->info.format, MS_TYPED_BINARY);
    ck_assert_uint_eq(read->info.crc32c, ms_crc32c(0, f.bytes, f.size));
    file again = written(read);
    ck_assert_uint_eq(again.size, f.size);
    ck_assert_int_eq(memcmp(again.bytes, f.bytes, f.size), 0);
    free(again.bytes);
    ms_typed_free(read);
  }
  free(f.bytes);
}

/* A small graph and 150 random multigraphs with loops, repeats and inverses are read back with the
 * same numbers, and written again with the same bytes, by 1, 3 and 5 threads; so is a graph without
 * vertices. */
START_TEST(round_trips)
{
  ms_typed *graph = small_graph();
  const ms_typed_source none = {.n = 0};
  round_trip(graph);
  ms_typed_free(graph);
  ck_ok(ms_typed_from_edges(&none, 1, &graph, &err));
  round_trip(graph);
  ms_typed_free(graph);
  for (uint64_t seed = 0; seed < scaled(150); seed++) {
    typed_random random;
    typed_random_make(seed, &random);
    ck_ok(ms_typed_from_edges(&random.source, 1, &graph, &err));
    round_trip(graph);
    ms_typed_free(graph);
  }
}
END_TEST

/* A graph of 300,000 edges with a vertex of 100,000, so that rows go through several parts and
 * chunks, is read back as it was. */
static ms_typed *large_graph(void)
{
  enum { N = 50000, M = 300000, HUB = 100000, TYPES = 300 };
  static uint32_t edges[M][2], types[M];
  static const char *relation[TYPES], *inverse[TYPES];
  static char text[TYPES][16];
  uint64_t state = 5;
  for (uint32_t e = 0; e < M; e++) {
    edges[e][0] = e < HUB ? N / 3 : (uint32_t)(random_next(&state) % N);
    edges[e][1] = (uint32_t)(random_next(&state) % N);
    types[e] = (uint32_t)(random_next(&state) % TYPES);
  }
  for (uint32_t t = 0; t < TYPES; t++) {
    snprintf(text[t], sizeof text[t], "^t%u", t);
    relation[t] = text[t] + 1;
    inverse[t] = t % 2 ? text[t] : NULL;
  }
  const ms_typed_source source = {.n = N,
                                  .m = M,
                                  .edges = (const uint32_t(*)[2])edges,
                                  .edge_type = types,
                                  .n_relations = TYPES,
                                  .relation = relation,
                                  .inverse = inverse};
  ms_typed *graph = NULL;
  ck_ok(ms_typed_from_edges(&source, 1, &graph, &err));
  return graph;
}

START_TEST(large_round_trip)
{
  ms_typed *graph = large_graph();
  round_trip(graph);
  ms_typed_free(graph);
}
END_TEST

/* A graph that is read from a table, and one that is read from a plain graph with several colours
 * at a vertex, give a file from which the same graph is read, typed and plain. */
START_TEST(same_as_text)
{
  static const char table[] =
      "#relation:\tr\t^r\n#relation:\ts\ts\nsource\ttype\ttarget\tsource_type\ttarget_type\n"
      "a\tr\tb\tx\ty\nb\ts\tc\ty\tx\nc\tr\tc\tx\tx\nd\t\t\tz\t\n"
      "a\tr\tb\tx\ty\nb\t^r\td\ty\tz\n";
  ms_typed *graph = NULL, *read = NULL;
  ms_graph *plain = NULL, *again = NULL;
  const char *path = files_write_text("g.tsv", table);
  ck_ok(ms_typed_read(path, NULL, &graph, &err));
  ck_ok(ms_graph_read(path, NULL, &plain, &err));
  const char *binary = files_path("no.ending");
  ck_ok(ms_typed_write_binary(graph, binary, &err));
  ck_ok(ms_typed_read(binary, NULL, &read, &err));
  ck_assert(read->image.mapped);
  same_graph(graph, read);
  for (int directed = 0; directed < 2; directed++) {
    ms_graph_options options = MS_GRAPH_OPTIONS_DEFAULT;
    options.directed = directed;
    ms_graph_free(plain);
    ck_ok(ms_graph_read(path, &options, &plain, &err));
    ck_ok(ms_graph_read(binary, &options, &again, &err));
    ck_assert_uint_eq(again->arcs, plain->arcs);
    ck_assert_int_eq(memcmp(again->neighbor, plain->neighbor, plain->arcs * sizeof(uint32_t)), 0);
    ck_assert(!directed || memcmp(again->direction, plain->direction, plain->arcs) == 0);
    ck_assert_uint_eq(again->info.edge_labels, plain->info.edge_labels);
    ck_assert_uint_eq(again->colors.count, plain->colors.count);
    ck_assert_int_eq(memcmp(again->colors.pair, plain->colors.pair,
                            plain->colors.count * sizeof *plain->colors.pair),
                     0);
    same_names(plain->names, again->names);
    same_names(plain->color_names, again->color_names);
    ck_assert_int_eq(again->info.format, MS_FORMAT_TYPED_BINARY);
    ms_graph_free(again);
  }
  ms_graph_free(plain);
  ms_typed_free(read);
  ms_typed_free(graph);

  static const uint32_t edges[][2] = {{0, 1}, {1, 2}}, pairs[][2] = {{0, 0}, {0, 1}, {2, 1}};
  static const char *const colors[] = {"red", "blue"};
  ms_coloring *coloring = NULL;
  ck_ok(ms_graph_from_edges(3, 2, edges, NULL, &plain, &err));
  ck_ok(ms_coloring_from_pairs(plain, 3, pairs, 2, colors, &coloring, &err));
  ck_ok(ms_typed_from_graph(plain, coloring, 1, &graph, &err));
  ck_assert(graph->joins_colors);
  round_trip(graph);
  ck_ok(ms_graph_write(plain, coloring, MS_FORMAT_TYPED_BINARY, binary, &err));
  ck_ok(ms_typed_read(binary, NULL, &read, &err));
  same_graph(graph, read);
  ck_ok(ms_graph_read(binary, NULL, &again, &err));
  ck_assert_uint_eq(again->colors.count, 3);
  ck_assert_uint_eq(ms_names_count(again->color_names), 2);
  ms_graph_free(again);
  ms_typed_free(read);
  ms_typed_free(graph);
  ms_coloring_free(coloring);

  static const char *const barred[] = {"red", "a|b"};
  ck_ok(ms_coloring_from_pairs(plain, 3, pairs, 2, barred, &coloring, &err));
  ck_assert_int_eq(ms_typed_from_graph(plain, coloring, 1, &graph, &err), MS_ERR_INPUT);
  ms_coloring_free(coloring);
  ms_graph_free(plain);
}
END_TEST

/* A plain file is mapped; gzip and zstd files are read, to the same graph. */
START_TEST(same_from_everywhere)
{
  static const char *const names[] = {"x.mst", "x.mst.gz", "x.mst.zst"};
  ms_typed *graph = small_graph(), *read = NULL;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    ck_ok(ms_typed_write_binary(graph, files_path(names[i]), &err));
    ck_ok(ms_typed_read(files_path(names[i]), NULL, &read, &err));
    ck_assert_int_eq(read->image.mapped, i == 0);
    same_graph(graph, read);
    ms_typed_free(read);
  }
  ms_typed_free(graph);
}
END_TEST

/* Each number of the header and of the first sections is that of docs/FORMATS.md, for x -r> y. */
START_TEST(layout_is_as_documented)
{
  static const uint32_t edges[][2] = {{0, 1}}, types[] = {0};
  static const char *const names[] = {"x", "y"}, *const relation[] = {"r"},
                           *const inverse[] = {"^r"};
  const ms_typed_source source = {.n = 2,
                                  .names = names,
                                  .m = 1,
                                  .edges = edges,
                                  .edge_type = types,
                                  .n_relations = 1,
                                  .relation = relation,
                                  .inverse = inverse};
  ms_typed *graph = NULL;
  ck_ok(ms_typed_from_edges(&source, 1, &graph, &err));
  file f = written(graph);
  /* six sections, and three times starts, pool and 64 slots of 16 bytes */
  static const unsigned char head[100] = {
      0x89, 'M', 'S', 'T',  '\r', '\n', 0x1A, '\n', 4,  3,        2,         1,        1,
      0,    0,   0,   0x88, 15,   0,    0,    0,    0,  0,        0,         2,        0,
      0,    0,   0,   0,    0,    0, /* 3976 bytes, arcs */
      2,    0,   0,   0,    1,    0,    0,    0,    2,  0,        0,         0,        0,
      0,    0,   0, /* counts, flags */
      4,    0,   0,   0,    0,    0,    0,    0,    64, [64] = 8, [72] = 64, [80] = 5, [88] = 64};
  ck_assert_uint_eq(f.size, 3976);
  ck_assert_int_eq(memcmp(f.bytes, head, sizeof head), 0);
  static const unsigned char body[9 * 64] = {
      [8] = 1,       [16] = 2,                    /* offsets */
      [64] = 1,                                   /* neighbours */
      [128 + 2] = 1,                              /* types: r, ^r */
      [256] = 1,     [320 + 1] = 1,               /* inverses, is it one? */
      [384 + 8] = 2, [448] = 'x',   [450] = 'y'}; /* names of vertices */
  ck_assert_int_eq(memcmp(f.bytes + 128, body, 8 * 64), 0);
  free(f.bytes);
  ms_typed_free(graph);
}
END_TEST

/* ---- damage ------------------------------------------------------------------ */

/* A file whose bytes a test changes in place, so that thousands of variants cost no more than their
 * reading. */
static ms_status reread(const char *path)
{
  ms_typed_options options = MS_TYPED_OPTIONS_DEFAULT;
  ms_typed *graph = NULL;
  options.run.threads = 1;
  options.format = MS_TYPED_BINARY; /* also where the magic is damaged */
  err.message[0] = '\0';
  ms_status status = ms_typed_read(path, &options, &graph, &err);
  ms_typed_free(graph);
  return status;
}

/* Each single flipped bit of a file is refused; of the slots of names, one bit of each byte. */
START_TEST(every_flipped_bit)
{
  file f = small_file();
  const char *path = files_write("bad.mst", (const char *)f.bytes, f.size);
  int out = open(path, O_WRONLY);
  ck_assert_int_ge(out, 0);
  const uint64_t *at = f.layout.at + MS_TYPED_NAMES;
  size_t step = 0;
  for (size_t bit = 0; bit < 8 * f.size; bit += step * (size_t)(1 / test_scale())) {
    step = 1;
    for (int t = 0; t < MS_TYPED_TABLES; t++)
      if (bit / 8 >= at[3 * t + 2] && bit / 8 < at[3 * t + 2] + 16 * 64)
        step = 9; /* another bit of the next byte */
    unsigned char changed = f.bytes[bit / 8] ^ (unsigned char)(1u << bit % 8);
    ck_assert_int_eq(pwrite(out, &changed, 1, (off_t)(bit / 8)), 1);
    ck_refused(reread(path), bit);
    ck_assert_int_eq(pwrite(out, f.bytes + bit / 8, 1, (off_t)(bit / 8)), 1);
  }
  ck_ok(reread(path));
  close(out);
  free(f.bytes);
}
END_TEST

/* Each proper beginning of a file, and one byte too many, are refused. */
START_TEST(every_truncation)
{
  file f = small_file();
  const char *path = files_write("bad.mst", (const char *)f.bytes, f.size);
  for (size_t size = f.size; size-- > 0;) {
    ck_assert_int_eq(truncate(path, (off_t)size), 0);
    ck_refused(reread(path), size);
  }
  f.bytes[f.size] = 0;
  ck_refused(read_status(f.bytes, f.size + 1, 1), f.size + 1);
  ck_assert_ptr_nonnull(strstr(err.message, "continues after its end"));
  free(f.bytes);
}
END_TEST

/* ---- lies ----------------------------------------------------------------------
 * Files whose checksums are right, and whose content is not.  The rows of the small graph are
 * a: b b (r) c (^r, s); b: a a (^r) c (s); c: a (r, s) b (s); d: d (r); e: none. */

static void vertices_many(file *f)
{
  f->header->count[MS_TYPED_VERTEX_NAMES] = UINT32_MAX;
}
static void version_newer(file *f)
{
  f->header->version = 2;
}
static void version_none(file *f)
{
  f->header->version = 0;
}
static void flag_unknown(file *f)
{
  f->header->flags = 4;
}
static void zero_used(file *f)
{
  f->header->zero[3] = 1;
}
static void types_many(file *f)
{
  f->header->count[MS_TYPED_ARC_TYPES] = 65536;
}
static void kinds_many(file *f)
{
  f->header->count[MS_TYPED_VERTEX_TYPES] = 65536;
}
static void arcs_many(file *f)
{
  f->header->arcs = UINT64_MAX;
}
static void arcs_more(file *f)
{
  f->header->arcs = 100;
}
static void slots_none(file *f)
{
  f->header->names[1].slots = 0;
}
static void slots_odd(file *f)
{
  f->header->names[2].slots = 63;
}
static void size_larger(file *f)
{
  f->header->file_bytes++;
}
static void begins_later(file *f)
{
  f->offset[0] = 1;
}
static void offsets_fall(file *f)
{
  f->offset[2] = 1;
}
static void offsets_beyond(file *f)
{
  f->offset[2] = 99;
}
static void offsets_end(file *f)
{
  f->offset[4]--, f->offset[5]--;
}
static void no_vertex(file *f)
{
  f->neighbor[3] = 5;
}
static void no_type(file *f)
{
  f->type[3] = 3;
}
static void not_ascending(file *f)
{
  f->neighbor[0] = 2;
}
static void types_fall(file *f)
{
  f->type[2] = 2, f->type[3] = 1;
}
static void other_type(file *f)
{
  f->type[3] = 1;
}
static void other_end(file *f)
{
  f->neighbor[3] = 4;
}
static void one_of_two(file *f)
{
  f->type[1] = 2;
}
static void loop_turned(file *f)
{
  f->type[10] = 1;
}
static void no_inverse(file *f)
{
  f->inverse[0] = 3;
}
static void not_back(file *f)
{
  f->inverse[0] = 2;
}
static void both_inverses(file *f)
{
  f->is_inverse[0] = 1;
}
static void itself_inverse(file *f)
{
  f->is_inverse[2] = 1;
}
static void odd_inverse(file *f)
{
  f->is_inverse[1] = 2;
}
static void no_kind(file *f)
{
  f->vertex_type[4] = 3;
}
static void name_pool(file *f, int table, size_t at, char to)
{
  f->bytes[f->layout.at[MS_TYPED_NAMES + 3 * table + 1] + at] = (unsigned char)to;
}
static void name_bad(file *f)
{
  name_pool(f, MS_TYPED_VERTEX_NAMES, 0, '\n');
}
static void name_lost(file *f)
{
  name_pool(f, MS_TYPED_VERTEX_NAMES, 0, 'q');
}
static void kind_lost(file *f)
{
  name_pool(f, MS_TYPED_VERTEX_TYPES, 0, 'q');
}
static void type_lost(file *f)
{
  name_pool(f, MS_TYPED_ARC_TYPES, 0, 'q');
}

static const struct {
  void (*tell)(file *);
  const char *part;
} lies[] = {
    {vertices_many, "has more names than there are ids"},
    {version_newer,
     "was written by a newer version of motifsieve (format 2, this one reads up to 1)"},
    {version_none, "uses features that this version does not know"},
    {flag_unknown, "uses features that this version does not know"},
    {zero_used, "uses features that this version does not know"},
    {types_many, "has more types than a typed graph can have"},
    {kinds_many, "has more types than a typed graph can have"},
    {arcs_many, "has sections that no memory can hold"},
    {arcs_more, "has sections that do not add up to its size"},
    {slots_none, "has a table of names of an impossible size"},
    {slots_odd, "has a table of names of an impossible size"},
    {size_larger, "has sections that do not add up to its size"},
    {begins_later, "the offsets do not begin at 0"},
    {offsets_fall, "the offsets decrease at vertex 1"},
    {offsets_beyond, "the offsets lead beyond the neighbours at vertex 1"},
    {offsets_end, "the offsets do not end with the neighbours"},
    {no_vertex, "a neighbour that is not a vertex at vertex 0"},
    {no_type, "a type of edges that does not exist at vertex 0"},
    {not_ascending, "neighbours that are not in ascending order at vertex 0"},
    {types_fall, "neighbours that are not in ascending order at vertex 0"},
    {other_type, "an edge without its inverse at vertex 0"},
    {other_end, "an edge without its inverse at vertex 0"},
    {one_of_two, "an edge without its inverse at vertex 0"},
    {loop_turned, "a self-loop of the larger of its two types at vertex 3"},
    {no_inverse, "type 0 of edges is not the inverse of its inverse"},
    {not_back, "type 0 of edges is not the inverse of its inverse"},
    {both_inverses, "type 0 of edges and its inverse are both marked as inverses"},
    {itself_inverse, "type 2 of edges and its inverse are both marked as inverses"},
    {odd_inverse, "type 1 of edges and its inverse are both marked as inverses"},
    {no_kind, "a type of vertices that does not exist at vertex 4"},
    {name_bad, "the name of vertex 0 holds a control character"},
    {name_lost, "the name of vertex 0 is not found by the table of names"},
    {kind_lost, "the name of vertex type 0 is not found by the table of names"},
    {type_lost, "the name of edge type 0 is not found by the table of names"},
};

/* Each of 34 kinds of files with right checksums and wrong content is refused for its reason, by 1
 * and by 3 threads. */
START_TEST(lies_are_refused)
{
  file good = small_file();
  for (size_t i = 0; i < sizeof lies / sizeof *lies; i++)
    for (int threads = 1; threads < 4; threads += 2) {
      file f = copy_file(&good);
      lies[i].tell(&f);
      seal(&f);
      ck_refused(read_status(f.bytes, f.size, threads), i);
      ck_assert_msg(strstr(err.message, lies[i].part), "lie %zu: no '%s': %s", i, lies[i].part,
                    err.message);
      free(f.bytes);
    }
  file same = copy_file(&good); /* sealing again changes nothing */
  seal(&same);
  ck_assert_int_eq(memcmp(same.bytes, good.bytes, good.size), 0);
  free(same.bytes);
  free(good.bytes);
}
END_TEST

/* Random changes of neighbours and types behind right checksums are refused or give a valid graph
 * (validate_typed): 3000 files with one to three of them. */
START_TEST(random_lies)
{
  file good = small_file();
  uint64_t state = 9, arcs = good.header->arcs;
  for (uint64_t i = 0; i < scaled(3000); i++) {
    file f = copy_file(&good);
    for (uint64_t changes = random_next(&state) % 3 + 1; changes > 0; changes--) {
      uint64_t arc = random_next(&state) % arcs;
      if (random_next(&state) % 2)
        f.neighbor[arc] = (uint32_t)(random_next(&state) % 6);
      else
        f.type[arc] = (ms_type)(random_next(&state) % 4);
    }
    seal(&f);
    if (read_status(f.bytes, f.size, 1) != MS_OK)
      ck_refused(MS_ERR_INPUT, i);
    free(f.bytes);
  }
  free(good.bytes);
}
END_TEST

/* One changed neighbour or type of a large graph, which only the fingerprint of all rows can see,
 * is noticed wherever it stands. */
START_TEST(no_asymmetry_passes)
{
  ms_typed *graph = large_graph();
  file f = written(graph);
  uint64_t state = 3;
  for (uint64_t i = 0; i < scaled(20); i++) {
    uint64_t arc = random_next(&state) % f.header->arcs;
    ms_type before = f.type[arc];
    f.type[arc] = (ms_type)(random_next(&state) % f.header->count[MS_TYPED_ARC_TYPES]);
    seal(&f);
    ms_status status = read_status(f.bytes, f.size, 1 + (int)(i % 3));
    ck_assert_int_eq(status == MS_OK, f.type[arc] == before);
    f.type[arc] = before;
  }
  free(f.bytes);
  ms_typed_free(graph);
}
END_TEST

/* Options that would change what the file states are refused. */
START_TEST(options_are_refused)
{
  file f = small_file();
  const char *path = files_write("g.mst", (const char *)f.bytes, f.size);
  const struct {
    ms_typed_options options;
    const char *part;
  } cases[] = {{{.directed = true}, "edges are said to have a direction"},
               {{.nodes = "n.tsv"}, "a table of nodes is given"},
               {{.relations = "r.tsv"}, "a table of relations is given"},
               {{.type_column = "type"}, "columns are chosen"},
               {{.min_score = 1}, "a minimum score is given"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    ms_typed_options options = cases[i].options;
    ms_typed *graph = NULL;
    options.size = sizeof options;
    ck_assert_int_eq(ms_typed_read(path, &options, &graph, &err), MS_ERR_USAGE);
    ck_assert_msg(strstr(err.message, cases[i].part), "%s", err.message);
  }
  free(f.bytes);
}
END_TEST

/* ---- memory -------------------------------------------------------------------- */

static ms_status write_and_read(void *user, ms_error *failure)
{
  ms_typed *read = NULL;
  const char *path = files_path("memory.mst");
  ms_status status = ms_typed_write_binary(user, path, failure);
  if (status == MS_OK)
    status = ms_typed_read(path, NULL, &read, failure);
  ms_typed_free(read);
  return status;
}

/* Whichever allocation fails while a graph is written and read, the call reports it and leaks no
 * block. */
START_TEST(every_allocation_may_fail)
{
  ms_typed *graph = small_graph();
  ck_assert_int_gt(failing_runs(write_and_read, graph), 5);
  ms_typed_free(graph);
}
END_TEST

TEST_MAIN("format: typed binary", TEST(round_trips), TEST(large_round_trip), TEST(same_as_text),
          TEST(same_from_everywhere), TEST(layout_is_as_documented), TEST(every_flipped_bit),
          TEST(every_truncation), TEST(lies_are_refused), TEST(random_lies),
          TEST(no_asymmetry_passes), TEST(options_are_refused), TEST(every_allocation_may_fail))
