/* The census against brute force over all vertex sets: 6,000 random graphs of up to 10 vertices
 * with 0 to 3 colours a vertex, sets of 2 to 8, both forms of tables, one thread and several, whole
 * graphs and each vertex; larger graphs, whose candidates are counted by their kinds; numbers
 * of multisets; stops, limits of memory, failures and wrong options. */
#include "base/alloc.h"
#include "base/hooks.h"
#include "base/threads/stop.h"
#include "census/bits.h"
#include "census/census.h"
#include "graph/colors.h"
#include "graph/graph.h"
#include "tests/support/allocations.h"
#include "tests/support/random.h"
#include "tests/support/test_main.h"

#include <stdlib.h>
#include <string.h>

enum {
  MOST_N = 10,
  MOST_COLORS = 4,
  MOST_MOTIFS = 165, /* C(MOST_COLORS + 7, 8) */
  KEYS = 390625      /* (MOST_COLORS + 1)^MS_MAX_CENSUS */
};

static ms_error err;
static const char *const color_names[] = {"c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7"};

/* A random graph, and the number of sets of each motif, which a census should find. */
typedef struct trial {
  uint32_t n, colors, k;
  uint16_t near[MOST_N];     /* bit u: an edge to u */
  uint8_t colors_of[MOST_N]; /* bit c: the vertex has colour c */
  ms_graph *graph;
  ms_coloring *coloring;
  ms_census_options options;
  uint32_t only[MOST_COLORS];
  uint64_t sets;               /* all of them */
  uint32_t motifs;             /* that occur */
  uint32_t key[MOST_MOTIFS];   /* [motifs] */
  uint32_t count[MOST_MOTIFS]; /* [motifs] */
  uint32_t of_vertex[MOST_N][MOST_MOTIFS];
} trial;

static trial t;
static uint32_t place_of[KEYS]; /* 1 + the place of a motif; 0: it does not occur */

/* Returns a number for a motif of colours that ascend. */
static uint32_t key_of(const uint32_t *color, uint32_t k)
{
  uint32_t key = 0;
  for (uint32_t i = 0; i < k; i++)
    key = key * (MOST_COLORS + 1) + color[i] + 1;
  return key;
}

static bool is_connected(uint32_t set)
{
  uint32_t reached = set & -set, before = 0;
  while (reached != before) {
    before = reached;
    for (uint32_t v = 0; v < t.n; v++)
      if (before >> v & 1)
        reached |= t.near[v] & set;
  }
  return reached == set;
}

/* The colours of v that count. */
static uint32_t colors_that_count(uint32_t v)
{
  uint32_t colors = t.colors_of[v], only = 0;
  for (uint32_t i = 0; i < t.options.n_only; i++)
    only |= 1u << t.only[i];
  if (t.options.n_only > 0)
    colors &= only;
  return t.options.primary ? colors & -colors : colors;
}

/* Collects the different motifs that a set fits, from vertex v on. */
static void collect(uint32_t set, uint32_t v, uint32_t *color, uint32_t size, uint32_t *keys,
                    uint32_t *count)
{
  while (v < t.n && !(set >> v & 1))
    v++;
  if (v == t.n) {
    uint32_t sorted[MS_MAX_CENSUS];
    for (uint32_t i = 0; i < size; i++) {
      uint32_t at = i;
      for (; at > 0 && sorted[at - 1] > color[i]; at--)
        sorted[at] = sorted[at - 1];
      sorted[at] = color[i];
    }
    uint32_t key = key_of(sorted, size);
    for (uint32_t i = 0; i < *count; i++)
      if (keys[i] == key)
        return;
    keys[(*count)++] = key;
    return;
  }
  for (uint32_t c = 0; c < MOST_COLORS; c++)
    if (colors_that_count(v) >> c & 1) {
      color[size] = c;
      collect(set, v + 1, color, size + 1, keys, count);
    }
}

static void note_set(uint32_t set)
{
  static uint32_t keys[MOST_MOTIFS];
  uint32_t color[MOST_N], count = 0;
  collect(set, 0, color, 0, keys, &count);
  t.sets += count > 0;
  for (uint32_t i = 0; i < count; i++) {
    if (!place_of[keys[i]]) {
      place_of[keys[i]] = ++t.motifs;
      t.key[t.motifs - 1] = keys[i];
      t.count[t.motifs - 1] = 0;
      for (uint32_t v = 0; v < t.n; v++)
        t.of_vertex[v][t.motifs - 1] = 0;
    }
    uint32_t at = place_of[keys[i]] - 1;
    t.count[at]++;
    for (uint32_t v = 0; v < t.n; v++)
      t.of_vertex[v][at] += set >> v & 1;
  }
}

static void make_trial(uint64_t seed)
{
  uint32_t edges[MOST_N * MOST_N][2], pairs[MOST_N * MOST_COLORS][2];
  uint64_t m = 0, assigned = 0;
  t.n = 1 + random_below(&seed, MOST_N);
  t.colors = 1 + random_below(&seed, MOST_COLORS);
  t.k = 2 + random_below(&seed, MS_MAX_CENSUS - 1);
  uint32_t density = 1 + random_below(&seed, 8), most = 1 + random_below(&seed, 3);
  t.options = (ms_census_options)MS_CENSUS_OPTIONS_DEFAULT;
  t.options.k = t.k;
  t.options.primary = random_below(&seed, 4) == 0;
  t.options.run.threads = random_below(&seed, 2) ? 1 : 3;
  t.options.only = t.only;
  for (uint32_t c = 0; c < t.colors && random_below(&seed, 3) == 0; c++)
    t.only[t.options.n_only++] = random_below(&seed, t.colors);
  memset(t.near, 0, sizeof t.near);
  memset(t.colors_of, 0, sizeof t.colors_of);
  for (uint32_t v = 0; v < t.n; v++) {
    for (uint32_t u = 0; u < v; u++)
      if (random_below(&seed, 8) < density) {
        t.near[v] |= (uint16_t)(1 << u);
        t.near[u] |= (uint16_t)(1 << v);
        edges[m][0] = v;
        edges[m++][1] = u;
      }
    for (uint32_t i = random_below(&seed, most + 1) + (random_below(&seed, 2) && most == 1); i > 0;
         i--) {
      uint32_t c = random_below(&seed, t.colors);
      t.colors_of[v] |= (uint8_t)(1 << c);
      pairs[assigned][0] = v;
      pairs[assigned++][1] = c;
    }
  }
  ck_ok(ms_graph_from_edges(t.n, m, (const uint32_t(*)[2])edges, NULL, &t.graph, &err));
  ck_ok(ms_coloring_from_pairs(t.graph, assigned, (const uint32_t(*)[2])pairs, t.colors,
                               color_names, &t.coloring, &err));
  t.sets = t.motifs = 0;
  for (uint32_t set = 1; set < 1u << t.n; set++)
    if ((uint32_t)__builtin_popcount(set) == t.k && is_connected(set))
      note_set(set);
}

static void free_trial(void)
{
  for (uint32_t i = 0; i < t.motifs; i++)
    place_of[t.key[i]] = 0;
  ms_coloring_free(t.coloring);
  ms_graph_free(t.graph);
}

/* Checks that rows come in order. */
static void check_order(const uint32_t *color, const uint64_t *sets, uint64_t count, uint64_t seed)
{
  for (uint64_t i = 1; i < count; i++) {
    uint32_t before = key_of(color + (i - 1) * t.k, t.k), key = key_of(color + i * t.k, t.k);
    ck_assert_msg(sets[i] < sets[i - 1] || (sets[i] == sets[i - 1] && key > before),
                  "rows out of order in case %llu", (unsigned long long)seed);
  }
}

/* Returns how many of the motifs have at least this many sets, which count[] states. */
static uint64_t motifs_from(const uint32_t *count, uint64_t least)
{
  uint64_t result = 0;
  for (uint32_t i = 0; i < t.motifs; i++)
    result += count[i] > 0 && count[i] >= least;
  return result;
}

static void check_rows(const uint32_t *color, const uint64_t *sets, uint64_t count,
                       const uint32_t *wanted, uint64_t seed)
{
  uint64_t right = motifs_from(wanted, t.options.min_count);
  if (t.options.top > 0 && right > t.options.top)
    right = t.options.top;
  ck_assert_msg(count == right, "case %llu: %llu motifs instead of %llu", (unsigned long long)seed,
                (unsigned long long)count, (unsigned long long)right);
  for (uint64_t i = 0; i < count; i++) {
    uint32_t place = place_of[key_of(color + i * t.k, t.k)];
    ck_assert_msg(place > 0 && wanted[place - 1] == sets[i],
                  "case %llu: a motif has %llu sets instead of %u", (unsigned long long)seed,
                  (unsigned long long)sets[i], place > 0 ? wanted[place - 1] : 0);
  }
  check_order(color, sets, count, seed);
}

static void check_whole(uint64_t seed)
{
  ms_census_result *r;
  ck_ok(ms_census(t.graph, t.coloring, &t.options, &r, &err));
  ck_assert(r->run.stopped == MS_OK);
  ck_assert_uint_eq(r->sets, t.sets);
  ck_assert_uint_eq(r->motifs, t.motifs);
  if (ms_hooks.census_form != MS_CENSUS_AUTO)
    ck_assert(r->dense == (ms_hooks.census_form == MS_CENSUS_DENSE));
  check_rows(r->color, r->n_sets, r->count, t.count, seed);
  ms_census_result_free(r);
}

typedef struct receiver {
  uint64_t seed, received, last; /* the run ends when `last` are received; 0: none ends it */
  int64_t before;
} receiver;

static bool receive(void *user, const ms_census_vertex *v)
{
  receiver *r = user;
  ck_assert((int64_t)v->vertex > r->before);
  r->before = v->vertex;
  check_rows(v->color, v->n_sets, v->count, t.of_vertex[v->vertex], r->seed);
  return ++r->received != r->last;
}

/* Lets candidates with that many neighbours and more be counted by rows of bits, by each kernel in
 * turn; for every fifth seed, all are counted as without a test. */
static void choose_bits(uint64_t seed)
{
  unsigned kernels = 0;
  while (ms_bits_at(kernels))
    kernels++;
  ms_hooks.census_bits_kernel = ms_bits_at((unsigned)(seed % kernels));
  ms_hooks.census_bits_degree = (uint32_t)(seed / kernels % 5);
}

static void check_vertices(uint64_t seed)
{
  receiver r = {.seed = seed, .before = -1};
  ms_census_summary summary;
  uint64_t colored = 0, rows = 0;
  for (uint32_t v = 0; v < t.n; v++) {
    uint64_t motifs = motifs_from(t.of_vertex[v], t.options.min_count);
    colored += colors_that_count(v) != 0;
    rows += t.options.top > 0 && motifs > t.options.top ? t.options.top : motifs;
  }
  ck_ok(ms_census_vertices(t.graph, t.coloring, &t.options, receive, &r, &summary, &err));
  ck_assert(summary.run.stopped == MS_OK);
  ck_assert_uint_eq(summary.vertices, colored);
  ck_assert_uint_eq(r.received, colored);
  ck_assert_uint_eq(summary.rows, rows);
}

/* Each number of sets, of the whole graph and of each vertex, is that of brute force over all
 * vertex sets of 6,000 random graphs, in either form of tables, with motifs of lists of colours in
 * hash tables and in places of 32 and 64 bits, and with rows of bits for vertices of at least 1 to
 * 4 neighbours. */
START_TEST(agrees_with_brute_force)
{
  uint64_t cases = scaled(6000);
  for (uint64_t seed = 1; seed <= cases; seed++) {
    make_trial(seed);
    t.options.min_count = seed % 3 ? 0 : seed % 7;
    t.options.top = seed % 5 ? 0 : seed % 11;
    ms_hooks.census_form = (ms_census_form)(seed % 3);
    ms_hooks.census_motifs = (unsigned)(seed / 3 % 4);
    choose_bits(seed);
    check_whole(seed);
    check_vertices(seed);
    free_trial();
  }
  ms_hooks = ms_hooks_default;
}
END_TEST

/* ---- larger graphs --------------------------------------------------------------------- */

enum { LARGE_N = 130, LARGE_COLORS = 3 };

typedef struct large {
  uint32_t n, k;
  bool near[LARGE_N][LARGE_N];
  uint8_t color[LARGE_N]; /* LARGE_COLORS: none */
  ms_graph *graph;
  ms_coloring *coloring;
  uint64_t count[256]; /* by the numbers of vertices of each colour, in base 6 */
} large;

/* Makes a graph with hubs, whose candidates are counted by their kinds. */
static void make_large(large *l, uint64_t seed)
{
  static uint32_t edges[LARGE_N * LARGE_N][2], pairs[LARGE_N][2];
  uint64_t m = 0, assigned = 0;
  memset(l, 0, sizeof *l);
  l->k = 2 + random_below(&seed, 3);
  l->n = l->k == 4 ? 30 + random_below(&seed, 30) : 80 + random_below(&seed, LARGE_N - 79);
  uint32_t hubs = random_below(&seed, 4), density = 1 + random_below(&seed, 30);
  for (uint32_t v = 0; v < l->n; v++) {
    l->color[v] = (uint8_t)random_below(&seed, LARGE_COLORS + (seed % 2));
    if (l->color[v] < LARGE_COLORS) {
      pairs[assigned][0] = v;
      pairs[assigned++][1] = l->color[v];
    }
    for (uint32_t u = 0; u < v; u++)
      if (random_below(&seed, 100) < (u < hubs ? 90 : density)) {
        l->near[u][v] = l->near[v][u] = true;
        edges[m][0] = v;
        edges[m++][1] = u;
      }
  }
  ck_ok(ms_graph_from_edges(l->n, m, (const uint32_t(*)[2])edges, NULL, &l->graph, &err));
  ck_ok(ms_coloring_from_pairs(l->graph, assigned, (const uint32_t(*)[2])pairs, LARGE_COLORS,
                               color_names, &l->coloring, &err));
}

static void free_large(large *l)
{
  ms_coloring_free(l->coloring);
  ms_graph_free(l->graph);
}

/* Tries all sets of k vertices. */
static void count_large(large *l, uint32_t *set, uint32_t size, uint32_t from)
{
  static const uint32_t power[] = {1, 6, 36, 0};
  if (size == l->k) {
    uint32_t reached = 1, before = 0, place = 0;
    while (reached != before) {
      before = reached;
      for (uint32_t i = 0; i < size; i++)
        for (uint32_t j = 0; j < size; j++)
          if (before >> i & 1 && l->near[set[i]][set[j]])
            reached |= 1u << j;
    }
    for (uint32_t i = 0; i < size; i++)
      place += power[l->color[set[i]]];
    l->count[place] += reached == (1u << size) - 1;
    return;
  }
  for (uint32_t v = from; v < l->n; v++)
    if (l->color[v] < LARGE_COLORS) {
      set[size] = v;
      count_large(l, set, size + 1, v + 1);
    }
}

static uint32_t place_of_motif(const uint32_t *color, uint32_t k)
{
  static const uint32_t power[] = {1, 6, 36};
  uint32_t place = 0;
  for (uint32_t i = 0; i < k; i++)
    place += power[color[i]];
  return place;
}

static bool add_vertex(void *user, const ms_census_vertex *v)
{
  large *l = user;
  for (uint64_t i = 0; i < v->count; i++)
    l->count[place_of_motif(v->color + i * l->k, l->k)] -= v->n_sets[i];
  return true;
}

static void compare_large(large *l, const ms_census_options *o, uint64_t seed)
{
  ms_census_result *r;
  uint64_t left = 0;
  ck_ok(ms_census(l->graph, l->coloring, o, &r, &err));
  for (uint32_t i = 0; i < 256; i++)
    left += l->count[i] > 0;
  ck_assert_msg(r->count == left, "case %llu: %llu motifs", (unsigned long long)seed,
                (unsigned long long)r->count);
  for (uint64_t i = 0; i < r->count; i++) {
    uint64_t wanted = l->count[place_of_motif(r->color + i * l->k, l->k)];
    ck_assert_msg(r->n_sets[i] == wanted, "case %llu: %llu sets instead of %llu",
                  (unsigned long long)seed, (unsigned long long)r->n_sets[i],
                  (unsigned long long)wanted);
  }
  ms_census_result_free(r);
}

/* Graphs with hubs, 300 of them, whose candidates are counted by their kinds and whose roots are
 * divided among threads, against brute force; the numbers of each motif over all vertices add up
 * to k times its number.  Rows that fill up are emptied on the way. */
START_TEST(hubs)
{
  uint64_t cases = scaled(300);
  static large l;
  for (uint64_t seed = 1; seed <= cases; seed++) {
    uint32_t set[16];
    make_large(&l, seed);
    count_large(&l, set, 0, 0);
    ms_census_options o = {.size = sizeof o, .k = l.k, .run.threads = 1 + (int)(seed % 3)};
    uint32_t sets = seed % 2 ? UINT32_MAX : 400;
    for (int form = 0; form < 3; form++) {
      ms_hooks.census_dense_sets = sets;
      ms_hooks.census_form = (ms_census_form)form;
      choose_bits(seed + (uint64_t)form);
      ms_hooks.census_bits_degree *= 7;
      compare_large(&l, &o, seed);
    }
    ms_hooks = ms_hooks_default;
    ms_hooks.census_dense_sets = sets;
    for (uint32_t i = 0; i < 256; i++)
      l.count[i] *= l.k;
    ck_ok(ms_census_vertices(l.graph, l.coloring, &o, add_vertex, &l, NULL, &err));
    for (uint32_t i = 0; i < 256; i++)
      ck_assert_uint_eq(l.count[i], 0);
    free_large(&l);
  }
  ms_hooks = ms_hooks_default;
}
END_TEST

/* ---- multisets ------------------------------------------------------------------------- */

/* All multisets of up to 6 of up to 9 kinds have the numbers that they are listed by. */
START_TEST(multisets_are_numbered)
{
  for (uint32_t kinds = 1; kinds <= 9; kinds++) {
    ms_multisets m;
    ck_ok(ms_multisets_open(&m, kinds, 7, &err));
    for (uint32_t size = 0; size <= 6; size++) {
      ms_kind_id kind[8] = {0};
      uint64_t listed = 0, number[9];
      do {
        for (uint32_t i = 1; i < size; i++)
          ck_assert(kind[i] >= kind[i - 1]);
        if (size > 0) { /* the multiset is the one without its i-th kind, and that kind */
          for (uint32_t i = 0; i < size; i++) {
            ms_kind_id rest[8];
            memcpy(rest, kind, i * sizeof *kind);
            memcpy(rest + i, kind + i + 1, (size - 1 - i) * sizeof *kind);
            ms_multisets_add(&m, rest, size - 1, number);
            ck_assert_uint_eq(number[kind[i]], listed);
          }
        }
        listed++;
      } while (ms_multisets_next(&m, kind, size));
      ck_assert_uint_eq(listed, ms_multisets_count(kinds, size));
    }
    ms_multisets_close(&m);
  }
  ck_assert_uint_eq(ms_multisets_count(20, 7), 657800);
  ck_assert_uint_eq(ms_multisets_count(65534, 8), UINT64_MAX);
}
END_TEST

/* Sums beyond 64 bits are noticed. */
START_TEST(overflow)
{
  ms_tally tally;
  ms_multiset key;
  memset(&key, 0, sizeof key);
  ck_assert(ms_tally_open(&tally, 4, NULL));
  ck_assert(ms_tally_add(&tally, &key, ms_multiset_hash(&key), UINT64_MAX - 1));
  ck_assert(ms_tally_add(&tally, &key, ms_multiset_hash(&key), 1));
  ck_assert(!tally.overflow);
  ck_assert(ms_tally_add(&tally, &key, ms_multiset_hash(&key), 1));
  ck_assert(tally.overflow);
  ms_tally_close(&tally);
}
END_TEST

/* ---- ends ---------------------------------------------------------------------------- */

/* The sets that hold each vertex: noted in one run, compared in others. */
typedef struct of_vertices {
  uint64_t sets[LARGE_N];
  bool compares;
} of_vertices;

static bool note_vertex(void *user, const ms_census_vertex *v)
{
  of_vertices *o = user;
  if (o->compares)
    ck_assert_uint_eq(v->sets, o->sets[v->vertex]);
  o->sets[v->vertex] = v->sets;
  return true;
}

/* A census of vertices that is stopped after any number of looks passes on the vertices that are
 * done, and their numbers are right. */
START_TEST(vertices_before_a_stop)
{
  static large l;
  static of_vertices known;
  ms_census_summary whole, part;
  uint64_t some = 0;
  uint64_t seed = 1;
  do
    make_large(&l, seed++);
  while ((l.k < 4 || l.graph->offset[l.n] < 1200) && (free_large(&l), true));
  ms_census_options o = {.size = sizeof o, .k = 4, .run.threads = 1};
  ck_ok(ms_census_vertices(l.graph, l.coloring, &o, note_vertex, &known, &whole, &err));
  known.compares = true;
  for (uint64_t looks = 0; looks < 12; looks++) {
    ck_ok(ms_stop_new(&o.run.stop, &err));
    ms_stop_after_looks(o.run.stop, looks);
    ck_ok(ms_census_vertices(l.graph, l.coloring, &o, note_vertex, &known, &part, &err));
    ck_assert(part.run.stopped != MS_OK || part.vertices == whole.vertices);
    some += part.run.stopped != MS_OK && part.vertices > 0 && part.vertices < whole.vertices;
    ms_stop_free(o.run.stop);
  }
  ck_assert_uint_gt(some, 0);
  free_large(&l);
}
END_TEST

START_TEST(ends_early)
{
  static large l;
  ms_stop *stop;
  ms_census_result *r;
  ms_census_summary s;
  make_large(&l, 3);
  ms_census_options o = {.size = sizeof o, .k = 4, .run.threads = 2};
  ck_ok(ms_stop_new(&stop, &err));
  ms_stop_request(stop);
  o.run.stop = stop;
  ck_ok(ms_census(l.graph, l.coloring, &o, &r, &err));
  ck_assert_int_eq(r->run.stopped, MS_ERR_INTERRUPTED);
  ck_assert_uint_eq(r->count, 0);
  ms_census_result_free(r);
  ck_ok(ms_census_vertices(l.graph, l.coloring, &o, add_vertex, &l, &s, &err));
  ck_assert_int_eq(s.run.stopped, MS_ERR_INTERRUPTED);
  o.run.stop = NULL;
  for (int form = 0; form < 3; form++) {
    ms_hooks.census_form = (ms_census_form)form;
    o.run.memory = 64;
    ck_assert_int_eq(ms_census(l.graph, l.coloring, &o, &r, &err), MS_ERR_MEMORY);
    ck_assert_ptr_nonnull(strstr(err.message, "raise `memory`"));
  }
  ms_hooks = ms_hooks_default;
  ck_assert_int_eq(ms_census_vertices(l.graph, l.coloring, &o, add_vertex, &l, &s, &err),
                   MS_ERR_MEMORY);
  o.run.memory = 0;
  for (o.k = 1; o.k < 10; o.k += 8) {
    ck_assert_int_eq(ms_census(l.graph, l.coloring, &o, &r, &err), MS_ERR_USAGE);
    ck_assert_ptr_nonnull(strstr(err.message, "`k`"));
  }
  o.k = 3;
  o.n_only = 1;
  o.only = (const uint32_t[]){LARGE_COLORS};
  ck_assert_int_eq(ms_census(l.graph, l.coloring, &o, &r, &err), MS_ERR_USAGE);
  ms_stop_free(stop);
  free_large(&l);
}
END_TEST

static bool receive_two(void *user, const ms_census_vertex *v)
{
  (void)v;
  return ++*(int *)user < 2;
}

static ms_status take_census(void *user, ms_error *reason)
{
  ms_census_options *o = user;
  ms_census_result *r;
  int received = 0;
  ms_status status = ms_census(t.graph, t.coloring, o, &r, reason);
  if (status != MS_OK)
    return status;
  ms_census_result_free(r);
  return ms_census_vertices(t.graph, t.coloring, o, receive_two, &received, NULL, reason);
}

/* With any memory, a census of lists of colours has the same rows or is refused, and it keeps to
 * the memory: 40 random graphs, and 20 bounds of each. */
START_TEST(any_memory)
{
  uint64_t cases = scaled(40);
  int refused = 0, counted = 0;
  for (uint64_t seed = 1; seed <= cases; seed++) {
    make_trial(seed);
    for (uint32_t bits = 8; bits < 28; bits++) {
      ms_census_result *r;
      t.options.run.memory = ((uint64_t)1 << bits) + seed;
      ms_hooks.census_motifs = bits % 4;
      ms_status status = ms_census(t.graph, t.coloring, &t.options, &r, &err);
      counted += status == MS_OK;
      refused += status == MS_ERR_MEMORY;
      if (status != MS_OK) {
        ck_assert_int_eq(status, MS_ERR_MEMORY);
        continue;
      }
      ck_assert_uint_le(r->bytes, t.options.run.memory);
      check_rows(r->color, r->n_sets, r->count, t.count, seed);
      ms_census_result_free(r);
    }
    free_trial();
  }
  ck_assert(refused > 0 && counted > 0);
  ms_hooks = ms_hooks_default;
}
END_TEST

START_TEST(every_allocation_may_fail)
{
  make_trial(12);
  for (int form = 0; form < 12; form++) {
    ms_hooks.census_form = (ms_census_form)(form % 3);
    ms_hooks.census_motifs = (unsigned)form / 3;
    ms_hooks.census_bits_degree = (uint32_t)form % 3; /* 0: no vertex has a row */
    for (int primary = 0; primary < 2; primary++) {
      ms_census_options o = {.size = sizeof o, .k = 4, .run.threads = 2, .primary = primary};
      ck_assert_int_gt(failing_runs(take_census, &o), 30);
    }
  }
  ms_hooks = ms_hooks_default;
  free_trial();
}
END_TEST

TEST_MAIN("census", TEST(agrees_with_brute_force), TEST(hubs), TEST(multisets_are_numbered),
          TEST(overflow), TEST(vertices_before_a_stop), TEST(ends_early), TEST(any_memory),
          TEST(every_allocation_may_fail))
