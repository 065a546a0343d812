/* Phases of the work that threads do together (sieve/schedule/team.h). */
#include "sieve/schedule/team.h"

/* Looks at the phase before a member sleeps, some ten microseconds: the parts of a phase end
 * nearly together if each member has a processor. */
#define LOOKS 500

#if defined(__x86_64__)
#define RELAX() __builtin_ia32_pause()
#else
#define RELAX() ((void)0)
#endif

void ms_team_init(ms_sieve_team *t, int threads)
{
  t->threads = threads;
  atomic_init(&t->phase, 1);
  atomic_init(&t->done, 0);
  atomic_init(&t->waiting, 0);
  atomic_init(&t->stopped, MS_OK);
  for (uint32_t i = 0; i < MS_TEAM_PARTS; i++)
    atomic_init(&t->found[i], 0);
  for (uint32_t i = 0; i < MS_TEAM_MOST_PARTS; i++)
    atomic_init(&t->taken[i], 0);
  pthread_mutex_init(&t->lock, NULL);
  pthread_cond_init(&t->next, NULL);
}

void ms_team_free(ms_sieve_team *t)
{
  pthread_cond_destroy(&t->next);
  pthread_mutex_destroy(&t->lock);
}

/* Returns when the phase is over.  All its parts are taken. */
static void wait_for_next(ms_sieve_team *t, uint32_t phase)
{
  for (int i = 0; i < LOOKS; i++) {
    if (atomic_load(&t->phase) != phase)
      return;
    RELAX();
  }
  pthread_mutex_lock(&t->lock);
  atomic_fetch_add(&t->waiting, 1);
  while (atomic_load(&t->phase) == phase)
    pthread_cond_wait(&t->next, &t->lock);
  atomic_fetch_sub(&t->waiting, 1);
  pthread_mutex_unlock(&t->lock);
}

/* Takes a part unless it is taken in this phase, or in a later one. */
static bool take(ms_sieve_team *t, uint32_t phase, uint32_t part)
{
  uint32_t last = atomic_load_explicit(&t->taken[part], memory_order_relaxed);
  while ((int32_t)(phase - last) > 0) /* a late member may set the number of an earlier phase */
    if (atomic_compare_exchange_weak(&t->taken[part], &last, phase))
      return true;
  return false;
}

bool ms_team_take(ms_sieve_member *m, uint32_t parts, uint32_t *part)
{
  ms_sieve_team *t = m->team;
  uint32_t first = (uint32_t)((uint64_t)parts * (uint32_t)m->thread / (uint32_t)t->threads);
  for (uint32_t i = 0; i < parts && atomic_load(&t->phase) == m->phase; i++) {
    *part = first + i < parts ? first + i : first + i - parts;
    if (!take(t, m->phase, *part))
      continue;
    /* A member that comes late may take a part that its phase did not have.  The phase is over
     * then; otherwise the number of parts is right, and the phase does not end before this one is
     * done. */
    if (atomic_load(&t->phase) == m->phase)
      return true;
  }
  wait_for_next(t, m->phase);
  m->phase++;
  return false;
}

void ms_team_done(ms_sieve_member *m, uint32_t parts)
{
  ms_sieve_team *t = m->team;
  if (atomic_fetch_add(&t->done, 1) + 1 < parts)
    return;
  atomic_store(&t->done, 0);
  atomic_store(&t->phase, m->phase + 1);
  /* one that has not said yet that it sleeps finds the new phase before it does */
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
