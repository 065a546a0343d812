/* Classes of slots, and ms_query_slots: the lexicographically first way to pair off vertices with
 * slots.
 *
 * Some pairing comes first, by augmenting paths (Kuhn).  Then the vertices are fixed one after the
 * other: a vertex takes the lowest slot from which the vertices behind it can still be paired off.
 * If that slot has another owner, one augmenting path finds a new slot for this owner, or shows
 * that there is none.  O(k^3) words. */
#include "query/query.h"

#include <string.h>

#define FREE MS_MAX_K

typedef struct pairing {
  uint32_t k;
  uint32_t fits[MS_MAX_K];  /* [k] bit d: the vertex may take slot d */
  uint32_t owner[MS_MAX_K]; /* [k] the vertex of each slot, or FREE */
  uint32_t slot[MS_MAX_K];  /* [k] the slot of each vertex */
} pairing;

/* Finds a slot for vertex i outside of `closed`; owners of slots move if they have to. */
static bool place(pairing *p, uint32_t i, uint32_t *closed)
{
  uint32_t left;
  while ((left = p->fits[i] & ~*closed)) {
    uint32_t d = (uint32_t)__builtin_ctz(left);
    *closed |= 1u << d;
    if (p->owner[d] == FREE || place(p, p->owner[d], closed)) {
      p->owner[d] = i;
      p->slot[i] = d;
      return true;
    }
  }
  return false;
}

/* Moves vertex i to the lowest slot possible.  fixed: the slots of the vertices before it. */
static void lower(pairing *p, uint32_t i, uint32_t fixed)
{
  for (uint32_t left = p->fits[i] & ~fixed; left; left &= left - 1) {
    uint32_t d = (uint32_t)__builtin_ctz(left);
    if (d == p->slot[i])
      return;
    pairing tried = *p;
    uint32_t closed = fixed | 1u << d;
    tried.owner[p->slot[i]] = FREE;
    if (place(&tried, p->owner[d], &closed)) {
      tried.owner[d] = i;
      tried.slot[i] = d;
      *p = tried;
      return;
    }
  }
}

/* Returns the slots that v may take by its colours, numbered in the order of the text. */
static uint32_t find_slots(const ms_query *query, uint32_t v)
{
  const ms_motif *motif = query->motif;
  uint32_t slots = 0, slot = 0;
  for (uint32_t c = 0; c < motif->n_classes; c++) {
    const ms_motif_class *class_ = &motif->class_[motif->in_text[c]];
    uint32_t fits = ms_class_fits(class_, query->coloring, v);
    for (uint32_t i = 0; i < class_->count; i++, slot++)
      slots |= fits << slot;
  }
  return slots;
}

bool ms_query_slots(const ms_query *query, const uint32_t *set, uint32_t *slot)
{
  if (!query || !set || !slot)
    return false;
  pairing p = {.k = query->motif->k};
  uint32_t fixed = 0;
  for (uint32_t i = 0; i < p.k; i++) {
    if (set[i] >= query->graph->n)
      return false;
    p.fits[i] = find_slots(query, set[i]);
    p.owner[i] = FREE;
  }
  for (uint32_t i = 0; i < p.k; i++) {
    uint32_t closed = 0;
    if (!place(&p, i, &closed))
      return false;
  }
  for (uint32_t i = 0; i < p.k; i++) {
    lower(&p, i, fixed);
    fixed |= 1u << p.slot[i];
  }
  memcpy(slot, p.slot, p.k * sizeof *slot);
  return true;
}

uint32_t ms_motif_class_of(const ms_motif *motif, uint32_t slot)
{
  uint32_t c = 0;
  for (; slot >= motif->class_[motif->in_text[c]].count; c++)
    slot -= motif->class_[motif->in_text[c]].count;
  return motif->in_text[c];
}

const char *ms_query_slot_name(const ms_query *query, uint32_t d)
{
  if (!query || d >= query->motif->k)
    return NULL;
  return ms_class_name(&query->motif->class_[ms_motif_class_of(query->motif, d)], query->coloring);
}

const char *ms_class_name(const ms_motif_class *class_, const ms_coloring *coloring)
{
  if (class_->condition)
    return class_->condition->text;
  return class_->color == MS_WILDCARD ? "*" : ms_coloring_name(coloring, class_->color);
}

bool ms_class_fits(const ms_motif_class *class_, const ms_coloring *coloring, uint32_t v)
{
  uint32_t count;
  const uint32_t *colors = ms_coloring_of(coloring, v, &count);
  if (class_->condition)
    return ms_condition_holds(class_->condition, colors, count);
  bool fits = class_->color == MS_WILDCARD;
  for (uint32_t i = 0; i < count; i++)
    fits |= colors[i] == class_->color;
  return fits;
}

bool ms_class_names(const ms_motif_class *class_, uint32_t color)
{
  return class_->condition ? ms_condition_names(class_->condition, color) : class_->color == color;
}
