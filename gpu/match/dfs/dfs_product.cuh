/* Edges within sets of vertices whose larger neighbours are rows of bits, by binary tensor cores.
 *
 * Let A be a matrix of bits in which row v holds the larger neighbours of v.  The edges d < e
 * within a set S are
 *
 *     sum over d in S   |S and A_d|,
 *
 * an element of a matrix product over bits for each set S and vertex d, of which those with d in S
 * count.  The triangles c < d < e within a set T are the edges within the intersections of A_c and
 * T, for all c in T.  An instruction multiplies 16 sets by 8 rows d in 128 columns, however many
 * bits are set; where none of 32 rows d is in any of the sets, nothing is multiplied.  Rows d are
 * all rows, eight by eight, because then a byte of S says which elements count.
 *
 * Cost for each 16 x 8 elements and 128 columns: one instruction of a tensor core, a read of a row
 * of the matrix, without conflicts between banks (in matrices of at most 128 vertices, where the
 * rows are in registers: none), and, for the last columns, five instructions that add the elements
 * that count. */
#ifndef MS_GPU_MATCH_DFS_PRODUCT_CUH
#define MS_GPU_MATCH_DFS_PRODUCT_CUH

#include "gpu/common/warp.cuh"

/* Vertices whose rows are the left side of an instruction, and the right side. */
#define MS_TILE_ROWS 16u
#define MS_TILE_COLUMNS 8u

/* A matrix of bits; words from `words` to the stride are zero. */
typedef struct ms_bit_rows {
  const uint32_t *row;
  uint32_t size, stride, words; /* stride: a multiple of 4, and for speed an odd one */
} ms_bit_rows;

/* Adds the populations of the intersections of rows to sum[4]: lane 4 g + t has the words t of
 * rows g and g + 8 of the left side (low, high) and of row g of the right side; it gets the
 * elements (g, 2 t), (g, 2 t + 1), (g + 8, 2 t) and (g + 8, 2 t + 1). */
#ifndef MS_EMULATED
MS_DEVICE void ms_multiply_bits(uint32_t sum[4], uint32_t low, uint32_t high, uint32_t right)
{
  asm("mma.sync.aligned.m16n8k128.row.col.s32.b1.b1.s32.and.popc {%0, %1, %2, %3}, {%4, %5}, {%6}, "
      "{%0, %1, %2, %3};"
      : "+r"(sum[0]), "+r"(sum[1]), "+r"(sum[2]), "+r"(sum[3])
      : "r"(low), "r"(high), "r"(right));
}

/* Returns sum + a[0] b[0] + .. + a[3] b[3], of bytes. */
MS_DEVICE uint32_t ms_dot_bytes(uint32_t a, uint32_t b, uint32_t sum)
{
  return __dp4a(a, b, sum);
}

/* Returns sum + a[0] b[i] + a[1] b[i + 1], where a is two numbers of 16 bits, b is four bytes, and
 * i is 0 or, for the high ones, 2. */
MS_DEVICE uint32_t ms_dot_low(uint32_t a, uint32_t b, uint32_t sum)
{
  return __dp2a_lo(a, b, sum);
}

MS_DEVICE uint32_t ms_dot_high(uint32_t a, uint32_t b, uint32_t sum)
{
  return __dp2a_hi(a, b, sum);
}
#else
MS_DEVICE void ms_multiply_bits(uint32_t sum[4], uint32_t low, uint32_t high, uint32_t right)
{
  uint32_t first = ms_lane() / 4 * 4, column = ms_lane() % 4 * 2;
  for (uint32_t t = 0; t < 4; t++) {
    uint32_t a = ms_of_lane(low, first + t), b = ms_of_lane(high, first + t);
    uint32_t even = ms_of_lane(right, column * 4 + t), odd = ms_of_lane(right, column * 4 + 4 + t);
    sum[0] += ms_count_bits(a & even);
    sum[1] += ms_count_bits(a & odd);
    sum[2] += ms_count_bits(b & even);
    sum[3] += ms_count_bits(b & odd);
  }
}

MS_DEVICE uint32_t ms_dot_bytes(uint32_t a, uint32_t b, uint32_t sum)
{
  for (uint32_t i = 0; i < 32; i += 8)
    sum += (a >> i & 0xff) * (b >> i & 0xff);
  return sum;
}

MS_DEVICE uint32_t ms_dot_low(uint32_t a, uint32_t b, uint32_t sum)
{
  return sum + (a & 0xffff) * (b & 0xff) + (a >> 16) * (b >> 8 & 0xff);
}

MS_DEVICE uint32_t ms_dot_high(uint32_t a, uint32_t b, uint32_t sum)
{
  return ms_dot_low(a, b >> 16, sum);
}
#endif

/* The bits of a lane's mask that say whether its elements with an even and an odd column count. */
#define MS_EVEN_ELEMENTS 0x01010101u
#define MS_ODD_ELEMENTS 0x02020202u

/* ---- large matrices ---------------------------------------------------------------------- */

/* Adds the elements of four bytes of columns that count; each is below 2^16.  `bits` has a byte for
 * each of them, by which it is multiplied. */
MS_DEVICE uint32_t ms_add_elements(const uint32_t sum[4][4], uint32_t i, uint32_t bits,
                                   uint32_t found)
{
  found = ms_dot_low(sum[1][i] << 16 | sum[0][i], bits, found);
  return ms_dot_high(sum[3][i] << 16 | sum[2][i], bits, found);
}

/* Counts the triangles whose first vertex is one of the at most 16 places, which ascend and are in
 * the set.  Each lane returns its part.  32 lanes. */
MS_DEVICE uint32_t ms_multiply_rows(const ms_bit_rows &m, const uint32_t *set,
                                    const uint16_t *places, uint32_t count)
{
  uint32_t group = ms_lane() / 4, t = ms_lane() % 4, even = 0, twice_odd = 0;
  uint32_t end = (m.words + 3) / 4 * 4;
  uint32_t keep_low = group < count ? 0xffffffffu : 0;
  uint32_t keep_high = group + 8 < count ? 0xffffffffu : 0;
  const uint32_t *low = m.row + places[keep_low ? group : 0] * m.stride + t;
  const uint32_t *high = m.row + places[keep_high ? group + 8 : 0] * m.stride + t;
  for (uint32_t i = places[0] / 32; i < m.words; i++) { /* a word of columns */
    uint32_t begin = i / 4 * 4, sum[4][4] = {{0}};
    uint32_t of_set = set[begin + t];
    uint32_t a = keep_low & low[begin] & of_set, b = keep_high & high[begin] & of_set;
    uint32_t mask_low = ms_of_lane(a, group * 4 + i % 4) >> 2 * t;
    uint32_t mask_high = ms_of_lane(b, group * 4 + i % 4) >> 2 * t;
    if (!ms_any((mask_low | mask_high) != 0)) /* no element counts */
      continue;
    const uint32_t *right[4];
#pragma unroll
    for (uint32_t byte = 0; byte < 4; byte++) {
      uint32_t d = i * 32 + byte * MS_TILE_COLUMNS + group;
      right[byte] = m.row + (d < m.size ? d : m.size - 1) * m.stride + t;
    }
    for (uint32_t k = begin;;) { /* rows hold larger vertices alone */
#pragma unroll
      for (uint32_t byte = 0; byte < 4; byte++)
        ms_multiply_bits(sum[byte], a, b, right[byte][k]);
      k += 4;
      if (k >= end)
        break;
      of_set = set[k + t];
      a = keep_low & low[k] & of_set;
      b = keep_high & high[k] & of_set;
    }
    even = ms_add_elements(sum, 0, mask_low & MS_EVEN_ELEMENTS, even);
    twice_odd = ms_add_elements(sum, 1, mask_low & MS_ODD_ELEMENTS, twice_odd);
    even = ms_add_elements(sum, 2, mask_high & MS_EVEN_ELEMENTS, even);
    twice_odd = ms_add_elements(sum, 3, mask_high & MS_ODD_ELEMENTS, twice_odd);
  }
  return even + twice_odd / 2;
}

/* The same for any number of lanes and places, one lane for each place. */
MS_DEVICE uint32_t ms_intersect_rows(const ms_bit_rows &m, const uint32_t *set,
                                     const uint16_t *places, uint32_t count)
{
  uint32_t found = 0;
  for (uint32_t i = ms_lane(); i < count; i += MS_LANES) {
    const uint32_t *of_c = m.row + places[i] * m.stride;
    for (uint32_t word = places[i] / 32; word < m.words; word++)
      for (uint32_t left = of_c[word] & set[word]; left; left &= left - 1) {
        const uint32_t *of_d = m.row + (word * 32 + ms_lowest(left)) * m.stride;
        for (uint32_t j = word; j < m.words; j++)
          found += ms_count_bits(of_c[j] & of_d[j] & set[j]);
      }
  }
  return found;
}

/* Counts the triangles of the set whose first vertex is one of the places.  Each lane returns its
 * part. */
MS_DEVICE uint64_t ms_count_triangles(const ms_bit_rows &m, const uint32_t *set,
                                      const uint16_t *places, uint32_t count)
{
  if (MS_LANES != 32) /* emulated */
    return ms_intersect_rows(m, set, places, count);
  uint64_t found = 0;
  for (uint32_t i = 0; i < count; i += MS_TILE_ROWS) {
    uint32_t some = count - i < MS_TILE_ROWS ? count - i : MS_TILE_ROWS;
    found += ms_multiply_rows(m, set, places + i, some);
  }
  return found;
}

/* ---- matrices of at most 128 vertices ------------------------------------------------------- */

/* The right side of all instructions: lane 4 g + t has the words t of the rows 8 j + g. */
typedef struct ms_fragments {
  uint32_t word[16];
} ms_fragments;

/* The matrix has a stride of 4.  32 lanes. */
MS_DEVICE ms_fragments ms_load_fragments(const ms_bit_rows &m)
{
  ms_fragments f;
#pragma unroll
  for (uint32_t j = 0; j < 16; j++)
    f.word[j] = 8 * j + ms_lane() / 4 < m.size ? m.row[32 * j + ms_lane()] : 0;
  return f;
}

/* Returns four elements, each below 2^8, as bytes. */
MS_DEVICE uint32_t ms_bytes_of(const uint32_t sum[4][4], uint32_t i)
{
  return ((sum[3][i] * 256 + sum[2][i]) * 256 + sum[1][i]) * 256 + sum[0][i];
}

/* For each of `count` sets S of four words, adds the number of edges within S.  Each lane returns
 * its part.  32 lanes. */
MS_DEVICE uint32_t ms_multiply_sets(const ms_fragments &f, const uint32_t *sets, uint32_t count)
{
  uint32_t group = ms_lane() / 4, t = ms_lane() % 4, even = 0, twice_odd = 0;
#pragma unroll 1
  for (uint32_t first = group; first - group < count; first += MS_TILE_ROWS) {
    uint32_t a = first < count ? sets[4 * first + t] : 0;
    uint32_t b = first + 8 < count ? sets[4 * first + 32 + t] : 0;
    uint32_t lanes = ms_ballot((a | b) != 0);
#pragma unroll
    for (uint32_t i = 0; i < 4; i++) {
      if ((lanes & 0x11111111u << i) == 0) /* no element counts */
        continue;
      uint32_t low = ms_of_lane(a, group * 4 + i) >> 2 * t;
      uint32_t high = ms_of_lane(b, group * 4 + i) >> 2 * t;
      uint32_t sum[4][4] = {{0}};
#pragma unroll
      for (uint32_t byte = 0; byte < 4; byte++)
        ms_multiply_bits(sum[byte], a, b, f.word[4 * i + byte]);
      even = ms_dot_bytes(ms_bytes_of(sum, 0), low & MS_EVEN_ELEMENTS, even);
      twice_odd = ms_dot_bytes(ms_bytes_of(sum, 1), low & MS_ODD_ELEMENTS, twice_odd);
      even = ms_dot_bytes(ms_bytes_of(sum, 2), high & MS_EVEN_ELEMENTS, even);
      twice_odd = ms_dot_bytes(ms_bytes_of(sum, 3), high & MS_ODD_ELEMENTS, twice_odd);
    }
  }
  return even + twice_odd / 2;
}

#endif
