#include "verify/statistics/compare.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/threads/stop.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SAMPLE 16u /* rows that are recounted by themselves */
#define RELATIVE MS_COMPARE_RELATIVE
#define ABSOLUTE 1e-6 /* of a logarithm */

void ms_verify_comparison_free(ms_verify_comparison *w)
{
  if (!w)
    return;
  for (uint32_t s = 0; s < w->n; s++) {
    if (w->coloring)
      ms_coloring_free(w->coloring[s]);
    if (w->kept)
      ms_free(w->kept[s].set);
  }
  for (uint64_t i = 0; i < w->places; i++) {
    ms_free(w->motif[i].sets);
    ms_free(w->motif[i].score);
    ms_free(w->motif[i].excess);
  }
  ms_free(w->motif);
  ms_free(w->stated);
  ms_free(w->coloring);
  ms_free(w->kept);
  ms_free(w->group);
  ms_free(w->block);
  ms_free(w->vertices);
  ms_free(w->sets);
  ms_free(w->counts);
  ms_free(w->have);
  ms_names_free(w->colors);
  ms_samples_free(w->samples);
  ms_free(w);
}

/* ---- what the rows should be -------------------------------------------------------- */

static bool near(double stated, double right)
{
  if (isnan(stated) || isnan(right))
    return isnan(stated) && isnan(right);
  return fabs(stated - right) <= RELATIVE * fabs(right) + ABSOLUTE;
}

/* As `near`, but a small number has six right digits, too. */
static bool close_to(double stated, double right)
{
  if (isnan(stated) || isnan(right))
    return isnan(stated) && isnan(right);
  return fabs(stated - right) <= RELATIVE * fabs(right);
}

static ms_status refuse_number(ms_certificate *c, const ms_stated *row, const char *what,
                               double right)
{
  return ms_result_refuse(&c->result, row->line, "%s is %.6g", what, right);
}

static bool make_versus(const ms_verify_comparison *w, uint32_t group, uint32_t reference,
                        ms_versus *v)
{
  const ms_result_header *h = &w->c->result.header;
  v->group = group;
  v->reference = reference;
  v->side = ms_calloc(w->n, 1);
  v->own = ms_calloc(w->n, 1);
  if (!v->side || !v->own)
    return false;
  for (uint32_t s = 0; s < w->n; s++)
    v->own[s] = w->group[s] == group                                     ? 1
                : reference == MS_ALL_OTHERS || w->group[s] == reference ? 2
                                                                         : 0;
  for (uint32_t s = 0; s < w->n; s++)
    for (uint32_t t = 0; t < w->n; t++)
      if (v->own[s] && v->own[t] && v->own[t] != v->own[s] && w->block[t] == w->block[s])
        v->side[s] = v->own[s];
  v->arrangements = ms_count_arrangements(w, v->side);
  v->exact = !w->labels && v->arrangements <= h->samples.permutations;
  v->permutations = v->exact ? v->arrangements : h->samples.permutations;
  return true;
}

/* Lists what is compared; returns the number, 0: no memory, or no such reference. */
static uint32_t list_versus(const ms_verify_comparison *w, ms_versus *v)
{
  const ms_result_samples *h = &w->c->result.header.samples;
  uint32_t count = 0, reference = h->reference ? ms_find_group(w, h->reference) : MS_NO_ID;
  for (uint32_t g = 0; g < w->groups; g++)
    for (uint32_t other = 0; other < (h->rest ? 1 : w->groups); other++) {
      if (!h->rest && (other == g || (h->reference ? other != reference : other > g)))
        continue;
      if (!make_versus(w, g, h->rest ? MS_ALL_OTHERS : other, &v[count++]))
        return 0;
    }
  return count;
}

static double mean_share(const ms_verify_comparison *w, const uint8_t *side, uint8_t wanted,
                         const uint64_t *sets)
{
  double sum = 0, count = 0;
  for (uint32_t s = 0; s < w->n; s++)
    if (side[s] == wanted) {
      sum += (double)sets[s] / (double)w->sets[s];
      count++;
    }
  return sum / count;
}

static double mean_score(const ms_verify_comparison *w, const uint8_t *side, uint8_t wanted,
                         const double *score)
{
  double sum = 0, count = 0;
  for (uint32_t s = 0; s < w->n; s++)
    if (side[s] == wanted) {
      sum += score[s] / 0x1p32;
      count++;
    }
  return sum / count;
}

static double dominance(const ms_verify_comparison *w, const uint8_t *side, const uint64_t *sets)
{
  mpz_t a, b;
  int64_t sum = 0, pairs = 0;
  mpz_init(a);
  mpz_init(b);
  for (uint32_t s = 0; s < w->n; s++)
    for (uint32_t t = 0; t < w->n; t++) {
      if (side[s] != 1 || side[t] != 2 || w->block[s] != w->block[t])
        continue;
      mpz_set_ui(a, sets[s]);
      mpz_mul_ui(a, a, w->sets[t]);
      mpz_set_ui(b, sets[t]);
      mpz_mul_ui(b, b, w->sets[s]);
      int order = mpz_cmp(a, b);
      sum += (order > 0) - (order < 0);
      pairs++;
    }
  mpz_clear(a);
  mpz_clear(b);
  return (double)sum / (double)pairs;
}

/* Compares all numbers of a row but p and q. */
static ms_status check_effects(ms_certificate *c, const ms_versus *v, const ms_tested *m,
                               const ms_stated *row)
{
  const ms_verify_comparison *w = c->comparison;
  const double none = NAN;
  const struct {
    const char *what;
    double right;
    uint32_t at;
    bool logarithm;
  } all[] = {
      {"rate", mean_share(w, v->own, 1, m->sets), 0, false},
      {"reference_rate", mean_share(w, v->own, 2, m->sets), 1, false},
      {"log2_ratio", ms_difference(w, v->side, m->score) / 0x1p32, 2, true},
      {"delta", dominance(w, v->side, m->sets), 3, true},
      {"log2_excess", w->single ? mean_score(w, v->own, 1, m->excess) : none, 6, true},
      {"reference_log2_excess", w->single ? mean_score(w, v->own, 2, m->excess) : none, 7, true},
      {"log2_excess_ratio", w->single ? ms_difference(w, v->side, m->excess) / 0x1p32 : none, 8,
       true}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    double stated = row->number[all[i].at];
    if (!(all[i].logarithm ? near(stated, all[i].right) : close_to(stated, all[i].right)))
      return refuse_number(c, row, all[i].what, all[i].right);
  }
  return MS_OK;
}

static double p_value(const ms_versus *v, uint64_t permutations, uint64_t reached)
{
  if (permutations == 0)
    return NAN;
  return v->exact ? (double)reached / (double)permutations
                  : ((double)reached + 1) / ((double)permutations + 1);
}

/* ---- the check of all rows ---------------------------------------------------------- */

typedef struct outlook {
  ms_tested **motif; /* [count] those that are compared */
  uint64_t count;
  uint64_t *reached[2]; /* [count] */
  double *p[2], *q[2];  /* [count] */
  uint64_t done;        /* permutations that were made again */
  bool knows_q;         /* p of all motifs are known */
} outlook;

static void close_outlook(outlook *o)
{
  ms_free(o->motif);
  for (uint32_t i = 0; i < 2; i++) {
    ms_free(o->reached[i]);
    ms_free(o->p[i]);
    ms_free(o->q[i]);
  }
}

static int by_value(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

/* q of a p: the least of p' n / (number of p values up to p'), over all p' of at least p. */
static ms_status adjust(const double *p, double *q, uint64_t count, ms_error *err)
{
  double *sorted = ms_alloc(count, sizeof *sorted);
  if (!sorted)
    return ms_fail_memory(err, "q values");
  memcpy(sorted, p, count * sizeof *sorted);
  if (count > 0)
    qsort(sorted, count, sizeof *sorted, by_value);
  for (uint64_t i = 0; i < count; i++) {
    q[i] = isnan(p[i]) ? NAN : 1;
    for (uint64_t j = count; j-- > 0 && !isnan(p[i]) && sorted[j] >= p[i];) {
      double ratio = sorted[j] * (double)count / (double)(j + 1);
      q[i] = ratio < q[i] ? ratio : q[i];
    }
  }
  ms_free(sorted);
  return MS_OK;
}

static ms_status open_outlook(ms_verify_comparison *w, const ms_versus *v, outlook *o,
                              ms_error *err)
{
  uint64_t least = w->c->result.header.census.min_count;
  o->motif = ms_alloc(w->motifs, sizeof(ms_tested *));
  for (uint32_t i = 0; i < 2; i++) {
    o->reached[i] = ms_calloc(w->motifs, sizeof *o->reached[i]);
    o->p[i] = ms_alloc(w->motifs, sizeof *o->p[i]);
    o->q[i] = ms_alloc(w->motifs, sizeof *o->q[i]);
    if (!o->reached[i] || !o->p[i] || !o->q[i])
      return ms_fail_memory(err, "p values");
  }
  if (!o->motif)
    return ms_fail_memory(err, "motifs");
  for (uint64_t i = 0; i < w->places; i++) {
    uint64_t total = 0;
    for (uint32_t s = 0; s < w->n && w->motif[i].sets; s++)
      total += v->own[s] ? w->motif[i].sets[s] : 0;
    if (total > 0 && total >= least)
      o->motif[o->count++] = &w->motif[i];
  }
  return MS_OK;
}

/* Does the permutations of a contrast, and lets the end of the recount's time end them early. */
static ms_status permute(ms_verify_comparison *w, const ms_versus *v, uint32_t number, outlook *o,
                         ms_error *err)
{
  const ms_stop *stop = w->c->recount_stop;
  ms_status status =
      w->labels
          ? ms_permute_excesses(w, v, o->count, o->motif, o->reached[1], &o->done, stop, err)
          : ms_permute_samples(w, number, v, o->count, o->motif, o->reached, &o->done, stop, err);
  return status == MS_ERR_LIMIT ? MS_OK : ms_note_stop(w->c, status);
}

/* Takes the numbers of permutations from the p values of rows[count], after only some permutations
 * were made again: those that reached a statistic are at most as many as the row says, and the
 * others may all have reached it. */
static ms_status take_reached(ms_certificate *c, const ms_versus *v, outlook *o,
                              const ms_stated *rows, uint64_t count)
{
  const ms_verify_comparison *w = c->comparison;
  static const uint32_t column[2] = {4, 9};
  uint64_t more = v->permutations - o->done;
  for (uint64_t i = 0; i < count; i++)
    for (uint32_t which = w->labels; which < (w->single ? 2u : 1u); which++) {
      uint64_t m = 0;
      while (m < o->count && memcmp(o->motif[m]->color, rows[i].color, sizeof rows->color) != 0)
        m++;
      double p = rows[i].number[column[which]], all = (double)v->permutations;
      double stated = round(v->exact ? p * all : p * (all + 1) - 1);
      if (m == o->count)
        continue; /* the row is refused later */
      double least = (double)o->reached[which][m];
      if (!(stated >= least && stated <= least + (double)more))
        return ms_result_refuse(&c->result, rows[i].line,
                                "%s is not that of %llu permutations, of which %llu were made "
                                "again and %llu reach the difference",
                                which ? "p_excess" : "p", (unsigned long long)v->permutations,
                                (unsigned long long)o->done,
                                (unsigned long long)o->reached[which][m]);
      o->reached[which][m] = (uint64_t)stated;
    }
  return MS_OK;
}

/* Finds p and q from the numbers of permutations. */
static ms_status find_chances(const ms_verify_comparison *w, const ms_versus *v, outlook *o,
                              ms_error *err)
{
  for (uint32_t i = 0; i < 2; i++) {
    for (uint64_t m = 0; m < o->count; m++)
      o->p[i][m] = (i == 0 && w->labels) || (i == 1 && !w->single)
                       ? NAN
                       : p_value(v, v->permutations, o->reached[i][m]);
    MS_TRY(adjust(o->p[i], o->q[i], o->count, err));
  }
  return MS_OK;
}

static ms_status check_row(ms_certificate *c, const ms_versus *v, const outlook *o, uint64_t m,
                           const ms_stated *row, ms_error *err)
{
  const double right[4] = {o->p[0][m], o->q[0][m], o->p[1][m], o->q[1][m]};
  static const uint32_t at[4] = {4, 5, 9, 10};
  static const char *const what[4] = {"p", "q", "p_excess", "q_excess"};
  (void)err;
  if (row->permutations != v->permutations || row->exact != v->exact)
    return ms_result_refuse(&c->result, row->line, "%llu permutations were to be tried",
                            (unsigned long long)v->permutations);
  MS_TRY(check_effects(c, v, o->motif[m], row));
  for (uint32_t i = 0; i < 4; i++)
    if ((o->knows_q || i % 2 == 0) && !close_to(row->number[at[i]], right[i]))
      return refuse_number(c, row, what[i], right[i]);
  return MS_OK;
}

/* Compares the rows of a contrast, which begin at *at, and moves *at behind them. */
static ms_status check_rows(ms_certificate *c, const ms_versus *v, outlook *o, uint64_t *at,
                            ms_error *err)
{
  ms_verify_comparison *w = c->comparison;
  uint64_t top = c->result.header.top, rows = top > 0 && top < o->count ? top : o->count, done = 0;
  uint64_t last = 0; /* the motif of the row before */
  const uint64_t *reached = o->reached[w->labels];
  uint8_t *seen = ms_calloc(o->count, 1);
  ms_status status = seen ? MS_OK : ms_fail_memory(err, "rows");
  uint64_t present = w->rows - *at < rows ? w->rows - *at : rows;
  o->knows_q = o->done == v->permutations || present == o->count;
  if (status == MS_OK && o->done < v->permutations)
    status = take_reached(c, v, o, w->stated + *at, present);
  if (status == MS_OK)
    status = find_chances(w, v, o, err);
  for (; done < rows && status == MS_OK; done++) {
    const ms_stated *row = *at + done < w->rows ? &w->stated[*at + done] : NULL;
    uint64_t m = 0;
    while (row && m < o->count && memcmp(o->motif[m]->color, row->color, sizeof row->color) != 0)
      m++;
    if (!row || m == o->count || seen[m]++ || row->group != v->group ||
        row->reference != v->reference)
      status =
          ms_result_refuse(&c->result, row ? row->line : 0,
                           "a motif of these groups is missing, or another row is in its place");
    else if (done > 0 &&
             ms_compare_places(w, v, o->motif[last], o->motif[m], reached[last], reached[m]) > 0)
      status = ms_result_refuse(&c->result, row->line, "the row is out of order");
    else
      status = check_row(c, v, o, m, row, err);
    last = m;
  }
  for (uint64_t m = 0; m < o->count && done > 0 && status == MS_OK; m++)
    if (!seen[m] && o->knows_q &&
        ms_compare_places(w, v, o->motif[last], o->motif[m], reached[last], reached[m]) > 0)
      status = ms_result_refuse(&c->result, 0, "a motif that comes before the last row has none");
  *at += done;
  ms_free(seen);
  return status;
}

static ms_status compare_all(ms_certificate *c, ms_error *err)
{
  ms_verify_comparison *w = c->comparison;
  uint32_t most = w->groups * w->groups;
  ms_versus *v = ms_calloc(most, sizeof *v);
  outlook *o = ms_calloc(most, sizeof *o);
  uint32_t versus = v && o ? list_versus(w, v) : 0;
  uint64_t at = 0;
  ms_status status = versus > 0 ? MS_OK : ms_fail_memory(err, "the pairs of groups");
  for (uint32_t t = 0; t < versus && status == MS_OK; t++) {
    status = open_outlook(w, &v[t], &o[t], err);
    /* after a stop, fewer random permutations were done, as the rows say */
    if (c->result.header.status != MS_RESULT_COMPLETE)
      for (uint64_t i = 0; i < w->rows; i++)
        if (w->stated[i].group == v[t].group && w->stated[i].reference == v[t].reference &&
            w->stated[i].permutations < v[t].permutations)
          v[t].permutations = v[t].exact ? 0 : w->stated[i].permutations;
  }
  for (uint32_t t = 0; t < versus && status == MS_OK && c->report->run.stopped == MS_OK; t++) {
    status = permute(w, &v[t], t, &o[t], err);
    c->report->permutations =
        t == 0 || o[t].done < c->report->permutations ? o[t].done : c->report->permutations;
  }
  c->report->is_permuted = true;
  c->report->recounted = c->rows_checked = status == MS_OK && c->report->run.stopped == MS_OK;
  for (uint32_t t = 0; t < versus && status == MS_OK && c->report->recounted; t++)
    status = check_rows(c, &v[t], &o[t], &at, err);
  if (status == MS_OK && c->report->recounted && at != w->rows)
    status = ms_result_refuse(&c->result, w->stated[at].line, "there are rows too many");
  for (uint32_t t = 0; t < versus && status == MS_OK && c->report->recounted; t++)
    c->numbers_believed |= o[t].done < v[t].permutations;
  for (uint32_t t = 0; o && t < versus; t++)
    close_outlook(&o[t]);
  for (uint32_t t = 0; v && t < most; t++) {
    ms_free(v[t].side);
    ms_free(v[t].own);
  }
  ms_free(v);
  ms_free(o);
  return status;
}

/* ---- counts ------------------------------------------------------------------------- */

/* Compares a row of counts with the numbers of its motif. */
static ms_status check_count_row(ms_certificate *c, const ms_stated *row, uint64_t sets)
{
  const ms_verify_comparison *w = c->comparison;
  uint32_t s = row->group;
  double all = (double)w->sets[s];
  double expected = w->single ? ms_expect_tested(w, row->color, s) : NAN;
  double excess = log2(((double)sets / all + w->pseudo) / (expected / all + w->pseudo));
  if (row->sets != sets)
    return ms_result_refuse(&c->result, row->line, "%llu sets fit the motif, not %llu",
                            (unsigned long long)sets, (unsigned long long)row->sets);
  if (!close_to(row->number[0], (double)sets / all))
    return refuse_number(c, row, "the share", (double)sets / all);
  if (!close_to(row->number[1], (double)sets * 1000 / (double)w->vertices[s]))
    return refuse_number(c, row, "the number for 1000 vertices",
                         (double)sets * 1000 / (double)w->vertices[s]);
  if (!close_to(row->number[2], expected))
    return refuse_number(c, row, "the expected number", expected);
  if (!ms_result_fold_fits(row->number[3], sets, row->number[2]))
    return refuse_number(c, row, "fold", (double)sets / expected);
  return near(row->number[4], excess) ? MS_OK : refuse_number(c, row, "log2_excess", excess);
}

static ms_status compare_counts(ms_certificate *c)
{
  ms_verify_comparison *w = c->comparison;
  if (w->rows != w->motifs * w->n)
    return ms_result_refuse(&c->result, 0, "%llu motifs of %u samples have %llu rows",
                            (unsigned long long)w->motifs, w->n, (unsigned long long)w->rows);
  uint64_t last = UINT64_MAX;
  for (uint64_t i = 0; i < w->rows; i++) {
    const ms_stated *row = &w->stated[i];
    const ms_tested *m = ms_find_tested(w, row->color);
    uint64_t total = 0;
    for (uint32_t s = 0; m && m->sets && s < w->n; s++)
      total += m->sets[s];
    bool same = i % w->n > 0 && memcmp(row->color, row[-1].color, sizeof row->color) == 0;
    bool starts = i % w->n == 0 && total <= last;
    for (uint64_t j = 0; starts && i > 0 && j < w->n; j++) /* equal numbers: by colours */
      for (uint32_t x = 0; total == last && j == 0 && x < MS_MAX_CENSUS; x++)
        if (row->color[x] != row[-1].color[x]) {
          starts = row->color[x] > row[-1].color[x];
          break;
        }
    if (!m || !m->sets || row->group != i % w->n || !(same || starts))
      return ms_result_refuse(&c->result, row->line, "the row is out of order");
    MS_TRY(check_count_row(c, row, m->sets[row->group]));
    last = total;
  }
  c->report->recounted = c->rows_checked = true;
  return MS_OK;
}

/* ---- the recount -------------------------------------------------------------------- */

static bool is_number(const char *text, uint64_t wanted)
{
  uint64_t number;
  return ms_take_count(&text, INT64_MAX, &number) && !*text && number == wanted;
}

/* Compares the numbers of vertices with the header's, which are known before any set is counted. */
static ms_status check_vertices(ms_certificate *c)
{
  const ms_result_header *h = &c->result.header;
  const ms_verify_comparison *w = c->comparison;
  for (uint32_t s = 0; s < w->n; s++)
    if (!is_number(h->samples.each->vertices[s], w->vertices[s]))
      return ms_result_refuse(
          &c->result, h->line[MS_PART_SETS], "sample '%.100s' has %llu vertices",
          ms_samples_get(w->samples, s).name, (unsigned long long)w->vertices[s]);
  return MS_OK;
}

/* Compares the numbers of sets of the first `samples` samples with the header's. */
static ms_status check_sets(ms_certificate *c, uint32_t samples)
{
  const ms_result_header *h = &c->result.header;
  const ms_verify_comparison *w = c->comparison;
  for (uint32_t s = 0; s < samples; s++)
    if (!is_number(h->samples.each->sets[s], w->sets[s]) || w->sets[s] == 0)
      return ms_result_refuse(&c->result, h->line[MS_PART_SETS],
                              "sample '%.100s' has %llu sets of %llu vertices",
                              ms_samples_get(w->samples, s).name, (unsigned long long)w->sets[s],
                              (unsigned long long)w->vertices[s]);
  return MS_OK;
}

/* Compares the numbers of sets and motifs with the header's. */
static ms_status check_totals(ms_certificate *c)
{
  const ms_result_header *h = &c->result.header;
  const ms_verify_comparison *w = c->comparison;
  MS_TRY(check_sets(c, w->n));
  if (h->motifs_found != w->motifs)
    return ms_result_refuse(&c->result, h->line[MS_PART_FOUND], "%llu motifs occur, not %llu",
                            (unsigned long long)w->motifs, (unsigned long long)h->motifs_found);
  return MS_OK;
}

static void set_pseudo(ms_verify_comparison *w)
{
  double mean = 0;
  for (uint32_t s = 0; s < w->n; s++)
    mean += (double)w->sets[s] / w->n;
  w->pseudo = 0.5 / mean;
}

static ms_status check_one(ms_certificate *c, const ms_stated *row, ms_tested *m,
                           const ms_stop *stop, ms_error *err)
{
  ms_verify_comparison *w = c->comparison;
  ms_versus v = {0};
  uint64_t one[2] = {0}, *reached[2] = {&one[0], &one[1]}, done;
  if (c->result.header.kind == MS_KIND_SAMPLE_COUNTS)
    return check_count_row(c, row, m->sets[row->group]);
  MS_TRY(ms_score_tested(w, m, err));
  bool ok = make_versus(w, row->group, row->reference, &v);
  ms_status status = ok ? check_effects(c, &v, m, row) : ms_fail_memory(err, "two groups");
  if (status == MS_OK && v.exact && !w->labels) { /* others depend on the number of the contrast */
    status = ms_permute_samples(w, 0, &v, 1, &m, reached, &done, stop, err);
    double p = p_value(&v, v.permutations, one[0]);
    if (status == MS_OK && row->permutations == v.permutations && !close_to(row->number[4], p))
      status = refuse_number(c, row, "p", p);
  }
  ms_free(v.side);
  ms_free(v.own);
  return status;
}

/* Recounts some rows by themselves, with the total numbers of sets that the file states. */
static ms_status recount_sample(ms_certificate *c, ms_error *err)
{
  ms_verify_comparison *w = c->comparison;
  const ms_result_samples *h = &c->result.header.samples;
  uint64_t sample = w->rows < SAMPLE ? w->rows : SAMPLE;
  ms_stop *stop;
  for (uint32_t s = 0; s < w->n; s++) {
    const char *text = h->each->sets[s];
    if (!ms_take_count(&text, INT64_MAX, &w->sets[s]) || *text || w->sets[s] == 0)
      return ms_result_refuse(&c->result, c->result.header.line[MS_PART_SETS],
                              "the numbers of sets cannot be read");
  }
  set_pseudo(w);
  MS_TRY(ms_stop_child(c->options->run.stop, c->options->recount_seconds, &stop, err));
  ms_status status = MS_OK;
  c->report->rows = 0;
  for (uint64_t i = sample; i-- > 0 && status == MS_OK;) {
    const ms_stated *row = &w->stated[i * w->rows / sample];
    ms_tested m = {.sets = ms_calloc(w->n, sizeof *m.sets)};
    memcpy(m.color, row->color, sizeof m.color);
    status =
        m.sets ? ms_count_tested(w, row->color, m.sets, stop, err) : ms_fail_memory(err, "a motif");
    if (status == MS_OK)
      status = check_one(c, row, &m, stop, err);
    c->report->rows += status == MS_OK;
    ms_free(m.sets);
    ms_free(m.score);
    ms_free(m.excess);
  }
  ms_stop_free(stop);
  return ms_note_stop(c, status);
}

/* Checks a file that was stopped before the sets of all samples were counted: the header has their
 * numbers for the first samples, which were counted to the end, and 0 for the others. */
static ms_status check_counted(ms_certificate *c, ms_error *err)
{
  const ms_result_header *h = &c->result.header;
  ms_verify_comparison *w = c->comparison;
  uint32_t counted = 0;
  while (counted < w->n && !is_number(h->samples.each->sets[counted], 0))
    counted++;
  for (uint32_t s = counted; s < w->n; s++)
    if (!is_number(h->samples.each->sets[s], 0))
      return ms_result_refuse(&c->result, h->line[MS_PART_SETS],
                              "sample '%.100s' has sets, and sample '%.100s' before it has none",
                              ms_samples_get(w->samples, s).name,
                              ms_samples_get(w->samples, counted).name);
  if (counted == w->n)
    return ms_result_refuse(&c->result, h->line[MS_PART_SETS],
                            "the sets of all samples were counted, and there are no motifs");
  MS_TRY(ms_stop_child(c->options->run.stop, c->options->recount_seconds, &c->recount_stop, err));
  MS_TRY(ms_count_samples(w, counted, err));
  return c->report->run.stopped == MS_OK ? check_sets(c, counted) : MS_OK;
}

ms_status ms_recount_comparison(ms_certificate *c, ms_error *err)
{
  ms_verify_comparison *w = c->comparison;
  if (c->options->no_recount)
    return ms_fail(err, MS_ERR_USAGE,
                   "%s: numbers of sets can only be checked by a recount; leave out `no_recount`",
                   c->result.path);
  c->rows_checked = c->result.header.motifs_found == 0;
  MS_TRY(check_vertices(c));
  if (c->rows_checked) /* it was stopped before all sets were counted */
    return check_counted(c, err);
  MS_TRY(ms_stop_child(c->options->run.stop, c->options->recount_seconds, &c->recount_stop, err));
  MS_TRY(ms_count_samples(w, w->n, err));
  if (c->report->run.stopped != MS_OK)
    return recount_sample(c, err);
  MS_TRY(check_totals(c));
  set_pseudo(w);
  if (c->result.header.kind == MS_KIND_SAMPLE_COUNTS)
    return compare_counts(c);
  for (uint64_t i = 0; i < w->places; i++)
    if (w->motif[i].sets)
      MS_TRY(ms_score_tested(w, &w->motif[i], err));
  MS_TRY(compare_all(c, err));
  if (c->report->run.stopped != MS_OK)
    return recount_sample(c, err);
  if (c->numbers_believed) /* every row is checked, though by fewer permutations */
    c->report->run.stopped = MS_ERR_LIMIT;
  return MS_OK;
}
