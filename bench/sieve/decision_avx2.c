#include "gf2/line_bitslice256.h"
#undef LINE_NAME
#define LINE_NAME decision_bitslice256
#define GATHER_TILE 1
#define SCALE_AT_HEAD 99
#define DECISION_KERNEL bench_decision_bitslice256
#define DECISION_PATH "bitslice256"
#include "bench/sieve/decision_template.h"
