/* Sums over sets of lanes by GF2P8AFFINEQB (halves_template.h).  Include it after the type half,
 * and half_affine(x, matrices), the instruction without a constant.
 *
 * Eight lanes are a matrix of 8 x 8 bits.  Its product with a reversed unit matrix is its
 * transpose, with the lanes in falling order; and the product of that with eight sets of these
 * lanes, a byte for each set, gives the sum of the elements in each set. */

typedef struct half_lanes {
  half sets; /* for each eight lanes, a byte for each set */
} half_lanes;

static inline half_lanes half_lanes_of(const uint64_t lanes[8])
{
  uint8_t bytes[sizeof(half)];
  half_lanes r;
  for (size_t i = 0; i < sizeof bytes; i++) {
    unsigned set = (unsigned)(lanes[i % 8] >> i / 8 * 8) & 0xFF, reversed = 0;
    for (int bit = 0; bit < 8; bit++)
      reversed |= (set >> bit & 1) << (7 - bit);
    bytes[i] = (uint8_t)reversed;
  }
  memcpy(&r.sets, bytes, sizeof r.sets);
  return r;
}

static inline uint64_t half_moments(half x, const half_lanes *lanes)
{
  uint64_t sums[sizeof(half) / 8], all = 0;
  half transposed = half_affine(half_reversed_unit(), x);
  half each = half_affine(lanes->sets, transposed);
  memcpy(sums, &each, sizeof sums);
  for (size_t i = 0; i < sizeof(half) / 8; i++)
    all ^= sums[i];
  return all;
}
