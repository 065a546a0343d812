#include "match/domains.h"

#include "base/alloc.h"
#include "base/hooks.h"
#include "base/status.h"
#include "base/threads/threads.h"
#include "graph/colors.h"
#include "match/domain_task.h"

#include <stdlib.h>
#include <string.h>

/* A pattern without colours is tested only if it is large enough for the tests to exclude
 * vertices, and if graph times pattern is small enough for them to be cheap. */
#define PLAIN_MIN_VERTICES 7u
#define PLAIN_MAX_STEPS (UINT64_C(1) << 23)
/* Vertices next to dropped ones are marked, and tested alone, if that takes at most as many entries
 * of rows as there would be tests, times this: a test reads two or three places in memory. */
#define MARK_ENTRIES 4u

typedef struct builder {
  ms_domain_filter filter;
  const ms_shape *shape;
  ms_domain_task_fn *on_gpu; /* NULL: there is none */
  const ms_domains *whole;   /* the domains in the whole index, of whose cut `index` is; or NULL */
  const uint32_t *id;        /* [whole->index->n] as ms_pattern_index_cut returns it */
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
  uint64_t *rounds;       /* the memory of the next two and of the marks */
  uint64_t *dropped;      /* [shape->n][words] the ids that the test of now drops */
  uint64_t
      *before; /* [shape->n][words] the ids that the last round dropped, in words [first, end) */
  size_t first[MS_MAX_PATTERN], end[MS_MAX_PATTERN];
  uint64_t *marks; /* [words] working space */
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

void ms_domain_meet(ms_domain *domain, const uint64_t *set, uint64_t *bits, size_t words)
{
  if (!domain->bits) {
    memset(bits, 0, words * sizeof *bits);
    ms_bits_set_range(bits, domain->lo, domain->hi);
  } else if (domain->bits != bits) {
    memcpy(bits, domain->bits, words * sizeof *bits);
  }
  for (size_t w = 0; w < words; w++)
    bits[w] &= set[w];
  domain->bits = bits;
  ms_domain_close(domain);
  if (domain->count == domain->hi - domain->lo)
    domain->bits = NULL; /* a range */
}

/* Takes the vertices with an accepted colour and, where that costs nothing, at
 * least u's degree. */
static void take_colors(builder *b, const ms_pattern *pattern, uint32_t u)
{
  const ms_pattern_index *index = b->filter.index;
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
    *domain = (ms_domain){.hi = index->n, .bits = bits};
    ms_domain_close(domain);
  }
  b->only_color[u] = pattern->colors[u] == 1 ? c : UINT32_MAX;
}

/* ---- conditions ------------------------------------------------------------- */

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
  if (!s->directed || !b->filter.index->directed)
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
                               ms_domain_condition *conditions, ms_bitset *found)
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
        conditions[count++] = (ms_domain_condition){.rows = kinds[k], .color = b->only_color[w]};
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
                                       ms_domain_condition *conditions)
{
  ms_bitset near[2];
  uint32_t count = 0;
  int kinds[2];
  for (uint32_t k = 0, n = row_kinds(b, u, kinds, near); k < n; k++)
    MS_EACH_MEMBER (w, near[k])
      if (ms_bitset_has(&of, w))
        conditions[count++] = (ms_domain_condition){kinds[k], &b->out->of[w], 1, b->only_color[w]};
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

static ms_quick_test quick_test_for(const builder *b, uint32_t u)
{
  ms_quick_test g = {.best = best_degree(b->shape, u)};
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

/* ---- passes over all domains ------------------------------------------------ */

/* Tests vertices against the neighbours' domains by colour and degree. After a
 * test the domains of a group differ, and the count needs one domain that
 * contains them all. */
static void test_neighborhoods(builder *b)
{
  ms_domain colors[MS_MAX_PATTERN];
  ms_domain_condition conditions[2 * MS_MAX_PATTERN];
  memcpy(colors, b->out->of, sizeof colors);
  for (uint32_t u = 0; u < b->shape->n; u++) {
    uint32_t count = require_groups(b, u, colors, conditions, &b->found[u]);
    ms_quick_test g = quick_test_for(b, u);
    if (ms_domain_filter_keep(&b->filter, &b->out->of[u], b->out->store + u * b->words, conditions,
                              count, &g, NULL, NULL) == 0)
      ms_bitset_add(&b->whole_colors, u);
  }
}

/* Marks the vertices of u's domain next to those that the last round dropped from the domains of
 * the pattern vertices `of`.  The others have the same neighbours in these domains as before.
 * Returns NULL if that takes longer than to test all. */
static const uint64_t *mark_affected(builder *b, uint32_t u, ms_bitset of)
{
  const ms_domain *domain = &b->out->of[u];
  uint64_t entries = (uint64_t)MARK_ENTRIES * domain->count * ms_bitset_count(of);
  size_t first = domain->lo / 64, end = ((size_t)domain->hi + 63) / 64;
  if (b->shape->directed && b->filter.index->directed)
    return NULL;
  memset(b->marks + first, 0, (end - first) * sizeof *b->marks);
  MS_EACH_MEMBER (w, of)
    if (!ms_domain_filter_mark(&b->filter, domain, b->only_color[u], b->before + w * b->words,
                               b->first[w], b->end[w], &entries, b->marks))
      return NULL;
  return b->marks;
}

/* Finds the vertices of u's domain that have no neighbour in the domain of one of `of`.  In the
 * first round all are tested, since these domains may have changed more than once since u was
 * tested. */
static bool find_inconsistent(builder *b, uint32_t u, ms_bitset of, bool first_round)
{
  ms_domain_condition conditions[2 * MS_MAX_PATTERN];
  ms_domain *domain = &b->out->of[u];
  uint32_t count = require_each_neighbour(b, u, of, conditions);
  if (count == 0 || domain->count == 0)
    return false;
  return ms_domain_filter_find(&b->filter, domain, b->out->store + u * b->words, conditions, count,
                               first_round ? NULL : mark_affected(b, u, of),
                               b->dropped + u * b->words);
}

/* Drops what a round found from the domains of `of`, and keeps it for the next round.  Returns
 * whether that may drop enough, too. */
static bool end_round(builder *b, ms_bitset of)
{
  uint64_t *found = b->dropped, all = 0, dropped = 0;
  for (uint32_t u = 0; u < b->shape->n; u++)
    all += b->out->of[u].count;
  MS_EACH_MEMBER (u, of) {
    ms_domain *domain = &b->out->of[u];
    b->first[u] = domain->lo / 64;
    b->end[u] = ((size_t)domain->hi + 63) / 64;
    dropped += domain->count;
    ms_domain_filter_drop(domain, b->out->store + u * b->words, found + u * b->words);
    dropped -= domain->count;
  }
  b->dropped = b->before;
  b->before = found;
  return MS_DOMAIN_ENOUGH * dropped >= all;
}

/* Makes a few rounds of arc consistency, in each of which all vertices are tested against the
 * domains as they were before it, so that a GPU needs one launch.  Vertices that have a neighbour
 * in a domain have it until the domain changes, so that only domains that the round before changed
 * are conditions. */
static void make_consistent(builder *b)
{
  ms_bitset stale[MS_MAX_PATTERN]; /* [shape->n] the neighbours whose domains are conditions of u */
  const ms_shape *s = b->shape;
  for (uint32_t u = 0; u < s->n; u++)
    stale[u] = ms_bitset_minus(ms_shape_near(s, u), ms_bitset_and(b->found[u], b->whole_colors));
  for (int round = 0; round < MS_DOMAIN_ROUNDS; round++) {
    ms_bitset changed = {{0}};
    for (uint32_t u = 0; u < s->n; u++)
      if (find_inconsistent(b, u, stale[u], round == 0))
        ms_bitset_add(&changed, u);
    if (ms_bitset_is_empty(changed) || !end_round(b, changed))
      return;
    for (uint32_t u = 0; u < s->n; u++)
      stale[u] = ms_bitset_and(ms_shape_near(s, u), changed);
  }
}

/* ---- on a GPU ----------------------------------------------------------------- */

/* Seconds of one thread, about: for a vertex, and for a condition on one that passes the quick
 * test, with the rounds after it (Enron, wiki-Vote and R-MAT graphs with 8 to 64 colours). */
#define VERTEX_SECONDS 5e-9
#define CONDITION_SECONDS 1e-8
/* What threads are expected to gain: with 16, domains in an R-MAT graph of 16.7 million edges take
 * 0.7 to 1 times as long as with one, and smaller ones are searched by one thread. */
#define MOST_SPEEDUP 1.5
/* A task that the host does in this time is not described: a GPU needs longer. */
#define SHORT_SECONDS 20e-6

static uint16_t low_bits(ms_bitset set)
{
  return (uint16_t)set.word[0];
}

/* Describes the tests of all domains. */
static void describe(const builder *b, ms_domain_task *task)
{
  ms_domain_condition conditions[2 * MS_MAX_PATTERN];
  uint32_t count = 0;
  double steps = 0;
  *task = (ms_domain_task){.index = b->filter.index,
                           .allowed = b->filter.allowed,
                           .n = b->shape->n,
                           .threads = b->filter.threads,
                           .gpu_weight = ms_hooks.domain_gpu_weight,
                           .bits = b->out->store};
  for (uint32_t u = 0; u < task->n; u++) {
    ms_domain_task_vertex *v = &task->vertex[u];
    ms_bitset near[2], found;
    int kinds[2];
    task->kinds = row_kinds(b, u, kinds, near);
    *v = (ms_domain_task_vertex){.start = b->out->of[u],
                                 .color = b->only_color[u],
                                 .quick = quick_test_for(b, u),
                                 .first = count};
    for (uint32_t k = 0; k < task->kinds; k++) {
      task->kind[k] = (uint16_t)kinds[k];
      v->near[k] = low_bits(near[k]);
    }
    uint32_t groups = require_groups(b, u, b->out->of, conditions, &found);
    for (uint32_t i = 0; i < groups; i++)
      task->condition[count++] = (ms_task_condition){(uint16_t)conditions[i].rows,
                                                     (uint16_t)(conditions[i].domain - b->out->of),
                                                     (uint16_t)conditions[i].need};
    v->end = count;
    v->found = low_bits(found);
    task->seconds +=
        (double)v->start.count *
        (VERTEX_SECONDS +
         CONDITION_SECONDS * groups * ms_domain_filter_share(&b->filter, &v->start, &v->quick));
    steps += (double)v->start.count * (1 + 3 * groups);
  }
  if (ms_threads_for(b->filter.threads, (uint64_t)steps / task->n) > 1)
    task->seconds /= MOST_SPEEDUP;
}

/* Makes all tests on a GPU.  Returns false if there is none, or if the host has to make them: it
 * is as fast, or the GPU failed. */
static bool filter_on_gpu(builder *b)
{
  ms_domain_task task;
  uint64_t tests = 0;
  if (!b->on_gpu || b->whole || b->shape->n > MS_DOMAIN_TASK_VERTICES)
    return false;
  for (uint32_t u = 0; u < b->shape->n; u++) {
    if (b->out->of[u].count == 0)
      return false;
    tests += (uint64_t)b->out->of[u].count * (1 + degree_in(b->shape, u));
  }
  if (CONDITION_SECONDS * (double)tests < SHORT_SECONDS * ms_hooks.domain_gpu_weight)
    return false;
  describe(b, &task);
  if (b->on_gpu(&task, NULL) != MS_OK) {
    memset(b->out->store, 0, b->words * b->shape->n * sizeof *b->out->store);
    return false;
  }
  for (uint32_t u = 0; u < b->shape->n; u++) {
    b->out->of[u].bits = b->out->store + u * b->words;
    ms_domain_close(&b->out->of[u]);
  }
  return true;
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

/* True if some domain by colour is no range of ids. */
static bool needs_bits(const ms_pattern_index *index, const ms_pattern *pattern)
{
  for (uint32_t u = 0; u < pattern->n; u++)
    if (pattern->colors[u] > 1 || (pattern->colors[u] == 1 && !index->ranges))
      return true;
  return false;
}

static void find_domains(builder *b, const ms_pattern *pattern)
{
  for (uint32_t u = 0; u < b->shape->n; u++)
    take_colors(b, pattern, u);
  if (b->tested && filter_on_gpu(b))
    return;
  if (b->tested)
    test_neighborhoods(b);
  else if (b->filter.allowed) {
    for (uint32_t u = 0; u < b->shape->n; u++)
      ms_domain_meet(&b->out->of[u], b->filter.allowed, b->out->store + u * b->words, b->words);
  }
  if (b->whole)
    restrict_to_whole(b);
  if (b->tested)
    make_consistent(b);
}

/* Allocates what the tests need; the result frees out->store. */
static ms_status make_room(builder *b, bool bits_of_colors, ms_error *err)
{
  size_t words = b->words * b->shape->n;
  b->out->store = ms_calloc(words, sizeof *b->out->store);
  b->colors = bits_of_colors ? ms_calloc(words, sizeof *b->colors) : NULL;
  b->rounds = b->tested ? ms_alloc(2 * words + b->words, sizeof *b->rounds) : NULL;
  b->dropped = b->rounds;
  b->before = b->rounds ? b->rounds + words : NULL;
  b->marks = b->rounds ? b->rounds + 2 * words : NULL;
  if (b->out->store && (b->colors || !bits_of_colors) && (b->rounds || !b->tested))
    return MS_OK;
  return ms_fail_memory(err, "domains of pattern vertices");
}

static ms_status build(builder *b, const ms_pattern *pattern, ms_error *err)
{
  ms_domains *out = b->out;
  const ms_pattern_index *index = b->filter.index;
  ms_watch_begin(&b->filter.watch);
  b->words = ((size_t)index->n + 63) / 64;
  memset(out, 0, sizeof *out);
  out->index = index;
  out->n = b->shape->n;
  b->tested = ms_pattern_has_colors(pattern) ||
              (b->shape->n >= PLAIN_MIN_VERTICES && index->arcs * b->shape->n <= PLAIN_MAX_STEPS);
  out->implied = !ms_pattern_has_colors(pattern) && !b->filter.allowed && !b->whole;
  ms_status status = MS_OK;
  if (b->tested || b->filter.allowed || b->whole)
    status = make_room(b, b->whole || needs_bits(index, pattern), err);
  if (status == MS_OK) {
    find_domains(b, pattern);
    finish_domains(out);
  } else {
    ms_domains_free(out);
  }
  ms_free(b->colors);
  ms_free(b->rounds);
  return status;
}

ms_status ms_domains_on(ms_domain_task_fn *on_gpu, const ms_pattern_index *index,
                        const ms_pattern *pattern, const ms_shape *shape, const uint64_t *allowed,
                        int threads, ms_domains *out, ms_error *err)
{
  builder b = {.on_gpu = on_gpu,
               .filter = {.index = index, .allowed = allowed, .threads = threads},
               .shape = shape,
               .out = out};
  return build(&b, pattern, err);
}

ms_status ms_domains_cut(const ms_domains *whole, const ms_pattern_index *cut, const uint32_t *id,
                         const ms_pattern *pattern, const ms_shape *shape, int threads,
                         ms_domains *out, ms_error *err)
{
  builder b = {.filter = {.index = cut, .threads = threads},
               .shape = shape,
               .whole = whole,
               .id = id,
               .out = out};
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
    out->of[u] = (ms_domain){.hi = cut->n, .bits = out->store + u * words};
    ms_domain_close(&out->of[u]);
  }
  finish_domains(out);
  return MS_OK;
}

void ms_domains_of_all(const ms_pattern_index *index, uint32_t vertices, ms_domains *out)
{
  *out = (ms_domains){.index = index, .n = vertices};
  for (uint32_t i = 0; i < vertices; i++)
    out->of[i] = (ms_domain){.hi = index->n, .count = index->n};
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
