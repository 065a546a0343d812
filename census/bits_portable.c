#define KERNEL portable
#define NEIGHBORS 6
#include "census/bits_template.h"
