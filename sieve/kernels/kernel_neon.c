/* 64 points a line; four sums take 16 of 32 registers */
#include "gf2/line_neon.h"
#define GATHER_TILE 4
#define SCALE_AT_HEAD 99
#include "sieve/kernels/kernel_template.h"
