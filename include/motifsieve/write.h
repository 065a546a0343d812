/* Result files and drawings.  motifsieve.h includes this file. */
#ifndef MOTIFSIEVE_WRITE_H
#define MOTIFSIEVE_WRITE_H

#include "motifsieve/paths.h"
#include "motifsieve/typed_match.h"

/* ---- result files ---------------------------------------------------- */

/* docs/RESULT.md describes the forms. */
typedef enum ms_form {
  MS_FORM_TSV = 0,
  MS_FORM_JSON,   /* JSON lines */
  MS_FORM_BINARY, /* matches of patterns only */
  MS_FORM_CX2,    /* a drawing for Cytoscape */
  MS_FORM_DOT     /* a drawing for Graphviz */
} ms_form;

typedef struct ms_write_options {
  size_t size; /* set by MS_WRITE_OPTIONS_DEFAULT */
  ms_form form;
  const ms_graph_options *graph;  /* the options with which the graph was read; NULL: none */
  const ms_color_options *colors; /* the options with which the colours were read; NULL: none */
  bool all;                       /* a screen: rows for the vertices that are not flagged, too */
  uint64_t match;          /* a drawing: the number of the match to draw, from 1; 0: all of them */
  bool whole_graph;        /* a drawing: the rest of the graph, too */
  const ms_labels *labels; /* labels beside names, and in drawings; NULL: none */
  bool roles;      /* a list of a motif's matches: the colour of the slot that each vertex fills */
  bool long_rows;  /* matches as TSV: a row for each vertex of a match */
  bool all_colors; /* a screen: all colours of a vertex, not only those that the motif names */
} ms_write_options;
#define MS_WRITE_OPTIONS_DEFAULT                                                                   \
  {                                                                                                \
    .size = sizeof(ms_write_options)                                                               \
  }

/* These functions write a result that ms_verify_file accepts, if graph and colours were read from
 * files and `graph` and `colors` say how.  The file appears completely or not at all; `path` is
 * treated as by ms_graph_write.  `run`: the options with which the result was made; NULL: the
 * defaults.  MS_ERR_USAGE: the result cannot have this form.
 *
 * A list or a pattern result that was only counted becomes a line with the number of matches, or
 * with MS_FORM_JSON one JSON object; other forms are refused. */
MS_API ms_status ms_screen_write(const ms_query *query, const ms_screen_options *run,
                                 const ms_screen_result *result, const ms_write_options *options,
                                 const char *path, ms_error *err);
MS_API ms_status ms_list_write(const ms_query *query, const ms_list_options *run,
                               const ms_list_result *result, const ms_write_options *options,
                               const char *path, ms_error *err);
MS_API ms_status ms_pattern_write(const ms_pattern_index *index, const ms_pattern *pattern,
                                  const ms_pattern_options *run, const ms_pattern_result *result,
                                  const ms_write_options *options, const char *path, ms_error *err);

/* Does the work of ms_pattern_list and of ms_pattern_write together, and writes the rows while they
 * are found, so that they need not fit into memory: result->vertices is NULL.  Matches to draw are
 * stored.  `rows` and `begin` of the options must be NULL. */
MS_API ms_status ms_pattern_list_to_file(const ms_pattern_index *index, const ms_pattern *pattern,
                                         const ms_pattern_options *run,
                                         const ms_write_options *options, const char *path,
                                         ms_pattern_result **result, ms_error *err);

#endif
