#include "verify/near.h"

#include "verify/judge/judge.h"

#include <string.h>

#define SIDE (2 * MS_MAX_K) /* greatest side of a square of costs */
#define NEVER ((int64_t)1 << 40)

/* ---- without substitutions --------------------------------------------------------- */

static bool fill_edits(const ms_query *query, const ms_edit_limits *limits, const uint32_t *set,
                       uint32_t size, ms_edits *edits)
{
  uint32_t slots[MS_MAX_K], k = query->motif->k;
  for (uint32_t i = 0; i < size; i++)
    slots[i] = ms_verify_slots(query, set[i]);
  uint32_t filled = ms_verify_filled(slots, size);
  *edits = (ms_edits){k - filled, size - filled, k + size - 2 * filled};
  return edits->missing <= limits->max_missing && edits->extra <= limits->max_extra;
}

/* ---- with substitutions ------------------------------------------------------------ */

/* Rows are the slots and then fillers of vertices that fill none; columns are the vertices and then
 * fillers of empty slots. */
typedef struct square {
  uint32_t side;
  int64_t cost[SIDE][SIDE];
} square;

/* Looks the cost up in the whole table, which is short. */
static int64_t cost_in_table(const ms_query *query, const ms_substitutes *s, uint32_t wanted,
                             uint32_t v)
{
  uint32_t count;
  const uint32_t *colors = ms_coloring_of(query->coloring, v, &count);
  int64_t least = NEVER;
  for (uint32_t e = 0; e < s->count; e++)
    for (uint32_t i = 0; i < count && s->entry[e].wanted == wanted; i++)
      if (colors[i] == s->entry[e].instead && s->entry[e].cost < least)
        least = s->entry[e].cost;
  return least;
}

/* Returns the least cost of an alternative: the sum over the colours that it asks for, unless the
 * vertex has one that it excludes. */
static int64_t cost_of_condition(const ms_query *query, const ms_substitutes *s,
                                 const ms_condition *condition, uint32_t v)
{
  uint32_t count;
  const uint32_t *colors = ms_coloring_of(query->coloring, v, &count);
  int64_t least = NEVER, sum = 0;
  for (uint32_t i = 0; i < condition->count; i++) {
    const ms_literal *literal = &condition->literal[i];
    bool has = false;
    for (uint32_t j = 0; j < count; j++)
      has |= colors[j] == literal->color;
    if (literal->lacks)
      sum += has ? NEVER : 0;
    else
      sum += has ? 0 : cost_in_table(query, s, literal->color, v);
    if (literal->last) {
      least = sum < least ? sum : least;
      sum = 0;
    }
  }
  return least;
}

/* Solves the assignment problem by the Hungarian method with potentials, in O(side^3) (Kuhn 1955;
 * Munkres, J. SIAM 5(1), 1957).  Returns the least sum of one cost a row, all in different
 * columns. */
static int64_t assign(const square *q)
{
  int64_t u[SIDE + 1] = {0}, v[SIDE + 1] = {0}, total = 0;
  uint32_t row_of[SIDE + 1] = {0}, way[SIDE + 1] = {0}, n = q->side;
  for (uint32_t r = 1; r <= n; r++) {
    int64_t least[SIDE + 1];
    bool used[SIDE + 1] = {false};
    uint32_t at = 0;
    for (uint32_t c = 0; c <= n; c++)
      least[c] = INT64_MAX;
    row_of[0] = r;
    do {
      uint32_t from = row_of[at], next = 0;
      int64_t step = INT64_MAX;
      used[at] = true;
      for (uint32_t c = 1; c <= n; c++) {
        if (used[c])
          continue;
        int64_t reduced = q->cost[from - 1][c - 1] - u[from] - v[c];
        if (reduced < least[c]) {
          least[c] = reduced;
          way[c] = at;
        }
        if (least[c] < step) {
          step = least[c];
          next = c;
        }
      }
      for (uint32_t c = 0; c <= n; c++)
        if (used[c]) {
          u[row_of[c]] += step;
          v[c] -= step;
        } else if (least[c] != INT64_MAX) {
          least[c] -= step;
        }
      at = next;
    } while (row_of[at] != 0);
    for (; at != 0; at = way[at])
      row_of[at] = row_of[way[at]];
  }
  for (uint32_t c = 1; c <= n; c++)
    total += q->cost[row_of[c] - 1][c - 1];
  return total;
}

/* Sets class_[k] to the class of each slot. */
static void list_slots(const ms_motif *motif, const ms_motif_class **class_)
{
  uint32_t slot = 0;
  for (uint32_t c = 0; c < motif->n_classes; c++)
    for (uint32_t i = 0; i < motif->class_[c].count; i++)
      class_[slot++] = &motif->class_[c];
}

/* Returns what it costs that v fills the slot, which is of this class. */
static int64_t cost_of_slot(const ms_query *query, const ms_substitutes *s,
                            const ms_motif_class *class_, uint32_t slot, uint32_t v)
{
  if (ms_verify_slots(query, v) >> slot & 1)
    return 0;
  if (!s || class_->color == MS_WILDCARD)
    return NEVER;
  return class_->condition ? cost_of_condition(query, s, class_->condition, v)
                           : cost_in_table(query, s, class_->color, v);
}

/* Fills the costs of vertices in slots; the fillers depend on the number of pairs. */
static void fill_costs(const ms_query *query, const ms_substitutes *s, const uint32_t *set,
                       uint32_t size, square *q)
{
  const ms_motif_class *class_[MS_MAX_K];
  list_slots(query->motif, class_);
  for (uint32_t slot = 0; slot < query->motif->k; slot++)
    for (uint32_t j = 0; j < size; j++)
      q->cost[slot][j] = cost_of_slot(query, s, class_[slot], slot, set[j]);
}

/* Returns the least cost of exactly this many pairs; NEVER or more: there is no way. */
static int64_t cost_of_pairs(square *q, uint32_t k, uint32_t size, uint32_t pairs)
{
  q->side = k + size - pairs;
  for (uint32_t r = 0; r < q->side; r++)
    for (uint32_t c = 0; c < q->side; c++)
      if (r >= k || c >= size)
        q->cost[r][c] = r >= k && c >= size ? NEVER : 0;
  return assign(q);
}

static bool assign_edits(const ms_query *query, const ms_edit_limits *limits, const uint32_t *set,
                         uint32_t size, ms_edits *edits)
{
  square q;
  uint32_t k = query->motif->k, most = k < size ? k : size;
  bool found = false;
  fill_costs(query, limits->substitutes, set, size, &q);
  for (uint32_t pairs = 0; pairs <= most; pairs++) {
    if (k - pairs > limits->max_missing || size - pairs > limits->max_extra)
      continue;
    int64_t cost = cost_of_pairs(&q, k, size, pairs);
    ms_edits own = {k - pairs, size - pairs, k + size - 2 * pairs + (uint32_t)cost};
    if (cost > limits->max_cost || (found && own.cost > edits->cost))
      continue;
    *edits = own;
    found = true;
  }
  return found;
}

/* ---- both -------------------------------------------------------------------------- */

bool ms_verify_edits(const ms_query *query, const ms_edit_limits *limits, const uint32_t *set,
                     uint32_t size, ms_edits *edits)
{
  return limits->substitutes ? assign_edits(query, limits, set, size, edits)
                             : fill_edits(query, limits, set, size, edits);
}

/* ---- who fills what ---------------------------------------------------------------- */

/* Closes an open slot of that name, and returns it; MS_MAX_K: there is none. */
static uint32_t take_slot(const ms_query *query, const ms_motif_class *const *class_, bool *open,
                          const char *name)
{
  for (uint32_t d = 0; d < query->motif->k; d++)
    if (open[d] && strcmp(ms_class_name(class_[d], query->coloring), name) == 0) {
      open[d] = false;
      return d;
    }
  return MS_MAX_K;
}

const char *ms_verify_near_slots(const ms_query *query, const ms_substitutes *substitutes,
                                 const uint32_t *set, const ms_match_row *row, uint64_t spend)
{
  const ms_motif_class *class_[MS_MAX_K];
  uint32_t k = query->motif->k, extra = 0, fillers = 0;
  int64_t cost = 0;
  bool open[MS_MAX_K];
  square q;
  list_slots(query->motif, class_);
  for (uint32_t d = 0; d < k; d++)
    open[d] = true;
  for (uint32_t u = 0; u < row->n_unfilled; u++)
    if (take_slot(query, class_, open, row->unfilled[u]) == MS_MAX_K)
      return "names an unfilled slot that the motif does not have";
  for (uint32_t i = 0; i < row->count; i++) {
    bool is_extra =
        extra < row->n_extra && strcmp(row->extra_vertices[extra], row->vertices[i]) == 0;
    extra += is_extra;
    if (is_extra && row->roles && strcmp(row->roles[i], MS_EXTRA_ROLE) != 0)
      return "gives an extra vertex the role of a slot";
    if (is_extra)
      continue;
    uint32_t taken = row->roles ? take_slot(query, class_, open, row->roles[i]) : 0, at = 0;
    if (taken == MS_MAX_K)
      return "gives a vertex the role of a slot that is not left";
    if (row->roles)
      cost += cost_of_slot(query, substitutes, class_[taken], taken, set[i]);
    for (uint32_t d = 0; d < k && !row->roles; d++)
      if (open[d])
        q.cost[at++][fillers] = cost_of_slot(query, substitutes, class_[d], d, set[i]);
    fillers++;
  }
  if (extra != row->n_extra || row->n_extra != row->extra || row->n_unfilled != row->missing ||
      fillers + row->n_unfilled != k)
    return "does not name as many unfilled slots and extra vertices as it has";
  q.side = fillers;
  if (!row->roles && fillers > 0)
    cost = assign(&q);
  return cost == (int64_t)spend
             ? NULL
             : "cannot fill the other slots with the other vertices at this cost";
}

/* ---- matches ----------------------------------------------------------------------- */

ms_verdict ms_verify_near(const ms_query *query, const ms_edit_limits *limits, const uint32_t *set,
                          uint32_t size, ms_edits *edits)
{
  ms_verdict verdict = ms_verify_set(query, set, size);
  if (verdict != MS_MATCH_OK)
    return verdict;
  if (!ms_verify_edits(query, limits, set, size, edits))
    return MS_MATCH_COLORS_DO_NOT_FIT;
  return ms_verify_required(query, set, size) ? MS_MATCH_OK : MS_MATCH_LACKS_REQUIRED;
}
