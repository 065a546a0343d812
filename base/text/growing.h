/* A text that grows. */
#ifndef MS_BASE_GROWING_H
#define MS_BASE_GROWING_H

#include "motifsieve.h"

typedef struct ms_growing {
  char *text;        /* NUL-terminated after the first ms_growing_put */
  size_t used, room; /* bytes used, without the NUL; bytes allocated */
  bool failed;       /* memory ran out; everything written since is lost */
} ms_growing;

void ms_growing_put(ms_growing *growing, const char *format, ...) MS_PRINTF(2, 3);
/* Puts text in double quotes, as JSON has it. */
void ms_growing_put_json(ms_growing *growing, const char *text);
/* Gives the text to the caller, who frees it with ms_free, or fails if memory ran out: there is no
 * room for `what`. */
ms_status ms_growing_end(ms_growing *growing, const char *what, char **text, ms_error *err);

#endif
