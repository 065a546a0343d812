/* The search for connected sets of k vertices, each once, with the kinds of their vertices.
 *
 * It is the enumeration of S. Wernicke: Efficient detection of network motifs (2006), "ESU".  A set
 * begins with its vertex of the lowest rank, its root.  A set S has a list X of candidates.  For
 * each candidate u in turn, S with u is the next set.  Its candidates are the candidates behind u
 * in X, and the neighbours of u that are neither in S nor next to a vertex of S.  All of these
 * ranks are above the root.  So each set is reached on one way.
 *
 * The last two levels are not visited.  Sets of k - 2 vertices are reached in this way, and for
 * each candidate u of such a set S, the sets that S and u lead to are completed by the candidates
 * behind u and the new neighbours of u.  Each of these adds 1 to the number at its kind in the row
 * of the kinds of S and u.  Where X is long, its pairs are counted by their kinds.
 *
 * search_template.h is the search; dense.c and sparse.c are its two forms.  They differ in what a
 * row is. */
#ifndef MS_CENSUS_SEARCH_H
#define MS_CENSUS_SEARCH_H

#include "base/threads/watch.h"
#include "census/bits.h"
#include "census/tally.h"

/* The numbers of sets of all multisets, in tables that have a place for each. */
typedef struct ms_dense {
  ms_multisets numbers;
  uint64_t rows;                 /* multisets of k - 1 kinds */
  uint32_t stride;               /* of a row: kinds + 1 */
  uint32_t *step[MS_MAX_CENSUS]; /* [size][multisets of `size` kinds][kinds] the number of the
                                    multiset with one more kind, for 0 < size < k - 1 */
  _Atomic uint64_t *total;       /* [multisets of k kinds] */
  uint64_t *number;              /* [kinds] scratch of one thread */
  atomic_bool overflow;          /* a total has no 64 bits */
} ms_dense;

/* The memory of one thread. */
typedef struct ms_census_search {
  const ms_census_graph *graph;
  uint32_t k;
  uint32_t floor;     /* lower ranks do not count */
  ms_kind_id *tag;    /* [n] the kind of each rank that is neither in S nor next to it; kinds: of
                         the others */
  uint32_t *x;        /* [n] candidates, of all levels */
  ms_kind_id *x_kind; /* [n] their kinds */
  uint32_t *first, *later; /* [kinds] candidates of each kind; zeros between two uses */
  ms_kind_id *present;     /* [kinds] */
  uint64_t visits;         /* sets that were reached */
  /* rows of bits; NULL: all neighbours are looked at */
  const ms_census_bits *bits;
  uint64_t *free; /* [words] the ranks from free_floor on that are neither in S nor next to it */
  uint32_t free_floor;
  uint64_t *sum;       /* [words] numbers of completions */
  uint32_t *next_hub;  /* [n] lists of candidates with rows, by their places in x */
  uint32_t *first_hub; /* [kinds] place plus 1; zeros between two uses */
  ms_watch *watch;
  bool ended; /* the search was stopped, or has no memory */
  /* dense */
  ms_dense *dense;
  uint32_t *row;    /* [rows][stride] numbers that are not in the totals yet */
  uint32_t room;    /* sets that may be counted before they are taken there */
  uint64_t *number; /* [2 * kinds] scratch */
  /* sparse */
  ms_tally local;
  ms_shared_tally *shared; /* NULL: `local` receives all */
  bool full;               /* there was no memory for a number */
} ms_census_search;

/* Opens the part that both forms share. */
ms_status ms_census_search_open(ms_census_search *s, const ms_census_graph *graph, uint32_t k,
                                ms_watch *watch, ms_budget *budget, ms_error *err);
/* Lets the search use rows of bits, which outlive it. */
ms_status ms_census_search_use_bits(ms_census_search *s, const ms_census_bits *bits,
                                    ms_budget *budget, ms_error *err);
void ms_census_search_close(ms_census_search *s, ms_budget *budget);
/* Returns the bytes that it reserves. */
uint64_t ms_census_search_bytes(const ms_census_graph *graph);

/* Counts the sets of this root whose second vertex is one of candidates begin .. end - 1 of the
 * root, which are its neighbours from `floor` on; begin < end.  A search of k = 2 has one vertex
 * there. */
typedef void ms_census_root_fn(ms_census_search *s, uint32_t root, uint32_t begin, uint32_t end);

ms_census_root_fn ms_census_root_dense, ms_census_root_sparse;

/* ---- dense tables --------------------------------------------------------------------- */

/* Returns the bytes of the tables that all threads share, and sets *of_thread to the bytes of the
 * tables of one thread; UINT64_MAX: too many. */
uint64_t ms_dense_bytes(uint32_t kinds, uint32_t k, uint64_t *of_thread);
ms_status ms_dense_open(ms_dense *d, uint32_t kinds, uint32_t k, ms_error *err);
/* The same without totals. */
ms_status ms_dense_open_steps(ms_dense *d, uint32_t kinds, uint32_t k, ms_error *err);
void ms_dense_close(ms_dense *d);
/* Makes the totals zero. */
void ms_dense_clear(ms_dense *d, uint32_t k);
/* Moves the numbers of a thread into the totals, while others search or do the same. */
void ms_dense_take(ms_census_search *s);
/* Moves the numbers of search[searches], none of which is searching, into the totals, on as many
 * threads. */
void ms_dense_gather(ms_census_search *search, int searches);
/* Adds cell[rows][kinds] to the totals: the sets of a multiset of k - 1 kinds and one more kind. */
void ms_dense_add_cells(ms_dense *d, uint32_t kinds, uint32_t k, const uint64_t *cell);
/* Adds to the total of the multiset of row `row` and a kind. */
void ms_dense_add(ms_census_search *s, uint64_t row, ms_kind_id kind, uint64_t sets);

#endif
