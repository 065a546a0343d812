/* The library as the plug-in has it. */
#ifndef MS_GPU_PLUGIN_LIBRARY_H
#define MS_GPU_PLUGIN_LIBRARY_H

#include "gpu/loader/plugin.h"

/* Is attach of ms_gpu_plugin. */
bool ms_plugin_attach(const ms_library *library);

#endif
