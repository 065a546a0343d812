/* A slot in an AVX-512 register. */
#include "sieve/half_lines_gfni512.h"
#define KERNEL ms_sieve_halves_gfni512
#define GATHER_TILE 15
#define SCALE_AT_HEAD 2
#include "sieve/live_heads_avx512.h"

#include "sieve/halves_template.h"
