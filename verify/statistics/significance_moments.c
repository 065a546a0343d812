/* Means and variances of the number of sets of a motif, computed again from the numbers of pairs of
 * sets with common vertices: as fractions, by the sum over all ways in which two sets can share
 * colours. */
#include "verify/statistics/significance.h"

#include <math.h>

typedef ms_significance_checker checker;
typedef ms_significance_slots slots;
typedef ms_significance_moments moments;

slots ms_significance_slots_of(const checker *k, const uint32_t *color)
{
  slots s = {0};
  for (uint32_t i = 0; i < k->w->k; i++) {
    if (i == 0 || color[i] != color[i - 1]) {
      s.holders[s.classes] = k->holders[color[i]];
      s.slots[s.classes++] = 0;
    }
    s.slots[s.classes - 1]++;
  }
  return s;
}

static void multiply_falling(mpz_t number, uint64_t n, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++)
    mpz_mul_ui(number, number, n > i ? n - i : 0);
}

/* Adds to P_i its term for the common slots J = common[], of which there are i. */
static void add_term(const checker *k, const slots *s, const uint32_t *common, uint32_t i,
                     mpq_t probability)
{
  uint32_t size = k->w->k;
  mpq_t term;
  mpz_t whole;
  mpq_init(term);
  mpz_init(whole);
  mpz_fac_ui(whole, size - i);
  mpz_mul(mpq_numref(term), whole, whole);
  mpz_fac_ui(whole, i);
  mpz_mul(mpq_numref(term), mpq_numref(term), whole);
  mpz_set_ui(mpq_denref(term), 1);
  for (uint32_t c = 0; c < s->classes; c++) {
    multiply_falling(mpq_numref(term), s->holders[c], 2 * s->slots[c] - common[c]);
    mpz_fac_ui(whole, common[c]);
    mpz_mul(mpq_denref(term), mpq_denref(term), whole);
    mpz_fac_ui(whole, s->slots[c] - common[c]);
    mpz_mul(mpq_denref(term), mpq_denref(term), whole);
    mpz_mul(mpq_denref(term), mpq_denref(term), whole);
  }
  multiply_falling(mpq_denref(term), k->n, 2 * size - i);
  mpq_canonicalize(term);
  mpq_add(probability, probability, term);
  mpq_clear(term);
  mpz_clear(whole);
}

/* Returns the standard error of sum O_i P_i, where B_j has those of k->error: it has the
 * coefficient sum over i <= j of (-1)^(j-i) C(j, i) P_i. */
static long double error_of(const checker *k, mpq_t *probability)
{
  long double squares = 0;
  mpq_t sum, part;
  mpq_inits(sum, part, NULL);
  for (uint32_t j = 2; j < k->w->k; j++) {
    mpq_set_ui(sum, 0, 1);
    for (uint32_t i = 0; i <= j; i++) {
      mpz_bin_uiui(mpq_numref(part), j, i);
      mpz_set_ui(mpq_denref(part), 1);
      mpq_mul(part, part, probability[i]);
      if ((j - i) % 2)
        mpq_neg(part, part);
      mpq_add(sum, sum, part);
    }
    long double error = (long double)mpq_get_d(sum) * k->error[j];
    squares += error * error;
  }
  mpq_clears(sum, part, NULL);
  return sqrtl(squares);
}

moments ms_significance_moments_of(const checker *k, const slots *s)
{
  uint32_t common[MS_MAX_CENSUS] = {0}, i, c, size = k->w->k;
  mpq_t sum, square, probability[MS_MAX_CENSUS + 1];
  mpz_t part;
  moments m = {0};
  mpq_inits(sum, square, NULL);
  mpz_init(part);
  for (i = 0; i <= size; i++)
    mpq_init(probability[i]);
  do {
    for (i = c = 0; c < s->classes; c++)
      i += common[c];
    if (2 * size - i <= k->n)
      add_term(k, s, common, i, probability[i]);
    for (c = 0; c < s->classes && ++common[c] > s->slots[c]; c++) /* as a number is counted up */
      common[c] = 0;
  } while (c < s->classes);
  for (i = 0; i <= size; i++) {
    mpq_mul(square, k->pairs[i], probability[i]);
    mpq_add(sum, sum, square);
  }
  mpq_set_ui(square, k->c->result.header.census.sets, 1);
  for (c = 0; c < s->classes; c++) {
    mpz_bin_uiui(part, s->holders[c], s->slots[c]);
    mpz_mul(mpq_numref(square), mpq_numref(square), part);
  }
  mpz_bin_uiui(mpq_denref(square), k->n, size);
  mpq_canonicalize(square);
  m.mean = mpq_get_d(square);
  mpq_mul(square, square, square);
  mpq_sub(sum, sum, square);
  m.variance = mpq_sgn(sum) > 0 ? mpq_get_d(sum) : 0;
  if (k->redrawn)
    m.error = error_of(k, probability);
  for (i = 0; i <= size; i++)
    mpq_clear(probability[i]);
  mpq_clears(sum, square, NULL);
  mpz_clear(part);
  return m;
}

/* Colours of a motif, and as the last one all others: the part of the vertices, and how much more
 * often than by chance a vertex of a set has it, if the set has the colours of the motif. */
typedef struct palette {
  uint32_t colors;
  uint64_t holders[MS_MAX_CENSUS + 1];
  long double part[MS_MAX_CENSUS + 1], ratio[MS_MAX_CENSUS + 1], slots[MS_MAX_CENSUS + 1];
} palette;

static palette palette_of(const checker *k, const slots *s)
{
  palette a = {.colors = s->classes + 1};
  uint64_t rest = k->n;
  for (uint32_t c = 0; c < s->classes; c++) {
    a.holders[c] = s->holders[c];
    a.slots[c] = s->slots[c];
    rest -= s->holders[c];
  }
  a.holders[s->classes] = rest;
  for (uint32_t c = 0; c < a.colors; c++) {
    a.part[c] = (long double)a.holders[c] / k->n;
    a.ratio[c] = a.holders[c] > 0 ? a.slots[c] / k->w->k / a.part[c] : 0;
  }
  return a;
}

/* Fills what pairs and blocks of vertices do.  spread: the variance of the ratio of a vertex. */
static void fill_skews(const checker *k, const palette *a, long double spread, ms_chance_law *law)
{
  const ms_result_header *h = &k->c->result.header;
  uint32_t size = k->w->k;
  long double n = k->n, up = 0, down = 0, norm = 0;
  mpz_t sum[2],
      part; /* of squares: n times that over vertices, less its least; over two vertices */
  mpz_inits(sum[0], sum[1], part, NULL);
  for (uint32_t i = 1; i <= size; i++) {
    mpz_addmul_ui(sum[0], mpq_numref(k->pairs[i]), i * (unsigned long)k->n);
    mpz_addmul_ui(sum[1], mpq_numref(k->pairs[i]), i * (i - 1ul));
  }
  mpz_set_ui(part, h->census.sets);
  mpz_mul_ui(part, part, size);
  mpz_submul(sum[0], part, part);
  long double uneven = mpz_get_d(sum[0]) / n, twos = mpz_get_d(sum[1]);
  mpz_clears(sum[0], sum[1], part, NULL);
  for (uint32_t c = 0; c < a->colors; c++)
    for (uint32_t d = 0; d < a->colors; d++) {
      long double holders = a->holders[d] - (c == d ? 1.0L : 0.0L);
      if (a->holders[c] == 0 || holders <= 0)
        continue;
      long double both = a->slots[c] / size / a->part[c] * (a->slots[d] - (c == d ? 1.0L : 0.0L)) /
                         (size - 1) * (n - 1) / holders;
      long double more = both - a->ratio[c] - a->ratio[d] + 1;
      up = more > up ? more : up;
      down = -more > down ? -more : down;
      norm += a->part[c] * a->part[d] * more * more;
    }
  long double unit = law->mean / law->sets / sqrtl(law->variance);
  long double places = law->sets * size, mean = places / n;
  long double ratio = (uneven + places * mean) / places; /* of the sums of squares and of numbers */
  long double usual = 2 * ratio * (ratio / mean), most = (long double)h->significance.most;
  long double row = (size - 1.0L) * (most < usual ? most : usual) / sqrtl(twos);
  row = row < 1 ? row : 1; /* in units of the root of the sum of squares */
  long double block = 2 * unit * row * sqrtl(twos * norm), least = 2 * sqrtl(2) * row;
  long double company = (size - 1.0L) * (size - 1.0L) * (uneven + places * mean) / twos;
  if (size > 2 &&
      company > size - 0.5L) { /* the sets through a vertex, over those of its company */
    law->filled = ratio;
    for (uint32_t i = 0; i + 1 < size; i++)
      law->filled *= (i + 1) / (company - i);
  }
  long double pair = 1.5L * unit * twos / (law->sets * size * (size - 1));
  long double alone = uneven * spread * unit * unit;
  long double blocks = block > least ? block : least;
  alone = alone < 0 ? 0 : alone > 1 ? 1 : alone;
  law->skew_up = alone * (law->rise + block) + (1 - alone) * (pair * up + blocks);
  law->skew_down = alone * (law->fall + block) + (1 - alone) * (pair * down + blocks);
}

/* A vertex in t sets whose colour has m of the k slots, and n_c of the n vertices, moves the mean
 * by (t - N k / n) (m n / (k n_c) - 1) times its share of the sets. */
ms_chance_law ms_significance_law(const checker *k, const slots *s, const moments *m)
{
  const ms_result_header *h = &k->c->result.header;
  ms_chance_law law = {.mean = m->mean, .variance = m->variance, .sets = h->census.sets};
  if (!(m->variance > 0) || h->census.sets == 0)
    return law;
  long double size = k->w->k, spread = 0;
  long double hub = (long double)h->significance.most - law.sets * size / k->n;
  palette a = palette_of(k, s);
  law.common = law.mean / law.sets;
  for (uint32_t c = 0, slot = 0; c < s->classes; c++)
    for (uint32_t i = 1; i <= s->slots[c]; i++) /* k! / prod m_c! prod (m_c / k)^m_c */
      law.common *= (long double)i / ++slot * size / s->slots[c];
  hub *= law.mean / law.sets / sqrtl(law.variance);
  for (uint32_t c = 0; c < a.colors; c++) {
    long double move = hub * (a.ratio[c] - 1);
    if (a.holders[c] == 0)
      continue;
    law.rise = move > law.rise ? move : law.rise;
    law.fall = -move > law.fall ? -move : law.fall;
    spread += a.part[c] * (a.ratio[c] - 1) * (a.ratio[c] - 1);
  }
  law.hub = spread * hub * hub;
  fill_skews(k, &a, spread, &law);
  return law;
}
