/* Runs that check themselves: the sample, its chance to find a fault, what is done about each kind
 * of fault, and screens, censuses and counts with faults in what they compute, carry and add up.
 * Every kind of fault is also injected without checks, and then changes the result. */
#include "base/hooks.h"
#include "base/status.h"
#include "parts/paranoid.h"
#include "tests/support/checked_runs.h"
#include "tests/support/test_main.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- faults --------------------------------------------------------------------------------- */

static struct {
  ms_fault_place place;
  uint64_t at, seen, bit; /* the at-th time that the place is reached; the bit, modulo the bits */
  bool always;            /* from the at-th time on */
} wanted;

static uint64_t flip(ms_fault_place place, uint64_t bytes)
{
  if (place != wanted.place)
    return UINT64_MAX;
  uint64_t seen = wanted.seen++;
  return seen == wanted.at || (wanted.always && seen > wanted.at) ? wanted.bit % (8 * bytes)
                                                                  : UINT64_MAX;
}

static void inject(ms_fault_place place, uint64_t at, uint64_t bit, bool checked)
{
  wanted.place = place;
  wanted.at = at;
  wanted.bit = bit;
  wanted.seen = 0;
  wanted.always = false;
  ms_hooks.fault = flip;
  ms_hooks.fault_unchecked = !checked;
}

static void end_faults(void)
{
  ms_hooks = ms_hooks_default;
}

/* ---- a run whose units are numbers ------------------------------------------------------------
 */

typedef struct numbers {
  uint64_t next, sum;  /* of what was added */
  uint64_t bad[64];    /* units of which the first computation is wrong */
  uint32_t n_bad;      /* of these */
  uint32_t wrong_from; /* opinions from this one on are always wrong, each in another way */
  bool always;         /* the first opinion is wrong about the bad units each time */
  uint64_t warned;     /* number of warnings */
  bool in_crew;        /* warnings name a machine */
} numbers;

static uint64_t value(uint64_t unit)
{
  return (unit + 1) * UINT64_C(0x9E3779B97F4A7C15);
}

static void put_values(const numbers *n, uint32_t opinion, const ms_share *share, ms_bytes *out)
{
  uint64_t sum = 0;
  for (uint64_t u = share->first; u < share->last; u++) {
    sum += value(u);
    for (uint32_t i = 0; i < n->n_bad; i++)
      sum ^= n->bad[i] == u && (opinion == 0 || opinion >= n->wrong_from) ? 4 + opinion : 0;
  }
  ms_bytes_put(out, &sum, sizeof sum);
}

static ms_status run_numbers(void *user, const ms_share *share, ms_bytes *out, ms_error *err)
{
  numbers *n = user;
  (void)err;
  put_values(n, 0, share, out);
  for (uint32_t i = 0; i < n->n_bad && !n->always; i++)
    if (share->first <= n->bad[i] && n->bad[i] < share->last)
      n->bad[i] = UINT64_MAX; /* the next time, it is right */
  return MS_OK;
}

static ms_status again_numbers(void *user, uint32_t opinion, const ms_share *share, ms_bytes *out,
                               ms_error *err)
{
  (void)err;
  put_values(user, opinion, share, out);
  return MS_OK;
}

static ms_status add_numbers(void *user, uint64_t first, uint64_t last, const ms_bytes *bytes,
                             bool *enough, ms_error *err)
{
  numbers *n = user;
  uint64_t sum;
  (void)enough, (void)err;
  ck_assert_uint_eq(first, n->next);
  ck_assert_uint_eq(bytes->length, sizeof sum);
  memcpy(&sum, bytes->data, sizeof sum);
  n->sum += sum;
  n->next = last;
  return MS_OK;
}

static const char *name_numbers(void *user, uint32_t opinion)
{
  static const char *const names[] = {"one", "two", "three"};
  (void)user;
  return names[opinion];
}

static void show_numbers(void *user, ms_see_fn see, void *see_user)
{
  numbers *n = user;
  see(see_user, &n->sum, sizeof n->sum);
}

static void count_warning(void *user, const char *message)
{
  numbers *n = user;
  ck_assert_ptr_nonnull(strstr(message, "units"));
  ck_assert_int_eq(strstr(message, " the machine") != NULL, n->in_crew);
  n->warned++;
}

static ms_status run_checked(numbers *n, double fraction, uint64_t units, ms_crew *crew,
                             bool ranges, ms_paranoid_report *report, ms_error *err)
{
  ms_integrity integrity;
  const ms_division division = {.paranoid = fraction};
  ms_identity identity = {0};
  ck_assert_int_eq(ms_identity_open(&identity, "numbers", err), MS_OK);
  const ms_paranoid paranoid = {.fraction = fraction,
                                .integrity = ms_integrity_open(&division, &integrity),
                                .user = n,
                                .again = again_numbers,
                                .name = name_numbers,
                                .state = show_numbers,
                                .warn = count_warning,
                                .warn_user = n,
                                .report = report};
  const ms_crew_job job = {.identity = &identity,
                           .units = units,
                           .seconds = 1e-6,
                           .user = n,
                           .run = run_numbers,
                           .add = add_numbers};
  *report = (ms_paranoid_report){0};
  ms_status status = ms_paranoid_run(&paranoid, crew, &job, ranges, err);
  ms_identity_free(&identity);
  return status;
}

static uint64_t sum_of(uint64_t units)
{
  uint64_t sum = 0;
  for (uint64_t u = 0; u < units; u++)
    sum += value(u);
  return sum;
}

/* The sample is the fraction of the blocks, rounded up, and each unit is added once: all numbers of
 * units to 100, and some large ones, with 6 fractions, at once and in ranges. */
START_TEST(a_sample_is_the_fraction)
{
  static const struct {
    double fraction;
    uint64_t over, under; /* the same in whole numbers */
  } fractions[] = {{1, 1, 1},     {0.5, 1, 2},    {0.3, 3, 10},
                   {0.05, 1, 20}, {0.01, 1, 100}, {1e-9, 1, 1000000000}};
  static const uint64_t more[] = {320, 641, 5000, 32768};
  ms_paranoid_report report;
  ms_error err;
  for (size_t f = 0; f < sizeof fractions / sizeof *fractions; f++)
    for (uint64_t i = 1; i <= 104; i++)
      for (int ranges = 0; ranges < 2; ranges++) {
        uint64_t units = i <= 100 ? i : more[i - 101];
        numbers n = {.wrong_from = MS_OPINIONS};
        ck_ok(run_checked(&n, fractions[f].fraction, units, NULL, ranges, &report, &err));
        ck_assert_uint_eq(n.sum, sum_of(units));
        ck_assert_uint_eq(n.next, units);
        uint64_t over = fractions[f].over, under = fractions[f].under;
        uint64_t usual = (16 * under + over - 1) / over;
        uint64_t blocks = units < usual ? units : usual;
        ck_assert_uint_eq(report.blocks, blocks);
        ck_assert_uint_eq(report.checked, (over * blocks + under - 1) / under);
        ck_assert(report.fraction == fractions[f].fraction);
        ck_assert_uint_eq(report.differences + report.damaged + n.warned, 0);
      }
}
END_TEST

/* Faults in m of 320 blocks are found with the chance 1 - (1 - f)^m, or a little more as the sample
 * is drawn without repetition: 3,000 runs each with m = 1, 5 and 20 and f = 0.05.  The bounds are
 * four standard deviations away. */
START_TEST(the_chance_to_find_a_fault)
{
  static const uint32_t many[] = {1, 5, 20};
  enum { RUNS = 3000 };
  ms_paranoid_report report;
  ms_error err;
  for (size_t i = 0; i < sizeof many / sizeof *many; i++) {
    uint32_t found = 0, m = many[i];
    for (int run = 0; run < RUNS; run++) {
      numbers n = {.wrong_from = MS_OPINIONS, .n_bad = m};
      for (uint32_t j = 0; j < m; j++)
        n.bad[j] = 31 * j;
      ck_ok(run_checked(&n, 0.05, 640, NULL, false, &report, &err));
      ck_assert_uint_eq(report.checked, 16);
      found += report.differences > 0;
    }
    double chance = 1 - pow(0.95, m), exact = 1;
    for (uint32_t j = 0; j < m; j++) /* 1 - C(320 - m, 16) / C(320, 16) */
      exact *= (320.0 - 16 - j) / (320.0 - j);
    exact = 1 - exact;
    ck_assert(exact >= chance - 1e-12);
    double deviation = sqrt(exact * (1 - exact) / RUNS);
    ck_assert_msg(fabs(found / (double)RUNS - exact) < 4 * deviation, "m = %u: %u of %d", m, found,
                  RUNS);
  }
}
END_TEST

/* With the fraction 1, a wrong first or second result is put right, whichever block it is in, at
 * once and in ranges; without checks, a wrong first one is not found. */
START_TEST(a_wrong_result_is_computed_again)
{
  ms_paranoid_report report;
  ms_error err;
  for (uint64_t at = 0; at < 16; at++)
    for (int second = 0; second < 2; second++) {
      numbers n = {.wrong_from = MS_OPINIONS};
      inject(second ? MS_FAULT_SECOND : MS_FAULT_RESULT, at, 7 * at, true);
      ck_ok(run_checked(&n, 1, 100, NULL, at % 2, &report, &err));
      ck_assert_uint_eq(n.sum, sum_of(100));
      ck_assert_uint_eq(report.differences, 1);
      ck_assert_uint_eq(n.warned, 1);
    }
  numbers n = {.wrong_from = MS_OPINIONS};
  inject(MS_FAULT_RESULT, 0, 5, false);
  ck_ok(run_checked(&n, 1, 100, NULL, false, &report, &err));
  ck_assert_uint_ne(n.sum, sum_of(100));
  ck_assert_uint_eq(report.differences + report.damaged, 0);
  end_faults();
}
END_TEST

/* If the first opinion is always wrong about a unit, the third one decides for the second; if all
 * three differ, the run fails, and says between whom. */
START_TEST(a_third_opinion_decides)
{
  ms_paranoid_report report;
  ms_error err;
  numbers n = {.wrong_from = MS_OPINIONS, .n_bad = 1, .bad = {70}, .always = true};
  ck_ok(run_checked(&n, 1, 100, NULL, false, &report, &err));
  ck_assert_uint_eq(n.sum, sum_of(100));
  ck_assert_uint_eq(report.differences, 1);
  n = (numbers){.wrong_from = 1, .n_bad = 1, .bad = {70}, .always = true};
  ck_assert_int_eq(run_checked(&n, 1, 100, NULL, false, &report, &err), MS_ERR_INTERNAL);
  ck_assert_ptr_nonnull(strstr(err.message, "one"));
  ck_assert_ptr_nonnull(strstr(err.message, "three"));
  ck_assert_uint_le(n.next, 70);
}
END_TEST

/* Each flip of a single bit of a contribution on its way to the sum is found, whatever the
 * fraction, and a flip in the sum ends the run; without checks, neither is found. */
START_TEST(sums_carry_checksums)
{
  ms_paranoid_report report;
  ms_error err;
  for (uint64_t bit = 0; bit < 64; bit++) {
    numbers n = {.wrong_from = MS_OPINIONS};
    inject(MS_FAULT_SUM, bit % 3, bit, true);
    ck_ok(run_checked(&n, 0.01, 5000, NULL, bit % 2, &report, &err));
    ck_assert_uint_eq(n.sum, sum_of(5000));
    ck_assert_uint_eq(report.damaged, 1);
    ck_assert_uint_eq(n.warned, 1);
    n = (numbers){.wrong_from = MS_OPINIONS};
    inject(MS_FAULT_STATE, 1 + bit % 3, bit, true);
    ck_assert_int_eq(run_checked(&n, 0.01, 5000, NULL, bit % 2, &report, &err), MS_ERR_INTERNAL);
    ck_assert_ptr_nonnull(strstr(err.message, "memory"));
  }
  for (int state = 0; state < 2; state++) {
    numbers n = {.wrong_from = MS_OPINIONS};
    inject(state ? MS_FAULT_STATE : MS_FAULT_SUM, 1, 3, false);
    ck_ok(run_checked(&n, 0.01, 5000, NULL, false, &report, &err));
    ck_assert_uint_ne(n.sum, sum_of(5000));
    ck_assert_uint_eq(report.damaged, 0);
  }
  end_faults();
}
END_TEST

/* A crew that does ranges of random lengths, each at random by the leader or by a member whose seed
 * comes with the range, and some of them twice, of which one is dropped. */
typedef struct divider {
  ms_crew crew; /* must come first */
  uint64_t state;
} divider;

static uint64_t draw_below(divider *d, uint64_t end)
{
  d->state = d->state * UINT64_C(6364136223846793005) + 1442695040888963407u;
  return (d->state >> 33) % end;
}

static ms_status divide(ms_crew *crew, const ms_crew_job *job, ms_error *err)
{
  divider *d = (divider *)crew;
  ms_status status = MS_OK;
  ms_bytes bytes = {0};
  bool enough = false;
  for (uint64_t at = job->done, end; at < job->units && status == MS_OK; at = end) {
    end = at + 1 + draw_below(d, job->units - at);
    const ms_share share = ms_share_of_range(at, end);
    for (uint64_t times = 1 + (draw_below(d, 4) == 0); times > 0 && status == MS_OK; times--) {
      bytes.length = 0;
      status = job->run(job->user, &share, &bytes, err);
    }
    if (status == MS_OK)
      status = job->add(job->user, at, end, &bytes, &enough, err);
  }
  ms_bytes_free(&bytes);
  return status;
}

/* A crew checks as many blocks as a run alone, whatever its ranges are; what a member has found is
 * reported once, with the name of its machine, and not at all if its range was dropped; damage on
 * the way is found: 200 crews. */
START_TEST(a_crew_reports_what_its_members_find)
{
  ms_paranoid_report report;
  ms_error err;
  uint32_t found = 0, damaged = 0;
  for (uint64_t seed = 1; seed <= 200; seed++) {
    divider d = {.crew = {.leads = true, .seed = seed, .run = divide}, .state = seed};
    numbers n = {.wrong_from = MS_OPINIONS};
    ck_ok(run_checked(&n, 0.1, 1000, &d.crew, false, &report, &err));
    ck_assert_uint_eq(report.blocks, 160);
    ck_assert_uint_eq(report.checked, 16);
    ck_assert_uint_eq(report.differences + report.damaged + n.warned, 0);
    ms_fault_place place = seed % 2 ? MS_FAULT_RESULT : MS_FAULT_SUM;
    n = (numbers){.wrong_from = MS_OPINIONS, .in_crew = true};
    d.state = seed;
    inject(place, seed % 3, seed, true);
    ck_ok(run_checked(&n, 1, 1000, &d.crew, false, &report, &err));
    ck_assert_uint_eq(n.sum, sum_of(1000));
    ck_assert_uint_eq(n.warned, report.differences + report.damaged);
    ck_assert_uint_le(n.warned, 1);
    found += report.differences > 0;
    damaged += report.damaged > 0;
    end_faults();
  }
  ck_assert_uint_ge(found, 50);
  ck_assert_uint_ge(damaged, 50);
}
END_TEST

/* The digest of device memory changes with each bit of 100 words and of 100 bytes. */
START_TEST(a_digest_changes_with_each_bit)
{
  uint32_t word[100];
  uint8_t byte[100];
  for (uint32_t i = 0; i < 100; i++) {
    word[i] = (uint32_t)value(i);
    byte[i] = (uint8_t)value(i);
  }
  uint64_t words = ms_digest_words(word, 100), bytes = ms_digest_bytes(byte, 100);
  for (uint32_t bit = 0; bit < 3200; bit++) {
    word[bit / 32] ^= 1u << bit % 32;
    ck_assert_uint_ne(ms_digest_words(word, 100), words);
    word[bit / 32] ^= 1u << bit % 32;
  }
  for (uint32_t bit = 0; bit < 800; bit++) {
    byte[bit / 8] ^= (uint8_t)(1u << bit % 8);
    ck_assert_uint_ne(ms_digest_bytes(byte, 100), bytes);
    byte[bit / 8] ^= (uint8_t)(1u << bit % 8);
  }
  ck_assert_uint_eq(ms_digest_words(word, 100), words);
}
END_TEST

/* ---- screens, censuses and counts -------------------------------------------------------------
 */

static void ignore_warning(void *user, const char *message)
{
  (void)message;
  ++*(uint32_t *)user;
}

/* Screens, censuses and counts of patterns and motifs give the plain result when they check
 * themselves, also as part of their work, and when each of three kinds of faults hits any of their
 * first ranges; a fault in the sum ends them.  Every fault was reached. */
START_TEST(faults_in_runs_are_found)
{
  checked_inputs s;
  ms_error err;
  ck_ok(checked_inputs_open(&s, &err));
  checked_run_fn *run = checked_runs[_i].run;
  uint32_t plain, sum, warned = 0;
  ms_paranoid_report report;
  ms_division division = MS_DIVISION_DEFAULT;
  division.warn = ignore_warning;
  division.warn_user = &warned;
  ck_ok(run(&s, NULL, &plain, &report, &err));
  ck_assert(report.fraction == 0 && report.blocks == 0);
  division.paranoid = 0.05;
  ck_ok(run(&s, &division, &sum, &report, &err));
  ck_assert_uint_eq(sum, plain);
  ck_assert_uint_ge(report.checked, 1);
  ck_assert_uint_lt(report.checked, report.blocks);
  division.paranoid = 1;
  for (int place = MS_FAULT_RESULT; place <= MS_FAULT_SUM; place++)
    for (uint64_t at = 0; at < 3; at++) {
      inject((ms_fault_place)place, at, 1 + 5 * at, true);
      ck_ok(run(&s, &division, &sum, &report, &err));
      ck_assert_uint_eq(sum, plain);
      ck_assert_uint_gt(wanted.seen, at);
      ck_assert_uint_eq(report.checked + (place == MS_FAULT_SUM), report.blocks);
      ck_assert_uint_eq(report.differences, place != MS_FAULT_SUM);
      ck_assert_uint_eq(report.damaged, place == MS_FAULT_SUM);
    }
  ck_assert_uint_eq(warned, 9);
  inject(MS_FAULT_STATE, 5, 3, true);
  ck_assert_int_eq(run(&s, &division, &sum, &report, &err), MS_ERR_INTERNAL);
  end_faults();
  checked_inputs_close(&s);
}
END_TEST

/* The same faults change the result, or end the run, if nobody looks for them: else the test above
 * would show nothing. */
START_TEST(faults_that_nobody_looks_for_do_harm)
{
  checked_inputs s;
  ms_error err;
  ck_ok(checked_inputs_open(&s, &err));
  checked_run_fn *run = checked_runs[_i].run;
  uint32_t plain, harmed = 0;
  ms_paranoid_report report;
  ms_division division = MS_DIVISION_DEFAULT;
  division.paranoid = 1;
  ck_ok(run(&s, NULL, &plain, &report, &err));
  for (uint64_t bit = 0; bit < 24; bit++) {
    uint32_t sum = 0;
    inject(bit % 2 ? MS_FAULT_RESULT : MS_FAULT_SUM, 0, bit, false);
    ms_status status = run(&s, &division, &sum, &report, &err);
    harmed += status != MS_OK || sum != plain;
    ck_assert(status != MS_OK || report.differences + report.damaged == 0);
  }
  ck_assert_uint_ge(harmed, 4);
  end_faults();
  checked_inputs_close(&s);
}
END_TEST

/* A run refuses what is no part of the work, and lists of matches refuse to be computed twice. */
START_TEST(wrong_options_are_refused)
{
  static const double wrong[] = {-0.1, 1.5, NAN};
  checked_inputs s;
  ms_error err;
  uint32_t sum;
  ms_paranoid_report report;
  ms_division division = MS_DIVISION_DEFAULT;
  ck_ok(checked_inputs_open(&s, &err));
  for (size_t kind = 0; kind < CHECKED_RUNS; kind++)
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
      division.paranoid = wrong[i];
      ck_assert_int_eq(checked_runs[kind].run(&s, &division, &sum, &report, &err), MS_ERR_USAGE);
      ck_assert_ptr_nonnull(strstr(err.message, "`paranoid`"));
    }
  ms_list_options list = MS_LIST_OPTIONS_DEFAULT;
  ms_pattern_options match = MS_PATTERN_OPTIONS_DEFAULT;
  ms_list_result *listed;
  ms_pattern_result *matched;
  division.paranoid = 0.5;
  list.screen.run.division = match.screen.run.division = &division;
  ck_assert_int_eq(ms_list(s.query, &list, &listed, &err), MS_ERR_USAGE);
  ck_assert_ptr_nonnull(strstr(err.message, "`paranoid`"));
  ck_assert_int_eq(ms_pattern_list(s.index, s.pattern, &match, &matched, &err), MS_ERR_USAGE);
  ck_assert_ptr_nonnull(strstr(err.message, "`paranoid`"));
  checked_inputs_close(&s);
}
END_TEST

int main(void)
{
  return RUN_TESTS("paranoid", TEST(a_sample_is_the_fraction), TEST(the_chance_to_find_a_fault),
                   TEST(a_wrong_result_is_computed_again), TEST(a_third_opinion_decides),
                   TEST(sums_carry_checksums), TEST(a_crew_reports_what_its_members_find),
                   TEST(a_digest_changes_with_each_bit),
                   TEST_TIMES(faults_in_runs_are_found, CHECKED_RUNS),
                   TEST_TIMES(faults_that_nobody_looks_for_do_harm, CHECKED_RUNS),
                   TEST(wrong_options_are_refused));
}
