/* Parts of the way of a pattern graph: the sieve in front, and the engine. */
#ifndef MS_RUN_MATCH_H
#define MS_RUN_MATCH_H

#include "match/count.h"
#include "match/index.h"
#include "run/run.h"

typedef struct ms_engine_choice {
  const ms_pattern_engine *engine;
  char reason[512]; /* for people */
} ms_engine_choice;

/* A query for a pattern graph. */
typedef struct ms_match_run {
  ms_run run;
  const ms_pattern_index *index;
  const ms_pattern *pattern;
  const ms_pattern_options *options;
  const ms_pattern_engine *asked; /* for by name; NULL: auto */
  ms_shape shape;
  ms_group *group; /* of the pattern; base 0, 1, .. */
  ms_domains domains;
  /* of a listing */
  ms_plan *plan;
  ms_program *program; /* NULL: there is nothing to search */
  ms_engine_choice choice;
  ms_pattern_result *result;
  mpz_ptr embeddings; /* as of ms_pattern_list_within */
} ms_match_run;

/* Frees all but the result. */
void ms_match_release(ms_match_run *m);

/* Decide whether the sieve goes first, and run it: *allowed receives the bits
 * of the index ids that may be in a match, for the caller to ms_free, or NULL:
 * all.  Fills in screen, screen_reason and region_vertices of the result. */
ms_status ms_pattern_screen(ms_match_run *m, uint64_t **allowed, ms_error *err);

/* A plan of a listing into these domains, and its program unless one of them is empty. */
ms_status ms_match_plan(const ms_match_run *m, const ms_domains *domains, ms_plan **plan,
                        ms_program **program, ms_error *err);
/* By the engine that was asked for, or else by the CPU's, and a GPU's from so
 * much work on. */
void ms_match_count_query(const ms_match_run *m, ms_count_query *query);

/* ---- engines ------------------------------------------------------------------- */

/* *engine stays NULL for "auto" (or a NULL name).  MS_ERR_USAGE: there is none
 * of this name, or it cannot run here. */
ms_status ms_pattern_engine_find(const char *name, const ms_pattern_engine **engine, ms_error *err);

/* The rule of auto: the CPU, but an engine on GPUs where there is a usable GPU,
 * the work is estimated to take the CPU's threads long enough, and the engine
 * takes the program (NULL: any).  Work in steps (probe.h) of one thread; GPUs are only
 * looked for where there is enough of it, as that takes a while by itself. */
void ms_pattern_engine_decide(double work, bool listing, int threads, const ms_program *program,
                              ms_engine_choice *out);
double ms_pattern_engine_worth(bool listing, int threads); /* so much work is enough */
const ms_pattern_engine *ms_pattern_engine_on_gpus(void);
/* What is worth it, times this.  Only tests write it. */
extern double ms_pattern_engine_patience;

/* How much there is of a listing: the search, if that is more than making the
 * rows, which the CPU does in any case. */
ms_status ms_pattern_listing_work(const ms_program *program, const ms_plan *plan, uint64_t limit,
                                  double *work, ms_error *err);

#endif
