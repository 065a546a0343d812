/* Defines count_lanes, which ms_sorted describes, for the path that includes this file.  The path
 * has defined LANES; lanes_t, a number of 8 bits for each lane; lanes_sum, which adds up at most
 * 255 masks; lanes_value, the sum of c (c-1) over the numbers c of the active lanes; and
 * lanes_store. */
#include "match/cpu/inner_lanes.h"

enum { MOST_MASKS = 255 /* that 8 bits count */ };

/* As lanes_value(lanes_sum(..)), for rows of any length. */
static uint64_t value_of_long_row(const uint32_t *ids, uint32_t n, const uint64_t *mask,
                                  uint64_t active)
{
  uint64_t count[LANES] = {0}, sum = 0;
  for (uint32_t i = 0; i < n; i += MOST_MASKS) {
    uint8_t part[LANES];
    lanes_store(lanes_sum(ids + i, n - i < MOST_MASKS ? n - i : MOST_MASKS, mask), part);
    for (uint32_t lane = 0; lane < LANES; lane++)
      count[lane] += part[lane];
  }
  for (uint32_t lane = 0; lane < LANES; lane++)
    sum += active >> lane & 1 ? count[lane] * (count[lane] - 1) : 0;
  return sum;
}

static ms_wide_size count_lanes(const ms_lane_rows *rows, uint32_t first, uint32_t last,
                                uint64_t active)
{
  ms_wide_size sum = 0;
  for (uint32_t w = first; w < last; w++) {
    const uint32_t *ids = rows->neighbor + rows->offset[w];
    uint32_t n = rows->length[w];
    if (n > MOST_MASKS)
      sum += value_of_long_row(ids, n, rows->mask, active);
    else if (n > 1)
      sum += lanes_value(lanes_sum(ids, n, rows->mask), active);
  }
  return sum / 2;
}
