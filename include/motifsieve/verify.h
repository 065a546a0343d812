/* The check of result files.  motifsieve.h includes this file. */
#ifndef MOTIFSIEVE_VERIFY_H
#define MOTIFSIEVE_VERIFY_H

#include "motifsieve/paths.h"
#include "motifsieve/session.h"
#include "motifsieve/typed.h"

/* ---- verify ---------------------------------------------------------- */

typedef struct ms_verify_options {
  size_t size;       /* set by MS_VERIFY_OPTIONS_DEFAULT */
  bool no_recount;   /* skip the independent recount; missing rows are then not noticed */
  ms_run_limits run; /* only `stop` and progress: rows checked, and the matches of the recount */
  /* How to read the inputs.  A setting that is not given here is taken from the result file. */
  ms_graph_options graph;
  ms_color_options colors;
  const char *aliases; /* the alias file.  It must be given if and only if the result was made with
                          one, and so must colors.obo and a colors.slim that is a file */
  const char *pattern; /* only for a result of pattern matches: the pattern's file, or the name of a
                          built-in pattern if no file has that name */
  const char *pattern_colors; /* must be given if and only if the result was made with one */
  ms_typed_options typed; /* for a result of typed matches, whose pattern may also be a text; nodes
                             and relations must be given if and only if it was made with them */
  const char *labels; /* must be given if and only if the result was made with a file of labels that
                         is not its alias file */
  const char *substitutes;   /* must be given if and only if the result was made with substitutions:
                                their file, as for ms_substitutes_read */
  double flag_seconds;       /* most seconds for finding a match for each flag of a screen, and */
  double recount_seconds;    /* for the recount; 0: no limit but `stop`'s */
  const char *vertex_scores; /* must be given if and only if the result was made with a file of
                                scores of vertices */
  const char *metadata;      /* must be given if and only if the result compares parts of one graph:
                                the table of its vertices */
  const char *pairs;         /* must be given if and only if the result holds paths for a file of
                                pairs: that file */
  const char *below;         /* of a comparison of samples: as in ms_sample_options */
} ms_verify_options;
#define MS_VERIFY_OPTIONS_DEFAULT                                                                  \
  {                                                                                                \
    .size = sizeof(ms_verify_options), .graph = MS_GRAPH_OPTIONS_DEFAULT,                          \
    .colors = MS_COLOR_OPTIONS_DEFAULT, .typed = MS_TYPED_OPTIONS_DEFAULT                          \
  }

typedef enum ms_verify_outcome {
  MS_VERIFY_REFUSED = 0,
  MS_VERIFY_ACCEPTED,  /* every row is right */
  MS_VERIFY_UNFINISHED /* no row is known to be wrong, but `stop` or `flag_seconds` ended the check
                          before every row was checked, or every flag had a match */
} ms_verify_outcome;

/* What is known of matches, or vertices of a match, that an accepted file may lack, and of the
 * statistics in it. */
typedef enum ms_verify_completeness {
  MS_COMPLETENESS_NOT_STATED = 0, /* the file says that it is incomplete, or
                                     a random sample */
  MS_COMPLETENESS_BOUNDED,        /* the file states a miss bound > 0, which is that of its
                                     repetitions.  That they were run is believed */
  MS_COMPLETENESS_BELIEVED, /* the file states that none can be missing, and no recount shows it; or
                               one does, but not all statistics were computed again */
  MS_COMPLETENESS_PROVED    /* the recount shows that none is missing, and all statistics were
                               computed again */
} ms_verify_completeness;

typedef struct ms_verify_report {
  /* stopped early: not all was checked; if `recounted`, not all permutations or samples of its
   * statistics were made again */
  ms_run_outcome run;
  bool accepted;      /* outcome == MS_VERIFY_ACCEPTED */
  bool is_screen;     /* false: a list */
  bool is_pattern;    /* a list of pattern matches */
  bool is_typed;      /* a list of typed matches */
  bool recounted;     /* the recount ran to its end */
  bool probabilistic; /* the file states a miss bound > 0 */
  uint64_t rows;      /* rows checked; of a screen, without the search for matches of flags */
  uint64_t missing;   /* matches (or vertices in a match) that the recount found and the file lacks;
                         known only if `recounted` and if the completeness is stated */
  char
      problem[512]; /* the first reason for a rejection, with its line; or how far the check came */
  ms_verify_outcome outcome;
  ms_verify_completeness completeness;
  uint64_t flags;        /* flags in a screen */
  uint64_t supported;    /* flags for which a match was found */
  bool is_sample;        /* the rows are a random sample of the matches, whose number the recount
                            checks */
  bool is_census;        /* numbers of sets of motifs */
  bool is_permuted;      /* a census or comparison with permutations */
  uint64_t permutations; /* of these, which were made again (of a comparison: for each pair of
                            groups, at least) */
  bool is_comparison;   /* of samples; graph_path is that of the sheet, unless they are parts of one
                           graph */
  bool is_sampled;      /* a census whose standard deviations are of random sets */
  uint64_t samples;     /* of these, which were drawn and counted again */
  uint32_t part, parts; /* of a part of a run: its number, and how many there are; else 0.  Its rows
                           are checked; those that it lacks are not known */
  const char *command;  /* that wrote the file, such as "list"; a constant.  NULL: not known, or no
                           file was read */
} ms_verify_report;

/* Checks a result file (docs/RESULT.md) again, from the graph and colour files alone.  The rows of
 * components, paths and mined motifs can only be checked by finding all of them again: this ends
 * after `flag_seconds` for paths, and after `recount_seconds` for mined motifs, and both need
 * no_recount == false.
 * colors_path is NULL if the graph file has the colours.  For a file that is
 * refused, the function returns MS_OK with outcome == MS_VERIFY_REFUSED.  MS_ERR_INPUT means that
 * a file could not be read or is not a result file, MS_ERR_USAGE that a file from
 * which the result was made is not given. */
MS_API ms_status ms_verify_file(const char *result_path, const char *graph_path,
                                const char *colors_path, const ms_verify_options *options,
                                ms_verify_report *report, ms_error *err);

/* ---- results in memory ------------------------------------------------ */

/* These three check results that a program holds in memory.  They share no code with what found
 * them.  A result that is refused has MS_OK and outcome == MS_VERIFY_REFUSED, with the
 * reason in `problem`; a stop token leaves outcome == MS_VERIFY_UNFINISHED.  The arrays belong to
 * the caller. */

/* Checks connected components, component[n] as ms_graph_components fills it, and their number, by
 * searches from the lowest vertex of each one; O(n + m).  `stop` may be NULL. */
MS_API ms_status ms_verify_components(const ms_graph *graph, const uint32_t *component,
                                      uint32_t components, ms_stop *stop, ms_verify_report *report,
                                      ms_error *err);

/* Checks a shortest path for each of pairs[count], (from, to): its length, length[count]
 * (MS_NO_PATH: there is none), and its vertices, vertices[offset[i]..offset[i + 1]), none without a
 * path.  `options` are those of the search, and their stop token ends the check.  A search of the
 * whole graph runs for each source that differs from that of the pair before.  MS_ERR_USAGE: a type
 * is out of range. */
MS_API ms_status ms_verify_paths(const ms_typed *graph, const ms_path_options *options,
                                 uint64_t count, const uint32_t (*pairs)[2], const uint32_t *length,
                                 const uint64_t *offset, const uint32_t *vertices,
                                 ms_verify_report *report, ms_error *err);

/* Checks mined motifs, the texts motif[count], and the vertices of their matches,
 * vertex[offset[i]..offset[i + 1]), ascending; `complete`: none may be missing.  `options` are
 * those of the search, and their stop token ends the check.  All connected sets are visited: the
 * time is exponential in the number of slots, and the memory is a bit for each vertex and each
 * motif that some set fits. */
MS_API ms_status ms_verify_mined(const ms_graph *graph, const ms_coloring *coloring,
                                 const ms_mine_options *options, bool complete, uint64_t count,
                                 const char *const *motif, const uint64_t *offset,
                                 const uint32_t *vertex, ms_verify_report *report, ms_error *err);

#endif
