/* The kernels of sessions, emulated: what gpu/motif/session.cu does on a GPU. */
#include "tests/gpu/emulated/fake_cuda.h"

#include "tests/gpu/emulated/emulate.h"

/* so that short rows go both ways */
#define MS_SESSION_LONG_ROW 3u
#define MS_SESSION_BISECTED 2u
#include "gpu/motif/session.cuh"

#include <mutex>

static std::mutex one_at_a_time;
static ms_session_batch given;
static uint32_t given_number;

template <void (*KERNEL)(const ms_session_batch &)> static void body(uint32_t)
{
  KERNEL(given);
}

static void pass_body(uint32_t)
{
  session_pass(given, given_number);
}

/* Runs the kernel with few warps, whose number is drawn at random: nothing depends on it. */
static void launch(void **arguments, const fake_grid *grid, void (*kernel)(uint32_t))
{
  unsigned int stop = 0;
  given = *(const ms_session_batch *)arguments[0];
  uint32_t places = grid->blocks / given.blocks;
  given.blocks = 1 + (uint32_t)(emulated_seed % 2);
  given.block_warps = 1 + (uint32_t)(emulated_seed / 2 % 2);
  const fake_grid small = {places * given.blocks, 32 * given.block_warps, 0};
  emulated_launch(&small, &stop, kernel);
}

template <void (*KERNEL)(const ms_session_batch &)>
static void run(void **arguments, const fake_grid *grid)
{
  std::lock_guard<std::mutex> guard(one_at_a_time);
  launch(arguments, grid, body<KERNEL>);
}

static void run_pass(void **arguments, const fake_grid *grid)
{
  std::lock_guard<std::mutex> guard(one_at_a_time);
  given_number = *(const uint32_t *)arguments[1];
  launch(arguments, grid, pass_body);
}

extern "C" const void *ms_session_function(ms_session_kernel kernel)
{
  static const fake_kernel kernels[] = {{run<session_mask>, MS_SESSION_THREADS},
                                        {run<session_number>, MS_SESSION_THREADS},
                                        {run<session_rows>, MS_SESSION_THREADS},
                                        {run_pass, MS_SESSION_THREADS},
                                        {run<session_filter>, MS_SESSION_THREADS},
                                        {run<session_search<true>>, MS_SESSION_THREADS},
                                        {run<session_search<false>>, MS_SESSION_THREADS},
                                        {run<session_report>, MS_SESSION_THREADS}};
  return &kernels[kernel];
}
