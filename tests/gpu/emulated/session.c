/* Sessions on a GPU (gpu/motif/session.h, run/session_gpu.c) against exact screens of single motifs
 * on the CPU: random graphs, colours and motifs, in batches of any size, with searches that end
 * early.  Runs on emulated GPUs, and as device_session on real ones. */
#include "gpu/motif/session.h"
#include "base/hooks.h"
#include "base/status.h"
#include "query/motif_set.h"
#include "run/session.h"
#include "tests/gpu/emulated/fake_cuda.h"
#include "tests/support/random.h"
#include "tests/support/test_main.h"

#include <stdio.h>
#include <string.h>

enum { MOST_N = 2600, MOST_M = 4 * MOST_N, MOTIFS = 12, COLORS = 6, TEXT = 160 };

static ms_error err;

/* Resets what tests change. */
static void usual(void)
{
  fake_devices = 1;
  fake_multiprocessors = 2;
  fake_memory = (uint64_t)1 << 30;
  emulated_width = 32;
  ms_hooks = ms_hooks_default;
}

/* ---- cases --------------------------------------------------------------------------- */

typedef struct subject {
  uint64_t state;
  uint32_t n, m, pairs, colors;
  uint32_t edge[MOST_M][2], pair[3 * MOST_N][2];
  char text[MOTIFS][TEXT], name[MOTIFS][8];
  ms_graph *graph;
  ms_coloring *coloring;
  ms_motif_set *set;
} subject;

static uint32_t below(subject *s, uint32_t limit)
{
  return random_below(&s->state, limit);
}

/* Sparse and dense graphs, with and without vertices of many neighbours. */
static void draw_graph(subject *s)
{
  uint32_t wanted = s->n * (1 + below(s, 6)) / 2, hubs = below(s, 3);
  for (uint32_t i = 0; i < wanted && s->m < MOST_M; i++) {
    uint32_t u = hubs && below(s, 3) == 0 ? below(s, hubs) % s->n : below(s, s->n);
    s->edge[s->m][0] = u;
    s->edge[s->m++][1] = below(s, s->n);
  }
  ck_ok(ms_graph_from_edges(s->n, s->m, (const uint32_t(*)[2])s->edge, NULL, &s->graph, &err));
}

/* One colour a vertex, or none to three. */
static void draw_colors(subject *s)
{
  static const char *const names[COLORS] = {"a", "b", "c", "d", "e", "f"};
  bool lists = below(s, 3) == 0;
  s->colors = 2 + below(s, COLORS - 1);
  for (uint32_t v = 0; v < s->n; v++)
    for (uint32_t i = 0, count = lists ? below(s, 4) : 1; i < count; i++) {
      s->pair[s->pairs][0] = v;
      s->pair[s->pairs++][1] = below(s, s->colors);
    }
  ck_ok(ms_coloring_from_pairs(s->graph, s->pairs, (const uint32_t(*)[2])s->pair, s->colors, names,
                               &s->coloring, &err));
}

/* Colours, now and then the wildcard or one of two colours; different ones half of the time. */
static void draw_motif(subject *s, char *text)
{
  uint32_t slots = 1 + below(s, 7), first = below(s, s->colors), at = 0;
  bool distinct = below(s, 2), wild = below(s, 4) == 0, either = below(s, 4) == 0;
  if (distinct && slots > s->colors)
    slots = s->colors;
  for (uint32_t i = 0; i < slots; i++) {
    char a = (char)('a' + (distinct ? (first + i) % s->colors : below(s, s->colors)));
    char b = (char)('a' + below(s, s->colors));
    const char *comma = i ? "," : "";
    if (wild && below(s, 3) == 0)
      at += (uint32_t)snprintf(text + at, TEXT - at, "%s*", comma);
    else if (either && a != b && below(s, 2))
      at += (uint32_t)snprintf(text + at, TEXT - at, "%s%c|%c", comma, a, b);
    else
      at += (uint32_t)snprintf(text + at, TEXT - at, "%s%c", comma, a);
  }
}

static void make(subject *s, uint64_t seed, uint32_t least_n, uint32_t most_n)
{
  const char *name[MOTIFS], *text[MOTIFS];
  memset(s, 0, sizeof *s);
  s->state = seed;
  s->n = least_n + below(s, most_n - least_n + 1);
  draw_graph(s);
  draw_colors(s);
  for (uint32_t i = 0; i < MOTIFS; i++) {
    draw_motif(s, s->text[i]);
    snprintf(s->name[i], sizeof s->name[i], "m%u", i);
    name[i] = s->name[i];
    text[i] = s->text[i];
  }
  ck_ok(ms_motif_set_new(s->coloring, MOTIFS, name, text, &s->set, &err));
}

static void clear(subject *s)
{
  ms_motif_set_free(s->set);
  ms_coloring_free(s->coloring);
  ms_graph_free(s->graph);
}

static void screen_exactly(const subject *s, uint32_t i, ms_screen_result **out)
{
  ms_screen_options o = MS_SCREEN_OPTIONS_DEFAULT;
  ms_query *query;
  o.method = MS_METHOD_EXACT;
  o.run.threads = 1;
  ck_ok(ms_query_new(s->graph, s->coloring, ms_motif_set_motif(s->set, i), 0, NULL, &query, &err));
  ck_ok(ms_screen(query, &o, out, &err));
  ms_query_free(query);
}

/* ---- the device's answers -------------------------------------------------------------- */

/* What the cases had, or they test nothing. */
typedef struct tally {
  uint32_t none, some, all_kept, fewer, unknown, refused;
} tally;

static bool bit(const uint32_t *bits, uint32_t v)
{
  return bits[v / 32] >> v % 32 & 1;
}

static void check_answer(const subject *s, uint32_t i, const ms_gpu_answer *a, uint64_t seed,
                         tally *t)
{
  ms_screen_result *want;
  uint32_t flagged = 0, kept = 0;
  if (!a->known) {
    t->unknown++;
    return;
  }
  screen_exactly(s, i, &want);
  for (uint32_t v = 0; v < s->n; v++) {
    ck_assert_msg(bit(a->flag, v) == (want->hits[v] > 0), "seed %llu, motif %s, vertex %u: %d",
                  (unsigned long long)seed, s->text[i], v, bit(a->flag, v));
    ck_assert_msg(bit(a->keep, v) >= bit(a->flag, v), "seed %llu, motif %s, vertex %u is kept",
                  (unsigned long long)seed, s->text[i], v);
    flagged += bit(a->flag, v);
    kept += bit(a->keep, v);
  }
  for (uint32_t v = s->n; v % 32; v++)
    ck_assert(!bit(a->flag, v) && !bit(a->keep, v));
  ck_assert_uint_eq(flagged, a->flagged);
  ck_assert_uint_eq(kept, a->kept);
  t->none += flagged == 0;
  t->some += flagged > 0;
  t->all_kept += kept == flagged && kept > 0;
  t->fewer += kept > flagged && flagged > 0;
  ms_screen_result_free(want);
}

/* Asks for the motifs in batches of at most `most`, with two batches under way. */
static void ask(const subject *s, ms_gpu_session *gpu, uint32_t most, uint64_t seed, tally *t)
{
  const ms_motif *motif[MOTIFS];
  ms_gpu_answer answer[MOTIFS];
  uint32_t of[2][MOTIFS], count[2] = {0, 0}, next = 0, now = 0;
  for (;; now = 1 - now) {
    count[now] = 0;
    for (; next < MOTIFS && count[now] < most; next++)
      if (ms_gpu_session_takes(ms_motif_set_motif(s->set, next))) {
        motif[count[now]] = ms_motif_set_motif(s->set, next);
        of[now][count[now]++] = next;
      } else {
        t->refused++;
      }
    if (count[now] > 0)
      ck_ok(ms_gpu_session_begin(gpu, motif, count[now], &err));
    if (count[1 - now] > 0) {
      ck_ok(ms_gpu_session_end(gpu, answer, &err));
      for (uint32_t i = 0; i < count[1 - now]; i++)
        check_answer(s, of[1 - now][i], &answer[i], seed, t);
    }
    if (count[now] == 0)
      return;
  }
}

static void compare(uint64_t seed, uint32_t least_n, uint32_t most_n, tally *t)
{
  static subject s;
  ms_gpu_session *gpu;
  make(&s, seed, least_n, most_n);
  ms_hooks.gpu_session_batch = 1 + below(&s, 6);
  emulated_seed = seed;
  if (below(&s, 3) == 0) {
    ms_hooks.gpu_session_steps = below(&s, 20);
    if (!below(&s, 3))
      ms_hooks.gpu_session_first_steps = below(&s, 60);
  }
  ck_ok(ms_gpu_session_open(s.graph, s.coloring, 0, 1, 0, &gpu, &err));
  ck_assert_uint_eq(ms_gpu_session_batch(gpu), ms_hooks.gpu_session_batch);
  ask(&s, gpu, 1 + below(&s, ms_hooks.gpu_session_batch), seed, t);
  ms_gpu_session_close(gpu);
  usual();
  clear(&s);
}

/* Every answer is that of an exact screen, and pruning keeps all flagged vertices: 400 graphs of
 * up to 40 vertices, with 12 motifs each. */
START_TEST(small_graphs)
{
  tally t = {0};
  usual();
  for (uint64_t seed = 0; seed < scaled(400); seed++)
    compare(seed, 1, 40, &t);
  ck_assert_msg(test_scale() < 1 || (t.none > 130 && t.some > 500 && t.all_kept > 250 &&
                                     t.fewer > 20 && t.unknown > 10 && t.refused > 5),
                "none %u, some %u, all kept %u, fewer %u, unknown %u, refused %u", t.none, t.some,
                t.all_kept, t.fewer, t.unknown, t.refused);
}
END_TEST

/* The same where vertices are numbered in several chunks: 20 graphs of 1,000 to 2,600 vertices. */
START_TEST(larger_graphs)
{
  tally t = {0};
  usual();
  for (uint64_t seed = 0; seed < scaled(20); seed++)
    compare(100000 + seed, 1000, MOST_N, &t);
  ck_assert_msg(test_scale() < 1 || (t.some > 30 && t.fewer > 3),
                "none %u, some %u, all kept %u, fewer %u, unknown %u, refused %u", t.none, t.some,
                t.all_kept, t.fewer, t.unknown, t.refused);
}
END_TEST

/* A session does not lose memory, and says so where the graph or a motif does not fit; a batch that
 * is too large for its memory is made smaller. */
START_TEST(memory_is_enough_or_named)
{
  static subject s;
  ms_gpu_session *gpu;
  tally t = {0};
  usual();
  make(&s, 7, 2000, 2000);
  uint64_t before = fake_taken;
  ck_assert_int_eq(ms_gpu_session_open(s.graph, s.coloring, 0, 1, 4096, &gpu, &err), MS_ERR_MEMORY);
  ck_assert_ptr_nonnull(strstr(err.message, "graph"));
  ms_hooks.gpu_session_batch = 64;
  uint32_t batch = 0;
  for (uint64_t bytes = 1 << 16; batch < 64; bytes += bytes / 4) {
    ck_assert_uint_lt(bytes, 1 << 30);
    ms_status status = ms_gpu_session_open(s.graph, s.coloring, 0, 1, bytes, &gpu, &err);
    ck_assert(status == MS_OK || (status == MS_ERR_MEMORY && batch == 0));
    if (status != MS_OK)
      continue;
    ck_assert_uint_ge(ms_gpu_session_batch(gpu), batch);
    if (ms_gpu_session_batch(gpu) > batch)
      ask(&s, gpu, ms_gpu_session_batch(gpu) < MOTIFS ? ms_gpu_session_batch(gpu) : MOTIFS, 7, &t);
    batch = ms_gpu_session_batch(gpu);
    ms_gpu_session_close(gpu);
  }
  ck_assert_uint_eq(fake_taken, before);
  ck_assert_int_eq(ms_gpu_session_open(s.graph, s.coloring, 77, 1, 0, &gpu, &err), MS_ERR_USAGE);
  usual();
  clear(&s);
}
END_TEST

/* ---- screens of many motifs -------------------------------------------------------------- */

typedef struct received {
  const subject *subject;
  uint32_t next, exact, end; /* end: the receiver ends the run at this motif */
} received;

static bool receive(void *user, uint32_t i, const ms_query *query, const ms_screen_result *result,
                    double seconds)
{
  received *r = user;
  ms_screen_result *want;
  ck_assert_uint_eq(i, r->next++);
  ck_assert(seconds >= 0 && query != NULL);
  ck_assert(result->run.stopped == MS_OK && result->n == r->subject->n);
  screen_exactly(r->subject, i, &want);
  uint32_t flagged = 0;
  for (uint32_t v = 0; v < result->n; v++) {
    ck_assert_uint_eq(result->hits[v] > 0, want->hits[v] > 0);
    ck_assert(result->hits[v] == 0 || result->kept[v] == 1);
    flagged += result->hits[v] > 0;
  }
  ck_assert_uint_eq(result->flagged, flagged);
  ck_assert(!result->exact || result->miss_bound == 0);
  r->exact += result->exact && result->backend == MS_BACKEND_CUDA;
  ms_screen_result_free(want);
  return r->next < r->end;
}

/* ms_session_screen passes on the motifs in their order, each with the flags of an exact screen, up
 * to where the receiver ends it: 100 graphs.  Emulated GPUs have no sieve, so that motifs which
 * need it are left out there. */
START_TEST(a_session_passes_results_on)
{
  static subject s;
  usual();
  for (uint64_t seed = 0; seed < scaled(100); seed++) {
    make(&s, 500000 + seed, 1, 60);
    bool sieves = !fake_cuda, all_small = true;
    for (uint32_t i = 0; i < MOTIFS; i++)
      all_small = all_small && ms_gpu_session_takes(ms_motif_set_motif(s.set, i));
    if (sieves || all_small) {
      ms_session *session;
      ms_screen_options o = MS_SCREEN_OPTIONS_DEFAULT;
      received r = {.subject = &s, .end = seed % 4 ? MOTIFS : 1 + (uint32_t)seed % MOTIFS};
      o.backend = MS_BACKEND_CUDA;
      o.method = MS_METHOD_AUTO;
      o.run.threads = 1;
      ms_hooks.gpu_session_batch = 1 + (uint32_t)seed % 5;
      ck_ok(ms_session_new(s.graph, s.coloring, &session, &err));
      ck_ok(ms_session_screen(session, s.set, &o, 0, receive, &r, &err));
      ck_assert_uint_eq(r.next, r.end);
      ck_assert(sieves || r.exact == r.end);
      ms_session_free(session);
    }
    clear(&s);
  }
}
END_TEST

/* A token that is stopped ends the run with one motif that says so. */
static bool receive_stopped(void *user, uint32_t i, const ms_query *query,
                            const ms_screen_result *result, double seconds)
{
  (void)i;
  (void)query;
  (void)seconds;
  ck_assert_int_eq(result->run.stopped, MS_ERR_INTERRUPTED);
  ++*(uint32_t *)user;
  return true;
}

START_TEST(a_session_hears_the_stop)
{
  static subject s;
  ms_session *session;
  ms_stop *stop;
  uint32_t count = 0;
  usual();
  make(&s, 11, 40, 40);
  ms_screen_options o = MS_SCREEN_OPTIONS_DEFAULT;
  o.backend = MS_BACKEND_CUDA;
  o.method = MS_METHOD_AUTO;
  ck_ok(ms_stop_new(&stop, &err));
  o.run.stop = stop;
  ms_stop_request(stop);
  ck_ok(ms_session_new(s.graph, s.coloring, &session, &err));
  ck_ok(ms_session_screen(session, s.set, &o, 0, receive_stopped, &count, &err));
  ck_assert_uint_eq(count, 1);
  ms_session_free(session);
  ms_stop_free(stop);
  clear(&s);
}
END_TEST

int main(void)
{
  return RUN_TESTS("sessions on GPUs", TEST(small_graphs), TEST(larger_graphs),
                   TEST_IF(memory_is_enough_or_named, fake_cuda), TEST(a_session_passes_results_on),
                   TEST(a_session_hears_the_stop));
}
