/* The chain is found from its end: generators of level i + 1 are known when the
 * orbit of base[i] is searched for.  A point x of its cell is tried once for all
 * points of its orbit under the generators so far.  Either some automorphism of
 * the level maps base[i] to x; it is a new generator and merges two orbits, so
 * there are at most n - 1 generators.  Or the whole orbit of x is ruled out
 * (Sims; McKay 1981; Leon 1991).
 *
 * One try is a search for an automorphism.  Two partitions are refined side by
 * side, with base[0..i] fixed on one side, and base[0..i-1] and x on the other.
 * As long as they are alike, a vertex v of the smallest cell with more than one
 * vertex is moved to a new cell, and on the other side each vertex of that cell
 * in turn.  The choice of the smallest cell keeps the search inside one component
 * until this component is mapped, so a map that fails there fails before any
 * other component is examined. */
#include "plan/automorphisms.h"

#include "base/alloc.h"
#include "base/status.h"

#include <string.h>

#define BIT(v) (UINT64_C(1) << (v))

typedef struct chain {
  const ms_shape *shape;
  ms_arc_labels label;
  ms_group *group;
  uint32_t n, levels; /* only levels below `levels` may have orbits of more than one point */
  uint64_t orbit[MS_MAX_PATTERN]; /* [n] orbit of v under the generators */
  uint32_t generators;
  uint8_t generator[MS_MAX_PATTERN][MS_MAX_PATTERN]; /* [generators][n] */
  ms_cells fixed[MS_MAX_PATTERN + 1]; /* [levels + 1] the cells with base[0..i-1] fixed */
  ms_cells path[MS_MAX_PATTERN + 1];  /* [walked] how a search continues from fixed[i + 1] */
  uint8_t split[MS_MAX_PATTERN];      /* [walked - 1] the cell of path[d] that is split next */
  uint32_t walked;
} chain;

static uint32_t lowest(uint64_t set)
{
  return (uint32_t)__builtin_ctzll(set);
}

/* ---- the search for one automorphism -----------------------------------------------------------
 */

static uint64_t image(const uint8_t *map, uint64_t set)
{
  uint64_t to = 0;
  for (; set; set &= set - 1)
    to |= BIT(map[lowest(set)]);
  return to;
}

static bool keeps_labels(const ms_shape *shape, ms_arc_labels label, uint32_t v, const uint8_t *map)
{
  for (uint64_t rest = ms_shape_near(shape, v); rest; rest &= rest - 1)
    if (label[map[v]][map[lowest(rest)]] != label[v][lowest(rest)])
      return false;
  return true;
}

static bool is_automorphism(const ms_shape *shape, ms_arc_labels label, const uint8_t *map)
{
  for (uint32_t v = 0; v < shape->n; v++) {
    if (shape->out[map[v]] != image(map, shape->out[v]))
      return false;
    if (label && !keeps_labels(shape, label, v, map))
      return false;
  }
  return true; /* `in` holds the same arcs; cells keep the kinds */
}

/* Reads the map from cell to cell if every cell is a single vertex, or the same
 * set on both sides; the vertices of such a set stay where they are. */
static bool read_map(const ms_cells *from, const ms_cells *to, uint8_t *map)
{
  for (uint32_t c = 0; c < from->count; c++) {
    uint64_t cell = from->cell[c];
    if (!(cell & (cell - 1))) {
      map[lowest(cell)] = (uint8_t)lowest(to->cell[c]);
      continue;
    }
    if (cell != to->cell[c])
      return false;
    for (; cell; cell &= cell - 1)
      map[lowest(cell)] = (uint8_t)lowest(cell);
  }
  return true;
}

static uint32_t smallest_cell(const ms_cells *cells)
{
  uint32_t best = 0;
  int least = MS_MAX_PATTERN + 1;
  for (uint32_t c = 0; c < cells->count; c++) {
    int size = __builtin_popcountll(cells->cell[c]);
    if (size > 1 && size < least) {
      least = size;
      best = c;
    }
  }
  return best;
}

/* Makes path[depth + 1], once for all searches of a level. */
static void extend_path(chain *k, uint32_t depth)
{
  const ms_cells *from = &k->path[depth];
  if (depth + 1 < k->walked)
    return;
  k->split[depth] = (uint8_t)smallest_cell(from);
  ms_cells_individualise(k->shape, k->label, from, k->split[depth],
                         lowest(from->cell[k->split[depth]]), &k->path[depth + 1]);
  k->walked = depth + 2;
}

/* Finds an automorphism from path[depth] to `to`, cell by cell.  Recursion is at most n
 * deep. */
static bool find_map(chain *k, uint32_t depth, const ms_cells *to, uint8_t *map)
{
  const ms_cells *from = &k->path[depth];
  if (!ms_cells_alike(from, to))
    return false;
  if (read_map(from, to, map) && is_automorphism(k->shape, k->label, map))
    return true;
  if (from->count == k->n)
    return false;
  extend_path(k, depth);
  uint32_t c = k->split[depth], v = lowest(from->cell[c]);
  uint64_t still = to->cell[c] & BIT(v), rest = to->cell[c] & ~BIT(v);
  ms_cells next;
  /* try to keep vertices in place first: such maps are found with little search */
  while (still | rest) {
    uint32_t w = lowest(still ? still : rest);
    ms_cells_individualise(k->shape, k->label, to, c, w, &next);
    if (find_map(k, depth + 1, &next, map))
      return true;
    rest = still ? rest : rest & (rest - 1);
    still = 0;
  }
  return false;
}

/* ---- the chain ------------------------------------------------------------- */

static void add_generator(chain *k, const uint8_t *map)
{
  memcpy(k->generator[k->generators++], map, k->n);
  for (uint32_t v = 0; v < k->n; v++) {
    uint64_t merged = k->orbit[v] | k->orbit[map[v]];
    for (uint64_t rest = merged == k->orbit[v] ? 0 : merged; rest; rest &= rest - 1)
      k->orbit[lowest(rest)] = merged;
  }
}

/* Finds automorphisms that take base[level] to every point of its orbit. */
static void find_orbit(chain *k, uint32_t level)
{
  const ms_cells *fixed = &k->fixed[level];
  uint32_t b = k->group->base[level], c = ms_cells_of(fixed, b);
  uint8_t map[MS_MAX_PATTERN];
  ms_cells to;
  k->path[0] = k->fixed[level + 1];
  k->walked = 1;
  uint64_t out = 0; /* points outside the orbit of base[level] */
  for (uint64_t rest = fixed->cell[c]; rest; rest &= rest - 1) {
    uint32_t x = lowest(rest);
    if ((k->orbit[x] & out) || (k->orbit[b] >> x & 1))
      continue;
    ms_cells_individualise(k->shape, k->label, fixed, c, x, &to);
    if (find_map(k, 0, &to, map))
      add_generator(k, map);
    else
      out |= BIT(x);
  }
}

/* Fills moves[x] for every point x of the orbit, by products of generators. */
static ms_status fill_moves(chain *k, uint32_t level, ms_error *err)
{
  ms_group *group = k->group;
  uint32_t b = group->base[level];
  uint64_t reached = BIT(b);
  uint8_t queue[MS_MAX_PATTERN];
  uint32_t queued = 0;
  group->orbit[level] = k->orbit[b];
  if (k->orbit[b] == reached)
    return MS_OK;
  uint8_t(*move)[MS_MAX_PATTERN] = ms_alloc(k->n, sizeof *move);
  if (!move)
    return ms_fail_memory(err, "the pattern's automorphisms");
  group->move[level] = move;
  for (uint32_t v = 0; v < k->n; v++)
    move[b][v] = (uint8_t)v;
  queue[queued++] = (uint8_t)b;
  for (uint32_t head = 0; head < queued; head++) {
    for (uint32_t g = 0; g < k->generators; g++) {
      uint32_t x = k->generator[g][queue[head]];
      if (reached >> x & 1)
        continue;
      for (uint32_t v = 0; v < k->n; v++)
        move[x][v] = k->generator[g][move[queue[head]][v]];
      reached |= BIT(x);
      queue[queued++] = (uint8_t)x;
    }
  }
  return MS_OK;
}

static ms_status find_chain(chain *k, uint64_t keep, ms_error *err)
{
  ms_status status = MS_OK;
  ms_cells_init(k->shape, k->label, keep, &k->fixed[0]);
  for (k->levels = 0; k->fixed[k->levels].count < k->n; k->levels++) {
    const ms_cells *fixed = &k->fixed[k->levels];
    uint32_t b = k->group->base[k->levels];
    ms_cells_individualise(k->shape, k->label, fixed, ms_cells_of(fixed, b), b,
                           &k->fixed[k->levels + 1]);
  }
  for (uint32_t v = 0; v < k->n; v++)
    k->orbit[v] = BIT(v);
  for (uint32_t level = k->levels; level-- > 0 && status == MS_OK;) {
    find_orbit(k, level);
    status = fill_moves(k, level, err);
  }
  return status;
}

ms_status ms_group_new(const ms_shape *shape, const uint8_t *base, uint64_t keep, ms_group **out,
                       ms_error *err)
{
  return ms_group_of_labels(shape, NULL, base, keep, out, err);
}

ms_status ms_group_of_labels(const ms_shape *shape, ms_arc_labels label, const uint8_t *base,
                             uint64_t keep, ms_group **out, ms_error *err)
{
  ms_status status;
  *out = NULL;
  ms_group *group = ms_calloc(1, sizeof *group);
  chain *k = ms_alloc(1, sizeof *k);
  if (!group || !k) {
    status = ms_fail_memory(err, "the pattern's automorphisms");
    goto done;
  }
  k->shape = shape;
  k->label = label;
  k->group = group;
  k->n = group->n = shape->n;
  k->generators = 0;
  for (uint32_t i = 0; i < shape->n; i++) {
    group->base[i] = base ? base[i] : (uint8_t)i;
    group->orbit[i] = BIT(group->base[i]);
  }
  status = find_chain(k, keep, err);
  if (status == MS_OK) {
    *out = group;
    group = NULL;
  }
done:
  ms_group_free(group);
  ms_free(k);
  return status;
}

void ms_group_free(ms_group *group)
{
  if (group) {
    for (uint32_t i = 0; i < group->n; i++)
      ms_free(group->move[i]);
    ms_free(group);
  }
}

void ms_group_order(const ms_group *group, mpz_t order)
{
  mpz_set_ui(order, 1);
  for (uint32_t i = 0; i < group->n; i++)
    mpz_mul_ui(order, order, (unsigned long)__builtin_popcountll(group->orbit[i]));
}

void ms_group_smallest(const ms_group *group, uint32_t *row)
{
  uint32_t moved[MS_MAX_PATTERN];
  for (uint32_t i = 0; i < group->n; i++) {
    uint32_t best = i;
    for (uint64_t rest = group->orbit[i] & ~BIT(i); rest; rest &= rest - 1)
      best = row[lowest(rest)] < row[best] ? lowest(rest) : best;
    if (best == i)
      continue;
    const uint8_t *move = group->move[i][best];
    for (uint32_t v = 0; v < group->n; v++)
      moved[v] = row[move[v]];
    memcpy(row, moved, group->n * sizeof *row);
  }
}

/* Rows of a class that are equal up to the current level. */
typedef struct ties {
  uint32_t count;
  uint32_t row[MS_GROUP_TIES][MS_MAX_PATTERN];
} ties;

static void add_tie(ties *t, const uint32_t *row, uint32_t n)
{
  for (uint32_t r = 0; r < t->count; r++)
    if (memcmp(t->row[r], row, n * sizeof *row) == 0)
      return;
  if (t->count < MS_GROUP_TIES)
    memcpy(t->row[t->count++], row, n * sizeof *row);
}

static uint32_t least_at(const ties *t, uint64_t orbit)
{
  uint32_t least = UINT32_MAX;
  for (uint32_t r = 0; r < t->count; r++)
    for (uint64_t rest = orbit; rest; rest &= rest - 1)
      least = t->row[r][lowest(rest)] < least ? t->row[r][lowest(rest)] : least;
  return least;
}

/* Applies level i to all rows, and keeps the rows that are smallest there. */
static void apply_level(const ms_group *group, uint32_t i, const ties *from, ties *to)
{
  uint32_t moved[MS_MAX_PATTERN], least = least_at(from, group->orbit[i]);
  to->count = 0;
  for (uint32_t r = 0; r < from->count; r++)
    for (uint64_t rest = group->orbit[i]; rest; rest &= rest - 1) {
      uint32_t x = lowest(rest);
      if (from->row[r][x] != least)
        continue;
      for (uint32_t v = 0; v < group->n; v++)
        moved[v] = from->row[r][x == i ? v : group->move[i][x][v]];
      add_tie(to, moved, group->n);
    }
}

void ms_group_smallest_of_any(const ms_group *group, uint32_t *row)
{
  ties t[2];
  uint32_t now = 0;
  t[0].count = 0;
  add_tie(&t[0], row, group->n);
  for (uint32_t i = 0; i < group->n; i++, now = !now)
    apply_level(group, i, &t[now], &t[!now]);
  memcpy(row, t[now].row[0], group->n * sizeof *row);
}
