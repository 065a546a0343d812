#include "verify/fit.h"

static bool has_color(const ms_query *query, uint32_t v, uint32_t color)
{
  uint32_t count;
  const uint32_t *colors = ms_coloring_of(query->coloring, v, &count);
  for (uint32_t i = 0; i < count; i++) {
    if (colors[i] == color) {
      return true;
    }
  }
  return false;
}

uint32_t ms_verify_slots(const ms_query *query, uint32_t v)
{
  const ms_motif *motif = query->motif;
  uint32_t slots = 0, slot = 0;
  for (uint32_t c = 0; c < motif->n_classes; c++) {
    uint32_t color = motif->class_[c].color;
    bool fits = color == MS_WILDCARD || has_color(query, v, color);
    for (uint32_t i = 0; i < motif->class_[c].count; i++, slot++) {
      slots |= (uint32_t)fits << slot;
    }
  }
  return slots;
}

/* Give vertex i a slot, moving the owners of others if need be. */
static bool augment(const uint32_t *slots, uint32_t i, int owner[MS_MAX_K], uint32_t *tried)
{
  for (uint32_t d = 0; d < MS_MAX_K; d++) {
    if (!(slots[i] >> d & 1) || (*tried >> d & 1)) {
      continue;
    }
    *tried |= 1u << d;
    if (owner[d] < 0 || augment(slots, (uint32_t)owner[d], owner, tried)) {
      owner[d] = (int)i;
      return true;
    }
  }
  return false;
}

bool ms_verify_fit(const uint32_t *slots, uint32_t count)
{
  int owner[MS_MAX_K];
  for (uint32_t d = 0; d < MS_MAX_K; d++) {
    owner[d] = -1;
  }
  for (uint32_t i = 0; i < count; i++) {
    uint32_t tried = 0;
    if (!augment(slots, i, owner, &tried)) {
      return false;
    }
  }
  return true;
}
