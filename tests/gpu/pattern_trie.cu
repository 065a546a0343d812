/* What the kernels of the engine `trie` do, on the host, for
 * pattern_trie_cases.c. */
#define MS_TRIE_HOST
#define MS_TRIE_LONG_ROW 2u   /* so that short rows go both ways, */
#define MS_TRIE_MOST_FLAT 30u /* not all candidates are laid out at once, */
#define MS_TRIE_KEPT_ROOM 40u /* and not all sets fit */
#include "gpu/match/trie.cuh"
#include "tests/gpu/host_warp.h"
#include "tests/gpu/pattern_trie.h"

enum : uint32_t { END_MARK = 0x7a7a7a7a }; /* after a warp's fast memory */

struct trie_host {
  host_grid grid;
  const ms_trie_program *program;
  const ms_trie_memory *memory;
  const ms_trie_work *work;
  ms_trie_job job;
  const uint32_t *size;
  const ms_trie_hubs *hubs;
};

static void lane_body(void *user, host_group *group, uint32_t lane)
{
  trie_host *m = (trie_host *)user;
  host_warp w = {&m->grid, group, lane};
  uint32_t *end = w.words() + ms_trie_words(m->program, m->job);
  if (lane == 0)
    *end = END_MARK;
  trie_work(w, *m->program, *m->memory, *m->work, m->job);
  if (lane == 0 && *end != END_MARK) {
    std::printf("pattern_trie.cu: a warp writes beyond its fast memory\n");
    std::abort();
  }
}

/* One for all cases: fibers take a while to make. */
static trie_host *the_host()
{
  static trie_host host = {host_grid(0),   nullptr, nullptr, nullptr,
                           MS_TRIE_EXPAND, nullptr, nullptr};
  return &host;
}

extern "C" void trie_host_seed(uint64_t seed)
{
  the_host()->grid.state = seed;
}

extern "C" uint64_t trie_host_random(void)
{
  return the_host()->grid.next();
}

extern "C" void trie_host_work(const ms_trie_program *program, const ms_trie_memory *memory,
                               const ms_trie_work *work, ms_trie_job job, uint32_t warps)
{
  trie_host *m = the_host();
  m->program = program;
  m->memory = memory;
  m->work = work;
  m->job = job;
  m->grid.run(warps < (uint32_t)HOST_WARPS ? warps : (uint32_t)HOST_WARPS, lane_body, m);
}

static void terms_body(void *user, host_group *group, uint32_t lane)
{
  trie_host *m = (trie_host *)user;
  host_warp w = {&m->grid, group, lane};
  __int128 total = 0;
  if (m->program->falling > 0)
    trie_add_falling(w, *m->program, *m->memory, m->size[lane]);
  else
    trie_add_terms(w, *m->program, *m->memory, m->size + lane, &total);
  trie_add_sum(w, *m->memory, total);
}

extern "C" void trie_host_add_terms(const ms_trie_program *program, const ms_trie_memory *memory,
                                    const uint32_t *size)
{
  trie_host *m = the_host();
  m->program = program;
  m->memory = memory;
  m->size = size;
  m->grid.run(1, terms_body, m);
}

static void hubs_body(void *user, host_group *group, uint32_t lane)
{
  trie_host *m = (trie_host *)user;
  host_warp w = {&m->grid, group, lane};
  trie_make_hubs(w, *m->program, *m->hubs, 0, 1);
}

extern "C" void trie_host_hubs(const ms_trie_program *program, const ms_trie_hubs *hubs)
{
  trie_host *m = the_host();
  m->program = program;
  m->hubs = hubs;
  m->grid.run(1, hubs_body, m);
}

extern "C" void trie_host_root(const ms_trie_program *program, const ms_trie_memory *memory,
                               uint64_t i, uint64_t entry)
{
  trie_root(*program, *memory, i, entry);
}

extern "C" void trie_host_gather(const ms_trie_program *program, const ms_trie_memory *memory,
                                 uint64_t entry, uint32_t *rows, uint64_t room, uint64_t i)
{
  trie_gather(*program, *memory, entry, rows, room, i);
}
