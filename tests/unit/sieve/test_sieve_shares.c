/* Shares of the sieve's units: what disjoint shares XOR to, on one worker and on several, with and
 * without losses, and how even the shares of parts are. */
#include "gf2/gf2.h"
#include "graph/generate/generate.h"
#include "sieve/kernels/kernel.h"
#include "sieve/schedule/schedule.h"
#include "tests/support/search/sieve_setting.h"
#include "tests/support/test_main.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WORKERS = 3, MOST_REPETITIONS = 12, MOST_N = 64, MOST_PARTS = 17 };

static uint32_t draw_state;

static uint32_t draw(uint32_t below)
{
  draw_state = draw_state * 1664525u + 1013904223u;
  return (uint32_t)((uint64_t)draw_state * below >> 32);
}

/* ---- workers that are lost --------------------------------------------------------- */

/* Device 0 is the CPU.  Other devices are it, too, but fail at one of their runs. */
static _Atomic int runs_left;

static ms_status lossy_run(void *context, uint64_t first, uint64_t last, uint8_t *q, ms_error *err)
{
  ms_status status = ms_sieve_backend_cpu.run(context, first, last, q, err);
  if (status == MS_OK && runs_left-- == 0) {
    q[0] ^= 0x5A;
    return MS_ERR_DEVICE_LOST;
  }
  return status;
}

static ms_status lossy_open(const ms_sieve_problem *problem, const ms_sieve_config *config,
                            int device, void **context, ms_sieve_plan *plan, ms_error *err)
{
  (void)device;
  return ms_sieve_backend_cpu.open(problem, config, 0, context, plan, err);
}

static void lossy_close(void *context)
{
  ms_sieve_backend_cpu.close(context);
}

static const ms_sieve_backend lossy = {
    .name = "lossy", .open = lossy_open, .run = lossy_run, .close = lossy_close};

static const char *kernel_at(uint32_t index)
{
  const char *names[16];
  uint32_t count = 0;
  for (uint32_t i = 0; i < ms_sieve_kernel_count() && count < 16; i++)
    if (ms_sieve_kernel_at(i)->available())
      names[count++] = ms_sieve_kernel_at(i)->path;
  return names[index % count];
}

/* ---- shares add up ------------------------------------------------------------------- */

static uint8_t whole[MOST_REPETITIONS][MOST_N], sum[MOST_REPETITIONS][MOST_N];

typedef struct taken {
  const uint8_t *rows; /* what `take` has to be given, row after row */
  uint32_t n, count;
  bool differs;
} taken;

static void take(void *user, const uint8_t *q)
{
  taken *t = user;
  t->differs |= memcmp(t->rows + (size_t)t->count * t->n, q, t->n) != 0;
  t->count++;
}

/* Runs a share with random workers and XORs its rows to the sum. Returns the number of points. */
static uint64_t add_share(const setting *s, uint32_t repetitions, const ms_share *share)
{
  uint32_t n = s->instance->n, workers = 1 + draw(MOST_WORKERS);
  uint8_t *q = calloc((size_t)repetitions * n, 1);
  taken t = {.rows = q, .n = n};
  ms_error err = {0};
  uint64_t points = 0;
  ms_sieve_worker worker[MOST_WORKERS] = {{0}};
  ms_sieve_job job = {.problem = &s->problem,
                      .repetitions = repetitions,
                      .early_stop = true, /* a share never stops early */
                      .share = share,
                      .q = q,
                      .take = take,
                      .take_user = &t};
  runs_left = workers > 1 ? (int)draw(6) : -1;
  for (uint32_t i = 0; i < workers; i++)
    worker[i] =
        (ms_sieve_worker){.backend = i ? &lossy : &ms_sieve_backend_cpu,
                          .config = {.threads = 1 + (int)draw(2), .kernel = kernel_at(draw(16))}};
  ck_assert_msg(ms_sieve_schedule(&job, worker, workers, &err) == MS_OK, "%s", err.message);
  ck_assert_int_eq(job.stopped, MS_OK);
  ck_assert(!job.all_flagged);
  ck_assert_uint_eq(job.finished, job.last_repetition - job.first_repetition);
  ck_assert(t.count == job.finished && !t.differs);
  for (uint32_t r = 0; r < job.finished; r++)
    for (uint32_t v = 0; v < n; v++)
      sum[job.first_repetition + r][v] ^= q[(size_t)r * n + v];
  for (uint32_t i = 0; i < workers; i++)
    points += worker[i].points;
  free(q);
  return points;
}

/* Fills `whole`, and checks that flags which are counted from it are those of the job: with and
 * without an early stop, in one call and in one call for each repetition. */
static void run_whole(const setting *s, uint32_t repetitions)
{
  uint32_t hits[MOST_N] = {0};
  ms_error err = {0};
  ms_sieve_worker worker = {.backend = &ms_sieve_backend_cpu, .config = {.threads = 1}};
  ms_sieve_job job = {.problem = &s->problem, .repetitions = repetitions, .hits = hits};
  job.q = malloc((size_t)repetitions * s->instance->n);
  ck_assert_int_eq(ms_sieve_schedule(&job, &worker, 1, &err), MS_OK);
  memset(whole, 0, sizeof whole);
  for (uint32_t r = 0; r < repetitions; r++)
    memcpy(whole[r], job.q + (size_t)r * s->instance->n, s->instance->n);
  for (int way = 0; way < 4; way++) {
    uint32_t again[MOST_N] = {0}, step = way & 2 ? 1 : repetitions;
    taken t = {.rows = job.q, .n = s->instance->n};
    ms_sieve_job flags = {.problem = &s->problem,
                          .repetitions = repetitions,
                          .early_stop = way & 1,
                          .hits = again,
                          .take = take,
                          .take_user = &t};
    ms_sieve_job same = job;
    memset(hits, 0, sizeof hits);
    same.early_stop = way & 1;
    same.q = NULL;
    ck_assert_int_eq(ms_sieve_schedule(&same, &worker, 1, &err), MS_OK);
    for (uint32_t r = 0; r < repetitions; r += step)
      ms_sieve_flags(&flags, job.q + (size_t)r * s->instance->n, r + step, 2);
    ck_assert_uint_eq(flags.finished, same.finished);
    ck_assert_int_eq(flags.all_flagged, same.all_flagged);
    ck_assert_int_eq(memcmp(again, hits, sizeof hits), 0);
    ck_assert(t.count == flags.finished && !t.differs);
  }
  free(job.q);
}

static void check_sum(const setting *s, uint32_t repetitions, uint64_t points)
{
  ck_assert_uint_eq(points, (uint64_t)repetitions * s->problem.variants << s->problem.size);
  ck_assert_int_eq(memcmp(sum, whole, sizeof sum), 0);
}

/* Every N-th unit, for parts 1 .. N. */
static void check_parts(const setting *s, uint32_t repetitions, uint32_t parts)
{
  uint64_t points = 0;
  memset(sum, 0, sizeof sum);
  for (uint32_t i = 1; i <= parts; i++) {
    ms_share share = ms_share_of_part(i, parts);
    points += add_share(s, repetitions, &share);
  }
  check_sum(s, repetitions, points);
}

/* Ranges of random lengths, some of them empty, the last one with more units than there are. */
static void check_ranges(const setting *s, uint32_t repetitions)
{
  uint64_t points = 0, units = ms_sieve_units(&s->problem, repetitions), at = 0;
  uint32_t longest = 1 + (uint32_t)(units / (1 + draw(8)));
  memset(sum, 0, sizeof sum);
  while (at < units) {
    ms_share share = ms_share_of_range(at, at + draw(longest + 1));
    points += add_share(s, repetitions, &share);
    at = share.last;
  }
  check_sum(s, repetitions, points);
}

/* Every second unit up to a random one, the others up to it, and the rest. */
static void check_mixed(const setting *s, uint32_t repetitions)
{
  uint64_t units = ms_sieve_units(&s->problem, repetitions), cut = draw((uint32_t)units + 1);
  const ms_share shares[] = {{0, cut, 0, 2}, {0, cut, 1, 2}, {cut, UINT64_MAX, 0, 0}};
  uint64_t points = 0;
  memset(sum, 0, sizeof sum);
  for (int i = 0; i < 3; i++)
    points += add_share(s, repetitions, &shares[i]);
  check_sum(s, repetitions, points);
}

typedef struct shape {
  uint32_t n, d, k, loose, repetitions;
} shape;

static const shape shapes[] = {
    {40, 4, 12, 0, 3}, {30, 4, 9, 2, 2}, {30, 4, 10, 3, 3}, {30, 6, 1, 0, 7},
    {30, 6, 5, 0, 12}, {30, 6, 8, 1, 5}, {24, 4, 13, 0, 2}, {24, 4, 11, 1, 4},
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

/* Parts 1 to N of N = 1, 5, .., 17, random ranges and mixed shares XOR to the values of the
 * undivided job: eight shapes and two recurrences, one to three workers with different kernels,
 * some of them lost. */
START_TEST(disjoint_shares_add_up)
{
  const shape *x = &shapes[_i / 2];
  setting s;
  ms_graph *graph;
  ms_error err = {0};
  draw_state = (uint32_t)_i * 7919 + 1;
  ck_assert_int_eq(ms_generate_regular(x->n, x->d, x->k, &graph, &err), MS_OK);
  setting_make(&s, graph, x->k, 3, x->loose, (ms_recurrence)(_i % 2));
  run_whole(&s, x->repetitions);
  for (uint32_t parts = 1; parts <= MOST_PARTS; parts += test_scale() < 0.5 ? 8 : 4)
    check_parts(&s, x->repetitions, parts);
  for (int i = 0; i < (test_scale() < 0.5 ? 1 : 3); i++) {
    check_ranges(&s, x->repetitions);
    check_mixed(&s, x->repetitions);
  }
  setting_free(&s);
}
END_TEST

/* A share without a unit has no repetition, opens no worker and succeeds. */
START_TEST(an_empty_share_does_nothing)
{
  setting s;
  ms_graph *graph;
  ms_error err = {0};
  ck_assert_int_eq(ms_generate_regular(30, 4, 5, &graph, &err), MS_OK);
  setting_make(&s, graph, 5, 3, 0, MS_SIBLING);
  const ms_share shares[] = {{5, 5, 0, 1}, {4, UINT64_MAX, 0, 1}, {0, UINT64_MAX, 9, 10}};
  for (int i = 0; i < 3; i++) {
    ms_sieve_worker worker = {.backend = &ms_sieve_backend_cpu, .config = {.threads = 1}};
    ms_sieve_job job = {.problem = &s.problem, .repetitions = 4, .share = &shares[i]};
    ck_assert_int_eq(ms_sieve_schedule(&job, &worker, 1, &err), MS_OK);
    ck_assert_uint_eq(job.finished, 0);
    ck_assert_uint_eq(job.first_repetition, job.last_repetition);
    ck_assert(!worker.opened && worker.points == 0);
  }
  setting_free(&s);
}
END_TEST

/* Each unit has one place, and each place one unit, of the same pass: sizes 1 to 20, with one and
 * with four variants. */
START_TEST(each_unit_has_a_place)
{
  for (uint32_t size = 1; size <= 20; size++)
    for (uint32_t variants = 1; variants <= 4; variants += 3) {
      ms_sieve_problem p = {.size = size, .variants = variants};
      uint64_t units = ms_sieve_units(&p, 3), length = ms_sieve_pass_units(&p);
      ck_assert_uint_eq(units, 3 * variants * length);
      ck_assert(length == 1 || length << MS_SIEVE_UNIT_BITS <= UINT64_C(1) << size);
      uint8_t *seen = calloc(units, 1);
      for (uint64_t u = 0; u < units; u++) {
        uint64_t place = ms_sieve_unit_place(&p, u);
        ck_assert_uint_lt(place, units);
        ck_assert_uint_eq(place / length, u / length);
        ck_assert_uint_eq(seen[place]++, 0);
      }
      free(seen);
    }
}
END_TEST

/* ---- even shares ----------------------------------------------------------------------- */

/* Returns the number of arcs between live vertices in the blocks of 256 points of a unit. */
static uint64_t live_arcs(const setting *s, uint64_t unit)
{
  const ms_instance *in = s->instance;
  uint64_t length = ms_sieve_pass_units(&s->problem), count = 0;
  uint64_t blocks = (UINT64_C(1) << (s->problem.size - MS_SIEVE_UNIT_BITS)) / length;
  uint64_t first = ms_sieve_unit_place(&s->problem, unit) % length * blocks;
  for (uint64_t b = first; b < first + blocks; b++) {
    uint32_t points = (uint32_t)(ms_sieve_gray(b) << MS_SIEVE_UNIT_BITS | 255u);
    for (uint32_t v = 0; v < in->n; v++)
      for (uint64_t a = in->offset[v]; a < in->offset[v + 1]; a++)
        count += (s->problem.active[v] & points) && (s->problem.active[in->neighbor[a]] & points);
  }
  return count;
}

/* An R-MAT graph of 64 vertices with the usual quadrants. */
static ms_graph *make_rmat(void)
{
  ms_generate_options o = MS_GENERATE_OPTIONS_DEFAULT;
  ms_graph *graph;
  ms_error err = {0};
  o.family = MS_FAMILY_RMAT;
  o.given = MS_GEN_SCALE | MS_GEN_EDGES | MS_GEN_QUADRANTS;
  o.scale = 6;
  o.edges = 300;
  o.quadrants[0] = 0.57;
  o.quadrants[1] = o.quadrants[2] = 0.19;
  o.quadrants[3] = 0.05;
  ck_assert_msg(ms_generate(&o, &graph, &err) == MS_OK, "%s", err.message);
  return graph;
}

/* A graph whose few hubs are neighbours of all vertices. */
static ms_graph *make_hubs(uint32_t n)
{
  uint32_t(*edges)[2] = malloc(sizeof *edges * 4 * n), count = 0;
  ms_graph *graph;
  ms_error err = {0};
  for (uint32_t hub = 0; hub < 4; hub++)
    for (uint32_t v = hub + 1; v < n; v++) {
      edges[count][0] = hub;
      edges[count++][1] = v;
    }
  ck_assert_int_eq(ms_graph_from_edges(n, count, (const uint32_t(*)[2])edges, NULL, &graph, &err),
                   MS_OK);
  free(edges);
  return graph;
}

/* No part has more than 1.2 times the mean of live arcs, on an R-MAT graph and on a star of hubs,
 * for motifs of 14 to 16 slots of different numbers of colours, and N = 2 .. 16. */
START_TEST(shares_of_parts_are_even)
{
  static const uint32_t colors[] = {2, 5, 16};
  uint64_t of_part[17];
  double worst = 0;
  for (int hubs = 0; hubs < 2; hubs++)
    for (uint32_t c = 0; c < 3; c++) {
      setting s;
      uint32_t k = 14 + c, repetitions = 1 + c;
      setting_make(&s, hubs ? make_hubs(60) : make_rmat(), k, colors[c], 0, MS_SIBLING);
      uint64_t units = ms_sieve_units(&s.problem, repetitions), total = 0;
      uint64_t *cost = calloc(units, sizeof *cost);
      for (uint64_t u = 0; u < units; u++)
        total += cost[u] = live_arcs(&s, u);
      for (uint32_t parts = 2; parts <= 16; parts++) {
        memset(of_part, 0, sizeof of_part);
        for (uint64_t u = 0; u < units; u++)
          of_part[u % parts] += cost[u];
        for (uint32_t i = 0; i < parts; i++) {
          double ratio = (double)of_part[i] * parts / (double)total;
          worst = ratio > worst ? ratio : worst;
        }
      }
      free(cost);
      setting_free(&s);
    }
  printf("sieve_shares: the largest part has %.3f times the mean of live arcs\n", worst);
  ck_assert_double_le(worst, 1.2);
}
END_TEST

int main(void)
{
  return RUN_TESTS("sieve_shares", TEST_TIMES(disjoint_shares_add_up, 2 * SHAPES),
                   TEST(an_empty_share_does_nothing), TEST(each_unit_has_a_place),
                   TEST(shares_of_parts_are_even));
}
