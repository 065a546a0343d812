#include "enumerate/domains.h"

#include "base/alloc.h"
#include "base/status.h"
#include "enumerate/cpu/sorted.h"
#include "graph/colors.h"

#include <string.h>

#define MAX_ROUNDS 3
/* A pattern without colours gets these tests where it is large enough to be
 * constrained by them, and graph times pattern small enough to be cheap. */
#define PLAIN_MIN_VERTICES 7u
#define PLAIN_MAX_STEPS (UINT64_C(1) << 23)

/* Neighbours of a pattern vertex that accept the same colours. */
typedef struct group {
  int rows;        /* MS_ROWS_... of the graph vertex that they are in */
  uint32_t member; /* the one of the lowest degree: its domain by colour and degree holds the others' */
  uint32_t need;   /* how many there are */
} group;

typedef struct builder {
  const ms_pattern_index *index;
  const ms_shape *shape;
  const uint64_t *allowed;
  ms_domains *out;
  size_t words;
  uint64_t *colors; /* [shape->n][words] the bits by colour alone, where they are no range */
  bool tested;      /* all tests, else degrees alone */
} builder;

/* ---- colours and degrees -------------------------------------------------- */

/* Ids of one colour with at least this degree: consecutive where ids ascend
 * by colour and degree. */
static void take_range(const ms_pattern_index *index, uint32_t lo, uint32_t hi, uint32_t degree,
                       ms_domain *domain)
{
  const ms_rows *rows = &index->rows[MS_ROWS_ANY];
  uint32_t first = lo, last = hi;
  while (first < last) {
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
  for (uint32_t i = lo; i < hi; i++)
    bits[i / 64] |= UINT64_C(1) << i % 64;
}

/* Recount, and draw the hull close. */
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
  domain->hi = count ? (uint32_t)(last * 64) + 64 - (uint32_t)__builtin_clzll(domain->bits[last]) : 0;
}

/* The vertices that have an accepted colour, of at least u's degree where that
 * costs nothing. */
static void take_colors(builder *b, const ms_pattern *pattern, uint32_t u)
{
  const ms_pattern_index *index = b->index;
  ms_domain *domain = &b->out->of[u];
  uint32_t degree = (uint32_t)__builtin_popcountll(ms_shape_near(b->shape, u));
  if (pattern->colors[u] == 0) {
    take_range(index, 0, index->n, index->colors == 0 ? degree : 0, domain);
    return;
  }
  bool several = pattern->colors[u] > 1 || !index->ranges;
  uint64_t *bits = b->colors + u * b->words;
  *domain = (ms_domain){0};
  for (uint32_t i = 0; i < pattern->colors[u]; i++) {
    const char *name = ms_names_get(pattern->color_names, pattern->color[u][i]);
    uint32_t c = index->coloring ? ms_coloring_find(index->coloring, name) : UINT32_MAX;
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
}

/* ---- tests of one vertex --------------------------------------------------- */

/* Are there `need` ids of the domain in this row? */
static bool row_meets(const ms_rows *rows, uint32_t v, const ms_domain *domain, uint32_t need)
{
  uint32_t length, found = 0;
  const uint32_t *row = ms_row(rows, v, &length);
  size_t i = domain->lo == 0 ? 0 : ms_lower_bound(row, length, domain->lo);
  if (!domain->bits)
    return i + need <= length && row[i + need - 1] < domain->hi;
  for (; i < length && row[i] < domain->hi; i++) {
    found += domain->bits[row[i] / 64] >> row[i] % 64 & 1;
    if (found == need)
      return true;
  }
  return false;
}

static int degree_in(const ms_shape *s, uint32_t u)
{
  return __builtin_popcountll(ms_shape_near(s, u));
}

static uint32_t find_groups(const builder *b, uint32_t u, group *groups)
{
  const ms_shape *s = b->shape;
  bool directed = s->directed && b->index->directed;
  uint32_t count = 0;
  for (int rows = directed ? MS_ROWS_OUT : MS_ROWS_ANY; rows <= (directed ? MS_ROWS_IN : MS_ROWS_ANY); rows++) {
    uint64_t near = rows == MS_ROWS_OUT ? s->out[u] : rows == MS_ROWS_IN ? s->in[u] : ms_shape_near(s, u);
    uint32_t first = count;
    for (; near; near &= near - 1) {
      uint32_t w = (uint32_t)__builtin_ctzll(near), g = first;
      while (g < count && s->kind[groups[g].member] != s->kind[w])
        g++;
      if (g == count)
        groups[count++] = (group){.rows = rows, .member = w, .need = 0};
      groups[g].need++;
      if (degree_in(s, w) < degree_in(s, groups[g].member))
        groups[g].member = w;
    }
  }
  return count;
}

static uint32_t best_degree(const ms_shape *s, uint32_t u)
{
  uint32_t best = 0;
  for (uint64_t near = ms_shape_near(s, u); near; near &= near - 1) {
    uint32_t d = (uint32_t)__builtin_popcountll(ms_shape_near(s, (uint32_t)__builtin_ctzll(near)));
    best = d > best ? d : best;
  }
  return best;
}

/* Degrees, and enough neighbours of every accepted colour set (their domains
 * are by colour still, and by degree). */
static bool fits(const builder *b, const ms_domain *colors, uint32_t v, const group *groups,
                 uint32_t n_groups, uint32_t best)
{
  if (b->index->best[v] < best)
    return false;
  for (uint32_t g = 0; g < n_groups; g++) {
    const ms_rows *rows = &b->index->rows[groups[g].rows];
    const ms_domain *domain = &colors[groups[g].member];
    if (ms_row_length(rows, v) < groups[g].need || !row_meets(rows, v, domain, groups[g].need))
      return false;
  }
  return true;
}

/* ---- passes over all domains ------------------------------------------------ */

/* Drop from u's domain what the test refuses; bits are its own from here on. */
typedef bool (*test_fn)(const builder *b, uint32_t u, uint32_t v, const void *what);

static uint32_t keep_if(builder *b, uint32_t u, test_fn test, const void *what)
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
  for (size_t w = domain->lo / 64; w <= (domain->hi - 1) / 64; w++)
    for (uint64_t left = bits[w]; left; left &= left - 1) {
      uint32_t v = (uint32_t)(w * 64) + (uint32_t)__builtin_ctzll(left);
      if (!test(b, u, v, what))
        bits[w] &= ~(left & -left);
    }
  domain->bits = bits;
  close_hull(domain, b->words);
  return before - domain->count;
}

typedef struct local_tests {
  ms_domain colors[MS_MAX_PATTERN]; /* as they were before */
  group groups[2 * MS_MAX_PATTERN];
  uint32_t n_groups, best;
} local_tests;

static bool test_local(const builder *b, uint32_t u, uint32_t v, const void *what)
{
  const local_tests *t = what;
  (void)u;
  if (b->allowed && !(b->allowed[v / 64] >> v % 64 & 1))
    return false;
  return fits(b, t->colors, v, t->groups, t->n_groups, t->best);
}

/* Next to the domain of every neighbour? */
static bool test_arcs(const builder *b, uint32_t u, uint32_t v, const void *what)
{
  const ms_shape *s = b->shape;
  (void)what;
  for (int kind = MS_ROWS_OUT; kind <= MS_ROWS_IN; kind++) {
    const ms_rows *rows = ms_index_rows(b->index, s, kind);
    for (uint64_t near = kind == MS_ROWS_OUT ? s->out[u] : s->directed ? s->in[u] : 0; near; near &= near - 1)
      if (!row_meets(rows, v, &b->out->of[__builtin_ctzll(near)], 1))
        return false;
  }
  return true;
}

/* By the neighbours' domains as they were by colour and degree: those of a group
 * differ once they are tested, and the test counts on one that holds them all. */
static void test_neighborhoods(builder *b)
{
  local_tests t;
  memcpy(t.colors, b->out->of, sizeof t.colors);
  for (uint32_t u = 0; u < b->shape->n; u++) {
    t.n_groups = find_groups(b, u, t.groups);
    t.best = best_degree(b->shape, u);
    keep_if(b, u, test_local, &t);
  }
}

static void make_consistent(builder *b)
{
  uint64_t changed = ~UINT64_C(0);
  for (int round = 0; round < MAX_ROUNDS && changed; round++) {
    uint64_t before = changed;
    changed = 0;
    for (uint32_t u = 0; u < b->shape->n; u++)
      if ((before | changed) & ms_shape_near(b->shape, u) && keep_if(b, u, test_arcs, NULL) > 0)
        changed |= UINT64_C(1) << u;
  }
}

static void restrict_to_allowed(builder *b)
{
  for (uint32_t u = 0; u < b->shape->n; u++) {
    ms_domain *domain = &b->out->of[u];
    uint64_t *bits = b->out->store + u * b->words;
    if (!domain->bits)
      set_range(bits, domain->lo, domain->hi);
    for (size_t w = 0; w < b->words; w++)
      bits[w] &= b->allowed[w];
    domain->bits = bits;
    close_hull(domain, b->words);
  }
}

/* ---- all of it --------------------------------------------------------------- */

static bool has_colors(const ms_pattern *pattern)
{
  for (uint32_t u = 0; u < pattern->n; u++)
    if (pattern->colors[u] > 0)
      return true;
  return false;
}

ms_status ms_domains_new(const ms_pattern_index *index, const ms_pattern *pattern,
                         const ms_shape *shape, const uint64_t *allowed, ms_domains *out,
                         ms_error *err)
{
  builder b = {.index = index, .shape = shape, .allowed = allowed, .out = out,
               .words = ((size_t)index->n + 63) / 64};
  bool colored = has_colors(pattern);
  memset(out, 0, sizeof *out);
  out->index = index;
  out->n = shape->n;
  b.tested = colored || (shape->n >= PLAIN_MIN_VERTICES && index->arcs * shape->n <= PLAIN_MAX_STEPS);
  if (b.tested || allowed) {
    out->store = ms_calloc(b.words * shape->n, sizeof *out->store);
    b.colors = colored ? ms_calloc(b.words * shape->n, sizeof *b.colors) : NULL;
    if (!out->store || (colored && !b.colors)) {
      ms_free(b.colors);
      ms_domains_free(out);
      return ms_fail_memory(err, "domains of pattern vertices");
    }
  }
  for (uint32_t u = 0; u < shape->n; u++)
    take_colors(&b, pattern, u);
  if (b.tested) {
    test_neighborhoods(&b);
    make_consistent(&b);
  } else if (allowed) {
    restrict_to_allowed(&b);
  }
  for (uint32_t u = 0; u < shape->n; u++)
    out->empty = out->empty || out->of[u].count == 0;
  ms_free(b.colors);
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
