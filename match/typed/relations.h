/* The relations of a typed pattern as engines read them: an index whose vertices are the active
 * ones, those in some domain, and whose rows are a kind for each relation and side
 * (shape.h).  All types are tested when the rows are built, so that engines only
 * intersect sorted rows, as for every other pattern. */
#ifndef MS_MATCH_TYPED_RELATIONS_H
#define MS_MATCH_TYPED_RELATIONS_H

#include "match/domains.h"
#include "match/typed/shape.h"
#include "match/typed/walk.h"

struct ms_budget;

/* The vertices that the rows of one kind lead from and to, and their entries. */
typedef struct ms_relation_side {
  uint32_t sources, targets;
  uint64_t entries;
} ms_relation_side;

typedef struct ms_typed_relations {
  /* Ids ascend by vertex.  The rows of all neighbours hold the edges of every type in the
   * whole graph, for an induced pattern, and are empty for others; there is no graph, no
   * colour and no hub. */
  ms_pattern_index index;
  ms_domains domains; /* [pattern vertices] of ids */
  /* [relations] of the rows of the label 1 + 2 r; the other side has the same entries */
  ms_relation_side *side;
  /* [n][n] the mean length of the rows of a vertex of i's domain that lead to j's */
  double row[MS_MAX_PATTERN][MS_MAX_PATTERN];
  struct ms_budget *budget;
  uint64_t reserved; /* bytes reserved in the budget for rows */
} ms_typed_relations;

/* Builds the rows of both sides of each relation.  Time and memory are O(arcs of the domains'
 * vertices) for each relation.  The memory is reserved in the budget, which may be NULL, until
 * the relations are freed.  Returns MS_ERR_LIMIT or MS_ERR_INTERRUPTED if `stop` says so. */
ms_status ms_typed_relations_new(const ms_typed_part *part, const ms_typed_query *query,
                                 const ms_typed_shape *shape, const ms_typed_domains *domains,
                                 int threads, const ms_stop *stop, struct ms_budget *budget,
                                 ms_typed_relations **out, ms_error *err);
void ms_typed_relations_free(ms_typed_relations *relations);

/* Returns the number of entries of all relations, each counted from one side. */
uint64_t ms_typed_relations_entries(const ms_typed_relations *relations);

#endif
