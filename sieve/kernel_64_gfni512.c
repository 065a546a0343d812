/* 64 points a line; of 32 registers 15 hold the 15 sums */
#define LINE_BITS 6
#include "gf2/line_gfni512.h"
#define GATHER_TILE 15
#define SCALE_AT_HEAD
#include "sieve/live_heads_avx512.h"
#include "sieve/kernel_template.h"
