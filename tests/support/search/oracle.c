#include "tests/support/search/oracle.h"
#include "tests/support/random.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

const oracle_shape oracle_all_shapes = {.min_n = 2,
                                        .max_n = ORACLE_MAX_N,
                                        .min_k = 1,
                                        .max_k = 8,
                                        .color_lists = true,
                                        .wildcards = true,
                                        .required = true};

const oracle_shape oracle_long_motifs[ORACLE_SHAPES + 1] = {
    {.min_n = 1, .max_n = 10, .min_k = 1, .max_k = 6},
    {.min_n = 3, .max_n = 12, .min_k = 2, .max_k = 7, .color_lists = true, .wildcards = true},
    {.min_n = 3,
     .max_n = 12,
     .min_k = 3,
     .max_k = 7,
     .color_lists = true,
     .wildcards = true,
     .required = true},
    {.min_n = 3, .max_n = 12, .min_k = 3, .max_k = 6, .color_lists = true, .conditions = true},
};

const oracle_shape oracle_short_motifs[ORACLE_SHAPES] = {
    {.min_n = 1, .max_n = 12, .min_k = 1, .max_k = 4},
    {.min_n = 3, .max_n = 12, .min_k = 2, .max_k = 6, .color_lists = true, .wildcards = true},
    {.min_n = 3,
     .max_n = 12,
     .min_k = 3,
     .max_k = 6,
     .color_lists = true,
     .wildcards = true,
     .required = true},
};

enum { MAX_COLORS = 5, ITEM_BYTES = 64, TEXT_BYTES = ORACLE_MAX_N * ITEM_BYTES };

/* What a case is made of, before the library's constructors see it. */
typedef struct draft {
  uint32_t n, k, colors, edges, pairs, n_required;
  uint16_t adjacent[ORACLE_MAX_N]; /* bit u of adjacent[v]: edge {u, v} */
  uint16_t palette[ORACLE_MAX_N];  /* bit c of palette[v]: v has colour c */
  uint32_t edge[ORACLE_MAX_N * ORACLE_MAX_N][2];
  uint32_t pair[ORACLE_MAX_N * MAX_COLORS][2];
  uint32_t slots[MAX_COLORS], wildcards; /* motif: slots of each colour */
  uint32_t conditions;                   /* further slots, which have conditions */
  char condition[ORACLE_MAX_N][ITEM_BYTES];
  uint32_t accepts[ORACLE_MAX_N]; /* [conditions] as in oracle_case */
  uint16_t planted;               /* the set that the motif was read off, or 0 */
  uint32_t required[3];
} draft;

/* Uniform in 0..limit-1 (the bias of the remainder does not matter here). */
static uint32_t between(uint64_t *state, uint32_t low, uint32_t high)
{
  return low + random_below(state, high - low + 1);
}

static void join(draft *d, uint32_t u, uint32_t v)
{
  if (u == v || (d->adjacent[u] >> v & 1)) {
    return;
  }
  d->adjacent[u] |= (uint16_t)(1u << v);
  d->adjacent[v] |= (uint16_t)(1u << u);
  d->edge[d->edges][0] = u;
  d->edge[d->edges][1] = v;
  d->edges++;
}

/* A random tree (half of the time), and edges of a density from none to all. */
static void draw_edges(draft *d, uint64_t *state)
{
  static const uint32_t percent[] = {0, 10, 20, 30, 50, 80, 100};
  if (random_below(state, 2)) {
    for (uint32_t v = 1; v < d->n; v++) {
      join(d, v, random_below(state, v));
    }
  }
  uint32_t density = percent[random_below(state, sizeof percent / sizeof *percent)];
  for (uint32_t v = 1; v < d->n; v++) {
    for (uint32_t u = 0; u < v; u++) {
      if (random_below(state, 100) < density) {
        join(d, u, v);
      }
    }
  }
}

static void draw_colors(draft *d, const oracle_shape *shape, uint64_t *state)
{
  bool lists = shape->color_lists && random_below(state, 4) != 0;
  for (uint32_t v = 0; v < d->n; v++) {
    uint32_t count = lists ? random_below(state, 4) : 1;
    for (uint32_t i = 0; i < count; i++) {
      d->palette[v] |= (uint16_t)(1u << random_below(state, d->colors));
    }
    for (uint32_t c = 0; c < d->colors; c++) {
      if (d->palette[v] >> c & 1) {
        d->pair[d->pairs][0] = v;
        d->pair[d->pairs][1] = c;
        d->pairs++;
      }
    }
  }
}

/* A random connected set of k vertices, or 0 where the growth got stuck. */
static uint16_t grow_set(const draft *d, uint64_t *state)
{
  uint16_t set = (uint16_t)(1u << random_below(state, d->n)), frontier = 0;
  for (uint32_t size = 1; size < d->k; size++) {
    frontier = 0;
    for (uint32_t v = 0; v < d->n; v++) {
      frontier |= (set >> v & 1) ? d->adjacent[v] : 0;
    }
    frontier &= (uint16_t)~set;
    if (!frontier) {
      return 0;
    }
    uint32_t v = random_below(state, d->n);
    while (!(frontier >> v & 1)) {
      v = (v + 1) % d->n;
    }
    set |= (uint16_t)(1u << v);
  }
  return set;
}

/* Read the motif off a connected set (seven times of ten), or make it up. */
static void draw_motif(draft *d, const oracle_shape *shape, uint64_t *state)
{
  uint32_t wild_percent = shape->wildcards && random_below(state, 2) ? between(state, 10, 60) : 0;
  d->planted = random_below(state, 10) < 7 ? grow_set(d, state) : 0;
  uint32_t drawn = 0;
  for (uint32_t v = 0; v < d->n && d->planted; v++) {
    if (!(d->planted >> v & 1)) {
      continue;
    }
    if (random_below(state, 100) < wild_percent || (!d->palette[v] && shape->wildcards)) {
      d->wildcards++;
    } else {
      uint32_t c = random_below(state, d->colors);
      while (d->palette[v] && !(d->palette[v] >> c & 1)) {
        c = (c + 1) % d->colors;
      }
      d->slots[c]++;
    }
    drawn++;
  }
  for (; drawn < d->k; drawn++) {
    if (random_below(state, 100) < wild_percent) {
      d->wildcards++;
    } else {
      d->slots[random_below(state, d->colors)]++;
    }
  }
}

/* Returns the palettes that have the colour, one bit for each palette. */
static uint32_t palettes_with(uint32_t color)
{
  uint32_t with = 0;
  for (uint32_t palette = 0; palette < 1u << MAX_COLORS; palette++) {
    with |= (palette >> color & 1) << palette;
  }
  return with;
}

/* A condition of one to three alternatives, each of one or two literals; a vertex of the first
 * colour meets it more often than not. */
static void draw_condition(draft *d, uint32_t first, uint64_t *state)
{
  char *text = d->condition[d->conditions];
  uint32_t alternatives = between(state, 1, 3), accepts = 0, used = 0;
  for (uint32_t a = 0; a < alternatives; a++) {
    uint32_t color = a == 0 ? first : random_below(state, d->colors), palettes = UINT32_MAX;
    uint32_t literals = d->colors > 1 ? between(state, 1, 2) : 1;
    for (uint32_t i = 0; i < literals; i++) {
      bool lacks = random_below(state, a == 0 && i == 0 ? 5 : 2) == 0;
      palettes &= lacks ? ~palettes_with(color) : palettes_with(color);
      used += (uint32_t)snprintf(text + used, ITEM_BYTES - used, "%s%sc%u",
                                 i > 0   ? "&"
                                 : a > 0 ? "|"
                                         : "",
                                 lacks ? "!" : "", color);
      color = (color + 1 + random_below(state, d->colors - 1 + (d->colors == 1))) % d->colors;
    }
    accepts |= palettes;
  }
  d->accepts[d->conditions++] = accepts;
}

/* Puts conditions in the place of about half of the slots. */
static void draw_conditions(draft *d, uint64_t *state)
{
  for (uint32_t c = 0; c <= d->colors; c++) {
    uint32_t *slots = c < d->colors ? &d->slots[c] : &d->wildcards, all = *slots;
    for (uint32_t i = 0; i < all; i++) {
      if (random_below(state, 2)) {
        (*slots)--;
        draw_condition(d, c < d->colors ? c : random_below(state, d->colors), state);
      }
    }
  }
}

static void draw_required(draft *d, const oracle_shape *shape, uint64_t *state)
{
  if (!shape->required || random_below(state, 3) == 0) {
    return;
  }
  uint32_t most = d->k < 3 ? d->k : 3;
  uint32_t wanted = between(state, 1, most < d->n ? most : d->n);
  bool from_planted = d->planted && random_below(state, 4) != 0;
  uint16_t taken = 0;
  while (d->n_required < wanted) {
    uint32_t v = random_below(state, d->n);
    if ((taken >> v & 1) || (from_planted && !(d->planted >> v & 1))) {
      continue;
    }
    taken |= (uint16_t)(1u << v);
    d->required[d->n_required++] = v;
  }
}

static void motif_text(const draft *d, char text[TEXT_BYTES])
{
  size_t used = 0;
  for (uint32_t c = 0; c <= MAX_COLORS; c++) {
    uint32_t count = c < MAX_COLORS ? d->slots[c] : d->wildcards;
    if (!count) {
      continue;
    }
    char name[8] = "*";
    if (c < MAX_COLORS) {
      snprintf(name, sizeof name, "c%u", c);
    }
    used +=
        (size_t)snprintf(text + used, TEXT_BYTES - used, "%s%s:%u", used ? "," : "", name, count);
  }
  for (uint32_t i = 0; i < d->conditions; i++) {
    used +=
        (size_t)snprintf(text + used, TEXT_BYTES - used, "%s%s", used ? "," : "", d->condition[i]);
  }
}

/* Notes which palettes each slot accepts. */
static void note_accepted(const draft *d, uint32_t *accepts)
{
  uint32_t slot = 0;
  for (uint32_t c = 0; c <= MAX_COLORS; c++) {
    for (uint32_t i = 0; i < (c < MAX_COLORS ? d->slots[c] : d->wildcards); i++) {
      accepts[slot++] = c < MAX_COLORS ? palettes_with(c) : UINT32_MAX;
    }
  }
  memcpy(accepts + slot, d->accepts, d->conditions * sizeof *accepts);
}

static void must(ms_status status, const ms_error *err, uint64_t seed)
{
  if (status != MS_OK) {
    ck_abort_msg("oracle seed %llu: %s", (unsigned long long)seed, err->message);
  }
}

static void build(const draft *d, uint64_t seed, oracle_case *out)
{
  static const char *const color_name[MAX_COLORS] = {"c0", "c1", "c2", "c3", "c4"};
  static const char *const vertex_name[ORACLE_MAX_N] = {"0", "1", "2", "3", "4",  "5",
                                                        "6", "7", "8", "9", "10", "11"};
  ms_error err;
  char text[TEXT_BYTES];
  const char *required[3];
  motif_text(d, text);
  for (uint32_t i = 0; i < d->n_required; i++) {
    required[i] = vertex_name[d->required[i]];
  }
  must(ms_graph_from_edges(d->n, d->edges, (const uint32_t(*)[2])d->edge, NULL, &out->graph, &err),
       &err, seed);
  must(ms_coloring_from_pairs(out->graph, d->pairs, (const uint32_t(*)[2])d->pair, d->colors,
                              color_name, &out->coloring, &err),
       &err, seed);
  must(ms_motif_parse(text, out->coloring, &out->motif, &err), &err, seed);
  must(ms_query_new(out->graph, out->coloring, out->motif, d->n_required, required, &out->query,
                    &err),
       &err, seed);
}

void oracle_make(const oracle_shape *shape, uint64_t seed, oracle_case *out)
{
  uint64_t state = seed * 0x2545F4914F6CDD1Du + 1;
  draft d = {0};
  memset(out, 0, sizeof *out);
  ck_assert_uint_le(shape->max_n, ORACLE_MAX_N);
  d.n = out->n = between(&state, shape->min_n, shape->max_n);
  uint32_t most = shape->max_k < d.n ? shape->max_k : d.n;
  d.k = out->k = shape->min_k < most ? between(&state, shape->min_k, most) : most;
  d.colors = between(&state, 1, MAX_COLORS);
  draw_edges(&d, &state);
  draw_colors(&d, shape, &state);
  draw_motif(&d, shape, &state);
  if (shape->conditions) {
    draw_conditions(&d, &state);
  }
  note_accepted(&d, out->accepts);
  draw_required(&d, shape, &state);
  build(&d, seed, out);
}

void oracle_free(oracle_case *c)
{
  ms_query_free(c->query);
  ms_motif_free(c->motif);
  ms_coloring_free(c->coloring);
  ms_graph_free(c->graph);
  memset(c, 0, sizeof *c);
}

/* Flood from the lowest vertex of the set. */
static bool is_connected(const uint16_t *adjacent, uint16_t set)
{
  uint16_t seen = (uint16_t)(set & -set), before = 0;
  while (seen != before) {
    before = seen;
    for (uint32_t v = 0; v < ORACLE_MAX_N; v++) {
      if (before >> v & 1) {
        seen |= adjacent[v] & set;
      }
    }
  }
  return seen == set;
}

/* Every assignment of different slots to the vertices of the set, one vertex after the other, by
 * the slots that they take; fits[v] has bit s set iff v may take slot s < k. */
static bool colors_fit(const uint16_t *fits, uint16_t set, uint32_t k)
{
  uint8_t reached[1 << ORACLE_MAX_N];
  uint16_t member[ORACLE_MAX_N];
  uint32_t members = 0;
  bool fit = false;
  for (uint32_t v = 0; v < ORACLE_MAX_N; v++) {
    if (set >> v & 1) {
      member[members++] = fits[v];
    }
  }
  memset(reached, 0, (size_t)1 << k);
  reached[0] = 1;
  for (uint32_t used = 0; used < 1u << k; used++) {
    uint32_t placed = (uint32_t)__builtin_popcount(used);
    fit = fit || (reached[used] && placed == members);
    for (uint32_t slot = 0; slot < k && reached[used] && placed < members; slot++) {
      if (!(used >> slot & 1) && (member[placed] >> slot & 1)) {
        reached[used | 1u << slot] = 1;
      }
    }
  }
  return fit;
}

uint32_t oracle_slots(const oracle_case *c, uint32_t v)
{
  uint32_t colors, palette = 0, slots = 0;
  const uint32_t *color = ms_coloring_of(c->coloring, v, &colors);
  for (uint32_t i = 0; i < colors; i++) {
    palette |= 1u << (ms_coloring_name(c->coloring, color[i])[1] - '0');
  }
  for (uint32_t slot = 0; slot < c->k; slot++) {
    slots |= (c->accepts[slot] >> palette & 1) << slot;
  }
  return slots;
}

uint32_t oracle_matches(const oracle_case *c, uint16_t *masks)
{
  return oracle_matches_of(c, c->k, masks);
}

/* A case as bits: of vertices and, in fits[v], of the slots that v may take. */
typedef struct bits {
  uint16_t adjacent[ORACLE_MAX_N], fits[ORACLE_MAX_N], required;
} bits;

static bits bits_of(const oracle_case *c)
{
  bits b = {0};
  for (uint32_t v = 0; v < c->n; v++) {
    uint32_t degree;
    const uint32_t *neighbor = ms_graph_neighbors(c->graph, v, &degree);
    for (uint32_t i = 0; i < degree; i++) {
      b.adjacent[v] |= (uint16_t)(1u << neighbor[i]);
    }
    b.fits[v] = (uint16_t)oracle_slots(c, v);
  }
  for (uint32_t i = 0; i < c->query->n_required; i++) {
    b.required |= (uint16_t)(1u << c->query->required[i]);
  }
  return b;
}

uint32_t oracle_matches_of(const oracle_case *c, uint32_t size, uint16_t *masks)
{
  const bits b = bits_of(c);
  uint32_t count = 0;
  for (uint32_t set = 1; set < 1u << c->n; set++) {
    if ((uint32_t)__builtin_popcount(set) == size && (set & b.required) == b.required &&
        is_connected(b.adjacent, (uint16_t)set) && colors_fit(b.fits, (uint16_t)set, c->k)) {
      masks[count++] = (uint16_t)set;
    }
  }
  return count;
}

/* Returns the greatest number of slots that different vertices of the set fill, without those
 * used. */
static uint32_t pair_off(const uint16_t *fits, uint32_t set, uint32_t used)
{
  if (!set)
    return 0;
  uint32_t v = (uint32_t)__builtin_ctz(set), rest = set & (set - 1);
  uint32_t best = pair_off(fits, rest, used);
  for (uint32_t open = fits[v] & ~used; open; open &= open - 1) {
    uint32_t filled = 1 + pair_off(fits, rest, used | (open & -open));
    best = filled > best ? filled : best;
  }
  return best;
}

void oracle_near_sets(const oracle_case *c, uint32_t max_missing, uint32_t max_extra,
                      void (*found)(void *user, uint32_t set, uint32_t missing, uint32_t extra),
                      void *user)
{
  const bits b = bits_of(c);
  for (uint32_t set = 1; set < 1u << c->n; set++) {
    uint32_t size = (uint32_t)__builtin_popcount(set);
    if (size > c->k + max_extra || (set & b.required) != b.required ||
        !is_connected(b.adjacent, (uint16_t)set))
      continue;
    uint32_t filled = pair_off(b.fits, set, 0), missing = c->k - filled, extra = size - filled;
    if (missing <= max_missing && extra <= max_extra)
      found(user, set, missing, extra);
  }
}
