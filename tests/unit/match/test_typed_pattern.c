/* Typed patterns as text and as files, and what they accept of a graph. */
#include "query/typed_query.h"
#include "tests/support/allocations.h"
#include "tests/support/files.h"
#include "tests/support/graphs/typed_files.h"
#include "tests/support/graphs/typed_random.h"
#include "tests/support/random.h"
#include "tests/support/test_main.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))
static ms_error err;

/* ---- a pattern in words ------------------------------------------------------- */

enum { WORDS = 1 << 14 };

static void put(char *words, const char *more)
{
  ck_assert_uint_lt(strlen(words) + strlen(more), WORDS);
  strcat(words, more);
}

static void put_types(const ms_typed_pattern *p, const uint32_t *type, uint32_t types, char *words)
{
  for (uint32_t t = 0; t < types; t++) {
    put(words, t ? "|" : ":");
    put(words, ms_names_get(p->type_names, type[t]));
  }
}

/* "a:A|B,b;0>1:r,1-0": vertices, then edges with an arrow or without. */
static const char *in_words(const ms_typed_pattern *p)
{
  static char words[WORDS];
  char ends[32];
  words[0] = '\0';
  for (uint32_t i = 0; i < p->n; i++) {
    put(words, i ? "," : "");
    put(words, ms_typed_pattern_vertex_name(p, i));
    put_types(p, p->type[i], p->types[i], words);
  }
  for (uint32_t e = 0; e < p->edges; e++) {
    const ms_typed_pattern_edge *edge = &p->edge[e];
    snprintf(ends, sizeof ends, "%s%u%c%u", e ? "," : ";", edge->from,
             edge->way == MS_WAY_ON ? '>' : '-', edge->to);
    put(words, ends);
    put_types(p, edge->type, edge->types, words);
  }
  return words;
}

static ms_typed_pattern *parsed(const char *text)
{
  ms_typed_pattern *pattern = NULL;
  ck_ok(ms_typed_pattern_parse(text, &pattern, &err));
  return pattern;
}

static void check_text(const char *text, const char *words)
{
  ms_typed_pattern *pattern = parsed(text);
  ck_assert_str_eq(in_words(pattern), words);
  ck_assert_uint_eq(ms_typed_pattern_size(pattern), pattern->n);
  ms_typed_pattern_free(pattern);
}

static const char *const texts[][2] = {
    {"()", "_1"},
    {"(a)", "a"},
    {"(:A)", "_1:A"},
    {"(a:A)", "a:A"},
    {" ( a : A | B ) ", "a:A|B"},
    {"(a:A|B|A)", "a:A|B"},
    {"(a)--(b)", "a,b;0-1"},
    {"MATCH (a)--(b) RETURN a,b", "a,b;0-1"},
    {"match(a)--(b)return*;", "a,b;0-1"},
    {"MATCH\n  (a)--(b), # one\n  (`b c`)\nRETURN a, `b c`\n;\n", "a,b,b c;0-1"},
    {"(match)--(return:MATCH)", "match,return:MATCH;0-1"},
    {"(a)-[r:R|:S]->(b)<-[:T]-(a)", "a,b;0>1:R|S,0>1:T"},
    {"(a)-[r:R]-(b)-[ : S ]-(a)", "a,b;0-1:R,1-0:S"},
    {"(a)-->(b)", "a,b;0>1"},
    {"(a)<--(b)", "a,b;1>0"},
    {"(a)-- >(b)", "a,b;0>1"},
    {"(a)-[]-(b)", "a,b;0-1"},
    {"(a)-[]->(b)", "a,b;0>1"},
    {"(a)<-[]-(b)", "a,b;1>0"},
    {"(a)-[r]-(b)", "a,b;0-1:r"},
    {"(a)-[:r]-(b)", "a,b;0-1:r"},
    {"(a)-[r]->(b)", "a,b;0>1:r"},
    {"(a)<-[r]-(b)", "a,b;1>0:r"},
    {"(a)<-[ : r | s | r ] - (b)", "a,b;1>0:r|s"},
    {"(a)-[^r]->(b)", "a,b;0>1:^r"},
    {"(a)-[Gr>G]->(b)-[G<rG]-(c)", "a,b,c;0>1:Gr>G,1-2:G<rG"},
    {"(a)\t--\r(b)", "a,b;0-1"},
    /* paths */
    {"(a)--(b)--(c)-->(d)<--(e)", "a,b,c,d,e;0-1,1-2,2>3,4>3"},
    {"(a)--(b),(c)", "a,b,c;0-1"},
    {"(a)\n(b)\r\n\n,,(c)\n", "a,b,c"},
    {",\n(a),", "a"},
    {"(a)-->(b)-->(c)-->(a)", "a,b,c;0>1,1>2,2>0"},
    {"(a)<--(b)<--(c)<--(a)", "a,b,c;1>0,2>1,0>2"},
    /* self-loops, and edges beside each other */
    {"(a)-->(a)", "a;0>0"},
    {"(a)-->(a)<--(a)--(b)", "a,b;0>0,0>0,0-1"},
    {"(a)--(b)--(a)<--(b)", "a,b;0-1,1-0,1>0"},
    /* a vertex again */
    {"(a:A)--(b),(a)--(c)", "a:A,b,c;0-1,0-2"},
    {"(a)--(b),(a:A|B)--(c)", "a:A|B,b,c;0-1,0-2"},
    {"(a:A|B)--(b:B)--(a:B|A)", "a:B|A,b:B;0-1,1-0"},
    /* vertices without names */
    {"()--()--()", "_1,_2,_3;0-1,1-2"},
    {"(_1)--()--(_3)--(:A)--()", "_1,_2,_3,_4:A,_5;0-1,1-2,2-3,3-4"},
    {"(_2)--(_1)--()", "_2,_1,_3;0-1,1-2"},
    /* names */
    {"(blood cell : Cell  type )", "blood cell:Cell  type"},
    {"(`a)b`:`x|y`)-[`[r]`|`:`]->(`,`)", "a)b:x|y,,;0>1:[r]|:"},
    {"(```q```)--(`a``b`)", "`q`,a`b;0-1"},
    {"(`{a}*`)-[`*`]-(b)", "{a}*,b;0-1:*"},
    {"(` a `)--(a)", " a ,a;0-1"},
    {"(a)-[^`r|s`|`^t`|^u]->(b)", "a,b;0>1:^r|s|^t|^u"},
    {"(a)-[^^`r`]->(b)", "a,b;0>1:^^r"},
    {"(`a`)--(a)", "a;0-0"},
    {"(\"a\")--('a')--(a-b)--(a>b)", "\"a\",'a',a-b,a>b;0-1,1-2,2-3"},
    {"(größe:Öl)-[→]->(日本)", "größe:Öl,日本;0>1:→"},
    {"(#a)--(`#`)", "#a,#;0-1"},
    /* comments */
    {"# of nothing (x)\n(a)--(b) # and (y)\n \t# more\n(c),# last", "a,b,c;0-1"},
};

/* Each of 46 texts gives its vertices, edges, names and types, and a text has the checksum of its
 * bytes. */
START_TEST(texts_are_read)
{
  for (size_t i = 0; i < COUNT(texts); i++)
    check_text(texts[i][0], texts[i][1]);
  ms_typed_pattern *pattern = parsed("(a)");
  ck_assert_uint_eq(pattern->crc32c, 0x72408ec8);
  ms_typed_pattern_free(pattern);
}
END_TEST

/* ---- refusals -------------------------------------------------------------------- */

static const char *const refusals[][2] = {
    {"", "line 1, column 1: expected a vertex such as (a:Gene), found the end;"},
    {" \n# only a comment\n ",
     "line 3, column 2: expected a vertex such as (a:Gene), found the end;"},
    {"a", "line 1, column 1: expected a vertex such as (a:Gene), found 'a';"},
    {"[r]", "line 1, column 1: expected a vertex"},
    {"(", "line 1, column 2: expected ')', found the end;"},
    {"(a {x:1})", "line 1, column 4: '{' belongs to a map of properties"},
    {"(a)-[r*2]-(b)", "line 1, column 7: '*' stands for paths of any length"},
    {"(a)-[:r]-(b:*)", "line 1, column 13: '*' stands for paths of any length"},
    {"(a", "line 1, column 3: expected ')', found the end;"},
    {"(a:A", "line 1, column 5: expected ')'"},
    {"(a,b)", "line 1, column 3: expected ')', found ',b)';"},
    {"(a\n)", "line 1, column 3: expected ')', found the end of the line;"},
    {"(a\r\n)", "line 1, column 4: expected ')', found the end of the line;"},
    {"(a(b)", "line 1, column 3: expected ')'"},
    {"(a:)", "line 1, column 4: expected a type, found ')';"},
    {"(a:A|)", "line 1, column 6: expected a type, found ')';"},
    {"(a:|A)", "line 1, column 4: expected a type, found '|A)';"},
    {"(a:A:B)", "line 1, column 5: a vertex cannot be asked for two types at a time;"},
    {"(a)-[r:A:B]-(b)", "line 1, column 9: expected ']', found ':B]-(b)';"},
    {"MATCH", "line 1, column 6: expected a vertex such as (a:Gene), found the end;"},
    {"MATCH RETURN", "line 1, column 7: expected a vertex"},
    {"MATCHES (a)", "line 1, column 1: expected a vertex"},
    {"MATCH (a) RETURN",
     "line 1, column 17: RETURN takes names of the pattern's vertices, or *, not"},
    {"MATCH (a) RETURN a,", "line 1, column 20: RETURN takes names"},
    {"MATCH (a) RETURN a b", "line 1, column 20: expected an edge, a comma or the end, found 'b'"},
    {"MATCH (a) RETURN `b`", "line 1, column 18: RETURN takes names"},
    {"(a) where", "line 1, column 5: WHERE is not supported;"},
    {"UNWIND (a)", "line 1, column 1: UNWIND is not supported;"},
    {"(a);(b)", "line 1, column 5: expected an edge, a comma or the end, found '(b)'"},
    {"(`a)",
     "line 1, column 2: expected a name that ends with the backquote it began with, found '`a)';"},
    {"(`a``)", "line 1, column 2: expected a name that ends with the backquote"},
    {"(`a`b)", "line 1, column 5: expected ')', found 'b)';"},
    {"(a`b`)", "line 1, column 3: expected ')', found '`b`)';"},
    {"(``)", "line 1, column 2: the name '' is empty; give it a name"},
    {"(a)-[^``]-(b)", "line 1, column 6: the name '' is empty; give it a name"},
    {"(a)-[^`b]-(b)", "line 1, column 7: expected a name that ends with the backquote"},
    {"(a)--(b:``)", "line 1, column 9: the name '' is empty; give it a name"},
    {"(a:`\n`)", "line 1, column 4: the name '\\x0A' holds a control character;"},
    {"(a\x01)", "line 1, column 2: the name 'a\\x01' holds a control character;"},
    {"(a)(b)", "line 1, column 4: expected an edge, a comma or the end, found '(b)';"},
    {"(a) b", "line 1, column 5: expected an edge, a comma or the end, found 'b';"},
    {"(a)-(b)", "line 1, column 4: expected an edge such as -[GiG]- or -->, found '-(b)';"},
    {"(a)->(b)", "line 1, column 4: expected an edge such as -[GiG]- or -->, found '->(b)';"},
    {"(a)<(b)", "line 1, column 4: expected an edge such as -[GiG]- or -->, found '<(b)';"},
    {"(a)<-(b)", "line 1, column 4: expected an edge such as -[GiG]- or -->, found '<-(b)';"},
    {"(a)--", "line 1, column 6: expected a vertex such as (a:Gene), found the end;"},
    {"(a)--\n(b)",
     "line 1, column 6: expected a vertex such as (a:Gene), found the end of the line;"},
    {"(a)--->(b)", "line 1, column 6: expected a vertex such as (a:Gene), found '->(b)';"},
    {"(a)-->>(b)", "line 1, column 7: expected a vertex such as (a:Gene), found '>(b)';"},
    {"(a)-[", "line 1, column 6: expected a type, found the end;"},
    {"(a)-[r", "line 1, column 7: expected ']', found the end;"},
    {"(a)-[r|]-(b)", "line 1, column 8: expected a type, found ']-(b)';"},
    {"(a)-[:]-(b)", "line 1, column 7: expected a type, found ']-(b)';"},
    {"(a)-[r](b)", "line 1, column 8: expected '-' after the types of an edge, found '(b)';"},
    {"(a)-[r]>(b)", "line 1, column 8: expected '-' after the types of an edge, found '>(b)';"},
    {"(a)-[r]--(b)", "line 1, column 9: expected a vertex such as (a:Gene), found '-(b)';"},
    {"(a)<-->(b)", "line 1, column 4: an edge points both ways; leave both arrows out"},
    {"(a)--(b) <-[r]-> (c)", "line 1, column 10: an edge points both ways; leave both arrows out"},
    {"(a:A)--(a:B)",
     "line 1, column 11: vertex 'a' is given types twice, and they differ; give them once"},
    {"(a:A|B)--(a:A)", "line 1, column 13: vertex 'a' is given types twice, and they differ;"},
    {"(a:A)--(a:A|B)", "line 1, column 11: vertex 'a' is given types twice, and they differ;"},
    /* places are counted in lines and characters, and the quoted text is cut between characters */
    {"(a)\n(b)--(c)\n  (d", "line 3, column 5: expected ')'"},
    {"(größe)x", "line 1, column 8: expected an edge, a comma or the end, found 'x';"},
    {"(a)12345678901234567890", "found '12345678901234567890';"},
    {"(a)123456789012345678901", "found '12345678901234567890';"},
    {"(a)1234567890123456789ööö", "found '1234567890123456789';"},
    {"(a)\xff", "the pattern is not UTF-8; write it in UTF-8"},
};

/* Each of 66 wrong texts is refused with line, column and reason. */
START_TEST(texts_are_refused)
{
  for (size_t i = 0; i < COUNT(refusals); i++) {
    ms_typed_pattern *pattern;
    ms_status status = ms_typed_pattern_parse(refusals[i][0], &pattern, &err);
    ck_assert_msg(status == MS_ERR_USAGE, "'%s' is not refused", refusals[i][0]);
    ck_assert_ptr_null(pattern);
    ck_assert_int_eq(err.status, MS_ERR_USAGE);
    ck_assert_msg(strncmp(err.message, "the pattern: ", 13) == 0, "%s", err.message);
    ck_assert_msg(strstr(err.message, refusals[i][1]), "'%s': %s", refusals[i][0], err.message);
    ck_assert_int_eq(ms_typed_pattern_parse(refusals[i][0], &pattern, NULL), MS_ERR_USAGE);
  }
}
END_TEST

/* Every beginning of each good text is read or refused, without a byte read behind its end. */
START_TEST(texts_may_end_anywhere)
{
  for (size_t i = 0; i < COUNT(texts); i++)
    for (size_t length = 0; length < strlen(texts[i][0]); length++) {
      ms_typed_pattern *pattern;
      char *piece = strndup(texts[i][0], length);
      ms_status status = ms_typed_pattern_parse(piece, &pattern, &err);
      ck_assert(status == MS_OK || status == MS_ERR_USAGE);
      ms_typed_pattern_free(pattern);
      free(piece);
    }
}
END_TEST

/* `count` times, with numbers from 0; the rest follows at the end. */
static char *repeated(const char *format, unsigned count, const char *rest)
{
  char *text = malloc(count * 32 + strlen(rest) + 1), *end = text;
  ck_assert_ptr_nonnull(text);
  for (unsigned i = 0; i < count; i++)
    end += sprintf(end, format, i);
  strcpy(end, rest);
  return text;
}

static void check_most(const char *format, unsigned most, const char *rest, const char *problem)
{
  for (unsigned more = 0; more < 2; more++) {
    char *text = repeated(format, most + more, rest);
    ms_typed_pattern *pattern = NULL;
    ms_status status = ms_typed_pattern_parse(text, &pattern, &err);
    ck_assert_int_eq(status, more ? MS_ERR_USAGE : MS_OK);
    ck_assert(!more || strstr(err.message, problem));
    ms_typed_pattern_free(pattern);
    free(text);
  }
}

/* 256 vertices and 4,096 edges are read and one more is refused, and a vertex may have 5,000 types.
 */
START_TEST(sizes_are_bounded)
{
  check_most("(v%u),", MS_MAX_PATTERN, "", "more than 256 vertices are too many for a pattern");
  check_most("(:t%u),", MS_MAX_PATTERN, "", "more than 256 vertices are too many for a pattern");
  check_most("(v)-[t%u]->", MS_MAX_TYPED_EDGES, "(w)", "more than 4096 edges are too many");
  ms_typed_pattern *pattern;
  char *text = repeated("|t%u", 5000, ")");
  memcpy(text, "(:", 2); /* in place of "|t" */
  pattern = parsed(text);
  ck_assert_uint_eq(pattern->types[0], 5000);
  ck_assert_str_eq(ms_names_get(pattern->type_names, pattern->type[0][4999]), "t4999");
  ms_typed_pattern_free(pattern);
  free(text);
}
END_TEST

/* ---- random patterns, written in every way that there is --------------------------- */

enum { MOST_V = 9, MOST_E = 12 };

static const char *const odd_names[] = {"a",   "b c", "d`e", "(f)", "g|h",
                                        "[i]", "ä:ö", " k ", "l,m"};
static const char *const odd_types[] = {"R", "S>T", "u v", "`w`", "x|y"};

typedef struct random_edge {
  uint32_t from, to;
  bool arrow;
  uint32_t types; /* bits, of odd_types; 0: any */
} random_edge;

static void add_blank(uint64_t *state, char *text)
{
  static const char *const blanks[] = {"", "", "", " ", "\t", "  "};
  put(text, blanks[random_below(state, COUNT(blanks))]);
}

/* Quoted where it has to be, or where chance has it so. */
static void add_name(uint64_t *state, const char *name, char *text)
{
  bool quoted = name[strcspn(name, "()[]:|,` ")] || random_below(state, 2);
  add_blank(state, text);
  put(text, quoted ? "`" : "");
  for (char letter[2] = {*name, 0}; *name; letter[0] = *++name)
    put(text, *name == '`' ? "``" : letter);
  put(text, quoted ? "`" : "");
  add_blank(state, text);
}

static void add_types(uint64_t *state, uint32_t types, char *text)
{
  const char *between = "";
  for (uint32_t t = 0; t < COUNT(odd_types); t++)
    if (types >> t & 1) {
      put(text, between);
      add_name(state, odd_types[t], text);
      between = "|";
    }
}

static void add_vertex(uint64_t *state, uint32_t v, const uint32_t *types, char *text)
{
  add_blank(state, text);
  put(text, "(");
  add_name(state, odd_names[v], text);
  if (types[v]) {
    put(text, ":");
    add_types(state, types[v], text);
  }
  put(text, ")");
  add_blank(state, text);
}

/* From left to right: `left` is an end of it. */
static void add_edge(uint64_t *state, const random_edge *edge, bool backward, char *text)
{
  bool brackets = edge->types || random_below(state, 2);
  put(text, edge->arrow && backward ? "<" : "");
  put(text, brackets ? "-[" : "-");
  if (edge->types) {
    add_blank(state, text);
    put(text, random_below(state, 2) ? ":" : "");
  }
  add_types(state, edge->types, text);
  put(text, brackets ? "]-" : "-");
  put(text, edge->arrow && !backward ? ">" : "");
}

static void say_types(uint32_t types, char *words)
{
  const char *between = ":";
  for (uint32_t t = 0; t < COUNT(odd_types); t++)
    if (types >> t & 1) {
      put(words, between);
      put(words, odd_types[t]);
      between = "|";
    }
}

/* A text, and what it says. */
static void random_pattern(uint64_t *state, char *text, char *words)
{
  uint32_t n = 1 + random_below(state, MOST_V), m = random_below(state, MOST_E);
  uint32_t types[MOST_V], at = MOST_V;
  text[0] = words[0] = '\0';
  for (uint32_t v = 0; v < n; v++) {
    types[v] = random_below(state, 3) ? random_below(state, 32) : 0;
    add_vertex(state, v, types, text);
    put(text, random_below(state, 2) ? "," : "\n# note\n");
    put(words, v ? "," : "");
    put(words, odd_names[v]);
    say_types(types[v], words);
  }
  for (uint32_t e = 0; e < m; e++) {
    char ends[16];
    random_edge edge = {random_below(state, n), random_below(state, n), random_below(state, 2),
                        random_below(state, 32)};
    uint32_t v = at < MOST_V && random_below(state, 3) ? at : edge.from;
    bool backward = v != edge.from || (edge.arrow && random_below(state, 4) == 0);
    /* the path goes on where it is, or a new one begins */
    if (v != at) {
      put(text, e ? "," : "");
      v = backward ? edge.to : edge.from;
      add_vertex(state, v, types, text);
    }
    if (backward) {
      edge.to = v;
      edge.arrow = true;
    } else {
      edge.from = v;
    }
    at = backward ? edge.from : edge.to;
    add_edge(state, &edge, backward, text);
    add_vertex(state, at, types, text);
    snprintf(ends, sizeof ends, "%s%u%c%u", e ? "," : ";", edge.from, edge.arrow ? '>' : '-',
             edge.to);
    put(words, ends);
    say_types(edge.types, words);
  }
}

/* A random pattern, written with any quotes, blanks, comments and directions, is read as what it
 * says: 3,000 patterns of up to 9 vertices and 12 edges. */
START_TEST(random_texts)
{
  static char text[WORDS], words[WORDS];
  uint64_t state = 11;
  for (int i = 0; i < 3000; i++) {
    random_pattern(&state, text, words);
    check_text(text, words);
  }
}
END_TEST

/* ---- files ------------------------------------------------------------------------- */

static void check_file(const char *path, const ms_typed_options *options, const char *words)
{
  ms_typed_pattern *pattern = NULL;
  ck_ok(ms_typed_pattern_read(path, options, &pattern, &err));
  ck_assert_str_eq(in_words(pattern), words);
  ck_assert_str_eq(pattern->path, path);
  ms_typed_pattern_free(pattern);
}

static void check_bad_file(const char *path, ms_status wanted, const char *problem)
{
  ms_typed_pattern *pattern;
  ms_status status = ms_typed_pattern_read(path, NULL, &pattern, &err);
  ck_assert_msg(status == wanted && err.status == wanted, "%d: %s", status, err.message);
  ck_assert_ptr_null(pattern);
  ck_assert_msg(strstr(err.message, problem), "%s", err.message);
}

/* A pattern is read from a text file of any name, gzip or line ends, and seven wrong files are
 * refused with their name and place. */
START_TEST(files_of_text)
{
  static const char text[] = "# a note\n\n (a:A)-[r]->(b)\n(b)--(c)  # and so on\n\n";
  const char *words = "a:A,b,c;0>1:r,1-2";
  check_file(files_write_text("p.txt", text), NULL, words);
  check_file(files_write_text("p.sif", text), NULL, words);
  check_file(files_write_gzip("p.gz", text, sizeof text - 1, 1), NULL, words);
  check_file(files_write_text("crlf.txt", "\xEF\xBB\xBF(a:A)-[r]->(b),\r\n(b)--(c)"), NULL, words);
  ms_typed_pattern *pattern = NULL;
  ck_ok(ms_typed_pattern_read(files_write_text("a.txt", "(a)"), NULL, &pattern, &err));
  ck_assert_uint_eq(pattern->crc32c, 0x72408ec8); /* of the bytes in the file */
  ms_typed_pattern_free(pattern);
  /* a file that is wrong is no wrong usage */
  check_bad_file(files_write_text("bad.txt", "# note\n(a)\n (b"), MS_ERR_INPUT,
                 "bad.txt: line 3, column 4: expected ')'");
  check_bad_file(files_write_text("latin.txt", "(a\xff)"), MS_ERR_INPUT, "not UTF-8");
  check_bad_file(files_write_text("empty", ""), MS_ERR_INPUT,
                 "holds no pattern; write one such as");
  check_bad_file(files_write_text("notes", "# nothing\n\n \n"), MS_ERR_INPUT, "holds no pattern");
  check_bad_file(files_path("nowhere"), MS_ERR_INPUT, "nowhere");
  check_bad_file(files_write("nul", "(a)\0(b)", 7), MS_ERR_INPUT, "NUL");
  char *many = repeated("(v%u),", 257, "");
  check_bad_file(files_write_text("many.txt", many), MS_ERR_INPUT, "more than 256 vertices");
  free(many);
}
END_TEST

/* A file of 3 MiB is refused as too long for a pattern. */
START_TEST(files_that_are_too_long)
{
  size_t size = (size_t)3 << 20;
  char *bytes = malloc(size);
  ck_assert_ptr_nonnull(bytes);
  for (size_t i = 0; i < size; i++)
    bytes[i] = "(a),\n"[i % 5];
  check_bad_file(files_write("long.txt", bytes, size), MS_ERR_INPUT, "too long for a pattern");
  free(bytes);
}
END_TEST

/* Patterns are read from SIF, Hetionet and tables with their types and directions, and wrong and
 * too large files are refused. */
START_TEST(files_of_edges)
{
  check_file(
      files_write_text("h.sif", "source\tmetaedge\ttarget\nC::1\tCbG\tG::1\nG::1\tGr>G\tG::2\n"),
      NULL, "C::1:C,G::1:G,G::2:G;0-1:CbG,1>2:Gr>G");
  /* no types of vertices; a relation without a direction, one with */
  check_file(files_write_text("s.sif", "a r b\na s c\nb ^s c\n"), NULL, "a,b,c;0-1:r,0>2:s,2>1:s");
  check_file(files_write_text("d.sif", "a r b\n"),
             &(ms_typed_options){.size = sizeof(ms_typed_options), .directed = true}, "a,b;0>1:r");
  /* '*' is any type; parallel edges, self-loops, a vertex alone */
  check_file(files_write_text("t.tsv",
                              "#relation:\tr\tr2\nsource\ttype\ttarget\tsource_type\ttarget_type\n"
                              "a\tr\tb\tA\t*\nb\tr2\ta\t*\tA\nb\t*\ta\t*\tA\na\tr\ta\tA\tA\n"
                              "c\t\t\tB\t\n"),
             NULL, "a:A,b,c:B;0>0:r,0>1:r,0>1:r,0-1");
  check_bad_file(files_write_text("none.tsv", "source\ttype\ttarget\n"), MS_ERR_INPUT,
                 "none.tsv: holds no pattern");
  check_bad_file(files_write_text("wrong.tsv", "source\ttype\ttarget\na\n"), MS_ERR_INPUT,
                 "wrong.tsv:2");
  char *many = repeated("v r w%u\n", 256, "");
  check_bad_file(files_write_text("many.sif", many), MS_ERR_INPUT,
                 "many.sif: more than 256 vertices");
  free(many);
  many = repeated("v r w\n", 4097, "");
  check_bad_file(files_write_text("edges.sif", many), MS_ERR_INPUT,
                 "edges.sif: more than 4096 edges");
  free(many);
}
END_TEST

/* Both names of a relation in a file of relations are types of one edge, seen from either end. */
START_TEST(relation_files)
{
  char relations[300];
  snprintf(relations, sizeof relations, "%s", files_write_text("r.tsv", "acts\tacted\n"));
  check_file(files_write_text("p.sif", "a acts b\nb acted a\nb acted c\n"),
             &(ms_typed_options){.size = sizeof(ms_typed_options), .relations = relations},
             "a,b,c;0>1:acts,0>1:acts,2>1:acts");
}
END_TEST

static void from_stdin(const char *path)
{
  int file = open(path, O_RDONLY);
  ck_assert_int_ge(file, 0);
  ck_assert_int_eq(dup2(file, 0), 0);
  close(file);
}

/* A text from standard input is read, and edges or nothing are refused there. */
START_TEST(standard_input)
{
  from_stdin(files_write_text("in.txt", "(a)--(b)\n"));
  check_file("-", NULL, "a,b;0-1");
  /* it is read once, so it is a text */
  from_stdin(files_write_text("in.sif", "a r b\n"));
  check_bad_file("-", MS_ERR_INPUT,
                 "line 1, column 1: expected a vertex such as (a:Gene), found 'a r b'");
  from_stdin(files_write_text("in.txt", ""));
  check_bad_file("-", MS_ERR_INPUT, "holds no pattern");
}
END_TEST

/* ---- with a graph -------------------------------------------------------------------- */

/* Types A, B, C; r with "^r", s without a direction, d whose inverse is e. */
static ms_typed *small_graph(void)
{
  static const uint32_t edges[][2] = {{0, 1}, {1, 2}, {2, 0}};
  static const uint32_t types[] = {0, 1, 2};
  static const char *const kinds[] = {"A", "B", "C"};
  static const char *const relation[] = {"r", "s", "d"}, *const inverse[] = {"^r", NULL, "e"};
  ms_typed_source source = {.n = 3,
                            .vertex_type = kinds,
                            .m = 3,
                            .edges = edges,
                            .edge_type = types,
                            .n_relations = 3,
                            .relation = relation,
                            .inverse = inverse};
  ms_typed *graph = NULL;
  ck_ok(ms_typed_from_edges(&source, 1, &graph, &err));
  return graph;
}

static void say_set(const ms_typed *graph, const uint64_t *bits, bool arcs, char *words)
{
  ms_typed_info info = ms_typed_describe(graph);
  uint32_t types = arcs ? info.arc_types : info.vertex_types;
  const char *between = "";
  for (uint32_t t = 0; t < types; t++)
    if (ms_type_in(bits, (ms_type)t)) {
      put(words, between);
      put(words, arcs ? ms_typed_arc_type_name(graph, t) : ms_typed_vertex_type_name(graph, t));
      between = " ";
    }
  for (uint32_t t = types; t % 64; t++)
    ck_assert(!ms_type_in(bits, (ms_type)t));
}

/* "A B/C/r/^r;r s d/^r s e!X": what vertices accept, and edges there and back; then what is
 * unknown. */
static void check_binding(const char *text, const char *expected)
{
  static char words[WORDS];
  ms_typed *graph = small_graph();
  ms_typed_pattern *pattern = parsed(text);
  ms_typed_query *query = NULL;
  const char *unknown;
  ck_ok(ms_typed_query_new(graph, pattern, &query, &err));
  words[0] = '\0';
  for (uint32_t i = 0; i < query->n; i++) {
    put(words, i ? "/" : "");
    say_set(graph, query->vertex_types[i], false, words);
  }
  for (uint32_t e = 0; e < query->edges; e++) {
    ck_assert_uint_eq(query->edge[e].from, pattern->edge[e].from);
    ck_assert_uint_eq(query->edge[e].to, pattern->edge[e].to);
    put(words, ";");
    say_set(graph, query->edge[e].on, true, words);
    put(words, "/");
    say_set(graph, query->edge[e].back, true, words);
  }
  for (uint32_t i = 0; (unknown = ms_typed_query_unknown(query, i)); i++) {
    put(words, "!");
    put(words, unknown);
  }
  ck_assert_str_eq(words, expected);
  ms_typed_query_free(query);
  ms_typed_pattern_free(pattern);
  ms_typed_free(graph);
}

/* Accepted types of vertices are bound to those of a graph, and unknown ones listed: eight
 * patterns. */
START_TEST(types_of_vertices)
{
  check_binding("()", "A B C");
  check_binding("(:A)", "A");
  check_binding("(:C|A)", "A C");
  check_binding("(:C|X)", "C!X");
  check_binding("(:X)", "!X");
  check_binding("(:r)", "!r");
  check_binding("(:X),(:Y|X),(:A)", "//A!X!Y");
  check_binding("(:a)", "!a");
}
END_TEST

/* Accepted types of edges are bound for both ends: relations, inverses, alternatives, any type,
 * directions and self-loops, in 22 patterns. */
START_TEST(types_of_edges)
{
  check_binding("(:A)-[r]->(:A)", "A/A;r/^r");
  check_binding("(:A)<-[r]-(:A)", "A/A;r/^r");
  check_binding("(:A)-[^r]->(:A)", "A/A;^r/r");
  check_binding("(:A)-[r]-(:A)", "A/A;r ^r/r ^r");
  check_binding("(:A)-[^r]-(:A)", "A/A;r ^r/r ^r");
  check_binding("(:A)-[s]->(:A)", "A/A;s/s");
  check_binding("(:A)-[^s]->(:A)", "A/A;s/s");
  check_binding("(:A)-[s]-(:A)", "A/A;s/s");
  check_binding("(:A)-[d]->(:A)", "A/A;d/e");
  check_binding("(:A)-[e]->(:A)", "A/A;e/d");
  check_binding("(:A)-[^d]->(:A)", "A/A;e/d");
  check_binding("(:A)-[^e]->(:A)", "A/A;d/e");
  check_binding("(:A)-[r|e]->(:A)", "A/A;r e/^r d");
  check_binding("(:A)-[r|s]-(:A)", "A/A;r ^r s/r ^r s");
  /* any type: along the direction where there is an arrow */
  check_binding("(:A)-->(:A)", "A/A;r s d/^r s e");
  check_binding("(:A)<--(:A)", "A/A;r s d/^r s e");
  check_binding("(:A)--(:A)", "A/A;r ^r s d e/r ^r s d e");
  check_binding("(:A)-[]->(:A)", "A/A;r s d/^r s e");
  /* a self-loop is met from either end at the same time */
  check_binding("(a:A)-[r]->(a)", "A;r ^r/r ^r");
  check_binding("(a:A)-[^r]->(a)", "A;r ^r/r ^r");
  check_binding("(a:A)-[s]->(a)", "A;s/s");
  check_binding("(a:A)-->(a)", "A;r ^r s d e/r ^r s d e");
}
END_TEST

/* Types of edges that a graph lacks accept nothing and are listed: six patterns. */
START_TEST(types_that_a_graph_lacks)
{
  check_binding("(:A)-[x]->(:A)", "A/A;/!x");
  check_binding("(:A)-[x|r]->(:A)", "A/A;r/^r!x");
  check_binding("(:A)-[^x]->(:A)", "A/A;/!^x");
  check_binding("(:A)-[^]->(:A)", "A/A;/!^");
  check_binding("(:A)-[A]->(:A)", "A/A;/!A");
  check_binding("(:X)-[X]-(:Y)-[x|X]-()", "//A B C;/;/!X!Y!x");
}
END_TEST

/* Sets of 300 types, more than one word, hold exactly the accepted ones. */
START_TEST(hundreds_of_types)
{
  enum { MANY = 300 };
  static char name[2][MANY][8];
  static const char *names[MANY], *kinds[MANY];
  static uint32_t edges[MANY][2], type[MANY];
  for (uint32_t i = 0; i < MANY; i++) {
    snprintf(name[0][i], sizeof *name[0], "r%u", i);
    snprintf(name[1][i], sizeof *name[1], "k%u", i);
    names[i] = name[0][i];
    kinds[i] = name[1][i];
    edges[i][0] = i;
    edges[i][1] = (i + 1) % MANY;
    type[i] = i;
  }
  const char *inverse[MANY] = {NULL};
  inverse[200] = "back";
  ms_typed_source source = {.n = MANY,
                            .vertex_type = kinds,
                            .m = MANY,
                            .edges = (const uint32_t(*)[2])edges,
                            .edge_type = type,
                            .n_relations = MANY,
                            .relation = names,
                            .inverse = inverse};
  ms_typed *graph = NULL;
  ms_typed_query *query = NULL;
  ms_typed_pattern *pattern = parsed("(:k299)-[r63|r64|r200]->(:k64|k63),()-->()");
  ck_ok(ms_typed_from_edges(&source, 1, &graph, &err));
  ck_ok(ms_typed_query_new(graph, pattern, &query, &err));
  uint32_t back = ms_typed_find_arc_type(graph, "back"),
           r200 = ms_typed_find_arc_type(graph, "r200");
  for (uint32_t t = 0; t < MANY; t++) {
    ck_assert_int_eq(ms_type_in(query->vertex_types[0], (ms_type)t), t == 299);
    ck_assert_int_eq(ms_type_in(query->vertex_types[1], (ms_type)t), t == 63 || t == 64);
    ck_assert(ms_type_in(query->vertex_types[2], (ms_type)t));
  }
  for (uint32_t t = 0; t < MANY + 1; t++) {
    const char *called = ms_typed_arc_type_name(graph, t);
    bool both = !strcmp(called, "r63") || !strcmp(called, "r64");
    ck_assert_int_eq(ms_type_in(query->edge[0].on, (ms_type)t), both || t == r200);
    ck_assert_int_eq(ms_type_in(query->edge[0].back, (ms_type)t), both || t == back);
    ck_assert_int_eq(ms_type_in(query->edge[1].on, (ms_type)t), t != back);
    ck_assert_int_eq(ms_type_in(query->edge[1].back, (ms_type)t), t != r200);
  }
  ms_typed_query_free(query);
  ms_typed_pattern_free(pattern);
  ms_typed_free(graph);
}
END_TEST

/* Where a graph marks neither of two inverse types, the smaller one points on. */
START_TEST(relations_without_a_mark)
{
  ms_typed *graph = small_graph();
  uint32_t types = ms_typed_describe(graph).arc_types;
  ms_typed_pattern *pattern = parsed("(:A)-->(:B)");
  ms_typed_query *marked = NULL, *query = NULL;
  ck_ok(ms_typed_query_new(graph, pattern, &marked, &err));
  memset(graph->is_inverse, 0, types);
  ck_ok(ms_typed_query_new(graph, pattern, &query, &err));
  for (uint32_t t = 0; t < types; t++) {
    ck_assert_int_eq(ms_type_in(query->edge[0].on, (ms_type)t),
                     ms_type_in(marked->edge[0].on, (ms_type)t));
    ck_assert_int_eq(ms_type_in(query->edge[0].back, (ms_type)t),
                     ms_type_in(marked->edge[0].back, (ms_type)t));
  }
  ms_typed_query_free(query);
  ms_typed_query_free(marked);
  ms_typed_pattern_free(pattern);
  ms_typed_free(graph);
}
END_TEST

/* A pattern without a vertex is refused. */
START_TEST(a_pattern_needs_a_vertex)
{
  ms_typed *graph = small_graph();
  ms_typed_pattern *pattern = NULL;
  ms_typed_query *query;
  ck_ok(ms_typed_pattern_new("none", &pattern, &err));
  ck_assert_int_eq(ms_typed_query_new(graph, pattern, &query, &err), MS_ERR_USAGE);
  ck_assert_ptr_null(query);
  ck_assert(strstr(err.message, "has no vertex"));
  ms_typed_pattern_free(pattern);
  ms_typed_free(graph);
  ms_typed_pattern_free(NULL);
  ms_typed_query_free(NULL);
}
END_TEST

/* ---- memory ---------------------------------------------------------------------------- */

static ms_status parse_once(void *user, ms_error *error)
{
  ms_typed_pattern *pattern;
  ms_status status = ms_typed_pattern_parse(user, &pattern, error);
  ck_assert_int_eq(status == MS_OK, pattern != NULL);
  ms_typed_pattern_free(pattern);
  return status;
}

static ms_status read_once(void *user, ms_error *error)
{
  ms_typed_pattern *pattern;
  ms_status status = ms_typed_pattern_read(user, NULL, &pattern, error);
  ck_assert_int_eq(status == MS_OK, pattern != NULL);
  ms_typed_pattern_free(pattern);
  return status;
}

typedef struct pair {
  ms_typed *graph;
  ms_typed_pattern *pattern;
} pair;

static ms_status bind_once(void *user, ms_error *error)
{
  const pair *both = user;
  ms_typed_query *query;
  ms_status status = ms_typed_query_new(both->graph, both->pattern, &query, error);
  ck_assert_int_eq(status == MS_OK, query != NULL);
  ms_typed_query_free(query);
  return status;
}

/* Whichever allocation fails while a pattern is parsed, read or bound, the call reports it and
 * leaks no block. */
START_TEST(survives_lack_of_memory)
{
  char text[] = "(a:A|B)-[r|s|t]->(b:C|D|E)<-[u]-(a:B|A)--(:F),(c)";
  ck_assert_int_gt(failing_runs(parse_once, text), 15);
  char path[300];
  snprintf(path, sizeof path, "%s", files_write_text("text", text));
  ck_assert_int_gt(failing_runs(read_once, path), 15);
  snprintf(path, sizeof path, "%s", files_write_text("edges.sif", "a r b\nb s c\nc r c\n"));
  ck_assert_int_gt(failing_runs(read_once, path), 25);
  pair both = {small_graph(), parsed("(:A|X)-[r|y]->(:B)")};
  ck_assert_int_eq(failing_runs(bind_once, &both), 4);
  ms_typed_pattern_free(both.pattern);
  ms_typed_free(both.graph);
}
END_TEST

TEST_MAIN("typed patterns", TEST(texts_are_read), TEST(texts_are_refused),
          TEST(texts_may_end_anywhere), TEST(sizes_are_bounded), TEST(random_texts),
          TEST(files_of_text), TEST(files_that_are_too_long), TEST(files_of_edges),
          TEST(relation_files), TEST(standard_input), TEST(types_of_vertices), TEST(types_of_edges),
          TEST(types_that_a_graph_lacks), TEST(hundreds_of_types), TEST(relations_without_a_mark),
          TEST(a_pattern_needs_a_vertex), TEST(survives_lack_of_memory))
