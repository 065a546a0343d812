/* Which format is a graph file in?  See detect.h; the order of the rules is at the end. */
#include "graph/formats/detect.h"

#include "base/status.h"
#include "base/utf8.h"
#include "graph/formats/binary.h"
#include "graph/formats/typed_binary.h"

#include <string.h>

/* What the rules see.  Lines that the head lacks are empty. */
typedef struct clues {
  const ms_head *head;
  ms_field first; /* line */
  ms_field data;  /* the first line that is neither blank nor a comment */
  size_t behind;  /* the place behind `data` in the head */
} clues;

static clues collect_clues(const ms_head *head)
{
  clues c = {.head = head, .first = {"", 0}, .data = {"", 0}};
  size_t at = 0;
  if (!ms_head_next_line(head, &at, &c.first))
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

static bool is_matrix_market(const clues *c)
{
  size_t length = sizeof MS_MATRIX_MARKET_BANNER - 1;
  return c->first.length > length && ms_alike(c->first.text, MS_MATRIX_MARKET_BANNER, length) &&
         ms_is_blank(c->first.text[length]);
}

static bool is_graphml(const clues *c)
{
  ms_field content = ms_head_content(c->head);
  bool named = ms_head_has_suffix(c->head, ".graphml");
  if (ms_field_begins(content, "\xFF\xFE") || ms_field_begins(content, "\xFE\xFF"))
    return named; /* UTF-16 */
  return ms_field_begins(content, "<") &&
         (named || ms_field_holds(content, "<graphml") || ms_field_holds(content, ":graphml"));
}

bool ms_is_cx(const ms_head *head, bool *second)
{
  ms_field content = ms_head_content(head);
  bool first = ms_field_holds(content, "\"numberVerification\"");
  *second =
      ms_field_holds(content, "\"CXVersion\"") || (ms_head_has_suffix(head, ".cx2") && !first);
  return ms_field_begins(content, "[") && (first || *second);
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
  return ms_is_biogrid_header(c->first) || ms_head_has_suffix(c->head, ".tab3.txt") ||
         ms_head_has_suffix(c->head, ".tab2.txt") || ms_is_biogrid_header(c->data) ||
         is_biogrid_row(c->data);
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
  return ms_field_missing(field) || memchr(field.text, ':', field.length);
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
  return ms_is_mitab_header(c->first) || ms_head_has_suffix(c->head, ".mitab") ||
         ms_head_has_suffix(c->head, ".mitab.txt") || ms_is_mitab_header(c->data) ||
         is_mitab_row(c->data);
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
  ms_field line;
  for (size_t at = 0; ms_head_next_line(c->head, &at, &line);) {
    line = ms_field_trim(line);
    if (line.length == 0 || line.text[0] == '#')
      continue;
    if (!begins_with_word(line, "p"))
      return false;
    return begins_with_word(ms_field_trim((ms_field){line.text + 1, line.length - 1}), "motif");
  }
  return false;
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
  const ms_head *head = c->head;
  ms_field line;
  bool named = ms_head_has_suffix(head, ".dimacs") || ms_head_has_suffix(head, ".col") ||
               ms_head_has_suffix(head, ".clq");
  for (size_t at = 0; ms_head_next_raw_line(head, &at, &line);) {
    line = ms_field_trim(line);
    if (line.length > 0 && line.text[0] != '\r' && !begins_with_word(line, "c"))
      return states_dimacs_edges(line) || (named && begins_with_word(line, "p"));
  }
  return named && head->length > 0 && head->bytes[0] == 'c';
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
         (ms_head_has_suffix(c->head, ".tve") ||
          (ms_head_next_data(c->head, &at, &second) && is_tve_line(second, 'v', '0')));
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

static bool next_filled_line(const ms_head *head, size_t *at, ms_field *line)
{
  while (ms_head_next_line(head, at, line))
    if (ms_field_trim(*line).length > 0)
      return true;
  return false;
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

/* "#NAME", a number of vertices, as many labels, a number of edges, and edges: the suffix, or all
 * lines that the head shows.  The lines of LAD, which may begin in the same way, hold one word only
 * for a vertex without neighbours. */
static bool is_ri(const clues *c)
{
  static const char *const suffixes[] = {".gfd", ".gfu", ".ged", ".geu"};
  size_t at = 0;
  ms_field line;
  uint64_t n = 0, lines = 0;
  if (c->first.length == 0 || c->first.text[0] != '#')
    return false;
  for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
    if (ms_head_has_suffix(c->head, suffixes[i]))
      return true;
  if (!next_filled_line(c->head, &at, &line) || !next_filled_line(c->head, &at, &line) ||
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

/* Two numbers may also begin an edge list, so the rule needs the suffix, and numbers that a simple
 * graph can have. */
static bool is_metis(const clues *c)
{
  ms_metis_header h;
  return (ms_head_has_suffix(c->head, ".graph") || ms_head_has_suffix(c->head, ".metis")) &&
         ms_metis_parse_header(c->data, &h) && h.n > 0 && h.m <= h.n * (h.n - 1) / 2;
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

/* The suffix, or a first line of one number, which no edge list has, and further lines that all add
 * up. */
static bool is_lad(const clues *c)
{
  size_t at = c->behind;
  ms_field line;
  uint64_t n, lines = 0;
  if (ms_head_has_suffix(c->head, ".lad"))
    return true;
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
bool ms_is_sif_header(ms_field line, bool tabs)
{
  static const char *const words[3][7] = {
      {"source", "source_node", "participant_a"},
      {"metaedge", "interaction", "interaction_type", "relation", "relationship", "edge_type"},
      {"target", "target_node", "participant_b"}};
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
  if (ms_head_has_suffix(c->head, ".sif"))
    return true;
  if (ms_is_sif_header(line, memchr(line.text, '\t', line.length)))
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

/* Does it have the columns of sources, types and targets? */
static bool is_table(const clues *c)
{
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

/* ---- the order ------------------------------------------------------------------------- */

/* From the surest sign to the weakest: the first rule that matches decides.  A header "source
 * interaction target" is one of SIF and one of a table.  For BioGRID, MITAB, LAD and SIF the suffix
 * is enough, whatever the content, unless a rule above matches. */
static const struct rule {
  ms_graph_format format;
  bool (*matches)(const clues *c);
} rules[] = {
    {MS_FORMAT_TABLE, has_relations},
    {MS_FORMAT_BINARY, is_binary},
    {MS_FORMAT_TYPED_BINARY, is_typed_binary},
    {MS_FORMAT_MATRIX_MARKET, is_matrix_market},
    {MS_FORMAT_GRAPHML, is_graphml},
    {MS_FORMAT_CX2, is_cx2},
    {MS_FORMAT_STRING, is_string},
    {MS_FORMAT_BIOGRID, is_biogrid},
    {MS_FORMAT_MITAB, is_mitab},
    {MS_FORMAT_MOTIF, is_motif},
    {MS_FORMAT_DIMACS, is_dimacs},
    {MS_FORMAT_TVE, is_tve},
    {MS_FORMAT_RI, is_ri},
    {MS_FORMAT_METIS, is_metis},
    {MS_FORMAT_LAD, is_lad},
    {MS_FORMAT_SIF, is_sif},
    {MS_FORMAT_TABLE, is_table},
};

static ms_graph_format apply_rules(const clues *c)
{
  for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
    if (rules[i].matches(c))
      return rules[i].format;
  return MS_FORMAT_EDGE_LIST;
}

ms_graph_format ms_format_detect(const ms_head *head)
{
  clues c = collect_clues(head);
  return apply_rules(&c);
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

/* SIF comes before the plain formats with surer signs: its relations count here. */
ms_typed_format ms_typed_format_detect(const ms_head *head)
{
  clues c = collect_clues(head);
  if (is_typed_binary(&c))
    return MS_TYPED_BINARY;
  if (has_relations(&c))
    return MS_TYPED_TABLE;
  if (ms_is_hetionet_header(c.data))
    return MS_TYPED_HETIONET;
  if (is_sif(&c))
    return MS_TYPED_SIF;
  ms_typed_format format = ms_typed_format_of(apply_rules(&c));
  return format == MS_TYPED_EDGE_LIST ? MS_TYPED_AUTO : format; /* its columns decide */
}
