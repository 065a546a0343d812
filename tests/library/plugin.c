/* A program, or a module of another program, that searches on GPUs by the library's plug-in.
 * Usage: plugin CASE
 *
 *   count      lists and counts the 4-cycles of a random graph by the engine dfs and by processors
 *   memory     the same with an allocator that marks its blocks: each block that anybody gives back
 *              is one of its own; then the n-th allocation fails, for every n until all succeed
 *   stop       a token that is stopped, and one that is stopped by the first row
 *   open FILE  loads the module FILE, which is this file compiled with -DMODULE, with RTLD_LOCAL,
 *              and does `count` there
 *
 * The last line is "fine".  The numbers are those of processors. */
#include "motifsieve.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VERTICES = 400, EDGES = 1600 };

static ms_graph *graph;
static ms_pattern_index *graph_index;
static ms_pattern *pattern;

static int fail(const char *what, const ms_error *err)
{
  printf("%s: %s\n", what, err ? err->message : "");
  return 1;
}

static int prepare(void)
{
  static uint32_t edges[EDGES][2];
  uint32_t state = 1;
  ms_error err;
  for (int i = 0; i < EDGES; i++)
    for (int end = 0; end < 2; end++) {
      state = state * 1664525u + 1013904223u;
      edges[i][end] = (state >> 8) % VERTICES;
    }
  if (ms_graph_from_edges(VERTICES, EDGES, (const uint32_t(*)[2])edges, NULL, &graph, &err) !=
          MS_OK ||
      ms_pattern_index_new(graph, NULL, 1, &graph_index, &err) != MS_OK ||
      ms_pattern_named("cycle:4", &pattern, &err) != MS_OK)
    return fail("the graph", &err);
  return 0;
}

static void release(void)
{
  ms_pattern_free(pattern);
  ms_pattern_index_free(graph_index);
  ms_graph_free(graph);
}

/* Lists or counts; *matches receives their number, and *stopped how the search ended. */
static ms_status search(const char *engine, bool count, ms_stop *stop, uint64_t *matches,
                        ms_status *stopped, ms_error *err)
{
  ms_pattern_options options = MS_PATTERN_OPTIONS_DEFAULT;
  ms_pattern_result *result = NULL;
  options.engine = engine;
  options.count_only = count;
  options.screen.stop = stop;
  options.screen.threads = 2;
  ms_status status = ms_pattern_list(graph_index, pattern, &options, &result, err);
  *matches = status == MS_OK ? result->matches : 0;
  *stopped = status == MS_OK ? result->stopped : MS_OK;
  if (status == MS_OK && strcmp(result->engine, engine) != 0)
    status = MS_ERR_INTERNAL;
  ms_pattern_result_free(result);
  return status;
}

static int count(void)
{
  uint64_t wanted, listed, counted;
  ms_status stopped;
  ms_error err = {MS_OK, "another engine ran"};
  if (prepare() != 0)
    return 1;
  if (search("cpu", false, NULL, &wanted, &stopped, &err) != MS_OK ||
      search("dfs", false, NULL, &listed, &stopped, &err) != MS_OK ||
      search("dfs", true, NULL, &counted, &stopped, &err) != MS_OK)
    return fail("a search", &err);
  release();
  if (wanted == 0 || listed != wanted || counted != wanted)
    return fail("the numbers differ", NULL);
  printf("%d devices, %llu matches\n", ms_device_count(), (unsigned long long)wanted);
  return 0;
}

#ifdef MODULE
MS_API int module_count(void);

int module_count(void)
{
  return count();
}
#else

/* ---- an allocator that knows its blocks --------------------------------------------------------
 */

#define MARK 0x6d6f746966736965u
enum { HEAD = 64 };

static struct {
  unsigned long long blocks, held, foreign, fail_at;
} heap;

static void *mark_alloc(void *user, size_t bytes, size_t align)
{
  size_t head = align > HEAD ? align : HEAD;
  (void)user;
  if (__atomic_add_fetch(&heap.blocks, 1, __ATOMIC_RELAXED) == heap.fail_at)
    return NULL;
  char *start = aligned_alloc(head, (head + bytes + head - 1) / head * head);
  if (!start)
    return NULL;
  char *block = start + head;
  memcpy(block - 8, &(uint64_t){MARK}, 8);
  memcpy(block - 16, &(uint64_t){head}, 8);
  memcpy(block - 24, &(uint64_t){bytes}, 8);
  __atomic_add_fetch(&heap.held, 1, __ATOMIC_RELAXED);
  return block;
}

static void mark_release(void *user, void *block)
{
  uint64_t mark, head;
  (void)user;
  memcpy(&mark, (char *)block - 8, 8);
  memcpy(&head, (char *)block - 16, 8);
  if (mark != MARK) {
    __atomic_add_fetch(&heap.foreign, 1, __ATOMIC_RELAXED);
    return;
  }
  memset((char *)block - 8, 0, 8);
  __atomic_sub_fetch(&heap.held, 1, __ATOMIC_RELAXED);
  free((char *)block - head);
}

static void *mark_resize(void *user, void *block, size_t old_bytes, size_t bytes)
{
  uint64_t size, mark;
  memcpy(&mark, (char *)block - 8, 8);
  memcpy(&size, (char *)block - 24, 8);
  if (mark != MARK) {
    __atomic_add_fetch(&heap.foreign, 1, __ATOMIC_RELAXED);
    return NULL;
  }
  void *copy = mark_alloc(user, bytes, sizeof(max_align_t));
  if (!copy)
    return NULL;
  (void)old_bytes;
  memcpy(copy, block, size < bytes ? size : bytes);
  mark_release(user, block);
  return copy;
}

/* In each round the search succeeds with the right number, or says that there is no memory. */
static int memory(void)
{
  const ms_allocator allocator = {mark_alloc, mark_resize, mark_release, NULL};
  uint64_t wanted, matches;
  ms_status stopped, status = MS_OK;
  ms_error err = {MS_OK, "another engine ran"};
  unsigned long long held = 0, failures = 0, by_gpu;
  ms_set_allocator(&allocator);
  if (prepare() != 0)
    return 1;
  if (search("cpu", true, NULL, &wanted, &stopped, &err) != MS_OK)
    return fail("a search", &err);
  for (unsigned long long n = 0; n == 0 || heap.fail_at <= heap.blocks; n++) {
    held = heap.held;
    heap.blocks = 0;
    heap.fail_at = n;
    status = search("dfs", false, NULL, &matches, &stopped, &err);
    failures += status == MS_ERR_MEMORY || stopped == MS_ERR_MEMORY;
    if (status != MS_ERR_MEMORY && (status != MS_OK || (stopped == MS_OK && matches != wanted)))
      return fail("an allocation failed, and so", &err);
    if (n > 0 && heap.held > held) /* the first search keeps what later ones use */
      return fail("a block was not given back", NULL);
    if (n == 0)
      by_gpu = heap.blocks;
  }
  release();
  printf("%llu allocations, %llu failures\n", by_gpu, failures);
  if (heap.foreign > 0)
    return fail("a block of another allocator", NULL);
  return failures < 10 ? fail("too few failures", NULL) : 0;
}

static int stop(void)
{
  uint64_t matches;
  ms_status stopped;
  ms_stop *token = NULL;
  ms_error err = {MS_OK, "another engine ran"};
  if (prepare() != 0)
    return 1;
  if (ms_stop_new(&token, &err) != MS_OK)
    return fail("the token", &err);
  ms_stop_request(token);
  if (search("dfs", false, token, &matches, &stopped, &err) != MS_OK)
    return fail("a search", &err);
  ms_stop_free(token);
  release();
  return stopped == MS_ERR_INTERRUPTED ? 0 : fail("the stopped search went on", NULL);
}

static int open_module(const char *path)
{
  int (*function)(void);
  void *module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  void *address = module ? dlsym(module, "module_count") : NULL;
  if (!address) {
    printf("%s\n", dlerror());
    return 1;
  }
  memcpy(&function, &address, sizeof function);
  return function();
}

int main(int argc, char **argv)
{
  const char *word = argc > 1 ? argv[1] : "";
  int bad = strcmp(word, "count") == 0              ? count()
            : strcmp(word, "memory") == 0           ? memory()
            : strcmp(word, "stop") == 0             ? stop()
            : argc > 2 && strcmp(word, "open") == 0 ? open_module(argv[2])
                                                    : 2;
  puts(bad ? "failed" : "fine");
  return bad;
}
#endif
