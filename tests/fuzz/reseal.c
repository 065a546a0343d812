/* See reseal.h. */
#include "tests/fuzz/reseal.h"

#include "graph/formats/binary.h"
#include "graph/formats/typed/typed_binary.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Not the library's own; a table, because inputs may have a megabyte. */
static uint32_t crc32c(const uint8_t *data, size_t size)
{
  static uint32_t table[256];
  uint32_t crc = UINT32_MAX;
  for (uint32_t byte = 0; byte < 256 && !table[255]; byte++) {
    uint32_t rest = byte;
    for (int bit = 0; bit < 8; bit++)
      rest = rest >> 1 ^ (rest & 1 ? 0x82F63B78u : 0);
    table[byte] = rest;
  }
  for (size_t i = 0; i < size; i++)
    crc = crc >> 8 ^ table[(crc ^ data[i]) & 255];
  return ~crc;
}

static void put_crc(uint8_t *at, uint32_t crc)
{
  for (size_t i = 0; i < 4; i++)
    at[i] = (uint8_t)(crc >> 8 * i);
}

static void reseal_text(uint8_t *data, size_t size)
{
  size_t last = size, end = size;
  while (last > 0 && (last == size || data[last - 1] != '\n'))
    last--;
  while (end > last && !isxdigit(data[end - 1]))
    end--;
  if (end - last < 8)
    return;
  char digits[9];
  snprintf(digits, sizeof digits, "%08x", crc32c(data, last));
  memcpy(data + end - 8, digits, 8);
}

size_t fuzz_reseal_result(uint8_t *data, size_t size, size_t max_size)
{
  (void)max_size;
  if (size >= 24 && memcmp(data, "MSMATCH1", 8) == 0)
    put_crc(data + size - 4, crc32c(data, size - 4));
  else
    reseal_text(data, size);
  return size;
}

/* Seals data whose header, with the size of the file, is in place. */
static void seal_sums(uint8_t *data, const ms_binary_layout *layout)
{
  uint8_t *sums = data + layout->body;
  for (uint64_t c = 0; c < layout->chunks; c++) {
    uint64_t at = c * MS_BINARY_CHUNK, left = layout->body - at;
    put_crc(sums + 4 * c, crc32c(data + at, left < MS_BINARY_CHUNK ? left : MS_BINARY_CHUNK));
  }
  put_crc(sums + 4 * layout->chunks, crc32c(sums, 4 * layout->chunks));
}

/* Seals data that has a header; layout NULL: it describes no file that could be there. */
static size_t seal(uint8_t *data, size_t size, const ms_binary_layout *layout)
{
  ms_binary_frame frame;
  memcpy(&frame, data, sizeof frame);
  if (layout)
    frame.file_bytes = layout->file_bytes;
  memcpy(data, &frame, sizeof frame);
  put_crc(data + MS_BINARY_HEADER - 4, crc32c(data, MS_BINARY_HEADER - 4));
  if (!layout)
    return size;
  if (size < layout->file_bytes)
    memset(data + size, 0, layout->file_bytes - size);
  seal_sums(data, layout);
  return layout->file_bytes;
}

size_t fuzz_reseal_graph(uint8_t *data, size_t size, size_t max_size)
{
  ms_binary_header header;
  ms_binary_layout layout;
  if (size < sizeof header)
    return size;
  memcpy(&header, data, sizeof header);
  bool laid_out = ms_binary_lay_out(&header, &layout) && layout.file_bytes <= max_size;
  return seal(data, size, laid_out ? &layout : NULL);
}

size_t fuzz_reseal_typed(uint8_t *data, size_t size, size_t max_size)
{
  ms_typed_header header;
  ms_binary_layout layout;
  if (size < sizeof header)
    return size;
  memcpy(&header, data, sizeof header);
  bool laid_out = ms_typed_binary_lay_out(&header, &layout) && layout.file_bytes <= max_size;
  return seal(data, size, laid_out ? &layout : NULL);
}
