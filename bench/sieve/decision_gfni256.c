#include "gf2/line_gfni256.h"
#undef LINE_NAME
#define LINE_NAME decision_gfni256
#define GATHER_TILE 15
#define SCALE_AT_HEAD 2
#define DECISION_KERNEL bench_decision_gfni256
#define DECISION_PATH "gfni256"
#include "bench/sieve/decision_template.h"
