/* Files that look like lists of edges to a careless reader, or might be given as a graph by
 * mistake: each is refused by its name, with a remedy.  --format overrides this. */
#include "base/status.h"
#include "base/text/utf8.h"
#include "graph/formats/detect.h"
#include "graph/names.h"

#include <string.h>

/* Does the line begin with the word, ignoring case? */
static bool begins(ms_field line, const char *word)
{
  size_t length = strlen(word);
  line = ms_field_trim(line);
  return line.length >= length && ms_alike(line.text, word, length);
}

/* Does it begin with the word and an end of that word? */
static bool begins_word(ms_field line, const char *word)
{
  size_t length = strlen(word);
  line = ms_field_trim(line);
  return begins(line, word) &&
         (line.length == length || strchr(" \t[{\"", line.text[length]) != NULL);
}

/* ---- rules ----------------------------------------------------------------- */

/* Matrix Market's ending and line of sizes, without its banner: rows, columns, entries, and the
 * first entry below, which has another number of words unless it has a value.  Some programs write
 * lists of edges under this ending. */
static bool is_bare_matrix(const ms_head *head)
{
  ms_field line, word;
  uint64_t sizes[3] = {0};
  size_t at = 0, words[2] = {0, 0};
  if (!ms_head_has_suffix(head, ".mtx") || begins(ms_head_content(head), MS_MATRIX_MARKET_BANNER))
    return false;
  for (int i = 0; i < 2 && ms_head_next_data(head, &at, &line); i++)
    for (; ms_field_word(&line, &word); words[i]++)
      if (i == 0 && (words[0] == 3 || !ms_field_count(word, UINT64_MAX, &sizes[words[0]])))
        return false;
  return words[0] == 3 && words[1] >= 2 && (words[1] == 2 || sizes[0] == sizes[1]);
}

static bool is_result(const ms_head *head)
{
  static const char *const signs[] = {"# motifsieve ", "// motifsieve ", "MSMATCH1",
                                      "{\"type\":\"header\",\"tool\":\"motifsieve\""};
  ms_field content = ms_head_content(head);
  for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
    if (ms_field_begins(content, signs[i]))
      return true;
  return false;
}

/* A line "graph [", or "graph" above "[", below lines of the file's creator and version. */
static bool is_gml(const ms_head *head)
{
  static const char *const above[] = {"Creator", "Version", "comment", "directed", "#"};
  ms_field line;
  for (size_t at = 0; ms_head_next_line(head, &at, &line);) {
    bool skipped = ms_field_trim(line).length == 0;
    for (size_t i = 0; i < sizeof above / sizeof *above; i++)
      skipped = skipped || begins(line, above[i]);
    if (skipped)
      continue;
    if (!begins_word(line, "graph"))
      return false;
    line = ms_field_trim(line);
    line = ms_field_trim((ms_field){line.text + 5, line.length - 5});
    if (line.length == 0 && !ms_head_next_line(head, &at, &line))
      return false;
    return begins(line, "[");
  }
  return false;
}

static bool is_gexf(const ms_head *head)
{
  ms_field content = ms_head_data(head);
  return content.length > 0 && content.text[0] == '<' && ms_field_holds(content, "<gexf");
}

static bool is_markup(const ms_head *head)
{
  ms_field content = ms_head_data(head), line = {"", 0};
  size_t at = 0;
  ms_head_next_data(head, &at, &line);
  line = ms_field_trim(line);
  bool is_tag = line.length > 0 && line.text[line.length - 1] == '>' &&
                !memchr(line.text, '\t', line.length); /* else such bytes may be names */
  return content.length > 1 && content.text[0] == '<' &&
         (content.text[1] == '?' || content.text[1] == '!' || begins(content, "<html") ||
          (is_tag && (ms_field_holds(content, "/>") || ms_field_holds(content, "</")))) &&
         !ms_field_holds(content, "<graphml") && !ms_field_holds(content, ":graphml") &&
         !ms_head_has_suffix(head, ".graphml");
}

bool ms_is_cx(const ms_head *head, bool *second)
{
  ms_field content = ms_head_data(head);
  bool first = ms_field_holds(content, "\"numberVerification\"");
  *second =
      ms_field_holds(content, "\"CXVersion\"") || (ms_head_has_suffix(head, ".cx2") && !first);
  return ms_field_begins(content, "[") && (first || *second);
}

static bool is_cx(const ms_head *head)
{
  bool second;
  return ms_is_cx(head, &second) && !second;
}

static bool is_json(const ms_head *head)
{
  ms_field content = ms_head_data(head), rest;
  bool cx2;
  if (ms_is_cx(head, &cx2))
    return false;
  if (content.length < 2 || (content.text[0] != '{' && content.text[0] != '['))
    return false;
  rest = ms_field_trim((ms_field){content.text + 1, content.length - 1});
  while (rest.length > 0 && (rest.text[0] == '\n' || rest.text[0] == '\r'))
    rest = ms_field_trim((ms_field){rest.text + 1, rest.length - 1});
  return rest.length > 0 && strchr("\"{[", rest.text[0]) && ms_field_holds(content, "\":");
}

static bool is_dot(const ms_head *head)
{
  ms_field content = ms_head_content(head), line;
  size_t at = 0;
  do { /* comments of C come first */
    if (!ms_head_next_data(head, &at, &line))
      return false;
  } while (begins(line, "//") || begins(line, "/*"));
  if (begins_word(line, "strict"))
    line = (ms_field){line.text + 6, line.length - 6};
  return (begins_word(line, "graph") || begins_word(line, "digraph")) &&
         ms_field_holds(content, "{");
}

/* Sections of Pajek and of UCINET's VNA begin with a star. */
static bool is_starred(const ms_head *head, const char *const *sections)
{
  ms_field line;
  for (size_t at = 0; ms_head_next_data(head, &at, &line);)
    if (!begins_word(line, "*network")) {
      for (; *sections; sections++)
        if (begins(line, *sections))
          return true;
      return false;
    }
  return false;
}

static bool is_pajek(const ms_head *head)
{
  return is_starred(head, (const char *const[]){"*vertices", "*arcs", "*edges", NULL});
}

static bool is_vna(const ms_head *head)
{
  return is_starred(head,
                    (const char *const[]){"*node data", "*node properties", "*tie data", NULL});
}

/* Does the first line of data begin with the text? */
static bool opens_with(const ms_head *head, const char *text)
{
  ms_field line;
  size_t at = 0;
  return ms_head_next_data(head, &at, &line) && begins(line, text);
}

static bool is_dl(const ms_head *head)
{
  ms_field line, word;
  size_t at = 0;
  return opens_with(head, "dl") && ms_head_next_data(head, &at, &line) &&
         ms_field_word(&line, &word) && ms_field_alike(word, "dl") &&
         (ms_field_trim(line).length == 0 || memchr(line.text, '=', line.length));
}

static bool is_gdf(const ms_head *head)
{
  return opens_with(head, "nodedef>") || opens_with(head, "edgedef>");
}

static bool is_leda(const ms_head *head)
{
  return opens_with(head, "LEDA.GRAPH");
}

static bool is_gfa(const ms_head *head)
{
  return opens_with(head, "H\tVN:Z:");
}

static bool is_tulip(const ms_head *head)
{
  return opens_with(head, "(tlp ");
}

static bool is_single_percent(const ms_head *head)
{
  return begins(ms_head_content(head), "%MatrixMarket");
}

/* A molecule of MDL: the fourth line counts atoms and bonds. */
static bool is_mol(const ms_head *head)
{
  ms_field line;
  size_t at = 0;
  for (int i = 0; i < 4; i++)
    if (!ms_head_next_line(head, &at, &line))
      return false;
  return ms_field_holds(line, "V2000") || ms_field_holds(line, "V3000");
}

/* Is the word a molecule: atoms, bonds, branches and rings, with a bond or a branch? */
static bool is_smiles_word(ms_field word)
{
  uint32_t atoms = 0, marks = 0, open = 0;
  bool bracket = false;
  for (size_t i = 0; i < word.length; i++) {
    char c = word.text[i];
    bracket = c == '[' || (bracket && c != ']');
    open += c == '(';
    open -= c == ')' && open > 0;
    atoms += strchr("BCNOPSFIbcnops", c) != NULL;
    marks += strchr("=#()[]", c) != NULL;
    if (!bracket && !strchr("BCNOPSFIbcnopslr=#()[]-+\\/@.%0123456789", c))
      return false;
  }
  return atoms > 1 && marks > 0 && open == 0 && !bracket;
}

static bool is_smiles(const ms_head *head)
{
  ms_field line, word;
  uint32_t lines = 0;
  for (size_t at = 0; ms_head_next_data(head, &at, &line); lines++)
    if (!ms_field_word(&line, &word) || !is_smiles_word(word))
      return false;
  return lines > 0;
}

/* One word a line: the number of vertices as a printable byte, and the bits of the upper triangle,
 * six a byte. */
static bool is_graph6(const ms_head *head)
{
  ms_field line, word;
  uint32_t lines = 0;
  if (begins(ms_head_content(head), ">>graph6<<") || begins(ms_head_content(head), ">>sparse6<<") ||
      begins(ms_head_content(head), ">>digraph6<<"))
    return true;
  for (size_t at = 0; ms_head_next_data(head, &at, &line); lines++) {
    bool one = ms_field_word(&line, &word) && ms_field_trim(line).length == 0;
    bool marked = one && (word.text[0] == ':' || word.text[0] == '&');
    uint64_t n = one && !marked ? (uint64_t)(unsigned char)word.text[0] - 63 : 0;
    if (!one || (!marked && (n < 2 || n > 62 || word.length != 1 + (n * (n - 1) / 2 + 5) / 6)))
      return false;
    for (size_t i = 0; i < word.length; i++)
      if ((word.text[i] < 63 || word.text[i] > 126) && !(marked && i == 0))
        return false;
  }
  return lines > 0;
}

/* Chromosome, begin and end of both ends. */
static bool is_bedpe(const ms_head *head)
{
  ms_field line, f[6];
  uint32_t lines = 0;
  uint64_t place[4];
  double value;
  for (size_t at = 0; lines < 10 && ms_head_next_data(head, &at, &line); lines++)
    if (ms_line_columns(line, 6, f) < 6 || ms_field_real(f[0], &value) ||
        ms_field_real(f[3], &value) || !ms_field_count(f[1], UINT64_MAX, &place[0]) ||
        !ms_field_count(f[2], UINT64_MAX, &place[1]) ||
        !ms_field_count(f[4], UINT64_MAX, &place[2]))
      return false;
    else {
      size_t end = 0;
      while (end < f[5].length && f[5].text[end] != '\t')
        end++;
      if (!ms_field_count(ms_field_trim((ms_field){f[5].text, end}), UINT64_MAX, &place[3]) ||
          place[0] > place[1] || place[2] > place[3])
        return false;
    }
  return lines > 0;
}

/* "# NAME" above the neighbours of that vertex, each with a weight or alone.  One comment above a
 * list of edges looks alike: some name must be a neighbour, too, or all weights have a decimal
 * point. */
static bool is_lgl(const ms_head *head)
{
  ms_field line, word, weight, rest;
  uint32_t names = 0, lines = 0, points = 0, shared = 0, id;
  double value;
  ms_names *above = NULL;
  bool fits = ms_names_new(&above, NULL) == MS_OK;
  for (size_t at = 0; fits && ms_head_next_line(head, &at, &line);) {
    if (ms_field_trim(line).length == 0)
      continue;
    bool name = line.text[0] == '#';
    if (name)
      line = (ms_field){line.text + 1, line.length - 1};
    fits = ms_field_word(&line, &word) && !ms_name_problem(word.text, word.length);
    if (!fits)
      break;
    bool weighted = ms_field_word(&line, &weight);
    fits = !ms_field_word(&line, &rest) && (name ? !weighted : names > 0) &&
           (!weighted || ms_field_real(weight, &value)) &&
           (!name || ms_names_add(above, word.text, word.length, &id, NULL) == MS_OK);
    points += weighted && memchr(weight.text, '.', weight.length);
    names += name;
    lines += !name;
  }
  for (size_t at = 0; fits && ms_head_next_data(head, &at, &line);)
    shared +=
        ms_field_word(&line, &word) && ms_names_find(above, word.text, word.length) != MS_NO_ID;
  ms_names_free(above);
  return fits && lines > 0 && ((names > 1 && shared > 0) || (names > 0 && points == lines));
}

/* A line of '#' alone between the lines of nodes and those of edges. */
static bool is_tgf(const ms_head *head)
{
  ms_field line;
  uint32_t above = 0, below = 0, marks = 0;
  for (size_t at = 0; ms_head_next_line(head, &at, &line);) {
    bool data = ms_line_holds_data(line.text, line.length);
    line = ms_field_trim(line);
    marks += ms_field_is(line, "#");
    *(marks ? &below : &above) += data;
  }
  return marks == 1 && above > 0 && below > 0;
}

/* ---- lists of neighbours ----------------------------------------------------- */

/* networkx's multi-line lists: "NAME NUMBER" above as many lines "NAME {..}". */
static bool is_multiline_adjacency(const ms_head *head)
{
  ms_field line, name, rest;
  uint64_t left = 0, lists = 0, lines = 0;
  for (size_t at = 0; ms_head_next_data(head, &at, &line); lines++) {
    if (!ms_field_word(&line, &name))
      return false;
    rest = ms_field_trim(line);
    if (left > 0 && (rest.length == 0 || rest.text[0] == '{'))
      left--;
    else if (left > 0 || !ms_field_count(rest, UINT32_MAX, &left))
      return false;
    else
      lists++;
  }
  return lists > 1 && lines > lists && (left == 0 || !head->whole);
}

/* hMETIS: numbers of hyperedges and vertices, then a line of vertices for each hyperedge, one of
 * which has three or more: else it may be a list of edges. */
static bool is_hypergraph(const ms_head *head)
{
  ms_field line, word;
  size_t at = 0;
  uint64_t edges, vertices, flags = 0, v, lines = 0, longest = 0;
  if (!ms_head_next_data(head, &at, &line) || !ms_field_word(&line, &word) ||
      !ms_field_count(word, UINT32_MAX, &edges) || !ms_field_word(&line, &word) ||
      !ms_field_count(word, UINT32_MAX, &vertices))
    return false;
  bool flagged = ms_field_word(&line, &word);
  if ((flagged && (!ms_field_count(word, 11, &flags) || flags == 0 || (flags > 1 && flags < 10))) ||
      ms_field_word(&line, &word))
    return false;
  uint64_t all = edges + (flags >= 10 ? vertices : 0);
  for (; ms_head_next_data(head, &at, &line); lines++) {
    uint64_t count = 0;
    while (ms_field_word(&line, &word)) {
      bool weight = count++ == 0 && (flags % 10 == 1 || lines >= edges);
      if (!ms_field_count(word, weight ? UINT32_MAX : vertices, &v) || (!weight && v == 0))
        return false;
    }
    longest = count > longest ? count : longest;
  }
  return longest >= 3 + flags % 10 && edges > 1 && (head->whole ? lines == all : lines < all);
}

/* The solver's VF3 text: a number of vertices, and a line "ID LABEL" for each, from 0. */
static bool is_grf(const ms_head *head)
{
  ms_field line, word;
  size_t at = 0;
  uint64_t n, id, lines = 0;
  if (!ms_head_next_data(head, &at, &line) ||
      !ms_field_count(ms_field_trim(line), UINT32_MAX, &n) || n == 0)
    return false;
  for (; lines < n && ms_head_next_data(head, &at, &line); lines++)
    if (!ms_field_word(&line, &word) || !ms_field_count(word, n, &id) || id != lines ||
        !ms_field_word(&line, &word) || ms_field_word(&line, &word))
      return false;
  return lines == n ? ms_head_next_data(head, &at, &line) &&
                          ms_field_count(ms_field_trim(line), UINT32_MAX, &id)
                    : !head->whole && lines > 0;
}

/* The CSV of the Glasgow subgraph solver: "a,b", "a>b" for an arc, and "a,,label" for a vertex. */
static bool is_glasgow(const ms_head *head)
{
  ms_field line;
  uint32_t arcs = 0, edges = 0, labels = 0;
  for (size_t at = 0; ms_head_next_data(head, &at, &line);) {
    const char *comma = memchr(line.text, ',', line.length);
    const char *arc = memchr(line.text, '>', line.length);
    uint32_t commas = ms_delimiter_count(line, MS_COMMA);
    bool label = commas == 2 && comma[1] == ',';
    if (memchr(line.text, '\t', line.length) || memchr(line.text, ' ', line.length) || commas > 2 ||
        (!comma && (!arc || arc == line.text || arc + 1 == line.text + line.length)))
      return false;
    arcs += !comma;
    edges += commas == 1;
    labels += label;
  }
  return arcs > 0 || (edges > 0 && labels > 0);
}

/* KONECT's first line is "% FORMAT WEIGHTS"; the numbers of a bipartite network ("bip") are those
 * of two different sets. */
static bool is_bipartite(const ms_head *head)
{
  ms_field line, word;
  size_t at = 0;
  return ms_head_next_line(head, &at, &line) && ms_field_word(&line, &word) &&
         ms_field_is(word, "%") && ms_field_word(&line, &word) && ms_field_is(word, "bip");
}

/* A line "p PROBLEM NUMBER NUMBER" of the other challenges, below comments "c". */
static bool is_problem(const ms_head *head)
{
  static const char *const names[] = {"sp",  "max", "min", "asn", "cnf", "wcnf", "tw", "td",
                                      "tdp", "tww", "cep", "ocr", "ds",  "hs",   "vc", "ghd"};
  ms_field line, word;
  uint64_t number;
  for (size_t at = 0; ms_head_next_data(head, &at, &line);) {
    if (!ms_field_word(&line, &word) || ms_field_is(word, "c"))
      continue;
    if (!ms_field_is(word, "p") || !ms_field_word(&line, &word))
      return false;
    bool known = false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
      known = known || ms_field_is(word, names[i]);
    for (int i = 0; i < 2 && known; i++)
      known = ms_field_word(&line, &word) && ms_field_count(word, UINT64_MAX, &number);
    return known;
  }
  return false;
}

/* Lines 'e U V' (or "edge U V") or 'a U V W' without a line 'p edge' above them, or in capital
 * letters, perhaps below comments 'c' and among lines 'n' of vertices. */
static bool is_bare_dimacs(const ms_head *head)
{
  static const char *const words[] = {"e", "edge", "arc", NULL};
  static const char *const above[] = {"c", "p", NULL};
  ms_field line, word[4];
  uint64_t number;
  uint32_t edges = 0;
  for (size_t at = 0; ms_head_next_data(head, &at, &line);) {
    uint32_t count = 0, numbers = 0;
    while (count < 4 && ms_field_word(&line, &word[count]))
      count++;
    while (numbers + 1 < count && ms_field_count(word[numbers + 1], UINT64_MAX, &number))
      numbers++;
    bool edge = (ms_column_usual(word, 1, words) != MS_NO_COLUMN && numbers >= 2) ||
                (ms_field_alike(word[0], "a") && numbers == 3);
    if (!edge && !(ms_field_alike(word[0], "n") && numbers > 0) &&
        !(edges == 0 && ms_column_usual(word, 1, above) != MS_NO_COLUMN))
      return false;
    edges += edge;
  }
  return edges > 0;
}

/* Lines v of vertices, and lines e, u or d of edges: SUBDUE has u and d, and several graphs below
 * XP, XN or S. */
static bool is_vertex_lines(const ms_head *head)
{
  static const char *const marks[] = {"XP", "XN", "S", "t", "%", NULL};
  ms_field line, word, rest;
  uint64_t number;
  uint32_t vertices = 0, edges = 0;
  for (size_t at = 0; ms_head_next_data(head, &at, &line);) {
    ms_field_word(&line, &word);
    if (ms_column_usual(&word, 1, marks) != MS_NO_COLUMN)
      continue;
    bool vertex = ms_field_is(word, "v"), edge = word.length == 1 && strchr("eud", *word.text);
    for (int i = 0; i < 1 + edge; i++)
      if ((!vertex && !edge) || !ms_field_word(&line, &rest) ||
          !ms_field_count(rest, UINT32_MAX, &number))
        return false;
    vertices += vertex;
    edges += edge;
  }
  return vertices > 0 && edges > 0;
}

/* A first line that only other programs take for a comment: "//", "--", ";" or blanks and '#'. */
static bool is_commented(const ms_head *head)
{
  static const char *const marks[] = {"--", ";", "REM", NULL};
  ms_field line, word;
  size_t at = 0;
  return ms_head_next_data(head, &at, &line) && ms_field_word(&line, &word) &&
         (ms_field_begins(word, "//") || ms_field_begins(word, "/*") ||
          (*word.text == '#' && word.text > head->bytes && ms_is_blank(word.text[-1])) ||
          ms_column_usual(&word, 1, marks) != MS_NO_COLUMN);
}

/* Is each line in brackets, as Python and Mathematica write pairs: "(1, 2)", "{a, b}"? */
static bool is_bracketed(const ms_head *head)
{
  ms_field line;
  uint32_t lines = 0;
  for (size_t at = 0; ms_head_next_data(head, &at, &line); lines++) {
    line = ms_field_trim(line);
    while (line.length > 0 && strchr(",;", line.text[line.length - 1]))
      line.length--;
    const char *open = line.length > 2 ? strchr("([{", line.text[0]) : NULL;
    int depth = 0;
    for (size_t i = 0; open && i < line.length; i++) {
      depth += strchr("([{", line.text[i]) ? 1 : strchr(")]}", line.text[i]) ? -1 : 0;
      if (depth == 0 && i + 1 < line.length)
        return false;
    }
    if (!open || depth != 0)
      return false;
  }
  return lines > 0;
}

/* N-Triples and N-Quads: "<SUBJECT> <PREDICATE> OBJECT .", and Turtle's prefixes. */
static bool is_rdf(const ms_head *head)
{
  ms_field line, word;
  size_t at = 0;
  if (!ms_head_next_data(head, &at, &line))
    return false;
  if (begins_word(line, "@prefix") || begins_word(line, "@base") ||
      (begins_word(line, "PREFIX") && ms_field_holds(line, ": <")))
    return true;
  line = ms_field_trim(line);
  return line.length > 0 && line.text[line.length - 1] == '.' && ms_field_word(&line, &word) &&
         (word.text[0] == '<' || ms_field_begins(word, "_:")) && ms_field_word(&line, &word) &&
         word.text[0] == '<' && word.text[word.length - 1] == '>';
}

/* The Biological Expression Language: statements such as "p(HGNC:A) increases p(HGNC:B)", and lines
 * SET and DEFINE. */
static bool is_bel(const ms_head *head)
{
  static const char *const keys[] = {"SET DOCUMENT", "SET Citation", "SET Evidence",
                                     "DEFINE NAMESPACE", "DEFINE ANNOTATION"};
  static const char *const verbs[] = {") -> ",
                                      ") => ",
                                      ") -| ",
                                      ") =| ",
                                      ") -- ",
                                      ") increases ",
                                      ") directlyIncreases ",
                                      ") decreases ",
                                      ") directlyDecreases ",
                                      ") association ",
                                      ") positiveCorrelation ",
                                      ") negativeCorrelation ",
                                      ") correlation ",
                                      ") regulates "};
  ms_field line;
  size_t at = 0;
  if (!ms_head_next_data(head, &at, &line))
    return false;
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    if (begins(line, keys[i]))
      return true;
  for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
    if (ms_field_holds(line, verbs[i]) && memchr(line.text, ':', line.length))
      return true;
  return false;
}

/* ---- the order ------------------------------------------------------------- */

/* First stand the forms with a sign that no format here has.  A form with `by_lines` has none, and
 * is recognised by sums over its lines. */
static const struct foreign {
  bool (*matches)(const ms_head *head);
  const char *what, *remedy;
  bool by_lines;
} foreign[] = {
    {is_result, "a result of motifsieve, not a graph",
     "give the graph that was searched; its path is in the file", false},
    {is_single_percent, "a Matrix Market file whose first line begins with one '%'",
     "write two: '%%MatrixMarket'", false},
    {is_bare_matrix, "a Matrix Market file (.mtx) without its first line",
     "put '%%MatrixMarket matrix coordinate pattern general' (or real, or symmetric) above its line "
     "of sizes, or name its format, if this is a list of edges (`format`)",
     false},
    {is_gexf, "GEXF, which motifsieve cannot read",
     "export GraphML or a list of edges (Gephi writes both)", false},
    {is_cx, "a network in CX, version 1, which motifsieve cannot read",
     "export CX2, SIF or GraphML from Cytoscape, or a list of edges", false},
    {is_markup, "markup (XML or HTML) other than GraphML",
     "give a graph; a download may have saved a page instead of the file", false},
    {is_json, "JSON, which motifsieve cannot read", "write its edges as lines of two names", false},
    {is_gml, "GML, which motifsieve cannot read",
     "convert it to GraphML, in Python with networkx.write_graphml(networkx.read_gml(FILE), NEW)",
     false},
    {is_dot, "DOT, the language of Graphviz, which motifsieve cannot read",
     "convert it to GraphML or to a list of edges", false},
    {is_pajek, "a network in Pajek's format, which motifsieve cannot read",
     "convert it to GraphML, in Python with "
     "networkx.write_graphml(networkx.Graph(networkx.read_pajek(FILE)), NEW)",
     false},
    {is_vna, "UCINET's VNA, which motifsieve cannot read",
     "write the lines below '*tie data' into a file of their own, with the line of titles", false},
    {is_dl, "UCINET's DL, which motifsieve cannot read",
     "write its edges as lines of two names (UCINET exports Pajek, and networkx converts that)",
     false},
    {is_gdf, "GDF, which motifsieve cannot read", "export GraphML or a list of edges (Gephi does)",
     false},
    {is_leda, "LEDA's format, which motifsieve cannot read",
     "convert it to GraphML or to a list of edges, in Python with networkx.read_leda", false},
    {is_gfa, "GFA, a graph of an assembly, which motifsieve cannot read",
     "write columns 2 and 4 of its lines 'L' as lines of two names", false},
    {is_tulip, "Tulip's TLP, which motifsieve cannot read", "export GraphML or a list of edges",
     false},
    {is_graph6, "graph6, sparse6 or digraph6, which motifsieve cannot read",
     "convert it to a list of edges, in Python with networkx.read_graph6, or by nauty's showg -e",
     true},
    {is_mol, "a molecule in MDL's MOL or SDF, which motifsieve cannot read",
     "write its atoms and bonds as lines 'v ID ATOM' and 'e ID ID BOND' (t/v/e)", false},
    {is_smiles, "SMILES, which motifsieve cannot read",
     "write the atoms and bonds of a molecule as lines 'v ID ATOM' and 'e ID ID BOND' (t/v/e)",
     true},
    {is_bedpe, "BEDPE, whose lines name two ranges of a genome by six columns",
     "join each three of them to one name, as in chr1:100-200, and write two names a line", true},
    {is_lgl, "LGL, whose lines '#' name a vertex, and whose lines below list its neighbours",
     "write two names and the weight in each line (igraph's NCOL), or name the format, if the lines "
     "'#' are comments (`format` edge-list)",
     true},
    {is_tgf, "the Trivial Graph Format: nodes, a line '#', and edges",
     "remove the nodes and the line '#', or name the format, if it is a comment (`format` "
     "edge-list)",
     true},
    {is_glasgow, "the CSV of the Glasgow subgraph solver, with arcs 'a>b' or labels 'a,,label'",
     "write edges as lines of two names, labels as a table of colours, or all of it as t/v/e",
     true},
    {is_grf, "VF3's text form (.grf): a number of vertices, and a line of id and label for each",
     "write it as t/v/e: 't VERTICES EDGES', 'v ID LABEL DEGREE', 'e ID ID'", true},
    {is_multiline_adjacency, "a list of neighbours over several lines, as networkx writes it",
     "write edges by networkx.write_edgelist(graph, FILE, data=False)", true},
    {is_hypergraph, "a hypergraph, as hMETIS has it, with a line of vertices for each hyperedge",
     "give a graph, such as the pairs in each hyperedge as lines of two names; or name the format, "
     "if it is a list of edges (`format` edge-list)",
     true},
    {ms_is_adjacency,
     "a list of neighbours: each line names a vertex and others that have lines, too",
     "write a line of two names for each edge (networkx.write_edgelist); or name the format, if only "
     "the first two columns are the ends of an edge (`format` edge-list)",
     true},
    {is_bipartite, "a bipartite network of KONECT",
     "its two columns are numbered separately, and vertex 1 of one is not vertex 1 of the other; "
     "put a letter in front of the numbers of one column, remove the lines '%', and read it again",
     false},
    {is_bare_dimacs, "DIMACS without its line 'p' of edges, with lines 'e' or 'a' for edges",
     "put 'p edge VERTICES EDGES' above the lines 'e', in small letters; or choose columns 2 and 3 as the ends of "
     "edges (`source_column`, `target_column`)",
     true},
    {is_vertex_lines, "a file of lines 'v', 'e', 'u' or 'd', such as SUBDUE's, that is not t/v/e",
     "write t/v/e: lines 'v ID LABEL', each with the next number, and then 'e ID ID' or "
     "'e ID ID LABEL', of one graph",
     true},
    {is_commented, "a list below a comment that begins with another sign than '#', '%' or '!'",
     "put '#' in front of the comment, or name the format, if the line is an edge (`format` "
     "edge-list)",
     true},
    {is_bracketed, "a list whose lines stand in brackets, as Python writes pairs",
     "remove the brackets, or name the format, if they are parts of names (`format` edge-list)",
     true},
    {is_rdf, "RDF (N-Triples or Turtle), which motifsieve cannot read",
     "write each triple of two entities as subject, predicate and object between tabs, in Python "
     "with rdflib, and read that as SIF (`format` sif)",
     false},
    {is_bel, "BEL, the Biological Expression Language, which motifsieve cannot read",
     "export SIF, or a table of source, relation and target, in Python with PyBEL", false},
    {is_problem, "a DIMACS format other than 'p edge' and 'p col'",
     "write its edges as lines of two names, or below a line 'p edge VERTICES EDGES'", false},
};

ms_status ms_check_foreign(const char *label, const ms_head *head, bool by_lines, ms_error *err)
{
  for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
    if (foreign[i].by_lines == by_lines && foreign[i].matches(head))
      return ms_fail(err, MS_ERR_INPUT, "%s: this is %s; %s", label, foreign[i].what,
                     foreign[i].remedy);
  return MS_OK;
}
