/* The independent recount of pattern matches.  It places pattern vertex 0 on every vertex of the
 * graph, then vertex 1, and so on, and checks all placed vertices at each step.  A pattern vertex
 * next to an earlier one can only go to a neighbour of that one's image, so it tries only those. */
#include "verify/recount.h"

#include "base/status.h"
#include "verify/judge.h"

typedef struct mapper {
  ms_recount recount;
  const ms_judge *judge;
  uint32_t row[MS_MAX_PATTERN];
} mapper;

/* True if pattern vertex i can be placed on v while 0..i-1 stay where they are. */
static bool try_place(mapper *m, uint32_t i, uint32_t v)
{
  const ms_judge *judge = m->judge;
  if (!ms_judge_vertex_fits(judge, i, v))
    return false;
  for (uint32_t h = 0; h < i; h++)
    if (m->row[h] == v)
      return false;
  m->row[i] = v;
  for (uint32_t a = judge->pairs_from[i]; a < judge->pairs_from[i + 1]; a++)
    if (ms_judge_pair_row(judge, &judge->pair[a], m->row[judge->pair[a].first], v) != MS_MATCH_OK)
      return false;
  return true;
}

/* Returns the first pattern vertex before i that has an edge to it; i: there is none. */
static uint32_t earlier_neighbor(const ms_judge *judge, uint32_t i)
{
  for (uint32_t a = judge->pairs_from[i]; a < judge->pairs_from[i + 1]; a++)
    if (judge->pair[a].joined)
      return judge->pair[a].first;
  return i;
}

/* Counts all maps that begin with row[0..i).  The recursion is at most p deep. */
static void extend_map(mapper *m, uint32_t i)
{
  const ms_judge *judge = m->judge;
  const uint32_t *candidates = NULL; /* NULL: all vertices */
  uint64_t count = judge->n;
  if (i == judge->p) {
    ms_recount_match(&m->recount, m->row);
    return;
  }
  uint32_t anchor = earlier_neighbor(judge, i);
  if (anchor < i) {
    const uint64_t *offset = judge->offset + m->row[anchor];
    candidates = judge->neighbor + offset[0];
    count = offset[1] - offset[0];
  }
  for (uint64_t c = 0; c < count; c++) {
    uint32_t v = candidates ? candidates[c] : (uint32_t)c;
    bool repeated = candidates && c > 0 && candidates[c - 1] == v; /* a parallel edge */
    ms_recount_step(&m->recount);
    if (m->recount.over)
      return;
    if (!repeated && try_place(m, i, v))
      extend_map(m, i + 1);
  }
}

ms_status ms_judge_recount(const ms_judge *judge, mpz_t count, ms_found_fn found, void *user,
                           const ms_stop *stop, ms_error *err)
{
  if (judge->n_required > 0)
    return ms_recount_holding(judge, judge->required, judge->n_required, count, found, user, stop,
                              err);
  mapper m = {.recount.stop = stop, .judge = judge};
  ms_recount_begin(&m.recount, count, found, user);
  extend_map(&m, 0);
  return ms_recount_outcome(&m.recount, err);
}
