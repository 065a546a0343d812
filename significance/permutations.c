/* Permutations of a census: batches or single permutations one after the other, and sums of what
 * they count.  All sums are of whole numbers, so that their order does not matter. */
#include "significance/permute_side.h"
#include "significance/tails.h"

#include "base/alloc.h"
#include "base/options.h"
#include "base/status.h"
#include "base/stop.h"
#include "base/threads.h"
#include "graph/colors.h"
#include "graph/graph.h"
#include "parts/log.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SAME_Z 1e-9    /* z that differ by so little, relative, are equal */
#define FIRST_BATCH 8u /* so that a run which is stopped soon has some permutations */

__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 unsigned_wide;

/* Of one motif: d is its number in a permuted graph less that in the graph. */
typedef struct sums {
  wide first;           /* of d */
  unsigned_wide second; /* of d^2 */
} sums;

typedef struct permuting {
  ms_permute p;
  ms_permutation_result *result;
  sums *sum;          /* [motifs] */
  uint64_t *count;    /* [batch][motifs]; NULL: one by one */
  uint64_t *kept;     /* [rows_kept][motifs] numbers of the first permutations; NULL: none */
  uint64_t rows_kept; /* all with max_t */
  ms_permute_batch *batch;
  ms_permute_gpus *gpus; /* instead of batches on processors; may be NULL */
  uint32_t batch_size;   /* 0: one by one */
  uint64_t reserved;
} permuting;

void ms_permutation_result_free(ms_permutation_result *r)
{
  if (r) {
    ms_free(r->expected);
    ms_free(r->sd);
    ms_free(r->z);
    ms_free(r->p);
    ms_free(r->q);
    ms_free(r->p_less);
    ms_free(r->q_less);
    ms_free(r->p_max);
    ms_free(r->n_ge);
    ms_free(r->n_le);
    ms_free(r->counts);
    ms_free(r);
  }
}

/* ---- opening -------------------------------------------------------------------------------- */

static ms_status check(const ms_graph *graph, const ms_census_options *census,
                       ms_permutation_options *o, const ms_census_result *observed, ms_error *err)
{
  o->permutations = o->permutations ? o->permutations : MS_USUAL_PERMUTATIONS;
  if (o->permutations > MS_MOST_PERMUTATIONS)
    return ms_fail(err, MS_ERR_USAGE, "`permutations` is %llu; choose at most %u",
                   (unsigned long long)o->permutations, MS_MOST_PERMUTATIONS);
  if (observed->k != census->k || observed->stopped != MS_OK)
    return ms_fail(err, MS_ERR_USAGE,
                   "permutations need a whole census of sets of %u vertices; it has sets of %u%s",
                   census->k, observed->k, observed->stopped ? " and was stopped" : "");
  if (observed->count < observed->motifs)
    return ms_fail(err, MS_ERR_USAGE,
                   "permutations need all motifs of a census; leave out `min_count` and `top`");
  if (o->n_strata > 0 && o->n_strata != graph->n)
    return ms_fail(err, MS_ERR_USAGE, "`stratum` is of %u vertices, and the graph has %u",
                   o->n_strata, graph->n);
  if (o->n_strata > 0 && o->null_kind == MS_NULL_REWIRE)
    return ms_fail(err, MS_ERR_USAGE,
                   "rewiring moves no colours, so that `stratum` has no effect; leave one out");
  return MS_OK;
}

static ms_status open_result(permuting *c, ms_error *err)
{
  ms_permutation_result *r = c->result;
  uint64_t motifs = c->p.motifs;
  r->count = motifs;
  r->asked = c->p.options->permutations;
  r->classes = c->p.null->classes;
  double **column[] = {&r->expected, &r->sd,     &r->z,      &r->p,
                       &r->q,        &r->p_less, &r->q_less, &r->p_max};
  size_t columns = sizeof column / sizeof *column - !c->p.options->max_t;
  bool ok = true;
  for (size_t i = 0; i < columns; i++) {
    *column[i] = ms_alloc(motifs, sizeof **column[i]);
    ok &= *column[i] != NULL;
  }
  r->n_ge = ms_calloc(motifs, sizeof *r->n_ge);
  r->n_le = ms_calloc(motifs, sizeof *r->n_le);
  return ok && r->n_ge && r->n_le ? MS_OK : ms_fail_memory(err, "the results of permutations");
}

/* Opens what both engines need, then the batches. */
static ms_status open_tables(permuting *c, ms_error *err)
{
  ms_permute *p = &c->p;
  uint64_t motifs = p->motifs, bytes = motifs * (sizeof *c->sum + sizeof *c->count), kept = 0;
  uint64_t permutations = p->options->permutations, asked = p->options->keep_counts;
  c->rows_kept = p->options->max_t || asked > permutations ? permutations : asked;
  if (__builtin_mul_overflow(motifs * sizeof *c->kept, c->rows_kept, &kept))
    kept = UINT64_MAX / 2;
  bytes += kept;
  if (!ms_budget_reserve(&p->budget, bytes))
    return ms_fail(err, MS_ERR_MEMORY, "%s need more memory; raise `memory`%s",
                   !kept               ? "the sums of permutations"
                   : p->options->max_t ? "the numbers of all permutations, from which `max_t` is "
                                         "computed,"
                                       : "the numbers of sets of the permutations to be kept",
                   !kept               ? ""
                   : p->options->max_t ? ", or lower `permutations`"
                                       : ", or keep those of fewer permutations");
  c->reserved = bytes;
  MS_TRY(ms_permute_gpus_open(p, &c->gpus, err));
  c->batch_size = c->gpus ? MS_NULL_BATCH : ms_permute_batch_size(p);
  c->sum = ms_calloc(motifs, sizeof *c->sum);
  c->count = c->batch_size ? ms_alloc(motifs * c->batch_size, sizeof *c->count) : NULL;
  c->kept = kept ? ms_alloc(motifs * c->rows_kept, sizeof *c->kept) : NULL;
  if (!c->sum || (c->batch_size && !c->count) || (kept && !c->kept))
    return ms_fail_memory(err, "the sums of permutations");
  return c->batch_size && !c->gpus ? ms_permute_batch_open(p, c->batch_size, &c->batch, err)
                                   : MS_OK;
}

static void close_permuting(permuting *c)
{
  ms_permute_batch_close(c->batch);
  ms_permute_gpus_close(c->gpus);
  ms_permute_close(&c->p);
  ms_free(c->sum);
  ms_free(c->count);
  ms_free(c->kept);
}

/* ---- sums ------------------------------------------------------------------------------------ */

static void add_trace(ms_permutation_result *r, const ms_null_trace *trace)
{
  r->tried += trace->tried;
  r->accepted += trace->accepted;
  r->deviation = trace->deviation > r->deviation ? trace->deviation : r->deviation;
}

/* Adds the numbers of the next permutation. */
static ms_status add_counts(void *user, const uint64_t *count, const ms_null_trace *trace,
                            ms_error *err)
{
  permuting *c = user;
  const uint64_t *observed = c->p.observed->n_sets;
  ms_permutation_result *r = c->result;
  bool overflow = false;
  for (uint64_t i = 0; i < c->p.motifs; i++) {
    wide d = (wide)count[i] - observed[i];
    unsigned_wide square = (unsigned_wide)(d * d);
    c->sum[i].first += d;
    overflow |= __builtin_add_overflow(c->sum[i].second, square, &c->sum[i].second);
    r->n_ge[i] += d >= 0;
    r->n_le[i] += d <= 0;
  }
  if (overflow)
    return ms_census_fail_overflow(err);
  if (r->done < c->rows_kept && c->kept)
    memcpy(c->kept + r->done * c->p.motifs, count, c->p.motifs * sizeof *count);
  add_trace(r, trace);
  r->done++;
  return MS_OK;
}

static ms_status run_batch(permuting *c, ms_error *err)
{
  ms_null_trace trace[MS_NULL_BATCH];
  uint64_t left = c->result->asked - c->result->done;
  uint32_t size = c->result->done == 0 && c->batch_size > FIRST_BATCH ? FIRST_BATCH : c->batch_size;
  bool fits = true;
  size = left < size ? (uint32_t)left : size;
  MS_TRY(c->gpus
             ? ms_permute_gpus_run(c->gpus, c->result->done, size, c->count, trace, err)
             : ms_permute_batch_run(c->batch, c->result->done, size, c->count, trace, &fits, err));
  if (!fits) {
    ms_permute_batch_close(c->batch);
    c->batch = NULL;
    return MS_OK;
  }
  for (uint32_t i = 0; i < size; i++)
    MS_TRY(add_counts(c, c->count + i * c->p.motifs, &trace[i], err));
  c->result->batched += size;
  c->result->on_gpus += c->gpus ? size : 0;
  return MS_OK;
}

static ms_status run_all(permuting *c, ms_error *err)
{
  const ms_census_options *o = c->p.census;
  ms_permutation_result *r = c->result;
  while (r->done < r->asked && (c->batch || c->gpus)) {
    if (o->progress && r->done > 0)
      o->progress(o->progress_user, "permutations", r->done, r->asked);
    MS_TRY(run_batch(c, err));
  }
  return ms_permute_side_by_side(&c->p, r->done, r->asked, add_counts, c, err);
}

/* ---- statistics ------------------------------------------------------------------------------ */

static void fill_moments(permuting *c)
{
  ms_permutation_result *r = c->result;
  double n = (double)r->done;
  for (uint64_t i = 0; i < r->count; i++) {
    const sums *s = &c->sum[i];
    wide all = (wide)c->p.observed->n_sets[i] * (wide)r->done + s->first;
    r->expected[i] = r->done > 0 ? (double)all / n : (double)NAN;
    /* the sum of squares around the mean, times n; exact unless it has no 127 bits */
    wide square, mean;
    double around;
    if (__builtin_mul_overflow((wide)s->second, (wide)r->done, &square) ||
        __builtin_mul_overflow(s->first, s->first, &mean) || (wide)s->second < 0)
      around = (double)s->second * n - (double)s->first * (double)s->first;
    else
      around = (double)(square - mean);
    r->sd[i] = r->done > 1 ? sqrt(around / n / (n - 1)) : (double)NAN;
    r->z[i] = r->sd[i] > 0 ? (double)-s->first / n / r->sd[i] : (double)NAN;
    r->p[i] = (1.0 + (double)r->n_ge[i]) / (1.0 + n);
    r->p_less[i] = (1.0 + (double)r->n_le[i]) / (1.0 + n);
  }
}

static int by_value(const void *a, const void *b)
{
  const double *x = a, *y = b;
  return *x < *y ? -1 : *x > *y;
}

/* Fills p_max from the greatest z of each permutation. */
static ms_status fill_max(permuting *c, ms_error *err)
{
  ms_permutation_result *r = c->result;
  double *greatest = ms_alloc(r->done, sizeof *greatest);
  if (!greatest)
    return ms_fail_memory(err, "the results of permutations");
  for (uint64_t n = 0; n < r->done; n++) {
    greatest[n] = -INFINITY;
    for (uint64_t i = 0; i < r->count; i++) {
      /* as z above, so that equal numbers have equal z */
      double z = ((double)c->kept[n * r->count + i] - (double)c->p.observed->n_sets[i]) / r->sd[i] +
                 r->z[i];
      if (r->sd[i] > 0 && z > greatest[n])
        greatest[n] = z;
    }
  }
  if (r->done > 0)
    qsort(greatest, r->done, sizeof *greatest, by_value);
  for (uint64_t i = 0; i < r->count; i++) {
    /* equal z of two motifs may differ in their last bits */
    double least = r->z[i] - SAME_Z * (1 + fabs(r->z[i]));
    uint64_t low = 0, high = r->done; /* the first that is at least z, in low .. high */
    while (low < high) {
      uint64_t middle = low + (high - low) / 2;
      if (greatest[middle] >= least)
        high = middle;
      else
        low = middle + 1;
    }
    uint64_t at_least = isnan(r->z[i]) ? r->done : r->done - low;
    r->p_max[i] = (1.0 + (double)at_least) / (1.0 + (double)r->done);
  }
  ms_free(greatest);
  return MS_OK;
}

static ms_status fill_statistics(permuting *c, ms_error *err)
{
  ms_permutation_result *r = c->result;
  fill_moments(c);
  MS_TRY(ms_adjust_p(r->p, r->count, (double)r->count, r->q, err));
  MS_TRY(ms_adjust_p(r->p_less, r->count, (double)r->count, r->q_less, err));
  if (c->p.options->max_t && c->kept)
    MS_TRY(fill_max(c, err));
  if (c->p.options->keep_counts > 0) {
    r->kept = r->done < c->p.options->keep_counts ? r->done : c->p.options->keep_counts;
    r->counts = c->kept;
    c->kept = NULL;
  }
  return MS_OK;
}

/* ---- entry point ------------------------------------------------------------------------------
 */

static ms_status permute(permuting *c, ms_error *err)
{
  ms_status status = ms_permute_open(&c->p, err);
  if (status == MS_OK)
    status = open_result(c, err);
  if (status == MS_OK)
    status = open_tables(c, err);
  if (status == MS_OK)
    status = run_all(c, err);
  return status;
}

ms_status ms_census_permute_by(const ms_census_accelerator *gpus, const ms_graph *graph,
                               const ms_coloring *coloring, const ms_census_options *census,
                               const ms_permutation_options *options,
                               const ms_census_result *observed, ms_permutation_result **out,
                               ms_error *err)
{
  ms_census_options o;
  ms_permutation_options q;
  MS_REQUIRE(out, err);
  *out = NULL;
  MS_REQUIRE(graph, err);
  MS_REQUIRE(coloring, err);
  MS_REQUIRE(observed, err);
  MS_TRY(ms_options_take(&ms_census_options_kind, census, &o, err));
  MS_TRY(ms_options_take(&ms_permutation_options_kind, options, &q, err));
  MS_TRY(ms_census_complete(&o, err));
  MS_TRY(ms_division_refuse(o.division, "a census with permutations", err));
  MS_TRY(ms_coloring_check(coloring, graph, err));
  MS_TRY(check(graph, &o, &q, observed, err));
  permuting c = {.p = {.gpus = gpus,
                       .graph = graph,
                       .coloring = coloring,
                       .census = &o,
                       .options = &q,
                       .observed = observed,
                       .motifs = observed->count,
                       .threads = ms_threads(o.threads)}};
  c.result = ms_calloc(1, sizeof *c.result);
  if (!c.result)
    return ms_fail_memory(err, "the results of permutations");
  ms_budget_open(&c.p.budget, o.memory);
  ms_stop *before = ms_stop_enter(o.stop);
  ms_status status = permute(&c, err);
  ms_stop_leave(before);
  if (status == MS_ERR_LIMIT || status == MS_ERR_INTERRUPTED) {
    c.result->stopped = status;
    status = c.result->n_le ? MS_OK : status; /* else it was stopped before there were results */
  }
  if (status == MS_OK)
    status = fill_statistics(&c, err);
  c.result->bytes = c.p.budget.peak;
  close_permuting(&c);
  if (status == MS_OK)
    *out = c.result;
  else
    ms_permutation_result_free(c.result);
  return status;
}
