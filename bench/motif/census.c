/* Times the census of a graph of points in the plane, or of files, within one process:
 *
 *   census [-n POINTS] [-d NEIGHBORS] [-c COLORS] [-s SEED] [-o] [OPTION..] K
 *   census [OPTION..] K GRAPH [COLORS]
 *
 * OPTION: -t THREADS, -r RUNS, -f FORM, -e ENGINE, -g GPUS, -l LABELINGS, -p PERMUTATIONS, -N NULL,
 * -E ENGINE, -v, -w, -T TOP, -S, -D.
 *
 * The points (1000000) are uniform in a square.  Each is joined to its nearest NEIGHBORS (6), and
 * an edge joins two points of which either has the other among these.  Each has one of COLORS (20)
 * at random.  -o writes graph and colours to files and ends.  A line for each run (3): the seconds
 * of the census, the processor time, the number of sets, that of motifs, the sets that were
 * visited, the bytes of the tables, their form, what counted, the seconds that GPUs searched, the
 * vertices that they left, and a checksum of the motifs.  FORM: 1: dense, 2: sparse.  ENGINE: auto,
 * cpu (the default) or gpu; GPUS: use that many.  -S: shapes are counted, as they are in a file
 * without COLORS; -D: the file's edges have directions.
 *
 * -l: then lines for that many random labellings on a GPU, 64 at a time: the seconds of all, and
 * those that the GPU searched.
 *
 * -v: then lines for the numbers of each vertex, with the first TOP motifs of each (all): the
 * seconds of the census with its rows, which a receiver adds up, the processor time, the rows, the
 * bytes of the host and of a GPU, what counted, the seconds that GPUs searched, the vertices that
 * they left, and a checksum.  -w: at the end, lines for the floor of a GPU (census_floor.h), beside
 * the last run.
 *
 * With -p PERMUTATIONS, each census is also followed by so many permutations under the null NULL of
 * -N (0: labels, 1: degree, 2: edges, 3: rewire) by the engine of -E (0: any, 1: one by one, 2:
 * batches on processors, 3: GPUs): a line with their seconds, the processor time, permutations a
 * second, and a checksum of the means. */
#include "census/census.h"
#include "base/hooks.h"
#include "base/threads/stop.h"
#include "bench/harness.h"
#include "bench/motif/census_floor.h"
#include "census/accelerator.h"
#include "significance/permute/permute.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define MOST_NEIGHBORS 32u
#define POINTS_IN_CELL 2.0

typedef struct plane {
  uint32_t n, neighbors, colors, side; /* cells in a row */
  uint64_t seed;
  double *x, *y;
  uint32_t *first; /* [side^2 + 1] of the points in each cell */
  uint32_t *point; /* [n] by their cells */
  uint32_t (*edge)[2];
  uint64_t m;
} plane;

static void check(ms_status status, const ms_error *err)
{
  if (status == MS_OK)
    return;
  fprintf(stderr, "census: %s\n", err->message);
  exit(1);
}

static void *allocate(size_t count, size_t size)
{
  void *block = calloc(count, size);
  if (!block) {
    fprintf(stderr, "census: out of memory\n");
    exit(1);
  }
  return block;
}

/* splitmix64 */
static uint64_t next_random(uint64_t *state)
{
  uint64_t z = *state += 0x9e3779b97f4a7c15;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}

static double next_real(uint64_t *state)
{
  return (double)(next_random(state) >> 11) * 0x1p-53;
}

static uint32_t cell_of(const plane *p, double coordinate)
{
  uint32_t cell = (uint32_t)(coordinate * p->side);
  return cell < p->side ? cell : p->side - 1;
}

static uint32_t cell_of_point(const plane *p, uint32_t i)
{
  return cell_of(p, p->y[i]) * p->side + cell_of(p, p->x[i]);
}

static void make_points(plane *p)
{
  p->side = (uint32_t)sqrt(p->n / POINTS_IN_CELL) + 1;
  p->x = allocate(p->n, sizeof *p->x);
  p->y = allocate(p->n, sizeof *p->y);
  p->point = allocate(p->n, sizeof *p->point);
  p->first = allocate((size_t)p->side * p->side + 2, sizeof *p->first);
  for (uint32_t i = 0; i < p->n; i++) {
    p->x[i] = next_real(&p->seed);
    p->y[i] = next_real(&p->seed);
    p->first[cell_of_point(p, i) + 2]++;
  }
  for (uint32_t c = 0; c < p->side * p->side; c++)
    p->first[c + 1] += p->first[c];
  for (uint32_t i = 0; i < p->n; i++)
    p->point[p->first[cell_of_point(p, i) + 1]++] = i;
}

/* Fills near[] with the nearest points of i, looking at rings of cells until no further cell can
 * hold a nearer one. */
static uint32_t find_nearest(const plane *p, uint32_t i, uint32_t *near)
{
  double distance[MOST_NEIGHBORS];
  uint32_t found = 0;
  int64_t column = cell_of(p, p->x[i]), row = cell_of(p, p->y[i]), side = p->side;
  for (int64_t ring = 0; ring < side; ring++) {
    double clear = (double)(ring - 1) / p->side; /* all nearer points were seen */
    if (found == p->neighbors && ring > 0 && distance[found - 1] <= clear * clear)
      break;
    for (int64_t r = row - ring; r <= row + ring; r++)
      for (int64_t c = column - ring; c <= column + ring; c++) {
        bool edge = r == row - ring || r == row + ring || c == column - ring || c == column + ring;
        if (!edge || r < 0 || c < 0 || r >= side || c >= side)
          continue;
        for (uint32_t a = p->first[r * side + c]; a < p->first[r * side + c + 1]; a++) {
          uint32_t j = p->point[a];
          double dx = p->x[j] - p->x[i], dy = p->y[j] - p->y[i], d = dx * dx + dy * dy;
          if (j == i || (found == p->neighbors && d >= distance[found - 1]))
            continue;
          uint32_t at = found < p->neighbors ? found++ : found - 1;
          for (; at > 0 && distance[at - 1] > d; at--) {
            distance[at] = distance[at - 1];
            near[at] = near[at - 1];
          }
          distance[at] = d;
          near[at] = j;
        }
      }
  }
  return found;
}

static void join_points(plane *p)
{
  uint32_t near[MOST_NEIGHBORS];
  p->edge = allocate((size_t)p->n * p->neighbors, sizeof *p->edge);
  for (uint32_t i = 0; i < p->n; i++) {
    uint32_t found = find_nearest(p, i, near);
    for (uint32_t a = 0; a < found; a++) {
      p->edge[p->m][0] = i;
      p->edge[p->m++][1] = near[a];
    }
  }
}

static void make_plane(plane *p, ms_graph **graph, ms_coloring **coloring)
{
  ms_error err;
  uint32_t(*pair)[2] = allocate(p->n, sizeof *pair);
  char text[64][8];
  const char *name[64];
  make_points(p);
  join_points(p);
  for (uint32_t c = 0; c < p->colors; c++) {
    snprintf(text[c], sizeof text[c], "c%" PRIu32, c);
    name[c] = text[c];
  }
  for (uint32_t i = 0; i < p->n; i++) {
    pair[i][0] = i;
    pair[i][1] = (uint32_t)(next_random(&p->seed) % p->colors);
  }
  check(ms_graph_from_edges(p->n, p->m, (const uint32_t(*)[2])p->edge, NULL, graph, &err), &err);
  check(ms_coloring_from_pairs(*graph, p->n, (const uint32_t(*)[2])pair, p->colors, name, coloring,
                               &err),
        &err);
  free(pair);
}

static void write_files(const ms_graph *graph, const ms_coloring *coloring, char **path)
{
  FILE *edges = fopen(path[0], "w"), *colors = fopen(path[1], "w");
  if (!edges || !colors) {
    fprintf(stderr, "census: cannot write %s or %s\n", path[0], path[1]);
    exit(1);
  }
  for (uint32_t v = 0; v < ms_graph_vertex_count(graph); v++) {
    uint32_t count;
    const uint32_t *row = ms_graph_neighbors(graph, v, &count);
    for (uint32_t i = 0; i < count; i++)
      if (row[i] > v)
        fprintf(edges, "%" PRIu32 "\t%" PRIu32 "\n", v, row[i]);
    const uint32_t *color = ms_coloring_of(coloring, v, &count);
    for (uint32_t i = 0; i < count; i++)
      fprintf(colors, "%" PRIu32 "\t%s\n", v, ms_coloring_name(coloring, color[i]));
  }
  fclose(edges);
  fclose(colors);
}

/* FNV-1a of the colours and the numbers of all motifs, in their order. */
static uint64_t checksum(const ms_census_result *r)
{
  uint64_t sum = 0xcbf29ce484222325;
  for (uint64_t i = 0; i < r->count; i++) {
    for (uint32_t j = 0; r->color && j < r->k; j++)
      sum = (sum ^ r->color[i * r->k + j]) * 0x100000001b3;
    if (r->shape)
      sum = (sum ^ r->shape[i]) * 0x100000001b3;
    sum = (sum ^ r->n_sets[i]) * 0x100000001b3;
  }
  return sum;
}

/* Times `labelings` random labellings, with the colours of the graph in a random order. */
static void time_labelings(const ms_graph *graph, const ms_coloring *coloring,
                           const ms_census_options *o, uint32_t labelings)
{
  ms_census_graph *g;
  ms_dense dense;
  ms_error err;
  void *context;
  uint64_t state = 5;
  check(ms_census_graph_new(graph, coloring, o, &g, &err), &err);
  check(ms_dense_open(&dense, g->kinds, o->k, &err), &err);
  uint64_t cells = dense.rows * g->kinds, sets = 0;
  uint8_t *label = allocate(g->n, MS_CENSUS_AT_A_TIME);
  uint64_t *cell = allocate(cells * MS_CENSUS_AT_A_TIME, sizeof *cell);
  for (uint64_t i = 0; i < (uint64_t)g->n * MS_CENSUS_AT_A_TIME; i++)
    label[i] = (uint8_t)(next_random(&state) % g->kinds);
  const ms_census_on on = {.graph = g,
                           .k = o->k,
                           .dense = &dense,
                           .device = o->run.devices,
                           .devices = o->run.n_devices,
                           .threads = o->run.threads};
  double begin = ms_seconds();
  check(ms_census_gpus.open(&on, &context, &err), &err);
  check(ms_census_gpus.count(context, NULL, cell, &err), &err);
  printf("k %" PRIu32 "\topening and the first count\t%.3f s\n", o->k, ms_seconds() - begin);
  begin = ms_seconds();
  double searched = ms_hooks.gpu_census_seconds;
  for (uint32_t done = 0; done < labelings; done += MS_CENSUS_AT_A_TIME) {
    uint32_t some = labelings - done;
    some = some < MS_CENSUS_AT_A_TIME ? some : MS_CENSUS_AT_A_TIME;
    check(ms_census_gpus.count_labels(context, label, some, cell, &err), &err);
  }
  for (uint64_t i = 0; i < cells; i++)
    sets += cell[i];
  printf("k %" PRIu32 "\t%" PRIu32 " labellings\t%.3f s\t%.3f s on GPUs\t%" PRIu64
         " sets of each\n",
         o->k, labelings, ms_seconds() - begin, ms_hooks.gpu_census_seconds - searched, sets);
  ms_census_gpus.close(context);
  ms_dense_close(&dense);
  ms_census_graph_free(g);
  free(label);
  free(cell);
}

/* FNV-1a of all rows. */
typedef struct row_sum {
  uint32_t k;
  uint64_t sum;
} row_sum;

static bool add_vertex(void *user, const ms_census_vertex *v)
{
  row_sum *s = user;
  s->sum = (s->sum ^ v->vertex ^ v->sets << 32) * 0x100000001b3;
  for (uint64_t i = 0; i < v->count; i++) {
    uint64_t word = v->n_sets[i];
    for (uint32_t j = 0; j < s->k; j++)
      word = word * 67 + v->color[i * s->k + j];
    s->sum = (s->sum ^ word) * 0x100000001b3;
  }
  return true;
}

/* Times the numbers of each vertex; returns the seconds that GPUs searched, and sets *rows. */
static double time_vertices(const ms_graph *graph, const ms_coloring *coloring,
                            const ms_census_options *o, uint64_t *rows)
{
  ms_census_summary s;
  ms_error err;
  row_sum sum = {o->k, 0xcbf29ce484222325};
  double begin = ms_seconds(), searched = ms_hooks.gpu_census_seconds;
  clock_t clock_begin = clock();
  check(ms_census_vertices(graph, coloring, o, add_vertex, &sum, &s, &err), &err);
  printf("k %" PRIu32 "\tthreads %d\tvertices\t%.3f s\t%.3f s of processors\t%" PRIu64
         " rows\t%" PRIu64 " bytes\t%" PRIu64 " bytes of GPU\t%s\t%.4f s on GPUs\t%" PRIu64
         " left\t%016" PRIx64 "\n",
         o->k, o->run.threads, ms_seconds() - begin,
         (double)(clock() - clock_begin) / CLOCKS_PER_SEC, s.rows, s.bytes, s.gpu_bytes,
         s.run.engine, ms_hooks.gpu_census_seconds - searched, s.cpu_vertices, sum.sum);
  fflush(stdout);
  *rows = s.rows;
  return ms_hooks.gpu_census_seconds - searched;
}

/* Prints the floors beside the seconds of a census and of the numbers of each vertex. */
static void print_floors(const ms_graph *graph, const ms_coloring *coloring,
                         const ms_census_options *o, uint32_t kinds, double census, double vertices,
                         uint64_t rows)
{
  census_work work;
  ms_error err;
  check(census_count_work(graph, coloring, o, &work, &err), &err);
  work.vertex_row = rows;
  census_print_floor(o->k, kinds, &work, census);
  if (rows > 0)
    census_print_vertex_floor(o->k, &work, vertices);
}

static void run_permutations(const ms_graph *graph, const ms_coloring *coloring,
                             const ms_census_options *o, const ms_permutation_options *options,
                             const ms_census_result *observed)
{
  ms_permutation_result *r;
  ms_error err;
  double begin = ms_seconds(), sum = 0;
  clock_t clock_begin = clock();
  check(ms_census_permute(graph, coloring, o, options, observed, &r, &err), &err);
  double seconds = ms_seconds() - begin;
  for (uint64_t i = 0; i < r->count; i++)
    sum += r->expected[i] * (double)(i % 1000 + 1);
  printf("k %" PRIu32 "\tthreads %d\t%" PRIu64
         " permutations\t%.3f s\t%.3f s of processors\t%.3f a "
         "second\t%" PRIu64 " in batches\t%" PRIu64 " bytes\t%.3f accepted\tsum %.6g\n",
         o->k, o->run.threads, r->done, seconds, (double)(clock() - clock_begin) / CLOCKS_PER_SEC,
         (double)r->done / seconds, r->batched, r->bytes,
         r->tried ? (double)r->accepted / (double)r->tried : 0, sum);
  fflush(stdout);
  ms_permutation_result_free(r);
}

int main(int argc, char **argv)
{
  static const int devices[] = {0, 1, 2, 3, 4, 5, 6, 7};
  uint32_t labelings = 0;
  plane p = {.n = 1000000, .neighbors = 6, .colors = 20, .seed = 1};
  ms_census_options o = MS_CENSUS_OPTIONS_DEFAULT;
  ms_graph *graph;
  ms_coloring *coloring = NULL;
  ms_graph_options read = MS_GRAPH_OPTIONS_DEFAULT;
  ms_census_result *result;
  ms_error err;
  int option, runs = 3;
  uint32_t kinds = 0;
  bool writes = false, each_vertex = false, floors = false;
  double seconds = 0, vertex_seconds = 0;
  uint64_t rows = 0, top = 0;
  ms_permutation_options permutations = MS_PERMUTATION_OPTIONS_DEFAULT;
  o.run.threads = 1;
  o.run.engine = "cpu";
  o.run.devices = devices;
  while ((option = getopt(argc, argv, "n:d:c:s:t:r:f:e:g:l:p:N:E:T:ovwSD")) != -1) {
    uint64_t number = optarg ? strtoull(optarg, NULL, 10) : 0;
    if (option == 'n')
      p.n = (uint32_t)number;
    else if (option == 'd')
      p.neighbors = (uint32_t)number < MOST_NEIGHBORS ? (uint32_t)number : MOST_NEIGHBORS;
    else if (option == 'c')
      p.colors = (uint32_t)(number < 64 ? number : 64);
    else if (option == 's')
      p.seed = number;
    else if (option == 't')
      o.run.threads = (int)number;
    else if (option == 'r')
      runs = (int)number;
    else if (option == 'f')
      ms_hooks.census_form = (ms_census_form)number;
    else if (option == 'e')
      o.run.engine = optarg;
    else if (option == 'g')
      o.run.n_devices = (uint32_t)(number < 8 ? number : 8);
    else if (option == 'l')
      labelings = (uint32_t)number;
    else if (option == 'p')
      permutations.permutations = number;
    else if (option == 'N')
      permutations.null_kind = (ms_null_kind)number;
    else if (option == 'E')
      ms_hooks.permute_engine = (ms_permute_engine)number;
    else if (option == 'T')
      top = number;
    else if (option == 'S')
      o.shapes = true;
    else if (option == 'D')
      read.directed = true;
    else if (option == 'o')
      writes = true;
    else if (option == 'v')
      each_vertex = true;
    else if (option == 'w')
      floors = true;
    else
      return 2;
  }
  argv += optind;
  argc -= optind;
  if (argc < 1)
    return 2;
  if (argc >= 2 && !writes) {
    check(ms_graph_read(argv[1], &read, &graph, &err), &err);
    o.shapes |= argc == 2;
    if (argc == 3)
      check(ms_coloring_read(argv[2], graph, NULL, &coloring, &err), &err);
  } else {
    make_plane(&p, &graph, &coloring);
  }
  if (writes && argc == 3) {
    write_files(graph, coloring, argv + 1);
    return 0;
  }
  o.k = (uint32_t)strtoul(argv[0], NULL, 10);
  for (int run = 0; run < runs; run++) {
    double begin = ms_seconds();
    double searched = ms_hooks.gpu_census_seconds;
    clock_t clock_begin = clock();
    check(ms_census(graph, coloring, &o, &result, &err), &err);
    printf("k %" PRIu32 "\tthreads %d\t%.3f s\t%.3f s of processors\t%" PRIu64 " sets\t%" PRIu64
           " motifs\t%" PRIu64 " visits\t%" PRIu64 " bytes\t%s\t%s\t%.4f s on GPUs\t%" PRIu64
           " left\t%016" PRIx64 "\n",
           o.k, o.run.threads, ms_seconds() - begin,
           (double)(clock() - clock_begin) / CLOCKS_PER_SEC, result->sets, result->motifs,
           result->visits, result->bytes, result->dense ? "dense" : "sparse", result->run.engine,
           ms_hooks.gpu_census_seconds - searched, result->cpu_roots, checksum(result));
    fflush(stdout);
    seconds = ms_hooks.gpu_census_seconds - searched;
    kinds = (uint32_t)result->lists;
    if (permutations.permutations > 0)
      run_permutations(graph, coloring, &o, &permutations, result);
    ms_census_result_free(result);
  }
  o.top = top;
  for (int run = 0; run < runs && each_vertex; run++)
    vertex_seconds = time_vertices(graph, coloring, &o, &rows);
  o.top = 0;
  if (floors)
    print_floors(graph, coloring, &o, kinds, seconds, vertex_seconds, rows);
  if (labelings > 0)
    time_labelings(graph, coloring, &o, labelings);
  ms_coloring_free(coloring);
  ms_graph_free(graph);
  return 0;
}
