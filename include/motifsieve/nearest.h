/* Lists of the nearest matches of a motif.  motifsieve.h includes this file. */
#ifndef MOTIFSIEVE_NEAREST_H
#define MOTIFSIEVE_NEAREST_H

#include "motifsieve/motif.h"

/* A match here is a connected set that holds all required vertices, leaves at most max_missing
 * slots empty, holds at most max_extra further vertices, of any colour, and has substitutions that
 * cost at most max_cost.  Its cost is the number of these slots and vertices plus the costs of the
 * substitutions, for the pairing of vertices with slots that makes it least. */
typedef struct ms_nearest_options {
  size_t size;          /* set by MS_NEAREST_OPTIONS_DEFAULT */
  uint32_t max_missing; /* < k */
  uint32_t max_extra;   /* k + max_extra <= MS_MAX_K */
  bool nearest_only;    /* the search ends with the least cost that some match has */
  bool count_only;      /* count the matches and do not store them */
  uint64_t limit;       /* stop after this many matches, the cheapest ones; 0: no limit */
  ms_run_limits run;    /* only `threads`, `memory`, `stop` and progress */
  const ms_substitutes *substitutes; /* NULL: there are no substitutions */
  uint32_t max_cost; /* greatest sum of the costs of a match's substitutions, at most MS_MAX_COST */
} ms_nearest_options;
#define MS_NEAREST_OPTIONS_DEFAULT                                                                 \
  {                                                                                                \
    .size = sizeof(ms_nearest_options)                                                             \
  }

typedef struct ms_nearest_result {
  ms_run_outcome run; /* no memory: the matches that cost less than the last one are complete */
  uint32_t n, k;      /* vertices of the graph, slots of the motif */
  uint64_t matches;   /* number of matches stored or counted; each connected set counts once */
  char *count_text;   /* the number in decimal, exact at any size (GMP) */
  /* Rows in the order of their costs; rows of one cost in lexicographic order of their vertices, a
   * row before those that continue it.  Row r has k - missing[r] + extra[r] vertices, ascending, at
   * vertex[begin[r]].  All of these are NULL if count_only. */
  uint64_t *begin;  /* [matches + 1] */
  uint32_t *vertex; /* [begin[matches]] */
  /* [matches] what the match costs; of all pairings of this cost the one with the fewest empty
   * slots */
  uint8_t *missing, *extra;
  uint32_t *cost;   /* [matches] missing + extra + the costs of the substitutions */
  double time_list; /* seconds */
} ms_nearest_result;

/* Lists the matches in the order of their costs, by enumeration: none is missed. */
MS_API ms_status ms_list_nearest(const ms_query *query, const ms_nearest_options *options,
                                 ms_nearest_result **out, ms_error *err);
MS_API void ms_nearest_result_free(ms_nearest_result *result);

/* Finds which slot each vertex of a row fills: slot[size], numbered as in ms_query_slots, or
 * MS_EXTRA_VERTEX.  Slots that no vertex fills are unfilled.  Of all ways that cost as little as
 * the row, with as many unfilled slots, this is the lexicographically first, where an extra vertex
 * comes after all slots.  Returns false if the set exceeds the limits. */
MS_API bool ms_nearest_slots(const ms_query *query, const ms_nearest_options *options,
                             const uint32_t *set, uint32_t size, uint32_t *slot);
#define MS_EXTRA_VERTEX MS_MAX_K

#endif
