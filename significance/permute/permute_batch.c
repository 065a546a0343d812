/* Many labellings at a time: rounds of segments of records, which the threads fill from the next
 * roots, and through which each labelling then runs, on one thread.
 *
 * A labelling counts in rows of 32 bits, as census/dense.c explains, which stay its own from round
 * to round.  Before one of them could overflow, and in the end, the numbers of the motifs are added
 * up: motif M has its sets in the rows of M without one of its colours, for each colour. */
#include "significance/permute/permute.h"

#include "base/alloc.h"
#include "base/compiler.h"
#include "base/hooks.h"
#include "base/status.h"
#include "base/threads/watch.h"
#include "census/search.h"
#include "graph/graph.h"
#include "significance/records.h"

#include <stdatomic.h>
#include <string.h>

#define ROOTS_AT_A_TIME 64u
#define MOST_SEGMENTS 256u
#define SETS_OF_ROUND (1u << 21) /* larger rounds take more memory, and are not faster */
#define LEAST_SETS (1u << 16)    /* of a segment */
#define SETS_OF_ROOT (1u << 22)  /* the sets of one root, so that a round stays below 2^32 */
#define FULL_LOCALS 32768u       /* a segment takes no further roots */
#define BYTES_OF_SET 6u          /* of records, at most about */

/* The memory of one thread that runs through records. */
typedef struct runner {
  uint16_t *label;                /* [MS_MOST_LOCALS] of the vertices of a segment */
  uint32_t *state[MS_MAX_CENSUS]; /* [size][room] the multisets of the sets of a level */
  uint64_t room[MS_MAX_CENSUS];
} runner;

struct ms_permute_batch {
  ms_permute *p;
  uint32_t size; /* labellings at most */
  uint32_t k, kinds, stride;
  ms_dense steps; /* numbers of multisets, and steps between them; its totals are not used */
  bool has_steps;
  uint32_t *first_step; /* [kinds] from the empty multiset */
  uint32_t *row;        /* [size][steps.rows][stride] */
  uint64_t row_cells;   /* of one labelling */
  uint64_t *cell;  /* [motifs][k] where the sets of a motif are counted; MS_NO_CELL: nowhere else */
  uint16_t *label; /* [size][ranks->n] the labels of each rank */
  ms_segment *segment; /* [segments] */
  uint32_t segments;
  uint64_t segment_sets; /* a segment that has so many takes no further roots */
  ms_recorder *recorder; /* [threads] */
  runner *run;           /* [threads] */
  uint64_t reserved;     /* from the budget, without segments and recorders */
  /* a run */
  ms_watch watch;
  ms_stop *stop; /* the token of the thread that runs the batch, for the others */
  uint64_t first, *count;
  uint32_t labellings;
  ms_null_trace *trace;
  atomic_uint_fast32_t next_root;
  atomic_bool too_many, full;
  atomic_int failed; /* ms_status */
  ms_error error;
};

/* ---- opening ---------------------------------------------------------------------------- */

static uint64_t bytes_of_labelling(const ms_permute *p)
{
  uint64_t rows = ms_multisets_count(p->ranks->kinds, p->census->k - 1);
  return rows * (p->ranks->kinds + 1) * sizeof(uint32_t) + p->ranks->n * sizeof(uint16_t) +
         p->motifs * sizeof(uint64_t);
}

static uint32_t count_segments(const ms_permute *p)
{
  return 2 * (uint32_t)p->threads < MOST_SEGMENTS ? 2 * (uint32_t)p->threads : MOST_SEGMENTS;
}

static uint64_t sets_of_segment(const ms_permute *p)
{
  uint64_t sets = SETS_OF_ROUND / count_segments(p);
  if (ms_hooks.permute_segment_sets > 0)
    return ms_hooks.permute_segment_sets;
  return sets > LEAST_SETS ? sets : LEAST_SETS;
}

/* Bytes that do not depend on the number of labellings. */
static uint64_t bytes_of_all(const ms_permute *p, uint64_t dense)
{
  uint64_t of_thread = ms_recorder_bytes(p->ranks) + MS_MOST_LOCALS * sizeof(uint16_t) +
                       2 * (sets_of_segment(p) * BYTES_OF_SET + (1u << 20)) +
                       (uint64_t)p->graph->n * 4;
  return dense + (uint64_t)p->threads * of_thread + p->motifs * p->census->k * sizeof(uint64_t);
}

uint32_t ms_permute_batch_size(const ms_permute *p)
{
  uint64_t of_thread, left = ms_budget_left(&p->budget), k = p->census->k;
  uint64_t dense = ms_dense_bytes(p->ranks->kinds, (uint32_t)k, &of_thread);
  if (ms_null_rewires(p->options->null_kind) || p->census->shapes || !p->ranks->single ||
      p->ranks->kinds == 0 || ms_hooks.permute_engine == MS_PERMUTE_ONE || dense > left / 4 ||
      of_thread > left / 4)
    return 0;
  bool pays = p->observed->sets / MS_SETS_OF_VISIT < p->observed->visits &&
              of_thread / sizeof(uint32_t) < p->observed->sets + (1u << 16);
  if (!pays && ms_hooks.permute_engine != MS_PERMUTE_BATCH)
    return 0;
  uint64_t all = bytes_of_all(p, dense), most = MS_NULL_BATCH;
  if (all >= left / 2)
    return 0;
  if (most > (left / 2) / bytes_of_labelling(p))
    most = (left / 2) / bytes_of_labelling(p);
  if (most > p->options->permutations)
    most = p->options->permutations;
  return most >= 4 || ms_hooks.permute_engine == MS_PERMUTE_BATCH ? (uint32_t)most : 0;
}

/* Returns the number of a multiset (census/multisets.h). */
static uint64_t number_of(const ms_multisets *m, const ms_kind_id *kind, uint32_t size)
{
  uint64_t number = 0;
  for (uint32_t i = 0; i < size; i++)
    number += m->choose[(size_t)(i + 1) * (m->kinds + m->most) + kind[i] + i];
  return number;
}

ms_status ms_permute_find_cells(const ms_permute *p, const ms_multisets *numbers, uint32_t stride,
                                uint64_t *cell, ms_error *err)
{
  uint32_t most = 0, k = p->observed->k;
  for (uint32_t c = 0; c < p->ranks->colors; c++)
    most = p->ranks->color[c] > most ? p->ranks->color[c] : most;
  ms_kind_id *kind_of = ms_alloc((size_t)most + 1, sizeof *kind_of);
  if (!kind_of)
    return ms_fail_memory(err, "the motifs of permutations");
  memset(kind_of, 0xff, ((size_t)most + 1) * sizeof *kind_of); /* MS_NO_KIND */
  for (uint32_t c = 0; c < p->ranks->colors; c++)
    kind_of[p->ranks->color[c]] = (ms_kind_id)c;
  for (uint64_t i = 0; i < p->motifs * k; i++) {
    uint32_t color = p->observed->color[i];
    if (color > most || kind_of[color] == MS_NO_KIND) {
      ms_free(kind_of);
      return ms_fail(err, MS_ERR_USAGE,
                     "the census has the colour %u, which no vertex that counts has; give the "
                     "census of this graph, these colours and these options",
                     color);
    }
  }
  for (uint64_t i = 0; i < p->motifs; i++)
    for (uint32_t j = 0; j < k; j++) {
      const uint32_t *color = p->observed->color + i * k;
      ms_kind_id rest[MS_MAX_CENSUS];
      uint32_t count = 0;
      for (uint32_t l = 0; l < k; l++)
        if (l != j)
          rest[count++] = kind_of[color[l]];
      bool again = j > 0 && color[j] == color[j - 1];
      cell[i * k + j] =
          again ? MS_NO_CELL : number_of(numbers, rest, count) * stride + kind_of[color[j]];
    }
  ms_free(kind_of);
  return MS_OK;
}

static ms_status open_threads(ms_permute_batch *b, ms_error *err)
{
  ms_permute *p = b->p;
  size_t threads = (size_t)p->threads;
  b->segments = count_segments(p);
  b->segment_sets = sets_of_segment(p);
  b->segment = ms_calloc(b->segments, sizeof *b->segment);
  b->recorder = ms_calloc(threads, sizeof *b->recorder);
  b->run = ms_calloc(threads, sizeof *b->run);
  if (!b->segment || !b->recorder || !b->run)
    return ms_fail_memory(err, "the threads of permutations");
  for (size_t t = 0; t < threads; t++) {
    b->run[t].label = ms_alloc(MS_MOST_LOCALS, sizeof *b->run[t].label);
    if (!b->run[t].label)
      return ms_fail_memory(err, "the threads of permutations");
    MS_TRY(ms_recorder_open(&b->recorder[t], p->ranks, b->k, &b->watch, &p->budget, err));
    b->recorder[t].most_sets = b->segment_sets + SETS_OF_ROOT;
  }
  return MS_OK;
}

static ms_status open_batch(ms_permute_batch *b, ms_error *err)
{
  ms_permute *p = b->p;
  uint64_t of_thread, dense = ms_dense_bytes(b->kinds, b->k, &of_thread);
  uint64_t bytes = dense + b->size * bytes_of_labelling(p) + p->motifs * b->k * sizeof *b->cell +
                   (uint64_t)p->threads * MS_MOST_LOCALS * sizeof(uint16_t);
  if (!ms_budget_reserve(&p->budget, bytes))
    return ms_census_fail_memory(p->ranks, err);
  b->reserved = bytes;
  MS_TRY(ms_dense_open(&b->steps, b->kinds, b->k, err));
  b->has_steps = true;
  b->row_cells = b->steps.rows * b->stride;
  b->first_step = ms_alloc(b->kinds, sizeof *b->first_step);
  b->row = ms_alloc_lines(b->size * b->row_cells, sizeof *b->row);
  b->cell = ms_alloc(p->motifs * b->k, sizeof *b->cell);
  b->label = ms_alloc((size_t)b->size * p->ranks->n, sizeof *b->label);
  if (!b->first_step || !b->row || !b->cell || !b->label)
    return ms_fail_memory(err, "the tables of permutations");
  for (uint32_t c = 0; c < b->kinds; c++)
    b->first_step[c] = c;
  MS_TRY(ms_permute_find_cells(p, &b->steps.numbers, b->stride, b->cell, err));
  return open_threads(b, err);
}

ms_status ms_permute_batch_open(ms_permute *p, uint32_t size, ms_permute_batch **out, ms_error *err)
{
  ms_permute_batch *b = ms_calloc(1, sizeof *b);
  *out = NULL;
  if (!b)
    return ms_fail_memory(err, "the tables of permutations");
  b->p = p;
  b->size = size;
  b->k = p->census->k;
  b->kinds = p->ranks->kinds;
  b->stride = b->kinds + 1;
  ms_status status = open_batch(b, err);
  if (status == MS_OK)
    *out = b;
  else
    ms_permute_batch_close(b);
  return status;
}

void ms_permute_batch_close(ms_permute_batch *b)
{
  if (!b)
    return;
  ms_budget *budget = &b->p->budget;
  for (uint32_t i = 0; b->segment && i < b->segments; i++)
    ms_segment_close(&b->segment[i], budget);
  for (int t = 0; t < b->p->threads; t++) {
    if (b->recorder)
      ms_recorder_close(&b->recorder[t]);
    for (uint32_t i = 0; b->run && i < MS_MAX_CENSUS; i++)
      ms_free(b->run[t].state[i]);
    if (b->run)
      ms_free(b->run[t].label);
  }
  ms_free(b->segment);
  ms_free(b->recorder);
  ms_free(b->run);
  if (b->has_steps)
    ms_dense_close(&b->steps);
  ms_free(b->first_step);
  ms_free(b->row);
  ms_free(b->cell);
  ms_free(b->label);
  ms_budget_release(budget, b->reserved);
  ms_free(b);
}

/* ---- labellings --------------------------------------------------------------------------- */

static void fail(ms_permute_batch *b, ms_status status, const ms_error *error)
{
  int none = MS_OK;
  if (atomic_compare_exchange_strong(&b->failed, &none, (int)status))
    b->error = *error;
}

static void make_labelling(void *user, ms_range r)
{
  ms_permute_batch *b = user;
  const ms_permute *p = b->p;
  ms_error error = {0};
  ms_stop *before = ms_stop_enter(b->stop); /* chains poll it */
  uint16_t *label = ms_alloc(p->graph->n, sizeof *label);
  if (!label)
    fail(b, ms_fail_memory(&error, "a permutation"), &error);
  for (uint64_t i = r.begin; i < r.end && label && atomic_load(&b->failed) == MS_OK; i++) {
    ms_status status = ms_null_labels(p->null, b->first + i, label, &b->trace[i], &error);
    if (status != MS_OK)
      fail(b, status, &error);
    uint16_t *to = b->label + i * p->ranks->n;
    for (uint32_t rank = 0; rank < p->ranks->n && status == MS_OK; rank++)
      to[rank] = label[p->ranks->vertex[rank]];
    memset(b->row + i * b->row_cells, 0, b->row_cells * sizeof *b->row);
    memset(b->count + i * p->motifs, 0, p->motifs * sizeof *b->count);
  }
  ms_free(label);
  ms_stop_leave(before);
}

/* Moves the numbers of each labelling from its rows to those of the motifs. */
static void gather_labelling(void *user, ms_range r)
{
  ms_permute_batch *b = user;
  for (uint64_t i = r.begin; i < r.end; i++) {
    uint32_t *row = b->row + i * b->row_cells;
    uint64_t *count = b->count + i * b->p->motifs;
    for (uint64_t m = 0; m < b->p->motifs; m++)
      for (uint32_t j = 0; j < b->k; j++)
        if (b->cell[m * b->k + j] != MS_NO_CELL)
          count[m] += row[b->cell[m * b->k + j]];
    memset(row, 0, b->row_cells * sizeof *row);
  }
}

/* ---- records -------------------------------------------------------------------------------- */

static void fill_segments(void *user, ms_range r)
{
  ms_permute_batch *b = user;
  ms_recorder *recorder = &b->recorder[r.thread];
  uint32_t n = b->p->ranks->n;
  for (uint64_t i = r.begin; i < r.end; i++) {
    ms_segment *s = &b->segment[i];
    ms_segment_clear(s);
    recorder->segment = s;
    while (s->sets < b->segment_sets && s->locals < FULL_LOCALS) {
      uint32_t root = (uint32_t)atomic_fetch_add(&b->next_root, ROOTS_AT_A_TIME);
      uint32_t end = root < n && n - root > ROOTS_AT_A_TIME ? root + ROOTS_AT_A_TIME : n;
      if (root >= n || ms_watch_check(&b->watch))
        break;
      for (; root < end && !recorder->too_many && !recorder->full; root++)
        ms_record_root(recorder, root);
      if (recorder->too_many || recorder->full)
        break;
    }
    if (recorder->too_many)
      atomic_store(&b->too_many, true);
    if (recorder->full)
      atomic_store(&b->full, true);
  }
}

MS_ALWAYS_INLINE void run_records(const ms_record_bucket *bucket, uint32_t length,
                                  const uint16_t *label, const uint32_t *state,
                                  const uint32_t *step, uint32_t kinds, uint32_t *row)
{
  const uint16_t *end = bucket->word + bucket->words;
  for (const uint16_t *w = bucket->word; w < end; w += MS_RECORD_HEAD + length) {
    uint32_t parent = w[0] | (uint32_t)w[1] << 16;
    uint32_t *to = row + (size_t)step[(size_t)state[parent] * kinds + label[w[2]]] * (kinds + 1);
    for (uint32_t j = 0; j < length; j++)
      to[label[w[MS_RECORD_HEAD + j]]]++;
  }
}

/* A loop of a fixed length for each of the short records, which are most. */
static void run_bucket(const ms_record_bucket *bucket, uint32_t length, const uint16_t *label,
                       const uint32_t *state, const uint32_t *step, uint32_t kinds, uint32_t *row)
{
#define FIXED(n)                                                                                   \
  case n:                                                                                          \
    run_records(bucket, n, label, state, step, kinds, row);                                        \
    break
  switch (length) {
    FIXED(1);
    FIXED(2);
    FIXED(3);
    FIXED(4);
    FIXED(5);
    FIXED(6);
    FIXED(7);
    FIXED(8);
    FIXED(9);
    FIXED(10);
    FIXED(11);
    FIXED(12);
  default:
    run_records(bucket, length, label, state, step, kinds, row);
  }
#undef FIXED
}

static bool make_states(runner *run, const ms_segment *s, uint32_t k)
{
  for (uint32_t size = 0; size + 1 < k; size++) {
    uint64_t needed = size > 0 ? s->level[size].count : 1;
    if (needed <= run->room[size])
      continue;
    ms_free(run->state[size]);
    run->room[size] = 0;
    run->state[size] = ms_alloc(2 * needed, sizeof *run->state[size]);
    if (!run->state[size])
      return false;
    run->room[size] = 2 * needed;
  }
  return true;
}

/* Adds the sets of a segment to the rows of a labelling. */
static bool run_segment(const ms_permute_batch *b, runner *run, const ms_segment *s, uint64_t which)
{
  const uint16_t *all = b->label + which * b->p->ranks->n;
  if (!make_states(run, s, b->k))
    return false;
  for (uint32_t i = 0; i < s->locals; i++)
    run->label[i] = all[s->vertex[i]];
  run->state[0][0] = 0;
  for (uint32_t size = 1; size + 1 < b->k; size++) {
    const ms_record_level *level = &s->level[size];
    const uint32_t *step = size > 1 ? b->steps.step[size - 1] : b->first_step;
    const uint32_t *before = run->state[size - 1];
    uint32_t *state = run->state[size];
    for (uint64_t i = 0; i < level->count; i++)
      state[i] = step[(size_t)before[level->parent[i]] * b->kinds + run->label[level->last[i]]];
  }
  const uint32_t *step = b->k > 2 ? b->steps.step[b->k - 2] : b->first_step;
  for (uint32_t length = 1; length <= MS_MOST_COMPLETIONS; length++)
    run_bucket(&s->bucket[length], length, run->label, run->state[b->k - 2], step, b->kinds,
               b->row + which * b->row_cells);
  return true;
}

static void run_labelling(void *user, ms_range r)
{
  ms_permute_batch *b = user;
  for (uint64_t i = r.begin; i < r.end; i++)
    for (uint32_t j = 0; j < b->segments; j++) {
      if (ms_watch_check(&b->watch))
        return;
      if (b->segment[j].sets > 0 && !run_segment(b, &b->run[r.thread], &b->segment[j], i))
        atomic_store(&b->full, true);
    }
}

/* ---- a run ---------------------------------------------------------------------------------- */

static ms_status run_rounds(ms_permute_batch *b, ms_error *err)
{
  const ms_permute *p = b->p;
  uint64_t in_rows = 0, round = 1;
  atomic_store(&b->next_root, 0);
  while (round > 0) {
    ms_parallel(p->threads, b->segments, 1, fill_segments, b);
    MS_TRY(ms_watch_report(&b->watch, "permutations are counted", err));
    if (atomic_load(&b->full))
      return ms_census_fail_memory(p->ranks, err);
    if (atomic_load(&b->too_many))
      return MS_OK;
    round = 0;
    for (uint32_t i = 0; i < b->segments; i++)
      round += b->segment[i].sets;
    if (in_rows + round > UINT32_MAX) {
      ms_parallel(p->threads, b->labellings, 1, gather_labelling, b);
      in_rows = 0;
    }
    in_rows += round;
    ms_parallel(p->threads, b->labellings, 1, run_labelling, b);
    MS_TRY(ms_watch_report(&b->watch, "permutations are counted", err));
    if (atomic_load(&b->next_root) >= p->ranks->n)
      round = 0;
  }
  ms_parallel(p->threads, b->labellings, 1, gather_labelling, b);
  return atomic_load(&b->full) ? ms_fail_memory(err, "the threads of permutations") : MS_OK;
}

ms_status ms_permute_batch_run(ms_permute_batch *b, uint64_t first, uint32_t size, uint64_t *count,
                               ms_null_trace *trace, bool *fits, ms_error *err)
{
  b->first = first;
  b->count = count;
  b->labellings = size;
  b->trace = trace;
  atomic_store(&b->failed, MS_OK);
  atomic_store(&b->too_many, false);
  b->stop = ms_stop_enter(NULL);
  ms_watch_begin(&b->watch);
  ms_parallel(b->p->threads, size, 1, make_labelling, b);
  if (atomic_load(&b->failed) != MS_OK)
    return ms_fail(err, (ms_status)atomic_load(&b->failed), "%s", b->error.message);
  MS_TRY(run_rounds(b, err));
  *fits = !atomic_load(&b->too_many);
  return MS_OK;
}
