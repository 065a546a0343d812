/* Random numbers by their place: number i of a stream is a function of (seed, stream, i) alone,
 * so threads may draw them in any order. */
#ifndef MS_GRAPH_GENERATE_RANDOM_H
#define MS_GRAPH_GENERATE_RANDOM_H

#include "base/philox.h"

#include <math.h>
#include <stdbool.h>

/* One stream for each purpose; `stream` below is one of these, and `part` an attempt or a part
 * of the work. */
enum {
  MS_STREAM_COLORS = 1,
  MS_STREAM_PLANT,
  MS_STREAM_SHUFFLE,
  MS_STREAM_BUCKET,
  MS_STREAM_SWITCH,
  MS_STREAM_PAIRS,
  MS_STREAM_SKIPS,
  MS_STREAM_GRID,
  MS_STREAM_EDGE_TYPES,
  MS_STREAM_CUT,
  MS_STREAM_LINE_ENDS
};

typedef struct ms_random_block {
  uint32_t word[4];
} ms_random_block;

/* part < 2^24 */
static inline ms_random_block ms_random_at(uint64_t seed, uint32_t stream, uint32_t part,
                                           uint64_t index)
{
  const uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
  const uint32_t counter[4] = {(uint32_t)index, (uint32_t)(index >> 32), stream << 24 | part,
                               0x67656Eu};
  ms_random_block block;
  ms_philox4x32(counter, key, block.word);
  return block;
}

static inline uint64_t ms_random_low(ms_random_block block)
{
  return (uint64_t)block.word[1] << 32 | block.word[0];
}

static inline uint64_t ms_random_high(ms_random_block block)
{
  return (uint64_t)block.word[3] << 32 | block.word[2];
}

/* Maps a uniform 64-bit word to a number below `bound` > 0 with a bias of at most bound / 2^64:
 * the upper half of the product. */
static inline uint64_t ms_random_below(uint64_t word, uint64_t bound)
{
  __extension__ typedef unsigned __int128 wide;
  return (uint64_t)((wide)word * bound >> 64);
}

/* Maps a uniform word to (0, 1], as a multiple of 2^-53. */
static inline double ms_random_unit(uint64_t word)
{
  return ldexp((double)(word >> 11) + 1, -53);
}

/* Returns a bound that a uniform 32-bit word is below with probability `chance` of [0, 1],
 * rounded to a multiple of 2^-32. */
static inline uint64_t ms_random_threshold(double chance)
{
  return (uint64_t)(chance * 0x1p32 + 0.5);
}

/* The same numbers one after another, 64 bits each; index is even at first. */
typedef struct ms_random_sequence {
  uint64_t seed, index;
  uint32_t stream, part;
  ms_random_block block; /* of index / 2 */
} ms_random_sequence;

static inline uint64_t ms_random_next_below(ms_random_sequence *r, uint64_t bound)
{
  bool first = r->index % 2 == 0;
  if (first)
    r->block = ms_random_at(r->seed, r->stream, r->part, r->index / 2);
  r->index++;
  return ms_random_below(first ? ms_random_low(r->block) : ms_random_high(r->block), bound);
}

#endif
