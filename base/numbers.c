#include "base/numbers.h"

#include "base/alloc.h"
#include "base/status.h"

#include <gmp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* One of GMP's own functions, which end the process when memory runs out.  The reference is weak,
 * because a library that replaces GMP may lack this function; the functions that it has are then
 * treated as functions of the program. */
extern void *__gmp_default_allocate(size_t bytes) __attribute__((weak));

/* The reserve serves numbers that need at most 1 / 8 of it; larger ones have their own store. */
#define STORE_SHARE 8

typedef struct gmp_functions {
  void *(*alloc)(size_t bytes);
  void *(*resize)(void *block, size_t old_bytes, size_t bytes);
  void (*release)(void *block, size_t bytes);
} gmp_functions;

static gmp_functions found; /* before ours were set */
static bool plain;          /* they are GMP's own: malloc, realloc and free */

static _Thread_local unsigned depth;    /* of the sections of this thread */
static _Thread_local ms_reserve *store; /* of ms_numbers_store, or NULL */

/* ---- the allocator ------------------------------------------------------------- */

static size_t granules_of(size_t bytes)
{
  return bytes / MS_GRANULE + (bytes % MS_GRANULE != 0) + (bytes == 0);
}

void *ms_reserve_take(ms_reserve *r, size_t bytes)
{
  size_t wanted = granules_of(bytes), run = 0;
  while (r->first < r->granules && r->taken[r->first])
    r->first++;
  for (size_t i = r->first; i < r->granules; i++) {
    run = r->taken[i] ? 0 : run + 1;
    if (run == wanted) {
      size_t begin = i + 1 - wanted;
      memset(r->taken + begin, 1, wanted);
      r->used += wanted;
      return r->bytes + begin * MS_GRANULE;
    }
  }
  return NULL;
}

void ms_reserve_give(ms_reserve *r, void *block, size_t bytes)
{
  size_t begin = (size_t)((unsigned char *)block - r->bytes) / MS_GRANULE, n = granules_of(bytes);
  memset(r->taken + begin, 0, n);
  r->used -= n;
  if (begin < r->first)
    r->first = begin;
}

bool ms_reserve_has(const ms_reserve *r, const void *block)
{
  uintptr_t at = (uintptr_t)block, begin = (uintptr_t)r->bytes;
  return at >= begin && at - begin < r->granules * MS_GRANULE;
}

/* ---- the reserve of the process -------------------------------------------------- */

enum { GRANULES = MS_NUMBERS_RESERVE / MS_GRANULE };
static _Alignas(MS_GRANULE) unsigned char reserve_bytes[MS_NUMBERS_RESERVE];
static unsigned char reserve_taken[GRANULES];
static ms_reserve reserve = {.bytes = reserve_bytes, .taken = reserve_taken, .granules = GRANULES};
static pthread_mutex_t reserve_lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_size_t reserve_used; /* reserve.used, to be read without the lock */

static void lock_reserve(void)
{
  pthread_mutex_lock(&reserve_lock);
}

static void unlock_reserve(void)
{
  atomic_store_explicit(&reserve_used, reserve.used, memory_order_relaxed);
  pthread_mutex_unlock(&reserve_lock);
}

bool ms_numbers_low(void)
{
  return atomic_load_explicit(&reserve_used, memory_order_relaxed) > GRANULES / 2;
}

/* ---- GMP's functions ----------------------------------------------------------------- */

/* Returns a block where the system has none, or NULL. */
static void *take_reserved(size_t bytes)
{
  void *block = depth > 0 && store ? ms_reserve_take(store, bytes) : NULL;
  if (block || depth == 0)
    return block;
  lock_reserve();
  block = ms_reserve_take(&reserve, bytes);
  unlock_reserve();
  return block;
}

/* Gives a block back; false if it is not out of a reserve. */
static bool give_reserved(void *block, size_t bytes)
{
  if (store && ms_reserve_has(store, block)) {
    ms_reserve_give(store, block, bytes);
    return true;
  }
  if (!ms_reserve_has(&reserve, block))
    return false;
  lock_reserve();
  ms_reserve_give(&reserve, block, bytes);
  unlock_reserve();
  return true;
}

static void *alloc_number(size_t bytes)
{
  void *block = depth > 0 && plain ? malloc(bytes) : depth > 0 ? found.alloc(bytes) : NULL;
  if (!block)
    block = take_reserved(bytes);
  /* outside of sections, and if even the reserve is empty: GMP must not receive NULL */
  return block ? block : found.alloc(bytes);
}

static void release_number(void *block, size_t bytes)
{
  if (!give_reserved(block, bytes))
    found.release(block, bytes);
}

/* Copies a block to another that is taken anew. */
static void *move_number(void *block, size_t old_bytes, size_t bytes)
{
  void *moved = alloc_number(bytes);
  memcpy(moved, block, old_bytes < bytes ? old_bytes : bytes);
  release_number(block, old_bytes);
  return moved;
}

static void *resize_number(void *block, size_t old_bytes, size_t bytes)
{
  void *resized = NULL;
  if ((store && ms_reserve_has(store, block)) || ms_reserve_has(&reserve, block))
    return move_number(block, old_bytes, bytes);
  if (depth == 0)
    return found.resize(block, old_bytes, bytes);
  resized = plain ? realloc(block, bytes) : found.resize(block, old_bytes, bytes);
  if (resized)
    return resized;
  resized = take_reserved(bytes);
  if (!resized)
    return found.resize(block, old_bytes, bytes);
  memcpy(resized, block, old_bytes < bytes ? old_bytes : bytes);
  found.release(block, old_bytes);
  return resized;
}

static void install(void)
{
  mp_get_memory_functions(&found.alloc, &found.resize, &found.release);
  plain = __gmp_default_allocate && found.alloc == __gmp_default_allocate;
  /* a child of fork() must not find the lock in the hands of a thread that it lacks */
  pthread_atfork(lock_reserve, unlock_reserve, unlock_reserve);
  mp_set_memory_functions(alloc_number, resize_number, release_number);
}

/* ---- sections -------------------------------------------------------------------------- */

void ms_numbers_begin(void)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, install);
  depth++;
}

void ms_numbers_end(void)
{
  depth--;
}

ms_status ms_numbers_store(size_t bytes, ms_error *err)
{
  if (bytes <= MS_NUMBERS_RESERVE / STORE_SHARE) {
    ms_numbers_begin();
    return MS_OK;
  }
  size_t granules = granules_of(bytes);
  ms_reserve *own = ms_calloc(1, sizeof *own);
  if (own) {
    own->granules = granules;
    own->bytes = ms_alloc(granules, MS_GRANULE);
    own->taken = ms_calloc(granules, 1);
  }
  if (!own || !own->bytes || !own->taken) {
    if (own) {
      ms_free(own->bytes);
      ms_free(own->taken);
    }
    ms_free(own);
    return ms_fail_memory(err, "large numbers");
  }
  store = own;
  ms_numbers_begin();
  return MS_OK;
}

void ms_numbers_release(void)
{
  ms_numbers_end();
  if (!store)
    return;
  ms_free(store->bytes);
  ms_free(store->taken);
  ms_free(store);
  store = NULL;
}
