#include "significance/moments.h"

#include "base/numbers.h"

#include <float.h>
#include <gmp.h>
#include <math.h>

/* The variance over the square of the mean below which the difference of two numbers near 1 has
 * fewer than ten right digits. */
#define FEW_DIGITS (LDBL_EPSILON * 1e11L)
/* The exact variance is a fraction whose denominator has at most 4 k numbers of 32 bits as factors,
 * so that one which is not 0 is above 2^-1024. */
#define EXACT_BITS 2560
#define NEARLY_ZERO_BITS 1280

/* (n)_count */
static long double falling(uint64_t n, uint32_t count)
{
  long double result = 1;
  for (uint32_t i = 0; i < count; i++)
    result *= n > i ? (long double)(n - i) : 0;
  return result;
}

static long double factorial(uint32_t n)
{
  return n < 2 ? 1 : n * factorial(n - 1);
}

void ms_moment_maker_open(ms_moment_maker *m, const ms_overlaps *o)
{
  uint32_t n = o->n, k = o->k;
  long double all = (long double)o->sets * o->sets;
  *m = (ms_moment_maker){.overlaps = o};
  if (o->sets == 0)
    return;
  ms_overlaps_pairs(o, m->pairs);
  for (uint32_t i = 0; i <= k; i++) {
    m->ratio[i] = (long double)m->pairs[i] / all;
    m->error_ratio[i] = o->error[i] / all;
    if (2 * k - i > n)
      continue; /* no two sets have so few common vertices: O_i is 0 */
    long double rest = factorial(k - i) / factorial(k);
    m->factor[i] = factorial(i) * rest * rest;
    /* (n)_k^2 / (n)_(2k-i) */
    for (uint32_t j = 0; j < k - i; j++)
      m->factor[i] *= (long double)(n - j) / (n - k - j);
    m->factor[i] *= falling(n - (k - i), i);
  }
}

/* Multiplies polynomial[k + 1], of degree *degree, by that of a colour:
 * the sum over J of  m!^2 / (J! (m-J)!^2) * (n_c - m)_(m-J) / (n_c)_m  t^J. */
static void multiply(long double *polynomial, uint32_t *degree, ms_color_class class_)
{
  long double product[MS_MAX_CENSUS + 1] = {0}, whole = falling(class_.holders, class_.slots);
  uint32_t m = class_.slots;
  for (uint32_t common = 0; common <= m; common++) {
    long double rest = factorial(m) / factorial(m - common);
    long double term =
        rest * rest / factorial(common) * falling(class_.holders - m, m - common) / whole;
    for (uint32_t i = 0; i <= *degree; i++)
      product[i + common] += polynomial[i] * term;
  }
  *degree += m;
  for (uint32_t i = 0; i <= *degree; i++)
    polynomial[i] = product[i];
}

/* N p */
static long double mean_of(const ms_overlaps *o, const ms_color_class *class_, uint32_t classes)
{
  long double mean = (long double)o->sets;
  uint32_t slot = 0;
  for (uint32_t c = 0; c < classes; c++)
    for (uint32_t i = 0; i < class_[c].slots; i++, slot++) {
      if (class_[c].holders <= i)
        return 0;
      /* (n_c - i) / (i + 1) times (slot + 1) / (n - slot) */
      mean *= (long double)(class_[c].holders - i) / (o->n - slot);
      mean *= (long double)(slot + 1) / (i + 1);
    }
  return mean;
}

double ms_moments_mean(const ms_overlaps *overlaps, const ms_color_class *class_, uint32_t classes)
{
  return (double)mean_of(overlaps, class_, classes);
}

/* ---- the exact variance --------------------------------------------------------------- */

static void set_falling(mpz_t to, uint64_t n, uint32_t count)
{
  mpz_set_ui(to, 1);
  for (uint32_t i = 0; i < count; i++)
    mpz_mul_ui(to, to, n > i ? n - i : 0);
}

static void set_signed(mpz_t to, ms_signed128 value)
{
  bool negative = value < 0;
  ms_count128 size = negative ? -(ms_count128)value : (ms_count128)value;
  mpz_set_ui(to, (unsigned long)(size >> 64));
  mpz_mul_2exp(to, to, 64);
  mpz_add_ui(to, to, (unsigned long)size);
  if (negative)
    mpz_neg(to, to);
}

/* As multiply, without the division by (n_c)_m^2, which is 1 / (n_c)_m in all terms, and by
 * ((m - J)!)^2: the terms are  m!^2 / (J! (m-J)!^2) * (n_c)_(2m-J), which are integers. */
static void multiply_exactly(mpz_t *polynomial, uint32_t *degree, ms_color_class class_)
{
  mpz_t product[MS_MAX_CENSUS + 1], term;
  uint32_t m = class_.slots;
  mpz_init(term);
  for (uint32_t i = 0; i <= *degree + m; i++)
    mpz_init(product[i]);
  for (uint32_t common = 0; common <= m; common++) {
    set_falling(term, class_.holders, 2 * m - common);
    for (uint32_t i = m - common + 1; i <= m; i++) /* (m! / (m-J)!)^2 / J! = (m)_J C(m, J) */
      mpz_mul_ui(term, term, i);
    for (uint32_t i = 0; i < common; i++) {
      mpz_mul_ui(term, term, m - i);
      mpz_divexact_ui(term, term, i + 1); /* C(m, i + 1) and a whole number are factors */
    }
    for (uint32_t i = 0; i <= *degree; i++)
      mpz_addmul(product[i + common], polynomial[i], term);
  }
  *degree += m;
  for (uint32_t i = 0; i <= *degree; i++) {
    mpz_set(polynomial[i], product[i]);
    mpz_clear(product[i]);
  }
  mpz_clear(term);
}

/* Adds O_i P_i prod m_c!^2 to the sum. */
static void add_pairs(mpf_t sum, const ms_moment_maker *m, uint32_t i, const mpz_t coefficient)
{
  uint32_t n = m->overlaps->n, k = m->overlaps->k;
  mpz_t whole;
  mpf_t term, below;
  mpz_init(whole);
  mpf_init2(term, EXACT_BITS);
  mpf_init2(below, EXACT_BITS);
  set_signed(whole, m->pairs[i]);
  mpz_mul(whole, whole, coefficient);
  for (uint32_t j = 2; j <= i; j++)
    mpz_mul_ui(whole, whole, j);
  for (uint32_t j = 2; j <= k - i; j++)
    mpz_mul_ui(whole, whole, j * j);
  mpf_set_z(term, whole);
  set_falling(whole, n, 2 * k - i);
  mpf_set_z(below, whole);
  mpf_div(term, term, below);
  mpf_add(sum, sum, term);
  mpf_clear(term);
  mpf_clear(below);
  mpz_clear(whole);
}

/* Subtracts (N p)^2 prod m_c!^2 from the sum, and divides by that product. */
static void subtract_mean(mpf_t sum, const ms_overlaps *o, const ms_color_class *class_,
                          uint32_t classes)
{
  mpz_t whole, part;
  mpf_t term, below;
  mpz_init(whole);
  mpz_init(part);
  mpf_init2(term, EXACT_BITS);
  mpf_init2(below, EXACT_BITS);
  mpz_set_ui(whole, (unsigned long)o->sets);
  for (uint32_t j = 2; j <= o->k; j++)
    mpz_mul_ui(whole, whole, j);
  for (uint32_t c = 0; c < classes; c++) {
    set_falling(part, class_[c].holders, class_[c].slots);
    mpz_mul(whole, whole, part);
  }
  mpf_set_z(term, whole);
  set_falling(whole, o->n, o->k);
  mpf_set_z(below, whole);
  mpf_div(term, term, below);
  mpf_mul(term, term, term);
  mpf_div_2exp(below, term, NEARLY_ZERO_BITS);
  mpf_sub(sum, sum, term);
  if (mpf_cmp(sum, below) < 0)
    mpf_set_ui(sum, 0); /* it is 0, or a sample of overlaps made it negative */
  for (uint32_t c = 0; c < classes; c++)
    for (uint32_t j = 2; j <= class_[c].slots; j++)
      mpf_div_ui(sum, sum, j * j);
  mpf_clear(term);
  mpf_clear(below);
  mpz_clear(whole);
  mpz_clear(part);
}

static double exact_variance(const ms_moment_maker *m, const ms_color_class *class_,
                             uint32_t classes)
{
  const ms_overlaps *o = m->overlaps;
  mpz_t polynomial[MS_MAX_CENSUS + 1];
  uint32_t degree = 0;
  mpf_t sum;
  ms_numbers_begin();
  mpf_init2(sum, EXACT_BITS);
  for (uint32_t i = 0; i <= o->k; i++)
    mpz_init(polynomial[i]);
  mpz_set_ui(polynomial[0], 1);
  for (uint32_t c = 0; c < classes; c++)
    multiply_exactly(polynomial, &degree, class_[c]);
  for (uint32_t i = 0; i <= o->k; i++)
    if (2 * o->k - i <= o->n)
      add_pairs(sum, m, i, polynomial[i]);
  subtract_mean(sum, o, class_, classes);
  double variance = mpf_get_d(sum);
  for (uint32_t i = 0; i <= o->k; i++)
    mpz_clear(polynomial[i]);
  mpf_clear(sum);
  ms_numbers_end();
  return variance;
}

/* ---- moments -------------------------------------------------------------------------- */

/* The standard error of the variance over the square of the mean: B_j has the coefficient
 * sum over i <= j of (-1)^(j-i) C(j, i) P_i, and the errors are independent. */
static long double error_of(const ms_moment_maker *m, const long double *probability)
{
  long double squares = 0;
  for (uint32_t j = 0; j <= m->overlaps->k; j++) {
    long double coefficient = 0, choose = 1;
    for (uint32_t i = j + 1; i-- > 0;) { /* choose = C(j, i) */
      coefficient += (j - i) % 2 ? -choose * probability[i] : choose * probability[i];
      choose = choose * i / (j - i + 1);
    }
    coefficient *= m->error_ratio[j];
    squares += coefficient * coefficient;
  }
  return sqrtl(squares);
}

/* p of two vertices of the colours c and d over p, less that of each of them (moments.h). */
static double joint(const ms_color_class *c, const ms_color_class *d, double n, double k)
{
  double first = c->holders ? c->slots * n / (k * (double)c->holders) : 0;
  double second = d->holders ? d->slots * n / (k * (double)d->holders) : 0;
  double others = c == d ? 1 : 0; /* the first vertex takes a slot and is a holder */
  double both = c->slots * (d->slots - others) * n * (n - 1) / (k * (k - 1));
  both = both > 0 ? both / ((double)c->holders * ((double)d->holders - others)) : 0;
  return both - first - second + 1;
}

/* Fills sway_up and sway_down.  class_ has a class without a slot at its end for all other colours;
 * spread: sum of holders / n (m_c n / (k n_c) - 1)^2. */
static void fill_sways(const ms_overlaps *o, const ms_color_class *class_, uint32_t classes,
                       double spread, ms_moments *out)
{
  double n = o->n, k = o->k, up = 0, down = 0, squares = 0, p = out->mean / out->sets;
  for (uint32_t c = 0; c < classes; c++)
    for (uint32_t d = 0; d <= c; d++) {
      if (class_[c].holders <= (c == d) || class_[d].holders == 0)
        continue; /* there are no such two vertices */
      double sway = joint(class_ + c, class_ + d, n, k);
      double share = (double)class_[c].holders / n * (double)class_[d].holders / n;
      up = fmax(up, sway);
      down = fmax(down, -sway);
      squares += (c == d ? 1 : 2) * share * sway * sway;
    }
  double pairs = (double)o->shared[2], unit = p / sqrt(out->variance), root = sqrt(2 * pairs);
  double places = out->sets * k, squared = (double)o->shared[1] / places;
  double common = fmin((double)o->most, 2 * squared * squared * n / places);
  double row = fmin((k - 1) * common, root), block = 2 * unit * row * sqrt(squares);
  double blocks = fmax(block, sqrt(8) * row / root);
  double together = 1.5 * unit * pairs / (out->sets * k * (k - 1) / 2);
  long double usual = (long double)o->sets * o->sets * o->k * o->k / o->n;
  double single = unit * unit * (double)((long double)o->shared[1] - usual) * spread;
  single = fmin(fmax(single, 0), 1);
  out->sway_up = single * (out->rise + block) + (1 - single) * (together * up + blocks);
  out->sway_down = single * (out->fall + block) + (1 - single) * (together * down + blocks);
}

/* Returns `closed`, which belongs to the graph alone. */
static double closed_part(const ms_overlaps *o)
{
  double k = o->k, places = (double)o->sets * k, choices = 1;
  double single = (double)o->shared[1] / places;
  double others = places * (k - 1) * (k - 1) / 2 * single / (double)o->shared[2];
  if (o->k < 3 || others < k - 0.5)
    return 0;
  for (uint32_t i = 1; i < o->k; i++)
    choices *= (others - i + 1) / i;
  return single / choices;
}

/* Fills rise, fall, hub, closed, common and the sways. */
static void fill_leaps(const ms_overlaps *o, const ms_color_class *class_, uint32_t classes,
                       ms_moments *out)
{
  ms_color_class all[MS_MAX_CENSUS + 1];
  double n = o->n, k = o->k, rise = 0, fall = 0, usual = out->sets * k / n, spread = -1;
  double most = (double)factorial(o->k); /* the probability with m_c / k of each colour */
  uint64_t holders = 0;
  for (uint32_t c = 0; c < classes; c++) {
    double ratio = class_[c].slots * n / (k * (double)class_[c].holders);
    rise = fmax(rise, ratio - 1);
    fall = fmax(fall, 1 - ratio);
    spread += ratio * class_[c].slots / k;
    most *= pow(class_[c].slots / k, class_[c].slots) / (double)factorial(class_[c].slots);
    holders += class_[c].holders;
    all[c] = class_[c];
  }
  if (holders < o->n)
    fall = 1;
  all[classes] = (ms_color_class){0, o->n - holders};
  double unit = out->mean / out->sets * ((double)o->most - usual) / sqrt(out->variance);
  out->rise = rise * unit;
  out->fall = fall * unit;
  out->hub = fmax(spread, 0) * unit * unit;
  out->closed = closed_part(o);
  out->common = out->mean / out->sets / most;
  fill_sways(o, all, classes + 1, fmax(spread, 0), out);
}

void ms_moments_of(const ms_moment_maker *m, const ms_color_class *class_, uint32_t classes,
                   ms_moments *out)
{
  const ms_overlaps *o = m->overlaps;
  long double polynomial[MS_MAX_CENSUS + 1] = {1}, sum = 0;
  long double mean = mean_of(o, class_, classes);
  uint32_t degree = 0;
  *out = (ms_moments){.mean = (double)mean, .sets = (double)o->sets};
  if (mean == 0)
    return;
  for (uint32_t c = 0; c < classes; c++)
    multiply(polynomial, &degree, class_[c]);
  for (uint32_t i = 0; i <= o->k; i++) {
    polynomial[i] *= m->factor[i]; /* P_i / p^2 */
    sum += m->ratio[i] * polynomial[i];
  }
  long double relative = sum - 1;
  out->variance =
      relative < FEW_DIGITS ? exact_variance(m, class_, classes) : (double)(relative * mean * mean);
  if (!o->exact)
    out->variance_error = (double)(error_of(m, polynomial) * mean * mean);
  if (out->variance > 0)
    fill_leaps(o, class_, classes, out);
}
