#include "samples/samples.h"

#include "base/alloc.h"
#include "base/status.h"

#include <string.h>

/* ---- tables ----------------------------------------------------------------------- */

static const char *const usual_samples[] = {"sample",   "sample_id", "sampleid", "slide",
                                            "slide_id", "name",      NULL};
static const char *const usual_groups[] = {"group", "condition", "status", "treatment", NULL};
static const char *const usual_blocks[] = {"block", "batch", "pair", NULL};
static const char *const usual_graphs[] = {"graph", "network", NULL};
static const char *const usual_colors[] = {"colors", "colours", NULL};
static const char *const nothing[] = {NULL};

static ms_status split(ms_sample_table *t, ms_error *err)
{
  return ms_text_split(t->text, t->delimiter, MS_MAX_COLUMNS, t->columns.field, &t->columns.count,
                       err);
}

/* Refuses a table that lacks a column. */
static ms_status check_column(const ms_sample_table *t, ms_sample_part part, const char *what,
                              const char *hint, ms_error *err)
{
  if (t->column[part] != MS_NO_COLUMN)
    return MS_OK;
  return ms_text_fail(t->text, err, "the table has no column of %s; %s", what, hint);
}

static ms_status find_columns(ms_sample_table *t, const ms_sample_options *o, bool sheet,
                              ms_error *err)
{
  const ms_column_choice choice[MS_SAMPLE_PARTS] = {
      {o->sample_column, sheet ? usual_samples : nothing, "column of samples", "column of samples"},
      {o->group_column, sheet ? usual_groups : nothing, "column of groups", "column of groups"},
      {o->block_column, sheet ? usual_blocks : nothing, "column of blocks", "column of blocks"},
      {NULL, sheet ? usual_graphs : nothing, "column of graphs", "column of graphs"},
      {NULL, sheet ? usual_colors : nothing, "column of colour files", "column of colour files"},
      {sheet ? NULL : o->vertex_column, nothing, "column of vertices", "column of vertices"}};
  for (uint32_t p = 0; p < MS_SAMPLE_PARTS; p++)
    MS_TRY(ms_column_find(t->text, &t->columns, &choice[p], &t->column[p], err));
  if (!sheet && !o->vertex_column)
    t->column[MS_PART_OF_VERTEX] = 0;
  if (sheet) {
    MS_TRY(check_column(t, MS_PART_OF_SAMPLE, "samples",
                        "give one the title 'sample', or choose it by `sample_column`", err));
    MS_TRY(check_column(t, MS_PART_OF_GRAPH, "graphs",
                        "its title is 'graph', and its cells are the paths of the graph files",
                        err));
  }
  MS_TRY(check_column(t, MS_PART_OF_GROUP, "groups",
                      sheet ? "give one the title 'group', or choose it by `group_column`"
                            : "choose it by `group_column`",
                      err));
  for (uint32_t p = 0; p < MS_SAMPLE_PARTS; p++)
    for (uint32_t q = 0; q < p; q++)
      if (t->column[p] != MS_NO_COLUMN && t->column[p] == t->column[q])
        return ms_text_fail(t->text, err, "column %u is chosen as the %s and as the %s",
                            t->column[p] + 1, choice[q].what, choice[p].what);
  return MS_OK;
}

ms_status ms_sample_table_open(ms_sample_table *t, const char *path,
                               const ms_sample_options *options, bool sheet, ms_error *err)
{
  memset(t, 0, sizeof *t);
  MS_TRY(ms_text_open(path, &t->text, err));
  MS_TRY(ms_text_next_data(t->text, err));
  if (!t->text->line)
    return ms_text_fail(t->text, err, "the file is empty; it needs a line of titles");
  t->delimiter = ms_text_delimiter(t->text);
  ms_text_set_delimiter(t->text, t->delimiter);
  t->text->quoted =
      t->text->line[0] == '"' && (t->delimiter == MS_TAB || t->delimiter == MS_BLANKS);
  MS_TRY(split(t, err));
  if (t->columns.count == MS_MAX_COLUMNS)
    return ms_text_fail(t->text, err,
                        "the table has %u columns or more; leave out those that are not needed",
                        MS_MAX_COLUMNS);
  t->wanted = t->columns.count;
  return find_columns(t, options, sheet, err);
}

ms_status ms_sample_table_next(ms_sample_table *t, bool *more, ms_error *err)
{
  MS_TRY(ms_text_next_data(t->text, err));
  *more = t->text->line != NULL;
  if (!*more)
    return MS_OK;
  MS_TRY(split(t, err));
  if (t->columns.count != t->wanted)
    return ms_text_fail(t->text, err,
                        "expected %u columns, separated by %s, as in the line of titles, found %u; "
                        "complete the line",
                        t->wanted, ms_delimiter_name(t->delimiter), t->columns.count);
  return MS_OK;
}

ms_field ms_sample_table_cell(const ms_sample_table *t, ms_sample_part part)
{
  if (t->column[part] == MS_NO_COLUMN)
    return (ms_field){"", 0};
  return t->columns.field[t->column[part]];
}

/* ---- samples ---------------------------------------------------------------------- */

ms_status ms_samples_new(const char *path, bool blocks, ms_samples **out, ms_error *err)
{
  ms_samples *s = ms_calloc(1, sizeof *s);
  *out = s;
  if (!s || !(s->path = ms_strdup(path)))
    return ms_fail_memory(err, "samples");
  s->info.path = s->path;
  MS_TRY(ms_names_new(&s->names, err));
  MS_TRY(ms_names_new(&s->groups, err));
  return blocks ? ms_names_new(&s->blocks, err) : MS_OK;
}

static ms_status add_name(const ms_sample_table *t, ms_names *names, ms_field cell,
                          const char *what, uint32_t *id, ms_error *err)
{
  MS_TRY(ms_text_check_name(t->text, cell, what, err));
  return ms_names_add(names, cell.text, cell.length, id, err);
}

/* Refuses a line whose group or block is not that of the first line of the sample. */
static ms_status fail_other(const ms_samples *s, const ms_sample_table *t, uint32_t sample,
                            const char *what, const ms_names *names, uint32_t first, uint32_t here,
                            ms_error *err)
{
  return ms_text_fail(t->text, err,
                      "sample '%s' is in %s '%s' here, and in '%s' in line %llu; a sample is in "
                      "one %s",
                      ms_names_get(s->names, sample), what, ms_names_get(names, here),
                      ms_names_get(names, first), (unsigned long long)s->entry[sample].line, what);
}

ms_status ms_samples_add(ms_samples *s, const ms_sample_table *t, uint32_t *sample, bool *is_new,
                         ms_error *err)
{
  uint32_t group, block = MS_NO_ID;
  ms_field name = ms_sample_table_cell(
      t, t->column[MS_PART_OF_SAMPLE] == MS_NO_COLUMN ? MS_PART_OF_GROUP : MS_PART_OF_SAMPLE);
  MS_TRY(add_name(t, s->names, name, "sample", sample, err));
  MS_TRY(add_name(t, s->groups, ms_sample_table_cell(t, MS_PART_OF_GROUP), "group", &group, err));
  if (s->blocks)
    MS_TRY(add_name(t, s->blocks, ms_sample_table_cell(t, MS_PART_OF_BLOCK), "block", &block, err));
  s->info.groups = ms_names_count(s->groups);
  s->info.blocks = s->blocks ? ms_names_count(s->blocks) : 0;
  *is_new = *sample == s->info.samples;
  if (!*is_new) {
    const ms_sample_entry *e = &s->entry[*sample];
    if (e->group != group)
      return fail_other(s, t, *sample, "group", s->groups, e->group, group, err);
    if (e->block != block)
      return fail_other(s, t, *sample, "block", s->blocks, e->block, block, err);
    return MS_OK;
  }
  if (*sample == MS_MAX_SAMPLES || s->info.groups > MS_MAX_GROUPS)
    return ms_text_fail(t->text, err,
                        "there are more than %u samples or %u groups; is this the right column?",
                        MS_MAX_SAMPLES, MS_MAX_GROUPS);
  if (!MS_GROW(s->entry, s->room, s->info.samples, 1))
    return ms_fail_memory(err, "samples");
  s->entry[s->info.samples++] =
      (ms_sample_entry){.name = *sample, .group = group, .block = block, .line = t->text->number};
  return MS_OK;
}

void ms_samples_free(ms_samples *s)
{
  if (!s)
    return;
  for (uint32_t i = 0; i < s->info.samples; i++) {
    ms_coloring_free(s->entry[i].owned_coloring);
    ms_graph_free(s->entry[i].owned);
  }
  ms_free(s->entry);
  ms_names_free(s->names);
  ms_names_free(s->groups);
  ms_names_free(s->blocks);
  ms_free(s->path);
  ms_free(s);
}

ms_samples_info ms_samples_describe(const ms_samples *s)
{
  return s ? s->info : (ms_samples_info){0};
}

ms_sample_info ms_samples_get(const ms_samples *s, uint32_t i)
{
  if (!s || i >= s->info.samples)
    return (ms_sample_info){0};
  const ms_sample_entry *e = &s->entry[i];
  return (ms_sample_info){.name = ms_names_get(s->names, e->name),
                          .group = ms_names_get(s->groups, e->group),
                          .block = s->blocks ? ms_names_get(s->blocks, e->block) : NULL,
                          .group_id = e->group,
                          .block_id = s->blocks ? e->block : 0,
                          .graph = e->graph,
                          .coloring = e->coloring};
}
