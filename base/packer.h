/* Compressed output by zstd (RFC 8878) on several threads.
 *
 * The bytes are cut into frames, which are compressed each by itself, at the usual level and with a
 * checksum.  So frames can be compressed at the same time, and the bytes do not depend on the
 * number of threads.  Frames are passed on in their order. */
#ifndef MS_BASE_PACKER_H
#define MS_BASE_PACKER_H

#include "base/marks.h"

typedef struct ms_packer ms_packer;

/* Receives a compressed frame, on the thread that calls the packer.  mark: what the frame was ended
 * with; NULL: nothing. */
typedef void (*ms_packed_fn)(void *user, const void *data, size_t bytes, const ms_mark *mark);

ms_status ms_packer_new(ms_packed_fn write, void *user, ms_packer **out, ms_error *err);
/* Ends the threads, and forgets what was not passed on.  `packer` may be NULL. */
void ms_packer_free(ms_packer *packer);
/* Sets how many threads may compress, the calling one included; 1 at first.  They start when there
 * are frames for them, and the packer manages without those that the system refuses. */
void ms_packer_set_threads(ms_packer *packer, int threads);

/* Bytes after which a frame is ended, whether or not the caller ends it: more than the distance of
 * marks (compress.h). */
#define MS_PACKER_FRAME ((size_t)1 << 21)

/* Adds bytes.  This and the next two functions return false if memory ran out; then the output is
 * useless. */
bool ms_packer_write(ms_packer *packer, const void *data, size_t bytes);
/* Ends a frame, which is passed on with the mark (may be NULL) some time later. */
bool ms_packer_end_frame(ms_packer *packer, const ms_mark *mark);
/* Ends the last frame, and passes on all frames that wait.  An output without bytes is an empty
 * frame.  Further bytes begin a new frame. */
bool ms_packer_finish(ms_packer *packer);
/* Forgets all bytes that were not passed on. */
void ms_packer_forget(ms_packer *packer);

#endif
