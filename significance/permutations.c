/* Permutations of a census: batches or single permutations one after the other, and sums of what
 * they count.  All sums are of whole numbers, so that their order does not matter. */
#include "significance/permute_side.h"
#include "significance/permute_state.h"
#include "significance/tails.h"

#include "base/alloc.h"
#include "base/options.h"
#include "base/status.h"
#include "base/stop.h"
#include "base/threads.h"
#include "graph/colors.h"
#include "graph/content.h"
#include "graph/graph.h"
#include "parts/log.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SAME_Z 1e-9    /* z that differ by so little, relative, are equal */
#define FIRST_BATCH 8u /* so that a run which is stopped soon has some permutations */

typedef struct permuting {
  ms_permute p;
  ms_permutation_result *result;
  ms_permutation_sum *sum; /* [motifs] */
  bool is_part;
  uint64_t first, wanted; /* the first permutation of the part, and how many it has */
  ms_permute_state state; /* what a checkpoint has */
  uint64_t *count;        /* [batch][motifs]; NULL: one by one */
  uint64_t *kept;         /* [rows_kept][motifs] numbers of the first permutations; NULL: none */
  uint64_t rows_kept;     /* all with max_t */
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
    ms_free(r->sum);
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

uint64_t ms_permutations_of_part(uint64_t permutations, uint32_t part, uint32_t parts,
                                 uint64_t *first)
{
  *first = parts > 0 ? permutations * (part - 1u) / parts : 0;
  return parts > 0 ? permutations * part / parts - *first : permutations;
}

ms_status ms_permutation_result_open(ms_permutation_result *r, uint64_t motifs, bool max_t,
                                     ms_error *err)
{
  double **column[] = {&r->expected, &r->sd,     &r->z,      &r->p,
                       &r->q,        &r->p_less, &r->q_less, &r->p_max};
  size_t columns = sizeof column / sizeof *column - !max_t;
  bool ok = true;
  r->count = motifs;
  for (size_t i = 0; i < columns; i++) {
    *column[i] = ms_alloc(motifs, sizeof **column[i]);
    ok &= *column[i] != NULL;
  }
  r->n_ge = ms_calloc(motifs, sizeof *r->n_ge);
  r->n_le = ms_calloc(motifs, sizeof *r->n_le);
  return ok && r->n_ge && r->n_le ? MS_OK : ms_fail_memory(err, "the results of permutations");
}

static ms_status open_result(permuting *c, ms_error *err)
{
  ms_permutation_result *r = c->result;
  r->asked = c->p.options->permutations;
  r->classes = c->p.null->classes;
  r->first = c->first;
  return ms_permutation_result_open(r, c->p.motifs, c->p.options->max_t, err);
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
  for (uint64_t i = 0; i < c->p.motifs; i++)
    overflow |=
        !ms_permutation_sum_add(&c->sum[i], &r->n_ge[i], &r->n_le[i], count[i], observed[i]);
  if (overflow)
    return ms_census_fail_overflow(err);
  if (r->done < c->rows_kept && c->kept)
    memcpy(c->kept + r->done * c->p.motifs, count, c->p.motifs * sizeof *count);
  add_trace(r, trace);
  r->done++;
  ms_permute_state_note(&c->state);
  return MS_OK;
}

static ms_status run_batch(permuting *c, ms_error *err)
{
  ms_null_trace trace[MS_NULL_BATCH];
  uint64_t left = c->wanted - c->result->done, first = c->first + c->result->done;
  uint32_t size = c->result->done == 0 && c->batch_size > FIRST_BATCH ? FIRST_BATCH : c->batch_size;
  bool fits = true;
  size = left < size ? (uint32_t)left : size;
  MS_TRY(c->gpus ? ms_permute_gpus_run(c->gpus, first, size, c->count, trace, err)
                 : ms_permute_batch_run(c->batch, first, size, c->count, trace, &fits, err));
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
  while (r->done < c->wanted && (c->batch || c->gpus)) {
    if (o->progress && r->done > 0)
      o->progress(o->progress_user, "permutations", r->done, c->wanted);
    MS_TRY(run_batch(c, err));
  }
  return ms_permute_side_by_side(&c->p, c->first + r->done, c->first + c->wanted, add_counts, c,
                                 err);
}

/* ---- statistics ------------------------------------------------------------------------------ */

static void fill_moments(ms_permutation_result *r, const ms_permutation_sum *sum,
                         const uint64_t *n_sets)
{
  double n = (double)r->done;
  for (uint64_t i = 0; i < r->count; i++) {
    const ms_permutation_sum *s = &sum[i];
    ms_wide all = (ms_wide)n_sets[i] * (ms_wide)r->done + s->first;
    r->expected[i] = r->done > 0 ? (double)all / n : (double)NAN;
    /* the sum of squares around the mean, times n; exact unless it has no 127 bits */
    ms_wide square, mean;
    double around;
    if (__builtin_mul_overflow((ms_wide)s->second, (ms_wide)r->done, &square) ||
        __builtin_mul_overflow(s->first, s->first, &mean) || (ms_wide)s->second < 0)
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
static ms_status fill_max(ms_permutation_result *r, const uint64_t *n_sets, const uint64_t *kept,
                          ms_error *err)
{
  double *greatest = ms_alloc(r->done, sizeof *greatest);
  if (!greatest)
    return ms_fail_memory(err, "the results of permutations");
  for (uint64_t n = 0; n < r->done; n++) {
    greatest[n] = -INFINITY;
    for (uint64_t i = 0; i < r->count; i++) {
      /* as z above, so that equal numbers have equal z */
      double z = ((double)kept[n * r->count + i] - (double)n_sets[i]) / r->sd[i] + r->z[i];
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

ms_status ms_permutation_result_fill(ms_permutation_result *r, const ms_permutation_sum *sum,
                                     const uint64_t *n_sets, const uint64_t *kept, ms_error *err)
{
  fill_moments(r, sum, n_sets);
  MS_TRY(ms_adjust_p(r->p, r->count, (double)r->count, r->q, err));
  MS_TRY(ms_adjust_p(r->p_less, r->count, (double)r->count, r->q_less, err));
  return kept ? fill_max(r, n_sets, kept, err) : MS_OK;
}

static ms_status fill_statistics(permuting *c, ms_error *err)
{
  ms_permutation_result *r = c->result;
  MS_TRY(ms_permutation_result_fill(r, c->sum, c->p.observed->n_sets,
                                    c->p.options->max_t ? c->kept : NULL, err));
  if (c->p.options->keep_counts > 0) {
    r->kept = r->done < c->p.options->keep_counts ? r->done : c->p.options->keep_counts;
    r->counts = c->kept;
    c->kept = NULL;
  }
  if (c->is_part) {
    r->sum = c->sum;
    c->sum = NULL;
  }
  return MS_OK;
}

/* ---- entry point ------------------------------------------------------------------------------
 */

/* Opens the identity of a run that has a checkpoint. */
static ms_status identify(permuting *c, ms_error *err)
{
  const ms_permute *p = &c->p;
  const ms_census_options *o = p->census;
  ms_identity *id = &c->state.identity;
  if (!ms_permute_state_saves(&c->state))
    return MS_OK;
  MS_TRY(ms_identity_open(id, "permutations of a census", err));
  MS_TRY(ms_identity_crc32c(id, "checksum of the graph", ms_graph_content(p->graph), err));
  MS_TRY(ms_identity_crc32c(id, "checksum of the colours", ms_coloring_content(p->coloring), err));
  MS_TRY(ms_identity_number(id, "k", o->k, err));
  MS_TRY(ms_identity_text(id, "primary colour", o->primary ? "yes" : "no", err));
  for (uint32_t i = 0; i < o->n_only; i++)
    MS_TRY(ms_identity_number(id, "colour that counts", o->only[i], err));
  return MS_OK;
}

static ms_status open_state(permuting *c, ms_error *err)
{
  MS_TRY(identify(c, err));
  c->state.options = c->p.options;
  c->state.motifs = c->p.motifs;
  c->state.result = c->result;
  c->state.sum = c->sum;
  c->state.kept = c->kept;
  c->state.rows_kept = c->rows_kept;
  return ms_permute_state_open(&c->state, err);
}

static ms_status permute(permuting *c, ms_error *err)
{
  ms_status status = ms_permute_open(&c->p, err);
  if (status == MS_OK)
    status = open_result(c, err);
  if (status == MS_OK)
    status = open_tables(c, err);
  if (status == MS_OK)
    status = open_state(c, err);
  if (status == MS_OK)
    status = run_all(c, err);
  if (status == MS_OK || status == MS_ERR_LIMIT || status == MS_ERR_INTERRUPTED)
    ms_permute_state_save(&c->state);
  return status;
}

/* Reads the division: the permutations of the part. */
static ms_status divide(permuting *c, const ms_division *division, ms_error *err)
{
  const ms_permutation_options *o = c->p.options;
  c->wanted = o->permutations;
  if (!division)
    return MS_OK;
  if (division->crew)
    return ms_division_refuse(division, "a census with permutations", err);
  if (division->parts == 0)
    return MS_OK;
  if (o->max_t || o->keep_counts > 0)
    return ms_division_refuse(division, "permutations of which each one counts, as with `max_t`,",
                              err);
  c->is_part = true;
  c->wanted = ms_permutations_of_part(o->permutations, division->part, division->parts, &c->first);
  return MS_OK;
}

ms_status ms_census_permute_by(const ms_census_accelerator *gpus, const ms_graph *graph,
                               const ms_coloring *coloring, const ms_census_options *census,
                               const ms_permutation_options *options,
                               const ms_census_result *observed, ms_permutation_result **out,
                               ms_error *err)
{
  ms_census_options o;
  ms_permutation_options q;
  ms_division division;
  MS_REQUIRE(out, err);
  *out = NULL;
  MS_REQUIRE(graph, err);
  MS_REQUIRE(coloring, err);
  MS_REQUIRE(observed, err);
  MS_TRY(ms_options_take(&ms_census_options_kind, census, &o, err));
  MS_TRY(ms_options_take(&ms_permutation_options_kind, options, &q, err));
  MS_TRY(ms_census_complete(&o, err));
  MS_TRY(ms_division_take(&o.division, &division, err));
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
  MS_TRY(divide(&c, o.division, err));
  c.state.division = o.division;
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
  ms_permute_state_close(&c.state, c.result);
  close_permuting(&c);
  if (status == MS_OK)
    *out = c.result;
  else
    ms_permutation_result_free(c.result);
  return status;
}
