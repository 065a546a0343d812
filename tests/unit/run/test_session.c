/* Many motifs on one graph: their results are those of single calls, whatever ran where; stops,
 * limits of time, failures, and the files that are written. */
#include "base/alloc.h"
#include "base/hooks.h"
#include "query/query.h"
#include "run/session.h"
#include "tests/support/allocations.h"
#include "tests/support/files.h"
#include "tests/support/graphs/larger_case.h"
#include "tests/support/random.h"
#include "tests/support/test_main.h"

#include <stdio.h>
#include <string.h>

enum { MOTIFS = 20, MOST_K = 5 };

static ms_error err;

/* A graph with colours c0..c3 and motifs on it. */
typedef struct trial {
  larger_case c;
  ms_session *session;
  ms_motif_set *motifs;
  char name[MOTIFS][8], text[MOTIFS][64];
} trial;

static void make_trial(trial *t, uint64_t seed)
{
  static const char *const slots[] = {"c0", "c1", "c2", "c3", "*"};
  const char *name[MOTIFS], *text[MOTIFS];
  larger_make(seed, &t->c);
  for (uint32_t i = 0; i < MOTIFS; i++) {
    uint32_t k = 1 + (uint32_t)(random_next(&seed) % MOST_K);
    snprintf(t->name[i], sizeof t->name[i], "m %u", i);
    t->text[i][0] = '\0';
    for (uint32_t s = 0; s < k; s++) {
      const char *slot = slots[random_next(&seed) % 5];
      if (strcmp(slot, "*") != 0 && !ms_coloring_name(t->c.coloring, (uint32_t)(slot[1] - '0')))
        slot = "*";
      snprintf(t->text[i] + strlen(t->text[i]), sizeof t->text[i] - strlen(t->text[i]), "%s%s",
               s ? "," : "", slot);
    }
    name[i] = t->name[i];
    text[i] = t->text[i];
  }
  ck_ok(ms_motif_set_new(t->c.coloring, MOTIFS, name, text, &t->motifs, &err));
  ck_ok(ms_session_new(t->c.graph, t->c.coloring, &t->session, &err));
}

static void free_trial(trial *t)
{
  ms_session_free(t->session);
  ms_motif_set_free(t->motifs);
  larger_free(&t->c);
}

/* ---- receivers ----------------------------------------------------------------------- */

typedef struct receiver {
  const trial *t;
  const ms_screen_options *screen;
  const ms_list_options *list;
  uint32_t received, last; /* the run ends when `last` are received; 0: none ends it */
  uint32_t found, stopped;
  uint32_t dropped, certain; /* screens that kept fewer vertices than a call, or no other one */
  ms_stop *stop;             /* requested with the receipt of number `stop_at`, from 1 */
  uint32_t stop_at;
} receiver;

/* Notes a result; returns whether the run goes on. */
static bool receive(receiver *r, uint32_t i, ms_status stopped, bool found, double seconds)
{
  ck_assert_uint_eq(i, r->received);
  ck_assert(seconds >= 0);
  r->received++;
  r->found += found;
  r->stopped += stopped != MS_OK;
  if (r->received == r->stop_at)
    ms_stop_request(r->stop);
  return r->received != r->last;
}

static bool on_screen(void *user, uint32_t i, const ms_query *query, const ms_screen_result *got,
                      double seconds)
{
  receiver *r = user;
  ms_screen_result *wanted;
  ms_query *alone; /* the session's query knows the holders of colours */
  if (r->screen) {
    ck_assert_uint_eq(ms_motif_size(query->motif), got->k);
    ck_ok(ms_query_new(r->t->c.graph, r->t->c.coloring, ms_motif_set_motif(r->t->motifs, i), 0,
                       NULL, &alone, &err));
    ck_ok(ms_screen(alone, r->screen, &wanted, &err));
    ms_query_free(alone);
    ck_assert_mem_eq(got->hits, wanted->hits, got->n * sizeof *got->hits);
    if (!got->exact)
      ck_assert_mem_eq(got->kept, wanted->kept, got->n);
    for (uint32_t v = 0; v < got->n; v++) /* a session may drop more */
      ck_assert(got->kept[v] <= wanted->kept[v] && got->kept[v] >= (got->hits[v] > 0));
    r->dropped += got->vertices_kept < wanted->vertices_kept;
    r->certain += got->vertices_kept == got->flagged && got->flagged > 0;
    ck_assert_uint_eq(got->flagged, wanted->flagged);
    ck_assert_str_eq(got->miss_bound_text, wanted->miss_bound_text);
    ck_assert(got->exact == wanted->exact && got->repetitions == wanted->repetitions);
    ms_screen_result_free(wanted);
  }
  return receive(r, i, got->run.stopped, got->flagged > 0, seconds);
}

static bool on_list(void *user, uint32_t i, const ms_query *query, const ms_list_result *got,
                    double seconds)
{
  receiver *r = user;
  ms_list_result *wanted;
  if (r->list) {
    ck_ok(ms_list(query, r->list, &wanted, &err));
    ck_assert_str_eq(got->count_text, wanted->count_text);
    ck_assert(!got->vertices == !wanted->vertices && got->run.stopped == wanted->run.stopped);
    if (got->vertices && r->list->limit == 0)
      ck_assert_mem_eq(got->vertices, wanted->vertices,
                       got->matches * got->k * sizeof *got->vertices);
    ms_list_result_free(wanted);
  }
  return receive(r, i, got->run.stopped, got->matches > 0, seconds);
}

/* ---- results ------------------------------------------------------------------------- */

static void compare_screens(const trial *t, ms_screen_method method, int threads, receiver *sum)
{
  ms_screen_options o = {.size = sizeof o, .method = method, .run.threads = threads};
  o.backend = MS_BACKEND_CPU;
  if (method == MS_METHOD_EXACT)
    o.backend = MS_BACKEND_AUTO;
  receiver r = {.t = t, .screen = &o};
  ck_ok(ms_session_screen(t->session, t->motifs, &o, 0, on_screen, &r, &err));
  ck_assert_uint_eq(r.received, MOTIFS);
  ck_assert_uint_eq(r.stopped, 0);
  sum->dropped += r.dropped;
  sum->certain += r.certain;
}

static void compare_lists(const trial *t, bool exact, bool count_only, uint64_t limit, int threads)
{
  ms_list_options o = {.size = sizeof o,
                       .screen = MS_SCREEN_OPTIONS_DEFAULT,
                       .exact = exact,
                       .count_only = count_only,
                       .limit = limit};
  o.screen.run.threads = threads;
  o.screen.backend = exact ? MS_BACKEND_AUTO : MS_BACKEND_CPU;
  receiver r = {.t = t, .list = &o};
  ck_ok(ms_session_list(t->session, t->motifs, &o, 0, on_list, &r, &err));
  ck_assert_uint_eq(r.received, MOTIFS);
  ck_assert_uint_gt(r.found, 0);
}

/* Each result is that of ms_screen or ms_list, for 20 motifs on each of 60 random graphs.  In half
 * of them, motifs are cut off on one thread at once, and run again by all. */
START_TEST(agrees_with_single_calls)
{
  uint64_t cases = scaled(60);
  receiver sum = {0};
  for (uint64_t seed = 1; seed <= cases; seed++) {
    trial t;
    make_trial(&t, seed);
    ms_hooks.session_moment = seed % 2 ? 1e-9 : 0.1;
    int threads = 1 + (int)(seed % 4);
    compare_screens(&t,
                    seed % 3 == 0   ? MS_METHOD_SIEVE
                    : seed % 3 == 1 ? MS_METHOD_EXACT
                                    : MS_METHOD_AUTO,
                    threads, &sum);
    compare_lists(&t, seed % 5 != 0, seed % 2 == 0, seed % 7 == 0 ? 3 : 0, threads);
    free_trial(&t);
  }
  ck_assert_msg(test_scale() < 1 || (sum.dropped > 50 && sum.certain > 100),
                "dropped more in %u, certain in %u", sum.dropped, sum.certain);
}
END_TEST

/* Compares the screen and the list of two queries of the same motif. */
static void compare_queries(const ms_query *got, const ms_query *wanted, uint32_t extra)
{
  ms_screen_result *s[2];
  ms_list_result *l[2];
  ms_screen_options o = MS_SCREEN_OPTIONS_DEFAULT;
  ms_list_options of_list = MS_LIST_OPTIONS_DEFAULT;
  o.method = MS_METHOD_EXACT;
  o.run.threads = of_list.screen.run.threads = 2;
  o.max_extra = extra;
  of_list.exact = true;
  ck_ok(ms_screen(got, &o, &s[0], &err));
  ck_ok(ms_screen(wanted, &o, &s[1], &err));
  ck_assert_mem_eq(s[0]->hits, s[1]->hits, s[0]->n * sizeof *s[0]->hits);
  ck_assert(!s[0]->cost == !s[1]->cost && !s[0]->cost == !extra);
  for (uint32_t v = 0; s[0]->cost && v < s[0]->n; v++)
    ck_assert(!s[0]->hits[v] || s[0]->cost[v] == s[1]->cost[v]);
  ck_ok(ms_list(got, &of_list, &l[0], &err));
  ck_ok(ms_list(wanted, &of_list, &l[1], &err));
  ck_assert_uint_eq(l[0]->matches, l[1]->matches);
  ck_assert_mem_eq(l[0]->vertices, l[1]->vertices,
                   l[0]->matches * l[0]->k * sizeof *l[0]->vertices);
  for (int i = 0; i < 2; i++) {
    ms_screen_result_free(s[i]);
    ms_list_result_free(l[i]);
  }
}

/* A query of a session finds what a query of the graph finds, also the nearest matches and those of
 * a required vertex, for the motifs of up to 3 slots of 20 random graphs; a motif of other colours
 * is refused. */
START_TEST(queries_agree)
{
  uint32_t served = 0;
  for (uint64_t seed = 1; seed <= scaled(20); seed++) {
    trial t, other;
    make_trial(&t, seed);
    make_trial(&other, seed + 100);
    for (uint32_t i = 0; i < MOTIFS; i++) {
      const ms_motif *motif = ms_motif_set_motif(t.motifs, i);
      const char *required[] = {ms_graph_name(t.c.graph, i)};
      uint32_t needs = i % 2;
      ms_query *got, *wanted;
      if (ms_motif_size(motif) > 3)
        continue;
      ck_ok(ms_session_query(t.session, motif, needs, required, &got, &err));
      ck_ok(ms_query_new(t.c.graph, t.c.coloring, motif, needs, required, &wanted, &err));
      served += got->holders != NULL;
      compare_queries(got, wanted, i % 3 == 0);
      ms_query_free(got);
      ms_query_free(wanted);
      ck_assert_int_eq(ms_session_query(other.session, motif, 0, NULL, &got, &err), MS_ERR_USAGE);
      ck_assert_ptr_null(got);
    }
    free_trial(&t);
    free_trial(&other);
  }
  ck_assert(test_scale() < 1 || served > 20);
}
END_TEST

/* ---- stops --------------------------------------------------------------------------- */

/* The receiver ends the run; a token that is stopped leaves the motifs of the batch, all marked; a
 * limit for each motif stops each, and the run goes on. */
START_TEST(ends_early)
{
  trial t;
  make_trial(&t, 5);
  for (int threads = 1; threads <= 3; threads += 2) {
    ms_stop *stop;
    ck_ok(ms_stop_new(&stop, &err));
    ms_screen_options o = {.size = sizeof o, .method = MS_METHOD_EXACT, .run.threads = threads};
    receiver ended = {.t = &t, .last = 7};
    ck_ok(ms_session_screen(t.session, t.motifs, &o, 0, on_screen, &ended, &err));
    ck_assert_uint_eq(ended.received, 7);
    o.run.stop = stop;
    receiver stopped = {.t = &t, .stop = stop, .stop_at = 4};
    ck_ok(ms_session_screen(t.session, t.motifs, &o, 0, on_screen, &stopped, &err));
    ck_assert(stopped.received == MOTIFS || (stopped.received > 4 && stopped.stopped > 0));
    receiver none = {.t = &t};
    ck_ok(ms_session_screen(t.session, t.motifs, &o, 0, on_screen, &none, &err));
    ck_assert_uint_eq(none.received, 1);
    ck_assert_uint_eq(none.stopped, 1);
    o.run.stop = NULL;
    receiver brief = {.t = &t};
    ck_ok(ms_session_screen(t.session, t.motifs, &o, 1e-9, on_screen, &brief, &err));
    ck_assert_uint_eq(brief.received, MOTIFS);
    ck_assert_uint_gt(brief.stopped, MOTIFS / 2);
    ms_list_options l = {
        .size = sizeof l, .screen = MS_SCREEN_OPTIONS_DEFAULT, .exact = true, .count_only = true};
    l.screen.run.threads = threads;
    receiver counts = {.t = &t};
    ck_ok(ms_session_list(t.session, t.motifs, &l, 1e-9, on_list, &counts, &err));
    ck_assert_uint_eq(counts.received, MOTIFS);
    ck_assert_uint_gt(counts.stopped, MOTIFS / 2);
    ms_stop_free(stop);
  }
  free_trial(&t);
}
END_TEST

static bool on_count(void *user, uint32_t i, const ms_query *query, const ms_list_result *got,
                     double seconds)
{
  (void)query, (void)seconds;
  ck_assert_int_eq(got->run.stopped, MS_OK);
  ck_assert_msg(strcmp(got->count_text, "74974368") == 0, "motif %u: %s", i, got->count_text);
  return ++*(uint32_t *)user < 7;
}

/* Motifs that take longer than the moment that the last of a batch have, on more threads than one
 * can wait for: each is counted to its end. */
START_TEST(long_motifs_are_finished)
{
  enum { N = 64 };
  static const char *const name[] = {"a", "b", "c", "d", "e", "f", "g"};
  static const char *const text[] = {"*:6", "*:6", "*:6", "*:6", "*:6", "*:6", "*:6"};
  static uint32_t edges[N * N][2];
  ms_graph *clique;
  ms_coloring *none;
  ms_motif_set *set;
  ms_session *session;
  uint64_t m = 0;
  for (uint32_t v = 0; v < N; v++)
    for (uint32_t u = 0; u < v; u++, m++) {
      edges[m][0] = v;
      edges[m][1] = u;
    }
  ck_ok(ms_graph_from_edges(N, m, (const uint32_t(*)[2])edges, NULL, &clique, &err));
  ck_ok(ms_coloring_from_pairs(clique, 0, NULL, 0, NULL, &none, &err));
  ck_ok(ms_motif_set_new(none, 7, name, text, &set, &err));
  ck_ok(ms_session_new(clique, none, &session, &err));
  uint64_t rounds = scaled(12);
  for (uint64_t i = 0; i < rounds; i++) {
    uint32_t received = 0;
    ms_list_options o = {
        .size = sizeof o, .screen = MS_SCREEN_OPTIONS_DEFAULT, .exact = true, .count_only = true};
    o.screen.run.threads = 3 + (int)(i % 5);
    ms_hooks.session_moment = 0.004 * (double)(1 + i % 4);
    ck_ok(ms_session_list(session, set, &o, 0, on_count, &received, &err));
    ck_assert_uint_eq(received, 7);
  }
  ms_session_free(session);
  ms_motif_set_free(set);
  ms_coloring_free(none);
  ms_graph_free(clique);
}
END_TEST

/* Without a GPU, a session that is asked for one says so, whatever its motifs need. */
START_TEST(a_missing_gpu_is_named)
{
  trial t;
  make_trial(&t, 5);
  ms_screen_options o = {.size = sizeof o, .method = MS_METHOD_AUTO, .backend = MS_BACKEND_CUDA};
  receiver r = {.t = &t};
  ms_status status = ms_session_screen(t.session, t.motifs, &o, 0, on_screen, &r, &err);
  if (ms_device_count() == 0) {
    ck_assert_int_eq(status, MS_ERR_USAGE);
    ck_assert_uint_eq(r.received, 0);
    ck_assert_ptr_nonnull(strstr(err.message, "CPU"));
  } else {
    ck_assert_int_eq(status, MS_OK);
    ck_assert_uint_eq(r.received, MOTIFS);
  }
  free_trial(&t);
}
END_TEST

/* ---- sets ---------------------------------------------------------------------------- */

START_TEST(sets_are_read)
{
  larger_case c, other;
  ms_motif_set *set;
  larger_make(3, &c);
  larger_make(4, &other);
  const char *path = files_write_text("m.txt", "# motifs\n\na\tc0\r\n b c \tc1:2,*\n");
  ck_ok(ms_motif_set_read(path, c.coloring, &set, &err));
  ck_assert_uint_eq(ms_motif_set_size(set), 2);
  ck_assert_str_eq(ms_motif_set_name(set, 1), "b c");
  ck_assert_str_eq(ms_motif_text(ms_motif_set_motif(set, 1)), "c1:2,*");
  ck_assert_ptr_null(ms_motif_set_name(set, 2));
  ck_assert_ptr_null(ms_motif_set_motif(set, 2));
  ms_session *session;
  ms_screen_options o = MS_SCREEN_OPTIONS_DEFAULT;
  receiver r = {.t = NULL};
  ck_ok(ms_session_new(other.graph, other.coloring, &session, &err));
  ck_assert_int_eq(ms_session_screen(session, set, &o, 0, on_screen, &r, &err), MS_ERR_USAGE);
  ms_session_free(session);
  ck_ok(ms_session_new(c.graph, c.coloring, &session, &err));
  ck_assert_int_eq(ms_session_screen(session, set, &o, -1, on_screen, &r, &err), MS_ERR_USAGE);
  ck_assert_ptr_nonnull(strstr(err.message, "`seconds`"));
  ms_list_options l = MS_LIST_OPTIONS_DEFAULT;
  l.limit = 1;
  l.count_only = true;
  ck_assert_int_eq(ms_session_list_to_files(session, set, &l, 0, NULL, files_path("t.tsv"),
                                            files_path("r.tsv"), NULL, &err),
                   MS_ERR_USAGE);
  ck_assert_ptr_nonnull(strstr(err.message, "`rows_path`"));
  ms_session_free(session);
  ms_motif_set_free(set);
  static const char *const names[] = {"a", "#b"}, *const texts[] = {"c0", "c1"};
  ck_assert_int_eq(ms_motif_set_new(c.coloring, 2, names, texts, &set, &err), MS_ERR_USAGE);
  ck_assert_str_eq(err.message,
                   "motif 1: the name '#b' begins with #, as comments do; give the motif another "
                   "name");
  larger_free(&other);
  larger_free(&c);
}
END_TEST

/* ---- files --------------------------------------------------------------------------- */

/* The inputs of a trial as files, and what was read from them. */
typedef struct on_disk {
  char graph_path[4096], table[4096], rows[4096];
  ms_graph *graph;
  ms_coloring *coloring;
  ms_motif_set *motifs;
  ms_session *session;
} on_disk;

static void open_disk(on_disk *d, uint64_t seed)
{
  trial t;
  const char *name[MOTIFS], *text[MOTIFS];
  make_trial(&t, seed);
  strcpy(d->graph_path, files_path("g.msb"));
  strcpy(d->table, files_path("table"));
  strcpy(d->rows, files_path("rows"));
  remove(d->table); /* an incomplete result would not replace them */
  remove(d->rows);
  ck_ok(ms_graph_write(t.c.graph, t.c.coloring, MS_FORMAT_BINARY, d->graph_path, &err));
  ck_ok(ms_graph_read(d->graph_path, NULL, &d->graph, &err));
  ck_ok(ms_coloring_from_graph(d->graph, &d->coloring, &err));
  for (uint32_t i = 0; i < MOTIFS; i++) {
    name[i] = t.name[i];
    text[i] = t.text[i];
  }
  ck_ok(ms_motif_set_new(d->coloring, MOTIFS, name, text, &d->motifs, &err));
  ck_ok(ms_session_new(d->graph, d->coloring, &d->session, &err));
  free_trial(&t);
}

static void close_disk(on_disk *d)
{
  ms_session_free(d->session);
  ms_motif_set_free(d->motifs);
  ms_coloring_free(d->coloring);
  ms_graph_free(d->graph);
}

static ms_verify_outcome verify(const on_disk *d, ms_verify_report *report)
{
  ms_verify_options o = MS_VERIFY_OPTIONS_DEFAULT;
  ck_ok(ms_verify_file(d->rows, d->graph_path, NULL, &o, report, &err));
  return report->outcome;
}

static size_t read_all(const char *path, char *bytes, size_t room)
{
  FILE *file = fopen(path, "rb");
  ck_assert_ptr_nonnull(file);
  size_t length = fread(bytes, 1, room, file);
  ck_assert_uint_lt(length, room);
  fclose(file);
  return length;
}

/* Changes a bit in some 60 places of the file, one at a time, and checks that each is found. */
static void check_flips(const on_disk *d)
{
  static char bytes[1 << 20];
  size_t length = read_all(d->rows, bytes, sizeof bytes);
  ms_verify_options o = MS_VERIFY_OPTIONS_DEFAULT;
  o.no_recount = true;
  for (size_t at = 0; at < length; at += length / 60 + 1) {
    ms_verify_report report;
    bytes[at] = (char)(bytes[at] ^ (1 << at % 8));
    const char *path = files_write("flipped", bytes, length);
    ms_status status = ms_verify_file(path, d->graph_path, NULL, &o, &report, &err);
    ck_assert_msg(status != MS_OK || report.outcome == MS_VERIFY_REFUSED,
                  "byte %zu of %s: not refused", at, d->rows);
    bytes[at] = (char)(bytes[at] ^ (1 << at % 8));
  }
}

/* The rows of a set are accepted and proved complete, in both forms, and a flipped bit is found. */
START_TEST(files_are_verified)
{
  uint64_t cases = scaled(4);
  for (uint64_t seed = 1; seed <= cases; seed++) {
    on_disk d;
    ms_verify_report report;
    ms_motifs_summary summary;
    ms_write_options w = MS_WRITE_OPTIONS_DEFAULT;
    ms_screen_options s = {.size = sizeof s, .method = MS_METHOD_EXACT, .run.threads = 2};
    ms_list_options l = {.size = sizeof l,
                         .screen = MS_SCREEN_OPTIONS_DEFAULT,
                         .exact = seed % 2,
                         .limit = seed % 2 ? 0 : 20};
    open_disk(&d, seed + 100);
    w.form = seed % 4 < 2 ? MS_FORM_TSV : MS_FORM_JSON;
    l.screen.run.threads = 2;
    ck_ok(ms_session_screen_to_files(d.session, d.motifs, &s, 0, &w, d.table, d.rows, &summary,
                                     &err));
    ck_assert_uint_eq(summary.done, MOTIFS);
    ck_assert_uint_eq(summary.incomplete, 0);
    ck_assert_msg(verify(&d, &report) == MS_VERIFY_ACCEPTED, "%s", report.problem);
    ck_assert(report.is_screen && report.supported == report.flags && report.flags == report.rows);
    check_flips(&d);
    ck_ok(
        ms_session_list_to_files(d.session, d.motifs, &l, 0, &w, d.table, d.rows, &summary, &err));
    ck_assert_msg(verify(&d, &report) == MS_VERIFY_ACCEPTED, "%s", report.problem);
    ck_assert(!report.is_screen);
    close_disk(&d);
  }
}
END_TEST

/* A file whose run was stopped ends after a section that says so, and is accepted as incomplete. */
START_TEST(stopped_files_are_accepted)
{
  on_disk d;
  ms_stop *stop;
  ms_verify_report report;
  ms_motifs_summary summary;
  ms_list_options l = {.size = sizeof l, .screen = MS_SCREEN_OPTIONS_DEFAULT, .exact = true};
  open_disk(&d, 7);
  ck_ok(ms_stop_new(&stop, &err));
  ms_stop_request(stop);
  l.screen.run.threads = 1;
  l.screen.run.stop = stop;
  ck_ok(
      ms_session_list_to_files(d.session, d.motifs, &l, 0, NULL, d.table, d.rows, &summary, &err));
  ck_assert_uint_eq(summary.done, 1);
  ck_assert_int_eq(summary.run.stopped, MS_ERR_INTERRUPTED);
  ck_assert_msg(verify(&d, &report) == MS_VERIFY_ACCEPTED, "%s", report.problem);
  ck_assert_int_eq(report.completeness, MS_COMPLETENESS_NOT_STATED);
  ms_stop_free(stop);
  close_disk(&d);
}
END_TEST

/* ---- memory -------------------------------------------------------------------------- */

static ms_status write_all(void *user, ms_error *reason)
{
  on_disk *d = user;
  remove(d->table);
  remove(d->rows);
  ms_list_options l = {.size = sizeof l, .screen = MS_SCREEN_OPTIONS_DEFAULT, .exact = true};
  l.limit = 5;
  l.screen.run.threads = 1;
  ms_motif_set *set;
  ms_session *session = NULL;
  static const char *const name[] = {"a", "b"}, *const text[] = {"*:2", "c0"};
  ms_status status = ms_motif_set_new(d->coloring, 2, name, text, &set, reason);
  if (status != MS_OK)
    return status;
  status = ms_session_new(d->graph, d->coloring, &session, reason);
  if (status == MS_OK)
    status = ms_session_list_to_files(session, set, &l, 0, NULL, d->table, d->rows, NULL, reason);
  ms_session_free(session);
  ms_motif_set_free(set);
  return status;
}

START_TEST(every_allocation_may_fail)
{
  on_disk d;
  open_disk(&d, 9);
  ck_assert_int_gt(failing_runs_survived(write_all, &d), 20);
  close_disk(&d);
}
END_TEST

TEST_MAIN("session", TEST(agrees_with_single_calls), TEST(queries_agree), TEST(ends_early),
          TEST(long_motifs_are_finished), TEST(a_missing_gpu_is_named), TEST(sets_are_read),
          TEST(files_are_verified), TEST(stopped_files_are_accepted),
          TEST(every_allocation_may_fail))
