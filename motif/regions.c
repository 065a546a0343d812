#include "motif/regions.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/threads/stop.h"

#include <string.h>

#define POLL_REGIONS 64u

void ms_regions_free(ms_regions *regions)
{
  if (!regions)
    return;
  for (uint32_t r = 0; regions->region && r < regions->count; r++)
    ms_instance_free(regions->region[r]);
  ms_free(regions->region);
  ms_free(regions);
}

/* Vertices by component.  member[start[c]] .. member[start[c + 1] - 1] are the vertices of
 * component c, ascending; local[v] is the position of v in its component. */
typedef struct partition {
  uint32_t count;
  uint32_t *component; /* [n] */
  uint32_t *start;     /* [count + 1] */
  uint32_t *member;    /* [n] */
  uint32_t *local;     /* [n] */
} partition;

static ms_status partition_make(const ms_instance *instance, int threads, partition *p,
                                ms_error *err)
{
  uint32_t n = instance->n;
  memset(p, 0, sizeof *p);
  p->component = ms_alloc(n, sizeof *p->component);
  p->member = ms_alloc(n, sizeof *p->member);
  p->local = ms_alloc(n, sizeof *p->local);
  if (!p->component || !p->member || !p->local)
    return ms_fail_memory(err, "the components of the flagged vertices");
  MS_TRY(ms_instance_components(instance, threads, p->component, &p->count, err));
  p->start = ms_calloc((size_t)p->count + 1, sizeof *p->start);
  if (!p->start)
    return ms_fail_memory(err, "the components of the flagged vertices");
  for (uint32_t v = 0; v < n; v++)
    p->local[v] = p->start[p->component[v] + 1]++;
  for (uint32_t c = 0; c < p->count; c++)
    p->start[c + 1] += p->start[c];
  for (uint32_t v = 0; v < n; v++)
    p->member[p->start[p->component[v]] + p->local[v]] = v;
  return MS_OK;
}

/* Makes an instance of component c. */
static ms_status extract(const ms_instance *instance, const partition *p, uint32_t c,
                         ms_instance **out, ms_error *err)
{
  const uint32_t *member = p->member + p->start[c];
  uint32_t n = p->start[c + 1] - p->start[c];
  uint64_t arcs = 0;
  for (uint32_t i = 0; i < n; i++)
    arcs += instance->offset[member[i] + 1] - instance->offset[member[i]];

  ms_instance *part;
  MS_TRY(ms_instance_alloc(n, arcs, instance->k, &part, err));
  part->size = instance->size;
  uint64_t at = 0;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t v = member[i];
    part->offset[i] = at;
    part->vertex[i] = instance->vertex[v];
    part->mask[i] = instance->mask[v];
    for (uint64_t e = instance->offset[v]; e < instance->offset[v + 1]; e++)
      part->neighbor[at++] = p->local[instance->neighbor[e]];
  }
  part->offset[n] = at;
  /* pruning left only components that hold every loose required vertex */
  part->n_loose = instance->n_loose;
  for (uint32_t i = 0; i < instance->n_loose; i++)
    part->loose[i] = p->local[instance->loose[i]];
  *out = part;
  return MS_OK;
}

static ms_status split(const ms_instance *instance, int threads, ms_regions *regions, ms_error *err)
{
  partition p;
  ms_status status = partition_make(instance, threads, &p, err);
  if (status == MS_OK) {
    regions->region = ms_calloc(p.count, sizeof *regions->region);
    if (!regions->region)
      status = ms_fail_memory(err, "the list of regions");
  }
  for (uint32_t c = 0; status == MS_OK && c < p.count; c++) {
    if (c % POLL_REGIONS == 0)
      status = ms_stop_poll("regions are made", err);
    if (status != MS_OK)
      break;
    status = extract(instance, &p, c, &regions->region[c], err);
    if (status == MS_OK)
      regions->count++;
  }
  regions->vertices = instance->n;
  ms_free(p.component);
  ms_free(p.start);
  ms_free(p.member);
  ms_free(p.local);
  return status;
}

ms_status ms_regions_find(const ms_instance *instance, const uint8_t *keep, int threads,
                          ms_regions **out, ms_error *err)
{
  ms_instance *induced = NULL, *pruned = NULL;
  ms_status status = MS_OK;
  *out = NULL;
  ms_regions *regions = ms_calloc(1, sizeof *regions);
  if (!regions)
    return ms_fail_memory(err, "the list of regions");
  if (keep)
    status = ms_instance_induced(instance, keep, threads, &induced, err);
  if (status == MS_OK && (keep || !instance->pruned))
    status = ms_instance_prune(keep ? induced : instance, threads, &pruned, NULL, err);
  const ms_instance *left = pruned ? pruned : instance;
  if (status == MS_OK && left->n > 0)
    status = split(left, threads, regions, err);
  ms_instance_free(pruned);
  ms_instance_free(induced);
  if (status != MS_OK) {
    ms_regions_free(regions);
    return status;
  }
  *out = regions;
  return MS_OK;
}
