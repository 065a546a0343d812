/* Inside verify/: what a judge knows of its query.
 *
 * A plain pattern and a typed one differ in the edges of a pair only.  Both have a vertex mask for
 * each vertex of the graph, a list of pairs of pattern vertices, and a graph whose rows ascend. */
#ifndef MS_VERIFY_JUDGE_H
#define MS_VERIFY_JUDGE_H

#include "query/pattern.h"
#include "query/query.h"
#include "query/typed_query.h"
#include "verify/symmetry.h"
#include "verify/verify.h"

#define MS_MAX_JUDGE_PAIRS (MS_MAX_PATTERN * (MS_MAX_PATTERN - 1) / 2)

/* Two pattern vertices that have edges between them, one that has self-loops, or (induced) two that
 * must not be joined. */
typedef struct ms_judge_pair {
  uint8_t first, second; /* first <= second */
  bool joined;           /* the pattern has an edge here */
  /* plain: bit a of `fits`: the arcs a are right; of `enough`: they are all that the pattern has,
   * maybe with more.  a: bit 0 an arc from first to second, bit 1 one back; undirected: 0 or 3 */
  uint8_t fits, enough;
  uint16_t begin, edges; /* typed: its edges in `accepted` */
} ms_judge_pair;

struct ms_judge {
  ms_verdict (*row)(const ms_judge *judge, const uint32_t *row);
  const ms_query *query; /* of a motif, which needs nothing else */

  uint32_t p, n;            /* vertices of the pattern, of the graph */
  const uint64_t *offset;   /* [n + 1] the rows of the graph */
  const uint32_t *neighbor; /* [arcs] ascending within a row; typed: repeats are possible */
  const uint8_t *direction; /* [arcs] plain: bits as above; NULL: undirected */
  const ms_type *type;      /* [arcs] typed */
  bool typed;

  /* bit i: pattern vertex i accepts the vertex.  [n]; typed: [vertex types]; NULL: all accept all
   */
  uint64_t *mask;
  const ms_type *vertex_type; /* [n] typed */

  uint32_t pairs, ordered;
  ms_judge_pair pair[MS_MAX_JUDGE_PAIRS];  /* [pairs] ascending by second, then by first */
  uint16_t pairs_from[MS_MAX_PATTERN + 1]; /* [p + 1] the first pair whose second is at least i */
  const uint64_t *accepted[2][MS_MAX_TYPED_EDGES]; /* [edges] arc types, seen from first, second */

  ms_kinds kinds;
  uint8_t smaller[MS_MAX_JUDGE_PAIRS][2]; /* [ordered] row[0th] < row[1st] in the smallest row */
};

/* For the constructors. */
void ms_judge_add_pair(ms_judge *judge, ms_judge_pair pair);
/* Once pairs, masks and kinds are there. */
ms_status ms_judge_finish(ms_judge *judge, bool subgraphs, ms_error *err);

/* The vertex mask of v. */
static inline bool ms_judge_vertex_fits(const ms_judge *judge, uint32_t i, uint32_t v)
{
  return !judge->mask || judge->mask[judge->typed ? judge->vertex_type[v] : v] >> i & 1;
}

/* Are the edges of the graph right, with the pair's first vertex at v and its second at w? */
ms_verdict ms_judge_pair_row(const ms_judge *judge, const ms_judge_pair *pair, uint32_t v,
                             uint32_t w);

/* ---- motifs ---------------------------------------------------------------------- */

/* The slots that vertex v may take by its colours, bit d = slot d. */
uint32_t ms_verify_slots(const ms_query *query, uint32_t v);

/* Can `count` <= MS_MAX_K vertices with these slots be given distinct ones?
 * Kuhn's augmenting paths from scratch. */
bool ms_verify_fit(const uint32_t *slots, uint32_t count);

#endif
