/* Sorted runs in temporary files: merging gives the rows of the builder in memory, readers use runs
 * when memory ends, and damage is seen. */
#include "base/alloc.h"
#include "base/file/temporary.h"
#include "base/meter.h"
#include "graph/graph.h"
#include "graph/runs.h"
#include "tests/support/files.h"
#include "tests/support/graphs/validate.h"
#include "tests/support/random.h"
#include "tests/support/test_main.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static ms_error err;

static const char *folder(void)
{
  static char path[512];
  snprintf(path, sizeof path, "%s", files_path("x"));
  *strrchr(path, '/') = '\0';
  return path;
}

/* ---- merging ----------------------------------------------------------------- */

/* Half of the ends are among few vertices, so that rows are long and edges repeat. */
static uint32_t random_end(uint64_t *state, uint32_t n)
{
  uint32_t few = n < 5 ? n : 5;
  return random_below(state, random_below(state, 2) ? n : few);
}

static void compare_with_builder(uint32_t n, uint64_t m, uint64_t portion, uint64_t *state)
{
  uint32_t(*edge)[2] = calloc(m, sizeof *edge);
  const uint32_t(*edges)[2] = (const uint32_t(*)[2])edge;
  ms_rows expected, rows;
  ms_image file;
  ms_runs *runs;
  uint64_t bytes;
  for (uint64_t e = 0; e < m; e++)
    for (int i = 0; i < 2; i++)
      edge[e][i] = random_end(state, n);
  ck_ok(ms_rows_build(&(ms_row_edges){.n = n, .m = m, .edge = edges}, 1, &expected, &err));
  ck_ok(ms_runs_new(&(ms_runs_options){.folder = folder()}, &runs, &err));
  for (uint64_t e = 0; e < m; e += portion) {
    uint32_t seen = 1; /* later vertices are not known yet */
    uint64_t end = e + portion < m ? e + portion : m;
    for (uint64_t i = 0; i < end; i++)
      for (int j = 0; j < 2; j++)
        seen = edge[i][j] >= seen ? edge[i][j] + 1 : seen;
    ck_ok(ms_runs_add(runs, seen, end - e, edges + e, &err));
  }
  ck_assert_uint_eq(ms_runs_count(runs, &bytes), (m + portion - 1) / portion);
  ck_ok(ms_runs_merge(runs, n, &rows, &file, &err));
  ck_assert_mem_eq(rows.offset, expected.offset, (n + 1) * sizeof *rows.offset);
  ck_assert_mem_eq(rows.neighbor, expected.neighbor, rows.offset[n] * sizeof *rows.neighbor);
  ck_assert_uint_eq(rows.self_loops, expected.self_loops);
  ck_assert_uint_eq(rows.repeats, expected.repeats);
  ck_assert_uint_eq(rows.max_degree, expected.max_degree);
  ck_assert_int_eq(files_count(), 0);
  if (!file.bytes)
    ms_free(rows.neighbor);
  ms_free(rows.offset);
  ms_image_free(&file);
  ms_rows_free(&expected);
  ms_runs_free(runs);
  free(edge);
}

/* 300 random graphs in 1 to 200 portions: the rows, loops, repeats and the highest degree are those
 * of ms_rows_build.  More than 64 runs are merged in several steps. */
START_TEST(merging_is_building)
{
  uint64_t state = 20;
  for (uint64_t i = 0; i < scaled(300); i++) {
    uint32_t n = 1 + random_below(&state, i % 2 ? 8 : 300);
    uint64_t m = 1 + random_below(&state, 2000), portions = 1 + random_below(&state, 200);
    compare_with_builder(n, m, (m + portions - 1) / portions, &state);
  }
  compare_with_builder(1, 3, 1, &state); /* only loops */
  compare_with_builder(60000, 100000, 9000, &state);
}
END_TEST

/* Where memory is too little to sort a portion, it is sorted in parts. */
START_TEST(portions_are_halved)
{
  enum { N = 1000, M = 1 << 20 };
  uint64_t state = 7, bytes;
  ms_meter meter;
  ms_runs *runs;
  uint32_t(*edge)[2] = ms_alloc(M, sizeof *edge);
  for (uint64_t e = 0; e < M; e++)
    for (int i = 0; i < 2; i++)
      edge[e][i] = random_below(&state, N);
  ms_rows expected, rows;
  ms_image file;
  const ms_row_edges all = {.n = N, .m = M, .edge = (const uint32_t(*)[2])edge};
  ck_ok(ms_rows_build(&all, 1, &expected, &err));
  ms_meter_open(&meter, MS_LEAST_READING, NULL, NULL);
  ck_assert(ms_meter_take(&meter, 12 << 20));
  ck_ok(ms_runs_new(&(ms_runs_options){.folder = folder(), .run.threads = 1}, &runs, &err));
  ck_ok(ms_runs_add(runs, N, M, all.edge, &err));
  ck_assert_uint_eq(ms_runs_count(runs, &bytes), 4);
  ck_ok(ms_runs_merge(runs, N, &rows, &file, &err));
  ck_assert_mem_eq(rows.neighbor, expected.neighbor, rows.offset[N] * sizeof *rows.neighbor);
  ck_assert_uint_eq(rows.repeats, expected.repeats);
  ms_free(rows.offset);
  ms_runs_free(runs);
  ms_meter_close(&meter);
  ms_image_free(&file);
  ms_rows_free(&expected);
  ms_free(edge);
}
END_TEST

/* ---- one run ------------------------------------------------------------------- */

#define LARGEST (UINT32_MAX - 2) /* the number of vertices that a graph may have */

/* Rows of vertices with numbers of up to 32 bits come back, through buffers that cut integers. */
START_TEST(runs_come_back)
{
  static const uint32_t vertex[] = {0, 1, 127, 128, 16384, 1u << 28, LARGEST - 1};
  enum { ROWS = sizeof vertex / sizeof *vertex, MOST = 9000 };
  uint64_t state = 3;
  uint32_t *row[ROWS], count[ROWS], got[MOST];
  ms_temporary *file;
  ms_run_writer writer;
  ck_ok(ms_temporary_open(folder(), &file, &err));
  ms_temporary_write(file, "before", 6);
  ms_run_begin(file, &writer);
  for (int r = 0; r < ROWS; r++) {
    count[r] = r == 3 ? MOST : 1 + random_below(&state, 50);
    row[r] = calloc(count[r], sizeof **row);
    uint32_t at = 0, stride = r % 2 ? (LARGEST - 1) / count[r] : 3;
    for (uint32_t i = 0; i < count[r]; i++, at += 1 + random_below(&state, stride))
      row[r][i] = at;
    ms_run_put(&writer, vertex[r], row[r], count[r]);
    ms_run_put(&writer, vertex[r] + (r < ROWS - 1), NULL, 0);
  }
  ms_temporary_write(file, "behind", 6);
  ck_ok(ms_temporary_flush(file, &err));
  for (size_t room = 10; room < 100000; room = room * 3 + 1) {
    ms_run_reader reader;
    ck_ok(ms_run_open(file, &writer.run, LARGEST, room, &reader, &err));
    for (int r = 0; r < ROWS; r++) {
      ck_assert_uint_eq(reader.vertex, vertex[r]);
      ck_assert_uint_eq(reader.count, count[r]);
      ck_ok(ms_run_take(&reader, got, &err));
      ck_assert_mem_eq(got, row[r], count[r] * sizeof *got);
    }
    ck_assert_uint_eq(reader.vertex, MS_NO_VERTEX);
    ms_run_close(&reader);
  }
  ms_temporary_close(file);
  for (int r = 0; r < ROWS; r++)
    free(row[r]);
}
END_TEST

/* Reads all rows of a run; a reader must never write more neighbours than it says. */
static ms_status read_all(const ms_temporary *file, const ms_run *run, uint32_t n)
{
  ms_run_reader reader;
  ms_status status = ms_run_open(file, run, n, 64, &reader, &err);
  while (status == MS_OK && reader.vertex != MS_NO_VERTEX) {
    uint32_t *row = malloc(reader.count * sizeof *row);
    status = ms_run_take(&reader, row, &err);
    free(row);
  }
  ms_run_close(&reader);
  return status;
}

/* Every flip of one bit, and every end that is cut off, is seen. */
START_TEST(damage_is_seen)
{
  enum { N = 400 };
  uint32_t row[N];
  unsigned char bytes[4096];
  ms_temporary *file, *copy;
  ms_run_writer writer;
  ck_ok(ms_temporary_open(folder(), &file, &err));
  ms_run_begin(file, &writer);
  for (uint32_t v = 0; v < N; v += 40) {
    uint32_t count = 0;
    for (uint32_t w = v % 7; w < N; w += 3 + v)
      row[count++] = w;
    ms_run_put(&writer, v, row, count);
  }
  ms_run run = writer.run;
  ck_ok(ms_temporary_flush(file, &err));
  ck_assert_uint_lt(run.bytes, sizeof bytes);
  ck_ok(ms_temporary_read(file, 0, bytes, run.bytes, &err));
  ck_ok(read_all(file, &run, N));
  for (uint64_t bit = 0; bit < 8 * run.bytes; bit++) {
    bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
    ck_ok(ms_temporary_open(folder(), &copy, &err));
    ms_temporary_write(copy, bytes, run.bytes);
    ck_ok(ms_temporary_flush(copy, &err));
    if (read_all(copy, &run, N) != MS_ERR_OUTPUT)
      ck_abort_msg("bit %u is not missed", (unsigned)bit);
    ms_temporary_close(copy);
    bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
  }
  for (ms_run cut = run; cut.bytes-- > 0;)
    if (read_all(file, &cut, N) != MS_ERR_OUTPUT)
      ck_abort_msg("a run of %u bytes passes", (unsigned)cut.bytes);
  ms_temporary_close(file);
}
END_TEST

/* Returns a descriptor of the temporary file that was opened last: one without a name in `folder`.
 */
static int descriptor_of_temporary(void)
{
  char link[64], target[512];
  for (int fd = 255; fd > 2; fd--) {
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, target, sizeof target - 1);
    target[length > 0 ? length : 0] = '\0';
    if (length > 0 && strncmp(target, folder(), strlen(folder())) == 0 &&
        strstr(target, "(deleted)") && (fcntl(fd, F_GETFL) & O_ACCMODE) == O_RDWR)
      return fd;
  }
  return -1;
}

/* A byte that changes on the disk before a file is mapped is noticed: 64 places in three buffers.
 */
START_TEST(a_changed_file_is_not_mapped)
{
  enum { BYTES = 700000 };
  static unsigned char bytes[BYTES];
  uint64_t state = 5;
  ms_temporary *file;
  void *map;
  for (size_t i = 0; i < BYTES; i++)
    bytes[i] = (unsigned char)random_next(&state);
  ck_ok(ms_temporary_open(folder(), &file, &err));
  int fd = descriptor_of_temporary();
  if (fd < 0) {
    ms_temporary_close(file);
    puts("SKIPPED: /proc/self/fd does not name files");
    return;
  }
  ms_temporary_write(file, bytes, BYTES);
  ck_ok(ms_temporary_flush(file, &err));
  for (int i = 0; i < 64; i++) {
    off_t at = (off_t)random_below(&state, BYTES);
    unsigned char changed = bytes[at] ^ (unsigned char)(1u << i % 8);
    ck_assert(pwrite(fd, &changed, 1, at) == 1);
    ck_assert_int_eq(ms_temporary_map(file, &map, &err), MS_ERR_OUTPUT);
    ck_assert_ptr_nonnull(strstr(err.message, "does not hold what was written"));
    ck_assert(pwrite(fd, bytes + at, 1, at) == 1);
    ck_ok(ms_temporary_map(file, &map, &err));
    ck_assert_mem_eq(map, bytes, BYTES);
    munmap(map, BYTES);
  }
  ms_temporary_close(file);
}
END_TEST

/* A full disk, a folder that is none: what to do is said. */
START_TEST(failures)
{
  ms_temporary *file;
  ck_assert_int_eq(ms_temporary_open("/nowhere/at/all", &file, &err), MS_ERR_OUTPUT);
  ck_assert_ptr_nonnull(strstr(err.message, "`scratch`"));
  ck_assert_ptr_null(file);
}
END_TEST

/* ---- readers ------------------------------------------------------------------- */

/* After ms_names_reserve, adding that many names allocates nothing; ms_names_growth is no less than
 * what it allocates. */
START_TEST(names_have_room)
{
  uint64_t state = 5;
  ms_names *names;
  ms_meter meter;
  ms_meter_open(&meter, UINT64_MAX / 4, NULL, NULL);
  ck_ok(ms_names_new(&names, &err));
  for (int round = 0; round < 40; round++) {
    uint64_t more = random_below(&state, 4000), held = (uint64_t)meter.held;
    char text[64];
    uint64_t bytes = 0, growth;
    uint32_t id, first = ms_names_count(names);
    for (uint64_t i = 0; i < more; i++)
      bytes += (uint64_t)snprintf(text, sizeof text, "%llu-%0*u", (unsigned long long)i, round,
                                  (unsigned)first);
    growth = ms_names_growth(names, more, bytes);
    meter.most = meter.held;
    ck_ok(ms_names_reserve(names, more, bytes, &err));
    ck_assert_uint_le((uint64_t)meter.most, held + growth + 4096 * (growth > 0));
    ck_assert_uint_eq(ms_names_growth(names, more, bytes), 0);
    held = (uint64_t)meter.held;
    for (uint64_t i = 0; i < more; i++) {
      int length =
          snprintf(text, sizeof text, "%llu-%0*u", (unsigned long long)i, round, (unsigned)first);
      ck_ok(ms_names_add(names, text, (size_t)length, &id, &err));
    }
    ck_assert_uint_eq((uint64_t)meter.held, held);
  }
  ms_names_free(names);
  ms_meter_close(&meter);
}
END_TEST

static void same_graphs(const ms_graph *a, const ms_graph *b)
{
  ck_assert_uint_eq(a->n, b->n);
  ck_assert_uint_eq(a->arcs, b->arcs);
  ck_assert_mem_eq(a->offset, b->offset, (a->n + 1) * sizeof *a->offset);
  ck_assert_mem_eq(a->neighbor, b->neighbor, a->arcs * sizeof *a->neighbor);
  ck_assert_uint_eq(a->info.self_loops, b->info.self_loops);
  ck_assert_uint_eq(a->info.duplicates, b->info.duplicates);
  ck_assert_uint_eq(a->info.max_degree, b->info.max_degree);
  ck_assert_uint_eq(a->info.lines, b->info.lines);
  ck_assert_uint_eq(a->info.crc32c, b->info.crc32c);
  ck_assert_uint_eq(a->info.edge_labels, b->info.edge_labels);
  for (uint32_t v = 0; v < a->n; v++)
    if (strcmp(ms_graph_name(a, v), ms_graph_name(b, v)) != 0)
      ck_abort_msg("vertex %u has two names", v);
}

enum { FORMS = 4 }; /* of text */

/* Writes about 700,000 edges among `n` vertices in one of the forms of text. */
static const char *write_text(int form, uint32_t n, uint32_t m)
{
  static const char *const between[] = {"\t", "\",\"", " interacts "};
  static const char *const names[] = {"net.tsv", "net.csv", "net.sif", "net.mtx"};
  const char *path = files_path(names[form]), *quote = form == 1 ? "\"" : "";
  uint64_t state = 11;
  FILE *file = fopen(path, "w");
  if (form == 3)
    fprintf(file, "%%%%MatrixMarket matrix coordinate pattern symmetric\n%u %u %u\n", n, n, m);
  for (uint32_t e = 0; e < m; e++) {
    uint32_t u = 1 + random_below(&state, n), v = 1 + random_below(&state, 1 + u / 3);
    if (form == 3)
      fprintf(file, "%u %u\n", u > v ? u : v, u > v ? v : u);
    else
      fprintf(file, "%sv%u%s%u%s\n", quote, u, between[form], v, quote);
  }
  fclose(file);
  return path;
}

/* Graphs in four forms that exceed the memory are the same as without a limit: with names, repeats
 * and loops, also where they are written as binary files, with one thread and with 64. */
START_TEST(readers_sort_outside)
{
  const char *path = write_text(_i % FORMS, 20000, 900000);
  char *out[2];
  ms_graph *graph[2];
  ms_graph_options options = MS_GRAPH_OPTIONS_DEFAULT;
  options.run.threads = _i < FORMS ? 1 : 64;
  ck_ok(ms_graph_read(path, &options, &graph[0], &err));
  options.run.memory = MS_LEAST_READING;
  ck_assert_int_eq(ms_graph_read(path, &options, &graph[1], &err), MS_ERR_MEMORY);
  options.scratch = folder();
  ck_ok(ms_graph_read(path, &options, &graph[1], &err));
  ck_assert_uint_eq(graph[0]->runs, 0);
  ck_assert_uint_gt(graph[1]->runs, 1);
  same_graphs(graph[0], graph[1]);
  ck_ok(validate_graph(graph[1], &err));
  for (int i = 0; i < 2; i++) {
    out[i] = strdup(files_path(i ? "b.msb" : "a.msb"));
    ck_ok(ms_graph_write(graph[i], NULL, MS_FORMAT_BINARY, out[i], &err));
    ms_graph_free(graph[i]);
    ck_ok(ms_graph_read(out[i], NULL, &graph[i], &err));
    free(out[i]);
  }
  ck_assert_uint_eq(graph[0]->info.crc32c, graph[1]->info.crc32c);
  ms_graph_free(graph[0]);
  ms_graph_free(graph[1]);
}
END_TEST

/* Where the names leave too little, the message says how much is needed. */
START_TEST(names_need_memory)
{
  const char *path = files_path("names.tsv");
  FILE *file = fopen(path, "w");
  for (uint32_t e = 0; e < 400000; e++)
    fprintf(file, "a%u\tb%u\n", e, e);
  fclose(file);
  ms_graph *graph;
  ms_graph_options options = MS_GRAPH_OPTIONS_DEFAULT;
  options.run.memory = MS_LEAST_READING;
  options.scratch = folder();
  ck_assert_int_eq(ms_graph_read(path, &options, &graph, &err), MS_ERR_MEMORY);
  ck_assert_ptr_nonnull(strstr(err.message, "names"));
  ck_assert_ptr_null(graph);
}
END_TEST

TEST_MAIN("graph: sorted runs", TEST(merging_is_building), TEST(portions_are_halved),
          TEST(runs_come_back), TEST(damage_is_seen), TEST(a_changed_file_is_not_mapped),
          TEST(failures), TEST(names_have_room), TEST_TIMES(readers_sort_outside, 2 * FORMS),
          TEST(names_need_memory))
