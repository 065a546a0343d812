/* What the reader (obo.c) finds about terms that may come later in the file, and the step that
 * resolves it (ontology.c). */
#ifndef MS_GRAPH_FORMATS_COLORS_ONTOLOGY_LINKS_H
#define MS_GRAPH_FORMATS_COLORS_ONTOLOGY_LINKS_H

#include "graph/formats/colors/ontology.h"

typedef struct ms_ontology_links {
  ms_pairs is_a, part_of; /* (term, the one above) */
  ms_pairs alternative;   /* (id, the term that claims it) */
} ms_ontology_links;

/* Fills in main, offset, parent and order. */
ms_status ms_ontology_link(ms_ontology *ontology, const ms_ontology_links *links, const char *label,
                           ms_error *err);

#endif
