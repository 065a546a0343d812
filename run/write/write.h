/* What the public writers of results share: how a file is opened, begun, filled and closed.
 * write_motif.c, write_match.c, write_components.c and write_paths.c use it. */
#ifndef MS_RUN_WRITE_H
#define MS_RUN_WRITE_H

#include "graph/names.h"
#include "result/writer.h"

/* A result file that is being written. */
typedef struct ms_writing {
  ms_write_options options;
  ms_graph_options graph; /* the options with which the inputs were read */
  ms_color_options colors;
  ms_typed_options typed;
  ms_writer writer;
  const ms_names *names; /* of the graph's vertices; set by the caller before the first row */
  bool begun, ended;
  ms_status status; /* of the first failure to write */
  ms_error err;
  double seconds;     /* spent in writing */
  double row_seconds; /* of these, those in which rows were written */
  char paranoid[160]; /* the text that the header points to */
} ms_writing;

/* Says in the header what was computed twice, if anything was. */
void ms_writing_paranoid(ms_writing *w, const ms_paranoid_report *report);

/* Takes the options, refuses those that a result of this kind does not have, and opens the file.
 * After MS_OK ms_writing_close must follow. */
ms_status ms_writing_open(ms_writing *w, ms_result_kind kind, uint32_t vertices,
                          const ms_write_options *options, const char *path, ms_error *err);
/* MS_ERR_USAGE: a result has another number of, say, vertices than its query. */
ms_status ms_writing_check_result(const char *what, uint32_t have, uint32_t need, ms_error *err);
/* Takes the seconds in which rows were written out of those of the search that delivered them. */
double ms_writing_take_time(const ms_writing *w, double search_seconds);
/* After a search whose rows were written while they were found: if the disk was full, says so in
 * the result, whose `text` is the number of matches, and takes off the matches that the file lacks.
 */
void ms_writing_take_off(const ms_writing *w, ms_status *stopped, uint64_t *matches, char *text);
/* Puts the file in its place if `status` is MS_OK, else removes it.  Returns the status. */
ms_status ms_writing_close(ms_writing *w, ms_status status, ms_error *err);

/* True if the form is a drawing. */
bool ms_writing_draws(const ms_writing *w);
/* Returns MS_ERR_USAGE: `what` cannot be written in this form. */
ms_status ms_writing_refuse(const char *what, ms_error *err);
/* Refuses a result without rows unless the matches were only counted, and rows [matches][width]
 * with a vertex that a graph of n vertices lacks. */
ms_status ms_writing_check_stored(bool count_only, uint64_t matches, const uint32_t *vertices,
                                  uint32_t width, uint32_t n, ms_error *err);
/* Refuses columns of scores for a graph that has none. */
ms_status ms_writing_check_measures(const ms_writing *w, const ms_graph *graph, ms_error *err);
/* Refuses options of a run that name a receiver of rows, for a function that is one itself. */
ms_status ms_writing_check_receiver(const char *function, bool has_receiver, ms_error *err);

/* Gives the writer what its rows need: labels, and the query of a motif, else NULL. */
void ms_writing_attach(ms_writing *w, const ms_query *query);
/* Sets the status of the header.  `limit`: the greatest number of matches, 0: any. */
void ms_writing_settle(ms_writing *w, ms_status stopped, uint64_t limit, uint64_t matches);

/* Says of which part of `units` units the result is, if the run has a division. */
void ms_writing_divide(ms_writing *w, const ms_division *division, uint64_t units);
/* Refuses forms in which a part cannot be written. */
ms_status ms_writing_check_part(const ms_writing *w, const ms_division *division, ms_error *err);
/* Writes a part of a count, which has a header and no rows.  counted: NULL if it was stopped. */
ms_status ms_writing_part(ms_writing *w, const char *counted, const char *engine,
                          const char *planned_for, ms_error *err);

/* Describes a motif, its inputs and its screen, NULL if there was none, made with the options
 * `run`. */
void ms_writing_describe(ms_writing *w, const ms_query *query, const ms_screen_result *screen,
                         const ms_screen_options *run);
/* Writes the header and the rows of a screen, without an end. */
ms_status ms_writing_flags(ms_writing *w, const ms_query *query, const ms_screen_result *screen,
                           const ms_screen_options *run, ms_error *err);
/* Writes a participation in a pattern, whose vertices have these names, into a file of one of
 * MS_KINDS_OF_POSITIONS: the header, which is described but for what such files have of their own,
 * the rows and the end.  `stopped`: why the search ended; `all`: of all matches, in decimal. */
ms_status ms_writing_participation(ms_writing *w, const ms_coloring *coloring,
                                   const ms_participation *participation, const char *const *names,
                                   uint32_t p, ms_status stopped, const char *all, ms_error *err);
/* Describes the sieve that went before the search for a typed pattern; NULL: none did. */
void ms_writing_typed_screen(ms_result_header *header, const ms_screen_result *screen,
                             const ms_typed_match_options *run);

/* Writes a number of matches, as a line or as a JSON object.  The line of a count that was stopped
 * is ">= NUMBER (incomplete: WHY)". */
ms_status ms_writing_number(ms_writing *w, const char *number, ms_error *err);
/* Draws what was found; the drawing names the graph and what to draw, the rest is filled here. */
struct ms_drawing;
ms_status ms_writing_draw(ms_writing *w, struct ms_drawing *drawing, ms_error *err);

/* Writes the rows of a census with statistics, whose header is written: text[r->count] are its
 * motifs, and shape[r->count] describes them (NULL: they are no shapes).  The header's min_count
 * and top leave out rows. */
ms_status ms_writing_census_merged(ms_writer *writer, const ms_census_result *r,
                                   const char *const *text, const ms_shape_info *shape,
                                   const ms_census_statistics *extra, ms_error *err);

/* Fills in the header of a census: the graph, its colours (NULL: none) and the options. */
void ms_writing_census_head(ms_writing *w, const ms_graph *graph, const ms_coloring *coloring,
                            const ms_census_options *o);
/* Refuses more colours in `only` than a header holds, and colours that there are not. */
ms_status ms_writing_check_only(const ms_census_options *o, const ms_coloring *coloring,
                                ms_error *err);
/* Returns the row of a motif with the columns that follow from its number of sets, once the header
 * says how many all sets are. */
ms_census_row ms_writing_census_row(const ms_result_header *header, const char *motif,
                                    uint64_t sets);
/* Fills in the columns that describe a shape. */
void ms_writing_shape(const ms_shape_info *info, ms_census_row *row);

/* ---- rows that are written while they are found --------------------------- */

/* Writes the header, which must be complete.  Returns false if writing failed. */
bool ms_writing_begin(ms_writing *w);
/* Writes matches, `score` of inexact ones or NULL.  Returns false if writing failed. */
bool ms_writing_rows(ms_writing *w, const uint32_t *rows, const uint32_t *score, uint64_t count);
/* Writes a file whose head has the number of matches: the header, which must be complete, the rows
 * and the end.  If the disk is full, the file has the first of them. */
bool ms_writing_all(ms_writing *w, const uint32_t *rows, uint64_t count);
/* Ends the rows, unless ms_writing_all has done so.  `found` rows should have been written. */
ms_status ms_writing_end(ms_writing *w, uint64_t found, ms_error *err);

#endif
