/* Required vertices of patterns against brute force: rows, counts and the judge's recount, of plain
 * and typed patterns.  A failure names its seed. */
#include "base/hooks.h"
#include "match/index.h"
#include "tests/support/random.h"
#include "tests/support/search/pattern_oracle.h"
#include "tests/support/search/typed_cases.h"
#include "tests/support/test_main.h"
#include "verify/verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CASES = 6000, MOST_REQUIRED = 4 };

static ms_error err;

/* Some vertices that a search requires. */
typedef struct wanted {
  uint32_t n, vertex[MOST_REQUIRED];
  const char *name[MOST_REQUIRED];
  char text[MOST_REQUIRED][16];
} wanted;

static bool has(const wanted *w, uint32_t v)
{
  uint32_t i = 0;
  while (i < w->n && w->vertex[i] != v)
    i++;
  return i < w->n;
}

/* Draws up to MOST_REQUIRED of the n vertices, at most p; mostly among those of row[p]. */
static void draw_vertices(wanted *w, uint64_t *state, uint32_t n, uint32_t p, const uint32_t *row)
{
  uint32_t most = p < MOST_REQUIRED ? p : MOST_REQUIRED, count = 1 + random_below(state, most);
  w->n = 0;
  for (uint32_t tries = 0; tries < 20 && w->n < count && w->n < n; tries++) {
    uint32_t v =
        row && random_below(state, 8) ? row[random_below(state, p)] : random_below(state, n);
    if (!has(w, v))
      w->vertex[w->n++] = v;
  }
}

static bool contains(const wanted *w, const uint32_t *row, uint32_t p)
{
  uint32_t found = 0;
  for (uint32_t i = 0; i < p; i++)
    found += has(w, row[i]);
  return found == w->n;
}

/* ---- plain patterns ------------------------------------------------------------ */

static uint32_t every[PATTERN_CASE_ROWS], smallest[PATTERN_CASE_ROWS];
static uint32_t expected[2][PATTERN_CASE_ROWS], n_expected[2]; /* smallest rows, all maps */

static void row_of(const pattern_case *c, uint32_t key, uint32_t *row)
{
  for (uint32_t i = 0; i < c->p; i++)
    row[i] = key >> 4 * (c->p - 1 - i) & 15;
}

static void keep_wanted(const pattern_case *c, const wanted *w, const uint32_t *keys,
                        uint32_t count, uint32_t *kept, uint32_t *n_kept)
{
  uint32_t row[PATTERN_CASE_MAX_P];
  *n_kept = 0;
  for (uint32_t i = 0; i < count; i++) {
    row_of(c, keys[i], row);
    if (contains(w, row, c->p))
      kept[(*n_kept)++] = keys[i];
  }
}

static int by_value(const void *x, const void *y)
{
  uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
  return (a > b) - (a < b);
}

static void check_list(const pattern_case *c, const ms_pattern_index *index,
                       ms_pattern_options options, uint64_t seed)
{
  static uint32_t keys[PATTERN_CASE_ROWS];
  ms_pattern_result *r;
  uint32_t count = n_expected[options.embeddings];
  ck_ok(ms_pattern_list(index, c->pattern, &options, &r, &err));
  ck_assert_msg(r->matches == count, "seed %lu: %lu matches, not %u", (unsigned long)seed,
                (unsigned long)r->matches, count);
  for (uint64_t i = 0; i < r->matches; i++)
    keys[i] = pattern_case_key(c, r->vertices + i * c->p);
  qsort(keys, r->matches, sizeof *keys, by_value);
  ck_assert_msg(memcmp(keys, expected[options.embeddings], count * sizeof *keys) == 0,
                "seed %lu: other rows", (unsigned long)seed);
  ms_pattern_result_free(r);
}

static void check_count(const pattern_case *c, const ms_pattern_index *index,
                        ms_pattern_options options, uint64_t seed)
{
  char text[2][16];
  ms_pattern_result *r;
  options.count_only = true;
  for (int i = 0; i < 2; i++)
    snprintf(text[i], sizeof text[i], "%u", n_expected[i]);
  ck_ok(ms_pattern_list(index, c->pattern, &options, &r, &err));
  ck_assert_msg(strcmp(r->subgraphs_text, text[0]) == 0, "seed %lu: %s subgraphs, not %s",
                (unsigned long)seed, r->subgraphs_text, text[0]);
  ck_assert_msg(strcmp(r->embeddings_text, text[1]) == 0, "seed %lu: %s embeddings, not %s",
                (unsigned long)seed, r->embeddings_text, text[1]);
  ms_pattern_result_free(r);
}

/* The judge refuses each row without a required vertex, and its recount finds the others. */
static void check_judge(const pattern_case *c, const wanted *w, uint32_t count)
{
  ms_judge *judge;
  mpz_t maps;
  uint32_t row[PATTERN_CASE_MAX_P];
  ck_ok(ms_judge_pattern(c->graph, c->coloring, c->pattern, c->induced, false, &judge, &err));
  ms_judge_require(judge, w->n, w->vertex);
  for (uint32_t i = 0; i < count; i++) {
    row_of(c, every[i], row);
    ck_assert_int_eq(ms_judge_row(judge, row),
                     contains(w, row, c->p) ? MS_MATCH_OK : MS_MATCH_LACKS_REQUIRED);
  }
  mpz_init(maps);
  ck_ok(ms_judge_recount(judge, maps, NULL, NULL, NULL, &err));
  ck_assert_uint_eq(mpz_get_ui(maps), n_expected[1]);
  mpz_clear(maps);
  ms_judge_free(judge);
}

static void check_plain(uint64_t seed, uint64_t *with)
{
  pattern_case c;
  ms_pattern_index *index;
  uint64_t state = seed;
  uint32_t row[PATTERN_CASE_MAX_P];
  wanted w;
  pattern_case_make(seed, &c);
  uint32_t embeddings = pattern_case_embeddings(&c, every);
  uint32_t subgraphs = pattern_case_smallest(&c, every, embeddings, smallest);
  if (embeddings)
    row_of(&c, every[random_below(&state, embeddings)], row);
  draw_vertices(&w, &state, c.n, c.p, embeddings ? row : NULL);
  for (uint32_t i = 0; i < w.n; i++)
    w.name[i] = ms_graph_name(c.graph, w.vertex[i]);
  keep_wanted(&c, &w, smallest, subgraphs, expected[0], &n_expected[0]);
  keep_wanted(&c, &w, every, embeddings, expected[1], &n_expected[1]);
  *with += n_expected[1] > 0 && n_expected[1] < embeddings;
  ms_hooks.hub_degree = seed % 3 ? 64 : 1 + seed / 3 % 3;
  ck_ok(ms_pattern_index_new(c.graph, c.coloring, 1, &index, &err));
  ms_pattern_options options = MS_PATTERN_OPTIONS_DEFAULT;
  options.induced = c.induced;
  options.required = w.name;
  options.n_required = w.n;
  options.order = seed % 2 ? MS_ORDER_AUTO : (ms_order)(seed / 2 % 4);
  options.screen_mode = seed % 5 ? MS_SCREEN_NEVER : MS_SCREEN_AUTO;
  options.screen.error = 1e-12;
  options.screen.run.threads = seed % 16 ? 1 : 2;
  check_list(&c, index, options, seed);
  check_count(&c, index, options, seed);
  options.embeddings = true;
  check_list(&c, index, options, seed);
  check_judge(&c, &w, embeddings);
  ms_pattern_index_free(index);
  pattern_case_free(&c);
}

/* Lists and counts of CASES random patterns, with or without directions, colours and --induced,
 * have exactly the brute force's maps that contain the required vertices; so does the recount. */
START_TEST(requires_vertices_of_plain_patterns)
{
  uint64_t with = 0;
  for (uint64_t seed = 1; seed <= scaled(CASES); seed++)
    check_plain(seed, &with);
  ck_assert_uint_gt(with, scaled(CASES) / 4);
}
END_TEST

/* ---- typed patterns ------------------------------------------------------------ */

static void check_typed(uint64_t seed, uint64_t *with)
{
  typed_case c;
  uint64_t state = seed, kept = 0;
  wanted w;
  ms_typed_result *r;
  typed_case_make(&c, seed, 12, 5);
  c.induced = seed % 3 == 0;
  typed_case_solve(&c);
  const uint32_t *some = c.classes ? c.row + random_below(&state, (uint32_t)c.classes) * c.p : NULL;
  draw_vertices(&w, &state, c.n, c.p, some);
  for (uint32_t i = 0; i < w.n; i++)
    w.name[i] = ms_typed_name(c.graph, w.vertex[i]);
  for (uint64_t i = 0; i < c.classes; i++)
    if (contains(&w, c.row + i * c.p, c.p))
      memmove(c.row + kept++ * c.p, c.row + i * c.p, c.p * sizeof *c.row);
  *with += kept > 0 && kept < c.classes;
  ms_typed_match_options o = MS_TYPED_MATCH_OPTIONS_DEFAULT;
  o.induced = c.induced;
  o.required = w.name;
  o.n_required = w.n;
  o.run.threads = 1;
  ck_ok(ms_typed_match(c.query, &o, &r, &err));
  ck_assert_msg(r->matches == kept, "seed %lu: %lu rows, not %lu", (unsigned long)seed,
                (unsigned long)r->matches, (unsigned long)kept);
  for (uint64_t i = 0; i < kept; i++) { /* rows come by places, so each is looked up */
    uint64_t at = 0;
    while (at < kept && memcmp(c.row + i * c.p, r->vertices + at * c.p, c.p * sizeof *c.row) != 0)
      at++;
    ck_assert_msg(at < kept, "seed %lu: row %lu is missing", (unsigned long)seed, (unsigned long)i);
  }
  ms_typed_result_free(r);
  o.count_only = true;
  ck_ok(ms_typed_match(c.query, &o, &r, &err));
  ck_assert_uint_eq(r->matches, kept);
  ms_typed_result_free(r);
  ms_judge *judge;
  mpz_t maps;
  ck_ok(ms_judge_typed(c.query, c.induced, true, &judge, &err));
  ms_judge_require(judge, w.n, w.vertex);
  mpz_init(maps);
  ck_ok(ms_judge_recount(judge, maps, NULL, NULL, NULL, &err));
  ck_assert_msg(mpz_get_ui(maps) == kept * c.symmetries, "seed %lu: %lu maps", (unsigned long)seed,
                mpz_get_ui(maps));
  mpz_clear(maps);
  ms_judge_free(judge);
  typed_case_free(&c);
}

/* The same for CASES random typed patterns in multigraphs. */
START_TEST(requires_vertices_of_typed_patterns)
{
  uint64_t with = 0;
  for (uint64_t seed = 1; seed <= scaled(CASES); seed++)
    check_typed(seed, &with);
  ck_assert_uint_gt(with, scaled(CASES) / 20);
}
END_TEST

/* ---- large patterns and bad names ------------------------------------------------- */

/* In a grid of 8 x 8, every 12-vertex path that holds two far corners of a 6 x 7 part is found from
 * these corners: as many as the closed formula C(11, 5) of monotone ones. */
START_TEST(finds_long_paths_between_two_vertices)
{
  enum { SIDE = 8 };
  uint32_t edge[2 * SIDE * SIDE][2], path[11][2], m = 0;
  const char *required[] = {"0", "46"}; /* rows 0 and 5, columns 0 and 6: 11 edges apart */
  ms_graph *graph;
  ms_pattern *pattern;
  ms_pattern_index *index;
  ms_pattern_result *r;
  for (uint32_t i = 0; i < SIDE * SIDE; i++) {
    if (i % SIDE + 1 < SIDE)
      memcpy(edge[m++], (uint32_t[]){i, i + 1}, sizeof *edge);
    if (i + SIDE < SIDE * SIDE)
      memcpy(edge[m++], (uint32_t[]){i, i + SIDE}, sizeof *edge);
  }
  for (uint32_t i = 0; i < 11; i++)
    memcpy(path[i], (uint32_t[]){i, i + 1}, sizeof *path);
  ck_ok(ms_graph_from_edges(SIDE * SIDE, m, (const uint32_t(*)[2])edge, NULL, &graph, &err));
  ck_ok(ms_pattern_from_edges(12, 11, (const uint32_t(*)[2])path, false, NULL, &pattern, &err));
  ck_ok(ms_pattern_index_new(graph, NULL, 1, &index, &err));
  ms_pattern_options options = MS_PATTERN_OPTIONS_DEFAULT;
  options.required = required;
  options.n_required = 2;
  ck_ok(ms_pattern_list(index, pattern, &options, &r, &err));
  ck_assert_uint_eq(r->matches, 462);
  ms_pattern_result_free(r);
  options.count_only = true;
  ck_ok(ms_pattern_list(index, pattern, &options, &r, &err));
  ck_assert_str_eq(r->count_text, "462");
  ms_pattern_result_free(r);
  ms_pattern_index_free(index);
  ms_pattern_free(pattern);
  ms_graph_free(graph);
}
END_TEST

/* A path of 256 vertices between two given ones is found as often as it occurs, in a graph where
 * more edges than vertices lead to vertices that are 255 edges apart from the first one: a chain of
 * 254 vertices, and two layers of WIDTH vertices that are joined completely. */
START_TEST(finds_the_longest_paths_between_two_vertices)
{
  enum { WIDTH = 40, CHAIN = MS_MAX_PATTERN - 2, VERTICES = CHAIN + 2 * WIDTH };
  static uint32_t edge[CHAIN + WIDTH + WIDTH * WIDTH][2], path[MS_MAX_PATTERN - 1][2];
  const char *required[] = {"0", "294"}; /* the first vertex of the chain, and of the last layer */
  uint32_t m = 0;
  ms_graph *graph;
  ms_pattern *pattern;
  ms_pattern_index *index;
  ms_pattern_result *r;
  for (uint32_t i = 1; i < CHAIN; i++)
    memcpy(edge[m++], (uint32_t[]){i - 1, i}, sizeof *edge);
  for (uint32_t a = CHAIN; a < CHAIN + WIDTH; a++) {
    memcpy(edge[m++], (uint32_t[]){CHAIN - 1, a}, sizeof *edge);
    for (uint32_t b = CHAIN + WIDTH; b < VERTICES; b++)
      memcpy(edge[m++], (uint32_t[]){a, b}, sizeof *edge);
  }
  for (uint32_t i = 0; i < MS_MAX_PATTERN - 1; i++)
    memcpy(path[i], (uint32_t[]){i, i + 1}, sizeof *path);
  ck_ok(ms_graph_from_edges(VERTICES, m, (const uint32_t(*)[2])edge, NULL, &graph, &err));
  ck_ok(ms_pattern_from_edges(MS_MAX_PATTERN, MS_MAX_PATTERN - 1, (const uint32_t(*)[2])path, false,
                              NULL, &pattern, &err));
  ck_ok(ms_pattern_index_new(graph, NULL, 1, &index, &err));
  ms_pattern_options options = MS_PATTERN_OPTIONS_DEFAULT;
  options.required = required;
  options.n_required = 2;
  ck_ok(ms_pattern_list(index, pattern, &options, &r, &err));
  ck_assert_uint_eq(r->matches, WIDTH);
  ms_pattern_result_free(r);
  ms_pattern_index_free(index);
  ms_pattern_free(pattern);
  ms_graph_free(graph);
}
END_TEST

/* An unknown name, more names than vertices of the pattern and NULL are usage errors; a name that
 * is given twice counts once. */
START_TEST(refuses_bad_names)
{
  static const uint32_t edge[3][2] = {{0, 1}, {1, 2}, {0, 2}};
  const char *names[] = {"0", "0", "1", "2", "9"};
  ms_graph *graph;
  ms_pattern *pattern;
  ms_pattern_index *index;
  ms_pattern_result *r;
  ck_ok(ms_graph_from_edges(4, 3, edge, NULL, &graph, &err));
  ck_ok(ms_pattern_named("path:2", &pattern, &err));
  ck_ok(ms_pattern_index_new(graph, NULL, 1, &index, &err));
  ms_pattern_options options = MS_PATTERN_OPTIONS_DEFAULT;
  options.required = names;
  options.n_required = 3;
  ck_ok(ms_pattern_list(index, pattern, &options, &r, &err));
  ck_assert_uint_eq(r->matches, 1);
  ms_pattern_result_free(r);
  options.n_required = 4;
  ck_assert_int_eq(ms_pattern_list(index, pattern, &options, &r, &err), MS_ERR_USAGE);
  ck_assert(strstr(err.message, "more required vertices than the 2 vertices of the pattern"));
  options.required = names + 4;
  options.n_required = 1;
  ck_assert_int_eq(ms_pattern_list(index, pattern, &options, &r, &err), MS_ERR_USAGE);
  ck_assert(strstr(err.message, "'9' is not a vertex"));
  options.required = NULL;
  ck_assert_int_eq(ms_pattern_list(index, pattern, &options, &r, &err), MS_ERR_USAGE);
  ms_pattern_index_free(index);
  ms_pattern_free(pattern);
  ms_graph_free(graph);
}
END_TEST

TEST_MAIN("required vertices", TEST(requires_vertices_of_plain_patterns),
          TEST(requires_vertices_of_typed_patterns), TEST(finds_long_paths_between_two_vertices),
          TEST(finds_the_longest_paths_between_two_vertices), TEST(refuses_bad_names))
