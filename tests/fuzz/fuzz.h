/* What fuzz targets share.  A target is one fuzz_*.c compiled with FUZZ_WHAT
 * (the Makefile has the list), linked with libFuzzer (make fuzz) or with
 * replay.c (make check).  It defines the two functions at the end. */
#ifndef MS_TESTS_FUZZ_FUZZ_H
#define MS_TESTS_FUZZ_FUZZ_H

#include "motifsieve.h"

/* The functions that libFuzzer calls: two of fuzz.c and one of mutate.c. */
int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);
/* A function that libFuzzer, or replay.c, defines. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

/* NULL, or corrects the checksums in an input (reseal.h) and returns its size; fuzz_setup sets it.
 */
extern size_t (*fuzz_seal)(uint8_t *data, size_t size, size_t max_size);
/* The number of threads for this input: 3 for one input in eight, else 1.  With 3, the library uses
 * several threads for small work, too. */
extern int fuzz_threads;
/* True if the target accepted the last input. */
extern bool fuzz_accepted;

/* A file in memory. */
typedef struct fuzz_file {
  int fd;
  char path[32];
} fuzz_file;

void fuzz_file_open(fuzz_file *file);
void fuzz_file_set(fuzz_file *file, const void *data, size_t size);
/* Standard output, to which ms_graph_write writes in place, as such a file. */
extern fuzz_file fuzz_output;
void fuzz_output_clear(void);

/* Reports a finding and aborts unless `right`. */
void fuzz_require(bool right, const char *format, ...) MS_PRINTF(2, 3);
/* True for MS_OK.  Any other status must be one that `refusals` has a bit for, and must have a
 * message: else it is a finding. */
bool fuzz_ok(ms_status status, unsigned refusals, const ms_error *err);
#define FUZZ_INPUT (1u << MS_ERR_INPUT)
#define FUZZ_USAGE (1u << MS_ERR_USAGE)

/* ---- of the target -------------------------------------------------------- */

/* Runs once, before the first input. */
void fuzz_setup(void);
/* Tests one input; true if it is good.  It must free all memory of the library that it allocated.
 */
bool fuzz_input(const uint8_t *data, size_t size);

#endif
