/* Times the count or the list of a motif's matches by an engine, within one process:
 *
 *   motif_count [-lpu] [-d GPUS] [-h ENTRIES] [-r RUNS] [-s LONGEST] [-t THREADS] [-w PART]
 *       [-y WAY] ENGINE GRAPH COLORS MOTIF
 *
 * ENGINE is cpu or gpu, COLORS a table of vertices and colours, or - for none.  The first of RUNS
 * (4) starts the GPU.  A line for each run: the seconds in which the region was ranked and its
 * matches were counted, of the latter those in which GPUs searched, the sets that were visited, and
 * the number of matches modulo 2^64; with -p, also a sum of the numbers of all vertices.  With -l
 * the matches are listed, for a receiver that counts them and looks at one vertex of each, and the
 * sum is the number of bytes that a GPU's records had; with -u the host does not read these
 * records.  With -w a unit of a GPU's work has about PART candidates.  With -d the first
 * GPUS devices count; without it the engine chooses.  With -h the tables of GPUs have ENTRIES
 * entries, and with -s sets of at most LONGEST candidates are searched side by side.  With -y the
 * CPU counts in one way: 1 lists, 2 rows of bits, 3 balls, 4 with three levels folded
 * (motif/count/count.h). */
#include "base/hooks.h"
#include "base/threads/stop.h"
#include "bench/harness.h"
#include "gpu/motif/engine.h"
#include "motif/count/count.h"
#include "motif/engine.h"
#include "query/query.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_GPUS = 64 };

static void check(ms_status status, const ms_error *err)
{
  if (status == MS_OK)
    return;
  fprintf(stderr, "motif_count: %s\n", err->message);
  exit(1);
}

static void count(const ms_engine *engine, const ms_instance *instance, int threads,
                  uint32_t devices, bool takes)
{
  void *context = NULL;
  int device[MOST_GPUS];
  ms_error err;
  ms_count_sink sink = {.taking = takes ? calloc(instance->n, sizeof *sink.taking) : NULL,
                        .device = device,
                        .devices = devices};
  for (int i = 0; i < MOST_GPUS; i++)
    device[i] = i;
  uint64_t sum = 0;
  double opened = ms_seconds();
  check(engine->open(instance, threads, &context, &err), &err);
  double begin = ms_seconds();
  check(engine->count(context, 0, engine->units(context), &sink, NULL, &err), &err);
  double end = ms_seconds();
  engine->close(context);
  for (uint32_t v = 0; takes && v < instance->n; v++)
    sum += sink.taking[v] * (v + 1);
  printf("%s\t%.6f\t%.6f\t%.6f\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\n", engine->name,
         begin - opened, end - begin, ms_hooks.gpu_motif_seconds, sink.visits, sink.low, sum);
  ms_hooks.gpu_motif_seconds = 0;
  fflush(stdout);
  free(sink.taking);
}

/* What a thread has received. */
typedef struct received {
  _Alignas(128) uint64_t matches;
  uint64_t sum;
} received;

/* Receives single matches; motifs of one slot have no others. */
static bool receive_one(void *user, int thread, const uint32_t *set)
{
  received *r = (received *)user + thread;
  r->matches++;
  r->sum += set[0];
  return true;
}

static bool receive(void *user, int thread, const uint32_t *set, const uint32_t *last,
                    uint32_t count)
{
  received *r = (received *)user + thread;
  r->matches += count;
  r->sum += set[0];
  for (uint32_t i = 0; i < count; i++)
    r->sum += last[i];
  return true;
}

static void list(const ms_engine *engine, const ms_instance *instance, int threads)
{
  void *context = NULL;
  ms_error err;
  atomic_uint_fast64_t visits;
  received *of = aligned_alloc(128, (size_t)threads * sizeof *of);
  const ms_match_sink sink = {
      .match = receive_one, .matches = receive, .user = of, .visits = &visits};
  uint64_t matches = 0;
  atomic_init(&visits, 0);
  memset(of, 0, (size_t)threads * sizeof *of);
  double opened = ms_seconds();
  check(engine->open(instance, threads, &context, &err), &err);
  double begin = ms_seconds();
  check(engine->run(context, 0, engine->units(context), &sink, NULL, &err), &err);
  double end = ms_seconds();
  engine->close(context);
  for (int t = 0; t < threads; t++)
    matches += of[t].matches;
  printf("%s\t%.6f\t%.6f\t%.6f\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\n", engine->name,
         begin - opened, end - begin, ms_hooks.gpu_motif_seconds, (uint64_t)atomic_load(&visits),
         matches, ms_hooks.gpu_list_bytes);
  ms_hooks.gpu_motif_seconds = 0;
  ms_hooks.gpu_list_bytes = 0;
  fflush(stdout);
  free(of);
}

int main(int argc, char **argv)
{
  int option, runs = 4, threads = 1, devices = 0;
  bool takes = false, lists = false;
  while ((option = getopt(argc, argv, "d:h:lpr:s:t:uw:y:")) != -1) {
    if (option == 'p')
      takes = true;
    else if (option == 'd')
      devices = atoi(optarg);
    else if (option == 'y')
      ms_hooks.count_way = atoi(optarg);
    else if (option == 'h')
      ms_hooks.gpu_motif_table = (uint32_t)atoi(optarg);
    else if (option == 'l')
      lists = true;
    else if (option == 'u')
      ms_hooks.gpu_list_unread = true;
    else if (option == 'r')
      runs = atoi(optarg);
    else if (option == 's')
      ms_hooks.gpu_motif_short_row = (uint32_t)atoi(optarg);
    else if (option == 't')
      threads = atoi(optarg);
    else if (option == 'w')
      ms_hooks.gpu_motif_part = (uint32_t)atoi(optarg);
    else
      return 2;
  }
  if (argc - optind != 4 || devices < 0 || devices > MOST_GPUS) {
    fprintf(stderr,
            "usage: motif_count [-lpu] [-d GPUS] [-h ENTRIES] [-r RUNS] [-s LONGEST] [-t THREADS] "
            "[-w PART] [-y WAY] ENGINE GRAPH COLORS MOTIF\n");
    return 2;
  }
  argv += optind;
  const ms_engine *engine =
      strcmp(argv[0], "gpu") == 0 ? &ms_engine_gpu_sets : &ms_engine_connected_sets;
  ms_graph *graph;
  ms_coloring *coloring;
  ms_motif *motif;
  ms_query *query;
  ms_instance *instance;
  ms_error err;
  check(ms_graph_read(argv[1], NULL, &graph, &err), &err);
  check(strcmp(argv[2], "-") == 0 ? ms_coloring_from_pairs(graph, 0, NULL, 0, NULL, &coloring, &err)
                                  : ms_coloring_read(argv[2], graph, NULL, &coloring, &err),
        &err);
  check(ms_motif_parse(argv[3], coloring, &motif, &err), &err);
  check(ms_query_new(graph, coloring, motif, 0, NULL, &query, &err), &err);
  check(ms_instance_new(query, threads, &instance, &err), &err);
  if (ms_hooks.gpu_list_unread) {
    double speed;
    check(ms_gpu_motif_link(0, &speed, &err), &err);
    printf("link\t%.2f\n", speed / 1e9);
  }
  printf("engine\topen\tcount\tsearch\tvisits\tmatches\tsum\n");
  for (int r = 0; r < runs; r++)
    if (lists)
      list(engine, instance, threads);
    else
      count(engine, instance, threads, (uint32_t)devices, takes);
  ms_instance_free(instance);
  ms_query_free(query);
  ms_motif_free(motif);
  ms_coloring_free(coloring);
  ms_graph_free(graph);
  return 0;
}
