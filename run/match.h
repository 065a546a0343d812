/* Parts of the search for a pattern: the sieve that runs first, the engine, and the
 * steps that plain and typed patterns share. */
#ifndef MS_RUN_MATCH_H
#define MS_RUN_MATCH_H

#include "match/count.h"
#include "match/index.h"
#include "run/run.h"

typedef struct ms_engine_choice {
  const ms_pattern_engine *engine;
  char reason[512]; /* the reason of the choice, as text for the user */
} ms_engine_choice;

/* A query for a pattern.  A typed one has an index of relations (match/typed/relations.h). */
typedef struct ms_match_run {
  ms_run run;
  const ms_pattern_index *index;
  const ms_pattern *pattern; /* NULL: a typed one */
  const ms_pattern_options *options;
  const ms_pattern_engine *asked; /* the engine requested by name; NULL: auto */
  ms_shape shape;
  ms_group *group; /* automorphisms of the pattern; base 0, 1, ... */
  ms_domains domains;
  const double (*row)[MS_MAX_PATTERN]; /* as in ms_plan_input; NULL: of a plain pattern */
  /* set if matches are listed */
  ms_plan *plan;
  ms_program *program; /* NULL: there is nothing to search */
  ms_engine_choice choice;
  ms_pattern_result *result;
  mpz_ptr embeddings; /* as in ms_pattern_list_within */
} ms_match_run;

/* Finds the engine that the options ask for, and makes an empty result. */
ms_status ms_match_open(ms_match_run *m, ms_error *err);
/* Finds the automorphisms of the shape. */
ms_status ms_match_find_group(ms_match_run *m, ms_error *err);
/* True if matches are only counted, without a limit: formulas may be used. */
bool ms_match_is_count(const ms_match_run *m);
/* Makes the plan of a listing and chooses its engine, once there are domains. */
ms_status ms_match_plan_listing(ms_match_run *m, ms_error *err);
/* Counts by the fastest method; run.count receives the number of embeddings. */
ms_status ms_match_count(ms_match_run *m, ms_error *err);
/* Lists the rows, if there is a program. */
ms_status ms_match_list(ms_match_run *m, ms_error *err);
/* Fills the counts and the rows of the result. */
ms_status ms_match_finish(ms_match_run *m, ms_error *err);
/* Frees everything except the result. */
void ms_match_release(ms_match_run *m);

/* Decides whether the sieve runs first, and runs it. *allowed receives the bits
 * of the index ids that may be in a match, which the caller frees with ms_free,
 * or NULL if all of them may be. Fills screen, screen_reason and
 * region_vertices of the result. */
ms_status ms_pattern_screen(ms_match_run *m, uint64_t **allowed, ms_error *err);

/* Makes the plan of a listing with these domains, and its program unless one of
 * the domains is empty. */
ms_status ms_match_plan(const ms_match_run *m, const ms_domains *domains, ms_plan **plan,
                        ms_program **program, ms_error *err);
/* Fills the query of a count. It uses the requested engine; without one it uses
 * the CPU's engine, and the GPU's for large work. */
void ms_match_count_query(const ms_match_run *m, ms_count_query *query);

struct ms_growing;
/* Explains a search whose domains are known: writes the plan, the way of counting if that was asked
 * for, and the engine, as text or as JSON. */
ms_status ms_match_explain(ms_match_run *m, const char *const *name, bool json,
                           struct ms_growing *g, ms_error *err);
/* Gives the explanation to the caller, or frees it if `status` is a failure. */
ms_status ms_match_explained(struct ms_growing *g, ms_status status, char **text, ms_error *err);

/* ---- engines ------------------------------------------------------------------- */

/* Finds the engine of this name; *engine is NULL for "auto" (or a NULL name).
 * Returns MS_ERR_USAGE if there is no such engine, or if it cannot run here. */
ms_status ms_pattern_engine_find(const char *name, const ms_pattern_engine **engine, ms_error *err);

/* Applies the rule of "auto". It chooses the CPU, unless there is a usable GPU,
 * the CPU's threads are estimated to need long enough, and the engine on GPUs
 * supports the program (NULL: any). `work` is in steps (probe.h) of one thread.
 * GPUs are only searched for if there is enough work, because that takes time
 * itself. */
void ms_pattern_engine_decide(double work, bool listing, int threads, const ms_program *program,
                              ms_engine_choice *out);
/* Returns the number of steps from which on a GPU pays. */
double ms_pattern_engine_least_work(bool listing, int threads);
const ms_pattern_engine *ms_pattern_engine_on_gpus(void);
/* A factor of the work from which on a GPU pays. Only tests set it. */
extern double ms_pattern_engine_patience;

/* Estimates the work of a listing: the steps of the search, or 0 if making the
 * rows, which the CPU does in any case, takes longer. */
ms_status ms_pattern_listing_work(const ms_program *program, const ms_plan *plan, uint64_t limit,
                                  double *work, ms_error *err);

#endif
