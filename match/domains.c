#include "match/domains.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/watch.h"
#include "graph/colors.h"
#include "match/cpu/sorted.h"

#include <stdlib.h>
#include <string.h>

#define MAX_ROUNDS 3
/* A pattern without colours is tested only if it is large enough for the tests to exclude
 * vertices, and if graph times pattern is small enough for them to be cheap. */
#define PLAIN_MIN_VERTICES 7u
#define PLAIN_MAX_STEPS (UINT64_C(1) << 23)
/* In so many ids, counting the smaller ones takes less time than a search with branches. */
#define SHORT_ROW 24u

/* A condition on a vertex: it needs `count` neighbours in a domain. */
typedef struct condition {
  int rows; /* the rows that contain them: MS_ROWS_ANY, _OUT or _IN */
  const ms_domain *domain;
  uint32_t need;
} condition;

typedef struct builder {
  const ms_pattern_index *index;
  const ms_shape *shape;
  const uint64_t *allowed;
  const ms_domains *whole; /* the domains in the whole index, of whose cut `index` is; or NULL */
  const uint32_t *id;      /* [whole->index->n] as ms_pattern_index_cut returns it */
  ms_domains *out;
  size_t words;
  /* [shape->n][words] the bits by colour alone of domains that are not
   * ranges; later those of domains of the whole index */
  uint64_t *colors;
  /* [shape->n] the one colour that the vertex accepts; UINT32_MAX: it accepts
   * any, several, or one that the graph does not know */
  uint32_t only_color[MS_MAX_PATTERN];
  bool tested; /* true: all tests; false: degrees alone */
  /* [shape->n] the pattern neighbours w of u for which all of u's domain was found to have a
   * neighbour in w's domain by colour and degree */
  ms_bitset found[MS_MAX_PATTERN];
  ms_bitset whole_colors; /* pattern vertices whose domain is still that by colour and degree */
  ms_watch watch;         /* once it has ended, vertices stay without a test: no match is lost */
} builder;

/* ---- colours and degrees -------------------------------------------------- */

/* Takes the ids of one colour with at least this degree: they are consecutive
 * if ids ascend by colour and degree.  If they do not ascend by degree, takes all of the colour. */
static void take_range(const ms_pattern_index *index, uint32_t lo, uint32_t hi, uint32_t degree,
                       ms_domain *domain)
{
  const ms_neighbor_rows *rows = &index->rows[MS_ROWS_ANY];
  uint32_t first = lo, last = hi;
  while (index->by_degree && first < last) {
    uint32_t middle = first + (last - first) / 2;
    if (ms_row_length(rows, middle) < degree)
      first = middle + 1;
    else
      last = middle;
  }
  *domain = (ms_domain){.lo = first, .hi = hi, .count = hi - first};
}

static void set_range(uint64_t *bits, uint32_t lo, uint32_t hi)
{
  for (uint32_t i = lo; i < hi; i = (i / 64 + 1) * 64) {
    uint64_t from = ~UINT64_C(0) << i % 64;
    bits[i / 64] |= hi - i / 64 * 64 < 64 ? from & ~(~UINT64_C(0) << hi % 64) : from;
  }
}

/* Counts the domain again, and shrinks its range to fit. */
static void close_hull(ms_domain *domain, size_t words)
{
  uint32_t count = 0;
  size_t first = words, last = 0;
  for (size_t w = 0; w < words; w++)
    if (domain->bits[w]) {
      count += (uint32_t)__builtin_popcountll(domain->bits[w]);
      first = first == words ? w : first;
      last = w;
    }
  domain->count = count;
  domain->lo = count ? (uint32_t)(first * 64) + (uint32_t)__builtin_ctzll(domain->bits[first]) : 0;
  domain->hi =
      count ? (uint32_t)(last * 64) + 64 - (uint32_t)__builtin_clzll(domain->bits[last]) : 0;
}

void ms_domain_meet(ms_domain *domain, const uint64_t *set, uint64_t *bits, size_t words)
{
  if (!domain->bits) {
    memset(bits, 0, words * sizeof *bits);
    set_range(bits, domain->lo, domain->hi);
  } else if (domain->bits != bits) {
    memcpy(bits, domain->bits, words * sizeof *bits);
  }
  for (size_t w = 0; w < words; w++)
    bits[w] &= set[w];
  domain->bits = bits;
  close_hull(domain, words);
  if (domain->count == domain->hi - domain->lo)
    domain->bits = NULL; /* a range */
}

/* Takes the vertices with an accepted colour and, where that costs nothing, at
 * least u's degree. */
static void take_colors(builder *b, const ms_pattern *pattern, uint32_t u)
{
  const ms_pattern_index *index = b->index;
  ms_domain *domain = &b->out->of[u];
  uint32_t degree = ms_bitset_count(ms_shape_near(b->shape, u));
  b->only_color[u] = UINT32_MAX;
  if (pattern->colors[u] == 0) {
    take_range(index, 0, index->n, index->colors == 0 ? degree : 0, domain);
    return;
  }
  bool several = pattern->colors[u] > 1 || !index->ranges;
  uint64_t *bits = b->colors + u * b->words;
  uint32_t c = UINT32_MAX;
  *domain = (ms_domain){0};
  for (uint32_t i = 0; i < pattern->colors[u]; i++) {
    const char *name = ms_names_get(pattern->color_names, pattern->color[u][i]);
    c = index->coloring ? ms_coloring_find(index->coloring, name) : UINT32_MAX;
    if (c == UINT32_MAX) {
      b->out->unknown = name;
      continue;
    }
    uint64_t first = index->color_offset[c], last = index->color_offset[c + 1];
    if (!several && first < last)
      take_range(index, index->color_id[first], index->color_id[last - 1] + 1, degree, domain);
    for (uint64_t j = first; several && j < last; j++)
      bits[index->color_id[j] / 64] |= UINT64_C(1) << index->color_id[j] % 64;
  }
  if (several) {
    domain->bits = bits;
    close_hull(domain, b->words);
  }
  b->only_color[u] = pattern->colors[u] == 1 ? c : UINT32_MAX;
}

/* ---- tests of one vertex --------------------------------------------------- */

/* Returns the first place from `from` on whose id is at least lo; usually it is
 * near `from`. */
static uint32_t advance(const uint32_t *row, uint32_t from, uint32_t length, uint32_t lo)
{
  uint32_t step = 1;
  if (length - from <= SHORT_ROW) {
    uint32_t smaller = 0;
    for (uint32_t i = from; i < length; i++)
      smaller += row[i] < lo;
    return from + smaller;
  }
  if (row[from] >= lo)
    return from;
  while (from + step < length && row[from + step] < lo) {
    from += step;
    step *= 2;
  }
  uint32_t end = from + step < length ? from + step : length;
  return from + 1 + (uint32_t)ms_lower_bound(row + from + 1, end - from - 1, lo);
}

/* True if v has enough neighbours in each domain.  Conditions are sorted, so that one pass
 * over a row checks all of a kind. */
static bool meets_conditions(const builder *b, uint32_t v, const condition *conditions,
                             uint32_t count)
{
  const uint32_t *row = NULL;
  uint32_t length = 0, at = 0;
  int kind = -1;
  for (uint32_t i = 0; i < count; i++) {
    const ms_domain *domain = conditions[i].domain;
    uint32_t need = conditions[i].need, found = 0;
    if (conditions[i].rows != kind) {
      kind = conditions[i].rows;
      row = ms_row(&b->index->rows[kind], v, &length);
      at = 0;
    }
    at = advance(row, at, length, domain->lo);
    if (at + need > length || row[at + need - 1] >= domain->hi)
      return false;
    for (uint32_t j = at; domain->bits && found < need; j++) {
      if (j == length || row[j] >= domain->hi)
        return false;
      found += domain->bits[row[j] / 64] >> row[j] % 64 & 1;
    }
  }
  return true;
}

static int compare_conditions(const void *a, const void *b)
{
  const condition *x = a, *y = b;
  if (x->rows != y->rows)
    return x->rows - y->rows;
  return (x->domain->lo > y->domain->lo) - (x->domain->lo < y->domain->lo);
}

static uint32_t degree_in(const ms_shape *s, uint32_t u)
{
  return ms_bitset_count(ms_shape_near(s, u));
}

/* Returns the kinds of rows that the shape's arcs use, and u's neighbours in
 * each. */
static uint32_t row_kinds(const builder *b, uint32_t u, int kinds[2], ms_bitset near[2])
{
  const ms_shape *s = b->shape;
  kinds[0] = MS_ROWS_ANY;
  near[0] = ms_shape_near(s, u);
  if (!s->directed || !b->index->directed)
    return 1;
  kinds[0] = MS_ROWS_OUT;
  near[0] = s->out[u];
  kinds[1] = MS_ROWS_IN;
  near[1] = s->in[u];
  return 2;
}

/* Requires, for each set of accepted colours, as many neighbours as u has with it, in the
 * colour-and-degree domain of the one of lowest degree, which contains the others.  Those that have
 * this domain, too, are *found, unless there are two kinds of rows. */
static uint32_t require_groups(const builder *b, uint32_t u, const ms_domain *colors,
                               condition *conditions, ms_bitset *found)
{
  const ms_shape *s = b->shape;
  ms_bitset near[2];
  uint32_t count = 0, member[2 * MS_MAX_PATTERN];
  int kinds[2];
  uint32_t n = row_kinds(b, u, kinds, near);
  *found = (ms_bitset){{0}};
  for (uint32_t k = 0; k < n; k++) {
    uint32_t first = count;
    MS_EACH_MEMBER (w, near[k]) {
      uint32_t g = first;
      while (g < count && s->kind[member[g]] != s->kind[w])
        g++;
      if (g == count) {
        member[g] = w;
        conditions[count++] = (condition){.rows = kinds[k]};
      }
      conditions[g].need++;
      if (degree_in(s, w) < degree_in(s, member[g]))
        member[g] = w;
      conditions[g].domain = &colors[member[g]];
    }
  }
  for (uint32_t g = 0; n == 1 && g < count; g++)
    MS_EACH_MEMBER (w, near[0])
      if (s->kind[w] == s->kind[member[g]] && degree_in(s, w) == degree_in(s, member[g]))
        ms_bitset_add(found, w);
  return count;
}

/* Requires one neighbour in the domain of each of u's neighbours that are in `of`. */
static uint32_t require_each_neighbour(const builder *b, uint32_t u, ms_bitset of,
                                       condition *conditions)
{
  ms_bitset near[2];
  uint32_t count = 0;
  int kinds[2];
  for (uint32_t k = 0, n = row_kinds(b, u, kinds, near); k < n; k++)
    MS_EACH_MEMBER (w, near[k])
      if (ms_bitset_has(&of, w))
        conditions[count++] = (condition){kinds[k], &b->out->of[w], 1};
  return count;
}

static uint32_t best_degree(const ms_shape *s, uint32_t u)
{
  uint32_t best = 0;
  ms_bitset near = ms_shape_near(s, u);
  MS_EACH_MEMBER (w, near) {
    uint32_t d = degree_in(s, w);
    best = d > best ? d : best;
  }
  return best;
}

/* The conditions on a vertex that can be tested without reading its row. */
typedef struct quick_test {
  uint32_t best;    /* required degree of some neighbour */
  uint64_t near[2]; /* as in the index: colours of one neighbour, and of two */
} quick_test;

static quick_test quick_test_for(const builder *b, uint32_t u)
{
  quick_test g = {.best = best_degree(b->shape, u)};
  ms_bitset near = ms_shape_near(b->shape, u);
  MS_EACH_MEMBER (w, near) {
    uint32_t color = b->only_color[w];
    if (color == UINT32_MAX)
      continue;
    uint64_t bit = UINT64_C(1) << color % 64;
    g.near[1] |= g.near[0] & bit;
    g.near[0] |= bit;
  }
  return g;
}

static bool passes(const ms_pattern_index *index, uint32_t v, const quick_test *g)
{
  return index->best[v] >= g->best &&
         (!index->near || !((g->near[0] & ~index->near[v][0]) | (g->near[1] & ~index->near[v][1])));
}

/* ---- passes over all domains ------------------------------------------------ */

/* Keeps the vertices of u's domain that pass the conditions (NULL: none) and
 * the neighbour tests, and returns how many were dropped. From here on u has
 * separate bits. */
static uint32_t keep(builder *b, uint32_t u, condition *conditions, uint32_t count,
                     const quick_test *test)
{
  ms_domain *domain = &b->out->of[u];
  uint64_t *bits = b->out->store + u * b->words;
  uint32_t before = domain->count;
  if (domain->count == 0) {
    domain->bits = NULL;
    return 0;
  }
  if (!domain->bits)
    set_range(bits, domain->lo, domain->hi);
  else if (domain->bits != bits)
    memcpy(bits, domain->bits, b->words * sizeof *bits);
  qsort(conditions, count, sizeof *conditions, compare_conditions);
  for (size_t w = domain->lo / 64; w <= (domain->hi - 1) / 64; w++) {
    if (b->allowed)
      bits[w] &= b->allowed[w];
    for (uint64_t left = bits[w] && !ms_watch_check(&b->watch) ? bits[w] : 0; left;
         left &= left - 1) {
      uint32_t v = (uint32_t)(w * 64) + (uint32_t)__builtin_ctzll(left);
      if ((test && !passes(b->index, v, test)) || !meets_conditions(b, v, conditions, count))
        bits[w] &= ~(left & -left);
    }
  }
  domain->bits = bits;
  close_hull(domain, b->words);
  return before - domain->count;
}

/* Tests vertices against the neighbours' domains by colour and degree. After a
 * test the domains of a group differ, and the count needs one domain that
 * contains them all. */
static void test_neighborhoods(builder *b)
{
  ms_domain colors[MS_MAX_PATTERN];
  condition conditions[2 * MS_MAX_PATTERN];
  memcpy(colors, b->out->of, sizeof colors);
  for (uint32_t u = 0; u < b->shape->n; u++) {
    uint32_t count = require_groups(b, u, colors, conditions, &b->found[u]);
    quick_test g = quick_test_for(b, u);
    if (keep(b, u, conditions, count, &g) == 0)
      ms_bitset_add(&b->whole_colors, u);
  }
}

/* Makes a few rounds of arc consistency.  Vertices that have a neighbour in a domain have it until
 * the domain changes, so that only domains that changed since the last test of u are conditions. */
static void make_consistent(builder *b)
{
  condition conditions[2 * MS_MAX_PATTERN];
  ms_bitset stale[MS_MAX_PATTERN]; /* [shape->n] the neighbours whose domains are conditions of u */
  const ms_shape *s = b->shape;
  bool changed = true;
  for (uint32_t u = 0; u < s->n; u++)
    stale[u] = ms_bitset_minus(ms_shape_near(s, u), ms_bitset_and(b->found[u], b->whole_colors));
  for (int round = 0; round < MAX_ROUNDS && changed; round++) {
    changed = false;
    for (uint32_t u = 0; u < s->n; u++) {
      uint32_t count = require_each_neighbour(b, u, stale[u], conditions);
      stale[u] = (ms_bitset){{0}};
      if (count == 0 || keep(b, u, conditions, count, NULL) == 0)
        continue;
      changed = true;
      ms_bitset near = ms_shape_near(s, u);
      MS_EACH_MEMBER (w, near)
        ms_bitset_add(&stale[w], u);
    }
  }
}

static void restrict_to_allowed(builder *b)
{
  for (uint32_t u = 0; u < b->shape->n; u++)
    ms_domain_meet(&b->out->of[u], b->allowed, b->out->store + u * b->words, b->words);
}

/* Sets the bits of the new ids of a domain's ids, all of which have one. */
static void renumber(const ms_domain *domain, const uint32_t *id, uint64_t *bits)
{
  for (uint32_t i = domain->lo; i < domain->hi; i++)
    if (ms_domain_has(domain, i))
      bits[id[i] / 64] |= UINT64_C(1) << id[i] % 64;
}

/* Keeps the ids that are in the same domain of the whole index. */
static void restrict_to_whole(builder *b)
{
  b->whole_colors = (ms_bitset){{0}};
  for (uint32_t u = 0; u < b->shape->n; u++) {
    uint64_t *set = b->colors + u * b->words; /* no longer needed for the colours */
    memset(set, 0, b->words * sizeof *set);
    renumber(&b->whole->of[u], b->id, set);
    ms_domain_meet(&b->out->of[u], set, b->out->store + u * b->words, b->words);
  }
}

/* Lets equal domains share their bits, and removes the bits of whole ranges:
 * vertices with the same bits share candidate sets.  Finds out whether one is empty. */
static void finish_domains(ms_domains *domains)
{
  for (uint32_t u = 0; u < domains->n; u++) {
    ms_domain *domain = &domains->of[u];
    if (domain->count == domain->hi - domain->lo)
      domain->bits = NULL;
    for (uint32_t w = 0; domain->bits && w < u; w++)
      if (ms_domain_equal(domain, &domains->of[w]))
        domain->bits = domains->of[w].bits;
  }
  domains->empty = domains->n > domains->index->n;
  for (uint32_t u = 0; u < domains->n; u++)
    domains->empty = domains->empty || domains->of[u].count == 0;
}

/* ---- entry points ------------------------------------------------------------ */

static bool has_colors(const ms_pattern *pattern)
{
  for (uint32_t u = 0; u < pattern->n; u++)
    if (pattern->colors[u] > 0)
      return true;
  return false;
}

static void find_domains(builder *b, const ms_pattern *pattern)
{
  for (uint32_t u = 0; u < b->shape->n; u++)
    take_colors(b, pattern, u);
  if (b->tested)
    test_neighborhoods(b);
  else if (b->allowed)
    restrict_to_allowed(b);
  if (b->whole)
    restrict_to_whole(b);
  if (b->tested)
    make_consistent(b);
}

static ms_status build(builder *b, const ms_pattern *pattern, ms_error *err)
{
  ms_domains *out = b->out;
  bool colored = has_colors(pattern);
  const ms_pattern_index *index = b->index;
  ms_watch_begin(&b->watch);
  b->words = ((size_t)index->n + 63) / 64;
  memset(out, 0, sizeof *out);
  out->index = index;
  out->n = b->shape->n;
  b->tested = colored ||
              (b->shape->n >= PLAIN_MIN_VERTICES && index->arcs * b->shape->n <= PLAIN_MAX_STEPS);
  if (b->tested || b->allowed || b->whole) {
    out->store = ms_calloc(b->words * b->shape->n, sizeof *out->store);
    bool room = colored || b->whole;
    b->colors = room ? ms_calloc(b->words * b->shape->n, sizeof *b->colors) : NULL;
    if (!out->store || (room && !b->colors)) {
      ms_free(b->colors);
      ms_domains_free(out);
      return ms_fail_memory(err, "domains of pattern vertices");
    }
  }
  find_domains(b, pattern);
  finish_domains(out);
  ms_free(b->colors);
  return MS_OK;
}

ms_status ms_domains_new(const ms_pattern_index *index, const ms_pattern *pattern,
                         const ms_shape *shape, const uint64_t *allowed, ms_domains *out,
                         ms_error *err)
{
  builder b = {.index = index, .shape = shape, .allowed = allowed, .out = out};
  return build(&b, pattern, err);
}

ms_status ms_domains_cut(const ms_domains *whole, const ms_pattern_index *cut, const uint32_t *id,
                         const ms_pattern *pattern, const ms_shape *shape, ms_domains *out,
                         ms_error *err)
{
  builder b = {.index = cut, .shape = shape, .whole = whole, .id = id, .out = out};
  return build(&b, pattern, err);
}

ms_status ms_domains_renumber(const ms_domains *whole, const ms_pattern_index *cut,
                              const uint32_t *id, ms_domains *out, ms_error *err)
{
  size_t words = ((size_t)cut->n + 63) / 64;
  *out = (ms_domains){.index = cut, .n = whole->n, .unknown = whole->unknown};
  out->store = ms_calloc(words * whole->n, sizeof *out->store);
  if (!out->store)
    return ms_fail_memory(err, "domains of pattern vertices");
  for (uint32_t u = 0; u < whole->n; u++) {
    renumber(&whole->of[u], id, out->store + u * words);
    out->of[u].bits = out->store + u * words;
    close_hull(&out->of[u], words);
  }
  finish_domains(out);
  return MS_OK;
}

void ms_domains_free(ms_domains *domains)
{
  ms_free(domains->store);
  memset(domains, 0, sizeof *domains);
}

bool ms_domain_equal(const ms_domain *a, const ms_domain *b)
{
  if (a->count != b->count)
    return false;
  if (a->count == 0)
    return true;
  if (a->lo != b->lo || a->hi != b->hi || !a->bits != !b->bits)
    return false;
  return !a->bits || memcmp(a->bits + a->lo / 64, b->bits + b->lo / 64,
                            ((a->hi - 1) / 64 - a->lo / 64 + 1) * sizeof *a->bits) == 0;
}

bool ms_domain_meets(const ms_domain *a, const ms_domain *b)
{
  uint32_t lo = a->lo > b->lo ? a->lo : b->lo, hi = a->hi < b->hi ? a->hi : b->hi;
  if (lo >= hi)
    return false;
  if (!a->bits || !b->bits)
    return true;
  for (size_t w = lo / 64; w <= (hi - 1) / 64; w++)
    if (a->bits[w] & b->bits[w])
      return true;
  return false;
}
