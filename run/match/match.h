/* Parts of the search for a pattern: the sieve that runs first, the engine, and the
 * steps that plain and typed patterns share. */
#ifndef MS_RUN_MATCH_H
#define MS_RUN_MATCH_H

#include "match/count/count.h"
#include "match/domain_task.h"
#include "match/index.h"
#include "match/probe.h"
#include "run/require.h"
#include "run/run.h"

typedef struct ms_engine_choice {
  const ms_pattern_engine *engine;
  char reason[512]; /* the reason of the choice, as text for the user */
} ms_engine_choice;

/* A query for a pattern.  A typed one has an index of relations (match/typed/relations.h). */
typedef struct ms_match_run {
  ms_run run;
  const ms_pattern_index *index;
  ms_pattern_index *cut;     /* `index` if it was cut to what the sieve left; NULL: it was not */
  uint64_t cut_reserved;     /* bytes of the budget for it */
  const ms_pattern *pattern; /* NULL: a typed one */
  const ms_typed_pattern *typed_pattern; /* NULL: a plain one */
  const ms_pattern_options *options;
  const ms_pattern_engine *asked; /* the engine requested by name; NULL: auto */
  ms_shape shape;
  ms_group *group; /* automorphisms of the pattern; base 0, 1, ... */
  ms_domains domains;
  ms_required required;
  const char *required_name[MS_MAX_K]; /* [required.n] set for an explanation */
  const double (*row)[MS_MAX_PATTERN]; /* as in ms_plan_input; NULL: of a plain pattern */
  const void *screening;               /* what the functions of an ms_screen_kind need besides */
  /* set if matches are listed */
  ms_plan *plan;
  ms_program *program; /* NULL: there is nothing to search */
  ms_engine_choice choice;
  double seconds; /* expected of the search on the CPU; 0: not known */
  ms_pattern_result *result;
  mpz_ptr embeddings;             /* as in ms_pattern_list_within */
  struct ms_gather *gather;       /* what rows are added to (gather.h); NULL: they are passed on */
  struct ms_unit_rows *in_units;  /* of a list with a division; else NULL */
  struct ms_count_leaves *merged; /* the numbers of all parts of a count; NULL: it is counted */
  struct ms_shared_maps *shared;  /* what other counts of one index have found; NULL: nothing */
} ms_match_run;

/* Does what ms_pattern_list does for a count, with options that were taken, and shares numbers with
 * the counts of other patterns. */
ms_status ms_pattern_count_sharing(const ms_pattern_index *index, const ms_pattern *pattern,
                                   const ms_pattern_options *options, ms_budget *budget,
                                   struct ms_shared_maps *shared, ms_pattern_result **out,
                                   ms_error *err);

/* Finds the engine that the options ask for, and makes an empty result. */
ms_status ms_match_open(ms_match_run *m, ms_error *err);
/* Finds the automorphisms of the shape. */
ms_status ms_match_find_group(ms_match_run *m, ms_error *err);
/* True if matches are only counted, without a limit: formulas may be used. */
static inline bool ms_match_is_count(const ms_match_run *m)
{
  return m->run.count_only && m->run.limit == 0 && !m->options->participation;
}
/* Makes the plan of a listing, unless there is one, and chooses its engine, once there are
 * domains. */
ms_status ms_match_plan_listing(ms_match_run *m, ms_error *err);
/* Counts by the fastest method; run.count receives the number of embeddings. */
ms_status ms_match_count(ms_match_run *m, ms_error *err);
/* Lists the rows, if there is a program. */
ms_status ms_match_list(ms_match_run *m, ms_error *err);
/* Fills the counts and the rows of the result. */
ms_status ms_match_finish(ms_match_run *m, ms_error *err);
/* Frees the plan and its program. */
void ms_match_forget_plan(ms_match_run *m);
/* Frees everything except the result. */
void ms_match_release(ms_match_run *m);

/* Whether the sieve goes first. */
typedef struct ms_screen_decision {
  bool first;
  bool compared;        /* by the two estimates that follow */
  double wasted, sieve; /* seconds: of the steps that lead to no match, or a bound of the whole
                           search, and of the sieve */
  char reason[256];     /* text for the user */
} ms_screen_decision;
/* Decides whether the sieve would run first, and computes the domains without it. */
ms_status ms_pattern_screen_decide(ms_match_run *m, ms_screen_decision *decision, ms_error *err);
/* Decides whether the sieve runs first, runs it, and computes the domains.
 * Fills screen, screen_reason and region_vertices of the result. */
ms_status ms_pattern_screen(ms_match_run *m, ms_error *err);

/* Cuts the index to the vertices of the domains, if the sieve ran and it pays.  m->index and
 * m->domains become those of the part, and a plan that exists is compiled for it, so that engines
 * search as they always do.  by_degree: the ids of the part ascend by degree there, and there must
 * be no plan; otherwise a listing has its rows in the order that it would have without the cut.
 * Adds what was done to screen_reason of the result.  Nothing is cut if there are required
 * vertices, whose search reads only rows near them. */
ms_status ms_match_cut(ms_match_run *m, bool by_degree, ms_error *err);

/* Makes the plan of a listing after the sieve, if one ran, and then cuts the index. */
ms_status ms_match_cut_listing(ms_match_run *m, ms_error *err);

/* Finds an order of the shape's vertices that begins with `first` (MS_NO_ID: any vertex) and goes
 * on with the vertex of the fewest candidates.  order[m->shape.n] */
void ms_match_order_from(const ms_match_run *m, const ms_placed *placed, uint32_t first,
                         uint8_t *order);
/* Makes the plan and the program of a search with required vertices at their places.  order[n]:
 * the matching order; NULL: the options choose it. */
ms_status ms_match_plan_placed(const ms_match_run *m, const ms_placed *placed, bool constrain,
                               const uint8_t *order, ms_plan **plan, ms_program **program,
                               ms_error *err);
/* Does the same for a listing by the options, into m->plan and m->program; ms_match_forget_plan
 * must follow.  Refuses a program that the engine that was asked for does not support. */
ms_status ms_match_plan_places(ms_match_run *m, const ms_placed *placed, ms_error *err);
/* Makes the plan of a listing with these domains, and its program unless one of
 * the domains is empty. */
ms_status ms_match_plan(const ms_match_run *m, const ms_domains *domains, ms_plan **plan,
                        ms_program **program, ms_error *err);
/* Compiles the plan again, for an index and domains that have changed. */
ms_status ms_match_compile(ms_match_run *m, ms_error *err);
/* Fills the query of a count. It uses the requested engine; without one it uses
 * the CPU's engine, and the GPU's for large work. */
void ms_match_count_query(const ms_match_run *m, ms_count_query *query);

struct ms_growing;
/* Explains a search whose domains are known: writes the plan, the way of counting if that was asked
 * for, the decision about the sieve and the engine, as text or as JSON.  With required vertices the
 * plan is that of the first choice of their places. */
ms_status ms_match_explain(ms_match_run *m, const char *const *name,
                           const ms_screen_decision *decision, bool json, struct ms_growing *g,
                           ms_error *err);
/* Gives the explanation to the caller, or frees it if `status` is a failure. */
ms_status ms_match_explained(struct ms_growing *g, ms_status status, char **text, ms_error *err);

/* ---- engines ------------------------------------------------------------------- */

/* Finds the engine of this name; *engine is NULL for "auto" (or a NULL name).
 * Returns MS_ERR_USAGE if there is no such engine, or if it cannot run here. */
ms_status ms_pattern_engine_find(const char *name, const ms_pattern_engine **engine, ms_error *err);

/* Finds the engine of this name for which a count is planned, but which does not run; *engine is
 * NULL for the CPU's.  MS_ERR_INPUT: there is no such engine.  MS_ERR_USAGE: the code for GPUs is
 * needed to plan for it, and is not there. */
ms_status ms_pattern_engine_planner(const char *name, const ms_pattern_engine **engine,
                                    ms_error *err);

/* Estimated work, in steps of one thread (probe.h). */
typedef struct ms_match_work {
  double search;  /* of the search */
  double gpu;     /* of the same search on a GPU */
  double rows;    /* of making and judging rows, which the CPU does in any case */
  double output;  /* of delivering rows, which one thread does at a time */
  double matches; /* of a listing: estimated number of matches, at most the limit */
  double wasted;  /* the part of `search` that leads to no match */
} ms_match_work;

/* Applies the rule of "auto": compares the seconds of the CPU's threads with those of a GPU,
 * including its start, and says both. The GPU has to be usable, and its engine to support the
 * program (NULL: any). GPUs are only searched for if one would be faster, because that takes time
 * itself. */
void ms_pattern_engine_decide(const ms_match_work *work, int threads, const ms_program *program,
                              ms_engine_choice *out);
/* Returns the steps of one thread in the time that a GPU takes to start. */
double ms_pattern_engine_start(void);
const ms_pattern_engine *ms_pattern_engine_on_gpus(void);
/* Returns the function that makes the tests of domains on a GPU (match/domain_task.h) where this
 * engine, of a query's options, may be one on GPUs; NULL: the host makes them. */
ms_domain_task_fn *ms_pattern_engine_filter(const char *name);
/* Returns the seconds that this work takes on the threads of the CPU. */
double ms_match_seconds(const ms_match_work *work, int threads);

/* Writes a time for people, such as "about 0.8 s" or "about 3 hours", and returns the text. */
const char *ms_match_seconds_text(double seconds, char text[48]);

/* Estimates the work of listing the matches of a plan's program. */
ms_status ms_match_listing_work(const ms_match_run *m, const ms_program *program,
                                ms_probe_effort effort, ms_match_work *work, ms_error *err);
/* Estimates the work of counting, within the run's domains. *by_factors: the part of the search
 * that only the CPU can do. */
ms_status ms_match_counting_work(const ms_match_run *m, ms_probe_effort effort, ms_match_work *work,
                                 double *by_factors, ms_error *err);

#endif
