/* A slot in two AVX2 registers. */
#include "sieve/half_lines_gfni256.h"
#define KERNEL ms_sieve_halves_gfni256
#define GATHER_TILE 15
#define SCALE_AT_HEAD 2
#include "sieve/halves_template.h"
