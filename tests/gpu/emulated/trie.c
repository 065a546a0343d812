/* The engine `trie` against the CPU engine, on GPUs, if there are any.  Without GPUs, and with
 * emulated ones too, the source of its kernels also runs as host code.  The cases are random
 * programs with the least memory that is enough, so that every level is cut; larger graphs with
 * long rows; stars with more leaves than a tail has vertices; sums beyond 64 bits. */
#include "base/alloc.h"
#include "base/status.h"
#include "gpu/common/sum.h"
#include "gpu/match/trie/trie_drive.h"
#include "match/count/count.h"
#include "match/engine.h"
#include "tests/gpu/emulated/fake_cuda.h"
#include "tests/gpu/emulated/trie_host.h"
#include "tests/support/allocations.h"
#include "tests/support/search/pattern_oracle.h"
#include "tests/support/test_main.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  SMALL_CASES = 1000,
  SMALL_GPU_CASES = 200,
  LARGE_CASES = 16,
  LARGE_N = 100,
  LARGE_M = 250,
  EMULATED_GPU_CASES = 9, /* whose rows are long enough for bits */
  EMULATED_GPU_M = 380,
  GPU_CASES = 27,
  GPU_N = 400,
  GPU_M = 3000,
  SUM_CASES = 500,
  MOST_VISITED = 6 /* vertices of named patterns whose matches are not only counted */
};

static uint64_t cuts;               /* launches that left a part of a level */
static uint64_t descents, finished; /* descents, and those that counted the deepest level */
static bool on_host;                /* the kernels run as host code; else only on GPUs */
static int gpus;
static uint32_t devices; /* most GPUs to use */

MS_PRINTF(3, 4)
static void check(bool right, uint64_t seed, const char *format, ...)
{
  char text[160];
  va_list list;
  if (right)
    return;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  ck_abort_msg("seed %llu: %s", (unsigned long long)seed, text);
}

static void must(ms_status status, const ms_error *err)
{
  ck_assert_msg(status == MS_OK, "%s", err->message);
}

/* ---- the host as the machine ------------------------------------------------- */

typedef struct machine {
  ms_conjunction_tables tables;
  ms_conjunction_program program;
  ms_trie_memory memory;
  ms_trie_memory_plan plan;
  ms_trie_counters counters[MS_MAX_PATTERN];
  ms_trie_hubs hubs;
  uint32_t *rows[2]; /* [row_room] */
  uint64_t row_room;
} machine;

static ms_status roots(void *on, uint64_t first, uint64_t count, ms_error *err)
{
  machine *m = on;
  (void)err;
  for (uint64_t i = 0; i < count; i++)
    trie_host_root(&m->program, &m->memory, first + i, i);
  return MS_OK;
}

/* Runs a job with a number of warps, and of entries for each, that are drawn. */
static void run_job(machine *m, ms_trie_job job, const ms_trie_work *given,
                    ms_trie_counters *counters)
{
  ms_trie_memory memory = m->memory;
  ms_trie_work w = *given;
  w.share = 1 + trie_host_random() % 4;
  w.batch = w.follows ? MS_TRIE_BATCH : 1 + (uint32_t)(trie_host_random() % MS_TRIE_BATCH);
  uint64_t most = m->plan.items / w.batch, warps = 1 + trie_host_random() % 4;
  memory.counters = counters;
  *counters = (ms_trie_counters){0};
  trie_host_work(&m->program, &memory, &w, job, (uint32_t)(warps < most ? warps : most));
  cuts += job == MS_TRIE_EXPAND && counters->left > 0;
}

static ms_status work(void *on, ms_trie_job job, const ms_trie_work *given, ms_trie_counters *out,
                      ms_error *err)
{
  machine *m = on;
  (void)err;
  run_job(m, job, given, m->counters);
  *out = m->counters[0];
  return MS_OK;
}

static ms_status descend(void *on, const ms_trie_descent *d, ms_trie_counters *out, ms_error *err)
{
  machine *m = on;
  uint32_t kernels = d->deepest + d->counts;
  (void)err;
  for (uint32_t i = 0; i < kernels; i++) {
    ms_trie_work w = ms_trie_descent_work(d, i);
    run_job(m, i < d->deepest ? MS_TRIE_EXPAND : d->job, &w, &m->counters[i]);
  }
  memcpy(out, m->counters, kernels * sizeof *out);
  descents++;
  finished += d->counts && out[d->deepest].end > out[d->deepest].begin;
  return MS_OK;
}

static ms_status copy_items(void *on, uint32_t to, uint64_t to_at, uint32_t from, uint64_t from_at,
                            uint64_t count, ms_error *err)
{
  machine *m = on;
  (void)err;
  memcpy(m->memory.item + to * m->plan.items + to_at,
         m->memory.item + from * m->plan.items + from_at, count * sizeof *m->memory.item);
  return MS_OK;
}

static ms_status fetch(void *on, uint32_t buffer, uint64_t first, uint64_t count, ms_error *err)
{
  machine *m = on;
  (void)err;
  for (uint64_t i = 0; i < count; i++)
    trie_host_gather(&m->program, &m->memory, first + i, m->rows[buffer], m->row_room, i);
  return MS_OK;
}

static ms_status fetched(void *on, uint32_t buffer, const uint32_t **rows, ms_error *err)
{
  (void)err;
  *rows = ((machine *)on)->rows[buffer];
  return MS_OK;
}

static const ms_trie_machine host_machine = {roots, work, descend, copy_items};

/* Draws the sizes of the memory, as small as possible in most cases. */
static ms_trie_memory_plan draw_plan(uint32_t prefix, bool large, uint64_t *rows)
{
  ms_trie_memory_plan plan;
  uint64_t kind = large ? 2 + trie_host_random() % 2 : trie_host_random() % 4;
  *rows = kind == 3 ? 5000 : 1 + trie_host_random() % 4;
  plan.entries = kind == 0   ? prefix
                 : kind == 1 ? prefix + trie_host_random() % 8
                 : kind == 2 ? (large ? 2000 : 64) + trie_host_random() % 512
                             : 100000;
  plan.items = MS_TRIE_BATCH + trie_host_random() % 3 * 20;
  return plan;
}

/* Draws whether some rows are stored as bits, which they are in most cases. */
static void draw_hubs(machine *m, uint32_t n)
{
  ms_trie_hubs *h = &m->hubs;
  *h = (ms_trie_hubs){.n = n,
                      .least = (uint32_t)(trie_host_random() % 6),
                      .room = (uint32_t)(trie_host_random() % 4 * 6),
                      .words = (n + 31) / 32};
  if (h->room == 0)
    return;
  h->number = ms_calloc(n + (size_t)1, sizeof *h->number);
  h->bits = ms_calloc(h->room * h->words, sizeof *h->bits);
  trie_host_hubs(&m->program, h);
  m->program.hub = h->number;
  m->program.hub_bits = h->bits;
  m->program.hub_words = h->words;
}

static void machine_init(machine *m, const ms_program *p)
{
  ms_error err;
  ms_conjunction_tables *t = &m->tables;
  must(ms_conjunction_tables_new(p, true, false, t, &err), &err);
  m->program = (ms_conjunction_program){
      .set = t->set,
      .link = t->link,
      .bits = t->bits,
      .term = t->term,
      .prefix = t->prefix,
      .n_masks = t->n_masks,
      .n_terms = t->n_terms,
      .falling = t->falling,
      .first_root = t->first_root,
      .n_roots = t->n_roots,
      .root_list = t->root_list,
      .keeps = t->keeps,
      .stride = trie_host_random() % 2 ? ms_conjunction_stride(t->n_roots) : 1};
  for (int kind = 0; kind < MS_ROW_KINDS; kind++) {
    m->program.rows[kind].offset = p->index->rows[kind].offset;
    m->program.rows[kind].neighbor = p->index->rows[kind].neighbor;
  }
  draw_hubs(m, p->index->n);
  m->plan = draw_plan(t->prefix, p->index->n >= LARGE_N, &m->row_room);
  m->memory.parent = ms_alloc(m->plan.entries, sizeof *m->memory.parent);
  m->memory.vertex = ms_alloc(m->plan.entries, sizeof *m->memory.vertex);
  m->memory.item = ms_alloc(m->plan.items * (t->prefix + 1), sizeof *m->memory.item);
  m->memory.most_items = m->plan.items;
  m->memory.counters = m->counters;
  for (int b = 0; b < 2; b++)
    m->rows[b] = ms_alloc(m->row_room * t->prefix, sizeof *m->rows[b]);
}

static void machine_free(machine *m)
{
  ms_free(m->hubs.number);
  ms_free(m->hubs.bits);
  ms_free(m->memory.parent);
  ms_free(m->memory.vertex);
  ms_free(m->memory.item);
  for (int b = 0; b < 2; b++)
    ms_free(m->rows[b]);
  ms_conjunction_tables_free(&m->tables);
}

/* ---- runs ----------------------------------------------------------------------- */

/* Runs the program on the host; drive: what happens to the matches. */
static ms_status run(const ms_program *p, ms_trie_drive *drive, ms_error *err)
{
  machine m;
  machine_init(&m, p);
  ms_trie_roots left = {.count = m.tables.n_roots};
  left.grain = trie_host_random() % 3 ? 0 : 1 + trie_host_random() % 3;
  drive->machine = &host_machine;
  drive->on = &m;
  drive->memory = m.plan;
  drive->program = p;
  drive->slice = trie_host_random() % 3 ? 0 : 1 + trie_host_random() % 5;
  drive->roots = &left;
  drive->rows = (ms_gpu_rows){.fetch = fetch,
                              .fetched = fetched,
                              .on = &m,
                              .length = p->prefix,
                              .piece = m.row_room,
                              .columns = true};
  drive->halt = drive->sink ? drive->sink->halt : NULL;
  ms_status status = ms_trie_drive_run(drive, err);
  machine_free(&m);
  return status;
}

/* Limits the GPUs' memory: it is enough for the largest graph here, and levels are cut. */
static void limit_gpus(uint64_t seed)
{
  fake_memory = (uint64_t)16 << 20;
  fake_devices = 2;
  devices = seed % 3 == 0 ? 2 : 1;
  static const char *const small[] = {"300K", "1M", "100M", NULL};
  static const char *const large[] = {"2M", "4M", "256M", NULL};
  const char *limit = (on_host ? small : large)[seed % 4];
  if (limit)
    setenv("MOTIFSIEVE_GPU_MEMORY", limit, 1);
  else
    unsetenv("MOTIFSIEVE_GPU_MEMORY");
}

static void check_count(const mpz_t by_cpu, const mpz_t by_trie, uint64_t seed, const char *where,
                        const char *what)
{
  if (mpz_cmp(by_cpu, by_trie) != 0)
    gmp_printf("the CPU counts %Zd, the trie on the %s %Zd\n", by_cpu, where, by_trie);
  check(mpz_cmp(by_cpu, by_trie) == 0, seed, "%s, on the %s", what, where);
}

static void compare_counts(const ms_program *p, uint64_t seed, const char *what)
{
  mpz_t by_cpu, by_trie;
  ms_error err;
  ms_pattern_task task = {.program = p, .devices = devices, .threads = on_host ? 1 : 8};
  ms_trie_drive drive = {.sum = by_trie};
  mpz_init(by_cpu);
  mpz_init(by_trie);
  must(ms_pattern_engine_cpu.count(&task, by_cpu, &err), &err);
  if (on_host) {
    must(run(p, &drive, &err), &err);
    check_count(by_cpu, by_trie, seed, "host", what);
  }
  if (gpus > 0) {
    limit_gpus(seed);
    mpz_set_ui(by_trie, 0);
    must(ms_pattern_engine_trie.count(&task, by_trie, &err), &err);
    check_count(by_cpu, by_trie, seed, "GPU", what);
  }
  mpz_clear(by_cpu);
  mpz_clear(by_trie);
}

typedef struct received {
  uint32_t length;
  uint64_t count, room;
  uint32_t *ids; /* [count][length] */
  ms_work done;
} received;

static bool on_rows(void *user, const uint32_t *rows, uint64_t count)
{
  received *r = user;
  size_t length = r->length;
  if (r->count + count > r->room) {
    uint64_t room = 2 * (r->count + count);
    r->ids = ms_resize(r->ids, r->room * length, room * length, sizeof *r->ids);
    r->room = room;
  }
  memcpy(r->ids + r->count * length, rows, count * length * sizeof *rows);
  r->count += count;
  return true;
}

static uint64_t make_rows(void *user, const uint32_t *ids, uint64_t count, uint32_t *rows)
{
  memcpy(rows, ids, count * ((const received *)user)->length * sizeof *rows);
  return count;
}

static uint32_t row_length; /* length of the rows that are sorted */

static int by_ids(const void *x, const void *y)
{
  const uint32_t *a = x, *b = y;
  for (uint32_t i = 0; i < row_length; i++)
    if (a[i] != b[i])
      return a[i] < b[i] ? -1 : 1;
  return 0;
}

typedef enum place { BY_CPU, BY_HOST, BY_GPU } place;

static void list_by(const ms_program *p, uint64_t seed, place by, received *r)
{
  ms_error err;
  ms_stream *stream;
  *r = (received){.length = p->prefix};
  ms_stream_options options = {.length = r->length, .memory = 1 << 20, .rows = on_rows, .user = r};
  ms_pattern_task task = {.program = p, .devices = devices, .threads = by == BY_GPU ? 2 : 1};
  must(ms_stream_new(&options, &stream, &err), &err);
  atomic_bool halt = false;
  ms_gpu_sink sink = {.make = make_rows, .user = r, .stream = stream, .threads = 1, .halt = &halt};
  ms_trie_drive drive = {.sink = &sink};
  limit_gpus(seed);
  r->done = (ms_work){0};
  task.work = &r->done;
  must(by == BY_CPU    ? ms_pattern_engine_cpu.list(&task, make_rows, r, stream, &err)
       : by == BY_HOST ? run(p, &drive, &err)
                       : ms_pattern_engine_trie.list(&task, make_rows, r, stream, &err),
       &err);
  if (by == BY_HOST)
    r->done = drive.work;
  ms_stream_free(stream);
  row_length = r->length;
  if (r->count > 0)
    qsort(r->ids, r->count, r->length * sizeof *r->ids, by_ids);
}

static void compare_lists(const ms_program *p, uint64_t seed)
{
  received by_cpu, by_trie;
  list_by(p, seed, BY_CPU, &by_cpu);
  for (place by = on_host ? BY_HOST : BY_GPU; by <= (gpus > 0 ? BY_GPU : BY_HOST); by++) {
    list_by(p, seed, by, &by_trie);
    bool same = by_cpu.count == by_trie.count;
    same = same &&
           (by_cpu.count == 0 || memcmp(by_cpu.ids, by_trie.ids,
                                        by_cpu.count * by_cpu.length * sizeof *by_cpu.ids) == 0);
    check(by_trie.done.stored[by_trie.length - 1] == by_trie.count, seed,
          "each match is stored once, whatever the memory");
    check(same, seed, "matches, on the %s: %llu, not the CPU's %llu",
          by == BY_HOST ? "host" : "GPU", (unsigned long long)by_trie.count,
          (unsigned long long)by_cpu.count);
    ms_free(by_trie.ids);
  }
  ms_free(by_cpu.ids);
}

/* ---- limits and stops ---------------------------------------------------------------- */

/* Lists on the host, or on the GPUs. */
static ms_status list_some(const ms_program *p, uint64_t limit, const ms_stop *stop, bool host,
                           uint64_t *rows)
{
  ms_error err;
  ms_stream *stream;
  received r = {.length = p->prefix};
  ms_stream_options options = {
      .length = r.length, .limit = limit, .memory = 1 << 20, .rows = on_rows, .user = &r};
  ms_pattern_task task = {.program = p, .devices = devices, .threads = 2, .stop = stop};
  must(ms_stream_new(&options, &stream, &err), &err);
  atomic_bool halt = false;
  ms_gpu_sink sink = {.make = make_rows, .user = &r, .stream = stream, .threads = 1, .halt = &halt};
  ms_trie_drive drive = {.sink = &sink, .stop = stop};
  ms_status status =
      host ? run(p, &drive, &err) : ms_pattern_engine_trie.list(&task, make_rows, &r, stream, &err);
  *rows = ms_stream_rows(stream);
  check(*rows == r.count, 0, "rows are handed on and not counted");
  ms_stream_free(stream);
  ms_free(r.ids);
  return status;
}

/* A limit, or a stop, gives the right status and no more rows than the limit. */
static void check_ends(const ms_program *p, uint64_t seed)
{
  ms_stop *stop;
  ms_error err;
  uint64_t all, some, limit = 1 + seed % 5;
  must(ms_stop_new(&stop, &err), &err);
  ms_stop_request(stop);
  for (int host = on_host; host >= (gpus > 0 ? 0 : 1); host--) {
    must(list_some(p, 0, NULL, host, &all), &err);
    check(list_some(p, limit, NULL, host, &some) == MS_OK && some == (limit < all ? limit : all),
          seed, "a listing with a limit");
    check(list_some(p, 0, stop, host, &some) == MS_ERR_INTERRUPTED && some == 0, seed,
          "a listing that is stopped");
  }
  if (gpus > 0) {
    mpz_t sum;
    ms_pattern_task task = {.program = p, .devices = devices, .threads = 1};
    mpz_init(sum);
    setenv("MOTIFSIEVE_GPU_MEMORY", "2K", 1);
    check(ms_pattern_engine_trie.count(&task, sum, &err) == MS_ERR_MEMORY &&
              strchr(err.message, ';'),
          seed, "too little memory");
    mpz_clear(sum);
  }
  ms_stop_free(stop);
}

static ms_status count_once(void *user, ms_error *err)
{
  mpz_t sum;
  ms_pattern_task task = {.program = user, .devices = devices, .threads = 1};
  mpz_init(sum);
  ms_status status = ms_pattern_engine_trie.count(&task, sum, err);
  mpz_clear(sum);
  return status;
}

/* Whichever allocation of the host fails in a count, the engine reports it, leaks no block and
 * leaves no device memory behind: every 64th small case. */
static void check_allocations(ms_program *p, uint64_t seed)
{
  ms_error err;
  bool through = false;
  limit_gpus(3); /* no limit */
  devices = 1;
  must(count_once(p, &err), &err); /* loads the index, which is kept from now on */
  uint64_t taken = fake_taken;
  for (long n = 1; !through; n++) {
    meter m = {.fail_at = n};
    meter_start(&m);
    ms_status status = count_once(p, &err);
    meter_stop();
    through = !meter_has_failed(&m);
    check(status == (through ? MS_OK : MS_ERR_MEMORY), seed, "allocation %ld fails", n);
    check(m.live == 0 && fake_taken == taken, seed, "allocation %ld fails, and blocks leak", n);
    check(!through || n > 3, seed, "there were only %ld allocations", n);
  }
}

/* ---- programs ----------------------------------------------------------------------- */

static const ms_order orders[] = {MS_ORDER_AUTO, MS_ORDER_RI, MS_ORDER_DEGREE, MS_ORDER_REUSE};

/* Compares the list, and the count by a program that visits all vertices. */
static void compare_visits(const ms_pattern_index *index, const ms_domains *domains,
                           const ms_shape *shape, uint64_t seed, bool lists)
{
  ms_error err;
  ms_program *p;
  ms_plan *plan;
  ms_program_options options = {0};
  ms_plan_input input = {.vertices = index->n,
                         .arcs = (double)index->arcs,
                         .square_degrees = index->square_degrees,
                         .order = orders[seed % 4],
                         .constrain = seed / 4 % 2};
  for (uint32_t i = 0; i < shape->n; i++)
    input.domain[i] = domains->of[i].count;
  must(ms_plan_new(shape, &input, &plan, &err), &err);
  must(ms_program_new(index, plan, domains->of, &options, &p, &err), &err);
  if (lists) {
    compare_lists(p, seed);
    if (seed % 16 == 0)
      check_ends(p, seed);
    if (fake_cuda && seed % 64 == 0)
      check_allocations(p, seed);
  }
  compare_counts(p, seed, "a count without a tail");
  ms_program_free(p);
  ms_plan_free(plan);
}

/* The CPU engine counts the whole domain of a tail vertex without neighbours,
 * whatever its bounds are. */
static bool is_defined(const ms_program *p)
{
  for (uint32_t g = 0; g < p->n_groups; g++)
    if (p->group[g].set < 0 &&
        !(ms_bitset_is_empty(p->group[g].above) && ms_bitset_is_empty(p->group[g].below)))
      return false;
  return true;
}

static bool is_touched(const ms_program *p)
{
  for (uint32_t i = 0; i < p->prefix; i++)
    if (p->step[i].source == MS_FROM_TOUCHED)
      return true;
  return false;
}

/* Compares counts by this engine's plan and the CPU's, and with other options. */
static void compare_tails(const ms_pattern_index *index, const ms_domains *domains,
                          const ms_shape *shape, uint64_t seed)
{
  ms_error err;
  ms_program *p;
  ms_count_plan plan;
  ms_count_query query = {.index = index,
                          .domains = domains,
                          .order = orders[seed / 8 % 4],
                          .engine = seed / 2 % 2 ? &ms_pattern_engine_trie : NULL};
  must(ms_count_plan_new(&query, shape, domains->of, &plan, &err), &err);
  int tail = (int)ms_bitset_count(plan.options.tail);
  bool can_multiply = tail > 1 && tail <= (int)MS_MAX_TAIL;
  for (uint32_t variant = 0; variant < (can_multiply ? 3 : 2); variant++) {
    plan.options.table = variant == 0;
    if (variant == 2)
      plan.options.product = !plan.options.product;
    if (ms_program_new(index, plan.plan, domains->of, &plan.options, &p, &err) != MS_OK)
      continue; /* too many sets or terms */
    check(!query.engine || !is_touched(p), seed, "a plan whose levels are not all in rows");
    if (is_defined(p))
      compare_counts(p, seed, "a count with a tail");
    ms_program_free(p);
  }
  ms_count_plan_free(&plan);
}

static void compare_all(const ms_graph *graph, const ms_coloring *coloring,
                        const ms_pattern *pattern, bool induced, uint64_t seed, bool lists)
{
  ms_error err;
  ms_pattern_index *index;
  ms_domains domains;
  ms_shape shape;
  must(ms_pattern_index_new(graph, coloring, 1, &index, &err), &err);
  ms_shape_of(pattern, induced, &shape);
  must(ms_domains_on(NULL, index, pattern, &shape, NULL, 1, &domains, &err), &err);
  if (!domains.empty) {
    compare_visits(index, &domains, &shape, seed, lists);
    compare_tails(index, &domains, &shape, seed);
  }
  ms_domains_free(&domains);
  ms_pattern_index_free(index);
}

/* Compares counts only: there are too many matches to visit. */
static void compare_stars(const ms_graph *graph, const ms_pattern *pattern, uint64_t seed)
{
  ms_error err;
  ms_pattern_index *index;
  ms_domains domains;
  ms_shape shape;
  must(ms_pattern_index_new(graph, NULL, 1, &index, &err), &err);
  ms_shape_of(pattern, false, &shape);
  must(ms_domains_on(NULL, index, pattern, &shape, NULL, 1, &domains, &err), &err);
  if (!domains.empty)
    compare_tails(index, &domains, &shape, seed);
  ms_domains_free(&domains);
  ms_pattern_index_free(index);
}

/* Rows and counts of a small random pattern in a small random graph, with and without tails, are
 * the CPU engine's. */
static void small_case(uint64_t seed)
{
  pattern_case c;
  pattern_case_make(seed, &c);
  trie_host_seed(seed);
  compare_all(c.graph, c.coloring, c.pattern, c.induced, seed, true);
  pattern_case_free(&c);
}

/* ---- larger graphs -------------------------------------------------------------------- */

static uint32_t below(uint32_t n)
{
  return (uint32_t)(trie_host_random() % n);
}

/* Draws a graph in which a few vertices have most of the edges. */
static ms_graph *draw_graph(uint32_t n, uint32_t m, bool directed)
{
  static uint32_t edges[GPU_M][2];
  uint32_t count = 0;
  ms_error err;
  ms_graph *graph;
  while (count < m) {
    uint32_t u = below(n), v = below(n);
    u = below(3) ? u / 40 : u;
    if (u == v)
      continue;
    edges[count][0] = u;
    edges[count++][1] = v;
  }
  const uint32_t(*pairs)[2] = (const uint32_t(*)[2])edges;
  must(directed ? ms_graph_from_arcs(n, count, pairs, NULL, &graph, &err)
                : ms_graph_from_edges(n, count, pairs, NULL, &graph, &err),
       &err);
  return graph;
}

/* Checks a named or random directed pattern in a larger graph with uneven degrees; large stars
 * are only counted. */
static void large_case(uint64_t seed, uint32_t n, uint32_t m)
{
  static const char *const names[] = {"triangle", "clique:4", "cycle:4", "diamond", "house",
                                      "star:4",   "path:4",   "wheel:4", "star:9"};
  enum { NAMES = sizeof names / sizeof *names };
  ms_error err;
  ms_pattern *pattern = NULL;
  uint32_t edges[12][2], count = 0;
  bool directed = seed % 3 == 0;
  trie_host_seed(seed);
  ms_graph *graph = draw_graph(n, m, directed);
  if (directed) { /* a random connected pattern */
    for (uint32_t i = 1; i < 4; i++)
      for (uint32_t j = 0; j < i; j++)
        if (j + 1 == i || below(2)) {
          bool turn = below(2);
          edges[count][0] = turn ? i : j;
          edges[count++][1] = turn ? j : i;
        }
    must(ms_pattern_from_edges(4, count, (const uint32_t(*)[2])edges, true, NULL, &pattern, &err),
         &err);
  } else {
    must(ms_pattern_named(names[seed % NAMES], &pattern, &err), &err);
  }
  if (!directed && ms_pattern_size(pattern) > MOST_VISITED)
    compare_stars(graph, pattern, seed);
  else
    compare_all(graph, NULL, pattern, seed % 5 == 0, seed, !on_host && seed % NAMES < 2);
  ms_pattern_free(pattern);
  ms_graph_free(graph);
}

/* ---- sums ------------------------------------------------------------------------------- */

/* Draws sizes of sets.  Falling products have at most 200 bits: no engine supports more
 * (ms_packed_program_check). */
static void draw_sizes(uint32_t size[][MS_TRIE_BATCH], uint32_t n_sizes, uint32_t least)
{
  uint32_t bits = least > 0 ? 200 / least : 32;
  for (uint32_t i = 0; i < n_sizes; i++) /* of all lengths, and some that are zero */
    for (uint32_t lane = 0; lane < MS_TRIE_BATCH; lane++) {
      size[i][lane] = (uint32_t)trie_host_random() >> (32 - bits + below(bits));
      size[i][lane] = size[i][lane] > least ? size[i][lane] : least;
    }
}

static void draw_terms(ms_conjunction_term *term, uint32_t n_terms, uint32_t n_sizes)
{
  for (uint32_t t = 0; t < n_terms; t++) {
    term[t] = (ms_conjunction_term){.factor = (int64_t)below(65535) - 32767,
                                    .count = (uint8_t)(1 + below(MS_CONJUNCTION_BLOCKS))};
    for (uint32_t b = 0; b < term[t].count; b++)
      term[t].mask[b] = (uint8_t)below(n_sizes);
  }
}

static void add_by_definition(mpz_t sum, const ms_conjunction_program *p,
                              uint32_t size[][MS_TRIE_BATCH], uint32_t lane)
{
  mpz_t product;
  mpz_init_set_ui(product, 1);
  for (uint32_t t = 0; t < p->n_terms; t++) {
    mpz_set_si(product, (long)p->term[t].factor);
    for (uint32_t b = 0; b < p->term[t].count; b++)
      mpz_mul_ui(product, product, size[p->term[t].mask[b]][lane]);
    mpz_add(sum, sum, product);
  }
  for (uint32_t i = 0; i < p->falling; i++)
    mpz_mul_ui(product, product, size[0][lane] - i);
  if (p->falling > 0)
    mpz_add(sum, sum, product);
  mpz_clear(product);
}

/* Checks sums of terms, or of falling products, against their definition. */
static void sum_case(uint64_t seed)
{
  static uint32_t size[MS_CONJUNCTION_MASKS][MS_TRIE_BATCH];
  ms_conjunction_term term[MS_MAX_TAIL_TERMS];
  ms_trie_counters counters = {0};
  ms_trie_memory memory = {.counters = &counters};
  ms_conjunction_program program = {.term = term};
  mpz_t expected, sum;
  mpz_init(expected);
  mpz_init(sum);
  trie_host_seed(seed);
  uint32_t n_sizes = 1 + below(MS_CONJUNCTION_MASKS);
  if (seed % 4 == 0)
    program.falling = MS_MAX_TAIL + 1 + below(3);
  else
    program.n_terms = 1 + below(MS_MAX_TAIL_TERMS);
  for (int i = 0; i < 5; i++) {
    draw_sizes(size, n_sizes, program.falling);
    draw_terms(term, program.n_terms, n_sizes);
    for (uint32_t lane = 0; lane < MS_TRIE_BATCH; lane++)
      add_by_definition(expected, &program, size, lane);
    trie_host_add_terms(&program, &memory, size[0]);
  }
  ms_gpu_sum_add(sum, &counters.sum);
  check(mpz_cmp(sum, expected) == 0, seed, "a sum of terms");
  mpz_clear(expected);
  mpz_clear(sum);
}

/* ---- the list of tests --------------------------------------------------------------------- */

static void find_gpus(void)
{
  gpus = ms_pattern_engine_trie.devices();
}

static bool has_host_runs(void)
{
  return gpus == 0 || fake_cuda;
}

/* Rows and counts of small random patterns in small random graphs, with and without tails, are
 * the CPU engine's, and some levels are cut: 1,000 cases on the host, 200 on GPUs. */
START_TEST(test_small_cases)
{
  on_host = has_host_runs();
  uint64_t cases = scaled(on_host ? SMALL_CASES : SMALL_GPU_CASES);
  for (uint64_t seed = 1; seed <= cases; seed++)
    small_case(seed);
  ck_assert(cuts > 0 || !on_host);
  /* some descents count the deepest level, and others end before it */
  ck_assert((finished > 0 && finished < descents) || !on_host);
}
END_TEST

/* The kernels as host code give the CPU engine's rows and counts of named and random directed
 * patterns in larger graphs with uneven degrees: 16 cases. */
START_TEST(test_large_cases_on_host)
{
  on_host = true;
  for (uint64_t seed = 1; has_host_runs() && seed <= scaled(LARGE_CASES); seed++)
    large_case(seed, LARGE_N, LARGE_M);
}
END_TEST

/* GPUs, emulated or not, give the same: 9 and 27 cases. */
START_TEST(test_large_cases_on_gpus)
{
  on_host = false;
  uint64_t cases = scaled(fake_cuda ? EMULATED_GPU_CASES : GPU_CASES);
  for (uint64_t seed = 1; gpus > 0 && seed <= cases; seed++)
    large_case(seed, fake_cuda ? LARGE_N : GPU_N, fake_cuda ? EMULATED_GPU_M : GPU_M);
}
END_TEST

/* Sums of terms, or of falling products, far beyond 64 bits and of both signs are those of their
 * definition: 500 cases. */
START_TEST(test_sums)
{
  for (uint64_t seed = 1; seed <= scaled(SUM_CASES); seed++)
    sum_case(seed);
}
END_TEST

/* Without a GPU the engine refuses a count with that reason. */
START_TEST(test_without_gpus)
{
  ms_program program = {.prefix = 1};
  ms_pattern_task task = {.program = &program, .threads = 1};
  ms_error err = {0};
  mpz_t sum;
  if (gpus > 0)
    return;
  mpz_init(sum);
  ck_assert_int_eq(ms_pattern_engine_trie.count(&task, sum, &err), MS_ERR_USAGE);
  ck_assert_ptr_nonnull(strstr(err.message, "GPU"));
  mpz_clear(sum);
  printf("SKIPPED: gpu/trie: no GPU here, its kernels run on the host only\n");
}
END_TEST

TEST_MAIN("trie", TIME_LIMIT(900), AROUND_EACH(find_gpus, NULL), TEST(test_small_cases),
          TEST(test_large_cases_on_host), TEST(test_large_cases_on_gpus), TEST(test_sums),
          TEST(test_without_gpus))
