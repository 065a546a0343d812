/* Makes checksums right again after a mutation, so that fuzzing gets behind them. */
#ifndef MS_TESTS_FUZZ_RESEAL_H
#define MS_TESTS_FUZZ_RESEAL_H

#include <stddef.h>
#include <stdint.h>

/* A result file, text or binary.  In text, the checksum is the last eight hexadecimal digits of the
 * last line.  Returns the size, which stays as it is. */
size_t fuzz_reseal_result(uint8_t *data, size_t size, size_t max_size);
/* A binary graph.  If its header describes a file of at most `max_size` bytes, the data is cut or
 * filled with zeros to that size, which is returned. */
size_t fuzz_reseal_graph(uint8_t *data, size_t size, size_t max_size);
/* A binary typed graph, in the same way. */
size_t fuzz_reseal_typed(uint8_t *data, size_t size, size_t max_size);

#endif
