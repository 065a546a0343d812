/* The check of result files.  motifsieve.h includes this file. */
#ifndef MOTIFSIEVE_VERIFY_H
#define MOTIFSIEVE_VERIFY_H

#include "motifsieve/typed.h"

/* ---- verify ---------------------------------------------------------- */

typedef struct ms_verify_options {
  size_t size;     /* set by MS_VERIFY_OPTIONS_DEFAULT */
  bool no_recount; /* skip the independent recount; missing rows are then not noticed */
  ms_stop *stop;   /* bounds the recount; may be NULL */
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
  ms_progress_fn progress; /* called with the rows checked, and the matches of the recount; may be
                              NULL */
  void *progress_user;
} ms_verify_options;
#define MS_VERIFY_OPTIONS_DEFAULT                                                                  \
  {                                                                                                \
    .size = sizeof(ms_verify_options), .graph = MS_GRAPH_OPTIONS_DEFAULT,                          \
    .colors = MS_COLOR_OPTIONS_DEFAULT, .typed = MS_TYPED_OPTIONS_DEFAULT                          \
  }

typedef struct ms_verify_report {
  bool accepted;
  bool is_screen;     /* false: a list */
  bool is_pattern;    /* a list of pattern matches */
  bool is_typed;      /* a list of typed matches */
  bool recounted;     /* the recount ran to its end */
  bool probabilistic; /* the file states a miss bound > 0 */
  uint64_t rows;      /* rows checked */
  uint64_t missing; /* matches (or vertices in a match) that the recount found and the file lacks */
  ms_status stopped; /* MS_OK, or why the recount ended early */
  char problem[512]; /* the first reason for a rejection, with its line */
} ms_verify_report;

/* Checks a result file (docs/RESULT.md) again, from the graph and colour files alone.
 * colors_path is NULL if the graph file has the colours.  For a file that is
 * refused, the function returns MS_OK with accepted == false.  MS_ERR_INPUT means that
 * a file could not be read or is not a result file, MS_ERR_USAGE that a file from
 * which the result was made is not given. */
MS_API ms_status ms_verify_file(const char *result_path, const char *graph_path,
                                const char *colors_path, const ms_verify_options *options,
                                ms_verify_report *report, ms_error *err);

#endif
