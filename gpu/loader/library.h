/* The functions of the library that the plug-in receives. */
#ifndef MS_GPU_LOADER_LIBRARY_H
#define MS_GPU_LOADER_LIBRARY_H

#include "gpu/loader/plugin.h"

extern const ms_library ms_library_functions;

#endif
