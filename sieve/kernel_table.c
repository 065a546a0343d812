#include "gf2/line_table.h"
#define GATHER_TILE 1
#include "sieve/kernel_template.h"
