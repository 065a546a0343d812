/* Mining against brute force over all connected sets and all ways to choose a colour for each
 * vertex: 300 random graphs; stops, limits of memory, failures and wrong options. */
#include "base/alloc.h"
#include "query/query.h"
#include "run/session.h"
#include "tests/support/allocations.h"
#include "tests/support/files.h"
#include "tests/support/random.h"
#include "tests/support/test_main.h"

#include <stdio.h>
#include <string.h>

enum {
  MOST_N = 9,
  MOST_COLORS = 5,
  MOST_SLOTS = 4,
  KEYS = 1296 /* (MOST_COLORS + 1)^MOST_SLOTS */
};

static ms_error err;
static const char *const color_names[MOST_COLORS] = {"c0", "c1", "c2", "c3", "c4"};

/* A random graph, and for each motif the vertices that are in a match. */
typedef struct trial {
  uint32_t n, colors;
  uint16_t near[MOST_N];     /* bit u: an edge to u */
  uint8_t colors_of[MOST_N]; /* bit c: the vertex has colour c */
  ms_graph *graph;
  ms_coloring *coloring;
  ms_session *session;
  uint16_t wanted[KEYS]; /* by key_of */
} trial;

/* Returns a number for a motif of colours that ascend. */
static uint32_t key_of(const uint32_t *color, uint32_t slots)
{
  uint32_t key = 0;
  for (uint32_t i = 0; i < slots; i++)
    key = key * (MOST_COLORS + 1) + color[i] + 1;
  return key;
}

static bool is_connected(const trial *t, uint32_t set)
{
  uint32_t reached = set & -set, before = 0;
  while (reached != before) {
    before = reached;
    for (uint32_t v = 0; v < t->n; v++)
      if (before >> v & 1)
        reached |= t->near[v] & set;
  }
  return reached == set;
}

/* Notes the set under each motif that the vertices from v on can match. */
static void note(trial *t, uint32_t set, uint32_t v, uint32_t *color, uint32_t slots)
{
  while (v < t->n && !(set >> v & 1))
    v++;
  if (v == t->n) {
    uint32_t sorted[MOST_N];
    for (uint32_t i = 0; i < slots; i++) {
      uint32_t at = i;
      for (; at > 0 && sorted[at - 1] > color[i]; at--)
        sorted[at] = sorted[at - 1];
      sorted[at] = color[i];
    }
    t->wanted[key_of(sorted, slots)] |= (uint16_t)set;
    return;
  }
  for (uint32_t c = 0; c < t->colors; c++)
    if (t->colors_of[v] >> c & 1) {
      color[slots] = c;
      note(t, set, v + 1, color, slots + 1);
    }
}

static void make_trial(trial *t, uint64_t seed)
{
  uint32_t edges[MOST_N * MOST_N][2], pairs[MOST_N * MOST_COLORS][2], color[MOST_N];
  uint64_t m = 0, assigned = 0;
  memset(t, 0, sizeof *t);
  t->n = 2 + (uint32_t)(random_next(&seed) % (MOST_N - 1));
  t->colors = 1 + (uint32_t)(random_next(&seed) % MOST_COLORS);
  uint64_t density = 1 + random_next(&seed) % 7;
  for (uint32_t v = 0; v < t->n; v++) {
    for (uint32_t u = 0; u < v; u++)
      if (random_next(&seed) % 8 < density) {
        t->near[v] |= (uint16_t)(1 << u);
        t->near[u] |= (uint16_t)(1 << v);
        edges[m][0] = v;
        edges[m++][1] = u;
      }
    for (uint32_t c = 0; c < t->colors; c++)
      if (random_next(&seed) % t->colors == 0) {
        t->colors_of[v] |= (uint8_t)(1 << c);
        pairs[assigned][0] = v;
        pairs[assigned++][1] = c;
      }
  }
  ck_ok(ms_graph_from_edges(t->n, m, (const uint32_t(*)[2])edges, NULL, &t->graph, &err));
  ck_ok(ms_coloring_from_pairs(t->graph, assigned, (const uint32_t(*)[2])pairs, t->colors,
                               color_names, &t->coloring, &err));
  ck_ok(ms_session_new(t->graph, t->coloring, &t->session, &err));
  for (uint32_t set = 1; set < 1u << t->n; set++)
    if (__builtin_popcount(set) <= MOST_SLOTS && is_connected(t, set))
      note(t, set, 0, color, 0);
}

static void free_trial(trial *t)
{
  ms_session_free(t->session);
  ms_coloring_free(t->coloring);
  ms_graph_free(t->graph);
}

/* ---- results ------------------------------------------------------------------------- */

typedef struct receiver {
  const trial *t;
  uint32_t received, last; /* the run ends when `last` are received; 0: none ends it */
  uint32_t key, slots;     /* of the motif before */
  uint16_t got[KEYS];
} receiver;

static bool receive(void *user, const ms_motif *motif, uint32_t count, const uint32_t *vertex)
{
  receiver *r = user;
  uint32_t color[MOST_N], slots = 0;
  for (uint32_t i = 0; i < motif->n_classes; i++)
    for (uint32_t j = 0; j < motif->class_[i].count; j++)
      color[slots++] = motif->class_[i].color;
  uint32_t key = key_of(color, slots);
  ck_assert_msg(slots > r->slots || (slots == r->slots && key > r->key), "%s is out of order",
                ms_motif_text(motif));
  r->slots = slots;
  r->key = key;
  for (uint32_t i = 0; i < count; i++) {
    ck_assert(i == 0 || vertex[i] > vertex[i - 1]);
    r->got[key] |= (uint16_t)(1 << vertex[i]);
  }
  return ++r->received != r->last;
}

static uint32_t slots_of_key(uint32_t key)
{
  uint32_t slots = 0;
  for (; key > 0; key /= MOST_COLORS + 1)
    slots++;
  return slots;
}

static void compare(const trial *t, const ms_mine_options *o, uint64_t seed)
{
  receiver r = {.t = t};
  ms_mine_summary s;
  uint64_t wanted = 0;
  ck_ok(ms_session_mine(t->session, o, receive, &r, &s, &err));
  ck_assert_int_eq(s.run.stopped, MS_OK);
  ck_assert_uint_eq(s.motifs, r.received);
  for (uint32_t key = 1; key < KEYS; key++) {
    uint32_t slots = slots_of_key(key), held = (uint32_t)__builtin_popcount(t->wanted[key]);
    bool asked = slots >= o->least && slots <= o->slots && held >= o->support && held > 0;
    wanted += asked;
    ck_assert_msg(r.got[key] == (asked ? t->wanted[key] : 0),
                  "seed %llu, motif %u: vertices %x, wanted %x", (unsigned long long)seed, key,
                  r.got[key], asked ? t->wanted[key] : 0u);
  }
  ck_assert_uint_eq(s.motifs, wanted);
}

START_TEST(agrees_with_brute_force)
{
  uint64_t cases = scaled(300);
  for (uint64_t seed = 1; seed <= cases; seed++) {
    trial t;
    make_trial(&t, seed);
    uint32_t slots = 1 + (uint32_t)(seed % MOST_SLOTS);
    ms_mine_options o = {.size = sizeof o,
                         .slots = slots,
                         .least = 1 + (uint32_t)(seed / 4 % slots),
                         .support = (uint32_t)(1 + seed % 5),
                         .run.threads = 1 + (int)(seed % 3)};
    compare(&t, &o, seed);
    free_trial(&t);
  }
}
END_TEST

/* ---- ends ---------------------------------------------------------------------------- */

START_TEST(ends_early)
{
  trial t;
  ms_stop *stop;
  ms_mine_summary s;
  make_trial(&t, 12);
  ms_mine_options o = {.size = sizeof o, .slots = 4, .run.threads = 2};
  receiver all = {.t = &t}, two = {.t = &t, .last = 2}, none = {.t = &t};
  ck_ok(ms_session_mine(t.session, &o, receive, &all, NULL, &err));
  ck_assert_uint_gt(all.received, 2);
  ck_ok(ms_session_mine(t.session, &o, receive, &two, &s, &err));
  ck_assert_uint_eq(two.received, 2);
  ck_ok(ms_stop_new(&stop, &err));
  ms_stop_request(stop);
  o.run.stop = stop;
  ck_ok(ms_session_mine(t.session, &o, receive, &none, &s, &err));
  ck_assert_int_eq(s.run.stopped, MS_ERR_INTERRUPTED);
  ck_assert_uint_eq(none.received, 0);
  const char *path = files_path("stopped.tsv");
  ck_ok(ms_session_mine_to_file(t.session, &o, NULL, path, &s, &err));
  ck_assert_int_eq(s.run.stopped, MS_ERR_INTERRUPTED);
  o.run.stop = NULL;
  o.run.memory = 64;
  ck_assert_int_eq(ms_session_mine(t.session, &o, receive, &none, &s, &err), MS_ERR_MEMORY);
  ck_assert_ptr_nonnull(strstr(err.message, "raise `memory`"));
  o.run.memory = 0;
  o.slots = MS_MAX_MINED + 1;
  ck_assert_int_eq(ms_session_mine(t.session, &o, receive, &none, &s, &err), MS_ERR_USAGE);
  ck_assert_ptr_nonnull(strstr(err.message, "`slots`"));
  o.slots = 3;
  o.least = 4;
  ck_assert_int_eq(ms_session_mine(t.session, &o, receive, &none, &s, &err), MS_ERR_USAGE);
  ck_assert_ptr_nonnull(strstr(err.message, "`least`"));
  ms_stop_free(stop);
  free_trial(&t);
}
END_TEST

static ms_status mine_to_file(void *user, ms_error *reason)
{
  const trial *t = user;
  ms_mine_options o = {.size = sizeof o, .slots = 3, .run.threads = 1};
  ms_session *session;
  ms_status status = ms_session_new(t->graph, t->coloring, &session, reason);
  if (status != MS_OK)
    return status;
  status = ms_session_mine_to_file(session, &o, NULL, files_path("m.tsv"), NULL, reason);
  ms_session_free(session);
  return status;
}

START_TEST(every_allocation_may_fail)
{
  trial t;
  make_trial(&t, 12);
  ck_assert_int_gt(failing_runs_survived(mine_to_file, &t), 50);
  free_trial(&t);
}
END_TEST

TEST_MAIN("mine", TEST(agrees_with_brute_force), TEST(ends_early), TEST(every_allocation_may_fail))
