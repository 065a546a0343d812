/* What the tool writes, read back by other means: JSON lines by jansson, CX2 against the JSON lines
 * and the graph, DOT by a small scanner, odd names in all of them, and result files with each way
 * of reading by ms_verify_file. */
#include "motifsieve.h"
#include "tests/support/files.h"
#include "tests/support/random.h"
#include "tests/support/test_main.h"
#include "tests/support/tool.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- running the tool ------------------------------------------------------------- */

/* motifsieve ARGUMENTS GRAPH --colors COLORS -o OUTPUT; the exit code. */
static int run_tool(const char *arguments, const char *output)
{
  char command[8192];
  snprintf(command, sizeof command, "%s '%s' --colors '%s' -q -o '%s'", arguments,
           files_path("g.tsv"), files_path("c.tsv"), files_path(output));
  return tool_run(command);
}

static void run_well(const char *arguments, const char *output)
{
  int code = run_tool(arguments, output);
  char *err = tool_slurp("err", NULL);
  ck_assert_msg(code == 0, "exit code %d of %s: %s", code, arguments, err);
  free(err);
}

/* ---- inputs ----------------------------------------------------------------------- */

enum { VERTICES = 40, EDGES = 70, COLORS = 5 };

/* Names that need care somewhere: in a list, JSON, DOT, a label of Graphviz. */
static const char *const odd_names[] = {"plain",
                                        "a\"b",
                                        "\"",
                                        "back\\slash",
                                        "\\",
                                        "\\n",
                                        "\\N",
                                        "&amp;",
                                        "a&b",
                                        "<b>x",
                                        "d\xc3\xa9j\xc3\xa0",
                                        "x,y",
                                        "semi;",
                                        "{|p}",
                                        "\xe6\x9f\x93\xe8\x89\xb2",
                                        "// v",
                                        "end\\",
                                        "\\\"",
                                        "[x=1]",
                                        "#5",
                                        "&#38;",
                                        "a--b",
                                        "port:n"};
#define ODD_NAMES (sizeof odd_names / sizeof *odd_names)

static void vertex_name(uint64_t v, char name[32])
{
  if (v < ODD_NAMES)
    snprintf(name, 32, "%s", odd_names[v]);
  else
    snprintf(name, 32, "v%" PRIu64, v);
}

/* A random graph, with a list of colours on most vertices. */
static void write_inputs(uint64_t seed)
{
  uint64_t state = seed;
  char u[32], v[32];
  FILE *graph = fopen(files_path("g.tsv"), "w"), *colors = fopen(files_path("c.tsv"), "w");
  ck_assert(graph && colors);
  fputs("plain\tv39\n", graph); /* so that no line looks like a comment or CSV by chance */
  for (int e = 0; e < EDGES; e++) {
    vertex_name(random_next(&state) % VERTICES, u);
    vertex_name(random_next(&state) % VERTICES, v);
    if (u[0] != '#')
      fprintf(graph, "%s\t%s\n", u, v);
  }
  for (uint64_t i = 0; i < VERTICES; i++)
    for (uint64_t n = random_next(&state) % 3; n > 0; n--) {
      vertex_name(i, u);
      if (u[0] != '#')
        fprintf(colors, "%s\tcolour \"%" PRIu64 "\"\n", u, random_next(&state) % COLORS);
    }
  for (int c = 0; c < COLORS; c++)
    fprintf(colors, "plain\tcolour \"%d\"\n", c);
  ck_assert_int_eq(fclose(graph), 0);
  ck_assert_int_eq(fclose(colors), 0);
}

#define MOTIF "-m '\"colour \"\"1\"\"\",\"colour \"\"2\"\"\",*'"

typedef struct inputs {
  ms_graph *graph;
  ms_coloring *coloring;
} inputs;

static inputs read_inputs(void)
{
  inputs in;
  ms_error err;
  ck_assert_msg(ms_graph_read(files_path("g.tsv"), NULL, &in.graph, &err) == MS_OK, "%s",
                err.message);
  ck_assert_msg(ms_coloring_read(files_path("c.tsv"), in.graph, NULL, &in.coloring, &err) == MS_OK,
                "%s", err.message);
  return in;
}

static void free_inputs(inputs *in)
{
  ms_coloring_free(in->coloring);
  ms_graph_free(in->graph);
}

/* ---- JSON lines ------------------------------------------------------------------- */

/* The lines as an array. */
static json_t *read_lines(const char *name)
{
  char *text = tool_slurp(name, NULL), *save = NULL;
  json_t *lines = json_array();
  for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
    json_error_t problem;
    json_t *object = json_loads(line, JSON_REJECT_DUPLICATES, &problem);
    ck_assert_msg(json_is_object(object), "%s: %s", line, problem.text);
    json_array_append_new(lines, object);
  }
  free(text);
  return lines;
}

static const char *text_of(const json_t *object, const char *key)
{
  const char *text = json_string_value(json_object_get(object, key));
  ck_assert_msg(text != NULL, "no text \"%s\"", key);
  return text;
}

static json_int_t count_of(const json_t *object, const char *key)
{
  const json_t *value = json_object_get(object, key);
  ck_assert_msg(json_is_integer(value), "no number \"%s\"", key);
  return json_integer_value(value);
}

/* Exactly these keys ("a b c "), each of the type that its letter says:
 * s string, i integer, r real, b boolean, a array, o object. */
static void has_keys(json_t *object, const char *keys)
{
  char key[64], type;
  size_t count = 0;
  int used;
  for (const char *p = keys; sscanf(p, " %63[a-z0-9_]:%c%n", key, &type, &used) == 2; p += used) {
    const json_t *value = json_object_get(object, key);
    bool right = type == 's'   ? json_is_string(value)
                 : type == 'i' ? json_is_integer(value)
                 : type == 'r' ? json_is_real(value)
                 : type == 'b' ? json_is_boolean(value)
                 : type == 'a' ? json_is_array(value)
                               : json_is_object(value);
    char *text = json_dumps(object, 0);
    ck_assert_msg(right, "\"%s\" is not of type %c in %s", key, type, text);
    free(text);
    count++;
  }
  char *text = json_dumps(object, 0);
  ck_assert_msg(count == json_object_size(object), "more keys than '%s' in %s", keys, text);
  free(text);
}

#define INPUT_KEYS "type:s tool:s version:s command:s schema:i graph:o colors:o motif:s k:i "
#define SIEVE_KEYS                                                                                 \
  "recurrence:s seed:i repetitions:i repetitions_planned:i miss_bound:r miss_bound_formula:s "     \
  "miss_bound_union:r "

static void check_lines(const char *arguments, const char *header_keys, const char *row_keys)
{
  run_well(arguments, "r.json");
  json_t *lines = read_lines("r.json"), *header = json_array_get(lines, 0);
  size_t count = json_array_size(lines);
  ck_assert_uint_gt(count, 2);
  has_keys(header, header_keys);
  has_keys(json_object_get(header, "graph"), "path:s crc32c:s vertices:i edges:i format:s "
                                             "min_score:r keep_taxon:b header:b");
  has_keys(json_object_get(header, "colors"),
           "path:s crc32c:s colors:i assignments:i format:s aspects:s header:b");
  ck_assert_int_eq(count_of(header, "schema"), 1);
  for (size_t i = 1; i + 1 < count; i++)
    has_keys(json_array_get(lines, i), row_keys);
  json_t *end = json_array_get(lines, count - 1);
  has_keys(end, "type:s rows:i crc32c:s");
  ck_assert_int_eq(count_of(end, "rows"), (json_int_t)count - 2);
  json_decref(lines);
}

/* Each JSON line has exactly the documented keys with their types: six runs of list and screen. */
START_TEST(test_json_lines_have_the_documented_keys)
{
  static const char match[] = "type:s match:i vertices:a";
  static const char vertex[] = "type:s vertex:s colors:a flagged:b repetitions:i";
  write_inputs(3);
  check_lines("list --json --screen always " MOTIF,
              INPUT_KEYS "mode:s " SIEVE_KEYS "status:s matches:i", match);
  check_lines("list --json --exact " MOTIF, INPUT_KEYS "mode:s status:s matches:i", match);
  check_lines("list --json --exact -r plain -r plain " MOTIF,
              INPUT_KEYS "required:a mode:s status:s matches:i", match);
  check_lines("screen --json --screen always " MOTIF,
              INPUT_KEYS "mode:s " SIEVE_KEYS "status:s shown_colors:s flagged:i", vertex);
  check_lines("screen --json --all --screen always " MOTIF,
              INPUT_KEYS "mode:s " SIEVE_KEYS "status:s rows:s shown_colors:s flagged:i", vertex);
  check_lines("screen --json " MOTIF, INPUT_KEYS "mode:s status:s shown_colors:s flagged:i",
              vertex);
}
END_TEST

/* ---- CX2 -------------------------------------------------------------------------- */

static json_t *read_cx2(const char *name)
{
  json_error_t problem;
  json_t *document = json_load_file(files_path(name), JSON_REJECT_DUPLICATES, &problem);
  ck_assert_msg(json_is_array(document), "%s at line %d", problem.text, problem.line);
  return document;
}

/* The only key of the object at `place`, which must be that name. */
static json_t *aspect(const json_t *document, size_t place, const char *name)
{
  json_t *object = json_array_get(document, place);
  ck_assert_uint_eq(json_object_size(object), 1);
  json_t *elements = json_object_get(object, name);
  ck_assert_msg(json_is_array(elements), "aspect %zu is not %s", place, name);
  return elements;
}

enum { META = 1, DECLARATIONS, NETWORK, NODES, LINKS, STYLE, STATUS, ASPECTS };
enum { COUNTED = STATUS - DECLARATIONS }; /* aspects that the metadata count */

static bool has_type(const json_t *value, const char *type)
{
  if (strncmp(type, "list_of_", 8) == 0) {
    bool right = json_is_array(value);
    for (size_t i = 0; i < json_array_size(value); i++)
      right = right && has_type(json_array_get(value, i), type + 8);
    return right;
  }
  return strcmp(type, "string") == 0    ? json_is_string(value)
         : strcmp(type, "long") == 0    ? json_is_integer(value)
         : strcmp(type, "double") == 0  ? json_is_real(value)
         : strcmp(type, "boolean") == 0 ? json_is_boolean(value)
                                        : false;
}

/* Every attribute is declared with the type that it has. */
static void check_declared(const json_t *declarations, json_t *attributes)
{
  const char *key;
  json_t *value;
  json_object_foreach(attributes, key, value)
  {
    const json_t *declared = json_object_get(declarations, key);
    ck_assert_msg(declared != NULL, "attribute '%s' is not declared", key);
    ck_assert_msg(has_type(value, text_of(declared, "d")), "attribute '%s' is no %s", key,
                  text_of(declared, "d"));
  }
}

/* Descriptor, order and counts of the aspects, declarations, status. */
static void check_frame(const json_t *document)
{
  static const char *const names[] = {"attributeDeclarations", "networkAttributes", "nodes",
                                      "edges", "visualProperties"};
  const json_t *descriptor = json_array_get(document, 0), *value;
  ck_assert_uint_eq(json_array_size(document), ASPECTS);
  ck_assert_uint_eq(json_object_size(descriptor), 2);
  ck_assert_str_eq(text_of(descriptor, "CXVersion"), "2.0");
  ck_assert(json_is_false(json_object_get(descriptor, "hasFragments")));
  const json_t *meta = aspect(document, META, "metaData");
  ck_assert_uint_eq(json_array_size(meta), COUNTED);
  for (size_t i = 0; i < COUNTED; i++) {
    const json_t *entry = json_array_get(meta, i);
    ck_assert_str_eq(text_of(entry, "name"), names[i]);
    ck_assert_int_eq(count_of(entry, "elementCount"),
                     (json_int_t)json_array_size(aspect(document, DECLARATIONS + i, names[i])));
  }
  const json_t *declared = json_array_get(aspect(document, DECLARATIONS, names[0]), 0);
  check_declared(json_object_get(declared, "networkAttributes"),
                 json_array_get(aspect(document, NETWORK, names[1]), 0));
  size_t i;
  json_array_foreach(aspect(document, NODES, names[2]), i, value)
      check_declared(json_object_get(declared, "nodes"), json_object_get(value, "v"));
  json_array_foreach(aspect(document, LINKS, names[3]), i, value)
      check_declared(json_object_get(declared, "edges"), json_object_get(value, "v"));
  const json_t *status = json_array_get(aspect(document, STATUS, "status"), 0);
  ck_assert(json_is_true(json_object_get(status, "success")));
}

/* Names and colours are the vertex's; drawn[v] = its attributes, or NULL. */
static void read_nodes(const json_t *document, const inputs *in, const json_t **drawn)
{
  const json_t *node;
  size_t i;
  memset(drawn, 0, VERTICES * sizeof *drawn);
  json_array_foreach(aspect(document, NODES, "nodes"), i, node)
  {
    uint32_t v = (uint32_t)count_of(node, "id"), count;
    ck_assert_uint_lt(v, ms_graph_vertex_count(in->graph));
    ck_assert_msg(!drawn[v], "two nodes %u", v);
    drawn[v] = json_object_get(node, "v");
    ck_assert_str_eq(text_of(drawn[v], "name"), ms_graph_name(in->graph, v));
    const json_t *names = json_object_get(drawn[v], "colors");
    const uint32_t *colors = ms_coloring_of(in->coloring, v, &count);
    ck_assert_uint_eq(json_array_size(names), count);
    for (uint32_t c = 0; c < count; c++)
      ck_assert_str_eq(json_string_value(json_array_get(names, c)),
                       ms_coloring_name(in->coloring, colors[c]));
  }
}

/* The edges are exactly those of the graph among the nodes, once each, and no
 * id serves twice. */
static void check_links(const json_t *document, const inputs *in, const json_t *const *drawn)
{
  const json_t *link;
  size_t i, expected = 0;
  bool seen[VERTICES][VERTICES] = {{false}}, used[VERTICES + VERTICES * VERTICES] = {false};
  json_array_foreach(aspect(document, LINKS, "edges"), i, link)
  {
    json_int_t s = count_of(link, "s"), t = count_of(link, "t"), id = count_of(link, "id");
    ck_assert(s >= 0 && s < VERTICES && t >= 0 && t < VERTICES && drawn[s] && drawn[t]);
    ck_assert(!seen[s][t] && !seen[t][s]);
    seen[s][t] = seen[t][s] = true;
    ck_assert(id >= ms_graph_vertex_count(in->graph) && id < (json_int_t)sizeof used && !used[id]);
    used[id] = true;
    ck_assert_str_eq(text_of(json_object_get(link, "v"), "interaction"), "interacts with");
  }
  for (uint32_t v = 0; v < ms_graph_vertex_count(in->graph); v++) {
    uint32_t degree;
    const uint32_t *row = ms_graph_neighbors(in->graph, v, &degree);
    for (uint32_t j = 0; j < degree; j++) {
      if (!drawn[v] || !drawn[row[j]])
        continue;
      ck_assert_msg(seen[v][row[j]], "edge %u %u is missing", v, row[j]);
      expected += v < row[j];
    }
  }
  ck_assert_uint_eq(i, expected);
}

/* The first of the colours 1 and 2 that the vertex has, in the order of the
 * file, or '*'; none where the vertex was not found. */
static void check_motif_color(const json_t *attributes, bool found)
{
  const json_t *colors = json_object_get(attributes, "colors"), *color;
  const char *wanted = "*";
  size_t i;
  if (!found) {
    ck_assert_ptr_null(json_object_get(attributes, "motif_color"));
    return;
  }
  json_array_foreach(colors, i, color)
  {
    const char *name = json_string_value(color);
    if (strcmp(wanted, "*") == 0 && (strstr(name, "\"1\"") || strstr(name, "\"2\"")))
      wanted = name;
  }
  ck_assert_str_eq(text_of(attributes, "motif_color"), wanted);
}

/* Which matches hold a vertex, by the rows of a list. */
typedef struct membership {
  uint64_t matches[VERTICES];
  json_t *numbers[VERTICES]; /* at most 100 */
  uint64_t rows;
  json_t *lines; /* the rows with their roles */
} membership;

static void read_membership(const inputs *in, const char *name, membership *m)
{
  json_t *lines = read_lines(name);
  memset(m, 0, sizeof *m);
  for (uint32_t v = 0; v < VERTICES; v++)
    m->numbers[v] = json_array();
  m->rows = json_array_size(lines) - 2;
  m->lines = lines;
  for (size_t i = 1; i <= m->rows; i++) {
    const json_t *names = json_object_get(json_array_get(lines, i), "vertices"), *vertex;
    size_t j;
    json_array_foreach(names, j, vertex)
    {
      uint32_t v = ms_graph_find(in->graph, json_string_value(vertex));
      ck_assert_uint_lt(v, VERTICES);
      if (m->matches[v]++ < 100)
        json_array_append_new(m->numbers[v], json_integer((json_int_t)i));
    }
  }
}

/* A vertex has the role that the match states (0: the first that holds it); none where the vertex
 * was not found. */
static void check_role(const json_t *attributes, const membership *m, uint32_t v, uint64_t match)
{
  const char *name = text_of(attributes, "name"), *wanted = NULL;
  if (m->matches[v] == 0) {
    ck_assert_ptr_null(json_object_get(attributes, "role"));
    return;
  }
  for (size_t i = match ? match : 1; !wanted; i++) {
    const json_t *line = json_array_get(m->lines, i), *vertex;
    size_t j;
    json_array_foreach(json_object_get(line, "vertices"), j, vertex)
    {
      if (strcmp(json_string_value(vertex), name) == 0)
        wanted = json_string_value(json_array_get(json_object_get(line, "roles"), j));
    }
  }
  ck_assert_str_eq(text_of(attributes, "role"), wanted);
}

static void free_membership(membership *m)
{
  for (uint32_t v = 0; v < VERTICES; v++)
    json_decref(m->numbers[v]);
  json_decref(m->lines);
}

/* Which vertices a drawing of a list shows. */
typedef enum shown { FOUND, WHOLE, ONE } shown;

static void check_cx2_of_list(const inputs *in, const membership *m, const char *name, shown what,
                              uint64_t match)
{
  const json_t *drawn[VERTICES];
  json_t *document = read_cx2(name);
  check_frame(document);
  read_nodes(document, in, drawn);
  check_links(document, in, drawn);
  const json_t *network = json_array_get(aspect(document, NETWORK, "networkAttributes"), 0);
  ck_assert_int_eq(count_of(network, "matches"), (json_int_t)m->rows);
  for (uint32_t v = 0; v < ms_graph_vertex_count(in->graph); v++) {
    bool in_one = false;
    for (size_t i = 0; i < json_array_size(m->numbers[v]); i++)
      in_one = in_one || json_integer_value(json_array_get(m->numbers[v], i)) == (json_int_t)match;
    bool wanted = what == WHOLE || (what == FOUND ? m->matches[v] > 0 : in_one);
    ck_assert_msg((drawn[v] != NULL) == wanted, "vertex %u: drawn: %d", v, drawn[v] != NULL);
    if (!drawn[v])
      continue;
    ck_assert_int_eq(count_of(drawn[v], "matches"), (json_int_t)m->matches[v]);
    ck_assert(json_equal(json_object_get(drawn[v], "match_numbers"), m->numbers[v]));
    check_role(drawn[v], m, v, what == ONE ? match : 0);
  }
  json_decref(document);
}

/* A CX2 drawing of a list shows the vertices, edges, colours and match numbers that the JSON lines
 * hold, for matches, the whole graph and one match: eight random graphs. */
START_TEST(test_cx2_of_lists)
{
  uint64_t most = 0;
  for (uint64_t seed = 0; seed < 8; seed++) {
    membership m;
    char arguments[256];
    write_inputs(seed);
    inputs in = read_inputs();
    run_well("list --json --roles --exact " MOTIF, "r.json");
    read_membership(&in, "r.json", &m);
    run_well("list --cx2 --exact " MOTIF, "r.cx2");
    check_cx2_of_list(&in, &m, "r.cx2", FOUND, 0);
    run_well("list --cx2 --whole-graph " MOTIF, "r.cx2");
    check_cx2_of_list(&in, &m, "r.cx2", WHOLE, 0);
    uint64_t match = m.rows < 90 ? m.rows : 90; /* within the numbers that a drawing shows */
    snprintf(arguments, sizeof arguments, "list --cx2 --match %" PRIu64 " " MOTIF, match);
    if (match > 0) {
      run_well(arguments, "r.cx2");
      check_cx2_of_list(&in, &m, "r.cx2", ONE, match);
    }
    for (uint32_t v = 0; v < VERTICES; v++)
      most = m.matches[v] > most ? m.matches[v] : most;
    free_membership(&m);
    free_inputs(&in);
  }
  ck_assert_uint_gt(most, 4);
}
END_TEST

/* A hub in 741 matches is drawn with the numbers of the first 100. */
START_TEST(test_cx2_caps_the_numbers)
{
  FILE *graph = fopen(files_path("g.tsv"), "w"), *colors = fopen(files_path("c.tsv"), "w");
  ck_assert(graph && colors);
  fputs("hub\tcolour \"1\"\n", colors);
  for (int i = 0; i < 39; i++)
    fprintf(graph, "hub\tv%d\n", i);
  fclose(graph);
  fclose(colors);
  inputs in = read_inputs();
  membership m;
  run_well("list --json --roles --exact -m '\"colour \"\"1\"\"\",*:2'", "r.json");
  read_membership(&in, "r.json", &m);
  ck_assert_uint_eq(m.rows, 39 * 38 / 2);
  ck_assert_uint_eq(m.matches[0], m.rows);
  ck_assert_uint_eq(json_array_size(m.numbers[0]), 100);
  run_well("list --cx2 --exact -m '\"colour \"\"1\"\"\",*:2'", "r.cx2");
  check_cx2_of_list(&in, &m, "r.cx2", FOUND, 0);
  free_membership(&m);
  free_inputs(&in);
}
END_TEST

static void check_cx2_of_screen(const inputs *in, json_t *lines, bool whole)
{
  const json_t *drawn[VERTICES];
  json_t *document = read_cx2("r.cx2");
  check_frame(document);
  read_nodes(document, in, drawn);
  check_links(document, in, drawn);
  for (uint32_t v = 0; v < ms_graph_vertex_count(in->graph); v++) {
    const json_t *row = json_array_get(lines, v + 1);
    bool flagged = json_is_true(json_object_get(row, "flagged"));
    ck_assert_str_eq(text_of(row, "vertex"), ms_graph_name(in->graph, v));
    ck_assert_int_eq(drawn[v] != NULL, whole || flagged);
    if (!drawn[v])
      continue;
    ck_assert_int_eq(json_is_true(json_object_get(drawn[v], "flagged")), flagged);
    ck_assert_int_eq(count_of(drawn[v], "hits"), count_of(row, "repetitions"));
    check_motif_color(drawn[v], flagged);
  }
  json_decref(document);
}

/* A CX2 drawing of a screen shows the flagged vertices, or the whole graph, with what the JSON
 * lines hold: four random graphs. */
START_TEST(test_cx2_of_screens)
{
  for (uint64_t seed = 0; seed < 4; seed++) {
    write_inputs(seed);
    inputs in = read_inputs();
    run_well("screen --screen always --json --all " MOTIF, "r.json");
    json_t *lines = read_lines("r.json");
    run_well("screen --screen always --cx2 " MOTIF, "r.cx2");
    check_cx2_of_screen(&in, lines, false);
    run_well("screen --screen always --cx2 --whole-graph " MOTIF, "r.cx2");
    check_cx2_of_screen(&in, lines, true);
    json_decref(lines);
    free_inputs(&in);
  }
}
END_TEST

/* ---- DOT -------------------------------------------------------------------------- */

/* A label as Graphviz reads it: the quoted string, then the escapes of labels,
 * then entities. */
static const char *read_label(const char *p, char *label)
{
  ck_assert_int_eq(*p++, '"');
  for (; *p != '"'; p++) {
    ck_assert(*p && *p != '\n');
    if (*p == '\\') {
      p++;
      ck_assert_msg(*p == '\\' || *p == '"', "the escape \\%c means something to Graphviz", *p);
    } else if (*p == '&') {
      ck_assert_int_eq(strncmp(p, "&amp;", 5), 0);
      p += 4;
      *label++ = '&';
      continue;
    }
    *label++ = *p;
  }
  *label = '\0';
  return p + 1;
}

/* Nodes and edges of the drawing are those of the CX2 document. */
static void check_dot(const inputs *in, const json_t *document, const char *text)
{
  const json_t *drawn[VERTICES];
  size_t nodes = 0, links = 0;
  uint32_t u, v;
  int used;
  read_nodes(document, in, drawn);
  const char *p = strstr(text, "  v");
  for (; p && strncmp(p, "  v", 3) == 0; p = strchr(p, '\n') + 1) {
    used = 0;
    if (sscanf(p, " v%u -- v%u;%n", &u, &v, &used) == 2 && used) {
      ck_assert(u < VERTICES && v < VERTICES && drawn[u] && drawn[v]);
      links++;
      continue;
    }
    char label[64];
    ck_assert(sscanf(p, " v%u [label=%n", &v, &used) == 1 && used);
    const char *rest = read_label(p + used, label);
    ck_assert(v < VERTICES && drawn[v]);
    ck_assert_str_eq(label, text_of(drawn[v], "name"));
    bool filled = strncmp(rest, ", fillcolor=\"#", 14) == 0;
    ck_assert_int_eq(filled, json_object_get(drawn[v], "motif_color") != NULL ||
                                 json_object_get(drawn[v], "role") != NULL);
    ck_assert_int_eq(strncmp(filled ? rest + 42 : rest, "];\n", 3), 0);
    nodes++;
  }
  ck_assert_str_eq(p ? p : "", "}\n");
  ck_assert_uint_eq(nodes, json_array_size(aspect(document, NODES, "nodes")));
  ck_assert_uint_eq(links, json_array_size(aspect(document, LINKS, "edges")));
}

/* A DOT drawing has the nodes and edges of the CX2 drawing, with labels that Graphviz reads as the
 * names: five ways on two random graphs. */
START_TEST(test_dot_shows_what_cx2_holds)
{
  static const char *const ways[] = {"list --exact ", "list --whole-graph ", "list --match 1 ",
                                     "screen ", "screen --whole-graph "};
  for (uint64_t seed = 0; seed < 2; seed++) {
    write_inputs(seed);
    inputs in = read_inputs();
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
      char arguments[256];
      snprintf(arguments, sizeof arguments, "%s --cx2 " MOTIF, ways[i]);
      run_well(arguments, "r.cx2");
      snprintf(arguments, sizeof arguments, "%s --dot " MOTIF, ways[i]);
      run_well(arguments, "r.dot");
      json_t *document = read_cx2("r.cx2");
      char *text = tool_slurp("r.dot", NULL);
      check_dot(&in, document, text);
      free(text);
      json_decref(document);
    }
    free_inputs(&in);
  }
}
END_TEST

/* ---- result files ------------------------------------------------------------------ */

/* A result that was written with columns chosen is accepted without that choice: five ways. */
START_TEST(test_results_say_how_to_read)
{
  static const char *const ways[] = {
      "list --exact --name-column 1 --color-column 2 " MOTIF,
      "list --json --name-column 1 --color-column 2 " MOTIF,
      "screen --all --color-column 2 " MOTIF,
      "list --exact -r 'x,y' -r plain -r 'x,y' -m '*:4'",
      "list --json -r '\"' -m '*:3'",
  };
  write_inputs(1);
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
    ms_verify_report report;
    ms_error err;
    run_well(ways[i], "result");
    ms_status status = ms_verify_file(files_path("result"), files_path("g.tsv"),
                                      files_path("c.tsv"), NULL, &report, &err);
    ck_assert_msg(status == MS_OK, "%s: %s", ways[i], err.message);
    ck_assert_msg(report.accepted && report.recounted, "%s: %s", ways[i], report.problem);
  }
  char *text = tool_slurp("result", NULL);
  ck_assert_ptr_null(strstr(text, "name_column"));
  free(text);
}
END_TEST

TEST_MAIN("output", TEST(test_json_lines_have_the_documented_keys), TEST(test_cx2_of_lists),
          TEST(test_cx2_caps_the_numbers), TEST(test_cx2_of_screens),
          TEST(test_dot_shows_what_cx2_holds), TEST(test_results_say_how_to_read))
