/* The kernel of the sieve for small graphs, whose threads share memory, emulated: what
 * gpu/sieve/sieve_shared.cu does on a GPU.  The threads of a block are fibers. */
#include "tests/gpu/emulated/fake_cuda.h"

#include "gpu/sieve/sieve_device.h"

#include "gpu/sieve/field.cuh" /* before emulate.h, which has another MS_LANES */

#include "tests/gpu/emulated/emulate.h"

#include <functional>
#include <mutex>

#undef __launch_bounds__
#define __launch_bounds__(...)
#undef __grid_constant__
#define __grid_constant__

/* ---- what a kernel finds on a GPU ------------------------------------------------ */

typedef struct emulated_index {
  uint32_t x;
} emulated_index;

static uint32_t emulated_threads; /* of a block */

static inline emulated_index emulated_thread()
{
  return {ms_warp() * 32 + ms_lane()};
}

#define threadIdx emulated_thread()
#define blockIdx (emulated_index{ms_block()})
#define blockDim (emulated_index{emulated_threads})
#define __syncthreads ms_sync_block

#include "tests/gpu/emulated/sieve_host.h"

static inline uint32_t __shfl_xor_sync(uint32_t, uint32_t x, uint32_t bits)
{
  return (uint32_t)emulated_exchange(MEET_SHUFFLE, x, ms_lane() ^ bits);
}

template <typename number> static inline number atomicAdd(number *at, number x)
{
  return emulated_add(at, x);
}

/* ---- launches --------------------------------------------------------------------- */

static std::mutex one_at_a_time;
static std::function<void()> launched;

static void body(uint32_t)
{
  launched();
}

static void launch(uint32_t blocks, uint32_t threads, uint32_t bytes,
                   const std::function<void()> &kernel)
{
  std::lock_guard<std::mutex> guard(one_at_a_time);
  unsigned int stop = 0;
  fake_grid grid = {blocks, threads, bytes};
  launched = kernel;
  emulated_threads = threads;
  emulated_launch(&grid, &stop, body);
}

#define MS_SERIAL
#define MS_LAUNCH_SHARED(kernel, blocks, threads, bytes, stream, ...)                              \
  ((void)(stream), launch(blocks, threads, bytes, [&] { (kernel)(__VA_ARGS__); }))

#include "gpu/sieve/sieve_shared.cu"
