/* The line types of GPUs on the host: every product of two elements in every lane, and sums of
 * unreduced products.  The source is the same as the kernels'. */
#include "gpu/sieve/lines.cuh"
#include "gpu/sieve/measure.h"

#include <cstdio>

static int checks, failures;

static void check(const char *what, bool right)
{
  checks++;
  if (right)
    return;
  failures++;
  std::printf("lines.cu: FAILED: %s\n", what);
}

static ms_gf256_tables tables;

/* Makes the tables from the powers of 3, not by ms_gf256_get_tables, so that the test is
 * independent. */
static void make_tables()
{
  uint8_t power = 1;
  for (int e = 0; e < 255; e++) {
    tables.exp[e] = tables.exp[e + 255] = power;
    tables.log[power] = (uint16_t)e;
    power = ms_gf256_mul_reference(power, 3);
  }
  tables.log[0] = 512;
}

/* Returns the pair of lane l in step p, p + l * odd: after 65536 steps each lane had each pair. */
static uint32_t pair_of(uint32_t p, int lane)
{
  return (p + (uint32_t)lane * 40503u) & 0xFFFF;
}

/* A line type multiplies as the table of logarithms does: all 65,536 pairs in every lane. */
template <class L> static bool all_products()
{
  for (uint32_t p = 0; p < 65536; p++) {
    ms_words<L::words> a = {}, b = {};
    for (int l = 0; l < L::lanes; l++) {
      L::put(a, l, (uint8_t)(pair_of(p, l) >> 8));
      L::put(b, l, (uint8_t)pair_of(p, l));
    }
    ms_words<L::words> product = L::mul(a, b, &tables);
    for (int l = 0; l < L::lanes; l++) {
      uint32_t pair = pair_of(p, l);
      if (L::get(product, l) != ms_gf256_mul_reference((uint8_t)(pair >> 8), (uint8_t)pair))
        return false;
    }
    if (L::lanes == 1 && product.w[0] > 0xFF)
      return false;
  }
  return true;
}

/* Prepares an operand for the multiply-accumulate. */
static void prepare(ms_mac_bitslice32, uint32_t *out, const ms_words<8> &a)
{
  for (int i = 0; i < 8; i++)
    out[i] = a.w[i];
}

static void prepare(ms_mac_karatsuba32, uint32_t *out, const ms_words<8> &a)
{
  ms_karatsuba_evaluate(out, a.w);
}

/* A line type adds unreduced products and reduces the sum right: sums of three products, each of
 * 65,536 pairs first, second and third. */
template <class M> static bool all_sums()
{
  for (uint32_t p = 0; p < 65536; p++) {
    uint32_t sums[M::sums] = {};
    uint8_t wanted[32] = {};
    for (uint32_t term = 0; term < 3; term++) {
      ms_words<8> a = {}, b = {};
      uint32_t x[M::words], y[M::words];
      for (int l = 0; l < 32; l++) {
        uint32_t pair = pair_of(p * (2 * term + 1) + 977 * term, l);
        ms_line_bitslice32::put(a, l, (uint8_t)(pair >> 8));
        ms_line_bitslice32::put(b, l, (uint8_t)pair);
        wanted[l] ^= ms_gf256_mul_reference((uint8_t)(pair >> 8), (uint8_t)pair);
      }
      prepare(M(), x, a);
      prepare(M(), y, b);
      M::mac(sums, x, y);
    }
    ms_words<8> sum;
    M::reduce(sum.w, sums);
    for (int l = 0; l < 32; l++)
      if (ms_line_bitslice32::get(sum, l) != wanted[l])
        return false;
  }
  return true;
}

/* Computes, element by element, the result of a thread of the benchmark. */
template <class L> static uint32_t spin_by_elements(uint32_t seed, uint32_t rounds)
{
  ms_words<L::words> digest = {};
  for (int c = 0; c < L::chains; c++) {
    ms_words<L::words> x, y;
    for (int i = 0; i < L::words; i++) {
      uint32_t full = L::lanes == 1 ? 0xFFu : 0xFFFFFFFFu;
      x.w[i] = ms_scramble(seed, 2 * (c * L::words + i)) & full;
      y.w[i] = ms_scramble(seed, 2 * (c * L::words + i) + 1) & full;
    }
    for (int l = 0; l < L::lanes; l++) {
      uint8_t s = L::get(x, l), t = L::get(y, l);
      for (uint32_t r = 0; r < rounds; r++) {
        s = ms_gf256_mul_reference(s, t);
        t = ms_gf256_mul_reference(t, s);
      }
      L::put(digest, l, L::get(digest, l) ^ s ^ t);
    }
  }
  uint32_t all = 0;
  for (int i = 0; i < L::words; i++)
    all ^= digest.w[i];
  return all;
}

/* A thread of the benchmark computes what element by element arithmetic gives: 50 seeds and 0 to 8
 * rounds. */
template <class L> static bool same_spin()
{
  for (uint32_t seed = 0; seed < 50; seed++)
    for (uint32_t rounds = 0; rounds < 9; rounds++)
      if (ms_spin_products<L>(seed, rounds, &tables) != spin_by_elements<L>(seed, rounds))
        return false;
  return true;
}

/* The values of a measured thread still change after 100 rounds: a benchmark of a constant would
 * measure nothing. */
template <class L> static bool keeps_moving()
{
  return ms_spin_products<L>(1, 100, &tables) != ms_spin_products<L>(1, 101, &tables);
}

template <class L> static void check_line(const char *name)
{
  char what[80];
  std::snprintf(what, sizeof what, "%s: all products in all lanes", name);
  check(what, all_products<L>());
  std::snprintf(what, sizeof what, "%s: a measured thread computes these products", name);
  check(what, same_spin<L>());
  std::snprintf(what, sizeof what, "%s: it goes on changing", name);
  check(what, keeps_moving<L>());
}

int main()
{
  make_tables();
  check_line<ms_line_table>("table");
  check_line<ms_line_packed1>("packed1");
  check_line<ms_line_packed4>("packed4");
  check_line<ms_line_packed16>("packed16");
  check_line<ms_line_packed32>("packed32");
  check_line<ms_line_bitslice32>("bitslice32");
  check("bitslice32-mac: sums of all products", all_sums<ms_mac_bitslice32>());
  check("karatsuba32-mac: sums of all products", all_sums<ms_mac_karatsuba32>());
  check("bitslice32-mac: it goes on changing",
        ms_spin_macs<ms_mac_bitslice32>(1, 100) != ms_spin_macs<ms_mac_bitslice32>(1, 101));
  check("karatsuba32-mac: it goes on changing",
        ms_spin_macs<ms_mac_karatsuba32>(1, 100) != ms_spin_macs<ms_mac_karatsuba32>(1, 101));
  std::printf("%d%%: Checks: %d, Failures: %d, Errors: 0\n", 100 * (checks - failures) / checks,
              checks, failures);
  return failures != 0;
}
