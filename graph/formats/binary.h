/* The layout of the binary graph format; docs/FORMATS.md, "binary". */
#ifndef MS_GRAPH_FORMATS_BINARY_H
#define MS_GRAPH_FORMATS_BINARY_H

#include "graph/formats/binary_file.h"

#define MS_BINARY_MAGIC "\x89MSB\r\n\x1A\n"
#define MS_BINARY_VERSION 2u  /* of files with scores; others have version 1 */
#define MS_BINARY_COLORED 1u  /* flag: sections of colours follow */
#define MS_BINARY_NO_TABLE 2u /* flag: a table of names with 0 slots is left out */
#define MS_BINARY_SCORED 4u   /* flag: a section of scores follows */

/* Begins with an ms_binary_frame. */
typedef struct ms_binary_header {
  unsigned char magic[8];
  uint32_t order, version;
  uint64_t file_bytes;
  uint64_t arcs; /* 2 * edges */
  uint32_t vertices, colors;
  uint64_t pairs; /* (vertex, colour) */
  uint64_t name_bytes, name_slots;
  uint64_t color_bytes, color_slots;
  uint32_t flags;
  uint32_t zero[10];
  uint32_t crc32c; /* of the bytes in front of it */
} ms_binary_header;

_Static_assert(sizeof(ms_binary_header) == MS_BINARY_HEADER, "the header has no gaps");

/* Sections in their order in the file. */
enum {
  MS_BINARY_OFFSETS,      /* u64[vertices + 1] */
  MS_BINARY_NEIGHBORS,    /* u32[arcs] */
  MS_BINARY_NAME_STARTS,  /* u64[vertices] */
  MS_BINARY_NAME_POOL,    /* char[name_bytes] */
  MS_BINARY_NAME_TABLE,   /* ms_name_slot[name_slots] */
  MS_BINARY_COLOR_STARTS, /* the same three of the colours' names */
  MS_BINARY_COLOR_POOL,
  MS_BINARY_COLOR_TABLE,
  MS_BINARY_PAIRS,  /* u32[pairs][2] */
  MS_BINARY_SCORES, /* float[arcs], with the flag */
  MS_BINARY_SECTIONS
};

/* Fills in the places of sections of these sizes; false if no file can be that large. */
bool ms_binary_lay_out(const ms_binary_header *header, ms_binary_layout *layout);

/* A file in memory.  All pointers point into it; nothing about their content is certain before
 * ms_binary_check. */
typedef struct ms_binary {
  const char *label; /* for messages */
  const uint64_t *offset;
  const uint32_t *neighbor;
  uint32_t n;
  uint64_t arcs;
  ms_name_blocks names, colors;
  const uint32_t (*pair)[2];
  uint64_t pairs;
  const float *score; /* [arcs]; NULL: the file has no scores */
} ms_binary;

/* Checks the checksums and all that a graph promises (graph.h, names.h), whatever the bytes are.
 * The neighbours are read once, other sections twice.  *max_degree and *crc, the CRC-32C of the
 * whole file, are by-products.  A table of names in which names collide far more than by chance is
 * not checked but left out: its `slots` become 0.  Whether names differ is known only where there
 * is a table. */
ms_status ms_binary_check(ms_binary *file, const ms_image *image, const ms_binary_layout *layout,
                          int threads, uint32_t *max_degree, uint32_t *crc, ms_error *err);

#endif
