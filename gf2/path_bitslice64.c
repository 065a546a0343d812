#include "gf2/line_bitslice64.h"
#include "gf2/path_template.h"
