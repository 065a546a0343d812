/* Trees of cliques, with AVX2 and an instruction for the ones of a word. */
#define PIVOTS ms_pivots_avx2
#define PIVOTS_NAME "avx2"
#include "match/cpu/cliques/pivots_template.h"
