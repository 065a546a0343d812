/* Trees of cliques, with AVX-512 and its instruction for the ones of a word. */
#define PIVOTS ms_pivots_avx512
#define PIVOTS_NAME "avx512"
#include "match/cpu/cliques/pivots_template.h"
