/* The kernels of the engine `trie` for programs of many levels. */
#define MS_MANY_LEVELS
#define ms_trie_function ms_trie_many_function
#include "gpu/match/trie/trie.cu"
