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

typedef struct chain {
  const ms_shape *shape;
  ms_group *group;
  uint32_t n, levels; /* only levels below `levels` may have orbits of more than one point */
  ms_bitset orbit[MS_MAX_PATTERN]; /* [n] orbit of v under the generators */
  uint32_t generators;
  uint8_t *generator;                 /* [generators][n] */
  ms_cells fixed[MS_MAX_PATTERN + 1]; /* [levels + 1] the cells with base[0..i-1] fixed */
  ms_cells path[MS_MAX_PATTERN + 1];  /* [walked] how a search continues from fixed[i + 1] */
  ms_cells image[MS_MAX_PATTERN + 1]; /* [walked] the other side of the search */
  uint8_t split[MS_MAX_PATTERN];      /* [walked - 1] the cell of path[d] that is split next */
  uint32_t walked;
  ms_bitset *cells; /* the memory of all cells */
} chain;

/* ---- the search for one automorphism -----------------------------------------------------------
 */

/* Returns the image of a set under a map that moves the vertices of `moved` only. */
static ms_bitset image(const uint8_t *map, ms_bitset moved, ms_bitset set)
{
  ms_bitset to = ms_bitset_minus(set, moved), rest = ms_bitset_and(set, moved);
  MS_EACH_MEMBER (v, rest)
    ms_bitset_add(&to, map[v]);
  return to;
}

static bool keeps_labels(const ms_shape *shape, uint32_t v, const uint8_t *map)
{
  ms_bitset near = ms_shape_near(shape, v);
  MS_EACH_MEMBER (w, near)
    if (shape->label[map[v]][map[w]] != shape->label[v][w])
      return false;
  return true;
}

static bool is_automorphism(const ms_shape *shape, const uint8_t *map)
{
  ms_bitset moved = {{0}};
  for (uint32_t v = 0; v < shape->n; v++)
    if (map[v] != v)
      ms_bitset_add(&moved, v);
  for (uint32_t v = 0; v < shape->n; v++) {
    if (!ms_bitset_equal(shape->out[map[v]], image(map, moved, shape->out[v])))
      return false;
    if (shape->label && !keeps_labels(shape, v, map))
      return false;
  }
  return true; /* `in` holds the same arcs; cells keep the kinds */
}

/* Reads the map from cell to cell if every cell is a single vertex, or the same
 * set on both sides; the vertices of such a set stay where they are. */
static bool read_map(const ms_cells *from, const ms_cells *to, uint8_t *map)
{
  for (uint32_t c = 0; c < from->count; c++) {
    ms_bitset cell = from->cell[c];
    bool same = ms_bitset_equal(cell, to->cell[c]);
    uint32_t first = ms_bitset_first(cell);
    if (!same && ms_bitset_next(&cell, first + 1) < MS_BITSET_SIZE)
      return false;
    map[first] = (uint8_t)ms_bitset_first(to->cell[c]);
    MS_EACH_MEMBER (v, cell)
      map[v] = same ? (uint8_t)v : map[v];
  }
  return true;
}

static uint32_t smallest_cell(const ms_cells *cells)
{
  uint32_t best = 0;
  uint32_t least = MS_MAX_PATTERN + 1;
  for (uint32_t c = 0; c < cells->count; c++) {
    uint32_t size = ms_bitset_count(cells->cell[c]);
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
  ms_cells_individualise(k->shape, from, k->split[depth],
                         ms_bitset_first(from->cell[k->split[depth]]), &k->path[depth + 1]);
  k->walked = depth + 2;
}

/* Finds an automorphism from path[depth] to image[depth], cell by cell.  Recursion is at most n
 * deep. */
static bool find_map(chain *k, uint32_t depth, uint8_t *map)
{
  const ms_cells *from = &k->path[depth], *to = &k->image[depth];
  if (!ms_cells_alike(from, to))
    return false;
  if (read_map(from, to, map) && is_automorphism(k->shape, map))
    return true;
  if (from->count == k->n)
    return false;
  extend_path(k, depth);
  uint32_t c = k->split[depth], v = ms_bitset_first(from->cell[c]);
  ms_bitset rest = to->cell[c];
  /* try to keep vertices in place first: such maps are found with little search */
  for (uint32_t w = ms_bitset_has(&rest, v) ? v : ms_bitset_first(rest); w < MS_BITSET_SIZE;
       w = ms_bitset_first(rest)) {
    ms_cells_individualise(k->shape, to, c, w, &k->image[depth + 1]);
    if (find_map(k, depth + 1, map))
      return true;
    ms_bitset_remove(&rest, w);
  }
  return false;
}

/* ---- the chain ------------------------------------------------------------- */

static void add_generator(chain *k, const uint8_t *map)
{
  memcpy(k->generator + k->generators++ * k->n, map, k->n);
  for (uint32_t v = 0; v < k->n; v++) {
    ms_bitset merged = ms_bitset_or(k->orbit[v], k->orbit[map[v]]);
    if (!ms_bitset_equal(merged, k->orbit[v]))
      MS_EACH_MEMBER (w, merged)
        k->orbit[w] = merged;
  }
}

/* Finds automorphisms that take base[level] to every point of its orbit. */
static void find_orbit(chain *k, uint32_t level)
{
  const ms_cells *fixed = &k->fixed[level];
  uint32_t b = k->group->base[level], c = ms_cells_of(fixed, b);
  uint8_t map[MS_MAX_PATTERN];
  ms_cells_copy(&k->fixed[level + 1], &k->path[0]);
  k->walked = 1;
  ms_bitset out = {{0}}; /* points outside the orbit of base[level] */
  MS_EACH_MEMBER (x, fixed->cell[c]) {
    if (ms_bitset_meets(k->orbit[x], out) || ms_bitset_has(&k->orbit[b], x))
      continue;
    ms_cells_individualise(k->shape, fixed, c, x, &k->image[0]);
    if (find_map(k, 0, map))
      add_generator(k, map);
    else
      ms_bitset_add(&out, x);
  }
}

/* Fills moves[x] for every point x of the orbit, by products of generators. */
static ms_status fill_moves(chain *k, uint32_t level, ms_error *err)
{
  ms_group *group = k->group;
  uint32_t b = group->base[level];
  ms_bitset reached = ms_bitset_of(b);
  uint8_t queue[MS_MAX_PATTERN];
  uint32_t queued = 0;
  group->orbit[level] = k->orbit[b];
  if (ms_bitset_equal(k->orbit[b], reached))
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
      const uint8_t *generator = k->generator + g * k->n;
      uint32_t x = generator[queue[head]];
      if (ms_bitset_has(&reached, x))
        continue;
      for (uint32_t v = 0; v < k->n; v++)
        move[x][v] = generator[move[queue[head]][v]];
      ms_bitset_add(&reached, x);
      queue[queued++] = (uint8_t)x;
    }
  }
  return MS_OK;
}

static ms_status find_chain(chain *k, ms_bitset keep, ms_error *err)
{
  ms_status status = MS_OK;
  ms_cells_init(k->shape, keep, &k->fixed[0]);
  for (k->levels = 0; k->fixed[k->levels].count < k->n; k->levels++) {
    const ms_cells *fixed = &k->fixed[k->levels];
    uint32_t b = k->group->base[k->levels];
    ms_cells_individualise(k->shape, fixed, ms_cells_of(fixed, b), b, &k->fixed[k->levels + 1]);
  }
  for (uint32_t v = 0; v < k->n; v++)
    k->orbit[v] = ms_bitset_of(v);
  for (uint32_t level = k->levels; level-- > 0 && status == MS_OK;) {
    find_orbit(k, level);
    status = fill_moves(k, level, err);
  }
  return status;
}

/* ---- groups whose smallest rows ascend --------------------------------------------------------
 */

/* Sets first[v] to the first vertex of the orbit of v.  The base is 0, 1, .. */
static void find_orbits(const ms_group *group, uint8_t *first)
{
  bool known[MS_MAX_PATTERN] = {false};
  for (uint32_t i = 0; i < group->n; i++)
    if (!known[i])
      MS_EACH_MEMBER (x, group->orbit[i]) {
        first[x] = (uint8_t)i;
        known[x] = true;
      }
}

static bool has_usual_base(const ms_group *group)
{
  uint32_t i = 0;
  while (i < group->n && group->base[i] == i)
    i++;
  return i == group->n;
}

/* True if the base is 0, 1, .. and the group has all permutations that keep each of its orbits: its
 * members keep sets of vertices, and it has as many members as there are such permutations.  The
 * order of the group is the product of the sizes of orbit[i].  That of the permutations is the
 * product, over all i, of the number of vertices from i on in the set of i. */
static bool keeps_orbits_alone(const ms_group *group)
{
  uint8_t first[MS_MAX_PATTERN];
  uint32_t left[MS_MAX_PATTERN] = {0}; /* of the set that begins here */
  if (!has_usual_base(group))
    return false;
  find_orbits(group, first);
  for (uint32_t i = 0; i < group->n; i++)
    left[first[i]]++;
  for (uint32_t i = 0; i < group->n; i++) {
    if (ms_bitset_count(group->orbit[i]) != left[first[i]]--)
      return false;
    if (group->move[i])
      MS_EACH_MEMBER (x, group->orbit[i])
        for (uint32_t v = 0; x != i && v < group->n; v++)
          if (first[group->move[i][x][v]] != first[v])
            return false;
  }
  return true;
}

/* Lists the exchanges of adjacent places of each orbit that sort it, the least vertex first.
 * Returns false if they are too many. */
static bool list_exchanges(ms_group *group)
{
  for (uint32_t i = 0; i < group->n; i++) {
    uint8_t place[MS_MAX_PATTERN];
    uint32_t places = 0;
    MS_EACH_MEMBER (x, group->orbit[i]) /* those of the orbit from i on */
      place[places++] = (uint8_t)x;
    for (uint32_t a = places - 1; a > 0; a--) {
      if (group->exchanges == MS_GROUP_EXCHANGES)
        return false;
      group->exchange[group->exchanges][0] = place[a - 1];
      group->exchange[group->exchanges++][1] = place[a];
    }
  }
  return true;
}

/* ---- making a group ----------------------------------------------------------------------------
 */

/* Allocates the cells and the generators.  There are at most n - 1 of these, and no search goes
 * deeper than n. */
static bool chain_alloc(chain *k)
{
  size_t n = k->n;
  k->generator = ms_alloc(n, n);
  k->cells = ms_alloc(3 * (n + 1) * n, sizeof *k->cells);
  for (size_t i = 0; k->cells && i <= n; i++) {
    k->fixed[i].cell = k->cells + i * n;
    k->path[i].cell = k->cells + (n + 1 + i) * n;
    k->image[i].cell = k->cells + (2 * (n + 1) + i) * n;
  }
  return k->generator && k->cells;
}

ms_status ms_group_new(const ms_shape *shape, const uint8_t *base, ms_bitset keep, ms_group **out,
                       ms_error *err)
{
  ms_status status;
  *out = NULL;
  ms_group *group = ms_calloc(1, sizeof *group);
  chain *k = ms_alloc(1, sizeof *k);
  if (k) {
    k->shape = shape;
    k->group = group;
    k->n = shape->n;
    k->generators = 0;
    k->generator = NULL;
    k->cells = NULL;
  }
  if (!group || !k || !chain_alloc(k)) {
    status = ms_fail_memory(err, "the pattern's automorphisms");
    goto done;
  }
  group->n = shape->n;
  for (uint32_t i = 0; i < shape->n; i++) {
    group->base[i] = base ? base[i] : (uint8_t)i;
    group->orbit[i] = ms_bitset_of(group->base[i]);
  }
  status = find_chain(k, keep, err);
  if (status == MS_OK) {
    group->sorts = keeps_orbits_alone(group) && list_exchanges(group);
    *out = group;
    group = NULL;
  }
done:
  ms_group_free(group);
  if (k) {
    ms_free(k->generator);
    ms_free(k->cells);
  }
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
    mpz_mul_ui(order, order, ms_bitset_count(group->orbit[i]));
}

void ms_group_smallest(const ms_group *group, uint32_t *row)
{
  uint32_t moved[2][MS_MAX_PATTERN], n = group->n, words = (n + 63) / 64, side = 0;
  const uint32_t *from = row;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t best = i, least = from[i];
    for (uint32_t w = 0; group->move[i] && w < words; w++) /* most patterns have one word */
      for (uint64_t left = group->orbit[i].word[w]; left; left &= left - 1) {
        uint32_t x = 64 * w + (uint32_t)__builtin_ctzll(left);
        best = from[x] < least ? x : best;
        least = from[x] < least ? from[x] : least;
      }
    if (group->move[i]) {
      /* The vertices up to i are not read any more.  They also move if the smallest one is in its
       * place, since nobody could predict a branch. */
      const uint8_t *move = group->move[i][best];
      for (uint32_t v = i + 1; v < n; v++)
        moved[side][v] = from[move[v]];
      from = moved[side];
      side = !side;
    }
    row[i] = least; /* to copy a whole row would have to wait until its vertices are stored */
  }
}

void ms_group_smallest_rows(const ms_group *group, uint32_t *rows, uint64_t count)
{
  for (uint64_t r = 0; !group->sorts && r < count; r++)
    ms_group_smallest(group, rows + r * group->n);
  for (uint32_t e = 0; group->sorts && e < group->exchanges; e++) {
    uint32_t *a = rows + group->exchange[e][0], *b = rows + group->exchange[e][1];
    for (uint64_t r = 0; r < count; r++, a += group->n, b += group->n) {
      uint32_t x = *a, y = *b;
      *a = x < y ? x : y; /* without a branch */
      *b = x < y ? y : x;
    }
  }
}

/* Rows of a class that are equal up to the current level. */
typedef struct ties {
  uint32_t n, count;
  uint32_t *entry; /* [count][n] */
} ties;

static void add_tie(ties *t, const uint32_t *row)
{
  uint32_t n = t->n;
  for (uint32_t r = 0; r < t->count; r++)
    if (memcmp(t->entry + r * n, row, n * sizeof *row) == 0)
      return;
  if (t->count < MS_GROUP_TIES && (t->count + 1) * n <= MS_GROUP_TIE_ENTRIES)
    memcpy(t->entry + t->count++ * n, row, n * sizeof *row);
}

static uint32_t least_at(const ties *t, ms_bitset orbit)
{
  uint32_t least = UINT32_MAX;
  for (uint32_t r = 0; r < t->count; r++)
    MS_EACH_MEMBER (x, orbit)
      least = t->entry[r * t->n + x] < least ? t->entry[r * t->n + x] : least;
  return least;
}

/* Applies level i to all rows, and keeps the rows that are smallest there. */
static void apply_level(const ms_group *group, uint32_t i, const ties *from, ties *to)
{
  uint32_t moved[MS_MAX_PATTERN], least = least_at(from, group->orbit[i]);
  to->count = 0;
  for (uint32_t r = 0; r < from->count; r++)
    MS_EACH_MEMBER (x, group->orbit[i]) {
      const uint32_t *row = from->entry + r * from->n;
      if (row[x] != least)
        continue;
      for (uint32_t v = 0; v < group->n; v++)
        moved[v] = row[x == i ? v : group->move[i][x][v]];
      add_tie(to, moved);
    }
}

bool ms_group_smallest_of_any(const ms_group *group, uint32_t *row)
{
  uint32_t now = 0, all = MS_GROUP_TIES * group->n;
  uint32_t room = all < MS_GROUP_TIE_ENTRIES ? all : MS_GROUP_TIE_ENTRIES;
  uint32_t *entry = ms_alloc(room, 2 * sizeof *entry);
  if (!entry)
    return false;
  ties t[2] = {{.n = group->n, .entry = entry}, {.n = group->n, .entry = entry + room}};
  add_tie(&t[0], row);
  for (uint32_t i = 0; i < group->n; i++, now = !now)
    apply_level(group, i, &t[now], &t[!now]);
  memcpy(row, t[now].entry, group->n * sizeof *row);
  ms_free(entry);
  return true;
}
