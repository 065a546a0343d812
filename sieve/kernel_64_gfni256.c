/* 64 points a line; 16 registers hold 7 sums */
#define LINE_BITS 6
#include "gf2/line_gfni256.h"
#define GATHER_TILE 7
#define SCALE_AT_HEAD
#include "sieve/kernel_template.h"
