#include "base/bytes.h"

#include "base/alloc.h"

#include <string.h>

void ms_bytes_flush(ms_bytes *b)
{
  if (!b->failed && b->length > 0)
    b->failed = !b->pass(b->pass_user, b->data, b->length);
  b->length = 0;
}

void ms_bytes_put(ms_bytes *b, const void *data, size_t length)
{
  const unsigned char *from = data;
  if (b->pass && !b->failed && length > MS_PIECE_BYTES - b->length) {
    ms_bytes_flush(b);
    for (; length > MS_PIECE_BYTES && !b->failed; from += MS_PIECE_BYTES, length -= MS_PIECE_BYTES)
      b->failed = !b->pass(b->pass_user, from, MS_PIECE_BYTES);
  }
  if (b->failed || length == 0)
    return;
  if (length > b->room - b->length) {
    size_t room =
        b->room + b->room / 2 > b->length + length ? b->room + b->room / 2 : b->length + length;
    unsigned char *grown = ms_resize(b->data, b->room, room, 1);
    if (!grown) {
      b->failed = true;
      return;
    }
    b->data = grown;
    b->room = room;
  }
  memcpy(b->data + b->length, from, length);
  b->length += length;
}

void ms_bytes_put_number(ms_bytes *b, uint64_t value, size_t length)
{
  unsigned char bytes[8];
  ms_number_put(bytes, value, length);
  ms_bytes_put(b, bytes, length);
}

void ms_bytes_free(ms_bytes *b)
{
  ms_free(b->data);
  *b = (ms_bytes){0};
}

void ms_byte_reader_take(ms_byte_reader *r, void *data, size_t length)
{
  if (r->failed || length > r->left) {
    r->failed = true;
    memset(data, 0, length);
    return;
  }
  if (length == 0)
    return;
  memcpy(data, r->at, length);
  r->at += length;
  r->left -= length;
}

uint64_t ms_byte_reader_number(ms_byte_reader *r, size_t length)
{
  unsigned char bytes[8];
  ms_byte_reader_take(r, bytes, length);
  return ms_number_get(bytes, length);
}
