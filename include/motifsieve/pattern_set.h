/* Many patterns on one graph: their counts, and whether these are more than by chance.
 * motifsieve.h includes this file. */
#ifndef MOTIFSIEVE_PATTERN_SET_H
#define MOTIFSIEVE_PATTERN_SET_H

#include "motifsieve/pattern.h"
#include "motifsieve/permutations.h"

/* ---- sets of patterns ------------------------------------------------- */

/* Plain patterns with names, all different, in an order.  Several threads may use one at the same
 * time. */
typedef struct ms_pattern_set ms_pattern_set;

/* Makes a set of name[count] and the texts of their patterns, text[count]: the name of a built-in,
 * such as "clique:4", or Cypher's notation, as ms_pattern_named and ms_pattern_parse read them.
 * `directed`: the graph was read so.  MS_ERR_USAGE: there is no pattern; a name is empty, is there
 * twice, begins with # or holds a control character; a text is no plain pattern.  The message names
 * the pattern. */
MS_API ms_status ms_pattern_set_new(uint32_t count, const char *const *name,
                                    const char *const *text, bool directed, ms_pattern_set **out,
                                    ms_error *err);
/* Reads a set from a file of lines NAME<TAB>TEXT, or TEXT alone, which then is the name, too; blank
 * lines, and lines that begin with #, are skipped.  Or from a folder: each of its files is a
 * pattern, as ms_pattern_read reads it, whose name is that of the file; files come in the order of
 * their names, and hidden ones, folders, and matches.tsv, which 'motifsieve gen --patterns' adds,
 * are skipped.  An error names the file, and the line. */
MS_API ms_status ms_pattern_set_read(const char *path, bool directed, ms_pattern_set **out,
                                     ms_error *err);
MS_API void ms_pattern_set_free(ms_pattern_set *set);
MS_API uint32_t ms_pattern_set_size(const ms_pattern_set *set);
/* These three return what belongs to pattern number i; it is owned by the set.  The text of a
 * pattern of a file is in Cypher's notation. */
MS_API const char *ms_pattern_set_name(const ms_pattern_set *set, uint32_t i);
MS_API const char *ms_pattern_set_text(const ms_pattern_set *set, uint32_t i);
MS_API const ms_pattern *ms_pattern_set_pattern(const ms_pattern_set *set, uint32_t i);

/* Writes a pattern in Cypher's notation, which ms_pattern_parse reads as the same pattern; the
 * caller frees *text with ms_text_free. */
MS_API ms_status ms_pattern_text(const ms_pattern *pattern, char **text, ms_error *err);

/* Returns the number of edges of a pattern, or of arcs if it has arrows; 0 for NULL. */
MS_API uint64_t ms_pattern_edge_count(const ms_pattern *pattern);

/* ---- counts ----------------------------------------------------------- */

typedef struct ms_pattern_counts {
  ms_run_outcome run; /* `units` and `resumed` are 0 */
  uint32_t count;     /* patterns of the set */
  bool embeddings;    /* as in the options */
  /* [count] the number of subgraphs, or of embeddings, as the options say; in decimal, exact at any
     size (GMP); a lower bound where `stopped` says so */
  char **count_text;
  char **automorphisms_text; /* [count] of the pattern with its colours, in decimal */
  ms_status *stopped;        /* [count] MS_OK: the number is whole */
  double *seconds;           /* [count] that each took; what an earlier one has counted is free */
  double time_count;         /* seconds, of all */
} ms_pattern_counts;

/* Counts the matches of each pattern of the set, one after the other, without a sieve, so that the
 * numbers are exact.  Shapes that several patterns need are counted once.  Takes induced,
 * embeddings, order and screen.run from the options; count_only is implied.  MS_ERR_USAGE:
 * the options have `limit`, `rows`, `begin`, `required`, screen_mode MS_SCREEN_ALWAYS or a
 * division; or a pattern asks for colours, and the index has none.  The caller frees *out by
 * ms_pattern_counts_free. */
MS_API ms_status ms_pattern_counts_new(const ms_pattern_index *index, const ms_pattern_set *set,
                                       const ms_pattern_options *options, ms_pattern_counts **out,
                                       ms_error *err);
MS_API void ms_pattern_counts_free(ms_pattern_counts *counts);

/* Counts the same patterns in `permutations` graphs whose colours, or whose edges, were permuted at
 * random; with MS_NULL_REWIRE, a directed graph keeps the arcs out, the arcs in and the mutual arcs
 * of each vertex.  Statistics are those of ms_permutation_result, in the order of the set: its sets
 * are matches.  `counts` was made by ms_pattern_counts_new of this index, this set and these
 * options; if it was stopped, so is the result, and no permutation is done.  Takes engine "cpu",
 * screen.run and division from the options, besides the above: a part has some of the permutations,
 * and no keep_counts or max_t; a checkpoint has those that are done.  Each thread counts
 * permutations of its own.  MS_ERR_USAGE: a null of colours, and the index has none; a number of
 * matches that is 2^63 or more; an engine on GPUs; wrong options.  The caller frees *out by
 * ms_permutation_result_free. */
MS_API ms_status ms_pattern_counts_permute(const ms_pattern_index *index, const ms_pattern_set *set,
                                           const ms_pattern_options *options,
                                           const ms_permutation_options *permutations,
                                           const ms_pattern_counts *counts,
                                           ms_permutation_result **out, ms_error *err);

#endif
