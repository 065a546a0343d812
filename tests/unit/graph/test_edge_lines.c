/* Large edge lists (graph/io/edges/edge_lines.c, graph/build.c) by any number of threads, against
 * the pairs that the lines were made of. */
#include "graph/graph.h"
#include "tests/support/files.h"
#include "tests/support/graphs/validate.h"
#include "tests/support/random.h"
#include "tests/support/test_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ms_error err;

typedef struct sample {
  char *text;
  size_t size, room;
  uint32_t (*pair)[2]; /* by id of first appearance */
  uint64_t pairs;
  uint32_t *id_of; /* [names] id, or MS_NO_ID */
  uint32_t n;
  uint64_t state;
} sample;

static uint32_t draw(sample *s, uint32_t below)
{
  return random_below(&s->state, below);
}

static void put(sample *s, const char *text)
{
  size_t length = strlen(text);
  if (s->size + length + 1 > s->room) {
    s->room = s->room * 2 + length + 1;
    s->text = realloc(s->text, s->room);
    ck_assert_ptr_nonnull(s->text);
  }
  memcpy(s->text + s->size, text, length + 1);
  s->size += length;
}

/* Names of all lengths, also beyond 8 bytes and beyond ASCII; all different. */
static void name_text(uint32_t number, char *name, size_t room)
{
  static const char *const ends[] = {"", "a", "_long_enough", "\xC3\xA9", "\xE2\x82\xAC mid x"};
  snprintf(name, room, "%u%s", number, ends[number % 5]);
}

static uint32_t id_of(sample *s, uint32_t number)
{
  if (s->id_of[number] == UINT32_MAX)
    s->id_of[number] = s->n++;
  return s->id_of[number];
}

/* One line in one of the spellings of the delimiter; `odd` in a thousand are
 * not plain. */
static void put_line(sample *s, char delimiter, uint32_t names, uint32_t odd)
{
  char a[40], b[40], line[160];
  uint32_t u = draw(s, names), v = draw(s, 20) == 0 ? u : draw(s, names), style = draw(s, 1000);
  name_text(u, a, sizeof a);
  name_text(v, b, sizeof b);
  if (delimiter == ' ')
    for (char *p = a; *p; p++)
      *p = *p == ' ' ? '_' : *p;
  if (delimiter == ' ')
    for (char *p = b; *p; p++)
      *p = *p == ' ' ? '_' : *p;
  const char *end = draw(s, 10) == 0 ? "\r\n" : "\n";
  if (style < odd && delimiter == ',')
    snprintf(line, sizeof line, "\"%s\" ,\"%s\",\"x\"%s", a, b, end);
  else if (style < odd)
    snprintf(line, sizeof line, " %s %c %s %s%s", a, delimiter, b, delimiter == ' ' ? "" : "\t",
             end);
  else if (style % 7 == 0)
    snprintf(line, sizeof line, "%s%c%s%c0.5 \xFF%s", a, delimiter, b, delimiter, end);
  else
    snprintf(line, sizeof line, "%s%c%s%s", a, delimiter, b, end);
  if (style == 999)
    put(s, "# a comment, with \"quotes\"\n\n");
  put(s, line);
  s->pair[s->pairs][0] = id_of(s, u);
  s->pair[s->pairs++][1] = id_of(s, v);
}

static void make_sample(sample *s, char delimiter, uint32_t names, uint32_t lines, uint32_t odd,
                        uint64_t seed)
{
  memset(s, 0, sizeof *s);
  s->state = seed;
  s->pair = malloc(lines * sizeof *s->pair);
  s->id_of = malloc(names * sizeof *s->id_of);
  ck_assert(s->pair && s->id_of);
  memset(s->id_of, 0xFF, names * sizeof *s->id_of);
  for (uint32_t i = 0; i < lines; i++)
    put_line(s, delimiter, names, odd);
}

static void free_sample(sample *s)
{
  free(s->text);
  free(s->pair);
  free(s->id_of);
}

static void same_graph(const ms_graph *a, const ms_graph *b)
{
  ck_assert_uint_eq(a->n, b->n);
  ck_assert_uint_eq(a->arcs, b->arcs);
  ck_assert_int_eq(memcmp(a->offset, b->offset, ((size_t)a->n + 1) * sizeof *a->offset), 0);
  ck_assert_int_eq(memcmp(a->neighbor, b->neighbor, a->arcs * sizeof *a->neighbor), 0);
  ck_assert_uint_eq(a->info.self_loops, b->info.self_loops);
  ck_assert_uint_eq(a->info.duplicates, b->info.duplicates);
  ck_assert_uint_eq(a->info.max_degree, b->info.max_degree);
}

static void check_sample(char delimiter, uint32_t names, uint32_t lines, uint32_t odd,
                         uint64_t seed)
{
  static const int threads[] = {1, 2, 7};
  sample s;
  ms_graph *expected = NULL, *graph = NULL;
  char name[40];
  make_sample(&s, delimiter, names, lines, odd, seed);
  ck_ok(ms_graph_from_edges(s.n, s.pairs, (const uint32_t(*)[2])s.pair, NULL, &expected, &err));
  ck_ok(validate_graph(expected, &err));
  const char *path = files_write("lines.txt", s.text, s.size);
  for (size_t t = 0; t < sizeof threads / sizeof *threads; t++) {
    ms_graph_options options = {
        .size = sizeof(ms_graph_options), .format = MS_FORMAT_EDGE_LIST, .run.threads = threads[t]};
    ck_ok(ms_graph_read(path, &options, &graph, &err));
    same_graph(graph, expected);
    for (uint32_t i = 0; i < names; i++) {
      name_text(i, name, sizeof name);
      for (char *p = name; *p && delimiter == ' '; p++)
        *p = *p == ' ' ? '_' : *p;
      if (ms_graph_find(graph, name) != s.id_of[i])
        ck_abort_msg("%s is vertex %u, not %u", name, ms_graph_find(graph, name), s.id_of[i]);
    }
    ms_graph_free(graph);
  }
  ms_graph_free(expected);
  free_sample(&s);
}

/* Lists of 300 to 150,000 lines, with tabs, commas or blanks, none to all of them in odd spellings,
 * give the graph of their pairs: 15 lists, by 1, 2 and 7 threads. */
START_TEST(blocks_read_as_lines_do)
{
  static const char delimiters[] = "\t, ";
  for (int d = 0; d < 3; d++) {
    check_sample(delimiters[d], 50, 300, 0, 1);
    check_sample(delimiters[d], 5000, 150000, 0, 2);
    check_sample(delimiters[d], 300000, 150000, 1, 3);
    check_sample(delimiters[d], 5000, 20000, 500, 4);
    check_sample(delimiters[d], 5000, 20000, 1000, 5);
  }
}
END_TEST

/* A bad line is reported with its number, whatever blocks come before it: five places in 60,000
 * lines, by 1, 4 and 7 threads. */
START_TEST(errors_have_their_line)
{
  static const uint32_t at[] = {0, 1, 2, 9000, 59999};
  for (size_t i = 0; i < sizeof at / sizeof *at; i++)
    for (int threads = 1; threads <= 7; threads += 3) {
      sample s;
      ms_graph *graph = NULL;
      char place[40];
      uint32_t lines = 60000;
      memset(&s, 0, sizeof s);
      for (uint32_t l = 0; l < lines; l++)
        put(&s, l == at[i] ? "alone\n" : l % 3 ? "aaa\tbbb\n" : "# comment\n");
      ms_graph_options options = {
          .size = sizeof(ms_graph_options), .format = MS_FORMAT_EDGE_LIST, .run.threads = threads};
      ms_status status =
          ms_graph_read(files_write("lines.txt", s.text, s.size), &options, &graph, &err);
      ck_assert_int_eq(status, MS_ERR_INPUT);
      snprintf(place, sizeof place, "lines.txt:%u: expected two", at[i] + 1);
      ck_assert_msg(strstr(err.message, place), "%s", err.message);
      free(s.text);
    }
}
END_TEST

/* A hub of 69,999 neighbours and rows of every length around the switch of sorts are the sets that
 * a bit for each pair counts, by 1, 4 and 7 threads. */
START_TEST(rows_are_sorted_sets)
{
  enum { N = 70000 };
  static uint32_t pair[600000][2];
  uint64_t m = 0, state = 7;
  ms_graph *graph[3] = {NULL, NULL, NULL};
  for (uint32_t v = 1; v < N; v++) {
    pair[m][0] = v % 2 ? 0 : v;
    pair[m++][1] = v % 2 ? v : 0;
  }
  for (uint32_t v = 1; v < 200; v++)
    for (uint32_t i = 0; i < 2 * v; i++) {
      pair[m][0] = v;
      pair[m++][1] = random_below(&state, i % 2 ? N : 40);
    }
  ck_assert_uint_lt(m, 600000);
  for (int i = 0; i < 3; i++) {
    ms_names *names;
    uint32_t id;
    char name[16];
    ck_ok(ms_names_new(&names, &err));
    for (uint32_t v = 0; v < N; v++) {
      int length = snprintf(name, sizeof name, "%u", v);
      ck_ok(ms_names_add(names, name, (size_t)length, &id, &err));
    }
    ck_ok(ms_graph_build(N, m, (const uint32_t(*)[2])pair, names, 1 + 3 * i, &graph[i], &err));
    ck_ok(validate_graph(graph[i], &err));
    same_graph(graph[0], graph[i]);
  }
  ck_assert_uint_eq(graph[0]->info.max_degree, N - 1);
  /* counted another way: distinct pairs by a bit each */
  static uint8_t seen[(uint64_t)N * 256 / 8];
  uint64_t distinct = N - 1, loops = 0;
  for (uint64_t e = N - 1; e < m; e++) {
    uint32_t u = pair[e][0], v = pair[e][1], low = u < v ? u : v, high = u < v ? v : u;
    loops += u == v;
    if (u == v || low == 0)
      continue; /* the hub is joined to all already */
    uint64_t bit = (uint64_t)high * 256 + low;
    distinct += !(seen[bit / 8] >> bit % 8 & 1);
    seen[bit / 8] |= (uint8_t)(1u << bit % 8);
  }
  ck_assert_uint_eq(graph[0]->arcs / 2, distinct);
  ck_assert_uint_eq(graph[0]->info.self_loops, loops);
  ck_assert_uint_eq(graph[0]->info.duplicates, m - loops - distinct);
  for (int i = 0; i < 3; i++)
    ms_graph_free(graph[i]);
}
END_TEST

TEST_MAIN("edge lines", TEST(blocks_read_as_lines_do), TEST(errors_have_their_line),
          TEST(rows_are_sorted_sets))
