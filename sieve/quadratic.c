/* Tables of quadratic forms (sieve/quadratic.h).  A word has a byte for each q. */
#include "sieve/quadratic.h"

#include "base/alloc.h"
#include "gf2/gf256.h"
#include "sieve/bits.h"

#include <string.h>

enum {
  MOST_SIZE = MS_QUADRATIC_MOST_SIZE,
  LANE_BITS = 5, /* of a half; other kernels have more, and do not use these forms */
  AHEAD = 8,     /* arcs up to the one whose rows are asked for */
  LABEL_FACTOR = 2
};

static uint32_t siblings_of(const ms_sieve_shape *shape)
{
  return ms_sieve_siblings(shape->problem->size, 2);
}

static uint64_t outer_pairs(const ms_sieve_shape *shape)
{
  return (uint64_t)shape->outer_bits * (shape->outer_bits - 1) / 2;
}

/* Returns the number of a pair of outer labels. */
static size_t pair_number(uint32_t a, uint32_t b)
{
  uint32_t low = a < b ? a : b, high = a < b ? b : a;
  return (size_t)high * (high - 1) / 2 + low;
}

bool ms_sieve_quadratic_fits(const ms_sieve_shape *shape)
{
  const ms_sieve_problem *p = shape->problem;
  return shape->inner_bits == LANE_BITS + 1 && p->size <= MOST_SIZE &&
         p->labels <= LABEL_FACTOR * (uint64_t)p->instance->n;
}

/* ---- memory -------------------------------------------------------------------------------- */

uint64_t ms_sieve_quadratic_bytes(const ms_sieve_shape *shape)
{
  return siblings_of(shape) *
         (2 * (uint64_t)shape->slots * sizeof(ms_sieve_inner_form) +
          shape->places * (shape->outer_bits * sizeof(uint64_t) + outer_pairs(shape)));
}

uint64_t ms_sieve_quadratic_row_bytes(const ms_sieve_shape *shape)
{
  return shape->problem->labels * shape->problem->size * sizeof(uint64_t);
}

uint64_t ms_sieve_quadratic_sum_bytes(const ms_sieve_shape *shape)
{
  return (uint64_t)siblings_of(shape) * shape->places * sizeof(uint64_t);
}

bool ms_sieve_quadratic_alloc(const ms_sieve_shape *shape, ms_sieve_quadratic *quadratic)
{
  size_t siblings = siblings_of(shape);
  quadratic->inner = ms_alloc_lines(siblings * 2 * shape->slots, sizeof *quadratic->inner);
  quadratic->outer =
      ms_alloc_lines(siblings * shape->outer_bits * shape->places, sizeof *quadratic->outer);
  quadratic->pair = ms_alloc_lines(siblings * shape->places, outer_pairs(shape));
  return quadratic->inner && quadratic->outer && quadratic->pair;
}

void ms_sieve_quadratic_free(ms_sieve_quadratic *quadratic)
{
  ms_free(quadratic->inner);
  ms_free(quadratic->outer);
  ms_free(quadratic->pair);
  *quadratic = (ms_sieve_quadratic){0};
}

/* ---- sums over the arcs -------------------------------------------------------------------- */

void ms_sieve_quadratic_row(const ms_sieve_shape *shape, uint8_t mu, const uint8_t *first,
                            size_t stride, const uint8_t *gamma, uint64_t *row)
{
  const ms_gf256_tables *gf = ms_gf256_get_tables();
  uint32_t size = shape->problem->size, siblings = siblings_of(shape);
  memset(row, 0, size * sizeof *row);
  for (uint32_t q = 0; q < siblings; q++) {
    uint8_t factor = ms_gf256_mul_table(gf, mu, gamma[q]);
    for (uint32_t b = 0; b < size; b++)
      row[b] |= (uint64_t)ms_gf256_mul_table(gf, factor, first[b * stride]) << 8 * q;
  }
}

/* Adds the rows of all neighbours of v: sum[a][b] is for those at their label a. */
static void sum_rows(const ms_sieve_shape *shape, uint32_t v, const uint64_t *first_row,
                     const uint64_t *row, uint64_t sum[MOST_SIZE][MOST_SIZE])
{
  const ms_instance *in = shape->problem->instance;
  uint32_t size = shape->problem->size;
  for (uint64_t e = in->offset[v]; e < in->offset[v + 1]; e++) {
    const uint64_t *ahead =
        row + first_row[in->neighbor[e + AHEAD < in->arcs ? e + AHEAD : e]] * size;
    __builtin_prefetch(ahead);
    __builtin_prefetch(ahead + size - 1);
    const uint64_t *own = row + first_row[in->neighbor[e]] * size;
    for (uint32_t rest = shape->arc_active[e]; rest; rest &= rest - 1, own += size) {
      uint64_t *to = sum[__builtin_ctz(rest)];
      for (uint32_t b = 0; b < size; b++)
        to[b] ^= own[b];
    }
  }
}

/* ---- forms in the bits of a lane ----------------------------------------------------------- */

/* A quadratic form in inner point bits: [b] coefficients of one, [a][b] of two, symmetric. */
typedef struct point_form {
  uint64_t one[LANE_BITS + 1], two[LANE_BITS + 1][LANE_BITS + 1];
} point_form;

/* The lanes of a unit by the point bit m that all depend on (sieve/halves.h). */
typedef enum unit_kind { LOWER, UPPER, HALF } unit_kind;

/* Sets word[16] to the coefficients of a form on the lanes of a unit, in the order of
 * ms_sieve_inner_form.  Point bit 0 is m, and point bit j > 0 is m + l(j-1).  With the sum R_b of
 * the coefficients of b and others, and S the sum of all, the form is
 *   m (S + sum of R_b l_b) + what remains for m = 0,
 * and m is 0, 1, or for a half of bit c > 0, 1 + l_c. */
static void form_on_lanes(const point_form *f, unit_kind kind, uint32_t c, uint64_t word[16])
{
  static const uint8_t one_at[LANE_BITS + 1] = {0, 0, 1, 2, 7, 11};
  static const uint8_t two_at[LANE_BITS + 1][LANE_BITS + 1] = {
      [1] = {[2] = 12, [3] = 13, [4] = 4, [5] = 8},
      [2] = {[3] = 14, [4] = 5, [5] = 9},
      [3] = {[4] = 6, [5] = 10},
      [4] = {[5] = 15},
  };
  enum { CONSTANT = 3 };
  uint64_t all = 0, others[LANE_BITS + 1] = {0};
  for (uint32_t a = 0; a <= LANE_BITS; a++) {
    all ^= f->one[a];
    for (uint32_t b = 0; b < a; b++) {
      all ^= f->two[a][b];
      others[a] ^= f->two[a][b];
      others[b] ^= f->two[a][b];
    }
  }
  bool is_set = kind != LOWER, turns = kind == HALF && c > 0;
  word[CONSTANT] = is_set ? all : 0;
  for (uint32_t a = 1; a <= LANE_BITS; a++) {
    word[one_at[a]] = f->one[a] ^ (is_set ? others[a] : 0);
    for (uint32_t b = a + 1; b <= LANE_BITS; b++)
      word[two_at[a][b]] = f->two[b][a];
  }
  if (!turns)
    return;
  word[one_at[c]] ^= all ^ others[c];
  for (uint32_t b = 1; b < c; b++)
    word[two_at[b][c]] ^= others[b];
  for (uint32_t b = c + 1; b <= LANE_BITS; b++)
    word[two_at[c][b]] ^= others[b];
}

/* Returns, for each bit of a field element, a byte whose bit i is that of byte q of word[i]. */
static uint64_t planes(const uint64_t word[8], uint32_t q)
{
  uint64_t columns = 0;
  for (uint32_t i = 0; i < 8; i++)
    columns |= (word[i] >> 8 * q & 0xFF) << 8 * i;
  return ms_bits_transpose(columns);
}

static void fill_inner(const ms_sieve_shape *shape, uint32_t place, uint32_t bit,
                       const point_form *f, ms_sieve_inner_form *inner)
{
  const ms_sieve_halves *h = shape->halves;
  bool is_half = bit < shape->inner_bits;
  uint32_t unit = is_half ? place : 2 * ms_sieve_whole_line(h, place);
  for (uint32_t u = 0; u < (is_half ? 1 : 2); u++) {
    uint64_t word[16];
    form_on_lanes(f, is_half ? HALF : u == 0 ? LOWER : UPPER, bit, word);
    for (uint32_t q = 0; q < siblings_of(shape); q++)
      inner[(size_t)q * 2 * shape->slots + unit + u] =
          (ms_sieve_inner_form){{planes(word, q), planes(word + 8, q)}};
  }
}

/* Makes the linear forms at each outer label: columns as ms_sieve_half_matrix has them. */
static void fill_outer(const ms_sieve_shape *shape, uint32_t place, uint32_t bit,
                       uint64_t sum[MOST_SIZE][MOST_SIZE], ms_sieve_quadratic *quadratic)
{
  uint32_t inner = shape->inner_bits, siblings = siblings_of(shape);
  for (uint32_t o = 0; o < shape->outer_bits; o++) {
    uint32_t at = inner + o;
    uint64_t word[8] = {0}, all = 0;
    for (uint32_t b = 0; b < inner; b++) {
      uint64_t both = sum[at][b] ^ sum[b][at];
      all ^= both;
      if (b > 0)
        word[b - 1] = both;
    }
    if (bit > 0 && bit < inner)
      word[bit - 1] ^= all;
    word[LANE_BITS] = sum[at][at] ^ (bit < inner ? all : 0);
    word[LANE_BITS + 1] = sum[at][at] ^ all;
    for (uint32_t q = 0; q < siblings; q++) {
      quadratic->outer[((size_t)o * siblings + q) * shape->places + place] = planes(word, q);
      for (uint32_t a = 0; a < o; a++)
        quadratic->pair[(pair_number(a, o) * siblings + q) * shape->places + place] =
            (uint8_t)((sum[inner + a][at] ^ sum[at][inner + a]) >> 8 * q);
    }
  }
}

void ms_sieve_quadratic_fill(const ms_sieve_shape *shape, uint32_t v, const uint64_t *first_row,
                             const uint64_t *row, ms_sieve_quadratic *quadratic)
{
  uint32_t place = ms_sieve_place_of(shape, v), inner = shape->inner_bits;
  uint32_t bit = ms_sieve_half_bit(shape->problem, inner, v);
  uint64_t sum[MOST_SIZE][MOST_SIZE] = {{0}};
  point_form f;
  sum_rows(shape, v, first_row, row, sum);
  for (uint32_t a = 0; a < inner; a++) {
    f.one[a] = sum[a][a];
    for (uint32_t b = 0; b < inner; b++)
      f.two[a][b] = sum[a][b] ^ sum[b][a];
  }
  fill_inner(shape, place, bit, &f, quadratic->inner);
  fill_outer(shape, place, bit, sum, quadratic);
}

/* ---- from block to block ------------------------------------------------------------------- */

/* Returns bits 5 and 6 of each byte of whose plane a constant has the bit. */
static uint64_t spread_constant(uint8_t c)
{
  const uint64_t each = UINT64_C(0x0101010101010101);
  uint64_t bits = c * each & UINT64_C(0x8040201008040201);
  bits = (bits + UINT64_C(0x7F) * each) >> 7 & each;
  return bits << LANE_BITS | bits << (LANE_BITS + 1);
}

void ms_sieve_quadratic_flip(const ms_sieve_shape *shape, const ms_sieve_quadratic *quadratic,
                             uint32_t bit, uint64_t outer, uint64_t begin, uint64_t end,
                             uint64_t *sum)
{
  uint32_t siblings = siblings_of(shape);
  uint64_t others = outer & ~(UINT64_C(1) << bit);
  for (uint32_t q = 0; q < siblings; q++) {
    const uint64_t *form = quadratic->outer + ((size_t)bit * siblings + q) * shape->places;
    uint64_t *to = sum + (size_t)q * shape->places;
    for (uint64_t p = begin; p < end; p++)
      to[p] ^= form[p];
    for (uint64_t rest = others; rest; rest &= rest - 1) {
      size_t number = pair_number(bit, (uint32_t)__builtin_ctzll(rest));
      const uint8_t *pair = quadratic->pair + (number * siblings + q) * shape->places;
      for (uint64_t p = begin; p < end; p++)
        to[p] ^= spread_constant(pair[p]);
    }
  }
}

void ms_sieve_quadratic_init(const ms_sieve_shape *shape, const ms_sieve_quadratic *quadratic,
                             uint64_t outer, uint64_t begin, uint64_t end, uint64_t *sum)
{
  uint64_t before = 0;
  for (uint32_t q = 0; q < siblings_of(shape); q++)
    memset(sum + (size_t)q * shape->places + begin, 0, (size_t)(end - begin) * sizeof *sum);
  for (; outer; outer &= outer - 1) {
    ms_sieve_quadratic_flip(shape, quadratic, (uint32_t)__builtin_ctzll(outer), before, begin, end,
                            sum);
    before |= outer & -outer;
  }
}
