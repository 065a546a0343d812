/* The parts of the program `experiments`: options (experiments.c), what an experiment measures
 * (experiments_cells.c), the runs (experiments_runs.c), rows on a terminal (experiments_rows.c),
 * rows for programs (experiments_columns.c), files with a plot (experiments_files.c), the rates of
 * this machine (ceilings.c), the decision variant (decision.c), copies to and from
 * GPUs (transfers.c). */
#ifndef MS_BENCH_EXPERIMENTS_H
#define MS_BENCH_EXPERIMENTS_H

#include "base/file/outfile.h"
#include "bench/sieve/instance.h"
#include "run/floor.h"

typedef enum bench_experiment {
  BENCH_ONE = 0,   /* one instance, reported in full */
  BENCH_SLOTS,     /* k grows */
  BENCH_VERTICES,  /* n grows */
  BENCH_EDGES,     /* m grows */
  BENCH_TOPOLOGY,  /* families with about as many edges */
  BENCH_LINES,     /* every line type of the sieve on this processor, or on GPUs */
  BENCH_THREADS,   /* more threads */
  BENCH_GPUS,      /* more GPUs */
  BENCH_BANDWIDTH, /* rates of memory, without a sieve */
  BENCH_DECISION,  /* one value for the graph beside one for each vertex, while k grows */
  BENCH_TRANSFERS, /* copies between host and GPUs */
} bench_experiment;

#define BENCH_MOST 32u
/* The word of --experiment; NULL for BENCH_ONE. */
const char *bench_experiment_word(bench_experiment experiment);

typedef struct bench_plan {
  bench_instance base;
  bench_experiment experiment;
  uint32_t slots[BENCH_MOST], n_slots;       /* values of k for BENCH_SLOTS and BENCH_DECISION */
  uint32_t vertices[BENCH_MOST], n_vertices; /* values of n for BENCH_VERTICES */
  uint32_t degrees[BENCH_MOST], n_degrees;   /* mean degrees for BENCH_EDGES */
  uint32_t runs;
  double seconds; /* of each measured rate */
  int devices[BENCH_MOST];
  ms_screen_options screen; /* backend, devices, repetitions, seed, ... */
  bool csv;
  const char *files;   /* with this prefix a table and a plot are written; NULL: none */
  const char *command; /* the command line, for the head of the table */
} bench_plan;

/* One measurement of an experiment. */
typedef struct bench_cell {
  bench_instance instance;
  ms_screen_options screen;
  int devices[BENCH_MOST]; /* screen.run.devices points here, or is NULL */
} bench_cell;

/* Sets *out to the i-th cell of the plan, from 0; false after the last.  edges: of the graph of the
 * cell before, 0 if there is none.  *out must stay where it is. */
bool bench_cell_at(const bench_plan *plan, uint32_t i, uint64_t edges, bench_cell *out);

/* Timings of one cell. */
typedef struct bench_row {
  const bench_cell *cell;
  uint64_t edges;
  uint32_t highest_degree;
  double first;               /* seconds of the first call */
  double whole, sieve, prune; /* medians of the later calls */
  double open;                /* the same: ms_screen_result.time_open */
  double least, most;         /* of `whole` */
  ms_screen_result *result;   /* result of the last call */
  ms_sieve_floor floor;       /* zeros if nothing was sieved */
} bench_row;

/* Makes the instance, runs it and computes its floor.  The caller frees row->result with
 * ms_screen_result_free, also after a failure. */
ms_status bench_measure(const bench_plan *plan, const bench_cell *cell, bench_row *row,
                        ms_error *err);

/* Runs the whole plan and prints each result as it comes. */
ms_status bench_run(const bench_plan *plan, ms_error *err);

/* ---- what a row says --------------------------------------------------------------- */

/* True if the ratio to the floor says something.  If pruning alone answers, the floor of what is
 * left says nothing. */
bool bench_has_ratio(const bench_row *row);
/* Returns where a screen ran: "cpu", "cuda" or "both". */
const char *bench_backend_of(const ms_screen_result *result);
/* Formats a family as in "hubs -0.5". */
void bench_family_text(const bench_instance *instance, char *text, size_t room);

/* Prints the head of the table on a terminal, a row of it, or one cell at length. */
void bench_print_head(const bench_plan *plan);
void bench_print_row(const bench_row *row);
void bench_print_at_length(const bench_plan *plan, const bench_row *row);

#define BENCH_LINE 2048u /* room for a line of a table for programs */
/* Formats a row, or the names of its columns if `row` is NULL, with a line feed. */
void bench_columns(const bench_plan *plan, const bench_row *row, char separator,
                   char text[BENCH_LINE]);

/* ---- files ----------------------------------------------------------------------- */

/* Opens PREFIX.tsv, which appears whole or not at all, and writes lines about this run. */
ms_status bench_table_open(const bench_plan *plan, ms_outfile **out, ms_error *err);
/* Finishes the table, writes a script for gnuplot, PREFIX.gp, and lets gnuplot draw PREFIX.svg, if
 * it is installed; otherwise says so on standard error. */
ms_status bench_table_close(const bench_plan *plan, ms_outfile *table, ms_error *err);

/* ---- rates ------------------------------------------------------------------------ */

/* Prints what a GPU can do at best. */
ms_status bench_print_ceilings(int device, double seconds, bool csv, ms_error *err);
/* Measures and prints the rates of this machine's memory, by one thread and by all, and of its
 * GPUs. table: receives the rows, too; may be NULL. */
ms_status bench_bandwidth(const bench_plan *plan, ms_outfile *table, ms_error *err);
/* Measures and prints copies between the host and GPUs.  table: the same. */
ms_status bench_transfers(const bench_plan *plan, ms_outfile *table, ms_error *err);

/* ---- decision --------------------------------------------------------------------- */

#define BENCH_DECIDE_LEAST 4u

/* Measures and prints the decision variant beside the localized one, on one thread of a processor
 * or on a GPU.  table: receives the rows, too; may be NULL. */
ms_status bench_decision(const bench_plan *plan, ms_outfile *table, ms_error *err);

#endif
