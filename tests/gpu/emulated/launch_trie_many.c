/* The kernels of the engine `trie` for programs of many levels, by the warps of
 * trie_host_many.cc. */
#define MS_MANY_LEVELS
#define ms_trie_function ms_trie_many_function
#include "tests/gpu/emulated/launch_trie.c"
