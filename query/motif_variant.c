#include "query/motif_variant.h"

#include "base/alloc.h"
#include "base/status.h"

ms_status ms_motif_variant_new(const ms_motif *motif, const uint32_t *count, uint32_t extra,
                               ms_motif **out, ms_error *err)
{
  ms_motif *variant = *out = ms_calloc(1, sizeof *variant);
  if (!variant)
    return ms_fail_memory(err, "a motif");
  variant->coloring_serial = motif->coloring_serial;
  for (uint32_t c = 0; c <= motif->n_classes; c++) {
    bool is_last = c == motif->n_classes;
    uint32_t color = is_last ? MS_WILDCARD : motif->class_[c].color;
    uint32_t slots = is_last ? 0 : count[c];
    if (color == MS_WILDCARD) { /* the last class, or a class behind it */
      slots += extra;
      extra = 0;
    }
    if (slots == 0)
      continue;
    variant->class_[variant->n_classes] =
        (ms_motif_class){color, slots, is_last ? NULL : motif->class_[c].condition};
    variant->in_text[variant->n_classes] = variant->n_classes;
    variant->n_classes++;
    variant->k += slots;
  }
  return MS_OK;
}

void ms_motif_variant_add(ms_motif *variant, ms_condition *condition, uint32_t slots)
{
  variant->class_[variant->n_classes] = (ms_motif_class){MS_CONDITION, slots, condition};
  variant->in_text[variant->n_classes] = variant->n_classes;
  variant->n_classes++;
  variant->k += slots;
}

void ms_motif_variant_free(ms_motif *variant)
{
  ms_free(variant);
}
