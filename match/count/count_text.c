/* Describes how a pattern would be counted, as text and as JSON:
 *
 *   {"maps":"pairs of components"}
 *   {"maps":"factors","levels":[
 *     {"vertex":"a","domain":12,"copies":1,"below":null},
 *     {"vertex":"b","domain":9,"copies":2,"below":"a"},..]}
 *   {"maps":"plan","visited":["a","b"],"counted":["c"],"product":false,
 *     "inner":false,"table":false,"cost":1e6}
 *   {"maps":"sum","terms":12}
 *   {"maps":"edges","cost":1e6}
 *   {"maps":"hinge","vertex":"c","sides":[["a","b"],["d","e"]],"cost":1e6}
 *   {"maps":"pivots","cost":1e6}
 *   {"maps":"hubs","cost":1e6}
 *   {"maps":"triangles","cost":1e6}
 *
 * where `below` is the vertex whose match leaves this group of vertices, and `inner` says that the
 * counted vertices have edges among them and are counted in the graph that their candidates induce
 * (count_inner.h). */
#include "match/count/count.h"

#include "base/threads/stop.h"
#include "match/count/count_methods.h"
#include "match/count/count_products.h"
#include "match/count/edge_product.h"
#include "match/count/factor_choice.h"
#include "match/count/hinge.h"
#include "plan/plan_writer.h"

static void put_name(ms_growing *g, const char *name, bool json)
{
  ms_growing_put(g, "%s", json ? "\"" : "");
  for (; json && *name; name++)
    if (*name == '"' || *name == '\\')
      ms_growing_put(g, "\\%c", *name);
    else
      ms_growing_put(g, "%c", *name);
  ms_growing_put(g, "%s", json ? "\"" : name);
}

/* ---- by factors ------------------------------------------------------------------ */

static void put_tree(ms_growing *g, const ms_factor *f, const ms_domain *domain,
                     const char *const *name, bool json)
{
  ms_growing_put(
      g, "%s",
      json ? "{\"maps\":\"factors\",\"levels\":["
           : "counted by factors: a vertex is counted once for each match of the vertices "
             "above it on which it depends\n");
  for (uint32_t i = 0; i < f->n; i++) {
    uint32_t v = f->plan->level[i].vertex, depth = 0;
    for (uint32_t j = i; j > 0; j = f->parent[j])
      depth++;
    if (json)
      ms_growing_put(g, "%s{\"vertex\":", i ? "," : "");
    else
      ms_growing_put(g, "%*s", (int)(2 * depth + 2), "");
    put_name(g, name[v], json);
    if (json)
      ms_growing_put(g, ",\"domain\":%u,\"copies\":%u,\"below\":", domain[v].count, f->copies[i]);
    else if (f->copies[i] > 1)
      ms_growing_put(g, " and vertices with the same candidates (%u of %u)", f->copies[i],
                     domain[v].count);
    else
      ms_growing_put(g, " (of %u)", domain[v].count);
    if (json && i == 0)
      ms_growing_put(g, "null");
    else if (json)
      put_name(g, name[f->plan->level[f->parent[i]].vertex], true);
    ms_growing_put(g, "%s", json ? "}" : "\n");
  }
  ms_growing_put(g, "%s", json ? "]}" : "");
}

/* ---- by a plan ---------------------------------------------------------------------- */

static void put_levels(ms_growing *g, const ms_plan *plan, uint32_t first, uint32_t last,
                       const char *const *name, bool json)
{
  for (uint32_t i = first; i < last; i++) {
    ms_growing_put(g, "%s", i == first ? "" : json ? "," : ", ");
    put_name(g, name[plan->level[i].vertex], json);
  }
}

static void put_plan(ms_growing *g, const ms_count_plan *c, const ms_program *program,
                     const char *const *name, bool json)
{
  const ms_plan *plan = c->plan;
  ms_growing_put(g, "%s",
                 json ? "{\"maps\":\"plan\",\"visited\":[" : "counted: the search visits ");
  put_levels(g, plan, 0, program->prefix, name, json);
  ms_growing_put(g, "%s",
                 json        ? "],\"counted\":["
                 : !c->inner ? "; the sizes of candidate sets count "
                 : program->prefix > 1
                     ? "; in the graph that their common neighbours induce it counts "
                     : "; in the graph that its neighbours induce it counts ");
  put_levels(g, plan, program->prefix, plan->shape.n, name, json);
  if (json) {
    ms_growing_put(g, "],\"product\":%s,\"inner\":%s,\"table\":%s,\"cost\":%.6g}",
                   c->options.product ? "true" : "false", c->inner ? "true" : "false",
                   program->table ? "true" : "false", c->cost);
    return;
  }
  ms_growing_put(
      g, "%s%s\n",
      c->options.product ? ", as a product, less the maps in which these vertices coincide" : "",
      program->table ? "; a table holds the paths of length two from the first vertex" : "");
}

/* ---- at a hinge --------------------------------------------------------------------- */

static void put_names(ms_growing *g, ms_bitset vertices, const char *const *name, bool json)
{
  bool first = true;
  MS_EACH_MEMBER (v, vertices) {
    ms_growing_put(g, "%s", first ? "" : json ? "," : ", ");
    put_name(g, name[v], json);
    first = false;
  }
}

static void put_hinge(ms_growing *g, const ms_hinge *hinge, double steps, const char *const *name,
                      bool json)
{
  ms_growing_put(g, "%s",
                 json ? "{\"maps\":\"hinge\",\"vertex\":" : "counted: for each candidate of ");
  put_name(g, name[hinge->vertex], json);
  ms_growing_put(g, "%s", json ? ",\"sides\":[[" : ", the maps that extend it to ");
  put_names(g, hinge->side[0], name, json);
  ms_growing_put(g, "%s", json ? "],[" : " times those that extend it to ");
  put_names(g, hinge->side[1], name, json);
  ms_growing_put(g,
                 json ? "]],\"cost\":%.6g}"
                      : ", less the maps in which vertices of the two sides coincide; estimated "
                        "steps: %.3g\n",
                 steps);
}

/* ---- entry points --------------------------------------------------------------------- */

static ms_status explain_plan(const ms_count_query *query, const ms_shape *shape,
                              const ms_domain *domain, const char *const *name, bool json,
                              ms_growing *g, ms_error *err)
{
  ms_count_plan plan;
  ms_edge_product product;
  ms_hinge hinge;
  double steps;
  uint32_t terms = 0, common;
  ms_status status = ms_count_plan_new(query, shape, domain, &plan, err);
  if (status == MS_OK && ms_count_by_edges(query, shape, domain, &plan, &product, &steps)) {
    ms_growing_put(
        g,
        json
            ? "{\"maps\":\"edges\",\"cost\":%.6g}"
            : "counted: the triangles and the 4-cycles at each edge, as a product, less the maps in "
              "which their vertices coincide; estimated steps: %.3g\n",
        steps);
    ms_count_plan_free(&plan);
    return MS_OK;
  }
  if (status == MS_OK && ms_count_by_products(query, shape, domain, &plan, &common, &steps)) {
    ms_growing_put(g,
                   json ? "{\"maps\":\"%s\",\"cost\":%.6g}"
                        : "counted: %s, by products of bit matrices on a GPU; estimated steps: "
                          "%.3g\n",
                   json         ? common > 0 ? "triangles" : "hubs"
                   : common > 0 ? "the common neighbours of each triangle"
                                : "the 4-cycles among the neighbours of each vertex",
                   steps);
    ms_count_plan_free(&plan);
    return MS_OK;
  }
  if (status == MS_OK && ms_count_by_cliques(query, shape, domain, &plan, &steps)) {
    ms_growing_put(g,
                   json ? "{\"maps\":\"pivots\",\"cost\":%.6g}"
                        : "counted: cliques by pivots, those within a large clique or near it at "
                          "once; estimated steps: %.3g\n",
                   steps);
    ms_count_plan_free(&plan);
    return MS_OK;
  }
  if (status == MS_OK && ms_count_by_hinge(query, shape, &plan, &hinge, &steps)) {
    put_hinge(g, &hinge, steps, name, json);
    ms_count_plan_free(&plan);
    return MS_OK;
  }
  if (status == MS_OK)
    status = ms_count_sum_terms(query, shape, plan.cost, &terms, err);
  if (status == MS_OK && terms == 0)
    status = ms_count_plan_compile(query, domain, &plan, err);
  if (status == MS_OK && terms > 0)
    ms_growing_put(
        g,
        json ? "{\"maps\":\"sum\",\"terms\":%u}"
             : "counted: a sum with signs over %u patterns with further edges, which need "
               "not be induced\n",
        terms);
  else if (status == MS_OK)
    put_plan(g, &plan, plan.program, name, json);
  ms_count_plan_free(&plan);
  return status;
}

ms_status ms_count_explain(const ms_count_query *query, const ms_shape *given,
                           const char *const *name, bool json, char **text, ms_error *err)
{
  ms_growing g = {0};
  ms_shape shape = *given;
  ms_factor_choice choice = {.factor = NULL};
  ms_hinge hinge;
  double steps;
  const ms_domain *domain = query->domains->of;
  ms_status status = MS_OK;
  ms_count_way way = ms_count_way_of(query, &shape, domain);
  if (way == MS_COUNT_NOTHING)
    ms_growing_put(&g, "%s",
                   json ? "{\"maps\":\"none\"}"
                        : "some pattern vertex has no candidate: there is nothing to count\n");
  else if (way == MS_COUNT_DOMAIN)
    ms_growing_put(&g,
                   json ? "{\"maps\":\"domain\",\"size\":%u}"
                        : "counted: the %u candidates of the only vertex\n",
                   domain[0].count);
  else if (way == MS_COUNT_COMPONENTS)
    ms_growing_put(
        &g, "%s",
        json ? "{\"maps\":\"pairs of components\"}"
             : "counted: components separately, as a product, less the maps in which they "
               "share vertices\n");
  else if (way == MS_COUNT_FACTORS)
    status = ms_factor_choose(query, &shape, domain, NULL, &choice, err);
  bool by_engine = choice.way == MS_FACTOR_BY_ENGINE;
  if (status == MS_OK && (way == MS_COUNT_PLAN || by_engine))
    status = explain_plan(query, &shape, domain, name, json, &g, err);
  else if (status == MS_OK && way == MS_COUNT_FACTORS &&
           ms_count_divided_by_hinge(query, &shape, &choice, &hinge, &steps))
    put_hinge(&g, &hinge, steps, name, json);
  else if (status == MS_OK && choice.way == MS_FACTOR_BY_PLAN)
    put_plan(&g, &choice.plan, choice.plan.program, name, json);
  else if (status == MS_OK && way == MS_COUNT_FACTORS)
    put_tree(&g, choice.factor, domain, name, json);
  ms_factor_choice_free(&choice);
  ms_status end = ms_growing_end(&g, "the plan's text", text, status == MS_OK ? err : NULL);
  return status == MS_OK ? end : status;
}
