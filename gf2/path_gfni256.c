#include "gf2/line_gfni256.h"
#include "gf2/path_template.h"
