/* Loads the shared library, lets several threads of it work, closes it, waits until those threads
 * have nothing left to do, and works on.  Usage: unload LIBRARY [loads]
 *
 * The threads of the library outlive a call.  If dlclose removed the code that they run, the
 * process would crash a moment later. */
#include "motifsieve.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define VERTICES 200000u

typedef ms_status (*from_edges_fn)(uint32_t, uint64_t, const uint32_t (*)[2], const char *const *,
                                   ms_graph **, ms_error *);
typedef void (*graph_free_fn)(ms_graph *);
typedef ms_status (*components_fn)(const ms_graph *, ms_components_algorithm, int, uint32_t *,
                                   uint32_t *, ms_error *);

/* Finds a function of the library; ISO C has no conversion of a void pointer to a function's. */
static void find(void *library, const char *name, void *function, size_t bytes)
{
  void *address = dlsym(library, name);
  if (!address) {
    fprintf(stderr, "unload: %s\n", dlerror());
    exit(1);
  }
  memcpy(function, &address, bytes);
}

/* Counts the components of a path with several threads; there is one. */
static uint32_t count_components(void *library, const uint32_t (*edges)[2], uint32_t *component)
{
  from_edges_fn from_edges;
  graph_free_fn graph_free;
  components_fn components;
  ms_graph *graph = NULL;
  uint32_t count = 0;
  ms_error err;
  find(library, "ms_graph_from_edges", &from_edges, sizeof from_edges);
  find(library, "ms_graph_free", &graph_free, sizeof graph_free);
  find(library, "ms_graph_components", &components, sizeof components);
  if (from_edges(VERTICES, VERTICES - 1, edges, NULL, &graph, &err) != MS_OK ||
      components(graph, MS_COMPONENTS_AFFOREST, 4, component, &count, &err) != MS_OK)
    fprintf(stderr, "unload: %s\n", err.message);
  graph_free(graph);
  return count;
}

int main(int argc, char **argv)
{
  static uint32_t edges[VERTICES][2], component[VERTICES];
  const struct timespec moment = {0, 200000000};
  int loads = argc > 2 ? atoi(argv[2]) : 1;
  for (uint32_t v = 0; v + 1 < VERTICES; v++) {
    edges[v][0] = v;
    edges[v][1] = v + 1;
  }
  for (int i = 0; i < loads; i++) {
    void *library = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
    if (!library) {
      fprintf(stderr, "unload: %s\n", argc > 1 ? dlerror() : "usage: unload LIBRARY [LOADS]");
      return 1;
    }
    printf("%u component\n",
           (unsigned)count_components(library, (const uint32_t(*)[2])edges, component));
    if (dlclose(library) != 0)
      return 1;
    nanosleep(&moment, NULL);
  }
  puts("alive");
  return 0;
}
