/* 32 points a line; up to 15 of 16 registers hold the sums, 9 at k = 20 */
#include "gf2/line_gfni256.h"
#define GATHER_TILE 15
#define SCALE_AT_HEAD 2
#define KERNEL_HALVES &ms_sieve_halves_gfni256
#include "sieve/halves_kernels.h"
#include "sieve/kernels/kernel_template.h"
