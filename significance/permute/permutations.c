/* Permutations of a census: batches or single permutations one after the other, and sums of what
 * they count.  All sums are of whole numbers, so that their order does not matter. */
#include "significance/permute/permute_side.h"
#include "significance/permute/permute_sum.h"

#include "base/alloc.h"
#include "base/options.h"
#include "base/status.h"
#include "base/threads/stop.h"
#include "base/threads/threads.h"
#include "graph/colors.h"
#include "graph/content.h"
#include "graph/graph.h"

#include <string.h>

#define FIRST_BATCH 8u       /* so that a run which is stopped soon has some permutations */
#define RANGE_SECONDS 0.5    /* of a range of permutations of a rank, about */
#define BATCHES_OF_MEMBER 4u /* that each member of a crew should have at least */

typedef struct permuting {
  ms_permute p;
  ms_permutation_result *result;
  bool is_part;
  uint64_t first, wanted; /* the first permutation of the part, and how many it has */
  ms_permuted sum;
  ms_sum_run units; /* which are permutations: unit 0 is `first` */
  /* The permutations that are being counted, from number `from` on, and their sum. */
  ms_permuted *into;
  uint64_t from;
  uint64_t *count; /* [batch][motifs]; NULL: one by one */
  ms_permute_batch *batch;
  ms_permute_gpus *gpus; /* instead of batches on processors; may be NULL */
  uint32_t batch_size;   /* 0: one by one */
  uint64_t reserved;
} permuting;

/* ---- opening -------------------------------------------------------------------------------- */

static ms_status check(const ms_graph *graph, bool has_colors, const ms_census_options *census,
                       ms_permutation_options *o, const ms_census_result *observed, ms_error *err)
{
  o->permutations = o->permutations ? o->permutations : MS_USUAL_PERMUTATIONS;
  if (o->permutations > MS_MOST_PERMUTATIONS)
    return ms_fail(err, MS_ERR_USAGE, "`permutations` is %llu; choose at most %u",
                   (unsigned long long)o->permutations, MS_MOST_PERMUTATIONS);
  if ((observed->shape != NULL) != census->shapes)
    return ms_fail(err, MS_ERR_USAGE,
                   "the census and the options differ in `shapes`; pass what made the census");
  if (!has_colors && o->null_kind != MS_NULL_REWIRE)
    return ms_fail(err, MS_ERR_USAGE,
                   "without colours, only edges can be random: choose the null that rewires them");
  if (observed->k != census->k || observed->run.stopped != MS_OK)
    return ms_fail(err, MS_ERR_USAGE,
                   "permutations need a whole census of sets of %u vertices; it has sets of %u%s",
                   census->k, observed->k, observed->run.stopped ? " and was stopped" : "");
  if (observed->count < observed->motifs)
    return ms_fail(err, MS_ERR_USAGE,
                   "permutations need all motifs of a census; leave out `min_count` and `top`");
  if (o->n_strata > 0 && o->n_strata != graph->n)
    return ms_fail(err, MS_ERR_USAGE, "`stratum` is of %u vertices, and the graph has %u",
                   o->n_strata, graph->n);
  if (o->n_strata > 0 && ms_null_rewires(o->null_kind))
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
  uint64_t motifs = p->motifs, kept = 0;
  uint64_t bytes = motifs * (sizeof *c->sum.sum + sizeof *c->count);
  uint64_t permutations = p->options->permutations, asked = p->options->keep_counts;
  uint64_t rows = p->options->max_t || asked > permutations ? permutations : asked;
  if (__builtin_mul_overflow(motifs * sizeof *c->sum.kept, rows, &kept))
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
  MS_TRY(ms_permuted_open(&c->sum, motifs, rows, err)); /* first: what follows may be stopped */
  MS_TRY(ms_permute_gpus_open(p, &c->gpus, err));
  c->batch_size = c->gpus ? MS_NULL_BATCH : ms_permute_batch_size(p);
  c->count = c->batch_size ? ms_alloc(motifs * c->batch_size, sizeof *c->count) : NULL;
  if (c->batch_size && !c->count)
    return ms_fail_memory(err, "the sums of permutations");
  return c->batch_size && !c->gpus ? ms_permute_batch_open(p, c->batch_size, &c->batch, err)
                                   : MS_OK;
}

static void close_permuting(permuting *c)
{
  ms_permute_batch_close(c->batch);
  ms_permute_gpus_close(c->gpus);
  ms_permute_close(&c->p);
  ms_permuted_close(&c->sum);
  ms_free(c->count);
}

/* ---- counting -------------------------------------------------------------------------------- */

/* Adds the numbers of the next permutation. */
static ms_status add_counts(void *user, const uint64_t *count, const ms_null_trace *trace,
                            ms_error *err)
{
  permuting *c = user;
  if (!ms_permuted_count(c->into, count, c->p.observed->n_sets, trace))
    return ms_census_fail_overflow(err);
  if (c->into == &c->sum)
    ms_sum_note(&c->units, c->sum.done);
  return MS_OK;
}

/* Counts a batch of permutations below number `end`. */
static ms_status run_batch(permuting *c, uint64_t end, ms_error *err)
{
  ms_null_trace trace[MS_NULL_BATCH];
  uint64_t first = c->from + c->into->done;
  bool begins = c->into == &c->sum && c->into->done == 0;
  uint32_t size = begins && c->batch_size > FIRST_BATCH ? FIRST_BATCH : c->batch_size;
  bool fits = true;
  size = end - first < size ? (uint32_t)(end - first) : size;
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

/* Counts the permutations below number `end`, into c->into. */
static ms_status run_all(permuting *c, uint64_t end, ms_error *err)
{
  const ms_census_options *o = c->p.census;
  const ms_permuted *into = c->into;
  while (c->from + into->done < end && (c->batch || c->gpus)) {
    if (into->done > 0 && into == &c->sum)
      ms_limits_report(&o->run, "permutations", into->done, c->wanted);
    MS_TRY(run_batch(c, end, err));
  }
  return ms_permute_side_by_side(&c->p, c->from + into->done, end, into == &c->sum, add_counts, c,
                                 err);
}

/* ---- the sum (parts/sum.h) --------------------------------------------------------------------
 */

static ms_status identify(void *run, ms_identity *id, ms_error *err)
{
  const permuting *c = run;
  const ms_census_options *o = c->p.census;
  MS_TRY(ms_identity_crc32c(id, "checksum of the graph", ms_graph_content(c->p.graph), err));
  if (c->p.coloring)
    MS_TRY(
        ms_identity_crc32c(id, "checksum of the colours", ms_coloring_content(c->p.coloring), err));
  if (o->shapes)
    MS_TRY(ms_identity_text(id, "shapes", o->non_induced ? "all" : "induced", err));
  MS_TRY(ms_identity_number(id, "k", o->k, err));
  MS_TRY(ms_identity_text(id, "primary colour", o->primary ? "yes" : "no", err));
  for (uint32_t i = 0; i < o->n_only; i++)
    MS_TRY(ms_identity_number(id, "colour that counts", o->only[i], err));
  return ms_permuted_identify(&c->sum, c->p.options, id, err);
}

/* Counts the permutations of a range into a sum of their own. */
static ms_status put(void *run, uint32_t opinion, const ms_share *share, ms_bytes *out,
                     ms_error *err)
{
  permuting *c = run;
  ms_permuted part;
  uint64_t last = share->last, rows = c->sum.rows_kept < last ? c->sum.rows_kept : last;
  (void)opinion;
  ms_status status =
      ms_permuted_open(&part, c->p.motifs, rows > share->first ? rows - share->first : 0, err);
  c->into = &part;
  c->from = c->first + share->first;
  if (status == MS_OK)
    status = run_all(c, c->first + last, err);
  if (status == MS_OK)
    ms_permuted_put(&part, out);
  ms_permuted_close(&part);
  return status;
}

static ms_status add(void *run, uint64_t first, uint64_t last, const ms_bytes *bytes, bool *enough,
                     ms_error *err)
{
  permuting *c = run;
  (void)enough;
  return ms_permuted_add(&c->sum, last - first, bytes, err);
}

static void save(void *run, ms_bytes *out)
{
  const permuting *c = run;
  ms_permuted_put(&c->sum, out);
}

static const ms_sum_kind permutations = {.name = "permutations of a census",
                                         .units = "permutations",
                                         .identify = identify,
                                         .put = put,
                                         .add = add,
                                         .save = save};

/* Ranges of a crew have whole batches, if each member has several of them. */
static void cut(permuting *c, const ms_crew *crew)
{
  uint64_t members = crew->members > 0 ? crew->members : 1;
  c->units.job.seconds = RANGE_SECONDS;
  c->units.job.whole = c->wanted / members >= BATCHES_OF_MEMBER * c->batch_size ? c->batch_size : 1;
}

static ms_status count(permuting *c, ms_error *err)
{
  const ms_division *d = c->p.census->division;
  if (d) {
    c->units = (ms_sum_run){.kind = &permutations,
                            .run = c,
                            .division = d,
                            .units = c->wanted,
                            .limits = c->p.census->run};
    MS_TRY(ms_sum_open(&c->units, err));
    c->units.part = ms_share_of_range(0, UINT64_MAX); /* the units are those of the part */
    c->result->run.resumed = c->units.resumed;
  }
  if (d && d->crew) {
    cut(c, d->crew);
    return ms_sum_all(&c->units, err);
  }
  c->into = &c->sum;
  c->from = c->first;
  ms_status status = run_all(c, c->first + c->wanted, err);
  if (status == MS_OK || status == MS_ERR_LIMIT || status == MS_ERR_INTERRUPTED)
    ms_sum_save(&c->units);
  return status;
}

/* ---- statistics ------------------------------------------------------------------------------ */

static ms_status fill_statistics(permuting *c, ms_error *err)
{
  ms_permutation_result *r = c->result;
  MS_TRY(ms_permuted_finish(&c->sum, c->p.observed->n_sets, c->p.options->max_t, r, err));
  MS_TRY(ms_permute_means(&c->p, &r->mean, err));
  if (c->p.options->keep_counts > 0) {
    r->kept = r->done < c->p.options->keep_counts ? r->done : c->p.options->keep_counts;
    r->counts = c->sum.kept;
    c->sum.kept = NULL;
  }
  if (c->is_part) {
    r->sum = c->sum.sum;
    c->sum.sum = NULL;
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
  return status == MS_OK ? count(c, err) : status;
}

/* Reads the division: the permutations of the part. */
static ms_status divide(permuting *c, const ms_division *division, ms_error *err)
{
  const ms_permutation_options *o = c->p.options;
  c->wanted = o->permutations;
  if (!division || division->parts == 0)
    return MS_OK;
  if (o->max_t || o->keep_counts > 0)
    return ms_division_refuse_part("permutations of which each one counts, as with `max_t`,", err);
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
  MS_REQUIRE(observed, err);
  MS_TRY(ms_options_take(&ms_census_options_kind, census, &o, err));
  if (!o.shapes)
    MS_REQUIRE(coloring, err);
  MS_TRY(ms_options_take(&ms_permutation_options_kind, options, &q, err));
  MS_TRY(ms_census_complete(&o, err));
  MS_TRY(ms_division_take(&o.division, &division, err));
  if (coloring)
    MS_TRY(ms_coloring_check(coloring, graph, err));
  MS_TRY(check(graph, coloring != NULL, &o, &q, observed, err));
  permuting c = {.p = {.gpus = gpus,
                       .graph = graph,
                       .coloring = coloring,
                       .census = &o,
                       .options = &q,
                       .observed = observed,
                       .motifs = observed->count,
                       .threads = ms_threads(o.run.threads)}};
  MS_TRY(divide(&c, o.division, err));
  c.result = ms_calloc(1, sizeof *c.result);
  if (!c.result)
    return ms_fail_memory(err, "the results of permutations");
  ms_budget_open(&c.p.budget, o.run.memory);
  ms_stop *before = ms_stop_enter(o.run.stop);
  ms_status status = permute(&c, err);
  ms_stop_leave(before);
  if (status == MS_ERR_LIMIT || status == MS_ERR_INTERRUPTED) {
    c.result->run.stopped = status;
    status = c.sum.sum ? MS_OK : status; /* else it was stopped before there were results */
  }
  if (status == MS_OK)
    status = fill_statistics(&c, err);
  c.result->bytes = c.p.budget.peak;
  c.result->run.time_checkpoint = ms_sum_seconds(&c.units);
  ms_sum_close(&c.units);
  close_permuting(&c);
  if (status == MS_OK)
    *out = c.result;
  else
    ms_permutation_result_free(c.result);
  return status;
}
