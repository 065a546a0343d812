/* ms_merge: the result of an undivided run from the result files of its parts. */
#include "run/merge.h"

#include "base/alloc.h"
#include "base/meter.h"
#include "base/numbers.h"
#include "base/options.h"
#include "base/status.h"
#include "base/stop.h"

#include <inttypes.h>
#include <string.h>

static ms_status merge(ms_merging *m, const char *path, ms_error *err)
{
  MS_TRY(ms_merging_open(m, err));
  ms_result *first = &m->first, *opened = &m->part[m->by_number[0]].result;
  ms_result_close(first);
  *first = *opened;
  ms_result_init(opened, first->path); /* it is opened again for its rows */
  bool json = first->format == &ms_result_json;
  MS_TRY(ms_writer_open(&m->writer, path, json ? &ms_encoding_json : &ms_encoding_tsv, err));
  m->writer.header = first->header;
  m->writer.header.has &= ~(unsigned)(MS_HAS_PART | MS_HAS_COUNTED);
  if (first->header.kind == MS_KIND_CENSUS)
    return ms_merge_census(m, err);
  if (first->header.kind & (MS_KIND_PATTERN | MS_KIND_LIST) && first->header.has & MS_HAS_COUNTED)
    return ms_merge_counts(m, err);
  if (first->header.kind & (MS_KIND_PATTERN | MS_KIND_LIST))
    return ms_merge_rows(m, err);
  return ms_fail(err, MS_ERR_USAGE, "%s: parts of this kind cannot be merged", m->path[0]);
}

static void release(ms_merging *m)
{
  for (uint32_t i = 0; i < m->count; i++) {
    ms_merged_part_close(&m->part[i]);
    ms_result_close(&m->part[i].result);
    ms_identity_free(&m->part[i].identity);
  }
  ms_result_close(&m->first);
  ms_free(m->part);
  ms_free(m->by_number);
}

static ms_status merge_parts(ms_merging *m, const char *path, ms_error *err)
{
  m->part = ms_calloc(m->count, sizeof *m->part);
  if (!m->part)
    return ms_fail_memory(err, "the parts of a run");
  ms_numbers_begin();
  ms_result_init(&m->first, m->path[0]);
  for (uint32_t i = 0; i < m->count; i++)
    ms_result_init(&m->part[i].result, m->path[i]);
  ms_status status = merge(m, path, err);
  if (m->writer.encoding)
    status = ms_writer_close(&m->writer, status, err);
  release(m);
  ms_numbers_end();
  return status;
}

ms_status ms_merge(const char *const *parts, uint32_t count, const ms_merge_options *options,
                   const char *path, ms_merge_report *report, ms_error *err)
{
  ms_merge_options o;
  ms_meter meter;
  MS_REQUIRE(parts, err);
  MS_REQUIRE(path, err);
  for (uint32_t i = 0; i < count; i++)
    MS_REQUIRE(parts[i], err);
  MS_TRY(ms_options_take(&ms_merge_options_kind, options, &o, err));
  for (uint32_t i = 0; i < count; i++)
    if (strcmp(parts[i], "-") == 0)
      return ms_fail(err, MS_ERR_USAGE,
                     "a part cannot come from standard input, because it is read twice; give a "
                     "file");
  if (count == 0 || count > MS_MOST_PARTS)
    return ms_fail(err, MS_ERR_USAGE, "%" PRIu32 " parts are given; give 1 to %u", count,
                   MS_MOST_PARTS);
  ms_merging m = {.path = parts, .count = count, .options = &o};
  ms_meter_open(&meter, o.memory, NULL, NULL);
  ms_stop *before = ms_stop_enter(o.stop);
  ms_status status = merge_parts(&m, path, err);
  ms_stop_leave(before);
  ms_meter_close(&meter);
  if (status == MS_OK && report)
    *report = (ms_merge_report){count, m.rows};
  return status;
}
