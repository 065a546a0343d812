/* Output that several threads make and compress.
 *
 * The bytes are cut into frames, which are compressed each by itself.  So frames can be compressed
 * at the same time, and the bytes do not depend on the number of threads.  Frames are passed on in
 * their order.
 *
 * A frame either receives bytes from the caller, which only zstd (RFC 8878) allows: they are
 * compressed at the usual level and with a checksum.  Or it is a *block*: the caller gives what its
 * bytes are made from, and the thread that compresses the block makes them before.  Blocks are
 * compressed at level 1.  By zstd, rows of matches, which repeat most of the row before, become 3
 * to 9 % shorter than at its usual level, in two thirds of the time.  A table of 2^10 places for
 * what came before, in place of 2^14, makes them shorter by 3 to 9 % again.  Blocks of gzip are
 * pieces of a deflate stream that do not look back; at its usual level they are 19 to 25 % shorter,
 * and take 5 times as long. */
#ifndef MS_BASE_PACKER_H
#define MS_BASE_PACKER_H

#include "base/file/compress.h"

#include <sys/types.h>

/* ---- marks ----------------------------------------------------------------------------------- */

/* Marks in an output: points at which whole rows end.  If the disk is full, the output is cut back
 * to one of them.  Late marks lie close together and early ones far apart: at any time there is a
 * late one, which loses few rows, and an early one, which frees much room. */

#define MS_MARKS 64u

typedef struct ms_mark {
  uint64_t rows; /* rows before the point, at least 1 */
  off_t offset;  /* bytes of the file before it, and their CRC-32C */
  uint32_t file_crc;
  uint64_t bytes; /* the same before compression */
  uint32_t crc;
  ms_compressor_point point;
} ms_mark;

typedef struct ms_marks {
  uint32_t count;
  ms_mark mark[MS_MARKS];
} ms_marks;

/* Adds a mark behind all others. */
void ms_marks_add(ms_marks *marks, const ms_mark *mark);
/* Takes the last mark that lies at least `room` bytes before the end, or if there is none, the last
 * one before the end, and removes it and all later ones.  Returns false if no mark is before the
 * end. */
bool ms_marks_take(ms_marks *marks, off_t end, off_t room, ms_mark *mark);

/* ---- the packer ------------------------------------------------------------------------------ */

typedef struct ms_packer ms_packer;

/* ---- blocks ----------------------------------------------------------------------- */

/* Bytes of a block, in memory that grows.  All zero: empty. */
typedef struct ms_made {
  char *bytes;
  size_t used, room;
} ms_made;

/* Adds bytes.  Returns false if there is no memory. */
bool ms_made_add(ms_made *made, const void *data, size_t bytes);

/* Makes the bytes of a block from input[input_bytes]; `rows`: those before its end.  It runs on any
 * thread, at the same time as other blocks.  Returns false if there is no memory. */
typedef bool (*ms_make_fn)(const void *user, const void *input, size_t input_bytes, uint64_t rows,
                           ms_made *out);

/* ---- frames ----------------------------------------------------------------------- */

/* A frame that is passed on. */
typedef struct ms_packed {
  const void *data; /* compressed */
  size_t bytes;
  const ms_mark *mark; /* what the frame was ended with, of a block with its rows alone; NULL:
                          nothing */
  bool is_block;
  /* of the bytes of a block before compression: their number, the CRC-32C, and for gzip the CRC-32
   */
  size_t raw_bytes;
  uint32_t crc, crc32;
} ms_packed;

/* Receives a frame, on the thread that calls the packer. */
typedef void (*ms_packed_fn)(void *user, const ms_packed *packed);

/* `kind`: MS_PLAIN and MS_GZIP are for blocks alone. */
ms_status ms_packer_new(ms_compression kind, ms_packed_fn write, void *user, ms_packer **out,
                        ms_error *err);
/* Ends the threads, and forgets what was not passed on.  `packer` may be NULL. */
void ms_packer_free(ms_packer *packer);
/* Sets how many threads may make and compress frames, the calling one included; 1 at first.  They
 * start when there are frames for them, and the packer manages without those that the system
 * refuses.  Frames that wait take memory for each thread that was set before the first one ended.
 */
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
/* Returns room for the input of a block, kept until the block ends; what was written there before
 * remains.  Ends a frame that has bytes.  NULL: there is no memory. */
void *ms_packer_input(ms_packer *packer, size_t bytes);
/* Ends a block with this input.  Returns false if memory ran out, and so does the next one. */
bool ms_packer_end_block(ms_packer *packer, ms_make_fn make, const void *user, size_t input_bytes,
                         uint64_t rows);
/* Ends a frame that has bytes, and passes on all frames that wait. */
bool ms_packer_drain(ms_packer *packer);
/* Forgets all bytes and blocks that were not passed on. */
void ms_packer_forget(ms_packer *packer);

#endif
