/* The kernels of the engine `trie`, by the warps of trie_host.cc. */
#include "tests/gpu/emulated/fake_cuda.h"
#include "tests/gpu/emulated/trie_host.h"

#include <pthread.h>

enum { MOST_WARPS = 3 };

/* the warps are used by one thread at a time */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Runs some of the warps of the grid, with batches of some size; both are drawn at random. */
static void run_work(void **arguments, const fake_grid *grid, ms_trie_job job)
{
  const ms_trie_memory *memory = arguments[1];
  ms_trie_work work = *(const ms_trie_work *)arguments[2];
  uint32_t most = grid->blocks * (grid->threads / 32);
  pthread_mutex_lock(&lock);
  fake_launches++;
  if (fake_while_running)
    (void)fake_while_running();            /* kernels are short: the host checks between them */
  work.share = 1 + trie_host_random() % 4; /* of a kernel that finds its batch itself */
  work.batch = work.follows ? MS_TRIE_BATCH : 1 + (uint32_t)(trie_host_random() % MS_TRIE_BATCH);
  if (work.batch > memory->most_items)
    work.batch = (uint32_t)memory->most_items;
  uint64_t warps = 1 + trie_host_random() % MOST_WARPS, room = memory->most_items / work.batch;
  warps = warps < room ? warps : room;
  trie_host_work(arguments[0], memory, &work, job, (uint32_t)(warps < most ? warps : most));
  pthread_mutex_unlock(&lock);
}

static void run_expand(void **arguments, const fake_grid *grid)
{
  run_work(arguments, grid, MS_TRIE_EXPAND);
}

static void run_count(void **arguments, const fake_grid *grid)
{
  run_work(arguments, grid, MS_TRIE_COUNT);
}

static void run_tail(void **arguments, const fake_grid *grid)
{
  run_work(arguments, grid, MS_TRIE_TAIL);
}

static void run_hubs(void **arguments, const fake_grid *grid)
{
  (void)grid;
  pthread_mutex_lock(&lock);
  trie_host_hubs(arguments[0], arguments[1]);
  pthread_mutex_unlock(&lock);
}

static void run_roots(void **arguments, const fake_grid *grid)
{
  uint64_t first = *(const uint64_t *)arguments[2], count = *(const uint64_t *)arguments[3];
  (void)grid;
  for (uint64_t i = 0; i < count; i++)
    trie_host_root(arguments[0], arguments[1], first + i, i);
}

static void run_gather(void **arguments, const fake_grid *grid)
{
  uint64_t first = *(const uint64_t *)arguments[2], count = *(const uint64_t *)arguments[3];
  uint32_t *rows = *(uint32_t **)arguments[4];
  uint64_t room = *(const uint64_t *)arguments[5];
  (void)grid;
  for (uint64_t i = 0; i < count; i++)
    trie_host_gather(arguments[0], arguments[1], first + i, rows, room, i);
}

const void *ms_trie_function(uint32_t kernel)
{
  static const fake_kernel kernels[] = {{run_expand, 256}, {run_count, 256}, {run_tail, 256},
                                        {run_hubs, 256},   {run_roots, 256}, {run_gather, 256}};
  return &kernels[kernel];
}
