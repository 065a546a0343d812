/* What makes two runs the same: named values, as text.  Two runs of one identity have the same
 * units and the same contributions, so that what one has computed can be used by the other. */
#ifndef MS_PARTS_IDENTITY_H
#define MS_PARTS_IDENTITY_H

#include "motifsieve.h"

/* A list of lines "NAME\tVALUE\n"; backslash, tab and line end are escaped in a value. */
typedef struct ms_identity {
  char *text; /* NULL: empty */
  size_t length, room;
} ms_identity;

/* Begins with the version of the library and the name of what is done.  ms_identity_free must
 * follow in any case. */
ms_status ms_identity_open(ms_identity *identity, const char *what, ms_error *err);
void ms_identity_free(ms_identity *identity);
/* Append a value: text; a number; a checksum; names; the list of names may be empty. */
ms_status ms_identity_text(ms_identity *identity, const char *name, const char *value,
                           ms_error *err);
ms_status ms_identity_number(ms_identity *identity, const char *name, uint64_t value,
                             ms_error *err);
ms_status ms_identity_crc32c(ms_identity *identity, const char *name, uint32_t value,
                             ms_error *err);

/* True if both are the same.  Else fills `reason`, a sentence about the first value that differs;
 * `here` and `there` name the two runs, such as "this run" and "the checkpoint". */
bool ms_identity_equal(const ms_identity *a, const char *here, const ms_identity *b,
                       const char *there, char *reason, size_t room);
/* True if the two runs differ in a value that both have; fills `reason` as above.  Values that one
 * of them lacks are no difference: it may have ended before it knew them.  Both list their values
 * in the same order. */
bool ms_identity_conflicts(const ms_identity *a, const char *here, const ms_identity *b,
                           const char *there, char *reason, size_t room);

#endif
