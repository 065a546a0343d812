/* The parts of `bench sieve`: instances (bench_instance.c), their floors
 * (bench_floor.c), the lists of instances that make an experiment and the rows
 * that are printed (bench_experiments.c), options (bench_sieve.c). */
#ifndef MS_CLI_BENCH_SIEVE_H
#define MS_CLI_BENCH_SIEVE_H

#include "graph/generate/generate.h"
#include "motifsieve.h"

typedef enum ms_bench_experiment {
  MS_BENCH_ONE = 0,  /* one instance, told at length */
  MS_BENCH_SLOTS,    /* k grows */
  MS_BENCH_VERTICES, /* n grows */
  MS_BENCH_TOPOLOGY  /* families at equal number of edges */
} ms_bench_experiment;

/* A random graph, a motif of k colours once each. */
typedef struct ms_bench_instance {
  ms_family family;
  double exponent; /* power-law */
  uint32_t n, d;   /* d: mean degree; a clique has its own */
  uint64_t edges;  /* 0: as d says; else in place of it */
  uint32_t k;
  bool planted; /* one match among vertices of another colour, else uniform colours */
} ms_bench_instance;

#define MS_BENCH_MOST 32u

typedef struct ms_bench_plan {
  ms_bench_instance base;
  ms_bench_experiment experiment;
  uint32_t slots[MS_BENCH_MOST], n_slots;       /* of MS_BENCH_SLOTS */
  uint32_t vertices[MS_BENCH_MOST], n_vertices; /* of MS_BENCH_VERTICES */
  uint32_t runs;
  int devices[MS_BENCH_MOST];
  ms_screen_options screen; /* backend, devices, repetitions, seed, ... */
  bool csv;
} ms_bench_plan;

/* An instance, made. */
typedef struct ms_bench_case {
  ms_graph *graph;
  ms_coloring *colors;
  ms_motif *motif;
  ms_query *query;
} ms_bench_case;

ms_status ms_bench_case_make(const ms_bench_instance *instance, uint64_t seed, ms_bench_case *c,
                             ms_error *err);
void ms_bench_case_free(ms_bench_case *c);

/* What cannot be done without, all repetitions together, and how long it takes at
 * measured rates.  Where several devices work, times are of all together. */
typedef struct ms_bench_floor {
  double products;               /* of two field elements */
  double row_bytes, state_bytes; /* over edges; private */
  double products_seconds, bytes_seconds;
} ms_bench_floor;

/* Of a run that was sieved (result->kernel is not NULL). */
ms_status ms_bench_floor_of(const ms_bench_plan *plan, const ms_bench_case *c,
                            const ms_screen_result *result, ms_bench_floor *out, ms_error *err);

/* Timings of one instance. */
typedef struct ms_bench_row {
  ms_bench_instance instance;
  uint64_t edges;
  double first;               /* seconds of the first call */
  double whole, sieve, prune; /* medians of the later calls */
  ms_screen_result *result;   /* of the last */
  ms_bench_floor floor;       /* zeros where nothing was sieved */
} ms_bench_row;

/* Makes the instance, runs it, finds its floor.  ms_screen_result_free
 * row->result also after a failure. */
ms_status ms_bench_measure(const ms_bench_plan *plan, const ms_bench_instance *instance,
                           ms_bench_row *row, ms_error *err);

/* All of the plan, to standard output as it comes. */
ms_status ms_bench_run(const ms_bench_plan *plan, ms_error *err);

/* Does a GPU take part?  (By what was asked for and is there.) */
bool ms_bench_uses_gpu(const ms_bench_plan *plan);

#endif
