/* Array operations over one line type.
 *
 * Include after a line header (gf2/line_*.h), which defines
 *   LINE_NAME       identifier; the path is ms_gf2_path_<LINE_NAME>
 *   LINE_LAYOUT     string for users
 *   LINE_BITS       log2 of the elements in a line
 *   LINE_AVAILABLE  expression: the processor has the instructions
 *   line, line_setup, line_zero, line_from_bytes, line_to_bytes, line_xor,
 *   line_mul, line_scale
 */
#include "gf2/gf2.h"

#include <string.h>

#define PASTE2(a, b) a##b
#define PASTE(a, b) PASTE2(a, b)
#define TEXT2(a) #a
#define TEXT(a) TEXT2(a)

enum { LANES = 1 << LINE_BITS };

/* Load `count` <= LANES elements, the rest zero. */
static line load_some(const uint8_t *bytes, size_t count)
{
  uint8_t full[LANES];
  if (count == LANES)
    return line_from_bytes(bytes);
  memset(full, 0, sizeof full);
  memcpy(full, bytes, count);
  return line_from_bytes(full);
}

static void store_some(uint8_t *bytes, line value, size_t count)
{
  uint8_t full[LANES];
  line_to_bytes(full, value);
  memcpy(bytes, full, count);
}

static inline size_t step(size_t left)
{
  return left < LANES ? left : LANES;
}

static void path_mul(uint8_t *dst, const uint8_t *a, const uint8_t *b, size_t count)
{
  line_setup();
  for (size_t i = 0, s; i < count; i += s) {
    s = step(count - i);
    store_some(dst + i, line_mul(load_some(a + i, s), load_some(b + i, s)), s);
  }
}

static void path_mul_add(uint8_t *dst, const uint8_t *a, const uint8_t *b, size_t count)
{
  line_setup();
  for (size_t i = 0, s; i < count; i += s) {
    s = step(count - i);
    line product = line_mul(load_some(a + i, s), load_some(b + i, s));
    store_some(dst + i, line_xor(load_some(dst + i, s), product), s);
  }
}

static void path_scale(uint8_t *dst, const uint8_t *a, uint8_t c, size_t count)
{
  line_setup();
  for (size_t i = 0, s; i < count; i += s) {
    s = step(count - i);
    store_some(dst + i, line_scale(c, load_some(a + i, s)), s);
  }
}

static uint64_t path_spin(uint64_t rounds, uint8_t *sink)
{
  /* enough independent chains to hide the latency of a product; 2 * CHAINS
   * lines are 4 KB at most for the widest line */
  enum { CHAINS = 8 };
  line x[CHAINS], y[CHAINS], z;
  uint8_t bytes[LANES];
  line_setup();
  for (int c = 0; c < CHAINS; c++) {
    for (int i = 0; i < LANES; i++)
      bytes[i] = (uint8_t)(i * 37 + c * 11 + 1);
    x[c] = line_from_bytes(bytes);
    for (int i = 0; i < LANES; i++)
      bytes[i] = (uint8_t)(i * 101 + c * 7 + 3);
    y[c] = line_from_bytes(bytes);
  }
  z = y[0];
  for (uint64_t r = 0; r < rounds; r++)
    for (int c = 0; c < CHAINS; c++)
      x[c] = line_xor(line_mul(x[c], y[c]), z);
  for (int c = 1; c < CHAINS; c++)
    x[0] = line_xor(x[0], x[c]);
  line_to_bytes(bytes, x[0]);
  for (int i = 0; i < LANES; i++)
    *sink ^= bytes[i];
  return rounds * CHAINS * LANES;
}

static bool path_available(void)
{
  return LINE_AVAILABLE;
}

extern const ms_gf2_path PASTE(ms_gf2_path_, LINE_NAME);
const ms_gf2_path PASTE(ms_gf2_path_, LINE_NAME) = {
    .name = TEXT(LINE_NAME),
    .layout = LINE_LAYOUT,
    .lanes = LANES,
    .available = path_available,
    .mul = path_mul,
    .mul_add = path_mul_add,
    .scale = path_scale,
    .spin = path_spin,
};
