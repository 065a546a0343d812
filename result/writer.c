#include "result/writer.h"

#include "base/alloc.h"
#include "base/status.h"
#include "query/pattern.h"
#include "result/json.h"

#include <string.h>

/* ---- blocks ---------------------------------------------------------------------------------- */

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

/* ---- the writer ------------------------------------------------------------------------------ */

ms_status ms_writer_open(ms_writer *w, const char *path, const ms_encoding *encoding, ms_error *err)
{
  memset(w, 0, sizeof *w);
  w->encoding = encoding;
  w->buffer = ms_alloc(1, sizeof *w->buffer);
  if (!w->buffer)
    return ms_fail_memory(err, "a buffer for rows");
  ms_status status = ms_outfile_open(path, &w->out, err);
  w->buffer->out = w->out;
  w->buffer->made = NULL;
  w->buffer->used = 0;
  return status;
}

/* Names the columns of the slots of wide rows. */
static ms_status title_slots(ms_writer *w, ms_error *err)
{
  if (w->header.row_form != MS_ROWS_WIDE || !w->query || w->slot_titles)
    return MS_OK;
  return ms_slot_titles(w->query, &w->header, w->header.pattern.names, &w->slot_titles, err);
}

ms_status ms_writer_begin(ms_writer *w, const ms_names *names, ms_error *err)
{
  MS_TRY(title_slots(w, err));
  w->names = ms_names_blocks(names);
  w->columns = ms_row_columns_of(&w->header);
  return w->encoding->begin(w, err);
}

/* Rows after which a mark may follow, so that equal results are equal bytes even if they arrive in
 * other portions. */
static uint64_t rows_to_mark(uint64_t rows)
{
  uint64_t step = rows < 64 ? 8 : rows < 1024 ? 64 : 1024;
  return step - rows % step;
}

bool ms_writer_matches(ms_writer *w, const uint32_t *rows, const uint32_t *score, uint64_t count)
{
  while (count > 0 && !ms_outfile_failed(w->out)) {
    if (!score && w->rows >= MS_BLOCKS_FROM && ms_row_blocks_begin(w)) {
      ms_row_blocks_add(w, rows, count);
      break;
    }
    uint64_t step = rows_to_mark(w->rows), part = count < step ? count : step;
    w->encoding->matches(w, rows, score, part);
    w->rows += part;
    rows += part * w->header.k;
    score = score ? score + part : NULL;
    count -= part;
    if (part < step || !ms_outfile_wants_mark(w->out, w->buffer->used))
      continue;
    ms_row_buffer_flush(w->buffer);
    ms_outfile_mark(w->out, w->rows);
  }
  return !ms_outfile_failed(w->out);
}

ms_status ms_writer_end(ms_writer *w, ms_error *err)
{
  ms_row_buffer_flush(w->buffer);
  ms_row_blocks_end(w);
  w->header.found = w->rows;
  MS_TRY(w->encoding->end(w, err));
  while (!ms_outfile_finish(w->out) && w->keeps && ms_outfile_cut(w->out, &w->rows)) {
    w->header.status = MS_RESULT_SPACE;
    w->header.found = w->rows;
    MS_TRY(w->encoding->end(w, err));
  }
  return MS_OK;
}

ms_status ms_writer_end_section(ms_writer *w, ms_error *err)
{
  ms_row_buffer_flush(w->buffer);
  ms_row_blocks_end(w);
  MS_TRY(w->encoding->end(w, err));
  w->rows = 0;
  w->number.length = 0;
  return MS_OK;
}

bool ms_writer_rewind(ms_writer *w)
{
  uint64_t rows;
  if (!ms_outfile_rewind(w->out, &rows))
    return false;
  w->header.status = MS_RESULT_SPACE;
  w->header.found = rows;
  w->rows = w->buffer->used = 0;
  w->number.length = 0;
  return true;
}

ms_status ms_writer_count(ms_writer *w, ms_error *err)
{
  MS_TRY(ms_json_check(&w->header, "`MS_FORM_JSON`", err));
  return ms_json_put(
      w->out, ms_json_of_fields(json_pack("{s:s}", "type", "count"), &w->header, MS_IN_COUNT), "\n",
      err);
}

ms_status ms_writer_close(ms_writer *w, ms_status status, ms_error *err)
{
  ms_free(w->buffer);
  ms_free(w->shown);
  ms_free(w->slot_titles);
  /* a limit of matches is what was asked for */
  if (w->out && w->header.status != MS_RESULT_COMPLETE && w->header.status != MS_RESULT_LIMIT)
    ms_outfile_mark_incomplete(w->out);
  if (w->out && status == MS_OK)
    status = ms_outfile_commit(w->out, err);
  else
    ms_outfile_abort(w->out);
  ms_free(w->blocks); /* which threads of the file may have read until now */
  return status;
}
