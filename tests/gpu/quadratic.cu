/* Quadratic forms for R(v, 2, q) against the sum over neighbours at each point, and rows of half
 * as many bytes against whole ones.  It runs on the host; the source is the same as the
 * kernels'. */
#include "gf2/gf256.h"
#include "gpu/sieve/halves.cuh"
#include "gpu/sieve/quadratic.cuh"
#include "sieve/weights.h"

#include <cstdio>
#include <cstring>
#include <vector>

static int checks, failures;

static void check(const char *what, uint32_t size, uint32_t labels, bool right)
{
  checks++;
  if (right)
    return;
  failures++;
  std::printf("quadratic.cu: FAILED: %s, %u slots, %u labels a vertex\n", what, size, labels);
}

static uint8_t random_byte(uint32_t kind, uint32_t a, uint32_t b, uint32_t c)
{
  uint8_t four[4];
  ms_weights4(20, a, kind, b, c, 0, four);
  return four[0];
}

/* The random weights of one neighbour of a vertex. */
typedef struct neighbor {
  uint8_t zeta[MS_MOST_SLOTS], r[MS_MOST_SLOTS], gamma[16];
} neighbor;

static std::vector<neighbor> neighbors_of(uint32_t size, uint32_t labels, uint32_t count)
{
  std::vector<neighbor> list(count);
  for (uint32_t j = 0; j < count; j++) {
    std::memset(&list[j], 0, sizeof list[j]);
    for (uint32_t i = 0; i < labels; i++)
      list[j].zeta[random_byte(1, size, j, i) % size] = random_byte(2, size, j, i);
    for (uint32_t b = 0; b < size; b++)
      list[j].r[b] = random_byte(3, size, j, b) % 3 ? random_byte(4, size, j, b) : 0;
    for (uint32_t q = 0; q < (size - 1) / 2; q++)
      list[j].gamma[q] = random_byte(5, size, j, q);
  }
  return list;
}

static uint8_t linear_form(const uint8_t *coefficient, uint32_t points)
{
  uint8_t sum = 0;
  for (uint32_t b = 0; points >> b; b++)
    sum ^= points >> b & 1 ? coefficient[b] : 0;
  return sum;
}

static uint8_t by_neighbors(const std::vector<neighbor> &list, uint32_t q, uint32_t points)
{
  uint8_t sum = 0;
  for (const neighbor &j : list)
    sum ^= ms_gf256_mul_reference(
        j.gamma[q], ms_gf256_mul_reference(linear_form(j.zeta, points), linear_form(j.r, points)));
  return sum;
}

/* Returns [pairs][fours] coefficients, as make_products and make_pairs compute them. */
static std::vector<uint32_t> pairs_of(const std::vector<neighbor> &list, uint32_t size)
{
  uint32_t fours = ms_quadratic_fours(size);
  std::vector<uint32_t> pair(ms_quadratic_pairs(size) * fours);
  for (const neighbor &j : list)
    for (uint32_t e = 0; e < size; e++)
      for (uint32_t d = 0; d <= e; d++)
        for (uint32_t q = 0; q < (size - 1) / 2; q++)
          pair[ms_pair(d, e) * fours + q / 4] ^=
              ms_times_byte((uint32_t)j.gamma[q] << q % 4 * 8,
                            ms_pair_product(d, e, j.zeta[d], j.zeta[e], j.r[d], j.r[e]));
  return pair;
}

/* Quadratic forms give the sum over neighbours at every point: all blocks where the lowest `bits`
 * outer bits are not fixed. */
static bool all_points(uint32_t size, uint32_t labels, uint32_t bits)
{
  uint32_t fours = ms_quadratic_fours(size), siblings = (size - 1) / 2;
  std::vector<neighbor> list = neighbors_of(size, labels, 7);
  std::vector<uint32_t> pair = pairs_of(list, size), slot((size + 1) * fours);
  for (uint32_t outer = 0; outer < 1u << (size - MS_WORD_BITS); outer++)
    for (uint32_t f = 0; f < fours; f++) {
      for (uint32_t s = 0; s <= MS_WORD_BITS + bits; s++)
        slot[s * fours + f] = ms_quadratic_slot(&pair[f], fours, bits, outer, s);
      ms_quadratic_word word = ms_quadratic_word_of(&pair[f], &slot[f], fours, bits, outer);
      for (uint32_t q = 4 * f; q < 4 * f + 4 && q < siblings; q++) {
        ms_sliced values =
            ms_quadratic_values(ms_quadratic_inner(&pair[f], fours, q % 4), word, q % 4);
        for (uint32_t l = 0; l < MS_LANES; l++) {
          uint32_t value = 0;
          for (int b = 0; b < 8; b++)
            value |= (values.w[b] >> l & 1) << b;
          if (value != by_neighbors(list, q, outer << MS_WORD_BITS | l))
            return false;
        }
      }
    }
  return true;
}

/* Rows packed into half as many bytes add up to the sum of whole rows, and unpack to what was
 * packed. */
static bool halves_add_up(uint32_t label)
{
  uint32_t half = 1u << label, set = ms_points_with(half);
  ms_sliced sum = ms_sliced_zero(), wanted = ms_sliced_zero();
  for (uint32_t l = 0; l < MS_LANES; l++)
    if ((set >> l & 1) != (l >> label & 1))
      return false;
  for (uint32_t i = 0; i < 100; i++) {
    ms_sliced row;
    uint32_t packed[4];
    for (uint32_t b = 0; b < 8; b++) {
      row.w[b] = random_byte(6, i, b, 0) * 0x01010101u ^ random_byte(7, i, b, 1) * 0x00810204u;
      if (i % 3)
        row.w[b] &= set;
    }
    ms_sliced_add(&wanted, row);
    if (i % 3) { /* zero where there is no label */
      ms_half_pack(row, half, packed);
      ms_half_add(&sum, packed, packed, half);
      ms_sliced noisy = row, back;
      for (uint32_t b = 0; b < 8; b++)
        noisy.w[b] |= (random_byte(8, i, b, label) * 0x01010101u) & ~set;
      ms_half_pack(noisy, half, packed);
      back = ms_half_unpack(packed, packed, half);
      for (uint32_t b = 0; b < 8; b++)
        if ((back.w[b] & set) != row.w[b])
          return false;
    } else {
      ms_half_add(&sum, row.w, row.w + 4, 0);
    }
  }
  return std::memcmp(&sum, &wanted, sizeof sum) == 0;
}

/* Rows are halved exactly where one inner label is active: all 4,095 sets of twelve labels, none,
 * and two beyond. */
static bool halves_of_inner_labels_only()
{
  bool right = ms_half_of(0) == 0;
  for (uint32_t active = 1; active < 4096; active++) {
    bool one = (active & (active - 1)) == 0;
    right = right && ms_half_of(active) == (one && active < 1u << MS_WORD_BITS ? active : 0);
  }
  return right && ms_half_of(1u << 31) == 0 && ms_half_of(~0u) == 0;
}

int main()
{
  for (uint32_t size = 5; size <= 12; size++)
    for (uint32_t labels = 1; labels <= size; labels = labels < 3 ? labels + 1 : labels * 2) {
      for (uint32_t bits = 0; bits <= size - MS_WORD_BITS; bits++)
        check("quadratic forms at all points", size, labels, all_points(size, labels, bits));
    }
  for (uint32_t label = 0; label < MS_WORD_BITS; label++)
    check("half rows", label, 1, halves_add_up(label));
  check("which rows are halved", 0, 0, halves_of_inner_labels_only());
  std::printf("%d%%: Checks: %d, Failures: %d, Errors: 0\n", 100 * (checks - failures) / checks,
              checks, failures);
  return failures != 0;
}
