/* A whole input in memory: mapped where it is a plain file, else read. */
#ifndef MS_GRAPH_IMAGE_H
#define MS_GRAPH_IMAGE_H

#include "graph/io/text.h"

typedef struct ms_image {
  void *bytes; /* read-only; aligned for every plain type; NULL: no image */
  size_t size;
  bool mapped;
} ms_image;

/* Take the input of `text` in front of its first line, whole.  It has to have
 * `size` > 0 bytes.  A mapped file must not be changed in place while the image
 * lives; to replace it, as every output of ours does, is harmless. */
ms_status ms_image_take(ms_text *text, uint64_t size, ms_image *image, ms_error *err);
/* Leaves {0}; an image that is {0} may be freed. */
void ms_image_free(ms_image *image);

#endif
