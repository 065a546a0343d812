/* Makes a judge, which checks rows (judge_row.c).  What depends on the graph and the pattern alone
 * is looked up beforehand: which vertices fit where, which pairs must be checked, and which pairs
 * show whether the row is the smallest of its class. */
#include "verify/judge.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/stop.h"

#include <string.h>

/* Fewer rows are checked one by one. */
#define MANY_ROWS 8u

const char *ms_verdict_text(ms_verdict verdict)
{
  switch (verdict) {
  case MS_MATCH_OK:
    return "is a match";
  case MS_MATCH_REPEATS_VERTEX:
    return "repeats a vertex";
  case MS_MATCH_OUT_OF_RANGE:
    return "holds a vertex that is not in the graph";
  case MS_MATCH_NOT_CONNECTED:
    return "is not connected";
  case MS_MATCH_COLORS_DO_NOT_FIT:
    return "does not fit the motif's colours";
  case MS_MATCH_LACKS_REQUIRED:
    return "lacks a required vertex";
  case MS_MATCH_WRONG_COLOR:
    return "holds a vertex whose colour the pattern does not accept there";
  case MS_MATCH_WRONG_TYPE:
    return "holds a vertex whose type the pattern does not accept there";
  case MS_MATCH_LACKS_EDGE:
    return "lacks an edge of the pattern";
  case MS_MATCH_EXTRA_EDGE:
    return "has an edge where the pattern has none, and is to be induced";
  case MS_MATCH_NOT_SMALLEST:
    return "is not the smallest of the rows that the pattern's symmetry makes of it";
  }
  return "has an unknown verdict";
}

ms_verdict ms_judge_row(const ms_judge *judge, const uint32_t *row)
{
  return judge->row(judge, row);
}

uint64_t ms_judge_rows(const ms_judge *judge, const uint32_t *rows, uint64_t count)
{
  uint32_t width = judge->recents ? judge->p : judge->query->motif->k;
  bool many = judge->known && count >= MANY_ROWS;
  uint64_t fine = many ? ms_judge_maps(judge, rows, count) : 0;
  while (fine < count && judge->row(judge, rows + fine * width) == MS_MATCH_OK)
    fine++;
  return fine;
}

void ms_judge_lend(ms_judge *judge, ms_budget *budget)
{
  if (judge->known)
    judge->known->budget = budget;
}

/* ---- making one ---------------------------------------------------------------------- */

void ms_judge_add_pair(ms_judge *judge, ms_judge_pair pair)
{
  judge->pair[judge->pairs++] = pair;
  for (uint32_t i = pair.second + 1u; i <= judge->p; i++)
    judge->pairs_from[i] = (uint16_t)judge->pairs;
}

/* True if row[i] < row[m] and row[m] < row[j] are both demanded for some m. */
static bool is_implied(const ms_bitset *orbit, uint32_t i, uint32_t j)
{
  uint32_t m = i + 1;
  while (m < j && !(ms_bitset_has(&orbit[i], m) && ms_bitset_has(&orbit[m], j)))
    m++;
  return m < j;
}

ms_status ms_judge_finish(ms_judge *judge, bool subgraphs, ms_error *err)
{
  ms_bitset orbit[MS_MAX_PATTERN] = {{{0}}};
  judge->row = ms_judge_map;
  MS_TRY(ms_recents_new(&judge->recents, err));
  if (subgraphs)
    MS_TRY(ms_kinds_orbits(&judge->kinds, orbit, ms_stop_current(), err));
  for (uint32_t i = 0; i < judge->p; i++)
    for (uint32_t j = i + 1; j < judge->p; j++)
      if (ms_bitset_has(&orbit[i], j) && !is_implied(orbit, i, j)) {
        judge->smaller[judge->ordered][0] = (uint8_t)i;
        judge->smaller[judge->ordered++][1] = (uint8_t)j;
      }
  return MS_OK;
}

void ms_judge_require(ms_judge *judge, uint32_t count, const uint32_t *vertex)
{
  judge->n_required = count;
  memcpy(judge->required, vertex, count * sizeof *vertex);
}

void ms_judge_free(ms_judge *judge)
{
  if (!judge)
    return;
  ms_recents_free(judge->recents);
  if (judge->known)
    ms_known_arcs_free(judge->known);
  ms_free(judge->known);
  ms_free(judge->mask);
  ms_free(judge);
}

ms_status ms_judge_automorphisms(const ms_judge *judge, mpz_t order, const ms_stop *stop,
                                 ms_error *err)
{
  ms_bitset orbit[MS_MAX_PATTERN];
  mpz_set_ui(order, 0);
  MS_TRY(ms_kinds_orbits(&judge->kinds, orbit, stop, err));
  mpz_set_ui(order, 1);
  for (uint32_t i = 0; i < judge->p; i++)
    mpz_mul_ui(order, order, ms_bitset_count(orbit[i]));
  return MS_OK;
}
