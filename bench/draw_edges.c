/* Writes the draws of an R-MAT graph (Chakrabarti, Zhan & Faloutsos 2004; quadrants 0.57, 0.19,
 * 0.19, 0.05, as in Graph500) as lines of two numbers, with repeats and loops, in the order of the
 * draws: input of any size for the measurement of reading, in no memory.
 *   draw_edges SCALE DRAWS SEED
 * Each level of the recursion takes 16 random bits, so that the probabilities are exact to 2^-16.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BUFFER ((size_t)1 << 20)
#define LONGEST ((size_t)24) /* bytes of a line */

static uint64_t next(uint64_t *state)
{
  uint64_t z = *state += 0x9E3779B97F4A7C15u;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
  z = (z ^ z >> 27) * 0x94D049BB133111EBu;
  return z ^ z >> 31;
}

static char *put(char *to, uint32_t number, char end)
{
  char digit[10];
  int count = 0;
  do
    digit[count++] = (char)('0' + number % 10);
  while ((number /= 10) > 0);
  while (count > 0)
    *to++ = digit[--count];
  *to++ = end;
  return to;
}

static void flush(const char *from, size_t bytes)
{
  while (bytes > 0) {
    ssize_t wrote = write(STDOUT_FILENO, from, bytes);
    if (wrote <= 0)
      exit(1); /* the reader has gone */
    from += wrote;
    bytes -= (size_t)wrote;
  }
}

int main(int argc, char **argv)
{
  static char buffer[BUFFER];
  /* 65536 times 0.57, 0.57 + 0.19, 0.57 + 2 * 0.19 */
  const uint32_t b = 37356, c = 49807, d = 62259;
  if (argc != 4) {
    fprintf(stderr, "usage: draw_edges SCALE DRAWS SEED\n");
    return 2;
  }
  unsigned scale = (unsigned)strtoul(argv[1], NULL, 10);
  uint64_t draws = strtoull(argv[2], NULL, 10), state = strtoull(argv[3], NULL, 10);
  char *to = buffer;
  for (uint64_t i = 0; i < draws; i++) {
    uint32_t u = 0, v = 0;
    uint64_t bits = 0;
    for (unsigned level = 0; level < scale; level++, bits >>= 16) {
      if (level % 4 == 0)
        bits = next(&state);
      uint32_t word = bits & 0xFFFF;
      u = u << 1 | (word >= c);
      v = v << 1 | ((word >= b) ^ (word >= c) ^ (word >= d));
    }
    to = put(put(to, u, '\t'), v, '\n');
    if ((size_t)(to - buffer) > BUFFER - LONGEST) {
      flush(buffer, (size_t)(to - buffer));
      to = buffer;
    }
  }
  flush(buffer, (size_t)(to - buffer));
  return 0;
}
