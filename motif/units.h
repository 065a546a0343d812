/* The units of a count of the matches of a motif (base/units.h).  Roots are dealt out in the
 * order of their degrees, so that a unit has roots of each degree.  In motifs of five vertices and
 * more, a root with very many neighbours is cut by its *second* vertex, the neighbour of least rank
 * in a match.  Units depend on the instance alone. */
#ifndef MS_MOTIF_UNITS_H
#define MS_MOTIF_UNITS_H

#include "base/units.h"
#include "motif/engine.h"
#include "motif/ranked.h"

/* The roots of a share. */
typedef struct ms_root_share {
  const ms_share *share; /* NULL: all */
  uint32_t cut_degree;
  bool only_cut;          /* cut roots alone */
  const uint32_t *number; /* [n] */
} ms_root_share;

/* Fills ranked->number and ranked->cut_degree, unless they are filled. */
ms_status ms_number_ranks(ms_ranked *ranked, ms_error *err);

/* Without a share, the ranks need no numbers. */
static inline ms_root_share ms_root_share_of(const ms_ranked *ranked, const ms_share *share,
                                             bool only_cut)
{
  return (ms_root_share){share, ranked->cut_degree, only_cut, ranked->number};
}

/* True if the root is cut; then its second vertices are dealt out. */
static inline bool ms_root_share_cuts(const ms_root_share *s, const ms_ranked *ranked,
                                      uint32_t root)
{
  return s->share && ranked->offset[root + 1] - ranked->offset[root] >= s->cut_degree;
}

/* True if the share has the root, or may have some of its second vertices. */
static inline bool ms_root_share_has(const ms_root_share *s, const ms_ranked *ranked, uint32_t root)
{
  return !s->share || ms_root_share_cuts(s, ranked, root) ||
         (!s->only_cut && ms_share_has(s->share, ms_even_unit(s->number[root])));
}

/* The second vertices that a share has of a cut root. */
typedef struct ms_second_share {
  const ms_root_share *of; /* NULL: all are counted */
  uint64_t from;           /* the number of the root: heavy vertices meet in different units */
  /* of a list, in place of `of`: ranks low .. high - 1; both 0: all */
  uint32_t low, high;
} ms_second_share;

static inline ms_second_share ms_second_share_of(const ms_root_share *s, const ms_ranked *ranked,
                                                 uint32_t root)
{
  if (!ms_root_share_cuts(s, ranked, root))
    return (ms_second_share){.of = NULL};
  return (ms_second_share){.of = s, .from = s->number[root]};
}

/* `second` is not that of all. */
static inline bool ms_second_share_has(const ms_second_share *second, uint32_t rank)
{
  const ms_root_share *s = second->of;
  return ms_share_has(s->share, ms_even_unit(second->from + s->number[rank]));
}

/* ---- units of lists -------------------------------------------------------------------------- */

/* The units of a list of the matches of a motif (base/units.h), in the order of the matches
 * (ms_parts in engine.h).  A child of a root is a *second* vertex, the neighbour of the root of
 * least rank in a match.  Units depend on the instance alone. */

/* Append the units of a list, of what ms_engine_connected_sets reads, or of an open context of it;
 * ms_range_units_free must follow in any case. */
ms_status ms_motif_row_units_make(const ms_ranked *ranked, ms_range_units *out, ms_error *err);
ms_status ms_connected_sets_row_units(const void *context, ms_range_units *out, ms_error *err);
/* Runs a unit, or several that make one range, as ms_engine.run; the sink has neither a share nor
 * `sums`. */
ms_status ms_connected_sets_run_unit(void *context, const ms_range_unit *unit,
                                     const ms_match_sink *sink, const ms_stop *stop, ms_error *err);

#endif
