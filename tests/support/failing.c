#include "tests/support/failing.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

typedef struct meter {
  long calls, fail_at, live;
  bool shrinking; /* the failed request was to make a block smaller */
} meter;

static void *meter_alloc(void *user, size_t bytes, size_t align)
{
  meter *m = user;
  if (++m->calls == m->fail_at)
    return NULL;
  m->live++;
  return aligned_alloc(align, (bytes + align - 1) / align * align);
}

static void *meter_resize(void *user, void *block, size_t old_bytes, size_t bytes)
{
  meter *m = user;
  if (++m->calls != m->fail_at)
    return realloc(block, bytes);
  m->shrinking = bytes <= old_bytes;
  return NULL;
}

static void meter_release(void *user, void *block)
{
  ((meter *)user)->live--;
  free(block);
}

static long run_all(ms_status (*work)(void *user, ms_error *err), void *user, bool may_survive)
{
  for (long failed = 0;; failed++) {
    ms_error err = {0};
    meter m = {.fail_at = failed + 1};
    ms_set_allocator(&(ms_allocator){meter_alloc, meter_resize, meter_release, &m});
    ms_status status = work(user, &err);
    ms_set_allocator(NULL);
    ck_assert_msg(m.live == 0, "request %ld: %ld blocks leak", m.fail_at, m.live);
    if (m.calls < m.fail_at) {
      ck_assert_msg(status == MS_OK, "%s", err.message);
      return failed;
    }
    if (may_survive && status == MS_OK)
      continue;
    ck_assert_msg(status == (m.shrinking ? MS_OK : MS_ERR_MEMORY), "request %ld: %s", m.fail_at,
                  err.message);
  }
}

long failing_runs(ms_status (*work)(void *user, ms_error *err), void *user)
{
  return run_all(work, user, false);
}

long failing_runs_survived(ms_status (*work)(void *user, ms_error *err), void *user)
{
  return run_all(work, user, true);
}
