/* A result file that appears whole or not at all.
 *
 * Bytes go to a temporary name beside the target; commit flushes them to the
 * disk and renames.  Whatever stood at the target before stays untouched
 * until then, and for good when anything fails.  A target that is no regular
 * file (a pipe, /dev/null) is written in place, as is standard output.
 *
 * A path that ends in .gz or .zst is compressed; CRC and writers know nothing
 * of it.
 *
 * Errors stick: writing after a failure does nothing, and commit reports the
 * first one, so that a writer may write a thousand rows and check once. */
#ifndef MS_BASE_OUTFILE_H
#define MS_BASE_OUTFILE_H

#include "motifsieve.h"

typedef struct ms_outfile ms_outfile;

/* `path` NULL or "-" is standard output. */
ms_status ms_outfile_open(const char *path, ms_outfile **out, ms_error *err);
/* An output that discards its bytes, for the length and checksum of what would be written. */
ms_status ms_outfile_nowhere(ms_outfile **out, ms_error *err);
void ms_outfile_write(ms_outfile *file, const void *data, size_t bytes);
void ms_outfile_puts(ms_outfile *file, const char *text);
void ms_outfile_printf(ms_outfile *file, const char *format, ...) MS_PRINTF(2, 3);
/* CRC-32C of all bytes written so far, as they were before compression. */
uint32_t ms_outfile_crc32c(const ms_outfile *file);
/* The number of these bytes. */
uint64_t ms_outfile_bytes(const ms_outfile *file);
/* True if writing has failed; further work for this file is then useless. */
bool ms_outfile_failed(const ms_outfile *file);
/* Finish: MS_OK means that every byte is in place.  Frees `file` either way. */
ms_status ms_outfile_commit(ms_outfile *file, ms_error *err);
/* Give up: removes the temporary file.  Accepts NULL.  Frees `file`. */
void ms_outfile_abort(ms_outfile *file);
/* Remove the temporary files of all that are open, on the way out: for a signal
 * handler that ends the program, and safe there. */
void ms_outfile_unlink_all(void);

#endif
