/* The kernels of the sieve for graphs of any size, compiled for the host: the threads of a launch
 * run one after another.  None of these kernels lets threads wait for each other, but for a sum
 * over a warp (add_to_q), which is done thread by thread here.  The kernel for small graphs, whose
 * threads share memory, is in launch_shared.cc. */
#define MS_SERIAL

#include "gpu/sieve/sieve_device.h"

#include <cstdint>

#undef __launch_bounds__
#define __launch_bounds__(...)
#undef __grid_constant__
#define __grid_constant__

static thread_local dim3 serial_block, serial_thread, serial_size;
#define blockIdx serial_block
#define threadIdx serial_thread
#define blockDim serial_size

template <typename Kernel>
static void serial_launch(dim3 blocks, unsigned threads, const Kernel &kernel)
{
  serial_size = dim3(threads);
  for (serial_block.y = 0; serial_block.y < blocks.y; serial_block.y++)
    for (serial_block.x = 0; serial_block.x < blocks.x; serial_block.x++)
      for (serial_thread.x = 0; serial_thread.x < threads; serial_thread.x++)
        kernel();
}

#define MS_LAUNCH(kernel, blocks, threads, stream, ...)                                            \
  ((void)(stream), serial_launch(dim3(blocks), threads, [&] { (kernel)(__VA_ARGS__); }))

#include "tests/gpu/emulated/sieve_host.h"

static inline uint32_t __shfl_xor_sync(uint32_t, uint32_t x, uint32_t)
{
  return x;
}

#include "gpu/sieve/collect.cu"
#include "gpu/sieve/sieve_global.cu"
#include "gpu/sieve/weights.cu"
