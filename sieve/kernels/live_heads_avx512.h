/* Implements copy_live_heads with AVX-512, 16 arcs a step, and XOR3 in one
 * instruction. Include it between line_gfni512.h and kernel_template.h. */
#include <immintrin.h>
#include <stdint.h>

#define LIVE_HEADS

static inline uint64_t copy_live_heads(const uint32_t *neighbor, const uint32_t *active,
                                       uint64_t first, uint64_t last, uint32_t points,
                                       uint32_t *head, uint32_t *arc)
{
  const __m512i wanted = _mm512_set1_epi32((int)points);
  const __m512i step = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  uint64_t count = 0;
  for (uint64_t e = first; e < last; e += 16) {
    __mmask16 in_range = (__mmask16)(last - e >= 16 ? 0xFFFF : (1u << (last - e)) - 1);
    __m512i bits = _mm512_maskz_loadu_epi32(in_range, active + e);
    __mmask16 live = _mm512_test_epi32_mask(bits, wanted);
    /* compress in a register, then store, because the compressing store is slow
     * on some processors; the slack behind head[] takes the excess */
    __m512i ids = _mm512_maskz_loadu_epi32(in_range, neighbor + e);
    _mm512_storeu_si512(head + count, _mm512_maskz_compress_epi32(live, ids));
    if (arc)
      _mm512_storeu_si512(arc + count,
                          _mm512_maskz_compress_epi32(
                              live, _mm512_add_epi32(_mm512_set1_epi32((int)(uint32_t)e), step)));
    count += (uint64_t)__builtin_popcount(live);
  }
  return count;
}

#define line_xor3(a, b, c) _mm512_ternarylogic_epi64(a, b, c, 0x96)
