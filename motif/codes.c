#include "motif/codes.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/threads/parallel.h"

#include <pthread.h>
#include <stdatomic.h>

enum { PLACES = 1024, MOST = 256, NO_CODE = MOST }; /* the table is at most a quarter full */

/* A hash table with open addressing. A place changes only once, from 0 to mask
 * << 32 | code + 1, so threads may read while another thread adds. */
typedef struct table {
  _Atomic uint64_t place[PLACES];
  atomic_bool full; /* there are more different masks than codes */
  uint32_t used;
  pthread_mutex_t lock;  /* of whoever adds */
  const uint32_t *added; /* [n] masks */
  ms_codes *codes;
} table;

/* Returns the place of the mask, or the empty place where it belongs. */
static uint32_t find_place(table *t, uint32_t mask, uint64_t *found)
{
  uint32_t i = mask * UINT32_C(0x9E3779B1) >> 22;
  for (;; i = (i + 1) % PLACES) {
    *found = atomic_load_explicit(&t->place[i], memory_order_relaxed);
    if (*found == 0 || *found >> 32 == mask)
      return i;
  }
}

static uint32_t add_mask(table *t, uint32_t mask)
{
  uint32_t code = NO_CODE;
  uint64_t found;
  pthread_mutex_lock(&t->lock);
  uint32_t i = find_place(t, mask, &found);
  if (found) {
    code = (uint32_t)found - 1;
  } else if (t->used < MOST) {
    code = t->used++;
    t->codes->mask[code] = mask;
    atomic_store_explicit(&t->place[i], (uint64_t)mask << 32 | (code + 1), memory_order_relaxed);
  } else {
    atomic_store_explicit(&t->full, true, memory_order_relaxed);
  }
  pthread_mutex_unlock(&t->lock);
  return code;
}

static uint32_t code_of(table *t, uint32_t mask)
{
  uint64_t found;
  find_place(t, mask, &found);
  return found ? (uint32_t)found - 1 : add_mask(t, mask);
}

static void code_range(void *user, ms_range r)
{
  table *t = user;
  for (uint64_t v = r.begin; v < r.end; v++)
    if (!atomic_load_explicit(&t->full, memory_order_relaxed))
      t->codes->code[v] = (uint8_t)code_of(t, t->added[v]);
}

ms_status ms_codes_make(uint32_t n, const uint32_t *mask, int threads, ms_codes *out, ms_error *err)
{
  table t = {.lock = PTHREAD_MUTEX_INITIALIZER, .added = mask, .codes = out};
  *out = (ms_codes){.code = ms_alloc_lines(n, 1)};
  if (!out->code)
    return ms_fail_memory(err, "codes of slot masks");
  ms_parallel(threads, n, 0, code_range, &t);
  if (t.full)
    ms_codes_clear(out);
  return MS_OK;
}

void ms_codes_clear(ms_codes *codes)
{
  ms_free(codes->code);
  codes->code = NULL;
}
