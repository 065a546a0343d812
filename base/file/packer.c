#include "base/file/packer.h"

#include "base/alloc.h"
#include "base/crc32c.h"
#include "base/status.h"
#include "base/threads/parallel.h"

#include <pthread.h>
#include <string.h>
#include <zstd.h>

/* ---- marks ----------------------------------------------------------------------------------- */

void ms_marks_add(ms_marks *marks, const ms_mark *mark)
{
  uint32_t kept = 0;
  if (marks->count == MS_MARKS) { /* every other mark of the first half goes */
    for (uint32_t i = 0; i < MS_MARKS; i++)
      if (i % 2 == 0 || i >= MS_MARKS / 2)
        marks->mark[kept++] = marks->mark[i];
    marks->count = kept;
  }
  marks->mark[marks->count++] = *mark;
}

bool ms_marks_take(ms_marks *marks, off_t end, off_t room, ms_mark *mark)
{
  uint32_t last = marks->count, early;
  while (last > 0 && marks->mark[last - 1].offset > end)
    last--;
  for (early = last; early > 0 && marks->mark[early - 1].offset > end - room; early--)
    ;
  if (early > 0)
    last = early;
  marks->count = last > 0 ? last - 1 : 0;
  if (last > 0)
    *mark = marks->mark[last - 1];
  return last > 0;
}

/* ---- the packer ------------------------------------------------------------------------------ */

#define MOST_THREADS 16
/* Frames for each thread: one that is compressed and one that waits. */
#define FRAMES_A_THREAD 2
#define MOST_FRAMES (FRAMES_A_THREAD * MOST_THREADS)
/* Shorter frames are compressed in less time than a thread takes to start. */
#define LEAST_FOR_THREADS ((size_t)1 << 18)
/* The level of blocks, and the bits of a place in zstd's table of what came before (packer.h). */
#define BLOCK_LEVEL 1
#define BLOCK_TABLE_BITS 10

typedef enum frame_state {
  FRAME_FILLS,  /* the caller adds bytes */
  FRAME_WAITS,  /* to be compressed */
  FRAME_TAKEN,  /* a thread compresses it */
  FRAME_PACKED, /* to be passed on */
} frame_state;

typedef struct frame {
  frame_state state; /* protected by the lock, once there are threads */
  ms_made made;      /* the bytes before compression */
  void *packed;
  size_t packed_bytes, packed_room;
  bool marked, failed;
  ms_mark mark;
  /* of a block: */
  ms_make_fn make; /* NULL: no block */
  const void *make_user;
  void *input;
  size_t input_bytes, input_room;
  uint32_t crc, crc32;
} frame;

/* What a thread compresses with. */
typedef struct coder {
  ZSTD_CCtx *zstd; /* not allocated by base/alloc.h: libzstd accepts an allocator only if it is
                      linked statically */
  ms_deflater *deflater;
} coder;

struct ms_packer {
  ms_compression kind;
  ms_packed_fn write;
  void *user;
  int threads;              /* that may compress, the calling one included */
  coder coder;              /* of the calling thread */
  frame frame[MOST_FRAMES]; /* a ring, of which `ring` are used: each keeps its memory */
  uint32_t ring;
  uint64_t first, last; /* frames before `first` were passed on; `last` is being filled */
  bool any;             /* a frame was ended */

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
  return &p->frame[number % p->ring];
}

/* ---- opening and closing ----------------------------------------------------------- */

static void free_coder(coder *c)
{
  ZSTD_freeCCtx(c->zstd);
  ms_deflater_free(c->deflater);
}

/* Makes a coder, which for zstd adds checksums.  Returns false if there is no memory. */
static bool make_coder(ms_compression kind, coder *c)
{
  *c = (coder){0};
  if (kind == MS_ZSTD) {
    c->zstd = ZSTD_createCCtx();
    if (c->zstd) /* a valid value: cannot fail */
      (void)ZSTD_CCtx_setParameter(c->zstd, ZSTD_c_checksumFlag, 1);
    return c->zstd != NULL;
  }
  if (kind == MS_GZIP)
    c->deflater = ms_deflater_new();
  return kind == MS_PLAIN || c->deflater;
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

ms_status ms_packer_new(ms_compression kind, ms_packed_fn write, void *user, ms_packer **out,
                        ms_error *err)
{
  *out = NULL;
  ms_packer *p = ms_calloc(1, sizeof *p);
  if (!p)
    return ms_fail_memory(err, "a writer on several threads");
  p->kind = kind;
  p->write = write;
  p->user = user;
  ms_packer_set_threads(p, 1);
  bool made = make_coder(kind, &p->coder);
  ms_status status = made ? make_locks(p, err) : ms_fail_memory(err, "a compressor");
  if (status != MS_OK) {
    free_coder(&p->coder);
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
    ms_free(p->frame[i].made.bytes);
    ms_free(p->frame[i].packed);
    ms_free(p->frame[i].input);
  }
  pthread_cond_destroy(&p->packed);
  pthread_cond_destroy(&p->waits);
  pthread_mutex_destroy(&p->lock);
  free_coder(&p->coder);
  ms_free(p);
}

void ms_packer_set_threads(ms_packer *p, int threads)
{
  p->threads = threads < 1 ? 1 : threads < MOST_THREADS ? threads : MOST_THREADS;
  if (!p->any)
    p->ring = FRAMES_A_THREAD * (uint32_t)p->threads;
}

/* ---- compression -------------------------------------------------------------------- */

/* Makes the bytes of a block; false: there is no memory. */
static bool make_bytes(frame *f)
{
  f->made.used = 0;
  if (!f->make(f->make_user, f->input, f->input_bytes, f->mark.rows, &f->made))
    return false;
  f->crc = ms_crc32c(0, f->made.bytes, f->made.used);
  return true;
}

/* Returns room for this many compressed bytes. */
static bool make_room(frame *f, size_t room)
{
  if (f->packed_room < room) {
    ms_free(f->packed);
    f->packed = ms_alloc(room, 1);
    f->packed_room = f->packed ? room : 0;
  }
  return f->packed != NULL;
}

static bool pack_zstd(ZSTD_CCtx *zstd, frame *f)
{
  int level = f->make ? BLOCK_LEVEL : ZSTD_CLEVEL_DEFAULT;
  if (!make_room(f, ZSTD_compressBound(f->made.used)))
    return false;
  /* valid values; 0: as many bits as the level has */
  (void)ZSTD_CCtx_setParameter(zstd, ZSTD_c_compressionLevel, level);
  (void)ZSTD_CCtx_setParameter(zstd, ZSTD_c_hashLog, f->make ? BLOCK_TABLE_BITS : 0);
  size_t got = ZSTD_compress2(zstd, f->packed, f->packed_room, f->made.bytes ? f->made.bytes : "",
                              f->made.used);
  f->packed_bytes = ZSTD_isError(got) ? 0 : got;
  return !ZSTD_isError(got);
}

static bool pack_gzip(ms_deflater *deflater, frame *f)
{
  if (!make_room(f, ms_deflate_bound(deflater, f->made.used)))
    return false;
  f->packed_bytes =
      ms_deflate_block(deflater, f->made.bytes, f->made.used, f->packed, f->packed_room, &f->crc32);
  return true;
}

/* Makes a frame that the calling thread has taken, if it is a block, and compresses it. */
static void pack(const ms_packer *p, coder *c, frame *f)
{
  f->failed = (f->make && !make_bytes(f)) || (p->kind == MS_ZSTD && !pack_zstd(c->zstd, f)) ||
              (p->kind == MS_GZIP && !pack_gzip(c->deflater, f));
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
static void pack_taken(ms_packer *p, coder *c, frame *f)
{
  pthread_mutex_unlock(&p->lock);
  pack(p, c, f);
  pthread_mutex_lock(&p->lock);
  f->state = FRAME_PACKED;
  pthread_cond_signal(&p->packed);
}

static void *help(void *user)
{
  ms_packer *p = user;
  coder own;
  bool made = make_coder(p->kind, &own);
  pthread_mutex_lock(&p->lock);
  while (made && !p->ends) { /* without memory, the calling thread compresses all */
    frame *f = take(p);
    if (f)
      pack_taken(p, &own, f);
    else
      pthread_cond_wait(&p->waits, &p->lock);
  }
  pthread_mutex_unlock(&p->lock);
  free_coder(&own);
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

/* Makes a frame empty, for what comes next. */
static void clear_frame(frame *f)
{
  f->state = FRAME_FILLS;
  f->made.used = f->input_bytes = 0;
  f->make = NULL;
}

static void pass_on(ms_packer *p, const frame *f)
{
  bool plain = p->kind == MS_PLAIN;
  ms_packed packed = {.data = plain ? f->made.bytes : f->packed,
                      .bytes = plain ? f->made.used : f->packed_bytes,
                      .mark = f->marked ? &f->mark : NULL,
                      .is_block = f->make != NULL,
                      .raw_bytes = f->made.used,
                      .crc = f->crc,
                      .crc32 = f->crc32};
  p->write(p->user, &packed);
}

/* Passes on the first frame, once it is compressed; until then, this thread compresses frames. */
static bool pass_first(ms_packer *p)
{
  frame *f = frame_of(p, p->first), *other;
  pthread_mutex_lock(&p->lock);
  while (f->state != FRAME_PACKED)
    if ((other = take(p)))
      pack_taken(p, &p->coder, other);
    else
      pthread_cond_wait(&p->packed, &p->lock);
  p->first++;
  pthread_mutex_unlock(&p->lock);
  if (!f->failed)
    pass_on(p, f);
  clear_frame(f);
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
  uint64_t most = p->threads > 1 ? p->ring : 1;
  size_t bytes = f->make ? f->input_bytes : f->made.used;
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

bool ms_made_add(ms_made *made, const void *data, size_t bytes)
{
  if (!MS_GROW(made->bytes, made->room, made->used, bytes))
    return false;
  memcpy(made->bytes + made->used, data, bytes);
  made->used += bytes;
  return true;
}

bool ms_packer_write(ms_packer *p, const void *data, size_t bytes)
{
  const char *from = data;
  while (bytes > 0) {
    ms_made *made = &frame_of(p, p->last)->made;
    size_t part = MS_PACKER_FRAME - made->used;
    part = part < bytes ? part : bytes;
    if (!ms_made_add(made, from, part))
      return false;
    from += part;
    bytes -= part;
    if (made->used == MS_PACKER_FRAME && !end_frame(p, NULL))
      return false;
  }
  return true;
}

bool ms_packer_end_frame(ms_packer *p, const ms_mark *mark)
{
  return end_frame(p, mark);
}

void *ms_packer_input(ms_packer *p, size_t bytes)
{
  if (frame_of(p, p->last)->made.used > 0 && !end_frame(p, NULL))
    return NULL;
  frame *f = frame_of(p, p->last);
  if (f->input_room < bytes) {
    void *larger = ms_resize(f->input, f->input_room, bytes, 1);
    if (!larger)
      return NULL;
    f->input = larger;
    f->input_room = bytes;
  }
  return f->input;
}

bool ms_packer_end_block(ms_packer *p, ms_make_fn make, const void *user, size_t input_bytes,
                         uint64_t rows)
{
  frame *f = frame_of(p, p->last);
  f->make = make;
  f->make_user = user;
  f->input_bytes = input_bytes;
  return end_frame(p, &(ms_mark){.rows = rows});
}

bool ms_packer_drain(ms_packer *p)
{
  bool fine = frame_of(p, p->last)->made.used == 0 || end_frame(p, NULL);
  while (fine && p->first < p->last)
    fine = pass_first(p);
  return fine;
}

bool ms_packer_finish(ms_packer *p)
{
  return ((p->any && frame_of(p, p->last)->made.used == 0) || end_frame(p, NULL)) &&
         ms_packer_drain(p);
}

void ms_packer_forget(ms_packer *p)
{
  pthread_mutex_lock(&p->lock);
  p->next = p->last; /* no thread takes a further one */
  for (uint64_t i = p->first; i < p->last; i++)
    while (frame_of(p, i)->state == FRAME_TAKEN)
      pthread_cond_wait(&p->packed, &p->lock);
  for (; p->first <= p->last; p->first++)
    clear_frame(frame_of(p, p->first));
  p->first = p->next = p->last;
  p->any = false;
  pthread_mutex_unlock(&p->lock);
}
