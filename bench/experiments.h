/* The parts of the program `experiments`: options (experiments.c), runs of an instance
 * (experiments_runs.c), floors (experiments_floor.c), the lists of instances that make an
 * experiment and the rows that are printed (experiments_rows.c), ceilings of this machine
 * (ceilings.c). */
#ifndef MS_BENCH_EXPERIMENTS_H
#define MS_BENCH_EXPERIMENTS_H

#include "bench/instance.h"

typedef enum bench_experiment {
  BENCH_ONE = 0,  /* one instance, reported in full */
  BENCH_SLOTS,    /* k grows */
  BENCH_VERTICES, /* n grows */
  BENCH_TOPOLOGY  /* families with the same number of edges */
} bench_experiment;

#define BENCH_MOST 32u

typedef struct bench_plan {
  bench_instance base;
  bench_experiment experiment;
  uint32_t slots[BENCH_MOST], n_slots;       /* values of k for BENCH_SLOTS */
  uint32_t vertices[BENCH_MOST], n_vertices; /* values of n for BENCH_VERTICES */
  uint32_t runs;
  int devices[BENCH_MOST];
  ms_screen_options screen; /* backend, devices, repetitions, seed, ... */
  bool csv;
} bench_plan;

/* The work that no sieve can avoid, over all repetitions, and the time that it takes at measured
 * rates.  If several devices work, times are of all of them together. */
typedef struct bench_floor {
  double products;               /* products of two field elements */
  double row_bytes, state_bytes; /* bytes of rows read over edges; bytes of private coefficients */
  double products_seconds, bytes_seconds;
} bench_floor;

/* Computes the floor of a run that was sieved (result->kernel is not NULL). */
ms_status bench_floor_of(const bench_plan *plan, const bench_case *c,
                         const ms_screen_result *result, bench_floor *out, ms_error *err);

/* Timings of one instance. */
typedef struct bench_row {
  bench_instance instance;
  uint64_t edges;
  double first;               /* seconds of the first call */
  double whole, sieve, prune; /* medians of the later calls */
  ms_screen_result *result;   /* result of the last call */
  bench_floor floor;          /* zeros if nothing was sieved */
} bench_row;

/* Makes the instance, runs it and computes its floor.  The caller frees row->result with
 * ms_screen_result_free, also after a failure. */
ms_status bench_measure(const bench_plan *plan, const bench_instance *instance, bench_row *row,
                        ms_error *err);

/* Runs the whole plan and prints each result as it comes. */
ms_status bench_run(const bench_plan *plan, ms_error *err);

/* True if a GPU takes part, by the plan and by what the machine has. */
bool bench_uses_gpu(const bench_plan *plan);

/* Measures how many bytes a second `threads` threads read together, as 64-byte lines of one buffer
 * of `bytes` bytes, in random or in sequential order. */
ms_status bench_reads(uint64_t bytes, bool random, int threads, double seconds, double *rate,
                      ms_error *err);

/* Prints what a GPU can do at best. */
ms_status bench_print_ceilings(int device, double seconds, bool csv, ms_error *err);

#endif
