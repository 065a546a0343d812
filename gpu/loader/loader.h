/* Loads the plug-in with the code for GPUs.
 *
 * The environment variable MOTIFSIEVE_CUDA forbids it with 0, or names the file.  Otherwise the
 * plug-in is looked for beside the file that contains the library, which is the shared library, or
 * the program of which the library is a part; for a program also in ../lib; and then by the dynamic
 * linker's own rules (LD_LIBRARY_PATH, the run path, ld.so.conf), but never in the current folder.
 * Relative names start at the folder in which the library was loaded. */
#ifndef MS_GPU_LOADER_LOADER_H
#define MS_GPU_LOADER_LOADER_H

#include "gpu/loader/plugin.h"

/* Returns the plug-in, which the first call loads; NULL: there is none, and ms_gpu_plugin_fault
 * says why.  Any thread may call it. */
const ms_gpu_plugin *ms_gpu_plugin_load(void);
/* Returns the plug-in if it has been loaded; NULL: it has not, and nothing is done. */
const ms_gpu_plugin *ms_gpu_plugin_loaded(void);
/* Returns why there is no plug-in, after ms_gpu_plugin_load has returned NULL: what happened,
 * where, and what to do.  The text stays valid. */
const char *ms_gpu_plugin_fault(void);
/* Fails with that reason. */
ms_status ms_gpu_plugin_fail(ms_error *err);
/* True if there is a plug-in, and the driver's library that it needs.  The driver is not started,
 * which takes long. */
bool ms_gpu_plugin_has_driver(void);

#endif
