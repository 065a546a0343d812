/* Regions whose last three levels are folded: the kinds that complete each set, the triangles, and
 * whether the region can be counted in this way. */
#include "motif/count/count_three_region.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/threads/stop.h"
#include "motif/count/count.h"

#include <string.h>

#define MOST_SIZE 10u     /* vertices of a match; for larger ones there may be many states */
#define MOST_FOLDED 1024u /* states of sets of k - 3 vertices */
/* The most candidates of a set; the matches that hold one set of k - 3 are then below 2^63. */
#define MOST_CANDIDATES ((uint64_t)1 << 20)
/* Triangles are not searched for if that would take longer than this many steps an edge. */
#define MOST_TRIANGLE_STEPS 64u
#define POLL_VERTICES 1024u

typedef ms_three_fold fold;

/* ---- what completes a set --------------------------------------------------------------- */

/* True if a vertex of kind c may join the state. */
static bool joins(const ms_states *s, uint32_t state, uint32_t c)
{
  return s->set[(size_t)s->joins[state] * s->kind_words + c / 32] >> c % 32 & 1;
}

static void fill_fold(const ms_three *three, uint32_t state, fold *f)
{
  const ms_states *s = three->states;
  uint32_t bits = three->bits, kinds = s->kinds;
  for (uint32_t a = 0; a < kinds; a++) {
    uint32_t with_a = s->next[(size_t)state * kinds + a];
    for (uint32_t b = 0; with_a != MS_NO_STATE && b < kinds; b++) {
      uint32_t with_b = s->next[(size_t)with_a * kinds + b];
      for (uint32_t c = 0; with_b != MS_NO_STATE && c < kinds; c++) {
        if (!joins(s, with_b, c))
          continue;
        f->third[a][b] |= ms_three_lane(bits) * ms_three_unit(c, bits);
        f->outer[a] |= ms_three_lane(bits) * ms_three_unit(c, bits);
        if (a <= b)
          f->pair[f->pairs++] = (ms_three_pair){(uint8_t)a, (uint8_t)b, (uint8_t)c};
        if (a <= b && b <= c)
          f->triple[f->triples++] = (ms_three_triple){{(uint8_t)a, (uint8_t)b, (uint8_t)c}};
      }
    }
  }
}

/* Makes the folds of the states of sets of size - 3.  States are in the order of their sizes.
 * *whole becomes true unless they are too many. */
static ms_status make_folds(ms_three *three, bool *whole, ms_error *err)
{
  const ms_states *s = three->states;
  uint32_t size = three->ranked->size, folds = 0;
  uint8_t *of = ms_calloc(s->count, sizeof *of); /* vertices of a state's sets */
  three->fold_of = ms_calloc(s->count, sizeof *three->fold_of);
  if (!of || !three->fold_of) {
    ms_free(of);
    return ms_fail_memory(err, "the states of a counting");
  }
  for (uint32_t i = 0; i < s->count; i++) {
    for (uint32_t c = 0; c < s->kinds; c++) {
      uint32_t next = s->next[(size_t)i * s->kinds + c];
      if (next != MS_NO_STATE)
        of[next] = (uint8_t)(of[i] + 1);
    }
    if (of[i] + 3u == size)
      three->fold_of[i] = folds++;
  }
  *whole = folds <= MOST_FOLDED;
  three->folds = *whole ? ms_calloc(folds, sizeof *three->folds) : NULL;
  for (uint32_t i = 0; three->folds && i < s->count; i++)
    if (of[i] + 3u == size)
      fill_fold(three, i, &three->folds[three->fold_of[i]]);
  ms_free(of);
  return !*whole || three->folds ? MS_OK : ms_fail_memory(err, "the states of a counting");
}

/* ---- triangles ---------------------------------------------------------------------------- */

/* Marks the vertices of triangles, each from its vertex of lowest rank.  stamp[n] must be 0. */
static ms_status mark_triangles(ms_three *three, uint32_t *stamp, ms_error *err)
{
  const ms_ranked *ranked = three->ranked;
  const uint32_t *neighbor = ranked->neighbor;
  for (uint32_t u = 0; u < ranked->n; u++) {
    uint64_t begin = ranked->offset[u], end = ranked->offset[u + 1];
    if (u % POLL_VERTICES == 0)
      MS_TRY(ms_stop_poll("triangles are searched for", err));
    for (uint64_t a = begin; a < end; a++)
      stamp[neighbor[a]] = u + 1;
    for (uint64_t a = end; a-- > begin && neighbor[a] > u;) {
      uint32_t v = neighbor[a];
      for (uint64_t b = ranked->offset[v + 1]; b-- > ranked->offset[v] && neighbor[b] > v;)
        if (stamp[neighbor[b]] == u + 1)
          three->in_triangle[u] = three->in_triangle[v] = three->in_triangle[neighbor[b]] = 1;
    }
  }
  return MS_OK;
}

/* Finds the vertices in triangles; where that would take long, all vertices may be in one. */
static ms_status find_triangles(ms_three *three, ms_error *err)
{
  const ms_ranked *ranked = three->ranked;
  three->in_triangle = ms_calloc(ranked->n, 1);
  uint32_t *stamp = ms_calloc(ranked->n, sizeof *stamp);
  if (!three->in_triangle || !stamp) {
    ms_free(stamp);
    return ms_fail_memory(err, "the triangles of a counting");
  }
  ms_status status = MS_OK;
  if (ms_count_mean_neighbors(ranked) <= MOST_TRIANGLE_STEPS)
    status = mark_triangles(three, stamp, err);
  else
    memset(three->in_triangle, 1, ranked->n);
  ms_free(stamp);
  return status;
}

/* ---- the region ------------------------------------------------------------------------------ */

/* Chooses lanes that hold the sums of two degrees; 0: there are none. */
static uint32_t lane_bits(uint32_t kinds, uint64_t degree)
{
  if (kinds == 1)
    return 64;
  if (kinds <= 8 && degree <= 127)
    return 8;
  return kinds <= 4 && degree <= 32767 ? 16 : 0;
}

/* Fills what does not fit, or is not supported, with false in *whole. */
static ms_status fill(ms_three *three, bool *whole, ms_error *err)
{
  const ms_ranked *ranked = three->ranked;
  uint64_t degree = 0;
  MS_TRY(ms_kinds_of(ranked, &three->kinds, err));
  for (uint32_t r = 0; r < ranked->n; r++) {
    uint64_t here = ranked->offset[r + 1] - ranked->offset[r];
    degree = here > degree ? here : degree;
  }
  three->degree = degree;
  three->candidates = (ranked->size - 3) * degree + 1;
  three->bits = lane_bits(three->kinds.count, degree);
  uint64_t bytes = ranked->n * (2 + sizeof(uint32_t)) + MOST_FOLDED * sizeof(fold);
  if (three->bits == 0 || three->candidates > MOST_CANDIDATES ||
      ms_three_thread_bytes(three) + bytes > ms_budget_left(three->budget) / 2 ||
      !ms_budget_reserve(three->budget, bytes))
    return MS_OK;
  three->reserved = bytes;
  ms_status status = ms_states_new(&three->kinds, &three->states, err);
  if (status != MS_OK) /* too many states are no failure */
    return status == MS_ERR_USAGE ? MS_OK : status;
  MS_TRY(make_folds(three, whole, err));
  if (!*whole)
    return MS_OK;
  three->kind_of = ms_alloc(ranked->n, 1);
  if (!three->kind_of)
    return ms_fail_memory(err, "the kinds of a counting");
  for (uint32_t i = 0; i < three->kinds.runs; i++)
    for (uint32_t r = three->kinds.run[i].begin; r < three->kinds.run[i].end; r++)
      three->kind_of[r] = (uint8_t)three->kinds.run[i].kind;
  return find_triangles(three, err);
}

ms_status ms_three_new(const ms_ranked *ranked, ms_budget *budget, ms_three **out, ms_error *err)
{
  bool whole = false;
  *out = NULL;
  if (ranked->size < 4 || ranked->size > MOST_SIZE)
    return MS_OK;
  ms_three *three = ms_calloc(1, sizeof *three);
  if (!three)
    return ms_fail_memory(err, "a counting");
  three->ranked = ranked;
  three->budget = budget;
  ms_status status = fill(three, &whole, err);
  if (status == MS_OK && whole)
    *out = three;
  else
    ms_three_free(three);
  return status;
}

void ms_three_free(ms_three *three)
{
  if (!three)
    return;
  ms_kinds_free(&three->kinds);
  ms_states_free(three->states);
  ms_free(three->fold_of);
  ms_free(three->folds);
  ms_free(three->in_triangle);
  ms_free(three->kind_of);
  ms_budget_release(three->budget, three->reserved);
  ms_free(three);
}
