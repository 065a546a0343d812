/* The independent recount of pattern matches: pattern vertex 0 goes to every
 * vertex of the graph, then 1, and so on; what stands is checked at each step.
 * A pattern vertex next to an earlier one can only go to a neighbour of that
 * one's image, so only those are tried. */
#include "verify/pattern.h"

#include "base/alloc.h"
#include "base/status.h"
#include "verify/pattern_fit.h"
#include "verify/pattern_symmetry.h"
#include "verify/symmetry.h"

/* Steps between two looks at the stop token. */
#define POLL_STEPS 1024u

typedef struct mapper {
  const ms_graph *graph;
  const ms_pattern *pattern;
  bool induced;
  uint64_t *fits; /* as ms_pattern_fits */
  uint32_t row[MS_MAX_PATTERN];
  const ms_stop *stop;
  uint64_t steps;
  bool over;        /* found said so, or the token did */
  ms_status status; /* MS_OK or why it was stopped */
  mpz_ptr count;
  ms_pattern_found_fn found;
  void *user;
} mapper;

/* May pattern vertex i go to v, with 0..i-1 where they stand? */
static bool may_stand(const mapper *m, uint32_t i, uint32_t v)
{
  if (m->fits && !(m->fits[v] >> i & 1)) {
    return false;
  }
  for (uint32_t h = 0; h < i; h++) {
    if (m->row[h] == v) {
      return false;
    }
  }
  for (uint32_t h = 0; h < i; h++) {
    unsigned wanted = ms_pattern_wanted(m->pattern, h, i);
    if ((wanted || m->induced) && !ms_pattern_arcs_fit(m->pattern, m->induced, wanted,
                                                       ms_pattern_arcs(m->graph, m->row[h], v))) {
      return false;
    }
  }
  return true;
}

/* The first pattern vertex before i that has an edge to it; i: there is none. */
static uint32_t earlier_neighbor(const ms_pattern *pattern, uint32_t i)
{
  for (uint32_t h = 0; h < i; h++) {
    if (ms_pattern_wanted(pattern, h, i)) {
      return h;
    }
  }
  return i;
}

static void report(mapper *m)
{
  mpz_add_ui(m->count, m->count, 1);
  if (m->found && !m->found(m->user, m->row)) {
    m->over = true;
  }
}

static void poll(mapper *m)
{
  if (m->steps++ % POLL_STEPS == 0) {
    m->status = ms_stop_check(m->stop);
    m->over = m->over || m->status != MS_OK;
  }
}

/* All maps that begin with row[0..i).  Recursion is at most n deep. */
static void extend(mapper *m, uint32_t i)
{
  if (i == m->pattern->n) {
    report(m);
    return;
  }
  uint32_t anchor = earlier_neighbor(m->pattern, i), count = m->graph->n;
  const uint32_t *candidates =
      anchor < i ? ms_graph_neighbors(m->graph, m->row[anchor], &count) : NULL;
  for (uint32_t c = 0; c < count; c++) {
    uint32_t v = candidates ? candidates[c] : c;
    poll(m);
    if (m->over) {
      return;
    }
    if (may_stand(m, i, v)) {
      m->row[i] = v;
      extend(m, i + 1);
    }
  }
}

ms_status ms_pattern_recount(const ms_graph *graph, const ms_coloring *coloring,
                             const ms_pattern *pattern, bool induced, mpz_t embeddings,
                             ms_pattern_found_fn found, void *user, const ms_stop *stop,
                             ms_error *err)
{
  mapper m = {.graph = graph,
              .pattern = pattern,
              .induced = induced,
              .stop = stop,
              .count = embeddings,
              .found = found,
              .user = user};
  mpz_set_ui(embeddings, 0);
  ms_status status = ms_pattern_fits(graph, coloring, pattern, &m.fits, err);
  if (status != MS_OK) {
    return status;
  }
  extend(&m, 0);
  ms_free(m.fits);
  if (m.status != MS_OK) {
    return ms_fail(err, m.status, "the recount was stopped: %s; allow it more time",
                   ms_status_text(m.status));
  }
  return MS_OK;
}

ms_status ms_pattern_automorphisms(const ms_pattern *pattern, mpz_t order, const ms_stop *stop,
                                   ms_error *err)
{
  uint64_t orbit[MS_MAX_PATTERN];
  mpz_set_ui(order, 0);
  ms_status status = ms_pattern_orbits(pattern, orbit, stop, err);
  if (status != MS_OK) {
    return status;
  }
  ms_orbits_order(orbit, pattern->n, order);
  return MS_OK;
}
