/* What the two binary formats share, that of plain graphs (binary.h) and that of typed graphs
 * (typed_binary.h): a header, sections that are arrays as they lie in memory, and checksums of
 * chunks behind them; docs/FORMATS.md, "binary". */
#ifndef MS_GRAPH_FORMATS_BINARY_FILE_H
#define MS_GRAPH_FORMATS_BINARY_FILE_H

#include "base/file/outfile.h"
#include "graph/graph.h"
#include "graph/io/text.h"
#include "graph/names.h"

#define MS_BINARY_MAGIC_BYTES ((size_t)8)
#define MS_BINARY_ORDER 0x01020304u
#define MS_BINARY_ALIGN ((uint64_t)64)      /* of sections */
#define MS_BINARY_CHUNK ((uint64_t)1 << 20) /* bytes that share a checksum */
#define MS_BINARY_HEADER ((size_t)128)      /* bytes */
#define MS_BINARY_MOST_SECTIONS 16

_Static_assert(sizeof(ms_name_slot) == 16, "the table of names has no gaps");

typedef struct ms_binary_layout {
  uint64_t at[MS_BINARY_MOST_SECTIONS], bytes[MS_BINARY_MOST_SECTIONS];
  uint64_t body;       /* where the checksums begin */
  uint64_t chunks;     /* u32[chunks], and one of themselves */
  uint64_t file_bytes; /* where they end */
} ms_binary_layout;

/* Fills in the places of `sections` sections of counts[s] items of sizes[s] bytes; false if no file
 * can be that large. */
bool ms_binary_lay_out_sections(int sections, const uint64_t *counts, const uint64_t *sizes,
                                ms_binary_layout *layout);

/* What begins every header, in every version; the last four bytes of a header are its CRC-32C. */
typedef struct ms_binary_frame {
  unsigned char magic[8]; /* holds line ends, so that a transfer that converted them is noticed */
  uint32_t order, version;
  uint64_t file_bytes;
} ms_binary_frame;

/* A binary format, for messages and the check of its frame. */
typedef struct ms_binary_kind {
  const char *magic; /* [MS_BINARY_MAGIC_BYTES] */
  uint32_t version;  /* the newest that is read */
  const char *what;  /* "a binary graph file of motifsieve" */
  const char *how;   /* how to make one, the end of a sentence */
} ms_binary_kind;

/* MS_ERR_USAGE on a big-endian processor: the arrays of files are used as they are. */
ms_status ms_binary_check_processor(ms_error *err);

/* Copies the header, of MS_BINARY_HEADER bytes, from the beginning of `text`, and checks what is
 * the same in every version. */
ms_status ms_binary_read_frame(ms_text *text, const ms_binary_kind *kind, void *header,
                               ms_error *err);
/* Can a table of names be probed?  It has a power of two of slots and is at most 3/4 full.
 * may_lack: with 0 slots it was left out. */
bool ms_binary_table_fits(bool may_lack, uint32_t count, uint64_t slots);

/* Reads the whole input of `text`, which is in front of its first line.  It must have `size` > 0
 * bytes.  A mapped file must not be changed in place while the image lives; replacing it, as every
 * output of motifsieve does, is harmless. */
ms_status ms_image_read(ms_text *text, uint64_t size, ms_image *image, ms_error *err);

/* Compares the checksums of all chunks, with several threads; *crc becomes the CRC-32C of the whole
 * file. */
ms_status ms_binary_check_sums(const char *label, const ms_image *image,
                               const ms_binary_layout *layout, int threads, uint32_t *crc,
                               ms_error *err);

/* The two steps of ms_binary_check_sums.  The first one checks the checksum of the checksums; *crc
 * is right if the chunks are, too. */
ms_status ms_binary_open_sums(const char *label, const ms_image *image,
                              const ms_binary_layout *layout, uint32_t *crc, ms_error *err);
/* Called by several threads with the bytes begin..end of the file, which are a chunk, when its
 * checksum has just been computed and its bytes are in the caches.  The chunk may be damaged. */
typedef void ms_binary_chunk_fn(void *user, uint64_t begin, uint64_t end);
/* Compares the checksums of the chunks first..last; `seen` may be NULL. */
ms_status ms_binary_check_chunks(const char *label, const ms_image *image,
                                 const ms_binary_layout *layout, uint64_t first, uint64_t last,
                                 int threads, ms_binary_chunk_fn *seen, void *user, ms_error *err);

/* ---- checks (binary_check.c) ------------------------------------------------------
 * Whatever the bytes are, these cause no more than an error message. */

/* MS_ERR_INPUT: row u of the graph is not valid. */
ms_status ms_binary_fail_row(const char *label, uint64_t u, const char *what, ms_error *err);
/* Checks offset[n + 1]; *most becomes the greatest number of arcs of a row. */
ms_status ms_binary_check_offsets(const char *label, const uint64_t *offset, uint32_t n,
                                  uint64_t arcs, int threads, uint64_t *most, ms_error *err);
/* Checks the blocks of a table of names; a table in which names collide far more than by chance is
 * not checked but left out: its `slots` become 0.  Whether names differ is known only where there
 * is a table; ms_binary_make_names finds the rest. */
ms_status ms_binary_check_names(const char *label, ms_name_blocks *names, const char *what,
                                int threads, ms_error *err);

/* Makes the names of a file whose blocks were checked: on its table, or with a table of our own
 * where there is none.  `what`: "vertex", "colour". */
ms_status ms_binary_make_names(const char *label, const ms_name_blocks *blocks, const char *what,
                               ms_names **out, ms_error *err);

/* ---- writing ------------------------------------------------------------- */

typedef struct ms_binary_writer {
  ms_outfile *out;
  uint64_t at;    /* bytes written */
  uint32_t sum;   /* of the chunk that has begun */
  uint32_t *sums; /* of the chunks in front of it */
} ms_binary_writer;

/* Begins a file of that layout; header[0, MS_BINARY_HEADER) begins with an ms_binary_frame, in
 * which all but the size of the file is filled in.  The size and the CRC are filled in here.  The
 * output remembers its errors. */
ms_status ms_binary_writer_begin(ms_binary_writer *w, ms_outfile *out, void *header,
                                 const ms_binary_layout *layout, ms_error *err);
/* Writes a part of a section; ms_binary_end_section then fills it up to the next one. */
void ms_binary_put(ms_binary_writer *w, const void *data, uint64_t bytes);
void ms_binary_end_section(ms_binary_writer *w);
/* A whole section. */
void ms_binary_put_section(ms_binary_writer *w, const void *data, uint64_t bytes);
/* The three sections of a table of names. */
void ms_binary_put_names(ms_binary_writer *w, const ms_name_blocks *names);
/* Writes the checksums, which end the file, and frees the writer. */
void ms_binary_writer_end(ms_binary_writer *w, const ms_binary_layout *layout);

/* A table of names as a file holds it. */
typedef struct ms_binary_names {
  ms_name_blocks blocks; /* table NULL: too many names collide, and the table is left out */
  ms_name_slot *own;     /* the table, if it was made for the file */
} ms_binary_names;

/* The caller frees `own` with ms_free, also after a failure. */
ms_status ms_binary_lay_out_names(const ms_names *names, ms_binary_names *out, ms_error *err);

#endif
