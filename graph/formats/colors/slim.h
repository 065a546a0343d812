/* A slim: the chosen terms of an ontology, which represent all terms below them.
 *
 * A term maps to the most specific slim terms at or above it: to those that are not themselves
 * above another slim term that the term maps to.  That is map2slim's rule.  All slim terms above
 * would make every term also one of the roots, which most slims hold, a colour without information;
 * only the nearest by number of steps would depend on how finely the ontology happens to be divided
 * there. */
#ifndef MS_GRAPH_FORMATS_COLORS_SLIM_H
#define MS_GRAPH_FORMATS_COLORS_SLIM_H

#include "graph/formats/colors/ontology.h"

typedef struct ms_slim_range {
  uint64_t start;
  uint32_t count;
} ms_slim_range;

typedef struct ms_slim {
  ms_slim_range *range; /* [terms] the place in `mapped` of what the term maps to */
  ms_pairs mapped;      /* (term, slim term) */
  bool is_file;
  uint32_t crc32c; /* of the file; 0: none */
} ms_slim;

/* Reads a slim.  `slim` is a subset that the ontology names, or else a file: OBO, whose terms
 * are the slim, or a list with an id or name in each line, alone or in the first of columns between
 * tabs.  MS_ERR_INPUT where it is neither, or empty. */
ms_status ms_slim_read(const ms_ontology *ontology, const char *slim, ms_slim **out, ms_error *err);
void ms_slim_free(ms_slim *slim);

#endif
