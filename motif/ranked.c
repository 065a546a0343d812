#include "motif/ranked.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/threads/watch.h"
#include "graph/sort_ids.h"

#include <string.h>

#define POLL_VERTICES 1024u
#define PHASE "a region is prepared"

/* Insertion is faster than counting digits up to this number of neighbours. */
#define SHORT_ROW 48u

/* The parts of the order, from first to last: the loose root, the holders of the rarest slot, the
 * rest.  Within a part vertices are in the order of their masks, and then of their ids. */
enum { PART_ROOT, PART_RARE, PART_REST, PARTS };

/* Sets holders[d] to the number of vertices that fit slot d. */
static void count_holders(const ms_instance *instance, uint32_t holders[MS_MAX_K])
{
  memset(holders, 0, MS_MAX_K * sizeof *holders);
  for (uint32_t v = 0; v < instance->n; v++)
    for (uint32_t bits = instance->mask[v]; bits; bits &= bits - 1)
      holders[__builtin_ctz(bits)]++;
}

static uint32_t rarest_slot(uint32_t k, const uint32_t holders[MS_MAX_K])
{
  uint32_t rarest = 0;
  for (uint32_t d = 1; d < k; d++)
    rarest = holders[d] < holders[rarest] ? d : rarest;
  return rarest;
}

/* Fills mandatory[], which is indexed by rank, and n_mandatory. */
static void mark_mandatory(const ms_instance *instance, const uint32_t holders[MS_MAX_K],
                           const uint32_t *rank_of, ms_ranked *ranked)
{
  uint32_t sole = 0; /* slots that only one vertex fits */
  for (uint32_t d = 0; d < instance->k && instance->size == instance->k; d++)
    sole |= (uint32_t)(holders[d] == 1) << d;
  for (uint32_t r = 0; r < ranked->n; r++)
    ranked->mandatory[r] = (ranked->mask[r] & sole) != 0;
  for (uint32_t i = 0; i < instance->n_loose; i++)
    ranked->mandatory[rank_of[instance->loose[i]]] = 1;
  for (uint32_t r = 0; r < ranked->n; r++)
    ranked->n_mandatory += ranked->mandatory[r];
}

static int part_of(const ms_instance *instance, uint32_t v, uint32_t rarest)
{
  if (instance->n_loose && v == instance->loose[0])
    return PART_ROOT;
  bool is_root = instance->size < instance->k || instance->mask[v] >> rarest & 1;
  return is_root ? PART_RARE : PART_REST;
}

/* Fills key[n], part by part, with masks above ids, and sorts each part.  spare[n]. */
static ms_status sort_keys(const ms_instance *instance, uint32_t rarest, uint64_t *key,
                           uint64_t *spare, uint64_t size[PARTS], ms_error *err)
{
  uint64_t used = 0;
  ms_watch watch;
  ms_watch_begin(&watch);
  for (int part = 0; part < PARTS; part++) {
    uint64_t *begin = key + used;
    for (uint32_t v = 0; v < instance->n && !ms_watch_ended(&watch, v); v++)
      if (part_of(instance, v, rarest) == part)
        key[used++] = (uint64_t)instance->mask[v] << 32 | v;
    size[part] = (uint64_t)(key + used - begin);
    MS_TRY(ms_watch_report(&watch, PHASE, err));
    ms_sort_keys_long(begin, size[part], spare); /* some passes over the keys */
  }
  return ms_stop_poll(PHASE, err);
}

/* Fills vertex, mask, mandatory and roots.  rank_of[n] receives the inverse of vertex. */
static ms_status assign_ranks(const ms_instance *instance, ms_ranked *ranked, uint32_t *rank_of,
                              ms_error *err)
{
  uint64_t size[PARTS], *key = ms_alloc(instance->n, sizeof *key),
                        *spare = ms_alloc(instance->n, sizeof *spare);
  uint32_t holders[MS_MAX_K];
  count_holders(instance, holders);
  ms_status status =
      key && spare ? sort_keys(instance, rarest_slot(instance->k, holders), key, spare, size, err)
                   : ms_fail_memory(err, "the vertex ranks");
  if (status == MS_OK) {
    ranked->roots = (uint32_t)(instance->n_loose ? size[PART_ROOT] : size[PART_RARE]);
    for (uint32_t r = 0; r < instance->n; r++) {
      uint32_t v = (uint32_t)key[r];
      ranked->vertex[r] = v;
      ranked->mask[r] = instance->mask[v];
      rank_of[v] = r;
    }
    mark_mandatory(instance, holders, rank_of, ranked);
  }
  ms_free(key);
  ms_free(spare);
  return status;
}

/* spare[length] is used for long rows only. */
static void sort_row(uint32_t *row, uint64_t length, uint32_t *spare)
{
  if (length <= SHORT_ROW)
    ms_sort_ids_short(row, length);
  else
    ms_sort_ids_long(row, length, spare);
}

/* Makes the sorted rows of ranks.  spare[n]. */
static ms_status rename_rows(const ms_instance *instance, const uint32_t *rank_of, uint32_t *spare,
                             ms_ranked *ranked, ms_error *err)
{
  uint64_t used = 0;
  for (uint32_t r = 0; r < ranked->n; r++) {
    uint32_t v = ranked->vertex[r];
    if (r % POLL_VERTICES == 0)
      MS_TRY(ms_stop_poll(PHASE, err));
    ranked->offset[r] = used;
    for (uint64_t a = instance->offset[v]; a < instance->offset[v + 1]; a++)
      ranked->neighbor[used++] = rank_of[instance->neighbor[a]];
    sort_row(ranked->neighbor + ranked->offset[r], used - ranked->offset[r], spare);
  }
  ranked->offset[ranked->n] = used;
  return MS_OK;
}

/* Cuts every row where the mask changes; with run == NULL it only counts the runs. */
static uint64_t cut_runs(const ms_ranked *ranked, uint64_t *run_offset, ms_mask_run *run)
{
  uint64_t used = 0;
  for (uint32_t r = 0; r < ranked->n; r++) {
    uint64_t begin = ranked->offset[r];
    if (run)
      run_offset[r] = used;
    for (uint64_t a = begin; a < ranked->offset[r + 1]; a++) {
      uint32_t mask = ranked->mask[ranked->neighbor[a]];
      if (a > begin && mask == ranked->mask[ranked->neighbor[a - 1]])
        continue;
      if (run)
        run[used] = (ms_mask_run){mask, (uint32_t)(a - begin)};
      used++;
    }
  }
  if (run)
    run_offset[ranked->n] = used;
  return used;
}

/* Fills one column of distance: the hops from the source to every vertex; `size` means
 * that or more. */
static void fill_column(ms_ranked *ranked, uint32_t column, uint32_t source, uint32_t *queue,
                        ms_watch *watch)
{
  uint8_t *distance = ranked->distance + column;
  size_t stride = ranked->columns;
  uint32_t tail = 1;
  for (uint32_t r = 0; r < ranked->n; r++)
    distance[r * stride] = (uint8_t)ranked->size;
  queue[0] = source;
  distance[source * stride] = 0;
  for (uint32_t head = 0; head < tail && !ms_watch_ended(watch, head); head++) {
    uint8_t hops = (uint8_t)(distance[queue[head] * stride] + 1);
    if (hops >= ranked->size)
      break;
    for (uint64_t a = ranked->offset[queue[head]]; a < ranked->offset[queue[head] + 1]; a++) {
      uint32_t u = ranked->neighbor[a];
      if (distance[u * stride] == ranked->size) {
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
  ms_watch watch;
  ms_watch_begin(&watch);
  for (uint32_t r = 0; r < ranked->n && !ms_watch_ended(&watch, r); r++)
    if (ranked->mandatory[r])
      fill_column(ranked, column++, r, queue, &watch);
  ms_free(queue);
  return ms_watch_report(&watch, PHASE, err);
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
  uint32_t *rank_of = ms_alloc(n, sizeof *rank_of), *spare = ms_alloc(n, sizeof *spare);
  ms_status status = MS_OK;
  if (!ranked->vertex || !ranked->mask || !ranked->mandatory || !ranked->offset ||
      !ranked->run_offset || !ranked->neighbor || !rank_of || !spare) {
    status = ms_fail_memory(err, "the ranked graph");
    goto cleanup;
  }
  status = assign_ranks(instance, ranked, rank_of, err);
  if (status != MS_OK)
    goto cleanup;
  status = rename_rows(instance, rank_of, spare, ranked, err);
  if (status != MS_OK)
    goto cleanup;
  ranked->run = ms_alloc(cut_runs(ranked, NULL, NULL), sizeof *ranked->run);
  if (!ranked->run) {
    status = ms_fail_memory(err, "the neighbour runs");
    goto cleanup;
  }
  status = ms_stop_poll(PHASE, err);
  if (status != MS_OK)
    goto cleanup;
  cut_runs(ranked, ranked->run_offset, ranked->run);
  status = measure_distances(ranked, err);
cleanup:
  ms_free(rank_of);
  ms_free(spare);
  return status;
}

ms_status ms_ranked_new(const ms_instance *instance, ms_ranked **out, ms_error *err)
{
  *out = NULL;
  ms_ranked *ranked = ms_calloc(1, sizeof *ranked);
  if (!ranked)
    return ms_fail_memory(err, "the ranked graph");
  ranked->k = instance->k;
  ranked->size = instance->size;
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
  if (!ranked)
    return;
  ms_free(ranked->number);
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
