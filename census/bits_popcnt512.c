#define KERNEL popcnt512
#define NEIGHBORS 0.3
#include "census/bits_template.h"
