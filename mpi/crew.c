#include "base/alloc.h"
#include "base/file/scratch.h"
#include "base/status.h"
#include "base/threads/parallel.h"
#include "base/threads/stop.h"
#include "mpi/ranks.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What waits in rank 0, in memory and in a file, is at most about so many times what is in
 * memory. */
#define HELD_FACTOR 16u

/* ---- the thread for messages ----------------------------------------------------------------- */

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
    ms_wait_for(&r->changed, &r->lock, pause); /* for the main thread */
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

/* Collects what each rank says of its place, as a text. */
static ms_status collect_places(ms_mpi *r, ms_error *err)
{
  char own[PLACE_BYTES], *at;
  size_t room = ((size_t)r->size + 1) * (PLACE_BYTES + 16);
  char *lines = ms_calloc((size_t)r->size, PLACE_BYTES);
  r->places = ms_calloc(room, 1);
  if (!lines || !r->places) {
    ms_free(lines);
    return ms_fail_memory(err, "the ranks");
  }
  ms_place_describe(r->host, own);
  ms_wire_gather(r->wire, own, lines, PLACE_BYTES);
  at = r->places + snprintf(r->places, room, "rank\thost\tprocess\tthreads\tGPUs\n");
  for (int i = 0; i < r->size && r->rank == 0; i++)
    at += snprintf(at, room - (size_t)(at - r->places), "%d\t%s\n", i, lines + i * PLACE_BYTES);
  ms_free(lines);
  return MS_OK;
}

/* Finds and takes the place of this rank. */
static ms_status take_place(ms_mpi *r, ms_error *err)
{
  ms_wire_place place;
  char text[PLACE_BYTES];
  bool chosen = getenv("OMP_NUM_THREADS") != NULL;
  ms_wire_find_place(&place);
  if (r->rank == 0 && !chosen && r->warn && ms_place_is_narrow(&place, text))
    r->warn(text);
  ms_place_take(&place, !r->keeps_gpus);
  return r->wants_places ? collect_places(r, err) : MS_OK;
}

void ms_worker_leave(int code)
{
  ms_scratch_unlink_all();
  _exit(code);
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
    r->returned = ms_calloc((size_t)r->size * MOST_GIVEN, sizeof *r->returned);
    if (!r->member || !r->returned)
      status = ms_fail_memory(&err, "the ranks");
    else
      status = take_place(r, &err);
    for (int i = 0; status == MS_OK && i < r->size; i++)
      r->member[i].heard = ms_seconds();
    if (status == MS_OK)
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
    ms_worker_leave(0); /* the main thread may still do a range that nobody needs */
  pthread_mutex_lock(&r->lock);
  r->closed = true;
  pthread_cond_broadcast(&r->changed);
  pthread_mutex_unlock(&r->lock);
  return NULL;
}

/* ---- opening and closing --------------------------------------------------------------------- */

static ms_status run_job(ms_crew *crew, const ms_crew_job *job, ms_error *err)
{
  ms_mpi *r = (ms_mpi *)crew;
  return r->rank == 0 ? ms_leader_run(r, job, err) : ms_worker_run_job(r, job, err);
}

void ms_worker_end(ms_mpi *r)
{
  pthread_join(r->thread, NULL);
  ms_worker_leave(0);
}

static void free_ranks(ms_mpi *r)
{
  ms_waiting_free(r);
  ms_bytes_free(&r->bytes);
  ms_free(r->places);
  for (int i = 0; r->member && i < r->size; i++)
    ms_bytes_free(&r->member[i].identity);
  ms_free(r->member);
  ms_free(r->returned);
  pthread_cond_destroy(&r->changed);
  pthread_mutex_destroy(&r->lock);
  ms_free(r);
}

ms_status ms_mpi_open(const ms_mpi_options *o, ms_mpi **out, ms_error *err)
{
  ms_mpi *r = ms_calloc(1, sizeof *r);
  *out = NULL;
  if (!r)
    return ms_fail_memory(err, "the ranks");
  r->crew.run = run_job;
  r->timeout = o->timeout;
  r->most_held = o->memory < UINT64_MAX / HELD_FACTOR ? HELD_FACTOR * o->memory : UINT64_MAX;
  ms_store_open(&r->store, o->memory);
  r->warn = o->warn;
  r->keeps_gpus = o->keeps_gpus;
  r->wants_places = o->places;
  r->survives = ms_wire_survives();
  gethostname(r->host, HOST_BYTES - 1);
  pthread_mutex_init(&r->lock, NULL);
  ms_timed_condition_init(&r->changed);
  ms_place_spare_gpus(); /* MPI begins on the other thread */
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
  r->crew.members = (uint32_t)r->size;
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

const char *ms_mpi_places(const ms_mpi *r)
{
  return r->places;
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
