/* Titles of columns; see titles.h.  Titles are compared without case and without signs: "Node_1"
 * is "node1". */
#include "graph/io/titles.h"

#include <string.h>

#define TITLE_BYTES 64

/* The words of a title, joined; empty where it is too long or holds other letters. */
static void normalize(ms_field title, char out[TITLE_BYTES])
{
  size_t used = 0, from = 0;
  while (from < title.length && title.text[from] >= '0' && title.text[from] <= '9')
    from++;
  from = from < title.length && title.text[from] == ':' ? from + 1 : 0; /* "2:Gene1" of FunCoup */
  for (size_t i = from; i < title.length; i++) {
    char c = title.text[i];
    if (c >= 'A' && c <= 'Z')
      c = (char)(c - 'A' + 'a');
    if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')))
      continue;
    if (used == TITLE_BYTES - 1) {
      used = 0;
      break;
    }
    out[used++] = c;
  }
  out[used] = '\0';
}

static bool is_one_of(const char *word, const char *const *words)
{
  for (; *words; words++)
    if (strcmp(word, *words) == 0)
      return true;
  return false;
}

static bool begins_with_one_of(const char *word, const char *const *words)
{
  for (; *words; words++)
    if (strncmp(word, *words, strlen(*words)) == 0)
      return true;
  return false;
}

/* Long words of which no name of a gene is made. */
static const char *const starts[] = {
    "node",    "vertex",  "protein",   "gene",     "interactor",    "participant",
    "partner", "symbol",  "entrez",    "official", "systematic",    "biogrid",
    "uniprot", "ensembl", "accession", "string",   "preferredname", "locus",
    "person",  "user",    "entity",    NULL};
/* Short words that are titles only as a whole, or numbered from 1: "v0" is rather a name. */
static const char *const wholes[] = {"v", "id", "name", "orf", "yorf", "item", "uid", NULL};

/* Do the titles differ only in "1" and "2", "a" and "b", or similar?  `stem` receives the rest, and
 * *from_zero whether they are "0" and "1". */
static bool are_numbered(const char *a, const char *b, char stem[TITLE_BYTES], bool *from_zero)
{
  static const char marks[][3] = {"12", "ab", "01", "xy", "ij"};
  size_t at = 0, length = strlen(a);
  while (a[at] && a[at] == b[at])
    at++;
  if (length == 0 || length != strlen(b) || at == length || strcmp(a + at + 1, b + at + 1) != 0)
    return false;
  memcpy(stem, a, at);
  strcpy(stem + at, a + at + 1);
  *from_zero = a[at] == '0';
  for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
    if (a[at] == marks[i][0] && b[at] == marks[i][1])
      return true;
  return false;
}

/* Does what follows "source" and "target" only say how vertices are named, as "_gene_symbol"? */
static bool names_kind(const char *rest)
{
  static const char *const others[] = {"id", "name", "label", "root", "pt", "hgnc", NULL};
  const char *const *lists[] = {starts, others};
  for (int i = 0; i < 2 && *rest; i++)
    for (const char *const *word = lists[i]; *word; word++)
      if (strncmp(rest, *word, strlen(*word)) == 0 && names_kind(rest + strlen(*word)))
        return true;
  return *rest == '\0';
}

bool ms_titles_are_ends(ms_field first, ms_field second)
{
  static const char *const pairs[][2] = {{"from", "to"},           {"source", "target"},
                                         {"src", "dst"},           {"subject", "object"},
                                         {"head", "tail"},         {"bait", "prey"},
                                         {"pre", "post"},          {"startid", "endid"},
                                         {"startnode", "endnode"}, {"bodyidpre", "bodyidpost"},
                                         {"regulator", "target"},  {"regulatory", "target"},
                                         {"tf", "target"}};
  char a[TITLE_BYTES], b[TITLE_BYTES], stem[TITLE_BYTES];
  normalize(first, a);
  normalize(second, b);
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    size_t length[2] = {strlen(pairs[i][0]), strlen(pairs[i][1])};
    if (strncmp(a, pairs[i][0], length[0]) == 0 && strncmp(b, pairs[i][1], length[1]) == 0 &&
        strcmp(a + length[0], b + length[1]) == 0 && names_kind(a + length[0]))
      return true;
  }
  if (ms_field_holds(first, ":START_ID") && ms_field_holds(second, ":END_ID")) /* Neo4j */
    return true;
  bool from_zero;
  return are_numbered(a, b, stem, &from_zero) &&
         (begins_with_one_of(stem, starts) || (is_one_of(stem, wholes) && !from_zero));
}

uint32_t ms_titles_find_ends(const ms_field *header, uint32_t count, uint32_t ends[2])
{
  uint32_t pairs = 0;
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t j = i + 1; j < count; j++) {
      bool back = ms_titles_are_ends(header[j], header[i]);
      if ((back || ms_titles_are_ends(header[i], header[j])) && pairs++ == 0) {
        ends[0] = back ? j : i;
        ends[1] = back ? i : j;
      }
    }
  return pairs;
}

ms_field ms_titles_stem(ms_field first, ms_field second)
{
  size_t at = 0, least = first.length < second.length ? first.length : second.length;
  while (at < least && first.text[at] == second.text[at])
    at++;
  return (ms_field){first.text, at};
}

bool ms_has_stem(ms_field name, ms_field stem)
{
  uint64_t number;
  if (stem.length == 0 || name.length <= stem.length ||
      memcmp(name.text, stem.text, stem.length) != 0)
    return false;
  ms_field rest = {name.text + stem.length, name.length - stem.length};
  return rest.length == 1 || ms_field_count(rest, UINT32_MAX, &number);
}

uint32_t ms_titles_other_end(const ms_field *header, uint32_t count, uint32_t column)
{
  for (uint32_t i = 0; i < count; i++)
    if (ms_titles_are_ends(header[column], header[i]) ||
        ms_titles_are_ends(header[i], header[column]))
      return i;
  return MS_NO_COLUMN;
}

/* "drugbank_id", "Gene Name" */
static bool ends_as_title(ms_field title)
{
  static const char *const ends[] = {"id", "name", "symbol", "gene", NULL};
  for (const char *const *end = ends; *end; end++) {
    size_t length = strlen(*end);
    if (title.length > length + 1 && strchr("_ .", title.text[title.length - length - 1]) &&
        ms_field_alike((ms_field){title.text + title.length - length, length}, *end))
      return true;
  }
  return false;
}

bool ms_title_is_vertex(ms_field title)
{
  static const char *const others[] = {"source", "target", "from", "to", "bait", "prey", NULL};
  char word[TITLE_BYTES];
  normalize(title, word);
  return *word && (begins_with_one_of(word, starts) || is_one_of(word, wholes) ||
                   is_one_of(word, others) || ends_as_title(title));
}

bool ms_titles_may_be_ends(ms_field first, ms_field second)
{
  static const char *const entities[] = {
      "ligand",   "receptor",    "kinase",  "substrate", "tf",       "drug",      "mirna",
      "target",   "disease",     "child",   "parent",    "enzyme",   "compound",  "lncrna",
      "term",     "pathway",     "species", "author",    "chemical", "regulator", "host",
      "neighbor", "phenotype",   "caller",  "callee",    "sender",   "receiver",  "citing",
      "cited",    "follower",    "query",   "followee",  "qseqid",   "sseqid",    "ego",
      "alter",    "origin",      "start",   "end",       "donor",    "acceptor",  "sink",
      "col",      "destination", "row",     "column",    "cell",     "var",       "neighbour",
      "actor",    "prot",        "hgnc",    "member",    "bin",      "entry",     "tg",
      "subject",  "object",      NULL};
  static const char *const pairs[][2] = {{"u", "v"},   {"i", "j"},  {"x", "y"},   {"p1", "p2"},
                                         {"s", "t"},   {"h", "t"},  {"X1", "X2"}, {"A", "B"},
                                         {"N1", "N2"}, {"n1", "n2"}};
  const ms_field titles[2] = {first, second};
  char word[2][TITLE_BYTES], stem[TITLE_BYTES];
  uint32_t known = 0;
  bool from_zero;
  for (int i = 0; i < 2; i++) {
    normalize(titles[i], word[i]);
    known += ms_title_is_vertex(titles[i]) || is_one_of(word[i], entities);
  }
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
    if (ms_field_is(first, pairs[i][0]) && ms_field_is(second, pairs[i][1]))
      return true;
  return known == 2 ||
         (are_numbered(word[0], word[1], stem, &from_zero) && is_one_of(stem, entities));
}

const char *const ms_score_titles[] = {"combined_score", "score",   "weight",      "confidence",
                                       "probability",    "weights", "edge_weight", NULL};

const char *const ms_type_titles[] = {
    "type",        "relation",         "metaedge",  "edge_type", "relationship", "relation_type",
    "interaction", "interaction_type", "predicate", ":TYPE",     "effect",       NULL};
