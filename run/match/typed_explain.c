/* ms_typed_explain: describes how a typed pattern would be searched for: what the filter and the
 * walk leave, the relations of the pattern, and the plan on these. */
#include "run/match/typed.h"

#include "base/alloc.h"
#include "base/numbers.h"
#include "base/options.h"
#include "base/status.h"
#include "plan/plan_writer.h"

#include <inttypes.h>

typedef struct explanation {
  ms_match_run match;
  ms_pattern_options plain; /* the options, for the steps that all patterns share */
  const ms_typed_query *query;
  const ms_typed_match_options *options;
  ms_budget budget;
  ms_typed_candidates candidates;
  ms_typed_result known; /* what the filter and the walk left */
  bool json;
  ms_growing text;
} explanation;

static const char *vertex_name(const explanation *e, uint32_t i)
{
  return ms_typed_pattern_vertex_name(e->query->pattern, i);
}

/* ---- text ---------------------------------------------------------------------- */

static void put_edge_text(explanation *e, const ms_typed_pattern_edge *edge, const char *before)
{
  ms_growing *g = &e->text;
  ms_growing_put(g, "%s(%s)-", before, vertex_name(e, edge->from));
  for (uint32_t i = 0; i < edge->types; i++)
    ms_growing_put(g, "%s%s", i ? "|" : "[",
                   ms_names_get(e->query->pattern->type_names, edge->type[i]));
  ms_growing_put(g, "%s-%s(%s)", edge->types ? "]" : "", edge->way == MS_WAY_ON ? ">" : "",
                 vertex_name(e, edge->to));
}

static void put_head_text(explanation *e)
{
  const ms_typed_result *r = &e->known;
  ms_typed_info info = ms_typed_describe(e->query->graph);
  ms_growing_put(&e->text,
                 "filter: %" PRIu64 " of %" PRIu64 " edges, %" PRIu32 " of %" PRIu32 " vertices\n",
                 r->edges_kept, info.edges, r->vertices_kept, info.vertices);
  ms_growing_put(&e->text, "walk: %" PRIu32 " steps, %" PRIu32 " active vertices\n",
                 e->candidates.domains->walk_length, r->vertices_active);
}

/* ---- JSON ---------------------------------------------------------------------- */

static void put_edge_json(explanation *e, const ms_typed_pattern_edge *edge, const char *before)
{
  ms_growing *g = &e->text;
  ms_growing_put(g, "%s{\"from\":", before);
  ms_growing_put_json(g, vertex_name(e, edge->from));
  ms_growing_put(g, ",\"to\":");
  ms_growing_put_json(g, vertex_name(e, edge->to));
  ms_growing_put(g, ",\"arrow\":%s,\"types\":[", edge->way == MS_WAY_ON ? "true" : "false");
  for (uint32_t i = 0; i < edge->types; i++) {
    ms_growing_put(g, "%s", i ? "," : "");
    ms_growing_put_json(g, ms_names_get(e->query->pattern->type_names, edge->type[i]));
  }
  ms_growing_put(g, "]}");
}

static void put_head_json(explanation *e)
{
  const ms_typed_result *r = &e->known;
  ms_growing_put(&e->text,
                 "\"edges_kept\":%" PRIu64 ",\"vertices_kept\":%" PRIu32 ",\"walk_length\":%" PRIu32
                 ",\"vertices_active\":%" PRIu32,
                 r->edges_kept, r->vertices_kept, e->candidates.domains->walk_length,
                 r->vertices_active);
}

/* ---- relations ------------------------------------------------------------------ */

/* Returns the number, from 1, of the relation between the ends of an edge; 0: a self-loop. */
static uint32_t relation_of(const explanation *e, const ms_typed_pattern_edge *edge)
{
  return edge->from == edge->to ? 0 : (e->candidates.shape->label[edge->from][edge->to] + 1u) / 2;
}

/* Returns the number of pairs of vertices between which the relation holds.  A relation that is the
 * same from both sides has each pair twice in its rows. */
static uint64_t count_pairs(const explanation *e, uint32_t relation)
{
  if (!e->candidates.relations)
    return 0;
  const ms_neighbor_rows *rows = &e->candidates.relations->index.rows[2 * relation - 1];
  return e->candidates.relations->side[relation - 1].entries /
         (rows[0].offset == rows[1].offset ? 2 : 1);
}

static void put_relation(explanation *e, uint32_t relation)
{
  const ms_typed_pattern *pattern = e->query->pattern;
  uint64_t pairs = count_pairs(e, relation);
  const char *before = "";
  if (e->json)
    ms_growing_put(&e->text, "%s{\"pairs\":%" PRIu64 ",\"edges\":[", relation > 1 ? "," : "",
                   pairs);
  else
    ms_growing_put(&e->text, "relation %" PRIu32 ": %" PRIu64 " pairs: ", relation, pairs);
  for (uint32_t i = 0; i < pattern->edges; i++) {
    if (relation_of(e, &pattern->edge[i]) != relation)
      continue;
    if (e->json)
      put_edge_json(e, &pattern->edge[i], before);
    else
      put_edge_text(e, &pattern->edge[i], before);
    before = e->json ? "," : ", ";
  }
  ms_growing_put(&e->text, e->json ? "]}" : "\n");
}

/* ---- the search ------------------------------------------------------------------ */

/* Explains the plan; without candidates it is the plan of an empty graph. */
static ms_status explain_plan(explanation *e, const ms_screen_decision *decision, ms_error *err)
{
  static const ms_pattern_index nothing;
  static const double no_row[MS_MAX_PATTERN][MS_MAX_PATTERN];
  ms_match_run *m = &e->match;
  const char *name[MS_MAX_PATTERN];
  for (uint32_t i = 0; i < e->query->n; i++)
    name[i] = vertex_name(e, i);
  if (m->domains.empty) {
    m->index = &nothing;
    m->row = no_row;
  }
  return ms_match_explain(m, name, decision, e->json, &e->text, err);
}

static ms_status explain(explanation *e, ms_error *err)
{
  const ms_typed *graph = e->query->graph;
  ms_required *required = &e->match.required;
  MS_TRY(ms_pattern_engine_find(e->options->run.engine, &e->match.asked, err));
  MS_TRY(ms_required_find_typed(graph, e->options->required, e->options->n_required, e->query->n,
                                required, err));
  for (uint32_t i = 0; i < required->n; i++)
    e->match.required_name[i] = ms_typed_name(graph, required->vertex[i]);
  MS_TRY(ms_typed_shape_new(e->query, &e->candidates.shape, err));
  e->candidates.shape->shape.induced = e->options->induced;
  e->match.shape = e->candidates.shape->shape;
  ms_match_run *m = &e->match;
  ms_screen_decision decision;
  MS_TRY(ms_typed_candidates_find(e->query, e->options, &e->candidates, m, &e->known, err));
  /* the plan tells whether the search is too short for a sieve */
  if (!m->domains.empty && m->required.n == 0)
    MS_TRY(ms_match_plan(m, &m->domains, &m->plan, &m->program, err));
  MS_TRY(ms_typed_screen_decide(&e->candidates, m, &decision, err));
  ms_growing_put(&e->text, "%s", e->json ? "{" : "");
  if (e->json)
    put_head_json(e);
  else
    put_head_text(e);
  ms_growing_put(&e->text, "%s", e->json ? ",\"relations\":[" : "");
  for (uint32_t r = 1; r <= e->candidates.shape->relations; r++)
    put_relation(e, r);
  ms_growing_put(&e->text, "%s", e->json ? "]," : "");
  return explain_plan(e, &decision, err);
}

ms_status ms_typed_explain(const ms_typed_query *query, const ms_typed_match_options *options,
                           bool json, char **text, ms_error *err)
{
  MS_REQUIRE(text, err);
  *text = NULL;
  MS_REQUIRE(query, err);
  ms_typed_match_options own;
  const ms_typed_match_options *o = &own;
  MS_TRY(ms_options_take(&ms_typed_match_options_kind, options, &own, err));
  MS_TRY(ms_required_check(o->required, o->n_required, err));
  explanation *e = ms_alloc(1, sizeof *e); /* it is large for a stack */
  if (!e)
    return ms_fail_memory(err, "a plan");
  *e = (explanation){.query = query, .options = o, .json = json};
  e->match.run.count_only = o->count_only;
  e->match.run.limit = o->limit;
  ms_typed_shared_options(o, &e->plain);
  ms_budget_open(&e->budget, o->run.memory);
  e->match.options = &e->plain;
  e->match.run.budget = &e->budget;
  e->known.p = query->n;
  ms_numbers_begin();
  ms_status status = explain(e, err);
  ms_numbers_end();
  ms_match_release(&e->match);
  ms_typed_candidates_free(&e->candidates);
  ms_free(e->known.domain);
  status = ms_match_explained(&e->text, status, text, err);
  ms_free(e);
  return status;
}
