/* The kernels of the engine `trie` for programs of many levels, emulated, for launch_trie_many.c.
 */
#define MS_MANY_LEVELS
#include "tests/gpu/emulated/trie_host.cc"
