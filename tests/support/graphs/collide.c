#include "tests/support/graphs/collide.h"

#include <stdbool.h>
#include <string.h>

#define FACTOR UINT64_C(0x9E3779B97F4A7C15)

uint64_t collide_random(uint64_t *state)
{
  *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return *state ^ *state >> 29;
}

/* Newton's iteration doubles the number of right bits. */
uint64_t collide_inverse(void)
{
  uint64_t x = FACTOR;
  for (int i = 0; i < 6; i++)
    x *= 2 - FACTOR * x;
  return x;
}

static bool is_allowed(unsigned char byte, unsigned least)
{
  return least == 1 ? byte != 0 : byte >= least && byte < 0x7F;
}

/* The second word undoes what the first one did to the hash. */
void collide_long_name(uint64_t *state, unsigned least, char name[16])
{
  const uint64_t same = UINT64_C(0x4B2A7C15D3E95F60);
  for (bool ok = false; !ok;) {
    uint64_t h = 16 * FACTOR, word = collide_random(state), last;
    memcpy(name, &word, 8);
    for (int i = 0; i < 8; i++)
      name[i] = (char)((unsigned char)name[i] % (0x7F - least) + least);
    memcpy(&word, name, 8);
    h = (h ^ word) * FACTOR;
    last = (h ^ h >> 32) ^ same;
    memcpy(name + 8, &last, 8);
    ok = true;
    for (int i = 8; i < 16 && ok; i++)
      ok = is_allowed((unsigned char)name[i], least);
  }
}

/* Inverts the function from a key to its slot, which are the bits from 20 on of g. */
void collide_short_name(uint64_t *state, char name[8])
{
  uint64_t inverse = collide_inverse(), key;
  do {
    uint64_t g = collide_random(state) & ~(UINT64_C(0xFFFFFFFF) << 20);
    uint64_t h = g * inverse;
    key = (h ^ h >> 32) * inverse;
    memcpy(name, &key, 8);
  } while (memchr(name, 0, 8));
}
