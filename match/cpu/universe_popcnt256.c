/* Local programs with bits, with AVX2 and an instruction for the ones of a word. */
#include "match/cpu/universe_words.h"

#define UNIVERSE ms_universe_avx2
#define UNIVERSE_NAME "avx2"
#include "match/cpu/universe_template.h"
