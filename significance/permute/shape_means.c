/* The means of shapes with colours, where colours are dealt out again at random.
 *
 * In a set of k of the n vertices that take part, each vertex has each place of a shape S with
 * colours in one way or not at all.  Of the orders in which the colours of S can lie on the shape
 * without colours, automorphisms of that shape make |Aut(S without colours)| / |Aut(S)| equal to
 * S, and each has the probability prod (n_c)_(m_c) / (n)_k, with n_c vertices and m_c places of
 * colour c, and x_(m) = x (x - 1) .. (x - m + 1).  So the mean is that number, times the sets of
 * the shape without colours, which no labelling changes: those of the graph, over all colours. */
#include "significance/permute/permute.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/threads/stop.h"
#include "census/shapes/code.h"
#include "graph/colors.h"
#include "graph/names.h"

/* Adds the sets of all rows to those of their shapes without colours. */
static void add_sets(const ms_census_result *observed, const ms_graphlet_classes *classes,
                     double *sets)
{
  for (uint64_t i = 0; i < observed->count; i++)
    sets[classes->class_of[observed->shape[i]]] += (double)observed->n_sets[i];
}

/* The chance that the vertices of one set have the colours of a row in a given order. */
static double chance_of(const uint32_t *color, uint32_t k, const uint64_t *vertices, uint64_t n)
{
  double chance = 1;
  for (uint32_t i = 0, same = 0; i < k; i++) {
    same = i > 0 && color[i] == color[i - 1] ? same + 1 : 0;
    chance *= ((double)vertices[color[i]] - same) / ((double)n - i);
  }
  return chance;
}

static ms_status fill_means(const ms_permute *p, const ms_graphlet_classes *classes, double *sets,
                            uint64_t *vertices, double *means, ms_error *err)
{
  const ms_census_result *r = p->observed;
  ms_graphlet_form form = ms_graphlet_form_of(r->k, r->directed);
  for (uint32_t rank = 0; rank < p->ranks->n; rank++)
    vertices[p->ranks->color[p->ranks->kind[rank]]]++;
  add_sets(r, classes, sets);
  for (uint64_t i = 0; i < r->count; i++) {
    const uint32_t *color = r->color + i * r->k;
    uint32_t plain = classes->class_of[r->shape[i]], automorphisms;
    ms_kind_id kind[MS_MAX_CENSUS] = {0};
    if (i % 1024 == 1023)
      MS_TRY(ms_stop_poll("means are computed", err));
    for (uint32_t j = 1; j < r->k; j++)
      kind[j] = (ms_kind_id)(kind[j - 1] + (color[j] != color[j - 1]));
    (void)ms_graphlet_classify(form, r->shape[i], kind, &automorphisms);
    means[i] = sets[plain] * classes->automorphisms[plain] / automorphisms *
               chance_of(color, r->k, vertices, p->ranks->n);
  }
  return MS_OK;
}

ms_status ms_permute_means(const ms_permute *p, double **out, ms_error *err)
{
  const ms_census_result *r = p->observed;
  ms_graphlet_classes classes;
  *out = NULL;
  if (!r->shape || !r->color || p->options->null_kind != MS_NULL_LABELS || p->options->n_strata > 0)
    return MS_OK;
  MS_TRY(ms_graphlet_classes_open(&classes, ms_graphlet_form_of(r->k, r->directed), err));
  double *sets = ms_calloc(classes.count, sizeof *sets);
  double *means = ms_alloc(r->count, sizeof *means);
  uint64_t *vertices = ms_calloc(ms_names_count(p->coloring->names), sizeof *vertices);
  ms_status status = sets && means && vertices ? fill_means(p, &classes, sets, vertices, means, err)
                                               : ms_fail_memory(err, "the means of shapes");
  ms_free(sets);
  ms_free(vertices);
  ms_graphlet_classes_close(&classes);
  if (status == MS_OK)
    *out = means;
  else
    ms_free(means);
  return status;
}
