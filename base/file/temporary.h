/* A temporary file without a name: what does not fit into memory.
 *
 * The system frees its blocks when it is closed, also if the process is killed, so nothing is ever
 * left behind.  Where the file system cannot create a file without a name, it has one for a moment,
 * in the manner of base/file/scratch_name.h.
 *
 * Bytes are appended through a buffer, and then read at any place, or mapped.  After a failed
 * write, further writes do nothing, and ms_temporary_flush reports the first failure. */
#ifndef MS_BASE_TEMPORARY_H
#define MS_BASE_TEMPORARY_H

#include "motifsieve.h"

typedef struct ms_temporary ms_temporary;

/* Creates a file in the folder.  MS_ERR_OUTPUT: the folder cannot be written. */
ms_status ms_temporary_open(const char *folder, ms_temporary **out, ms_error *err);
/* Closes the file, whose bytes are then gone, and frees `file`, which may be NULL.  A mapping
 * stays valid. */
void ms_temporary_close(ms_temporary *file);

void ms_temporary_write(ms_temporary *file, const void *data, size_t bytes);
/* Writes what is buffered.  MS_ERR_OUTPUT: there is no room, or the disk fails. */
ms_status ms_temporary_flush(ms_temporary *file, ms_error *err);
/* Returns the number of bytes appended so far. */
uint64_t ms_temporary_bytes(const ms_temporary *file);

/* Reads bytes that were flushed.  Several threads may read at the same time. */
ms_status ms_temporary_read(const ms_temporary *file, uint64_t at, void *to, size_t bytes,
                            ms_error *err);
/* Maps the whole file, which must have been flushed and not be empty, for reading.  MS_ERR_OUTPUT:
 * it is not what was written, by a checksum. */
ms_status ms_temporary_map(const ms_temporary *file, void **bytes, ms_error *err);

#endif
