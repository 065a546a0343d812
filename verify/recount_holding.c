/* The recount of the maps of a pattern that hold given vertices of the graph, in the manner of
 * recount.c.  It places the given vertices first, each on every pattern vertex in turn, and then
 * the other pattern vertices: the one of the lowest number that is next to a placed one, if there
 * is any.  All placed vertices are checked at each step.  Maps that place the given vertices
 * differently differ, so no map is found twice. */
#include "verify/recount.h"

#include "base/status.h"
#include "verify/judge.h"

#include <string.h>

typedef struct holder {
  ms_recount recount;
  const ms_judge *judge;
  const uint32_t *given; /* [n_given] */
  uint32_t n_given;
  uint32_t row[MS_MAX_PATTERN];
  bool placed[MS_MAX_PATTERN];
  uint32_t n_placed;
} holder;

/* Places pattern vertex i on v, if that suits all placed vertices. */
static bool place(holder *h, uint32_t i, uint32_t v)
{
  const ms_judge *judge = h->judge;
  if (!ms_judge_vertex_fits(judge, i, v))
    return false;
  for (uint32_t j = 0; j < judge->p; j++)
    if (h->placed[j] && h->row[j] == v)
      return false;
  h->row[i] = v;
  h->placed[i] = true;
  for (uint32_t a = 0; a < judge->pairs; a++) {
    const ms_judge_pair *pair = &judge->pair[a];
    if ((pair->first == i || pair->second == i) && h->placed[pair->first] &&
        h->placed[pair->second] &&
        ms_judge_pair_row(judge, pair, h->row[pair->first], h->row[pair->second]) != MS_MATCH_OK) {
      h->placed[i] = false;
      return false;
    }
  }
  h->n_placed++;
  return true;
}

static void take_back(holder *h, uint32_t i)
{
  h->placed[i] = false;
  h->n_placed--;
}

/* Finds the vertex that comes next; *anchor receives a placed neighbour of it, or p. */
static uint32_t find_next(const holder *h, uint32_t *anchor)
{
  const ms_judge *judge = h->judge;
  uint32_t next = judge->p;
  *anchor = judge->p;
  for (uint32_t a = 0; a < judge->pairs; a++) {
    const ms_judge_pair *pair = &judge->pair[a];
    if (!pair->joined || h->placed[pair->first] == h->placed[pair->second])
      continue;
    uint32_t free = h->placed[pair->first] ? pair->second : pair->first;
    if (free < next) {
      next = free;
      *anchor = free == pair->first ? pair->second : pair->first;
    }
  }
  for (uint32_t i = 0; i < judge->p && next == judge->p; i++)
    next = h->placed[i] ? next : i;
  return next;
}

/* Finds all maps with the vertices placed so far.  The recursion is at most p deep. */
static void extend(holder *h)
{
  const ms_judge *judge = h->judge;
  const uint32_t *candidates = NULL; /* NULL: all vertices */
  uint64_t count = judge->n;
  uint32_t anchor;
  if (h->n_placed == judge->p) {
    ms_recount_match(&h->recount, h->row);
    return;
  }
  uint32_t i = find_next(h, &anchor);
  if (anchor < judge->p) {
    const uint64_t *offset = judge->offset + h->row[anchor];
    candidates = judge->neighbor + offset[0];
    count = offset[1] - offset[0];
  }
  for (uint64_t c = 0; c < count; c++) {
    uint32_t v = candidates ? candidates[c] : (uint32_t)c;
    bool repeated = candidates && c > 0 && candidates[c - 1] == v; /* a parallel edge */
    ms_recount_step(&h->recount);
    if (h->recount.over)
      return;
    if (repeated || !place(h, i, v))
      continue;
    extend(h);
    take_back(h, i);
  }
}

/* Places the given vertices from the g-th on, and then all others. */
static void place_given(holder *h, uint32_t g)
{
  if (g == h->n_given) {
    extend(h);
    return;
  }
  for (uint32_t i = 0; i < h->judge->p; i++) {
    ms_recount_step(&h->recount);
    if (h->recount.over)
      return;
    if (h->placed[i] || !place(h, i, h->given[g]))
      continue;
    place_given(h, g + 1);
    take_back(h, i);
  }
}

ms_status ms_recount_holding(const ms_judge *judge, const uint32_t *given, uint32_t n_given,
                             mpz_t count, ms_found_fn found, void *user, const ms_stop *stop,
                             ms_error *err)
{
  holder h = {.recount.stop = stop, .judge = judge, .given = given, .n_given = n_given};
  ms_recount_begin(&h.recount, count, found, user);
  place_given(&h, 0);
  return ms_recount_outcome(&h.recount, err);
}

/* ---- one map --------------------------------------------------------------------------- */

static bool keep_row(void *user, const uint32_t *row)
{
  holder *kept = user;
  memcpy(kept->row, row, kept->judge->p * sizeof *row);
  return false;
}

ms_status ms_judge_find(const ms_judge *judge, uint32_t v, bool *yes, uint32_t *row,
                        const ms_stop *stop, ms_error *err)
{
  uint32_t given[MS_MAX_K + 1], n = judge->n_required;
  holder kept = {.judge = judge};
  mpz_t count;
  bool again = false;
  memcpy(given, judge->required, n * sizeof *given);
  for (uint32_t i = 0; i < n; i++)
    again = again || given[i] == v;
  if (!again)
    given[n++] = v;
  mpz_init(count);
  ms_status status = ms_recount_holding(judge, given, n, count, keep_row, &kept, stop, err);
  *yes = mpz_sgn(count) > 0;
  if (*yes && row)
    memcpy(row, kept.row, judge->p * sizeof *row);
  mpz_clear(count);
  return status;
}
