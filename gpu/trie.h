/* Breadth first in bounded memory, as cuTS (SC'21) does it, on all GPUs that
 * there are (gpu/trie_device.h, gpu/trie_drive.h).  Its matches come in an order
 * that differs from run to run. */
#ifndef MS_GPU_TRIE_H
#define MS_GPU_TRIE_H

#include "enumerate/pattern_engine.h"

extern const ms_pattern_engine ms_pattern_engine_trie;

#endif
