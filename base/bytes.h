/* Bytes that grow or are passed on in pieces, and the numbers in them, whose first byte is the
 * lowest. */
#ifndef MS_BASE_BYTES_H
#define MS_BASE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The greatest length of a piece that is passed on. */
#define MS_PIECE_BYTES ((size_t)1 << 18)

typedef struct ms_bytes {
  unsigned char *data; /* NULL: empty; freed with ms_free */
  size_t length, room;
  bool failed; /* some bytes are lacking, for which there was no memory, or which were not taken */
  /* NULL: all bytes are kept.  Else it takes the bytes that are there before they become more than
   * MS_PIECE_BYTES, and returns false if no more are wanted. */
  bool (*pass)(void *user, const void *data, size_t length);
  void *pass_user;
} ms_bytes;

/* Appends bytes.  If they are passed on, up to MS_PIECE_BYTES of them stay together. */
void ms_bytes_put(ms_bytes *bytes, const void *data, size_t length);
/* Passes on what is left; only for bytes that are passed on. */
void ms_bytes_flush(ms_bytes *bytes);
void ms_bytes_free(ms_bytes *bytes);
/* Appends a number of 1 to 8 bytes. */
void ms_bytes_put_number(ms_bytes *bytes, uint64_t value, size_t length);

/* Writes a number of 1 to 8 bytes. */
static inline void ms_number_put(unsigned char *at, uint64_t value, size_t bytes)
{
  for (size_t i = 0; i < bytes; i++)
    at[i] = (unsigned char)(value >> 8 * i);
}
static inline uint64_t ms_number_get(const unsigned char *at, size_t bytes)
{
  uint64_t value = 0;
  for (size_t i = bytes; i-- > 0;)
    value = value << 8 | at[i];
  return value;
}

/* What is left of bytes that are read one after the other. */
typedef struct ms_byte_reader {
  const unsigned char *at;
  size_t left;
  bool failed; /* more was read than there is */
} ms_byte_reader;

static inline ms_byte_reader ms_bytes_read(const ms_bytes *bytes)
{
  return (ms_byte_reader){.at = bytes->data, .left = bytes->length};
}
/* Reads bytes into `data`; if there are not so many, it clears `data` and fails. */
void ms_byte_reader_take(ms_byte_reader *reader, void *data, size_t length);
/* Reads a number of 1 to 8 bytes; 0 after a failure. */
uint64_t ms_byte_reader_number(ms_byte_reader *reader, size_t length);
/* True if all was read, and no more than that. */
static inline bool ms_byte_reader_is_done(const ms_byte_reader *reader)
{
  return !reader->failed && reader->left == 0;
}

#endif
