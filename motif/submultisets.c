#include "motif/submultisets.h"

/* True if no digit of a + b overflows. */
static bool can_add(const ms_motif *motif, uint32_t a, uint32_t b)
{
  for (uint32_t c = 0; c < motif->n_classes; c++) {
    uint32_t base = motif->class_[c].count + 1;
    if (a % base + b % base >= base)
      return false;
    a /= base;
    b /= base;
  }
  return true;
}

/* Returns the number of slots of a sub-multiset. */
static uint32_t slots_of(const ms_motif *motif, uint32_t s)
{
  uint32_t slots = 0;
  for (uint32_t c = 0; c < motif->n_classes; c++) {
    slots += s % (motif->class_[c].count + 1);
    s /= motif->class_[c].count + 1;
  }
  return slots;
}

bool ms_submultisets_make(const ms_motif *motif, ms_submultisets *out)
{
  *out =
      (ms_submultisets){.count = 1, .slots = motif->k, .classes = motif->n_classes, .distinct = 1};
  if (motif->n_classes > MS_SUBMULTISET_CLASSES || motif->k > MS_SUBMULTISET_SLOTS)
    return false;
  for (uint32_t c = 0; c < motif->n_classes; c++) {
    bool single = motif->class_[c].count == 1;
    out->of_class[c] = out->count;
    out->count_of[c] = motif->class_[c].count;
    out->single |= (uint32_t)single << c;
    out->distinct &= single;
    out->count *= motif->class_[c].count + 1;
    if (out->count > MS_MOST_SUBMULTISETS)
      return false;
  }
  for (uint32_t s = 0; s < out->count; s++)
    for (uint32_t t = 0; t < out->count; t++)
      if (can_add(motif, s, t)) {
        uint32_t slots = slots_of(motif, s) + slots_of(motif, t);
        out->fits[s] |= UINT64_C(1) << t;
        if (s > 0 && t > 0 && slots < motif->k)
          out->layer[slots - 2][s] |= UINT64_C(1) << t;
      }
  return true;
}
