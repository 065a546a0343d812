/* The matches of a motif, unit by unit (unit_rows.h): in parts, with checkpoints, by crews. */
#include "run/listing.h"

#include "base/alloc.h"
#include "base/ascending.h"
#include "base/status.h"
#include "base/text/format.h"
#include "graph/content.h"
#include "motif/units.h"
#include "query/query.h"
#include "run/units/unit_rows.h"

#include <stdio.h>

/* The units of all regions, one region after the other. */
typedef struct region_units {
  ms_listing *list;
  uint64_t *begin; /* [regions + 1] the first unit of each */
  void *context;   /* of the engine; NULL: no region is open */
  uint32_t opened; /* this one is */
} region_units;

static ms_status open_region(region_units *r, uint32_t region, ms_error *err)
{
  const ms_engine *cpu = &ms_engine_connected_sets;
  if (r->context && r->opened == region)
    return MS_OK;
  cpu->close(r->context);
  r->context = NULL;
  r->opened = region;
  return cpu->open(r->list->regions->region[region], r->list->threads, &r->context, err);
}

static ms_status make_units(region_units *r, ms_range_units *units, ms_error *err)
{
  const ms_regions *regions = r->list->regions;
  r->begin = ms_calloc((size_t)regions->count + 1, sizeof *r->begin);
  if (!r->begin)
    return ms_fail_memory(err, "the units of a list");
  for (uint32_t i = 0; i < regions->count; i++) {
    MS_TRY(open_region(r, i, err));
    MS_TRY(ms_connected_sets_row_units(r->context, units, err));
    r->begin[i + 1] = units->count;
  }
  return MS_OK;
}

/* Lists a range of units; an ms_unit_rows.list. */
static ms_status list_units(void *user, uint64_t unit, const ms_range_unit *range,
                            ms_stream *stream, ms_error *err)
{
  region_units *r = user;
  ms_listing *l = r->list;
  uint32_t region = (uint32_t)ms_last_at_most(r->begin, r->list->regions->count, unit);
  const ms_match_sink sink = {.match = ms_list_on_match,
                              .matches = ms_list_on_matches,
                              .parts = &ms_list_segments,
                              .user = l,
                              .visits = &l->visits,
                              .halt = &l->halt,
                              .budget = l->run.budget};
  MS_TRY(open_region(r, region, err));
  l->region = l->regions->region[region];
  l->stream = stream;
  ms_stream_tell(stream, &l->halt);
  ms_status status = ms_connected_sets_run_unit(r->context, range, &sink, l->run.limits.stop, err);
  ms_stream_tell(stream, NULL);
  MS_TRY(ms_run_refusal(&l->run, err));
  return status;
}

ms_status ms_list_identify(const ms_listing *l, ms_identity *id, ms_error *err)
{
  const ms_query *q = l->query;
  MS_TRY(ms_identity_crc32c(id, "checksum of the graph", ms_graph_content(q->graph), err));
  MS_TRY(ms_identity_crc32c(id, "checksum of the colours", ms_coloring_content(q->coloring), err));
  MS_TRY(ms_identity_text(id, "motif", ms_motif_text(q->motif), err));
  for (uint32_t i = 0; i < q->n_required; i++)
    MS_TRY(ms_identity_number(id, "required vertex", q->required[i], err));
  return MS_OK;
}

static ms_status add_number(ms_identity *id, const char *name, double value, ms_error *err)
{
  char text[32];
  ms_format(text, sizeof text, "%.15g", value);
  if (ms_read_real(text, NULL) != value)
    ms_format(text, sizeof text, "%.17g", value);
  return ms_identity_text(id, name, text, err);
}

static ms_status identify(void *user, ms_identity *id, ms_error *err)
{
  const region_units *r = user;
  const ms_listing *l = r->list;
  MS_TRY(ms_list_identify(l, id, err));
  MS_TRY(add_number(id, "least density", l->options->min_density, err));
  return add_number(id, "least mean score", l->options->min_mean_score, err);
}

static ms_status run_units(ms_listing *l, region_units *regions, ms_unit_rows *rows, ms_error *err)
{
  const ms_division *d = l->run.limits.division;
  const ms_motif_counted engine = {"cpu", "parts and checkpoints of a list need its order"};
  ms_list_note_engine(l, &engine);
  if (!l->regions)
    return MS_OK; /* it was stopped before */
  ms_status stopped = ms_division_prepared(err);
  if (stopped != MS_OK)
    return ms_run_settle(&l->run, stopped);
  MS_TRY(make_units(regions, &rows->units, err));
  l->result->run.units = rows->units.count;
  if (d->parts > 0 && l->options->rows && !ms_list_deliver_held(l))
    return ms_run_settle(&l->run, MS_ERR_LIMIT);
  MS_TRY(ms_unit_rows_run(rows, err));
  if (d->parts == 0)
    return MS_OK;
  l->result->part_text = ms_strdup(rows->text ? rows->text : "none");
  return l->result->part_text ? MS_OK : ms_fail_memory(err, "the rows of a part");
}

ms_status ms_list_rows_in_units(ms_listing *l, ms_error *err)
{
  region_units regions = {.list = l};
  ms_unit_rows rows = {.run = &l->run,
                       .outcome = &l->result->run,
                       .user = &regions,
                       .name = "list of the matches of a motif",
                       .identify = identify,
                       .list = list_units};
  ms_status status = run_units(l, &regions, &rows, err);
  ms_unit_rows_free(&rows);
  ms_engine_connected_sets.close(regions.context);
  ms_free(regions.begin);
  return status;
}
