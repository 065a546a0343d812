/* Tests that the innermost loops of a runner make all the time. */
#ifndef MS_MATCH_CPU_RUNNER_INLINE_H
#define MS_MATCH_CPU_RUNNER_INLINE_H

#include "base/compiler.h"
#include "match/cpu/runner.h"

typedef struct bounds {
  uint32_t lo, hi;
} bounds;

/* Narrows [lo, hi) by the matches of these levels. */
static inline bounds narrow(const ms_runner *r, bounds b, const ms_bounds *by)
{
  for (uint32_t i = 0; i < by->above.count; i++) {
    uint32_t v = r->match[by->above.level[i]];
    b.lo = v >= b.lo ? v + 1 : b.lo;
  }
  for (uint32_t i = 0; i < by->below.count; i++) {
    uint32_t v = r->match[by->below.level[i]];
    b.hi = v < b.hi ? v : b.hi;
  }
  return b;
}

static inline ms_span cut(ms_span s, bounds b)
{
  if (s.length > 0 && s.ids[0] < b.lo) {
    size_t skip = ms_lower_bound(s.ids, s.length, b.lo);
    s.ids += skip;
    s.length -= skip;
  }
  if (s.length > 0 && s.ids[s.length - 1] >= b.hi)
    s.length = ms_lower_bound(s.ids, s.length, b.hi);
  return s;
}

static inline ms_span row_of(const ms_runner *r, uint32_t level, int kind)
{
  uint32_t length;
  const uint32_t *ids = ms_row(&r->program->index->rows[kind], r->match[level], &length);
  return (ms_span){.ids = ids, .length = length};
}

/* Rows are asked for before they are read where they exceed the caches: a row at random is two
 * waits for memory, its offset and its ids, which take longer than all else if rows are short.
 * Inlined by force: gcc believes that a function that only prefetches has no effect, and drops its
 * calls. */
#define MS_FETCH_ARCS (1u << 19) /* of an index that exceeds a cache of 2 MiB */
#define MS_FETCH_AHEAD 4u

/* Asks for the place of a vertex's row. */
MS_ALWAYS_INLINE void fetch_offset(const ms_neighbor_rows *rows, uint32_t v)
{
  __builtin_prefetch(rows->offset + v);
}

/* Asks for both ends of a vertex's row, whose place should be near by now. */
MS_ALWAYS_INLINE void fetch_row(const ms_neighbor_rows *rows, uint32_t v)
{
  __builtin_prefetch(rows->neighbor + rows->offset[v]);
  __builtin_prefetch(rows->neighbor + rows->offset[v + 1]);
}

/* Asks for the first rows of a list. */
MS_ALWAYS_INLINE void fetch_first(const ms_neighbor_rows *rows, ms_span span)
{
  size_t offsets = span.length < 2 * MS_FETCH_AHEAD ? span.length : 2 * MS_FETCH_AHEAD;
  for (size_t i = 0; i < offsets; i++)
    fetch_offset(rows, span.ids[i]);
  for (size_t i = 0; i < MS_FETCH_AHEAD && i < offsets; i++)
    fetch_row(rows, span.ids[i]);
}

/* Asks for rows that follow the i-th one of a list. */
MS_ALWAYS_INLINE void fetch_next(const ms_neighbor_rows *rows, ms_span span, size_t i)
{
  if (i + 2 * MS_FETCH_AHEAD < span.length)
    fetch_offset(rows, span.ids[i + 2 * MS_FETCH_AHEAD]);
  if (i + MS_FETCH_AHEAD < span.length)
    fetch_row(rows, span.ids[i + MS_FETCH_AHEAD]);
}

static inline bool is_adjacent(const ms_runner *r, uint32_t level, int kind, uint32_t v)
{
  ms_span row = row_of(r, level, kind);
  size_t i = ms_lower_bound(row.ids, row.length, v);
  return i < row.length && row.ids[i] == v;
}

static inline bool passes_tests(const ms_runner *r, ms_row_tests tests, uint32_t v)
{
  const ms_row_test *test = r->program->test + tests.first;
  for (uint32_t i = 0; i < tests.count; i++)
    if (is_adjacent(r, test[i].level, test[i].kind, v) == test[i].absent)
      return false;
  return true;
}

/* True if v is within the step's bounds and reached by enough paths. Candidates from the table's
 * list are neither sorted nor cut. A probe has no table. */
static inline bool touched_fits(const ms_runner *r, const ms_step *step, uint32_t v)
{
  bounds b = narrow(r, (bounds){step->domain.lo, step->domain.hi}, &step->bounds);
  return v >= b.lo && v < b.hi &&
         (step->paths == 0 || !r->table || (r->table[v] & ~MS_TABLE_MARK) >= step->paths);
}

static inline bool is_new(const ms_runner *r, const ms_step *step, uint32_t v)
{
  for (uint32_t i = 0; i < step->distinct_list.count; i++)
    if (r->match[step->distinct_list.level[i]] == v)
      return false;
  return step->tests.count == 0 || passes_tests(r, step->tests, v);
}

static inline bool fits(const ms_runner *r, const ms_step *step, uint32_t v)
{
  return (!step->test_bits || ms_domain_has(&step->domain, v)) && is_new(r, step, v) &&
         (step->source != MS_FROM_TOUCHED || touched_fits(r, step, v));
}

#endif
