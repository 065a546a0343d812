/* The programs of a count, on the engine that it chooses. */
#ifndef MS_MATCH_COUNT_COUNT_RUN_H
#define MS_MATCH_COUNT_COUNT_RUN_H

#include "match/count/count.h"

/* Steps to make a plan, without its probes. */
#define MS_PLAN_STEPS 5e4
/* Adds steps to what plans for the query have taken. */
void ms_count_add_planning(const ms_count_query *query, double steps);

/* Returns the query as if the user had asked for the engine query->large. */
ms_count_query ms_count_query_on_large(const ms_count_query *query);
/* Adds a count of so many steps, which is no program, to the report. */
void ms_count_report_steps(double steps, ms_count_report *report);
/* Adds a count of so many steps, or of other ones on query->large, to the report. */
void ms_count_report_either(double steps, double large_steps, ms_count_report *report);
/* Adds the estimates of a plan to the report, without those of its quotients, which have plans of
 * their own. */
void ms_count_report_plan(const ms_count_query *query, const ms_count_plan *plan,
                          ms_count_report *report);
/* True if query->large has started, so that it is done with a long search before a probe is. */
bool ms_count_is_quick(const ms_count_query *query);
/* True if some vertex has another domain than all vertices of at least its degree. */
bool ms_count_is_restricted(const ms_count_query *query, const ms_shape *shape,
                            const ms_domain *domain);
/* Returns the steps of one thread up to which a count begins on processors, if query->large has
 * started.  `restricted`: as in count_choice.h. */
double ms_count_begin_limit(const ms_count_query *query, bool restricted);
/* True if query->large has started, and a count of so many steps begins there. */
bool ms_count_begins_on_large(const ms_count_query *query, bool restricted, double steps);
/* Returns how many times as fast as one thread all threads are expected to be, in a search that
 * takes about as long as query->large takes to begin. */
double ms_count_speedup(const ms_count_query *query);
/* True if the program that was reported last is better on query->large.  It does not ask whether
 * there is a device, which may take a third of a second.  Once a large program has run there, later
 * ones follow with a hundredth of the work, because the GPU has started. */
bool ms_count_is_for_large(const ms_count_query *query, const ms_count_report *report);
/* True if it is, and there is a device. */
bool ms_count_goes_to_large(const ms_count_query *query, const ms_count_report *report);
/* Counts a share of a leaf by `count`, or replays it. */
typedef ms_status ms_count_leaf_fn(void *user, const ms_share *share, mpz_t maps, ms_error *err);
ms_status ms_count_run_leaf(const ms_count_query *query, uint32_t sum, ms_count_leaf_fn *count,
                            void *user, mpz_t maps, ms_error *err);
/* Returns the task of an engine that runs a program of the query. */
ms_pattern_task ms_count_task(const ms_count_query *query, const ms_program *program);
/* Runs a program, on query->large if `large`, and notes in the report what became of it.  Sets
 * maps, which is 0 before the call. */
ms_status ms_count_run(const ms_count_query *query, const ms_program *program, bool large,
                       ms_count_report *report, mpz_t maps, ms_error *err);

#endif
