/* From the multisets of kinds that a search has counted to motifs, on several threads.
 *
 * The threads take pieces of the tables of the search.  Where there is memory, and enough work,
 * each thread has its own array (ms_motif_places), and the arrays are added up at the end.
 * Otherwise threads count in hash tables. */
#include "census/motifs.h"

#include "base/alloc.h"
#include "base/hooks.h"
#include "base/progress.h"
#include "base/status.h"
#include "base/threads/threads.h"
#include "graph/sort_ids.h"

#include <string.h>

#define PIECE 1024u            /* numbers of multisets */
#define LITTLE_WORK (1u << 16) /* motifs that one thread finds before others have begun */
#define CELLS_OF_MOTIF 16u   /* that are cleared and read while one motif is put in a hash table */
#define MOTIF_SECONDS 1.5e-9 /* in which a motif is counted in a place */
#define TALLY_SECONDS 1e-7   /* in which it is put in a hash table */
#define LONG_GAP 8u          /* multisets after which the next one is found by its number */
#define GATHERED_ROWS 256u   /* of places, by a thread at a time */

typedef ms_census_job census;

typedef struct expansion {
  census *job;
  int threads;
  ms_expander *expander; /* [threads] */
  ms_motif_places places;
  bool has_places, has_shared;
  ms_shared_tally shared;
  uint64_t reserved; /* bytes of the budget */
  struct part {
    double work; /* motifs of the multisets, each as often as it is found */
    uint64_t sets;
    ms_census_rows *rows; /* of single colours */
    ms_error error;
    ms_status status;
  } * part;         /* [threads] */
  bool is_estimate; /* only the work is added up */
  uint64_t sets;
  double work;
  _Atomic double done; /* of the work */
  atomic_bool failed;
} expansion;

/* ---- multisets ----------------------------------------------------------------------- */

static double work_of(const ms_census_graph *g, uint32_t k, const ms_multiset *kinds)
{
  double work = 1;
  for (uint32_t i = 0; i < k; i++)
    work *= (double)(g->list_offset[kinds->kind[i] + 1] - g->list_offset[kinds->kind[i]]);
  return work;
}

static ms_status take_multiset(expansion *x, int thread, const ms_multiset *kinds, uint64_t sets,
                               ms_error *err)
{
  struct part *part = &x->part[thread];
  if (!x->job->graph->single)
    part->work += work_of(x->job->graph, x->job->k, kinds);
  if (__builtin_add_overflow(part->sets, sets, &part->sets))
    return ms_census_fail_overflow(err);
  if (x->is_estimate)
    return MS_OK;
  return ms_expander_add(&x->expander[thread], kinds, sets, part->rows, err);
}

/* Takes the multisets begin .. end - 1 in the dense tables. */
static ms_status take_dense(expansion *x, int thread, uint64_t begin, uint64_t end, ms_error *err)
{
  const ms_dense *d = &x->job->dense;
  uint64_t number = UINT64_MAX; /* of `kinds` */
  ms_multiset kinds;
  memset(&kinds, 0xff, sizeof kinds);
  for (uint64_t i = begin; i < end; i++) {
    if (d->total[i] == 0)
      continue;
    if (number == UINT64_MAX || i - number > LONG_GAP) {
      number = i;
      ms_multisets_find(&d->numbers, i, x->job->k, kinds.kind);
    }
    for (; number < i; number++)
      (void)ms_multisets_next(&d->numbers, kinds.kind, x->job->k);
    MS_TRY(take_multiset(x, thread, &kinds, d->total[i], err));
  }
  return MS_OK;
}

/* Sorts the entries of a tally by their kinds 2 .. k - 1, as far as 24 bits tell them apart, and
 * kind 1, so that an expander finds groups: key[2 * used] receives numbers with the places of the
 * entries in their lowest 24 bits. */
static void sort_groups(const ms_tally *tally, uint32_t k, uint64_t *key)
{
  uint64_t count = 0;
  for (uint64_t i = 0; i < (uint64_t)1 << tally->bits; i++) {
    const ms_kind_id *kind = tally->entry[i].key.kind;
    uint32_t upper = 0;
    if (tally->entry[i].sets == 0)
      continue;
    for (uint32_t j = 2; j < k; j++)
      upper = upper * 40503u + kind[j];
    key[count++] = (uint64_t)upper << 40 | (uint64_t)kind[1] << 24 | i;
  }
  ms_sort_keys_long(key, count, key + count);
}

/* Takes the multisets of a tally in the order of groups; without memory for that, in its own. */
static ms_status take_shard(expansion *x, int thread, const ms_tally *tally, ms_error *err)
{
  ms_budget *budget = &x->job->budget;
  uint64_t bytes = 2 * tally->used * sizeof(uint64_t), *key = NULL;
  bool is_sorted = x->has_places && tally->bits <= 24 && ms_budget_reserve(budget, bytes);
  uint64_t count = is_sorted ? tally->used : (uint64_t)1 << tally->bits;
  ms_status status = MS_OK;
  if (is_sorted) {
    key = ms_alloc(2 * tally->used, sizeof *key);
    if (key)
      sort_groups(tally, x->job->k, key);
    else
      status = ms_fail_memory(err, "the motifs of a census");
  }
  for (uint64_t i = 0; i < count && status == MS_OK; i++) {
    const ms_tally_entry *entry = &tally->entry[key ? key[i] & 0xffffff : i];
    if (entry->sets > 0)
      status = take_multiset(x, thread, &entry->key, entry->sets, err);
    if (i % PIECE == 0 && ms_watch_check(&x->job->watch))
      break;
  }
  if (is_sorted)
    ms_budget_release(budget, bytes);
  ms_free(key);
  return status;
}

static ms_status take_piece(expansion *x, int thread, uint64_t piece, ms_error *err)
{
  uint64_t begin = piece * PIECE, end = begin + PIECE;
  if (!x->job->is_dense)
    return take_shard(x, thread, &x->job->shared.shard[piece].tally, err);
  uint64_t all = ms_multisets_count(x->job->graph->kinds, x->job->k);
  return take_dense(x, thread, begin, end < all ? end : all, err);
}

/* Returns the number of pieces. */
static uint64_t count_pieces(const expansion *x)
{
  const census *c = x->job;
  return c->is_dense ? (ms_multisets_count(c->graph->kinds, c->k) + PIECE - 1) / PIECE
                     : MS_TALLY_SHARDS;
}

static void take_pieces(void *user, ms_range r)
{
  expansion *x = user;
  struct part *part = &x->part[r.thread];
  for (uint64_t i = r.begin; i < r.end && !atomic_load(&x->failed); i++) {
    double before = part->work, done = atomic_load(&x->done);
    part->status = take_piece(x, r.thread, i, &part->error);
    if (part->status != MS_OK)
      atomic_store(&x->failed, true);
    while (!atomic_compare_exchange_weak(&x->done, &done, done + part->work - before))
      ;
    if (r.thread == 0 && !x->is_estimate && x->work > 0)
      ms_limits_report(&x->job->options->run, "motifs of sets", (uint64_t)done, (uint64_t)x->work);
  }
}

/* Takes all multisets. */
static ms_status take_all(expansion *x, uint64_t pieces, ms_error *err)
{
  census *c = x->job;
  atomic_store(&x->done, 0);
  for (int t = 0; t < x->threads; t++) {
    x->part[t].work = 0;
    x->part[t].sets = 0;
  }
  ms_watch_begin(&c->watch);
  ms_watch_loop(&c->watch, x->threads, pieces, 1, take_pieces, x);
  for (int t = 0; t < x->threads; t++)
    if (x->part[t].status != MS_OK)
      return ms_fail(err, x->part[t].status, "%s", x->part[t].error.message);
  return ms_watch_report(&c->watch, "motifs are gathered", err);
}

/* ---- tables -------------------------------------------------------------------------- */

/* Opens places, for as many threads as there is memory for, unless hash tables take less time. */
static ms_status open_places(expansion *x, ms_error *err)
{
  census *c = x->job;
  bool is_narrow = x->sets <= UINT32_MAX && ms_hooks.census_motifs != 3;
  uint64_t of_thread, bytes = ms_motif_places_bytes(c->graph, c->k, is_narrow, &of_thread);
  uint64_t left = ms_budget_left(&c->budget), cells = of_thread / sizeof(uint32_t);
  bool pays = (double)cells <= x->work * CELLS_OF_MOTIF && ms_hooks.census_motifs != 1;
  if (of_thread == UINT64_MAX || bytes >= left || of_thread >= left - bytes ||
      (!pays && ms_hooks.census_motifs < 2))
    return MS_OK;
  uint64_t most = (left - bytes) / of_thread, useful = 1 + (uint64_t)(x->work / (double)cells);
  if (ms_hooks.census_motifs == 0 && useful < most)
    most = useful;
  x->threads = (uint64_t)x->threads < most ? x->threads : (int)most;
  bytes += (uint64_t)x->threads * of_thread;
  if (!ms_budget_reserve(&c->budget, bytes))
    return MS_OK;
  x->reserved = bytes;
  MS_TRY(ms_motif_places_open(&x->places, c->graph, c->k, is_narrow, err));
  x->has_places = true;
  for (int t = 0; t < x->threads; t++)
    MS_TRY(ms_expander_use_places(&x->expander[t], &x->places, err));
  return MS_OK;
}

static ms_status open_tables(expansion *x, ms_error *err)
{
  census *c = x->job;
  if (x->work <= LITTLE_WORK && ms_hooks.census_motifs == 0)
    x->threads = 1;
  for (int t = 0; t < x->threads; t++)
    MS_TRY(ms_expander_open(&x->expander[t], c->graph, c->k, &c->watch, &c->budget, err));
  if (c->graph->single)
    return MS_OK;
  MS_TRY(open_places(x, err));
  if (x->has_places || x->threads < 2)
    return MS_OK;
  x->has_shared = ms_shared_tally_open(&x->shared, &c->budget);
  for (int t = 0; t < x->threads && x->has_shared; t++)
    x->expander[t].shared = &x->shared;
  return x->has_shared ? MS_OK : ms_census_fail_memory(c->graph, err);
}

static void close_expansion(expansion *x)
{
  ms_budget *budget = &x->job->budget;
  for (int t = 0; x->expander && t < x->job->threads; t++)
    ms_expander_close(&x->expander[t]);
  if (x->has_places)
    ms_motif_places_close(&x->places);
  if (x->has_shared)
    ms_shared_tally_close(&x->shared);
  ms_budget_release(budget, x->reserved);
  ms_free(x->expander);
  ms_free(x->part);
}

/* ---- numbers of motifs --------------------------------------------------------------- */

/* Sums up all places of a motif: its rows without one of its colours; the colours ascend. */
static uint64_t sets_of(const expansion *x, const ms_kind_id *color)
{
  const ms_multisets *m = &x->places.numbers;
  uint32_t k = x->job->k, width = m->kinds + m->most;
  uint64_t row = 0, sets = 0;
  for (uint32_t i = 0; i + 1 < k; i++)
    row += m->choose[(size_t)(i + 1) * width + color[i] + i];
  for (uint32_t i = k; i-- > 0;) { /* the row without color[i] */
    if (i + 1 == k || color[i] != color[i + 1])
      for (int t = 0; t < x->threads; t++)
        sets += x->places.is_narrow ? x->expander[t].narrow[row * m->kinds + color[i]]
                                    : x->expander[t].wide[row * m->kinds + color[i]];
    if (i > 0)
      row += m->choose[(size_t)i * width + color[i] + i - 1] -
             m->choose[(size_t)i * width + color[i - 1] + i - 1];
  }
  return x->places.is_narrow ? (uint32_t)sets : sets;
}

static void sort_colors(ms_kind_id *color, uint32_t k)
{
  for (uint32_t i = 1; i < k; i++)
    for (uint32_t at = i; at > 0 && color[at - 1] > color[at]; at--) {
      ms_kind_id other = color[at];
      color[at] = color[at - 1];
      color[at - 1] = other;
    }
}

/* Rows of motifs whose k - 1 lowest colours are in rows of places begin .. end - 1. */
typedef struct gathered {
  const expansion *x;
  uint64_t *count;     /* [pieces + 1] motifs of each piece; then those before it */
  ms_tally_entry *row; /* NULL: they are counted */
} gathered;

static void gather_piece(const gathered *g, uint64_t piece)
{
  const expansion *x = g->x;
  const ms_multisets *m = &x->places.numbers;
  uint32_t k = x->job->k;
  uint64_t begin = piece * GATHERED_ROWS, count = 0;
  uint64_t end = begin + GATHERED_ROWS < x->places.rows ? begin + GATHERED_ROWS : x->places.rows;
  ms_multiset motif;
  memset(&motif, 0xff, sizeof motif);
  ms_multisets_find(m, begin, k - 1, motif.kind);
  for (uint64_t r = begin; r < end; r++) {
    for (uint32_t c = motif.kind[k - 2]; c < m->kinds; c++) {
      motif.kind[k - 1] = (ms_kind_id)c;
      uint64_t sets = sets_of(x, motif.kind);
      if (sets == 0)
        continue;
      if (g->row) {
        ms_tally_entry *row = &g->row[g->count[piece] + count];
        *row = (ms_tally_entry){motif, sets};
        for (uint32_t i = 0; i < k; i++)
          row->key.kind[i] = x->places.color[motif.kind[i]];
        sort_colors(row->key.kind, k);
      }
      count++;
    }
    (void)ms_multisets_next(m, motif.kind, k - 1);
  }
  if (!g->row)
    g->count[piece] = count;
}

static void gather_pieces(void *user, ms_range r)
{
  for (uint64_t i = r.begin; i < r.end; i++)
    gather_piece(user, i);
}

static ms_status rows_of_places(const expansion *x, ms_census_rows *rows, ms_error *err)
{
  uint64_t pieces = (x->places.rows + GATHERED_ROWS - 1) / GATHERED_ROWS, sum = 0;
  gathered g = {.x = x, .count = ms_alloc(pieces, sizeof *g.count)};
  if (!g.count)
    return ms_fail_memory(err, "the motifs of a census");
  ms_parallel(x->threads, pieces, 1, gather_pieces, &g);
  for (uint64_t i = 0; i < pieces; i++) {
    uint64_t count = g.count[i];
    g.count[i] = sum;
    sum += count;
  }
  g.row = rows->row = ms_alloc(sum, sizeof *rows->row);
  rows->count = rows->room = sum;
  if (rows->row)
    ms_parallel(x->threads, pieces, 1, gather_pieces, &g);
  ms_free(g.count);
  return rows->row ? MS_OK : ms_fail_memory(err, "the motifs of a census");
}

static ms_status rows_of_tallies(expansion *x, ms_census_rows *rows, ms_error *err)
{
  bool overflow = false;
  for (int t = 0; t < x->threads; t++) {
    if (x->has_shared && !ms_shared_tally_take(&x->shared, &x->expander[t].motifs))
      return ms_census_fail_memory(x->job->graph, err);
    MS_TRY(ms_expander_finish(&x->expander[t], rows, err));
  }
  for (int s = 0; x->has_shared && s < MS_TALLY_SHARDS; s++) {
    const ms_tally *tally = &x->shared.shard[s].tally;
    overflow |= tally->overflow;
    for (uint64_t i = 0; i < (uint64_t)1 << tally->bits; i++)
      if (tally->entry[i].sets > 0)
        MS_TRY(ms_census_rows_add(rows, &tally->entry[i].key, tally->entry[i].sets, err));
  }
  return overflow ? ms_census_fail_overflow(err) : MS_OK;
}

/* Fills wanted->count from the places. */
static ms_status count_wanted(const expansion *x, ms_census_wanted *wanted, ms_error *err)
{
  const ms_census_result *r = wanted->observed;
  const ms_census_graph *g = x->job->graph;
  uint32_t k = x->job->k, most = 0;
  for (uint64_t i = 0; i < r->count * k; i++)
    most = r->color[i] > most ? r->color[i] : most;
  ms_kind_id *number = ms_alloc((size_t)most + 1, sizeof *number);
  if (!number)
    return ms_fail_memory(err, "the motifs of permutations");
  memset(number, 0xff, ((size_t)most + 1) * sizeof *number); /* MS_NO_KIND */
  for (uint32_t c = 0; c < g->colors; c++)
    if (g->color[x->places.color[c]] <= most)
      number[g->color[x->places.color[c]]] = (ms_kind_id)c;
  for (uint64_t i = 0; i < r->count; i++) {
    ms_kind_id color[MS_MAX_CENSUS];
    for (uint32_t j = 0; j < k; j++)
      color[j] = number[r->color[i * k + j]];
    sort_colors(color, k);
    wanted->count[i] = color[k - 1] == MS_NO_KIND ? 0 : sets_of(x, color);
  }
  ms_free(number);
  wanted->filled = true;
  return MS_OK;
}

/* ---- entry point --------------------------------------------------------------------- */

static ms_status expand(expansion *x, ms_census_wanted *wanted, ms_census_rows *rows,
                        uint64_t *sets, ms_error *err)
{
  census *c = x->job;
  uint64_t pieces = count_pieces(x);
  if (c->graph->single) {
    x->threads = 1;
  } else {
    x->is_estimate = true;
    MS_TRY(take_all(x, pieces, err));
    for (int t = 0; t < x->threads; t++) {
      x->work += x->part[t].work;
      if (__builtin_add_overflow(x->sets, x->part[t].sets, &x->sets))
        return ms_census_fail_overflow(err);
    }
    x->is_estimate = false;
  }
  MS_TRY(open_tables(x, err));
  for (int t = 0; t < x->threads; t++)
    x->part[t].rows = rows; /* of single colours, one thread's */
  if (!c->has_units)        /* the state of a census in steps is read many times */
    ms_progress_forecast(&c->options->run, "finding the motifs of all sets",
                         x->work * (x->has_places ? MOTIF_SECONDS : TALLY_SECONDS) / x->threads,
                         MS_FORECAST_ABOUT);
  MS_TRY(take_all(x, pieces, err));
  for (int t = 0; t < x->threads; t++)
    ms_expander_flush(&x->expander[t]);
  for (int t = 0; t < x->threads; t++)
    if (__builtin_add_overflow(*sets, x->part[t].sets, sets))
      return ms_census_fail_overflow(err);
  if (x->has_places && wanted)
    return count_wanted(x, wanted, err);
  return x->has_places ? rows_of_places(x, rows, err) : rows_of_tallies(x, rows, err);
}

ms_status ms_census_job_expand(ms_census_job *c, ms_census_wanted *wanted, ms_census_rows *rows,
                               uint64_t *sets, ms_error *err)
{
  expansion x = {.job = c, .threads = c->threads};
  if (c->graph->kinds == 0)
    return MS_OK;
  x.expander = ms_calloc((size_t)c->threads, sizeof *x.expander);
  x.part = ms_calloc((size_t)c->threads, sizeof *x.part);
  ms_status status = x.expander && x.part ? expand(&x, wanted, rows, sets, err)
                                          : ms_fail_memory(err, "the motifs of a census");
  if (!c->has_units)
    ms_progress_forecast(&c->options->run, "", 0, MS_FORECAST_ABOUT);
  close_expansion(&x);
  return status;
}
