/* The judge of a pattern of one relation: edges or arcs of a plain graph, and colours. */
#include "verify/judge/judge.h"

#include "base/alloc.h"
#include "base/status.h"

#include <string.h>

/* Fills by_color[colours of the graph][words]: the pattern vertices that accept the colour.  No
 * vertex has a colour whose name the colouring does not know. */
static void look_up_colors(const ms_coloring *coloring, const ms_pattern *pattern, uint32_t words,
                           uint64_t *by_color)
{
  for (uint32_t i = 0; i < pattern->n; i++)
    for (uint32_t a = 0; a < pattern->colors[i]; a++) {
      uint32_t color =
          ms_coloring_find(coloring, ms_names_get(pattern->color_names, pattern->color[i][a]));
      if (color != MS_NO_ID)
        by_color[(size_t)color * words + i / 64] |= (uint64_t)1 << i % 64;
    }
}

/* Makes the vertex masks, unless every pattern vertex accepts any colour.  O(n + assignments). */
static ms_status find_masks(ms_judge *judge, const ms_coloring *coloring, const ms_pattern *pattern,
                            ms_error *err)
{
  uint64_t any[(MS_MAX_PATTERN + 63) / 64] = {0}; /* the pattern vertices that accept any colour */
  uint32_t words = judge->words = (judge->p + 63) / 64, unrestricted = 0;
  for (uint32_t i = 0; i < pattern->n; i++) {
    any[i / 64] |= (uint64_t)(pattern->colors[i] == 0) << i % 64;
    unrestricted += pattern->colors[i] == 0;
  }
  if (unrestricted == pattern->n)
    return MS_OK;
  size_t colors = coloring ? ms_coloring_describe(coloring).colors : 0;
  uint64_t *by_color = ms_calloc(colors * words, sizeof *by_color);
  judge->mask = ms_alloc((size_t)judge->n * words, sizeof *judge->mask);
  if (!by_color || !judge->mask) {
    ms_free(by_color);
    return ms_fail_memory(err, "the colours of a pattern");
  }
  if (coloring)
    look_up_colors(coloring, pattern, words, by_color);
  for (uint32_t v = 0; v < judge->n; v++) {
    uint32_t count = 0;
    const uint32_t *own = coloring ? ms_coloring_of(coloring, v, &count) : NULL;
    uint64_t *mask = judge->mask + (size_t)v * words;
    memcpy(mask, any, words * sizeof *mask);
    for (uint32_t c = 0; c < count; c++)
      for (uint32_t w = 0; w < words; w++)
        mask[w] |= by_color[(size_t)own[c] * words + w];
  }
  ms_free(by_color);
  return MS_OK;
}

/* Returns the arcs that the pattern has between i and j. */
static unsigned arcs_between(const ms_pattern *pattern, uint32_t i, uint32_t j)
{
  return (unsigned)ms_bitset_has(&pattern->out[i], j) | (unsigned)ms_bitset_has(&pattern->in[i], j)
                                                            << 1;
}

/* Lists the pairs to check.  For an undirected pattern an arc in either direction is an edge. */
static void list_pairs(ms_judge *judge, const ms_pattern *pattern, bool induced)
{
  for (uint32_t j = 0; j < pattern->n; j++)
    for (uint32_t i = 0; i < j; i++) {
      unsigned wanted = arcs_between(pattern, i, j);
      ms_judge_pair pair = {.first = (uint8_t)i, .second = (uint8_t)j, .joined = wanted != 0};
      for (unsigned arcs = 0; arcs < 4; arcs++) {
        unsigned have = arcs && !pattern->directed ? 3 : arcs;
        bool enough = (have & wanted) == wanted;
        pair.enough |= (uint8_t)(enough << arcs);
        pair.fits |= (uint8_t)((induced ? have == wanted : enough) << arcs);
      }
      if (wanted || induced)
        ms_judge_add_pair(judge, pair);
    }
}

static bool same_colors(const ms_pattern *pattern, uint32_t i, uint32_t j)
{
  uint32_t count = pattern->colors[i];
  return count == pattern->colors[j] &&
         (count == 0 ||
          memcmp(pattern->color[i], pattern->color[j], count * sizeof *pattern->color[i]) == 0);
}

/* Sorts vertices and pairs into kinds: vertices that accept the same colours are alike, and so are
 * pairs that have the same arcs. */
static void list_kinds(const ms_pattern *pattern, ms_kinds *kinds)
{
  kinds->n = pattern->n;
  for (uint32_t i = 0; i < pattern->n; i++) {
    while (!same_colors(pattern, kinds->vertex[i], i))
      kinds->vertex[i]++;
    for (uint32_t j = 0; j < pattern->n; j++)
      kinds->pair[i][j] = (uint16_t)arcs_between(pattern, i, j);
  }
}

static ms_status make_known(ms_judge *judge, ms_error *err)
{
  judge->known = ms_alloc(1, sizeof *judge->known);
  if (!judge->known)
    return ms_fail_memory(err, "the judge of pattern matches");
  ms_known_arcs_init(judge->known, judge->n, judge->n > 0 ? judge->offset[judge->n] : 0);
  return MS_OK;
}

ms_status ms_judge_pattern(const ms_graph *graph, const ms_coloring *coloring,
                           const ms_pattern *pattern, bool induced, bool subgraphs, ms_judge **out,
                           ms_error *err)
{
  *out = NULL;
  ms_judge *judge = ms_calloc(1, sizeof *judge);
  if (!judge)
    return ms_fail_memory(err, "the judge of pattern matches");
  judge->p = pattern->n;
  judge->n = graph->n;
  judge->offset = graph->offset;
  judge->neighbor = graph->neighbor;
  judge->direction = graph->direction;
  list_pairs(judge, pattern, induced);
  list_kinds(pattern, &judge->kinds);
  ms_status status = find_masks(judge, coloring, pattern, err);
  if (status == MS_OK)
    status = make_known(judge, err);
  return ms_judge_finish(judge, status, subgraphs, out, err);
}
