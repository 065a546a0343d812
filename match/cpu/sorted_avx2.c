/* Sorted sets with AVX2.  8 elements of each list are compared, all against
 * all, in 8 instructions.  Then each list advances past the elements that are
 * not greater than the last of the other list's 8 (see sorted_avx512.c).  A
 * table moves the elements that are kept together. */
#include <immintrin.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SORTED_NAME avx2

enum { WIDTH = 8, LEAF = WIDTH, ALL = 0xFF };

/* Returns -1 in the first `rest` lanes. */
static inline __m256i first(size_t rest)
{
  static const int32_t lanes[2 * WIDTH] = {-1, -1, -1, -1, -1, -1, -1, -1};
  size_t skip = rest < WIDTH ? WIDTH - rest : 0;
  return _mm256_loadu_si256((const void *)(lanes + skip));
}

static inline uint32_t to_bits(__m256i lanes)
{
  return (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(lanes));
}

static inline size_t ones(uint32_t mask)
{
  return (size_t)__builtin_popcount(mask);
}

static inline __m256i load(const uint32_t *a)
{
  return _mm256_loadu_si256((const void *)a);
}

/* Returns -1 in each lane of a that equals a lane of b in the same half. */
static inline __m256i in_half(__m256i a, __m256i b)
{
  __m256i e0 = _mm256_cmpeq_epi32(a, b);
  __m256i e1 = _mm256_cmpeq_epi32(a, _mm256_shuffle_epi32(b, _MM_SHUFFLE(0, 3, 2, 1)));
  __m256i e2 = _mm256_cmpeq_epi32(a, _mm256_shuffle_epi32(b, _MM_SHUFFLE(1, 0, 3, 2)));
  __m256i e3 = _mm256_cmpeq_epi32(a, _mm256_shuffle_epi32(b, _MM_SHUFFLE(2, 1, 0, 3)));
  return _mm256_or_si256(_mm256_or_si256(e0, e1), _mm256_or_si256(e2, e3));
}

/* Returns bit l set if a's element l is in b. */
static inline uint32_t in_both(__m256i a, __m256i b)
{
  __m256i swapped = _mm256_permute4x64_epi64(b, _MM_SHUFFLE(1, 0, 3, 2));
  return to_bits(_mm256_or_si256(in_half(a, b), in_half(a, swapped)));
}

/* Returns bit l set if a's element l is not greater than `last`. */
static inline uint32_t not_above(__m256i a, __m256i last)
{
  return to_bits(_mm256_cmpeq_epi32(_mm256_max_epu32(a, last), last));
}

/* The comparison of 8 elements of each list, and how far each list advances. */
typedef struct step {
  __m256i a;
  uint32_t both; /* bit l: a's element l is also in b */
  /* bit l: a's element l is not greater than b's last element, so no later one
   * equals it */
  uint32_t settled;
  uint32_t passed; /* bit l: b's element l is not greater than a's last element */
} step;

static inline step compare_whole(const uint32_t *a, const uint32_t *b)
{
  __m256i va = load(a), vb = load(b);
  step s = {.a = va};
  s.settled = not_above(va, _mm256_set1_epi32((int)b[WIDTH - 1]));
  s.passed = not_above(vb, _mm256_set1_epi32((int)a[WIDTH - 1]));
  s.both = in_both(va, vb);
  return s;
}

static inline step compare_rest(const uint32_t *a, size_t na, const uint32_t *b, size_t nb)
{
  __m256i in_a = first(na), in_b = first(nb);
  __m256i last_a = _mm256_set1_epi32((int)a[na < WIDTH ? na - 1 : WIDTH - 1]);
  __m256i last_b = _mm256_set1_epi32((int)b[nb < WIDTH ? nb - 1 : WIDTH - 1]);
  /* beyond its end a list repeats its last element, which is harmless */
  __m256i va = _mm256_blendv_epi8(last_a, _mm256_maskload_epi32((const void *)a, in_a), in_a);
  __m256i vb = _mm256_blendv_epi8(last_b, _mm256_maskload_epi32((const void *)b, in_b), in_b);
  step s = {.a = va};
  s.settled = not_above(va, last_b) & to_bits(in_a);
  s.passed = not_above(vb, last_a) & to_bits(in_b);
  s.both = in_both(va, vb) & to_bits(in_a);
  return s;
}

/* together[mask]: byte t is the position of the t-th set bit of mask */
#define BELOW(m, b) __builtin_popcount((m) & ((1u << (b)) - 1))
#define LANE(m, b) ((uint64_t)((m) >> (b)&1) * (b) << 8 * BELOW(m, b))
#define ROW(m)                                                                                     \
  (LANE(m, 0) | LANE(m, 1) | LANE(m, 2) | LANE(m, 3) | LANE(m, 4) | LANE(m, 5) | LANE(m, 6) |      \
   LANE(m, 7))
#define ROWS_4(m) ROW(m), ROW((m) + 1), ROW((m) + 2), ROW((m) + 3)
#define ROWS_16(m) ROWS_4(m), ROWS_4((m) + 4), ROWS_4((m) + 8), ROWS_4((m) + 12)
#define ROWS_64(m) ROWS_16(m), ROWS_16((m) + 16), ROWS_16((m) + 32), ROWS_16((m) + 48)
static const uint64_t together[256] = {ROWS_64(0u), ROWS_64(64u), ROWS_64(128u), ROWS_64(192u)};

/* Moves the lanes of a in `mask` together and returns their number. Writes 8
 * elements. */
static inline size_t keep(uint32_t *out, __m256i a, uint32_t mask)
{
  __m256i order = _mm256_cvtepu8_epi32(_mm_loadl_epi64((const void *)&together[mask]));
  _mm256_storeu_si256((void *)out, _mm256_permutevar8x32_epi32(a, order));
  return ones(mask);
}

/* Like keep, but writes only the kept elements if only `room` elements may be
 * written. */
static inline size_t keep_within(uint32_t *out, size_t room, __m256i a, uint32_t mask)
{
  if (room >= WIDTH)
    return keep(out, a, mask);
  uint32_t kept[WIDTH];
  size_t count = keep(kept, a, mask);
  for (size_t l = 0; l < count; l++)
    out[l] = kept[l];
  return count;
}

/* Returns how many elements may be written. In place, the elements from index i
 * on have not been read yet. */
static inline size_t room(bool in_place, size_t i, size_t k)
{
  return in_place ? i - k : WIDTH;
}

static size_t merge_intersect(const uint32_t *a, size_t na, const uint32_t *b, size_t nb,
                              uint32_t *out)
{
  size_t i = 0, j = 0, k = 0;
  while (i + WIDTH <= na && j + WIDTH <= nb) {
    step s = compare_whole(a + i, b + j);
    i += ones(s.settled);
    j += ones(s.passed);
    k += keep_within(out + k, room(out == a, i, k), s.a, s.both);
  }
  while (i < na && j < nb) {
    step s = compare_rest(a + i, na - i, b + j, nb - j);
    i += ones(s.settled);
    j += ones(s.passed);
    k += keep_within(out + k, room(out == a, i, k), s.a, s.both);
  }
  return k;
}

static size_t merge_count(const uint32_t *a, size_t na, const uint32_t *b, size_t nb)
{
  size_t i = 0, j = 0, k = 0;
  while (i + WIDTH <= na && j + WIDTH <= nb) {
    step s = compare_whole(a + i, b + j);
    i += ones(s.settled);
    j += ones(s.passed);
    k += ones(s.both);
  }
  while (i < na && j < nb) {
    step s = compare_rest(a + i, na - i, b + j, nb - j);
    i += ones(s.settled);
    j += ones(s.passed);
    k += ones(s.both);
  }
  return k;
}

static size_t merge_subtract(const uint32_t *a, size_t na, const uint32_t *b, size_t nb,
                             uint32_t *out)
{
  size_t i = 0, j = 0, k = 0;
  while (i + WIDTH <= na && j + WIDTH <= nb) {
    step s = compare_whole(a + i, b + j);
    i += ones(s.settled);
    j += ones(s.passed);
    k += keep_within(out + k, room(out == a, i, k), s.a, s.settled & ~s.both);
  }
  while (i < na && j < nb) {
    step s = compare_rest(a + i, na - i, b + j, nb - j);
    i += ones(s.settled);
    j += ones(s.passed);
    k += keep_within(out + k, room(out == a, i, k), s.a, s.settled & ~s.both);
  }
  for (; i + WIDTH <= na; i += WIDTH, k += WIDTH)
    _mm256_storeu_si256((void *)(out + k), load(a + i));
  while (i < na)
    out[k++] = a[i++];
  return k;
}

/* ---- bits ---------------------------------------------------------------- */

/* Returns bit l set if the bit of a's element l is set. Words of 32 bits are
 * gathered; on a little-endian processor they lie in the same places as in
 * words of 64 bits. */
static inline uint32_t is_set(__m256i a, __m256i in_a, const uint64_t *bits)
{
  __m256i word = _mm256_mask_i32gather_epi32(_mm256_setzero_si256(), (const void *)bits,
                                             _mm256_srli_epi32(a, 5), in_a, 4);
  __m256i up = _mm256_sub_epi32(_mm256_set1_epi32(31), _mm256_and_si256(a, _mm256_set1_epi32(31)));
  return to_bits(_mm256_sllv_epi32(word, up)); /* the bit is now the highest one */
}

static size_t sorted_filter(const uint32_t *a, size_t na, const uint64_t *bits, bool want,
                            uint32_t *out)
{
  size_t k = 0;
  uint32_t flip = want ? 0 : ALL;
  for (size_t i = 0; i < na; i += WIDTH) {
    __m256i in_a = first(na - i);
    __m256i v = _mm256_maskload_epi32((const void *)(a + i), in_a);
    /* all of v has been read, and k <= i: 8 elements may be written */
    k += keep(out + k, v, (is_set(v, in_a, bits) ^ flip) & to_bits(in_a));
  }
  return k;
}

static size_t sorted_filter_count(const uint32_t *a, size_t na, const uint64_t *bits, bool want)
{
  size_t set = 0;
  for (size_t i = 0; i < na; i += WIDTH) {
    __m256i in_a = first(na - i);
    set += ones(is_set(_mm256_maskload_epi32((const void *)(a + i), in_a), in_a, bits));
  }
  return want ? set : na - set;
}

static size_t sorted_and_bits(const uint64_t *a, const uint64_t *b, size_t n, uint64_t *words)
{
  size_t count = 0;
  for (size_t i = 0; i < n; i++) {
    words[i] = a[i] & b[i];
    count += (size_t)__builtin_popcountll(words[i]);
  }
  return count;
}

static size_t sorted_and_count(const uint64_t *a, const uint64_t *b, size_t n)
{
  size_t count = 0;
  for (size_t i = 0; i < n; i++)
    count += (size_t)__builtin_popcountll(a[i] & b[i]);
  return count;
}

/* Returns how many of p[LEAF] are smaller than x. */
static inline size_t leaf(const uint32_t *p, uint32_t x)
{
  __m256i v = load(p);
  __m256i larger = _mm256_max_epu32(v, _mm256_set1_epi32((int)x));
  return WIDTH - ones(to_bits(_mm256_cmpeq_epi32(larger, v)));
}

/* ---- lanes: the bytes of a register (sorted_template.h) ----------------------------- */

enum { LANES = 32 };
#define LANE_COST 2.0
typedef __m256i lanes_t;

/* Returns -1 in byte i if bit i of the mask is set, else 0. */
static inline __m256i lanes_of_mask(uint64_t mask)
{
  const __m256i byte = _mm256_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2,
                                        2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3);
  const __m256i bit = _mm256_set1_epi64x((long long)UINT64_C(0x8040201008040201));
  __m256i bytes = _mm256_shuffle_epi8(_mm256_set1_epi32((int)(uint32_t)mask), byte);
  return _mm256_cmpeq_epi8(_mm256_and_si256(bytes, bit), bit);
}

static inline lanes_t lanes_sum(const uint32_t *ids, uint32_t n, const uint64_t *mask)
{
  __m256i sum = _mm256_setzero_si256();
  for (uint32_t i = 0; i < n; i++)
    sum = _mm256_sub_epi8(sum, lanes_of_mask(mask[ids[i]]));
  return sum;
}

static inline uint64_t lanes_value(lanes_t sum, uint64_t active)
{
  __m256i zero = _mm256_setzero_si256(), mine = _mm256_and_si256(sum, lanes_of_mask(active));
  __m256i low = _mm256_unpacklo_epi8(mine, zero), high = _mm256_unpackhi_epi8(mine, zero);
  __m256i squares = _mm256_add_epi32(_mm256_madd_epi16(low, low), _mm256_madd_epi16(high, high));
  __m256i wide = _mm256_add_epi64(_mm256_srli_epi64(squares, 32),
                                  _mm256_and_si256(squares, _mm256_set1_epi64x(0xffffffff)));
  wide = _mm256_sub_epi64(wide, _mm256_sad_epu8(mine, zero));
  __m128i half = _mm_add_epi64(_mm256_castsi256_si128(wide), _mm256_extracti128_si256(wide, 1));
  return (uint64_t)(_mm_cvtsi128_si64(half) + _mm_extract_epi64(half, 1));
}

static inline void lanes_store(lanes_t sum, uint8_t *out)
{
  _mm256_storeu_si256((__m256i *)(void *)out, sum);
}

#include "match/cpu/sorted_template.h"
