/* How much memory jansson may take for a text. */
#ifndef MS_BASE_JSON_SIZE_H
#define MS_BASE_JSON_SIZE_H

#include <stddef.h>
#include <stdint.h>

/* Returns an upper bound in bytes, for a meter (base/meter.h): jansson allocates by itself, because
 * its hooks are process-wide and belong to the program.  A value takes at most 144 bytes beside its
 * text, and an array or an object 320 more.  A text is read into a buffer that doubles, and copied
 * from there; a key is copied once more. */
uint64_t ms_json_size(const char *text, size_t length);

#endif
