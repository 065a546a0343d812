/* Four slots bit-sliced over eight AVX2 registers. */
#include "base/compiler.h"
#include "gf2/line_bitslice256.h"
#include "sieve/kernels/kernel.h"

/* ---- lines ----------------------------------------------------------------------------------- */

/* Lines of halves_template.h: four slots bit-sliced over eight AVX2 registers.  Register b of a
 * line has bit b of all elements; its word of 32 bits number u belongs to unit u, which is half a
 * slot.  A half that is published is one register: its word b has bit b of the unit's elements. */

#define SLOTS 4
#define HALF_BITS 6

typedef __m256i half;

static inline half half_mask(uint64_t lanes)
{
  return _mm256_set1_epi32((int)lanes);
}

#include "sieve/kernels/half_rows_avx2.h"

/* ---- units --------------------------------------------------------------------------------- */

/* Exchanges words u of registers b with words b of registers u. */
static inline void transpose(const half *x, size_t stride, half *y)
{
  half a[8], b[8];
  MS_UNROLL(4)
  for (int i = 0; i < 4; i++) {
    half low = x[2 * (size_t)i * stride], high = x[(2 * (size_t)i + 1) * stride];
    a[2 * i] = _mm256_unpacklo_epi32(low, high);
    a[2 * i + 1] = _mm256_unpackhi_epi32(low, high);
  }
  MS_UNROLL(2)
  for (int i = 0; i < 8; i += 4) {
    b[i] = _mm256_unpacklo_epi64(a[i], a[i + 2]);
    b[i + 1] = _mm256_unpackhi_epi64(a[i], a[i + 2]);
    b[i + 2] = _mm256_unpacklo_epi64(a[i + 1], a[i + 3]);
    b[i + 3] = _mm256_unpackhi_epi64(a[i + 1], a[i + 3]);
  }
  MS_UNROLL(4)
  for (int i = 0; i < 4; i++) {
    y[i] = _mm256_permute2x128_si256(b[i], b[i + 4], 0x20);
    y[i + 4] = _mm256_permute2x128_si256(b[i], b[i + 4], 0x31);
  }
}

static inline line line_of_units(const half *unit, size_t stride)
{
  line r;
  transpose(unit, stride, r.w);
  return r;
}

static inline void line_to_units(line a, half *unit)
{
  transpose(a.w, 1, unit);
}

static inline line line_of_bytes(const uint8_t *byte)
{
  __m128i bytes = _mm_loadl_epi64((const __m128i *)(const void *)byte);
  __m256i words = _mm256_cvtepu8_epi32(bytes);
  line r;
  MS_UNROLL(8)
  for (int b = 0; b < 8; b++)
    r.w[b] = _mm256_srai_epi32(_mm256_slli_epi32(words, 31 - b), 31);
  return r;
}

/* Returns bit 5 and bit 6 of byte 7 - b where a constant has bit b: an element that is added in
 * both halves (ms_sieve_half_matrix). */
static inline uint64_t spread_constant(uint8_t c)
{
  static const uint64_t upper[16] = {
#define ROW(c)                                                                                     \
  (((c)&1 ? UINT64_C(0x6000000000000000) : 0) | ((c)&2 ? UINT64_C(0x60000000000000) : 0) |         \
   ((c)&4 ? UINT64_C(0x600000000000) : 0) | ((c)&8 ? UINT64_C(0x6000000000) : 0))
      ROW(0), ROW(1), ROW(2),  ROW(3),  ROW(4),  ROW(5),  ROW(6),  ROW(7),
      ROW(8), ROW(9), ROW(10), ROW(11), ROW(12), ROW(13), ROW(14), ROW(15)};
#undef ROW
  return upper[c & 15] | upper[c >> 4] >> 32;
}

/* Returns two matrices in each half of a register. */
static inline __m256i load_matrices(const uint64_t *matrix, const uint8_t *constant, int first)
{
  uint64_t m[4];
  for (int i = 0; i < 4; i++) {
    int at = first + (i & 1) + (i >> 1) * 4;
    m[i] = matrix[at] ^ spread_constant(constant[at]);
  }
  return _mm256_set_epi64x((long long)m[3], (long long)m[2], (long long)m[1], (long long)m[0]);
}

/* Row b of a unit's matrix has a bit for each bit of a lane, and bits 5 and 6 for what is added in
 * lower and upper halves.  Four copies of the row become the 32 bits of the unit in register b: in
 * each byte of these, bits 3 and 4 of the lane are constant, and two look-ups give the rest. */
static inline line line_form(const uint64_t *matrix, const uint8_t *constant)
{
  const __m256i even = load_matrices(matrix, constant, 0), odd = load_matrices(matrix, constant, 2);
  const __m256i low_row =
      _mm256_setr_epi8(7, 7, 7, 7, 15, 15, 15, 15, -1, -1, -1, -1, -1, -1, -1, -1, 7, 7, 7, 7, 15,
                       15, 15, 15, -1, -1, -1, -1, -1, -1, -1, -1);
  const __m256i high_row =
      _mm256_setr_epi8(-1, -1, -1, -1, -1, -1, -1, -1, 7, 7, 7, 7, 15, 15, 15, 15, -1, -1, -1, -1,
                       -1, -1, -1, -1, 7, 7, 7, 7, 15, 15, 15, 15);
  /* byte x of a word has lanes 8 x .. 8 x + 7 */
  const __m256i wanted = _mm256_set1_epi64x(0x5F574F473F372F27);
  const __m256i nibble = _mm256_set1_epi8(15);
  /* bit l of entry r is the parity of r & l, r < 8; from 8 on the complement */
  const __m256i patterns = _mm256_broadcastsi128_si256(
      _mm_setr_epi8(0, (char)0xAA, (char)0xCC, 0x66, (char)0xF0, 0x5A, 0x3C, (char)0x96, (char)0xFF,
                    0x55, 0x33, (char)0x99, 0x0F, (char)0xA5, (char)0xC3, 0x69));
  const __m256i parities = _mm256_broadcastsi128_si256(
      _mm_setr_epi8(0, -1, -1, 0, -1, 0, 0, -1, -1, 0, 0, -1, 0, -1, -1, 0));
  line r;
  MS_UNROLL(8)
  for (int b = 0; b < 8; b++) {
    __m256i place = _mm256_set1_epi8((char)b);
    __m256i rows = _mm256_or_si256(_mm256_shuffle_epi8(even, _mm256_sub_epi8(low_row, place)),
                                   _mm256_shuffle_epi8(odd, _mm256_sub_epi8(high_row, place)));
    rows = _mm256_and_si256(rows, wanted);
    __m256i low = _mm256_and_si256(rows, nibble),
            high = _mm256_and_si256(_mm256_srli_epi16(rows, 4), nibble);
    r.w[b] =
        _mm256_xor_si256(_mm256_shuffle_epi8(patterns, low), _mm256_shuffle_epi8(parities, high));
  }
  return r;
}

/* Returns the values of a quadratic form on the lanes of a unit: its inner part, and the linear
 * form that outer labels add (kernel.h), of which constant_bit is the bit for the unit's half.
 *
 * In each byte of a word, bits 3 and 4 of the lane are constant: so the terms with either are part
 * of a linear form in bits 0 to 2, and a nibble has the three other products of these. */
#define HALF_QUADRATIC
static inline half half_quadratic(const ms_sieve_inner_form *form, const uint64_t *linear,
                                  uint32_t constant_bit)
{
  const __m256i low_byte = _mm256_setr_epi8(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4,
                                            4, 5, 5, 5, 5, 6, 6, 6, 6, 7, 7, 7, 7);
  const __m256i high_byte = _mm256_add_epi8(low_byte, _mm256_set1_epi8(8));
  /* byte x of a word has lanes 8 x .. 8 x + 7 */
  const __m256i nibble = _mm256_set1_epi8(15), odd = _mm256_set1_epi32(0x0F000F00),
                late = _mm256_set1_epi32(0x0F0F0000), last = _mm256_set1_epi32(0x0F070707),
                linear_low = _mm256_set1_epi32(0x0F070F07);
  const __m256i linear_high = _mm256_set1_epi32(0x01010000 | 0x01010101 << (constant_bit - 4));
  /* bit l of entry r is the parity of r & l, r < 8; from 8 on the complement */
  const __m256i patterns = _mm256_broadcastsi128_si256(
      _mm_setr_epi8(0, (char)0xAA, (char)0xCC, 0x66, (char)0xF0, 0x5A, 0x3C, (char)0x96, (char)0xFF,
                    0x55, 0x33, (char)0x99, 0x0F, (char)0xA5, (char)0xC3, 0x69));
  /* the same for l0 l1, l0 l2 and l1 l2 in place of l0, l1 and l2 */
  const __m256i products = _mm256_broadcastsi128_si256(
      _mm_setr_epi8(0, (char)0x88, (char)0xA0, 0x28, (char)0xC0, 0x48, 0x60, (char)0xE8, (char)0xFF,
                    0x77, 0x5F, (char)0xD7, 0x3F, (char)0xB7, (char)0x9F, 0x17));
  const __m256i parities = _mm256_broadcastsi128_si256(
      _mm_setr_epi8(0, -1, -1, 0, -1, 0, 0, -1, -1, 0, 0, -1, 0, -1, -1, 0));
  __m256i form_words =
      _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)form->word));
  __m256i low = _mm256_shuffle_epi8(form_words, low_byte),
          high = _mm256_shuffle_epi8(form_words, high_byte),
          sum = _mm256_shuffle_epi8(_mm256_set1_epi64x((long long)*linear), low_byte);
  __m256i terms =
      _mm256_xor_si256(_mm256_and_si256(low, nibble), _mm256_and_si256(sum, linear_low));
  terms = _mm256_xor_si256(terms, _mm256_and_si256(_mm256_srli_epi16(low, 4), odd));
  terms = _mm256_xor_si256(terms, _mm256_and_si256(high, late));
  high = _mm256_and_si256(_mm256_srli_epi16(high, 4), last);
  sum = _mm256_and_si256(_mm256_srli_epi16(sum, 4), linear_high);
  return _mm256_xor_si256(
      _mm256_xor_si256(_mm256_shuffle_epi8(patterns, terms), _mm256_shuffle_epi8(products, high)),
      _mm256_shuffle_epi8(parities, sum));
}

/* ---- sums over sets of lanes ------------------------------------------------------------------
 */

typedef struct half_lanes {
  __m256i set[8];
} half_lanes;

static inline half_lanes half_lanes_of(const uint64_t lanes[8])
{
  half_lanes r;
  for (int i = 0; i < 8; i++)
    r.set[i] = half_mask(lanes[i]);
  return r;
}

static inline uint64_t half_moments(half x, const half_lanes *lanes)
{
  uint64_t sums = 0;
  MS_UNROLL(8)
  for (int i = 0; i < 8; i++) {
    if (i >= HALF_BITS && i < 7)
      continue;
    __m256i w = _mm256_and_si256(x, lanes->set[i]);
    MS_UNROLL(5)
    for (int shift = 16; shift > 0; shift /= 2)
      w = _mm256_xor_si256(w, _mm256_slli_epi32(w, shift));
    sums |= (uint64_t)(uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(w)) << 8 * i;
  }
  return sums;
}

static inline void line_fold_units(line a, uint8_t *sum)
{
  __m256i all = _mm256_setzero_si256();
  for (int b = 0; b < 8; b++) {
    __m256i w = a.w[b];
    for (int shift = 16; shift > 0; shift /= 2)
      w = _mm256_xor_si256(w, _mm256_srli_epi32(w, shift));
    all = _mm256_or_si256(all, _mm256_slli_epi32(_mm256_and_si256(w, _mm256_set1_epi32(1)), b));
  }
  uint32_t words[8];
  memcpy(words, &all, sizeof words);
  for (int u = 0; u < 8; u++)
    sum[u] = (uint8_t)words[u];
}

/* ---- the kernel ------------------------------------------------------------------------------ */

#define KERNEL ms_sieve_halves_bitslice256
#define GATHER_TILE 4
#define SCALE_AT_HEAD 99
#include "sieve/halves_template.h"
