/* Motifs, queries, instances and pruning; and a run from files to a pruned instance with each
 * allocation failing in turn. */
#include "base/alloc.h"
#include "motif/instance.h"
#include "tests/support/allocations.h"
#include "tests/support/files.h"
#include "tests/support/random.h"
#include "tests/support/search/oracle.h"
#include "tests/support/test_main.h"

#include <stdio.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static ms_error err;

/* ---- motifs ----------------------------------------------------------------- */

enum { RED, BLUE, COMMA, COLON, QUOTE, STAR, A, A2, PHOSPHATASE, X1, X2, X3, X, COLORS };
static const char *const color_names[COLORS] = {
    "red", "blue",        "in, out", "GO:7",   "5\" end", "*",    "a",
    "a:2", "phosphatase", "xyzzy1",  "xyzzy2", "xyzzy3",  "XYZZY"};

static ms_graph *graph;
static ms_coloring *coloring;

static void setup(void)
{
  static const uint32_t edges[][2] = {{0, 1}, {1, 2}, {2, 3}};
  static const uint32_t pairs[][2] = {{0, RED}, {1, BLUE}, {1, RED}};
  static const char *const vertices[] = {"v0", "v1", "v2", "v3"};
  ck_ok(ms_graph_from_edges(4, 3, edges, vertices, &graph, &err));
  ck_ok(ms_coloring_from_pairs(graph, COUNT(pairs), pairs, COLORS, color_names, &coloring, &err));
}

static void teardown(void)
{
  ms_coloring_free(coloring);
  ms_graph_free(graph);
}

static const struct {
  const char *text, *canonical;
  uint32_t k;
} good_motifs[] = {
    {"red", "red", 1},
    {"red:1", "red", 1},
    {" red : 2 ,\tblue ", "blue,red:2", 3},
    {"red,blue,red:3,*,*:2", "blue,red:4,*:3", 8},
    {"*", "*", 1},
    {"* : 2,\"*\"", "\"*\",*:2", 3},
    {"\"*\":3", "\"*\":3", 3},
    {"GO:7", "\"GO:7\"", 1},
    {"GO:7:2", "\"GO:7\":2", 2},
    {"\"GO:7\" : 2", "\"GO:7\":2", 2},
    {"\"in, out\":2,\"red\"", "\"in, out\":2,red", 3},
    {"\"5\"\" end\"", "\"5\"\" end\"", 1},
    {"5\" end", "\"5\"\" end\"", 1},
    {"a:2", "\"a:2\"", 1},     /* the whole item is a colour */
    {"\"a\":2", "\"a\":2", 2}, /* so this one keeps its quotes */
    {"a:3,a:2:2", "a:3,\"a:2\":2", 5},
    {"a", "a", 1},
    {"red:32", "red:32", 32},
};

/* Each of 18 motif texts has its canonical form and size, and the canonical form parses to the same
 * motif. */
START_TEST(motifs_parse)
{
  for (size_t i = 0; i < COUNT(good_motifs); i++) {
    ms_motif *motif, *again;
    ck_assert_msg(ms_motif_parse(good_motifs[i].text, coloring, &motif, &err) == MS_OK, "%s: %s",
                  good_motifs[i].text, err.message);
    ck_assert_str_eq(ms_motif_text(motif), good_motifs[i].canonical);
    ck_assert_uint_eq(ms_motif_size(motif), good_motifs[i].k);
    for (uint32_t c = 1; c < motif->n_classes; c++)
      ck_assert_uint_lt(motif->class_[c - 1].color, motif->class_[c].color);
    ck_ok(ms_motif_parse(ms_motif_text(motif), coloring, &again, &err));
    ck_assert_str_eq(ms_motif_text(again), good_motifs[i].canonical);
    ck_assert_mem_eq(again->class_, motif->class_, sizeof motif->class_);
    ms_motif_free(again);
    ms_motif_free(motif);
  }
}
END_TEST

static const struct {
  const char *text, *part, *other_part;
} bad_motifs[] = {
    {"", "the motif is empty", ""},
    {" \t", "the motif is empty", ""},
    {",red", "empty item", ""},
    {"red,", "empty item", ""},
    {"red,,blue", "empty item", ""},
    {"red:0", "'0' is not a count for 'red'", "from 1 to 32"},
    {"red:x", "'x' is not a count for 'red'", ""},
    {"red:", "'' is not a count for 'red'", ""},
    {"red:-1", "'-1' is not a count", ""},
    {"red:2x", "'2x' is not a count", ""},
    {"red:33", "'33' is not a count", ""},
    {"red:4294967297", "is not a count", ""},
    {"*:0", "'0' is not a count for '*'", ""},
    {"\"red\":0", "'0' is not a count for 'red'", ""},
    {"\"red\":", "'' is not a count for 'red'", ""},
    {"red:20,blue:13", "more than 32 slots", ""},
    {"green", "unknown colour 'green'", "known colours are for example 'red', 'blue' or 'in, out'"},
    {"Red", "unknown colour 'Red'", "did you mean 'red'?"},
    {"phosfatase:2", "unknown colour 'phosfatase'", "did you mean 'phosphatase'?"},
    {"xyzzy", "unknown colour 'xyzzy'", "did you mean 'XYZZY', 'xyzzy1' or 'xyzzy2'?"},
    {"phosph", "unknown colour 'phosph'", "did you mean 'phosphatase'?"},
    {"GO:9", "unknown colour 'GO", ""},
    {"GO:0009", "unknown colour 'GO:0009'", ""},
    {"in, out", "unknown colour 'in'", ""},
    {"\"red", "in front of 'red' is not closed", ""},
    {"\"red\" x", "'x' follows the quoted colour 'red'", ""},
    {"\"\"", "unknown colour ''", ""},
    {":2", "unknown colour ':2'", ""},
};

/* Each of 28 wrong motif texts is refused for its reason, with a suggestion where there is one. */
START_TEST(bad_motifs_are_refused)
{
  for (size_t i = 0; i < COUNT(bad_motifs); i++) {
    ms_motif *motif;
    ck_assert_msg(ms_motif_parse(bad_motifs[i].text, coloring, &motif, &err) == MS_ERR_USAGE, "%s",
                  bad_motifs[i].text);
    ck_assert_ptr_null(motif);
    ck_assert_msg(strstr(err.message, bad_motifs[i].part) &&
                      strstr(err.message, bad_motifs[i].other_part),
                  "%s: '%s'", bad_motifs[i].text, err.message);
  }
}
END_TEST

static ms_status read_motif(const char *text, ms_motif **motif)
{
  return ms_motif_read(files_write_text("motif.txt", text), coloring, motif, &err);
}

/* A motif file gives its motif, and each of seven wrong files is refused with its line and
 * reason. */
START_TEST(motif_files)
{
  static const struct {
    const char *text, *part;
  } bad[] = {
      {"", "motif.txt: the motif is empty"},
      {"# none\n", "motif.txt: the motif is empty"},
      {"red\ngrean\t2\n", "motif.txt:2: unknown colour 'grean'"},
      {"red\n\nblue\t0\n", "motif.txt:3: '0' is not a count for 'blue'"},
      {"red\t\n", "motif.txt:1: '' is not a count"},
      {"red\t20\nblue\t20\n", "motif.txt:2: the motif has more than 32 slots"},
      {"\"red\"\n", "motif.txt:1: unknown colour '\"red\"'"},
  };
  ms_motif *motif;
  ck_ok(read_motif("# comment\nin, out\t2\r\nGO:7\n\n*\na:2\t 3 \nred\n*\t2", &motif));
  ck_assert_str_eq(ms_motif_text(motif), "\"GO:7\",\"a:2\":3,\"in, out\":2,red,*:3");
  ms_motif_free(motif);
  for (size_t i = 0; i < COUNT(bad); i++) {
    ck_assert_int_eq(read_motif(bad[i].text, &motif), MS_ERR_INPUT);
    ck_assert_msg(strstr(err.message, bad[i].part), "%s", err.message);
    ck_assert_ptr_null(motif);
  }
  ck_assert_int_eq(ms_motif_read(files_path("none"), coloring, &motif, &err), MS_ERR_INPUT);
}
END_TEST

/* ---- queries ------------------------------------------------------------------ */

/* Required vertices become a sorted set, and an unknown one, too many, and colours of another graph
 * are refused. */
START_TEST(queries)
{
  static const char *const names[] = {"v3", "v0", "v3", "v1"}, *const wrong[] = {"v0", "v9"};
  ms_motif *motif;
  ms_query *query;
  ck_ok(ms_motif_parse("red,blue", coloring, &motif, &err));
  ck_ok(ms_query_new(graph, coloring, motif, 3, names, &query, &err));
  ck_assert_uint_eq(query->n_required, 2);
  ck_assert_uint_eq(query->required[0], 0);
  ck_assert_uint_eq(query->required[1], 3);
  ms_query_free(query);
  ck_assert_int_eq(ms_query_new(graph, coloring, motif, 2, wrong, &query, &err), MS_ERR_USAGE);
  ck_assert_msg(strstr(err.message, "'v9' is not a vertex of (in memory)"), "%s", err.message);
  ck_assert_int_eq(ms_query_new(graph, coloring, motif, 4, names, &query, &err), MS_ERR_USAGE);
  ck_assert_msg(strstr(err.message, "slots in the motif, which has k = 2"), "%s", err.message);
  ck_assert_ptr_null(query);
  ms_graph *other;
  ck_ok(ms_graph_from_edges(3, 0, NULL, NULL, &other, &err));
  ck_assert_int_eq(ms_query_new(other, coloring, motif, 0, NULL, &query, &err), MS_ERR_USAGE);
  ms_graph_free(other);
  ms_motif_free(motif);
}
END_TEST

/* ---- instances against brute force ------------------------------------------------ */

static const oracle_shape shapes[] = {
    {1, 10, 1, 5, false, false, false, false},
    {2, 12, 2, 6, true, false, false, false},
    {2, 12, 1, 6, true, true, true, true},
    {4, 11, 3, 7, true, false, true, false},
};

static bool fills(const uint32_t *mask, uint32_t count, uint32_t free_slots)
{
  if (count == 0)
    return true;
  for (uint32_t left = mask[0] & free_slots; left; left &= left - 1)
    if (fills(mask + 1, count - 1, free_slots & ~(left & (0u - left))))
      return true;
  return false;
}

static bool connected(const ms_instance *instance, uint32_t set)
{
  uint32_t seen = set & (0u - set), before = 0;
  while (seen != before) {
    before = seen;
    for (uint32_t v = 0; v < instance->n; v++)
      for (uint64_t a = instance->offset[v]; (before >> v & 1) && a < instance->offset[v + 1]; a++)
        seen |= set & 1u << instance->neighbor[a];
  }
  return seen == set;
}

/* The matches of an instance, straight from the definition in instance.h, as
 * ascending bitmasks of vertices of the input graph. */
static uint32_t instance_matches(const ms_instance *instance, uint16_t *masks)
{
  uint32_t count = 0;
  for (uint32_t set = 1; set < 1u << instance->n; set++) {
    uint32_t size = 0, mask[ORACLE_MAX_N], outer = 0, loose = 0;
    for (uint32_t v = 0; v < instance->n; v++)
      if (set >> v & 1) {
        mask[size++] = instance->mask[v];
        outer |= 1u << instance->vertex[v];
      }
    for (uint32_t i = 0; i < instance->n_loose; i++)
      loose += set >> instance->loose[i] & 1;
    if (size == instance->k && loose == instance->n_loose && connected(instance, set) &&
        fills(mask, size, (1u << instance->k) - 1))
      masks[count++] = (uint16_t)outer;
  }
  return count;
}

static void check_well_formed(const ms_instance *instance, uint64_t seed)
{
  ck_assert_uint_eq(instance->offset[0], 0);
  ck_assert_uint_eq(instance->offset[instance->n], instance->arcs);
  ck_assert_msg(!instance->impossible || (instance->n == 0 && instance->n_loose == 0), "seed %llu",
                (unsigned long long)seed);
  ck_assert_msg(instance->impossible || instance->n > 0, "seed %llu", (unsigned long long)seed);
  for (uint32_t v = 1; v < instance->n; v++)
    ck_assert_uint_lt(instance->vertex[v - 1], instance->vertex[v]);
  for (uint32_t v = 0; v < instance->n; v++)
    for (uint64_t a = instance->offset[v] + 1; a < instance->offset[v + 1]; a++)
      ck_assert_uint_lt(instance->neighbor[a - 1], instance->neighbor[a]);
  for (uint32_t i = 1; i < instance->n_loose; i++)
    ck_assert_uint_lt(instance->loose[i - 1], instance->loose[i]);
}

static void check_same_matches(const ms_instance *instance, const uint16_t *wanted, uint32_t count,
                               const char *what, uint64_t seed)
{
  static uint16_t found[1 << ORACLE_MAX_N];
  check_well_formed(instance, seed);
  uint32_t got = instance_matches(instance, found);
  ck_assert_msg(got == count && memcmp(found, wanted, count * sizeof *found) == 0,
                "%s, seed %llu: %u matches instead of %u", what, (unsigned long long)seed, got,
                count);
}

static uint32_t thin_distance(const ms_instance *instance, const bool *alive, uint32_t from,
                              uint32_t to)
{
  uint32_t reached = 1u << from;
  for (uint32_t hop = 0; hop <= instance->n; hop++) {
    uint32_t next = reached;
    if (reached >> to & 1)
      return hop;
    for (uint32_t u = 0; u < instance->n; u++)
      for (uint64_t a = instance->offset[u]; (reached >> u & 1) && a < instance->offset[u + 1];
           a++) {
        uint32_t v = instance->neighbor[a];
        if (alive[v] && __builtin_popcount(instance->mask[u] | instance->mask[v]) > 1)
          next |= 1u << v;
      }
    reached = next;
  }
  return UINT32_MAX;
}

/* Does a rule of motif/prune.c drop v, given who is left? */
static bool dropped_by_a_rule(const ms_instance *instance, const bool *alive, uint32_t v)
{
  uint32_t hops[ORACLE_MAX_N], component = 0, k = instance->k;
  for (uint32_t u = 0; u < instance->n; u++) {
    hops[u] = alive[u] ? thin_distance(instance, alive, v, u) : UINT32_MAX;
    component |= (uint32_t)(hops[u] != UINT32_MAX) << u;
  }
  for (uint32_t i = 0; i < instance->n_loose; i++)
    if (hops[instance->loose[i]] > k - 1)
      return true;
  for (uint32_t slots = 1; slots < 1u << k; slots++) { /* Hall's condition on the component */
    uint32_t holders = 0;
    bool near = false;
    for (uint32_t u = 0; u < instance->n; u++)
      if ((component >> u & 1) && (instance->mask[u] & slots)) {
        holders++;
        near = near || hops[u] <= k - 1;
      }
    if (holders < (uint32_t)__builtin_popcount(slots) || !near)
      return true;
  }
  return false;
}

/* The rules by naive means, vertex by vertex to their one fixed point: pruning
 * keeps exactly that. */
static void check_fixed_point(const ms_instance *instance, const ms_instance *pruned, uint64_t seed)
{
  bool alive[ORACLE_MAX_N] = {false}, changed = true, loose_gone = false;
  uint32_t kept = 0;
  for (uint32_t v = 0; v < instance->n; v++)
    alive[v] = instance->mask[v] != 0;
  while (changed) {
    changed = false;
    for (uint32_t v = 0; v < instance->n; v++)
      if (alive[v] && dropped_by_a_rule(instance, alive, v)) {
        alive[v] = false;
        changed = true;
      }
  }
  for (uint32_t i = 0; i < instance->n_loose; i++)
    loose_gone = loose_gone || !alive[instance->loose[i]];
  for (uint32_t v = 0; v < instance->n && !loose_gone; v++)
    if (alive[v]) {
      ck_assert_msg(kept < pruned->n && pruned->vertex[kept] == instance->vertex[v],
                    "seed %llu: vertex %u was dropped or is out of place", (unsigned long long)seed,
                    v);
      kept++;
    }
  ck_assert_msg(pruned->n == kept, "seed %llu: %u vertices left instead of %u",
                (unsigned long long)seed, pruned->n, kept);
}

static void check_stats(const ms_instance *instance, const ms_instance *pruned,
                        const ms_prune_stats *stats)
{
  uint32_t component[ORACLE_MAX_N], count, next = 0;
  ck_assert_uint_eq(instance->n - pruned->n,
                    stats->no_slot + stats->poor_component + stats->too_far);
  ck_ok(ms_instance_components(pruned, 0, component, &count, &err));
  ck_assert_uint_eq(count, stats->components);
  for (uint32_t v = 0; v < pruned->n; v++) {
    ck_assert_uint_le(component[v], next); /* numbered by smallest vertex */
    next += component[v] == next;
    for (uint64_t a = pruned->offset[v]; a < pruned->offset[v + 1]; a++)
      ck_assert_uint_eq(component[pruned->neighbor[a]], component[v]);
  }
  ck_assert_uint_eq(next, count);
}

/* Instance and pruned instance have exactly the matches of brute force, and pruning keeps exactly
 * what the naive fixed point of its rules keeps: 700 random cases of each of four shapes. */
START_TEST(pruning_keeps_the_matches)
{
  static uint16_t wanted[1 << ORACLE_MAX_N];
  uint32_t with_match = 0, shrunk = 0;
  for (uint64_t i = 0; i < 700; i++) {
    uint64_t seed = (uint64_t)_i * 100000 + i;
    oracle_case c;
    ms_instance *instance, *pruned, *again;
    ms_prune_stats stats;
    oracle_make(&shapes[_i], seed, &c);
    uint32_t count = oracle_matches(&c, wanted);
    ck_ok(ms_instance_new(c.query, 0, &instance, &err));
    check_same_matches(instance, wanted, count, "new", seed);
    ck_ok(ms_instance_prune(instance, 0, &pruned, &stats, &err));
    check_same_matches(pruned, wanted, count, "pruned", seed);
    check_fixed_point(instance, pruned, seed);
    check_stats(instance, pruned, &stats);
    ck_ok(ms_instance_prune(pruned, 0, &again, NULL, &err));
    ck_assert_msg(again->n == pruned->n && again->arcs == pruned->arcs, "seed %llu",
                  (unsigned long long)seed);
    with_match += count > 0;
    shrunk += pruned->n > 0 && pruned->n < instance->n;
    ms_instance_free(again);
    ms_instance_free(pruned);
    ms_instance_free(instance);
    oracle_free(&c);
  }
  ck_assert_uint_gt(with_match, 100); /* else the cases test nothing */
  ck_assert_uint_gt(shrunk, 100);
}
END_TEST

/* An induced part has exactly the matches that lie in it: 400 random cases. */
START_TEST(induced_keeps_what_fits)
{
  static uint16_t all[1 << ORACLE_MAX_N];
  uint64_t state = 5;
  for (uint64_t seed = 0; seed < 400; seed++) {
    oracle_case c;
    ms_instance *instance, *part;
    uint8_t keep[ORACLE_MAX_N] = {0};
    uint32_t kept = 0, inside = 0;
    oracle_make(&shapes[2], seed, &c);
    ck_ok(ms_instance_new(c.query, 0, &instance, &err));
    for (uint32_t v = 0; v < instance->n; v++) {
      keep[v] = random_next(&state) % 4 != 0;
      kept |= (uint32_t)keep[v] << instance->vertex[v];
    }
    uint32_t count = instance_matches(instance, all);
    for (uint32_t i = 0; i < count; i++)
      if ((all[i] & ~kept) == 0)
        all[inside++] = all[i];
    ck_ok(ms_instance_induced(instance, keep, 0, &part, &err));
    check_same_matches(part, all, inside, "induced", seed);
    ck_assert(part->impossible || part->n == (uint32_t)__builtin_popcount(kept));
    ms_instance_free(part);
    ms_instance_free(instance);
    oracle_free(&c);
  }
}
END_TEST

/* Pruning drops a vertex that no match reaches in few enough steps, on a path of seven vertices,
 * for the reasons it counts. */
START_TEST(far_vertices_go)
{
  static const uint32_t edges[][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 6}};
  static const uint32_t pairs[][2] = {{0, 0}, {1, 1}, {2, 0}, {3, 0}, {4, 2}, {5, 0}, {6, 1}};
  static const char *const names[] = {"r", "b", "other"};
  ms_graph *path;
  ms_coloring *colors;
  ms_motif *motif;
  ms_query *query;
  ms_instance *instance, *pruned;
  ms_prune_stats stats;
  ck_ok(ms_graph_from_edges(7, 6, edges, NULL, &path, &err));
  ck_ok(ms_coloring_from_pairs(path, 7, pairs, 3, names, &colors, &err));
  ck_ok(ms_motif_parse("r:2,b", colors, &motif, &err));
  ck_ok(ms_query_new(path, colors, motif, 0, NULL, &query, &err));
  ck_ok(ms_instance_new(query, 0, &instance, &err));
  ck_ok(ms_instance_prune(instance, 0, &pruned, &stats, &err));
  ck_assert_uint_eq(pruned->n, 4); /* 0 1 2 3: r r are two slots, so 2-3 stays */
  ck_assert_uint_eq(stats.no_slot, 1);
  ck_assert_uint_eq(stats.poor_component, 2); /* 5-6 */
  ms_instance_free(pruned);
  ms_query_free(query);
  ms_motif_free(motif);
  ck_ok(ms_motif_parse("r,b", colors, &motif, &err));
  ck_ok(ms_query_new(path, colors, motif, 1, (const char *const[]){"1"}, &query, &err));
  ms_instance_free(instance);
  ck_ok(ms_instance_new(query, 0, &instance, &err));
  ck_assert_uint_eq(instance->n_loose, 0); /* pinned: 6 has no slot any more */
  ck_assert_uint_eq(instance->mask[6], 0);
  ck_ok(ms_instance_prune(instance, 0, &pruned, &stats, &err));
  ck_assert_uint_eq(pruned->n, 3);
  ck_assert_uint_eq(stats.edges_one_slot, 1); /* 2-3 */
  ms_instance_free(pruned);
  ms_instance_free(instance);
  ms_query_free(query);
  ms_motif_free(motif);
  ms_coloring_free(colors);
  ms_graph_free(path);
}
END_TEST

/* Slots can be filled exactly where Hall's condition holds: 20,000 random cases of up to 7 slots
 * and 10 vertices. */
START_TEST(slots_by_hall)
{
  uint64_t state = 11;
  uint32_t filled = 0;
  for (int round = 0; round < 20000; round++) {
    uint32_t k = 1 + (uint32_t)(random_next(&state) % 7), mask[10], list[10], count = 0;
    for (uint32_t v = 0; v < 10; v++) {
      mask[v] = (uint32_t)(random_next(&state) & random_next(&state) & random_next(&state)) &
                ((1u << k) - 1);
      if (random_next(&state) % 8)
        list[count++] = v;
    }
    bool hall = true;
    for (uint32_t slots = 1; slots < 1u << k; slots++) {
      uint32_t holders = 0;
      for (uint32_t i = 0; i < count; i++)
        holders += (mask[list[i]] & slots) != 0;
      hall = hall && holders >= (uint32_t)__builtin_popcount(slots);
    }
    ck_assert_msg(ms_slots_can_be_filled(k, mask, list, count) == hall, "round %d", round);
    filled += hall;
  }
  ck_assert(filled > 1000 && filled < 19000);
}
END_TEST

/* The same for 32 slots, where a shift goes wrong first, and where each vertex pushes all earlier
 * ones along. */
START_TEST(slots_full_width)
{
  uint32_t mask[MS_MAX_K], list[MS_MAX_K];
  for (uint32_t v = 0; v < MS_MAX_K; v++) {
    list[v] = v;
    mask[v] = v == 31 ? 1u : 1u << v | 1u << (v + 1);
  }
  ck_assert(ms_slots_can_be_filled(32, mask, list, 32));
  ck_assert(!ms_slots_can_be_filled(32, mask, list, 31));
  mask[30] = 1u << 30;
  ck_assert(!ms_slots_can_be_filled(32, mask, list, 32));
}
END_TEST

/* ---- allocation failures ------------------------------------------------------------ */

typedef struct input_files {
  char net[1024], colors[1024], motif[1024];
} input_files;

static ms_status whole_run(void *user, ms_error *error)
{
  const input_files *files = user;
  static const char *const required[] = {"B"};
  ms_graph *g = NULL;
  ms_coloring *c = NULL;
  ms_motif *parsed = NULL, *read = NULL;
  ms_query *q = NULL;
  ms_instance *instance = NULL, *pruned = NULL;
  uint32_t component[8], count;
  ms_status status = ms_graph_read(files->net, NULL, &g, error);
  if (status == MS_OK)
    status = ms_coloring_read(files->colors, g, NULL, &c, error);
  if (status == MS_OK)
    status = ms_motif_parse("\"folding\",binding", c, &parsed, error);
  if (status == MS_OK)
    status = ms_motif_read(files->motif, c, &read, error);
  if (status == MS_OK)
    status = ms_query_new(g, c, read, 1, required, &q, error);
  if (status == MS_OK)
    status = ms_instance_new(q, 0, &instance, error);
  if (status == MS_OK)
    status = ms_instance_prune(instance, 0, &pruned, NULL, error);
  if (status == MS_OK)
    status = ms_instance_components(pruned, 0, component, &count, error);
  ms_instance_free(pruned);
  ms_instance_free(instance);
  ms_query_free(q);
  ms_motif_free(read);
  ms_motif_free(parsed);
  ms_coloring_free(c);
  ms_graph_free(g);
  return status;
}

/* Whichever allocation fails between reading files and a pruned instance, the run reports it and
 * leaks no block. */
START_TEST(every_allocation_may_fail)
{
  static const char net[] = "protein1 protein2 combined_score\n9.A 9.B 900\n9.B 9.C 900\n";
  static const char colors[] = "A\ta\tS000000001\tP\tfolding\tGO:0000001\tORF\n"
                               "B\tb\tS000000002\tF\tbinding\tGO:0000002\tORF\n"
                               "C\tc\tS000000002\tP\tother\t\tORF\n"
                               "X\tx\tS000000002\tP\tother\t\tORF\n";
  static const char motif[] = "folding\nbinding\n*\n";
  input_files files;
  strcpy(files.net, files_write_gzip("net.gz", net, sizeof net - 1, 1));
  strcpy(files.colors, files_write("colors.tsv", colors, sizeof colors - 1));
  strcpy(files.motif, files_write("motif.txt", motif, sizeof motif - 1));
  ck_assert_int_gt(failing_runs(whole_run, &files), 60);
}
END_TEST

TEST_MAIN("graph: asking", AROUND_EACH(setup, teardown), TEST(motifs_parse),
          TEST(bad_motifs_are_refused), TEST(motif_files), TEST(queries),
          TEST_TIMES(pruning_keeps_the_matches, COUNT(shapes)), TEST(induced_keeps_what_fits),
          TEST(far_vertices_go), TEST(slots_by_hall), TEST(slots_full_width),
          TEST(every_allocation_may_fail))
