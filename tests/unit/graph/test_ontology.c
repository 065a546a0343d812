/* Ontologies and slims: what OBO says, damaged files, and the map onto a slim against its
 * definition. */
#include "graph/formats/colors/ontology.h"
#include "graph/formats/colors/slim.h"
#include "tests/support/files.h"
#include "tests/support/random.h"
#include "tests/support/results/malform.h"
#include "tests/support/test_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ms_error err;

static ms_ontology *read_obo(const char *text)
{
  ms_ontology *ontology = NULL;
  ck_ok(ms_ontology_read(files_write_text("terms.obo", text), &ontology, &err));
  return ontology;
}

/* The id that `id` leads to, or "". */
static const char *leads_to(const ms_ontology *o, const char *id)
{
  uint32_t term = ms_ontology_find(o, id, strlen(id));
  return term == MS_NO_ID ? "" : ms_ontology_id(o, term);
}

static const char *name_of(const ms_ontology *o, const char *id)
{
  return ms_ontology_name(o, ms_ontology_find(o, id, strlen(id)));
}

/* The ids right above, in the file's order. */
static const char *above(const ms_ontology *o, const char *id)
{
  static char text[200];
  uint32_t term = ms_ontology_find(o, id, strlen(id));
  text[0] = '\0';
  for (uint64_t p = o->offset[term]; p < o->offset[term + 1]; p++)
    snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", text[0] ? " " : "",
             ms_ontology_id(o, o->parent[p]));
  return text;
}

/* ---- what is read ---------------------------------------------------------- */

/* Comments, escapes, modifiers, other stanzas and both kinds of line ends of OBO are read as its
 * specification says: names of five terms and links of two. */
START_TEST(values)
{
  ms_ontology *o = read_obo("format-version: 1.4\n"
                            "! a comment\n"
                            "ontology: test\n"
                            "\n"
                            "[Term]\n"
                            "id: T:1 ! a comment\n"
                            "name: one {x=\"}!\", y=\"\\\"}\"} ! said {so}\n"
                            "[Term]\r\n"
                            "id:T:2\r\n"
                            "name:   two \\{to\\} \\! \\\"it\\\"\\Wand\\:on \\\\  \r\n"
                            "def: \"not read: \\\" ! {\" [X:1]\r\n"
                            "xref: anything\r\n"
                            "[Term]\n"
                            "id: T\\:3 {a=\"b\"}\n"
                            "name: three {or} more\n"
                            "is_a: T:1 {source=\"x ! y\"} ! one\n"
                            "relationship: part_of T:2 {a=\"}\"} ! two\n"
                            "relationship: BFO:0000050 T:4\n"
                            "relationship: regulates T:4 T:4\n"
                            "[Typedef]\n"
                            "id: part_of\n"
                            "name: part of\n"
                            "is_a: T:1\n"
                            "[Term]\n"
                            "id: T:4\n"
                            "\n"
                            "[Instance]\n"
                            "id: T:5\n"
                            "[Term]\n"
                            "id: T:6\n"
                            "name: six! {gone=\"1\"}");
  ck_assert_str_eq(name_of(o, "T:1"), "one");
  ck_assert_str_eq(name_of(o, "T:2"), "two {to} ! \"it\" and:on \\");
  ck_assert_str_eq(name_of(o, "T:3"), "three {or} more");
  ck_assert_str_eq(name_of(o, "T:4"), "T:4");
  ck_assert_str_eq(name_of(o, "T:6"), "six");
  ck_assert_str_eq(above(o, "T:3"), "T:1 T:2 T:4");
  ck_assert_str_eq(above(o, "T:1"), "");
  ck_assert_str_eq(leads_to(o, "T:5"), "");
  ck_assert_str_eq(leads_to(o, "part_of"), "");
  ms_ontology_free(o);
}
END_TEST

/* Links to other namespaces, to terms that are missing or obsolete, with conditions, or of other
 * kinds do not count. */
START_TEST(links_that_do_not_count)
{
  ms_ontology *o = read_obo("format-version: 1.2\ndefault-namespace: process\n"
                            "[Term]\nid: P:1\n"
                            "relationship: part_of F:1\n" /* another namespace, said later */
                            "is_a: F:1\n"                 /* is_a may cross */
                            "relationship: part_of P:2\n"
                            "is_a: Q:9 ! not in this file\n"
                            "is_a: P:3 ! obsolete\n"
                            "is_a: P:2 {gci_relation=\"part_of\", gci_filler=\"NCBITaxon:1\"}\n"
                            "relationship: has_part P:4\n"
                            "[Term]\nid: P:2\nnamespace: process\n"
                            "[Term]\nid: P:3\nis_obsolete: true\nis_a: P:2\n"
                            "[Term]\nid: P:4\nis_obsolete: false\n"
                            "[Term]\nid: F:1\nnamespace: function\nrelationship: part_of P:2\n");
  ck_assert_str_eq(above(o, "P:1"), "F:1 P:2");
  ck_assert_str_eq(above(o, "F:1"), "");
  ms_ontology_free(o);
}
END_TEST

/* Alternative and replaced ids lead to their term where it is clear which: 14 ids. */
START_TEST(old_ids)
{
  ms_ontology *o = read_obo("[Term]\nid: T:1\nalt_id: A:1\nalt_id: A:2\nalt_id: T:2\nalt_id: O:4\n"
                            "replaced_by: T:2\nreplaced_by: T:3\n" /* in use: says nothing */
                            "[Term]\nid: T:2\nalt_id: A:2\nalt_id: A:3\n"
                            "[Term]\nid: T:3\nalt_id: A:3\nis_obsolete: true\n"
                            "[Term]\nid: O:1\nis_obsolete: true\nreplaced_by: O:2\n"
                            "[Term]\nid: O:2\nis_obsolete: true\nreplaced_by: A:1\n"
                            "[Term]\nid: O:3\nis_obsolete: true\nreplaced_by: T:1\n"
                            "replaced_by: T:2\n"
                            "[Term]\nid: O:4\nis_obsolete: true\n"
                            "[Term]\nid: O:5\nis_obsolete: true\nreplaced_by: O:6\n"
                            "[Term]\nid: O:6\nis_obsolete: true\nreplaced_by: O:5\n"
                            "[Term]\nid: O:7\nis_obsolete: true\nreplaced_by: O:7\n"
                            "[Term]\nid: O:8\nis_obsolete: true\nreplaced_by: A:2\n");
  static const char *const leads[][2] = {
      {"T:1", "T:1"}, {"A:1", "T:1"}, /* an alternative */
      {"A:2", ""},                    /* of two terms */
      {"A:3", "T:2"},                 /* of two, one of them obsolete */
      {"T:2", "T:2"},                 /* a term in use is its own */
      {"T:3", ""},                    /* nothing took its place */
      {"O:1", "T:1"}, {"O:2", "T:1"}, /* step by step */
      {"O:3", ""},                    /* split into two */
      {"O:4", "T:1"},                 /* obsolete, and an alternative */
      {"O:5", ""},    {"O:7", ""},    /* circles */
      {"O:8", ""},    {"X:1", ""},
  };
  for (size_t i = 0; i < sizeof leads / sizeof *leads; i++)
    ck_assert_msg(strcmp(leads_to(o, leads[i][0]), leads[i][1]) == 0, "%s leads to '%s'",
                  leads[i][0], leads_to(o, leads[i][0]));
  ms_ontology_free(o);
}
END_TEST

/* A chain of 300,000 terms, longer than a stack of calls would bear, maps onto its end, listed
 * either way round. */
START_TEST(long_chains)
{
  enum { TERMS = 300000 };
  char *text = malloc((size_t)TERMS * 40), *to = text;
  ck_assert_ptr_nonnull(text);
  for (int i = 0; i < TERMS; i++)
    to += sprintf(to, "[Term]\nid: %d\nis_a: %d\n", i, _i ? i + 1 : i - 1);
  ms_ontology *o = NULL;
  ck_ok(ms_ontology_read(files_write("terms.obo", text, (size_t)(to - text)), &o, &err));
  ms_slim *slim;
  ck_ok(ms_slim_read(o, files_write("slim.txt", _i ? "299999\n" : "0\n", _i ? 7 : 2), &slim, &err));
  ck_assert_uint_eq(slim->mapped.count, TERMS);
  ms_slim_free(slim);
  ms_ontology_free(o);
  free(text);
}
END_TEST

/* ---- what is refused ------------------------------------------------------- */

static ms_status read_only(const char *path, void *user, ms_error *error)
{
  (void)user;
  ms_ontology *o = NULL;
  ms_status status = ms_ontology_read(path, &o, error);
  ck_assert((status == MS_OK) == (o != NULL));
  ms_ontology_free(o);
  return status;
}

/* Each of 43 malformed ontologies is refused with its line and reason. */
START_TEST(obo_is_refused)
{
  static const malform_case cases[] = {
      MALFORM("", 0, "holds no [Term]"),
      MALFORM("! nothing\n\n", 0, "holds no [Term]"),
      MALFORM("format-version: 1.2\nontology: go\n", 0, "holds no [Term]"),
      MALFORM("[Typedef]\nid: part_of\n", 0, "holds no [Term]"),
      MALFORM("YAL001C\tkinase\n", 1, "expected a tag"),
      MALFORM("<?xml version=\"1.0\"?>\n", 1, "give an ontology in OBO format"),
      MALFORM("{ \"graphs\": [\n", 1, "expected a tag"),
      MALFORM("format-version: 1.2\n[Term\nid: T:1\n", 2, "not closed"),
      MALFORM("[Term]\n", 1, "the [Term] has no id"),
      MALFORM("[Term]\nid: T:1\n[Term]\n\n[Term]\nid: T:2\n", 3, "the [Term] has no id"),
      MALFORM("[Term]\nname: one\nid: T:1\n", 2, "does not begin with its id"),
      MALFORM("[Term]\ncomment: one\n", 2, "does not begin with its id"),
      MALFORM("[Term]\nid:\n", 2, "the id is empty"),
      MALFORM("[Term]\nid: ! T:1\n", 2, "the id is empty"),
      MALFORM("[Term]\nid: T:1 T:2\n", 2, "text follows the id"),
      MALFORM("[Term]\nid: T:1\nid: T:2\n", 3, "already has an id"),
      MALFORM("[Term]\nid: T:1\n[Term]\nid: T:1\n", 4, "the term 'T:1' is already in line 1"),
      MALFORM("[Term]\nid: T:1\nname:\n", 3, "the name is empty"),
      MALFORM("[Term]\nid: T:1\nname: {a=\"b\"}\n", 3, "the name is empty"),
      MALFORM("[Term]\nid: T:1\nname: one\nname: two\n", 4, "already has a name"),
      MALFORM("[Term]\nid: T:1\nname: caf\xE9\n", 3, "not valid UTF-8"),
      MALFORM("[Term]\nid: T:\xFF\n", 2, "not valid UTF-8"),
      MALFORM("[Term]\nid: T:1\nname: a\x01z\n", 3, "control character"),
      MALFORM("[Term]\nid: T:1\ndef: a\0z\n", 3, "NUL byte"),
      MALFORM("[Term]\nid: T:1\nname: one \\\ntwo\n", 3, "put it into one line"),
      MALFORM("[Term]\nid: T:1\nis_a:\n", 3, "the id is empty"),
      MALFORM("[Term]\nid: T:1\nis_a: T:2 T:3\n", 3, "text follows the id"),
      MALFORM("[Term]\nid: T:1\nrelationship:\n", 3, "the relation is empty"),
      MALFORM("[Term]\nid: T:1\nrelationship: part_of\n", 3, "part_of is empty"),
      MALFORM("[Term]\nid: T:1\nrelationship: part_of T:2 T:3\n", 3, "text follows the id"),
      MALFORM("[Term]\nid: T:1\nnamespace:\n", 3, "the namespace is empty"),
      MALFORM("[Term]\nid: T:1\nalt_id: \n", 3, "the id is empty"),
      MALFORM("[Term]\nid: T:1\nsubset: \n", 3, "the subset is empty"),
      MALFORM("[Term]\nid: T:1\nreplaced_by: a b\n", 3, "text follows the id"),
      MALFORM("[Term]\nid: T:1\nis_obsolete: -1\n", 3, "neither true nor false"),
      MALFORM("[Term]\nid: T:1\nis_obsolete: truefalse\n", 3, "neither true nor false"),
      MALFORM("[Term]\nid: T:1\nname one\n", 3, "expected a tag"),
      MALFORM("[Term]\nid: T:1\n: one\n", 3, "expected a tag"),
      MALFORM("subsetdef:\n[Term]\nid: T:1\n", 1, "the subset is empty"),
      MALFORM("default-namespace:\n[Term]\nid: T:1\n", 1, "the namespace is empty"),
      MALFORM("[Term]\nid: T:1\nis_a: T:1\n", 1, "the term 'T:1' is its own ancestor"),
      MALFORM("\n[Term]\nid: T:0\nis_a: T:1\n[Term]\nid: T:1\nis_a: T:2\n"
              "[Term]\nid: T:2\nrelationship: part_of T:1\n",
              5, "the term 'T:1' is its own ancestor"),
      MALFORM("\x1F\x8B\x08", 0, "cut off"),
  };
  malform_refuses("terms.obo", cases, sizeof cases / sizeof *cases, read_only, NULL);
}
END_TEST

static const char small_obo[] = "format-version: 1.2\nsubsetdef: some \"Some\"\n"
                                "default-namespace: all\n\n"
                                "[Term]\nid: T:1\nname: one\nsubset: some\n\n"
                                "[Term]\nid: T:2\nname: two \\{b\\} {x=\"y\"} ! c\nalt_id: T:9\n"
                                "is_a: T:1 ! one\nrelationship: part_of T:1\n\n"
                                "[Term]\nid: T:3\nis_obsolete: true\nreplaced_by: T:2\n";

/* Any mechanical damage (malform.h) of an ontology of three terms is refused or read. */
START_TEST(obo_survives_damage)
{
  malform_damage("terms.obo", small_obo, sizeof small_obo - 1, read_only, NULL);
}
END_TEST

/* ---- slims ----------------------------------------------------------------- */

/* The slim terms of `id`, in the order of the ontology. */
static const char *mapped(const ms_ontology *o, const ms_slim *slim, const char *id)
{
  static char text[200];
  uint32_t term = ms_ontology_find(o, id, strlen(id));
  bool in[64] = {false};
  ck_assert(o->count <= 64);
  for (uint32_t i = 0; i < slim->range[term].count; i++) {
    const uint32_t *pair = slim->mapped.pair[slim->range[term].start + i];
    ck_assert(pair[0] == term && !in[pair[1]]);
    in[pair[1]] = true;
  }
  text[0] = '\0';
  for (uint32_t t = 0; t < o->count; t++)
    if (in[t])
      snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", text[0] ? " " : "",
               ms_ontology_id(o, t));
  return text;
}

/* 5 is below 2 and 3; 9 is below 3 by way of 6, and below 4, which is below 3:
 * the example by which map2slim is explained, and a part. */
static const char dag[] = "subsetdef: main\nsubsetdef: low\nsubsetdef: none\n"
                          "[Term]\nid: 1\nname: root\nsubset: main\n"
                          "[Term]\nid: 2\nname: two\nis_a: 1\nsubset: main\n"
                          "[Term]\nid: 3\nname: three\nis_a: 1\nsubset: main\nalt_id: 33\n"
                          "[Term]\nid: 4\nname: four\nis_a: 3\nsubset: main\nsubset: low\n"
                          "[Term]\nid: 5\nname: shared\nis_a: 2\nis_a: 3\n"
                          "[Term]\nid: 6\nname: shared\nis_a: 3\n"
                          "[Term]\nid: 7\nis_a: 4\n"
                          "[Term]\nid: 8\nis_a: 6\n"
                          "[Term]\nid: 9\nis_a: 7\nis_a: 6\n"
                          "[Term]\nid: 10\nis_a: 5\nis_a: 5\n"
                          "[Term]\nid: 11\nrelationship: part_of 4\nis_a: 2\n"
                          "[Term]\nid: 12\nrelationship: regulates 4\n"
                          "[Term]\nid: 13\nis_obsolete: true\nsubset: low\nsubset: none\n";

static void check_slim(const char *name, const char *const (*wanted)[2], size_t count)
{
  ms_ontology *o = read_obo(dag);
  ms_slim *slim = NULL;
  ck_ok(ms_slim_read(o, name, &slim, &err));
  for (size_t i = 0; i < count; i++)
    ck_assert_msg(strcmp(mapped(o, slim, wanted[i][0]), wanted[i][1]) == 0, "%s maps to '%s'",
                  wanted[i][0], mapped(o, slim, wanted[i][0]));
  ms_slim_free(slim);
  ms_ontology_free(o);
}

/* Terms map to their most specific slim terms: twelve terms of the example that map2slim is
 * explained by, and five with another slim. */
START_TEST(most_specific_terms)
{
  static const char *const all[][2] = {{"1", "1"},   {"2", "2"},    {"3", "3"},    {"4", "4"},
                                       {"5", "2 3"}, {"6", "3"},    {"7", "4"},    {"8", "3"},
                                       {"9", "4"},   {"10", "2 3"}, {"11", "2 4"}, {"12", ""}};
  static const char *const low[][2] = {{"1", ""}, {"3", ""}, {"4", "4"}, {"9", "4"}, {"10", ""}};
  check_slim("main", all, sizeof all / sizeof *all);
  check_slim("low", low, sizeof low / sizeof *low);
}
END_TEST

/* Four spellings of one slim, as a list or as OBO, give the same map. */
START_TEST(slims_from_files)
{
  static const char *const wanted[][2] = {{"5", "2 3"}, {"9", "4"}, {"1", ""}, {"11", "2 4"}};
  static const char *const files[] = {
      "# a list: id, name, old id\n2\n  four \n\n33\tthree\tand more\n",
      "[Term]\nid: 2\n[Term]\nid: 3\n[Term]\nid: 4\n[Term]\nid: 1\nis_obsolete: true\n",
      "ontology: x\n[Term]\nid: 33\n[Term]\nid: 4\n[Term]\nid: 2\nis_a: 5\n[Term]\nid: 77\n",
  };
  for (size_t i = 0; i < sizeof files / sizeof *files; i++)
    check_slim(files_write_text("slim.txt", files[i]), wanted, 4);
}
END_TEST

/* An unknown subset, one without terms, and a folder are refused, the first with the subsets there
 * are. */
START_TEST(slims_that_are_none)
{
  ms_ontology *o = read_obo(dag);
  ms_slim *slim;
  ck_assert_int_eq(ms_slim_read(o, "mian", &slim, &err), MS_ERR_INPUT);
  ck_assert_ptr_null(slim);
  ck_assert_msg(strstr(err.message, "mian: is neither a file nor a subset") &&
                    strstr(err.message, "'main', 'low', 'none'"),
                "%s", err.message);
  ck_assert_int_eq(ms_slim_read(o, "none", &slim, &err), MS_ERR_INPUT);
  ck_assert_msg(strstr(err.message, "none: this slim holds no term"), "%s", err.message);
  ck_assert_int_eq(ms_slim_read(o, files_path("."), &slim, &err), MS_ERR_INPUT);
  ck_assert_msg(strstr(err.message, "is a folder"), "%s", err.message);
  ms_ontology_free(o);
}
END_TEST

static ms_status read_slim(const char *path, void *user, ms_error *error)
{
  ms_slim *slim = NULL;
  ms_status status = ms_slim_read(user, path, &slim, error);
  ck_assert((status == MS_OK) == (slim != NULL));
  ms_slim_free(slim);
  return status;
}

/* Each of 14 malformed slim files is refused with its line and reason, and so is or is read any
 * mechanical damage (malform.h) of a good one. */
START_TEST(slim_files_are_refused)
{
  static const malform_case cases[] = {
      MALFORM("", 0, "holds no term of the ontology"),
      MALFORM("# nothing\n", 0, "holds no term of the ontology"),
      MALFORM("2\n99\n", 2, "no current term with the id or name '99'"),
      MALFORM("13\n", 1, "no current term"),
      MALFORM("2\n-1\n", 2, "no current term"),
      MALFORM("2\nshared\n", 2, "several terms have the name 'shared'"),
      MALFORM("2\n\tfour\n", 2, "the term is empty"),
      MALFORM("2\n\xC3\n", 2, "not valid UTF-8"),
      MALFORM("2\n\0\n", 2, "NUL byte"),
      MALFORM("2,3\n", 1, "no current term"),
      MALFORM("[Term]\nid: 99\n", 0, "holds no term of the ontology"),
      MALFORM("[Term]\nid:\n", 2, "the id is empty"),
      MALFORM("[Term]\nid: 2\nis_a: 2\n", 1, "its own ancestor"),
      MALFORM("\x1F\x8B", 0, "cut off"),
  };
  ms_ontology *o = read_obo(dag);
  malform_refuses("slim.txt", cases, sizeof cases / sizeof *cases, read_slim, o);
  malform_damage("slim.txt", "# s\n2\nthree\tx\n", 14, read_slim, o);
  ms_ontology_free(o);
}
END_TEST

/* ---- against the definition ------------------------------------------------- */

enum { MOST = 24 };

typedef struct random_dag {
  uint32_t n;
  bool below[MOST][MOST]; /* transitive, not reflexive unless there is a circle */
  bool in_slim[MOST];
} random_dag;

/* Links go to smaller numbers; now and then one goes anywhere. */
static void write_random(uint64_t *state, bool circles, random_dag *d, char *obo, char *list)
{
  memset(d, 0, sizeof *d);
  d->n = 2 + (uint32_t)(random_next(state) % (MOST - 1));
  for (uint32_t t = 0; t < d->n; t++) {
    uint32_t id = (t * 7 + 3) % 101; /* not in the order of the links */
    obo += sprintf(obo, "[Term]\nid: T%u\n", id);
    d->in_slim[t] = random_next(state) % 3 == 0 || t == 0;
    if (d->in_slim[t])
      list += sprintf(list, "T%u\n", id);
    for (uint64_t links = random_next(state) % 4; links > 0; links--) {
      bool free = circles && random_next(state) % 12 == 0;
      uint32_t to = (uint32_t)(random_next(state) % (free ? d->n : t + (t == 0)));
      if (to == t && !free)
        continue;
      obo += sprintf(obo, "%s T%u\n", random_next(state) % 3 ? "is_a:" : "relationship: part_of",
                     (to * 7 + 3) % 101);
      d->below[t][to] = true;
    }
  }
  for (uint32_t k = 0; k < d->n; k++)
    for (uint32_t i = 0; i < d->n; i++)
      for (uint32_t j = 0; j < d->n; j++)
        d->below[i][j] |= d->below[i][k] && d->below[k][j];
}

static bool is_most_specific(const random_dag *d, uint32_t t, uint32_t s)
{
  bool at_or_above = t == s || d->below[t][s];
  for (uint32_t r = 0; r < d->n; r++)
    if (d->in_slim[r] && (t == r || d->below[t][r]) && d->below[r][s])
      return false;
  return d->in_slim[s] && at_or_above;
}

static void check_random(const random_dag *d, const ms_ontology *o, const ms_slim *slim)
{
  for (uint32_t t = 0; t < d->n; t++) {
    char wanted[200] = "", id[16];
    for (uint32_t s = 0; s < o->count; s++) { /* in the order of the ontology's ids */
      uint32_t number = (uint32_t)atoi(ms_ontology_id(o, s) + 1), of = 0;
      while ((of * 7 + 3) % 101 != number)
        of++;
      if (is_most_specific(d, t, of))
        snprintf(wanted + strlen(wanted), sizeof wanted - strlen(wanted), "%sT%u",
                 wanted[0] ? " " : "", number);
    }
    snprintf(id, sizeof id, "T%u", (t * 7 + 3) % 101);
    ck_assert_msg(strcmp(mapped(o, slim, id), wanted) == 0, "%s maps to '%s', not '%s'", id,
                  mapped(o, slim, id), wanted);
  }
}

/* The map onto a slim is its definition, computed from the transitive closure, and ontologies with
 * circles are refused: 600 random ones of up to 24 terms. */
START_TEST(random_ontologies)
{
  uint64_t state = 11;
  int circular = 0;
  for (int round = 0; round < 600; round++) {
    char obo[8192], list[512];
    random_dag d;
    ms_ontology *o;
    ms_slim *slim;
    write_random(&state, round % 2, &d, obo, list);
    bool circle = false;
    for (uint32_t t = 0; t < d.n; t++)
      circle |= d.below[t][t];
    ms_status status = ms_ontology_read(files_write_text("terms.obo", obo), &o, &err);
    ck_assert_msg(status == (circle ? MS_ERR_INPUT : MS_OK), "round %d: %s", round, err.message);
    circular += circle;
    if (circle)
      continue;
    ck_ok(ms_slim_read(o, files_write_text("slim.txt", list), &slim, &err));
    check_random(&d, o, slim);
    ms_slim_free(slim);
    ms_ontology_free(o);
  }
  ck_assert_int_gt(circular, 30);
}
END_TEST

TEST_MAIN("ontology", TEST(values), TEST(links_that_do_not_count), TEST(old_ids),
          TEST_TIMES(long_chains, 2), TEST(obo_is_refused), TEST(obo_survives_damage),
          TEST(most_specific_terms), TEST(slims_from_files), TEST(slims_that_are_none),
          TEST(slim_files_are_refused), TEST(random_ontologies))
