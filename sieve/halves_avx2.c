/* Four slots bit-sliced over eight AVX2 registers. */
#include "sieve/half_lines_bitslice256.h"
#define KERNEL ms_sieve_halves_bitslice256
#define GATHER_TILE 4
#define SCALE_AT_HEAD 99
#include "sieve/halves_template.h"
