/* Measures the speed of products on this processor. */
#ifndef MS_GF2_RATE_H
#define MS_GF2_RATE_H

#include "gf2/gf2.h"

/* Returns the products per second of a path on `threads` threads at the same time: the best of five
 * slices, which together take about `seconds`. */
double ms_gf2_products(const ms_gf2_path *path, int threads, double seconds);

#endif
