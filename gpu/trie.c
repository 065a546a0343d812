/* The engine `trie`: memory of its GPUs, and a drive (gpu/trie_drive.h) on each.
 * The order of its matches differs from run to run. */
#include "base/alloc.h"
#include "base/status.h"
#include "gpu/cuda_error.h"
#include "gpu/gpu.h"
#include "gpu/pattern.h"
#include "gpu/pattern_devices.h"
#include "gpu/pattern_upload.h"
#include "gpu/trie_drive.h"
#include "gpu/trie_launch.h"

#include <pthread.h>
#include <string.h>

#define ALIGN ((uint64_t)256)
/* Device memory for the levels: more of it keeps no GPU busier, and takes long
 * to get. */
#define MOST_BYTES ((uint64_t)2 << 30)
#define LEAST_BYTES ((uint64_t)64 << 10)
enum { ROOT_GRAINS = 16, COUNTER_BUFFER = 2 };

_Static_assert((int)MS_TRIE_BUFFERS <= (int)COUNTER_BUFFER && (int)COUNTER_BUFFER < (int)MS_STAGING_BUFFERS,
               "each buffer of rows, and the counters, have a pinned buffer");

/* A machine of gpu/trie_drive.h. */
typedef struct gpu_machine {
  ms_gpu_pattern context;
  int multiprocessors;
  ms_trie_tables tables;
  ms_trie_program program;
  ms_trie_memory memory;
  ms_trie_memory_plan plan;
  void *table_memory, *level_memory; /* on the device */
  uint64_t table_bytes;
} gpu_machine;

/* ---- what a drive asks for ---------------------------------------------------- */

static ms_status roots(void *on, uint64_t first, uint64_t count, ms_error *err)
{
  gpu_machine *m = on;
  return ms_cuda_status(ms_trie_launch_roots(&m->program, &m->memory, first, count, m->context.staging.stream),
                        "starting a search on the GPU", err);
}

static ms_status work(void *on, ms_trie_job job, const ms_trie_work *given, ms_trie_counters *out, ms_error *err)
{
  static const char what[] = "searching on the GPU";
  gpu_machine *m = on;
  ms_staging *s = &m->context.staging;
  ms_status status = ms_cuda_status(
    ms_trie_launch_work(&m->program, &m->memory, given, job, (uint32_t)m->multiprocessors, s->stream), what, err);
  if (status == MS_OK)
    status = ms_cuda_status(cudaMemcpyAsync(s->buffer[COUNTER_BUFFER], m->memory.counters, sizeof *out,
                                            cudaMemcpyDeviceToHost, s->stream), what, err);
  if (status == MS_OK)
    status = ms_cuda_status(cudaStreamSynchronize(s->stream), what, err);
  if (status == MS_OK)
    memcpy(out, s->buffer[COUNTER_BUFFER], sizeof *out);
  return status;
}

static ms_status copy_items(void *on, uint32_t to, uint64_t to_at, uint32_t from, uint64_t from_at, uint64_t count,
                            ms_error *err)
{
  gpu_machine *m = on;
  ms_trie_item *item = m->memory.item;
  return ms_cuda_status(cudaMemcpyAsync(item + to * m->plan.items + to_at, item + from * m->plan.items + from_at,
                                        count * sizeof *item, cudaMemcpyDeviceToDevice, m->context.staging.stream),
                        "copying what is left of a level", err);
}

static ms_status fetch(void *on, uint32_t buffer, uint64_t first, uint64_t count, ms_error *err)
{
  static const char what[] = "fetching matches from the GPU";
  gpu_machine *m = on;
  ms_staging *s = &m->context.staging;
  uint32_t *rows = (uint32_t *)(void *)s->buffer[buffer];
  ms_status status = ms_cuda_status(
    ms_trie_launch_gather(&m->program, &m->memory, first, count, rows, m->plan.rows, s->stream), what, err);
  return status == MS_OK ? ms_cuda_status(cudaEventRecord(s->copied[buffer], s->stream), what, err) : status;
}

static ms_status fetched(void *on, uint32_t buffer, const uint32_t **rows, ms_error *err)
{
  gpu_machine *m = on;
  ms_staging *s = &m->context.staging;
  *rows = (const uint32_t *)(const void *)s->buffer[buffer];
  return ms_cuda_status(cudaEventSynchronize(s->copied[buffer]), "fetching matches from the GPU", err);
}

static const ms_trie_machine gpu_machine_calls = {
  .roots = roots, .work = work, .copy_items = copy_items, .fetch = fetch, .fetched = fetched};

/* ---- the program --------------------------------------------------------------------- */

/* Where on the device the copy of one of the program's lists or bit sets is. */
static const void *on_device(const gpu_machine *m, const void *from)
{
  const ms_pattern_pack *pack = &m->context.pack;
  for (uint32_t i = 0; from && i < pack->parts; i++)
    if (pack->part[i].from == from)
      return m->context.memory + pack->part[i].at;
  return NULL;
}

static uint64_t aligned(uint64_t bytes)
{
  return (bytes + ALIGN - 1) / ALIGN * ALIGN;
}

static void place_program(gpu_machine *m, const ms_staging_part part[4], uint8_t *base)
{
  const ms_trie_tables *t = &m->tables;
  m->program = (ms_trie_program){
    .set = (const ms_trie_set *)(const void *)(base + part[0].at),
    .link = (const ms_trie_link *)(const void *)(base + part[1].at),
    .bits = (const uint64_t *const *)(const void *)(base + part[2].at),
    .term = (const ms_trie_term *)(const void *)(base + part[3].at),
    .prefix = t->prefix, .n_masks = t->n_masks, .n_terms = t->n_terms, .first_root = t->first_root,
    .n_roots = t->n_roots, .root_list = on_device(m, t->root_list),
    .stride = ms_trie_stride(t->n_roots)};
  for (int kind = 0; kind < MS_ROW_KINDS; kind++) {
    m->program.rows[kind].offset = m->context.index.rows[kind].offset;
    m->program.rows[kind].neighbor = m->context.index.rows[kind].neighbor;
  }
}

static ms_status upload_tables(gpu_machine *m, const ms_program *program, ms_error *err)
{
  ms_trie_tables *t = &m->tables;
  ms_status status = ms_trie_tables_new(program, t, err);
  if (status != MS_OK)
    return status;
  for (uint32_t i = 0; i < t->n_sets; i++)
    t->set[i].list = on_device(m, t->set[i].list);
  for (uint32_t i = 0; i < t->n_bits; i++)
    t->bits[i] = on_device(m, t->bits[i]);
  ms_staging_part part[] = {{.from = t->set, .bytes = t->n_sets * sizeof *t->set},
                            {.from = t->link, .bytes = t->n_links * sizeof *t->link},
                            {.from = t->bits, .bytes = t->n_bits * sizeof *t->bits},
                            {.from = t->term, .bytes = t->n_terms * sizeof *t->term}};
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < 4; i++) {
    part[i].at = bytes;
    bytes += aligned(part[i].bytes);
  }
  status = ms_gpu_pattern_alloc(&m->context, bytes, &m->table_memory, "copying the plan", err);
  if (status != MS_OK)
    return status;
  m->table_bytes = bytes;
  place_program(m, part, m->table_memory);
  return ms_staging_upload(&m->context.staging, part, 4, m->table_memory, bytes, 1, err);
}

/* ---- memory ------------------------------------------------------------------------------ */

static uint64_t level_bytes(const gpu_machine *m)
{
  uint64_t items = m->plan.items * (m->program.prefix + 1) * MS_TRIE_ITEM_BYTES;
  return aligned(sizeof(ms_trie_counters)) + aligned(items) + 2 * aligned(m->plan.entries * sizeof(uint32_t));
}

static void place_levels(gpu_machine *m)
{
  uint8_t *at = m->level_memory;
  m->memory.counters = (ms_trie_counters *)(void *)at;
  at += aligned(sizeof(ms_trie_counters));
  m->memory.item = (ms_trie_item *)(void *)at;
  at += aligned(m->plan.items * (m->program.prefix + 1) * MS_TRIE_ITEM_BYTES);
  m->memory.parent = (uint32_t *)(void *)at;
  at += aligned(m->plan.entries * sizeof(uint32_t));
  m->memory.vertex = (uint32_t *)(void *)at;
  m->memory.most_items = m->plan.items;
}

/* What there is, up to a bound; less where it is in pieces. */
static ms_status take_memory(gpu_machine *m, ms_error *err)
{
  uint64_t bytes, fixed = 4 * ALIGN + sizeof(ms_trie_counters) + m->table_bytes;
  ms_status status = ms_gpu_pattern_room(&m->context, MOST_BYTES, &bytes, err);
  bytes = bytes < MOST_BYTES ? bytes : MOST_BYTES;
  while (status == MS_OK) {
    status = ms_trie_memory_plan_make(bytes > fixed ? bytes - fixed : 0, m->program.prefix,
                                      ms_trie_most_tiles((uint32_t)m->multiprocessors), &m->plan, err);
    if (status != MS_OK)
      break;
    status = ms_gpu_pattern_alloc(&m->context, level_bytes(m), &m->level_memory, "making room for partial matches", err);
    if (status != MS_ERR_MEMORY || bytes / 2 < LEAST_BYTES)
      break;
    bytes /= 2;
    status = MS_OK;
  }
  if (status == MS_OK)
    place_levels(m);
  m->plan.rows = MS_STAGING_BYTES / (m->program.prefix * sizeof(uint32_t));
  return status;
}

static ms_status machine_open(gpu_machine *m, const ms_program *program, int device, int threads, ms_error *err)
{
  ms_gpu_device facts;
  memset(m, 0, sizeof *m);
  ms_status status = ms_gpu_pattern_open(&m->context, program, device, threads, err);
  if (status == MS_OK)
    status = ms_gpu_device_facts(device, &facts, err);
  if (status == MS_OK) {
    m->multiprocessors = facts.multiprocessors;
    status = ms_staging_make_buffers(&m->context.staging, MS_STAGING_BUFFERS, err);
  }
  if (status == MS_OK)
    status = upload_tables(m, program, err);
  /* the upload reads pinned buffers, which are used for other things from now on */
  if (status == MS_OK)
    status = ms_cuda_status(cudaStreamSynchronize(m->context.staging.stream), "copying the plan", err);
  return status == MS_OK ? take_memory(m, err) : status;
}

static void machine_close(gpu_machine *m)
{
  if (m->context.staging.stream && cudaSetDevice(m->context.device) == cudaSuccess) {
    ms_gpu_pattern_free(&m->context, m->level_memory);
    ms_gpu_pattern_free(&m->context, m->table_memory);
  }
  ms_gpu_pattern_close(&m->context);
  ms_trie_tables_free(&m->tables);
}

/* ---- a search ----------------------------------------------------------------------------- */

typedef struct search {
  const ms_pattern_task *task;
  ms_row_fn make;       /* NULL: count */
  void *user;
  ms_stream *stream;
  ms_trie_roots roots;
  int parts;
  bool halt;            /* atomically */
} search;

/* What one device does. */
typedef struct part {
  search *search;
  int device;
  mpz_t sum;
  ms_status status;
  ms_error error;
} part;

static ms_status run_part(part *p, gpu_machine *m)
{
  search *s = p->search;
  const ms_pattern_index *index = s->task->program->index;
  ms_status status = machine_open(m, s->task->program, p->device, s->task->threads, &p->error);
  ms_trie_drive drive = {.machine = &gpu_machine_calls, .on = m, .memory = m->plan,
                         .program = s->task->program, .roots = &s->roots, .stop = s->task->stop,
                         .mean_row = index->arcs > 0 ? (double)index->arcs / index->n : 1,
                         .sum = p->sum, .make = s->make, .user = s->user, .stream = s->stream,
                         .threads = s->task->threads, .halt = &s->halt};
  if (status == MS_OK)
    status = ms_trie_drive_run(&drive, &p->error);
  if (status == MS_ERR_DEVICE_LOST || status == MS_ERR_INTERNAL)
    m->context.failed = true;
  machine_close(m);
  return status;
}

static void *run_thread(void *user)
{
  part *p = user;
  gpu_machine *m = ms_alloc(1, sizeof *m);
  p->status = m ? run_part(p, m) : ms_fail_memory(&p->error, "a search on a GPU");
  ms_free(m);
  if (p->status != MS_OK) {
    __atomic_store_n(&p->search->halt, true, __ATOMIC_RELAXED);
    if (p->search->stream)
      ms_stream_halt(p->search->stream);
  }
  return NULL;
}

/* The first part on this thread, each other one on its own. */
static void run_parts(part *parts, int count)
{
  pthread_t thread[MS_GPU_MOST_DEVICES];
  bool begun[MS_GPU_MOST_DEVICES] = {false};
  for (int i = 1; i < count; i++)
    begun[i] = pthread_create(&thread[i], NULL, run_thread, &parts[i]) == 0;
  run_thread(&parts[0]);
  for (int i = 1; i < count; i++)
    if (begun[i])
      (void)pthread_join(thread[i], NULL); /* the roots are shared: one that never began is not missed */
}

static uint64_t count_roots(const ms_program *p)
{
  const ms_domain *domain = &p->step[0].domain;
  return p->list[0] ? domain->count : domain->hi - domain->lo;
}

/* sum: of a count. */
static ms_status run(search *s, mpz_ptr sum, ms_error *err)
{
  int device[MS_GPU_MOST_DEVICES];
  uint32_t devices;
  ms_status status = ms_gpu_pattern_devices(s->task, device, &devices, err);
  if (status != MS_OK)
    return status;
  s->roots.count = count_roots(s->task->program);
  if (s->roots.count == 0)
    return MS_OK;
  s->parts = devices < s->roots.count ? (int)devices : (int)s->roots.count;
  s->roots.grain = s->parts > 1 ? s->roots.count / ((uint64_t)s->parts * ROOT_GRAINS) + 1 : 0;
  part *parts = ms_calloc((size_t)s->parts, sizeof *parts);
  if (!parts)
    return ms_fail_memory(err, "a search on GPUs");
  for (int i = 0; i < s->parts; i++) {
    parts[i].search = s;
    parts[i].device = device[i];
    mpz_init(parts[i].sum);
  }
  run_parts(parts, s->parts);
  for (int i = 0; i < s->parts; i++) {
    if (sum)
      mpz_add(sum, sum, parts[i].sum);
    mpz_clear(parts[i].sum);
    bool stopped = status == MS_ERR_LIMIT || status == MS_ERR_INTERRUPTED; /* others say more */
    if (parts[i].status != MS_OK && (status == MS_OK || stopped)) {
      status = parts[i].status;
      if (err)
        *err = parts[i].error;
    }
  }
  ms_free(parts);
  return status;
}

static ms_status count(const ms_pattern_task *task, mpz_t sum, ms_error *err)
{
  search s = {.task = task};
  return run(&s, sum, err);
}

static ms_status list(const ms_pattern_task *task, ms_row_fn make, void *user, ms_stream *stream, ms_error *err)
{
  search s = {.task = task, .make = make, .user = user, .stream = stream};
  return run(&s, NULL, err);
}

const ms_pattern_engine ms_pattern_engine_trie = {
  .name = "trie", .devices = ms_gpu_pattern_device_count, .takes = ms_gpu_pattern_takes, .count = count, .list = list};
