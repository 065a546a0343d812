/* Orbits of vertices with colours, by a search from each vertex.
 *
 * A search finds graphs with the vertex as vertex 0 and the others in any order.  Where these
 * belong depends on the order of their colours and not on the colours themselves, so that each
 * graph is looked up in a table by its code and by the ranks of its colours: of k vertices there
 * are 1, 3, 13, 75 or 541 such patterns of ranks (OEIS A000670).  A thread numbers the orbits that
 * it meets, and adds rows to its own; at the end all orbits are numbered in their order, and rows
 * gathered. */
#include "census/shapes/colored_orbits.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/threads/stop.h"
#include "census/shapes/search.h"
#include "graph/graph.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A key of an orbit is the colours of its shape, the position, and the code in the last places. */
#define POSITION 5u
#define KNOWN_BITS 10u       /* of the first table of orbits */
#define SAMPLE 256u          /* vertices from which the memory is estimated */
#define MOST_EXCESS 1.5      /* of an estimate above the memory that there is */
#define MOST_SEQUENCES 3125u /* of ranks of MS_MAX_ORBITS vertices */
#define CODE_BITS 12u
#define IS_KNOWN (1u << 31)

/* Where the graphs of some size belong. */
typedef struct places {
  ms_graphlet_form form;
  uint16_t pattern[MOST_SEQUENCES]; /* the number of each sequence of ranks, in base k */
  _Atomic uint32_t *place;          /* [patterns << bits] IS_KNOWN, position and code; 0: not yet */
  uint64_t bytes;
} places;

typedef struct orbit_row {
  uint64_t sets;
  uint32_t orbit;
} orbit_row;

/* The memory of one thread. */
typedef struct finder {
  ms_graphlet_search search[MS_MAX_ORBITS + 1]; /* [3 .. k] by the numbers of vertices */
  ms_tally known; /* the number of each orbit from 1 on, in place of sets */
  uint64_t *sum;  /* [rooms[0]] sets of the vertex at each orbit; zeros in between */
  uint32_t *met;  /* [rooms[1]] the orbits of the vertex */
  uint32_t n_met;
  uint32_t rooms[2];
  orbit_row *row; /* [room] */
  uint64_t rows, room;
  uint32_t *number; /* [orbits] the last number of each orbit of the thread */
  bool failed, overflow;
} finder;

typedef struct place_of_rows {
  uint64_t first, rows;
  int thread;
} place_of_rows;

typedef struct work {
  const ms_census_graph *graph;
  const ms_census_options *options;
  ms_orbits_result *result;
  uint32_t k;
  bool directed;
  int threads;
  ms_budget *budget;
  ms_watch watch;
  places of[MS_MAX_ORBITS + 1];
  finder *finder;      /* [threads] */
  place_of_rows *rows; /* [n] of each rank */
  uint32_t stride;     /* of the ranks of the sample */
  bool in_sample;      /* these ranks are searched, or all others */
  atomic_uint_fast64_t done;
  atomic_bool full; /* some thread has no memory */
} work;

/* ---- places -------------------------------------------------------------------------------- */

/* Numbers the sequences of ranks in which no rank is left out; returns how many there are. */
static uint32_t number_patterns(places *p)
{
  uint32_t k = p->form.k, sequences = 1, patterns = 0;
  for (uint32_t i = 0; i < k; i++)
    sequences *= k;
  for (uint32_t s = 0; s < sequences; s++) {
    uint32_t used = 0;
    for (uint32_t i = 0, rest = s; i < k; i++, rest /= k)
      used |= 1u << rest % k;
    if ((used & (used + 1)) == 0)
      p->pattern[s] = (uint16_t)patterns++;
  }
  return patterns;
}

static ms_status open_places(places *p, ms_graphlet_form form, ms_budget *budget, ms_error *err)
{
  p->form = form;
  size_t cells = (size_t)number_patterns(p) << ms_graphlet_bits(form, form.k);
  if (!ms_budget_reserve(budget, cells * sizeof *p->place))
    return ms_budget_refuse(budget, cells * sizeof *p->place, "the tables of orbits with colours",
                            ", or lower `k`", err);
  p->bytes = cells * sizeof *p->place;
  p->place = ms_calloc(cells, sizeof *p->place);
  return p->place ? MS_OK : ms_fail_memory(err, "the orbits of a graph");
}

/* Sets *key to the orbit of vertex 0 of a graph with these colours. */
static void find_orbit(places *p, const ms_kind_id *kind, uint32_t code, ms_multiset *key)
{
  uint32_t k = p->form.k, sequence = 0;
  ms_kind_id rank[MS_MAX_ORBITS];
  memset(key, 0xff, sizeof *key);
  for (uint32_t i = 0; i < k; i++) {
    uint32_t at = i;
    for (; at > 0 && key->kind[at - 1] > kind[i]; at--)
      key->kind[at] = key->kind[at - 1];
    key->kind[at] = kind[i];
  }
  for (uint32_t i = k; i-- > 0;) {
    rank[i] = 0;
    for (uint32_t j = 1; key->kind[j - 1] < kind[i]; j++)
      rank[i] = (ms_kind_id)(rank[i] + (key->kind[j] != key->kind[j - 1]));
    sequence = sequence * k + rank[i];
  }
  size_t cell = (size_t)p->pattern[sequence] << ms_graphlet_bits(p->form, k) | code;
  uint32_t place = atomic_load_explicit(&p->place[cell], memory_order_relaxed);
  if (place == 0) {
    uint32_t position = 0;
    place = ms_graphlet_locate(p->form, code, rank, &position);
    place |= position << CODE_BITS | IS_KNOWN;
    atomic_store_explicit(&p->place[cell], place, memory_order_relaxed);
  }
  key->kind[POSITION] = (ms_kind_id)((place & ~IS_KNOWN) >> CODE_BITS);
  ms_graphlet_set_code(key, place & ((1u << CODE_BITS) - 1));
}

/* ---- the search ---------------------------------------------------------------------------- */

/* Makes room for more elements, of the budget, too; false: there is none. */
static bool grow(void *array, size_t size, uint64_t used, uint64_t *room, ms_budget *budget)
{
  uint64_t more = *room > 0 ? *room : 256;
  if (used < *room)
    return true;
  if (!ms_budget_reserve(budget, more * size))
    return false;
  if (!ms_enlarge(array, *room, *room + more, size)) {
    ms_budget_release(budget, more * size);
    return false;
  }
  *room += more;
  return true;
}

/* Adds sets of the vertex at an orbit. */
static void add_sets(work *w, finder *f, const ms_multiset *key, uint64_t sets)
{
  uint64_t *number = ms_tally_number(&f->known, key, ms_multiset_hash(key));
  uint64_t orbits = f->known.used, rooms[2] = {f->rooms[0], f->rooms[1]};
  if (!number || orbits > UINT32_MAX / 2) {
    f->failed = true;
    return;
  }
  if (*number == 0) {
    *number = orbits;
    f->failed = !grow(&f->sum, sizeof *f->sum, orbits - 1, &rooms[0], w->budget) ||
                !grow(&f->met, sizeof *f->met, orbits - 1, &rooms[1], w->budget);
    f->rooms[0] = (uint32_t)rooms[0];
    f->rooms[1] = (uint32_t)rooms[1];
    if (f->failed)
      return;
    f->sum[orbits - 1] = 0;
  }
  uint32_t orbit = (uint32_t)(*number - 1);
  if (f->sum[orbit] == 0)
    f->met[f->n_met++] = orbit;
  f->overflow |= __builtin_add_overflow(f->sum[orbit], sets, &f->sum[orbit]);
}

/* Adds the edges of a vertex, which are its sets of two vertices. */
static void add_edges(work *w, finder *f, uint32_t rank)
{
  const ms_census_graph *g = w->graph;
  for (uint64_t e = g->offset[rank]; e < g->offset[rank + 1] && !f->failed; e++) {
    const ms_kind_id kind[2] = {g->kind[rank], g->kind[g->neighbor[e]]};
    ms_multiset key;
    find_orbit(&w->of[2], kind, g->direction ? g->direction[e] : 1, &key);
    add_sets(w, f, &key, 1);
  }
}

/* Adds the sets of one size of a vertex. */
static void add_found(work *w, finder *f, uint32_t size, uint32_t rank)
{
  ms_graphlet_search *s = &f->search[size];
  ms_graphlet_search_vertex(s, rank);
  for (uint64_t i = 0; i < (uint64_t)1 << s->local.bits && !s->ended && !f->failed; i++) {
    const ms_tally_entry *found = &s->local.entry[i];
    ms_multiset key;
    if (found->sets == 0)
      continue;
    find_orbit(&w->of[size], found->key.kind, ms_graphlet_code_of(&found->key), &key);
    add_sets(w, f, &key, found->sets);
  }
  f->overflow |= s->local.overflow;
  f->failed |= s->full || !ms_graphlet_search_empty(s);
}

static void put_rows(work *w, finder *f, int thread, uint32_t rank)
{
  w->rows[rank] = (place_of_rows){.first = f->rows, .rows = f->n_met, .thread = thread};
  for (uint32_t i = 0; i < f->n_met && !f->failed; i++) {
    uint32_t orbit = f->met[i];
    f->failed = !grow(&f->row, sizeof *f->row, f->rows, &f->room, w->budget);
    if (f->failed)
      break;
    f->overflow |= f->sum[orbit] > INT64_MAX;
    f->row[f->rows++] = (orbit_row){f->sum[orbit], orbit};
    f->sum[orbit] = 0;
  }
  f->n_met = 0;
}

/* Counts the sets of some vertices; a loop. */
static void count_vertices(void *user, ms_range r)
{
  work *w = user;
  finder *f = &w->finder[r.thread];
  for (uint64_t rank = r.begin; rank < r.end && !atomic_load(&w->full); rank++) {
    if ((rank % w->stride == 0) != w->in_sample)
      continue;
    bool ended = false;
    add_edges(w, f, (uint32_t)rank);
    for (uint32_t size = 3; size <= w->k && !ended && !f->failed; size++) {
      add_found(w, f, size, (uint32_t)rank);
      ended = f->search[size].ended;
    }
    if (!ended && !f->failed)
      put_rows(w, f, r.thread, (uint32_t)rank);
    if (f->failed)
      atomic_store(&w->full, true);
    if (ended || f->failed)
      return;
    uint64_t done = atomic_fetch_add(&w->done, 1) + 1;
    if (r.thread == 0)
      ms_limits_report(&w->options->run, "vertices", done, w->graph->n);
  }
}

/* Estimates the bytes of all rows from the vertices that were counted. */
static double estimate_rows(const work *w)
{
  uint64_t rows = 0, counted = atomic_load(&w->done);
  for (int t = 0; t < w->threads; t++)
    rows += w->finder[t].rows;
  return counted == 0 ? 0
                      : (double)rows / (double)counted * w->graph->n *
                            (sizeof(orbit_row) + sizeof(uint64_t) + sizeof(uint32_t));
}

/* Refuses orbits whose rows do not fit into the memory, or by the estimate will not. */
static ms_status fail_rows(const work *w, ms_error *err)
{
  if (atomic_load(&w->done) == 0)
    return ms_fail(err, MS_ERR_MEMORY,
                   "the orbits with colours need more than the %" PRIu64
                   " bytes of memory that there are, which were full before the first vertex was "
                   "counted; raise `memory`, lower `k`, or choose fewer colours by `only`",
                   w->budget->bound);
  return ms_fail(err, MS_ERR_MEMORY,
                 "the orbits with colours of %u vertices need about %.3g bytes of memory for their "
                 "rows, estimated from %" PRIu64 " of them, and there are %" PRIu64
                 " bytes for all; raise `memory`, lower `k`, or choose fewer colours by `only`",
                 w->graph->n, estimate_rows(w), atomic_load(&w->done), w->budget->bound);
}

static ms_status run_loop(work *w, ms_error *err)
{
  ms_watch_begin(&w->watch);
  ms_watch_loop(&w->watch, w->threads, w->graph->n, 1, count_vertices, w);
  MS_TRY(ms_watch_report(&w->watch, "orbits are counted", err));
  if (atomic_load(&w->full))
    return fail_rows(w, err);
  for (int t = 0; t < w->threads; t++)
    if (w->finder[t].overflow)
      return ms_census_fail_overflow(err);
  return MS_OK;
}

/* Counts a sample of the vertices first, so that rows without room are refused early. */
static ms_status count_all(work *w, ms_error *err)
{
  uint64_t left = ms_budget_left(w->budget);
  w->stride = w->graph->n / SAMPLE + 1;
  w->in_sample = true;
  MS_TRY(run_loop(w, err));
  double bytes = estimate_rows(w);
  w->result->estimate = bytes < 1e18 ? (uint64_t)bytes : (uint64_t)1e18;
  if (w->stride > 1 && bytes > MOST_EXCESS * (double)left)
    return fail_rows(w, err);
  w->in_sample = false;
  return w->stride > 1 ? run_loop(w, err) : MS_OK;
}

/* ---- the result ---------------------------------------------------------------------------- */

/* An orbit that a thread has met. */
typedef struct met_orbit {
  ms_multiset key;
  int thread;
  uint32_t number; /* of the thread */
} met_orbit;

static int by_orbit(const void *a, const void *b)
{
  const met_orbit *x = a, *y = b;
  for (uint32_t i = MS_MAX_ORBITS; i-- > 2;) { /* by the numbers of vertices */
    bool has_x = x->key.kind[i] != MS_NO_KIND, has_y = y->key.kind[i] != MS_NO_KIND;
    if (has_x != has_y)
      return has_x ? 1 : -1;
  }
  for (uint32_t i = 0; i < MS_MAX_ORBITS; i++)
    if (x->key.kind[i] != y->key.kind[i])
      return x->key.kind[i] < y->key.kind[i] ? -1 : 1;
  uint32_t code_x = ms_graphlet_code_of(&x->key), code_y = ms_graphlet_code_of(&y->key);
  if (code_x != code_y)
    return code_x < code_y ? -1 : 1;
  return (x->key.kind[POSITION] > y->key.kind[POSITION]) -
         (x->key.kind[POSITION] < y->key.kind[POSITION]);
}

static ms_colored_orbit describe(const ms_census_graph *g, const ms_multiset *key)
{
  ms_colored_orbit orbit = {.shape = ms_graphlet_code_of(key), .position = key->kind[POSITION]};
  for (uint32_t i = 0; i < MS_MAX_ORBITS; i++) {
    bool has_color = key->kind[i] != MS_NO_KIND;
    orbit.color[i] = has_color ? g->color[key->kind[i]] : UINT32_MAX;
    orbit.k += has_color;
  }
  return orbit;
}

/* Gives all orbits their numbers, and describes them. */
static ms_status number_orbits(work *w, ms_error *err)
{
  uint64_t count = 0, used = 0, orbits = 0;
  for (int t = 0; t < w->threads; t++)
    count += w->finder[t].known.used;
  bool fits = ms_budget_reserve(w->budget, count * (sizeof(met_orbit) + sizeof(ms_colored_orbit)));
  met_orbit *all = fits ? ms_alloc(count, sizeof *all) : NULL;
  w->result->described = fits ? ms_alloc(count, sizeof *w->result->described) : NULL;
  bool ok = all && w->result->described && count <= UINT32_MAX;
  for (int t = 0; t < w->threads && ok; t++) {
    finder *f = &w->finder[t];
    f->number = ms_budget_reserve(w->budget, f->known.used * sizeof *f->number)
                    ? ms_alloc(f->known.used, sizeof *f->number)
                    : NULL;
    ok = f->number != NULL;
    for (uint64_t i = 0; i < (uint64_t)1 << f->known.bits; i++)
      if (f->known.entry[i].sets > 0)
        all[used++] = (met_orbit){f->known.entry[i].key, t, (uint32_t)f->known.entry[i].sets - 1};
  }
  if (ok && count > 0)
    qsort(all, count, sizeof *all, by_orbit);
  for (uint64_t i = 0; i < count && ok; i++) {
    if (i == 0 || by_orbit(&all[i - 1], &all[i]) != 0)
      w->result->described[orbits++] = describe(w->graph, &all[i].key);
    w->finder[all[i].thread].number[all[i].number] = (uint32_t)(orbits - 1);
  }
  w->result->orbits = (uint32_t)orbits;
  ms_free(all);
  return ok ? MS_OK : fail_rows(w, err);
}

static int by_number(const void *a, const void *b)
{
  const orbit_row *x = a, *y = b;
  return (x->orbit > y->orbit) - (x->orbit < y->orbit);
}

/* Moves the rows of some vertices to the result; a loop. */
static void gather_rows(void *user, ms_range r)
{
  const work *w = user;
  for (uint64_t rank = r.begin; rank < r.end; rank++) {
    const place_of_rows *place = &w->rows[rank];
    const finder *f = &w->finder[place->thread];
    orbit_row *row = f->row + place->first;
    uint64_t offset = w->result->offset[w->graph->vertex[rank]];
    for (uint64_t i = 0; i < place->rows; i++)
      row[i].orbit = f->number[row[i].orbit];
    if (place->rows > 1)
      qsort(row, place->rows, sizeof *row, by_number);
    for (uint64_t i = 0; i < place->rows; i++) {
      w->result->orbit[offset + i] = row[i].orbit;
      w->result->count[offset + i] = row[i].sets;
    }
  }
}

static ms_status fill_result(work *w, ms_error *err)
{
  ms_orbits_result *r = w->result;
  MS_TRY(number_orbits(w, err));
  r->offset = ms_calloc((size_t)r->vertices + 1, sizeof *r->offset);
  if (!r->offset)
    return ms_fail_memory(err, "the orbits of a graph");
  for (uint32_t rank = 0; rank < w->graph->n; rank++)
    r->offset[w->graph->vertex[rank] + 1] = w->rows[rank].rows;
  for (uint32_t v = 0; v < r->vertices; v++)
    r->offset[v + 1] += r->offset[v];
  uint64_t rows = r->offset[r->vertices];
  if (!ms_budget_reserve(w->budget, rows * (sizeof *r->orbit + sizeof *r->count)))
    return fail_rows(w, err);
  r->orbit = ms_alloc(rows, sizeof *r->orbit);
  uint64_t *count = ms_alloc(rows, sizeof *count);
  r->count = count;
  if (!r->orbit || !count)
    return ms_fail_memory(err, "the orbits of a graph");
  ms_watch_begin(&w->watch);
  ms_watch_loop(&w->watch, w->threads, w->graph->n, 64, gather_rows, w);
  return ms_watch_report(&w->watch, "orbits are gathered", err);
}

/* ---- memory -------------------------------------------------------------------------------- */

static ms_status open_finder(work *w, finder *f, ms_error *err)
{
  for (uint32_t size = 3; size <= w->k; size++)
    MS_TRY(ms_graphlet_search_open_alone(&f->search[size], w->graph,
                                         ms_graphlet_form_of(size, w->directed), &w->watch,
                                         w->budget, err));
  return ms_tally_open(&f->known, KNOWN_BITS, w->budget) ? MS_OK : fail_rows(w, err);
}

static void close_all(work *w)
{
  for (int t = 0; w->finder && t < w->threads; t++) {
    finder *f = &w->finder[t];
    for (uint32_t size = 3; size <= w->k; size++)
      ms_graphlet_search_close(&f->search[size], w->budget);
    ms_tally_close(&f->known);
    ms_free(f->sum);
    ms_free(f->met);
    ms_free(f->row);
    ms_free(f->number);
  }
  ms_free(w->finder);
  ms_free(w->rows);
  for (uint32_t size = 2; size <= w->k; size++)
    ms_free((void *)w->of[size].place);
}

static ms_status open_all(work *w, ms_error *err)
{
  for (uint32_t size = 2; size <= w->k; size++)
    MS_TRY(open_places(&w->of[size], ms_graphlet_form_of(size, w->directed), w->budget, err));
  w->finder = ms_calloc((size_t)w->threads, sizeof *w->finder);
  w->rows = ms_calloc(w->graph->n, sizeof *w->rows);
  if (!w->finder || !w->rows)
    return ms_fail_memory(err, "the orbits of a graph");
  for (int t = 0; t < w->threads; t++)
    MS_TRY(open_finder(w, &w->finder[t], err));
  return MS_OK;
}

ms_status ms_orbits_with_colors(const ms_graph *graph, const ms_coloring *coloring,
                                const ms_census_options *options, int threads, ms_budget *budget,
                                ms_orbits_result *result, ms_error *err)
{
  ms_census_graph *g = NULL;
  MS_TRY(ms_census_graph_new(graph, coloring, options, &g, err));
  work w = {.graph = g,
            .options = options,
            .result = result,
            .k = result->k,
            .directed = result->directed,
            .threads = threads,
            .budget = budget};
  ms_status status = open_all(&w, err);
  if (status == MS_OK)
    status = count_all(&w, err);
  if (status == MS_OK)
    status = fill_result(&w, err);
  close_all(&w);
  ms_census_graph_free(g);
  return status;
}
