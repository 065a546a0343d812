/* The layout of the binary format of typed graphs; docs/FORMATS.md, "typed-binary". */
#ifndef MS_GRAPH_FORMATS_TYPED_BINARY_H
#define MS_GRAPH_FORMATS_TYPED_BINARY_H

#include "graph/formats/binary_file.h"
#include "graph/typed.h"

#define MS_TYPED_BINARY_MAGIC "\x89MST\r\n\x1A\n"
#define MS_TYPED_BINARY_VERSION 1u
#define MS_TYPED_BINARY_NO_TABLE 1u /* flag: a table of names with 0 slots is left out */
#define MS_TYPED_BINARY_JOINED 2u   /* flag: as joins_colors of an ms_typed */

/* Tables of names in their order in the file. */
enum { MS_TYPED_VERTEX_NAMES, MS_TYPED_VERTEX_TYPES, MS_TYPED_ARC_TYPES, MS_TYPED_TABLES };

/* Begins with an ms_binary_frame. */
typedef struct ms_typed_header {
  unsigned char magic[8];
  uint32_t order, version;
  uint64_t file_bytes;
  uint64_t arcs;                   /* two an edge, one a self-loop */
  uint32_t count[MS_TYPED_TABLES]; /* vertices, types of vertices, types of arcs */
  uint32_t flags;
  struct {
    uint64_t bytes, slots;
  } names[MS_TYPED_TABLES];
  uint32_t zero[7];
  uint32_t crc32c; /* of the bytes in front of it */
} ms_typed_header;

_Static_assert(sizeof(ms_typed_header) == MS_BINARY_HEADER, "the header has no gaps");

/* Sections in their order in the file. */
enum {
  MS_TYPED_OFFSETS,         /* u64[vertices + 1] */
  MS_TYPED_NEIGHBORS,       /* u32[arcs] */
  MS_TYPED_TYPES,           /* u16[arcs] */
  MS_TYPED_TYPES_OF_VERTEX, /* u16[vertices] */
  MS_TYPED_INVERSES,        /* u16[arc types] */
  MS_TYPED_IS_INVERSE,      /* u8[arc types] */
  MS_TYPED_NAMES,           /* for each table: starts, pool and slots, as in binary.h */
  MS_TYPED_SECTIONS = MS_TYPED_NAMES + 3 * MS_TYPED_TABLES
};

/* Fills in the places of sections of these sizes; false if no file can be that large. */
bool ms_typed_binary_lay_out(const ms_typed_header *header, ms_binary_layout *layout);

/* A file in memory.  All pointers point into it; nothing about their content is certain before
 * ms_typed_binary_check. */
typedef struct ms_typed_binary {
  const char *label; /* for messages */
  const uint64_t *offset;
  const uint32_t *neighbor;
  const ms_type *type, *vertex_type, *inverse;
  const uint8_t *is_inverse;
  uint32_t n, types; /* vertices, types of arcs */
  uint64_t arcs;
  ms_name_blocks names[MS_TYPED_TABLES];
} ms_typed_binary;

/* What the checks find out on their way. */
typedef struct ms_typed_counts {
  uint64_t self_loops, repeats;
  uint32_t max_degree, untyped;
} ms_typed_counts;

/* Reads the graph of `text`, which `path` has open, as ms_typed_load does. */
ms_status ms_typed_binary_load(const char *path, ms_text *text, const ms_typed_options *options,
                               ms_typed **out, ms_error *err);

#endif
