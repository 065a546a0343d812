/* Pruning on a GPU against the processors': the same vertices, slots, rows and number of
 * components; and the sieve over rows that stay on the GPU, or come from another one, against the
 * CPU's. */
#include "gpu/sieve/prune.h"
#include "base/threads/stop.h"
#include "gpu/common/staging.h"
#include "graph/graph.h"
#include "motif/instance.h"
#include "tests/gpu/emulated/fake_cuda.h"
#include "tests/support/allocations.h"
#include "tests/support/random.h"
#include "tests/support/test_main.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ms_error err;

/* An instance with the rows of a graph. */
typedef struct fixture {
  ms_graph *graph;
  ms_instance *whole;
} fixture;

static fixture fixture_of(uint32_t n, uint64_t m, const uint32_t (*edges)[2], uint32_t k)
{
  fixture f;
  ck_ok(ms_graph_from_edges(n, m, edges, NULL, &f.graph, &err));
  ck_ok(ms_instance_alloc(n, f.graph->arcs, k, &f.whole, &err));
  memcpy(f.whole->offset, f.graph->offset, (n + (size_t)1) * sizeof *f.whole->offset);
  memcpy(f.whole->neighbor, f.graph->neighbor, f.graph->arcs * sizeof *f.whole->neighbor);
  for (uint32_t v = 0; v < n; v++) {
    f.whole->vertex[v] = 3 * v + 1;
    f.whole->mask[v] = 1;
  }
  return f;
}

static void fixture_free(fixture *f)
{
  ms_instance_free(f->whole);
  ms_graph_free(f->graph);
}

/* A pruned instance whose rows are on a GPU. */
typedef struct pruned {
  ms_instance *whole; /* a copy of the instance, whose arrays may have gone to `in` */
  ms_instance *in;
  ms_gpu_rows *rows; /* NULL: not taken, or failed */
  uint32_t components;
  ms_status status;
} pruned;

/* Arrays that are filled while rows are copied. */
typedef struct filling {
  const ms_instance *from;
  ms_instance *to;
  _Atomic uint64_t vertices;      /* filled */
  uint64_t vertices_at_meanwhile; /* UINT64_MAX: meanwhile() was not called */
  uint32_t meanwhile;             /* calls */
} filling;

static void fill_range(void *user, ms_range r)
{
  filling *f = user;
  for (uint64_t v = r.begin; v < r.end; v++) {
    f->to->vertex[v] = f->from->vertex[v];
    f->to->mask[v] = f->from->mask[v];
  }
  atomic_fetch_add(&f->vertices, r.end - r.begin);
}

static void note_meanwhile(void *user)
{
  filling *f = user;
  f->vertices_at_meanwhile = f->vertices;
  f->meanwhile++;
}

/* All vertices are filled, or none and the instance was not taken; what the caller does meanwhile
 * comes once, afterwards. */
static void check_filled(const filling *f, bool later, bool taken)
{
  uint32_t n = f->from->n;
  ck_assert(f->vertices == (later ? n : 0) || (!taken && f->vertices == 0));
  ck_assert_uint_le(f->meanwhile, 1);
  ck_assert(!taken || f->meanwhile == 1);
  ck_assert(f->meanwhile == 0 || f->vertices_at_meanwhile == (later ? n : 0));
}

/* later: the masks are made while rows are copied. */
static pruned prune_filled(const ms_instance *whole, uint64_t memory, uint32_t devices,
                           ms_stop *stop, bool later)
{
  static const int device[] = {0, 1, 2};
  pruned p;
  filling f = {.from = whole};
  ms_gpu_prune_options o = {.run.devices = device,
                            .run.n_devices = devices,
                            .run.threads = 2,
                            .run.memory = memory,
                            .run.stop = stop,
                            .fill = later ? fill_range : NULL,
                            .fill_user = &f,
                            .meanwhile = note_meanwhile,
                            .meanwhile_user = &f};
  ck_ok(ms_instance_copy(whole, &p.whole, &err));
  f.to = p.whole;
  if (later) {
    memset(p.whole->vertex, 0xa5, whole->n * sizeof *p.whole->vertex);
    memset(p.whole->mask, 0xa5, whole->n * sizeof *p.whole->mask);
  }
  ck_ok(ms_instance_alloc(whole->n, 0, whole->k, &p.in, &err));
  const uint32_t *vertex = p.whole->vertex, *mask = p.whole->mask;
  p.status = ms_gpu_prune(p.whole, &o, p.in, &p.components, &p.rows, &err);
  bool all = p.rows && p.in->n == whole->n;
  ck_assert(all ? p.in->vertex == vertex && p.in->mask == mask
                : p.whole->vertex == vertex && p.whole->mask == mask);
  check_filled(&f, later, p.rows != NULL);
  return p;
}

static pruned prune(const ms_instance *whole, uint64_t memory, uint32_t devices, ms_stop *stop)
{
  return prune_filled(whole, memory, devices, stop, false);
}

static void pruned_free(pruned *p)
{
  ms_gpu_rows_free(p->rows);
  ms_instance_free(p->in);
  ms_instance_free(p->whole);
}

static void *fetched(const void *from, size_t bytes)
{
  void *to = malloc(bytes + 1);
  cudaStream_t stream;
  ck_assert_ptr_nonnull(to);
  ck_assert_int_eq(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
  ck_assert_int_eq(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream), cudaSuccess);
  ck_assert_int_eq(cudaStreamSynchronize(stream), cudaSuccess);
  ck_assert_int_eq(cudaStreamDestroy(stream), cudaSuccess);
  return to;
}

static void check_same(const pruned *p, const ms_instance *want, const char *what)
{
  const ms_instance *got = p->in;
  size_t n = want->n;
  ck_assert_msg(got->n == n && got->arcs == want->arcs, "%s: %u vertices, not %u; %llu arcs", what,
                got->n, want->n, (unsigned long long)got->arcs);
  uint32_t most = 0, hubs = 0;
  for (size_t v = 0; v < n; v++) {
    uint32_t arcs = (uint32_t)(want->offset[v + 1] - want->offset[v]);
    most = arcs > most ? arcs : most;
    hubs += arcs > MS_HUB;
  }
  ck_assert_msg(p->rows->most == most && p->rows->hubs == hubs, "%s: rows of %u arcs, %u hubs",
                what, p->rows->most, p->rows->hubs);
  ck_assert_msg((got->offset != NULL) == (n == 0 || most > MS_SEGMENT), "%s", what);
  uint64_t *offset = fetched(p->rows->offset, (n + 1) * sizeof *offset);
  uint32_t *head = fetched(p->rows->head, want->arcs * sizeof *head);
  ck_assert_msg(memcmp(got->vertex, want->vertex, n * sizeof *got->vertex) == 0, "%s", what);
  ck_assert_msg(memcmp(got->mask, want->mask, n * sizeof *got->mask) == 0, "%s", what);
  if (n > 0) {
    ck_assert_msg(!got->offset || memcmp(got->offset, want->offset, (n + 1) * sizeof *offset) == 0,
                  "%s", what);
    ck_assert_msg(memcmp(offset, want->offset, (n + 1) * sizeof *offset) == 0, "%s", what);
    ck_assert_msg(memcmp(head, want->neighbor, want->arcs * sizeof *head) == 0, "%s", what);
  }
  free(offset);
  free(head);
}

typedef struct seen {
  uint32_t taken, whole, empty, several, rounds, hubs;
} seen;

/* Compares the GPU with the processors; the masks are there, or made meanwhile. */
static void compare(const ms_instance *whole, const char *what, seen *s)
{
  ms_instance *want;
  ms_prune_stats stats;
  ck_ok(ms_instance_prune(whole, 2, &want, &stats, &err));
  pruned later = prune_filled(whole, 0, 1, NULL, true);
  ck_ok(later.status);
  if (later.rows) {
    check_same(&later, want, what);
    ck_assert_uint_eq(later.components, want->n ? stats.components : 0);
  }
  pruned p = prune(whole, 0, 1, NULL);
  ck_ok(p.status);
  ck_assert((p.rows != NULL) == (later.rows != NULL));
  pruned_free(&later);
  if (p.rows) {
    check_same(&p, want, what);
    ck_assert_uint_eq(p.components, want->n ? stats.components : 0);
    s->taken++;
    s->whole += want->n == whole->n;
    s->empty += want->n == 0;
    s->several += stats.components > 1;
    s->rounds += stats.rounds > 1;
    s->hubs += p.rows->hubs > 0;
  }
  pruned_free(&p);
  ms_instance_free(want);
}

enum { MOST_N = 500, MOST_EDGES = 2000 };

/* Random edges among n vertices, the last tenth of which may have none, in islands without edges
 * between them; and edges from a hub to many vertices of its island. */
static fixture random_fixture(uint64_t *state)
{
  static uint32_t edges[MOST_EDGES][2];
  uint32_t n = 1 + random_below(state, random_below(state, 8) ? 120 : MOST_N), m = 0;
  uint32_t islands = 1 + random_below(state, 3) * random_below(state, 4);
  uint32_t used = n - random_below(state, 2) * n / 10, size = used / islands + 1,
           hub = random_below(state, n);
  uint32_t wanted = random_below(state, 5) * n;
  for (uint32_t e = 0; e < wanted && m < MOST_EDGES; e++) {
    uint32_t a = random_below(state, used), begin = a / size * size;
    uint32_t b = begin + random_below(state, size);
    if (b < used && a != b)
      memcpy(edges[m++], (uint32_t[]){a, b}, sizeof *edges);
  }
  for (uint32_t v = hub / size * size; hub % 3 == 0 && v < used && v / size == hub / size; v++)
    if (v != hub && hub < used && m < MOST_EDGES)
      memcpy(edges[m++], (uint32_t[]){hub, v}, sizeof *edges);
  uint32_t k = 1 + random_below(state, 9);
  fixture f = fixture_of(n, m, (const uint32_t(*)[2])edges, k);
  uint32_t none = random_below(state, 2) * random_below(state, 5), several = random_below(state, 5);
  uint32_t colors = 1 + random_below(state, k); /* of which some slots may have no vertex */
  for (uint32_t v = 0; v < n; v++) {
    uint32_t mask = 1u << random_below(state, colors);
    if (random_below(state, 10) < several)
      mask |= 1u << random_below(state, k);
    f.whole->mask[v] = random_below(state, 10) < none ? 0 : mask;
  }
  return f;
}

/* 100 random instances: with hubs, vertices without edges or slots or with several slots, one or
 * several components; pruning leaves all, some or none. */
START_TEST(random_instances)
{
  seen s = {0};
  uint32_t cases = (uint32_t)scaled(100);
  for (uint32_t i = 0; i < cases; i++) {
    uint64_t state = i + 1;
    char what[32];
    snprintf(what, sizeof what, "case %u", i);
    fixture f = random_fixture(&state);
    compare(f.whole, what, &s);
    fixture_free(&f);
  }
  ck_assert_uint_gt(s.taken, cases / 2);
  if (cases < 100)
    return;
  ck_assert_uint_gt(s.whole, 5);
  ck_assert_uint_gt(s.empty, 5);
  ck_assert_uint_lt(s.empty + s.whole, cases - 10);
  ck_assert_uint_gt(s.several, 5);
  ck_assert_uint_gt(s.rounds, 5);
  ck_assert_uint_gt(s.hubs, 0);
}
END_TEST

/* All slots are at hand and near, but too few vertices have one of the first two: the component
 * cannot fill them.  A second component can, without its last vertex, which only an edge within one
 * slot joins to it. */
START_TEST(components_that_cannot_fill_the_slots)
{
  static const uint32_t edges[][2] = {{0, 1}, {1, 2}, {2, 3}, {4, 5}, {5, 6}, {6, 7}};
  static const uint32_t poor[] = {3, 4, 4, 4}, rich[] = {1, 2, 4, 4};
  for (int second = 0; second < 2; second++) {
    seen s = {0};
    fixture f = fixture_of(8, 6, edges, 3);
    memcpy(f.whole->mask, poor, sizeof poor);
    memcpy(f.whole->mask + 4, second ? rich : poor, sizeof rich);
    pruned p = prune(f.whole, 0, 1, NULL);
    ck_ok(p.status);
    ck_assert_ptr_nonnull(p.rows);
    ck_assert_uint_eq(p.components, second);
    ck_assert_uint_eq(p.in->n, second ? 3 : 0);
    pruned_free(&p);
    compare(f.whole, "slots", &s);
    ck_assert_uint_eq(s.taken, 1);
    fixture_free(&f);
  }
}
END_TEST

/* A chain of three slots by turns, of which one end alone has the fourth, loses its vertices in
 * many rounds: it may be left to the processors.  One vertex; none; a vertex that is required. */
START_TEST(not_taken)
{
  enum { N = 64 };
  uint32_t edges[N - 1][2];
  for (uint32_t v = 0; v + 1 < N; v++) {
    edges[v][0] = v;
    edges[v][1] = v + 1;
  }
  fixture f = fixture_of(N, N - 1, (const uint32_t(*)[2])edges, 4);
  for (uint32_t v = 0; v < N; v++)
    f.whole->mask[v] = v == 0 ? 8 : 1u << v % 3;
  seen s = {0};
  compare(f.whole, "chain", &s);
  fixture_free(&f);
  for (uint32_t n = 0; n < 2; n++) {
    fixture few = fixture_of(n, 0, NULL, 1);
    seen one = {0};
    compare(few.whole, "few", &one);
    ck_assert_uint_eq(one.taken, n);
    ck_assert_uint_eq(one.whole, n);
    few.whole->n_loose = n; /* a required vertex is left to the processors */
    pruned p = prune(few.whole, 0, 1, NULL);
    ck_assert(p.status == MS_OK && !p.rows);
    pruned_free(&p);
    fixture_free(&few);
  }
}
END_TEST

/* ---- failures ------------------------------------------------------------------------- */

/* Large enough instances: something is dropped; all stay, in short rows, with the numbers of a
 * graph; all stay, with a hub. */
enum { DROPPED, ALL, ALL_WITH_HUB, KINDS };

static fixture usual(int kind)
{
  enum { N = 300, M = 900 };
  static uint32_t edges[M][2];
  uint64_t state = 5;
  uint32_t m = 0;
  for (uint32_t v = 0; kind == ALL && v < N; v++)
    for (uint32_t step = 1; step <= 2; step++)
      memcpy(edges[m++], (uint32_t[]){v, (v + step) % N}, sizeof *edges);
  for (uint32_t v = 1; kind == ALL_WITH_HUB && v < N; v++)
    memcpy(edges[m++], (uint32_t[]){0, v}, sizeof *edges);
  while (m < M && kind != ALL) {
    uint32_t a = random_below(&state, N), b = random_below(&state, N);
    if (a != b)
      memcpy(edges[m++], (uint32_t[]){a, b}, sizeof *edges);
  }
  fixture f = fixture_of(N, m, (const uint32_t(*)[2])edges, 5);
  for (uint32_t v = 0; v < N; v++)
    f.whole->mask[v] = v % 7 || kind != DROPPED ? 1u << v % 5 : 0;
  for (uint32_t v = 0; kind == ALL && v < N; v++)
    f.whole->vertex[v] = v;
  f.whole->mask[0] |= kind == ALL_WITH_HUB ? 3 : 0;
  return f;
}

/* On a device with ever less memory, the instance is taken, then not; nothing stays allocated. */
START_TEST(little_memory)
{
  fixture f = usual(DROPPED);
  bool was_taken = false, was_refused = false;
  for (uint64_t memory = 1 << 23; memory > 1000; memory -= memory / 4) {
    pruned p = prune_filled(f.whole, memory, 1, NULL, was_taken && !was_refused);
    ck_ok(p.status);
    ck_assert(!(p.rows && was_refused));
    was_taken |= p.rows != NULL;
    was_refused |= p.rows == NULL;
    pruned_free(&p);
    ck_assert_uint_eq(fake_taken, 0);
  }
  ck_assert(was_taken && was_refused);
  fixture_free(&f);
}
END_TEST

static ms_status prune_once(void *user, ms_error *e)
{
  fixture *f = user;
  static const int device[] = {0};
  ms_gpu_prune_options o = {.run.devices = device, .run.n_devices = 1, .run.threads = 1};
  ms_instance *to = NULL;
  ms_gpu_rows *rows = NULL;
  uint32_t components;
  ms_status status = ms_instance_alloc(f->whole->n, 0, f->whole->k, &to, e);
  if (status == MS_OK)
    status = ms_gpu_prune(f->whole, &o, to, &components, &rows, e);
  ms_gpu_rows_free(rows);
  ms_instance_free(to);
  return status;
}

/* Each request for memory of the host fails once. */
START_TEST(failing_memory)
{
  for (int kind = 0; kind < KINDS; kind++) {
    fixture f = usual(kind);
    ck_assert_int_gt(failing_runs(prune_once, &f), kind == DROPPED ? 5 : 3);
    ck_assert_uint_eq(fake_taken, 0);
    fixture_free(&f);
  }
}
END_TEST

/* Returns false if the token stopped the pruning at its look number `looks`. */
static bool ends_before_look(const ms_instance *whole, uint64_t looks, bool later)
{
  ms_stop *stop = NULL;
  ck_ok(ms_stop_new(&stop, &err));
  ms_stop_after_looks(stop, looks);
  pruned p = prune_filled(whole, 0, 1, stop, later);
  bool ended = p.status == MS_OK;
  ck_assert_int_eq(p.status, ended ? MS_OK : MS_ERR_LIMIT);
  ck_assert((p.rows != NULL) == ended);
  pruned_free(&p);
  ms_stop_free(stop);
  return ended;
}

/* A stop at each look. */
static void check_stops(int kind, bool later)
{
  fixture f = usual(kind);
  uint64_t looks = 0;
  while (!ends_before_look(f.whole, looks, later))
    looks++;
  ck_assert_uint_ge(looks, 2);
  ck_assert_uint_eq(fake_taken, 0);
  fixture_free(&f);
}

START_TEST(stops)
{
  check_stops(DROPPED, false);
  check_stops(ALL, false);
  check_stops(ALL, true);
}
END_TEST

/* ---- the sieve ------------------------------------------------------------------------ */

/* Returns Q of one repetition, [n].  begun: the GPU has to make the labels from its masks. */
static uint8_t *q_of(const ms_sieve_backend *backend, int device, const ms_instance *in,
                     const ms_gpu_rows *rows, bool begun)
{
  ms_sieve_config config = {.threads = 2};
  ms_sieve_problem problem;
  ms_sieve_plan plan;
  void *context = NULL;
  ck_ok((begun ? ms_sieve_problem_begin : ms_sieve_problem_init)(&problem, in, in->k, MS_SIBLING, 3,
                                                                 1, &err));
  ck_assert((problem.active == NULL) == begun);
  problem.rows = rows;
  ck_ok(backend->open(&problem, &config, device, &context, &plan, &err));
  uint8_t *q = calloc(1, in->n);
  ck_assert_ptr_nonnull(q);
  ck_ok(backend->run(context, 0, plan.blocks, q, &err));
  backend->close(context);
  ms_sieve_problem_clear(&problem);
  return q;
}

/* Q from the rows of the same device, and of another one that started meanwhile, is the CPU's from
 * the rows of the host. */
static void check_sieve(int kind, int devices)
{
  fixture f = usual(kind);
  ms_instance *want;
  ck_ok(ms_instance_prune(f.whole, 1, &want, NULL, &err));
  uint8_t *cpu = q_of(&ms_sieve_backend_cpu, 0, want, NULL, false);
  pruned p = prune(f.whole, 0, (uint32_t)devices, NULL);
  ck_ok(p.status);
  ck_assert_ptr_nonnull(p.rows);
  check_same(&p, want, "several devices");
  ck_assert_int_eq(kind != DROPPED, want->n == f.whole->n);
  ck_assert_uint_eq(p.rows->hubs, kind == ALL_WITH_HUB);
  uint32_t nonzero = 0;
  for (uint32_t v = 0; v < want->n; v++)
    nonzero += cpu[v] != 0;
  ck_assert_uint_gt(nonzero, 20);
  for (int device = 0; device < devices; device++) {
    uint8_t *gpu = q_of(&ms_sieve_backend_cuda, device, p.in, p.rows, kind == ALL);
    ck_assert_msg(memcmp(cpu, gpu, want->n) == 0, "kind %d, device %d", kind, device);
    free(gpu);
  }
  free(cpu);
  pruned_free(&p);
  ck_assert_uint_eq(fake_taken, 0);
  ms_instance_free(want);
  fixture_free(&f);
}

START_TEST(sieve_on_the_rows)
{
  int devices = 0;
  fake_devices = 3;
  ck_assert_int_eq(cudaGetDeviceCount(&devices), cudaSuccess);
  for (int kind = 0; kind < KINDS; kind++)
    check_sieve(kind, devices < 3 ? devices : 3);
}
END_TEST

int main(void)
{
  return RUN_TESTS("pruning on a GPU", TEST(random_instances),
                   TEST(components_that_cannot_fill_the_slots), TEST(not_taken),
                   TEST_IF(little_memory, fake_cuda), TEST_IF(failing_memory, fake_cuda),
                   TEST(stops), TEST(sieve_on_the_rows));
}
