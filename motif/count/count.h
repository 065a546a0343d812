/* Counting the matches of a region by several threads, without visiting each match. */
#ifndef MS_MOTIF_COUNT_H
#define MS_MOTIF_COUNT_H

#include "motif/engine.h"
#include "motif/ranked.h"

#include <stdatomic.h>

/* Returns the mean number of neighbours of a vertex that an edge leads to. */
double ms_count_mean_neighbors(const ms_ranked *ranked);
/* Chooses a way; it depends on the graph and on the memory that the budget has left. */
ms_status ms_count_choose(const ms_ranked *ranked, const ms_budget *budget, ms_count_way *out,
                          ms_error *err);
/* Sets *pays to true if folding the last three levels in lists (count_three.h) is likely to be the
 * fastest way to count matches, where nothing else is asked for. */
ms_status ms_count_three_pays(const ms_ranked *ranked, const ms_budget *budget, bool *pays,
                              ms_error *err);
#define MS_COUNT_THREE ((int)MS_COUNT_BALLS + 2)

/* Counts the matches of the roots first..last-1 by bits, as ms_engine's count (count_sets.h).
 * left[last - first] must be 0 and receives 1 for each root whose matches are not counted, because
 * too much is near it. */
ms_status ms_count_by_bits(const ms_ranked *ranked, ms_count_way way, int threads, uint64_t first,
                           uint64_t last, ms_count_sink *sink, uint8_t *left, const ms_stop *stop,
                           ms_error *err);

/* Sets *out to tasks[roots + 1], the number of the first task of each of these roots, in rows of
 * bits; the caller frees it.  `divided`: a root with many neighbours is several tasks. */
ms_status ms_count_divide(const ms_ranked *ranked, uint64_t first, uint64_t roots, bool divided,
                          uint64_t **out, ms_error *err);

/* A thread of a counting, for its poll, which returns false if the counting ends. */
typedef struct ms_count_thread {
  const ms_count_sink *sink; /* whose progress this thread reports; NULL: another thread does */
  const ms_stop *stop;
  atomic_uint_fast64_t *found; /* by all threads */
  atomic_int *stopped;         /* MS_OK, or why the counting ends */
  const uint64_t *low;         /* matches that this thread has found, */
  uint64_t reported;           /* and those of them that are in *found */
} ms_count_thread;

bool ms_count_poll(void *thread);

/* Makes room for the matches of so many shares, all 0. */
ms_status ms_shares_new(ms_shares *shares, ms_count_way way, uint64_t count, ms_error *err);

/* Sets matches[roots] to what the shares of each root have. */
ms_status ms_shares_sum(const ms_ranked *ranked, const ms_shares *shares, uint64_t *matches,
                        ms_error *err);

/* Adds taking[rank], the number of matches that hold a rank, to that of its vertex in the sink.
 * `taking` NULL: it adds nothing. */
void ms_count_take(ms_count_sink *sink, const ms_ranked *ranked, const uint64_t *taking);

static inline void ms_count_add(ms_count_sink *sink, uint64_t matches)
{
  sink->low += matches;
  sink->high += sink->low < matches;
}

/* Adds to a sink what another one has received, with the matches of n vertices. */
static inline void ms_count_merge(ms_count_sink *to, const ms_count_sink *from, uint32_t n)
{
  ms_count_add(to, from->low);
  to->high += from->high;
  to->visits += from->visits;
  for (uint32_t v = 0; to->taking && v < n; v++)
    to->taking[v] += from->taking[v];
}

#endif
