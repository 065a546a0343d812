/* Names of relations while they are read, and which is the inverse of which.  A word is a
 * relation as an edge line calls it.  A table of relations (or such lines in a typed table) states
 * its inverse; else the inverse follows from a rule once all words are known. */
#ifndef MS_GRAPH_RELATIONS_H
#define MS_GRAPH_RELATIONS_H

#include "graph/typed.h"

/* Where something is stated, for messages. */
typedef struct ms_place {
  const char *label; /* of a file; must outlive what records it */
  uint64_t line;     /* 0: the file as a whole */
} ms_place;

typedef struct ms_relation {
  uint32_t inverse; /* a word; MS_NO_ID: not known yet */
  bool second;      /* this is the inverse of the two names */
  bool pointed;     /* "^r" occurs, so r has a direction unless a table states that it has none */
  uint32_t base;    /* of "^r": the word r, if "^r" only means its inverse; else MS_NO_ID */
  bool turned;      /* of "^r": an odd number of '^' */
  ms_place said;    /* where the inverse was stated; label NULL: in no file */
} ms_relation;

typedef struct ms_relations {
  ms_names *words;
  ms_relation *of; /* [room], the first ms_names_count(words) in use */
  uint32_t room;
} ms_relations;

/* The rule for relations whose inverse is not stated. */
typedef enum ms_relation_rule {
  MS_RULE_SYMMETRIC = 0, /* unless "^r" occurs */
  MS_RULE_DIRECTED,
  MS_RULE_HETIONET /* abbreviations with '>' or '<' have a direction: "G<rG" is the inverse of
                      "Gr>G" */
} ms_relation_rule;

ms_status ms_relations_new(ms_relations *relations, ms_error *err);
void ms_relations_free(ms_relations *relations); /* accepts a struct of zeros */

/* Below, `at` is the file and line.  Where it is NULL, an error is an MS_ERR_USAGE. */

/* Finds or adds a word.  Words are names (graph/names.h), at most MS_MAX_TYPES. */
ms_status ms_relations_word(ms_relations *relations, const ms_place *at, ms_field name,
                            uint32_t *word, ms_error *err);
/* Records that `inverse` is the inverse of `word`; the same word: a symmetric relation.  Fails
 * where something else was stated before. */
ms_status ms_relations_set_inverse(ms_relations *relations, const ms_place *at, ms_field word,
                                   ms_field inverse, ms_error *err);

/* Turns every word into a type of arcs: makes arc_types, inverse and is_inverse of `parts`, in
 * the order of first appearance, with an inverse behind its relation.  *type[words] are the types
 * of the words, to be freed with ms_free. */
ms_status ms_relations_settle(ms_relations *relations, const ms_place *at, ms_relation_rule rule,
                              ms_typed_parts *parts, ms_type **type, ms_error *err);

#endif
