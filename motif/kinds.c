#include "motif/kinds.h"

#include "base/alloc.h"
#include "base/status.h"

#include <string.h>

#define TABLE_BITS 12u /* of the table of states by hash value */

struct ms_fits {
  const ms_kinds *kinds;
  uint32_t words;
  bool by_ranks; /* rows are filled here */
  ms_budget *budget;
  uint64_t bytes, used; /* allowed and in use for states that are kept */
  ms_fit *begin;
  ms_fit *none;                    /* the state of size 0 that stands for no set */
  ms_fit *table[1u << TABLE_BITS]; /* chains of the states that are kept */
  ms_fit *spare[MS_MAX_K + 1];     /* [size] for a state that is not kept; all have their rows */
};

/* ---- kinds ------------------------------------------------------------------- */

static ms_kind kind_of(const ms_ranked *ranked, uint32_t rank)
{
  return (ms_kind){ranked->mask[rank], ranked->mandatory[rank]};
}

static bool is_same(ms_kind a, ms_kind b)
{
  return a.mask == b.mask && a.mandatory == b.mandatory;
}

static uint32_t count_runs(const ms_ranked *ranked)
{
  uint32_t runs = 0;
  for (uint32_t r = 0; r < ranked->n; r++)
    runs += r == 0 || !is_same(kind_of(ranked, r), kind_of(ranked, r - 1));
  return runs;
}

/* Returns the number of the kind, which is added if it is new.  slot[size] is a table of numbers
 * plus 1, by hash value. */
static uint32_t number_of(ms_kinds *kinds, ms_kind kind, uint32_t *slot, uint32_t size)
{
  uint32_t at = (kind.mask * 0x9e3779b9u ^ kind.mandatory) & (size - 1);
  for (; slot[at]; at = (at + 1) & (size - 1))
    if (is_same(kinds->kind[slot[at] - 1], kind))
      return slot[at] - 1;
  kinds->kind[kinds->count++] = kind;
  slot[at] = kinds->count;
  return kinds->count - 1;
}

ms_status ms_kinds_of(const ms_ranked *ranked, ms_kinds *out, ms_error *err)
{
  uint32_t runs = count_runs(ranked), size = 16;
  while (size < 2 * runs)
    size *= 2;
  uint32_t *slot = ms_calloc(size, sizeof *slot);
  *out = (ms_kinds){.ranked = ranked,
                    .kind = ms_alloc(runs, sizeof *out->kind),
                    .run = ms_alloc(runs, sizeof *out->run)};
  if (!slot || !out->kind || !out->run) {
    ms_free(slot);
    ms_kinds_free(out);
    return ms_fail_memory(err, "the kinds of vertices");
  }
  for (uint32_t r = 0; r < ranked->n; r++) {
    ms_kind kind = kind_of(ranked, r);
    if (r == 0 || !is_same(kind, kind_of(ranked, r - 1)))
      out->run[out->runs++] = (ms_kind_run){r, r, number_of(out, kind, slot, size)};
    out->run[out->runs - 1].end = r + 1;
  }
  ms_free(slot);
  return MS_OK;
}

void ms_kinds_free(ms_kinds *kinds)
{
  ms_free(kinds->kind);
  ms_free(kinds->run);
  *kinds = (ms_kinds){0};
}

uint32_t ms_kinds_at(const ms_kinds *kinds, uint32_t rank)
{
  uint32_t low = 0, high = kinds->runs; /* the run is low..high-1 */
  while (high - low > 1) {
    uint32_t middle = low + (high - low) / 2;
    if (kinds->run[middle].begin <= rank)
      low = middle;
    else
      high = middle;
  }
  return kinds->run[low].kind;
}

/* ---- states ------------------------------------------------------------------ */

/* A state is one block: the struct, its row, and the array `to`, if it is kept. */
static uint64_t bytes_of(const ms_fits *fits, bool kept)
{
  uint64_t row = ((uint64_t)fits->words * sizeof(uint64_t) + 63) / 64 * 64;
  uint64_t body = (sizeof(ms_fit) + 63) / 64 * 64;
  return body + row + (kept ? fits->kinds->count * sizeof(ms_fit *) : 0);
}

static ms_fit *allocate(const ms_fits *fits, bool kept)
{
  uint64_t bytes = bytes_of(fits, kept);
  ms_fit *fit = ms_alloc_lines(bytes, 1);
  if (!fit)
    return NULL;
  memset(fit, 0, bytes);
  unsigned char *row = (unsigned char *)fit + (sizeof *fit + 63) / 64 * 64;
  fit->fits = fits->words ? (uint64_t *)(void *)row : NULL;
  if (kept)
    fit->to = (ms_fit **)(void *)(row + ((size_t)fits->words * sizeof(uint64_t) + 63) / 64 * 64);
  return fit;
}

static void set_bits(uint64_t *row, uint32_t begin, uint32_t end)
{
  uint64_t head = UINT64_MAX << begin % 64, tail = UINT64_MAX >> (63 - (end - 1) % 64);
  uint32_t first = begin / 64, last = (end - 1) / 64;
  if (first == last) {
    row[first] |= head & tail;
    return;
  }
  row[first] |= head;
  for (uint32_t w = first + 1; w < last; w++)
    row[w] = UINT64_MAX;
  row[last] |= tail;
}

/* Fills the row of a state.  What it held before is between `first` and `last`. */
static void fill_row(const ms_fits *fits, ms_fit *fit)
{
  const ms_kinds *kinds = fits->kinds;
  memset(fit->fits + fit->first, 0, (fit->last - fit->first) * sizeof *fit->fits);
  fit->first = fit->last = 0;
  for (uint32_t i = 0; i < kinds->runs; i++) {
    ms_kind_run run = kinds->run[i];
    if (!ms_fit_takes(fit, kinds->kind[run.kind]))
      continue;
    set_bits(fit->fits, run.begin, run.end);
    if (fit->last == 0)
      fit->first = run.begin / 64 / MS_FIT_VECTOR * MS_FIT_VECTOR;
    fit->last = ((run.end - 1) / 64 / MS_FIT_VECTOR + 1) * MS_FIT_VECTOR;
  }
}

static uint32_t hash_of(const uint32_t *kind, uint32_t size)
{
  uint64_t h = size;
  for (uint32_t i = 0; i < size; i++)
    h = (h ^ kind[i]) * UINT64_C(0x9e3779b97f4a7c15);
  return (uint32_t)(h >> (64 - TABLE_BITS));
}

static void add_kind(uint32_t *to, const uint32_t *from, uint32_t size, uint32_t kind)
{
  uint32_t at = size;
  for (; at > 0 && from[at - 1] > kind; at--)
    to[at] = from[at - 1];
  to[at] = kind;
  memcpy(to, from, at * sizeof *to);
}

/* Fills everything of a state but its links. */
static void fill(const ms_fits *fits, ms_fit *fit, const ms_fit *from, const uint32_t *members,
                 ms_kind kind)
{
  uint32_t k = fits->kinds->ranked->k, left = fits->kinds->ranked->size - from->size - 1;
  ms_slot_state_copy(&fit->slots, &from->slots, k);
  ms_slot_state_fill(&fit->slots, k, kind.mask);
  fit->size = from->size + 1;
  fit->missing = from->missing - kind.mandatory;
  fit->only_mandatory = fit->missing > 0 && fit->missing == left;
  memcpy(fit->kind, members, fit->size * sizeof *members);
  fit->of = 0;
  if (fits->by_ranks)
    fill_row(fits, fit);
}

/* Returns a state that will be kept, or NULL if there is no room for it. */
static ms_fit *keep(ms_fits *fits, uint32_t hash)
{
  uint64_t bytes = bytes_of(fits, true);
  if (fits->used + bytes > fits->bytes || !ms_budget_reserve(fits->budget, bytes))
    return NULL;
  ms_fit *fit = allocate(fits, true);
  if (!fit) {
    ms_budget_release(fits->budget, bytes);
    return NULL;
  }
  fits->used += bytes;
  fit->same = fits->table[hash];
  fits->table[hash] = fit;
  return fit;
}

ms_fit *ms_fits_make(ms_fits *fits, const ms_fit *state, uint32_t kind)
{
  const ms_kinds *kinds = fits->kinds;
  uint32_t members[MS_MAX_K], size = state->size + 1;
  if (state->missing - kinds->kind[kind].mandatory > kinds->ranked->size - size) {
    if (state->to)
      state->to[kind] = fits->none;
    return NULL;
  }
  add_kind(members, state->kind, state->size, kind);
  uint32_t hash = hash_of(members, size);
  ms_fit *fit = fits->table[hash];
  while (fit && (fit->size != size || memcmp(fit->kind, members, size * sizeof *members) != 0))
    fit = fit->same;
  if (!fit) {
    ms_fit *kept = state->to ? keep(fits, hash) : NULL;
    fit = kept ? kept : fits->spare[size];
    fill(fits, fit, state, members, kinds->kind[kind]);
  }
  if (state->to && fit != fits->spare[size])
    state->to[kind] = fit;
  return fit;
}

ms_status ms_fits_new(const ms_kinds *kinds, uint32_t words, bool by_ranks, uint64_t bytes,
                      ms_budget *budget, ms_fits **out, ms_error *err)
{
  ms_fits *fits = *out = ms_calloc(1, sizeof *fits);
  if (!fits)
    return ms_fail_memory(err, "the states of growing sets");
  fits->kinds = kinds;
  fits->words = words;
  fits->by_ranks = by_ranks;
  fits->bytes = bytes;
  fits->budget = budget;
  bool whole = (fits->begin = allocate(fits, true)) && (fits->none = allocate(fits, false));
  for (uint32_t size = 1; whole && size <= kinds->ranked->size; size++)
    whole = (fits->spare[size] = allocate(fits, false)) != NULL;
  if (!whole) {
    ms_fits_free(fits);
    *out = NULL;
    return ms_fail_memory(err, "the states of growing sets");
  }
  ms_fit *begin = fits->begin;
  ms_slot_state_begin(&begin->slots, kinds->ranked->k);
  begin->missing = kinds->ranked->n_mandatory;
  begin->only_mandatory = begin->missing == kinds->ranked->size;
  if (by_ranks)
    fill_row(fits, begin);
  return MS_OK;
}

void ms_fits_free(ms_fits *fits)
{
  if (!fits)
    return;
  for (uint32_t h = 0; h < 1u << TABLE_BITS; h++)
    for (ms_fit *fit = fits->table[h], *next; fit; fit = next) {
      next = fit->same;
      ms_free(fit);
    }
  for (uint32_t size = 0; size <= MS_MAX_K; size++)
    ms_free(fits->spare[size]);
  ms_budget_release(fits->budget, fits->used);
  ms_free(fits->begin);
  ms_free(fits->none);
  ms_free(fits);
}

ms_fit *ms_fits_begin(const ms_fits *fits)
{
  return fits->begin;
}
