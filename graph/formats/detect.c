/* Which format is a graph file in?  See detect.h; the table of judges is at the end. */
#include "graph/formats/detect.h"

#include "base/status.h"
#include "base/text/utf8.h"
#include "graph/formats/binary.h"
#include "graph/formats/typed/typed_binary.h"
#include "graph/io/counted.h"
#include "graph/io/edges/directions.h"

#include <string.h>

/* What the judges see.  Lines that the head lacks are empty. */
typedef struct clues {
  const ms_head *head;
  bool named;     /* the path has an ending of the format that is judged */
  ms_field first; /* the first line that is not blank */
  ms_field data;  /* the first line that is neither blank nor a comment */
  size_t behind;  /* the place behind `data` in the head */
} clues;

static bool next_filled_line(const ms_head *head, size_t *at, ms_field *line)
{
  while (ms_head_next_line(head, at, line))
    if (ms_field_trim(*line).length > 0)
      return true;
  return false;
}

static clues collect_clues(const ms_head *head)
{
  clues c = {.head = head, .first = {"", 0}, .data = {"", 0}};
  size_t at = 0;
  if (!next_filled_line(head, &at, &c.first))
    c.first = (ms_field){"", 0};
  if (!ms_head_next_data(head, &c.behind, &c.data))
    c.data = (ms_field){"", 0};
  return c;
}

/* ---- signs that no other format has ------------------------------------------------ */

/* The magic without its line ends: the reader can then say that they were converted. */
static bool is_typed_binary(const clues *c)
{
  return c->head->length >= 4 && memcmp(c->head->bytes, MS_TYPED_BINARY_MAGIC, 4) == 0;
}

static bool is_binary(const clues *c)
{
  return c->head->length >= 4 && memcmp(c->head->bytes, MS_BINARY_MAGIC, 4) == 0;
}

/* The banner may stand below other comments. */
static bool is_matrix_market(const clues *c)
{
  size_t length = sizeof MS_MATRIX_MARKET_BANNER - 1, at = 0;
  ms_field line;
  while (ms_head_next_line(c->head, &at, &line) && !ms_line_holds_data(line.text, line.length))
    if (line.length > length && ms_alike(line.text, MS_MATRIX_MARKET_BANNER, length) &&
        ms_is_blank(line.text[length]))
      return true;
  return false;
}

static bool is_graphml(const clues *c)
{
  ms_field content = ms_head_data(c->head);
  if (ms_field_begins(content, "\xFF\xFE") || ms_field_begins(content, "\xFE\xFF"))
    return true; /* markup in UTF-16: ms_text refuses other text */
  return ms_field_begins(content, "<") &&
         (c->named || ms_field_holds(content, "<graphml") || ms_field_holds(content, ":graphml"));
}

static bool is_cx2(const clues *c)
{
  bool second;
  return ms_is_cx(c->head, &second) && second;
}

static bool has_relations(const clues *c)
{
  return ms_field_begins(c->first, MS_RELATION_MARK);
}

bool ms_is_string_header(ms_field line)
{
  static const char start[] = "protein1 protein2";
  size_t length = sizeof start - 1;
  return ms_field_begins(line, start) && (line.length == length || ms_is_blank(line.text[length]));
}

static bool is_string(const clues *c)
{
  return ms_is_string_header(c->data);
}

/* ---- tables of interactions --------------------------------------------------------- */

bool ms_is_biogrid_header(ms_field line)
{
  static const char start[] = "BioGRID Interaction ID";
  if (line.length > 0 && line.text[0] == '#')
    line = (ms_field){line.text + 1, line.length - 1};
  line = ms_field_trim(line);
  return line.length >= sizeof start - 1 &&
         ms_field_alike((ms_field){line.text, sizeof start - 1}, start);
}

/* Is this a row of TAB 2.0 or 3.0?  It may have no header above it, but the thirteenth of at
 * least 24 columns is one of two words. */
static bool is_biogrid_row(ms_field line)
{
  enum { COLUMNS = 24, SYSTEM_TYPE = 12 };
  ms_field fields[COLUMNS];
  return ms_line_columns(line, COLUMNS, fields) == COLUMNS &&
         (ms_field_alike(fields[SYSTEM_TYPE], "physical") ||
          ms_field_alike(fields[SYSTEM_TYPE], "genetic"));
}

static bool is_biogrid(const clues *c)
{
  return ms_is_biogrid_header(c->first) || ms_is_biogrid_header(c->data) || is_biogrid_row(c->data);
}

enum { MITAB_COLUMNS = 15 }; /* of version 2.5; later ones have more */

/* The titles of the first column and, if there is one, of the second.  Without a '#' or the columns
 * of a whole header, uidA and uidB are genes. */
bool ms_is_mitab_header(ms_field line)
{
  static const char *const starts[][2] = {{"ID(s) interactor A", "ID(s) interactor B"},
                                          {"ID interactor A", "ID interactor B"},
                                          {"unique_identifier_A", "unique_identifier_B"},
                                          {"uidA", "uidB"}};
  enum { LONG_STARTS = 3 };
  ms_field columns[MITAB_COLUMNS];
  uint32_t count = ms_line_columns(line, MITAB_COLUMNS, columns);
  ms_field first = columns[0];
  while (first.length > 0 && first.text[0] == '#')
    first = ms_field_trim((ms_field){first.text + 1, first.length - 1});
  bool marked = first.text != columns[0].text;
  for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
    if (ms_field_alike(first, starts[i][0]))
      return count == MITAB_COLUMNS ||
             (count > 1 && ms_field_alike(columns[1], starts[i][1]) && (marked || i < LONG_STARTS));
  return false;
}

static bool is_reference(ms_field field)
{
  return ms_field_absent(field) || memchr(field.text, ':', field.length);
}

/* Does the line have two identifiers, and a taxon or a detection method? */
static bool is_mitab_row(ms_field line)
{
  enum { ID_A, ID_B, METHOD = 6, TAXON_A = 9, TAXON_B };
  ms_field f[MITAB_COLUMNS];
  return ms_line_columns(line, MITAB_COLUMNS, f) == MITAB_COLUMNS && is_reference(f[ID_A]) &&
         is_reference(f[ID_B]) &&
         (ms_field_begins(f[TAXON_A], "taxid:") || ms_field_begins(f[TAXON_B], "taxid:") ||
          ms_field_begins(f[METHOD], "psi-mi:") || ms_field_begins(f[METHOD], "MI:"));
}

static bool is_mitab(const clues *c)
{
  return ms_is_mitab_header(c->first) || ms_is_mitab_header(c->data) || is_mitab_row(c->data);
}

/* ---- graphs with numbered vertices ----------------------------------------------------- */

/* Does the line begin with that word? */
static bool begins_with_word(ms_field line, const char *word)
{
  size_t length = strlen(word);
  return ms_field_begins(line, word) && (line.length == length || ms_is_blank(line.text[length]));
}

/* Comments begin with '#', perhaps behind blanks. */
static bool is_motif(const clues *c)
{
  ms_field line = ms_field_trim(c->data);
  for (size_t at = c->behind; line.length > 0 && line.text[0] == '#'; line = ms_field_trim(line))
    if (!ms_head_next_data(c->head, &at, &line))
      return false;
  return begins_with_word(line, "p") &&
         begins_with_word(ms_field_trim((ms_field){line.text + 1, line.length - 1}), "motif");
}

static bool states_dimacs_edges(ms_field line)
{
  if (!begins_with_word(line, "p"))
    return false;
  line = ms_field_trim((ms_field){line.text + 1, line.length - 1});
  return begins_with_word(line, "edge") || begins_with_word(line, "col");
}

/* Comments begin with c.  The line 'p' may be wrong, or behind the head, in a file with the right
 * suffix: the reader says so. */
static bool is_dimacs(const clues *c)
{
  ms_field line = ms_field_trim(c->data);
  for (size_t at = c->behind; begins_with_word(line, "c"); line = ms_field_trim(line))
    if (!ms_head_next_data(c->head, &at, &line))
      return c->named;
  return states_dimacs_edges(line) || (c->named && begins_with_word(line, "p"));
}

/* Does the line begin with `letter`, blanks, and a digit or `mark`? */
static bool is_tve_line(ms_field line, char letter, char mark)
{
  line = ms_field_trim(line);
  if (line.length < 3 || line.text[0] != letter || !ms_is_blank(line.text[1]))
    return false;
  ms_field rest = ms_field_trim((ms_field){line.text + 1, line.length - 1});
  return (rest.text[0] >= '0' && rest.text[0] <= '9') || rest.text[0] == mark;
}

static bool is_tve(const clues *c)
{
  size_t at = c->behind;
  ms_field second;
  return is_tve_line(c->data, 't', '#') &&
         (c->named || (ms_head_next_data(c->head, &at, &second) && is_tve_line(second, 'v', '0')));
}

/* Lines v and e without a line t, or with one that is a comment ("# t 1"): the vertices are
 * numbered in order and labelled, and edges that name them follow. */
static bool is_headless_tve(const clues *c)
{
  size_t at = c->behind;
  ms_field line = c->data;
  uint64_t vertices = 0, edges = 0, last = 0;
  do {
    ms_field rest = line, word[3];
    uint64_t id[2] = {0, 0};
    for (int i = 0; i < 3; i++)
      if (!ms_field_word(&rest, &word[i]))
        return false;
    bool vertex = edges == 0 && ms_field_is(word[0], "v") &&
                  ms_field_count(word[1], UINT32_MAX, &id[0]) && (vertices == 0 || id[0] > last);
    bool edge = vertices > 0 && ms_field_is(word[0], "e") &&
                ms_field_count(word[1], last, &id[0]) && ms_field_count(word[2], last, &id[1]);
    if (!vertex && !edge)
      return false;
    last = vertex ? id[0] : last;
    vertices += vertex;
    edges += edge;
  } while (ms_head_next_data(c->head, &at, &line));
  return edges > 0 || !c->head->whole || ms_field_begins(c->first, "#");
}

/* Does the line hold exactly one word? */
static bool is_word(ms_field line)
{
  ms_field word;
  return ms_field_word(&line, &word) && !ms_field_word(&line, &word);
}

/* Is this an edge between two of n vertices, perhaps with a label? */
static bool is_ri_edge(ms_field line, uint64_t n)
{
  ms_field word;
  uint64_t number;
  for (int i = 0; i < 2; i++)
    if (!ms_field_word(&line, &word) || !ms_field_count(word, n - 1, &number))
      return false;
  return !ms_field_word(&line, &word) || !ms_field_word(&line, &word);
}

/* The line that follows `lines` lines behind the number of vertices. */
static bool is_ri_line(ms_field line, uint64_t n, uint64_t lines)
{
  uint64_t m;
  if (lines < n)
    return is_word(line);
  if (lines == n)
    return ms_field_count(ms_field_trim(line), UINT64_MAX, &m);
  return is_ri_edge(line, n);
}

static bool begins_as_ri(const clues *c)
{
  return ms_field_begins(c->first, "#");
}

/* "#NAME", a number of vertices, as many labels, a number of edges, and edges.  The lines of LAD,
 * which may begin in the same way, hold one word only for a vertex without neighbours. */
static bool is_ri(const clues *c)
{
  size_t at = 0;
  ms_field line;
  uint64_t n = 0, lines = 0;
  if (!begins_as_ri(c) || !next_filled_line(c->head, &at, &line) ||
      !next_filled_line(c->head, &at, &line) ||
      !ms_field_count(ms_field_trim(line), MS_MAX_NAMES, &n) || n == 0)
    return false;
  for (; next_filled_line(c->head, &at, &line); lines++)
    if (!is_ri_line(line, n, lines))
      return false;
  return lines > n || (lines > 0 && !c->head->whole);
}

/* Parses "1", "11" or "011": which of sizes, weights and edge weights there are. */
static bool parse_metis_flags(ms_field field, bool flags[3])
{
  if (field.length == 0 || field.length > 3)
    return false;
  for (size_t i = 0; i < field.length; i++) {
    if (field.text[i] != '0' && field.text[i] != '1')
      return false;
    flags[3 - field.length + i] = field.text[i] == '1';
  }
  return true;
}

bool ms_metis_parse_header(ms_field line, ms_metis_header *h)
{
  enum { MAX_WEIGHTS = 1000000 }; /* of a vertex; a longer line would hardly be read anyway */
  ms_field field[5];
  uint32_t count = 0;
  bool flags[3] = {false, false, false};
  uint64_t weights = 0;
  while (count < 5 && ms_field_word(&line, &field[count]))
    count++;
  bool fits = count >= 2 && count <= 4 && ms_field_count(field[0], MS_MAX_NAMES, &h->n) &&
              ms_field_count(field[1], UINT64_MAX / 2, &h->m) &&
              (count < 3 || parse_metis_flags(field[2], flags)) &&
              (count < 4 || ms_field_count(field[3], MAX_WEIGHTS, &weights)) &&
              (weights == 0 || flags[1]);
  h->skip = flags[0] + (flags[1] ? (weights ? weights : 1) : 0);
  h->edge_weights = flags[2];
  return fits;
}

/* What the lines below a header of METIS add up to. */
typedef struct metis_sum {
  uint64_t lines; /* of vertices */
  uint64_t arcs;
  uint64_t inner; /* arcs between vertices whose lines are there */
  uint64_t sum;   /* 0: each of these has its reverse */
} metis_sum;

/* Adds the neighbours of vertex u, the first `lines` of which have their lines in the head. */
static bool add_metis_line(const ms_metis_header *h, ms_field line, uint64_t u, uint64_t lines,
                           metis_sum *s)
{
  ms_field word;
  uint64_t v, weight;
  for (uint64_t i = 0; i < h->skip; i++)
    if (!ms_field_word(&line, &word) || !ms_field_count(word, UINT64_MAX, &weight))
      return false;
  for (; ms_field_word(&line, &word); s->arcs++) {
    if (!ms_field_count(word, h->n, &v) || v == 0 || v == u)
      return false;
    if (h->edge_weights && !ms_field_word(&line, &word))
      return false;
    if (v > lines)
      continue;
    s->inner++;
    s->sum += ms_mix_arc(u, v);
  }
  return true;
}

/* Two numbers that a simple graph can have; they may also begin an edge list. */
static bool begins_as_metis(const clues *c)
{
  ms_metis_header h;
  return ms_metis_parse_header(c->data, &h) && h.n > 0 && h.m <= h.n * (h.n - 1) / 2;
}

/* Has each vertex a line, and each edge both of its ends, as far as the head shows? */
static bool is_metis(const clues *c)
{
  ms_metis_header h;
  metis_sum s = {.lines = 0};
  ms_field line;
  uint64_t u = 0, last = 0;
  if (!begins_as_metis(c) || !ms_metis_parse_header(c->data, &h))
    return false;
  for (size_t at = c->behind; ms_head_next_line(c->head, &at, &line);) {
    s.lines += line.length == 0 || line.text[0] != '%';
    last = ms_field_trim(line).length > 0 ? s.lines : last;
  }
  s.lines = s.lines < h.n ? s.lines : h.n;
  if (last > h.n || (c->head->whole && s.lines < h.n))
    return false;
  for (size_t at = c->behind; u < s.lines && ms_head_next_line(c->head, &at, &line);)
    if ((line.length == 0 || line.text[0] != '%') && !add_metis_line(&h, line, ++u, s.lines, &s))
      return false;
  return s.inner > 0 && s.sum == 0 && (!c->head->whole || s.arcs == 2 * h.m);
}

/* The number of edges below a line of sizes says that it is one. */
static bool is_counted(const clues *c)
{
  ms_counted counted;
  return ms_head_is_counted(c->head, &counted);
}

/* Does the degree at the front of the line agree with the number of neighbours behind it, all
 * below n? */
static bool is_lad_line(ms_field line, uint64_t n)
{
  ms_field word;
  uint64_t degree, number, found = 0;
  if (!ms_field_word(&line, &word) || !ms_field_count(word, UINT32_MAX, &degree))
    return false;
  for (; ms_field_word(&line, &word); found++)
    if (!ms_field_count(word, n - 1, &number))
      return false;
  return found == degree;
}

/* A first line of one number, which no edge list has, and further lines that all add up. */
static bool is_lad(const clues *c)
{
  size_t at = c->behind;
  ms_field line;
  uint64_t n, lines = 0;
  if (!ms_field_count(ms_field_trim(c->data), MS_MAX_NAMES, &n) || n == 0)
    return false;
  for (; ms_head_next_data(c->head, &at, &line); lines++)
    if (lines == n || !is_lad_line(line, n))
      return false;
  return lines > 0;
}

/* ---- sources, relations and targets ----------------------------------------------------- */

unsigned ms_sif_relation(ms_field relation)
{
  static const char *const types[] = {"pp", "pd", "pr", "rc", "cr", "gl", "pm", "mp"};
  for (unsigned i = 0; i < sizeof types / sizeof *types; i++)
    if (ms_field_is(relation, types[i]))
      return 1u << i;
  return 0;
}

/* SIF has no header, but tables that were saved under its name have one. */
static bool is_sif_header(ms_field line)
{
  static const char *const words[3][7] = {
      {"source", "source_node", "participant_a"},
      {"metaedge", "interaction", "interaction_type", "relation", "relationship", "edge_type"},
      {"target", "target_node", "participant_b"}};
  bool tabs = memchr(line.text, '\t', line.length);
  ms_field field;
  for (size_t i = 0; i < 3; i++)
    if (!ms_field_next(&line, tabs, &field) || ms_column_usual(&field, 1, words[i]) == MS_NO_COLUMN)
      return false;
  return !ms_field_next(&line, tabs, &field);
}

/* A lone vertex, or an edge with a known relation, which is added to *relations.  The line
 * "A pp 0.98" is one of an edge list: only a number has a number as its target. */
static bool is_sif_line(ms_field line, unsigned *relations)
{
  bool tabs = memchr(line.text, '\t', line.length);
  ms_field source, relation, target;
  double value;
  if (!ms_field_next(&line, tabs, &source) || !ms_field_next(&line, tabs, &relation))
    return true;
  unsigned known = ms_sif_relation(relation);
  if (!known || !ms_field_next(&line, tabs, &target))
    return false;
  *relations |= known;
  return !ms_field_real(target, &value) || ms_field_real(source, &value);
}

/* All relations but pp are also names of genes: ten lines of an edge list that is sorted by its
 * second column may all have one of them there, but hardly two. */
static bool is_sif(const clues *c)
{
  enum { LINES = 10 };
  unsigned relations = 0;
  size_t at = c->behind;
  ms_field line = c->data;
  if (is_sif_header(line))
    return true;
  for (uint32_t i = 0; i < LINES; i++) {
    if (!is_sif_line(line, &relations))
      return false;
    if (!ms_head_next_data(c->head, &at, &line))
      break;
  }
  return (relations & 1) || (relations & (relations - 1));
}

bool ms_is_hetionet_header(ms_field line)
{
  ms_field fields[4];
  return ms_line_columns(line, 4, fields) == 3 && ms_field_alike(fields[0], "source") &&
         ms_field_alike(fields[1], "metaedge") && ms_field_alike(fields[2], "target");
}

/* Does a header between tabs have a column with one of these titles? */
static bool has_title(const clues *c, const char *const *titles)
{
  ms_field fields[MS_MAX_COLUMNS];
  uint32_t count = ms_line_columns(c->data, MS_MAX_COLUMNS, fields);
  return ms_column_usual(fields, count, titles) != MS_NO_COLUMN;
}

/* Does the column of types hold "Directed" and "Undirected", as Gephi exports it? */
static bool types_are_directions(const clues *c)
{
  enum { LINES = 100 };
  ms_field fields[MS_MAX_COLUMNS], line;
  size_t at = c->behind;
  uint32_t count = ms_line_columns(c->data, MS_MAX_COLUMNS, fields), lines = 0;
  uint32_t type = ms_column_usual(fields, count, ms_table_names[MS_TABLE_TYPE]);
  for (; type != MS_NO_COLUMN && lines < LINES && ms_head_next_data(c->head, &at, &line); lines++)
    if (ms_line_columns(line, MS_MAX_COLUMNS, fields) <= type ||
        ms_word_direction(fields[type], false) == MS_DIRECTION_UNKNOWN)
      return false;
  return lines > 0;
}

/* Does it have the columns of sources, types and targets?  A header of three may be one of SIF. */
static bool is_table(const clues *c)
{
  if (is_sif_header(c->data) || types_are_directions(c))
    return false;
  for (int column = MS_TABLE_SOURCE; column <= MS_TABLE_TARGET; column++)
    if (!has_title(c, ms_table_names[column]))
      return false;
  return true;
}

bool ms_head_is_table(const ms_head *head, const char *type_column)
{
  clues c = collect_clues(head);
  const char *const chosen[] = {type_column, NULL};
  return has_relations(&c) || has_title(&c, type_column ? chosen : ms_table_names[MS_TABLE_TYPE]);
}

bool ms_head_has_ends(const ms_head *head, bool source, bool target)
{
  clues c = collect_clues(head);
  return (!source || has_title(&c, ms_table_names[MS_TABLE_SOURCE])) &&
         (!target || has_title(&c, ms_table_names[MS_TABLE_TARGET]));
}

/* ---- the table ------------------------------------------------------------------------- */

/* The reader of a file with the ending says what is wrong in it. */
static bool is_any(const clues *c)
{
  (void)c;
  return true;
}

/* Tables that were saved under SIF's ending have titles of a table. */
static bool has_no_titles(const clues *c)
{
  return !is_table(c);
}

/* One row for each format, and one for what only its reader can tell; rows with signs come first.
 * `signs` judges marks that no other format has.  `lines` judges lines that fit, which may fit
 * another format as well, and `ending` whether a file with the ending may be one. */
static const struct row {
  ms_graph_format format;
  const char *name;       /* NULL: a sign decides */
  const char *endings[4]; /* that count, or that the judges take into account */
  bool (*signs)(const clues *c);
  bool (*lines)(const clues *c);
  const char *clue; /* of `lines` */
  bool (*ending)(const clues *c);
} rows[] = {
    {MS_FORMAT_TABLE, "table", {NULL}, has_relations, is_table, "the titles of its columns", NULL},
    {MS_FORMAT_BINARY, NULL, {NULL}, is_binary, NULL, NULL, NULL},
    {MS_FORMAT_TYPED_BINARY, NULL, {NULL}, is_typed_binary, NULL, NULL, NULL},
    {MS_FORMAT_MATRIX_MARKET, NULL, {NULL}, is_matrix_market, NULL, NULL, NULL},
    {MS_FORMAT_GRAPHML, NULL, {".graphml"}, is_graphml, NULL, NULL, NULL},
    {MS_FORMAT_CX2, NULL, {NULL}, is_cx2, NULL, NULL, NULL},
    {MS_FORMAT_STRING, NULL, {NULL}, is_string, NULL, NULL, NULL},
    {MS_FORMAT_BIOGRID, "biogrid", {".tab3.txt", ".tab2.txt"}, is_biogrid, NULL, NULL, is_any},
    {MS_FORMAT_MITAB, "mitab", {".mitab", ".mitab.txt"}, is_mitab, NULL, NULL, is_any},
    {MS_FORMAT_MOTIF, NULL, {NULL}, is_motif, NULL, NULL, NULL},
    {MS_FORMAT_DIMACS, NULL, {".dimacs", ".col", ".clq"}, is_dimacs, NULL, NULL, NULL},
    {MS_FORMAT_TVE, "tve", {".tve"}, is_tve, is_headless_tve, "its lines v and e", NULL},
    {MS_FORMAT_RI,
     "ri",
     {".gfd", ".gfu", ".ged", ".geu"},
     NULL,
     is_ri,
     "a name, a label for each vertex, and edges",
     begins_as_ri},
    {MS_FORMAT_METIS,
     "metis",
     {".graph", ".metis"},
     NULL,
     is_metis,
     "a first line of two numbers, and lines of neighbours",
     begins_as_metis},
    {MS_FORMAT_LAD, "lad", {".lad"}, NULL, is_lad, "lines of degrees and neighbours", is_any},
    {MS_FORMAT_SIF, "sif", {".sif"}, NULL, is_sif, "relations in the second column", has_no_titles},
    {MS_FORMAT_EDGE_LIST,
     "edge-list",
     {NULL},
     NULL,
     is_counted,
     "a first line of the numbers of vertices and edges, and as many edges",
     NULL},
};
enum { ROWS = sizeof rows / sizeof *rows };

/* How well a file fits a row. */
typedef enum fit {
  FIT_NONE,
  FIT_ENDING,
  FIT_LINES,
  FIT_BOTH, /* decides, as signs do: a format's own writer makes such files */
  FIT_SIGNS
} fit;

static fit judge(const struct row *row, clues *c)
{
  c->named = false;
  for (size_t i = 0; i < sizeof row->endings / sizeof *row->endings && row->endings[i]; i++)
    c->named |= ms_head_has_suffix(c->head, row->endings[i]);
  if (row->signs && row->signs(c))
    return FIT_SIGNS;
  if (row->lines && row->lines(c))
    return c->named ? FIT_BOTH : FIT_LINES;
  return c->named && row->ending && row->ending(c) ? FIT_ENDING : FIT_NONE;
}

/* Fails because the file fits two rows, and names both. */
static ms_status ask_for_format(const char *label, const struct row *const fitting[2],
                                const fit fits[2], ms_error *err)
{
  const char *name[2], *clue[2];
  for (int i = 0; i < 2; i++) {
    name[i] = fitting[i]->name;
    clue[i] = fits[i] == FIT_ENDING ? "its ending" : fitting[i]->clue;
  }
  return ms_fail(err, MS_ERR_INPUT,
                 "%s: may be in the format %s (%s) or %s (%s); say which by `format` %s or %s",
                 label, name[0], clue[0], name[1], clue[1], name[0], name[1]);
}

/* A sign decides alone, and so do lines together with an ending.  Otherwise the file must fit one
 * row by its lines or its ending: a file that fits none is an edge list. */
static ms_status find_row(const char *label, clues *c, const struct row **out, ms_error *err)
{
  const struct row *fitting[2] = {NULL, NULL};
  fit fits[2] = {FIT_NONE, FIT_NONE};
  *out = NULL;
  for (int i = 0; i < ROWS; i++) {
    fit f = judge(&rows[i], c);
    if (f >= FIT_BOTH) {
      *out = &rows[i];
      return MS_OK;
    }
    int place = fitting[0] != NULL;
    if (f == FIT_NONE || fitting[place])
      continue;
    fitting[place] = &rows[i];
    fits[place] = f;
  }
  *out = fitting[0];
  return fitting[1] ? ask_for_format(label, fitting, fits, err) : MS_OK;
}

ms_typed_format ms_typed_format_of(ms_graph_format format)
{
  switch (format) {
  case MS_FORMAT_SIF:
    return MS_TYPED_SIF;
  case MS_FORMAT_TABLE:
    return MS_TYPED_TABLE;
  case MS_FORMAT_TVE:
    return MS_TYPED_TVE;
  case MS_FORMAT_RI:
    return MS_TYPED_RI;
  case MS_FORMAT_EDGE_LIST:
    return MS_TYPED_EDGE_LIST;
  case MS_FORMAT_GRAPHML:
    return MS_TYPED_GRAPHML;
  case MS_FORMAT_CX2:
    return MS_TYPED_CX2;
  case MS_FORMAT_TYPED_BINARY:
    return MS_TYPED_BINARY;
  default:
    return MS_TYPED_AUTO;
  }
}

/* Can the file be read as an edge list if columns are chosen? */
static bool has_plain_columns(ms_graph_format format)
{
  return format == MS_FORMAT_STRING || format == MS_FORMAT_SIF || format == MS_FORMAT_BIOGRID ||
         format == MS_FORMAT_MITAB || format == MS_FORMAT_LAD || format == MS_FORMAT_METIS;
}

ms_status ms_format_detect(const char *label, const ms_head *head, bool columns,
                           ms_graph_format *plain, ms_typed_format *typed, ms_error *err)
{
  clues c = collect_clues(head);
  const struct row *row = NULL;
  *plain = MS_FORMAT_EDGE_LIST;
  *typed = MS_TYPED_AUTO;
  MS_TRY(ms_check_foreign(label, head, false, err));
  ms_status status = find_row(label, &c, &row, err);
  if (!columns && (!row || row->format == MS_FORMAT_EDGE_LIST))
    MS_TRY(ms_check_foreign(label, head, true, err));
  if (status != MS_OK && !columns)
    return status;
  if (row && !(columns && has_plain_columns(row->format)))
    *plain = row->format;
  if (*plain == MS_FORMAT_SIF && ms_is_hetionet_header(c.data))
    *typed = MS_TYPED_HETIONET;
  else if (*plain != MS_FORMAT_EDGE_LIST) /* the columns of an edge list decide */
    *typed = ms_typed_format_of(*plain);
  return MS_OK;
}
