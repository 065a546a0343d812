#include "tests/support/allocations.h"

#include <check.h>
#include <malloc.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static bool refuses(meter *m, size_t bytes)
{
  long number = atomic_fetch_add(&m->requests, 1) + 1;
  for (size_t old = m->largest; bytes > old;)
    if (atomic_compare_exchange_weak(&m->largest, &old, bytes))
      break;
  return m->fail_at > 0 && (m->fails_on ? number >= m->fail_at : number == m->fail_at);
}

static void *block_new(meter *m, size_t bytes, size_t align)
{
  align = align < _Alignof(max_align_t) ? _Alignof(max_align_t) : align;
  void *block =
      bytes > SIZE_MAX - align ? NULL : aligned_alloc(align, (bytes + align - 1) / align * align);
  if (!block)
    return NULL;
  atomic_fetch_add(&m->live, 1);
  size_t size = malloc_usable_size(block), now = atomic_fetch_add(&m->bytes, size) + size;
  for (size_t old = m->most_bytes; now > old;)
    if (atomic_compare_exchange_weak(&m->most_bytes, &old, now))
      break;
  return block;
}

static void *meter_alloc(void *user, size_t bytes, size_t align)
{
  return refuses(user, bytes) ? NULL : block_new(user, bytes, align);
}

static void meter_release(void *user, void *block)
{
  meter *m = user;
  if (!block)
    return;
  atomic_fetch_sub(&m->live, 1);
  atomic_fetch_sub(&m->bytes, malloc_usable_size(block));
  free(block);
}

static void *meter_resize(void *user, void *block, size_t old_bytes, size_t bytes)
{
  meter *m = user;
  if (refuses(m, bytes)) {
    m->shrinking = bytes <= old_bytes;
    return NULL;
  }
  void *moved = block_new(m, bytes, 1);
  if (moved && block) {
    memcpy(moved, block, old_bytes < bytes ? old_bytes : bytes);
    meter_release(m, block);
  }
  return moved;
}

static size_t meter_size(void *user, const void *block)
{
  (void)user;
  return malloc_usable_size((void *)block);
}

void meter_start(meter *m)
{
  m->shrinking = false;
  m->requests = m->live = 0;
  m->bytes = m->most_bytes = m->largest = 0;
  ms_set_allocator(&(ms_allocator){meter_alloc, meter_resize, meter_release, m});
  ms_set_block_size(meter_size);
}

void meter_stop(void)
{
  ms_set_allocator(NULL);
}

bool meter_has_failed(const meter *m)
{
  return m->fail_at > 0 && m->requests >= m->fail_at;
}

static long run_all(ms_status (*work)(void *user, ms_error *err), void *user, bool may_survive)
{
  for (long failed = 0;; failed++) {
    ms_error err = {0};
    meter m = {.fail_at = failed + 1};
    meter_start(&m);
    ms_status status = work(user, &err);
    meter_stop();
    ck_assert_msg(m.live == 0, "request %ld: %ld blocks leak", m.fail_at, m.live);
    if (!meter_has_failed(&m)) {
      ck_assert_msg(status == MS_OK, "%s", err.message);
      return failed;
    }
    if (may_survive && status == MS_OK)
      continue;
    ck_assert_msg(status == (m.shrinking ? MS_OK : MS_ERR_MEMORY), "request %ld: %s", m.fail_at,
                  err.message);
    ck_assert_msg(m.shrinking || strstr(err.message, "memory"), "request %ld: %s", m.fail_at,
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

typedef struct graph_file {
  const char *path;
  const ms_graph_options *options;
} graph_file;

static ms_status read_and_free(void *user, ms_error *err)
{
  const graph_file *file = user;
  ms_graph *graph = NULL;
  ms_status status = ms_graph_read(file->path, file->options, &graph, err);
  ms_graph_free(graph);
  return status;
}

void failing_graph_reads(const char *path, const ms_graph_options *options)
{
  ck_assert_int_gt(failing_runs(read_and_free, &(graph_file){path, options}), 10);
}
