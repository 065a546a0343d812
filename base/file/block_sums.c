/* Checksums of a file that grows and is read back. */
#include "base/file/block_sums.h"

#include "base/alloc.h"
#include "base/crc32c.h"

bool ms_block_sums_reserve(ms_block_sums *s, uint64_t bytes)
{
  bool first = !s->at_block;
  if (!MS_GROW(s->at_block, s->room, 0, (s->bytes + bytes) / MS_SUM_BLOCK + 1))
    return false;
  if (first)
    s->at_block[0] = 0;
  return true;
}

void ms_block_sums_add(ms_block_sums *s, const void *data, size_t bytes)
{
  const unsigned char *from = data;
  while (bytes > 0) {
    size_t left = MS_SUM_BLOCK - (size_t)(s->bytes % MS_SUM_BLOCK), part = bytes;
    if (part > left)
      part = left;
    s->crc = ms_crc32c(s->crc, from, part);
    s->bytes += part;
    from += part;
    bytes -= part;
    if (s->bytes % MS_SUM_BLOCK == 0)
      s->at_block[s->bytes / MS_SUM_BLOCK] = s->crc;
  }
}

void ms_block_sums_cut(ms_block_sums *s, uint64_t bytes, uint32_t crc)
{
  s->bytes = bytes;
  s->crc = crc;
}

size_t ms_block_sums_block_bytes(const ms_block_sums *s, uint64_t block)
{
  uint64_t rest = s->bytes - block * MS_SUM_BLOCK;
  return rest < MS_SUM_BLOCK ? (size_t)rest : MS_SUM_BLOCK;
}

bool ms_block_sums_fit(const ms_block_sums *s, uint64_t block, const void *data)
{
  size_t bytes = ms_block_sums_block_bytes(s, block);
  uint32_t end = bytes < MS_SUM_BLOCK ? s->crc : s->at_block[block + 1];
  return ms_crc32c(s->at_block[block], data, bytes) == end;
}

void ms_block_sums_free(ms_block_sums *s)
{
  ms_free(s->at_block);
  *s = (ms_block_sums){0};
}
