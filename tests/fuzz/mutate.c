/* The mutations of all targets: those of libFuzzer (or of replay.c), and now and then a part of the
 * input again and again, because libFuzzer alone would need days to reach a megabyte.  A target
 * whose inputs have checksums names a function that corrects them. */
#include "tests/fuzz/fuzz.h"

#include <string.h>

/* One mutation in so many makes the input larger. */
#define GROW_EVERY 512

size_t (*fuzz_seal)(uint8_t *data, size_t size, size_t max_size);

/* splitmix64 */
static size_t below(uint64_t *state, size_t bound)
{
  uint64_t z = *state += 0x9E3779B97F4A7C15u;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
  z = (z ^ z >> 27) * 0x94D049BB133111EBu;
  return bound ? (size_t)((z ^ z >> 31) % bound) : 0;
}

/* Repeats whole lines until the input has up to max_size bytes.  A number is written over one place
 * of each copy, so that names differ. */
static size_t grow(uint8_t *data, size_t size, size_t max_size, uint64_t state)
{
  size_t from = below(&state, size), to = from + below(&state, size - from) + 1;
  size_t wanted = max_size >> below(&state, 8);
  while (from > 0 && data[from - 1] != '\n')
    from--;
  while (to < size && data[to - 1] != '\n')
    to++;
  size_t length = to - from, place = below(&state, length), digits = 1 + below(&state, 5);
  uint8_t part[1 << 12];
  if (length > sizeof part || digits > length - place)
    return size;
  memcpy(part, data + from, length);
  size_t copies = wanted > size ? (wanted - size) / length : 0;
  memmove(data + to + copies * length, data + to, size - to);
  for (size_t i = 0; i < copies; i++) {
    uint8_t *copy = memcpy(data + to + i * length, part, length);
    for (size_t d = 0, rest = i; d < digits; d++, rest /= 26)
      copy[place + d] = (uint8_t)('a' + rest % 26);
  }
  return size + copies * length;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
  if (seed % GROW_EVERY == 0 && size > 0)
    size = grow(data, size, max_size, seed);
  else
    size = LLVMFuzzerMutate(data, size, max_size);
  /* one in eight keeps its wrong checksum */
  return fuzz_seal && seed / GROW_EVERY % 8 > 0 ? fuzz_seal(data, size, max_size) : size;
}
