/* Links the ontology after it is read: which id leads to which term, which terms are above
 * which, and an order in which every term comes after the terms above it. */
#include "graph/formats/colors/ontology.h"

#include "base/alloc.h"
#include "base/status.h"
#include "graph/formats/colors/ontology_links.h"

#include <string.h>

void ms_ontology_free(ms_ontology *ontology)
{
  if (!ontology)
    return;
  ms_names_free(ontology->ids);
  ms_names_free(ontology->names);
  ms_names_free(ontology->namespaces);
  ms_names_free(ontology->subsets);
  ms_free(ontology->term);
  ms_free(ontology->offset);
  ms_free(ontology->parent);
  ms_free(ontology->order);
  ms_free(ontology->member.pair);
  ms_free(ontology);
}

uint32_t ms_ontology_find(const ms_ontology *ontology, const char *text, size_t length)
{
  uint32_t id = ms_names_find(ontology->ids, text, length);
  return id == MS_NO_ID || ontology->term[id].split ? MS_NO_ID : ontology->term[id].main;
}

const char *ms_ontology_id(const ms_ontology *ontology, uint32_t term)
{
  return ms_names_get(ontology->ids, term);
}

const char *ms_ontology_name(const ms_ontology *ontology, uint32_t term)
{
  uint32_t name = ontology->term[term].name;
  return name == MS_NO_ID ? ms_ontology_id(ontology, term) : ms_names_get(ontology->names, name);
}

/* ---- the term to use for an id -------------------------------------------- */

static bool in_use(const ms_term *term)
{
  return term->line > 0 && !term->obsolete;
}

/* A term in use represents itself, even where another term claims its id. */
static void follow_alternatives(ms_ontology *o, const ms_pairs *alternatives)
{
  for (uint64_t i = 0; i < alternatives->count; i++) {
    ms_term *id = &o->term[alternatives->pair[i][0]];
    uint32_t main = alternatives->pair[i][1];
    if (in_use(id) || !in_use(&o->term[main]))
      continue;
    id->split |= id->main != MS_NO_ID && id->main != main;
    id->main = main;
  }
}

/* Chains are a few steps long; the bound stops those that form a circle. */
static void follow_replacements(ms_ontology *o)
{
  enum { MOST_STEPS = 100 };
  for (uint32_t t = 0; t < o->count; t++) {
    uint32_t at = t;
    if (o->term[t].main != MS_NO_ID)
      continue;
    for (int step = 0; step < MOST_STEPS && at != MS_NO_ID && o->term[at].main == MS_NO_ID; step++)
      at = o->term[at].split ? MS_NO_ID : o->term[at].replaced_by;
    if (at != MS_NO_ID && !o->term[at].split)
      o->term[t].main = o->term[at].main;
  }
}

/* ---- what is above what --------------------------------------------------- */

static bool counts(const ms_ontology *o, const uint32_t link[2], bool part_of)
{
  const ms_term *below = &o->term[link[0]], *above = &o->term[link[1]];
  return in_use(below) && in_use(above) && (!part_of || below->namespace_ == above->namespace_);
}

static void count_links(ms_ontology *o, const ms_pairs *links, bool part_of)
{
  for (uint64_t i = 0; i < links->count; i++)
    o->offset[links->pair[i][0] + 1] += counts(o, links->pair[i], part_of);
}

static void fill_links(ms_ontology *o, const ms_pairs *links, bool part_of, uint64_t *cursor)
{
  for (uint64_t i = 0; i < links->count; i++)
    if (counts(o, links->pair[i], part_of))
      o->parent[cursor[links->pair[i][0]]++] = links->pair[i][1];
}

static ms_status build_parents(ms_ontology *o, const ms_ontology_links *links, ms_error *err)
{
  ms_status status = MS_OK;
  uint64_t *cursor = ms_alloc(o->count, sizeof *cursor);
  o->offset = ms_calloc((size_t)o->count + 1, sizeof *o->offset);
  if (!cursor || !o->offset) {
    status = ms_fail_memory(err, "an ontology");
    goto done;
  }
  count_links(o, &links->is_a, false);
  count_links(o, &links->part_of, true);
  for (uint32_t t = 0; t < o->count; t++)
    o->offset[t + 1] += o->offset[t];
  o->parent = ms_alloc(o->offset[o->count], sizeof *o->parent);
  if (!o->parent) {
    status = ms_fail_memory(err, "an ontology");
    goto done;
  }
  memcpy(cursor, o->offset, o->count * sizeof *cursor);
  fill_links(o, &links->is_a, false, cursor);
  fill_links(o, &links->part_of, true, cursor);

done:
  ms_free(cursor);
  return status;
}

/* ---- order ---------------------------------------------------------------- */

enum { NEW, ON_PATH, PLACED };

typedef struct climb {
  uint8_t *state;   /* [count] */
  uint64_t *cursor; /* [count] next parent to visit */
  uint32_t *path;   /* [count] from the term that the climb began with */
  uint32_t placed;
} climb;

/* Climbs depth first from the term, and places a term after all terms above it.  Returns the
 * term that closes a circle, or MS_NO_ID. */
static uint32_t climb_from(ms_ontology *o, uint32_t term, climb *c)
{
  uint32_t length = 0;
  c->path[length++] = term;
  c->state[term] = ON_PATH;
  while (length > 0) {
    uint32_t t = c->path[length - 1];
    if (c->cursor[t] == o->offset[t + 1]) {
      c->state[t] = PLACED;
      o->order[c->placed++] = t;
      length--;
      continue;
    }
    uint32_t parent = o->parent[c->cursor[t]++];
    if (c->state[parent] == ON_PATH)
      return parent;
    if (c->state[parent] == NEW) {
      c->state[parent] = ON_PATH;
      c->path[length++] = parent;
    }
  }
  return MS_NO_ID;
}

static ms_status place_all(ms_ontology *o, const char *label, climb *c, ms_error *err)
{
  for (uint32_t t = 0; t < o->count; t++) {
    uint32_t circle = c->state[t] == NEW ? climb_from(o, t, c) : MS_NO_ID;
    if (circle == MS_NO_ID)
      continue;
    const char *id = ms_ontology_id(o, circle);
    return ms_fail(err, MS_ERR_INPUT,
                   "%s:%llu: the term '%.*s' is its own ancestor by is_a and part_of; remove the "
                   "link that closes the cycle",
                   label, (unsigned long long)o->term[circle].line, ms_name_clip(id, strlen(id)),
                   id);
  }
  return MS_OK;
}

static ms_status find_order(ms_ontology *o, const char *label, ms_error *err)
{
  ms_status status;
  climb c = {.state = ms_calloc(o->count, sizeof *c.state),
             .cursor = ms_alloc(o->count, sizeof *c.cursor),
             .path = ms_alloc(o->count, sizeof *c.path)};
  o->order = ms_alloc(o->count, sizeof *o->order);
  if (!c.state || !c.cursor || !c.path || !o->order) {
    status = ms_fail_memory(err, "an ontology");
  } else {
    memcpy(c.cursor, o->offset, o->count * sizeof *c.cursor);
    status = place_all(o, label, &c, err);
  }
  ms_free(c.state);
  ms_free(c.cursor);
  ms_free(c.path);
  return status;
}

ms_status ms_ontology_link(ms_ontology *o, const ms_ontology_links *links, const char *label,
                           ms_error *err)
{
  for (uint32_t t = 0; t < o->count; t++)
    if (in_use(&o->term[t])) {
      o->term[t].main = t;
      o->term[t].split = false;
    }
  follow_alternatives(o, &links->alternative);
  follow_replacements(o);
  ms_status status = build_parents(o, links, err);
  return status == MS_OK ? find_order(o, label, err) : status;
}
