/* Mining: all motifs whose matches hold enough vertices.
 *
 * A connected set S of two or more vertices has two vertices u of which each leaves it connected.
 * So if S matches a motif M and v is in S, some such u differs from v, and S without u is a match,
 * with v, of M without the slot that u fills.  Hence
 *
 *   - the vertices in matches of M are among those in matches of its children, M less one slot;
 *   - M has two slots, perhaps of one colour, without which it still has a match.
 *
 * Level j holds all motifs of j slots that have a match, with their vertices, also those with fewer
 * vertices than are asked for, because a larger motif may have more.  The candidates of the next
 * level come from it, and each is searched for among the vertices of its children alone. */
#include "run/session.h"

#include "base/alloc.h"
#include "base/budget.h"
#include "base/forecast.h"
#include "base/options.h"
#include "base/progress.h"
#include "base/status.h"
#include "base/threads/parallel.h"
#include "base/threads/stop.h"
#include "base/threads/threads.h"
#include "motif/regions.h"
#include "motif/take_part.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define USUAL_SLOTS 3u
#define BATCH 256u /* candidates that are searched for before their results are looked at */

/* The motifs of a level, ascending. */
typedef struct level {
  uint32_t slots;
  uint64_t count, room;
  uint32_t *color;      /* [count][slots] ascending in a motif */
  uint32_t *n_vertices; /* [count] vertices in a match */
  uint32_t **vertex;    /* [count][n_vertices] ascending */
  uint64_t bytes;       /* that are reserved */
} level;

/* What became of a candidate. */
typedef struct finding {
  uint32_t count;
  uint32_t *vertex; /* [count] ascending; NULL: there is none */
} finding;

typedef struct mining {
  const ms_session *session;
  const ms_mine_options *options;
  uint32_t slots, least, support;
  int threads;
  ms_budget budget;
  ms_mined_fn receive;
  void *user;
  ms_mine_summary summary;
  bool ended;          /* the receiver wants no more */
  level last, next;    /* of the motifs with one slot fewer, and of those that are found now */
  uint32_t *candidate; /* [candidates][next.slots] ascending */
  uint64_t candidates, candidate_room;
  uint64_t first;    /* the candidate that is first in the batch */
  uint64_t step;     /* from a candidate of the batch to the next one; 1 but in a sample */
  finding *finding;  /* [BATCH] */
  uint8_t **keep;    /* [threads][n] 0 between two candidates */
  ms_error error;    /* of the first failure in a batch */
  atomic_int failed; /* its status */
} mining;

/* ---- levels ----------------------------------------------------------------------- */

static void close_level(mining *m, level *l)
{
  for (uint64_t i = 0; i < l->count; i++)
    ms_free(l->vertex[i]);
  ms_free(l->vertex);
  ms_free(l->n_vertices);
  ms_free(l->color);
  ms_budget_release(&m->budget, l->bytes);
  *l = (level){0};
}

static ms_status fail_level(uint32_t slots, ms_error *err)
{
  return ms_fail(err, MS_ERR_MEMORY,
                 "the motifs of %u slots and their vertices need more memory; raise `memory`, or "
                 "lower `slots`",
                 slots);
}

/* Reserves bytes for a level, which close_level releases. */
static ms_status reserve(mining *m, level *l, uint64_t bytes, ms_error *err)
{
  if (!ms_budget_reserve(&m->budget, bytes))
    return fail_level(l->slots, err);
  l->bytes += bytes;
  return MS_OK;
}

static ms_status grow_level(mining *m, level *l, ms_error *err)
{
  uint64_t room = 2 * l->room + 64;
  uint64_t bytes = l->slots * sizeof *l->color + sizeof *l->n_vertices + sizeof(uint32_t *);
  if (l->count < l->room)
    return MS_OK;
  MS_TRY(reserve(m, l, (room - l->room) * bytes, err));
  if (!ms_enlarge(&l->color, l->room, room, l->slots * sizeof *l->color) ||
      !ms_enlarge(&l->n_vertices, l->room, room, sizeof *l->n_vertices) ||
      !ms_enlarge(&l->vertex, l->room, room, sizeof *l->vertex))
    return ms_fail_memory(err, "the motifs of a level");
  l->room = room;
  return MS_OK;
}

/* Appends a motif, which is greater than all before, and takes its vertices. */
static ms_status append(mining *m, level *l, const uint32_t *color, finding *f, ms_error *err)
{
  MS_TRY(grow_level(m, l, err));
  MS_TRY(reserve(m, l, f->count * sizeof *f->vertex, err));
  memcpy(l->color + l->count * l->slots, color, l->slots * sizeof *color);
  l->n_vertices[l->count] = f->count;
  l->vertex[l->count++] = f->vertex;
  f->vertex = NULL;
  return MS_OK;
}

static int compare(const uint32_t *a, const uint32_t *b, uint32_t slots)
{
  for (uint32_t i = 0; i < slots; i++)
    if (a[i] != b[i])
      return a[i] < b[i] ? -1 : 1;
  return 0;
}

/* Returns the number of a motif in the level, or l->count. */
static uint64_t find(const level *l, const uint32_t *color)
{
  uint64_t low = 0, high = l->count;
  while (low < high) {
    uint64_t middle = low + (high - low) / 2;
    int order = compare(l->color + middle * l->slots, color, l->slots);
    if (order == 0)
      return middle;
    if (order < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return l->count;
}

/* Fills the level of motifs of one slot. */
static ms_status open_first(mining *m, level *l, ms_error *err)
{
  const ms_coloring *coloring = m->session->coloring;
  uint32_t n = m->session->graph->n, colors = ms_names_count(coloring->names);
  l->slots = 1;
  finding *of = ms_calloc(colors, sizeof *of);
  ms_status status = of ? MS_OK : ms_fail_memory(err, "the vertices of the colours");
  for (uint64_t i = 0; status == MS_OK && i < coloring->offset[n]; i++)
    of[coloring->color[i]].count++;
  for (uint32_t c = 0; status == MS_OK && c < colors; c++) {
    of[c].vertex = of[c].count ? ms_alloc(of[c].count, sizeof(uint32_t)) : NULL;
    if (of[c].count && !of[c].vertex)
      status = ms_fail_memory(err, "the vertices of the colours");
    of[c].count = 0;
  }
  for (uint32_t v = 0; status == MS_OK && v < n; v++)
    for (uint64_t i = coloring->offset[v]; i < coloring->offset[v + 1]; i++)
      of[coloring->color[i]].vertex[of[coloring->color[i]].count++] = v;
  for (uint32_t c = 0; status == MS_OK && c < colors; c++)
    if (of[c].count > 0)
      status = append(m, l, &c, &of[c], err);
  for (uint32_t c = 0; of && c < colors; c++)
    ms_free(of[c].vertex);
  ms_free(of);
  return status;
}

/* ---- candidates ------------------------------------------------------------------- */

/* Sets `child` to the motif without its slot number i. */
static void drop_slot(const uint32_t *motif, uint32_t slots, uint32_t i, uint32_t *child)
{
  memcpy(child, motif, i * sizeof *motif);
  memcpy(child + i, motif + i + 1, (slots - 1 - i) * sizeof *motif);
}

/* True if `motif` is a candidate that comes from this parent: two of its slots, perhaps of one
 * colour, lead to children with a match, and the first of these children lacks `added`. */
static bool is_candidate(const mining *m, const uint32_t *motif, uint32_t added)
{
  uint32_t slots = m->next.slots, child[MS_MAX_MINED], ways = 0;
  for (uint32_t i = 0; i < slots; i++) {
    uint32_t equal = 1; /* slots of this colour */
    while (i + 1 < slots && motif[i + 1] == motif[i]) {
      i++;
      equal++;
    }
    drop_slot(motif, slots, i, child);
    if (find(&m->last, child) == m->last.count)
      continue;
    if (ways == 0 && motif[i] != added)
      return false;
    ways += equal;
  }
  return ways >= 2;
}

static ms_status add_candidate(mining *m, const uint32_t *motif, ms_error *err)
{
  uint32_t slots = m->next.slots;
  size_t bytes = slots * sizeof *motif;
  if (m->candidates == m->candidate_room) {
    uint64_t room = 2 * m->candidate_room + 1024;
    MS_TRY(reserve(m, &m->next, (room - m->candidate_room) * bytes, err));
    if (!ms_enlarge(&m->candidate, m->candidate_room, room, bytes))
      return ms_fail_memory(err, "the candidates of a level");
    m->candidate_room = room;
  }
  memcpy(m->candidate + m->candidates++ * slots, motif, bytes);
  return MS_OK;
}

static _Thread_local uint32_t sorted_slots; /* of by_colors, which has no other argument */

static int by_colors(const void *a, const void *b)
{
  return compare(a, b, sorted_slots);
}

/* Makes the candidates: each motif of the last level with one more colour. */
static ms_status make_candidates(mining *m, ms_error *err)
{
  const level *last = &m->last;
  uint32_t slots = m->next.slots, colors = ms_names_count(m->session->coloring->names);
  uint32_t motif[MS_MAX_MINED];
  m->candidates = 0;
  for (uint64_t i = 0; i < last->count; i++) {
    const uint32_t *parent = last->color + i * last->slots;
    MS_TRY(ms_stop_poll("candidates are made", err));
    for (uint32_t c = 0; c < colors; c++) {
      uint32_t at = 0;
      while (at < last->slots && parent[at] <= c)
        at++;
      memcpy(motif, parent, at * sizeof *motif);
      motif[at] = c;
      memcpy(motif + at + 1, parent + at, (last->slots - at) * sizeof *motif);
      if (is_candidate(m, motif, c))
        MS_TRY(add_candidate(m, motif, err));
    }
  }
  sorted_slots = slots;
  if (m->candidates > 0)
    qsort(m->candidate, m->candidates, slots * sizeof *m->candidate, by_colors);
  return MS_OK;
}

/* ---- one candidate ---------------------------------------------------------------- */

/* Sets keep[v], or clears it, for the vertices of the candidate's children.  Returns how many it
 * has set. */
static uint32_t mark_children(const mining *m, const uint32_t *motif, uint8_t *keep, uint8_t value)
{
  uint32_t slots = m->next.slots, child[MS_MAX_MINED], marked = 0;
  for (uint32_t i = 0; i < slots; i++) {
    if (i + 1 < slots && motif[i + 1] == motif[i])
      continue;
    drop_slot(motif, slots, i, child);
    uint64_t at = find(&m->last, child);
    for (uint32_t j = 0; at < m->last.count && j < m->last.n_vertices[at]; j++) {
      uint32_t v = m->last.vertex[at][j];
      marked += keep[v] != value;
      keep[v] = value;
    }
  }
  return marked;
}

/* Sets keep[v] to 2 for the vertices of a region that are in a match. */
static ms_status flag_region(mining *m, const ms_instance *region, uint8_t *keep, uint32_t *count,
                             ms_error *err)
{
  ms_part_takers takers = {.flag = ms_calloc(region->n, 1)};
  if (!takers.flag)
    return ms_fail_memory(err, "the flags");
  ms_status status = ms_take_part(region, 1, &m->budget, m->options->run.stop, &takers, err);
  for (uint32_t i = 0; i < region->n; i++)
    if (takers.flag[i]) {
      keep[region->vertex[i]] = 2;
      ++*count;
    }
  ms_free(takers.flag);
  return status;
}

/* Flags the kept vertices that are in a match of the motif. */
static ms_status flag(mining *m, const ms_query *query, uint8_t *keep, uint32_t *count,
                      ms_error *err)
{
  ms_instance *whole;
  ms_regions *regions = NULL;
  MS_TRY(ms_instance_new(query, 1, &whole, err));
  ms_status status = ms_regions_find(whole, keep, 1, &regions, err);
  for (uint32_t r = 0; status == MS_OK && r < regions->count; r++)
    status = flag_region(m, regions->region[r], keep, count, err);
  ms_regions_free(regions);
  ms_instance_free(whole);
  return status;
}

/* Copies the flagged vertices out. */
static ms_status collect(const mining *m, const uint8_t *keep, finding *f, ms_error *err)
{
  uint32_t n = m->session->graph->n, at = 0;
  f->vertex = f->count > 0 ? ms_alloc(f->count, sizeof *f->vertex) : NULL;
  if (f->count > 0 && !f->vertex)
    return ms_fail_memory(err, "the vertices of a motif");
  for (uint32_t v = 0; v < n && at < f->count; v++)
    if (keep[v] == 2)
      f->vertex[at++] = v;
  return MS_OK;
}

static ms_status search_candidate(mining *m, const uint32_t *color, uint8_t *keep, finding *f,
                                  ms_error *err)
{
  ms_motif *motif = NULL;
  ms_query *query = NULL;
  uint32_t slots = m->next.slots, wanted = slots;
  ms_status status = MS_OK;
  if (slots == m->slots && m->support > wanted)
    wanted = m->support; /* nothing is built on it */
  if (mark_children(m, color, keep, 1) >= wanted) {
    status = ms_motif_from_slots(color, slots, m->session->coloring, &motif, err);
    if (status == MS_OK)
      status = ms_query_new(m->session->graph, m->session->coloring, motif, 0, NULL, &query, err);
    if (status == MS_OK)
      status = flag(m, query, keep, &f->count, err);
    if (status == MS_OK)
      status = collect(m, keep, f, err);
    ms_query_free(query);
    ms_motif_free(motif);
  }
  mark_children(m, color, keep, 0);
  return status;
}

/* ---- batches ---------------------------------------------------------------------- */

static void search_range(void *user, ms_range r)
{
  mining *m = user;
  ms_stop *before = ms_stop_enter(m->options->run.stop);
  for (uint64_t i = r.begin; i < r.end && atomic_load(&m->failed) == MS_OK; i++) {
    const uint32_t *color = m->candidate + (m->first + i * m->step) * m->next.slots;
    ms_error error = {0};
    int none = MS_OK;
    ms_status status = ms_stop_check(m->options->run.stop);
    if (status == MS_OK)
      status = search_candidate(m, color, m->keep[r.thread], &m->finding[i], &error);
    if (status != MS_OK && atomic_compare_exchange_strong(&m->failed, &none, (int)status))
      m->error = error;
  }
  ms_stop_leave(before);
}

/* Passes a motif on if it has enough vertices. */
static ms_status deliver(mining *m, const uint32_t *color, uint32_t slots, uint32_t count,
                         const uint32_t *vertex, ms_error *err)
{
  ms_motif *motif;
  if (slots < m->least || count < m->support || count == 0 || m->ended)
    return MS_OK;
  MS_TRY(ms_motif_from_slots(color, slots, m->session->coloring, &motif, err));
  m->summary.motifs++;
  m->ended = !m->receive(m->user, motif, count, vertex);
  ms_motif_free(motif);
  return MS_OK;
}

/* Delivers what a batch has found, and keeps it for the next level. */
static ms_status take_batch(mining *m, uint32_t size, ms_error *err)
{
  ms_status status = MS_OK;
  for (uint32_t i = 0; i < size; i++) {
    finding *f = &m->finding[i];
    const uint32_t *color = m->candidate + (m->first + i) * m->next.slots;
    if (status == MS_OK && f->vertex)
      status = deliver(m, color, m->next.slots, f->count, f->vertex, err);
    if (status == MS_OK && f->vertex && m->next.slots < m->slots)
      status = append(m, &m->next, color, f, err);
    ms_free(f->vertex);
    *f = (finding){0};
  }
  return status;
}

static void drop_batch(mining *m)
{
  for (uint32_t i = 0; i < BATCH; i++) {
    ms_free(m->finding[i].vertex);
    m->finding[i] = (finding){0};
  }
}

static ms_status search_batch(mining *m, uint32_t size, ms_error *err)
{
  atomic_store(&m->failed, MS_OK);
  ms_parallel(m->threads, size, 1, search_range, m);
  ms_status status = (ms_status)atomic_load(&m->failed);
  if (status != MS_OK) {
    drop_batch(m);
    return ms_fail(err, status, "%s", m->error.message);
  }
  m->summary.candidates += size;
  return take_batch(m, size, err);
}

/* Searches for every candidate number `parts`, and forgets what it finds; an
 * ms_forecast_part_fn. */
static ms_status sample_part(void *user, uint32_t parts, ms_stop *stop, ms_error *err)
{
  mining *m = user;
  const ms_mine_options *whole = m->options;
  ms_mine_options options = *whole;
  (void)err;
  options.run.stop = stop;
  m->options = &options;
  m->step = parts;
  atomic_store(&m->failed, MS_OK);
  for (m->first = parts / 2; m->first < m->candidates && atomic_load(&m->failed) == MS_OK;
       m->first += (uint64_t)BATCH * parts) {
    uint64_t left = (m->candidates - m->first - 1) / parts + 1;
    ms_parallel(m->threads, left < BATCH ? left : BATCH, 1, search_range, m);
    drop_batch(m);
  }
  m->step = 1;
  m->options = whole;
  return (ms_status)atomic_load(&m->failed);
}

/* Says how long the search for the candidates takes, if it is long. */
static void forecast(mining *m)
{
  const ms_mine_options *o = m->options;
  ms_forecast_kind kind;
  char work[64];
  if (!ms_progress_wants_forecast(&o->run))
    return;
  double seconds = ms_forecast_by_parts(m->candidates, sample_part, m, o->run.stop, &kind);
  snprintf(work, sizeof work, "the search for motifs of %u slots", m->next.slots);
  ms_progress_forecast(&o->run, work, seconds, kind);
}

static ms_status search_level(mining *m, ms_error *err)
{
  const ms_mine_options *o = m->options;
  MS_TRY(make_candidates(m, err));
  forecast(m);
  for (m->first = 0; m->first < m->candidates && !m->ended; m->first += BATCH) {
    uint64_t left = m->candidates - m->first;
    MS_TRY(search_batch(m, (uint32_t)(left < BATCH ? left : BATCH), err));
    if (left > BATCH)
      ms_limits_report(&o->run, "candidates", m->first + BATCH, m->candidates);
  }
  return MS_OK;
}

static ms_status mine(mining *m, ms_error *err)
{
  MS_TRY(open_first(m, &m->last, err));
  m->summary.candidates = m->last.count;
  for (uint64_t i = 0; i < m->last.count; i++)
    MS_TRY(deliver(m, &m->last.color[i], 1, m->last.n_vertices[i], m->last.vertex[i], err));
  while (m->last.slots < m->slots && !m->ended) {
    m->next.slots = m->last.slots + 1;
    MS_TRY(search_level(m, err));
    ms_free(m->candidate);
    m->candidate = NULL;
    m->candidate_room = 0;
    close_level(m, &m->last);
    m->last = m->next;
    m->next = (level){0};
  }
  return MS_OK;
}

/* ---- entry point ------------------------------------------------------------------ */

static ms_status open_threads(mining *m, ms_error *err)
{
  m->finding = ms_calloc(BATCH, sizeof *m->finding);
  m->keep = ms_calloc((size_t)m->threads, sizeof *m->keep);
  bool ok = m->finding && m->keep;
  for (int t = 0; ok && t < m->threads; t++)
    ok = (m->keep[t] = ms_calloc(m->session->graph->n, 1)) != NULL;
  return ok ? MS_OK : ms_fail_memory(err, "the threads of mining");
}

static void close_mining(mining *m)
{
  close_level(m, &m->last);
  close_level(m, &m->next);
  for (int t = 0; m->keep && t < m->threads; t++)
    ms_free(m->keep[t]);
  ms_free(m->keep);
  ms_free(m->finding);
  ms_free(m->candidate);
}

void ms_mine_complete(ms_mine_options *o)
{
  o->slots = o->slots ? o->slots : USUAL_SLOTS;
  o->least = o->least ? o->least : o->slots < 2 ? 1 : 2;
  o->support = o->support ? o->support : 1;
}

static ms_status check_options(const ms_mine_options *o, ms_error *err)
{
  if (o->slots > MS_MAX_MINED)
    return ms_fail(err, MS_ERR_USAGE, "`slots` is %u; choose at most %u", o->slots, MS_MAX_MINED);
  if (o->least > o->slots)
    return ms_fail(err, MS_ERR_USAGE, "`least` is %u, but motifs have at most %u slots", o->least,
                   o->slots);
  return MS_OK;
}

ms_status ms_session_mine(const ms_session *session, const ms_mine_options *options,
                          ms_mined_fn receive, void *user, ms_mine_summary *summary, ms_error *err)
{
  ms_mine_options o;
  MS_REQUIRE(session, err);
  MS_REQUIRE(receive, err);
  MS_TRY(ms_options_take(&ms_mine_options_kind, options, &o, err));
  ms_mine_complete(&o);
  MS_TRY(check_options(&o, err));
  mining m = {.session = session,
              .options = &o,
              .slots = o.slots,
              .least = o.least,
              .support = o.support,
              .threads = ms_threads(o.run.threads),
              .receive = receive,
              .user = user,
              .step = 1};
  ms_budget_open(&m.budget, o.run.memory);
  atomic_init(&m.failed, MS_OK);
  ms_stop *before = ms_stop_enter(o.run.stop);
  ms_status status = open_threads(&m, err);
  if (status == MS_OK)
    status = mine(&m, err);
  ms_stop_leave(before);
  close_mining(&m);
  if (status == MS_ERR_LIMIT || status == MS_ERR_INTERRUPTED) {
    m.summary.run.stopped = status;
    status = MS_OK;
  }
  if (status == MS_OK && summary)
    *summary = m.summary;
  return status;
}
