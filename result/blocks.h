/* Rows of a long result, which several threads write.
 *
 * The thread that receives rows only copies them: into blocks, which are encoded and compressed by
 * the threads of the file (base/packer.h), each with the encoding of the writer and into memory of
 * its own.  Blocks begin at numbers of rows that depend on the width of a row alone, so the bytes
 * of the file depend neither on the threads nor on the portions in which rows arrive. */
#ifndef MS_RESULT_BLOCKS_H
#define MS_RESULT_BLOCKS_H

#include "result/writer.h"

/* Rows of a result after which blocks begin: short results are written on one thread, and can be
 * cut back to almost any row if a disk is full. */
#define MS_BLOCKS_FROM ((uint64_t)1 << 16)

/* Begins with blocks behind the rows that were written; does nothing in their midst.  Returns false
 * if there is no memory: rows can then still be written on one thread. */
bool ms_row_blocks_begin(ms_writer *writer);
/* Adds matches to the blocks, as ms_writer_matches does. */
void ms_row_blocks_add(ms_writer *writer, const uint32_t *rows, uint64_t count);
/* Ends the last block, and waits until all of them are in the file or forgotten.  Without blocks,
 * it does nothing. */
void ms_row_blocks_end(ms_writer *writer);

#endif
