#include "query/edits.h"

#include "query/relaxed.h"

#include <string.h>

#define UNREACHED UINT32_MAX

typedef struct pairing {
  uint32_t size, classes;
  uint32_t cost[MS_MAX_K][MS_MAX_K]; /* [vertex][class] */
  uint32_t of[MS_MAX_K];             /* [vertex] its class, or `classes` */
  uint32_t room[MS_MAX_K];           /* [class] slots that are empty */
  /* shortest paths to the classes, from the vertices without a slot */
  int64_t length[MS_MAX_K];
  uint32_t by[MS_MAX_K]; /* the vertex that takes a slot of the class on the path */
} pairing;

uint32_t ms_edit_cost_of_slot(const ms_query *query, uint32_t class_,
                              const ms_substitutes *substitutes, uint32_t v)
{
  const ms_motif_class *wanted = &query->motif->class_[class_];
  uint32_t count, least = MS_NO_SUBSTITUTE;
  if (ms_class_fits(wanted, query->coloring, v))
    return 0;
  if (!substitutes)
    return MS_NO_SUBSTITUTE;
  const uint32_t *colors = ms_coloring_of(query->coloring, v, &count);
  if (wanted->condition)
    return ms_condition_cost(wanted->condition, substitutes, colors, count);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t cost = ms_substitutes_cost(substitutes, wanted->color, colors[i]);
    least = cost < least ? cost : least;
  }
  return least;
}

static void begin(pairing *p, const ms_query *query, const ms_substitutes *substitutes,
                  const uint32_t *set, uint32_t size)
{
  p->size = size;
  p->classes = query->motif->n_classes;
  for (uint32_t i = 0; i < size; i++) {
    p->of[i] = p->classes;
    for (uint32_t c = 0; c < p->classes; c++)
      p->cost[i][c] = ms_edit_cost_of_slot(query, c, substitutes, set[i]);
  }
  for (uint32_t c = 0; c < p->classes; c++)
    p->room[c] = query->motif->class_[c].count;
}

/* Finds the shortest paths by the algorithm of Bellman and Ford, as lengths can be negative; there
 * is no negative cycle, because the pairing is the cheapest of its size. */
static void find_paths(pairing *p)
{
  for (uint32_t c = 0; c < p->classes; c++)
    p->length[c] = INT64_MAX;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i < p->size; i++) {
      bool is_free = p->of[i] == p->classes;
      if (!is_free && p->length[p->of[i]] == INT64_MAX)
        continue;
      int64_t before = is_free ? 0 : p->length[p->of[i]] - p->cost[i][p->of[i]];
      for (uint32_t c = 0; c < p->classes; c++)
        if (p->cost[i][c] != MS_NO_SUBSTITUTE && c != p->of[i] &&
            before + p->cost[i][c] < p->length[c]) {
          p->length[c] = before + p->cost[i][c];
          p->by[c] = i;
          changed = true;
        }
    }
  }
}

/* Adds a pair at the least cost, which is returned; UNREACHED: no further vertex gets a slot. */
static uint32_t add_pair(pairing *p)
{
  uint32_t end = p->classes;
  find_paths(p);
  for (uint32_t c = 0; c < p->classes; c++)
    if (p->room[c] > 0 && p->length[c] != INT64_MAX &&
        (end == p->classes || p->length[c] < p->length[end]))
      end = c;
  if (end == p->classes)
    return UNREACHED;
  uint32_t cost = (uint32_t)p->length[end]; /* costs of pairs never fall, and the first is >= 0 */
  p->room[end]--;
  for (uint32_t c = end; c != p->classes;) {
    uint32_t i = p->by[c], left = p->of[i];
    p->of[i] = c;
    c = left;
  }
  return cost;
}

/* Adds `pairs` pairs to those of `from`.  Returns whether they cost `spend`. */
static bool solve(const pairing *from, uint32_t pairs, uint32_t spend, pairing *out)
{
  uint32_t cost = 0;
  *out = *from;
  for (; pairs > 0; pairs--) {
    uint32_t step = add_pair(out);
    if (step == UNREACHED)
      return false;
    cost += step;
  }
  return cost == spend;
}

/* Settles vertex i in a class, or as an extra vertex, so that later pairings leave it alone. */
static void settle(pairing *p, uint32_t i, uint32_t class_)
{
  for (uint32_t c = 0; c < p->classes; c++)
    p->cost[i][c] = MS_NO_SUBSTITUTE;
  if (class_ != p->classes)
    p->room[class_]--;
}

bool ms_edits_assign(const ms_query *query, const ms_edit_limits *limits, const uint32_t *set,
                     uint32_t size, uint32_t *slot, ms_edits *edits)
{
  const ms_motif *motif = query->motif;
  pairing rest, now, tried; /* the vertices that are not settled, and a pairing of them */
  uint32_t first[MS_MAX_K], next = 0;
  if (!ms_edits_find(query, limits, set, size, edits))
    return false;
  uint32_t pairs = motif->k - edits->missing;
  uint32_t spend = edits->cost - edits->missing - edits->extra;
  for (uint32_t c = 0; c < motif->n_classes; c++) {
    first[motif->in_text[c]] = next;
    next += motif->class_[motif->in_text[c]].count;
  }
  begin(&rest, query, limits->substitutes, set, size);
  solve(&rest, pairs, spend, &now);
  for (uint32_t i = 0; i < size; i++) {
    uint32_t chosen = now.of[i];
    for (uint32_t t = 0; t < rest.classes && motif->in_text[t] != chosen; t++) {
      uint32_t c = motif->in_text[t], cost = rest.cost[i][c];
      pairing without = rest;
      if (rest.room[c] == 0 || cost > spend || pairs == 0)
        continue;
      settle(&without, i, c);
      if (solve(&without, pairs - 1, spend - cost, &tried)) {
        now = tried;
        chosen = c;
        break;
      }
    }
    if (chosen != rest.classes) {
      spend -= rest.cost[i][chosen];
      pairs--;
    }
    settle(&rest, i, chosen);
    slot[i] = chosen == rest.classes ? MS_EXTRA_VERTEX : first[chosen]++;
  }
  return true;
}

bool ms_edits_find(const ms_query *query, const ms_edit_limits *limits, const uint32_t *set,
                   uint32_t size, ms_edits *out)
{
  pairing p;
  uint32_t k = query->motif->k, spent = 0, step = 0;
  bool found = false;
  begin(&p, query, limits->substitutes, set, size);
  for (uint32_t pairs = 0; step != UNREACHED && pairs <= k && pairs <= size; pairs++) {
    ms_edits edits = {k - pairs, size - pairs, k + size - 2 * pairs + spent};
    if (edits.missing <= limits->max_missing && edits.extra <= limits->max_extra &&
        (!found || edits.cost <= out->cost)) {
      *out = edits;
      found = true;
    }
    step = add_pair(&p);
    if (step == UNREACHED || step > limits->max_cost - spent)
      break;
    spent += step;
  }
  return found;
}
