/* Exact numbers of maps, by formula where that saves visits.
 *
 * A shape is counted in the first way of the table in count.c that is expected to be faster than a
 * search by its plan.  Most ways count maps that may take some vertices to the same one, and
 * subtract the numbers of maps of smaller shapes, in which these vertices are merged and which are
 * counted in ways of their own.  The domain of a merged vertex is the intersection of the domains
 * of its members. */
#ifndef MS_MATCH_COUNT_COUNT_H
#define MS_MATCH_COUNT_COUNT_H

#include "match/engine.h"
#include "match/probe.h"
#include "plan/plan.h"

struct ms_budget;

typedef struct ms_count_query {
  const ms_pattern_index *index;
  const ms_domains *domains;
  const ms_pattern_engine *engine;
  ms_order order;
  const double (*row)[MS_MAX_PATTERN]; /* of shapes with labels: as in ms_plan_input */
  int threads;
  uint32_t devices; /* GPUs: as in ms_pattern_task */
  const int *device;
  uint64_t gpu_memory; /* as in ms_pattern_task */
  /* NULL: `engine` runs all programs.  Otherwise this engine runs them from the program on at
   * which it would have been faster than `engine` on all threads, by the estimated work so far and
   * including its start, if it has devices and supports them.  If it lacks memory or loses its
   * device, `engine` runs the rest. */
  const ms_pattern_engine *large;
  double large_start; /* steps of one thread in the time that `large` takes to start; 0: it runs all
                         programs */
  bool estimate;      /* nothing is counted: the report receives the estimates of a count */
  struct ms_count_choices *choices; /* of estimates (count_choice.h), where there are no leaves;
                                       NULL: none are kept */
  double *planning; /* the steps that plans take are added to it; NULL: they are not counted */
  ms_probe_effort effort; /* of each probe */
  double
      most_probes; /* steps after which no further plan is probed, beyond the second; 0: no bound */
  struct ms_count_report *report; /* how it was counted; may be NULL */
  const ms_stop *stop;
  ms_progress_fn progress; /* as in ms_pattern_task */
  void *progress_user;
  struct ms_budget *budget; /* bounds the memory of memos; NULL: no bound */
  ms_work *work;            /* as in ms_pattern_task */
  /* A share is counted, or all shares are put together (leaves.h); NULL: all is counted.  With
   * leaves, `engine` and `large` do not matter: the leaves name theirs. */
  struct ms_count_leaves *leaves;
  /* Numbers that counts of other patterns have found, to which this one adds (shape_memo.h); NULL:
   * none are kept.  A count with leaves does not use it. */
  struct ms_shared_maps *shared;
  struct ms_count_sides *sides; /* the count is one of a race (count_race.h); NULL: it is not */
} ms_count_query;

typedef struct ms_count_report {
  uint32_t programs; /* programs that engines ran; counts by factors run none */
  uint32_t passed;   /* programs that `engine` does not support, which the CPU's engine ran */
  ms_error refusal;  /* why, of the last of them */
  double work, last; /* estimated steps (probe.h) of all programs, and of the last one */
  double large_work; /* estimated steps of all programs on `large` */
  double factors;    /* of an estimate: steps of the counts by factors */
  bool used_large;
  bool second; /* of a race: it is the count that began second */
  /* Of a clique for which pivots were tried (count_cliques.c): the steps that they take, and those
   * of the search that they are compared with; 0: there is none.  Otherwise both are 0. */
  double pivots, instead_of;
  bool used_pivots;
  ms_error failure; /* the failure of `large`; status MS_OK: it did not fail */
} ms_count_report;

/* Counts on query->engine and query->large at the same time where that takes more than a moment
 * (count_race.h).
 *
 * Sets `embeddings`, which the caller has initialised, to the number of maps of the shape into the
 * domains.  If it returns MS_ERR_LIMIT or MS_ERR_INTERRUPTED, it was stopped, and `embeddings` is
 * at most the true number. */
ms_status ms_count_maps(const ms_count_query *query, const ms_shape *shape, mpz_t embeddings,
                        ms_error *err);

/* True if `query` may count the shape by pivots (count_cliques.c), whatever it takes: a clique all
 * of whose vertices have the same domain. */
bool ms_count_may_pivot(const ms_count_query *query, const ms_shape *shape);

/* True if the induced maps of the shape may be counted by a sum (induced_sum.h). */
bool ms_count_has_sum(const ms_count_query *query, const ms_shape *shape);

/* How a search counts a shape. */
typedef struct ms_count_plan {
  ms_plan *plan;
  ms_program_options options; /* the tail, and whether by product and quotients */
  double cost;                /* estimated steps (probe.h), with those of the quotients */
  double quotients;           /* steps of the quotients alone */
  double lists;               /* steps of the rest with lists (probe.h); 0: it was not probed */
  double planning;            /* steps that its probes took */
  ms_inner_plan *inner;       /* of the tail, which options.inner points at; NULL: none */
  ms_program *program;        /* the plan's program, if it was made for a probe; else NULL */
  bool at_once;               /* it was not compared with others by probes, since a GPU that has
                                 started would be done before */
  bool weighed;               /* the cost is what the query's engine weighs, not steps of the CPU */
} ms_count_plan;

/* Makes the plan of a count with domain[shape->n].  The caller frees its parts with
 * ms_count_plan_free. */
ms_status ms_count_plan_new(const ms_count_query *query, const ms_shape *shape,
                            const ms_domain *domain, ms_count_plan *out, ms_error *err);
/* Makes the program of the plan, unless there is one. */
ms_status ms_count_plan_compile(const ms_count_query *query, const ms_domain *domain,
                                ms_count_plan *plan, ms_error *err);
/* Plans the quotient in which the two vertices of the tail of `of_product` are one, with the root
 * as the largest vertex: that is counted last, by its bounds.  *out is {0} before the call. */
ms_status ms_count_plan_below_root(const ms_count_query *query, const ms_shape *shape,
                                   const ms_count_plan *of_product, ms_count_plan *out,
                                   ms_error *err);
/* Plans a connected shape of at most 6 vertices without labels for the CPU, with this vertex, which
 * is alone of its kind, as the root, so that what the program counts under a root is the number of
 * matches there (but for symmetries).  The cost is always estimated. */
ms_status ms_count_plan_rooted(const ms_count_query *query, const ms_shape *shape, uint32_t root,
                               const ms_domain *domain, ms_count_plan *out, ms_error *err);
void ms_count_plan_free(ms_count_plan *plan);

/* Describes the way to count, as lines for the user or as JSON:
 *
 *   {"maps":"none"}
 *   {"maps":"domain","size":12}
 *   {"maps":"pairs of components"}
 *   {"maps":"factors","levels":[
 *     {"vertex":"a","domain":12,"copies":1,"below":null},
 *     {"vertex":"b","domain":9,"copies":2,"below":"a"},..]}
 *   {"maps":"plan","visited":["a","b"],"counted":["c"],"product":false,
 *     "inner":false,"table":false,"cost":1e6}
 *   {"maps":"sum","terms":12}
 *   {"maps":"hinge","vertex":"c","sides":[["a","b"],["d","e"]],"cost":1e6}
 *   {"maps":"elimination","fixed":["a","c"],"cost":1e6}
 *   {"maps":"edges","cost":1e6}    also "hubs", "triangles", "pivots"
 *
 * where `below` is the vertex whose match leaves this group of vertices, and `inner` says that the
 * counted vertices have edges among them and are counted in the graph that their candidates induce.
 * name[shape->n] are the names of the vertices.  The caller frees *text with ms_free. */
ms_status ms_count_explain(const ms_count_query *query, const ms_shape *shape,
                           const char *const *name, bool json, char **text, ms_error *err);

#endif
