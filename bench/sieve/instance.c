#include "bench/sieve/instance.h"

#include "base/alloc.h"

#include <stdio.h>

static ms_status make_graph(const bench_instance *i, uint64_t seed, ms_graph **out, ms_error *err)
{
  ms_generate_options o = {.family = i->family,
                           .given = MS_GEN_VERTICES,
                           .vertices = i->n,
                           .degree = i->d,
                           .edges = i->edges,
                           .exponent = i->exponent,
                           .classes = i->classes,
                           .run.seed = seed};
  bool hubs = i->family == MS_FAMILY_HUBS, by_degree = hubs || i->family == MS_FAMILY_REGULAR;
  if (i->family != MS_FAMILY_CLIQUE)
    o.given |= i->edges && !by_degree ? MS_GEN_EDGES : MS_GEN_DEGREE;
  if (hubs || i->family == MS_FAMILY_POWER_LAW)
    o.given |= MS_GEN_EXPONENT;
  if (hubs && i->classes)
    o.given |= MS_GEN_CLASSES;
  return ms_generate_graph(&o, out, err);
}

static ms_status make_colors(const bench_instance *i, uint64_t seed, const ms_graph *graph,
                             ms_coloring **out, ms_error *err)
{
  ms_planting o = {.slots = i->k, .plants = 1, .background = 1, .seed = seed};
  ms_planted planted = {0};
  if (!i->planted)
    return ms_generate_colors(graph, i->k, seed, out, err);
  ms_status status = ms_plant_colors(graph, &o, out, &planted, err);
  ms_free(planted.vertices);
  return status;
}

ms_status bench_case_make(const bench_instance *instance, uint64_t seed, bench_case *c,
                          ms_error *err)
{
  char text[8 * MS_MAX_K];
  size_t used = 0;
  for (uint32_t i = 0; i < instance->k; i++)
    used += (size_t)snprintf(text + used, sizeof text - used, "%sc%u", i ? "," : "", i);
  *c = (bench_case){0};
  ms_status status = make_graph(instance, seed, &c->graph, err);
  if (status == MS_OK)
    status = make_colors(instance, seed, c->graph, &c->colors, err);
  if (status == MS_OK)
    status = ms_motif_parse(text, c->colors, &c->motif, err);
  if (status == MS_OK)
    status = ms_query_new(c->graph, c->colors, c->motif, 0, NULL, &c->query, err);
  return status;
}

void bench_case_free(bench_case *c)
{
  ms_query_free(c->query);
  ms_motif_free(c->motif);
  ms_coloring_free(c->colors);
  ms_graph_free(c->graph);
}
