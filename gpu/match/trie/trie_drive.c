#include "gpu/match/trie/trie_drive.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/threads/threads.h"
#include "base/threads/work.h"
#include "gpu/common/sum.h"

#include <string.h>

_Static_assert(MS_TRIE_ENTRY_BYTES == MS_WORK_ENTRY_BYTES, "statistics say what a trie needs");

#define SHORT_RUN 0.01 /* seconds of a kernel between two checks of the stop token */
#define LONG_RUN 0.1
#define FIRST_SLICE ((uint64_t)1 << 22) /* entries of a launch */
/* Entries of a level with which a descent goes on: its kernels run between two checks of the stop
 * token, and where levels are larger, waits between them do not matter. */
#define DESCENT_MOST ((uint64_t)1 << 20)
/* Most entries of a launch: each may add MS_MAX_TAIL_TERMS numbers below 2^32 to a limb, which
 * has 64 bits. */
#define LAST_SLICE ((uint64_t)1 << 25)
#define MOST_ENTRIES ((uint64_t)UINT32_MAX)
/* Roots of the first batch where the number of rows is limited, and the factor of the next ones. */
#define FIRST_ROOTS ((uint64_t)1024)
#define MORE_ROOTS 8u

/* A level with entries first, first + 1, .., first + count - 1. */
typedef struct level {
  uint64_t first, count;
  uint64_t next;          /* entries [next, count) are not begun yet */
  uint64_t before;        /* what next was before the last expansion */
  uint32_t list, n_items; /* entries that were begun and not finished */
  uint64_t slice;
} level;

typedef struct run {
  ms_trie_drive *drive;
  ms_error *err;
  uint32_t prefix;
  uint32_t deepest; /* level whose entries are finished without children */
  uint32_t spare;   /* number of the list that no level uses */
  level level[MS_MAX_PATTERN];
  uint64_t begin, begun; /* roots: the first of the drive, and those before the current ones */
  uint64_t batch;        /* most roots of the next batch of a limited listing; 0: no limit */
} run;

/* ---- memory ------------------------------------------------------------------- */

/* An eighth is for the lists, the rest for entries. */
ms_status ms_trie_memory_plan_make(uint64_t bytes, uint32_t prefix, uint64_t most_items,
                                   ms_trie_memory_plan *plan, ms_error *err)
{
  const uint64_t least_items = MS_TRIE_BATCH; /* of one warp */
  uint64_t item = MS_TRIE_ITEM_BYTES * (prefix + 1), items = bytes / 8 / item;
  items = items < most_items ? items : most_items;
  items = items > least_items ? items : least_items;
  uint64_t used = items * item, entries = bytes > used ? (bytes - used) / MS_TRIE_ENTRY_BYTES : 0;
  entries = entries < MOST_ENTRIES ? entries : MOST_ENTRIES;
  *plan = (ms_trie_memory_plan){.entries = entries, .items = items};
  if (entries < prefix)
    return ms_fail(
        err, MS_ERR_MEMORY,
        "%llu bytes of GPU memory are too little for a search of %u levels; " MS_GPU_MORE_MEMORY
        ", or use the CPU engine",
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

/* Sets the ticket to the number of items and entries, of which there were `all`, that were begun.
 */
static void set_begun(ms_trie_counters *counters, uint64_t all)
{
  uint64_t begun = counters->given + counters->ticket;
  counters->ticket = begun < all ? begun : all;
}

/* Launches a kernel on what is left of a level, with no more entries than a slice. */
static ms_status launch_slice(run *r, uint32_t depth, ms_trie_job job, uint64_t to, uint64_t room,
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
  double took = ms_seconds() - start;
  *(job == MS_TRIE_EXPAND ? &r->drive->work.expand : &r->drive->work.finish) += took;
  if (r->drive->slice == 0)
    adapt_slice(l, took);
  set_begun(counters, l->n_items + some);
  return MS_OK;
}

/* Notes what is left of the level: the items that warps noted, and the items and entries that
 * nobody took. */
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

/* Reports the fraction of the roots that is done: of each level, the entries before the last
 * expansion, and of those in it what is done of the level below. */
static void report_progress(const run *r, uint32_t depth)
{
  const ms_trie_drive *d = r->drive;
  double below = depth == r->deepest;
  if (!d->report)
    return;
  for (uint32_t i = depth + 1; i-- > 0;) {
    const level *l = &r->level[i];
    double now = (double)(l->next - l->before);
    below = l->count > 0 ? ((double)l->before + now * below) / (double)l->count : 1;
  }
  double roots = (double)r->level[0].count, all = (double)(d->roots->count - r->begin);
  d->report(d->report_user, ((double)(r->begun - r->begin) + roots * below) / all);
}

static void start_level(run *r, uint32_t depth, uint64_t first, uint64_t count)
{
  level *l = &r->level[depth];
  l->first = first;
  l->count = count;
  l->next = l->before = 0;
  l->n_items = 0;
}

static void note_stored(run *r, uint32_t depth)
{
  uint64_t *stored = r->drive->work.stored;
  stored[depth < MS_WORK_LEVELS ? depth : MS_WORK_LEVELS - 1] += r->level[depth].count;
}

/* Finds children of what is left of a level, as many as there is room for. */
static ms_status expand_level(run *r, uint32_t depth)
{
  level *l = &r->level[depth], *child = &r->level[depth + 1];
  uint64_t used = l->first + l->count,
           room = ms_trie_room(r->drive->memory.entries, used, r->deepest - depth);
  ms_trie_counters c;
  ms_status status = MS_OK;
  l->before = l->next;
  start_level(r, depth + 1, used, 0);
  do {
    uint64_t free = room - child->count;
    status = ms_stop_check(r->drive->stop);
    if (status == MS_OK)
      status = launch_slice(r, depth, MS_TRIE_EXPAND, used + child->count, free, &c);
    if (status == MS_OK)
      status = note_left(r, l, &c);
    if (status == MS_OK)
      child->count += c.cursor < free ? c.cursor : free;
  } while (status == MS_OK && l->n_items == 0 && l->next < l->count && child->count < room);
  note_stored(r, depth + 1);
  return status;
}

/* ---- the deepest level --------------------------------------------------------------- */

static ms_trie_job job_of_deepest(const run *r)
{
  return r->drive->program->n_groups > 0 ? MS_TRIE_TAIL : MS_TRIE_COUNT;
}

/* Counts the matches below the deepest level's entries. */
static ms_status count_level(run *r)
{
  level *l = &r->level[r->deepest];
  ms_trie_job job = job_of_deepest(r);
  ms_status status = MS_OK;
  while (status == MS_OK && l->next < l->count) {
    ms_trie_counters c;
    status = ms_stop_check(r->drive->stop);
    if (status == MS_OK)
      status = launch_slice(r, r->deepest, job, 0, 0, &c);
    if (status == MS_OK) {
      ms_gpu_sum_add(r->drive->sum, &c.sum);
      l->next += c.ticket;
      report_progress(r, r->deepest);
    }
  }
  return status;
}

/* ---- levels ----------------------------------------------------------------------------- */

static ms_status emit_level(run *r)
{
  ms_trie_drive *d = r->drive;
  const level *l = &r->level[r->deepest];
  double start = ms_seconds();
  ms_status status = ms_gpu_emit(d->sink, &d->rows, l->first, l->count, d->stop, r->err);
  d->work.rows += ms_seconds() - start;
  return status;
}

static ms_status finish_deepest(run *r)
{
  const ms_trie_drive *d = r->drive;
  if (d->sink)
    return emit_level(r);
  if (d->program->n_groups > 0 || r->prefix > 1)
    return count_level(r);
  mpz_add_ui(d->sum, d->sum, r->level[0].count); /* the roots themselves */
  return MS_OK;
}

/* ---- a descent ---------------------------------------------------------------------------- */

ms_trie_work ms_trie_descent_work(const ms_trie_descent *d, uint32_t depth)
{
  ms_trie_work work = {.level = depth,
                       .left_list = d->left_list,
                       .follows = depth > 0,
                       .deeper = d->deepest - depth,
                       .entries = d->entries,
                       .most = d->most};
  if (depth == 0) {
    work.end = work.to = d->count;
    work.room = ms_trie_room(d->entries, work.to, work.deeper);
  }
  return work;
}

/* Notes what the descent has done on a level that is not the deepest.  True if the level is
 * finished, so that the descent may have gone on. */
static ms_status note_descended(run *r, uint32_t depth, ms_trie_counters *c, bool *finished)
{
  level *l = &r->level[depth];
  uint64_t used = l->first + l->count,
           room = ms_trie_room(r->drive->memory.entries, used, r->deepest - depth);
  start_level(r, depth + 1, used, c->cursor < room ? c->cursor : room);
  note_stored(r, depth + 1);
  set_begun(c, l->count);
  *finished = c->left == 0 && c->ticket == l->count;
  if (!*finished)
    return note_left(r, l, c);
  l->next = l->count;
  return MS_OK;
}

/* Notes the time of a descent, as the device's clock divides it. */
static void note_times(const run *r, const ms_trie_descent *d, const ms_trie_counters *c,
                       double seconds)
{
  ms_work *work = &r->drive->work;
  double expand = seconds;
  if (d->counts && c[d->deepest].end > c[d->deepest].begin)
    expand = 1e-9 * (double)(c[d->deepest].started - c[0].started);
  expand = expand < seconds ? expand : seconds;
  work->expand += expand;
  work->finish += seconds - expand;
}

/* Searches below the roots of level 0 as far as a descent does, and sets *depth to the level from
 * which on the host continues. */
static ms_status descend(run *r, uint32_t *depth)
{
  ms_trie_drive *drive = r->drive;
  ms_trie_descent d = {.count = r->level[0].count,
                       .entries = drive->memory.entries,
                       .most = drive->slice ? drive->slice : DESCENT_MOST,
                       .deepest = r->deepest,
                       .left_list = r->spare,
                       .counts = !drive->sink,
                       .job = job_of_deepest(r)};
  ms_trie_counters c[MS_MAX_PATTERN];
  bool finished = true;
  *depth = 0;
  if (r->deepest == 0 || d.count > d.most)
    return MS_OK;
  double start = ms_seconds();
  MS_TRY(drive->machine->descend(drive->on, &d, c, r->err));
  note_times(r, &d, c, ms_seconds() - start);
  for (; *depth < r->deepest && finished && c[*depth].end > c[*depth].begin; ++*depth)
    MS_TRY(note_descended(r, *depth, &c[*depth], &finished));
  if (*depth == r->deepest && finished && d.counts && c[*depth].end > c[*depth].begin) {
    ms_gpu_sum_add(drive->sum, &c[*depth].sum);
    r->level[*depth].next = r->level[*depth].count;
  }
  report_progress(r, *depth);
  return MS_OK;
}

static bool is_halted(const run *r)
{
  return r->drive->halt && atomic_load_explicit(r->drive->halt, memory_order_relaxed);
}

/* Searches below the roots of level 0. */
static ms_status search_below_roots(run *r)
{
  uint32_t depth;
  MS_TRY(ms_stop_check(r->drive->stop));
  MS_TRY(descend(r, &depth));
  for (;;) {
    level *l = &r->level[depth];
    bool done = l->next == l->count && l->n_items == 0;
    ms_status status = ms_stop_check(r->drive->stop);
    if (status != MS_OK || is_halted(r))
      return status;
    if (depth == r->deepest && !done) {
      status = finish_deepest(r);
      l->next = l->count;
    } else if (!done) {
      status = expand_level(r, depth);
      report_progress(r, depth);
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
  if (r->batch > 0) { /* the first rows may be enough */
    most = most < r->batch ? most : r->batch;
    r->batch *= MORE_ROOTS;
  }
  *first = __atomic_fetch_add(&roots->next, most, __ATOMIC_RELAXED);
  if (*first >= roots->count)
    return false;
  *count = roots->count - *first < most ? roots->count - *first : most;
  return true;
}

ms_status ms_trie_drive_run(ms_trie_drive *drive, ms_error *err)
{
  run r = {.drive = drive, .err = err, .prefix = drive->program->prefix};
  bool visits = drive->sink || drive->program->n_groups > 0 || r.prefix == 1;
  ms_status status = MS_OK;
  uint64_t first, count;
  r.deepest = visits ? r.prefix - 1 : r.prefix - 2;
  r.spare = r.prefix;
  r.begin = drive->roots->next;
  if (drive->sink && ms_stream_limit(drive->sink->stream) > 0)
    r.batch = FIRST_ROOTS;
  for (uint32_t i = 0; i < r.prefix; i++) {
    r.level[i].list = i;
    r.level[i].slice = drive->slice ? drive->slice : FIRST_SLICE;
  }
  while (status == MS_OK && !is_halted(&r) && take_roots(&r, &first, &count)) {
    start_level(&r, 0, 0, count);
    note_stored(&r, 0);
    r.begun = first;
    status = drive->machine->roots(drive->on, first, count, err);
    if (status == MS_OK)
      status = search_below_roots(&r);
  }
  return status;
}
