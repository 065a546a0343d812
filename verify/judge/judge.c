/* Makes a judge, which checks rows (judge_row.c).  What depends on the graph and the pattern alone
 * is looked up beforehand: which vertices fit where, which pairs must be checked, and which pairs
 * show whether the row is the smallest of its class. */
#include "verify/judge/judge.h"

#include "base/alloc.h"
#include "base/compiler.h"
#include "base/status.h"
#include "base/threads/stop.h"

#include <string.h>

/* ---- rows ------------------------------------------------------------------------------------ */

/* Checks many rows of a plain pattern, a block at a time.
 *
 * Every row is checked as by itself: each vertex, each pair, the order within the class.  Only the
 * order of the checks is another one.  For each pair of pattern vertices, the arcs between the two
 * vertices of all rows of a block are looked up together, among those that some thread has found
 * before (known_arcs.h).  Where they are in memory is asked for while the pair before is checked,
 * since rows of a GPU come from many places of the graph, and mostly nothing of it is in a cache.
 *
 * A block says only that all of its rows are matches.  Which row is none, and why, is for the judge
 * of one row (judge_row.c). */

/* Rows of a block. */
#define BLOCK 64u

/* Checks each vertex by itself, and that none occurs twice. */
static bool vertices_fit(const ms_judge *judge, const uint32_t *rows, uint64_t count)
{
  const uint32_t p = judge->p, n = judge->n;
  unsigned wrong = 0; /* without branches until the end */
  for (uint64_t r = 0; r < count; r++, rows += p)
    for (uint32_t i = 0; i < p; i++) {
      wrong |= rows[i] >= n;
      for (uint32_t h = 0; h < i; h++)
        wrong |= rows[h] == rows[i];
    }
  return wrong == 0;
}

/* Checks colours, of vertices that are in the graph. */
static bool colors_fit(const ms_judge *judge, const uint32_t *rows, uint64_t count)
{
  bool fit = true;
  for (uint64_t r = 0; judge->mask && r < count; r++, rows += judge->p)
    for (uint32_t i = 0; i < judge->p; i++)
      fit = fit && ms_judge_vertex_fits(judge, i, rows[i]);
  return fit;
}

/* Checks that each row is the smallest of its class, as far as this is demanded. */
static bool are_smallest(const ms_judge *judge, const uint32_t *rows, uint64_t count)
{
  unsigned wrong = 0;
  for (uint32_t o = 0; o < judge->ordered; o++) {
    const uint32_t *first = rows + judge->smaller[o][0], *second = rows + judge->smaller[o][1];
    for (uint64_t r = 0; r < count; r++, first += judge->p, second += judge->p)
      wrong |= *first > *second;
  }
  return wrong == 0;
}

static bool hold_required(const ms_judge *judge, const uint32_t *rows, uint64_t count)
{
  for (uint64_t r = 0; judge->n_required > 0 && r < count; r++, rows += judge->p)
    for (uint32_t i = 0; i < judge->n_required; i++)
      if (!ms_judge_holds(judge, rows, judge->required[i]))
        return false;
  return true;
}

/* ---- pairs ------------------------------------------------------------------------------ */

/* Asks for where the arcs of a pair are, for all rows; mixed[count]. */
static void fetch_pair(const ms_judge *judge, ms_arc_places *place, const ms_judge_pair *pair,
                       const uint32_t *rows, uint64_t count, uint64_t *mixed)
{
  const ms_arcs_shape shape = judge->known->shape;
  const uint32_t *first = rows + pair->first, *second = rows + pair->second;
  for (uint64_t r = 0; r < count; r++, first += judge->p, second += judge->p) {
    uint32_t v = *first, w = *second;
    mixed[r] = ms_arcs_mix(shape, v < w ? v : w, v < w ? w : v);
    ms_arcs_fetch(shape, place, mixed[r]);
  }
}

/* Searches for the arcs in the graph. */
MS_SELDOM unsigned look_up(const ms_judge *judge, ms_arc_places *bucket, uint64_t mixed,
                           uint32_t low, uint32_t high)
{
  unsigned arcs = ms_judge_find_arcs(judge, low, high);
  ms_known_arcs_put(judge->known->shape, bucket, mixed, arcs);
  return arcs;
}

/* Checks the arcs of a pair in all rows. */
static bool pair_fits(const ms_judge *judge, ms_arc_places *place, const ms_judge_pair *pair,
                      const uint32_t *rows, uint64_t count, const uint64_t *mixed)
{
  const ms_arcs_shape shape = judge->known->shape;
  const uint32_t *first = rows + pair->first, *second = rows + pair->second, fits = pair->fits;
  unsigned fine = 1;
  for (uint64_t r = 0; r < count; r++, first += judge->p, second += judge->p) {
    uint32_t v = *first, w = *second, turned = v > w;
    ms_arc_places *bucket = ms_arcs_bucket(shape, place, mixed[r]);
    unsigned arcs = ms_arcs_find(bucket, ms_arcs_tag(shape, mixed[r]));
    if (arcs > 3)
      arcs = look_up(judge, bucket, mixed[r], turned ? w : v, turned ? v : w);
    arcs = arcs >> turned | (arcs & turned) << 1;
    fine &= fits >> arcs;
  }
  return fine & 1;
}

static bool pairs_fit(const ms_judge *judge, ms_arc_places *place, const uint32_t *rows,
                      uint64_t count)
{
  uint64_t mixed[2][BLOCK];
  bool fit = true;
  if (judge->pairs > 0)
    fetch_pair(judge, place, &judge->pair[0], rows, count, mixed[0]);
  for (uint32_t i = 0; fit && i < judge->pairs; i++) {
    if (i + 1 < judge->pairs)
      fetch_pair(judge, place, &judge->pair[i + 1], rows, count, mixed[(i + 1) % 2]);
    fit = pair_fits(judge, place, &judge->pair[i], rows, count, mixed[i % 2]);
  }
  return fit;
}

/* ---- filling ------------------------------------------------------------------------------ */

/* Returns the vertex whose row has entry e. */
static uint32_t row_with(const ms_judge *judge, uint64_t e)
{
  uint32_t v = 0, left = judge->n;
  while (left > 1) {
    uint32_t half = left / 2;
    v = judge->offset[v + half] <= e ? v + half : v;
    left -= half;
  }
  return v;
}

/* Puts edges [begin, end) of the row of v, at most a block, into the table, each from its smaller
 * vertex. */
static void put_edges(const ms_judge *judge, ms_arc_places *place, uint32_t v, uint64_t begin,
                      uint64_t end)
{
  const ms_arcs_shape shape = judge->known->shape;
  const uint32_t *neighbor = judge->neighbor;
  for (uint64_t e = begin; e < end; e++)
    if (neighbor[e] > v)
      ms_arcs_fetch(shape, place, ms_arcs_mix(shape, v, neighbor[e]));
  for (uint64_t e = begin; e < end; e++)
    if (neighbor[e] > v) {
      uint64_t mixed = ms_arcs_mix(shape, v, neighbor[e]);
      ms_known_arcs_put(shape, ms_arcs_bucket(shape, place, mixed), mixed,
                        judge->direction ? judge->direction[e] : 3);
    }
}

/* Puts some edges that no thread has put into the table yet. */
static void fill_some(const ms_judge *judge, ms_arc_places *place)
{
  uint64_t end, stop, e = ms_known_arcs_slice(judge->known, &end);
  uint32_t v = e < end ? row_with(judge, e) : 0;
  for (; e < end; e = stop) {
    while (judge->offset[v + 1] <= e)
      v++;
    stop = judge->offset[v + 1] < end ? judge->offset[v + 1] : end;
    stop = stop - e < BLOCK ? stop : e + BLOCK;
    put_edges(judge, place, v, e, stop);
  }
}

uint64_t ms_judge_maps(const ms_judge *judge, const uint32_t *rows, uint64_t count)
{
  ms_arc_places *place = ms_known_arcs_for(judge->known, count);
  uint64_t done = 0;
  if (place)
    fill_some(judge, place);
  while (place && done < count) {
    const uint32_t *block = rows + done * judge->p;
    uint64_t some = count - done < BLOCK ? count - done : BLOCK;
    if (!vertices_fit(judge, block, some) || !colors_fit(judge, block, some) ||
        !pairs_fit(judge, place, block, some) || !are_smallest(judge, block, some) ||
        !hold_required(judge, block, some))
      break;
    done += some;
  }
  return done;
}

/* ---- judge ----------------------------------------------------------------------------------- */

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

static ms_status finish(ms_judge *judge, bool subgraphs, ms_error *err)
{
  ms_bitset orbit[MS_MAX_PATTERN] = {{{0}}};
  judge->row = ms_judge_map;
  MS_TRY(ms_recents_new(&judge->recents, err));
  if (subgraphs)
    MS_TRY(ms_kinds_orbits(&judge->kinds, orbit, NULL, ms_stop_current(), err));
  for (uint32_t i = 0; i < judge->p; i++)
    for (uint32_t j = i + 1; j < judge->p; j++)
      if (ms_bitset_has(&orbit[i], j) && !is_implied(orbit, i, j)) {
        judge->smaller[judge->ordered][0] = (uint8_t)i;
        judge->smaller[judge->ordered++][1] = (uint8_t)j;
      }
  return MS_OK;
}

ms_status ms_judge_finish(ms_judge *judge, ms_status status, bool subgraphs, ms_judge **out,
                          ms_error *err)
{
  if (status == MS_OK)
    status = finish(judge, subgraphs, err);
  if (status == MS_OK)
    *out = judge;
  else
    ms_judge_free(judge);
  return status;
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
  MS_TRY(ms_kinds_orbits(&judge->kinds, orbit, NULL, stop, err));
  mpz_set_ui(order, 1);
  for (uint32_t i = 0; i < judge->p; i++)
    mpz_mul_ui(order, order, ms_bitset_count(orbit[i]));
  return MS_OK;
}

ms_status ms_judge_orbits(const ms_judge *judge, uint8_t *lowest, const ms_stop *stop,
                          ms_error *err)
{
  ms_bitset orbit[MS_MAX_PATTERN];
  return ms_kinds_orbits(&judge->kinds, orbit, lowest, stop, err);
}
