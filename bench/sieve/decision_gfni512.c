#include "gf2/line_gfni512.h"
#undef LINE_NAME
#define LINE_NAME decision_gfni512
#define GATHER_TILE 15
#define SCALE_AT_HEAD 2
#define DECISION_KERNEL bench_decision_gfni512
#define DECISION_PATH "gfni512"
/* included before the template, which tests whether it is there */
#include "sieve/kernels/live_heads_avx512.h"

#include "bench/sieve/decision_template.h"
