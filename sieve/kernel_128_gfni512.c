/* 128 points a line; of 32 registers 24 hold the 12 sums */
#define LINE_BITS 7
#include "gf2/line_gfni512.h"
#define GATHER_TILE 12
#define SCALE_AT_HEAD
#include "sieve/live_heads_avx512.h"
#include "sieve/kernel_template.h"
