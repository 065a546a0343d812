#include "gf2/line_table.h"
#include "gf2/path_template.h"
