/* What all engines of permutations need, and the census of one permuted graph. */
#include "significance/permute/permute.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "base/status.h"
#include "graph/colors.h"
#include "graph/graph.h"

#include <string.h>

/* What tells a motif or a shape: its colours, and the code of the shape in the last place. */
typedef struct motif_key {
  uint32_t number[MS_MAX_CENSUS];
} motif_key;

static motif_key key_of(const ms_census_result *r, uint64_t motif)
{
  motif_key key = {{0}};
  if (r->color)
    memcpy(key.number, r->color + motif * r->k, r->k * sizeof *r->color);
  if (r->shape)
    key.number[MS_MAX_CENSUS - 1] = r->shape[motif];
  return key;
}

static uint64_t home_of(const ms_permute *p, const motif_key *key)
{
  return ms_hash_bytes(ms_hash_key_get(), key, sizeof *key) & (p->places - 1);
}

/* Puts the motifs into a table by their keys. */
static ms_status index_motifs(ms_permute *p, ms_error *err)
{
  if (p->motifs >= UINT32_MAX)
    return ms_fail(err, MS_ERR_USAGE, "permutations are for fewer than 2^32 motifs");
  for (p->places = 16; p->places < 2 * p->motifs;)
    p->places *= 2;
  p->place = ms_calloc(p->places, sizeof *p->place);
  if (!p->place)
    return ms_fail_memory(err, "the motifs of permutations");
  for (uint64_t i = 0; i < p->motifs; i++) {
    const motif_key key = key_of(p->observed, i);
    uint64_t at = home_of(p, &key);
    while (p->place[at] > 0)
      at = (at + 1) & (p->places - 1);
    p->place[at] = (uint32_t)i + 1;
  }
  return MS_OK;
}

ms_status ms_permute_labels(uint32_t n, const ms_census_graph *ranks, uint16_t **out, ms_error *err)
{
  uint16_t *label = *out = ms_alloc(n, sizeof *label);
  if (!label)
    return ms_fail_memory(err, "the labels of permutations");
  for (uint32_t v = 0; v < n; v++)
    label[v] = MS_NO_LABEL;
  for (uint32_t rank = 0; rank < ranks->n; rank++)
    label[ranks->vertex[rank]] = ranks->kind[rank];
  return MS_OK;
}

static ms_status open_null(ms_permute *p, ms_error *err)
{
  const ms_permutation_options *o = p->options;
  MS_TRY(ms_census_graph_new(p->graph, p->coloring, p->census, &p->ranks, err));
  MS_TRY(ms_permute_labels(p->graph->n, p->ranks, &p->label, err));
  const uint32_t *stratum = o->n_strata ? o->stratum : NULL;
  return p->census->shapes
             ? ms_null_open_directed(p->graph, p->label, o->null_kind, stratum, o->seed, &p->null,
                                     err)
             : ms_null_open(p->graph, p->label, o->null_kind, stratum, o->seed, &p->null, err);
}

ms_status ms_permute_open(ms_permute *p, ms_error *err)
{
  MS_TRY(index_motifs(p, err));
  return open_null(p, err);
}

void ms_permute_close(ms_permute *p)
{
  ms_null_free(p->null);
  ms_free(p->label);
  ms_free(p->place);
  ms_census_graph_free(p->ranks);
  p->null = NULL;
  p->label = NULL;
  p->place = NULL;
  p->ranks = NULL;
}

/* ---- one permutation ------------------------------------------------------------------------- */

ms_status ms_permute_colors(const ms_coloring *original, const uint32_t *from, ms_coloring *out,
                            ms_error *err)
{
  uint32_t n = original->n;
  *out = *original;
  out->offset = ms_alloc((size_t)n + 1, sizeof *out->offset);
  out->color = ms_alloc(original->offset[n], sizeof *out->color);
  if (!out->offset || !out->color) {
    ms_free(out->offset);
    ms_free(out->color);
    return ms_fail_memory(err, "permuted colours");
  }
  out->offset[0] = 0;
  for (uint32_t v = 0; v < n; v++) {
    uint64_t begin = original->offset[from[v]], count = original->offset[from[v] + 1] - begin;
    memcpy(out->color + out->offset[v], original->color + begin, count * sizeof *out->color);
    out->offset[v + 1] = out->offset[v] + count;
  }
  return MS_OK;
}

void ms_permuted_colors_free(ms_coloring *coloring)
{
  ms_free(coloring->offset);
  ms_free(coloring->color);
}

static ms_status make_colors(const ms_null *null, const ms_coloring *original, uint64_t number,
                             ms_null_trace *trace, ms_permuted_fn *use, void *user, ms_error *err)
{
  ms_coloring coloring;
  uint32_t *from = ms_alloc(null->graph->n, sizeof *from);
  if (!from)
    return ms_fail_memory(err, "a permutation");
  ms_status status = ms_null_from(null, number, from, trace, err);
  if (status == MS_OK)
    status = ms_permute_colors(original, from, &coloring, err);
  ms_free(from);
  if (status != MS_OK)
    return status;
  status = use(user, null->graph, &coloring, err);
  ms_permuted_colors_free(&coloring);
  return status;
}

ms_status ms_permute_make(const ms_null *null, const ms_coloring *original, uint64_t number,
                          ms_null_trace *trace, ms_permuted_fn *use, void *user, ms_error *err)
{
  ms_graph *graph;
  ms_coloring coloring = {0};
  if (!ms_null_rewires(null->kind))
    return make_colors(null, original, number, trace, use, user, err);
  if (original)
    coloring = *original;
  coloring.graph_serial = 0; /* the colours of the original graph fit */
  MS_TRY(ms_null_graph(null, number, &graph, trace, err));
  ms_status status = use(user, graph, original ? &coloring : NULL, err);
  ms_graph_free(graph);
  return status;
}

static bool is_motif(const ms_permute *p, uint64_t motif, const motif_key *key)
{
  const motif_key other = key_of(p->observed, motif);
  return memcmp(&other, key, sizeof other) == 0;
}

void ms_permute_take(const ms_permute *p, const ms_census_result *r, uint64_t *count)
{
  memset(count, 0, p->motifs * sizeof *count);
  for (uint64_t i = 0; i < r->count; i++) {
    const motif_key key = key_of(r, i);
    uint64_t at = home_of(p, &key);
    while (p->place[at] > 0 && !is_motif(p, p->place[at] - 1, &key))
      at = (at + 1) & (p->places - 1);
    if (p->place[at] > 0)
      count[p->place[at] - 1] = r->n_sets[i];
  }
}

typedef struct one {
  const ms_permute *p;
  uint64_t memory; /* 0: all that is left, and all threads */
  uint64_t *count;
} one;

static ms_status take_census(void *user, const ms_graph *graph, const ms_coloring *coloring,
                             ms_error *err)
{
  const one *x = user;
  const ms_permute *p = x->p;
  ms_census_options o = *p->census;
  ms_census_result *r;
  uint64_t left = x->memory > 0 ? x->memory : ms_budget_left(&p->budget);
  o.min_count = o.top = 0;
  o.run.progress = NULL;
  o.run.memory = left > 0 ? left : 1;
  if (x->memory > 0) { /* beside others */
    o.run.threads = 1;
    o.run.engine = "cpu";
    o.run.n_devices = 0;
  }
  ms_census_wanted wanted = {.observed = p->observed, .count = x->count};
  MS_TRY(ms_census_by(p->gpus, graph, coloring, &o, p->census->shapes ? NULL : &wanted, &r, err));
  ms_status status = MS_OK;
  if (r->run.stopped != MS_OK)
    status = ms_fail(err, r->run.stopped, "stopped while a permuted graph was counted");
  else if (!wanted.filled)
    ms_permute_take(p, r, x->count);
  ms_census_result_free(r);
  return status;
}

ms_status ms_permute_one_within(const ms_permute *p, uint64_t number, uint64_t memory,
                                uint64_t *count, ms_null_trace *trace, ms_error *err)
{
  one x = {p, memory, count};
  return ms_permute_make(p->null, p->coloring, number, trace, take_census, &x, err);
}

ms_status ms_permute_one(const ms_permute *p, uint64_t number, uint64_t *count,
                         ms_null_trace *trace, ms_error *err)
{
  return ms_permute_one_within(p, number, 0, count, trace, err);
}
