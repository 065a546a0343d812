/* BioGRID TAB 3.0: 37 columns between tabs below a header that begins with "#BioGRID Interaction
 * ID".  TAB 2.0 has 24 columns: all that are read here except the Swiss-Prot accessions.
 *
 * Columns are found by their names in the header, and without one by their places.  "-" means that
 * BioGRID does not know.  A partner without the chosen kind of name is called "biogrid:112315" by
 * its BioGRID ID.  No other name looks like this, though Entrez and BioGRID IDs are both numbers;
 * without the partner an edge of the network would be missing.
 *
 * The score is the column Score, unless another one is chosen.  What it measures depends on the
 * experiment, and most lines have none. */
#include "base/status.h"
#include "graph/formats/detect.h"
#include "graph/formats/format.h"
#include "graph/io/columns.h"
#include "graph/io/scores.h"
#include "graph/io/writers.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Columns that are read; each column of interactor B follows that of A. */
enum {
  ENTREZ,
  BIOGRID_ID = ENTREZ + 2,
  SYSTEMATIC = BIOGRID_ID + 2,
  SYMBOL = SYSTEMATIC + 2,
  SYSTEM = SYMBOL + 2,
  SYSTEM_TYPE,
  ORGANISM,
  SCORE = ORGANISM + 2,
  SWISS_PROT,
  COLUMNS = SWISS_PROT + 2
};

#define NONE UINT32_MAX
#define TAB2_COLUMNS 24u
#define TAB3_COLUMNS 37u

static const struct {
  const char *name, *older; /* in the header of TAB 3.0; of TAB 2.0 where it differs */
  uint32_t place;           /* from 0 */
} columns[COLUMNS] = {
    [ENTREZ] = {"Entrez Gene Interactor A", NULL, 1},
    [ENTREZ + 1] = {"Entrez Gene Interactor B", NULL, 2},
    [BIOGRID_ID] = {"BioGRID ID Interactor A", NULL, 3},
    [BIOGRID_ID + 1] = {"BioGRID ID Interactor B", NULL, 4},
    [SYSTEMATIC] = {"Systematic Name Interactor A", NULL, 5},
    [SYSTEMATIC + 1] = {"Systematic Name Interactor B", NULL, 6},
    [SYMBOL] = {"Official Symbol Interactor A", NULL, 7},
    [SYMBOL + 1] = {"Official Symbol Interactor B", NULL, 8},
    [SYSTEM] = {"Experimental System", NULL, 11},
    [SYSTEM_TYPE] = {"Experimental System Type", NULL, 12},
    [ORGANISM] = {"Organism ID Interactor A", "Organism Interactor A", 15},
    [ORGANISM + 1] = {"Organism ID Interactor B", "Organism Interactor B", 16},
    [SCORE] = {"Score", NULL, 18},
    [SWISS_PROT] = {"SWISS-PROT Accessions Interactor A", NULL, 23},
    [SWISS_PROT + 1] = {"SWISS-PROT Accessions Interactor B", NULL, 26},
};

static const char *const kinds[] = {"symbol", "systematic", "id", "entrez", "swissprot", NULL};
/* The column of each kind of names, and the column to read where the first one is empty. */
static const uint32_t kind_columns[][2] = {
    {SYMBOL, SYSTEMATIC}, {SYSTEMATIC, SYMBOL}, {BIOGRID_ID, NONE},
    {ENTREZ, NONE},       {SWISS_PROT, NONE},
};

typedef struct table {
  const ms_graph_options *options;
  uint32_t kind;           /* of names */
  bool placed;             /* the columns are known */
  uint32_t place[COLUMNS]; /* in the file; NONE: it has no such column */
  ms_table_columns row;
  bool scored; /* scores are read */
  ms_scores scores;
} table;

/* ---- columns --------------------------------------------------------------- */

static ms_status need(const ms_text *text, const table *t, uint32_t column, const char *what,
                      ms_error *err)
{
  if (t->place[column] != NONE)
    return MS_OK;
  return ms_text_fail(
      text, err, "no column '%s', which %s needs; give a BioGRID TAB 3.0 file, or leave that out",
      columns[column].name, what);
}

static ms_status check_places(const ms_text *text, const table *t, ms_error *err)
{
  ms_status status = MS_OK;
  for (uint32_t side = 0; side < 2 && status == MS_OK; side++) {
    status = need(text, t, kind_columns[t->kind][0] + side, "this kind of names", err);
    if (status == MS_OK && t->options->taxon)
      status = need(text, t, ORGANISM + side, "a taxon", err);
  }
  if (status == MS_OK && t->options->system)
    status = need(text, t, SYSTEM, "an experimental system", err);
  if (status == MS_OK && t->options->system)
    status = need(text, t, SYSTEM_TYPE, "an experimental system", err);
  return status;
}

/* Finds the column of scores that is chosen; the row is a header, or has the numbers of one. */
static ms_status choose_score(const ms_text *text, table *t, ms_error *err)
{
  const ms_column_choice choice = {t->options->score_column, NULL, "column of scores",
                                   "score column (`score_column`)"};
  if (choice.chosen)
    MS_TRY(ms_column_find(text, &t->row, &choice, &t->place[SCORE], err));
  for (uint32_t c = 0; c < COLUMNS && choice.chosen; c++)
    if (c != SCORE && t->place[c] == t->place[SCORE])
      return ms_text_fail(text, err,
                          "column %u holds no scores; choose another score column "
                          "(`score_column`)",
                          t->place[SCORE] + 1);
  return t->scored ? need(text, t, SCORE, "a score", err) : MS_OK;
}

static ms_status read_header(ms_text *text, table *t, ms_error *err)
{
  t->row.wanted = 0; /* the file may be a concatenation of several */
  ms_status status = ms_columns_split(&t->row, text, 1, err);
  for (uint32_t c = 0; c < COLUMNS && status == MS_OK; c++) {
    t->place[c] = NONE;
    for (uint32_t i = 0; i < t->row.count && t->place[c] == NONE; i++)
      if (ms_field_alike(t->row.field[i], columns[c].name) ||
          (columns[c].older && ms_field_alike(t->row.field[i], columns[c].older)))
        t->place[c] = i;
  }
  t->placed = true;
  if (status == MS_OK)
    status = choose_score(text, t, err);
  return status == MS_OK ? check_places(text, t, err) : status;
}

static ms_status place_by_number(const ms_text *text, table *t, ms_error *err)
{
  for (uint32_t c = 0; c < COLUMNS; c++) {
    bool there = c < SWISS_PROT || t->row.count >= TAB3_COLUMNS;
    t->place[c] = there ? columns[c].place : NONE;
  }
  t->placed = true;
  MS_TRY(choose_score(text, t, err));
  return check_places(text, t, err);
}

/* Returns a cell of the current line; empty where there is no such column. */
static ms_field cell(const table *t, uint32_t column)
{
  return t->place[column] == NONE ? (ms_field){"", 0} : t->row.field[t->place[column]];
}

/* ---- lines ----------------------------------------------------------------- */

static bool is_wanted(const table *t)
{
  const char *taxon = t->options->taxon, *system = t->options->system;
  for (uint32_t side = 0; side < 2 && taxon; side++)
    if (!ms_field_is(cell(t, ORGANISM + side), taxon))
      return false;
  return !system || ms_field_alike(cell(t, SYSTEM), system) ||
         ms_field_alike(cell(t, SYSTEM_TYPE), system);
}

/* Returns the first of several accessions, "P1|P2". */
static ms_field first_of(ms_field list)
{
  const char *bar = memchr(list.text, '|', list.length);
  return bar ? ms_field_trim((ms_field){list.text, (size_t)(bar - list.text)}) : list;
}

/* `room` is for names that are not in the line literally. */
static ms_status find_name(const ms_text *text, const table *t, uint32_t side, char room[32],
                           ms_field *name, ms_error *err)
{
  uint64_t id;
  for (int i = 0; i < 2; i++) {
    uint32_t column = kind_columns[t->kind][i];
    if (column == NONE || ms_field_absent(cell(t, column + side)))
      continue;
    *name = cell(t, column + side);
    if (column == SWISS_PROT)
      *name = first_of(*name);
    return MS_OK;
  }
  if (!ms_field_count(cell(t, BIOGRID_ID + side), UINT64_MAX, &id))
    return ms_text_fail(text, err,
                        "interactor %c has neither a name of this kind ('%s') nor a BioGRID ID; "
                        "complete the line, or choose another kind of names",
                        side ? 'B' : 'A', kinds[t->kind]);
  int length = snprintf(room, 32, "biogrid:%" PRIu64, id);
  *name = (ms_field){room, (size_t)length};
  return MS_OK;
}

static ms_status read_score(const ms_text *text, table *t, const ms_field names[2], ms_edges *edges,
                            bool *keep, ms_error *err)
{
  ms_field score = cell(t, SCORE);
  *keep = true;
  if (!t->scored)
    return MS_OK;
  return ms_field_missing(score)
             ? ms_scores_missing(&t->scores, text, "the interaction has no score", names[0],
                                 names[1], keep, err)
             : ms_scores_add(&t->scores, text, edges, score, names[0], names[1], keep, err);
}

static ms_status add_line(ms_text *text, table *t, ms_edges *edges, ms_error *err)
{
  char room[2][32];
  ms_field names[2];
  ms_status status = ms_columns_split(&t->row, text, t->placed ? 1 : TAB2_COLUMNS, err);
  if (status == MS_OK && !t->placed)
    status = place_by_number(text, t, err);
  if (status != MS_OK)
    return status;
  if (!is_wanted(t)) {
    edges->filtered++;
    return MS_OK;
  }
  for (uint32_t side = 0; side < 2 && status == MS_OK; side++)
    status = find_name(text, t, side, room[side], &names[side], err);
  bool keep = true;
  if (status == MS_OK)
    status = read_score(text, t, names, edges, &keep, err);
  return status == MS_OK && keep ? ms_edges_add(edges, text, names[0], names[1], err) : status;
}

static ms_status read_biogrid(ms_text *text, const ms_graph_options *options, ms_edges *edges,
                              ms_error *err)
{
  table t = {.options = options,
             .scored = options->keep_scores || options->min_score > 0 || options->score_column,
             .scores = {.least = ms_least_score(options->min_score),
                        .kept = options->keep_scores,
                        .delimiter = MS_TAB}};
  MS_TRY(ms_names_kind(text, options->names, kinds, &t.kind, err));
  MS_TRY(ms_text_next(text, err));
  while (text->line) {
    if (ms_is_biogrid_header((ms_field){text->line, text->length}))
      MS_TRY(read_header(text, &t, err));
    else if (ms_line_holds_data(text->line, text->length))
      MS_TRY(add_line(text, &t, edges, err));
    MS_TRY(ms_text_next(text, err));
  }
  if (t.placed)
    ms_scores_end(&t.scores, t.place[SCORE], edges);
  return MS_OK;
}

/* ---- writing --------------------------------------------------------------- */

static const char header[] =
    "#BioGRID Interaction ID\tEntrez Gene Interactor A\tEntrez Gene Interactor B\t"
    "BioGRID ID Interactor A\tBioGRID ID Interactor B\tSystematic Name Interactor A\t"
    "Systematic Name Interactor B\tOfficial Symbol Interactor A\tOfficial Symbol Interactor B\t"
    "Synonyms Interactor A\tSynonyms Interactor B\tExperimental System\t"
    "Experimental System Type\tAuthor\tPublication Source\tOrganism ID Interactor A\t"
    "Organism ID Interactor B\tThroughput\tScore\tModification\tQualifications\tTags\t"
    "Source Database\tSWISS-PROT Accessions Interactor A\tTREMBL Accessions Interactor A\t"
    "REFSEQ Accessions Interactor A\tSWISS-PROT Accessions Interactor B\t"
    "TREMBL Accessions Interactor B\tREFSEQ Accessions Interactor B\tOntology Term IDs\t"
    "Ontology Term Names\tOntology Term Categories\tOntology Term Qualifier IDs\t"
    "Ontology Term Qualifier Names\tOntology Term Types\tOrganism Name Interactor A\t"
    "Organism Name Interactor B\n";

/* A vertex without edges is written as one that interacts with itself. */
static void write_row(const char *a, const char *b, ms_outfile *out)
{
  for (uint32_t c = 0; c < TAB3_COLUMNS; c++) {
    const char *text = c == columns[SYMBOL].place       ? a
                       : c == columns[SYMBOL + 1].place ? b ? b : a
                                                        : "-";
    ms_outfile_puts(out, c ? "\t" : "");
    ms_outfile_puts(out, text);
  }
  ms_outfile_puts(out, "\n");
}

/* Names are written as official symbols. */
static ms_status write_biogrid(const ms_graph *graph, const ms_coloring *coloring, ms_outfile *out,
                               ms_error *err)
{
  (void)coloring;
  MS_TRY(ms_check_names(graph, "\t", "", "a BioGRID table", err));
  if (ms_names_find(graph->names, "-", 1) != MS_NO_ID)
    return ms_fail(err, MS_ERR_USAGE,
                   "a vertex has the name '-', which means in a BioGRID table that there is no "
                   "name; choose another format, or rename the vertex");
  ms_outfile_puts(out, header);
  ms_write_rows(graph, write_row, out);
  return MS_OK;
}

const ms_format ms_format_biogrid = {
    .info = {.name = "biogrid",
             .about = "BioGRID TAB 3.0 or 2.0: a header, then one interaction per line; filters by "
                      "taxon and experimental system",
             .example = "#BioGRID Interaction ID\tEntrez Gene Interactor A\t...\n"
                        "103\t6416\t2318\t112315\t108607\t-\t-\tMAP2K4\tFLNC\t...\n",
             .suffix = ".tab3.txt",
             .writable = true},
    .options = MS_HAS_TAXON | MS_HAS_SYSTEM | MS_HAS_NAMES | MS_HAS_SCORE | MS_HAS_KEPT_SCORES,
    .read = read_biogrid,
    .write = write_biogrid};
