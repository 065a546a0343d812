/* Does a binary file hold a typed graph?  Checksums detect damage; here a file may hold anything,
 * and must cause no more than an error message.  The method is that of binary_check.c.
 *
 * Whether each arc has its inverse is decided by a fingerprint, as in row_scan.h: vertices v have
 * random numbers g(v), and types t have random numbers h(t).  An arc of type t from u to w adds
 * g(u) * g(w) * h(t) if u < w, and subtracts g(u) * g(w) * h(inverse of t) if u > w.  The two arcs
 * of an edge cancel.  If some arcs do not, the rest is a nonzero polynomial in the numbers. */
#include "base/alloc.h"
#include "base/parallel.h"
#include "base/status.h"
#include "graph/formats/findings.h"
#include "graph/formats/row_scan.h"
#include "graph/formats/typed_binary.h"

#include <string.h>

#define ALL_TYPES ((size_t)1 << 16)   /* values of an ms_type */
#define PART_ARCS ((uint64_t)1 << 18) /* for one thread at a time */

/* ---- types --------------------------------------------------------------- */

static ms_status fail_type(const ms_typed_binary *file, uint32_t type, const char *what,
                           ms_error *err)
{
  return ms_fail(err, MS_ERR_INPUT,
                 "%s: is not a valid graph: type %u of edges %s; create the file again",
                 file->label, type, what);
}

static ms_status check_inverses(const ms_typed_binary *file, ms_error *err)
{
  for (uint32_t t = 0; t < file->types; t++) {
    ms_type back = file->inverse[t];
    if (back >= file->types || file->inverse[back] != t)
      return fail_type(file, t, "is not the inverse of its inverse", err);
    if (file->is_inverse[t] > 1 || (file->is_inverse[t] && file->is_inverse[back]))
      return fail_type(file, t, "and its inverse are both marked as inverses", err);
  }
  return MS_OK;
}

/* Returns the number of a type that is called "untyped", or MS_NO_ID. */
static uint32_t find_untyped(const ms_name_blocks *types)
{
  for (uint32_t t = 0; t < types->count; t++)
    if (strcmp(types->pool + types->start[t], "untyped") == 0)
      return t;
  return MS_NO_ID;
}

typedef struct vertex_check {
  const ms_type *type;
  uint32_t types, untyped;
} vertex_check;

static void scan_vertices(void *user, ms_range r)
{
  ms_findings *f = user;
  const vertex_check *c = f->section;
  uint64_t bad = MS_NONE_BAD, untyped = 0;
  for (uint64_t v = r.begin; v < r.end; v++) {
    if (c->type[v] >= c->types)
      bad = ms_lesser(bad, v);
    untyped += c->type[v] == c->untyped;
  }
  ms_note_bad(f, bad);
  ms_add_sum(&f->sum, untyped);
}

static ms_status check_vertices(const ms_typed_binary *file, int threads, uint32_t *untyped,
                                ms_error *err)
{
  const ms_name_blocks *types = &file->names[MS_TYPED_VERTEX_TYPES];
  const vertex_check c = {file->vertex_type, types->count, find_untyped(types)};
  ms_findings f = {.section = &c, .bad = MS_NONE_BAD};
  ms_parallel(threads, file->n, 0, scan_vertices, &f);
  if (f.bad != MS_NONE_BAD)
    return ms_binary_fail_row(file->label, f.bad, "a type of vertices that does not exist", err);
  *untyped = (uint32_t)f.sum;
  return MS_OK;
}

/* ---- rows ---------------------------------------------------------------- */

typedef struct arc_check {
  const ms_typed_binary *file;
  ms_row_key key;
  uint64_t *number; /* [2][ALL_TYPES] what an arc of a type adds, to a lower and to a higher
                       neighbour, without the numbers of its ends; 0 for types that there are not */
  uint64_t self_loops, repeats;
} arc_check;

static uint64_t arc_key(const ms_typed_binary *file, uint64_t a)
{
  return (uint64_t)file->neighbor[a] << 16 | file->type[a];
}

/* What a thread finds in its part of the arcs. */
typedef struct part_sums {
  uint64_t sum, self_loops, repeats;
} part_sums;

/* Arcs of one row, and what was found so far: */
typedef struct row_scan {
  uint64_t at, end;
  uint64_t before; /* the key of the arc in front of `at`; 0: there is none */
  uint64_t sum, same;
  uint32_t most; /* type */
  bool wrong;    /* keys do not ascend */
} row_scan;

/* Adds the arcs to neighbours below `limit`, the next ones of the row. */
static inline __attribute__((always_inline)) void add_arcs(const arc_check *c, row_scan *row,
                                                           uint64_t limit, const uint64_t *number)
{
  const uint32_t *neighbor = c->file->neighbor;
  const ms_type *type = c->file->type;
  uint64_t a = row->at, sum = 0, same = 0, before = row->before;
  uint32_t most = row->most;
  bool wrong = false;
  for (; a < row->end && neighbor[a] < limit; a++) {
    uint32_t w = neighbor[a], t = type[a];
    uint64_t key = (uint64_t)w << 16 | t;
    wrong |= key < before;
    same += key == before;
    most = t > most ? t : most;
    before = key;
    sum += number ? ms_row_number(c->key, w) * number[t] : 0;
  }
  *row = (row_scan){a, row->end, before, row->sum + sum, same, most, row->wrong | wrong};
}

/* Adds arcs [begin, end) of row u; returns false if they are wrong (then the sum has no meaning):
 * not ascending, the first one also after the arc in front of it, to a vertex or of a type that
 * does not exist, or a self-loop of the larger of its two types. */
static bool add_row(const arc_check *c, uint32_t u, uint64_t begin, uint64_t end, part_sums *sums)
{
  const ms_typed_binary *file = c->file;
  bool first = begin == file->offset[u];
  row_scan row = {.at = begin, .end = end, .before = first ? 0 : arc_key(file, begin - 1)};
  add_arcs(c, &row, u, c->number);
  uint64_t loops = row.at;
  add_arcs(c, &row, (uint64_t)u + 1, NULL);
  sums->repeats += row.same;
  for (uint64_t a = loops; a < row.at; a++)
    row.wrong |= file->type[a] < file->types && file->type[a] > file->inverse[file->type[a]];
  sums->self_loops += row.at - loops;
  add_arcs(c, &row, UINT64_MAX, c->number + ALL_TYPES);
  sums->repeats += row.same;
  /* no arc is in front of the first one, which may have the key 0 */
  sums->repeats -= first && arc_key(file, begin) == 0 && file->neighbor[begin] >= u;
  sums->sum += ms_row_number(c->key, u) * row.sum;
  return !row.wrong && row.most < file->types &&
         file->neighbor[end - 1] < file->n; /* the largest */
}

static void scan_arcs(void *user, ms_range r)
{
  ms_findings *f = user;
  arc_check *c = (arc_check *)f->section;
  const uint64_t *offset = c->file->offset;
  part_sums sums = {0};
  uint64_t bad = MS_NONE_BAD, begin = r.begin;
  for (uint32_t u = ms_binary_row_of(offset, c->file->n, begin); begin < r.end; u++) {
    uint64_t stop = ms_lesser(offset[u + 1], r.end);
    if (stop == begin)
      continue; /* no neighbours */
    if (!add_row(c, u, begin, stop, &sums))
      bad = ms_lesser(bad, u);
    begin = stop;
  }
  ms_note_bad(f, bad);
  ms_add_sum(&f->sum, sums.sum);
  ms_add_sum(&c->self_loops, sums.self_loops);
  ms_add_sum(&c->repeats, sums.repeats);
}

static ms_status explain_row(const ms_typed_binary *file, uint64_t u, ms_error *err)
{
  for (uint64_t a = file->offset[u]; a < file->offset[u + 1]; a++) {
    ms_type t = file->type[a];
    const char *what = file->neighbor[a] >= file->n ? "a neighbour that is not a vertex"
                       : t >= file->types           ? "a type of edges that does not exist"
                       : file->neighbor[a] == u && t > file->inverse[t]
                           ? "a self-loop of the larger of its two types"
                       : a > file->offset[u] && arc_key(file, a) < arc_key(file, a - 1)
                           ? "neighbours that are not in ascending order"
                           : NULL;
    if (what)
      return ms_binary_fail_row(file->label, u, what, err);
  }
  return ms_binary_fail_row(file->label, u, "a wrong row", err);
}

/* Returns the first arc of row u whose key is `key` or larger. */
static uint64_t find_arc(const ms_typed_binary *file, uint32_t u, uint64_t key)
{
  uint64_t low = file->offset[u], high = file->offset[u + 1];
  while (low < high) {
    uint64_t middle = low + (high - low) / 2;
    if (arc_key(file, middle) < key)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static uint64_t count_arcs(const ms_typed_binary *file, uint32_t u, uint32_t w, ms_type t)
{
  uint64_t key = (uint64_t)w << 16 | t;
  return find_arc(file, u, key + 1) - find_arc(file, u, key);
}

/* Finds the first arc without its inverse, in rows that are right, by searches for each. */
static ms_status explain_asymmetry(const ms_typed_binary *file, ms_error *err)
{
  for (uint32_t u = 0; u < file->n; u++)
    for (uint64_t a = file->offset[u]; a < file->offset[u + 1]; a++) {
      uint32_t w = file->neighbor[a];
      ms_type t = file->type[a];
      if (w != u && count_arcs(file, u, w, t) != count_arcs(file, w, u, file->inverse[t]))
        return ms_binary_fail_row(file->label, u, "an edge without its inverse", err);
    }
  return MS_OK;
}

/* Gives each type its number, which depends on the key and not on the file. */
static ms_status draw_numbers(arc_check *c, ms_error *err)
{
  const ms_typed_binary *file = c->file;
  c->number = ms_calloc(2 * ALL_TYPES, sizeof *c->number);
  if (!c->number)
    return ms_fail_memory(err, "types of edges");
  ms_row_key other = ms_row_key_new();
  for (uint32_t t = 0; t < file->types; t++) {
    uint64_t number = ms_row_number(other, t) | 1; /* odd, so that no factor is lost */
    c->number[ALL_TYPES + t] = number;
    c->number[file->inverse[t]] = 0 - number;
  }
  return MS_OK;
}

static ms_status check_rows(const ms_typed_binary *file, int threads, ms_typed_counts *counts,
                            ms_error *err)
{
  arc_check c = {.file = file, .key = ms_row_key_new()};
  ms_findings f = {.section = &c, .bad = MS_NONE_BAD};
  MS_TRY(draw_numbers(&c, err));
  ms_parallel(threads, file->arcs, PART_ARCS, scan_arcs, &f);
  ms_free(c.number);
  if (f.bad != MS_NONE_BAD)
    return explain_row(file, f.bad, err);
  if (f.sum != 0)
    MS_TRY(explain_asymmetry(file, err));
  counts->self_loops = c.self_loops;
  counts->repeats = c.repeats;
  return MS_OK;
}

ms_status ms_typed_binary_check(ms_typed_binary *file, int threads, ms_typed_counts *counts,
                                ms_error *err)
{
  static const char *const what[MS_TYPED_TABLES] = {"vertex", "vertex type", "edge type"};
  uint64_t most = 0;
  *counts = (ms_typed_counts){0};
  MS_TRY(
      ms_binary_check_offsets(file->label, file->offset, file->n, file->arcs, threads, &most, err));
  if (most > UINT32_MAX)
    return ms_binary_fail_row(file->label, 0, "more edges at a vertex than are possible", err);
  counts->max_degree = (uint32_t)most;
  for (int t = 0; t < MS_TYPED_TABLES; t++)
    MS_TRY(ms_binary_check_names(file->label, &file->names[t], what[t], threads, err));
  MS_TRY(check_inverses(file, err));
  MS_TRY(check_vertices(file, threads, &counts->untyped, err));
  return check_rows(file, threads, counts, err);
}
