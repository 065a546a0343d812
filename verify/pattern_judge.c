/* The check of one row.  All that depends on graph and pattern alone is looked
 * up beforehand: which vertices fit where, which pairs are to be looked at,
 * which pairs tell whether the row is the smallest of its class. */
#include "verify/pattern.h"

#include "base/alloc.h"
#include "base/status.h"
#include "verify/pattern_fit.h"
#include "verify/pattern_symmetry.h"

#define MAX_PAIRS (MS_MAX_PATTERN * (MS_MAX_PATTERN - 1) / 2)

typedef struct vertex_pair {
  uint8_t first, second; /* first < second */
  uint8_t wanted;        /* arcs that the pattern has between them */
} vertex_pair;

struct ms_pattern_judge {
  const ms_graph *graph;
  const ms_pattern *pattern;
  bool induced;
  uint64_t *fits; /* [n] as ms_pattern_fits */
  uint32_t pairs, ordered;
  vertex_pair pair[MAX_PAIRS];    /* [pairs] edges; induced: all pairs */
  vertex_pair smaller[MAX_PAIRS]; /* [ordered] row[first] < row[second], or it is not smallest */
};

const char *ms_pattern_verdict_text(ms_pattern_verdict verdict)
{
  switch (verdict) {
  case MS_PATTERN_OK:
    return "is a match";
  case MS_PATTERN_REPEATS_VERTEX:
    return "repeats a vertex";
  case MS_PATTERN_OUT_OF_RANGE:
    return "holds a vertex that is not in the graph";
  case MS_PATTERN_LACKS_EDGE:
    return "lacks an edge of the pattern";
  case MS_PATTERN_EXTRA_EDGE:
    return "has an edge where the pattern has none, and is to be induced";
  case MS_PATTERN_WRONG_COLOR:
    return "holds a vertex whose colour the pattern does not accept there";
  case MS_PATTERN_NOT_SMALLEST:
    return "is not the smallest of the rows that the pattern's symmetry makes of it";
  }
  return "has an unknown verdict";
}

static void list_pairs(ms_pattern_judge *judge)
{
  const ms_pattern *pattern = judge->pattern;
  for (uint32_t i = 0; i < pattern->n; i++) {
    for (uint32_t j = i + 1; j < pattern->n; j++) {
      unsigned wanted = ms_pattern_wanted(pattern, i, j);
      if (wanted || judge->induced) {
        judge->pair[judge->pairs++] = (vertex_pair){(uint8_t)i, (uint8_t)j, (uint8_t)wanted};
      }
    }
  }
}

static ms_status list_smaller(ms_pattern_judge *judge, ms_error *err)
{
  uint64_t orbit[MS_MAX_PATTERN];
  ms_status status = ms_pattern_orbits(judge->pattern, orbit, NULL, err);
  for (uint32_t i = 0; status == MS_OK && i < judge->pattern->n; i++) {
    for (uint32_t j = i + 1; j < judge->pattern->n; j++) {
      if (orbit[i] >> j & 1) {
        judge->smaller[judge->ordered++] = (vertex_pair){(uint8_t)i, (uint8_t)j, 0};
      }
    }
  }
  return status;
}

ms_status ms_pattern_judge_new(const ms_graph *graph, const ms_coloring *coloring,
                               const ms_pattern *pattern, bool induced, bool subgraphs,
                               ms_pattern_judge **out, ms_error *err)
{
  *out = NULL;
  ms_pattern_judge *judge = ms_calloc(1, sizeof *judge);
  if (!judge) {
    return ms_fail_memory(err, "the judge of pattern matches");
  }
  judge->graph = graph;
  judge->pattern = pattern;
  judge->induced = induced;
  list_pairs(judge);
  ms_status status = ms_pattern_fits(graph, coloring, pattern, &judge->fits, err);
  if (status == MS_OK && subgraphs) {
    status = list_smaller(judge, err);
  }
  if (status != MS_OK) {
    ms_pattern_judge_free(judge);
    return status;
  }
  *out = judge;
  return MS_OK;
}

void ms_pattern_judge_free(ms_pattern_judge *judge)
{
  if (judge) {
    ms_free(judge->fits);
    ms_free(judge);
  }
}

/* Each vertex by itself, and that none is there twice. */
static ms_pattern_verdict judge_vertices(const ms_pattern_judge *judge, const uint32_t *row)
{
  uint32_t p = judge->pattern->n, n = judge->graph->n;
  for (uint32_t i = 0; i < p; i++) {
    if (row[i] >= n) {
      return MS_PATTERN_OUT_OF_RANGE;
    }
    for (uint32_t h = 0; h < i; h++) {
      if (row[h] == row[i]) {
        return MS_PATTERN_REPEATS_VERTEX;
      }
    }
  }
  for (uint32_t i = 0; judge->fits && i < p; i++) {
    if (!(judge->fits[row[i]] >> i & 1)) {
      return MS_PATTERN_WRONG_COLOR;
    }
  }
  return MS_PATTERN_OK;
}

ms_pattern_verdict ms_pattern_judge_row(const ms_pattern_judge *judge, const uint32_t *row)
{
  ms_pattern_verdict verdict = judge_vertices(judge, row);
  if (verdict != MS_PATTERN_OK) {
    return verdict;
  }
  for (uint32_t i = 0; i < judge->pairs; i++) {
    vertex_pair pair = judge->pair[i];
    unsigned have = ms_pattern_arcs(judge->graph, row[pair.first], row[pair.second]);
    if (!ms_pattern_arcs_fit(judge->pattern, judge->induced, pair.wanted, have)) {
      return ms_pattern_arcs_fit(judge->pattern, false, pair.wanted, have) ? MS_PATTERN_EXTRA_EDGE
                                                                           : MS_PATTERN_LACKS_EDGE;
    }
  }
  for (uint32_t i = 0; i < judge->ordered; i++) {
    if (row[judge->smaller[i].first] > row[judge->smaller[i].second]) {
      return MS_PATTERN_NOT_SMALLEST;
    }
  }
  return MS_PATTERN_OK;
}
