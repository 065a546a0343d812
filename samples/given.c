/* Samples of graphs in memory: their names, groups and blocks are strings, and not lines of a
 * table. */
#include "base/alloc.h"
#include "base/status.h"
#include "graph/colors.h"
#include "graph/graph.h"
#include "samples/samples.h"

#include <string.h>

/* Adds a name, group or block of sample i. */
static ms_status add_text(ms_names *names, const char *text, uint32_t i, const char *what,
                          uint32_t *id, ms_error *err)
{
  const char *problem = text ? ms_name_problem(text, strlen(text)) : "is NULL; give one";
  if (problem)
    return ms_fail(err, MS_ERR_USAGE, "the %s of sample %u %s", what, i, problem);
  return ms_names_add(names, text, strlen(text), id, err);
}

static ms_status add_sample(ms_samples *s, uint32_t i, const ms_sample_info *given, ms_error *err)
{
  uint32_t name, group, block = MS_NO_ID;
  MS_TRY(add_text(s->names, given->name, i, "name", &name, err));
  if (name < i)
    return ms_fail(err, MS_ERR_USAGE, "samples %u and %u have the same name '%.*s'", name, i,
                   ms_name_clip(given->name, strlen(given->name)), given->name);
  MS_TRY(add_text(s->groups, given->group, i, "group", &group, err));
  if (!s->blocks != !given->block)
    return ms_fail(
        err, MS_ERR_USAGE,
        "sample %u has %s block, unlike the first one; give all samples a block, or none", i,
        given->block ? "a" : "no");
  if (s->blocks)
    MS_TRY(add_text(s->blocks, given->block, i, "block", &block, err));
  s->entry[s->info.samples++] = (ms_sample_entry){.name = name, .group = group, .block = block};
  s->info.groups = ms_names_count(s->groups);
  s->info.blocks = s->blocks ? ms_names_count(s->blocks) : 0;
  return MS_OK;
}

static ms_status add_samples(uint32_t count, const ms_sample_info *sample, ms_samples **out,
                             ms_error *err)
{
  *out = NULL;
  if (count == 0 || count > MS_MAX_SAMPLES)
    return ms_fail(err, MS_ERR_USAGE, "there are %u samples; give 1 to %u", count, MS_MAX_SAMPLES);
  MS_TRY(ms_samples_new("(in memory)", sample[0].block != NULL, out, err));
  ms_samples *s = *out;
  s->entry = ms_calloc(count, sizeof *s->entry);
  if (!s->entry)
    return ms_fail_memory(err, "samples");
  s->room = count;
  for (uint32_t i = 0; i < count; i++)
    MS_TRY(add_sample(s, i, &sample[i], err));
  if (s->info.groups > MS_MAX_GROUPS)
    return ms_fail(err, MS_ERR_USAGE, "there are %u groups; give at most %u", s->info.groups,
                   MS_MAX_GROUPS);
  return MS_OK;
}

static ms_status take_graphs(ms_samples *s, const ms_sample_info *sample, ms_error *err)
{
  for (uint32_t i = 0; i < s->info.samples; i++) {
    ms_sample_entry *e = &s->entry[i];
    if (!sample[i].graph || !sample[i].coloring)
      return ms_fail(err, MS_ERR_USAGE, "the `%s` of sample %u is NULL",
                     sample[i].graph ? "coloring" : "graph", i);
    MS_TRY(ms_coloring_check(sample[i].coloring, sample[i].graph, err));
    e->graph = sample[i].graph;
    e->coloring = sample[i].coloring;
    s->info.vertices += ms_graph_vertex_count(e->graph);
    s->info.edges += ms_graph_edge_count(e->graph);
  }
  return MS_OK;
}

ms_status ms_samples_from_graphs(uint32_t count, const ms_sample_info *sample, ms_samples **out,
                                 ms_error *err)
{
  MS_REQUIRE(out, err);
  *out = NULL;
  MS_REQUIRE_ARRAY(sample, count, err);
  ms_samples *samples;
  ms_status status = add_samples(count, sample, &samples, err);
  if (status == MS_OK)
    status = take_graphs(samples, sample, err);
  if (status == MS_OK)
    *out = samples;
  else
    ms_samples_free(samples);
  return status;
}

ms_status ms_samples_from_vertices(const ms_graph *graph, const ms_coloring *coloring,
                                   uint32_t count, const ms_sample_info *sample,
                                   const uint32_t *sample_of, ms_samples **out, ms_error *err)
{
  MS_REQUIRE(out, err);
  *out = NULL;
  MS_REQUIRE(graph, err);
  MS_REQUIRE(coloring, err);
  MS_REQUIRE_ARRAY(sample, count, err);
  MS_REQUIRE_ARRAY(sample_of, graph->n, err);
  MS_TRY(ms_coloring_check(coloring, graph, err));
  for (uint32_t v = 0; v < graph->n; v++)
    if (sample_of[v] >= count && sample_of[v] != MS_NO_ID)
      return ms_fail(err, MS_ERR_USAGE,
                     "vertex %u is in sample %u, and there are %u; use numbers "
                     "below that",
                     v, sample_of[v], count);
  ms_samples *samples;
  ms_status status = add_samples(count, sample, &samples, err);
  if (status == MS_OK)
    status = ms_samples_divide(samples, graph, coloring, sample_of, err);
  if (status == MS_OK)
    *out = samples;
  else
    ms_samples_free(samples);
  return status;
}
