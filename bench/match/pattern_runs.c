#include "bench/match/pattern_runs.h"

#include "base/threads/stop.h"
#include "match/engine.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_EDGES = 256 };

const ms_pattern_engine *const bench_engines[] = {&ms_pattern_engine_cpu,
                                                  &ms_pattern_engine_gpu,
                                                  &ms_pattern_engine_dfs,
                                                  &ms_pattern_engine_trie,
                                                  &ms_pattern_engine_reuse,
                                                  &ms_pattern_engine_flood,
                                                  NULL};

const ms_pattern_engine *bench_engine_named(const char *name)
{
  for (int i = 0; bench_engines[i]; i++)
    if (strcmp(name, bench_engines[i]->name) == 0)
      return bench_engines[i];
  return NULL;
}

ms_status bench_pattern_of(const char *text, ms_pattern **out, ms_error *err)
{
  uint32_t edge[MOST_EDGES][2], m = 0, n = 0;
  if (!strchr(text, '-'))
    return ms_pattern_named(text, out, err);
  for (const char *at = text; *at && m < MOST_EDGES; m++) {
    char *end;
    edge[m][0] = (uint32_t)strtoul(at, &end, 10);
    edge[m][1] = (uint32_t)strtoul(*end == '-' ? end + 1 : end, &end, 10);
    for (int i = 0; i < 2; i++)
      n = edge[m][i] >= n ? edge[m][i] + 1 : n;
    at = *end ? end + 1 : end;
  }
  return ms_pattern_from_edges(n, m, (const uint32_t(*)[2])edge, false, NULL, out, err);
}

ms_status bench_search(const ms_count_query *query, const ms_pattern *pattern, bool induced,
                       bench_search_fn *search, void *user, mpz_t maps, double *milliseconds,
                       ms_error *err)
{
  ms_shape shape;
  ms_domains domains;
  ms_count_query own = *query;
  double begin = ms_seconds();
  ms_shape_of(pattern, induced, &shape);
  ms_status status =
      ms_domains_on((query->large ? query->large : query->engine)->filter_domains, query->index,
                    pattern, &shape, NULL, query->threads, &domains, err);
  if (status != MS_OK)
    return status;
  own.domains = &domains;
  mpz_set_ui(maps, 0);
  if (!domains.empty)
    status =
        search ? search(&own, &shape, user, maps, err) : ms_count_maps(&own, &shape, maps, err);
  *milliseconds = 1e3 * (ms_seconds() - begin);
  ms_domains_free(&domains);
  return status;
}
