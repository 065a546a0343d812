/* Lists of patterns in shares: the rows of all units, in the order of the units, are the rows of
 * the undivided list, byte by byte, and the numbers of rows of the units are right.  Over random
 * graphs and patterns, with roots that are cut. */
#include "base/hooks.h"
#include "base/threads/stop.h"
#include "match/row_units.h"
#include "query/pattern.h"
#include "tests/gpu/random_case.h"
#include "tests/support/random.h"
#include "tests/support/search/shares.h"
#include "tests/support/test_main.h"

#include <stdlib.h>
#include <string.h>

enum { CASES = 400, TIMES = 5, SIZE = 40, MOST_ROWS = 100000 };

static ms_error err;

/* Rows, one behind the other. */
typedef struct rows {
  uint32_t length;
  uint32_t *row;
  uint64_t count, room;
  uint64_t *of_unit; /* rows of each unit; NULL: not asked for */
  uint64_t *begin;   /* of each unit, in row[] */
} rows;

static bool keep_rows(void *user, const uint32_t *row, uint64_t count)
{
  rows *r = user;
  if (r->count + count > r->room) {
    r->room = 2 * (r->count + count);
    r->row = realloc(r->row, (r->room * r->length + 1) * sizeof *r->row);
  }
  memcpy(r->row + r->count * r->length, row, count * r->length * sizeof *row);
  r->count += count;
  return true;
}

static void note_unit(rows *r, uint64_t unit, uint64_t count)
{
  r->of_unit[unit] = count;
  r->begin[unit] = r->count - count;
}

static uint64_t make_rows(void *user, const uint32_t *ids, uint64_t count, uint32_t *row)
{
  memcpy(row, ids, count * *(const uint32_t *)user * sizeof *row);
  return count;
}

/* Lists the rows of the units of a share, one by one, or `together` that make a range at once. */
static ms_status list_units(const ms_pattern_task *task, const ms_range_units *units,
                            const ms_share *share, uint64_t together, ms_stream *stream, rows *out)
{
  uint32_t length = out->length;
  ms_status status = MS_OK;
  for (uint64_t u = ms_share_next(share, 0), last; status == MS_OK && u < units->count;
       u = ms_share_next(share, last + 1)) {
    ms_range_unit range = units->unit[u];
    uint64_t before = ms_stream_rows(stream);
    for (last = u; last + 1 < units->count && last + 1 - u < together &&
                   ms_share_has(share, last + 1) &&
                   ms_range_unit_join(&range, &units->unit[last + 1]);)
      note_unit(out, last++, 0);
    status = ms_row_unit_list(task, &range, make_rows, &length, stream, &err);
    note_unit(out, last, ms_stream_rows(stream) - before);
  }
  return status;
}

/* Lists all rows, or those of a share. */
static ms_status list_rows(const ms_program *program, const ms_range_units *units,
                           const ms_share *share, int threads, const ms_stop *stop, rows *out)
{
  uint32_t length = program->prefix;
  ms_stream_options o = {.length = length, .memory = 1 << 20, .rows = keep_rows, .user = out};
  ms_pattern_task task = {.program = program, .threads = threads, .stop = stop};
  ms_stream *stream;
  out->length = length;
  ck_ok(ms_stream_new(&o, &stream, &err));
  uint64_t together = units ? 1 + units->count % 3 : 1;
  ms_status status = units ? list_units(&task, units, share, together, stream, out)
                           : ms_pattern_engine_cpu.list(&task, make_rows, &length, stream, &err);
  ck_assert(status != MS_OK || ms_stream_status(stream) == MS_OK);
  ms_stream_free(stream);
  return status;
}

/* A maker that refuses a row. */
typedef struct refusal {
  uint32_t length;
  uint64_t left; /* rows before it */
} refusal;

static uint64_t make_until(void *user, const uint32_t *ids, uint64_t count, uint32_t *row)
{
  refusal *r = user;
  uint64_t made = count < r->left ? count : r->left;
  memcpy(row, ids, made * r->length * sizeof *row);
  r->left -= made;
  return made;
}

/* Checks that a list ends where a row is refused, after all rows before it; `limited`: with a limit
 * that is not reached. */
static void check_refusal(const ms_program *program, const rows *whole, uint64_t row, bool limited)
{
  rows got = {.length = program->prefix};
  refusal r = {program->prefix, row};
  ms_stream_options o = {.length = program->prefix,
                         .memory = 1 << 20,
                         .limit = limited ? whole->count + 1 : 0,
                         .rows = keep_rows,
                         .user = &got};
  ms_pattern_task task = {.program = program, .threads = 1};
  ms_stream *stream;
  ck_ok(ms_stream_new(&o, &stream, &err));
  ck_ok(ms_pattern_engine_cpu.list(&task, make_until, &r, stream, &err));
  ms_stream_free(stream);
  ck_assert_uint_eq(got.count, row);
  ck_assert_mem_eq(got.row ? got.row : whole->row, whole->row, row * got.length * sizeof *got.row);
  free(got.row);
}

static void compare(const ms_program *program, const rows *whole, uint64_t seed, uint64_t *cut)
{
  ms_range_units units = {0};
  ms_share share[MOST_SHARES];
  uint64_t state = seed, at = 0;
  rows sum = {0};
  ck_ok(ms_row_units_make(program, &units, &err));
  sum.of_unit = malloc((units.count + 1) * sizeof *sum.of_unit);
  sum.begin = malloc((units.count + 1) * sizeof *sum.begin);
  memset(sum.of_unit, 0xff, units.count * sizeof *sum.of_unit);
  uint32_t shares = random_shares(&state, units.count, share);
  for (uint32_t i = 0; i < shares; i++)
    ck_ok(list_rows(program, &units, &share[i], 1 + (int)(seed % 3), NULL, &sum));
  ck_assert_msg(sum.count == whole->count, "seed %llu: %llu rows, not %llu",
                (unsigned long long)seed, (unsigned long long)sum.count,
                (unsigned long long)whole->count);
  for (uint64_t u = 0; u < units.count; u++) {
    *cut += units.unit[u].high < UINT32_MAX;
    ck_assert(sum.of_unit[u] <= whole->count - at);
    ck_assert_mem_eq(sum.row + sum.begin[u] * sum.length, whole->row + at * sum.length,
                     sum.of_unit[u] * sum.length * sizeof *sum.row);
    at += sum.of_unit[u];
  }
  ck_assert(at == whole->count);
  ms_range_units_free(&units);
  free(sum.of_unit);
  free(sum.begin);
  free(sum.row);
}

static ms_program *make_program(const ms_pattern_index *index, const ms_shape *shape,
                                const ms_domains *domains, uint64_t seed, ms_plan **plan)
{
  static const ms_program_options all = {0};
  static const ms_order order[] = {MS_ORDER_AUTO, MS_ORDER_RI, MS_ORDER_DEGREE, MS_ORDER_REUSE};
  ms_program *program;
  ms_plan_input input = {.vertices = index->n,
                         .arcs = (double)index->arcs,
                         .order = order[seed % 4],
                         .square_degrees = index->square_degrees,
                         .constrain = seed / 4 % 2};
  for (uint32_t i = 0; i < shape->n; i++)
    input.domain[i] = domains->of[i].count;
  ck_ok(ms_plan_new(shape, &input, plan, &err));
  ck_ok(ms_program_new(index, *plan, domains->of, &all, &program, &err));
  return program;
}

static bool check_case(uint64_t seed, uint64_t *cut)
{
  static random_case c;
  random_plain plain;
  ms_pattern_index *index;
  ms_shape shape;
  ms_domains domains;
  ms_plan *plan;
  ms_stop *stop;
  rows whole = {0};
  random_case_draw(&c, seed, SIZE);
  if (c.typed)
    return false;
  random_case_plain(&c, &plain);
  ck_ok(ms_pattern_index_new(plain.graph, plain.coloring, 1, &index, &err));
  ms_shape_of(plain.pattern, c.induced, &shape);
  ck_ok(ms_domains_on(NULL, index, plain.pattern, &shape, NULL, 1, &domains, &err));
  bool compared = false;
  if (!domains.empty) {
    ms_program *program = make_program(index, &shape, &domains, seed, &plan);
    ck_assert(ms_stop_new(&stop, NULL) == MS_OK);
    ms_stop_after_looks(stop, 60);
    ms_hooks.row_unit_work = seed / 3 % 2 ? 1 : 40;
    compared = list_rows(program, NULL, NULL, 1, stop, &whole) == MS_OK && whole.count > 0 &&
               whole.count < MOST_ROWS;
    if (compared)
      compare(program, &whole, seed, cut);
    for (uint64_t state = seed, i = 0; compared && i < 4; i++)
      check_refusal(program, &whole, random_below(&state, (uint32_t)whole.count), i % 2);
    ms_stop_free(stop);
    ms_program_free(program);
    ms_plan_free(plan);
  }
  free(whole.row);
  ms_domains_free(&domains);
  ms_pattern_index_free(index);
  random_plain_free(&plain);
  return compared;
}

/* 400 random cases, but those with very many rows.  Each is also listed with a maker of rows that
 * refuses one, four times. */
START_TEST(rows_of_units_are_all_rows)
{
  uint64_t cases = scaled(CASES / TIMES), compared = 0, cut = 0;
  for (uint64_t i = 0; i < cases; i++)
    compared += check_case((uint64_t)_i + TIMES * i, &cut);
  ck_assert_msg(5 * compared >= cases && (cut > 0 || cases < 20), "%llu of %llu cases, %llu cuts",
                (unsigned long long)compared, (unsigned long long)cases, (unsigned long long)cut);
}
END_TEST

/* No dealt part of 2, 4, 7 or 16 lists more than 1.2 times as many rows of K4 and of paths in an
 * R-MAT graph as the mean. */
START_TEST(parts_are_even)
{
  static const uint32_t parts[] = {2, 4, 7, 16};
  static const char *const patterns[] = {"triangle", "path:3", "k4"};
  ms_generate_options o = MS_GENERATE_OPTIONS_DEFAULT;
  ms_graph *graph;
  ms_pattern_index *index;
  o.family = MS_FAMILY_RMAT;
  o.given = MS_GEN_SCALE | MS_GEN_EDGES;
  o.scale = 11;
  o.edges = 12000;
  ms_hooks.row_unit_work = 256;
  ck_ok(ms_generate(&o, &graph, &err));
  ck_ok(ms_pattern_index_new(graph, NULL, 1, &index, &err));
  for (int i = 0; i < 3; i++) {
    ms_pattern *pattern;
    ms_shape shape;
    ms_domains domains;
    ms_plan *plan;
    ms_range_units units = {0};
    rows all = {0};
    ck_ok(ms_pattern_named(patterns[i], &pattern, &err));
    ms_shape_of(pattern, false, &shape);
    ck_ok(ms_domains_on(NULL, index, pattern, &shape, NULL, 1, &domains, &err));
    ms_program *program = make_program(index, &shape, &domains, 4, &plan);
    ck_ok(ms_row_units_make(program, &units, &err));
    all.of_unit = calloc(units.count, sizeof *all.of_unit);
    all.begin = calloc(units.count, sizeof *all.begin);
    ck_ok(list_rows(program, &units, NULL, 1, NULL, &all));
    for (int j = 0; j < 4; j++) {
      uint64_t of[16] = {0}, most = 0;
      for (uint64_t u = 0; u < units.count; u++)
        of[u % parts[j]] += all.of_unit[u];
      for (uint32_t p = 0; p < parts[j]; p++)
        most = of[p] > most ? of[p] : most;
      double times = (double)most * parts[j] / (double)all.count;
      ck_assert_msg(times <= 1.2, "%s: a part of %u has %.2f times the mean", patterns[i], parts[j],
                    times);
    }
    free(all.of_unit);
    free(all.begin);
    free(all.row);
    ms_range_units_free(&units);
    ms_program_free(program);
    ms_plan_free(plan);
    ms_domains_free(&domains);
    ms_pattern_free(pattern);
  }
  ms_pattern_index_free(index);
  ms_graph_free(graph);
}
END_TEST

TEST_MAIN("row_units", TEST_TIMES(rows_of_units_are_all_rows, TIMES), TEST(parts_are_even))
