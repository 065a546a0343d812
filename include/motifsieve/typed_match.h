/* Typed patterns and their matches.  motifsieve.h includes this file. */
#ifndef MOTIFSIEVE_TYPED_MATCH_H
#define MOTIFSIEVE_TYPED_MATCH_H

#include "motifsieve/typed.h"

/* ---- typed patterns --------------------------------------------------- */

/* A typed pattern.  Several threads may use one at the same time. */
typedef struct ms_typed_pattern ms_typed_pattern;
/* Parses Cypher's notation: paths of vertices and edges, joined by commas, such as
 * "(c:Compound)-[CbG]-(g:Gene)<-[Gr>G]-(:Gene), (c)--(d)".  A vertex is (NAME:TYPE|TYPE), each part
 * optional.  -[TYPE|TYPE]-> points from left to right, <-[..]- from right to left, and -[..]- fits
 * both ways; -- and -[]- are edges of any type, and -[r:TYPE]- is -[TYPE]-.  Names in backquotes
 * may hold any character.  MATCH before the pattern and RETURN with names of vertices after it
 * change nothing.
 */
MS_API ms_status ms_typed_pattern_parse(const char *text, ms_typed_pattern **out, ms_error *err);
/* Reads a pattern from a file of that text, in which a line end counts as a comma and # begins a
 * comment; or from a typed graph file, whose edges and types of vertices are the pattern (options
 * as for graphs; may be NULL). */
MS_API ms_status ms_typed_pattern_read(const char *path, const ms_typed_options *options,
                                       ms_typed_pattern **out, ms_error *err);

MS_API void ms_typed_pattern_free(ms_typed_pattern *pattern);
MS_API uint32_t ms_typed_pattern_size(const ms_typed_pattern *pattern);
MS_API const char *ms_typed_pattern_vertex_name(const ms_typed_pattern *pattern, uint32_t i);

/* Does what ms_labels_read does for a typed graph. */
MS_API ms_status ms_labels_read_typed(const char *path, const ms_typed *graph, ms_labels **out,
                                      ms_error *err);

/* A pattern bound to a graph; both must outlive the query.  Several threads may search one at the
 * same time. */
typedef struct ms_typed_query ms_typed_query;
MS_API ms_status ms_typed_query_new(const ms_typed *graph, const ms_typed_pattern *pattern,
                                    ms_typed_query **out, ms_error *err);
MS_API void ms_typed_query_free(ms_typed_query *query);
/* Returns the i-th (from 0) of the pattern's types that the graph does not have; NULL after the
 * last. */
MS_API const char *ms_typed_query_unknown(const ms_typed_query *query, uint32_t i);

/* Applies the compound type filter (MTGL).  It keeps the edges whose quadruple (type of v, type of
 * the arc to w, type of the arc back, type of w) occurs in the pattern, the ends of these edges,
 * and the vertices that a pattern vertex without edges accepts.  Vertices get new numbers; types
 * keep their numbers. */
MS_API ms_status ms_typed_filter(const ms_typed_query *query, int threads, ms_typed **out,
                                 ms_error *err);

typedef enum ms_typed_walk {
  MS_WALK_EULER =
      0,         /* a closed walk through the pattern that uses each edge once in each direction */
  MS_WALK_RANDOM /* a random walk of walk_length steps */
} ms_typed_walk;

struct ms_typed_result;
/* Receives, once, before the first rows and from any thread, the fields that are known by then: p,
 * automorphisms_text, engine, engine_reason, ordered, what the filter and the walk left, screen,
 * screen_reason, and times.
 * There are no counts yet. `known` lives only until the call returns.  Return false to stop the
 * search. */
typedef bool (*ms_typed_begin_fn)(void *user, const struct ms_typed_result *known);

typedef struct ms_typed_match_options {
  size_t size;     /* set by MS_TYPED_MATCH_OPTIONS_DEFAULT */
  bool embeddings; /* true: every map.  false: one map of each class of maps that differ by an
                      automorphism of the pattern: the one with the smallest row */
  bool count_only;
  uint64_t limit; /* exact: stop after this many matches; 0: no limit */
  uint32_t best;  /* inexact: number of best maps to find; 0: MS_DEFAULT_BEST */
  ms_typed_walk walk;
  uint32_t walk_length; /* steps of a random walk; 0: four times the length of the Euler tour.  The
                           walk continues until it has seen every edge */
  bool induced;         /* exact: no edge joins the images of two vertices that the pattern does not
                           join */
  ms_run_limits run;    /* exact: as in ms_pattern_options; `seed` is that of a random walk, of the
                           sieve and of a sample */
  ms_pattern_rows_fn rows; /* exact: receives the matches, in an order that does not depend on the
                              number of threads; NULL: store them */
  void *rows_user;
  ms_typed_begin_fn begin;     /* called with rows_user if `rows` is given; may be NULL */
  const char *const *required; /* exact: as in ms_pattern_options */
  uint32_t n_required;
  /* exact: whether the sieve goes first, for a motif whose colours are the domains; the next four
   * fields are as in ms_screen_options */
  ms_screen_mode screen_mode;
  ms_recurrence recurrence;
  double error;
  uint32_t repetitions;
  ms_backend backend;
  bool participation, by_position; /* exact: as in ms_pattern_options */
  uint64_t sample;                 /* the same */
} ms_typed_match_options;
#define MS_TYPED_MATCH_OPTIONS_DEFAULT                                                             \
  {                                                                                                \
    .size = sizeof(ms_typed_match_options), .run = {.seed = MS_DEFAULT_SEED }                      \
  }

typedef struct ms_typed_result {
  ms_run_outcome run; /* as in ms_pattern_result */
  uint32_t p;         /* pattern vertices */
  uint64_t
      matches; /* number of matches delivered, stored or counted; a count is capped at UINT64_MAX */
  uint32_t *vertices;                    /* [matches][p], or NULL */
  uint32_t *score;                       /* inexact: [matches], descending */
  uint32_t best_score;                   /* inexact: the score of an exact match */
  char *count_text, *automorphisms_text; /* in decimal, exact at any size */
  bool ordered;
  uint64_t edges_kept;      /* edges that the compound type filter kept */
  uint32_t vertices_kept;   /* ends of these edges */
  uint32_t walk_length;     /* steps of the walk */
  uint32_t vertices_active; /* vertices on some walk that is type-isomorphic to the walk through the
                               pattern; exact: vertices in some domain */
  uint32_t *domain;         /* exact: [p] size of each pattern vertex's domain; inexact: NULL */
  bool plain; /* true if the engines for plain patterns made the count, with candidates as
                 colours */
  double time_filter, time_walk,
      time_search;          /* seconds; time_search includes the check of the matches */
  bool inexact;             /* a result of ms_typed_match_inexact */
  ms_screen_result *screen; /* NULL: no sieve went first, and no match can be missed */
  char *screen_reason;      /* exact: one line of text: why the sieve did or did not go first */
  char *part_text;
  ms_participation *participation; /* as in ms_pattern_result */
  uint64_t sampled_from;           /* the same */
} ms_typed_result;

/* Lists or counts every match exactly: filter, walk, search; verify/ checks each row. */
MS_API ms_status ms_typed_match(const ms_typed_query *query, const ms_typed_match_options *options,
                                ms_typed_result **out, ms_error *err);
/* Finds the best maps of the pattern's vertices along type-isomorphic walks.  The pattern must be
 * connected.  docs/TYPED.md says what the score counts. */
MS_API ms_status ms_typed_match_inexact(const ms_typed_query *query,
                                        const ms_typed_match_options *options,
                                        ms_typed_result **out, ms_error *err);

/* Explains how a typed pattern would be searched for, as ms_pattern_explain does for a plain one;
 * "relations" in the JSON are the kinds of edges that the plan reads. */
MS_API ms_status ms_typed_explain(const ms_typed_query *query,
                                  const ms_typed_match_options *options, bool json, char **text,
                                  ms_error *err);

/* Finds the vertices that take part in a match, as ms_pattern_flags does. */
MS_API ms_status ms_typed_flags(const ms_typed_query *query, const ms_typed_match_options *options,
                                ms_flags_result **out, ms_error *err);

MS_API void ms_typed_result_free(ms_typed_result *result);

#endif
