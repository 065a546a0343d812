#define KERNEL popcnt256
#define NEIGHBORS 0.6
#include "census/bits_template.h"
