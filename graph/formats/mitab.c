/* PSI-MITAB 2.5 (15 columns between tabs), 2.6 (36), 2.7 (42) and later, with or
 * without a header.  A cell is "-" or a list of cross references,
 *
 *   uniprotkb:P49418|chebi:"CHEBI:15422"(ATP)|psi-mi:"MI:0018"("2H (yeast)")
 *
 * each a database, an identifier and perhaps a text in parentheses.  A part that begins with a
 * double quote ends at the next one; \" in it is a quote, \\ a backslash.  Files in use omit quotes
 * that the specification requires, so without quotes an identifier may hold colons, and parentheses
 * that do not end the reference: "flybase:l(2)gl(gene name)".
 *
 * The scores are the confidences of one name in column 15, "intact-miscore:0.56|author score:3".
 *
 * An interaction has one partner if the other is "-".  Interactions that have
 * been shown not to take place (column 36) are left out. */
#include "base/alloc.h"
#include "base/status.h"
#include "graph/formats/detect.h"
#include "graph/formats/format.h"
#include "graph/io/columns.h"
#include "graph/io/scores.h"
#include "graph/io/writers.h"

#include <stdio.h>
#include <string.h>

/* Columns, from 0; each column of interactor B follows that of A. */
enum {
  ID = 0,
  ALTERNATIVE = 2,
  ALIAS = 4,
  METHOD = 6,
  TAXON = 9,
  CONFIDENCE = 14,
  NEGATIVE = 35,
  LEAST = 15
};

/* The score that IntAct and other databases compute for all of their interactions in one way. */
static const char miscore[] = "intact-miscore";

enum { BY_ID, BY_FULL_ID, BY_SYMBOL, BY_GENE };
static const char *const kinds[] = {"id", "full", "symbol", "gene", NULL};

typedef struct table {
  const ms_graph_options *options;
  uint32_t kind; /* of names */
  ms_table_columns row;
  bool scored;      /* scores are read */
  char *score_name; /* of the confidences that are scores; NULL: not known yet */
  ms_scores scores;
} table;

/* ---- cells ----------------------------------------------------------------- */

typedef struct reference {
  ms_field database, id, text; /* without their quotes; length 0: not there */
} reference;

/* The rest of a cell, which can be read only once, because quoted parts are rewritten in
 * place. */
typedef struct cell {
  ms_text *text;
  char *at, *end; /* at: NULL behind the last reference */
} cell;

static cell open_cell(ms_text *text, ms_field field)
{
  char *begin = text->line + (field.text - text->line); /* the same place, to be written */
  return (cell){text, ms_field_absent(field) ? NULL : begin, begin + field.length};
}

static ms_status read_quoted(cell *c, ms_field *part, ms_error *err)
{
  char *from = c->at + 1, *to = from;
  for (char *p = from; p < c->end; p++) {
    if (*p == '"') {
      *part = (ms_field){from, (size_t)(to - from)};
      c->at = p + 1;
      return MS_OK;
    }
    if (*p == '\\' && p + 1 < c->end && (p[1] == '"' || p[1] == '\\'))
      p++;
    *to++ = *p;
  }
  return ms_text_fail(c->text, err,
                      "a double quote is not closed in its column; close it, or write \\\" for a "
                      "quote inside");
}

/* Returns the place behind the parenthesis that closes the one at `open`; NULL: there is
 * none. */
static char *behind_parenthesis(const cell *c, char *open)
{
  int depth = 0;
  for (char *p = open; p < c->end && *p != '|'; p++) {
    depth += (*p == '(') - (*p == ')');
    if (depth == 0)
      return p + 1;
  }
  return NULL;
}

/* Reads an identifier without quotes.  It ends at a bar, at the parenthesis that opens its text,
 * or at the end of the cell. */
static ms_status read_bare_id(cell *c, ms_field *id, ms_error *err)
{
  char *p = c->at;
  while (p < c->end && *p != '|') {
    if (*p != '(') {
      p++;
      continue;
    }
    if (p + 1 < c->end && p[1] == '"')
      break;
    char *behind = behind_parenthesis(c, p);
    if (!behind)
      return ms_text_fail(c->text, err,
                          "a parenthesis is not closed; close it, or put the whole part into "
                          "double quotes");
    if (behind == c->end || *behind == '|')
      break;
    p = behind;
  }
  *id = ms_field_trim((ms_field){c->at, (size_t)(p - c->at)});
  c->at = p;
  return MS_OK;
}

static ms_status read_id(cell *c, ms_field *id, ms_error *err)
{
  return c->at < c->end && *c->at == '"' ? read_quoted(c, id, err) : read_bare_id(c, id, err);
}

/* Reads the text in parentheses; the cell is at the opening one. */
static ms_status read_text(cell *c, ms_field *text, ms_error *err)
{
  char *open = c->at++, *behind;
  if (c->at < c->end && *c->at == '"') {
    MS_TRY(read_quoted(c, text, err));
    behind = c->at < c->end && *c->at == ')' ? c->at + 1 : NULL;
  } else {
    behind = behind_parenthesis(c, open);
    if (behind)
      *text = ms_field_trim((ms_field){c->at, (size_t)(behind - 1 - c->at)});
  }
  if (!behind)
    return ms_text_fail(c->text, err, "the text of a reference has no closing parenthesis; add it");
  c->at = behind;
  return MS_OK;
}

/* Reads database and identifier.  A part that a colon follows is a database. */
static ms_status read_names(cell *c, reference *r, ms_error *err)
{
  char *begin = c->at;
  bool quoted = c->at < c->end && *c->at == '"';
  ms_status status = MS_OK;
  if (quoted)
    status = read_quoted(c, &r->id, err);
  while (!quoted && c->at < c->end && !memchr(":|(", *c->at, 3))
    c->at++;
  if (status == MS_OK && c->at < c->end && *c->at == ':') {
    r->database = quoted ? r->id : ms_field_trim((ms_field){begin, (size_t)(c->at - begin)});
    c->at++;
    return read_id(c, &r->id, err);
  }
  if (quoted)
    return status;
  c->at = begin;
  return read_bare_id(c, &r->id, err);
}

/* Reads the next reference into *r; false at the end, and after an error. */
static bool next_reference(cell *c, reference *r, ms_status *status, ms_error *err)
{
  *r = (reference){{"", 0}, {"", 0}, {"", 0}};
  if (!c->at || *status != MS_OK)
    return false;
  *status = read_names(c, r, err);
  if (*status == MS_OK && c->at < c->end && *c->at == '(')
    *status = read_text(c, &r->text, err);
  if (*status == MS_OK && c->at < c->end && *c->at != '|')
    *status = ms_text_fail(c->text, err,
                           "something follows the end of a reference; put a bar in front of it, or "
                           "the whole part into double quotes");
  c->at = c->at < c->end ? c->at + 1 : NULL;
  return *status == MS_OK;
}

/* ---- filters --------------------------------------------------------------- */

static ms_status is_negative(const ms_text *text, const ms_table_columns *row, bool *negative,
                             ms_error *err)
{
  ms_field said = row->count > NEGATIVE ? row->field[NEGATIVE] : (ms_field){"-", 1};
  *negative = ms_field_alike(said, "true");
  if (*negative || ms_field_absent(said) || ms_field_alike(said, "false"))
    return MS_OK;
  return ms_text_fail(text, err,
                      "column 36 says whether the interaction is negative; write true, false or -");
}

static bool is_taxon(const reference *r, const char *taxon)
{
  return ms_field_is(r->id, taxon);
}

/* Is the reference the method "MI:0018" or "two hybrid"?  In the old form MI:0018(two hybrid) MI
 * is the database. */
static bool is_method(const reference *r, const char *method)
{
  bool old = ms_field_is(r->database, "MI") && strlen(method) > 3 && method[2] == ':';
  return ms_field_alike(r->id, method) || ms_field_alike(r->text, method) ||
         (old && ms_field_alike((ms_field){method, 2}, "MI") && ms_field_is(r->id, method + 3));
}

/* Does one of the references in the column fit `wanted`? */
static ms_status any_fits(table *t, ms_text *text, uint32_t column, const char *wanted,
                          bool (*fits)(const reference *r, const char *wanted), bool *found,
                          ms_error *err)
{
  ms_status status = MS_OK;
  reference r;
  cell c = open_cell(text, t->row.field[column]);
  for (*found = false; !*found && next_reference(&c, &r, &status, err);)
    *found = fits(&r, wanted);
  return status;
}

/* Is the interaction wanted?  A missing partner is of every taxon. */
static ms_status is_wanted(table *t, ms_text *text, bool *wanted, ms_error *err)
{
  bool negative;
  ms_status status = is_negative(text, &t->row, &negative, err);
  *wanted = !negative;
  if (status == MS_OK && *wanted && t->options->system)
    status = any_fits(t, text, METHOD, t->options->system, is_method, wanted, err);
  for (uint32_t side = 0; side < 2 && status == MS_OK && *wanted && t->options->taxon; side++)
    if (!ms_field_absent(t->row.field[ID + side]))
      status = any_fits(t, text, TAXON + side, t->options->taxon, is_taxon, wanted, err);
  return status;
}

/* ---- names ----------------------------------------------------------------- */

/* Returns how likely the reference is a gene's symbol; 0: it is none.  BioGRID's files have
 * symbols among the alternative identifiers, under the database of numbers. */
static int symbol_rank(const reference *r, uint32_t column)
{
  uint64_t number;
  if (ms_field_alike(r->text, "gene name"))
    return 3;
  if (column == ALIAS)
    return ms_field_alike(r->text, "display_short") ? 2 : 0;
  return ms_field_alike(r->database, "entrez gene/locuslink") &&
         !ms_field_count(r->id, UINT64_MAX, &number);
}

/* Finds the gene's symbol; *name is unchanged where there is none. */
static ms_status find_symbol(table *t, ms_text *text, uint32_t side, ms_field *name, ms_error *err)
{
  static const uint32_t columns[] = {ALIAS, ALTERNATIVE};
  ms_status status = MS_OK;
  int best = 0;
  for (uint32_t i = 0; i < 2; i++) {
    reference r;
    cell c = open_cell(text, t->row.field[columns[i] + side]);
    while (next_reference(&c, &r, &status, err)) {
      int rank = symbol_rank(&r, columns[i]);
      if (rank > best && r.id.length > 0) {
        *name = r.id;
        best = rank;
      }
    }
  }
  return status;
}

/* Returns "database:id", joined in the line itself; "unknown" is no database. */
static ms_field full_id(ms_text *text, const reference *r)
{
  if (r->database.length == 0 || ms_field_is(r->database, "unknown"))
    return r->id;
  char *to = text->line + (r->database.text - text->line) + r->database.length;
  *to = ':';
  memmove(to + 1, r->id.text, r->id.length);
  return (ms_field){r->database.text, r->database.length + 1 + r->id.length};
}

static ms_status find_name(table *t, ms_text *text, uint32_t side, ms_field *name, ms_error *err)
{
  ms_status status = MS_OK;
  reference r;
  cell c = open_cell(text, t->row.field[ID + side]);
  next_reference(&c, &r, &status, err);
  if (status != MS_OK)
    return status;
  *name = t->kind == BY_FULL_ID ? full_id(text, &r) : r.id;
  return t->kind == BY_SYMBOL || t->kind == BY_GENE ? find_symbol(t, text, side, name, err) : MS_OK;
}

/* ---- scores ---------------------------------------------------------------- */

static bool is_number(ms_field field)
{
  double value;
  return ms_field_decimal(field, MS_TAB, &value);
}

/* Chooses the name of the scores: the first line with a number decides. */
static ms_status choose_name(table *t, ms_field name, ms_error *err)
{
  t->score_name = ms_alloc(name.length + 1, 1);
  if (!t->score_name)
    return ms_fail_memory(err, "the name of the scores");
  memcpy(t->score_name, name.text, name.length);
  t->score_name[name.length] = '\0';
  return MS_OK;
}

/* Finds the confidence that is the score of the line; without a name of the scores, that of
 * `miscore`, or the first one that is a number.  score->text stays NULL if the line has none. */
static ms_status find_score(table *t, ms_text *text, ms_field *score, ms_error *err)
{
  ms_status status = MS_OK;
  reference r, first = {.id = {NULL, 0}};
  cell c = open_cell(text, t->row.field[CONFIDENCE]);
  while (next_reference(&c, &r, &status, err)) {
    const char *name = t->score_name ? t->score_name : miscore;
    bool named = ms_field_is(r.database, name) && (t->score_name || is_number(r.id));
    if (named || (!t->score_name && !first.id.text && is_number(r.id)))
      first = r;
    if (named)
      break;
  }
  *score = first.id;
  return status == MS_OK && !t->score_name && first.id.text ? choose_name(t, first.database, err)
                                                            : status;
}

static ms_status read_score(table *t, ms_text *text, const ms_field names[2], ms_edges *edges,
                            bool *keep, ms_error *err)
{
  ms_field score = {NULL, 0};
  char what[128] = "the interaction has no confidence that is a number";
  *keep = true;
  if (!t->scored)
    return MS_OK;
  MS_TRY(find_score(t, text, &score, err));
  if (score.text && !ms_field_missing(score))
    return ms_scores_add(&t->scores, text, edges, score, names[0], names[1], keep, err);
  if (t->score_name && t->score_name[0])
    snprintf(what, sizeof what, "the interaction has no confidence '%.*s'",
             ms_name_clip(t->score_name, strlen(t->score_name)), t->score_name);
  return ms_scores_missing(&t->scores, text, what, names[0], names[1], keep, err);
}

/* ---- lines ----------------------------------------------------------------- */

/* Adds an edge, or the only partner as a vertex. */
static ms_status add_partners(table *t, ms_text *text, ms_edges *edges, ms_error *err)
{
  ms_field names[2];
  uint32_t count = 0;
  ms_status status = MS_OK;
  for (uint32_t side = 0; side < 2 && status == MS_OK; side++) {
    ms_field id = t->row.field[ID + side];
    if (id.length == 0)
      return ms_text_fail(text, err,
                          "the identifier of interactor %c is empty; write it, or - for none",
                          side ? 'B' : 'A');
    if (!ms_field_absent(id))
      status = find_name(t, text, side, &names[count++], err);
  }
  if (status != MS_OK)
    return status;
  if (count == 0)
    return ms_text_fail(text, err, "both interactors are -; write an identifier in column 1 or 2");
  if (count == 1)
    return ms_edges_alone(edges, text, names[0], NULL, err);
  bool keep;
  MS_TRY(read_score(t, text, names, edges, &keep, err));
  return keep ? ms_edges_add(edges, text, names[0], names[1], err) : MS_OK;
}

static ms_status add_line(table *t, ms_text *text, ms_edges *edges, ms_error *err)
{
  bool wanted = false;
  ms_status status = ms_columns_split(&t->row, text, LEAST, err);
  if (status == MS_OK)
    status = is_wanted(t, text, &wanted, err);
  if (status != MS_OK)
    return status;
  if (wanted)
    return add_partners(t, text, edges, err);
  edges->filtered++;
  return MS_OK;
}

/* Refuses a file of which all lines were dropped though no filter was asked for. */
static ms_status check_rest(const table *t, const ms_text *text, const ms_edges *edges,
                            ms_error *err)
{
  if (ms_names_count(edges->names) > 0 || edges->filtered == 0 || t->options->taxon ||
      t->options->system)
    return MS_OK;
  return ms_fail(err, MS_ERR_INPUT, "%s: holds only negative interactions; give a file with others",
                 text->label);
}

static ms_status read_lines(table *t, ms_text *text, ms_edges *edges, ms_error *err)
{
  const char *name = t->options->score_column;
  if (name)
    MS_TRY(choose_name(t, (ms_field){name, strlen(name)}, err));
  MS_TRY(ms_text_next_data(text, err));
  if (text->line && ms_is_mitab_header((ms_field){text->line, text->length}))
    MS_TRY(ms_text_next_data(text, err));
  while (text->line) {
    MS_TRY(add_line(t, text, edges, err));
    MS_TRY(ms_text_next_data(text, err));
  }
  MS_TRY(ms_edges_flush(edges, err));
  ms_scores_end(&t->scores, CONFIDENCE, edges);
  return check_rest(t, text, edges, err);
}

static ms_status read_mitab(ms_text *text, const ms_graph_options *options, ms_edges *edges,
                            ms_error *err)
{
  table t = {.options = options,
             .scored = options->keep_scores || options->min_score > 0 || options->score_column,
             .scores = {.least = ms_least_score(options->min_score),
                        .kept = options->keep_scores,
                        .delimiter = MS_TAB}};
  MS_TRY(ms_names_kind(text, options->names, kinds, &t.kind, err));
  ms_status status = read_lines(&t, text, edges, err);
  ms_free(t.score_name);
  return status;
}

/* ---- writing --------------------------------------------------------------- */

static const char header[] =
    "#ID(s) interactor A\tID(s) interactor B\tAlt. ID(s) interactor A\tAlt. ID(s) interactor B\t"
    "Alias(es) interactor A\tAlias(es) interactor B\tInteraction detection method(s)\t"
    "Publication 1st author(s)\tPublication Identifier(s)\tTaxid interactor A\t"
    "Taxid interactor B\tInteraction type(s)\tSource database(s)\tInteraction identifier(s)\t"
    "Confidence value(s)\n";

/* Returns the length of the database of molecules that the name begins with, or 0.  Only
 * databases that occur in files in use count: other prefixes ("Gene::9") are parts of names. */
static size_t database_length(const char *name)
{
  static const char *const databases[] = {"uniprotkb",
                                          "uniprot/swiss-prot",
                                          "uniprot/trembl",
                                          "refseq",
                                          "entrez gene/locuslink",
                                          "ensembl",
                                          "ensemblgenomes",
                                          "ddbj/embl/genbank",
                                          "genbank_protein_gi",
                                          "genbank_nucl_gi",
                                          "ipi",
                                          "uniparc",
                                          "intact",
                                          "mint",
                                          "dip",
                                          "biogrid",
                                          "innatedb",
                                          "matrixdb",
                                          "chebi",
                                          "pubchem",
                                          "drugbank",
                                          "rnacentral",
                                          "complex portal",
                                          "reactome",
                                          "flybase",
                                          "wormbase",
                                          "sgd",
                                          "cygd",
                                          "mgd/mgi",
                                          "rgd",
                                          "hgnc"};
  size_t length = strcspn(name, ":");
  if (name[length] == '\0' || name[length + 1] == '\0')
    return 0;
  for (size_t i = 0; i < sizeof databases / sizeof *databases; i++)
    if (ms_field_is((ms_field){name, length}, databases[i]))
      return length;
  return 0;
}

/* Writes an identifier, in quotes where it needs them.  Blanks at the ends would be lost without
 * quotes. */
static void write_id(const char *id, ms_outfile *out)
{
  size_t length = strlen(id);
  if (!id[strcspn(id, "|():\"")] && id[0] != ' ' && id[length - 1] != ' ') {
    ms_outfile_puts(out, id);
    return;
  }
  ms_outfile_puts(out, "\"");
  for (const char *p = id; *p; p++)
    ms_outfile_printf(out, "%s%c", *p == '"' || *p == '\\' ? "\\" : "", *p);
  ms_outfile_puts(out, "\"");
}

/* Can names keep their databases?  Only if all have one and the identifiers differ without them:
 * "uniprotkb:P1" and "P1" would be one vertex when read by identifiers. */
static ms_status keeps_databases(const ms_graph *graph, bool *keep, ms_error *err)
{
  ms_names *bare;
  *keep = true;
  ms_status status = ms_names_new(&bare, err);
  for (uint32_t v = 0; v < graph->n && status == MS_OK && *keep; v++) {
    const char *name = ms_names_get(graph->names, v);
    size_t length = database_length(name);
    uint32_t id = v;
    if (length > 0)
      status = ms_names_add(bare, name + length + 1, strlen(name + length + 1), &id, err);
    *keep = length > 0 && id == v;
  }
  ms_names_free(bare);
  return status;
}

static void write_known(const char *name, ms_outfile *out)
{
  size_t length = database_length(name);
  ms_outfile_write(out, name, length + 1);
  write_id(name + length + 1, out);
}

static void write_unknown(const char *name, ms_outfile *out)
{
  ms_outfile_puts(out, "unknown:");
  write_id(name, out);
}

/* A vertex without edges is written as the one partner of an interaction
 * within a molecule. */
static void write_row(void (*write_name)(const char *, ms_outfile *), const char *a, const char *b,
                      ms_outfile *out)
{
  write_name(a, out);
  ms_outfile_puts(out, "\t");
  if (b)
    write_name(b, out);
  else
    ms_outfile_puts(out, "-");
  for (uint32_t c = 2; c < LEAST; c++)
    ms_outfile_puts(out, "\t-");
  ms_outfile_puts(out, "\n");
}

static void write_known_row(const char *a, const char *b, ms_outfile *out)
{
  write_row(write_known, a, b, out);
}

static void write_unknown_row(const char *a, const char *b, ms_outfile *out)
{
  write_row(write_unknown, a, b, out);
}

static ms_status write_mitab(const ms_graph *graph, const ms_coloring *coloring, ms_outfile *out,
                             ms_error *err)
{
  (void)coloring;
  bool keep;
  ms_status status = ms_check_names(graph, "\t", "", "a MITAB file", err);
  if (status == MS_OK)
    status = keeps_databases(graph, &keep, err);
  if (status != MS_OK)
    return status;
  ms_outfile_puts(out, header);
  ms_write_rows(graph, keep ? write_known_row : write_unknown_row, out);
  return MS_OK;
}

const ms_format ms_format_mitab = {
    .info = {.name = "mitab",
             .about = "PSI-MITAB 2.5 to 2.7: one interaction per line, in 15 columns or more; "
                      "filters by taxon and detection method",
             .example = "uniprotkb:P49418\tuniprotkb:O43426\t-\t-\t"
                        "uniprotkb:AMPH(gene name)\t...\n",
             .suffix = ".mitab",
             .writable = true},
    .options = MS_HAS_TAXON | MS_HAS_SYSTEM | MS_HAS_NAMES | MS_HAS_SCORE | MS_HAS_KEPT_SCORES,
    .read = read_mitab,
    .write = write_mitab};
