#include "census/units.h"

#include "base/alloc.h"
#include "base/hooks.h"
#include "base/status.h"
#include "base/threads/parallel.h"
#include "base/threads/stop.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define OF_ROOT 16.0 /* work of a root itself */
#define RANGE 4096u  /* roots of a range of a loop */
/* A unit has at most this many times as many roots as the mean of all units, so that none becomes
 * heavy because the work of many roots is estimated too low. */
#define MANY_ROOTS 4.0
#define LEAST_ROOTS 64.0 /* bounds of the number of roots of a unit are at least this */
#define WORDS_BEGIN 64.0 /* work of comparing a row of bits, beside .. */
#define OF_WORD 16.0     /* .. one for so many vertices */

#define WANTED_UNITS 65536.0 /* about */

typedef struct maker {
  const ms_census_graph *graph;
  uint32_t k;
  const uint32_t *rank; /* [n] NULL: root r is rank r, and has a floor */
  double *further;      /* [n] mean number of further neighbours of a neighbour */
  double *work;         /* [n] of each root */
  double most;          /* work of a unit, about */
  ms_census_units *units;
  uint64_t room;
} maker;

static double degree_of(const ms_census_graph *g, uint32_t v)
{
  return (double)(g->offset[v + 1] - g->offset[v]);
}

static void find_further(void *user, ms_range r)
{
  maker *m = user;
  const ms_census_graph *g = m->graph;
  for (uint64_t v = r.begin; v < r.end; v++) {
    double sum = 0, degree = degree_of(g, (uint32_t)v);
    for (uint64_t a = g->offset[v]; a < g->offset[v + 1]; a++)
      sum += degree_of(g, g->neighbor[a]) - 1;
    m->further[v] = degree > 0 ? sum / degree : 0;
  }
}

/* Returns the number of forests of j vertices in x m-ary trees, j >= 0. */
static double count_forests(double x, double m, uint32_t j)
{
  double count = j > 0 ? x : 1;
  for (uint32_t t = 1; t < j; t++) {
    double factor = j * m + x - t;
    count *= (factor > 1 ? factor : 1) / (t + 1);
  }
  return count;
}

/* What the searches of a root have in common. */
typedef struct root_facts {
  uint32_t root;       /* a rank */
  uint32_t candidates; /* of it */
  double above;        /* the part of the neighbours of its candidates that may join */
} root_facts;

/* Returns the number of neighbours of u above a rank; rows descend. */
static uint32_t count_above(const ms_census_graph *g, uint32_t u, uint32_t rank)
{
  const uint32_t *row = g->neighbor + g->offset[u];
  uint64_t low = 0, high = g->offset[u + 1] - g->offset[u];
  while (low < high) {
    uint64_t middle = low + (high - low) / 2;
    if (row[middle] > rank)
      low = middle + 1;
    else
      high = middle;
  }
  return (uint32_t)low;
}

/* Ranks are numbers in breadth-first order, so that the neighbours of a vertex have ranks near its
 * own: which part of them is above the root depends on the place, and is measured there. */
static root_facts find_facts(const maker *m, uint32_t place)
{
  const ms_census_graph *g = m->graph;
  root_facts f = {m->rank ? m->rank[place] : place, 0, 1};
  uint64_t begin = g->offset[f.root], degrees = 0, above = 0;
  if (m->rank) {
    f.candidates = (uint32_t)(g->offset[f.root + 1] - begin);
    return f;
  }
  f.candidates = count_above(g, f.root, f.root);
  for (uint32_t i = 0; i < f.candidates; i++) {
    uint32_t u = g->neighbor[begin + i];
    degrees += g->offset[u + 1] - g->offset[u];
    above += count_above(g, u, f.root);
  }
  f.above = degrees > 0 ? (double)above / (double)degrees : 0;
  return f;
}

/* Estimates the work of the sets that begin with a root and its candidate number i. */
static double estimate_candidate(const maker *m, const root_facts *f, uint32_t i)
{
  const ms_census_graph *g = m->graph;
  uint32_t u = g->neighbor[g->offset[f->root] + i];
  double behind = f->candidates - 1.0 - i;
  double degree = m->rank ? degree_of(g, u) : count_above(g, u, f->root);
  double bits = WORDS_BEGIN + g->n / OF_WORD;
  if (m->k == 3)
    return 4 + (degree < bits ? degree : bits);
  double x = behind + degree, further = 0;
  if (x > 0)
    further = (behind * m->further[f->root] + degree * m->further[u]) / x * f->above;
  double of_set = 2 + (further < bits ? further : bits);
  return 4 + of_set * count_forests(x, further, m->k - 3);
}

static void estimate_roots(void *user, ms_range r)
{
  maker *m = user;
  for (uint64_t place = r.begin; place < r.end; place++) {
    root_facts f = find_facts(m, (uint32_t)place);
    double work = OF_ROOT + f.candidates;
    for (uint32_t i = 0; m->k > 2 && i < f.candidates; i++)
      work += estimate_candidate(m, &f, i);
    m->work[place] = work;
  }
}

static ms_status add_unit(maker *m, const ms_census_unit *unit, ms_error *err)
{
  ms_census_units *units = m->units;
  if (!MS_GROW(units->unit, m->room, units->count, 1))
    return ms_fail_memory(err, "the units of a census");
  units->unit[units->count++] = *unit;
  return MS_OK;
}

/* Cuts a root along its candidates.  Each piece makes all candidates of the root again, so it has
 * at least half as much work. */
static ms_status cut_root(maker *m, uint32_t place, ms_error *err)
{
  root_facts f = find_facts(m, place);
  double most = m->most < f.candidates / 2.0 ? f.candidates / 2.0 : m->most;
  ms_census_unit open = {.root = place, .roots = 1};
  for (uint32_t i = 0; i < f.candidates; i++) {
    open.work += estimate_candidate(m, &f, i);
    if (open.work < most && i + 1 < f.candidates)
      continue;
    /* the whole root is no piece; its last piece has all candidates behind the others */
    open.end = i + 1 < f.candidates ? i + 1 : UINT32_MAX;
    open.work += f.candidates;
    MS_TRY(add_unit(m, &open, err));
    open = (ms_census_unit){.root = place, .roots = 1, .begin = i + 1};
  }
  return MS_OK;
}

static ms_status cut_roots(maker *m, ms_error *err)
{
  ms_census_unit open = {.end = UINT32_MAX};
  double most_roots = fmax(LEAST_ROOTS, MANY_ROOTS * m->graph->n / WANTED_UNITS);
  for (uint32_t place = 0; place < m->graph->n; place++) {
    bool cut = m->work[place] > m->most && m->k > 2 && find_facts(m, place).candidates > 1;
    bool is_full = open.roots >= most_roots || open.work + m->work[place] > m->most;
    if (open.roots > 0 && (cut || is_full)) {
      MS_TRY(add_unit(m, &open, err));
      open = (ms_census_unit){.end = UINT32_MAX};
    }
    if (cut) {
      MS_TRY(cut_root(m, place, err));
      continue;
    }
    if (open.roots++ == 0)
      open.root = place;
    open.work += m->work[place];
  }
  return open.roots > 0 ? add_unit(m, &open, err) : MS_OK;
}

/* Heavy units come first.  Units whose work is of the same power of two come in the order of their
 * roots: sets around neighbouring roots have the same colours, whose numbers are in the cache. */
static int compare_units(const void *a, const void *b)
{
  const ms_census_unit *x = a, *y = b;
  int of_x = ilogb(x->work), of_y = ilogb(y->work);
  if (of_x != of_y)
    return of_x > of_y ? -1 : 1;
  if (x->root != y->root)
    return x->root < y->root ? -1 : 1;
  return x->begin < y->begin ? -1 : x->begin > y->begin;
}

static ms_status make(maker *m, int threads, ms_error *err)
{
  uint32_t n = m->graph->n;
  m->further = ms_alloc(n, sizeof *m->further);
  m->work = ms_alloc(n, sizeof *m->work);
  if (!m->further || !m->work)
    return ms_fail_memory(err, "the units of a census");
  ms_parallel(threads, n, RANGE, find_further, m);
  MS_TRY(ms_stop_poll("the work of a census is divided", err));
  ms_parallel(threads, n, RANGE, estimate_roots, m);
  MS_TRY(ms_stop_poll("the work of a census is divided", err));
  double all = 0;
  for (uint32_t place = 0; place < n; place++)
    all += m->work[place];
  m->most = all / WANTED_UNITS;
  m->most = m->most > ms_hooks.census_unit_work ? m->most : ms_hooks.census_unit_work;
  MS_TRY(cut_roots(m, err));
  if (!m->rank && m->units->count > 0)
    qsort(m->units->unit, m->units->count, sizeof *m->units->unit, compare_units);
  return MS_OK;
}

ms_status ms_census_units_of_vertices(const ms_census_graph *graph, uint32_t k,
                                      const uint32_t *rank, int threads, ms_census_units *units,
                                      ms_error *err)
{
  maker m = {.graph = graph, .k = k, .rank = rank, .units = units};
  *units = (ms_census_units){0};
  ms_status status = make(&m, threads, err);
  ms_free(m.further);
  ms_free(m.work);
  if (status != MS_OK)
    ms_census_units_free(units);
  return status;
}

ms_status ms_census_units_make(const ms_census_graph *graph, uint32_t k, int threads,
                               ms_census_units *units, ms_error *err)
{
  return ms_census_units_of_vertices(graph, k, NULL, threads, units, err);
}

/* ---- for one run ----------------------------------------------------------------------------- */

/* Returns about how much work the sets of a root with so many candidates and its candidate u are:
 * the candidates of both, to the power of the vertices that are added one by one. */
static double weigh_candidate(const maker *m, uint32_t candidates, uint32_t u)
{
  double x = candidates + degree_of(m->graph, u), work = x;
  for (uint32_t size = 4; size < m->k; size++)
    work *= x;
  return work;
}

static void weigh_roots(void *user, ms_range r)
{
  maker *m = user;
  const ms_census_graph *g = m->graph;
  for (uint64_t root = r.begin; root < r.end; root++) {
    uint32_t candidates = count_above(g, (uint32_t)root, (uint32_t)root);
    m->work[root] = OF_ROOT;
    for (uint32_t i = 0; i < candidates; i++)
      m->work[root] += weigh_candidate(m, candidates, g->neighbor[g->offset[root] + i]);
  }
}

static ms_status divide_root(maker *m, uint32_t root, ms_error *err)
{
  uint32_t candidates = count_above(m->graph, root, root);
  ms_census_unit open = {.root = root, .roots = 1};
  for (uint32_t i = 0; i < candidates; i++) {
    open.work += weigh_candidate(m, candidates, m->graph->neighbor[m->graph->offset[root] + i]);
    if (open.work < m->most && i + 1 < candidates)
      continue;
    open.end = i + 1;
    MS_TRY(add_unit(m, &open, err));
    open = (ms_census_unit){.root = root, .roots = 1, .begin = i + 1};
  }
  return MS_OK;
}

static ms_status divide_roots(maker *m, ms_error *err)
{
  ms_census_unit open = {.end = UINT32_MAX};
  double all = 0;
  for (uint32_t root = 0; root < m->graph->n; root++)
    all += m->work[root];
  m->most = fmax(all / WANTED_UNITS, ms_hooks.census_unit_work);
  for (uint32_t root = 0; root < m->graph->n; root++) {
    bool cut = m->work[root] > m->most;
    if (open.roots > 0 && (cut || open.work + m->work[root] > m->most)) {
      MS_TRY(add_unit(m, &open, err));
      open = (ms_census_unit){.end = UINT32_MAX};
    }
    if (cut) {
      MS_TRY(divide_root(m, root, err));
      continue;
    }
    if (open.roots++ == 0)
      open.root = root;
    open.work += m->work[root];
  }
  if (open.roots > 0)
    MS_TRY(add_unit(m, &open, err));
  if (m->units->count > 0)
    qsort(m->units->unit, m->units->count, sizeof *m->units->unit, compare_units);
  return MS_OK;
}

ms_status ms_census_units_divide(const ms_census_graph *graph, uint32_t k, int threads,
                                 ms_census_units *units, ms_error *err)
{
  maker m = {.graph = graph, .k = k, .units = units};
  *units = (ms_census_units){0};
  m.work = ms_alloc(graph->n, sizeof *m.work);
  if (!m.work)
    return ms_fail_memory(err, "the units of a census");
  ms_parallel(threads, graph->n, RANGE, weigh_roots, &m);
  ms_status status = divide_roots(&m, err);
  ms_free(m.work);
  if (status != MS_OK)
    ms_census_units_free(units);
  return status;
}

void ms_census_units_free(ms_census_units *units)
{
  ms_free(units->unit);
  *units = (ms_census_units){0};
}
