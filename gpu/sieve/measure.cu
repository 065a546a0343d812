/* Kernels that do one thing as fast as the device can. */
#include "gpu/sieve/measure.h"

#include "gpu/sieve/lines.cuh"

#define THREADS 256

static __device__ uint32_t thread_of_grid()
{
  return blockIdx.x * blockDim.x + threadIdx.x;
}

/* ---- line types ------------------------------------------------------------------ */

template <class L>
static __global__ void __launch_bounds__(THREADS)
    products(uint32_t rounds, uint32_t *out, ms_gf256_tables)
{
  out[thread_of_grid()] = ms_spin_products<L>(thread_of_grid(), rounds, NULL);
}

static __global__ void __launch_bounds__(THREADS)
    products_by_table(uint32_t rounds, uint32_t *out,
                      const __grid_constant__ ms_gf256_tables tables)
{
  __shared__ ms_gf256_tables shared;
  for (uint32_t i = threadIdx.x; i < sizeof shared.exp; i += blockDim.x)
    shared.exp[i] = tables.exp[i];
  for (uint32_t i = threadIdx.x; i < 256; i += blockDim.x)
    shared.log[i] = tables.log[i];
  __syncthreads();
  out[thread_of_grid()] = ms_spin_products<ms_line_table>(thread_of_grid(), rounds, &shared);
}

template <class M>
static __global__ void __launch_bounds__(THREADS, 2)
    macs(uint32_t rounds, uint32_t *out, ms_gf256_tables)
{
  out[thread_of_grid()] = ms_spin_macs<M>(thread_of_grid(), rounds);
}

template <class L>
static uint32_t products_on_host(uint32_t thread, uint32_t rounds, const ms_gf256_tables *tables)
{
  return ms_spin_products<L>(thread, rounds, tables);
}

template <class M>
static uint32_t macs_on_host(uint32_t thread, uint32_t rounds, const ms_gf256_tables *)
{
  return ms_spin_macs<M>(thread, rounds);
}

template <class L> static constexpr ms_measure_kernel products_kernel(const void *function)
{
  return {function, THREADS, 2 * L::chains * L::lanes};
}

template <class M> static constexpr ms_measure_kernel macs_kernel(const void *function)
{
  return {function, THREADS, 3 * M::lanes};
}

#define LINE(type, name, layout)                                                                   \
  {                                                                                                \
    {name, layout, type::lanes}, products_kernel<type>((const void *)products<type>),              \
        products_on_host<type>                                                                     \
  }
#define MAC(type, name, layout)                                                                    \
  {                                                                                                \
    {name, layout, type::lanes}, macs_kernel<type>((const void *)macs<type>), macs_on_host<type>   \
  }

static const ms_measure_line lines[] = {
    LINE(ms_line_packed1, "packed1", "one element in a 32-bit word, shift and add"),
    {{"table", "one element, logarithms in shared memory", 1},
     products_kernel<ms_line_table>((const void *)products_by_table),
     products_on_host<ms_line_table>},
    LINE(ms_line_packed4, "packed4", "4 elements in a 32-bit word, shift and add"),
    LINE(ms_line_packed16, "packed16", "16 elements in four 32-bit words, shift and add"),
    LINE(ms_line_packed32, "packed32", "32 elements in eight 32-bit words, shift and add"),
    LINE(ms_line_bitslice32, "bitslice32", "32 elements bit-sliced over eight 32-bit words"),
    MAC(ms_mac_bitslice32, "bitslice32-mac", "the same, products summed up unreduced"),
    MAC(ms_mac_karatsuba32, "karatsuba32-mac",
        "operands at Karatsuba's 27 points, products summed up there"),
};
static_assert(sizeof lines / sizeof *lines == MS_MEASURE_LINES, "MS_MEASURE_LINES counts them");

extern "C" const ms_measure_line *ms_measure_line_at(uint32_t index)
{
  return index < MS_MEASURE_LINES ? &lines[index] : NULL;
}

/* ---- logic ------------------------------------------------------------------------- */

enum { LOGIC_CHAINS = 16, LOGIC_STEPS = 8 };

/* All three operands vary, as in ms_spin_macs. */
static __global__ void __launch_bounds__(THREADS) logic(uint32_t rounds, uint32_t *out)
{
  uint32_t x[LOGIC_CHAINS], y[LOGIC_CHAINS], z[LOGIC_CHAINS], digest = 0;
#pragma unroll
  for (int i = 0; i < LOGIC_CHAINS; i++) {
    x[i] = ms_scramble(thread_of_grid(), 3 * i);
    y[i] = ms_scramble(thread_of_grid(), 3 * i + 1);
    z[i] = ms_scramble(thread_of_grid(), 3 * i + 2);
  }
#pragma unroll 1
  for (uint32_t r = 0; r < rounds; r++)
#pragma unroll
    for (int step = 0; step < LOGIC_STEPS; step++) {
#pragma unroll
      for (int i = 0; i < LOGIC_CHAINS; i++)
        x[i] ^= y[i] & z[i];
#pragma unroll
      for (int i = 0; i < LOGIC_CHAINS; i++)
        y[i] ^= z[i] & x[i];
#pragma unroll
      for (int i = 0; i < LOGIC_CHAINS; i++)
        z[i] ^= x[i] & y[i];
    }
#pragma unroll
  for (int i = 0; i < LOGIC_CHAINS; i++)
    digest ^= x[i] ^ y[i] ^ z[i];
  out[thread_of_grid()] = digest;
}

extern "C" const ms_measure_kernel *ms_measure_logic(void)
{
  static const ms_measure_kernel kernel = {(const void *)logic, THREADS,
                                           3 * LOGIC_CHAINS * LOGIC_STEPS};
  return &kernel;
}

/* ---- shared memory -------------------------------------------------------------------- */

static __device__ uint4 xor3(uint4 a, uint4 b, uint4 c)
{
  return make_uint4(a.x ^ b.x ^ c.x, a.y ^ b.y ^ c.y, a.z ^ b.z ^ c.z, a.w ^ b.w ^ c.w);
}

static __device__ uint32_t fold(uint4 a)
{
  return a.x ^ a.y ^ a.z ^ a.w;
}

enum { SHARED_READS = 8 };

/* A warp reads 512 consecutive bytes: no two lanes read from the same bank.  The start changes
 * from round to round, so that each round must read. */
static __global__ void __launch_bounds__(THREADS) shared_reads(uint32_t rounds, uint32_t *out)
{
  __shared__ uint4 buffer[(SHARED_READS + 1) * THREADS];
  for (uint32_t i = threadIdx.x; i < (SHARED_READS + 1) * THREADS; i += THREADS)
    buffer[i] =
        make_uint4(ms_scramble(i, 0), ms_scramble(i, 1), ms_scramble(i, 2), ms_scramble(i, 3));
  __syncthreads();
  uint4 sum = make_uint4(0, 0, 0, 0);
#pragma unroll 1
  for (uint32_t r = 0; r < rounds; r++) {
    const uint4 *at = buffer + (threadIdx.x + 32 * r) % THREADS;
    uint4 got[SHARED_READS];
#pragma unroll
    for (int i = 0; i < SHARED_READS; i++)
      got[i] = at[i * THREADS];
#pragma unroll
    for (int i = 0; i < SHARED_READS; i += 2)
      sum = xor3(sum, got[i], got[i + 1]);
  }
  out[thread_of_grid()] = fold(sum);
}

extern "C" const ms_measure_kernel *ms_measure_shared(void)
{
  static const ms_measure_kernel kernel = {(const void *)shared_reads, THREADS,
                                           SHARED_READS * sizeof(uint4)};
  return &kernel;
}

/* ---- memory ---------------------------------------------------------------------------- */

enum { ROW_PARTS = MS_ROW_BYTES / sizeof(uint4), ROW_READS = 8 };
static_assert(ROW_PARTS == 32, "a warp reads a row, each lane a part");

/* A linear congruential generator (Numerical Recipes), one for each warp, chooses the rows.  The
 * reads bypass the first-level cache, on which kernels cannot rely for rows that others write. */
static __global__ void __launch_bounds__(THREADS)
    row_reads(uint32_t rounds, uint32_t *out, const uint4 *memory, uint32_t rows)
{
  const uint4 *lane = memory + threadIdx.x % 32;
  uint32_t place = ms_scramble(thread_of_grid() / 32, rounds);
  uint4 sum = make_uint4(0, 0, 0, 0);
#pragma unroll 1
  for (uint32_t r = 0; r < rounds; r++) {
    uint4 got[ROW_READS];
#pragma unroll
    for (int i = 0; i < ROW_READS; i++) {
      place = place * 1664525u + 1013904223u;
      got[i] = __ldcg(lane + (uint64_t)__umulhi(place, rows) * ROW_PARTS);
    }
#pragma unroll
    for (int i = 0; i < ROW_READS; i += 2)
      sum = xor3(sum, got[i], got[i + 1]);
  }
  out[thread_of_grid()] = fold(sum);
}

extern "C" const ms_measure_kernel *ms_measure_rows(void)
{
  static const ms_measure_kernel kernel = {(const void *)row_reads, THREADS,
                                           ROW_READS * sizeof(uint4)};
  return &kernel;
}

enum { STREAM_READS = 4 };

static __device__ uint4 next(uint4 a)
{
  return make_uint4(a.x + 1, a.y + 1, a.z + 1, a.w + 1);
}

/* Works in place, as the sieve does on its private state. */
static __global__ void __launch_bounds__(THREADS)
    stream(uint32_t rounds, uint4 *memory, uint32_t rows)
{
  uint64_t count = (uint64_t)rows * ROW_PARTS, stride = (uint64_t)gridDim.x * THREADS;
#pragma unroll 1
  for (uint32_t r = 0; r < rounds; r++) {
    uint64_t i = thread_of_grid();
    for (; i + (STREAM_READS - 1) * stride < count; i += STREAM_READS * stride) {
      uint4 got[STREAM_READS];
#pragma unroll
      for (int j = 0; j < STREAM_READS; j++)
        got[j] = __ldcg(memory + i + j * stride);
#pragma unroll
      for (int j = 0; j < STREAM_READS; j++)
        __stcg(memory + i + j * stride, next(got[j]));
    }
    for (; i < count; i += stride)
      __stcg(memory + i, next(__ldcg(memory + i)));
  }
}

extern "C" const ms_measure_kernel *ms_measure_stream(void)
{
  static const ms_measure_kernel kernel = {(const void *)stream, THREADS, 2};
  return &kernel;
}

/* Fills with data that is not zero: zeros take less power to move. */
static __global__ void __launch_bounds__(THREADS) fill(uint32_t, uint4 *memory, uint32_t rows)
{
  uint64_t count = (uint64_t)rows * ROW_PARTS, stride = (uint64_t)gridDim.x * THREADS;
  for (uint64_t i = thread_of_grid(); i < count; i += stride)
    memory[i] = make_uint4(ms_scramble((uint32_t)i, 0), ms_scramble((uint32_t)i, 1),
                           ms_scramble((uint32_t)i, 2), ms_scramble((uint32_t)i, 3));
}

extern "C" const ms_measure_kernel *ms_measure_fill(void)
{
  static const ms_measure_kernel kernel = {(const void *)fill, THREADS, 0};
  return &kernel;
}
