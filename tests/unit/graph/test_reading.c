/* The limits of reading: whatever a file holds, reading takes no more memory than is allowed, and
 * the message says where it ended, how much is allowed and what to do (base/meter.h). */
#include "base/alloc.h"
#include "base/budget.h"
#include "base/meter.h"
#include "base/status.h"
#include "base/text/json_size.h"
#include "graph/graph.h"
#include "graph/io/json.h"
#include "tests/support/allocations.h"
#include "tests/support/files.h"
#include "tests/support/test_main.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#define MIB ((size_t)1 << 20)
#define BOUND (20 * MIB)
#define BESIDE MIB /* what is not counted to the byte */
#define COPIES                                                                                     \
  (BOUND / 2) /* a resize of this allocator copies the block, and that of malloc seldom */

/* ---- the meter -------------------------------------------------------------------- */

/* What is allocated counts until it is freed, resized blocks with their new size, and a request
 * beyond the bound fails and takes nothing. */
START_TEST(blocks_count_until_they_are_freed)
{
  ms_meter bound;
  ms_meter_open(&bound, 20 * MIB, "file", NULL);
  char *a = ms_alloc(10, MIB), *b = ms_alloc(5, MIB);
  ck_assert(a && b);
  ck_assert_int_ge(bound.held, (int64_t)(15 * MIB));
  ck_assert_int_lt(bound.held, (int64_t)(15 * MIB + BESIDE));
  int64_t before = bound.held;
  ck_assert_ptr_null(ms_alloc(6, MIB));
  ck_assert_ptr_null(ms_resize(a, 10, 16, MIB));
  ck_assert_int_eq(bound.held, before);
  ck_assert_uint_eq(bound.refused, 6 * MIB);
  b = ms_resize(b, 5, 9, MIB);
  ck_assert_ptr_nonnull(b);
  ms_free(a);
  ck_assert_int_lt(bound.held, (int64_t)(9 * MIB + BESIDE));
  ms_free(b);
  ck_assert_int_eq(bound.held, 0);
  ms_meter_close(&bound);
  ck_assert_ptr_null(ms_meter_current());
}
END_TEST

/* The inner one of two meters refuses by its own bound, and the outer one counts both. */
START_TEST(meters_are_nested)
{
  ms_meter outer, inner, none;
  ms_error err;
  ms_meter_open(&outer, 40 * MIB, NULL, NULL);
  char *a = ms_alloc(10, MIB);
  ms_meter_open(&inner, 20 * MIB, NULL, NULL);
  ms_meter_open(&none, 0, "net.tsv", &(uint64_t){7});
  ck_assert_ptr_null(ms_alloc(25, MIB));
  ck_assert_int_eq(ms_fail_memory(&err, "edges"), MS_ERR_MEMORY);
  ck_assert_str_eq(err.message,
                   "net.tsv:7: reading may take 20 MiB of memory; 0 MiB are in use, and 25 MiB "
                   "more are needed for edges; raise `memory`, or use a smaller input");
  char *b = ms_alloc(15, MIB);
  ck_assert_uint_lt(ms_meter_left(ms_meter_current()), 5 * MIB + 1);
  ck_assert_uint_eq(ms_meter_bound(ms_meter_current()), 20 * MIB);
  ms_meter_close(&none);
  ms_meter_close(&inner);
  ck_assert_int_ge(outer.held, (int64_t)(25 * MIB));
  ms_free(a);
  ms_free(b);
  ms_meter_close(&outer);
}
END_TEST

static uint64_t smaller(uint64_t a, uint64_t b)
{
  return a < b ? a : b;
}

/* Without a bound that was given, the bound is 1 GiB, grows with the input that is announced, and
 * ends at three quarters of the machine's memory.  Meters inside it have none of their own; inside
 * a meter of work, each has its own; and a bound that was given holds inside and never grows. */
START_TEST(the_bound_follows_the_input)
{
  ms_meter work, outer, inner;
  ms_error err;
  uint64_t machine = ms_memory_bound(0), small = smaller(MS_SMALL_READING, machine);
  for (int given = 0; given < 2; given++) {
    ms_meter_open(&work, given ? 3 * MS_SMALL_READING : MS_BOUND_OF_WORK, NULL, NULL);
    ck_assert_uint_eq(ms_meter_bound(&work), given ? 3 * MS_SMALL_READING : machine);
    ck_assert(!ms_meter_follows_input(&work));
    ms_meter_open(&outer, 0, "net.tsv", NULL);
    ms_meter_open(&inner, 0, NULL, NULL);
    ck_assert_int_eq(ms_meter_follows_input(&inner), !given);
    ck_assert_uint_eq(ms_meter_bound(&inner), given ? 3 * MS_SMALL_READING : small);
    ms_meter_input(MS_SMALL_READING / 2);
    ms_meter_input(MS_SMALL_READING / 2);
    ck_assert_uint_eq(ms_meter_bound(&inner), given ? 3 * MS_SMALL_READING : small);
    ms_meter_input(MIB);
    if (!given)
      ck_assert_uint_eq(ms_meter_bound(&inner), smaller(MS_SMALL_READING + MIB, machine));
    ck_assert(!ms_meter_take(&inner, 4 * MS_SMALL_READING));
    ck_assert_int_eq(ms_fail_memory(&err, "edges"), MS_ERR_MEMORY);
    ck_assert_int_eq(strstr(err.message, "for an input of this size") != NULL, !given);
    ms_meter_input(UINT64_MAX);
    ms_meter_input(UINT64_MAX);
    ck_assert_uint_eq(ms_meter_bound(&outer), given ? 3 * MS_SMALL_READING : machine);
    ms_meter_close(&inner);
    ms_meter_close(&outer);
    ms_meter_close(&work);
  }
  ck_assert_ptr_null(ms_meter_current());
}
END_TEST

/* ---- files --------------------------------------------------------------------------- */

typedef struct text {
  char *bytes;
  size_t length, room;
} text;

static void put(text *t, const char *bytes, size_t length)
{
  if (t->room - t->length < length) {
    t->room = 2 * t->room + length;
    t->bytes = realloc(t->bytes, t->room);
    ck_assert_ptr_nonnull(t->bytes);
  }
  memcpy(t->bytes + t->length, bytes, length);
  t->length += length;
}

/* Writes the text compressed: by gzip, or by zstd with a window of 2^window. */
static const char *write_packed(const char *name, const text *t, int window)
{
  if (window == 0)
    return files_write_gzip(name, t->bytes, t->length, 1);
  size_t room = ZSTD_compressBound(t->length);
  char *packed = malloc(room);
  ZSTD_CCtx *c = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(c, ZSTD_c_windowLog, window);
  size_t size = ZSTD_compress2(c, packed, room, t->bytes, t->length);
  ck_assert(!ZSTD_isError(size));
  const char *path = files_write(name, packed, size);
  ZSTD_freeCCtx(c);
  free(packed);
  return path;
}

/* Reads the file with BOUND bytes allowed, and expects a refusal that names the limit; no more
 * memory was in use at any time, and none is left. */
static void check_bounded(const char *path, ms_status wanted, const char *says)
{
  ms_graph_options options = MS_GRAPH_OPTIONS_DEFAULT;
  ms_graph *graph = NULL;
  ms_error err = {0};
  meter m = {0};
  options.run.memory = BOUND;
  options.run.threads = 1;
  meter_start(&m);
  ms_status status = ms_graph_read(path, &options, &graph, &err);
  meter_stop();
  ck_assert_msg(status == wanted && strstr(err.message, says), "%s: %s", path, err.message);
  ck_assert_int_eq(m.live, 0);
  ck_assert_msg(m.most_bytes < BOUND + COPIES, "%s: %zu", path, (size_t)m.most_bytes);
}

/* A line of 60 MiB, as gzip of 60 KB: its buffer would take 64 MiB. */
START_TEST(a_long_line)
{
  text t = {0};
  char *a = malloc(60 * MIB);
  memset(a, 'a', 60 * MIB);
  put(&t, a, 60 * MIB);
  check_bounded(write_packed("line.gz", &t, 0), MS_ERR_MEMORY, "for a line buffer; raise `memory`");
  check_bounded(write_packed("line.zst", &t, 21), MS_ERR_MEMORY, "for a line buffer");
  free(a);
  free(t.bytes);
}
END_TEST

/* 400,000 names of 60 bytes, all different, as gzip of 2 MB. */
START_TEST(many_names)
{
  text t = {0};
  char line[160];
  for (int i = 0; i < 400000; i++)
    put(&t, line, (size_t)sprintf(line, "%060d\t%060d\n", i, i + 1));
  check_bounded(write_packed("names.gz", &t, 0), MS_ERR_MEMORY, "names.gz:");
  free(t.bytes);
}
END_TEST

/* A window of 16 MiB leaves too little for what is read. */
START_TEST(a_wide_window)
{
  text t = {0};
  char line[64];
  for (int i = 0; i < 2000000; i++)
    put(&t, line, (size_t)sprintf(line, "a%d\tb\n", i % 7));
  check_bounded(write_packed("wide.zst", &t, 24), MS_ERR_INPUT, "raise `memory`");
  free(t.bytes);
}
END_TEST

/* Files of a few bytes that state a billion vertices. */
START_TEST(declared_counts)
{
  check_bounded(files_write_text("a.mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n"
                                          "1000000000 1000000000 3\n1 2\n2 3\n1 3\n"),
                MS_ERR_INPUT, "20 MiB that are allowed");
  check_bounded(files_write_text("a.col", "p edge 1000000000 1\ne 1 2\n"), MS_ERR_INPUT,
                "20 MiB that are allowed");
  check_bounded(files_write_text("a.metis", "1000000000 3\n2\n1\n"), MS_ERR_INPUT, "a.metis:3");
  check_bounded(files_write_text("a.lad", "1000000000\n1 1\n"), MS_ERR_INPUT, "a.lad:1");
}
END_TEST

/* Elements nested deeper than any graph, and a tag of 30 MB. */
START_TEST(markup)
{
  static const char head[] = "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">";
  text deep = {0}, wide = {0};
  put(&deep, head, sizeof head - 1);
  put(&wide, head, sizeof head - 1);
  for (int i = 0; i < 1000000; i++)
    put(&deep, "<a>", 3);
  put(&wide, "<a b=\"", 6);
  for (int i = 0; i < 3000000; i++)
    put(&wide, "0123456789", 10);
  check_bounded(write_packed("deep.graphml.gz", &deep, 0), MS_ERR_INPUT, "nested more than");
  check_bounded(write_packed("wide.graphml.gz", &wide, 0), MS_ERR_MEMORY, "for an XML reader");
  free(deep.bytes);
  free(wide.bytes);
}
END_TEST

/* Checks a graph of 20,000 nodes: node 17 has the colour "own", and the others 1,000 by default,
 * which are stored once. */
static void check_default_colors(const char *path)
{
  ms_error err;
  ms_graph *graph;
  ms_coloring *coloring;
  ms_graph_options options = MS_GRAPH_OPTIONS_DEFAULT;
  options.run.memory = BOUND;
  ck_ok(ms_graph_read(path, &options, &graph, &err));
  ms_limit_memory(BOUND);
  ck_assert_int_eq(ms_coloring_from_graph(graph, &coloring, &err), MS_ERR_MEMORY);
  ck_assert_msg(strstr(err.message, "raise `memory`"), "%s", err.message);
  ms_limit_memory(0);
  ck_ok(ms_coloring_from_graph(graph, &coloring, &err));
  for (uint32_t v = 0; v < 20000; v++) {
    uint32_t count;
    const uint32_t *color = ms_coloring_of(coloring, v, &count);
    ck_assert_uint_eq(count, v == 17 ? 1 : 1000);
    ck_assert_str_eq(ms_coloring_name(coloring, color[count - 1]), v == 17 ? "own" : "c999");
  }
  ms_coloring_free(coloring);
  ms_graph_free(graph);
}

/* Many colours that every node has by default are stored once, from GraphML. */
START_TEST(default_colors)
{
  text t = {0};
  char line[64];
  put(&t, line, (size_t)sprintf(line, "<graphml><key id=\"c\" for=\"node\" attr.name=\"color\">"));
  put(&t, "<default>", 9);
  for (int i = 0; i < 1000; i++)
    put(&t, line, (size_t)sprintf(line, "c%d\n", i));
  put(&t, line, (size_t)sprintf(line, "</default></key><graph edgedefault=\"undirected\">"));
  for (int i = 0; i < 20000; i++)
    put(&t, line,
        (size_t)sprintf(line,
                        i == 17 ? "<node id=\"n%d\"><data key=\"c\">own</data></node>"
                                : "<node id=\"n%d\"/>",
                        i));
  put(&t, "</graph></graphml>", 18);
  check_default_colors(files_write("default.graphml", t.bytes, t.length));
  free(t.bytes);
}
END_TEST

/* The same from CX2. */
START_TEST(default_colors_of_cx2)
{
  text t = {0};
  char line[128];
  put(&t, line,
      (size_t)sprintf(line, "[{\"CXVersion\":\"2.0\"},{\"attributeDeclarations\":[{\"nodes\":"));
  put(&t, line, (size_t)sprintf(line, "{\"colors\":{\"d\":\"list_of_string\",\"v\":["));
  for (int i = 0; i < 1000; i++)
    put(&t, line, (size_t)sprintf(line, "%s\"c%d\"", i ? "," : "", i));
  put(&t, line, (size_t)sprintf(line, "]}}}]},{\"nodes\":["));
  for (int i = 0; i < 20000; i++)
    put(&t, line,
        (size_t)sprintf(line, "%s{\"id\":%d%s}", i ? "," : "", i,
                        i == 17 ? ",\"v\":{\"colors\":[\"own\"]}" : ""));
  put(&t, "]}]", 3);
  check_default_colors(files_write("default.cx2", t.bytes, t.length));
  free(t.bytes);
}
END_TEST

/* ---- JSON ----------------------------------------------------------------------------------- */

static size_t json_held, json_most; /* bytes that jansson has, and had at most */

static void *json_alloc(size_t bytes)
{
  size_t *block = malloc(bytes + 2 * sizeof *block); /* as much as malloc itself adds */
  if (!block)
    return NULL;
  block[0] = bytes + 2 * sizeof *block;
  json_held += block[0];
  json_most = json_held > json_most ? json_held : json_most;
  return block + 2;
}

static void json_release(void *block)
{
  size_t *begin = block;
  if (!begin)
    return;
  json_held -= begin[-2];
  free(begin - 2);
}

static void count_json(bool on)
{
  json_set_alloc_funcs(on ? json_alloc : malloc, on ? json_release : free);
  json_held = json_most = 0;
}

/* Appends a piece so often; %d in it is a number. */
static void repeat(text *t, const char *piece, int times)
{
  char line[256];
  for (int i = 0; i < times; i++)
    put(t, line, (size_t)snprintf(line, sizeof line, piece, i));
}

/* JSON of many kinds: begin, a piece, how often it comes, and the end. */
static const struct bomb {
  const char *begin, *piece;
  int times;
  const char *end;
} bombs[] = {
    {"[", "1,", 1000000, "1]"},
    {"[", "[],", 1000000, "1]"},
    {"[", "{},", 1000000, "1]"},
    {"[", "\"\",", 1000000, "1]"},
    {"[", "\"%d\",", 300000, "1]"},
    {"[", "1.5e3,", 500000, "1]"},
    {"[", "[[[[[[]]]]]],", 250000, "1]"},
    {"[", "{\"a\":{\"b\":{\"c\":[]}}},", 130000, "1]"},
    {"{", "\"%d\":1,", 250000, "\"x\":1}"},
    {"{", "\"%d\":{},", 250000, "\"x\":1}"},
    {"[\"", "abcdefgh", 500000, "\"]"},
    {"{\"", "abcdefgh", 500000, "\":1}"},
    {"[\"", "\\u00e9\\n", 400000, "\"]"},
    {"[\"", "\xc3\xa9", 1900000, "\"]"},
};
enum { BOMBS = sizeof bombs / sizeof *bombs, TEXTS = 4 /* the last ones are a single text */ };

static text make_bomb(const struct bomb *b)
{
  text t = {0};
  put(&t, b->begin, strlen(b->begin));
  repeat(&t, b->piece, b->times);
  put(&t, b->end, strlen(b->end));
  return t;
}

/* jansson never takes more than the bound that the meter counts for it: 14 kinds of texts of a few
 * MB, and each cut to a few values, where small blocks weigh most. */
START_TEST(size_of_json)
{
  count_json(true);
  for (int i = 0; i < BOMBS; i++)
    for (int times = 1; times <= bombs[i].times; times = times * 7 + 1) {
      struct bomb b = bombs[i];
      b.times = times;
      text t = make_bomb(&b);
      json_most = 0;
      json_t *value = json_loadb(t.bytes, t.length, JSON_REJECT_DUPLICATES, NULL);
      ck_assert_ptr_nonnull(value);
      ck_assert_msg(ms_json_is_whole(value, t.bytes, t.length), "%s", b.piece);
      json_decref(value);
      ck_assert_msg(json_most <= ms_json_size(t.bytes, t.length), "%s, %d times: %zu > %zu",
                    b.piece, times, json_most, (size_t)ms_json_size(t.bytes, t.length));
      free(t.bytes);
    }
  ck_assert_uint_eq(json_held, 0);
  count_json(false);
}
END_TEST

/* A value that lacks a byte of a key, of a string or of a whole number is not whole; a value with
 * escapes of one to four bytes, other numbers and words is. */
START_TEST(whole_json)
{
  static const char whole[] =
      "{\"k\\u00e9y\" : [\"\\ud83d\\ude00\\u20ac\\\"\\/\\u0041\", -12, 0, -0, 1.5, -2E3, "
      "true, null, 9223372036854775807, -9223372036854775808]}";
  static const char *const parts[] = {"{\"ky\":[\"ab\",12]}", "{\"key\":[\"a\",12]}",
                                      "{\"key\":[\"ab\",1]}"};
  json_t *value = json_loads(whole, 0, NULL);
  ck_assert_ptr_nonnull(value);
  ck_assert(ms_json_is_whole(value, whole, sizeof whole - 1));
  json_decref(value);
  for (int i = 0; i < 3; i++) {
    static const char wanted[] = "{\"key\":[\"ab\",12]}";
    value = json_loads(parts[i], 0, NULL);
    ck_assert(ms_json_is_whole(value, parts[i], strlen(parts[i])));
    ck_assert(!ms_json_is_whole(value, wanted, sizeof wanted - 1));
    json_decref(value);
  }
}
END_TEST

/* Elements of CX2 that take hundreds of megabytes as values are refused, and so are names, elements
 * that are nested too deeply, and defaults that would stay. */
START_TEST(bombs_in_cx2)
{
  static const char head[] = "[{\"CXVersion\":\"2.0\"},{\"nodes\":[{\"id\":1,\"v\":";
  static const char declared[] = "[{\"CXVersion\":\"2.0\"},{\"attributeDeclarations\":[{\"nodes\":"
                                 "{\"colors\":{\"v\":";
  count_json(true);
  for (int i = 0; i < 2 * BOMBS; i++) {
    text t = {0}, bomb = make_bomb(&bombs[i / 2]);
    put(&t, i % 2 ? declared : head, strlen(i % 2 ? declared : head));
    put(&t, bomb.bytes, bomb.length);
    put(&t, i % 2 ? "}}}]}]" : "}]}]", i % 2 ? 6 : 4);
    const char *path = files_write_gzip("bomb.cx2.gz", t.bytes, t.length, 1);
    ms_graph_options options = MS_GRAPH_OPTIONS_DEFAULT;
    ms_graph *graph = NULL;
    ms_error err;
    options.run.memory = BOUND;
    json_most = 0;
    ms_status status = ms_graph_read(path, &options, &graph, &err);
    bool fits = i / 2 >= BOMBS - TEXTS; /* 4 MB of text are read within the bound */
    ck_assert_msg(fits ||
                      (status == MS_ERR_MEMORY && strstr(err.message, "an element of JSON; raise")),
                  "%s: %s", bombs[i / 2].piece, err.message);
    ck_assert_uint_lt(json_most, BOUND);
    ms_graph_free(graph);
    ck_assert_uint_eq(json_held, 0);
    free(t.bytes);
    free(bomb.bytes);
  }
  text deep = {0}, name = {0};
  put(&deep, head, sizeof head - 1);
  for (int i = 0; i < 1000000; i++)
    put(&deep, "[", 1);
  check_bounded(files_write_gzip("deep.cx2.gz", deep.bytes, deep.length, 1), MS_ERR_INPUT,
                "the file ends inside its JSON");
  deep.length = sizeof head - 1;
  repeat(&deep, "[", 3000);
  repeat(&deep, "]", 3000);
  put(&deep, "}]}]", 4);
  check_bounded(files_write_gzip("deep.cx2.gz", deep.bytes, deep.length, 1), MS_ERR_INPUT,
                "maximum parsing depth reached");
  put(&name, "[{\"CXVersion\":\"2.0\",\"", 21);
  for (int i = 0; i < 4000000; i++)
    put(&name, "n", 1);
  put(&name, "\":1}]", 5);
  json_most = 0;
  check_bounded(files_write_gzip("name.cx2.gz", name.bytes, name.length, 1), MS_ERR_INPUT,
                "holds no graph");
  ck_assert_uint_lt(json_most, BOUND);
  count_json(false);
  free(deep.bytes);
  free(name.bytes);
}
END_TEST

/* A result file whose header or row is such a line is refused within the bound. */
START_TEST(bombs_in_results)
{
  static const char head[] = "{\"type\":\"header\",\"tool\":\"motifsieve\",\"version\":\"0.1.0\","
                             "\"command\":\"list\",\"x\":";
  const char *graph = files_write_text("g.tsv", "a\tb\n");
  count_json(true);
  for (int i = 0; i < BOMBS; i++) {
    ms_verify_report report;
    ms_error err;
    text t = {0}, bomb = make_bomb(&bombs[i]);
    put(&t, head, sizeof head - 1);
    for (int times = 0; times < 4; times++) { /* a line has no limit but the memory */
      put(&t, times ? ",\"y\":" : "", times ? 5 : 0);
      put(&t, bomb.bytes, bomb.length);
    }
    put(&t, "}\n", 2);
    const char *path = files_write_gzip("bomb.json.gz", t.bytes, t.length, 1);
    ms_limit_memory(BOUND);
    json_most = 0;
    ms_status status = ms_verify_file(path, graph, graph, NULL, &report, &err);
    ms_limit_memory(0);
    ck_assert_msg(status == MS_ERR_MEMORY, "%s: %s", bombs[i].piece,
                  status == MS_OK ? report.problem : err.message);
    ck_assert_uint_lt(json_most, BOUND);
    ck_assert_uint_eq(json_held, 0);
    free(t.bytes);
    free(bomb.bytes);
  }
  count_json(false);
}
END_TEST

/* The hooks of jansson belong to the program: writing JSON leaves them alone. */
START_TEST(hooks_of_the_program)
{
  ms_error err;
  ms_graph *graph;
  ms_pattern *pattern;
  ms_pattern_index *index;
  ms_pattern_result *result;
  json_malloc_t allocates;
  json_free_t releases;
  ms_write_options form = MS_WRITE_OPTIONS_DEFAULT;
  form.form = MS_FORM_JSON;
  count_json(true);
  ck_ok(ms_graph_read(files_write_text("g.tsv", "a\tb\nb\tc\n"), NULL, &graph, &err));
  ck_ok(ms_pattern_named("path:3", &pattern, &err));
  ck_ok(ms_pattern_index_new(graph, NULL, 1, &index, &err));
  ck_ok(ms_pattern_list_to_file(index, pattern, NULL, &form, files_path("r.json"), &result, &err));
  json_get_alloc_funcs(&allocates, &releases);
  ck_assert(allocates == json_alloc && releases == json_release);
  ck_assert_uint_gt(json_most, 0);
  count_json(false);
  ms_pattern_result_free(result);
  ms_pattern_index_free(index);
  ms_pattern_free(pattern);
  ms_graph_free(graph);
}
END_TEST

/* What several calls of a thread hold counts together under ms_limit_memory, and a file that fits
 * is read. */
START_TEST(a_limit_for_several_calls)
{
  enum { FILES = 40 };
  ms_error err;
  ms_graph *graph[FILES] = {NULL};
  text t = {0};
  char line[64];
  for (int i = 0; i < 10000; i++)
    put(&t, line, (size_t)sprintf(line, "v%08d\tw%08d\n", i, i));
  const char *path = files_write("net.tsv", t.bytes, t.length);
  int read = 0;
  ms_limit_memory(BOUND);
  while (read < FILES && ms_graph_read(path, NULL, &graph[read], &err) == MS_OK)
    read++;
  ms_limit_memory(0);
  ck_assert_int_gt(read, 3);
  ck_assert_int_lt(read, FILES);
  ck_assert_msg(strstr(err.message, "may take 20 MiB of memory"), "%s", err.message);
  ck_ok(ms_graph_read(path, NULL, &graph[read], &err));
  for (int i = 0; i < FILES; i++)
    ms_graph_free(graph[i]);
  free(t.bytes);
}
END_TEST

TEST_MAIN("limits of reading", TIME_LIMIT(120), TEST(blocks_count_until_they_are_freed),
          TEST(meters_are_nested), TEST(the_bound_follows_the_input), TEST(a_long_line),
          TEST(many_names), TEST(a_wide_window), TEST(declared_counts), TEST(markup),
          TEST(default_colors), TEST(default_colors_of_cx2), TEST(size_of_json), TEST(whole_json),
          TEST(bombs_in_cx2), TEST(bombs_in_results), TEST(hooks_of_the_program),
          TEST(a_limit_for_several_calls))
