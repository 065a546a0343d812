/* Compares sampled overlaps with draws that are made again. */
#include "base/status.h"
#include "base/threads/stop.h"
#include "verify/statistics/redraw.h"

#include <math.h>

typedef struct redrawing {
  ms_certificate *c;
  const ms_coloring *coloring;
  mpq_t *pairs;  /* [k + 1] O_i */
  double *error; /* [k + 1] receives the standard error of B_j */
  bool *redrawn;
} redrawing;

/* Sets b to B_j = sum over i >= j of C(i, j) O_i. */
static void set_shared(const redrawing *k, uint32_t j, mpz_t b)
{
  mpz_t choose;
  mpz_init(choose);
  mpz_set_ui(b, 0);
  for (uint32_t i = j; i <= k->c->census->k; i++) {
    mpz_bin_uiui(choose, i, j);
    mpz_addmul(b, choose, mpq_numref(k->pairs[i]));
  }
  mpz_clear(choose);
}

/* Sets b to N C(k, j) sum / draws, rounded to the nearest whole number. */
static void estimate(const redrawing *k, uint32_t j, const mpz_t sum, uint64_t draws, mpz_t b)
{
  mpz_bin_uiui(b, k->c->census->k, j);
  mpz_mul_ui(b, b, k->c->result.header.census.sets);
  mpz_mul(b, b, sum);
  mpz_mul_2exp(b, b, 1);
  mpz_add_ui(b, b, draws);
  mpz_fdiv_q_ui(b, b, draws);
  mpz_fdiv_q_2exp(b, b, 1);
}

/* Returns the standard error of N C(k, j) times the mean of the draws. */
static double error_of_mean(const redrawing *k, uint32_t j, const ms_redrawn *r)
{
  mpq_t variance;
  mpz_t square;
  mpq_init(variance);
  mpz_init(square);
  double draws = (double)r->draws, factor = (double)k->c->result.header.census.sets;
  for (uint32_t i = 0; i < j; i++)
    factor *= (double)(k->c->census->k - i) / (i + 1);
  mpz_mul(square, r->sum, r->sum); /* draws * squares - sum^2 is draws^2 times the variance */
  mpz_mul_ui(mpq_numref(variance), r->squares, r->draws);
  mpz_sub(mpq_numref(variance), mpq_numref(variance), square);
  double spread = mpz_get_d(mpq_numref(variance)) / draws / (draws > 1 ? draws - 1 : 1) / draws;
  mpq_clear(variance);
  mpz_clear(square);
  return factor * sqrt(spread);
}

/* Compares B_j with its draws, or with those that were counted before a stop: each of the others
 * has a d(T) of at least 1, because the set that T is from contains it. */
static ms_status compare_draws(redrawing *k, uint32_t j, ms_redrawn *r)
{
  uint64_t all = k->c->result.header.significance.samples;
  mpz_t stated, right;
  mpz_inits(stated, right, NULL);
  set_shared(k, j, stated);
  bool whole = r->draws == all;
  if (whole)
    k->error[j] = error_of_mean(k, j, r);
  mpz_add_ui(r->sum, r->sum, all - r->draws);
  estimate(k, j, r->sum, all, right);
  bool fits = whole ? mpz_cmp(stated, right) == 0 : mpz_cmp(stated, right) >= 0;
  mpz_clears(stated, right, NULL);
  return fits ? MS_OK
              : ms_result_refuse(&k->c->result, k->c->result.header.line[MS_PART_OVERLAPS],
                                 "the sets that are drawn with this seed have other overlaps");
}

/* Draws the samples again, those of many common vertices first: their sets T are in the fewest
 * sets, which are soon counted. */
static ms_status redraw(redrawing *k, const ms_stop *stop, ms_error *err)
{
  const ms_result_header *h = &k->c->result.header;
  ms_status status = MS_OK;
  ms_redrawn redrawn;
  ms_ranks ranks;
  MS_TRY(ms_ranks_open(k->c->graph, k->coloring, k->c->census->k, stop, &ranks, err));
  if (ranks.first[ranks.n] != h->census.sets)
    status = ms_result_refuse(
        &k->c->result, h->line[MS_PART_SETS], "there are %llu connected sets, not %llu",
        (unsigned long long)ranks.first[ranks.n], (unsigned long long)h->census.sets);
  mpz_inits(redrawn.sum, redrawn.squares, NULL);
  *k->redrawn = true;
  for (uint32_t j = k->c->census->k - 1; j > 1 && status == MS_OK && !k->c->result.refused; j--) {
    status = ms_redraw(&ranks, h->significance.samples, h->significance.seed, j, &redrawn, err);
    if (status == MS_OK)
      status = compare_draws(k, j, &redrawn);
    *k->redrawn &= redrawn.draws == h->significance.samples;
    k->c->report->samples += redrawn.draws;
  }
  mpz_clears(redrawn.sum, redrawn.squares, NULL);
  ms_ranks_close(&ranks);
  return status;
}

ms_status ms_check_redrawn(ms_certificate *c, const ms_coloring *coloring, mpq_t *pairs,
                           double *error, bool *redrawn, ms_error *err)
{
  const ms_result_header *h = &c->result.header;
  redrawing k = {c, coloring, pairs, error, redrawn};
  ms_stop *stop;
  *redrawn = false;
  c->report->is_sampled = h->significance.moments != 0;
  if (!c->report->is_sampled || h->significance.samples == 0)
    return MS_OK;
  MS_TRY(ms_stop_child(c->options->run.stop, c->options->recount_seconds, &stop, err));
  ms_status status = redraw(&k, stop, err);
  ms_stop_free(stop);
  if (status != MS_ERR_LIMIT && status != MS_ERR_INTERRUPTED)
    return status;
  *redrawn = false;
  MS_TRY(ms_stop_check(c->options->run.stop)); /* only the time of the recount may be over */
  c->report->run.stopped = status;
  return MS_OK;
}
