/* Result files in TSV: header lines behind '#', column names, rows. */
#include "verify/result_tsv.h"

#include <string.h>

/* Take one name of a comma-separated list from *at, decoded in place; *at
 * moves behind its comma, or becomes NULL behind the last.  NULL for a quote
 * that is not closed, or text behind one. */
static char *take_listed(char **at)
{
  char *name = *at, *from = *at, *to = *at;
  bool quoted = *from == '"';
  if (quoted) {
    for (from++; *from && (*from != '"' || from[1] == '"'); from++) {
      from += *from == '"';
      *to++ = *from;
    }
    if (*from++ != '"') {
      return NULL;
    }
  } else {
    from += strcspn(from, ",");
    to = from;
  }
  if (*from != ',' && *from != '\0') {
    return NULL;
  }
  *at = *from ? from + 1 : NULL;
  *to = '\0';
  return name;
}

char *ms_tsv_expect(ms_result *result, const char *label)
{
  char *line = ms_result_next_line(result);
  size_t length = strlen(label);
  if (line && strncmp(line, label, length) == 0) {
    return line + length;
  }
  ms_result_refuse(result, result->line, "the header line '%s' is missing here", label);
  return NULL;
}

bool ms_tsv_comes(const ms_result *result, const char *label)
{
  return result->at != result->end && strncmp(result->at, label, strlen(label)) == 0;
}

bool ms_tsv_take_setting(const char **text, const char *name, char *word, size_t room)
{
  if (!ms_take_word(text, name)) {
    return false;
  }
  size_t length = strcspn(*text, " ");
  if (length >= room) {
    return false;
  }
  memcpy(word, *text, length);
  word[length] = '\0';
  *text += length;
  return true;
}

bool ms_tsv_take_file(char *text, ms_result_file *file, const char **rest)
{
  static const char label[] = " crc32c=";
  char *last = NULL;
  for (char *p = text; (p = strstr(p, label)); p++) {
    last = p;
  }
  if (!last) {
    return false;
  }
  *last = '\0';
  file->path = text;
  *rest = last + strlen(label);
  return ms_take_crc32c(rest, &file->crc32c);
}

static bool read_graph(ms_result_header *h, char *line)
{
  char word[32];
  const char *text = line;
  ms_result_file file;
  uint64_t vertices, keep_taxon, head;
  bool ok = ms_tsv_take_file(line, &file, &text) && ms_take_word(&text, " vertices=") &&
            ms_take_count(&text, UINT32_MAX, &vertices) && ms_take_word(&text, " edges=") &&
            ms_take_count(&text, UINT64_MAX, &h->edges) &&
            ms_tsv_take_setting(&text, " format=", word, sizeof word) &&
            ms_graph_format_find(word, &h->graph.format) && ms_take_word(&text, " min_score=") &&
            ms_take_real(&text, &h->graph.min_score) && ms_take_word(&text, " keep_taxon=") &&
            ms_take_count(&text, 1, &keep_taxon) && ms_take_word(&text, " header=") &&
            ms_take_count(&text, 1, &head) && !*text;
  if (ok) {
    h->graph_crc32c = file.crc32c;
    h->vertices = (uint32_t)vertices;
    h->graph.keep_taxon = keep_taxon;
    h->graph.header = head;
  }
  return ok;
}

static bool read_colors(ms_result_header *h, char *line)
{
  char word[32];
  const char *text = line;
  ms_result_file file;
  uint64_t colors, head;
  bool ok = ms_tsv_take_file(line, &file, &text) && ms_take_word(&text, " colors=") &&
            ms_take_count(&text, UINT32_MAX, &colors) && ms_take_word(&text, " assignments=") &&
            ms_take_count(&text, UINT64_MAX, &h->assignments) &&
            ms_tsv_take_setting(&text, " format=", word, sizeof word) &&
            ms_color_format_find(word, &h->coloring.format) &&
            ms_tsv_take_setting(&text, " aspects=", word, sizeof word) &&
            ms_read_aspects(word, h) && ms_take_word(&text, " header=") &&
            ms_take_count(&text, 1, &head) && !*text;
  if (ok) {
    h->colors_path = file.path;
    h->colors_crc32c = file.crc32c;
    h->colors = (uint32_t)colors;
    h->coloring.header = head;
  }
  return ok;
}

static bool read_required(ms_result_header *h, char *text)
{
  while (text) {
    char *name = take_listed(&text);
    if (!name || h->n_required == MS_MAX_K) {
      return false;
    }
    h->required[h->n_required++] = name;
  }
  return true;
}

static bool read_repetitions(ms_result_header *h, const char *text)
{
  uint64_t done, planned;
  bool ok = ms_take_count(&text, UINT32_MAX, &done) && ms_take_word(&text, " of ") &&
            ms_take_count(&text, UINT32_MAX, &planned) && !*text && done <= planned;
  if (ok) {
    h->repetitions = (uint32_t)done;
    h->repetitions_planned = (uint32_t)planned;
  }
  return ok;
}

static bool read_bound(ms_result_header *h, const char *text)
{
  bool ok = ms_take_decimal(&text, h->bound) && ms_take_word(&text, " = ");
  h->formula = text;
  return ok;
}

bool ms_tsv_count(const char *text, uint64_t *value)
{
  return ms_take_count(&text, UINT64_MAX, value) && !*text;
}

ms_status ms_tsv_wrong(ms_result *result, const char *what)
{
  return ms_result_refuse(result, result->line, "the header's %s cannot be read", what);
}

static ms_status wrong_line(ms_result *result, const char *label)
{
  return ms_result_refuse(result, result->line, "the header line '%s' cannot be read", label);
}

ms_status ms_tsv_read_setting(ms_result *result, const char *label, const char **value)
{
  if (!ms_tsv_comes(result, label)) {
    return MS_OK;
  }
  *value = ms_tsv_expect(result, label);
  return **value ? MS_OK : wrong_line(result, label);
}

ms_status ms_tsv_read_file(ms_result *result, const char *label, ms_part part, ms_result_file *file)
{
  const char *rest;
  if (!ms_tsv_comes(result, label)) {
    return MS_OK;
  }
  result->header.line[part] = result->line + 1;
  return ms_tsv_take_file(ms_tsv_expect(result, label), file, &rest) && !*rest
             ? MS_OK
             : wrong_line(result, label);
}

ms_status ms_tsv_read_directed(ms_result *result, bool *directed)
{
  *directed = ms_tsv_comes(result, "# directed: ");
  if (!*directed || strcmp(ms_tsv_expect(result, "# directed: "), "1") == 0) {
    return MS_OK;
  }
  return wrong_line(result, "# directed: ");
}

static ms_status read_graph_settings(ms_result *result)
{
  ms_result_header *h = &result->header;
  ms_status status = ms_tsv_read_setting(result, "# taxon: ", &h->graph.taxon);
  if (status == MS_OK) {
    status = ms_tsv_read_setting(result, "# system: ", &h->graph.system);
  }
  if (status == MS_OK) {
    status = ms_tsv_read_setting(result, "# names: ", &h->graph.names);
  }
  if (status == MS_OK) {
    status = ms_tsv_read_file(result, "# alias: ", MS_PART_ALIAS, &h->alias);
  }
  return status == MS_OK ? ms_tsv_read_directed(result, &h->graph.directed) : status;
}

static ms_status read_color_settings(ms_result *result)
{
  ms_result_header *h = &result->header;
  ms_status status = ms_tsv_read_setting(result, "# name_column: ", &h->coloring.name_column);
  if (status == MS_OK) {
    status = ms_tsv_read_setting(result, "# color_column: ", &h->coloring.color_column);
  }
  if (status == MS_OK) {
    status = ms_tsv_read_file(result, "# obo: ", MS_PART_OBO, &h->obo);
  }
  if (status == MS_OK) {
    status = ms_tsv_read_setting(result, "# slim: ", &h->coloring.slim);
  }
  if (status != MS_OK || h->coloring.slim) {
    return status;
  }
  return ms_tsv_read_file(result, "# slim_file: ", MS_PART_SLIM, &h->slim);
}

ms_status ms_tsv_read_command(ms_result *result)
{
  ms_result_header *h = &result->header;
  char *line = ms_tsv_expect(result, "# motifsieve ");
  if (!line) {
    return MS_ERR_INPUT;
  }
  const char *text = line + strspn(line, "0123456789.");
  const char *command = h->is_typed ? " typed-match" : " list";
  h->is_screen = strcmp(text, " screen") == 0 && !h->is_typed;
  return h->is_screen || strcmp(text, command) == 0 ? MS_OK : ms_tsv_wrong(result, "command");
}

ms_status ms_tsv_read_inputs(ms_result *result)
{
  ms_result_header *h = &result->header;
  char *line = ms_tsv_expect(result, "# graph: ");
  if (!line || !read_graph(h, line)) {
    return line ? ms_tsv_wrong(result, "graph") : MS_ERR_INPUT;
  }
  h->line[MS_PART_GRAPH] = result->line;
  ms_status status = read_graph_settings(result);
  if (status != MS_OK) {
    return status;
  }
  if (h->is_pattern && !ms_tsv_comes(result, "# colors: ")) {
    return MS_OK;
  }
  if (!(line = ms_tsv_expect(result, "# colors: ")) || !read_colors(h, line)) {
    return line ? ms_tsv_wrong(result, "colours") : MS_ERR_INPUT;
  }
  h->line[MS_PART_COLORS] = result->line;
  return read_color_settings(result);
}

/* The motif and what goes with it. */
static ms_status read_motif(ms_result *result)
{
  ms_result_header *h = &result->header;
  uint64_t k = 0;
  if (!(h->motif = ms_tsv_expect(result, "# motif: "))) {
    return MS_ERR_INPUT;
  }
  h->line[MS_PART_MOTIF] = result->line;
  const char *text = ms_tsv_expect(result, "# k: ");
  if (!text || !ms_tsv_count(text, &k) || k > MS_MAX_K) {
    return text ? ms_tsv_wrong(result, "k") : MS_ERR_INPUT;
  }
  h->k = (uint32_t)k;
  h->line[MS_PART_K] = result->line;
  if (ms_tsv_comes(result, "# required: ")) {
    char *names = ms_tsv_expect(result, "# required: ");
    h->line[MS_PART_REQUIRED] = result->line;
    return read_required(h, names) ? MS_OK : ms_tsv_wrong(result, "required vertices");
  }
  return MS_OK;
}

ms_status ms_tsv_read_sieve(ms_result *result)
{
  ms_result_header *h = &result->header;
  const char *text = ms_tsv_expect(result, "# mode: ");
  if (!text) {
    return MS_ERR_INPUT;
  }
  h->exact = strcmp(text, "exact") == 0;
  if (h->exact) {
    return MS_OK;
  }
  if (strcmp(text, "screened") != 0) {
    return ms_tsv_wrong(result, "mode");
  }
  text = ms_tsv_expect(result, "# recurrence: ");
  if (!text || (strcmp(text, "sibling") != 0 && strcmp(text, "classic") != 0)) {
    return text ? ms_tsv_wrong(result, "recurrence") : MS_ERR_INPUT;
  }
  if (!(text = ms_tsv_expect(result, "# seed: ")) || !ms_tsv_count(text, &h->seed) ||
      h->seed > INT64_MAX) {
    return text ? ms_tsv_wrong(result, "seed") : MS_ERR_INPUT;
  }
  if (!(text = ms_tsv_expect(result, "# repetitions: ")) || !read_repetitions(h, text)) {
    return text ? ms_tsv_wrong(result, "repetitions") : MS_ERR_INPUT;
  }
  h->line[MS_PART_REPETITIONS] = result->line;
  if (!(text = ms_tsv_expect(result, "# miss_bound: ")) || !read_bound(h, text)) {
    return text ? ms_tsv_wrong(result, "miss bound") : MS_ERR_INPUT;
  }
  h->line[MS_PART_BOUND] = result->line;
  text = ms_tsv_expect(result, "# miss_bound_union: ");
  if (!text || !ms_take_decimal(&text, h->bound_union) || *text) {
    return text ? ms_tsv_wrong(result, "union bound") : MS_ERR_INPUT;
  }
  h->line[MS_PART_UNION] = result->line;
  return MS_OK;
}

static ms_status tsv_header(ms_result *result, ms_error *err)
{
  ms_result_header *h = &result->header;
  (void)err;
  ms_status status = ms_tsv_read_command(result);
  if (status == MS_OK) {
    status = ms_tsv_read_inputs(result);
  }
  if (status == MS_OK) {
    status = read_motif(result);
  }
  if (status == MS_OK) {
    status = ms_tsv_read_sieve(result);
  }
  if (status != MS_OK) {
    return status;
  }
  const char *text = ms_tsv_expect(result, "# status: ");
  if (!text || !ms_read_status(text, &h->complete)) {
    return text ? ms_tsv_wrong(result, "status") : MS_ERR_INPUT;
  }
  if (h->is_screen && ms_tsv_comes(result, "# rows: ")) {
    text = ms_tsv_expect(result, "# rows: all");
    if (!text || *text) {
      return text ? ms_tsv_wrong(result, "choice of rows") : MS_ERR_INPUT;
    }
    h->all_rows = true;
  }
  text = ms_tsv_expect(result, h->is_screen ? "# flagged: " : "# matches: ");
  if (!text || !ms_tsv_count(text, &h->found)) {
    return text ? ms_tsv_wrong(result, "number of rows") : MS_ERR_INPUT;
  }
  h->line[MS_PART_FOUND] = result->line;
  text = ms_tsv_expect(result,
                       h->is_screen ? "vertex\tcolors\tflagged\trepetitions" : "match\tvertices");
  if (!text || *text) {
    return text ? ms_tsv_wrong(result, "line of column names") : MS_ERR_INPUT;
  }
  return MS_OK;
}

/* Cut the line at its tabs into exactly `columns` fields. */
static bool split_columns(char *line, char **field, int columns)
{
  int found = 1;
  field[0] = line;
  for (char *p = line; (p = strchr(p, '\t')); p++) {
    if (found == columns) {
      return false;
    }
    *p = '\0';
    field[found++] = p + 1;
  }
  return found == columns;
}

static ms_status tsv_row(ms_result *result, char *line, ms_error *err)
{
  ms_result_row *row = &result->row;
  bool is_screen = result->header.is_screen;
  char *field[4];
  uint64_t flagged = 0;
  if (!split_columns(line, field, is_screen ? 4 : 2)) {
    return ms_result_refuse(result, row->line, "the row does not have %d columns",
                            is_screen ? 4 : 2);
  }
  const char *first = field[0], *third = field[2], *fourth = field[3];
  if (!is_screen && (!ms_take_count(&first, UINT64_MAX, &row->number) || *first)) {
    return ms_result_refuse(result, row->line, "'%.40s' is no number of a match", field[0]);
  }
  if (is_screen && (!ms_take_count(&third, 1, &flagged) || *third ||
                    !ms_take_count(&fourth, UINT64_MAX, &row->repetitions) || *fourth)) {
    return ms_result_refuse(result, row->line, "flagged must be 0 or 1, repetitions a number");
  }
  row->vertex = field[0];
  row->flagged = flagged;
  char *rest = field[1];
  while (rest && (*field[1] || row->count)) { /* an empty field is an empty list */
    char *name = take_listed(&rest);
    if (!name) {
      return ms_result_refuse(result, row->line, "a quoted name is not closed before a comma");
    }
    ms_status status = ms_result_add_name(result, name, err);
    if (status != MS_OK) {
      return status;
    }
  }
  return MS_OK;
}

static bool tsv_end(const char *line, uint64_t *rows, uint32_t *crc32c)
{
  return ms_take_word(&line, "# end: rows=") && ms_take_count(&line, UINT64_MAX, rows) &&
         ms_take_word(&line, " crc32c=") && ms_take_crc32c(&line, crc32c) && !*line;
}

static void tsv_release(ms_result *result)
{
  (void)result;
}

const ms_result_format ms_result_tsv = {tsv_header, tsv_row, tsv_end, tsv_release};
