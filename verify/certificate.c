/* ms_verify_file: the header against the inputs, then the rows, then the
 * recount. */
#include "verify/certificate.h"

#include "base/alloc.h"
#include "base/status.h"
#include "verify/bound.h"
#include "verify/pattern_file.h"

#include <string.h>

static ms_status make_query(ms_certificate *c, ms_error *err)
{
  const ms_result_header *h = &c->result.header;
  ms_error reason;
  ms_status status = ms_motif_parse(h->motif, c->coloring, &c->motif, &reason);
  if (status != MS_OK) {
    return ms_refuse_words(c, MS_PART_MOTIF, status, &reason, err);
  }
  if (strcmp(ms_motif_text(c->motif), h->motif) != 0) {
    return ms_result_refuse(&c->result, h->line[MS_PART_MOTIF],
                            "the motif is not written in its canonical form '%.300s'",
                            ms_motif_text(c->motif));
  }
  if (ms_motif_size(c->motif) != h->k) {
    return ms_result_refuse(&c->result, h->line[MS_PART_K], "the motif has %u slots, not %u",
                            ms_motif_size(c->motif), h->k);
  }
  status =
      ms_query_new(c->graph, c->coloring, c->motif, h->n_required, h->required, &c->query, &reason);
  return status == MS_OK ? MS_OK : ms_refuse_words(c, MS_PART_REQUIRED, status, &reason, err);
}

static ms_status check_motif(ms_certificate *c, const char *graph_path, const char *colors_path,
                             ms_error *err)
{
  ms_status status = ms_result_read(&c->result, c->tape, err);
  if (status != MS_OK) {
    return status;
  }
  c->report->is_screen = c->result.header.is_screen;
  if (c->options->pattern) {
    return ms_fail(err, MS_ERR_USAGE,
                   "%s: the result is one of a colour motif; leave out --pattern", c->result.path);
  }
  status = ms_check_inputs(c, graph_path, colors_path, err);
  if (status == MS_OK) {
    status = make_query(c, err);
  }
  if (status == MS_OK) {
    status = ms_check_bound(&c->result, &c->certain);
    c->report->probabilistic = !c->certain;
  }
  if (status == MS_OK) {
    status = ms_check_rows(c, err);
  }
  return status == MS_OK ? ms_check_by_recount(c, err) : status;
}

static ms_status check_any(ms_certificate *c, const char *graph_path, const char *colors_path,
                           ms_error *err)
{
  const ms_pattern_format *format;
  ms_status status = ms_pattern_format_tell(c->tape, &format, &c->result.header.is_typed, err);
  if (status != MS_OK) {
    return status;
  }
  if (!format) {
    return check_motif(c, graph_path, colors_path, err);
  }
  return c->result.header.is_typed ? ms_check_typed(c, format, graph_path, colors_path, err)
                                   : ms_check_pattern(c, format, graph_path, colors_path, err);
}

ms_status ms_verify_file(const char *result_path, const char *graph_path, const char *colors_path,
                         const ms_verify_options *options, ms_verify_report *report, ms_error *err)
{
  static const ms_verify_options defaults;
  ms_tape tape;
  ms_certificate c = {.options = options ? options : &defaults, .report = report, .tape = &tape};
  memset(report, 0, sizeof *report);
  ms_result_init(&c.result, result_path);
  ms_status status = ms_tape_open(&tape, result_path, err);
  if (status == MS_OK) {
    status = check_any(&c, graph_path, colors_path, err);
  }
  report->accepted = status == MS_OK;
  if (c.result.refused) {
    memcpy(report->problem, c.result.problem, sizeof report->problem);
    status = MS_OK;
  }
  ms_query_free(c.query);
  ms_motif_free(c.motif);
  ms_coloring_free(c.coloring);
  ms_graph_free(c.graph);
  ms_free(c.matches);
  ms_free(c.row_of);
  ms_free(c.flagged);
  ms_result_close(&c.result);
  ms_tape_close(&tape);
  return status;
}
