/* Warps on the host: 32 lanes that are fibers of one thread and wait for each
 * other where a GPU's would.  Which warp goes on next, and which of its lanes is
 * first, is drawn at random; lanes that do not meet at the same place, or leave
 * early, end the test. */
#ifndef MS_TESTS_GPU_HOST_WARP_H
#define MS_TESTS_GPU_HOST_WARP_H

#include <csetjmp>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ucontext.h>
#include <vector>

enum { HOST_LANES = 32, HOST_WARPS = 4, HOST_STACK = 64 << 10, HOST_WORDS = 32 * 104 + 512 };
enum host_place { HOST_BALLOT, HOST_FROM, HOST_SWAP, HOST_SYNC, HOST_DONE };

struct host_group {
  uint64_t given[HOST_LANES], seen[HOST_LANES];
  host_place place[HOST_LANES];
  uint32_t words[HOST_WORDS];
};

class host_grid
{
public:
  uint64_t state; /* of the random numbers */

  explicit host_grid(uint64_t seed) : state(seed)
  {
  }
  ~host_grid()
  {
    for (fiber &f : fibers)
      std::free(f.stack);
  }
  /* body(user, warp, lane) by all lanes of the warps. */
  void run(uint32_t warps, void (*lane_body)(void *, host_group *, uint32_t), void *lane_user)
  {
    body = lane_body;
    user = lane_user;
    make_fibers();
    std::vector<uint32_t> left;
    for (uint32_t w = 0; w < warps; w++)
      left.push_back(w);
    while (!left.empty()) {
      uint32_t i = (uint32_t)(next() % left.size());
      if (!advance(left[i]))
        left.erase(left.begin() + i);
    }
  }
  /* A lane waits for those of its warp. */
  void meet(host_group *g, uint32_t lane, host_place place, uint64_t value)
  {
    g->given[lane] = value;
    g->place[lane] = place;
    if (!_setjmp(fibers[current].env))
      _longjmp(scheduler, 1);
  }
  uint64_t next()
  {
    state += 0x9e3779b97f4a7c15;
    uint64_t z = (state ^ state >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
  }

private:
  struct fiber {
    ucontext_t context;
    jmp_buf env;
    void *stack;
    bool begun;
  };
  std::vector<fiber> fibers;
  host_group groups[HOST_WARPS];
  jmp_buf scheduler;
  ucontext_t unused;
  uint32_t current = 0;
  void (*body)(void *, host_group *, uint32_t) = nullptr;
  void *user = nullptr;

  static void enter(uint32_t high, uint32_t low)
  {
    host_grid *grid = (host_grid *)(uintptr_t)((uint64_t)high << 32 | low);
    for (;;) {
      host_group *g = &grid->groups[grid->current / HOST_LANES];
      uint32_t lane = grid->current % HOST_LANES;
      grid->body(grid->user, g, lane);
      grid->meet(g, lane, HOST_DONE, 0);
    }
  }
  void make_fibers()
  {
    if (!fibers.empty())
      return;
    fibers.resize(HOST_WARPS * HOST_LANES);
    for (fiber &f : fibers) {
      f.stack = std::malloc(HOST_STACK);
      f.begun = false;
      getcontext(&f.context);
      f.context.uc_stack.ss_sp = f.stack;
      f.context.uc_stack.ss_size = HOST_STACK;
      f.context.uc_link = nullptr;
      uint64_t self = (uint64_t)(uintptr_t)this;
      makecontext(&f.context, (void (*)())enter, 2, (uint32_t)(self >> 32), (uint32_t)self);
    }
  }
  void resume(uint32_t f)
  {
    current = f;
    if (_setjmp(scheduler))
      return;
    if (fibers[f].begun)
      _longjmp(fibers[f].env, 1);
    fibers[f].begun = true;
    setcontext(&fibers[f].context);
  }
  /* All lanes up to where they meet.  False: they are done. */
  bool advance(uint32_t w)
  {
    host_group *g = &groups[w];
    uint32_t first = (uint32_t)(next() % HOST_LANES),
             turn = (uint32_t)(next() % 2) ? 1 : HOST_LANES - 1;
    for (uint32_t i = 0; i < HOST_LANES; i++)
      resume(w * HOST_LANES + (first + i * turn) % HOST_LANES);
    for (uint32_t i = 1; i < HOST_LANES; i++)
      if (g->place[i] != g->place[0]) {
        std::printf("lanes of a warp do not meet: %d, %d\n", (int)g->place[0], (int)g->place[i]);
        std::fflush(stdout);
        std::abort();
      }
    std::memcpy(g->seen, g->given, sizeof g->seen);
    return g->place[0] != HOST_DONE;
  }
};

/* What gpu/match/trie.cuh asks of a warp. */
struct host_warp {
  host_grid *grid;
  host_group *group;
  uint32_t me;

  uint32_t lane() const
  {
    return me;
  }
  uint32_t *words()
  {
    return group->words;
  }
  uint32_t ballot(bool x)
  {
    uint32_t all = 0;
    grid->meet(group, me, HOST_BALLOT, x);
    for (uint32_t i = 0; i < HOST_LANES; i++)
      all |= (uint32_t)group->seen[i] << i;
    return all;
  }
  bool any(bool x)
  {
    return ballot(x) != 0;
  }
  template <class T> T from(T x, uint32_t lane)
  {
    return shared(x, HOST_FROM, lane);
  }
  template <class T> T swap(T x, uint32_t apart)
  {
    return shared(x, HOST_SWAP, me ^ apart);
  }
  void sync()
  {
    grid->meet(group, me, HOST_SYNC, 0);
  }
  uint64_t read(const uint64_t *x)
  {
    return *x;
  }
  void unite(uint32_t *x, uint32_t bits)
  {
    *x |= bits;
  }
  template <class T> T add(T *x, uint64_t y)
  {
    T before = *x;
    *x = (T)(before + y);
    return before;
  }

private:
  template <class T> T shared(T x, host_place place, uint32_t lane)
  {
    uint64_t bits = 0;
    std::memcpy(&bits, &x, sizeof x);
    grid->meet(group, me, place, bits);
    std::memcpy(&x, &group->seen[lane], sizeof x);
    return x;
  }
};

#endif
