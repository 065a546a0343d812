#include "tests/gpu/random_case.h"

#include "tests/support/random.h"

#include <stdlib.h>
#include <string.h>

enum { RELATIONS = 3, KINDS = 4 };

static const char *const kind_name[KINDS] = {"A", "B", "C", "D"};
static const char *const relation_name[RELATIONS] = {"s", "t", "r"};

static uint32_t below(random_case *c, uint32_t limit)
{
  return random_below(&c->state, limit);
}

static bool one_in(random_case *c, uint32_t number)
{
  return below(c, number) == 0;
}

/* ---- graphs ------------------------------------------------------------------------ */

/* Adds an edge, or an arc from u to v, unless it is there. */
static void join(random_case *c, uint32_t u, uint32_t v)
{
  if (u == v || u >= c->n || v >= c->n || c->joined[u][v] || c->m == RANDOM_CASE_MOST_M)
    return;
  c->joined[u][v] = true;
  c->joined[v][u] |= !c->directed;
  c->relation[c->m] = below(c, RELATIONS);
  c->edge[c->m][0] = u;
  c->edge[c->m++][1] = v;
}

static void join_at_random(random_case *c, uint32_t edges)
{
  for (; edges > 0; edges--)
    join(c, below(c, c->n), below(c, c->n));
}

/* Few vertices are next to most others. */
static void join_hubs(random_case *c)
{
  uint32_t hubs = 1 + below(c, 3), share = 1 + below(c, 4);
  for (uint32_t h = 0; h < hubs; h++)
    for (uint32_t v = 0; v < c->n; v++)
      if (below(c, 4) < share) {
        bool turned = one_in(c, 2);
        join(c, turned ? v : h, turned ? h : v);
      }
}

/* Ends of small numbers are drawn much more often. */
static void join_skewed(random_case *c, uint32_t edges)
{
  for (; edges > 0; edges--) {
    uint32_t end[2];
    for (int i = 0; i < 2; i++)
      end[i] = below(c, 1 + below(c, 1 + below(c, c->n)));
    join(c, end[0], end[1]);
  }
}

static void join_bipartite(random_case *c, uint32_t edges)
{
  uint32_t side = 1 + below(c, c->n / 2 + 1);
  for (; edges > 0 && side < c->n; edges--)
    join(c, below(c, side), side + below(c, c->n - side));
}

/* Cliques of 3 to 7 vertices that share some. */
static void join_cliques(random_case *c, uint32_t edges)
{
  while (edges > 0) {
    uint32_t size = 3 + below(c, 5), first = below(c, c->n);
    for (uint32_t i = 0; i < size; i++)
      for (uint32_t j = 0; j < i; j++)
        join(c, (first + i) % c->n, (first + j) % c->n);
    edges -= size < edges ? size : edges;
  }
}

static void join_grid(random_case *c)
{
  uint32_t width = 2 + below(c, 6);
  for (uint32_t v = 0; v < c->n; v++) {
    if ((v + 1) % width > 0)
      join(c, v, v + 1);
    join(c, v, v + width);
  }
}

static void join_tree(random_case *c)
{
  uint32_t near = 1 + below(c, 6);
  for (uint32_t v = 1; v < c->n; v++)
    join(c, v, one_in(c, 3) || v <= near ? below(c, v) : v - 1 - below(c, near));
}

static void draw_graph(random_case *c, uint32_t degree)
{
  uint32_t edges = c->n * (1 + below(c, degree)) / 2;
  switch (below(c, 8)) {
  case 0:
    join_hubs(c);
    join_at_random(c, c->n / 2);
    break;
  case 1:
    join_skewed(c, edges);
    break;
  case 2:
    join_bipartite(c, edges);
    break;
  case 3:
    join_cliques(c, edges);
    break;
  case 4:
    join_grid(c);
    join_at_random(c, below(c, 1 + c->n / 4));
    break;
  case 5:
    join_tree(c);
    join_hubs(c);
    break;
  default:
    join_at_random(c, edges);
  }
  for (uint32_t v = 0; v < c->n; v++)
    c->color[v] = below(c, c->colors);
}

/* ---- patterns ---------------------------------------------------------------------- */

static bool has_pattern_edge(const random_case *c, uint32_t i, uint32_t j)
{
  for (uint32_t k = 0; k < c->e; k++)
    if ((c->pattern_edge[k][0] == i && c->pattern_edge[k][1] == j) ||
        (c->pattern_edge[k][0] == j && c->pattern_edge[k][1] == i))
      return true;
  return false;
}

static void join_pattern(random_case *c, uint32_t i, uint32_t j, uint32_t relation)
{
  if (i == j || c->e == RANDOM_CASE_MOST_E || has_pattern_edge(c, i, j))
    return;
  c->wants[c->e] = relation;
  c->pattern_edge[c->e][0] = i;
  c->pattern_edge[c->e++][1] = j;
}

/* A tree, or now and then a forest, with some more edges; cliques, cycles and stars. */
static void draw_free_pattern(random_case *c)
{
  uint32_t form = below(c, 8), more = below(c, c->p + 1);
  for (uint32_t i = 1; i < c->p; i++) {
    for (uint32_t j = 0; form == 0 && c->p < 7 && j < i; j++)
      join_pattern(c, i, j, RANDOM_CASE_ANY);
    if (form == 1)
      join_pattern(c, i, i - 1, RANDOM_CASE_ANY);
    else if (form == 2)
      join_pattern(c, i, 0, RANDOM_CASE_ANY);
    else if (form > 2 && !one_in(c, 40))
      join_pattern(c, i, below(c, i), RANDOM_CASE_ANY);
  }
  if (form == 0)
    return;
  if (form == 1)
    join_pattern(c, 0, c->p - 1, RANDOM_CASE_ANY);
  for (; form > 2 && more > 0; more--)
    join_pattern(c, below(c, c->p), below(c, c->p),
                 one_in(c, 2) ? RANDOM_CASE_ANY : below(c, RELATIONS));
}

/* Finds p vertices of the graph that are connected as far as the graph is. */
static void cut_vertices(random_case *c, uint32_t *cut, uint32_t *place)
{
  uint32_t count = 0;
  for (uint32_t v = 0; v < c->n; v++)
    place[v] = RANDOM_CASE_ANY;
  for (uint32_t tries = 0; count < c->p; tries++) {
    uint32_t v = below(c, c->n);
    if (count > 0 && c->m > 0 && tries < 40 * c->p) {
      const uint32_t *edge = c->edge[below(c, c->m)];
      bool from = place[edge[0]] != RANDOM_CASE_ANY, to = place[edge[1]] != RANDOM_CASE_ANY;
      if (from == to)
        continue;
      v = from ? edge[1] : edge[0];
    }
    if (place[v] != RANDOM_CASE_ANY)
      continue;
    place[v] = count;
    cut[count++] = v;
  }
}

/* Takes the pattern out of the graph, without a few of its edges unless it is induced. */
static void draw_cut_pattern(random_case *c)
{
  uint32_t cut[RANDOM_CASE_MOST_P], place[RANDOM_CASE_MOST_N];
  cut_vertices(c, cut, place);
  for (uint32_t k = 0; k < c->m; k++) {
    uint32_t i = place[c->edge[k][0]], j = place[c->edge[k][1]];
    bool dropped = !c->induced && one_in(c, 8);
    if (i != RANDOM_CASE_ANY && j != RANDOM_CASE_ANY && !dropped)
      join_pattern(c, i, j, one_in(c, 4) ? RANDOM_CASE_ANY : c->relation[k]);
  }
  for (uint32_t i = 0; i < c->p; i++)
    if (c->colors > 1 && !one_in(c, 5))
      c->accepts[i] = c->color[cut[i]];
}

/* ---- cases ----------------------------------------------------------------------------- */

/* Patterns of ten vertices and more are cut out of graphs of many colours, or else most of them
 * would have no match, or too many. */
static void draw_sizes(random_case *c, uint32_t size, bool large)
{
  if (large) {
    c->p = 10 + below(c, RANDOM_CASE_MOST_P - 9);
    c->n = c->p + below(c, 24);
    c->colors = c->typed ? KINDS : 6 + below(c, RANDOM_CASE_COLORS - 5);
    return;
  }
  c->p = 2 + below(c, 8);
  c->n = 3 + below(c, size - 2);
  c->colors = one_in(c, 2) ? 1 : 2 + below(c, KINDS - 1);
}

void random_case_draw(random_case *c, uint64_t seed, uint32_t size)
{
  static const uint32_t degree[] = {0, 0, 40, 24, 14, 9, 7, 6, 5, 4};
  memset(c, 0, sizeof *c);
  c->seed = seed;
  c->state = seed;
  (void)random_next(&c->state);
  bool large = one_in(c, 10);
  c->directed = one_in(c, 4);
  c->induced = one_in(c, 4);
  c->typed = one_in(c, 5);
  draw_sizes(c, size, large);
  draw_graph(c, large ? 5 : degree[c->p]);
  for (uint32_t i = 0; i < c->p; i++)
    c->accepts[i] = RANDOM_CASE_ANY;
  bool cut = large || (c->p <= c->n && one_in(c, 3));
  if (cut)
    draw_cut_pattern(c);
  else
    draw_free_pattern(c);
  for (uint32_t i = 0; i < c->p && !cut && c->colors > 1; i++)
    c->accepts[i] = one_in(c, 3) ? RANDOM_CASE_ANY : below(c, c->colors);
}

static void print_vertices(FILE *to, const char *what, const uint32_t *value, uint32_t count)
{
  fprintf(to, "  %s", what);
  for (uint32_t i = 0; i < count; i++)
    if (value[i] == RANDOM_CASE_ANY)
      fprintf(to, " *");
    else
      fprintf(to, " %u", value[i]);
  fprintf(to, "\n");
}

static void print_edges(FILE *to, const char *what, const uint32_t (*edge)[2],
                        const uint32_t *relation, uint32_t count)
{
  fprintf(to, "  %s", what);
  for (uint32_t i = 0; i < count; i++) {
    fprintf(to, " %u-%u", edge[i][0], edge[i][1]);
    if (relation)
      fprintf(to, ":%s", relation[i] == RANDOM_CASE_ANY ? "*" : relation_name[relation[i]]);
  }
  fprintf(to, "\n");
}

void random_case_print(const random_case *c, FILE *to)
{
  fprintf(to, "  %s%s%s, %u vertices, %u edges; pattern of %u vertices, %u edges\n",
          c->typed ? "typed" : "plain", c->directed ? ", directed" : "",
          c->induced ? ", induced" : "", c->n, c->m, c->p, c->e);
  print_edges(to, "pattern", (const uint32_t(*)[2])c->pattern_edge, c->typed ? c->wants : NULL,
              c->e);
  if (c->colors > 1)
    print_vertices(to, "colours accepted", c->accepts, c->p);
  print_edges(to, "graph", (const uint32_t(*)[2])c->edge, c->typed ? c->relation : NULL, c->m);
  if (c->colors > 1)
    print_vertices(to, "colours", c->color, c->n);
}

/* ---- the library's objects ---------------------------------------------------------------- */

static void need(ms_status status, const ms_error *err)
{
  if (status == MS_OK)
    return;
  fprintf(stderr, "a case cannot be made: %s\n", err->message);
  exit(EXIT_FAILURE);
}

static void make_coloring(const random_case *c, const ms_graph *graph, ms_coloring **out)
{
  char text[RANDOM_CASE_COLORS][8];
  const char *name[RANDOM_CASE_COLORS];
  uint32_t pair[RANDOM_CASE_MOST_N][2];
  ms_error err = {0};
  for (uint32_t i = 0; i < RANDOM_CASE_COLORS; i++) {
    snprintf(text[i], sizeof text[i], "c%u", i);
    name[i] = text[i];
  }
  for (uint32_t v = 0; v < c->n; v++) {
    pair[v][0] = v;
    pair[v][1] = c->color[v];
  }
  need(ms_coloring_from_pairs(graph, c->n, (const uint32_t(*)[2])pair, c->colors, name, out, &err),
       &err);
}

void random_case_plain(const random_case *c, random_plain *out)
{
  ms_error err = {0};
  *out = (random_plain){0};
  need((c->directed ? ms_graph_from_arcs : ms_graph_from_edges)(
           c->n, c->m, (const uint32_t(*)[2])c->edge, NULL, &out->graph, &err),
       &err);
  if (c->colors > 1)
    make_coloring(c, out->graph, &out->coloring);
  need(ms_pattern_from_edges(c->p, c->e, (const uint32_t(*)[2])c->pattern_edge, c->directed, NULL,
                             &out->pattern, &err),
       &err);
  for (uint32_t i = 0; i < c->p; i++) {
    char text[16];
    snprintf(text, sizeof text, "c%u", c->accepts[i]);
    if (c->accepts[i] != RANDOM_CASE_ANY)
      need(ms_pattern_accept(out->pattern, i, text, &err), &err);
  }
}

void random_plain_free(random_plain *plain)
{
  ms_pattern_free(plain->pattern);
  ms_coloring_free(plain->coloring);
  ms_graph_free(plain->graph);
}

static void make_typed_graph(const random_case *c, ms_typed **out)
{
  static const char *const inverse[RELATIONS] = {NULL, NULL, "^r"};
  const char *kind[RANDOM_CASE_MOST_N];
  ms_error err = {0};
  for (uint32_t v = 0; v < c->n; v++)
    kind[v] = kind_name[c->color[v]];
  ms_typed_source source = {.n = c->n,
                            .vertex_type = kind,
                            .m = c->m,
                            .edges = (const uint32_t(*)[2])c->edge,
                            .edge_type = c->relation,
                            .n_relations = RELATIONS,
                            .relation = relation_name,
                            .inverse = inverse};
  need(ms_typed_from_edges(&source, 1, out, &err), &err);
}

void random_case_typed(const random_case *c, random_typed *out)
{
  ms_error err = {0};
  *out = (random_typed){0};
  make_typed_graph(c, &out->graph);
  need(ms_typed_pattern_new("(random)", &out->pattern, &err), &err);
  for (uint32_t i = 0; i < c->p; i++) {
    char name[16];
    uint32_t place;
    snprintf(name, sizeof name, "p%u", i);
    need(ms_typed_pattern_vertex(out->pattern, name, strlen(name), &place, &err), &err);
    if (c->accepts[i] != RANDOM_CASE_ANY)
      need(ms_typed_pattern_accept(out->pattern, place, kind_name[c->accepts[i]], 1, &err), &err);
  }
  for (uint32_t i = 0; i < c->e; i++) {
    bool any = c->wants[i] == RANDOM_CASE_ANY;
    need(ms_typed_pattern_join(out->pattern, c->pattern_edge[i][0], c->pattern_edge[i][1],
                               any ? MS_WAY_ANY : MS_WAY_ON, &err),
         &err);
    if (!any)
      need(ms_typed_pattern_accept_edge(out->pattern, relation_name[c->wants[i]], 1, &err), &err);
  }
  need(ms_typed_query_new(out->graph, out->pattern, &out->query, &err), &err);
}

void random_typed_free(random_typed *typed)
{
  ms_typed_query_free(typed->query);
  ms_typed_pattern_free(typed->pattern);
  ms_typed_free(typed->graph);
}
