/* Kernels on a host: each lane is a fiber with its own stack, and one of them runs at a time,
 * until all lanes of its warp (or block) have to meet.  The next lane is drawn at random, so
 * that a missing barrier shows: the code between two meetings of a warp runs in any order.
 * Lanes that meet at different places, or that wait for a lane that has ended, abort the test.
 * Defines what gpu/common/warp.cuh does on a GPU; after fake_cuda.h also launches. */
#ifndef MS_TESTS_GPU_EMULATED_EMULATE_H
#define MS_TESTS_GPU_EMULATED_EMULATE_H

/* the checked longjmp treats a jump to another stack as an error */
#undef _FORTIFY_SOURCE

#include <csetjmp>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <ucontext.h>

#define MS_EMULATED
#define MS_DEVICE static inline
#define MS_DEVICE_MEMBER static inline
#define MS_LANES (emulated_lanes + 0u)
#define MS_EXPECT(condition) ((condition) ? (void)0 : emulated_fail("not so: " #condition))

static uint32_t emulated_lanes = 32; /* of a warp, 1 to 32 */
static uint64_t emulated_state = 1;  /* of the order of lanes */

[[noreturn]] static void emulated_fail(const char *what)
{
  std::fprintf(stderr, "emulate.h: %s\n", what);
  std::abort();
}

enum emulated_kind { MEET_SYNC, MEET_BALLOT, MEET_SHUFFLE, MEET_BLOCK };

struct emulated_lane;

/* A group of lanes that meet: a warp, or a whole block. */
typedef struct emulated_group {
  uint32_t lanes;
  emulated_kind kind;
  std::vector<emulated_lane *> waiting;
  uint64_t given[32], result[32]; /* of a warp */
} emulated_group;

typedef struct emulated_lane {
  jmp_buf place; /* where the lane continues */
  ucontext_t begin;
  bool begun;
  uint32_t block, warp, lane;
  emulated_group *own_warp, *own_block;
} emulated_lane;

static emulated_lane *emulated_now;
static jmp_buf emulated_scheduler;
static std::vector<emulated_lane *> emulated_ready; /* lanes that can continue */
static void (*emulated_body)(uint32_t block);
static void (*emulated_tick)(); /* called each time this many lanes have continued; NULL: never */
static uint32_t emulated_steps;
enum { EMULATED_TICK = 2000 };

static uint32_t emulated_below(uint32_t limit)
{
  emulated_state = emulated_state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)((emulated_state >> 33) % limit);
}

/* The last lane that comes lets all lanes continue, and continues at once itself. */
static void emulated_meet(emulated_group *group, emulated_kind kind)
{
  if (!group->waiting.empty() && group->kind != kind)
    emulated_fail("lanes of a warp meet at different places");
  group->kind = kind;
  if (group->waiting.size() + 1 == group->lanes) {
    for (int i = 0; i < 32; i++)
      group->result[i] = group->given[i];
    emulated_ready.insert(emulated_ready.end(), group->waiting.begin(), group->waiting.end());
    group->waiting.clear();
    return;
  }
  emulated_lane *me = emulated_now;
  group->waiting.push_back(me);
  if (_setjmp(me->place) == 0)
    _longjmp(emulated_scheduler, 1);
}

static uint64_t emulated_exchange(emulated_kind kind, uint64_t given, uint32_t from)
{
  emulated_lane *me = emulated_now;
  me->own_warp->given[me->lane] = given;
  emulated_meet(me->own_warp, kind);
  return me->own_warp->result[from];
}

static void emulated_start()
{
  emulated_body(emulated_now->block);
  _longjmp(emulated_scheduler, 2);
}

/* Runs the ready lanes, drawn at random, until none is left.  Returns how many have ended. */
static uint32_t emulated_schedule()
{
  static uint32_t ended; /* not in a register: it outlives jumps */
  ended = 0;
  if (_setjmp(emulated_scheduler) == 2)
    ended++;
  if (emulated_ready.empty())
    return ended;
  if (emulated_tick && ++emulated_steps % EMULATED_TICK == 0)
    emulated_tick();
  uint32_t i = emulated_below((uint32_t)emulated_ready.size());
  emulated_now = emulated_ready[i];
  emulated_ready[i] = emulated_ready.back();
  emulated_ready.pop_back();
  if (emulated_now->begun)
    _longjmp(emulated_now->place, 1);
  emulated_now->begun = true;
  setcontext(&emulated_now->begin);
  emulated_fail("a lane cannot begin");
}

/* Runs body(block) in all lanes of all blocks at the same time. */
static void emulated_run(uint32_t blocks, uint32_t warps, void (*body)(uint32_t block))
{
  enum { STACK = 64 << 10 };
  static std::vector<void *> stacks;
  uint32_t count = blocks * warps * emulated_lanes;
  std::vector<emulated_lane> lanes(count);
  std::vector<emulated_group> of_warp(blocks * warps), of_block(blocks);
  emulated_body = body;
  for (auto &g : of_warp)
    g.lanes = emulated_lanes;
  for (auto &g : of_block)
    g.lanes = emulated_lanes * warps;
  while (stacks.size() < count)
    stacks.push_back(std::malloc(STACK));
  for (uint32_t i = 0; i < count; i++) {
    emulated_lane &l = lanes[i];
    l.lane = i % emulated_lanes;
    l.warp = i / emulated_lanes % warps;
    l.block = i / emulated_lanes / warps;
    l.own_warp = &of_warp[i / emulated_lanes];
    l.own_block = &of_block[l.block];
    getcontext(&l.begin);
    l.begin.uc_stack.ss_sp = stacks[i];
    l.begin.uc_stack.ss_size = STACK;
    l.begin.uc_link = NULL;
    makecontext(&l.begin, emulated_start, 0);
    emulated_ready.push_back(&l);
  }
  if (emulated_schedule() != count)
    emulated_fail("lanes wait for ever");
}

/* ---- the functions of gpu/common/warp.cuh ------------------------------------------ */

MS_DEVICE uint32_t ms_lane()
{
  return emulated_now->lane;
}

MS_DEVICE uint32_t ms_warp()
{
  return emulated_now->warp;
}

MS_DEVICE uint32_t ms_block()
{
  return emulated_now->block;
}

MS_DEVICE unsigned long long ms_nanoseconds()
{
  static unsigned long long now;
  return now += 1000;
}

MS_DEVICE void ms_sync_warp()
{
  emulated_meet(emulated_now->own_warp, MEET_SYNC);
}

MS_DEVICE void ms_sync_block()
{
  emulated_meet(emulated_now->own_block, MEET_BLOCK);
}

MS_DEVICE uint32_t ms_ballot(bool mine)
{
  uint32_t mask = 0;
  emulated_group *group = emulated_now->own_warp;
  (void)emulated_exchange(MEET_BALLOT, mine, 0);
  for (uint32_t i = 0; i < emulated_lanes; i++)
    mask |= (uint32_t)group->result[i] << i;
  return mask;
}

MS_DEVICE bool ms_any(bool mine)
{
  return ms_ballot(mine) != 0;
}

MS_DEVICE uint32_t ms_of_lane(uint32_t x, uint32_t lane)
{
  return (uint32_t)emulated_exchange(MEET_SHUFFLE, x, lane);
}

MS_DEVICE unsigned long long ms_of_lane(unsigned long long x, uint32_t lane)
{
  return emulated_exchange(MEET_SHUFFLE, x, lane);
}

MS_DEVICE unsigned long long ms_swap(unsigned long long x, uint32_t bits)
{
  return emulated_exchange(MEET_SHUFFLE, x, ms_lane() ^ bits);
}

template <typename number> MS_DEVICE number emulated_add(number *at, number x)
{
  number before = *at;
  *at += x;
  return before;
}

MS_DEVICE uint32_t ms_add(uint32_t *at, uint32_t x)
{
  return emulated_add(at, x);
}

MS_DEVICE unsigned long long ms_add(unsigned long long *at, unsigned long long x)
{
  return emulated_add(at, x);
}

MS_DEVICE uint32_t ms_exchange(uint32_t *at, uint32_t old, uint32_t x)
{
  uint32_t before = *at;
  *at = before == old ? x : before;
  return before;
}

MS_DEVICE unsigned long long ms_exchange(unsigned long long *at, unsigned long long old,
                                         unsigned long long x)
{
  unsigned long long before = *at;
  *at = before == old ? x : before;
  return before;
}

MS_DEVICE uint32_t ms_or(uint32_t *at, uint32_t x)
{
  uint32_t before = *at;
  *at |= x;
  return before;
}

MS_DEVICE uint32_t ms_max(uint32_t *at, uint32_t x)
{
  uint32_t before = *at;
  *at = x > before ? x : before;
  return before;
}

template <typename number> MS_DEVICE number ms_peek(const number *at)
{
  return *at;
}

MS_DEVICE uint32_t ms_count_bits(uint32_t x)
{
  return (uint32_t)__builtin_popcount(x);
}

MS_DEVICE uint32_t ms_lowest(uint32_t x)
{
  return (uint32_t)__builtin_ctz(x);
}

MS_DEVICE uint32_t ms_lowest(uint64_t x)
{
  return (uint32_t)__builtin_ctzll(x);
}

MS_DEVICE uint32_t ms_bit_length(uint32_t x)
{
  return x ? 32 - (uint32_t)__builtin_clz(x) : 0;
}

/* ---- launches ------------------------------------------------------------------------- */

#ifdef MS_TESTS_GPU_EMULATED_FAKE_CUDA_H
static std::vector<std::vector<uint64_t>> emulated_shared; /* of the blocks */
static unsigned int *emulated_stop;

/* Does what the host does on another stream while a kernel runs on a GPU. */
static void emulated_host()
{
  if (fake_while_running && fake_while_running())
    *emulated_stop = 1;
}

/* Runs body(block) as a grid, one grid at a time; the host writes to `stop` to end it. */
static void emulated_launch(const fake_grid *grid, unsigned int *stop, void (*body)(uint32_t))
{
  emulated_stop = stop;
  emulated_lanes = emulated_width;
  emulated_state = emulated_seed++;
  emulated_tick = emulated_host;
  fake_launches++;
  /* exactly this many bytes, which are not zero */
  emulated_shared.assign(grid->blocks,
                         std::vector<uint64_t>((grid->shared_bytes + 7) / 8, 0x5a5a5a5a5a5a5a5a));
  emulated_run(grid->blocks, grid->threads / 32, body);
}

MS_DEVICE uint8_t *emulated_shared_memory()
{
  return (uint8_t *)emulated_shared[ms_block()].data();
}
#endif

#endif
