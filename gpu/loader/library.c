#include "gpu/loader/library.h"

#define SET(name) .name = name,
const ms_library ms_library_functions = {.connected_sets = &ms_engine_connected_sets,
                                         MS_LIBRARY_FUNCTIONS(SET) MS_NUMBER_FUNCTIONS(SET)};
