/* Joins the edges of a pair; see combine.h. */
#include "graph/io/combine.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "base/status.h"

#include <stdio.h>
#include <string.h>

ms_status ms_combine_begin(ms_edges *edges, const char *label, const ms_graph_options *options,
                           ms_error *err)
{
  static const char *const ways[] = {"max", "sum", "count"};
  const char *how = options->combine;
  size_t way = 0;
  if (!how)
    return MS_OK;
  while (way < 3 && strcmp(how, ways[way]) != 0)
    way++;
  if (way == 3)
    return ms_fail(err, MS_ERR_USAGE,
                   "%s: '%.*s' is no way to combine scores (`combine`); give max, sum or count",
                   label, ms_name_clip(how, strlen(how)), how);
  if (!(options->min_score > 0) && !options->keep_scores)
    return ms_fail(err, MS_ERR_USAGE,
                   "%s: `combine` says how scores are combined, but they are not used; give a "
                   "minimum score (`min_score`), or leave it out",
                   label);
  edges->combine = (ms_combine)way;
  return MS_OK;
}

/* Edges that were joined so far: a table of their places, and their sums. */
typedef struct joined {
  uint64_t *slot; /* [1 << bits] place + 1; 0: empty */
  unsigned bits;
  double *sum; /* [count] */
  uint64_t count;
} joined;

/* Finds the joined edge with the ends of edge e, and its type unless word is NULL, or its empty
 * slot. */
static uint64_t find_slot(const ms_edges *edges, const joined *j, const ms_type *word,
                          bool directed, uint64_t e)
{
  const uint32_t(*pair)[2] = (const uint32_t(*)[2])edges->pairs.pair;
  bool turned = !directed && pair[e][0] > pair[e][1];
  uint32_t a = pair[e][turned], b = pair[e][!turned];
  uint64_t mask = ((uint64_t)1 << j->bits) - 1;
  uint64_t hash = ms_hash_word(ms_hash_key_get(), (uint64_t)a << 32 | b);
  uint64_t i = ((hash >> 20) + (word ? word[e] : 0)) & mask;
  for (; j->slot[i]; i = (i + 1) & mask) {
    uint64_t k = j->slot[i] - 1;
    bool back = !directed && pair[k][0] > pair[k][1];
    if (pair[k][back] == a && pair[k][!back] == b && (!word || word[k] == word[e]))
      break;
  }
  return i;
}

/* Joins the edges in the order in which the first one of each pair came. */
static void join_edges(ms_edges *edges, joined *j, bool directed)
{
  uint32_t(*pair)[2] = edges->pairs.pair;
  ms_type *word = edges->types ? edges->types->word : NULL;
  for (uint64_t e = 0; e < edges->pairs.count; e++) {
    uint64_t i = find_slot(edges, j, word, directed, e);
    if (j->slot[i]) {
      j->sum[j->slot[i] - 1] += edges->score[e];
      continue;
    }
    uint64_t k = j->count++;
    memmove(pair[k], pair[e], sizeof *pair);
    if (word)
      word[k] = word[e];
    j->sum[k] = edges->score[e];
    j->slot[i] = k + 1;
  }
}

/* Have joined edges the same ends, and different types? */
static bool have_types(const ms_edges *edges, joined *j, bool directed)
{
  memset(j->slot, 0, sizeof *j->slot << j->bits);
  for (uint64_t e = 0; e < j->count; e++) {
    uint64_t i = find_slot(edges, j, NULL, directed, e);
    if (j->slot[i])
      return true;
    j->slot[i] = e + 1;
  }
  return false;
}

/* Drops the edges below the least score; kept[names]: the vertices that have an edge left. */
static void drop_low(ms_edges *edges, const joined *j, double least, bool *kept)
{
  uint32_t(*pair)[2] = edges->pairs.pair;
  ms_type *word = edges->types ? edges->types->word : NULL;
  uint64_t count = 0;
  for (uint64_t e = 0; e < j->count; e++) {
    ms_edge_layout *l = &edges->layout;
    l->lowest_score = e == 0 || j->sum[e] < l->lowest_score ? j->sum[e] : l->lowest_score;
    l->highest_score = e == 0 || j->sum[e] > l->highest_score ? j->sum[e] : l->highest_score;
    if (least > 0 && j->sum[e] < least) {
      edges->below_score++;
      continue;
    }
    memmove(pair[count], pair[e], sizeof *pair);
    if (word)
      word[count] = word[e];
    edges->score[count++] = (float)j->sum[e];
    kept[pair[count - 1][0]] = kept[pair[count - 1][1]] = true;
  }
  edges->pairs.count = edges->scores = count;
  if (edges->types)
    edges->types->words = count;
}

/* Renumbers the vertices that are kept. */
static ms_status keep_names(ms_edges *edges, const bool *kept, uint32_t *place, ms_error *err)
{
  ms_names *names;
  uint32_t n = ms_names_count(edges->names), id = 0;
  MS_TRY(ms_names_new(&names, err));
  for (uint32_t v = 0; v < n; v++) {
    const char *name = ms_names_get(edges->names, v);
    if (!kept[v])
      continue;
    ms_status status = ms_names_add(names, name, strlen(name), &id, err);
    if (status != MS_OK) {
      ms_names_free(names);
      return status;
    }
    place[v] = id;
    if (edges->types)
      edges->types->vertex_type[id] = edges->types->vertex_type[v];
  }
  ms_names_free(edges->names);
  edges->names = names;
  for (uint32_t v = id + 1; edges->types && v < n; v++)
    edges->types->vertex_type[v] = MS_NO_TYPE;
  for (uint64_t e = 0; e < edges->pairs.count; e++)
    for (int i = 0; i < 2; i++)
      edges->pairs.pair[e][i] = place[edges->pairs.pair[e][i]];
  return MS_OK;
}

ms_status ms_combine_end(ms_edges *edges, const ms_graph_options *options, ms_error *err)
{
  uint32_t n = ms_names_count(edges->names);
  joined j = {.bits = 4};
  if (edges->combine == MS_COMBINE_MAX || edges->pairs.count == 0)
    return MS_OK;
  if (edges->scores != edges->pairs.count)
    return ms_fail(err, MS_ERR_INTERNAL,
                   "edges and scores differ in number; please report this bug");
  while ((uint64_t)1 << j.bits < 2 * edges->pairs.count)
    j.bits++;
  bool *kept = ms_calloc(n, sizeof *kept);
  uint32_t *place = ms_alloc(n, sizeof *place);
  j.slot = ms_calloc((size_t)1 << j.bits, sizeof *j.slot);
  j.sum = ms_alloc(edges->pairs.count, sizeof *j.sum);
  ms_status status =
      kept && place && j.slot && j.sum ? MS_OK : ms_fail_memory(err, "the scores of pairs");
  if (status == MS_OK) {
    /* vertices without a line that joins them, such as those of a table of nodes, stay */
    memset(kept, 1, n);
    for (uint64_t e = 0; e < edges->pairs.count; e++)
      for (int i = 0; i < 2; i++)
        kept[edges->pairs.pair[e][i]] =
            edges->types && edges->pairs.pair[e][i] < edges->types->nodes;
    join_edges(edges, &j, options->directed);
    edges->layout.combined_by_type = edges->types && have_types(edges, &j, options->directed);
    drop_low(edges, &j, options->min_score, kept);
    status = keep_names(edges, kept, place, err);
  }
  ms_free(kept);
  ms_free(place);
  ms_free(j.slot);
  ms_free(j.sum);
  if (!options->keep_scores) {
    ms_free(edges->score);
    edges->score = NULL;
    edges->scores = edges->score_room = 0;
  }
  return status;
}

void ms_note_missing(const ms_names *names, ms_edge_layout *layout)
{
  const char *sign = ms_missing_name(names);
  if (sign && !layout->missing[0])
    snprintf(layout->missing, sizeof layout->missing, "%s", sign);
}
