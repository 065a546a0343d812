/* The kernels of the engine `flood` for programs of many levels. */
#define MS_MANY_LEVELS
#define ms_flood_function ms_flood_many_function
#include "gpu/match/flood/flood.cu"
