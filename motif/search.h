/* The search of one worker: all matches with a given root, or in a donated branch. */
#ifndef MS_MOTIF_SEARCH_H
#define MS_MOTIF_SEARCH_H

#include "motif/count/work_queue.h"
#include "motif/engine.h"
#include "motif/ranked.h"
#include "motif/slot_state.h"
#include "motif/units.h"
#include "motif/wanted.h"

/* The state after choosing one more vertex. */
typedef struct ms_frame {
  uint32_t vertex;                  /* rank of the vertex chosen last */
  uint32_t missing;                 /* mandatory vertices not chosen yet */
  ms_slot_state slots;              /* the chosen vertices in slots */
  uint8_t distance[MS_MAX_COLUMNS]; /* [column] least distance of a chosen vertex */
  size_t cursor, end;               /* arena: untried candidates */
  size_t fresh, top;                /* arena: candidates that this frame marked as visited */
} ms_frame;

typedef struct ms_sum_bound ms_sum_bound;

typedef struct ms_search {
  const ms_ranked *ranked;
  const ms_sum_bound *bound;          /* leaves out sets (sum_bound.h); NULL: none are left out */
  const atomic_uint_least32_t *least; /* with `bound`: the least sum of use */
  const ms_match_sink *sink;
  void *part; /* the part of the work that is being searched; NULL: there are no parts */
  void *rest; /* the part for what comes after a root that was shared; NULL: it was not */
  const ms_stop *stop;
  ms_work_queue *pool;
  int thread;
  ms_second_share second;   /* sets have a second vertex that is in it; NULL: any */
  uint32_t lowest;          /* ranks below it do not join the root */
  uint32_t depth;           /* vertices chosen */
  uint64_t steps;           /* choices tried, roots included */
  uint64_t counted;         /* matches, if they are only counted */
  uint64_t *taking;         /* [n] then: matches that hold each rank; NULL: not counted */
  ms_wanted wanted;         /* then: matches that are picked out of them, from counted = 0 on */
  uint64_t work;            /* all work, in steps (note_work) */
  uint64_t most;            /* work after which the search ends; 0: any */
  uint64_t unchecked;       /* work since the last check of the stop token, in steps */
  uint64_t donated_at;      /* steps when this branch began or last donated a part */
  ms_frame frame[MS_MAX_K]; /* [depth] */
  uint32_t set[MS_MAX_K];   /* [depth] instance vertices chosen */
  uint32_t last[MS_SETS_TOGETHER]; /* [gathered] with each of these, the set is a match that has not
                                      been delivered */
  uint32_t gathered;
  uint8_t *visited;    /* [n] all zero between branches, but for ranks that nothing may hold */
  ms_candidate *arena; /* [capacity] the frames' candidates, one after the other */
  size_t capacity;
  ms_branch branch; /* the donated branch that is being searched */
} ms_search;

ms_status ms_search_init(ms_search *search, const ms_ranked *ranked, int thread, ms_error *err);
void ms_search_free(ms_search *search);

/* A search in lists by itself, of one root after the other: its queue has one worker, for which no
 * other waits.  It begins as {0}, and stays where it is once it is open. */
typedef struct ms_lone_search {
  ms_search search;
  ms_work_queue pool;
  ms_match_sink sink;
  bool pool_open, search_open;
} ms_lone_search;

/* Opens it; a failure leaves it to ms_lone_search_close.  `halt` ends it soon; may be NULL. */
ms_status ms_lone_search_open(ms_lone_search *s, const ms_ranked *ranked, ms_match_fn match,
                              void *user, const atomic_bool *halt, const ms_stop *stop,
                              ms_error *err);
void ms_lone_search_close(ms_lone_search *s);

/* Finds all matches whose lowest rank is `root`. */
ms_status ms_search_root(ms_search *search, uint32_t root, ms_error *err);
/* Finds all matches that hold `root`, also with lower ranks. */
ms_status ms_search_around(ms_search *search, uint32_t root, ms_error *err);
/* Finds all matches in search->branch. */
ms_status ms_search_branch(ms_search *search, ms_error *err);

#endif
