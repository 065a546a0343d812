#include "gf2/line_bitslice64.h"
#undef LINE_NAME
#define LINE_NAME decision_bitslice64
#define GATHER_TILE 1
#define SCALE_AT_HEAD 99
#define DECISION_KERNEL bench_decision_bitslice64
#define DECISION_PATH "bitslice64"
#include "bench/sieve/decision_template.h"
