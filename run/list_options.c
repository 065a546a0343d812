/* Refuses options of a list that it cannot honour. */
#include "base/status.h"
#include "gpu/gpu.h"
#include "graph/graph.h"
#include "graph/vertex_scores.h"
#include "parts/log.h"
#include "query/query.h"
#include "run/run.h"
#include "run/units/screen_units.h"

#include <string.h>

ms_status ms_check_sorting(const char *given, bool count_only, ms_measure sort, uint64_t top,
                           const ms_vertex_scores *scores, ms_error *err)
{
  if (count_only)
    return ms_fail(err, MS_ERR_USAGE,
                   "`%s` needs each match, which a count does not visit; leave it out, or list the "
                   "matches",
                   given);
  if (top > 0 && !sort)
    return ms_fail(err, MS_ERR_USAGE, "`top` is for sorted matches; also give `sort`");
  if (sort == MS_MEASURE_VERTEX_SCORE && !scores)
    return ms_fail(err, MS_ERR_USAGE,
                   "`sort` is by the scores of vertices, and there are none; give "
                   "`vertex_scores`");
  return MS_OK;
}

/* Refuses measures of counts, and of scores that the graph lacks. */
static ms_status check_measures(const ms_query *query, const ms_list_options *o, ms_error *err)
{
  const char *given = o->sort                  ? "sort"
                      : o->top > 0             ? "top"
                      : o->min_density != 0    ? "min_density"
                      : o->min_mean_score != 0 ? "min_mean_score"
                                               : NULL;
  if (!given)
    return MS_OK;
  bool counts = o->count_only && (o->sort || o->top > 0 || o->participation);
  MS_TRY(ms_check_sorting(given, counts, o->sort, o->top, o->vertex_scores, err));
  if (o->sort && o->limit > 0 && o->families == 0)
    return ms_fail(err, MS_ERR_USAGE,
                   "`limit` ends the search early, and `sort` needs all matches; %s",
                   o->diverse ? "leave `limit` out" : "give `top` in place of `limit`");
  if (!(o->min_density >= 0 && o->min_density <= 1))
    return ms_fail(err, MS_ERR_USAGE, "`min_density` is %g; a density is from 0 to 1",
                   o->min_density);
  if (!(o->min_mean_score >= 0))
    return ms_fail(err, MS_ERR_USAGE, "`min_mean_score` is %g; give a number of at least 0",
                   o->min_mean_score);
  if (o->count_only && o->screen.run.division)
    return ms_division_refuse(o->screen.run.division, "a count of matches above a threshold", err);
  bool by_score = o->sort == MS_MEASURE_MEAN_SCORE || o->sort == MS_MEASURE_LEAST_SCORE;
  bool scores = by_score || o->min_mean_score > 0;
  if (scores && !ms_graph_scored(query->graph))
    return ms_fail(err, MS_ERR_USAGE,
                   "`%s` needs the scores of edges, and the graph has none; read it with "
                   "`keep_scores`",
                   by_score ? "sort" : "min_mean_score");
  return MS_OK;
}

/* Refuses families of what is not listed whole. */
static ms_status check_families(const ms_list_options *o, ms_error *err)
{
  const char *other = o->count_only   ? "count_only"
                      : o->sample > 0 ? "sample"
                      : o->diverse    ? "diverse"
                      : o->top > 0    ? "top"
                                      : NULL;
  if (!(o->families >= 0 && o->families <= 1))
    return ms_fail(err, MS_ERR_USAGE,
                   "`families` is %g; a share of the vertices is above 0 and at most 1",
                   o->families);
  if (o->families > 0 && other)
    return ms_fail(err, MS_ERR_USAGE,
                   "`families` groups all matches, and `%s` does not list all; leave one out%s",
                   other, o->top > 0 ? ", or give `limit` for the first families" : "");
  if (o->families > 0 && !o->exact)
    return ms_fail(err, MS_ERR_USAGE,
                   "`families` groups all matches, none of which may be missed; set `exact`");
  return MS_OK;
}

/* Refuses GPUs for what only the CPU does. */
static ms_status check_engine(const ms_list_options *o, ms_error *err)
{
  const char *other = o->limit > 0 && o->families == 0                   ? "limit"
                      : o->sample > 0                                    ? "sample"
                      : o->diverse                                       ? "diverse"
                      : o->top > 0 && o->sort == MS_MEASURE_VERTEX_SCORE ? "top"
                                                                         : NULL;
  if (!o->screen.run.engine || strcmp(o->screen.run.engine, "gpu") != 0 || !other)
    return MS_OK;
  return ms_fail(err, MS_ERR_USAGE,
                 "`engine` is gpu, and GPUs search for all matches; leave out `engine` or `%s`%s",
                 other, o->top > 0 ? ", or sort by another measure" : "");
}

ms_status ms_list_check_options(const ms_query *query, const ms_list_options *o, ms_error *err)
{
  const ms_screen_options *s = &o->screen;
  const char *of_sieve = s->kernel                            ? "kernel"
                         : s->block_points                    ? "block_points"
                         : s->repetitions                     ? "repetitions"
                         : s->error > 0                       ? "error"
                         : s->recurrence                      ? "recurrence"
                         : s->backend                         ? "backend"
                         : s->run.n_devices && !s->run.engine ? "devices"
                         : s->no_early_stop                   ? "no_early_stop"
                         : s->no_prune                        ? "no_prune"
                         : s->method                          ? "method"
                                                              : NULL;
  MS_TRY(check_measures(query, o, err));
  MS_TRY(check_families(o, err));
  if (o->vertex_scores && o->vertex_scores->n != query->graph->n)
    return ms_fail(err, MS_ERR_USAGE,
                   "`vertex_scores` are for %u vertices, but the graph has %u; read the scores for "
                   "this graph",
                   o->vertex_scores->n, query->graph->n);
  if (s->vertex_scores)
    return ms_fail(
        err, MS_ERR_USAGE,
        "screen.vertex_scores is for screens; set it to NULL, and `vertex_scores` of the "
        "list");
  MS_TRY(check_engine(o, err));
  MS_TRY(ms_gpu_check_named(s->run.devices, s->run.n_devices, err));
  if (s->profile)
    return ms_fail(err, MS_ERR_USAGE, "`profile` is for screens; leave it out, or call ms_screen");
  if (s->match_size && s->match_size != query->motif->k)
    return ms_fail(
        err, MS_ERR_USAGE,
        "screen.match_size is %u: a list has matches of all %u slots of the motif; set it "
        "to 0, or call ms_screen",
        s->match_size, query->motif->k);
  if (o->participation && (!o->count_only || o->limit > 0))
    return ms_fail(
        err, MS_ERR_USAGE,
        "`participation` is for counts of all matches; set count_only, and `limit` to 0");
  if (o->sample > 0 && (o->count_only || o->limit > 0))
    return ms_fail(err, MS_ERR_USAGE,
                   "`sample` draws from all matches and stores them; set `count_only` to false and "
                   "`limit` to 0");
  if (o->sample > INT64_MAX)
    return ms_fail(err, MS_ERR_USAGE, "`sample` is greater than 2^63-1; choose a smaller number");
  if (o->diverse && (o->count_only || o->sample > 0))
    return ms_fail(err, MS_ERR_USAGE,
                   "`diverse` lists matches that share no vertex; set `count_only` to false and "
                   "`sample` to 0");
  bool ranks = o->top > 0 || o->min_density > 0 || o->min_mean_score > 0;
  if ((o->sample > 0 || o->diverse) && ranks)
    return ms_fail(err, MS_ERR_USAGE,
                   "`%s` chooses matches without looking at their measures; leave out `top`, "
                   "`min_density` and `min_mean_score`",
                   o->diverse ? "diverse" : "sample");
  if ((o->sample > 0 || o->diverse) && !o->exact)
    return ms_fail(err, MS_ERR_USAGE,
                   "`%s` chooses from all matches, none of which may be missed; set `exact`",
                   o->diverse ? "diverse" : "sample");
  if (o->exact && of_sieve)
    return ms_fail(
        err, MS_ERR_USAGE,
        "`%s` is for the sieve, which an exact list leaves out; leave out `%s` or `exact`",
        of_sieve, of_sieve);
  return ms_screen_check_options(query, s, err);
}
