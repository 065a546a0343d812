#include "mpi/wire.h"

#include "base/alloc.h"
#include "base/status.h"

#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  TAG = 20, /* of all messages */
  HEAD_BYTES = 16,
  /* Below the eager limit of the transports of Open MPI and MPICH, the lowest of which is 4096
   * bytes with the headers of MPI. */
  PIECE_BYTES = 3584,
  MOST_ON_WAY = 2048 /* pieces that MPI has at the same time */
};

typedef struct piece {
  struct piece *next;
  MPI_Request request;
  int to;
  int length;
  unsigned char bytes[]; /* kind: 4, first: 1, last: 1, 0, 0, length of the message: 8; content */
} piece;

/* What has come of a message. */
typedef struct partial {
  ms_bytes bytes;
  uint32_t kind;
  bool begun;
} partial;

struct ms_wire {
  int rank, size;
  partial *partial;          /* [size] */
  bool *dropped;             /* [size] */
  piece *queue, **queue_end; /* that MPI has not got yet */
  piece *on_way;             /* that MPI has */
  uint32_t count_on_way;
};

/* Returns how many processes mpirun or srun says that it has started together; *name is the
 * variable that says so.  0: none does. */
static int count_started(const char **name)
{
  static const char *const names[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"};
  int most = 0;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const char *value = getenv(names[i]);
    int count = value ? atoi(value) : 0;
    if (count > most) {
      most = count;
      *name = names[i];
    }
  }
  return most;
}

/* Refuses a process that is one of several and does not know the others, as when the mpirun of
 * another MPI has started them: each of them would do the whole run, and write the same files. */
static ms_status check_alone(ms_error *err)
{
  const char *name;
  int count = count_started(&name);
  if (count < 2)
    return MS_OK;
  return ms_fail(
      err, MS_ERR_USAGE,
      "%d processes were started together (%s), but MPI knows none but this one, so that "
      "each would do the whole run; start them by the mpirun of the MPI that "
      "motifsieve-mpi was built with, by srun with the --mpi that fits it, or use "
      "motifsieve for runs without ranks",
      count, name);
}

ms_status ms_wire_open(ms_wire **out, ms_error *err)
{
  int provided;
  ms_wire *w = ms_calloc(1, sizeof *w);
  if (!w)
    return ms_fail_memory(err, "the messages between ranks");
  if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS) {
    ms_free(w);
    return ms_fail(err, MS_ERR_INTERNAL, "MPI cannot begin");
  }
  /* A failure concerns one rank; the others go on. */
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_rank(MPI_COMM_WORLD, &w->rank);
  MPI_Comm_size(MPI_COMM_WORLD, &w->size);
  w->partial = ms_calloc((size_t)w->size, sizeof *w->partial);
  w->dropped = ms_calloc((size_t)w->size, sizeof *w->dropped);
  w->queue_end = &w->queue;
  if (!w->partial || !w->dropped) {
    ms_wire_abort(w, 1);
    return MS_ERR_MEMORY;
  }
  ms_status status = w->size == 1 ? check_alone(err) : MS_OK;
  if (status != MS_OK)
    ms_wire_close(w, false);
  else
    *out = w;
  return status;
}

int ms_wire_rank(const ms_wire *w)
{
  return w->rank;
}

int ms_wire_size(const ms_wire *w)
{
  return w->size;
}

bool ms_wire_survives(void)
{
#if defined OMPI_MAJOR_VERSION && OMPI_MAJOR_VERSION < 5
  const char *value = getenv("OMPI_MCA_orte_enable_recovery");
  return value && (strcmp(value, "1") == 0 || strcmp(value, "true") == 0);
#else
  return false;
#endif
}

/* What a rank may use. */
typedef struct means {
  cpu_set_t processors;
  char gpus[256]; /* the beginning of CUDA_VISIBLE_DEVICES */
} means;

void ms_wire_find_place(ms_wire_place *place)
{
  MPI_Comm host;
  means own = {0};
  int rank = 0, size = 1;
  const char *gpus = getenv("CUDA_VISIBLE_DEVICES");
  *place = (ms_wire_place){.ranks = 1, .processors = 1, .sharers = 1, .gpu_sharers = 1};
  if (sched_getaffinity(0, sizeof own.processors, &own.processors) != 0)
    CPU_ZERO(&own.processors); /* more processors than a set has */
  if (CPU_COUNT(&own.processors) > 0)
    place->processors = CPU_COUNT(&own.processors);
  snprintf(own.gpus, sizeof own.gpus, "%s", gpus ? gpus : "all");
  if (MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host) !=
      MPI_SUCCESS)
    return;
  MPI_Comm_rank(host, &rank);
  MPI_Comm_size(host, &size);
  place->ranks = size;
  means *all = ms_calloc((size_t)size, sizeof *all);
  if (!all) /* the others wait for it */
    MPI_Abort(MPI_COMM_WORLD, 1);
  if (MPI_Allgather(&own, sizeof own, MPI_BYTE, all, sizeof own, MPI_BYTE, host) == MPI_SUCCESS) {
    place->sharers = place->gpu_sharers = 0;
    for (int i = 0; i < size; i++) {
      bool same = strcmp(own.gpus, all[i].gpus) == 0;
      place->sharers += CPU_EQUAL(&own.processors, &all[i].processors) != 0;
      place->gpu_sharers += same;
      place->gpu_rank += same && i < rank;
    }
  }
  ms_free(all);
  MPI_Comm_free(&host);
}

void ms_wire_gather(ms_wire *w, const char *text, char *all, int length)
{
  (void)w;
  MPI_Gather(text, length, MPI_CHAR, all, length, MPI_CHAR, 0, MPI_COMM_WORLD);
}

/* ---- sending ------------------------------------------------------------------------------ */

static void put_u64(unsigned char *at, uint64_t value)
{
  for (int i = 0; i < 8; i++)
    at[i] = (unsigned char)(value >> 8 * i);
}

static uint64_t get_u64(const unsigned char *at)
{
  uint64_t value = 0;
  for (int i = 8; i-- > 0;)
    value = value << 8 | at[i];
  return value;
}

ms_status ms_wire_send(ms_wire *w, int to, uint32_t kind, const void *data, size_t length,
                       ms_error *err)
{
  const unsigned char *from = data;
  size_t at = 0;
  if (w->dropped[to])
    return MS_OK;
  do {
    size_t part = length - at < PIECE_BYTES ? length - at : PIECE_BYTES;
    piece *p = ms_alloc(1, sizeof *p + HEAD_BYTES + part);
    if (!p)
      return ms_fail_memory(err, "a message to a rank");
    p->next = NULL;
    p->to = to;
    p->length = (int)(HEAD_BYTES + part);
    put_u64(p->bytes, kind);
    p->bytes[4] = at == 0;
    p->bytes[5] = at + part == length;
    put_u64(p->bytes + 8, length);
    if (part > 0)
      memcpy(p->bytes + HEAD_BYTES, from + at, part);
    *w->queue_end = p;
    w->queue_end = &p->next;
    at += part;
  } while (at < length);
  return MS_OK;
}

static void end_piece(ms_wire *w, piece *p)
{
  w->count_on_way--;
  ms_free(p);
}

static void move_out(ms_wire *w)
{
  for (piece **at = &w->on_way; *at;) {
    piece *p = *at;
    int done = 0;
    if (MPI_Test(&p->request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS)
      done = 1; /* nobody receives it; the rank is found to be lost by its silence */
    if (!done) {
      at = &p->next;
      continue;
    }
    *at = p->next;
    end_piece(w, p);
  }
  while (w->queue && w->count_on_way < MOST_ON_WAY) {
    piece *p = w->queue;
    w->queue = p->next;
    if (!w->queue)
      w->queue_end = &w->queue;
    if (w->dropped[p->to] || MPI_Isend(p->bytes, p->length, MPI_BYTE, p->to, TAG, MPI_COMM_WORLD,
                                       &p->request) != MPI_SUCCESS) {
      ms_free(p);
      continue;
    }
    p->next = w->on_way;
    w->on_way = p;
    w->count_on_way++;
  }
}

bool ms_wire_is_idle(const ms_wire *w)
{
  for (const piece *p = w->queue; p; p = p->next)
    if (!w->dropped[p->to])
      return false;
  for (const piece *p = w->on_way; p; p = p->next)
    if (!w->dropped[p->to])
      return false;
  return true;
}

/* ---- receiving ------------------------------------------------------------------------------ */

/* Takes a piece. Returns true if it completes a message. */
static bool take_piece(ms_wire *w, int from, const unsigned char *bytes, size_t length,
                       ms_message *message)
{
  partial *p = &w->partial[from];
  if (length < HEAD_BYTES)
    return false;
  if (bytes[4]) {
    ms_bytes_free(&p->bytes);
    p->begun = true;
  }
  if (!p->begun) /* the rest of a message that was dropped */
    return false;
  p->kind = (uint32_t)get_u64(bytes); /* the low half */
  ms_bytes_put(&p->bytes, bytes + HEAD_BYTES, length - HEAD_BYTES);
  if (!bytes[5])
    return false;
  p->begun = false;
  if (p->bytes.length != get_u64(bytes + 8))
    p->bytes.failed = true;
  *message = (ms_message){from, p->kind, p->bytes};
  p->bytes = (ms_bytes){0};
  return true;
}

bool ms_wire_receive(ms_wire *w, ms_message *message)
{
  unsigned char bytes[HEAD_BYTES + PIECE_BYTES];
  int there = 0, length = 0;
  MPI_Status status;
  move_out(w);
  while (MPI_Iprobe(MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &there, &status) == MPI_SUCCESS && there) {
    int from = status.MPI_SOURCE;
    if (MPI_Recv(bytes, (int)sizeof bytes, MPI_BYTE, from, TAG, MPI_COMM_WORLD, &status) !=
            MPI_SUCCESS ||
        MPI_Get_count(&status, MPI_BYTE, &length) != MPI_SUCCESS || length < 0)
      return false;
    if (take_piece(w, from, bytes, (size_t)length, message))
      return true;
  }
  return false;
}

void ms_wire_drop(ms_wire *w, int rank)
{
  ms_bytes_free(&w->partial[rank].bytes);
  w->partial[rank].begun = false;
  w->dropped[rank] = true;
}

void ms_wire_accept(ms_wire *w, int rank)
{
  w->dropped[rank] = false;
}

/* ---- the end -------------------------------------------------------------------------------- */

void ms_wire_close(ms_wire *w, bool leaves)
{
  if (!w)
    return;
  if (!leaves)
    MPI_Finalize();
  for (int i = 0; i < w->size; i++)
    ms_bytes_free(&w->partial[i].bytes);
  while (w->queue) {
    piece *p = w->queue;
    w->queue = p->next;
    ms_free(p);
  }
  /* MPI may still know pieces to ranks that were lost: these stay */
  ms_free(w->partial);
  ms_free(w->dropped);
  ms_free(w);
}

void ms_wire_abort(ms_wire *w, int code)
{
  (void)w;
  MPI_Abort(MPI_COMM_WORLD, code);
}
