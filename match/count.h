/* Exact numbers of maps, by formula where that saves visits.
 *
 * Three ways to count the maps of a shape, used one inside the other:
 *  - visit the prefix of a plan and count its tail by partitions
 *    (cpu/program.h);
 *  - the product of the tail's set sizes counts maps whose tail vertices may
 *    coincide: subtract the numbers of maps of the *quotients*, in which they
 *    do, each a smaller shape with a plan of its own.  Then no intersection
 *    of tail sets is needed;
 *  - a disconnected shape A + B has |A| |B| maps if vertices of A and B could
 *    coincide: subtract those of every way to glue some of A's to some of B's.
 * The last two need patterns that are not induced.  Domains go along: that of a
 * merged vertex is the intersection. */
#ifndef MS_MATCH_COUNT_H
#define MS_MATCH_COUNT_H

#include "match/engine.h"
#include "plan/plan.h"

struct ms_budget;

typedef struct ms_count_query {
  const ms_pattern_index *index;
  const ms_domains *domains;
  const ms_pattern_engine *engine;
  ms_order order;
  int threads;
  uint32_t devices; /* GPUs: as in ms_pattern_task */
  const int *device;
  /* NULL: all by `engine`.  Else once `least_work` steps (probe.h) of work are estimated to be
   * there, programs go to this one, if there are devices and it takes them; if
   * it lacks memory or loses its device, the rest goes back. */
  const ms_pattern_engine *large;
  double least_work;
  struct ms_count_report *report; /* how it was counted; may be NULL */
  const ms_stop *stop;
  struct ms_budget *budget; /* bounds the memory of memos; NULL: no bound */
} ms_count_query;

typedef struct ms_count_report {
  uint32_t programs; /* programs that engines ran; counts by factors run none */
  double work, last; /* estimated steps of all programs, and of the last one */
  bool used_large;
  ms_error failure; /* why `large` failed; status MS_OK: it did not */
} ms_count_report;

/* embeddings = the number of maps of the shape into the domains; initialised by
 * the caller.  MS_ERR_LIMIT, MS_ERR_INTERRUPTED: stopped; then it is at most
 * the true number. */
ms_status ms_count_maps(const ms_count_query *query, const ms_shape *shape, mpz_t embeddings,
                        ms_error *err);

/* A search of at least this many estimated steps is probed, together with all ways to count
 * whose estimate is within this factor of the best.  Only tests change them, so that small
 * graphs use every way. */
extern double ms_count_probe_from, ms_count_probe_within;

/* The way in which a shape is counted. */
typedef struct ms_count_plan {
  ms_plan *plan;
  ms_program_options options; /* the tail, and whether by product and quotients */
  double cost;
} ms_count_plan;

/* domain[shape->n]; free the plan with ms_plan_free. */
ms_status ms_count_plan_new(const ms_count_query *query, const ms_shape *shape,
                            const ms_domain *domain, ms_count_plan *out, ms_error *err);

/* Chooses the way to count, and sets the shape's kinds by its domains. */
typedef enum ms_count_way {
  MS_COUNT_NOTHING,    /* a domain is empty */
  MS_COUNT_DOMAIN,     /* one vertex */
  MS_COUNT_COMPONENTS, /* the product over components, minus the gluings */
  MS_COUNT_FACTORS,    /* factor.h */
  MS_COUNT_PLAN
} ms_count_way;
ms_count_way ms_count_way_of(const ms_count_query *query, ms_shape *shape, const ms_domain *domain);

/* Describes the way to count, as lines for the user or as JSON; vertices by
 * name[shape->n], domains those of the query.  Release *text with ms_free. */
ms_status ms_count_explain(const ms_count_query *query, const ms_shape *shape,
                           const char *const *name, bool json, char **text, ms_error *err);

#endif
