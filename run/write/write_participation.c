/* Writes in how many matches of a pattern each vertex is. */
#include "base/status.h"
#include "run/write/write.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define PIECE UINT64_C(1000000000) /* of a decimal number: nine digits */
#define DIGITS_BYTES 48            /* for 128 bits: five pieces */

/* Writes a number of 128 bits in decimal; returns text. */
static const char *decimal(const uint64_t number[2], char text[DIGITS_BYTES])
{
  uint32_t word[4] = {(uint32_t)(number[1] >> 32), (uint32_t)number[1], (uint32_t)(number[0] >> 32),
                      (uint32_t)number[0]};
  uint64_t piece[5];
  int pieces = 0, used;
  if (number[1] == 0) {
    snprintf(text, DIGITS_BYTES, "%" PRIu64, number[0]);
    return text;
  }
  for (; pieces < 5; pieces++) {
    uint64_t rest = 0;
    for (int i = 0; i < 4; i++) {
      rest = rest << 32 | word[i];
      word[i] = (uint32_t)(rest / PIECE);
      rest %= PIECE;
    }
    piece[pieces] = rest;
  }
  while (piece[pieces - 1] == 0)
    pieces--;
  used = snprintf(text, DIGITS_BYTES, "%" PRIu64, piece[pieces - 1]);
  for (int i = pieces - 2; i >= 0; i--)
    used += snprintf(text + used, (size_t)(DIGITS_BYTES - used), "%09" PRIu64, piece[i]);
  return text;
}

/* The vertices of the pattern, position by position. */
typedef struct positions {
  const char *name[MS_MAX_PATTERN];
  uint32_t from[MS_MAX_PATTERN + 1];
} positions;

static void list_positions(const ms_participation *p, const char *const *names, uint32_t vertices,
                           positions *out)
{
  uint32_t used = 0;
  for (uint32_t position = 0; position < p->positions; position++) {
    out->from[position] = used;
    for (uint32_t i = 0; i < vertices; i++)
      if (p->position_of[i] == position)
        out->name[used++] = names[i];
  }
  out->from[p->positions] = used;
}

ms_status ms_writing_participation(ms_writing *w, const ms_coloring *coloring,
                                   const ms_participation *p, const char *const *names,
                                   uint32_t vertices, ms_status stopped, const char *all,
                                   ms_error *err)
{
  char text[DIGITS_BYTES];
  positions at;
  ms_result_header *h = &w->writer.header;
  ms_writing_settle(w, stopped, 0, 0);
  h->has &= ~(unsigned)MS_HAS_NO_ORDER; /* rows are in the order of vertices */
  h->participation = true;
  h->all_rows = w->options.all;
  h->count = all;
  list_positions(p, names, vertices, &at);
  MS_TRY(ms_writer_begin(&w->writer, w->names, err));
  for (uint32_t v = 0; v < p->vertices; v++)
    for (uint32_t position = 0; position < p->positions; position++) {
      const uint64_t *number = p->matches[(size_t)v * p->positions + position];
      ms_vertex_row row = {.flagged = true,
                           .number = decimal(number, text),
                           .position = at.name + at.from[position],
                           .n_position = at.from[position + 1] - at.from[position]};
      if (number[0] || number[1] || w->options.all)
        MS_TRY(ms_writer_vertex(&w->writer, coloring, v, &row, err));
    }
  return ms_writer_end(&w->writer, err);
}
