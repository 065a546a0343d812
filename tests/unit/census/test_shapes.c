/* The census by shape against brute force over all vertex sets of random graphs, directed or not,
 * with colours or not, in both forms of tables, one thread and several, at once and in parts;
 * induced or not, against the matches of each shape as a pattern; names and texts of shapes. */
#include "base/alloc.h"
#include "base/hooks.h"
#include "base/threads/stop.h"
#include "census/census.h"
#include "census/shapes/names.h"
#include "tests/support/allocations.h"
#include "tests/support/random.h"
#include "tests/support/test_main.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_N = 16, MOST_COLORS = 3, MOST_CLASSES = 4096 };

static ms_error err;
static const char *const color_names[] = {"red", "a`b", "blue (1)"};

/* A class by brute force: the least of the words of all orders of its vertices. */
typedef struct class_word {
  uint8_t byte[MS_MAX_SHAPE * (MS_MAX_SHAPE + 1)]; /* colours, then the matrix */
} class_word;

typedef struct trial {
  uint32_t n, k;
  bool directed, colored;
  uint8_t arc[MOST_N][MOST_N];
  uint8_t color[MOST_N]; /* MOST_COLORS: none */
  ms_graph *graph;
  ms_coloring *coloring; /* NULL: none */
  ms_census_options options;
  uint64_t sets;
  uint32_t classes;
  class_word word[MOST_CLASSES];
  uint64_t count[MOST_CLASSES];
} trial;

static trial t;

static void write_word(const uint32_t *v, const uint8_t *color, const uint8_t (*arc)[MOST_N],
                       class_word *word)
{
  memset(word, 0, sizeof *word);
  for (uint32_t i = 0; i < t.k; i++) {
    word->byte[i] = color ? color[v[i]] : 0;
    for (uint32_t j = 0; j < t.k; j++)
      word->byte[t.k + i * t.k + j] = arc[v[i]][v[j]];
  }
}

/* Lowers *least to the words of all orders of v[done .. k - 1]. */
static void lower_word(uint32_t *v, uint32_t done, const uint8_t *color,
                       const uint8_t (*arc)[MOST_N], class_word *least)
{
  class_word word;
  if (done == t.k) {
    write_word(v, color, arc, &word);
    if (memcmp(&word, least, sizeof word) < 0)
      *least = word;
    return;
  }
  for (uint32_t i = done; i < t.k; i++) {
    uint32_t other = v[done];
    v[done] = v[i];
    v[i] = other;
    lower_word(v, done + 1, color, arc, least);
    v[i] = v[done];
    v[done] = other;
  }
}

static uint32_t find_class(const class_word *word)
{
  uint32_t i = 0;
  while (i < t.classes && memcmp(&t.word[i], word, sizeof *word) != 0)
    i++;
  return i;
}

static bool is_connected(const uint32_t *v)
{
  uint32_t reached = 1, before = 0;
  while (reached != before) {
    before = reached;
    for (uint32_t i = 0; i < t.k; i++)
      for (uint32_t j = 0; j < t.k; j++)
        if ((t.arc[v[i]][v[j]] || t.arc[v[j]][v[i]]) && (before >> i & 1))
          reached |= 1u << j;
  }
  return reached == (1u << t.k) - 1;
}

static void note_sets(uint32_t *v, uint32_t size, uint32_t next)
{
  class_word least;
  if (size < t.k) {
    for (; next < t.n; next++)
      if (t.color[next] < MOST_COLORS) {
        v[size] = next;
        note_sets(v, size + 1, next + 1);
      }
    return;
  }
  if (!is_connected(v))
    return;
  uint32_t copy[MS_MAX_SHAPE];
  memcpy(copy, v, sizeof copy);
  memset(&least, 0xff, sizeof least);
  lower_word(copy, 0, t.colored ? t.color : NULL, (const uint8_t(*)[MOST_N])t.arc, &least);
  uint32_t at = find_class(&least);
  if (at == t.classes) {
    ck_assert(t.classes < MOST_CLASSES);
    t.word[t.classes] = least;
    t.count[t.classes++] = 0;
  }
  t.count[at]++;
  t.sets++;
}

static void make_trial(uint64_t seed)
{
  uint32_t edges[MOST_N * MOST_N][2], pairs[MOST_N][2], v[MS_MAX_SHAPE] = {0};
  uint64_t m = 0, assigned = 0;
  memset(&t, 0, sizeof t);
  t.directed = random_below(&seed, 2);
  t.colored = random_below(&seed, 2);
  t.k = 3 + random_below(&seed, t.directed ? 3 : 4);
  t.n = random_below(&seed, (t.k > 4 ? 9 : 14) + 1) + 1;
  uint32_t density = 1 + random_below(&seed, 20), hubs = random_below(&seed, 3);
  t.options = (ms_census_options)MS_CENSUS_OPTIONS_DEFAULT;
  t.options.k = t.k;
  t.options.shapes = true;
  t.options.run.threads = random_below(&seed, 2) ? 1 : 3;
  for (uint32_t a = 0; a < t.n; a++) {
    t.color[a] = (uint8_t)(t.colored ? random_below(&seed, MOST_COLORS + seed % 2) : 0);
    if (t.color[a] < MOST_COLORS) {
      pairs[assigned][0] = a;
      pairs[assigned++][1] = t.color[a];
    }
    for (uint32_t b = 0; b < t.n; b++)
      if ((t.directed ? a != b : a < b) &&
          random_below(&seed, 20) < (a < hubs || b < hubs ? 18 : density)) {
        t.arc[a][b] = 1;
        t.arc[b][a] |= !t.directed;
        edges[m][0] = a;
        edges[m++][1] = b;
      }
  }
  const uint32_t(*list)[2] = (const uint32_t(*)[2])edges;
  if (t.directed)
    ck_ok(ms_graph_from_arcs(t.n, m, list, NULL, &t.graph, &err));
  else
    ck_ok(ms_graph_from_edges(t.n, m, list, NULL, &t.graph, &err));
  if (t.colored)
    ck_ok(ms_coloring_from_pairs(t.graph, assigned, (const uint32_t(*)[2])pairs, MOST_COLORS,
                                 color_names, &t.coloring, &err));
  note_sets(v, 0, 0);
}

static void free_trial(void)
{
  ms_coloring_free(t.coloring);
  ms_graph_free(t.graph);
}

/* Returns the class of a row. */
static uint32_t class_of_row(const ms_census_result *r, uint64_t row)
{
  class_word least;
  uint8_t arc[MOST_N][MOST_N] = {{0}}, color[MOST_N] = {0};
  uint32_t v[MS_MAX_SHAPE], place = 0;
  for (uint32_t j = 0; j < t.k; j++) {
    v[j] = j;
    color[j] = (uint8_t)(r->color ? r->color[row * t.k + j] : 0);
    for (uint32_t i = 0; i < j; i++, place += t.directed ? 2 : 1) {
      uint32_t pair = r->shape[row] >> place;
      arc[i][j] = pair & 1;
      arc[j][i] = t.directed ? pair >> 1 & 1 : pair & 1;
    }
  }
  memset(&least, 0xff, sizeof least);
  lower_word(v, 0, t.colored ? color : NULL, (const uint8_t(*)[MOST_N])arc, &least);
  return find_class(&least);
}

static void check_result(const ms_census_result *r, uint64_t seed)
{
  ck_assert(r->run.stopped == MS_OK && r->directed == t.directed);
  ck_assert_msg(r->sets == t.sets && r->count == t.classes,
                "case %llu: %llu sets of %llu shapes instead of %llu of %u",
                (unsigned long long)seed, (unsigned long long)r->sets, (unsigned long long)r->count,
                (unsigned long long)t.sets, t.classes);
  for (uint64_t i = 0; i < r->count; i++) {
    uint32_t at = class_of_row(r, i);
    ck_assert(at < t.classes);
    ck_assert_msg(r->n_sets[i] == t.count[at], "case %llu: %llu sets instead of %llu",
                  (unsigned long long)seed, (unsigned long long)r->n_sets[i],
                  (unsigned long long)t.count[at]);
    ck_assert(i == 0 || r->n_sets[i] <= r->n_sets[i - 1]);
  }
}

/* In either form of tables, and in units as a divided census counts them. */
START_TEST(agrees_with_brute_force)
{
  uint64_t cases = scaled(1500);
  for (uint64_t seed = 1; seed <= cases; seed++) {
    ms_census_result *r;
    ms_census_job *job;
    ms_census_rows rows;
    uint64_t sets;
    const ms_share all = ms_share_of_part(1, 1);
    make_trial(seed);
    ms_hooks.census_form = (ms_census_form)(seed % 3);
    ms_hooks.shape_sets = seed % 2 ? 0 : 1e6; /* 0: formulas count what they can */
    ck_ok(ms_census(t.graph, t.coloring, &t.options, &r, &err));
    check_result(r, seed);
    ms_census_result_free(r);
    ck_ok(ms_census_job_open(&ms_census_gpus, t.graph, t.coloring, &t.options, &job, &err));
    ck_ok(ms_census_job_run(job, &all, &rows, &sets, &err));
    for (uint64_t i = 0; i < rows.count; i++)
      ck_assert(ms_census_job_key_is_right(job, &rows.row[i].key));
    ck_ok(ms_census_job_finish(job, &rows, sets, &r, &err));
    check_result(r, seed);
    ms_census_result_free(r);
    ms_free(rows.row);
    ms_census_job_close(job);
    free_trial();
  }
  ms_hooks = ms_hooks_default;
}
END_TEST

/* The text of a row is a pattern with as many matches. */
static void check_matches(const ms_census_result *r, uint64_t row, const ms_pattern_index *index)
{
  const char *names[MS_MAX_SHAPE];
  char *text;
  ms_pattern *pattern;
  ms_pattern_result *found;
  ms_shape_info info;
  ms_pattern_options options = MS_PATTERN_OPTIONS_DEFAULT;
  for (uint32_t i = 0; i < t.k; i++)
    names[i] = r->color ? color_names[r->color[row * t.k + i]] : NULL;
  ck_ok(ms_shape_pattern(t.k, t.directed, r->shape[row], r->color ? names : NULL, &text, &err));
  ck_ok(ms_pattern_parse(text, t.directed, &pattern, &err));
  options.screen.run.engine = "cpu";
  options.induced = !t.options.non_induced;
  options.count_only = true;
  options.screen_mode = MS_SCREEN_NEVER;
  ck_ok(ms_pattern_list(index, pattern, &options, &found, &err));
  ck_assert_msg(found->matches == r->n_sets[row], "%s: %llu matches, %llu sets", text,
                (unsigned long long)found->matches, (unsigned long long)r->n_sets[row]);
  ck_ok(ms_shape_describe(t.k, t.directed, r->shape[row], r->color ? r->color + row * t.k : NULL,
                          &info, &err));
  ck_assert_uint_eq(strtoul(found->automorphisms_text, NULL, 10), info.automorphisms);
  ms_pattern_result_free(found);
  ms_pattern_free(pattern);
  ms_text_free(text);
}

START_TEST(is_the_number_of_matches)
{
  uint64_t cases = scaled(300);
  for (uint64_t seed = 10001; seed <= 10000 + cases; seed++) {
    ms_census_result *r;
    ms_pattern_index *index;
    make_trial(seed);
    t.options.non_induced = seed % 2;
    for (uint32_t v = 0; v < t.n; v++) /* matches may be at vertices without a colour */
      if (t.color[v] == MOST_COLORS)
        goto next;
    ck_ok(ms_census(t.graph, t.coloring, &t.options, &r, &err));
    ck_ok(ms_pattern_index_new(t.graph, t.coloring, 1, &index, &err));
    for (uint64_t i = 0; i < r->count; i++)
      check_matches(r, i, index);
    ms_pattern_index_free(index);
    ms_census_result_free(r);
  next:
    free_trial();
  }
}
END_TEST

/* ---- means over all labellings --------------------------------------------------------------- */

static void swap(uint32_t *a, uint32_t *b)
{
  uint32_t other = *a;
  *a = *b;
  *b = other;
}

/* Moves order[count] to the next one, as lexicographic orders follow each other; false: it was the
 * last. */
static bool next_order(uint32_t *order, uint32_t count)
{
  uint32_t i = count, with = count;
  while (i > 1 && order[i - 2] > order[i - 1])
    i--;
  if (i < 2)
    return false;
  while (order[--with] < order[i - 2])
    ;
  swap(&order[i - 2], &order[with]);
  for (uint32_t a = i - 1, b = count - 1; a < b; a++, b--)
    swap(&order[a], &order[b]);
  return true;
}

/* Adds the sets of each row of r, with the colours dealt out in this order, to sum[rows]. */
static void add_labelling(const ms_census_result *r, const uint32_t (*pair)[2],
                          const uint32_t *order, uint32_t pairs, double *sum)
{
  uint32_t dealt[MOST_N][2];
  ms_coloring *coloring;
  ms_census_result *own;
  for (uint32_t i = 0; i < pairs; i++) {
    dealt[i][0] = pair[i][0];
    dealt[i][1] = pair[order[i]][1];
  }
  ck_ok(ms_coloring_from_pairs(t.graph, pairs, (const uint32_t(*)[2])dealt, MOST_COLORS,
                               color_names, &coloring, &err));
  ck_ok(ms_census(t.graph, coloring, &t.options, &own, &err));
  for (uint64_t i = 0; i < r->count; i++)
    for (uint64_t j = 0; j < own->count; j++)
      if (own->shape[j] == r->shape[i] &&
          memcmp(own->color + j * t.k, r->color + i * t.k, t.k * sizeof *r->color) == 0)
        sum[i] += (double)own->n_sets[j];
  ms_census_result_free(own);
  ms_coloring_free(coloring);
}

/* The mean by formula is that of the censuses of all orders of the colours, induced or not. */
START_TEST(means_are_those_of_all_labellings)
{
  uint64_t cases = scaled(100);
  for (uint64_t seed = 40001, done = 0; done < cases; seed++) {
    ms_permutation_options q = MS_PERMUTATION_OPTIONS_DEFAULT;
    uint32_t pair[MOST_N][2], order[MOST_N] = {0}, pairs = 0;
    make_trial(seed);
    for (uint32_t v = 0; v < t.n; v++)
      if (t.colored && t.color[v] < MOST_COLORS) {
        order[pairs] = pairs;
        pair[pairs][0] = v;
        pair[pairs++][1] = t.color[v];
      }
    if (t.sets > 0 && t.colored && pairs <= 6 && t.k <= 4) { /* 720 censuses each */
      ms_census_result *r;
      ms_permutation_result *p;
      double labellings = 0;
      done++;
      t.options.non_induced = seed % 2;
      q.permutations = 2;
      ck_ok(ms_census(t.graph, t.coloring, &t.options, &r, &err));
      ck_ok(ms_census_permute(t.graph, t.coloring, &t.options, &q, r, &p, &err));
      double *sum = calloc(r->count + 1, sizeof *sum); /* subgraphs have more classes than sets */
      ck_assert_ptr_nonnull(sum);
      do {
        add_labelling(r, (const uint32_t(*)[2])pair, order, pairs, sum);
        labellings++;
      } while (next_order(order, pairs));
      ck_assert(p->mean && (pairs < 6 || labellings == 720));
      for (uint64_t i = 0; i < r->count; i++)
        ck_assert_msg(fabs(p->mean[i] - sum[i] / labellings) < 1e-9 * p->mean[i],
                      "case %llu: mean %.9g instead of %.9g", (unsigned long long)seed, p->mean[i],
                      sum[i] / labellings);
      free(sum);
      ms_permutation_result_free(p);
      q.null_kind = MS_NULL_DEGREE; /* no formula is known */
      ck_ok(ms_census_permute(t.graph, t.coloring, &t.options, &q, r, &p, &err));
      ck_assert_ptr_null(p->mean);
      ms_permutation_result_free(p);
      ms_census_result_free(r);
    }
    free_trial();
  }
}
END_TEST

/* ---- orbits ------------------------------------------------------------------------------ */

/* True if some order of v[size] has v[0] at the position, and exactly the arcs of the shape. */
static bool has_position(uint32_t *v, uint32_t placed, const ms_orbit_info *o)
{
  for (uint32_t i = 0; placed > 0 && i + 1 < placed; i++) {
    uint32_t j = placed - 1, place = (j * (j - 1) / 2 + i) * (t.directed ? 2 : 1);
    uint32_t pair = o->shape >> place & (t.directed ? 3 : 1);
    uint32_t is = t.arc[v[i]][v[j]] | (t.directed ? t.arc[v[j]][v[i]] << 1 : 0);
    if (pair != is)
      return false;
  }
  if (placed == o->k)
    return true;
  for (uint32_t i = placed; i < o->k; i++) {
    bool right = false;
    uint32_t other = v[i];
    v[i] = v[placed];
    v[placed] = other;
    if ((other >> 8) == (placed == o->position)) {
      v[placed] &= 0xff;
      right = has_position(v, placed + 1, o);
      v[placed] = other;
    }
    v[placed] = v[i];
    v[i] = other;
    if (right)
      return true;
  }
  return false;
}

static uint64_t brute[MOST_N][1024];
static ms_orbit_info orbit_info[1024];

static void note_orbits(uint32_t *v, uint32_t size, uint32_t next, uint32_t k, uint32_t orbits)
{
  if (size < k) {
    for (; next < t.n; next++) {
      v[size] = next;
      note_orbits(v, size + 1, next + 1, k, orbits);
    }
    return;
  }
  uint32_t before = t.k;
  t.k = k;
  bool connected = is_connected(v);
  t.k = before;
  for (uint32_t r = 0; connected && r < k; r++) {
    uint32_t met = 0;
    for (uint32_t i = 0; i < orbits; i++) {
      uint32_t marked[MS_MAX_SHAPE];
      if (orbit_info[i].k != k)
        continue;
      for (uint32_t j = 0; j < k; j++)
        marked[j] = v[j] | (uint32_t)(j == r) << 8;
      if (has_position(marked, 0, &orbit_info[i])) {
        brute[v[r]][i]++;
        met++;
      }
    }
    ck_assert_uint_eq(met, 1);
  }
}

/* The orbits of random graphs are those of brute force, by a search and by formulas. */
START_TEST(orbits_agree_with_brute_force)
{
  for (uint64_t seed = 20001; seed <= 20000 + (uint64_t)scaled(120); seed++) {
    ms_orbits_result *r;
    uint32_t v[MS_MAX_SHAPE] = {0};
    make_trial(seed);
    t.options.k = t.directed ? 2 + seed % 3 : 2 + seed % 4;
    ms_hooks.orbit_sets = seed / 4 % 2 ? 0 : 1e9;
    memset(brute, 0, sizeof brute);
    ck_ok(ms_orbits(t.graph, NULL, &t.options, &r, &err));
    ck_assert_uint_le(r->orbits, 1024);
    for (uint32_t i = 0; i < r->orbits; i++)
      ck_ok(ms_orbit_describe(t.options.k, t.directed, i, &orbit_info[i], &err));
    for (uint32_t k = 2; k <= t.options.k; k++)
      note_orbits(v, 0, 0, k, r->orbits);
    for (uint32_t a = 0; a < t.n; a++)
      for (uint32_t i = 0; i < r->orbits; i++)
        ck_assert_msg(
            r->count[a * r->orbits + i] == brute[a][i],
            "case %llu: vertex %u, orbit %u: %llu instead of %llu", (unsigned long long)seed, a, i,
            (unsigned long long)r->count[a * r->orbits + i], (unsigned long long)brute[a][i]);
    ms_orbits_result_free(r);
    free_trial();
  }
  ms_hooks = ms_hooks_default;
}
END_TEST

/* Without memory for formulas a search counts the same, and the result says why; a budget for which
 * not even the numbers have room is refused. */
START_TEST(orbits_without_memory)
{
  static uint32_t edges[3000][2];
  ms_orbits_result *whole, *r;
  uint64_t seed = 11;
  uint32_t searched = 0;
  memset(&t, 0, sizeof t);
  for (uint32_t i = 0; i < 3000; i++) {
    edges[i][0] = random_below(&seed, 1000);
    edges[i][1] = (edges[i][0] + 1 + random_below(&seed, 999)) % 1000;
  }
  ck_ok(ms_graph_from_edges(1000, 3000, (const uint32_t(*)[2])edges, NULL, &t.graph, &err));
  t.options = (ms_census_options)MS_CENSUS_OPTIONS_DEFAULT;
  t.options.run.threads = 2;
  ms_hooks.orbit_sets = 0;
  ck_ok(ms_orbits(t.graph, NULL, &t.options, &whole, &err));
  ck_assert_ptr_nonnull(strstr(whole->run.engine_reason, "by formulas"));
  for (uint64_t bytes = 1000; bytes <= whole->bytes; bytes += bytes / 8) {
    t.options.run.memory = bytes;
    ms_status status = ms_orbits(t.graph, NULL, &t.options, &r, &err);
    ck_assert(status == MS_OK || (status == MS_ERR_MEMORY && strstr(err.message, "`memory`")));
    if (status != MS_OK)
      continue;
    searched += strstr(r->run.engine_reason, "more memory") != NULL;
    ck_assert(memcmp(r->count, whole->count, 1000 * r->orbits * sizeof *r->count) == 0);
    ms_orbits_result_free(r);
  }
  ck_assert_uint_gt(searched, 0);
  ms_orbits_result_free(whole);
  ms_graph_free(t.graph);
  ms_hooks = ms_hooks_default;
}
END_TEST

/* ---- orbits with colours ------------------------------------------------------------------ */

enum { ROOT = 64, SIZE_BYTE = sizeof(class_word) - 1 };

/* The classes of sets with a root, whose colour is raised by ROOT, and the number of each. */
static struct {
  class_word word;
  uint64_t count[MOST_N];
} rooted[2 * MOST_CLASSES];
static uint32_t rooted_classes;

static uint32_t find_rooted(uint32_t *v, uint32_t k, const uint8_t *color,
                            const uint8_t (*arc)[MOST_N])
{
  class_word least;
  uint32_t before = t.k, i = 0;
  memset(&least, 0xff, sizeof least);
  t.k = k;
  lower_word(v, 0, color, arc, &least);
  t.k = before;
  least.byte[SIZE_BYTE] = (uint8_t)k;
  while (i < rooted_classes && memcmp(&rooted[i].word, &least, sizeof least) != 0)
    i++;
  if (i == rooted_classes) {
    ck_assert(i < sizeof rooted / sizeof *rooted);
    memset(&rooted[i], 0, sizeof *rooted);
    rooted[rooted_classes++].word = least;
  }
  return i;
}

static void note_rooted(uint32_t *v, uint32_t size, uint32_t next, uint32_t k)
{
  uint32_t before = t.k;
  if (size < k) {
    for (; next < t.n; next++)
      if (t.color[next] < MOST_COLORS) {
        v[size] = next;
        note_rooted(v, size + 1, next + 1, k);
      }
    return;
  }
  t.k = k;
  bool connected = is_connected(v);
  t.k = before;
  for (uint32_t r = 0; connected && r < k; r++) {
    uint32_t copy[MS_MAX_SHAPE], root = v[r];
    memcpy(copy, v, sizeof copy);
    t.color[root] = (uint8_t)(t.color[root] + ROOT);
    rooted[find_rooted(copy, k, t.color, (const uint8_t(*)[MOST_N])t.arc)].count[root]++;
    t.color[root] = (uint8_t)(t.color[root] - ROOT);
  }
}

/* The class of a described orbit, whose position must be the first of its like. */
static uint32_t class_of_orbit(const ms_colored_orbit *o)
{
  uint8_t arc[MOST_N][MOST_N] = {{0}}, color[MOST_N] = {0};
  uint32_t v[MS_MAX_SHAPE] = {0, 1, 2, 3, 4, 5}, place = 0, found = 0;
  for (uint32_t j = 0; j < o->k; j++) {
    color[j] = (uint8_t)o->color[j];
    ck_assert(j == 0 || o->color[j - 1] <= o->color[j]);
    for (uint32_t i = 0; i < j; i++, place += t.directed ? 2 : 1) {
      uint32_t pair = o->shape >> place;
      arc[i][j] = pair & 1;
      arc[j][i] = t.directed ? pair >> 1 & 1 : pair & 1;
    }
  }
  for (uint32_t r = o->position + 1; r-- > 0;) {
    uint32_t copy[MS_MAX_SHAPE];
    memcpy(copy, v, sizeof copy);
    color[r] = (uint8_t)(color[r] + ROOT);
    uint32_t class = find_rooted(copy, o->k, color, (const uint8_t(*)[MOST_N])arc);
    color[r] = (uint8_t)(color[r] - ROOT);
    ck_assert(r == o->position || class != found);
    found = r == o->position ? class : found;
  }
  return found;
}

static void check_colored_orbits(const ms_orbits_result *r, uint64_t seed)
{
  uint32_t brute_classes = rooted_classes;
  uint32_t *class = ms_alloc(r->orbits, sizeof *class);
  ck_assert(r->colored && r->run.stopped == MS_OK && r->orbits == brute_classes);
  for (uint32_t i = 0; i < r->orbits; i++) {
    ck_assert(i == 0 || r->described[i - 1].k <= r->described[i].k);
    class[i] = class_of_orbit(&r->described[i]);
    ck_assert(class[i] < brute_classes);
  }
  for (uint32_t v = 0; v < t.n; v++) {
    uint64_t rows = 0;
    for (uint32_t c = 0; c < brute_classes; c++)
      rows += rooted[c].count[v] > 0;
    ck_assert_msg(r->offset[v + 1] - r->offset[v] == rows, "case %llu: vertex %u has %llu rows",
                  (unsigned long long)seed, v, (unsigned long long)rows);
    for (uint64_t i = r->offset[v]; i < r->offset[v + 1]; i++) {
      ck_assert(i == r->offset[v] || r->orbit[i - 1] < r->orbit[i]);
      ck_assert_msg(r->count[i] == rooted[class[r->orbit[i]]].count[v],
                    "case %llu: vertex %u, orbit %u", (unsigned long long)seed, v, r->orbit[i]);
    }
  }
  ms_free(class);
}

/* Of random graphs with up to three colours, some vertices without: each vertex has the rows and
 * numbers of brute force, by one thread or three; colours alone may be chosen by `only`. */
START_TEST(colored_orbits_agree_with_brute_force)
{
  static const uint32_t only[] = {2, 0};
  uint64_t cases = scaled(1500);
  for (uint64_t seed = 30001, done = 0; done < cases; seed++) {
    ms_orbits_result *r;
    uint32_t v[MS_MAX_SHAPE] = {0};
    make_trial(seed);
    if (t.colored) {
      done++;
      t.options.k = t.directed ? 2 + seed % 3 : 2 + seed % 4;
      if (seed % 5 == 0) {
        t.options.only = only;
        t.options.n_only = 1 + seed / 5 % 2;
        for (uint32_t a = 0; a < t.n; a++)
          if (t.color[a] != 2 && (t.color[a] != 0 || t.options.n_only == 1))
            t.color[a] = MOST_COLORS;
      }
      rooted_classes = 0;
      for (uint32_t k = 2; k <= t.options.k; k++)
        note_rooted(v, 0, 0, k);
      ck_ok(ms_orbits(t.graph, t.coloring, &t.options, &r, &err));
      check_colored_orbits(r, seed);
      ms_orbits_result_free(r);
    }
    free_trial();
  }
}
END_TEST

/* With one colour for all, the numbers are those without colours, also where they are sampled
 * first. */
START_TEST(one_color_is_like_none)
{
  static uint32_t edges[3000][2], pairs[1000][2];
  uint64_t seed = 7;
  memset(&t, 0, sizeof t);
  for (uint32_t i = 0; i < 3000; i++) {
    edges[i][0] = random_below(&seed, 1000);
    edges[i][1] = (edges[i][0] + 1 + random_below(&seed, i % 2 ? 999 : 20)) % 1000;
  }
  for (uint32_t v = 0; v < 1000; v++)
    pairs[v][0] = v;
  for (int directed = 0; directed < 2; directed++) {
    ms_orbits_result *r, *plain;
    const uint32_t(*list)[2] = (const uint32_t(*)[2])edges;
    t.options = (ms_census_options)MS_CENSUS_OPTIONS_DEFAULT;
    t.options.run.threads = 3;
    if (directed)
      ck_ok(ms_graph_from_arcs(1000, 3000, list, NULL, &t.graph, &err));
    else
      ck_ok(ms_graph_from_edges(1000, 3000, list, NULL, &t.graph, &err));
    ck_ok(ms_coloring_from_pairs(t.graph, 1000, (const uint32_t(*)[2])pairs, 1, color_names,
                                 &t.coloring, &err));
    ck_ok(ms_orbits(t.graph, NULL, &t.options, &plain, &err));
    ck_ok(ms_orbits(t.graph, t.coloring, &t.options, &r, &err));
    ck_assert(r->estimate > 0);
    for (uint32_t orbit = 0; orbit < plain->orbits; orbit++) {
      ms_orbit_info info;
      ck_ok(ms_orbit_describe(4, directed, orbit, &info, &err));
      for (uint32_t v = 0; v < 1000; v++) {
        uint64_t sets = plain->count[(size_t)v * plain->orbits + orbit], colored = 0;
        for (uint64_t i = r->offset[v]; i < r->offset[v + 1] && sets > 0; i++) {
          const ms_colored_orbit *o = &r->described[r->orbit[i]];
          if (o->k == info.k && o->shape == info.shape && o->position == info.position)
            colored = r->count[i];
        }
        ck_assert_uint_eq(colored, sets);
      }
    }
    t.options.run.memory = plain->bytes / 8; /* the estimate from some vertices is above it */
    ms_orbits_result_free(r);
    ck_assert(ms_orbits(t.graph, t.coloring, &t.options, &r, &err) == MS_ERR_MEMORY);
    ck_assert_ptr_null(r);
    ms_orbits_result_free(plain);
    free_trial();
  }
}
END_TEST

/* N. Przulj's numbers: a vertex of a graph, the number of an orbit in which it is once or more, and
 * the arcs of the graph, which is one of its shapes. */
static const struct {
  uint32_t k;
  const char *edges;
  uint32_t vertex, orbit;
} usual[] = {{2, "01", 0, 0},
             {3, "01 12", 0, 1},
             {3, "01 12", 1, 2},
             {3, "01 12 02", 0, 3},
             {4, "01 12 23", 0, 4},
             {4, "01 12 23", 1, 5},
             {4, "01 02 03", 1, 6},
             {4, "01 02 03", 0, 7},
             {4, "01 12 23 30", 0, 8},
             {4, "01 12 02 23", 3, 9},
             {4, "01 12 02 23", 0, 10},
             {4, "01 12 02 23", 2, 11},
             {4, "01 02 03 12 13", 2, 12},
             {4, "01 02 03 12 13", 0, 13},
             {4, "01 02 03 12 13 23", 0, 14},
             {5, "01 12 23 34", 0, 15},
             {5, "01 12 23 34", 1, 16},
             {5, "01 12 23 34", 2, 17},
             {5, "01 02 03 34", 4, 18},
             {5, "01 02 03 34", 1, 19},
             {5, "01 02 03 34", 3, 20},
             {5, "01 02 03 34", 0, 21},
             {5, "01 02 03 04", 1, 22},
             {5, "01 02 03 04", 0, 23},
             {5, "01 12 23 34 40", 0, 34},
             {5, "01 02 12 03 04 34", 1, 43},
             {5, "01 02 12 03 04 34", 0, 44},
             {5, "01 02 03 04 12 13 14 23 24", 3, 70},
             {5, "01 02 03 04 12 13 14 23 24", 0, 71},
             {5, "01 02 03 04 12 13 14 23 24 34", 0, 72}};

START_TEST(orbits_have_the_usual_numbers)
{
  for (size_t i = 0; i < sizeof usual / sizeof *usual; i++) {
    uint32_t edges[10][2];
    uint64_t m = 0;
    ms_orbits_result *r;
    ms_census_options o = MS_CENSUS_OPTIONS_DEFAULT;
    for (const char *at = usual[i].edges; *at; at += at[2] ? 3 : 2, m++) {
      edges[m][0] = (uint32_t)(at[0] - '0');
      edges[m][1] = (uint32_t)(at[1] - '0');
    }
    memset(&t, 0, sizeof t);
    ck_ok(ms_graph_from_edges(usual[i].k, m, (const uint32_t(*)[2])edges, NULL, &t.graph, &err));
    o.k = usual[i].k;
    ck_ok(ms_orbits(t.graph, NULL, &o, &r, &err));
    uint32_t first = r->k == 2 ? 0 : r->k == 3 ? 1 : r->k == 4 ? 4 : 15;
    for (uint32_t j = first; j < r->orbits; j++)
      ck_assert_msg(r->count[usual[i].vertex * r->orbits + j] == (j == usual[i].orbit),
                    "%s: orbit %u", usual[i].edges, j);
    ms_orbits_result_free(r);
    free_trial();
  }
}
END_TEST

static ms_status take_orbits(void *user, ms_error *reason)
{
  ms_orbits_result *r = NULL;
  (void)user;
  ms_status status = ms_orbits(t.graph, t.coloring, &t.options, &r, reason);
  ms_orbits_result_free(r);
  return status;
}

/* ---- classes and names ----------------------------------------------------------------- */

/* As many as there are connected graphs (OEIS A001349) and connected directed graphs (A003085). */
START_TEST(all_classes_are_there)
{
  static const uint32_t plain[] = {2, 6, 21, 112}, directed[] = {13, 199, 9364};
  for (uint32_t k = 3; k <= 6; k++)
    for (uint32_t d = 0; d < (k < 6 ? 2 : 1); d++) {
      ms_graphlet_classes classes;
      ms_graphlet_form form = ms_graphlet_form_of(k, d);
      ck_ok(ms_graphlet_classes_open(&classes, form, &err));
      ck_assert_uint_eq(classes.count, d ? directed[k - 3] : plain[k - 3]);
      for (uint32_t i = 0; i < classes.count; i++) {
        char text[MS_GRAPHLET_NAME_SIZE];
        uint32_t code, automorphisms;
        ms_graphlet_put_graph6(form, classes.code[i], text);
        ck_assert(ms_graphlet_get_graph6(form, text, &code) && code == classes.code[i]);
        ck_assert_uint_eq(ms_graphlet_classify(form, code, NULL, &automorphisms), code);
        ck_assert_uint_eq(automorphisms, classes.automorphisms[i]);
        text[strlen(text) - 1] = 127; /* no six bits */
        ck_assert(!ms_graphlet_get_graph6(form, text, &code));
      }
      ms_graphlet_classes_close(&classes);
    }
}
END_TEST

static uint32_t code_of(uint32_t k, bool directed, const char *arcs)
{
  uint32_t code = 0;
  for (; *arcs; arcs += arcs[2] ? 3 : 2) {
    uint32_t i = (uint32_t)(arcs[0] - '0'), j = (uint32_t)(arcs[1] - '0');
    uint32_t low = i < j ? i : j, high = i < j ? j : i, place = high * (high - 1) / 2 + low;
    code |= (directed ? i < j ? 1u : 2u : 1u) << (directed ? 2 * place : place);
  }
  (void)k;
  return code;
}

static const struct {
  uint32_t k;
  bool directed;
  const char *arcs, *name;
  uint32_t automorphisms;
  const char *graph6; /* as nauty and NetworkX write it */
} named[] = {
    {3, true, "10 12", "021D", 2, "&BD?"},
    {3, true, "01 21", "021U", 2, NULL},
    {3, true, "01 12", "021C", 1, NULL},
    {3, true, "02 20 12", "111D", 1, NULL},
    {3, true, "02 20 21", "111U", 1, NULL},
    {3, true, "01 12 02", "030T", 1, NULL},
    {3, true, "01 12 20", "030C", 3, NULL},
    {3, true, "01 10 12 21", "201", 2, NULL},
    {3, true, "10 12 02 20", "120D", 2, NULL},
    {3, true, "01 21 02 20", "120U", 2, NULL},
    {3, true, "01 12 02 20", "120C", 1, NULL},
    {3, true, "01 12 21 02 20", "210", 1, NULL},
    {3, true, "01 10 12 21 02 20", "300", 6, NULL},
    {3, false, "01 12", "path:3", 2, "Bg"},
    {3, false, "01 12 02", "triangle", 6, "Bw"},
    {4, false, "01 12 23 30", "square", 8, NULL},
    {4, false, "01 12 20 23", "paw", 2, NULL},
    {4, false, "01 02 03 12 13", "diamond", 4, NULL},
    {4, false, "01 02 03 12 13 23", "clique:4", 24, "C~"},
    {4, false, "01 02 03", "star:3", 6, NULL},
    {5, false, "01 02 12 03 04 34", "bowtie", 8, NULL},
    {5, false, "01 12 23 30 40 41", "house", 2, NULL},
    {5, false, "01 02 03 04 12 23 34 41", "wheel:4", 8, NULL},
    {5, false, "01 12 23 34 04", "cycle:5", 10, NULL},
    {5, false, "01 12 23 34 13", "bull", 2, NULL},
    {5, false, "01 12 23 34 40 41 42", "gem", 2, NULL},
    {5, false, "01 02 12 13 23 34", "kite", 2, NULL},
    {5, false, "01 02 12 13 23 14", "dart", 2, NULL},
    {5, false, "01 02 03 04 12 13 14 23 24", "", 12, NULL},
    {4, true, "01 12 23", "", 1, NULL},
};

START_TEST(shapes_have_their_names)
{
  for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
    ms_shape_info info;
    uint32_t code = code_of(named[i].k, named[i].directed, named[i].arcs);
    ck_ok(ms_shape_describe(named[i].k, named[i].directed, code, NULL, &info, &err));
    ck_assert_str_eq(info.name, named[i].name);
    ck_assert_uint_eq(info.automorphisms, named[i].automorphisms);
    ck_assert_uint_eq(info.edges, (strlen(named[i].arcs) + 1) / 3);
    if (named[i].graph6)
      ck_assert_str_eq(info.graph6, named[i].graph6);
  }
}
END_TEST

/* ---- refusals, stops and memory --------------------------------------------------------- */

static void refuses(const ms_census_options *options, const char *what)
{
  ms_census_result *r;
  ck_assert(ms_census(t.graph, t.coloring, options, &r, &err) == MS_ERR_USAGE);
  ck_assert_msg(strstr(err.message, what), "%s", err.message);
  ck_assert_ptr_null(r);
}

static bool ignore_vertex(void *user, const ms_census_vertex *vertex)
{
  (void)user;
  (void)vertex;
  return true;
}

START_TEST(wrong_options_are_refused)
{
  static const uint32_t edges[][2] = {{0, 1}, {1, 2}}, pairs[][2] = {{0, 0}, {1, 0}, {1, 1}};
  ms_census_options o = MS_CENSUS_OPTIONS_DEFAULT;
  ms_shape_info info;
  char *text;
  memset(&t, 0, sizeof t);
  ck_ok(ms_graph_from_edges(3, 2, edges, NULL, &t.graph, &err));
  ck_assert(ms_census(t.graph, NULL, &o, &(ms_census_result *){NULL}, &err) == MS_ERR_USAGE);
  o.non_induced = true;
  ck_ok(ms_coloring_from_pairs(t.graph, 3, pairs, 2, color_names, &t.coloring, &err));
  refuses(&o, "shapes");
  o.non_induced = false;
  o.shapes = true;
  refuses(&o, "vertex '1' has several colours");
  ck_assert(ms_census_vertices(t.graph, t.coloring, &o, ignore_vertex, NULL, NULL, &err) ==
            MS_ERR_USAGE);
  o.k = 7;
  refuses(&o, "3 to 6");
  o.k = 2;
  refuses(&o, "3 to 6");
  o.k = 3;
  o.run.engine = "fpga";
  refuses(&o, "auto, cpu or gpu");
  free_trial();
  ck_ok(ms_graph_from_arcs(3, 2, edges, NULL, &t.graph, &err));
  t.coloring = NULL;
  o.run.engine = NULL;
  o.k = 6;
  refuses(&o, "3 to 5");
  o.k = 3;
  o.primary = true;
  refuses(&o, "primary");
  ck_assert(ms_shape_describe(3, false, 8, NULL, &info, &err) == MS_ERR_USAGE);
  ck_assert(ms_shape_describe(6, true, 0, NULL, &info, &err) == MS_ERR_USAGE);
  ck_assert(ms_shape_pattern(1, true, 0, NULL, &text, &err) == MS_ERR_USAGE);
  free_trial();
}
END_TEST

static ms_status take_census(void *user, ms_error *reason)
{
  ms_census_result *r = NULL;
  (void)user;
  ms_status status = ms_census(t.graph, t.coloring, &t.options, &r, reason);
  ms_census_result_free(r);
  return status;
}

START_TEST(every_allocation_may_fail)
{
  uint32_t kinds = 0;
  for (uint64_t seed = 1; kinds < 15; seed++) {
    make_trial(seed);
    uint32_t kind = 1u << (2 * t.directed + t.colored);
    if (t.sets > 0 && !(kinds & kind)) {
      kinds |= kind;
      t.options.run.threads = 2;
      t.options.non_induced = true;
      ck_assert_int_gt(failing_runs(take_census, NULL), 10);
      t.options.k = 4;
      ck_assert_int_gt(failing_runs(take_orbits, NULL), 10);
    }
    free_trial();
  }
}
END_TEST

START_TEST(stops_and_budgets_hold)
{
  static uint32_t edges[200 * 199 / 2][2];
  uint64_t m = 0;
  ms_census_result *r;
  memset(&t, 0, sizeof t);
  for (uint32_t a = 0; a < 200; a++)
    for (uint32_t b = 0; b < a; b++, m++) {
      edges[m][0] = a;
      edges[m][1] = b;
    }
  ck_ok(ms_graph_from_edges(200, m, (const uint32_t(*)[2])edges, NULL, &t.graph, &err));
  t.options = (ms_census_options)MS_CENSUS_OPTIONS_DEFAULT;
  t.options.shapes = true;
  t.options.k = 6;
  t.options.run.memory = 1000;
  ck_assert(ms_census(t.graph, NULL, &t.options, &r, &err) == MS_ERR_MEMORY);
  t.options.run.memory = 0;
  ck_ok(ms_stop_new(&t.options.run.stop, &err));
  ms_stop_after(t.options.run.stop, 0.05);
  ck_ok(ms_census(t.graph, NULL, &t.options, &r, &err));
  ck_assert(r->run.stopped == MS_ERR_LIMIT && r->count == 0);
  ms_census_result_free(r);
  ms_stop_free(t.options.run.stop);
  ms_graph_free(t.graph);
}
END_TEST

/* Rows come in the order of their sets and shapes, on any number of threads: 300,001 random rows,
 * many of them with the same number of sets, against their predecessors; none is lost. */
START_TEST(many_rows_are_sorted)
{
  enum { ROWS = 300001 };
  for (int threads = 1; threads <= 5; threads++) {
    ms_census_rows rows = {0};
    ms_census_options o = {.size = sizeof o, .run.threads = threads};
    uint64_t seed = (uint64_t)threads, sum = 0, sorted = 0;
    for (uint32_t i = 0; i < ROWS; i++) {
      const ms_multiset key = {
          {(ms_kind_id)random_below(&seed, 65536), (ms_kind_id)(i / 65536), (ms_kind_id)i}};
      uint64_t sets = 1 + random_below(&seed, 50);
      ck_ok(ms_census_rows_add(&rows, &key, sets, &err));
      sum += sets * (1 + key.kind[0] + key.kind[2]);
    }
    ms_census_rows_sort(&rows, &o);
    ck_assert_uint_eq(rows.count, ROWS);
    for (uint64_t i = 0; i < rows.count; i++) {
      const ms_tally_entry *row = &rows.row[i];
      sorted += row->sets * (1 + row->key.kind[0] + row->key.kind[2]);
      if (i > 0)
        ck_assert(row[-1].sets > row->sets ||
                  (row[-1].sets == row->sets && ms_multiset_compare(&row[-1].key, &row->key) < 0));
    }
    ck_assert_uint_eq(sum, sorted);
    ms_free(rows.row);
  }
}
END_TEST

TEST_MAIN("shapes", TEST(agrees_with_brute_force), TEST(is_the_number_of_matches),
          TEST(means_are_those_of_all_labellings), TEST(orbits_agree_with_brute_force),
          TEST(orbits_without_memory), TEST(colored_orbits_agree_with_brute_force),
          TEST(one_color_is_like_none), TEST(orbits_have_the_usual_numbers),
          TEST(all_classes_are_there), TEST(shapes_have_their_names),
          TEST(wrong_options_are_refused), TEST(every_allocation_may_fail),
          TEST(stops_and_budgets_hold), TEST(many_rows_are_sorted))
