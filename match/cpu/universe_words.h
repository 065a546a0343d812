/* Operations on words for universe_template.h, word by word. */
#include <stdint.h>

static inline uint64_t and_words(const uint64_t *a, const uint64_t *b, uint32_t n, uint64_t *out)
{
  uint64_t count = 0;
  for (uint32_t i = 0; i < n; i++) {
    out[i] = a[i] & b[i];
    count += (uint64_t)__builtin_popcountll(out[i]);
  }
  return count;
}

static inline uint64_t and_not_words(const uint64_t *a, const uint64_t *b, uint32_t n,
                                     uint64_t *out)
{
  uint64_t count = 0;
  for (uint32_t i = 0; i < n; i++) {
    out[i] = a[i] & ~b[i];
    count += (uint64_t)__builtin_popcountll(out[i]);
  }
  return count;
}

static inline uint64_t count_words_of(const uint64_t *a, const uint64_t *b, uint32_t n)
{
  uint64_t count = 0;
  for (uint32_t i = 0; i < n; i++)
    count += (uint64_t)__builtin_popcountll(a[i] & b[i]);
  return count;
}
