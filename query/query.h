/* Motif and query.
 *
 * The k slots of a motif form *classes*: equal slots are in one class.  Slots
 * are numbered 0..k-1, class after class.  SIEVE calls a slot a shade; bit d
 * of a vertex's mask is set iff the vertex may take slot d. */
#ifndef MS_QUERY_QUERY_H
#define MS_QUERY_QUERY_H

#include "graph/colors.h"
#include "graph/graph.h"
#include "query/condition.h"

#define MS_WILDCARD UINT32_MAX
#define MS_CONDITION (UINT32_MAX - 1)

typedef struct ms_motif_class {
  uint32_t color;          /* a colour id, MS_CONDITION or MS_WILDCARD */
  uint32_t count;          /* number of slots in this class, >= 1 */
  ms_condition *condition; /* with MS_CONDITION what a vertex has to meet, otherwise NULL */
} ms_motif_class;

struct ms_motif {
  uint32_t k; /* 1..MS_MAX_K */
  /* number of classes.  Colours come first, by their ids, then conditions, by the names of their
   * colours, then the wildcard.  A vertex may fit several classes. */
  uint32_t n_classes;
  ms_motif_class class_[MS_MAX_K];
  uint32_t in_text[MS_MAX_K]; /* [n_classes] the classes in the order of the text */
  char *text;                 /* the canonical text */
  uint64_t coloring_serial;   /* of the colours that it was made from */
};

/* Makes a motif of k >= 1 slots.  color[k] are colour ids of the colouring, or MS_WILDCARD. */
ms_status ms_motif_from_slots(const uint32_t *color, uint32_t k, const ms_coloring *coloring,
                              ms_motif **out, ms_error *err);

/* Reads a motif text without a graph.  *colors receives the colours that it names, in their order,
 * and slot[*k] the colour of each slot, or MS_WILDCARD.  Conditions are refused. */
ms_status ms_motif_slots(const char *text, ms_names **colors, uint32_t slot[MS_MAX_K], uint32_t *k,
                         ms_error *err);

/* Returns the name of a colour, "*", or the text of a condition. */
const char *ms_class_name(const ms_motif_class *class_, const ms_coloring *coloring);
/* True if the vertex may fill the slots of the class. */
bool ms_class_fits(const ms_motif_class *class_, const ms_coloring *coloring, uint32_t v);
/* True if the class is that of the colour or its condition names it. */
bool ms_class_names(const ms_motif_class *class_, uint32_t color);

/* Returns the class of a slot of ms_query_slots, where slots are numbered in the order of the text.
 */
uint32_t ms_motif_class_of(const ms_motif *motif, uint32_t slot);

struct ms_query {
  const ms_graph *graph;
  const ms_coloring *coloring;
  const ms_motif *motif;
  uint32_t n_required;
  uint32_t required[MS_MAX_K];      /* distinct vertex ids, ascending */
  const struct ms_holders *holders; /* of a session, if they serve this query; otherwise NULL */
};

#endif
