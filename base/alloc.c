#include "base/alloc.h"

#include "base/meter.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#ifdef __APPLE__
#include <malloc/malloc.h>
#define malloc_usable_size malloc_size
#else
#include <malloc.h>
#endif

#define LINE_ALIGN ((size_t)64)
#define HUGE_PAGE ((size_t)2 << 20)

static void *default_alloc(void *user, size_t bytes, size_t align)
{
  (void)user;
  if (align <= _Alignof(max_align_t))
    return malloc(bytes);
  /* aligned_alloc needs a multiple of the alignment */
  if (bytes > SIZE_MAX - align)
    return NULL;
  return aligned_alloc(align, (bytes + align - 1) / align * align);
}

static void *default_resize(void *user, void *block, size_t old_bytes, size_t bytes)
{
  (void)user;
  (void)old_bytes;
  return realloc(block, bytes);
}

static void default_release(void *user, void *block)
{
  (void)user;
  free(block);
}

static const ms_allocator default_allocator = {default_alloc, default_resize, default_release,
                                               NULL};
static ms_allocator the_allocator = {default_alloc, default_resize, default_release, NULL};

static size_t default_block_size(void *user, const void *block)
{
  (void)user;
  return malloc_usable_size((void *)block);
}

static size_t (*the_block_size)(void *user, const void *block) = default_block_size;

void ms_set_allocator(const ms_allocator *allocator)
{
  the_allocator = allocator ? *allocator : default_allocator;
  the_block_size = allocator ? NULL : default_block_size;
}

void ms_set_block_size(size_t (*block_size)(void *user, const void *block))
{
  the_block_size = block_size;
}

/* ---- metering --------------------------------------------------------------- */

/* Returns the size that counts for a block; 0: not known, and nothing counts. */
static int64_t size_of(const void *block)
{
  return the_block_size ? (int64_t)the_block_size(the_allocator.user, block) : 0;
}

/* Counts a new block, whose `bytes` were taken before; NULL: there is none. */
static void *count_block(ms_meter *meter, void *block, uint64_t bytes)
{
  if (meter)
    ms_meter_give(meter, (int64_t)bytes - (block ? size_of(block) : 0));
  return block;
}

static void *alloc_aligned(size_t count, size_t size, size_t align)
{
  size_t bytes;
  ms_meter *meter = ms_meter_current();
  if (!ms_mul_size(count, size, &bytes) || (meter && !ms_meter_take(meter, bytes)))
    return NULL;
  return count_block(meter, the_allocator.alloc(the_allocator.user, bytes ? bytes : 1, align),
                     bytes);
}

void *ms_alloc(size_t count, size_t size)
{
  return alloc_aligned(count, size, _Alignof(max_align_t));
}

void *ms_calloc(size_t count, size_t size)
{
  void *block = ms_alloc(count, size);
  if (block)
    memset(block, 0, count * size);
  return block;
}

void *ms_alloc_lines(size_t count, size_t size)
{
  size_t bytes;
  if (!ms_mul_size(count, size, &bytes))
    return NULL;
  bool huge = bytes >= 2 * HUGE_PAGE;
  void *block = alloc_aligned(count, size, huge ? HUGE_PAGE : LINE_ALIGN);
#ifdef MADV_HUGEPAGE
  /* a hint: it only changes the speed */
  if (block && huge)
    (void)madvise(block, bytes / HUGE_PAGE * HUGE_PAGE, MADV_HUGEPAGE);
#endif
  return block;
}

void *ms_resize(void *block, size_t old_count, size_t count, size_t size)
{
  size_t old_bytes, bytes;
  if (!ms_mul_size(old_count, size, &old_bytes) || !ms_mul_size(count, size, &bytes))
    return NULL;
  if (!block)
    return ms_alloc(count, size);
  ms_meter *meter = ms_meter_current();
  int64_t old_size = meter ? size_of(block) : 0;
  size_t more = bytes > old_bytes ? bytes - old_bytes : 0;
  if (meter && !ms_meter_take(meter, more))
    return NULL;
  void *resized = the_allocator.resize(the_allocator.user, block, old_bytes, bytes ? bytes : 1);
  if (meter)
    ms_meter_give(meter, (int64_t)more - (resized ? size_of(resized) - old_size : 0));
  return resized;
}

bool ms_enlarge(void *array, size_t before, size_t after, size_t size)
{
  void *block;
  memcpy(&block, array, sizeof block); /* the pointer has another type than void * */
  block = ms_resize(block, before, after, size);
  if (block)
    memcpy(array, &block, sizeof block);
  return block != NULL;
}

uint64_t ms_grow(void *array, size_t size, uint64_t room, uint64_t most, uint64_t used,
                 uint64_t more)
{
  if (more > most - used)
    return room;
  uint64_t larger = room < most / 2 ? 2 * room : most, least = size < 64 ? 64 / size : 1;
  larger = larger > used + more ? larger : used + more;
  larger = larger > least || least > most ? larger : least;
  return larger <= SIZE_MAX && ms_enlarge(array, room, larger, size) ? larger : room;
}

void ms_free(void *block)
{
  ms_meter *meter = ms_meter_current();
  if (block && meter)
    ms_meter_give(meter, size_of(block));
  if (block)
    the_allocator.release(the_allocator.user, block);
}

char *ms_strdup(const char *text)
{
  size_t bytes = strlen(text) + 1;
  char *copy = ms_alloc(bytes, 1);
  if (copy)
    memcpy(copy, text, bytes);
  return copy;
}

void ms_return_large_blocks(void)
{
#ifdef M_MMAP_THRESHOLD
  (void)mallopt(M_MMAP_THRESHOLD, 1 << 20);
#endif
}
