/* Slots with conditions (query/condition.h): texts, their meaning, and searches from end to end
 * against brute force. */
#include "query/query.h"
#include "tests/support/allocations.h"
#include "tests/support/files.h"
#include "tests/support/random.h"
#include "tests/support/search/oracle.h"
#include "tests/support/search/recounts.h"
#include "tests/support/test_main.h"
#include "verify/judge/judge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ms_error err;
static ms_graph *graph;
static ms_coloring *coloring;

/* ---- texts ----------------------------------------------------------------------- */

static const char *const names[] = {"red", "blue",   "a|b", "a&b", "!red", "!c",
                                    "c",   "d|e:2",  "d",   "e",   "e:2",  "x,y",
                                    "5\"", "!\"c\"", "f",   "*",   "GO:1", "GO:2"};

static void setup(void)
{
  static const uint32_t edges[][2] = {{0, 1}};
  ck_ok(ms_graph_from_edges(2, 1, edges, NULL, &graph, &err));
  ck_ok(
      ms_coloring_from_pairs(graph, 0, NULL, sizeof names / sizeof *names, names, &coloring, &err));
}

static void teardown(void)
{
  ms_coloring_free(coloring);
  ms_graph_free(graph);
}

static const struct {
  const char *text, *canonical;
  uint32_t k;
} good[] = {
    {"red|blue", "blue|red", 1},
    {" red | blue : 2 ", "blue|red:2", 2},
    {"red|blue,blue|red", "blue|red:2", 2},
    {"\"red\"|blue:3", "blue|red:3", 3},
    {"red&blue|c", "blue&red|c", 1},
    {"!blue", "!blue", 1},
    {"! blue:2", "!blue:2", 2},
    {"red&!blue,*,red", "red,red&!blue,*", 3},
    {"red|red", "red", 1},
    {"red|red&blue", "red", 1},
    {"blue&red|red|red", "red", 1},
    {"!blue|!blue&red|c", "c|!blue", 1},
    {"red|!red", "red|!red", 1},
    /* a known colour is that colour */
    {"a|b", "a|b", 1},
    {"a|b:2", "a|b:2", 2},
    {"a&b", "a&b", 1},
    {"red|\"a|b\"", "\"a|b\"|red", 1},
    {"a|b,\"a|b\"|red", "\"a|b\"|red,a|b", 2},
    {"!red", "!red", 1},
    {"!\"red\"", "!\"red\"", 1},
    {"!c", "!c", 1},
    {"!\"c\":2", "\"!\"\"c\"\"\":2", 2},
    {"!\"!c\"", "!\"!c\"", 1},
    {"!!c", "!\"!c\"", 1},
    {"!\"c\"", "\"!\"\"c\"\"\"", 1},
    {"! c", "! \"c\"", 1}, /* a condition whose text is a colour, with quotes and without */
    {"!f", "!f", 1},
    {"! \"c\":2", "! \"c\":2", 2},
    {"d|e:2", "\"d|e:2\"", 1},
    {"\"d\"|e", "d|e", 1},
    {"d|\"e\":2", "\"d\"|\"e\":2", 2},
    {"c|e:2", "c|\"e:2\"", 1},
    {"c|e:2:2", "c|\"e:2\":2", 2},
    {"c|\"e\":2", "\"c\"|\"e\":2", 2},
    {"red|\"x,y\":2,c", "c,red|\"x,y\":2", 3},
    {"\"x,y\"|red", "red|\"x,y\"", 1},
    {"5\"|\"e\":2", "\"5\"\"\"|\"e\":2", 2},
    {"c|5\"", "\"5\"\"\"|c", 1},
    {"c|\"*\"", "\"*\"|c", 1},
    {"GO:1|GO:2", "\"GO:1\"|\"GO:2\"", 1},
    {"GO:1|GO:2:3", "\"GO:1\"|\"GO:2\":3", 3},
};

static void check_same(const ms_motif *a, const ms_motif *b)
{
  ck_assert_uint_eq(a->n_classes, b->n_classes);
  for (uint32_t c = 0; c < a->n_classes; c++) {
    const ms_motif_class *x = &a->class_[c], *y = &b->class_[c];
    ck_assert_uint_eq(x->color, y->color);
    ck_assert_uint_eq(x->count, y->count);
    ck_assert_int_eq(x->condition == NULL, y->condition == NULL);
    if (x->condition)
      ck_assert_int_eq(ms_condition_compare(x->condition, y->condition, coloring), 0);
  }
}

/* Each of 41 texts has its canonical form and size, and the canonical form is read as the same
 * motif. */
START_TEST(texts_are_read_back)
{
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
    ms_motif *motif, *again;
    ck_assert_msg(ms_motif_parse(good[i].text, coloring, &motif, &err) == MS_OK, "%s: %s",
                  good[i].text, err.message);
    ck_assert_str_eq(ms_motif_text(motif), good[i].canonical);
    ck_assert_uint_eq(ms_motif_size(motif), good[i].k);
    ck_ok(ms_motif_parse(ms_motif_text(motif), coloring, &again, &err));
    ck_assert_str_eq(ms_motif_text(again), good[i].canonical);
    check_same(motif, again);
    ms_motif_free(again);
    ms_motif_free(motif);
  }
}
END_TEST

static const struct {
  const char *text, *part;
} bad[] = {
    {"red|", "a colour is missing beside |, & or !"},
    {"|red", "a colour is missing"},
    {"red||blue", "a colour is missing"},
    {"red&,blue", "a colour is missing"},
    {"!", "a colour is missing"},
    {"red|pink", "unknown colour 'pink'"},
    {"!pink:2", "unknown colour 'pink'"},
    {"red|blue:0", "'0' is not a count for 'red|blue'"},
    {" red | \"blue\" : 0 ", "'0' is not a count for 'red | \"blue\"'"},
    {"red|blue:33", "'33' is not a count for 'red|blue'"},
    {"red|\"blue\":x", "'x' is not a count for"},
    {"red|blue:", "'' is not a count for 'red|blue'"},
    {"red|blue:20,blue|red:20", "more than 32 slots"},
    {"red|*", "'*' is any vertex and stands alone"},
    {"!*:2", "'*' is any vertex and stands alone"},
    {"red&!\"red\"", "no vertex has the colour 'red' and lacks it"},
    {"blue|red&blue&!\"red\"", "no vertex has the colour 'red' and lacks it"},
    {"red|\"blue", "in front of 'blue' is not closed"},
    {"red|\"blue\" x", "'x' follows the quoted colour 'blue'; write |, &, a comma"},
    {"\"red\"|\"blue\"c", "'c' follows the quoted colour 'blue'"},
};

/* Each of 20 wrong texts is refused with its message. */
START_TEST(wrong_texts)
{
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    ms_motif *motif;
    ck_assert_msg(ms_motif_parse(bad[i].text, coloring, &motif, &err) == MS_ERR_USAGE, "%s",
                  bad[i].text);
    ck_assert_msg(strstr(err.message, bad[i].part), "%s: %s", bad[i].text, err.message);
    ck_assert_ptr_null(motif);
  }
}
END_TEST

/* A condition of 1024 literals is read, and one of 1025 is refused. */
START_TEST(many_literals)
{
  static char text[8 * MS_MAX_LITERALS];
  ms_motif *motif;
  for (uint32_t i = 0; i < MS_MAX_LITERALS; i++)
    strcat(text, i ? "|red" : "blue");
  ck_ok(ms_motif_parse(text, coloring, &motif, &err));
  ck_assert_str_eq(ms_motif_text(motif), "blue|red");
  ms_motif_free(motif);
  strcat(text, "|c");
  ck_assert_int_eq(ms_motif_parse(text, coloring, &motif, &err), MS_ERR_USAGE);
  ck_assert(strstr(err.message, "names more than 1024 colours"));
}
END_TEST

/* Lines of files: conditions with a count behind a tab, colours that look like conditions, and what
 * is refused by file and line. */
START_TEST(files_of_slots)
{
  static const struct {
    const char *text, *canonical, *message;
  } cases[] = {
      {"red|blue\t2\n!blue\n", "!blue,blue|red:2", NULL},
      {"a|b\t2\n!red\n  red & !blue \t1\n", "!red,a|b:2,red&!blue", NULL},
      {"red|\"x,y\"\n", "red|\"x,y\"", NULL},
      {"red|blue:2\n", NULL, "m.txt:1: 'red|blue:2' is not one condition"},
      {"red\nred|x,y\n", NULL, "m.txt:2: unknown colour 'x'"},
      {"red\nred|blue,c\n", NULL, "m.txt:2: 'red|blue,c' is not one condition"},
      {"red|pink\n", NULL, "m.txt:1: unknown colour 'pink'"},
      {"red|blue\t0\n", NULL, "m.txt:1: '0' is not a count for 'red|blue'"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    ms_motif *motif;
    const char *path = files_write_text("m.txt", cases[i].text);
    ms_status status = ms_motif_read(path, coloring, &motif, &err);
    ck_assert_msg((status == MS_OK) == (cases[i].canonical != NULL), "%s", cases[i].text);
    if (status == MS_OK)
      ck_assert_str_eq(ms_motif_text(motif), cases[i].canonical);
    else
      ck_assert_msg(strstr(err.message, cases[i].message), "%s", err.message);
    ms_motif_free(motif);
  }
}
END_TEST

static ms_status parse_and_free(void *user, ms_error *error)
{
  ms_motif *motif;
  ms_status status = ms_motif_parse(user, coloring, &motif, error);
  ms_motif_free(motif);
  return status;
}

/* Whichever allocation fails, a motif is refused and leaks no block. */
START_TEST(no_memory)
{
  char text[] = "red|\"x,y\":2,! f,c,red&!blue";
  ck_assert_int_gt(failing_runs(parse_and_free, text), 8);
}
END_TEST

/* ---- random texts ---------------------------------------------------------------- */

enum { COLORS = 6, MOST_NAME = 5, VERTICES = 1 << COLORS };

/* Names of characters that matter in motif texts, all different. */
static void draw_names(char name[COLORS][MOST_NAME + 1], uint64_t *state)
{
  static const char characters[] = "ab|&!:2\",* ";
  for (uint32_t i = 0; i < COLORS; i++) {
    bool is_new = false;
    while (!is_new) {
      uint32_t length = 1 + random_below(state, MOST_NAME);
      for (uint32_t j = 0; j < length; j++)
        name[i][j] = characters[random_below(state, sizeof characters - 1)];
      name[i][length] = '\0';
      is_new = name[i][0] != ' ' && name[i][length - 1] != ' ';
      for (uint32_t j = 0; j < i; j++)
        is_new &= strcmp(name[i], name[j]) != 0;
    }
  }
}

static char *put_quoted(char *to, const char *name)
{
  *to++ = '"';
  for (; *name; name++) {
    *to++ = *name;
    if (*name == '"')
      *to++ = '"';
  }
  *to++ = '"';
  *to = '\0';
  return to;
}

/* Writes a random condition with quotes; *accepts: bit s: a vertex with the colours s meets it. */
static char *put_random(char *to, char name[COLORS][MOST_NAME + 1], uint64_t *accepts,
                        uint64_t *state)
{
  uint32_t alternatives = 1 + random_below(state, 3);
  *accepts = 0;
  for (uint32_t a = 0; a < alternatives; a++) {
    uint32_t literals = 1 + random_below(state, 3), has = 0, lacks = 0;
    for (uint32_t i = 0; i < literals; i++) {
      uint32_t c = random_below(state, COLORS);
      bool no = (lacks >> c & 1) || (!(has >> c & 1) && random_below(state, 2));
      *to++ = i > 0 ? '&' : '|';
      to -= a == 0 && i == 0; /* nothing is in front of the first literal */
      if (no)
        *to++ = '!';
      /* a blank keeps `!"name"` from being a colour */
      if (no && i == 0 && a == 0)
        to = stpcpy(to, "       ");
      to = put_quoted(to, name[c]);
      *(no ? &lacks : &has) |= 1u << c;
    }
    for (uint32_t s = 0; s < VERTICES; s++)
      *accepts |= (uint64_t)((s & has) == has && !(s & lacks)) << s;
  }
  return to;
}

/* A colouring in which vertex s has the colours that are the bits of s. */
static void color_all(const ms_graph *all, char name[COLORS][MOST_NAME + 1], ms_coloring **out)
{
  uint32_t pairs[VERTICES * COLORS][2], count = 0;
  const char *pointer[COLORS];
  for (uint32_t c = 0; c < COLORS; c++)
    pointer[c] = name[c];
  for (uint32_t s = 0; s < VERTICES; s++)
    for (uint32_t c = 0; c < COLORS; c++)
      if (s >> c & 1) {
        pairs[count][0] = s;
        pairs[count++][1] = c;
      }
  ck_ok(
      ms_coloring_from_pairs(all, count, (const uint32_t(*)[2])pairs, COLORS, pointer, out, &err));
}

/* Each slot accepts what its truth table says, for the search and for the judge; the classes are
 * told apart by the sums of these tables. */
static void check_meaning(const ms_query *query, const uint64_t *accepts, uint32_t k)
{
  for (uint32_t s = 0; s < VERTICES; s++) {
    uint32_t wanted = 0, fits = 0;
    for (uint32_t i = 0; i < k; i++)
      wanted += accepts[i] >> s & 1;
    for (uint32_t c = 0; c < query->motif->n_classes; c++) {
      const ms_motif_class *class_ = &query->motif->class_[c];
      fits += ms_class_fits(class_, query->coloring, s) ? class_->count : 0;
    }
    ck_assert_uint_eq(fits, wanted);
    ck_assert_uint_eq((uint32_t)__builtin_popcount(ms_verify_slots(query, s)), wanted);
  }
}

/* 5,000 random motifs of up to three conditions, with names of up to five characters that matter in
 * texts: the canonical text is read as the same motif, and each of 64 vertices, one for each set of
 * colours, fits as many slots as the truth tables say. */
START_TEST(random_texts)
{
  uint64_t state = 5;
  ms_graph *all;
  ck_ok(ms_graph_from_edges(VERTICES, 0, NULL, NULL, &all, &err));
  for (uint32_t round = 0; round < 5000; round++) {
    char name[COLORS][MOST_NAME + 1], text[1024], *to = text;
    uint64_t accepts[3];
    uint32_t k = 1 + random_below(&state, 3);
    ms_coloring *colors;
    ms_motif *motif, *again;
    ms_query *query;
    draw_names(name, &state);
    color_all(all, name, &colors);
    for (uint32_t i = 0; i < k; i++) {
      if (i > 0)
        *to++ = ',';
      to = put_random(to, name, &accepts[i], &state);
    }
    ck_assert_msg(ms_motif_parse(text, colors, &motif, &err) == MS_OK, "%s: %s", text, err.message);
    ck_assert_msg(ms_motif_parse(ms_motif_text(motif), colors, &again, &err) == MS_OK, "%s: %s: %s",
                  text, ms_motif_text(motif), err.message);
    ck_assert_str_eq(ms_motif_text(again), ms_motif_text(motif));
    for (uint32_t i = 0; i < 2; i++) {
      ck_assert_uint_eq(ms_motif_size(i ? again : motif), k);
      ck_ok(ms_query_new(all, colors, i ? again : motif, 0, NULL, &query, &err));
      check_meaning(query, accepts, k);
      ms_query_free(query);
    }
    ms_motif_free(again);
    ms_motif_free(motif);
    ms_coloring_free(colors);
  }
  ms_graph_free(all);
}
END_TEST

/* ---- searches -------------------------------------------------------------------- */

static const oracle_shape shapes[] = {
    {.min_n = 2, .max_n = 10, .min_k = 1, .max_k = 6, .color_lists = true, .conditions = true},
    {.min_n = 3,
     .max_n = 11,
     .min_k = 2,
     .max_k = 7,
     .color_lists = true,
     .wildcards = true,
     .conditions = true},
    {.min_n = 2,
     .max_n = 10,
     .min_k = 1,
     .max_k = 6,
     .color_lists = true,
     .wildcards = true,
     .required = true,
     .conditions = true},
};

enum { N_SHAPES = sizeof shapes / sizeof *shapes, CASES = 1500 };

static uint16_t mask_of(const uint32_t *row, uint32_t k)
{
  uint32_t mask = 0;
  for (uint32_t i = 0; i < k; i++)
    mask |= 1u << row[i];
  return (uint16_t)mask;
}

static bool is_among(const uint16_t *masks, uint32_t count, uint16_t mask)
{
  for (uint32_t i = 0; i < count; i++)
    if (masks[i] == mask)
      return true;
  return false;
}

/* The rows, whose slots are paired off by the search and by the judge in the same way. */
static void check_rows(const oracle_case *c, const ms_list_result *r, const uint16_t *masks,
                       uint32_t count)
{
  ck_assert_uint_eq(r->matches, count);
  for (uint64_t i = 0; i < r->matches; i++) {
    const uint32_t *row = r->vertices + i * r->k;
    uint32_t slot[MS_MAX_K];
    const char *role[MS_MAX_K];
    ck_assert(is_among(masks, count, mask_of(row, r->k)));
    ck_assert_int_eq(ms_verify_match(c->query, row), MS_MATCH_OK);
    ck_assert(ms_query_slots(c->query, row, slot));
    ms_verify_roles(c->query, row, role);
    for (uint32_t j = 0; j < r->k; j++)
      ck_assert_str_eq(ms_query_slot_name(c->query, slot[j]), role[j]);
  }
}

/* Lists, counts and counts for each vertex, exactly or by the sieve. */
static void check_list(const oracle_case *c, bool exact, const uint16_t *masks, uint32_t count)
{
  ms_list_options options = MS_LIST_OPTIONS_DEFAULT;
  ms_list_result *r;
  char text[24];
  options.exact = exact;
  options.screen.run.threads = 1;
  options.screen.backend = exact ? MS_BACKEND_AUTO : MS_BACKEND_CPU;
  snprintf(text, sizeof text, "%u", count);
  ck_ok(ms_list(c->query, &options, &r, &err));
  ck_assert_str_eq(r->count_text, text);
  check_rows(c, r, masks, count);
  ms_list_result_free(r);
  options.count_only = true;
  options.participation = true;
  ck_ok(ms_list(c->query, &options, &r, &err));
  ck_assert_str_eq(r->count_text, text);
  for (uint32_t v = 0; v < c->n; v++) {
    uint32_t held = 0;
    for (uint32_t i = 0; i < count; i++)
      held += masks[i] >> v & 1;
    ck_assert_uint_eq(r->matches_of[v], held);
  }
  ms_list_result_free(r);
  options.participation = false;
  ck_ok(ms_list(c->query, &options, &r, &err));
  ck_assert_str_eq(r->count_text, text);
  ms_list_result_free(r);
}

/* As many vertices fit the slots as the tables of the slots say. */
static void check_holders(const oracle_case *c)
{
  ms_motif_stats stats;
  uint32_t fits = 0, wanted = 0;
  ck_ok(ms_query_measure(c->query, &stats, &err));
  for (uint32_t i = 0; i < stats.classes; i++)
    fits += stats.have[i] * c->motif->class_[i].count;
  for (uint32_t v = 0; v < c->n; v++) {
    uint32_t colors, palette = 0;
    const uint32_t *color = ms_coloring_of(c->coloring, v, &colors);
    for (uint32_t i = 0; i < colors; i++)
      palette |= 1u << (ms_coloring_name(c->coloring, color[i])[1] - '0');
    for (uint32_t i = 0; i < c->k; i++)
      wanted += c->accepts[i] >> palette & 1;
  }
  ck_assert_uint_eq(fits, wanted);
}

/* The judge, which knows neither pruning nor engines, finds as many matches. */
static void check_recount(const oracle_case *c, uint32_t count)
{
  mpz_t found;
  mpz_init(found);
  ck_ok(recount_motif(c->query, found, NULL, NULL, NULL, &err));
  ck_assert_int_eq(mpz_cmp_ui(found, count), 0);
  mpz_clear(found);
}

/* Flags are right and none is missing; the chance of a miss is below 1e-12 a vertex. */
static void check_screen(const oracle_case *c, ms_screen_method method, ms_recurrence recurrence,
                         const uint16_t *masks, uint32_t count)
{
  ms_screen_options options = MS_SCREEN_OPTIONS_DEFAULT;
  ms_screen_result *r;
  uint16_t all = 0;
  for (uint32_t i = 0; i < count; i++)
    all |= masks[i];
  options.method = method;
  options.recurrence = recurrence; /* MS_SIBLING where no sieve runs */
  options.error = method == MS_METHOD_EXACT ? 0 : 1e-12;
  options.run.threads = 1;
  options.backend = method == MS_METHOD_EXACT ? MS_BACKEND_AUTO : MS_BACKEND_CPU;
  ck_ok(ms_screen(c->query, &options, &r, &err));
  for (uint32_t v = 0; v < c->n; v++)
    ck_assert_int_eq(r->hits[v] > 0, all >> v & 1);
  ms_screen_result_free(r);
}

/* 4,500 random cases with conditions, several colours a vertex and required vertices: lists, roles,
 * counts, the matches of each vertex, the vertices of each slot, screens by enumeration and by both
 * recurrences of the sieve agree with brute force, which knows a slot as a table of sets of
 * colours. */
START_TEST(searches_agree_with_oracle)
{
  static uint16_t masks[1 << ORACLE_MAX_N];
  uint32_t with = 0, conditions = 0;
  const ms_recurrence recurrences[] = {MS_SIBLING, MS_CLASSIC};
  for (uint64_t seed = 1; seed <= N_SHAPES * CASES; seed++) {
    oracle_case c;
    oracle_make(&shapes[seed % N_SHAPES], 700000 + seed, &c);
    uint32_t count = oracle_matches(&c, masks);
    for (uint32_t i = 0; i < c.motif->n_classes; i++)
      conditions += c.motif->class_[i].condition != NULL;
    with += count > 0;
    check_holders(&c);
    check_recount(&c, count);
    check_list(&c, true, masks, count);
    check_list(&c, false, masks, count);
    check_screen(&c, MS_METHOD_EXACT, MS_SIBLING, masks, count);
    check_screen(&c, MS_METHOD_SIEVE, recurrences[seed / N_SHAPES % 2], masks, count);
    oracle_free(&c);
  }
  ck_assert_uint_gt(with, N_SHAPES * CASES / 4);
  ck_assert_uint_lt(with, N_SHAPES * CASES * 9 / 10);
  ck_assert_uint_gt(conditions, N_SHAPES * CASES);
}
END_TEST

typedef struct session_check {
  const ms_coloring *coloring;
  uint32_t received;
} session_check;

static bool compare_screens(void *user, uint32_t i, const ms_query *query,
                            const ms_screen_result *result, double seconds)
{
  session_check *check = user;
  ms_screen_options options = MS_SCREEN_OPTIONS_DEFAULT;
  ms_screen_result *alone;
  (void)seconds;
  options.method = MS_METHOD_EXACT;
  ck_ok(ms_screen(query, &options, &alone, &err));
  ck_assert_uint_eq(i, check->received++);
  ck_assert_mem_eq(alone->hits, result->hits, result->n * sizeof *result->hits);
  ms_screen_result_free(alone);
  return true;
}

/* Many motifs with conditions in one run have the vertices that each has alone: 100 random graphs
 * with four motifs. */
START_TEST(many_motifs)
{
  static const char *const name[] = {"one", "two", "three", "four"};
  static const char *const text[] = {"c0|c1:2", "!c1:3", "c0&!c1,c1,*", "c1|!c0,c0:2"};
  for (uint64_t seed = 1; seed <= 100; seed++) {
    oracle_case c;
    ms_motif_set *set;
    ms_session *session;
    ms_screen_options options = MS_SCREEN_OPTIONS_DEFAULT;
    session_check check = {0};
    oracle_make(&shapes[1], 900000 + seed, &c);
    if (ms_coloring_find(c.coloring, "c1") == UINT32_MAX) {
      oracle_free(&c);
      continue;
    }
    options.method = MS_METHOD_EXACT;
    ck_ok(ms_motif_set_new(c.coloring, 4, name, text, &set, &err));
    ck_ok(ms_session_new(c.graph, c.coloring, &session, &err));
    ck_ok(ms_session_screen(session, set, &options, 0, compare_screens, &check, &err));
    ck_assert_uint_eq(check.received, 4);
    ms_session_free(session);
    ms_motif_set_free(set);
    oracle_free(&c);
  }
}
END_TEST

/* ---- ranges ---------------------------------------------------------------------- */

/* Sets of motifs whose counts are ranges: their names and motifs, in order. */
START_TEST(ranges_of_counts)
{
  static const struct {
    const char *text, *names, *motifs;
  } cases[] = {
      {"red:1-3", "M[1] M[2] M[3]", "red red:2 red:3"},
      {"red:0-1", "M[1]", "red"},
      {"red:2-2,c", "M[2]", "c,red:2"},
      {"red: 1 - 2 ,c:0-1", "M[1,0] M[1,1] M[2,0] M[2,1]", "red c,red red:2 c,red:2"},
      {"*:31-32", "M[31] M[32]", "*:31 *:32"},
      {"red|blue:1-2,\"x,y\":0-1", "M[1,0] M[1,1] M[2,0] M[2,1]",
       "blue|red blue|red,\"x,y\" blue|red:2 blue|red:2,\"x,y\""},
      {"red|\"blue\":1-2", "M[1] M[2]", "blue|red blue|red:2"},
      {"red:1-2,red:1-2", "M[1,1] M[1,2] M[2,1] M[2,2]", "red:2 red:3 red:3 red:4"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    static const char *const name[] = {"M"};
    char got[512] = "", motifs[512] = "";
    ms_motif_set *set;
    ck_ok(ms_motif_set_new(coloring, 1, name, &cases[i].text, &set, &err));
    for (uint32_t m = 0; m < ms_motif_set_size(set); m++) {
      sprintf(got + strlen(got), "%s%s", m ? " " : "", ms_motif_set_name(set, m));
      sprintf(motifs + strlen(motifs), "%s%s", m ? " " : "",
              ms_motif_text(ms_motif_set_motif(set, m)));
    }
    ck_assert_str_eq(got, cases[i].names);
    ck_assert_str_eq(motifs, cases[i].motifs);
    ms_motif_set_free(set);
  }
}
END_TEST

/* Wrong ranges, ranges where one motif is asked for, and names that two motifs would have. */
START_TEST(wrong_ranges)
{
  static const struct {
    const char *text, *message;
  } cases[] = {
      {"red:0-0", "'0-0' is not a count for 'red'"},
      {"red:3-2", "'3-2' is not a count for 'red'"},
      {"red:1-33", "'1-33' is not a count for 'red'"},
      {"red:1-", "'1-' is not a count for 'red'"},
      {"red|blue:-2", "'-2' is not a count for 'red|blue'"},
      {"red:1-2-3", "'1-2-3' is not a count for 'red'"},
      {"pink:1-2", "unknown colour 'pink"},
      {"red:20-21,blue:12", "more than 32 slots"},
      {"red:0-9,blue:0-9,c:0-10", "more than 1000 motifs"},
  };
  static const char *const twice[] = {"M[1]", "M"}, *const texts[] = {"red", "red:1-2"};
  ms_motif *motif;
  ms_motif_set *set;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    ck_assert_int_eq(ms_motif_set_new(coloring, 1, twice, &cases[i].text, &set, &err),
                     MS_ERR_USAGE);
    ck_assert_msg(strstr(err.message, cases[i].message), "%s", err.message);
    ck_assert_ptr_null(set);
  }
  ck_assert_int_eq(ms_motif_set_new(coloring, 2, twice, texts, &set, &err), MS_ERR_USAGE);
  ck_assert(strstr(err.message, "a motif before has the name 'M[1]', too"));
  ck_assert_int_eq(ms_motif_parse("red:1-2", coloring, &motif, &err), MS_ERR_USAGE);
  ck_assert(strstr(err.message, "'1-2' for 'red' is a range, which stands for several motifs"));
  ck_assert_int_eq(
      ms_motif_read(files_write_text("m.txt", "c\nred\t1-2\n"), coloring, &motif, &err),
      MS_ERR_INPUT);
  ck_assert_msg(strstr(err.message, "m.txt:2: '1-2' for 'red' is a range"), "%s", err.message);
}
END_TEST

static ms_status make_set_and_free(void *user, ms_error *error)
{
  static const char *const name[] = {"M"};
  const char *text = user;
  ms_motif_set *set;
  ms_status status = ms_motif_set_new(coloring, 1, name, &text, &set, error);
  ms_motif_set_free(set);
  return status;
}

/* Whichever allocation fails, a set of ranges is refused and leaks no block. */
START_TEST(no_memory_for_ranges)
{
  char text[] = "red|blue:1-2,c:0-1";
  ck_assert_int_gt(failing_runs(make_set_and_free, text), 20);
}
END_TEST

/* 1,000 random texts of one to three ranges stand for as many motifs as there are choices, and each
 * is the motif of the text with these counts. */
START_TEST(ranges_stand_for_motifs)
{
  static const char *const item[] = {"red", "!red&c", "*", "\"x,y\"|blue", "a|b"};
  static const char *const name[] = {"M"};
  uint64_t state = 3;
  for (uint32_t round = 0; round < 1000; round++) {
    uint32_t items = 1 + random_below(&state, 3), low[3] = {0}, high[3] = {0}, kind[3], found = 0;
    char text[256] = "";
    const char *pointer = text;
    ms_motif_set *set;
    for (uint32_t i = 0; i < items; i++) {
      kind[i] = random_below(&state, sizeof item / sizeof *item);
      low[i] = random_below(&state, 4);
      high[i] = low[i] + random_below(&state, 3) + (low[i] == 0);
      sprintf(text + strlen(text), "%s%s:%u-%u", i ? "," : "", item[kind[i]], low[i], high[i]);
    }
    ck_ok(ms_motif_set_new(coloring, 1, name, &pointer, &set, &err));
    for (uint32_t a = low[0]; a <= high[0]; a++)
      for (uint32_t b = low[1]; b <= high[1]; b++)
        for (uint32_t c = low[2]; c <= high[2]; c++) {
          uint32_t counts[] = {a, b, c};
          char one[256] = "";
          ms_motif *motif;
          for (uint32_t i = 0; i < items; i++)
            if (counts[i] > 0)
              sprintf(one + strlen(one), "%s%s:%u", *one ? "," : "", item[kind[i]], counts[i]);
          if (!*one)
            continue;
          ck_ok(ms_motif_parse(one, coloring, &motif, &err));
          ck_assert_str_eq(ms_motif_text(ms_motif_set_motif(set, found)), ms_motif_text(motif));
          found++;
          ms_motif_free(motif);
        }
    ck_assert_uint_eq(ms_motif_set_size(set), found);
    ms_motif_set_free(set);
  }
}
END_TEST

/* ---- motifs of vertices ------------------------------------------------------------ */

/* Motifs of the vertices of a file: several colours, none, a comment, and what is refused by file
 * and line. */
START_TEST(files_of_vertices)
{
  static const struct {
    const char *text, *result;
    uint32_t uncolored;
  } cases[] = {
      {"ann\nbob\n", "blue|red,red", 0},
      {"# two\n\n  carl \nbob\r\n", "red,*", 1},
      {"#hash\n", "blue", 0},
      {"bob\n#hash\nann", "blue,blue|red,red", 0},
      {"robert\n", "red", 0},
      {"dora\ncarl\n", "*:2", 2},
      {"", "v.txt: no vertex; write the name of one on each line", 0},
      {"# bob\n", "v.txt: no vertex", 0},
      {"ann\nbobb\n", "v.txt:2: 'bobb' is not a vertex of (in memory); did you mean 'bob'?", 0},
      {"ann\tbob\n", "v.txt:1: 'ann\\x09bob' holds a tab; write one name", 0},
      {"bob\nann\nrobert\n", "v.txt:3: line 1 names the vertex 'robert', too; remove one", 0},
  };
  static const char *const vertex[] = {"ann", "bob", "carl", "dora", "#hash"};
  static const char *const color[] = {"red", "blue"};
  static const uint32_t pairs[][2] = {{0, 0}, {0, 1}, {1, 0}, {4, 1}};
  ms_graph *people;
  ms_coloring *colors;
  ck_ok(ms_graph_from_edges(5, 0, NULL, vertex, &people, &err));
  ck_ok(ms_coloring_from_pairs(people, 4, pairs, 2, color, &colors, &err));
  ck_ok(ms_graph_read_aliases(people, files_write_text("a.txt", "bob\trobert\n"), NULL, &err));
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    uint32_t uncolored = 7;
    ms_motif *motif;
    const char *path = files_write_text("v.txt", cases[i].text);
    ms_status status = ms_motif_read_vertices(path, people, colors, &uncolored, &motif, &err);
    if (status == MS_OK)
      ck_assert_str_eq(ms_motif_text(motif), cases[i].result);
    else
      ck_assert_msg(strstr(err.message, cases[i].result), "%s", err.message);
    ck_assert_int_eq(status, strchr(cases[i].result, ':') && i > 5 ? MS_ERR_INPUT : MS_OK);
    ck_assert_uint_eq(uncolored, cases[i].uncolored);
    ms_motif_free(motif);
  }
  ms_motif *motif;
  ck_assert_int_eq(ms_motif_read_vertices("v.txt", graph, colors, NULL, &motif, &err),
                   MS_ERR_USAGE);
  ms_coloring_free(colors);
  ms_graph_free(people);
}
END_TEST

/* A file of 32 vertices is read, and one of 33 is refused with its line. */
START_TEST(too_many_vertices)
{
  char text[400] = "", *to = text;
  ms_graph *many;
  ms_coloring *colors;
  ms_motif *motif;
  static const char *const color[] = {"red"};
  ck_ok(ms_graph_from_edges(33, 0, NULL, NULL, &many, &err));
  ck_ok(ms_coloring_from_pairs(many, 0, NULL, 1, color, &colors, &err));
  for (uint32_t v = 0; v < 33; v++) {
    to += sprintf(to, "%u\n", v);
    ms_status status =
        ms_motif_read_vertices(files_write_text("v.txt", text), many, colors, NULL, &motif, &err);
    ck_assert_int_eq(status, v < 32 ? MS_OK : MS_ERR_INPUT);
    ms_motif_free(motif);
  }
  ck_assert_msg(strstr(err.message, "v.txt:33: the motif has more than 32 slots"), "%s",
                err.message);
  ms_coloring_free(colors);
  ms_graph_free(many);
}
END_TEST

/* Replaces the motif of a case by that of k random vertices, through a file. */
static void take_vertices(oracle_case *c, uint64_t *state)
{
  char text[64] = "", *to = text;
  uint32_t chosen = 0, uncolored, plain = 0;
  for (uint32_t i = 0; i < c->k; i++) {
    uint32_t v, colors, palette = 0;
    do
      v = random_below(state, c->n);
    while (chosen >> v & 1);
    chosen |= 1u << v;
    to += sprintf(to, "%s\n", ms_graph_name(c->graph, v));
    const uint32_t *color = ms_coloring_of(c->coloring, v, &colors);
    for (uint32_t j = 0; j < colors; j++)
      palette |= 1u << (ms_coloring_name(c->coloring, color[j])[1] - '0');
    plain += colors == 0;
    c->accepts[i] = 0;
    for (uint32_t s = 0; s < 32; s++)
      c->accepts[i] |= (uint32_t)(colors == 0 || (s & palette)) << s;
  }
  ms_query_free(c->query);
  ms_motif_free(c->motif);
  ck_ok(ms_motif_read_vertices(files_write_text("v.txt", text), c->graph, c->coloring, &uncolored,
                               &c->motif, &err));
  ck_assert_uint_eq(uncolored, plain);
  ck_ok(ms_query_new(c->graph, c->coloring, c->motif, 0, NULL, &c->query, &err));
}

/* 600 random sets of vertices: what is found for their motif agrees with brute force. */
START_TEST(vertices_agree_with_oracle)
{
  static uint16_t masks[1 << ORACLE_MAX_N];
  uint64_t state = 11;
  uint32_t with = 0;
  for (uint64_t seed = 1; seed <= 600; seed++) {
    oracle_case c;
    oracle_make(&shapes[0], 800000 + seed, &c);
    take_vertices(&c, &state);
    uint32_t count = oracle_matches(&c, masks);
    with += count > 0;
    check_recount(&c, count);
    check_list(&c, true, masks, count);
    check_screen(&c, MS_METHOD_SIEVE, MS_SIBLING, masks, count);
    oracle_free(&c);
  }
  ck_assert_uint_gt(with, 200);
}
END_TEST

TEST_MAIN("conditions", AROUND_EACH(setup, teardown), TEST(texts_are_read_back), TEST(wrong_texts),
          TEST(many_literals), TEST(files_of_slots), TEST(no_memory), TEST(random_texts),
          TEST(searches_agree_with_oracle), TEST(many_motifs), TEST(ranges_of_counts),
          TEST(wrong_ranges), TEST(no_memory_for_ranges), TEST(ranges_stand_for_motifs),
          TEST(files_of_vertices), TEST(too_many_vertices), TEST(vertices_agree_with_oracle))
