/* Censuses by shape of several networks, which a GPU counts in one launch as the parts of one
 * graph.
 */
#include "census/shapes/gpu.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/threads/stop.h"
#include "census/shapes/tables.h"

#include <string.h>

/* The parts of one graph. */
typedef struct union_of {
  ms_census_job *const *job;
  uint32_t jobs;
  ms_census_graph graph;
  ms_census_units units;
  ms_shape_network *network;
  uint32_t kind_bits, key_bits; /* of a key, without the number of its network */
} union_of;

static void close_union(union_of *u)
{
  ms_free(u->graph.offset);
  ms_free(u->graph.neighbor);
  ms_free(u->graph.direction);
  ms_free(u->graph.kind);
  ms_free(u->units.unit);
  ms_free(u->network);
}

/* Appends the graph and the units of a job to those of all previous jobs. */
static void append_job(union_of *u, const ms_census_job *job)
{
  const ms_census_graph *from = job->graph;
  ms_census_graph *to = &u->graph;
  uint64_t arc = to->offset[to->n], arcs = from->offset[from->n];
  for (uint64_t a = 0; a < arcs; a++)
    to->neighbor[arc + a] = from->neighbor[a] + to->n;
  if (to->direction && arcs > 0)
    memcpy(to->direction + arc, from->direction, arcs);
  memcpy(to->kind + to->n, from->kind, from->n * sizeof *from->kind);
  for (uint32_t v = 1; v <= from->n; v++)
    to->offset[to->n + v] = arc + from->offset[v];
  for (uint64_t i = 0; i < job->units.count; i++) {
    ms_census_unit *unit = &u->units.unit[u->units.count++];
    *unit = job->units.unit[i];
    unit->root += to->n;
  }
  to->n += from->n;
}

static ms_status open_union(union_of *u, ms_error *err)
{
  const ms_census_job *some = u->job[0];
  uint64_t n = 0, arcs = 0, units = 0;
  u->network = ms_alloc(u->jobs, sizeof *u->network);
  for (uint32_t i = 0; u->network && i < u->jobs; i++) {
    const ms_census_graph *g = u->job[i]->graph;
    u->network[i] = (ms_shape_network){g->n, u->job[i]->units.count};
    n += g->n;
    arcs += g->offset[g->n];
    units += u->job[i]->units.count;
    u->graph.kinds = g->kinds > u->graph.kinds ? g->kinds : u->graph.kinds;
    u->graph.max_degree = g->max_degree > u->graph.max_degree ? g->max_degree : u->graph.max_degree;
  }
  if (n > UINT32_MAX)
    return ms_fail(err, MS_ERR_MEMORY, "the random networks have 2^32 vertices or more");
  u->graph.offset = ms_alloc(n + 1, sizeof *u->graph.offset);
  u->graph.neighbor = ms_alloc(arcs, sizeof *u->graph.neighbor);
  u->graph.direction = some->graphlet.width == 2 ? ms_alloc(arcs, 1) : NULL;
  u->graph.kind = ms_alloc(n, sizeof *u->graph.kind);
  u->units.unit = ms_alloc(units, sizeof *u->units.unit);
  if (!u->network || !u->graph.offset || !u->graph.neighbor || !u->graph.kind || !u->units.unit ||
      (some->graphlet.width == 2 && !u->graph.direction))
    return ms_fail_memory(err, "random networks side by side");
  u->graph.offset[0] = 0;
  for (uint32_t i = 0; i < u->jobs; i++)
    append_job(u, u->job[i]);
  u->kind_bits = ms_shape_kind_bits(u->graph.kinds);
  u->key_bits = ms_graphlet_bits(some->graphlet, some->k) + some->k * u->kind_bits;
  return MS_OK;
}

/* Adds each entry to the tally of its network. */
static ms_status take_of_networks(void *user, const ms_shape_entry *entry, uint64_t entries,
                                  ms_error *err)
{
  const union_of *u = user;
  for (uint64_t i = 0; i < entries; i++) {
    uint64_t network = entry[i].key >> u->key_bits;
    uint64_t packed = entry[i].key & (((uint64_t)1 << u->key_bits) - 1);
    ms_multiset key;
    if (network >= u->jobs || !ms_graphlet_unpack(u->job[network], u->kind_bits, packed, &key))
      return ms_fail(err, MS_ERR_DEVICE_LOST, "the GPU's numbers of shapes are damaged");
    if (!ms_shared_tally_add(&u->job[network]->shared, &key, entry[i].sets))
      return ms_graphlet_fail_memory(err);
  }
  return MS_OK;
}

static ms_status count_union(union_of *u, const ms_census_options *o, double keys, ms_error *err)
{
  const ms_census_job *some = u->job[0];
  uint64_t codes = (uint64_t)1 << ms_graphlet_bits(some->graphlet, some->k);
  ms_shape_numbers numbers = {.take = take_of_networks, .user = u};
  void *on_gpus = NULL;
  const ms_census_on on = {.graph = &u->graph,
                           .k = some->k,
                           .device = o->run.devices,
                           .devices = o->run.n_devices,
                           .sets = keys * u->jobs,
                           .threads = o->run.threads,
                           .memory = o->run.memory,
                           .stop = ms_stop_current(),
                           .form = some->graphlet,
                           .by_keys = !some->is_dense,
                           .pieces = u->units.count,
                           .network = u->network,
                           .networks = u->jobs};
  MS_TRY(some->gpus->open_shapes(&on, &on_gpus, err));
  if (some->is_dense)
    numbers.total = ms_calloc(u->jobs * codes, sizeof *numbers.total);
  ms_status status =
      some->is_dense && !numbers.total
          ? ms_fail_memory(err, "the tables of a census")
          : some->gpus->count_units_by_shape(on_gpus, &u->units, NULL, &numbers, err);
  for (uint32_t i = 0; status == MS_OK && some->is_dense && i < u->jobs; i++)
    memcpy(u->job[i]->shape_total, numbers.total + i * codes, codes * sizeof *numbers.total);
  if (status == MS_OK && numbers.sets > MS_GRAPHLET_MOST_SETS)
    status = ms_fail(err, MS_ERR_MEMORY, "the random networks have too many sets side by side");
  some->gpus->close_shapes(on_gpus);
  ms_free(numbers.total);
  return status;
}

ms_status ms_census_jobs_count(ms_census_job *const *job, uint32_t jobs, const ms_census_options *o,
                               double keys, ms_error *err)
{
  union_of u = {.job = job, .jobs = jobs};
  ms_error why;
  ms_status status = open_union(&u, &why);
  if (status == MS_OK)
    status = count_union(&u, o, keys, &why);
  close_union(&u);
  if (status != MS_ERR_MEMORY || jobs < 2)
    return status == MS_OK ? MS_OK : ms_fail(err, status, "%s", why.message);
  for (uint32_t i = 0; i < jobs; i++) /* what some keys were added to */
    MS_TRY(ms_census_job_clear(job[i], err));
  MS_TRY(ms_census_jobs_count(job, jobs / 2, o, keys, err));
  return ms_census_jobs_count(job + jobs / 2, jobs - jobs / 2, o, keys, err);
}
