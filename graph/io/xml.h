/* Reads untrusted XML as a stream (expat).  Nothing outside the file is ever read, and a
 * document type that defines anything is refused, so there are no entities to expand.  Memory does
 * not grow with the file: the depth of elements and the length of tags and comments are limited. */
#ifndef MS_GRAPH_IO_XML_H
#define MS_GRAPH_IO_XML_H

#include "graph/io/text.h"

#define MS_XML_MAX_DEPTH 256u               /* open elements */
#define MS_XML_MAX_TOKEN ((size_t)16 << 20) /* bytes of a tag or comment */

typedef struct ms_xml_element {
  const char *space; /* its namespace, "": none */
  const char *name;
  const char *const *attributes; /* name, value, ..., NULL; without a prefix: the bare name */
  uint32_t depth;                /* 1: the root */
} ms_xml_element;

/* text->number is the line of the tag or text.  All is UTF-8. */
typedef struct ms_xml_handler {
  ms_status (*start)(void *user, const ms_xml_element *element, ms_error *err);
  ms_status (*end)(void *user, uint32_t depth, ms_error *err);
  /* Receives the text of the element at `depth`, in pieces. */
  ms_status (*text)(void *user, uint32_t depth, const char *bytes, size_t length, ms_error *err);
} ms_xml_handler;

/* Reads to the end of the input, where text->number is the number of lines. */
ms_status ms_xml_read(ms_text *text, const ms_xml_handler *handler, void *user, ms_error *err);

/* Returns the attribute's value, or NULL. */
const char *ms_xml_attribute(const ms_xml_element *element, const char *name);

#endif
