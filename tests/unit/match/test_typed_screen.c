/* The sieve in front of searches for typed patterns, against all maps of small cases.  A failure
 * names its seed. */
#include "base/hooks.h"
#include "base/options.h"
#include "run/match/match.h"
#include "tests/support/allocations.h"
#include "tests/support/search/typed_cases.h"
#include "tests/support/test_main.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CASES = 2000, MOST_N = 12, MOST_P = 5 };

static ms_error err;

/* So many repetitions that a miss in any case of this file is practically impossible: one misses a
 * vertex with a probability below 10^-8. */
static ms_typed_match_options options_of(const typed_case *c, uint64_t seed)
{
  ms_typed_match_options o = MS_TYPED_MATCH_OPTIONS_DEFAULT;
  o.run.threads = 1 + (int)(seed % 3);
  o.run.seed = seed;
  o.induced = c->induced;
  o.screen_mode = MS_SCREEN_ALWAYS;
  o.recurrence = seed & 1 ? MS_SIBLING : MS_CLASSIC;
  o.repetitions = 6;
  ms_hooks.match_cut_share = seed % 4 ? 0 : 0.25; /* of three in four, the index is cut */
  return o;
}

/* Without the cut, the same rows come in the same order. */
static bool lists_the_same_whole(const typed_case *c, ms_typed_match_options o,
                                 const ms_typed_result *r)
{
  ms_typed_result *whole = NULL;
  double share = ms_hooks.match_cut_share;
  ms_hooks.match_cut_share = 2;
  ck_ok(ms_typed_match(c->query, &o, &whole, &err));
  ms_hooks.match_cut_share = share;
  bool same = whole->matches == r->matches &&
              (r->matches == 0 ||
               memcmp(whole->vertices, r->vertices, r->matches * c->p * sizeof(uint32_t)) == 0);
  ms_typed_result_free(whole);
  return same;
}

static bool joins_all(const typed_case *c)
{
  uint32_t part[MOST_P], parts = c->p;
  for (uint32_t i = 0; i < c->p; i++)
    part[i] = i;
  for (uint32_t e = 0; e < c->pattern->edges; e++) {
    uint32_t from = part[c->pattern->edge[e].from], to = part[c->pattern->edge[e].to];
    parts -= from != to;
    for (uint32_t i = 0; i < c->p; i++)
      part[i] = part[i] == from ? to : part[i];
  }
  return parts == 1;
}

static bool has_row(const typed_case *c, const uint32_t *row)
{
  for (uint64_t i = 0; i < c->classes; i++)
    if (memcmp(c->row + i * c->p, row, c->p * sizeof *row) == 0)
      return true;
  return false;
}

/* With the sieve, every row is a match, and all of them are found, in the same order whether the
 * index is cut or not; a count is the same; what the sieve did is told, and no vertex of a match is
 * without repetitions.  2,000 random cases of
 * connected patterns, every third one induced; others are refused. */
START_TEST(finds_all_matches_behind_the_sieve)
{
  uint64_t with = 0, refused = 0, narrowed = 0, cuts = 0;
  for (uint64_t seed = 1; seed <= scaled(CASES); seed++) {
    typed_case c;
    ms_typed_result *r = NULL;
    char text[32];
    typed_case_make(&c, seed, MOST_N, MOST_P);
    c.induced = seed % 3 == 0;
    typed_case_solve(&c);
    ms_typed_match_options o = options_of(&c, seed);
    ms_status status = ms_typed_match(c.query, &o, &r, &err);
    if (!joins_all(&c)) {
      /* nothing to refuse if some vertex has no candidates */
      ck_assert(status == MS_ERR_USAGE || (status == MS_OK && r->matches == 0 && !r->screen));
      refused += status == MS_ERR_USAGE;
      ms_typed_result_free(r);
      typed_case_free(&c);
      continue;
    }
    ck_assert_msg(status == MS_OK, "seed %lu: %s", (unsigned long)seed, err.message);
    ck_assert_msg(r->matches == c.classes, "seed %lu: %lu matches, not %lu", (unsigned long)seed,
                  (unsigned long)r->matches, (unsigned long)c.classes);
    for (uint64_t i = 0; i < r->matches; i++)
      ck_assert(has_row(&c, r->vertices + i * c.p));
    ck_assert(c.maps == 0 || r->screen);
    ck_assert_ptr_nonnull(r->screen_reason);
    cuts += strstr(r->screen_reason, "the index was cut") != NULL;
    ck_assert_msg(lists_the_same_whole(&c, o, r), "seed %lu: another order", (unsigned long)seed);
    for (uint64_t i = 0; i < c.classes * c.p; i++)
      ck_assert_uint_gt(r->screen->hits[c.row[i]], 0);
    if (r->screen) {
      ck_assert_uint_eq(r->screen->n, c.n);
      narrowed += r->screen->flagged < r->vertices_active;
    }
    ms_typed_result_free(r);
    o.embeddings = o.count_only = true;
    ck_ok(ms_typed_match(c.query, &o, &r, &err));
    snprintf(text, sizeof text, "%lu", (unsigned long)c.maps);
    ck_assert_str_eq(r->count_text, text);
    ms_typed_result_free(r);
    with += c.maps > 0;
    typed_case_free(&c);
  }
  ck_assert_uint_gt(with, scaled(CASES) / 8);
  ck_assert_uint_gt(refused, 0);
  ck_assert_uint_gt(narrowed, 0);
  ck_assert_uint_gt(cuts, scaled(CASES) / 16);
}
END_TEST

/* The flags of a screen behind the sieve are the vertices of matches: 2,000 random cases, every
 * fourth one with a required vertex. */
START_TEST(flags_behind_the_sieve)
{
  uint64_t with = 0;
  for (uint64_t seed = 100001; seed <= 100000 + scaled(CASES); seed++) {
    typed_case c;
    ms_flags_result *r;
    uint8_t in_match[MOST_N] = {0};
    typed_case_make(&c, seed, MOST_N, MOST_P);
    typed_case_solve(&c);
    const char *required = ms_typed_name(c.graph, seed % c.n);
    ms_typed_match_options o = options_of(&c, seed);
    o.required = &required;
    o.n_required = seed % 4 == 0;
    for (uint64_t i = 0; i < c.classes; i++) {
      const uint32_t *row = c.row + i * c.p;
      bool wanted = o.n_required == 0;
      for (uint32_t j = 0; j < c.p; j++)
        wanted = wanted || row[j] == seed % c.n;
      for (uint32_t j = 0; j < c.p && wanted; j++)
        in_match[row[j]] = 1;
    }
    if (joins_all(&c)) {
      ck_ok(ms_typed_flags(c.query, &o, &r, &err));
      ck_assert_msg(memcmp(r->flagged, in_match, c.n) == 0, "seed %lu", (unsigned long)seed);
      with += r->count > 0 && r->screen;
      ms_flags_result_free(r);
    }
    typed_case_free(&c);
  }
  ck_assert_uint_gt(with, scaled(CASES) / 20);
}
END_TEST

/* The bound of one repetition before it runs; afterwards it is 0 if every vertex was flagged. */
static double bound_of(uint32_t p)
{
  return 1 - pow(1 - 1.0 / 255, 2 * p - 1);
}

/* Rows that one weak repetition loses are within its bound: over 2,000 random cases with one
 * repetition, no row is wrong, the number of rows that are missing is at most their number times
 * the patterns' size and the bound, and a case that misses rows states a bound. */
START_TEST(misses_within_the_bound)
{
  uint64_t missing = 0;
  double allowed = 0;
  for (uint64_t seed = 200001; seed <= 200000 + scaled(CASES); seed++) {
    typed_case c;
    ms_typed_result *r;
    typed_case_make(&c, seed, MOST_N, MOST_P);
    typed_case_solve(&c);
    ms_typed_match_options o = options_of(&c, seed);
    o.repetitions = 1;
    if (joins_all(&c)) {
      ck_ok(ms_typed_match(c.query, &o, &r, &err));
      for (uint64_t i = 0; i < r->matches; i++)
        ck_assert(has_row(&c, r->vertices + i * c.p));
      missing += c.classes - r->matches;
      allowed += bound_of(c.p) * c.p * (double)c.classes;
      if (r->matches < c.classes)
        ck_assert_double_gt(r->screen->miss_bound, 0);
      ms_typed_result_free(r);
    }
    typed_case_free(&c);
  }
  ck_assert_uint_gt(missing, 0);
  ck_assert_msg((double)missing <= allowed, "%lu missing, %g expected at most",
                (unsigned long)missing, allowed);
}
END_TEST

/* "auto" leaves the sieve out of short searches and says why, and "never" says so, too; both find
 * all matches.  500 random cases. */
START_TEST(leaves_the_sieve_out_of_short_searches)
{
  for (uint64_t seed = 300001; seed <= 300000 + scaled(500); seed++) {
    typed_case c;
    ms_typed_result *r;
    typed_case_make(&c, seed, MOST_N, MOST_P);
    typed_case_solve(&c);
    ms_typed_match_options o = options_of(&c, seed);
    o.screen_mode = seed & 1 ? MS_SCREEN_AUTO : MS_SCREEN_NEVER;
    ck_ok(ms_typed_match(c.query, &o, &r, &err));
    ck_assert_uint_eq(r->matches, c.classes);
    ck_assert_ptr_null(r->screen);
    ck_assert_int_eq(strncmp(r->screen_reason, "no sieve: ", 10), 0);
    ms_typed_result_free(r);
    typed_case_free(&c);
  }
}
END_TEST

/* Too little memory for the sieve's graph is an error that names the option, and a stop token that
 * was set before the search ends it without rows. */
START_TEST(refuses_and_stops)
{
  typed_case c;
  ms_typed_result *r;
  ms_stop *stop;
  uint64_t seed = 1, error = 0, fine = 0;
  do {
    typed_case_make(&c, seed++, MOST_N, MOST_P);
    typed_case_solve(&c);
    if (joins_all(&c) && c.maps > 0)
      break;
    typed_case_free(&c);
  } while (seed < 1000);
  ms_typed_match_options o = options_of(&c, seed);
  for (o.run.memory = 64; o.run.memory < 1 << 20; o.run.memory += o.run.memory / 8) {
    ms_status status = ms_typed_match(c.query, &o, &r, &err);
    error += status == MS_ERR_MEMORY;
    fine += status == MS_OK;
    ck_assert(status == MS_OK || (status == MS_ERR_MEMORY && strstr(err.message, "memory")));
    ck_assert(status != MS_OK || r->matches == c.classes);
    ms_typed_result_free(r);
  }
  ck_assert_uint_gt(error, 0);
  ck_assert_uint_gt(fine, 0);
  o.run.memory = 0;
  ck_ok(ms_stop_new(&stop, &err));
  ms_stop_request(stop);
  o.run.stop = stop;
  ck_ok(ms_typed_match(c.query, &o, &r, &err));
  ck_assert_int_eq(r->run.stopped, MS_ERR_INTERRUPTED);
  ck_assert_uint_eq(r->matches, 0);
  ms_typed_result_free(r);
  ms_stop_free(stop);
  typed_case_free(&c);
}
END_TEST

static ms_status match_once(void *user, ms_error *error)
{
  const typed_case *c = user;
  ms_typed_result *r = NULL;
  ms_typed_match_options o = options_of(c, 2);
  o.run.threads = 1;
  ms_status status = ms_typed_match(c->query, &o, &r, error);
  ms_typed_result_free(r);
  return status;
}

/* Whichever allocation fails in a search behind the sieve, the call reports it, or does without,
 * and leaks no block:
 * three random cases. */
START_TEST(survives_failing_allocations)
{
  uint32_t tried = 0;
  for (uint64_t seed = 400001; tried < 3; seed++) {
    typed_case c;
    typed_case_make(&c, seed, MOST_N, MOST_P);
    typed_case_solve(&c);
    if (joins_all(&c) && c.maps > 0) {
      ck_assert_int_gt(failing_runs_survived(match_once, &c), 20);
      tried++;
    }
    typed_case_free(&c);
  }
}
END_TEST

TEST_MAIN("typed_screen", TEST(finds_all_matches_behind_the_sieve), TEST(flags_behind_the_sieve),
          TEST(misses_within_the_bound), TEST(leaves_the_sieve_out_of_short_searches),
          TEST(refuses_and_stops), TEST(survives_failing_allocations))
