#include "gpu/motif/region.h"

#include "base/alloc.h"
#include "base/ascending.h"
#include "base/hooks.h"
#include "base/status.h"
#include "gpu/common/device.h"
#include "gpu/common/launch.h"
#include "graph/sort_ids.h"
#include "motif/count/count.h"

#include <string.h>

/* ---- work ------------------------------------------------------------------------------------ */

/* As in motif/count/count.c: a row of bits pays if it has at most so many words of 64 bits for each
 * neighbour of a neighbour; small regions always have rows. */
#define WORDS_PER_NEIGHBOR 8
#define SMALL_REGION 1024u
#define SMALL_TABLE 256u
#define MOST_UNITS ((uint64_t)1 << 27)
#define MOST_SORTED ((uint64_t)1 << 24)

void ms_motif_work_free(ms_motif_work *w)
{
  ms_kinds_free(&w->kinds);
  ms_states_free(w->states);
  ms_free(w->kind);
  ms_free(w->unit);
  ms_free(w->row);
  ms_free(w->set);
  ms_free(w->offset);
  ms_free(w->neighbor);
  ms_free(w->root);
  ms_free(w->left);
  ms_budget_release(w->budget, w->reserved);
  *w = (ms_motif_work){0};
}

/* Allocates within the budget; NULL without memory. */
static void *take(ms_motif_work *w, uint64_t count, uint64_t size)
{
  if (!ms_budget_reserve(w->budget, count * size))
    return NULL;
  w->reserved += count * size;
  return ms_alloc_lines(count, size);
}

static ms_status no_memory(ms_error *err)
{
  return ms_fail_memory(err, "the work of a GPU");
}

static bool rows_pay(const ms_ranked *ranked)
{
  if (ms_hooks.gpu_motif_way != MS_MOTIF_CHOOSE)
    return ms_hooks.gpu_motif_way == MS_MOTIF_ROWS;
  return ranked->n <= SMALL_REGION ||
         (ranked->n <= MS_MOTIF_RANKS &&
          ranked->n / 64.0 <= WORDS_PER_NEIGHBOR * ms_count_mean_neighbors(ranked));
}

static ms_status fill_kinds(ms_motif_work *w, ms_error *err)
{
  w->kind = take(w, w->ranked->n, sizeof *w->kind);
  if (!w->kind)
    return no_memory(err);
  for (uint32_t i = 0; i < w->kinds.runs; i++)
    for (uint32_t r = w->kinds.run[i].begin; r < w->kinds.run[i].end; r++)
      w->kind[r] = w->kinds.run[i].kind;
  return MS_OK;
}

/* ---- rows ------------------------------------------------------------------------- */

static ms_status make_row_bits(ms_motif_work *w, ms_error *err)
{
  const ms_ranked *ranked = w->ranked;
  const ms_states *s = w->states;
  w->row = take(w, (uint64_t)ranked->n * w->stride, sizeof *w->row);
  w->set = w->row ? take(w, (uint64_t)s->sets * w->stride, sizeof *w->set) : NULL;
  if (!w->set)
    return no_memory(err);
  memset(w->row, 0, (uint64_t)ranked->n * w->stride * sizeof *w->row);
  memset(w->set, 0, (uint64_t)s->sets * w->stride * sizeof *w->set);
  for (uint32_t r = 0; r < ranked->n; r++) {
    uint32_t *row = w->row + (uint64_t)r * w->stride;
    for (uint64_t a = ranked->offset[r]; a < ranked->offset[r + 1]; a++)
      row[ranked->neighbor[a] / 32] |= 1u << ranked->neighbor[a] % 32;
  }
  for (uint32_t i = 0; i < s->sets; i++) {
    const uint32_t *kinds = s->set + (uint64_t)i * s->kind_words;
    uint32_t *set = w->set + (uint64_t)i * w->stride;
    for (uint32_t r = 0; r < ranked->n; r++)
      set[r / 32] |= (kinds[w->kind[r] / 32] >> w->kind[r] % 32 & 1) << r % 32;
  }
  return MS_OK;
}

/* Returns the number of neighbours above a root, of the root (v = root) or of another vertex. */
static uint32_t above(const ms_ranked *ranked, uint32_t v, uint32_t root)
{
  const uint32_t *row = ranked->neighbor + ranked->offset[v];
  uint64_t degree = ranked->offset[v + 1] - ranked->offset[v];
  return (uint32_t)(degree - ms_first_at_least(row, degree, root + 1));
}

/* Returns how many candidates a unit has for each of its parts; 0: it has one part. */
static uint32_t candidates_of_part(const ms_motif_work *w)
{
  uint32_t size = w->ranked->size;
  if (w->listing)
    return size == 3 ? 0 : size == 4 ? ms_hooks.gpu_list_four_part : ms_hooks.gpu_list_part;
  return size > 4 ? ms_hooks.gpu_motif_part : 0;
}

/* Calls for each unit of a root, first without an array to count them.  key[units]: the candidates,
 * above the number of the unit. */
static void add_units(ms_motif_work *w, uint32_t root, uint64_t *key)
{
  const ms_ranked *ranked = w->ranked;
  const ms_states *s = w->states;
  uint32_t state = s->next[w->kind[root]], of_root = above(ranked, root, root);
  bool is_three = ranked->size == 3 && !w->listing;
  uint32_t part = candidates_of_part(w);
  if (state == MS_NO_STATE || of_root == 0 || !ms_root_share_has(&w->share, ranked, root))
    return;
  const ms_second_share seconds = ms_second_share_of(&w->share, ranked, root);
  for (uint64_t a = ranked->offset[root + 1] - (is_three ? 1 : of_root);
       a < ranked->offset[root + 1]; a++) {
    uint32_t second = is_three ? root : ranked->neighbor[a], candidates = of_root;
    if (!is_three && s->next[(uint64_t)state * s->kinds + w->kind[second]] == MS_NO_STATE)
      continue;
    if (seconds.of && !ms_second_share_has(&seconds, second))
      continue;
    candidates += is_three ? 0 : above(ranked, second, root);
    uint32_t parts = 1 + (part > 0 ? candidates / part : 0);
    for (uint32_t p = 0; p < parts; p++, w->units++)
      if (w->unit) {
        w->unit[w->units] =
            (ms_motif_unit){(uint16_t)root, (uint16_t)second, (uint16_t)p, (uint16_t)parts};
        if (key)
          key[w->units] = (uint64_t)(candidates / parts) << 32 | w->units;
      }
    w->words += (double)candidates * w->stride / 2;
  }
}

/* Sorts the units, the heaviest first. */
static ms_status sort_units(ms_motif_work *w, uint64_t *key, ms_error *err)
{
  uint64_t n = w->units, *spare = ms_alloc(n, sizeof *spare);
  ms_motif_unit *sorted = take(w, n, sizeof *sorted);
  bool whole = spare && sorted;
  if (whole) {
    ms_sort_keys_long(key, n, spare);
    for (uint64_t i = 0; i < n; i++)
      sorted[i] = w->unit[(uint32_t)key[n - 1 - i]];
  }
  ms_free(spare);
  if (!whole) {
    ms_free(sorted);
    return no_memory(err);
  }
  ms_free(w->unit);
  w->unit = sorted;
  return MS_OK;
}

static ms_status make_units(ms_motif_work *w, uint64_t first, uint64_t last, ms_error *err)
{
  for (uint64_t r = first; r < last; r++)
    add_units(w, (uint32_t)r, NULL);
  if (w->units > MOST_UNITS)
    return ms_fail(err, MS_ERR_USAGE, "the region has too many edges for a GPU; use the CPU");
  uint64_t units = w->units, *key = units <= MOST_SORTED ? ms_alloc(units, sizeof *key) : NULL;
  w->unit = take(w, units, sizeof *w->unit);
  if (!w->unit || (units <= MOST_SORTED && !key)) {
    ms_free(key);
    return no_memory(err);
  }
  w->units = 0;
  w->words = 0;
  for (uint64_t r = first; r < last; r++)
    add_units(w, (uint32_t)r, key);
  ms_status status = key ? sort_units(w, key, err) : MS_OK;
  ms_free(key);
  return status;
}

static ms_status make_rows(ms_motif_work *w, uint64_t first, uint64_t last, ms_error *err)
{
  const ms_ranked *ranked = w->ranked;
  if (ranked->n > MS_MOTIF_RANKS)
    return ms_fail(err, MS_ERR_USAGE, "the region has more than %u vertices; use the CPU",
                   MS_MOTIF_RANKS);
  w->width = (ranked->n + MS_MOTIF_CHUNK - 1) / MS_MOTIF_CHUNK;
  while (!ms_motif_function(w->width, false))
    w->width++;
  w->stride = w->width * 32;
  MS_TRY(make_row_bits(w, err));
  MS_TRY(make_units(w, first, last, err));
  double mean = ms_count_mean_neighbors(ranked);
  for (uint32_t size = 5; size <= ranked->size; size++)
    w->words *= mean;
  return MS_OK;
}

/* ---- lists ------------------------------------------------------------------------ */

static uint32_t longest_row(const ms_ranked *ranked)
{
  uint64_t longest = 0;
  for (uint32_t r = 0; r < ranked->n; r++) {
    uint64_t length = ranked->offset[r + 1] - ranked->offset[r];
    longest = length > longest ? length : longest;
  }
  return longest < UINT32_MAX ? (uint32_t)longest : UINT32_MAX;
}

static ms_status make_lists(ms_motif_work *w, uint64_t first, uint64_t last, ms_error *err)
{
  const ms_ranked *ranked = w->ranked;
  uint64_t arcs = ranked->offset[ranked->n];
  if (w->kinds.count > MS_MOTIF_LIST_KINDS || ranked->n > 1u << MS_MOTIF_RANK_BITS)
    return ms_fail(err, MS_ERR_USAGE,
                   "the region has %u vertices of %u kinds, and a GPU counts in sparse regions of "
                   "up to %u vertices of %u kinds; use the CPU",
                   ranked->n, w->kinds.count, 1u << MS_MOTIF_RANK_BITS, MS_MOTIF_LIST_KINDS);
  if (arcs > UINT32_MAX - MS_GPU_WARP)
    return ms_fail(err, MS_ERR_USAGE, "the region has too many edges for a GPU; use the CPU");
  w->units = last - first;
  w->offset = take(w, (uint64_t)ranked->n + 1, sizeof *w->offset);
  w->neighbor = w->offset ? take(w, arcs, sizeof *w->neighbor) : NULL;
  w->root = w->neighbor ? take(w, w->units, sizeof *w->root) : NULL;
  w->left = w->root ? take(w, ranked->n, 1) : NULL;
  if (!w->left)
    return no_memory(err);
  for (uint64_t r = 0; r <= ranked->n; r++)
    w->offset[r] = (uint32_t)ranked->offset[r];
  for (uint64_t a = 0; a < arcs; a++)
    w->neighbor[a] = ranked->neighbor[a] | w->kind[ranked->neighbor[a]] << MS_MOTIF_RANK_BITS;
  w->units = 0;
  for (uint64_t r = first; r < last; r++)
    if (ms_root_share_has(&w->share, ranked, (uint32_t)r) &&
        !ms_root_share_cuts(&w->share, ranked, (uint32_t)r))
      w->root[w->units++] = (uint32_t)r;
  memset(w->left, 0, ranked->n);
  uint32_t longest = longest_row(ranked);
  w->is_short = longest <= ms_hooks.gpu_motif_short_row;
  bool few = w->kinds.count >= ms_hooks.gpu_motif_kinds && w->states->kind_words == 1;
  w->longest = w->is_short && few ? longest : 0;
  double mean = ms_count_mean_neighbors(ranked);
  w->words = (double)w->units;
  for (uint32_t size = 1; size < ranked->size; size++)
    w->words *= mean;
  return MS_OK;
}

ms_status ms_motif_work_make(ms_motif_work *w, const ms_ranked *ranked, uint64_t first,
                             uint64_t last, bool listing, const ms_share *share, ms_budget *budget,
                             ms_error *err)
{
  *w = (ms_motif_work){.ranked = ranked,
                       .budget = budget,
                       .listing = listing,
                       .share = ms_root_share_of(ranked, share, false)};
  MS_TRY(ms_kinds_of(ranked, &w->kinds, err));
  MS_TRY(ms_states_new(&w->kinds, &w->states, err));
  MS_TRY(fill_kinds(w, err));
  w->in_rows = rows_pay(ranked);
  return w->in_rows ? make_rows(w, first, last, err) : make_lists(w, first, last, err);
}

/* Where rows are short, more warps with smaller tables take 15 % less time than with 512 entries. A
 * set has seen about size - 2 rows, and some have three times as many entries as others. */
uint32_t ms_motif_work_hash(const ms_motif_work *w, uint32_t i)
{
  double seen = 3 * ms_count_mean_neighbors(w->ranked) * (w->ranked->size - 2);
  bool small = i == 0 && w->is_short && seen <= ms_motif_list_room(SMALL_TABLE);
  uint32_t usual = i == 0 ? ms_hooks.gpu_motif_table : ms_hooks.gpu_motif_second_table;
  return small && usual > SMALL_TABLE ? SMALL_TABLE : usual;
}

/* ---- regions --------------------------------------------------------------------------------- */

void ms_motif_region_list(const ms_motif_work *w, const ms_motif_units *units,
                          ms_staging_list *list)
{
  const ms_states *s = w->states;
  uint64_t n = w->ranked->n;
  ms_staging_add(list, s->next, (uint64_t)s->count * s->kinds * sizeof *s->next);
  ms_staging_add(list, s->joins, s->count * sizeof *s->joins);
  ms_staging_add(list, s->group_begin, ((uint64_t)s->count + 1) * sizeof *s->group_begin);
  ms_staging_add(list, s->group, s->group_begin[s->count] * sizeof *s->group);
  ms_staging_add(list, w->kind, n * sizeof *w->kind);
  if (w->in_rows) {
    ms_staging_add(list, w->unit, units->units * sizeof *w->unit);
    ms_staging_add(list, w->row, n * w->stride * sizeof *w->row);
    ms_staging_add(list, w->set, (uint64_t)s->sets * w->stride * sizeof *w->set);
    return;
  }
  ms_staging_add(list, s->set, (uint64_t)s->sets * s->kind_words * sizeof *s->set);
  ms_staging_add(list, units->root, units->units * sizeof *units->root);
  ms_staging_add(list, w->offset, (n + 1) * sizeof *w->offset);
  ms_staging_add(list, w->neighbor, w->ranked->offset[n] * sizeof *w->neighbor);
  ms_staging_add(list, units->left, n);
}

void ms_motif_region_place(const ms_motif_work *w, const ms_motif_units *units,
                           const ms_staging_list *list, uint8_t *memory, ms_motif_launch *l)
{
  const ms_states *s = w->states;
  const uint8_t *base = memory;
  l->next = ms_staging_place(list, base, s->next);
  l->joins = ms_staging_place(list, base, s->joins);
  l->group_begin = ms_staging_place(list, base, s->group_begin);
  l->group = ms_staging_place(list, base, s->group);
  l->kind = ms_staging_place(list, base, w->kind);
  l->kinds = s->kinds;
  l->kind_words = s->kind_words;
  l->size = w->ranked->size;
  l->units = units->units;
  l->stride = w->stride;
  l->hash = units->hash;
  if (w->in_rows) {
    l->unit = ms_staging_place(list, base, w->unit);
    l->row = ms_staging_place(list, base, w->row);
    l->set = ms_staging_place(list, base, w->set);
    return;
  }
  l->set = ms_staging_place(list, base, s->set);
  l->root = ms_staging_place(list, base, units->root);
  l->offset = ms_staging_place(list, base, w->offset);
  l->neighbor = ms_staging_place(list, base, w->neighbor);
  const uint8_t *left = ms_staging_place(list, base, units->left);
  l->left = memory + (left - base);
  l->longest = w->longest;
}

ms_status ms_motif_region_grid(const void *kernel, int device, const ms_motif_units *units,
                               ms_gpu_grid *grid, ms_error *err)
{
  ms_gpu_device facts;
  uint32_t warps = MS_MOTIF_WARPS, bytes = ms_motif_warp_bytes(units->hash), blocks;
  MS_TRY(ms_gpu_device_facts(device, &facts, err));
  while (warps > 1 && warps * bytes > facts.shared / 4)
    warps /= 2;
  MS_TRY(ms_gpu_occupancy(kernel, warps * MS_GPU_WARP, warps * bytes, &blocks, err));
  if (blocks == 0)
    return ms_fail(err, MS_ERR_MEMORY,
                   "a block of the GPU has too little shared memory for this motif; use the CPU");
  uint64_t most = (units->units + warps - 1) / warps;
  blocks *= (uint32_t)facts.multiprocessors;
  *grid =
      (ms_gpu_grid){blocks < most ? blocks : (uint32_t)most, warps * MS_GPU_WARP, warps * bytes};
  return MS_OK;
}

uint64_t ms_motif_collect_left(uint8_t *left, uint32_t n, uint32_t *root)
{
  uint64_t units = 0;
  for (uint32_t r = 0; r < n; r++)
    if (left[r]) {
      root[units++] = r;
      left[r] = 0;
    }
  return units;
}

uint64_t ms_motif_range_end(const uint32_t *root, uint64_t units, uint64_t begin)
{
  uint64_t end = begin + 1;
  while (end < units && root[end] == root[end - 1] + 1)
    end++;
  return end;
}
