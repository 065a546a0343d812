/* Long results, whose rows several threads write (result/writer.h). */
#include "result/writer.h"
#include "tests/support/files.h"
#include "tests/support/test_main.h"
#include "tests/support/tool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

enum { VERTICES = 100, MOST = 1 << 25 };

/* The complete graph of VERTICES vertices, whose 161,700 triangles are 2 blocks and a part of one
 * behind the rows that one thread writes. */
static ms_graph *graph;
static ms_pattern_index *indexed;
static ms_pattern *pattern;
static ms_pattern_result *all;

static void open_graph(void)
{
  static char text[VERTICES * VERTICES * 8];
  ms_pattern_options run = MS_PATTERN_OPTIONS_DEFAULT;
  ms_error err;
  size_t used = 0;
  for (int u = 0; u < VERTICES; u++)
    for (int v = u + 1; v < VERTICES; v++)
      used += (size_t)snprintf(text + used, sizeof text - used, "v%d\tv%d\n", u, v);
  ck_ok(ms_graph_read(files_write_text("g.tsv", text), NULL, &graph, &err));
  ck_ok(ms_pattern_named("triangle", &pattern, &err));
  ck_ok(ms_pattern_index_new(graph, NULL, 2, &indexed, &err));
  ck_ok(ms_pattern_list(indexed, pattern, &run, &all, &err));
  ck_assert_uint_eq(all->matches, VERTICES * (VERTICES - 1) * (VERTICES - 2) / 6);
  ck_assert_uint_gt(all->matches, MS_BLOCKS_FROM + 2 * ((1 << 17) / 3));
}

static void close_graph(void)
{
  ms_pattern_result_free(all);
  ms_pattern_index_free(indexed);
  ms_pattern_free(pattern);
  ms_graph_free(graph);
}

static void list(const char *name, ms_form form, int threads)
{
  ms_pattern_options run = MS_PATTERN_OPTIONS_DEFAULT;
  ms_write_options write = MS_WRITE_OPTIONS_DEFAULT;
  ms_pattern_result *result;
  ms_error err;
  run.screen.run.threads = threads;
  write.form = form;
  ck_ok(ms_pattern_list_to_file(indexed, pattern, &run, &write, files_path(name), &result, &err));
  ck_assert_uint_eq(result->matches, all->matches);
  ms_pattern_result_free(result);
}

/* Unpacks a file by zlib or zstd to bytes[MOST]; returns how many there are. */
static size_t unpack(const char *name, char *bytes)
{
  size_t size;
  if (!strstr(name, ".zst")) { /* zlib reads plain files, too */
    gzFile in = gzopen(files_path(name), "rb");
    ck_assert_ptr_nonnull(in);
    int got = gzread(in, bytes, MOST);
    ck_assert_int_gt(got, 0);
    ck_assert_int_eq(gzclose(in), Z_OK);
    return (size_t)got;
  }
  char *packed = tool_slurp(name, &size);
  size_t got = ZSTD_decompress(bytes, MOST, packed, size);
  ck_assert_msg(!ZSTD_isError(got), "%s", ZSTD_getErrorName(got));
  free(packed);
  return got;
}

/* Compares the rows of a file, from its first one on, with the rows of the graph. */
static void compare_text(const char *at, ms_form form)
{
  for (uint64_t r = 0; r < all->matches; r++) {
    const uint32_t *row = all->vertices + 3 * r;
    const char *name[3];
    char want[128];
    for (int i = 0; i < 3; i++)
      name[i] = ms_graph_name(graph, row[i]);
    int length = snprintf(want, sizeof want,
                          form == MS_FORM_JSON ? "{\"type\":\"match\",\"match\":%llu,"
                                                 "\"vertices\":[\"%s\",\"%s\",\"%s\"]}\n"
                                               : "%llu\t%s\t%s\t%s\n",
                          (unsigned long long)r + 1, name[0], name[1], name[2]);
    ck_assert_msg(strncmp(at, want, (size_t)length) == 0, "row %llu", (unsigned long long)r + 1);
    at += length;
  }
}

/* Tables, lines of JSON and binary results, plain and compressed, have the rows of the graph in
 * their order, and zlib and zstd unpack them; each has the same bytes with 1, 2 and 5 threads. */
START_TEST(rows_and_bytes)
{
  static const ms_form forms[] = {MS_FORM_TSV, MS_FORM_JSON, MS_FORM_BINARY};
  static const char *const names[] = {"r", "r.gz", "r.zst"}, *const begin[] = {"\n1\t", "\n{",
                                                                               NULL};
  char *bytes = malloc(MOST);
  ck_assert_ptr_nonnull(bytes);
  open_graph();
  for (int f = 0; f < 3; f++)
    for (int n = 0; n < 3; n++) {
      size_t size[3];
      char *file[3];
      for (int t = 0; t < 3; t++) {
        list(names[n], forms[f], t == 0 ? 1 : t == 1 ? 2 : 5);
        file[t] = tool_slurp(names[n], &size[t]);
        ck_assert_uint_eq(size[t], size[0]);
        ck_assert_int_eq(memcmp(file[t], file[0], size[0]), 0);
      }
      for (int t = 0; t < 3; t++)
        free(file[t]);
      size_t got = unpack(names[n], bytes);
      bytes[got] = '\0';
      if (begin[f]) {
        const char *first = strstr(bytes, begin[f]);
        ck_assert_ptr_nonnull(first);
        compare_text(first + 1, forms[f]);
      } else {
        size_t rows = all->matches * 3 * sizeof(uint32_t), end = 24;
        ck_assert_int_eq(memcmp(bytes + got - end - rows, all->vertices, rows), 0);
      }
    }
  close_graph();
  free(bytes);
}
END_TEST

/* The tool's check of results accepts long ones, with their checksums and the number of rows. */
START_TEST(verified)
{
  static const char *const names[] = {"r.tsv", "r.tsv.gz", "r.bin.zst"};
  open_graph();
  for (int n = 0; n < 3; n++) {
    ms_verify_options check = MS_VERIFY_OPTIONS_DEFAULT;
    ms_verify_report report;
    ms_error err;
    check.pattern = "triangle";
    list(names[n], n == 2 ? MS_FORM_BINARY : MS_FORM_TSV, 3);
    ck_ok(ms_verify_file(files_path(names[n]), files_path("g.tsv"), NULL, &check, &report, &err));
    ck_assert_msg(report.accepted, "%s", report.problem);
    ck_assert_uint_eq(report.rows, all->matches);
  }
  close_graph();
}
END_TEST

TEST_MAIN("blocks of rows", TEST(rows_and_bytes), TEST(verified))
