/* The kernels of sieve/halves.h, one for each instruction set. */
#ifndef MS_SIEVE_HALVES_KERNELS_H
#define MS_SIEVE_HALVES_KERNELS_H

#include "sieve/kernels/kernel.h"

extern const ms_sieve_halves_kernel ms_sieve_halves_bitslice256, ms_sieve_halves_gfni256,
    ms_sieve_halves_gfni512;

#endif
