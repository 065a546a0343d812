/* ms_report_write: checks the result, reads it and the part of the graph that its rows need, and
 * writes the page. */
#include "report/page.h"

#include "base/meter.h"
#include "base/numbers.h"
#include "base/options.h"
#include "base/status.h"
#include "base/stop.h"
#include "report/web.h"

#include <string.h>

/* Results whose vertices are drawn, also at their positions.  Those of walks.h are drawn without
 * positions, and all others are numbers of motifs. */
#define DRAWN                                                                                      \
  (MS_KINDS_OF_VERTICES | MS_KIND_PARTICIPATION | MS_KIND_LIST | MS_KIND_NEAREST_LIST |            \
   MS_KIND_PATTERN | MS_KIND_TYPED)

/* Vertices in no row whose positions a report holds: 8 bytes each. */
#define MOST_PLACES 1000000u

bool ms_report_can_draw(void)
{
  return ms_web_cytoscape.size > 0;
}

/* Reads the header of the result, to see whether anything of it can be checked.  A file that cannot
 * be read has errors that are found, and told, later. */
static bool can_be_verified(const char *result_path, const ms_verify_options *options)
{
  ms_error unused;
  ms_verify_report report;
  ms_tape tape = {0};
  ms_certificate c = {.options = options, .report = &report, .tape = &tape};
  ms_meter meter;
  ms_numbers_begin();
  ms_certificate_init(&c, result_path);
  ms_meter_open(&meter, 0, result_path, &tape.line);
  c.result.reads_all = true;
  bool read = ms_tape_open(&tape, result_path, &unused) == MS_OK &&
              ms_certificate_open(&c, &unused) == MS_OK;
  const ms_result_header *h = &c.result.header;
  bool never = read && (h->kind & MS_KINDS_OF_MOTIFS || h->has & MS_HAS_INEXACT);
  ms_certificate_close(&c);
  ms_numbers_end();
  ms_tape_close(&tape);
  ms_meter_close(&meter);
  return !never;
}

static ms_status check(const char *result_path, const char *graph_path, const char *colors_path,
                       const ms_report_options *o, ms_report_info *info, ms_error *err)
{
  if (!graph_path || o->no_verify)
    return MS_OK;
  if (strcmp(result_path, "-") == 0)
    return ms_fail(err, MS_ERR_USAGE,
                   "a result from standard input cannot be checked and then read again; give a "
                   "file, or set `no_verify`");
  if (!can_be_verified(result_path, &o->verify))
    return MS_OK;
  if (strcmp(graph_path, "-") == 0)
    return ms_fail(
        err, MS_ERR_USAGE,
        "a graph from standard input cannot be read for the check and then again for the "
        "page; give a file, or set `no_verify`");
  MS_TRY(ms_verify_file(result_path, graph_path, colors_path, &o->verify, &info->verdict, err));
  MS_TRY(ms_stop_poll("the result is checked", err));
  if (info->verdict.outcome == MS_VERIFY_REFUSED)
    return ms_fail(err, MS_ERR_INPUT, "%s: refused: %s", result_path, info->verdict.problem);
  info->verified = true;
  if (o->verify.progress)
    o->verify.progress(o->verify.progress_user, "the page is made", 0, 0);
  return MS_OK;
}

/* Reads the graph and what belongs to it, which must be those of the header.  Of a comparison of
 * samples, only the check reads them. */
static ms_status open_inputs(ms_certificate *c, const ms_report_options *o, ms_error *err)
{
  const ms_result_header *h = &c->result.header;
  if (o->positions && !c->graph_path)
    return ms_fail(err, MS_ERR_USAGE,
                   "`positions` are those of the vertices of a graph; give the "
                   "graph, too");
  if (o->positions && h->kind & MS_KINDS_OF_WALKS)
    return ms_fail(err, MS_ERR_USAGE,
                   "%s: reports of %s do not draw vertices at `positions`; leave them out",
                   c->result.path, h->kind == MS_KIND_PATH ? "paths" : "components");
  if (o->positions && !(h->kind & DRAWN))
    return ms_fail(
        err, MS_ERR_USAGE,
        "%s: the rows of the result hold no vertices that could be drawn at `positions`; "
        "leave them out",
        c->result.path);
  if (!c->graph_path || h->kind & MS_KINDS_OF_SAMPLES)
    return MS_OK;
  MS_TRY(ms_check_inputs(c, err));
  return h->kind == MS_KIND_LIST && !(h->has & MS_HAS_SECTIONS) ? ms_open_motif(c, err) : MS_OK;
}

/* Reads all that the page shows. */
static ms_status read_all(ms_certificate *c, const ms_report_options *o, ms_page *page,
                          ms_error *err)
{
  uint64_t rows = o->rows ? o->rows : MS_REPORT_ROWS, edges = o->edges ? o->edges : MS_REPORT_EDGES;
  MS_TRY(ms_certificate_open(c, err));
  const ms_result_header *h = &c->result.header;
  if (h->kind == MS_KIND_CHANCE || h->has & MS_HAS_PART)
    return ms_fail(err, MS_ERR_INPUT,
                   "%s: is a part of a run, which has only a share of the numbers; merge the parts",
                   c->result.path);
  MS_TRY(open_inputs(c, o, err));
  bool of_walks = c->result.header.kind & MS_KINDS_OF_WALKS;
  MS_TRY(of_walks ? ms_walks_read(&page->table, c, rows, &page->sizes, err)
                  : ms_table_read(&page->table, c, rows, err));
  page->has_network = (c->graph || c->typed) && (of_walks || c->result.header.kind & DRAWN);
  if (page->has_network && of_walks)
    MS_TRY(ms_walks_choose(&page->table, c, &page->has_network, err));
  if (!page->has_network)
    return MS_OK;
  MS_TRY(ms_network_find(&page->network, &page->table, c, edges, err));
  page->has_places = o->positions != NULL;
  return o->positions
             ? ms_places_find(&page->places, &page->table, c, o->positions, MOST_PLACES, err)
             : MS_OK;
}

static ms_status write_all(const ms_page *page, const char *path, ms_error *err)
{
  ms_outfile *out;
  MS_TRY(ms_outfile_open(path, &out, err));
  ms_outfile_watch(out);
  ms_status status = ms_page_write(out, page, err);
  if (status == MS_OK)
    return ms_outfile_commit(out, err);
  ms_outfile_abort(out);
  return status;
}

/* Reads the result and writes its page; the checksum of the file is right if this succeeds. */
static ms_status report(ms_certificate *c, const ms_report_options *o, ms_report_info *info,
                        const char *path, ms_error *err)
{
  ms_page page = {.result = &c->result, .info = info};
  ms_meter meter;
  ms_meter_open(&meter, 0, c->result.path, &c->tape->line);
  ms_status status = ms_tape_open(c->tape, c->result.path, err);
  if (status == MS_OK)
    status = read_all(c, o, &page, err);
  status = ms_result_find_damage(&c->result, status, err);
  ms_meter_close(&meter);
  if (c->result.refused)
    status = ms_fail(err, MS_ERR_INPUT, "%s: refused: %s", c->result.path, c->result.problem);
  info->rows = page.table.rows;
  info->shown = page.table.shown;
  info->edges = page.network.from.count;
  if (status == MS_OK)
    status = write_all(&page, path, err);
  info->unplaced = page.has_places ? page.places.n - page.places.map.placed : 0;
  ms_places_free(&page.places);
  ms_network_free(&page.network);
  ms_sizes_free(&page.sizes);
  ms_table_free(&page.table);
  return status;
}

ms_status ms_report_write(const char *result_path, const char *graph_path, const char *colors_path,
                          const ms_report_options *options, const char *path, ms_report_info *info,
                          ms_error *err)
{
  MS_REQUIRE(result_path, err);
  ms_report_options o;
  ms_report_info own;
  ms_verify_report unused;
  MS_TRY(ms_options_take(&ms_report_options_kind, options, &o, err));
  info = info ? info : &own;
  memset(info, 0, sizeof *info);
  info->draws = ms_report_can_draw();
  ms_tape tape = {0};
  ms_certificate c = {.options = &o.verify,
                      .graph_path = graph_path,
                      .colors_path = colors_path,
                      .report = &unused,
                      .tape = &tape};
  ms_stop *before = ms_stop_enter(o.verify.stop);
  ms_status status = check(result_path, graph_path, colors_path, &o, info, err);
  ms_numbers_begin();
  ms_certificate_init(&c, result_path);
  c.result.reads_all = true;
  if (status == MS_OK)
    status = report(&c, &o, info, path, err);
  ms_certificate_close(&c);
  ms_numbers_end();
  ms_tape_close(&tape);
  ms_stop_leave(before);
  return status;
}
