/* Runs that are done in ranges: the lengths of ranges, runs alone, and screens, censuses and counts
 * of patterns whose ranges a crew does in any order.  motifsieve-mpi, a crew of processes, is
 * tested by tests/mpi.sh. */
#include "base/alloc.h"
#include "base/status.h"
#include "base/threads/stop.h"
#include "graph/generate/generate.h"
#include "parts/crew.h"
#include "tests/support/test_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t draw_state;

static uint32_t draw(uint32_t below)
{
  draw_state = draw_state * 1664525u + 1013904223u;
  return (uint32_t)((uint64_t)draw_state * below >> 32);
}

/* ---- ranges ------------------------------------------------------------------------------ */

/* Ranges are 1 to `left` units long, and as long as takes the seconds; twice as long as the last
 * one while the time of a unit is not known; not more than half of a fair part for several members.
 */
START_TEST(ranges_have_a_length)
{
  ms_pace pace = {.seconds = 1};
  ck_assert_uint_eq(ms_pace_next(&pace, 100, 1), 1);
  ck_assert_uint_eq(ms_pace_next(&pace, 100, 1), 2);
  ck_assert_uint_eq(ms_pace_next(&pace, 100, 1), 4);
  ck_assert_uint_eq(ms_pace_next(&pace, 3, 1), 3);
  ms_pace_note(&pace, 10, 1); /* 0.1 s each */
  ck_assert_uint_eq(ms_pace_next(&pace, 1000, 1), 10);
  ck_assert_uint_eq(ms_pace_next(&pace, 1000, 100), 5);
  ck_assert_uint_eq(ms_pace_next(&pace, 10, 100), 1);
  /* 100 members with contributions that are added in 0.01 s each: 1 s of eight */
  const ms_crew_job job = {.seconds = 0.5};
  ck_assert_double_eq(ms_pace_seconds(&job, 0, 100), 0.5);
  ck_assert_double_eq(ms_pace_seconds(&job, 0.0005, 100), 0.5);
  ck_assert_double_eq(ms_pace_seconds(&job, 0.01, 100), 8);
  ck_assert_double_eq(ms_pace_seconds(&job, 1, 1000), 30);
  ms_pace_note(&pace, 1, 1e-9);
  ms_pace_note(&pace, 1, 1e-9);
  ck_assert_uint_le(ms_pace_next(&pace, UINT64_MAX, 1), 80); /* grows step by step */
  ms_pace_note(&pace, 1, 100);
  ck_assert_uint_eq(ms_pace_next(&pace, 1000, 1), 1);
}
END_TEST

/* Jobs on GPUs: the first range is what the job says, in whole rows; a range takes at least some
 * time although its part is shorter; with rounds, each round begins with such a range, and what is
 * left of it is done in shorter ones. */
START_TEST(ranges_on_gpus_are_long)
{
  ms_crew_job job = {.units = 1000, .seconds = 20, .first = 250, .whole = 64, .least = 0.5};
  ms_pace pace;
  ms_pace_open(&pace, &job);
  ck_assert_uint_eq(ms_pace_next(&pace, 1000, 4), 256);
  ms_pace_note(&pace, 256, 2.56); /* 0.01 s each */
  ck_assert_uint_eq(ms_pace_next(&pace, 744, 4), 128);
  ck_assert_uint_eq(ms_pace_next(&pace, 70, 4), 64); /* 0.5 s are 50 units */
  ck_assert_uint_eq(ms_pace_next(&pace, 6, 4), 6);
  job.round = 500;
  job.first = 100;
  ms_pace_open(&pace, &job);
  for (uint64_t end = 500; end <= 1000; end += 500) {
    ms_pace_in_round(&pace, end);
    ck_assert_uint_eq(ms_pace_next(&pace, 500, 2), 128);
    ms_pace_note(&pace, 128, 1.28);
    ms_pace_in_round(&pace, end);
    ck_assert_uint_eq(ms_pace_next(&pace, 372, 2), 128);
    ck_assert_uint_eq(ms_pace_next(&pace, 244, 2), 64);
    ck_assert_uint_eq(ms_pace_next(&pace, 20, 2), 20);
  }
}
END_TEST

/* A run that goes on knows the time of units: the first range takes a quarter of its seconds, also
 * on GPUs; further ones take all of them, and half of what is left before a deadline. */
START_TEST(ranges_of_a_run_that_goes_on)
{
  ms_error err;
  ms_pace pace = {.unit = 0.01, .first = 3};
  ms_stop *stop, *child;
  ck_ok(ms_stop_new(&stop, &err));
  ms_pace_set(&pace, 2, NULL);
  ck_assert_uint_eq(ms_pace_next(&pace, 1000, 1), 50);
  ms_pace_note(&pace, 50, 0.5);
  ms_pace_set(&pace, 2, stop);
  ck_assert_uint_eq(ms_pace_next(&pace, 1000, 1), 200);
  ms_stop_after(stop, 1000);
  ms_pace_set(&pace, 2, stop);
  ck_assert_double_eq(pace.seconds, 2);
  ms_pace_set(&pace, 2000, stop);
  ck_assert_double_le(pace.seconds, 500);
  ck_assert_double_gt(pace.seconds, 400);
  ck_ok(ms_stop_child(stop, 1e-9, &child, &err));
  ms_pace_set(&pace, 2, child);
  ck_assert_uint_eq(ms_pace_next(&pace, 1000, 1), 1);
  pace = (ms_pace){.unit = 0.01, .first = 3, .rounds = true};
  ms_pace_set(&pace, 2, NULL);
  ck_assert_uint_eq(ms_pace_next(&pace, 1000, 1), 3);
  ms_stop_free(child);
  ms_stop_free(stop);
}
END_TEST

/* A range that is stopped says something of the time of units only if it took longer than it should
 * have; then the next range has half as many units.  A range that is short because of a deadline
 * says nothing, whether it is stopped or not. */
START_TEST(ranges_that_are_stopped)
{
  ms_pace pace = {.seconds = 1, .unit = 0.01, .last = 100};
  ms_pace_stopped(&pace, 100, 0.9);
  ck_assert_uint_eq(ms_pace_next(&pace, 1000, 1), 100);
  ms_pace_stopped(&pace, 100, 1.1);
  ck_assert_uint_le(ms_pace_next(&pace, 1000, 1), 50);
  pace = (ms_pace){.seconds = 1, .last = 64};
  ms_pace_stopped(&pace, 64, 0.5);
  ck_assert_double_eq(pace.unit, 1.0 / 64);
  pace = (ms_pace){.seconds = 1, .unit = 0.01, .last = 100, .noted = 100, .hurries = true};
  ms_pace_stopped(&pace, 49, 100);
  ms_pace_note(&pace, 49, 100);
  ck_assert_double_eq(pace.unit, 0.01);
  ms_pace_note(&pace, 50, 100);
  ck_assert_double_gt(pace.unit, 0.9);
}
END_TEST

typedef struct counting {
  uint64_t next, sum, fails_at, enough_at;
} counting;

static ms_status put_numbers(void *user, const ms_share *share, ms_bytes *out, ms_error *err)
{
  counting *c = user;
  ck_assert_uint_eq(out->length, 0);
  for (uint64_t u = share->first; u < share->last; u++) {
    if (u == c->fails_at)
      return ms_fail(err, MS_ERR_LIMIT, "unit %d", (int)u);
    ms_bytes_put(out, &u, sizeof u);
  }
  return MS_OK;
}

static ms_status add_numbers(void *user, uint64_t first, uint64_t last, const ms_bytes *bytes,
                             bool *enough, ms_error *err)
{
  counting *c = user;
  (void)err;
  ck_assert_uint_eq(first, c->next);
  ck_assert_uint_eq(bytes->length, (last - first) * sizeof(uint64_t));
  for (uint64_t u = first; u < last; u++) {
    uint64_t number;
    memcpy(&number, bytes->data + (u - first) * sizeof number, sizeof number);
    ck_assert_uint_eq(number, u);
    c->sum += number;
  }
  c->next = last;
  *enough = last > c->enough_at;
  return MS_OK;
}

/* Alone, each unit from `done` on is done once and in order; a failure ends the run, and so does a
 * contribution after which no other one is needed: 200 runs of random lengths. */
START_TEST(a_run_alone_does_each_unit_once)
{
  draw_state = 5;
  for (int i = 0; i < 200; i++) {
    uint64_t units = 1 + draw(1000), done = draw((uint32_t)units + 1), wanted = 0;
    counting c = {.next = done, .fails_at = UINT64_MAX, .enough_at = UINT64_MAX};
    ms_crew_job job = {.units = units,
                       .done = done,
                       .seconds = 1e-6,
                       .user = &c,
                       .run = put_numbers,
                       .add = add_numbers};
    ms_error err;
    for (uint64_t u = done; u < units; u++)
      wanted += u;
    ck_assert_int_eq(ms_crew_run(NULL, &job, &err), MS_OK);
    ck_assert_uint_eq(c.sum, wanted);
    ck_assert_uint_eq(c.next, units);
    if (done == units)
      continue;
    c = (counting){
        .next = done, .fails_at = done + draw((uint32_t)(units - done)), .enough_at = UINT64_MAX};
    ck_assert_int_eq(ms_crew_run(NULL, &job, &err), MS_ERR_LIMIT);
    ck_assert_uint_le(c.next, c.fails_at);
    c = (counting){.next = done, .fails_at = UINT64_MAX, .enough_at = done};
    ck_assert_int_eq(ms_crew_run(NULL, &job, &err), MS_OK);
    ck_assert_uint_gt(c.next, done);
  }
}
END_TEST

/* ---- a crew -----------------------------------------------------------------------------------
 */

/* Does random ranges in random order, some of them twice, and adds them in order. */
typedef struct shuffler {
  ms_crew crew; /* must come first */
  uint32_t ranges;
} shuffler;

static ms_status shuffle(ms_crew *crew, const ms_crew_job *job, ms_error *err)
{
  enum { MOST = 64 };
  uint64_t from[MOST + 1];
  ms_bytes bytes[MOST] = {{0}};
  uint32_t order[MOST], count = ((shuffler *)crew)->ranges;
  bool enough = false;
  ms_status status = MS_OK;
  ck_assert(job->identity && job->identity->length > 0);
  for (uint32_t i = 0; i <= count; i++)
    from[i] = i == 0       ? job->done
              : i == count ? job->units
                           : from[i - 1] +
                                 draw((uint32_t)(2 * (job->units - from[i - 1]) / (count - i + 1)));
  for (uint32_t i = 0; i < count; i++) {
    uint32_t at = draw(i + 1);
    order[i] = order[at];
    order[at] = i;
  }
  for (uint32_t i = 0; i < count && status == MS_OK; i++) {
    uint32_t r = order[i];
    ms_share share = ms_share_of_range(from[r], from[r + 1]);
    for (uint32_t times = draw(8) == 0 ? 2 : 1;
         times > 0 && from[r] < from[r + 1] && status == MS_OK; times--) {
      bytes[r].length = 0;
      status = job->run(job->user, &share, &bytes[r], err);
    }
  }
  for (uint32_t r = 0; r < count && status == MS_OK && !enough; r++)
    if (from[r] < from[r + 1])
      status = job->add(job->user, from[r], from[r + 1], &bytes[r], &enough, err);
  for (uint32_t r = 0; r < count; r++)
    ms_bytes_free(&bytes[r]);
  return status;
}

static ms_graph *make_graph(uint32_t n, uint32_t d, ms_coloring **coloring)
{
  ms_graph *graph;
  ms_error err;
  ck_assert_int_eq(ms_generate_regular(n, d, n, &graph, &err), MS_OK);
  ck_assert_int_eq(ms_generate_colors(graph, 3, n, coloring, &err), MS_OK);
  return graph;
}

/* Screens by the sieve that a crew does give the flags, repetitions and bounds of one process, with
 * and without an early stop: ten motifs, 1 to 40 ranges. */
START_TEST(a_crew_screens_as_one_process)
{
  draw_state = 17 + (uint32_t)_i;
  for (uint32_t k = 3; k <= 12; k++) {
    char text[128] = "";
    ms_coloring *coloring;
    ms_graph *graph = make_graph(40, 4, &coloring);
    ms_motif *motif;
    ms_query *query;
    ms_error err;
    ms_screen_result *one, *many;
    ms_screen_options o = MS_SCREEN_OPTIONS_DEFAULT;
    ms_division division = MS_DIVISION_DEFAULT;
    shuffler s = {.crew = {.leads = true, .run = shuffle}, .ranges = 1 + draw(40)};
    for (uint32_t i = 0; i < k; i++)
      snprintf(text + strlen(text), sizeof text - strlen(text), "%sc%u", i ? "," : "", i % 2);
    ck_assert_int_eq(ms_motif_parse(text, coloring, &motif, &err), MS_OK);
    ck_assert_int_eq(ms_query_new(graph, coloring, motif, 0, NULL, &query, &err), MS_OK);
    o.backend = MS_BACKEND_CPU;
    o.run.threads = 1 + (int)draw(2);
    o.no_early_stop = draw(2) == 0;
    o.no_prune = draw(2) == 0;
    ck_assert_msg(ms_screen(query, &o, &one, &err) == MS_OK, "%s", err.message);
    division.crew = &s.crew;
    o.run.division = &division;
    ck_assert_msg(ms_screen(query, &o, &many, &err) == MS_OK, "%s", err.message);
    ck_assert_int_eq(memcmp(one->hits, many->hits, one->n * sizeof *one->hits), 0);
    ck_assert_uint_eq(one->repetitions, many->repetitions);
    ck_assert_uint_eq(one->flagged, many->flagged);
    ck_assert_int_eq(one->early_stop, many->early_stop);
    ck_assert_str_eq(one->miss_bound_text, many->miss_bound_text);
    ck_assert(one->vertices_kept == 0 || many->run.units > 0);
    ms_screen_result_free(one);
    ms_screen_result_free(many);
    ms_query_free(query);
    ms_motif_free(motif);
    ms_coloring_free(coloring);
    ms_graph_free(graph);
  }
}
END_TEST

/* Censuses that a crew does have the numbers of one process: k = 2 to 5, 1 to 40 ranges. */
START_TEST(a_crew_counts_a_census_as_one_process)
{
  draw_state = 3;
  for (uint32_t k = 2; k <= 5; k++) {
    ms_coloring *coloring;
    ms_graph *graph = make_graph(60, 6, &coloring);
    ms_error err;
    ms_census_result *one, *many;
    ms_census_options o = MS_CENSUS_OPTIONS_DEFAULT;
    ms_division division = MS_DIVISION_DEFAULT;
    shuffler s = {.crew = {.leads = true, .run = shuffle}, .ranges = 1 + draw(40)};
    o.k = k;
    o.run.threads = 2;
    o.run.engine = "cpu";
    ck_assert_msg(ms_census(graph, coloring, &o, &one, &err) == MS_OK, "%s", err.message);
    division.crew = &s.crew;
    o.run.division = &division;
    ck_assert_msg(ms_census(graph, coloring, &o, &many, &err) == MS_OK, "%s", err.message);
    ck_assert_uint_eq(one->count, many->count);
    ck_assert_uint_eq(one->sets, many->sets);
    ck_assert_int_eq(memcmp(one->color, many->color, one->count * k * sizeof *one->color), 0);
    ck_assert_int_eq(memcmp(one->n_sets, many->n_sets, one->count * sizeof *one->n_sets), 0);
    ms_census_result_free(one);
    ms_census_result_free(many);
    ms_coloring_free(coloring);
    ms_graph_free(graph);
  }
}
END_TEST

/* Counts of patterns that a crew does are those of one process: six patterns, 1 to 40 ranges. */
START_TEST(a_crew_counts_patterns_as_one_process)
{
  static const char *const patterns[] = {"triangle", "clique:4", "cycle:5",
                                         "path:4",   "star:4",   "cycle:6"};
  draw_state = 8;
  for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
    ms_coloring *coloring;
    ms_graph *graph = make_graph(60, 6, &coloring);
    ms_pattern_index *index;
    ms_pattern *pattern;
    ms_error err;
    ms_pattern_result *one, *many;
    ms_pattern_options o = MS_PATTERN_OPTIONS_DEFAULT;
    ms_division division = MS_DIVISION_DEFAULT;
    shuffler s = {.crew = {.leads = true, .run = shuffle}, .ranges = 1 + draw(40)};
    o.count_only = true;
    o.screen.run.threads = 1;
    ck_assert_msg(ms_pattern_named(patterns[i], &pattern, &err) == MS_OK, "%s", err.message);
    ck_assert_int_eq(ms_pattern_index_new(graph, NULL, 1, &index, &err), MS_OK);
    ck_assert_msg(ms_pattern_list(index, pattern, &o, &one, &err) == MS_OK, "%s", err.message);
    division.crew = &s.crew;
    o.screen.run.division = &division;
    ck_assert_msg(ms_pattern_list(index, pattern, &o, &many, &err) == MS_OK, "%s", err.message);
    ck_assert_str_eq(one->count_text, many->count_text);
    ms_pattern_result_free(one);
    ms_pattern_result_free(many);
    ms_pattern_index_free(index);
    ms_pattern_free(pattern);
    ms_coloring_free(coloring);
    ms_graph_free(graph);
  }
}
END_TEST

int main(void)
{
  return RUN_TESTS(
      "crew", TEST(ranges_have_a_length), TEST(ranges_on_gpus_are_long),
      TEST(ranges_of_a_run_that_goes_on), TEST(ranges_that_are_stopped),
      TEST(a_run_alone_does_each_unit_once), TEST_TIMES(a_crew_screens_as_one_process, 2),
      TEST(a_crew_counts_a_census_as_one_process), TEST(a_crew_counts_patterns_as_one_process));
}
