/* The reductions that hold where a match has fewer vertices than the motif has slots. */
#include "motif/prune_partial.h"

#include "base/alloc.h"
#include "base/status.h"

#include <string.h>

#define ANY_COMPONENT UINT32_MAX
#define NO_COMPONENT (UINT32_MAX - 1)

/* Returns the component that holds all loose vertices, ANY_COMPONENT if there are none, or
 * NO_COMPONENT if they lie in several. */
static uint32_t find_loose(const ms_instance *in, const uint32_t *component)
{
  uint32_t common = in->n_loose ? component[in->loose[0]] : ANY_COMPONENT;
  for (uint32_t i = 1; i < in->n_loose; i++)
    if (component[in->loose[i]] != common)
      return NO_COMPONENT;
  return common;
}

/* Sets keep[v] for the vertices of the components that have enough vertices for a match, and all
 * loose vertices.  component[n] has the numbers of the components, 0..count-1. */
static ms_status keep_components(const ms_instance *in, const uint32_t *component, uint32_t count,
                                 uint8_t *keep, ms_prune_stats *stats, ms_error *err)
{
  ms_slot_matching *matching = ms_calloc(count, sizeof *matching);
  if (!matching)
    return ms_fail_memory(err, "the components of the coloured vertices");
  for (uint32_t v = 0; v < in->n; v++)
    (void)ms_slot_matching_add(&matching[component[v]], in->k, in->mask[v]);
  uint32_t wanted = find_loose(in, component);
  for (uint32_t v = 0; v < in->n; v++) {
    uint32_t c = component[v], taken = (uint32_t)__builtin_popcount(matching[c].taken);
    keep[v] = taken >= in->size && (wanted == ANY_COMPONENT || c == wanted);
    stats->poor_component += !keep[v];
  }
  for (uint32_t c = 0; c < count; c++)
    stats->components += (uint32_t)__builtin_popcount(matching[c].taken) >= in->size &&
                         (wanted == ANY_COMPONENT || c == wanted);
  ms_free(matching);
  return MS_OK;
}

/* Keeps the components of the instance, which has no vertex without a slot, that can hold a match.
 */
static ms_status prune_components(const ms_instance *in, int threads, ms_instance **out,
                                  ms_prune_stats *stats, ms_error *err)
{
  uint32_t count = 0, *component = ms_alloc(in->n, sizeof *component);
  uint8_t *keep = ms_alloc(in->n, 1);
  ms_status status = component && keep ? MS_OK : ms_fail_memory(err, "the vertex filter");
  if (status == MS_OK)
    status = ms_instance_components(in, threads, component, &count, err);
  if (status == MS_OK)
    status = keep_components(in, component, count, keep, stats, err);
  if (status == MS_OK)
    status = ms_instance_induced(in, keep, threads, out, err);
  ms_free(component);
  ms_free(keep);
  return status;
}

ms_status ms_instance_prune_partial(const ms_instance *instance, int threads, ms_instance **out,
                                    ms_prune_stats *stats, ms_error *err)
{
  ms_thin thin;
  ms_prune_stats own = {0};
  MS_TRY(ms_instance_thin(instance, threads, &thin, err));
  own.no_slot = thin.dropped;
  own.edges_one_slot = thin.edges_one_slot;
  ms_status status = prune_components(thin.left ? thin.left : instance, threads, out, &own, err);
  ms_instance_free(thin.left);
  ms_free(thin.near);
  if (stats)
    *stats = own;
  return status;
}
