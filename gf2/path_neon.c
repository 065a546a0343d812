#include "gf2/line_neon.h"
#include "gf2/path_template.h"
