/* Any bytes as a typed pattern are refused or read.  A pattern that is written in backquotes is
 * read as the same pattern, and the search finds as many matches as the recount in a fixed small
 * graph. FUZZ_WHAT: a text or a file. */
#include "query/typed_query.h"
#include "tests/fuzz/fuzz.h"
#include "verify/verify.h"

#include <stdlib.h>
#include <string.h>

enum { FUZZ_TEXT, FUZZ_FILE };

static ms_typed *graph;
static fuzz_file input;

void fuzz_setup(void)
{
  static const uint32_t edges[][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 1},
                                      {2, 3}, {3, 3}, {1, 3}, {0, 1}};
  static const uint32_t types[] = {0, 0, 1, 1, 1, 0, 1, 0};
  static const char *const kinds[] = {"A", "B", "B", "C|D"}, *const relation[] = {"r", "s"},
                           *const inverse[] = {NULL, "^s"};
  const ms_typed_source source = {.n = 4,
                                  .vertex_type = kinds,
                                  .m = 8,
                                  .edges = edges,
                                  .edge_type = types,
                                  .n_relations = 2,
                                  .relation = relation,
                                  .inverse = inverse};
  ms_error err = {0};
  fuzz_ok(ms_typed_from_edges(&source, 1, &graph, &err), 0, &err);
  fuzz_file_open(&input);
}

/* ---- written and read again ------------------------------------------------------ */

typedef struct text {
  char *bytes;
  size_t length, room;
} text;

static void put(text *t, const char *word)
{
  size_t length = strlen(word);
  if (t->length + length + 1 > t->room) {
    t->room = 2 * (t->length + length + 1);
    t->bytes = realloc(t->bytes, t->room);
    fuzz_require(t->bytes, "no memory");
  }
  memcpy(t->bytes + t->length, word, length + 1);
  t->length += length;
}

static void put_quoted(text *t, const char *word)
{
  put(t, "`");
  for (; *word; word++)
    put(t, *word == '`' ? "``" : (char[]){*word, '\0'});
  put(t, "`");
}

static void put_types(text *t, const ms_typed_pattern *p, const uint32_t *type, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++) {
    put(t, i ? "|" : ":");
    put_quoted(t, ms_names_get(p->type_names, type[i]));
  }
}

static void put_vertex(text *t, const ms_typed_pattern *p, uint32_t v)
{
  put(t, "(");
  put_quoted(t, ms_typed_pattern_vertex_name(p, v));
  put_types(t, p, p->type[v], p->types[v]);
  put(t, ")");
}

static text text_of(const ms_typed_pattern *p)
{
  text t = {0};
  for (uint32_t v = 0; v < p->n; v++) {
    put_vertex(&t, p, v);
    put(&t, v % 2 ? "," : "\n");
  }
  for (uint32_t e = 0; e < p->edges; e++) {
    const ms_typed_pattern_edge *edge = &p->edge[e];
    bool turned = edge->way == MS_WAY_ON && e % 2;
    put_vertex(&t, p, turned ? edge->to : edge->from);
    put(&t, turned ? "<-[" : "-[");
    put_types(&t, p, edge->type, edge->types);
    put(&t, edge->way == MS_WAY_ON && !turned ? "]->" : "]-");
    put_vertex(&t, p, turned ? edge->from : edge->to);
    put(&t, "\n");
  }
  return t;
}

static bool same_types(const ms_typed_pattern *a, const uint32_t *s, uint32_t n,
                       const ms_typed_pattern *b, const uint32_t *t, uint32_t m)
{
  bool same = n == m;
  for (uint32_t i = 0; i < n && same; i++)
    same = strcmp(ms_names_get(a->type_names, s[i]), ms_names_get(b->type_names, t[i])) == 0;
  return same;
}

static void compare(const ms_typed_pattern *a, const ms_typed_pattern *b)
{
  fuzz_require(a->n == b->n && a->edges == b->edges, "vertices or edges are lost");
  for (uint32_t v = 0; v < a->n; v++) {
    fuzz_require(strcmp(ms_typed_pattern_vertex_name(a, v), ms_typed_pattern_vertex_name(b, v)) ==
                     0,
                 "a name has changed");
    fuzz_require(same_types(a, a->type[v], a->types[v], b, b->type[v], b->types[v]),
                 "the types of a vertex have changed");
  }
  for (uint32_t e = 0; e < a->edges; e++) {
    const ms_typed_pattern_edge *x = &a->edge[e], *y = &b->edge[e];
    fuzz_require(x->from == y->from && x->to == y->to && x->way == y->way, "an edge has changed");
    fuzz_require(same_types(a, x->type, x->types, b, y->type, y->types),
                 "the types of an edge have changed");
  }
}

static void write_and_read(const ms_typed_pattern *pattern)
{
  ms_typed_pattern *again = NULL;
  ms_error err = {0};
  text t = text_of(pattern);
  fuzz_ok(ms_typed_pattern_parse(t.bytes, &again, &err), 0, &err);
  compare(pattern, again);
  ms_typed_pattern_free(again);
  free(t.bytes);
}

/* ---- matched ------------------------------------------------------------------------ */

static void match(const ms_typed_pattern *pattern)
{
  const ms_typed_match_options options = {.size = sizeof(ms_typed_match_options),
                                          .run.threads = fuzz_threads};
  ms_error err = {0};
  ms_typed_query *query = NULL;
  ms_typed_result *result = NULL;
  ms_judge *judge = NULL;
  mpz_t maps, symmetries;
  mpz_init(maps);
  mpz_init(symmetries);
  fuzz_ok(ms_typed_query_new(graph, pattern, &query, &err), 0, &err);
  fuzz_ok(ms_typed_match(query, &options, &result, &err), 0, &err);
  fuzz_ok(ms_judge_typed(query, false, false, &judge, &err), 0, &err);
  fuzz_ok(ms_judge_recount(judge, maps, NULL, NULL, NULL, &err), 0, &err);
  fuzz_ok(ms_judge_automorphisms(judge, symmetries, NULL, &err), 0, &err);
  ms_judge_free(judge);
  mpz_mul_ui(symmetries, symmetries, result->matches);
  fuzz_require(mpz_cmp(maps, symmetries) == 0,
               "%s matches of %s symmetries, not as many by the recount", result->count_text,
               result->automorphisms_text);
  mpz_clear(maps);
  mpz_clear(symmetries);
  ms_typed_result_free(result);
  ms_typed_query_free(query);
}

static ms_typed_pattern *parse_bytes(const uint8_t *data, size_t size)
{
  ms_typed_pattern *pattern = NULL;
  ms_error err = {0};
  char *bytes = malloc(size + 1);
  fuzz_require(bytes, "no memory");
  memcpy(bytes, data, size);
  bytes[size] = '\0';
  fuzz_ok(ms_typed_pattern_parse(bytes, &pattern, &err), FUZZ_USAGE, &err);
  free(bytes);
  return pattern;
}

static ms_typed_pattern *read_file(const uint8_t *data, size_t size)
{
  const ms_typed_options options = {.size = sizeof(ms_typed_options), .run.threads = fuzz_threads};
  ms_typed_pattern *pattern = NULL;
  ms_error err = {0};
  fuzz_file_set(&input, data, size);
  fuzz_ok(ms_typed_pattern_read(input.path, &options, &pattern, &err), FUZZ_INPUT, &err);
  return pattern;
}

bool fuzz_input(const uint8_t *data, size_t size)
{
  ms_typed_pattern *pattern =
      FUZZ_WHAT == FUZZ_TEXT ? parse_bytes(data, size) : read_file(data, size);
  if (!pattern)
    return false;
  fuzz_require(pattern->n >= 1 && pattern->n <= MS_MAX_PATTERN &&
                   pattern->edges <= MS_MAX_TYPED_EDGES,
               "a pattern of %u vertices and %u edges", pattern->n, pattern->edges);
  write_and_read(pattern);
  match(pattern);
  ms_typed_pattern_free(pattern);
  return true;
}
