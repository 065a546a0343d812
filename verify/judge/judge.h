/* Inside verify/: what a judge knows about its query.
 *
 * A plain pattern and a typed one differ only in the edges of a pair.  Both have a vertex mask for
 * each vertex of the graph, a list of pairs of pattern vertices, and a graph whose neighbour rows
 * ascend. */
#ifndef MS_VERIFY_JUDGE_H
#define MS_VERIFY_JUDGE_H

#include "query/pattern.h"
#include "query/query.h"
#include "query/typed_query.h"
#include "verify/known_arcs.h"
#include "verify/symmetry.h"
#include "verify/verify.h"

/* two vertices, or one with self-loops */
#define MS_MAX_JUDGE_PAIRS (MS_MAX_PATTERN * (MS_MAX_PATTERN + 1) / 2)

/* Two pattern vertices that have edges between them, one vertex that has self-loops, or (induced)
 * two vertices that must not be joined. */
typedef struct ms_judge_pair {
  uint8_t first, second; /* first <= second */
  bool joined;           /* the pattern has an edge here */
  /* plain: an arc set a has bit 0 for an arc from first to second and bit 1 for one back;
   * undirected: a is 0 or 3.  Bit a of `fits`: these arcs are exactly right.  Bit a of `enough`:
   * they include all arcs of the pattern, maybe with more. */
  uint8_t fits, enough;
  uint16_t begin, edges; /* typed: the pair's edges in `accepted`; none if it is not joined */
} ms_judge_pair;

/* What threads remember of the rows that they checked (judge_row.c). */
typedef struct ms_recents ms_recents;

struct ms_judge {
  ms_verdict (*row)(const ms_judge *judge, const uint32_t *row);
  const ms_query *query; /* motif: the query; a motif needs no other field */

  uint32_t p, n;            /* number of vertices of the pattern, and of the graph */
  const uint64_t *offset;   /* [n + 1] bounds of the graph's neighbour rows */
  const uint32_t *neighbor; /* [arcs] ascending within a row; typed: repeats are possible */
  const uint8_t *direction; /* [arcs] plain: bits as in ms_judge_pair; NULL: undirected */
  const ms_type *type;      /* [arcs] typed */
  bool typed;

  /* bit i % 64 of word i / 64: pattern vertex i accepts the vertex.  [n][words]; typed: [vertex
   * types][words]; NULL: every pattern vertex accepts every vertex */
  uint64_t *mask;
  uint32_t words;             /* (p + 63) / 64 */
  const ms_type *vertex_type; /* [n] typed */

  uint32_t pairs, ordered;
  ms_judge_pair pair[MS_MAX_JUDGE_PAIRS];  /* [pairs] ascending by second, then by first */
  uint16_t pairs_from[MS_MAX_PATTERN + 1]; /* [p + 1] the first pair whose second is at least i */
  const uint64_t *accepted[2][MS_MAX_TYPED_EDGES]; /* [edges] accepted arc types, seen from first
                                                      and from second */

  ms_recents *recents;  /* NULL: of a motif */
  ms_known_arcs *known; /* of a plain pattern; else NULL */

  uint32_t n_required, required[MS_MAX_K]; /* vertices that a pattern's match must hold */

  ms_kinds kinds;
  uint8_t smaller[MS_MAX_JUDGE_PAIRS]
                 [2]; /* [ordered] pairs (i, j) with row[i] < row[j] in the smallest row */
};

/* Appends a pair; for the constructors. */
void ms_judge_add_pair(ms_judge *judge, ms_judge_pair pair);
/* Completes a judge whose pairs, masks and kinds are set, if `status` is MS_OK, and sets *out to
 * it; else, or if that fails, frees it.  Returns the status. */
ms_status ms_judge_finish(ms_judge *judge, ms_status status, bool subgraphs, ms_judge **out,
                          ms_error *err);

/* True if pattern vertex i accepts graph vertex v by its mask. */
static inline bool ms_judge_vertex_fits(const ms_judge *judge, uint32_t i, uint32_t v)
{
  size_t row = judge->typed ? judge->vertex_type[v] : v;
  return !judge->mask || judge->mask[row * judge->words + i / 64] >> i % 64 & 1;
}

/* Sets lowest[p] to the lowest vertex of the pattern that an automorphism takes to each one; else
 * as ms_judge_automorphisms. */
ms_status ms_judge_orbits(const ms_judge *judge, uint8_t *lowest, const ms_stop *stop,
                          ms_error *err);

/* True if row[p] holds graph vertex v. */
bool ms_judge_holds(const ms_judge *judge, const uint32_t *row, uint32_t v);

/* Compares the arcs between the vertices of a pair in a plain graph, as a set a of the pair, with
 * those of the pattern. */
static inline ms_verdict ms_judge_arcs(const ms_judge_pair *pair, unsigned arcs)
{
  if (pair->fits >> arcs & 1)
    return MS_MATCH_OK;
  return pair->enough >> arcs & 1 ? MS_MATCH_EXTRA_EDGE : MS_MATCH_LACKS_EDGE;
}

/* Looks up the arcs between v and w, other than v, in a plain graph: bit 0 for an arc from v to w,
 * and bit 1 for one back; undirected: 0 or 3. */
unsigned ms_judge_find_arcs(const ms_judge *judge, uint32_t v, uint32_t w);
/* Checks the edges of the graph for a pair whose first vertex is at v and whose second is at w. */
ms_verdict ms_judge_pair_row(const ms_judge *judge, const ms_judge_pair *pair, uint32_t v,
                             uint32_t w);

ms_status ms_recents_new(ms_recents **out, ms_error *err);
void ms_recents_free(ms_recents *recents);
/* Checks a row of a pattern, with what this thread remembers of the rows before it. */
ms_verdict ms_judge_map(const ms_judge *judge, const uint32_t *row);
/* Returns how many of rows[count][p] of a plain pattern, from the first on, are matches for sure,
 * by arcs that are known to all threads: all of them, or those before the block that has a row that
 * is none.  0 if nothing is known yet. */
uint64_t ms_judge_maps(const ms_judge *judge, const uint32_t *rows, uint64_t count);
/* Gives the same verdict, but neither reads nor changes what a thread remembers. */
ms_verdict ms_judge_map_alone(const ms_judge *judge, const uint32_t *row);

/* ---- motifs ---------------------------------------------------------------------- */

/* Returns the slots that vertex v may take by its colours; bit d stands for slot d. */
uint32_t ms_verify_slots(const ms_query *query, uint32_t v);

/* True if v is in the row of u. */
bool ms_verify_adjacent(const ms_graph *graph, uint32_t u, uint32_t v);

/* True if `count` <= MS_MAX_K vertices with these slots can be given distinct ones.  Uses Kuhn's
 * augmenting paths, from scratch. */
bool ms_verify_fit(const uint32_t *slots, uint32_t count);
/* Returns the greatest number of slots that `count` <= MS_MAX_K vertices with these slots fill. */
uint32_t ms_verify_filled(const uint32_t *slots, uint32_t count);

/* Checks that the vertices of set[size], size <= MS_MAX_K, exist, differ and are connected. */
ms_verdict ms_verify_set(const ms_query *query, const uint32_t *set, uint32_t size);
/* True if set[size] holds all required vertices. */
bool ms_verify_required(const ms_query *query, const uint32_t *set, uint32_t size);

/* Fills role[k] with the names of the colours of the slots that the vertices of a match fill.  In
 * their order, each takes the first slot that leaves a way to pair off all others, which is decided
 * from scratch each time. */
void ms_verify_roles(const ms_query *query, const uint32_t *set, const char **role);

#endif
