/* The binary graph format (graph/formats/binary.c): round trips, every kind of damage, and files
 * with right checksums and wrong content. */
#include "base/alloc.h"
#include "base/crc32c.h"
#include "graph/colors.h"
#include "graph/formats/binary.h"
#include "graph/formats/row_scan.h"
#include "graph/graph.h"
#include "tests/support/allocations.h"
#include "tests/support/files.h"
#include "tests/support/graphs/collide.h"
#include "tests/support/graphs/validate.h"
#include "tests/support/random.h"
#include "tests/support/results/malform.h"
#include "tests/support/test_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static ms_error err;

/* ---- files in memory ------------------------------------------------------- */

typedef struct blob {
  unsigned char *bytes;
  size_t size;
} blob;

static blob read_blob(const char *path)
{
  FILE *in = fopen(path, "rb");
  ck_assert_ptr_nonnull(in);
  fseek(in, 0, SEEK_END);
  blob b = {NULL, (size_t)ftell(in)};
  b.bytes = malloc(b.size + 1);
  ck_assert_ptr_nonnull(b.bytes);
  rewind(in);
  ck_assert_uint_eq(fread(b.bytes, 1, b.size, in), b.size);
  fclose(in);
  return b;
}

static blob copy_blob(blob b)
{
  blob copy = {malloc(b.size + 1), b.size};
  ck_assert_ptr_nonnull(copy.bytes);
  memcpy(copy.bytes, b.bytes, b.size);
  return copy;
}

static const char *write_blob(const char *name, blob b)
{
  return files_write(name, (const char *)b.bytes, b.size);
}

static blob written(const ms_graph *graph, const ms_coloring *coloring)
{
  const char *path = files_path("written.msb");
  ck_ok(ms_graph_write(graph, coloring, MS_FORMAT_BINARY, path, &err));
  return read_blob(path);
}

/* ---- graphs ---------------------------------------------------------------- */

/*   0 - 1 - 2 - 5      3 alone; 0 - 2, 0 - 4; colours on 0, 1, 3 and 5 */
enum { SMALL_N = 6, SMALL_COLORS = 3 };
static const char *const small_names[SMALL_N] = {
    "a",        "b b",
    "\xC3\xA9", "a name of more than eight bytes",
    "YAL001C",  "\xE2\x82\xAC\xF0\x9F\x90\x9F and more"};
static const char *const small_colors[SMALL_COLORS] = {"red", "blue:1,\"x\"", "a long colour name"};

static ms_graph *small_graph(void)
{
  static const uint32_t edges[][2] = {{0, 1}, {1, 2}, {0, 2}, {2, 5}, {4, 0}};
  ms_graph *graph;
  ck_ok(ms_graph_from_edges(SMALL_N, 5, edges, small_names, &graph, &err));
  return graph;
}

static ms_coloring *small_coloring(const ms_graph *graph)
{
  static const uint32_t pairs[][2] = {{0, 1}, {0, 0}, {1, 2}, {3, 0}, {5, 1}};
  ms_coloring *coloring;
  ck_ok(ms_coloring_from_pairs(graph, 5, pairs, SMALL_COLORS, small_colors, &coloring, &err));
  return coloring;
}

static blob small_file(bool colored)
{
  ms_graph *graph = small_graph();
  ms_coloring *coloring = small_coloring(graph);
  blob b = written(graph, colored ? coloring : NULL);
  ms_coloring_free(coloring);
  ms_graph_free(graph);
  return b;
}

static ms_graph *random_graph(uint32_t n, uint64_t m, uint64_t seed)
{
  uint32_t(*edges)[2] = malloc((m + n) * sizeof *edges);
  ms_graph *graph;
  ck_assert_ptr_nonnull(edges);
  for (uint64_t e = 0; e < m; e++)
    for (int end = 0; end < 2; end++)
      edges[e][end] = (uint32_t)(random_next(&seed) % n);
  for (uint32_t v = 0; v < n; v++) { /* one vertex that knows all: its row is in many parts */
    edges[m + v][0] = n / 3;
    edges[m + v][1] = v;
  }
  ck_ok(ms_graph_from_edges(n, m + n, (const uint32_t(*)[2])edges, NULL, &graph, &err));
  free(edges);
  return graph;
}

static void same_names(const ms_names *a, const ms_names *b)
{
  ck_assert_uint_eq(ms_names_count(a), ms_names_count(b));
  for (uint32_t id = 0; id < ms_names_count(a); id++) {
    const char *name = ms_names_get(a, id);
    if (strcmp(name, ms_names_get(b, id)) != 0 || ms_names_find(b, name, strlen(name)) != id)
      ck_abort_msg("name %u is another one", id);
  }
  ck_assert_uint_eq(ms_names_find(b, "no such name", 12), MS_NO_ID);
  ck_assert_uint_eq(ms_names_find(b, "", 0), MS_NO_ID);
}

/* Not only isomorphic: the same ids in the same places. */
static void same_graph(const ms_graph *graph, const ms_graph *read)
{
  ck_assert_uint_eq(read->n, graph->n);
  ck_assert_uint_eq(read->arcs, graph->arcs);
  ck_assert_int_eq(memcmp(read->offset, graph->offset, (graph->n + 1ull) * sizeof(uint64_t)), 0);
  ck_assert(graph->arcs == 0 ||
            memcmp(read->neighbor, graph->neighbor, graph->arcs * sizeof(uint32_t)) == 0);
  same_names(graph->names, read->names);
  ms_graph_info had = ms_graph_describe(graph), has = ms_graph_describe(read);
  ck_assert_uint_eq(has.vertices, had.vertices);
  ck_assert_uint_eq(has.edges, had.edges);
  ck_assert_uint_eq(has.max_degree, had.max_degree);
  ck_assert_uint_eq(has.lines + has.self_loops + has.duplicates + has.filtered, 0);
  ck_assert_int_eq(has.format, MS_FORMAT_BINARY);
  ck_ok(validate_graph(read, &err));
}

static void same_colors(const ms_coloring *coloring, const ms_graph *read)
{
  ms_coloring *again;
  ck_assert(ms_graph_describe(read).colored);
  ck_ok(ms_coloring_from_graph(read, &again, &err));
  ck_assert_uint_eq(ms_coloring_describe(again).duplicates, 0);
  same_names(coloring->names, again->names);
  same_names(coloring->names, read->color_names);
  for (uint32_t v = 0; v < coloring->n; v++) {
    uint32_t count, others;
    const uint32_t *had = ms_coloring_of(coloring, v, &count);
    const uint32_t *has = ms_coloring_of(again, v, &others);
    ck_assert_uint_eq(others, count);
    ck_assert(count == 0 || memcmp(had, has, count * sizeof *had) == 0);
  }
  ms_coloring_free(again);
}

/* Write, read with several threads, compare, write again. */
static void round_trip(const ms_graph *graph, const ms_coloring *coloring)
{
  blob first = written(graph, coloring);
  const char *path = write_blob("round.msb", first);
  for (int threads = 1; threads < 6; threads += 2) {
    ms_graph_options options = {.size = sizeof(ms_graph_options), .run.threads = threads};
    ms_graph *read;
    ms_coloring *again = NULL;
    ck_ok(ms_graph_read(path, &options, &read, &err));
    same_graph(graph, read);
    ck_assert_uint_eq(ms_graph_describe(read).crc32c, ms_crc32c(0, first.bytes, first.size));
    ck_assert(ms_graph_describe(read).colored == (coloring != NULL));
    if (coloring) {
      same_colors(coloring, read);
      ck_ok(ms_coloring_from_graph(read, &again, &err));
    }
    blob second = written(read, again);
    ck_assert_uint_eq(second.size, first.size);
    ck_assert_int_eq(memcmp(second.bytes, first.bytes, first.size), 0);
    free(second.bytes);
    ms_coloring_free(again);
    ms_graph_free(read);
  }
  free(first.bytes);
}

/* A graph of six vertices is read back with the same ids and bytes, plain and with three
 * colourings, by 1, 3 and 5 threads. */
START_TEST(small_round_trips)
{
  ms_graph *graph = small_graph();
  ms_coloring *coloring = small_coloring(graph);
  round_trip(graph, NULL);
  round_trip(graph, coloring);
  malform_round_trip("small.msb", graph, coloring, MS_FORMAT_BINARY);
  ms_coloring_free(coloring);
  ck_ok(ms_coloring_from_pairs(graph, 0, NULL, 2, small_colors, &coloring, &err));
  round_trip(graph, coloring); /* colours that nobody has */
  ms_coloring_free(coloring);
  ck_ok(ms_coloring_from_pairs(graph, 0, NULL, 0, NULL, &coloring, &err));
  round_trip(graph, coloring); /* a colouring without colours */
  ms_coloring_free(coloring);
  ms_graph_free(graph);
}
END_TEST

/* Graphs of 0 to 2 vertices, and of 47 to 65, around a doubling of the table of names, are read
 * back as they were. */
START_TEST(odd_sizes)
{
  ms_graph *graph;
  for (uint32_t n = 0; n < 3; n++) {
    ck_ok(ms_graph_from_edges(n, 0, NULL, NULL, &graph, &err));
    round_trip(graph, NULL);
    ms_graph_free(graph);
  }
  /* around a doubling of the table of names, and around a batch of them */
  for (uint32_t n = 47; n < 66; n++) {
    graph = random_graph(n, 3 * n, n);
    round_trip(graph, NULL);
    ms_graph_free(graph);
  }
}
END_TEST

/* A coloured graph of 400,000 vertices, which fills several chunks of checksums and several parts
 * of neighbours, is read back as it was. */
START_TEST(large_round_trip)
{
  enum { N = 400000, PAIRS = 300000 };
  ms_graph *graph = random_graph(N, 500000, 3);
  ms_coloring *coloring;
  uint64_t state = 4;
  uint32_t(*pairs)[2] = malloc(PAIRS * sizeof *pairs);
  ck_assert_ptr_nonnull(pairs);
  for (uint32_t i = 0; i < PAIRS; i++) {
    pairs[i][0] = (uint32_t)(random_next(&state) % N);
    pairs[i][1] = (uint32_t)(random_next(&state) % SMALL_COLORS);
  }
  ck_ok(ms_coloring_from_pairs(graph, PAIRS, (const uint32_t(*)[2])pairs, SMALL_COLORS,
                               small_colors, &coloring, &err));
  round_trip(graph, coloring);
  free(pairs);
  ms_coloring_free(coloring);
  ms_graph_free(graph);
}
END_TEST

/* Each byte of the file of one edge is that of docs/FORMATS.md. */
START_TEST(layout_is_as_documented)
{
  static const uint32_t edges[][2] = {{0, 1}};
  static const char *const names[] = {"x", "y"};
  ms_graph *graph;
  ck_ok(ms_graph_from_edges(2, 1, edges, names, &graph, &err));
  blob b = written(graph, NULL);
  static const unsigned char head[84] = {
      0x89, 'M', 'S', 'B', '\r', '\n', 0x1A, '\n',
      4,    3,   2,   1,   1,    0,    0,    0, /* order, version */
      0x88, 5,   0,   0,   0,    0,    0,    0,
      2,    0,   0,   0,   0,    0,    0,    0, /* 1416 bytes, 2 arcs */
      2,    0,   0,   0,   0,    0,    0,    0,
      0,    0,   0,   0,   0,    0,    0,    0, /* 2 vertices, no colours, no pairs */
      4,    0,   0,   0,   0,    0,    0,    0,
      64,   0,   0,   0,   0,    0,    0,    0, /* 4 bytes of names, 64 slots */
      0};                                       /* nothing of colours, no flags */
  ck_assert_uint_eq(b.size, 1416);
  ck_assert_int_eq(memcmp(b.bytes, head, sizeof head), 0);
  for (size_t at = sizeof head; at < 124; at++)
    ck_assert_uint_eq(b.bytes[at], 0);
  uint32_t word;
  memcpy(&word, b.bytes + 124, 4);
  ck_assert_uint_eq(word, ms_crc32c(0, b.bytes, 124));
  static const unsigned char body[4 * 64] = {[8] = 1,       [16] = 2,    [64] = 1,
                                             [128 + 8] = 2, [192] = 'x', [194] = 'y'};
  ck_assert_int_eq(memcmp(b.bytes + 128, body, sizeof body), 0);
  uint32_t taken = 0;
  for (uint32_t i = 0; i < 64; i++) {
    uint64_t key;
    uint32_t length, id;
    memcpy(&key, b.bytes + 384 + 16 * i, 8);
    memcpy(&length, b.bytes + 384 + 16 * i + 8, 4);
    memcpy(&id, b.bytes + 384 + 16 * i + 12, 4);
    uint64_t h = (id == 0 ? 'x' : 'y') * 0x9E3779B97F4A7C15u;
    taken += id != UINT32_MAX;
    ck_assert(id == UINT32_MAX || (id < 2 && key == (id == 0 ? 'x' : 'y') && length == 1));
    h = (h ^ h >> 32) * 0x9E3779B97F4A7C15u;
    ck_assert(id == UINT32_MAX || i == (h >> 20) % 64 || i == (h >> 20) % 64 + 1);
  }
  ck_assert_uint_eq(taken, 2);
  memcpy(&word, b.bytes + 1408, 4); /* empty sections end where they begin */
  ck_assert_uint_eq(word, ms_crc32c(0, b.bytes, 1408));
  memcpy(&word, b.bytes + 1412, 4);
  ck_assert_uint_eq(word, ms_crc32c(0, b.bytes + 1408, 4));
  free(b.bytes);
  ms_graph_free(graph);
}
END_TEST

/* Keys and places of names are those that docs/FORMATS.md defines, computed byte by byte: names of
 * 1 to 40 bytes. */
START_TEST(keys_are_as_documented)
{
  const uint64_t factor = 0x9E3779B97F4A7C15u;
  char name[41];
  for (size_t length = 1; length < sizeof name; length++) {
    uint64_t key = 0, h = length * factor;
    for (size_t i = 0; i < length; i++)
      name[i] = (char)(0x80 + 37 * i + length);
    for (size_t i = 0; i < length && i < 8; i++)
      key |= (uint64_t)(unsigned char)name[i] << 8 * i;
    if (length > 8) {
      for (size_t at = 0; length - at > 8; at += 8) {
        uint64_t word = 0;
        for (size_t i = 0; i < 8; i++)
          word |= (uint64_t)(unsigned char)name[at + i] << 8 * i;
        h = (h ^ word) * factor;
        h = h ^ h >> 32;
      }
      uint64_t last = 0;
      for (size_t i = 0; i < 8; i++)
        last |= (uint64_t)(unsigned char)name[length - 8 + i] << 8 * i;
      h = (h ^ last) * factor;
      key = h ^ h >> 29;
    }
    ck_assert_uint_eq(ms_name_key(name, length), key);
    uint64_t k = key * factor, g = (k ^ k >> 32) * factor;
    ck_assert_uint_eq(ms_name_home(key, 1024), (g >> 20) % 1024);
  }
}
END_TEST

/* ---- where the bytes come from ----------------------------------------------- */

static ms_status read_standard_input(blob b, ms_graph **out)
{
  int ends[2], saved = dup(STDIN_FILENO);
  ck_assert_int_eq(pipe(ends), 0);
  ck_assert_int_eq(write(ends[1], b.bytes, b.size), (ssize_t)b.size); /* fits into the pipe */
  close(ends[1]);
  dup2(ends[0], STDIN_FILENO);
  close(ends[0]);
  ms_status status = ms_graph_read("-", NULL, out, &err);
  dup2(saved, STDIN_FILENO);
  close(saved);
  return status;
}

/* The same graph comes from a plain, a gzip and a zstd file, from a name without an ending and from
 * standard input, and only plain files are mapped. */
START_TEST(same_from_everywhere)
{
  static const char *const names[] = {"x.msb", "x.msb.gz", "x.msb.zst", "no.ending"};
  ms_graph *graph = small_graph(), *read;
  ms_coloring *coloring = small_coloring(graph);
  blob b = written(graph, coloring);
  for (size_t i = 0; i <= sizeof names / sizeof *names; i++) {
    if (i < sizeof names / sizeof *names) {
      ck_ok(ms_graph_write(graph, coloring, MS_FORMAT_BINARY, files_path(names[i]), &err));
      ck_ok(ms_graph_read(files_path(names[i]), NULL, &read, &err));
      ck_assert_int_eq(read->image.mapped, i == 0 || i == 3);
    } else {
      ck_ok(read_standard_input(b, &read));
      ck_assert(!read->image.mapped);
    }
    ck_assert_uint_eq(ms_graph_describe(read).crc32c, ms_crc32c(0, b.bytes, b.size));
    same_graph(graph, read);
    same_colors(coloring, read);
    ms_graph_free(read);
  }
  free(b.bytes);
  ms_coloring_free(coloring);
  ms_graph_free(graph);
}
END_TEST

/* A graph of more than 64 MiB, which is more than a stated size is first trusted for, comes whole
 * through zstd. */
START_TEST(large_through_zstd)
{
  ms_graph *graph = random_graph(500000, 9000000, 8), *read;
  blob b = written(graph, NULL);
  ck_assert_uint_gt(b.size, (size_t)64 << 20);
  ck_ok(ms_graph_write(graph, NULL, MS_FORMAT_BINARY, files_path("large.zst"), &err));
  ck_ok(ms_graph_read(files_path("large.zst"), NULL, &read, &err));
  ck_assert_uint_eq(ms_graph_describe(read).crc32c, ms_crc32c(0, b.bytes, b.size));
  same_graph(graph, read);
  ms_graph_free(read);
  free(b.bytes);
  ms_graph_free(graph);
}
END_TEST

/* A graph that was read stays as it is when its file is replaced and removed. */
START_TEST(file_may_be_replaced)
{
  ms_graph *graph = small_graph(), *other = random_graph(100, 300, 2), *read;
  const char *path = files_path("replaced.msb");
  ck_ok(ms_graph_write(graph, NULL, MS_FORMAT_BINARY, path, &err));
  ck_ok(ms_graph_read(path, NULL, &read, &err));
  ck_ok(ms_graph_write(other, NULL, MS_FORMAT_BINARY, path, &err));
  same_graph(graph, read);
  unlink(path);
  same_graph(graph, read);
  ms_graph_free(read);
  ms_graph_free(other);
  ms_graph_free(graph);
}
END_TEST

/* The names of a graph from a file accept no new name, and still find the old ones. */
START_TEST(names_of_a_file_stay_as_they_are)
{
  blob b = small_file(true);
  ms_graph *read;
  uint32_t id;
  ck_ok(ms_graph_read(write_blob("x.msb", b), NULL, &read, &err));
  ck_ok(ms_names_add(read->names, "YAL001C", 7, &id, &err));
  ck_assert_uint_eq(id, 4);
  ck_assert_int_eq(ms_names_add(read->names, "new", 3, &id, &err), MS_ERR_INTERNAL);
  ck_assert_uint_eq(ms_names_count(read->names), SMALL_N);
  ms_graph_free(read);
  free(b.bytes);
}
END_TEST

/* ---- damage ------------------------------------------------------------------ */

static ms_status read_status(blob b, const ms_graph_options *options)
{
  ms_graph *graph = NULL;
  err.message[0] = '\0';
  ms_status status = ms_graph_read(write_blob("bad.msb", b), options, &graph, &err);
  ck_assert((status == MS_OK) == (graph != NULL));
  if (graph) {
    ms_error broken;
    ck_assert_msg(validate_graph(graph, &broken) == MS_OK, "%s", broken.message);
  }
  ms_graph_free(graph);
  return status;
}

static void ck_refused(ms_status status, size_t at)
{
  ck_assert_msg(status == MS_ERR_INPUT, "at %zu: status %d", at, (int)status);
  ck_assert_msg(strstr(err.message, "bad.msb") && strchr(err.message, ';'), "at %zu: %s", at,
                err.message);
}

/* A change of any byte of a coloured file, by each of three masks, is refused. */
START_TEST(every_flipped_byte)
{
  static const unsigned char flips[] = {0x01, 0x80, 0xFF};
  blob b = small_file(true);
  for (size_t at = 0; at < b.size; at++)
    for (size_t f = 0; f < sizeof flips; f++) {
      b.bytes[at] ^= flips[f];
      ck_refused(read_status(b, NULL), at);
      b.bytes[at] ^= flips[f];
    }
  ck_ok(read_status(b, NULL));
  free(b.bytes);
}
END_TEST

/* Every proper beginning of a file is refused as cut off, and one byte too many is refused, too. */
START_TEST(every_truncation)
{
  blob b = small_file(true);
  size_t whole = b.size;
  for (b.size = 0; b.size < whole; b.size++) {
    ck_refused(read_status(b, NULL), b.size);
    ck_assert(b.size < 4 || strstr(err.message, "is cut off"));
  }
  b.bytes[b.size++] = 0;
  ck_refused(read_status(b, NULL), b.size);
  ck_assert_ptr_nonnull(strstr(err.message, "continues after its end"));
  free(b.bytes);
}
END_TEST

/* The same holds for gzip streams, whose size shows only at their end: every 97th length, the
 * whole, and one byte more. */
START_TEST(truncated_streams)
{
  blob b = small_file(false);
  ms_graph *graph;
  size_t whole = b.size;
  b.bytes[whole] = 0;
  for (b.size = 4; b.size <= whole + 1; b.size += b.size < whole - 4 ? 97 : 1) {
    const char *path = files_write_gzip("bad.gz", (const char *)b.bytes, b.size, 1);
    ms_status status = ms_graph_read(path, NULL, &graph, &err);
    ck_assert_int_eq(status, b.size == whole ? MS_OK : MS_ERR_INPUT);
    ck_assert(b.size >= whole || strstr(err.message, "is cut off"));
    ck_assert(b.size <= whole || strstr(err.message, "continues after its end"));
    ms_graph_free(graph);
  }
  free(b.bytes);
}
END_TEST

/* Any mechanical damage (malform.h) of a file is refused or gives a valid graph. */
START_TEST(mechanical_damage)
{
  blob b = small_file(false);
  ms_graph_options options = {.size = sizeof(ms_graph_options), .format = MS_FORMAT_BINARY};
  malform_damage("net.msb", (const char *)b.bytes, b.size, malform_read_graph, &options);
  free(b.bytes);
}
END_TEST

/* ---- lies ---------------------------------------------------------------------
 * Files whose checksums are right, and whose content is not. */

typedef struct file {
  blob b;
  ms_binary_header *header; /* in b */
  ms_binary_layout layout;
  uint64_t *offset;
  uint32_t *neighbor;
  uint64_t *start, *color_start;
  char *pool, *color_pool;
  ms_name_slot *slot, *color_slot;
  uint32_t (*pair)[2];
} file;

static file view_file(blob b)
{
  file f = {.b = b, .header = (ms_binary_header *)b.bytes};
  ck_assert(ms_binary_lay_out(f.header, &f.layout));
  void *section[MS_BINARY_SECTIONS];
  for (int s = 0; s < MS_BINARY_SECTIONS; s++)
    section[s] = b.bytes + f.layout.at[s];
  f.offset = section[MS_BINARY_OFFSETS];
  f.neighbor = section[MS_BINARY_NEIGHBORS];
  f.start = section[MS_BINARY_NAME_STARTS];
  f.pool = section[MS_BINARY_NAME_POOL];
  f.slot = section[MS_BINARY_NAME_TABLE];
  f.color_start = section[MS_BINARY_COLOR_STARTS];
  f.color_pool = section[MS_BINARY_COLOR_POOL];
  f.color_slot = section[MS_BINARY_COLOR_TABLE];
  f.pair = section[MS_BINARY_PAIRS];
  return f;
}

static void seal_header(file *f)
{
  f->header->crc32c = ms_crc32c(0, f->header, offsetof(ms_binary_header, crc32c));
}

/* Make all checksums right again. */
static void seal(file *f)
{
  uint32_t *sums = (uint32_t *)(f->b.bytes + f->layout.body);
  seal_header(f);
  for (uint64_t c = 0; c < f->layout.chunks; c++) {
    uint64_t at = c * MS_BINARY_CHUNK, left = f->layout.body - at;
    sums[c] = ms_crc32c(0, f->b.bytes + at, left < MS_BINARY_CHUNK ? left : MS_BINARY_CHUNK);
  }
  sums[f->layout.chunks] = ms_crc32c(0, sums, 4 * f->layout.chunks);
}

static ms_name_slot *slot_of(ms_name_slot *table, uint64_t slots, uint32_t id)
{
  for (uint64_t i = 0; i < slots; i++)
    if (table[i].id == id)
      return &table[i];
  ck_abort_msg("no slot of %u", id);
  return NULL;
}

static ms_name_slot *slot_at(file *f, uint32_t id)
{
  return slot_of(f->slot, f->header->name_slots, id);
}

/* The table that the names as they stand would have, alike or not. */
static void hash_again(ms_name_slot *table, uint64_t slots, const char *pool, const uint64_t *start,
                       uint32_t count)
{
  memset(table, 0xFF, slots * sizeof *table);
  for (uint32_t id = 0; id < count; id++) {
    const char *name = pool + start[id];
    uint64_t key = ms_name_key(name, strlen(name)), at = ms_name_home(key, slots);
    while (table[at].id != MS_NO_ID)
      at = (at + 1) & (slots - 1);
    table[at] = (ms_name_slot){key, ms_name_slot_length(strlen(name)), id};
  }
}

static void hash_names(file *f)
{
  hash_again(f->slot, f->header->name_slots, f->pool, f->start, f->header->vertices);
}

/* A file whose table holds names that collide, as no writer makes it: the graph is read, and the
 * table is not probed, so that MANY_ALIKE names are found at once. */
START_TEST(a_table_of_colliding_names)
{
  enum { MANY_ALIKE = 20000 };
  ms_graph *graph = NULL, *again = NULL;
  uint64_t state = 1;
  uint32_t(*edge)[2] = calloc(MANY_ALIKE, sizeof *edge);
  char(*text)[17] = calloc(MANY_ALIKE, sizeof *text);
  const char **names = calloc(MANY_ALIKE, sizeof *names);
  ck_assert(edge && text && names);
  for (uint32_t v = 0; v < MANY_ALIKE; v++) {
    edge[v][1] = v;
    snprintf(text[v], sizeof text[v], "%016u", v);
    names[v] = text[v];
  }
  ck_ok(
      ms_graph_from_edges(MANY_ALIKE, MANY_ALIKE, (const uint32_t(*)[2])edge, names, &graph, &err));
  file f = view_file(written(graph, NULL));
  for (uint32_t v = 0; v < MANY_ALIKE; v++)
    collide_long_name(&state, 0x21, f.pool + f.start[v]);
  hash_names(&f);
  seal(&f);
  clock_t begin = clock();
  ck_ok(ms_graph_read(write_blob("alike.msb", f.b), NULL, &again, &err));
  for (int round = 0; round < 10; round++)
    for (uint32_t v = 0; v < MANY_ALIKE; v++)
      ck_assert_uint_eq(ms_graph_find(again, f.pool + f.start[v]), v);
  ck_assert_int_lt((clock() - begin) / CLOCKS_PER_SEC, 5);
  ms_graph_free(again);

  collide_long_name(&(uint64_t){1}, 0x21, f.pool + f.start[7]); /* the name of vertex 0 */
  seal(&f);
  ck_assert_int_eq(ms_graph_read(write_blob("alike.msb", f.b), NULL, &again, &err), MS_ERR_INPUT);
  ck_assert_msg(strstr(err.message, "the name of vertex 7 occurs a second time"), "%s",
                err.message);
  ms_graph_free(graph);
  free(f.b.bytes);
  free(edge);
  free(text);
  free(names);
}
END_TEST

/* Headers.  Those that say something else of the sizes get no new checksums
 * behind the header: the file has to be refused before they are looked for. */
static void other_magic(file *f)
{
  f->header->magic[1] = 'm';
}
static void converted_lines(file *f)
{
  f->header->magic[4] = '\n';
}
static void other_order(file *f)
{
  f->header->order = 0x04030201u;
}
static void no_order(file *f)
{
  f->header->order = 0x01020305u;
}
static void newer_version(file *f)
{
  f->header->version = 3;
}
static void no_version(file *f)
{
  f->header->version = 0;
}
static void unknown_flag(file *f)
{
  f->header->flags |= 8;
}
static void scores_of_version_1(file *f)
{
  f->header->flags |= MS_BINARY_SCORED;
}
static void version_2_without_scores(file *f)
{
  f->header->version = 2;
}
static void unused_word(file *f)
{
  f->header->zero[9] = 1;
}
static void many_vertices(file *f)
{
  f->header->vertices = UINT32_MAX;
}
static void many_colors(file *f)
{
  f->header->colors = UINT32_MAX;
}
static void arcs_overflow(file *f)
{
  f->header->arcs = UINT64_MAX / 4 + 1;
}
static void arcs_near_overflow(file *f)
{
  f->header->arcs = UINT64_MAX / 4;
}
static void slots_overflow(file *f)
{
  f->header->name_slots = (uint64_t)1 << 63;
}
static void bytes_overflow(file *f)
{
  f->header->name_bytes = UINT64_MAX - 300;
}
static void pairs_overflow(file *f)
{
  f->header->pairs = UINT64_MAX / 8;
}
static void odd_slots(file *f)
{
  f->header->name_slots = 100;
}
static void no_slots(file *f)
{
  f->header->name_slots = 0;
}
static void few_slots(file *f)
{
  f->header->name_slots = 4;
}
static void no_color_slots(file *f)
{
  f->header->color_slots = 0;
}
static void color_without_flag(file *f)
{
  f->header->flags = 0;
}
static void more_arcs(file *f)
{
  f->header->arcs += 200;
}
static void other_size(file *f)
{
  f->header->file_bytes++;
}
static void claims_terabytes(file *f)
{
  ms_binary_layout layout;
  f->header->arcs = (uint64_t)1 << 42;
  ck_assert(ms_binary_lay_out(f->header, &layout));
  f->header->file_bytes = layout.file_bytes;
}

/* Rows.  0: 1 2 4; 1: 0 2; 2: 0 1 5; 3: none; 4: 0; 5: 2 */
static void offsets_begin_late(file *f)
{
  f->offset[0] = 1;
}
static void offsets_decrease(file *f)
{
  f->offset[2] = 2;
}
static void offsets_lead_behind(file *f)
{
  f->offset[3] = 11;
}
static void offsets_lead_far(file *f)
{
  f->offset[6] = UINT64_MAX / 8;
}
static void offsets_end_early(file *f)
{
  f->offset[6] = f->offset[5] = 9;
}
static void no_such_vertex(file *f)
{
  f->neighbor[2] = SMALL_N;
}
static void far_vertex(file *f)
{
  f->neighbor[9] = UINT32_MAX;
}
static void self_loop(file *f)
{
  f->neighbor[3] = 1, f->neighbor[4] = 2;
}
static void repeated_neighbor(file *f)
{
  f->neighbor[4] = 0;
}
static void unsorted_row(file *f)
{
  f->neighbor[0] = 2, f->neighbor[1] = 1;
}
static void one_way(file *f)
{
  f->neighbor[9] = 3;
}
static void other_way(file *f)
{
  f->neighbor[8] = 1;
} /* 4 - 1 instead of 4 - 0 */
static void swapped_ends(file *f)
{
  f->neighbor[8] = 2, f->neighbor[9] = 0;
}

/* Names.  Starts: 0, 2, 6, 9, ... */
static void names_begin_late(file *f)
{
  f->start[0] = 1;
}
static void starts_decrease(file *f)
{
  f->start[2] = 1;
}
static void start_behind(file *f)
{
  f->start[3] = f->header->name_bytes + 1;
}
static void last_start_behind(file *f)
{
  f->start[5] = f->header->name_bytes;
}
static void no_end(file *f)
{
  f->pool[1] = 'x';
}
static void last_has_no_end(file *f)
{
  f->pool[f->header->name_bytes - 1] = 'x';
}
static void control_character(file *f)
{
  f->pool[0] = '\t', hash_names(f);
}
static void bad_utf8(file *f)
{
  f->pool[f->start[2]] = '\xE9', hash_names(f);
}
static void name_in_name(file *f)
{
  f->pool[f->start[1] + 1] = '\0';
}
static void empty_name(file *f)
{
  f->start[1] = 1;
  f->pool[0] = '\0', hash_names(f);
}
/* Other names, one after another from vertex `from` on, that fill the pool. */
static void rename_from(file *f, uint32_t from, const char *const *names)
{
  char *at = f->pool + f->start[from];
  for (uint32_t v = from; v < SMALL_N; v++, names++) {
    f->start[v] = (uint64_t)(at - f->pool);
    at = stpcpy(at, *names) + 1;
  }
  ck_assert_ptr_eq(at, f->pool + f->header->name_bytes);
  hash_names(f);
}

static void name_twice(file *f)
{
  static const char *const names[] = {"b", "b", "a name of more than eight bytes++", "YAL001C",
                                      "\xE2\x82\xAC\xF0\x9F\x90\x9F and more+"};
  rename_from(f, 1, names);
}
static void long_name_twice(file *f)
{
  static const char *const names[] = {"123456789 123456789", "123456789 and so",
                                      "123456789 123456789"};
  rename_from(f, 3, names);
}
static void foreign_slot(file *f)
{
  slot_at(f, 2)->id = SMALL_N;
}
static void far_slot(file *f)
{
  slot_at(f, 2)->id = UINT32_MAX - 1;
}
static void lost_slot(file *f)
{
  slot_at(f, 2)->id = MS_NO_ID;
}
static void doubled_slot(file *f)
{
  *slot_at(f, MS_NO_ID) = *slot_at(f, 2);
}
static void stolen_slot(file *f)
{
  slot_at(f, 2)->id = 3;
}
static void wrong_key(file *f)
{
  slot_at(f, 1)->key++;
}
static void wrong_hash(file *f)
{
  slot_at(f, 3)->key++;
}
static void wrong_length(file *f)
{
  slot_at(f, 3)->length++;
}
static void moved_slot(file *f)
{
  ms_name_slot *from = slot_at(f, 1), *to = NULL;
  for (uint64_t i = f->header->name_slots; i-- > 0 && !to;) /* behind an empty one */
    if (f->slot[i].id == MS_NO_ID && f->slot[i - 1].id == MS_NO_ID)
      to = &f->slot[i];
  *to = *from;
  *from = (ms_name_slot){0, 0, MS_NO_ID};
}

/* Colours.  Pairs: (0, 0) (0, 1) (1, 2) (3, 0) (5, 1) */
static void color_of_nobody(file *f)
{
  f->pair[4][0] = SMALL_N;
}
static void no_such_color(file *f)
{
  f->pair[2][1] = SMALL_COLORS;
}
static void colors_unsorted(file *f)
{
  f->pair[3][0] = 0;
}
static void color_twice(file *f)
{
  f->pair[1][1] = 0;
}
static void color_control(file *f)
{
  f->color_pool[0] = '\x01';
  hash_again(f->color_slot, f->header->color_slots, f->color_pool, f->color_start, SMALL_COLORS);
}
static void color_lost(file *f)
{
  slot_of(f->color_slot, f->header->color_slots, 1)->key ^= 1;
}
static void color_start_behind(file *f)
{
  f->color_start[2] = UINT64_MAX;
}

enum { ALL, HEADER };
static const struct lie {
  void (*tell)(file *f);
  int seals; /* ALL checksums, or that of the HEADER only */
  const char *part;
} lies[] = {
    {other_magic, HEADER, "is not a binary graph file of motifsieve"},
    {converted_lines, HEADER, "was damaged in transfer, probably by a conversion of line ends"},
    {other_order, HEADER, "was written in the opposite (big-endian) byte order"},
    {no_order, HEADER, "is damaged in its header"},
    {newer_version, ALL,
     "was written by a newer version of motifsieve (format 3, this one reads up "
     "to 2); update motifsieve"},
    {no_version, ALL, "uses features that this version does not know"},
    {unknown_flag, ALL, "uses features that this version does not know"},
    {scores_of_version_1, ALL, "uses features that this version does not know"},
    {version_2_without_scores, ALL, "uses features that this version does not know"},
    {unused_word, ALL, "uses features that this version does not know"},
    {many_vertices, HEADER, "has more names than there are ids"},
    {many_colors, HEADER, "has more names than there are ids"},
    {arcs_overflow, HEADER, "has sections that no memory can hold"},
    {arcs_near_overflow, HEADER, "has sections that no memory can hold"},
    {slots_overflow, HEADER, "has sections that no memory can hold"},
    {bytes_overflow, HEADER, "has sections that no memory can hold"},
    {pairs_overflow, HEADER, "has sections that no memory can hold"},
    {odd_slots, HEADER, "has a table of vertex names of an impossible size"},
    {no_slots, HEADER, "has a table of vertex names of an impossible size"},
    {few_slots, HEADER, "has a table of vertex names of an impossible size"},
    {no_color_slots, HEADER, "has a table of colour names of an impossible size"},
    {color_without_flag, HEADER, "has colours, and says that it has none"},
    {more_arcs, HEADER, "has sections that do not add up to its size"},
    {other_size, HEADER, "has sections that do not add up to its size"},
    {claims_terabytes, HEADER, "is cut off: "},
    {offsets_begin_late, ALL, "the offsets do not begin at 0 at vertex 0"},
    {offsets_decrease, ALL, "the offsets decrease at vertex 1"},
    {offsets_lead_behind, ALL, "the offsets lead beyond the neighbours at vertex 2"},
    {offsets_lead_far, ALL, "the offsets lead beyond the neighbours at vertex 5"},
    {offsets_end_early, ALL, "the offsets do not end with the neighbours"},
    {no_such_vertex, ALL, "a neighbour that is not a vertex at vertex 0"},
    {far_vertex, ALL, "a neighbour that is not a vertex at vertex 5"},
    {self_loop, ALL, "a self-loop at vertex 1"},
    {repeated_neighbor, ALL, "a repeated neighbour at vertex 1"},
    {unsorted_row, ALL, "neighbours that are not in ascending order at vertex 0"},
    {one_way, ALL, "a neighbour without the reverse edge at vertex 2"},
    {other_way, ALL, "a neighbour without the reverse edge at vertex 0"},
    {swapped_ends, ALL, "a neighbour without the reverse edge at vertex 0"},
    {names_begin_late, ALL, "the name of vertex 0 does not begin where a name begins"},
    {starts_decrease, ALL,
     "the name of vertex 1 lies outside the table of names, or overlaps another name"},
    {start_behind, ALL,
     "the name of vertex 2 lies outside the table of names, or overlaps another name"},
    {last_start_behind, ALL, "the name of vertex 4 "},
    {no_end, ALL, "the name of vertex 0 has no end"},
    {last_has_no_end, ALL, "the name of vertex 5 has no end"},
    {control_character, ALL, "the name of vertex 0 holds a control character"},
    {bad_utf8, ALL, "the name of vertex 2 is not valid UTF-8"},
    {name_in_name, ALL, "the name of vertex 1 holds a control character"},
    {empty_name, ALL, "the name of vertex 0 is empty"},
    {name_twice, ALL, "the name of vertex 2 occurs a second time"},
    {long_name_twice, ALL, "the name of vertex 5 occurs a second time"},
    {foreign_slot, ALL, "the table of names leads to a vertex that does not exist"},
    {far_slot, ALL, "the table of names leads to a vertex that does not exist"},
    {lost_slot, ALL,
     "the table of names has 5 entries, but the number of names is 6 (vertex names)"},
    {doubled_slot, ALL, "the table of names has 7 entries, but the number of names is 6"},
    {stolen_slot, ALL, "the name of vertex 2 is not found by the table of names"},
    {wrong_key, ALL, "the name of vertex 1 is not found by the table of names"},
    {wrong_hash, ALL, "the name of vertex 3 is not found by the table of names"},
    {wrong_length, ALL, "the name of vertex 3 is not found by the table of names"},
    {moved_slot, ALL, "the name of vertex 1 is not found by the table of names"},
    {color_of_nobody, ALL, "the colour of vertex 6, 1, belongs to a vertex that does not exist"},
    {no_such_color, ALL, "the colour of vertex 1, 3, is a colour that does not exist"},
    {colors_unsorted, ALL, "the colour of vertex 0, 0, is out of order"},
    {color_twice, ALL, "the colour of vertex 0, 0, is out of order"},
    {color_control, ALL, "the name of colour 0 holds a control character"},
    {color_lost, ALL, "the name of colour 1 is not found by the table of names"},
    {color_start_behind, ALL, "the name of colour 1 lies outside the table of names"},
};

/* Each of 64 kinds of files with right checksums and wrong content is refused for its reason, by 1
 * and by 3 threads. */
START_TEST(lies_are_refused)
{
  blob good = small_file(true);
  ms_graph_options options = {.size = sizeof(ms_graph_options), .format = MS_FORMAT_BINARY};
  for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
    file f = view_file(copy_blob(good));
    lies[i].tell(&f);
    if (lies[i].seals == ALL)
      seal(&f);
    else
      seal_header(&f);
    for (options.run.threads = 1; options.run.threads < 4; options.run.threads += 2) {
      ck_refused(read_status(f.b, &options), i);
      ck_assert_msg(strstr(err.message, lies[i].part), "lie %zu: no '%s': %s", i, lies[i].part,
                    err.message);
    }
    free(f.b.bytes);
  }
  file same = view_file(copy_blob(good)); /* sealing again changes nothing */
  hash_names(&same);
  seal(&same);
  ck_assert_int_eq(memcmp(same.b.bytes, good.bytes, good.size), 0);
  free(same.b.bytes);
  free(good.bytes);
}
END_TEST

/* A changed byte is reported with the chunk that it lies in, and a changed checksum as such. */
START_TEST(checksums_name_the_place)
{
  ms_graph *graph = random_graph(100000, 400000, 5);
  blob b = written(graph, NULL);
  file f = view_file(b);
  ck_assert_uint_gt(f.layout.chunks, 3);
  b.bytes[MS_BINARY_CHUNK * 2 + 77] ^= 1;
  ck_refused(read_status(b, NULL), 0);
  ck_assert_msg(strstr(err.message, "is damaged somewhere in bytes 2097152 to 3145727"), "%s",
                err.message);
  b.bytes[MS_BINARY_CHUNK * 2 + 77] ^= 1;
  b.bytes[f.layout.body] ^= 1;
  ck_refused(read_status(b, NULL), 0);
  ck_assert_msg(strstr(err.message, "is damaged in its checksums"), "%s", err.message);
  free(b.bytes);
  ms_graph_free(graph);
}
END_TEST

/* An arc that leads elsewhere is noticed wherever it stands, though only the fingerprint of rows
 * can see it: up to 60 random arcs of a graph of 300,000 vertices. */
START_TEST(no_asymmetry_passes)
{
  ms_graph *graph = random_graph(300000, 500000, 6);
  blob b = written(graph, NULL);
  file f = view_file(b);
  uint64_t state = 9;
  for (int i = 0; i < 60; i++) {
    uint64_t a = random_next(&state) % (f.header->arcs - 1);
    uint32_t had = f.neighbor[a], next = f.neighbor[a + 1];
    if (had + 1 >= next || had + 1 >= f.header->vertices)
      continue; /* no room in its row (or it ends there) */
    f.neighbor[a]++;
    seal(&f);
    ck_refused(read_status(b, NULL), a);
    ck_assert_msg(strstr(err.message, "without the reverse edge") ||
                      strstr(err.message, "self-loop"),
                  "%s", err.message);
    f.neighbor[a] = had;
  }
  free(b.bytes);
  ms_graph_free(graph);
}
END_TEST

/* A row that goes on in the next thread's part must go on ascending: a star of 600,000 leaves, with
 * a repeated and a smaller neighbour at each boundary. */
START_TEST(rows_ascend_across_parts)
{
  enum { LEAVES = 600000, PART = 1 << 18 };
  uint32_t(*edges)[2] = malloc(LEAVES * sizeof *edges);
  ms_graph *graph;
  ck_assert_ptr_nonnull(edges);
  for (uint32_t e = 0; e < LEAVES; e++) {
    edges[e][0] = 0;
    edges[e][1] = e + 1;
  }
  ck_ok(ms_graph_from_edges(LEAVES + 1, LEAVES, (const uint32_t(*)[2])edges, NULL, &graph, &err));
  free(edges);
  blob b = written(graph, NULL);
  file f = view_file(b);
  for (uint64_t at = PART; at < LEAVES; at += PART) {
    uint32_t had = f.neighbor[at];
    for (uint32_t back = 1; back < 3; back++) {
      f.neighbor[at] = f.neighbor[at - back];
      seal(&f);
      ck_refused(read_status(b, NULL), at);
      ck_assert_msg(
          strstr(err.message, back == 1 ? "a repeated neighbour at vertex 0"
                                        : "neighbours that are not in ascending order at vertex 0"),
          "%s", err.message);
    }
    f.neighbor[at] = had;
  }
  seal(&f);
  ck_ok(read_status(b, NULL));
  free(b.bytes);
  ms_graph_free(graph);
}
END_TEST

/* A file with one to three random changes and right checksums is refused or gives a valid graph:
 * 6,000 files. */
START_TEST(random_lies)
{
  static const uint64_t words[] = {0,  1,  5,          6,          7,
                                   63, 64, UINT32_MAX, UINT64_MAX, (uint64_t)1 << 32};
  blob good = small_file(true);
  uint64_t state = 10;
  int accepted = 0, rounds = (int)(6000 * test_scale());
  for (int round = 0; round < rounds; round++) {
    file f = view_file(copy_blob(good));
    uint64_t changes = 1 + random_next(&state) % 3;
    for (uint64_t c = 0; c < changes; c++) {
      /* half of them in front of the tables, where most bytes mean something */
      uint64_t room = random_next(&state) % 2 ? f.layout.at[MS_BINARY_NAME_TABLE] : f.layout.body;
      uint64_t at = 8 + random_next(&state) % (room - 16), word = random_next(&state);
      if (word % 4 == 0)
        f.b.bytes[at] = (unsigned char)(word >> 8);
      else if (word % 4 == 1)
        f.b.bytes[at] ^= (unsigned char)(1 << (word >> 8) % 8);
      else
        memcpy(f.b.bytes + at / 8 * 8, &words[(word >> 8) % 10], word % 4 == 2 ? 4 : 8);
    }
    seal(&f);
    ms_status status = read_status(f.b, NULL);
    accepted += status == MS_OK;
    if (status != MS_OK)
      ck_refused(status, (size_t)round);
    free(f.b.bytes);
  }
  /* gaps between sections and keys of empty slots mean nothing */
  ck_assert_int_gt(rounds, accepted);
  free(good.bytes);
}
END_TEST

/* ---- the scan of rows -------------------------------------------------------- */

static uint64_t slow_sum(ms_row_key key, uint32_t u, const uint32_t *row, uint64_t count)
{
  uint64_t sum = 0;
  for (uint64_t i = 0; i < count; i++)
    sum = row[i] < u ? sum - ms_row_number(key, row[i]) : sum + ms_row_number(key, row[i]);
  return sum;
}

static void check_scan(ms_row_scan scan, uint64_t *state)
{
  enum { MOST = 70 };
  uint32_t row[MOST + 1];
  ms_row_key key = ms_row_key_new();
  for (uint64_t count = 1; count < MOST; count++) {
    bool wrong = false, high = random_next(state) % 2; /* ids above 2^31 compare unsigned */
    uint32_t last = high ? 0x7FFFFF00u : 0;
    for (uint64_t i = 0; i < count; i++)
      row[i] = last += 2 + (uint32_t)(random_next(state) % 9);
    row[count] = 0; /* behind the end: of no importance */
    uint32_t u = row[random_next(state) % count] + 1;
    ck_assert_uint_eq(scan(key, u, row, count, &wrong), slow_sum(key, u, row, count));
    ck_assert(!wrong);
    for (uint64_t i = 0; i < count; i++) {
      scan(key, row[i], row, count, &wrong);
      ck_assert_msg(wrong, "vertex %llu of %llu is the row's own", (unsigned long long)i,
                    (unsigned long long)count);
      wrong = false;
    }
    for (uint64_t i = 1; i < count; i++) {
      uint32_t had = row[i];
      row[i] = random_next(state) % 2 ? row[i - 1] : row[i - 1] - 1;
      scan(key, u, row, count, &wrong);
      ck_assert_msg(wrong, "place %llu of %llu does not ascend", (unsigned long long)i,
                    (unsigned long long)count);
      row[i] = had;
      wrong = false;
    }
  }
}

/* The portable and the selected scan of rows give the sums of a simple loop, and notice the row's
 * own vertex and any place that does not ascend: 20 rounds of rows of 1 to 69 neighbours. */
START_TEST(scans_agree)
{
  uint64_t state = 12;
  for (int round = 0; round < 20; round++) {
    check_scan(ms_row_scan_portable, &state);
    check_scan(ms_row_scan_select(), &state);
  }
}
END_TEST

/* Keys of two scans differ, and so do the sums of 1,000 pairs of rows with equal sums and sums of
 * squares. */
START_TEST(numbers_are_mixed)
{
  ms_row_key a = ms_row_key_new(), b = ms_row_key_new();
  ck_assert(a.mask != b.mask || a.factor != b.factor);
  for (uint32_t v = 0; v < 1000; v++) {
    ck_assert_uint_ne(ms_row_number(a, v), ms_row_number(a, v + 1));
    /* {v, v + 5, v + 6} and {v + 1, v + 3, v + 7}: the same sum and sum of squares */
    uint64_t x = ms_row_number(a, v) + ms_row_number(a, v + 5) + ms_row_number(a, v + 6);
    uint64_t y = ms_row_number(a, v + 1) + ms_row_number(a, v + 3) + ms_row_number(a, v + 7);
    ck_assert_uint_ne(x, y);
  }
}
END_TEST

/* ---- memory -------------------------------------------------------------------- */

/* Whichever allocation fails while a graph is written and read, plain or compressed, the call
 * reports it and leaks no block; in a file that is being finished it is an error of the output. */
START_TEST(every_allocation_may_fail)
{
  static const char *const names[] = {"x.msb", "x.msb.gz", "x.msb.zst"};
  ms_graph *graph = small_graph();
  ms_coloring *coloring = small_coloring(graph);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const char *path = files_path(names[i]);
    ms_status status = MS_ERR_MEMORY;
    for (long at = 1; status != MS_OK; at++) {
      meter m = {.fail_at = at};
      ms_graph *read = NULL;
      meter_start(&m);
      ms_status wrote = ms_graph_write(graph, coloring, MS_FORMAT_BINARY, path, &err);
      status = wrote == MS_OK ? ms_graph_read(path, NULL, &read, &err) : wrote;
      ms_graph_free(read);
      meter_stop();
      ck_assert_msg(status == MS_OK || status == MS_ERR_MEMORY || wrote == MS_ERR_OUTPUT, "%s",
                    err.message);
      ck_assert_int_eq(m.live, 0);
      ck_assert_int_lt(at, 200);
    }
  }
  ms_coloring_free(coloring);
  ms_graph_free(graph);
}
END_TEST

/* A few bytes that claim terabytes make the reader ask for no block above 64 MiB. */
START_TEST(claims_are_not_believed)
{
  file f = view_file(small_file(false));
  meter m = {0};
  ms_graph *graph;
  claims_terabytes(&f);
  seal_header(&f);
  const char *path = files_write_gzip("bad.gz", (const char *)f.b.bytes, f.b.size, 1);
  meter_start(&m);
  ms_status status = ms_graph_read(path, NULL, &graph, &err);
  meter_stop();
  ck_assert_int_eq(status, MS_ERR_INPUT);
  ck_assert_ptr_nonnull(strstr(err.message, "is cut off"));
  ck_assert_uint_le(m.largest, (size_t)64 << 20);
  ck_assert_int_eq(m.live, 0);
  free(f.b.bytes);
}
END_TEST

TEST_MAIN("format: binary", TEST(small_round_trips), TEST(odd_sizes), TEST(large_round_trip),
          TEST(layout_is_as_documented), TEST(keys_are_as_documented), TEST(same_from_everywhere),
          TEST(large_through_zstd), TEST(file_may_be_replaced),
          TEST(names_of_a_file_stay_as_they_are), TEST(every_flipped_byte), TEST(every_truncation),
          TEST(truncated_streams), TEST(mechanical_damage), TEST(lies_are_refused),
          TEST(checksums_name_the_place), TEST(no_asymmetry_passes), TEST(rows_ascend_across_parts),
          TEST(random_lies), TEST(scans_agree), TEST(numbers_are_mixed),
          TEST(every_allocation_may_fail), TEST(claims_are_not_believed),
          TEST(a_table_of_colliding_names))
