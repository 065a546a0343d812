/* The index, cut to what the sieve left of a pattern's domains.
 *
 * A match lies within the union of the domains, and so do its edges and its non-edges.  So the
 * matches are those in the subgraph that these vertices induce, whether the pattern is induced or
 * not.  In its index, rows are shorter, vertices have their degrees in the subgraph, and sets of
 * ids have fewer words; a GPU receives less.
 *
 * A listing keeps its plan, which was made for the whole index, and the order of ids: then rows
 * come in the same order as without the cut.  A count has no order, so ids ascend by degree in the
 * subgraph, and the plan is made for it.
 *
 * A cut reads the rows of the vertices that stay three or four times, which takes far less time
 * than the sieve that ran before.  docs/MATCHING.md, "The index after the sieve", says when it
 * wins. */
#include "base/alloc.h"
#include "base/budget.h"
#include "base/hooks.h"
#include "base/status.h"
#include "base/text/format.h"
#include "run/match/match.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* Nanoseconds of a cut, and of the domains in it, for each vertex of the whole index and each entry
 * of the rows that are read. */
#define CUT_COST 10.0
/* An estimate of the search may take this share of the time of a cut. */
#define PROBE_SHARE 0.1

/* What a cut would leave. */
typedef struct cut_size {
  uint32_t vertices;
  uint64_t all;     /* entries of all rows */
  uint64_t read;    /* entries of the rows of the vertices that stay */
  uint64_t entries; /* entries that stay */
} cut_size;

/* Collects the ids that are in some domain. */
static uint32_t unite(const ms_domains *domains, uint64_t *kept, size_t words)
{
  uint32_t vertices = 0;
  for (uint32_t u = 0; u < domains->n; u++) {
    const ms_domain *d = &domains->of[u];
    for (size_t w = d->lo / 64; d->bits && w <= (d->hi - 1) / 64; w++)
      kept[w] |= d->bits[w];
    for (uint32_t i = d->lo; !d->bits && i < d->hi; i++)
      kept[i / 64] |= UINT64_C(1) << i % 64;
  }
  for (size_t w = 0; w < words; w++)
    vertices += (uint32_t)__builtin_popcountll(kept[w]);
  return vertices;
}

static uint64_t count_entries(const uint64_t *kept, const uint32_t *row, uint32_t length)
{
  uint64_t left = 0;
  for (uint32_t i = 0; i < length; i++)
    left += kept[row[i] / 64] >> row[i] % 64 & 1;
  return left;
}

static void measure(const ms_pattern_index *index, const uint64_t *kept, cut_size *s)
{
  for (uint32_t kind = 0; kind < index->kinds; kind++) {
    const ms_neighbor_rows *rows = &index->rows[kind];
    if (kind > 0 && index->rows[kind].offset == index->rows[kind - 1].offset)
      continue;
    s->all += rows->offset[index->n];
    for (size_t w = 0; w < index->words; w++)
      for (uint64_t left = kept[w]; left; left &= left - 1) {
        uint32_t length;
        const uint32_t *row =
            ms_row(rows, (uint32_t)(w * 64) + (uint32_t)__builtin_ctzll(left), &length);
        s->read += length;
        s->entries += count_entries(kept, row, length);
      }
  }
}

/* Estimates the seconds that the search takes in the whole index, at a small part of the cost of a
 * cut.  The search for the vertices of matches has no estimate: it is taken to be long. */
static ms_status estimate(const ms_match_run *m, double cost, double *seconds, ms_error *err)
{
  ms_probe_effort effort = {0, PROBE_SHARE * cost / MS_STEP_SECONDS, m->options->screen.run.stop};
  ms_match_work work = {.search = HUGE_VAL};
  double by_factors;
  if (m->program)
    MS_TRY(ms_match_listing_work(m, m->program, effort, &work, err));
  else if (ms_match_is_count(m))
    MS_TRY(ms_match_counting_work(m, effort, &work, &by_factors, err));
  *seconds = MS_STEP_SECONDS * work.search;
  return MS_OK;
}

/* Sets *result to true if enough falls away, and the search takes longer than the cut. */
static ms_status pays(const ms_match_run *m, const cut_size *s, bool *result, ms_error *err)
{
  double n = m->index->n, cost = 1e-9 * CUT_COST * (n + (double)s->read), seconds;
  double most = 1 - ms_hooks.match_cut_share;
  *result = s->vertices <= most * n || (double)s->entries <= most * (double)s->all;
  if (!*result || ms_hooks.match_cut_share <= 0)
    return MS_OK;
  MS_TRY(estimate(m, cost, &seconds, err));
  *result = seconds > cost;
  return MS_OK;
}

/* Only rows of relations are counted in the budget (docs/ARCHITECTURE.md). */
static bool reserve(ms_match_run *m, const cut_size *s)
{
  uint64_t bytes = m->index->graph ? 0
                                   : s->entries * sizeof(uint32_t) +
                                         (s->vertices + 2) * m->index->kinds * sizeof(uint64_t);
  if (!ms_budget_reserve(m->run.budget, bytes))
    return false;
  m->cut_reserved = bytes;
  return true;
}

/* Makes the domains in the cut. */
static ms_status move_domains(ms_match_run *m, const uint32_t *id, ms_error *err)
{
  ms_domains domains;
  MS_TRY(m->pattern ? ms_domains_cut(&m->domains, m->cut, id, m->pattern, &m->shape,
                                     m->options->screen.run.threads, &domains, err)
                    : ms_domains_renumber(&m->domains, m->cut, id, &domains, err));
  ms_domains_free(&m->domains);
  m->domains = domains;
  m->index = m->cut;
  return m->plan ? ms_match_compile(m, err) : MS_OK;
}

static ms_status report(ms_match_run *m, const cut_size *s, ms_error *err)
{
  char text[512];
  ms_format(text, sizeof text,
            "%.300s; the index was cut to %" PRIu32 " vertices and %.3g %% of its entries",
            m->result->screen_reason, s->vertices,
            s->all > 0 ? 100 * (double)s->entries / (double)s->all : 0.0);
  char *copy = ms_strdup(text);
  if (!copy)
    return ms_fail_memory(err, "a reason");
  ms_free(m->result->screen_reason);
  m->result->screen_reason = copy;
  return MS_OK;
}

static ms_status cut_to(ms_match_run *m, bool by_degree, uint64_t *kept, uint32_t *id,
                        ms_error *err)
{
  cut_size s = {.vertices = unite(&m->domains, kept, m->index->words)};
  measure(m->index, kept, &s);
  bool wanted;
  MS_TRY(pays(m, &s, &wanted, err));
  if (!wanted || !reserve(m, &s))
    return MS_OK;
  MS_TRY(ms_pattern_index_cut(m->index, kept, by_degree, id, &m->cut, err));
  MS_TRY(report(m, &s, err));
  return move_domains(m, id, err);
}

ms_status ms_match_cut(ms_match_run *m, bool by_degree, ms_error *err)
{
  if (!m->result->screen || m->domains.empty || m->required.n > 0 || m->run.stopped != MS_OK)
    return MS_OK;
  uint64_t *kept = ms_calloc(m->index->words, sizeof *kept);
  uint32_t *id = ms_alloc(m->index->n, sizeof *id);
  ms_status status = kept && id ? cut_to(m, by_degree, kept, id, err)
                                : ms_fail_memory(err, "an index of patterns");
  ms_free(kept);
  ms_free(id);
  /* a run that is stopped goes on with the whole index, and the search ends at once */
  return status == MS_ERR_LIMIT || status == MS_ERR_INTERRUPTED ? MS_OK : status;
}
