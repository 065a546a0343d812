/* Writes a graph and its colours again, with the vertices in another order, and prints the seconds
 * of processor time that finding the order took (bench/vertex_order.sh):
 *
 *   vertex_order ORDER GRAPH OUT
 *
 * ORDER: natural (that of the file); random; degree (most neighbours first); bfs (breadth-first
 * search from the vertex with most neighbours of each component); or rcm (reverse Cuthill-McKee:
 * Cuthill, McKee, "Reducing the bandwidth of sparse symmetric matrices", 1969, from a vertex with
 * fewest neighbours).  OUT is a binary graph.  Exit code 1: a call failed; 2: a wrong call. */
#include "base/alloc.h"
#include "motifsieve.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const ms_graph *graph; /* for qsort */

static uint32_t degree_of(uint32_t v)
{
  uint32_t degree;
  (void)ms_graph_neighbors(graph, v, &degree);
  return degree;
}

static int by_degree(const void *a, const void *b)
{
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  uint32_t dx = degree_of(x), dy = degree_of(y);
  return dx != dy ? (dx < dy ? -1 : 1) : (x > y) - (x < y);
}

static int by_degree_down(const void *a, const void *b)
{
  return by_degree(b, a);
}

static void shuffle(uint32_t *order, uint32_t n)
{
  uint64_t state = 88172645463325252u;
  for (uint32_t i = n; i > 1; i--) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    uint32_t j = (uint32_t)(state % i), v = order[i - 1];
    order[i - 1] = order[j];
    order[j] = v;
  }
}

/* Puts the vertices in the order of searches from seeds[n], each in its turn. */
static void search(const uint32_t *seeds, bool fewest_first, bool *seen, uint32_t *order,
                   uint32_t n)
{
  uint32_t count = 0;
  for (uint32_t s = 0; s < n; s++) {
    uint32_t next = count;
    if (seen[seeds[s]])
      continue;
    seen[seeds[s]] = true;
    order[count++] = seeds[s];
    while (next < count) {
      uint32_t degree, begin = count;
      const uint32_t *neighbor = ms_graph_neighbors(graph, order[next++], &degree);
      for (uint32_t i = 0; i < degree; i++)
        if (!seen[neighbor[i]]) {
          seen[neighbor[i]] = true;
          order[count++] = neighbor[i];
        }
      if (fewest_first)
        qsort(order + begin, count - begin, sizeof *order, by_degree);
    }
  }
}

/* Fills in order[n], the old numbers in their new order; false: there is no such order. */
static bool find_order(const char *name, uint32_t *order, uint32_t *seeds, bool *seen, uint32_t n)
{
  bool rcm = strcmp(name, "rcm") == 0;
  for (uint32_t v = 0; v < n; v++)
    order[v] = seeds[v] = v;
  if (strcmp(name, "random") == 0)
    shuffle(order, n);
  else if (strcmp(name, "degree") == 0)
    qsort(order, n, sizeof *order, by_degree_down);
  else if (rcm || strcmp(name, "bfs") == 0) {
    qsort(seeds, n, sizeof *seeds, rcm ? by_degree : by_degree_down);
    search(seeds, rcm, seen, order, n);
  } else
    return strcmp(name, "natural") == 0;
  for (uint32_t i = 0; rcm && i < n / 2; i++) {
    uint32_t v = order[i];
    order[i] = order[n - 1 - i];
    order[n - 1 - i] = v;
  }
  return true;
}

static ms_status write_ordered(const ms_coloring *colors, const uint32_t *order, uint32_t *place,
                               const char *path, ms_error *err)
{
  uint32_t n = ms_graph_vertex_count(graph), count;
  uint64_t m = 0, pairs = 0;
  ms_coloring_info info = ms_coloring_describe(colors);
  uint32_t(*edge)[2] = ms_alloc(ms_graph_edge_count(graph), sizeof *edge);
  uint32_t(*pair)[2] = ms_alloc(info.assignments, sizeof *pair);
  const char **name = ms_alloc(n, sizeof *name), **color = ms_alloc(info.colors, sizeof *color);
  ms_graph *again = NULL;
  ms_coloring *again_colors = NULL;
  if (!edge || !pair || !name || !color)
    abort();
  for (uint32_t i = 0; i < n; i++) {
    place[order[i]] = i;
    name[i] = ms_graph_name(graph, order[i]);
  }
  for (uint32_t c = 0; c < info.colors; c++)
    color[c] = ms_coloring_name(colors, c);
  for (uint32_t v = 0; v < n; v++) {
    const uint32_t *neighbor = ms_graph_neighbors(graph, v, &count);
    for (uint32_t i = 0; i < count; i++)
      if (v < neighbor[i]) {
        edge[m][0] = place[v];
        edge[m++][1] = place[neighbor[i]];
      }
    const uint32_t *of = ms_coloring_of(colors, v, &count);
    for (uint32_t i = 0; i < count; i++) {
      pair[pairs][0] = place[v];
      pair[pairs++][1] = of[i];
    }
  }
  ms_status status = ms_graph_from_edges(n, m, (const uint32_t(*)[2])edge, name, &again, err);
  if (status == MS_OK)
    status = ms_coloring_from_pairs(again, pairs, (const uint32_t(*)[2])pair, info.colors, color,
                                    &again_colors, err);
  if (status == MS_OK)
    status = ms_graph_write(again, again_colors, MS_FORMAT_BINARY, path, err);
  ms_coloring_free(again_colors);
  ms_graph_free(again);
  ms_free(edge);
  ms_free(pair);
  ms_free(name);
  ms_free(color);
  return status;
}

int main(int argc, char **argv)
{
  ms_error err;
  ms_graph *read = NULL;
  ms_coloring *colors = NULL;
  if (argc != 4) {
    fprintf(stderr, "usage: vertex_order ORDER GRAPH OUT\n");
    return 2;
  }
  ms_status status = ms_graph_read(argv[2], NULL, &read, &err);
  if (status == MS_OK)
    status = ms_coloring_from_graph(read, &colors, &err);
  graph = read;
  if (status == MS_OK) {
    uint32_t n = ms_graph_vertex_count(graph);
    uint32_t *order = ms_alloc(n, sizeof *order), *other = ms_alloc(n, sizeof *other);
    bool *seen = ms_calloc(n, sizeof *seen);
    if (!order || !other || !seen)
      abort();
    clock_t begin = clock();
    if (!find_order(argv[1], order, other, seen, n)) {
      fprintf(stderr, "vertex_order: there is no order '%s'\n", argv[1]);
      return 2;
    }
    printf("%.3f\n", (double)(clock() - begin) / CLOCKS_PER_SEC);
    status = write_ordered(colors, order, other, argv[3], &err);
    ms_free(order);
    ms_free(other);
    ms_free(seen);
  }
  ms_coloring_free(colors);
  ms_graph_free(read);
  if (status != MS_OK)
    fprintf(stderr, "vertex_order: %s\n", err.message);
  return status == MS_OK ? 0 : 1;
}
