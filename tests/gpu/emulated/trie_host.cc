/* The kernels of the engine `trie`, emulated, for trie.c and launch_trie.c. */
#include "tests/gpu/emulated/emulate.h"

#define MS_CONJUNCTION_LONG_ROW 2u /* so that short rows are tested both ways, */
#define MS_TRIE_MOST_FLAT 30u      /* not all candidates are laid out at once, */
#define MS_TRIE_KEPT_ROOM 40u      /* and not all sets fit */
#include "gpu/match/trie/trie.cuh"
#include "tests/gpu/emulated/trie_host.h"

enum : uint32_t { END_MARK = 0x7a7a7a7a }; /* after a warp's fast memory */

static const ms_conjunction_program *program;
static const ms_trie_memory *memory;
static const ms_trie_work *given;
static ms_trie_job given_job;
static const ms_trie_hubs *given_hubs;
static const uint32_t *given_size;
static uint32_t warp_words;
static std::vector<uint32_t> fast;
static uint64_t random_state;

extern "C" void trie_host_seed(uint64_t seed)
{
  random_state = seed;
  emulated_state = seed;
}

extern "C" uint64_t trie_host_random(void)
{
  random_state += 0x9e3779b97f4a7c15;
  uint64_t z = (random_state ^ random_state >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}

static void work_body(uint32_t)
{
  trie_work(fast.data() + ms_warp() * warp_words, *program, *memory, *given, given_job, ms_warp());
}

extern "C" void trie_host_work(const ms_conjunction_program *of, const ms_trie_memory *in,
                               const ms_trie_work *work, ms_trie_job job, uint32_t warps)
{
  program = of;
  memory = in;
  ms_trie_work own = *work;
  own.warps = warps;
  given = &own;
  given_job = job;
  warp_words = ms_trie_words(of, job) + 2; /* so that 64-bit words stay aligned */
  fast.assign(warps * warp_words, END_MARK);
  emulated_run(1, warps, work_body);
  for (uint32_t w = 1; w <= warps; w++)
    if (fast[w * warp_words - 1] != END_MARK)
      emulated_fail("a warp writes beyond its fast memory");
}

static void terms_body(uint32_t)
{
  __int128 total = 0;
  if (program->falling > 0)
    trie_add_falling(*program, *memory, given_size[ms_lane()]);
  else
    trie_add_terms(*program, *memory, given_size + ms_lane(), &total);
  trie_add_sum(*memory, total);
}

extern "C" void trie_host_add_terms(const ms_conjunction_program *of, const ms_trie_memory *in,
                                    const uint32_t *size)
{
  program = of;
  memory = in;
  given_size = size;
  emulated_run(1, 1, terms_body);
}

static void hubs_body(uint32_t)
{
  trie_make_hubs(*program, *given_hubs, 0, 1);
}

extern "C" void trie_host_hubs(const ms_conjunction_program *of, const ms_trie_hubs *hubs)
{
  program = of;
  given_hubs = hubs;
  emulated_run(1, 1, hubs_body);
}

extern "C" void trie_host_root(const ms_conjunction_program *of, const ms_trie_memory *in,
                               uint64_t i, uint64_t entry)
{
  trie_root(*of, *in, i, entry);
}

extern "C" void trie_host_gather(const ms_conjunction_program *of, const ms_trie_memory *in,
                                 uint64_t entry, uint32_t *rows, uint64_t room, uint64_t i)
{
  trie_gather(*of, *in, entry, rows, room, i);
}
