/* Which terms are the slim, and the map of all terms onto them.
 *
 * The map goes through the terms in an order in which all above a term come first: a slim term maps
 * to itself; another term maps to what its parents map to, without terms that are above others
 * among these.  Time O(terms + links), and for each term whose parents disagree, the number of
 * terms above its candidates. */
#include "graph/formats/colors/slim.h"

#include "base/alloc.h"
#include "base/status.h"
#include "graph/suggest.h"

#include <string.h>
#include <unistd.h>

void ms_slim_free(ms_slim *slim)
{
  if (!slim)
    return;
  ms_free(slim->range);
  ms_free(slim->mapped.pair);
  ms_free(slim);
}

/* ---- the terms of the slim ------------------------------------------------ */

/* Below, in_slim[terms] is 1 for a term of the slim. */
static void mark_subset(const ms_ontology *o, uint32_t subset, uint8_t *in_slim)
{
  for (uint64_t i = 0; i < o->member.count; i++) {
    uint32_t t = o->member.pair[i][0];
    if (o->member.pair[i][1] == subset && o->term[t].main == t)
      in_slim[t] = 1;
  }
}

/* A term of an older or newer ontology cannot be found in this one. */
static ms_status mark_obo(const ms_ontology *o, ms_text *text, uint8_t *in_slim, ms_error *err)
{
  ms_ontology *slim;
  ms_status status = ms_ontology_read_text(text, &slim, err);
  for (uint32_t s = 0; status == MS_OK && s < slim->count; s++) {
    const char *id = ms_ontology_id(slim, s);
    uint32_t t = slim->term[s].main == s ? ms_ontology_find(o, id, strlen(id)) : MS_NO_ID;
    if (t != MS_NO_ID)
      in_slim[t] = 1;
  }
  ms_ontology_free(slim);
  return status;
}

#define SHARED (MS_NO_ID - 1) /* the name of several terms */

/* Sets (*out)[names] to the term in use of each name, MS_NO_ID or SHARED. */
static ms_status find_named(const ms_ontology *o, uint32_t **out, ms_error *err)
{
  size_t names = ms_names_count(o->names);
  uint32_t *named = ms_alloc(names, sizeof *named);
  *out = named;
  if (!named)
    return ms_fail_memory(err, "names of terms");
  memset(named, 0xFF, names * sizeof *named); /* MS_NO_ID */
  for (uint32_t t = 0; t < o->count; t++)
    if (o->term[t].main == t && o->term[t].name != MS_NO_ID)
      named[o->term[t].name] = named[o->term[t].name] == MS_NO_ID ? t : SHARED;
  return MS_OK;
}

static ms_status mark_line(const ms_ontology *o, const uint32_t *named, ms_text *text,
                           uint8_t *in_slim, ms_error *err)
{
  ms_field term;
  uint32_t count;
  ms_status status = ms_text_split(text, MS_TAB, 1, &term, &count, err);
  if (status == MS_OK)
    status = ms_text_check_name(text, term, "term", err);
  if (status != MS_OK)
    return status;
  uint32_t t = ms_ontology_find(o, term.text, term.length);
  uint32_t name = ms_names_find(o->names, term.text, term.length);
  if (t == MS_NO_ID && name != MS_NO_ID)
    t = named[name];
  int clip = ms_name_clip(term.text, term.length);
  if (t == MS_NO_ID)
    return ms_text_fail(
        text, err,
        "the ontology has no current term with the id or name '%.*s'; correct it or "
        "remove the line",
        clip, term.text);
  if (t == SHARED)
    return ms_text_fail(text, err, "several terms have the name '%.*s'; give the id", clip,
                        term.text);
  in_slim[t] = 1;
  return MS_OK;
}

static ms_status mark_list(const ms_ontology *o, ms_text *text, uint8_t *in_slim, ms_error *err)
{
  uint32_t *named;
  ms_status status = find_named(o, &named, err);
  while (status == MS_OK && text->line) {
    status = mark_line(o, named, text, in_slim, err);
    if (status == MS_OK)
      status = ms_text_next_data(text, err);
  }
  ms_free(named);
  return status;
}

static ms_status mark_file(const ms_ontology *o, const char *path, uint8_t *in_slim, ms_slim *slim,
                           ms_error *err)
{
  ms_text *text;
  MS_TRY(ms_text_open(path, &text, err));
  ms_status status = ms_text_next_data(text, err);
  if (status == MS_OK)
    status = text->line && ms_is_obo(text) ? mark_obo(o, text, in_slim, err)
                                           : mark_list(o, text, in_slim, err);
  slim->is_file = true;
  slim->crc32c = text->crc32c;
  ms_text_close(text);
  return status;
}

static ms_status mark_terms(const ms_ontology *o, const char *name, uint8_t *in_slim, ms_slim *slim,
                            ms_error *err)
{
  uint32_t subset = ms_names_find(o->subsets, name, strlen(name));
  ms_status status = MS_OK;
  if (subset != MS_NO_ID) {
    mark_subset(o, subset, in_slim);
  } else if (strcmp(name, "-") == 0 || access(name, F_OK) == 0) {
    status = mark_file(o, name, in_slim, slim, err);
  } else {
    ms_name_list known = {.used = 0};
    for (uint32_t s = 0; s < ms_names_count(o->subsets); s++)
      ms_name_list_add(&known, ms_names_get(o->subsets, s), strlen(ms_names_get(o->subsets, s)));
    return ms_fail(err, MS_ERR_INPUT,
                   "%s: is neither a file nor a subset that the ontology names; its subsets are "
                   "%s; choose one of them, or give a file",
                   name, ms_name_list_text(&known));
  }
  if (status == MS_OK && !memchr(in_slim, 1, o->count))
    status = ms_fail(err, MS_ERR_INPUT,
                     "%s: this slim holds no term of the ontology; give another slim", name);
  return status;
}

/* ---- the map -------------------------------------------------------------- */

typedef struct mapper {
  const ms_ontology *o;
  const uint8_t *in_slim;
  ms_slim *slim;
  /* [terms]; a term is in the set while its stamp is the current term's */
  uint32_t *listed, *reached;
  uint32_t *to_visit; /* [terms] */
} mapper;

/* Appends what the parents of t map to, each term once; *most: the largest number of them that
 * one parent has. */
static ms_status gather(mapper *m, uint32_t t, uint32_t *most, ms_error *err)
{
  ms_status status = MS_OK;
  *most = 0;
  for (uint64_t p = m->o->offset[t]; p < m->o->offset[t + 1]; p++) {
    ms_slim_range above = m->slim->range[m->o->parent[p]];
    *most = above.count > *most ? above.count : *most;
    for (uint32_t i = 0; i < above.count && status == MS_OK; i++) {
      uint32_t s = m->slim->mapped.pair[above.start + i][1];
      if (m->listed[s] != t)
        status = ms_pairs_add(&m->slim->mapped, t, s, err);
      m->listed[s] = t;
    }
  }
  return status;
}

static uint32_t visit_parents(mapper *m, uint32_t of, uint32_t t, uint32_t waiting)
{
  for (uint64_t p = m->o->offset[of]; p < m->o->offset[of + 1]; p++) {
    uint32_t parent = m->o->parent[p];
    if (m->reached[parent] == t)
      continue;
    m->reached[parent] = t;
    m->to_visit[waiting++] = parent;
  }
  return waiting;
}

/* Drops terms that are above others among those gathered for t from `start` on. */
static void drop_general(mapper *m, uint32_t t, uint64_t start)
{
  uint32_t(*pair)[2] = m->slim->mapped.pair, waiting = 0;
  uint64_t count = m->slim->mapped.count, kept = start;
  for (uint64_t i = start; i < count; i++)
    waiting = visit_parents(m, pair[i][1], t, waiting);
  while (waiting > 0) {
    uint32_t next = m->to_visit[--waiting];
    waiting = visit_parents(m, next, t, waiting);
  }
  for (uint64_t i = start; i < count; i++)
    if (m->reached[pair[i][1]] != t)
      pair[kept++][1] = pair[i][1];
  m->slim->mapped.count = kept;
}

static ms_status map_term(mapper *m, uint32_t t, ms_error *err)
{
  uint64_t start = m->slim->mapped.count;
  uint32_t most = 1;
  ms_status status =
      m->in_slim[t] ? ms_pairs_add(&m->slim->mapped, t, t, err) : gather(m, t, &most, err);
  if (status != MS_OK)
    return status;
  /* else one parent has all of them, so none is above another */
  if (m->slim->mapped.count - start > most)
    drop_general(m, t, start);
  m->slim->range[t] = (ms_slim_range){start, (uint32_t)(m->slim->mapped.count - start)};
  return MS_OK;
}

static ms_status map_terms(const ms_ontology *o, const uint8_t *in_slim, ms_slim *slim,
                           ms_error *err)
{
  ms_status status = MS_OK;
  mapper m = {.o = o,
              .in_slim = in_slim,
              .slim = slim,
              .listed = ms_alloc(o->count, sizeof *m.listed),
              .reached = ms_alloc(o->count, sizeof *m.reached),
              .to_visit = ms_alloc(o->count, sizeof *m.to_visit)};
  slim->range = ms_calloc(o->count, sizeof *slim->range);
  if (!m.listed || !m.reached || !m.to_visit || !slim->range) {
    status = ms_fail_memory(err, "a slim");
    goto done;
  }
  memset(m.listed, 0xFF, o->count * sizeof *m.listed); /* no term's stamp */
  memset(m.reached, 0xFF, o->count * sizeof *m.reached);
  for (uint32_t i = 0; i < o->count && status == MS_OK; i++)
    status = map_term(&m, o->order[i], err);

done:
  ms_free(m.listed);
  ms_free(m.reached);
  ms_free(m.to_visit);
  return status;
}

ms_status ms_slim_read(const ms_ontology *ontology, const char *name, ms_slim **out, ms_error *err)
{
  ms_status status = MS_OK;
  *out = NULL;
  ms_slim *slim = ms_calloc(1, sizeof *slim);
  uint8_t *in_slim = ms_calloc(ontology->count, 1);
  if (!slim || !in_slim)
    status = ms_fail_memory(err, "a slim");
  if (status == MS_OK)
    status = mark_terms(ontology, name, in_slim, slim, err);
  if (status == MS_OK)
    status = map_terms(ontology, in_slim, slim, err);
  ms_free(in_slim);
  if (status != MS_OK) {
    ms_slim_free(slim);
    return status;
  }
  *out = slim;
  return MS_OK;
}
