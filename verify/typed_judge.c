/* The check of one row of a typed match, vertices first, then each pair of
 * pattern vertices with its edges, then whether it is the smallest of its class. */
#include "verify/typed.h"

#include "base/alloc.h"
#include "base/status.h"
#include "verify/typed_fit.h"

struct ms_typed_judge {
  const ms_typed_query *query;
  ms_typed_pairs pairs;
  uint64_t orbit[MS_MAX_PATTERN]; /* [n] as ms_kinds_orbits; embeddings: only itself */
};

const char *ms_typed_verdict_text(ms_typed_verdict verdict)
{
  switch (verdict) {
  case MS_TYPED_OK:
    return "is a match";
  case MS_TYPED_REPEATS_VERTEX:
    return "repeats a vertex";
  case MS_TYPED_OUT_OF_RANGE:
    return "holds a vertex that is not in the graph";
  case MS_TYPED_WRONG_TYPE:
    return "holds a vertex whose type the pattern does not accept there";
  case MS_TYPED_LACKS_EDGE:
    return "lacks an edge for an edge of the pattern";
  case MS_TYPED_NOT_SMALLEST:
    return "is not the smallest of the rows that the pattern's symmetry makes of it";
  }
  return "has an unknown verdict";
}

ms_status ms_typed_judge_new(const ms_typed_query *query, bool subgraphs, ms_typed_judge **out,
                             ms_error *err)
{
  ms_status status = MS_OK;
  *out = NULL;
  ms_typed_judge *judge = ms_calloc(1, sizeof *judge);
  if (!judge) {
    return ms_fail_memory(err, "the judge of typed matches");
  }
  judge->query = query;
  ms_typed_list_pairs(query, &judge->pairs);
  if (subgraphs) {
    status = ms_typed_orbits(query, judge->orbit, NULL, err);
  }
  if (status != MS_OK) {
    ms_typed_judge_free(judge);
    return status;
  }
  *out = judge;
  return MS_OK;
}

void ms_typed_judge_free(ms_typed_judge *judge)
{
  ms_free(judge);
}

static ms_typed_verdict judge_vertices(const ms_typed_query *query, const uint32_t *row)
{
  for (uint32_t i = 0; i < query->n; i++) {
    if (row[i] >= query->graph->rows.n) {
      return MS_TYPED_OUT_OF_RANGE;
    }
    for (uint32_t h = 0; h < i; h++) {
      if (row[h] == row[i]) {
        return MS_TYPED_REPEATS_VERTEX;
      }
    }
  }
  for (uint32_t i = 0; i < query->n; i++) {
    if (!ms_typed_vertex_fits(query, i, row[i])) {
      return MS_TYPED_WRONG_TYPE;
    }
  }
  return MS_TYPED_OK;
}

/* symmetry.h: at each i no smaller vertex at another place of its orbit. */
static bool is_smallest(const ms_typed_judge *judge, const uint32_t *row)
{
  for (uint32_t i = 0; i < judge->query->n; i++) {
    for (uint64_t left = judge->orbit[i]; left; left &= left - 1) {
      if (row[__builtin_ctzll(left)] < row[i]) {
        return false;
      }
    }
  }
  return true;
}

ms_typed_verdict ms_typed_judge_row(const ms_typed_judge *judge, const uint32_t *row)
{
  const ms_typed_query *query = judge->query;
  ms_typed_verdict verdict = judge_vertices(query, row);
  if (verdict != MS_TYPED_OK) {
    return verdict;
  }
  for (uint32_t p = 0; p < judge->pairs.count; p++) {
    const ms_typed_pair *pair = &judge->pairs.pair[p];
    if (!ms_typed_pair_served(&query->graph->rows, &judge->pairs, p, row[pair->first],
                              row[pair->second])) {
      return MS_TYPED_LACKS_EDGE;
    }
  }
  return is_smallest(judge, row) ? MS_TYPED_OK : MS_TYPED_NOT_SMALLEST;
}
