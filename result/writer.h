/* What screen and list write: tables, which are result files (docs/RESULT.md),
 * and drawings of what was found.  One report, four ways to write it. */
#ifndef MS_RESULT_WRITER_H
#define MS_RESULT_WRITER_H

#include "base/outfile.h"
#include "cli/job.h"

/* What there is to write. */
typedef struct ms_report {
  const ms_job *job;
  const ms_screen_result *screen; /* NULL: no sieve (list --exact) */
  const ms_list_result *list;     /* NULL: a screen */
  ms_status stopped;              /* MS_OK, MS_ERR_LIMIT or MS_ERR_INTERRUPTED */
  bool at_limit;                  /* the limit that stopped is one of matches, not of time */
  uint64_t found;                 /* flagged vertices, or matches */
} ms_report;

/* Write it to the job's output in the form that its options ask for. */
ms_status ms_report_save(const ms_report *report, ms_error *err);

/* ---- tables -------------------------------------------------------------- */

/* begin, then vertex or match for each row, then end with their number. */
typedef struct ms_writer {
  ms_status (*begin)(ms_outfile *out, const ms_report *report, ms_error *err);
  ms_status (*vertex)(ms_outfile *out, const ms_report *report, uint32_t v, ms_error *err);
  ms_status (*match)(ms_outfile *out, const ms_report *report, uint64_t number, const uint32_t *set,
                     ms_error *err);
  ms_status (*end)(ms_outfile *out, uint64_t rows, ms_error *err);
} ms_writer;

extern const ms_writer ms_writer_tsv, ms_writer_json;

/* ---- drawings ------------------------------------------------------------ */

/* Some vertices of the graph and all edges among them: the vertices found,
 * those of one match (--match), or all (--whole-graph). */
typedef struct ms_drawing {
  const ms_report *report;
  uint8_t *drawn;    /* [n] */
  uint64_t *matches; /* [n] how many of the matches hold v; NULL: a screen */
  uint32_t vertices;
  uint64_t edges;
} ms_drawing;

/* To be closed in any case.  MS_ERR_USAGE: there is no match of that number. */
ms_status ms_drawing_open(const ms_report *report, ms_drawing *drawing, ms_error *err);
void ms_drawing_close(ms_drawing *drawing);

/* Is v flagged, or in a match? */
bool ms_drawing_found(const ms_drawing *drawing, uint32_t v);
/* Which of the motif's classes v is drawn as: the first whose colour it has,
 * else the wildcard; UINT32_MAX where it is not found, or fits none. */
uint32_t ms_drawing_class(const ms_drawing *drawing, uint32_t v);
/* The colour name of a class, "*" for the wildcard, and its fill "#rrggbb",
 * light enough for a black label. */
const char *ms_class_name(const ms_drawing *drawing, uint32_t c);
void ms_class_fill(uint32_t c, char fill[8]);

ms_status ms_draw_cx2(ms_outfile *out, const ms_drawing *drawing, ms_error *err);
ms_status ms_draw_dot(ms_outfile *out, const ms_drawing *drawing, ms_error *err);

/* ---- words that several share -------------------------------------------- */

const char *ms_report_command(const ms_report *report);
const char *ms_report_status(const ms_report *report);
/* "complete", or why not. */
const char *ms_status_words(ms_status stopped, bool at_limit);
const char *ms_recurrence_text(ms_recurrence recurrence);
/* A bound with four digits, rounded up: text[room] reads as >= bound. */
void ms_format_bound(char *text, size_t room, double bound);
/* A path is shown for the reader only; a line break in it must not end the line. */
void ms_put_path(ms_outfile *out, const char *path);
/* The ending of the output does not choose the form; say so where it seems
 * meant to. */
void ms_warn_of_ending(const ms_cli_options *options);

/* Lines of the head of a table: "# graph:" and how it was read, "# colors:",
 * "# mode:" and the sieve (NULL: none), "# LABEL: PATH crc32c=..". */
void ms_put_graph_lines(ms_outfile *out, const ms_job *job);
void ms_put_color_lines(ms_outfile *out, const ms_job *job);
void ms_put_sieve_lines(ms_outfile *out, const ms_job *job, const ms_screen_result *screen);
void ms_put_file_line(ms_outfile *out, const char *label, const char *path, uint32_t crc32c);

#endif
