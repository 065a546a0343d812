/* Motifs and their queries: the screen and the list.  motifsieve.h includes this file. */
#ifndef MOTIFSIEVE_MOTIF_H
#define MOTIFSIEVE_MOTIF_H

#include "motifsieve/colors.h"
#include "motifsieve/parts.h"

/* ---- motif and query ------------------------------------------------- */

#define MS_MAX_K 32u /* greatest number of slots in a motif */
/* Greatest number of repetitions of the sieve.  6 to 30 are usual; the exact bound of this many is
 * still multiplied out in no time. */
#define MS_MAX_REPETITIONS 10000u

/* A multiset of colours and conditions.  `*` is a vertex of any colour, or of none.  Several
 * threads may use one at the same time. */
typedef struct ms_motif ms_motif;

/* Parses a motif such as "kinase:2,phosphatase,*:1".  A name that holds a comma, a colon or a
 * double quote is written in double quotes ("" for a quote inside).  An unquoted item whose whole
 * text is a known colour is that colour.
 *
 * In place of a colour, an item may be a condition of up to 1024 colours: "kinase|phosphatase:2" is
 * two vertices that each have one of the colours (or both), "!nucleus" is a vertex without that
 * colour, also one without any, and "kinase&!nucleus|phosphatase" is a vertex that is a kinase
 * outside of the nucleus, or a phosphatase: & binds more tightly than |.  In a condition, names
 * that hold | or &, or begin with !, are written in double quotes, too.  Errors name the item. */
MS_API ms_status ms_motif_parse(const char *text, const ms_coloring *coloring, ms_motif **out,
                                ms_error *err);
/* Reads a motif from a file of lines `colour` or `colour<TAB>count`, with the names unquoted.  A
 * line whose colour is not known may hold a condition in its place, as ms_motif_parse reads it. */
MS_API ms_status ms_motif_read(const char *path, const ms_coloring *coloring, ms_motif **out,
                               ms_error *err);

/* Reads a motif from a file of names of vertices, one a line: the motif of sets of vertices that
 * are coloured like these.  Each vertex gives a slot that any vertex with one of its colours fills.
 * The slot of a vertex without colours is `*`; *uncolored, which may be NULL, receives the number
 * of these.  Aliases of names (ms_graph_read_aliases) count.  Blank lines are skipped, and so are
 * lines that begin with # unless they name a vertex.  MS_ERR_INPUT, with the line: a name is not
 * one of the graph's, a vertex occurs twice, or there are more than MS_MAX_K. */
MS_API ms_status ms_motif_read_vertices(const char *path, const ms_graph *graph,
                                        const ms_coloring *coloring, uint32_t *uncolored,
                                        ms_motif **out, ms_error *err);

/* Makes the motif that the graph's file states (format "motif"; info.motif_size > 0). MS_ERR_USAGE:
 * it states none. */
MS_API ms_status ms_motif_from_graph(const ms_graph *graph, const ms_coloring *coloring,
                                     ms_motif **out, ms_error *err);

/* What the graph's file says that a search for its motif finds. */
typedef enum ms_target_kind {
  MS_TARGET_NONE = 0, /* nothing */
  MS_TARGET_UNIQUE,   /* one match, of the given vertices */
  MS_TARGET_COUNT     /* a number of matches */
} ms_target_kind;
typedef struct ms_motif_target {
  ms_target_kind kind;
  uint32_t size;          /* UNIQUE: number of vertices */
  const uint32_t *vertex; /* UNIQUE: [size] ascending; owned by the graph */
  uint64_t count;         /* number of matches; UNIQUE: 1 */
} ms_motif_target;
MS_API ms_motif_target ms_graph_motif_target(const ms_graph *graph);

MS_API void ms_motif_free(ms_motif *motif);
MS_API uint32_t ms_motif_size(const ms_motif *motif);
/* Returns the canonical text, which ms_motif_parse reads back; owned by the motif. */
MS_API const char *ms_motif_text(const ms_motif *motif);

/* A graph, its colours, a motif and required vertices.  The query keeps pointers to the first
 * three, which must outlive it.  Several threads may search one at the same time. */
typedef struct ms_query ms_query;

MS_API ms_status ms_query_new(const ms_graph *graph, const ms_coloring *coloring,
                              const ms_motif *motif, uint32_t n_required,
                              const char *const *required, ms_query **out, ms_error *err);
MS_API void ms_query_free(ms_query *query);

/* Finds which slot each vertex of a match fills.  The slots are numbered from 0, class after class
 * of the canonical text.  Of all ways to pair off vertices with slots this is the lexicographically
 * first: set[0] has the lowest slot possible, then set[1], and so on.  set[k] and slot[k]; returns
 * false if there is no way, because the set is not a match. */
MS_API bool ms_query_slots(const ms_query *query, const uint32_t *set, uint32_t *slot);
/* Returns the name of the colour of slot d < k; "*" is any colour; a slot with a condition has the
 * condition's text. */
MS_API const char *ms_query_slot_name(const ms_query *query, uint32_t d);
/* Returns the colour, as "#rrggbb", in which drawings and reports show what fills slot d < k, or,
 * with query NULL, vertex d of a pattern; also colour d of the palette, which begins again after
 * MS_PALETTE of them.  NULL: there is no slot d. */
MS_API const char *ms_query_slot_color(const ms_query *query, uint32_t d);
#define MS_PALETTE 14

/* ---- substitutions ---------------------------------------------------- */

#define MS_MAX_COST                                                                                \
  1000u /* greatest cost of a substitution, and of all substitutions of a match                    \
         */

/* Colours whose vertices may fill slots of other colours, at a cost.  In a slot with a condition,
 * the costs of the colours of one alternative add up; a colour that a vertex must not have stays as
 * it is.  Several threads may use one at the same time. */
typedef struct ms_substitutes ms_substitutes;

/* Makes substitutions: a vertex of colour instead[i] may fill a slot of colour wanted[i] at
 * cost[i], i < count.  Each cost is at least 1.  Of a pair of colours that occurs more than once,
 * the least cost counts; pairs with a colour that the colouring lacks are skipped. */
MS_API ms_status ms_substitutes_new(const ms_coloring *coloring, uint32_t count,
                                    const char *const *wanted, const char *const *instead,
                                    const uint32_t *cost, ms_substitutes **out, ms_error *err);
/* Reads substitutions from a file: a table of lines WANTED<TAB>INSTEAD<TAB>COST, or an ontology in
 * the format OBO.  In an ontology the cost of a term in place of another one is the least number of
 * steps from both up to a common ancestor (the distance of Rada, Mili, Bicknell and Blettner, IEEE
 * Transactions on Systems, Man, and Cybernetics 19(1), 1989); a term is an ancestor of itself, and
 * a step is an is_a or a part_of.  Only the colours of the motif's slots, and costs up to max_cost,
 * are looked up there.  The colour of a term is that of its id or, if there is none, of its name; a
 * colour may also be an alternative id of a term, or the id of one that it has replaced, and 1 is
 * the cost of one id of a term in place of another one.  MS_ERR_INPUT: no line fits the colours. */
MS_API ms_status ms_substitutes_read(const char *path, const ms_coloring *coloring,
                                     const ms_motif *motif, uint32_t max_cost, ms_substitutes **out,
                                     ms_error *err);
MS_API void ms_substitutes_free(ms_substitutes *substitutes);
/* Returns the number of substitutions; *skipped, which may be NULL, receives the number of those
 * that were skipped. */
MS_API uint32_t ms_substitutes_count(const ms_substitutes *substitutes, uint32_t *skipped);

/* ---- screen ---------------------------------------------------------- */

typedef enum ms_recurrence { MS_SIBLING = 0, MS_CLASSIC = 1 } ms_recurrence;

/* The device on which the sieve runs.  The sieve values Q are the same bits everywhere. */
typedef enum ms_backend {
  MS_BACKEND_AUTO = 0, /* the one from which a cost model expects the answer first */
  MS_BACKEND_CPU,
  MS_BACKEND_CUDA, /* all usable NVIDIA GPUs, or those in run.devices */
  MS_BACKEND_BOTH  /* the GPUs and the processor together */
} ms_backend;

/* How a screen finds the vertices that take part in a match. */
typedef enum ms_screen_method {
  MS_METHOD_SIEVE = 0, /* by the sieve, which may miss vertices with a bounded chance */
  MS_METHOD_EXACT,     /* by enumeration, which misses none and may take long */
  MS_METHOD_AUTO       /* by enumeration, unless that is about to take as long as the sieve */
} ms_screen_method;

typedef struct ms_screen_options {
  size_t size; /* set by MS_SCREEN_OPTIONS_DEFAULT */
  ms_recurrence recurrence;
  double error;         /* wanted bound on the chance to miss a vertex; 0: MS_DEFAULT_ERROR */
  uint32_t repetitions; /* at most MS_MAX_REPETITIONS; 0: as many as `error` needs */
  /* Of the whole search, where these options are a part of others, which say what engines and
   * divisions there are.  For ms_screen: without `engine`; a part of the sieve has values in place
   * of flags, and a division needs MS_METHOD_SIEVE. */
  ms_run_limits run;
  uint32_t match_size;   /* number of vertices in a match; 0: k.  If smaller than k, a match
                            fills this many of the k slots (deletions) */
  bool no_prune;         /* sieve the whole graph (for tests and benchmarks) */
  bool no_early_stop;    /* run all repetitions even when all are flagged */
  const char *kernel;    /* the arithmetic; NULL: the fastest of this CPU (or MOTIFSIEVE_GF2).  If
                            only GPUs are used, bitslice32-shared or bitslice32-global replaces
                            the automatic choice */
  uint32_t block_points; /* 0: the block size of the arithmetic; any other number is an error */
  ms_backend backend;
  ms_screen_method method;
  /* If one of them is not 0, the screen finds the nearest match of each vertex: a connected set
   * that leaves at most max_missing slots empty, and holds at most max_extra further vertices of
   * any colour.  Its cost is the number of these slots and vertices.  max_missing < k, and
   * k + max_extra <= MS_MAX_K. */
  uint32_t max_missing, max_extra;
  bool nearest_only; /* the search ends with the least cost that some match has */
  bool costs;        /* fill `missing` and `extra` of the result, also if both limits are 0 */
  bool profile;      /* with MS_METHOD_EXACT, and k > 1: fill `score` of the result; the graph needs
                        scores */
  /* Fill `best_sum` of the result; borrowed; NULL: do not.  For the sieve, the sum over the slots
   * of the difference between the greatest and the least score that fits the slot is at most 254
   * times the greatest common divisor of such differences; otherwise MS_METHOD_SIEVE fails, and
   * MS_METHOD_AUTO enumerates. */
  const ms_vertex_scores *vertex_scores;
  /* For the nearest matches: vertices may fill slots of other colours.  The sum of the costs of the
   * substitutions in a match, at most max_cost, is a part of its cost. */
  const ms_substitutes *substitutes; /* NULL: there are none */
  uint32_t max_cost;                 /* at most MS_MAX_COST */
  bool all_sums; /* with vertex_scores: fill `sums` of the result, too.  For enumeration, 65535
                    takes the place of 254 above */
} ms_screen_options;
/* The options that a NULL pointer stands for. */
#define MS_SCREEN_OPTIONS_DEFAULT                                                                  \
  {                                                                                                \
    .size = sizeof(ms_screen_options), .run = {.seed = MS_DEFAULT_SEED }                           \
  }

/* The result of a screen.  Times are in seconds. */
typedef struct ms_screen_result {
  ms_run_outcome run; /* its engines are `backend` and `kernel` */
  uint32_t n;         /* vertices of the graph */
  uint32_t k;
  uint32_t *hits; /* [n] number of repetitions that flagged v, or 1 if `exact`; > 0: v is certainly
                     in a match */
  uint8_t *kept;  /* [n] 1 if pruning left v; 0: v is certainly in no match */
  uint8_t *q;     /* of a part, which flags no vertex: [repetitions][n] the XOR of the values of its
                     units; else NULL */
  uint32_t vertices_kept, flagged, components;
  uint64_t edges_kept;
  uint32_t repetitions; /* repetitions that ran to their end */
  uint32_t repetitions_planned;
  double miss_bound;        /* per vertex, after `repetitions`, rounded up; 0 if every vertex
                               that pruning left is flagged or if `exact`, 1 without a
                               repetition or if `exact` and `stopped` */
  double miss_bound_union;  /* miss_bound times vertices_kept, at most 1 */
  char *miss_bound_text;    /* the exact rational, as a formula; or "0: WHY" */
  bool early_stop;          /* true if the run ended early because every kept vertex was flagged */
  uint64_t memory_estimate; /* bytes, estimated before the run */
  const char *kernel;       /* the arithmetic used; NULL if nothing was sieved */
  uint32_t block_points;
  int threads;
  double time_prune, time_sieve;
  double
      time_open; /* of time_sieve: until back ends were ready (contexts of GPUs, copies to them) */
  uint64_t points;       /* points evaluated in all repetitions */
  ms_backend backend;    /* the back end that ran: CPU, CUDA or BOTH */
  char *backend_reason;  /* one line of text: which back end was chosen and why */
  uint32_t devices;      /* GPUs that worked to the end */
  uint32_t devices_lost; /* GPUs that failed during the run; other devices did their work */
  bool exact;            /* vertices were found by enumeration */
  uint32_t settled;      /* `exact`: vertices about which all is known; all, unless `stopped` */
  /* [n] of the nearest match of a flagged vertex: slots that it leaves empty, and vertices without
   * a slot.  Of several nearest matches it is one with the fewest empty slots.  NULL without
   * max_missing, max_extra, nearest_only and costs.  With them miss_bound is the bound of the
   * chance that the cost of a vertex is not the least. */
  uint8_t *missing, *extra;
  float *score; /* [n] of a flagged vertex: the greatest score t such that it is in a match that
                   edges of at least t connect; if `stopped`, a lower bound.  NULL without
                   `profile` */
  uint32_t *best_sum; /* [n] of a flagged vertex: the greatest sum of vertex scores of a match that
                         holds it; if `stopped`, a lower bound.  By the sieve, the chance that it is
                         not the greatest is at most miss_bound, and it is the sum of some match in
                         any case.  NULL without `vertex_scores` */
  uint32_t *cost; /* [n] of a flagged vertex: `missing` + `extra` + the costs of substitutions; NULL
                     where `missing` is */
  /* The sums of vertex scores of the matches that hold v: sums[sums_from[v] .. sums_from[v + 1]),
   * ascending; if `stopped`, some of them.  By the sieve, each of them is missed with a chance of
   * at most miss_bound.  NULL without `all_sums`. */
  uint32_t *sums;
  uint64_t *sums_from; /* [n + 1] */
} ms_screen_result;

MS_API ms_status ms_screen(const ms_query *query, const ms_screen_options *options,
                           ms_screen_result **out, ms_error *err);
MS_API void ms_screen_result_free(ms_screen_result *result);

/* ---- list ------------------------------------------------------------ */

struct ms_list_result;
/* Called once, before the first row, from any thread.  result->streamed says what is known: false,
 * and everything but `vertices` is set; true, and the screen and the regions are.  Returns false to
 * stop the search. */
typedef bool (*ms_list_begin_fn)(void *user, const struct ms_list_result *result);
/* Receives the next rows[count][k].  There is one call at a time, from any thread.  Returns false
 * to stop the search. */
typedef bool (*ms_list_rows_fn)(void *user, const uint32_t *rows, uint64_t count);

/* A measure of a match, from the edges of the graph between its vertices, or from the vertices. */
typedef enum ms_measure {
  MS_MEASURE_NONE = 0,
  MS_MEASURE_EDGES,       /* their number */
  MS_MEASURE_DENSITY,     /* their number over k (k - 1) / 2; 0 for k = 1 */
  MS_MEASURE_MEAN_SCORE,  /* the mean and the least of their scores; the graph needs scores, see */
  MS_MEASURE_LEAST_SCORE, /* ms_graph_scores; 0 for k = 1 */
  MS_MEASURE_VERTEX_SCORE /* the sum of the scores of its vertices; needs `vertex_scores` */
} ms_measure;

typedef struct ms_list_options {
  size_t size; /* set by MS_LIST_OPTIONS_DEFAULT */
  /* screen.run is that of the list.
   *
   * engine: of counts and lists of all matches: "cpu"; "gpu", whose GPUs `devices` may name (one of
   * them for a list); or "auto".  "auto" counts on the CPU, and on a GPU, too, once that has taken
   * as long as a GPU takes to start, until one of them is done; it lists on a GPU if the CPU's
   * search is expected to take seconds, and much of the time of the whole list.  NULL: "auto".  The
   * matches do not depend on it; more than 2^20 of them for a receiver come in an order of the
   * engine's.  With `limit`, `sample`, `diverse`, or `top` by the scores of vertices, the CPU
   * searches, and "gpu" is refused.
   *
   * division: of an exact search for all matches; the matches of a part are not sorted.  Without
   * `limit`, `participation`, `sample`, `diverse`, `families` and `sort`. */
  ms_screen_options screen;
  bool exact;      /* search without the sieve: no match can be missed */
  bool count_only; /* count the matches and do not store them */
  uint64_t limit;  /* stop after this many matches; 0: no limit */
  /* A receiver of rows, unless NULL; the result then has none.  Up to 2^20 rows come at the end,
   * sorted. More rows, or rows for which the memory is too small, come while they are found, in an
   * order that does not depend on the threads.  The calls come one at a time, from any thread. */
  ms_list_begin_fn begin; /* may be NULL */
  ms_list_rows_fn rows;
  void *rows_user;
  bool participation; /* with count_only, and without a limit: fill matches_of of the result */
  /* Draws this many matches at random, without replacement: each set of so many matches is equally
   * likely.  If there are fewer, all are listed.  They depend on the query and on the seed, and on
   * no other option.  Needs `exact`, and no limit.  0: all matches are listed. */
  uint64_t sample;
  /* Lists matches of which no two share a vertex.  If neither the limit nor a stop ends the search,
   * none can be added: each match shares a vertex with one of them.  They depend on the query
   * alone.  Needs `exact`. */
  bool diverse;
  /* The next four are not for counts.  The measures of edges are numbers of single precision. */
  ms_measure sort;    /* rows in descending order of this measure, and then in lexicographic order;
                         all are held in memory, and `limit` is 0 */
  uint64_t top;       /* with `sort`: only the first rows of that order, as many as these; 0: all */
  double min_density; /* leave out matches of less density; 0: none */
  double min_mean_score; /* leave out matches with a lower mean score; 0: none */
  /* Above 0, at most 1: groups the matches into families, and lists one match of each, the
   * representative.  The matches are taken in the order of the list.  A match joins the first
   * representative with which it shares at least this share of its vertices; without one, it
   * becomes a representative.  All matches are held in memory: MS_ERR_MEMORY, with their number,
   * before anything is listed, if a count of at most a second shows that they do not fit.  `limit`
   * is the greatest number of families, and `top` is 0.  Needs `exact`.  0: no families. */
  double families;
  /* Scores of the graph's vertices, which a written list shows the sums of; borrowed; NULL: none.
   */
  const ms_vertex_scores *vertex_scores;
} ms_list_options;
#define MS_LIST_OPTIONS_DEFAULT                                                                    \
  {                                                                                                \
    .size = sizeof(ms_list_options), .screen = MS_SCREEN_OPTIONS_DEFAULT                           \
  }

typedef struct ms_list_result {
  ms_run_outcome run; /* `work` includes that of `screen` */
  uint32_t k;
  uint64_t matches;   /* number of matches stored or counted */
  uint32_t *vertices; /* [matches][k], each row ascending, the rows sorted unless `streamed`; NULL
                         if count_only or if a receiver took them */
  char *count_text;   /* the number of matches in decimal, exact at any size (GMP) */
  uint32_t regions;   /* candidate regions searched */
  uint32_t region_vertices;
  ms_screen_result *screen; /* NULL if the search was exact */
  double time_list, time_verify;
  bool streamed;        /* rows are not sorted: the receiver took them while they were found, or the
                           token stopped while far more than 2^20 rows were sorted */
  uint32_t n;           /* vertices of the graph */
  uint64_t *matches_of; /* [n] number of matches that hold each vertex, modulo 2^64; NULL without
                           `participation` */
  uint64_t sampled_from; /* with `sample`: number of all matches; after a stop there are no rows,
                            and this is the number of those that were counted */
  uint64_t *family_size; /* [matches] with `families`: number of matches in the family of each row,
                            the row included; NULL without */
  uint64_t family_matches; /* their sum */
  char *part_text; /* of a part of a list: the numbers of rows of its units, for ms_list_write and
                      ms_merge.  Else NULL */
} ms_list_result;

MS_API ms_status ms_list(const ms_query *query, const ms_list_options *options,
                         ms_list_result **out, ms_error *err);
MS_API void ms_list_result_free(ms_list_result *result);

/* Estimates the number of matches before they are listed: a part of the search is counted, spread
 * over the graph, until screen.run.stop ends it, and the rest is taken to be like it.  Of the
 * options it reads `stop`, `threads` and `memory` of screen.run.  *matches is exact if the search
 * ended, and -1 if too little of it was done to tell.  In graphs with few large hubs an estimate
 * may be far off. */
MS_API ms_status ms_list_estimate(const ms_query *query, const ms_list_options *options,
                                  double *matches, ms_error *err);

/* True if a result for the motif of the graph's file, without required vertices, agrees with the
 * file's target.  Results that were stopped, or that the sieve found, or whose matches share no
 * vertex, may lack matches; of a sample or of families, the number of all matches is compared. */
MS_API bool ms_target_fits_list(const ms_motif_target *target, const ms_list_result *list);
MS_API bool ms_target_fits_screen(const ms_motif_target *target, const ms_screen_result *screen);

#endif
