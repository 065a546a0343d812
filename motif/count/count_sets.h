/* Counts the matches with a given root by rows of bits, without visiting them, and finds one match.
 *
 * Sets grow as in search.h: N is the closed neighbourhood of the set S, X the candidates; after a
 * candidate u it is (X without the bits up to u) | (row(u) & ~N), and N is N | row(u).  Bits stand
 * for ranks, of which only those above the root take part.  Only candidates that fit are kept.
 *
 * At a set S of k - 2 vertices the last two levels are counted.  For a kind c of candidates let
 * F(c) be what may join S and a vertex of c.  The matches are the pairs u, w within X, and, for
 * each u of X, the bits of row(u) & ~N & F(c): the edges between X's vertices of c and a set that
 * all of them share.  Each of these edges is counted from the side where the fewest words have to
 * be read.  (Method: ours; ESU is Wernicke's, see search.c.)
 *
 * The matches of each vertex are counted on the way.  A vertex of a set that is grown is in all
 * that are found until it is taken off again.  A vertex of the last two levels is the end of pairs,
 * each of which is met from both of its ends, or of edges.  These are read from one side only, and
 * the rows of that side are added up bit by bit, which gives the number of each vertex on the
 * other. */
#ifndef MS_MOTIF_COUNT_SETS_H
#define MS_MOTIF_COUNT_SETS_H

#include "motif/count/ball.h"
#include "motif/kinds.h"
#include "motif/units.h"
#include "motif/wanted.h"

/* Where the bits of a run of ranks lie in a row. */
typedef struct ms_span {
  uint32_t first, last;                       /* words, inclusive */
  uint64_t head, tail;                        /* the bits of the run in these two words */
  uint32_t words;                             /* in all vectors that hold bits of the run */
  _Alignas(64) uint64_t heads[MS_FIT_VECTOR]; /* the first vector without what is before the run */
  uint64_t tails[MS_FIT_VECTOR];              /* the last vector without what is after it */
} ms_span;

/* The adjacency of all ranks as rows of bits. */
typedef struct ms_bit_rows {
  uint32_t n, words; /* words of a row, a multiple of MS_FIT_VECTOR */
  uint64_t *row;     /* [n][words] */
  ms_span *span;     /* [runs of the kinds] */
} ms_bit_rows;

/* Returns the bytes that rows for so many ranks take. */
uint64_t ms_bit_rows_bytes(uint32_t n);
ms_status ms_bit_rows_new(const ms_kinds *kinds, ms_bit_rows *out, ms_error *err);
void ms_bit_rows_free(ms_bit_rows *rows);

#define MS_PLANES 8u         /* bits of the number of rows that hold a rank */
#define MS_MOST_STACKED 255u /* rows that are counted before the numbers are taken */
#define MS_STACKED 7u        /* rows that are added at once */

/* What one thread counts. */
typedef struct ms_set_counter {
  const ms_kinds *kinds;
  const ms_bit_rows *rows; /* NULL: matches are counted in balls */
  ms_ball *ball;           /* or NULL */
  ms_fits *fits;           /* their rows are for `rows` or for balls */
  uint64_t *space;         /* [k][2][words] X and N of each size */
  uint64_t *new;          /* [words] neighbours of a set that fit and that are not candidates yet */
  uint32_t from;          /* the first word that matters, a multiple of MS_FIT_VECTOR */
  ms_second_share second; /* `count` adds the matches whose second vertex is in it; NULL: all */
  uint64_t low, high;     /* matches: high * 2^64 + low */
  uint64_t *taking;       /* [n] matches that hold each rank; NULL: they are not counted */
  uint64_t *plane;    /* with taking and rows: [MS_PLANES + 1][words] 0 between two sets; the last
                         one is always 0 */
  uint64_t *here;     /* with them: [words] candidates of a run */
  uint64_t steps;     /* sets that were grown, or at which matches were counted */
  uint64_t unchecked; /* words that were read since the last poll */
  uint64_t words;     /* words that were read before */
  bool (*poll)(void *user); /* called now and then; false: the counting ends */
  void *user;
  bool ended;       /* poll said so, or what was searched for is found */
  ms_wanted wanted; /* matches that are picked out of those that are counted, from low = 0 on */

  bool folds_three; /* balls: the last three levels are counted at once; there are few kinds, and
                       only the number is asked for */

  /* a search for one match */
  bool finds;
  uint64_t most;             /* words that a search may read; 0: any number */
  const uint8_t *dead;       /* [n] 1: the rank is in no match */
  const uint64_t *dead_bits; /* [words] the same as bits, with `rows` */
  uint32_t member[MS_MAX_K]; /* ranks (in a ball: members) of the set that is grown */
  bool found;                /* member[k] is a match, of ranks */
} ms_set_counter;

/* Makes a counter that has no poll yet: for rows, or for balls if `rows` is NULL.  `takes`: it
 * counts the matches of each rank, too.  At most `state_bytes` are kept in states (ms_fits_new).
 * After a failure there is nothing to close. */
ms_status ms_set_counter_open(const ms_kinds *kinds, const ms_bit_rows *rows, bool takes,
                              uint64_t state_bytes, ms_budget *budget, ms_set_counter *out,
                              ms_error *err);
void ms_set_counter_close(ms_set_counter *counter);

/* One for each instruction set. */
typedef struct ms_set_counting {
  const char *name;
  /* Adds the matches whose lowest rank is `root` and whose second vertex, in the order in which
   * candidates are taken, has a number that is `part` modulo `parts`.  k >= 3; parts is 1 if
   * k < 4. */
  void (*count)(ms_set_counter *counter, uint32_t root, uint32_t part, uint32_t parts);
  /* Adds the matches whose lowest rank is `root` in counter->ball, which it makes.  Returns false,
   * and adds nothing, if the ball would have too many members.  k >= 3. */
  bool (*count_in_ball)(ms_set_counter *counter, uint32_t root);
  /* Search for one match that holds `root` and no dead rank; counter->found says whether there is
   * one.  The second does it in a ball, as above.  k >= 3. */
  void (*find)(ms_set_counter *counter, uint32_t root);
  bool (*find_in_ball)(ms_set_counter *counter, uint32_t root);
} ms_set_counting;

extern const ms_set_counting ms_set_counting_portable, ms_set_counting_avx2, ms_set_counting_avx512;

/* Returns the i-th that runs on this processor, or NULL; a later one is faster. */
const ms_set_counting *ms_set_counting_at(unsigned i);
/* Returns the fastest, or the one that MOTIFSIEVE_SETS names. */
const ms_set_counting *ms_set_counting_best(void);

#endif
