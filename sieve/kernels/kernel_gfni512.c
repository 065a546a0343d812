/* 64 points a line; 15 of 32 registers hold the sums */
#include "gf2/line_gfni512.h"
#define GATHER_TILE 15
#define SCALE_AT_HEAD 2
#define KERNEL_HALVES &ms_sieve_halves_gfni512
/* included before the template, which tests whether it is there */
#include "sieve/halves_kernels.h"
#include "sieve/kernels/live_heads_avx512.h"

#include "sieve/kernels/kernel_template.h"
