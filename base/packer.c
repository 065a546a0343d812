#include "base/packer.h"

#include "base/alloc.h"
#include "base/parallel.h"
#include "base/status.h"

#include <pthread.h>
#include <string.h>
#include <zstd.h>

#define MOST_THREADS 16
/* Frames for each thread: one that is compressed and one that waits. */
#define FRAMES_A_THREAD 2
#define MOST_FRAMES (FRAMES_A_THREAD * MOST_THREADS)
#define FIRST_ROOM ((size_t)1 << 16)
/* Shorter frames are compressed in less time than a thread takes to start. */
#define LEAST_FOR_THREADS ((size_t)1 << 18)

typedef enum frame_state {
  FRAME_FILLS,  /* the caller adds bytes */
  FRAME_WAITS,  /* to be compressed */
  FRAME_TAKEN,  /* a thread compresses it */
  FRAME_PACKED, /* to be passed on */
} frame_state;

typedef struct frame {
  frame_state state; /* protected by the lock, once there are threads */
  char *bytes;
  size_t used, room;
  void *packed;
  size_t packed_bytes, packed_room;
  bool marked, failed;
  ms_mark mark;
} frame;

struct ms_packer {
  ms_packed_fn write;
  void *user;
  int threads;     /* that may compress, the calling one included */
  ZSTD_CCtx *zstd; /* of the calling thread.  Not allocated by base/alloc.h: libzstd accepts
                      an allocator only if it is linked statically */
  frame frame[MOST_FRAMES]; /* a ring */
  uint64_t first, last;     /* frames before `first` were passed on; `last` is being filled */
  bool any;                 /* a frame was ended */

  pthread_mutex_t lock;
  pthread_cond_t waits;  /* a frame waits, or the packer ends */
  pthread_cond_t packed; /* a frame is packed */
  uint64_t next;         /* the first frame that no thread has taken */
  bool ends;
  pthread_t helper[MOST_THREADS];
  int helpers;
};

static frame *frame_of(ms_packer *p, uint64_t number)
{
  return &p->frame[number % MOST_FRAMES];
}

/* ---- opening and closing ----------------------------------------------------------- */

/* Returns a context that adds checksums; NULL: there is no memory. */
static ZSTD_CCtx *make_context(void)
{
  ZSTD_CCtx *zstd = ZSTD_createCCtx();
  if (zstd)
    (void)ZSTD_CCtx_setParameter(zstd, ZSTD_c_checksumFlag, 1); /* a valid value: cannot fail */
  return zstd;
}

static ms_status make_locks(ms_packer *p, ms_error *err)
{
  if (pthread_mutex_init(&p->lock, NULL) != 0)
    return ms_fail_memory(err, "a lock");
  if (pthread_cond_init(&p->waits, NULL) != 0) {
    pthread_mutex_destroy(&p->lock);
    return ms_fail_memory(err, "a lock");
  }
  if (pthread_cond_init(&p->packed, NULL) != 0) {
    pthread_cond_destroy(&p->waits);
    pthread_mutex_destroy(&p->lock);
    return ms_fail_memory(err, "a lock");
  }
  return MS_OK;
}

ms_status ms_packer_new(ms_packed_fn write, void *user, ms_packer **out, ms_error *err)
{
  *out = NULL;
  ms_packer *p = ms_calloc(1, sizeof *p);
  if (!p)
    return ms_fail_memory(err, "a zstd writer");
  p->write = write;
  p->user = user;
  p->threads = 1;
  p->zstd = make_context();
  ms_status status = p->zstd ? make_locks(p, err) : ms_fail_memory(err, "a zstd writer");
  if (status != MS_OK) {
    ZSTD_freeCCtx(p->zstd);
    ms_free(p);
    return status;
  }
  *out = p;
  return MS_OK;
}

void ms_packer_free(ms_packer *p)
{
  if (!p)
    return;
  pthread_mutex_lock(&p->lock);
  p->ends = true;
  pthread_cond_broadcast(&p->waits);
  pthread_mutex_unlock(&p->lock);
  for (int i = 0; i < p->helpers; i++)
    pthread_join(p->helper[i], NULL);
  for (uint32_t i = 0; i < MOST_FRAMES; i++) {
    ms_free(p->frame[i].bytes);
    ms_free(p->frame[i].packed);
  }
  pthread_cond_destroy(&p->packed);
  pthread_cond_destroy(&p->waits);
  pthread_mutex_destroy(&p->lock);
  ZSTD_freeCCtx(p->zstd);
  ms_free(p);
}

void ms_packer_set_threads(ms_packer *p, int threads)
{
  p->threads = threads < MOST_THREADS ? threads : MOST_THREADS;
}

/* ---- compression -------------------------------------------------------------------- */

/* Compresses a frame that the calling thread has taken. */
static void pack(ZSTD_CCtx *zstd, frame *f)
{
  size_t room = ZSTD_compressBound(f->used), got;
  if (f->packed_room < room) {
    ms_free(f->packed);
    f->packed = ms_alloc(room, 1);
    f->packed_room = f->packed ? room : 0;
  }
  f->failed = !zstd || !f->packed;
  if (f->failed)
    return;
  got = ZSTD_compress2(zstd, f->packed, f->packed_room, f->bytes ? f->bytes : "", f->used);
  f->failed = ZSTD_isError(got);
  f->packed_bytes = f->failed ? 0 : got;
}

/* Takes the next frame that waits; NULL: there is none.  The caller has the lock. */
static frame *take(ms_packer *p)
{
  if (p->next == p->last)
    return NULL;
  frame *f = frame_of(p, p->next++);
  f->state = FRAME_TAKEN;
  return f;
}

/* Compresses a frame that was taken.  The caller has the lock, and loses it meanwhile. */
static void pack_taken(ms_packer *p, ZSTD_CCtx *zstd, frame *f)
{
  pthread_mutex_unlock(&p->lock);
  pack(zstd, f);
  pthread_mutex_lock(&p->lock);
  f->state = FRAME_PACKED;
  pthread_cond_signal(&p->packed);
}

static void *help(void *user)
{
  ms_packer *p = user;
  ZSTD_CCtx *zstd = make_context();
  pthread_mutex_lock(&p->lock);
  while (zstd && !p->ends) { /* without memory, the calling thread compresses all */
    frame *f = take(p);
    if (f)
      pack_taken(p, zstd, f);
    else
      pthread_cond_wait(&p->waits, &p->lock);
  }
  pthread_mutex_unlock(&p->lock);
  ZSTD_freeCCtx(zstd);
  return NULL;
}

/* Starts another thread if frames wait that no thread has taken. */
static void start_helper(ms_packer *p, size_t bytes)
{
  if (bytes < LEAST_FOR_THREADS || p->helpers + 1 >= p->threads || p->last - p->next < 2)
    return;
  if (ms_thread_start(&p->helper[p->helpers], help, p))
    p->helpers++;
  else
    p->threads = p->helpers + 1;
}

/* ---- frames in order ------------------------------------------------------------------ */

/* Passes on the first frame, once it is compressed; until then, this thread compresses frames. */
static bool pass_first(ms_packer *p)
{
  frame *f = frame_of(p, p->first), *other;
  pthread_mutex_lock(&p->lock);
  while (f->state != FRAME_PACKED)
    if ((other = take(p)))
      pack_taken(p, p->zstd, other);
    else
      pthread_cond_wait(&p->packed, &p->lock);
  f->state = FRAME_FILLS;
  p->first++;
  pthread_mutex_unlock(&p->lock);
  if (!f->failed)
    p->write(p->user, f->packed, f->packed_bytes, f->marked ? &f->mark : NULL);
  f->used = 0;
  return !f->failed;
}

/* True if the first frame is compressed. */
static bool is_first_packed(ms_packer *p)
{
  pthread_mutex_lock(&p->lock);
  bool packed = p->first < p->last && frame_of(p, p->first)->state == FRAME_PACKED;
  pthread_mutex_unlock(&p->lock);
  return packed;
}

static bool end_frame(ms_packer *p, const ms_mark *mark)
{
  frame *f = frame_of(p, p->last);
  uint64_t most = p->threads > 1 ? (uint64_t)(FRAMES_A_THREAD * p->threads) : 1;
  size_t bytes = f->used;
  bool fine = true;
  f->marked = mark != NULL;
  if (mark)
    f->mark = *mark;
  p->any = true;
  pthread_mutex_lock(&p->lock);
  f->state = FRAME_WAITS;
  p->last++;
  pthread_cond_signal(&p->waits);
  start_helper(p, bytes);
  pthread_mutex_unlock(&p->lock);
  while (fine && (p->last - p->first >= most || is_first_packed(p)))
    fine = pass_first(p);
  return fine;
}

bool ms_packer_write(ms_packer *p, const void *data, size_t bytes)
{
  const char *from = data;
  while (bytes > 0) {
    frame *f = frame_of(p, p->last);
    size_t part = MS_PACKER_FRAME - f->used;
    part = part < bytes ? part : bytes;
    if (f->used + part > f->room) {
      size_t room = f->room > 0 ? 2 * f->room : FIRST_ROOM;
      while (room < f->used + part)
        room *= 2;
      char *larger = ms_resize(f->bytes, f->room, room, 1);
      if (!larger)
        return false;
      f->bytes = larger;
      f->room = room;
    }
    memcpy(f->bytes + f->used, from, part);
    f->used += part;
    from += part;
    bytes -= part;
    if (f->used == MS_PACKER_FRAME && !end_frame(p, NULL))
      return false;
  }
  return true;
}

bool ms_packer_end_frame(ms_packer *p, const ms_mark *mark)
{
  return end_frame(p, mark);
}

bool ms_packer_finish(ms_packer *p)
{
  bool fine = (p->any && frame_of(p, p->last)->used == 0) || end_frame(p, NULL);
  while (fine && p->first < p->last)
    fine = pass_first(p);
  return fine;
}

void ms_packer_forget(ms_packer *p)
{
  pthread_mutex_lock(&p->lock);
  p->next = p->last; /* no thread takes a further one */
  for (uint64_t i = p->first; i < p->last; i++)
    while (frame_of(p, i)->state == FRAME_TAKEN)
      pthread_cond_wait(&p->packed, &p->lock);
  for (; p->first <= p->last; p->first++) {
    frame_of(p, p->first)->state = FRAME_FILLS;
    frame_of(p, p->first)->used = 0;
  }
  p->first = p->next = p->last;
  p->any = false;
  pthread_mutex_unlock(&p->lock);
}
