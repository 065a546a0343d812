/* A program, or a module of another program, that searches on GPUs by the library's plug-in.
 * Usage: plugin CASE
 *
 *   count      4-cycles, connected sets of a motif, and a census, by engines on GPUs and by
 * processors memory     the same with an allocator that marks its blocks: each block that anybody
 * gives back is one of its own; then the n-th allocation of each search on GPUs fails, for every n
 *              until all succeed
 *   stop       a token that is stopped
 *   open FILE  loads the module FILE, which is this file compiled with -DMODULE, with RTLD_LOCAL,
 *              and does `count` there
 *
 * The last line is "fine".  The numbers are those of processors. */
#include "motifsieve.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VERTICES = 80, EDGES = 200 };

static ms_graph *graph;
static ms_coloring *coloring;
static ms_motif *motif;
static ms_query *query;
static ms_pattern_index *graph_index;
static ms_pattern *pattern;

static int fail(const char *what, const ms_error *err)
{
  printf("%s: %s\n", what, err ? err->message : "");
  return 1;
}

static int prepare(void)
{
  static const char *const names[] = {"red", "green", "blue"};
  static uint32_t edges[EDGES][2], pairs[VERTICES][2];
  uint32_t state = 1;
  ms_error err;
  for (int i = 0; i < EDGES; i++)
    for (int end = 0; end < 2; end++) {
      state = state * 1664525u + 1013904223u;
      edges[i][end] = (state >> 8) % VERTICES;
    }
  for (uint32_t v = 0; v < VERTICES; v++) {
    pairs[v][0] = v;
    pairs[v][1] = v * 7 % 3;
  }
  if (ms_graph_from_edges(VERTICES, EDGES, (const uint32_t(*)[2])edges, NULL, &graph, &err) !=
          MS_OK ||
      ms_coloring_from_pairs(graph, VERTICES, (const uint32_t(*)[2])pairs, 3, names, &coloring,
                             &err) != MS_OK ||
      ms_motif_parse("red:2,green,blue", coloring, &motif, &err) != MS_OK ||
      ms_query_new(graph, coloring, motif, 0, NULL, &query, &err) != MS_OK ||
      ms_pattern_index_new(graph, NULL, 1, &graph_index, &err) != MS_OK ||
      ms_pattern_named("cycle:4", &pattern, &err) != MS_OK)
    return fail("the graph", &err);
  return 0;
}

static void release(void)
{
  ms_pattern_free(pattern);
  ms_pattern_index_free(graph_index);
  ms_query_free(query);
  ms_motif_free(motif);
  ms_coloring_free(coloring);
  ms_graph_free(graph);
}

/* What a search found: a number, and how it ended. */
typedef struct outcome {
  uint64_t number;
  ms_status stopped;
  bool by_another; /* another engine than the one that was asked for */
} outcome;

static ms_status find_cycles(bool gpu, bool count, ms_stop *stop, outcome *out, ms_error *err)
{
  ms_pattern_options options = MS_PATTERN_OPTIONS_DEFAULT;
  ms_pattern_result *result = NULL;
  options.screen.run.engine = gpu ? "dfs" : "cpu";
  options.count_only = count;
  options.screen.run.stop = stop;
  options.screen.run.threads = 2;
  ms_status status = ms_pattern_list(graph_index, pattern, &options, &result, err);
  if (status == MS_OK)
    *out = (outcome){result->matches, result->run.stopped,
                     !result->run.engine ||
                         strcmp(result->run.engine, options.screen.run.engine) != 0};
  ms_pattern_result_free(result);
  return status;
}

static ms_status list_cycles(bool gpu, ms_stop *stop, outcome *out, ms_error *err)
{
  return find_cycles(gpu, false, stop, out, err);
}

static ms_status count_cycles(bool gpu, ms_stop *stop, outcome *out, ms_error *err)
{
  return find_cycles(gpu, true, stop, out, err);
}

static ms_status find_sets(bool gpu, bool count, ms_stop *stop, outcome *out, ms_error *err)
{
  ms_list_options options = MS_LIST_OPTIONS_DEFAULT;
  ms_list_result *result = NULL;
  options.exact = true;
  options.screen.run.engine = gpu ? "gpu" : "cpu";
  options.count_only = count;
  options.screen.run.stop = stop;
  options.screen.run.threads = 2;
  ms_status status = ms_list(query, &options, &result, err);
  if (status == MS_OK)
    *out = (outcome){result->matches, result->run.stopped,
                     !result->run.engine ||
                         strcmp(result->run.engine, options.screen.run.engine) != 0};
  ms_list_result_free(result);
  return status;
}

static ms_status list_sets(bool gpu, ms_stop *stop, outcome *out, ms_error *err)
{
  return find_sets(gpu, false, stop, out, err);
}

static ms_status count_sets(bool gpu, ms_stop *stop, outcome *out, ms_error *err)
{
  return find_sets(gpu, true, stop, out, err);
}

static ms_status take_census(bool gpu, ms_stop *stop, outcome *out, ms_error *err)
{
  ms_census_options options = MS_CENSUS_OPTIONS_DEFAULT;
  ms_census_result *result = NULL;
  options.k = 4;
  options.run.engine = gpu ? "gpu" : "cpu";
  options.run.stop = stop;
  options.run.threads = 2;
  ms_status status = ms_census(graph, coloring, &options, &result, err);
  if (status == MS_OK) {
    *out = (outcome){.stopped = result->run.stopped,
                     .by_another = !result->run.engine ||
                                   strcmp(result->run.engine, options.run.engine) != 0};
    for (uint32_t i = 0; i < result->count; i++)
      out->number += (i + 1) * result->n_sets[i];
  }
  ms_census_result_free(result);
  return status;
}

typedef ms_status search_fn(bool gpu, ms_stop *stop, outcome *out, ms_error *err);
static const struct {
  const char *name;
  search_fn *run;
} searches[] = {{"list of cycles", list_cycles},
                {"count of cycles", count_cycles},
                {"list of sets", list_sets},
                {"count of sets", count_sets},
                {"census", take_census}};
enum { SEARCHES = sizeof searches / sizeof *searches };

static int count(void)
{
  if (prepare() != 0)
    return 1;
  for (int i = 0; i < SEARCHES; i++) {
    outcome by_cpu, by_gpu;
    ms_error err;
    if (searches[i].run(false, NULL, &by_cpu, &err) != MS_OK ||
        searches[i].run(true, NULL, &by_gpu, &err) != MS_OK)
      return fail(searches[i].name, &err);
    printf("%s: %llu\n", searches[i].name, (unsigned long long)by_cpu.number);
    if (by_cpu.number == 0 || by_cpu.number != by_gpu.number || by_gpu.by_another)
      return fail("not by the GPU", NULL);
  }
  release();
  printf("%d devices\n", ms_device_count());
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
static int fail_all(int i)
{
  outcome by_cpu, by_gpu;
  ms_error err;
  unsigned long long held = 0, failures = 0, all = 0;
  heap.fail_at = 0;
  if (searches[i].run(false, NULL, &by_cpu, &err) != MS_OK)
    return fail(searches[i].name, &err);
  for (unsigned long long n = 0; n == 0 || heap.fail_at <= heap.blocks; n++) {
    held = heap.held;
    heap.blocks = 0;
    heap.fail_at = n;
    ms_status status = searches[i].run(true, NULL, &by_gpu, &err);
    if (status == MS_OK && by_gpu.stopped == MS_OK && by_gpu.number != by_cpu.number)
      return fail("a wrong number", NULL);
    if (status != MS_OK && status != MS_ERR_MEMORY)
      return fail("an allocation failed, and so", &err);
    failures += status == MS_ERR_MEMORY || by_gpu.stopped == MS_ERR_MEMORY;
    if (n > 0 && heap.held > held) /* the first search keeps what later ones use */
      return fail("a block was not given back", NULL);
    if (n == 0)
      all = heap.blocks;
  }
  printf("%s: %llu allocations, %llu failures\n", searches[i].name, all, failures);
  return failures < 10 ? fail("too few failures", NULL) : 0;
}

static int memory(void)
{
  const ms_allocator allocator = {mark_alloc, mark_resize, mark_release, NULL};
  ms_set_allocator(&allocator);
  int bad = prepare();
  for (int i = 0; i < SEARCHES && !bad; i++)
    bad = fail_all(i);
  heap.fail_at = 0;
  release();
  return heap.foreign > 0 ? fail("a block of another allocator", NULL) : bad;
}

static int stop(void)
{
  ms_stop *token = NULL;
  ms_error err;
  if (prepare() != 0)
    return 1;
  if (ms_stop_new(&token, &err) != MS_OK)
    return fail("the token", &err);
  ms_stop_request(token);
  for (int i = 0; i < SEARCHES; i++) {
    outcome out;
    ms_status status = searches[i].run(true, token, &out, &err);
    if (status != MS_ERR_INTERRUPTED && (status != MS_OK || out.stopped != MS_ERR_INTERRUPTED))
      return fail("the stopped search went on", NULL);
  }
  ms_stop_free(token);
  release();
  return 0;
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
