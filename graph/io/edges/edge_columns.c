/* The columns of an edge list; see edge_columns.h. */
#include "graph/io/edges/edge_columns.h"

#include "base/alloc.h"
#include "base/status.h"
#include "graph/io/columns.h"
#include "graph/io/edges/directions.h"
#include "graph/io/edges/not_edges.h"
#include "graph/io/header_check.h"
#include "graph/io/titles.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct search {
  ms_text at; /* only label and line number, for messages */
  const ms_graph_options *options;
  const char *type_column; /* as chosen */
  const ms_sample *sample;
  bool konect;    /* the first line is "% sym weighted" or alike */
  bool titled;    /* `row` is a header, and not the first line of data */
  uint32_t shift; /* 1: R wrote the table with names of rows, which have no title; else 0 */
  ms_table_columns row;
  ms_edge_columns *out;
} search;

/* ---- the header ------------------------------------------------------------ */

static void set_row(search *s, const ms_sample_line *line, bool titled)
{
  s->at.number = line->number;
  s->titled = titled;
  s->row.count = line->count < MS_MAX_COLUMNS ? line->count : MS_MAX_COLUMNS;
  memcpy(s->row.field, s->sample->cell + line->first, s->row.count * sizeof *s->row.field);
}

static bool is_name(const char *column)
{
  return column && !ms_column_is_number(column);
}

static bool has_title(const ms_table_columns *row, const char *title)
{
  for (uint32_t i = 0; i < row->count; i++)
    if (ms_field_is(row->field[i], title))
      return true;
  return false;
}

/* Does the row have every column that the options name, at least one? */
static bool has_chosen_titles(const search *s)
{
  const ms_graph_options *o = s->options;
  const char *chosen[] = {o->source_column, o->target_column, o->score_column, s->type_column};
  uint32_t names = 0;
  for (int i = 0; i < 4; i++)
    if (is_name(chosen[i]) && strcmp(chosen[i], MS_NO_TYPES) != 0) {
      names++;
      if (!has_title(&s->row, chosen[i]))
        return false;
    }
  return names > 0;
}

/* Is the row a header by its titles, none of which names a vertex below?  A single line "v1 v2" is
 * an edge. */
static bool has_ends(const search *s)
{
  uint32_t ends[2];
  if (ms_titles_find_ends(s->row.field, s->row.count, ends) == 0 ||
      ms_title_recurs(s->sample, ends[0], ends[1]))
    return false;
  return s->sample->lines > 1 ||
         ms_titles_stem(s->row.field[ends[0]], s->row.field[ends[1]]).length == 0;
}

static bool names_columns(const search *s)
{
  const ms_graph_options *o = s->options;
  return is_name(o->source_column) || is_name(o->target_column) || is_name(o->score_column) ||
         (is_name(s->type_column) && strcmp(s->type_column, MS_NO_TYPES) != 0);
}

/* Does each line below a header whose titles are known have one cell more? */
static bool has_row_names(const search *s)
{
  const ms_sample *sample = s->sample;
  uint32_t ends[2];
  if (!names_columns(s) && ms_titles_find_ends(s->row.field, s->row.count, ends) == 0)
    return false;
  for (uint32_t i = 1; i < sample->lines; i++)
    if (sample->line[i].count != sample->line[0].count + 1)
      return false;
  return s->out->header && sample->lines > 1;
}

/* Do the lines below two numbers hold names only, which are as many as the numbers say? */
static ms_status find_sizes_of_names(const search *s, bool *found, ms_error *err)
{
  enum { LEAST = 2 }; /* lines */
  const ms_sample *sample = s->sample;
  const uint64_t *size = s->out->sizes.number, lines = sample->lines - 1;
  ms_names *names = NULL;
  double value;
  uint32_t id;
  *found = lines >= LEAST && size[0] > 1 &&
           (sample->cut ? size[1] * 2 >= lines : size[1] == lines || size[1] * 2 == lines);
  ms_status status = ms_names_new(&names, err);
  for (uint32_t cell = 2; cell < 2 * sample->lines && *found && status == MS_OK; cell++) {
    ms_field name = ms_sample_cell(sample, cell / 2, cell % 2);
    *found = !ms_name_problem(name.text, name.length) && !ms_field_real(name, &value);
    if (*found)
      status = ms_names_add(names, name.text, name.length, &id, err);
  }
  *found = *found && status == MS_OK && ms_names_count(names) <= size[0];
  ms_names_free(names);
  return status;
}

/* May the first line state sizes?  It begins with two numbers, and has more columns than all other
 * lines, or a third number, which ms_sizes_check looks at. */
static ms_status find_sizes(search *s, ms_error *err)
{
  enum { LEAST = 3 }; /* lines: fewer prove nothing where others have three columns */
  const ms_sample *sample = s->sample;
  const ms_graph_options *o = s->options;
  ms_sizes *sizes = &s->out->sizes;
  uint32_t columns = sample->line[0].count, numbers = 0, pairs = 1;
  bool named = false;
  if (o->no_header || o->header || o->source_column || o->target_column)
    return MS_OK;
  while (numbers < 3 &&
         ms_field_count(ms_sample_cell(sample, 0, numbers), UINT32_MAX, &sizes->number[numbers]))
    numbers++;
  while (pairs < sample->lines && sample->line[pairs].count == sample->line[1].count)
    pairs++;
  if (numbers == 2 && columns == 2)
    MS_TRY(find_sizes_of_names(s, &named, err));
  if (named)
    return ms_text_fail(&s->at, err,
                        "the line may be an edge, or state %" PRIu64 " vertices and %" PRIu64
                        " edges, because the lines below hold names; say that it is an edge "
                        "(`no_header`), or that it is not (`header`)",
                        sizes->number[0], sizes->number[1]);
  if (numbers == 3 && columns == 3)
    sizes->line = sample->line[0].number;
  uint32_t others = sample->lines > 1 ? sample->line[1].count : 0;
  bool unlike = pairs == sample->lines && others > 1 && others != columns &&
                (others == 2 || pairs > LEAST) && s->out->counted.line == 0;
  return numbers >= 2 && unlike
             ? ms_text_fail(
                   &s->at, err,
                   "the line has %" PRIu32
                   " columns and begins with numbers, where the lines below have %" PRIu32
                   " columns: it may state sizes of the graph; say that it is an edge "
                   "(`no_header`), or that it is not (`header`); if the graph is bipartite "
                   "and its columns are numbered separately, put a letter in front of the "
                   "numbers of one column",
                   columns, others)
             : MS_OK;
}

/* Finds the header: the first line of data, or the comment above it. */
static void find_header(search *s)
{
  const ms_sample *sample = s->sample;
  const ms_graph_options *o = s->options;
  const ms_sample_line *first = &sample->line[0];
  bool named = names_columns(s);
  set_row(s, first, o->header);
  if (!o->header && !o->no_header && !named)
    s->out->recognized = s->titled = has_ends(s);
  else if (!o->header && !o->no_header)
    s->titled = has_chosen_titles(s);
  s->out->header = s->titled;
  if (s->out->counted.line > 0 && sample->lines > 1) {
    s->out->header = true;
    s->out->recognized = s->titled = false;
    set_row(s, &sample->line[1], false);
  }
  if (s->out->header || sample->comment.count < 2)
    return;
  uint32_t ends[2];
  set_row(s, &sample->comment, true);
  if (has_chosen_titles(s) || (!named && sample->comment.count == first->count &&
                               ms_titles_find_ends(s->row.field, s->row.count, ends) > 0))
    return;
  set_row(s, first, false);
}

/* ---- the columns ----------------------------------------------------------- */

static ms_status number_column(const search *s, const char *chosen, const char *what,
                               uint32_t *column, ms_error *err)
{
  uint64_t number;
  uint32_t count = s->row.count + s->shift;
  if (!ms_field_count((ms_field){chosen, strlen(chosen)}, count, &number) || number == 0)
    return ms_text_fail(&s->at, err,
                        "the %s should be column %.20s, but the line has %u columns; columns are "
                        "numbered from 1",
                        what, chosen, count);
  *column = (uint32_t)number - 1;
  return MS_OK;
}

static ms_status chosen_column(const search *s, const char *chosen, const char *what,
                               const char *option, uint32_t *column, ms_error *err)
{
  const ms_column_choice choice = {chosen, NULL, what, option};
  if (ms_column_is_number(chosen) && !(s->titled && has_title(&s->row, chosen)))
    return number_column(s, chosen, what, column, err);
  MS_TRY(ms_column_find(&s->at, &s->row, &choice, column, err));
  *column += s->shift;
  return MS_OK;
}

/* Where one end is chosen, the other is the column whose title goes with it. */
static ms_status other_end(const search *s, uint32_t known, const char *option, uint32_t *column,
                           ms_error *err)
{
  *column = s->titled && known >= s->shift
                ? ms_titles_other_end(s->row.field, s->row.count, known - s->shift)
                : MS_NO_COLUMN;
  if (*column != MS_NO_COLUMN)
    *column += s->shift;
  else
    return ms_text_fail(&s->at, err,
                        "only one end of the edges is chosen, column %u; choose the other, too, by "
                        "%s",
                        known + 1, option);
  return MS_OK;
}

static ms_status find_ends(search *s, ms_error *err)
{
  const ms_graph_options *o = s->options;
  ms_edge_columns *c = s->out;
  uint32_t ends[2] = {0, 1};
  c->pairs = s->titled ? ms_titles_find_ends(s->row.field, s->row.count, ends) : 0;
  c->source = ends[0] + s->shift;
  c->target = ends[1] + s->shift;
  if (o->source_column)
    MS_TRY(chosen_column(s, o->source_column, "column of sources",
                         "source column (`source_column`)", &c->source, err));
  if (o->target_column)
    MS_TRY(chosen_column(s, o->target_column, "column of targets",
                         "target column (`target_column`)", &c->target, err));
  if (o->source_column && !o->target_column)
    MS_TRY(other_end(s, c->source, "`target_column`", &c->target, err));
  if (o->target_column && !o->source_column)
    MS_TRY(other_end(s, c->target, "`source_column`", &c->source, err));
  if (c->source == c->target)
    return ms_text_fail(&s->at, err,
                        "sources and targets would both be column %u; choose two columns",
                        c->source + 1);
  return MS_OK;
}

/* Returns the column with one of these titles. */
static uint32_t titled_column(const search *s, const char *const *titles)
{
  uint32_t column = s->titled ? ms_column_usual(s->row.field, s->row.count, titles) : MS_NO_COLUMN;
  return column == MS_NO_COLUMN ? column : column + s->shift;
}

static ms_status find_type(search *s, ms_error *err)
{
  ms_edge_columns *c = s->out;
  if (s->type_column && strcmp(s->type_column, MS_NO_TYPES) == 0)
    return MS_OK;
  if (s->type_column)
    MS_TRY(chosen_column(s, s->type_column, "column of types", "type column (`type_column`)",
                         &c->type, err));
  else
    c->type = titled_column(s, ms_type_titles);
  c->signs = ms_sample_has_sign(s->sample, c->type);
  if (c->type != c->source && c->type != c->target)
    return MS_OK;
  if (s->type_column)
    return ms_text_fail(&s->at, err,
                        "column %u would hold types and ends of edges; choose another type column "
                        "(`type_column`)",
                        c->type + 1);
  c->type = MS_NO_COLUMN;
  return MS_OK;
}

/* Finds the column that says which way edges point, in a directed graph.  It may be called "type":
 * then there are no types.  A column whose title says that it is one must hold words that are
 * understood. */
static ms_status find_direction(search *s, ms_error *err)
{
  ms_edge_columns *c = s->out;
  const char *chosen = s->options->direction_column;
  if (c->type != MS_NO_COLUMN && !s->type_column && s->titled &&
      ms_column_has_directions(s->sample, c->header, c->type, false)) {
    c->direction = c->type;
    c->type = MS_NO_COLUMN;
  }
  if (chosen && strcmp(chosen, MS_NO_TYPES) == 0) {
    c->direction = MS_NO_COLUMN;
    c->undirected = false;
    return MS_OK;
  }
  if (chosen)
    MS_TRY(chosen_column(s, chosen, "column of directions", "direction column (`direction_column`)",
                         &c->direction, err));
  else if (c->direction == MS_NO_COLUMN)
    c->direction = titled_column(s, ms_direction_titles);
  for (uint32_t i = 0; i < s->row.count && c->direction == MS_NO_COLUMN; i++)
    if (i != c->source && i != c->target && i != c->type &&
        ms_column_has_directions(s->sample, c->header, i, s->titled))
      c->direction = i;
  if (c->direction == c->source || c->direction == c->target) {
    if (chosen)
      return ms_text_fail(&s->at, err,
                          "column %u would hold directions and ends of edges; choose another "
                          "direction column (`direction_column`)",
                          c->direction + 1);
    c->direction = MS_NO_COLUMN;
  }
  if (c->direction != MS_NO_COLUMN)
    c->undirected = false; /* the column knows better than the head of the file */
  if (c->direction != MS_NO_COLUMN && s->titled && c->direction >= s->shift)
    c->truth = ms_title_is_truth(s->row.field[c->direction - s->shift], &c->undirected);
  return MS_OK;
}

static ms_status find_score(search *s, ms_error *err)
{
  const ms_graph_options *o = s->options;
  ms_edge_columns *c = s->out;
  c->score = MS_NO_COLUMN;
  const char *why = o->min_score > 0 ? "a minimum score is given" : "scores are wanted";
  bool counted = o->combine && strcmp(o->combine, "count") == 0 && !o->score_column;
  if ((!(o->min_score > 0) && !o->score_column && !o->keep_scores) || counted)
    return MS_OK;
  if (o->score_column)
    MS_TRY(chosen_column(s, o->score_column, "column of scores", "score column (`score_column`)",
                         &c->score, err));
  else
    c->score = titled_column(s, ms_score_titles);
  if (s->row.count < 2)
    return MS_OK; /* the reader refuses the line */
  if (c->score == MS_NO_COLUMN && s->row.count == 2)
    return ms_fail(err, MS_ERR_USAGE,
                   "%s: %s, but the file has %u columns, and no scores; "
                   "ask for no scores, or give a STRING file, whose header begins with 'protein1 "
                   "protein2', or an edge list with scores",
                   s->at.label, why, s->row.count);
  if (c->score == MS_NO_COLUMN && s->row.count == 3 && c->source + c->target <= 3)
    c->score = 3 - c->source - c->target;
  if (c->score == MS_NO_COLUMN && s->konect && s->row.count == 4 && c->source + c->target == 1)
    c->score = 2; /* the fourth column is a time */
  if (c->score == MS_NO_COLUMN)
    return ms_text_fail(&s->at, err,
                        "%s, but none of the %u columns is called 'score' or "
                        "'weight'; choose the score column (`score_column`), by name or number",
                        why, s->row.count);
  if (c->score == c->source || c->score == c->target)
    return ms_text_fail(
        &s->at, err,
        "column %u would hold scores and ends of edges; choose another score column "
        "(`score_column`)",
        c->score + 1);
  return MS_OK;
}

/* Keeps the titles of the ends for ms_edge_columns_check. */
static ms_status keep_titles(search *s, ms_error *err)
{
  ms_edge_columns *c = s->out;
  const uint32_t ends[2] = {c->source, c->target};
  for (int i = 0; i < 2 && c->recognized; i++) {
    ms_field title = s->row.field[ends[i] - s->shift];
    c->titles[i] = ms_alloc(title.length + 1, 1);
    if (!c->titles[i])
      return ms_fail_memory(err, "a header");
    memcpy(c->titles[i], title.text, title.length);
    c->titles[i][title.length] = '\0';
  }
  return MS_OK;
}

/* ---- columns that are not read ----------------------------------------------- */

/* What the cells of a column below the header are. */
typedef struct content {
  uint32_t numbers, words;
  bool vary; /* not all of them are equal */
} content;

static content look_at_column(const search *s, uint32_t column)
{
  const ms_sample *sample = s->sample;
  content found = {.numbers = 0};
  ms_field before = {NULL, 0};
  double value;
  for (uint32_t i = s->out->header; i < sample->lines; i++) {
    ms_field cell = ms_sample_cell(sample, i, column);
    if (ms_field_missing(cell))
      continue;
    if (ms_field_decimal(cell, sample->delimiter, &value))
      found.numbers++;
    else
      found.words++;
    found.vary |= before.text && (cell.length != before.length ||
                                  memcmp(cell.text, before.text, cell.length) != 0);
    before = cell;
  }
  return found;
}

/* Notes a third column of words, which may be types of edges, or numbers, which may be scores.
 * Columns of a table with a header are known to its user. */
static void find_unread(search *s)
{
  ms_edge_columns *c = s->out;
  uint32_t usual = titled_column(s, ms_score_titles), third = 0;
  while (third == c->source || third == c->target)
    third++;
  bool chosen = s->options->source_column || s->options->target_column;
  uint32_t column = s->titled ? usual : chosen ? MS_NO_COLUMN : third;
  if (column == MS_NO_COLUMN || column == c->type || column == c->score || column == c->direction)
    return;
  content found = look_at_column(s, column);
  if (found.numbers > 0 && found.words == 0 && found.vary && c->score == MS_NO_COLUMN)
    c->unread_numbers = column;
  if (s->titled || found.words <= found.numbers || s->type_column)
    return;
  ms_field word = ms_sample_cell(s->sample, 0, column);
  c->unread_words = column;
  if (!ms_name_problem(word.text, word.length))
    snprintf(c->word, sizeof c->word, "%.*s",
             word.length < sizeof c->word ? (int)word.length
                                          : ms_name_clip(word.text, sizeof c->word - 1),
             word.text);
}

/* ---- all of it ------------------------------------------------------------- */

static ms_status find_columns(search *s, ms_error *err)
{
  const ms_graph_options *o = s->options;
  ms_edge_columns *c = s->out;
  find_header(s);
  MS_TRY(find_sizes(s, err));
  s->shift = s->titled && has_row_names(s);
  c->line = s->sample->line[0].number;
  c->columns = s->sample->line[0].count;
  c->uniform = UINT64_MAX;
  for (uint32_t i = 1; i < s->sample->lines && c->uniform == UINT64_MAX; i++)
    if (s->sample->line[i].count != c->columns)
      c->uniform = s->sample->line[i].number;
  MS_TRY(find_ends(s, err));
  MS_TRY(find_type(s, err));
  MS_TRY(find_direction(s, err));
  if (!o->source_column && !o->target_column && !o->no_header && c->pairs == 0)
    MS_TRY(ms_refuse_not_edges(&s->at, s->sample, c->header, c->type != MS_NO_COLUMN,
                               o->format == MS_FORMAT_EDGE_LIST, err));
  if (o->format != MS_FORMAT_EDGE_LIST && !o->source_column && !o->target_column)
    MS_TRY(ms_ask_for_section(&s->at, s->sample, err));
  if (!o->source_column && !o->target_column)
    MS_TRY(ms_refuse_points(&s->at, s->sample, c->header, c->source, c->target, err));
  if (!c->header && !o->no_header)
    MS_TRY(ms_ask_for_header(&s->at, s->sample, c->source, c->target, err));
  if (c->recognized && s->sample->lines < 2)
    return ms_text_fail(&s->at, err,
                        "the only line looks like a header; add edges below it or, if it is an "
                        "edge, say that there is no header (`no_header`)");
  if (c->pairs == 0 && !o->source_column && !o->target_column)
    MS_TRY(ms_ask_for_columns(&s->at, s->sample, c->header, err));
  MS_TRY(find_score(s, err));
  find_unread(s);
  return keep_titles(s, err);
}

/* Is the first line one of numbers?  Asks, where it may as well be an edge. */
static ms_status find_counted(ms_text *text, const ms_graph_options *o, ms_edge_columns *columns,
                              ms_error *err)
{
  ms_head head;
  ms_counted *c = &columns->counted;
  size_t at = 0;
  ms_field line;
  if (o->no_header || o->source_column || o->target_column)
    return MS_OK;
  MS_TRY(ms_head_read(text->label, text, &head, err));
  if (!ms_head_is_counted(&head, c)) {
    *c = (ms_counted){.line = 0};
    return MS_OK;
  }
  do
    c->line++;
  while (ms_head_next_line(&head, &at, &line) && !ms_line_holds_data(line.text, line.length));
  ms_text there = {.label = text->label, .number = c->line};
  return c->both && !o->header
             ? ms_text_fail(&there, err,
                            "the line may be an edge, or state %llu vertices and %llu edges, which "
                            "is how many follow; say that it is an edge (`no_header`), or that it "
                            "is not (`header`)",
                            (unsigned long long)c->n, (unsigned long long)c->m)
             : MS_OK;
}

/* *undirected: the head says that edges are, as KONECT and SNAP do. */
static bool is_konect(ms_text *text, bool *undirected)
{
  ms_head head;
  ms_field line, word;
  size_t at = 0;
  *undirected = false;
  if (ms_head_read(text->label, text, &head, NULL) != MS_OK ||
      !ms_head_next_line(&head, &at, &line))
    return false;
  do
    *undirected |= ms_field_begins(line, "# Undirected graph");
  while (ms_head_next_line(&head, &at, &line) && ms_field_begins(line, "#"));
  at = 0;
  ms_head_next_line(&head, &at, &line);
  if (!ms_field_word(&line, &word) || !ms_field_is(word, "%") || !ms_field_word(&line, &word))
    return false;
  *undirected |= ms_field_is(word, "sym");
  return ms_field_is(word, "sym") || ms_field_is(word, "asym");
}

ms_status ms_edge_columns_find(ms_text *text, const ms_graph_options *options,
                               const char *type_column, ms_edge_columns *columns, ms_error *err)
{
  ms_sample *sample = NULL;
  *columns = (ms_edge_columns){.source = 0,
                               .target = 1,
                               .score = MS_NO_COLUMN,
                               .type = MS_NO_COLUMN,
                               .direction = MS_NO_COLUMN,
                               .unread_words = MS_NO_COLUMN,
                               .unread_numbers = MS_NO_COLUMN};
  if (options->header && options->no_header)
    return ms_fail(err, MS_ERR_USAGE,
                   "%s: `header` and `no_header` contradict each other; leave one of the two out",
                   text->label);
  MS_TRY(find_counted(text, options, columns, err));
  MS_TRY(ms_sample_read(text, ms_text_delimiter, &sample, err));
  columns->delimiter = sample->delimiter;
  columns->quoted = sample->quoted;
  columns->header = options->header;
  search s = {.at = {.label = text->label},
              .options = options,
              .type_column = type_column,
              .sample = sample,
              .out = columns};
  s.konect = is_konect(text, &columns->undirected);
  ms_status status = sample->lines > 0 ? find_columns(&s, err) : MS_OK;
  ms_sample_free(sample);
  return status;
}

void ms_edge_columns_free(ms_edge_columns *columns)
{
  ms_free(columns->titles[0]);
  ms_free(columns->titles[1]);
  columns->titles[0] = columns->titles[1] = NULL;
}

ms_status ms_edge_columns_check(const ms_edge_columns *columns, const ms_text *text,
                                const ms_names *vertices, ms_error *err)
{
  ms_text at = {.label = text->label, .number = columns->line};
  for (int i = 0; i < 2 && columns->recognized; i++)
    if (ms_names_find(vertices, columns->titles[i], strlen(columns->titles[i])) != MS_NO_ID)
      return ms_text_fail(
          &at, err,
          "the line looks like a header, but a later line also has a vertex '%.*s'; say "
          "whether the line is a header (`header`) or not (`no_header`)",
          ms_name_clip(columns->titles[i], strlen(columns->titles[i])), columns->titles[i]);
  return MS_OK;
}
