/* One pass tests every arc and leaves a bit for it; rows are then counted by
 * their bits, and filled from them. */
#include "base/alloc.h"
#include "base/status.h"
#include "base/threads.h"
#include "graph/typed/filter.h"

#define CHUNK ((uint64_t)1 << 15) /* arcs; a multiple of 64 */
#define ROWS 4096                 /* rows at a time, where the work is by rows */

typedef struct pass {
  const ms_typed_rows *rows;
  const ms_type_filter *filter;
  int threads;
  uint64_t *keep;   /* bits [arcs] */
  uint64_t *begin;  /* [n + 1] kept arcs of the rows before */
  uint32_t *number; /* [n] of a vertex that stays */
  ms_typed_part *part;
} pass;

/* ---- the test of every arc ---------------------------------------------------- */

/* The row that arc a is in: the last v with offset[v] <= a. */
static uint32_t row_of(const ms_typed_rows *rows, uint64_t a)
{
  uint32_t low = 0, high = rows->n;
  while (high - low > 1) {
    uint32_t middle = low + (high - low) / 2;
    if (rows->offset[middle] <= a)
      low = middle;
    else
      high = middle;
  }
  return low;
}

/* Arcs first..last-1 are all of row v.  The type of the far end, which is
 * anywhere in memory, is looked at only where the rest fits. */
static void test_row(const pass *p, uint32_t v, uint64_t first, uint64_t last)
{
  const ms_typed_rows *rows = p->rows;
  const ms_type_filter *f = p->filter;
  uint32_t class = f->vertex_class[rows->vertex_type[v]];
  const uint8_t *some = f->some + (size_t)class * f->arc_types;
  if (class == 0)
    return;
  for (uint64_t a = first; a < last; a++)
    if (some[rows->type[a]] &&
        ms_type_filter_keeps(f, rows->vertex_type[v], rows->type[a],
                             rows->vertex_type[rows->neighbor[a]]))
      p->keep[a >> 6] |= UINT64_C(1) << (a & 63);
}

static void test_chunk(const pass *p, uint64_t first, uint64_t last)
{
  const uint64_t *offset = p->rows->offset;
  for (uint32_t v = row_of(p->rows, first); first < last; v++) {
    uint64_t end = offset[v + 1] < last ? offset[v + 1] : last;
    test_row(p, v, first, end);
    first = end > first ? end : first;
  }
}

static void test_all(const pass *p)
{
  uint64_t arcs = p->rows->arcs, chunks = arcs / CHUNK + (arcs % CHUNK != 0);
#pragma omp parallel for num_threads(p->threads) schedule(dynamic, 1)
  for (uint64_t c = 0; c < chunks; c++)
    test_chunk(p, c * CHUNK, arcs - c * CHUNK < CHUNK ? arcs : (c + 1) * CHUNK);
}

/* ---- rows --------------------------------------------------------------------- */

/* The bits of word w that belong to arcs first..last-1. */
static uint64_t word_of(const pass *p, uint64_t w, uint64_t first, uint64_t last)
{
  uint64_t bits = p->keep[w];
  if (w == first >> 6)
    bits &= UINT64_MAX << (first & 63);
  if (w == last >> 6)
    bits &= (UINT64_C(1) << (last & 63)) - 1;
  return bits;
}

static uint64_t count_row(const pass *p, uint32_t v)
{
  uint64_t first = p->rows->offset[v], last = p->rows->offset[v + 1], count = 0;
  if (p->filter->vertex_class[p->rows->vertex_type[v]] == 0 || first == last)
    return 0;
  for (uint64_t w = first >> 6; w <= (last - 1) >> 6; w++)
    count += (uint64_t)__builtin_popcountll(word_of(p, w, first, last));
  return count;
}

static void fill_row(const pass *p, uint32_t v)
{
  const ms_typed_rows *rows = p->rows;
  ms_typed_rows *to = &p->part->rows;
  uint64_t first = rows->offset[v], last = rows->offset[v + 1], at = p->begin[v];
  uint32_t number = p->number[v];
  p->part->vertex[number] = v;
  to->vertex_type[number] = rows->vertex_type[v];
  to->offset[number] = at;
  if (p->begin[v + 1] == at)
    return;
  for (uint64_t w = first >> 6; w <= (last - 1) >> 6; w++)
    for (uint64_t bits = word_of(p, w, first, last); bits; bits &= bits - 1) {
      uint64_t a = w << 6 | (uint64_t)__builtin_ctzll(bits);
      to->neighbor[at] = p->number[rows->neighbor[a]];
      to->type[at++] = rows->type[a];
    }
}

static bool stays(const pass *p, uint32_t v)
{
  return p->begin[v + 1] > p->begin[v] ||
         ms_type_in(p->filter->alone, p->rows->vertex_type[v]);
}

/* begin and number of every row; the number of vertices that stay. */
static uint32_t place_rows(const pass *p)
{
  uint32_t n = p->rows->n, left = 0;
  uint64_t place = 0;
#pragma omp parallel for num_threads(p->threads) schedule(dynamic, ROWS)
  for (uint32_t v = 0; v < n; v++)
    p->begin[v] = count_row(p, v);
  for (uint32_t v = 0; v < n; v++) {
    uint64_t count = p->begin[v];
    p->begin[v] = place;
    place += count;
  }
  p->begin[n] = place;
  for (uint32_t v = 0; v < n; v++)
    if (stays(p, v))
      p->number[v] = left++;
  return left;
}

static ms_status make_part(pass *p, ms_error *err)
{
  uint32_t left = place_rows(p);
  uint64_t arcs = p->begin[p->rows->n];
  p->part = ms_calloc(1, sizeof *p->part);
  if (!p->part)
    return ms_fail_memory(err, "a part of a typed graph");
  ms_status status = ms_typed_rows_alloc(left, arcs, &p->part->rows, err);
  p->part->vertex = ms_alloc(left, sizeof *p->part->vertex);
  if (status == MS_OK && !p->part->vertex)
    status = ms_fail_memory(err, "a part of a typed graph");
  if (status != MS_OK)
    return status;
#pragma omp parallel for num_threads(p->threads) schedule(dynamic, ROWS)
  for (uint32_t v = 0; v < p->rows->n; v++)
    if (stays(p, v))
      fill_row(p, v);
  p->part->rows.offset[left] = arcs;
  return MS_OK;
}

ms_status ms_typed_filter_part(const ms_typed_rows *rows, const ms_type_filter *filter, int threads,
                               ms_typed_part **out, ms_error *err)
{
  pass p = {.rows = rows, .filter = filter, .threads = ms_threads_for(threads, rows->arcs)};
  ms_status status = MS_OK;
  *out = NULL;
  p.keep = ms_calloc(rows->arcs / 64 + 1, sizeof *p.keep);
  p.begin = ms_alloc_lines((size_t)rows->n + 1, sizeof *p.begin);
  p.number = ms_alloc_lines(rows->n, sizeof *p.number);
  if (!p.keep || !p.begin || !p.number)
    status = ms_fail_memory(err, "a type filter");
  if (status == MS_OK) {
    test_all(&p);
    status = make_part(&p, err);
  }
  if (status == MS_OK)
    *out = p.part;
  else
    ms_typed_part_free(p.part);
  ms_free(p.keep);
  ms_free(p.begin);
  ms_free(p.number);
  return status;
}
