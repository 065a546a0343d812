#include "match/typed/relations.h"

#include "base/alloc.h"
#include "base/budget.h"
#include "base/status.h"
#include "base/threads/threads.h"
#include "base/threads/watch.h"
#include "match/cpu/sorted.h"

#include <string.h>

#define ROWS 256 /* rows that a thread takes at a time */
#define PHASE "candidates are listed"

typedef struct building {
  const ms_typed_rows *rows;
  const ms_typed_query *query;
  const ms_typed_shape *shape;
  const ms_typed_domains *domains;
  int threads;
  ms_typed_relations *out;
  uint32_t words; /* of a set of the part's vertices */
  /* [words] sets of the part's vertices: those in some domain, and the sources and targets
   * of the rows that are being built */
  uint64_t *active, *sources, *targets;
  uint32_t *before;          /* [words] number of active vertices in earlier words: their ids */
  const uint64_t **accepted; /* [query->edges] room for the edges of a pair */
  ms_watch watch;
} building;

static ms_status reserve(ms_typed_relations *r, uint64_t bytes, ms_error *err)
{
  if (!ms_budget_reserve(r->budget, bytes))
    return ms_fail(err, MS_ERR_MEMORY,
                   "the candidates of the typed pattern need %.1f KiB more than the %.1f KiB that "
                   "`memory` has left; raise `memory`, or name rarer types in the pattern",
                   (double)bytes / 1024, (double)ms_budget_left(r->budget) / 1024);
  r->reserved += bytes;
  return MS_OK;
}

/* ---- active vertices ------------------------------------------------------------------ */

static uint32_t id_of(const building *b, uint32_t v)
{
  uint64_t below = b->active[v >> 6] & ((UINT64_C(1) << (v & 63)) - 1);
  return b->before[v >> 6] + (uint32_t)__builtin_popcountll(below);
}

static void add_set(building *b, uint64_t *to, uint32_t i)
{
  const uint64_t *from = b->domains->set[i].bits;
  for (uint32_t w = 0; w < b->words; w++)
    to[w] |= from[w];
}

static ms_status number_active(building *b, ms_error *err)
{
  ms_pattern_index *index = &b->out->index;
  for (uint32_t i = 0; i < b->query->n; i++)
    add_set(b, b->active, i);
  for (uint32_t w = 0; w < b->words; w++) {
    b->before[w] = index->n;
    index->n += (uint32_t)__builtin_popcountll(b->active[w]);
  }
  index->words = ((size_t)index->n + 63) / 64;
  MS_TRY(reserve(b->out, index->n * sizeof *index->vertex, err));
  index->vertex = ms_alloc_lines(index->n, sizeof *index->vertex);
  if (!index->vertex)
    return ms_fail_memory(err, "candidates of a typed pattern");
  for (uint32_t w = 0, id = 0; w < b->words; w++)
    for (uint64_t bits = b->active[w]; bits; bits &= bits - 1)
      index->vertex[id++] = w << 6 | (uint32_t)__builtin_ctzll(bits);
  return MS_OK;
}

/* Translates the domains into sets of ids. */
static ms_status number_domains(building *b, ms_error *err)
{
  ms_domains *d = &b->out->domains;
  size_t words = b->out->index.words;
  d->index = &b->out->index;
  d->n = b->query->n;
  d->store = ms_calloc(d->n * words, sizeof *d->store);
  if (!d->store)
    return ms_fail_memory(err, "candidates of a typed pattern");
  for (uint32_t i = 0; i < d->n; i++) {
    const ms_active *set = &b->domains->set[i];
    uint64_t *bits = d->store + i * words;
    uint32_t id = 0;
    d->of[i] = (ms_domain){.lo = UINT32_MAX, .bits = bits, .count = (uint32_t)set->size};
    for (uint32_t w = 0; w < b->words; w++)
      for (uint64_t left = set->bits[w]; left; left &= left - 1) {
        id = id_of(b, w << 6 | (uint32_t)__builtin_ctzll(left));
        bits[id / 64] |= UINT64_C(1) << id % 64;
        d->of[i].lo = id < d->of[i].lo ? id : d->of[i].lo;
        d->of[i].hi = id + 1;
      }
    if (d->of[i].hi - d->of[i].lo == d->of[i].count)
      d->of[i].bits = NULL; /* a range */
  }
  return MS_OK;
}

/* ---- rows ----------------------------------------------------------------------------- */

static bool has_vertex(const uint64_t *set, uint32_t v)
{
  return set[v >> 6] >> (v & 63) & 1;
}

/* Returns the length of the row of v, and writes its ids to `to` unless that is NULL. */
static uint64_t read_row(const building *b, const ms_pair_edges *between, uint32_t v, uint32_t *to)
{
  const ms_typed_rows *rows = b->rows;
  uint64_t count = 0, end = rows->offset[v + 1];
  for (uint64_t first = rows->offset[v], next; first < end; first = next) {
    uint32_t w = rows->neighbor[first];
    for (next = first + 1; next < end && rows->neighbor[next] == w;)
      next++;
    if (w == v || !has_vertex(b->targets, w) ||
        !ms_pair_edges_fit(between, rows->type + first, next - first))
      continue;
    if (to)
      to[count] = id_of(b, w);
    count++;
  }
  return count;
}

typedef struct filling {
  const building *b;
  const ms_pair_edges *between;
  ms_neighbor_rows *out;
} filling;

/* offset[i]: the length of row i. */
static void find_lengths(void *user, ms_range r)
{
  const filling *f = user;
  const building *b = f->b;
  for (uint64_t i = r.begin; i < r.end; i++) {
    uint32_t v = b->out->index.vertex[i];
    f->out->offset[i] = has_vertex(b->sources, v) ? read_row(b, f->between, v, NULL) : 0;
  }
}

static void read_rows(void *user, ms_range r)
{
  const filling *f = user;
  const ms_neighbor_rows *out = f->out;
  for (uint64_t i = r.begin; i < r.end; i++)
    if (out->offset[i + 1] > out->offset[i])
      read_row(f->b, f->between, f->b->out->index.vertex[i], out->neighbor + out->offset[i]);
}

static uint64_t row_bytes(uint64_t rows, uint64_t entries)
{
  return (rows + 1) * sizeof(uint64_t) + entries * sizeof(uint32_t);
}

/* Fails if the token is stopped. */
static ms_status report(const building *b, ms_error *err)
{
  return ms_watch_report(&b->watch, PHASE, err);
}

static ms_status fill_rows(building *b, const ms_pair_edges *between, ms_neighbor_rows *out,
                           ms_error *err)
{
  const ms_pattern_index *index = &b->out->index;
  uint64_t sum = 0;
  MS_TRY(reserve(b->out, row_bytes(index->n, 0), err));
  out->offset = ms_alloc_lines((size_t)index->n + 2, sizeof *out->offset);
  if (!out->offset)
    return ms_fail_memory(err, "candidates of a typed pattern");
  filling f = {b, between, out};
  ms_watch_loop(&b->watch, b->threads, index->n, ROWS, find_lengths, &f);
  MS_TRY(report(b, err));
  for (uint32_t i = 0; i < index->n; i++) {
    uint64_t count = out->offset[i];
    out->offset[i] = sum;
    sum += count;
  }
  out->offset[index->n] = sum;
  MS_TRY(reserve(b->out, row_bytes(0, sum), err));
  out->neighbor = ms_alloc_lines(sum, sizeof *out->neighbor);
  if (!out->neighbor)
    return ms_fail_memory(err, "candidates of a typed pattern");
  ms_watch_loop(&b->watch, b->threads, index->n, ROWS, read_rows, &f);
  return report(b, err);
}

static uint32_t count_set(const building *b, const uint64_t *set)
{
  uint32_t count = 0;
  for (uint32_t w = 0; w < b->words; w++)
    count += (uint32_t)__builtin_popcountll(set[w]);
  return count;
}

/* Builds the rows of a kind from those of the other side. */
static ms_status turn_rows(building *b, const ms_neighbor_rows *from, ms_neighbor_rows *to,
                           ms_error *err)
{
  ms_typed_relations *r = b->out;
  uint32_t n = r->index.n;
  MS_TRY(reserve(r, row_bytes(n, from->offset[n]), err));
  uint64_t *offset = ms_calloc((size_t)n + 2, sizeof *offset);
  uint32_t *neighbor = ms_alloc_lines(from->offset[n], sizeof *neighbor);
  if (!offset || !neighbor) {
    ms_free(offset);
    ms_free(neighbor);
    return ms_fail_memory(err, "candidates of a typed pattern");
  }
  /* counts are kept one place further up, so that filling leaves the begin of
   * each row where it belongs */
  for (uint64_t e = 0; e < from->offset[n] && !ms_watch_ended(&b->watch, e); e++)
    offset[from->neighbor[e] + 2]++;
  for (uint32_t i = 1; i <= n; i++)
    offset[i + 1] += offset[i];
  for (uint32_t i = 0; i < n && !ms_watch_ended(&b->watch, i); i++)
    for (uint64_t e = from->offset[i]; e < from->offset[i + 1]; e++)
      neighbor[offset[from->neighbor[e] + 1]++] = i;
  *to = (ms_neighbor_rows){offset, neighbor};
  return report(b, err);
}

/* Builds both sides of relation r, first the side whose sources have fewer arcs. */
static ms_status build_relation(building *b, uint32_t r, ms_error *err)
{
  uint32_t n = b->query->n, from = 0, to = 0;
  uint64_t arcs[2] = {0}; /* of the sources and of the targets, seen from label 1 + 2 r */
  ms_pair_edges between;
  memset(b->sources, 0, b->words * sizeof *b->sources);
  memset(b->targets, 0, b->words * sizeof *b->targets);
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t j = 0; j < n; j++)
      if (b->shape->label[i][j] == 1 + 2 * r) {
        add_set(b, b->sources, from = i);
        add_set(b, b->targets, to = j);
        arcs[0] += b->domains->set[i].arcs;
        arcs[1] += b->domains->set[j].arcs;
      }
  b->out->side[r].sources = count_set(b, b->sources);
  b->out->side[r].targets = count_set(b, b->targets);
  uint32_t kind = 1 + 2 * r;
  if (arcs[1] < arcs[0] && b->shape->label[to][from] == kind + 1) {
    uint64_t *swap = b->sources;
    b->sources = b->targets;
    b->targets = swap;
    ms_pair_edges_of(b->query, to, from, b->accepted, &between);
    kind++;
  } else {
    ms_pair_edges_of(b->query, from, to, b->accepted, &between);
  }
  ms_neighbor_rows *rows = &b->out->index.rows[kind];
  MS_TRY(fill_rows(b, &between, rows, err));
  b->out->side[r].entries = rows->offset[b->out->index.n];
  ms_neighbor_rows *other = &b->out->index.rows[ms_reverse_rows((uint16_t)kind)];
  if (b->shape->label[to][from] != 1 + 2 * r)
    return turn_rows(b, rows, other, err);
  *other = *rows; /* the same from both sides */
  return MS_OK;
}

/* Sets the mean lengths of rows between domains; the rows of a relation may serve several
 * pairs of domains. */
static void measure_rows(building *b)
{
  for (uint32_t i = 0; i < b->query->n; i++)
    for (uint32_t j = 0; j < b->query->n; j++) {
      uint32_t label = b->shape->label[i][j];
      if (!label)
        continue;
      const ms_relation_side *side = &b->out->side[(label - 1) / 2];
      uint32_t sources = label & 1 ? side->sources : side->targets;
      uint32_t targets = label & 1 ? side->targets : side->sources;
      b->out->row[i][j] =
          (double)side->entries / sources * (double)b->domains->set[j].size / targets;
    }
}

static ms_status build(building *b, ms_error *err)
{
  ms_pattern_index *index = &b->out->index;
  index->serial = ms_pattern_index_serial();
  index->kinds = 1 + 2 * b->shape->relations;
  index->rows = ms_calloc(index->kinds, sizeof *index->rows);
  b->out->side = ms_calloc((size_t)b->shape->relations + 1, sizeof *b->out->side);
  if (!index->rows || !b->out->side)
    return ms_fail_memory(err, "candidates of a typed pattern");
  MS_TRY(number_active(b, err));
  MS_TRY(number_domains(b, err));
  for (uint32_t r = 0; r < b->shape->relations; r++) {
    MS_TRY(build_relation(b, r, err));
    ms_watch_check(&b->watch);
    MS_TRY(report(b, err));
  }
  return MS_OK;
}

/* ---- rows of all neighbours --------------------------------------------------------------- */

/* Returns the id of a vertex of the graph, or UINT32_MAX if it is not active. */
static uint32_t find_id(const ms_pattern_index *index, uint32_t v)
{
  size_t i = ms_lower_bound(index->vertex, index->n, v);
  return i < index->n && index->vertex[i] == v ? (uint32_t)i : UINT32_MAX;
}

/* Returns the number of active neighbours of an id in the whole graph, and writes their ids to
 * `to` unless that is NULL. */
static uint64_t read_neighbors(const building *b, uint32_t id, uint32_t *to)
{
  const ms_typed_rows *rows = &b->query->graph->rows;
  uint32_t v = b->out->index.vertex[id];
  uint64_t count = 0;
  for (uint64_t e = rows->offset[v]; e < rows->offset[v + 1]; e++) {
    uint32_t w = rows->neighbor[e];
    if (w == v || (e > rows->offset[v] && rows->neighbor[e - 1] == w))
      continue;
    uint32_t other = find_id(&b->out->index, w);
    if (other == UINT32_MAX)
      continue;
    if (to)
      to[count] = other;
    count++;
  }
  return count;
}

/* Fills the rows of all neighbours, which only an induced pattern reads. */
static ms_status fill_all_neighbors(building *b, ms_error *err)
{
  ms_pattern_index *index = &b->out->index;
  ms_neighbor_rows *rows = &index->rows[MS_ROWS_ANY];
  rows->offset = ms_calloc((size_t)index->n + 2, sizeof *rows->offset);
  if (!rows->offset)
    return ms_fail_memory(err, "candidates of a typed pattern");
  for (uint32_t i = 0; b->shape->shape.induced && i < index->n; i++) {
    if (ms_watch_ended(&b->watch, i))
      break;
    rows->offset[i + 1] = rows->offset[i] + read_neighbors(b, i, NULL);
  }
  MS_TRY(report(b, err));
  index->arcs = rows->offset[index->n];
  MS_TRY(reserve(b->out, row_bytes(index->n, index->arcs), err));
  rows->neighbor = ms_alloc_lines(index->arcs + 1, sizeof *rows->neighbor);
  if (!rows->neighbor)
    return ms_fail_memory(err, "candidates of a typed pattern");
  for (uint32_t i = 0; b->shape->shape.induced && i < index->n; i++) {
    if (ms_watch_ended(&b->watch, i))
      break;
    read_neighbors(b, i, rows->neighbor + rows->offset[i]);
  }
  MS_TRY(report(b, err));
  measure_rows(b);
  for (uint32_t kind = 0; kind < index->kinds; kind++)
    for (uint32_t i = 0; i < index->n; i++) {
      uint32_t length = ms_row_length(&index->rows[kind], i);
      index->longest = length > index->longest ? length : index->longest;
    }
  return MS_OK;
}

/* ---- entry points ----------------------------------------------------------------------- */

ms_status ms_typed_relations_new(const ms_typed_part *part, const ms_typed_query *query,
                                 const ms_typed_shape *shape, const ms_typed_domains *domains,
                                 int threads, const ms_stop *stop, struct ms_budget *budget,
                                 ms_typed_relations **out, ms_error *err)
{
  const ms_typed_rows *rows = &part->rows;
  building b = {.rows = rows, .query = query, .shape = shape, .domains = domains};
  b.threads = ms_threads_for(threads, rows->n + rows->arcs);
  b.words = ms_active_words(rows);
  b.out = ms_calloc(1, sizeof *b.out);
  b.active = ms_calloc(b.words, sizeof *b.active);
  b.sources = ms_alloc_lines(b.words, sizeof *b.sources);
  b.targets = ms_alloc_lines(b.words, sizeof *b.targets);
  b.before = ms_alloc_lines(b.words, sizeof *b.before);
  b.accepted = ms_alloc(query->edges, sizeof *b.accepted);
  ms_status status = b.out && b.active && b.sources && b.targets && b.before && b.accepted
                         ? MS_OK
                         : ms_fail_memory(err, "candidates of a typed pattern");
  *out = NULL;
  if (status == MS_OK) {
    b.out->budget = budget;
    ms_watch_begin(&b.watch);
    b.watch.stop = stop ? stop : b.watch.stop;
    status = build(&b, err);
  }
  for (uint32_t i = 0; status == MS_OK && i < b.out->index.n; i++)
    b.out->index.vertex[i] = part->vertex[b.out->index.vertex[i]];
  if (status == MS_OK)
    status = fill_all_neighbors(&b, err);
  ms_free(b.active);
  ms_free(b.sources);
  ms_free(b.targets);
  ms_free(b.before);
  ms_free(b.accepted);
  if (status == MS_OK)
    *out = b.out;
  else
    ms_typed_relations_free(b.out);
  return status;
}

void ms_typed_relations_free(ms_typed_relations *r)
{
  if (!r)
    return;
  ms_pattern_index *index = &r->index;
  for (uint32_t kind = 0; index->rows && kind < index->kinds; kind++) {
    if (kind > 0 && kind % 2 == 0 && index->rows[kind].offset == index->rows[kind - 1].offset)
      continue; /* the same from both sides */
    ms_free(index->rows[kind].offset);
    ms_free(index->rows[kind].neighbor);
  }
  ms_free(index->rows);
  ms_free(index->vertex);
  ms_domains_free(&r->domains);
  ms_free(r->side);
  ms_budget_release(r->budget, r->reserved);
  ms_free(r);
}

uint64_t ms_typed_relations_entries(const ms_typed_relations *r)
{
  uint64_t entries = 0;
  for (uint32_t i = 0; 2 * i + 1 < r->index.kinds; i++)
    entries += r->side[i].entries;
  return entries;
}
