#include "gf2/line_table.h"
#define GATHER_TILE 1
#define SCALE_AT_HEAD 99
#include "sieve/kernels/kernel_template.h"
