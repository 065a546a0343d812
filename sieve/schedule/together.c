/* Blocks on which all threads work together (sieve/schedule/together.h). */
#include "sieve/schedule/together.h"

#include "base/threads/parallel.h"
#include "sieve/moments.h"
#include "sieve/pass.h"

#include <string.h>

typedef struct team_run {
  const ms_sieve_together *t;
  ms_sieve_team team;
} team_run;

/* Sets the constants of block i in a phase. */
static void set_constants(const ms_sieve_together *t, ms_sieve_member *m, uint64_t i)
{
  uint32_t part;
  while (ms_team_take(m, MS_TEAM_PARTS, &part)) {
    uint64_t from = ms_team_begin(t->shape->places, MS_TEAM_PARTS, part),
             to = ms_team_begin(t->shape->places, MS_TEAM_PARTS, part + 1);
    if (i == t->first)
      ms_sieve_block_init(t->shape, t->pass, ms_sieve_gray(i), from, to, t->scratch);
    else
      ms_sieve_block_flip(t->shape, t->pass, (uint32_t)__builtin_ctzll(i), ms_sieve_gray(i), from,
                          to, t->scratch);
    ms_team_done(m, MS_TEAM_PARTS);
  }
}

/* Adds the moments of all blocks to q in a phase, and clears them in the next one. */
static void end_moments(const ms_sieve_together *t, ms_sieve_member *m)
{
  const ms_sieve_shape *shape = t->shape;
  uint8_t *moment = t->scratch->moment;
  uint32_t part;
  for (uint32_t clears = 0; clears < 2; clears++)
    while (ms_team_take(m, MS_TEAM_PARTS, &part)) {
      uint32_t from = (uint32_t)ms_team_begin(shape->places, MS_TEAM_PARTS, part),
               to = (uint32_t)ms_team_begin(shape->places, MS_TEAM_PARTS, part + 1);
      ms_status status = MS_OK;
      if (clears)
        memset(moment + (size_t)from * shape->row, 0, (size_t)(to - from) * shape->row);
      else
        status = ms_sieve_moments_add(shape, t->pass, from, to, moment, t->q);
      if (status != MS_OK)
        ms_team_stop(m, status);
      ms_team_done(m, MS_TEAM_PARTS);
    }
}

static void run_member(void *user, int thread)
{
  team_run *r = user;
  const ms_sieve_together *t = r->t;
  ms_sieve_member member = {.team = &r->team, .thread = thread, .phase = 1};
  ms_sieve_scratch scratch = *t->scratch;
  uint32_t part;
  scratch.member = &member;
  for (uint64_t i = t->first; i < t->last; i++) {
    set_constants(t, &member, i);
    if (!t->run(t->shape, t->pass, &scratch, ms_sieve_gray(i), t->q))
      return;
    while (ms_team_take(&member, 1, &part)) { /* one of them says that the block is done */
      if (t->config->blocks_done)
        t->config->blocks_done(t->config->block_user, thread, 1);
      ms_team_done(&member, 1);
    }
  }
  end_moments(t, &member);
}

ms_status ms_sieve_run_together(const ms_sieve_together *together, int threads)
{
  team_run r = {.t = together};
  ms_team_init(&r.team, threads);
  ms_parallel_team(threads, run_member, &r);
  ms_status status = (ms_status)atomic_load(&r.team.stopped);
  ms_team_free(&r.team);
  if (status != MS_OK)
    memset(together->scratch->moment, 0, ms_sieve_moments_bytes(together->shape));
  return status;
}
