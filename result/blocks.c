#include "result/blocks.h"

#include "base/alloc.h"

#include <string.h>

/* Vertices of a block: about a megabyte of text. */
#define BLOCK_IDS ((uint64_t)1 << 17)
#define LEAST_ROWS 64u

typedef struct ms_row_blocks {
  ms_writer writer; /* as it was when the blocks began: threads read it */
  uint64_t rows;    /* of a block */
  uint64_t filled;  /* rows of the one that is being filled */
} ms_row_blocks;

/* Encodes a block; an ms_make_fn. */
static bool make_block(const void *user, const void *input, size_t input_bytes, uint64_t rows,
                       ms_made *out)
{
  ms_writer w = ((const ms_row_blocks *)user)->writer;
  uint64_t count = input_bytes / (w.header.k * sizeof(uint32_t));
  w.buffer = ms_alloc(1, sizeof *w.buffer);
  if (!w.buffer)
    return false;
  w.buffer->made = out;
  w.buffer->failed = false;
  w.buffer->used = 0;
  w.rows = rows - count;
  ms_counter_set(&w.number, w.rows);
  w.encoding->matches(&w, input, NULL, count);
  ms_row_buffer_flush(w.buffer);
  bool made = !w.buffer->failed;
  ms_free(w.buffer);
  return made;
}

bool ms_row_blocks_begin(ms_writer *w)
{
  if (w->blocks)
    return true;
  ms_row_blocks *b = ms_calloc(1, sizeof *b);
  if (!b)
    return false;
  ms_row_buffer_flush(w->buffer);
  b->writer = *w;
  b->writer.out = NULL;
  b->rows = BLOCK_IDS / w->header.k;
  b->rows = b->rows < LEAST_ROWS ? LEAST_ROWS : b->rows;
  w->blocks = b;
  return true;
}

static void end_block(ms_writer *w, ms_row_blocks *b)
{
  ms_outfile_end_block(w->out, make_block, b, b->filled * w->header.k * sizeof(uint32_t), w->rows);
  b->filled = 0;
}

void ms_row_blocks_add(ms_writer *w, const uint32_t *rows, uint64_t count)
{
  const size_t row_bytes = w->header.k * sizeof *rows;
  ms_row_blocks *b = w->blocks;
  while (count > 0) {
    char *input = ms_outfile_block_input(w->out, b->rows * row_bytes);
    uint64_t part = b->rows - b->filled < count ? b->rows - b->filled : count;
    if (!input)
      return;
    memcpy(input + b->filled * row_bytes, rows, part * row_bytes);
    b->filled += part;
    w->rows += part;
    rows += part * w->header.k;
    count -= part;
    if (b->filled == b->rows)
      end_block(w, b);
  }
}

void ms_row_blocks_end(ms_writer *w)
{
  if (!w->blocks)
    return;
  if (w->blocks->filled > 0)
    end_block(w, w->blocks);
  ms_outfile_end_blocks(w->out);
  ms_free(w->blocks);
  w->blocks = NULL;
}
