#include "tests/support/search/domain_cases.h"

#include "graph/colors.h"
#include "graph/graph.h"
#include "query/pattern.h"
#include "tests/support/random.h"
#include "tests/support/test_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_M = 3000, ROUNDS = 3, ENOUGH = 8, TESTED_PLAIN = 7 };

static ms_error err;

/* ---- cases -------------------------------------------------------------------------------- */

static void make_graph(domain_case *c, bool directed, uint64_t *state)
{
  static uint32_t edge[MOST_M][2];
  uint32_t n = 10 + random_below(state, DOMAIN_CASE_MAX_N - 10), m = 0;
  uint32_t wanted = n + random_below(state, MOST_M - n), hubs = random_below(state, 6);
  while (m < wanted) {
    uint32_t u = random_below(state, hubs > 0 && m % 3 == 0 ? hubs : n);
    uint32_t v = random_below(state, n);
    if (u == v)
      continue;
    edge[m][0] = u;
    edge[m++][1] = v;
  }
  const uint32_t(*view)[2] = (const uint32_t(*)[2])edge;
  ck_ok(directed ? ms_graph_from_arcs(n, m, view, NULL, &c->graph, &err)
                 : ms_graph_from_edges(n, m, view, NULL, &c->graph, &err));
}

/* Gives most vertices a colour, and some of them `more` others. */
static void color(domain_case *c, uint32_t colors, uint32_t more, uint64_t *state)
{
  static char text[DOMAIN_CASE_COLORS][16];
  static uint32_t pair[4 * DOMAIN_CASE_MAX_N][2];
  const char *name[DOMAIN_CASE_COLORS];
  uint32_t count = 0;
  for (uint32_t i = 0; i < colors; i++) {
    snprintf(text[i], sizeof text[i], "c%u", i);
    name[i] = text[i];
  }
  for (uint32_t v = 0; v < c->graph->n; v++) {
    uint32_t own = random_below(state, 12) == 0 ? 0 : 1 + random_below(state, more + 1);
    for (uint32_t i = 0; i < own; i++, count++) {
      pair[count][0] = v;
      pair[count][1] = random_below(state, 1 + random_below(state, colors));
    }
  }
  ck_ok(ms_coloring_from_pairs(c->graph, count, (const uint32_t(*)[2])pair, colors, name,
                               &c->coloring, &err));
}

/* Draws a connected pattern, whose vertices mostly accept one of the first colours. */
static void make_pattern(domain_case *c, bool directed, uint32_t colors, uint64_t *state)
{
  uint32_t edge[3 * DOMAIN_CASE_MAX_P][2], m = 0;
  uint32_t n = 2 + random_below(state, DOMAIN_CASE_MAX_P - 1), more = random_below(state, n + 1);
  for (uint32_t v = 1; v < n; v++, m++) {
    edge[m][0] = random_below(state, v);
    edge[m][1] = v;
  }
  for (uint32_t i = 0; n > 2 && i < more; i++, m++) {
    edge[m][0] = random_below(state, n);
    edge[m][1] = (edge[m][0] + 1 + random_below(state, n - 1)) % n;
  }
  ck_ok(ms_pattern_from_edges(n, m, (const uint32_t(*)[2])edge, directed, NULL, &c->pattern, &err));
  for (uint32_t v = 0; colors > 0 && v < n; v++)
    for (uint32_t i = random_below(state, 8); i < 8; i += i == 7 ? 1 : 7) {
      char name[16];
      uint32_t few = colors < 6 ? colors : random_below(state, 4) ? 6 : colors;
      snprintf(name, sizeof name, "c%u", random_below(state, few));
      ck_ok(ms_pattern_accept(c->pattern, v, name, &err));
    }
}

/* Vertex 6 has two neighbours of colour c0, as pattern vertex 0 has, but none of degree 3, as
 * vertex 2 of the pattern is.  No first test drops a vertex, so that only the first round finds it.
 */
static void make_unequal_group(domain_case *c)
{
  static const uint32_t edge[][2] = {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {1, 2},  {1, 3}, {1, 4},
                                     {2, 3}, {2, 4}, {3, 4}, {5, 0}, {5, 1},  {5, 2}, {5, 3},
                                     {5, 4}, {6, 7}, {6, 8}, {6, 9}, {9, 10}, {9, 11}};
  static const uint32_t pair[][2] = {{0, 0}, {1, 0}, {2, 0}, {3, 0}, {4, 0},  {5, 1},
                                     {6, 1}, {7, 0}, {8, 0}, {9, 2}, {10, 2}, {11, 2}};
  static const uint32_t pattern[][2] = {{0, 1}, {0, 2}, {2, 3}, {2, 4}, {3, 4}};
  static const char *const name[] = {"c0", "c1", "c2"};
  static const char *const accepted[] = {"c1", "c0", "c0", "c0", "c0"};
  ck_ok(ms_graph_from_edges(12, sizeof edge / sizeof *edge, edge, NULL, &c->graph, &err));
  ck_ok(ms_coloring_from_pairs(c->graph, 12, pair, 3, name, &c->coloring, &err));
  ck_ok(ms_pattern_from_edges(5, 5, pattern, false, accepted, &c->pattern, &err));
  ms_shape_of(c->pattern, false, &c->shape);
  ck_ok(ms_pattern_index_new(c->graph, c->coloring, 1, &c->index, &err));
}

void domain_case_make(uint64_t seed, domain_case *out)
{
  static const uint32_t most_colors[] = {0, 3, 8, 64, DOMAIN_CASE_COLORS, 4};
  uint64_t state = seed;
  uint32_t kind = (uint32_t)(seed % 6), most = most_colors[kind];
  uint32_t colors = most == 0 ? 0 : most < 64 ? 1 + random_below(&state, most) : most;
  bool directed = random_below(&state, 4) == 0;
  *out = (domain_case){0};
  if (seed == 0) {
    make_unequal_group(out);
    return;
  }
  make_graph(out, directed, &state);
  if (colors > 0)
    color(out, colors, kind == 5 ? 2 : 0, &state);
  make_pattern(out, directed && random_below(&state, 3) > 0, colors, &state);
  ms_shape_of(out->pattern, false, &out->shape);
  ck_ok(ms_pattern_index_new(out->graph, out->coloring, 1, &out->index, &err));
  if (random_below(&state, 4) > 0)
    return;
  for (uint32_t v = 0; v < out->index->n; v++)
    if (random_below(&state, 5) > 0)
      out->allowed_bits[v / 64] |= UINT64_C(1) << v % 64;
  out->allowed = out->allowed_bits;
}

void domain_case_free(domain_case *c)
{
  ms_pattern_index_free(c->index);
  ms_pattern_free(c->pattern);
  ms_coloring_free(c->coloring);
  ms_graph_free(c->graph);
}

/* ---- the definition -------------------------------------------------------------------------- */

typedef struct sets {
  const domain_case *c;
  uint32_t n, p;
  uint64_t (*bits)[DOMAIN_CASE_WORDS]; /* [p] */
  uint64_t start[DOMAIN_CASE_MAX_P][DOMAIN_CASE_WORDS];
  uint32_t degree[DOMAIN_CASE_MAX_N];
  /* the kinds of arcs: bit MS_ROWS_ANY, MS_ROWS_OUT and MS_ROWS_IN */
  uint8_t arc[DOMAIN_CASE_MAX_N][DOMAIN_CASE_MAX_N];
} sets;

static bool has(const uint64_t *bits, uint32_t v)
{
  return bits[v / 64] >> v % 64 & 1;
}

static bool has_color(const sets *s, uint32_t v, uint32_t color)
{
  uint32_t count;
  const uint32_t *own = ms_coloring_of(s->c->coloring, s->c->index->vertex[v], &count);
  for (uint32_t i = 0; i < count; i++)
    if (own[i] == color)
      return true;
  return false;
}

/* Returns the number of the colour that a pattern vertex accepts alone, or UINT32_MAX. */
static uint32_t one_color(const sets *s, uint32_t u)
{
  const ms_pattern *p = s->c->pattern;
  return p->colors[u] == 1
             ? ms_coloring_find(s->c->coloring, ms_names_get(p->color_names, p->color[u][0]))
             : UINT32_MAX;
}

static bool accepts(const sets *s, uint32_t u, uint32_t v)
{
  const ms_pattern *p = s->c->pattern;
  for (uint32_t i = 0; i < p->colors[u]; i++) {
    const char *name = ms_names_get(p->color_names, p->color[u][i]);
    uint32_t color = ms_coloring_find(s->c->coloring, name);
    if (color != UINT32_MAX && has_color(s, v, color))
      return true;
  }
  return p->colors[u] == 0;
}

static bool joined(const sets *s, uint32_t u, uint32_t w, int kind)
{
  const ms_shape *p = &s->c->shape;
  return kind == MS_ROWS_OUT  ? ms_bitset_has(&p->out[u], w)
         : kind == MS_ROWS_IN ? ms_bitset_has(&p->in[u], w)
                              : ms_bitset_has(&p->out[u], w) || ms_bitset_has(&p->in[u], w);
}

static uint32_t degree_of(const sets *s, uint32_t u)
{
  uint32_t degree = 0;
  for (uint32_t w = 0; w < s->p; w++)
    degree += joined(s, u, w, MS_ROWS_ANY);
  return degree;
}

static uint32_t count_in(const sets *s, uint32_t v, int kind, const uint64_t *bits)
{
  uint32_t count = 0;
  for (uint32_t x = 0; x < s->n; x++)
    count += (s->arc[v][x] >> kind & 1) && has(bits, x);
  return count;
}

static void read_arcs(sets *s)
{
  const ms_pattern_index *index = s->c->index;
  for (uint32_t kind = 0; kind < index->kinds; kind++)
    for (uint32_t v = 0; v < s->n; v++) {
      uint32_t length;
      const uint32_t *row = ms_row(&index->rows[kind], v, &length);
      for (uint32_t i = 0; i < length; i++)
        s->arc[v][row[i]] |= (uint8_t)(1 << kind);
      s->degree[v] = kind == MS_ROWS_ANY ? length : s->degree[v];
    }
}

/* The vertices of an accepted colour, of enough neighbours where ids ascend by degree. */
static bool starts(const sets *s, uint32_t u, uint32_t v)
{
  bool one = s->c->pattern->colors[u] == 1 && s->c->index->ranges;
  bool any = s->c->pattern->colors[u] == 0 && s->c->index->colors == 0;
  return accepts(s, u, v) && ((!one && !any) || s->degree[v] >= degree_of(s, u));
}

/* The neighbours of v have the colours that those of u accept, once and twice. */
static bool has_near_colors(const sets *s, uint32_t u, uint32_t v)
{
  uint32_t need[64] = {0}, found[64] = {0};
  for (uint32_t w = 0; w < s->p; w++)
    if (joined(s, u, w, MS_ROWS_ANY) && one_color(s, w) != UINT32_MAX)
      need[one_color(s, w) % 64]++;
  for (uint32_t x = 0; s->c->coloring && x < s->n; x++) {
    bool bit[64] = {false};
    for (uint32_t color = 0; (s->arc[v][x] & 1) && color < s->c->index->colors; color++)
      bit[color % 64] = bit[color % 64] || has_color(s, x, color);
    for (uint32_t i = 0; i < 64; i++)
      found[i] += bit[i];
  }
  for (uint32_t i = 0; i < 64; i++)
    if (found[i] < (need[i] < 2 ? need[i] : 2))
      return false;
  return true;
}

/* Of each kind of arcs and each set of accepted colours, v has as many neighbours as u. */
static bool has_groups(const sets *s, uint32_t u, uint32_t v, bool by_direction)
{
  const ms_shape *p = &s->c->shape;
  for (int kind = by_direction ? MS_ROWS_OUT : MS_ROWS_ANY;
       kind <= (by_direction ? MS_ROWS_IN : MS_ROWS_ANY); kind++)
    for (uint32_t w = 0; w < s->p; w++) {
      uint32_t need = 0, least = w;
      if (!joined(s, u, w, kind))
        continue;
      for (uint32_t x = 0; x < s->p; x++)
        if (joined(s, u, x, kind) && p->kind[x] == p->kind[w]) {
          need++;
          least = degree_of(s, x) < degree_of(s, least) ? x : least;
        }
      if (count_in(s, v, kind, s->start[least]) < need)
        return false;
    }
  return true;
}

static bool passes(const sets *s, uint32_t u, uint32_t v, bool by_direction)
{
  uint32_t best = 0, of_u = 0;
  for (uint32_t x = 0; x < s->n; x++)
    best = (s->arc[v][x] & 1) && s->degree[x] > best ? s->degree[x] : best;
  for (uint32_t w = 0; w < s->p; w++)
    of_u = joined(s, u, w, MS_ROWS_ANY) && degree_of(s, w) > of_u ? degree_of(s, w) : of_u;
  return best >= of_u && has_near_colors(s, u, v) && has_groups(s, u, v, by_direction);
}

static bool is_consistent(const sets *s, uint32_t u, uint32_t v, bool by_direction)
{
  for (int kind = by_direction ? MS_ROWS_OUT : MS_ROWS_ANY;
       kind <= (by_direction ? MS_ROWS_IN : MS_ROWS_ANY); kind++)
    for (uint32_t w = 0; w < s->p; w++)
      if (joined(s, u, w, kind) && count_in(s, v, kind, s->bits[w]) == 0)
        return false;
  return true;
}

/* In each round, all vertices are tested against the domains before it.  A round that drops less
 * than an eighth of them is the last one. */
static void make_consistent(sets *s, bool by_direction)
{
  bool enough = true;
  for (int round = 0; round < ROUNDS && enough; round++) {
    uint64_t after[DOMAIN_CASE_MAX_P][DOMAIN_CASE_WORDS];
    uint64_t all = 0, dropped = 0;
    memcpy(after, s->bits, s->p * sizeof *after);
    for (uint32_t u = 0; u < s->p; u++)
      for (uint32_t v = 0; v < s->n; v++) {
        all += has(s->bits[u], v);
        if (has(s->bits[u], v) && !is_consistent(s, u, v, by_direction)) {
          after[u][v / 64] &= ~(UINT64_C(1) << v % 64);
          dropped++;
        }
      }
    memcpy(s->bits, after, s->p * sizeof *after);
    enough = ENOUGH * dropped >= all;
  }
}

uint64_t domain_case_expect(const domain_case *c, uint64_t (*bits)[DOMAIN_CASE_WORDS])
{
  sets *s = calloc(1, sizeof *s);
  uint64_t count = 0;
  ck_assert_ptr_nonnull(s);
  *s = (sets){.c = c, .n = c->index->n, .p = c->shape.n, .bits = bits};
  bool by_direction = c->index->directed && c->shape.directed, tested = s->p >= TESTED_PLAIN;
  read_arcs(s);
  for (uint32_t u = 0; u < s->p; u++)
    tested = tested || c->pattern->colors[u] > 0;
  for (uint32_t u = 0; u < s->p; u++)
    for (uint32_t v = 0; v < s->n; v++)
      if (starts(s, u, v))
        s->start[u][v / 64] |= UINT64_C(1) << v % 64;
  memset(bits, 0, s->p * sizeof *bits);
  for (uint32_t u = 0; u < s->p; u++)
    for (uint32_t v = 0; v < s->n; v++)
      if (has(s->start[u], v) && (!c->allowed || has(c->allowed, v)) &&
          (!tested || passes(s, u, v, by_direction)))
        bits[u][v / 64] |= UINT64_C(1) << v % 64;
  if (tested)
    make_consistent(s, by_direction);
  for (uint32_t u = 0; u < s->p; u++)
    for (uint32_t v = 0; v < s->n; v++)
      count += has(bits[u], v);
  free(s);
  return count;
}

bool domain_case_is(const domain_case *c, const ms_domains *domains,
                    const uint64_t (*bits)[DOMAIN_CASE_WORDS])
{
  for (uint32_t u = 0; u < c->shape.n; u++) {
    const ms_domain *d = &domains->of[u];
    uint32_t count = 0;
    for (uint32_t v = 0; v < c->index->n; v++) {
      if (ms_domain_has(d, v) != has(bits[u], v))
        return false;
      count += has(bits[u], v);
    }
    if (d->count != count)
      return false;
    if (count > 0 && d->bits && (!has(bits[u], d->lo) || !has(bits[u], d->hi - 1)))
      return false;
  }
  return true;
}
