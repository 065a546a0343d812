#include "gpu/match/trie_drive.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/threads.h"

#include <string.h>

#define SHORT_RUN 0.01 /* seconds of a kernel: between looks at the stop token */
#define LONG_RUN 0.1
#define FIRST_SLICE ((uint64_t)1 << 22) /* entries a launch */
/* Entries a launch, at most: each may add MS_MAX_TAIL_TERMS numbers below 2^32
 * to a limb, which has 64 bits. */
#define LAST_SLICE ((uint64_t)1 << 25)
#define MOST_ENTRIES ((uint64_t)UINT32_MAX)

/* A level with entries first, first + 1, .. */
typedef struct level {
  uint64_t first, count;
  uint64_t next;          /* of count: not begun yet */
  uint32_t list, n_items; /* begun and left */
  uint64_t slice;
} level;

typedef struct run {
  const ms_trie_drive *drive;
  ms_error *err;
  uint32_t prefix;
  uint32_t deepest; /* level whose entries are finished by themselves */
  uint32_t spare;   /* list that no level has */
  level level[MS_MAX_PATTERN];
  bool stopped;     /* the stream wants no more, or another drive failed */
  uint32_t buffer;  /* the next to be fetched into */
  uint64_t pending; /* rows on their way in the other one */
} run;

/* ---- memory ------------------------------------------------------------------- */

/* An eighth for the lists, the rest for entries. */
ms_status ms_trie_memory_plan_make(uint64_t bytes, uint32_t prefix, uint64_t most_items,
                                   ms_trie_memory_plan *plan, ms_error *err)
{
  const uint64_t least_items = MS_TRIE_BATCH; /* a warp's */
  uint64_t item = MS_TRIE_ITEM_BYTES * (prefix + 1), items = bytes / 8 / item;
  items = items < most_items ? items : most_items;
  items = items > least_items ? items : least_items;
  uint64_t used = items * item, entries = bytes > used ? (bytes - used) / MS_TRIE_ENTRY_BYTES : 0;
  entries = entries < MOST_ENTRIES ? entries : MOST_ENTRIES;
  *plan = (ms_trie_memory_plan){.entries = entries, .items = items};
  if (entries < prefix)
    return ms_fail(err, MS_ERR_MEMORY,
                   "%llu bytes of GPU memory are too few for a search of %u levels; free memory on "
                   "the GPU, raise MOTIFSIEVE_GPU_MEMORY if it is set, or use the CPU engine",
                   (unsigned long long)bytes, prefix);
  return MS_OK;
}

/* ---- work ------------------------------------------------------------------------ */

static void adapt_slice(level *l, double seconds)
{
  if (seconds < SHORT_RUN && l->slice < LAST_SLICE)
    l->slice *= 2;
  else if (seconds > LONG_RUN && l->slice > 1)
    l->slice /= 2;
}

/* One launch on what is left of a level, the entries no more than a slice. */
static ms_status launch(run *r, uint32_t depth, ms_trie_job job, uint64_t to, uint64_t room,
                        ms_trie_counters *counters)
{
  level *l = &r->level[depth];
  uint64_t left = l->count - l->next, some = left < l->slice ? left : l->slice;
  ms_trie_work work = {.level = depth,
                       .batch = MS_TRIE_BATCH,
                       .item_list = l->list,
                       .left_list = r->spare,
                       .n_items = l->n_items,
                       .begin = l->first + l->next,
                       .end = l->first + l->next + some,
                       .to = to,
                       .room = room};
  double start = ms_seconds();
  MS_TRY(r->drive->machine->work(r->drive->on, job, &work, counters, r->err));
  if (r->drive->slice == 0)
    adapt_slice(l, ms_seconds() - start);
  uint64_t all = l->n_items + some;
  counters->ticket = counters->ticket < all ? counters->ticket : all;
  return MS_OK;
}

/* What is left of the level: what warps noted, items that nobody took, entries
 * that nobody took. */
static ms_status note_left(run *r, level *l, const ms_trie_counters *counters)
{
  uint64_t taken = counters->ticket < l->n_items ? counters->ticket : l->n_items;
  uint64_t rest = l->n_items - taken;
  ms_status status = MS_OK;
  if (counters->left + rest > r->drive->memory.items)
    return ms_fail(r->err, MS_ERR_INTERNAL,
                   "a level of the trie left more than its list can hold; "
                   "this is a bug in motifsieve, please report it with the input files");
  if (rest > 0)
    status = r->drive->machine->copy_items(r->drive->on, r->spare, counters->left, l->list, taken,
                                           rest, r->err);
  uint32_t list = l->list;
  l->list = r->spare;
  r->spare = list;
  l->n_items = (uint32_t)(counters->left + rest);
  l->next += counters->ticket - taken;
  return status;
}

static void start_level(run *r, uint32_t depth, uint64_t first, uint64_t count)
{
  level *l = &r->level[depth];
  l->first = first;
  l->count = count;
  l->next = 0;
  l->n_items = 0;
}

/* The children of what is left of a level, as many as there is room for. */
static ms_status expand(run *r, uint32_t depth)
{
  level *l = &r->level[depth], *child = &r->level[depth + 1];
  uint64_t used = l->first + l->count,
           room = (r->drive->memory.entries - used) / (r->deepest - depth);
  ms_trie_counters c;
  ms_status status = MS_OK;
  start_level(r, depth + 1, used, 0);
  do {
    uint64_t free = room - child->count;
    status = ms_stop_check(r->drive->stop);
    if (status == MS_OK)
      status = launch(r, depth, MS_TRIE_EXPAND, used + child->count, free, &c);
    if (status == MS_OK)
      status = note_left(r, l, &c);
    if (status == MS_OK)
      child->count += c.cursor < free ? c.cursor : free;
  } while (status == MS_OK && l->n_items == 0 && l->next < l->count && child->count < room);
  return status;
}

/* ---- sums --------------------------------------------------------------------------- */

void ms_trie_add_sum(mpz_t sum, const uint64_t limb[MS_TRIE_LIMBS])
{
  uint32_t words[MS_TRIE_LIMBS];
  uint64_t carry = 0;
  bool any = false;
  for (uint32_t i = 0; i < MS_TRIE_LIMBS; i++) {
    uint64_t low = (limb[i] & UINT32_MAX) + (carry & UINT32_MAX);
    words[i] = (uint32_t)low;
    carry = (limb[i] >> 32) + (carry >> 32) + (low >> 32);
    any = any || words[i];
  }
  if (!any)
    return;
  mpz_t value;
  mpz_init(value);
  mpz_import(value, MS_TRIE_LIMBS, -1, sizeof *words, 0, 0, words);
  if (words[MS_TRIE_LIMBS - 1] >> 31) {
    mpz_t modulus;
    mpz_init(modulus);
    mpz_setbit(modulus, 32 * MS_TRIE_LIMBS);
    mpz_sub(value, value, modulus);
    mpz_clear(modulus);
  }
  mpz_add(sum, sum, value);
  mpz_clear(value);
}

/* Count what is below the deepest level's entries. */
static ms_status count_level(run *r)
{
  level *l = &r->level[r->deepest];
  ms_trie_job job = r->drive->program->n_groups > 0 ? MS_TRIE_TAIL : MS_TRIE_COUNT;
  ms_status status = MS_OK;
  while (status == MS_OK && l->next < l->count) {
    ms_trie_counters c;
    status = ms_stop_check(r->drive->stop);
    if (status == MS_OK)
      status = launch(r, r->deepest, job, 0, 0, &c);
    if (status == MS_OK) {
      ms_trie_add_sum(r->drive->sum, c.sum);
      l->next += c.ticket;
    }
  }
  return status;
}

/* ---- rows ---------------------------------------------------------------------------- */

/* Rows [first, last) of a buffer into a segment of the output. */
static bool emit_part(run *r, const uint32_t *rows, uint64_t first, uint64_t last,
                      ms_segment *segment)
{
  const ms_trie_drive *d = r->drive;
  uint32_t ids[MS_MAX_PATTERN], row[MS_MAX_PATTERN];
  for (uint64_t i = first; i < last; i++) {
    for (uint32_t j = 0; j < r->prefix; j++)
      ids[j] = rows[j * d->memory.rows + i];
    if (!d->make(d->user, ids, row) || !ms_stream_add(d->stream, segment, row))
      return false;
  }
  return true;
}

/* By several threads, each a segment of its own. */
static ms_status emit(run *r, const uint32_t *rows, uint64_t count)
{
  const ms_trie_drive *d = r->drive;
  enum { MOST_PARTS = 64 };
  ms_segment *segment[MOST_PARTS];
  int parts = ms_threads_for(d->threads, count), opened = 0;
  bool going = true;
  parts = parts < MOST_PARTS ? parts : MOST_PARTS;
  while (opened < parts && (segment[opened] = ms_stream_open(d->stream, NULL)))
    opened++;
  if (opened == 0)
    return ms_fail_memory(r->err, "buffers of matches");
#pragma omp parallel for num_threads(opened) schedule(static, 1)
  for (int i = 0; i < opened; i++) {
    uint64_t first = count * (uint64_t)i / (uint64_t)opened,
             last = count * (uint64_t)(i + 1) / (uint64_t)opened;
    if (!emit_part(r, rows, first, last, segment[i])) {
      ms_stream_halt(d->stream);
#pragma omp atomic write
      going = false;
    }
    ms_stream_close(d->stream, segment[i]);
  }
  r->stopped = !going;
  if (!going && d->halt)
    atomic_store(d->halt, true);
  if (!going && ms_stream_status(d->stream) == MS_ERR_MEMORY)
    return ms_fail_memory(r->err, "buffers of matches");
  return MS_OK;
}

/* Rows that are on their way. */
static ms_status finish_rows(run *r)
{
  const uint32_t *rows;
  uint64_t count = r->pending;
  if (count == 0)
    return MS_OK;
  r->pending = 0;
  ms_status status =
      r->drive->machine->fetched(r->drive->on, (r->buffer + 1) % MS_TRIE_BUFFERS, &rows, r->err);
  return status == MS_OK && !r->stopped ? emit(r, rows, count) : status;
}

/* The deepest level's matches, a buffer on its way while the other is handed on. */
static ms_status list_level(run *r)
{
  level *l = &r->level[r->deepest];
  ms_status status = MS_OK;
  while (status == MS_OK && l->next < l->count && !r->stopped) {
    uint64_t left = l->count - l->next,
             some = left < r->drive->memory.rows ? left : r->drive->memory.rows;
    status = ms_stop_check(r->drive->stop);
    if (status == MS_OK)
      status = r->drive->machine->fetch(r->drive->on, r->buffer, l->first + l->next, some, r->err);
    if (status == MS_OK)
      status = finish_rows(r);
    r->buffer = (r->buffer + 1) % MS_TRIE_BUFFERS;
    r->pending = status == MS_OK ? some : 0;
    l->next += some;
  }
  return status == MS_OK ? finish_rows(r) : status;
}

/* ---- levels ----------------------------------------------------------------------------- */

static ms_status finish(run *r)
{
  const ms_trie_drive *d = r->drive;
  if (d->make)
    return list_level(r);
  if (d->program->n_groups > 0 || r->prefix > 1)
    return count_level(r);
  mpz_add_ui(d->sum, d->sum, r->level[0].count); /* the roots themselves */
  return MS_OK;
}

static bool is_halted(const run *r)
{
  return r->stopped ||
         (r->drive->halt && atomic_load_explicit(r->drive->halt, memory_order_relaxed));
}

/* Everything below the roots of level 0. */
static ms_status descend(run *r)
{
  uint32_t depth = 0;
  for (;;) {
    level *l = &r->level[depth];
    bool done = l->next == l->count && l->n_items == 0;
    ms_status status = ms_stop_check(r->drive->stop);
    if (status != MS_OK || is_halted(r))
      return status;
    if (depth == r->deepest && !done) {
      status = finish(r);
      l->next = l->count;
    } else if (!done) {
      status = expand(r, depth);
      depth++;
    } else if (depth > 0) {
      depth--;
    } else {
      return MS_OK;
    }
    if (status != MS_OK)
      return status;
  }
}

static bool take_roots(run *r, uint64_t *first, uint64_t *count)
{
  ms_trie_roots *roots = r->drive->roots;
  uint64_t room = r->drive->memory.entries / (r->deepest + 1);
  uint64_t most = roots->grain > 0 && roots->grain < room ? roots->grain : room;
  *first = __atomic_fetch_add(&roots->next, most, __ATOMIC_RELAXED);
  if (*first >= roots->count)
    return false;
  *count = roots->count - *first < most ? roots->count - *first : most;
  return true;
}

ms_status ms_trie_drive_run(ms_trie_drive *drive, ms_error *err)
{
  run r = {.drive = drive, .err = err, .prefix = drive->program->prefix};
  bool visits = drive->make || drive->program->n_groups > 0 || r.prefix == 1;
  ms_status status = MS_OK;
  uint64_t first, count;
  r.deepest = visits ? r.prefix - 1 : r.prefix - 2;
  r.spare = r.prefix;
  for (uint32_t i = 0; i < r.prefix; i++) {
    r.level[i].list = i;
    r.level[i].slice = drive->slice ? drive->slice : FIRST_SLICE;
  }
  while (status == MS_OK && !is_halted(&r) && take_roots(&r, &first, &count)) {
    start_level(&r, 0, 0, count);
    status = drive->machine->roots(drive->on, first, count, err);
    if (status == MS_OK)
      status = descend(&r);
  }
  return status;
}
