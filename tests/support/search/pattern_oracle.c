#include "tests/support/search/pattern_oracle.h"

#include "tests/support/random.h"
#include "tests/support/search/oracle.h"

#include <check.h>
#include <string.h>

enum { MAX_COLORS = 4, UNKNOWN = MAX_COLORS, NAMES };
enum { MAX_N = PATTERN_CASE_MAX_N, MAX_P = PATTERN_CASE_MAX_P };

/* the last one is no colour of any graph */
static const char *const color_name[NAMES] = {"red", "green", "blue", "white", "nowhere"};

/* What a case is made of, before the library's constructors see it. */
typedef struct draft {
  pattern_case *c;
  uint32_t colors;         /* of the graph; 0: it has none */
  uint16_t given[MAX_N];   /* the graph's own arcs */
  uint16_t palette[MAX_N]; /* bit c: the vertex has colour c */
  uint64_t state;
} draft;

/* Uniform in 0..limit-1 (the bias of the remainder does not matter here). */
static bool chance(uint64_t *state, uint32_t percent)
{
  return random_below(state, 100) < percent;
}

static bool has(const uint16_t *rows, uint32_t u, uint32_t v)
{
  return rows[u] >> v & 1;
}

static void join(uint16_t *rows, uint32_t u, uint32_t v)
{
  if (u == v)
    return;
  rows[u] |= (uint16_t)(1u << v);
  rows[v] |= (uint16_t)(1u << u);
}

/* ---- shapes --------------------------------------------------------------- */

static void draw_random(uint16_t *rows, uint32_t n, uint32_t percent, uint64_t *state)
{
  for (uint32_t v = 1; v < n; v++)
    for (uint32_t u = 0; u < v; u++)
      if (chance(state, percent))
        join(rows, u, v);
}

static void draw_cliques(uint16_t *rows, uint32_t n, uint64_t *state)
{
  uint32_t parts = 1 + random_below(state, 3), part[MAX_N];
  for (uint32_t v = 0; v < n; v++) {
    part[v] = random_below(state, parts);
    for (uint32_t u = 0; u < v; u++)
      if (part[u] == part[v])
        join(rows, u, v);
  }
}

static void draw_stars(uint16_t *rows, uint32_t n, uint64_t *state)
{
  uint32_t hubs = 1 + random_below(state, n > 4 ? 2 : 1);
  for (uint32_t v = hubs; v < n; v++)
    join(rows, v, random_below(state, hubs));
}

static void draw_bipartite(uint16_t *rows, uint32_t n, uint64_t *state)
{
  uint32_t percent = chance(state, 50) ? 100 : 60, side = 1 + random_below(state, n);
  for (uint32_t u = 0; u < side; u++)
    for (uint32_t v = side; v < n; v++)
      if (chance(state, percent))
        join(rows, u, v);
}

static void draw_path(uint16_t *rows, uint32_t n, uint64_t *state)
{
  for (uint32_t v = 1; v < n; v++)
    join(rows, v - 1, v);
  if (chance(state, 50))
    join(rows, 0, n - 1);
}

static void draw_tree(uint16_t *rows, uint32_t n, uint64_t *state)
{
  for (uint32_t v = 1; v < n; v++)
    join(rows, v, random_below(state, v));
}

/* Edges of a random family, its vertices in any order; sometimes a few more. */
static void draw_edges(uint16_t *rows, uint32_t n, uint64_t *state)
{
  static const uint32_t percent[] = {5, 15, 30, 50, 75, 100};
  uint16_t plain[MAX_N] = {0};
  uint32_t place[MAX_N];
  switch (random_below(state, 9)) {
  case 0:
    draw_cliques(plain, n, state);
    break;
  case 1:
    draw_stars(plain, n, state);
    break;
  case 2:
    draw_bipartite(plain, n, state);
    break;
  case 3:
    draw_path(plain, n, state);
    break;
  case 4:
    draw_tree(plain, n, state);
    break;
  default:
    draw_random(plain, n, percent[random_below(state, 6)], state);
  }
  if (chance(state, 25))
    draw_random(plain, n, 12, state);
  for (uint32_t v = 0; v < n; v++) { /* inside-out shuffle */
    uint32_t at = random_below(state, v + 1);
    place[v] = place[at];
    place[at] = v;
  }
  for (uint32_t v = 1; v < n; v++)
    for (uint32_t u = 0; u < v; u++)
      if (has(plain, u, v))
        join(rows, place[u], place[v]);
}

/* Edges become arcs: most of them one of the two that they were. */
static void draw_directions(uint16_t *rows, uint32_t n, uint64_t *state)
{
  uint32_t both = random_below(state, 2) ? 20 : 60;
  for (uint32_t v = 1; v < n; v++)
    for (uint32_t u = 0; u < v; u++) {
      if (!has(rows, u, v) || chance(state, both))
        continue;
      uint32_t from = random_below(state, 2) ? u : v, to = u + v - from;
      rows[from] &= (uint16_t) ~(1u << to);
    }
}

/* ---- colours -------------------------------------------------------------- */

/* One of `colors`, or several or none. */
static void draw_colors(draft *d)
{
  bool lists = chance(&d->state, 40);
  d->colors = chance(&d->state, 35) ? 0 : 1 + random_below(&d->state, MAX_COLORS);
  for (uint32_t v = 0; v < d->c->n && d->colors > 0; v++)
    for (uint32_t i = lists ? random_below(&d->state, 4) : 1; i > 0; i--)
      d->palette[v] |= (uint16_t)(1u << random_below(&d->state, d->colors));
}

/* The colours that a pattern vertex accepts, `own` (may be 0) among them. */
static uint16_t draw_accepted(draft *d, uint16_t own)
{
  if (chance(&d->state, 30))
    return 0;
  uint16_t set = own;
  for (uint32_t i = own ? random_below(&d->state, 2) : 1 + random_below(&d->state, 3); i > 0; i--)
    set |= (uint16_t)(1u << random_below(&d->state, d->colors ? d->colors : 1));
  return (uint16_t)(chance(&d->state, 3) ? set | 1u << UNKNOWN : set);
}

static void draw_accepted_all(draft *d, const uint32_t *cut)
{
  pattern_case *c = d->c;
  if (chance(&d->state, d->colors > 0 ? 30 : 90))
    return;
  for (uint32_t i = 0; i < c->p; i++) {
    uint16_t palette = cut ? d->palette[cut[i]] : 0;
    if (!cut || palette)
      c->accepts[i] = draw_accepted(d, palette & (uint16_t)-palette);
  }
}

/* ---- patterns ------------------------------------------------------------- */

/* p different vertices of the graph */
static void draw_cut(draft *d, uint32_t *cut)
{
  uint32_t all[MAX_N];
  for (uint32_t v = 0; v < d->c->n; v++)
    all[v] = v;
  for (uint32_t i = 0; i < d->c->p; i++) {
    uint32_t at = i + random_below(&d->state, d->c->n - i);
    cut[i] = all[at];
    all[at] = all[i];
  }
}

static void drop(draft *d, uint32_t i, uint32_t j)
{
  uint16_t *wanted = d->c->wanted;
  bool there = chance(&d->state, 60), back = !there || !d->c->pattern_directed;
  if (there || !d->c->pattern_directed)
    wanted[i] &= (uint16_t) ~(1u << j);
  if (back)
    wanted[j] &= (uint16_t) ~(1u << i);
}

/* What the graph has among these vertices; less than that where more does no harm. */
static void cut_out(draft *d, const uint32_t *cut)
{
  pattern_case *c = d->c;
  for (uint32_t i = 0; i < c->p; i++)
    for (uint32_t j = 0; j < c->p; j++)
      if (i != j && has(c->arc, cut[i], cut[j]))
        c->wanted[i] |= (uint16_t)(1u << j);
  for (uint32_t i = 0; i < c->p && !c->induced; i++)
    for (uint32_t j = 0; j < i; j++)
      if (chance(&d->state, 25))
        drop(d, i, j);
}

static void draw_pattern(draft *d)
{
  pattern_case *c = d->c;
  uint32_t cut[MAX_P];
  bool is_cut = c->p <= c->n && chance(&d->state, 50);
  if (is_cut) {
    draw_cut(d, cut);
    cut_out(d, cut);
  } else {
    draw_edges(c->wanted, c->p, &d->state);
    if (c->pattern_directed)
      draw_directions(c->wanted, c->p, &d->state);
  }
  draw_accepted_all(d, is_cut ? cut : NULL);
}

static void draw_graph(draft *d)
{
  pattern_case *c = d->c;
  draw_edges(d->given, c->n, &d->state);
  if (c->graph_directed)
    draw_directions(d->given, c->n, &d->state);
  for (uint32_t u = 0; u < c->n; u++)
    for (uint32_t v = 0; v < c->n; v++)
      if (has(d->given, u, v) || (!c->pattern_directed && has(d->given, v, u)))
        c->arc[u] |= (uint16_t)(1u << v);
}

/* ---- the library's objects -------------------------------------------------- */

typedef const uint32_t (*pairs_view)[2];

/* Arcs, or edges from either of their ends. */
static uint32_t list_edges(const uint16_t *rows, uint32_t n, bool directed, uint64_t *state,
                           uint32_t (*edges)[2])
{
  uint32_t m = 0;
  for (uint32_t u = 0; u < n; u++)
    for (uint32_t v = 0; v < n; v++) {
      if (!has(rows, u, v) || (!directed && v < u))
        continue;
      bool turn = !directed && random_below(state, 2);
      edges[m][0] = turn ? v : u;
      edges[m++][1] = turn ? u : v;
    }
  return m;
}

static void build_graph(draft *d)
{
  pattern_case *c = d->c;
  uint32_t edges[MAX_N * MAX_N][2];
  ms_error err;
  uint32_t m = list_edges(d->given, c->n, c->graph_directed, &d->state, edges);
  pairs_view view = (pairs_view)edges;
  ms_status status = c->graph_directed ? ms_graph_from_arcs(c->n, m, view, NULL, &c->graph, &err)
                                       : ms_graph_from_edges(c->n, m, view, NULL, &c->graph, &err);
  if (status != MS_OK)
    ck_abort_msg("graph: %s", err.message);
}

static void build_coloring(draft *d)
{
  uint32_t pairs[MAX_N * MAX_COLORS][2], count = 0;
  ms_error err;
  if (d->colors == 0)
    return;
  for (uint32_t v = 0; v < d->c->n; v++)
    for (uint32_t color = 0; color < d->colors; color++)
      if (has(d->palette, v, color)) {
        pairs[count][0] = v;
        pairs[count++][1] = color;
      }
  if (ms_coloring_from_pairs(d->c->graph, count, (pairs_view)pairs, d->colors, color_name,
                             &d->c->coloring, &err) != MS_OK)
    ck_abort_msg("colours: %s", err.message);
}

/* The first accepted colour of each vertex with the edges, the others one by one. */
static void build_pattern(draft *d)
{
  pattern_case *c = d->c;
  uint32_t edges[MAX_P * MAX_P][2];
  const char *first[MAX_P] = {NULL};
  ms_error err;
  for (uint32_t i = 0; i < c->p; i++)
    if (c->accepts[i])
      first[i] = color_name[__builtin_ctz(c->accepts[i])];
  uint32_t m = list_edges(c->wanted, c->p, c->pattern_directed, &d->state, edges);
  ms_status status = ms_pattern_from_edges(c->p, m, (pairs_view)edges, c->pattern_directed, first,
                                           &c->pattern, &err);
  for (uint32_t i = 0; i < c->p; i++)
    for (uint32_t color = 0; color < NAMES && status == MS_OK; color++)
      if (has(c->accepts, i, color))
        status = ms_pattern_accept(c->pattern, i, color_name[color], &err);
  if (status != MS_OK)
    ck_abort_msg("pattern: %s", err.message);
}

void pattern_case_make(uint64_t seed, pattern_case *out)
{
  draft d = {.c = out, .state = seed};
  *out = (pattern_case){0};
  out->p = chance(&d.state, 8) ? MAX_P : 1 + random_below(&d.state, MAX_P - 1);
  out->n = 3 + random_below(&d.state, out->p == MAX_P ? 6 : MAX_N - 2);
  out->graph_directed = chance(&d.state, 40);
  out->pattern_directed = chance(&d.state, 20) ? !out->graph_directed : out->graph_directed;
  out->induced = chance(&d.state, 40);
  out->embeddings = chance(&d.state, 40);
  draw_graph(&d);
  draw_colors(&d);
  draw_pattern(&d);
  for (uint32_t i = 0; i < out->p; i++)
    for (uint32_t v = 0; v < out->n; v++)
      if (!out->accepts[i] || (out->accepts[i] & d.palette[v]))
        out->fits[i] |= (uint16_t)(1u << v);
  build_graph(&d);
  build_coloring(&d);
  build_pattern(&d);
}

void pattern_case_free(pattern_case *c)
{
  ms_pattern_free(c->pattern);
  ms_coloring_free(c->coloring);
  ms_graph_free(c->graph);
}

/* ---- brute force ------------------------------------------------------------ */

uint32_t pattern_case_key(const pattern_case *c, const uint32_t *row)
{
  uint32_t key = 0;
  for (uint32_t i = 0; i < c->p; i++)
    key = key << 4 | row[i];
  return key;
}

/* Does the map i -> row[i], j -> row[j] keep what is between i and j? */
static bool keeps_pair(const pattern_case *c, const uint32_t *row, uint32_t i, uint32_t j)
{
  bool wanted = has(c->wanted, i, j), there = has(c->arc, row[i], row[j]);
  return row[i] != row[j] && (there || !wanted) && (wanted || !there || !c->induced);
}

static uint32_t extend(const pattern_case *c, uint32_t *row, uint32_t i, uint32_t *keys,
                       uint32_t count)
{
  if (i == c->p || i == MAX_P) {    /* p is at most MAX_P, which gcc for Arm does not see */
    if (count == PATTERN_CASE_ROWS) /* ck_assert writes a note each time */
      ck_abort_msg("more rows than there can be");
    keys[count] = pattern_case_key(c, row);
    return count + 1;
  }
  for (row[i] = 0; row[i] < c->n; row[i]++) {
    bool fits = has(c->fits, i, row[i]);
    for (uint32_t j = 0; j < i && fits; j++)
      fits = keeps_pair(c, row, i, j) && keeps_pair(c, row, j, i);
    if (fits)
      count = extend(c, row, i + 1, keys, count);
  }
  return count;
}

uint32_t pattern_case_embeddings(const pattern_case *c, uint32_t *keys)
{
  uint32_t row[MAX_P];
  return extend(c, row, 0, keys, 0);
}

static bool is_automorphism(const pattern_case *c, const uint8_t *map)
{
  for (uint32_t i = 0; i < c->p; i++) {
    if (c->accepts[i] != c->accepts[map[i]])
      return false;
    for (uint32_t j = 0; j < c->p; j++)
      if (has(c->wanted, i, j) != has(c->wanted, map[i], map[j]))
        return false;
  }
  return true;
}

static uint32_t permute(const pattern_case *c, uint8_t *map, uint32_t i,
                        uint8_t (*maps)[PATTERN_CASE_MAX_P], uint32_t count)
{
  if (i == c->p) {
    if (!is_automorphism(c, map))
      return count;
    memcpy(maps[count], map, PATTERN_CASE_MAX_P);
    return count + 1;
  }
  for (uint32_t at = i; at < c->p; at++) {
    uint8_t mine = map[i];
    map[i] = map[at];
    map[at] = mine;
    count = permute(c, map, i + 1, maps, count);
    map[at] = map[i];
    map[i] = mine;
  }
  return count;
}

uint32_t pattern_case_automorphisms(const pattern_case *c, uint8_t (*maps)[PATTERN_CASE_MAX_P])
{
  uint8_t map[PATTERN_CASE_MAX_P] = {0, 1, 2, 3, 4, 5};
  return permute(c, map, 0, maps, 0);
}

uint32_t pattern_case_smallest(const pattern_case *c, const uint32_t *keys, uint32_t count,
                               uint32_t *smallest)
{
  static uint8_t maps[PATTERN_CASE_MAPS][PATTERN_CASE_MAX_P];
  uint32_t n_maps = pattern_case_automorphisms(c, maps), kept = 0;
  for (uint32_t k = 0; k < count; k++) {
    bool is_smallest = true;
    for (uint32_t m = 0; m < n_maps && is_smallest; m++) {
      uint32_t row[MAX_P];
      for (uint32_t i = 0; i < c->p; i++)
        row[i] = keys[k] >> 4 * (c->p - 1 - maps[m][i]) & 15;
      is_smallest = pattern_case_key(c, row) >= keys[k];
    }
    if (is_smallest)
      smallest[kept++] = keys[k];
  }
  return kept;
}
