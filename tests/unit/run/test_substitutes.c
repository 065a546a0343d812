/* Substitutions with costs: tables and ontologies, and the nearest matches with them against brute
 * force. */
#include "query/substitutes.h"
#include "run/run.h"
#include "tests/support/allocations.h"
#include "tests/support/files.h"
#include "tests/support/search/oracle.h"
#include "tests/support/test_main.h"
#include "verify/near.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const oracle_shape shapes[] = {
    {.min_n = 3, .max_n = 8, .min_k = 1, .max_k = 5},
    {.min_n = 3, .max_n = 8, .min_k = 2, .max_k = 5, .color_lists = true, .wildcards = true},
    {.min_n = 3, .max_n = 8, .min_k = 2, .max_k = 5, .color_lists = true, .required = true},
    {.min_n = 3, .max_n = 7, .min_k = 2, .max_k = 5, .color_lists = true, .conditions = true}};

static ms_error err;

/* The costs of a case: own[slot][vertex], or MS_NO_SUBSTITUTE. */
typedef struct costs {
  uint32_t own[MS_MAX_K][ORACLE_MAX_N];
} costs;

/* Makes random substitutions among the colours of a case; NULL: it has one colour. */
static ms_substitutes *make_substitutes(const oracle_case *c, uint64_t seed)
{
  enum { MOST = 40 };
  const char *wanted[MOST], *instead[MOST];
  uint32_t cost[MOST], count = 0, colors = ms_coloring_describe(c->coloring).colors;
  ms_substitutes *s;
  srand((unsigned)seed);
  for (uint32_t i = 0; i < 20 && colors > 1; i++) {
    uint32_t a = (uint32_t)rand() % colors, b = (uint32_t)rand() % colors;
    wanted[count] = ms_coloring_name(c->coloring, a);
    instead[count] = ms_coloring_name(c->coloring, b);
    cost[count++] = 1 + (uint32_t)rand() % 3;
  }
  wanted[count] = "no such colour";
  instead[count] = wanted[count];
  cost[count++] = 1;
  ck_ok(ms_substitutes_new(c->coloring, count, wanted, instead, cost, &s, &err));
  uint32_t skipped;
  ms_substitutes_count(s, &skipped);
  ck_assert_uint_eq(skipped, 1);
  return s;
}

static bool has_color(const oracle_case *c, uint32_t v, uint32_t color)
{
  uint32_t count;
  const uint32_t *colors = ms_coloring_of(c->coloring, v, &count);
  for (uint32_t i = 0; i < count; i++)
    if (colors[i] == color)
      return true;
  return false;
}

/* Returns the least cost of a colour, 0 for itself. */
static uint64_t cost_in_table(const oracle_case *c, const ms_substitutes *s, uint32_t wanted,
                              uint32_t v)
{
  uint64_t least = has_color(c, v, wanted) ? 0 : MS_NO_SUBSTITUTE;
  for (uint32_t e = 0; e < s->count; e++)
    if (s->entry[e].wanted == wanted && s->entry[e].cost < least &&
        has_color(c, v, s->entry[e].instead))
      least = s->entry[e].cost;
  return least;
}

/* Tries one alternative of a condition after the other. */
static uint32_t cost_of_condition(const oracle_case *c, const ms_substitutes *s,
                                  const ms_condition *condition, uint32_t v)
{
  uint64_t least = MS_NO_SUBSTITUTE;
  for (uint32_t i = 0; i < condition->count; i++) {
    uint64_t sum = 0;
    for (bool last = false; !last; i += !last) {
      const ms_literal *literal = &condition->literal[i];
      if (literal->lacks)
        sum += has_color(c, v, literal->color) ? MS_NO_SUBSTITUTE : 0;
      else
        sum += cost_in_table(c, s, literal->color, v);
      last = literal->last;
    }
    least = sum < least ? sum : least;
  }
  return (uint32_t)least;
}

/* Looks up each cost in the whole table. */
static void fill_costs(const oracle_case *c, const ms_substitutes *s, costs *out)
{
  const ms_motif *motif = c->motif;
  uint32_t slot = 0;
  for (uint32_t k = 0; k < motif->n_classes; k++)
    for (uint32_t i = 0; i < motif->class_[k].count; i++, slot++)
      for (uint32_t v = 0; v < c->n; v++) {
        uint32_t *own = &out->own[slot][v];
        *own = ms_class_fits(&motif->class_[k], c->coloring, v) ? 0
               : motif->class_[k].condition
                   ? cost_of_condition(c, s, motif->class_[k].condition, v)
                   : (uint32_t)cost_in_table(c, s, motif->class_[k].color, v);
      }
}

/* Tries all ways to pair the vertices of `set` with slots. */
static void pair_off(const oracle_case *c, const costs *all, const ms_nearest_options *o,
                     uint32_t set, uint32_t used, uint32_t extra, uint32_t spent, ms_edits *best)
{
  if (extra > o->max_extra || spent > o->max_cost)
    return;
  if (!set) {
    uint32_t missing = c->k - (uint32_t)__builtin_popcount(used), cost = missing + extra + spent;
    if (missing <= o->max_missing &&
        (cost < best->cost || (cost == best->cost && missing < best->missing)))
      *best = (ms_edits){missing, extra, cost};
    return;
  }
  uint32_t v = (uint32_t)__builtin_ctz(set), rest = set & (set - 1);
  pair_off(c, all, o, rest, used, extra + 1, spent, best);
  for (uint32_t d = 0; d < c->k; d++)
    if (!(used >> d & 1) && all->own[d][v] != MS_NO_SUBSTITUTE)
      pair_off(c, all, o, rest, used | 1u << d, extra, spent + all->own[d][v], best);
}

static bool is_connected(const oracle_case *c, uint32_t set)
{
  uint32_t seen = set & -set, before = 0;
  while (seen != before) {
    before = seen;
    for (uint32_t left = before; left; left &= left - 1) {
      uint32_t degree;
      const uint32_t *row = ms_graph_neighbors(c->graph, (uint32_t)__builtin_ctz(left), &degree);
      for (uint32_t i = 0; i < degree; i++)
        seen |= 1u << row[i] & set;
    }
  }
  return seen == set;
}

/* Fills edits[] of each set of vertices; cost UINT32_MAX: it is no match. */
static void find_by_force(const oracle_case *c, const ms_nearest_options *o, ms_edits *edits)
{
  static costs all;
  uint32_t required = 0;
  fill_costs(c, o->substitutes, &all);
  for (uint32_t i = 0; i < c->query->n_required; i++)
    required |= 1u << c->query->required[i];
  for (uint32_t set = 1; set < 1u << c->n; set++) {
    edits[set] = (ms_edits){0, 0, UINT32_MAX};
    if ((set & required) == required && is_connected(c, set) &&
        (uint32_t)__builtin_popcount(set) <= c->k + o->max_extra)
      pair_off(c, &all, o, set, 0, 0, 0, &edits[set]);
  }
}

static void check_list(const oracle_case *c, const ms_nearest_options *o, const ms_edits *edits,
                       uint64_t seed)
{
  ms_nearest_result *r;
  uint64_t matches = 0;
  for (uint32_t set = 1; set < 1u << c->n; set++)
    matches += edits[set].cost != UINT32_MAX;
  ck_ok(ms_list_nearest(c->query, o, &r, &err));
  ck_assert_msg(r->matches == matches, "seed %llu: %llu matches, wanted %llu",
                (unsigned long long)seed, (unsigned long long)r->matches,
                (unsigned long long)matches);
  for (uint64_t i = 0; i < matches; i++) {
    uint32_t set = 0;
    for (uint64_t at = r->begin[i]; at < r->begin[i + 1]; at++)
      set |= 1u << r->vertex[at];
    ck_assert(i == 0 || r->cost[i - 1] <= r->cost[i]);
    ck_assert_msg(r->cost[i] == edits[set].cost && r->missing[i] == edits[set].missing &&
                      r->extra[i] == edits[set].extra,
                  "seed %llu, set %x", (unsigned long long)seed, set);
  }
  ms_nearest_result_free(r);
}

static void check_screen(const oracle_case *c, const ms_nearest_options *o, const ms_edits *edits,
                         ms_screen_method method, uint64_t seed)
{
  ms_screen_options s = {.size = sizeof s,
                         .method = method,
                         .error = method == MS_METHOD_SIEVE ? 1e-12 : 0,
                         .run.threads = o->run.threads,
                         .max_missing = o->max_missing,
                         .max_extra = o->max_extra,
                         .max_cost = o->max_cost,
                         .substitutes = o->substitutes};
  ms_screen_result *r;
  ck_ok(ms_screen(c->query, &s, &r, &err));
  for (uint32_t v = 0; v < c->n; v++) {
    ms_edits best = {0, 0, UINT32_MAX};
    for (uint32_t set = 1; set < 1u << c->n; set++)
      if (set >> v & 1 && (edits[set].cost < best.cost ||
                           (edits[set].cost == best.cost && (edits[set].missing < best.missing ||
                                                             (edits[set].missing == best.missing &&
                                                              edits[set].extra < best.extra)))))
        best = edits[set];
    ck_assert_msg((r->hits[v] > 0) == (best.cost != UINT32_MAX), "seed %llu, vertex %u",
                  (unsigned long long)seed, v);
    ck_assert_msg(!r->hits[v] || (r->cost[v] == best.cost && r->missing[v] == best.missing &&
                                  r->extra[v] == best.extra),
                  "seed %llu, vertex %u: %u %u %u", (unsigned long long)seed, v, r->missing[v],
                  r->extra[v], r->cost[v]);
  }
  ms_screen_result_free(r);
}

/* 3,000 random cases with several colours a vertex, wildcards, conditions and required vertices:
 * lists, and screens by each method; the sieve misses a vertex with a chance below 1e-12. */
START_TEST(agrees_with_brute_force)
{
  static ms_edits edits[1u << ORACLE_MAX_N];
  uint64_t cases = scaled(3000);
  for (uint64_t i = 0; i < cases; i++) {
    oracle_case c;
    oracle_make(&shapes[i % 4], 120000 + i, &c);
    ms_substitutes *s = make_substitutes(&c, i);
    ms_nearest_options o = {.size = sizeof o,
                            .run.threads = 1 + (int)(i / 5 % 3),
                            .max_missing = (uint32_t)(i / 4 % c.k),
                            .max_extra = (uint32_t)(i / 8 % 3),
                            .max_cost = (uint32_t)(i / 12 % 5),
                            .substitutes = s};
    find_by_force(&c, &o, edits);
    check_list(&c, &o, edits, i);
    check_screen(&c, &o, edits, (ms_screen_method)(i / 4 % 3), i);
    ms_substitutes_free(s);
    oracle_free(&c);
  }
}
END_TEST

/* The engine's and the judge's least costs of 20,000 random sets are the same. */
START_TEST(both_matchings_agree)
{
  uint64_t cases = scaled(2000);
  for (uint64_t i = 0; i < cases; i++) {
    oracle_case c;
    oracle_make(&shapes[i % 4], 130000 + i, &c);
    ms_substitutes *s = make_substitutes(&c, i);
    for (uint32_t j = 0; j < 10; j++) {
      uint32_t set[ORACLE_MAX_N], size = 0;
      ms_edits a = {0}, b = {0};
      for (uint32_t v = 0; v < c.n; v++)
        if (rand() % 2)
          set[size++] = v;
      ms_edit_limits limits = {.max_missing = (uint32_t)rand() % c.k,
                               .max_extra = (uint32_t)rand() % 4,
                               .max_cost = (uint32_t)rand() % 6,
                               .substitutes = s};
      bool found = size > 0 && ms_edits_find(c.query, &limits, set, size, &a);
      ck_assert_int_eq(found, size > 0 && ms_verify_edits(c.query, &limits, set, size, &b));
      ck_assert(!found || memcmp(&a, &b, sizeof a) == 0);
    }
    ms_substitutes_free(s);
    oracle_free(&c);
  }
}
END_TEST

/* Finds the first way, in lexicographic order, to give the vertices from set[i] on slots that are
 * left, `pairs` of them, at the cost `spend`; an extra vertex comes after all slots. */
static bool first_way(const oracle_case *c, const ms_substitutes *s, const uint32_t *set,
                      uint32_t size, uint32_t i, uint32_t taken, uint32_t pairs, uint32_t spend,
                      uint32_t *slot)
{
  if (i == size)
    return pairs == 0 && spend == 0;
  for (uint32_t d = 0; d < c->k && pairs > 0; d++) {
    uint32_t class_ = ms_motif_class_of(c->motif, d);
    uint32_t cost = ms_edit_cost_of_slot(c->query, class_, s, set[i]);
    slot[i] = d;
    if (!(taken >> d & 1) && cost <= spend &&
        first_way(c, s, set, size, i + 1, taken | 1u << d, pairs - 1, spend - cost, slot))
      return true;
  }
  slot[i] = MS_EXTRA_VERTEX;
  return first_way(c, s, set, size, i + 1, taken, pairs, spend, slot);
}

/* Who fills what, of 8,000 random sets, with and without substitutions, is the first way that
 * brute force finds, and that of ms_query_slots where all slots are filled at no cost; the judge
 * accepts it, and refuses it with two roles exchanged for those of other slots. */
START_TEST(slots_are_the_first_way)
{
  uint64_t cases = scaled(2000);
  uint32_t whole = 0, refused = 0;
  for (uint64_t i = 0; i < cases; i++) {
    oracle_case c;
    oracle_make(&shapes[i % 4], 140000 + i, &c);
    ms_substitutes *s = make_substitutes(&c, i);
    for (uint32_t j = 0; j < 4; j++) {
      uint32_t set[ORACLE_MAX_N], size = 0, slot[MS_MAX_K], wanted[MS_MAX_K];
      const char *name[MS_MAX_K], *role[MS_MAX_K], *unfilled[MS_MAX_K], *extra[MS_MAX_K];
      ms_edits edits;
      for (uint32_t v = 0; v < c.n; v++)
        if (rand() % 2)
          set[size++] = v;
      ms_nearest_options o = {.size = sizeof o,
                              .max_missing = (uint32_t)rand() % c.k,
                              .max_extra = (uint32_t)rand() % 4,
                              .max_cost = (uint32_t)rand() % 6,
                              .substitutes = j % 2 ? s : NULL};
      ms_edit_limits limits = {o.max_missing, o.max_extra, o.max_cost, o.substitutes};
      o.max_cost = o.substitutes ? o.max_cost : 0;
      bool found = size > 0 && ms_edits_find(c.query, &limits, set, size, &edits);
      ck_assert(size == 0 || found == ms_nearest_slots(c.query, &o, set, size, slot));
      if (!found)
        continue;
      uint32_t spend = edits.cost - edits.missing - edits.extra, filled = 0;
      ck_assert(
          first_way(&c, limits.substitutes, set, size, 0, 0, c.k - edits.missing, spend, wanted));
      ck_assert(memcmp(slot, wanted, size * sizeof *slot) == 0);
      if (edits.cost == 0) {
        whole++;
        ck_assert(ms_query_slots(c.query, set, wanted));
        ck_assert(memcmp(slot, wanted, size * sizeof *slot) == 0);
      }
      ms_match_row row = {.vertices = name,
                          .roles = role,
                          .unfilled = unfilled,
                          .extra_vertices = extra,
                          .count = size,
                          .missing = edits.missing,
                          .extra = edits.extra};
      for (uint32_t v = 0; v < size; v++) {
        bool is_extra = slot[v] == MS_EXTRA_VERTEX;
        name[v] = ms_graph_name(c.graph, set[v]);
        role[v] = is_extra ? "extra" : ms_query_slot_name(c.query, slot[v]);
        if (is_extra)
          extra[row.n_extra++] = name[v];
        else
          filled |= 1u << slot[v];
      }
      for (uint32_t d = 0; d < c.k; d++)
        if (!(filled >> d & 1))
          unfilled[row.n_unfilled++] = ms_query_slot_name(c.query, d);
      ck_assert_ptr_null(ms_verify_near_slots(c.query, limits.substitutes, set, &row, spend));
      ck_assert_ptr_nonnull(
          ms_verify_near_slots(c.query, limits.substitutes, set, &row, spend + 1));
      row.roles = NULL;
      ck_assert_ptr_null(ms_verify_near_slots(c.query, limits.substitutes, set, &row, spend));
      if (row.n_unfilled > 0 && filled) { /* another slot is said to be unfilled */
        const char *other = ms_query_slot_name(c.query, (uint32_t)__builtin_ctz(filled));
        row.roles = role;
        if (strcmp(other, unfilled[0]) != 0) {
          unfilled[0] = other;
          ck_assert_ptr_nonnull(
              ms_verify_near_slots(c.query, limits.substitutes, set, &row, spend));
          refused++;
        }
      }
    }
    ms_substitutes_free(s);
    oracle_free(&c);
  }
  ck_assert(test_scale() < 0.05 || (whole > 20 && refused > 20));
}
END_TEST

/* ---- files ----------------------------------------------------------------------- */

static ms_graph *graph;
static ms_coloring *coloring;
static ms_motif *motif;

/* A path whose vertices have the colours T0, T1, ... T6, one each. */
static void make_terms(const char *motif_text)
{
  static const uint32_t edges[][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 6}};
  static const uint32_t pairs[][2] = {{0, 0}, {1, 1}, {2, 2}, {3, 3}, {4, 4}, {5, 5}, {6, 6}};
  static const char *const names[] = {"T:0", "T:1", "T:2", "T:3", "T:4", "T:5", "five names"};
  ck_ok(ms_graph_from_edges(7, 6, edges, NULL, &graph, &err));
  ck_ok(ms_coloring_from_pairs(graph, 7, pairs, 7, names, &coloring, &err));
  ck_ok(ms_motif_parse(motif_text, coloring, &motif, &err));
}

static void free_terms(void)
{
  ms_motif_free(motif);
  ms_coloring_free(coloring);
  ms_graph_free(graph);
}

static uint32_t cost_of(const ms_substitutes *s, const char *wanted, const char *instead)
{
  return ms_substitutes_cost(s, ms_coloring_find(coloring, wanted),
                             ms_coloring_find(coloring, instead));
}

/* T:0 is the root, T:1 and T:2 below it, T:3 and T:4 below T:1, T:5 below T:2 and T:4; T:6 is
 * called "five names" and part of T:5. */
static const char ontology[] =
    "format-version: 1.2\n\n[Term]\nid: T:0\nname: root\n\n[Term]\nid: T:1\nname: one\nis_a: T:0\n\n"
    "[Term]\nid: T:2\nname: two\nis_a: T:0\n\n[Term]\nid: T:3\nname: three\nis_a: T:1\n\n"
    "[Term]\nid: T:4\nname: four\nis_a: T:1\n\n[Term]\nid: T:5\nname: five\nis_a: T:2\nis_a: "
    "T:4\n\n[Term]\nid: T:6\nname: five names\nrelationship: part_of T:5\n";

/* The costs of an ontology are numbers of steps through a common ancestor, up to the limit; only
 * terms of the motif are wanted. */
START_TEST(ontology_counts_steps)
{
  ms_substitutes *s;
  const char *path = files_write_text("t.obo", ontology);
  make_terms("T:3,T:5");
  ck_ok(ms_substitutes_read(path, coloring, motif, 10, &s, &err));
  ck_assert_uint_eq(cost_of(s, "T:3", "T:1"), 1);
  ck_assert_uint_eq(cost_of(s, "T:3", "T:4"), 2);
  ck_assert_uint_eq(cost_of(s, "T:3", "T:0"), 2);
  ck_assert_uint_eq(cost_of(s, "T:3", "T:2"), 3);
  ck_assert_uint_eq(cost_of(s, "T:3", "T:5"), 3); /* through T:1 and T:4 */
  ck_assert_uint_eq(cost_of(s, "T:3", "five names"), 4);
  ck_assert_uint_eq(cost_of(s, "T:5", "five names"), 1);
  ck_assert_uint_eq(cost_of(s, "T:5", "T:3"), 3);
  ck_assert_uint_eq(cost_of(s, "T:5", "T:1"), 2);
  ck_assert_uint_eq(cost_of(s, "T:1", "T:3"), MS_NO_SUBSTITUTE);
  ck_assert_uint_eq(ms_substitutes_count(s, NULL), 12);
  ms_substitutes_free(s);
  ck_ok(ms_substitutes_read(path, coloring, motif, 1, &s, &err));
  ck_assert_uint_eq(ms_substitutes_count(s, NULL), 4); /* T:1; T:2, T:4 and T:6 */
  ms_substitutes_free(s);
  free_terms();
}
END_TEST

/* Alternative ids, and ids that a term has replaced, have the place of that term; other ids of one
 * term cost 1. */
START_TEST(ontology_has_other_ids)
{
  ms_substitutes *s;
  const char *path = files_write_text(
      "t.obo", "format-version: 1.2\n\n[Term]\nid: T:9\nname: root\n\n[Term]\nid: T:8\nname: "
               "eight\nalt_id: T:1\nis_a: T:9\n\n[Term]\nid: T:7\nname: seven\nalt_id: "
               "T:2\nalt_id: T:3\nis_a: T:9\n\n[Term]\nid: T:4\nis_obsolete: true\nreplaced_by: "
               "T:8\n\n[Term]\nid: T:5\nis_obsolete: true\n");
  make_terms("T:1,T:2");
  ck_ok(ms_substitutes_read(path, coloring, motif, 10, &s, &err));
  ck_assert_uint_eq(cost_of(s, "T:1", "T:2"), 2);
  ck_assert_uint_eq(cost_of(s, "T:1", "T:3"), 2);
  ck_assert_uint_eq(cost_of(s, "T:1", "T:4"), 1);
  ck_assert_uint_eq(cost_of(s, "T:2", "T:3"), 1);
  ck_assert_uint_eq(cost_of(s, "T:2", "T:4"), 2);
  ck_assert_uint_eq(cost_of(s, "T:2", "T:5"), MS_NO_SUBSTITUTE);
  ck_assert_uint_eq(cost_of(s, "T:3", "T:1"), MS_NO_SUBSTITUTE); /* is not wanted */
  ck_assert_uint_eq(ms_substitutes_count(s, NULL), 6);
  ms_substitutes_free(s);
  free_terms();
}
END_TEST

static void check_refused(const char *text, const char *word)
{
  ms_substitutes *s;
  const char *path = files_write_text("s.tsv", text);
  ck_assert_int_eq(ms_substitutes_read(path, coloring, motif, 5, &s, &err), MS_ERR_INPUT);
  ck_assert_ptr_null(s);
  ck_assert_msg(strstr(err.message, word) != NULL, "%s", err.message);
}

START_TEST(tables)
{
  ms_substitutes *s;
  uint32_t skipped;
  make_terms("T:3,T:5");
  const char *path =
      files_write_text("s.tsv", "# a comment\nT:3\tT:1\t4\nT:3\tT:1\t2\n\nT:3\tfive names\t7\n"
                                "T:3\tT:3\t1\nT:3\tnobody\t1\n");
  ck_ok(ms_substitutes_read(path, coloring, motif, 5, &s, &err));
  ck_assert_uint_eq(ms_substitutes_count(s, &skipped), 2);
  ck_assert_uint_eq(skipped, 1);
  ck_assert_uint_eq(cost_of(s, "T:3", "T:1"), 2);
  ck_assert_uint_eq(cost_of(s, "T:3", "five names"), 7);
  ms_substitutes_free(s);
  check_refused("T:3\tT:1\n", "s.tsv:1: expected WANTED<TAB>INSTEAD<TAB>COST, found 2 fields");
  check_refused("T:3\tT:1\t0\n", "the cost '0' is not a whole number");
  check_refused("T:3\tT:1\t1.5\n", "the cost '1.5'");
  check_refused("T:3\tT:1\t1001\n", "the cost '1001'");
  check_refused("a\tb\t1\n", "no line names two colours");
  check_refused("", "no line names two colours");
  check_refused("[Term]\nid: X:1\nname: x\n", "no colour of the motif is a term");
  free_terms();
}
END_TEST

static ms_status read_once(void *user, ms_error *error)
{
  ms_substitutes *s;
  ms_status status = ms_substitutes_read(user, coloring, motif, 3, &s, error);
  if (status == MS_OK)
    ms_substitutes_free(s);
  return status;
}

/* Whichever allocation fails, reading reports it. */
START_TEST(every_allocation_may_fail)
{
  make_terms("T:3,T:5");
  char obo[512], table[512];
  snprintf(obo, sizeof obo, "%s", files_write_text("t.obo", ontology));
  snprintf(table, sizeof table, "%s", files_write_text("s.tsv", "T:3\tT:1\t4\n"));
  ck_assert_int_gt(failing_runs_survived(read_once, obo), 10);
  ck_assert_int_gt(failing_runs_survived(read_once, table), 3);
  free_terms();
}
END_TEST

START_TEST(refuses_options)
{
  oracle_case c, other;
  ms_nearest_result *r = NULL;
  ms_screen_result *screen = NULL;
  oracle_make(&shapes[1], 3, &c);
  oracle_make(&shapes[1], 4, &other);
  ms_substitutes *s = make_substitutes(&c, 1);
  ms_nearest_options o = {.size = sizeof o, .max_cost = 1};
  ck_assert_int_eq(ms_list_nearest(c.query, &o, &r, &err), MS_ERR_USAGE);
  ck_assert_ptr_nonnull(strstr(err.message, "also give `substitutes`"));
  o.substitutes = s;
  ck_assert_int_eq(ms_list_nearest(other.query, &o, &r, &err), MS_ERR_USAGE);
  ck_assert_ptr_nonnull(strstr(err.message, "other colours"));
  o.max_cost = MS_MAX_COST + 1;
  ck_assert_int_eq(ms_list_nearest(c.query, &o, &r, &err), MS_ERR_USAGE);
  ck_assert_ptr_nonnull(strstr(err.message, "`max_cost` is 1001"));
  ms_screen_options so = {.size = sizeof so, .max_cost = MS_MAX_COST, .substitutes = s};
  ms_status status = ms_screen(c.query, &so, &screen, &err);
  ck_assert(status == MS_OK || strstr(err.message, "lower `max_cost`") != NULL);
  ms_screen_result_free(screen);
  ms_substitutes_free(s);
  oracle_free(&c);
  oracle_free(&other);
}
END_TEST

TEST_MAIN("substitutes", TEST(agrees_with_brute_force), TEST(both_matchings_agree),
          TEST(slots_are_the_first_way), TEST(ontology_counts_steps), TEST(ontology_has_other_ids),
          TEST(tables), TEST(every_allocation_may_fail), TEST(refuses_options))
