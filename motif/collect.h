/* Collects matches: stores them for each thread, or only counts them. */
#ifndef MS_MOTIF_COLLECT_H
#define MS_MOTIF_COLLECT_H

#include "motifsieve.h"

#include <gmp.h>

struct ms_budget;
typedef struct ms_collector ms_collector;

/* Makes a collector for matches of k vertices from `threads` threads.  With count_only
 * it stores nothing.  limit > 0 is the greatest number of matches.  Stored matches and
 * the final array are reserved in the budget until the collector is freed. */
ms_status ms_collector_new(uint32_t k, int threads, bool count_only, uint64_t limit,
                           struct ms_budget *budget, ms_collector **out, ms_error *err);
void ms_collector_free(ms_collector *collector);

/* Sets the id map (ms_instance.vertex) of the instance from which the next matches come.
 * It must not be called while an engine runs. */
void ms_collector_map(ms_collector *collector, const uint32_t *vertex);

/* Adds a match; an ms_match_fn whose `user` is the collector.  Returns false once there are
 * as many as the limit (those of other threads that come later are dropped), or if no more can be
 * stored. */
bool ms_collector_match(void *user, int thread, const uint32_t *set);

/* Makes room for at most `wanted` matches, at least 1, of a thread.  Returns for how many, and sets
 * *rows to [room][k]; the caller fills the first of them with ascending graph vertices, and
 * ms_collector_filled says how many.  0: no more can be stored.  For a collector that stores all
 * matches, without a limit. */
size_t ms_collector_room(ms_collector *collector, int thread, size_t wanted, uint32_t **rows);
void ms_collector_filled(ms_collector *collector, int thread, size_t rows);

/* Returns MS_OK, MS_ERR_LIMIT if there are as many matches as the limit, or MS_ERR_MEMORY if a
 * match could not be stored. */
ms_status ms_collector_status(const ms_collector *collector, ms_error *err);

/* True if a match could not be stored; those stored before are whole. */
bool ms_collector_is_full(const ms_collector *collector);

/* Returns all matches as (*vertices)[*rows][k].  Each row ascends, and the rows are in
 * lexicographic order, so they do not depend on the number of threads.  The caller frees
 * *vertices with ms_free; it is NULL with count_only.  The collector is empty afterwards.  The
 * caller initialises `count`, which receives the exact number of matches.  *stopped: MS_OK, or why
 * the token of the thread ended the sorting of many rows, which are then in no order. */
ms_status ms_collector_finish(ms_collector *collector, uint64_t *rows, uint32_t **vertices,
                              mpz_t count, ms_status *stopped, ms_error *err);

#endif
