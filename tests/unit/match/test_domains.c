/* Domains against their definition, and indexes by several threads against those by one.  A failure
 * names its seed. */
#include "base/hooks.h"
#include "base/threads/threads.h"
#include "tests/support/search/domain_cases.h"
#include "tests/support/test_main.h"

#include <string.h>

enum { CASES = 600, INDEXES = 300, MOST_THREADS = 6 };

static ms_error err;

/* The domains of 600 random cases are those of the definition, with one thread and with three.
 * In a twentieth of the cases at least, tests drop vertices that have the right colour and degree.
 */
START_TEST(domains_are_right)
{
  uint64_t dropped = 0, cases = scaled(CASES);
  for (uint64_t seed = 0; seed <= cases; seed++) {
    uint64_t bits[DOMAIN_CASE_MAX_P][DOMAIN_CASE_WORDS];
    domain_case c;
    domain_case_make(seed, &c);
    uint64_t left = domain_case_expect(&c, bits), of_color = 0;
    for (int threads = 1; threads <= 3; threads += 2) {
      ms_domains domains;
      ms_hooks.work_for_threads = threads == 1 ? ms_hooks_default.work_for_threads : 1;
      ck_ok(ms_domains_on(NULL, c.index, c.pattern, &c.shape, c.allowed, threads, &domains, &err));
      ck_assert_msg(domain_case_is(&c, &domains, (const uint64_t(*)[DOMAIN_CASE_WORDS])bits),
                    "seed %lu, %d threads", (unsigned long)seed, threads);
      ms_domains_free(&domains);
    }
    for (uint32_t u = 0; u < c.shape.n; u++)
      of_color += c.pattern->colors[u] == 1 ? c.index->n / (c.index->colors + 1) : 0;
    dropped += left > 0 && left < of_color;
    domain_case_free(&c);
  }
  ms_hooks = ms_hooks_default;
  if (cases >= 100)
    ck_assert_uint_gt(dropped, cases / 20);
}
END_TEST

static bool same(const void *a, const void *b, size_t count, size_t size)
{
  return !a == !b && (!a || memcmp(a, b, count * size) == 0);
}

static bool same_index(const ms_pattern_index *a, const ms_pattern_index *b)
{
  bool good =
      same(a->vertex, b->vertex, a->n, sizeof *a->vertex) &&
      same(a->id, b->id, a->n, sizeof *a->id) && same(a->best, b->best, a->n, sizeof *a->best) &&
      same(a->near, b->near, a->n, sizeof *a->near) && same(a->hub, b->hub, a->n, sizeof *a->hub) &&
      a->longest == b->longest && a->longest_above == b->longest_above &&
      a->longest_below == b->longest_below && a->square_degrees == b->square_degrees &&
      a->edge_steps == b->edge_steps && a->middle_paths == b->middle_paths &&
      same(a->closure, b->closure, 2, sizeof *a->closure);
  uint32_t hubs = 0;
  for (uint32_t v = 0; a->hub && v < a->n; v++)
    hubs += a->hub[v] != UINT32_MAX;
  good = good && same(a->hub_bits, b->hub_bits, hubs * a->words, sizeof *a->hub_bits);
  for (uint32_t kind = 0; kind < a->kinds; kind++)
    good = good && same(a->rows[kind].offset, b->rows[kind].offset, a->n + 1, sizeof(uint64_t)) &&
           same(a->rows[kind].neighbor, b->rows[kind].neighbor, a->rows[kind].offset[a->n],
                sizeof(uint32_t));
  if (a->color_offset)
    good = good && same(a->color_offset, b->color_offset, a->colors + 1, sizeof *a->color_offset) &&
           same(a->color_id, b->color_id, a->color_offset[a->colors], sizeof *a->color_id);
  if (a->part || b->part)
    good = good && same(a->part_offset, b->part_offset, a->n + 1, sizeof *a->part_offset) &&
           same(a->part, b->part, a->part_offset[a->n], sizeof *a->part);
  return good;
}

/* The index is the same with two to six threads as with one: with two, ids are appended to rows one
 * after the other; with more, rows are sorted. */
START_TEST(index_does_not_depend_on_threads)
{
  uint64_t parts = 0, hubs = 0, cases = scaled(INDEXES);
  for (uint64_t seed = 1; seed <= cases; seed++) {
    domain_case c;
    ms_pattern_index *index;
    ms_hooks.hub_degree = seed % 2 ? 8 : 64;
    domain_case_make(seed, &c);
    ms_pattern_index_free(c.index);
    ck_ok(ms_pattern_index_new(c.graph, c.coloring, 1, &c.index, &err));
    ms_hooks.work_for_threads = 1;
    for (int threads = 2; threads <= MOST_THREADS; threads += 2) {
      ck_ok(ms_pattern_index_new(c.graph, c.coloring, threads, &index, &err));
      ck_assert_msg(same_index(c.index, index), "seed %lu, %d threads", (unsigned long)seed,
                    threads);
      ms_pattern_index_free(index);
    }
    ms_hooks = ms_hooks_default;
    parts += c.index->part && c.index->part_offset[c.index->n] > 0;
    hubs += c.index->hub != NULL;
    domain_case_free(&c);
  }
  if (cases < 100)
    return;
  ck_assert_uint_gt(parts, cases / 5);
  ck_assert_uint_gt(hubs, cases / 5);
}
END_TEST

TEST_MAIN("domains", TEST(domains_are_right), TEST(index_does_not_depend_on_threads))
