/* Reads untrusted JSON as a stream: one outer array of objects, as in CX and CX2,
 *
 *   [{"name": [ELEMENT, ...], "name": VALUE, ...}, ...]
 *
 * Elements and values are parsed one at a time (jansson), and their size is limited, so memory does
 * not grow with the file. */
#ifndef MS_GRAPH_IO_JSON_H
#define MS_GRAPH_IO_JSON_H

#include "graph/io/text.h"

#include <jansson.h>

#define MS_JSON_MAX_ELEMENT ((size_t)4 << 20) /* bytes */

typedef struct ms_json_handler {
  /* The names that are read; ends with NULL.  What other names have is skipped; only its brackets
   * and strings are followed. */
  const char *const *names;
  /* Receives an element of the array, or the value, with this name.  text->number is the line
   * where it begins.  `element` is valid until the function returns. */
  ms_status (*element)(void *user, const char *name, const json_t *element, ms_error *err);
} ms_json_handler;

/* True if the value holds all of the text from which it was made.  jansson ignores it if the buffer
 * for a token cannot grow, and leaves a byte out. */
bool ms_json_is_whole(const json_t *value, const char *text, size_t length);

/* Reads to the end of the input, where text->number is the number of lines. */
ms_status ms_json_read(ms_text *text, const ms_json_handler *handler, void *user, ms_error *err);

#endif
