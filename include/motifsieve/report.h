/* Reports of result files.  motifsieve.h includes this file. */
#ifndef MOTIFSIEVE_REPORT_H
#define MOTIFSIEVE_REPORT_H

#include "motifsieve/points.h"
#include "motifsieve/verify.h"

/* ---- report ---------------------------------------------------------- */

#define MS_REPORT_ROWS 100000  /* rows in a report, unless the options say otherwise */
#define MS_REPORT_EDGES 200000 /* edges in a report, the same */

typedef struct ms_report_options {
  size_t size;    /* set by MS_REPORT_OPTIONS_DEFAULT */
  bool no_verify; /* do not check the result; the report then says so */
  uint64_t rows;  /* most rows in the report, the first ones; 0: MS_REPORT_ROWS.  Of components and
                     paths, a component or a pair of vertices is a row, whatever the file has. */
  uint64_t edges; /* most edges of the graph in the report; 0: MS_REPORT_EDGES */
  /* how the inputs are read, and how long the check may take; what these options require to be
   * given is required here, too.  `verify.stop` also ends the report. */
  ms_verify_options verify;
  /* positions of the vertices, which are drawn there: points with the names of vertices; NULL:
   * none. They need a graph, and a result with vertices other than one of components or paths. */
  const ms_points *positions;
  /* of a comparison of samples: the file of its counts, with which each sample is drawn; or NULL */
  const char *counts;
} ms_report_options;
#define MS_REPORT_OPTIONS_DEFAULT                                                                  \
  {                                                                                                \
    .size = sizeof(ms_report_options), .verify = MS_VERIFY_OPTIONS_DEFAULT                         \
  }

typedef struct ms_report_info {
  uint64_t rows;  /* rows of the result; components, or pairs of vertices */
  uint64_t shown; /* rows in the report */
  uint64_t edges; /* edges of the graph in the report */
  bool verified;  /* the result was checked, and `verdict` says how far */
  ms_verify_report verdict;
  bool draws; /* this build of the library can draw networks in reports (ms_report_can_draw) */
  uint32_t unplaced; /* with positions: vertices of the graph that have none */
} ms_report_info;

/* Writes a report about a result file (docs/REPORT.md): one HTML file, which needs no connection to
 * the Internet. graph_path is NULL if the report is to have no network and no check; colors_path is
 * NULL if there is no colour file.  `path` NULL or "-" is standard output.  The bytes of the report
 * depend on the files, the options and the version of the library only, unless the check runs out
 * of time. `info` may be NULL.
 *
 * MS_ERR_INPUT: a file could not be read, is no result file, or the result was refused, as by
 * ms_verify_file.  MS_ERR_USAGE: a file from which the result was made is not given; positions are
 * given for a result without vertices, or for one of components or paths.  Nothing is written after
 * a failure. */
MS_API ms_status ms_report_write(const char *result_path, const char *graph_path,
                                 const char *colors_path, const ms_report_options *options,
                                 const char *path, ms_report_info *info, ms_error *err);

/* Returns true if cytoscape.js was there when the library was built: reports then draw networks. */
MS_API bool ms_report_can_draw(void);

#endif
