/* Hash tables under the key of the process (base/hash.h): names and rows that were made up to
 * collide under fixed functions take no longer than others, also in binary graph files. */
#include "base/alloc.h"
#include "base/hash.h"
#include "graph/formats/binary.h"
#include "graph/graph.h"
#include "graph/names.h"
#include "tests/support/files.h"
#include "tests/support/graphs/collide.h"
#include "tests/support/test_main.h"
#include "verify/row_set.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MANY 200000u /* names or rows that collide; under a fixed function they take a minute */
#define MOST_SECONDS 10.0

/* Returns the processor time since the last call, in seconds. */
static double spent(void)
{
  static clock_t before;
  clock_t now = clock(), since = now - before;
  before = now;
  return (double)since / CLOCKS_PER_SEC;
}

/* SipHash-1-3 agrees with the hash of bytes of CPython 3.11, with PYTHONHASHSEED=0, which is
 * SipHash-1-3 under a key of zeros: 8 lengths. */
START_TEST(bytes_are_hashed_by_siphash)
{
  static const struct {
    size_t length;
    uint64_t hash;
  } known[] = {{1, 0x6432cecb7f52450b},  {7, 0xfc020764ec0b4d64},  {8, 0xe1884b309b1267d1},
               {9, 0xa2949714d4c6d7eb},  {15, 0xc99b0616779d5cbe}, {16, 0x77c06bef5a1df165},
               {17, 0xb9e37cdf9000ab86}, {40, 0x38d5904fc93fef64}};
  const ms_hash_key zeros = {0};
  for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
    unsigned char bytes[40];
    for (size_t i = 0; i < known[k].length; i++)
      bytes[i] = (unsigned char)((i * 37 + known[k].length) % 255 + 1);
    ck_assert_uint_eq(ms_hash_bytes(&zeros, bytes, known[k].length), known[k].hash);
  }
}
END_TEST

/* Multiply-shift agrees with its formula in 128 bits, computed by halves: 1000 random words. */
START_TEST(words_are_hashed_by_multiply_shift)
{
  uint64_t state = 5;
  for (int i = 0; i < 1000; i++) {
    uint64_t a[2] = {collide_random(&state), collide_random(&state)}, x = collide_random(&state);
    uint64_t b[2] = {collide_random(&state), collide_random(&state)};
    const ms_hash_key key = {.factor = {a[0], a[1]}, .add = {b[0], b[1]}};
    uint64_t low = a[0] * x, x0 = (uint32_t)x, x1 = x >> 32, a0 = (uint32_t)a[0], a1 = a[0] >> 32;
    uint64_t middle = (a0 * x0 >> 32) + (uint32_t)(a1 * x0) + (uint32_t)(a0 * x1);
    uint64_t high = a1 * x1 + (a1 * x0 >> 32) + (a0 * x1 >> 32) + (middle >> 32) + a[1] * x;
    ck_assert_uint_eq(ms_hash_word(&key, x), high + b[1] + (low + b[0] < low));
  }
}
END_TEST

/* ---- tables ---------------------------------------------------------------------- */

/* Adds MANY names and finds them again, within a time that names under a fixed function exceed
 * six times.  Ids follow the order of the names. */
static void add_all(size_t length, void (*make)(uint64_t *state, char *name))
{
  ms_error err;
  ms_names *names;
  uint64_t state = length;
  char(*name)[16] = calloc(MANY, sizeof *name);
  ck_assert_ptr_nonnull(name);
  for (uint32_t i = 0; i < MANY; i++)
    make(&state, name[i]);
  ck_ok(ms_names_new(&names, &err));
  spent();
  double seconds = 0;
  for (uint32_t i = 0, id; i < MANY && seconds < MOST_SECONDS; i++) {
    uint32_t before = ms_names_count(names);
    ck_ok(ms_names_add(names, name[i], length, &id, &err));
    ck_assert_uint_le(id, before);
    ck_assert(memcmp(ms_names_get(names, id), name[i], length) == 0);
    ck_assert_uint_eq(ms_names_find(names, name[i], length), id);
    if (i % 1000 == 0)
      seconds += spent();
  }
  ck_assert_msg(seconds < MOST_SECONDS, "%.1f seconds", seconds);
  ck_assert_uint_gt(ms_names_count(names), MANY - 10);
  ms_names_free(names);
  free(name);
}

static void any_long_name(uint64_t *state, char *name)
{
  collide_long_name(state, 1, name);
}

/* Names of more than 8 bytes that have one hash in binary files. */
START_TEST(long_names_that_collide)
{
  char two[2][16];
  uint64_t state = 9;
  any_long_name(&state, two[0]);
  any_long_name(&state, two[1]);
  ck_assert_uint_eq(ms_name_key(two[0], 16), ms_name_key(two[1], 16));
  add_all(16, any_long_name);
}
END_TEST

/* Names of 8 bytes that have one slot in binary files. */
START_TEST(short_names_that_collide)
{
  char two[2][8];
  uint64_t state = 9;
  collide_short_name(&state, two[0]);
  collide_short_name(&state, two[1]);
  ck_assert_uint_eq(ms_name_home(ms_name_key(two[0], 8), 1 << 20),
                    ms_name_home(ms_name_key(two[1], 8), 1 << 20));
  add_all(8, collide_short_name);
}
END_TEST

/* Rows of two vertices that had one slot when the set had no key: hash = key * FACTOR, and the slot
 * its low bits after hash ^= hash >> 32. */
START_TEST(rows_that_collide)
{
  ms_error err;
  ms_row_set *set;
  uint64_t state = 3, inverse = collide_inverse();
  double seconds = 0;
  ck_ok(ms_row_set_new(2, UINT32_MAX, &set, &err));
  spent();
  for (uint32_t i = 0; i < MANY && seconds < MOST_SECONDS; i++) {
    uint64_t h = collide_random(&state) << 24, key = (h ^ h >> 32) * inverse;
    uint32_t row[2] = {(uint32_t)(key >> 32) - 1, (uint32_t)key - 1};
    bool fresh;
    if (key >> 32 == 0)
      continue;
    ck_ok(ms_row_set_add(set, row, &fresh, &err));
    ck_assert(ms_row_set_has(set, row));
    if (i % 1000 == 0)
      seconds += spent();
  }
  ck_assert_msg(seconds < MOST_SECONDS, "%.1f seconds", seconds);
  ms_row_set_free(set);
}
END_TEST

/* ---- binary files ---------------------------------------------------------------- */

#define FEW 20000u

/* Makes a graph of FEW vertices in a path, whose names collide in a binary file. */
static ms_graph *colliding_graph(void)
{
  ms_error err;
  ms_graph *graph = NULL;
  uint64_t state = 77;
  char(*text)[17] = calloc(FEW, sizeof *text);
  const char **names = calloc(FEW, sizeof *names);
  uint32_t(*edge)[2] = calloc(FEW, sizeof *edge);
  ck_assert(text && names && edge);
  for (uint32_t v = 0; v < FEW; v++) {
    collide_long_name(&state, 0x21, text[v]);
    names[v] = text[v];
    edge[v][0] = v;
    edge[v][1] = (v + 1) % FEW;
  }
  ck_ok(ms_graph_from_edges(FEW, FEW, (const uint32_t(*)[2])edge, names, &graph, &err));
  free(text);
  free(names);
  free(edge);
  return graph;
}

static void check_same_names(const ms_graph *a, const ms_graph *b)
{
  ck_assert_uint_eq(ms_graph_vertex_count(a), ms_graph_vertex_count(b));
  for (uint32_t v = 0; v < ms_graph_vertex_count(a); v++) {
    ck_assert_str_eq(ms_graph_name(a, v), ms_graph_name(b, v));
    ck_assert_uint_eq(ms_graph_find(b, ms_graph_name(a, v)), v);
  }
}

/* A graph whose names collide under the functions of the binary format is written without a table
 * of names, and read again. */
START_TEST(a_binary_file_without_a_table)
{
  ms_error err;
  ms_graph *graph = colliding_graph(), *again = NULL;
  const char *path = files_path("collide.msb");
  ms_binary_header header;
  spent();
  ck_ok(ms_graph_write(graph, NULL, MS_FORMAT_BINARY, path, &err));
  FILE *in = fopen(path, "rb");
  ck_assert(in && fread(&header, sizeof header, 1, in) == 1);
  fclose(in);
  ck_assert_uint_eq(header.name_slots, 0);
  ck_assert_uint_eq(header.flags, MS_BINARY_NO_TABLE);
  ck_ok(ms_graph_read(path, NULL, &again, &err));
  check_same_names(graph, again);
  ck_assert(spent() < MOST_SECONDS);
  ms_graph_free(graph);
  ms_graph_free(again);
}
END_TEST

TEST_MAIN("hash", TIME_LIMIT(120), TEST(bytes_are_hashed_by_siphash),
          TEST(words_are_hashed_by_multiply_shift), TEST(long_names_that_collide),
          TEST(short_names_that_collide), TEST(rows_that_collide),
          TEST(a_binary_file_without_a_table))
