#include "tests/support/search/typed_cases.h"

#include "base/alloc.h"
#include "tests/support/random.h"
#include "tests/support/search/oracle.h"
#include "tests/support/test_main.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KINDS = 3, TYPES = 4 };

static const char *const kind_name[KINDS] = {"A", "B", "C"};
static const char *const type_name[TYPES] = {"s", "t", "r", "^r"};
static const ms_type inverse_of[TYPES] = {0, 1, 3, 2};
static ms_error err;

/* ---- graphs and patterns -------------------------------------------------------- */

static ms_names *names_of(uint32_t count, const char *const *texts)
{
  ms_names *names;
  uint32_t id;
  char number[16];
  ck_ok(ms_names_new(&names, &err));
  for (uint32_t i = 0; i < count; i++) {
    snprintf(number, sizeof number, "v%u", i);
    const char *text = texts ? texts[i] : number;
    ck_ok(ms_names_add(names, text, strlen(text), &id, &err));
  }
  return names;
}

ms_typed *typed_graph(uint32_t n, uint32_t m, const typed_edge *edge, const ms_type *kind)
{
  ms_typed *graph;
  ms_typed_parts parts = {.names = names_of(n, NULL),
                          .vertex_types = names_of(KINDS, kind_name),
                          .arc_types = names_of(TYPES, type_name)};
  typed_add_edges(&parts, m, edge);
  parts.vertex_type = ms_alloc(n, sizeof *parts.vertex_type);
  parts.inverse = ms_alloc(TYPES, sizeof *parts.inverse);
  parts.is_inverse = ms_calloc(TYPES, 1);
  ck_assert(parts.vertex_type && parts.inverse && parts.is_inverse);
  memcpy(parts.vertex_type, kind, n * sizeof *kind);
  memcpy(parts.inverse, inverse_of, sizeof inverse_of);
  parts.is_inverse[3] = 1;
  ck_ok(ms_typed_build(&parts, 2, &graph, &err));
  return graph;
}

static void make_graph(typed_case *c, uint64_t *state, uint32_t most_n)
{
  c->n = random_below(state, 20) ? most_n - random_below(state, most_n / 2 + 1)
                                 : 1 + random_below(state, most_n);
  c->m = random_below(state, 6 * c->n + 1);
  uint32_t kinds = 1 + random_below(state, 2) + random_below(state, 2),
           types = 1 + random_below(state, TYPES);
  for (uint32_t v = 0; v < c->n; v++)
    c->kind[v] = (ms_type)random_below(state, kinds);
  for (uint32_t e = 0; e < c->m; e++)
    c->edge[e] = (typed_edge){random_below(state, c->n), random_below(state, c->n),
                              (ms_type)random_below(state, types)};
  c->graph = typed_graph(c->n, c->m, c->edge, c->kind);
}

/* alike: symmetric patterns, all of whose edges accept the same. */
static void add_pattern_edge(typed_case *c, uint64_t *state, bool alike, uint32_t from, uint32_t to)
{
  ms_typed_way way = random_below(state, 3) && !alike ? MS_WAY_ON : MS_WAY_ANY;
  ck_ok(ms_typed_pattern_join(c->pattern, from, to, way, &err));
  if (alike)
    return;
  for (uint32_t i = random_below(state, 3) ? 1 + random_below(state, 3) : 0; i > 0; i--) {
    const char *type = type_name[random_below(state, TYPES)];
    ck_ok(ms_typed_pattern_accept_edge(c->pattern, type, strlen(type), &err));
  }
}

/* Mostly connected; now and then parallel edges, self-loops, a type that is unknown. */
static void make_pattern(typed_case *c, uint64_t *state, uint32_t most_p)
{
  bool alike = random_below(state, 4) == 0;
  c->p = 1 + random_below(state, most_p);
  ck_ok(ms_typed_pattern_new("(test)", &c->pattern, &err));
  for (uint32_t i = 0; i < c->p; i++) {
    uint32_t v;
    char name[16];
    snprintf(name, sizeof name, "p%u", i);
    ck_ok(ms_typed_pattern_vertex(c->pattern, name, strlen(name), &v, &err));
    for (uint32_t t = alike ? 0 : random_below(state, 4) % 3; t > 0; t--) {
      const char *kind =
          random_below(state, 40) ? kind_name[random_below(state, KINDS)] : "unknown";
      ck_ok(ms_typed_pattern_accept(c->pattern, v, kind, strlen(kind), &err));
    }
    if (i > 0 && random_below(state, 8))
      add_pattern_edge(c, state, alike, i, random_below(state, i));
  }
  for (uint32_t extra = random_below(state, 4); extra > 0; extra--)
    add_pattern_edge(c, state, alike, random_below(state, c->p), random_below(state, c->p));
  c->e = c->pattern->edges;
}

void typed_case_make(typed_case *c, uint64_t seed, uint32_t most_n, uint32_t most_p)
{
  uint64_t state = seed * 2654435761u + 1;
  memset(c, 0, sizeof *c);
  make_graph(c, &state, most_n);
  make_pattern(c, &state, most_p);
  ck_ok(ms_typed_query_new(c->graph, c->pattern, &c->query, &err));
}

void typed_case_free(typed_case *c)
{
  ms_typed_query_free(c->query);
  ms_typed_pattern_free(c->pattern);
  ms_typed_free(c->graph);
  free(c->row);
}

/* ---- what matches, from the list of edges and the pattern's text ------------------ */

static bool kind_fits(const typed_case *c, uint32_t i, uint32_t v)
{
  const ms_typed_pattern *p = c->pattern;
  for (uint32_t t = 0; t < p->types[i]; t++)
    if (strcmp(ms_names_get(p->type_names, p->type[i][t]), kind_name[c->kind[v]]) == 0)
      return true;
  return p->types[i] == 0;
}

/* Can pattern edge `e`, with its ends at v (from) and w (to), be graph edge g? */
static bool edge_fits(const typed_case *c, uint32_t e, uint32_t v, uint32_t w, uint32_t g)
{
  const ms_typed_pattern_edge *edge = &c->pattern->edge[e];
  for (int turned = 0; turned < 2; turned++) {
    /* graph edge g, seen from v: as it stands, or turned */
    typed_edge at = c->edge[g];
    if (turned)
      at = (typed_edge){at.to, at.from, inverse_of[at.type]};
    if (at.from != v || at.to != w)
      continue;
    bool any = edge->way == MS_WAY_ANY || v == w;
    if (edge->types == 0 && (any || at.type != 3))
      return true;
    for (uint32_t t = 0; t < edge->types; t++) {
      const char *name = ms_names_get(c->pattern->type_names, edge->type[t]);
      if (strcmp(name, type_name[at.type]) == 0 ||
          (any && strcmp(name, type_name[inverse_of[at.type]]) == 0))
        return true;
    }
  }
  return false;
}

/* Each pattern edge e.. a graph edge of its own, whatever the others have. */
static bool edges_fit(const typed_case *c, const uint32_t *row, uint32_t placed, uint32_t e,
                      bool *taken)
{
  if (e == c->e)
    return true;
  const ms_typed_pattern_edge *edge = &c->pattern->edge[e];
  if (edge->from >= placed || edge->to >= placed)
    return edges_fit(c, row, placed, e + 1, taken);
  for (uint32_t g = 0; g < c->m; g++) {
    if (taken[g] || !edge_fits(c, e, row[edge->from], row[edge->to], g))
      continue;
    taken[g] = true;
    bool fits = edges_fit(c, row, placed, e + 1, taken);
    taken[g] = false;
    if (fits)
      return true;
  }
  return false;
}

/* ---- symmetries, by all permutations ------------------------------------------------ */

static unsigned kinds_of(const typed_case *c, uint32_t i)
{
  unsigned bits = 0;
  for (uint32_t k = 0; k < KINDS; k++)
    bits |= (unsigned)ms_type_in(c->query->vertex_types[i], (ms_type)k) << k;
  return bits;
}

static unsigned types_of(const typed_case *c, uint32_t e, bool on)
{
  return (unsigned)(on ? c->query->edge[e].on : c->query->edge[e].back)[0];
}

/* How often edges between i and j accept exactly these types, seen from i. */
static uint32_t count_like(const typed_case *c, uint32_t i, uint32_t j, unsigned types)
{
  uint32_t count = 0;
  for (uint32_t e = 0; e < c->e; e++) {
    const ms_typed_query_edge *edge = &c->query->edge[e];
    if (edge->from == i && edge->to == j)
      count += types_of(c, e, true) == types;
    else if (edge->from == j && edge->to == i)
      count += types_of(c, e, false) == types;
  }
  return count;
}

static bool is_symmetry(const typed_case *c, const uint32_t *to)
{
  for (uint32_t i = 0; i < c->p; i++)
    if (kinds_of(c, i) != kinds_of(c, to[i]))
      return false;
  /* each edge as often there as here: there are no more there than here */
  for (uint32_t e = 0; e < c->e; e++) {
    uint32_t i = c->query->edge[e].from, j = c->query->edge[e].to;
    unsigned types = types_of(c, e, true);
    if (count_like(c, i, j, types) != count_like(c, to[i], to[j], types))
      return false;
  }
  return true;
}

typedef struct symmetries {
  uint32_t count;
  uint32_t to[720][TYPED_MOST_P];
} symmetries;

static void permute(const typed_case *c, uint32_t *to, uint32_t i, symmetries *all)
{
  if (i == c->p) {
    if (is_symmetry(c, to))
      memcpy(all->to[all->count++], to, sizeof *all->to);
    return;
  }
  for (uint32_t j = i; j < c->p; j++) {
    uint32_t keep = to[i];
    to[i] = to[j];
    to[j] = keep;
    permute(c, to, i + 1, all);
    to[j] = to[i];
    to[i] = keep;
  }
}

static bool is_smallest(const typed_case *c, const uint32_t *row, const symmetries *all)
{
  for (uint32_t s = 0; s < all->count; s++)
    for (uint32_t i = 0; i < c->p; i++) {
      uint32_t other = row[all->to[s][i]];
      if (other != row[i] && other < row[i])
        return false;
      if (other != row[i])
        break;
    }
  return true;
}

/* ---- all maps ----------------------------------------------------------------------- */

static void put_map(typed_case *c, const uint32_t *row, const symmetries *all)
{
  c->maps++;
  for (uint32_t i = 0; i < c->p; i++)
    c->in_map[i][row[i]] = true;
  if (!is_smallest(c, row, all))
    return;
  c->row = realloc(c->row, (c->classes + 1) * c->p * sizeof *row);
  ck_assert_ptr_nonnull(c->row);
  memcpy(c->row + c->classes++ * c->p, row, c->p * sizeof *row);
}

/* Does an edge of any type join the last placed vertex with one that the pattern does not join it
 * with? */
static bool has_extra_edge(const typed_case *c, const uint32_t *row, uint32_t placed)
{
  for (uint32_t j = 0; placed > 0 && j + 1 < placed; j++) {
    bool joined = false;
    for (uint32_t e = 0; e < c->e; e++) {
      const ms_typed_pattern_edge *edge = &c->pattern->edge[e];
      joined |= (edge->from == j && edge->to == placed - 1) ||
                (edge->to == j && edge->from == placed - 1);
    }
    for (uint32_t g = 0; g < c->m && !joined; g++)
      if ((c->edge[g].from == row[j] && c->edge[g].to == row[placed - 1]) ||
          (c->edge[g].to == row[j] && c->edge[g].from == row[placed - 1]))
        return true;
  }
  return false;
}

static void place(typed_case *c, uint32_t *row, uint32_t i, const symmetries *all)
{
  bool taken[TYPED_MOST_M] = {false};
  if (!edges_fit(c, row, i, 0, taken) || (c->induced && has_extra_edge(c, row, i)))
    return;
  if (i == c->p) {
    put_map(c, row, all);
    return;
  }
  for (uint32_t v = 0; v < c->n; v++) {
    bool used = !kind_fits(c, i, v);
    for (uint32_t j = 0; j < i; j++)
      used |= row[j] == v;
    row[i] = v;
    if (!used)
      place(c, row, i + 1, all);
  }
}

void typed_case_solve(typed_case *c)
{
  uint32_t row[MS_MAX_PATTERN], to[MS_MAX_PATTERN];
  symmetries *all = calloc(1, sizeof *all);
  ck_assert_ptr_nonnull(all);
  for (uint32_t i = 0; i < c->p; i++)
    to[i] = i;
  permute(c, to, 0, all);
  place(c, row, 0, all);
  c->symmetries = all->count;
  free(all);
}
