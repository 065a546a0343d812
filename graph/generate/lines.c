/* The edges of a graph as lines of a file, in the order of the vertices or in a random one. */
#include "base/alloc.h"
#include "base/status.h"
#include "graph/generate/family.h"
#include "graph/generate/random.h"
#include "graph/graph.h"

#define PHASE "the edges are put into order"

static uint64_t count_lines(const ms_graph *graph)
{
  uint64_t lines = graph->arcs / 2;
  for (uint32_t v = 0; v < graph->n; v++)
    lines += graph->offset[v] == graph->offset[v + 1];
  for (uint64_t a = 0; graph->direction && a < graph->arcs; a++)
    lines += graph->direction[a] == (MS_ARC_TO | MS_ARC_FROM);
  return lines;
}

static void add_line(uint32_t a, uint32_t b, uint32_t (*lines)[2], uint64_t *count)
{
  lines[*count][0] = a;
  lines[(*count)++][1] = b;
}

/* Adds the lines that begin with v: its arcs in a directed graph, and the edges to later vertices
 * in an undirected one. */
static void add_vertex(const ms_graph *graph, uint32_t v, uint32_t (*lines)[2], uint64_t *count)
{
  uint64_t begin = graph->offset[v], end = graph->offset[v + 1];
  if (begin == end)
    add_line(v, v, lines, count);
  for (uint64_t a = begin; a < end; a++)
    if (graph->direction ? graph->direction[a] & MS_ARC_TO : graph->neighbor[a] > v)
      add_line(v, graph->neighbor[a], lines, count);
}

ms_status ms_list_lines(const ms_graph *graph, uint32_t (**lines)[2], uint64_t *count,
                        ms_error *err)
{
  ms_watch watch;
  ms_watch_begin(&watch);
  *count = 0;
  *lines = ms_alloc(count_lines(graph), sizeof **lines);
  if (!*lines)
    return ms_fail_memory(err, "the edges of a graph");
  for (uint32_t v = 0; v < graph->n && !ms_watch_ended(&watch, v); v++)
    add_vertex(graph, v, *lines, count);
  return ms_watch_report(&watch, PHASE, err);
}

/* Fills out[count] with the lines in this order; either end of an undirected edge is the first. */
static ms_status put_in_order(const ms_graph *graph, uint64_t seed, const uint32_t (*lines)[2],
                              const uint32_t *order, uint64_t count, uint32_t (*out)[2],
                              ms_error *err)
{
  ms_watch watch;
  ms_watch_begin(&watch);
  for (uint64_t i = 0; i < count && !ms_watch_ended(&watch, i); i++) {
    const uint32_t *line = lines[order[i]];
    bool turned = !graph->direction && ms_random_at(seed, MS_STREAM_LINE_ENDS, 0, i).word[0] & 1;
    out[i][0] = line[turned];
    out[i][1] = line[!turned];
  }
  return ms_watch_report(&watch, PHASE, err);
}

ms_status ms_shuffle_lines(const ms_graph *graph, uint64_t seed, int threads, uint32_t (**lines)[2],
                           uint64_t *count, ms_error *err)
{
  uint32_t(*sorted)[2] = NULL, *order = NULL;
  *lines = NULL;
  ms_status status = ms_list_lines(graph, &sorted, count, err);
  if (status == MS_OK && *count > UINT32_MAX)
    status = ms_fail(err, MS_ERR_USAGE,
                     "a graph of more than %u edges is too large for a random order of lines; "
                     "write a binary file, whose vertices are shuffled, too",
                     UINT32_MAX);
  if (status == MS_OK) {
    order = ms_alloc(*count, sizeof *order);
    *lines = ms_alloc(*count, sizeof **lines);
    status = order && *lines ? ms_random_order(seed, threads, order, *count, MS_PART_LINES, err)
                             : ms_fail_memory(err, "the edges of a graph");
  }
  if (status == MS_OK)
    status = put_in_order(graph, seed, (const uint32_t(*)[2])sorted, order, *count, *lines, err);
  ms_free(order);
  ms_free(sorted);
  return status;
}
