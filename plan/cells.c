/* Refinement takes one cell after the other, the splitter, and splits all
 * cells by the number of arcs to it and from it, until nothing more splits.
 * The largest part keeps the number of the cell.  It need not be a splitter if the cell
 * was one before (Hopcroft's rule), because its counts follow from the counts of the cell
 * and of the other parts. */
#include "plan/cells.h"

#include <string.h>

typedef struct refinement {
  const ms_shape *shape;
  ms_cells *cells;
  ms_bitset pending; /* cells that still have to be splitters */
} refinement;

typedef struct piece {
  uint32_t key;
  ms_bitset vertices;
} piece;

/* Adds to the trace: one step of a multiplicative hash. The factor is 2^64 /
 * golden ratio, made odd. */
static void add_to_trace(ms_cells *cells, uint64_t what)
{
  uint64_t h = (cells->trace ^ what) * UINT64_C(0x9E3779B97F4A7C15);
  cells->trace = h ^ h >> 29;
}

/* Returns the number of arcs from v to the splitter and back; with labels a sum
 * over them that does not depend on their order. */
static uint32_t key_of(const ms_shape *shape, uint32_t v, ms_bitset splitter)
{
  if (shape->label) {
    ms_bitset near = ms_bitset_and(ms_shape_near(shape, v), splitter);
    uint32_t sum = 0;
    MS_EACH_MEMBER (w, near) {
      uint32_t mixed = shape->label[v][w] * 0x9E3779B9u;
      sum += mixed ^ mixed >> 15;
    }
    return sum;
  }
  uint32_t out = ms_bitset_count(ms_bitset_and(shape->out[v], splitter));
  if (!shape->directed)
    return out;
  return out * (MS_MAX_PATTERN + 1) + ms_bitset_count(ms_bitset_and(shape->in[v], splitter));
}

/* Divides a cell into parts, ascending by key. */
static uint32_t part_cell(const ms_shape *shape, ms_bitset cell, ms_bitset splitter,
                          piece part[MS_MAX_PATTERN])
{
  uint32_t parts = 0;
  MS_EACH_MEMBER (v, cell) {
    uint32_t key = key_of(shape, v, splitter), at = parts;
    while (at > 0 && part[at - 1].key > key)
      at--;
    if (at > 0 && part[at - 1].key == key) {
      ms_bitset_add(&part[at - 1].vertices, v);
      continue;
    }
    memmove(part + at + 1, part + at, (parts++ - at) * sizeof *part);
    part[at].key = key;
    part[at].vertices = ms_bitset_of(v);
  }
  return parts;
}

static void split_cell(refinement *r, uint32_t c, ms_bitset splitter)
{
  ms_cells *cells = r->cells;
  piece part[MS_MAX_PATTERN];
  uint32_t parts = part_cell(r->shape, cells->cell[c], splitter, part), largest = 0;
  ms_bitset kept = {{0}};
  uint32_t most = 0;
  for (uint32_t i = 0; i < parts; i++) {
    uint32_t size = ms_bitset_count(part[i].vertices);
    add_to_trace(cells, (uint64_t)c << 32 | (uint64_t)part[i].key << 8 | size);
    if (size > most) {
      most = size;
      largest = i;
      kept = part[i].vertices;
    }
  }
  cells->cell[c] = kept;
  for (uint32_t i = 0; i < parts; i++) {
    if (i != largest) {
      ms_bitset_add(&r->pending, cells->count);
      cells->cell[cells->count++] = part[i].vertices;
    }
  }
}

static void refine(refinement *r)
{
  ms_cells *cells = r->cells;
  while (!ms_bitset_is_empty(r->pending) && cells->count < r->shape->n) {
    uint32_t next = ms_bitset_first(r->pending), count = cells->count;
    ms_bitset splitter = cells->cell[next];
    ms_bitset_remove(&r->pending, next);
    add_to_trace(cells, next);
    for (uint32_t c = 0; c < count; c++)
      split_cell(r, c, splitter);
  }
}

void ms_cells_init(const ms_shape *shape, ms_bitset keep, ms_cells *cells)
{
  refinement r = {.shape = shape, .cells = cells};
  uint32_t first[MS_MAX_PATTERN]; /* [count] the smallest vertex of each cell */
  cells->count = 0;
  cells->trace = 0;
  for (uint32_t v = 0; v < shape->n; v++) {
    uint32_t c = 0;
    while (c < cells->count && (shape->kind[first[c]] != shape->kind[v] ||
                                ms_bitset_has(&keep, first[c]) != ms_bitset_has(&keep, v)))
      c++;
    if (c == cells->count) {
      first[c] = v;
      cells->cell[cells->count++] = (ms_bitset){{0}};
      ms_bitset_add(&r.pending, c);
    }
    ms_bitset_add(&cells->cell[c], v);
  }
  refine(&r);
}

void ms_cells_copy(const ms_cells *from, ms_cells *to)
{
  to->count = from->count;
  to->trace = from->trace;
  memcpy(to->cell, from->cell, from->count * sizeof *to->cell);
}

void ms_cells_individualise(const ms_shape *shape, const ms_cells *from, uint32_t c, uint32_t v,
                            ms_cells *to)
{
  refinement r = {.shape = shape, .cells = to};
  ms_cells_copy(from, to);
  ms_bitset_remove(&to->cell[c], v);
  if (ms_bitset_is_empty(to->cell[c])) {
    ms_bitset_add(&to->cell[c], v);
    return;
  }
  ms_bitset_add(&r.pending, to->count);
  to->cell[to->count++] = ms_bitset_of(v);
  refine(&r);
}

uint32_t ms_cells_of(const ms_cells *cells, uint32_t v)
{
  uint32_t c = 0;
  while (!ms_bitset_has(&cells->cell[c], v))
    c++;
  return c;
}

bool ms_cells_alike(const ms_cells *a, const ms_cells *b)
{
  if (a->count != b->count || a->trace != b->trace)
    return false;
  for (uint32_t c = 0; c < a->count; c++)
    if (ms_bitset_count(a->cell[c]) != ms_bitset_count(b->cell[c]))
      return false;
  return true;
}
