/* What the parts of ms_list share: the state of a list, its rows and its counts. */
#ifndef MS_RUN_LISTING_H
#define MS_RUN_LISTING_H

#include "motif/best/best.h"
#include "motif/collect.h"
#include "motif/engine.h"
#include "motif/regions.h"
#include "parts/identity.h"
#include "run/motif_engine.h"
#include "run/run.h"

/* Number of rows for a receiver that are held back, to be sorted at the end.  With more rows that
 * would take too long after a search was stopped. */
#define MS_SORTED_ROWS ((uint64_t)1 << 20)

typedef struct ms_listing {
  ms_run run;
  const ms_query *query;
  const ms_list_options *options;
  int threads;
  ms_instance *instance;
  uint8_t *keep;             /* [instance n] the sieve's flags; NULL: all vertices are searched */
  ms_regions *regions;       /* NULL: the sieve was stopped */
  const ms_instance *region; /* the region that is being searched */
  ms_collector *collector;   /* NULL: rows go to a receiver, or are sorted */
  ms_best *best;             /* NULL: rows are not sorted by a measure */
  ms_set_judge *set_judge;
  ms_sums sums; /* with rows that are sorted by the scores of their vertices */
  atomic_uint_fast64_t found, visits;
  atomic_uint_fast64_t first_twice; /* a stored match that occurs twice */
  ms_list_result *result;
  ms_motif_engine engine;
  ms_integrity *checks;     /* of a count, NULL: copies from GPUs are not checked */
  ms_motif_counted counted; /* the engine that has counted or listed; engine NULL: none has */

  /* with a receiver */
  ms_stream *stream;
  ms_segment **segment; /* [threads] where the matches of each thread go */
  atomic_bool halt;     /* set when the stream takes no more rows */
  uint32_t *held;       /* [room][width] rows that are held back */
  uint64_t n_held, room;
} ms_listing;

/* Says how long the search on processors takes, if it is long: a part of the roots is searched
 * (list_estimate.c). */
void ms_list_forecast(const ms_listing *list);

/* ---- rows (list_rows.c) ------------------------------------------------------------ */

/* The parts of the engine's work are the segments of the stream; user: the list. */
extern const ms_parts ms_list_segments;
/* Receives rows from the stream, and holds back up to MS_SORTED_ROWS of them, unless the result
 * says that they are streamed; an ms_pattern_rows_fn.  user: the list. */
bool ms_list_receive(void *user, const uint32_t *rows, uint64_t count);
/* Begins to pass rows on to the receiver, first those that were held back.  Returns false if it
 * takes no more. */
bool ms_list_deliver_held(ms_listing *list);

/* Receives a match, judges it, and stores it or passes it on; an ms_match_fn.  user: the list. */
bool ms_list_on_match(void *user, int thread, const uint32_t *set);
/* Does the same with matches that differ in one vertex; an ms_matches_fn. */
bool ms_list_on_matches(void *user, int thread, const uint32_t *set, const uint32_t *last,
                        uint32_t count);
/* Adds a judged row to `best` of the list, on one thread.  Returns false if it has no room. */
bool ms_list_keep_best(ms_listing *list, const uint32_t *row);
/* Checks that no two stored matches are the same, unless `unsorted` is the status of a stop that
 * ended their sorting.  A run that was stopped does not sort them again for this check. */
ms_status ms_list_check_stored(ms_listing *list, ms_status unsorted, ms_error *err);
/* The same of sorted rows[count][width]. */
ms_status ms_list_check_rows(const ms_listing *list, const uint32_t *rows, uint64_t count,
                             ms_error *err);

/* ---- counts (list_count.c) ----------------------------------------------------------- */

/* Notes the engine of a region; the result names a GPU if it has counted or listed any. */
void ms_list_note_engine(ms_listing *list, const ms_motif_counted *counted);
/* Sets `number` to the number of matches of a share of units (motif/units.h) in all regions; NULL:
 * of all units.  It does not visit each. */
ms_status ms_list_count_share(ms_listing *list, const ms_share *share, mpz_t number, ms_error *err);

/* ---- rows in parts and with checkpoints (list_parts.c) ------------------------------------- */

/* Appends what the matches depend on: the graph, the colours and the motif. */
ms_status ms_list_identify(const ms_listing *list, ms_identity *identity, ms_error *err);
/* Lists the rows unit by unit, for the receiver of the run, or stores them, as ms_run_rows. */
ms_status ms_list_rows_in_units(ms_listing *list, ms_error *err);

/* ---- all counts, in parts and with checkpoints (list_units.c) --------------------------- */

/* MS_ERR_USAGE: a list with these options cannot be divided.  Else *options, a copy of the
 * caller's, is that of an exact search. */
ms_status ms_list_division_take(ms_list_options *options, ms_division *own, ms_error *err);
/* Counts the matches; of a part, the number is what it adds to the whole. */
ms_status ms_list_count_all(ms_listing *list, ms_error *err);

#endif
