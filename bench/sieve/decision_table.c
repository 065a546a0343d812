#include "gf2/line_table.h"
#undef LINE_NAME
#define LINE_NAME decision_table
#define GATHER_TILE 1
#define SCALE_AT_HEAD 99
#define DECISION_KERNEL bench_decision_table
#define DECISION_PATH "table"
#include "bench/sieve/decision_template.h"
