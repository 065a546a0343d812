/* Local programs with bits, without special instructions. */
#include "match/cpu/universe_words.h"

#define UNIVERSE ms_universe_portable
#define UNIVERSE_NAME "portable"
#include "match/cpu/universe_template.h"
