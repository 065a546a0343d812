/* What fuzz targets share.  A target is one fuzz_*.c compiled with FUZZ_WHAT
 * (the Makefile has the list), linked with libFuzzer (make fuzz) or with
 * replay.c (make check).  It defines the two functions at the end. */
#ifndef MS_TESTS_FUZZ_FUZZ_H
#define MS_TESTS_FUZZ_FUZZ_H

#include "motifsieve.h"

/* libFuzzer's; defined in fuzz.c. */
int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
/* Did the target take the last input for a good one? */
extern bool fuzz_accepted;

/* A file in memory. */
typedef struct fuzz_file {
  int fd;
  char path[32];
} fuzz_file;

void fuzz_file_open(fuzz_file *file);
void fuzz_file_set(fuzz_file *file, const void *data, size_t size);
/* Standard output, to which ms_graph_write writes in place, is one as well. */
extern fuzz_file fuzz_output;
void fuzz_output_clear(void);

/* Otherwise it is a finding: say so and abort. */
void fuzz_require(bool right, const char *format, ...) MS_PRINTF(2, 3);
/* MS_OK (true), or one of the statuses `refusals` has a bit for and a message. */
bool fuzz_ok(ms_status status, unsigned refusals, const ms_error *err);
#define FUZZ_INPUT (1u << MS_ERR_INPUT)
#define FUZZ_USAGE (1u << MS_ERR_USAGE)

/* ---- of the target -------------------------------------------------------- */

/* Once, before the first input. */
void fuzz_setup(void);
/* One input; true if it is good.  All memory of the library must be free
 * again that was not taken before. */
bool fuzz_input(const uint8_t *data, size_t size);

#endif
