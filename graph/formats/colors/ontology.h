/* An ontology as OBO 1.2 or 1.4 writes it: terms, and which term is below
 * which.
 *
 *   [Term]
 *   id: GO:0006281
 *   name: DNA repair
 *   namespace: biological_process
 *   alt_id: GO:0009999
 *   subset: goslim_yeast
 *   is_a: GO:0006259 {modifier="..."} ! DNA metabolic process
 *   relationship: part_of GO:0006974 ! DNA damage response
 *
 * A term is below those that its is_a and part_of lines name.  Other relations do not count.  A
 * part_of that leads into another namespace is left out, as it is in go-basic: a function would
 * count as a process by it. */
#ifndef MS_GRAPH_FORMATS_COLORS_ONTOLOGY_H
#define MS_GRAPH_FORMATS_COLORS_ONTOLOGY_H

#include "graph/io/text.h"
#include "graph/names.h"
#include "graph/pairs.h"

typedef struct ms_term {
  uint64_t line; /* of its stanza; 0: only other terms name it */
  bool obsolete;
  bool split;           /* several terms claim the id as an alternative */
  uint32_t name;        /* in names; MS_NO_ID: it has none */
  uint32_t namespace_;  /* in namespaces */
  uint32_t replaced_by; /* of an obsolete one: term, or MS_NO_ID */
  uint32_t main;        /* the term to use for it: itself, the one whose alternative id it is, or
                           what replaced it; MS_NO_ID: none */
} ms_term;

typedef struct ms_ontology {
  ms_names *ids;   /* term <-> id, also alternative ids */
  ms_names *names; /* several terms may share one */
  ms_names *namespaces, *subsets;
  ms_term *term; /* [room], one for each id */
  uint32_t count, room;
  uint64_t *offset; /* [count + 1] */
  uint32_t
      *parent; /* [offset[count]] the terms directly above: terms in use, never the term itself */
  uint32_t *order; /* [count] all terms, each after its parents */
  ms_pairs member; /* (term, subset) */
  uint32_t crc32c;
} ms_ontology;

/* Reads an ontology.  MS_ERR_INPUT where, among other errors, a term is above itself. */
ms_status ms_ontology_read(const char *path, ms_ontology **out, ms_error *err);
/* Does the same from the current line or, where there is none yet, from the first one; the
 * caller keeps the text. */
ms_status ms_ontology_read_text(ms_text *text, ms_ontology **out, ms_error *err);
void ms_ontology_free(ms_ontology *ontology);

/* Does the current line, the first one with data, begin a file in OBO? */
bool ms_is_obo(const ms_text *text);

/* Returns the term in use of that id, alternative id or replaced id, or MS_NO_ID. */
uint32_t ms_ontology_find(const ms_ontology *ontology, const char *text, size_t length);
const char *ms_ontology_id(const ms_ontology *ontology, uint32_t term);
/* Returns the term's name or, where it has none, its id. */
const char *ms_ontology_name(const ms_ontology *ontology, uint32_t term);

#endif
