/* Many motifs on one graph.  motifsieve.h includes this file. */
#ifndef MOTIFSIEVE_SESSION_H
#define MOTIFSIEVE_SESSION_H

#include "motifsieve/motif.h"

/* ---- sets of motifs --------------------------------------------------- */

/* Motifs with names, all different, in an order.  Several threads may use one at the same time. */
typedef struct ms_motif_set ms_motif_set;

/* Reads lines NAME<TAB>MOTIF, with the motif as ms_motif_parse reads it.  Blank lines, and lines
 * that begin with #, are skipped.  An error names the line: a name that an earlier line has, an
 * unknown colour, or a motif that cannot be parsed.
 *
 * In place of a count, there may be a range: "kinase:1-2,nucleus:0-3" stands for the eight motifs
 * with one or two kinases and up to three vertices of the nucleus.  They are in the set as motifs
 * of their own, called NAME[1,0], NAME[1,1], .., NAME[2,3] after the counts.  A choice without a
 * slot is left out.  A line stands for at most 1000 motifs. */
MS_API ms_status ms_motif_set_read(const char *path, const ms_coloring *coloring,
                                   ms_motif_set **out, ms_error *err);
/* Makes a set of name[count] and the texts of their motifs, text[count], with ranges as in files. A
 * name must not begin
 * with # or hold a control character. */
MS_API ms_status ms_motif_set_new(const ms_coloring *coloring, uint32_t count,
                                  const char *const *name, const char *const *text,
                                  ms_motif_set **out, ms_error *err);
MS_API void ms_motif_set_free(ms_motif_set *set);
MS_API uint32_t ms_motif_set_size(const ms_motif_set *set);
/* These two return the name and the motif of number i; they are owned by the set. */
MS_API const char *ms_motif_set_name(const ms_motif_set *set, uint32_t i);
MS_API const ms_motif *ms_motif_set_motif(const ms_motif_set *set, uint32_t i);

/* ---- sessions --------------------------------------------------------- */

/* A graph and its colours, which are searched for the motifs of many calls.  It keeps pointers to
 * both, which must outlive it.  Several threads may use one at the same time. */
typedef struct ms_session ms_session;

MS_API ms_status ms_session_new(const ms_graph *graph, const ms_coloring *coloring,
                                ms_session **out, ms_error *err);
MS_API void ms_session_free(ms_session *session);

/* Makes a query of the session's graph and colours, as ms_query_new does.  ms_screen and ms_list
 * find what they find for a query of ms_query_new, with the exceptions that ms_session_screen
 * names; where no vertex is required and each slot asks for one of some colours, they prune in time
 * that depends on the vertices that fit a slot, and not on the graph.  The session must outlive the
 * query. */
MS_API ms_status ms_session_query(const ms_session *session, const ms_motif *motif,
                                  uint32_t n_required, const char *const *required, ms_query **out,
                                  ms_error *err);

/* These two receive the result of motif i, in the order of the set, on the calling thread.  The
 * query and the result last until the call returns.  `seconds` is the time that the motif took.
 * They return false to end the run. */
typedef bool (*ms_screened_fn)(void *user, uint32_t i, const ms_query *query,
                               const ms_screen_result *result, double seconds);
typedef bool (*ms_listed_fn)(void *user, uint32_t i, const ms_query *query,
                             const ms_list_result *result, double seconds);

/* Screens each motif of the set as ms_screen does.  Many screens share the threads of the options;
 * for a long one all threads work together.  The results do not depend on that.  `seconds`: the
 * time that each motif may take, as if a token stopped it then; 0: any.  If the token of the
 * options stops before all motifs are done, the run ends with a motif whose `stopped` says so, and
 * the motifs behind it have no result.  Where a result is `exact`, fewer vertices may be kept than
 * by ms_screen, and it may be exact where ms_screen gives enumeration up.
 *
 * With MS_BACKEND_CUDA, MS_METHOD_AUTO and at most one GPU in run.devices, graph and colours stay
 * on one GPU.  A motif is searched exactly there if it has at most 12 slots in at most 8 classes
 * (equal slots are in one class), if the numbers of slots of its classes, plus 1, multiply to at
 * most 64, and if each condition asks for one of some colours.  Every other motif, and one whose
 * search is given up, is screened as with MS_METHOD_SIEVE.  `seconds` does not stop a motif on the
 * GPU, and the components and edges that pruning leaves there are not counted (0). */
MS_API ms_status ms_session_screen(const ms_session *session, const ms_motif_set *motifs,
                                   const ms_screen_options *options, double seconds,
                                   ms_screened_fn receive, void *user, ms_error *err);
/* Lists or counts the matches of each motif as ms_list does; the limit is one of each motif, and
 * which matches are found under it does not depend on the threads.  `begin` and `rows` of the
 * options must be NULL: the matches of a motif are stored until its result was received. */
MS_API ms_status ms_session_list(const ms_session *session, const ms_motif_set *motifs,
                                 const ms_list_options *options, double seconds,
                                 ms_listed_fn receive, void *user, ms_error *err);

/* ---- mining ----------------------------------------------------------- */

typedef struct ms_mine_options {
  size_t size;       /* set by MS_MINE_OPTIONS_DEFAULT */
  uint32_t slots;    /* the greatest number of slots of a motif, 1 to MS_MAX_MINED; 0: 3 */
  uint32_t least;    /* the least number of slots; 0: 2, or 1 if `slots` is 1 */
  uint32_t support;  /* the least number of vertices that are in a match; 0: 1 */
  ms_run_limits run; /* only `threads`, `memory`, `stop` and progress */
} ms_mine_options;
#define MS_MINE_OPTIONS_DEFAULT                                                                    \
  {                                                                                                \
    .size = sizeof(ms_mine_options)                                                                \
  }
#define MS_MAX_MINED 8u

typedef struct ms_mine_summary {
  ms_run_outcome run;  /* stopped early: motifs may be missing */
  uint64_t motifs;     /* motifs that were received */
  uint64_t candidates; /* motifs that were searched for */
} ms_mine_summary;

/* Receives a motif and the vertices that are in a match of it, vertex[count], ascending, on the
 * calling thread.  Motifs with fewer slots come first, and motifs with equally many slots come in
 * the order of their colours.  The motif and the vertices last until the call returns.  It returns
 * false to end the run. */
typedef bool (*ms_mined_fn)(void *user, const ms_motif *motif, uint32_t count,
                            const uint32_t *vertex);

/* Finds all motifs, without the wildcard, whose matches together hold at least `support` vertices.
 * The answer is exact.  Motifs are built up colour by colour: a vertex that is in a match of a
 * motif of several slots is in a match of the motif without some one slot, so that only
 * such vertices are searched.  `summary` may be NULL.  MS_ERR_MEMORY: the vertices of the motifs of
 * one size need more than `memory`. */
MS_API ms_status ms_session_mine(const ms_session *session, const ms_mine_options *options,
                                 ms_mined_fn receive, void *user, ms_mine_summary *summary,
                                 ms_error *err);

#endif
