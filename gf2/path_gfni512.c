#include "gf2/line_gfni512.h"
#include "gf2/path_template.h"
