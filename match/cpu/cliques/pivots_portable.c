/* Trees of cliques, without special instructions. */
#define PIVOTS ms_pivots_portable
#define PIVOTS_NAME "portable"
#include "match/cpu/cliques/pivots_template.h"
