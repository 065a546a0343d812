/* Checks the significance of a census: what is expected, and how likely the numbers are.
 *
 * Of the numbers of pairs of sets with common vertices, their sum is the square of the number of
 * sets, and the sum of i times the i-th is that of the squares of the numbers of sets that hold a
 * vertex, which the recount knows.  Where there are few sets, all pairs are compared; where the
 * numbers were sampled, the samples are drawn again (redraw.h).  Means and
 * variances are then computed again from these numbers, as fractions, by the sum over all ways in
 * which two sets can share colours; probabilities are added up one number after the other, or,
 * where there are too many numbers, one clump after the other; and the adjustment for many tests is
 * made again.  Of very many rows, rows from all over the file are checked. */
#include "verify/statistics/significance.h"
#include "base/alloc.h"
#include "base/numbers.h"
#include "base/status.h"
#include "base/threads/stop.h"
#include "verify/census.h"
#include "verify/statistics/chances.h"
#include "verify/statistics/redraw.h"

#include <gmp.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_ROWS 1500u      /* that are computed again */
#define NUMBER_ERROR 0.00001 /* of a number with six digits, relative */
#define NO_ERROR 1e-12       /* a relative error of a mean that rounding alone may give */
#define P_ERROR 0.0003       /* of a probability, relative: its approximation is not exact */
#define LEAST_P 1e-300L
#define MOST_LISTED 50000u   /* motifs that are looked through for those without a set */
#define MOST_LEFT_OUT 20000u /* motifs whose rows were left out, and whose p are computed */
#define MEAN_OF_Q_LESS 0.1L  /* motifs without a set that are expected less often count as p 1 */
#define MOST_UNSEEN 4194304u /* of more such motifs, this mean may be greater */
#define NO_ROW UINT64_MAX

enum {
  EXPECTED = MS_STAT_EXPECTED,
  SD = MS_STAT_SD,
  FOLD = MS_STAT_FOLD,
  Z = MS_STAT_Z,
  P = MS_STAT_P,
  Q = MS_STAT_Q,
  P_LESS = MS_STAT_P_LESS,
  Q_LESS = MS_STAT_Q_LESS,
  P_BY = MS_STAT_P_BY
};
static const char *const column_name[] = {"expected", "sd",     "fold",   "z",   "p",
                                          "q",        "p_less", "q_less", "p_by"};

typedef ms_significance_checker checker;
typedef ms_significance_slots slots;
typedef ms_significance_moments moments;

/* ---- the head ------------------------------------------------------------------------- */

static ms_status count_holders(checker *k, ms_error *err)
{
  const ms_coloring *coloring = k->w->coloring;
  k->holders = ms_calloc(k->colors, sizeof *k->holders);
  if (!k->holders)
    return ms_fail_memory(err, "the colours of a census");
  for (uint32_t v = 0; v < k->c->result.header.vertices; v++) {
    uint32_t own;
    const uint32_t *color = ms_coloring_of(coloring, v, &own);
    if (own > 1)
      return ms_result_refuse(&k->c->result, 0,
                              "a vertex has several colours, for which there is no formula");
    if (own == 1) {
      k->n++;
      k->holders[color[0]]++;
    }
  }
  return MS_OK;
}

/* Refuses words that no census writes, and lines that do not belong to the moments. */
static ms_status check_words(checker *k)
{
  const ms_result_header *h = &k->c->result.header;
  uint64_t line = h->line[MS_PART_MOMENTS];
  if (h->significance.null != 0)
    return ms_result_refuse(&k->c->result, line, "significance is of permuted labels alone");
  if (h->significance.moments == 0 &&
      (h->significance.samples > 0 || h->significance.seed > 0 || h->significance.error != 0))
    return ms_result_refuse(&k->c->result, line,
                            "exact moments have no 'samples', 'sample_seed' or 'sd_error'");
  if (h->significance.moments != 0 && h->significance.samples == 0 && h->census.sets > 0)
    return ms_result_refuse(&k->c->result, line, "sampled moments need 'samples'");
  if (h->significance.samples > h->census.sets)
    return ms_result_refuse(&k->c->result, line, "there are more 'samples' than connected sets");
  if (!(h->significance.error >= 0 && isfinite(h->significance.error)))
    return ms_result_refuse(&k->c->result, line, "sd_error must be a number of at least 0");
  if (!(h->significance.min_expected >= 0.1 && isfinite(h->significance.min_expected)))
    return ms_result_refuse(&k->c->result, line, "min_expected must be at least 0.1");
  return MS_OK;
}

/* Counts the multisets of k colours for which there are vertices, one colour after the other. */
static ms_status check_tests(checker *k)
{
  const ms_result_header *h = &k->c->result.header;
  double number[MS_MAX_CENSUS + 1] = {1};
  for (uint32_t c = 0; c < k->colors; c++) {
    double next[MS_MAX_CENSUS + 1] = {0};
    for (uint32_t before = 0; before <= h->k; before++)
      for (uint32_t more = 0; before + more <= h->k && more <= k->holders[c]; more++)
        next[before + more] += number[before];
    memcpy(number, next, sizeof number);
  }
  double stated = (double)h->significance.tests, right = number[h->k];
  right = right < (double)INT64_MAX ? right : (double)INT64_MAX;
  if (fabs(stated - right) > 1e-12 * right)
    return ms_result_refuse(&k->c->result, h->line[MS_PART_TESTS], "there are %.0f tests, not %.0f",
                            right, stated);
  return MS_OK;
}

static ms_status refuse_overlaps(checker *k, const char *what)
{
  return ms_result_refuse(&k->c->result, k->c->result.header.line[MS_PART_OVERLAPS], "%s", what);
}

/* Adds up times^power * pairs. */
static void add_pairs(checker *k, mpz_t sum, bool weighted)
{
  mpz_set_ui(sum, 0);
  for (uint32_t i = 0; i <= k->w->k; i++)
    mpz_addmul_ui(sum, mpq_numref(k->pairs[i]), weighted ? i : 1);
}

/* Compares all pairs of the sets that are stored. */
static ms_status compare_pairs(checker *k)
{
  const ms_verify_census *w = k->w;
  uint64_t pairs[MS_MAX_CENSUS + 1] = {0};
  for (uint64_t a = 0; a < w->sets; a++)
    for (uint64_t b = 0; b < w->sets; b++) {
      uint32_t common = 0;
      for (uint32_t i = 0; i < w->k; i++)
        for (uint32_t j = 0; j < w->k; j++)
          common += w->set[a][i] == w->set[b][j];
      pairs[common]++;
    }
  for (uint32_t i = 0; i <= w->k; i++)
    if (mpz_cmp_ui(mpq_numref(k->pairs[i]), pairs[i]) != 0)
      return refuse_overlaps(k, "the sets have other overlaps than these");
  return MS_OK;
}

/* The greatest number of sets that hold a vertex: by the recount, or else between what all
 * vertices have on average and all sets. */
static ms_status check_most(checker *k, bool recounted)
{
  const ms_result_header *h = &k->c->result.header;
  uint64_t right = 0, stated = h->significance.most;
  for (uint32_t v = 0; v < h->vertices && recounted; v++)
    right = k->w->taking[v] > right ? k->w->taking[v] : right;
  bool fits = recounted ? stated == right
                        : stated <= h->census.sets &&
                              (long double)stated * k->n >= (long double)h->census.sets * h->k;
  return fits ? MS_OK
              : ms_result_refuse(&k->c->result, h->line[MS_PART_OVERLAPS],
                                 "most_sets is not the greatest number of sets that hold a vertex");
}

static ms_status check_overlaps(checker *k, bool recounted)
{
  const ms_result_header *h = &k->c->result.header;
  const ms_verify_census *w = k->w;
  mpz_t sum, right;
  if (h->significance.n_overlaps != h->k + 1)
    return refuse_overlaps(k, "the line of overlaps must have a number for 0 to k common vertices");
  for (uint32_t i = 0; i <= h->k; i++)
    if (strspn(h->significance.overlap[i], "-0123456789") != strlen(h->significance.overlap[i]) ||
        mpq_set_str(k->pairs[i], h->significance.overlap[i], 10) != 0)
      return refuse_overlaps(k, "an overlap is not a number");
  mpz_inits(sum, right, NULL);
  add_pairs(k, sum, false);
  mpz_set_ui(right, h->census.sets);
  mpz_mul(right, right, right);
  bool same = mpz_cmp(sum, right) == 0;
  same &= mpz_cmp_ui(mpq_numref(k->pairs[h->k]), h->census.sets) == 0;
  if (recounted) {
    add_pairs(k, sum, true);
    mpz_set_ui(right, 0);
    for (uint32_t v = 0; v < h->vertices; v++) {
      mpz_t square;
      mpz_init_set_ui(square, w->taking[v]);
      mpz_addmul(right, square, square);
      mpz_clear(square);
    }
    same &= mpz_cmp(sum, right) == 0;
  }
  mpz_clears(sum, right, NULL);
  if (!same)
    return refuse_overlaps(k, "the sets have other overlaps than these");
  bool few = recounted && w->sets <= MS_STORED_SETS && h->significance.moments == 0;
  return few ? compare_pairs(k) : MS_OK;
}

/* ---- rows ----------------------------------------------------------------------------- */

static bool is_near(long double stated, long double right, long double error)
{
  return fabsl(stated - right) <= error * fabsl(right);
}

static bool is_probable(long double stated, long double right)
{
  right = right > 1 ? 1 : right;
  if (right < 2 * LEAST_P)
    return stated < 3 * LEAST_P && stated >= LEAST_P * (1 - NUMBER_ERROR);
  return stated <= 1 && is_near(stated, right, P_ERROR);
}

static ms_status refuse_number(checker *k, uint64_t row, int column, long double right)
{
  return ms_result_refuse(&k->c->result, k->w->line[row], "%s is %.6g, not %.6g",
                          column_name[column], (double)right, k->w->statistic[row][column]);
}

static ms_status check_row(checker *k, uint64_t i)
{
  const ms_census_number *row = &k->w->stated[i];
  const double *stated = k->w->statistic[i];
  slots s = ms_significance_slots_of(k, row->color);
  moments m = ms_significance_moments_of(k, &s);
  long double mean = m.mean, variance = m.variance;
  double relative = variance > 0 ? (double)(m.error / variance / 2) : 0;
  k->sd_error = relative > k->sd_error ? relative : k->sd_error;
  long double sd = sqrtl(variance), z = ((long double)row->sets - mean) / sd;
  if (!is_near(stated[EXPECTED], mean, NUMBER_ERROR))
    return refuse_number(k, i, EXPECTED, mean);
  if (!is_near(stated[SD], sd, NUMBER_ERROR))
    return refuse_number(k, i, SD, sd);
  if (!ms_result_fold_fits(stated[FOLD], row->sets, stated[EXPECTED]))
    return refuse_number(k, i, FOLD, row->sets / mean);
  if (sd == 0)
    return isnan(stated[Z]) && isnan(stated[P_BY]) && stated[P] == 1 && stated[P_LESS] == 1
               ? MS_OK
               : ms_result_refuse(&k->c->result, k->w->line[i],
                                  "the number does not vary: z and p_by must be NA, and p must be "
                                  "1");
  if (!(fabsl(stated[Z] - z) <= NUMBER_ERROR * (fabsl(z) + 0.01L)))
    return refuse_number(k, i, Z, z);
  const ms_chance_law law = ms_significance_law(k, &s, &m);
  ms_chances right = ms_find_chances(&law, row->sets);
  if (stated[P_BY] != (right.bound ? MS_P_BY_BOUND : MS_P_BY_FIT))
    return ms_result_refuse(&k->c->result, k->w->line[i], "p_by is %s",
                            right.bound ? "bound" : "fit");
  if (!is_probable(stated[P], right.p))
    return refuse_number(k, i, P, right.p);
  if (!is_probable(stated[P_LESS], right.p_less))
    return refuse_number(k, i, P_LESS, right.p_less);
  if (row->sets == 0 && mean < k->c->result.header.significance.min_expected * (1 - NUMBER_ERROR))
    return ms_result_refuse(&k->c->result, k->w->line[i],
                            "the motif has no set, and too few are expected for a row");
  return MS_OK;
}

/* ---- motifs without a set ------------------------------------------------------------- */

/* The motifs without a row. */
typedef struct absent_motifs {
  uint64_t sure, possible; /* motifs without a set, surely expected often enough for a row, and
                              perhaps */
  double *p, *p_less;      /* [count] of motifs with sets, and of those without that are expected at
                              least MEAN_OF_Q_LESS times */
  uint64_t count, room;
  const ms_census_number *row; /* [rows] where the options left out rows: those that are there, by
                                  their colours; NULL: the options left out none */
  uint64_t rows;
} absent_motifs;

/* Adds the probabilities of a motif without a row. */
static ms_status add_absent(const checker *k, const slots *s, uint64_t sets, absent_motifs *to,
                            ms_error *err)
{
  if (to->count == to->room) {
    uint64_t room = 2 * to->room + 64;
    if (!ms_enlarge(&to->p, to->room, room, sizeof *to->p) ||
        !ms_enlarge(&to->p_less, to->room, room, sizeof *to->p_less))
      return ms_fail_memory(err, "the motifs without a row");
    to->room = room;
  }
  if (to->count % 64 == 63)
    MS_TRY(ms_stop_check(k->c->options->run.stop));
  moments m = ms_significance_moments_of(k, s);
  ms_chances chances = {.p = 1, .p_less = 1};
  const ms_chance_law law = ms_significance_law(k, s, &m);
  if (m.variance > 0)
    chances = ms_find_chances(&law, sets);
  to->p[to->count] = chances.p < 1 ? (double)chances.p : 1;
  to->p_less[to->count++] = chances.p_less < 1 ? (double)chances.p_less : 1;
  return MS_OK;
}

/* Keeps a motif without a set for the recount of permutations. */
static ms_status keep_absent(ms_verify_census *w, const ms_census_number *motif, ms_error *err)
{
  if (!MS_GROW(w->absent, w->absent_room, w->n_absent, 1))
    return ms_fail_memory(err, "the motifs without a row");
  w->absent[w->n_absent++] = *motif;
  return MS_OK;
}

static ms_status note_absent(const checker *k, const uint32_t *color, absent_motifs *to,
                             ms_error *err)
{
  slots s = ms_significance_slots_of(k, color);
  long double mean = (long double)k->c->result.header.census.sets;
  long double least = (long double)k->c->result.header.significance.min_expected;
  uint32_t slot = 0;
  for (uint32_t c = 0; c < s.classes; c++)
    for (uint32_t i = 0; i < s.slots[c]; i++, slot++)
      mean *= ((long double)s.holders[c] - i) / (k->n - slot) * (slot + 1) / (i + 1);
  to->sure += mean >= least * (1 + 1e-9L);
  to->possible += mean >= least * (1 - 1e-9L);
  bool may_have_row = mean >= least * (1 - 1e-9L);
  if (mean < MEAN_OF_Q_LESS || (may_have_row && !to->row))
    return MS_OK;
  ms_census_number key = {0};
  memcpy(key.color, color, sizeof key.color);
  if (may_have_row && to->rows > 0 &&
      bsearch(&key, to->row, to->rows, sizeof key, ms_census_number_compare))
    return MS_OK;
  if (may_have_row)
    MS_TRY(keep_absent(k->w, &key, err));
  return add_absent(k, &s, 0, to, err);
}

/* Goes through all motifs for which there are vertices, but those of occurring[occurs]. */
static ms_status list_absent(const checker *k, const ms_census_number *occurring, uint64_t occurs,
                             absent_motifs *to, ms_error *err)
{
  uint32_t size = k->w->k, at;
  ms_census_number key = {0};
  do {
    if (occurs == 0 || !bsearch(&key, occurring, occurs, sizeof key, ms_census_number_compare))
      MS_TRY(note_absent(k, key.color, to, err));
    for (at = size; at > 0 && key.color[at - 1] + 1 == k->colors; at--)
      ;
    if (at > 0) {
      key.color[at - 1]++;
      for (uint32_t i = at; i < size; i++)
        key.color[i] = key.color[at - 1];
    }
  } while (at > 0);
  return MS_OK;
}

/* Adds the motifs that the recount has found and that have no row, because the options left them
 * out, and notes that all are known, unless they are too many. */
static ms_status list_left_out(checker *k, absent_motifs *to, ms_error *err)
{
  ms_census_number *motif;
  uint64_t count;
  MS_TRY(ms_census_left_out(k->w, MOST_LEFT_OUT, &motif, &count, err));
  ms_status status = MS_OK;
  for (uint64_t i = 0; count <= MOST_LEFT_OUT && i < count && status == MS_OK; i++) {
    slots s = ms_significance_slots_of(k, motif[i].color);
    status = add_absent(k, &s, motif[i].sets, to, err);
  }
  ms_free(motif);
  k->knows_left_out = status == MS_OK && count <= MOST_LEFT_OUT;
  return status;
}

/* Copies the motifs that occur, as the recount says, or, without one, the rows of the file. */
static ms_census_number *sort_occurring(const checker *k, bool recounted, uint64_t *count,
                                        ms_error *err)
{
  const ms_verify_census *w = k->w;
  const ms_census_number *from = recounted ? w->counted : w->stated;
  uint64_t places = recounted ? w->places : w->rows;
  ms_census_number *sorted = ms_alloc(recounted ? w->used : w->rows, sizeof *sorted);
  *count = 0;
  if (!sorted) {
    (void)ms_fail_memory(err, "the motifs of a census");
    return NULL;
  }
  for (uint64_t i = 0; i < places; i++)
    if (from[i].sets > 0) {
      sorted[*count] = from[i];
      sorted[*count].sets = sorted[*count].vertex = 0;
      ++*count;
    }
  if (*count > 0)
    qsort(sorted, *count, sizeof *sorted, ms_census_number_compare);
  return sorted;
}

/* Copies the rows by their colours; the caller frees *out. */
static ms_status sort_rows(const checker *k, ms_census_number **out, ms_error *err)
{
  const ms_verify_census *w = k->w;
  *out = ms_alloc(w->rows, sizeof **out);
  if (!*out)
    return ms_fail_memory(err, "the rows of the result file");
  if (w->rows > 0) {
    memcpy(*out, w->stated, w->rows * sizeof **out);
    qsort(*out, w->rows, sizeof **out, ms_census_number_compare);
  }
  return MS_OK;
}

/* Checks that no motif has two rows. */
static ms_status check_twice(checker *k, uint64_t *absent, ms_error *err)
{
  const ms_verify_census *w = k->w;
  ms_status status = MS_OK;
  ms_census_number *sorted;
  MS_TRY(sort_rows(k, &sorted, err));
  for (uint64_t i = 0; i < w->rows && status == MS_OK && !k->c->result.refused; i++) {
    *absent += sorted[i].sets == 0;
    if (i > 0 && ms_census_number_compare(&sorted[i - 1], &sorted[i]) == 0)
      status = ms_result_refuse(&k->c->result, 0, "a motif has two rows");
  }
  ms_free(sorted);
  return status;
}

static ms_status refuse_tests(checker *k, uint64_t least, uint64_t most)
{
  const ms_result_header *h = &k->c->result.header;
  if (h->permutations.tests >= least && h->permutations.tests <= most)
    return MS_OK;
  return ms_result_refuse(&k->c->result, h->line[MS_PART_PERMUTATION_TESTS],
                          "there are %llu permutation tests, not %llu", (unsigned long long)least,
                          (unsigned long long)h->permutations.tests);
}

/* Checks that no motif without a set lacks a row, and the number of tests by permutations.  Lists
 * the motifs without a row that q_less depends on, if these are not too many. */
static ms_status check_absent(checker *k, bool recounted, absent_motifs *list, ms_error *err)
{
  const ms_result_header *h = &k->c->result.header;
  uint64_t absent = 0, occurs;
  bool all = h->top == 0 && h->census.min_count == 0, permuted = h->has & MS_HAS_PERMUTATIONS;
  MS_TRY(check_twice(k, &absent, err));
  if (permuted && all && !k->c->result.refused)
    MS_TRY(refuse_tests(k, k->w->rows, k->w->rows));
  if (k->c->result.refused || !(all || recounted) || h->significance.tests > MOST_LISTED ||
      k->colors > 64 || k->colors == 0 || k->n < k->w->k)
    return MS_OK;
  ms_census_number *occurring = sort_occurring(k, recounted, &occurs, err), *rows = NULL;
  if (!occurring)
    return MS_ERR_MEMORY;
  ms_status status = all ? MS_OK : sort_rows(k, &rows, err);
  list->row = rows;
  list->rows = k->w->rows;
  if (status == MS_OK)
    status = list_absent(k, occurring, occurs, list, err);
  if (status == MS_OK && !all)
    status = list_left_out(k, list, err);
  ms_free(occurring);
  ms_free(rows);
  list->row = NULL;
  k->knows_absent = true;
  if (status == MS_OK && all && (absent < list->sure || absent > list->possible))
    status = ms_result_refuse(&k->c->result, 0,
                              "%llu motifs without a set are expected often enough, not %llu",
                              (unsigned long long)list->sure, (unsigned long long)absent);
  if (status == MS_OK && permuted && !k->c->result.refused)
    status = refuse_tests(k, h->motifs_found + list->sure, h->motifs_found + list->possible);
  return status;
}

/* ---- adjustment ----------------------------------------------------------------------- */

typedef struct place {
  double p;
  uint64_t row, times; /* a row, or NO_ROW for so many motifs without one */
} place;

static int by_p(const void *a, const void *b)
{
  const place *x = a, *y = b;
  return x->p < y->p ? -1 : x->p > y->p;
}

/* Sets q[rows] by the steps of Benjamini and Hochberg, from the greatest p down. */
static void adjust(const checker *k, place *order, uint64_t count, double *q)
{
  double least = 1, below = 0;
  if (count > 0)
    qsort(order, count, sizeof *order, by_p);
  for (uint64_t i = 0; i < count; i++)
    below += (double)order[i].times;
  for (uint64_t i = count; i-- > 0;) {
    double rate = order[i].p * (double)k->c->result.header.significance.tests / below;
    least = rate < least ? rate : least;
    below -= (double)order[i].times;
    if (order[i].row != NO_ROW)
      q[order[i].row] = least;
  }
}

/* Checks a column of q.  `list`: motifs without a row that count, too; NULL: none, their p is 1.
 * Where they are not known, q_less must lie between the values with the greatest and the least
 * p_less that they can have.  The p of motifs whose rows were left out are less exact than those of
 * rows. */
static ms_status check_adjusted(checker *k, int p, int q, const absent_motifs *list, ms_error *err)
{
  const double error = k->knows_left_out ? P_ERROR : 2 * NUMBER_ERROR;
  const ms_verify_census *w = k->w;
  const ms_result_header *h = &k->c->result.header;
  uint64_t more = list ? list->count : 0, count = w->rows;
  bool between = list && !k->knows_absent;
  place *order = ms_alloc(w->rows + more + 1, sizeof *order);
  double *least = ms_alloc(w->rows, sizeof *least), *most = ms_alloc(w->rows, sizeof *most);
  ms_status status = order && least && most ? MS_OK : ms_fail_memory(err, "the tests");
  if (status == MS_OK) {
    bool rare = between && h->significance.tests > MOST_UNSEEN;
    for (uint64_t i = 0; i < w->rows; i++)
      order[i] = (place){rare && w->stated[i].sets == 0 ? 1 : w->statistic[i][p], i, 1};
    for (uint64_t i = 0; i < more; i++)
      order[count++] = (place){(p == P ? list->p : list->p_less)[i], NO_ROW, 1};
    adjust(k, order, count, most);
    for (uint64_t i = 0; i < w->rows; i++)
      order[i] = (place){w->statistic[i][p], i, 1};
    if (between && h->significance.tests > w->rows)
      order[count++] =
          (place){exp(-2 * h->significance.min_expected), NO_ROW, h->significance.tests - w->rows};
    if (between)
      adjust(k, order, count, least);
    else
      memcpy(least, most, w->rows * sizeof *least);
  }
  for (uint64_t i = 0; i < w->rows && status == MS_OK && !k->c->result.refused; i++) {
    double stated = w->statistic[i][q];
    if (!(stated >= least[i] * (1 - error) && stated <= most[i] * (1 + error) && stated <= 1))
      status = refuse_number(k, i, q, stated > most[i] ? most[i] : least[i]);
  }
  ms_free(order);
  ms_free(least);
  ms_free(most);
  return status;
}

/* ---- all ------------------------------------------------------------------------------ */

/* Checks sd_error, the greatest one of all rows that there would be without `min_count` and `top`,
 * against the rows that were checked: all of these, or some. */
static ms_status check_sd_error(checker *k, bool all)
{
  double stated = k->c->result.header.significance.error;
  if (!k->redrawn || k->c->result.refused)
    return MS_OK;
  bool fits = stated >= k->sd_error * (1 - NUMBER_ERROR) - NO_ERROR &&
              (!all || stated <= k->sd_error * (1 + NUMBER_ERROR) + NO_ERROR);
  return fits ? MS_OK
              : ms_result_refuse(&k->c->result, k->c->result.header.line[MS_PART_MOMENTS],
                                 "sd_error is %.6g, not %.6g", k->sd_error, stated);
}

static ms_status check_all(checker *k, bool recounted, absent_motifs *list, ms_error *err)
{
  const ms_result_header *h = &k->c->result.header;
  const ms_verify_census *w = k->w;
  MS_TRY(count_holders(k, err));
  if (!k->c->result.refused)
    MS_TRY(check_words(k));
  if (!k->c->result.refused)
    MS_TRY(check_tests(k));
  if (!k->c->result.refused)
    MS_TRY(check_overlaps(k, recounted));
  if (!k->c->result.refused)
    MS_TRY(check_most(k, recounted));
  if (!k->c->result.refused)
    MS_TRY(ms_check_redrawn(k->c, k->w->coloring, k->pairs, k->error, &k->redrawn, err));
  if (!k->c->result.refused)
    MS_TRY(check_absent(k, recounted, list, err));
  uint64_t some = w->rows < MOST_ROWS ? w->rows : MOST_ROWS;
  for (uint64_t i = 0; i < some && !k->c->result.refused; i++) {
    if (i % 64 == 63)
      MS_TRY(ms_stop_check(k->c->options->run.stop));
    MS_TRY(check_row(k, i * w->rows / some));
  }
  bool all = h->top == 0 && h->census.min_count == 0;
  MS_TRY(check_sd_error(k, all && some == w->rows));
  bool adjusts = all || k->knows_left_out;
  bool redrawn = k->redrawn || !k->c->report->is_sampled || h->significance.samples == 0;
  k->c->numbers_believed |= !adjusts || some < w->rows || !redrawn;
  if (adjusts && !k->c->result.refused)
    MS_TRY(check_adjusted(k, P, Q, all ? NULL : list, err));
  if (adjusts && !k->c->result.refused)
    MS_TRY(check_adjusted(k, P_LESS, Q_LESS, list, err));
  return MS_OK;
}

ms_status ms_check_significance(ms_certificate *c, bool recounted, ms_error *err)
{
  checker k = {.c = c, .w = c->census, .colors = c->result.header.colors};
  if (c->result.refused)
    return MS_OK;
  ms_numbers_begin();
  for (uint32_t i = 0; i <= MS_MAX_CENSUS; i++)
    mpq_init(k.pairs[i]);
  absent_motifs list = {0};
  ms_status status = check_all(&k, recounted, &list, err);
  ms_free(list.p);
  ms_free(list.p_less);
  for (uint32_t i = 0; i <= MS_MAX_CENSUS; i++)
    mpq_clear(k.pairs[i]);
  ms_numbers_end();
  ms_free(k.holders);
  return status == MS_ERR_LIMIT || status == MS_ERR_INTERRUPTED ? ms_note_stop(c, status) : status;
}
