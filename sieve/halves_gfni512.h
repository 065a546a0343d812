/* The kernel of sieve/halves.h that needs AVX-512 with VBMI, and GFNI. */
#ifndef MS_SIEVE_HALVES_GFNI512_H
#define MS_SIEVE_HALVES_GFNI512_H

#include "sieve/kernel.h"

extern const ms_sieve_halves_kernel ms_sieve_halves_gfni512;

#endif
