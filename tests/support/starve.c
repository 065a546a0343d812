#include "tests/support/starve.h"

#include <check.h>
#include <stdlib.h>

typedef struct ration {
  int left; /* allocations until one fails */
  bool failed;
  int live;
} ration;

static bool fails(ration *r)
{
  bool now = r->left-- == 0;
  r->failed |= now;
  return now;
}

static void *take(void *user, size_t bytes, size_t align)
{
  ration *r = user;
  void *block = NULL;
  if (fails(r) || posix_memalign(&block, align, bytes))
    return NULL;
  r->live++;
  return block;
}

static void *change(void *user, void *block, size_t old_bytes, size_t bytes)
{
  ration *r = user;
  (void)old_bytes;
  if (fails(r))
    return NULL;
  r->live += !block;
  return realloc(block, bytes);
}

static void release(void *user, void *block)
{
  ration *r = user;
  r->live -= block != NULL;
  free(block);
}

void starve_graph(const char *path, const ms_graph_options *options)
{
  ration r = {0, true, 0};
  ms_allocator allocator = {take, change, release, &r};
  for (int n = 0; r.failed; n++) {
    ms_graph *graph;
    ms_error err = {0};
    r = (ration){n, false, 0};
    ms_set_allocator(&allocator);
    ms_status status = ms_graph_read(path, options, &graph, &err);
    ms_graph_free(graph);
    ms_set_allocator(NULL);
    ck_assert_msg(r.live == 0, "allocation %d fails: %d blocks are left", n, r.live);
    /* a block that could not be made smaller does as well */
    ck_assert_msg(status == MS_ERR_MEMORY || status == MS_OK, "allocation %d fails: status %d: %s",
                  n, (int)status, err.message);
    ck_assert_msg(status == MS_ERR_MEMORY || !r.failed || n > 10, "allocation %d fails unseen", n);
  }
}
