/* Indexes of parts of graphs, and searches in them behind a sieve.  A failure names its seed. */
#include "base/hooks.h"
#include "match/index.h"
#include "run/match/match.h"
#include "tests/support/allocations.h"
#include "tests/support/random.h"
#include "tests/support/search/pattern_oracle.h"
#include "tests/support/test_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_N = 90, MOST_M = 600, MOST_COLORS = 4, INDEXES = 3000, SEARCHES = 12000 };

static ms_error err;

/* ---- the index ------------------------------------------------------------------- */

/* A random graph, its vertices that stay, and the graph that these induce. */
typedef struct parts {
  ms_graph *graph, *part;
  ms_coloring *coloring, *part_coloring;
  uint32_t place[MOST_N];  /* vertex -> vertex of the part, or MOST_N */
  uint32_t vertex[MOST_N]; /* vertex of the part -> vertex */
  uint32_t n, left;
} parts;

static void make_graph(bool directed, uint32_t n, uint32_t m, uint32_t (*edges)[2], ms_graph **out)
{
  const uint32_t(*view)[2] = (const uint32_t(*)[2])edges;
  ck_ok(directed ? ms_graph_from_arcs(n, m, view, NULL, out, &err)
                 : ms_graph_from_edges(n, m, view, NULL, out, &err));
}

/* Colours: none, one for each vertex, or several for some. */
static void color(parts *p, uint64_t kind, uint64_t *state)
{
  static const char *const name[MOST_COLORS] = {"a", "b", "c", "d"};
  uint32_t pairs[2 * MOST_N][2], part_pairs[2 * MOST_N][2], count = 0, part_count = 0;
  if (kind == 0)
    return;
  for (uint32_t v = 0; v < p->n; v++)
    for (uint64_t i = random_below(state, 8) > 0 ? 0 : 1; i < kind; i++) {
      pairs[count][0] = v;
      pairs[count][1] = random_below(state, MOST_COLORS);
      if (p->place[v] < MOST_N) {
        part_pairs[part_count][0] = p->place[v];
        part_pairs[part_count++][1] = pairs[count][1];
      }
      count++;
    }
  const uint32_t(*view)[2] = (const uint32_t(*)[2])pairs;
  const uint32_t(*part_view)[2] = (const uint32_t(*)[2])part_pairs;
  ck_ok(ms_coloring_from_pairs(p->graph, count, view, MOST_COLORS, name, &p->coloring, &err));
  ck_ok(ms_coloring_from_pairs(p->part, part_count, part_view, MOST_COLORS, name, &p->part_coloring,
                               &err));
}

static void make_parts(uint64_t seed, parts *p)
{
  uint64_t state = seed;
  uint32_t edges[MOST_M][2], inside[MOST_M][2], m, within = 0;
  *p = (parts){.n = 2 + random_below(&state, MOST_N - 1)};
  uint32_t most = random_below(&state, 8) + 1;
  for (uint32_t v = 0; v < p->n; v++) {
    bool stays = random_below(&state, 8) < most || (v + 1 == p->n && p->left == 0);
    p->place[v] = stays ? p->left : MOST_N;
    if (stays)
      p->vertex[p->left++] = v;
  }
  m = random_below(&state, MOST_M + 1);
  for (uint32_t e = 0; e < m; e++) {
    /* smaller numbers have higher degrees */
    uint32_t u = random_below(&state, 1 + random_below(&state, p->n));
    uint32_t v = random_below(&state, p->n);
    edges[e][0] = u;
    edges[e][1] = v;
    if (p->place[u] < MOST_N && p->place[v] < MOST_N) {
      inside[within][0] = p->place[u];
      inside[within++][1] = p->place[v];
    }
  }
  make_graph(seed % 2, p->n, m, edges, &p->graph);
  make_graph(seed % 2, p->left, within, inside, &p->part);
  color(p, seed / 2 % 3, &state);
}

static void free_parts(parts *p)
{
  ms_coloring_free(p->coloring);
  ms_coloring_free(p->part_coloring);
  ms_graph_free(p->graph);
  ms_graph_free(p->part);
}

static void keep_vertices(const parts *p, const ms_pattern_index *index, uint64_t *kept)
{
  memset(kept, 0, index->words * sizeof *kept);
  for (uint32_t i = 0; i < index->n; i++)
    if (p->place[index->vertex[i]] < MOST_N)
      kept[i / 64] |= UINT64_C(1) << i % 64;
}

static bool same(const void *a, const void *b, size_t count, size_t size)
{
  return count == 0 || memcmp(a, b, count * size) == 0;
}

static bool same_rows(const ms_pattern_index *a, const ms_pattern_index *b)
{
  for (uint32_t kind = 0; kind < a->kinds; kind++)
    if (!same(a->rows[kind].offset, b->rows[kind].offset, a->n + 1, sizeof(uint64_t)) ||
        !same(a->rows[kind].neighbor, b->rows[kind].neighbor, a->rows[kind].offset[a->n],
              sizeof(uint32_t)))
      return false;
  return true;
}

/* An index whose ids ascend by degree is the one that the induced graph has by itself.  3,000
 * random graphs, directed or not, with no colour, one or several, with hubs in two of three. */
START_TEST(cut_is_the_index_of_the_induced_graph)
{
  uint64_t directed = 0, ranges = 0, hubs = 0, smaller = 0;
  for (uint64_t seed = 0; seed < scaled(INDEXES); seed++) {
    parts p;
    ms_pattern_index *index, *part, *cut;
    uint64_t kept[MOST_N / 64 + 1];
    uint32_t id[MOST_N];
    make_parts(seed, &p);
    ms_hooks.hub_degree = seed % 3 ? 4 : 64;
    ck_ok(ms_pattern_index_new(p.graph, p.coloring, 1, &index, &err));
    ck_ok(ms_pattern_index_new(p.part, p.part_coloring, 1, &part, &err));
    /* the numbering by colour has to be possible in the whole graph, too */
    bool comparable = index->ranges == part->ranges;
    keep_vertices(&p, index, kept);
    ck_ok(ms_pattern_index_cut(index, kept, true, id, &cut, &err));
    ck_assert_uint_eq(cut->n, p.left);
    ck_assert_uint_eq(cut->arcs, part->arcs);
    ck_assert(cut->by_degree && cut->serial != index->serial && cut->directed == index->directed);
    for (uint32_t i = 0; i < index->n; i++)
      ck_assert(id[i] == MS_NO_ID ? p.place[index->vertex[i]] == MOST_N
                                  : cut->vertex[id[i]] == index->vertex[i]);
    for (uint32_t v = 0; v < p.n; v++)
      ck_assert(p.place[v] == MOST_N ? cut->id[v] == MS_NO_ID : cut->vertex[cut->id[v]] == v);
    for (uint32_t i = 0; comparable && i < cut->n; i++)
      ck_assert_msg(cut->vertex[i] == p.vertex[part->vertex[i]], "seed %lu", (unsigned long)seed);
    if (comparable) {
      ck_assert_msg(same_rows(cut, part), "seed %lu", (unsigned long)seed);
      ck_assert(same(cut->best, part->best, part->n, sizeof *part->best));
      ck_assert(!cut->near == !part->near && !cut->hub == !part->hub);
      ck_assert(!cut->near || same(cut->near, part->near, part->n, sizeof *part->near));
      ck_assert(!cut->hub || same(cut->hub, part->hub, part->n, sizeof *part->hub));
      ck_assert_uint_eq(cut->longest, part->longest);
      ck_assert_uint_eq(cut->longest_above, part->longest_above);
      ck_assert_uint_eq(cut->longest_below, part->longest_below);
      ck_assert(cut->square_degrees == part->square_degrees);
      ck_assert(cut->edge_steps == part->edge_steps && cut->middle_paths == part->middle_paths);
      ck_assert(same(cut->closure, part->closure, 2, sizeof *cut->closure));
      if (p.coloring) {
        ck_assert(same(cut->color_offset, part->color_offset, part->colors + 1,
                       sizeof *part->color_offset));
        ck_assert(same(cut->color_id, part->color_id, part->color_offset[part->colors],
                       sizeof *part->color_id));
      }
    }
    directed += index->directed;
    ranges += index->ranges && p.coloring;
    hubs += cut->hub != NULL;
    smaller += cut->arcs > 0 && cut->arcs < index->arcs;
    ms_pattern_index_free(cut);
    ms_pattern_index_free(part);
    ms_pattern_index_free(index);
    free_parts(&p);
  }
  if (scaled(INDEXES) < 100)
    return;
  ck_assert_uint_gt(directed, scaled(INDEXES) / 3);
  ck_assert_uint_gt(ranges, scaled(INDEXES) / 5);
  ck_assert_uint_gt(hubs, scaled(INDEXES) / 5);
  ck_assert_uint_gt(smaller, scaled(INDEXES) / 2);
}
END_TEST

/* An index whose ids keep their order has those edges, and ids in that order: 3,000 random graphs
 * as above. */
START_TEST(cut_keeps_the_order)
{
  for (uint64_t seed = 0; seed < scaled(INDEXES); seed++) {
    parts p;
    ms_pattern_index *index, *cut;
    uint64_t kept[MOST_N / 64 + 1];
    uint32_t id[MOST_N], next = 0;
    make_parts(seed + INDEXES, &p);
    ck_ok(ms_pattern_index_new(p.graph, p.coloring, 1, &index, &err));
    keep_vertices(&p, index, kept);
    ck_ok(ms_pattern_index_cut(index, kept, false, id, &cut, &err));
    ck_assert(!cut->by_degree);
    for (uint32_t i = 0; i < index->n; i++) {
      uint32_t length, cut_length, at = 0;
      if (id[i] == MS_NO_ID)
        continue;
      ck_assert_uint_eq(id[i], next++);
      for (uint32_t kind = 0; kind < index->kinds; kind++) {
        const uint32_t *row = ms_row(&index->rows[kind], i, &length);
        const uint32_t *cut_row = ms_row(&cut->rows[kind], id[i], &cut_length);
        at = 0;
        for (uint32_t j = 0; j < length; j++)
          if (id[row[j]] != MS_NO_ID) {
            ck_assert_uint_lt(at, cut_length);
            ck_assert_uint_eq(cut_row[at++], id[row[j]]);
          }
        ck_assert_uint_eq(at, cut_length);
      }
    }
    ck_assert_uint_eq(next, p.left);
    ms_pattern_index_free(cut);
    ms_pattern_index_free(index);
    free_parts(&p);
  }
}
END_TEST

/* ---- searches --------------------------------------------------------------------- */

static uint32_t every[PATTERN_CASE_ROWS], smallest[PATTERN_CASE_ROWS];
static uint8_t maps[PATTERN_CASE_MAPS][PATTERN_CASE_MAX_P];

static ms_pattern_options options_of(const pattern_case *c, uint64_t seed)
{
  static const ms_order order[] = {MS_ORDER_AUTO, MS_ORDER_RI, MS_ORDER_DEGREE, MS_ORDER_REUSE};
  return (ms_pattern_options){.size = sizeof(ms_pattern_options),
                              .induced = c->induced,
                              .embeddings = c->embeddings,
                              .order = order[seed / 7 % 4],
                              .screen_mode = MS_SCREEN_ALWAYS,
                              .screen = {.size = sizeof(ms_screen_options),
                                         .run.threads = seed % 8 ? 1 : 2,
                                         .error = 1e-12,
                                         .run.seed = seed}};
}

static ms_pattern_result *search(const ms_pattern_index *index, const pattern_case *c,
                                 ms_pattern_options options, double share)
{
  ms_pattern_result *result = NULL;
  ms_hooks.match_cut_share = share;
  ck_ok(ms_pattern_list(index, c->pattern, &options, &result, &err));
  return result;
}

static bool was_cut(const ms_pattern_result *r)
{
  return strstr(r->screen_reason, "the index was cut") != NULL;
}

static int by_value(const void *x, const void *y)
{
  uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
  return (a > b) - (a < b);
}

/* Rows in both indexes, which are the same in the same order, and those of brute force. */
static void compare_listings(const ms_pattern_index *index, const pattern_case *c, uint64_t seed,
                             const uint32_t *expected, uint32_t count)
{
  static uint32_t keys[PATTERN_CASE_ROWS];
  ms_pattern_options options = options_of(c, seed);
  ms_pattern_result *whole = search(index, c, options, 2), *cut = search(index, c, options, 0);
  ck_assert(!was_cut(whole));
  ck_assert_msg(whole->matches == count && cut->matches == count, "seed %lu: %lu, %lu, not %u",
                (unsigned long)seed, (unsigned long)whole->matches, (unsigned long)cut->matches,
                count);
  ck_assert_msg(same(cut->vertices, whole->vertices, count * (size_t)c->p, sizeof(uint32_t)),
                "seed %lu: another order", (unsigned long)seed);
  for (uint32_t i = 0; i < count; i++)
    keys[i] = pattern_case_key(c, cut->vertices + i * c->p);
  if (count > 0)
    qsort(keys, count, sizeof *keys, by_value);
  ck_assert_msg(same(keys, expected, count, sizeof *keys), "seed %lu", (unsigned long)seed);
  ms_pattern_result_free(whole);
  options.limit = 1 + seed % 5;
  ms_pattern_result *some = search(index, c, options, 0);
  ck_assert_uint_eq(some->matches, options.limit < count ? options.limit : count);
  ck_assert(same(some->vertices, cut->vertices, some->matches * c->p, sizeof(uint32_t)));
  ms_pattern_result_free(some);
  ms_pattern_result_free(cut);
}

static void compare_flags(const ms_pattern_index *index, const pattern_case *c, uint64_t seed,
                          uint32_t embeddings)
{
  uint8_t in_match[PATTERN_CASE_MAX_N] = {0};
  ms_pattern_options options = options_of(c, seed);
  ms_flags_result *r = NULL;
  for (uint32_t i = 0; i < embeddings; i++)
    for (uint32_t j = 0; j < c->p; j++)
      in_match[every[i] >> 4 * (c->p - 1 - j) & 15] = 1;
  options.embeddings = false;
  ms_hooks.match_cut_share = 0;
  ck_ok(ms_pattern_flags(index, c->pattern, &options, &r, &err));
  ck_assert_msg(memcmp(r->flagged, in_match, c->n) == 0, "seed %lu", (unsigned long)seed);
  ms_flags_result_free(r);
}

/* Behind a sieve, a cut index has the same rows in the same order as the whole one, the same count
 * and the same flags, all of them those of brute force: 12,000 random cases of up to 10 graph and 6
 * pattern vertices, of which those without a sieve, which has to refuse them, are left out. */
START_TEST(searches_are_the_same)
{
  uint64_t tried = 0, matched = 0, cuts = 0;
  for (uint64_t seed = 0; seed < scaled(SEARCHES); seed++) {
    pattern_case c;
    ms_pattern_index *index;
    ms_pattern_result *probe = NULL;
    pattern_case_make(seed, &c);
    ms_hooks.hub_degree = seed % 3 ? 64 : 1 + seed / 3 % 3;
    ck_ok(ms_pattern_index_new(c.graph, c.coloring, 1, &index, &err));
    ms_pattern_options options = options_of(&c, seed);
    options.count_only = true;
    ms_hooks.match_cut_share = 0;
    ms_status status = ms_pattern_list(index, c.pattern, &options, &probe, &err);
    ck_assert(status == MS_OK || status == MS_ERR_USAGE);
    if (status == MS_OK) {
      char text[32];
      uint32_t embeddings = pattern_case_embeddings(&c, every);
      pattern_case_automorphisms(&c, maps);
      uint32_t subgraphs = pattern_case_smallest(&c, every, embeddings, smallest);
      snprintf(text, sizeof text, "%u", embeddings);
      ck_assert_msg(strcmp(probe->embeddings_text, text) == 0, "seed %lu: %s, not %s",
                    (unsigned long)seed, probe->embeddings_text, text);
      compare_listings(index, &c, seed, c.embeddings ? every : smallest,
                       c.embeddings ? embeddings : subgraphs);
      compare_flags(index, &c, seed, embeddings);
      tried++;
      matched += embeddings > 0;
      cuts += was_cut(probe);
    }
    ms_pattern_result_free(probe);
    ms_pattern_index_free(index);
    pattern_case_free(&c);
  }
  if (scaled(SEARCHES) < 200)
    return;
  ck_assert_uint_gt(tried, scaled(SEARCHES) / 5);
  ck_assert_uint_gt(matched, tried / 3);
  ck_assert_uint_gt(cuts, tried / 3);
}
END_TEST

/* ---- without memory ----------------------------------------------------------------- */

static ms_status list_and_count(void *user, ms_error *error)
{
  const pattern_case *c = user;
  ms_pattern_index *index = NULL;
  ms_pattern_result *listed = NULL, *counted = NULL;
  ms_pattern_options options = options_of(c, 1);
  ms_hooks.match_cut_share = 0;
  ms_status status = ms_pattern_index_new(c->graph, c->coloring, 1, &index, error);
  if (status == MS_OK)
    status = ms_pattern_list(index, c->pattern, &options, &listed, error);
  options.count_only = true;
  if (status == MS_OK)
    status = ms_pattern_list(index, c->pattern, &options, &counted, error);
  ms_pattern_result_free(counted);
  ms_pattern_result_free(listed);
  ms_pattern_index_free(index);
  return status;
}

/* Whichever allocation fails while a cut index is searched, the call reports it and leaks no block:
 * 8 random cases in which the index was cut. */
START_TEST(allocations_fail)
{
  uint32_t done = 0;
  for (uint64_t seed = 0; done < 8; seed++) {
    pattern_case c;
    ms_pattern_index *index;
    ms_pattern_result *r = NULL;
    pattern_case_make(seed, &c);
    ck_ok(ms_pattern_index_new(c.graph, c.coloring, 1, &index, &err));
    ms_pattern_options options = options_of(&c, 1);
    ms_hooks.match_cut_share = 0;
    bool cut = ms_pattern_list(index, c.pattern, &options, &r, &err) == MS_OK && was_cut(r);
    ms_pattern_result_free(r);
    ms_pattern_index_free(index);
    if (cut) {
      ck_assert_int_gt(failing_runs_survived(list_and_count, &c), 5);
      done++;
    }
    pattern_case_free(&c);
  }
}
END_TEST

TEST_MAIN("index_cut", TEST(cut_is_the_index_of_the_induced_graph), TEST(cut_keeps_the_order),
          TEST(searches_are_the_same), TEST(allocations_fail))
