/* The rows of a universe's vertices.  All paths of instructions call this file. */
#include "match/cpu/universe.h"

#include <string.h>

#define FAR_LONGER 8u /* lists whose shorter one is searched for in the longer one (sorted.h) */
#define ROW_STEP 16u  /* elements that are looked at for a row in the time of a step */

/* Sets the bits of those ids that are in the universe, beginning with the last one, until they are
 * smaller than `least`. */
static void set_bits(const ms_universe *u, const uint32_t *ids, size_t count, uint32_t least,
                     uint64_t *row)
{
  while (count > 0 && ids[count - 1] >= least) {
    uint32_t i = u->place[ids[--count]];
    if (i > 0)
      row[(i - 1) / 64] |= UINT64_C(1) << (i - 1) % 64;
  }
}

void ms_universe_make_row(ms_universe *u, uint32_t v)
{
  ms_runner *r = u->runner;
  const ms_pattern_index *index = r->program->index;
  const uint64_t *bits = ms_hub_bits(index, u->ids[v]);
  uint64_t *row = u->row + v * u->words;
  uint32_t length, skip = u->upper ? v + 1 : 0, others = u->n - skip;
  const uint32_t *ids = ms_row(&index->rows[MS_ROWS_ANY], u->ids[v], &length), *all = u->ids + skip;
  memset(row, 0, u->words * sizeof *row);
  u->made[v] = true;
  if (others == 0)
    return;
  r->steps += (length < others ? length : others) / ROW_STEP;
  if (bits && others < length)
    set_bits(u, u->near.ids, r->sorted->filter(all, others, bits, true, u->near.ids), 0, row);
  else if (length > FAR_LONGER * (size_t)others)
    set_bits(u, u->near.ids, r->sorted->intersect(all, others, ids, length, u->near.ids), 0, row);
  else
    set_bits(u, ids, length, all[0], row);
}
