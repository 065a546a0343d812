/* The kernels of the engine for colour motifs, emulated: what gpu/motif/sets.cu and list.cu do on a
 * GPU. With fewer lanes, each has more words. */
#include "tests/gpu/emulated/fake_cuda.h"

#include "tests/gpu/emulated/emulate.h"

#define MS_MOTIF_GROUP_ROW 5u /* so that rows go both ways */
#include "gpu/motif/list_lists.cuh"

#include <mutex>

static std::mutex one_at_a_time;
static ms_motif_launch launched;
static uint32_t warps;

template <uint32_t W, bool TAKES> static void rows_body(uint32_t)
{
  ms_motif_rows<W, TAKES>(launched, warps, emulated_shared_memory());
}

template <bool TAKES> static void lists_body(uint32_t)
{
  ms_motif_roots<TAKES>(launched, emulated_shared_memory());
}

template <uint32_t W> static void list_rows_body(uint32_t)
{
  ms_motif_list_rows<W>(launched, warps, emulated_shared_memory());
}

static void list_lists_body(uint32_t)
{
  ms_motif_list_roots(launched, emulated_shared_memory());
}

enum { COUNTS, TAKES, LISTS };

template <uint32_t W> static void (*rows_body_of(int what))(uint32_t)
{
  return what == COUNTS  ? rows_body<W, false>
         : what == TAKES ? rows_body<W, true>
                         : list_rows_body<W>;
}

template <int WHAT> static void (*rows_of(uint32_t width))(uint32_t)
{
  switch (width) {
  case 1:
    return rows_body_of<1>(WHAT);
  case 2:
    return rows_body_of<2>(WHAT);
  case 3:
    return rows_body_of<3>(WHAT);
  case 4:
    return rows_body_of<4>(WHAT);
  case 8:
    return rows_body_of<8>(WHAT);
  default:
    return NULL;
  }
}

static void (*lists_of(int what))(uint32_t)
{
  return what == COUNTS ? lists_body<false> : what == TAKES ? lists_body<true> : list_lists_body;
}

template <bool IN_LISTS, int WHAT> static void run(void **arguments, const fake_grid *grid)
{
  std::lock_guard<std::mutex> guard(one_at_a_time);
  uint32_t width = emulated_width;
  launched = *(const ms_motif_launch *)arguments[0];
  warps = grid->threads / 32;
  void (*body)(uint32_t) = IN_LISTS ? lists_of(WHAT) : rows_of<WHAT>(launched.stride / width);
  if (!body) {
    emulated_width = 32;
    body = rows_of<WHAT>(launched.stride / 32);
  }
  emulated_launch(grid, &launched.queue->stop, body);
  emulated_width = width;
}

static bool has_kernel(uint32_t width)
{
  return width <= 4 || width == 8;
}

extern "C" const void *ms_motif_function(uint32_t width, bool takes)
{
  static const fake_kernel kernels[] = {{run<true, COUNTS>, 256},
                                        {run<true, TAKES>, 256},
                                        {run<false, COUNTS>, 256},
                                        {run<false, TAKES>, 256}};
  return has_kernel(width) ? &kernels[(width > 0) * 2 + takes] : NULL;
}

extern "C" const void *ms_motif_list_function(uint32_t width)
{
  static const fake_kernel kernels[] = {{run<true, LISTS>, 256}, {run<false, LISTS>, 256}};
  return has_kernel(width) ? &kernels[width > 0] : NULL;
}
