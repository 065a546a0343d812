#include "bench/sieve/planted.h"

#include "base/status.h"
#include "graph/generate/generate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_EDGES = PLANTED_MOST_VERTICES * (PLANTED_MOST_VERTICES - 1) / 2, MOST_REDRAWN = 1000 };

/* ---- names, numbers ------------------------------------------------------- */

const char *planted_host_name(planted_host host)
{
  static const char *const names[PLANTED_HOSTS] = {
      "regular",     "power-law", "er",          "grid", "clique", "path-end", "path-middle",
      "star-centre", "star-leaf", "binary-root", "tree", "cycle",  "layers"};
  return names[host];
}

const char *planted_motif_name(planted_motif motif)
{
  static const char *const names[PLANTED_MOTIFS] = {"distinct", "pairs", "one"};
  return names[motif];
}

uint32_t planted_colors(planted_motif motif, uint32_t k)
{
  return motif == PLANTED_DISTINCT ? k : motif == PLANTED_PAIRS ? (k + 1) / 2 : 1;
}

uint64_t planted_mix(uint64_t x)
{
  x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
  x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
  return x ^ x >> 31;
}

static uint64_t next(uint64_t *state)
{
  return planted_mix(*state += UINT64_C(0x9E3779B97F4A7C15));
}

/* Returns a number that is uniform on 0..limit-1 up to a bias of 2^-32. */
static uint32_t below(uint64_t *state, uint32_t limit)
{
  return (uint32_t)((next(state) >> 32) * limit >> 32);
}

static uint64_t bit(uint32_t v)
{
  return UINT64_C(1) << v;
}

static uint64_t first(uint32_t n)
{
  return n == 64 ? UINT64_MAX : bit(n) - 1;
}

static uint32_t size_of(uint64_t set)
{
  return (uint32_t)__builtin_popcountll(set);
}

static uint32_t lowest(uint64_t set)
{
  return (uint32_t)__builtin_ctzll(set);
}

/* Returns a uniform element of a set that is not empty. */
static uint32_t pick(uint64_t set, uint64_t *state)
{
  for (uint32_t skip = below(state, size_of(set)); skip > 0; skip--)
    set &= set - 1;
  return lowest(set);
}

static void shuffle(uint32_t *a, uint32_t count, uint64_t *state)
{
  for (uint32_t i = count; i > 1; i--) {
    uint32_t j = below(state, i), other = a[i - 1];
    a[i - 1] = a[j];
    a[j] = other;
  }
}

/* Returns all neighbours of a set that are not in it. */
static uint64_t around(const planted_case *c, uint64_t set)
{
  uint64_t reached = 0;
  for (uint64_t rest = set; rest; rest &= rest - 1)
    reached |= c->adjacent[lowest(rest)];
  return reached & ~set;
}

/* ---- graphs ---------------------------------------------------------------- */

static void join(planted_case *c, uint32_t u, uint32_t v)
{
  if (u == v)
    return;
  c->adjacent[u] |= bit(v);
  c->adjacent[v] |= bit(u);
}

static ms_status build_graph(planted_case *c, ms_error *err)
{
  uint32_t edge[MOST_EDGES][2];
  uint64_t m = 0;
  for (uint32_t u = 0; u < c->n; u++)
    for (uint64_t rest = c->adjacent[u] & ~first(u); rest; rest &= rest - 1) {
      edge[m][0] = u;
      edge[m++][1] = lowest(rest);
    }
  ms_graph_free(c->graph);
  c->graph = NULL;
  return ms_graph_from_edges(c->n, m, (const uint32_t(*)[2])edge, NULL, &c->graph, err);
}

static ms_status draw_graph(planted_case *c, uint64_t *state, ms_error *err)
{
  ms_generate_options o = {
      .vertices = c->n, .degree = 4, .run.threads = 1, .run.seed = next(state)};
  o.run.memory = 1 << 20;
  o.given = MS_GEN_VERTICES | MS_GEN_DEGREE;
  switch (c->setting.host) {
  case PLANTED_REGULAR:
    o.family = MS_FAMILY_REGULAR;
    break;
  case PLANTED_POWER_LAW:
    o.family = MS_FAMILY_POWER_LAW;
    o.given |= MS_GEN_EXPONENT | MS_GEN_MIN_DEGREE;
    o.exponent = -1.5;
    o.min_degree = 2;
    break;
  case PLANTED_GRID:
    o.family = MS_FAMILY_GRID;
    o.given = MS_GEN_ROWS | MS_GEN_COLS | MS_GEN_REMOVED | MS_GEN_DIAGONALS;
    o.rows = c->n / 8;
    o.cols = 8;
    o.removed = o.diagonals = 0.1;
    break;
  default:
    o.family = MS_FAMILY_ER;
  }
  ms_graph_free(c->graph);
  c->graph = NULL;
  ms_status status = ms_generate_graph(&o, &c->graph, err);
  for (uint32_t v = 0; v < c->n && status == MS_OK; v++) {
    uint32_t degree;
    const uint32_t *neighbor = ms_graph_neighbors(c->graph, v, &degree);
    c->adjacent[v] = 0;
    for (uint32_t i = 0; i < degree; i++)
      c->adjacent[v] |= bit(neighbor[i]);
  }
  return status;
}

/* Returns a set of k vertices that grows from a random vertex along random edges that leave it; 0
 * if its component is smaller. */
static uint64_t grow(const planted_case *c, uint64_t *state)
{
  uint64_t set = bit(below(state, c->n));
  while (size_of(set) < c->setting.k) {
    uint32_t total = 0;
    for (uint64_t rest = set; rest; rest &= rest - 1)
      total += size_of(c->adjacent[lowest(rest)] & ~set);
    if (total == 0)
      return 0;
    uint32_t edge = below(state, total);
    for (uint64_t rest = set; rest; rest &= rest - 1) {
      uint64_t leaving = c->adjacent[lowest(rest)] & ~set;
      if (edge >= size_of(leaving)) {
        edge -= size_of(leaving);
        continue;
      }
      set |= bit(pick(leaving, state));
      break;
    }
  }
  return set;
}

static ms_status plant_in_family(planted_case *c, uint64_t *state, ms_error *err)
{
  ms_status status = MS_OK;
  for (c->redrawn = 0; status == MS_OK; c->redrawn++) {
    status = draw_graph(c, state, err);
    if (status == MS_OK && (c->core = grow(c, state)) != 0)
      break;
    if (c->redrawn == MOST_REDRAWN)
      return ms_fail(err, MS_ERR_USAGE, "no connected set of %u vertices in %u graphs of family %s",
                     c->setting.k, c->redrawn, planted_host_name(c->setting.host));
  }
  if (status != MS_OK)
    return status;
  c->vertex = pick(c->core, state);
  if (c->setting.host != PLANTED_CLIQUE)
    return MS_OK;
  for (uint64_t rest = c->core; rest; rest &= rest - 1) {
    uint32_t v = lowest(rest);
    c->adjacent[v] |= c->core & ~bit(v);
  }
  return build_graph(c, err);
}

/* Draws the edges of the shape on vertices 0, 1, ...; returns the number of its vertices, and in
 * *vertex the vertex whose flag is tried. */
static uint32_t draw_shape(planted_case *c, uint64_t *state, uint32_t *vertex)
{
  const uint32_t k = c->setting.k;
  *vertex = 0;
  switch (c->setting.host) {
  case PLANTED_LAYERS:
    for (uint32_t v = 1; v < 2 * k - 1; v++)
      for (uint32_t u = v < 3 ? 0 : (v - 3) / 2 * 2 + 1; u <= (v - 1) / 2 * 2; u++)
        join(c, u, v);
    return 2 * k - 1;
  case PLANTED_STAR_CENTRE:
  case PLANTED_STAR_LEAF:
    *vertex = c->setting.host == PLANTED_STAR_LEAF;
    for (uint32_t v = 1; v < k; v++)
      join(c, 0, v);
    return k;
  case PLANTED_BINARY_ROOT:
    for (uint32_t v = 1; v < k; v++)
      join(c, (v - 1) / 2, v);
    return k;
  case PLANTED_TREE:
    *vertex = below(state, k);
    for (uint32_t v = 1; v < k; v++)
      join(c, below(state, v), v);
    return k;
  case PLANTED_CYCLE:
    join(c, 0, k - 1);
    break;
  case PLANTED_PATH_MIDDLE:
    *vertex = (k - 1) / 2;
    break;
  default:
    break;
  }
  for (uint32_t v = 1; v < k; v++)
    join(c, v - 1, v);
  return k;
}

/* Plants the shape among other vertices, which have three edges each among them, half of them also
 * one to the shape; the order of all is random. */
static ms_status plant_shape(planted_case *c, uint64_t *state, ms_error *err)
{
  planted_case plain = *c;
  uint32_t place[PLANTED_MOST_VERTICES], vertex;
  uint32_t size = draw_shape(&plain, state, &vertex);
  for (uint32_t v = size; v < c->n; v++) {
    for (int i = 0; i < 3; i++)
      join(&plain, v, size + below(state, c->n - size));
    if (below(state, 2))
      join(&plain, v, below(state, size));
  }
  for (uint32_t v = 0; v < c->n; v++)
    place[v] = v;
  shuffle(place, c->n, state);
  for (uint32_t v = 0; v < c->n; v++) {
    for (uint64_t rest = plain.adjacent[v]; rest; rest &= rest - 1)
      join(c, place[v], place[lowest(rest)]);
    /* in layers, the number of the layer is the colour; color_core undoes this */
    c->color[place[v]] = (uint8_t)((v + 1) / 2);
  }
  c->core = 0;
  for (uint32_t v = 0; v < size; v++)
    c->core |= bit(place[v]);
  c->vertex = place[vertex];
  return build_graph(c, err);
}

/* ---- colours ---------------------------------------------------------------- */

/* Fills slot[k] with the colour of each slot, ascending. */
static void set_slots(planted_case *c, uint32_t *slot)
{
  c->colors = planted_colors(c->setting.motif, c->setting.k);
  for (uint32_t i = 0; i < c->setting.k; i++) {
    slot[i] = c->setting.motif == PLANTED_DISTINCT ? i
              : c->setting.motif == PLANTED_PAIRS  ? i / 2
                                                   : 0;
    c->slots[slot[i]]++;
  }
}

static void color_core(planted_case *c, const uint32_t *slot, uint64_t *state)
{
  uint32_t order[MS_MAX_K], i = 0;
  memcpy(order, slot, c->setting.k * sizeof *order);
  shuffle(order, c->setting.k, state);
  for (uint64_t rest = c->core; rest; rest &= rest - 1) {
    uint32_t v = lowest(rest);
    c->color[v] = (uint8_t)order[c->setting.host == PLANTED_LAYERS ? c->color[v] : i++];
  }
}

static void color_others(planted_case *c, const uint32_t *slot, uint64_t *state)
{
  uint32_t order[PLANTED_MOST_VERTICES];
  uint64_t live = 0, barred = c->core | around(c, c->core);
  for (uint32_t v = 0; v < c->n; v++)
    order[v] = v;
  shuffle(order, c->n, state);
  for (uint32_t i = 0; i < c->n; i++) {
    uint32_t v = order[i];
    if (c->core & bit(v))
      continue;
    c->color[v] = (uint8_t)slot[below(state, c->setting.k)];
    if (c->setting.crowded)
      continue;
    uint64_t piece = bit(v), more;
    while ((more = around(c, piece) & live) != 0)
      piece |= more;
    if (barred & bit(v) || size_of(piece) >= c->setting.k)
      c->color[v] = (uint8_t)c->colors;
    else
      live |= bit(v);
  }
}

static ms_status build_query(planted_case *c, ms_error *err)
{
  uint32_t pair[PLANTED_MOST_VERTICES][2];
  char name[MS_MAX_K + 1][8], text[MS_MAX_K * 8];
  const char *names[MS_MAX_K + 1];
  size_t used = 0;
  for (uint32_t v = 0; v < c->n; v++) {
    pair[v][0] = v;
    pair[v][1] = c->color[v];
  }
  for (uint32_t i = 0; i <= c->colors; i++) {
    snprintf(name[i], sizeof name[i], "c%u", i);
    names[i] = name[i];
    if (i < c->colors)
      used += (size_t)snprintf(text + used, sizeof text - used, "%s%s:%u", i ? "," : "", name[i],
                               c->slots[i]);
  }
  ms_status status = ms_coloring_from_pairs(c->graph, c->n, (const uint32_t(*)[2])pair,
                                            c->colors + 1, names, &c->coloring, err);
  if (status == MS_OK)
    status = ms_motif_parse(text, c->coloring, &c->motif, err);
  if (status == MS_OK)
    status = ms_query_new(c->graph, c->coloring, c->motif, 0, NULL, &c->query, err);
  return status;
}

ms_status planted_make(const planted_setting *setting, uint64_t seed, planted_case *out,
                       ms_error *err)
{
  uint32_t slot[MS_MAX_K];
  uint64_t state = planted_mix(~seed);
  *out = (planted_case){.setting = *setting, .n = setting->k < 8 || setting->crowded ? 32 : 48};
  if (setting->k < 2 || setting->k > 16 ||
      (setting->crowded && setting->host >= PLANTED_FAMILIES) ||
      (setting->host == PLANTED_LAYERS && setting->motif != PLANTED_DISTINCT))
    return ms_fail(err, MS_ERR_USAGE, "no trial has k = %u, %s, %s colours, %s", setting->k,
                   planted_host_name(setting->host), planted_motif_name(setting->motif),
                   setting->crowded ? "crowded" : "lonely");
  ms_status status = setting->host < PLANTED_FAMILIES ? plant_in_family(out, &state, err)
                                                      : plant_shape(out, &state, err);
  if (status != MS_OK)
    return status;
  set_slots(out, slot);
  color_core(out, slot, &state);
  color_others(out, slot, &state);
  return build_query(out, err);
}

void planted_free(planted_case *c)
{
  ms_query_free(c->query);
  ms_motif_free(c->motif);
  ms_coloring_free(c->coloring);
  ms_graph_free(c->graph);
}

bool planted_core_is_all(const planted_case *c)
{
  return !c->setting.crowded;
}

/* ---- what is true ------------------------------------------------------------ */

typedef struct searcher {
  const planted_case *c;
  uint8_t left[MS_MAX_K + 1]; /* slots left to fill, by colour */
  uint64_t most, tried;
  planted_search found;
} searcher;

/* Finds every connected set that holds `set` and further vertices of `open` or of what can be
 * reached from there, but none of `closed`; each set once. */
static void extend(searcher *s, uint64_t set, uint64_t open, uint64_t closed, uint32_t missing)
{
  if (missing == 0) {
    s->found.matches++;
    s->found.covered |= set;
    return;
  }
  for (; open && s->found.matches < s->most && !s->found.gave_up; open &= open - 1) {
    uint32_t v = lowest(open);
    closed |= bit(v);
    if (s->left[s->c->color[v]] == 0)
      continue;
    if (++s->tried == 4000000)
      s->found.gave_up = true;
    s->left[s->c->color[v]]--;
    extend(s, set | bit(v), (open | (s->c->adjacent[v] & ~closed)) & ~bit(v), closed, missing - 1);
    s->left[s->c->color[v]]++;
  }
}

planted_search planted_find(const planted_case *c, uint32_t v, uint64_t most)
{
  searcher s = {.c = c, .most = most};
  memcpy(s.left, c->slots, sizeof s.left);
  if (s.left[c->color[v]]-- == 0)
    return s.found;
  extend(&s, bit(v), c->adjacent[v], bit(v), c->setting.k - 1);
  return s.found;
}

/* ---- what theory expects -------------------------------------------------------- */

/* The probability that the two terms of a 2 x 2 determinant of uniform non-zero weights are equal.
 * A larger determinant vanishes with the same probability to one part in 10^4; for three or more
 * children of unequal sizes in the classic recurrence it is the same to one part in 100. */
static const double one_in = 1.0 / 255;

/* Returns the number of factors that can vanish in the polynomial of the tree that hangs on v.  The
 * sibling-indexed recurrence has one for each set of two or more children with subtrees of equal
 * size, the classic one has one for each vertex with two or more children.  *size: vertices of v's
 * subtree. */
static uint32_t tree_factors(const planted_case *c, uint32_t v, uint64_t parent,
                             ms_recurrence recurrence, uint32_t *size)
{
  uint32_t factors = 0, of_size[PLANTED_MOST_VERTICES] = {0}, children = 0;
  *size = 1;
  for (uint64_t rest = c->adjacent[v] & c->core & ~parent; rest; rest &= rest - 1) {
    uint32_t below_it;
    factors += tree_factors(c, lowest(rest), bit(v), recurrence, &below_it);
    *size += below_it;
    factors += recurrence == MS_SIBLING && ++of_size[below_it] == 2;
    factors += recurrence == MS_CLASSIC && ++children == 2;
  }
  return factors;
}

/* Returns the number of factors of mixed shades: one determinant for each colour of two or more
 * slots. */
static uint32_t color_factors(const planted_case *c)
{
  uint32_t factors = 0;
  for (uint32_t i = 0; i < c->colors; i++)
    factors += c->slots[i] > 1;
  return factors;
}

/* Returns the probability for layers and the classic recurrence: P of a layer's two vertices are
 * sums over the values of the next layer that are not 0, each sum with different weights. */
static double layers_classic(uint32_t k)
{
  double nonzero[3] = {0, 0, 1}; /* probability of 0, 1, 2 non-zero values in the last layer */
  for (uint32_t layer = k - 1; layer-- > 1;) {
    double two = nonzero[1] + nonzero[2] * (1 - one_in) * (1 - one_in);
    double one = nonzero[2] * 2 * one_in * (1 - one_in);
    nonzero[0] += nonzero[2] * one_in * one_in;
    nonzero[1] = one;
    nonzero[2] = two;
  }
  return nonzero[0] + nonzero[2] * one_in;
}

static uint32_t core_edges(const planted_case *c)
{
  uint32_t ends = 0;
  for (uint64_t rest = c->core; rest; rest &= rest - 1)
    ends += size_of(c->adjacent[lowest(rest)] & c->core);
  return ends / 2;
}

double planted_expected(const planted_case *c, ms_recurrence recurrence)
{
  uint32_t size, factors;
  if (c->setting.host == PLANTED_LAYERS && recurrence == MS_CLASSIC)
    return layers_classic(c->setting.k);
  if (c->setting.host == PLANTED_LAYERS)
    factors = c->setting.k - 1;
  else if (c->setting.crowded || core_edges(c) != c->setting.k - 1)
    return NAN;
  else
    factors = color_factors(c) + tree_factors(c, c->vertex, 0, recurrence, &size);
  return -expm1(factors * log1p(-one_in));
}
