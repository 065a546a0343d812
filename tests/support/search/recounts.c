#include "tests/support/search/recounts.h"

#include "base/status.h"
#include "graph/graph.h"
#include "verify/recount.h"

ms_status recount_motif(const ms_query *query, mpz_t count, ms_found_fn found, void *user,
                        const ms_stop *stop, ms_error *err)
{
  ms_backtracker *backtracker;
  MS_TRY(ms_backtracker_new(query, false, stop, &backtracker, err));
  ms_status status = ms_backtracker_list(backtracker, count, found, user, err);
  ms_backtracker_free(backtracker);
  return status;
}

ms_status recount_pattern(const ms_graph *graph, const ms_coloring *coloring,
                          const ms_pattern *pattern, bool induced, mpz_t count, ms_found_fn found,
                          void *user, const ms_stop *stop, ms_error *err)
{
  ms_judge *judge;
  MS_TRY(ms_judge_pattern(graph, coloring, pattern, induced, false, &judge, err));
  ms_status status = ms_judge_recount(judge, count, found, user, stop, err);
  ms_judge_free(judge);
  return status;
}

ms_status recount_typed(const ms_typed_query *query, mpz_t count, ms_found_fn found, void *user,
                        const ms_stop *stop, ms_error *err)
{
  ms_judge *judge;
  MS_TRY(ms_judge_typed(query, false, false, &judge, err));
  ms_status status = ms_judge_recount(judge, count, found, user, stop, err);
  ms_judge_free(judge);
  return status;
}

ms_status count_pattern_automorphisms(const ms_pattern *pattern, mpz_t order, const ms_stop *stop,
                                      ms_error *err)
{
  static const ms_graph none; /* a graph without vertices */
  ms_judge *judge;
  MS_TRY(ms_judge_pattern(&none, NULL, pattern, false, false, &judge, err));
  ms_status status = ms_judge_automorphisms(judge, order, stop, err);
  ms_judge_free(judge);
  return status;
}

ms_status count_typed_automorphisms(const ms_typed_query *query, mpz_t order, const ms_stop *stop,
                                    ms_error *err)
{
  ms_judge *judge;
  MS_TRY(ms_judge_typed(query, false, false, &judge, err));
  ms_status status = ms_judge_automorphisms(judge, order, stop, err);
  ms_judge_free(judge);
  return status;
}
