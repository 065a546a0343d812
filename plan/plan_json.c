/* A plan as one JSON object.  Vertices are named; keys:
 *
 *   order          "ri", "degree" or "reuse"
 *   automorphisms  |Aut|, decimal, as a string: it may exceed 64 bits
 *   constrained    true: one match of each class; false: every map
 *   directed, induced
 *   cost           estimated entries of sets that are read
 *   levels         in the matching order:
 *     vertex
 *     candidates, matches    estimates: under one partial match; in total
 *     arcs_from, arcs_to     earlier vertices that it is adjacent to; equal if undirected
 *     relations      typed patterns only: the relations, from 1, that lead there from arcs_from
 *     no_arc_from, no_arc_to  earlier vertices that it must not be adjacent to; induced only
 *     larger_than, smaller_than  earlier vertices with smaller, with larger matches
 *     reuse          sets of candidates that contain its candidates:
 *       of             the vertex with these candidates
 *       same_path      true: of the same partial match; false: of another one
 *       with           [["a", "b"], ..]: the match of a stands for b
 *       covers_from, covers_to  vertices whose rows need not be read for it
 *     rows_from, rows_to     vertices whose rows are still needed */
#include "plan/plan_writer.h"

typedef struct writer {
  const ms_plan *plan;
  const char *const *name;
  ms_growing out;
} writer;

static void put_level_name(writer *w, uint32_t level)
{
  ms_growing_put_json(&w->out, w->name[w->plan->level[level].vertex]);
}

/* Writes the numbers, from 1, of the relations that lead from each level of back_out. */
static void put_relations(writer *w, const ms_plan_level *level)
{
  ms_growing_put(&w->out, ",\"relations\":[");
  const char *before = "";
  MS_EACH_MEMBER (j, level->back_out) {
    ms_growing_put(&w->out, "%s%u", before, ms_plan_relation(w->plan, level, j));
    before = ",";
  }
  ms_growing_put(&w->out, "]");
}

static const char *bool_text(bool yes)
{
  return yes ? "true" : "false";
}

/* Writes ,"key":["a","b"]. */
static void put_names(writer *w, const char *key, ms_bitset levels)
{
  const char *before = "";
  ms_growing_put(&w->out, ",\"%s\":[", key);
  MS_EACH_MEMBER (j, levels) {
    ms_growing_put(&w->out, "%s", before);
    put_level_name(w, j);
    before = ",";
  }
  ms_growing_put(&w->out, "]");
}

static void put_reuse(writer *w, const ms_plan_reuse *r)
{
  const char *before = "";
  ms_growing_put(&w->out, "{\"of\":");
  put_level_name(w, r->level);
  ms_growing_put(&w->out, ",\"same_path\":%s,\"with\":[", bool_text(r->same_path));
  MS_EACH_MEMBER (b, r->needed) {
    ms_growing_put(&w->out, "%s[", before);
    put_level_name(w, r->from[b]);
    ms_growing_put(&w->out, ",");
    put_level_name(w, b);
    ms_growing_put(&w->out, "]");
    before = ",";
  }
  ms_growing_put(&w->out, "]");
  put_names(w, "covers_from", r->covers_out);
  put_names(w, "covers_to", r->covers_in);
  ms_growing_put(&w->out, "}");
}

static void put_level(writer *w, const ms_plan_level *level, uint32_t i)
{
  ms_growing_put(&w->out, "%s{\"vertex\":", i ? "," : "");
  put_level_name(w, i);
  ms_growing_put(&w->out, ",\"candidates\":%.6g,\"matches\":%.6g", level->candidates,
                 level->matches);
  put_names(w, "arcs_from", level->back_out);
  put_names(w, "arcs_to", level->back_in);
  if (w->plan->shape.label)
    put_relations(w, level);
  put_names(w, "no_arc_from", level->not_out);
  put_names(w, "no_arc_to", level->not_in);
  put_names(w, "larger_than", level->above);
  put_names(w, "smaller_than", level->below);
  ms_growing_put(&w->out, ",\"reuse\":[");
  for (uint32_t k = 0; k < level->n_reuse; k++) {
    ms_growing_put(&w->out, "%s", k ? "," : "");
    put_reuse(w, &level->reuse[k]);
  }
  ms_growing_put(&w->out, "]");
  put_names(w, "rows_from", level->rows_out);
  put_names(w, "rows_to", level->rows_in);
  ms_growing_put(&w->out, "}");
}

ms_status ms_plan_json(const ms_plan *plan, const char *const *name, char **text, ms_error *err)
{
  writer w = {plan, name, {0}};
  ms_growing_put(&w.out, "{\"order\":\"%s\",\"automorphisms\":\"", ms_order_word(plan->order));
  ms_growing_put_order(&w.out, plan);
  ms_growing_put(&w.out, "\",\"constrained\":%s,\"directed\":%s,\"induced\":%s,\"cost\":%.6g",
                 bool_text(plan->constrained), bool_text(plan->shape.directed),
                 bool_text(plan->shape.induced), plan->cost);
  ms_growing_put(&w.out, ",\"levels\":[");
  for (uint32_t i = 0; i < plan->shape.n; i++)
    put_level(&w, &plan->level[i], i);
  ms_growing_put(&w.out, "]}");
  return ms_growing_end(&w.out, text, err);
}
