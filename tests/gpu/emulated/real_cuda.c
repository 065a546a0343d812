/* The same tests on this machine's GPUs: the settings of emulated GPUs have no effect. */
#include "tests/gpu/emulated/fake_cuda.h"

bool fake_cuda;
int fake_devices, fake_multiprocessors;
uint64_t fake_shared_reported, fake_memory, fake_shared, fake_taken, fake_most, fake_slow,
    fake_launches, fake_copies_left;
uint32_t emulated_width, emulated_blocks, emulated_value;
uint64_t emulated_seed;
bool (*fake_while_running)(void);
