#define KERNEL popcnt256
#include "match/small/rows_template.h"
