/* Phases of the work that threads do together (sieve/team.h). */
#include "sieve/team.h"

/* Looks at the ticket before a member sleeps, some ten microseconds: the parts of a phase end
 * nearly together if each member has a processor. */
#define LOOKS 500

#if defined(__x86_64__)
#define RELAX() __builtin_ia32_pause()
#else
#define RELAX() ((void)0)
#endif

void ms_team_init(ms_sieve_team *t)
{
  atomic_init(&t->ticket, 0);
  atomic_init(&t->done, 0);
  atomic_init(&t->waiting, 0);
  atomic_init(&t->stopped, MS_OK);
  for (uint32_t i = 0; i < MS_TEAM_PARTS; i++)
    atomic_init(&t->found[i], 0);
  pthread_mutex_init(&t->lock, NULL);
  pthread_cond_init(&t->next, NULL);
}

void ms_team_free(ms_sieve_team *t)
{
  pthread_cond_destroy(&t->next);
  pthread_mutex_destroy(&t->lock);
}

static bool is_over(ms_sieve_team *t, uint32_t phase)
{
  return (uint32_t)(atomic_load(&t->ticket) >> 32) != phase;
}

/* Returns when the phase is over.  All its parts are taken. */
static void wait_for_next(ms_sieve_team *t, uint32_t phase)
{
  for (int i = 0; i < LOOKS; i++) {
    if (is_over(t, phase))
      return;
    RELAX();
  }
  pthread_mutex_lock(&t->lock);
  atomic_fetch_add(&t->waiting, 1);
  while (!is_over(t, phase))
    pthread_cond_wait(&t->next, &t->lock);
  atomic_fetch_sub(&t->waiting, 1);
  pthread_mutex_unlock(&t->lock);
}

bool ms_team_take(ms_sieve_member *m, uint32_t parts, uint32_t *part)
{
  ms_sieve_team *t = m->team;
  uint64_t seen = atomic_load(&t->ticket);
  while ((uint32_t)(seen >> 32) == m->phase) {
    if ((uint32_t)seen >= parts) {
      wait_for_next(t, m->phase);
      break;
    }
    if (atomic_compare_exchange_weak(&t->ticket, &seen, seen + 1)) {
      *part = (uint32_t)seen;
      return true;
    }
  }
  m->phase++;
  return false;
}

void ms_team_done(ms_sieve_member *m, uint32_t parts)
{
  ms_sieve_team *t = m->team;
  if (atomic_fetch_add(&t->done, 1) + 1 < parts)
    return;
  atomic_store(&t->done, 0);
  atomic_store(&t->ticket, (uint64_t)(m->phase + 1) << 32);
  /* one that has not said yet that it sleeps finds the new ticket before it does */
  if (atomic_load(&t->waiting) == 0)
    return;
  pthread_mutex_lock(&t->lock);
  pthread_cond_broadcast(&t->next);
  pthread_mutex_unlock(&t->lock);
}

bool ms_team_stopped(const ms_sieve_member *m, const ms_stop *stop)
{
  ms_status status = ms_stop_check(stop);
  if (status != MS_OK)
    ms_team_stop(m, status);
  return atomic_load(&m->team->stopped) != MS_OK;
}

void ms_team_stop(const ms_sieve_member *m, ms_status status)
{
  atomic_store(&m->team->stopped, (int)status);
}
