/* The options of a census, the choice between processors and GPUs, and what its failures say. */
#include "base/status.h"
#include "census/census.h"

#include <math.h>
#include <string.h>

#define USUAL_K 3u
/* Seconds that a GPU takes to start, or to begin. */
#define SECONDS_TO_START 0.3
#define SECONDS_TO_BEGIN 0.02

ms_status ms_census_complete(ms_census_options *o, ms_error *err)
{
  o->k = o->k ? o->k : USUAL_K;
  if (o->k < 2 || o->k > MS_MAX_CENSUS)
    return ms_fail(err, MS_ERR_USAGE, "a census of sets of %u vertices; choose 2 to %u by `k`",
                   o->k, MS_MAX_CENSUS);
  return MS_OK;
}

ms_status ms_census_find_engine(const char *name, ms_census_engine *out, ms_error *err)
{
  static const char *const names[] = {"auto", "cpu", "gpu"};
  *out = MS_CENSUS_ANY;
  for (int i = 0; name && i < 3; i++)
    if (strcmp(name, names[i]) == 0) {
      *out = (ms_census_engine)i;
      return MS_OK;
    }
  return name ? ms_fail(err, MS_ERR_USAGE,
                        "there is no engine '%s' for a census; use auto, cpu or gpu", name)
              : MS_OK;
}

double ms_census_estimate_sets(const ms_census_graph *g, uint32_t k)
{
  double arcs = (double)g->offset[g->n], squares = 0;
  for (uint32_t v = 0; v < g->n; v++) {
    double degree = (double)(g->offset[v + 1] - g->offset[v]);
    squares += degree * degree;
  }
  return arcs > 0 ? arcs * pow(squares / arcs, k - 2.0) : 0;
}

const char *ms_census_prefer_cpu(const ms_census_accelerator *gpus, uint32_t k, double seconds)
{
  if (k < 3)
    return "sets of two vertices are edges";
  if (!gpus->may_have_devices())
    return "there is no GPU";
  if (seconds < (gpus->is_started() ? SECONDS_TO_BEGIN : SECONDS_TO_START))
    return "it ends before a GPU would have started";
  return gpus->devices() == 0 ? "there is no usable GPU" : NULL;
}

ms_status ms_census_fail_memory(const ms_census_graph *graph, ms_error *err)
{
  return ms_fail(
      err, MS_ERR_MEMORY,
      "the numbers of sets of all motifs need more memory; raise `memory`, lower `k`, or "
      "choose fewer colours by `only`%s",
      graph->single ? "" : ", or one for each vertex by `primary`");
}

ms_status ms_census_fail_overflow(ms_error *err)
{
  return ms_fail(err, MS_ERR_USAGE,
                 "a number of sets is 2^63 or more, which a census does not count; lower `k`");
}
