/* Inside census/: the steps of a census (include/motifsieve/census.h). */
#ifndef MS_CENSUS_CENSUS_H
#define MS_CENSUS_CENSUS_H

#include "base/threads/watch.h"
#include "base/units.h"
#include "census/accelerator.h"

/* The form of the tables. */
typedef enum ms_census_form { MS_CENSUS_AUTO, MS_CENSUS_DENSE, MS_CENSUS_SPARSE } ms_census_form;

/* Motifs and the numbers of their sets. */
typedef struct ms_census_rows {
  ms_tally_entry *row; /* [room] */
  uint64_t count, room;
} ms_census_rows;

ms_status ms_census_rows_add(ms_census_rows *rows, const ms_multiset *motif, uint64_t sets,
                             ms_error *err);
/* Puts the rows in order, and leaves out those that the options do not want. */
void ms_census_rows_sort(ms_census_rows *rows, const ms_census_options *options);

/* A place for each multiset of k - 1 colours and one more, in which threads count motifs.  Colours
 * have other numbers there: the most frequent colours come first, so that most places in use are
 * near each other. */
typedef struct ms_motif_places {
  ms_multisets numbers;
  uint64_t rows;     /* multisets of k - 1 colours, each with a place for each colour */
  ms_kind_id *color; /* [colors] the colour of each number */
  ms_kind_id *list;  /* [list_offset[kinds]] the numbers of the colours of each kind .. */
  uint64_t *bits;    /* [kinds][words] .. and these as bits */
  uint32_t words;
  bool is_narrow; /* all sets are below 2^32, and so are the numbers of all motifs */
} ms_motif_places;

/* Returns the bytes of the places, and sets *of_thread to the bytes of one thread's counts;
 * UINT64_MAX: too many. */
uint64_t ms_motif_places_bytes(const ms_census_graph *graph, uint32_t k, bool is_narrow,
                               uint64_t *of_thread);
ms_status ms_motif_places_open(ms_motif_places *places, const ms_census_graph *graph, uint32_t k,
                               bool is_narrow, ms_error *err);
void ms_motif_places_close(ms_motif_places *places);

/* Turns multisets of kinds into motifs: each into all motifs that it fits (census/expand.c). */
typedef struct ms_expander {
  const ms_census_graph *graph;
  uint32_t k;
  const ms_motif_places *places; /* NULL: motifs are counted in `motifs` */
  uint32_t *narrow;              /* [rows][colors] sets of motifs, at their places .. */
  uint64_t *wide;                /* .. or, unless places->is_narrow, these */
  ms_tally motifs;               /* of multisets with several motifs */
  ms_shared_tally *shared;       /* which receives `motifs` when they are many; NULL: they grow */
  uint8_t *holders; /* [colors] positions whose kinds have the colour; 0 between two uses */
  ms_kind_id *own[MS_MAX_CENSUS]; /* colours that only one position has */
  uint32_t owns[MS_MAX_CENSUS];
  ms_kind_id *common; /* colours that several positions have, by classes of the same positions */
  uint8_t *class_of;  /* [commons] */
  uint32_t commons, classes;
  uint8_t holders_of[1u << MS_MAX_CENSUS]; /* [classes] positions */
  uint32_t class_size[1u << MS_MAX_CENSUS], class_end[1u << MS_MAX_CENSUS];
  ms_kind_id *found;      /* the common colours .. */
  uint8_t *found_holders; /* .. and their positions */
  uint64_t *twice;        /* [words] the common colours */
  /* Multisets of kinds with the same kinds 1 .. k - 1 are added up by the colours of kind 0, and
   * these sums by the colours of kind 1, while kinds 2 .. k - 1 stay the same. */
  ms_multiset group;
  uint64_t *sum;          /* [colors] */
  ms_kind_id *summand;    /* [summands] the colours whose sum is not 0 */
  uint64_t *square;       /* [colors][colors] */
  ms_kind_id *square_row; /* [square_rows] the colours whose row is not 0 */
  uint32_t summands, square_rows;
  ms_multiset *fits[2]; /* [room] motifs of the first kinds of a multiset */
  uint64_t room;
  struct ms_met *met; /* [meetings] motifs that were met in a round */
  uint64_t meetings, round;
  uint64_t sets;   /* of the multiset that is expanded */
  ms_watch *watch; /* NULL: none */
  uint64_t steps;  /* between checks of it */
  bool ended;      /* by it: the numbers are not complete */
  bool full;       /* there was no memory for a number */
} ms_expander;

ms_status ms_expander_open(ms_expander *e, const ms_census_graph *graph, uint32_t k,
                           ms_watch *watch, ms_budget *budget, ms_error *err);
/* Lets the expander count in places; after these, ms_expander_flush must be called. */
ms_status ms_expander_use_places(ms_expander *e, const ms_motif_places *places, ms_error *err);
void ms_expander_flush(ms_expander *e);
void ms_expander_close(ms_expander *e);
/* Adds `sets` to each motif that the multiset of kinds fits: to `rows` where each kind has one
 * colour, else to the expander's numbers. */
ms_status ms_expander_add(ms_expander *e, const ms_multiset *kinds, uint64_t sets,
                          ms_census_rows *rows, ms_error *err);
/* Moves all of e->motifs to the rows, and clears it. Also does so after the watch has ended. */
ms_status ms_expander_finish(ms_expander *e, ms_census_rows *rows, ms_error *err);

/* Puts the rows in the order of their motifs. */
void ms_census_rows_order(ms_census_rows *rows);

/* ---- a census in shares -----------------------------------------------------------------
 *
 * A census is divided into units (census/units.h), numbered 0 .. ms_census_job_units() - 1.  Each
 * share of them (base/units.h) adds rows: motifs, and the sets of the share that fit them.  If each
 * unit is in one of some shares, then the sum of their rows, motif by motif, is the rows of the
 * whole census; ms_census_job_finish makes the result of it.  `min_count` and `top` hold only
 * there. */
typedef struct ms_census_job ms_census_job;

/* The graph, the colouring and what the options point to must outlive the job. */
ms_status ms_census_job_open(const ms_census_accelerator *gpus, const ms_graph *graph,
                             const ms_coloring *coloring, const ms_census_options *options,
                             ms_census_job **out, ms_error *err);
void ms_census_job_close(ms_census_job *job); /* accepts NULL */
uint64_t ms_census_job_units(const ms_census_job *job);
/* Counts a share: fills rows, in the order of their motifs, whose array the caller frees, and sets
 * *sets to all sets of the share.  The colours of a row are numbers of their own.  A
 * job counts any number of shares, one after another.  A stop of the token is an
 * error, after which the rows are empty. */
ms_status ms_census_job_run(ms_census_job *job, const ms_share *share, ms_census_rows *rows,
                            uint64_t *sets, ms_error *err);
/* Gives the tables a form, before the first share; sparse ones if dense ones do not fit. */
void ms_census_job_set_form(ms_census_job *job, ms_census_form form);
/* Returns the form of the tables, and whether GPUs count, after the first share. */
ms_census_form ms_census_job_form(const ms_census_job *job, bool *uses_gpus);
/* Lets copies from GPUs be checked, before the first share; NULL: not. */
void ms_census_job_set_integrity(ms_census_job *job, ms_integrity *integrity);
/* The numbers of a row's key that tell its motif, or shape: the first ones. */
uint32_t ms_census_job_key_size(const ms_census_job *job);
/* True if a motif, or shape, of this graph may have the key; its other numbers are MS_NO_KIND. */
bool ms_census_job_key_is_right(const ms_census_job *job, const ms_multiset *key);
/* Makes the result of the sum of all rows, which it puts in another order, and of all sets; once
 * for each job.  A sum must be below 2^63. */
ms_status ms_census_job_finish(ms_census_job *job, ms_census_rows *rows, uint64_t sets,
                               ms_census_result **out, ms_error *err);

/* ---- networks side by side --------------------------------------------------------------
 *
 * Censuses by shape of several networks that a GPU counts in one launch, as the parts of one graph.
 * The options of all are the same. */

/* True if an estimate says that GPUs count so many random networks, some at a time, faster than
 * processors, which make all of them. */
bool ms_census_networks_pay(const ms_census_accelerator *gpus, const ms_census_result *observed,
                            uint64_t networks, uint32_t at_a_time, int threads);
/* Opens one, for ms_census_jobs_count.  The graph and the colouring need not outlive the call. */
ms_status ms_census_job_open_beside(const ms_census_accelerator *gpus, const ms_graph *graph,
                                    const ms_coloring *coloring, const ms_census_options *options,
                                    ms_census_job **out, ms_error *err);
/* Counts all of them, on the GPU and with the memory that these options name; in several launches
 * where there is not enough.  keys: how many shapes a network has, about.  MS_ERR_MEMORY: there is
 * no room for one of them. */
ms_status ms_census_jobs_count(ms_census_job *const *job, uint32_t jobs,
                               const ms_census_options *options, double keys, ms_error *err);
/* Makes the result of one, once. */
ms_status ms_census_job_result(ms_census_job *job, ms_census_result **out, ms_error *err);

/* ---- a census in steps --------------------------------------------------------------------
 *
 * The units of a share are counted in ascending order, and the state can be read between two
 * steps. */

typedef struct ms_census_step {
  double seconds; /* after which a step ends, once each thread has finished its unit */
  /* Called at the beginning of the step on the calling thread, before it counts, while the others
   * do; may be NULL.  The time of the step begins after it. */
  void (*meanwhile)(void *user);
  void *user;
} ms_census_step;

/* Begins to count these units; units->first is the first one. */
ms_status ms_census_job_start(ms_census_job *job, const ms_share *units, ms_error *err);
/* Counts some of them, at least one if any is left, and sets *done: those below are counted.  After
 * MS_ERR_LIMIT or MS_ERR_INTERRUPTED, ms_census_job_totals may be called if
 * ms_census_job_is_whole. */
ms_status ms_census_job_advance(ms_census_job *job, const ms_census_step *step, uint64_t *done,
                                ms_error *err);
/* True if exactly the sets of the units below *done are counted. */
bool ms_census_job_is_whole(const ms_census_job *job);
/* Fills rows, in no order, whose array the caller frees, and *sets with what was counted so far. */
ms_status ms_census_job_totals(ms_census_job *job, ms_census_rows *rows, uint64_t *sets,
                               ms_error *err);

/* The numbers of some motifs, which may be known without rows for all. */
typedef struct ms_census_wanted {
  const ms_census_result *observed; /* these motifs, of colours */
  uint64_t *count;                  /* [observed->count] */
  bool filled;                      /* `count` is; then the result of the census has no rows */
} ms_census_wanted;

/* ms_census with these GPUs.  `wanted` NULL: rows are. */
ms_status ms_census_by(const ms_census_accelerator *gpus, const ms_graph *graph,
                       const ms_coloring *coloring, const ms_census_options *options,
                       ms_census_wanted *wanted, ms_census_result **out, ms_error *err);

/* ms_census_vertices with these GPUs. */
ms_status ms_census_vertices_by(const ms_census_accelerator *gpus, const ms_graph *graph,
                                const ms_coloring *coloring, const ms_census_options *options,
                                ms_census_fn receive, void *user, ms_census_summary *summary,
                                ms_error *err);

/* Receives the rows of a vertex, on the calling thread; false ends the run. */
typedef struct ms_census_part {
  uint64_t unit;
  uint32_t entry; /* its number among the vertices, and the parts of cut ones, of the share */
  bool is_cut;    /* the rows count only some of the sets that hold the vertex.  Then all motifs of
                     these sets have rows, whatever the options say, in the order of the motifs */
  bool is_first;  /* it is the first unit of the vertex */
  const ms_census_vertex *vertex;
} ms_census_part;
typedef bool (*ms_census_part_fn)(void *user, const ms_census_part *part);

typedef struct ms_census_receiver {
  ms_census_part_fn receive;
  void *user;
  /* Called before anything is counted: sets *first, which is 0, to the entry to begin with, which
   * is at most `entries`, their number; may be NULL. */
  ms_status (*begin)(void *user, uint32_t entries, uint32_t *first, ms_error *err);
  double seconds; /* about, after which entries that are done are received; 0: any */
} ms_census_receiver;

/* The census of each vertex in shares of units; `share` NULL: all vertices, of which none is cut.
 * Vertices come in the order of the graph, and so do units.  The parts of a vertex that is cut are
 * units next to each other: their numbers have to be added, motif by motif, before options leave
 * rows out and put them in order.  Entries ascend; after a stop, some may be lacking. */
ms_status ms_census_vertices_share(const ms_census_accelerator *gpus, const ms_graph *graph,
                                   const ms_coloring *coloring, const ms_census_options *options,
                                   const ms_share *share, const ms_census_receiver *receiver,
                                   ms_census_summary *summary, ms_error *err);
ms_status ms_census_vertices_units(const ms_graph *graph, const ms_coloring *coloring,
                                   const ms_census_options *options, uint64_t *units,
                                   ms_error *err);

/* Estimates the number of sets by that of walks of k vertices, which is larger on most graphs: each
 * further vertex multiplies it by the mean degree of a neighbour. */
double ms_census_estimate_sets(const ms_census_graph *graph, uint32_t k);
/* Says why the CPU is the faster choice where it would take so many seconds, as far as is known
 * without a count; NULL: it is not. */
const char *ms_census_prefer_cpu(const ms_census_accelerator *gpus, uint32_t k, double seconds);

typedef enum ms_census_engine { MS_CENSUS_ANY, MS_CENSUS_CPU, MS_CENSUS_GPU } ms_census_engine;
/* Finds the engine of this name; NULL: any.  MS_ERR_USAGE: there is none. */
ms_status ms_census_find_engine(const char *name, ms_census_engine *out, ms_error *err);

/* Puts the usual numbers in place of zeros, and checks the others. */
ms_status ms_census_complete(ms_census_options *options, ms_error *err);
/* MS_ERR_USAGE if the options ask for shapes, which `what` does not count. */
ms_status ms_census_refuse_shapes(const ms_census_options *options, const char *what,
                                  ms_error *err);
/* MS_ERR_MEMORY, with what can be done. */
ms_status ms_census_fail_memory(const ms_census_graph *graph, ms_error *err);
/* MS_ERR_USAGE: a number has no 63 bits. */
ms_status ms_census_fail_overflow(ms_error *err);

#endif
