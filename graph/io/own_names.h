/* Finds vertices by the names in files about vertices, such as lists of aliases and labels.
 *
 * STRING's files put a taxon in front of its proteins ("4932.YAL001C").  A name that is no vertex
 * is tried without the prefix that the graph's reader removed.  Where it removed none (for a
 * network of BioGRID, for example) and the file is STRING's, the name is tried without the prefix
 * of the first line. */
#ifndef MS_GRAPH_IO_OWN_NAMES_H
#define MS_GRAPH_IO_OWN_NAMES_H

#include "graph/io/text.h"
#include "graph/spellings.h"

#define MS_TAXON_BYTES 24 /* a taxon id and its dot are far shorter */

typedef struct ms_own_names {
  const ms_names *names;      /* of the graph's vertices */
  char taxon[MS_TAXON_BYTES]; /* to remove from names; "": none */
  bool of_string;             /* the file is one of STRING's */
  bool has_sources;           /* and its third column is the source of each name */
  ms_spellings *spellings;    /* of the names; NULL: none was needed so far */
} ms_own_names;

/* Moves the text, of which nothing was read, to its first line of data, and finds the prefix.
 * taxon_prefix: what the graph's reader removed, or NULL. */
ms_status ms_own_names_open(ms_own_names *own, const ms_names *names, const char *taxon_prefix,
                            ms_text *text, ms_error *err);
/* Returns the vertex whose own name this is, with or without the taxon in front, or MS_NO_ID. */
uint32_t ms_own_names_find(const ms_own_names *own, ms_field name);
/* Fails if the name, which is no vertex, looks like one in another spelling of Unicode. */
ms_status ms_own_names_check_spelling(ms_own_names *own, const ms_text *text, ms_field name,
                                      ms_error *err);
void ms_own_names_close(ms_own_names *own);

#endif
