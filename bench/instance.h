/* Random instances to sieve. */
#ifndef MS_BENCH_INSTANCE_H
#define MS_BENCH_INSTANCE_H

#include "graph/generate/generate.h"
#include "motifsieve.h"

/* A random graph, a motif of k colours once each. */
typedef struct bench_instance {
  ms_family family;
  double exponent; /* power-law */
  uint32_t n, d;   /* d: mean degree; a clique has its own */
  uint64_t edges;  /* 0: as d says; else in place of it */
  uint32_t k;
  bool planted; /* one match among vertices of another colour, else uniform colours */
} bench_instance;

/* An instance, made. */
typedef struct bench_case {
  ms_graph *graph;
  ms_coloring *colors;
  ms_motif *motif;
  ms_query *query;
} bench_case;

/* To be freed in any case. */
ms_status bench_case_make(const bench_instance *instance, uint64_t seed, bench_case *c,
                          ms_error *err);
void bench_case_free(bench_case *c);

#endif
