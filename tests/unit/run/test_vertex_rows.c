/* Censuses of each vertex whose state is saved: what a run passes on that goes on with a vertex
 * that is lacking, and the public call. */
#include "base/threads/stop.h"
#include "census/accelerator.h"
#include "census/census.h"
#include "graph/generate/generate.h"
#include "parts/log.h"
#include "parts/spool.h"
#include "run/units/vertex_rows.h"
#include "tests/support/files.h"
#include "tests/support/graphs/larger_case.h"
#include "tests/support/random.h"
#include "tests/support/test_main.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_STOPS = 200 };

static ms_error err;

/* What a census has passed on, as bytes. */
typedef struct seen {
  uint32_t k;
  unsigned char *bytes;
  size_t length, room;
  uint64_t cut;
  ms_census_summary summary;
} seen;

static void put(seen *s, const void *data, size_t bytes)
{
  if (bytes > s->room - s->length) {
    s->room = 2 * (s->room + bytes);
    s->bytes = realloc(s->bytes, s->room);
    ck_assert_ptr_nonnull(s->bytes);
  }
  if (bytes > 0)
    memcpy(s->bytes + s->length, data, bytes);
  s->length += bytes;
}

static bool receive(void *user, const ms_census_part *part)
{
  const ms_census_vertex *v = part->vertex;
  const uint64_t facts[] = {part->unit, part->is_cut, part->is_first, v->vertex, v->sets, v->count};
  ((seen *)user)->cut += part->is_cut;
  put(user, facts, sizeof facts);
  put(user, v->color, v->count * ((seen *)user)->k * sizeof *v->color);
  put(user, v->n_sets, v->count * sizeof *v->n_sets);
  return true;
}

static ms_status run(const larger_case *c, const ms_census_options *o, seen *s)
{
  *s = (seen){.k = o->k};
  return ms_census_vertices_divided(&ms_census_gpus, c->graph, c->coloring, o, receive, s,
                                    &s->summary, &err);
}

/* Runs with a checkpoint, and stops each time a little later; returns the runs that went on. */
static uint64_t check_stops(const larger_case *c, ms_census_options *o, const seen *whole,
                            ms_division *division, uint64_t seed)
{
  uint64_t resumed = 0, last = 0;
  for (uint64_t i = 0; i < MOST_STOPS; i++) {
    seen s;
    ck_ok(ms_stop_new(&o->run.stop, &err));
    if (i + 1 < MOST_STOPS)
      ms_stop_after_looks(o->run.stop, 4 + 8 * i);
    o->run.threads = 2 - (int)(i % 2);
    ms_status status = run(c, o, &s);
    ms_stop_free(o->run.stop);
    ck_assert_msg(status == MS_OK, "seed %llu, run %llu: %s", (unsigned long long)seed,
                  (unsigned long long)i, err.message);
    resumed += s.summary.run.resumed > 0;
    ck_assert_uint_ge(s.summary.run.resumed, last);
    last = s.summary.run.resumed > 0 ? s.summary.run.resumed : last;
    bool ended = s.summary.run.stopped == MS_OK;
    /* what a stopped run passes on is the beginning of all */
    ck_assert_uint_le(s.length, whole->length);
    ck_assert_msg(s.length == 0 || memcmp(s.bytes, whole->bytes, s.length) == 0,
                  "seed %llu, run %llu", (unsigned long long)seed, (unsigned long long)i);
    if (ended) {
      ck_assert_uint_eq(s.length, whole->length);
      ck_assert_uint_eq(s.summary.vertices, whole->summary.vertices);
      ck_assert_uint_eq(s.summary.rows, whole->summary.rows);
    }
    free(s.bytes);
    if (ended)
      break;
  }
  o->run.stop = NULL;
  ms_unit_log_remove(division->checkpoint);
  ck_assert(access(division->checkpoint, F_OK) != 0);
  return resumed;
}

/* A vertex with very many sets, which comes first, and a path of vertices with few. */
static void make_hub(larger_case *c)
{
  enum { AROUND = 300, PATH = 1500 };
  static uint32_t edge[3 * AROUND + PATH][2];
  uint32_t edges = 0;
  for (uint32_t i = 1; i <= AROUND; i++) {
    const uint32_t next[][2] = {{0, i}, {i, 1 + i % AROUND}, {i, 1 + (i + 6) % AROUND}};
    memcpy(edge + edges, next, sizeof next);
    edges += 3;
  }
  for (uint32_t i = 1; i < PATH; i++, edges++) {
    edge[edges][0] = AROUND + i;
    edge[edges][1] = AROUND + i + 1;
  }
  *c = (larger_case){0};
  ck_ok(ms_graph_from_edges(1 + AROUND + PATH, edges, (const uint32_t(*)[2])edge, NULL, &c->graph,
                            &err));
  ck_ok(ms_generate_colors(c->graph, 2, 3, &c->coloring, &err));
}

/* Where a stop leaves a vertex that is not finished before others that are, the others are counted
 * again: what each run passes on is the beginning of all. */
START_TEST(a_vertex_that_is_lacking_is_counted)
{
  char path[PATH_MAX];
  larger_case c;
  ms_census_options o = MS_CENSUS_OPTIONS_DEFAULT;
  ms_division division = MS_DIVISION_DEFAULT;
  seen whole;
  strcpy(path, files_path("hub"));
  make_hub(&c);
  o.k = 4;
  o.run.engine = "cpu";
  o.run.threads = 2;
  o.run.division = &division;
  ck_ok(run(&c, &o, &whole));
  division.checkpoint = path;
  division.checkpoint_seconds = 1e-9;
  division.resume = true;
  check_stops(&c, &o, &whole, &division, 0);
  free(whole.bytes);
  ms_coloring_free(c.coloring);
  ms_graph_free(c.graph);
}
END_TEST

static bool receive_whole(void *user, const ms_census_vertex *vertex)
{
  const ms_census_part part = {.is_first = true, .vertex = vertex};
  return receive(user, &part);
}

/* The public call passes on the same vertices with a checkpoint, and refuses parts. */
START_TEST(the_public_call_has_checkpoints)
{
  char path[PATH_MAX];
  larger_case c;
  ms_census_options o = MS_CENSUS_OPTIONS_DEFAULT;
  ms_division division = MS_DIVISION_DEFAULT;
  seen plain = {.k = 3}, saved = {.k = 3};
  strcpy(path, files_path("public"));
  larger_make(2, &c);
  o.k = 3;
  o.run.engine = "cpu";
  ck_ok(ms_census_vertices(c.graph, c.coloring, &o, receive_whole, &plain, &plain.summary, &err));
  o.run.division = &division;
  division.checkpoint = path;
  division.checkpoint_seconds = 1e-9;
  ck_ok(ms_census_vertices(c.graph, c.coloring, &o, receive_whole, &saved, &saved.summary, &err));
  ck_assert(plain.length > 0);
  ck_assert_uint_eq(plain.length, saved.length);
  ck_assert_mem_eq(plain.bytes, saved.bytes, plain.length);
  ck_assert_uint_eq(plain.summary.rows, saved.summary.rows);
  ck_assert(access(path, F_OK) == 0); /* it is the caller's */
  ms_unit_log_remove(path);
  division.part = division.parts = 1;
  ck_assert_int_eq(ms_census_vertices(c.graph, c.coloring, &o, receive_whole, &saved, NULL, &err),
                   MS_ERR_USAGE);
  free(plain.bytes);
  free(saved.bytes);
  larger_free(&c);
}
END_TEST

TEST_MAIN("vertex_rows", TEST(a_vertex_that_is_lacking_is_counted),
          TEST(the_public_call_has_checkpoints))
