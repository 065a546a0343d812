/* What the files of the package share: calls of the library that R can interrupt, options from
 * lists, and the handle of a graph.  A message of usage_error uses R's names of arguments. */
#ifndef MOTIFSIEVE_R_PACKAGE_H
#define MOTIFSIEVE_R_PACKAGE_H

#include <motifsieve.h>

#define R_NO_REMAP
#include <R.h>
#include <Rinternals.h>

/* ---- lists and options ---------------------------------------------------------------- */

/* Returns the item of a list that has this name, or R_NilValue. */
SEXP list_item(SEXP list, const char *name);
/* Returns that item as a text in UTF-8, which lasts until .Call returns; NULL: there is none. */
const char *list_text(SEXP list, const char *name);
/* Returns that item as such texts, and their number in *count; NULL: there is none. */
const char **list_texts(SEXP list, const char *name, uint32_t *count);

/* How R's value becomes a member of a struct of options. */
typedef enum option_type {
  OPTION_FLAG,
  OPTION_TEXT,
  OPTION_INT, /* also an enum; numbers come last */
  OPTION_U32,
  OPTION_U64,
  OPTION_REAL
} option_type;

typedef struct option {
  const char *name;
  option_type type;
  size_t offset; /* in the struct that set_options gets */
} option;

/* Sets the members for which the list has an item other than NULL; other items are left alone. */
void set_options(SEXP list, const option *table, size_t count, void *options);
#define SET_OPTIONS(list, table, options)                                                          \
  set_options(list, table, sizeof(table) / sizeof *(table), options)

/* Signals an error of class ms_usage_error; does not return. */
void usage_error(const char *format, ...);

/* ---- calls ---------------------------------------------------------------------------- */

/* A part of a call that runs on a thread of its own, so that R's thread can look for interrupts and
 * show progress meanwhile.  It must not call R.  The token of the call is that of the thread. */
typedef ms_status (*work_fn)(void *data, ms_error *err);

/* Gives the token and the progress of the call to the limits of a run; for its work. */
void call_limits(ms_run_limits *run);
/* Runs the work, and returns c(status, interrupted, failed), where `failed` is progress, with the
 * attribute `message`.  limits: list(timeout = seconds or NULL, progress = function(what, done,
 * total) or NULL). */
SEXP call_library(work_fn work, void *data, SEXP limits);

/* ---- graphs --------------------------------------------------------------------------- */

typedef struct network {
  ms_graph *graph;
  ms_coloring *coloring;   /* NULL: the graph has no colours */
  ms_pattern_index *index; /* NULL: no pattern was searched for */
} network;

/* Returns the network of an external pointer; an error if it is of another session. */
network *network_of(SEXP pointer);
/* Options with which files were read, from list(graph = list(..), colors = list(..)). */
void set_reading(SEXP reading, ms_graph_options *graph, ms_color_options *colors);

/* ---- entries -------------------------------------------------------------------------- */

SEXP r_build(SEXP spec, SEXP path, SEXP reading, SEXP limits);
SEXP r_read(SEXP path, SEXP reading, SEXP limits);
SEXP r_write_graph(SEXP pointer, SEXP path, SEXP format);
SEXP r_describe(SEXP pointer);
SEXP r_names(SEXP pointer);
SEXP r_edges(SEXP pointer);
SEXP r_search(SEXP kind, SEXP pointer, SEXP given, SEXP reading, SEXP path, SEXP limits);
SEXP r_columns(SEXP kind);
SEXP r_report(SEXP paths, SEXP given, SEXP reading, SEXP limits);
SEXP r_library(void);

#endif
