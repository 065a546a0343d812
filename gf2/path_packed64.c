#include "gf2/line_packed64.h"
#include "gf2/path_template.h"
