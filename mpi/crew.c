#include "base/alloc.h"
#include "base/parallel.h"
#include "base/status.h"
#include "base/stop.h"
#include "mpi/ranks.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* ---- the thread for messages ----------------------------------------------------------------- */

/* Waits for the main thread; the lock is held. */
static void wait_for(ms_mpi *r, double seconds)
{
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  uint64_t ns = (uint64_t)t.tv_nsec + (uint64_t)(seconds * 1e9);
  t.tv_sec += (time_t)(ns / 1000000000u);
  t.tv_nsec = (long)(ns % 1000000000u);
  pthread_cond_timedwait(&r->changed, &r->lock, &t);
}

static void take(ms_mpi *r, ms_message *message)
{
  if (r->rank == 0)
    ms_leader_take(r, message);
  else
    ms_worker_take(r, message);
  ms_bytes_free(&message->bytes);
}

/* Exchanges messages until the main thread wants to end. */
static void exchange(ms_mpi *r)
{
  ms_message message;
  pthread_mutex_lock(&r->lock);
  for (;;) {
    while (ms_wire_receive(r->wire, &message))
      take(r, &message);
    double pause = r->rank == 0 ? ms_leader_tend(r) : ms_worker_tend(r);
    bool leaves = r->rank == 0 ? r->closing && ms_leader_may_close(r) : r->abandoned;
    if (leaves && ms_wire_is_idle(r->wire))
      break;
    wait_for(r, pause);
  }
  pthread_mutex_unlock(&r->lock);
}

void ms_mpi_hello(const ms_mpi *r, unsigned char *bytes)
{
  uint64_t process = (uint64_t)getpid();
  memcpy(bytes, &process, 8);
  memcpy(bytes + 8, r->host, HOST_BYTES);
}

static void say_hello(ms_mpi *r, ms_error *err)
{
  unsigned char bytes[HELLO_BYTES];
  ms_mpi_hello(r, bytes);
  if (r->rank > 0)
    ms_wire_send(r->wire, 0, W_HELLO, bytes, sizeof bytes, err);
}

static void *run_messages(void *user)
{
  ms_mpi *r = user;
  ms_error err = {0};
  ms_status status = ms_wire_open(&r->wire, &err);
  if (status == MS_OK) {
    r->rank = ms_wire_rank(r->wire);
    r->size = ms_wire_size(r->wire);
    r->member = ms_calloc((size_t)r->size, sizeof *r->member);
    r->returned = ms_calloc((size_t)r->size, sizeof *r->returned);
    if (!r->member || !r->returned)
      status = ms_fail_memory(&err, "the ranks");
    else
      say_hello(r, &err);
  }
  pthread_mutex_lock(&r->lock);
  r->status = status;
  r->error = err;
  r->opened = true;
  pthread_cond_broadcast(&r->changed);
  pthread_mutex_unlock(&r->lock);
  if (status == MS_OK) {
    exchange(r);
    bool hangs = false;
    for (int i = 1; i < r->size; i++)
      hangs |= r->rank == 0 && r->member[i].hangs;
    if (hangs) /* MPI would wait for the rank that hangs */
      ms_wire_abort(r->wire, r->code);
    /* With recovery, mpirun accepts that processes end without MPI_Finalize, which was seen to wait
     * for dead ranks. */
    ms_wire_close(r->wire, r->survives && r->uneven);
  }
  if (r->rank > 0 && r->ended)
    _exit(0); /* the main thread may still do a range that nobody needs */
  pthread_mutex_lock(&r->lock);
  r->closed = true;
  pthread_cond_broadcast(&r->changed);
  pthread_mutex_unlock(&r->lock);
  return NULL;
}

/* ---- opening and closing --------------------------------------------------------------------- */

static bool is_true(const char *name)
{
  const char *value = getenv(name);
  return value && (strcmp(value, "1") == 0 || strcmp(value, "true") == 0);
}

static ms_status run_job(ms_crew *crew, const ms_crew_job *job, ms_error *err)
{
  ms_mpi *r = (ms_mpi *)crew;
  return r->rank == 0 ? ms_leader_run(r, job, err) : ms_worker_run_job(r, job, err);
}

void ms_worker_end(ms_mpi *r)
{
  pthread_join(r->thread, NULL);
  _exit(0);
}

static void free_ranks(ms_mpi *r)
{
  while (r->finished) {
    ms_finished *f = r->finished;
    r->finished = f->next;
    ms_bytes_free(&f->bytes);
    ms_free(f);
  }
  ms_bytes_free(&r->bytes);
  for (int i = 0; r->member && i < r->size; i++)
    ms_bytes_free(&r->member[i].identity);
  ms_free(r->member);
  ms_free(r->returned);
  pthread_cond_destroy(&r->changed);
  pthread_mutex_destroy(&r->lock);
  ms_free(r);
}

ms_status ms_mpi_open(double timeout, void (*warn)(const char *message), ms_mpi **out,
                      ms_error *err)
{
  ms_mpi *r = ms_calloc(1, sizeof *r);
  *out = NULL;
  if (!r)
    return ms_fail_memory(err, "the ranks");
  r->crew.run = run_job;
  r->timeout = timeout;
  r->warn = warn;
  /* the one way by which Open MPI before version 5 lets ranks survive another one */
  r->survives = is_true("OMPI_MCA_orte_enable_recovery");
  gethostname(r->host, HOST_BYTES - 1);
  pthread_mutex_init(&r->lock, NULL);
  pthread_cond_init(&r->changed, NULL);
  if (!ms_thread_start(&r->thread, run_messages, r)) {
    free_ranks(r);
    return ms_fail(err, MS_ERR_MEMORY, "no thread could be started for the messages of the ranks");
  }
  pthread_mutex_lock(&r->lock);
  while (!r->opened)
    pthread_cond_wait(&r->changed, &r->lock);
  ms_status status = r->status;
  pthread_mutex_unlock(&r->lock);
  if (status != MS_OK) {
    *err = r->error;
    pthread_join(r->thread, NULL);
    free_ranks(r);
    return status;
  }
  r->crew.leads = r->rank == 0;
  *out = r;
  return MS_OK;
}

int ms_mpi_rank(const ms_mpi *r)
{
  return r->rank;
}

int ms_mpi_size(const ms_mpi *r)
{
  return r->size;
}

ms_crew *ms_mpi_crew(ms_mpi *r)
{
  return &r->crew;
}

void ms_mpi_close(ms_mpi *r, int code, const char *text)
{
  if (!r)
    return;
  pthread_mutex_lock(&r->lock);
  r->closing = true;
  r->code = code;
  r->text = text;
  pthread_cond_broadcast(&r->changed);
  pthread_mutex_unlock(&r->lock);
  pthread_join(r->thread, NULL);
  free_ranks(r);
}
