/* A result file that appears whole or not at all.
 *
 * Bytes go to a scratch file in the target's folder (base/file/scratch.h); commit flushes it to the
 * disk and renames it.  An existing target stays untouched until then, and stays
 * for good if anything fails.  A target that is no regular file (a pipe,
 * /dev/null) is written in place, and so is standard output.
 *
 * A file whose path ends in .gz or .zst is compressed; the CRC and the writers
 * see the uncompressed bytes.
 *
 * After a failed write, further writes do nothing, and commit reports the first
 * failure.  So a writer may write a thousand rows and check once.
 *
 * A writer of rows marks where whole rows end.  If the disk is full, it cuts the file back to such
 * a mark and writes an end that says so. */
#ifndef MS_BASE_OUTFILE_H
#define MS_BASE_OUTFILE_H

#include "base/file/packer.h"
#include "motifsieve.h"

typedef struct ms_outfile ms_outfile;

/* Opens an output; `path` NULL or "-" is standard output. */
ms_status ms_outfile_open(const char *path, ms_outfile **out, ms_error *err);
/* Checks an output before long work, and opens it unless it is standard output or is written in
 * place; see ms_scratch_open_ahead. */
ms_status ms_outfile_open_ahead(const char *path, void (*note)(void *user, const char *note),
                                void *user, ms_error *err);
/* Lets the token of the calling thread end the writing: the file then fails, with the token's
 * status. */
void ms_outfile_watch(ms_outfile *file);
/* Sets how many threads may compress the file and make its blocks, the calling one included; 1
 * unless it is called.  Apart from blocks, only zstd uses more than one.  The bytes do not depend
 * on it.  To be called before anything is written. */
void ms_outfile_set_threads(ms_outfile *file, int threads);
/* Opens an output that discards its bytes, to find their number and checksum. */
ms_status ms_outfile_nowhere(ms_outfile **out, ms_error *err);
void ms_outfile_write(ms_outfile *file, const void *data, size_t bytes);
void ms_outfile_puts(ms_outfile *file, const char *text);
void ms_outfile_printf(ms_outfile *file, const char *format, ...) MS_PRINTF(2, 3);
/* Returns the CRC-32C of all bytes written so far, before compression. */
uint32_t ms_outfile_crc32c(const ms_outfile *file);
/* Returns the number of these bytes. */
uint64_t ms_outfile_bytes(const ms_outfile *file);
/* True if writing has failed; further work for this file is then useless. */
bool ms_outfile_failed(const ms_outfile *file);
/* True once a write to standard output has failed because nobody reads from the pipe any more. */
bool ms_outfile_reader_is_gone(void);

/* ---- blocks -----------------------------------------------------------------------------------
 */

/* Parts of the file that several threads make and compress (packer.h), each of whole rows.  A full
 * disk cuts the file behind one of them. */

/* Returns room for the input of the next block, which keeps what is written there until the block
 * ends.  Bytes that were written before precede the block.  NULL: the file has failed. */
void *ms_outfile_block_input(ms_outfile *file, size_t bytes);
/* Ends the block, whose bytes `make` makes from the input; rows: those before its end. */
void ms_outfile_end_block(ms_outfile *file, ms_make_fn make, const void *user, size_t input_bytes,
                          uint64_t rows);
/* Waits until all blocks are in the file, or forgets them if it has failed.  Until then, their
 * bytes are not in ms_outfile_bytes and ms_outfile_crc32c, nothing else may be written, and what
 * `make` reads has to stay as it is. */
void ms_outfile_end_blocks(ms_outfile *file);

/* ---- a full disk ----------------------------------------------------------------------------- */

/* True if a file of this output can be cut back, and enough bytes follow the last mark for another
 * one, after `pending` bytes that the caller has not written yet. */
bool ms_outfile_wants_mark(const ms_outfile *file, size_t pending);
/* Marks that `rows` whole rows end here. */
void ms_outfile_mark(ms_outfile *file, uint64_t rows);
/* Writes all that is buffered, and flushes a scratch file to the disk.  Returns false if the file
 * has failed; nothing more may be written after true. */
bool ms_outfile_finish(ms_outfile *file);
/* After a failure: if there was no room on the disk (or by a quota or a limit of the size of
 * files), cuts the file back to an earlier mark.  Then the file has *rows rows and has not failed.
 * Further calls go further back.  Returns false if that is impossible. */
bool ms_outfile_cut(ms_outfile *file, uint64_t *rows);
/* Does the same, but begins the file again; *rows rows then fit into the room that the file has. */
bool ms_outfile_rewind(ms_outfile *file, uint64_t *rows);

/* Says that the file is that of an incomplete result, which does not replace one that is there: see
 * ms_scratch_mark_incomplete. */
void ms_outfile_mark_incomplete(ms_outfile *file);
/* Finishes the file, and frees `file` in any case.  MS_OK means that every byte is in
 * place, or on the disk if the output was opened ahead.  A complete file that cannot be put in its
 * place is kept, and the message says where. */
ms_status ms_outfile_commit(ms_outfile *file, ms_error *err);
/* Removes the temporary file and frees `file`, which may be NULL. */
void ms_outfile_abort(ms_outfile *file);
#endif
