/* The options of a census, and what its failures say. */
#include "base/status.h"
#include "census/census.h"

#include <string.h>

#define USUAL_K 3u

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
