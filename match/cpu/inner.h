/* Counts the maps of a program's inner pattern in inner graphs (inner_plan.h). */
#ifndef MS_MATCH_CPU_INNER_H
#define MS_MATCH_CPU_INNER_H

#include "match/cpu/inner_plan.h"
#include "match/cpu/inner_squares.h"
#include "match/cpu/inner_words.h"
#include "match/cpu/root_graph.h"

/* One term with what a thread needs to run it. */
typedef struct ms_inner_part {
  ms_program program; /* the term's, with the inner graph as its index */
  ms_runner runner;   /* its total is that of all inner graphs */
  ms_word_program words;
  bool has_words;
} ms_inner_part;

/* The state of one thread.  An inner graph is made once and then visited, in ranges of its
 * vertices, which are the roots of the inner programs. */
typedef struct ms_inner {
  ms_runner *outer;
  const ms_inner_plan *plan;
  ms_inner_part *part; /* [plan->count] */
  uint32_t n;          /* vertices of the inner graph, ascending by their degree in it if there are
                          more than 64 of them */
  bool in_words;       /* rows are words, and every part has a program for them */
  uint64_t word[MS_WORD];
  ms_pattern_index index; /* otherwise */
  ms_neighbor_rows rows;
  uint64_t *offset, *lower_end; /* [most + 1] [most] */
  uint32_t *lower;              /* [lower_room] */
  size_t lower_room, neighbor_room;
  uint32_t *degree, *rank, *order; /* [most + 1] [most] [most] */
  uint32_t *place;                 /* [outer n] 1 + place in the set; 0 between two graphs */
  ms_space near;
  ms_inner_squares squares; /* of a plan of 4-cycles, in graphs without words */
  ms_root_graph graph; /* of which inner graphs are parts; graph.root is UINT32_MAX: they are made
                          from the outer rows */
} ms_inner;

/* Prepares for the program of `outer`, which has an inner pattern; after a failure, too, the caller
 * frees it. */
ms_status ms_inner_init(ms_inner *inner, ms_runner *outer, ms_error *err);
void ms_inner_free(ms_inner *inner);

/* Sets *set to the candidates of the inner vertices under the outer runner's partial match, whose
 * sets are computed.  It returns false without memory. */
bool ms_inner_vertices(ms_runner *outer, ms_span *set);
/* Makes the inner graph of the outer runner's partial match, whose sets are computed.  It returns
 * false after a failure or a stop, which the outer runner's status names. */
bool ms_inner_enter(ms_inner *inner);
/* Counts for a range of roots.  It returns false if a stop or `halt` ended it, or without memory.
 */
bool ms_inner_visit(ms_inner *inner, uint64_t first, uint64_t last);
/* Counts what visits of this inner graph have left for later.  Without it, some maps are not
 * counted.
 */
void ms_inner_leave(ms_inner *inner);
/* Does all of this for all roots: `found` of a runner, with the ms_inner as `user`. */
bool ms_inner_count(void *inner, const uint32_t *ids);
/* Adds what the runners of the terms did to the work, which may be NULL. */
void ms_inner_add_work(const ms_inner *inner, ms_work *work);
/* Adds the maps that were counted to `sum`, and sets them to zero. */
void ms_inner_total(ms_inner *inner, mpz_t sum);

#endif
