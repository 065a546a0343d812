/* Counts by a *local* program, all of whose vertices are next to the root, with bits.
 *
 * The root's *universe* is its row, cut by the bounds that all sets of the program share.  Each set
 * is a string of bits, one for each vertex of the universe, and so is the part of a vertex's row
 * that lies in it.  An intersection is then one AND for 64 vertices, whatever the lengths of the
 * rows; BEEP and G2Miner count cliques in this way on GPUs.  A vertex's row is made when it is
 * first matched under a root, so that vertices outside of the program's bounds cost nothing. */
#ifndef MS_MATCH_CPU_UNIVERSE_H
#define MS_MATCH_CPU_UNIVERSE_H

#include "match/cpu/runner.h"

#define MS_UNIVERSE_SETS 64u   /* the most sets of a local program */
#define MS_UNIVERSE_LEVELS 32u /* the most levels that are visited: room for their matches */
/* A tail of one group of up to so many vertices is counted in 64 bits: 8,192^4 = 2^52. */
#define MS_UNIVERSE_SHORT_TAIL 4u

typedef struct ms_universe ms_universe;

/* Places in the universe, from lo up to, not including, hi. */
typedef struct ms_places {
  uint32_t lo, hi;
} ms_places;

/* Levels, not the root, whose matches are below, or above, all elements of a set, and which have
 * not cut the set that it is made from. */
typedef struct ms_universe_bounds {
  ms_places range; /* what the domain and the root leave of the universe */
  bool cuts;       /* some place or level has to be left out */
  uint8_t n_above, n_below;
  uint8_t above[MS_UNIVERSE_LEVELS], below[MS_UNIVERSE_LEVELS]; /* [n_above] [n_below] */
} ms_universe_bounds;

/* A set under the current partial match. */
typedef struct ms_universe_set {
  uint64_t *bits;
  uint32_t first, last; /* words that may hold elements; others are not written */
  ms_universe_bounds bounds;
} ms_universe_set;

/* The set that a match of the last level completes, of a program whose `is_simple` is true. */
typedef struct ms_universe_last {
  int from;                  /* the set that it is made from */
  ms_universe_bounds bounds; /* by earlier levels */
  bool above, below;         /* only elements above, or below, the match count */
  uint32_t size;             /* of the group */
  uint32_t n_distinct;
  uint8_t distinct[MS_UNIVERSE_LEVELS]; /* [n_distinct] levels whose match may be an element */
} ms_universe_last;

/* One path of instructions. */
typedef struct ms_universe_path {
  const char *name;
  /* Visits the candidates of level 1 from `first` up to, not including, `last`, and all below them.
   * Returns false after a stop, which the runner's status names. */
  bool (*visit)(ms_universe *universe, uint64_t first, uint64_t last);
} ms_universe_path;

struct ms_universe {
  ms_runner *runner;
  const ms_universe_path *path; /* NULL: the program is not local */
  bool entered;                 /* the universe is that of the runner's root */
  /* one group, whose set alone is completed by the last level that is visited */
  bool is_simple;
  ms_universe_last tail; /* then */
  bool
      upper; /* of each row, only vertices above that of the row are needed, and no others are there
              */
  const uint32_t *ids; /* [n] ascending */
  uint32_t n;
  size_t words;       /* of a row */
  uint64_t *row;      /* [n][words] */
  bool *made;         /* [n] whether the row is there */
  size_t row_room;    /* words */
  uint64_t *set_bits; /* [n_sets + n_groups][words] */
  ms_universe_set *set;
  ms_universe_bounds step[MS_UNIVERSE_LEVELS], group[MS_MAX_TAIL]; /* [prefix] [n_groups] */
  uint32_t match[MS_UNIVERSE_LEVELS]; /* [level] place; from level 1 on */
  uint32_t *place;                    /* [index n] place in the universe, and 1 */
  ms_space near;
};

/* True if a count may run the program in this way. */
bool ms_universe_suits(const ms_program *program);
/* True if the last level of such a program completes one set alone, by an intersection, which is
 * that of the only group; then only its ones are counted. */
bool ms_universe_is_simple(const ms_program *program);
/* True if each set of the program lies above the vertices whose rows it is made from, so that rows
 * have the larger neighbours alone. */
bool ms_universe_is_upper(const ms_program *program);
/* Prepares for counts by the runner's program; after a failure, too, the caller frees it. */
ms_status ms_universe_init(ms_universe *universe, ms_runner *runner, ms_error *err);
void ms_universe_free(ms_universe *universe);

/* Makes the universe of the runner's root, whose sets are computed.  Where the universe would be
 * too large, it is not entered, and the runner visits the root.  Returns false without memory. */
bool ms_universe_enter(ms_universe *universe);
/* Forgets the root. */
void ms_universe_leave(ms_universe *universe);
/* Visits a range of the candidates of level 1 (ms_runner_candidates), as ms_runner_visit does. */
bool ms_universe_visit(ms_universe *universe, uint64_t first, uint64_t last);

/* Makes the row of the vertex at this place.  There is room for it. */
void ms_universe_make_row(ms_universe *universe, uint32_t v);

/* Returns the i-th path that this processor supports, beginning with the portable one, or NULL
 * after the last.  MOTIFSIEVE_SETS=NAME selects one, as in sorted.h. */
const ms_universe_path *ms_universe_path_at(unsigned i);

extern const ms_universe_path ms_universe_portable;
#ifdef MS_X86_64
extern const ms_universe_path ms_universe_avx2, ms_universe_avx512;
#endif

#endif
