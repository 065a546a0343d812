/* A plan as text for the user: one line of totals, and a table with a line per level. */
#include "base/alloc.h"
#include "plan/match_order.h"
#include "plan/plan_writer.h"

typedef struct table {
  const ms_plan *plan;
  const char *const *name;
} table;

typedef struct column {
  const char *title;
  void (*cell)(const table *t, uint32_t i, ms_growing *out);
  bool (*shown)(const ms_plan *plan); /* NULL: always */
  bool right;                         /* numbers */
} column;

static const char *name_of(const table *t, uint32_t level)
{
  return t->name[t->plan->level[level].vertex];
}

/* Writes three digits, without an exponent where possible. */
static void put_number(double number, ms_growing *out)
{
  ms_growing_put(out, number >= 100 && number < 1e7 ? "%.0f" : "%.3g", number);
}

/* Writes names with blanks between them, or a dash if there are none. */
static void put_names(const table *t, ms_bitset levels, ms_growing *out)
{
  const char *before = "";
  if (ms_bitset_is_empty(levels))
    ms_growing_put(out, "-");
  MS_EACH_MEMBER (j, levels) {
    ms_growing_put(out, "%s%s", before, name_of(t, j));
    before = " ";
  }
}

/* ---- cells -------------------------------------------------------------------- */

static void cell_level(const table *t, uint32_t i, ms_growing *out)
{
  (void)t;
  ms_growing_put(out, "%u", i);
}

static void cell_vertex(const table *t, uint32_t i, ms_growing *out)
{
  ms_growing_put(out, "%s", name_of(t, i));
}

static void cell_candidates(const table *t, uint32_t i, ms_growing *out)
{
  put_number(t->plan->level[i].candidates, out);
}

static void cell_matches(const table *t, uint32_t i, ms_growing *out)
{
  put_number(t->plan->level[i].matches, out);
}

static void cell_out(const table *t, uint32_t i, ms_growing *out)
{
  put_names(t, t->plan->level[i].back_out, out);
}

static void cell_relations(const table *t, uint32_t i, ms_growing *out)
{
  const ms_plan_level *level = &t->plan->level[i];
  const char *before = "";
  if (ms_bitset_is_empty(level->back_out))
    ms_growing_put(out, "-");
  MS_EACH_MEMBER (j, level->back_out) {
    ms_growing_put(out, "%s%u", before, ms_plan_relation(t->plan, level, j));
    before = " ";
  }
}

static void cell_in(const table *t, uint32_t i, ms_growing *out)
{
  put_names(t, t->plan->level[i].back_in, out);
}

static void cell_not_out(const table *t, uint32_t i, ms_growing *out)
{
  put_names(t, t->plan->level[i].not_out, out);
}

static void cell_not_in(const table *t, uint32_t i, ms_growing *out)
{
  put_names(t, t->plan->level[i].not_in, out);
}

static void cell_above(const table *t, uint32_t i, ms_growing *out)
{
  put_names(t, t->plan->level[i].above, out);
}

static void cell_below(const table *t, uint32_t i, ms_growing *out)
{
  put_names(t, t->plan->level[i].below, out);
}

/* Names the vertices whose candidates are reused and, for another path, which
 * match replaces which. */
static void cell_reuse(const table *t, uint32_t i, ms_growing *out)
{
  const ms_plan_level *level = &t->plan->level[i];
  if (!level->n_reuse)
    ms_growing_put(out, "-");
  for (uint32_t k = 0; k < level->n_reuse; k++) {
    const ms_plan_reuse *r = &level->reuse[k];
    ms_growing_put(out, "%s%s", k ? ", " : "", name_of(t, r->level));
    const char *before = " (";
    MS_EACH_MEMBER (b, r->needed) {
      if (r->same_path || r->from[b] == b)
        continue;
      ms_growing_put(out, "%s%s as %s", before, name_of(t, r->from[b]), name_of(t, b));
      before = ", ";
    }
    ms_growing_put(out, "%s", r->same_path ? "" : ")");
  }
}

static void cell_rows_out(const table *t, uint32_t i, ms_growing *out)
{
  put_names(t, t->plan->level[i].rows_out, out);
}

static void cell_rows_in(const table *t, uint32_t i, ms_growing *out)
{
  put_names(t, t->plan->level[i].rows_in, out);
}

/* ---- columns ------------------------------------------------------------------- */

static bool if_typed(const ms_plan *plan)
{
  return plan->shape.label != NULL;
}

static bool if_directed(const ms_plan *plan)
{
  return plan->shape.directed;
}

static bool if_undirected(const ms_plan *plan)
{
  return !plan->shape.directed;
}

static bool if_directed_induced(const ms_plan *plan)
{
  return plan->shape.directed && plan->shape.induced;
}

static bool if_undirected_induced(const ms_plan *plan)
{
  return !plan->shape.directed && plan->shape.induced;
}

static bool if_below(const ms_plan *plan)
{
  for (uint32_t i = 0; i < plan->shape.n; i++)
    if (!ms_bitset_is_empty(plan->level[i].below))
      return true;
  return false;
}

static bool if_constrained(const ms_plan *plan)
{
  return plan->constrained;
}

static const column columns[] = {
    {"level", cell_level, NULL, true},
    {"vertex", cell_vertex, NULL, false},
    {"candidates", cell_candidates, NULL, true},
    {"matches", cell_matches, NULL, true},
    {"adjacent to", cell_out, if_undirected, false},
    {"by relations", cell_relations, if_typed, false},
    {"arcs from", cell_out, if_directed, false},
    {"arcs to", cell_in, if_directed, false},
    {"not adjacent to", cell_not_out, if_undirected_induced, false},
    {"no arc from", cell_not_out, if_directed_induced, false},
    {"no arc to", cell_not_in, if_directed_induced, false},
    {"larger than", cell_above, if_constrained, false},
    {"smaller than", cell_below, if_below, false},
    {"candidates within those of", cell_reuse, NULL, false},
    {"rows of", cell_rows_out, if_undirected, false},
    {"rows from", cell_rows_out, if_directed, false},
    {"rows to", cell_rows_in, if_directed, false},
};

enum { COLUMNS = sizeof columns / sizeof *columns };

/* Returns the width of UTF-8 text in characters. */
static int width_of(const char *text, size_t bytes)
{
  int width = 0;
  for (size_t i = 0; i < bytes; i++)
    width += ((unsigned char)text[i] & 0xC0) != 0x80;
  return width;
}

/* Writes one line of the table into `out`, with `cell` as a buffer. Without
 * `out` only the widths grow. */
static void put_line(const table *t, uint32_t line, int width[COLUMNS], ms_growing *cell,
                     ms_growing *out)
{
  int owed = 0; /* number of blanks before the next cell */
  for (int c = 0; c < COLUMNS; c++) {
    if (columns[c].shown && !columns[c].shown(t->plan))
      continue;
    cell->used = 0;
    if (line == 0)
      ms_growing_put(cell, "%s", columns[c].title);
    else
      columns[c].cell(t, line - 1, cell);
    int have = cell->failed ? 0 : width_of(cell->text, cell->used);
    width[c] = have > width[c] ? have : width[c];
    if (out) {
      int pad = width[c] - have;
      ms_growing_put(out, "%*s%s", owed + (columns[c].right ? pad : 0), "",
                     cell->failed ? "" : cell->text);
      owed = 2 + (columns[c].right ? 0 : pad);
    }
  }
  if (out)
    ms_growing_put(out, "\n");
}

ms_status ms_plan_text(const ms_plan *plan, const char *const *name, char **text, ms_error *err)
{
  const table t = {plan, name};
  ms_growing out = {0}, cell = {0};
  int width[COLUMNS] = {0};
  ms_growing_put(&out, "order: %s; automorphisms: ", ms_order_word(plan->order));
  ms_growing_put_order(&out, plan);
  ms_growing_put(
      &out, ", %s; estimated cost: ", plan->constrained ? "one match of each class" : "every map");
  put_number(plan->cost, &out);
  ms_growing_put(&out, "\n");
  for (uint32_t line = 0; line <= plan->shape.n; line++)
    put_line(&t, line, width, &cell, NULL);
  for (uint32_t line = 0; line <= plan->shape.n; line++)
    put_line(&t, line, width, &cell, &out);
  out.failed = out.failed || cell.failed;
  ms_free(cell.text);
  return ms_growing_end(&out, "the plan's text", text, err);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

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
static void json_put_names(writer *w, const char *key, ms_bitset levels)
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
  json_put_names(w, "covers_from", r->covers_out);
  json_put_names(w, "covers_to", r->covers_in);
  ms_growing_put(&w->out, "}");
}

static void put_level(writer *w, const ms_plan_level *level, uint32_t i)
{
  ms_growing_put(&w->out, "%s{\"vertex\":", i ? "," : "");
  put_level_name(w, i);
  ms_growing_put(&w->out, ",\"candidates\":%.6g,\"matches\":%.6g", level->candidates,
                 level->matches);
  json_put_names(w, "arcs_from", level->back_out);
  json_put_names(w, "arcs_to", level->back_in);
  if (w->plan->shape.label)
    put_relations(w, level);
  json_put_names(w, "no_arc_from", level->not_out);
  json_put_names(w, "no_arc_to", level->not_in);
  json_put_names(w, "larger_than", level->above);
  json_put_names(w, "smaller_than", level->below);
  ms_growing_put(&w->out, ",\"reuse\":[");
  for (uint32_t k = 0; k < level->n_reuse; k++) {
    ms_growing_put(&w->out, "%s", k ? "," : "");
    put_reuse(w, &level->reuse[k]);
  }
  ms_growing_put(&w->out, "]");
  json_put_names(w, "rows_from", level->rows_out);
  json_put_names(w, "rows_to", level->rows_in);
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
  return ms_growing_end(&w.out, "the plan's text", text, err);
}
