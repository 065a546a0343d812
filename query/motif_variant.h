/* Motifs that differ from a given one in the numbers of their slots; for searches of the nearest
 * matches. */
#ifndef MS_QUERY_MOTIF_VARIANT_H
#define MS_QUERY_MOTIF_VARIANT_H

#include "query/query.h"

/* Makes a motif of count[i] slots of class i, for i < motif->n_classes, and `extra` more slots that
 * any vertex fills; at most MS_MAX_K altogether, and a motif that is used has at least 1.  It has
 * no text.  It points to the conditions of `motif`, which must outlive it. */
ms_status ms_motif_variant_new(const ms_motif *motif, const uint32_t *count, uint32_t extra,
                               ms_motif **out, ms_error *err);
/* Adds `slots` >= 1 slots of a condition, which must outlive the variant, behind the other slots.
 * There are at most MS_MAX_K altogether. */
void ms_motif_variant_add(ms_motif *variant, ms_condition *condition, uint32_t slots);
void ms_motif_variant_free(ms_motif *variant);

#endif
