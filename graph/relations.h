/* Names of relations on their way in, and which is the inverse of which.
 *
 * A word is a relation as an edge line calls it.  What inverse it has is said
 * by a table of relations (or the lines of that kind in a typed table), or
 * follows from a rule once all words are there. */
#ifndef MS_GRAPH_RELATIONS_H
#define MS_GRAPH_RELATIONS_H

#include "graph/typed.h"

/* Where something is said, for messages. */
typedef struct ms_place {
  const char *label; /* of a file; has to outlive what notes it */
  uint64_t line;     /* 0: the file as a whole */
} ms_place;

typedef struct ms_relation {
  uint32_t inverse; /* a word; MS_NO_ID: not known yet */
  bool second;      /* of the two names this is the inverse's */
  bool pointed;     /* "^r" occurs, so r has a direction unless it is said to have none */
  uint32_t base;    /* of "^r": the word r, if "^r" is no name of its own; else MS_NO_ID */
  bool turned;      /* of "^r": an odd number of '^' */
  ms_place said;    /* where the inverse was said; label NULL: in no file */
} ms_relation;

typedef struct ms_relations {
  ms_names *words;
  ms_relation *of; /* [room], the first ms_names_count(words) in use */
  uint32_t room;
} ms_relations;

/* Of relations of which nothing is said. */
typedef enum ms_relation_rule {
  MS_RULE_SYMMETRIC = 0, /* unless "^r" occurs */
  MS_RULE_DIRECTED,
  MS_RULE_HETIONET /* abbreviations with '>' or '<' have a direction: "G<rG" is the inverse of
                      "Gr>G" */
} ms_relation_rule;

ms_status ms_relations_new(ms_relations *relations, ms_error *err);
void ms_relations_free(ms_relations *relations); /* accepts a struct of zeros */

/* `at` below: the file and line; NULL: none, and then an error is an MS_ERR_USAGE. */

/* Find or add a word.  Words are names (graph/names.h), at most MS_MAX_TYPES. */
ms_status ms_relations_word(ms_relations *relations, const ms_place *at, ms_field name,
                            uint32_t *word, ms_error *err);
/* `inverse` is the inverse of `word`; the same: a symmetric relation.  An error
 * where something else was said before. */
ms_status ms_relations_say(ms_relations *relations, const ms_place *at, ms_field word,
                           ms_field inverse, ms_error *err);

/* Every word to a type of arcs: arc_types, inverse and is_inverse of `parts`
 * are made, by order of first appearance, an inverse behind its relation.
 * *type: [words] of arcs, to be freed with ms_free. */
ms_status ms_relations_settle(ms_relations *relations, const ms_place *at, ms_relation_rule rule,
                              ms_typed_parts *parts, ms_type **type, ms_error *err);

#endif
