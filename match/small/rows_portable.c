#define KERNEL portable
#include "match/small/rows_template.h"
