/* Random instances to sieve. */
#ifndef MS_BENCH_INSTANCE_H
#define MS_BENCH_INSTANCE_H

#include "graph/generate/generate.h"
#include "motifsieve.h"

/* A random graph and a motif of k colours, each once. */
typedef struct bench_instance {
  ms_family family;
  double exponent;  /* of a power-law graph or one with hubs */
  uint32_t classes; /* of degrees, of a graph with hubs; 0: the default */
  uint32_t n, d;    /* d: mean degree; a clique's follows from n */
  uint64_t edges;   /* number of edges, in place of d; 0: as d says */
  uint32_t k;
  bool planted; /* true: one match among vertices of another colour; false: uniform colours */
} bench_instance;

/* The graph and the query of an instance. */
typedef struct bench_case {
  ms_graph *graph;
  ms_coloring *colors;
  ms_motif *motif;
  ms_query *query;
} bench_case;

/* Makes an instance.  The caller must free it, also after a failure. */
ms_status bench_case_make(const bench_instance *instance, uint64_t seed, bench_case *c,
                          ms_error *err);
void bench_case_free(bench_case *c);

#endif
