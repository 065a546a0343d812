#include "gf2/line_bitslice256.h"
#define GATHER_TILE 1
#define SCALE_AT_HEAD 99
#define KERNEL_HALVES &ms_sieve_halves_bitslice256
#include "sieve/halves_kernels.h"
#include "sieve/kernels/kernel_template.h"
