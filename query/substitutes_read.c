/* ms_substitutes_read: substitutions from a table or from an ontology. */
#include "base/alloc.h"
#include "base/status.h"
#include "graph/formats/colors/ontology.h"
#include "query/query.h"
#include "query/substitutes.h"

#include <string.h>

/* ---- a table ---------------------------------------------------------------------- */

/* Parses a whole number from 1 to MS_MAX_COST; returns 0 for other text. */
static uint32_t take_cost(ms_field field)
{
  uint32_t cost = 0;
  for (size_t i = 0; i < field.length; i++) {
    if (field.text[i] < '0' || field.text[i] > '9')
      return 0;
    cost = 10 * cost + (uint32_t)(field.text[i] - '0');
    if (cost > MS_MAX_COST)
      return 0;
  }
  return cost;
}

static ms_status read_line(ms_text *text, const ms_coloring *coloring, ms_substitutes *s,
                           ms_error *err)
{
  ms_field field[4];
  uint32_t count;
  MS_TRY(ms_text_split(text, MS_TAB, 4, field, &count, err));
  uint32_t cost = count == 3 ? take_cost(field[2]) : 0;
  if (count != 3)
    return ms_text_fail(text, err,
                        "expected WANTED<TAB>INSTEAD<TAB>COST, found %u field%s; write two colours "
                        "and a number between tabs",
                        count, count == 1 ? "" : "s");
  if (cost == 0)
    return ms_text_fail(text, err, "the cost '%.*s' is not a whole number from 1 to %u",
                        ms_name_clip(field[2].text, field[2].length), field[2].text, MS_MAX_COST);
  ms_substitute entry = {ms_coloring_find_text(coloring, field[0].text, field[0].length),
                         ms_coloring_find_text(coloring, field[1].text, field[1].length), cost};
  return ms_substitutes_add(s, entry, err);
}

static ms_status read_table(ms_text *text, const ms_coloring *coloring, ms_substitutes *s,
                            ms_error *err)
{
  while (text->line) {
    MS_TRY(read_line(text, coloring, s, err));
    MS_TRY(ms_text_next_data(text, err));
  }
  return MS_OK;
}

/* ---- an ontology ------------------------------------------------------------------ */

/* The search for the terms near one term. */
typedef struct climb {
  const ms_ontology *ontology;
  uint32_t *up;    /* [terms] least number of steps up to the term; UINT32_MAX: it is not above */
  uint32_t *steps; /* [terms] the same of steps first up, and then down to the term */
  uint32_t *color; /* [terms] the colour of the term under its id or name, or MS_NO_ID */
  uint32_t *queue; /* [terms] */
} climb;

/* Returns the colour of the term's id or, if there is none, of its name.  Alternative ids and ids
 * that were replaced are terms of their own here, with the place of their main term. */
static uint32_t find_color(const ms_ontology *ontology, const ms_coloring *coloring, uint32_t term)
{
  const char *id = ms_ontology_id(ontology, term), *name = ms_ontology_name(ontology, term);
  if (ontology->term[term].main == MS_NO_ID)
    return MS_NO_ID;
  uint32_t color = ms_coloring_find_text(coloring, id, strlen(id));
  return color != MS_NO_ID ? color : ms_coloring_find_text(coloring, name, strlen(name));
}

static ms_status open_climb(const ms_ontology *o, const ms_coloring *coloring, climb *c,
                            ms_error *err)
{
  *c = (climb){.ontology = o};
  c->up = ms_alloc(o->count, sizeof *c->up);
  c->steps = ms_alloc(o->count, sizeof *c->steps);
  c->color = ms_alloc(o->count, sizeof *c->color);
  c->queue = ms_alloc(o->count, sizeof *c->queue);
  if (!c->up || !c->steps || !c->color || !c->queue)
    return ms_fail_memory(err, "the terms of the ontology");
  for (uint32_t t = 0; t < o->count; t++)
    c->color[t] = find_color(o, coloring, t);
  return MS_OK;
}

/* Fills up[] by a breadth-first search. */
static void climb_up(climb *c, uint32_t from)
{
  const ms_ontology *o = c->ontology;
  uint32_t tail = 0;
  memset(c->up, 0xff, o->count * sizeof *c->up);
  c->up[from] = 0;
  c->queue[tail++] = from;
  for (uint32_t head = 0; head < tail; head++) {
    uint32_t t = c->queue[head];
    for (uint64_t i = o->offset[t]; i < o->offset[t + 1]; i++)
      if (c->up[o->parent[i]] == UINT32_MAX) {
        c->up[o->parent[i]] = c->up[t] + 1;
        c->queue[tail++] = o->parent[i];
      }
  }
}

/* Fills steps[]: a term comes after its parents, whose steps are then known. */
static void climb_down(climb *c)
{
  const ms_ontology *o = c->ontology;
  for (uint32_t i = 0; i < o->count; i++) {
    uint32_t t = o->order[i], least = c->up[t];
    for (uint64_t p = o->offset[t]; p < o->offset[t + 1]; p++) {
      uint32_t above = c->steps[o->parent[p]];
      least = above < least ? above + 1 : least;
    }
    c->steps[t] = least;
  }
}

static ms_status add_near(climb *c, uint32_t term, uint32_t max_cost, ms_substitutes *s,
                          ms_error *err)
{
  const ms_term *terms = c->ontology->term;
  climb_up(c, terms[term].main);
  climb_down(c);
  for (uint32_t t = 0; t < c->ontology->count; t++) {
    if (t == term || c->color[t] == MS_NO_ID)
      continue;
    /* another id of the same term is no step away, and a substitution costs at least 1 */
    uint32_t steps = c->steps[terms[t].main], cost = steps > 0 ? steps : 1;
    if (cost <= max_cost)
      MS_TRY(ms_substitutes_add(s, (ms_substitute){c->color[term], c->color[t], cost}, err));
  }
  return MS_OK;
}

static bool is_wanted(const ms_motif *motif, uint32_t color)
{
  for (uint32_t i = 0; i < motif->n_classes; i++)
    if (motif->class_[i].condition ? ms_condition_names(motif->class_[i].condition, color)
                                   : motif->class_[i].color == color)
      return true;
  return false;
}

static ms_status climb_all(const ms_ontology *o, const ms_coloring *coloring, const ms_motif *motif,
                           uint32_t max_cost, ms_substitutes *s, ms_error *err)
{
  climb c;
  ms_status status = open_climb(o, coloring, &c, err);
  for (uint32_t t = 0; status == MS_OK && t < o->count; t++)
    if (c.color[t] != MS_NO_ID && is_wanted(motif, c.color[t]))
      status = add_near(&c, t, max_cost, s, err);
  ms_free(c.up);
  ms_free(c.steps);
  ms_free(c.color);
  ms_free(c.queue);
  return status;
}

/* ---- both ------------------------------------------------------------------------- */

static ms_status read_ontology(ms_text *text, const ms_coloring *coloring, const ms_motif *motif,
                               uint32_t max_cost, ms_substitutes *s, ms_error *err)
{
  ms_ontology *ontology;
  MS_TRY(ms_ontology_read_text(text, &ontology, err));
  ms_status status = climb_all(ontology, coloring, motif, max_cost, s, err);
  ms_ontology_free(ontology);
  if (status == MS_OK && s->count == 0 && max_cost > 0)
    return ms_fail(err, MS_ERR_INPUT,
                   "%s: no colour of the motif is a term with another colour at most %u step%s "
                   "away; raise `max_cost`, or give the ontology from which the colours come",
                   text->label, max_cost, max_cost == 1 ? "" : "s");
  return status;
}

static ms_status read_any(ms_text *text, const ms_coloring *coloring, const ms_motif *motif,
                          uint32_t max_cost, ms_substitutes *s, ms_error *err)
{
  MS_TRY(ms_text_next_data(text, err));
  if (text->line && ms_is_obo(text))
    return read_ontology(text, coloring, motif, max_cost, s, err);
  MS_TRY(read_table(text, coloring, s, err));
  if (s->count > 0)
    return MS_OK;
  return ms_fail(err, MS_ERR_INPUT,
                 "%s: no line names two colours of the graph's vertices; write "
                 "WANTED<TAB>INSTEAD<TAB>COST with these colours",
                 text->label);
}

ms_status ms_substitutes_read(const char *path, const ms_coloring *coloring, const ms_motif *motif,
                              uint32_t max_cost, ms_substitutes **out, ms_error *err)
{
  MS_REQUIRE(out, err);
  *out = NULL;
  MS_REQUIRE(path, err);
  MS_REQUIRE(coloring, err);
  MS_REQUIRE(motif, err);
  if (motif->coloring_serial != coloring->serial)
    return ms_fail(err, MS_ERR_USAGE, "the motif is of other colours than these; make it for them");
  ms_text *text = NULL;
  ms_substitutes *s = ms_calloc(1, sizeof *s);
  ms_status status = s ? ms_text_open(path, &text, err) : ms_fail_memory(err, "substitutions");
  if (status == MS_OK)
    status = (s->path = ms_strdup(path)) ? MS_OK : ms_fail_memory(err, "substitutions");
  if (status == MS_OK)
    status = read_any(text, coloring, motif, max_cost, s, err);
  if (status == MS_OK) {
    s->crc32c = text->crc32c;
    ms_substitutes_sort(s);
    s->coloring_serial = coloring->serial;
    *out = s;
  } else {
    ms_substitutes_free(s);
  }
  ms_text_close(text);
  return status;
}
