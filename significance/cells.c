#include "significance/cells.h"

#include "base/alloc.h"
#include "base/hooks.h"

#include <string.h>

#define FEWEST_PLACES 256u

void ms_cells_open(ms_cells *cells, ms_budget *budget)
{
  *cells = (ms_cells){.budget = budget};
}

static uint64_t hash_bytes(uint64_t places)
{
  return places * (sizeof(uint64_t) + sizeof(uint32_t));
}

void ms_cells_close(ms_cells *cells)
{
  ms_budget_release(cells->budget, cells->dense_room * 2 * sizeof(uint32_t));
  ms_budget_release(cells->budget, hash_bytes(cells->hash_room));
  ms_free(cells->number);
  ms_free(cells->touched);
  ms_free(cells->key);
  ms_free(cells->of_key);
  *cells = (ms_cells){0};
}

static bool make_dense_room(ms_cells *cells, uint64_t room)
{
  if (room <= cells->dense_room)
    return true;
  room = room < 2 * cells->dense_room ? 2 * cells->dense_room : room;
  /* one more place of `touched`: each addition writes behind the last one */
  if (!ms_budget_reserve(cells->budget, (room - cells->dense_room) * 2 * sizeof(uint32_t)))
    return false;
  ms_free(cells->number);
  ms_free(cells->touched);
  cells->number = ms_calloc(room, sizeof *cells->number);
  cells->touched = ms_alloc(room + 1, sizeof *cells->touched);
  bool made = cells->number && cells->touched;
  if (!made) {
    ms_budget_release(cells->budget, room * 2 * sizeof(uint32_t));
    ms_free(cells->number);
    ms_free(cells->touched);
    cells->number = cells->touched = NULL;
  }
  cells->dense_room = made ? room : 0;
  return made;
}

/* Makes the hash table twice as large. */
static bool grow(ms_cells *cells)
{
  uint64_t before = cells->places, places = before ? 2 * before : FEWEST_PLACES;
  uint64_t *key = cells->key;
  uint32_t *of_key = cells->of_key;
  if (!ms_budget_reserve(cells->budget, hash_bytes(places)))
    return false;
  cells->key = ms_alloc(places, sizeof *cells->key);
  cells->of_key = ms_calloc(places, sizeof *cells->of_key);
  if (!cells->key || !cells->of_key) {
    ms_budget_release(cells->budget, hash_bytes(places));
    ms_free(cells->key);
    ms_free(cells->of_key);
    cells->key = key;
    cells->of_key = of_key;
    return false;
  }
  uint64_t old_room = cells->hash_room;
  cells->hash_room = cells->places = places;
  cells->used = 0;
  for (uint64_t i = 0; i < before; i++)
    if (of_key[i] > 0)
      ms_cells_add_hashed(cells, key[i], of_key[i]);
  ms_budget_release(cells->budget, hash_bytes(old_room));
  ms_free(key);
  ms_free(of_key);
  return true;
}

bool ms_cells_begin(ms_cells *cells, uint64_t subsets, bool flat)
{
  cells->used = cells->squares = 0;
  cells->is_wide = false;
  cells->is_dense = subsets <= ms_hooks.dense_cells;
  cells->is_flat = flat;
  if (cells->is_flat)
    cells->used = subsets;
  if (cells->is_dense)
    return make_dense_room(cells, subsets + 1);
  if (cells->hash_room == 0)
    return grow(cells);
  cells->places = cells->hash_room < FEWEST_PLACES ? cells->hash_room : FEWEST_PLACES;
  return true;
}

/* Uses more places of a table that has them. */
static bool spread(ms_cells *cells)
{
  if (cells->places == cells->hash_room)
    return grow(cells);
  uint64_t before = cells->places;
  uint64_t *key = ms_alloc(cells->used, sizeof *key);
  uint32_t *of_key = ms_alloc(cells->used, sizeof *of_key);
  uint64_t used = 0;
  bool made = key && of_key;
  for (uint64_t i = 0; made && i < before; i++)
    if (cells->of_key[i] > 0) {
      key[used] = cells->key[i];
      of_key[used++] = cells->of_key[i];
    }
  if (made) {
    memset(cells->of_key, 0, before * sizeof *cells->of_key);
    cells->places = 2 * before;
    cells->used = 0;
    for (uint64_t i = 0; i < used; i++)
      ms_cells_add_hashed(cells, key[i], of_key[i]);
  }
  ms_free(key);
  ms_free(of_key);
  return made;
}

void ms_cells_add_hashed(ms_cells *cells, uint64_t subset, uint32_t sets)
{
  if (cells->full)
    return;
  if (2 * cells->used >= cells->places && !spread(cells)) {
    cells->full = true;
    return;
  }
  /* a multiplicative hash: subsets are numbers that the graph gives, not the author of a file */
  uint64_t at = (subset * UINT64_C(0x9E3779B97F4A7C15)) >> 32 & (cells->places - 1);
  while (cells->of_key[at] > 0 && cells->key[at] != subset)
    at = (at + 1) & (cells->places - 1);
  cells->used += cells->of_key[at] == 0;
  cells->key[at] = subset;
  cells->of_key[at] += sets;
}

ms_squares ms_cells_end(ms_cells *cells)
{
  ms_squares sum = 0;
  if (cells->is_flat) {
    sum = cells->squares;
    if (cells->is_wide) {
      sum = 0;
      for (uint64_t i = 0; i < cells->used; i++)
        sum += (ms_squares)cells->number[i] * cells->number[i];
    }
    memset(cells->number, 0, cells->used * sizeof *cells->number);
  } else if (cells->is_dense) {
    for (uint64_t i = 0; i < cells->used; i++) {
      uint64_t sets = cells->number[cells->touched[i]];
      sum += sets * sets;
      cells->number[cells->touched[i]] = 0;
    }
  } else {
    for (uint64_t i = 0; i < cells->places; i++) {
      uint64_t sets = cells->of_key[i];
      sum += sets * sets;
    }
    memset(cells->of_key, 0, cells->places * sizeof *cells->of_key);
  }
  cells->used = 0;
  return sum;
}
