/* The CPU sieve back end: threads share (pass, range of blocks).
 *
 * Where the lines of so many blocks would not fit the L3 cache, or the memory, all threads work on
 * one block, each on some of its vertices (sieve/schedule/team.h).
 *
 * The blocks of a pass are visited in Gray-code order, so that each step from
 * one to the next flips a single outer label in the constants. */
#include "base/alloc.h"
#include "base/budget.h"
#include "base/hooks.h"
#include "base/status.h"
#include "base/threads/parallel.h"
#include "base/threads/threads.h"
#include "gf2/gf2.h"
#include "sieve/backend.h"
#include "sieve/cpu_time.h"
#include "sieve/moments.h"
#include "sieve/pass.h"
#include "sieve/quadratic.h"
#include "sieve/schedule/together.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

/* The number of passes whose weights are kept at a time.  It exceeds one only if a pass
 * has too few blocks to keep all threads busy. */
enum { MOST_PASSES = 64, UNITS_A_THREAD = 4, ARCS_A_RANGE = 1 << 16 };

/* Two vertices share a line only if slots are at most this fraction of the vertices; and so many
 * places have numbers that fit a list's entry. */
#define MOST_SLOTS 0.9
#define MOST_PLACES (UINT32_C(1) << 29)
/* Least slots of a block for each of the threads that share it because of caches: two parts of a
 * step (SLOTS_A_PART in sieve/halves_template.h).  With fewer, some threads would have none. */
#define SLOTS_A_THREAD 512u

typedef struct cpu_context {
  const ms_sieve_problem *problem;
  const ms_sieve_kernel *kernel;
  ms_sieve_config config;
  ms_sieve_shape shape;
  int threads;
  uint32_t passes;
  ms_sieve_pass pass[MOST_PASSES]; /* pass number x is in slot x % passes */
  uint64_t filled[MOST_PASSES];    /* number of the pass in each slot; UINT64_MAX: none */
  ms_sieve_halves *halves;         /* those of the shape; NULL: no vertices share a line */
  ms_sieve_scratch *scratch;       /* [states] */
  uint8_t *q;                      /* [states][passes][n] */
  int states;                      /* threads, or 1 if they share a block */
  uint64_t reserved;               /* bytes reserved in the budget */
  /* [states] with halves: the pass of a thread's moments; UINT64_MAX: none */
  uint64_t *moments_of;
} cpu_context;

/* ---- plan ---------------------------------------------------------------- */

/* Returns the bytes of one thread's lines for a whole block. */
static uint64_t state_bytes(const ms_sieve_shape *shape)
{
  uint64_t lines = shape->problem->size + 2 * (uint64_t)shape->exchange;
  return shape->slots * lines * shape->line_bytes;
}

/* Returns the entries of the lists of live heads past those of all arcs: each part of a team's
 * search has a slack of its own. */
static uint64_t head_slack(const ms_sieve_shape *shape)
{
  return (uint64_t)MS_SIEVE_SLACK * (shape->is_shared ? MS_TEAM_PARTS : 1);
}

static uint64_t scratch_bytes(const ms_sieve_shape *shape)
{
  const ms_instance *in = shape->problem->instance;
  uint64_t lists = shape->problem->recurrence == MS_CLASSIC ? 2 : 1;
  return state_bytes(shape) + (uint64_t)shape->places * shape->row +
         2 * (uint64_t)shape->places * sizeof(ms_sieve_live) +
         lists * (in->arcs + head_slack(shape)) * sizeof(uint32_t) +
         (shape->is_halved ? ms_sieve_moments_bytes(shape) : 0) +
         (shape->is_quadratic ? ms_sieve_quadratic_sum_bytes(shape) : 0);
}

static uint64_t shared_bytes(const ms_sieve_shape *shape, uint32_t passes)
{
  return ms_sieve_pass_bytes(shape) * passes + ms_sieve_pass_work_bytes(shape) +
         shape->problem->instance->arcs * sizeof(uint32_t) +
         (shape->is_halved ? ms_sieve_halves_bytes(shape->problem) : 0);
}

static uint64_t total_bytes(const ms_sieve_shape *shape, int states, uint32_t passes)
{
  return shared_bytes(shape, passes) +
         (uint64_t)states * (scratch_bytes(shape) + (uint64_t)passes * shape->problem->instance->n);
}

/* Returns whether `threads` work on one block because caches, or these bytes of memory, have no
 * room for a block each. */
static bool may_share(const ms_sieve_shape *shape, int threads, uint64_t memory)
{
  uint64_t cache = ms_hooks.sieve_shared_cache ? ms_hooks.sieve_shared_cache : ms_l3_bytes();
  bool busy = ms_hooks.sieve_shared_cache || shape->slots >= (uint64_t)threads * SLOTS_A_THREAD;
  return shape->is_halved && threads > 1 &&
         ((busy && (uint64_t)threads * state_bytes(shape) > cache) ||
          total_bytes(shape, threads, 1) > memory);
}

/* Returns the kernel of an arithmetic path. A block is one line of it, the
 * smallest possible state: wider blocks are no faster
 * (docs/SIEVE.md). */
static const ms_sieve_kernel *choose_kernel(const char *path, uint32_t block_points, ms_error *err)
{
  for (uint32_t i = 0; i < ms_sieve_kernel_count(); i++) {
    const ms_sieve_kernel *kernel = ms_sieve_kernel_at(i);
    if (strcmp(kernel->path, path) != 0)
      continue;
    if (!block_points || block_points == 1u << kernel->line_bits)
      return kernel;
    ms_fail(err, MS_ERR_USAGE, "arithmetic '%s' has no blocks of %u points; use %u", path,
            block_points, 1u << kernel->line_bits);
    return NULL;
  }
  ms_fail(err, MS_ERR_USAGE, "arithmetic '%s' has no sieve kernel; choose another one", path);
  return NULL;
}

/* Returns whether a kernel lets two vertices share a line, in a problem and in blocks for which
 * that is written. */
static bool may_halve(const ms_sieve_problem *problem, const ms_sieve_kernel *kernel,
                      uint32_t block_points)
{
  return kernel->halves && kernel->halves->available() && problem->recurrence == MS_SIBLING &&
         problem->size >= MS_HALVES_LEAST_SIZE &&
         (!block_points || block_points == 1u << kernel->halves->bits);
}

ms_sieve_shape ms_sieve_cpu_shape(const ms_sieve_problem *problem, const ms_sieve_kernel *kernel,
                                  uint32_t block_points)
{
  ms_sieve_shape shape = ms_sieve_shape_of(problem, kernel, false);
  uint64_t cache = ms_hooks.sieve_cache ? ms_hooks.sieve_cache : ms_l2_bytes();
  uint32_t slots, places;
  shape.far = (uint64_t)problem->instance->n * shape.exchange * shape.line_bytes > cache;
  if (!shape.far || !may_halve(problem, kernel, block_points))
    return shape;
  ms_sieve_halves_count(problem, kernel->halves->bits, &slots, &places);
  if (places > MOST_PLACES || slots >= MOST_SLOTS * problem->instance->n)
    return shape;
  shape = ms_sieve_shape_of(problem, kernel, true);
  shape.far = true;
  shape.slots = (slots + MS_HALVES_GROUP - 1) / MS_HALVES_GROUP * MS_HALVES_GROUP;
  shape.places = places;
  shape.is_quadratic = kernel->halves->is_quadratic && ms_sieve_quadratic_fits(&shape);
  if (shape.is_quadratic) /* the first step that publishes rows is the third */
    shape.exchange = ms_sieve_siblings(problem->size, 3);
  return shape;
}

/* Plans the requested number of threads, or fewer if memory is short. */
static ms_status plan_memory(cpu_context *c, ms_sieve_plan *plan, ms_error *err)
{
  uint64_t bound = ms_budget_left(c->config.budget), blocks = (uint64_t)1 << c->shape.outer_bits;
  c->threads = ms_threads(c->config.threads);
  c->shape.is_shared = may_share(&c->shape, c->threads, bound);
  c->states = c->shape.is_shared ? 1 : c->threads;
  uint64_t wanted = (UNITS_A_THREAD * (uint64_t)c->states + blocks - 1) / blocks;
  c->passes = c->shape.is_shared ? 1 : wanted < MOST_PASSES ? (uint32_t)wanted : MOST_PASSES;
  while (c->passes > 1 && total_bytes(&c->shape, c->states, c->passes) > bound / 2)
    c->passes /= 2;
  while (c->states > 1 && total_bytes(&c->shape, c->states, c->passes) > bound)
    c->threads = --c->states;
  uint64_t bytes = total_bytes(&c->shape, c->states, c->passes);
  if (bytes > bound && c->shape.is_quadratic) {
    c->shape.is_quadratic = false; /* step 2 from rows needs less memory than forms */
    c->shape.exchange = ms_sieve_siblings(c->shape.problem->size, 2);
    return plan_memory(c, plan, err);
  }
  *plan = (ms_sieve_plan){.kernel = c->kernel->path,
                          .threads = c->threads,
                          .block_points = (uint32_t)1 << c->shape.inner_bits,
                          .blocks = blocks,
                          .batch = UNITS_A_THREAD * (uint64_t)c->states,
                          .memory = bytes,
                          .state_bytes = state_bytes(&c->shape)};
  if (bytes > bound)
    return ms_fail(
        err, MS_ERR_MEMORY,
        "the sieve needs %.1f KiB for %u vertices, %llu edges and %u motif slots, and may take %.1f "
        "KiB; raise `memory` or screen a smaller graph or motif",
        (double)bytes / 1024, c->problem->instance->n,
        (unsigned long long)(c->problem->instance->arcs / 2), c->problem->size,
        (double)bound / 1024);
  return MS_OK;
}

/* ---- estimate ------------------------------------------------------------ */

static double cpu_estimate(const ms_sieve_problem *problem, const ms_sieve_config *config,
                           int device, uint32_t repetitions)
{
  (void)device;
  ms_sieve_plan plan;
  cpu_context c = {.problem = problem, .config = *config};
  const ms_gf2_path *path = ms_gf2_select(config->kernel, NULL);
  c.kernel = path ? choose_kernel(path->name, config->block_points, NULL) : NULL;
  if (!c.kernel)
    return HUGE_VAL;
  c.shape = ms_sieve_cpu_shape(problem, c.kernel, config->block_points);
  if (plan_memory(&c, &plan, NULL) != MS_OK)
    return HUGE_VAL;
  return ms_sieve_pass_seconds(&c.shape, c.kernel, c.threads, c.passes) * problem->variants *
         repetitions;
}

/* ---- open and close ------------------------------------------------------ */

static int cpu_devices(void)
{
  return 1;
}

static const char *cpu_other_kernel(const char *kernel)
{
  uint32_t count = ms_gf2_path_count(), at = 0;
  while (at < count && strcmp(ms_gf2_path_at(at)->name, kernel) != 0)
    at++;
  for (uint32_t i = 1; i < count; i++) { /* they are slowest first */
    const ms_gf2_path *path = ms_gf2_path_at((at + count - i) % count);
    if (path->available() && choose_kernel(path->name, 0, NULL) != NULL)
      return path->name;
  }
  return kernel;
}

static void scratch_free(ms_sieve_scratch *s)
{
  ms_free(s->constant);
  ms_free(s->found);
  ms_free(s->live);
  ms_free(s->head);
  ms_free(s->arc);
  ms_free(s->state);
  ms_free(s->exchange[0]);
  ms_free(s->exchange[1]);
  ms_free(s->moment);
  ms_free(s->quadratic);
}

static bool scratch_alloc(const ms_sieve_shape *shape, ms_sieve_scratch *s)
{
  const ms_instance *in = shape->problem->instance;
  size_t lines = (size_t)shape->slots * shape->exchange;
  bool classic = shape->problem->recurrence == MS_CLASSIC;
  s->constant = ms_alloc_lines(shape->places, shape->row);
  s->found = ms_alloc(shape->places, sizeof *s->found);
  s->live = ms_alloc(shape->places, sizeof *s->live);
  s->head = ms_alloc_lines(in->arcs + head_slack(shape), sizeof *s->head);
  s->arc = classic ? ms_alloc_lines(in->arcs + head_slack(shape), sizeof *s->arc) : NULL;
  s->state = ms_alloc_lines((size_t)shape->slots * shape->problem->size, shape->line_bytes);
  s->exchange[0] = ms_alloc_lines(lines, shape->line_bytes);
  s->exchange[1] = ms_alloc_lines(lines, shape->line_bytes);
  s->moment = shape->is_halved ? ms_calloc(ms_sieve_moments_bytes(shape), 1) : NULL;
  s->quadratic = ms_alloc_lines(shape->is_quadratic ? ms_sieve_quadratic_sum_bytes(shape) : 0, 1);
  return s->constant && s->found && s->live && s->head && (s->arc || !classic) && s->state &&
         s->exchange[0] && s->exchange[1] && (s->moment || !shape->is_halved) && s->quadratic;
}

static void cpu_close(void *context)
{
  cpu_context *c = context;
  if (!c)
    return;
  for (uint32_t i = 0; i < c->passes; i++)
    ms_sieve_pass_free(&c->pass[i]);
  for (int i = 0; c->scratch && i < c->states; i++)
    scratch_free(&c->scratch[i]);
  ms_free(c->scratch);
  ms_free(c->q);
  ms_free(c->moments_of);
  ms_free(c->shape.arc_active);
  ms_sieve_halves_free(c->halves);
  ms_budget_release(c->config.budget, c->reserved);
  ms_free(c);
}

/* Sets the point bits of the head of each arc. */
static void fill_active(void *user, ms_range r)
{
  const cpu_context *c = user;
  for (uint64_t e = r.begin; e < r.end; e++)
    c->shape.arc_active[e] = c->problem->active[c->problem->instance->neighbor[e]];
}

static ms_status cpu_alloc(cpu_context *c, ms_error *err)
{
  const ms_instance *in = c->problem->instance;
  c->shape.arc_active = ms_alloc_lines(in->arcs, sizeof *c->shape.arc_active);
  c->scratch = ms_calloc((size_t)c->states, sizeof *c->scratch);
  c->q = ms_alloc_lines((size_t)c->states * c->passes, in->n);
  c->moments_of = ms_calloc((size_t)c->states, sizeof *c->moments_of);
  if (!c->shape.arc_active || !c->scratch || !c->q || !c->moments_of)
    return ms_fail_memory(err, "the sieve's state");
  if (c->shape.is_halved)
    MS_TRY(ms_sieve_halves_new(c->problem, c->shape.inner_bits, c->threads, &c->halves, err));
  c->shape.halves = c->halves;
  ms_parallel(c->threads, in->arcs, ARCS_A_RANGE, fill_active, c);
  for (int i = 0; i < c->states; i++)
    if (!scratch_alloc(&c->shape, &c->scratch[i]))
      return ms_fail_memory(err, "the sieve's state");
  for (uint32_t i = 0; i < c->passes; i++) {
    c->filled[i] = UINT64_MAX;
    MS_TRY(ms_sieve_pass_alloc(&c->shape, &c->pass[i], err));
  }
  return MS_OK;
}

static ms_status cpu_open(const ms_sieve_problem *problem, const ms_sieve_config *config,
                          int device, void **context, ms_sieve_plan *plan, ms_error *err)
{
  (void)device;
  *context = NULL;
  if (problem->recurrence == MS_CLASSIC && problem->instance->arcs > UINT32_MAX)
    return ms_fail(err, MS_ERR_USAGE,
                   "the classic recurrence numbers arcs with 32 bits; use `MS_SIBLING` "
                   "for a graph of more than 2^31 edges");
  const ms_gf2_path *path = ms_gf2_select(config->kernel, err);
  if (!path)
    return MS_ERR_USAGE;
  const ms_sieve_kernel *kernel = choose_kernel(path->name, config->block_points, err);
  if (!kernel)
    return MS_ERR_USAGE;
  cpu_context *c = ms_calloc(1, sizeof *c);
  if (!c)
    return ms_fail_memory(err, "the sieve's state");
  c->problem = problem;
  c->kernel = kernel;
  c->config = *config;
  c->shape = ms_sieve_cpu_shape(problem, kernel, config->block_points);
  c->shape.stop = config->stop;
  kernel->setup();
  ms_status status = plan_memory(c, plan, err);
  if (status == MS_OK && !ms_budget_reserve(c->config.budget, plan->memory))
    /* another run has taken the memory meanwhile */
    status = ms_fail_memory(err, "the sieve's state");
  else if (status == MS_OK)
    c->reserved = plan->memory;
  if (status == MS_OK)
    status = cpu_alloc(c, err);
  if (status != MS_OK) {
    cpu_close(c);
    return status;
  }
  *context = c;
  return MS_OK;
}

/* ---- run ----------------------------------------------------------------- */

/* Returns the kernel's function for blocks. */
static ms_sieve_block_fn *block_fn(const cpu_context *c)
{
  return c->problem->recurrence == MS_CLASSIC ? c->kernel->classic
         : c->shape.is_halved                 ? c->kernel->halves->sibling
                                              : c->kernel->sibling;
}

/* Adds blocks ms_sieve_gray(first) .. ms_sieve_gray(last - 1) of a pass to
 * q[n]. */
static ms_status run_blocks(const cpu_context *c, const ms_sieve_pass *pass, ms_sieve_scratch *s,
                            uint64_t first, uint64_t last, int thread, uint8_t *q)
{
  ms_sieve_block_fn *run = block_fn(c);
  ms_sieve_block_init(&c->shape, pass, ms_sieve_gray(first), 0, c->shape.places, s);
  for (uint64_t i = first; i < last; i++) {
    MS_TRY(ms_stop_check(c->config.stop));
    if (i > first)
      ms_sieve_block_flip(&c->shape, pass, (uint32_t)__builtin_ctzll(i), ms_sieve_gray(i), 0,
                          c->shape.places, s);
    if (!run(&c->shape, pass, s, ms_sieve_gray(i), q))
      return ms_stop_check(c->config.stop);
    if (c->config.blocks_done)
      c->config.blocks_done(c->config.block_user, thread, 1);
  }
  return MS_OK;
}

/* Units [first, last) in chunks of blocks that never cross passes. */
typedef struct group {
  const cpu_context *c;
  uint64_t first_pass, first, last;
  uint64_t chunk, chunks; /* blocks of a chunk, chunks of a pass */
  uint64_t begin;         /* the first chunk */
  atomic_int stopped;
} group;

/* Adds a thread's moments to its q, and clears them; after a stop, q is of no use. */
static void add_moments(group *g, int thread)
{
  const cpu_context *c = g->c;
  ms_sieve_scratch *s = &c->scratch[thread];
  uint64_t pass = c->moments_of[thread];
  if (pass == UINT64_MAX)
    return;
  ms_status status = ms_sieve_moments_add(
      &c->shape, &c->pass[(g->first_pass + pass) % c->passes], 0, c->shape.places, s->moment,
      c->q + ((size_t)thread * c->passes + pass) * c->problem->instance->n);
  if (status != MS_OK)
    atomic_store_explicit(&g->stopped, (int)status, memory_order_relaxed);
  memset(s->moment, 0, ms_sieve_moments_bytes(&c->shape));
  c->moments_of[thread] = UINT64_MAX;
}

static void add_all_moments(void *user, ms_range r)
{
  for (uint64_t i = r.begin; i < r.end; i++)
    add_moments(user, (int)i);
}

static void run_chunk(group *g, uint64_t number, int thread)
{
  const cpu_context *c = g->c;
  uint64_t blocks = (uint64_t)1 << c->shape.outer_bits, base = g->first_pass * blocks;
  uint64_t pass = number / g->chunks, from = pass * blocks + number % g->chunks * g->chunk,
           to = from + g->chunk, end = (pass + 1) * blocks;
  to = to < end ? to : end;
  /* cut to the requested units */
  from = from + base > g->first ? from : g->first - base;
  to = to + base < g->last ? to : g->last - base;
  if (from >= to || atomic_load_explicit(&g->stopped, memory_order_relaxed) != MS_OK)
    return;
  if (c->shape.is_halved && c->moments_of[thread] != pass) {
    add_moments(g, thread);
    c->moments_of[thread] = pass;
  }
  ms_status status =
      run_blocks(c, &c->pass[(g->first_pass + pass) % c->passes], &c->scratch[thread],
                 from - pass * blocks, to - pass * blocks, thread,
                 c->q + ((size_t)thread * c->passes + pass) * c->problem->instance->n);
  if (status != MS_OK)
    atomic_store_explicit(&g->stopped, (int)status, memory_order_relaxed);
}

static void run_chunks(void *user, ms_range r)
{
  group *g = user;
  for (uint64_t i = r.begin; i < r.end; i++)
    run_chunk(g, g->begin + i, r.thread);
}

/* Runs the units of [first, last) that lie within `count` passes from
 * first_pass on. */
static ms_status run_group(cpu_context *c, uint64_t first_pass, uint32_t count, uint64_t first,
                           uint64_t last, ms_error *err)
{
  uint32_t n = c->problem->instance->n;
  uint64_t blocks = (uint64_t)1 << c->shape.outer_bits;
  for (uint32_t i = 0; i < count; i++) {
    uint64_t number = first_pass + i;
    uint32_t slot = (uint32_t)(number % c->passes);
    if (c->filled[slot] == number) /* an earlier run filled it */
      continue;
    c->filled[slot] = UINT64_MAX;
    MS_TRY(ms_sieve_pass_fill(&c->shape, (uint32_t)(number / c->problem->variants),
                              (uint32_t)(number % c->problem->variants), c->threads, &c->pass[slot],
                              err));
    c->filled[slot] = number;
  }
  memset(c->q, 0, (size_t)c->states * c->passes * n);
  if (c->shape.is_shared) {
    ms_sieve_together t = {.shape = &c->shape,
                           .pass = &c->pass[0],
                           .run = block_fn(c),
                           .scratch = c->scratch,
                           .config = &c->config,
                           .first = first % blocks,
                           .last = first % blocks + (last - first),
                           .q = c->q};
    return ms_sieve_run_together(&t, c->threads);
  }
  /* chunks of blocks: long enough to amortise the first constants, short
   * enough to even out the threads; never across passes */
  uint64_t chunk = (last - first) / ((uint64_t)c->threads * 16) + 1;
  if (chunk > 64)
    chunk = 64;
  uint64_t chunks = (blocks + chunk - 1) / chunk, base = first_pass * blocks;
  uint64_t begin = (first - base) / blocks * chunks + (first - base) % blocks / chunk;
  uint64_t stop = (last - 1 - base) / blocks * chunks + (last - 1 - base) % blocks / chunk + 1;
  group g = {.c = c,
             .first_pass = first_pass,
             .first = first,
             .last = last,
             .chunk = chunk,
             .chunks = chunks,
             .begin = begin};
  atomic_init(&g.stopped, MS_OK);
  for (int t = 0; t < c->threads; t++)
    c->moments_of[t] = UINT64_MAX;
  ms_parallel(c->threads, stop - begin, 1, run_chunks, &g);
  ms_status status = (ms_status)atomic_load(&g.stopped);
  if (status == MS_OK && c->shape.is_halved) {
    ms_parallel(c->threads, (uint64_t)c->threads, 1, add_all_moments, &g);
    status = (ms_status)atomic_load(&g.stopped);
  }
  for (int t = 0; status != MS_OK && c->shape.is_halved && t < c->threads; t++)
    memset(c->scratch[t].moment, 0, ms_sieve_moments_bytes(&c->shape));
  return status;
}

static ms_status cpu_run(void *context, uint64_t first, uint64_t last, uint8_t *q, ms_error *err)
{
  cpu_context *c = context;
  uint32_t n = c->problem->instance->n, variants = c->problem->variants;
  uint64_t blocks = (uint64_t)1 << c->shape.outer_bits;
  uint64_t first_repetition = first / blocks / variants;
  while (first < last) {
    uint64_t first_pass = first / blocks, end_pass = (last + blocks - 1) / blocks;
    uint32_t count =
        end_pass - first_pass < c->passes ? (uint32_t)(end_pass - first_pass) : c->passes;
    uint64_t end = (first_pass + count) * blocks < last ? (first_pass + count) * blocks : last;
    ms_status status = run_group(c, first_pass, count, first, end, err);
    if (status != MS_OK)
      return status == MS_ERR_LIMIT || status == MS_ERR_INTERRUPTED
                 ? ms_fail(err, status, "the sieve was stopped: %s", ms_status_text(status))
                 : status;
    for (int t = 0; t < c->states; t++)
      for (uint32_t i = 0; i < count; i++) {
        const uint8_t *from = c->q + ((size_t)t * c->passes + i) * n;
        uint8_t *to = q + ((first_pass + i) / variants - first_repetition) * n;
        for (uint32_t v = 0; v < n; v++)
          to[v] ^= from[v];
      }
    first = end;
  }
  return MS_OK;
}

const ms_sieve_backend ms_sieve_backend_cpu = {
    .name = "cpu",
    .other_kernel = cpu_other_kernel,
    .devices = cpu_devices,
    .estimate = cpu_estimate,
    .open = cpu_open,
    .run = cpu_run,
    .close = cpu_close,
};
