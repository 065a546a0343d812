/* A program that lives in conditions that a library must survive.  Usage: host LIBRARY CASE
 *
 *   threads   every thread that the library starts is refused: there is no address space for stacks
 *   fork      a child of fork() calls the library after its parent called it with several threads
 *
 * Each case counts the components of a path with four threads; there is one.  The last line is
 * "alive". */
#include "motifsieve.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define VERTICES 500000u

static struct {
  ms_status (*from_edges)(uint32_t, uint64_t, const uint32_t (*)[2], const char *const *,
                          ms_graph **, ms_error *);
  ms_status (*components)(const ms_graph *, ms_components_algorithm, int, uint32_t *, uint32_t *,
                          ms_error *);
} ms;

/* Finds a function of the library; ISO C has no conversion of a void pointer to a function's. */
static void find(void *library, const char *name, void *function, size_t bytes)
{
  void *address = dlsym(library, name);
  if (!address) {
    fprintf(stderr, "host: %s\n", dlerror());
    exit(1);
  }
  memcpy(function, &address, bytes);
}

static bool one_component(const ms_graph *graph)
{
  static uint32_t component[VERTICES];
  uint32_t count = 0;
  ms_error err;
  if (ms.components(graph, MS_COMPONENTS_AFFOREST, 4, component, &count, &err) != MS_OK)
    fprintf(stderr, "host: %s\n", err.message);
  return count == 1;
}

static void *do_nothing(void *user)
{
  return user;
}

/* Leaves room for what a call allocates, and not for a stack.  Returns true if a thread of the
 * program itself is refused. */
static bool refuse_threads(void)
{
  unsigned long pages = 0;
  pthread_t thread;
  FILE *in = fopen("/proc/self/statm", "r");
  if (!in || fscanf(in, "%lu", &pages) != 1)
    return false;
  fclose(in);
  rlim_t bytes = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + (6u << 20);
  struct rlimit limit = {bytes, bytes};
  return setrlimit(RLIMIT_AS, &limit) == 0 && pthread_create(&thread, NULL, do_nothing, NULL) != 0;
}

static bool child_works(const ms_graph *graph)
{
  int status = 1;
  pid_t child = fork();
  if (child == 0) {
    alarm(60); /* not for ever, if the child waits for a thread of its parent */
    _exit(one_component(graph) ? 0 : 1);
  }
  return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) &&
         WEXITSTATUS(status) == 0;
}

/* Starts the program again with stacks of 64 MiB: their size is read when a program starts. */
static void begin_with_large_stacks(char **argv)
{
  struct rlimit stack = {64u << 20, 64u << 20};
  if (getenv("HOST_BEGUN"))
    return;
  setenv("HOST_BEGUN", "1", 1);
  setenv("OMP_NUM_THREADS", "1", 1); /* for the graph; the search asks for four */
  if (setrlimit(RLIMIT_STACK, &stack) == 0)
    execv("/proc/self/exe", argv);
  perror("host");
  exit(1);
}

int main(int argc, char **argv)
{
  if (argc == 3 && strcmp(argv[2], "threads") == 0)
    begin_with_large_stacks(argv);
  static uint32_t edges[VERTICES][2];
  void *library = argc == 3 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
  ms_graph *graph = NULL;
  ms_error err;
  bool good = false;
  if (!library) {
    fprintf(stderr, "host: %s\n", argc == 3 ? dlerror() : "usage: host LIBRARY threads|fork");
    return 1;
  }
  find(library, "ms_graph_from_edges", &ms.from_edges, sizeof ms.from_edges);
  find(library, "ms_graph_components", &ms.components, sizeof ms.components);
  for (uint32_t v = 0; v + 1 < VERTICES; v++) {
    edges[v][0] = v;
    edges[v][1] = v + 1;
  }
  if (strcmp(argv[2], "fork") == 0) {
    good = ms.from_edges(VERTICES, VERTICES - 1, (const uint32_t(*)[2])edges, NULL, &graph, &err) ==
               MS_OK &&
           one_component(graph) && child_works(graph) && one_component(graph);
  } else if (strcmp(argv[2], "threads") == 0) {
    good = ms.from_edges(VERTICES, VERTICES - 1, (const uint32_t(*)[2])edges, NULL, &graph, &err) ==
               MS_OK &&
           refuse_threads() && one_component(graph);
  }
  puts(good ? "alive" : "failed");
  return good ? 0 : 1;
}
