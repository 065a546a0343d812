/* The names of the nodes of GraphML and CX2.
 *
 * A node is named by its id, which is what networkx writes there.  igraph numbers the ids (n0, n1,
 * ..), and Cytoscape writes its own number (SUID); both keep the names in an attribute.  yEd
 * numbers the ids, too, and has the names as texts on the nodes, in the elements y:NodeLabel.  So
 * if every id is a number, perhaps with one letter before it, and one of the attributes "name",
 * "shared name", "label", "id" and "y:NodeLabel" gives every node a different name, that attribute
 * names the vertices.  The option `names` chooses an attribute, or "id": the ids. */
#ifndef MS_GRAPH_FORMATS_NODE_NAMES_H
#define MS_GRAPH_FORMATS_NODE_NAMES_H

#include "graph/io/edges/edges.h"

/* What the text that yEd draws on a node is called as an attribute. */
#define MS_YED_LABEL "y:NodeLabel"

/* A growing array of characters. */
typedef struct ms_chars {
  char *text; /* [room] */
  size_t length, room;
} ms_chars;

ms_status ms_chars_append(ms_chars *chars, const char *bytes, size_t length, ms_error *err);
/* Return the text, without blanks and line ends around it in the second case, and without repeated
 * ones and line ends inside it in the third. */
ms_field ms_chars_all(const ms_chars *chars);
ms_field ms_chars_trim(const ms_chars *chars);
ms_field ms_chars_join_words(ms_chars *chars);

typedef struct ms_node_names {
  const char *chosen; /* the option `names`; NULL: the rule above decides */
  char *key, *title;  /* id and attr.name of the <key> of the attribute; NULL: none so far */
  size_t rank;        /* place of the title among the usual ones */
  bool real_ids;      /* an id is more than a number */
  ms_chars text;      /* the names, one behind another */
  size_t (*part)[2];  /* [room] begin and length of the name of each vertex; length 0: none */
  uint32_t room;
} ms_node_names;

void ms_node_names_free(ms_node_names *names);
/* Takes note of a <key> of nodes with this id and attr.name, if it is a better one. */
ms_status ms_node_names_key(ms_node_names *names, const char *id, const char *title, ms_error *err);
/* Takes note of the id of a node. */
void ms_node_names_id(ms_node_names *names, const char *id);
/* True if the values of the attribute with this key may name vertices. */
bool ms_node_names_wants(const ms_node_names *names, const char *key);
/* True if the text on a node names it. */
bool ms_node_names_drawn(const ms_node_names *names);
/* True if the vertex has a value that is not empty. */
bool ms_node_names_has(const ms_node_names *names, uint32_t v);
/* Keeps the value of the attribute for the vertex; a second one replaces it. */
ms_status ms_node_names_add(ms_node_names *names, uint32_t v, ms_field value, ms_error *err);
/* Renames the vertices of the edges where the attribute names them, and notes that in their
 * layout.  MS_ERR_INPUT: the chosen attribute names not every vertex, or two alike. */
ms_status ms_node_names_settle(ms_node_names *names, const ms_text *text, ms_edges *edges,
                               ms_error *err);

#endif
