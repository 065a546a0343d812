/* The independent recount of typed matches: pattern vertex 0 goes to every
 * vertex of the graph, then 1, and so on; what stands is checked at each step.
 * A pattern vertex next to an earlier one can only go to a neighbour of that
 * one's image, so only those are tried. */
#include "verify/typed.h"

#include "base/alloc.h"
#include "base/status.h"
#include "verify/typed_fit.h"

/* Steps between two looks at the stop token. */
#define POLL_STEPS 1024u

typedef struct mapper {
  const ms_typed_query *query;
  const ms_typed_rows *rows;
  ms_typed_pairs pairs;
  uint32_t row[MS_MAX_PATTERN];
  const ms_stop *stop;
  uint64_t steps;
  bool over;        /* found said so, or the token did */
  ms_status status; /* MS_OK or why it was stopped */
  mpz_ptr count;
  ms_typed_found_fn found;
  void *user;
} mapper;

/* May pattern vertex i go to v, with 0..i-1 where they stand? */
static bool may_stand(mapper *m, uint32_t i, uint32_t v)
{
  if (!ms_typed_vertex_fits(m->query, i, v)) {
    return false;
  }
  for (uint32_t h = 0; h < i; h++) {
    if (m->row[h] == v) {
      return false;
    }
  }
  m->row[i] = v;
  for (uint32_t p = 0; p < m->pairs.count; p++) {
    const ms_typed_pair *pair = &m->pairs.pair[p];
    if (pair->second == i && !ms_typed_pair_served(m->rows, &m->pairs, p, m->row[pair->first], v)) {
      return false;
    }
  }
  return true;
}

/* The first pattern vertex before i that has an edge to it; i: there is none. */
static uint32_t earlier_neighbor(const mapper *m, uint32_t i)
{
  uint32_t earliest = i;
  for (uint32_t p = 0; p < m->pairs.count; p++) {
    const ms_typed_pair *pair = &m->pairs.pair[p];
    if (pair->second == i && pair->first < earliest) {
      earliest = pair->first;
    }
  }
  return earliest;
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
  if (i == m->query->n) {
    report(m);
    return;
  }
  uint32_t anchor = earlier_neighbor(m, i);
  const uint32_t *neighbor = NULL;
  uint64_t count = m->rows->n;
  if (anchor < i) {
    uint64_t first = m->rows->offset[m->row[anchor]];
    neighbor = m->rows->neighbor + first;
    count = m->rows->offset[m->row[anchor] + 1] - first;
  }
  for (uint64_t c = 0; c < count; c++) {
    uint32_t v = neighbor ? neighbor[c] : (uint32_t)c;
    bool repeated = neighbor && c > 0 && neighbor[c - 1] == v; /* a parallel edge */
    poll(m);
    if (m->over) {
      return;
    }
    if (!repeated && may_stand(m, i, v)) {
      extend(m, i + 1);
    }
  }
}

ms_status ms_typed_recount(const ms_typed_query *query, mpz_t embeddings, ms_typed_found_fn found,
                           void *user, const ms_stop *stop, ms_error *err)
{
  mpz_set_ui(embeddings, 0);
  mapper *m = ms_calloc(1, sizeof *m);
  if (!m) {
    return ms_fail_memory(err, "the recount of typed matches");
  }
  m->query = query;
  m->rows = &query->graph->rows;
  m->stop = stop;
  m->count = embeddings;
  m->found = found;
  m->user = user;
  ms_typed_list_pairs(query, &m->pairs);
  extend(m, 0);
  ms_status status = m->status;
  ms_free(m);
  if (status != MS_OK) {
    return ms_fail(err, status, "the recount was stopped: %s; allow it more time",
                   ms_status_text(status));
  }
  return MS_OK;
}
