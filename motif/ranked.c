#include "motif/ranked.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/stop.h"

#include <stdlib.h>
#include <string.h>

#define POLL_VERTICES 1024u
#define PHASE "a region is prepared"

/* Sort key of a vertex: part (loose root, holders of the rarest slot, the
 * rest), then mask, then id, so that the order is total. */
typedef struct rank_key {
  uint32_t part, mask, vertex;
} rank_key;

static int compare_keys(const void *a, const void *b)
{
  const rank_key *x = a, *y = b;
  if (x->part != y->part) {
    return x->part < y->part ? -1 : 1;
  }
  if (x->mask != y->mask) {
    return x->mask < y->mask ? -1 : 1;
  }
  return (x->vertex > y->vertex) - (x->vertex < y->vertex);
}

static int compare_ranks(const void *a, const void *b)
{
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

/* Sets holders[d] to the number of vertices that fit slot d. */
static void count_holders(const ms_instance *instance, uint32_t holders[MS_MAX_K])
{
  memset(holders, 0, MS_MAX_K * sizeof *holders);
  for (uint32_t v = 0; v < instance->n; v++) {
    for (uint32_t bits = instance->mask[v]; bits; bits &= bits - 1) {
      holders[__builtin_ctz(bits)]++;
    }
  }
}

static uint32_t rarest_slot(uint32_t k, const uint32_t holders[MS_MAX_K])
{
  uint32_t rarest = 0;
  for (uint32_t d = 1; d < k; d++) {
    rarest = holders[d] < holders[rarest] ? d : rarest;
  }
  return rarest;
}

/* Fills mandatory[], which is indexed by rank, and n_mandatory. */
static void mark_mandatory(const ms_instance *instance, const uint32_t holders[MS_MAX_K],
                           const uint32_t *rank_of, ms_ranked *ranked)
{
  uint32_t sole = 0; /* slots that only one vertex fits */
  for (uint32_t d = 0; d < instance->k; d++) {
    sole |= (uint32_t)(holders[d] == 1) << d;
  }
  for (uint32_t r = 0; r < ranked->n; r++) {
    ranked->mandatory[r] = (ranked->mask[r] & sole) != 0;
  }
  for (uint32_t i = 0; i < instance->n_loose; i++) {
    ranked->mandatory[rank_of[instance->loose[i]]] = 1;
  }
  for (uint32_t r = 0; r < ranked->n; r++) {
    ranked->n_mandatory += ranked->mandatory[r];
  }
}

/* Fills vertex, mask, mandatory and roots.  rank_of[n] receives the inverse of vertex. */
static ms_status assign_ranks(const ms_instance *instance, ms_ranked *ranked, uint32_t *rank_of,
                              ms_error *err)
{
  rank_key *keys = ms_alloc(instance->n, sizeof *keys);
  if (!keys) {
    return ms_fail_memory(err, "the vertex ranks");
  }
  uint32_t holders[MS_MAX_K];
  count_holders(instance, holders);
  uint32_t slot = rarest_slot(instance->k, holders);
  for (uint32_t v = 0; v < instance->n; v++) {
    bool holds = instance->mask[v] >> slot & 1;
    uint32_t part = holds ? 1 : 2;
    if (instance->n_loose && v == instance->loose[0]) {
      part = 0;
    }
    ranked->roots += instance->n_loose ? part == 0 : holds;
    keys[v] = (rank_key){part, instance->mask[v], v};
  }
  qsort(keys, instance->n, sizeof *keys, compare_keys);
  for (uint32_t r = 0; r < instance->n; r++) {
    ranked->vertex[r] = keys[r].vertex;
    ranked->mask[r] = keys[r].mask;
    rank_of[keys[r].vertex] = r;
  }
  mark_mandatory(instance, holders, rank_of, ranked);
  ms_free(keys);
  return MS_OK;
}

/* Makes the sorted rows of ranks. */
static ms_status rename_rows(const ms_instance *instance, const uint32_t *rank_of,
                             ms_ranked *ranked, ms_error *err)
{
  uint64_t used = 0;
  for (uint32_t r = 0; r < ranked->n; r++) {
    uint32_t v = ranked->vertex[r];
    if (r % POLL_VERTICES == 0) {
      MS_TRY(ms_stop_poll(PHASE, err));
    }
    ranked->offset[r] = used;
    for (uint64_t a = instance->offset[v]; a < instance->offset[v + 1]; a++) {
      ranked->neighbor[used++] = rank_of[instance->neighbor[a]];
    }
    qsort(ranked->neighbor + ranked->offset[r], (size_t)(used - ranked->offset[r]),
          sizeof *ranked->neighbor, compare_ranks);
  }
  ranked->offset[ranked->n] = used;
  return MS_OK;
}

/* Cuts every row where the mask changes; with run == NULL it only counts the runs. */
static uint64_t cut_runs(const ms_ranked *ranked, uint64_t *run_offset, ms_run *run)
{
  uint64_t used = 0;
  for (uint32_t r = 0; r < ranked->n; r++) {
    uint64_t begin = ranked->offset[r];
    if (run) {
      run_offset[r] = used;
    }
    for (uint64_t a = begin; a < ranked->offset[r + 1]; a++) {
      uint32_t mask = ranked->mask[ranked->neighbor[a]];
      if (a > begin && mask == ranked->mask[ranked->neighbor[a - 1]]) {
        continue;
      }
      if (run) {
        run[used] = (ms_run){mask, (uint32_t)(a - begin)};
      }
      used++;
    }
  }
  if (run) {
    run_offset[ranked->n] = used;
  }
  return used;
}

/* Fills one column of distance: the hops from the source to every vertex; k means k or
 * more. */
static void fill_column(ms_ranked *ranked, uint32_t column, uint32_t source, uint32_t *queue)
{
  uint8_t *distance = ranked->distance + column;
  size_t stride = ranked->columns;
  uint32_t tail = 1;
  for (uint32_t r = 0; r < ranked->n; r++) {
    distance[r * stride] = (uint8_t)ranked->k;
  }
  queue[0] = source;
  distance[source * stride] = 0;
  for (uint32_t head = 0; head < tail; head++) {
    uint8_t hops = (uint8_t)(distance[queue[head] * stride] + 1);
    if (hops >= ranked->k) {
      break;
    }
    for (uint64_t a = ranked->offset[queue[head]]; a < ranked->offset[queue[head] + 1]; a++) {
      uint32_t u = ranked->neighbor[a];
      if (distance[u * stride] == ranked->k) {
        distance[u * stride] = hops;
        queue[tail++] = u;
      }
    }
  }
}

static ms_status measure_distances(ms_ranked *ranked, ms_error *err)
{
  uint32_t column = 0;
  ranked->columns = (ranked->n_mandatory + MS_COLUMN_PAD - 1) / MS_COLUMN_PAD * MS_COLUMN_PAD;
  uint32_t *queue = ms_alloc(ranked->n, sizeof *queue);
  ranked->distance = ms_calloc(ranked->n, ranked->columns);
  if (!queue || !ranked->distance) {
    ms_free(queue);
    return ms_fail_memory(err, "the table of hop distances");
  }
  ms_status status = MS_OK;
  for (uint32_t r = 0; r < ranked->n && status == MS_OK; r++) {
    if (ranked->mandatory[r]) {
      fill_column(ranked, column++, r, queue);
      status = ms_stop_poll(PHASE, err);
    }
  }
  ms_free(queue);
  return status;
}

static ms_status fill_ranked(const ms_instance *instance, ms_ranked *ranked, ms_error *err)
{
  size_t n = instance->n;
  ranked->vertex = ms_alloc(n, sizeof *ranked->vertex);
  ranked->mask = ms_alloc(n, sizeof *ranked->mask);
  ranked->mandatory = ms_calloc(n, 1);
  ranked->offset = ms_alloc(n + 1, sizeof *ranked->offset);
  ranked->run_offset = ms_alloc(n + 1, sizeof *ranked->run_offset);
  ranked->neighbor = ms_alloc(instance->arcs, sizeof *ranked->neighbor);
  uint32_t *rank_of = ms_alloc(n, sizeof *rank_of);
  ms_status status = MS_OK;
  if (!ranked->vertex || !ranked->mask || !ranked->mandatory || !ranked->offset ||
      !ranked->run_offset || !ranked->neighbor || !rank_of) {
    status = ms_fail_memory(err, "the ranked graph");
    goto cleanup;
  }
  status = assign_ranks(instance, ranked, rank_of, err);
  if (status != MS_OK) {
    goto cleanup;
  }
  status = rename_rows(instance, rank_of, ranked, err);
  if (status != MS_OK) {
    goto cleanup;
  }
  ranked->run = ms_alloc(cut_runs(ranked, NULL, NULL), sizeof *ranked->run);
  if (!ranked->run) {
    status = ms_fail_memory(err, "the neighbour runs");
    goto cleanup;
  }
  cut_runs(ranked, ranked->run_offset, ranked->run);
  status = measure_distances(ranked, err);
cleanup:
  ms_free(rank_of);
  return status;
}

ms_status ms_ranked_new(const ms_instance *instance, ms_ranked **out, ms_error *err)
{
  *out = NULL;
  ms_ranked *ranked = ms_calloc(1, sizeof *ranked);
  if (!ranked) {
    return ms_fail_memory(err, "the ranked graph");
  }
  ranked->k = instance->k;
  ranked->n = instance->impossible ? 0 : instance->n;
  ms_status status = ranked->n ? fill_ranked(instance, ranked, err) : MS_OK;
  if (status != MS_OK) {
    ms_ranked_free(ranked);
    return status;
  }
  *out = ranked;
  return MS_OK;
}

void ms_ranked_free(ms_ranked *ranked)
{
  if (!ranked) {
    return;
  }
  ms_free(ranked->vertex);
  ms_free(ranked->mask);
  ms_free(ranked->mandatory);
  ms_free(ranked->offset);
  ms_free(ranked->neighbor);
  ms_free(ranked->run_offset);
  ms_free(ranked->run);
  ms_free(ranked->distance);
  ms_free(ranked);
}
