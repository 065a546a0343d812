#include "run/require.h"

#include "base/alloc.h"
#include "base/ascending.h"
#include "base/status.h"
#include "base/threads/stop.h"
#include "graph/graph.h"
#include "graph/suggest.h"
#include "graph/typed.h"
#include "plan/automorphisms.h"

#include <string.h>

/* ---- names ----------------------------------------------------------------------- */

static ms_status add_vertex(ms_required *required, uint32_t v, const char *name,
                            const ms_names *names, const char *path, uint32_t p, ms_error *err)
{
  uint32_t at = 0;
  if (v == MS_NO_ID)
    return ms_fail_required(names, path, name, err);
  while (at < required->n && required->vertex[at] < v)
    at++;
  if (at < required->n && required->vertex[at] == v)
    return MS_OK;
  if (required->n == p)
    return ms_fail(err, MS_ERR_USAGE,
                   "more required vertices than the %u vertices of the pattern; require fewer", p);
  memmove(&required->vertex[at + 1], &required->vertex[at],
          (required->n - at) * sizeof required->vertex[0]);
  required->vertex[at] = v;
  required->n++;
  return MS_OK;
}

ms_status ms_required_check(const char *const *required, uint32_t n, ms_error *err)
{
  MS_REQUIRE_ARRAY(required, n, err);
  if (n > MS_MAX_K)
    return ms_fail(err, MS_ERR_USAGE, "%u vertices are required, and at most %u can be", n,
                   MS_MAX_K);
  for (uint32_t i = 0; i < n; i++)
    MS_REQUIRE(required[i], err);
  return MS_OK;
}

ms_status ms_required_find(const ms_graph *graph, const char *const *names, uint32_t n, uint32_t p,
                           ms_required *out, ms_error *err)
{
  out->n = 0;
  for (uint32_t i = 0; i < n; i++)
    MS_TRY(add_vertex(out, ms_graph_find(graph, names[i]), names[i], graph->names, graph->path, p,
                      err));
  return MS_OK;
}

ms_status ms_required_find_typed(const ms_typed *graph, const char *const *names, uint32_t n,
                                 uint32_t p, ms_required *out, ms_error *err)
{
  out->n = 0;
  for (uint32_t i = 0; i < n; i++)
    MS_TRY(add_vertex(out, ms_typed_find(graph, names[i]), names[i], graph->names, graph->path, p,
                      err));
  return MS_OK;
}

/* ---- symmetry -------------------------------------------------------------------- */

static uint8_t root_of(const uint8_t *orbit, uint8_t v)
{
  while (orbit[v] != v)
    v = orbit[v];
  return v;
}

ms_status ms_shape_orbits(const ms_shape *shape, uint8_t *orbit, ms_error *err)
{
  ms_group *group;
  MS_TRY(ms_group_new(shape, NULL, ms_bitset_all(), &group, err));
  for (uint32_t v = 0; v < shape->n; v++)
    orbit[v] = (uint8_t)v;
  /* the automorphisms that the chain stores generate the group */
  for (uint32_t level = 0; level < shape->n; level++) {
    if (!group->move[level])
      continue;
    MS_EACH_MEMBER (x, group->orbit[level]) {
      const uint8_t *move = group->move[level][x];
      for (uint32_t v = 0; v < shape->n; v++) {
        uint8_t a = root_of(orbit, (uint8_t)v), b = root_of(orbit, move[v]);
        orbit[a > b ? a : b] = a > b ? b : a;
      }
    }
  }
  for (uint32_t v = 0; v < shape->n; v++)
    orbit[v] = root_of(orbit, (uint8_t)v);
  ms_group_free(group);
  return MS_OK;
}

void ms_shape_set_apart(ms_shape *shape, uint32_t v)
{
  uint32_t most = MS_KIND_ANY;
  for (uint32_t u = 0; u < shape->n; u++)
    most = shape->kind[u] > most ? shape->kind[u] : most;
  shape->kind[v] = most + 1;
}

/* ---- distances ------------------------------------------------------------------- */

/* A distance of this many edges or more, or no path at all. */
#define FAR 255

typedef struct placing {
  const ms_required *required;
  const ms_domains *given;
  const ms_stop *stop;
  bool all;
  ms_placed_fn each;
  void *user;
  uint32_t id[MS_MAX_K];                         /* [required] index ids */
  uint8_t between[MS_MAX_K][MS_MAX_K];           /* edges between required vertices */
  uint8_t apart[MS_MAX_PATTERN][MS_MAX_PATTERN]; /* edges between pattern vertices */
  uint8_t place[MS_MAX_K];                       /* [placed] */
  ms_shape shape;                                /* its kinds set the places apart */
  ms_domains domains;                            /* of one choice of places */
  size_t words;
  uint64_t *store; /* [pattern vertices][words] the bits of the domains that are narrowed */
  uint64_t *reach; /* [words] */
  mpz_t orbit;
} placing;

static bool is_near(const ms_shape *shape, uint32_t u, uint32_t w)
{
  return ms_bitset_has(&shape->out[u], w) || ms_bitset_has(&shape->in[u], w);
}

/* Finds the distances in the pattern (Floyd and Warshall). */
static void measure_pattern(placing *p, const ms_shape *shape)
{
  uint32_t n = shape->n;
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t j = 0; j < n; j++)
      p->apart[i][j] = i == j ? 0 : is_near(shape, i, j) ? 1 : FAR;
  for (uint32_t k = 0; k < n; k++)
    for (uint32_t i = 0; i < n; i++)
      for (uint32_t j = 0; j < n; j++)
        if (p->apart[i][k] + p->apart[k][j] < p->apart[i][j])
          p->apart[i][j] = (uint8_t)(p->apart[i][k] + p->apart[k][j]);
}

/* The kinds of rows that hold all edges that a pattern edge may use: first <= kind < last. */
static void kinds_of_edges(const ms_pattern_index *index, uint32_t *first, uint32_t *last)
{
  bool relations = !index->graph;
  *first = relations ? MS_ROWS_ANY + 1 : MS_ROWS_ANY;
  *last = relations ? index->kinds : MS_ROWS_ANY + 1;
}

/* Finds the distances from one required vertex to the others, by breadth-first search. */
static void measure_graph(placing *p, uint32_t from, uint32_t p_vertices, uint8_t *distance,
                          uint32_t *queue)
{
  const ms_pattern_index *index = p->given->index;
  uint32_t head = 0, tail = 0, first, last;
  kinds_of_edges(index, &first, &last);
  memset(distance, FAR, index->n);
  distance[p->id[from]] = 0;
  queue[tail++] = p->id[from];
  /* no pattern is longer, and each vertex enters the queue once, since its distance is below FAR */
  uint32_t most = p_vertices - 1 < FAR - 1 ? p_vertices - 1 : FAR - 1;
  while (head < tail && distance[queue[head]] < most) {
    uint32_t v = queue[head++];
    for (uint32_t kind = first; kind < last; kind++) {
      uint32_t length;
      const uint32_t *row = ms_row(&index->rows[kind], v, &length);
      for (uint32_t i = 0; i < length; i++)
        if (distance[row[i]] == FAR) {
          distance[row[i]] = (uint8_t)(distance[v] + 1);
          queue[tail++] = row[i];
        }
    }
  }
  for (uint32_t i = 0; i < p->required->n; i++)
    p->between[from][i] = distance[p->id[i]];
}

static ms_status measure(placing *p, const ms_shape *shape, ms_error *err)
{
  uint32_t n = p->given->index->n;
  measure_pattern(p, shape);
  if (p->required->n < 2)
    return MS_OK;
  uint8_t *distance = ms_alloc(n, sizeof *distance);
  uint32_t *queue = ms_alloc(n, sizeof *queue);
  for (uint32_t i = 0; distance && queue && i < p->required->n; i++)
    measure_graph(p, i, shape->n, distance, queue);
  bool ok = distance && queue;
  ms_free(distance);
  ms_free(queue);
  return ok ? MS_OK : ms_fail_memory(err, "distances of required vertices");
}

/* ---- narrowing ------------------------------------------------------------------- */

/* Returns the rows of candidates of u that lead to candidates of w, which are neighbours. */
static const ms_neighbor_rows *rows_between(const ms_pattern_index *index, const ms_shape *shape,
                                            uint32_t u, uint32_t w)
{
  if (shape->label)
    return &index->rows[shape->label[u][w]];
  return ms_index_rows(index, shape, ms_bitset_has(&shape->out[u], w) ? MS_ROWS_OUT : MS_ROWS_IN);
}

/* Sets `reach` to the neighbours of the domain's vertices.  Gives up, with false, before more than
 * *left entries of rows are read. */
static bool find_reach(placing *p, const ms_domain *domain, const ms_neighbor_rows *rows,
                       uint64_t *left)
{
  memset(p->reach, 0, p->words * sizeof *p->reach);
  for (uint32_t v = domain->lo; v < domain->hi; v++) {
    uint32_t length;
    const uint32_t *row = ms_row(rows, v, &length);
    if (!ms_domain_has(domain, v))
      continue;
    if (length + 1u > *left)
      return false;
    *left -= length + 1u;
    for (uint32_t i = 0; i < length; i++)
      p->reach[row[i] / 64] |= UINT64_C(1) << row[i] % 64;
  }
  return true;
}

/* Narrows the domains along the pattern's edges, breadth first from the places.  It reads at most
 * as many entries of rows as the graph has, because a search that reaches most of the graph gains
 * nothing from this.  Returns false if a domain is empty. */
static bool narrow(placing *p, const ms_shape *shape)
{
  const ms_pattern_index *index = p->given->index;
  ms_domains *d = &p->domains;
  ms_bitset queued = {0}, used = {0};
  uint64_t left = index->arcs + index->n;
  uint8_t queue[MS_MAX_PATTERN];
  uint32_t tail = 0;
  *d = *p->given;
  d->implied = false;
  d->store = p->store;
  for (uint32_t i = 0; i < p->required->n; i++) {
    queue[tail++] = p->place[i];
    ms_bitset_add(&queued, p->place[i]);
    d->of[p->place[i]] = (ms_domain){.lo = p->id[i], .hi = p->id[i] + 1, .count = 1};
  }
  for (uint32_t head = 0; head < tail; head++) {
    uint32_t u = queue[head];
    ms_bitset near = ms_bitset_minus(ms_shape_near(shape, u), used);
    MS_EACH_MEMBER (w, near) {
      if (!find_reach(p, &d->of[u], rows_between(index, shape, u, w), &left))
        return true;
      ms_domain_meet(&d->of[w], p->reach, p->store + w * p->words, p->words);
      if (d->of[w].count == 0)
        return false;
      if (!ms_bitset_has(&queued, w))
        queue[tail++] = (uint8_t)w;
      ms_bitset_add(&queued, w);
    }
    ms_bitset_add(&used, u); /* its edges have been used in one direction, which is enough */
  }
  return true;
}

/* ---- places ---------------------------------------------------------------------- */

/* True if the distances allow required vertex i at u beside those before it. */
static bool suits(const placing *p, const ms_shape *shape, uint32_t i, uint32_t u)
{
  if (!ms_domain_has(&p->given->of[u], p->id[i]))
    return false;
  for (uint32_t h = 0; h < i; h++) {
    uint32_t w = p->place[h];
    bool near = is_near(shape, u, w);
    if (w == u || p->between[h][i] > p->apart[w][u] ||
        (shape->induced && !shape->label && !near && p->between[h][i] == 1))
      return false;
  }
  return true;
}

static ms_status finish_places(placing *p, const ms_shape *shape, ms_error *err)
{
  if (!narrow(p, shape))
    return MS_OK;
  return p->each(p->user, &(ms_placed){shape, &p->domains, p->orbit}, err);
}

/* Places the required vertices from the i-th on.  `shape` sets the places before it apart. */
static ms_status place_from(placing *p, ms_shape *shape, uint32_t i, ms_error *err)
{
  uint8_t orbit[MS_MAX_PATTERN];
  if (i == p->required->n)
    return finish_places(p, shape, err);
  MS_TRY(ms_stop_check(p->stop));
  if (!p->all)
    MS_TRY(ms_shape_orbits(shape, orbit, err));
  for (uint32_t u = 0; u < shape->n; u++) {
    if ((!p->all && orbit[u] != u) || !suits(p, shape, i, u))
      continue;
    unsigned long size = 0;
    for (uint32_t w = 0; w < shape->n; w++)
      size += !p->all && orbit[w] == u;
    uint32_t kind = shape->kind[u];
    ms_shape_set_apart(shape, u);
    p->place[i] = (uint8_t)u;
    if (!p->all)
      mpz_mul_ui(p->orbit, p->orbit, size);
    ms_status status = place_from(p, shape, i + 1, err);
    shape->kind[u] = kind;
    if (!p->all)
      mpz_divexact_ui(p->orbit, p->orbit, size);
    if (status != MS_OK)
      return status;
  }
  return MS_OK;
}

/* Finds the ids of the required vertices; false if the index lacks one of them. */
static bool find_ids(placing *p)
{
  const ms_pattern_index *index = p->given->index;
  for (uint32_t i = 0; i < p->required->n; i++) {
    uint32_t v = p->required->vertex[i];
    if (index->id) {
      p->id[i] = index->id[v];
      continue;
    }
    /* ids ascend by vertex (match/typed/relations.h) */
    p->id[i] = (uint32_t)ms_first_at_least(index->vertex, index->n, v);
    if (p->id[i] == index->n || index->vertex[p->id[i]] != v)
      return false;
  }
  return true;
}

static ms_status place_all(placing *p, ms_error *err)
{
  if (!find_ids(p))
    return MS_OK;
  mpz_init_set_ui(p->orbit, 1);
  ms_status status = measure(p, &p->shape, err);
  if (status == MS_OK)
    status = place_from(p, &p->shape, 0, err);
  mpz_clear(p->orbit);
  return status;
}

ms_status ms_required_place(const ms_required *required, const ms_shape *shape,
                            const ms_domains *domains, bool all, const ms_stop *stop,
                            ms_placed_fn each, void *user, ms_error *err)
{
  size_t words = ((size_t)domains->index->n + 63) / 64;
  placing *p = ms_calloc(1, sizeof *p); /* too large for the stack */
  uint64_t *store = ms_alloc(words * (shape->n + 1), sizeof *store);
  ms_status status = p && store ? MS_OK : ms_fail_memory(err, "domains of pattern vertices");
  if (status == MS_OK) {
    *p = (placing){.required = required,
                   .given = domains,
                   .stop = stop,
                   .all = all,
                   .each = each,
                   .user = user,
                   .shape = *shape,
                   .words = words,
                   .store = store,
                   .reach = store + words * shape->n};
    status = place_all(p, err);
  }
  ms_free(store);
  ms_free(p);
  return status;
}
