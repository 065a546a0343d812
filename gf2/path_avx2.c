#include "gf2/line_bitslice256.h"
#include "gf2/path_template.h"
