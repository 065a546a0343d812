/* A plug-in that does not fit: -DABI=.. -DVERSION=".." -DSOURCES=".." */
#include "gpu/loader/plugin.h"

const ms_gpu_plugin ms_gpu_plugin_table = {
    .abi = ABI, .size = sizeof(ms_gpu_plugin), .version = VERSION, .sources = SOURCES};
