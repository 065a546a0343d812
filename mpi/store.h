/* Pieces of contributions that wait in rank 0 for those of earlier units: in memory up to a bound,
 * and beyond it in a file without a name in TMPDIR (or /tmp). */
#ifndef MS_MPI_STORE_H
#define MS_MPI_STORE_H

#include "parts/crew.h"

typedef struct ms_store {
  uint64_t most;        /* bytes in memory */
  uint64_t in_memory;   /* bytes */
  int file;             /* -1: none yet */
  uint64_t blocks;      /* of the file, each for one piece */
  uint64_t *free_block; /* [n_free] of `room`: those that are free */
  uint64_t n_free, room;
} ms_store;

typedef struct ms_stored {
  struct ms_stored *next;
  size_t length;       /* at most MS_PIECE_BYTES */
  unsigned char *data; /* NULL: it is in the file */
  uint64_t block;
  uint32_t crc32c; /* of what is in the file */
} ms_stored;

void ms_store_open(ms_store *store, uint64_t most);
void ms_store_close(ms_store *store);
/* Stores a copy of the bytes. MS_ERR_OUTPUT: the file cannot grow. */
ms_status ms_store_put(ms_store *store, const void *data, size_t length, ms_stored **out,
                       ms_error *err);
/* Returns the bytes: piece->data, or buffer[MS_PIECE_BYTES] after reading; NULL: the file cannot be
 * read, or does not hold what was written.  May run at the same time as calls for other pieces. */
const unsigned char *ms_store_read(const ms_store *store, const ms_stored *piece,
                                   unsigned char *buffer, ms_error *err);
/* Forgets and frees a piece. */
void ms_store_drop(ms_store *store, ms_stored *piece);

#endif
