/* Several lines of one pair of vertices; see repeats.h. */
#include "graph/io/edges/repeats.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "base/status.h"

#include <string.h>

/* Edges that go to a file leave no memory for all lines; a table with repeats has some among its
 * first ones. */
#define MOST_WATCHED ((uint64_t)1 << 16)

/* The pair of each line, hashed, and its score. */
struct ms_repeats {
  uint64_t *pair; /* [room] */
  float *score;   /* [room] */
  uint64_t count, room;
};

void ms_repeats_free(ms_repeats *repeats)
{
  if (!repeats)
    return;
  ms_free(repeats->pair);
  ms_free(repeats->score);
  ms_free(repeats);
}

static uint64_t load(const char *text, size_t length)
{
  uint64_t word = 0;
  uint32_t half[2];
  if (length >= 8) {
    memcpy(&word, text, 8);
  } else if (length >= 4) {
    memcpy(&half[0], text, 4);
    memcpy(&half[1], text + length - 4, 4);
    word = (uint64_t)half[1] << 32 | half[0];
  } else if (length > 0) {
    word = (uint64_t)(unsigned char)text[0] | (uint64_t)(unsigned char)text[length / 2] << 8 |
           (uint64_t)(unsigned char)text[length - 1] << 16;
  }
  return word;
}

/* Folds a product to half its length: quick, and not linear, as a sum of hashed names must not be.
 * (Y. Wang: wyhash.) */
static uint64_t fold(uint64_t a, uint64_t b)
{
  __extension__ typedef unsigned __int128 wide;
  wide product = (wide)a * b;
  return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* Quicker than ms_hash_bytes; names that collide cost a needless warning. */
static uint64_t hash_name(const ms_hash_key *key, ms_field name)
{
  uint64_t hash = key->factor[0] ^ name.length;
  size_t at = 0;
  for (; at + 8 < name.length; at += 8)
    hash = fold(hash ^ load(name.text + at, 8), key->factor[1]);
  return fold(hash ^ load(name.text + at, name.length - at), key->factor[1]);
}

static uint64_t hash_pair(ms_field first, ms_field second, bool directed)
{
  const ms_hash_key *key = ms_hash_key_get();
  uint64_t a = hash_name(key, first), b = hash_name(key, second);
  bool turned = !directed && a > b;
  return fold((turned ? b : a) ^ key->add[0], (turned ? a : b) ^ key->add[1]);
}

static bool grow_repeats(ms_repeats *r)
{
  uint64_t room = r->room ? 2 * r->room : 4096;
  bool grown = ms_enlarge(&r->pair, r->room, room, sizeof *r->pair) &&
               ms_enlarge(&r->score, r->room, room, sizeof *r->score);
  r->room = grown ? room : r->room;
  return grown;
}

ms_status ms_repeats_note(ms_repeats **repeats, ms_field first, ms_field second, bool directed,
                          bool bounded, double score, ms_error *err)
{
  if (!*repeats && !(*repeats = ms_calloc(1, sizeof **repeats)))
    return ms_fail_memory(err, "pairs of vertices");
  ms_repeats *r = *repeats;
  if (r->count == r->room && ((bounded && r->room >= MOST_WATCHED) || !grow_repeats(r)))
    return MS_OK;
  r->pair[r->count] = hash_pair(first, second, directed);
  r->score[r->count++] = (float)score;
  return MS_OK;
}

static uint64_t *new_bits(unsigned bits)
{
  return ms_calloc((size_t)1 << (bits - 6), sizeof(uint64_t));
}

/* Sets the bit; was it set before? */
static inline bool set_bit(uint64_t *map, uint64_t bit)
{
  bool before = map[bit / 64] >> bit % 64 & 1;
  map[bit / 64] |= (uint64_t)1 << bit % 64;
  return before;
}

/* Leaves only lines whose pairs share a bit with another one: these are marked in a smaller map, by
 * other bits. */
static bool drop_single(ms_repeats *r)
{
  unsigned bits = 10;
  while ((uint64_t)1 << bits < 16 * r->count)
    bits++;
  uint64_t mask = ((uint64_t)1 << (bits - 4)) - 1, left = 0;
  uint64_t *seen = new_bits(bits), *marked = new_bits(bits - 4);
  bool ok = seen && marked;
  for (uint64_t i = 0; ok && i < r->count; i++)
    if (set_bit(seen, r->pair[i] >> (64 - bits)))
      set_bit(marked, r->pair[i] & mask);
  for (uint64_t i = 0; ok && i < r->count; i++)
    if (marked[(r->pair[i] & mask) / 64] >> r->pair[i] % 64 & 1) {
      r->pair[left] = r->pair[i];
      r->score[left++] = r->score[i];
    }
  r->count = ok ? left : r->count;
  ms_free(seen);
  ms_free(marked);
  return ok;
}

bool ms_repeats_differ(ms_repeats *r)
{
  unsigned bits = 4;
  if (!drop_single(r))
    return false;
  while ((uint64_t)1 << bits < 2 * r->count)
    bits++;
  uint64_t mask = ((uint64_t)1 << bits) - 1;
  uint64_t *slot = ms_calloc((size_t)1 << bits, sizeof *slot); /* 1 + a line; 0: empty */
  bool differ = false;
  for (uint64_t i = 0; slot && i < r->count && !differ; i++) {
    uint64_t at = r->pair[i] >> (64 - bits);
    while (slot[at] && r->pair[slot[at] - 1] != r->pair[i])
      at = (at + 1) & mask;
    if (slot[at])
      differ = r->score[slot[at] - 1] != r->score[i];
    else
      slot[at] = i + 1;
  }
  ms_free(slot);
  return differ;
}
