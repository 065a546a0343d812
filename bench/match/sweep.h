/* The sweep of pattern counts: graphs, patterns and rows of bench/match/pattern_sweep.c. */
#ifndef MS_BENCH_SWEEP_H
#define MS_BENCH_SWEEP_H

#include "bench/match/pattern_runs.h"

#include <stdio.h>

/* An engine that is chosen well is within the first factor of the best one in nearly all rows, and
 * beyond the second one in none. */
#define SWEEP_NEAR 1.3
#define SWEEP_FAR 3.0
/* Shorter times, in milliseconds, are compared as if they were this: they differ by chance. */
#define SWEEP_FLOOR 1.0

/* Of a row of at least SWEEP_LONG milliseconds, the host may take this share before the search. */
#define SWEEP_LONG 50.0
#define SWEEP_HOST 0.05

/* What may take most of the floor of a row: host, sets, table, bytes. */
enum { SWEEP_BOUNDS = 4 };
enum { SWEEP_NAME = 96, SWEEP_EDGES = 256, SWEEP_ENGINES = 16, SWEEP_RUNS = 101 };

/* ---- random numbers ----------------------------------------------------------------- */

/* Returns the next number of a stream (splitmix64: Steele, Lea and Flood, OOPSLA 2014). */
uint64_t sweep_random(uint64_t *state);
/* Returns a seed that depends on `seed` and on the text alone, so that a row can be repeated
 * without the rows before it. */
uint64_t sweep_seed_of(uint64_t seed, const char *text);

/* ---- lists and samples --------------------------------------------------------------- */

typedef char sweep_word[SWEEP_NAME * 4];

typedef struct sweep_words {
  sweep_word *text; /* [count] */
  uint32_t count;
} sweep_words;

/* Splits a list at its spaces.  MS_ERR_USAGE: a word is too long.  The caller frees the words. */
ms_status sweep_words_of(const char *list, sweep_words *out, ms_error *err);
void sweep_words_free(sweep_words *words);

/* The lists whose combinations are the rows of a sweep. */
typedef struct sweep_lists {
  sweep_words graphs, patterns;
  const uint32_t *labels; /* [n_labels] */
  uint32_t n_labels;
  uint64_t seed;
  uint32_t sample;        /* 0: all rows */
  uint32_t share, shares; /* the rows of share 1, 2, .. shares; 0 of 0: all */
} sweep_lists;

/* A row: numbers in the lists. */
typedef struct sweep_place {
  uint32_t graph, labels, pattern;
} sweep_place;

/* The rows that are measured, in this order: those of one graph are consecutive, and among them
 * those with one number of labels. */
typedef struct sweep_rows {
  sweep_place *at; /* [count] */
  uint32_t count;
  uint32_t all;   /* combinations of the lists */
  bool is_sample; /* or a share; else these are all rows, in the order of the lists */
} sweep_rows;

/* Lists all rows, or draws lists->sample of them evenly, without replacement and in a random order
 * (sweep_sample.c); all depends on the seed alone.  A share has the rows between two places of the
 * random order in which samples are drawn: so shares are samples, together they are all rows, and
 * the first i of N shares are the sample of i / N of the rows.  MS_ERR_USAGE: a sample or a share
 * is drawn from lists that have a row twice.  The caller frees the rows. */
ms_status sweep_rows_of(const sweep_lists *lists, sweep_rows *out, ms_error *err);
void sweep_rows_free(sweep_rows *rows);
/* These two return how many of at[count] are of the first one's graph, and of its graph and number
 * of labels. */
uint32_t sweep_rows_of_graph(const sweep_place *at, uint32_t count);
uint32_t sweep_rows_of_labels(const sweep_place *at, uint32_t count);

/* Returns the name of a graph: its text without folders. */
const char *sweep_graph_name(const char *text);

/* ---- graphs ------------------------------------------------------------------------- */

/* Figures of a graph that depend on no query. */
typedef struct sweep_graph_figures {
  uint32_t n;
  uint64_t m;
  double square_degrees; /* sum of squared degrees */
  uint32_t max_degree;
  uint32_t max_out;  /* largest out-degree where edges point to the larger (degree, vertex) */
  double square_out; /* sum of squared out-degrees in that orientation */
} sweep_graph_figures;

/* The graphs that a sweep measures by default, separated by spaces. */
extern const char sweep_default_graphs[];

/* Makes a graph from a text: rmat:SCALE:EDGE_FACTOR, kronecker:SCALE:EDGE_FACTOR,
 * quadrants:SCALE:EDGE_FACTOR:FIRST:LAST (R-MAT), random:VERTICES:EDGES,
 * power:VERTICES:MEAN_DEGREE:EXPONENT:MAX_DEGREE, grid:ROWS:COLS, blocks:VERTICES:BLOCKS:EDGES,
 * points:VERTICES:MEAN_DEGREE, triads:VERTICES:EDGES_EACH:PROBABILITY, or a file.
 * `memory` bounds a generator, in bytes; 0: as ms_generate.  The caller frees it. */
ms_status sweep_graph_make(const char *text, uint64_t seed, uint64_t memory, int threads,
                           ms_graph **out, ms_error *err);
/* Makes one of the last three kinds, whose sizes are number[3] (sweep_families.c). */
ms_status sweep_family_make(const char *name, const double *number, uint64_t seed, ms_graph **out,
                            ms_error *err);
void sweep_graph_measure(const ms_graph *graph, sweep_graph_figures *out);

/* ---- patterns ----------------------------------------------------------------------- */

extern const char sweep_default_patterns[];

/* Writes the edges of a pattern, such as 0-1,1-2, from its text: one of the names of the default
 * list, a built-in name, edges, or random:N (a connected pattern of N vertices that the seed
 * determines).  MS_ERR_USAGE: there is no such pattern. */
ms_status sweep_pattern_edges(const char *text, uint64_t seed, char *edges, size_t room,
                              ms_error *err);
/* Makes the pattern with these edges.  With labels > 0, each vertex accepts one of the colours c0,
 * c1, .. that the seed determines.  The caller frees it. */
ms_status sweep_pattern_make(const char *edges, uint32_t labels, uint64_t seed, ms_pattern **out,
                             ms_error *err);

/* ---- engines ------------------------------------------------------------------------- */

/* A way to count: an engine, and what is forced on the choice of its plan. */
typedef struct sweep_engine {
  const char *name;
  const ms_pattern_engine *engine;
  ms_order order;
  double probe_from;          /* replaces ms_hooks.probe_steps; 0: nothing is replaced */
  const double *hinge_weight; /* replaces ms_hooks.count_hinge_weight; NULL: nothing is replaced */
  const double *elimination_weight; /* the same of ms_hooks.count_elimination_weight */
  const double *factor_weight; /* replaces ms_hooks.factor_plan_weight; NULL: nothing is replaced */
  bool on_gpu;                 /* GPUs do the work */
  bool chosen;                 /* the tool chooses, and may move the work to GPUs */
} sweep_engine;

/* Finds a way by its name: `auto` (what the tool chooses), an engine, or one of the forced ways of
 * sweep_engines.c.  Returns false if there is none on this machine. */
bool sweep_engine_named(const char *name, sweep_engine *out);
/* Writes `auto` and every engine that this machine has to out[SWEEP_ENGINES]; returns how many. */
uint32_t sweep_engines_here(sweep_engine *out);
/* Sets what depends on the engine in a query whose stop token is set. */
void sweep_engine_query(const sweep_engine *engine, ms_count_query *query);
/* Forces the engine's plans, until ms_hooks are the defaults again. */
void sweep_engine_force(const sweep_engine *engine);

/* ---- rows ---------------------------------------------------------------------------- */

typedef struct sweep_settings {
  sweep_engine engine[SWEEP_ENGINES];
  uint32_t engines;
  int threads, runs;
  uint32_t devices;
  uint64_t seed;
  double row_seconds; /* for each engine in a row; all of its runs together */
  double probe_steps; /* how many steps a row's probe may take */
  FILE *tsv;          /* NULL: none */
} sweep_settings;

/* Measured rates of this machine, a second, of all threads or GPUs together (sweep_floor.c). */
typedef struct sweep_rates {
  double ids;        /* ids of the shorter list of a set operation */
  double counters;   /* counters of a table that are raised */
  double bytes;      /* read in order from a buffer as large as the graph */
  double near_bytes; /* read from the first-level cache, or from shared memory */
} sweep_rates;

/* What a count must do at least, and the time that it takes at these rates. */
typedef struct sweep_floor {
  double ids, paths, bytes, near_bytes;
  double host_ms;    /* the part that the host does before: domains and plan, as measured */
  double ms;         /* 0: nothing is known */
  const char *bound; /* what takes most of that time: host, sets, table or bytes; NULL: unknown */
} sweep_floor;

/* Measures the rates: of processors, and of the first s->devices GPUs if one of the engines uses
 * them; else *gpu is {0}.  It takes a fifth of a second. */
ms_status sweep_rates_of(const sweep_settings *s, const sweep_graph_figures *graph,
                         sweep_rates *cpu, sweep_rates *gpu, ms_error *err);

/* What every row of one graph with one number of labels has in common. */
typedef struct sweep_case {
  const char *graph;
  const sweep_graph_figures *figures;
  uint32_t labels; /* 0: none */
  const ms_pattern_index *index;
  sweep_rates cpu, gpu;
} sweep_case;

typedef struct sweep_totals {
  uint32_t rows, wrong, limits, failures;
  uint32_t compared[SWEEP_ENGINES], near[SWEEP_ENGINES]; /* [engine] rows; those that are near */
  uint32_t far[SWEEP_ENGINES];                           /* [engine] rows beyond SWEEP_FAR */
  uint32_t open[SWEEP_ENGINES]; /* [engine] rows that it did not end and another engine did */
  double log_ratio[SWEEP_ENGINES], worst[SWEEP_ENGINES];
  char worst_row[SWEEP_ENGINES][2 * SWEEP_NAME];
  /* [engine] numbers of rows that take SWEEP_LONG or more, and of rows among them in which the host
   * takes a larger share than SWEEP_HOST; the largest share of the host, and its row */
  uint32_t long_rows[SWEEP_ENGINES], host_rows[SWEEP_ENGINES];
  double host_share[SWEEP_ENGINES];
  char host_row[SWEEP_ENGINES][2 * SWEEP_NAME];
  /* rows of which a floor is known and that an engine ended: how many each resource bounds, and the
   * sum of the logarithms of how many times the floor the fastest engine took */
  uint32_t bound[SWEEP_BOUNDS];
  double log_over;
} sweep_totals;

/* Runs a triangle count with every engine, so that GPUs are started and hold the graph. */
void sweep_warm(const sweep_settings *s, const sweep_case *c);
void sweep_print_header(const sweep_settings *s);
/* Measures one row on every engine, compares the counts, prints it, and adds it to the totals. */
ms_status sweep_row(const sweep_settings *s, const sweep_case *c, const char *pattern,
                    sweep_totals *totals, ms_error *err);
void sweep_print_summary(const sweep_settings *s, const sweep_totals *totals);
/* Reads logs of this program, each of a share of the same rows or of some of them, and prints the
 * summary of all their rows (sweep_join.c).  *bad: counts differ, or an engine failed.
 * MS_ERR_USAGE: they are logs of different runs, or no logs. */
ms_status sweep_join(int files, char **path, bool *bad, ms_error *err);
/* Prints what a sample of `all` rows says of all of them; `missing` rows of it were not measured.
 */
void sweep_print_estimate(const sweep_settings *s, const sweep_totals *totals, uint32_t all,
                          uint32_t missing);

#endif
