/* Result files and drawings.  motifsieve.h includes this file. */
#ifndef MOTIFSIEVE_WRITE_H
#define MOTIFSIEVE_WRITE_H

#include "motifsieve/list_significance.h"
#include "motifsieve/nearest.h"
#include "motifsieve/paths.h"
#include "motifsieve/permutations.h"
#include "motifsieve/points.h"
#include "motifsieve/session.h"
#include "motifsieve/significance.h"
#include "motifsieve/typed_match.h"

/* ---- result files ---------------------------------------------------- */

/* docs/RESULT.md describes the forms. */
typedef enum ms_form {
  MS_FORM_TSV = 0,
  MS_FORM_JSON,   /* JSON lines */
  MS_FORM_BINARY, /* exact matches of patterns only */
  MS_FORM_CX2,    /* a drawing for Cytoscape */
  MS_FORM_DOT,    /* a drawing for Graphviz */
  MS_FORM_SVG     /* a picture of the vertices at their positions */
} ms_form;

/* The measures of a match (ms_measure) that a list writes beside it. */
typedef enum ms_measures_choice {
  MS_MEASURES_NONE = 0,
  MS_MEASURES_DENSITY, /* edges and density */
  MS_MEASURES_SCORES   /* also mean and least score; the graph needs scores */
} ms_measures_choice;

/* A column of the rows of a result.  All texts are constants of the library. */
typedef struct ms_column_info {
  const char *name;    /* in TSV the title, in JSON the key */
  const char *type;    /* what its values are, such as "a number or NA" */
  const char *when;    /* when it is there, such as "with labels"; "": always */
  const char *meaning; /* such as "name of the vertex" */
} ms_column_info;
/* Fills out[] with the first `room` columns of a kind of rows, in the order of a file, and returns
 * how many there are; 0: there is no such kind.  `out` may be NULL if `room` is 0. */
MS_API uint32_t ms_columns(const char *kind, uint32_t room, ms_column_info *out);
/* Returns the name of kind i of rows, such as "census", from 0 on; NULL: there are no more. */
MS_API const char *ms_columns_kind(uint32_t i);

typedef struct ms_write_options {
  size_t size; /* set by MS_WRITE_OPTIONS_DEFAULT */
  ms_form form;
  const ms_graph_options *graph;  /* the options with which the graph was read; NULL: none */
  const ms_color_options *colors; /* the options with which the colours were read; NULL: none */
  bool all;                       /* a screen: rows for the vertices that are not flagged, too */
  uint64_t match;          /* a drawing: the number of the match to draw, from 1; 0: all of them */
  bool whole_graph;        /* a drawing: the rest of the graph, too */
  const ms_labels *labels; /* labels beside names, and in drawings; NULL: none */
  bool roles;      /* a list of a motif's matches, or of near ones: the colour of the slot that each
                      vertex fills */
  bool long_rows;  /* matches as TSV: a row for each vertex of a match; of near matches: for each
                      slot and each extra vertex */
  bool wide_rows;  /* matches of a motif, or near ones, as TSV: a column for each slot */
  bool all_colors; /* a screen: all colours of a vertex, not only those that the motif names */
  bool lengths;    /* paths: a row for each pair, with the length of its path alone */
  const ms_typed_options *typed; /* the options with which a typed graph was read; NULL: none */
  const ms_graph *plain;         /* matches in a typed graph that was made from a plain one: that
                                    graph; NULL: none */
  const ms_coloring *coloring;   /* the colours that were given with `plain`; NULL: none */
  uint32_t *drawn;               /* a drawing: receives the number of its vertices; may be NULL */
  bool times;                    /* a table of motifs: the seconds that each motif took */
  ms_measures_choice measures;   /* a list of a motif's matches: columns of measures; not with
                                    long_rows */
  const ms_points *positions;    /* with MS_FORM_SVG, which needs them: points with the names of the
                                    vertices; vertices without a point are not drawn */
  uint32_t *unplaced;            /* with MS_FORM_SVG: receives the number of the vertices without a
                                    point; may be NULL */
  const char *title, *unit; /* with MS_FORM_SVG: its title, and the unit of the positions; NULL:
                               the query and the graph, and an unnamed unit */
} ms_write_options;
#define MS_WRITE_OPTIONS_DEFAULT                                                                   \
  {                                                                                                \
    .size = sizeof(ms_write_options)                                                               \
  }

/* These functions write a result that ms_verify_file accepts, if graph and colours were read from
 * files and the options say how.  The file appears completely or not at all; `path` is treated as
 * by ms_graph_write.  `run`: the options with which the result was made; NULL: the defaults.
 * MS_ERR_USAGE: the result cannot have this form.
 *
 * Matches that were only counted become a line with their number, or with MS_FORM_JSON one JSON
 * object; other forms are refused. */
MS_API ms_status ms_screen_write(const ms_query *query, const ms_screen_options *run,
                                 const ms_screen_result *result, const ms_write_options *options,
                                 const char *path, ms_error *err);
MS_API ms_status ms_list_write(const ms_query *query, const ms_list_options *run,
                               const ms_list_result *result, const ms_write_options *options,
                               const char *path, ms_error *err);
/* The nearest matches are written as TSV or as JSON lines, with or without labels. */
MS_API ms_status ms_nearest_write(const ms_query *query, const ms_nearest_options *run,
                                  const ms_nearest_result *result, const ms_write_options *options,
                                  const char *path, ms_error *err);
/* A screen of a pattern is written as TSV or as JSON lines. */
MS_API ms_status ms_pattern_flags_write(const ms_pattern_index *index, const ms_pattern *pattern,
                                        const ms_pattern_options *run,
                                        const ms_flags_result *result,
                                        const ms_write_options *options, const char *path,
                                        ms_error *err);
MS_API ms_status ms_typed_flags_write(const ms_typed_query *query,
                                      const ms_typed_match_options *run,
                                      const ms_flags_result *result,
                                      const ms_write_options *options, const char *path,
                                      ms_error *err);
MS_API ms_status ms_pattern_write(const ms_pattern_index *index, const ms_pattern *pattern,
                                  const ms_pattern_options *run, const ms_pattern_result *result,
                                  const ms_write_options *options, const char *path, ms_error *err);
/* Exact and inexact matches.  MS_ERR_USAGE: the graph was made from a plain one, which the options
 * do not name. */
MS_API ms_status ms_typed_result_write(const ms_typed_query *query,
                                       const ms_typed_match_options *run,
                                       const ms_typed_result *result,
                                       const ms_write_options *options, const char *path,
                                       ms_error *err);

/* Each of these does the work of a search (ms_list, ms_pattern_list, ms_typed_match) and of its
 * writer together, and writes the rows as the search delivers them, so that they need not fit into
 * memory: result->vertices is NULL.  Matches to draw are stored.  `rows` and `begin` of the options
 * must be NULL.
 *
 * If the disk gets full, or a quota or a limit of the size of files is reached, the file is cut
 * back to whole rows and says that it is incomplete.  The function then returns MS_OK, `stopped` is
 * MS_ERR_OUTPUT, and the result counts the matches that are in the file.  If not one row has room,
 * or if the disk has lost rows that were written, the function returns MS_ERR_OUTPUT, and the old
 * file stays. */
MS_API ms_status ms_list_to_file(const ms_query *query, const ms_list_options *run,
                                 const ms_write_options *options, const char *path,
                                 ms_list_result **result, ms_error *err);
MS_API ms_status ms_pattern_list_to_file(const ms_pattern_index *index, const ms_pattern *pattern,
                                         const ms_pattern_options *run,
                                         const ms_write_options *options, const char *path,
                                         ms_pattern_result **result, ms_error *err);
MS_API ms_status ms_typed_match_to_file(const ms_typed_query *query,
                                        const ms_typed_match_options *run,
                                        const ms_write_options *options, const char *path,
                                        ms_typed_result **result, ms_error *err);

/* ---- many motifs ------------------------------------------------------- */

/* What became of the motifs of a set. */
typedef struct ms_motifs_summary {
  ms_run_outcome run;  /* stopped early: the last motifs were not done */
  uint32_t done;       /* motifs that have a row in the table */
  uint32_t found;      /* of these, motifs with a flagged vertex, or with a match */
  uint32_t incomplete; /* of these, motifs whose result is incomplete, limits of matches aside */
} ms_motifs_summary;

/* Screen each motif, or list or count its matches, and write a table with a row for each, as TSV or
 * JSON lines.  `run` and `seconds` are the arguments of ms_session_screen or ms_session_list.  The
 * file `rows_path` receives the flagged vertices, or the matches, in a section for each motif,
 * which ms_verify_file checks.  `rows_path` NULL: there is no such file, and matches are only
 * counted. `summary` may be NULL. */
MS_API ms_status ms_session_screen_to_files(const ms_session *session, const ms_motif_set *motifs,
                                            const ms_screen_options *run, double seconds,
                                            const ms_write_options *options, const char *table_path,
                                            const char *rows_path, ms_motifs_summary *summary,
                                            ms_error *err);
MS_API ms_status ms_session_list_to_files(const ms_session *session, const ms_motif_set *motifs,
                                          const ms_list_options *run, double seconds,
                                          const ms_write_options *options, const char *table_path,
                                          const char *rows_path, ms_motifs_summary *summary,
                                          ms_error *err);

/* Mines, and writes a table of the motifs, as TSV or JSON lines.  Motifs with more slots come
 * first, and motifs with equally many slots come in the order of falling numbers of vertices.
 * ms_verify_file does not check such a table.  Screen its motifs to have rows that are checked.
 * `summary` may be NULL. */
MS_API ms_status ms_session_mine_to_file(const ms_session *session, const ms_mine_options *run,
                                         const ms_write_options *options, const char *path,
                                         ms_mine_summary *summary, ms_error *err);

/* Greatest number of colours in `only` of a census that is written. */
#define MS_MAX_CENSUS_ONLY 256u

/* Writes the result of ms_census with the options `run`, as TSV or JSON lines.  After a stop there
 * are no motifs, and the file says so. */
MS_API ms_status ms_census_write(const ms_graph *graph, const ms_coloring *coloring,
                                 const ms_census_options *run, const ms_census_result *result,
                                 const ms_write_options *options, const char *path, ms_error *err);

/* Statistics of a census that are written as further columns. */
/* The order of the rows of a census.  Rows with equal values come in the order of ms_census_result,
 * and so do rows without a value, which are last. */
typedef enum ms_census_order {
  MS_CENSUS_BY_SETS,   /* the order of ms_census_result */
  MS_CENSUS_BY_Z,      /* the greatest z first */
  MS_CENSUS_BY_P,      /* the least p first */
  MS_CENSUS_BY_Q,      /* the least q first */
  MS_CENSUS_BY_P_LESS, /* the least p_less first: motifs that are rarer than by chance */
  MS_CENSUS_BY_Q_LESS  /* the least q_less first */
} ms_census_order;

typedef struct ms_census_statistics {
  size_t size;                                       /* set by MS_CENSUS_STATISTICS_DEFAULT */
  const ms_permutation_result *permutations;         /* NULL: none */
  const ms_permutation_options *permutation_options; /* of `permutations` */
  const char *strata; /* where its strata come from: a column of the colour file; NULL: no strata */
  const ms_significance *significance; /* that ms_census_significance made with the census; NULL:
                                          none */
  ms_census_order sort; /* z, p and q are those of `significance` if it is there, else those of
                           `permutations`, and as they are written, with six digits.  Unless it is
                           MS_CENSUS_BY_SETS, the census must have all motifs, and `min_count` and
                           `top` choose rows in this order while they are written */
} ms_census_statistics;
#define MS_CENSUS_STATISTICS_DEFAULT                                                               \
  {                                                                                                \
    .size = sizeof(ms_census_statistics)                                                           \
  }

/* Does what ms_census_write does, with statistics, which must be of all motifs of the census or of
 * more; they are in the order of its motifs. */
MS_API ms_status ms_census_write_statistics(const ms_graph *graph, const ms_coloring *coloring,
                                            const ms_census_options *run,
                                            const ms_census_result *result,
                                            const ms_census_statistics *statistics,
                                            const ms_write_options *options, const char *path,
                                            ms_error *err);
/* Writes orbits: a row for each vertex and each orbit with sets.  coloring, run: what made the
 * result; both may be NULL where it has no colours.  wide: a table without a header, a line for
 * each vertex and a column for each orbit, whose title is its number, or with colours its position
 * and shape; in TSV only. */
MS_API ms_status ms_orbits_write(const ms_graph *graph, const ms_coloring *coloring,
                                 const ms_census_options *run, const ms_orbits_result *result,
                                 bool wide, const ms_write_options *options, const char *path,
                                 ms_error *err);
/* Counts as ms_census_vertices does, and writes the motifs of each vertex while they are found, in
 * the same forms.  `summary` may be NULL. */
MS_API ms_status ms_census_vertices_to_file(const ms_graph *graph, const ms_coloring *coloring,
                                            const ms_census_options *run,
                                            const ms_write_options *options, const char *path,
                                            ms_census_summary *summary, ms_error *err);

/* Writes the result of ms_list_chance with these options to `path`, which is treated as by
 * ms_graph_write: as lines of a key, a tab and a value, or with MS_FORM_JSON as a JSON object
 * (docs/SIGNIFICANCE.md).  Of a part, writes a file for ms_merge.  `strata`: the column that the
 * strata of `permutations` were read from; NULL: there are none. */
MS_API ms_status ms_list_chance_write(const ms_query *query, const ms_list_options *list,
                                      const ms_permutation_options *permutations,
                                      const char *strata, const ms_list_significance *result,
                                      const ms_write_options *options, const char *path,
                                      ms_error *err);

/* Writes the result of ms_compare with the options `run`, as TSV or JSON lines: a row for each
 * motif and each pair of groups.  ms_sample_counts_write writes a row for each motif and sample.
 * `options` has no labels; its `graph` and `colors` are those with which the samples were read, and
 * `reading` too. */
MS_API ms_status ms_compare_write(const ms_samples *samples, const ms_sample_options *reading,
                                  const ms_compare_options *run, const ms_comparison *comparison,
                                  const ms_write_options *options, const char *path, ms_error *err);
MS_API ms_status ms_sample_counts_write(const ms_samples *samples, const ms_sample_options *reading,
                                        const ms_compare_options *run,
                                        const ms_comparison *comparison,
                                        const ms_write_options *options, const char *path,
                                        ms_error *err);

/* Writes the counts of ms_clique_counts_new, for each size a line SIZE<TAB>NUMBER or, as JSON
 * lines, an object as for a count of ms_pattern_write, with the key "size".  There are no other
 * forms. */
MS_API ms_status ms_clique_counts_write(const ms_pattern_index *index,
                                        const ms_clique_counts *counts,
                                        const ms_write_options *options, const char *path,
                                        ms_error *err);

/* Writes a table of patterns, in the order of their set: how many matches each has, by
 * ms_pattern_counts_new with the options `run`.  With `permutations` of `statistics` (which may be
 * NULL, and has neither `significance` nor another `sort`), also what ms_pattern_counts_permute has
 * found.  As TSV or as JSON lines. */
MS_API ms_status ms_pattern_counts_write(const ms_pattern_index *index, const ms_pattern_set *set,
                                         const ms_pattern_options *run,
                                         const ms_pattern_counts *counts,
                                         const ms_census_statistics *statistics,
                                         const ms_write_options *options, const char *path,
                                         ms_error *err);

/* ---- components and paths ---------------------------------------------- */

/* Which components are written, and how. */
typedef struct ms_component_options {
  size_t size;       /* set by MS_COMPONENT_OPTIONS_DEFAULT */
  bool largest;      /* only the largest one; of equal ones that with the smallest vertex */
  uint64_t min_size; /* only those with at least this many vertices; 0: all */
  bool sizes;        /* a row for each component, not for each vertex */
  bool count_only;   /* the number of these components, as a line or as a JSON object */
} ms_component_options;
#define MS_COMPONENT_OPTIONS_DEFAULT                                                               \
  {                                                                                                \
    .size = sizeof(ms_component_options)                                                           \
  }

/* Writes the components that ms_graph_components has found, the largest first, as TSV or JSON
 * lines.  MS_ERR_USAGE: component[n] and count do not
 * come from ms_graph_components. */
MS_API ms_status ms_components_write(const ms_graph *graph, const uint32_t *component,
                                     uint32_t count, const ms_component_options *which,
                                     const ms_write_options *options, const char *path,
                                     ms_error *err);

/* Finds a shortest path for each of the pairs, as ms_typed_path_pairs does, and writes the paths
 * while they are found, as TSV or JSON lines.  `summary` may be NULL. */
MS_API ms_status ms_typed_paths_to_file(const ms_typed *graph, const ms_path_options *run,
                                        const ms_path_pairs *pairs, const ms_write_options *options,
                                        const char *path, ms_path_summary *summary, ms_error *err);

#endif
