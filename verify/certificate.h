/* Inside verify/: checks a result file against the inputs.
 *
 *   header -> inputs as it states -> query as it states -> miss bound -> each row
 *     -> a match for each flag -> recount
 *
 * The first step that finds an error refuses the file. */
#ifndef MS_VERIFY_CERTIFICATE_H
#define MS_VERIFY_CERTIFICATE_H

#include "query/edits.h"
#include "verify/reader/result.h"
#include "verify/row_set.h"
#include "verify/verify.h"

/* What a match states of the edges between its vertices. */
typedef struct ms_measures {
  uint32_t edges;
  double density, mean_score, least_score;
} ms_measures;

typedef struct ms_verify_families ms_verify_families;
typedef struct ms_verify_census ms_verify_census;
typedef struct ms_verify_comparison ms_verify_comparison;
typedef struct ms_verify_positions ms_verify_positions;
typedef struct ms_verify_patterns ms_verify_patterns;

typedef struct ms_certificate {
  const ms_verify_options *options;
  const char *graph_path, *colors_path; /* as the caller gave them; colors_path may be NULL */
  ms_verify_report *report;
  ms_tape *tape; /* the result file's bytes */
  ms_result result;

  /* the inputs */
  ms_graph *graph;
  ms_coloring *coloring;
  ms_typed *typed;                 /* for typed matches */
  ms_labels *labels;               /* NULL: the result has none */
  ms_vertex_scores *vertex_scores; /* NULL: the result has none */
  ms_substitutes *substitutes;     /* NULL: the same */

  /* the query: a motif, a pattern or a typed pattern */
  ms_motif *motif;
  ms_query *query;
  ms_pattern *pattern;
  ms_typed_pattern *typed_pattern;
  ms_typed_query *typed_query;
  ms_judge *judge;
  mpz_t automorphisms; /* for a pattern */

  bool certain;          /* the file states that nothing can be missed */
  ms_stop *recount_stop; /* ends the recount; its parent is the caller's */
  bool rows_checked;     /* every row was checked, and every flag has a match */
  bool numbers_believed; /* statistics of the file were not all computed again */
  uint64_t rows;         /* rows read so far */
  double last_value;     /* of the row read last: the number by which the file is sorted, */
  uint32_t last_ids[MS_MAX_PATTERN]; /* and its vertices */
  ms_verify_families *families;      /* list: what the rows state of families; NULL: none */
  uint64_t found;                    /* matches that the recount has found so far */
  ms_row_set *set;                   /* list: the rows read */
  ms_row_set
      *sets[MS_MAX_K + 1]; /* list of the nearest matches: the rows of each size; NULL: none */
  uint32_t last_cost, last_count; /* its row read last: the cost, the number of vertices in
                                     last_ids */
  uint32_t *row_of;           /* screen: [n] number of the vertex's row, from 1; 0: it has none */
  uint64_t least_repetitions; /* screen: least number that flagged a vertex; 0: no row */
  uint8_t *flagged;           /* screen: [n] 1 if the vertex is flagged; list of matches that share
                                 no vertex: 1 if it is in a row */
  uint8_t *missing, *extra;   /* nearest matches: [n] of flagged vertices, as stated */
  uint32_t *cost;             /* the same: the cost, which is their sum without substitutions */
  float *score;               /* profile: [n] of the flagged vertices, as stated */
  uint32_t *best_sum;         /* screen with scores of vertices: [n] of the flagged, as stated */
  uint32_t *sums;             /* the same, with all sums, one vertex after the other */
  uint64_t *sums_from;        /* [n] where those of a vertex with n_sums[v] > 0 begin */
  uint32_t *n_sums;           /* [n] */
  uint64_t sums_count, sums_room;
  ms_verify_census *census;         /* census: the rows read */
  ms_verify_comparison *comparison; /* the same, of a comparison of samples */
  ms_verify_patterns *patterns;     /* a table of patterns: the rows read */
  uint64_t *matches_of;             /* participation: [n] matches that hold the vertex, as stated */
  ms_verify_positions *positions;   /* of a pattern: the rows read; NULL: no such result */
} ms_certificate;

/* Initialises a certificate, whose options, paths, report and tape are set.  It must be closed in
 * any case.  Both are called inside a section of base/numbers.h. */
void ms_certificate_init(ms_certificate *c, const char *result_path);
void ms_certificate_close(ms_certificate *c);
/* Reads the header of the result, which is the first step of a check, and notes its kind in the
 * report. */
ms_status ms_certificate_open(ms_certificate *c, ms_error *err);

/* ---- inputs.c -------------------------------------------------------------------- */

/* Reads graph and colours as the header and the options say, and compares them with the header. */
ms_status ms_check_inputs(ms_certificate *c, ms_error *err);
/* Does so with the graph alone, which is a plain one, and the alias file. */
ms_status ms_open_graph(ms_certificate *c, ms_error *err);
/* Return the caller's settings for reading, completed by those of the header. */
ms_graph_options ms_graph_reading(const ms_certificate *c);
ms_color_options ms_color_reading(const ms_certificate *c);
/* Reads the colours of a motif of a row, ascending, which must be in its canonical form, of so many
 * slots, without wildcards, and of colours below `colors`. */
ms_status ms_verify_motif(ms_certificate *c, const char *text, const ms_coloring *coloring,
                          uint32_t slots, uint64_t colors, uint32_t *color, ms_error *err);
/* Finds the vertex of exactly this name.  Other names of vertices (ms_graph_read_aliases) do not
 * occur in a result. */
ms_status ms_find_named(ms_certificate *c, uint64_t line, const char *name, uint32_t *v);
const char *ms_name_of(const ms_certificate *c, uint32_t v);
/* Refuses a label of v that is neither the one in the file of labels nor, without one, its name. */
ms_status ms_check_label(ms_certificate *c, uint64_t line, uint32_t v, const char *label);

/* These two compare a number of an input with the number that the header states. */
ms_status ms_check_count(ms_certificate *c, ms_part part, const char *path, const char *what,
                         uint64_t actual, uint64_t stated);
ms_status ms_check_crc32c(ms_certificate *c, ms_part part, const char *kind, const char *path,
                          uint32_t actual, uint32_t stated);
/* Refuses the file with the reason that a constructor gave for bad words in the header; passes
 * other failures on. */
ms_status ms_refuse_words(ms_certificate *c, ms_part part, ms_status status, const ms_error *reason,
                          ms_error *err);

/* ---- best_sums.c: the greatest sum of vertex scores of a match that holds a vertex ---------- */

/* Keeps the sums of a row. */
ms_status ms_keep_sums(ms_certificate *c, uint32_t v, ms_error *err);
/* Computes the sums again, from all matches, and refuses wrong ones.  MS_ERR_USAGE: there is to be
 * no recount. */
ms_status ms_recount_best_sums(ms_certificate *c, ms_error *err);

/* ---- positions.c: in how many matches of a pattern each vertex is ---------------------------- */

/* Begins with the rows of such a result, whose query is open. */
ms_status ms_open_positions(ms_certificate *c, ms_error *err);
void ms_verify_positions_free(ms_verify_positions *positions); /* accepts NULL */
/* Returns the number of positions; 1 if the file does not tell them apart. */
uint32_t ms_positions_count(const ms_verify_positions *positions);
/* Keeps the number of the row, which is one of vertex v.  Refuses rows that are out of order. */
ms_status ms_take_position(ms_certificate *c, uint32_t v, bool may_be_zero);
/* Refuses numbers whose sum is not that of the header's number of matches. */
ms_status ms_check_positions(ms_certificate *c);
/* Reads the number of matches in a header of MS_KINDS_OF_PARTICIPATIONS.  Returns false if it is no
 * number. */
bool ms_take_matches(const ms_certificate *c, mpz_t out);
/* Counts all numbers again.  MS_ERR_USAGE: there is to be no recount. */
ms_status ms_recount_positions(ms_certificate *c, ms_error *err);

/* ---- measures.c: edges and scores inside a match ---------------------------------------- */

/* Fills in the measures of the match ids[k], whose vertices may come in any order. */
void ms_verify_measures(const ms_graph *graph, const uint32_t *ids, uint32_t k, ms_measures *out);
/* Refuses a header that states scores of a graph without any. */
ms_status ms_check_measured(ms_certificate *c);
/* Refuses a row with a wrong measure, below the least ones of the header, or out of its order; the
 * rows before it have been checked. */
ms_status ms_check_measures(ms_certificate *c, const uint32_t *ids);
/* Has a match as much density and score as the header asks for? */
bool ms_is_wanted(const ms_certificate *c, const ms_measures *measures);
/* May the file lack this match, because it is not wanted, or comes behind the last of `top` rows?
 * The vertices of a motif's match may come in any order. */
bool ms_may_lack(const ms_certificate *c, const uint32_t *row);

/* Does match a come behind match b in the order of the list?  The vertices of both ascend. */
bool ms_comes_behind(const ms_certificate *c, const uint32_t *a, const uint32_t *b);

/* ---- families.c: rows that stand for matches which overlap --------------------------------- */

/* Begins with the families of a list, if it has any. */
ms_status ms_open_families(ms_certificate *c, ms_error *err);
void ms_verify_families_free(ms_verify_families *families); /* accepts NULL */
/* Takes a row as the next representative.  Refuses one that belongs to the family of an earlier
 * row, or a family without a match. */
ms_status ms_take_representative(ms_certificate *c, const uint32_t *ids, ms_error *err);
/* Refuses sizes whose sum is not the header's number of matches. */
ms_status ms_check_families(ms_certificate *c);
/* Notes a match that the recount has found; its vertices may come in any order.  Returns false, and
 * the match in example[k], if it should be a representative and is none. */
bool ms_note_member(ms_certificate *c, const uint32_t *row, uint32_t *example);
/* Compares the families that were counted with the sizes that the rows state. */
ms_status ms_compare_families(ms_certificate *c);

/* ---- question.c: the query and its judge ------------------------------------------- */

ms_status ms_open_motif(ms_certificate *c, ms_error *err);
ms_status ms_open_pattern(ms_certificate *c, ms_error *err);
ms_status ms_open_typed(ms_certificate *c, ms_error *err);

/* ---- list.c, screen.c, flags.c --------------------------------------------------------------- */

/* These two check all rows and keep them for the recount. */
ms_status ms_check_matches(ms_certificate *c, ms_error *err);
ms_status ms_check_vertices(ms_certificate *c, ms_error *err);

/* These two look for what the file lacks, and in a screen for flags that no match supports.  They
 * note in the report how far they came. */
ms_status ms_recount_matches(ms_certificate *c, ms_error *err);
ms_status ms_recount_vertices(ms_certificate *c, ms_error *err);
/* These three do for a census what the steps above do for other results: they check that all rows
 * can be so, and count all sets again, or as many motifs as time allows (census.c). */
ms_status ms_open_census(ms_certificate *c, ms_error *err);
ms_status ms_check_census(ms_certificate *c, ms_error *err);
ms_status ms_recount_census(ms_certificate *c, ms_error *err);
void ms_verify_census_free(ms_verify_census *census); /* accepts NULL */
/* These do so for a comparison of samples (compare.h); the first one also reads the samples. */
ms_status ms_open_comparison(ms_certificate *c, ms_error *err);
ms_status ms_check_comparison(ms_certificate *c, ms_error *err);
ms_status ms_recount_comparison(ms_certificate *c, ms_error *err);
void ms_verify_comparison_free(ms_verify_comparison *comparison); /* accepts NULL */
/* Checks that each vertex is in a match that is as near as its row says, and in no nearer one
 * (nearest.c). */
ms_status ms_recount_nearest(ms_certificate *c, ms_error *err);
/* Returns how far matches may be from the motif, as the header says. */
ms_edit_limits ms_near_limits(const ms_certificate *c);
/* These two do for a list of the nearest matches what ms_check_matches and ms_recount_matches do
 * for a list (nearest_list.c).  Of a search that ended early, the recount checks only that no match
 * is missing that costs less than the last row. */
/* Checks that wide rows have the titles of the motif's slots. */
ms_status ms_check_slot_titles(ms_certificate *c, ms_error *err);
ms_status ms_check_nearest_list(ms_certificate *c, ms_error *err);
ms_status ms_recount_nearest_list(ms_certificate *c, ms_error *err);
/* These do so for tables of components, of shortest paths and of mined motifs, all in one step
 * (components_file.c, paths_file.c, mined_file.c). */
ms_status ms_check_component_table(ms_certificate *c, ms_error *err);
ms_status ms_check_path_table(ms_certificate *c, ms_error *err);
ms_status ms_check_mined_table(ms_certificate *c, ms_error *err);
/* These three do so for a table of patterns (pattern_table.c). */
ms_status ms_open_pattern_table(ms_certificate *c, ms_error *err);
ms_status ms_check_pattern_table(ms_certificate *c, ms_error *err);
ms_status ms_recount_pattern_table(ms_certificate *c, ms_error *err);
void ms_verify_patterns_free(ms_verify_patterns *patterns); /* accepts NULL */
/* Checks the stop token after some rows; true, and noted in the report: it ends the check. */
bool ms_is_stopped(ms_certificate *c);
/* Notes in the report that the stop token ended a search.  That is no failure: what was checked
 * stands. */
ms_status ms_note_stop(ms_certificate *c, ms_status status);
/* Returns the end of a sentence that says what missing rows mean. */
const char *ms_missing_explanation(const ms_certificate *c);

#endif
