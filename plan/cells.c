/* Refinement takes one cell after the other, the splitter, and splits all
 * cells by the number of arcs to it and from it, until nothing more splits.
 * The largest part keeps the number of the cell.  It need not be a splitter if the cell
 * was one before (Hopcroft's rule), because its counts follow from the counts of the cell
 * and of the other parts. */
#include "plan/cells.h"

#include <string.h>

#define BIT(v) (UINT64_C(1) << (v))

typedef struct refinement {
  const ms_shape *shape;
  ms_arc_labels label;
  ms_cells *cells;
  uint64_t pending; /* bit c: cell c still has to be a splitter */
} refinement;

typedef struct piece {
  uint32_t key;
  uint64_t vertices;
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
static uint32_t key_of(const ms_shape *shape, ms_arc_labels label, uint32_t v, uint64_t splitter)
{
  uint32_t sum = 0;
  for (uint64_t rest = label ? ms_shape_near(shape, v) & splitter : 0; rest; rest &= rest - 1) {
    uint32_t mixed = label[v][__builtin_ctzll(rest)] * 0x9E3779B9u;
    sum += mixed ^ mixed >> 15;
  }
  if (label)
    return sum;
  uint32_t out = (uint32_t)__builtin_popcountll(shape->out[v] & splitter);
  if (!shape->directed)
    return out;
  return out * (MS_MAX_PATTERN + 1) + (uint32_t)__builtin_popcountll(shape->in[v] & splitter);
}

/* Divides a cell into parts, ascending by key. */
static uint32_t part_cell(const ms_shape *shape, ms_arc_labels label, uint64_t cell,
                          uint64_t splitter, piece part[MS_MAX_PATTERN])
{
  uint32_t parts = 0;
  for (uint64_t rest = cell; rest; rest &= rest - 1) {
    uint32_t v = (uint32_t)__builtin_ctzll(rest), key = key_of(shape, label, v, splitter);
    uint32_t at = parts;
    while (at > 0 && part[at - 1].key > key)
      at--;
    if (at > 0 && part[at - 1].key == key) {
      part[at - 1].vertices |= BIT(v);
      continue;
    }
    memmove(part + at + 1, part + at, (parts++ - at) * sizeof *part);
    part[at].key = key;
    part[at].vertices = BIT(v);
  }
  return parts;
}

static void split_cell(refinement *r, uint32_t c, uint64_t splitter)
{
  ms_cells *cells = r->cells;
  piece part[MS_MAX_PATTERN];
  uint32_t parts = part_cell(r->shape, r->label, cells->cell[c], splitter, part), largest = 0;
  uint64_t kept = 0;
  int most = 0;
  for (uint32_t i = 0; i < parts; i++) {
    int size = __builtin_popcountll(part[i].vertices);
    add_to_trace(cells, (uint64_t)c << 32 | (uint64_t)part[i].key << 8 | (uint64_t)size);
    if (size > most) {
      most = size;
      largest = i;
      kept = part[i].vertices;
    }
  }
  cells->cell[c] = kept;
  for (uint32_t i = 0; i < parts; i++) {
    if (i != largest) {
      r->pending |= BIT(cells->count);
      cells->cell[cells->count++] = part[i].vertices;
    }
  }
}

static void refine(refinement *r)
{
  ms_cells *cells = r->cells;
  while (r->pending && cells->count < r->shape->n) {
    uint32_t next = (uint32_t)__builtin_ctzll(r->pending), count = cells->count;
    uint64_t splitter = cells->cell[next];
    r->pending &= r->pending - 1;
    add_to_trace(cells, next);
    for (uint32_t c = 0; c < count; c++)
      split_cell(r, c, splitter);
  }
}

void ms_cells_init(const ms_shape *shape, ms_arc_labels label, uint64_t keep, ms_cells *cells)
{
  refinement r = {shape, label, cells, 0};
  uint32_t first[MS_MAX_PATTERN]; /* [count] the smallest vertex of each cell */
  cells->count = 0;
  cells->trace = 0;
  for (uint32_t v = 0; v < shape->n; v++) {
    uint32_t c = 0;
    while (c < cells->count &&
           (shape->kind[first[c]] != shape->kind[v] || ((keep >> first[c] ^ keep >> v) & 1)))
      c++;
    if (c == cells->count) {
      first[c] = v;
      cells->cell[cells->count++] = 0;
      r.pending |= BIT(c);
    }
    cells->cell[c] |= BIT(v);
  }
  refine(&r);
}

void ms_cells_individualise(const ms_shape *shape, ms_arc_labels label, const ms_cells *from,
                            uint32_t c, uint32_t v, ms_cells *to)
{
  refinement r = {shape, label, to, 0};
  to->count = from->count;
  to->trace = from->trace;
  memcpy(to->cell, from->cell, from->count * sizeof *to->cell);
  if (to->cell[c] == BIT(v))
    return;
  to->cell[c] &= ~BIT(v);
  r.pending = BIT(to->count);
  to->cell[to->count++] = BIT(v);
  refine(&r);
}

uint32_t ms_cells_of(const ms_cells *cells, uint32_t v)
{
  uint32_t c = 0;
  while (!(cells->cell[c] >> v & 1))
    c++;
  return c;
}

bool ms_cells_alike(const ms_cells *a, const ms_cells *b)
{
  if (a->count != b->count || a->trace != b->trace)
    return false;
  for (uint32_t c = 0; c < a->count; c++) {
    if (__builtin_popcountll(a->cell[c]) != __builtin_popcountll(b->cell[c]))
      return false;
  }
  return true;
}
