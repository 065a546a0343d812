/* Merges parts of a count of a pattern.  A count combines numbers that the parts have sums of; how,
 * is planned again, so that the inputs are read from the paths that part 1 states. */
#include "run/merge/merge.h"

#include "base/alloc.h"
#include "base/status.h"
#include "query/pattern.h"
#include "run/match/typed.h"
#include "run/units/count_units.h"
#include "verify/certificate.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

/* Reads the leaves of all parts, which have no rows. */
static ms_status add_parts(ms_merging *m, ms_count_leaves *sum, ms_error *err)
{
  for (uint32_t i = 0; i < m->count; i++) {
    ms_count_leaves part = {0};
    bool more;
    MS_TRY(ms_merging_open_rows(m, i, err));
    MS_TRY(ms_merging_next_row(m, i, &more, err));
    if (more)
      return ms_fail(err, MS_ERR_INPUT, "%s: refused: a part of a count has no rows", m->path[i]);
    if (m->part[i].result.header.found != 0) /* in JSON, no checksum covers it */
      return ms_fail(err, MS_ERR_INPUT,
                     "%s: refused: a part of a count states sums in place of a number of matches",
                     m->path[i]);
    ms_error reason;
    ms_status status = ms_leaves_parse(m->part[i].result.header.division.counted, &part, &reason);
    if (status == MS_OK)
      status = ms_count_leaves_add(sum, &part, &reason);
    ms_count_leaves_free(&part);
    if (status != MS_OK)
      return ms_fail(err, status == MS_ERR_MEMORY ? status : MS_ERR_INPUT, "%s: refused: %s",
                     m->path[i], reason.message);
    ms_merging_close_rows(m, i);
    ms_merging_report(m, "parts merged", i + 1, m->count);
  }
  return MS_OK;
}

/* True if the pattern is a built-in or a text, and no file. */
static bool is_no_file(const ms_result_header *h)
{
  return h->pattern.name || h->has & MS_HAS_PATTERN_TEXT ||
         (ms_is_notation(h->pattern.file.path) && access(h->pattern.file.path, F_OK) != 0);
}

/* Sets the paths of the inputs to those that the header states. */
static ms_status take_paths(const ms_result_header *h, ms_certificate *c, ms_verify_options *o,
                            ms_merged_inputs *inputs, ms_error *err)
{
  bool own_labels = h->labels.path && strcmp(h->labels.path, MS_LABELS_OF_ALIASES) != 0;
  c->graph_path = h->graph_path;
  c->colors_path = h->coloring.format == MS_COLORS_GRAPH ? NULL : h->colors_path;
  o->aliases = h->alias.path;
  o->colors.obo = h->obo.path;
  o->colors.slim = h->slim.path;
  o->labels = own_labels ? h->labels.path : NULL;
  o->pattern = h->pattern.name ? h->pattern.name : h->pattern.file.path;
  o->pattern_colors = h->pattern.colors.path;
  o->typed.nodes = h->typed.nodes.path;
  o->typed.relations = h->typed.relations.path;
  const char **const paths[] = {&c->graph_path,     &c->colors_path, &o->aliases,
                                &o->colors.obo,     &o->colors.slim, &o->labels,
                                &o->pattern_colors, &o->typed.nodes, &o->typed.relations};
  for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
    MS_TRY(ms_merged_input(inputs, paths[i], err));
  return is_no_file(h) ? MS_OK : ms_merged_input(inputs, &o->pattern, err);
}

/* Finds the engine for which the parts are planned.  Its code says how, and need not run here. */
static ms_status find_planner(const ms_merging *m, ms_count_leaves *leaves, ms_error *err)
{
  const char *name = m->first.header.division.planned_for;
  return name ? ms_pattern_engine_planner(name, &leaves->planner, err) : MS_OK;
}

/* Finds the number that the leaves of all parts make. */
static ms_status combine(const ms_certificate *c, const ms_merging *m, ms_count_leaves *leaves,
                         ms_pattern_result **result, ms_error *err)
{
  const ms_result_header *h = &c->result.header;
  ms_pattern_index *index;
  ms_pattern_options o = MS_PATTERN_OPTIONS_DEFAULT;
  o.induced = h->pattern.induced;
  o.embeddings = h->pattern.embeddings;
  o.count_only = true;
  o.screen.run.engine = "cpu";
  o.screen_mode = MS_SCREEN_NEVER;
  o.screen.run.memory = m->options->run.memory;
  o.screen.run.stop = m->options->run.stop;
  MS_TRY(ms_pattern_index_new(c->graph, c->coloring, 0, &index, err));
  ms_status status = ms_pattern_count_merged(index, c->pattern, &o, leaves, result, err);
  ms_pattern_index_free(index);
  if (status == MS_OK && (*result)->run.stopped != MS_OK)
    status = ms_fail(err, (*result)->run.stopped, "the parts of a count were not merged in time");
  return status;
}

static ms_status write_number(ms_merging *m, const ms_pattern_result *r, ms_error *err)
{
  ms_writer *w = &m->writer;
  ms_result_header *h = &w->header;
  h->status = MS_RESULT_COMPLETE;
  h->subgraphs = r->subgraphs_text;
  h->embeddings = r->embeddings_text;
  h->pattern.engine = m->first.header.division.engine;
  h->found = r->matches;
  if (w->encoding == &ms_encoding_json)
    return ms_writer_count(w, err);
  ms_outfile_printf(w->out, "%s\n", r->count_text);
  return MS_OK;
}

/* Finds the number of matches of a typed pattern, and writes it. */
static ms_status combine_typed(ms_merging *m, ms_certificate *c, ms_count_leaves *leaves,
                               ms_error *err)
{
  ms_result_header *h = &m->writer.header;
  ms_typed_result *result = NULL;
  ms_typed_match_options o = MS_TYPED_MATCH_OPTIONS_DEFAULT;
  o.induced = h->pattern.induced;
  o.embeddings = h->pattern.embeddings;
  o.count_only = true;
  o.run.engine = "cpu";
  o.screen_mode = MS_SCREEN_NEVER;
  o.run.memory = m->options->run.memory;
  o.run.stop = m->options->run.stop;
  ms_status status = ms_typed_count_merged(c->typed_query, &o, leaves, &result, err);
  if (status == MS_OK && result->run.stopped != MS_OK)
    status = ms_fail(err, result->run.stopped, "the parts of a count were not merged in time");
  if (status == MS_OK) {
    h->status = MS_RESULT_COMPLETE;
    h->pattern.engine = m->first.header.division.engine;
    h->found = result->matches;
    h->count = result->count_text;
    if (m->writer.encoding == &ms_encoding_json)
      status = ms_writer_count(&m->writer, err);
    else
      ms_outfile_printf(m->writer.out, "%s\n", result->count_text);
  }
  ms_typed_result_free(result);
  return status;
}

static ms_status read_inputs(ms_certificate *c, ms_error *err)
{
  MS_TRY(ms_check_inputs(c, err));
  return c->result.header.kind == MS_KIND_TYPED ? ms_open_typed(c, err) : ms_open_pattern(c, err);
}

static ms_status read_and_combine(ms_merging *m, ms_certificate *c, ms_verify_options *o,
                                  ms_merged_inputs *inputs, ms_count_leaves *leaves, ms_error *err)
{
  ms_pattern_result *result = NULL;
  MS_TRY(ms_certificate_open(c, err));
  MS_TRY(take_paths(&c->result.header, c, o, inputs, err));
  MS_TRY(ms_merged_inputs_pass(inputs, &c->result, read_inputs(c, err), err));
  if (c->result.header.kind == MS_KIND_TYPED)
    return combine_typed(m, c, leaves, err);
  ms_status status = combine(c, m, leaves, &result, err);
  if (status == MS_OK)
    status = write_number(m, result, err);
  ms_pattern_result_free(result);
  return status;
}

/* Writes the number of matches of a motif: parts add up to it, and no inputs are needed. */
static ms_status write_sum(ms_merging *m, const ms_count_leaves *leaves, ms_error *err)
{
  ms_writer *w = &m->writer;
  char *text;
  mpz_t zero;
  mpz_init(zero);
  ms_status status = ms_number_text(leaves->count > 0 ? leaves->leaf[0].value : zero, &text, err);
  mpz_clear(zero);
  if (status != MS_OK)
    return status;
  w->header.status = MS_RESULT_COMPLETE;
  w->header.count = text;
  if (w->encoding == &ms_encoding_json)
    status = ms_writer_count(w, err);
  else
    ms_outfile_printf(w->out, "%s\n", text);
  w->header.count = NULL;
  ms_free(text);
  return status;
}

static ms_status merge_counts(ms_merging *m, ms_count_leaves *leaves, ms_error *err)
{
  ms_verify_options o = MS_VERIFY_OPTIONS_DEFAULT;
  ms_verify_report report;
  ms_tape tape;
  const char *path = m->path[m->by_number[0]];
  ms_certificate c = {.options = &o, .report = &report, .tape = &tape};
  o.run.stop = m->options->run.stop;
  MS_TRY(add_parts(m, leaves, err));
  if (m->first.header.kind == MS_KIND_LIST)
    return write_sum(m, leaves, err);
  MS_TRY(find_planner(m, leaves, err));
  ms_merged_inputs inputs = {.m = m};
  ms_certificate_init(&c, path);
  ms_status status = ms_tape_open(&tape, path, err);
  if (status == MS_OK)
    status = read_and_combine(m, &c, &o, &inputs, leaves, err);
  if (c.result.refused && inputs.count == 0)
    status = ms_fail(err, MS_ERR_INPUT, "%s: refused: %.450s", path, c.result.problem);
  ms_certificate_close(&c);
  ms_tape_close(&tape);
  ms_merged_inputs_free(&inputs);
  return status;
}

ms_status ms_merge_counts(ms_merging *m, ms_error *err)
{
  ms_count_leaves leaves = {0};
  ms_status status = merge_counts(m, &leaves, err);
  ms_count_leaves_free(&leaves);
  return status;
}
