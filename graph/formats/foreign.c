/* Files that look like lists of edges to a careless reader, or might be given as a graph by
 * mistake: each is refused by its name, with a remedy.  --format overrides this. */
#include "base/status.h"
#include "base/utf8.h"
#include "graph/formats/detect.h"

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
  ms_field content = ms_head_content(head);
  return content.length > 0 && content.text[0] == '<' && ms_field_holds(content, "<gexf");
}

static bool is_markup(const ms_head *head)
{
  ms_field content = ms_head_content(head);
  return content.length > 1 && content.text[0] == '<' &&
         (content.text[1] == '?' || content.text[1] == '!' || begins(content, "<html")) &&
         !ms_field_holds(content, "<graphml") && !ms_field_holds(content, ":graphml") &&
         !ms_head_has_suffix(head, ".graphml");
}

static bool is_cx(const ms_head *head)
{
  bool second;
  return ms_is_cx(head, &second) && !second;
}

static bool is_json(const ms_head *head)
{
  ms_field content = ms_head_content(head), rest;
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
  if (!ms_head_next_data(head, &at, &line))
    return false;
  if (begins_word(line, "strict"))
    line = (ms_field){line.text + 6, line.length - 6};
  return (begins_word(line, "graph") || begins_word(line, "digraph")) &&
         ms_field_holds(content, "{");
}

static bool is_pajek(const ms_head *head)
{
  ms_field line;
  for (size_t at = 0; ms_head_next_data(head, &at, &line);)
    if (!begins_word(line, "*network"))
      return begins_word(line, "*vertices");
  return false;
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
  static const char *const names[] = {"sp", "max", "min", "asn", "cnf", "wcnf", "tw", "td", "cep"};
  ms_field line, word;
  uint64_t number;
  for (size_t at = 0; ms_head_next_line(head, &at, &line);) {
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

/* ---- the order ------------------------------------------------------------- */

static const struct foreign {
  bool (*matches)(const ms_head *head);
  const char *what, *remedy;
} foreign[] = {
    {is_result, "a result of motifsieve, not a graph",
     "give the graph that was searched; its path is in the file"},
    {is_bare_matrix, "a Matrix Market file (.mtx) without its first line",
     "put '%%MatrixMarket matrix coordinate pattern general' (or real, or symmetric) above its line "
     "of sizes, or name its format, if this is a list of edges (`format`)"},
    {is_gexf, "GEXF, which motifsieve cannot read",
     "export GraphML or a list of edges (Gephi writes both)"},
    {is_cx, "a network in CX, version 1, which motifsieve cannot read",
     "export CX2, SIF or GraphML from Cytoscape, or a list of edges"},
    {is_markup, "markup (XML or HTML) other than GraphML",
     "give a graph; a download may have saved a page instead of the file"},
    {is_json, "JSON, which motifsieve cannot read", "write its edges as lines of two names"},
    {is_gml, "GML, which motifsieve cannot read",
     "convert it to GraphML, in Python with networkx.write_graphml(networkx.read_gml(FILE), NEW)"},
    {is_dot, "DOT, the language of Graphviz, which motifsieve cannot read",
     "convert it to GraphML or to a list of edges"},
    {is_pajek, "a network in Pajek's format, which motifsieve cannot read",
     "convert it to GraphML, in Python with "
     "networkx.write_graphml(networkx.Graph(networkx.read_pajek(FILE)), NEW)"},
    {is_bipartite, "a bipartite network of KONECT",
     "its two columns are numbered separately, and vertex 1 of one is not vertex 1 of the other; "
     "put a letter in front of the numbers of one column, remove the lines '%', and read it again"},
    {is_problem, "a DIMACS format other than 'p edge' and 'p col'",
     "write its edges as lines of two names, or below a line 'p edge VERTICES EDGES'"},
};

ms_status ms_check_foreign(const char *label, const ms_head *head, ms_error *err)
{
  for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
    if (foreign[i].matches(head))
      return ms_fail(err, MS_ERR_INPUT, "%s: this is %s; %s", label, foreign[i].what,
                     foreign[i].remedy);
  return MS_OK;
}
