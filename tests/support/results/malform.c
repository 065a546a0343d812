#include "tests/support/results/malform.h"

#include "graph/graph.h"
#include "tests/support/files.h"
#include "tests/support/graphs/validate.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

ms_status malform_read_graph(const char *path, void *user, ms_error *err)
{
  ms_graph *graph = NULL;
  ms_graph_options whole = MS_GRAPH_OPTIONS_DEFAULT;
  if (user)
    whole = *(const ms_graph_options *)user;
  whole.size = sizeof whole;
  ms_status status = ms_graph_read(path, &whole, &graph, err);
  ck_assert_msg((status == MS_OK) == (graph != NULL), "%s: status and graph disagree", path);
  if (status == MS_OK) {
    ms_error broken;
    ck_assert_msg(validate_graph(graph, &broken) == MS_OK, "%s", broken.message);
  }
  ms_graph_free(graph);
  return status;
}

void malform_refuses(const char *name, const malform_case *cases, size_t count,
                     malform_reader reader, void *user)
{
  for (size_t i = 0; i < count; i++) {
    ms_error err = {0};
    char place[64];
    const char *path = files_write(name, cases[i].text, cases[i].size);
    ms_status status = reader(path, user, &err);
    ck_assert_msg(status == MS_ERR_INPUT, "case %zu: status %d: %s", i, (int)status, err.message);
    if (cases[i].line)
      snprintf(place, sizeof place, "%s:%llu: ", name, (unsigned long long)cases[i].line);
    else
      snprintf(place, sizeof place, "%s", name);
    ck_assert_msg(strstr(err.message, place), "case %zu: not at %s: %s", i, place, err.message);
    ck_assert_msg(strstr(err.message, cases[i].part), "case %zu: no '%s': %s", i, cases[i].part,
                  err.message);
  }
}

/* ---- mechanical damage ----------------------------------------------------- */

typedef struct damage {
  const char *name;
  malform_reader reader;
  void *user;
} damage;

static ms_status read_damaged(const damage *d, const char *what, size_t at, const char *bytes,
                              size_t size)
{
  ms_error err = {0};
  const char *path = files_write(d->name, bytes, size);
  ms_status status = d->reader(path, d->user, &err);
  ck_assert_msg(status == MS_OK || status == MS_ERR_INPUT, "%s at %zu: status %d: %s", what, at,
                (int)status, err.message);
  ck_assert_msg(status == MS_OK || strstr(err.message, d->name), "%s at %zu: no file: %s", what, at,
                err.message);
  ck_assert_msg(status == MS_OK || strchr(err.message, ';'), "%s at %zu: no advice: %s", what, at,
                err.message);
  return status;
}

static void must_refuse(const damage *d, const char *what, size_t at, const char *bytes,
                        size_t size)
{
  ck_assert_msg(read_damaged(d, what, at, bytes, size) == MS_ERR_INPUT, "%s at %zu: is accepted",
                what, at);
}

/* good[0..from) + part + good[to..size), in a buffer that the caller frees. */
static char *spliced(const char *good, size_t size, size_t from, size_t to, const char *part,
                     size_t part_size, size_t *out_size)
{
  char *text = malloc(size + part_size + 1);
  ck_assert_ptr_nonnull(text);
  memcpy(text, good, from);
  memcpy(text + from, part, part_size);
  memcpy(text + from + part_size, good + to, size - to);
  *out_size = size - (to - from) + part_size;
  return text;
}

static void splice(const damage *d, const char *what, bool refuse, const char *good, size_t size,
                   size_t from, size_t to, const char *part, size_t part_size)
{
  size_t length;
  char *text = spliced(good, size, from, to, part, part_size, &length);
  if (refuse)
    must_refuse(d, what, from, text, length);
  else
    read_damaged(d, what, from, text, length);
  free(text);
}

static size_t line_end(const char *good, size_t size, size_t from)
{
  const char *lf = memchr(good + from, '\n', size - from);
  return lf ? (size_t)(lf - good) + 1 : size;
}

static void damage_lines(const damage *d, const char *good, size_t size)
{
  for (size_t from = 0, to; from < size; from = to) {
    to = line_end(good, size, from);
    size_t next = to < size ? line_end(good, size, to) : to;
    splice(d, "line left out", false, good, size, from, to, "", 0);
    splice(d, "line doubled", false, good, size, from, from, good + from, to - from);
    splice(d, "line repeated behind the next", false, good, size, next, next, good + from,
           to - from);
    splice(d, "cut behind a line", false, good, size, to, size, "", 0);
    splice(d, "blank line", false, good, size, from, from, "\n", 1);
    splice(d, "no more line ends", false, good, size, to - 1, to, " ", 1);
  }
}

static bool separates(char c)
{
  return c == ' ' || c == '\t' || c == ',' || c == '\n' || c == '"' || c == '<' || c == '>' ||
         c == '=' || c == '|';
}

static void damage_fields(const damage *d, const char *good, size_t size)
{
  static const char *const parts[] = {
      "",      "-1",  "0", "4294967295", "4294967296", "99999999999999999999",
      "1e400", "nan", "x", "1.5",        "\xE9",       "\xC3",
      "\x01",  "\"",  "#", "a b",        "a\tb"};
  for (size_t from = 0, to; from < size; from = to + 1) {
    for (to = from; to < size && !separates(good[to]);)
      to++;
    for (size_t p = 0; p < sizeof parts / sizeof *parts && to > from; p++)
      splice(d, "field", false, good, size, from, to, parts[p], strlen(parts[p]));
    if (to < size)
      splice(d, "separator left out", false, good, size, to, to + 1, "", 0);
  }
}

static void damage_bytes(const damage *d, const char *good, size_t size)
{
  for (size_t at = 0; at < size; at++) {
    splice(d, "cut", false, good, size, at, size, "", 0);
    splice(d, "NUL", true, good, size, at, at, "\0", 1);
    splice(d, "high byte", false, good, size, at, at, "\xFF", 1);
    splice(d, "carriage return", false, good, size, at, at, "\r", 1);
  }
}

static void damage_long_line(const damage *d, const char *good, size_t size)
{
  enum { LONG = 10 << 20 };
  char *line = malloc(LONG);
  ck_assert_ptr_nonnull(line);
  memset(line, 'x', LONG);
  line[LONG - 1] = '\n';
  splice(d, "long line in front", false, good, size, 0, 0, line, LONG);
  splice(d, "long line behind", false, good, size, size, size, line, LONG);
  memset(line, ' ', LONG - 1);
  splice(d, "blanks behind", false, good, size, size, size, line, LONG);
  free(line);
}

static void damage_compressed(const damage *d, const char *good, size_t size)
{
  char packed[65536];
  z_stream z;
  memset(&z, 0, sizeof z);
  ck_assert_int_eq(deflateInit2(&z, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
  z.next_in = (unsigned char *)(uintptr_t)good;
  z.avail_in = (unsigned)size;
  z.next_out = (unsigned char *)packed;
  z.avail_out = sizeof packed;
  ck_assert_int_eq(deflate(&z, Z_FINISH), Z_STREAM_END);
  size_t length = sizeof packed - z.avail_out;
  deflateEnd(&z);
  ck_assert_int_eq(read_damaged(d, "gzip", 0, packed, length), MS_OK);
  for (size_t at = 2; at < length; at += 1 + length / 50)
    must_refuse(d, "cut gzip", at, packed, at);
  length = ZSTD_compress(packed, sizeof packed, good, size, 3);
  ck_assert(!ZSTD_isError(length));
  ck_assert_int_eq(read_damaged(d, "zstd", 0, packed, length), MS_OK);
  for (size_t at = 4; at < length; at += 1 + length / 50)
    must_refuse(d, "cut zstd", at, packed, at);
}

void malform_damage(const char *name, const char *good, size_t size, malform_reader reader,
                    void *user)
{
  damage d = {name, reader, user};
  ck_assert_int_eq(read_damaged(&d, "nothing", 0, good, size), MS_OK);
  must_refuse(&d, "empty file", 0, "", 0);
  damage_lines(&d, good, size);
  damage_fields(&d, good, size);
  damage_bytes(&d, good, size);
  damage_long_line(&d, good, size);
  damage_compressed(&d, good, size);
}

/* ---- round trips ----------------------------------------------------------- */

/* The vertex of `read` that is v of `graph`. */
static uint32_t counterpart(const ms_graph *graph, uint32_t v, const ms_graph *read,
                            ms_graph_format_info info)
{
  char number[16];
  snprintf(number, sizeof number, "%u", v + info.first_number);
  uint32_t u = ms_graph_find(read, info.numbered ? number : ms_graph_name(graph, v));
  ck_assert_msg(u != UINT32_MAX, "vertex %s is lost", ms_graph_name(graph, v));
  return u;
}

static void same_edges(const ms_graph *graph, const ms_graph *read, ms_graph_format_info info)
{
  ck_assert_uint_eq(ms_graph_vertex_count(read), ms_graph_vertex_count(graph));
  ck_assert_uint_eq(ms_graph_edge_count(read), ms_graph_edge_count(graph));
  for (uint32_t v = 0; v < ms_graph_vertex_count(graph); v++) {
    uint32_t degree, others, u = counterpart(graph, v, read, info);
    const uint32_t *neighbor = ms_graph_neighbors(graph, v, &degree);
    const uint32_t *other = ms_graph_neighbors(read, u, &others);
    ck_assert_uint_eq(others, degree);
    for (uint32_t i = 0; i < degree; i++) {
      uint32_t w = counterpart(graph, neighbor[i], read, info), j = 0;
      while (j < others && other[j] != w)
        j++;
      ck_assert_msg(j < others, "an edge of %s is lost", ms_graph_name(graph, v));
    }
  }
}

static void same_colors(const ms_graph *graph, const ms_coloring *coloring, const ms_graph *read,
                        ms_graph_format_info info)
{
  ms_coloring *again = NULL;
  ms_error err;
  ck_assert_msg(ms_coloring_from_graph(read, &again, &err) == MS_OK, "%s", err.message);
  for (uint32_t v = 0; v < ms_graph_vertex_count(graph); v++) {
    uint32_t count, others;
    const uint32_t *color = ms_coloring_of(coloring, v, &count);
    ms_coloring_of(again, counterpart(graph, v, read, info), &others);
    ck_assert_uint_eq(others, count);
    for (uint32_t i = 0; i < count; i++) {
      uint32_t c = ms_coloring_find(again, ms_coloring_name(coloring, color[i])), j = 0;
      const uint32_t *other = ms_coloring_of(again, counterpart(graph, v, read, info), &others);
      while (j < others && other[j] != c)
        j++;
      ck_assert_msg(j < others, "a colour of %s is lost", ms_graph_name(graph, v));
    }
  }
  ms_coloring_free(again);
}

static char *all_bytes(const char *path, size_t *size)
{
  FILE *file = fopen(path, "rb");
  ck_assert_ptr_nonnull(file);
  size_t room = (size_t)1 << 24;
  char *bytes = malloc(room);
  ck_assert_ptr_nonnull(bytes);
  *size = fread(bytes, 1, room, file);
  fclose(file);
  return bytes;
}

/* A text format that holds names lists the vertices by first appearance, so
 * their order may change on the first trip, and only then. */
void malform_round_trip(const char *name, const ms_graph *graph, const ms_coloring *coloring,
                        ms_graph_format format)
{
  ms_error err;
  ms_graph_format_info info = ms_graph_format_describe(format);
  ms_graph_options options = {.size = sizeof(ms_graph_options), .format = format};
  ms_graph *first = NULL, *second = NULL;
  ms_coloring *colors[2] = {NULL, NULL};
  char paths[3][300];
  coloring = info.holds_colors ? coloring : NULL;
  for (int i = 0; i < 3; i++) {
    char numbered[64];
    snprintf(numbered, sizeof numbered, "%d-%s", i, name);
    snprintf(paths[i], sizeof paths[i], "%s", files_path(numbered));
  }
  ck_assert_msg(ms_graph_write(graph, coloring, format, paths[0], &err) == MS_OK, "%s",
                err.message);
  ck_assert_msg(ms_graph_read(paths[0], &options, &first, &err) == MS_OK, "%s", err.message);
  same_edges(graph, first, info);
  if (coloring) {
    same_colors(graph, coloring, first, info);
    ck_assert_int_eq(ms_coloring_from_graph(first, &colors[0], &err), MS_OK);
  }
  ck_assert_msg(ms_graph_write(first, colors[0], format, paths[1], &err) == MS_OK, "%s",
                err.message);
  ck_assert_msg(ms_graph_read(paths[1], &options, &second, &err) == MS_OK, "%s", err.message);
  same_edges(first, second, info);
  if (coloring)
    ck_assert_int_eq(ms_coloring_from_graph(second, &colors[1], &err), MS_OK);
  ck_assert_msg(ms_graph_write(second, colors[1], format, paths[2], &err) == MS_OK, "%s",
                err.message);
  size_t size[2];
  char *bytes[2] = {all_bytes(paths[1], &size[0]), all_bytes(paths[2], &size[1])};
  ck_assert_msg(size[0] == size[1] && memcmp(bytes[0], bytes[1], size[0]) == 0,
                "%s: a second trip changes the file", name);
  free(bytes[0]);
  free(bytes[1]);
  ms_coloring_free(colors[0]);
  ms_coloring_free(colors[1]);
  ms_graph_free(first);
  ms_graph_free(second);
}
